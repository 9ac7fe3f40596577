"""How a single-track vehicle is drawn: spoked wheels, tubes between hubs, saddle and head, handlebar, and a rider.

All points come from the parts that the vehicle has built: the hubs from its wheel hinges, the steering axis from the
steering hinge. Proportions of the tubes are those of a common bicycle and mean nothing else.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from centrode.errors import CentrodeError
from centrode.parts.visual import Vector, Visual, VisualCapsule, VisualEye, VisualRibbon, VisualSphere, VisualWheel

_STRIP = 60.0  # length of the drawn slope [m]
_RIDER_MASS = 40.0  # a frame heavier than this carries somebody [kg]


def bicycle_visuals(vehicle: Any, scene: Any) -> list[Visual]:
    """Shapes of a bicycle; an empty list when it is built in another way."""
    name = vehicle.name
    try:
        rear, front = (
            _hinge(scene, f"{name}.frame", f"{name}.rear-wheel"),
            _hinge(scene, f"{name}.fork", f"{name}.front-wheel"),
        )
        steer = _hinge(scene, f"{name}.frame", f"{name}.fork")
        values = vehicle.values()
        radii = float(values.rear_radius), float(values.front_radius)
        mass = float(scene.find(f"{name}.frame").mass)
    except (CentrodeError, AttributeError, StopIteration):
        return []
    frame, fork = f"{name}.frame", f"{name}.fork"
    hub = _place(rear, frame)
    front_hub = _place(front, fork)
    axis = _upward(steer, frame)
    through = _place(steer, frame)
    fork_axis, fork_through = _upward(steer, fork), _place(steer, fork)
    size = radii[0]

    def on_axis(height: float, point: np.ndarray, along: np.ndarray, ground: float) -> np.ndarray:
        return point + along * ((ground + height - point[2]) / along[2])

    floor, fork_floor = hub[2] - radii[0], front_hub[2] - radii[1]
    crown, head = (on_axis(k * radii[1], through, axis, floor) for k in (2.15, 2.7))
    span = float(crown[0] - hub[0])
    bracket = hub + np.array([0.42 * span, 0.0, -0.15 * size])
    seat = hub + np.array([0.22 * span, 0.0, 1.75 * size])
    tube = 0.045 * size
    found: list[Visual] = [
        VisualWheel(f"{name}.rear-wheel", radii[0], 0.1 * radii[0], True),
        VisualWheel(f"{name}.front-wheel", radii[1], 0.1 * radii[1], True),
    ]
    for a, b in ((hub, bracket), (hub, seat), (bracket, seat), (bracket, crown), (seat, head), (crown, head)):
        found.append(VisualCapsule(frame, _vector(a), _vector(b), tube))
    found.append(
        VisualCapsule(
            frame,
            _vector(seat + [-0.2 * size, 0, 0.1 * size]),
            _vector(seat + [0.3 * size, 0, 0.1 * size]),
            2 * tube,
            colour="dark",
        )
    )
    low, top = (on_axis(k * radii[1], fork_through, fork_axis, fork_floor) for k in (2.1, 2.85))
    side = np.array([0.0, 0.75 * size, 0.0])
    found += [
        VisualCapsule(fork, _vector(front_hub), _vector(low), tube),
        VisualCapsule(fork, _vector(low), _vector(top), tube),
        VisualCapsule(fork, _vector(top - side), _vector(top + side), 0.8 * tube, colour="dark"),
    ]
    if mass > _RIDER_MASS and getattr(vehicle, "upper_body", None) is None:
        hip, neck = seat + [0.05 * size, 0.0, 0.3 * size], seat + [0.55 * size, 0.0, 1.75 * size]
        shoulder = np.array([0.0, 0.45 * size, 0.0])
        knee = 0.5 * (hip + bracket) + [0.55 * size, 0.0, 0.2 * size]
        found += [
            VisualCapsule(frame, _vector(hip), _vector(neck), 0.36 * size, colour="#3d7ea6"),
            VisualSphere(frame, 0.3 * size, position=_vector(neck + [0.12 * size, 0.0, 0.62 * size]), colour="#e0b08c"),
        ]
        for sign in (-1.0, 1.0):
            leg = np.array([0.0, sign * 0.25 * size, 0.0])
            found += [
                VisualCapsule(frame, _vector(hip + leg), _vector(knee + leg), 0.17 * size, colour="#2e4057"),
                VisualCapsule(frame, _vector(knee + leg), _vector(bracket + leg), 0.12 * size, colour="#2e4057"),
                VisualCapsule(
                    frame,
                    _vector(neck + sign * shoulder),
                    _vector(head + sign * 0.9 * side),
                    0.1 * size,
                    colour="#e0b08c",
                ),
            ]
    eye = seat + [0.8 * size, 0.0, 2.6 * size]
    return [*found, *_slope(vehicle), VisualEye(frame, position=_vector(eye))]


def _slope(vehicle: Any) -> list[Visual]:
    """A strip of the inclined plane on which it rolls; the level ground is drawn anyway."""
    if not (getattr(vehicle, "slope", 0.0) or getattr(vehicle, "bank", 0.0)):
        return []
    plane = np.asarray(vehicle.ground(), dtype=float)
    along, left = plane[:, 0], plane[:, 1]
    ahead = np.array([np.cos(vehicle.heading), np.sin(vehicle.heading)])
    start = vehicle.position[0] * along + vehicle.position[1] * left
    way, side = ahead[0] * along + ahead[1] * left, -ahead[1] * along + ahead[0] * left
    middle = [start + s * way for s in np.linspace(-_STRIP / 4, _STRIP, 6)]
    right, left_edge = ([_vector(point + sign * _STRIP / 10 * side) for point in middle] for sign in (-1.0, 1.0))
    return [VisualRibbon("ground", right, left_edge, colour="asphalt")]


def _hinge(scene: Any, first: str, second: str) -> dict[str, Any]:
    """Markers of the revolute joint between two bodies, by body."""
    for part in scene.system.parts.values():
        if part.family == "joint" and part.kind == "revolute" and {str(part.a), str(part.b)} == {first, second}:
            return {marker.body: marker for marker in part.place(scene).markers}
    raise StopIteration


def _place(hinge: dict[str, Any], body: str) -> np.ndarray:
    """Place of a hinge in the frame of one of its bodies [m]."""
    return np.asarray(hinge[body].position, dtype=float)


def _upward(hinge: dict[str, Any], body: str) -> np.ndarray:
    axis = np.asarray(hinge[body].frame, dtype=float)[:, 2]
    return axis if axis[2] > 0 else -axis


def _vector(values: Any) -> Vector:
    x, y, z = (float(item) for item in values)
    return x, y, z
