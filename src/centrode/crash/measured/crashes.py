"""Measured crashes as systems: cars as free bodies that give way, without road and tyres.

Sources: vehicle crash test database of NHTSA (tests 10146, 7292); SAE 2006-01-0908 (4363, 4364: place of the impact
centre, headings and the fitted planar solution); published tables of ten small-overlap tests at 64 km/h. Mass, size and
inertia of cars are those of the tests where they are known; four are estimates by class, with the yaw inertia
3.176 m - 1754.2 kg m2 of a car of mass m. Of the Fusion the source has the centre of mass in the middle of the
wheelbase and a track wider than the car: placeholders. Its centre of mass is an estimate by class too, 0.42 of the
wheelbase behind the front axle: the mean of the front-driven sedans here that were weighed for their tests (Camry 0.44,
Taurus 0.41 and 0.40, Accord 0.43 and, in another test, 0.42).
"""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import numpy as np

from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.contact_laws.crush import Crush
from centrode.parts.outlines.box import OutlineBox
from centrode.parts.outlines.car_body import OutlineCarBody
from centrode.parts.outlines.polyhedron import OutlinePolyhedron
from centrode.parts.structures.structure import structure_of_mass
from centrode.recording.recording import Recording
from centrode.running import simulate
from centrode.system.builder import System


class MeasuredCar(NamedTuple):
    """Mass [kg], length, width, centre of mass to front end [m], yaw inertia [kg m2]."""

    mass: float
    length: float
    width: float
    nose: float
    yaw: float


CARS = {
    "Camry": MeasuredCar(1719.0, 4.896, 1.837, 2.196, 3100.0),
    "Taurus 2007": MeasuredCar(1735.0, 5.02, 1.845, 2.07, 3746.6),
    "Taurus 2006": MeasuredCar(1730.0, 5.02, 1.845, 2.06, 3746.6),
    "Accord": MeasuredCar(1565.4, 4.719, 1.781, 2.105, 2918.0),
    "Blazer": MeasuredCar(2129.8, 4.610, 1.720, 2.259, 3803.0),
    "Trailblazer": MeasuredCar(2355.3, 4.869, 1.890, 2.342, 4831.0),
    "Fusion": MeasuredCar(1621.2, 4.826, 1.829, 1.016 + 0.42 * 2.718, 3168.0),
    # estimates by class
    "328i": MeasuredCar(1700.0, 4.624, 1.811, 2.15, 3645.0),
    "Galant": MeasuredCar(1650.0, 4.84, 1.84, 2.10, 3486.2),
    "CC": MeasuredCar(1700.0, 4.80, 1.855, 2.15, 3645.0),
    "S60": MeasuredCar(1780.0, 4.63, 1.865, 2.13, 3899.1),
}

CAMRY_SPEED = 15.858
CAMRY_VELOCITY = (
    15.858,
    15.478,
    13.84,
    12.15,
    10.64,
    8.00,
    4.92,
    1.12,
    -1.52,
    -2.50,
    -2.56,
    -2.66,
    -2.68,
    -2.56,
    -2.41,
)
"""NHTSA 10146: velocity every 10 ms from touch [m/s], mean of the rear cross-member accelerometers."""


class Oblique(NamedTuple):
    """Two cars: distance and angle from centre of mass to the impact centre [m, deg], heading [deg], speed [m/s]."""

    cars: tuple[str, str]
    distance: tuple[float, float]
    angle: tuple[float, float]
    heading: tuple[float, float]
    speed: tuple[float, float]
    delta_v: tuple[float, float]  # fitted [m/s]
    yaw: tuple[float, float]  # fitted change of the yaw rate [deg/s]; signs follow from the impulse


OBLIQUE = {
    "4363": Oblique(
        ("Accord", "Blazer"), (0.792, 1.737), (23.8, 10.6), (180, 32), (15.691, 15.646), (17.658, 13.009), (-31, 182)
    ),
    "4364": Oblique(
        ("Accord", "Trailblazer"),
        (0.701, 2.164),
        (45.7, 11.2),
        (180, 30),
        (15.646, 15.602),
        (17.926, 11.891),
        (108, 148),
    ),
}


