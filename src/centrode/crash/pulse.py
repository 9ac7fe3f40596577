"""Crash pulse of a vehicle as an event data recorder keeps it: delta-V along and across every 10 ms, and the OLC.

Sensors turn with the vehicle and feel all forces, tyres included, so their delta-V is

    dV(t) = integral from touch to t of R(t')^T dv(t'),                                                   (1)

in the axes of the vehicle at each moment. It is formed from the velocities of the recording: between frames the vehicle
turns by a small angle, and the middle of both attitudes is taken. Times are those of 49 CFR 563.7: from first touch to
30 ms after the end of the collision, at most 250 ms.

*OLC*, occupant load criterion (Kuebler, Gargallo, Elsaesser, ATZ 6/2009; Euro NCAP TB 027): an occupant goes on with
the speed of the vehicle at touch for 65 mm, and is then slowed down evenly over 235 mm more inside the vehicle, until
it has the vehicle's speed; the deceleration of that second part is the OLC. With the way s(t) and speed v(t) that the
occupant is ahead of the vehicle in the frame of the first moment, s(t1) = 65 mm, and a and t2 follow from

    v(t2) = a (t2 - t1),   s(t2) - a (t2 - t1)^2 / 2 = 300 mm.                                            (2)
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from centrode.classes import dataclass
from centrode.display import Custom
from centrode.math.spline import monotone_curve
from centrode.recording.recording import Recording
from centrode.texts import csv_table

SPACING = 0.01
"""Time between entries of the table [s]."""
LONGEST, AFTERWARDS = 0.25, 0.03
"""Length of the table, and what it goes on after the end of the collision [s]."""
FREE_WAY, WHOLE_WAY = 0.065, 0.3
"""Ways of the occupant inside the vehicle: free, and in all [m]."""
_FINE = 1e-4


@dataclass(frozen=True)
class CrashPulse:
    """Delta-V of a vehicle over time since first touch.

    Attributes:
        vehicle: name; collision: its number; begin: time of first touch [s].
        times: every 10 ms from 0 [s]; along, left: delta-V in the turning axes of the vehicle [m/s].
        olc: [m/s2]; not a number where the hit is from the side, or too weak to bring an occupant into the belt.
        coarse: frames of the recording are further apart than the entries: they are read between frames.
    """

    vehicle: str
    collision: int
    begin: float
    times: np.ndarray
    along: np.ndarray
    left: np.ndarray
    olc: float
    coarse: bool

    @property
    def largest(self) -> tuple[float, float]:
        """Greatest delta-V along, with its sign [m/s], and its time [s]."""
        k = int(np.abs(self.along).argmax())
        return float(self.along[k]), float(self.times[k])


def crash_pulse(run: Recording, body: str, number: int, begin: float, end: float) -> CrashPulse | None:
    """Pulse of a body that touches another from ``begin`` to ``end`` [s]; None without the channels it is made of."""
    if f"{body}.velocity" not in run or f"{body}.orientation" not in run or len(run.time) < 3:
        return None
    length = min(end - begin + AFTERWARDS, LONGEST, float(run.time[-1]) - begin)
    if not length > SPACING:
        return None
    times, along, left = sensed_changes(run, body, begin)
    smooth = partial(monotone_curve, times, np.column_stack([along, left]))
    grid = SPACING * np.arange(int(length / SPACING + 1e-9) + 1)
    table = smooth(grid)
    fine = np.arange(0.0, times[-1], _FINE) if times[-1] < LONGEST else np.arange(0.0, LONGEST, _FINE)
    changes = smooth(fine)
    size = np.abs(table).max(axis=0)
    olc = math.nan
    if size[0] >= size[1]:
        ahead = changes[:, 0]
        olc = occupant_load(fine, -ahead * math.copysign(1.0, -ahead[int(np.abs(ahead).argmax())]))
    coarse = bool(np.diff(run.time).min(initial=math.inf) > 1.001 * SPACING)
    return CrashPulse(body.removesuffix(".body"), number, begin, grid, table[:, 0], table[:, 1], olc, coarse)


def sensed_changes(run: Recording, body: str, begin: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times since ``begin`` [s] and delta-V ahead and to the left (1) [m/s], at ``begin`` and all frames after it."""
    time, velocity, q = np.asarray(run.time), run[f"{body}.velocity"], run[f"{body}.orientation"]
    yaw = np.unwrap(np.arctan2(2 * (q[:, 0] * q[:, 3] + q[:, 1] * q[:, 2]), 1 - 2 * (q[:, 2] ** 2 + q[:, 3] ** 2)))
    first = min(max(int(np.searchsorted(time, begin, side="right")), 1), len(time) - 1)
    # What the vehicle had at touch follows from the frames before it: the frame after it has felt the hit.
    before = first - 1
    slope = (velocity[before] - velocity[before - 1]) / (time[before] - time[before - 1]) if before > 0 else 0.0
    turn = (yaw[before] - yaw[before - 1]) / (time[before] - time[before - 1]) if before > 0 else 0.0
    late = max(begin - float(time[before]), 0.0)
    times = np.concatenate([[0.0], time[first:] - begin])
    speeds = np.vstack([velocity[before] + slope * late, velocity[first:]])
    turns = np.concatenate([[yaw[before] + turn * late], yaw[first:]])
    kept = np.concatenate([[True], np.diff(times) > 1e-9])
    times, speeds, turns = times[kept], speeds[kept], turns[kept]
    middle, step = 0.5 * (turns[1:] + turns[:-1]), np.diff(speeds, axis=0)
    ahead = np.cos(middle) * step[:, 0] + np.sin(middle) * step[:, 1]
    left = np.cos(middle) * step[:, 1] - np.sin(middle) * step[:, 0]
    return times, np.concatenate([[0.0], np.cumsum(ahead)]), np.concatenate([[0.0], np.cumsum(left)])


