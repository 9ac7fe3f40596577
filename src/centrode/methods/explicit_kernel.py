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

from centrode.dynamics.evaluate import BODIES, rates_at
from centrode.dynamics.events import ask_events
from centrode.dynamics.settle import settle
from centrode.dynamics.tables import TABLE_NAMES
from centrode.jit import call_with_tables, step_kernel
from centrode.methods.method import (
    EVALUATIONS,
    FORCED,
    LARGEST_RESIDUAL,
    LARGEST_STEP,
    LAST_ERROR,
    REJECTED,
    SMALLEST_PIVOT,
    STEPS,
    TIME_OF_SMALLEST_PIVOT,
)
from centrode.parts.bodies.codes import BODY_FULL_MASS, BODY_RIGID

ENOUGH = 1e-13
"""Position residual below which the projection stops [m or rad]: close to round-off of metre-sized systems."""

MAX_REJECTIONS_IN_A_ROW = 4

MULTIPLIERS, JOINT_MEMORY, FORCE_MEMORY, ROW_ACTIVE = (
    TABLE_NAMES.index(name) for name in ("multipliers", "joint_memory", "force_memory", "row_active")
)


@step_kernel
def write_frame(row, time, values, rates, residual, pivot, tables):
    """One frame row: time, values, rates, then what else belongs to the moment, then residual and pivot.

    Multipliers, joint memory, force memory and row switches are kept so that a frame can be looked at later as it was.
    """
    n = values.size
    row[0] = time
    for i in range(n):
        row[1 + i] = values[i]
        row[1 + n + i] = rates[i]
    place = copy_rows(tables[MULTIPLIERS], row, 1 + 2 * n)
    place = copy_rows(tables[JOINT_MEMORY], row, place)
    place = copy_rows(tables[FORCE_MEMORY], row, place)
    place = copy_rows(tables[ROW_ACTIVE], row, place)
    row[place] = residual
    row[place + 1] = pivot


@step_kernel
def copy_rows(table, row, place):
    """Write a table into a frame row; returns the next free place."""
    for j in range(table.shape[0]):
        for r in range(table.shape[1]):
            row[place] = table[j, r]
            place += 1
    return place


@step_kernel
def normalise_quaternions(bodies, pose):
    """Pull every quaternion back to unit length (planar and pseudo-rigid bodies have none)."""
    for b in range(pose.shape[0]):
        if bodies[b + 1].kind == BODY_RIGID or bodies[b + 1].kind == BODY_FULL_MASS:
            n = 0.0
            for k in range(3, 7):
                n += pose[b, k] * pose[b, k]
            n = 1.0 / math.sqrt(n)
            for k in range(3, 7):
                pose[b, k] *= n


@step_kernel
def keep_memory(joint_memory, force_memory, kept):
    """Remember unwrapped angles and the like, which every evaluation moves."""
    place = 0
    for table in (joint_memory, force_memory):
        for i in range(table.shape[0]):
            for k in range(table.shape[1]):
                kept[place] = table[i, k]
                place += 1


@step_kernel
def recall_memory(joint_memory, force_memory, kept):
    """Undo what the stages of a rejected step did to the memory: in a wild stage an angle may gain a turn."""
    place = 0
    for table in (joint_memory, force_memory):
        for i in range(table.shape[0]):
            for k in range(table.shape[1]):
                table[i, k] = kept[place]
                place += 1


@step_kernel
def error_ratio(e5, e3, stages, slopes, start, values, h, tolerance):
    """Error estimate of a step relative to the tolerance, in the norm of DOP853 (e3 all zero: plain norm)."""
    sum5 = 0.0
    sum3 = 0.0
    n = values.size
    for i in range(n):
        d5 = 0.0
        d3 = 0.0
        for s in range(stages):
            d5 += e5[s] * slopes[s, i]
            d3 += e3[s] * slopes[s, i]
        scale = tolerance * (1.0 + max(abs(start[i]), abs(values[i])))
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
    """values = start + h sum_m weights[m] slopes[m], slope by slope so that the inner loop vectorises."""
    for i in range(values.size):
        values[i] = start[i]
    for m in range(count):
        factor = h * weights[m]
        if factor != 0.0:
            for i in range(values.size):
                values[i] += factor * slopes[m, i]


