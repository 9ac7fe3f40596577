"""A bicycle tows a two-wheeled trailer on a ball joint: further parts join those that the vehicle made.

The trailer's two wheels share one rolling line sideways, so one row is redundant; the assembly finds and drops it.

Run: python examples/bicycle_trailer.py
"""

from __future__ import annotations

import numpy as np

import centrode as ct


def main() -> ct.Recording:
    """Five seconds at 5 m/s after a knock."""
    speed, radius = 5.0, 0.2
    system = ct.bicycle_system(speed=speed, lean_rate=0.1)
    moving = {"velocity": (speed, 0.0, 0.0)}
    system.add(ct.RigidBody("trailer", 15.0, (0.8, 1.0, 1.4), position=(-1.0, 0.0, 0.35), **moving))
    system.add(ct.Ball("hitch", "bike.frame", "trailer", at=(-0.3, 0.0, 0.35)))
    for name, y in (("left", 0.25), ("right", -0.25)):
        wheel = f"{name}-wheel"
        system.add(
            ct.RigidBody(
                wheel, 1.0, (0.01, 0.02, 0.01), position=(-1.1, y, radius), omega=(0, speed / radius, 0), **moving
            )
        )
        system.add(ct.Revolute(f"{name}-hub", "trailer", wheel, at=(-1.1, y, radius), axis=(0, 1, 0)))
        system.add(ct.RollingDisc(f"{name}-contact", system.ground, wheel, radius))
    return ct.simulate(system, duration=5.0, frames=0.05, tolerance=1e-9, assemble=True)


if __name__ == "__main__":
    run = main()
    energy = run["energy.total"]
    print(run.status, f"energy kept to {np.ptp(energy) / energy[0]:.1e}")
    print(f"lean at the end {run['bike.rear-contact.lean'][-1]:.5f} rad")
    print(f"redundant rows {run.statistics.more['redundant_rows']:.0f}")
    assert run.status.completed
    assert np.ptp(energy) / energy[0] < 1e-8
    assert run.statistics.more["redundant_rows"] == 1
