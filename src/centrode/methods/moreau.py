r"""moreau: time stepping for hard contacts, after Moreau and Jean.

A step h takes pose q and velocity v over the middle of the step. Contacts are no forces but impulses P of the whole
step, so velocities may jump:

    q_m = q + h/2 v                                                                                      (1)
    M (v+ - v) = h f(q_m, v) + J^T x + sum G^T P                                                         (2)
    J (v + v+)/2 + nu = 0,     contacts obey Signorini's and Coulomb's laws in v+   (:mod:`dynamics.hard.solve`)  (3)
    q+ = q_m + h/2 v+                                                                                    (4)

Rows J of the joints and points of contact are those at q_m. Turning is q exp(h w / 4) in (1) and (4), w in body axes;
the gyroscopic part of f is taken at (w + w+)/2, where it does no work.

Energy: by (1) and (4) a body moves by h (v + v+)/2 in a step, and by (2) every impulse gives exactly its product with
the same mean velocity to the kinetic energy. So the work of gravity is its loss of potential, free flight is exact,
and the audit of a system of free bodies closes to round-off: what contacts take is heat of friction and hits, and with
restitution 1 a hit takes nothing. That contacts never give follows from (3) (:func:`dynamics.hard.solve.gains`).

Joints: by (3) their impulses do no work but where a drive moves them. With the joint forces x that rates take at q_m,
and v_f the velocity after forces and these, the impulses of joints on a body are h J^T x and what is left of
M (v+ - v_f) when contacts have had theirs. So the work of drives is, by (3),

    h x . nu + sum over the bodies of   (M (v+ - v_f) - G^T P) . (v + v+)/2                                 (5)

Power at the end of a step times h would be wrong by half a step of the drive's acceleration. The pose q+ is then
projected on the joints and the velocity on their rows there, in the metric of the masses, which only takes energy, of
the order of h^4 a step where nothing is hit; a drive, whose velocity changes by other than two halves of a step, does
M dv . v+ by it, too. Impulses of contacts act on all bodies of a cluster that joints hold
(:mod:`dynamics.hard.joints`), so (3) is kept.

Hits of what comes anew act where and when it touches (:mod:`dynamics.hard.touch`). What goes on touching is of order
one; order two where nothing touches and forces depend on places alone (they are taken at v, not in the middle).
Moreau, Unilateral contact and dry friction in finite freedom dynamics, 1988; Jean, The non-smooth contact dynamics
method, 1999; Stewart and Trinkle 1996 and Anitescu and Potra 1997 for targets from gaps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from centrode.dynamics.bodies import move_bodies, normalise_poses, shift_poses
from centrode.dynamics.evaluate import rates_at
from centrode.dynamics.frames import write_frame
from centrode.dynamics.hard.contacts import HardContacts, hard_block
from centrode.dynamics.hard.joints import call_sized, cluster_kernels, join_clusters
from centrode.dynamics.hard.stage import FINEST, Met, call_contacts, keep_step, meet, take_off
from centrode.dynamics.hard.tables import Size, borrow_hard
from centrode.jit import handle_of, step_kernel, types
from centrode.math.vector import (
    dot,
    matrix,
    minus,
    norm,
    plus,
    plus_times,
    put,
    put_quaternion,
    quaternion,
    rotated,
    rotation_of,
    times,
    turn_back,
    turned,
    vector,
)
from centrode.methods.attend import attend
from centrode.methods.fixed_step import sum_is_finite, whole_steps
from centrode.methods.method import RUN, Method, Outcome, Run
from centrode.parts.bodies.body import Body
from centrode.parts.bodies.rigid import gyroscopic
from centrode.parts.kernel_types import JOINT_ROWS
from centrode.parts.tables import Coordinates, borrow, call_project

if TYPE_CHECKING:
    from centrode.system.model import Model

WAY = 0.1
"""Of its half-width, what the thinnest body moves in a step at most when none is given: bodies that turn as they meet
then overlap by a few hundredths of it."""
AFFORDED = 20.0
"""Parts to a whole step that a run may take on the average,"""
PATIENCE = 20000.0
"""and how many more in a row: then hits that fall into one step are taken at once."""
CLOSED = 1e-12
"""Open rows of joints that are left alone."""


class Style(NamedTuple):
    """Handles of the kernels of a run."""

    meet: int
    project: int
    respond: int
    audit: int


MARCH_SIGNATURE = types.int64(
    types.NamedTuple((types.int64,) * 4, Style),
    types.rows(RUN),
    types.floats1,  # times of the frames
    types.floats2,  # frames
    types.floats2,  # what is kept between two marches
    types.int64,
    types.int64,
)


@step_kernel
def release(h, before, tables):
    """Velocities at the end of the step without contacts, (2), with the gyroscopic part in its middle."""
    t = borrow(tables)
    for b in range(t.velocity.shape[0]):
        body, motion, rate = t.bodies[b + 1], t.velocity[b], t.acceleration[b]
        put(motion, 0, plus_times(vector(before, 6 * b), h, vector(rate, 0)))
        w = vector(before, 6 * b + 3)
        pushed = plus_times(w, h, minus(vector(rate, 3), gyroscopic(body, w)))
        after = pushed
        if body.gyration[0] != 0.0 or body.gyration[1] != 0.0 or body.gyration[2] != 0.0:
            for _ in range(8):  # each makes the rest smaller by the step times the spin
                last = after
                after = plus_times(pushed, h, gyroscopic(body, times(0.5, plus(w, after))))
                if norm(minus(after, last)) <= 1e-15 * norm(after):
                    break
        put(motion, 3, after)


@step_kernel
def close_midway(style, before, tables):
    """Joint impulses that close the mean of the velocities before and after, (3)."""
    t = borrow(tables)
    for b in range(t.velocity.shape[0]):
        for k in range(6):
            t.velocity[b, k] = 0.5 * (t.velocity[b, k] + before[6 * b + k])
    move_bodies(tables)
    call_sized(style.project, (tables,))
    for b in range(t.velocity.shape[0]):
        for k in range(6):
            t.velocity[b, k] = 2.0 * t.velocity[b, k] - before[6 * b + k]


@step_kernel
def work_of_change(since, other, tables):
    """M (v - since) . (v + other) / 2 of the present velocities v, summed over the bodies."""
    t = borrow(tables)
    total = 0.0
    for b in range(t.velocity.shape[0]):
        body, motion = t.bodies[b + 1], t.velocity[b]
        mobility, turning = body.inverse_root_mass**2, each_square(vector(body.inverse_root_inertia, 0))
        for k in range(6):
            inverse = mobility if k < 3 else turning[k - 3]
            if inverse > 0.0:
                total += 0.5 * (motion[k] - since[6 * b + k]) * (motion[k] + other[6 * b + k]) / inverse
    return total


@step_kernel
def is_driven(tables):
    """Whether a joint is driven at the state that rates were taken at. Others do no work: what theirs did would be an
    error that the audit is to see."""
    t = borrow(tables)
    moves = False
    for j in t.exact_joints:
        for r in range(t.joint_link[j, JOINT_ROWS]):
            moves |= t.terms[j, r, 1] != 0.0
    return moves


@step_kernel
def work_of_contacts(hard):
    """Of all impulses of contacts in the step, with mean velocities."""
    t = borrow_hard(hard)
    total = 0.0
    for b in range(1, t.solids.shape[0]):
        solid = t.solids[b]
        total += 0.5 * dot(vector(solid.impulse, 0), plus(vector(solid.velocity_before, 0), vector(solid.velocity, 0)))
        spin = plus(vector(solid.spin_before, 0), vector(solid.spin, 0))
        total += 0.5 * dot(vector(solid.angular_impulse, 0), spin)
    return total


@step_kernel
def each_square(v):
    """Squares of the numbers of a vector."""
    return v[0] * v[0], v[1] * v[1], v[2] * v[2]


@step_kernel
def correct_poses(tables, hard):
    """Shift bodies out of overlaps and by hits that act later, as the contacts found it.

    Spins are kept in body axes, which keeps their energy; of bodies that are equal about all axes in the world, which
    keeps their angular momentum, too.
    """
    run, t = borrow(tables), borrow_hard(hard)
    for b in range(1, t.solids.shape[0]):
        solid, pose, body, motion = t.solids[b], run.pose[b - 1], run.bodies[b], run.velocity[b - 1]
        d, w = vector(solid.shift, 0), vector(solid.turn, 0)
        if d[0] != 0.0 or d[1] != 0.0 or d[2] != 0.0 or dot(w, w) != 0.0:
            put(pose, 0, plus(vector(pose, 0), d))
            before = quaternion(pose, 3)
            after = turned(before, turn_back(matrix(run.rotation[b], 0), w))
            put_quaternion(pose, 3, after)
            if body.gyration[0] == 0.0 and body.gyration[1] == 0.0 and body.gyration[2] == 0.0:
                spin = rotated(before, vector(motion, 3))
                put(motion, 3, turn_back(rotation_of(after), spin))


@step_kernel
def integrate_states(h, style, before, tables):
    """Internal states of forces with their rates in the middle of the step; work with the mean velocities."""
    t = borrow(tables)
    count = 3 * t.contact_markers.shape[0] + 2 if t.push_contacts != 0 else 0
    end = t.audit if t.audit >= 0 else t.states.size
    for k in range(end):
        if k < t.contact_state or k >= t.contact_state + count:
            t.states[k] += h * t.state_rate[k]
    if t.audit < 0 or style.audit == 0:
        return
    for b in range(t.velocity.shape[0]):
        for k in range(6):
            before[6 * b + k], t.velocity[b, k] = t.velocity[b, k], 0.5 * (t.velocity[b, k] + before[6 * b + k])
    move_bodies(tables)
    call_sized(style.audit, (tables,))
    forces, contacts = t.force_link.shape[0], t.contact_markers.shape[0]
    for i in range(forces):
        t.states[t.audit + i] += h * t.state_rate[t.audit + i]
    t.states[t.audit + forces + contacts] += h * t.state_rate[t.audit + forces + contacts]
    for b in range(t.velocity.shape[0]):
        for k in range(6):
            t.velocity[b, k] = before[6 * b + k]


@step_kernel
def moreau_step(time, h, style, run, kept, tables, hard):
    """(1) to (4); an outcome. ``kept``: values, then velocities at the start; in row 3 velocities after forces."""
    t = borrow(tables)
    joined = t.exact_joints.shape[0] > 0
    moving = t.pose.size + t.velocity.size
    before, released = kept[1], kept[3]
    for k in range(moving):
        kept[0, k] = t.values[k]
    for k in range(t.velocity.size):
        before[k] = t.values[t.pose.size + k]
    shift_poses(0.5 * h, t.velocity, tables)
    if t.push_contacts != 0:
        take_off(tables)
    run[0].pivot = rates_at(time + 0.5 * h, False, tables)
    run[0].evaluations += 1
    release(h, before, tables)
    booked = joined and t.audit >= 0 and is_driven(tables)
    if joined:
        for k in range(t.velocity.size):
            released[k] = t.values[t.pose.size + k]
        close_midway(style, before, tables)
    if t.push_contacts != 0:
        met = call_contacts(style.meet, (time + h, h, before, style.respond, tables, hard))
        if met != Met.SOLVED.value:
            for k in range(moving):
                t.values[k] = kept[0, k]
            if met == Met.DIVIDE.value:
                return Outcome.STEP_TOO_LONG.value
            return Outcome.ROOM_NEEDED.value if met == Met.ROOM_NEEDED.value else Outcome.BLOCKED.value
        keep_step(h, tables, hard)
    driven = t.audit + t.force_link.shape[0] + t.contact_markers.shape[0] + 1
    if booked:
        t.states[driven] += h * t.state_rate[driven] + work_of_change(released, before, tables)
        t.states[driven] -= work_of_contacts(hard) if t.push_contacts != 0 else 0.0
    integrate_states(h, style, before, tables)
    shift_poses(0.5 * h, t.velocity, tables)
    if t.push_contacts != 0:
        correct_poses(tables, hard)
    if joined:
        run[0].residual = call_project(t.project_position, (time + h, 3, CLOSED, tables))
        run[0].largest_residual = max(run[0].largest_residual, run[0].residual)
    normalise_poses(tables)
    if joined:
        for k in range(t.velocity.size):
            released[k] = t.values[t.pose.size + k]
        run[0].pivot = rates_at(time + h, True, tables)
        run[0].evaluations += 1
        if booked:
            for k in range(t.velocity.size):
                before[k] = t.values[t.pose.size + k]
            t.states[driven] += work_of_change(released, before, tables)
    return Outcome.FRAMES_DONE.value


@step_kernel
def say_parts(hard, parts):
    """Tell contacts into how many parts the step is divided, and whether it may be further: not where steps are divided
    all the time.
    """
    tables = borrow_hard(hard)
    head = tables.head[0]
    head.spent = head.spent + 1.0 if parts > 1.0 else max(0.0, head.spent - AFFORDED)
    head.parts = parts
    small = tables.outlines.shape[0] <= Size.DIVIDED
    head.divisible = 1 if small and parts < FINEST and head.spent < PATIENCE else 0


@step_kernel
def go_on(way):
    """Count a part of a step that is done; parts become longer again where both halves are done."""
    way[6] += 1.0
    while way[5] > 1.0 and way[6] % 2.0 == 0.0:
        way[5] *= 0.5
        way[6] *= 0.5
    if way[5] == 1.0:
        way[2] += 1.0
        way[6] = 0.0


@step_kernel(signature=MARCH_SIGNATURE)
def march(style, run, frame_times, frames, kept, tables, hard):
    """Advance to the last frame time, or until something happens. Returns the outcome.

    ``kept[2]`` says where a march goes on that ran out of room between two frames: begun, origin, steps done, steps,
    length of a step, parts into which this one is divided, those done; so that what is computed does not depend on
    rooms.
    """
    t = borrow(tables)
    now = run[0]
    joined = t.exact_joints.shape[0] > 0
    if now.fresh != 0:
        now.pivot = rates_at(now.time, joined, tables)
        now.fresh = 0
    while now.next_frame < frame_times.size:
        goal = frame_times[now.next_frame]
        way = kept[2]
        if way[0] == 0.0:
            count, h = whole_steps(goal - now.time, now.step)
            way[0], way[1], way[2], way[3], way[4], way[5], way[6] = 1.0, now.time, 0.0, count, h, 1.0, 0.0
        origin, h = way[1], way[4]
        while way[2] < way[3]:
            parts = max(way[5], 1.0)
            if t.push_contacts != 0:
                say_parts(hard, parts)
            outcome = moreau_step(now.time, h / parts, style, run, kept, tables, hard)
            if outcome == Outcome.STEP_TOO_LONG.value:
                way[5], way[6] = 2.0 * parts, 2.0 * way[6]
                continue
            if outcome != Outcome.FRAMES_DONE.value:
                return outcome
            now.steps += 1
            go_on(way)
            now.time = origin + (way[2] + way[6] / way[5]) * h
            if way[6] == 0.0 and attend(run, tables):
                way[0] = 0.0
                return Outcome.LOOK.value
        way[0] = 0.0
        count = way[3]
        if not sum_is_finite(t.values):
            now.time = origin
            return Outcome.NOT_FINITE.value
        if count > 0.0:
            now.time = goal
        if not joined or count == 0.0:
            rates_at(now.time, False, tables)
        write_frame(frames[now.next_frame], goal, now.residual, now.pivot, tables)
        now.next_frame += 1
    return Outcome.FRAMES_DONE.value


@dataclass(frozen=True)
class MoreauMethod(Method):
    """Impulses instead of contact forces: velocities jump, nothing overlaps, what sticks does not creep."""

    name: str = "moreau"
    order: int = 1
    summary: str = "hard contacts of many bodies: impulses, friction cone, true stick; exact joints"
    reference: str = "Moreau 1988; Jean 1999"
    keeps: str = "energy of free bodies to round-off, momentum, no overlap, joints to round-off"
    default_step: float = 2e-3
    adaptive: bool = False
    exact_joints: bool = True
    locates_events: bool = False
    hard_contacts: bool = True

    def refuses(self, body: Body) -> bool:
        return body.coordinates is not Coordinates.TURNING or not body.principal_axes

    def step_for(self, model: Model) -> float:
        """Shorter where bodies are thin for the speed with which they will meet."""
        contacts = model.contacts
        if not isinstance(contacts, HardContacts) or contacts.fastest <= 0.0:
            return self.default_step
        return min(self.default_step, WAY * contacts.thinnest() / contacts.fastest)

    def frame_spacing(self, duration: float, count: int, step: float) -> float:
        """Whole steps, so that their length does not depend on how long a run is."""
        return min(max(1.0, round(duration / count / step)) * step, duration)

    def prepare(self, run: Run) -> tuple[Style, np.ndarray]:
        workspace, model = run.workspace, run.workspace.model
        kernels = cluster_kernels(*model.joint_size)
        joined, hard = bool(model.exact_joints.size), isinstance(model.contacts, HardContacts)
        if hard and joined:
            join_clusters(hard_block(workspace), model)
        working = bool(workspace.audit and (model.forces or model.compliant_joints.size))
        style = Style(
            meet=handle_of(meet) if hard else 0,
            project=handle_of(kernels.project) if joined else 0,
            respond=handle_of(kernels.respond) if joined and hard else 0,
            audit=handle_of(kernels.audit) if working else 0,
        )
        return style, np.zeros((4, max(workspace.values.size, 8)))

    def march(self, run: Run) -> int:
        """Advance; rooms that are too small are made larger."""
        style, kept = run.buffers
        w = run.workspace
        before = w.values.copy()
        while True:
            hard = w.address if w.contacts is None else w.contacts.address
            code = int(march(style, run.record, run.frame_times, run.frames, kept, w.address, hard))
            if code != Outcome.ROOM_NEEDED:
                break
            hard_block(w).grow()
        if code == Outcome.NOT_FINITE:
            w.values[:] = run.frames[run.next_frame - 1, w.frames.values] if run.next_frame else before
        return code


METHODS = (MoreauMethod(),)
