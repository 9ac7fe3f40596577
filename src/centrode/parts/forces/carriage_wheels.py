"""Kernels of the carriage: what each wheel finds on the road, what its suspension pushes, what its tyre gives.

Derivation and symbols stand in :mod:`centrode.parts.forces.carriage`, whose equation numbers are used here.
"""

from __future__ import annotations

import math

from centrode.jit import call_by_address, step_kernel, types
from centrode.math.sincos import sine_cosine
from centrode.math.vector import cross, dot, minus, norm, plus_times, put, times, vector
from centrode.parts.affine import affine_place, affine_velocity
from centrode.parts.roads.road_point import bare_point
from centrode.parts.roads.steps import raised, step_height
from centrode.parts.suspensions.contract import call_suspension
from centrode.parts.tyres.contract import TYRE_SIGNATURE, slip_on_friction
from centrode.parts.tyres.slip import angle_of

call_tyre = call_by_address(TYRE_SIGNATURE)

LEAST_HOLD = 1e-3  # on ice nothing is held, but nothing is divided by nothing either
LEAST_UPRIGHT = 0.17
"""Cosine between strut and road normal below which a wheel lies on its side and stands on nothing: 80 degrees."""


@step_kernel
def wheel_axes(axis, normal, steer):
    """Heading and left axis of a wheel in the road plane, MEDUSA report (1999), eqs. (1.14) and (1.15).

    Args:
        axis: longitudinal axis of the vehicle, world frame, any length.
        normal: unit normal of the road, world frame.
        steer: steering angle [rad], left positive.

    Returns:
        (e_x, e_left). A vehicle axis along the normal has no heading: then any direction in the road plane is given, so
        that nothing is undefined.
    """
    heading = plus_times(axis, -dot(axis, normal), normal)  # (1.14)
    length = norm(heading)
    if length < 1.0e-12:
        other = (1.0, 0.0, 0.0) if abs(normal[0]) < 0.9 else (0.0, 1.0, 0.0)
        heading = plus_times(other, -dot(other, normal), normal)
        length = norm(heading)
    heading = times(1.0 / length, heading)
    left = cross(normal, heading)
    if steer == 0.0:
        return heading, left
    s, c = sine_cosine(steer)
    return plus_times(times(c, heading), s, left), plus_times(times(c, left), -s, heading)  # (1.15)


@step_kernel
def read_road(time, road, hint, chassis, wheels, found, along_body):
    """Distance, its rate, normal, friction, status under every wheel (1); returns the road parameter of the first.

    Args:
        along_body: whether struts stand along the chassis' z axis; else along the road normal.
    """
    first = hint
    length = norm(chassis.directors[2])
    axis = times(1.0 / length, chassis.directors[2])
    for q in range(wheels.size):
        wheel, under = wheels[q], found[q]
        x = vector(wheel.place, 0)
        p = affine_place(chassis, x)
        foot = bare_point(road, hint, p[0], p[1], p[2])
        if road[0, 20] != 0.0:
            foot = over_steps(road, foot, chassis.directors[0], wheel.radius)
        normal = (foot[8], foot[9], foot[10])
        hint = foot[0]
        if q == 0:
            first = hint
        height = dot(minus(p, (foot[2], foot[3], foot[4])), normal)
        if along_body:
            upright = dot(axis, normal)
            under.upright = max(upright, LEAST_UPRIGHT)
            under.deflection = height / under.upright
            if upright < LEAST_UPRIGHT:
                under.deflection = max(under.deflection, wheel.rest) + LEAST_UPRIGHT - upright
            x = (x[0], x[1], x[2] - min(under.deflection, wheel.rest) / length)
        else:
            under.upright = 1.0
            under.deflection = height
        if time >= wheel.lost_from:
            under.deflection = wheel.rest + 1.0
        put(under.contact, 0, x)
        under.rate = dot(affine_velocity(chassis, x), normal) / under.upright
        put(under.normal, 0, normal)
        under.friction = foot[11]  # as the road tells it: share_of_ground once the load is known
        under.status = foot[12]
    return first


@step_kernel
def over_steps(road, foot, axis, radius):
    """What a wheel of this radius, of a vehicle with this longitudinal axis, finds of kerbs and edges there."""
    left = cross((foot[8], foot[9], foot[10]), (foot[5], foot[6], foot[7]))
    height, slope = step_height(road, foot[0], foot[1], radius, dot(axis, left) / norm(axis))
    return raised(foot, height, slope)


