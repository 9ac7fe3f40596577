"""Points of contact of a step: found, matched with those of the step before, weighed.

A point has a normal n from A to B and two tangents; its arms are r_a, r_b. With the mobilities of both bodies,

    W d = (1/m_a + 1/m_b) d + (I_a^-1 (r_a x d)) x r_a + (I_b^-1 (r_b x d)) x r_b                          (1)

is how the relative velocity of the point answers to an impulse along d. For a body that exact joints hold, the second
and third term and the masses are replaced by the answer of its whole cluster (:mod:`joints`).

What the normal velocity at the end of the step must be at least (gap g in the middle of the step; the next middle is
a whole step h later, at the velocity of the end of this one; u- at the start of the step, e restitution):

    u+ >= -g / h         g > 0: nothing overlaps in the middle of the next step                          (2)
    u+ >= 0              g <= 0
    u+ >= -e u-          when the outlines would overlap there, and meet faster than a threshold        (3)

*What sticks to something that turns* has (2) of :mod:`solve` in the arms of the middle of the step, though it must
stick at its end: with the velocity omega x r of the middle it would go on along a tangent, and outwards by h omega^2/2
of r a second. Two bodies that turn together with omega, their centres of mass apart by D in the middle and by
D + h/2 dv at the end, have at the end

    dv = omega x (D + h/2 dv)     so     dv = (c + h/2 omega x c) / (1 + (h omega / 2)^2),   c = omega x D         (4)

whose length is that of omega x D with D at either end: |D| is kept to round-off. In the middle it is a slip dv - c, the
same at every point, which faces that touch at three points or more are asked for in place of none (``glide``). Its mean
with that of the start of the step, -h/2 omega x dv-, is across the impulse that turns dv, so no heat is booked. Faces
that turn on each other, and lines and points, which may roll, have no points that stay together: none is asked there.

Newton's law (3) acts where the outlines would meet, not after they have met, so a hit leaves no overlap; what comes
anew does so at the place and time at which it touches (:mod:`touch`). Below the
threshold nothing bounces: bounces that take less than a few steps are none that the step can show.
"""

from __future__ import annotations

import math

from centrode.dynamics.hard.mobility import (
    both_answer,
    closing,
    keep_normal,
    relative_velocity,
    tangents_of,
    world_impulse,
)
from centrode.dynamics.hard.narrow import collide
from centrode.dynamics.hard.patch import DISC, LINE, is_rim
from centrode.dynamics.hard.tables import Before, Row, Shape, Size, borrow_hard
from centrode.dynamics.hard.touch import NEAR_BY, place_pair
from centrode.jit import step_kernel
from centrode.math.vector import (
    cross,
    dot,
    matrix,
    minus,
    norm,
    plus,
    plus_times,
    put,
    times,
    transposed,
    turn,
    vector,
)
from centrode.parts.outlines.outline import Frame, frame_at, place_outline
from centrode.parts.tables import borrow

TOGETHER = 0.1
"""Two bodies turn together whose spins differ by less than this part."""
SAME_POINT = 0.2
"""A point that moved less than this part of the thinner half-width over its body is the point of the step before."""

ROLLED = 0.5
"""Part of the radius by which a point of contact moves over a round outline within a step at most."""
SOLVED = 1e-7
"""Sweeps end when no velocity changes by more than this part of what gravity, or without it other forces, give in a
step,"""
MOVING = 1e-9
"""and this part of the fastest body in the step,"""
ROUND_OFF = 1e-12
"""and this part of the fastest so far: when all have come to rest what is left is round-off of that."""
SLOWEST = 2.0
"""Nothing bounces that is slower than so many steps of gravity: its bounce would last as many."""
STICKS = 0.999
"""Part of its limit below which friction holds."""


