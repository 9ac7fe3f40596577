"""Where bodies stand and how they move at the start, when joints say so (``angle``, ``displacement`` and their rates).

The poses that bodies are entered in are the reference, in which joint coordinates are zero (displacements: what they
are there). A joint that is given another start moves its second body, and with it all that hangs on that: along a tree
from the ground, or from the first body of a part that hangs on nothing,

    T_b = T_a M,       M = M_1 M_2 ...                                                                    (1)
    (w, v)_b = (w, v)_a + sum of rate_k times the line k, moved by T_a M_1 ... M_(k-1)                    (2)

with T the displacement of a body from its reference, M_k the turns and slides of the joint in reference world
coordinates, from a outwards. Joints without a start are carried along; rods, gears and the like carry nothing. Of
joints in a loop those with a start belong to the tree first; what then is open is closed by the assembly, which holds
the coordinates that were given.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from centrode.errors import Fault, InputError
from centrode.math.rotation import matrix_from_axis_angle, quaternion_from_matrix
from centrode.parts.bodies.body import Body
from centrode.parts.joints.joint import Joint, StartMotion
from centrode.parts.placement import GROUND, Scene

MOTION = ("velocity", "omega")


@dataclasses.dataclass
class Displacement:
    """Rigid displacement from the reference, and the motion after it.

    Attributes:
        rotation, shift: x -> rotation x + shift, world [m].
        omega, velocity: angular velocity, and velocity of the point that now lies at the world's origin.
        told: a rate of a joint is behind this motion.
    """

    rotation: np.ndarray = dataclasses.field(default_factory=lambda: np.eye(3))
    shift: np.ndarray = dataclasses.field(default_factory=lambda: np.zeros(3))
    omega: np.ndarray = dataclasses.field(default_factory=lambda: np.zeros(3))
    velocity: np.ndarray = dataclasses.field(default_factory=lambda: np.zeros(3))
    told: bool = False

    def moved(self, motion: StartMotion, sign: float = 1.0) -> Displacement:
        """This displacement after one turn or slide (1), with its rate (2); ``sign`` -1 undoes it."""
        axis, point = self.rotation @ motion.axis, self.rotation @ motion.point + self.shift
        rate = 0.0 if motion.rate is None else sign * motion.rate
        told = self.told or motion.rate is not None
        if motion.turns:
            turn = matrix_from_axis_angle(axis, sign * motion.value)
            return Displacement(
                turn @ self.rotation,
                point + turn @ (self.shift - point),
                self.omega + rate * axis,
                self.velocity + rate * np.cross(point, axis),
                told,
            )
        shift = self.shift + sign * motion.value * axis
        return Displacement(self.rotation, shift, self.omega, self.velocity + rate * axis, told)


def started_bodies(bodies: Sequence[Body], joints: Sequence[Joint], scene: Scene) -> list[Body]:
    """The bodies as they start; the same when no joint is given a start.

    Raises:
        InputError: a body is given a velocity that a joint gives too, or cannot be moved.
    """
    motions = {joint.name: joint.start_motions(scene) for joint in joints}
    if not any(motions.values()):
        return list(bodies)
    holding = [joint for joint in joints if joint.holds_bodies(scene.plane)]
    edges = [(scene.resolve(joint.a)[0], scene.resolve(joint.b)[0], joint) for joint in holding]
    edges.sort(key=lambda edge: not motions[edge[2].name])  # those with a start first; otherwise as they were added
    placed = {GROUND: Displacement()}
    for root in [GROUND, *(body.name for body in bodies)]:
        placed.setdefault(root, Displacement())
        _walk(root, edges, motions, placed)
    faults: list[Fault] = []
    found = [_started(body, placed[body.name], scene.plane, faults) for body in bodies]
    if faults:
        raise InputError(faults)
    return found


def _walk(
    root: str,
    edges: list[tuple[str, str, Joint]],
    motions: dict[str, list[StartMotion]],
    placed: dict[str, Displacement],
) -> None:
    """Place all that hangs on a body; joints with a start are followed before others."""
    grown = True
    while grown:
        grown = False
        for a, b, joint in edges:
            if (a in placed) == (b in placed) or not {a, b} & set(placed):
                continue
            steps = motions[joint.name]
            if a in placed:
                there = placed[a]
                for motion in steps:
                    there = there.moved(motion)
                placed[b] = there
            else:
                there = placed[b]
                for motion in _undone(steps):
                    there = there.moved(motion, -1.0)
                placed[a] = there
            grown = True
            break


def _undone(steps: list[StartMotion]) -> list[StartMotion]:
    """The steps that take b back to a, seen from b: (M_1 M_2)^-1 = M_2^-1 M_1^-1."""
    return steps[::-1]


def _started(body: Body, there: Displacement, plane: bool, faults: list[Fault]) -> Body:
    unmoved = np.array_equal(there.rotation, np.eye(3)) and not np.any(there.shift)
    if unmoved and not there.told:
        return body
    values: dict[str, Any] = vars(body)
    names = ("position", "angle" if plane else "orientation", *MOTION)
    if not all(name in values for name in names):
        faults.append(Fault("a body of this kind cannot be placed by the start of a joint", body.name, got=body.kind))
        return body
    position, rotation = body.pose()
    position, rotation = there.rotation @ position + there.shift, there.rotation @ rotation
    edits: dict[str, Any] = {"position": tuple(position[: 2 if plane else 3].tolist())}
    turned = float(np.arctan2(there.rotation[1, 0], there.rotation[0, 0]))
    edits |= {"angle": values["angle"] + turned} if plane else {"orientation": tuple(quaternion_from_matrix(rotation))}
    if there.told:
        given = [name for name in MOTION if np.any(np.asarray(values[name], dtype=float))]
        if given:
            what = "the joints on the way to this body give its motion already"
            faults.append(body.fault(given[0], what, hint="leave it out, or the rates of these joints"))
        velocity = there.velocity + np.cross(there.omega, position)
        edits["velocity"] = tuple(velocity[: 2 if plane else 3].tolist())
        edits["omega"] = float(there.omega[2]) if plane else tuple((rotation.T @ there.omega).tolist())
    return dataclasses.replace(body, **edits)
