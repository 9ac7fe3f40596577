"""Kerbs of a road as solids that bodies and rims of wheels meet: what stands higher than the road beyond a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from centrode.parts.outlines.polyhedron import OutlinePolyhedron
from centrode.parts.placement import GROUND
from centrode.parts.roads.steps import FACE

if TYPE_CHECKING:
    from centrode.parts.roads.contract import Road

LONGEST = 300.0
"""Of a straight road this much to either side of its origin has solid kerbs [m]."""
STRETCH = 5.0
"""Length of the straight pieces that a kerb of a bent road is made of [m]."""
WIDE, DEEP = 10.0, 1.0
"""Level ground behind a kerb, and how far it goes down [m]."""


def kerb_outlines(road: Road) -> list[OutlinePolyhedron]:
    """Solid pieces of all kerbs of a road."""
    if not road.kerbs:
        return []
    from centrode.parts.outlines.road import ROAD_MATERIAL
    from centrode.parts.roads.road_surface import surface_point

    found = []
    for k, kerb in enumerate(road.kerbs):
        side = -1.0 if kerb.offset < 0.0 else 1.0
        stations = stations_of(road, kerb.s_from, kerb.s_to)
        rows: list[np.ndarray] = []
        for s in stations:
            for n in (kerb.offset + side * FACE, kerb.offset + side * (FACE + WIDE)):
                here = surface_point(road, float(s), float(n))
                rows += [here.position + height * here.normal for height in (kerb.height, kerb.height - DEEP)]
        for piece in range(len(stations) - 1):
            corners = np.array(rows[4 * piece : 4 * piece + 8])
            found.append(solid(f"{road.name}.kerb{k}_{piece}", corners, ROAD_MATERIAL))
    return found


def stations_of(road: Road, first: float, last: float) -> np.ndarray:
    """Where the pieces of a kerb begin and end."""
    table = road.shared_table()
    if table[0, 0] == 0.0:
        return np.array([max(first, -LONGEST), min(last, LONGEST)])
    low, high = max(first, table[1, 0]), min(last, table[1, 0] + table[0, 3])
    return np.linspace(low, high, 1 + max(1, round((high - low) / STRETCH)))


def solid(name: str, corners: np.ndarray, material: str) -> OutlinePolyhedron:
    """The convex hull of corners, about their middle."""
    middle = corners.mean(axis=0)
    points = tuple(map(tuple, (corners - middle).tolist()))
    place = tuple(middle.tolist())
    return OutlinePolyhedron(name, body=GROUND, centre=place, material=material, points=points)
