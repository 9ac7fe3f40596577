"""Links that are no bodies of their own: welded ones are lumped, those without inertia get what changes no motion.

*Welded links* move as one: masses add up, tensors about a common point too (Huygens and Steiner), exactly.

*Links without inertia* between two joints (universal joints drawn as two hinges, say) leave the equations of motion of
a tree regular, but a body needs inertia of its own. Masses may be moved across a joint where both links move alike:

- Points on the axis of a hinge belong to both links. A rod along the axis, mass m, transverse moment J, none about the
  axis, moves and turns the same way on either side: taken out of one link and given to the other it leaves all motion
  as it is (the regrouping of inertia parameters of Gautier and Khalil, 1990). Only the reaction of that joint changes.
- Links on a slider turn alike: a pure moment of inertia, without mass, may be on either side.
- The ground gives whatever is asked: what rests does not move, or turns with nothing.

A link that has not become a body by this (two in a row, in a ball joint drawn as three hinges) gets FAINT of the
inertia that it carries, and a note says so. Because rods have brought it all but one direction, a figure that small
does not disturb the solution: accelerations agree with those of reduced coordinates to 1e-10.

A joint that moves nothing with mass has no motion of its own; it is held, which changes nothing for the others.
"""

from __future__ import annotations

import numpy as np

from centrode.errors import InputError
from centrode.scenario.robots.description import FIXED, PRISMATIC, REVOLUTE, Inertia, Robot, RobotJoint

SHARE = 0.5
"""Part of a link's mass that is moved across a joint at most; the rest stays with it."""
ON_AXIS = 1e-12
"""Squared radius of gyration about a hinge below which nothing turns on it [m2]."""
FAINT = 1e-13
"""Inertia of a link that can get none exactly, relative to what it carries."""


def lump(robot: Robot, held: bool) -> dict[str, tuple[str, np.ndarray]]:
    """Join welded links, hold joints that move nothing, and give inertia to links without; changes the robot.

    Args:
        robot: the tree.
        held: the root rests in the world, which is the link of that name from now on.

    Returns:
        Link of the file -> the link that carries it now, and its pose in that one.
    """
    carrier = {name: (name, np.eye(4)) for name in robot.links}
    hold_idle_joints(robot)
    for joint in robot.order():
        if joint.kind == FIXED:
            weld(robot, joint, carrier)
    give_inertia(robot, held)
    return carrier


def hold_idle_joints(robot: Robot) -> None:
    """Joints behind which nothing resists become fixed; a note names them.

    That is no mass at all, or, for a hinge with a rigid rest behind it, masses on its axis alone (a radius of gyration
    below a micrometre).
    """
    behind: dict[str, Inertia] = {name: link.inertia for name, link in robot.links.items()}
    rigid = dict.fromkeys(robot.links, True)
    idle: list[RobotJoint] = []
    for joint in reversed(robot.order()):
        moved = behind[joint.child]
        about = Inertia(moved.mass, moved.centre - joint.point, moved.tensor).about_origin()
        on_axis = float(joint.axis @ about @ joint.axis) <= ON_AXIS * moved.mass
        nothing = moved.mass == 0.0 and not moved.tensor.any()
        if joint.kind != FIXED and (nothing or (joint.kind == REVOLUTE and rigid[joint.child] and on_axis)):
            idle.append(joint)
            joint.kind, joint.mimic = FIXED, None
        rigid[joint.parent] = rigid[joint.parent] and rigid[joint.child] and joint.kind == FIXED
        behind[joint.parent] = behind[joint.parent] + moved.moved(joint.origin)
    if idle:
        names = ", ".join(f"'{joint.name}'" for joint in reversed(idle))
        robot.notes.append(f"nothing with inertia moves behind {names}: held where the file has zero")
        gone = {joint.name for joint in idle}
        for joint in robot.joints.values():
            if joint.mimic is not None and joint.mimic.joint in gone:
                joint.mimic = None


def weld(robot: Robot, joint: RobotJoint, carrier: dict[str, tuple[str, np.ndarray]]) -> None:
    """Put the child of a fixed joint, and all that it carries, on its parent."""
    parent, child = robot.links[joint.parent], robot.links.pop(joint.child)
    del robot.joints[joint.name]
    parent.inertia = parent.inertia + child.inertia.moved(joint.origin)
    parent.shapes += [shape.moved(joint.origin) for shape in child.shapes]
    for name, (owner, pose) in carrier.items():
        if owner == child.name:
            carrier[name] = (parent.name, joint.origin @ pose)
    for other in robot.joints.values():
        if other.parent == child.name:
            other.parent, other.origin = parent.name, joint.origin @ other.origin


# -- links without inertia ---------------------------------------------------------------------------------------------