def occupant_load(times: np.ndarray, lost: np.ndarray) -> float:
    """OLC (2) [m/s2] of a vehicle that has lost the speed ``lost`` [m/s] at evenly spaced times [s].

    Not a number when the occupant never leaves the free way, or is not yet at the vehicle's speed when the times end.
    """
    steps = np.diff(times)
    ahead = np.concatenate([[0.0], np.cumsum(0.5 * (lost[1:] + lost[:-1]) * steps)])
    if not ahead[-1] > FREE_WAY:
        return math.nan
    late = int(np.argmax(ahead > FREE_WAY))
    share = (FREE_WAY - ahead[late - 1]) / (ahead[late] - ahead[late - 1])
    begin = times[late - 1] + share * steps[late - 1]
    since = times[late:] - begin
    # With a = v / (t2 - t1) from the first of (2), the second is a crossing: way inside at equal speeds, over time.
    inside = ahead[late:] - 0.5 * lost[late:] * since
    if not inside[-1] > WHOLE_WAY:
        return _carried_on(lost[-1], float(inside[-1]), float(since[-1]))
    k = int(np.argmax(inside > WHOLE_WAY))
    if k == 0:
        return math.nan
    share = (WHOLE_WAY - inside[k - 1]) / (inside[k] - inside[k - 1])
    speed = lost[late + k - 1] + share * (lost[late + k] - lost[late + k - 1])
    return float(speed / (since[k - 1] + share * (since[k] - since[k - 1])))


def _carried_on(lost: float, inside: float, since: float) -> float:
    """OLC when the vehicle goes on as at the end of the times: with a constant speed, way inside grows by v/2."""
    if not lost > 0.0:
        return math.nan
    return float(lost / (since + 2.0 * (WHOLE_WAY - inside) / lost))


def pulse_rows(pulse: CrashPulse, custom: Custom) -> list[list[float]]:
    """Time [ms], delta-V along and across in the units and signs of a reader."""
    speed = custom.of("speed").size
    return [
        [round(1e3 * float(t), 6), float(x) / speed, custom.sign * float(y) / speed]
        for t, x, y in zip(pulse.times, pulse.along, pulse.left, strict=True)
    ]


def pulses_csv(pulses: list[CrashPulse], custom: Custom) -> str:
    """One line per collision, vehicle and 10 ms."""
    unit = custom.of("speed").unit
    columns = ["collision", "vehicle", "time [ms]", f"delta-V along [{unit}]", f"delta-V {custom.side} [{unit}]"]
    rows = [
        [item.collision, item.vehicle, f"{time:g}", f"{along:.4f}", f"{across:.4f}"]
        for item in pulses
        for time, along, across in pulse_rows(item, custom)
    ]
    return csv_table(columns, rows)
