"""Trailers: a rigid body on wheels, coupled to a car or a tractor, level and in equilibrium with it at the start.

``build`` adds ``<name>.body``, ``<name>.tyre``, ``<name>.suspension``, ``<name>.carriage`` and the joint
``<name>.coupling``. The lever rule shares the weight between wheels and coupling,

    wheels  m g c / (c + a),   coupling  m g a / (c + a)                                                     (1)

with the coupling c before and the middle of the axles a behind the centre of mass. The towing vehicle is put into
equilibrium again under the load of its coupling; the coupling point of the trailer is at the height that this gives.
Radii of gyration are those of a uniform box of the trailer's size; springs have a natural frequency of 1.6 Hz and a
damping ratio of 0.2: assumptions. Brakes follow those of the towing vehicle unless the trailer has none.

Bodies that share a joint do not touch, so ``<name>.stop`` ends a jackknife where both would meet: the side of a
semitrailer meets the corner of the cab at 123 degrees by the dimensions of both kinds, the drawbar of a trailer the
bumper at about 84; 120 and 80 are taken. The stop is stiff enough for 0.05 rad per rad/s and gives little back.
"""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.errors import Fault
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.forces.carriage import Carriage
from centrode.parts.forces.stop import Stop
from centrode.parts.joints.joint import Joint
from centrode.parts.outlines.box import OutlineBox
from centrode.parts.part import Part, quantity
from centrode.parts.suspensions.strut import SuspensionStrut
from centrode.parts.visual import Visual, VisualBox, VisualScene, VisualWheel, vector
from centrode.vehicles.car.car import Car, about
from centrode.vehicles.car.scaling import GRAVITY
from centrode.vehicles.library.class_car import report_tyre

if TYPE_CHECKING:
    from centrode.system.builder import System

FREQUENCY, DAMPING = 1.6, 0.2
STOP_GIVES = 0.05
"""How far a trailer that turns at 1 rad/s goes on after it has met the towing vehicle [rad]; an assumption."""


