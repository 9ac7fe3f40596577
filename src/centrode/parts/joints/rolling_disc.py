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

from centrode.errors import Fault, InputError
from centrode.jit import step_kernel
from centrode.math.rotation import cross, frame_from_axis
from centrode.parts.joints.appearance import rolling_disc
from centrode.parts.joints.joint import Joint
from centrode.parts.joints.rows import axis_of, between, omega_of, write_row
from centrode.parts.kernel_types import JOINT_MARKER_A, JOINT_MARKER_B, JOINT_SIGNATURE
from centrode.parts.part import quantity
from centrode.parts.placement import Scene, unit_vector
from centrode.parts.visual import Visual, VisualScene

RADIUS, TYRE = 0, 1
FLAT = 1e-6
"""Sine of the angle between disc and plane below which the contact point is no longer defined."""


@step_kernel
def contact_row(j, r, cx, cy, cz, hx, hy, hz, lx, ly, lz, mx, my, mz, a, b, markers, jacobian, terms):
    """Row r along c with rate h = c', contact arm l with rate m = l': equations (3) and (4)."""
    dx, dy, dz, vx, vy, vz = between(markers, a, b)
    px, py, pz = omega_of(markers, a)
    qx, qy, qz = omega_of(markers, b)
    ax, ay, az = dx + lx, dy + ly, dz + lz
    tx, ty, tz = cross(lx, ly, lz, cx, cy, cz)
    sx, sy, sz = cross(ax, ay, az, cx, cy, cz)
    write_row(j, 0, r, -cx, -cy, -cz, -sx, -sy, -sz, jacobian)
    write_row(j, 1, r, cx, cy, cz, tx, ty, tz, jacobian)
    ex, ey, ez = cross(qx, qy, qz, lx, ly, lz)
    fx, fy, fz = cross(px, py, pz, ax, ay, az)
    gx, gy, gz = cross(qx, qy, qz, mx, my, mz)
    ix, iy, iz = cross(px, py, pz, vx + mx, vy + my, vz + mz)
    terms[j, r, 2] = (
        hx * (vx + ex - fx)
        + hy * (vy + ey - fy)
        + hz * (vz + ez - fz)
        + cx * (gx - ix)
        + cy * (gy - iy)
        + cz * (gz - iz)
    )


