"""Compact car (C segment), as a VW Golf or a Ford Focus of the 2010s: 4.28 m long, wheelbase 2.64 m."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from centrode.vehicles.library.class_car import ClassCar, again


@dataclass(frozen=True)
class CompactCar(ClassCar):
    """Compact car, 1400 kg, 4.28 m."""

    kind: ClassVar[str] = "compact-car"
    body_style: ClassVar[str] = "hatchback"

    mass: float = again("mass", 1400.0)
    length: float = again("length", 4.28)
    width: float = again("width", 1.80)
    height: float = again("height", 1.47)
    front: float = again("front", 1.06)
    rear: float = again("rear", 1.58)
    track: float = again("track", 1.53)
    nose: float = again("nose", 1.92)
    radius: float = again("radius", 0.31)
    clearance: float = again("clearance", 0.18)
