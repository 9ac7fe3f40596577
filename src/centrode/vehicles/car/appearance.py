"""How a car looks in the viewer: painted body, windows, four wheels, a place for the driver's eye."""

from __future__ import annotations

import dataclasses
from typing import Any

from centrode.parts.visual import VisualCarBody, VisualEye, VisualWheel


def car_visuals(car: Any) -> list[Any]:
    """Shapes of a car in the frame of its body.

    Args:
        car: anything with body, carriage, places, length, width, height, radius, wheels and drawn_height.
    """
    length, width, height = car.length, car.width, car.height
    ride = float(car.drawn_height)
    low = -ride + 0.15  # the painted body ends above the road
    middle = 0.5 * (low + 0.55 * height)
    names = ("left_front", "right_front", "left_rear", "right_rear")
    wheels = []
    for index, (place, name) in enumerate(zip(car.places, names, strict=True)):
        spin = f"{car.carriage}.{name}.angle" if car.wheels == "spin" else ""
        steer = f"{car.carriage}.steer" if index < 2 else ""
        wheel = VisualWheel(car.body, car.radius, 0.2, spin_channel=spin, steer_channel=steer, rolls=not spin)
        wheels.append(dataclasses.replace(wheel, position=(place[0], place[1], car.radius - ride)))
    whole = height - 0.15
    return [
        VisualCarBody(car.body, (length, width, whole), position=(0.0, 0.0, low + 0.5 * whole), colour="paint"),
        *wheels,
        VisualEye(car.body, position=(0.05 * length, 0.2 * width, middle + 0.3 * height)),
    ]
