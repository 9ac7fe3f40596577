r"""Kerbs, edges and embankments: lines along a road across which the ground rises or falls.

Over the offset l (left positive) each adds a height to the road, along its normal. With o = +-(l - l_0) outwards from
the line, over a face of the width w,

    h = r min(max(o / w, 0), 1),    r the rise: above zero for kerbs, below for edges and embankments.      (1)

A wheel is no point: it rolls over a steep face (w < 0.3 m) on its own round. Of its disc of radius R, which stands at
the angle psi to the road, and of the width 2 b_0 of its tread, the line sees an ellipse of the half width
b = sqrt((R sin psi)^2 + b_0^2); when the upper corner of the face is x = (l_c - l) / b from the middle,

    H = h_c + R (sqrt(1 - x^2) - 1)       where that is more than the ground, |x| < 1,                       (2)
    dH/dl = R x / (b sqrt(1 - x^2)).

For a wheel that meets the face head-on (psi = 90 degrees) its hub goes over the corner on a circle of radius R.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from centrode.classes import dataclass
from centrode.errors import Fault
from centrode.jit import kernel
from centrode.math.vector import cross, plus_times, times
from centrode.parts.part import Part, quantity

STEEP = 0.3
"""A face narrower than this [m] is a step for a wheel."""
TREAD = 0.08
"""Half width of the tread of a tyre [m], b_0 of (2)."""
FACE = 0.05
"""Width of the face of an edge [m]."""


@dataclass(frozen=True)
class Kerb:
    """A kerb along a line; the ground beyond it, away from the road, is that much higher."""

    offset: float = quantity("m", "line of the kerb beside the reference line, left positive")
    height: float = quantity("m", "height over the road", 0.12, positive=True, maximum=1.0)
    s_from: float = quantity("m", "start along the road", -1.0e9)
    s_to: float = quantity("m", "end along the road", 1.0e9)


@dataclass(frozen=True)
class Edge:
    """An edge: the ground beyond it is lower."""

    offset: float = quantity("m", "line of the edge beside the reference line, left positive")
    drop: float = quantity("m", "how much lower", 0.1, positive=True)
    s_from: float = quantity("m", "start along the road", -1.0e9)
    s_to: float = quantity("m", "end along the road", 1.0e9)


@dataclass(frozen=True)
class Embankment:
    """A slope down from a line to lower ground, or up to higher with a negative depth."""

    offset: float = quantity("m", "line where it begins beside the reference line, left positive")
    depth: float = quantity("m", "how much lower the ground at its foot is", 2.0)
    run: float = quantity("m", "level width of the slope", 4.0, minimum=STEEP)
    s_from: float = quantity("m", "start along the road", -1.0e9)
    s_to: float = quantity("m", "end along the road", 1.0e9)


def step_count(table: np.ndarray) -> int:
    """Kerbs, edges and embankments of a road table; their rows are the last."""
    return int(table[0, 20])


def step_rows(kerbs: Sequence[Kerb], edges: Sequence[Edge], embankments: Sequence[Embankment]) -> np.ndarray:
    """s range, offset, side outwards, width of the face, rise: shape (n, 6)."""
    rows = [(item.s_from, item.s_to, item.offset, FACE, item.height) for item in kerbs]
    rows += [(item.s_from, item.s_to, item.offset, FACE, -item.drop) for item in edges]
    rows += [(item.s_from, item.s_to, item.offset, item.run, -item.depth) for item in embankments]
    return np.array([(a, b, l, -1.0 if l < 0.0 else 1.0, w, r) for a, b, l, w, r in rows]).reshape(-1, 6)


def step_faults(road: Part) -> list[Fault]:
    """What is wrong with the steps of a road."""
    found = []
    for field, items in road.values_of("kerbs", "edges", "embankments").items():
        for index, item in enumerate(items):
            path = f"{road.name}.{field}[{index}]"
            values = list(vars(item).values())
            if not all(isinstance(value, int | float) and math.isfinite(value) for value in values):
                found.append(Fault("not a finite number", path, got=tuple(values)))
            elif item.s_to <= item.s_from:
                found.append(Fault("ends before it starts", f"{path}.s_to", got=item.s_to, expected="above s_from"))
            elif field == "embankments" and not (item.run >= STEEP and item.depth != 0.0):
                expected = f"a depth other than 0, a run of {STEEP} m or more"
                found.append(Fault("no slope", path, got=tuple(values), expected=expected, hint="see edges and kerbs"))
            elif field != "embankments" and not (item.height if field == "kerbs" else item.drop) > 0.0:
                found.append(Fault("must be positive", path, got=tuple(values)))
    return found


@kernel
def step_height(table, s, lateral, radius, across):
    """Height of all steps over the road at a place [m] and its slope over the offset.

    Args:
        table: of the road; s, lateral: place.
        radius: of the wheel that asks [m]; 0: a point, for which a face is a slope (1).
        across: sine of the angle between the wheel's heading and the road.
    """
    count = int(table[0, 20])
    height, slope = 0.0, 0.0
    b = math.sqrt((radius * across) ** 2 + TREAD * TREAD)
    for k in range(table.shape[0] - count, table.shape[0]):
        row = table[k]
        if s < row[0] or s > row[1]:
            continue
        out, wide, rise = row[3] * (lateral - row[2]), row[4], row[5]
        if radius == 0.0 or wide >= STEEP:
            if out >= wide:
                height += rise
            elif out > 0.0:
                height += rise * out / wide
                slope += row[3] * rise / wide
            continue
        corner, top = (wide, rise) if rise > 0.0 else (0.0, 0.0)
        own, own_slope = (rise if out >= corner else 0.0), 0.0
        x = (corner - out) / b
        if abs(x) < 1.0:
            root = math.sqrt(1.0 - x * x)
            over = top + radius * (root - 1.0)
            if over > own:
                own, own_slope = over, row[3] * radius * x / (b * root)  # (2)
        height += own
        slope += own_slope
    return height, slope


@kernel
def raised(found, height, slope):
    """Answer of the road kernel over ground that is higher by a step: place and normal change, tangent stays."""
    tangent, normal = (found[5], found[6], found[7]), (found[8], found[9], found[10])
    place = plus_times((found[2], found[3], found[4]), height, normal)
    if slope != 0.0:
        left = cross(normal, tangent)
        normal = times(1.0 / math.sqrt(1.0 + slope * slope), plus_times(normal, -slope, left))
    return (found[0], found[1], *place, *tangent, *normal, found[11], found[12])
