"""A row of dominoes of 10 g with friction falls: processor time, steps, how many lie, energy unaccounted for.

python benchmarks/dominoes.py [COUNT [SECONDS [METHOD]]]     40 dominoes, 2 s, the default method
"""

from __future__ import annotations

import sys
import time

import numpy as np

import centrode as ct

HALF, MASS, SPACING, PUSH = (0.004, 0.012, 0.024), 0.01, 0.03, 6.0
"""Half lengths [m], mass [kg], distance [m], turning speed of the first [rad/s]."""


def row(count: int) -> ct.System:
    """The row, its first one pushed."""
    inertia = tuple(MASS / 3.0 * (np.dot(HALF, HALF) - h * h) for h in HALF)
    system = ct.System(gravity=(0.0, 0.0, -9.80665))
    system.add(ct.OutlinePlane("floor", "ground"))
    for k in range(count):
        start = {"omega": (0.0, PUSH, 0.0), "velocity": (PUSH * HALF[2], 0.0, 0.0)} if k == 0 else {}
        system.add(ct.RigidBody(f"d{k}", MASS, inertia, position=(SPACING * k, 0.0, HALF[2]), **start))
        system.add(ct.OutlineBox(f"o{k}", f"d{k}", half_lengths=HALF))
    system.add(ct.Restitution("law", friction=0.4))
    return system


def main(count: int = 40, seconds: float = 2.0, method: str | None = None) -> None:
    """Let it fall."""
    began = time.process_time()
    run = ct.simulate(row(count), duration=seconds, frames=seconds / 50, method=method)
    total, heat = run["energy.total"], run["collisions.heat"]
    lying = sum(run[f"d{k}.position.z"][-1] < 0.5 * HALF[2] for k in range(count))
    print(f"{run.status}: {time.process_time() - began:.1f} s, {run.statistics.steps} steps, {lying} of {count} lie")
    print(f"energy unaccounted for: {abs(total[0] - total[-1] - heat[-1]) / heat[-1]:.1e} of the heat")


if __name__ == "__main__":
    given = sys.argv[1:]
    main(*(kind(text) for kind, text in zip((int, float, str), given, strict=False)))
