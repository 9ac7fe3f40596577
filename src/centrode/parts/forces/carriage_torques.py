"""Torques about the axle of a wheel: drive, brakes with their controller, a jam, the drag of the engine."""

from __future__ import annotations

import math

from centrode.jit import step_kernel
from centrode.parts.forces.anti_lock import brake_left
from centrode.parts.forces.wheel_damage import JAM_TORQUE


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
