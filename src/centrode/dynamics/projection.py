"""Projections on the constraints, with the rows and the factor of the last evaluation.

Coordinate projection dq = -D^+ phi and velocity projection du = -D^+ (D u) of the bicycle lecture notes, where the
pseudo-inverse D^+ = M^-1 J^T S^-1 is taken in the metric of the masses (equal to Moore-Penrose for unit masses).
"""

from __future__ import annotations

from centrode.dynamics.block_solver import solve
from centrode.dynamics.kinematics import place
from centrode.dynamics.rows import ask_joints, row_speed, subtract_rows
from centrode.dynamics.weighing import unweigh
from centrode.jit import step_kernel
from centrode.math.rotation import turn_quaternion
from centrode.parts.bodies.codes import BODY_PLANAR, BODY_PSEUDO_RIGID
from centrode.parts.kernel_types import JOINT_ROWS


@step_kernel
def project_velocity(
    velocity_token,
    row_token,
    bodies,
    data,
    joint_link,
    row_active,
    exact_joints,
    columns,
    subblocks,
    velocity,
    rotation,
    markers,
    jacobian,
    terms,
    weighted,
    blocks,
    pivots,
    multipliers,
    weighted_force,
    correction,
):
    """Move the velocities onto J v + nu = 0, nearest in the sense of kinetic energy: v -= M^-1 J^T S^-1 (J v + nu)."""
    for n in range(exact_joints.shape[0]):
        j = exact_joints[n]
        for r in range(len(row_token)):
            multipliers[j, r] = 0.0
        for r in range(joint_link[j, JOINT_ROWS]):
            multipliers[j, r] = row_active[j, r] * row_speed(joint_link, markers, jacobian, terms, j, r)
    solve(row_token, columns, subblocks, blocks, pivots, multipliers)
    for b in range(1, bodies.shape[0]):
        for k in range(len(velocity_token)):
            weighted_force[b, k] = 0.0
    subtract_rows(velocity_token, joint_link, exact_joints, weighted, multipliers, weighted_force)
    for b in range(1, bodies.shape[0]):
        unweigh(bodies, data, b, rotation, weighted_force, correction)
        for k in range(len(velocity_token)):
            velocity[b - 1, k] += correction[b - 1, k]


@step_kernel
def project_position(
    time,
    iterations,
    enough,
    velocity_token,
    row_token,
    bodies,
    marker_table,
    gravity,
    force_calls,
    force_spans,
    force_par,
    force_link,
    force_memory,
    joint_calls,
    joint_spans,
    joint_par,
    joint_link,
    joint_memory,
    compliance,
    row_active,
    exact_joints,
    compliant_joints,
    data,
    inputs,
    audit,
    pairs,
    columns,
    subblocks,
    targets,
    pose,
    velocity,
    states,
    pose_rate,
    acceleration,
    state_rate,
    rotation,
    markers,
    wrench,
    jacobian,
    terms,
    weighted,
    blocks,
    pivots,
    multipliers,
    weighted_force,
):
    """Simplified Newton steps onto phi = 0 with rows and factor of the last evaluation.

    The rotations that turned body axes to world axes at that evaluation are still needed to un-weigh the
    corrections; :func:`place` overwrites them with those of the present pose, a difference of the order of the
    step, which a simplified Newton step may ignore.

    Returns:
        Largest |phi| found before the first correction, in the rows' own units.
    """
    first_residual = 0.0
    for n in range(iterations):
        place(bodies, marker_table, data, pose, rotation, markers)
        ask_joints(
            time, joint_calls, joint_spans, joint_par, joint_link, joint_memory, data, inputs, markers, jacobian, terms
        )
        largest = 0.0
        for i in range(exact_joints.shape[0]):
            j = exact_joints[i]
            for r in range(len(row_token)):
                multipliers[j, r] = 0.0
            for r in range(joint_link[j, JOINT_ROWS]):
                phi = terms[j, r, 0] * row_active[j, r]
                multipliers[j, r] = phi
                if not (abs(phi) <= largest):
                    largest = abs(phi)
        if n == 0:
            first_residual = largest
        if largest <= enough:
            break
        solve(row_token, columns, subblocks, blocks, pivots, multipliers)
        for b in range(1, bodies.shape[0]):
            for k in range(len(velocity_token)):
                weighted_force[b, k] = 0.0
        subtract_rows(velocity_token, joint_link, exact_joints, weighted, multipliers, weighted_force)
        for b in range(1, bodies.shape[0]):
            unweigh(bodies, data, b, rotation, weighted_force, acceleration)
            slot = b - 1
            pose[slot, 0] += acceleration[slot, 0]
            pose[slot, 1] += acceleration[slot, 1]
            pose[slot, 2] += acceleration[slot, 2]
            if bodies[b].kind == BODY_PSEUDO_RIGID:
                for k in range(9):
                    pose[slot, 3 + k] += acceleration[slot, 3 + k]
            elif bodies[b].kind != BODY_PLANAR:
                qw, qx, qy, qz = turn_quaternion(
                    pose[slot, 3],
                    pose[slot, 4],
                    pose[slot, 5],
                    pose[slot, 6],
                    acceleration[slot, 3],
                    acceleration[slot, 4],
                    acceleration[slot, 5],
                )
                pose[slot, 3] = qw
                pose[slot, 4] = qx
                pose[slot, 5] = qy
                pose[slot, 6] = qz
    return first_residual


@step_kernel
def correct_velocity(
    time,
    scale,
    velocity_token,
    row_token,
    bodies,
    marker_table,
    gravity,
    force_calls,
    force_spans,
    force_par,
    force_link,
    force_memory,
    joint_calls,
    joint_spans,
    joint_par,
    joint_link,
    joint_memory,
    compliance,
    row_active,
    exact_joints,
    compliant_joints,
    data,
    inputs,
    audit,
    pairs,
    columns,
    subblocks,
    targets,
    pose,
    velocity,
    states,
    pose_rate,
    acceleration,
    state_rate,
    rotation,
    markers,
    wrench,
    jacobian,
    terms,
    weighted,
    blocks,
    pivots,
    multipliers,
    weighted_force,
):
    """Take joint impulses off the velocities: v -= scale M^-1 J^T S^-1 phi, rows and factor of the last evaluation.

    phi is that of the present pose; the pose stays. What a method needs that chooses velocities so that the *next*
    pose closes the joints (scale = 1 / step).

    Returns:
        Largest |phi|.
    """
    place(bodies, marker_table, data, pose, rotation, markers)
    ask_joints(
        time, joint_calls, joint_spans, joint_par, joint_link, joint_memory, data, inputs, markers, jacobian, terms
    )
    largest = 0.0
    for i in range(exact_joints.shape[0]):
        j = exact_joints[i]
        for r in range(len(row_token)):
            multipliers[j, r] = 0.0
        for r in range(joint_link[j, JOINT_ROWS]):
            phi = terms[j, r, 0] * row_active[j, r]
            multipliers[j, r] = phi * scale
            if not (abs(phi) <= largest):
                largest = abs(phi)
    solve(row_token, columns, subblocks, blocks, pivots, multipliers)
    for b in range(1, bodies.shape[0]):
        for k in range(len(velocity_token)):
            weighted_force[b, k] = 0.0
    subtract_rows(velocity_token, joint_link, exact_joints, weighted, multipliers, weighted_force)
    for b in range(1, bodies.shape[0]):
        unweigh(bodies, data, b, rotation, weighted_force, acceleration)
        for k in range(len(velocity_token)):
            velocity[b - 1, k] += acceleration[b - 1, k]
    return largest
