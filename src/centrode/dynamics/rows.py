"""Constraint rows during a step: ask every kind of joint, residuals, compliant push, reaction on the bodies."""

from __future__ import annotations

from centrode.jit import call_by_address, step_kernel
from centrode.parts.kernel_types import JOINT_BODY_A, JOINT_MARKER_A, JOINT_ROWS, JOINT_SIGNATURE

call_joint = call_by_address(JOINT_SIGNATURE)


@step_kernel
def ask_joints(
    time, joint_calls, joint_spans, joint_par, joint_link, joint_memory, data, inputs, markers, jacobian, terms
):
    """Let every kind of joint write its rows."""
    for n in range(joint_spans.shape[0]):
        call_joint(
            joint_calls[n],
            (
                time,
                joint_spans[n, 0],
                joint_spans[n, 1],
                joint_par,
                joint_link,
                data,
                inputs,
                joint_memory,
                markers,
                jacobian,
                terms,
            ),
        )


@step_kernel
def row_speed(joint_link, markers, jacobian, terms, j, r):
    """Velocity residual of a row: J v + nu."""
    total = terms[j, r, 1]
    for side in range(2):
        m = joint_link[j, JOINT_MARKER_A + side]
        for k in range(6):
            total += jacobian[j, side, r, k] * markers[m, 3 + k]
    return total


@step_kernel
def push_compliant(compliant_joints, compliance, joint_link, row_active, markers, jacobian, terms, wrench):
    """Compliant joints: each row is a spring-damper, wrench = -J^T (k phi + c (J v + nu)).

    Sums are kept in scalars: written to the table in each row they would cost three times as much.
    """
    for n in range(compliant_joints.shape[0]):
        j = compliant_joints[n]
        ma = joint_link[j, JOINT_MARKER_A]
        mb = joint_link[j, JOINT_MARKER_A + 1]
        a0 = a1 = a2 = a3 = a4 = a5 = 0.0
        b0 = b1 = b2 = b3 = b4 = b5 = 0.0
        for r in range(joint_link[j, JOINT_ROWS]):
            push = -row_active[j, r] * (
                compliance[j, r, 0] * terms[j, r, 0]
                + compliance[j, r, 1] * row_speed(joint_link, markers, jacobian, terms, j, r)
            )
            a0 += push * jacobian[j, 0, r, 0]
            a1 += push * jacobian[j, 0, r, 1]
            a2 += push * jacobian[j, 0, r, 2]
            a3 += push * jacobian[j, 0, r, 3]
            a4 += push * jacobian[j, 0, r, 4]
            a5 += push * jacobian[j, 0, r, 5]
            b0 += push * jacobian[j, 1, r, 0]
            b1 += push * jacobian[j, 1, r, 1]
            b2 += push * jacobian[j, 1, r, 2]
            b3 += push * jacobian[j, 1, r, 3]
            b4 += push * jacobian[j, 1, r, 4]
            b5 += push * jacobian[j, 1, r, 5]
        wrench[ma, 0] = a0
        wrench[ma, 1] = a1
        wrench[ma, 2] = a2
        wrench[ma, 3] = a3
        wrench[ma, 4] = a4
        wrench[ma, 5] = a5
        wrench[mb, 0] = b0
        wrench[mb, 1] = b1
        wrench[mb, 2] = b2
        wrench[mb, 3] = b3
        wrench[mb, 4] = b4
        wrench[mb, 5] = b5


@step_kernel
def subtract_rows(velocity_token, joint_link, exact_joints, weighted, multipliers, weighted_force):
    """f~ - Y^T x, body by body, in place."""
    for n in range(exact_joints.shape[0]):
        j = exact_joints[n]
        rows = joint_link[j, JOINT_ROWS]
        for side in range(2):
            b = joint_link[j, JOINT_BODY_A + side]
            if b == 0:
                continue
            for r in range(rows):
                x = multipliers[j, r]
                for k in range(len(velocity_token)):
                    weighted_force[b, k] -= weighted[j, side, r, k] * x
