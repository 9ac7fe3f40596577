"""Ready vehicles by class, trailers, a motorcycle, a pedestrian, and what they run into. One kind, one file."""
