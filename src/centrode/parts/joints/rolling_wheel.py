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
from enum import IntEnum
from typing import Any, ClassVar

import numpy as np

from centrode.jit import step_kernel
from centrode.math.record import open_table
from centrode.math.rotation import frame_from_axis
from centrode.math.vector import cross, dot, minus, plus, plus_times, times
from centrode.parts.hooks import Moment
from centrode.parts.joints.rolling_disc import EXAMPLE, RADIUS, TYRE, RollingJoint, rolling_rows
from centrode.parts.joints.rows import FIRST, PHI
from centrode.parts.joints.wheel_contact import (
    LEAST_ROOM,
    NEVER_FLAT,
    Touch,
    contact_equations,
    determinant,
    follow_contact,
    solved,
    touch_road,
)
from centrode.parts.kernel_types import EVENT_SIGNATURE, JOINT_DATA, JOINT_SIGNATURE
from centrode.parts.markers import Z, axis, between, in_world, omega, position, seen_from, sides
from centrode.parts.part import quantity
from centrode.parts.placement import Placement, Scene
from centrode.parts.roads.contract import COLUMNS
from centrode.parts.roads.road_surface import crease_of, width_at

ALONG, ACROSS, FLAGS = 1, 2, 3
"""Memory columns behind the lean against the road [rad]: s and n of the contact [m], and flags: LOST, the noted causes
that may end again, and BITS times what the next event is about."""
LOST, BITS = 4, 16
GONE = -1.0
"""Flags of a wheel that was let go: it is followed no more."""


class Cause(IntEnum):
    """What an event is about."""

    BESIDE = 1
    PAST_END = 2
    FLAT = 3
    TIGHT = 4
    NO_SURFACE = 5
    LIFTED = 8


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
    Cause.FLAT: "wheel lies flat",
    Cause.TIGHT: "road bent as tightly as the wheel",
    Cause.NO_SURFACE: "inside the centre of the bend",
}
"""Events after which there is no single contact any more."""
PASSING = {
    Cause.BESIDE: ("left the road at its side", "back on the road"),
    Cause.PAST_END: ("left the road at its end", "back on the road"),
    Cause.LIFTED: ("wheel would lift", "wheel presses again"),
}
"""Events that may end again, and what is said then."""


@step_kernel
def world_rate(markers, a, v, rate):
    """World rate of a vector v (world) whose rate seen from marker a is ``rate`` (axes of a)."""
    return plus(in_world(markers, a, rate), cross(omega(markers, a), v))


