"""How a car looks in the viewer: painted body, windows, four wheels, a place for the driver's eye."""

from __future__ import annotations

from typing import Any

from centrode.parts.visual import VisualBox, VisualEye, VisualSuperellipsoid, VisualWheel


def car_visuals(car: Any, squareness: float = 0.4) -> list[Any]:
    """Shapes of a car in the frame of its body.

    Args:
        car: anything with body, carriage, places, length, width, height, radius, and ride_height.
        squareness: of the painted shape; 0.4 is the outline of the MEDUSA report.
    """
    length, width, height = car.length, car.width, car.height
    low = -getattr(car, "ride_height", 0.5 * height) + 0.15  # the painted body ends above the road
    middle = 0.5 * (low + 0.55 * height)
    names = ("left_front", "right_front", "left_rear", "right_rear")
    wheels = [
        VisualWheel(
            car.body,
            position=(place[0], place[1], -getattr(car, "ride_height", 0.5 * height) + car.radius),
            radius=car.radius,
            width=0.2,
            spin_channel=f"{car.carriage}.{name}.angle" if getattr(car, "wheels", "") == "spin" else "",
            steer_channel=f"{car.carriage}.steer" if index < 2 else "",
        )
        for index, (place, name) in enumerate(zip(car.places, names, strict=True))
    ]
    return [
        VisualSuperellipsoid(
            car.body,
            semi_axes=(0.5 * length, 0.5 * width, max(0.5 * (0.55 * height - low), 0.2)),
            squareness=squareness,
            position=(0.0, 0.0, middle),
            colour="paint",
        ),
        VisualBox(
            car.body,
            size=(0.45 * length, 0.8 * width, 0.3 * height),
            position=(-0.06 * length, 0.0, middle + 0.3 * height),
            colour="glass",
        ),
        *wheels,
        VisualEye(car.body, position=(0.05 * length, 0.2 * width, middle + 0.3 * height)),
    ]
