"""Van, as a Mercedes Sprinter or a Ford Transit of medium length, half laden: 5.9 m long, wheelbase 3.67 m.

The static stability factor of full-size vans (1.12) is from memory of NHTSA's ratings.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from centrode.vehicles.car.scaling import Ride
from centrode.vehicles.library.class_car import ClassCar, again


@dataclass(frozen=True)
class Van(ClassCar):
    """Van, half laden, 2800 kg, 5.9 m."""

    kind: ClassVar[str] = "van"
    body_style: ClassVar[str] = "van"
    ride: ClassVar[Ride] = Ride(stability=1.12, frequency=(1.4, 1.7), roll_gradient=math.radians(6.0), power=40.0)

    mass: float = again("mass", 2800.0)
    length: float = again("length", 5.91)
    width: float = again("width", 1.99)
    height: float = again("height", 2.60)
    front: float = again("front", 1.75)
    rear: float = again("rear", 1.92)
    track: float = again("track", 1.71)
    nose: float = again("nose", 2.75)
    radius: float = again("radius", 0.34)
    clearance: float = again("clearance", 0.20)
    rest_length: float = again("rest_length", 0.45)
    driven: str = again("driven", "rear")
