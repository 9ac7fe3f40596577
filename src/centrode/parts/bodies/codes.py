"""Kind codes of bodies, as the kernels know them."""

from __future__ import annotations

BODY_GROUND, BODY_RIGID, BODY_PLANAR, BODY_FULL_MASS, BODY_PSEUDO_RIGID = 0, 1, 2, 3, 4
