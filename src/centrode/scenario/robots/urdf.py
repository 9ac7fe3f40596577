"""URDF: robot descriptions of the Robot Operating System.

A file is a tree of links (mass, inertia about a centre of mass with its own axes, shapes) and joints (fixed, revolute,
continuous, prismatic, floating, planar) in their zero position. Read are all of these, limits, dynamics, mimics,
colours, and meshes by name (also ``package://``, looked for upwards from the file). Transmissions, sensors, safety
controllers and the extensions of simulators say nothing about motion and are passed over.

Faults come all at once, each with its line. What becomes of the tree: :mod:`centrode.scenario.robots.building`.
Reference: URDF XML specification of ROS.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from centrode.errors import InputError, nearest_name
from centrode.parts.xml_tree import Attributes, Element, read_xml
from centrode.scenario.robots.building import RobotImport, RobotOptions, plain_name
from centrode.scenario.robots.description import (
    FIXED,
    FLOATING,
    PLANAR,
    PRISMATIC,
    REVOLUTE,
    Inertia,
    Mimic,
    Robot,
    RobotJoint,
    RobotLink,
    RobotShape,
    Sizes,
    find_root,
)
from centrode.scenario.robots.shapes import mesh_sizes, missing_note

KINDS = {
    "fixed": FIXED,
    "revolute": REVOLUTE,
    "continuous": REVOLUTE,
    "prismatic": PRISMATIC,
    "floating": FLOATING,
    "planar": PLANAR,
}


ROUNDED = 1e-15
"""A moment of inertia above minus this is a zero that went through other programs [kg m2]."""


def load_urdf(path: str | Path, **options: Any) -> RobotImport:
    """Read a URDF file.

    Args:
        path: the file.
        options: fields of :class:`RobotOptions`: positions, rates, fix_root, position, orientation, gravity, ground,
            outlines, stiffness, damping, links_touch.

    Raises:
        InputError: no such file, unreadable, not a tree, or with links that cannot move as rigid bodies.
    """
    return RobotImport(_Reader(str(path), Path(path).parent).robot(read_xml(path)), RobotOptions.read(options))


def rotation_from_rpy(roll: float, pitch: float, yaw: float) -> np.ndarray:
    """Rz(yaw) Ry(pitch) Rx(roll), shape (3, 3)."""
    (ca, sa), (cb, sb), (cc, sc) = ((math.cos(x), math.sin(x)) for x in (roll, pitch, yaw))
    return np.array(
        [
            [cc * cb, cc * sb * sa - sc * ca, cc * sb * ca + sc * sa],
            [sc * cb, sc * sb * sa + cc * ca, sc * sb * ca - cc * sa],
            [-sb, cb * sa, cb * ca],
        ]
    )


class _Reader(Attributes):
    """Reads one file and collects its faults."""

    def __init__(self, file: str, folder: Path) -> None:
        super().__init__(file)
        self.folder = folder
        self.colours: dict[str, str] = {}
        self.missing: list[str] = []

    def robot(self, root: Element) -> Robot:
        if root.tag != "robot":
            raise InputError("not a URDF file", file=self.file, line=root.line, got=root.tag, expected="<robot>")
        robot = Robot(self.text(root, "name", "robot"), self.file)
        for item in root.all("material"):
            self.colour(item)
        for item in root.all("link"):
            link = self.link(item)
            self.keep(robot.links, link.name, link, item)
        for item in root.all("joint"):
            joint = self.joint(item)
            self.keep(robot.joints, joint.name, joint, item)
        if not robot.links and not self.faults:
            self.fault(root, "a robot without links")
        self.raise_any()
        self.check_mimics(robot)
        self.raise_any()
        find_root(robot)
        robot.notes += missing_note(self.missing)
        return robot

    def keep(self, known: Sizes, name: str, item: object, element: Element) -> None:
        """Take an item by its name; a second one of the same name is a fault."""
        if name in known:
            self.fault(element, "name used twice", "name", got=name)
        known[name] = item

    # -- links ---------------------------------------------------------------------------------------------------------

    def link(self, element: Element) -> RobotLink:
        link = RobotLink(plain_name(self.text(element, "name")), line=element.line)
        inertial = element.first("inertial")
        if inertial is not None:
            link.inertia = self.inertia(inertial, link.name)
        for tag in ("visual", "collision"):
            for item in element.all(tag):
                shape = self.shape(item)
                if shape is not None:
                    link.shapes.append(shape)
        return link

    def inertia(self, element: Element, name: str) -> Inertia:
        mass_element, moments = element.first("mass"), element.first("inertia")
        mass = 0.0
        if mass_element is None:
            self.fault(element, "<mass> is missing")
        else:
            mass = self.number(mass_element, "value")
            if mass < 0.0:
                self.fault(mass_element, f"{name}.mass must be positive", "value", got=mass)
        tensor = np.zeros((3, 3))
        if moments is not None:
            xx, yy, zz = (self.number(moments, key) for key in ("ixx", "iyy", "izz"))
            xy, xz, yz = (self.number(moments, key, 0.0) for key in ("ixy", "ixz", "iyz"))
            tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            if min(xx, yy, zz) < -ROUNDED:
                self.fault(moments, f"{name}: a negative moment of inertia", got=(xx, yy, zz), expected="0 or above")
        return Inertia(mass, np.zeros(3), tensor).moved(self.pose(element))

    def pose(self, element: Element) -> np.ndarray:
        """Pose of an <origin>, that of its element when there is none."""
        found, origin = np.eye(4), element.first("origin")
        if origin is not None:
            found[:3, 3] = self.numbers(origin, "xyz", 3, [0.0, 0.0, 0.0])
            found[:3, :3] = rotation_from_rpy(*self.numbers(origin, "rpy", 3, [0.0, 0.0, 0.0]))
        return found

    def shape(self, element: Element) -> RobotShape | None:
        geometry = element.first("geometry")
        if geometry is None or not geometry.children:
            self.fault(element, "<geometry> is missing")
            return None
        item = geometry.children[0]
        sizes: Sizes | None = None
        kind = item.tag
        if kind == "box":
            sizes = {"size": tuple(self.numbers(item, "size", 3))}
        elif kind == "sphere":
            sizes = {"radius": self.number(item, "radius")}
        elif kind in ("cylinder", "capsule"):
            radius, length = self.number(item, "radius"), self.number(item, "length")
            sizes = {"radius": radius, "length": length} if kind == "cylinder" else {
                "radius": radius, "half_length": 0.5 * length
            }  # fmt: skip
        elif kind == "mesh":
            scale = self.numbers(item, "scale", 3, [1.0, 1.0, 1.0])
            sizes = mesh_sizes(self.text(item, "filename"), self.folder, scale, self.missing)
        else:
            known = ("box", "sphere", "cylinder", "capsule", "mesh")
            said = {"got": kind, "expected": "one of " + ", ".join(known), "nearest": nearest_name(kind, known)}
            self.fault(geometry, "unknown shape", **said)
        if sizes is None:
            return None
        seen = element.tag == "visual"
        colour = "".join(self.colour(material) for material in element.all("material")[:1])
        return RobotShape(kind, self.pose(element), sizes, seen=seen, touches=not seen, colour=colour)

    def colour(self, element: Element) -> str:
        """Colour of a material, by its own words or by its name."""
        name, item = element.attributes.get("name", ""), element.first("color")
        if item is not None:
            red, green, blue, _ = self.numbers(item, "rgba", (3, 4), [0.5, 0.5, 0.5, 1.0])[:3] + [1.0]
            levels = [round(255 * min(max(level, 0.0), 1.0)) for level in (red, green, blue)]
            self.colours[name] = "#" + "".join(f"{level:02x}" for level in levels)
        return self.colours.get(name, "")

    # -- joints --------------------------------------------------------------------------------------------------------

    def joint(self, element: Element) -> RobotJoint:
        word = self.choice(element, "type", tuple(KINDS))
        names = {}
        for role in ("parent", "child"):
            item = element.first(role)
            if item is None:
                self.fault(element, f"<{role}> is missing")
            names[role] = plain_name(self.text(item, "link")) if item is not None else ""
        name = plain_name(self.text(element, "name"))
        joint = RobotJoint(name, KINDS[word], names["parent"], names["child"], self.pose(element), line=element.line)
        if word in ("revolute", "continuous", "prismatic", "planar"):
            joint.axis = self.axis(element)
        if word in ("revolute", "continuous", "prismatic"):
            self.limits(element, word, joint)
        return joint

    def axis(self, element: Element) -> np.ndarray:
        item = element.first("axis")
        axis = np.array([1.0, 0.0, 0.0] if item is None else self.numbers(item, "xyz", 3))
        norm = float(np.linalg.norm(axis))
        if norm == 0.0:
            self.fault(item or element, "a joint axis of length zero", "xyz", got=axis.tolist())
        return axis / (norm or 1.0)

    def limits(self, element: Element, word: str, joint: RobotJoint) -> None:
        """Limits, dynamics and mimic."""
        limit, dynamics, mimic = (element.first(tag) for tag in ("limit", "dynamics", "mimic"))
        if limit is not None:
            lower, upper = self.number(limit, "lower", 0.0), self.number(limit, "upper", 0.0)
            joint.effort = max(self.number(limit, "effort", 0.0), 0.0)
            if word != "continuous" and lower < upper:
                joint.lower, joint.upper = lower, upper
            elif lower > upper:
                self.fault(limit, "the lower limit is above the upper one", got=(lower, upper))
        if dynamics is not None:
            joint.damping, joint.friction = (self.number(dynamics, key, 0.0) for key in ("damping", "friction"))
            for key, value in (("damping", joint.damping), ("friction", joint.friction)):
                if value < 0.0:
                    self.fault(dynamics, "too small", key, got=value, expected="at least 0")
        if mimic is not None:
            ratio, offset = self.number(mimic, "multiplier", 1.0), self.number(mimic, "offset", 0.0)
            joint.mimic = Mimic(plain_name(self.text(mimic, "joint")), offset, ratio)

    def check_mimics(self, robot: Robot) -> None:
        """Every mimic follows a hinge or slider; what names none is left free, and a note says so."""
        known = [joint.name for joint in robot.joints.values() if joint.has_value]
        for joint in robot.joints.values():
            if joint.mimic is not None and joint.mimic.joint not in known:
                near = nearest_name(joint.mimic.joint, known)
                meant = f" (did you mean '{near}'?)" if near else ""
                robot.notes.append(
                    f"joint '{joint.name}' mimics '{joint.mimic.joint}', which is none: left free{meant}"
                )
                joint.mimic = None
            elif joint.mimic is not None and joint.mimic.ratio == 0.0:
                self.faults.append(robot.fault("mimics with a multiplier of 0", joint.name, joint.line))
