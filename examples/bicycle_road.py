"""A rider takes the benchmark bicycle once round a banked circuit with a hill.

Run: python examples/bicycle_road.py
"""

from __future__ import annotations

import math

import numpy as np

import centrode as ct

# An oval to the left, 50 m by 40 m; the far side lies 0.6 m higher. A negative bank raises the right, outer side.
CORNERS = [(25.0 * math.cos(a), 20.0 * math.sin(a), 0.3 * (1.0 + math.sin(a))) for a in np.arange(12) * math.pi / 6.0]


def main() -> dict[str, float]:
    """Figures of one lap."""
    system = ct.System("Once round")
    road = system.add(ct.RoadSpline("circuit", points=tuple(CORNERS), bank=math.radians(-10.0), width=4.0, closed=True))
    system.add(ct.Bicycle("bike", road="circuit", station=35.0, offset=0.3, speed=6.0, drives=True))
    system.add(ct.BicycleRider("rider", ("bike.steer-drive",)))
    run = ct.simulate(system, duration=27.0, method="rk4-projected", step=0.005, frames=0.05)
    history = ct.bicycle_history(run, "bike", ct.BicycleParameters(), road=road)
    length = float(road.shared_table()[0, 3])
    return {
        "laps": float(np.ptp(np.unwrap(run["bike.rear-contact.s"], period=length))) / length,
        "farthest from the line [m]": float(np.abs(run["bike.rear-contact.lateral"]).max()),
        "slowest [m/s]": float(history["speed"].min()),
        "friction needed": float(max(history["rear_friction"].max(), history["front_friction"].max())),
        "fell": float(ct.fall_time(run, "bike") is not None),
    }


if __name__ == "__main__":
    reached = main()
    for name, value in reached.items():
        print(f"{name:27s} {value:.3f}")
    assert reached["fell"] == 0.0 and reached["laps"] > 1.0
    assert reached["farthest from the line [m]"] < 0.5
    assert reached["friction needed"] < 0.3
