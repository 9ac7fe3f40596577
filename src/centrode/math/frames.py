"""World and body frames of land and sea: x forward, y left, z up (ISO 8855) and north-east-down with SNAME body axes.

    z-up   world x forward, y left, z up;      body x forward, y left, z up
    NED    world x north, y east, z down;      body x forward, y starboard, z down

Both are right-handed and differ by half a turn about x, S = diag(1, -1, -1), on the world's and on the body's side:

    vector      v_ned = S v_zup                                                      (1)
    rotation    R_ned = S R_zup S                                                    (2)
    quaternion  (w, x, y, z)_ned = (w, x, -y, -z)_zup     since the axis turns by S  (3)

S is its own inverse. A heading changes its sign: counter-clockwise seen from above
in z-up, clockwise (from north towards east) in NED. A system is NED when its gravity points along +z.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from centrode.errors import InputError

FLIP = np.array([1.0, -1.0, -1.0])
"""Diagonal of S."""


def world_of(gravity: Any) -> str:
    """Convention of a world with this gravity [m/s2]: "ned" when it points along +z, "z-up" along -z, "" without any.

    Raises:
        InputError: gravity that is not vertical.
    """
    g = np.asarray(gravity, dtype=float)
    if np.any(g[:2] != 0.0):
        raise InputError("gravity is not along z", path="gravity", got=tuple(g.tolist()), expected="(0, 0, g)")
    return "" if g[2] == 0.0 else "ned" if g[2] > 0.0 else "z-up"
