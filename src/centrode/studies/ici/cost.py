"""What a step costs: the thesis' operation counts and unit costs, and nanoseconds measured on this machine.

The thesis (section 5) counts additions, multiplications and sine or cosine calls, and values them at 1, 10 and 100
time units. Two slips: the sum for the second order is 332, not 342; and Table 3 multiplies each count by itself instead
of by its unit cost (see tables). The measurement runs the compiled loop over rates that change in every step.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from centrode.studies.ici.methods import METHODS, IciMethod, method_named
from centrode.studies.ici.printed import OPERATION_COUNTS, PRINTED_COSTS, UNIT_COSTS


@dataclass(frozen=True)
class StepCost:
    """Cost of one step of one method.

    Attributes:
        method: name.
        additions, multiplications, transcendentals: the thesis' counts; None for methods it does not treat.
        units: counts times unit costs; None as above.
        units_printed: the sum as printed in the thesis.
        nanoseconds: measured, one vehicle, one core [ns].
    """

    method: str
    additions: int | None
    multiplications: int | None
    transcendentals: int | None
    units: int | None
    units_printed: int | None
    nanoseconds: float


def unit_cost(method: str) -> int:
    """Time units per step from the thesis' counts and unit costs: 106, 332, 1092."""
    return sum(count * cost for count, cost in zip(OPERATION_COUNTS[method], UNIT_COSTS.values(), strict=True))


def measure_step(method: str | IciMethod, steps: int = 100_000, repeat: int = 5) -> float:
    """Nanoseconds per step of one vehicle with rates that change in every step; best of `repeat` runs."""
    from centrode.studies.ici.march import march_plane

    chosen = method_named(method)
    generator = np.random.default_rng(1999)
    samples = generator.uniform((5.0, -2.0, -2.0), (40.0, 2.0, 2.0), (steps, len(chosen.nodes), 3))
    frames = np.empty((2, 4))
    best = np.inf
    for run in range(repeat + 1):
        state = np.array([0.0, 0.0, 1.0, 0.0])
        start = time.perf_counter()
        march_plane(chosen.code, chosen.renormalise, state, samples, 1e-3, 0, steps, steps, frames, 1)
        elapsed = time.perf_counter() - start
        # The first run compiles or loads the kernel.
        best = min(best, elapsed) if run else best
    return 1e9 * best / steps


def cost_table(steps: int = 100_000) -> list[StepCost]:
    """Cost of every method, in the order of METHODS."""
    rows = []
    for name in METHODS:
        units = unit_cost(name) if name in OPERATION_COUNTS else None
        more, times, calls = OPERATION_COUNTS.get(name, (None, None, None))
        rows.append(StepCost(name, more, times, calls, units, PRINTED_COSTS.get(name), measure_step(name, steps)))
    return rows
