"""Which joint each mimic follows as a row.

A row joins at most three bodies: two joints that meet in one link. Files often name one leader for all that follow,
four bodies apart. All joints that go with one leader keep their ratios among each other,

    q_i = c_i q_leader,    so    q_i = (c_i / c_k) q_k                                       (1)

and each may follow any other of them. They are taken in breadth from the leader over links that they share; what no
link joins to those follows its own leader.
"""

from __future__ import annotations

from centrode.scenario.robots.description import Robot, RobotJoint


def followings(robot: Robot) -> list[tuple[str, str, float]]:
    """Joint that is followed, joint that follows, and ratio, for every joint with a mimic."""
    groups: dict[str, dict[str, float]] = {}
    for name, joint in robot.joints.items():
        if joint.mimic is not None:
            leader, ratio = leader_of(robot, joint)
            groups.setdefault(leader, {leader: 1.0})[name] = ratio
    found = []
    for leader, ratios in groups.items():
        reached, waiting = [leader], [name for name in ratios if name != leader]
        for known in reached:  # grows meanwhile
            for name in [name for name in waiting if _meet(robot.joints[known], robot.joints[name])]:
                waiting.remove(name)
                reached.append(name)
                found.append((known, name, ratios[name] / ratios[known]))  # (1)
        found += [(leader, name, ratios[name]) for name in waiting]
    return found


def leader_of(robot: Robot, joint: RobotJoint) -> tuple[str, float]:
    """First of a row of mimics, and the ratio to it; rings were refused (:mod:`centrode.scenario.robots.state`)."""
    ratio = 1.0
    while joint.mimic is not None:
        ratio *= joint.mimic.ratio
        joint = robot.joints[joint.mimic.joint]
    return joint.name, ratio


def _meet(first: RobotJoint, second: RobotJoint) -> bool:
    return bool({first.parent, first.child} & {second.parent, second.child})
