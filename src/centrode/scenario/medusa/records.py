"""What the three legacy files say, as plain values in the units of the files (SI; angles in degrees, named so).

Source: MEDUSA report (1999), section 2.2. Two wordings of the manual are wrong in the program and follow the program
here: CONTACT A1 A2 A3 are full length, width and height (not semi-axes), and ORIENTATION is in degrees.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from centrode.parts.roads.medusa4 import RoadMedusa4
from centrode.parts.roads.spline import RoadSpline

WIDTH = 40.0
"""Full width of a road [m] where none is given: ten lanes, all motorways, and too narrow for a Y in feet."""
MODEL_LAYOUT = """\
 COSSERAT_POINT
  MASS {mass!r}  % [kg]
  IX {ix!r} IY {iy!r} IZ {iz!r}  % principal moments of inertia [kg m^2]
  E {young!r} NU {poisson!r} VOLUME {volume!r}  % [N/m^2], [.], [m^3]
 SUSPENSION
  L1 {l1!r} L2 {l2!r} B {b!r} H1 {h1!r} H2 {h2!r}  % [m]
  SPRING_REF {spring_ref!r}  % [m]
  C1 {c1!r} C2 {c2!r}  % front and rear spring [N/m]
  D1 {d1!r} D2 {d2!r}  % front and rear damper [Ns/m]
 TIRE {tire_lag!r}  % lag [s]
 CONTACT A1 {a1!r} A2 {a2!r} A3 {a3!r}  % length, width, height [m]
 EQUILIBRIUM
  R3 {r3!r}  % height of the centre of mass [m]
  D11 {d11!r} D12 {d12!r} D13 {d13!r}
  D21 {d21!r} D22 {d22!r} D23 {d23!r}
  D31 {d31!r} D32 {d32!r} D33 {d33!r}
"""
"""A model as it is written; keywords and numbers are read in this order."""

VEHICLE_LAYOUT = """\
 INITIALLY_WITH
  X {x!r} Y {y!r}  % centre of mass [m]
  ORIENTATION {orientation_deg!r}  % heading [deg], left positive
  SPEED {speed!r}  % [m/s]
  TIRE_SPEED {tire_speed!r}  % [m/s], 0.0: free rolling
  STEERING {steering_deg!r}  % [deg], left positive
"""
"""A vehicle as it is written, behind VEHICLE_HAS_MODEL and its number."""


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
    line: int = field(default=0, compare=False)  # of R3 in the file, where it was read from one


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
    line: int = field(default=0, compare=False)  # of the file, where it was read from one


@dataclass(frozen=True)
class LegacyPlatoon:
    """All of platoon.dat."""

    vehicles: tuple[LegacyVehicle, ...]


@dataclass(frozen=True)
class LegacyRoad:
    """All of road.dat: rows x, y, z [m], bank [deg] (positive tilts to the right)."""

    points: tuple[tuple[float, float, float, float], ...]
    width: float = field(default=WIDTH, compare=False)  # full width [m], which road.dat has no place for
    file: str = field(default="road.dat", compare=False)
    lines: tuple[int, ...] = field(default=(), compare=False)  # of the points, where they were read from a file
    notes: tuple[str, ...] = field(default=(), compare=False)  # for the user, with file and line

    def part(self, name: str = "road", original: bool | None = None) -> RoadSpline | RoadMedusa4:
        """The road as a part, with the virtual segment of section 1.3.3 ahead of its first point.

        Args:
            name: of the part.
            original: the interpolation of 1999, or the smooth spline; left out, that of 1999 for four points where it
                does not fold.
        """
        points = tuple(point[:3] for point in self.points)
        bank = tuple(math.radians(point[3]) for point in self.points)
        lead = math.dist(*points[:2])
        report = RoadMedusa4(name, points=points, bank=bank, width=self.width, lead=lead)
        if original or (original is None and len(points) == 4 and not report.fold()):
            return report
        return RoadSpline(name, points=points, bank=bank, width=self.width, lead=lead)


def fold_of(road: LegacyRoad) -> int:
    """Number, from 1, of the first segment on which the spline of 1999 runs back; 0 when there is none."""
    points = tuple(point[:3] for point in road.points)
    return RoadMedusa4("road", points=points, bank=(0.0,) * len(points)).fold()


@dataclass(frozen=True)
class LegacyModels:
    """All of model.dat; models are counted from 1."""

    models: tuple[LegacyModel, ...]
    notes: tuple[str, ...] = field(default=(), compare=False)  # for the user, with file and line

    def __getitem__(self, number: int) -> LegacyModel:
        """Model by its number in the file."""
        if not 1 <= number <= len(self.models):
            raise IndexError(f"model {number} of {len(self.models)}")
        return self.models[number - 1]
