"""Car: chassis, suspensions, tyres and wheels on a road, ready to drive.

``build`` adds ``<name>.body`` (pseudo-rigid or rigid), ``<name>.front`` and ``<name>.rear`` (suspensions, unless others
are named), ``<name>.tyre`` (STI/Calspan, unless another is named) and ``<name>.carriage``, which takes the inputs
steer, drive and brake. The car starts in equilibrium on its road. Masses and springs of the default are those of
model 1 in appendix C of the MEDUSA report (1999); the height of the centre of mass is that of an average car of the
2010s (0.55 m), which the report leaves out. So does it with rolling resistance: 0.0136 of the load is that of radial
tyres at low speed on a smooth road (Wong, Theory of Ground Vehicles, chapter 1), and lets an unbraked car come to rest.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault, InputError
from centrode.parts.bodies.pseudo_rigid import PseudoRigidBody
from centrode.parts.bodies.pseudo_rigid_energy import director_inertias, lame_constants
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.forces.carriage import Carriage
from centrode.parts.forces.carriage_record import ROLLING, SPINNING
from centrode.parts.outlines.car_body import OutlineCarBody
from centrode.parts.outlines.outline import Outline
from centrode.parts.outlines.superellipsoid import OutlineSuperellipsoid
from centrode.parts.part import Part, quantity
from centrode.parts.roads.contract import RoadPoint
from centrode.parts.roads.plane import RoadPlane
from centrode.parts.roads.road_surface import surface_point
from centrode.parts.structures.structure import Structure, structure_of_mass
from centrode.parts.suspensions.strut import SuspensionStrut
from centrode.parts.tyres.calspan import TyreCalspan
from centrode.parts.visual import Visual, VisualScene, vector
from centrode.vehicles.car.appearance import car_visuals


class CarBase(Part):
    """What all cars have in common: a chassis on four wheels and a place on a road. Its kinds declare the fields."""

    family: ClassVar[str] = "vehicle"
    chassis: str
    position: tuple[float, ...]
    heading: float
    station: float | None
    offset: float
    mass: float
    inertia: tuple[float, float, float]
    young: float
    poisson: float
    volume: float
    damping: float
    front: float
    rear: float
    track: Any
    drop: Any

    def faults(self) -> list[Fault]:
        found = super().faults()
        if found or self.chassis != "pseudo-rigid":
            return found
        for field, check in (
            ("poisson", lambda: lame_constants(self.young, self.poisson)),
            ("inertia", lambda: director_inertias(self.inertia)),
        ):
            try:
                check()
            except InputError as error:
                found += [dataclasses.replace(fault, path=f"{self.name}.{field}") for fault in error.faults]
        return found

    turning = property(lambda self: 0.0, doc="Yaw rate at the start [rad/s].")

    @property
    def body(self) -> str:
        """Name of the chassis as a body."""
        return f"{self.name}.body"

    def report_shell(self, size: tuple[float, float, float], lift: float) -> OutlineSuperellipsoid:
        """The outline of the MEDUSA report (1999): squareness 0.4, material "car", ``lift`` over the centre [m]."""
        half, place = (0.5 * size[0], 0.5 * size[1], 0.5 * size[2]), (0.0, 0.0, lift)
        return OutlineSuperellipsoid(f"{self.name}.shell", body=self.body, semi_axes=half, centre=place, material="car")

    @property
    def carriage(self) -> str:
        """Name of the carriage, which takes the inputs."""
        return f"{self.name}.carriage"

    @property
    def places(self) -> tuple[tuple[float, float, float], ...]:
        """Assembly points left front, right front, left rear, right rear, body frame [m]."""
        axles = zip((self.front, -self.rear), two(self.track), two(self.drop), strict=True)
        return tuple((x, side * track, -drop) for x, track, drop in axles for side in (0.5, -0.5))

    def standing(self, road: Any) -> tuple[np.ndarray, np.ndarray]:
        """Point of the road below the car [m], and the axes of a car that stands there (ahead, left, up) as columns.

        Raises:
            InputError: the place is off the road.
        """
        point: RoadPoint
        if self.station is not None:
            point = road.point(*surface_point(road, self.station, self.offset).position, self.station)
            direction, turn = point.tangent, self.heading
        else:
            point = road.point_below(*(float(x) for x in self.position))
            direction, turn = np.array([math.cos(self.heading), math.sin(self.heading), 0.0]), 0.0
        if point.status:
            field, got = "position", self.position
            if self.station is not None:
                field, got = "station", (self.station, self.offset)
            what, expected = "the car is off the road", f"a place on '{road.name}'"
            raise InputError(what, path=f"{self.name}.{field}", got=got, expected=expected)
        normal = point.normal
        ahead = direction - (direction @ normal) * normal
        ahead /= np.linalg.norm(ahead)
        ahead = math.cos(turn) * ahead + math.sin(turn) * np.cross(normal, ahead)
        return point.position, np.column_stack([ahead, np.cross(normal, ahead), normal])

    def chassis_at(self, position: np.ndarray, gradient: np.ndarray, velocity: np.ndarray) -> Any:
        """The chassis as a body, with a rotation or a deformation gradient (3, 3) for its directors."""
        matrix = tuple(vector(row) for row in gradient)
        start = {"position": vector(position), "velocity": vector(velocity), **self.values_of("mass", "inertia")}
        start["omega"] = (0.0, 0.0, self.turning)
        if self.chassis == "rigid":
            return RigidBody(self.body, orientation=matrix, **start)
        material = self.values_of("young", "poisson", "volume", "damping")
        return PseudoRigidBody(self.body, directors=matrix, **start, **material)

    def visuals(self, scene: VisualScene) -> list[Visual]:
        """Chassis, windows and wheels for the viewer."""
        return car_visuals(self)


@dataclass(frozen=True)
class Car(CarBase):
    """Car with four wheels."""

    kind: ClassVar[str] = "car"

    road: Any = quantity("", "road; a level plane when left out", None, refers_to="road")
    tyre: Any = quantity("", "tyre, or tyres of front and rear axle; STI/Calspan when left out", None, refers_to="tyre")
    position: tuple[float, ...] = quantity("m", "place over the road (x, y or x, y, z), world frame", (0.0, 0.0, 0.0))
    heading: float = quantity("rad", "direction about z; from the road's own direction when a station is given", 0.0)
    station: float | None = quantity("m", "place along the road, instead of position", None)
    offset: float = quantity("m", "place beside the reference line, left positive, with a station", 0.0)
    speed: float = quantity("m/s", "speed at the start, ahead but for the sideslip", 0.0)
    sideslip: float = quantity("rad", "direction of the velocity from the heading at the start, left positive", 0.0)
    yaw_rate: float = quantity("rad/s", "turning about the vertical at the start, left positive", 0.0)
    equilibrium: bool = quantity("", "start in static equilibrium; otherwise at ``ride_height``", True)
    ride_height: float = quantity("m", "centre of mass over the road without equilibrium", 0.55, positive=True)
    chassis: str = quantity("", "deformable or rigid", "pseudo-rigid", choices=("pseudo-rigid", "rigid"))
    mass: float = quantity("kg", "mass", 1573.0, positive=True)
    inertia: tuple[float, float, float] = quantity(
        "kg*m2", "roll, pitch and yaw", (479.6, 2594.6, 2782.0), positive=True
    )
    young: float = quantity("Pa", "Young's modulus of a deformable chassis", 600e6, positive=True)
    poisson: float = quantity("1", "its Poisson's ratio, above -1 and below 0.5", 0.3)
    volume: float = quantity("m3", "its volume of material", 0.42, positive=True)
    damping: float = quantity("s", "its retardation time (Kelvin-Voigt)", 1e-4, minimum=0.0)
    front: float = quantity("m", "centre of mass to front axle", 1.034, positive=True)
    rear: float = quantity("m", "centre of mass to rear axle", 1.491, positive=True)
    track: Any = quantity("m", "track, or tracks of front and rear axle", 1.5, positive=True)
    drop: Any = quantity("m", "centre of mass down to the assembly points, or front and rear", 0.25)
    stiffness: Any = quantity("N/m", "spring of one wheel, or front and rear", 40000.0, positive=True)
    damper: Any = quantity("N*s/m", "damper of one wheel, or front and rear", (3000.0, 3000.0), minimum=0.0)
    rest_length: float = quantity("m", "assembly point over the road with the spring relaxed", 0.4, positive=True)
    stop_stiffness: float = quantity("N/m", "bump stops", 200e3, minimum=0.0)
    stop_length: float = quantity("m", "height of the assembly point below which the stops act", 0.2, minimum=0.0)
    suspension: Any = quantity("", "suspension, or those of front and rear axle", None, refers_to="suspension")
    anti_roll: tuple[float, float] = quantity("N/m", "anti-roll bars, front and rear", (8000.0, 4000.0), minimum=0.0)
    radius: float = quantity("m", "rolling radius of the wheels", 0.3, positive=True)
    spin_inertia: float = quantity("kg*m2", "of one wheel about its axle", 1.0, positive=True)
    wheels: str = quantity("", "with spin, or rolling without mass", "spin", choices=("spin", "rolling"))
    force_point: str = quantity("", "where tyre forces act", "ground", choices=("ground", "assembly"))
    relaxation: tuple[float, float] = quantity("m", "relaxation lengths across and ahead", (0.3, 0.15), positive=True)
    ackermann: bool = quantity("", "each steered wheel stands square to the turning circle", True)
    steer_limit: float = quantity("rad", "largest steering angle", 0.6, positive=True, maximum=1.4)
    driven: str = quantity("", "driven wheels", "front", choices=("front", "rear", "all"))
    drive_torque: float = quantity("N*m", "largest drive torque, all wheels together", 3000.0, minimum=0.0)
    power: float = quantity("W", "largest power of the drive", 100e3, positive=True)
    brake_torque: float = quantity("N*m", "largest brake torque, all wheels together", 8000.0, minimum=0.0)
    brake_front: float = quantity("1", "share of the front axle in braking", 0.65, minimum=0.0, maximum=1.0)
    rolling_resistance: float = quantity("1", "rolling resistance per load", 0.0136, minimum=0.0)
    steer: Any = quantity("rad", "steering angle, left positive: number or signal", 0.0)
    drive: Any = quantity("1", "share of the drive torque, -1 to 1: number or signal", 0.0)
    brake: Any = quantity("1", "share of the brake torque, 0 to 1: number or signal", 0.0)
    length: float = quantity("m", "outer length", 4.0, positive=True)
    width: float = quantity("m", "outer width", 1.6, positive=True)
    height: float = quantity("m", "outer height", 1.3, positive=True)
    nose: float | None = quantity("m", "centre of mass to the front end; half the length when left out", None)
    clearance: float = quantity("m", "under the body, in a crash", 0.2, positive=True)
    structure: str | None = quantity("", "what gives way; by mass when left out", None, refers_to="structure")

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not found and len(self.position) not in (2, 3):
            found.append(self.fault("position", "a place has two or three coordinates"))
        return found

    def shell(self, crushes: bool = False) -> Outline:
        """Stands on the road; in a crash the body over its clearance, with its nose where it is."""
        if not crushes:
            return self.report_shell((self.length, self.width, self.height), 0.5 * self.height - self.ride_height)
        ahead = 0.0 if self.nose is None else self.nose - 0.5 * self.length
        up = 0.5 * (self.height + self.clearance) - self.ride_height
        size = {"length": self.length, "width": self.width, "height": self.height - self.clearance}
        return OutlineCarBody(f"{self.name}.shell", body=self.body, centre=(ahead, 0.0, up), material="car", **size)

    def structure_of(self, parts: Mapping[str, Part]) -> Structure:
        """The structure that is named, or that of a car of this mass and width."""
        outline = f"{self.name}.shell"
        named = None if self.structure is None else parts[self.structure]
        if isinstance(named, Structure):
            return dataclasses.replace(named, outline=outline)
        return structure_of_mass(f"{self.name}.structure", outline, self.mass, self.width)

    turning = property(lambda self: self.yaw_rate, doc="Yaw rate at the start [rad/s].")

    def start_velocity(self, axes: np.ndarray) -> np.ndarray:
        """Velocity of the centre of mass at the start [m/s]; axes ahead, left, up as columns."""
        ahead, left = self.speed * math.cos(self.sideslip), self.speed * math.sin(self.sideslip)
        velocity: np.ndarray = ahead * axes[:, 0] + left * axes[:, 1]
        return velocity

    drawn_height = property(lambda self: self.ride_height, doc="Centre of mass over the road in the drawing [m].")

    @property
    def wheelbase(self) -> float:
        """Distance of the axles [m]."""
        return self.front + self.rear

    def build(self, system: Any) -> None:
        """Add all parts to the system."""
        road = self.road
        if road is None:
            road = f"{self.name}.road"
            system.add(RoadPlane(road))
        tyre = self.tyre
        if tyre is None:
            tyre = f"{self.name}.tyre"
            system.add(TyreCalspan(tyre))
        suspension = self.suspension
        if suspension is None:
            suspension = (f"{self.name}.front", f"{self.name}.rear")
            lengths = self.values_of("rest_length", "stop_stiffness", "stop_length")
            for name, stiffness, damper in zip(suspension, two(self.stiffness), two(self.damper), strict=True):
                system.add(SuspensionStrut(name, stiffness=stiffness, damping=damper, **lengths))
        under, axes = self.standing(system.parts[road])
        body = self.chassis_at(under + self.ride_height * axes[:, 2], axes, self.start_velocity(axes))
        carriage = self._carriage(road, tyre, suspension)
        if self.equilibrium:
            body, carriage = self._at_rest(system, body, carriage, axes)
        system.add(body)
        system.add(carriage)

    def _carriage(self, road: str, tyre: Any, suspension: Any) -> Carriage:
        own = {field.name for field in dataclasses.fields(self)} - {"name", "road"}
        same = self.values_of(*(field.name for field in dataclasses.fields(Carriage) if field.name in own))
        same["speed"] = self.speed * math.cos(self.sideslip)  # what the wheels turn for
        return Carriage(self.carriage, self.body, road, tyre, suspension, self.places, **same)

    def _at_rest(self, system: Any, body: Any, carriage: Carriage, axes: np.ndarray) -> tuple[Any, Carriage]:
        from centrode.parts.signals.signal import signal_from
        from centrode.vehicles.car.equilibrium import solve_rest

        held, spinning = self.speed == 0.0, self.wheels == "spin"
        braked = held and spinning and signal_from(self.brake).at(0.0)[0] > 0.0
        found = solve_rest(system, body, carriage, axes[:, 2], axes[:, 0], held=held, braked=braked)
        slips: list[tuple[float, ...]] = []
        if held and spinning:
            slips = [(wheel.side, wheel.ahead, wheel.grip) for wheel in found.states.view(SPINNING)]
        elif held:
            slips = [(wheel.side,) for wheel in found.states.view(ROLLING)]
        body = self.chassis_at(found.position, found.gradient, self.start_velocity(axes))
        return body, dataclasses.replace(carriage, slips=tuple(tuple(float(v) for v in row) for row in slips))


def two(value: Any) -> tuple[float, float]:
    """One number for both axles, or one for each."""
    if isinstance(value, list | tuple):
        return (float(value[0]), float(value[-1]))
    return float(value), float(value)
