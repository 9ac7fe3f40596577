"""A robot between file and system: a tree of links and joints, whatever format it came from.

Poses are 4 x 4 matrices. A joint has the pose of its child's frame in its parent's at zero, and moves it about or along
an axis through a point, both in the child's frame at zero:

    T(q) = origin . move(q),    move = shift(point) turn(axis, q) shift(-point), or shift(q axis)               (1)

Inertias are about the centre of mass, in the axes of the link.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from centrode.errors import Fault, InputError, nearest_name
from centrode.math.jet import skew
from centrode.math.rotation import matrix_from_axis_angle

FIXED, REVOLUTE, PRISMATIC, BALL, PLANAR, FLOATING = "fixed", "revolute", "prismatic", "ball", "planar", "floating"
"""Kinds of joints."""


Sizes = dict[str, Any]
"""Fields of a shape or of a part by name."""


@dataclass(frozen=True)
class Inertia:
    """Mass [kg], centre of mass [m] and tensor about it [kg m2], in the frame of a link."""

    mass: float = 0.0
    centre: np.ndarray = field(default_factory=lambda: np.zeros(3))
    tensor: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))

    def moved(self, pose: np.ndarray) -> Inertia:
        """The same masses seen from the frame in which theirs has the pose."""
        rotation = pose[:3, :3]
        return Inertia(self.mass, rotation @ self.centre + pose[:3, 3], rotation @ self.tensor @ rotation.T)

    def about_origin(self) -> np.ndarray:
        """Tensor about the origin of the frame (Huygens and Steiner)."""
        c = skew(self.centre)
        return np.asarray(self.tensor - self.mass * c @ c)

    def __add__(self, other: Inertia) -> Inertia:
        """Both together; ``other`` may be negative, which takes it out again."""
        mass = self.mass + other.mass
        total = self.about_origin() + other.about_origin()
        first = self.mass * self.centre + other.mass * other.centre
        if mass <= 0.0:
            return Inertia(0.0, np.zeros(3), total)
        centre = first / mass
        c = skew(centre)
        tensor = total + mass * c @ c
        return Inertia(mass, centre, 0.5 * (tensor + tensor.T))

    def __neg__(self) -> Inertia:
        """What takes this one out of a sum."""
        return Inertia(-self.mass, self.centre, -self.tensor)

    def least_moment(self) -> float:
        """Smallest principal moment about the centre [kg m2]."""
        return float(np.linalg.eigvalsh(self.tensor)[0])

    @property
    def turns(self) -> bool:
        """Whether it has a mass and three principal moments, as a body needs to be turned.

        Moments below a radius of gyration of a micrometre, or 1e-12 of the largest, are round-off of other programs.
        """
        moments = np.linalg.eigvalsh(self.tensor)
        return self.mass > 0.0 and bool(moments[0] > 1e-12 * max(self.mass, moments[2]))


@dataclass(frozen=True)
class RobotShape:
    """A shape that a link is drawn as, or touches with.

    Attributes:
        kind: box, sphere, ellipsoid, cylinder, capsule, mesh or plane.
        place: pose in the frame of the link.
        sizes: as the kind of :mod:`centrode.parts.shapes` has them, by name.
        seen, touches: what it is for.
        colour: "#rrggbb" or nothing.
    """

    kind: str
    place: np.ndarray
    sizes: Sizes
    seen: bool = True
    touches: bool = False
    colour: str = ""

    def moved(self, pose: np.ndarray) -> RobotShape:
        """The same shape seen from the frame in which its own has the pose."""
        return dataclasses.replace(self, place=pose @ self.place)


@dataclass
class RobotLink:
    """A link: inertia and shapes in its own frame; ``line`` of the file, for messages."""

    name: str
    inertia: Inertia = field(default_factory=Inertia)
    shapes: list[RobotShape] = field(default_factory=list)
    line: int = 0


@dataclass(frozen=True)
class Mimic:
    """A joint value that follows another: offset + ratio times the leading one."""

    joint: str
    offset: float = 0.0
    ratio: float = 1.0


@dataclass
class RobotJoint:
    """A joint between two links; units are those of its kind (rad and N m, or m and N).

    Attributes:
        parent, child: names of links.
        origin: pose of the child's frame in the parent's at zero.
        axis, point: of the motion, in the child's frame at zero.
        lower, upper: limits; none where there is no limit.
        effort: largest effort of a drive; 0 when unknown.
        damping, friction: viscous and dry.
        stiffness, rest: of a spring.
        mimic: what its value follows.
    """

    name: str
    kind: str
    parent: str
    child: str
    origin: np.ndarray = field(default_factory=lambda: np.eye(4))
    axis: np.ndarray = field(default_factory=lambda: np.array([1.0, 0.0, 0.0]))
    point: np.ndarray = field(default_factory=lambda: np.zeros(3))
    lower: float | None = None
    upper: float | None = None
    effort: float = 0.0
    damping: float = 0.0
    friction: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0
    mimic: Mimic | None = None
    line: int = 0

    def motion(self, value: float) -> np.ndarray:
        """Pose of the child's frame against that at zero, (1)."""
        found = np.eye(4)
        if self.kind == REVOLUTE:
            turn = matrix_from_axis_angle(self.axis, value)
            found[:3, :3] = turn
            found[:3, 3] = self.point - turn @ self.point
        elif self.kind == PRISMATIC:
            found[:3, 3] = value * self.axis
        return found

    @property
    def has_value(self) -> bool:
        """Whether one number says where it stands."""
        return self.kind in (REVOLUTE, PRISMATIC)


