"""Constraint rows during a step: ask every kind of joint, residuals, compliant push, reaction on the bodies."""

from __future__ import annotations

from centrode.jit import call_by_address, step_kernel
from centrode.math.vector import ZERO, plus_times, put, vector
from centrode.parts.kernel_types import (
    JOINT_BODY_A,
    JOINT_BODY_C,
    JOINT_MARKER_A,
    JOINT_MARKER_B,
    JOINT_MARKER_C,
    JOINT_ROWS,
    JOINT_SIGNATURE,
    VELOCITY,
)
from centrode.parts.tables import borrow

call_joint = call_by_address(JOINT_SIGNATURE)


@step_kernel
def ask_joints(time, tables):
    """Let every kind of joint write its rows."""
    t = borrow(tables)
    for span in t.joint_spans:
        call_joint(
            span.kernel,
            (
                time, span.first, span.count, t.joint_par, t.joint_link, t.data, t.inputs, t.joint_memory, t.markers,
                t.jacobian, t.terms,
            ),
        )  # fmt: skip


@step_kernel
def row_speed(j, r, sides, t):
    """Velocity residual of a row: J v + nu."""
    total = t.terms[j, r, 1]
    for side in range(sides):
        m = t.joint_link[j, JOINT_MARKER_A + side]
        for k in range(6):
            total += t.jacobian[j, side, r, k] * t.markers[m, VELOCITY + k]
    return total


@step_kernel
def compliant_push(j, r, sides, t):
    """Force or torque along a compliant row: -(k phi + c (J v + nu))."""
    speed = row_speed(j, r, sides, t)
    return -t.row_active[j, r] * (t.compliance[j, r, 0] * t.terms[j, r, 0] + t.compliance[j, r, 1] * speed)


@step_kernel
def push_compliant(side_token, tables):
    """Compliant joints: each row is a spring-damper, wrench = -J^T (k phi + c (J v + nu))."""
    t = borrow(tables)
    for j in t.compliant_joints:
        # Sums are kept in scalars: written to the table in each row they would cost three times as much.
        force_a, torque_a, force_b, torque_b = ZERO, ZERO, ZERO, ZERO
        a, b = t.joint_link[j, JOINT_MARKER_A], t.joint_link[j, JOINT_MARKER_B]
        for r in range(t.joint_link[j, JOINT_ROWS]):
            row_a, row_b = t.jacobian[j, 0, r], t.jacobian[j, 1, r]
            push = compliant_push(j, r, len(side_token), t)
            force_a = plus_times(force_a, push, vector(row_a, 0))
            torque_a = plus_times(torque_a, push, vector(row_a, 3))
            force_b = plus_times(force_b, push, vector(row_b, 0))
            torque_b = plus_times(torque_b, push, vector(row_b, 3))
        put(t.wrench[a], 0, force_a)
        put(t.wrench[a], 3, torque_a)
        put(t.wrench[b], 0, force_b)
        put(t.wrench[b], 3, torque_b)
        if len(side_token) > 2 and t.joint_link[j, JOINT_BODY_C] != 0:
            c = t.joint_link[j, JOINT_MARKER_C]
            force_c, torque_c = ZERO, ZERO
            for r in range(t.joint_link[j, JOINT_ROWS]):
                push = compliant_push(j, r, len(side_token), t)
                force_c = plus_times(force_c, push, vector(t.jacobian[j, 2, r], 0))
                torque_c = plus_times(torque_c, push, vector(t.jacobian[j, 2, r], 3))
            put(t.wrench[c], 0, force_c)
            put(t.wrench[c], 3, torque_c)


@step_kernel
def subtract_rows(velocity_token, side_token, tables):
    """f~ - Y^T x, body by body, in place."""
    t = borrow(tables)
    for j in t.exact_joints:
        rows = t.joint_link[j, JOINT_ROWS]
        for side in range(len(side_token)):
            b = t.joint_link[j, JOINT_BODY_A + side]
            if b == 0:
                continue
            for r in range(rows):
                x = t.multipliers[j, r]
                for k in range(len(velocity_token)):
                    t.weighted_force[b, k] -= t.weighted[j, side, r, k] * x
