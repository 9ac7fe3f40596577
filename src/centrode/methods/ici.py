"""ici-first, ici-second, ici-exact: dynamics whose poses advance by instantaneous-centre integration.

A body's twist (u, w), velocity and angular velocity in body axes, is taken as constant over a step, as the thesis takes
the rates of a vehicle; forces change the twist between the pose updates:

    u_1/2 = u_0 + h/2 (R_0^T a_0 - w x u),   w_1/2 = w_0 + h/2 w_0'                                       (1)
    pose  <- instantaneous-centre step of order 1, 2 or exact with (u_1/2, w_1/2)                        (2)
    u_1 = u_1/2 + h/2 (R_1^T a_1 - w x u),   w_1 = w_1/2 + h/2 w_1'                                       (3)

a and w' are the accelerations of the engine; those of (3) are evaluated at the new pose with the twist continued from
(1), 2 (u_1/2, w_1/2) - (u_0, w_0), so that forces that depend on velocity keep the order. The twist enters at mid-step,
so ``ici-second`` and ``ici-exact`` are of order 2 under forces, ``ici-first`` of order 1. Where forces keep the twist
constant, ``ici-exact`` is exact: a steady turn closes its circle to round-off. The pose updates are those of
:mod:`centrode.math.ici_space` and :mod:`centrode.math.ici_plane`. Joints are compliant.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from centrode.dynamics.evaluate import rates_at
from centrode.jit import step_kernel
from centrode.math.ici_plane import advance_plane_exact, advance_plane_first, advance_plane_second
from centrode.math.ici_space import advance_space_exact, advance_space_first, advance_space_second
from centrode.math.record import open_table
from centrode.math.vector import (
    cross,
    minus,
    plus,
    plus_times,
    put,
    put_quaternion,
    quaternion,
    rotation_of,
    times,
    turn,
    turn_back,
    vector,
)
from centrode.methods.fixed_step import STEP_SIGNATURE, FixedStepMethod
from centrode.methods.method import Outcome, Run
from centrode.parts.bodies.body import Body
from centrode.parts.tables import Coordinates, borrow

FIRST, SECOND, EXACT = 1, 2, 3
PLANE, TURNING = Coordinates.PLANE, Coordinates.TURNING


# -- in the plane: (u_x, u_y, w) is a vector whose first two components turn with the body ---------------------------


@step_kernel
def plane_to_body(angle, v):
    """A plane vector in body axes; the third component stays."""
    c, s = math.cos(angle), math.sin(angle)
    return c * v[0] + s * v[1], -s * v[0] + c * v[1], v[2]


@step_kernel
def plane_to_world(angle, v):
    """The inverse."""
    c, s = math.cos(angle), math.sin(angle)
    return c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]


@step_kernel
def plane_change(angle, u, a, h):
    """h/2 (R^T a - w x u), and h/2 w' behind it."""
    x, y, spin = plane_to_body(angle, a)
    return 0.5 * h * (x + u[2] * u[1]), 0.5 * h * (y - u[2] * u[0]), 0.5 * h * spin


@step_kernel
def step_plane(b, order, h, half, tables):
    """(1) and (2) for a planar body: half-step twist to ``half``, the continued one to the velocity, world axes."""
    t = borrow(tables)
    x, y, angle = vector(t.pose[b], 0)
    u = plane_to_body(angle, vector(t.velocity[b], 0))
    change = plane_change(angle, u, vector(t.acceleration[b], 0), h)
    middle = plus(u, change)
    c, s = math.cos(angle), math.sin(angle)
    turned = middle[2] * h
    if order == FIRST:
        x, y, _, _ = advance_plane_first(x, y, c, s, middle[0], middle[1], middle[2], h)
        turned = math.atan(turned)
    elif order == SECOND:
        x, y, _, _ = advance_plane_second(x, y, c, s, middle[0], middle[1], middle[2], h)
        turned = math.atan2(turned, 1.0 - 0.5 * turned * turned)
    else:
        x, y, _, _ = advance_plane_exact(x, y, c, s, middle[0], middle[1], middle[2], h)
    put(t.pose[b], 0, (x, y, angle + turned))
    put(half, 0, middle)
    put(t.velocity[b], 0, plane_to_world(angle + turned, plus(middle, change)))


@step_kernel
def finish_plane(b, h, half, tables):
    """(3) for a planar body."""
    t = borrow(tables)
    angle = t.pose[b, 2]
    u = plane_to_body(angle, vector(t.velocity[b], 0))
    new = plus(vector(half, 0), plane_change(angle, u, vector(t.acceleration[b], 0), h))
    put(t.velocity[b], 0, plane_to_world(angle, new))


# -- in space ----------------------------------------------------------------------------------------------------------


@step_kernel
def half_change(r, u, w, a, h):
    """h/2 (R^T a - w x u) in body axes."""
    return times(0.5 * h, minus(turn_back(r, a), cross(w, u)))


