"""Compiled driver of all explicit Runge-Kutta methods on the constraint manifold.

One step from (t, y), with k_1 known from the evaluation that ended the last step:

    k_i = f(t + c_i h, y + h sum_j a_ij k_j),     y_1 = y + h sum_i b_i k_i                          (1)
    position projection with rows and factor of the last stage (simplified Newton)                    (2)
    quaternions normalised
    evaluation at t + h with velocity projection; its rates are k_1 of the next step                  (3)

(2) and (3) are the coordinate and velocity projections of the bicycle lecture notes; they reuse factors that exist
anyway and cost two extra solves. Error control follows Hairer, Norsett and Wanner, "Solving Ordinary Differential
Equations I", II.4 and II.10, with a proportional-integral controller; after four rejections in a row the step is
accepted and counted as forced, because step control that shrinks into a singular position never comes out.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from centrode.dynamics.bodies import normalise_poses
from centrode.dynamics.evaluate import rates_at, settle
from centrode.dynamics.events import ask_events, crossed, watches
from centrode.dynamics.frames import keep_memory, recall_memory, write_frame
from centrode.jit import step_kernel
from centrode.methods.method import Outcome
from centrode.parts.tables import borrow, call_project

ENOUGH = 1e-13
"""Position residual below which the projection stops [m or rad]: close to round-off of metre-sized systems."""
APART = 1e6
"""Position residual from which no projection brings a system back."""
MAX_REJECTIONS_IN_A_ROW = 4
MOST_REJECTIONS = 60
SHORTEST_STEP = 1e-14
"""Relative to the time."""


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
    """Slopes of the stages, values at the start of a step, memory of the parts there."""

    slopes: np.ndarray
    start: np.ndarray
    memory: np.ndarray


@step_kernel
def error_ratio(scheme, buffers, h, tolerance, tables):
    """Error estimate of a step relative to the tolerance, in the norm of DOP853 (error3 all zero: plain norm)."""
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
    if sum3 == 0.0:
        return h * math.sqrt(sum5 / n)
    return h * sum5 / math.sqrt((sum5 + 0.01 * sum3) * n)


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
def stages(time, h, scheme, buffers, tables):
    """Stages (1): slopes 2..s, then values = y_1; the start and its slope are given. Returns the smallest pivot."""
    t = borrow(tables)
    pivot = 1.0
    for s in range(1, scheme.b.size):
        weigh_slopes(scheme.a[s], s, h, buffers.start, buffers.slopes, t.values)
        pivot = min(pivot, rates_at(time + scheme.c[s] * h, False, tables))
        for i in range(t.values.size):
            buffers.slopes[s, i] = t.rates[i]
    weigh_slopes(scheme.b, scheme.b.size, h, buffers.start, buffers.slopes, t.values)
    return pivot


@step_kernel
def project_and_evaluate(time, projections, run, tables):
    """(2) and (3) at the end of a step; the position residual and the pivot stand in the record of the run."""
    t = borrow(tables)
    if projections > 0 and t.exact_joints.shape[0] > 0:
        run[0].residual = call_project(t.project_position, (time, projections, ENOUGH, tables))
        if not run[0].residual < APART:
            return
    normalise_poses(tables)
    run[0].pivot = rates_at(time, projections > 0, tables)


@step_kernel
def locate_event(time, h, scheme, buffers, run, tables):
    """Shorten the step that began at ``time`` until it ends at its first event, to round-off.

    The step is repeated from its start, so the place of the event is as exact as the method, without interpolation.
    Bisection on "some event function has crossed", with a secant guess while a single one is involved.

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
    for iteration in range(120):
        if high - low <= width and trial == high:
            break
        if high - low <= width:
            trial = high
        elif iteration % 3 == 2 or not value_low > value_high:
            trial = 0.5 * (low + high)
        else:
            trial = low + (high - low) * value_low / (value_low - value_high)
            margin = 0.02 * (high - low)
            if trial < low + width:
                trial = low + min(margin, 2.0 * width)
            elif trial > high - width:
                trial = high - min(margin, 2.0 * width)
        go_back(buffers, tables)
        stages(time, trial, scheme, buffers, tables)
        project_and_evaluate(time + trial, scheme.projections, run, tables)
        ask_events(time + trial, values[1], tables)
        hit = crossed(values)
        if hit >= 0:
            high = trial
            if hit != found:
                found = hit
                value_low = values[0, found]
            value_high = values[1, found]
        else:
            low = trial
            value_low = values[1, found]
    return high, found


