"""Rod (distance joint): two points keep their distance; one row.

With d = p_b - p_a, D = |d|, e = d / D and u = v_b - v_a:

    phi   = D - L                                                                            (1)
    phi'  = e . u                                                                            (2)
    gamma = (u . u - (e . u)^2) / D                                                          (3)

The multiplier is the force that pulls the two points together: positive in tension.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import InputError
from centrode.jit import step_kernel
from centrode.parts.joints.appearance import joint_link
from centrode.parts.joints.joint import Joint
from centrode.parts.joints.rows import between, write_row
from centrode.parts.kernel_types import JOINT_MARKER_A, JOINT_MARKER_B, JOINT_SIGNATURE
from centrode.parts.part import quantity
from centrode.parts.placement import Scene
from centrode.parts.visual import Visual, VisualScene

LENGTH = 0


@step_kernel
def distance_row(j, r, a, b, length, markers, jacobian, terms):
    """Row r: the points keep the distance ``length``, (1) to (3). Returns the distance [m]."""
    dx, dy, dz, ux, uy, uz = between(markers, a, b)
    distance = math.sqrt(dx * dx + dy * dy + dz * dz)
    inverse = 1.0 / distance if distance > 0.0 else 0.0
    ex = dx * inverse
    ey = dy * inverse
    ez = dz * inverse
    write_row(j, 0, r, -ex, -ey, -ez, 0.0, 0.0, 0.0, jacobian)
    write_row(j, 1, r, ex, ey, ez, 0.0, 0.0, 0.0, jacobian)
    rate = ex * ux + ey * uy + ez * uz
    terms[j, r, 0] = distance - length
    terms[j, r, 2] = (ux * ux + uy * uy + uz * uz - rate * rate) * inverse
    return distance


@step_kernel(signature=JOINT_SIGNATURE)
def rod_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Row (1) to (3), in space and in the plane."""
    for j in range(first, first + count):
        distance_row(j, 0, link[j, JOINT_MARKER_A], link[j, JOINT_MARKER_B], par[j, LENGTH], markers, jacobian, terms)


@dataclass(frozen=True)
class Rod(Joint):
    """Massless rod with a ball at each end."""

    kind: ClassVar[str] = "rod"
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
            raise InputError(
                "the ends of a rod are at the same place, so it has no direction",
                path=f"{self.name}.point_b",
                hint="give point_a and point_b, or use a ball joint",
            )
        return [length]

    def start_distance(self, scene: Scene) -> float:
        """Distance of both ends at the start [m]."""
        place_a, place_b = self.points(scene)
        return float(np.linalg.norm(place_b - place_a))

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return joint_link(self, scene, "rod", 0.5, self.length)
