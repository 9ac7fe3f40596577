"""Published numbers of cars and roads that Centrode reaches (``centrode verify car``, ``centrode verify road``).

Sources: MEDUSA report (1999), chapter 3 and appendix C, with its runs repeated by its own program; closed forms of
Gillespie, Fundamentals of Vehicle Dynamics (1992). Lane changes: ISO 3888-2:2011.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from functools import partial
from typing import Any

import numpy as np

from centrode.parts.part import Part
from centrode.parts.roads.medusa4 import RoadMedusa4
from centrode.parts.roads.plane import RoadPlane
from centrode.parts.signals.signal import SignalStaircase
from centrode.parts.tyres.linear import TyreLinear
from centrode.published import Check
from centrode.running import simulate
from centrode.system.builder import System
from centrode.vehicles.car.car import Car
from centrode.vehicles.car.medusa import CarMedusa
from centrode.vehicles.platoon import legacy_run

_REPORT = "MEDUSA report (1999)"
_GILLESPIE = "Gillespie, Fundamentals of Vehicle Dynamics (1992)"
_EVADING = ((0.30, 3.0), (0.50, 9.0), (0.70, 3.0), (0.85, 0.0), (1.10, -3.0), (1.25, -7.0), (1.45, -3.0), (1.60, 0.0))
_WHEELBASE = 2.525
_UNDERSTEER = 1573.0 / _WHEELBASE * (1.491 / 100e3 - 1.034 / 120e3)
"""Of the car with linear tyres: its mass, its axles and their cornering stiffness [s2/m]."""
_BANKS = tuple(math.radians(v) for v in (5.0, 2.5, -4.0, 0.0))
_BANKED = RoadMedusa4("road", points=((0.0, 0, 0), (30.0, 0, 0), (60.0, 0, 0), (90.0, 0, 0)), bank=_BANKS)


def _system(*parts: Part) -> System:
    system = System()
    for part in parts:
        system.add(part)
    return system


@functools.cache
def _evading() -> tuple[np.ndarray, np.ndarray]:
    road = RoadMedusa4("road", points=((-100.0, 0, 0), (100.0, 0, 0), (500.0, 0, 0), (1000.0, 0, 0)))
    steer = SignalStaircase(tuple(t for t, _ in _EVADING), tuple(math.radians(a) for _, a in _EVADING))
    faster = CarMedusa("faster", road="road", speed=22.0, steer=steer, equilibrium="listed")
    slower = CarMedusa("slower", road="road", position=(8.0, 0.0), speed=20.0, equilibrium="listed")
    return legacy_run(_system(road, faster, slower), 6.0, 5e-5, 0.01)


def _evading_lateral(at: float) -> float:
    time, states = _evading()
    return float(np.interp(at, time, states[:, 0, 1]))


def _evading_distance() -> float:
    _, z = _evading()
    return float(np.linalg.norm(z[:, 0, :3] - z[:, 1, :3], axis=1).min())


@functools.cache
def _banked() -> np.ndarray:
    car = CarMedusa("car", road="road", speed=12.0, rim_speed=12.0, equilibrium="listed")
    return legacy_run(_system(_BANKED, car), 7.4, 5e-5, 0.05)[1][:, 0]


def _banked_lateral(x: float) -> float:
    z = _banked()
    return float(np.interp(x, z[:, 0], z[:, 1]))


def _banked_side() -> float:
    return float(_BANKED.point(15.0, 0.0, 0.0).normal[1])


@functools.cache
def _rest() -> Any:
    return _system(RoadPlane("road"), CarMedusa("car", road="road")).parts["car.body"]


def _braking_distance() -> float:
    """Way of a car with locked wheels from 25 m/s on friction 0.7 [m]."""
    tyre = TyreLinear("tyre", 60e3, 100e3, friction=0.7)
    car = Car("car", road="road", tyre="tyre", chassis="rigid", speed=25.0, brake=1.0, brake_torque=4e4)
    run = simulate(_system(RoadPlane("road"), tyre, car), duration=5.0, frames=0.05)
    return float(run["car.body.position"][-1, 0])


def _parked_creep() -> float:
    """Way of a braked car in 60 s on a slope of 10 % with a bank of 10 degrees [m]."""
    road = RoadPlane("road", slope=math.atan(0.1), bank=math.radians(10.0))
    run = simulate(_system(road, Car("car", road="road", brake=1.0)), duration=60.0, tolerance=1e-6, frames=1.0)
    place = run["car.body.position"]
    return float(np.linalg.norm(place - place[0], axis=1).max())


def _steady_gain(speed: float) -> float:
    return speed / (_WHEELBASE + _UNDERSTEER * speed**2)


def _yaw_gain() -> float:
    """Yaw rate per steering angle at 25 m/s of a car with linear tyres [1/s]."""
    car = Car("car", "road", ("front", "rear"), speed=25.0, steer=0.002, chassis="rigid", wheels="rolling")
    stiff = dataclasses.replace(car, stiffness=4e6, damper=4e4, rest_length=0.3, stop_stiffness=0.0, ackermann=False)
    tyres = (TyreLinear(end, grip, 100e3, friction=10.0) for end, grip in (("front", 50e3), ("rear", 60e3)))
    run = simulate(_system(RoadPlane("road"), *tyres, stiff), duration=6.0, frames=1.0)
    speed = float(np.linalg.norm(run["car.body.velocity"][-1]))
    # Scaled to 25 m/s: the steered wheels slow the car a little.
    return float(run["car.body.omega"][-1, 2]) / 0.002 * _steady_gain(25.0) / _steady_gain(speed)


def checks() -> list[Check]:
    """All checks of the topics car and road."""
    digits = "two digits are printed"
    evading, banked = (f"{_REPORT}, section {n}, its program rerun" for n in ("3.5", "3.6"))
    springs, listed = f"{_REPORT}, appendix C, springs of model 1", "the listed -0.0748 is no equilibrium"
    braking, way = f"{_GILLESPIE}, v^2/(2 mu g)", 25.0**2 / (2 * 0.7 * 9.81)
    locking = "the wheels need 0.06 s to lock"
    normal = f"{_REPORT}, section 1.3: (0, -sin b, cos b), b linear between points"
    return [
        Check("car.evading.lateral_3s", evading, 5.30, 0.005, partial(_evading_lateral, 3.0), note=digits),
        Check("car.evading.lateral_6s", evading, 6.80, 0.005, partial(_evading_lateral, 6.0), note=digits),
        Check("car.evading.least_distance", evading, 6.14, 0.005, _evading_distance, note=digits),
        Check("car.banked.lateral_30m", banked, -0.48, 0.005, partial(_banked_lateral, 30.0), note=digits),
        Check("car.banked.lateral_60m", banked, -0.93, 0.005, partial(_banked_lateral, 60.0), note=digits),
        Check("car.banked.lateral_88m", banked, -1.12, 0.005, partial(_banked_lateral, 88.75), note=digits),
        Check("car.equilibrium.height", springs, 0.0503962, 5e-8, lambda: float(_rest().position[2])),
        Check("car.equilibrium.pitch", springs, -0.01383, 5e-6, lambda: float(_rest().directors[2][0]), note=listed),
        Check("car.braking_distance", braking, way, 0.015, _braking_distance, relative=True, note=locking),
        Check("car.yaw_gain", f"{_GILLESPIE}, v/(L + K v^2)", _steady_gain(25.0), 2e-3, _yaw_gain, relative=True),
        Check("car.parked_creep", "rest stays rest: 10 % slope, 10 degree bank, 60 s", 0.0, 1e-3, _parked_creep),
        Check("road.banked_normal", normal, -math.sin(math.radians(3.75)), 1e-9, _banked_side),
    ]
