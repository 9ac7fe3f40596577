"""Rolling disc: a wheel b rolls without slip on a plane of a; one holonomic and two nonholonomic rows.

The wheel is a disc of radius r about its axle, with a round tyre of section radius q when wanted (a torus; q = 0 is a
sharp rim, q = r a ball). Its centre circle has radius R = r - q. The plane may slope, and may belong to a moving body.

| symbol | meaning |
|---|---|
| n | normal of the plane, z axis of the marker on a; p_a lies in the plane |
| e | axle, z axis of the marker on b; p_b is the centre; d = p_b - p_a |
| k, s | n . e, and sqrt(1 - k^2): cosine of the lean |
| m | direction in the disc away from the plane, (n - k e) / s |
| l | from the centre to the contact point, -R m - q n |
| f, g | forward e x n / s, and sideways n x f (left, for an axle to the left) |

    phi   = n . d - R s - q          distance of the disc from the plane                     (1)
    u     = v_b + w_b x l - v_a - w_a x (d + l)       velocity of the wheel over the plane at the contact   (2)
    rows    n . u = phi' = 0,    f . u = 0,    g . u = 0                                     (3)
    gamma = c' . u + c . (w_b x l') - c . (w_a x (v_b - v_a + l'))     for c = n, f, g       (4)

with the rates, from n' = w_a x n and e' = w_b x e,

    k' = n' . e + n . e',   s' = -k k' / s,   m' = (n' - k' e - k e' - s' m) / s             (5)
    l' = -R m' - q n',   f' = (e' x n + e x n' - s' f) / s,   g' = n' x f + n x f'           (6)

That n . u in (3) is the rate of (1) follows from m' . m = 0 and n' . n = 0: the contact point is the lowest of the
disc. For a fixed horizontal plane and a sharp rim (4) are the convective terms of the bicycle lecture notes, section
10.2, with the angular acceleration of the wheel as unknown, not the second derivatives of its angles as printed there.
The multipliers are minus the contact force on the wheel: along n, forward, to the left.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.math.rotation import frame_from_axis
from centrode.math.vector import cross, dot, minus, norm, opposite, plus, plus_times, times
from centrode.parts.joints.appearance import rolling_disc
from centrode.parts.joints.joint import Joint
from centrode.parts.joints.rows import FIRST, GAMMA, PHI, write_side
from centrode.parts.kernel_types import JOINT_SIGNATURE
from centrode.parts.markers import Z, axis, between, omega, position, sides
from centrode.parts.part import quantity
from centrode.parts.placement import Scene, direction_field, unit_vector
from centrode.parts.visual import Visual, VisualScene

RADIUS, TYRE = 0, 1
EXAMPLE = {"radius": 0.45, "tyre_radius": 0.1, "axis_b": (0.1, 1.0, 0.2), "point_a": (0.0, 0.0, -2.0)}
FLAT = 1e-6
"""Sine of the angle between disc and plane below which the contact point is no longer defined."""


@step_kernel
def contact_row(j, r, c, dc, arm, a, b, markers, jacobian, terms):
    """Row r along c with rate c', contact arm (l, l'): equations (3) and (4)."""
    l_, dl = arm
    wa, wb = omega(markers, a), omega(markers, b)
    d, v = between(markers, a, b)
    over = plus(d, l_)
    write_side(jacobian, j, 0, r, opposite(c), opposite(cross(over, c)))
    write_side(jacobian, j, 1, r, c, cross(l_, c))
    u = minus(plus(v, cross(wb, l_)), cross(wa, over))  # (2)
    terms[j, r, GAMMA] = dot(dc, u) + dot(c, minus(cross(wb, dl), cross(wa, plus(v, dl))))


@step_kernel
def rolling_rows(j, n, dn, f, df, arm, a, b, markers, jacobian, terms):
    """The rows (3) along the normal n, forward f and sideways g = n x f, from n, n', f, f' and the arm (l, l')."""
    contact_row(j, 0, n, dn, arm, a, b, markers, jacobian, terms)
    contact_row(j, 1, f, df, arm, a, b, markers, jacobian, terms)
    contact_row(j, 2, cross(n, f), plus(cross(dn, f), cross(n, df)), arm, a, b, markers, jacobian, terms)


@step_kernel(signature=JOINT_SIGNATURE)
def rolling_disc_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Rows (1) to (6)."""
    for j in range(first, first + count):
        a, b = sides(link, j)
        tyre = par[j, TYRE]
        circle = par[j, RADIUS] - tyre
        n, e = axis(markers, a, Z), axis(markers, b, Z)
        dn, de = cross(omega(markers, a), n), cross(omega(markers, b), e)
        # e x n has length s and loses no digits near flat, where 1 - k^2 does.
        f = cross(e, n)
        s = norm(f)
        inverse = 1.0 / max(s, FLAT)
        f = times(inverse, f)
        k = dot(n, e)
        m = times(inverse, plus_times(n, -k, e))
        dk = dot(dn, e) + dot(n, de)
        ds = -k * dk * inverse  # (5)
        dm = times(inverse, plus_times(plus_times(plus_times(dn, -dk, e), -k, de), -ds, m))
        df = times(inverse, plus_times(plus(cross(de, n), cross(e, dn)), -ds, f))
        # l and l', (6)
        arm = (plus_times(times(-circle, m), -tyre, n), plus_times(times(-circle, dm), -tyre, dn))
        rolling_rows(j, n, dn, f, df, arm, a, b, markers, jacobian, terms)
        terms[j, 0, PHI] = dot(n, minus(position(markers, b), position(markers, a))) - circle * s - tyre
        memory[j, FIRST] = math.atan2(k, s)


class RollingJoint(Joint):
    """Base of wheels b that roll on a: what is the same on a plane and on a road."""

    rows: ClassVar[int] = 3
    nonholonomic_rows: ClassVar[tuple[int, ...]] = (1, 2)
    has_axis: ClassVar[bool] = True
    takes_place: ClassVar[bool] = False
    lengths: ClassVar[tuple[str, ...]] = ("radius", "tyre_radius")

    radius: float
    tyre_radius: float

    def faults(self) -> list[Fault]:
        found = super().faults()
        if self.at is not None or self.axis_a is not None:
            field = "at" if self.at is not None else "axis_a"
            expected = "point_b and axis_b (or axis) for the wheel"
            message = f"a {self.kind.replace('-', ' ')} has no place or axis of this name"
            found.append(self.fault(field, message, expected=expected))
        for field in self.lengths:
            value = getattr(self, field)
            if (isinstance(value, bool) or not isinstance(value, int | float)) and (field, value) != ("station", None):
                found.append(self.fault(field, "not a number", got=value, expected="a number [m]"))
        if not found and self.tyre_radius > self.radius:
            expected = f"at most {self.radius:g} m"
            found.append(self.fault("tyre_radius", "a tyre is no thicker than its wheel", expected=expected))
        return found

    def axle(self, scene: Scene) -> np.ndarray:
        """World direction of the axle at the start."""
        if self.axis is not None:
            return unit_vector(self.axis, f"{self.name}.axis")
        given = self.axis_b if self.axis_b is not None else (0.0, 1.0, 0.0)
        axle: np.ndarray = scene.pose(scene.resolve(self.b)[0])[1] @ unit_vector(given, f"{self.name}.axis_b")
        return axle

    def let_go(self, memory: np.ndarray, active: np.ndarray) -> None:
        """Hold the wheel no more, for the rest of a run; ``memory``, ``active``: the joint's rows in it."""
        active[:] = 0.0

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return rolling_disc(self, scene, float(self.radius), float(self.tyre_radius))


@dataclass(frozen=True)
class RollingDisc(RollingJoint):
    """Wheel b on a plane of a. ``axis`` or ``axis_b`` is the axle; ``point_a`` a point of the plane."""

    kind: ClassVar[str] = "rolling-disc"
    coordinate_names: ClassVar[tuple[tuple[str, str], ...]] = (("lean", "rad"),)
    spatial_kernel: ClassVar[Any] = rolling_disc_rows
    example: ClassVar[dict[str, Any] | None] = EXAMPLE

    radius: float = quantity("m", "radius of the wheel, tyre included", positive=True)
    tyre_radius: float = quantity("m", "section radius of a round tyre; 0 is a sharp rim", 0.0, minimum=0.0)
    normal: tuple[float, ...] = direction_field("normal of the plane in the frame of a", (0.0, 0.0, 1.0), kw_only=True)

    def frames(self, scene: Scene) -> tuple[np.ndarray, np.ndarray]:
        normal = scene.pose(scene.resolve(self.a)[0])[1] @ unit_vector(self.normal, f"{self.name}.normal")
        return frame_from_axis(normal), frame_from_axis(self.axle(scene))

    def parameters(self, scene: Scene) -> list[float]:
        place_a, place_b = self.points(scene)
        frame_a, frame_b = self.frames(scene)
        normal, axle = frame_a[:, 2], frame_b[:, 2]
        height = float(normal @ (place_b - place_a))
        upright = float(np.linalg.norm(np.cross(axle, normal)))
        if upright < 1e-3:
            message = "the disc lies flat on the plane, where rolling has no meaning"
            raise self.refusal("axis_b", message, hint="its axle must not be normal to the plane")
        gap = height - (self.radius - self.tyre_radius) * upright - self.tyre_radius
        if gap < -0.01 * self.radius:
            expected = f"{height - gap:.6g} m for a wheel of this radius and lean"
            got = f"centre {height:.6g} m above the plane"
            raise self.refusal("point_b", "the disc is in the ground", got=got, expected=expected)
        return [float(self.radius), float(self.tyre_radius)]

    def initial_memory(self, scene: Scene) -> list[float]:
        frame_a, frame_b = self.frames(scene)
        return [math.asin(float(np.clip(frame_a[:, 2] @ frame_b[:, 2], -1.0, 1.0)))]
