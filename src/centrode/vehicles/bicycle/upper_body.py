"""The rider's upper body as a body of its own, which leans on a hinge along x against the rest of frame and rider.

The frame with rider is divided; together both parts are the given frame:

    m_rest = m - m_upper,   m_rest r_rest = m r - m_upper r_upper,   I_rest = I - I_upper - (parallel axes of both)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from centrode.errors import Fault
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.forces.actuator import Actuator
from centrode.parts.joints.revolute import Revolute
from centrode.parts.part import quantity
from centrode.system.builder import System
from centrode.vehicles.bicycle.parameters import BicycleParameters
from centrode.vehicles.bicycle.stance import Stance


@dataclass(frozen=True)
class BicycleUpperBody:
    """Mass, place, inertia and hinge of the upper body; axes x forward, z up, origin at the rear contact."""

    mass: float = quantity("kg", "mass, part of the given frame with rider", positive=True)
    x: float = quantity("m", "centre of mass ahead of the rear contact")
    z: float = quantity("m", "centre of mass above the ground")
    ixx: float = quantity("kg*m2", "roll inertia about its centre of mass", 0.0, minimum=0.0)
    iyy: float = quantity("kg*m2", "pitch inertia", 0.0, minimum=0.0)
    izz: float = quantity("kg*m2", "yaw inertia", 0.0, minimum=0.0)
    ixz: float = quantity("kg*m2", "matrix entry xz, z up", 0.0)
    hinge_z: float | None = quantity("m", "height of the hinge; of the frame's centre of mass when left out", None)
    stiffness: float = quantity("N*m/rad", "spring of the hinge", 0.0, minimum=0.0)
    damping: float = quantity("N*m*s/rad", "damper of the hinge", 0.0, minimum=0.0)

    def faults(self, path: str, p: BicycleParameters) -> list[Fault]:
        """What cannot be part of the frame of a machine."""
        split = Split.of(p, self)
        if split.rest_mass <= 0.0 or np.linalg.eigvalsh(split.rest_inertia)[0] <= 0.0:
            what = "the upper body is more than the frame with rider"
            expected = "mass and inertia that leave the rest of the frame positive"
            return [Fault(what, f"{path}.mass", got=self.mass, expected=expected)]
        return []


@dataclass(frozen=True)
class Split:
    """The frame with rider divided into an upper body that leans and the rest; together they are the given frame.

    Attributes:
        rest_mass, rest_inertia: of the rest, about its own centre of mass.
        rest_offset: its centre of mass from that of the whole, in the frame's axes.
        upper: the upper body. hinge_z: height of its hinge [m].
    """

    rest_mass: float
    rest_inertia: np.ndarray
    rest_offset: np.ndarray
    upper: BicycleUpperBody
    hinge_z: float
    frame_centre: np.ndarray
    upper_inertia: np.ndarray

    @staticmethod
    def of(p: BicycleParameters, upper: BicycleUpperBody) -> Split:
        """Divide the frame; what is not given of the inertia is zero."""
        hinge_z = p.frame_z if upper.hinge_z is None else float(upper.hinge_z)
        mass = float(upper.mass)
        rest = p.frame_mass - mass
        place = np.array([upper.x, 0.0, upper.z])
        offset = (p.frame_mass * p.frame_centre - mass * place) / (rest if rest else math.nan) - p.frame_centre
        own = np.array([[upper.ixx, 0, upper.ixz], [0, upper.iyy, 0], [upper.ixz, 0, upper.izz]])
        own = own + 1e-6 * np.eye(3) * (np.abs(own).max() == 0.0)
        rest_inertia = -np.eye(3)
        if rest > 0.0:
            parallel = mass * _steiner(place - p.frame_centre)
            rest_inertia = p.inertias()["frame"] - own - parallel - rest * _steiner(offset)
        return Split(rest, rest_inertia, offset, upper, hinge_z, p.frame_centre, own)

    def add(self, system: System, bike: Any, stance: Stance) -> None:
        """Add the upper body, its hinge, spring and drive."""
        from centrode.parts.forces.rotational_spring import RotationalSpring

        name, upper = bike.name, self.upper
        place = np.array([upper.x, 0.0, upper.z])
        start = stance.start_of("frame", place - self.frame_centre)
        inertia = tuple(map(tuple, self.upper_inertia.tolist()))
        system.add(RigidBody(f"{name}.upper-body", upper.mass, inertia, **start))
        seat = np.array([upper.x, 0.0, self.hinge_z])
        ends: dict[str, Any] = {
            "point_a": tuple((seat - self.frame_centre).tolist()),
            "point_b": tuple((seat - place).tolist()),
            "axis_a": (1.0, 0.0, 0.0),
        }
        system.add(Revolute(f"{name}.waist", f"{name}.frame", f"{name}.upper-body", axis_b=(1.0, 0.0, 0.0), **ends))
        if upper.stiffness or upper.damping:
            k, c = upper.stiffness, upper.damping
            system.add(RotationalSpring(f"{name}.waist-spring", joint=f"{name}.waist", stiffness=k, damping=c))
        if bike.drives:
            system.add(Actuator(f"{name}.lean-drive", joint=f"{name}.waist"))


def _steiner(r: np.ndarray) -> np.ndarray:
    return float(r @ r) * np.eye(3) - np.outer(r, r)
