"""Flyball governor (IFToMM benchmark A05): two arms with balls on a turning shaft, springs to a slider; stiff.

Vertical shaft of 1 m; arms of 1 m hinged at its top 0.05 m off the axis, at the angle alpha below the horizontal; 5 kg
at each arm's end; slider (cube of 0.1 m) on the shaft at height s; from its edge, at 0.05 m, to the middle of each arm
a spring of 8e5 N/m with a damper of 4e4 N s/m, unstretched at 0.5 m. Shaft and arms: square section 0.01 m, density
3000 kg/m3. The shaft turns freely at 2 pi rad/s; angular momentum about it stays.

The dampers give a mode of about -8e3 1/s, far below the second that the motion takes.
"""

from __future__ import annotations

import math

import numpy as np

from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.forces.spring import Spring
from centrode.parts.joints.prismatic import Prismatic
from centrode.parts.joints.revolute import Revolute
from centrode.system.builder import System

ROD_MASS = 0.3
BALL_MASS = 5.0
SLIDER_MASS = 3.0
OFFSET = 0.05
ROD_AXIAL = 5e-6
ROD_TRANSVERSE = 0.3 * 1.0001 / 12.0
SLIDER_INERTIA = 0.005
STIFFNESS = 8e5
DAMPING = 4e4
SPRING_LENGTH = 0.5
TOP = 1.0


def governor(alpha: float = math.radians(30.0), height: float = 0.5, omega: float = 2.0 * math.pi) -> System:
    """The governor at rest relative to its turning shaft; A05 runs 10 s.

    Args:
        alpha: angle of the arms below the horizontal [rad].
        height: s of the slider [m].
        omega: of the shaft [rad/s].
    """
    system = System("Flyball governor")
    spin = (0.0, 0.0, omega)
    rod_inertia = (ROD_TRANSVERSE, ROD_TRANSVERSE, ROD_AXIAL)
    system.add(RigidBody("shaft", ROD_MASS, rod_inertia, position=(0.0, 0.0, 0.5 * TOP), omega=spin))
    system.add(Revolute("bearing", system.ground, "shaft", at=(0.0, 0.0, 0.0), axis=(0.0, 0.0, 1.0), track=False))
    system.add(RigidBody("slider", SLIDER_MASS, (SLIDER_INERTIA,) * 3, position=(0.0, 0.0, height), omega=spin))
    system.add(Prismatic("slide", "shaft", "slider", at=(0.0, 0.0, height), axis=(0.0, 0.0, 1.0)))
    # Rod and ball are one body: frame at the hinge, z along the arm, centre of mass of both on z.
    mass = ROD_MASS + BALL_MASS
    centre = (0.5 * ROD_MASS + BALL_MASS) / mass
    transverse = ROD_TRANSVERSE + ROD_MASS * (centre - 0.5) ** 2 + BALL_MASS * (1.0 - centre) ** 2
    for name, side in (("right", 1.0), ("left", -1.0)):
        along = np.array([side * math.cos(alpha), 0.0, -math.sin(alpha)])
        hinge = np.array([side * OFFSET, 0.0, TOP])
        across = np.array([0.0, 1.0, 0.0])
        frame = np.column_stack([np.cross(across, along), across, along])
        system.add(
            RigidBody(
                f"{name}-arm",
                mass,
                (transverse, transverse, ROD_AXIAL),
                position=tuple(hinge.tolist()),
                orientation=tuple(map(tuple, frame.tolist())),
                velocity=tuple(np.cross(spin, hinge).tolist()),
                omega=tuple((frame.T @ spin).tolist()),
                centre_of_mass=(0.0, 0.0, centre),
            )
        )
        system.add(Revolute(f"{name}-hinge", "shaft", f"{name}-arm", at=tuple(hinge.tolist()), axis=(0.0, -side, 0.0)))
        edge, middle, law = (side * OFFSET, 0.0, 0.0), (0.0, 0.0, 0.5), (STIFFNESS, DAMPING, SPRING_LENGTH)
        system.add(Spring(f"{name}-spring", "slider", f"{name}-arm", *law, point_a=edge, point_b=middle))
    return system
