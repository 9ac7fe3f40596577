"""Robots from files: readers of their formats, and the way from a tree of links to a system."""
