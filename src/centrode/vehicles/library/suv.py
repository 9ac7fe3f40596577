"""SUV: the Chevrolet Trailblazer of NHTSA 4364 as it was tested (mass, length, width, axles, track, front overhang).

Its height and wheel are its maker's; the static stability factor is the mean of SUVs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from centrode.vehicles.car.scaling import Ride
from centrode.vehicles.library.class_car import ClassCar, again


@dataclass(frozen=True)
class Suv(ClassCar):
    """SUV, 2355 kg, 4.87 m (the Trailblazer of NHTSA 4364)."""

    kind: ClassVar[str] = "suv"
    body_style: ClassVar[str] = "suv"
    ride: ClassVar[Ride] = Ride(stability=1.17, roll_gradient=math.radians(6.0), power=80.0)

    mass: float = again("mass", 2355.0)
    length: float = again("length", 4.869)
    width: float = again("width", 1.890)
    height: float = again("height", 1.83)
    front: float = again("front", 1.443)
    rear: float = again("rear", 1.428)
    track: float = again("track", 1.580)
    nose: float = again("nose", 2.342)
    radius: float = again("radius", 0.37)
    clearance: float = again("clearance", 0.22)
    rest_length: float = again("rest_length", 0.5)
    driven: str = again("driven", "all")
