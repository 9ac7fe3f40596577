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
from typing import Any, ClassVar

import numpy as np

from centrode.dynamics.evaluate import BODIES, rates_at
from centrode.dynamics.settle import settle
from centrode.jit import step_kernel
from centrode.math.ici_plane import advance_plane_exact, advance_plane_first, advance_plane_second
from centrode.math.ici_space import advance_space_exact, advance_space_first, advance_space_second
from centrode.math.rotation import cross, quaternion_matrix
from centrode.methods.explicit_kernel import write_frame
from centrode.methods.fixed_step import FixedStepMethod, all_finite, whole_steps
from centrode.methods.method import EVALUATIONS, STEPS, Run
from centrode.parts.bodies.codes import BODY_FULL_MASS, BODY_PLANAR, BODY_PSEUDO_RIGID

FIRST, SECOND, EXACT = 1, 2, 3


@step_kernel
def move_plane(pose, velocity, acceleration, half, b, order, h):
    """(1) and (2) for a planar body: u_1/2 to ``half``, the continued twist to ``velocity``, both in body axes."""
    c = math.cos(pose[b, 2])
    s = math.sin(pose[b, 2])
    w = velocity[b, 2]
    ux = c * velocity[b, 0] + s * velocity[b, 1]
    uy = -s * velocity[b, 0] + c * velocity[b, 1]
    ax = c * acceleration[b, 0] + s * acceleration[b, 1]
    ay = -s * acceleration[b, 0] + c * acceleration[b, 1]
    hx = ux + 0.5 * h * (ax + w * uy)
    hy = uy + 0.5 * h * (ay - w * ux)
    first = w
    w += 0.5 * h * acceleration[b, 2]
    turn = w * h
    if order == FIRST:
        x, y, _, _ = advance_plane_first(pose[b, 0], pose[b, 1], c, s, hx, hy, w, h)
        turn = math.atan(turn)
    elif order == SECOND:
        x, y, _, _ = advance_plane_second(pose[b, 0], pose[b, 1], c, s, hx, hy, w, h)
        turn = math.atan2(turn, 1.0 - 0.5 * turn * turn)
    else:
        x, y, _, _ = advance_plane_exact(pose[b, 0], pose[b, 1], c, s, hx, hy, w, h)
    pose[b, 0] = x
    pose[b, 1] = y
    pose[b, 2] += turn
    half[b, 0] = hx
    half[b, 1] = hy
    half[b, 2] = w
    velocity[b, 0] = 2.0 * hx - ux
    velocity[b, 1] = 2.0 * hy - uy
    velocity[b, 2] = 2.0 * w - first


@step_kernel
def finish_plane(pose, velocity, acceleration, half, b, h):
    """(3) for a planar body; ``velocity`` returns to world axes."""
    c = math.cos(pose[b, 2])
    s = math.sin(pose[b, 2])
    ax = c * acceleration[b, 0] + s * acceleration[b, 1]
    ay = -s * acceleration[b, 0] + c * acceleration[b, 1]
    w = velocity[b, 2]
    ux = half[b, 0] + 0.5 * h * (ax + w * velocity[b, 1])
    uy = half[b, 1] + 0.5 * h * (ay - w * velocity[b, 0])
    velocity[b, 0] = c * ux - s * uy
    velocity[b, 1] = s * ux + c * uy
    velocity[b, 2] = half[b, 2] + 0.5 * h * acceleration[b, 2]


@step_kernel
def half_change(pose, velocity, acceleration, b, h, ux, uy, uz):
    """h/2 (R^T a - w x u) in body axes."""
    r = quaternion_matrix(pose[b, 3], pose[b, 4], pose[b, 5], pose[b, 6])
    ax = r[0] * acceleration[b, 0] + r[3] * acceleration[b, 1] + r[6] * acceleration[b, 2]
    ay = r[1] * acceleration[b, 0] + r[4] * acceleration[b, 1] + r[7] * acceleration[b, 2]
    az = r[2] * acceleration[b, 0] + r[5] * acceleration[b, 1] + r[8] * acceleration[b, 2]
    gx, gy, gz = cross(velocity[b, 3], velocity[b, 4], velocity[b, 5], ux, uy, uz)
    return 0.5 * h * (ax - gx), 0.5 * h * (ay - gy), 0.5 * h * (az - gz)


@step_kernel
def to_body(pose, b, x, y, z):
    """R^T times a world vector."""
    r = quaternion_matrix(pose[b, 3], pose[b, 4], pose[b, 5], pose[b, 6])
    return r[0] * x + r[3] * y + r[6] * z, r[1] * x + r[4] * y + r[7] * z, r[2] * x + r[5] * y + r[8] * z


@step_kernel
def to_world(pose, velocity, b):
    """Turn the linear velocity from body axes to world axes, in place."""
    r = quaternion_matrix(pose[b, 3], pose[b, 4], pose[b, 5], pose[b, 6])
    x = velocity[b, 0]
    y = velocity[b, 1]
    z = velocity[b, 2]
    velocity[b, 0] = r[0] * x + r[1] * y + r[2] * z
    velocity[b, 1] = r[3] * x + r[4] * y + r[5] * z
    velocity[b, 2] = r[6] * x + r[7] * y + r[8] * z


