"""Time functions that kernels evaluate: one value object per shape."""
