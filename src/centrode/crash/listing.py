"""Which contacts of vehicles are rows of the crash tables, and what a later one of the same two is called."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from centrode.display import STANDARD_GRAVITY
from centrode.dynamics.contact.collision import BEFORE, relative_speed

if TYPE_CHECKING:
    from centrode.crash.collisions import Collision

TAP = 0.02
"""Vehicles that change each other's velocity by less brush [m/s]."""
SLOW, PUSH = 0.1, 0.5
"""Vehicles that close more slowly [m/s] and press less, in g, lean on each other: no collision."""
CALM = 0.8 / 3.6 / 0.02
"""Vehicles that met before and press less [m/s2] push each other: at the end of an event of recorders, 0.8 km/h in 20
ms (49 CFR 563.5), it would be over before it began."""
EVENT, WINDOW = 8.0 / 3.6, 0.15
"""Vehicles that stay together after a hit push each other, unless they change their velocity by more than the first
[m/s] within the second [s]: that is another event for recorders (49 CFR 563.5)."""


def met_again(collision: Collision, record: np.record) -> Collision:
    """A later collision of two bodies that gave way: their faces are gone, and with them side and closing speed at
    first touch. What closes is the speed along the impulse, nothing where they never parted; the side is that from
    which it came."""
    closing = max(-relative_speed(record, BEFORE), 0.0) if collision.closing_speed > 0.0 else 0.0
    one, two = (
        replace(vehicle, side=facing_side(vehicle.pdof_deg)) if vehicle.mass > 0 else vehicle
        for vehicle in collision.vehicles
    )
    return replace(collision, closing_speed=closing, vehicles=(one, two))


def facing_side(pdof_deg: float) -> str:
    """Side of a vehicle that looks to where a force comes from."""
    size = abs(pdof_deg)
    return "front" if size < 45.0 else "rear" if size > 135.0 else "side"


def is_touch(collision: Collision, again: bool = False) -> bool:
    """Whether two vehicles only touch: they brush (below TAP), came together slowly and lean on each other, or, after a
    hit (``again``), push each other."""
    moving = [vehicle for vehicle in collision.vehicles if vehicle.mass > 0]
    if max(vehicle.delta_v_size for vehicle in moving) < TAP:
        return True
    pressed = max(vehicle.peak_acceleration for vehicle in moving)
    if again and pressed < CALM:
        return True
    if collision.closing_speed > 0.0:
        return collision.closing_speed < SLOW and pressed < PUSH * STANDARD_GRAVITY
    times, force = collision.pulse_times, np.asarray(collision.pulse)
    impulse = np.concatenate([[0.0], np.cumsum(0.5 * np.diff(times) * (force[1:] + force[:-1]))])
    within = np.interp(times + WINDOW, times, impulse) - impulse
    return float(within.max()) < EVENT * min(vehicle.mass for vehicle in moving)
