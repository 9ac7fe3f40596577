"""Joints: the constraints between bodies, each with its Jacobian and bias."""
