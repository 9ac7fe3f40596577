"""Constant velocity and rotation in space draw a helix: one exact step, and what arc-then-roll makes of it.

Run: python examples/ici_helix.py
"""

from __future__ import annotations

import math

import numpy as np

import centrode as ct

TWIST = (30.0, 0.0, 0.0, 0.6, 0.0, 1.2)
"""30 m/s ahead, rolling at 0.6 rad/s and yawing at 1.2 rad/s, body axes."""


def main() -> dict[str, list[float]]:
    """Distance from the exact end after 5 s [m], for 50, 100 and 200 steps, by method."""
    exact = ct.integrate_space(TWIST, 5.0, 1).position[-1]
    return {
        method: [
            float(np.linalg.norm(ct.integrate_space(TWIST, 5.0, steps, method).position[-1] - exact))
            for steps in (50, 100, 200)
        ]
        for method in ("ici-first", "ici-second", "ici-split", "ici-split-symmetric", "ici-exact")
    }


if __name__ == "__main__":
    curvature, torsion, radius, pitch, _ = ct.helix_of_twist(TWIST[:3], TWIST[3:])
    print(
        f"curvature {curvature:.4f} 1/m, torsion {torsion:.4f} 1/m, helix radius {radius:.2f} m, {pitch:.2f} m per rad"
    )
    errors = main()
    for name, values in errors.items():
        print(f"{name:20s} " + "  ".join(f"{value:10.3e} m" for value in values))
    assert abs(math.log2(errors["ici-split"][1] / errors["ici-split"][2]) - 1.0) < 0.15
    assert abs(math.log2(errors["ici-split-symmetric"][1] / errors["ici-split-symmetric"][2]) - 2.0) < 0.15
    # 200 steps of rounding on a path of 150 m.
    assert errors["ici-exact"][2] < 1e-11
