"""What a crash did to each of two bodies: energy taken up, greatest crush, and the profile that stays.

Read from the columns of a pair (:mod:`columns`): each body presses its own with its share of the compliance, so the
work on them is what its structure took up. The profile is that of the side that took up most, as crash engineers
measure it: six depths C1 to C6 at even distances over the damaged width, from its left end to its right, the deepest
strip at each place.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from centrode.dynamics.contact.strip_tables import COLUMN, COLUMN_WIDTH, Side
from centrode.dynamics.contact.tables import ContactTables

STATIONS = 6
SEEN = 0.01
"""A dent shallower than this [m] is not measured."""


class Damage(NamedTuple):
    """Energy [J], greatest crush [m], residual C1..C6 [m], width of the damage [m]."""

    energy: float
    crush: float
    profile: np.ndarray
    width: float


def damage_of(tables: ContactTables, memory: np.ndarray, pair: tuple[int, int], on_road: bool) -> Damage:
    """What the columns of the first of two bodies took up from the other; from roads, or from all else."""
    body, other = pair
    count = int(tables.head[0].columns)
    columns = memory.reshape(-1)[memory.size - count * COLUMN_WIDTH :].view(COLUMN)
    columns = columns[columns["code"] > 0]
    numbers = columns["code"] - 1
    outlines = len(tables.outlines)
    of = tables.outlines["body"]
    one, two = of[numbers // outlines], of[numbers % outlines]
    own = of[tables.strips["outline"][tables.cells["strip"][columns["cell"]]]] == body
    met = ((one == body) & (two == other)) | ((one == other) & (two == body))
    roads = tables.outlines["surface"] > 0
    met &= (roads[numbers // outlines] | roads[numbers % outlines]) == on_road
    mine = columns[own & met]
    if not len(mine):
        return Damage(0.0, 0.0, np.zeros(STATIONS), 0.0)
    energy = mine["area"] * (mine["spent"] + (1.0 - mine["recovered"]) * mine["work"])
    sides = tables.strips["side"][tables.cells["strip"][mine["cell"]]]
    totals = np.bincount(sides, weights=energy, minlength=len(Side))
    side = int(totals.argmax())
    struck = mine[sides == side]
    profile, width = dent_profile(tables, struck, side)
    return Damage(float(energy.sum()), float(mine["crush"].max()), profile, width)


def dent_profile(tables: ContactTables, columns: np.ndarray, side: int) -> tuple[np.ndarray, float]:
    """C1..C6 of the columns of one side [m], from left to right seen in the direction of travel, and the width [m]."""
    places = np.round(tables.cells["along"][columns["cell"]], 9)
    stations = np.unique(places)
    deepest = np.array([columns["dent"][places == at].max() for at in stations])
    seen = np.flatnonzero(deepest > SEEN)
    if not len(seen):
        return np.zeros(STATIONS), 0.0
    cell = float(tables.strips["cell"][tables.cells["strip"][columns["cell"][0]]])
    low, high = stations[seen[0]] - 0.5 * cell, stations[seen[-1]] + 0.5 * cell
    found = np.interp(np.linspace(low, high, STATIONS), stations, deepest)
    if side in (Side.FRONT, Side.REAR):  # along is to the left there
        found = found[::-1]
    return found, high - low
