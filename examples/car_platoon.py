"""Four cars of an automated highway: the leader brakes, the others follow by radar and by messages that come late.

Run: python examples/car_platoon.py
"""

from __future__ import annotations

import numpy as np

import centrode as ct


def main(delay: float = 0.05) -> list[float]:
    """Largest error of the three gaps [m], from front to rear, for a delay of the messages [s]."""
    system = ct.System("Platoon")
    system.add(ct.RoadPlane("highway"))
    for k in range(4):
        place = (30.0 - 10.0 * k, 0.0)
        system.add(ct.Car(f"car{k}", chassis="rigid", road="highway", position=place, speed=25.0))
    braking = ct.SignalSmoothStep(1.0, 4.0, 25.0, 18.0)
    system.add(ct.LaneKeeping("driver0", inputs=("car0.carriage",), speed=braking, period=0.02))
    for k in (1, 2, 3):
        system.add(
            ct.PlatoonControl(
                f"driver{k}",
                inputs=(f"car{k}.carriage",),
                ahead=f"car{k - 1}.body",
                leader="car0.body",
                gap=6.0,
                delay=delay,
                period=0.02,
            )
        )
    run = ct.simulate(system, duration=8.0, tolerance=1e-6)
    x = [run[f"car{k}.body.position"][:, 0] for k in range(4)]
    return [float(np.abs(x[k] - x[k + 1] - 10.0).max()) for k in range(3)]


if __name__ == "__main__":
    errors = main()
    print("largest gap errors [m]:", ", ".join(f"{error:.3f}" for error in errors))
    # String stability: the disturbance shrinks from car to car.
    assert errors[2] <= errors[1] <= errors[0] < 1.0
