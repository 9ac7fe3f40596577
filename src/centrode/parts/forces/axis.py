"""Turning about, and sliding along, an axis between two bodies: the coordinate that drives, springs, stops see.

Each body carries a marker whose z axis is the axis. R = A^T B is the relative rotation of the marker frames, d the
vector from p_a to p_b.

About the axis (the twist of the relative rotation; with its quaternion (w, x, y, z) it is 2 atan2(z, w)):

    theta  = atan2(R10 - R01, R00 + R11), unwrapped                                (1)
    theta' = n . (w_b - w_a),    n = (z_a + z_b) / (1 + z_a . z_b)                 (2)
    torque T:  +T n on b, -T n on a, so that the power is T theta'                 (3)

(2) follows from q' = q w / 2: the part of w along n is all that changes the twist. On a hinge z_a = z_b = n. The
direction has no meaning when the axes are opposed; the torque is zero there.

Along the axis of a:

    s  = z_a . d                                                                   (4)
    s' = z_a . (v_b - v_a) + w_a . (z_a x d)                                       (5)
    force F:  +F z_a on b;  -F z_a and the torque F z_a x d on a; power F s'       (6)

In (3) and (6) forces and moments of both bodies add up to nothing, hinge or no hinge.
"""

from __future__ import annotations

import math
from dataclasses import KW_ONLY
from typing import Any, ClassVar

from centrode.classes import dataclass
from centrode.errors import Fault
from centrode.jit import step_kernel, types
from centrode.math.rotation import frame_from_axis
from centrode.math.vector import cross, dot, minus, plus, times
from centrode.parts.forces.force import Force
from centrode.parts.markers import X, Y, Z, axis, between, omega, position, push_apart, twist, twist_apart
from centrode.parts.part import quantity
from centrode.parts.placement import MarkerPlace, Scene, direction_field, point3, unit_vector, world_marker

ABOUT, ALONG = 0.0, 1.0
AXIS_MODE, ANGLE = 0, 0
"""Parameter column of ABOUT or ALONG, and memory column of the unwrapped angle."""
ACTS = ("about-axis", "along-axis")
OPPOSED = 1e-9
"""1 + z_a . z_b below which the axes count as opposed (4.5e-5 rad from it)."""


@step_kernel
def twist_axis(markers, a, b):
    """n of (2); nothing where the axes are opposed."""
    za, zb = axis(markers, a, Z), axis(markers, b, Z)
    both = 1.0 + dot(za, zb)
    return times(0.0 if both <= OPPOSED else 1.0 / both, plus(za, zb))


@step_kernel(signature=types.float64(types.floats2, types.int64, types.int64))
def twist_rate(markers, a, b):
    """Rate (2) of the angle [rad/s]; zero where the axes are opposed."""
    return dot(twist_axis(markers, a, b), minus(omega(markers, b), omega(markers, a)))


@step_kernel
def twist_angle(markers, a, b, near):
    """Angle (1) [rad] in the turn nearest to ``near``."""
    xa, ya = axis(markers, a, X), axis(markers, a, Y)
    xb, yb = axis(markers, b, X), axis(markers, b, Y)
    angle = math.atan2(dot(ya, xb) - dot(xa, yb), dot(xa, xb) + dot(ya, yb))
    return angle + 2.0 * math.pi * math.floor((near - angle) / (2.0 * math.pi) + 0.5)


@step_kernel
def drive_about(markers, wrench, a, b, torque):
    """Assign (3): positive torque turns b against a with growing angle."""
    twist_apart(wrench, a, b, times(torque, twist_axis(markers, a, b)))


@step_kernel(signature=types.UniTuple(types.float64, 2)(types.floats2, types.int64, types.int64))
def slide(markers, a, b):
    """Displacement (4) [m] and its rate (5) [m/s]."""
    z = axis(markers, a, Z)
    d, u = between(markers, a, b)
    return dot(z, d), dot(z, u) + dot(omega(markers, a), cross(z, d))


