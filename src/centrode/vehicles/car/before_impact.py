"""A start that leads to a given impact: "52 km/h at impact, braking 0.8 s before" solved backwards.

Given are place, heading and speed of a car at a time T, and what its driver does up to then. Tyres and brakes cannot
be integrated backwards (friction forgets), so the engine runs the car alone on its road from a trial start, and the
start is corrected by what it missed:

    heading    by the difference of the headings at T
    place      so that the way of the run, turned by that difference, ends at the place asked for
    speed      by the secant of the speed at T over the speed at the start (first: by the difference)

On a plane road the way does not depend on where it begins, and the search ends after three or four runs; elsewhere it
is a fixed point that converges as long as the road changes little over the correction. Sideslip and yaw rate at T are
those that the manoeuvre gives. Done when place, heading and speed are met within PLACE, TURN and SPEED.
"""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from centrode.system.builder import System, references_of

if TYPE_CHECKING:
    from centrode.vehicles.car.car import Car

PLACE, TURN, SPEED = 1e-3, 1e-4, 1e-3
"""Tolerances [m, rad, m/s]."""


class Motion(NamedTuple):
    """Place [m], heading [rad] and speed [m/s], negative in reverse."""

    place: np.ndarray
    heading: float
    speed: float


def start_before_impact(car: Car, system: System | None = None) -> Car:
    """The car with the start from which it reaches its place, heading and speed at the time ``impact_at``.

    Args:
        car: position (or station), heading and speed are those at the impact; ``impact_at`` is its time.
        system: where road, tyres and suspensions that the car names are found, and gravity.

    Raises:
        InputError: no start leads there (it would stand before the impact, it leaves the road).
    """
    system = System() if system is None else system
    time = car.impact_at or 0.0
    road = None if car.road is None else system.parts[car.road]
    under, axes = car.standing(road) if road is not None else (np.array([*car.position, 0.0])[:3], car.level_axes())
    wanted = Motion(under[:2], math.atan2(axes[1, 0], axes[0, 0]), car.speed)
    if time <= 0.0 or car.speed == 0.0:
        raise car.refusal("impact_at", "nothing to solve", expected="a time above 0 and a speed at the impact")
    start, tried = wanted, []
    for _ in range(25):
        ended = _run(car, system, start, time)
        turn = _angle(wanted.heading - ended.heading)
        faster = wanted.speed - ended.speed
        tried.append((start.speed, ended.speed))
        away = float(np.linalg.norm(wanted.place - ended.place))
        if away < PLACE and abs(turn) < TURN and abs(faster) < SPEED:
            return _started(car, start)
        c, s = math.cos(turn), math.sin(turn)
        way = np.array([[c, -s], [s, c]]) @ (ended.place - start.place)
        start = Motion(wanted.place - way, start.heading + turn, start.speed + _step(tried, faster))
    got = f"{away:.3g} m, {math.degrees(turn):.3g} deg and {faster:.3g} m/s missed after {len(tried)} runs"
    hint = "a shorter time, less braking or a greater speed at the impact"
    raise car.refusal("impact_at", "no start leads to this impact", got=got, hint=hint)


def _step(tried: list[tuple[float, float]], faster: float) -> float:
    """Correction of the speed at the start [m/s]."""
    if len(tried) > 1:
        (v0, w0), (v1, w1) = tried[-2:]
        slope = (w1 - w0) / (v1 - v0) if v1 != v0 else 0.0
        if slope > 0.2:
            return faster / slope
    return faster


def _started(car: Car, start: Motion) -> Car:
    place = (float(start.place[0]), float(start.place[1]), *car.position[2:])
    change = {"position": place, "heading": float(start.heading), "speed": float(start.speed)}
    return dataclasses.replace(car, impact_at=None, station=None, offset=0.0, **change)  # type: ignore[arg-type]


def _run(car: Car, system: System, start: Motion, time: float) -> Motion:
    """Where the car alone is at a time after a start."""
    from centrode.running import simulate

    alone = System("", system.gravity, plugins=system.plugins)
    trial = _started(car, start)
    for _, _, name in references_of(trial):
        if name not in alone.parts:
            alone.parts[name] = system.parts[name]
    alone.add(trial)
    run = simulate(alone, duration=time, frames=time, tolerance=1e-6, audit=False)
    q, velocity = run[f"{car.body}.orientation"][-1], run[f"{car.body}.velocity"][-1]
    heading = math.atan2(2.0 * (q[1] * q[2] + q[0] * q[3]), 1.0 - 2.0 * (q[2] ** 2 + q[3] ** 2))
    ahead = velocity[0] * math.cos(heading) + velocity[1] * math.sin(heading)
    speed = math.copysign(float(np.hypot(velocity[0], velocity[1])), ahead)
    return Motion(run[f"{car.body}.position"][-1][:2].copy(), heading, speed)


def _angle(value: float) -> float:
    return math.remainder(value, 2.0 * math.pi)
