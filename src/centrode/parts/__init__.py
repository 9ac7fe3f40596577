"""What a system is made of: one kind, one file, in one folder per family."""
