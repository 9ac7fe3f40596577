"""Suspensions: what stands between the chassis and the wheel. One kind, one file."""
