"""Bodies: what has mass and moves; joints, forces and outlines see them through points and directions."""
