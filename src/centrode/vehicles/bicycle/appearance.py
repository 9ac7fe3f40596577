"""How a single-track vehicle is drawn: spoked wheels, tubes between hubs, saddle and head, handlebar, and a rider.

All points come from the parts that the vehicle has built: the hubs from its wheel hinges, the steering axis from the
steering hinge. Proportions of the tubes are those of a common bicycle and mean nothing else.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from centrode.errors import CentrodeError
from centrode.parts.visual import Visual, VisualCapsule, VisualEye, VisualRibbon, VisualSphere, VisualWheel, vector

_STRIP = 60.0  # length of the drawn slope [m]
_RIDER_MASS = 40.0  # a frame heavier than this carries somebody [kg]
_SKIN = "#e0b08c"


def bicycle_visuals(vehicle: Any, scene: Any) -> list[Visual]:
    """Shapes of a bicycle; an empty list when it is built in another way."""
    name = vehicle.name
    frame, fork = f"{name}.frame", f"{name}.fork"
    try:
        rear, front = _hinge(scene, frame, f"{name}.rear-wheel"), _hinge(scene, fork, f"{name}.front-wheel")
        steer = _hinge(scene, frame, fork)
        values = vehicle.values()
        size, front_size = float(values.rear_radius), float(values.front_radius)
        mass = float(scene.find(frame).mass)
    except (CentrodeError, AttributeError, StopIteration):
        return []
    hub, front_hub = _place(rear, frame), _place(front, fork)
    found: list[Visual] = [
        VisualWheel(f"{name}.rear-wheel", size, 0.1 * size, True),
        VisualWheel(f"{name}.front-wheel", front_size, 0.1 * front_size, True),
    ]

    def rod(body: str, a: np.ndarray, b: np.ndarray, radius: float, colour: str = "") -> None:
        found.append(VisualCapsule(body, vector(a), vector(b), radius, colour=colour))

    def on_axis(body: str, height: float, ground: float) -> np.ndarray:
        """Point of the steering axis at a height over the ground, in radii of the front wheel."""
        point, along = _place(steer, body), _upward(steer, body)
        return point + along * ((ground + height * front_size - point[2]) / along[2])

    crown, head = (on_axis(frame, height, hub[2] - size) for height in (2.15, 2.7))
    low, top = (on_axis(fork, height, front_hub[2] - front_size) for height in (2.1, 2.85))
    span = float(crown[0] - hub[0])
    bracket = hub + np.array([0.42 * span, 0.0, -0.15 * size])
    seat = hub + np.array([0.22 * span, 0.0, 1.75 * size])
    side, tube = np.array([0.0, 0.75 * size, 0.0]), 0.045 * size
    for a, b in ((hub, bracket), (hub, seat), (bracket, seat), (bracket, crown), (seat, head), (crown, head)):
        rod(frame, a, b, tube)
    rod(frame, seat + [-0.2 * size, 0, 0.1 * size], seat + [0.3 * size, 0, 0.1 * size], 2 * tube, "dark")
    rod(fork, front_hub, low, tube)
    rod(fork, low, top, tube)
    rod(fork, top - side, top + side, 0.8 * tube, "dark")
    if mass > _RIDER_MASS and getattr(vehicle, "upper_body", None) is None:
        hip, neck = seat + [0.05 * size, 0.0, 0.3 * size], seat + [0.55 * size, 0.0, 1.75 * size]
        knee = 0.5 * (hip + bracket) + [0.55 * size, 0.0, 0.2 * size]
        rod(frame, hip, neck, 0.36 * size, "#3d7ea6")
        skull = vector(neck + [0.12 * size, 0.0, 0.62 * size])
        found.append(VisualSphere(frame, 0.3 * size, position=skull, colour=_SKIN))
        for sign in (-1.0, 1.0):
            leg, shoulder = (np.array([0.0, sign * width * size, 0.0]) for width in (0.25, 0.45))
            rod(frame, hip + leg, knee + leg, 0.17 * size, "#2e4057")
            rod(frame, knee + leg, bracket + leg, 0.12 * size, "#2e4057")
            rod(frame, neck + shoulder, head + sign * 0.9 * side, 0.1 * size, _SKIN)
    eye = seat + [0.8 * size, 0.0, 2.6 * size]
    return [*found, *_slope(vehicle), VisualEye(frame, position=vector(eye))]


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
    right, left_edge = ([vector(point + sign * _STRIP / 10 * side) for point in middle] for sign in (-1.0, 1.0))
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
