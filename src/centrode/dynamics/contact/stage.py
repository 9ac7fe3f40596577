"""The contact stage of a step: forces of all contacts on all bodies.

Four kernels; the first two are called in every stage of a method, the others at accepted states only:

    search           gap, normal and points of all near pairs; writes no memory
    push             forces of all contacts from these answers; writes no memory
    begin_and_end    open episodes of pairs that touch, close those that parted, keep the normals for the next search
    advance          after an accepted step: permanent deformation, bristles, dissipated energy

A body enters with its frame (position, directors; float64[12]) and the rates of the frame, so rigid and pseudo-rigid
bodies and the ground (row 0) are the same here. The answer per body is a force and three director forces X^i f; a rigid
body takes the torque sum of d_i x l^i = (x - r) x f from them (:func:`torque_of`).

A pair that touches first inside a step has no open episode yet; ``push`` then opens one on a scratch row, so its
force is right at once, and leaves no trace.

One row per contact in ``report`` (names are the column indices): what recordings and collision reports need.
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.broad import bounding_spheres
from centrode.dynamics.contact.codes import APART, NO_ANSWER
from centrode.dynamics.contact.forces import add_pseudo_rigid, material_point, point_velocity
from centrode.dynamics.contact.laws import advance_contact, begin_contact, evaluate_law
from centrode.dynamics.contact.manifold import manifold
from centrode.dynamics.contact.narrow import closest_if_near
from centrode.dynamics.contact.regions import pair_factor
from centrode.jit import step_kernel
from centrode.parts.contact_laws.contact_law import ACTIVE
from centrode.parts.contact_laws.friction import friction_advance, friction_force
from centrode.parts.outlines.outline import BODY, KIND, SMOOTH, outline_frame

# columns of the report
GAP, NORMAL, POINT, RATE, FORCE, FRICTION, SLIP, STORED, POWER, STATUS, POINTS = 0, 1, 4, 7, 8, 9, 12, 13, 14, 15, 16
REPORT = 17
# columns of the answers: gap, normal (3), point on A (3), point on B (3), status, evaluations
ANSWER = 12


@step_kernel
def place_outlines(rows, body_frames, margin, outline_frames, spheres):
    """Frames and bounding spheres of all outlines from the frames of their bodies."""
    for i in range(rows.shape[0]):
        outline_frame(rows[i], body_frames[int(rows[i, BODY])], outline_frames[i])
    bounding_spheres(rows, outline_frames, margin, spheres)


@step_kernel
def _relative(frame_a, rates_a, frame_b, rates_b, x0, x1, x2):
    """Velocity of B relative to A at the common world point x."""
    p0, p1, p2 = material_point(frame_a, x0, x1, x2)
    q0, q1, q2 = material_point(frame_b, x0, x1, x2)
    v0, v1, v2 = point_velocity(rates_a, p0, p1, p2)
    w0, w1, w2 = point_velocity(rates_b, q0, q1, q2)
    return w0 - v0, w1 - v1, w2 - v2


@step_kernel
def search(rows, pool, outline_frames, codes, warm, near, count, work, iwork, answers):
    """Closest points of all near pairs into ``answers`` (float64[room, ANSWER]); sleeping pairs get gap infinity.

    Returns:
        worst status, smallest gap [m].
    """
    n = rows.shape[0]
    worst = 0
    smallest = math.inf
    for k in range(count):
        if near[k] == 0:
            answers[k, 0] = math.inf
            answers[k, 10] = APART
            continue
        a = codes[k] // n
        b = codes[k] % n
        gap, n0, n1, n2, a0, a1, a2, b0, b1, b2, status, evaluations = closest_if_near(
            rows[a], outline_frames[a], rows[b], outline_frames[b], pool, warm[k], 0.0, work, iwork
        )
        answer = answers[k]
        answer[0], answer[1], answer[2], answer[3] = gap, n0, n1, n2
        answer[4], answer[5], answer[6] = a0, a1, a2
        answer[7], answer[8], answer[9] = b0, b1, b2
        answer[10], answer[11] = status, evaluations
        smallest = min(smallest, gap)
        if status not in (APART, NO_ANSWER):
            worst = max(worst, status)
    return worst, smallest


@step_kernel
def begin_and_end(
    rows, body_frames, body_rates, mobility, laws, codes, law, memory, warm, count, answers
):  # fmt: skip
    """Open and close episodes at an accepted state; keep the normals for the next search.

    Args:
        rows: outlines; body_frames, body_rates: float64[bodies, 12], row 0 the ground.
        mobility: 1/mass of each body [1/kg], 0 for the ground (used by the hard law only).
        laws, codes, law, memory, warm, count: laws and episodes; answers: from :func:`search`.

    Returns:
        number of episodes opened plus number closed.
    """
    n = rows.shape[0]
    changes = 0
    for k in range(count):
        gap = answers[k, 0]
        status = int(answers[k, 10])
        if status not in (APART, NO_ANSWER):
            warm[k, 0], warm[k, 1], warm[k, 2] = answers[k, 1], answers[k, 2], answers[k, 3]
        if gap <= 0.0 and memory[k, ACTIVE] == 0.0:
            a = codes[k] // n
            b = codes[k] % n
            i = int(rows[a, BODY])
            j = int(rows[b, BODY])
            _open(
                rows[a], body_frames[i], body_rates[i], rows[b], body_frames[j], body_rates[j],
                mobility[i] + mobility[j], answers[k], laws[law[k]], memory[k],
            )  # fmt: skip
            changes += 1
        elif gap > 0.0 and memory[k, ACTIVE] == 1.0:
            memory[k, ACTIVE] = 0.0
            changes += 1
    return changes


@step_kernel
def _open(row_a, frame_a, rates_a, row_b, frame_b, rates_b, mobility, answer, par, memory):
    """Begin an episode with the closing speed at the touching point and the sides that meet."""
    n0, n1, n2 = answer[1], answer[2], answer[3]
    v0, v1, v2 = _relative(
        frame_a, rates_a, frame_b, rates_b,
        0.5 * (answer[4] + answer[7]), 0.5 * (answer[5] + answer[8]), 0.5 * (answer[6] + answer[9]),
    )  # fmt: skip
    closing = -(v0 * n0 + v1 * n1 + v2 * n2)
    factor, sides = pair_factor(row_a, frame_a, row_b, frame_b, n0, n1, n2)
    begin_contact(par, memory, closing, 1.0 / max(mobility, 1e-300), factor, sides)


@step_kernel
def push(
    rows, pool, outline_frames, body_frames, body_rates, mobility, laws,
    codes, law, memory, count, answers, elapsed, work, patch, scratch, forces, report,
):  # fmt: skip
    """Forces of all contacts at a trial state.

    Args:
        rows, pool, outline_frames: outlines and their frames.
        body_frames, body_rates: float64[bodies, 12]; row 0 is the ground. mobility: 1/mass [1/kg].
        laws: float64[l, PAR]; codes .. count: episodes; answers: from :func:`search` at this state.
        elapsed: time since the last accepted step [s], for bristles.
        work, patch (4 x 5), scratch (MEMORY): work arrays.
        forces: float64[bodies, 12], contacts are *added*; report: float64[room, REPORT].

    Returns:
        stored energy [J], dissipated power [W].
    """
    n = rows.shape[0]
    energy = 0.0
    lost = 0.0
    for k in range(count):
        for column in range(1, REPORT):
            report[k, column] = 0.0
        gap = answers[k, 0]
        report[k, GAP] = gap
        report[k, STATUS] = answers[k, 10]
        if not gap < 0.0:
            continue
        a = codes[k] // n
        b = codes[k] % n
        i = int(rows[a, BODY])
        j = int(rows[b, BODY])
        par = laws[law[k]]
        for column in range(scratch.shape[0]):
            scratch[column] = memory[k, column]
        if scratch[ACTIVE] == 0.0:
            _open(
                rows[a], body_frames[i], body_rates[i], rows[b], body_frames[j], body_rates[j],
                mobility[i] + mobility[j], answers[k], par, scratch,
            )  # fmt: skip
        points = 1
        for j3 in range(3):
            patch[0, j3] = 0.5 * (answers[k, 4 + j3] + answers[k, 7 + j3])
        patch[0, 3] = -gap
        patch[0, 4] = 1.0
        if int(rows[a, KIND]) != SMOOTH and int(rows[b, KIND]) != SMOOTH:
            points = manifold(rows[a], outline_frames[a], rows[b], outline_frames[b], pool, answers[k], work, patch)
        total = 0.0
        for p in range(points):
            f, stored, power = _push_point(
                par, scratch, body_frames[i], body_rates[i], body_frames[j], body_rates[j],
                answers[k, 1], answers[k, 2], answers[k, 3], patch[p], elapsed, forces[i], forces[j], report[k],
            )  # fmt: skip
            total += f
            energy += stored
            lost += power
        for j3 in range(3):
            report[k, NORMAL + j3] = answers[k, 1 + j3]
        report[k, FORCE] = total
        report[k, POINTS] = points
    return energy, lost


@step_kernel
def _push_point(
    par, memory, frame_a, rates_a, frame_b, rates_b, n0, n1, n2, point, elapsed, out_a, out_b, report
):  # fmt: skip
    """Law and friction at one point of a contact; forces on both bodies on one line."""
    depth = point[3]
    weight = point[4]
    half = 0.5 * depth
    x0, x1, x2 = material_point(frame_a, point[0] + half * n0, point[1] + half * n1, point[2] + half * n2)
    y0, y1, y2 = material_point(frame_b, point[0] - half * n0, point[1] - half * n1, point[2] - half * n2)
    v0, v1, v2 = point_velocity(rates_a, x0, x1, x2)
    w0, w1, w2 = point_velocity(rates_b, y0, y1, y2)
    rate = n0 * (v0 - w0) + n1 * (v1 - w1) + n2 * (v2 - w2)
    f, _, stored, power = evaluate_law(par, memory, depth, rate, 0.0)
    f *= weight
    add_pseudo_rigid(out_a, x0, x1, x2, -f * n0, -f * n1, -f * n2)
    add_pseudo_rigid(out_b, y0, y1, y2, f * n0, f * n1, f * n2)
    u0, u1, u2 = _relative(frame_a, rates_a, frame_b, rates_b, point[0], point[1], point[2])
    # The bristle belongs to the whole contact: each point carries its share of it.
    g0, g1, g2, held, heat = friction_force(par, memory, f / weight, n0, n1, n2, u0, u1, u2, elapsed)
    g0 *= weight
    g1 *= weight
    g2 *= weight
    stored = weight * (stored + held)
    power = weight * (power + heat)
    if g0 != 0.0 or g1 != 0.0 or g2 != 0.0:
        p0, p1, p2 = material_point(frame_a, point[0], point[1], point[2])
        q0, q1, q2 = material_point(frame_b, point[0], point[1], point[2])
        add_pseudo_rigid(out_a, p0, p1, p2, -g0, -g1, -g2)
        add_pseudo_rigid(out_b, q0, q1, q2, g0, g1, g2)
    along = u0 * n0 + u1 * n1 + u2 * n2
    report[POINT] += weight * point[0]
    report[POINT + 1] += weight * point[1]
    report[POINT + 2] += weight * point[2]
    report[RATE] += weight * rate
    report[FRICTION] += g0
    report[FRICTION + 1] += g1
    report[FRICTION + 2] += g2
    report[SLIP] += weight * math.sqrt(max(u0 * u0 + u1 * u1 + u2 * u2 - along * along, 0.0))
    report[STORED] += stored
    report[POWER] += power
    return f, stored, power


@step_kernel
def advance(rows, body_frames, body_rates, laws, codes, law, memory, count, report, duration):
    """Note an accepted step in the memories; ``report`` is that of the accepted state. Returns energy lost [J]."""
    n = rows.shape[0]
    lost = 0.0
    for k in range(count):
        if report[k, GAP] >= 0.0 or memory[k, ACTIVE] == 0.0:
            continue
        par = laws[law[k]]
        advance_contact(par, memory[k], -report[k, GAP], report[k, RATE], duration)
        i = int(rows[codes[k] // n, BODY])
        j = int(rows[codes[k] % n, BODY])
        u0, u1, u2 = _relative(
            body_frames[i], body_rates[i], body_frames[j], body_rates[j],
            report[k, POINT], report[k, POINT + 1], report[k, POINT + 2],
        )  # fmt: skip
        lost += friction_advance(
            par, memory[k], report[k, FORCE], report[k, NORMAL], report[k, NORMAL + 1], report[k, NORMAL + 2],
            u0, u1, u2, duration,
        )  # fmt: skip
    return lost


@step_kernel
def torque_of(frame, force):
    """Torque about the body's position [N*m], world: sum of d_i x l^i."""
    t0 = 0.0
    t1 = 0.0
    t2 = 0.0
    for i in range(3):
        d0 = frame[3 + 3 * i]
        d1 = frame[4 + 3 * i]
        d2 = frame[5 + 3 * i]
        l0 = force[3 + 3 * i]
        l1 = force[4 + 3 * i]
        l2 = force[5 + 3 * i]
        t0 += d1 * l2 - d2 * l1
        t1 += d2 * l0 - d0 * l2
        t2 += d0 * l1 - d1 * l0
    return t0, t1, t2