class SmallOverlap(NamedTuple):
    """Car, radius of the barrier's edge [m] (a pole: negative), overlap [1], speed, dVx, dVy [m/s], yaw [deg/s]."""

    car: str
    radius: float
    overlap: float
    speed: float
    along: float
    across: float
    yaw: float


SMALL_OVERLAP = {
    "CF10017": SmallOverlap("Fusion", 0.05, 0.25, 17.889, 16.709, 3.030, 157.23),
    "CF11016": SmallOverlap("Fusion", 0.115, 0.20, 17.861, 15.606, 3.996, 163.11),
    "CF10020": SmallOverlap("Fusion", 0.05, 0.20, 17.861, 13.890, 3.237, 192.5),
    "CF11002": SmallOverlap("Fusion", 0.15, 0.25, 17.861, 11.732, 3.258, 102.75),
    "CEN1204": SmallOverlap("328i", 0.15, 0.25, 17.861, 16.877, 3.234, 172.85),
    "CF10001": SmallOverlap("Accord", -0.127, 0.25, 17.861, 16.874, 2.859, 179.4),
    "CF10005": SmallOverlap("Galant", -0.127, 0.25, 17.834, 16.922, 4.142, 165.27),
    "CF11005": SmallOverlap("Galant", 0.15, 0.27, 17.861, 15.725, 3.801, 163.86),
    "CEN1203": SmallOverlap("CC", 0.15, 0.25, 17.861, 15.789, 3.886, 183.91),
    "CF11011": SmallOverlap("S60", 0.05, 0.20, 17.806, 16.063, 3.082, 214.0),
}


def add_car(system: System, name: str, car: MeasuredCar, place: np.ndarray, heading: float, speed: float) -> None:
    """A car as a free body, its centre of mass 0.55 m high, with the structure of its mass and width."""
    c, s = math.cos(heading), math.sin(heading)
    turned = ((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0))
    at, moving = (float(place[0]), float(place[1]), 0.55), (speed * c, speed * s, 0.0)
    inertia = (0.2 * car.yaw, 0.95 * car.yaw, car.yaw)
    system.add(RigidBody(name, car.mass, inertia, at, turned, moving))
    centre = (car.nose - 0.5 * car.length, 0.0, 0.275)
    size = {"length": car.length, "width": car.width, "height": 1.25}
    system.add(OutlineCarBody(f"{name}.shell", body=name, centre=centre, material="car", **size))
    system.add(structure_of_mass(f"{name}.structure", f"{name}.shell", car.mass, car.width))


def crash(system: System, duration: float) -> Recording:
    """Run a system with the law of crush and its usual friction."""
    system.add(Crush("law"))
    return simulate(system, duration=duration, method="rk4-projected", step=2e-4, frames=1e-3)


@functools.cache
def barrier() -> Recording:
    """NHTSA 10146: touch after 14 mm."""
    system = System(gravity=(0.0, 0.0, 0.0))
    car = CARS["Camry"]
    add_car(system, "car", car, np.array([-car.nose - 0.014, 0.0]), 0.0, CAMRY_SPEED)
    system.add(OutlineBox("wall", body="ground", centre=(1, 0, 1), half_lengths=(1, 5, 3), material="wall"))
    return crash(system, 0.2)


@functools.cache
def oblique(name: str) -> Recording:
    """NHTSA 4363 or 4364: cars on the straight ways on which their impact centres would meet 0.1 s later."""
    test = OBLIQUE[name]
    system = System(gravity=(0.0, 0.0, 0.0))
    for k, car in enumerate(test.cars):
        heading = math.radians(test.heading[k])
        to_centre = heading + math.radians(test.angle[k])
        back = 0.1 * test.speed[k] * np.array([math.cos(heading), math.sin(heading)])
        place = -test.distance[k] * np.array([math.cos(to_centre), math.sin(to_centre)]) - back
        add_car(system, f"car{k + 1}", CARS[car], place, heading, test.speed[k])
    return crash(system, 0.3)


