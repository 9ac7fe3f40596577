"""Constraint rows during a step: ask every kind of joint, residuals, compliant push, reaction on the bodies."""

from __future__ import annotations

from centrode.dynamics.block_solver import SUMS
from centrode.jit import call_by_address, step_kernel
from centrode.math.record import local_row, open_sized
from centrode.parts.kernel_types import (
    JOINT_BODY_A,
    JOINT_BODY_C,
    JOINT_MARKER_A,
    JOINT_MARKER_B,
    JOINT_MARKER_C,
    JOINT_POINTS,
    JOINT_SIGNATURE,
    OMEGA,
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


@step_kernel(fastmath=SUMS)
def speed_along(row, marker):
    """Row of one side times velocity and angular velocity of its marker."""
    total = 0.0
    for k in range(6):
        total += row[k] * marker[VELOCITY + k]
    return total


@step_kernel(fastmath=SUMS)
def row_speed(j, r, sides, t):
    """Velocity residual of a row: J v + nu."""
    total = t.terms[j, r, 1]
    for side in range(sides):
        total += speed_along(t.jacobian[j, side, r], t.markers[t.joint_link[j, JOINT_MARKER_A + side]])
    return total


@step_kernel(fastmath=SUMS)
def add_row(total, push, row):
    """A wrench, six numbers, and ``push`` times a row of one side."""
    return (
        total[0] + push * row[0],
        total[1] + push * row[1],
        total[2] + push * row[2],
        total[3] + push * row[3],
        total[4] + push * row[4],
        total[5] + push * row[5],
    )


@step_kernel
def put_wrench(row, wrench):
    """Write a wrench into a row of the table."""
    for k in range(6):
        row[k] = wrench[k]


@step_kernel(fastmath=SUMS)
def push_compliant(size, tables):
    """Compliant joints: each row is a spring-damper, wrench = -J^T (k phi + c (J v + nu))."""
    t = borrow(tables)
    rows, sides = len(size[1]), len(size[2])
    jacobian, terms = open_sized(t.jacobian, (sides, rows, 6)), open_sized(t.terms, (rows, 3))
    active, compliance = open_sized(t.row_active, (rows,)), open_sized(t.compliance, (rows, 2))
    nothing = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for j in t.compliant_joints:
        if t.joint_link[j, JOINT_POINTS] != 0:
            push_points(j, 2 if len(size[0]) == 3 else 3, size[1], size[2], t)
            continue
        # Sums are kept in scalars: written to the table in each row they would cost three times as much.
        on_a, on_b, on_c = nothing, nothing, nothing
        a, b = t.joint_link[j, JOINT_MARKER_A], t.joint_link[j, JOINT_MARKER_B]
        c = t.joint_link[j, JOINT_MARKER_C]
        for r in range(rows):  # a joint of fewer rows has zeros in the others
            row_a, row_b = jacobian[j, 0, r], jacobian[j, 1, r]
            speed = terms[j, r, 1] + speed_along(row_a, t.markers[a]) + speed_along(row_b, t.markers[b])
            if sides > 2:
                speed += speed_along(jacobian[j, 2, r], t.markers[c])
            push = -active[j, r] * (compliance[j, r, 0] * terms[j, r, 0] + compliance[j, r, 1] * speed)
            on_a = add_row(on_a, push, row_a)
            on_b = add_row(on_b, push, row_b)
            if sides > 2:
                on_c = add_row(on_c, push, jacobian[j, 2, r])
        put_wrench(t.wrench[a], on_a)
        put_wrench(t.wrench[b], on_b)
        if sides > 2 and t.joint_link[j, JOINT_BODY_C] != 0:
            put_wrench(t.wrench[c], on_c)


@step_kernel(fastmath=SUMS)
def push_points(j, linear, row_token, side_token, t):
    """:func:`push_compliant` of a joint that joins points: forces are the pushes themselves, other rows are torques."""
    sides, rows = len(side_token), len(row_token)
    jacobian, terms = open_sized(t.jacobian, (sides, rows, 6)), open_sized(t.terms, (rows, 3))
    active, compliance = open_sized(t.row_active, (rows,)), open_sized(t.compliance, (rows, 2))
    a, b = t.joint_link[j, JOINT_MARKER_A], t.joint_link[j, JOINT_MARKER_B]
    one, two = t.markers[a], t.markers[b]
    pushes = local_row(row_token)
    for r in range(linear):
        pushes[r] = one[VELOCITY + r] - two[VELOCITY + r]
    for r in range(linear, rows):
        speed = 0.0
        for k in range(3):
            speed += jacobian[j, 0, r, 3 + k] * one[OMEGA + k] + jacobian[j, 1, r, 3 + k] * two[OMEGA + k]
        pushes[r] = speed
    for r in range(rows):
        rate = compliance[j, r, 1] * (pushes[r] + terms[j, r, 1])
        pushes[r] = -active[j, r] * (compliance[j, r, 0] * terms[j, r, 0] + rate)
    for side in range(2):
        wrench = t.wrench[a if side == 0 else b]
        for k in range(3):
            force = pushes[k] if k < linear else 0.0
            wrench[k] = force if side == 0 else -force
            torque = 0.0
            for r in range(linear, rows):
                torque += pushes[r] * jacobian[j, side, r, 3 + k]
            wrench[3 + k] = torque


@step_kernel(fastmath=SUMS)
def add_row_speeds(j, row_token, side_token, total, t):
    """total += J v of a joint, row by row."""
    sides, rows = len(side_token), len(row_token)
    jacobian = open_sized(t.jacobian, (sides, rows, 6))
    for side in range(sides):
        marker = t.markers[t.joint_link[j, JOINT_MARKER_A + side]]
        for k in range(6):
            speed = marker[VELOCITY + k]
            for r in range(rows):
                total[r] += jacobian[j, side, r, k] * speed


@step_kernel(fastmath=SUMS)
def add_weighed(j, size, total, t):
    """total += Y f~ of a joint, row by row."""
    velocities, rows, sides = len(size[0]), len(size[1]), len(size[2])
    weighted = open_sized(t.weighted, (sides, rows, velocities))
    weighted_force = open_sized(t.weighted_force, (velocities,))
    linear, turning = (2, 3) if velocities == 3 else (3, 6)
    points = t.joint_link[j, JOINT_POINTS] != 0
    for side in range(2 if points else sides):
        b = t.joint_link[j, JOINT_BODY_A + side]
        if b == 0:
            continue
        if points:
            for r in range(linear):
                total[r] += weighted[j, side, r, r] * weighted_force[b, r]
            for k in range(linear, turning):
                force = weighted_force[b, k]
                for r in range(rows):
                    total[r] += weighted[j, side, r, k] * force
        else:
            for k in range(velocities):
                force = weighted_force[b, k]
                for r in range(rows):
                    total[r] += weighted[j, side, r, k] * force


@step_kernel(fastmath=SUMS)
def subtract_rows(size, tables):
    """f~ - Y^T x, body by body, in place."""
    t = borrow(tables)
    velocities, rows, sides = len(size[0]), len(size[1]), len(size[2])
    weighted = open_sized(t.weighted, (sides, rows, velocities))
    weighted_force, multipliers = open_sized(t.weighted_force, (velocities,)), open_sized(t.multipliers, (rows,))
    linear, turning = (2, 3) if velocities == 3 else (3, 6)
    rest = local_row(size[0])
    for j in t.exact_joints:
        for side in range(sides):
            b = t.joint_link[j, JOINT_BODY_A + side]
            if b == 0:
                continue
            for k in range(velocities):
                rest[k] = weighted_force[b, k]
            if t.joint_link[j, JOINT_POINTS] != 0:
                for r in range(linear):
                    rest[r] -= weighted[j, side, r, r] * multipliers[j, r]
                for r in range(rows):
                    x = multipliers[j, r]
                    for k in range(linear, turning):
                        rest[k] -= weighted[j, side, r, k] * x
            else:
                for r in range(rows):
                    x = multipliers[j, r]
                    for k in range(velocities):
                        rest[k] -= weighted[j, side, r, k] * x
            for k in range(velocities):
                weighted_force[b, k] = rest[k]
