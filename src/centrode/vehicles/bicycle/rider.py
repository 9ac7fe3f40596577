"""A rider who balances the bicycle and follows a path or a road with the handlebar, and with his body if it leans.

    T = T_0(k) - G(v) (x - x_0(k))                                                                  (1)

with the gain G of the speed of the moment, the state x = (lean, steer, (waist,) their rates, heading error, lateral
error), and the steady turn x_0, T_0 of the path's curvature k: see :mod:`centrode.vehicles.bicycle.rider_design`. A
look ahead makes the rider begin a turn in time: k is taken a little further along the path.

On a road the path is the line n = ``lateral`` of the road, everything is measured against the plane that touches the
road at the rear contact, and k is the curvature of that line within the surface.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault, InputError
from centrode.parts.controllers.controller import Controller, View, limited, numbers
from centrode.parts.part import quantity
from centrode.parts.roads.road_surface import surface_point
from centrode.vehicles.bicycle.kinematics import contact_arm
from centrode.vehicles.bicycle.parameters import BicycleParameters
from centrode.vehicles.bicycle.rider_design import rider_model

PROGRESS = 0


@dataclass(frozen=True)
class BicycleRider(Controller):
    """Rider with a steer torque, and a torque in the waist with a second input; needs ``drives: true``."""

    kind: ClassVar[str] = "bicycle-rider"

    bicycle: Any = quantity("", "the bicycle", "bike", refers_to="vehicle")
    path: Any = quantity("m", "points (x, y) of the path in the plane; straight ahead when left out", None)
    lateral: float = quantity("m", "on a road: distance kept from its line, left positive", 0.0)
    speed: float | None = quantity(
        "m/s", "speed for which the gains are designed; that of the moment when left out", None, positive=True
    )
    lane_weight: float = quantity(
        "1", "weight of the lateral error, against a torque of 1 N m and an error of 1 m", 10.0, minimum=0.0
    )
    heading_weight: float = quantity("1", "weight of the heading error", 10.0, minimum=0.0)
    lean_weight: float = quantity("1", "weight of the lean", 1000.0, minimum=0.0)
    waist_weight: float = quantity("1", "weight of the lean of the upper body", 100.0, minimum=0.0)
    look_ahead: float = quantity("s", "time by which the path is looked ahead", 0.35, minimum=0.0)
    limit: float = quantity("N*m", "largest torque on the handlebar", 30.0, positive=True)
    waist_limit: float = quantity("N*m", "largest torque in the waist", 150.0, positive=True)

    def faults(self) -> list[Fault]:
        found = super().faults()
        names, drives = list(self.input_names()), "the steer-drive, or the steer-drive and the lean-drive"
        if len(names) > 2:
            found.append(self.fault("inputs", "a rider has a handlebar and a waist", got=names, expected=drives))
        if self.path is not None and not found:
            try:
                path_from(self.path)
            except InputError as error:
                found += error.faults
        return found

    def start(self, view: View) -> np.ndarray:
        name = self._name()
        bike = self._bicycle(view)
        for measured in (f"{name}.steer.angle", f"{name}.frame.omega.x"):
            view.check(measured, f"{self.name}.bicycle")
        names, expected = list(self.input_names()), "one input, or an upper_body of the bicycle"
        if len(names) == 2 and bike.upper_body is None:
            raise self.refusal("inputs", "this rider has no upper body that leans", names, expected)
        if bike.road is not None and self.path is not None:
            raise self.refusal("path", "on a road the rider follows its line", hint="give lateral instead of path")
        speed = self.speed if self.speed is not None else self._speed(view, bike.values())
        if not abs(speed) > 0.3:
            what, expected = "a rider cannot balance a bicycle that stands", "a speed above 0.3 m/s"
            raise self.refusal("speed", what, float(speed), expected)
        return np.zeros(1)

    def command(self, time: float, view: View, state: np.ndarray) -> Sequence[float]:
        bike, p = self._bicycle(view), self._bicycle(view).values()
        gravity = view.model.gravity  # type: ignore[attr-defined]
        size = float(np.linalg.norm(gravity))
        upper = bike.upper_body if len(self.input_names()) == 2 else None
        speed = self._speed(view, p)
        design = self.speed if self.speed is not None else speed
        seen = self._seen(view, bike, p, speed, state)
        model = rider_model(p, size, upper)
        # Gravity in the axes of the ground: its part to the right over its part into the ground.
        fall = math.atan2(-float(gravity @ seen.axes[:, 1]), -float(gravity @ seen.axes[:, 2]))
        wanted, torques = model.wanted(design, seen.curvature, fall)
        weights = (self.lean_weight, self.heading_weight, self.lane_weight, self.waist_weight)
        gain = model.scheduled_gain(design, self.period, weights)
        hinges = [f"{self._name()}.{hinge}.angle" for hinge in (("steer",) if upper is None else ("steer", "waist"))]
        angles, rates = ([view.value(f"{hinge}{end}") for hinge in hinges] for end in ("", "_rate"))
        angles[0] += float(bike.steer)
        x = np.array([seen.lean, *angles, seen.lean_rate, *rates, seen.heading, seen.lateral])
        found = torques - gain @ (x - wanted)
        limits = (self.limit, self.waist_limit)
        return [limited(float(value), -most, most) for value, most in zip(found, limits, strict=False)]

    def _seen(self, view: Any, bike: Any, p: BicycleParameters, speed: float, state: np.ndarray) -> Seen:
        """What the rider sees of ground, path and bicycle."""
        name = self._name()
        ahead = speed * self.look_ahead
        if bike.road is not None:
            road = view.model.system.parts[bike.road]
            s, n = view.value(f"{name}.rear-contact.s"), view.value(f"{name}.rear-contact.lateral")
            here = surface_point(road, s, n)
            axes = here.axes
            further = surface_point(road, s + ahead / max(float(np.linalg.norm(here.along)), 1e-9), self.lateral)
            lateral, direction, curvature = n - self.lateral, 0.0, further.curvature
        else:
            axes = bike.ground()
        frame = axes.T @ view.rotation(f"{name}.frame")
        axle = frame[:, 1]
        forward = np.array([axle[1], -axle[0]]) / math.hypot(axle[0], axle[1])
        if bike.road is None:
            contact = axes.T @ view.position(f"{name}.rear-wheel") + contact_arm(axle, p.rear_radius, p.rear_tyre)
            path = path_from(self.path)
            state[PROGRESS] = path.nearest(contact[:2], float(state[PROGRESS]))
            point, tangent, _ = path.at(float(state[PROGRESS]))
            curvature = path.at(float(state[PROGRESS]) + ahead)[2]
            lateral = float(np.array([-tangent[1], tangent[0]]) @ (contact[:2] - point))
            direction = math.atan2(tangent[1], tangent[0])
        lean, omega = math.asin(max(-1.0, min(1.0, float(axle[2])))), frame @ view.omega(f"{name}.frame")
        heading = math.remainder(math.atan2(forward[1], forward[0]) - direction, 2.0 * math.pi)
        return Seen(axes, lean, float(omega[:2] @ forward), heading, lateral, curvature)

    def _name(self) -> str:
        return getattr(self.bicycle, "name", self.bicycle)

    def _bicycle(self, view: Any) -> Any:
        return view.model.system.parts[self._name()]

    def _speed(self, view: Any, p: BicycleParameters) -> float:
        name = self._name()
        return p.rear_radius * float(view.omega(f"{name}.rear-wheel")[1] - view.omega(f"{name}.frame")[1])


@dataclass(frozen=True)
class Seen:
    """What the rider sees at a sample.

    Attributes:
        axes: of the ground under the rear wheel, world from ground, shape (3, 3).
        lean: [rad] and lean_rate [rad/s], to the right, against the ground.
        heading: error, to the left [rad]. lateral: error, to the left [m].
        curvature: of the path a little ahead [1/m], left positive.
    """

    axes: np.ndarray
    lean: float
    lean_rate: float
    heading: float
    lateral: float
    curvature: float


class Path:
    """A smooth curve through points, by chord length; straight beyond its ends."""

    def __init__(self, points: np.ndarray) -> None:
        from scipy.interpolate import CubicSpline

        self.length = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
        self.curve = CubicSpline(self.length, points, bc_type="natural")

    def at(self, s: float) -> tuple[np.ndarray, np.ndarray, float]:
        """Point, unit tangent and curvature (left positive) [m, 1, 1/m] at the chord length s [m]."""
        inside = min(max(s, 0.0), float(self.length[-1]))
        first, second = self.curve(inside, 1), self.curve(inside, 2)
        size = math.hypot(first[0], first[1])
        tangent = first / size
        point = self.curve(inside) + (s - inside) * tangent
        curvature = (first[0] * second[1] - first[1] * second[0]) / size**3 if s == inside else 0.0
        return point, tangent, float(curvature)

    def nearest(self, place: np.ndarray, guess: float) -> float:
        """Chord length of the nearest point, near a guess."""
        s = guess
        for _ in range(20):
            point, tangent, curvature = self.at(s)
            along = float(tangent @ (place - point))
            left = float(np.array([-tangent[1], tangent[0]]) @ (place - point))
            change = along / max(0.2, 1.0 - curvature * left)
            s += max(-5.0, min(5.0, change))
            if abs(change) < 1e-9:
                break
        return s


_PATHS: dict[tuple[float, ...], Path] = {}


def path_from(points: Any) -> Path:
    """The curve through points; straight along x when there are none.

    Raises:
        InputError: fewer than two points, or two equal ones in a row.
    """
    flat = tuple(numbers(points)) if points is not None else (0.0, 0.0, 1.0, 0.0)
    if flat not in _PATHS:
        if len(flat) < 4 or len(flat) % 2 or not all(map(math.isfinite, flat)):
            raise InputError("a path needs at least two points (x, y)", path="path", got=points)
        array = np.array(flat).reshape(-1, 2)
        if np.any(np.hypot(*np.diff(array, axis=0).T) < 1e-9):
            raise InputError("two points of the path are the same", path="path", got=points)
        _PATHS[flat] = Path(array)
    return _PATHS[flat]