@step_kernel
def move_space(pose, velocity, acceleration, half, b, order, h):
    """(1) and (2) for a rigid body: half-step twist to ``half``, the continued one to ``velocity``, in body axes."""
    ux, uy, uz = to_body(pose, b, velocity[b, 0], velocity[b, 1], velocity[b, 2])
    dx, dy, dz = half_change(pose, velocity, acceleration, b, h, ux, uy, uz)
    ux += dx
    uy += dy
    uz += dz
    for k in range(3, 6):
        half[b, k] = velocity[b, k] + 0.5 * h * acceleration[b, k]
        velocity[b, k] += h * acceleration[b, k]
    if order == FIRST:
        new = advance_space_first(
            pose[b, 0], pose[b, 1], pose[b, 2], pose[b, 3], pose[b, 4], pose[b, 5], pose[b, 6],
            ux, uy, uz, half[b, 3], half[b, 4], half[b, 5], h,
        )  # fmt: skip
    elif order == SECOND:
        new = advance_space_second(
            pose[b, 0], pose[b, 1], pose[b, 2], pose[b, 3], pose[b, 4], pose[b, 5], pose[b, 6],
            ux, uy, uz, half[b, 3], half[b, 4], half[b, 5], h,
        )  # fmt: skip
    else:
        new = advance_space_exact(
            pose[b, 0], pose[b, 1], pose[b, 2], pose[b, 3], pose[b, 4], pose[b, 5], pose[b, 6],
            ux, uy, uz, half[b, 3], half[b, 4], half[b, 5], h,
        )  # fmt: skip
    for k in range(7):
        pose[b, k] = new[k]
    half[b, 0] = ux
    half[b, 1] = uy
    half[b, 2] = uz
    velocity[b, 0] = ux + dx
    velocity[b, 1] = uy + dy
    velocity[b, 2] = uz + dz


@step_kernel
def finish_space(pose, velocity, acceleration, half, b, h):
    """(3) for a rigid body; ``velocity`` (world axes, continued twist) becomes the new one."""
    ux, uy, uz = to_body(pose, b, velocity[b, 0], velocity[b, 1], velocity[b, 2])
    dx, dy, dz = half_change(pose, velocity, acceleration, b, h, ux, uy, uz)
    velocity[b, 0] = half[b, 0] + dx
    velocity[b, 1] = half[b, 1] + dy
    velocity[b, 2] = half[b, 2] + dz
    for k in range(3, 6):
        velocity[b, k] = half[b, k] + 0.5 * h * acceleration[b, k]
    to_world(pose, velocity, b)


@step_kernel
def run_ici(
    evaluate_call, order, t, step, frame_times, next_frame, frames, counters, values, rates, pose, velocity, states,
    acceleration, state_rate, work, tables,
):  # fmt: skip
    """Advance to the last frame time; returns (time, next frame, outcome)."""
    bodies = tables[BODIES]
    half = work[: pose.shape[0]]
    state_start = work.reshape(work.size)[pose.shape[0] * work.shape[1] :]
    rates_at(t, False, evaluate_call, tables)
    while next_frame < frame_times.size:
        count, h = whole_steps(frame_times[next_frame] - t, step)
        origin = t
        for i in range(count):
            for b in range(pose.shape[0]):
                kind = bodies[b + 1].kind
                if kind == BODY_PLANAR:
                    move_plane(pose, velocity, acceleration, half, b, order, h)
                elif kind == BODY_PSEUDO_RIGID:
                    for k in range(12):
                        half[b, k] = velocity[b, k] + 0.5 * h * acceleration[b, k]
                        velocity[b, k] += h * acceleration[b, k]
                        pose[b, k] += h * half[b, k]
                else:
                    move_space(pose, velocity, acceleration, half, b, order, h)
            for k in range(states.size):
                state_start[k] = state_rate[k]
                states[k] += h * state_rate[k]
            t = origin + (i + 1) * h
            # Forces at the new pose with the continued twist, in world axes.
            for b in range(pose.shape[0]):
                kind = bodies[b + 1].kind
                if kind == BODY_PLANAR:
                    x = velocity[b, 0]
                    y = velocity[b, 1]
                    c = math.cos(pose[b, 2])
                    s = math.sin(pose[b, 2])
                    velocity[b, 0] = c * x - s * y
                    velocity[b, 1] = s * x + c * y
                elif kind != BODY_PSEUDO_RIGID:
                    to_world(pose, velocity, b)
            rates_at(t, False, evaluate_call, tables)
            for b in range(pose.shape[0]):
                kind = bodies[b + 1].kind
                if kind == BODY_PLANAR:
                    x = velocity[b, 0]
                    y = velocity[b, 1]
                    c = math.cos(pose[b, 2])
                    s = math.sin(pose[b, 2])
                    velocity[b, 0] = c * x + s * y
                    velocity[b, 1] = -s * x + c * y
                    finish_plane(pose, velocity, acceleration, half, b, h)
                elif kind == BODY_PSEUDO_RIGID:
                    for k in range(12):
                        velocity[b, k] = half[b, k] + 0.5 * h * acceleration[b, k]
                else:
                    finish_space(pose, velocity, acceleration, half, b, h)
            for k in range(states.size):
                states[k] += 0.5 * h * (state_rate[k] - state_start[k])
            rates_at(t, False, evaluate_call, tables)
            if settle(t, tables) != 0:
                counters[STEPS] += i + 1
                return t, next_frame, 6
        counters[STEPS] += count
        counters[EVALUATIONS] += 2 * count
        t = frame_times[next_frame]
        if not all_finite(values):
            return origin, next_frame, 1
        write_frame(frames[next_frame], t, values, rates, 0.0, 1.0, tables)
        next_frame += 1
    return t, next_frame, 0


@dataclass(frozen=True)
class IciMethod(FixedStepMethod):
    """Poses by instantaneous-centre integration, twists by forces."""

    name: str
    option: int
    order: int
    summary: str
    march: ClassVar[Any] = run_ici
    reference: str = "ICI thesis, equations (12) to (36), corrected; SE(3) exponential in space"
    keeps: str = "a steady turn (ici-exact: to round-off)"
    default_step: float = 1e-3
    refused_bodies: tuple[int, ...] = (BODY_FULL_MASS,)

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
