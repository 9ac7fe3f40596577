"""Car of the MEDUSA report (1999): pseudo-rigid chassis and the carriage that its program has, from its own data.

``build`` adds ``<name>.body``, ``<name>.tyre``, ``<name>.carriage``. The start is the equilibrium that model.dat lists
(``equilibrium: listed``), which for model 1 is none and begins with a transient, or the one that the springs give
(``true``, the default). Data: model 1 of appendix C.

The report's tyre is fitted to wheels that roll ahead and carry less than A_2. ``tyre_range: program`` takes its
equations beyond that as they stand, as the program did, and such a start is told; ``bounded`` mirrors them for wheels
that roll back and holds the stiffness above A_2 (:mod:`centrode.parts.tyres.calspan`). Both are the same elsewhere.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.errors import InputError
from centrode.parts.bodies.pseudo_rigid import PseudoRigidBody
from centrode.parts.forces.carriage_medusa import CarriageMedusa
from centrode.parts.outlines.superellipsoid import OutlineSuperellipsoid
from centrode.parts.part import quantity
from centrode.parts.roads.plane import RoadPlane
from centrode.parts.tyres.calspan import TyreCalspan
from centrode.vehicles.car.car import CarBase
from centrode.vehicles.car.medusa_words import start_words

SAME_PLACE = 1e-9
"""Distance [m] within which a car starts at its X and Y."""
LISTED = ((0.9972, 0.0, 0.0749), (0.0, 1.0, 0.0), (-0.0748, 0.0, 0.9972))


@dataclass(frozen=True)
class CarMedusa(CarBase):
    """Car as the report of 1999 has it."""

    kind: ClassVar[str] = "car-medusa"
    chassis: ClassVar[str] = "pseudo-rigid"  # type: ignore[misc]
    damping: ClassVar[float] = 0.0  # type: ignore[misc]
    station: ClassVar[None] = None  # type: ignore[misc]
    offset: ClassVar[float] = 0.0  # type: ignore[misc]

    road: Any = quantity("", "road; a level plane when left out", None, refers_to="road")
    position: tuple[float, float] = quantity("m", "X and Y of the centre of mass, world frame", (0.0, 0.0))
    heading: float = quantity("rad", "ORIENTATION about z, left positive", 0.0)
    speed: float = quantity("m/s", "SPEED ahead at the start", 0.0)
    rim_speed: Any = quantity("m/s", "TIRE_SPEED of the driven front wheels, number or signal; 0 rolls freely", 0.0)
    steer: Any = quantity("rad", "STEERING angle, left positive: number or signal", 0.0)
    parked: bool = quantity("", "all wheels are locked, which 1999 did not have", False)
    equilibrium: str = quantity("", "start of the springs", "true", choices=("true", "listed"))
    mass: float = quantity("kg", "MASS", 1573.0, positive=True)
    inertia: tuple[float, float, float] = quantity("kg*m2", "IX, IY, IZ", (479.6, 2594.6, 2782.0), positive=True)
    young: float = quantity("Pa", "E", 600e6, positive=True)
    poisson: float = quantity("1", "NU, above -1 and below 0.5", 0.3)
    volume: float = quantity("m3", "VOLUME", 0.42, positive=True)
    front: float = quantity("m", "L1, centre of mass to front axle", 1.034)
    rear: float = quantity("m", "L2, centre of mass to rear axle", 1.491)
    track: float = quantity("m", "B", 1.2, positive=True)
    drop: tuple[float, float] = quantity("m", "H1, H2, centre of mass down to the assembly points", (0.0, 0.0))
    rest_length: float = quantity("m", "SPRING_REF", 0.15)
    stiffness: tuple[float, float] = quantity("N/m", "C1, C2", (40000.0, 40000.0), positive=True)
    damper: tuple[float, float] = quantity("N*s/m", "D1, D2", (1500.0, 1200.0), minimum=0.0)
    lag: float = quantity("s", "TIRE, lag of the slip angle", 0.0016, positive=True)
    lag_turn: str = quantity("", "lag the short way round, or as the program", "short", choices=("short", "program"))
    tyre: Any = quantity("", "tyre of all wheels; that of the report when left out", None, refers_to="tyre")
    tyre_range: str = quantity(
        "",
        "the report's tyre in reverse, spinning and overloaded: as the program, or mirrored and bounded",
        "program",
        choices=("program", "bounded"),
    )
    size: tuple[float, float, float] = quantity(
        "m", "A1, A2, A3: length, width, height", (4.0, 1.6, 1.3), positive=True
    )
    listed_height: float = quantity("m", "R3 of the listed equilibrium, above the line of the road", 0.05039617)
    listed_directors: Any = quantity("1", "directors of the listed equilibrium, as columns", LISTED)

    length = property(lambda self: self.size[0], doc="A1 [m]")
    width = property(lambda self: self.size[1], doc="A2 [m]")
    height = property(lambda self: self.size[2], doc="A3 [m]")
    radius = property(lambda self: 0.3, doc="Radius of the drawn wheels [m]; the report has none.")
    ride_height = property(lambda self: 0.5 * self.size[2], doc="For the drawing: the body of the report is centred.")
    wheels = property(lambda self: "rolling", doc="For the drawing: its wheels have no spin.")

    def shell(self, crushes: bool = False) -> OutlineSuperellipsoid:
        """Centred, as all of the report's body is."""
        return self.report_shell(self.size, 0.0)

    drawn_height = property(lambda self: self.listed_height, doc="For the drawing: its wheels stand on the road [m].")

    def build(self, system: Any) -> None:
        """Add chassis, tyre and carriage to the system."""
        road = self.road
        if road is None:
            road = f"{self.name}.road"
            system.add(RoadPlane(road))
        tyre = self.tyre
        if tyre is None:
            tyre = f"{self.name}.tyre"
            system.add(TyreCalspan(tyre, original=self.tyre_range == "program"))
        springs = self.values_of("stiffness", "lag", "lag_turn", "steer", "rim_speed", "parked")
        springs |= {"corners": self.places, "damping": self.damper, "rest": self.rest_length}
        carriage = CarriageMedusa(self.carriage, self.body, road, tyre, **springs)
        if self.equilibrium == "listed":
            c, s = math.cos(self.heading), math.sin(self.heading)
            turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
            gradient = turn @ np.asarray(self.listed_directors, dtype=float).reshape(3, 3)
            under = system.parts[road].point_below(*self.position)
            ground = float((under.position - under.lateral * under.left)[2])  # of the line: 0 in all runs of the report
            place = np.array([*self.position, ground + self.listed_height])
            body = self.chassis_at(place, gradient, self.speed * turn[:, 0])
        else:
            body, carriage = self._at_rest(system, system.parts[road], carriage)
        system.add(body)
        system.add(carriage)
        system.notes += start_words(self, system)

    def _at_rest(self, system: Any, road: Any, carriage: CarriageMedusa) -> tuple[PseudoRigidBody, CarriageMedusa]:
        """The chassis on its springs, at speed; driven wheels roll freely in it, for thrust is no part of a balance.

        The wheels of a car that stands have the slip angles that hold it across the road.
        """
        from centrode.vehicles.car.equilibrium import solve_rest

        holds, foot, aim = True, self.position, np.array(self.position[:2], dtype=float)
        for _ in range(20):
            under, axes = replace(self, position=foot).standing(road)
            ahead, normal = axes[:, 0], axes[:, 2]
            height, pitch = self.rigid_rest(self.mass * -float(np.dot(system.gravity, normal)))
            c, s = math.cos(pitch), math.sin(pitch)
            turned = axes @ np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]])
            body = self.chassis_at(under + height * normal, turned, np.zeros(3))
            rolling = replace(carriage, rim_speed=0.0)
            hint = "axles before and behind the centre of mass, or equilibrium: listed (centrode medusa --listed)"
            held = self.speed == 0.0 and (self.parked or self.lag_turn == "short") and holds
            try:
                found = solve_rest(system, body, rolling, axes, held=held, braked=self.parked and held, hint=hint)
            except InputError:
                if not held:
                    raise
                holds = False  # it slides
                continue
            # X and Y are those of the centre of mass, which on a slope or bank is not above the place it stands on.
            off = aim - found.position[:2]
            if np.abs(off).max() < SAME_PLACE:
                break
            foot = (float(foot[0] + off[0]), float(foot[1] + off[1]))
        body = self.chassis_at(found.position, found.gradient, self.speed * ahead)
        if not held:
            return body, carriage
        states = (*found.states.tolist(), *carriage.slips)
        return body, replace(carriage, angles=states[:4], slips=states[4:8])

    def rigid_rest(self, weight: float) -> tuple[float, float]:
        """Height above the road [m] and pitch [rad], nose up, at which the springs carry a rigid body of a weight [N].

        The lever rule gives the axle loads, the springs the heights of the axles, these the pitch,

            h_f - h_r = (L1 + L2) sin p - (H1 - H2) cos p,

        which changes the levers L1 cos p + H1 sin p and L2 cos p - H2 sin p a little: repeated until it stays. The
        search for the deformed body starts here: a stiff body turned by its directors alone would be strained hugely.
        """
        (h1, h2), (c1, c2), pitch = self.drop, self.stiffness, 0.0
        base = max(self.front + self.rear, 1e-9)
        for _ in range(30):
            c, s = math.cos(pitch), math.sin(pitch)
            levers = self.front * c + h1 * s, self.rear * c - h2 * s
            share = min(max(levers[1] / max(sum(levers), 1e-9), 0.0), 1.0)
            front = self.rest_length - 0.5 * weight * share / c1
            rear = self.rest_length - 0.5 * weight * (1.0 - share) / c2
            pitch = math.asin(min(max((front - rear + (h1 - h2) * c) / base, -0.7), 0.7))
        return front - self.front * math.sin(pitch) + h1 * math.cos(pitch), pitch