@step_kernel(forceinline=True)
def stage_loop(evaluate_call, a, b, c, t, h, values, rates, slopes, start, tables):
    """Stages (1): slopes 2..s, then values = y_1. slopes[0] and start are given. Returns the smallest pivot."""
    stages = b.size
    n = values.size
    pivot = 1.0
    for s in range(1, stages):
        weigh_slopes(a[s], s, h, start, slopes, values)
        smallest = rates_at(t + c[s] * h, False, evaluate_call, tables)
        if smallest < pivot:
            pivot = smallest
        for i in range(n):
            slopes[s, i] = rates[i]
    weigh_slopes(b, stages, h, start, slopes, values)
    return pivot


@step_kernel
def crossed(event_values):
    """Number of the first event function that fell to zero or below; -1 when none did.

    Right after an event its function is zero up to round-off, perhaps below; it counts again when it falls further, or
    the last small bounces of an impact, shorter than a step, would be missed.
    """
    for i in range(event_values.shape[1]):
        before = event_values[0, i]
        after = event_values[1, i]
        if not after > 0.0 and (before > 0.0 or after < before):
            return i
    return -1


@step_kernel
def locate_event(
    evaluate_call,
    project_call,
    a,
    b,
    c,
    projections,
    t,
    h,
    values,
    rates,
    slopes,
    start,
    pose,
    exact_joint_count,
    event_calls,
    event_spans,
    event_values,
    tables,
):
    """Shorten the step that began at ``t`` until it ends at its first event, to round-off.

    The step is repeated from its start, so the place of the event is as exact as the method, without interpolation.
    Bisection on "some event function has crossed", with a secant guess while a single one is involved.

    Returns:
        (length of the shortened step, number of the event); the values are those at its end.
    """
    found = crossed(event_values)
    low = 0.0
    high = h
    value_low = event_values[0, found]
    value_high = event_values[1, found]
    width = 4e-16 * max(abs(t) + h, h)
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
        for i in range(values.size):
            values[i] = start[i]
            rates[i] = slopes[0, i]
        stage_loop(evaluate_call, a, b, c, t, trial, values, rates, slopes, start, tables)
        if projections > 0 and exact_joint_count > 0:
            call_with_tables(project_call, (t + trial, projections, ENOUGH), tables)
        normalise_quaternions(tables[BODIES], pose)
        rates_at(t + trial, projections > 0, evaluate_call, tables)
        ask_events(t + trial, event_calls, event_spans, event_values[1], tables)
        hit = crossed(event_values)
        if hit >= 0:
            high = trial
            if hit != found:
                found = hit
                value_low = event_values[0, found]
            value_high = event_values[1, found]
        else:
            low = trial
            value_low = event_values[1, found]
    return high, found


