"""discrete: the discrete-time method of the article, with very small steps and compliant joints.

Per step, with all forces known at its start (equation numbers of the article):

    A = F / m,  V += A dt,  P += V dt                                      (4) to (6)
    A_r = C I^-1 (C' M - (C' V_r) x I (C' V_r)),  V_r += A_r dt            (7), (8)
    e = V_r / |V_r|,  theta = |V_r| dt,  P_r <- C(e, theta) P_r            (9) to (11)

(1), the rotation about a general axis, is Rodrigues' formula; here it is a product of unit quaternions, which is the
same rotation. The angular velocity is kept in body axes: the step turns the body about V_r itself, so its body
components do not change in (11). Joints are compliant: forces known at the start of a step leave no other reading.
First order; the price of its simplicity is a step of 1e-5 to 1e-6 s.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from centrode.dynamics.bodies import shift_poses
from centrode.dynamics.evaluate import rates_at
from centrode.jit import step_kernel
from centrode.methods.fixed_step import STEP_SIGNATURE, FixedStepMethod
from centrode.methods.method import Outcome
from centrode.parts.tables import borrow


@step_kernel
def add_rates(h, tables):
    """Velocities and internal states advance with their present rates."""
    t = borrow(tables)
    values, rates = t.values, t.rates
    for i in range(t.pose.size, values.size):  # they follow the poses, in one piece
        values[i] += h * rates[i]


@step_kernel(signature=STEP_SIGNATURE)
def discrete_step(time, h, par, run, work, tables):
    """Velocities with the forces at the start (5), (8), then poses with the new velocities (6), (9) to (11)."""
    t = borrow(tables)
    add_rates(h, tables)
    shift_poses(h, t.velocity, tables)
    rates_at(time + h, False, tables)
    run[0].evaluations += 1
    return Outcome.FRAMES_DONE.value


@dataclass(frozen=True)
class DiscreteMethod(FixedStepMethod):
    """Semi-implicit Euler with rotation by Rodrigues' formula; joints compliant."""

    name: str = "discrete"
    order: int = 1
    summary: str = "semi-implicit step with Rodrigues' rotation, compliant joints, very small steps"
    reference: str = "discrete-time article, equations (1) to (17)"
    keeps: str = "rotation matrices orthonormal to round-off"
    default_step: float = 1e-5
    step_kernel = discrete_step


METHODS = (DiscreteMethod(),)


def velocity_by_difference(
    position: np.ndarray,
    rotation: np.ndarray,
    velocity: np.ndarray,
    omega_body: np.ndarray,
    local: np.ndarray,
    step: float,
) -> np.ndarray:
    """Velocity of a body point as the article's (14) has it: (P_k - P_k-1) / dt.

    The last step of the method is known from the state after it, because it used the new velocities; so the
    previous place of the point need not be stored. At a step of 1e-6 s the difference of metre-sized positions
    loses ten digits; the exact formula v + omega x r is the default everywhere else.

    Args:
        position, rotation: of the body after the step; rotation world from body, shape (3, 3).
        velocity: of its centre of mass [m/s]; omega_body: [rad/s].
        local: point in body axes from the centre of mass [m].
        step: [s].
    """
    from centrode.math.rotation import matrix_from_axis_angle

    speed = float(np.linalg.norm(omega_body))
    back = matrix_from_axis_angle(omega_body, -speed * step) if speed > 0 else np.eye(3)
    now = position + rotation @ local
    before = position - step * velocity + rotation @ back @ local
    return (now - before) / step
