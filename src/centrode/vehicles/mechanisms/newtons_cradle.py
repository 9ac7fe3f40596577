"""Newton's cradle in the plane: equal balls on rods side by side, the first one lifted.

The balls hang with small gaps, so that each stroke is between two of them and hands the whole momentum on; without
gaps the strokes overlap and the balls drift apart (F. Herrmann, M. Seitzer, "Simple explanation of a well-known
collision experiment", Am. J. Phys. 50, 1982). A ball is a point mass on a massless rod; two of them meet through a
spring that only pushes.
"""

from __future__ import annotations

import math

from centrode.parts.bodies.planar import PlanarBody
from centrode.parts.forces.spring import Spring
from centrode.parts.joints.rod import Rod
from centrode.system.builder import System

LENGTH = 1.0
RADIUS = 0.05
GAP = 1e-3


def newtons_cradle(balls: int = 5, lifted: int = 1, angle: float = 0.3, stiffness: float = 1e6) -> System:
    """The cradle with the first balls lifted and let go.

    Args:
        balls: number of balls of 1 kg and 0.1 m diameter on rods of 1 m.
        lifted: how many of them are lifted, from the left.
        angle: by which [rad].
        stiffness: of the contact [N/m].
    """
    system = System("Newton's cradle", plane=True)
    spacing = 2.0 * RADIUS + GAP
    for i in range(balls):
        swing = angle if i < lifted else 0.0
        pivot = (i * spacing, 0.0)
        place = (pivot[0] - LENGTH * math.sin(swing), -LENGTH * math.cos(swing))
        system.add(PlanarBody(f"ball{i}", 1.0, position=place))
        system.add(Rod(f"rod{i}", system.ground, f"ball{i}", length=LENGTH, point_a=pivot))
    push = ((-RADIUS, -stiffness * RADIUS), (0.0, 0.0), (10.0, 0.0))
    for i in range(balls - 1):
        system.add(Spring(f"stroke{i}", f"ball{i}", f"ball{i + 1}", length=2.0 * RADIUS, table=push))
    return system
