"""The commands of ``centrode``: each file exports one click command named ``command``; the file name is its name."""
