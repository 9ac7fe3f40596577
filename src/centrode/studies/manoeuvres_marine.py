r"""Standard manoeuvres of marine vehicles and their figures of merit: turning circle, zig-zag, spiral, dive, path.

Definitions after IMO MSC/Circ.1053 and T. I. Fossen, "Handbook of Marine Craft Hydrodynamics and Motion Control"
(2011), section 12.2. All in north-east-down. The vehicle first runs straight (``settle``) until its speed is steady;
the rudder is then given as a yaw deflection d, positive to starboard, spread over the fins by eq. (6) of
:mod:`centrode.parts.controllers.autopilot`.

    advance            distance along the first course when the heading has changed by 90 degrees
    transfer           distance across it at that moment
    tactical diameter  distance across it when the heading has changed by 180 degrees
    radius, drift      of the steady turn: V/|r| and atan2(v, u)
    overshoot          how far the heading goes on after each reversal of the rudder in a zig-zag
    period             between the second and fourth crossing of the first course in a zig-zag
    spiral             steady yaw rate over rudder, going down and up again; their difference is the hysteresis
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from centrode.errors import InputError, RunError
from centrode.math.rotation import matrix_from_quaternion
from centrode.parts.controllers.autopilot import MarineMotion
from centrode.parts.controllers.line_of_sight import LineOfSight
from centrode.parts.controllers.python import PythonController
from centrode.parts.signals.signal import SignalTable
from centrode.running import require_completed, simulate
from centrode.system.builder import System
from centrode.vehicles.auv import Auv

GRAVITY_NED = (0.0, 0.0, 9.81)
STEP, FRAME = 0.01, 0.05
"""Step and time between frames of a track [s]; figures are interpolated between frames."""


@dataclass(frozen=True)
class Track:
    """Motion of a vehicle in north-east-down over time, arrays of equal length.

    Attributes:
        time: [s].
        position: north, east, down [m], shape (n, 3).
        heading, pitch, roll: [rad]; the heading without jumps.
        velocity: surge, sway, heave over ground in hull axes [m/s], shape (n, 3).
        rates: roll, pitch, yaw rate [rad/s], shape (n, 3).
        rudder: commanded yaw deflection [rad].
    """

    time: np.ndarray
    position: np.ndarray
    heading: np.ndarray
    pitch: np.ndarray
    roll: np.ndarray
    velocity: np.ndarray
    rates: np.ndarray
    rudder: np.ndarray

    def after(self, time: float) -> Track:
        """The part of the track from ``time`` on."""
        keep = self.time >= time - 1e-9
        return Track(*(getattr(self, item.name)[keep] for item in dataclasses.fields(self)))


def run_track(system: System, auv: Auv, duration: float) -> Track:
    """Run a NED system and keep the motion of one AUV's hull; RK4 with a step of 0.01 s.

    Raises:
        RunError: the run stopped early.
    """
    run = require_completed(simulate(system, duration=duration, method="rk4", step=STEP, frames=FRAME, audit=False))
    rotation = np.array([matrix_from_quaternion(q) for q in run[f"{auv.hull}.orientation"]])
    weights = -np.sin(auv.fin_angles)
    commands = np.column_stack([run[f"{name}.command"] for name in auv.fin_names])
    return Track(
        run.time,
        run[f"{auv.hull}.position"],
        np.unwrap(np.arctan2(rotation[:, 1, 0], rotation[:, 0, 0])),
        -np.arcsin(np.clip(rotation[:, 2, 0], -1.0, 1.0)),
        np.arctan2(rotation[:, 2, 1], rotation[:, 2, 2]),
        np.einsum("nji,nj->ni", rotation, run[f"{auv.hull}.velocity"]),
        run[f"{auv.hull}.omega"],
        commands @ weights / (weights @ weights),
    )


def steered(
    auv: Auv, steer: Callable[[float, MarineMotion, np.ndarray], float], duration: float, period: float, memory: int = 4
) -> Track:
    """Run an AUV whose rudder is given by ``steer(time, motion, state) -> yaw deflection [rad]``, thrust constant."""
    system = System(f"{auv.kind} manoeuvre", gravity=GRAVITY_NED)
    system.add(auv)

    def command(time: float, view: Any, state: np.ndarray) -> list[float]:
        motion = MarineMotion.measured(view, auv.hull)
        yaw = float(steer(time, motion, state))
        return [-math.sin(angle) * yaw for angle in auv.fin_angles]

    system.add(PythonController("helm", auv.fin_names, period, function=command, memory=memory))
    return run_track(system, auv, duration)


@dataclass(frozen=True)
class TurningCircle:
    """Figures of a turning circle; lengths [m], angles [rad], positive numbers towards the side of the turn."""

    rudder: float
    approach_speed: float
    advance: float
    transfer: float
    tactical_diameter: float
    time_90: float
    time_180: float
    radius: float
    drift: float
    yaw_rate: float
    speed: float
    track: Track = dataclasses.field(repr=False)


def turning_circle(auv: Auv, rudder: float, settle: float = 60.0, duration: float = 300.0) -> TurningCircle:
    """Turn with a constant rudder [rad] after a straight run of ``settle`` seconds.

    Raises:
        RunError: the vehicle does not turn by 180 degrees within ``duration`` [s].
    """
    _check_rudder(auv, rudder)
    track = steered(auv, lambda t, motion, state: rudder if t >= settle - 1e-9 else 0.0, settle + duration, settle)
    turn = track.after(settle)
    side = math.copysign(1.0, rudder)
    change = side * (turn.heading - turn.heading[0])
    if change.max() < math.pi:
        raise RunError(f"the heading changed by {math.degrees(change.max()):.4g} deg in {duration:g} s, not by 180")
    along, across = _course_axes(turn)
    time_90, time_180 = (_first(turn.time, change, angle) for angle in (0.5 * math.pi, math.pi))
    approach, speed = (float(np.linalg.norm(turn.velocity[k])) for k in (0, -1))
    advance = float(np.interp(time_90, turn.time, along))
    transfer, diameter = (float(side * np.interp(when, turn.time, across)) for when in (time_90, time_180))
    times = time_90 - settle, time_180 - settle
    yaw_rate, drift = float(turn.rates[-1, 2]), math.atan2(turn.velocity[-1, 1], turn.velocity[-1, 0])
    steady = speed / abs(yaw_rate), drift, yaw_rate, speed
    return TurningCircle(rudder, approach, advance, transfer, diameter, *times, *steady, track)


@dataclass(frozen=True)
class ZigZag:
    """Figures of a zig-zag; angles [rad], times [s]."""

    rudder: float
    switch: float
    overshoots: tuple[float, ...]
    initial_turning_time: float
    period: float
    track: Track = dataclasses.field(repr=False)


def zig_zag(auv: Auv, rudder: float, switch: float, settle: float = 60.0, duration: float = 60.0) -> ZigZag:
    """Rudder hard over to ``rudder`` [rad]; reversed each time the heading has changed by ``switch`` [rad].

    Raises:
        RunError: fewer than two reversals within ``duration`` [s].
    """
    _check_rudder(auv, rudder)
    if not switch > 0.0:
        raise InputError("the heading at which to reverse must be positive", path="switch", got=switch)

    def steer(time: float, motion: MarineMotion, state: np.ndarray) -> float:
        if time < settle - 1e-9:
            return 0.0
        if state[0] == 0.0:
            state[0], state[1] = math.copysign(1.0, rudder), motion.heading
        change = math.remainder(motion.heading - state[1], 2.0 * math.pi)
        if state[0] * change >= switch:
            state[0] = -state[0]
        return float(state[0] * abs(rudder))

    track = steered(auv, steer, settle + duration, 0.02)
    run = track.after(settle)
    change = run.heading - run.heading[0]
    # Reversals from the heading itself: it passes the switch outwards, then turns at its extreme.
    side = math.copysign(1.0, rudder)
    overshoots: list[float] = []
    switches: list[float] = []
    k = 0
    while True:
        outside = np.flatnonzero(side * change[k:] >= switch)
        if outside.size == 0:
            break
        begin = k + int(outside[0])
        back = np.flatnonzero(side * change[begin:] < switch)
        if back.size == 0:
            break
        end = begin + int(back[0])
        switches.append(_first(run.time[k : end + 1], side * change[k : end + 1], switch))
        overshoots.append(float((side * change[begin:end]).max() - switch))
        k, side = end, -side
    if len(overshoots) < 2:
        raise RunError(f"{len(overshoots)} reversals in {duration:g} s, two are needed: a longer run or more rudder")
    crossings = [
        float(run.time[i] + FRAME * change[i] / (change[i] - change[i + 1]))
        for i in np.flatnonzero(change[1:-1] * change[2:] < 0.0) + 1
    ]
    period = crossings[2] - crossings[0] if len(crossings) > 2 else math.nan
    return ZigZag(rudder, switch, tuple(overshoots[:4]), switches[0] - settle, period, track)


@dataclass(frozen=True)
class Spiral:
    """Steady yaw rate [rad/s] over rudder [rad], going down and up; hysteresis [rad/s]."""

    rudders: tuple[float, ...]
    down: tuple[float, ...]
    up: tuple[float, ...]
    hysteresis: float
    slope: float
    track: Track = dataclasses.field(repr=False)


def spiral(auv: Auv, rudder: float, count: int = 7, hold: float = 60.0, settle: float = 60.0) -> Spiral:
    """Dieudonne spiral: rudder from +rudder to -rudder in ``count`` values and back, each held ``hold`` [s]."""
    _check_rudder(auv, rudder)
    if count < 3 or count % 2 == 0:
        raise InputError("the spiral needs an odd number of rudder angles, three or more", path="count", got=count)
    rudders = np.linspace(abs(rudder), -abs(rudder), count)
    plan = np.concatenate([rudders, rudders[::-1]])

    def steer(time: float, motion: MarineMotion, state: np.ndarray) -> float:
        k = math.floor((time - settle) / hold + 1e-9)
        return 0.0 if k < 0 else float(plan[min(k, plan.size - 1)])

    track = steered(auv, steer, settle + hold * plan.size, math.gcd(round(settle * 100), round(hold * 100)) / 100.0)
    ends = settle + hold * np.arange(1, plan.size + 1) - 2.0 * FRAME
    rates = np.interp(ends, track.time, track.rates[:, 2])
    down, up = rates[:count], rates[count:][::-1]
    middle = count // 2
    slope = (down[middle - 1] - down[middle + 1]) / (rudders[middle - 1] - rudders[middle + 1])
    angles, falling, rising = (tuple(values.tolist()) for values in (rudders, down, up))
    return Spiral(angles, falling, rising, float(np.abs(down - up).max()), float(slope), track)


@dataclass(frozen=True)
class Dive:
    """Figures of a step in depth; lengths [m], times [s], angles [rad]."""

    depth: float
    rise_time: float
    overshoot: float
    settling_time: float
    steady_error: float
    largest_pitch: float
    track: Track = dataclasses.field(repr=False)


def dive(auv: Auv, depth: float, settle: float = 60.0, duration: float = 120.0, **options: Any) -> Dive:
    """Step of the wanted depth [m] under the autopilot; options are those of :class:`Autopilot`."""
    system = System("dive", gravity=GRAVITY_NED)
    system.add(auv)
    wanted = SignalTable((0.0, settle, settle + 1e-3), (0.0, 0.0, depth), "linear")
    options.setdefault("thrust", auv.thrust)
    system.add(auv.autopilot("helm", heading=0.0, depth=wanted, **options))
    track = run_track(system, auv, settle + duration)
    run = track.after(settle)
    part = (run.position[:, 2] - run.position[0, 2]) / (depth - run.position[0, 2])
    rise = _first(run.time, part, 0.9) - _first(run.time, part, 0.1)
    outside = np.flatnonzero(np.abs(part - 1.0) > 0.05)
    overshoot = max(0.0, float(part.max() - 1.0)) * abs(depth)
    settling = float(run.time[outside[-1]] - settle) if outside.size else 0.0
    error, pitch = float(run.position[-1, 2] - depth), float(np.abs(run.pitch).max())
    return Dive(depth, rise, overshoot, settling, error, pitch, track)


@dataclass(frozen=True)
class PathRun:
    """Figures of a run along waypoints: cross-track error [m] after the first leg has been met, and arrival [s]."""

    waypoints: tuple[tuple[float, ...], ...]
    rms_error: float
    largest_error: float
    last_error: float
    track: Track = dataclasses.field(repr=False)


def follow_path(
    auv: Auv, waypoints: Sequence[Sequence[float]], duration: float, meet: float = 20.0, **options: Any
) -> PathRun:
    """Follow waypoints (NED) by line of sight; errors are counted from ``meet`` seconds on."""
    system = System("path", gravity=GRAVITY_NED)
    system.add(auv)
    options.setdefault("thrust", auv.thrust)
    rows = tuple(tuple(float(x) for x in row) for row in waypoints)
    system.add(auv.autopilot("helm", LineOfSight, waypoints=rows, **options))
    track = run_track(system, auv, duration)
    error = path_distance(track.position[:, :2], np.array([row[:2] for row in rows]))[track.time >= meet]
    return PathRun(rows, float(np.sqrt(np.mean(error**2))), float(error.max()), float(error[-1]), track)


def path_distance(points: np.ndarray, path: np.ndarray) -> np.ndarray:
    """Distance of points from a path of straight legs [m]; the last leg goes on without end."""
    best = np.full(len(points), np.inf)
    for k in range(len(path) - 1):
        leg = path[k + 1] - path[k]
        part = (points - path[k]) @ leg / (leg @ leg)
        part = np.maximum(part, 0.0) if k == len(path) - 2 else np.clip(part, 0.0, 1.0)
        best = np.minimum(best, np.linalg.norm(points - path[k] - part[:, None] * leg, axis=1))
    return best


def _course_axes(track: Track) -> tuple[np.ndarray, np.ndarray]:
    """Distances along the first course and to starboard of it [m]."""
    away = track.position[:, :2] - track.position[0, :2]
    c, s = math.cos(track.heading[0]), math.sin(track.heading[0])
    return away[:, 0] * c + away[:, 1] * s, -away[:, 0] * s + away[:, 1] * c


def _first(time: np.ndarray, values: np.ndarray, level: float) -> float:
    """First time at which values reach a level, linear between frames; not a number when never."""
    above = np.flatnonzero(values >= level)
    if above.size == 0:
        return math.nan
    k = int(above[0])
    if k == 0:
        return float(time[0])
    return float(time[k - 1] + (time[k] - time[k - 1]) * (level - values[k - 1]) / (values[k] - values[k - 1]))


def _check_rudder(auv: Auv, rudder: float) -> None:
    if not 0.0 < abs(rudder) <= auv.fin_limit + 1e-12:
        what, expected = "a rudder angle beyond the limits of the fins", f"above 0 and at most {auv.fin_limit:.4g} rad"
        raise InputError(what, path="rudder", got=rudder, expected=expected)
