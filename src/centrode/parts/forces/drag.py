"""Drag of air or water at a point of a body: linear, quadratic with an area that depends on attitude, and turning.

With the velocity u of the point relative to the medium (wind subtracted), its speed |u|, both in body axes:

    F = -D u - (rho / 2) C_d A(u) |u| u                                          (1)
    A = sqrt( sum (A_i u_i / |u|)^2 ),  i = x, y, z                              (2)
    T = -D_w w                                                                   (3)

(2) is the exact projected area of an ellipsoid with the frontal areas A_i seen along its axes, and the area itself
when all three are equal. D and D_w are diagonal in body axes (one number: the same along all). Steady fall of a mass
m under quadratic drag: v = sqrt(2 m g / (rho C_d A)); under linear drag v = (m g / D)(1 - exp(-D t / m)).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.jit import step_kernel
from centrode.math.vector import each, minus, norm, opposite, times, vector
from centrode.parts.forces.force import Force
from centrode.parts.kernel_types import FORCE_SIGNATURE, LINK_MARKERS
from centrode.parts.markers import in_world, omega, push, seen_from, twist, velocity
from centrode.parts.part import quantity
from centrode.parts.placement import Placement, Scene, along_axes, per_axis, point3

LINEAR, ANGULAR, QUADRATIC, AREA, WIND = 0, 3, 6, 7, 10


@step_kernel(signature=FORCE_SIGNATURE)
def drag_force(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(1) to (3)."""
    for i in range(first, first + count):
        m = link[i, LINK_MARKERS]
        u = minus(velocity(markers, m), vector(par[i], WIND))
        along, turning = seen_from(markers, m, u), seen_from(markers, m, omega(markers, m))
        factor = -par[i, QUADRATIC] * norm(each(vector(par[i], AREA), along))  # A |u| without a division at rest, (2)
        f = in_world(markers, m, each(vector(par[i], LINEAR), along))
        push(wrench, m, minus(times(factor, u), f))
        twist(wrench, m, opposite(in_world(markers, m, each(vector(par[i], ANGULAR), turning))))


@dataclass(frozen=True)
class Drag(Force):
    """Linear and quadratic drag of a body in a medium that may move."""

    kind: ClassVar[str] = "drag"
    force_kernel: ClassVar[Any] = drag_force
    external: ClassVar[bool] = True

    body: Any = quantity("", "body, or point on it, at whose velocity the medium is met", refers_to="body")
    linear: Any = per_axis("N*s/m", "linear drag: one number, or three along the body's axes", 0.0)
    drag_coefficient: float = quantity("1", "drag coefficient of the quadratic part", 0.0, minimum=0.0)
    area: Any = per_axis("m2", "frontal area: one number, or three seen along the body's axes", 1.0)
    density: float = quantity("kg/m3", "density of the medium", 1.225, positive=True)
    angular: Any = per_axis("N*m*s/rad", "linear drag of turning: one number, or three", 0.0)
    wind: tuple[float, ...] = quantity("m/s", "velocity of the medium, world frame", (0.0, 0.0, 0.0), read=point3)
    point_body: tuple[float, ...] | None = quantity("m", "place on the body, in its frame", None)

    def place(self, scene: Scene) -> Placement:
        quadratic = 0.5 * self.density * self.drag_coefficient
        wind = point3(self.wind, f"{self.name}.wind")
        par = [*along_axes(self.linear), *along_axes(self.angular), quadratic, *along_axes(self.area), *wind]
        return Placement([self.end(scene, "body")[0].turned(np.eye(3))], par=par)