@functools.cache
def left_on_left(overlap: float = 0.2) -> Recording:
    """NHTSA 7292: left front into left front, 7 degrees, over 150 ms; the overlap is assumed."""
    system = System(gravity=(0.0, 0.0, 0.0))
    bullet, target = CARS["Taurus 2007"], CARS["Taurus 2006"]
    add_car(system, "target", target, np.zeros(2), math.pi, 0.0)
    angle = math.radians(7.0)
    ahead, left = np.array([math.cos(angle), math.sin(angle)]), np.array([-math.sin(angle), math.cos(angle)])
    corner = np.array([-target.nose, (overlap - 0.5) * target.width])
    place = corner - bullet.nose * ahead - 0.5 * bullet.width * left - 1.0 * ahead
    add_car(system, "bullet", bullet, place, angle, 31.5)
    return crash(system, 0.18)


@functools.cache
def small_overlap(name: str) -> Recording:
    """A small-overlap test: the edge of a barrier, or a pole, before the left part of the front."""
    test = SMALL_OVERLAP[name]
    car = CARS[test.car]
    system = System(gravity=(0.0, 0.0, 0.0))
    add_car(system, "car", car, np.array([-car.nose - 0.3, 0.0]), 0.0, test.speed)
    edge, r = (0.5 - test.overlap) * car.width, abs(test.radius)
    if test.radius < 0:
        turns = np.linspace(0.0, 2.0 * math.pi, 24, endpoint=False)
        plan = [(r + r * math.cos(a), edge + r * math.sin(a)) for a in turns]
    else:
        turns = np.linspace(0.0, 0.5 * math.pi, 7)
        plan = [(r - r * math.cos(a), edge + r - r * math.sin(a)) for a in turns]
        plan += [(0.0, edge + 1.5), (1.0, edge + 1.5), (1.0, edge)]
    points = tuple((float(x), float(y), z) for x, y in plan for z in (0.0, 1.5))
    system.add(OutlinePolyhedron("barrier", body="ground", points=points, material="wall"))
    return crash(system, 0.25)


def sensed(run: Recording, name: str) -> tuple[float, float, float]:
    """Change of velocity ahead and to the left [m/s] as sensors that turn with a car add it up; of yaw rate [deg/s]."""
    q = run[f"{name}.orientation"]
    turn = np.unwrap(2.0 * np.arctan2(q[:, 3], q[:, 0]))
    middle, step = 0.5 * (turn[1:] + turn[:-1]), np.diff(run[f"{name}.velocity"], axis=0)
    c, s = np.cos(middle), np.sin(middle)
    ahead, left = (c * step[:, 0] + s * step[:, 1]).sum(), (c * step[:, 1] - s * step[:, 0]).sum()
    return float(ahead), float(left), yaw_change(run, name)


def yaw_change(run: Recording, name: str) -> float:
    """Change of the yaw rate of a car [deg/s]."""
    rate = run[f"{name}.omega"][:, 2]
    return float(np.degrees(rate[-1] - rate[0]))


def delta_v(run: Recording, name: str) -> float:
    """Size of the change of velocity of a car in the plane [m/s]."""
    velocity = run[f"{name}.velocity"]
    return float(np.hypot(*(velocity[-1] - velocity[0])[:2]))


def small_overlap_errors() -> np.ndarray:
    """Errors of dVx, dVy and yaw rate over what was measured, (tests, 3) [1]."""
    rows = []
    for name, test in SMALL_OVERLAP.items():
        found = np.abs(sensed(small_overlap(name), "car"))
        rows.append(found / (test.along, test.across, test.yaw) - 1.0)
    return np.array(rows)
