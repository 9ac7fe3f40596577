"""One evaluation of the equations of motion: the stages of a step in their fixed order.

    kinematics -> joints (rows) -> weighing, factorisation -> [velocity projection] -> forces -> contacts
    -> multipliers -> accelerations

Augmented system of the bicycle lecture notes, equation (10.2), for all systems of the house. With the mass matrix
M = L L^T of the bodies, weighed rows Y = J L^-T and weighed forces f~ = L^-1 f:

    M a + J^T x = f,     J a + gamma = 0      =>      S x = Y f~ + gamma,   S = Y Y^T,   a = L^-T (f~ - Y^T x)    (1)

x are the multipliers; the wrench of a joint on its markers is -J^T x.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from centrode.dynamics.block_solver import SUMS, assemble, factorise, solve
from centrode.dynamics.bodies import (
    accelerate,
    dissipated_power,
    fall,
    move_bodies,
    place_and_move,
    weigh_forces,
    weigh_rows,
)
from centrode.dynamics.contact.tables import borrow_contacts
from centrode.dynamics.projection import project_velocity
from centrode.dynamics.rows import add_weighed, ask_joints, push_compliant, subtract_rows
from centrode.jit import call_by_address, step_kernel
from centrode.math.record import local_row, open_sized
from centrode.parts.kernel_types import (
    ANGULAR_CONVECTIVE,
    CONVECTIVE,
    FORCE_SIGNATURE,
    JOINT_BODY_C,
    JOINT_MARKER_A,
    JOINT_MARKER_B,
    JOINT_POINTS,
    JOINT_ROWS,
    LINK_MARKER_COUNT,
    LINK_MARKERS,
    VELOCITY,
)
from centrode.parts.tables import EVALUATE_SIGNATURE, borrow, call_evaluate, call_push, call_settle, evaluate_of

call_force = call_by_address(FORCE_SIGNATURE)


@step_kernel(signature=EVALUATE_SIGNATURE)
def rates_at(time, project, tables):
    """Rates of the present values at ``time``: what methods call. Returns the smallest relative pivot.

    Bodies on which nothing but gravity acts need no stage: their address of an evaluation is 0.
    """
    if evaluate_of(tables) == 0:
        fall(tables)
        return 1.0
    return call_evaluate(evaluate_of(tables), (time, project, tables))


@step_kernel
def rates_again(time, project, tables):
    """As :func:`rates_at` where only velocities have changed since: contacts are not searched for a second time."""
    contacts = borrow(tables).contacts
    if contacts == 0:
        return rates_at(time, project, tables)
    head = borrow_contacts(contacts).head[0]
    head.again = 1
    pivot = rates_at(time, project, tables)
    head.again = 0
    return pivot


@step_kernel
def settle(time, tables):
    """Let the contacts note an accepted state, right after its evaluation; 1 when the run loop has to look.

    Stages of a method and rejected steps evaluate trial states; what is permanent (crush, episodes of contact) must not
    follow them. Settling changes memory, and the force at that very state only where the notes say so (renewed).
    """
    t = borrow(tables)
    if t.push_contacts == 0:
        return 0
    return call_settle(t.settle_contacts, (time, tables))


@cache
def evaluation(velocities: int, rows: int, sides: int) -> Any:
    """The kernel :func:`evaluate` for so many velocities a body, rows and bodies a joint, which it then counts on."""
    size = (0,) * velocities, (0,) * rows, (0,) * sides

    @step_kernel(signature=EVALUATE_SIGNATURE)
    def evaluate_sized(time, project, tables):
        return evaluate(time, project, size, tables)

    return evaluate_sized


@step_kernel
def evaluate(time, project, size, tables):
    """Rates of pose, velocity and internal states at ``time``.

    Args:
        time: [s].
        project: project the velocities onto the constraints first (once a step, with the factor of this stage).
        size: tuples whose *lengths* are the velocities per body, the rows per joint block and the bodies per joint.
        tables: address of the tables.

    Returns:
        Smallest relative pivot of the factorisation (how far from singular or redundant; 1 without joints).
    """
    t = borrow(tables)
    velocity_token, row_token, side_token = size
    place_and_move(tables)
    smallest = 1.0
    exact = t.exact_joints.shape[0] > 0
    if t.joint_spans.shape[0] > 0:
        ask_joints(time, tables)
        if exact:
            weigh_rows(tables)
            assemble(velocity_token, row_token, tables)
            smallest = factorise(row_token, tables)
            if project:
                project_velocity(size, tables)
                move_bodies(tables)
                ask_joints(time, tables)
        if t.compliant_joints.shape[0] > 0:
            push_compliant(size, tables)
    ask_forces(time, tables)
    if t.push_contacts != 0:
        call_push(t.push_contacts, (time, tables))
    if exact:
        weigh_forces(tables)
        right_side(size, tables)
        solve(row_token, tables)
        subtract_rows(size, tables)
    accelerate(exact, tables)
    if t.audit >= 0:
        audit_power(side_token, tables)
        t.state_rate[t.audit + t.force_link.shape[0] + t.contact_markers.shape[0]] -= dissipated_power(tables)
    return smallest


@step_kernel
def ask_forces(time, tables):
    """Let every kind of force write its wrenches and the rates of its internal states."""
    t = borrow(tables)
    for span in t.force_spans:
        call_force(
            span.kernel,
            (
                time, span.first, span.count, t.force_par, t.force_link, t.data, t.inputs, t.force_memory, t.markers,
                t.states, t.wrench, t.state_rate,
            ),
        )  # fmt: skip


@step_kernel(fastmath=SUMS)
def right_side(size, tables):
    """Y f~ + gamma of (1), with the convective accelerations of the markers, into the multipliers."""
    t = borrow(tables)
    rows, sides = len(size[1]), len(size[2])
    deformable = len(size[0]) > 6  # only then a marker may have a convective angular acceleration
    jacobian, terms = open_sized(t.jacobian, (sides, rows, 6)), open_sized(t.terms, (rows, 3))
    active, multipliers = open_sized(t.row_active, (rows,)), open_sized(t.multipliers, (rows,))
    total = local_row(size[1])
    for j in t.exact_joints:
        for r in range(rows):
            total[r] = terms[j, r, 2]
        points = t.joint_link[j, JOINT_POINTS] != 0
        if points:
            a, b = t.markers[t.joint_link[j, JOINT_MARKER_A]], t.markers[t.joint_link[j, JOINT_MARKER_B]]
            for r in range(2 if len(size[0]) == 3 else 3):
                total[r] += a[CONVECTIVE + r] - b[CONVECTIVE + r]
        for side in range(0 if points else sides):
            marker = t.markers[t.joint_link[j, JOINT_MARKER_A + side]]
            for k in range(6 if deformable else 3):
                convective = marker[CONVECTIVE + k] if k < 3 else marker[ANGULAR_CONVECTIVE + k - 3]
                for r in range(rows):
                    total[r] += jacobian[j, side, r, k] * convective
        for r in range(rows):
            total[r] *= active[j, r]
        add_weighed(j, size, total, t)
        for r in range(rows):
            multipliers[j, r] = total[r]


@step_kernel
def audit_power(side_token, tables):
    """Power of every force, of the contacts of every body, of compliant and of driven exact joints: audit rates.

    A force's power is that of its wrenches at its own markers. An exact joint does work only where it is driven:
    -x . (J v) = x . nu. So work is integrated by the method itself and energy minus work closes to its order.
    """
    t = borrow(tables)
    count = t.force_link.shape[0]
    for i in range(count):
        power = 0.0
        for k in range(t.force_link[i, LINK_MARKER_COUNT]):
            m = t.force_link[i, LINK_MARKERS + k]
            power += power_at(t.wrench[m], t.markers[m])
        t.state_rate[t.audit + i] = power
    for e in range(t.contact_markers.shape[0]):
        power = 0.0
        for m in t.contact_markers[e]:
            power += power_at(t.wrench[m], t.markers[m])
        t.state_rate[t.audit + count + e] = power
    count += t.contact_markers.shape[0]
    power = 0.0
    for j in t.compliant_joints:
        for side in range(3 if len(side_token) > 2 and t.joint_link[j, JOINT_BODY_C] != 0 else 2):
            m = t.joint_link[j, JOINT_MARKER_A + side]
            power += power_at(t.wrench[m], t.markers[m])
    t.state_rate[t.audit + count] = power
    power = 0.0
    for j in t.exact_joints:
        for r in range(t.joint_link[j, JOINT_ROWS]):
            power += t.multipliers[j, r] * t.terms[j, r, 1]
    t.state_rate[t.audit + count + 1] = power


@step_kernel
def power_at(wrench, marker):
    """Power of the wrench at a marker [W]."""
    total = 0.0
    for c in range(6):
        total += wrench[c] * marker[VELOCITY + c]
    return total
