"""Structures: what of a body gives way in a crash."""
