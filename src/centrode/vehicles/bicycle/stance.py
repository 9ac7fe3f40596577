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
from centrode.math.rotation import quaternion_from_matrix
from centrode.parts.joints.wheel_contact import touch_road
from centrode.parts.roads.road_surface import surface_point, width_at
from centrode.vehicles.bicycle.kinematics import Motion, Posture, cross, motion, posture
from centrode.vehicles.bicycle.parameters import BicycleParameters


@dataclass(frozen=True)
class Stance:
    """Start of a bicycle.

    Attributes:
        origin: of the axes in which posture and motion are given, world [m], lifted by the height of the start.
        axes: world from these axes, shape (3, 3); the third column is the normal at the rear contact.
        where, how: posture and motion in these axes.
        stations: s of rear and front contact [m]; None on a plane.
    """

    origin: np.ndarray
    axes: np.ndarray
    where: Posture
    how: Motion
    stations: tuple[float, float] | None = None

    def start_of(self, body: str, arm: np.ndarray | None = None) -> dict[str, Any]:
        """Pose and velocities of a body in the world as :class:`RigidBody` takes them; at an arm from its centre [m]
        in its own axes when given."""
        rotation, omega = self.where.rotations[body], self.how.omegas[body]
        away = np.zeros(3) if arm is None else rotation @ arm
        velocity = self.how.velocities[body] + cross(omega, away)
        return {
            "position": tuple((self.origin + self.axes @ (self.where.positions[body] + away)).tolist()),
            "orientation": tuple(quaternion_from_matrix(self.axes @ rotation).tolist()),
            "velocity": tuple((self.axes @ velocity).tolist()),
            "omega": tuple((rotation.T @ omega).tolist()),
        }

    @property
    def normal(self) -> np.ndarray:
        """Of the ground at the rear contact, world."""
        return self.axes[:, 2]


def stance_on_plane(bike: Any) -> Stance:
    """Start on the plane through the world origin that slope and bank of the bicycle give."""
    axes = bike.ground()
    return Stance(bike.height * axes[:, 2], axes, bike.posture(), bike.motion())


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
        faults = [dataclasses.replace(fault, path=f"{bike.name}.{fault.path}") for fault in error.faults]
        raise InputError(faults) from None
    return Stance(origin + bike.height * axes[:, 2], axes, where, how, (s, found[0]))


def road_place(bike: Any, road: Any) -> tuple[float, float]:
    """s and offset to the left [m] of the rear contact at the start.

    Raises:
        InputError: off the road.
    """
    table = road.shared_table()
    field = "position" if bike.station is None else "station"
    if bike.station is not None:
        s, lateral = float(bike.station), float(bike.offset)
        got: Any = (s, lateral)
    else:
        place = [float(x) for x in bike.position]
        foot = road.point_below(*place) if len(place) == 2 else road.point(*place)
        s, lateral, got = foot.s, foot.lateral, bike.position
    half, inside = width_at(table, s)
    if abs(lateral) > half or inside < 0.0:
        path, expected = f"{bike.name}.{field}", f"a place on '{road.name}', within {half:g} m of its line"
        if inside < 0.0:
            expected += f" and s from {table[1, 0]:g} to {table[1, 0] + table[0, 3]:g} m"
        raise InputError("the bicycle is off the road", path=path, got=got, expected=expected)
    return s, lateral
