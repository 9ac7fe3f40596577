"""A constraint of one's own, phi(x) = 0: a point that slides without friction on an ellipsoid.

With d the place of point b in the axes of marker a, u its velocity there, w the angular velocity of a, and a_i the
semi-axes:

    phi   = sum (d_i / a_i)^2 - 1                                                            (1)
    phi'  = g . u,  g_i = 2 d_i / a_i^2                                                      (2)
    u     = v_b - v_a - w x d                                                                (3)
    gamma = 2 sum (u_i / a_i)^2 - g . ( w x (w x d) + 2 w x u )                              (4)

(2) is the row A of the general system F + A^T lambda = M x'', and (4) is A' x'. For equal semi-axes this is a spherical
pendulum. Use it in a scenario with ``plugins: [bead_on_ellipsoid.py]`` and ``kind: bead-on-ellipsoid``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.jit import step_kernel
from centrode.math.rotation import cross
from centrode.parts.joints.joint import Joint
from centrode.parts.kernel_types import FRAME, JOINT_MARKER_A, JOINT_MARKER_B, JOINT_SIGNATURE
from centrode.parts.part import quantity
from centrode.parts.placement import Scene


@step_kernel(signature=JOINT_SIGNATURE)
def bead_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """(1) to (4)."""
    for j in range(first, first + count):
        a = link[j, JOINT_MARKER_A]
        b = link[j, JOINT_MARKER_B]
        dx = markers[b, 0] - markers[a, 0]
        dy = markers[b, 1] - markers[a, 1]
        dz = markers[b, 2] - markers[a, 2]
        wx, wy, wz = markers[a, 6], markers[a, 7], markers[a, 8]
        cx, cy, cz = cross(wx, wy, wz, dx, dy, dz)
        ux = markers[b, 3] - markers[a, 3] - cx
        uy = markers[b, 4] - markers[a, 4] - cy
        uz = markers[b, 5] - markers[a, 5] - cz
        phi = -1.0
        gamma = 0.0
        gx = gy = gz = 0.0
        for k in range(3):
            ex, ey, ez = markers[a, FRAME + k], markers[a, FRAME + 3 + k], markers[a, FRAME + 6 + k]
            inverse = 1.0 / (par[j, k] * par[j, k])
            along = ex * dx + ey * dy + ez * dz
            speed = ex * ux + ey * uy + ez * uz
            phi += along * along * inverse  # (1)
            gamma += 2.0 * speed * speed * inverse
            gx += 2.0 * along * inverse * ex  # (2)
            gy += 2.0 * along * inverse * ey
            gz += 2.0 * along * inverse * ez
        px, py, pz = cross(wx, wy, wz, cx, cy, cz)
        qx, qy, qz = cross(wx, wy, wz, ux, uy, uz)
        gamma -= gx * (px + 2.0 * qx) + gy * (py + 2.0 * qy) + gz * (pz + 2.0 * qz)  # (4)
        tx, ty, tz = cross(dx, dy, dz, gx, gy, gz)
        for side, sign in ((0, -1.0), (1, 1.0)):
            jacobian[j, side, 0, 0] = sign * gx
            jacobian[j, side, 0, 1] = sign * gy
            jacobian[j, side, 0, 2] = sign * gz
        jacobian[j, 0, 0, 3] = -tx
        jacobian[j, 0, 0, 4] = -ty
        jacobian[j, 0, 0, 5] = -tz
        terms[j, 0, 0] = phi
        terms[j, 0, 1] = 0.0
        terms[j, 0, 2] = gamma


@dataclass(frozen=True)
class BeadOnEllipsoid(Joint):
    """Point of body b on an ellipsoid around a point of body a, with the axes of body a's joint frame."""

    kind: ClassVar[str] = "bead-on-ellipsoid"
    rows: ClassVar[int] = 1
    spatial_kernel: ClassVar[Any] = bead_rows

    semi_axes: tuple[float, float, float] = quantity("m", "semi-axes", (1.0, 1.0, 1.0), positive=True)

    def parameters(self, scene: Scene) -> list[float]:
        return [float(x) for x in self.semi_axes]
