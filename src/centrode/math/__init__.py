"""Leaf kernels: rotations, quaternions, rigid motions, splines and small linear algebra."""
