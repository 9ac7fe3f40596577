"""What a run leaves behind: named channels with units, events, statistics, provenance, and their files."""
