"""The length of files is one of the figures of tools/check_limits.py; this name is kept for those who still call it."""