@step_kernel(signature=JOINT_SIGNATURE)
def rolling_disc_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Rows (1) to (6)."""
    for j in range(first, first + count):
        a = link[j, JOINT_MARKER_A]
        b = link[j, JOINT_MARKER_B]
        tyre = par[j, TYRE]
        circle = par[j, RADIUS] - tyre
        nx, ny, nz = axis_of(markers, a, 2)
        ex, ey, ez = axis_of(markers, b, 2)
        px, py, pz = omega_of(markers, a)
        qx, qy, qz = omega_of(markers, b)
        dnx, dny, dnz = cross(px, py, pz, nx, ny, nz)
        dex, dey, dez = cross(qx, qy, qz, ex, ey, ez)
        # e x n has length s and loses no digits near flat, where 1 - k^2 does.
        fx, fy, fz = cross(ex, ey, ez, nx, ny, nz)
        s = math.sqrt(fx * fx + fy * fy + fz * fz)
        inverse = 1.0 / max(s, FLAT)
        fx *= inverse
        fy *= inverse
        fz *= inverse
        k = nx * ex + ny * ey + nz * ez
        mx = (nx - k * ex) * inverse
        my = (ny - k * ey) * inverse
        mz = (nz - k * ez) * inverse
        dk = dnx * ex + dny * ey + dnz * ez + nx * dex + ny * dey + nz * dez
        ds = -k * dk * inverse  # (5)
        dmx = (dnx - dk * ex - k * dex - ds * mx) * inverse
        dmy = (dny - dk * ey - k * dey - ds * my) * inverse
        dmz = (dnz - dk * ez - k * dez - ds * mz) * inverse
        lx = -circle * mx - tyre * nx
        ly = -circle * my - tyre * ny
        lz = -circle * mz - tyre * nz
        dlx = -circle * dmx - tyre * dnx  # (6)
        dly = -circle * dmy - tyre * dny
        dlz = -circle * dmz - tyre * dnz
        ux, uy, uz = cross(dex, dey, dez, nx, ny, nz)
        wx, wy, wz = cross(ex, ey, ez, dnx, dny, dnz)
        dfx = (ux + wx - ds * fx) * inverse
        dfy = (uy + wy - ds * fy) * inverse
        dfz = (uz + wz - ds * fz) * inverse
        gx, gy, gz = cross(nx, ny, nz, fx, fy, fz)
        ux, uy, uz = cross(dnx, dny, dnz, fx, fy, fz)
        wx, wy, wz = cross(nx, ny, nz, dfx, dfy, dfz)
        contact_row(j, 0, nx, ny, nz, dnx, dny, dnz, lx, ly, lz, dlx, dly, dlz, a, b, markers, jacobian, terms)
        contact_row(j, 1, fx, fy, fz, dfx, dfy, dfz, lx, ly, lz, dlx, dly, dlz, a, b, markers, jacobian, terms)
        contact_row(
            j, 2, gx, gy, gz, ux + wx, uy + wy, uz + wz, lx, ly, lz, dlx, dly, dlz, a, b, markers, jacobian, terms
        )
        terms[j, 0, 0] = (
            nx * (markers[b, 0] - markers[a, 0])
            + ny * (markers[b, 1] - markers[a, 1])
            + nz * (markers[b, 2] - markers[a, 2])
            - circle * s
            - tyre
        )
        memory[j, 0] = math.atan2(k, s)


@dataclass(frozen=True)
class RollingDisc(Joint):
    """Wheel b on a plane of a. ``axis`` or ``axis_b`` is the axle; ``point_a`` a point of the plane."""

    kind: ClassVar[str] = "rolling-disc"
    rows: ClassVar[int] = 3
    nonholonomic_rows: ClassVar[tuple[int, ...]] = (1, 2)
    has_axis: ClassVar[bool] = True
    coordinate_names: ClassVar[tuple[tuple[str, str], ...]] = (("lean", "rad"),)
    spatial_kernel: ClassVar[Any] = rolling_disc_rows

    radius: float = quantity("m", "radius of the wheel, tyre included", positive=True)
    tyre_radius: float = quantity("m", "section radius of a round tyre; 0 is a sharp rim", 0.0, minimum=0.0)
    normal: tuple[float, ...] = quantity("1", "normal of the plane in the frame of a", (0.0, 0.0, 1.0), kw_only=True)

    def faults(self) -> list[Fault]:
        found = super().faults()
        if self.at is not None or self.axis_a is not None:
            found.append(
                Fault(
                    "a rolling disc has no place or axis of this name",
                    f"{self.name}.{'at' if self.at is not None else 'axis_a'}",
                    expected="point_a and normal for the plane, point_b and axis_b (or axis) for the wheel",
                )
            )
        if not found and self.tyre_radius > self.radius:
            found.append(
                Fault(
                    "a tyre is no thicker than its wheel",
                    f"{self.name}.tyre_radius",
                    got=self.tyre_radius,
                    expected=f"at most {self.radius:g} m",
                )
            )
        try:
            unit_vector(self.normal, f"{self.name}.normal")
        except InputError as error:
            found += error.faults
        return found

    def frames(self, scene: Scene) -> tuple[np.ndarray, np.ndarray]:
        rotation_a = scene.pose(scene.resolve(self.a)[0])[1]
        rotation_b = scene.pose(scene.resolve(self.b)[0])[1]
        normal = rotation_a @ unit_vector(self.normal, f"{self.name}.normal")
        if self.axis is not None:
            axle = unit_vector(self.axis, f"{self.name}.axis")
        else:
            given = self.axis_b if self.axis_b is not None else (0.0, 1.0, 0.0)
            axle = rotation_b @ unit_vector(given, f"{self.name}.axis_b")
        return frame_from_axis(normal), frame_from_axis(axle)

    def parameters(self, scene: Scene) -> list[float]:
        place_a, place_b = self.points(scene)
        frame_a, frame_b = self.frames(scene)
        normal, axle = frame_a[:, 2], frame_b[:, 2]
        height = float(normal @ (place_b - place_a))
        upright = float(np.linalg.norm(np.cross(axle, normal)))
        if upright < 1e-3:
            raise InputError(
                "the disc lies flat on the plane, where rolling has no meaning",
                path=f"{self.name}.axis_b",
                hint="its axle must not be normal to the plane",
            )
        gap = height - (self.radius - self.tyre_radius) * upright - self.tyre_radius
        if gap < -0.01 * self.radius:
            raise InputError(
                "the disc is in the ground",
                path=f"{self.name}.point_b",
                got=f"centre {height:.6g} m above the plane",
                expected=f"{height - gap:.6g} m for a wheel of this radius and lean",
            )
        return [float(self.radius), float(self.tyre_radius)]

    def initial_memory(self, scene: Scene) -> list[float]:
        frame_a, frame_b = self.frames(scene)
        return [math.asin(float(np.clip(frame_a[:, 2] @ frame_b[:, 2], -1.0, 1.0)))]

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return rolling_disc(self, scene, float(self.radius), float(self.tyre_radius))
