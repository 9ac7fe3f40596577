"""Semitrailer with three axles on a fifth wheel, half laden: 13.6 m, 20 t.

A fifth wheel lets the trailer turn about the tractor's vertical and pitch about its own axis across, and carries
roll: a universal joint. Length, width and height are the European limits (13.6, 2.55, 4 m); the king pin is 1.6 m
behind the front and the middle axle 7.7 m behind it, as is usual; mass, height of the centre of mass and friction of
the tyres (0.8 of a car's) are assumptions. The load on the king pin is 7.9 t.

Below the body, which stands 1.2 m over the road, cars are met by the wheels, as one block from the first axle to the
last, and at the rear by the underrun bar of UN Regulation 58: lower edge at most 0.45 m over the road, profile at least
0.12 m high, at most 0.3 m before the end. Both are rigid here; a real bar bends at some 100 to 180 kN. It presses a
front as high as it is itself, and the strength of a front is spread over its height, so dents are deep. Elsewhere cars
run under the body until their roofs meet it: the guards of Regulation 73 are made for cyclists.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from centrode.parts.joints.joint import Joint
from centrode.parts.joints.universal import Universal
from centrode.parts.outlines.box import OutlineBox
from centrode.parts.part import quantity
from centrode.parts.visual import Visual, VisualBox, VisualScene
from centrode.vehicles.library.towed import Towed

TYRE = 0.385
"""Width of the tyres, 385/65 R 22.5 [m]."""
UNDERRUN = 0.45
"""Lower edge of the underrun bar over the road [m]."""
BAR = (0.2, 0.12)
"""Thickness and height of the underrun bar [m]; it ends where the body does."""


@dataclass(frozen=True)
class Semitrailer(Towed):
    """Semitrailer with three axles on a fifth wheel, 20 t, 13.6 m."""

    kind: ClassVar[str] = "semitrailer"
    grip: ClassVar[float] = 0.8

    mass: float = quantity("kg", "mass with its load", 20e3, positive=True, usual=(500.0, 1e5))
    cog_height: float = quantity("m", "centre of mass over the road", 1.8, positive=True, usual=(0.1, 5.0))
    coupling: float = quantity("m", "king pin ahead of the centre of mass", 4.65, positive=True, usual=(0.3, 20.0))
    axles: tuple[float, ...] = quantity("m", "axles behind the centre of mass", (1.74, 3.05, 4.36), usual=(-15.0, 15.0))
    track: float = quantity("m", "distance of the wheels of an axle", 2.04, positive=True, usual=(0.3, 4.0))
    radius: float = quantity("m", "rolling radius of the wheels", 0.5, positive=True, usual=(0.05, 1.5))
    spin_inertia: float = quantity("kg*m2", "of one wheel about its axle", 15.0, positive=True)
    rest_length: float = quantity("m", "assembly point over the road with the spring relaxed", 0.8, positive=True)
    length: float = quantity("m", "outer length", 13.6, positive=True, usual=(0.3, 30.0))
    width: float = quantity("m", "outer width", 2.55, positive=True, usual=(0.3, 5.0))
    height: float = quantity("m", "over the road", 4.0, positive=True, usual=(0.2, 6.0))
    clearance: float = quantity("m", "under the body", 1.2, positive=True, usual=(0.01, 2.0))
    ahead: float = quantity("m", "middle of the body ahead of the centre of mass", -0.55)
    articulation_limit: float = quantity(
        "rad", "angle to either side at which its side meets the cab", 2.1, positive=True, maximum=3.1
    )

    def joint(self, towing: str, hitch: tuple[float, float, float], own: tuple[float, float, float]) -> Joint:
        up, across = (0.0, 0.0, 1.0), (0.0, 1.0, 0.0)
        name = f"{self.name}.coupling"
        return Universal(name, towing, self.body, point_a=hitch, point_b=own, axis_a=up, axis_b=across)

    def further_outlines(self) -> list[OutlineBox]:
        """Wheels and underrun bar."""
        low, high = min(self.axles) - self.radius, max(self.axles) + self.radius
        ground = 0.3 * self.radius  # of the wheels: below it they are narrow
        wheels = (0.5 * (high - low), 0.5 * (self.track + TYRE), 0.5 * (self.clearance - ground))
        middle = (-0.5 * (low + high), 0.0, 0.5 * (self.clearance + ground) - self.cog_height)
        half, place = self._bar()
        on_body = {"body": self.body, "material": "trailer"}
        return [
            OutlineBox(f"{self.name}.axles", half_lengths=wheels, centre=middle, **on_body),  # type: ignore[arg-type]
            OutlineBox(f"{self.name}.underrun", half_lengths=half, centre=place, **on_body),  # type: ignore[arg-type]
        ]

    def _bar(self) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """Half lengths and middle of the underrun bar, body frame [m]."""
        half = (0.5 * BAR[0], 0.5 * self.width, 0.5 * BAR[1])
        behind = self.ahead - 0.5 * self.length
        return half, (behind + half[0], 0.0, UNDERRUN + half[2] - self.cog_height)

    def visuals(self, scene: VisualScene) -> list[Visual]:
        half, place = self._bar()
        size = (2.0 * half[0], 2.0 * half[1], 2.0 * half[2])
        posts = [
            VisualBox(
                self.body,
                size=(0.1, 0.1, self.clearance - UNDERRUN),
                colour="#444444",
                position=(place[0], side, 0.5 * (self.clearance + UNDERRUN) - self.cog_height),
            )
            for side in (-0.5, 0.5)
        ]
        return [*super().visuals(scene), VisualBox(self.body, size=size, position=place, colour="#444444"), *posts]
