"""The true equilibrium of a legacy model on a level road.

model.dat lists a state for the start (EQUILIBRIUM), but the one of model 1 in the MEDUSA report (1999) is none: its
springs give a pitch of -0.0138, not -0.0748, so every run of the original begins with a heave and pitch transient.
Here the static balance of (1.7) is solved:

    sum_q f^q = m g,     X_q^1 f^q e_3 = k^1,   X_q^2 f^q e_3 = k^2,   X_q^3 f^q e_3 = k^3      (sums over the wheels)

with the spring forces (1.17) at rest and the director forces (1.12). The model is symmetric about its x-z plane, so
the unknowns are r3, d11, d13, d22, d31, d33; Newton's rule from the undeformed body needs about five steps.
"""

from __future__ import annotations

import numpy as np

from centrode.errors import InputError
from centrode.parts.bodies.pseudo_rigid_energy import director_forces, lame_constants
from centrode.scenario.medusa.records import LegacyModel


def true_equilibrium(model: LegacyModel, gravity: float = 9.81) -> tuple[float, np.ndarray]:
    """Height of the centre of mass [m] and directors, shape (3, 3), rows d1, d2, d3, at rest on a level road.

    Raises:
        InputError: the springs cannot carry the weight with all wheels on the ground.
    """
    lam, mu = lame_constants(model.young, model.poisson)
    points = np.array(model.assembly_points)
    stiffness = np.array([model.c1, model.c1, model.c2, model.c2])
    weight = model.mass * gravity

    def balance(unknown: np.ndarray) -> np.ndarray:
        height, directors = _unpacked(unknown)
        forces = stiffness * (model.spring_ref - height - points @ directors[:, 2])
        inner = np.array(director_forces(lam, mu, model.volume, *directors.ravel())).reshape(3, 3)
        outer = np.zeros((3, 3))
        outer[:, 2] = points.T @ forces
        rest = outer - inner
        return np.array([forces.sum() - weight, rest[0, 0], rest[0, 2], rest[1, 1], rest[2, 0], rest[2, 2]])

    unknown = np.array([model.spring_ref - weight / stiffness.sum(), 1.0, 0.0, 1.0, 0.0, 1.0])
    for _ in range(50):
        residual = balance(unknown)
        jacobian = np.empty((6, 6))
        for column in range(6):
            shift = np.zeros(6)
            shift[column] = 1.0e-6
            jacobian[:, column] = (balance(unknown + shift) - balance(unknown - shift)) / 2.0e-6
        step = np.linalg.lstsq(jacobian, -residual, rcond=None)[0]
        unknown = unknown + np.clip(step, -0.2, 0.2)
        if np.max(np.abs(step)) < 1.0e-13:
            break
    height, directors = _unpacked(unknown)
    loads = stiffness * (model.spring_ref - height - points @ directors[:, 2])
    if not np.all(np.isfinite(unknown)) or np.max(np.abs(balance(unknown))) > 1.0e-6 * weight or loads.min() <= 0.0:
        raise InputError(
            "the model has no equilibrium on four wheels",
            got=tuple(float(value) for value in unknown),
            hint="the centre of mass must lie between the axles (L1 and L2 positive)",
        )
    return height, directors


def _unpacked(unknown: np.ndarray) -> tuple[float, np.ndarray]:
    height, d11, d13, d22, d31, d33 = unknown
    return float(height), np.array([[d11, 0.0, d13], [0.0, d22, 0.0], [d31, 0.0, d33]])
