"""Rolling wheel: a disc or torus b rolls without slip on the road of a; one holonomic and two nonholonomic rows.

The wheel is that of :mod:`centrode.parts.joints.rolling_disc`; where it touches, and the symbols s, n, N, e, k, o, f,
m, R, q, H, follow from (1) to (4) of :mod:`centrode.parts.joints.wheel_contact`. All vectors are seen from a.

| symbol | meaning |
|---|---|
| c, w | centre of the wheel; its angular velocity against a |
| g | sideways, N x f |
| l | from the centre to the contact point, -R m - q N |

Differentiating (1) there gives the rates of the contact for any motion of the wheel, with the same matrix H:

    H (s', n') = ( S_i . (c' + R (m . e') e + (R k / o) (f . e') f) ),   e' = w x e                         (5)
    N' = N_s s' + N_n n',   m' from (3),   l' = -R m' - q N'                                                (6)
    f' = (e' x N + e x N' - o' f) / o,   o' = -k (N' . e + N . e') / o,   g' = N' x f + N x f'              (7)

Rows are those of the rolling disc, N . u = phi', f . u = 0, g . u = 0 with the velocity u of the wheel over the road at
the contact; phi' = N . u because (1) makes the distance (2) stationary in s, n and along the circle. Turning with a
adds w_a x to every rate. On a plane N is constant and all this is the rolling disc. The multipliers are minus the
contact force on the wheel: along N, forward, to the left.
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
from centrode.parts.joints.rolling_disc import contact_row
from centrode.parts.joints.rows import axis_of, between, omega_of
from centrode.parts.joints.wheel_contact import (
    LEAST_ROOM,
    NEVER_FLAT,
    Touch,
    contact_equations,
    follow_contact,
    touch_road,
)
from centrode.parts.kernel_types import EVENT_SIGNATURE, JOINT_DATA, JOINT_MARKER_A, JOINT_MARKER_B, JOINT_SIGNATURE
from centrode.parts.part import quantity
from centrode.parts.placement import Placement, Scene, unit_vector
from centrode.parts.roads.contract import COLUMNS
from centrode.parts.roads.road_surface import crease_of, width_at
from centrode.parts.visual import Visual, VisualScene

RADIUS, TYRE = 0, 1
LEAN, ALONG, ACROSS, FLAGS = 0, 1, 2, 3
"""Memory columns: lean against the road [rad], s and n of the contact [m], bits (1 beside, 2 past the end, 4 contact
lost, 8 pulled by the road) + 16 x what the next event is about."""
LOST, BITS = 4, 16
BESIDE, PAST_END, FLAT, TIGHT, NO_SURFACE, LIFTED = 1, 2, 3, 4, 5, 8
ROAD, ROAD_ROWS = 0, 1

LEAST_UPRIGHT = 0.02
"""Cosine of the lean at which the wheel counts as lying flat."""
LEAST_STRETCH = 0.1
"""Share of its length on the reference line below which a line beside it is too near the centre of the bend."""
SHARPEST_CREASE = 1e-3
"""Largest jump of the normal between pieces [rad]: on it the contact is off by 1e-3 r and phi by 1e-6 r at most."""
BACK = 1e-3
"""A wheel counts as back on the road this far inside its edge [m]."""
PULL = 1e-3
"""The road counts as pulling a wheel above this force [N]; without weight it is zero up to round-off."""
ENDINGS = {
    FLAT: "wheel lies flat",
    TIGHT: "road bent as tightly as the wheel",
    NO_SURFACE: "inside the centre of the bend",
}
"""Events after which there is no single contact any more."""


@step_kernel
def seen_from(markers, a, x, y, z):
    """A world vector in the axes of marker a."""
    return (
        markers[a, 12] * x + markers[a, 15] * y + markers[a, 18] * z,
        markers[a, 13] * x + markers[a, 16] * y + markers[a, 19] * z,
        markers[a, 14] * x + markers[a, 17] * y + markers[a, 20] * z,
    )


@step_kernel
def in_world(markers, a, x, y, z):
    """A vector of the axes of marker a, in the world."""
    return (
        markers[a, 12] * x + markers[a, 13] * y + markers[a, 14] * z,
        markers[a, 15] * x + markers[a, 16] * y + markers[a, 17] * z,
        markers[a, 18] * x + markers[a, 19] * y + markers[a, 20] * z,
    )


@step_kernel
def world_rate(markers, a, vx, vy, vz, dx, dy, dz):
    """World rate of a vector v (world) whose rate seen from marker a is d (axes of a)."""
    wx, wy, wz = omega_of(markers, a)
    tx, ty, tz = cross(wx, wy, wz, vx, vy, vz)
    rx, ry, rz = in_world(markers, a, dx, dy, dz)
    return rx + tx, ry + ty, rz + tz


@step_kernel(signature=JOINT_SIGNATURE)
def rolling_wheel_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Rows (1) to (7)."""
    for j in range(first, first + count):
        a = link[j, JOINT_MARKER_A]
        b = link[j, JOINT_MARKER_B]
        pool = link[j, JOINT_DATA]
        at, rows = int(data[pool + ROAD]), int(data[pool + ROAD_ROWS])
        table = data[at : at + rows * COLUMNS].reshape((rows, COLUMNS))
        tyre = par[j, TYRE]
        circle = par[j, RADIUS] - tyre
        dx, dy, dz, vx, vy, vz = between(markers, a, b)
        wax, way, waz = omega_of(markers, a)
        wbx, wby, wbz = omega_of(markers, b)
        ex, ey, ez = axis_of(markers, b, 2)
        ux, uy, uz = cross(wax, way, waz, dx, dy, dz)
        qx, qy, qz = cross(wbx - wax, wby - way, wbz - waz, ex, ey, ez)
        cx, cy, cz = seen_from(markers, a, dx, dy, dz)
        vx, vy, vz = seen_from(markers, a, vx - ux, vy - uy, vz - uz)
        ex, ey, ez = seen_from(markers, a, ex, ey, ez)
        qx, qy, qz = seen_from(markers, a, qx, qy, qz)  # e'
        s, n, lost = follow_contact(
            table, memory[j, ALONG], memory[j, ACROSS], cx, cy, cz, ex, ey, ez, circle, par[j, RADIUS]
        )
        found = contact_equations(table, s, n, cx, cy, cz, ex, ey, ez, circle)
        h11, h12, h21, h22, det = found[2], found[3], found[4], found[5], found[6]
        o, k, nx, ny, nz = found[9], found[10], found[11], found[12], found[13]
        fx, fy, fz, mx, my, mz = found[14], found[15], found[16], found[17], found[18], found[19]
        ax, ay, az, bx, by, bz = found[23], found[24], found[25], found[26], found[27], found[28]
        sx, sy, sz, tx, ty, tz = found[29], found[30], found[31], found[32], found[33], found[34]
        inverse = 1.0 / max(o, NEVER_FLAT)
        fe = fx * qx + fy * qy + fz * qz
        me = mx * qx + my * qy + mz * qz
        rx = vx + circle * (me * ex + k * inverse * fe * fx)  # (5)
        ry = vy + circle * (me * ey + k * inverse * fe * fy)
        rz = vz + circle * (me * ez + k * inverse * fe * fz)
        r1 = ax * rx + ay * ry + az * rz
        r2 = bx * rx + by * ry + bz * rz
        area = h11 * h22 - h12 * h21
        ds = (h22 * r1 - h12 * r2) / area
        dn = (h11 * r2 - h21 * r1) / area
        # N' = -b_jk g^ki S_i (s', n')_j
        b11 = nx * sx + ny * sy + nz * sz
        b12 = nx * tx + ny * ty + nz * tz
        low1 = b11 * ds + b12 * dn
        low2 = b12 * ds
        g11 = ax * ax + ay * ay + az * az
        g12 = ax * bx + ay * by + az * bz
        g22 = bx * bx + by * by + bz * bz
        up1 = -(g22 * low1 - g12 * low2) / det
        up2 = -(g11 * low2 - g12 * low1) / det
        dnx, dny, dnz = up1 * ax + up2 * bx, up1 * ay + up2 * by, up1 * az + up2 * bz
        swing = (fx * dnx + fy * dny + fz * dnz - k * fe) * inverse
        dmx, dmy, dmz = swing * fx - me * ex, swing * fy - me * ey, swing * fz - me * ez  # (3)
        dk = dnx * ex + dny * ey + dnz * ez + nx * qx + ny * qy + nz * qz
        do = -k * dk * inverse
        ux, uy, uz = cross(qx, qy, qz, nx, ny, nz)
        wx, wy, wz = cross(ex, ey, ez, dnx, dny, dnz)
        dfx = (ux + wx - do * fx) * inverse  # (7)
        dfy = (uy + wy - do * fy) * inverse
        dfz = (uz + wz - do * fz) * inverse
        lx, ly, lz = in_world(markers, a, -circle * mx - tyre * nx, -circle * my - tyre * ny, -circle * mz - tyre * nz)
        dlx, dly, dlz = world_rate(
            markers,
            a,
            lx,
            ly,
            lz,
            -circle * dmx - tyre * dnx,
            -circle * dmy - tyre * dny,
            -circle * dmz - tyre * dnz,
        )
        distance = (cx - found[20]) * nx + (cy - found[21]) * ny + (cz - found[22]) * nz - circle * o - tyre
        nx, ny, nz = in_world(markers, a, nx, ny, nz)
        fx, fy, fz = in_world(markers, a, fx, fy, fz)
        dnx, dny, dnz = world_rate(markers, a, nx, ny, nz, dnx, dny, dnz)
        dfx, dfy, dfz = world_rate(markers, a, fx, fy, fz, dfx, dfy, dfz)
        gx, gy, gz = cross(nx, ny, nz, fx, fy, fz)
        ux, uy, uz = cross(dnx, dny, dnz, fx, fy, fz)
        wx, wy, wz = cross(nx, ny, nz, dfx, dfy, dfz)
        contact_row(j, 0, nx, ny, nz, dnx, dny, dnz, lx, ly, lz, dlx, dly, dlz, a, b, markers, jacobian, terms)
        contact_row(j, 1, fx, fy, fz, dfx, dfy, dfz, lx, ly, lz, dlx, dly, dlz, a, b, markers, jacobian, terms)
        contact_row(
            j, 2, gx, gy, gz, ux + wx, uy + wy, uz + wz, lx, ly, lz, dlx, dly, dlz, a, b, markers, jacobian, terms
        )
        terms[j, 0, 0] = distance
        memory[j, LEAN] = math.atan2(k, o)
        flags = int(memory[j, FLAGS])
        memory[j, FLAGS] = float(flags | LOST if lost else flags & ~LOST)
        if not lost:  # else the last place stays, from which a shorter step finds it again
            memory[j, ALONG] = s
            memory[j, ACROSS] = n


