"""A jointed body of a person: eleven rigid segments, knees and elbows as hinges with stops, ball joints elsewhere.

Masses of the segments over the whole (head 0.081, chest 0.216, abdomen and pelvis 0.281, upper arm 0.028, forearm and
hand 0.022, thigh 0.100, shank and foot 0.061) and heights of the joints over the height of the body (ankle 0.039,
knee 0.285, hip 0.530, elbow 0.630, shoulder 0.818, neck 0.850) are those of Winter, Biomechanics and Motor Control of
Human Movement (after Dempster; Drillis and Contini), quoted from memory. Thicknesses, and the stiffness and damping
that stand for muscles and ligaments at the ball joints, are assumptions; so are the stops of the hinges (0 to 2.4
rad).

Segments are capsules. A pose is the direction of each segment in the plane of walking: the angle from straight down
to straight ahead.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from centrode.classes import dataclass
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.forces.bushing import Bushing
from centrode.parts.forces.stop import Stop
from centrode.parts.joints.ball import Ball
from centrode.parts.joints.revolute import Revolute
from centrode.parts.outlines.capsule import OutlineCapsule
from centrode.parts.visual import vector

if TYPE_CHECKING:
    from centrode.system.builder import System

BEND = 2.4
"""Largest angle of knees and elbows [rad]."""


class Segment(NamedTuple):
    """One segment: share of the mass, length and radius over the height, where it hangs, aside [over the height].

    ``parent`` is the segment that it hangs on; ``far``: at the end of it that is away from its own joint.
    """

    mass: float
    length: float
    radius: float
    parent: str = ""
    far: bool = True
    aside: float = 0.0
    hinge: float = 0.0
    stiffness: float = 60.0


SEGMENTS = {
    "pelvis": Segment(0.281, 0.100, 0.075),
    "chest": Segment(0.216, 0.188, 0.075, "pelvis", stiffness=150.0),
    "head": Segment(0.081, 0.120, 0.052, "chest", stiffness=40.0),
    "left_thigh": Segment(0.100, 0.245, 0.045, "pelvis", False, 0.055),
    "right_thigh": Segment(0.100, 0.245, 0.045, "pelvis", False, -0.055),
    "left_shank": Segment(0.061, 0.285, 0.030, "left_thigh", hinge=-1.0),
    "right_shank": Segment(0.061, 0.285, 0.030, "right_thigh", hinge=-1.0),
    "left_arm": Segment(0.028, 0.188, 0.026, "chest", True, 0.115, stiffness=15.0),
    "right_arm": Segment(0.028, 0.188, 0.026, "chest", True, -0.115, stiffness=15.0),
    "left_forearm": Segment(0.022, 0.200, 0.022, "left_arm", hinge=1.0),
    "right_forearm": Segment(0.022, 0.200, 0.022, "right_arm", hinge=1.0),
}
UP = math.pi
STANDING = dict.fromkeys(SEGMENTS, 0.0) | {"pelvis": UP, "chest": UP, "head": UP}
SITTING = STANDING | {"chest": UP - 0.35, "head": UP - 0.1}
SITTING |= {f"{side}_thigh": 0.5 * UP for side in ("left", "right")} | {
    f"{side}_shank": 1.35 for side in ("left", "right")
}
SITTING |= {f"{side}_arm": 0.7 for side in ("left", "right")} | {f"{side}_forearm": 1.2 for side in ("left", "right")}


@dataclass(frozen=True)
class Person:
    """Where a person is and how it moves.

    Attributes:
        name: of the vehicle that it is.
        mass, height: [kg], [m].
        pose: angle of each segment.
        heading: direction in which it looks [rad].
        velocity: of all segments [m/s].
    """

    name: str
    mass: float
    height: float
    pose: dict[str, float]
    heading: float
    velocity: np.ndarray

    def lowest_points(self) -> list[tuple[float, float, float, float]]:
        """Lower end of every segment from the hips in world axes, and its radius [m]."""
        c, s = math.cos(self.heading), math.sin(self.heading)
        lower = {name: min(both, key=lambda point: float(point[2])) for name, both in self.ends().items()}
        return [
            (c * x - s * y, s * x + c * y, z, SEGMENTS[name].radius * self.height) for name, (x, y, z) in lower.items()
        ]

    def ends(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Joint and far end of every segment, the hips at the origin, in axes ahead, left, up [m]."""
        found: dict[str, tuple[np.ndarray, np.ndarray]] = {}
        for name, item in SEGMENTS.items():
            angle = self.pose[name]
            start = np.zeros(3)
            if item.parent:
                start = found[item.parent][1 if item.far else 0] + np.array([0.0, item.aside * self.height, 0.0])
            along = np.array([math.sin(angle), 0.0, -math.cos(angle)])
            found[name] = start, start + item.length * self.height * along
        return found

    def add_to(self, system: System, hips: np.ndarray) -> None:
        """Add bodies, outlines and joints; the hips at a place [m]."""
        c, s = math.cos(self.heading), math.sin(self.heading)
        world = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        ends = self.ends()
        for name, item in SEGMENTS.items():
            start, end = (hips + world @ point for point in ends[name])
            self._add_segment(system, name, item, start, end, world)
        for name, item in SEGMENTS.items():
            if item.parent:
                self._add_joint(system, name, item, hips + world @ ends[name][0], world[:, 1])

    def _add_segment(
        self, system: System, name: str, item: Segment, start: np.ndarray, end: np.ndarray, world: np.ndarray
    ) -> None:
        """A capsule whose axis is own z, from the joint to the far end."""
        length, radius, mass = item.length * self.height, item.radius * self.height, item.mass * self.mass
        across, axial = mass * (3.0 * radius**2 + length**2) / 12.0, 0.5 * mass * radius**2
        z = (end - start) / length
        y = world[:, 1]
        turned = np.column_stack([np.cross(y, z), y, z])
        body = f"{self.name}.{name}"
        place, moving = vector(0.5 * (start + end)), vector(self.velocity)
        matrix = tuple(vector(row) for row in turned)
        inertia = (across, across, axial)
        system.add(RigidBody(body, mass, inertia, position=place, orientation=matrix, velocity=moving))
        half = max(0.5 * length - radius, 0.01)
        system.add(OutlineCapsule(f"{body}-skin", body=body, radius=radius, half_length=half, material="person"))

    def _add_joint(self, system: System, name: str, item: Segment, at: np.ndarray, across: np.ndarray) -> None:
        a, b, joint = f"{self.name}.{item.parent}", f"{self.name}.{name}", f"{self.name}.{name}-joint"
        if item.hinge:
            system.add(Revolute(joint, a, b, at=vector(at), axis=vector(across)))
            # Straight ahead is a turn about -y: knees bend backwards, elbows forwards.
            bent = self.pose[name] - self.pose[item.parent]
            low, high = (0.0, BEND) if item.hinge < 0.0 else (-BEND, 0.0)
            system.add(
                Stop(f"{joint}-stop", joint=joint, lower=low + bent, upper=high + bent, stiffness=300.0, damping=0.1)
            )
            return
        system.add(Ball(joint, a, b, at=vector(at)))
        k, c = item.stiffness, 0.05 * item.stiffness
        system.add(Bushing(f"{joint}-muscles", a, b, rotational_stiffness=k, rotational_damping=c, at=vector(at)))