@dataclass(frozen=True)
class Towed(Part):
    """Base of trailers. Its kinds say how they are coupled."""

    family: ClassVar[str] = "vehicle"
    grip: ClassVar[float] = 1.0

    towed_by: str = quantity("", "car or tractor that tows it", refers_to="vehicle")
    articulation: float = quantity("rad", "turned from the towing vehicle, left positive", 0.0, usual=(-3.2, 3.2))
    mass: float = quantity("kg", "mass with its load", 1200.0, positive=True, usual=(50.0, 1e5))
    inertia: tuple[float, float, float] | None = quantity(
        "kg*m2", "roll, pitch and yaw; of a uniform box when left out", None, positive=True, usual=(1.0, 1e7)
    )
    cog_height: float = quantity("m", "centre of mass over the road", 0.7, positive=True, usual=(0.1, 5.0))
    coupling: float = quantity("m", "coupling ahead of the centre of mass", 3.3, positive=True, usual=(0.3, 20.0))
    axles: tuple[float, ...] = quantity("m", "axles behind the centre of mass", (0.2,), usual=(-15.0, 15.0))
    track: float = quantity("m", "distance of the wheels of an axle", 1.6, positive=True, usual=(0.3, 4.0))
    radius: float = quantity("m", "rolling radius of the wheels", 0.3, positive=True, usual=(0.05, 1.5))
    spin_inertia: float = quantity("kg*m2", "of one wheel about its axle", 1.0, positive=True)
    rest_length: float = quantity("m", "assembly point over the road with the spring relaxed", 0.4, positive=True)
    braked: bool = quantity("", "brakes that follow those of the towing vehicle", True)
    brake_torque: float | None = quantity("N*m", "largest, all wheels together; for 0.8 g when left out", None)
    length: float = quantity("m", "of the body, without the drawbar", 4.5, positive=True, usual=(0.3, 30.0))
    width: float = quantity("m", "outer width", 2.0, positive=True, usual=(0.3, 5.0))
    height: float = quantity("m", "over the road", 2.5, positive=True, usual=(0.2, 6.0))
    clearance: float = quantity("m", "under the body", 0.4, positive=True, usual=(0.01, 2.0))
    ahead: float = quantity("m", "middle of the body ahead of the centre of mass", 0.0)
    articulation_limit: float = quantity(
        "rad", "angle to either side at which trailer and towing vehicle meet", 1.4, positive=True, maximum=3.1
    )

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not found and (not self.axles or self.middle_axle <= -self.coupling):
            found.append(self.fault("axles", "a trailer needs an axle behind its coupling"))
        return found

    @property
    def body(self) -> str:
        """Name of the trailer as a body."""
        return f"{self.name}.body"

    @property
    def middle_axle(self) -> float:
        """Middle of the axles behind the centre of mass [m]."""
        return sum(self.axles) / len(self.axles)

    @property
    def coupling_load(self) -> float:
        """Weight on the coupling [N], (1)."""
        return self.mass * GRAVITY * self.middle_axle / (self.coupling + self.middle_axle)

    def joint(self, towing: str, hitch: tuple[float, float, float], own: tuple[float, float, float]) -> Joint:
        """The coupling between the bodies."""
        raise NotImplementedError

    def moments(self) -> tuple[float, float, float]:
        """Moments of inertia [kg m2]."""
        if self.inertia is not None:
            return self.inertia
        a, b, c = (side * side / 12.0 for side in (self.length, self.width, self.height - self.clearance))
        return self.mass * (b + c), self.mass * (a + c), self.mass * (a + b)

    def build(self, system: System) -> None:
        """Add all parts to the system."""
        car = system.parts[self.towed_by]
        if not isinstance(car, Car):
            raise self.refusal("towed_by", "this cannot tow a trailer", expected="a car or a tractor")
        road = car.road or f"{car.name}.road"
        hitch = car.hitch
        car.load_hitch(system, hitch, self.coupling_load)
        towing = system.parts[car.body]
        assert isinstance(towing, RigidBody)
        axes = car.standing(system.parts[road])[1] if car.impact_at is None else np.array(towing.orientation)
        turned = axes @ about(2, self.articulation)
        rotation = np.array(towing.orientation, dtype=float)
        place = np.array(towing.position) + rotation @ np.array(hitch)
        point = system.parts[road].point_below(*place)  # type: ignore[attr-defined]
        high = float((place - point.position) @ point.normal)
        own = (self.coupling, 0.0, high - self.cog_height)
        position = place - turned @ np.array(own)
        turning = rotation @ np.array(towing.omega)
        arms = position - np.array(towing.position)
        moving = np.array(towing.velocity) + np.cross(turning, arms)
        at, matrix, omega = vector(position), tuple(vector(row) for row in turned), vector(turned.T @ turning)
        system.add(RigidBody(self.body, self.mass, self.moments(), at, matrix, vector(moving), omega))
        self._add_wheels(system, road, car, float(moving @ turned[:, 0]))
        system.add(self.joint(car.body, hitch, own))
        self._add_stop(system, car)

    def _add_stop(self, system: System, car: Car) -> None:
        """The stop at which trailer and towing vehicle meet, in place of a contact of the two."""
        yaw = self.moments()[2] + self.mass * self.coupling**2
        low, high = (side * self.articulation_limit - self.articulation for side in (-1.0, 1.0))
        name, spring = f"{self.name}.stop", yaw / STOP_GIVES**2
        up = (0.0, 0.0, 1.0)
        system.add(Stop(name, car.body, self.body, axis_a=up, lower=low, upper=high, stiffness=spring, damping=2.0))

    def _add_wheels(self, system: System, road: str, car: Car, speed: float) -> None:
        count = 2 * len(self.axles)
        load = (self.mass * GRAVITY - self.coupling_load) / count
        stiffness = load / GRAVITY * (2.0 * math.pi * FREQUENCY) ** 2
        damping = 2.0 * DAMPING * math.sqrt(stiffness * load / GRAVITY)
        down = self.cog_height - (self.rest_length - load / stiffness)
        tyre, suspension = f"{self.name}.tyre", f"{self.name}.suspension"
        system.add(report_tyre(tyre, 4.0 * load / GRAVITY, self.grip))
        stop = 0.4 * self.rest_length
        springs = {"stiffness": stiffness, "damping": damping, "rest_length": self.rest_length}
        system.add(SuspensionStrut(suspension, stop_stiffness=5.0 * stiffness, stop_length=stop, **springs))
        places = tuple((-x, side * self.track / 2.0, -down) for x in self.axles for side in (1.0, -1.0))
        torque = 0.8 * count * load * self.radius if self.brake_torque is None else self.brake_torque
        system.add(
            Carriage(
                f"{self.name}.carriage",
                *(self.body, road, tyre, suspension, places),
                radius=self.radius,
                spin_inertia=self.spin_inertia,
                speed=speed,
                steered=(0.0,) * count,
                brake_torque=torque,
                brake_front=len([x for x in self.axles if x < self.middle_axle]) / len(self.axles),
                brake=car.commands()["brake"] if self.braked else 0.0,
                rolling_resistance=car.rolling_resistance,
                drive_torque=0.0,
            )
        )

    def road_outline(self) -> OutlineBox:
        return self.shell()

    def shell(self, crushes: bool = False) -> OutlineBox:
        """The body over its clearance; rigid."""
        half = (0.5 * self.length, 0.5 * self.width, 0.5 * (self.height - self.clearance))
        up = 0.5 * (self.height + self.clearance) - self.cog_height
        place = (self.ahead, 0.0, up)
        return OutlineBox(f"{self.name}.shell", body=self.body, half_lengths=half, centre=place, material="trailer")

    def visuals(self, scene: VisualScene) -> list[Visual]:
        """Body, drawbar and wheels."""
        tall = self.height - self.clearance
        up = 0.5 * (self.height + self.clearance) - self.cog_height
        box = VisualBox(self.body, size=(self.length, self.width, tall), position=(self.ahead, 0.0, up), colour="paint")
        front = self.ahead + 0.5 * self.length
        found: list[Visual] = [box]
        if self.coupling > front:
            bar = (self.coupling - front, 0.12, 0.12)
            found.append(
                VisualBox(self.body, size=bar, position=(front + 0.5 * bar[0], 0.0, self.clearance - self.cog_height))
            )
        for index, x in enumerate(self.axles):
            for side, hand in ((1.0, 0), (-1.0, 1)):
                names = f"{self.name}.carriage.{self._wheel_name(2 * index + hand)}.angle"
                wheel = VisualWheel(self.body, self.radius, 0.25, spin_channel=names, steer_channel="", rolls=False)
                place = (-x, side * self.track / 2.0, self.radius - self.cog_height)
                found.append(dataclasses.replace(wheel, position=place))
        return found

    def _wheel_name(self, index: int) -> str:
        names = ("left_front", "right_front", "left_rear", "right_rear")
        return names[index] if len(self.axles) == 2 else f"wheel{index}"