@step_kernel(signature=EVENT_SIGNATURE)
def rolling_wheel_event(time, first, count, par, link, data, inputs, memory, markers, states, multipliers, values):
    """Least of what must stay positive: cosine of the lean, room in the bend, stretch, way to edge and ends, load."""
    for j in range(first, first + count):
        a = link[j, JOINT_MARKER_A]
        b = link[j, JOINT_MARKER_B]
        pool = link[j, JOINT_DATA]
        at, rows = int(data[pool + ROAD]), int(data[pool + ROAD_ROWS])
        table = data[at : at + rows * COLUMNS].reshape((rows, COLUMNS))
        circle = par[j, RADIUS] - par[j, TYRE]
        dx, dy, dz, _, _, _ = between(markers, a, b)
        ex, ey, ez = axis_of(markers, b, 2)
        cx, cy, cz = seen_from(markers, a, dx, dy, dz)
        ex, ey, ez = seen_from(markers, a, ex, ey, ez)
        s, n = memory[j, ALONG], memory[j, ACROSS]
        found = contact_equations(table, s, n, cx, cy, cz, ex, ey, ez, circle)
        noted = int(memory[j, FLAGS]) & (BITS - 1)
        least, cause = found[9] - LEAST_UPRIGHT, FLAT
        room = (found[2] * found[5] - found[3] * found[4]) / found[6] - LEAST_ROOM
        if noted & LOST or not math.isfinite(room):
            room = -1.0
        if room < least:
            least, cause = room, TIGHT
        # r' = S_s - n L' gives the length on the reference line.
        rx, ry, rz = found[23] - n * found[32], found[24] - n * found[33], found[25] - n * found[34]
        square = rx * rx + ry * ry + rz * rz
        stretch = (found[23] * rx + found[24] * ry + found[25] * rz) / square - LEAST_STRETCH
        if stretch < least:
            least, cause = stretch, NO_SURFACE
        half, inside = width_at(table, s)
        edge = half - abs(n) if noted & 1 == 0 else abs(n) - half + BACK
        if edge < least:
            least, cause = edge, BESIDE
        end = inside if noted & 2 == 0 else BACK - inside
        if end < least:
            least, cause = end, PAST_END
        load = -multipliers[j, 0]
        pull = load + PULL if noted & LIFTED == 0 else PULL - load
        if pull < least:
            least, cause = pull, LIFTED
        memory[j, FLAGS] = float(noted + BITS * cause)
        values[j] = least


