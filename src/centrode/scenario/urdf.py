"""URDF: robot descriptions of the Robot Operating System as Centrode systems.

A URDF file is a tree of links (mass, inertia about a centre of mass with its own axes) and joints (fixed, revolute,
continuous, prismatic, floating, planar) in their zero position. Read with yourdfpy (extra ``urdf``); meshes are not
loaded. What becomes of it:

- every link with mass becomes a rigid body in the pose that the joint values give; its body frame is the link frame;
- the root link, when it is massless or ``fix_root`` is set, is the ground; otherwise it is a body, free in space;
- a massless link is refused unless it is joined by a fixed joint to one with mass (or to the ground), which then
  carries its joints: engines without reduced coordinates need inertia behind every degree of freedom;
- limits of revolute and prismatic joints become stops, damping and friction become joint friction.

Reference: URDF XML specification of ROS.
"""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

import numpy as np

from centrode.errors import Fault, InputError, nearest_name
from centrode.system.builder import System

STOP_STIFFNESS = 1e5
"""Of limits, in N m/rad or N/m."""


def load_urdf(
    path: str | Path,
    *,
    positions: dict[str, float] | None = None,
    fix_root: bool = True,
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81),
) -> UrdfImport:
    """Read a URDF file.

    Args:
        path: the file.
        positions: joint name -> value at the start [rad or m]; zero when left out.
        fix_root: hold the root link in the world.
        gravity: [m/s2].

    Raises:
        InputError: no such file, unreadable, not a tree, or with links that cannot move as rigid bodies.
    """
    file = Path(path)
    if not file.is_file():
        raise InputError("no such file", file=str(path))
    robot = _with_plain_names(_parse(file))
    return UrdfImport(robot, dict(positions or {}), fix_root, gravity, str(path))


def _parse(file: Path) -> Any:
    try:
        from yourdfpy import URDF
    except ImportError as error:
        hint = "pip install 'centrode[urdf]'"
        raise InputError("reading URDF needs the package yourdfpy", file=str(file), hint=hint) from error
    try:
        quiet = {"load_meshes": False, "load_collision_meshes": False}
        read = URDF.load(str(file), build_scene_graph=False, build_collision_scene_graph=False, **quiet)
    except Exception as error:  # the reader raises whatever its XML library or its own assertions raise
        text = str(error).strip().split("\n", 1)[0] or type(error).__name__
        raise InputError(f"not a readable URDF file: {text}", file=str(file)) from error
    return read.robot


def _with_plain_names(robot: Any) -> Any:
    """Names that a scenario file can hold: letters, digits, _ and -; anything else becomes _."""

    def plain(name: str) -> str:
        return re.sub(r"[^\w-]", "_", str(name), flags=re.ASCII)

    for link in robot.links:
        link.name = plain(link.name)
    for joint in robot.joints:
        joint.name, joint.parent, joint.child = plain(joint.name), plain(joint.parent), plain(joint.child)
    return robot


def _origin(item: Any) -> np.ndarray:
    """Pose of a joint or of a centre of mass in the frame of its link."""
    return np.eye(4) if item.origin is None else np.asarray(item.origin, dtype=float)