@step_kernel
def place_solids(h, before, tables, hard):
    """Bodies as the solver sees them, from poses in the middle of the step, the velocities that they would have at its
    end without contacts, and those at its start (``before``, rows of velocities).
    """
    run, t = borrow(tables), borrow_hard(hard)
    head = t.head[0]
    fastest, forced, widest = 0.0, 0.0, 0.0
    for b in range(1, t.solids.shape[0]):
        solid, body, motion = t.solids[b], run.bodies[b], run.velocity[b - 1]
        rotation = matrix(run.rotation[b], 0)
        put(solid.position, 0, vector(run.pose[b - 1], 0))
        put(solid.velocity, 0, vector(motion, 0))
        put(solid.spin, 0, turn(rotation, vector(motion, 3)))
        put(solid.velocity_before, 0, vector(before, 6 * (b - 1)))
        put(solid.spin_before, 0, turn(rotation, vector(before, 6 * (b - 1) + 3)))
        put(solid.shift, 0, (0.0, 0.0, 0.0))
        put(solid.turn, 0, (0.0, 0.0, 0.0))
        put(solid.impulse, 0, (0.0, 0.0, 0.0))
        put(solid.angular_impulse, 0, (0.0, 0.0, 0.0))
        solid.mobility = body.inverse_root_mass * body.inverse_root_mass
        root = vector(body.inverse_root_inertia, 0)
        x, y, z = rotation
        for i in range(3):
            p = x if i == 0 else y if i == 1 else z
            w = (p[0] * root[0] * root[0], p[1] * root[1] * root[1], p[2] * root[2] * root[2])
            put(solid.inverse[i], 0, (dot(x, w), dot(y, w), dot(z, w)))
        put(solid.weight, 0, times(body.weight_mass, vector(run.gravity, 0)))
        speed = max(norm(vector(solid.velocity, 0)), norm(vector(solid.velocity_before, 0)))
        turning = max(norm(vector(solid.spin, 0)), norm(vector(solid.spin_before, 0)))
        fastest = max(fastest, speed)
        widest = max(widest, speed, turning * solid.extent)
        head.fastest = max(head.fastest, speed, turning * solid.extent)
        change = norm(minus(vector(solid.velocity, 0), vector(solid.velocity_before, 0)))
        twist = norm(minus(vector(solid.spin, 0), vector(solid.spin_before, 0)))
        forced = max(forced, change, twist * solid.extent)
        # A hit at one corner may throw the others as fast as the body came.
        solid.reach = h * (speed + (turning * solid.radius + speed if solid.radius > 0.0 else 0.0))
    head.way = h * widest if t.outlines.shape[0] <= Size.DIVIDED else 0.0
    set_measures(h * norm(vector(run.gravity, 0)), forced, fastest, hard)
    for i in range(t.outlines.shape[0]):
        b = t.outlines[i].body
        frame = Frame(vector(t.solids[b].position, 0), transposed(matrix(run.rotation[b], 0)))
        place_outline(t.outlines[i], frame, t.placed[i])


@step_kernel
def set_measures(fallen, forced, fastest, hard):
    """Speeds by which a step is measured: what gravity gives in it, what other forces do at most, the fastest body.

    Below the threshold nothing bounces; where nothing falls all does, however hard something is pressed elsewhere.
    """
    head = borrow_hard(hard).head[0]
    head.gained = fallen if fallen > 0.0 else forced
    head.threshold = SLOWEST * fallen * max(head.parts, 1.0)  # of the step of the run, however it is divided
    head.enough = SOLVED * head.gained + MOVING * fastest + ROUND_OFF * head.fastest