def give_inertia(robot: Robot, held: bool) -> None:
    """Let every link turn: by moving rods across its joints, or by a faint inertia of its own."""
    ground = robot.root if held else ""
    wanting = [name for name, link in robot.links.items() if name != ground and not link.inertia.turns]
    helped: list[str] = []
    done: set[tuple[str, str]] = set()
    for _ in wanting:  # a link that has got its inertia can pass some of it on
        for name in wanting:
            for joint in robot.joints.values():
                other = joint.parent if name == joint.child else joint.child
                if name not in (joint.parent, joint.child) or (name, joint.name) in done or name in helped:
                    continue
                if other == ground or robot.links[other].inertia.turns:
                    share_across(robot, joint, name, ground)
                    done.add((name, joint.name))
        helped += [name for name in wanting if name not in helped and robot.links[name].inertia.turns]
    if helped:
        names = ", ".join(f"'{name}'" for name in helped)
        what = "given masses on axes of joints, which changes no motion, only reactions there"
        robot.notes.append(f"{names} without inertia: {what}")
    faint = [name for name in wanting if not robot.links[name].inertia.turns]
    hopeless = [name for name in faint if not nearly_turns(robot.links[name].inertia)]
    if hopeless:
        expected, hint = "masses off the axes of its joints", "give it an <inertial> with moments of inertia"
        what = "a link without inertia between joints that bring it none"
        said = {"expected": expected, "hint": hint}
        raise InputError([robot.fault(what, name, robot.links[name].line, **said) for name in hopeless])
    for name in faint:
        robot.links[name].inertia = robot.links[name].inertia + faint_inertia(robot, name)
    if faint:
        names = ", ".join(f"'{name}'" for name in faint)
        robot.notes.append(f"{names} without inertia: given {FAINT:g} of the inertia that moves behind it")


def nearly_turns(inertia: Inertia) -> bool:
    """Whether but one principal moment is missing."""
    moments = np.linalg.eigvalsh(inertia.tensor)
    return inertia.mass > 0.0 and bool(moments[1] > 1e-12 * max(inertia.mass, moments[2]))


def share_across(robot: Robot, joint: RobotJoint, name: str, ground: str) -> None:
    """Give a link what its neighbour across a joint can spare."""
    child_side = joint.child == name
    other = robot.links[joint.parent if child_side else joint.child]
    free = other.name == ground
    to_child = joint.origin  # zero position: the axis is the same line in both frames
    given: Inertia | None = None
    if joint.kind == REVOLUTE:
        axis, point = joint.axis, joint.point
        if not child_side:
            source = other.inertia
        elif free:
            source = Inertia()
        else:
            source = other.inertia.moved(np.linalg.inv(to_child))
        given = rod_on_axis(source, axis, point, robot.links[name].inertia, free)
    elif joint.kind == PRISMATIC:
        source = other.inertia if not child_side else other.inertia.moved(np.linalg.inv(to_child))
        given = pure_moment(source, robot.links[name].inertia, free)
    if given is None:
        return
    here = given if child_side else given.moved(to_child)
    there = given if not child_side else given.moved(to_child)
    robot.links[name].inertia = robot.links[name].inertia + here
    if not free:
        other.inertia = other.inertia + -there


def rod_on_axis(source: Inertia, axis: np.ndarray, point: np.ndarray, own: Inertia, free: bool) -> Inertia | None:
    """Rod on a hinge's axis that ``source`` can spare, all in the child's frame; for the ground, one that suits."""
    across = np.eye(3) - np.outer(axis, axis)
    if free:
        # Half of what the link has already, or a kilogram on a decimetre: it rests on the axis, or turns with nothing.
        mass = own.mass or 1.0
        reach = float(np.trace(own.tensor)) / mass or 0.01
        return Inertia(mass, point, mass * reach * across)
    if source.mass <= 0.0:
        return None
    centre = point + axis * float(axis @ (source.centre - point))
    least = source.least_moment()
    share = SHARE
    for _ in range(40):
        mass = share * source.mass
        taken = Inertia(mass, centre, share * max(least, 0.0) * across)
        left = source + -taken
        if left.mass > 0.0 and left.least_moment() >= 0.25 * least:
            return taken if mass > 0.0 else None
        share *= 0.5
    return None


def pure_moment(source: Inertia, own: Inertia, free: bool) -> Inertia | None:
    """Moment of inertia without mass that a link on the other side of a slider can spare."""
    if free:
        return Inertia(0.0, np.zeros(3), max(own.mass, 1.0) * 0.01 * np.eye(3))
    least = source.least_moment()
    return Inertia(0.0, np.zeros(3), SHARE * least * np.eye(3)) if least > 0.0 else None


def faint_inertia(robot: Robot, name: str) -> Inertia:
    """A ball at the link's joint with FAINT of the mass and moment of all links behind it."""
    behind = [robot.links[name].inertia]
    reach = 0.0
    children, waiting = robot.children(), [(name, np.eye(4))]
    joints = [joint for joint in robot.joints.values() if joint.child == name]
    while waiting:
        link, pose = waiting.pop()
        for joint in children.get(link, []):
            place = pose @ joint.origin
            behind.append(robot.links[joint.child].inertia.moved(place))
            reach = max(reach, float(np.linalg.norm(place[:3, 3])))
            waiting.append((joint.child, place))
    total = Inertia()
    for item in behind:
        total = total + item
    point = joints[0].point if joints else np.zeros(3)
    if total.mass <= 0.0:
        raise InputError([robot.fault("a link without mass", name, robot.links[name].line)])
    about = Inertia(total.mass, total.centre - point, total.tensor).about_origin()
    moment = max(float(np.linalg.eigvalsh(about)[2]), total.mass * 1e-6)
    return Inertia(FAINT * total.mass, point, FAINT * moment * np.eye(3))
