"""Car: chassis, suspensions, tyres and wheels on a road, ready to drive.

``build`` adds ``<name>.body`` (pseudo-rigid or rigid), ``<name>.front`` and ``<name>.rear`` (suspensions, unless others
are named), ``<name>.tyre`` (STI/Calspan, unless another is named) and ``<name>.carriage``, which takes the inputs
steer, drive and brake. The car starts in equilibrium on its road, turned and moving as its start says. Masses and
springs of the default are those of model 1 in appendix C of the MEDUSA report (1999); the height of the centre of mass
is that of an average car of the 2010s (0.55 m), which the report leaves out. So does it with rolling resistance: 0.0136
of the load is that of radial tyres at low speed on a smooth road (Wong, Theory of Ground Vehicles, chapter 1), and lets
an unbraked car come to rest. Inertia, springs and all else that is left out follow mass and size (:mod:`scaling`).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.errors import Fault, InputError
from centrode.parts.bodies.pseudo_rigid import PseudoRigidBody
from centrode.parts.bodies.pseudo_rigid_energy import director_inertias, lame_constants
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.forces.carriage import WHEEL_NAMES, Carriage
from centrode.parts.forces.carriage_record import ROLLING, SPINNING
from centrode.parts.forces.point_force import PointForce
from centrode.parts.forces.wheel_damage import WheelDamage, wheel_faults
from centrode.parts.outlines.car_body import OutlineCarBody
from centrode.parts.outlines.outline import Outline
from centrode.parts.outlines.polyhedron import OutlinePolyhedron
from centrode.parts.outlines.road import RIM_MATERIAL
from centrode.parts.outlines.superellipsoid import OutlineSuperellipsoid
from centrode.parts.part import Part, quantity
from centrode.parts.placement import nearest_rotation
from centrode.parts.roads.contract import RoadPoint
from centrode.parts.roads.plane import RoadPlane
from centrode.parts.roads.road_surface import surface_point
from centrode.parts.structures.structure import Structure, structure_of_mass
from centrode.parts.suspensions.strut import SuspensionStrut
from centrode.parts.tyres.calspan import TyreCalspan
from centrode.parts.visual import Visual, VisualScene, vector
from centrode.vehicles.car.appearance import car_visuals, plan_details
from centrode.vehicles.car.commands import (
    COMMANDS,
    Commands,
    DriverStep,
    at_start,
    command_faults,
    command_notes,
    sequence_faults,
    sequence_of,
    sequence_signal,
)
from centrode.vehicles.car.scaling import LISTED_DROP, PerAxle, Values, level_drop, pair, scaled

FULL_TURN = (-6.2832, 6.2832)
"""Headings [rad]: what is beyond a full turn was written in degrees."""

FAST = 45.0
"""Speed [m/s] from which on the start is said in km/h too: it may have been meant so."""


class CarBase(Part):
    """What all cars have in common: a chassis on four wheels and a place on a road. Its kinds declare the fields."""

    family: ClassVar[str] = "vehicle"
    body_style: ClassVar[str] = "saloon"
    """How it is drawn: saloon, hatchback, suv or van."""
    chassis: str
    position: tuple[float, ...]
    heading: float
    station: float | None
    offset: float
    mass: float
    inertia: tuple[float, float, float] | None
    young: float
    poisson: float
    volume: float | None
    damping: float
    front: float
    rear: float
    track: PerAxle
    drop: PerAxle

    def faults(self) -> list[Fault]:
        found = super().faults()
        if found or self.chassis != "pseudo-rigid":
            return found
        for field, check in (
            ("poisson", lambda: lame_constants(self.young, self.poisson)),
            ("inertia", lambda: director_inertias(self.inertia) if self.inertia else None),
        ):
            try:
                check()
            except InputError as error:
                found += [dataclasses.replace(fault, path=f"{self.name}.{field}") for fault in error.faults]
        return found

    def start_turning(self, axes: np.ndarray) -> np.ndarray:
        """Angular velocity at the start, world frame [rad/s]; axes ahead, left, up as columns."""
        return np.zeros(3)

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
        axles = zip((self.front, -self.rear), pair(self.track), pair(self.drop), strict=True)
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
        # Straight down on the road, not at right angles to it: what is above a slope with a bank keeps its heading.
        ahead = direction - np.array([0.0, 0.0, (direction @ normal) / normal[2]])
        ahead /= np.linalg.norm(ahead)
        ahead = math.cos(turn) * ahead + math.sin(turn) * np.cross(normal, ahead)
        return point.position, np.column_stack([ahead, np.cross(normal, ahead), normal])

    def chassis_at(
        self, position: np.ndarray, gradient: np.ndarray, velocity: np.ndarray, turning: np.ndarray | None = None
    ) -> Any:
        """The chassis as a body, with a rotation or a deformation gradient (3, 3) for its directors.

        Args:
            velocity, turning: of the centre of mass [m/s] and about it [rad/s], world frame.
        """
        matrix = tuple(vector(row) for row in gradient)
        start = {"position": vector(position), "velocity": vector(velocity), **self.values_of("mass", "inertia")}
        if turning is not None:
            start["omega"] = vector(nearest_rotation(gradient).T @ turning)
        if self.chassis == "rigid":
            return RigidBody(self.body, orientation=matrix, **start)
        material = self.values_of("young", "poisson", "volume", "damping")
        return PseudoRigidBody(self.body, directors=matrix, **start, **material)

    @property
    def body_middle(self) -> float:
        """Middle of the body ahead of the centre of mass [m]."""
        return 0.0

    def visuals(self, scene: VisualScene) -> list[Visual]:
        """Chassis, windows and wheels for the viewer."""
        return car_visuals(self)

    def plan_details(self) -> list[np.ndarray]:
        """Closed lines of windows and wheels from above, body frame [m]."""
        return plan_details(self)


@dataclass(frozen=True)
class Car(CarBase):
    """Car with four wheels."""

    kind: ClassVar[str] = "car"

    road: Any = quantity("", "road; a level plane when left out", None, refers_to="road")
    tyre: Any = quantity("", "tyre, or tyres of front and rear axle; STI/Calspan when left out", None, refers_to="tyre")
    position: tuple[float, ...] = quantity("m", "place over the road (x, y or x, y, z), world frame", (0.0, 0.0, 0.0))
    heading: float = quantity(
        "rad", "direction about z; from the road's own direction when a station is given", 0.0, usual=FULL_TURN
    )
    station: float | None = quantity("m", "place along the road, instead of position", None)
    offset: float = quantity("m", "place beside the reference line, left positive, with a station", 0.0)
    speed: float = quantity("m/s", "speed at the start, ahead but for the sideslip", 0.0, usual=(-100.0, 100.0))
    sideslip: float = quantity(
        "rad", "direction of the velocity from the heading at the start, left positive", 0.0, usual=(-math.pi, math.pi)
    )
    yaw_rate: float = quantity(
        "rad/s", "turning about the vertical at the start, left positive", 0.0, usual=(-12.0, 12.0)
    )
    impact_at: float | None = quantity(
        "s", "place, heading and speed are those at this time; the start is solved backwards", None, positive=True
    )
    roll: float = quantity("rad", "turned by at the start, right side down positive", 0.0, usual=FULL_TURN)
    pitch: float = quantity("rad", "turned by at the start, nose down positive", 0.0, usual=FULL_TURN)
    lift: float = quantity("m", "raised by at the start, from where it stands", 0.0, usual=(-2.0, 100.0))
    roll_rate: float = quantity("rad/s", "rolling at the start, right side down positive", 0.0, usual=(-12.0, 12.0))
    pitch_rate: float = quantity("rad/s", "pitching at the start, nose down positive", 0.0, usual=(-12.0, 12.0))
    vertical_speed: float = quantity("m/s", "rising at the start", 0.0, usual=(-50.0, 50.0))
    wheel_spin: float | tuple[float, float, float, float] | None = quantity(
        "rad/s", "of all wheels at the start, or left and right front, left and right rear; rolling when left out", None
    )
    wheel_steer: float | tuple[float, float, float, float] | None = quantity(
        "rad",
        "angle of each wheel beside the steering (bent), left positive, in the same order",
        None,
        usual=(-1.6, 1.6),
    )
    equilibrium: bool = quantity("", "start in static equilibrium; otherwise at ``ride_height``", True)
    ride_height: float | None = quantity(
        "m", "centre of mass over the road without equilibrium", None, positive=True, usual=(0.1, 60.0)
    )
    cog_height: float | None = quantity(
        "m", "centre of mass over the road as it stands; the car is level then", None, positive=True, usual=(0.1, 4.0)
    )
    chassis: str = quantity("", "deformable or rigid", "pseudo-rigid", choices=("pseudo-rigid", "rigid"))
    mass: float = quantity("kg", "mass", 1573.0, positive=True, usual=(100.0, 1e5))
    inertia: tuple[float, float, float] | None = quantity(
        "kg*m2", "roll, pitch and yaw; from mass and size when left out", None, positive=True, usual=(5.0, 1e6)
    )
    young: float = quantity("Pa", "Young's modulus of a deformable chassis", 600e6, positive=True, usual=(1e5, 1e13))
    poisson: float = quantity("1", "its Poisson's ratio, above -1 and below 0.5", 0.3)
    volume: float | None = quantity("m3", "its volume of material; by mass when left out", None, positive=True)
    damping: float = quantity("s", "its retardation time (Kelvin-Voigt)", 1e-4, minimum=0.0)
    front: float = quantity("m", "centre of mass to front axle", 1.034, positive=True, usual=(0.1, 12.0))
    rear: float = quantity("m", "centre of mass to rear axle", 1.491, positive=True, usual=(0.1, 12.0))
    track: PerAxle = quantity("m", "track, or tracks of front and rear axle", 1.5, positive=True, usual=(0.3, 4.0))
    drop: PerAxle = quantity(
        "m", "centre of mass down to the assembly points, or front and rear", None, usual=(-2.0, 3.0)
    )
    stiffness: PerAxle = quantity(
        "N/m", "spring of one wheel, or front and rear; by load when left out", None, positive=True, usual=(1e3, 1e8)
    )
    damper: PerAxle = quantity(
        "N*s/m", "damper of one wheel, or front and rear; by load when left out", None, minimum=0.0, usual=(10.0, 1e7)
    )
    rest_length: float = quantity(
        "m", "assembly point over the road with the spring relaxed", 0.4, positive=True, usual=(0.02, 3.0)
    )
    stop_stiffness: float | None = quantity("N/m", "bump stops; by mass", None, minimum=0.0, usual=(1e3, 1e9))
    stop_length: float = quantity(
        "m", "height of the assembly point below which the stops act", 0.2, minimum=0.0, usual=(0.005, 3.0)
    )
    suspension: Any = quantity("", "suspension, or those of front and rear axle", None, refers_to="suspension")
    anti_roll: tuple[float, float] | None = quantity(
        "N/m", "anti-roll bars, front and rear; by mass when left out", None, minimum=0.0, usual=(100.0, 1e8)
    )
    radius: float = quantity("m", "rolling radius of the wheels", 0.3, positive=True, usual=(0.05, 1.5))
    spin_inertia: float = quantity("kg*m2", "of one wheel about its axle", 1.0, positive=True)
    wheels: str = quantity("", "with spin, or rolling without mass", "spin", choices=("spin", "rolling"))
    force_point: str = quantity("", "where tyre forces act", "ground", choices=("ground", "assembly"))
    relaxation: tuple[float, float] = quantity(
        "m", "relaxation lengths across and ahead", (0.3, 0.15), positive=True, usual=(0.005, 5.0)
    )
    ackermann: bool = quantity("", "each steered wheel stands square to the turning circle", True)
    steer_limit: float = quantity("rad", "largest steering angle", 0.6, positive=True, maximum=1.4, usual=(0.05, 1.4))
    driven: str = quantity("", "driven wheels", "front", choices=("front", "rear", "all"))
    drive_torque: float | None = quantity(
        "N*m", "largest drive torque, all wheels together; by mass", None, minimum=0.0, usual=(10.0, 1e6)
    )
    power: float | None = quantity("W", "largest power of the drive; by mass", None, positive=True, usual=(500.0, 1e7))
    brake_torque: float | None = quantity(
        "N*m", "largest brake torque, all wheels together; by mass", None, minimum=0.0, usual=(10.0, 1e6)
    )
    brake_front: float = quantity("1", "share of the front axle in braking", 0.65, minimum=0.0, maximum=1.0)
    brake_shares: tuple[float, ...] = quantity(
        "1", "share of each wheel in the brake torque; by brake_front when left out", (), minimum=0.0
    )
    anti_lock: float = quantity("1", "slip that anti-lock brakes hold; 0: none", 0.0, minimum=0.0, maximum=0.5)
    engine_drag: float = quantity("N*m", "drag of the engine without drive, all driven wheels", 0.0, minimum=0.0)
    damage: tuple[WheelDamage, ...] = quantity("", "wheels that are jammed or torn off from a time on", ())
    rolling_resistance: float = quantity("1", "rolling resistance per load", 0.0136, minimum=0.0, usual=(1e-4, 0.3))
    steer: Any = quantity("rad", "steering angle, left positive: number or signal", 0.0)
    drive: Any = quantity("1", "share of the drive torque, -1 to 1: number or signal", 0.0)
    brake: Any = quantity("1", "share of the brake torque, 0 to 1: number or signal", 0.0)
    sequence: tuple[DriverStep, ...] = quantity(
        "", "what the driver does over time, rows {at, steer, drive, brake}", ()
    )
    length: float = quantity("m", "outer length", 4.0, positive=True, usual=(0.5, 30.0))
    width: float = quantity("m", "outer width", 1.6, positive=True, usual=(0.3, 5.0))
    height: float = quantity("m", "outer height", 1.3, positive=True, usual=(0.3, 6.0))
    nose: float | None = quantity(
        "m", "centre of mass to the front end; half the length when left out", None, usual=(0.1, 20.0)
    )
    clearance: float = quantity("m", "under the body, in a crash", 0.2, positive=True, usual=(0.01, 2.0))
    structure: str | None = quantity("", "what gives way; by mass when left out", None, refers_to="structure")
    unusual: bool = quantity("", "numbers outside their usual ranges are meant (a model car)", False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "sequence", sequence_of(self.sequence))

    def takes_unusual(self) -> bool:
        return self.unusual

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not found and len(self.position) not in (2, 3):
            found.append(self.fault("position", "a place has two or three coordinates"))
        if not found and self.cog_height is not None and self.drop is not None:
            hint = "cog_height sets how deep the wheels are joined: leave drop out"
            found.append(self.fault("drop", "given beside cog_height", hint=hint))
        for field in ("wheel_spin", "wheel_steer"):
            value = self.values_of(field)[field]
            if not found and isinstance(value, list | tuple) and len(value) != 4:
                found.append(self.fault(field, "one number, or one for each of four wheels"))
        found = found or sequence_faults(self.name, self.sequence)
        if not found and not self.unusual:
            found += command_faults(self.name, self.commands(), self.command_limits())
        return found + wheel_faults(self, WHEEL_NAMES)

    def level_axes(self) -> np.ndarray:
        """Axes of a car on level ground (ahead, left, up) as columns."""
        return about(2, self.heading)

    def command_limits(self) -> dict[str, tuple[float, float]]:
        """Range of each command of the driver."""
        return {"steer": (-self.steer_limit, self.steer_limit), "drive": (-1.0, 1.0), "brake": (0.0, 1.0)}

    def commands(self) -> Commands:
        """Steering, drive and brake over time; rows of the sequence stand for what they mention."""
        given = self.values_of(*COMMANDS)
        mentioned = [name for name in COMMANDS if any(row.command(name) is not None for row in self.sequence)]
        return given | {name: sequence_signal(self.sequence, name, at_start(given[name])) for name in mentioned}

    def usual_values(self) -> Values:
        """What is left out, from mass and size: that of the report's car, scaled."""
        return scaled(self)

    def settled(self) -> Car:
        """The same car with a number for all that was left out."""
        usual = self.usual_values()
        given = self.values_of(*usual)
        missing: dict[str, object] = {name: value for name, value in usual.items() if given[name] is None}
        missing.pop("cog_height", None)
        centre = self.cog_height if self.cog_height is not None else usual.get("cog_height")
        if self.drop is None and centre is None:
            missing["drop"] = LISTED_DROP
        elif self.drop is None and isinstance(centre, float | int):
            stiffness = usual["stiffness"] if self.stiffness is None else self.stiffness
            missing["drop"] = level_drop(self, float(centre), stiffness)  # type: ignore[arg-type]
        if self.drop is None:
            missing["cog_height"] = None  # the drop says it now
        return dataclasses.replace(self, **missing) if missing else self  # type: ignore[arg-type]

    def shell(self, crushes: bool = False) -> Outline:
        """Stands on the road; in a crash the body over its clearance, with its nose where it is."""
        if not crushes:
            return self.report_shell((self.length, self.width, self.height), 0.5 * self.height - self.drawn_height)
        return self.body_outline(f"{self.name}.shell")

    def road_outline(self) -> Outline:
        return self.body_outline(f"{self.name}.hull").coarse_hull()

    def rim_outlines(self) -> tuple[Outline, ...]:
        hubs = [(x, y, self.radius - self.drawn_height) for x, y, _ in self.settled().places]
        names = [f"{self.name}.{wheel}.rim" for wheel in WHEEL_NAMES]
        return tuple(rim_outline(name, self.body, hub, self) for name, hub in zip(names, hubs, strict=True))

    def body_outline(self, name: str) -> OutlineCarBody:
        """The body over its clearance as an outline."""
        ahead = self.body_middle
        up = 0.5 * (self.height + self.clearance) - self.drawn_height
        size = {"length": self.length, "width": self.width, "height": self.height - self.clearance}
        return OutlineCarBody(name, body=self.body, centre=(ahead, 0.0, up), material="car", **size)

    def structure_of(self, parts: Mapping[str, Part]) -> Structure:
        """The structure that is named, or that of a car of this mass and width."""
        outline = f"{self.name}.shell"
        named = None if self.structure is None else parts[self.structure]
        if isinstance(named, Structure):
            return dataclasses.replace(named, outline=outline)
        return structure_of_mass(f"{self.name}.structure", outline, self.mass, self.width)

    def start_velocity(self, axes: np.ndarray) -> np.ndarray:
        """Velocity of the centre of mass at the start [m/s]; axes ahead, left, up as columns."""
        ahead, left = self.speed * math.cos(self.sideslip), self.speed * math.sin(self.sideslip)
        velocity: np.ndarray = axes @ np.array([ahead, left, self.vertical_speed])
        return velocity

    def start_turning(self, axes: np.ndarray) -> np.ndarray:
        turning: np.ndarray = axes @ np.array([self.roll_rate, self.pitch_rate, self.yaw_rate])
        return turning

    def start_spins(self) -> tuple[float, ...]:
        """Spin of each wheel at the start [rad/s]: as given, or rolling without slip where it stands."""
        if self.wheel_spin is not None:
            given = self.wheel_spin if isinstance(self.wheel_spin, list | tuple) else (self.wheel_spin,) * 4
            return tuple(float(value) for value in given)
        ahead, left = self.speed * math.cos(self.sideslip), self.speed * math.sin(self.sideslip)
        steer, bent = at_start(self.commands()["steer"]), self.bent_wheels()
        spins = []
        for index, (x, y, _) in enumerate(self.places):
            angle = bent[index] + (steer if index < 2 else 0.0)
            moves = ahead - self.yaw_rate * y, left + self.yaw_rate * x
            spins.append((moves[0] * math.cos(angle) + moves[1] * math.sin(angle)) / self.radius)
        return tuple(spins)

    def bent_wheels(self) -> tuple[float, ...]:
        """Angle of each wheel beside the steering [rad]."""
        given = 0.0 if self.wheel_steer is None else self.wheel_steer
        return tuple(float(v) for v in given) if isinstance(given, list | tuple) else (float(given),) * 4

    @property
    def drawn_height(self) -> float:
        """Centre of mass over the road in the drawing and for the outline [m]."""
        return float(self.settled().ride_height or 0.0)

    @property
    def body_middle(self) -> float:
        return 0.0 if self.nose is None else self.nose - 0.5 * self.length

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return car_visuals(self.settled())

    def plan_details(self) -> list[np.ndarray]:
        return plan_details(self.settled())

    @property
    def hitch(self) -> tuple[float, float, float]:
        """Where a trailer is coupled, body frame [m]: a ball 0.1 m behind the car, 0.42 m over the road (ISO 1103)."""
        behind = 0.5 * self.length if self.nose is None else self.length - self.nose
        return -behind - 0.1, 0.0, 0.42 - self.drawn_height

    @property
    def wheelbase(self) -> float:
        """Distance of the axles [m]."""
        return self.front + self.rear

    def build(self, system: Any) -> None:
        """Add all parts to the system."""
        car = self
        if self.impact_at is not None:
            from centrode.vehicles.car.before_impact import start_before_impact

            car = start_before_impact(self, system)
            found = {"x": car.position[0], "y": car.position[1], "heading": car.heading, "speed": car.speed}
            system.solved_starts[self.name] = {**found, "impact_at": self.impact_at, "speed_at_impact": self.speed}
        car.settled().build_settled(system)
        system.notes += command_notes(self.name, self.commands(), self.command_limits())
        if abs(car.speed) >= FAST:
            system.notes.append(f"{self.name} starts at {car.speed:g} m/s, which is {3.6 * car.speed:.0f} km/h")

    def build_settled(self, system: Any) -> None:
        """Add all parts of a car for which every number is known."""
        road = self.road
        if road is None:
            road = f"{self.name}.road"
            system.add(RoadPlane(road))
        tyre = self.tyre
        if tyre is None:
            tyre = f"{self.name}.tyre"
            system.add(self.own_tyre(tyre))
        suspension = self.suspension
        if suspension is None:
            suspension = self._add_struts(system)
        under, axes = self.standing(system.parts[road])
        standing = self.chassis_at(under + self.ride_height * axes[:, 2], axes, np.zeros(3))
        carriage = self._carriage(road, tyre, suspension)
        if self.equilibrium:
            standing, carriage = self._at_rest(system, standing, carriage, axes)
        system.add(self._started(standing, axes))
        system.add(carriage)

    def own_tyre(self, name: str) -> Part:
        """The tyre of a car that names none."""
        return TyreCalspan(name)

    def _add_struts(self, system: Any) -> tuple[str, ...]:
        """Suspensions of the axles; one for each wheel when wheels are bent."""
        lengths = self.values_of("rest_length", "stop_stiffness", "stop_length")
        axles = list(zip(("front", "rear"), pair(self.stiffness), pair(self.damper), strict=True))
        if self.wheel_steer is None:
            for end, stiffness, damper in axles:
                system.add(SuspensionStrut(f"{self.name}.{end}", stiffness=stiffness, damping=damper, **lengths))
            return f"{self.name}.front", f"{self.name}.rear"
        names = []
        for index, angle in enumerate(self.bent_wheels()):
            end, stiffness, damper = axles[index // 2]
            toe = -angle if index % 2 == 0 else angle  # toe turns both wheels inwards
            names.append(f"{self.name}.{'right' if index % 2 else 'left'}-{end}")
            system.add(SuspensionStrut(names[-1], stiffness=stiffness, damping=damper, toe=toe, **lengths))
        return tuple(names)

    def _started(self, standing: Any, axes: np.ndarray) -> Any:
        """The chassis as it starts: turned and raised from where it stands, and moving."""
        turn = about(1, self.pitch) @ about(0, self.roll)
        gradient = np.asarray(standing.orientation if self.chassis == "rigid" else standing.directors, dtype=float)
        place = np.asarray(standing.position, dtype=float) + self.lift * axes[:, 2]
        turned = axes @ turn @ axes.T @ gradient
        return self.chassis_at(place, turned, self.start_velocity(axes), self.start_turning(axes))

    def _carriage(self, road: str, tyre: Any, suspension: Any) -> Carriage:
        own = {field.name for field in dataclasses.fields(self)} - {"name", "road"}
        same = self.values_of(*(field.name for field in dataclasses.fields(Carriage) if field.name in own))
        same["speed"] = self.speed * math.cos(self.sideslip)
        same["spins"] = self.start_spins()
        return Carriage(self.carriage, self.body, road, tyre, suspension, self.places, **same | self.commands())

    def load_hitch(self, system: Any, place: tuple[float, float, float], load: float) -> None:
        """Put the car that was built into equilibrium again under a load [N] at a place of its body."""
        if not self.equilibrium:
            return
        body, carriage = system.parts[self.body], system.parts[self.carriage]
        if self.chassis != "rigid":
            raise self.refusal("chassis", "a car that tows needs a rigid chassis", expected="chassis: rigid")
        pulled = PointForce("load", "body", load, (0.0, 0.0, -1.0), point_body=place)
        moving = dataclasses.replace(self.settled(), impact_at=None)
        axes = moving.standing(system.parts[carriage.road])[1]
        if self.impact_at is not None:
            axes = np.array(body.orientation, dtype=float)
        standing, carriage = moving._at_rest(system, body, carriage, axes, (pulled,))
        system.replace(dataclasses.replace(body, position=standing.position, orientation=standing.orientation))
        system.replace(carriage)

    def _at_rest(
        self, system: Any, body: Any, carriage: Carriage, axes: np.ndarray, loads: tuple[Part, ...] = ()
    ) -> tuple[Any, Carriage]:
        from centrode.vehicles.car.equilibrium import solve_rest

        held, spinning = self.speed == 0.0, self.wheels == "spin"
        braked = held and at_start(self.commands()["brake"]) > 0.0
        found = solve_rest(system, body, carriage, axes, held=held, braked=braked, loads=loads)
        slips: list[tuple[float, ...]] = []
        if held and spinning:
            slips = [(wheel.side, wheel.ahead, wheel.grip) for wheel in found.states.view(SPINNING)]
        elif held:
            slips = [(wheel.side, wheel.ahead) for wheel in found.states.view(ROLLING)]
        body = self.chassis_at(found.position, found.gradient, np.zeros(3))
        return body, dataclasses.replace(carriage, slips=tuple(tuple(float(v) for v in row) for row in slips))


def about(axis: int, angle: float) -> np.ndarray:
    """Rotation by an angle [rad] about a coordinate axis."""
    c, s = math.cos(angle), math.sin(angle)
    first, second = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[first, first] = matrix[second, second] = c
    matrix[second, first], matrix[first, second] = s, -s
    return matrix


RIM, RIM_HALF_WIDTH = 0.68, 0.1
"""Radius of a rim over that of its tyre (a 205/60 R16 has 0.62, a 225/45 R17 0.68), and half its width [m]."""


def rim_outline(name: str, body: str, hub: tuple[float, float, float], car: Car) -> Outline:
    """A rim as a polygon with width, at a hub of the chassis where the car stands."""
    angles = np.linspace(0.0, 2.0 * math.pi, 16, endpoint=False)
    r = RIM * car.radius
    ring = [(r * math.cos(a), side * RIM_HALF_WIDTH, r * math.sin(a)) for side in (-1.0, 1.0) for a in angles]
    return OutlinePolyhedron(name, body=body, centre=hub, material=RIM_MATERIAL, points=tuple(ring))
