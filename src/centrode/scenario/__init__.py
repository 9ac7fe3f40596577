"""Scenario files: YAML in, a checked system out. Start with ``loader.py``."""
