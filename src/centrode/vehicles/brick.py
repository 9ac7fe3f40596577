r"""Falling brick: a box under gravity, in air that may move, above a ground on which it bounces, slides and rests.

The 6-DOF lecture's first exercise. Parts: ``<name>.body`` (rigid, inertia of a uniform box), ``<name>.air`` (drag,
linear and quadratic with the area that the flow sees), ``<name>.ground`` (contact of the eight corners).

    inertia   m/12 (b^2 + c^2), ...                                                     (1)
    linear drag f, no wind:  v = -(m g / f)(1 - exp(-f t / m)),  z by integration       (2)
    quadratic drag:          steady fall at sqrt(2 m g / (rho C_d A))                   (3)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.errors import Fault
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.forces.box_contact import BoxContact
from centrode.parts.forces.drag import Drag
from centrode.parts.part import Part, flatten, quantity
from centrode.parts.visual import Visual, VisualBox, VisualScene
from centrode.system.builder import System


@dataclass(frozen=True)
class Brick(Part):
    """Box that falls, bounces and comes to rest."""

    family: ClassVar[str] = "vehicle"
    kind: ClassVar[str] = "brick"

    size: tuple[float, float, float] = quantity("m", "edge lengths", (0.24, 0.115, 0.071), positive=True)
    mass: float = quantity("kg", "mass", 3.5, positive=True)
    position: tuple[float, float, float] = quantity("m", "centre at the start", (0.0, 0.0, 1.0))
    orientation: Any = quantity("1", "quaternion (w, x, y, z) world from body, or 3 x 3 matrix", (1.0, 0.0, 0.0, 0.0))
    velocity: tuple[float, float, float] = quantity("m/s", "at the start, world frame", (0.0, 0.0, 0.0))
    omega: tuple[float, float, float] = quantity("rad/s", "angular velocity at the start, body frame", (0.0, 0.0, 0.0))
    linear_drag: Any = quantity("N*s/m", "linear drag f: one number or three along the edges", 0.0, minimum=0.0)
    drag_coefficient: float = quantity("1", "quadratic drag on the area that the flow sees", 0.0, minimum=0.0)
    angular_drag: Any = quantity("N*m*s/rad", "linear drag of turning", 0.0, minimum=0.0)
    density: float = quantity("kg/m3", "density of the air", 1.225, positive=True)
    wind: tuple[float, float, float] = quantity("m/s", "velocity of the air, world frame", (0.0, 0.0, 0.0))
    ground: bool = quantity("", "bounce on the plane z = ground_height", True)
    ground_height: float = quantity("m", "height of the ground", 0.0)
    stiffness: float = quantity("N/m", "stiffness of a corner on the ground", 2e5, positive=True)
    restitution: float = quantity("1", "speed after over speed before a bounce", 0.4, minimum=0.0, maximum=1.0)
    friction: float = quantity("1", "coefficient of friction", 0.5, minimum=0.0)

    def faults(self) -> list[Fault]:
        found = super().faults()
        for field in ("size", "position", "velocity", "omega", "wind"):
            if len(flatten(getattr(self, field))) != 3:
                found.append(Fault("three numbers are needed", f"{self.name}.{field}", got=getattr(self, field)))
        return found

    @property
    def inertia(self) -> tuple[float, float, float]:
        """Principal moments of a uniform box [kg m2], (1)."""
        a, b, c = self.size
        return tuple(self.mass / 12.0 * square for square in (b * b + c * c, a * a + c * c, a * a + b * b))  # type: ignore[return-value]

    @property
    def body(self) -> str:
        """Name of the brick as a body."""
        return f"{self.name}.body"

    def build(self, system: System) -> None:
        """Add all parts to the system."""
        a, b, c = self.size
        start = self.values_of("position", "orientation", "velocity", "omega")
        system.add(RigidBody(self.body, self.mass, self.inertia, **start))
        drags = (*flatten(self.linear_drag), *flatten(self.angular_drag), self.drag_coefficient)
        if any(drags):
            air = {"linear": self.linear_drag, "angular": self.angular_drag, "area": (b * c, a * c, a * b)}
            air |= self.values_of("drag_coefficient", "density", "wind")
            system.add(Drag(f"{self.name}.air", self.body, **air))
        if self.ground:
            contact = self.values_of("size", "stiffness", "restitution", "friction")
            place = (0.0, 0.0, self.ground_height)
            system.add(BoxContact(f"{self.name}.ground", body=self.body, plane_point=place, **contact))

    def visuals(self, scene: VisualScene) -> list[Visual]:
        """The box."""
        a, b, c = (float(x) for x in self.size)
        return [VisualBox(self.body, size=(a, b, c), colour="#a6492f")]
