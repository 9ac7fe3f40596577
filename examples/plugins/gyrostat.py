"""A body of one's own: the gyrostat, a rigid body that carries a symmetric rotor.

The rotor turns about an axis that is fixed in the body and keeps its relative angular momentum h in body axes. With I
the inertia of body and rotor together, R the attitude (world from body), t the torque in the world:

    m v' = f,      I w' = R^T t - w x (I w + h)                                              (1)
    R (I w + h) = constant without torque                                                    (2)

Only the moment differs from a rigid body, so all other kernels are inherited. The recorded energy is w . I w / 2,
which (1) keeps; the rotor's own spin and the motor that holds h constant are left out of it. Check it with
``centrode check gyrostat.py``; use it in a scenario with ``plugins: [gyrostat.py]`` and ``kind: gyrostat`` below
``bodies``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import centrode as ct
from centrode.math.vector import cross, each, matrix, minus, plus, put, times, turn_back, vector


@ct.step_kernel(signature=ct.BODY_SIGNATURE)
def weigh_forces_gyrostat(first, end, tables):
    """(1), weighed: divided by the root of the mass matrix."""
    t = ct.borrow(tables)
    for b in range(first, end):
        body = t.bodies[b]
        force, torque = ct.wrench_on_body(body, vector(t.pose[b - 1], 0), tables)
        w = vector(t.velocity[b - 1], 3)
        momentum = plus(each(vector(body.inertia, 0), w), vector(t.data, body.data))
        moment = minus(turn_back(matrix(t.rotation[b], 0), torque), cross(w, momentum))
        put(t.weighted_force[b], 0, times(body.inverse_root_mass, force))
        put(t.weighted_force[b], 3, each(vector(body.inverse_root_inertia, 0), moment))


@dataclass(frozen=True)
class Gyrostat(ct.RigidBody):
    """Rigid body with a rotor of constant relative angular momentum."""

    kind: ClassVar[str] = "gyrostat"
    principal_axes: ClassVar[bool] = False  # methods that turn bodies by Euler's equations alone refuse the kind
    weigh_forces_kernel: ClassVar[Any] = weigh_forces_gyrostat
    fall_kernel: ClassVar[Any] = None  # the one of rigid bodies knows no rotor

    rotor: tuple[float, float, float] = ct.quantity(
        "kg*m2/s", "angular momentum of the rotor relative to the body, body frame", (0.0, 0.0, 0.0)
    )

    def row(self):
        """As a rigid body; the engine keeps bodies in principal axes, so the rotor is turned there."""
        row = super().row()
        return replace(row, data=tuple(float(x) for x in row.axes.T @ self.rotor))