@step_kernel
def find_points(h, tables, hard):
    """All points of contact of the step; False when the room is too small."""
    t = borrow_hard(hard)
    head = t.head[0]
    made = 0
    for k in range(head.pairs):
        pair = t.near[k]
        a, b = t.outlines[pair.a], t.outlines[pair.b]
        thin = min(a.thickness, b.thickness)
        reach = t.solids[a.body].reach + t.solids[b.body].reach + NEAR_BY * thin
        head.drawn = LINE
        late = pair.late if pair.late < math.inf else 0.0
        if late != 0.0:
            place_pair(tables, hard, pair, late)
        found = 0 if pair.late == math.inf else collide(hard, pair, reach)
        if found == 0:
            pair.count = 0
            if late != 0.0:
                place_pair(tables, hard, pair, 0.0)
            continue
        if made + found <= t.contacts.shape[0]:
            pair.drawn = DISC if found > 2 and stands(hard, pair, found) else head.drawn
            match_points(hard, pair, k, found, made, thin)
            for n in range(found):
                point = t.contacts[made + n]
                point.gap, point.late = t.seen[n].gap, late
                weigh_free(hard, point)
                aim(h, hard, pair, point)
                point.glide[0] = point.glide[1] = 0.0
                if found >= Size.FACE.value:
                    turn_on(h, hard, point)
        if late != 0.0:
            place_pair(tables, hard, pair, 0.0)
        made += found
    if made > t.contacts.shape[0]:
        head.points_needed = made
        return False
    head.points = made
    return True


@step_kernel
def stands(hard, pair, found):
    """Whether a cylinder stands on all of its rim."""
    t = borrow_hard(hard)
    for side in range(2):
        i = pair.a if side == 0 else pair.b
        if t.shapes[i] == Shape.CYLINDER:
            frame = frame_at(t.placed[i])
            if is_rim(hard, found, frame.position, frame.directors[2], t.outlines[i].semi_axes[0]):
                return True
    return False


@step_kernel
def match_points(hard, pair, number, found, first, thin):
    """Rows of the points just seen, each with the impulse of the point of the step before that it was."""
    t = borrow_hard(hard)
    a, b = t.outlines[pair.a].body, t.outlines[pair.b].body
    frame = frame_at(t.placed[pair.b if a == 0 else pair.a])
    taken = 0
    for n in range(found):
        point, seen = t.contacts[first + n], t.seen[n]
        x, normal = vector(seen.place, 0), vector(seen.normal, 0)
        point.pair, point.slot, point.a, point.b = number, n, a, b
        point.row_a, point.row_b = Row.FREE, Row.FREE
        point.friction, point.thickness, point.share = pair.friction, thin, seen.share
        put(point.normal, 0, normal)
        # In the middle of the gap, so that angular momentum is kept; on the ground the body's own surface counts.
        aside = -0.5 if b == 0 else 0.5 if a == 0 else 0.0
        held = plus_times(x, aside * seen.gap, normal)
        put(point.arm_a, 0, minus(held, vector(t.solids[a].position, 0)))
        put(point.arm_b, 0, minus(held, vector(t.solids[b].position, 0)))
        d = minus(x, frame.position)
        own = (dot(d, frame.directors[0]), dot(d, frame.directors[1]), dot(d, frame.directors[2]))
        nearest, which = math.inf, -1
        for o in range(pair.count):
            e = minus(own, vector(pair.place[o], 0))
            if dot(e, e) < nearest and (taken >> o) & 1 == 0:
                nearest, which = dot(e, e), o
        if which >= 0 and (nearest <= (SAME_POINT * thin) ** 2 or (found == 1 and pair.count == 1)):
            taken |= 1 << which
            p = vector(pair.impulse[which], 0)
            put(point.impulse, 0, p)
            point.goes_on = before_of(p, normal, pair.friction)
        else:
            put(point.impulse, 0, (0.0, 0.0, 0.0))
            point.goes_on = -rolled_from(hard, pair, own, normal)
        put(seen.place, 0, own)
    for n in range(found):
        put(pair.place[n], 0, vector(t.seen[n].place, 0))
    pair.count = found


@step_kernel
def before_of(p, n, friction):
    """What a point did in the step before, from its impulse then."""
    load = dot(p, n)
    if load <= 0.0:
        return Before.APART.value
    along = plus_times(p, -load, n)
    return Before.STUCK.value if norm(along) < STICKS * friction * load else Before.SLID.value


