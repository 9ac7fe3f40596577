"""How fast a car passes the obstacle avoidance course of ISO 3888-2.

Run: python examples/car_lane_change.py
"""

from __future__ import annotations

import centrode as ct


def main() -> dict[float, bool]:
    """Verdict by entrance speed [m/s]."""
    car = ct.Car("car", chassis="rigid")
    return {speed: bool(ct.lane_change(car, "iso3888-2", speed).passed) for speed in (8.0, 12.0, 25.0)}


if __name__ == "__main__":
    verdicts = main()
    for speed, passed in verdicts.items():
        print(f"{speed:5.1f} m/s  {'passed' if passed else 'failed'}")
    assert verdicts[8.0] and not verdicts[25.0]
