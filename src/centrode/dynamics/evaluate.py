"""One evaluation of the equations of motion: the stages of a step in their fixed order.

    kinematics -> joints (rows) -> weighing, factorisation -> [velocity projection] -> forces -> multipliers
    -> accelerations

Augmented system of the bicycle lecture notes, equation (10.2), for all systems of the house:

    M a + J^T x = f,     J a + gamma = 0      =>      S x = Y f~ + gamma,   a = L^-T (f~ - Y^T x)        (1)

with the weighed quantities of :mod:`centrode.dynamics.weighing`. x are the multipliers; the wrench of a joint on
its markers is -J^T x.
"""

from __future__ import annotations

from centrode.dynamics.block_solver import SUMS, assemble, factorise, remember_diagonal, solve
from centrode.dynamics.kinematics import move, place
from centrode.dynamics.projection import project_velocity
from centrode.dynamics.pseudo_rigid import material_damping_power
from centrode.dynamics.rows import ask_joints, push_compliant, subtract_rows
from centrode.dynamics.tables import TABLE_NAMES
from centrode.dynamics.weighing import unweigh, weigh_forces, weigh_rows
from centrode.jit import call_by_address, call_with_tables, step_kernel
from centrode.parts.bodies.codes import BODY_FULL_MASS, BODY_PLANAR, BODY_PSEUDO_RIGID
from centrode.parts.kernel_types import (
    FORCE_SIGNATURE,
    JOINT_BODY_A,
    JOINT_MARKER_A,
    JOINT_ROWS,
    LINK_MARKER_COUNT,
    LINK_MARKERS,
)

call_force = call_by_address(FORCE_SIGNATURE)


