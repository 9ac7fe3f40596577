"""Outlines: the convex surfaces by which bodies touch. One kind, one file; all seen through their support function."""
