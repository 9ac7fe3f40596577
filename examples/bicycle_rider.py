"""A rider takes the benchmark bicycle through a lane change at 4 m/s, where it would fall by itself.

Run: python examples/bicycle_rider.py
"""

from __future__ import annotations

import math

import numpy as np

import centrode as ct

PATH = [(0, 0), (10, 0), (20, 1.5), (30, 3), (40, 3), (50, 3), (70, 3)]


def main() -> dict[str, float]:
    """Figures of the ride."""
    system = ct.bicycle_system(speed=4.0, drives=True, lean_rate=0.1)
    system.add(ct.BicycleRider("rider", ("bike.steer-drive",), bicycle="bike", path=PATH))
    run = ct.simulate(system, duration=15.0, method="rk4-projected", step=0.01, frames=0.05)
    history = ct.bicycle_history(run, "bike", ct.BicycleParameters())
    return {
        "lane at the end [m]": float(history["rear_track"][-1, 1]),
        "largest lean [deg]": math.degrees(float(np.abs(history["lean"]).max())),
        "largest steer [deg]": math.degrees(float(np.abs(history["steer"]).max())),
        "fell": float(ct.fall_time(run, "bike") is not None),
    }


if __name__ == "__main__":
    reached = main()
    for name, value in reached.items():
        print(f"{name:22s} {value:.3f}")
    assert reached["fell"] == 0.0
    assert abs(reached["lane at the end [m]"] - 3.0) < 0.05
    assert reached["largest lean [deg]"] < 10.0
