"""From a robot to a system: bodies, joints, limits, friction, drives, shapes and what it stands on.

- Every link that is left after lumping (:mod:`centrode.scenario.robots.lumping`) becomes a rigid body in the pose and
  with the velocity that joint values and rates give; its body frame is the link frame.
- Limits become stops, damping and friction joint friction, springs springs, mimics transmissions, drives actuators and
  servos. Coordinates of the engine are zero at the start, so limits and rest values are shifted by the start.
- Stiffness of stops and couplings, and the speed over which dry friction is smoothed, follow from what the joint
  moves, I = 1 / (M^-1)_ii (:mod:`centrode.scenario.robots.state`), so that no joint is faster than STOP_RATE or
  FRICTION_RATE: a stop of one fixed stiffness is soft for a shoulder and rings at 10 kHz in a finger.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from centrode.errors import Fault, InputError, nearest_name
from centrode.math.rotation import quaternion_from_matrix
from centrode.parts.bodies.body import rotation_from
from centrode.parts.bodies.rigid import RigidBody, breaks_triangle_rule
from centrode.parts.forces.actuator import Actuator
from centrode.parts.forces.coupling import Coupling
from centrode.parts.forces.friction import Friction
from centrode.parts.forces.rotational_spring import RotationalSpring
from centrode.parts.forces.servo import Servo
from centrode.parts.forces.stop import Stop
from centrode.parts.joints.ball import Ball
from centrode.parts.joints.fixed import Fixed
from centrode.parts.joints.planar import Planar
from centrode.parts.joints.prismatic import Prismatic
from centrode.parts.joints.revolute import Revolute
from centrode.parts.joints.transmission import Transmission
from centrode.parts.meant import FULL_TURN, number_in
from centrode.parts.part import Part
from centrode.parts.placement import GROUND
from centrode.parts.visual import vector
from centrode.scenario.robots.contact import contact_parts, ground_parts
from centrode.scenario.robots.description import BALL, FLOATING, PLANAR, PRISMATIC, REVOLUTE, Robot, RobotJoint, Sizes
from centrode.scenario.robots.following import followings
from centrode.scenario.robots.lumping import lump
from centrode.scenario.robots.shapes import shape_parts
from centrode.scenario.robots.state import (
    LinkState,
    Mobility,
    axis_and_anchor,
    link_states,
    settle_values,
)
from centrode.system.builder import System

STOP_RATE = 300.0
"""Natural frequency of a joint on its stop [rad/s]: gravity presses a link of a decimetre 1 mrad into it, and steps of
some milliseconds follow it."""
MIMIC_RATE = 1000.0
"""Natural frequency of a joint in its coupling to another that no link joins it to, critically damped [rad/s]."""
STOP_DAMPING = {REVOLUTE: 1.0, PRISMATIC: 10.0}
"""Relative to the spring [s/rad, s/m]: a hit at 5 rad/s or 0.5 m/s comes back with a fifth of its speed."""
FRICTION_RATE = 1000.0
"""Rate at which dry friction stops a joint that slips slowly [1/s]; over the friction it fixes the speed of slip."""
STIFF_RATE = 2e4
"""Rate of viscous braking [1/s] from which an implicit method is quicker: an explicit one takes six steps a time of
braking, 10^5 in a second here."""
LEAST_SLIP = 1e-3
"""Speed over which dry friction is smoothed at least [rad/s, m/s]."""


@dataclass(frozen=True)
class RobotOptions:
    """How a robot is taken into a system.

    Attributes:
        positions, rates: joint name -> value [rad or m] and rate at the start; zero when left out.
        fix_root: hold the root in the world.
        position, orientation: of the root's frame in the world [m; quaternion (w, x, y, z) or matrix].
        gravity: [m/s2]; that of the file, or 9.81 downwards, when left out.
        ground: height of a level ground that collision shapes stand on [m]; no ground when left out.
        outlines: carry collision shapes as outlines, which touch those of others.
        stiffness, damping: gains of servos that hold every joint where it starts; none when both are 0.
        links_touch: outlines of links touch those of others of the same robot, too, where no joint joins them.
    """

    positions: dict[str, float] = field(default_factory=dict)
    rates: dict[str, float] = field(default_factory=dict)
    fix_root: bool = True
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    orientation: Any = (1.0, 0.0, 0.0, 0.0)
    gravity: tuple[float, float, float] | None = None
    ground: float | None = None
    outlines: bool = False
    stiffness: float = 0.0
    damping: float = 0.0
    links_touch: bool = False

    @classmethod
    def read(cls, given: Sizes) -> RobotOptions:
        """Options by name.

        Raises:
            InputError: for one that does not exist, with the nearest name.
        """
        known = [item.name for item in dataclasses.fields(cls)]
        wrong = [name for name in given if name not in known]
        if wrong:
            said = {"got": given[wrong[0]], "expected": f"one of {', '.join(known)}"}
            raise InputError("unknown option of a robot", path=wrong[0], nearest=nearest_name(wrong[0], known), **said)
        return cls(**given)


class RobotImport:
    """A system made from a robot, and what was left out.

    Attributes:
        system: the bodies, joints and forces.
        link_bodies: link of the file -> body that carries it ("ground" for what rests).
        joint_names: joint of the file -> joint of the system, where it moves.
        notes: sentences about what has no counterpart.
    """

    def __init__(self, robot: Robot, options: RobotOptions) -> None:
        self.robot, self.options = robot, options
        gravity = options.gravity or robot.gravity or None
        self.system = System(robot.name or "robot", gravity=gravity)
        self.notes = self.system.notes
        self.faults: list[Fault] = []
        with_mass = any(link.inertia.mass > 0.0 for link in robot.links.values())
        if not with_mass:
            hint = "give links an <inertial> with a mass"
            raise InputError([robot.fault("no link with mass: nothing can move", "links", hint=hint)])
        positions, rates = self.checked_values(options.positions), self.checked_values(options.rates, "/s")
        self.positions = settle_values(robot, positions, "position")
        self.rates = settle_values(robot, rates, "rate")
        self.held = robot.held or options.fix_root or self.root_weighs_nothing()
        carrier = lump(robot, self.held)
        self.notes += robot.notes
        self.link_bodies = {
            name: GROUND if self.held and owner == robot.root else owner for name, (owner, _) in carrier.items()
        }
        self.carrier = carrier
        self.joint_names: dict[str, str] = {}
        self.states = link_states(robot, self.root_pose(), self.positions, self.rates)
        self.mobility = Mobility(robot, self.states, self.held)
        rate, joint = self.stiffest()
        if rate > STIFF_RATE:
            self.notes.append(f"friction brakes joint '{joint}' within {1.0 / rate:.1g} s: method radau is the quicker")
        self.build()

    def checked_values(self, given: Mapping[str, object], per: str = "") -> dict[str, float]:
        """Joint values as numbers; names as the file has them are taken too, and texts with a unit.

        Args:
            per: "" for positions, "/s" for rates.
        """
        found: dict[str, float] = {}
        for name, value in given.items():
            plain = plain_name(str(name))
            joint = self.robot.joints.get(plain)
            turns = joint is not None and joint.kind == REVOLUTE
            if joint is not None and isinstance(value, str):
                value = number_in(value, ("rad" if turns else "m") + per, str(name))
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                raise InputError("not a finite number", path=str(name), got=value, expected="a number in rad or m")
            if turns and not per and isinstance(given[name], int | float):
                number_in(value, "rad", str(name), FULL_TURN)
            found[plain] = float(value)
        return found

    def root_weighs_nothing(self) -> bool:
        """Whether a free root would be a body without mass: then it is the world."""
        robot, children, waiting, mass = self.robot, self.robot.children(), [self.robot.root], 0.0
        while waiting:
            name = waiting.pop()
            mass += robot.links[name].inertia.mass
            waiting += [joint.child for joint in children.get(name, []) if joint.kind == "fixed"]
        return mass == 0.0

    def root_pose(self) -> np.ndarray:
        """Pose of the root's frame in the world."""
        pose = np.eye(4)
        pose[:3, :3] = rotation_from(self.options.orientation, "orientation")
        pose[:3, 3] = self.options.position
        return pose

    def run_settings(self) -> Sizes:
        """Settings of a run that the joints ask for: an implicit method where some are braked at STIFF_RATE."""
        return {"method": "radau"} if self.stiffest()[0] > STIFF_RATE else {}

    def stiffest(self) -> tuple[float, str]:
        """Largest rate of viscous braking of a joint [1/s], and its name."""
        joints = [joint for joint in self.robot.joints.values() if joint.has_value]
        rates = [(joint.damping / self.mobility.inertia(joint.name), joint.name) for joint in joints]
        return max(rates, default=(0.0, ""))

    # -- parts ---------------------------------------------------------------------------------------------------------

    def build(self) -> None:
        """Add all parts."""
        for name in self.robot.links:
            if not (self.held and name == self.robot.root):
                self.add_body(name, self.states[name])
        if self.faults:
            raise InputError(self.faults)
        for joint in self.robot.order():
            self.add_joint(joint)
        for joint in self.robot.order():
            if joint.has_value:
                self.add_forces(joint)
        for pair in followings(self.robot):
            self.add(self.follower(*pair))
        self.add_ties()
        self.add_drives()
        for name, link in self.robot.links.items():
            body = self.body(name)
            pose = self.states[name].pose if body == GROUND else np.eye(4)
            shapes = [shape.moved(pose) for shape in link.shapes]
            for part in shape_parts(self.robot, name, body, shapes, self.notes):
                self.add(part)
            if self.options.outlines or self.options.ground is not None:
                for part in contact_parts(name, body, shapes, self.notes):
                    self.add(part)
        if self.options.ground is not None:
            self.add_ground(self.options.ground)
        if self.held and len(self.robot.links) == 1:
            self.notes.append("all links are one with the root, which is held in the world: fix_root: false frees it")
        if not self.options.links_touch:
            self.system.apart.append(tuple(self.robot.links))

    def add(self, part: Part) -> None:
        """Add a part; faults keep the file of the robot."""
        try:
            self.system.add(part)
        except InputError as error:
            self.faults += error.faults
            raise InputError([_located(fault, self.robot.file) for fault in error.faults]) from None

    def body(self, link: str) -> str:
        """Body of a link that is left."""
        return GROUND if self.held and link == self.robot.root else link

    def add_body(self, name: str, state: LinkState) -> None:
        inertia, rotation = self.robot.links[name].inertia, state.pose[:3, :3]
        tensor = tuple(map(tuple, inertia.tensor.tolist()))
        unusual = breaks_triangle_rule(inertia.tensor)
        if unusual:
            why = "a principal moment is above the sum of the others"
            self.notes.append(f"link '{name}': no body has this inertia, {why}; taken as it is")
        try:
            self.system.add(
                RigidBody(
                    name,
                    inertia.mass,
                    tensor,
                    position=vector(state.pose[:3, 3]),
                    orientation=tuple(quaternion_from_matrix(rotation).tolist()),
                    velocity=vector(state.velocity),
                    omega=vector(rotation.T @ state.omega),
                    centre_of_mass=vector(inertia.centre),
                    unusual=unusual,
                )
            )
        except InputError as error:
            line = self.robot.links[name].line
            self.faults += [_located(fault, self.robot.file, line) for fault in error.faults]

    def add_joint(self, joint: RobotJoint) -> None:
        """The joint itself, where the bodies meet at the start."""
        a, b = self.body(joint.parent), self.body(joint.child)
        if joint.kind == FLOATING:
            return
        axis, anchor = axis_and_anchor(self.states[joint.parent].pose, joint)
        at, along = vector(anchor), vector(axis)
        name = self.joint_names[joint.name] = self.free_name(joint.name, "joint")
        kinds: Sizes = {REVOLUTE: Revolute, PRISMATIC: Prismatic, PLANAR: Planar}
        if joint.kind == BALL:
            self.add(Ball(name, a, b, at=at))
        else:
            self.add(kinds[joint.kind](name, a, b, at=at, axis=along))

    def free_name(self, name: str, otherwise: str) -> str:
        """Links and joints may share names in files; here names are unique."""
        while name in self.system.parts or name in self.robot.links:
            name = f"{name}-{otherwise}"
        return name

    def add_forces(self, joint: RobotJoint) -> None:
        """Limits, damping, friction, spring and mimic of a hinge or slider."""
        name, start = self.joint_names[joint.name], self.positions[joint.name]
        inertia = self.mobility.inertia(joint.name)
        acts = "along-axis" if joint.kind == PRISMATIC else "about-axis"
        stiffness = max(inertia * STOP_RATE**2, 1e-9)
        if joint.mimic is None and (joint.lower is not None or joint.upper is not None):
            self.check_limits(joint, start)
            lower, upper = (None if end is None else end - start for end in (joint.lower, joint.upper))
            more: Sizes = {"stiffness": stiffness, "damping": STOP_DAMPING[joint.kind], "acts": acts}
            self.add(Stop(self.free_name(f"{name}-limit", "stop"), joint=name, lower=lower, upper=upper, **more))
        if joint.friction > 0.0 or joint.damping > 0.0:
            slip = max(LEAST_SLIP, joint.friction / (inertia * FRICTION_RATE))
            law: Sizes = {
                "coulomb": joint.friction,
                "viscous": joint.damping,
                "slip_speed": slip,
                "acts": acts,
            }
            self.add(Friction(self.free_name(f"{name}-friction", "force"), joint=name, **law))
        if joint.stiffness > 0.0 and joint.kind == REVOLUTE:
            rest = joint.rest - start
            spring = self.free_name(f"{name}-spring", "force")
            self.add(RotationalSpring(spring, joint=name, stiffness=joint.stiffness, rest_angle=rest))
        elif joint.stiffness > 0.0:
            self.add_servo(joint, f"{name}-spring", joint.stiffness, 0.0, joint.rest, None)
        if joint.mimic is None and (self.options.stiffness > 0.0 or self.options.damping > 0.0):
            gains = self.options.stiffness, self.options.damping
            self.add_servo(joint, f"{name}-servo", *gains, start, joint.effort or None)

    def follower(self, leading: str, following: str, ratio: float) -> Part:
        """What makes a joint follow another: a row where both meet in one link, a stiff coupling elsewhere."""
        name = self.free_name(f"{self.joint_names[following]}-mimic", "joint")
        first, second = self.robot.joints[leading], self.robot.joints[following]
        shared = {first.parent, first.child} & {second.parent, second.child}
        if not shared:
            inertia = self.mobility.inertia_between(following, leading, ratio)
            gains: Sizes = {"damping": 2.0 * inertia * MIMIC_RATE, "ratio": ratio}
            names = self.joint_names[leading], self.joint_names[following]
            self.notes.append(f"joint '{following}' follows '{leading}' through a stiff coupling: no link bears both")
            return Coupling(name, *names, inertia * MIMIC_RATE**2, **gains)
        carrier = shared.pop()
        ends, sides = [], Sizes(carrier=self.body(carrier))
        for side, joint in (("a", first), ("b", second)):
            end = joint.child if carrier == joint.parent else joint.parent
            axis, anchor = axis_and_anchor(self.states[joint.parent].pose, joint)
            pose = np.eye(4) if self.body(end) == GROUND else self.states[end].pose
            ratio = -ratio if end == joint.parent else ratio  # it moves against the carrier by minus the coordinate
            sides[f"axis_{side}"] = vector(pose[:3, :3].T @ axis)
            sides[f"point_{side}"] = vector(pose[:3, :3].T @ (anchor - pose[:3, 3]))
            sides[f"moves_{side}"] = "slide" if joint.kind == PRISMATIC else "turn"
            ends.append(self.body(end))
        return Transmission(name, ends[0], ends[1], ratio, **sides)

    def add_servo(
        self, joint: RobotJoint, name: str, stiffness: float, damping: float, command: float, effort: float | None
    ) -> None:
        """A servo of a joint that counts as the file does."""
        acts = "along-axis" if joint.kind == PRISMATIC else "about-axis"
        start = self.positions[joint.name]
        law: Sizes = {
            "stiffness": stiffness,
            "damping": damping,
            "command": command,
            "effort": effort,
            "start": start,
        }
        self.add(Servo(self.free_name(name, "force"), joint=self.joint_names[joint.name], acts=acts, **law))

    def check_limits(self, joint: RobotJoint, start: float) -> None:
        """Refuse a start beyond a limit."""
        lower = -math.inf if joint.lower is None else joint.lower
        upper = math.inf if joint.upper is None else joint.upper
        if not lower - 1e-9 <= start <= upper + 1e-9:
            hint = f"give a position: {joint.name}={min(max(0.5 * (lower + upper), lower), upper):.4g}"
            if math.isinf(lower) or math.isinf(upper):
                hint = ""
            said = {"got": start, "expected": f"between {lower:g} and {upper:g}", "hint": hint}
            raise InputError([self.robot.fault("joint starts beyond its limits", joint.name, joint.line, **said)])

    def add_ties(self) -> None:
        """Constraints that close loops, between points that meet where the file begins."""
        robot = self.robot
        begun = link_states(robot, self.root_pose(), robot.start, {}) if robot.ties else {}
        for tie in robot.ties:
            (owner_a, pose_a), (owner_b, pose_b) = (self.carrier[name] for name in (tie.a, tie.b))
            a, b = self.body(owner_a), self.body(owner_b)
            if a == b:
                continue
            name, point = self.free_name(tie.name, "tie"), pose_a @ np.append(tie.point, 1.0)
            across = np.linalg.inv(begun[owner_b].pose) @ begun[owner_a].pose  # b from a
            if tie.kind == "weld":
                now = np.linalg.inv(self.states[owner_b].pose) @ self.states[owner_a].pose
                if np.abs(now - across).max() > 1e-6:
                    hint = "start where the file begins"
                    raise InputError([robot.fault("a weld that the start breaks", tie.name, tie.line, hint=hint)])
                self.add(Fixed(name, a, b))
                continue
            ends: Sizes = {
                "point_a": self.on_body(owner_a, point),
                "point_b": self.on_body(owner_b, across @ point),
            }
            self.add(Ball(name, a, b, **ends))

    def on_body(self, link: str, point: np.ndarray) -> tuple[float, float, float]:
        """A point of a link in the frame of its body: that of the link, or the world."""
        return vector((self.states[link].pose @ point)[:3] if self.body(link) == GROUND else point[:3])

    def add_drives(self) -> None:
        """Motors and servos of the file."""
        for drive in self.robot.drives:
            joint = self.robot.joints.get(drive.joint)
            if joint is None or not joint.has_value:
                continue  # held because nothing moves behind it, which a note says
            acts = "along-axis" if joint.kind == PRISMATIC else "about-axis"
            name, at = self.free_name(drive.name, "drive"), self.joint_names[joint.name]
            limits: Sizes = {"lower": drive.lower, "upper": drive.upper}
            if drive.tracks:
                law: Sizes = {"stiffness": drive.stiffness, "damping": drive.damping, "effort": drive.effort}
                start = self.positions[joint.name]
                if drive.tracks == "position":
                    law["command"] = min(max(start, _end(drive.lower, -1.0)), _end(drive.upper, 1.0))
                self.add(Servo(name, joint=at, acts=acts, tracks=drive.tracks, start=start, **law, **limits))
            else:
                self.add(Actuator(name, joint=at, acts=acts, **limits))

    def add_ground(self, height: float) -> None:
        """A level ground, and the law by which the robot stands on it."""
        mass = sum(link.inertia.mass for name, link in self.robot.links.items() if self.body(name) != GROUND)
        for part in ground_parts(height, mass, float(np.linalg.norm(self.system.gravity))):
            self.add(part)


def _end(limit: float | None, sign: float) -> float:
    return sign * math.inf if limit is None else limit


def _located(fault: Fault, file: str, line: int = 0) -> Fault:
    return dataclasses.replace(fault, file=fault.file or file, line=fault.line or line)


RESERVED = ("ground", "time", "events", "final_state", "energy", "constraint", "work")
"""Names that no part of a scenario can have (:mod:`centrode.scenario.loader`)."""


def plain_name(name: str) -> str:
    """A name that a scenario file can hold: letters, digits, _ and -; anything else becomes _."""
    found = re.sub(r"[^\w-]|^-", "_", name, flags=re.ASCII) or "_"
    return f"{found}_" if found in RESERVED else found
