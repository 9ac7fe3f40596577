"""How far the sides of a body are pushed in at a moment: what pictures, diagrams and profiles are drawn from.

Each side of a body that gives way has stations at even distances, from right to left on front and rear, from behind to
ahead on sides and roof. A station tells the crush of the deepest column of the body there: while the bodies touch,
that under load; once they have parted, what stays.
"""

from __future__ import annotations

import numpy as np

from centrode.classes import dataclass
from centrode.dynamics.contact.strip_tables import COLUMN, COLUMN_WIDTH, Side
from centrode.dynamics.contact.tables import EPISODE, EPISODE_WIDTH, ContactTables
from centrode.parts.contact_laws.contact_law import ACTIVE
from centrode.parts.structures.stations import SIDE_STATIONS
from centrode.parts.tables import NOTES_WIDTH

STATIONS = {Side[name.upper()]: count for name, count in SIDE_STATIONS.items()}


@dataclass(frozen=True)
class DentStations:
    """Which station each cell of a run belongs to.

    Attributes:
        bodies: numbers of the bodies that give way.
        first, last: first and last station that a cell covers, counted over all bodies and sides; -1: none.
        count: stations in all.
    """

    bodies: tuple[int, ...]
    first: np.ndarray
    last: np.ndarray
    count: int


def lay_stations(tables: ContactTables) -> DentStations:
    """Stations of all bodies that give way."""
    outlines = tables.strips["outline"]
    owners = tables.outlines["body"][outlines]
    bodies = tuple(int(k) for k in dict.fromkeys(owners.tolist()))
    each = sum(STATIONS.values())
    first, last = np.full((2, len(tables.cells)), -1, dtype=np.int64)
    starts = dict(zip(STATIONS, np.cumsum([0, *STATIONS.values()]), strict=False))
    for strip, owner in zip(tables.strips, owners, strict=True):
        side = Side(int(strip.side))
        if side not in STATIONS:
            continue
        cells = slice(int(strip.first), int(strip.first + strip.cells))
        share = (tables.cells["along"][cells] - strip.low) / (strip.high - strip.low) * STATIONS[side]
        half = 0.5 * strip.cell / (strip.high - strip.low) * STATIONS[side]
        begin = bodies.index(int(owner)) * each + starts[side]
        top = STATIONS[side] - 1
        first[cells] = begin + np.clip(np.floor(share - half + 1e-9).astype(int), 0, top)
        last[cells] = begin + np.clip(np.ceil(share + half - 1e-9).astype(int) - 1, 0, top)
    return DentStations(bodies, first, last, each * len(bodies))


def dents_of(tables: ContactTables, stations: DentStations, memories: np.ndarray) -> np.ndarray:
    """Crush of every station [m] in frames, from the contact memory of each, shape (frames, stations)."""
    found = np.zeros((len(memories), stations.count))
    before = b""
    behind = memories[0].size - int(tables.head[0].columns) * COLUMN_WIDTH if len(memories) else 0
    if not memories.reshape(len(memories), -1)[:, behind : behind + COLUMN_WIDTH].any():
        return found  # rows are filled from the first on: nothing was pressed yet
    for k, memory in enumerate(memories):
        flat = np.ascontiguousarray(memory).reshape(-1)
        columns = flat[behind:].view(COLUMN)
        columns = columns[: np.searchsorted(columns["code"] <= 0, True)]  # rows are filled from the first on
        rows = flat[NOTES_WIDTH : NOTES_WIDTH + (behind - NOTES_WIDTH) // EPISODE_WIDTH * EPISODE_WIDTH].view(EPISODE)
        touching = rows["code"][rows["memory"][:, ACTIVE] == 1.0]
        # Of bodies that do not touch the depths alone change, which their dents do not go with.
        names = ("code", "cell", "crush", "dent", *(("pressure", "deepest", "last") if touching.size else ()))
        now = b"".join([touching.tobytes(), *(columns[name].tobytes() for name in names)])
        if k > 0 and now == before:
            found[k] = found[k - 1]
        else:
            found[k] = _dents_now(columns, touching, stations)
        before = now
    return found


def _dents_now(columns: np.ndarray, touching: np.ndarray, stations: DentStations) -> np.ndarray:
    """Crush of every station [m], from the rows of columns and the codes of the pairs that touch."""
    found = np.zeros(stations.count)
    columns = columns[columns["crush"] > 0.0]
    pressed = np.isin(columns["code"], touching) & (columns["pressure"] > 0.0) & (columns["deepest"] > 0.0)
    # Both bodies give back in the measure in which they gave way.
    back = np.where(pressed, 1.0 - columns["last"] / np.where(pressed, columns["deepest"], 1.0), 0.0)
    now = np.where(
        pressed, np.maximum(columns["crush"] * (1.0 - np.clip(back, 0.0, 1.0)), columns["dent"]), columns["dent"]
    )
    first, last = stations.first[columns["cell"]], stations.last[columns["cell"]]
    for k in range(int((last - first).max(initial=0)) + 1):
        covered = (first >= 0) & (first + k <= last)
        np.maximum.at(found, first[covered] + k, now[covered])
    return found
