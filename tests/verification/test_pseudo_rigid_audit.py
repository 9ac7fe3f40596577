"""A damped pseudo-rigid body: what its vibration loses is heat of the material, and the audit says so."""

import numpy as np

import centrode as ct
from centrode.parts.bodies.pseudo_rigid import PseudoRigidBody


def test_material_damping_closes_the_energy_audit():
    """A stretched body released at rest. The audit integrates the damping power with the method, so at tolerance 1e-10
    the residual stays below 1e-6 of the energy that is lost (a thousand steps of error 1e-10 relative each)."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(
        PseudoRigidBody(
            "car",
            mass=1573.0,
            inertia=(479.6, 2594.6, 2782.0),
            damping=1e-3,
            stretch=((1.002, 0, 0), (0, 1, 0), (0, 0, 1)),
        )
    )
    run = ct.simulate(system, duration=0.05, tolerance=1e-10, frames=0.005)
    energy = run["energy.total"]
    lost = energy[0] - energy[-1]
    assert lost > 0.5 * energy[0]
    assert np.all(np.diff(energy) <= 1e-9 * energy[0])
    assert np.abs(run["energy.residual"]).max() < 1e-6 * lost
