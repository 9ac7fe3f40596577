"""Impulses at points of contact: how they act on free bodies and on clusters, and the cone that holds them."""

from __future__ import annotations

import math

from centrode.dynamics.hard.joints import push_cluster
from centrode.dynamics.hard.mobility import couple_of, inverse_of, relative_velocity, slip
from centrode.dynamics.hard.tables import Row, borrow_hard
from centrode.jit import step_kernel
from centrode.math.vector import add, cross, dot, minus, plus, plus_times, times, turn, vector


@step_kernel
def push(hard, point, p, couple):
    """Let an impulse p act on B and -p on A (world axes), and a couple about the normal."""
    t = borrow_hard(hard)
    moment = times(couple, vector(point.normal, 0))
    if point.row_b == Row.FREE and point.b > 0:
        solid = t.solids[point.b]
        add(solid.velocity, 0, times(solid.mobility, p))
        add(solid.spin, 0, turn(inverse_of(solid), plus(cross(vector(point.arm_b, 0), p), moment)))
    elif point.row_b >= 0:
        push_cluster(hard, point.b, point.row_b, p, couple)
    if point.row_a == Row.FREE and point.a > 0:
        solid = t.solids[point.a]
        add(solid.velocity, 0, times(-solid.mobility, p))
        add(solid.spin, 0, turn(inverse_of(solid), minus(cross(p, vector(point.arm_a, 0)), moment)))
    elif point.row_a >= 0:
        push_cluster(hard, point.a, point.row_a, times(-1.0, p), -couple)


@step_kernel
def push_along(hard, point, d):
    """Let an impulse along normal and tangents act."""
    p = plus_times(times(d[0], vector(point.normal, 0)), d[1], vector(point.tangent, 0))
    push(hard, point, plus_times(p, d[2], vector(point.across, 0)), couple_of(point, d[1], d[2]))


@step_kernel
def inside_cone(p, friction):
    """An impulse cut to the cone of friction: the normal part first."""
    normal = max(0.0, p[0])
    size, limit = math.sqrt(p[1] * p[1] + p[2] * p[2]), friction * normal
    scale = limit / size if size > limit else 1.0
    return normal, scale * p[1], scale * p[2]


@step_kernel
def slope(hard, first, end):
    """d . (u - c) of an island, d what its points keep as ``last``."""
    t = borrow_hard(hard)
    total = 0.0
    for k in range(first, end):
        point = t.contacts[t.order[k]]
        u, spin = relative_velocity(hard, point)
        along, aside = slip(point, u, spin)
        d = vector(point.last, 0)
        total += d[0] * (dot(u, vector(point.normal, 0)) - point.target)
        total += d[1] * (along - point.glide[0]) + d[2] * (aside - point.glide[1])
    return total
