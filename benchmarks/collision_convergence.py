"""Convergence of the report's five examples: error 0.5 s after the last hit against the step, with observed orders.

    python benchmarks/collision_convergence.py

Prints the table of docs/theory/collisions.md, what a shift of one nanometre moves, and how far aligned cars leave their
line; the tests of tests/verification/test_collision_examples.py assert the bounds.
"""

from __future__ import annotations

import itertools
import math
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "verification"))

from test_collision_examples import ENDS, FOLDER, end_state

from centrode.scenario.loader import load

STEPS = [1e-3 / 2**k for k in range(6)]


def main() -> None:
    """Print the table."""
    print("example  " + "".join(f"{1e3 * step:>10.5g} ms" for step in STEPS) + "   order of the halvings")
    for name in ENDS:
        wanted = end_state(name, None, method="dop853", tolerance=1e-12)
        errors = [float(np.abs(end_state(name, step) - wanted).max()) for step in STEPS]
        orders = " ".join(f"{math.log2(a / b):.2f}" for a, b in itertools.pairwise(errors))
        print(f"{name:9}" + "".join(f"{error:13.1e}" for error in errors) + f"   {orders}")
    for name, shifted in (("offset", "slower"), ("wave", "car4")):
        x, y = load(FOLDER / f"{name}.yaml").system.parts[shifted].position[:2]
        here = end_state(name, 5e-4)
        moved = end_state(name, 5e-4, {f"vehicles.{shifted}.position": [x, y + 1e-9]})
        print(f"{name}: a nanometre moves {np.abs(moved - here).max():.1e} (m, m/s)")
    final = end_state("wave", 1e-3, end=20.0)
    print(f"wave, 20 s: aligned cars leave y = 0 by {np.abs(final[:, 1]).max():.1e} m")


if __name__ == "__main__":
    main()
