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
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.math.rotation import cross
from centrode.parts.bodies.body import rotation_from
from centrode.parts.forces.drag import along_axes
from centrode.parts.forces.force import Force
from centrode.parts.kernel_types import ENERGY_SIGNATURE, FORCE_SIGNATURE, FRAME, LINK_DATA, LINK_MARKERS
from centrode.parts.part import flatten, quantity
from centrode.parts.placement import Placement, Scene, point3, world_marker
from centrode.parts.visual import Visual, VisualScene

SMALL_ANGLE = 1e-4
"""Below it the series t^2/720 of (4) is exact to 1e-19."""


@step_kernel
def to_axes(markers, m, x, y, z):
    """A world vector in the axes of marker m."""
    return (
        markers[m, FRAME] * x + markers[m, FRAME + 3] * y + markers[m, FRAME + 6] * z,
        markers[m, FRAME + 1] * x + markers[m, FRAME + 4] * y + markers[m, FRAME + 7] * z,
        markers[m, FRAME + 2] * x + markers[m, FRAME + 5] * y + markers[m, FRAME + 8] * z,
    )


@step_kernel
def to_world(markers, m, x, y, z):
    """A vector in the axes of marker m, in the world."""
    return (
        markers[m, FRAME] * x + markers[m, FRAME + 1] * y + markers[m, FRAME + 2] * z,
        markers[m, FRAME + 3] * x + markers[m, FRAME + 4] * y + markers[m, FRAME + 5] * z,
        markers[m, FRAME + 6] * x + markers[m, FRAME + 7] * y + markers[m, FRAME + 8] * z,
    )


@step_kernel
def rotation_vector(markers, a, b):
    """phi of A^T B [rad] in axes of A, through the quaternion's largest component (safe up to half a turn)."""
    r00, r10, r20 = to_axes(markers, a, markers[b, FRAME], markers[b, FRAME + 3], markers[b, FRAME + 6])
    r01, r11, r21 = to_axes(markers, a, markers[b, FRAME + 1], markers[b, FRAME + 4], markers[b, FRAME + 7])
    r02, r12, r22 = to_axes(markers, a, markers[b, FRAME + 2], markers[b, FRAME + 5], markers[b, FRAME + 8])
    trace = r00 + r11 + r22
    if trace >= max(r00, r11, r22):
        w, x, y, z = 1.0 + trace, r21 - r12, r02 - r20, r10 - r01
    elif r00 >= r11 and r00 >= r22:
        w, x, y, z = r21 - r12, 1.0 + r00 - r11 - r22, r10 + r01, r20 + r02
    elif r11 >= r22:
        w, x, y, z = r02 - r20, r10 + r01, 1.0 + r11 - r22 - r00, r21 + r12
    else:
        w, x, y, z = r10 - r01, r20 + r02, r21 + r12, 1.0 + r22 - r00 - r11
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    sine = math.sqrt(x * x + y * y + z * z)
    scale = 2.0 * math.atan2(sine, w) / sine if sine > 1e-12 * w else 2.0 / w
    return scale * x, scale * y, scale * z


@step_kernel
def second_coefficient(px, py, pz):
    """(1 - (t/2) cot(t/2)) / t^2 of (4)."""
    square = px * px + py * py + pz * pz
    if square < SMALL_ANGLE * SMALL_ANGLE:
        return 1.0 / 12.0 + square / 720.0
    half = 0.5 * math.sqrt(square)
    return (1.0 - half * math.cos(half) / math.sin(half)) / square


@step_kernel
def displacement(markers, a, b):
    """u of (1)."""
    dx, dy, dz = to_axes(
        markers,
        a,
        markers[b, 0] - markers[a, 0],
        markers[b, 1] - markers[a, 1],
        markers[b, 2] - markers[a, 2],
    )
    px, py, pz = rotation_vector(markers, a, b)
    return dx, dy, dz, px, py, pz