@step_kernel
def step_space(b, order, h, half, tables):
    """(1) and (2) for a rigid body: half-step twist to ``half``, the continued one to the velocity."""
    t = borrow(tables)
    pose, motion, rate = t.pose[b], t.velocity[b], t.acceleration[b]
    x, q = vector(pose, 0), quaternion(pose, 3)
    r = rotation_of(q)
    w, spin = vector(motion, 3), vector(rate, 3)
    u = turn_back(r, vector(motion, 0))
    change = half_change(r, u, w, vector(rate, 0), h)
    u, w_half = plus(u, change), plus_times(w, 0.5 * h, spin)
    if order == FIRST:
        x, q = advance_space_first(x, q, u, w_half, h)
    elif order == SECOND:
        x, q = advance_space_second(x, q, u, w_half, h)
    else:
        x, q = advance_space_exact(x, q, u, w_half, h)
    put(pose, 0, x)
    put_quaternion(pose, 3, q)
    put(half, 0, u)
    put(half, 3, w_half)
    put(motion, 0, turn(rotation_of(q), plus(u, change)))
    put(motion, 3, plus_times(w, h, spin))


@step_kernel
def finish_space(b, h, half, tables):
    """(3) for a rigid body; the velocity (world axes, continued twist) becomes the new one."""
    t = borrow(tables)
    motion, rate = t.velocity[b], t.acceleration[b]
    r = rotation_of(quaternion(t.pose[b], 3))
    change = half_change(r, turn_back(r, vector(motion, 0)), vector(motion, 3), vector(rate, 0), h)
    put(motion, 0, turn(r, plus(vector(half, 0), change)))
    put(motion, 3, plus_times(vector(half, 3), 0.5 * h, vector(rate, 3)))


@step_kernel
def step_vector(b, h, half, tables):
    """(1) and (2) where poses are plain numbers."""
    t = borrow(tables)
    for k in range(t.bodies[b + 1].velocities):
        half[k] = t.velocity[b, k] + 0.5 * h * t.acceleration[b, k]
        t.velocity[b, k] += h * t.acceleration[b, k]
        t.pose[b, k] += h * half[k]


@step_kernel(signature=STEP_SIGNATURE)
def ici_step(time, h, par, run, work, tables):
    """One step of all bodies; ``par`` holds the order, ``work`` a row of twists per body, then rates of the states."""
    t = borrow(tables)
    order = int(par[0])
    bodies = t.pose.shape[0]
    twists = bodies * work.shape[1]
    state_start = open_table(work, twists, 1, work.size - twists)[0]
    for b in range(bodies):
        coordinates = t.bodies[b + 1].coordinates
        if coordinates == PLANE:
            step_plane(b, order, h, work[b], tables)
        elif coordinates == TURNING:
            step_space(b, order, h, work[b], tables)
        else:
            step_vector(b, h, work[b], tables)
    for k in range(t.states.size):
        state_start[k] = t.state_rate[k]
        t.states[k] += h * t.state_rate[k]
    rates_at(time + h, False, tables)
    for b in range(bodies):
        coordinates = t.bodies[b + 1].coordinates
        if coordinates == PLANE:
            finish_plane(b, h, work[b], tables)
        elif coordinates == TURNING:
            finish_space(b, h, work[b], tables)
        else:
            for k in range(t.bodies[b + 1].velocities):
                t.velocity[b, k] = work[b, k] + 0.5 * h * t.acceleration[b, k]
    for k in range(t.states.size):
        t.states[k] += 0.5 * h * (t.state_rate[k] - state_start[k])
    rates_at(time + h, False, tables)
    run[0].evaluations += 2
    return Outcome.FRAMES_DONE.value


@dataclass(frozen=True)
class IciMethod(FixedStepMethod):
    """Poses by instantaneous-centre integration, twists by forces."""

    name: str
    update: int
    order: int
    summary: str
    reference: str = "ICI thesis, equations (12) to (36), corrected; SE(3) exponential in space"
    keeps: str = "a steady turn (ici-exact: to round-off)"
    default_step: float = 1e-3
    step_kernel = ici_step

    def refuses(self, body: Body) -> bool:
        return not body.principal_axes

    def constants(self) -> tuple[float, ...]:
        return (float(self.update),)

    def work(self, run: Run) -> np.ndarray:
        """One row of half-step twists per body, then the rates of the internal states."""
        w = run.workspace
        bodies, width = w["velocity"].shape
        return np.zeros((bodies + -(-w["states"].size // width), width))


METHODS = (
    IciMethod("ici-first", FIRST, 1, "instantaneous-centre pose update of first order"),
    IciMethod("ici-second", SECOND, 2, "instantaneous-centre pose update of second order"),
    IciMethod("ici-exact", EXACT, 2, "exact arc (plane) or helix (space) of the mid-step twist"),
)
