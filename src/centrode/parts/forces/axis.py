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
from dataclasses import dataclass
from typing import Any

import numpy as np

from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.math.rotation import frame_from_axis
from centrode.parts.forces.force import Force
from centrode.parts.kernel_types import FRAME
from centrode.parts.part import quantity
from centrode.parts.placement import MarkerPlace, Scene, point3, unit_vector, world_marker

ABOUT, ALONG = 0.0, 1.0
ACTS = ("about-axis", "along-axis")
OPPOSED = 1e-9
"""1 + z_a . z_b below which the axes count as opposed (4.5e-5 rad from it)."""


@step_kernel
def twist_rate(markers, a, b):
    """Rate (2) of the angle [rad/s]; zero where the axes are opposed."""
    dot = 0.0
    rate = 0.0
    for k in range(3):
        za = markers[a, FRAME + 2 + 3 * k]
        zb = markers[b, FRAME + 2 + 3 * k]
        dot += za * zb
        rate += (za + zb) * (markers[b, 6 + k] - markers[a, 6 + k])
    return 0.0 if 1.0 + dot <= OPPOSED else rate / (1.0 + dot)


@step_kernel
def twist(markers, a, b, near):
    """Angle (1) [rad] in the turn nearest to ``near``, and its rate (2) [rad/s]."""
    cosine = 0.0
    sine = 0.0
    for k in range(3):
        row = FRAME + 3 * k
        cosine += markers[a, row] * markers[b, row] + markers[a, row + 1] * markers[b, row + 1]
        sine += markers[a, row + 1] * markers[b, row] - markers[a, row] * markers[b, row + 1]
    angle = math.atan2(sine, cosine)
    angle += 2.0 * math.pi * math.floor((near - angle) / (2.0 * math.pi) + 0.5)
    return angle, twist_rate(markers, a, b)


@step_kernel
def push_about(markers, wrench, a, b, torque):
    """Assign (3): positive torque turns b against a with growing angle."""
    dot = 0.0
    for k in range(3):
        dot += markers[a, FRAME + 2 + 3 * k] * markers[b, FRAME + 2 + 3 * k]
    scale = 0.0 if 1.0 + dot <= OPPOSED else torque / (1.0 + dot)
    for k in range(3):
        part = scale * (markers[a, FRAME + 2 + 3 * k] + markers[b, FRAME + 2 + 3 * k])
        wrench[a, 3 + k] = -part
        wrench[b, 3 + k] = part


@step_kernel
def slide(markers, a, b):
    """Displacement (4) [m] and its rate (5) [m/s]."""
    zx = markers[a, FRAME + 2]
    zy = markers[a, FRAME + 5]
    zz = markers[a, FRAME + 8]
    dx = markers[b, 0] - markers[a, 0]
    dy = markers[b, 1] - markers[a, 1]
    dz = markers[b, 2] - markers[a, 2]
    rate = (
        zx * (markers[b, 3] - markers[a, 3])
        + zy * (markers[b, 4] - markers[a, 4])
        + zz * (markers[b, 5] - markers[a, 5])
        + markers[a, 6] * (zy * dz - zz * dy)
        + markers[a, 7] * (zz * dx - zx * dz)
        + markers[a, 8] * (zx * dy - zy * dx)
    )
    return zx * dx + zy * dy + zz * dz, rate


@step_kernel
def push_along(markers, wrench, a, b, force):
    """Assign (6): positive force drives b away from a along a's axis."""
    fx = force * markers[a, FRAME + 2]
    fy = force * markers[a, FRAME + 5]
    fz = force * markers[a, FRAME + 8]
    dx = markers[b, 0] - markers[a, 0]
    dy = markers[b, 1] - markers[a, 1]
    dz = markers[b, 2] - markers[a, 2]
    wrench[b, 0] = fx
    wrench[b, 1] = fy
    wrench[b, 2] = fz
    wrench[a, 0] = -fx
    wrench[a, 1] = -fy
    wrench[a, 2] = -fz
    wrench[a, 3] = fy * dz - fz * dy
    wrench[a, 4] = fz * dx - fx * dz
    wrench[a, 5] = fx * dy - fy * dx


@step_kernel
def motion(acts, memory, i, markers, a, b):
    """Coordinate and rate about (unwrapped through memory[i, 0]) or along the axis."""
    if acts == ABOUT:
        angle, rate = twist(markers, a, b, memory[i, 0])
        memory[i, 0] = angle
        return angle, rate
    return slide(markers, a, b)


@step_kernel
def push(acts, markers, wrench, a, b, effort):
    """Assign an effort that drives the coordinate of :func:`motion` upwards."""
    if acts == ABOUT:
        push_about(markers, wrench, a, b, effort)
    else:
        push_along(markers, wrench, a, b, effort)


@dataclass(frozen=True)
class AxisForce(Force):
    """Base of forces about or along an axis: two bodies and an axis, or a joint whose axis is taken."""

    a: Any = quantity("", "first body, or point on it", None, refers_to="body")
    b: Any = quantity("", "second body, or point on it", None, refers_to="body")
    joint: Any = quantity("", "joint whose bodies and axis are taken, instead of a and b", None, refers_to="joint")
    axis: tuple[float, ...] | None = quantity(
        "1", "axis in the world at the start; z, or x for sliding in a plane system, when left out", None, kw_only=True
    )
    axis_a: tuple[float, ...] | None = quantity("1", "axis in the frame of body a instead", None, kw_only=True)
    at: tuple[float, ...] | None = quantity("m", "place in the world at the start, for both bodies", None, kw_only=True)
    point_a: tuple[float, ...] | None = quantity("m", "place on body a, in its frame", None, kw_only=True)
    point_b: tuple[float, ...] | None = quantity("m", "place on body b, in its frame", None, kw_only=True)

    def faults(self) -> list[Fault]:
        found = super().faults()
        if self.joint is None:
            for side in ("a", "b"):
                if getattr(self, side) is None:
                    found.append(Fault("a body is missing", f"{self.name}.{side}", hint="give a and b, or joint"))
        else:
            for field in ("a", "b", "axis", "axis_a", "at", "point_a", "point_b"):
                if getattr(self, field) is not None:
                    found.append(
                        Fault("a joint brings its own bodies and axis", f"{self.name}.{field}", hint="leave it out")
                    )
        for field in ("axis", "axis_a"):
            value = getattr(self, field)
            if value is not None and not found and not np.any(np.asarray(value, dtype=float)):
                found.append(
                    Fault("a direction needs three numbers that are not all zero", f"{self.name}.{field}", got=value)
                )
        return found

    def acts_along(self) -> bool:
        """True when the effort is a force along the axis; a kind with a choice overrides it through ``acts``."""
        return getattr(self, "acts", ACTS[0]) == ACTS[1]

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
