"""Semitrailer with three axles on a fifth wheel, half laden: 13.6 m, 20 t.

A fifth wheel lets the trailer turn about the tractor's vertical and pitch about its own axis across, and carries
roll: a universal joint. Length, width and height are the European limits (13.6, 2.55, 4 m); the king pin is 1.6 m
behind the front and the middle axle 7.7 m behind it, as is usual; mass, height of the centre of mass and friction of
the tyres (0.8 of a car's) are assumptions. The load on the king pin is 7.9 t.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from centrode.parts.joints.joint import Joint
from centrode.parts.joints.universal import Universal
from centrode.parts.part import quantity
from centrode.vehicles.library.towed import Towed


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