@step_kernel
def finish_step(time, h, smallest, scheme, buffers, run, tables):
    """End a step of length h at ``time``: projections, counters, events, settling. Returns the outcome."""
    t = borrow(tables)
    now = run[0]
    now.time = time
    project_and_evaluate(time, scheme.projections, run, tables)
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
    if settle(time, tables) != 0:
        return Outcome.LOOK.value
    return Outcome.FRAMES_DONE.value


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
    while True:
        h, landing = next_length(goal, run)
        begin_step(buffers, tables)
        keep_memory(buffers.memory, tables)
        smallest = stages(now.time, h, scheme, buffers, tables)
        finite = all_finite(t.values)
        ratio = error_ratio(scheme, buffers, h, now.tolerance, tables) if finite else 1e10
        if ratio <= 1.0 or (finite and rejections >= MAX_REJECTIONS_IN_A_ROW):
            break
        now.evaluations += scheme.b.size - 1
        now.rejected += 1
        rejections += 1
        go_back(buffers, tables)
        recall_memory(buffers.memory, tables)
        if not math.isfinite(ratio):
            ratio = 1e10
        now.step = h * max(0.1, 0.9 * ratio ** (-1.0 / scheme.error_order))
        if now.step < SHORTEST_STEP * max(1.0, abs(now.time)) or rejections > MOST_REJECTIONS:
            return Outcome.STEP_TOO_SMALL.value
    if ratio > 1.0:
        now.forced += 1
    else:
        ratio = max(ratio, 1e-8)
        factor = 0.9 * ratio ** (-0.7 / scheme.error_order) * now.last_error ** (0.4 / scheme.error_order)
        if rejections > 0:
            factor = min(factor, 1.0)
        new_step = h * min(6.0, max(0.2, factor))
        now.step = new_step if (not landing or new_step < now.step) else max(now.step, new_step)
        now.last_error = max(ratio, 1e-4)
    return finish_step(goal if landing else now.time + h, h, smallest, scheme, buffers, run, tables)


@step_kernel
def equal_steps(goal, scheme, buffers, run, tables):
    """Steps of equal length to ``goal``, none longer than the run's. Returns the outcome."""
    t = borrow(tables)
    now = run[0]
    origin = now.time
    remaining = goal - origin
    count = max(1, int(math.ceil(remaining / now.step - 1e-6)))
    h = remaining / count
    for done in range(count):
        begin_step(buffers, tables)
        smallest = stages(now.time, h, scheme, buffers, tables)
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


@step_kernel
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
    if watches(tables):
        ask_events(now.time, t.event_values[1], tables)
        for i in range(t.event_values.shape[1]):
            t.event_values[0, i] = t.event_values[1, i]
    while now.next_frame < frame_times.size:
        goal = frame_times[now.next_frame]
        if now.time >= goal:
            write_frame(frames[now.next_frame], now.time, now.residual, now.pivot, tables)
            now.next_frame += 1
            continue
        if scheme.adaptive:
            outcome = controlled_step(goal, scheme, buffers, run, tables)
        else:
            outcome = equal_steps(goal, scheme, buffers, run, tables)
        if outcome != Outcome.FRAMES_DONE.value:
            return outcome
    return Outcome.FRAMES_DONE.value
