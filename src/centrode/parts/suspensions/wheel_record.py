"""What a carriage keeps of each wheel: one row of numbers in the data pool, and how it is filled.

A wheel has a place on the chassis (its assembly point), a suspension, a tyre, shares of steering, drive and brake, and
perhaps a partner at the other end of an anti-roll bar. Columns are named below; lengths in m, forces in N.

``saturation`` is the relaxed slip at which the tyre of this wheel has reached its friction under the static load:
the carcass spring of a standing wheel cannot be wound further (:mod:`centrode.parts.tyres.slip`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from centrode.jit import handle_of
from centrode.parts.suspensions.strut import SuspensionTable

(
    PLACE_X,
    PLACE_Y,
    PLACE_Z,
    STIFFNESS,
    DAMPING,
    REST,
    STOP_STIFFNESS,
    STOP_LENGTH,
    TABLE,
    TABLE_ROWS,
    RADIUS,
    SPIN_INERTIA,
    RELAX_SIDE,
    RELAX_AHEAD,
    SATURATION_SIDE,
    SATURATION_AHEAD,
    STEERED,
    DRIVE_SHARE,
    BRAKE_SHARE,
    PARTNER,
    BAR,
    TYRE,
    TYRE_ROW,
    TYRE_LENGTH,
) = range(24)
WHEEL_WIDTH = 24

# Scratch row of a wheel: what the last evaluation found.
DEFLECTION, RATE, NORMAL, FRICTION, STATUS, LOAD, CONTACT, FORCE_AHEAD, FORCE_SIDE = 0, 1, 2, 5, 6, 7, 8, 11, 12
SCRATCH_WIDTH = 13


def saturation_slips(tyre: Any, load: float) -> tuple[float, float]:
    """Relaxed slips, across and ahead, at which the linear force would reach the tyre's peak: 1.5 F_peak / slope."""
    row, law = tyre.pack(), type(tyre).law
    small = 1e-4
    side = max(abs(law(row, load, -small, 0.0, 0.0, 10.0)[1] - law(row, load, 0.0, 0.0, 0.0, 10.0)[1]) / small, 1e-9)
    ahead = max(abs(law(row, load, 0.0, small, 0.0, 10.0)[0] - law(row, load, 0.0, 0.0, 0.0, 10.0)[0]) / small, 1e-9)
    angles, slips = np.linspace(0.01, 1.2, 60), np.linspace(0.01, 1.0, 60)
    peak_side = max(abs(law(row, load, -float(a), 0.0, 0.0, 10.0)[1]) for a in angles)
    peak_ahead = max(abs(law(row, load, 0.0, float(s), 0.0, 10.0)[0]) for s in slips)
    return max(1.5 * peak_side / side, 1e-3), max(1.5 * peak_ahead / ahead, 1e-3)


def pack_wheels(
    places: Sequence[Sequence[float]],
    suspensions: Sequence[Any],
    tyres: Sequence[Any],
    columns: dict[int, Sequence[float]],
    load: float,
    first: int,
) -> list[float]:
    """Rows of all wheels, followed by their tyre rows and spring tables.

    Args:
        places: assembly points, body frame [m].
        suspensions, tyres: parts, one per wheel.
        columns: further columns by number, one value per wheel.
        load: static load of a wheel [N], for the saturation.
        first: index of the first number in the carriage's own data; tables are addressed relative to that data.
    """
    count = len(places)
    rows = np.zeros((count, WHEEL_WIDTH))
    tail: list[float] = []
    known: dict[Any, int] = {}

    def stored(key: Any, numbers: Any) -> int:
        if key not in known:
            known[key] = first + rows.size + len(tail)
            tail.extend(float(x) for x in np.ravel(numbers))
        return known[key]

    slips: dict[str, tuple[float, float]] = {}
    for q in range(count):
        row, suspension, tyre = rows[q], suspensions[q], tyres[q]
        row[PLACE_X : PLACE_Z + 1] = places[q]
        row[PARTNER] = -1.0
        row[DAMPING], row[REST] = suspension.damping, suspension.rest_length
        if isinstance(suspension, SuspensionTable):
            row[TABLE], row[TABLE_ROWS] = stored(("s", suspension.name), suspension.table()), len(suspension.force)
        else:
            row[STIFFNESS] = suspension.stiffness
            row[STOP_STIFFNESS], row[STOP_LENGTH] = suspension.stop_stiffness, suspension.stop_length
        packed = tyre.pack()
        row[TYRE], row[TYRE_LENGTH] = float(handle_of(type(tyre).law)), len(packed)
        row[TYRE_ROW] = stored(("t", tyre.name), packed)
        if tyre.name not in slips:
            slips[tyre.name] = saturation_slips(tyre, load)
        row[SATURATION_SIDE], row[SATURATION_AHEAD] = slips[tyre.name]
        for column, values in columns.items():
            row[column] = values[q]
    return [*rows.ravel().tolist(), *tail]
