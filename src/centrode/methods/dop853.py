"""dop853: Dormand and Prince of order 8 with error control (default), and dp5 of order 5.

Coefficients: E. Hairer, S. P. Norsett, G. Wanner, "Solving Ordinary Differential Equations I", as SciPy ships them.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import DOP853, RK45

from centrode.methods.explicit import ExplicitMethod

METHODS = (
    ExplicitMethod(
        name="dop853",
        order=8,
        summary="Dormand-Prince of order 8, step by tolerance, both projections each step",
        reference="Hairer, Norsett, Wanner I, section II.10",
        a=np.ascontiguousarray(DOP853.A),
        b=np.ascontiguousarray(DOP853.B),
        c=np.ascontiguousarray(DOP853.C),
        error=np.ascontiguousarray(DOP853.E5[:12]),
        error3=np.ascontiguousarray(DOP853.E3[:12]),
        error_order=8.0,
    ),
    ExplicitMethod(
        name="dp5",
        order=5,
        summary="Dormand-Prince of order 5, step by tolerance, both projections each step",
        reference="Hairer, Norsett, Wanner I, section II.5",
        a=np.vstack([np.hstack([RK45.A, np.zeros((6, 2))]), np.append(RK45.B, 0.0)]),
        b=np.append(RK45.B, 0.0),
        c=np.append(RK45.C, 1.0),
        error=np.ascontiguousarray(RK45.E),
        error_order=5.0,
    ),
)
