"""Mid-size car: the Toyota Camry of NHTSA 10146 as it was tested (mass, length, width, wheelbase, centre of mass).

Track, height and wheel are its maker's. Its barrier test gave the default structure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from centrode.vehicles.library.class_car import ClassCar, again


@dataclass(frozen=True)
class MidsizeCar(ClassCar):
    """Mid-size car, 1719 kg, 4.90 m (the Camry of NHTSA 10146)."""

    kind: ClassVar[str] = "midsize-car"

    mass: float = again("mass", 1719.0)
    length: float = again("length", 4.896)
    width: float = again("width", 1.837)
    height: float = again("height", 1.445)
    front: float = again("front", 1.246)
    rear: float = again("rear", 1.579)
    track: float = again("track", 1.59)
    nose: float = again("nose", 2.196)
    radius: float = again("radius", 0.33)
    clearance: float = again("clearance", 0.18)
