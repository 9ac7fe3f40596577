"""A constraint of one's own, phi(x) = 0: a point that slides without friction on an ellipsoid.

With d the place of point b in the axes of marker a, u its velocity there, w the angular velocity of a, and a_i the
semi-axes:

    phi   = sum (d_i / a_i)^2 - 1                                                            (1)
    phi'  = g . u,  g_i = 2 d_i / a_i^2                                                      (2)
    u     = v_b - v_a - w x d                                                                (3)
    gamma = 2 sum (u_i / a_i)^2 - g . ( w x (w x d) + 2 w x u )                              (4)

(2) is the row A of the general system F + A^T lambda = M x'', and (4) is A' x'. For equal semi-axes this is a spherical
pendulum. Check it with ``centrode check bead_on_ellipsoid.py``; use it in a scenario with
``plugins: [bead_on_ellipsoid.py]`` and ``kind: bead-on-ellipsoid``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import centrode as ct
from centrode.math.vector import ZERO, cross, dot, each, minus, opposite, plus_times, times, vector


@ct.step_kernel(signature=ct.JOINT_SIGNATURE)
def bead_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """(1) to (4); the parameters are 1 / a_i^2."""
    for j in range(first, first + count):
        a, b = ct.markers.sides(link, j)
        inverse, w = vector(par[j], 0), ct.markers.omega(markers, a)
        d, v = ct.markers.between(markers, a, b)
        swept = cross(w, d)
        u = minus(v, swept)  # (3)
        place, speed = ct.markers.seen_from(markers, a, d), ct.markers.seen_from(markers, a, u)
        g = ct.markers.in_world(markers, a, times(2.0, each(inverse, place)))  # (2)
        ct.rows.write_side(jacobian, j, 0, 0, opposite(g), opposite(cross(d, g)))
        ct.rows.write_side(jacobian, j, 1, 0, g, ZERO)
        terms[j, 0, ct.rows.PHI] = dot(place, each(inverse, place)) - 1.0  # (1)
        convective = plus_times(cross(w, swept), 2.0, cross(w, u))
        terms[j, 0, ct.rows.GAMMA] = 2.0 * dot(speed, each(inverse, speed)) - dot(g, convective)  # (4)


@dataclass(frozen=True)
class BeadOnEllipsoid(ct.Joint):
    """Point of body b on an ellipsoid around a point of body a, with the axes of body a's joint frame."""

    kind: ClassVar[str] = "bead-on-ellipsoid"
    rows: ClassVar[int] = 1
    spatial_kernel: ClassVar[Any] = bead_rows
    example: ClassVar[dict[str, Any] | None] = {"semi_axes": (1.0, 0.7, 1.3)}

    semi_axes: tuple[float, float, float] = ct.quantity("m", "semi-axes", (1.0, 1.0, 1.0), positive=True)

    def parameters(self, scene: ct.Scene) -> list[float]:
        return [1.0 / float(x) ** 2 for x in self.semi_axes]
