"""Outlines: the shapes that can touch each other."""
