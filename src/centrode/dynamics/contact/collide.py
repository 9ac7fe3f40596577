"""Contact forces of all outlines of a system, as one kind of force in the engine.

One element per body with outlines, with four markers about its centre of mass (:mod:`centrode.parts.affine`), so rigid
and pseudo-rigid bodies are the same here; the first element keeps the tables (:mod:`pool`). An evaluation

    reads the frames of all bodies -> lists near pairs, when outlines moved far enough -> searches closest points of
    the listed pairs, each from its last normal -> asks the contact law -> pushes both bodies on one line

is a function of the state and of the episodes; episodes change only at accepted states (:mod:`pulses`). A pair that
touches first inside a step has no episode yet: one is opened on a scratch row, so its force is right at once.

    depth = -gap,   A: -f n at x + depth/2 n,   B: +f n at x - depth/2 n                                  (1)
    A: -t at x,     B: +t at x                                                                            (2)

with x the middle of the two points, n from A to B, f from the law, t the friction. (1) and (2) are equal and opposite
on one line, so linear and angular momentum of a pair are kept to round-off for any masses.

Memory of the first element: stored energy [J], event function (least gap of parted, least depth of touching pairs
[m]), episode rows in use, first memory row of the episodes.
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.broad import bounding_spheres, find_pairs
from centrode.dynamics.contact.codes import APART, NO_ANSWER
from centrode.dynamics.contact.forces import add_pseudo_rigid, material_point, mobility_at, point_velocity
from centrode.dynamics.contact.laws import begin_contact, evaluate_law
from centrode.dynamics.contact.manifold import manifold
from centrode.dynamics.contact.narrow import closest_if_near
from centrode.dynamics.contact.pool import (
    BODIES,
    CODE,
    CODES,
    CORNERS,
    COUNT,
    DEPTH,
    EPISODE,
    EPISODE_CODE,
    EPISODE_MEMORY,
    EPISODE_WIDTH,
    EXCLUDED,
    FORCE,
    FRAMES,
    FRESH,
    GAP,
    GROUND_OUTLINES,
    HIDDEN,
    INTEGERS,
    KEYS,
    LAST_TIME,
    LAW,
    LAW_OF,
    LAWS,
    LISTED,
    LOAD,
    MARGIN,
    NEAR,
    NEAR_OLD,
    NEXT_BRISTLE,
    NEXT_TWIST,
    NORMAL,
    ORDER,
    OUTLINE_A,
    OUTLINE_B,
    PAIRS,
    PATCH,
    PLACED,
    POINT,
    POINT_A,
    POINT_B,
    PUSH,
    QUERIES,
    RATE,
    RATES,
    ROOM_SHORT,
    ROWS,
    SCRATCH,
    SLOT,
    SPEED,
    SPHERES,
    SPREAD,
    STATUS,
    STIFF_CODE,
    STIFFEST,
    WARM,
    WORKROOM,
    integers,
    line,
    table,
)
from centrode.dynamics.contact.regions import pair_factor
from centrode.jit import step_kernel
from centrode.parts.contact_laws.contact_law import ACTIVE, BRISTLE, TWIST
from centrode.parts.contact_laws.friction import friction_force
from centrode.parts.kernel_types import (
    ENERGY_SIGNATURE,
    EVENT_SIGNATURE,
    FORCE_SIGNATURE,
    LINK_DATA,
    LINK_MARKERS,
    LINK_STATE,
)
from centrode.parts.outlines.outline import BODY, KIND, MATERIAL, SMOOTH, outline_frame

STORED, EVENT, USED, EPISODES = 0, 1, 2, 3
FAR = 1.0
"""Value of the event function when nothing is near [m]."""


@step_kernel(signature=FORCE_SIGNATURE)
def contact_force(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """Forces of all contacts; see the head of the file."""
    pool = link[first, LINK_DATA]
    near = table(data, pool, NEAR)
    push = table(data, pool, PUSH)
    read_frames(first, count, link, markers, table(data, pool, FRAMES), table(data, pool, RATES), push)
    place_and_list(pool, data)
    hidden = link[first, LINK_STATE] + 3
    for s in range(link[first, LINK_STATE], hidden + HIDDEN * int(par[first, 0])):
        rates[s] = 0.0
    episodes = episode_rows(memory, int(memory[first, EPISODES]))
    stored, event = push_all(
        time, pool, data, par[first], episodes, int(memory[first, USED]), near, push, rates, hidden
    )
    memory[first, STORED] = stored
    memory[first, EVENT] = event
    for e in range(count):
        i = first + e
        o = link[i, LINK_MARKERS]
        for k in range(3):
            rest = push[e + 1, k]
            rates[link[i, LINK_STATE] + k] = rest
            for d in range(3):
                m = link[i, LINK_MARKERS + 1 + d]
                wrench[m, k] = push[e + 1, 3 + 3 * d + k]
                wrench[m, 3 + k] = 0.0
                rest -= push[e + 1, 3 + 3 * d + k]
            wrench[o, k] = rest
            wrench[o, 3 + k] = 0.0


@step_kernel(signature=ENERGY_SIGNATURE)
def contact_energy(time, first, count, par, link, data, inputs, memory, markers, states, energy):
    """Energy stored in all contacts, counted with the first element; as noted by the last evaluation."""
    for e in range(count):
        energy[first + e] = memory[first, STORED] if e == 0 else 0.0


@step_kernel(signature=EVENT_SIGNATURE)
def contact_event(time, first, count, par, link, data, inputs, memory, markers, states, multipliers, values):
    """Positive while no pair changes between parted and touching; as noted by the last evaluation."""
    for e in range(count):
        values[first + e] = memory[first, EVENT] if e == 0 else FAR


@step_kernel(inline="always")
def episode_rows(memory, first):
    """Memory rows from ``first`` on as rows of EPISODE_WIDTH numbers."""
    flat = memory[first:].reshape((memory.shape[0] - first) * memory.shape[1])
    return flat.reshape((flat.size // EPISODE_WIDTH, EPISODE_WIDTH))


@step_kernel
def read_frames(first, count, link, markers, frames, rates, push):
    """Frames and rates of all bodies from their four markers; forces are set to zero."""
    for e in range(count):
        o = link[first + e, LINK_MARKERS]
        for k in range(3):
            frames[e + 1, k] = markers[o, k]
            rates[e + 1, k] = markers[o, 3 + k]
        for d in range(3):
            m = link[first + e, LINK_MARKERS + 1 + d]
            for k in range(3):
                frames[e + 1, 3 + 3 * d + k] = markers[m, k] - markers[o, k]
                rates[e + 1, 3 + 3 * d + k] = markers[m, 3 + k] - markers[o, 3 + k]
    for b in range(count + 1):
        for k in range(12):
            push[b, k] = 0.0


@step_kernel
def place_and_list(pool, data):
    """Frames of all outlines; a new list of near pairs when some outline moved too far since the last one."""
    rows = table(data, pool, ROWS)
    frames = table(data, pool, FRAMES)
    placed = table(data, pool, PLACED)
    listed = table(data, pool, LISTED)
    m0 = 0.0
    m1 = 0.0
    m2 = 0.0
    moving = 0.0
    for i in range(rows.shape[0]):
        outline_frame(rows[i], frames[int(rows[i, BODY])], placed[i])
        if rows[i, BODY] > 0.0:
            moving += 1.0
            m0 += placed[i, 0] - listed[i, 0]
            m1 += placed[i, 1] - listed[i, 1]
            m2 += placed[i, 2] - listed[i, 2]
    if data[pool + GROUND_OUTLINES] > 0.0 or moving == 0.0:
        m0, m1, m2 = 0.0, 0.0, 0.0
    else:  # only motion of the bodies against each other counts
        m0, m1, m2 = m0 / moving, m1 / moving, m2 / moving
    # Two spheres may each come closer by the allowance, and stretch by a little: 0.4 of the margin each is safe.
    allowed = 0.4 * data[pool + MARGIN]
    renew = data[pool + FRESH] != 0.0
    for i in range(rows.shape[0]):
        if rows[i, BODY] > 0.0:
            d0 = placed[i, 0] - listed[i, 0] - m0
            d1 = placed[i, 1] - listed[i, 1] - m1
            d2 = placed[i, 2] - listed[i, 2] - m2
            if not d0 * d0 + d1 * d1 + d2 * d2 <= allowed * allowed:
                renew = True
    if renew:
        data[pool + FRESH] = 0.0
        list_pairs(pool, data, rows, placed, listed)


@step_kernel
def list_pairs(pool, data, rows, placed, listed):
    """List the near pairs anew, with what the pairs of the old list remember of their search."""
    spheres = table(data, pool, SPHERES)
    near = table(data, pool, NEAR)
    old = table(data, pool, NEAR_OLD)
    law_of = table(data, pool, LAW_OF)
    excluded = line(data, pool, EXCLUDED)
    bodies = table(data, pool, BODIES).shape[0]
    pairs = integers(data, pool, PAIRS).reshape((near.shape[0], 2))
    bounding_spheres(rows, placed, data[pool + MARGIN], spheres)
    for i in range(rows.shape[0]):
        for k in range(3):
            listed[i, k] = placed[i, k]
    found = find_pairs(
        rows,
        placed,
        spheres,
        integers(data, pool, ORDER),
        line(data, pool, KEYS),
        integers(data, pool, CODES),
        pairs,
    )
    if found > near.shape[0]:
        data[pool + ROOM_SHORT] = max(data[pool + ROOM_SHORT], found)
        found = near.shape[0]
    before = int(data[pool + COUNT])
    for k in range(before):
        for c in range(near.shape[1]):
            old[k, c] = near[k, c]
    made = 0
    q = 0
    for p in range(found):
        a = pairs[p, 0]
        b = pairs[p, 1]
        i = int(rows[a, BODY])
        j = int(rows[b, BODY])
        if is_excluded(excluded, min(i, j) * bodies + max(i, j)):
            continue
        code = a * rows.shape[0] + b
        while q < before and int(old[q, CODE]) < code:
            q += 1
        if q < before and int(old[q, CODE]) == code:
            for c in range(near.shape[1]):
                near[made, c] = old[q, c]
        else:
            for c in range(near.shape[1]):
                near[made, c] = 0.0
            near[made, CODE] = code
            near[made, OUTLINE_A] = a
            near[made, OUTLINE_B] = b
            near[made, LAW] = law_of[int(rows[a, MATERIAL]), int(rows[b, MATERIAL])]
            near[made, EPISODE] = -1.0
            near[made, SLOT] = -1.0
            near[made, GAP] = math.inf
        made += 1
    data[pool + COUNT] = made


@step_kernel
def is_excluded(codes, code):
    """Whether a sorted list holds a code (bisection)."""
    low = 0
    high = codes.shape[0]
    while low < high:
        middle = (low + high) // 2
        if codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    return low < codes.shape[0] and codes[low] == code


@step_kernel
def find_episode(near, episodes, used):
    """Row of a pair's episode, or -1; the row found last time is looked at first.

    A pair apart without a known row has none that matters (at most a dent, looked for when it touches).
    """
    wanted = near[CODE] + 1.0
    r = int(near[EPISODE])
    if r >= 0 and episodes[r, EPISODE_CODE] == wanted:
        return r
    near[EPISODE] = -1.0
    if near[GAP] > 0.0 and r < 0:
        return -1
    for r in range(used):
        if episodes[r, EPISODE_CODE] == wanted:
            near[EPISODE] = r
            return r
    return -1


@step_kernel
def push_all(time, pool, data, handles, episodes, used, near, push, rates, hidden):
    """Search and push all listed pairs; returns stored energy [J] and event function [m]."""
    rows = table(data, pool, ROWS)
    corners = table(data, pool, CORNERS)
    placed = table(data, pool, PLACED)
    frames = table(data, pool, FRAMES)
    speeds = table(data, pool, RATES)
    bodies = table(data, pool, BODIES)
    laws = table(data, pool, LAWS)
    work = line(data, pool, WORKROOM)
    iwork = integers(data, pool, INTEGERS)
    patch = table(data, pool, PATCH)
    scratch = line(data, pool, SCRATCH)
    elapsed = max(time - data[pool + LAST_TIME], 0.0)
    stored = 0.0
    event = FAR
    for k in range(int(data[pool + COUNT])):
        pair = near[k]
        a = int(pair[OUTLINE_A])
        b = int(pair[OUTLINE_B])
        gap, n0, n1, n2, a0, a1, a2, b0, b1, b2, status, spent = closest_if_near(
            rows[a], placed[a], rows[b], placed[b], corners, pair[WARM : WARM + 3], 0.0, work, iwork
        )
        data[pool + QUERIES] += 1.0
        if status == NO_ANSWER:
            continue
        pair[GAP] = gap
        pair[STATUS] = status
        if status != APART:
            pair[NORMAL], pair[NORMAL + 1], pair[NORMAL + 2] = n0, n1, n2
            pair[WARM], pair[WARM + 1], pair[WARM + 2] = n0, n1, n2
            pair[POINT_A], pair[POINT_A + 1], pair[POINT_A + 2] = a0, a1, a2
            pair[POINT_B], pair[POINT_B + 1], pair[POINT_B + 2] = b0, b1, b2
        pair[FORCE] = 0.0
        pair[FORCE + 1] = 0.0
        pair[FORCE + 2] = 0.0
        pair[LOAD] = 0.0
        pair[DEPTH] = max(-gap, 0.0)
        r = find_episode(pair, episodes, used)
        touches = r >= 0 and episodes[r, EPISODE_MEMORY + ACTIVE] == 1.0
        event = min(event, -gap if touches else gap)
        if not gap < 0.0:
            continue
        i = int(rows[a, BODY])
        j = int(rows[b, BODY])
        law = laws[int(pair[LAW])]
        for c in range(scratch.shape[0]):
            scratch[c] = episodes[r, EPISODE_MEMORY + c] if r >= 0 else 0.0
        mobility = 0.0
        held_here = 0.0
        if scratch[ACTIVE] == 0.0:
            mobility = open_episode(
                pair, rows[a], rows[b], frames[i], speeds[i], frames[j], speeds[j], bodies[i], bodies[j],
                handles, law, scratch,
            )  # fmt: skip
        points = 1
        for c in range(3):
            patch[0, c] = 0.5 * (pair[POINT_A + c] + pair[POINT_B + c])
            pair[NEXT_BRISTLE + c] = 0.0
        pair[NEXT_TWIST] = 0.0
        patch[0, 3] = -gap
        patch[0, 4] = 1.0
        kind_a = int(rows[a, KIND])
        kind_b = int(rows[b, KIND])
        if kind_a != SMOOTH and kind_b != SMOOTH:
            points = manifold(rows[a], placed[a], rows[b], placed[b], corners, pair[GAP:], work, patch)
        pair[RATE] = 0.0
        pair[SPEED] = 0.0
        weigh_patch(pair, patch, points)
        at = hidden + HIDDEN * int(pair[SLOT])
        for p in range(points):
            held, heat, rubbed = push_point(
                pair, handles, law, scratch, frames[i], speeds[i], frames[j], speeds[j], patch[p], elapsed,
                push[i], push[j],
            )  # fmt: skip
            held_here += held
            if pair[SLOT] >= 0.0:
                rates[at + 7] += heat
                rates[at + 8] += rubbed
        stored += held_here
        # Square of the frequency of a contact that begins in this step, from its stored energy k d^2 / 2.
        pace = 2.0 * held_here * mobility / (gap * gap)
        if pace > data[pool + STIFFEST]:
            data[pool + STIFFEST] = pace
            data[pool + STIFF_CODE] = pair[CODE]
        if pair[SLOT] >= 0.0:
            size = math.sqrt(pair[FORCE] ** 2 + pair[FORCE + 1] ** 2 + pair[FORCE + 2] ** 2)
            sign = 1.0 if i < j else -1.0  # the impulse of a pulse is that on the body with the greater number
            for c in range(3):
                rates[at + c] += sign * pair[FORCE + c]
                rates[at + 4 + c] += size * pair[POINT + c]
            rates[at + 3] += size
    return stored, event


@step_kernel
def relative_velocity(frame_a, rates_a, frame_b, rates_b, x0, x1, x2):
    """Velocity of B relative to A at the common world point x."""
    p0, p1, p2 = material_point(frame_a, x0, x1, x2)
    q0, q1, q2 = material_point(frame_b, x0, x1, x2)
    v0, v1, v2 = point_velocity(rates_a, p0, p1, p2)
    w0, w1, w2 = point_velocity(rates_b, q0, q1, q2)
    return w0 - v0, w1 - v1, w2 - v2


@step_kernel
def open_episode(pair, row_a, row_b, frame_a, rates_a, frame_b, rates_b, body_a, body_b, handles, law, memory):
    """Begin an episode with closing speed and effective mass at the touching point, and the sides that meet.

    Returns:
        Mobility of the pair at the point along the normal [1/kg].
    """
    n0, n1, n2 = pair[NORMAL], pair[NORMAL + 1], pair[NORMAL + 2]
    x0 = 0.5 * (pair[POINT_A] + pair[POINT_B])
    x1 = 0.5 * (pair[POINT_A + 1] + pair[POINT_B + 1])
    x2 = 0.5 * (pair[POINT_A + 2] + pair[POINT_B + 2])
    v0, v1, v2 = relative_velocity(frame_a, rates_a, frame_b, rates_b, x0, x1, x2)
    closing = -(v0 * n0 + v1 * n1 + v2 * n2)
    mobility = mobility_at(body_a, frame_a, x0, x1, x2, n0, n1, n2)
    mobility += mobility_at(body_b, frame_b, x0, x1, x2, n0, n1, n2)
    factor, sides = pair_factor(row_a, frame_a, row_b, frame_b, n0, n1, n2)
    begin_contact(handles, int(pair[LAW]), law, memory, closing, 1.0 / max(mobility, 1e-300), factor, sides)
    return mobility


@step_kernel
def weigh_patch(pair, patch, points):
    """Centre of the points of a contact, and their mean square distance from it."""
    for c in range(3):
        pair[POINT + c] = 0.0
        for p in range(points):
            pair[POINT + c] += patch[p, 4] * patch[p, c]
    spread = 0.0
    for p in range(points):
        for c in range(3):
            spread += patch[p, 4] * (patch[p, c] - pair[POINT + c]) ** 2
    pair[SPREAD] = spread if points > 1 else 0.0


@step_kernel
def push_point(pair, handles, law, memory, frame_a, rates_a, frame_b, rates_b, point, elapsed, push_a, push_b):
    """Law and friction at one point of a contact, equations (1) and (2).

    Returns:
        stored energy [J], power lost in the law [W], power lost in friction [W].
    """
    n0, n1, n2 = pair[NORMAL], pair[NORMAL + 1], pair[NORMAL + 2]
    weight = point[4]
    half = 0.5 * point[3]
    x0, x1, x2 = material_point(frame_a, point[0] + half * n0, point[1] + half * n1, point[2] + half * n2)
    y0, y1, y2 = material_point(frame_b, point[0] - half * n0, point[1] - half * n1, point[2] - half * n2)
    v0, v1, v2 = point_velocity(rates_a, x0, x1, x2)
    w0, w1, w2 = point_velocity(rates_b, y0, y1, y2)
    rate = n0 * (v0 - w0) + n1 * (v1 - w1) + n2 * (v2 - w2)
    u0, u1, u2 = relative_velocity(frame_a, rates_a, frame_b, rates_b, point[0], point[1], point[2])
    along = u0 * n0 + u1 * n1 + u2 * n2
    slip = math.sqrt(max(u0 * u0 + u1 * u1 + u2 * u2 - along * along, 0.0))
    f, friction, held, heat = evaluate_law(handles, int(pair[LAW]), law, memory, point[3], rate, slip)
    # Bristle of the patch at this point: stretch of the centre and twist about the normal.
    r0 = point[0] - pair[POINT]
    r1 = point[1] - pair[POINT + 1]
    r2 = point[2] - pair[POINT + 2]
    t0 = n1 * r2 - n2 * r1
    t1 = n2 * r0 - n0 * r2
    t2 = n0 * r1 - n1 * r0
    twist = memory[TWIST]
    g0, g1, g2, stretched, rubbed, s0, s1, s2 = friction_force(
        law, friction * f,
        memory[BRISTLE] + twist * t0, memory[BRISTLE + 1] + twist * t1, memory[BRISTLE + 2] + twist * t2,
        n0, n1, n2, u0, u1, u2, elapsed,
    )  # fmt: skip
    pair[NEXT_BRISTLE] += weight * s0
    pair[NEXT_BRISTLE + 1] += weight * s1
    pair[NEXT_BRISTLE + 2] += weight * s2
    if pair[SPREAD] > 0.0:
        pair[NEXT_TWIST] += weight * (t0 * s0 + t1 * s1 + t2 * s2) / pair[SPREAD]
    f *= weight
    g0 *= weight
    g1 *= weight
    g2 *= weight
    add_pseudo_rigid(push_a, x0, x1, x2, -f * n0, -f * n1, -f * n2)
    add_pseudo_rigid(push_b, y0, y1, y2, f * n0, f * n1, f * n2)
    if g0 != 0.0 or g1 != 0.0 or g2 != 0.0:
        p0, p1, p2 = material_point(frame_a, point[0], point[1], point[2])
        q0, q1, q2 = material_point(frame_b, point[0], point[1], point[2])
        add_pseudo_rigid(push_a, p0, p1, p2, -g0, -g1, -g2)
        add_pseudo_rigid(push_b, q0, q1, q2, g0, g1, g2)
    pair[RATE] += weight * rate
    pair[SPEED] += weight * slip
    pair[FORCE] += f * n0 + g0
    pair[FORCE + 1] += f * n1 + g1
    pair[FORCE + 2] += f * n2 + g2
    pair[LOAD] += f
    return weight * (held + stretched), weight * heat, weight * rubbed
