"""What a carriage keeps in the data pool, by name: itself, its wheels, and what the last evaluation found under each.

The carriage's own data are one CARRIAGE record, the packed signals, one FOUND and one WHEEL record per wheel, and the
rows of their tyres and suspensions. All fields are float64; ``first`` and ``end`` of a row count from the carriage's
own data, the road's place from the start of the pool. Lengths in m, forces in N. Kernels of suspensions and tyres are
known by handles, which are valid in one process only: they stand in the carriage's parameters (first the suspensions of
all wheels, then the tyres), because the data pool can be saved with a state.

``hold`` is the relaxed slip at which the tyre of a wheel has reached its friction, with its growth per load: the
carcass spring of a standing wheel cannot be wound further (b in :mod:`centrode.parts.tyres.slip`); ``least`` are the
relaxation lengths of a wheel at rest (length_s there).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from centrode.jit import step_kernel
from centrode.math.record import float_record, open_table, record_opener, rows_opener
from centrode.parts.kernel_types import LINK_DATA
from centrode.parts.roads.contract import COLUMNS, Road
from centrode.parts.tyres.contract import Tyre
from centrode.parts.tyres.grip import load_line, share_line
from centrode.parts.tyres.slip import FASTEST, HOLD_WAY

CARRIAGE = float_record(
    *("count", "ground", "spinning", "ackermann", "wheelbase", "rear"),
    *("drive_torque", "power", "brake_torque", "rolling", "low_speed", "steer_limit"),
    *("engine_drag", "anti_lock"),
    *("steer_signal", "drive_signal", "brake_signal", "wheels", "found", "road", "road_rows"),
)
"""``rear``: x of the rear axle; ``wheels``, ``found`` and the signals: where they begin; ``road``: its shared table."""

WHEEL = float_record(
    *("rest", "hand", "radius", "spin_inertia", "steered", "drive_share", "brake_share", "partner", "bar"),
    *("jammed_from", "lost_from"),
    *("suspension_first", "suspension_end", "tyre_first", "tyre_end"),
    *("relax_side", "relax_ahead", "retard_side", "retard_ahead"),
    *("hold_side", "hold_side_growth", "hold_ahead", "hold_ahead_growth", "least_side", "least_ahead"),
    *("grip", "grip_growth", "loaded", "loaded_growth"),
    place=3,
)
"""``place``: assembly point on the chassis; ``hand``: 1 left, -1 right, 0 in the middle; ``partner``: wheel at the
other end of the anti-roll bar, or itself; ``grip``, ``loaded`` and their growth: see
:func:`share_of_ground`."""

FOUND = float_record(
    *("deflection", "rate", "friction", "status", "load", "force_ahead", "force_side", "upright"), normal=3, contact=3
)
"""``contact``: where the force acts, material coordinates of the chassis; ``upright``: cosine of strut and normal."""

SPINNING = float_record("side", "ahead", "share", "spin", "angle", "grip")
"""Internal states of a spinning wheel: relaxed slips, share of the relaxation length [1], spin [rad/s], angle [rad],
grip of the brake [rad]."""
ROLLING = float_record("side", "ahead", "share")
"""A rolling wheel has the first three only; its slip ahead is the one that it would have if it were locked."""

CARRIAGE_WIDTH, WHEEL_WIDTH, FOUND_WIDTH = CARRIAGE.itemsize // 8, WHEEL.itemsize // 8, FOUND.itemsize // 8
SPINNING_STATES, ROLLING_STATES = SPINNING.itemsize // 8, ROLLING.itemsize // 8
ROAD = CARRIAGE.names.index("road")  # type: ignore[union-attr]

open_carriage, open_wheels, open_found = record_opener(CARRIAGE), rows_opener(WHEEL), rows_opener(FOUND)
open_spinning, open_rolling = record_opener(SPINNING), record_opener(ROLLING)


@step_kernel(inline="always")
def opened(data, pool):
    """The carriage whose data begin at ``pool``, its wheels, what was found under them, and the road."""
    carriage = open_carriage(data, pool)
    count = int(carriage.count)
    wheels = open_wheels(data, pool + int(carriage.wheels), count)
    found = open_found(data, pool + int(carriage.found), count)
    return carriage, wheels, found, open_table(data, int(carriage.road), int(carriage.road_rows), COLUMNS)


HELD = 0.9
"""Share of the greatest force at which a tyre counts as holding all it can: laws approach their peak slowly, and the
last tenth of the force would take as much deflection again as the rest."""
SIDEWAYS = 100.0
"""Slip of a wheel that slides square to its heading, for the law: tan of 89.4 degrees."""


def holding_slips(tyre: Tyre, load: float) -> tuple[float, float]:
    """Smallest slips, across and ahead, at which the tyre gives what it gives in full sliding, under this load.

    At most :data:`HELD` of its greatest force: so friction is the same while a slow slide ends as it was before.
    """
    return _holding_slips(type(tyre).law, tyre.pack().tobytes(), load)


@functools.lru_cache(maxsize=256)  # cars are placed several times, and most wheels of a run have the same tyre
def _holding_slips(law: Callable[..., tuple[float, ...]], packed: bytes, load: float) -> tuple[float, float]:
    row = np.frombuffer(packed).copy()
    slips = np.concatenate([np.geomspace(1e-4, 0.5, 400), [1.0, SIDEWAYS]])

    def first(forces: Callable[[float], float]) -> float:
        sizes = np.abs(np.array([forces(float(slip)) for slip in slips]) - forces(0.0))
        wanted = min(HELD * sizes.max(), sizes[-1])
        k = int(np.argmax(sizes >= wanted))
        if k == 0:
            return float(slips[0])
        return float(slips[k - 1] + (slips[k] - slips[k - 1]) * (wanted - sizes[k - 1]) / (sizes[k] - sizes[k - 1]))

    side = first(lambda slip: law(row, load, math.atan(-slip), 0.0, 0.0, 10.0)[1])
    return side, first(lambda slip: law(row, load, 0.0, -min(slip, 1.0), 0.0, 10.0)[0])


def holding_lines(tyre: Tyre, load: float) -> tuple[float, float, float, float]:
    """The same as straight lines over the load, through half and one and a half of the one given: value, growth [1/N].

    A tyre of constant stiffness holds in proportion to its load, one whose stiffness grows with the load at one slip.
    """
    light, heavy = np.array(holding_slips(tyre, 0.5 * load)), np.array(holding_slips(tyre, 1.5 * load))
    growth = (heavy - light) / load
    side, ahead = 0.5 * (light + heavy) - growth * load
    return float(side), float(growth[0]), float(ahead), float(growth[1])


def least_lengths(tyre: Tyre, load: float, wheel: Any) -> tuple[float, float]:
    """Relaxation lengths of a standing wheel across and ahead [m], length_s in :mod:`centrode.parts.tyres.slip`."""
    side, ahead = wheel.hold_side + wheel.hold_side_growth * load, wheel.hold_ahead + wheel.hold_ahead_growth * load
    shift = 1e-4
    slope = (tyre.forces(load, 0.0, shift)[0] - tyre.forces(load, 0.0, -shift)[0]) / (2.0 * shift)
    steady = slope * wheel.radius**2 / (wheel.spin_inertia * FASTEST**2)
    return min(HOLD_WAY / side, wheel.relax_side), min(max(HOLD_WAY / ahead, steady), wheel.relax_ahead)


def pack_wheels(
    wheels: np.ndarray, suspensions: Sequence[Any], tyres: Sequence[Any], road: Road, load: float, first: int
) -> list[float]:
    """Numbers of all wheels, followed by the rows of their suspensions and tyres.

    Args:
        wheels: WHEEL records whose place, shares and partners are known; the rest is written here.
        suspensions, tyres: parts, one per wheel.
        road: whose friction the tyres are to have.
        load: static load of a wheel [N], for what tyres hold.
        first: where the wheels begin in the carriage's own data.
    """
    rows: list[float] = []
    known: dict[str, tuple[int, int]] = {}
    holds: dict[str, tuple[float, ...]] = {}

    def stored(part: Any) -> tuple[int, int]:
        if part.name not in known:
            begin = first + wheels.size * WHEEL_WIDTH + len(rows)
            rows.extend(part.pack().tolist())
            known[part.name] = begin, first + wheels.size * WHEEL_WIDTH + len(rows)
        return known[part.name]

    for wheel, suspension, tyre in zip(wheels, suspensions, tyres, strict=True):
        wheel.rest, wheel.hand = suspension.rest_length, np.sign(wheel.place[1])
        wheel.suspension_first, wheel.suspension_end = stored(suspension)
        wheel.tyre_first, wheel.tyre_end = stored(tyre)
        if tyre.name not in holds:
            holds[tyre.name] = (
                *holding_lines(tyre, load),
                *share_line(tyre, load, road.frictions()),
                *load_line(tyre, load),
            )
        wheel.hold_side, wheel.hold_side_growth, wheel.hold_ahead, wheel.hold_ahead_growth = holds[tyre.name][:4]
        wheel.grip, wheel.grip_growth, wheel.loaded, wheel.loaded_growth = holds[tyre.name][4:]
        wheel.least_side, wheel.least_ahead = least_lengths(tyre, load, wheel)
    return [*wheels.view(np.float64).tolist(), *rows]


def found_under(workspace: Any, model: Any, carriage: str) -> np.ndarray:
    """FOUND records of the wheels of a carriage at the last evaluation."""
    pool = int(model.force_link[model.force_index(carriage), LINK_DATA])
    data = workspace["data"]
    own = data[pool : pool + CARRIAGE_WIDTH].view(CARRIAGE)[0]
    first = pool + int(own.found)
    return data[first : first + int(own.count) * FOUND_WIDTH].view(FOUND)