@step_kernel(signature=FORCE_SIGNATURE)
def bushing_wrench(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(3) to (6)."""
    for i in range(first, first + count):
        a = link[i, LINK_MARKERS]
        b = link[i, LINK_MARKERS + 1]
        u = displacement(markers, a, b)
        px, py, pz = u[3], u[4], u[5]
        rx = markers[b, 0] - markers[a, 0]
        ry = markers[b, 1] - markers[a, 1]
        rz = markers[b, 2] - markers[a, 2]
        sx, sy, sz = cross(markers[a, 6], markers[a, 7], markers[a, 8], rx, ry, rz)
        dx, dy, dz = to_axes(
            markers,
            a,
            markers[b, 3] - markers[a, 3] - sx,
            markers[b, 4] - markers[a, 4] - sy,
            markers[b, 5] - markers[a, 5] - sz,
        )
        wx, wy, wz = to_axes(
            markers,
            a,
            markers[b, 6] - markers[a, 6],
            markers[b, 7] - markers[a, 7],
            markers[b, 8] - markers[a, 8],
        )
        second = second_coefficient(px, py, pz)
        ax, ay, az = cross(px, py, pz, wx, wy, wz)
        bx, by, bz = cross(px, py, pz, ax, ay, az)
        v = (
            dx,
            dy,
            dz,
            wx - 0.5 * ax + second * bx,
            wy - 0.5 * ay + second * by,
            wz - 0.5 * az + second * bz,
        )  # (3)
        offset = link[i, LINK_DATA]
        for row in range(6):
            total = 0.0
            for k in range(6):
                total += data[offset + 6 * row + k] * u[k] + data[offset + 36 + 6 * row + k] * v[k]
            wrench[b, row] = total  # (5), kept here until it is turned into the world
        fx, fy, fz = to_world(markers, a, wrench[b, 0], wrench[b, 1], wrench[b, 2])
        mx, my, mz = wrench[b, 3], wrench[b, 4], wrench[b, 5]
        ax, ay, az = cross(px, py, pz, mx, my, mz)
        bx, by, bz = cross(px, py, pz, ax, ay, az)
        mx += 0.5 * ax + second * bx  # J^-T: hat(phi) changes sign
        my += 0.5 * ay + second * by
        mz += 0.5 * az + second * bz
        tx, ty, tz = to_world(markers, a, mx, my, mz)
        cx, cy, cz = cross(rx, ry, rz, fx, fy, fz)
        wrench[a, 0] = fx
        wrench[a, 1] = fy
        wrench[a, 2] = fz
        wrench[a, 3] = tx + cx
        wrench[a, 4] = ty + cy
        wrench[a, 5] = tz + cz
        wrench[b, 0] = -fx
        wrench[b, 1] = -fy
        wrench[b, 2] = -fz
        wrench[b, 3] = -tx
        wrench[b, 4] = -ty
        wrench[b, 5] = -tz


@step_kernel(signature=ENERGY_SIGNATURE)
def bushing_energy(time, first, count, par, link, data, inputs, memory, markers, states, energy):
    """(2)."""
    for i in range(first, first + count):
        u = displacement(markers, link[i, LINK_MARKERS], link[i, LINK_MARKERS + 1])
        offset = link[i, LINK_DATA]
        total = 0.0
        for row in range(6):
            for k in range(6):
                total += 0.5 * u[row] * data[offset + 6 * row + k] * u[k]
        energy[i] = total


@dataclass(frozen=True)
class Bushing(Force):
    """Six-component spring-damper between two frames that coincide at rest."""

    kind: ClassVar[str] = "bushing"
    force_kernel: ClassVar[Any] = bushing_wrench
    energy_kernel: ClassVar[Any] = bushing_energy

    a: Any = quantity("", "first body, or point on it; carries the bushing's axes", refers_to="body")
    b: Any = quantity("", "second body, or point on it", refers_to="body")
    stiffness: Any = quantity("N/m", "stiffness along the axes: one number or three", 0.0, minimum=0.0)
    rotational_stiffness: Any = quantity("N*m/rad", "stiffness about the axes: one or three", 0.0, minimum=0.0)
    damping: Any = quantity("N*s/m", "damping along the axes: one number or three", 0.0, minimum=0.0)
    rotational_damping: Any = quantity("N*m*s/rad", "damping about the axes: one or three", 0.0, minimum=0.0)
    stiffness_matrix: Any = quantity(
        "1", "6 x 6 instead: displacement and rotation vector to force [N] and torque [N m], axes of a", None
    )
    damping_matrix: Any = quantity("1", "6 x 6 instead: their rates to force and torque", None)
    at: tuple[float, ...] | None = quantity("m", "place in the world at the start; that of b when left out", None)
    point_a: tuple[float, ...] | None = quantity("m", "place on body a, in its frame, instead", None)
    point_b: tuple[float, ...] | None = quantity("m", "place on body b, in its frame, instead", None)
    orientation: Any = quantity(
        "1", "bushing axes in the world at the start: quaternion (w, x, y, z) or 3 x 3", (1.0, 0.0, 0.0, 0.0)
    )

    def faults(self) -> list[Fault]:
        found = super().faults()
        for field in ("stiffness", "rotational_stiffness", "damping", "rotational_damping"):
            if len(flatten(getattr(self, field))) not in (1, 3):
                found.append(
                    Fault("one number, or three along the axes", f"{self.name}.{field}", got=getattr(self, field))
                )
        for field in ("stiffness_matrix", "damping_matrix"):
            value = getattr(self, field)
            if value is None or found:
                continue
            matrix = np.asarray(value, dtype=float)
            if matrix.shape != (6, 6):
                found.append(Fault("a 6 x 6 matrix", f"{self.name}.{field}", got=f"shape {matrix.shape}"))
                continue
            if field == "stiffness_matrix" and np.abs(matrix - matrix.T).max() > 1e-9 * max(1.0, np.abs(matrix).max()):
                found.append(Fault("a stiffness that stores energy is symmetric", f"{self.name}.{field}", got=value))
            lowest = float(np.linalg.eigvalsh(0.5 * (matrix + matrix.T))[0])
            if lowest < -1e-9 * max(1.0, float(np.abs(matrix).max())):
                found.append(
                    Fault(
                        "the matrix would bring energy in",
                        f"{self.name}.{field}",
                        got=f"lowest eigenvalue {lowest:g}",
                        expected="no negative eigenvalue",
                    )
                )
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
