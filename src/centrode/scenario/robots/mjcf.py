"""MJCF: models of MuJoCo.

Read are bodies with their inertias (given, or from geoms), joints (hinge, slide, ball, free; several on one body in
turn), geoms as shapes and collision shapes, classes of defaults, frames, includes, actuators (motor, position,
velocity, general with fixed gain) and equalities (connect, weld, joint). The world is the ground.

Taken differently: equalities and joints are exact here, soft constraints there; limits are stops with a stiffness of
their own; friction loss is dry friction smoothed over a small speed. What has no counterpart (armature, tendons,
sensors, contact parameters, ...) is named in notes. Reference: MuJoCo, "XML reference".
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from centrode.errors import nearest_name
from centrode.parts.xml_tree import Element
from centrode.scenario.robots.building import RobotImport, RobotOptions, plain_name
from centrode.scenario.robots.description import (
    BALL,
    FIXED,
    FLOATING,
    PRISMATIC,
    REVOLUTE,
    Inertia,
    Mimic,
    Robot,
    RobotDrive,
    RobotJoint,
    RobotLink,
    RobotTie,
    find_root,
)
from centrode.scenario.robots.mjcf_geoms import Geoms
from centrode.scenario.robots.mjcf_words import Words, read_mjcf
from centrode.scenario.robots.shapes import missing_note

WORLD = "world"
KINDS = {"hinge": REVOLUTE, "slide": PRISMATIC, "ball": BALL, "free": FLOATING}
UNUSED_SECTIONS = ("tendon", "sensor", "keyframe", "contact", "deformable", "custom", "extension")
UNUSED_IN_BODIES = ("composite", "flexcomp", "plugin", "attach", "replicate")
DRIVES = ("motor", "position", "velocity", "general")


def load_mjcf(path: str | Path, **options: Any) -> RobotImport:
    """Read an MJCF file.

    Args:
        path: the file.
        options: fields of :class:`RobotOptions`; ``fix_root`` has no say, because the file itself says what is free.

    Raises:
        InputError: no such file, unreadable, or with bodies that cannot move.
    """
    root = read_mjcf(path)
    reader = _Reader(Words(root, str(path)), root, Path(path).parent)
    return RobotImport(reader.robot(root), RobotOptions.read(options))


class _Reader:
    """Reads one file."""

    def __init__(self, words: Words, root: Element, folder: Path) -> None:
        self.words, self.geoms = words, Geoms(words, root, folder)
        self.tree = Robot(words.text(root, "model", "robot"), words.file, held=True)
        self.left_out: dict[str, int] = {}
        self.numbers: dict[str, int] = {}
        self.given: set[str] = set()

    def robot(self, root: Element) -> Robot:
        """The whole file."""
        words, tree = self.words, self.tree
        tree.gravity = self.gravity(root)
        tree.links[WORLD] = RobotLink(WORLD)
        for world in root.all("worldbody"):
            self.inside(world, WORLD, world.attributes.get("childclass", ""), np.eye(4))
        words.raise_any()
        find_root(tree)
        self.weigh()
        for section in root.all("equality"):
            for item in section.children:
                self.equality(words.filled(item, ""))
        for section in root.all("actuator"):
            for item in section.children:
                self.drive(item)
        for tag in UNUSED_SECTIONS:
            if any(section.children for section in root.all(tag)):
                self.leave(f"<{tag}>")
        words.raise_any()
        tree.notes += missing_note(self.geoms.missing)
        for what in sorted(self.geoms.left_out):
            self.leave(what)
        if self.left_out:
            said = ", ".join(f"{what} ({count})" if count > 1 else what for what, count in self.left_out.items())
            tree.notes.append(f"left out of the file: {said}")
        return tree

    def leave(self, what: str) -> None:
        """Count something that has no counterpart."""
        self.left_out[what] = self.left_out.get(what, 0) + 1

    def gravity(self, root: Element) -> tuple[float, float, float]:
        """Gravity of the last <option>; nothing where it is switched off."""
        found = [0.0, 0.0, -9.81]
        for option in root.all("option"):
            found = self.words.numbers(option, "gravity", 3, found)
            for key in ("density", "viscosity", "wind"):
                if any(self.words.numbers(option, key, (1, 3), [0.0])):
                    self.leave(f"{key} of the air")
            for flag in option.all("flag"):
                if flag.attributes.get("gravity") == "disable":
                    found = [0.0, 0.0, 0.0]
        return found[0], found[1], found[2]

    # -- bodies --------------------------------------------------------------------------------------------------------

    def inside(self, element: Element, link: str, childclass: str, frame: np.ndarray) -> None:
        """Geoms and bodies of a body, the world or a frame."""
        for item in element.children:
            if item.tag == "geom":
                shape, inertia = self.geoms.read(item, childclass, frame)
                owner = self.tree.links[link]
                owner.shapes += [shape] if shape is not None else []
                if link != WORLD and link not in self.given:
                    owner.inertia = owner.inertia + inertia
            elif item.tag == "body":
                self.body(item, link, childclass, frame)
            elif item.tag == "frame":
                name = item.attributes.get("childclass", childclass)
                self.inside(item, link, name, frame @ self.words.pose(item))
            elif item.tag in UNUSED_IN_BODIES:
                self.leave(f"<{item.tag}>")

    def body(self, element: Element, parent: str, childclass: str, frame: np.ndarray) -> None:
        """A body with its joints, each but the last on a link without mass."""
        words = self.words
        name = self.named(element, "body", self.tree.links)
        childclass = element.attributes.get("childclass", childclass)
        joints = self.elements(element, "joint", "freejoint")
        pose = frame @ words.pose(element)
        for k, (item, inner) in enumerate(joints):
            last = k == len(joints) - 1
            child = name if last else f"{name}-{k + 1}"
            joint = self.joint(item, childclass, parent, child, inner)
            joint.origin = pose @ joint.motion(-self.tree.start.get(joint.name, 0.0))
            self.tree.links[child] = RobotLink(child, line=element.line)
            self.tree.joints[joint.name] = joint
            parent, pose = child, np.eye(4)
        if not joints:
            self.tree.links[name] = RobotLink(name, line=element.line)
            weld = self.free_joint_name(f"{name}-weld")
            self.tree.joints[weld] = RobotJoint(weld, FIXED, parent, name, pose, line=element.line)
        if "gravcomp" in element.attributes:
            self.leave("gravity compensation")
        if element.attributes.get("mocap") == "true":
            self.leave("bodies moved by hand (mocap)")
        inertial = element.first("inertial")
        by_geoms = words.compiler.get("inertiafromgeom", "auto") == "true"
        if inertial is not None and not by_geoms:
            self.given.add(name)
            self.tree.links[name].inertia = self.inertia(inertial)
        self.inside(element, name, childclass, np.eye(4))

    def elements(self, element: Element, *tags: str) -> list[tuple[Element, np.ndarray]]:
        """Children of some names with the pose of the frames that they stand in."""
        found: list[tuple[Element, np.ndarray]] = []
        for item in element.children:
            if item.tag in tags:
                found.append((item, np.eye(4)))
            elif item.tag == "frame":
                pose = self.words.pose(item)
                found += [(inner, pose @ place) for inner, place in self.elements(item, *tags)]
        return found

    def named(self, element: Element, what: str, known: dict[str, Any]) -> str:
        """Name of an element, made up where it has none."""
        given = element.attributes.get("name")
        if given is None:
            self.numbers[what] = self.numbers.get(what, 0) + 1
            return f"{what}{self.numbers[what]}"
        name = plain_name(given)
        if name in known:
            self.words.fault(element, "name used twice", "name", got=given)
        return name

    def free_joint_name(self, name: str) -> str:
        while name in self.tree.joints:
            name += "_"
        return name

    def inertia(self, element: Element) -> Inertia:
        """Inertia as given."""
        words = self.words
        mass = words.number(element, "mass")
        if mass < 0.0:
            words.fault(element, "a negative mass", "mass", got=mass)
        if "fullinertia" in element.attributes:
            xx, yy, zz, xy, xz, yz = words.numbers(element, "fullinertia", 6)
            tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        else:
            tensor = np.diag(words.numbers(element, "diaginertia", 3, [0.0, 0.0, 0.0]))
        return Inertia(mass, np.zeros(3), tensor).moved(words.pose(element))

    def weigh(self) -> None:
        """Least masses and moments, and a total mass, as the compiler settings ask."""
        words, links = self.words, [link for name, link in self.tree.links.items() if name != WORLD]
        settings = Element("compiler", words.compiler, 0)
        least_mass, least = words.number(settings, "boundmass", 0.0), words.number(settings, "boundinertia", 0.0)
        bodies = [link for link in links if not link.name.rpartition("-")[2].isdigit() or link.inertia.mass > 0.0]
        for link in bodies:
            if least_mass > 0.0 or least > 0.0:
                moments, axes = np.linalg.eigh(link.inertia.tensor)
                tensor = axes @ np.diag(np.maximum(moments, least)) @ axes.T
                link.inertia = Inertia(max(link.inertia.mass, least_mass), link.inertia.centre, tensor)
        total = words.number(settings, "settotalmass", -1.0)
        mass = sum(link.inertia.mass for link in links)
        if total > 0.0 and mass > 0.0:
            for link in links:
                scale = total / mass
                link.inertia = Inertia(scale * link.inertia.mass, link.inertia.centre, scale * link.inertia.tensor)

    # -- joints --------------------------------------------------------------------------------------------------------

    def joint(self, element: Element, childclass: str, parent: str, child: str, frame: np.ndarray) -> RobotJoint:
        """A joint; its values count from ``ref``."""
        words, name = self.words, self.free_joint_name(self.joint_name(element, child))
        if element.tag == "freejoint":
            return RobotJoint(name, FLOATING, parent, child, line=element.line)
        item = words.filled(element, childclass)
        word = words.choice(item, "type", tuple(KINDS), "hinge")
        joint = RobotJoint(name, KINDS[word], parent, child, line=element.line)
        joint.point = frame[:3, :3] @ np.array(words.numbers(item, "pos", 3, [0.0, 0.0, 0.0])) + frame[:3, 3]
        if word == "free":
            joint.point = np.zeros(3)
            return joint
        axis = np.array(words.numbers(item, "axis", 3, [0.0, 0.0, 1.0]))
        if not axis.any():
            words.fault(item, "a joint axis of length zero", "axis", got=axis.tolist())
            return joint
        joint.axis = frame[:3, :3] @ axis / np.linalg.norm(axis)
        for key in ("damping", "frictionloss", "stiffness", "armature"):
            if words.number(item, key, 0.0) < 0.0:
                words.fault(item, "too small", key, got=item.attributes[key], expected="at least 0")
        if words.number(item, "armature", 0.0) > 0.0:
            self.leave("armature of joints")
        in_radians = words.angle if word == "hinge" else float
        limits = words.numbers(item, "range", 2, [0.0, 0.0])
        limited = words.flag(item, "limited", "range" in item.attributes)
        if word == "ball":
            if limited:
                self.leave("limits of ball joints")
            if any(words.number(item, key, 0.0) > 0.0 for key in ("damping", "frictionloss", "stiffness")):
                self.leave("damping, friction and springs of ball joints")
            return joint
        reference = in_radians(words.number(item, "ref", 0.0))
        if reference:
            self.tree.start[name] = reference
        if limited and limits[0] < limits[1]:
            joint.lower, joint.upper = (in_radians(end) for end in limits)
        joint.damping = words.number(item, "damping", 0.0)
        joint.friction = words.number(item, "frictionloss", 0.0)
        joint.stiffness = words.number(item, "stiffness", 0.0)
        joint.rest = in_radians(words.number(item, "springref", 0.0))
        return joint

    def joint_name(self, element: Element, child: str) -> str:
        given = element.attributes.get("name")
        if given is not None and plain_name(given) in self.tree.joints:
            self.words.fault(element, "name used twice", "name", got=given)
        return plain_name(given) if given is not None else f"{child}-joint"

    # -- equalities and drives -----------------------------------------------------------------------------------------

    def known(self, element: Element, attribute: str, known: list[str], otherwise: str = "") -> str:
        """Name of a body or joint that an attribute refers to; empty when there is none."""
        given = self.words.text(element, attribute, otherwise or None)
        name = plain_name(given) if given else ""
        if name not in known and attribute in element.attributes:
            near = nearest_name(name, known)
            self.words.fault(element, "unknown name", attribute, got=given, nearest=near)
        return name if name in known else ""

    def equality(self, item: Element) -> None:
        """A constraint between bodies or joints."""
        words, tree = self.words, self.tree
        if item.attributes.get("active") == "false":
            self.leave("equalities that are not active")
            return
        if item.tag in ("connect", "weld") and "body1" in item.attributes:
            a = self.known(item, "body1", list(tree.links))
            b = self.known(item, "body2", list(tree.links), WORLD)
            anchor = words.numbers(item, "anchor", 3, [0.0, 0.0, 0.0] if item.tag == "weld" else None)
            if item.tag == "weld" and any(words.numbers(item, "relpose", 7, [0.0, 1.0, 0, 0, 0, 0, 0])[3:]):
                self.leave("poses of welds (they hold the bodies as the file has them)")
            name = self.named(item, item.tag, {})
            if a and b:
                tree.ties.append(RobotTie(name, item.tag, a, b, np.array(anchor), line=item.line))
        elif item.tag == "joint" and "joint2" in item.attributes:
            self.coupling(item)
        else:
            self.leave(f"equalities of type {item.tag}")

    def coupling(self, item: Element) -> None:
        """A joint that follows another by a straight line."""
        words, tree = self.words, self.tree
        known = [joint.name for joint in tree.joints.values() if joint.has_value]
        follower, leader = (self.known(item, key, known) for key in ("joint1", "joint2"))
        terms = words.numbers(item, "polycoef", (1, 5), [0.0, 1.0])
        offset, ratio = terms[0], terms[1] if len(terms) > 1 else 0.0
        if any(terms[2:]) or ratio == 0.0:
            self.leave("equalities of joints that are no straight line with a slope")
        elif follower and leader:
            # The file counts both from where it begins.
            shift = tree.start.get(follower, 0.0) - ratio * tree.start.get(leader, 0.0)
            tree.joints[follower].mimic = Mimic(leader, offset + shift, ratio)

    def drive(self, element: Element) -> None:
        """An actuator at a joint."""
        words, tree = self.words, self.tree
        item = words.filled(element, "")
        known = [joint.name for joint in tree.joints.values() if joint.has_value]
        if item.tag not in DRIVES or "joint" not in item.attributes:
            self.leave(
                f"actuators of type {item.tag} at " + ("joints" if "joint" in item.attributes else "other things")
            )
            return
        joint = self.known(item, "joint", known)
        if not joint:
            return
        if item.attributes.get("dyntype", "none") != "none":
            self.leave("activation dynamics of actuators")
        gear = words.numbers(item, "gear", (1, 6), [1.0])[0]
        if gear == 0.0:
            words.fault(item, "an actuator with a gear of 0", "gear")
            return
        # force = gain * command - stiffness * length - damping * speed, with length = gear * value of the joint
        gain, stiffness, damping = self.gains(item)
        name = self.named(item, item.tag, {})
        lower, upper = self.span(item, "ctrlrange", "ctrllimited")
        force = self.span(item, "forcerange", "forcelimited")
        if stiffness == 0.0 and damping == 0.0:
            ends = sorted(gear * gain * end for end in (lower, upper))
            drive = RobotDrive(name, joint, lower=_finite(ends[0]), upper=_finite(ends[1]))
            if gear * gain != 1.0:
                tree.notes.append(f"command of '{name}' is its effort: {gear * gain:g} times that of the file")
        else:
            tracks = "position" if stiffness > 0.0 else "rate"
            scale = gain / (gear * (stiffness or damping))
            ends = sorted(scale * end for end in (lower, upper))
            effort = abs(gear) * max(abs(force[0]), abs(force[1]))
            drive = RobotDrive(
                name,
                joint,
                tracks,
                gear * gear * stiffness,
                gear * gear * damping,
                _finite(ends[0]),
                _finite(ends[1]),
                _finite(effort),
            )
            if scale != 1.0:
                tree.notes.append(f"command of '{name}' is a value of the joint: {scale:g} times that of the file")
        tree.drives.append(drive)

    def gains(self, item: Element) -> tuple[float, float, float]:
        """Gain, stiffness and damping of an actuator."""
        words = self.words
        if item.tag == "motor":
            return 1.0, 0.0, 0.0
        if item.tag == "position":
            kp = words.number(item, "kp", 1.0)
            if "dampratio" in item.attributes:
                self.leave("damping ratios of position actuators")
            return kp, kp, words.number(item, "kv", 0.0)
        if item.tag == "velocity":
            kv = words.number(item, "kv", 1.0)
            return kv, 0.0, kv
        if item.attributes.get("gaintype", "fixed") != "fixed":
            self.leave("gains of actuators that are not fixed")
        gain = words.numbers(item, "gainprm", (1, 10), [1.0])[0]
        bias = words.numbers(item, "biasprm", (1, 10), [0.0, 0.0, 0.0]) + [0.0, 0.0]
        if item.attributes.get("biastype", "none") != "affine":
            return gain, 0.0, 0.0
        if bias[0]:
            self.leave("constant forces of actuators")
        return gain, -bias[1], -bias[2]

    def span(self, item: Element, name: str, switch: str) -> tuple[float, float]:
        """A range that holds, or everything."""
        given = self.words.numbers(item, name, 2, [0.0, 0.0])
        if self.words.flag(item, switch, name in item.attributes) and given[0] < given[1]:
            return given[0], given[1]
        return -math.inf, math.inf


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