@dataclass(frozen=True)
class RollingWheel(Joint):
    """Wheel b on a road that a carries; ``axis`` or ``axis_b`` is the axle, ``point_a`` the origin of the road."""

    kind: ClassVar[str] = "rolling-wheel"
    rows: ClassVar[int] = 3
    nonholonomic_rows: ClassVar[tuple[int, ...]] = (1, 2)
    has_axis: ClassVar[bool] = True
    coordinate_names: ClassVar[tuple[tuple[str, str], ...]] = (("lean", "rad"), ("s", "m"), ("lateral", "m"))
    spatial_kernel: ClassVar[Any] = rolling_wheel_rows
    event_kernel: ClassVar[Any] = rolling_wheel_event
    events_optional: ClassVar[bool] = True

    radius: float = quantity("m", "radius of the wheel, tyre included", positive=True)
    road: Any = quantity("", "road on which it rolls", refers_to="road")
    tyre_radius: float = quantity("m", "section radius of a round tyre; 0 is a sharp rim", 0.0, minimum=0.0)
    station: float | None = quantity(
        "m", "about where along the road the wheel starts, when the road comes by twice", None, kw_only=True
    )

    def faults(self) -> list[Fault]:
        found = super().faults()
        if self.at is not None or self.axis_a is not None:
            found.append(
                Fault(
                    "a rolling wheel has no place or axis of this name",
                    f"{self.name}.{'at' if self.at is not None else 'axis_a'}",
                    expected="point_b and axis_b (or axis) for the wheel",
                )
            )
        for field in ("radius", "tyre_radius", "station"):
            value = getattr(self, field)
            if (isinstance(value, bool) or not isinstance(value, int | float)) and (field, value) != ("station", None):
                found.append(Fault("not a number", f"{self.name}.{field}", got=value, expected="a number [m]"))
        if not found and self.tyre_radius > self.radius:
            found.append(
                Fault(
                    "a tyre is no thicker than its wheel",
                    f"{self.name}.tyre_radius",
                    got=self.tyre_radius,
                    expected=f"at most {self.radius:g} m",
                )
            )
        return found

    def place(self, scene: Scene) -> Placement:
        placed = super().place(scene)
        placed.shared = {ROAD: self._table(scene)}
        return placed

    def tables(self, scene: Scene) -> list[float]:
        return [0.0, float(self._table(scene).shape[0])]

    def _table(self, scene: Scene) -> np.ndarray:
        table: np.ndarray = scene.find(self.road).shared_table()
        return table

    def frames(self, scene: Scene) -> tuple[np.ndarray, np.ndarray]:
        rotation_a = scene.pose(scene.resolve(self.a)[0])[1]
        rotation_b = scene.pose(scene.resolve(self.b)[0])[1]
        if self.axis is not None:
            axle = unit_vector(self.axis, f"{self.name}.axis")
        else:
            given = self.axis_b if self.axis_b is not None else (0.0, 1.0, 0.0)
            axle = rotation_b @ unit_vector(given, f"{self.name}.axis_b")
        return rotation_a, frame_from_axis(axle)

    def parameters(self, scene: Scene) -> list[float]:
        crease, where = crease_of(scene.find(self.road))
        if crease > SHARPEST_CREASE:
            raise InputError(
                "the road has an edge over which a wheel cannot roll",
                path=f"{self.name}.road",
                got=f"the normal jumps by {crease:.3g} rad at s = {where:.6g}",
                expected=f"less than {SHARPEST_CREASE:g} rad",
                hint="a road of kind spline has no edges; a narrower one has smaller ones",
            )
        touch = self.touch(scene)
        if touch.upright < LEAST_UPRIGHT:
            raise InputError(
                "the wheel lies flat on the road, where rolling has no meaning",
                path=f"{self.name}.axis_b",
                hint="its axle must not be normal to the road",
            )
        if not touch.found or touch.room < LEAST_ROOM:
            raise InputError(
                "no single place where the wheel touches the road",
                path=f"{self.name}.road",
                got=f"near s = {touch.s:.6g} m, lateral {touch.lateral:.6g} m",
                expected="a road that bends less than the wheel does",
                hint="smooth the road, or start elsewhere",
            )
        if touch.gap < -0.01 * self.radius:
            raise InputError(
                "the wheel is in the ground",
                path=f"{self.name}.point_b",
                got=f"{-touch.gap:.6g} m deep",
                expected="a centre above the road by the radius",
            )
        return [float(self.radius), float(self.tyre_radius)]

    def touch(self, scene: Scene) -> Touch:
        """Where the wheel is next to the road at the start."""
        place_a, place_b = self.points(scene)
        frame_a, frame_b = self.frames(scene)
        return touch_road(
            self._table(scene),
            frame_a.T @ (place_b - place_a),
            frame_a.T @ frame_b[:, 2],
            self.radius,
            self.tyre_radius,
            self.station,
        )

    def initial_memory(self, scene: Scene) -> list[float]:
        touch = self.touch(scene)
        return [touch.lean, touch.s, touch.lateral, 0.0]

    def on_event(self, memory: np.ndarray, par: np.ndarray) -> tuple[str, dict[str, float]]:
        """What the recording notes; see FLAGS."""
        noted, cause = int(memory[FLAGS]) % BITS & ~LOST, int(memory[FLAGS]) // BITS
        where = {"s": float(memory[ALONG]), "lateral": float(memory[ACROSS])}
        if cause in (BESIDE, PAST_END):
            noted ^= cause
            memory[FLAGS] = float(noted)
            edge = "end" if cause == PAST_END else "side"
            return (f"left the road at its {edge}" if noted & cause else "back on the road"), where
        if cause == LIFTED:
            noted ^= cause
            memory[FLAGS] = float(noted)
            return ("wheel would lift" if noted & cause else "wheel presses again"), where
        return ENDINGS[cause], where

    def ends_run(self, event: str) -> bool:
        """Without a single contact there is no way on; beside the road its surface goes on, and a wheel never lifts."""
        return event in ENDINGS.values()

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return rolling_disc(self, scene, float(self.radius), float(self.tyre_radius))