@step_kernel(signature=types.UniTuple(types.float64, 4)(types.int64, types.floats1, *(types.float64,) * 4))
def suspended(law, row, rest, deflection, rate, twist):
    """Push of a suspension with its anti-roll bar on the chassis, before it is cut at zero (2).

    Args:
        law, row: suspension, by handle, and its parameters.
        rest: distance at which the wheel hangs in the air [m].
        deflection, rate: distance of the assembly point from the road [m] and its rate [m/s].
        twist: force of the bar [N].

    Returns:
        push [N], stored energy [J], toe and camber [rad]. In the air neither damper nor bar pushes.
    """
    if deflection >= rest:
        push, _, toe, camber = call_suspension(law, (row, deflection, 0.0))
        return min(push, 0.0), 0.0, toe, camber
    push, stored, toe, camber = call_suspension(law, (row, deflection, rate))
    return push + twist, stored, toe, camber


@step_kernel
def wheel_push(laws, data, pool, wheels, found, q):
    """:func:`suspended` of wheel q of a carriage."""
    wheel, under = wheels[q], found[q]
    row = data[pool + int(wheel.suspension_first) : pool + int(wheel.suspension_end)]
    twist = wheel.bar * bar_twist(wheels, found, q)
    return suspended(int(laws[q]), row, wheel.rest, under.deflection, under.rate, twist)


@step_kernel
def bar_twist(wheels, found, q):
    """Deflection of the wheel at the other end of the bar over that of wheel q [m]; in the air wheels hang at rest."""
    other = int(wheels[q].partner)
    return min(found[other].deflection, wheels[other].rest) - min(found[q].deflection, wheels[q].rest)


@step_kernel
def tyre_forces(law, row, friction, load, camber, slips, ahead, low):
    """Forces of the tyre at relaxed slips (4): ahead, left [N], aligning moment [N m].

    Args:
        law, row: tyre, by handle, and its parameters.
        slips: z of (4), across and ahead [1].
        ahead, low: v_x and the speed below which forward and backward travel blend [m/s].
    """
    if friction <= 0.0:
        return 0.0, 0.0, 0.0
    angle, slip = slip_on_friction(angle_of(slips[0], 1.0), slips[1], friction)
    if abs(ahead) >= low:
        return times(friction, call_tyre(law, (row, load, angle, slip, camber, ahead)))
    # Near standstill forward and backward travel blend, or a parked car would chatter between the two.
    onward = 0.5 * (1.0 + math.sin(0.5 * math.pi * ahead / low))
    forward = call_tyre(law, (row, load, angle, slip, camber, low))
    backward = call_tyre(law, (row, load, angle, slip, camber, -low))
    return times(friction, plus_times(backward, onward, minus(forward, backward)))


@step_kernel
def held_slips(wheel, friction, load, slack):
    """B across and ahead (3): what friction holds of this load on this ground, and the slack of the speed."""
    side = friction * (wheel.hold_side + wheel.hold_side_growth * load)
    along = friction * (wheel.hold_ahead + wheel.hold_ahead_growth * load)
    return max(side, LEAST_HOLD) + slack, max(along, LEAST_HOLD) + slack


@step_kernel
def carcass_energy(law, row, wheel, friction, load, slips, lengths, low):
    """Energy of a deflected carcass [J]: work of the force along the straight way to its deflection, by Simpson's rule.

    What friction does not hold is no deflection, so slips are taken back to the circle b of (3). Where the force grows
    evenly the rule is exact; up to saturation it is 1e-3 off for the brush tyre, a cubic.

    Args:
        slips: relaxed, across and ahead [1].
        lengths: relaxation lengths of the moment, across and ahead [m].
    """
    if load <= 0.0 or friction <= 0.0:
        return 0.0
    side, along = held_slips(wheel, friction, load, 0.0)
    use = math.sqrt((slips[0] / side) ** 2 + (slips[1] / along) ** 2)
    share = 1.0 / max(use, 1.0)
    across, ahead = share * slips[0], share * slips[1]
    stored = 0.0
    for k in range(5):
        part = 0.25 * k
        fx, fy, _ = tyre_forces(law, row, friction, load, 0.0, (part * across, part * ahead), 0.0, low)
        weight = 1.0 if k % 4 == 0 else (4.0 if k % 2 == 1 else 2.0)
        stored += weight / 12.0 * (fx * lengths[1] * ahead - fy * lengths[0] * across)
    return stored