@step_kernel
def rolled_from(hard, pair, own, n):
    """What the only point that bore in the step before did then, if it lies beside a new one on a round outline.

    A point that goes round a rim may do so faster than the body turns, so nothing but the rim bounds its way; from rim
    to rim it is a hit, as from corner to corner.
    """
    t = borrow_hard(hard)
    bore, at = 0, 0
    for o in range(pair.count):
        p = vector(pair.impulse[o], 0)
        if dot(p, p) > 0.0:
            bore += 1
            at = o
    i = pair.b if t.outlines[pair.a].body == 0 else pair.a
    shape = t.shapes[i]
    if bore != 1 or shape == Shape.BOX or shape == Shape.HULL:
        return Before.APART.value
    wide = t.outlines[i].semi_axes[0] if shape == Shape.CYLINDER else t.outlines[i].thickness
    if norm(minus(own, vector(pair.place[at], 0))) > ROLLED * wide:
        return Before.APART.value
    return before_of(vector(pair.impulse[at], 0), n, pair.friction)


@step_kernel
def weigh_free(hard, point):
    """Tangents and normal mobility (1) of a point between free bodies; its impulse, given in world axes, along them."""
    n = vector(point.normal, 0)
    u, v = tangents_of(n)
    put(point.tangent, 0, u)
    put(point.across, 0, v)
    p = vector(point.impulse, 0)
    put(point.impulse, 0, (max(dot(p, n), 0.0), dot(p, u), dot(p, v)))
    point.aside[0] = point.aside[1] = 0.0
    keep_normal(point, both_answer(hard, point, n, 0.0)[0], 0.0)


@step_kernel
def aim(h, hard, pair, point):
    """Targets (2) and (3) of a point."""
    t = borrow_hard(hard)
    point.target = -point.gap / h if point.gap > 0.0 else 0.0
    point.bounce = 0.0
    if pair.restitution > 0.0:
        n = vector(point.normal, 0)
        speed = dot(closing(t.solids[point.a], t.solids[point.b], point)[0], n)
        # What only forces of the step make reach the other side is hit as well: (2) would take its speed unseen.
        if speed < -t.head[0].threshold and min(speed, dot(relative_velocity(hard, point)[0], n)) < point.target:
            point.bounce = -pair.restitution * speed
            point.target = point.bounce


@step_kernel
def turn_on(h, hard, point):
    """(4) at a point of a face."""
    t = borrow_hard(hard)
    a, b = t.solids[point.a], t.solids[point.b]
    w, relative = vector(a.spin, 0), minus(vector(b.spin, 0), vector(a.spin, 0))
    square = dot(w, w)
    if square == 0.0 or dot(relative, relative) > TOGETHER * TOGETHER * square:
        return
    w = plus_times(w, 0.5, relative)
    c = cross(w, minus(vector(b.position, 0), vector(a.position, 0)))
    dv = times(1.0 / (1.0 + 0.25 * h * h * dot(w, w)), plus_times(c, 0.5 * h, cross(w, c)))
    slipping = minus(dv, c)
    point.glide[0], point.glide[1] = dot(slipping, vector(point.tangent, 0)), dot(slipping, vector(point.across, 0))


@step_kernel
def keep_impulses(hard):
    """Impulses of all points in world axes, for the next step; those of the bodies."""
    t = borrow_hard(hard)
    for k in range(t.head[0].points):
        point = t.contacts[k]
        p, couple = world_impulse(point)
        put(t.near[point.pair].impulse[point.slot], 0, p)
        for side in range(2):
            solid = t.solids[point.a if side == 0 else point.b]
            q = times(-1.0, p) if side == 0 else p
            arm = vector(point.arm_a, 0) if side == 0 else vector(point.arm_b, 0)
            put(solid.impulse, 0, plus(vector(solid.impulse, 0), q))
            moment = plus_times(cross(arm, q), -couple if side == 0 else couple, vector(point.normal, 0))
            put(solid.angular_impulse, 0, plus(vector(solid.angular_impulse, 0), moment))
