"""Large car, as a Chrysler 300 or a BMW 7 series of the 2010s: 5.05 m long, wheelbase 3.05 m, driven behind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from centrode.vehicles.library.class_car import ClassCar, again


@dataclass(frozen=True)
class LargeCar(ClassCar):
    """Large car, 1950 kg, 5.05 m."""

    kind: ClassVar[str] = "large-car"

    mass: float = again("mass", 1950.0)
    length: float = again("length", 5.05)
    width: float = again("width", 1.90)
    height: float = again("height", 1.48)
    front: float = again("front", 1.46)
    rear: float = again("rear", 1.59)
    track: float = again("track", 1.61)
    nose: float = again("nose", 2.33)
    radius: float = again("radius", 0.34)
    clearance: float = again("clearance", 0.18)
    driven: str = again("driven", "rear")
