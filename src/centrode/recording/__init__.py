"""Recordings: what a run leaves behind. Start with ``recording.py``."""