@step_kernel
def run_explicit(
    evaluate_call,
    project_call,
    a,
    b,
    c,
    e5,
    e3,
    adaptive,
    error_order,
    projections,
    project_first,
    t,
    step,
    tolerance,
    frame_times,
    next_frame,
    frames,
    counters,
    values,
    rates,
    slopes,
    start,
    pose,
    exact_joint_count,
    kept_memory,
    event_calls,
    event_spans,
    event_values,
    event_found,
    tables,
):
    """Advance to the last frame time, or to the first event.

    Returns:
        (time, step to try next, next frame, outcome code). After an event the values are those at the event, and
        ``event_found[0]`` is its number.
    """
    n = values.size
    stages = b.size
    residual = 0.0
    rejections = 0
    # At re-entry the velocities are projected already; projecting again would move them by round-off and make the
    # result depend on how a run was cut into calls.
    pivot = rates_at(t, project_first, evaluate_call, tables)
    watching = event_spans.shape[0] > 0
    if watching:
        ask_events(t, event_calls, event_spans, event_values[1], tables)
        for i in range(event_values.shape[1]):
            event_values[0, i] = event_values[1, i]
    while next_frame < frame_times.size:
        if t >= frame_times[next_frame]:
            write_frame(frames[next_frame], t, values, rates, residual, pivot, tables)
            next_frame += 1
            continue
        origin = t
        remaining = frame_times[next_frame] - t
        if adaptive:
            count = 1
            h = step
        else:
            count = max(1, int(math.ceil(remaining / step - 1e-6)))
            h = remaining / count
        done = 0
        while True:
            if adaptive:
                remaining = frame_times[next_frame] - t
                if counters[LARGEST_STEP] > 0.0:
                    step = min(step, counters[LARGEST_STEP])
                h = step
                landing = h >= remaining * (1.0 - 1e-12)
                if landing:
                    h = remaining
                elif 2.0 * h > remaining:
                    h = 0.5 * remaining
            for i in range(n):
                start[i] = values[i]
                slopes[0, i] = rates[i]
            if adaptive:
                keep_memory(tables[JOINT_MEMORY], tables[FORCE_MEMORY], kept_memory)
            smallest = stage_loop(evaluate_call, a, b, c, t, h, values, rates, slopes, start, tables)
            counters[EVALUATIONS] += stages - 1
            finite = True
            for i in range(n):
                if not math.isfinite(values[i]):
                    finite = False
            if adaptive:
                ratio = error_ratio(e5, e3, stages, slopes, start, values, h, tolerance) if finite else 1e10
                if ratio > 1.0 and rejections < MAX_REJECTIONS_IN_A_ROW or not finite:
                    counters[REJECTED] += 1
                    rejections += 1
                    for i in range(n):
                        values[i] = start[i]
                        rates[i] = slopes[0, i]
                    recall_memory(tables[JOINT_MEMORY], tables[FORCE_MEMORY], kept_memory)
                    if not math.isfinite(ratio):
                        ratio = 1e10
                    step = h * max(0.1, 0.9 * ratio ** (-1.0 / error_order))
                    if step < 1e-14 * max(1.0, abs(t)) or rejections > 60:
                        return t, step, next_frame, 2
                    continue
                if ratio > 1.0:
                    counters[FORCED] += 1
                else:
                    ratio = max(ratio, 1e-8)
                    factor = 0.9 * ratio ** (-0.7 / error_order) * counters[LAST_ERROR] ** (0.4 / error_order)
                    if rejections > 0:
                        factor = min(factor, 1.0)
                    new_step = h * min(6.0, max(0.2, factor))
                    step = new_step if (not landing or new_step < step) else max(step, new_step)
                    counters[LAST_ERROR] = max(ratio, 1e-4)
                rejections = 0
            elif not finite:
                for i in range(n):
                    values[i] = start[i]
                return t, step, next_frame, 1
            done += 1
            if adaptive:
                t = frame_times[next_frame] if landing else t + h
            else:
                t = frame_times[next_frame] if done == count else origin + done * h
            if projections > 0 and exact_joint_count > 0:
                residual = call_with_tables(project_call, (t, projections, ENOUGH), tables)
                if not (residual < 1e6):
                    return t, step, next_frame, 5
                if residual > counters[LARGEST_RESIDUAL]:
                    counters[LARGEST_RESIDUAL] = residual
            normalise_quaternions(tables[BODIES], pose)
            pivot = rates_at(t, projections > 0, evaluate_call, tables)
            counters[EVALUATIONS] += 1
            counters[STEPS] += 1
            smallest = min(smallest, pivot)
            if smallest < counters[SMALLEST_PIVOT]:
                counters[SMALLEST_PIVOT] = smallest
                counters[TIME_OF_SMALLEST_PIVOT] = t
            if watching:
                ask_events(t, event_calls, event_spans, event_values[1], tables)
                if crossed(event_values) >= 0:
                    t_start = t - h
                    h, found = locate_event(
                        evaluate_call,
                        project_call,
                        a,
                        b,
                        c,
                        projections,
                        t_start,
                        h,
                        values,
                        rates,
                        slopes,
                        start,
                        pose,
                        exact_joint_count,
                        event_calls,
                        event_spans,
                        event_values,
                        tables,
                    )
                    event_found[0] = found
                    return t_start + h, step, next_frame, 4
                for i in range(event_values.shape[1]):
                    event_values[0, i] = event_values[1, i]
            if settle(t, tables) != 0:
                return t, step, next_frame, 6
            if adaptive and landing or not adaptive and done == count:
                break
    return t, step, next_frame, 0
