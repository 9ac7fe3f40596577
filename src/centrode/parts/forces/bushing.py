"""Bushing: elastic connection of two frames with a 6 x 6 stiffness and damping, for large rotations too.

Marker frames A and B; R = A^T B = exp(phi), phi the rotation vector; everything in axes of A:

    u = ( A^T (p_b - p_a), phi )                                                              (1)
    energy  u . K u / 2                                                                       (2)
    u' = ( A^T (v_b - v_a - w_a x r), J^-1 A^T (w_b - w_a) ),   r = p_b - p_a                 (3)
    J^-1 = I - hat(phi)/2 + (1 - (t/2) cot(t/2)) / t^2 hat(phi)^2,   t = |phi|                (4)
    (f, m) = K u + C u'                                                                       (5)
    on b: force -A f, torque -A J^-T m                                                        (6)
    on a: force +A f, torque +A J^-T m + r x A f

J is the left Jacobian of SO(3) (Sola, Deray and Atchuthan 2018, eq. (146)). Because (6) is the transpose of (3), the
power is exactly -(f, m) . u': with C = 0 energy is kept however far the bushing is turned, which a torque -K phi
without J does not do. Moments about any point add up to nothing. The rotation vector is unique up to half a turn;
beyond it the bushing snaps to the other side.
Data: K (36 numbers, row-major), C (36).
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.math.vector import cross, dot, minus, norm, opposite, plus, plus_times, times, vector
from centrode.parts.bodies.body import rotation_from
from centrode.parts.forces.force import Force
from centrode.parts.kernel_types import ENERGY_SIGNATURE, FORCE_SIGNATURE, LINK_DATA
from centrode.parts.markers import (
    FORCE,
    TORQUE,
    between,
    ends,
    in_world,
    omega,
    position,
    push_apart,
    relative_turn,
    seen_from,
    twist,
)
from centrode.parts.part import quantity
from centrode.parts.placement import Placement, Scene, along_axes, orientation_field, per_axis, point3, world_marker
from centrode.parts.visual import Visual, VisualScene

SMALL_ANGLE = 1e-4
"""Below it the series t^2/720 of (4) is exact to 1e-19."""


@step_kernel
def rotation_vector(markers, a, b):
    """phi of A^T B [rad] in axes of A."""
    w, v = relative_turn(markers, a, b)
    sine = norm(v)
    return times(2.0 * math.atan2(sine, w) / sine if sine > 1e-12 * w else 2.0 / w, v)


@step_kernel
def second_coefficient(phi):
    """(1 - (t/2) cot(t/2)) / t^2 of (4)."""
    square = dot(phi, phi)
    if square < SMALL_ANGLE * SMALL_ANGLE:
        return 1.0 / 12.0 + square / 720.0
    half = 0.5 * math.sqrt(square)
    return (1.0 - half * math.cos(half) / math.sin(half)) / square


@step_kernel
def inverse_jacobian(phi, second, v):
    """J^-1 v of (4); J^-T v is that of -phi."""
    once = cross(phi, v)
    return plus_times(plus_times(v, -0.5, once), second, cross(phi, once))


@step_kernel
def displacement(markers, a, b):
    """u of (1), six numbers."""
    d = seen_from(markers, a, minus(position(markers, b), position(markers, a)))
    return d + rotation_vector(markers, a, b)


@step_kernel(signature=FORCE_SIGNATURE)
def bushing_wrench(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(3) to (6)."""
    for i in range(first, first + count):
        a, b = ends(link, i)
        r, dr = between(markers, a, b)
        wa, wb = omega(markers, a), omega(markers, b)
        u = displacement(markers, a, b)
        phi = u[3:6]
        second = second_coefficient(phi)
        turning = inverse_jacobian(phi, second, seen_from(markers, a, minus(wb, wa)))
        du = seen_from(markers, a, minus(dr, cross(wa, r))) + turning  # (3)
        stiffness, damping = link[i, LINK_DATA], link[i, LINK_DATA] + 36
        for row in range(6):
            total = 0.0
            for k in range(6):
                total += data[stiffness + 6 * row + k] * u[k] + data[damping + 6 * row + k] * du[k]
            wrench[b, row] = total  # (5), kept here until it is turned into the world
        f = in_world(markers, a, vector(wrench[b], FORCE))
        t = in_world(markers, a, inverse_jacobian(opposite(phi), second, vector(wrench[b], TORQUE)))
        push_apart(wrench, b, a, f)  # (6)
        twist(wrench, b, opposite(t))
        twist(wrench, a, plus(t, cross(r, f)))