@step_kernel(signature=JOINT_SIGNATURE)
def rolling_wheel_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Rows (1) to (7)."""
    for j in range(first, first + count):
        if memory[j, FLAGS] == GONE:
            continue
        a, b = sides(link, j)
        pool = link[j, JOINT_DATA]
        at, rows = int(data[pool + ROAD]), int(data[pool + ROAD_ROWS])
        table = open_table(data, at, rows, COLUMNS)
        tyre = par[j, TYRE]
        circle = par[j, RADIUS] - tyre
        d, v = between(markers, a, b)
        wa, wb = omega(markers, a), omega(markers, b)
        axle = axis(markers, b, Z)
        c = seen_from(markers, a, d)
        e = seen_from(markers, a, axle)
        dc = seen_from(markers, a, minus(v, cross(wa, d)))
        de = seen_from(markers, a, cross(minus(wb, wa), axle))
        s, lateral, lost = follow_contact(
            table, memory[j, ALONG], memory[j, ACROSS], c, e, circle, 0.5 * par[j, RADIUS], LEAST_ROOM
        )
        found = contact_equations(table, s, lateral, c, e, circle)
        o, k, n, f, m = found.upright, found.sine, found.normal, found.forward, found.away
        inverse = 1.0 / max(o, NEVER_FLAT)
        fe, me = dot(f, de), dot(m, de)
        r = plus_times(dc, circle, plus_times(times(me, e), k * inverse * fe, f))  # (5)
        right = (dot(found.along, r), dot(found.across, r))
        ds, dl = solved(found.matrix, determinant(found.matrix), right)
        # N' = -b_jk g^ki S_i (s', n')_j, (6)
        low1 = dot(n, found.bend) * ds + dot(n, found.twist) * dl
        low2 = dot(n, found.twist) * ds
        g11, g12, g22 = found.metric
        up1, up2 = -(g22 * low1 - g12 * low2) / found.det, -(g11 * low2 - g12 * low1) / found.det
        dn = plus(times(up1, found.along), times(up2, found.across))
        dm = plus_times(times((dot(f, dn) - k * fe) * inverse, f), -me, e)  # (3)
        do = -k * (dot(dn, e) + dot(n, de)) * inverse
        df = times(inverse, plus_times(plus(cross(de, n), cross(e, dn)), -do, f))  # (7)
        arm = in_world(markers, a, plus_times(times(-circle, m), -tyre, n))
        arm_rate = world_rate(markers, a, arm, plus_times(times(-circle, dm), -tyre, dn))
        normal, forward = in_world(markers, a, n), in_world(markers, a, f)
        dn, df = world_rate(markers, a, normal, dn), world_rate(markers, a, forward, df)
        rolling_rows(j, normal, dn, forward, df, (arm, arm_rate), a, b, markers, jacobian, terms)
        terms[j, 0, PHI] = dot(minus(c, found.place), n) - circle * o - tyre
        memory[j, FIRST] = math.atan2(k, o)
        flags = int(memory[j, FLAGS])
        memory[j, FLAGS] = float(flags | LOST if lost else flags & ~LOST)
        if not lost:  # else the last place stays, from which a shorter step finds it again
            memory[j, ALONG] = s
            memory[j, ACROSS] = lateral


@step_kernel(signature=EVENT_SIGNATURE)
def rolling_wheel_event(time, first, count, par, link, data, inputs, memory, markers, states, multipliers, values):
    """Least of what must stay positive: cosine of the lean, room in the bend, stretch, way to edge and ends, load."""
    for j in range(first, first + count):
        values[j] = 1.0
        if memory[j, FLAGS] == GONE:
            continue
        a, b = sides(link, j)
        pool = link[j, JOINT_DATA]
        at, rows = int(data[pool + ROAD]), int(data[pool + ROAD_ROWS])
        table = open_table(data, at, rows, COLUMNS)
        c = seen_from(markers, a, minus(position(markers, b), position(markers, a)))
        e = seen_from(markers, a, axis(markers, b, Z))
        s, n = memory[j, ALONG], memory[j, ACROSS]
        found = contact_equations(table, s, n, c, e, par[j, RADIUS] - par[j, TYRE])
        noted = int(memory[j, FLAGS]) & (BITS - 1)
        least, cause = found.upright - LEAST_UPRIGHT, Cause.FLAT
        room = determinant(found.matrix) / found.det - LEAST_ROOM
        if noted & LOST or not math.isfinite(room):
            room = -1.0
        if room < least:
            least, cause = room, Cause.TIGHT
        line = plus_times(found.along, -n, found.twist)  # r' = S_s - n L': the length on the reference line
        stretch = dot(found.along, line) / dot(line, line) - LEAST_STRETCH
        if stretch < least:
            least, cause = stretch, Cause.NO_SURFACE
        half, inside = width_at(table, s)
        edge = half - abs(n) if noted & Cause.BESIDE == 0 else abs(n) - half + BACK
        if edge < least:
            least, cause = edge, Cause.BESIDE
        end = inside if noted & Cause.PAST_END == 0 else BACK - inside
        if end < least:
            least, cause = end, Cause.PAST_END
        load = -multipliers[j, 0]
        pull = load + PULL if noted & Cause.LIFTED == 0 else PULL - load
        if pull < least:
            least, cause = pull, Cause.LIFTED
        memory[j, FLAGS] = float(noted + BITS * cause)
        values[j] = least


@dataclass(frozen=True)
class RollingWheel(RollingJoint):
    """Wheel b on a road that a carries; ``axis`` or ``axis_b`` is the axle, ``point_a`` the origin of the road."""

    kind: ClassVar[str] = "rolling-wheel"
    coordinate_names: ClassVar[tuple[tuple[str, str], ...]] = (("lean", "rad"), ("s", "m"), ("lateral", "m"))
    spatial_kernel: ClassVar[Any] = rolling_wheel_rows
    example: ClassVar[dict[str, Any] | None] = {**EXAMPLE, "road": "road"}
    event_kernel: ClassVar[Any] = rolling_wheel_event
    events_optional: ClassVar[bool] = True
    lengths: ClassVar[tuple[str, ...]] = ("radius", "tyre_radius", "station")

    radius: float = quantity("m", "radius of the wheel, tyre included", positive=True)
    road: Any = quantity("", "road on which it rolls", refers_to="road")
    tyre_radius: float = quantity("m", "section radius of a round tyre; 0 is a sharp rim", 0.0, minimum=0.0)
    station: float | None = quantity(
        "m", "about where along the road the wheel starts, when the road comes by twice", None, kw_only=True
    )

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
        return rotation_a, frame_from_axis(self.axle(scene))

    def parameters(self, scene: Scene) -> list[float]:
        crease, where = crease_of(scene.find(self.road))
        if crease > SHARPEST_CREASE:
            got = f"the normal jumps by {crease:.3g} rad at s = {where:.6g}"
            expected = f"less than {SHARPEST_CREASE:g} rad"
            hint = "a road of kind spline has no edges; a narrower one has smaller ones"
            raise self.refusal("road", "the road has an edge over which a wheel cannot roll", got, expected, hint)
        touch = self.touch(scene)
        if touch.upright < LEAST_UPRIGHT:
            message, hint = "the wheel lies flat on the road", "its axle must not be normal to the road"
            raise self.refusal("axis_b", message, hint=hint)
        if not touch.found or touch.room < LEAST_ROOM:
            got = f"near s = {touch.s:.6g} m, lateral {touch.lateral:.6g} m"
            expected, hint = "a road that bends less than the wheel does", "smooth the road, or start elsewhere"
            raise self.refusal("road", "no single place where the wheel touches the road", got, expected, hint)
        if touch.gap < -0.01 * self.radius:
            got, expected = f"{-touch.gap:.6g} m deep", "a centre above the road by the radius"
            raise self.refusal("point_b", "the wheel is in the ground", got=got, expected=expected)
        return [float(self.radius), float(self.tyre_radius)]

    def touch(self, scene: Scene) -> Touch:
        """Where the wheel is next to the road at the start."""
        place_a, place_b = self.points(scene)
        frame_a, frame_b = self.frames(scene)
        centre, axle = frame_a.T @ (place_b - place_a), frame_a.T @ frame_b[:, 2]
        return touch_road(self._table(scene), centre, axle, self.radius, self.tyre_radius, self.station)

    def initial_memory(self, scene: Scene) -> list[float]:
        touch = self.touch(scene)
        return [touch.lean, touch.s, touch.lateral, 0.0]

    def let_go(self, memory: np.ndarray, active: np.ndarray) -> None:
        super().let_go(memory, active)
        memory[FLAGS] = GONE

    def on_event(self, moment: Moment) -> tuple[str, dict[str, float]]:
        """What the recording notes; see FLAGS."""
        memory = moment.memory
        noted, cause = int(memory[FLAGS]) % BITS & ~LOST, Cause(int(memory[FLAGS]) // BITS)
        where = {"s": float(memory[ALONG]), "lateral": float(memory[ACROSS])}
        if cause in ENDINGS:
            return ENDINGS[cause], where
        noted ^= cause
        memory[FLAGS] = float(noted)
        begins, ends = PASSING[cause]
        return (begins if noted & cause else ends), where

    def ends_run(self, event: str) -> bool:
        """Without a single contact there is no way on; beside the road its surface goes on, and a wheel never lifts."""
        return event in ENDINGS.values()
