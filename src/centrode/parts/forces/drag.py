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

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.parts.forces.force import Force
from centrode.parts.kernel_types import FORCE_SIGNATURE, FRAME, LINK_MARKERS
from centrode.parts.part import flatten, quantity
from centrode.parts.placement import MarkerPlace, Placement, Scene, point3

LINEAR, ANGULAR, QUADRATIC, AREA, WIND = 0, 3, 6, 7, 10


@step_kernel(signature=FORCE_SIGNATURE)
def drag_force(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(1) to (3)."""
    for i in range(first, first + count):
        m = link[i, LINK_MARKERS]
        ux = markers[m, 3] - par[i, WIND]
        uy = markers[m, 4] - par[i, WIND + 1]
        uz = markers[m, 5] - par[i, WIND + 2]
        square = 0.0
        for k in range(3):
            along = ux * markers[m, FRAME + k] + uy * markers[m, FRAME + 3 + k] + uz * markers[m, FRAME + 6 + k]
            square += (par[i, AREA + k] * along) ** 2
        factor = -par[i, QUADRATIC] * math.sqrt(square)  # A |u| without a division at rest, (2)
        fx = factor * ux
        fy = factor * uy
        fz = factor * uz
        tx = 0.0
        ty = 0.0
        tz = 0.0
        for k in range(3):
            ex = markers[m, FRAME + k]
            ey = markers[m, FRAME + 3 + k]
            ez = markers[m, FRAME + 6 + k]
            force = -par[i, LINEAR + k] * (ux * ex + uy * ey + uz * ez)
            torque = -par[i, ANGULAR + k] * (markers[m, 6] * ex + markers[m, 7] * ey + markers[m, 8] * ez)
            fx += force * ex
            fy += force * ey
            fz += force * ez
            tx += torque * ex
            ty += torque * ey
            tz += torque * ez
        wrench[m, 0] = fx
        wrench[m, 1] = fy
        wrench[m, 2] = fz
        wrench[m, 3] = tx
        wrench[m, 4] = ty
        wrench[m, 5] = tz


def along_axes(value: Any) -> list[float]:
    """Three numbers; one stands for all three."""
    numbers = [float(number) for number in flatten(value)]
    return numbers * 3 if len(numbers) == 1 else numbers


@dataclass(frozen=True)
class Drag(Force):
    """Linear and quadratic drag of a body in a medium that may move."""

    kind: ClassVar[str] = "drag"
    force_kernel: ClassVar[Any] = drag_force
    external: ClassVar[bool] = True

    body: Any = quantity("", "body, or point on it, at whose velocity the medium is met", refers_to="body")
    linear: Any = quantity("N*s/m", "linear drag: one number, or three along the body's axes", 0.0, minimum=0.0)
    drag_coefficient: float = quantity("1", "drag coefficient of the quadratic part", 0.0, minimum=0.0)
    area: Any = quantity("m2", "frontal area: one number, or three seen along the body's axes", 1.0, minimum=0.0)
    density: float = quantity("kg/m3", "density of the medium", 1.225, positive=True)
    angular: Any = quantity("N*m*s/rad", "linear drag of turning: one number, or three", 0.0, minimum=0.0)
    wind: tuple[float, ...] = quantity("m/s", "velocity of the medium, world frame", (0.0, 0.0, 0.0))
    point_body: tuple[float, ...] | None = quantity("m", "place on the body, in its frame", None)

    def faults(self) -> list[Fault]:
        found = super().faults()
        for field in ("linear", "area", "angular"):
            if len(flatten(getattr(self, field))) not in (1, 3):
                found.append(
                    Fault(
                        "one number, or three along the body's axes",
                        f"{self.name}.{field}",
                        got=getattr(self, field),
                    )
                )
        if len(flatten(self.wind)) not in (2, 3):
            found.append(Fault("a velocity needs three numbers", f"{self.name}.wind", got=self.wind))
        return found

    def place(self, scene: Scene) -> Placement:
        place, _ = self.end(scene, "body")
        marker = MarkerPlace(place.body, place.position, np.eye(3))
        quadratic = 0.5 * self.density * self.drag_coefficient
        wind = point3(self.wind, f"{self.name}.wind")
        par = [*along_axes(self.linear), *along_axes(self.angular), quadratic, *along_axes(self.area), *wind]
        return Placement([marker], par=par)
