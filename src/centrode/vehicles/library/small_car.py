"""Small car (B segment), as a VW Polo or a Toyota Yaris of the 2010s: 4.05 m long, wheelbase 2.55 m."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from centrode.vehicles.library.class_car import ClassCar, again


@dataclass(frozen=True)
class SmallCar(ClassCar):
    """Small car, 1180 kg, 4.05 m."""

    kind: ClassVar[str] = "small-car"
    body_style: ClassVar[str] = "hatchback"

    mass: float = again("mass", 1180.0)
    length: float = again("length", 4.05)
    width: float = again("width", 1.70)
    height: float = again("height", 1.46)
    front: float = again("front", 0.99)
    rear: float = again("rear", 1.56)
    track: float = again("track", 1.48)
    nose: float = again("nose", 1.80)
    radius: float = again("radius", 0.29)
    clearance: float = again("clearance", 0.18)