class UrdfImport:
    """A system made from a robot description, and what was left out.

    Attributes:
        system: the bodies, joints and forces.
        link_bodies: link name -> body that carries it ("ground" for fixed ones).
        notes: sentences about what has no counterpart.
    """

    def __init__(
        self, robot: Any, positions: dict[str, float], fix_root: bool, gravity: tuple[float, float, float], file: str
    ) -> None:
        self.robot, self.positions, self.fix_root, self.file = robot, positions, fix_root, file
        self.system = System(robot.name or "robot", gravity=gravity)
        self.links = {link.name: link for link in robot.links}
        self.children: dict[str, list[Any]] = {}
        self.link_bodies: dict[str, str] = {}
        self.pose: dict[str, np.ndarray] = {}
        self.notes = self.system.notes
        self.faults: list[Fault] = []
        root = self.find_root()
        self.check_positions()
        held = self.fix_root or self.mass_of(root) == 0.0
        self.visit(root, np.eye(4), "ground" if held else None)
        self.add_bodies(held, root)
        if self.faults:
            raise InputError(self.faults)
        self.add_joints()

    def fault(self, message: str, path: str, **details: Any) -> None:
        self.faults.append(Fault(message, path, file=self.file, **details))

    def find_root(self) -> str:
        seen: dict[str, str] = {}
        for joint in self.robot.joints:
            for role in ("parent", "child"):
                name = getattr(joint, role)
                if name not in self.links:
                    near = nearest_name(name, list(self.links))
                    self.fault("unknown link", f"{joint.name}.{role}", got=name, nearest=near)
            if joint.child in seen:
                both = f"{seen[joint.child]} and {joint.name}"
                self.fault("a link with two parents: not a tree", joint.child, got=both)
            seen[joint.child] = joint.name
            self.children.setdefault(joint.parent, []).append(joint)
        roots = [name for name in self.links if name not in seen]
        if not self.faults and len(roots) != 1:
            self.fault("a tree has one root link", "links", got=", ".join(roots) or "none (a closed loop)")
        if self.faults:
            raise InputError(self.faults)
        return roots[0]

    def check_positions(self) -> None:
        movable = [joint.name for joint in self.robot.joints if joint.type not in ("fixed", "floating")]
        for name in [item for item in self.positions if item not in movable]:
            near = nearest_name(name, movable)
            raise InputError("no joint of this name to set", path=name, file=self.file, nearest=near)

    def mass_of(self, name: str) -> float:
        inertial = self.links[name].inertial
        return 0.0 if inertial is None or inertial.mass is None else float(inertial.mass)

    def visit(self, name: str, pose: np.ndarray, carrier: str | None) -> None:
        """Poses of all links, and which body carries each."""
        self.pose[name] = pose
        self.link_bodies[name] = name if carrier is None else carrier
        for joint in self.children.get(name, []):
            child_pose = pose @ _origin(joint) @ self.motion(joint)
            massless = self.mass_of(joint.child) == 0.0
            rides = joint.type == "fixed" and (massless or self.link_bodies[name] == "ground")
            if massless and not rides:
                hint = f"give it an <inertial>, or make '{joint.name}' fixed"
                self.fault("a link without mass behind a joint that moves", joint.child, hint=hint)
            self.visit(joint.child, child_pose, self.link_bodies[name] if rides else None)

    def motion(self, joint: Any) -> np.ndarray:
        """Pose of the child against the joint frame at the start."""
        from centrode.math.rotation import matrix_from_axis_angle

        value = float(self.positions.get(joint.name, 0.0))
        found = np.eye(4)
        if joint.type in ("revolute", "continuous"):
            found[:3, :3] = matrix_from_axis_angle(self.axis(joint), value)
        elif joint.type == "prismatic":
            found[:3, 3] = value * self.axis(joint)
        return found

    def axis(self, joint: Any) -> np.ndarray:
        axis = np.array([1.0, 0.0, 0.0] if joint.axis is None else joint.axis, dtype=float)
        norm = float(np.linalg.norm(axis))
        if not norm > 0.0:
            raise InputError("a joint axis of length zero", path=f"{joint.name}.axis", file=self.file)
        return axis / norm

    def add_bodies(self, held: bool, root: str) -> None:
        from centrode.math.rotation import quaternion_from_matrix
        from centrode.parts.bodies.rigid import RigidBody
        from centrode.parts.visual import vector

        for name, link in self.links.items():
            if self.link_bodies.get(name) != name or (held and name == root) or self.mass_of(name) == 0.0:
                continue
            origin, pose = _origin(link.inertial), self.pose[name]
            given = link.inertial.inertia
            tensor = np.zeros((3, 3)) if given is None else np.asarray(given, dtype=float)
            inertia = tuple(map(tuple, (origin[:3, :3] @ tensor @ origin[:3, :3].T).tolist()))
            place, centre = vector(pose[:3, 3]), vector(origin[:3, 3])
            turned, mass = tuple(quaternion_from_matrix(pose[:3, :3]).tolist()), self.mass_of(name)
            try:
                body = RigidBody(name, mass, inertia, position=place, orientation=turned, centre_of_mass=centre)
                self.system.add(body)
            except InputError as error:
                self.faults += error.faults

    def add_joints(self) -> None:
        from centrode.parts.joints.fixed import Fixed
        from centrode.parts.joints.planar import Planar
        from centrode.parts.joints.prismatic import Prismatic
        from centrode.parts.joints.revolute import Revolute

        kinds: dict[str, Any] = {"revolute": Revolute, "continuous": Revolute, "prismatic": Prismatic, "planar": Planar}
        for joint in self.robot.joints:
            a, b = self.link_bodies[joint.parent], self.link_bodies[joint.child]
            if a == b or joint.type == "floating":
                continue
            if joint.type == "fixed":
                self.system.add(Fixed(self.name(joint.name), a, b))
                continue
            if joint.type not in kinds:
                raise InputError("unknown type of joint", path=joint.name, got=joint.type, file=self.file)
            frame = self.pose[joint.parent] @ _origin(joint)
            at = tuple(frame[:3, 3].tolist())
            axis = tuple((frame[:3, :3] @ self.axis(joint)).tolist())
            self.system.add(kinds[joint.type](self.name(joint.name), a, b, at=at, axis=axis))
            self.add_forces(joint)
            if joint.mimic is not None:
                self.notes.append(f"joint '{joint.name}' mimics '{joint.mimic.joint}': left free")

    def add_forces(self, joint: Any) -> None:
        """Limits, damping and friction of a joint."""
        from centrode.parts.forces.friction import Friction
        from centrode.parts.forces.stop import Stop

        name = self.name(joint.name)
        acts = "along-axis" if joint.type == "prismatic" else "about-axis"
        start = float(self.positions.get(joint.name, 0.0))
        limit = joint.limit
        if joint.type in ("revolute", "prismatic") and limit is not None:
            lower, upper = (float("nan") if end is None else float(end) for end in (limit.lower, limit.upper))
            if lower < upper:
                if not lower - 1e-9 <= start <= upper + 1e-9:
                    said = {"got": start, "expected": f"between {lower:g} and {upper:g}", "file": self.file}
                    raise InputError("joint starts beyond its limits", path=joint.name, **said)
                # Angles and displacements of the engine are zero at the start.
                stop = Stop(f"{name}-limit", joint=name, lower=lower - start, upper=upper - start, acts=acts)
                self.system.add(dataclasses.replace(stop, stiffness=STOP_STIFFNESS))
        dynamics = joint.dynamics
        found = (dynamics.friction, dynamics.damping) if dynamics is not None else (0.0, 0.0)
        coulomb, viscous = (float(item or 0.0) for item in found)
        if coulomb > 0.0 or viscous > 0.0:
            self.system.add(Friction(f"{name}-friction", joint=name, coulomb=coulomb, viscous=viscous, acts=acts))

    def name(self, joint: str) -> str:
        """Links and joints may share names in URDF; here names are unique."""
        return joint if joint not in self.links else f"{joint}-joint"