@dataclass(frozen=True)
class RobotDrive:
    """A drive of a joint.

    Attributes:
        tracks: what a servo holds, "position" or "rate"; nothing for a motor, whose command is its effort.
        stiffness, damping: gains of a servo.
        lower, upper: limits of the command.
        effort: largest effort of a servo.
    """

    name: str
    joint: str
    tracks: str = ""
    stiffness: float = 0.0
    damping: float = 0.0
    lower: float | None = None
    upper: float | None = None
    effort: float | None = None


@dataclass(frozen=True)
class RobotTie:
    """A further constraint between two links that closes a loop: connect (a point) or weld.

    Attributes:
        point: anchor in the frame of ``a``.
        place: pose of ``b`` in ``a`` that a weld holds; none for that at zero.
    """

    name: str
    kind: str
    a: str
    b: str
    point: np.ndarray
    place: np.ndarray | None = None
    line: int = 0


@dataclass
class Robot:
    """What a file says of a robot.

    Attributes:
        name, file: for titles and messages.
        links, joints: by name, in the order of the file.
        root: link that no joint carries.
        held: whether the file itself holds the root in the world.
        notes: what has no counterpart.
        gravity: [m/s2], where the file says so.
        start: joint values at which the file begins; zero for others.
    """

    name: str
    file: str
    links: dict[str, RobotLink] = field(default_factory=dict)
    joints: dict[str, RobotJoint] = field(default_factory=dict)
    root: str = ""
    held: bool = False
    drives: list[RobotDrive] = field(default_factory=list)
    ties: list[RobotTie] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    gravity: tuple[float, float, float] | None = None
    start: dict[str, float] = field(default_factory=dict)

    def fault(self, what: str, path: str, line: int = 0, **details: object) -> Fault:
        """A fault of a link or joint, with its place in the file."""
        return Fault(what, path, file=self.file, line=line, **details)  # type: ignore[arg-type]

    def children(self) -> dict[str, list[RobotJoint]]:
        """Joints by the link that carries them."""
        found: dict[str, list[RobotJoint]] = {}
        for joint in self.joints.values():
            found.setdefault(joint.parent, []).append(joint)
        return found

    def order(self) -> list[RobotJoint]:
        """Joints from the root outwards."""
        children, found, waiting = self.children(), [], [self.root]
        while waiting:
            for joint in children.get(waiting.pop(), []):
                found.append(joint)
                waiting.append(joint.child)
        return found


def find_root(robot: Robot) -> None:
    """Set the root of a tree.

    Raises:
        InputError: unknown links, a link with two parents, no root or several.
    """
    faults: list[Fault] = []
    carried: dict[str, str] = {}
    for joint in robot.joints.values():
        for role, name in (("parent", joint.parent), ("child", joint.child)):
            if name not in robot.links:
                near = nearest_name(name, list(robot.links))
                faults.append(robot.fault("unknown link", f"{joint.name}.{role}", joint.line, got=name, nearest=near))
        if joint.child in carried:
            both = f"{carried[joint.child]} and {joint.name}"
            faults.append(robot.fault("a link with two parents: not a tree", joint.child, joint.line, got=both))
        carried[joint.child] = joint.name
    roots = [name for name in robot.links if name not in carried]
    if not faults and len(roots) != 1:
        got = ", ".join(roots) or "none (a closed loop)"
        faults.append(robot.fault("a tree has one root link", "links", got=got))
    if not faults:
        robot.root = roots[0]
        reached = {robot.root, *(joint.child for joint in robot.order())}
        lost = [name for name in robot.links if name not in reached]
        if lost:
            got = ", ".join(lost)
            faults.append(robot.fault("links in a closed loop, apart from the root", "links", got=got))
    if faults:
        raise InputError(faults)
