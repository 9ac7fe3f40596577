"""Stages of all bodies, span by span, and how poses follow from velocities in each kind of coordinates.

A span is a run of bodies of one kind; its kernels are called by address, so a kind of body is one file anywhere
(:class:`centrode.parts.bodies.body.Body`). Spans keep the order of the user's bodies: results do not depend on kinds.
"""

from __future__ import annotations

import math

from centrode.jit import step_kernel, types
from centrode.math.vector import (
    plus_times,
    put,
    put_quaternion,
    quaternion,
    quaternion_rate,
    times,
    turned,
    vector,
)
from centrode.parts.tables import Coordinates, body_spans_of, borrow, call_body

TURNING = Coordinates.TURNING
FEW = 32
"""Bodies that several stages work on in turn while the processor's cache holds them."""


@step_kernel(signature=types.void(types.int64))
def place_bodies(tables):
    """Rotation matrices, marker positions and marker axes from the poses."""
    for span in body_spans_of(tables):
        call_body(span.place, (span.first, span.end, tables))


@step_kernel
def place_and_move(tables):
    """:func:`place_bodies` and :func:`move_bodies`, a few bodies at a time."""
    for span in body_spans_of(tables):
        for first in range(span.first, span.end, FEW):
            end = min(first + FEW, span.end)
            call_body(span.place, (first, end, tables))
            call_body(span.move, (first, end, tables))


@step_kernel(signature=types.void(types.int64))
def move_bodies(tables):
    """Marker velocities and convective accelerations; needs the result of :func:`place_bodies`."""
    for span in body_spans_of(tables):
        call_body(span.move, (span.first, span.end, tables))


@step_kernel
def weigh_rows(tables):
    """Y = J L^-T of every exact joint."""
    for span in body_spans_of(tables):
        call_body(span.weigh_rows, (span.first_side, span.end_side, tables))


@step_kernel(signature=types.void(types.int64))
def weigh_soft_rows(tables):
    """The same of every compliant joint."""
    for span in body_spans_of(tables):
        call_body(span.weigh_rows, (span.first_soft, span.end_soft, tables))


@step_kernel(signature=types.void(types.int64))
def weigh_forces(tables):
    """f~ = L^-1 f of every body."""
    for span in body_spans_of(tables):
        call_body(span.weigh_forces, (span.first, span.end, tables))


@step_kernel(signature=types.void(types.int64))
def unweigh(tables):
    """t.acceleration = L^-T t.weighted_force of every body."""
    for span in body_spans_of(tables):
        call_body(span.unweigh, (span.first, span.end, tables))


@step_kernel(signature=types.void(types.boolean, types.int64))
def accelerate(weighed, tables):
    """Accelerations L^-T f~ of every body, what turning axes add, and rates of its pose; weighs forces unless done."""
    for span in body_spans_of(tables):
        for first in range(span.first, span.end, FEW):
            end = min(first + FEW, span.end)
            if not weighed:
                call_body(span.weigh_forces, (first, end, tables))
            call_body(span.unweigh, (first, end, tables))
            if span.convect != 0:
                call_body(span.convect, (first, end, tables))
            pose_rates(first, end, tables)


@step_kernel(signature=types.void(types.int64))
def measure_energy(tables):
    """Kinetic, gravity and elastic energy of all bodies into t.energy [J]."""
    t = borrow(tables)
    for k in range(t.energy.size):
        t.energy[k] = 0.0
    for span in t.body_spans:
        call_body(span.measure, (span.first, span.end, tables))


@step_kernel
def dissipated_power(tables):
    """Power that all bodies turn into heat [W], never negative."""
    t = borrow(tables)
    t.energy[0] = 0.0
    for span in t.body_spans:
        if span.dissipate != 0:
            call_body(span.dissipate, (span.first, span.end, tables))
    return t.energy[0]


@step_kernel
def accelerate_markers(tables):
    """Accelerations and angular accelerations of all markers into t.marker_acceleration."""
    for span in body_spans_of(tables):
        call_body(span.accelerate_markers, (span.first, span.end, tables))


@step_kernel
def fall(tables):
    """Accelerations of bodies on which nothing but gravity acts."""
    for span in body_spans_of(tables):
        call_body(span.fall, (span.first, span.end, tables))


# -- poses -------------------------------------------------------------------------------------------------------------


@step_kernel
def pose_rates(first, end, tables):
    """d pose / d t from the velocities."""
    t = borrow(tables)
    for slot in range(first - 1, end - 1):
        body = t.bodies[slot + 1]
        rate, motion = t.pose_rate[slot], t.velocity[slot]
        put(rate, 0, vector(motion, 0))
        if body.coordinates == TURNING:
            put_quaternion(rate, 3, quaternion_rate(quaternion(t.pose[slot], 3), vector(motion, 3)))
        else:
            for k in range(3, body.velocities):
                rate[k] = motion[k]


@step_kernel(signature=types.void(types.float64, types.floats2, types.int64))
def shift_poses(scale, displacement, tables):
    """Move every pose by ``scale`` times a displacement, given like a velocity; a turn is about its own vector."""
    t = borrow(tables)
    for slot in range(t.pose.shape[0]):
        body = t.bodies[slot + 1]
        pose, change = t.pose[slot], displacement[slot]
        put(pose, 0, plus_times(vector(pose, 0), scale, vector(change, 0)))
        if body.coordinates == TURNING:
            put_quaternion(pose, 3, turned(quaternion(pose, 3), times(scale, vector(change, 3))))
        else:
            for k in range(3, body.velocities):
                pose[k] += scale * change[k]


@step_kernel(signature=types.void(types.int64))
def normalise_poses(tables):
    """Pull every quaternion back to unit length."""
    t = borrow(tables)
    for slot in range(t.pose.shape[0]):
        if t.bodies[slot + 1].coordinates == TURNING:
            w, x, y, z = quaternion(t.pose[slot], 3)
            excess = (w * w + x * x + y * y + z * z) - 1.0
            # A step leaves the length close to 1, where two terms of 1 / sqrt(1 + e) are exact: 3/8 e^2 < 4e-17.
            n = 1.0 - 0.5 * excess if abs(excess) < 1e-8 else 1.0 / math.sqrt(1.0 + excess)
            put_quaternion(t.pose[slot], 3, (n * w, n * x, n * y, n * z))