@step_kernel(signature=ENERGY_SIGNATURE)
def bushing_energy(time, first, count, par, link, data, inputs, memory, markers, states, energy):
    """(2)."""
    for i in range(first, first + count):
        a, b = ends(link, i)
        u = displacement(markers, a, b)
        energy[i] = 0.0
        for row in range(6):
            for k in range(6):
                energy[i] += 0.5 * u[row] * data[link[i, LINK_DATA] + 6 * row + k] * u[k]


@dataclass(frozen=True)
class Bushing(Force):
    """Six-component spring-damper between two frames that coincide at rest."""

    kind: ClassVar[str] = "bushing"
    force_kernel: ClassVar[Any] = bushing_wrench
    energy_kernel: ClassVar[Any] = bushing_energy

    a: Any = quantity("", "first body, or point on it; carries the bushing's axes", refers_to="body")
    b: Any = quantity("", "second body, or point on it", refers_to="body")
    stiffness: Any = per_axis("N/m", "stiffness along the axes: one number or three", 0.0)
    rotational_stiffness: Any = per_axis("N*m/rad", "stiffness about the axes: one or three", 0.0)
    damping: Any = per_axis("N*s/m", "damping along the axes: one number or three", 0.0)
    rotational_damping: Any = per_axis("N*m*s/rad", "damping about the axes: one or three", 0.0)
    stiffness_matrix: Any = quantity(
        "1", "6 x 6 instead: displacement and rotation vector to force [N] and torque [N m], axes of a", None
    )
    damping_matrix: Any = quantity("1", "6 x 6 instead: their rates to force and torque", None)
    at: tuple[float, ...] | None = quantity("m", "place in the world at the start; that of b when left out", None)
    point_a: tuple[float, ...] | None = quantity("m", "place on body a, in its frame, instead", None)
    point_b: tuple[float, ...] | None = quantity("m", "place on body b, in its frame, instead", None)
    orientation: Any = orientation_field("bushing axes in the world at the start: quaternion (w, x, y, z) or 3 x 3")

    def faults(self) -> list[Fault]:
        found = super().faults()
        for field in ("stiffness_matrix", "damping_matrix"):
            value = getattr(self, field)
            if value is None or found:
                continue
            matrix = np.asarray(value, dtype=float)
            if matrix.shape != (6, 6):
                found.append(self.fault(field, "a 6 x 6 matrix", got=f"shape {matrix.shape}"))
                continue
            if field == "stiffness_matrix" and np.abs(matrix - matrix.T).max() > 1e-9 * max(1.0, np.abs(matrix).max()):
                found.append(self.fault(field, "a stiffness that stores energy is symmetric", got=value))
            lowest = float(np.linalg.eigvalsh(0.5 * (matrix + matrix.T))[0])
            if lowest < -1e-9 * max(1.0, float(np.abs(matrix).max())):
                got, expected = f"lowest eigenvalue {lowest:g}", "no negative eigenvalue"
                found.append(self.fault(field, "the matrix would bring energy in", got=got, expected=expected))
        return found

    def matrix(self, whole: Any, linear: Any, rotational: Any) -> np.ndarray:
        """The given 6 x 6, or the diagonal one, shape (6, 6)."""
        if whole is not None:
            return np.asarray(whole, dtype=float)
        return np.diag([*along_axes(linear), *along_axes(rotational)])

    def place(self, scene: Scene) -> Placement:
        (place_a, end_a), (place_b, end_b) = self.end(scene, "a"), self.end(scene, "b")
        if self.at is not None:
            end_a = end_b = point3(self.at, f"{self.name}.at")
        elif self.point_a is None and scene.resolve(self.a)[0] == self.a:
            end_a = end_b  # a body without a place: the bushing sits at b, unstretched
        frame = rotation_from(self.orientation, f"{self.name}.orientation")
        stiffness = self.matrix(self.stiffness_matrix, self.stiffness, self.rotational_stiffness)
        damping = self.matrix(self.damping_matrix, self.damping, self.rotational_damping)
        return Placement(
            [world_marker(scene, place_a.body, end_a, frame), world_marker(scene, place_b.body, end_b, frame)],
            data=[*stiffness.ravel(), *damping.ravel()],
        )

    def visuals(self, scene: VisualScene) -> list[Visual]:
        rigid = self.stiffness == 0.0
        return [] if rigid and self.damping == 0.0 else self.link_visuals(scene, "damper" if rigid else "coil", 0.09)
