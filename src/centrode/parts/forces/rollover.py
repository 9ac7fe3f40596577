"""On which of its sides a vehicle lies: quarter turns of its roll.

0 is on the wheels, 1 on the right side, 2 on the roof, 3 on the left side having come over the roof; -1 on the left
side, and so on. A vehicle that has rolled by more than 60 degrees from one side lies on the next: so one that swings on
an edge does not count to and fro. One that stands on its nose or tail has no roll.
"""

from __future__ import annotations

import math

import numpy as np

from centrode.jit import step_kernel
from centrode.math.vector import dot, norm
from centrode.parts.tyres.slip import angle_of

QUARTER = 0.5 * math.pi
NEXT_QUARTER = math.radians(60.0)
ON_END = 0.8
"""Sine of the pitch beyond which a roll has no meaning."""
UPRIGHT = 0.6
"""Cosine of a lean of 53 degrees, below which a vehicle is on its wheels and nothing is computed."""


@step_kernel
def quarter_off(directors, normal, lies):
    """How far a body has rolled, right side down, from its side number ``lies`` [rad]."""
    up = dot(directors[2], normal)
    if abs(dot(directors[0], normal)) > ON_END * norm(directors[0]):
        return 0.0
    angle = angle_of(dot(directors[1], normal), up) - QUARTER * lies
    return angle - 2.0 * math.pi * math.floor(0.5 * angle / math.pi + 0.5)


def side_at_start(gradient: np.ndarray, normal: np.ndarray) -> int:
    """Side on which a body with these directors (columns) lies, -1 to 2."""
    left, up = float(gradient[:, 1] @ normal), float(gradient[:, 2] @ normal)
    if abs(float(gradient[:, 0] @ normal)) > ON_END:
        return 0
    return round(math.atan2(left, up) / QUARTER + 1e-9) if up < UPRIGHT else 0
