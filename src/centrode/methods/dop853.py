"""dop853: Dormand and Prince of order 8 with error control (default), and dp5 of order 5.

Coefficients: E. Hairer, S. P. Norsett, G. Wanner, "Solving Ordinary Differential Equations I".
"""

from __future__ import annotations

import numpy as np

from centrode.methods import dop853_coefficients as dop
from centrode.methods.explicit import ExplicitMethod

_DP5_A = np.array(
    [
        [0, 0, 0, 0, 0, 0, 0],
        [1 / 5, 0, 0, 0, 0, 0, 0],
        [3 / 40, 9 / 40, 0, 0, 0, 0, 0],
        [44 / 45, -56 / 15, 32 / 9, 0, 0, 0, 0],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0, 0, 0],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0, 0],
        [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0],
    ]
)
_DP5_ERROR = np.array([-71 / 57600, 0, 71 / 16695, -71 / 1920, 17253 / 339200, -22 / 525, 1 / 40])

METHODS = (
    ExplicitMethod(
        name="dop853",
        order=8,
        summary="Dormand-Prince of order 8, step by tolerance, both projections each step",
        reference="Hairer, Norsett, Wanner I, section II.10",
        a=dop.A,
        b=dop.B,
        c=dop.C,
        error=dop.ERROR_5,
        error3=dop.ERROR_3,
        error_order=8.0,
    ),
    ExplicitMethod(
        name="dp5",
        order=5,
        summary="Dormand-Prince of order 5, step by tolerance, both projections each step",
        reference="Hairer, Norsett, Wanner I, table II.5.2",
        a=_DP5_A,
        b=np.append(_DP5_A[6, :6], 0.0),
        c=np.array([0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1]),
        error=_DP5_ERROR,
        error_order=5.0,
    ),
)
