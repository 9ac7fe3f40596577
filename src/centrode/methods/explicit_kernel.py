"""Compiled driver of all explicit Runge-Kutta methods on the constraint manifold.

One step from (t, y), with k_1 known from the evaluation that ended the last step:

    k_i = f(t + c_i h, y + h sum_j a_ij k_j),     y_1 = y + h sum_i b_i k_i                          (1)
    position projection with rows and factor of the last stage (simplified Newton)                    (2)
    quaternions normalised
    evaluation at t + h with velocity projection; its rates are k_1 of the next step                  (3)

(2) and (3) are the coordinate and velocity projections of the bicycle lecture notes; they reuse factors that exist
anyway and cost two extra solves. Error control follows Hairer, Norsett and Wanner, "Solving Ordinary Differential
Equations I", II.4 and II.10, with a proportional-integral controller.

A force with a kink (a contact that begins, a corner that comes over an edge) leaves an error of second order in the
step that goes over it, not of the eighth that (II.4) reckons with: from the fifth rejection in a row on the step is
shortened as for second order, until the kink, too, is gone over within the tolerance. A jump of a force never is: its
step is taken at the shortest length, and counted as forced. So is, after four rejections, a step next to a singular
position, because step control that shrinks into one never comes out.

The slopes of early stages have no weight in y_1 nor in the estimates of its error (2 to 5 of DOP853, 2 of DP5), and
count through the stages after them alone. A step that begins at a touch and is far too long for its contact may press
in these only, which throw the later ones out of it: y_1 has then gone on through the wall, without a push and without
an error. So a step in whose stages a contact of frequency w presses is too long, whatever its estimate says, when
h w > 2 pi, a whole swing of it; where methods of these orders are of any use they take several steps in a swing.

Next to a singular position (rows nearly dependent, the smallest relative pivot p = O(s^2) with s the distance from it)
the system could nearly move in one more way. Stages leave the manifold by some d, and then their accelerations in that
way are off by d / s, which a shorter step, whose stages lie nearer to the position, makes worse. So a step that would
be rejected and has p below NEAR_SINGULAR of its usual size is repeated with stages that are projected before they are
evaluated,

    k_i = f(t + c_i h, P(y + h sum_j a_ij k_j)),                                                     (4)

the same method for y' = f(P(y)), which has the solutions of y' = f(y) and does not feel d. A pose on the manifold to
round-off e is off by e / s in the extra way and tilts the allowed velocities by e / s^2, of which (3) loses the square
in energy. So steps with small p are closed to round-off, none is asked for less than this tilt, and one that would
end where p is below TOO_NEAR ends half-way, so that the next goes over the position.                              (5)

Where steps end is noted when there is room for it. A run without step control that is given such ends takes these
steps again, so that a run with other parameters is a smooth function of them: step control decides, and decisions are
not smooth. Events are found anew, wherever they then lie between two ends.                                        (6)
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from centrode.dynamics.bodies import normalise_poses
from centrode.dynamics.evaluate import rates_at
from centrode.dynamics.events import ask_events, crossed, watches
from centrode.dynamics.frames import keep_memory, recall_memory, write_frame
from centrode.jit import step_kernel, types
from centrode.methods.attend import attend
from centrode.methods.method import PATIENCE, RUN, Outcome
from centrode.parts.tables import borrow, call_project, contact_notes

ENOUGH = 1e-13
"""Position residual below which the projection stops [m or rad]: close to round-off of metre-sized systems."""
APART = 1e6
"""Position residual from which no projection brings a system back."""
MAX_REJECTIONS_IN_A_ROW = 4
"""From here on a step is shortened as at a kink, or forced next to a singular position."""
MOST_REJECTIONS = 60
MOST_JUMPS = 2.0**20
"""Twenty steps of the shortest length in a row, each forced, go over no jump: the motion has no end."""
KINK_ORDER = 2.0
SHORTEST_STEP = 1e-14
"""Relative to the time."""
NEAR_SINGULAR = 1e-2
TOO_NEAR = 1e-6
TOO_LONG = 1e-3
"""Error of a step [m, rad, m/s, rad/s] that is just too long, near a singular position or not."""
MOST_CLOSINGS = 5
LONGEST_SWING = 2.0 * math.pi
"""Step times frequency of a contact that presses in a stage, above which a step is rejected."""
NEARLY_CLOSED = 1e-9
"""Position residual d from which Newton steps with the rows of that pose end at round-off: each leaves d / s of what it
found, 1e-6 at the nearest that a step may end, s = sqrt(TOO_NEAR). New rows would say the same."""
NOISE = 5e-16
"""Of a pose; over p it is the error of velocities in the extra way (5), below which no step gets."""
NEARER = 0.1
"""Value of an event function over the lesser one of the two that a secant goes through, of a good secant."""
ROUND_OFF = 1e-15
"""Position residual that Newton steps do not lower [m or rad]."""


class Scheme(NamedTuple):
    """An explicit Runge-Kutta method: coefficients, weights of the error estimates, how it is run."""

    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    error: np.ndarray
    error3: np.ndarray
    adaptive: bool
    error_order: float
    projections: int


class Buffers(NamedTuple):
    """Slopes of the stages, values at the start of a step, memory of the parts there; ends of steps (6)."""

    slopes: np.ndarray
    start: np.ndarray
    memory: np.ndarray
    ends: np.ndarray


SCHEME = types.NamedTuple((types.floats2, *(types.floats1,) * 4, types.boolean, types.float64, types.int64), Scheme)
BUFFERS = types.NamedTuple((types.floats2, *(types.floats1,) * 3), Buffers)


@step_kernel
def error_ratio(scheme, buffers, h, pressed, tolerance, tables):
    """Error estimate of a step relative to the tolerance, in the norm of DOP853 (error3 all zero: plain norm).

    DOP853 takes 10 e5^2 / e3 of its estimates of fifth and third order for the error of eighth order, as it is of
    smooth motion. At a kink all three are of one size, e3 is as large as ever, and errors of a thousand tolerances pass
    unseen: where bodies press on each other e5 itself is the estimate.
    """
    t = borrow(tables)
    sum5 = 0.0
    sum3 = 0.0
    n = t.values.size
    for i in range(n):
        d5 = 0.0
        d3 = 0.0
        for s in range(scheme.b.size):
            d5 += scheme.error[s] * buffers.slopes[s, i]
            d3 += scheme.error3[s] * buffers.slopes[s, i]
        scale = tolerance * (1.0 + max(abs(buffers.start[i]), abs(t.values[i])))
        d5 /= scale
        d3 /= scale
        sum5 += d5 * d5
        sum3 += d3 * d3
    if sum5 == 0.0 and sum3 == 0.0:
        return 0.0
    if pressed or sum3 == 0.0:
        return h * math.sqrt(sum5 / n)
    return h * sum5 / math.sqrt((sum5 + 0.01 * sum3) * n)


@step_kernel
def largest_pose(tables):
    """Largest coordinate of a pose [m or rad]: what round-off is relative to."""
    t = borrow(tables)
    largest = 0.0
    for i in range(t.pose.size):
        largest = max(largest, abs(t.values[i]))
    return largest


@step_kernel
def close_again(time, enough, tables):
    """Newton steps of (2) with rows and factor of their own, several with each. Returns the number of evaluations."""
    t = borrow(tables)
    count = 0
    while count < MOST_CLOSINGS:
        rates_at(time, False, tables)
        count += 1
        if not call_project(t.project_position, (time, MOST_CLOSINGS, enough, tables)) > NEARLY_CLOSED:
            break
    normalise_poses(tables)
    return count


@step_kernel
def weigh_slopes(weights, count, h, start, slopes, values):
    """values = start + h sum_m weights[m] slopes[m]: two slopes at a time, in inner loops that vectorise."""
    m = 0
    while m < count - 1 and weights[m] == 0.0:
        m += 1
    factor = h * weights[m]
    if (count - m) % 2 == 1:
        for i in range(values.size):
            values[i] = start[i] + factor * slopes[m, i]
        m += 1
    else:
        second = h * weights[m + 1]
        for i in range(values.size):
            values[i] = start[i] + factor * slopes[m, i] + second * slopes[m + 1, i]
        m += 2
    while m < count:
        factor, second = h * weights[m], h * weights[m + 1]
        for i in range(values.size):
            values[i] += factor * slopes[m, i] + second * slopes[m + 1, i]
        m += 2


@step_kernel
def begin_step(buffers, tables):
    """Values and rates now are the start of a step and its first slope."""
    t = borrow(tables)
    for i in range(t.values.size):
        buffers.start[i] = t.values[i]
        buffers.slopes[0, i] = t.rates[i]


@step_kernel
def go_back(buffers, tables):
    """Values and rates as they were at the start of the step."""
    t = borrow(tables)
    for i in range(t.values.size):
        t.values[i] = buffers.start[i]
        t.rates[i] = buffers.slopes[0, i]


@step_kernel
def stages(time, h, careful, scheme, buffers, tables):
    """Stages (1), or (4) when ``careful``: slopes 2..s, then values = y_1; the start and its slope are given.

    Returns the smallest pivot, that of the last stage, whether bodies press on each other, the largest square of the
    frequency of a contact [1/s2], and the number of evaluations.
    """
    t = borrow(tables)
    smallest = 1.0
    pivot = 1.0
    pressed = False
    pace = 0.0
    count = 0
    if t.push_contacts != 0:
        contact_notes(t.contact_memory, 0).stage = 1
    for s in range(1, scheme.b.size):
        weigh_slopes(scheme.a[s], s, h, buffers.start, buffers.slopes, t.values)
        if careful:
            count += close_again(time + scheme.c[s] * h, ENOUGH, tables)
        pivot = rates_at(time + scheme.c[s] * h, careful, tables)
        count += 1
        smallest = min(smallest, pivot)
        if t.push_contacts != 0:
            notes = contact_notes(t.contact_memory, 0)
            pressed |= notes.stored > 0.0
            pace = max(pace, notes.pace)
        for i in range(t.values.size):
            buffers.slopes[s, i] = t.rates[i]
    if t.push_contacts != 0:
        contact_notes(t.contact_memory, 0).stage = 0
    weigh_slopes(scheme.b, scheme.b.size, h, buffers.start, buffers.slopes, t.values)
    return smallest, pivot, pressed, pace, count


@step_kernel
def project_and_evaluate(time, smallest, projections, run, tables):
    """(2) and (3) at the end of a step whose smallest pivot is known.

    The position residual and the pivot at the end stand in the record of the run.
    """
    t = borrow(tables)
    if projections > 0 and t.exact_joints.shape[0] > 0:
        run[0].residual = call_project(t.project_position, (time, projections, ENOUGH, tables))
        if not run[0].residual < APART:
            return
        if smallest < NEAR_SINGULAR * run[0].usual_pivot:
            run[0].evaluations += close_again(time, ROUND_OFF, tables)
    normalise_poses(tables)
    run[0].pivot = rates_at(time, projections > 0, tables)
    run[0].usual_pivot = max(run[0].usual_pivot, run[0].pivot)


@step_kernel
def locate_event(time, h, scheme, buffers, run, tables):
    """Shorten the step that began at ``time`` until it ends at its first event, to round-off.

    The step is repeated from its start, so the place of the event is as exact as the method, without interpolation.
    The root stays between two lengths. Each trial is a secant, moved a little towards the middle, the more the longer
    one of the two has stayed, and not farther from the middle than bisection could have come by then (after ITP,
    Oliveira and Takahashi 2020): quick where the event function is smooth, and no slower than bisection where it has a
    kink just there, as the gap of bodies that give way has. Secants that come nearer each time leave one of the lengths
    where it is; in the first fifth of the trials these need not keep up with bisection, or every second trial is one.

    Returns:
        (length of the shortened step, number of the event); the values are those at its end.
    """
    t = borrow(tables)
    values = t.event_values
    found = crossed(values)
    low = 0.0
    high = h
    value_low = values[0, found]
    value_high = values[1, found]
    width = 4e-16 * max(abs(time) + h, h)
    trial = h
    most = math.ceil(math.log2(max(h / width, 1.0))) + 1
    stayed = 0  # how often high, or below 0 low, has been moved while the other stayed
    for iteration in range(most + 20):
        if high - low <= width:
            if trial == high:
                break
            trial = high
        else:
            middle, half = 0.5 * (low + high), 0.5 * (high - low)
            trial = middle
            if value_low > value_high:
                secant = low + (high - low) * value_low / (value_low - value_high)
                aside = min(width * 4.0 ** abs(stayed), abs(middle - secant))
                inwards = 1.0 if middle >= secant else -1.0
                # Right after an event the function may start below zero by round-off: a secant from there is outside.
                reach = min(0.5 * width * 2.0 ** (most - iteration) - half, half - 2.0 * width)
                trial = secant + inwards * aside
                if abs(trial - middle) > reach:
                    trial = middle - inwards * max(reach, 0.0)
        go_back(buffers, tables)
        smallest, _, _, _, _ = stages(time, trial, False, scheme, buffers, tables)
        project_and_evaluate(time + trial, smallest, scheme.projections, run, tables)
        ask_events(time + trial, values[1], tables)
        hit = crossed(values)
        if iteration < most // 5 and abs(values[1, found]) < NEARER * min(abs(value_low), abs(value_high)):
            most += 1
        if hit >= 0:
            high = trial
            if hit != found:
                found = hit
                value_low = values[0, found]
            value_high = values[1, found]
            stayed = max(stayed, 0) + 1
        else:
            low = trial
            value_low = values[1, found]
            stayed = min(stayed, 0) - 1
    return high, found


@step_kernel
def finish_step(time, h, smallest, scheme, buffers, run, tables):
    """End a step of length h at ``time``: projections, counters, events, settling. Returns the outcome."""
    t = borrow(tables)
    now = run[0]
    now.time = time
    project_and_evaluate(time, smallest, scheme.projections, run, tables)
    if scheme.projections > 0:
        if not now.residual < APART:
            return Outcome.OFF_CONSTRAINTS.value
        now.largest_residual = max(now.largest_residual, now.residual)
    now.evaluations += scheme.b.size
    now.steps += 1
    smallest = min(smallest, now.pivot)
    if smallest < now.smallest_pivot:
        now.smallest_pivot = smallest
        now.time_of_smallest_pivot = time
    if watches(tables):
        values = t.event_values
        ask_events(time, values[1], tables)
        if crossed(values) >= 0:
            begun = time - h
            h, now.event = locate_event(begun, h, scheme, buffers, run, tables)
            now.time = begun + h
            return Outcome.EVENT.value
        for i in range(values.shape[1]):
            values[0, i] = values[1, i]
    if scheme.adaptive and now.noted < buffers.ends.size:
        buffers.ends[now.noted] = time
        now.noted += 1
    if attend(run, tables):
        return Outcome.LOOK.value
    return Outcome.FRAMES_DONE.value


@step_kernel
def next_end(goal, ends, run):
    """Where to go in equal steps on the way to ``goal``, and the longest of these [s]: one step to each end of (6)."""
    now = run[0]
    if ends.size == 0:
        return goal, now.step
    while now.noted < ends.size and ends[now.noted] <= now.time:
        now.noted += 1
    return (min(goal, ends[now.noted]) if now.noted < ends.size else goal), math.inf


@step_kernel
def all_finite(values):
    """Whether no value is infinite or not a number."""
    finite = True
    for i in range(values.size):
        finite &= math.isfinite(values[i])
    return finite


@step_kernel
def next_length(goal, run):
    """Length of the next step towards ``goal`` [s], the rest of the way in one or in two halves; whether it lands."""
    now = run[0]
    remaining = goal - now.time
    if now.largest_step > 0.0:
        now.step = min(now.step, now.largest_step)
    if now.step >= remaining * (1.0 - 1e-12):
        return remaining, True
    return (0.5 * remaining if 2.0 * now.step > remaining else now.step), False


@step_kernel
def controlled_step(goal, scheme, buffers, run, tables):
    """One accepted step towards ``goal``, its length by the tolerance. Returns the outcome."""
    t = borrow(tables)
    now = run[0]
    rejections = 0
    near_pivot, too_near = NEAR_SINGULAR * now.usual_pivot, TOO_NEAR * now.usual_pivot
    beyond = 0.0  # the step that goes over a singular position, after half of it
    while True:
        h, landing = next_length(goal, run)
        begin_step(buffers, tables)
        keep_memory(buffers.memory, tables)
        for careful in (False, True):
            if careful:
                recall_memory(buffers.memory, tables)  # of angles, which stages count turns in
            smallest, last, pressed, pace, count = stages(now.time, h, careful, scheme, buffers, tables)
            finite = all_finite(t.values)
            tolerance = now.tolerance
            if careful:  # (5)
                tolerance = max(tolerance, NOISE * (1.0 + largest_pose(tables)) / max(smallest, too_near))
            ratio = error_ratio(scheme, buffers, h, pressed, tolerance, tables) if finite else 1e10
            if ratio <= 1.0 and h * h * pace > LONGEST_SWING * LONGEST_SWING:
                ratio = (h * math.sqrt(pace) / LONGEST_SWING) ** scheme.error_order
            if ratio <= 1.0 or smallest > near_pivot or scheme.projections == 0 or ratio * tolerance > TOO_LONG:
                break
            now.evaluations += count
        near = ratio <= 1.0 and last < too_near <= now.pivot and not landing and scheme.projections > 0
        if ratio <= 1.0 and (not near or beyond > 0.0):
            break
        shortest = SHORTEST_STEP * max(1.0, abs(now.time))
        singular = scheme.projections > 0 and not smallest > near_pivot
        jump = h < 10.0 * shortest and now.last_error < MOST_JUMPS
        if finite and rejections >= MAX_REJECTIONS_IN_A_ROW and (singular or jump):
            break
        now.evaluations += scheme.b.size - 1
        now.rejected += 1
        go_back(buffers, tables)
        recall_memory(buffers.memory, tables)
        if near:
            beyond = h
            now.step = 0.5 * h
            continue
        rejections += 1
        if not math.isfinite(ratio):
            ratio = 1e10
        order = scheme.error_order if rejections <= MAX_REJECTIONS_IN_A_ROW else KINK_ORDER
        now.step = h * max(0.1, 0.9 * ratio ** (-1.0 / order))
        if now.step < shortest or rejections > MOST_REJECTIONS:
            return Outcome.STEP_TOO_SMALL.value
    if ratio > 1.0:
        now.forced += 1
        if not singular:
            now.last_error = 2.0 * max(now.last_error, 1.0)
    else:
        ratio = max(ratio, 1e-8)
        factor = 0.9 * ratio ** (-0.7 / scheme.error_order) * now.last_error ** (0.4 / scheme.error_order)
        if rejections > 0:
            factor = min(factor, 1.0)
        new_step = h * min(6.0, max(0.2, factor))
        now.step = new_step if (not landing or new_step < now.step) else max(now.step, new_step)
        now.step = max(now.step, beyond)
        now.last_error = max(ratio, 1e-4)
    return finish_step(goal if landing else now.time + h, h, smallest, scheme, buffers, run, tables)


@step_kernel
def equal_steps(goal, longest, scheme, buffers, run, tables):
    """Steps of equal length to ``goal``, none longer than ``longest`` [s]. Returns the outcome."""
    t = borrow(tables)
    now = run[0]
    origin = now.time
    remaining = goal - origin
    count = max(1, int(math.ceil(remaining / longest - 1e-6)))
    h = remaining / count
    for done in range(count):
        begin_step(buffers, tables)
        smallest, _, _, _, _ = stages(now.time, h, False, scheme, buffers, tables)
        if not all_finite(t.values):
            now.evaluations += scheme.b.size - 1
            for i in range(t.values.size):
                t.values[i] = buffers.start[i]
            return Outcome.NOT_FINITE.value
        end = goal if done + 1 == count else origin + (done + 1) * h
        outcome = finish_step(end, h, smallest, scheme, buffers, run, tables)
        if outcome != Outcome.FRAMES_DONE.value:
            return outcome
    return Outcome.FRAMES_DONE.value


@step_kernel(signature=types.int64(SCHEME, BUFFERS, types.rows(RUN), types.floats1, types.floats2, types.int64))
def run_explicit(scheme, buffers, run, frame_times, frames, tables):
    """Advance to the last frame time, or to the first event. Returns the outcome.

    After an event the values are those at the event, and the record of the run holds its number.
    """
    t = borrow(tables)
    now = run[0]
    now.residual = 0.0
    # At re-entry the velocities are projected already; projecting again would move them by round-off and make the
    # result depend on how a run was cut into calls.
    now.pivot = rates_at(now.time, now.fresh != 0 and scheme.projections > 0, tables)
    now.usual_pivot = max(now.usual_pivot, now.pivot)
    if watches(tables):
        ask_events(now.time, t.event_values[1], tables)
        for i in range(t.event_values.shape[1]):
            t.event_values[0, i] = t.event_values[1, i]
    begun = now.steps
    while now.next_frame < frame_times.size:
        goal = frame_times[now.next_frame]
        if now.time >= goal:
            write_frame(frames[now.next_frame], now.time, now.residual, now.pivot, tables)
            now.next_frame += 1
            continue
        if now.steps - begun > PATIENCE:
            return Outcome.LOOK.value
        if scheme.adaptive:
            outcome = controlled_step(goal, scheme, buffers, run, tables)
        else:
            near, longest = next_end(goal, buffers.ends, run)
            outcome = equal_steps(near, longest, scheme, buffers, run, tables)
        if outcome != Outcome.FRAMES_DONE.value:
            return outcome
    return Outcome.FRAMES_DONE.value
