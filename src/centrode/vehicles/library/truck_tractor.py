"""Truck tractor with two axles, as the European 4x2: 5.9 m long, wheelbase 3.7 m, fifth wheel before the rear axle.

Mass and loads of the axles (5.2 t and 2.3 t) are those of such tractors without a trailer, from makers' data as we
remember them. Height of the centre of mass (1.0 m), radii of gyration (0.8 m in roll, 1.6 m in pitch and yaw),
frequencies of the springs and the friction of truck tyres (0.8 of a car's) are assumptions. The fifth wheel stands
0.6 m ahead of the rear axle, 1.2 m over the road. No structure of a tractor is known to us: its front counts as that
of a car of its mass.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from centrode.parts.visual import Visual, VisualBox, VisualScene, VisualWheel
from centrode.vehicles.car.scaling import Ride, Values
from centrode.vehicles.library.class_car import ClassCar, again

ROLL, TURN = 0.8, 1.6
"""Radii of gyration [m]."""


@dataclass(frozen=True)
class TruckTractor(ClassCar):
    """Truck tractor with two axles, 7500 kg, 5.9 m."""

    kind: ClassVar[str] = "truck-tractor"
    ride: ClassVar[Ride] = Ride(stability=1.0, frequency=(1.5, 2.2), power=40.0, braking=0.9)
    grip: ClassVar[float] = 0.8

    mass: float = again("mass", 7500.0)
    length: float = again("length", 5.9)
    width: float = again("width", 2.5)
    height: float = again("height", 3.6)
    front: float = again("front", 1.13)
    rear: float = again("rear", 2.57)
    track: float = again("track", 2.0)
    nose: float = again("nose", 2.55)
    radius: float = again("radius", 0.5)
    spin_inertia: float = again("spin_inertia", 15.0)
    clearance: float = again("clearance", 0.3)
    cog_height: float = again("cog_height", 1.0)
    rest_length: float = again("rest_length", 0.8)
    stop_length: float = again("stop_length", 0.3)
    relaxation: tuple[float, float] = again("relaxation", (0.6, 0.3))
    driven: str = again("driven", "rear")

    def usual_values(self) -> Values:
        turn = self.mass * TURN**2
        return super().usual_values() | {"inertia": (self.mass * ROLL**2, turn, turn)}

    @property
    def hitch(self) -> tuple[float, float, float]:
        return -(self.rear - 0.6), 0.0, 1.2 - self.drawn_height

    def visuals(self, scene: VisualScene) -> list[Visual]:
        """Cab, frame and wheels."""
        wheels = [item for item in super().visuals(scene) if isinstance(item, VisualWheel)]
        up, cab = self.drawn_height, 2.2
        tall, rear = self.height - 0.5, self.length - self.nose
        place = (self.nose - 0.5 * cab, 0.0, 0.5 + 0.5 * tall - up)
        frame = VisualBox(
            self.body, size=(self.length - 0.3, 0.9, 0.3), position=(0.5 * (self.nose - rear), 0.0, 0.8 - up)
        )
        return [VisualBox(self.body, size=(cab, self.width, tall), position=place, colour="paint"), frame, *wheels]
