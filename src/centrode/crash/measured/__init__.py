"""Measured crashes, run again."""
