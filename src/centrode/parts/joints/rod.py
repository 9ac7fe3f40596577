"""Rod (distance joint): two points keep their distance; one row.

With d = p_b - p_a, D = |d|, e = d / D and u = v_b - v_a:

    phi   = D - L                                                                            (1)
    phi'  = e . u                                                                            (2)
    gamma = (u . u - (e . u)^2) / D                                                          (3)

The multiplier is the force that pulls the two points together: positive in tension.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.jit import step_kernel
from centrode.math.vector import ZERO, dot, norm, opposite, times
from centrode.parts.joints.appearance import joint_link
from centrode.parts.joints.joint import Joint
from centrode.parts.joints.rows import GAMMA, PHI, write_side
from centrode.parts.kernel_types import JOINT_SIGNATURE
from centrode.parts.markers import between, sides
from centrode.parts.part import quantity
from centrode.parts.placement import Scene
from centrode.parts.visual import Visual, VisualScene

LENGTH = 0


@step_kernel
def distance_row(j, r, a, b, length, markers, jacobian, terms):
    """Row r: the points keep the distance ``length``, (1) to (3). Returns the distance [m]."""
    d, u = between(markers, a, b)
    distance = norm(d)
    inverse = 1.0 / distance if distance > 0.0 else 0.0
    e = times(inverse, d)
    write_side(jacobian, j, 0, r, opposite(e), ZERO)
    write_side(jacobian, j, 1, r, e, ZERO)
    rate = dot(e, u)
    terms[j, r, PHI] = distance - length
    terms[j, r, GAMMA] = (dot(u, u) - rate * rate) * inverse
    return distance


@step_kernel(signature=JOINT_SIGNATURE)
def rod_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Row (1) to (3), in space and in the plane."""
    for j in range(first, first + count):
        a, b = sides(link, j)
        distance_row(j, 0, a, b, par[j, LENGTH], markers, jacobian, terms)


@dataclass(frozen=True)
class Rod(Joint):
    """Massless rod with a ball at each end."""

    kind: ClassVar[str] = "rod"
    takes_place: ClassVar[bool] = False
    rows: ClassVar[int] = 1
    plane_rows: ClassVar[int] = 1
    reads_frames: ClassVar[bool] = False
    spatial_kernel: ClassVar[Any] = rod_rows
    plane_kernel: ClassVar[Any] = rod_rows

    length: float | None = quantity("m", "length; the distance at the start when left out", None, positive=True)

    def parameters(self, scene: Scene) -> list[float]:
        distance = self.start_distance(scene)
        length = distance if self.length is None else float(self.length)
        if distance == 0.0:
            message = "the ends of a rod are at the same place, so it has no direction"
            raise self.refusal("point_b", message, hint="give point_a and point_b, or use a ball joint")
        return [length]

    def start_distance(self, scene: Scene) -> float:
        """Distance of both ends at the start [m]."""
        place_a, place_b = self.points(scene)
        return float(np.linalg.norm(place_b - place_a))

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return joint_link(self, scene, "rod", 0.5, self.length)