@step_kernel(fastmath=SUMS)
def evaluate(
    time,
    project,
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
    """Rates of pose, velocity and internal states at ``time``.

    Args:
        time: [s].
        project: project the velocities onto the constraints first (once a step, with the factor of this stage).
        velocity_token, row_token: tuples whose *lengths* are the velocities per body and the rows per joint block.

    Returns:
        Smallest relative pivot of the factorisation (how far from singular or redundant; 1 without joints).
    """
    place(bodies, marker_table, data, pose, rotation, markers)
    move(bodies, marker_table, data, pose, velocity, rotation, markers)
    smallest = 1.0
    exact = exact_joints.shape[0] > 0
    deformable = len(velocity_token) == 12  # only then a marker has a convective angular acceleration
    if joint_spans.shape[0] > 0:
        ask_joints(
            time, joint_calls, joint_spans, joint_par, joint_link, joint_memory, data, inputs, markers, jacobian, terms
        )
        if exact:
            weigh_rows(
                bodies,
                marker_table,
                data,
                joint_link,
                exact_joints,
                row_active,
                pose,
                rotation,
                markers,
                jacobian,
                weighted,
            )
            assemble(velocity_token, row_token, pairs, weighted, blocks)
            remember_diagonal(row_token, columns, blocks, pivots)
            smallest = factorise(row_token, columns, subblocks, targets, blocks, pivots)
            if project:
                project_velocity(
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
                    acceleration,
                )
                move(bodies, marker_table, data, pose, velocity, rotation, markers)
                ask_joints(
                    time,
                    joint_calls,
                    joint_spans,
                    joint_par,
                    joint_link,
                    joint_memory,
                    data,
                    inputs,
                    markers,
                    jacobian,
                    terms,
                )
        if compliant_joints.shape[0] > 0:
            push_compliant(compliant_joints, compliance, joint_link, row_active, markers, jacobian, terms, wrench)
    for n in range(force_spans.shape[0]):
        call_force(
            force_calls[n],
            (
                time,
                force_spans[n, 0],
                force_spans[n, 1],
                force_par,
                force_link,
                data,
                inputs,
                force_memory,
                markers,
                states,
                wrench,
                state_rate,
            ),
        )
    weigh_forces(bodies, marker_table, data, gravity, pose, velocity, rotation, markers, wrench, weighted_force)
    if exact:
        for n in range(exact_joints.shape[0]):
            j = exact_joints[n]
            for r in range(joint_link[j, JOINT_ROWS]):
                total = terms[j, r, 2]
                for side in range(2):
                    m = joint_link[j, JOINT_MARKER_A + side]
                    for k in range(3):
                        total += jacobian[j, side, r, k] * markers[m, 9 + k]
                    if deformable:
                        for k in range(3):
                            total += jacobian[j, side, r, 3 + k] * markers[m, 21 + k]
                total *= row_active[j, r]
                for side in range(2):
                    b = joint_link[j, JOINT_BODY_A + side]
                    if b != 0:
                        for k in range(len(velocity_token)):
                            total += weighted[j, side, r, k] * weighted_force[b, k]
                multipliers[j, r] = total
        solve(row_token, columns, subblocks, blocks, pivots, multipliers)
        subtract_rows(velocity_token, joint_link, exact_joints, weighted, multipliers, weighted_force)
    for b in range(1, bodies.shape[0]):
        slot = b - 1
        unweigh(bodies, data, b, rotation, weighted_force, acceleration)
        pose_rate[slot, 0] = velocity[slot, 0]
        pose_rate[slot, 1] = velocity[slot, 1]
        pose_rate[slot, 2] = velocity[slot, 2]
        if bodies[b].kind == BODY_PLANAR:
            continue
        if bodies[b].kind == BODY_PSEUDO_RIGID:
            for k in range(9):
                pose_rate[slot, 3 + k] = velocity[slot, 3 + k]
            continue
        wx = velocity[slot, 3]
        wy = velocity[slot, 4]
        wz = velocity[slot, 5]
        if bodies[b].kind == BODY_FULL_MASS:
            # v is kept in world axes: v' = R (v_body' + w x v_body) = R v_body' + W x v.
            ox = rotation[b, 0] * wx + rotation[b, 1] * wy + rotation[b, 2] * wz
            oy = rotation[b, 3] * wx + rotation[b, 4] * wy + rotation[b, 5] * wz
            oz = rotation[b, 6] * wx + rotation[b, 7] * wy + rotation[b, 8] * wz
            acceleration[slot, 0] += oy * velocity[slot, 2] - oz * velocity[slot, 1]
            acceleration[slot, 1] += oz * velocity[slot, 0] - ox * velocity[slot, 2]
            acceleration[slot, 2] += ox * velocity[slot, 1] - oy * velocity[slot, 0]
        turn_rate(pose, pose_rate, slot, wx, wy, wz)
    if audit[0] >= 0:
        audit_power(
            audit[0],
            force_link,
            joint_link,
            exact_joints,
            compliant_joints,
            markers,
            wrench,
            terms,
            multipliers,
            state_rate,
        )
        if deformable:
            state_rate[audit[0] + force_link.shape[0]] -= material_damping_power(bodies, data, pose, velocity)
    return smallest


@step_kernel
def audit_power(
    first, force_link, joint_link, exact_joints, compliant_joints, markers, wrench, terms, multipliers, state_rate
):
    """Power of every force, of all compliant joints and of all driven exact joints, as rates of the audit states.

    A force's power is that of its wrenches at its own markers. An exact joint does work only where it is driven:
    -x . (J v) = x . nu. So work is integrated by the method itself and energy minus work closes to its order.
    """
    for i in range(force_link.shape[0]):
        power = 0.0
        for k in range(force_link[i, LINK_MARKER_COUNT]):
            m = force_link[i, LINK_MARKERS + k]
            for c in range(6):
                power += wrench[m, c] * markers[m, 3 + c]
        state_rate[first + i] = power
    power = 0.0
    for n in range(compliant_joints.shape[0]):
        for side in range(2):
            m = joint_link[compliant_joints[n], JOINT_MARKER_A + side]
            for c in range(6):
                power += wrench[m, c] * markers[m, 3 + c]
    state_rate[first + force_link.shape[0]] = power
    power = 0.0
    for n in range(exact_joints.shape[0]):
        j = exact_joints[n]
        for r in range(joint_link[j, JOINT_ROWS]):
            power += multipliers[j, r] * terms[j, r, 1]
    state_rate[first + force_link.shape[0] + 1] = power


@step_kernel
def free_rates(bodies, gravity, pose, velocity, pose_rate, acceleration):
    """As :func:`evaluate`, for bodies on which nothing acts but gravity: no markers, no joints, no forces."""
    for slot in range(pose.shape[0]):
        body = bodies[slot + 1]
        for k in range(3):
            pose_rate[slot, k] = velocity[slot, k]
        if body.kind == BODY_PLANAR:
            acceleration[slot, 0] = gravity[0]
            acceleration[slot, 1] = gravity[1]
            acceleration[slot, 2] = 0.0
            continue
        for k in range(3):
            acceleration[slot, k] = gravity[k]
        wx = velocity[slot, 3]
        wy = velocity[slot, 4]
        wz = velocity[slot, 5]
        # Euler's equations in principal axes; a point mass (no inertia) does not turn.
        if body.inertia[0] > 0.0:
            acceleration[slot, 3] = (body.inertia[1] - body.inertia[2]) / body.inertia[0] * wy * wz
            acceleration[slot, 4] = (body.inertia[2] - body.inertia[0]) / body.inertia[1] * wz * wx
            acceleration[slot, 5] = (body.inertia[0] - body.inertia[1]) / body.inertia[2] * wx * wy
        turn_rate(pose, pose_rate, slot, wx, wy, wz)


@step_kernel
def turn_rate(pose, pose_rate, slot, wx, wy, wz):
    """Quaternion rate q' = q (0, w) / 2, w in body axes."""
    qw = pose[slot, 3]
    qx = pose[slot, 4]
    qy = pose[slot, 5]
    qz = pose[slot, 6]
    pose_rate[slot, 3] = 0.5 * (-qx * wx - qy * wy - qz * wz)
    pose_rate[slot, 4] = 0.5 * (qw * wx + qy * wz - qz * wy)
    pose_rate[slot, 5] = 0.5 * (qw * wy + qz * wx - qx * wz)
    pose_rate[slot, 6] = 0.5 * (qw * wz + qx * wy - qy * wx)


BODIES, GRAVITY, POSE, VELOCITY, POSE_RATE, ACCELERATION = (
    TABLE_NAMES.index(name) for name in ("bodies", "gravity", "pose", "velocity", "pose_rate", "acceleration")
)


@step_kernel(forceinline=True)
def rates_at(time, project, evaluate_call, tables):
    """Rates at ``time``: what methods call. An address of 0 means free bodies, which skip all stages.

    Args:
        evaluate_call: address of :func:`evaluate` compiled for these tables.
        tables: all tables in the order of TABLE_NAMES.
    """
    if evaluate_call == 0:
        free_rates(
            tables[BODIES], tables[GRAVITY], tables[POSE], tables[VELOCITY], tables[POSE_RATE], tables[ACCELERATION]
        )
        return 1.0
    return call_with_tables(evaluate_call, (time, project), tables)
