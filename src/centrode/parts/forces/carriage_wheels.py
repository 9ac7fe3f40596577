"""Kernels of the carriage: what each wheel finds on the road, what its suspension pushes, what its tyre gives.

Derivation and symbols stand in :mod:`centrode.parts.forces.carriage`, whose equation numbers are used here.
"""

from __future__ import annotations

import math

from centrode.jit import call_by_address, step_kernel
from centrode.parts.affine import affine_place
from centrode.parts.roads.road_point import road_point
from centrode.parts.suspensions.strut import bump_stop_energy, bump_stop_force
from centrode.parts.suspensions.wheel_record import (
    BAR,
    DAMPING,
    DEFLECTION,
    FRICTION,
    NORMAL,
    PARTNER,
    PLACE_X,
    PLACE_Y,
    PLACE_Z,
    RATE,
    RELAX_AHEAD,
    RELAX_SIDE,
    REST,
    SATURATION_AHEAD,
    SATURATION_SIDE,
    SCRATCH_WIDTH,
    STATUS,
    STIFFNESS,
    STOP_LENGTH,
    STOP_STIFFNESS,
    TABLE,
    TABLE_ROWS,
    TYRE,
    TYRE_LENGTH,
    TYRE_ROW,
    WHEEL_WIDTH,
)
from centrode.parts.tyres.contract import TYRE_SIGNATURE, slip_on_friction
from centrode.parts.tyres.slip import angle_of

call_tyre = call_by_address(TYRE_SIGNATURE)


@step_kernel
def spring_push(data, pool, wheel, deflection):
    """Spring and bump stop [N] at a distance from the road [m]."""
    compression = data[wheel + REST] - deflection
    rows = int(data[wheel + TABLE_ROWS])
    if rows == 0:
        return data[wheel + STIFFNESS] * compression + bump_stop_force(
            data[wheel + STOP_STIFFNESS], data[wheel + STOP_LENGTH], deflection
        )
    at = pool + int(data[wheel + TABLE])
    row = 0
    while row < rows - 2 and compression > data[at + 2 * row + 2]:
        row += 1
    at += 2 * row
    return data[at + 1] + (data[at + 3] - data[at + 1]) / (data[at + 2] - data[at]) * (compression - data[at])


@step_kernel
def spring_store(data, pool, wheel, deflection):
    """Energy in spring and bump stop [J]; a spring that is longer than relaxed stores nothing (the wheel is lifted)."""
    compression = data[wheel + REST] - deflection
    if compression <= 0.0:
        return 0.0
    rows = int(data[wheel + TABLE_ROWS])
    if rows == 0:
        return 0.5 * data[wheel + STIFFNESS] * compression * compression + bump_stop_energy(
            data[wheel + STOP_STIFFNESS], data[wheel + STOP_LENGTH], deflection
        )
    at = pool + int(data[wheel + TABLE])
    total = 0.0
    low = 0.0
    for row in range(rows - 1):
        start, end = data[at + 2 * row], data[at + 2 * row + 2]
        slope = (data[at + 2 * row + 3] - data[at + 2 * row + 1]) / (end - start)
        high = compression if row == rows - 2 else min(compression, end)
        if high > low:
            total += (high - low) * (data[at + 2 * row + 1] + slope * (0.5 * (low + high) - start))
            low = high
    return total


@step_kernel
def read_road(road, hint, count, data, wheels, scratch, markers, o, a, b, c):
    """Distance, its rate, normal, friction, status under every wheel (1); returns the road parameter of the first."""
    for q in range(count):
        wheel = wheels + q * WHEEL_WIDTH
        row = scratch + q * SCRATCH_WIDTH
        x, y, z = data[wheel + PLACE_X], data[wheel + PLACE_Y], data[wheel + PLACE_Z]
        px, py, pz = affine_place(markers, o, a, b, c, x, y, z, 0)
        vx, vy, vz = affine_place(markers, o, a, b, c, x, y, z, 3)
        found = road_point(road, hint, px, py, pz)
        nx, ny, nz = found[8], found[9], found[10]
        hint = found[0]
        if q == 0:
            first = hint
        data[row + DEFLECTION] = (px - found[2]) * nx + (py - found[3]) * ny + (pz - found[4]) * nz
        data[row + RATE] = vx * nx + vy * ny + vz * nz
        data[row + NORMAL] = nx
        data[row + NORMAL + 1] = ny
        data[row + NORMAL + 2] = nz
        data[row + FRICTION] = found[11]
        data[row + STATUS] = found[12]
    return first


@step_kernel
def wheel_load(data, pool, wheels, scratch, q):
    """Push of the suspension on the chassis before it is cut at zero (2) [N].

    In the air a wheel hangs at the relaxed length: until that reaches the road nothing pushes, not even the damper.
    """
    wheel = wheels + q * WHEEL_WIDTH
    row = scratch + q * SCRATCH_WIDTH
    if data[row + DEFLECTION] >= data[wheel + REST]:
        return min(spring_push(data, pool, wheel, data[row + DEFLECTION]), 0.0)
    push = spring_push(data, pool, wheel, data[row + DEFLECTION]) - data[wheel + DAMPING] * data[row + RATE]
    partner = int(data[wheel + PARTNER])
    if partner >= 0:
        other = scratch + partner * SCRATCH_WIDTH
        push += data[wheel + BAR] * (data[other + DEFLECTION] - data[row + DEFLECTION])
    return push


@step_kernel
def relaxed_rate(state, slide, ahead, total, length, saturation, low):
    """Rate of a relaxed slip (3): rolling wears it off; a slow slide cannot wind it past the saturation."""
    share = total / low
    bound = saturation + 10.0 * share * share
    return (slide - max(abs(ahead), abs(slide) / bound) * state) / length


@step_kernel
def tyre_forces(data, pool, wheel, load, friction, side, ahead_slip, left, slide, ahead, low, retardation):
    """Forces of the tyre at relaxed slips (4): ahead, left [N], aligning moment [N m]."""
    if friction <= 0.0:
        return 0.0, 0.0, 0.0
    fade = 0.0
    if abs(ahead) < low:
        fade = 0.5 * retardation * (1.0 + math.cos(math.pi * ahead / low))
    angle = angle_of(side + fade * left / data[wheel + RELAX_SIDE], 1.0)
    slip = ahead_slip + fade * slide / data[wheel + RELAX_AHEAD]
    angle, slip = slip_on_friction(angle, slip, friction)
    first = pool + int(data[wheel + TYRE_ROW])
    row = data[first : first + int(data[wheel + TYRE_LENGTH])]
    law = int(data[wheel + TYRE])
    if abs(ahead) >= low:
        fx, fy, moment = call_tyre(law, (row, load, angle, slip, 0.0, ahead))
        return friction * fx, friction * fy, friction * moment
    # Near standstill forward and backward travel blend, or a parked car would chatter between the two.
    onward = 0.5 * (1.0 + math.sin(0.5 * math.pi * ahead / low))
    fx, fy, moment = call_tyre(law, (row, load, angle, slip, 0.0, low))
    gx, gy, other = call_tyre(law, (row, load, angle, slip, 0.0, -low))
    return (
        friction * (gx + onward * (fx - gx)),
        friction * (gy + onward * (fy - gy)),
        friction * (other + onward * (moment - other)),
    )


@step_kernel
def bounds_of(data, wheel):
    """Saturation across and ahead."""
    return data[wheel + SATURATION_SIDE], data[wheel + SATURATION_AHEAD]
