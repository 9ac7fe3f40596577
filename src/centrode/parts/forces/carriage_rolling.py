"""Wheels without spin (``wheels: rolling``): a torque is the force T / R, cut at the tyre's largest, ellipse of both.

A brake can do no more than lock the wheel, and a locked wheel slides against its whole velocity. Such a wheel has the
slip u_x that it would have if it were locked, s_x = -v_x, as a state: at speed -1, at rest the deflection by which
brake and tyre hold. The force of a stop S (brakes, engine drag, rolling resistance) is

    F_x = -S a,    a = -clip(z_x / h),    h = min(B_x, 1)     while it is less than that of a locked wheel,      (1)
    F   = tyre(z_y, -a h)                                     of a locked wheel                                (2)

(with anti-lock brakes h is the slip that they hold, :mod:`anti_lock`). So both stick at rest, and a is the sign of v_x
after 0.3 mm of way. The wheel is locked by the share

    l = clip((S / (most cos) - 0.8) / 0.2),    cos = |v_x| / w                                                 (3)

and the deflections share one circle as far as it is: the side force of a wheel that rolls is not that of its brake.
"""

from __future__ import annotations

import math

from centrode.jit import step_kernel
from centrode.parts.forces.anti_lock import control_share, held_slip
from centrode.parts.forces.carriage_torques import clipped, drag_torque, drive_torque
from centrode.parts.forces.carriage_wheels import tyre_forces
from centrode.parts.forces.wheel_damage import JAM_TORQUE

NEAR_LOCK = 0.8  # share of the locking force from which the side force of a rolling wheel goes over to the locked one
CREEP = 0.05  # [m/s] below it the direction of a slide is not asked for


@step_kernel
def stopping_force(carriage, wheel, load, commands):
    """S [N], and whether it may lock the wheel: not against a drive."""
    stop = (commands[2] + drag_torque(carriage, wheel, commands[1])) / wheel.radius + carriage.rolling * load
    return stop, commands[1] * wheel.drive_share == 0.0


@step_kernel
def anti_lock_share(carriage, ahead, commands):
    """Share of anti-lock brakes [1]: they cannot help a wheel that is jammed."""
    return control_share(carriage.anti_lock, ahead) if commands[2] < JAM_TORQUE else 0.0


@step_kernel
def lock_share(law, row, carriage, wheel, friction, load, ahead, speed, commands):
    """l of (3); not asked for from low_speed ahead on, where slips up to 1 lie within the slack of the circle."""
    stop, may_lock = stopping_force(carriage, wheel, load, commands)
    low = carriage.low_speed
    if not may_lock or load <= 0.0 or friction <= 0.0 or abs(ahead) >= low:
        return 0.0
    most, _, _ = tyre_forces(law, row, friction, load, 0.0, (0.0, -math.copysign(1.0, ahead)), ahead, low)
    needed = abs(most) * max(abs(ahead), CREEP) / max(speed, CREEP)
    share = min(max(stop / max(needed, 1e-9) - NEAR_LOCK, 0.0) / (1.0 - NEAR_LOCK), 1.0)
    return share * (1.0 - anti_lock_share(carriage, ahead, commands))


@step_kernel
def rolling_forces(law, row, carriage, wheel, friction, load, ahead, seen, held, commands, force_side):
    """Forces ahead and left [N], (1) and (2).

    Args:
        seen: z across and ahead.
        held: B ahead, which bounds the slip of the locked wheel.
        force_side: force to the left of a wheel without torque [N].
    """
    radius, low = wheel.radius, carriage.low_speed
    bound = min(held, 1.0)
    against = math.copysign(1.0, ahead) if abs(ahead) >= low else -clipped(seen[1] / bound, 1.0)
    torque = drive_torque(carriage, wheel, commands[1], ahead / radius)
    stop, may_lock = stopping_force(carriage, wheel, load, commands)
    if torque == 0.0 and stop == 0.0:
        return 0.0, force_side
    control = anti_lock_share(carriage, ahead, commands)
    if control > 0.0:
        wanted = carriage.anti_lock
        force, _, _ = tyre_forces(law, row, friction, load, 0.0, (seen[0], -1.5 * against * wanted), ahead, low)
        bound += control * (min(held_slip(wanted, abs(force), stop), bound) - bound)
    locked, locked_side, _ = tyre_forces(law, row, friction, load, 0.0, (seen[0], -against * bound), ahead, low)
    if may_lock and stop * abs(against) >= abs(locked):
        return locked, locked_side
    fx = torque / radius - min(stop * abs(against), abs(locked)) * math.copysign(1.0, against)
    most, _, _ = tyre_forces(law, row, friction, load, 0.0, (0.0, math.copysign(1.0, fx)), ahead, low)
    most = max(abs(most), abs(locked))
    fx = clipped(fx, most)
    if fx == 0.0:
        return fx, force_side
    free = force_side * math.sqrt(max(1.0 - fx * fx / (most * most), 0.0))
    near = max(stop * abs(against) / max(abs(locked), 1e-9) - NEAR_LOCK, 0.0) / (1.0 - NEAR_LOCK) if may_lock else 0.0
    return fx, free + min(near, 1.0) * (locked_side - free)
