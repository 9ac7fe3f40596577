"""What the three legacy files say, as plain values in the units of the files (SI; angles in degrees, named so).

Source: MEDUSA report (1999), section 2.2. Two wordings of the manual are wrong in the program and follow the program
here: CONTACT A1 A2 A3 are full length, width and height (not semi-axes), and ORIENTATION is in degrees.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from centrode.parts.roads.medusa4 import RoadMedusa4
from centrode.parts.roads.spline import RoadSpline


@dataclass(frozen=True)
class LegacyModel:
    """One vehicle model of model.dat."""

    mass: float  # [kg]
    ix: float  # [kg*m^2]
    iy: float  # [kg*m^2]
    iz: float  # [kg*m^2]
    young: float  # [Pa]
    poisson: float  # [1]
    volume: float  # [m^3]
    l1: float  # centre of mass to front axle [m]
    l2: float  # centre of mass to rear axle [m]
    b: float  # track [m]
    h1: float  # centre of mass down to front assembly points [m]
    h2: float  # centre of mass down to rear assembly points [m]
    spring_ref: float  # distance of an assembly point from the road with the spring relaxed [m]
    c1: float  # front spring [N/m]
    c2: float  # rear spring [N/m]
    d1: float  # front damper [N*s/m]
    d2: float  # rear damper [N*s/m]
    tire_lag: float  # [s]
    a1: float  # length [m]
    a2: float  # width [m]
    a3: float  # height [m]
    r3: float  # height of the centre of mass in the listed equilibrium [m]
    directors: tuple[tuple[float, float, float], ...]  # d1, d2, d3 in the listed equilibrium

    @property
    def semi_axes(self) -> tuple[float, float, float]:
        """Semi-axes of the superellipsoid [m]."""
        return 0.5 * self.a1, 0.5 * self.a2, 0.5 * self.a3

    @property
    def assembly_points(self) -> tuple[tuple[float, float, float], ...]:
        """Left front, right front, left rear, right rear, body frame [m], eq. (1.11)."""
        half = 0.5 * self.b
        return (
            (self.l1, half, -self.h1),
            (self.l1, -half, -self.h1),
            (-self.l2, half, -self.h2),
            (-self.l2, -half, -self.h2),
        )


@dataclass(frozen=True)
class LegacyVehicle:
    """One vehicle of platoon.dat."""

    model: int  # number in model.dat, from 1
    x: float  # [m]
    y: float  # [m]
    orientation_deg: float  # heading about z, left positive
    speed: float  # [m/s]
    tire_speed: float  # rim speed of the driven front wheels [m/s]; 0 rolls freely
    steering_deg: float  # left positive
    steering_history: tuple[tuple[float, float], ...] = ()  # (from this time on [s], steering [deg]), times rising

    @property
    def driven(self) -> bool:
        """Whether the front wheels are driven."""
        return self.tire_speed != 0.0


@dataclass(frozen=True)
class LegacyPlatoon:
    """All of platoon.dat."""

    vehicles: tuple[LegacyVehicle, ...]


@dataclass(frozen=True)
class LegacyRoad:
    """All of road.dat: rows x, y, z [m], bank [deg] (positive tilts to the right)."""

    points: tuple[tuple[float, float, float, float], ...]

    def part(self, name: str = "road", original: bool = False) -> RoadSpline | RoadMedusa4:
        """The road as a part: the smooth spline, or the interpolation of 1999 (four points only)."""
        points = tuple(point[:3] for point in self.points)
        bank = tuple(math.radians(point[3]) for point in self.points)
        if original:
            return RoadMedusa4(name, points=points, bank=bank)
        return RoadSpline(name, points=points, bank=bank, width=1.0e6)


@dataclass(frozen=True)
class LegacyModels:
    """All of model.dat; models are counted from 1."""

    models: tuple[LegacyModel, ...]

    def __getitem__(self, number: int) -> LegacyModel:
        """Model by its number in the file."""
        if not 1 <= number <= len(self.models):
            raise IndexError(f"model {number} of {len(self.models)}")
        return self.models[number - 1]
