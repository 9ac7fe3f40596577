"""The offset collision of the MEDUSA report (1999): crash table, and how firm its figures are.

Run: python examples/crash_offset.py
"""

from __future__ import annotations

from pathlib import Path

import centrode as ct

SCENARIO = Path(__file__).parents[1] / "scenarios" / "collisions" / "offset.yaml"


def main() -> tuple[ct.Recording, ct.Sensitivity]:
    """The run and the sensitivity of its figures."""
    scenario = ct.load(SCENARIO, edits={"run.duration": 2.0})
    run = ct.simulate(scenario)
    return run, ct.collision_sensitivity(scenario, run)


if __name__ == "__main__":
    run, labels = main()
    print(run.collisions.table())
    print()
    print(labels.table())
    hit = run.collisions[0]
    assert abs(hit.closing_speed - 2.0) < 0.01
    assert hit.vehicle("faster").clock == 12
    assert hit.vehicle("slower").clock == 6
    assert all(item.label == "firm" for item in labels.figures)
