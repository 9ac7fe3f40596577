"""Hands-free circles: how fast and how far leant a bicycle runs for a given steer angle.

Run: python examples/bicycle_turns.py
"""

from __future__ import annotations

import math

import centrode as ct


def main() -> list[ct.SteadyTurn]:
    """Turns at 1, 5 and 10 degrees of steer, and the end of the family, standing."""
    solver = ct.TurnSolver()
    return [*solver.family([math.radians(s) for s in (1.0, 5.0, 10.0)]), solver.standing()]


if __name__ == "__main__":
    turns = main()
    for turn in turns:
        print(
            f"steer {math.degrees(turn.steer):8.4f} deg   lean {math.degrees(turn.lean):8.4f} deg   "
            f"speed {turn.speed:.6f} m/s   radius {turn.radius:10.4f} m"
        )
    # The family begins at the capsize speed, 6.024 m/s, and ends upright at rest with the front wheel almost across.
    assert abs(turns[1].speed - 5.7737825977) < 1e-6
    assert abs(math.degrees(turns[-1].steer) - 76.7614426) < 1e-6 and abs(turns[-1].lean) < 1e-12
