"""Bicycle: a vehicle of the engine, made of rigid bodies, hinges and rolling discs like any mechanism.

    ground --disc-- rear-wheel --hinge-- frame --steer-- fork --hinge-- front-wheel --disc-- ground

Four bodies (24 velocities), three hinges (15 rows), two contacts (2 holonomic, 4 nonholonomic rows): mobility 3. All
parts carry the vehicle's name: ``bike.frame``, ``bike.steer`` (angle positive to the right), ``bike.rear-contact``
(lean positive to the right). Options add parts: a prescribed steer angle, torques, pushes, an upper body that leans, a
watch that notes a fall, a rider who follows a path (:mod:`centrode.vehicles.bicycle.rider`).

The ground is a plane through the world origin; ``slope`` raises it forwards (about y), ``bank`` to the left (about x).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault, InputError
from centrode.math.rotation import matrix_from_axis_angle, quaternion_from_matrix
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.forces.actuator import Actuator
from centrode.parts.forces.point_force import PointForce
from centrode.parts.forces.torque import Torque
from centrode.parts.joints.motion import Motion as PrescribedMotion
from centrode.parts.joints.revolute import Revolute
from centrode.parts.joints.rolling_disc import RollingDisc
from centrode.parts.part import Part, quantity
from centrode.system.builder import System
from centrode.vehicles.bicycle.kinematics import Motion, Posture, motion, posture
from centrode.vehicles.bicycle.library import MACHINES, machine
from centrode.vehicles.bicycle.parameters import BODIES, BicycleParameters

PUSH_KEYS = ("at", "force", "duration", "height", "x")
UPPER_KEYS = ("mass", "x", "z", "ixx", "iyy", "izz", "ixz", "hinge_z", "stiffness", "damping")


@dataclass(frozen=True)
class Bicycle(Part):
    """A single-track machine that rolls on a plane."""

    family: ClassVar[str] = "vehicle"
    kind: ClassVar[str] = "bicycle"

    machine: str = quantity("", "which one of the library: benchmark, crescendo, ...", "benchmark")
    parameters: Any = quantity("", "values that differ from the library's, by name", None)
    axes: str = quantity("", "axes of the values in 'parameters'", "z-up", choices=("z-up", "z-down"))
    speed: float = quantity("m/s", "of the rear wheel at the start, radius times spin", 0.0)
    lean: float = quantity("rad", "at the start, to the right", 0.0)
    steer: float = quantity("rad", "at the start, to the right", 0.0)
    lean_rate: float = quantity("rad/s", "at the start", 0.0)
    steer_rate: float = quantity("rad/s", "at the start", 0.0)
    heading: float = quantity("rad", "at the start, to the left, in the plane of the ground", 0.0)
    position: tuple[float, ...] = quantity("m", "of the rear contact at the start, in the plane", (0.0, 0.0))
    height: float = quantity("m", "lifts the whole machine off the ground or into it at the start", 0.0)
    slope: float = quantity("rad", "of the ground, rising forwards", 0.0)
    bank: float = quantity("rad", "of the ground, rising to the left", 0.0)
    steer_torque: Any = quantity("N*m", "torque of the rider on the handlebar: a number or a signal", None)
    steer_angle: Any = quantity("rad", "prescribed steer angle, to the right, counted from the start: a signal", None)
    lean_torque: Any = quantity("N*m", "torque on the frame about its own forward axis: a number or a signal", None)
    push: Any = quantity("", "sideways push on the frame: {at, force, duration, height, x}; positive to the left", None)
    upper_body: Any = quantity(
        "",
        "rider's upper body that leans on a hinge along x: {mass, x, z, ixx, ..., hinge_z, stiffness, damping}",
        None,
    )
    drives: bool = quantity("", "add drives for controllers: steer-drive, and lean-drive with an upper body", False)
    fall_angle: float = quantity("rad", "lean that counts as a fall", math.radians(60.0), positive=True)

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
        if self.machine not in MACHINES:
            try:
                machine(self.machine)
            except InputError as error:
                return found + error.faults
        try:
            found += self.values().faults(f"{self.name}.parameters")
        except InputError as error:
            found += error.faults
        except TypeError:
            found.append(Fault("not a list of parameters", f"{self.name}.parameters", got=self.parameters))
        if len(self.position) != 2:
            found.append(Fault("two numbers are needed", f"{self.name}.position", got=self.position, expected="(x, y)"))
        for field, known in (("push", PUSH_KEYS), ("upper_body", UPPER_KEYS)):
            found += _dictionary_faults(f"{self.name}.{field}", getattr(self, field), known)
        if self.steer_angle is not None and (self.steer_torque is not None or self.drives):
            found.append(
                Fault(
                    "a steer angle that is prescribed takes no torque",
                    f"{self.name}.steer_angle",
                    hint="give either steer_angle, or steer_torque or drives",
                )
            )
        if found:
            return found
        p = self.values()
        if self.height < -0.01 * min(p.rear_radius, p.front_radius):
            found.append(
                Fault(
                    "the bicycle starts in the ground",
                    f"{self.name}.height",
                    got=self.height,
                    expected="0, or a little above: the assembly lowers it onto its wheels",
                )
            )
        if abs(self.lean) >= self.fall_angle:
            found.append(
                Fault(
                    "the bicycle has fallen before it starts",
                    f"{self.name}.lean",
                    got=self.lean,
                    expected=f"less than the fall angle {self.fall_angle:.4g} rad",
                )
            )
        try:
            self.posture()
        except InputError as error:
            found += error.faults
        if not found and self.upper_body is not None:
            found += self._upper_faults()
        return found

    # -- parts ---------------------------------------------------------------------------------------------------------

    def build(self, system: System) -> None:
        """Add all parts to the system; called by :meth:`System.add`."""
        p, where, how, plane = self.values(), self.posture(), self.motion(), self.ground()
        name = self.name
        normal = plane[:, 2]
        masses, inertias = p.masses(), p.inertias()
        split = self._split(p) if self.upper_body is not None else None
        if split is not None:
            masses["frame"], inertias["frame"] = split.rest_mass, split.rest_inertia
        for body in BODIES:
            rotation = plane @ where.rotations[body]
            # Frames are upright at zero of all angles, with the origin in the centre of mass of the whole body.
            centre = split.rest_offset if split is not None and body == "frame" else np.zeros(3)
            system.add(
                RigidBody(
                    f"{name}.{body}",
                    float(masses[body]),
                    tuple(map(tuple, inertias[body].tolist())),
                    position=tuple((plane @ where.positions[body] + self.height * normal).tolist()),
                    orientation=tuple(quaternion_from_matrix(rotation).tolist()),
                    velocity=tuple((plane @ how.velocities[body]).tolist()),
                    omega=tuple((where.rotations[body].T @ how.omegas[body]).tolist()),
                    centre_of_mass=tuple(centre.tolist()),
                )
            )
        centres = p.centres()
        axis = tuple(p.steer_axis.tolist())

        def local(body: str, place: np.ndarray) -> tuple[float, ...]:
            return tuple((place - centres[body]).tolist())

        def hinge(label: str, a: str, b: str, place: np.ndarray, direction: tuple[float, ...]) -> None:
            system.add(
                Revolute(
                    f"{name}.{label}",
                    f"{name}.{a}",
                    f"{name}.{b}",
                    point_a=local(a, place),
                    point_b=local(b, place),
                    axis_a=direction,
                    axis_b=direction,
                )
            )

        hinge("rear-hub", "frame", "rear-wheel", p.rear_hub, (0.0, 1.0, 0.0))
        hinge("steer", "frame", "fork", p.steer_point, axis)
        hinge("front-hub", "fork", "front-wheel", p.front_hub, (0.0, 1.0, 0.0))
        for end, radius, tyre in (("rear", p.rear_radius, p.rear_tyre), ("front", p.front_radius, p.front_tyre)):
            system.add(
                RollingDisc(
                    f"{name}.{end}-contact",
                    system.ground,
                    f"{name}.{end}-wheel",
                    radius=radius,
                    tyre_radius=tyre,
                    normal=tuple(normal.tolist()),
                )
            )
        self._add_rider(system, p, split)

    def _add_rider(self, system: System, p: BicycleParameters, split: Split | None) -> None:
        name = self.name
        steer: dict[str, Any] = {
            "point_a": tuple((p.steer_point - p.frame_centre).tolist()),
            "axis_a": tuple(p.steer_axis.tolist()),
        }
        if self.steer_torque is not None:
            system.add(
                Actuator(f"{name}.steer-torque", f"{name}.frame", f"{name}.fork", command=self.steer_torque, **steer)
            )
        if self.drives:
            system.add(Actuator(f"{name}.steer-drive", f"{name}.frame", f"{name}.fork", **steer))
        if self.steer_angle is not None:
            system.add(
                PrescribedMotion(
                    f"{name}.steer-angle",
                    f"{name}.frame",
                    f"{name}.fork",
                    self.steer_angle,
                    point_a=steer["point_a"],
                    point_b=tuple((p.steer_point - p.fork_centre).tolist()),
                    axis_a=steer["axis_a"],
                    axis_b=steer["axis_a"],
                )
            )
        if self.lean_torque is not None:
            system.add(
                Torque(
                    f"{name}.lean-torque", f"{name}.frame", self.lean_torque, direction=(1.0, 0.0, 0.0), fixed_to="body"
                )
            )
        if self.push is not None:
            system.add(self._push(p))
        if split is not None:
            split.add(system, self)
        from centrode.vehicles.bicycle.fall import FallWatch

        system.add(
            FallWatch(
                f"{name}.fall", f"{name}.rear-wheel", angle=self.fall_angle, normal=tuple(self.ground()[:, 2].tolist())
            )
        )

    def _push(self, p: BicycleParameters) -> PointForce:
        """A half sine of the given duration, so that the run stays smooth: table with zero ends."""
        given = {"at": 0.5, "force": 100.0, "duration": 0.2, "height": p.frame_z, "x": p.frame_x, **self.push}
        times = np.linspace(0.0, 1.0, 17)
        # sin^2 begins and ends with slope zero; a straight continuation beyond the table then stays zero.
        values = given["force"] * np.sin(math.pi * times) ** 2
        values[[0, -1]] = 0.0
        start, length = float(given["at"]), float(given["duration"])
        at = np.concatenate(
            [[start - 1e3, start - 0.5 * length], start + length * times, [start + 1.5 * length, start + 1e6]]
        )
        signal = {
            "kind": "table",
            "times": at.tolist(),
            "values": [0.0, 0.0, *values.tolist(), 0.0, 0.0],
            "interpolation": "linear",
        }
        place = (given["x"] - p.frame_x, 0.0, given["height"] - p.frame_z)
        return PointForce(
            f"{self.name}.push", f"{self.name}.frame", signal, direction=(0.0, 1.0, 0.0), point_body=place
        )

    # -- the rider's upper body ----------------------------------------------------------------------------------------

    def _split(self, p: BicycleParameters) -> Split:
        return Split.of(p, self.upper_body)

    def _upper_faults(self) -> list[Fault]:
        missing = [key for key in ("mass", "x", "z") if key not in self.upper_body]
        if missing:
            return [Fault("the upper body lacks values", f"{self.name}.upper_body", expected=", ".join(missing))]
        split = self._split(self.values())
        if split.rest_mass <= 0.0 or np.linalg.eigvalsh(split.rest_inertia)[0] <= 0.0:
            return [
                Fault(
                    "the upper body is more than the frame with rider",
                    f"{self.name}.upper_body.mass",
                    got=self.upper_body["mass"],
                    expected="mass and inertia that leave the rest of the frame positive",
                )
            ]
        return []


@dataclass(frozen=True)
class Split:
    """The frame with rider divided into an upper body that leans and the rest; together they are the given frame.

    Attributes:
        rest_mass, rest_inertia: of the rest, about its own centre of mass.
        rest_offset: its centre of mass from that of the whole, in the frame's axes.
        upper: values of the upper body, complete.
    """

    rest_mass: float
    rest_inertia: np.ndarray
    rest_offset: np.ndarray
    upper: dict[str, float]
    frame_centre: np.ndarray
    upper_inertia: np.ndarray

    @staticmethod
    def of(p: BicycleParameters, given: dict[str, float]) -> Split:
        """Divide the frame; what is not given of the inertia is zero."""
        upper = {"ixx": 0.0, "iyy": 0.0, "izz": 0.0, "ixz": 0.0, "hinge_z": p.frame_z, "stiffness": 0.0, "damping": 0.0}
        upper.update({key: float(value) for key, value in given.items()})
        mass = upper["mass"]
        rest = p.frame_mass - mass
        place = np.array([upper["x"], 0.0, upper["z"]])
        offset = (p.frame_mass * p.frame_centre - mass * place) / (rest if rest else math.nan) - p.frame_centre
        own = np.array([[upper["ixx"], 0, upper["ixz"]], [0, upper["iyy"], 0], [upper["ixz"], 0, upper["izz"]]])
        own = own + 1e-6 * np.eye(3) * (np.abs(own).max() == 0.0)
        rest_inertia = (
            p.inertias()["frame"] - own - mass * _steiner(place - p.frame_centre) - rest * _steiner(offset)
            if rest > 0.0
            else -np.eye(3)
        )
        return Split(rest, rest_inertia, offset, upper, p.frame_centre, own)

    def add(self, system: System, bike: Bicycle) -> None:
        """Add the upper body, its hinge, spring and drive."""
        from centrode.parts.forces.rotational_spring import RotationalSpring

        name, where, how, plane = bike.name, bike.posture(), bike.motion(), bike.ground()
        place = np.array([self.upper["x"], 0.0, self.upper["z"]])
        rotation = where.rotations["frame"]
        arm = rotation @ (place - self.frame_centre)
        normal = plane[:, 2]
        system.add(
            RigidBody(
                f"{name}.upper-body",
                self.upper["mass"],
                tuple(map(tuple, self.upper_inertia.tolist())),
                position=tuple((plane @ (where.positions["frame"] + arm) + bike.height * normal).tolist()),
                orientation=tuple(quaternion_from_matrix(plane @ rotation).tolist()),
                velocity=tuple((plane @ (how.velocities["frame"] + np.cross(how.omegas["frame"], arm))).tolist()),
                omega=tuple((rotation.T @ how.omegas["frame"]).tolist()),
            )
        )
        seat = np.array([self.upper["x"], 0.0, self.upper["hinge_z"]])
        ends: dict[str, Any] = {
            "point_a": tuple((seat - self.frame_centre).tolist()),
            "point_b": tuple((seat - place).tolist()),
            "axis_a": (1.0, 0.0, 0.0),
        }
        system.add(Revolute(f"{name}.waist", f"{name}.frame", f"{name}.upper-body", axis_b=(1.0, 0.0, 0.0), **ends))
        if self.upper["stiffness"] or self.upper["damping"]:
            system.add(
                RotationalSpring(
                    f"{name}.waist-spring",
                    joint=f"{name}.waist",
                    stiffness=self.upper["stiffness"],
                    damping=self.upper["damping"],
                )
            )
        if bike.drives:
            system.add(Actuator(f"{name}.lean-drive", joint=f"{name}.waist"))


def _steiner(r: np.ndarray) -> np.ndarray:
    return float(r @ r) * np.eye(3) - np.outer(r, r)


def _dictionary_faults(path: str, value: Any, known: tuple[str, ...]) -> list[Fault]:
    from centrode.errors import nearest_name

    if value is None:
        return []
    if not isinstance(value, dict):
        return [Fault("not a mapping", path, got=value, expected="names with numbers: " + ", ".join(known))]
    found = [
        Fault("unknown name", f"{path}.{key}", got=key, nearest=nearest_name(str(key), list(known)))
        for key in value
        if key not in known
    ]
    found += [
        Fault("not a finite number", f"{path}.{key}", got=number)
        for key, number in value.items()
        if isinstance(number, bool) or not isinstance(number, int | float) or not math.isfinite(number)
    ]
    return found


def bicycle_system(name: str = "bike", **values: Any) -> System:
    """A system with one bicycle; ``values`` are fields of :class:`Bicycle`."""
    system = System(f"Bicycle ({values.get('machine', 'benchmark')})")
    system.add(Bicycle(name, **values))
    return system
