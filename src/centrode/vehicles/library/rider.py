"""Rider of a motorcycle: a jointed person who sits on its saddle by weight and friction, and can be thrown off.

It needs a contact law between the materials "person" and "motorcycle". Its legs are stretched
over the machine, its hands hold nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.part import Part, quantity
from centrode.vehicles.library.dummy import SEGMENTS, SITTING, Person
from centrode.vehicles.library.motorcycle import Motorcycle

if TYPE_CHECKING:
    from centrode.system.builder import System


@dataclass(frozen=True)
class Rider(Part):
    """Rider of a motorcycle as a jointed dummy, 80 kg, 1.78 m."""

    family: ClassVar[str] = "vehicle"
    kind: ClassVar[str] = "rider"

    rides: str = quantity("", "motorcycle", refers_to="vehicle")
    mass: float = quantity("kg", "mass with clothes and helmet", 80.0, positive=True, usual=(20.0, 250.0))
    stature: float = quantity("m", "height of the body", 1.78, positive=True, usual=(1.0, 2.5))

    def lies_on_roads(self) -> bool:
        return True

    def build(self, system: System) -> None:
        """Add segments, outlines and joints to the system."""
        motorcycle = system.parts[self.rides]
        if not isinstance(motorcycle, Motorcycle):
            raise self.refusal("rides", "nobody sits on this", expected="a motorcycle")
        body = system.parts[motorcycle.body]
        assert isinstance(body, RigidBody)
        rotation = np.array(body.orientation, dtype=float)
        person = Person(self.name, self.mass, self.stature, SITTING, motorcycle.heading, np.array(body.velocity))
        seat = np.array(body.position) + rotation @ np.array(motorcycle.saddle)
        hips = seat + np.array([0.0, 0.0, SEGMENTS["left_thigh"].radius * self.stature + 2e-3])
        person.add_to(system, hips)
