"""How a car looks in the viewer and on diagrams: painted body, windows, four wheels, a place for the driver's eye."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from centrode.parts.visual import Visual, VisualCarBody, VisualEye, VisualWheel

GLASS: dict[str, tuple[tuple[float, float], ...]] = {
    "saloon": ((0.04, 0.24), (-0.42, -0.28)),
    "hatchback": ((0.02, 0.24), (-0.48, -0.40)),
    "suv": ((0.06, 0.22), (-0.49, -0.45)),
    "van": ((0.22, 0.36),),
}
"""Windscreen and rear window of a body style from above: upper and lower edge along the car, over its length from the
middle. The viewer has the same figures (geometry.ts)."""
_WHEEL_WIDTH = 0.2


def plan_details(car: Any) -> list[np.ndarray]:
    """Closed lines of windows and wheels from above, body frame, (n, 2) [m]."""
    made = []
    for upper, lower in GLASS[car.body_style]:
        ends = [
            (car.body_middle + share * car.length, half * car.width) for share, half in ((upper, 0.34), (lower, 0.40))
        ]
        (xu, yu), (xl, yl) = ends
        made.append(np.array([(xu, -yu), (xl, -yl), (xl, yl), (xu, yu)]))
    for x, y, *_ in car.places:
        long, wide = 0.8 * car.radius, 0.5 * _WHEEL_WIDTH
        made.append(np.array([(x - long, y - wide), (x + long, y - wide), (x + long, y + wide), (x - long, y + wide)]))
    return made


def car_visuals(car: Any) -> list[Visual]:
    """Shapes of a car in the frame of its body."""
    length, width, height = car.length, car.width, car.height
    ride = float(car.drawn_height)
    low = -ride + 0.15  # the painted body ends above the road
    middle = 0.5 * (low + 0.55 * height)
    names = ("left_front", "right_front", "left_rear", "right_rear")
    wheels = []
    for index, (place, name) in enumerate(zip(car.places, names, strict=True)):
        spin = f"{car.carriage}.{name}.angle" if car.wheels == "spin" else ""
        steer = f"{car.carriage}.steer" if index < 2 else ""
        wheel = VisualWheel(car.body, car.radius, _WHEEL_WIDTH, spin_channel=spin, steer_channel=steer, rolls=not spin)
        wheels.append(dataclasses.replace(wheel, position=(place[0], place[1], car.radius - ride)))
    whole = height - 0.15
    return [
        dataclasses.replace(
            VisualCarBody(car.body, (length, width, whole), colour="paint", style=car.body_style),
            position=(car.body_middle, 0.0, low + 0.5 * whole),
        ),
        *wheels,
        VisualEye(car.body, position=(0.05 * length, 0.2 * width, middle + 0.3 * height)),
    ]
