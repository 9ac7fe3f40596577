"""Readers of other formats as imports of a scenario: one kind, one file."""
