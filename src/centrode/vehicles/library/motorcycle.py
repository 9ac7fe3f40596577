"""Motorcycle: a rigid body on two wheels that drives straight and upright; who rides it is a part of its own
(``rider``).

``build`` adds ``<name>.body``, ``<name>.tyre``, ``<name>.suspension``, ``<name>.carriage`` and the outline
``<name>.shell``. It does not lean and nothing balances it: on a level road it stays upright by symmetry until it is
hit, which is what a crash asks for. For leaning and steering there are the bicycles. Mass (200 kg), wheelbase (1.45
m) and radii of gyration (0.25 m in roll, 0.5 m in pitch, 0.45 m in yaw) are those of a middle-class machine:
assumptions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.forces.carriage import Carriage
from centrode.parts.outlines.polyhedron import OutlinePolyhedron
from centrode.parts.part import Part, quantity
from centrode.parts.roads.plane import RoadPlane
from centrode.parts.structures.structure import Structure
from centrode.parts.suspensions.strut import SuspensionStrut
from centrode.parts.visual import Visual, VisualBox, VisualScene, VisualWheel, vector
from centrode.vehicles.car.car import about
from centrode.vehicles.car.scaling import GRAVITY
from centrode.vehicles.library.class_car import report_tyre

if TYPE_CHECKING:
    from centrode.system.builder import System

GYRATION = (0.25, 0.5, 0.45)
FREQUENCY, DAMPING, REST = 1.8, 0.3, 0.35
TYRE, CLEARANCE = 0.12, 0.12
"""Width of the tyres; what the tyres themselves bear on the road, below the hull [m]."""


@dataclass(frozen=True)
class Motorcycle(Part):
    """Motorcycle that drives upright, 200 kg."""

    family: ClassVar[str] = "vehicle"
    kind: ClassVar[str] = "motorcycle"

    road: str | None = quantity("", "road; a level plane when left out", None, refers_to="road")
    position: tuple[float, float] = quantity("m", "place of the centre of mass over the road", (0.0, 0.0))
    heading: float = quantity("rad", "direction about z", 0.0, usual=(-6.2832, 6.2832))
    speed: float = quantity("m/s", "speed ahead at the start", 0.0, usual=(-100.0, 100.0))
    brake: float = quantity("1", "share of the brake torque", 0.0, minimum=0.0, maximum=1.0)
    mass: float = quantity("kg", "mass without the rider", 200.0, positive=True, usual=(40.0, 600.0))
    rider_mass: float = quantity("kg", "for which the springs are set", 80.0, minimum=0.0)
    cog_height: float = quantity("m", "centre of mass over the road", 0.5, positive=True, usual=(0.1, 2.0))
    front: float = quantity("m", "centre of mass to front axle", 0.73, positive=True, usual=(0.2, 2.0))
    rear: float = quantity("m", "centre of mass to rear axle", 0.72, positive=True, usual=(0.2, 2.0))
    radius: float = quantity("m", "rolling radius of the wheels", 0.31, positive=True, usual=(0.05, 1.0))
    width: float = quantity("m", "of frame and engine", 0.4, positive=True, usual=(0.05, 2.0))
    seat_height: float = quantity("m", "saddle over the road", 0.8, positive=True, usual=(0.2, 2.0))

    @property
    def body(self) -> str:
        """Name of the motorcycle as a body."""
        return f"{self.name}.body"

    @property
    def saddle(self) -> tuple[float, float, float]:
        """Middle of the saddle, body frame [m]."""
        return -0.25, 0.0, self.seat_height - self.cog_height

    def build(self, system: System) -> None:
        """Add all parts to the system."""
        road = self.road
        if road is None:
            road = f"{self.name}.road"
            system.add(RoadPlane(road))
        point = system.parts[road].point_below(*self.position, 0.0)  # type: ignore[attr-defined]
        turned = about(2, self.heading)
        ahead = turned[:, 0]
        inertia = tuple(self.mass * k * k for k in GYRATION)
        start = {
            "position": vector(point.position + self.cog_height * point.normal),
            "velocity": vector(self.speed * ahead),
        }
        matrix = tuple(vector(row) for row in turned)
        system.add(RigidBody(self.body, mass=self.mass, inertia=inertia, orientation=matrix, **start))  # type: ignore[arg-type]
        carried = self.mass + self.rider_mass
        stiffness = 0.5 * carried * (2.0 * math.pi * FREQUENCY) ** 2
        damping = 2.0 * DAMPING * math.sqrt(stiffness * 0.5 * carried)
        down = self.cog_height - (REST - 0.5 * carried * GRAVITY / stiffness)
        tyre, suspension = f"{self.name}.tyre", f"{self.name}.suspension"
        system.add(report_tyre(tyre, 2.0 * carried, 1.0))
        system.add(
            SuspensionStrut(
                suspension, stiffness=stiffness, damping=damping, rest_length=REST, stop_stiffness=2e5, stop_length=0.1
            )
        )
        places = ((self.front, 0.0, -down), (-self.rear, 0.0, -down))
        wheels = (self.body, road, tyre, suspension, places)
        system.add(
            Carriage(
                f"{self.name}.carriage",
                *wheels,
                radius=self.radius,
                speed=self.speed,
                spin_inertia=0.5,
                drive_torque=0.0,
                brake_torque=carried * GRAVITY * self.radius,
                brake=self.brake,
                rolling_resistance=0.0136,
            )
        )

    def structure_of(self, parts: Mapping[str, Part]) -> Structure:
        """Fork and wheels: over a tyre's width 10 kN at the onset and 50 kN after 0.3 m, where the engine is near.

        Motorcycles driven into cars at 13 m/s become 0.25 to 0.35 m shorter (Severy et al. 1970; Eubanks 1991; from
        memory); half of their energy is in that, half in the side of the car. Chosen so.
        """
        onset, slope = 10e3 / TYRE, 130e3 / TYRE
        ends = {"a": (onset, onset, 30e3, 30e3), "b": (slope, slope, 400e3, 400e3), "limit": (0.4, 0.4, 0.1, 0.1)}
        scaled = {"rails": 1.0, "fender": 0.0, "low": (0.0,) * 4, "high": (0.5, 0.5, 0.5, 0.0)}
        return Structure(f"{self.name}.structure", outline=f"{self.name}.shell", **ends, **scaled)  # type: ignore[arg-type]

    def road_outline(self) -> OutlinePolyhedron:
        return self.shell()

    def shell(self, crushes: bool = False) -> OutlinePolyhedron:
        """Wheels over the clearance, tank and saddle as one hull."""
        h, half = self.cog_height, 0.5 * self.width
        front, rear, r = self.front, self.rear, self.radius
        turns = np.linspace(0.0, 2.0 * math.pi, 8, endpoint=False)
        points = [
            (x + r * math.cos(a), y, max(r + r * 0.93 * math.sin(a), CLEARANCE) - h)
            for x in (front, -rear)
            for a in turns
            for y in (-0.5 * TYRE, 0.5 * TYRE)
        ]
        top = self.seat_height - h
        points += [(x, y, top) for x in (0.3, -0.6) for y in (-half, half)]
        return OutlinePolyhedron(f"{self.name}.shell", body=self.body, points=tuple(points), material="motorcycle")

    def visuals(self, scene: VisualScene) -> list[Visual]:
        """Wheels, engine, tank and saddle."""
        h = self.cog_height
        boxes: list[Visual] = [
            VisualBox(self.body, size=(0.6, self.width, 0.4), position=(0.0, 0.0, 0.45 - h), colour="#444444"),
            VisualBox(
                self.body, size=(0.9, 0.26, 0.14), position=(-0.15, 0.0, self.seat_height - 0.07 - h), colour="paint"
            ),
            VisualBox(self.body, size=(0.08, 0.7, 0.06), position=(0.4, 0.0, 1.0 - h), colour="#444444"),
            VisualBox(self.body, size=(0.1, 0.1, 0.7), position=(0.5, 0.0, 0.65 - h), colour="#444444"),
        ]
        return boxes + [
            VisualWheel(
                self.body,
                self.radius,
                0.14,
                position=(x, 0.0, self.radius - self.cog_height),
                spin_channel=f"{self.name}.carriage.wheel{index}.angle",
                steer_channel="",
                rolls=False,
            )
            for index, x in enumerate((self.front, -self.rear))
        ]
