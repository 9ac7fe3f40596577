"""How a bicycle stands and moves at the start, in the world: on a plane through the origin, or on any road.

On a road the rear contact is S(s, n); the plane that touches there takes the part of level ground, with x along the
road, y left, z the normal. The rear wheel touches a curved road exactly as it touches this plane. The front wheel finds
its own contact on the road, and the pitch of the frame follows from its distance, as on level ground.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from centrode.errors import InputError
from centrode.parts.joints.wheel_contact import touch_road
from centrode.parts.roads.road_surface import surface_point, width_at
from centrode.vehicles.bicycle.kinematics import Motion, Posture, motion, posture
from centrode.vehicles.bicycle.parameters import BicycleParameters


@dataclass(frozen=True)
class Stance:
    """Start of a bicycle.

    Attributes:
        origin: of the axes in which posture and motion are given, world [m].
        axes: world from these axes, shape (3, 3); the third column is the normal at the rear contact.
        where, how: posture and motion in these axes.
        stations: s of rear and front contact [m]; None on a plane.
    """

    origin: np.ndarray
    axes: np.ndarray
    where: Posture
    how: Motion
    stations: tuple[float, float] | None = None

    def place(self, point: np.ndarray) -> np.ndarray:
        """World position of a point [m]."""
        return np.asarray(self.origin + self.axes @ point)

    @property
    def normal(self) -> np.ndarray:
        """Of the ground at the rear contact, world."""
        return self.axes[:, 2]


def stance_on_plane(bike: Any) -> Stance:
    """Start on the plane through the world origin that slope and bank of the bicycle give."""
    return Stance(np.zeros(3), bike.ground(), bike.posture(), bike.motion())


def stance_on_road(bike: Any, road: Any) -> Stance:
    """Start on a road.

    Raises:
        InputError: off the road, or no pitch at which both wheels touch.
    """
    p: BicycleParameters = bike.values()
    table = road.shared_table()
    s, lateral = road_place(bike, road)
    here = surface_point(road, s, lateral)
    origin, axes = here.position, here.axes
    found: list[float] = [s]

    def front_ground(hub: np.ndarray, axle: np.ndarray) -> tuple[np.ndarray, float]:
        guess = s + float(hub[0]) / max(float(np.linalg.norm(here.along)), 1e-9)
        touch = touch_road(table, origin + axes @ hub, axes @ axle, p.front_radius, p.front_tyre, guess)
        found[0] = touch.s
        return axes.T @ (touch.contact - origin), touch.gap

    try:
        where = posture(p, bike.lean, bike.steer, bike.heading, 0.0, 0.0, front_ground)
        how = motion(p, where, bike.speed, bike.lean_rate, bike.steer_rate)
    except InputError as error:
        raise InputError(
            [dataclasses.replace(fault, path=f"{bike.name}.{fault.path}") for fault in error.faults]
        ) from None
    return Stance(origin, axes, where, how, (s, found[0]))


def road_place(bike: Any, road: Any) -> tuple[float, float]:
    """s and offset to the left [m] of the rear contact at the start.

    Raises:
        InputError: off the road.
    """
    table = road.shared_table()
    if bike.station is not None:
        s, lateral = float(bike.station), float(bike.offset)
        got: Any = (s, lateral)
    else:
        place = [float(x) for x in bike.position]
        foot = road.point(*place, *([0.0] if len(place) == 2 else []))
        if len(place) == 2:  # go up or down to the surface at this x and y
            z = 0.0
            for _ in range(50):
                gap = float((np.array([*place, z]) - foot.position) @ foot.normal)
                if abs(gap) < 1e-12 or foot.normal[2] < 0.1:
                    break
                z -= gap / foot.normal[2]
                foot = road.point(*place, z, foot.s)
        s, lateral, got = foot.s, foot.lateral, bike.position
    half, inside = width_at(table, s)
    if abs(lateral) > half or inside < 0.0:
        raise InputError(
            "the bicycle is off the road",
            path=f"{bike.name}.{'position' if bike.station is None else 'station'}",
            got=got,
            expected=f"a place on '{road.name}', within {half:g} m of its line"
            + (f" and s from {table[1, 0]:g} to {table[1, 0] + table[0, 3]:g} m" if inside < 0.0 else ""),
        )
    return s, lateral
