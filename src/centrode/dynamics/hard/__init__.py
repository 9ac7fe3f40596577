"""Hard contacts of many bodies: which outlines touch, at which points, and the impulses that keep them apart."""
