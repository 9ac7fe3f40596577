"""Contacts of bodies that exact joints hold: an impulse on one moves its whole cluster.

A cluster is a set of bodies that exact joints connect, directly or through others. With the rows Y = J L^-T of all
joints and the factor of S = Y Y^T (:mod:`centrode.dynamics.evaluate`), an impulse g (force and moment, weighed with the
root of its body's mass) gives the velocities

    x = S^-1 Y g,     v = L^-T (g - Y^T x)                                                               (1)

which keep all joints closed in velocity. (1) is solved for impulses along x, y and z at every point of contact of a
cluster, before the sweeps; what a sweep does to a cluster is then a sum of these. Clusters do not feel each other, so
one solution serves a point of each.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from centrode.dynamics.block_solver import solve
from centrode.dynamics.bodies import unweigh
from centrode.dynamics.evaluate import audit_power
from centrode.dynamics.hard.mobility import NO_MOBILITY, free_answer, keep_normal, world_impulse
from centrode.dynamics.hard.tables import Row, borrow_hard
from centrode.dynamics.projection import velocity_projection
from centrode.dynamics.rows import add_weighed, subtract_rows
from centrode.jit import Kernel, call_by_address, step_kernel, types
from centrode.math.record import local_row
from centrode.math.vector import (
    ZERO,
    add,
    cross,
    dot,
    each,
    matrix,
    minus,
    plus,
    plus_times,
    put,
    times,
    turn,
    turn_back,
    vector,
)
from centrode.parts.tables import SHARE_SIGNATURE, borrow

if TYPE_CHECKING:
    from centrode.dynamics.hard.tables import HardBlock
    from centrode.system.model import Model

RESPOND_SIGNATURE = types.int64(types.int64, types.int64)
"""(tables, hard) -> 1 when all is well, 0 when the room for responses is too small."""

call_respond = call_by_address(RESPOND_SIGNATURE)
call_sized = call_by_address(SHARE_SIGNATURE)


@step_kernel
def push_cluster(hard, body, row, p, couple):
    """Let an impulse at the point of a row, and a couple about its normal, act on the cluster of a body.

    Sweeps look at bodies with points alone, so that the others are told once, by :func:`tell_others`.
    """
    act_on_members(hard, body, row, p, couple, 1)


@step_kernel
def act_on_members(hard, body, row, p, couple, touched):
    """The velocities of the bodies of a cluster that are touched (1), or of those that are not (0)."""
    t = borrow_hard(hard)
    cluster = t.solids[body].cluster
    first = t.clusters[cluster, 0]
    for m in range(t.clusters[cluster, 1] - first):
        solid = t.solids[t.members[first + m]]
        if solid.touched != touched:
            continue
        answer, u, w = t.responses[row, m], vector(solid.velocity, 0), vector(solid.spin, 0)
        for k in range(3 if couple == 0.0 else 4):
            by = couple if k == 3 else p[k]
            u = plus_times(u, by, vector(answer, 6 * k))
            w = plus_times(w, by, vector(answer, 6 * k + 3))
        put(solid.velocity, 0, u)
        put(solid.spin, 0, w)


@step_kernel
def tell_others(hard):
    """The impulses of all points, as they are at the end, act on the bodies of clusters without points."""
    t = borrow_hard(hard)
    for k in range(t.head[0].points):
        point = t.contacts[k]
        if point.row_a < 0 and point.row_b < 0:
            continue
        p, couple = world_impulse(point)
        if point.row_b >= 0:
            act_on_members(hard, point.b, point.row_b, p, couple, 0)
        if point.row_a >= 0:
            act_on_members(hard, point.a, point.row_a, times(-1.0, p), -couple, 0)


@step_kernel
def shift_cluster(hard, body, row, p, couple):
    """Shift the poses of the cluster of a body as an impulse at the point of a row and a couple about its normal do."""
    t = borrow_hard(hard)
    cluster = t.solids[body].cluster
    first = t.clusters[cluster, 0]
    for m in range(t.clusters[cluster, 1] - first):
        answer, solid = t.responses[row, m], t.solids[t.members[first + m]]
        for k in range(3 if couple == 0.0 else 4):
            by = couple if k == 3 else p[k]
            add(solid.shift, 0, times(by, vector(answer, 6 * k)))
            add(solid.turn, 0, times(by, vector(answer, 6 * k + 3)))


@step_kernel
def number_rows(hard):
    """Give every side of a point that lies on a cluster a row of responses; rows, and the most of one cluster."""
    t = borrow_hard(hard)
    rows, most = 0, 0
    for c in range(t.clusters.shape[0]):
        t.clusters[c, 2] = 0
    for b in range(t.solids.shape[0]):
        t.solids[b].touched = 0
    for k in range(t.head[0].points):
        point = t.contacts[k]
        t.solids[point.a].touched = t.solids[point.b].touched = 1
        one, two = t.solids[point.a].cluster, t.solids[point.b].cluster
        if one >= 0:
            point.row_a = rows
            rows += 1
            t.clusters[one, 2] += 1
            most = max(most, t.clusters[one, 2])
        if two >= 0:
            if two == one:
                point.row_b = Row.SAME
            else:
                point.row_b = rows
                rows += 1
                t.clusters[two, 2] += 1
                most = max(most, t.clusters[two, 2])
    return rows, most


@step_kernel
def some_couple(hard):
    """Whether friction of some point may act aside of it (:mod:`patch`), and so with a couple about the normal: only
    where a pair has several points.
    """
    t = borrow_hard(hard)
    several = False
    for k in range(1, t.head[0].points):
        several |= t.contacts[k].pair == t.contacts[k - 1].pair
    return several


@step_kernel
def is_turn(hard, cluster, row, turn):
    """Whether it is the turn of the next row of a cluster."""
    clusters = borrow_hard(hard).clusters
    if row < 0:
        return False
    clusters[cluster, 2] += 1
    return clusters[cluster, 2] - 1 == turn


@step_kernel
def weigh_impulse(run, b, arm, d, couple):
    """Add an impulse d at an arm from the centre of mass of a body, and a couple, to the weighed forces."""
    body = run.bodies[b]
    add(run.weighted_force[b], 0, times(body.inverse_root_mass, d))
    moment = turn_back(matrix(run.rotation[b], 0), plus(cross(arm, d), couple))
    add(run.weighted_force[b], 3, each(vector(body.inverse_root_inertia, 0), moment))


@step_kernel
def load_turn(hard, tables, turn, d):
    """Weigh an impulse d at the point of each cluster whose turn it is, on A of the point, or on B; where d is zero, a
    couple about its normal.
    """
    t, run = borrow_hard(hard), borrow(tables)
    for c in range(t.clusters.shape[0]):
        t.clusters[c, 2] = 0
    for b in range(run.weighted_force.shape[0]):
        put(run.weighted_force[b], 0, ZERO)
        put(run.weighted_force[b], 3, ZERO)
    for k in range(t.head[0].points):
        point = t.contacts[k]
        couple = vector(point.normal, 0) if dot(d, d) == 0.0 else ZERO
        if is_turn(hard, t.solids[point.a].cluster, point.row_a, turn):
            weigh_impulse(run, point.a, vector(point.arm_a, 0), d, couple)
            if point.row_b == Row.SAME:
                weigh_impulse(run, point.b, vector(point.arm_b, 0), times(-1.0, d), times(-1.0, couple))
        if is_turn(hard, t.solids[point.b].cluster, point.row_b, turn):
            weigh_impulse(run, point.b, vector(point.arm_b, 0), d, couple)


@step_kernel
def read_turn(hard, tables, turn, axis):
    """Keep the velocities that the impulses of a turn gave to each cluster."""
    t, run = borrow_hard(hard), borrow(tables)
    for c in range(t.clusters.shape[0]):
        t.clusters[c, 2] = 0
    for k in range(t.head[0].points):
        point = t.contacts[k]
        for side in range(2):
            b, row = (point.a, point.row_a) if side == 0 else (point.b, point.row_b)
            cluster = t.solids[b].cluster
            if is_turn(hard, cluster, row, turn):
                first = t.clusters[cluster, 0]
                for m in range(t.clusters[cluster, 1] - first):
                    member = t.members[first + m]
                    rate, answer = run.acceleration[member - 1], t.responses[row, m]
                    put(answer, 6 * axis, vector(rate, 0))
                    put(answer, 6 * axis + 3, in_world(run, member, vector(rate, 3)))


@step_kernel
def in_world(run, b, w):
    """A vector in body axes in the world."""
    return turn(matrix(run.rotation[b], 0), w)


@step_kernel
def answer_of(hard, row, body, arm, d, couple):
    """Velocity of a point of a body of a cluster, and its spin, per impulse d of a row and couple about its normal."""
    t = borrow_hard(hard)
    first = t.clusters[t.solids[body].cluster, 0]
    m = 0
    while t.members[first + m] != body:
        m += 1
    answer = t.responses[row, m]
    u, w = ZERO, ZERO
    for k in range(3 if couple == 0.0 else 4):
        by = couple if k == 3 else d[k]
        u = plus_times(u, by, vector(answer, 6 * k))
        w = plus_times(w, by, vector(answer, 6 * k + 3))
    return plus(u, cross(w, arm)), w


@step_kernel
def point_answer(hard, point, d, couple):
    """Relative velocity of a point, and its spin about the normal, per impulse d on B and -d on A and such a couple."""
    t = borrow_hard(hard)
    ra, rb, n = vector(point.arm_a, 0), vector(point.arm_b, 0), vector(point.normal, 0)
    if point.row_b == Row.SAME:
        u, w = answer_of(hard, point.row_a, point.a, ra, d, couple)
        v, s = answer_of(hard, point.row_a, point.b, rb, d, couple)
        return minus(u, v), dot(minus(w, s), n)
    if point.row_a >= 0:
        u, w = answer_of(hard, point.row_a, point.a, ra, d, couple)
    else:
        u, w = free_answer(t.solids[point.a], ra, d, times(couple, n))
    if point.row_b >= 0:
        v, s = answer_of(hard, point.row_b, point.b, rb, d, couple)
    else:
        v, s = free_answer(t.solids[point.b], rb, d, times(couple, n))
    return plus(u, v), dot(plus(w, s), n)


@step_kernel(fastmath={"contract"})
def respond(size, tables, hard):
    """Responses of all clusters to impulses at their points, (1), and the mobility of these points."""
    t, run = borrow_hard(hard), borrow(tables)
    rows_each, total = len(size[1]), local_row(size[1])
    rows, most = number_rows(hard)
    axes = 4 if some_couple(hard) else 3
    if rows > t.responses.shape[0]:
        t.head[0].responses_needed = rows
        return 0
    for turn_of in range(most):
        for axis in range(axes):
            d = (1.0 if axis == 0 else 0.0, 1.0 if axis == 1 else 0.0, 1.0 if axis == 2 else 0.0)
            load_turn(hard, tables, turn_of, d)
            for j in run.exact_joints:
                for r in range(rows_each):
                    total[r] = 0.0
                add_weighed(j, size, total, run)
                for r in range(rows_each):
                    run.multipliers[j, r] = total[r]
            solve(size[1], tables)
            subtract_rows(size, tables)
            unweigh(tables)
            read_turn(hard, tables, turn_of, axis)
    for k in range(t.head[0].points):
        point = t.contacts[k]
        if point.row_a >= 0 or point.row_b >= 0:
            n = vector(point.normal, 0)
            keep_normal(point, point_answer(hard, point, n, 0.0)[0], NO_MOBILITY / point.per_normal)
    return 1


class ClusterKernels(NamedTuple):
    """Kernels for exact joints of one size: onto the joints in velocity, responses of clusters, work."""

    project: Kernel
    respond: Kernel
    audit: Kernel


@cache
def cluster_kernels(velocities: int, rows: int, sides: int) -> ClusterKernels:
    """The kernels for so many velocities a body, rows and bodies a joint."""
    size = (0,) * velocities, (0,) * rows, (0,) * sides

    @step_kernel(signature=RESPOND_SIGNATURE)
    def respond_sized(tables, hard):
        return respond(size, tables, hard)

    return ClusterKernels(velocity_projection(velocities, rows, sides), respond_sized, power_audit(sides))


@cache
def power_audit(sides: int) -> Kernel:
    """The kernel :func:`audit_power` for so many bodies a joint."""
    token = (0,) * sides

    @step_kernel(signature=SHARE_SIGNATURE)
    def audit_sized(tables):
        audit_power(token, tables)

    found: Kernel = audit_sized
    return found


def join_clusters(block: HardBlock, model: Model) -> None:
    """Write the clusters of a model into the tables of its contacts."""
    parent = list(range(model.body_count + 1))

    def root(b: int) -> int:
        while parent[b] != b:
            b = parent[b]
        return b

    joined: set[int] = set()
    for j in model.exact_joints.tolist():
        moving = [b for b in model.joint_bodies(j) if b > 0]
        joined.update(moving)
        for one, two in pairwise(moving):
            low, high = sorted((root(one), root(two)))
            parent[high] = low
    groups: dict[int, list[int]] = {}
    for b in sorted(joined):
        groups.setdefault(root(b), []).append(b)
    members = [b for group in groups.values() for b in group]
    ends = np.cumsum([0, *(len(group) for group in groups.values())])
    solids = block.tables.solids
    for number, group in enumerate(groups.values()):
        solids["cluster"][group] = number
    largest = max((len(group) for group in groups.values()), default=1)
    block.put(
        clusters=np.array([(ends[k], ends[k + 1], 0) for k in range(len(groups))], dtype=np.int64).reshape(-1, 3),
        members=np.array(members or [0], dtype=np.int64),
        responses=np.zeros((16 if members else 1, largest, 24)),
    )
