r"""The 6-DOF lecture's rope: a mass falls beside the pivot of a rope, jerks it taut and swings on.

Mass m = 1 kg, gravity g = 9.81, friction f = 0.1 N s/m, rope of length l = 1 m fixed at (l/2, 0, 0); start at rest at
the origin. Vertical plane x-z.

    slack   v = -(m g/f)(1 - e^(-f t/m)),  z = -(m g/f)(t - (m/f)(1 - e^(-f t/m)))            (1)
    taut    at z = -sqrt(3)/2 l, where t* solves (1); speed V
    jerk    the radial part of the velocity is lost: v+ = (sqrt3/4, -1/4) V, impulse m V sqrt3/2, a quarter of the
            kinetic energy is kept                                                            (2)
    swing   a'' = -(g/l) sin a - (f/m) a',  tension m (g cos a + l a'^2),  a(t*) = -30 deg    (3)

The lecture's rule for the first taut moment, "Xdot(2) = 0", would stop the mass altogether, because its velocity is
vertical; (2) is the inelastic impact. Multiplier of the lecture (phi = d.d - l^2): lambda = -tension/(2 l).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

MASS, GRAVITY, FRICTION, LENGTH = 1.0, 9.81, 0.1, 1.0


def lecture_rope(restitution: float = 0.0) -> Any:
    """The system: bodies "mass", joint "rope", force "friction"."""
    from centrode.parts.bodies.rigid import RigidBody
    from centrode.parts.forces.drag import Drag
    from centrode.parts.joints.rope import Rope
    from centrode.system.builder import System

    system = System("Falling mass on a rope", gravity=(0.0, 0.0, -GRAVITY))
    system.add(RigidBody("mass", MASS))
    system.add(Drag("friction", "mass", linear=FRICTION))
    system.add(
        Rope("rope", system.ground, "mass", point_a=(0.5 * LENGTH, 0.0, 0.0), length=LENGTH, restitution=restitution)
    )
    return system


def taut_moment() -> tuple[float, float]:
    """Time t* [s] and speed V [m/s] when the rope becomes taut, from (1) by Newton's method."""
    rate = FRICTION / MASS
    final = MASS * GRAVITY / FRICTION
    depth = 0.5 * math.sqrt(3.0) * LENGTH
    time = math.sqrt(2.0 * depth / GRAVITY)
    for _ in range(50):
        gone = -math.expm1(-rate * time)
        time -= (final * (time - gone / rate) - depth) / (final * gone)
    return time, final * -math.expm1(-rate * time)


def swing(times: Any) -> np.ndarray:
    """Angle and its rate [rad, rad/s] at times after t*, by DOP853 on (3) alone: independent of the engine."""
    from scipy.integrate import solve_ivp

    start, speed = taut_moment()
    wanted = np.asarray(times, dtype=float)

    def rate(t: float, y: np.ndarray) -> list[float]:
        return [y[1], -GRAVITY / LENGTH * math.sin(y[0]) - FRICTION / MASS * y[1]]

    span, begin = (start, float(wanted.max())), [-math.pi / 6.0, 0.5 * speed / LENGTH]
    return solve_ivp(rate, span, begin, method="DOP853", rtol=1e-13, atol=1e-14, t_eval=wanted).y.T
