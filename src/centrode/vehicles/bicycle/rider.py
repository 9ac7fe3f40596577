"""A rider who balances the bicycle and follows a path with the handlebar: linear-quadratic, from the linear theory.

State of the design, about straight motion at speed v (the speed at the start):

    x = (lean, steer, lean', steer', heading error h, lateral error e)
    M q'' + v C1 q' + (g K0 + v^2 K2) q = (0, T)                                                    (1)
    h' = -(v steer + c steer') cos(tilt) / w,     e' = v h          h and e positive to the left    (2)

(2) is the yaw rate that the wheels roll. The torque T is held between samples, so the gain is that of the discrete
system of one period (zero-order hold). On a path of curvature k the wanted state is the steady turn of (1) with
steer = -k w / cos(tilt), and its torque is fed forward:

    T = T_0(k) - G (x - x_0(k))                                                                     (3)

A look ahead makes the rider begin a turn in time: k and the wanted heading are taken a little further along the path.
Reference for (1): Meijaard et al. (2007); for (2): the same, equation (B7).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault, InputError
from centrode.parts.controllers.controller import Controller, View, limited, numbers, one_input_fault
from centrode.parts.part import quantity
from centrode.vehicles.bicycle.kinematics import contact_arm
from centrode.vehicles.bicycle.linear import LinearBicycle, linear_bicycle
from centrode.vehicles.bicycle.parameters import BicycleParameters

PROGRESS, GAIN = 0, 1
STATES = 6


@dataclass(frozen=True)
class BicycleRider(Controller):
    """Rider with a steer torque; needs ``drives: true`` of the bicycle."""

    kind: ClassVar[str] = "bicycle-rider"

    bicycle: Any = quantity("", "the bicycle", "bike", refers_to="vehicle")
    path: Any = quantity("m", "points (x, y) of the path in the plane; straight ahead when left out", None)
    speed: float | None = quantity("m/s", "speed of the design; that at the start when left out", None, positive=True)
    lane_weight: float = quantity(
        "1", "weight of the lateral error, against a torque of 1 N m and an error of 1 m", 10.0, minimum=0.0
    )
    heading_weight: float = quantity("1", "weight of the heading error", 10.0, minimum=0.0)
    lean_weight: float = quantity("1", "weight of the lean", 1000.0, minimum=0.0)
    look_ahead: float = quantity("s", "time by which the path is looked ahead", 0.35, minimum=0.0)
    limit: float = quantity("N*m", "largest torque", 30.0, positive=True)

    def faults(self) -> list[Fault]:
        found = super().faults() + one_input_fault(self)
        if self.path is not None and not found:
            try:
                path_from(self.path)
            except InputError as error:
                found += error.faults
        return found

    def start(self, view: View) -> np.ndarray:
        name = self._name()
        for measured in (f"{name}.steer.angle", f"{name}.frame.omega.x"):
            view.check(measured, f"{self.name}.bicycle")
        p = self._parameters(view)
        speed = self.speed if self.speed is not None else self._speed(view, p)
        if not abs(speed) > 0.3:
            raise InputError(
                "a rider cannot balance a bicycle that stands",
                path=f"{self.name}.speed",
                got=float(speed),
                expected="a speed above 0.3 m/s",
            )
        gain = rider_gain(p, speed, self.period, self._weights(), self._gravity(view))
        return np.concatenate([[0.0], gain, [speed]])

    def command(self, time: float, view: View, state: np.ndarray) -> Sequence[float]:
        p = self._parameters(view)
        name, speed = self._name(), float(state[-1])
        ground = view.model.system.parts[name].ground()  # type: ignore[attr-defined]
        frame = ground.T @ view.rotation(f"{name}.frame")  # type: ignore[attr-defined]
        omega = frame @ view.omega(f"{name}.frame")  # type: ignore[attr-defined]
        hub = ground.T @ view.position(f"{name}.rear-wheel")  # type: ignore[attr-defined]
        axle = frame[:, 1]
        contact = hub + contact_arm(axle, p.rear_radius, p.rear_tyre)
        forward = np.array([axle[1], -axle[0]]) / math.hypot(axle[0], axle[1])
        path = path_from(self.path)
        state[PROGRESS] = path.nearest(contact[:2], float(state[PROGRESS]))
        point, tangent, _ = path.at(float(state[PROGRESS]))
        ahead = path.at(float(state[PROGRESS]) + speed * self.look_ahead)
        left = np.array([-tangent[1], tangent[0]])
        error = float(left @ (contact[:2] - point))
        heading = math.remainder(math.atan2(forward[1], forward[0]) - math.atan2(tangent[1], tangent[0]), 2.0 * math.pi)
        part = view.model.system.parts[name]  # type: ignore[attr-defined]
        steer = view.value(f"{name}.steer.angle") + float(part.steer)
        x = np.array(
            [
                math.asin(max(-1.0, min(1.0, float(axle[2])))),
                steer,
                float(omega[:2] @ forward),
                view.value(f"{name}.steer.angle_rate"),
                heading,
                error,
            ]
        )
        wanted, torque = self._steady(p, speed, ahead[2], self._gravity(view))
        return (limited(torque - float(state[GAIN : GAIN + STATES] @ (x - wanted)), -self.limit, self.limit),)

    def _steady(self, p: BicycleParameters, speed: float, curvature: float, gravity: float) -> tuple[np.ndarray, float]:
        """State and torque of the linear steady turn of a curvature [1/m], left positive."""
        linear = _linear(p, gravity)
        k = linear.gravity * linear.k0 + speed**2 * linear.k2
        steer = -curvature * p.wheelbase / math.cos(p.steer_tilt)
        lean = -k[0, 1] / k[0, 0] * steer
        return np.array([lean, steer, 0.0, 0.0, 0.0, 0.0]), float(k[1, 0] * lean + k[1, 1] * steer)

    def _weights(self) -> tuple[float, float, float]:
        return self.lean_weight, self.heading_weight, self.lane_weight

    def _name(self) -> str:
        return getattr(self.bicycle, "name", self.bicycle)

    def _parameters(self, view: Any) -> BicycleParameters:
        found: BicycleParameters = view.model.system.parts[self._name()].values()
        return found

    def _gravity(self, view: Any) -> float:
        return float(np.linalg.norm(view.model.gravity))

    def _speed(self, view: Any, p: BicycleParameters) -> float:
        name = self._name()
        return p.rear_radius * float(view.omega(f"{name}.rear-wheel")[1] - view.omega(f"{name}.frame")[1])


_LINEAR: dict[tuple[BicycleParameters, float], LinearBicycle] = {}


def _linear(p: BicycleParameters, gravity: float) -> LinearBicycle:
    """Linear theory of a machine, identified once."""
    if (p, gravity) not in _LINEAR:
        _LINEAR[p, gravity] = linear_bicycle(p, gravity)
    return _LINEAR[p, gravity]


def design_matrices(p: BicycleParameters, speed: float, gravity: float = 9.81) -> tuple[np.ndarray, np.ndarray]:
    """A (6, 6) and B (6, 1) of (1) and (2)."""
    linear = _linear(p, gravity)
    a, b = np.zeros((6, 6)), np.zeros((6, 1))
    a[:4, :4] = linear.system_matrix(speed)
    b[:4, 0] = linear.input_matrix()[:, 1]
    a[4, 1] = -speed * math.cos(p.steer_tilt) / p.wheelbase
    a[4, 3] = -p.trail * math.cos(p.steer_tilt) / p.wheelbase
    a[5, 4] = speed
    return a, b


def rider_gain(
    p: BicycleParameters,
    speed: float,
    period: float,
    weights: tuple[float, float, float] = (1000.0, 10.0, 10.0),
    gravity: float = 9.81,
) -> np.ndarray:
    """Gain G of (3), shape (6,): smallest sum of weighted squares of state and torque, torque held for a period [s]."""
    from scipy.linalg import expm, solve_discrete_are

    a, b = design_matrices(p, speed, gravity)
    block = np.zeros((7, 7))
    block[:6, :6], block[:6, 6:] = a * period, b * period
    held = expm(block)
    ad, bd = held[:6, :6], held[:6, 6:]
    q = np.diag([weights[0], 1.0, 0.0, 0.0, weights[1], max(weights[2], 1e-9)])
    r = np.eye(1)
    s = solve_discrete_are(ad, bd, q, r)
    return np.asarray(np.linalg.solve(r + bd.T @ s @ bd, bd.T @ s @ ad)).ravel()


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
