r"""The 6-DOF lecture's constrained system in full, solved as it stands: 15 unknowns for position, attitude, multiplier.

With eta = (X, Q), the unconstrained accelerations f = (f_X, f_Q) and the constraint phi = Q.Q - 1, A = Q^T:

    ( I_7   0    (0, -A^T) ) ( eta'' )   ( f      )
    ( 0     I_7   0        ) ( eta'  ) = ( eta'   )                                     (1)
    ( (0 A) 0     0        ) ( lambda)   ( -A' Q' )

(1) is the lecture's block system with its last row read as A Q'' = -A' Q' (the print drops the sign). Eliminating by
hand gives the closed form that the formalisms use; no 15 x 15 solve is needed:

    lambda = -( Q.f_Q + Q'.Q' ) / Q.Q  =  ( |w|^2/4 - (s^2 + |w|^2/4)/N ) / N,   N = Q.Q,  s = Q.Q'     (2)

The second form holds when f_Q = (Q w' + Q' w)/2 with w = 2 vec(Q* Q'): Q.(Q w') = 0 and Q.(Q' w) = -|w|^2/2. On the
unit sphere (N = 1, s = 0) it is zero: exact arithmetic needs no multiplier.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def solve_block_system(
    acceleration: Any, quaternion_acceleration: Any, velocity: Any, quaternion: Any, quaternion_rate: Any
) -> tuple[np.ndarray, np.ndarray, float]:
    """Solve (1).

    Args:
        acceleration: f_X [m/s2], shape (3,).
        quaternion_acceleration: f_Q [1/s2], shape (4,).
        velocity: X' [m/s], shape (3,).
        quaternion, quaternion_rate: Q and Q', shape (4,).

    Returns:
        eta'' (7), eta' (7) and lambda [1/s2].
    """
    q, rate = np.asarray(quaternion, dtype=float), np.asarray(quaternion_rate, dtype=float)
    matrix = np.zeros((15, 15))
    matrix[:14, :14] = np.eye(14)
    matrix[3:7, 14] = -q
    matrix[14, 3:7] = q
    right = np.concatenate([acceleration, quaternion_acceleration, velocity, rate, [-rate @ rate]])
    found = np.linalg.solve(matrix, right)
    return found[:7], found[7:14], float(found[14])


def closed_multiplier(quaternion: Any, quaternion_rate: Any) -> float:
    """lambda by the second form of (2) [1/s2]."""
    q, rate = np.asarray(quaternion, dtype=float), np.asarray(quaternion_rate, dtype=float)
    norm, s = float(q @ q), float(q @ rate)
    vector = 2.0 * (q[0] * rate[1:] - rate[0] * q[1:] - np.cross(q[1:], rate[1:]))  # w = 2 vec(Q* Q')
    quarter = 0.25 * float(vector @ vector)
    return (quarter - (s * s + quarter) / norm) / norm