@step_kernel
def drive_along(markers, wrench, a, b, force):
    """Assign (6): positive force drives b away from a along a's axis."""
    f = times(force, axis(markers, a, Z))
    push_apart(wrench, a, b, f)
    twist(wrench, a, cross(f, minus(position(markers, b), position(markers, a))))


@step_kernel
def motion(acts, near, markers, a, b):
    """Coordinate and rate about (in the turn nearest to ``near``) or along the axis."""
    if acts == ABOUT:
        return twist_angle(markers, a, b, near), twist_rate(markers, a, b)
    return slide(markers, a, b)


@step_kernel
def drive(acts, markers, wrench, a, b, effort):
    """Assign an effort that drives the coordinate of :func:`motion` upwards."""
    if acts == ABOUT:
        drive_about(markers, wrench, a, b, effort)
    else:
        drive_along(markers, wrench, a, b, effort)


@dataclass(frozen=True)
class AxisForce(Force):
    """Base of forces about or along an axis: two bodies and an axis, or a joint whose axis is taken.

    Class attributes of a kind:
        keeps_angle: its kernel keeps the unwrapped angle in the memory.
    """

    keeps_angle: ClassVar[bool] = False

    a: Any = quantity("", "first body, or point on it", None, refers_to="body")
    b: Any = quantity("", "second body, or point on it", None, refers_to="body")
    joint: Any = quantity("", "joint whose bodies and axis are taken, instead of a and b", None, refers_to="joint")
    _: KW_ONLY
    axis: tuple[float, ...] | None = direction_field(
        "axis in the world at the start; z, or x for sliding in a plane system, when left out", None
    )
    axis_a: tuple[float, ...] | None = direction_field("axis in the frame of body a instead", None)
    at: tuple[float, ...] | None = quantity("m", "place in the world at the start, for both bodies", None)
    point_a: tuple[float, ...] | None = quantity("m", "place on body a, in its frame", None)
    point_b: tuple[float, ...] | None = quantity("m", "place on body b, in its frame", None)

    def faults(self) -> list[Fault]:
        found = super().faults()
        own = ("a", "b") if self.joint is None else ("a", "b", "axis", "axis_a", "at", "point_a", "point_b")
        for field in own:
            given = getattr(self, field) is not None
            if given and self.joint is not None:
                found.append(self.fault(field, "a joint brings its own bodies and axis", hint="leave it out"))
            elif not given and self.joint is None:
                found.append(self.fault(field, "a body is missing", hint="give a and b, or joint"))
        return found

    def acts_along(self) -> bool:
        """True when the effort is a force along the axis; a kind with a choice overrides it through ``acts``."""
        return getattr(self, "acts", ACTS[0]) == ACTS[1]

    def counted_angles(self) -> list[tuple[int, str]]:
        return [(ANGLE, self.joint)] if self.keeps_angle and self.joint is not None and not self.acts_along() else []

    def axis_mode(self) -> float:
        """What the kernel finds in AXIS_MODE."""
        return ALONG if self.acts_along() else ABOUT

    def axis_markers(self, scene: Scene) -> list[MarkerPlace]:
        """Markers of both bodies, z along the axis; their frames line up at the start unless a joint says otherwise."""
        if self.joint is not None:
            return list(scene.find(self.joint).markers(scene))
        (place_a, end_a), (place_b, end_b) = self.end(scene, "a"), self.end(scene, "b")
        if self.at is not None:
            end_a = end_b = point3(self.at, f"{self.name}.at")
        if self.axis_a is not None:
            _, rotation = scene.pose(place_a.body)
            axis = rotation @ unit_vector(self.axis_a, f"{self.name}.axis_a")
        else:
            default = (1.0, 0.0, 0.0) if scene.plane and self.acts_along() else (0.0, 0.0, 1.0)
            axis = unit_vector(self.axis if self.axis is not None else default, f"{self.name}.axis")
        frame = frame_from_axis(axis)
        return [world_marker(scene, place_a.body, end_a, frame), world_marker(scene, place_b.body, end_b, frame)]
