"""Pedestrian: a jointed person who stands or walks, and is not held by anything but the ground.

It needs a contact law between the material "person" and others ("car", and that of the ground's outline); nothing
balances it, so it should be struck within some tenths of a second. Mass and height are those of an average man (75
kg, 1.75 m).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.parts.part import Part, quantity
from centrode.vehicles.library.dummy import STANDING, Person
from centrode.vehicles.library.standing import ground_below

if TYPE_CHECKING:
    from centrode.system.builder import System


@dataclass(frozen=True)
class Pedestrian(Part):
    """Pedestrian as a jointed dummy of eleven segments, 75 kg, 1.75 m."""

    family: ClassVar[str] = "vehicle"
    kind: ClassVar[str] = "pedestrian"

    position: tuple[float, float] = quantity("m", "place of the hips over the ground, world frame", (0.0, 0.0))
    heading: float = quantity("rad", "direction in which it looks", 0.0, usual=(-6.2832, 6.2832))
    speed: float = quantity("m/s", "walking or running at the start", 0.0, usual=(-12.0, 12.0))
    mass: float = quantity("kg", "mass", 75.0, positive=True, usual=(8.0, 250.0))
    stature: float = quantity("m", "height of the body", 1.75, positive=True, usual=(0.6, 2.5))
    ground_height: float | None = quantity("m", "of the ground below the feet; of the road when left out", None)

    def lies_on_roads(self) -> bool:
        return True

    def build(self, system: System) -> None:
        """Add segments, outlines and joints to the system."""
        ahead = self.speed * np.array([math.cos(self.heading), math.sin(self.heading), 0.0])
        person = Person(self.name, self.mass, self.stature, STANDING, self.heading, ahead)
        lowest = person.lowest_points()
        high = [
            ground_below(system, self, (self.position[0] + x, self.position[1] + y), self.ground_height, radius) - z
            for x, y, z, radius in lowest
        ]
        hips = np.array([*self.position, max(high) + 1e-3])
        person.add_to(system, hips)
