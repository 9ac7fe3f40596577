"""rk4-projected: the classical Runge-Kutta method with a fixed step, coordinate and velocity projection.

The method of the bicycle lecture notes: augmented system, RK4, then projection of the coordinates on the holonomic
constraints by the pseudo-inverse, then of the velocities on all. ``rk4`` is the same without any projection, to show
the drift.
"""

from __future__ import annotations

import numpy as np

from centrode.methods.explicit import ExplicitMethod

_A = np.array([[0.0, 0.0, 0.0, 0.0], [0.5, 0.0, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]])
_B = np.array([1.0, 2.0, 2.0, 1.0]) / 6.0
_C = np.array([0.0, 0.5, 0.5, 1.0])

METHODS = (
    ExplicitMethod(
        name="rk4-projected",
        order=4,
        summary="classical Runge-Kutta, fixed step, both projections each step",
        reference="bicycle lecture notes, section 10.2",
        a=_A,
        b=_B,
        c=_C,
    ),
    ExplicitMethod(
        name="rk4",
        order=4,
        summary="classical Runge-Kutta, fixed step, no projection: joints drift",
        reference="bicycle lecture notes, section 10.2, without the projections",
        a=_A,
        b=_B,
        c=_C,
        projections=0,
        keeps="nothing but the order",
    ),
)
