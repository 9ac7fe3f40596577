"""Gear pair: the angles of two bodies about axes that are fixed in the world keep a ratio; one row.

    phi   = t_b - i t_a                                                                      (1)
    phi'  = N_b . w_b - i N_a . w_a                                                          (2)
    gamma = N_b' . w_b - i N_a' . w_a                                                        (3)

t, N and N' are the unwrapped angle of a body's own x axis about its gear axis and its derivatives, equations (7) to
(9) of :mod:`centrode.parts.joints.rows`, with the world at rest in the part of body 0. The axes may be parallel,
crossed or skew. ``ratio`` i is the turning of b per turning of a, each about its own axis: minus z_a / z_b for two
external wheels with z teeth on parallel axes.

Assumed: each wheel is held on its axis by a hinge to the ground, which is the carrier; a planetary gear with a moving
carrier is another joint. The row is a pure torque on each wheel. The two torques do not balance: the rest, together
with the separating forces of the teeth, goes into the bearings and from there into the ground.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.math.vector import ZERO, times, vector
from centrode.parts.joints.joint import Joint
from centrode.parts.joints.rows import GAMMA, PHI, angle_motion, unwrapped, write_side
from centrode.parts.kernel_types import JOINT_MARKER_A, JOINT_SIGNATURE
from centrode.parts.markers import X, axis, omega
from centrode.parts.part import quantity
from centrode.parts.placement import Scene

RATIO, FRAME_A, FRAME_B = 0, 1, 7
"""Parameter columns: ratio, then x_0 and y_0 of each side in the world."""


@step_kernel(signature=JOINT_SIGNATURE)
def gear_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Row (1) to (3), in space and in the plane."""
    for j in range(first, first + count):
        phi = 0.0
        bias = 0.0
        for side in range(2):
            m = link[j, JOINT_MARKER_A + side]
            factor = -par[j, RATIO] if side == 0 else 1.0
            k = FRAME_A if side == 0 else FRAME_B
            x_0, y_0 = vector(par[j], k), vector(par[j], k + 3)
            raw, n, gamma = angle_motion(x_0, y_0, axis(markers, m, X), ZERO, omega(markers, m))
            memory[j, side] = unwrapped(raw, memory[j, side])
            phi += factor * memory[j, side]
            bias += factor * gamma
            write_side(jacobian, j, side, 0, ZERO, times(factor, n))
        terms[j, 0, PHI] = phi
        terms[j, 0, GAMMA] = bias


@dataclass(frozen=True)
class Gear(Joint):
    """Pair of gear wheels on axes fixed in the world."""

    kind: ClassVar[str] = "gear"
    rows: ClassVar[int] = 1
    plane_rows: ClassVar[int] = 1
    has_axis: ClassVar[bool] = True
    coordinate_names: ClassVar[tuple[tuple[str, str], ...]] = (("angle_a", "rad"), ("angle_b", "rad"))
    spatial_kernel: ClassVar[Any] = gear_rows
    plane_kernel: ClassVar[Any] = gear_rows

    ratio: float = quantity("1", "turning of b per turning of a; negative when they turn against each other")

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not found and self.ratio == 0.0:
            found.append(self.fault("ratio", "a gear with ratio 0 would hold b still"))
        return found

    def parameters(self, scene: Scene) -> list[float]:
        frame_a, frame_b = self.frames(scene)
        return [float(self.ratio), *frame_a[:, 0], *frame_a[:, 1], *frame_b[:, 0], *frame_b[:, 1]]
