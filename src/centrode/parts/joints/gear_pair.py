"""What all gears share: two wheels turn about axes that a carrier carries, and their angles keep a ratio.

    phi   = t_b - i t_a                                                                      (1)
    phi'  = N_b . (w_b - w_c) - i N_a . (w_a - w_c)                                          (2)
    gamma = N_b' . (w_b - w_c) - i N_a' . (w_a - w_c)                                        (3)

t, N and N' are the unwrapped angle of a wheel's own x axis about its axis and its derivatives, equations (7) to (9) of
:mod:`centrode.parts.joints.rows`, against directions that are fixed in the carrier c: at rest when that is the ground.
With both wheels on one axis (2) is the equation of Willis, (w_b - w_c) / (w_a - w_c) = i. Axes may be parallel, crossed
or skew.

The row is a pure torque on each of the three: i x on a, -x on b and (1 - i) x on c along a common axis, which balance.
The separating forces of the teeth, and on axes that differ the force between them, go through bearings that are other
joints, and are not shown there.
"""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.math.vector import ZERO, plus_times, times, vector
from centrode.parts.joints.joint import Joint
from centrode.parts.joints.rows import GAMMA, PHI, angle_motion, unwrapped, write_side
from centrode.parts.kernel_types import JOINT_BODY_C, JOINT_MARKER_A, JOINT_MARKER_C, JOINT_SIGNATURE
from centrode.parts.markers import X, axis, in_world, omega
from centrode.parts.part import quantity
from centrode.parts.placement import GROUND, Placement, Scene, world_marker

RATIO, FRAMES = 0, 1
"""Parameter columns: ratio, then x_0 and y_0 of each side in the carrier, whose marker lies along the world's axes."""


@step_kernel(signature=JOINT_SIGNATURE)
def gear_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Row (1) to (3), in space and in the plane."""
    for j in range(first, first + count):
        carried = link[j, JOINT_BODY_C] != 0
        c = link[j, JOINT_MARKER_C]
        phi = 0.0
        bias = 0.0
        turn_c = ZERO
        for side in range(2):
            m = link[j, JOINT_MARKER_A + side]
            factor = -par[j, RATIO] if side == 0 else 1.0
            k = FRAMES + 6 * side
            x_0, y_0, w_0 = vector(par[j], k), vector(par[j], k + 3), ZERO
            if carried:
                x_0, y_0, w_0 = in_world(markers, c, x_0), in_world(markers, c, y_0), omega(markers, c)
            raw, n, gamma = angle_motion(x_0, y_0, axis(markers, m, X), w_0, omega(markers, m))
            memory[j, side] = unwrapped(raw, memory[j, side])
            phi += factor * memory[j, side]
            bias += factor * gamma
            turn_c = plus_times(turn_c, -factor, n)
            write_side(jacobian, j, side, 0, ZERO, times(factor, n))
        if carried:
            write_side(jacobian, j, 2, 0, ZERO, turn_c)
        terms[j, 0, PHI] = phi
        terms[j, 0, GAMMA] = bias


@dataclass(frozen=True)
class GearPair(Joint):
    """Base of gears: wheels a and b, and what carries their axes.

    Class attributes of a kind:
        common_axis: both wheels and the carrier turn about one axis; otherwise each wheel needs a bearing in the
            carrier, which the assembly looks for.
    """

    rows: ClassVar[int] = 1
    plane_rows: ClassVar[int] = 1
    has_axis: ClassVar[bool] = True
    common_axis: ClassVar[bool] = False
    coordinate_names: ClassVar[tuple[tuple[str, str], ...]] = (("angle_a", "rad"), ("angle_b", "rad"))
    spatial_kernel: ClassVar[Any] = gear_rows
    plane_kernel: ClassVar[Any] = gear_rows

    carrier: Any = quantity("", "body that carries the axes of both wheels", GROUND, refers_to="body", kw_only=True)

    def turning(self) -> float:
        """Turning of b per turning of a, as the carrier sees them: i of (1)."""
        raise NotImplementedError

    def slides(self) -> tuple[bool, bool]:
        """Whether each of a and b slides in the carrier instead of turning."""
        return False, False

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not found and self.carrier != GROUND and self.carrier in (self.a, self.b):
            found.append(self.fault("carrier", "a wheel cannot be its own carrier"))
        return found

    def parameters(self, scene: Scene) -> list[float]:
        frame_a, frame_b = self.frames(scene)
        return [float(self.turning()), *frame_a[:, 0], *frame_a[:, 1], *frame_b[:, 0], *frame_b[:, 1]]

    def place(self, scene: Scene) -> Placement:
        placed = super().place(scene)
        carrier, _ = scene.resolve(self.carrier)
        if carrier == GROUND:
            return placed
        third = world_marker(scene, carrier, scene.pose(carrier)[0], np.eye(3))
        return dataclasses.replace(placed, markers=(*placed.markers, third))
