"""Bicycle: a vehicle of the engine, made of rigid bodies, hinges and rolling discs like any mechanism.

    ground --disc-- rear-wheel --hinge-- frame --steer-- fork --hinge-- front-wheel --disc-- ground

Four bodies (24 velocities), three hinges (15 rows), two contacts (2 holonomic, 4 nonholonomic rows): mobility 3. All
parts carry the vehicle's name: ``bike.frame``, ``bike.steer`` (angle positive to the right), ``bike.rear-contact``
(lean positive to the right). Options add parts: a prescribed steer angle, torques, pushes, an upper body that leans, a
watch that notes a fall, a rider who follows a path (:mod:`centrode.vehicles.bicycle.rider`).

The ground is a plane through the world origin; ``slope`` raises it forwards (about y), ``bank`` to the left (about x).
With a ``road`` the wheels roll on that (:mod:`centrode.parts.joints.rolling_wheel`): the start is given by station and
offset (or position), the heading counts from the direction of the road, the lean from its normal.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault, InputError, nearest_name
from centrode.math.rotation import matrix_from_axis_angle
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.forces.actuator import Actuator
from centrode.parts.forces.point_force import PointForce
from centrode.parts.forces.torque import Torque
from centrode.parts.joints.motion import Motion as PrescribedMotion
from centrode.parts.joints.revolute import Revolute
from centrode.parts.joints.rolling_disc import RollingDisc
from centrode.parts.joints.rolling_wheel import RollingWheel
from centrode.parts.outlines.outline import Outline
from centrode.parts.part import Part, check_value, quantity
from centrode.parts.signals.signal import SignalSmoothStep
from centrode.parts.visual import Visual, VisualScene, vector
from centrode.system.builder import System
from centrode.units import GRADE
from centrode.vehicles.bicycle.appearance import bicycle_visuals
from centrode.vehicles.bicycle.fall import FallWatch
from centrode.vehicles.bicycle.kinematics import Motion, Posture, motion, posture
from centrode.vehicles.bicycle.library import machine
from centrode.vehicles.bicycle.outlines import bicycle_outlines
from centrode.vehicles.bicycle.parameters import BODIES, BicycleParameters
from centrode.vehicles.bicycle.push import BicyclePush
from centrode.vehicles.bicycle.stance import Stance, stance_on_plane, stance_on_road
from centrode.vehicles.bicycle.upper_body import BicycleUpperBody, Split
from centrode.vehicles.bicycle.wheel_grip import WheelGrip


@dataclass(frozen=True)
class Bicycle(Part):
    """A single-track machine that rolls on a plane or a road."""

    family: ClassVar[str] = "vehicle"
    kind: ClassVar[str] = "bicycle"

    machine: str = quantity("", "which one of the library: benchmark, crescendo, ...", "benchmark")
    parameters: Any = quantity("", "values that differ from the library's, by name", None)
    axes: str = quantity("", "axes of the values in 'parameters'", "z-up", choices=("z-up", "z-down"))
    speed: float = quantity("m/s", "of the rear wheel at the start, radius times spin", 0.0)
    lean: float = quantity("rad", "at the start, to the right", 0.0, usual=(-1.6, 1.6))
    steer: float = quantity("rad", "at the start, to the right; pi is turned round", 0.0, usual=(-3.3, 3.3))
    lean_rate: float = quantity("rad/s", "at the start", 0.0)
    steer_rate: float = quantity("rad/s", "at the start", 0.0)
    road: Any = quantity("", "road; the plane of slope and bank when left out", None, refers_to="road")
    station: float | None = quantity("m", "of the rear contact along the road at the start, not position", None)
    offset: float = quantity("m", "of the rear contact from the line of the road, left positive, with a station", 0.0)
    heading: float = quantity(
        "rad",
        "at the start, to the left, from x in the plane or from the road's direction",
        0.0,
        usual=(-6.2832, 6.2832),
    )
    position: tuple[float, ...] = quantity(
        "m", "of the rear contact at the start: x, y in the plane, or x, y (z) near the road", (0.0, 0.0)
    )
    height: float = quantity("m", "lifts the whole machine off the ground or into it at the start", 0.0)
    slope: float = quantity(GRADE, "of the ground, rising forwards: an angle, or a grade in %", 0.0, usual=(-1.5, 1.5))
    bank: float = quantity(
        GRADE, "of the ground, rising to the left: an angle, or a grade in %", 0.0, usual=(-1.5, 1.5)
    )
    steer_torque: Any = quantity("N*m", "torque of the rider on the handlebar: a number or a signal", None)
    steer_angle: Any = quantity(
        "rad",
        "prescribed steer angle, to the right, counted from the start: a number, reached smoothly, or a signal",
        None,
    )
    steer_time: float = quantity("s", "time in which a steer angle given as a number is reached", 0.5, positive=True)
    lean_torque: Any = quantity("N*m", "torque on the frame about its own forward axis: a number or a signal", None)
    push: BicyclePush | None = quantity("", "sideways push on the frame", None)
    upper_body: BicycleUpperBody | None = quantity("", "rider's upper body that leans on a hinge along x", None)
    drives: bool = quantity("", "add drives for controllers: steer-drive, and lean-drive with an upper body", False)
    fall_angle: float = quantity("rad", "lean that counts as a fall", math.radians(60.0), positive=True)
    on_fall: str = quantity(
        "",
        "what a fall does to the run; auto: it stops, or goes on where contact laws act over a road",
        "auto",
        choices=("auto", "stop", "continue"),
    )
    grip: float = quantity(
        "1", "friction of its tyres where contact laws act; wheels that need more let go", 0.8, positive=True,
        usual=(0.01, 3.0),
    )  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        for field, record in (("push", BicyclePush), ("upper_body", BicycleUpperBody)):
            given = getattr(self, field)
            # In Python a dictionary may be given; one that does not fit is kept for the faults.
            if isinstance(given, dict) and not _record_faults("", given, record):
                object.__setattr__(self, field, record(**given))

    # -- numbers -------------------------------------------------------------------------------------------------------

    def values(self) -> BicycleParameters:
        """All parameters of the machine.

        Raises:
            InputError: unknown machine or parameter.
        """
        base = machine(self.machine)
        return base.edited(self.parameters, self.axes) if self.parameters else base

    def posture(self) -> Posture:
        """Configuration at the start, in axes of the ground plane."""
        x, y = self.position
        return posture(self.values(), self.lean, self.steer, self.heading, x, y)

    def motion(self) -> Motion:
        """Velocities at the start, in axes of the ground plane."""
        return motion(self.values(), self.posture(), self.speed, self.lean_rate, self.steer_rate)

    def ground(self) -> np.ndarray:
        """World from ground plane, shape (3, 3); its third column is the normal."""
        return matrix_from_axis_angle((0, 1, 0), -self.slope) @ matrix_from_axis_angle((1, 0, 0), self.bank)

    def faults(self) -> list[Fault]:
        found = super().faults()
        try:
            found += self.values().faults(f"{self.name}.parameters")
            found += [] if found else self.values().engine_faults(f"{self.name}.parameters")
        except InputError as error:
            found += error.faults
        except TypeError:
            found.append(self.fault("parameters", "not a list of parameters"))
        if len(self.position) != 2 and not (self.road is not None and len(self.position) == 3):
            found.append(self.fault("position", "two numbers are needed", expected="(x, y)"))
        found += self._road_faults()
        for field, record in (("push", BicyclePush), ("upper_body", BicycleUpperBody)):
            found += _record_faults(f"{self.name}.{field}", getattr(self, field), record)
        if self.steer_angle is not None and (self.steer_torque is not None or self.drives):
            hint = "give either steer_angle, or steer_torque or drives"
            found.append(self.fault("steer_angle", "a steer angle that is prescribed takes no torque", hint=hint))
        if found:
            return found
        p = self.values()
        if self.height < -0.01 * min(p.rear_radius, p.front_radius):
            above = "0, or a little above: the assembly lowers it onto its wheels"
            found.append(self.fault("height", "the bicycle starts in the ground", expected=above))
        if abs(self.lean) >= self.fall_angle:
            less = f"less than the fall angle {self.fall_angle:.4g} rad"
            found.append(self.fault("lean", "the bicycle has fallen before it starts", expected=less))
        try:
            self.posture()
        except InputError as error:
            found += error.faults
        if not found and self.upper_body is not None:
            found += self.upper_body.faults(f"{self.name}.upper_body", p)
        return found

    def _road_faults(self) -> list[Fault]:
        """Fields that belong to the plane or to a road only."""
        fields = ("slope", "bank") if self.road is not None else ("station", "offset")
        where = "on a road, which has its own" if self.road is not None else "without a road"
        return [self.fault(field, f"no {field} {where}") for field in fields if getattr(self, field) not in (None, 0.0)]

    # -- parts ---------------------------------------------------------------------------------------------------------

    def build(self, system: System) -> None:
        """Add all parts to the system; called by :meth:`System.add`."""
        p, name = self.values(), self.name
        stance = stance_on_plane(self) if self.road is None else stance_on_road(self, system.parts[self.road])
        masses, inertias = p.masses(), p.inertias()
        split = Split.of(p, self.upper_body) if self.upper_body is not None else None
        if split is not None:
            masses["frame"], inertias["frame"] = split.rest_mass, split.rest_inertia
        for body in BODIES:
            # Frames are upright at zero of all angles, with the origin in the centre of mass of the whole body.
            centre = split.rest_offset if split is not None and body == "frame" else np.zeros(3)
            start, inertia = stance.start_of(body), tuple(map(tuple, inertias[body].tolist()))
            offset = tuple(centre.tolist())
            system.add(RigidBody(f"{name}.{body}", float(masses[body]), inertia, centre_of_mass=offset, **start))
        for label, a, b, place, axis in (
            ("rear-hub", "frame", "rear-wheel", p.rear_hub, np.array([0.0, 1.0, 0.0])),
            ("steer", "frame", "fork", p.steer_point, p.steer_axis),
            ("front-hub", "fork", "front-wheel", p.front_hub, np.array([0.0, 1.0, 0.0])),
        ):
            ends: dict[str, Any] = dict.fromkeys(("axis_a", "axis_b"), vector(axis))
            ends |= {f"point_{end}": vector(place - p.centres()[body]) for end, body in (("a", a), ("b", b))}
            system.add(Revolute(f"{name}.{label}", f"{name}.{a}", f"{name}.{b}", **ends))
        for n, (end, radius, tyre) in enumerate(p.wheels):
            ends = {"a": system.ground, "b": f"{name}.{end}-wheel", "radius": radius, "tyre_radius": tyre}
            if stance.stations is not None:
                system.add(RollingWheel(f"{name}.{end}-contact", road=self.road, station=stance.stations[n], **ends))
            else:
                system.add(RollingDisc(f"{name}.{end}-contact", normal=tuple(stance.normal.tolist()), **ends))
            system.add(WheelGrip(f"{name}.{end}-grip", joint=f"{name}.{end}-contact", grip=self.grip))
        self._add_rider(system, p, split, stance)

    def further_outlines(self) -> list[Outline]:
        """Wheels, frame, fork and rider."""
        return bicycle_outlines(self.name, self.values(), self.upper_body)

    def lies_on_roads(self) -> bool:
        """Its wheels roll by joints; what of it has fallen lies on the road by its outlines."""
        return True

    def visuals(self, scene: VisualScene) -> list[Visual]:
        """Wheels, tubes and rider for the viewer."""
        return bicycle_visuals(self, scene)

    def _add_rider(self, system: System, p: BicycleParameters, split: Split | None, stance: Stance) -> None:
        name = self.name
        steer: dict[str, Any] = {"point_a": vector(p.steer_point - p.frame_centre), "axis_a": vector(p.steer_axis)}
        frame, fork = f"{name}.frame", f"{name}.fork"
        if self.steer_torque is not None:
            system.add(Actuator(f"{name}.steer-torque", frame, fork, command=self.steer_torque, **steer))
        if self.drives:
            system.add(Actuator(f"{name}.steer-drive", frame, fork, **steer))
        if self.steer_angle is not None:
            angle = self.steer_angle
            if isinstance(angle, int | float):  # without a jump in angle, rate or acceleration
                angle = SignalSmoothStep(0.0, self.steer_time, 0.0, float(angle))
            steer |= {"point_b": vector(p.steer_point - p.fork_centre), "axis_b": steer["axis_a"]}
            system.add(PrescribedMotion(f"{name}.steer-angle", frame, fork, angle, **steer))
        if self.lean_torque is not None:
            ahead = (1.0, 0.0, 0.0)
            system.add(Torque(f"{name}.lean-torque", frame, self.lean_torque, ahead, fixed_to="body"))
        if self.push is not None:
            x = p.frame_x if self.push.x is None else self.push.x
            place = (x - p.frame_x, 0.0, (p.frame_z if self.push.height is None else self.push.height) - p.frame_z)
            left, force = (0.0, 1.0, 0.0), self.push.signal()
            system.add(PointForce(f"{name}.push", frame, force, left, point_body=place))
        if split is not None:
            split.add(system, self, stance)
        normal, watched = tuple(stance.normal.tolist()), self.values_of("road", "on_fall")
        system.add(FallWatch(f"{name}.fall", f"{name}.rear-wheel", angle=self.fall_angle, normal=normal, **watched))


def _record_faults(path: str, value: Any, record: type) -> list[Fault]:
    """Faults of a field that is a record, or a dictionary of its fields."""
    if value is None:
        return []
    known = {item.name: item for item in dataclasses.fields(record)}
    if isinstance(value, record):
        value = {name: getattr(value, name) for name in known}
    if not isinstance(value, dict):
        return [Fault("not a mapping", path, got=value, expected="names with numbers: " + ", ".join(known))]
    found = []
    for key, number in value.items():
        if key not in known:
            found.append(Fault("unknown name", f"{path}.{key}", got=key, nearest=nearest_name(str(key), list(known))))
        elif isinstance(number, str | dict):
            found.append(Fault("not a number", f"{path}.{key}", got=number))
        else:
            found += check_value(f"{path}.{key}", number, known[key].metadata)
    missing = [name for name, item in known.items() if item.default is dataclasses.MISSING and name not in value]
    if missing:
        found.append(Fault(f"{path.rpartition('.')[2]} lacks values", path, expected=", ".join(missing)))
    return found


def bicycle_system(name: str = "bike", **values: Any) -> System:
    """A system with one bicycle; ``values`` are fields of :class:`Bicycle`."""
    system = System(f"Bicycle ({values.get('machine', 'benchmark')})")
    system.add(Bicycle(name, **values))
    return system
