"""Cars by class: a usual car of its size, all of whose numbers follow from mass and dimensions.

Dimensions and masses of each class are rounded figures of cars that are common in it, from their makers' data as we
remember them; the file of the class names them, and where a measured crash gives them, that test. Masses are those of
a car with its driver. Inertia, springs, dampers, bars, brakes and the height of the centre of mass follow
:mod:`centrode.vehicles.car.scaling`; the structure is that of NHTSA 10146 scaled by mass over width, an assumption
that docs/theory/crush.md states. Tyres are the STI/Calspan tyre of the MEDUSA report for another load: with q the
mass of the car over that of the report, cornering stiffness and friction are those of it at the load F / q, times q.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar, TypeVar

from centrode.classes import dataclass
from centrode.parts.part import Part
from centrode.parts.tyres.calspan import TyreCalspan
from centrode.vehicles.car.car import Car
from centrode.vehicles.car.scaling import ListedCar, Ride, Values, of_class

T = TypeVar("T")


def again(field: str, default: T) -> T:
    """A field of a car declared again, with another default."""
    metadata = Car.__dataclass_fields__[field].metadata
    return dataclasses.field(default=default, metadata=metadata)  # type: ignore[return-value]


def report_tyre(name: str, mass: float, grip: float) -> TyreCalspan:
    """The tyre of the report for a car of another mass [kg], with another friction in proportion."""
    listed, q = TyreCalspan(name), mass / ListedCar().mass
    friction = {"b1": grip * listed.b1 / q, "b3": grip * listed.b3, "b4": grip * listed.b4 / q**2}
    return dataclasses.replace(listed, a0=listed.a0 * q, a2=listed.a2 * q, **friction)  # type: ignore[arg-type]


@dataclass(frozen=True)
class ClassCar(Car):
    """Base of the cars by class: rigid chassis, springs by frequency, level on its wheels."""

    kind: ClassVar[str] = ""
    ride: ClassVar[Ride] = Ride()
    grip: ClassVar[float] = 1.0
    """Friction of the tyres over that of a car's."""

    chassis: str = again("chassis", "rigid")
    rest_length: float = again("rest_length", 0.45)

    def usual_values(self) -> Values:
        return of_class(self, self.ride)

    def own_tyre(self, name: str) -> Part:
        return report_tyre(name, self.mass, self.grip)
