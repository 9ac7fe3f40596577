"""Bricard's mechanism (IFToMM benchmark A04): a closed spatial loop of six hinges that moves although it should not.

Five rods of 1 m and the ground form a cube's edge path; hinges P0 .. P5 have axes y, z, x, y, z, x. Counting rows
(5 bodies, 6 hinges: 30 velocities, 30 rows) gives no freedom; because of the special axes one row is redundant and
the loop moves with one degree of freedom. Gravity acts along -y.
"""

from __future__ import annotations

import numpy as np

from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.joints.revolute import Revolute
from centrode.parts.points.point import Point
from centrode.system.builder import System

POINTS = ((0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1))
AXES = ((0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0))
AXIAL = 0.01 / 6.0
TRANSVERSE = 1.01 / 12.0


def bricard(sensor: bool = True) -> System:
    """The loop released from rest; A04 runs 10 s.

    Args:
        sensor: record point 3, the end of rod 3 that starts at (1, -1, 1).
    """
    system = System("Bricard's mechanism", gravity=(0.0, -9.81, 0.0))
    points = np.array(POINTS, dtype=float)
    for k in range(1, 6):
        along = np.abs(points[k] - points[k - 1])
        inertia = tuple(AXIAL if part > 0.5 else TRANSVERSE for part in along)
        middle = 0.5 * (points[k] + points[k - 1])
        system.add(RigidBody(f"rod{k}", 1.0, inertia, position=tuple(middle.tolist())))
    for k in range(6):
        a = "ground" if k == 0 else f"rod{k}"
        b = "ground" if k == 5 else f"rod{k + 1}"
        system.add(Revolute(f"hinge{k}", a, b, at=POINTS[k], axis=AXES[k], track=False))
    if sensor:
        local = points[3] - 0.5 * (points[3] + points[2])
        system.add(Point("point3", "rod3", tuple(local.tolist())))
    return system
