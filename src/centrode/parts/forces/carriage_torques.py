"""Torques about the axle of a wheel: drive, brakes with their controller, a jam, the drag of the engine; and its spin.

Brakes, drag of the engine and rolling resistance, B together, follow Dahl's friction: they slide at the torque B and
stick elastically, with the stiffness k = B / z_0. With the spin w and the grip z,

    T = B clip((z + T_b w) / z_0),    z' = w_c - |w_c| z / z_0,    w_c = w within +-z_0 / T_b                  (6)

A brake that holds has the energy k z^2 / 2 and loses power: for |w| < z_0 / T_b, T w - k z z' = k T_b w^2 +
B |w| (z / z_0)^2; beyond it T has the sign of w, since |z| <= z_0. A wheel of spin inertia J on a brake that is stuck
has the frequency sqrt(k / J). k is such that this is 1100 rad/s, which steps of 1 ms follow, whatever the torque (a
strong brake gives no further than a weak one under the same load); only brakes so weak that z_0 would fall below
0.6 mrad are softer.
"""

from __future__ import annotations

import math

from centrode.jit import step_kernel
from centrode.parts.forces.anti_lock import brake_left
from centrode.parts.forces.wheel_damage import JAM_TORQUE

GRIP_FREQUENCY = 1100.0  # [rad/s] of a wheel on its stuck brake
GRIP_ANGLE = 6e-4  # [rad] least z_0
GRIP_TIME = 0.001  # [s] T_b
FAST_GRIP = 0.1  # share of w_c that moves the grip of a wheel that turns fast: T no longer depends on it, long steps do


@step_kernel
def clipped(value, bound):
    """The value within -bound .. bound."""
    return min(max(value, -bound), bound)


@step_kernel
def drive_torque(carriage, wheel, drive, spin):
    """Torque of the drive at a wheel [N m], within its power."""
    torque = drive * carriage.drive_torque * wheel.drive_share
    most = carriage.power * wheel.drive_share
    return math.copysign(most / abs(spin), torque) if abs(torque * spin) > most else torque


@step_kernel
def holding_torque(carriage, wheel, time, brake, ahead, slide):
    """Greatest torque against the turning of a wheel [N m]: brake, as far as anti-lock brakes let it, or a jam."""
    if time >= wheel.jammed_from:
        return JAM_TORQUE
    return brake * carriage.brake_torque * wheel.brake_share * brake_left(carriage.anti_lock, ahead, slide)


@step_kernel
def drag_torque(carriage, wheel, drive):
    """Torque of an engine that is dragged along, at a wheel [N m]: all of it without drive, none under full drive."""
    return carriage.engine_drag * wheel.drive_share * (1.0 - abs(drive))


@step_kernel
def grip_angle(torque, inertia):
    """z_0 of a brake with this torque B [N m] on a wheel of this spin inertia [kg m^2]."""
    return max(torque / (inertia * GRIP_FREQUENCY * GRIP_FREQUENCY), GRIP_ANGLE)


@step_kernel
def spin_rates(carriage, wheel, load, commands, force_ahead, state, rate):
    """Rates of the states that a spinning wheel has beside its slips, (5) and (6).

    Args:
        commands: steer, drive, B of (6).
        force_ahead: F_x [N].
    """
    radius, spin = wheel.radius, state.spin
    dragged = carriage.rolling * radius * load + drag_torque(carriage, wheel, commands[1])
    most = grip_angle(commands[2] + dragged, wheel.spin_inertia)
    slow = clipped(spin, most / GRIP_TIME)
    if abs(spin) > 2.0 * most / GRIP_TIME:
        slow *= max(2.0 * most / (GRIP_TIME * abs(spin)), FAST_GRIP)
    rate.grip = slow - abs(slow) * state.grip / most  # (6)
    share = clipped((state.grip + GRIP_TIME * spin) / most, 1.0)
    torque = drive_torque(carriage, wheel, commands[1], spin)
    torque -= commands[2] * share
    torque -= dragged * share
    rate.spin = (torque - radius * force_ahead) / wheel.spin_inertia  # (5)
    rate.angle = spin
