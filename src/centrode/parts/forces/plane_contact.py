"""Contact of points of a body with a plane: normal force of Hunt and Crossley, regularised Coulomb friction.

Plane with unit normal n through p_a on body a; point p of body b below it by the depth d > 0. With the velocity
u = v_b(p) - v_a(p) of the two bodies at p:

    d'  = -n . u                                                                              (1)
    N   = k d^e max(0, 1 + c d')                Hunt and Crossley (1975)                      (2)
    F_t = -mu N u_t / sqrt(u_t^2 + v_s^2)       u_t = u - (n . u) n                           (3)
    energy  k d^(e+1) / (e+1)                                                                 (4)

The force N n + F_t acts on b at p and its opposite on a at the same point. (2) begins at zero and never pulls. A
wanted restitution at a given closing speed fixes c (:mod:`centrode.parts.contact_laws.hunt_crossley`, eq. (1)); at
slower blows the restitution is higher, as for real materials. Under (3) a body on a slope alpha < atan(mu) creeps at
v_s tan(alpha) / sqrt(mu^2 - tan^2(alpha)) instead of standing still: choose v_s as small as the step allows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.math.vector import cross, dot, minus, opposite, plus, plus_times, times
from centrode.parts.contact_laws.hunt_crossley import damping_for_restitution
from centrode.parts.forces.force import Force
from centrode.parts.hooks import Moment
from centrode.parts.joints.rows import FIRST
from centrode.parts.markers import Z, add_push, axis, omega, position, velocity
from centrode.parts.part import quantity
from centrode.parts.placement import MarkerPlace, Scene, direction_field, point3, unit_vector

STIFFNESS, EXPONENT, DAMPING, FRICTION, SLIP_SPEED = 0, 1, 2, 3, 4
CONTACT_WIDTH = 5


@step_kernel
def height(markers, a, p):
    """Height of a world point above the plane of marker a [m]."""
    return dot(minus(p, position(markers, a)), axis(markers, a, Z))


@step_kernel
def contact_energy(par, i, depth):
    """(4)."""
    if depth <= 0.0:
        return 0.0
    return par[i, STIFFNESS] * depth ** (par[i, EXPONENT] + 1.0) / (par[i, EXPONENT] + 1.0)


@step_kernel
def add_contact(par, i, markers, a, b, p, depth, wrench):
    """Add the force (2), (3) at the world point p to both bodies; nothing when the depth is not positive."""
    if not depth > 0.0:
        return
    n = axis(markers, a, Z)
    arm_a, arm_b = minus(p, position(markers, a)), minus(p, position(markers, b))
    velocity_a = plus(velocity(markers, a), cross(omega(markers, a), arm_a))
    u = minus(plus(velocity(markers, b), cross(omega(markers, b), arm_b)), velocity_a)
    rising = dot(u, n)
    power = depth if par[i, EXPONENT] == 1.0 else depth ** par[i, EXPONENT]
    normal = par[i, STIFFNESS] * power * max(0.0, 1.0 - par[i, DAMPING] * rising)  # (1), (2)
    u = plus_times(u, -rising, n)
    slip = par[i, SLIP_SPEED]
    f = plus_times(times(normal, n), -par[i, FRICTION] * normal / math.sqrt(dot(u, u) + slip * slip), u)  # (3)
    add_push(wrench, b, arm_b, f)
    add_push(wrench, a, arm_a, opposite(f))


@step_kernel
def until_change(memory, i, gap):
    """Positive until a touch ends or begins [m]; memory is 1 in a touch, ``gap`` the smallest distance."""
    return -gap if memory[i, FIRST] != 0.0 else gap


@dataclass(frozen=True, kw_only=True)
class PlaneContact(Force):
    """Base of contacts with a plane: the plane, the law, friction. Force, touch and lift-off are recorded."""

    events_optional: ClassVar[bool] = True
    recorded_marker: ClassVar[int | None] = 1

    plane: Any = quantity("", "body that carries the plane", "ground", refers_to="body")
    plane_point: tuple[float, ...] = quantity("m", "a point of the plane, in its body's frame", (0.0, 0.0, 0.0))
    plane_normal: tuple[float, ...] | None = direction_field(
        "outward normal in its body's frame; z, or y in a plane system, when left out", None
    )
    stiffness: float = quantity("N/m", "stiffness (N/m^exponent)", 1e5, positive=True)
    exponent: float = quantity("1", "exponent of the depth (1 linear, 1.5 Hertz)", 1.0, minimum=1.0, maximum=4.0)
    damping: float = quantity("s/m", "damping relative to the spring force", 0.0, minimum=0.0)
    restitution: float | None = quantity(
        "1", "coefficient of restitution instead of a damping; below 0.01 as 0.01", None, minimum=0.0, maximum=1.0
    )
    restitution_speed: float = quantity("m/s", "closing speed at which the restitution holds", 1.0, positive=True)
    friction: float = quantity("1", "coefficient of friction", 0.0, minimum=0.0, usual=(0.0, 20.0))
    slip_speed: float = quantity("m/s", "speed over which friction is smoothed", 1e-3, positive=True)

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not found and self.restitution is not None and self.damping > 0.0:
            message = "damping and restitution exclude each other"
            found.append(self.fault("restitution", message, hint="give one of them"))
        return found

    def on_event(self, moment: Moment) -> tuple[str, dict[str, float]] | None:
        touching = moment.memory[FIRST] != 0.0
        moment.memory[FIRST] = 0.0 if touching else 1.0
        return "lift-off" if touching else "touch", {}

    def start_memory(self, scene: Scene, points: Sequence[np.ndarray], radius: float = 0.0) -> list[float]:
        """Whether one of the points, with a sphere about it, is in the plane at the start."""
        marker = self.plane_marker(scene)
        position, rotation = scene.pose(marker.body)
        assert marker.frame is not None  # the normal is its z axis
        place, normal = position + rotation @ marker.position, rotation @ marker.frame[:, 2]
        return [float(min(float(normal @ (p - place)) for p in points) - radius < 0.0)]

    def law(self) -> list[float]:
        """CONTACT_WIDTH parameters."""
        damping = self.damping
        if self.restitution is not None:
            damping = float(damping_for_restitution(float(self.restitution), float(self.restitution_speed)))
        return [self.stiffness, self.exponent, damping, self.friction, self.slip_speed]

    def plane_marker(self, scene: Scene) -> MarkerPlace:
        """Marker on the plane, z along its normal."""
        body, local = scene.resolve(self.plane)
        default = (0.0, 1.0, 0.0) if scene.plane else (0.0, 0.0, 1.0)
        normal = unit_vector(default if self.plane_normal is None else self.plane_normal, f"{self.name}.plane_normal")
        place = local + point3(self.plane_point, f"{self.name}.plane_point")
        return MarkerPlace(body, place).along(normal)
