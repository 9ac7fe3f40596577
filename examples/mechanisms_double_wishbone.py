"""Double wishbone suspension: settles under the wheel load; forces balance.

Run: python examples/mechanisms_double_wishbone.py
"""

from __future__ import annotations

import numpy as np

import centrode as ct


def main() -> object:
    """Dropped on its wheel load, 3 s."""
    return ct.simulate(ct.double_wishbone(), duration=3.0, frames=0.01, tolerance=1e-9)


def draw(run) -> None:
    figure, [[travel, toe]] = ct.new_figure(1, 2, width=10, height=4)
    travel.plot(run.time, 1e3 * (run["upright.position"][:, 2] - run["upright.position"][0, 2]))
    travel.set(xlabel="time [s]", ylabel="travel of the wheel [mm]")
    w, x, y, z = run["upright.orientation"].T
    toe.plot(run.time, np.degrees(2 * np.arctan2(x, w)), label="camber change")
    toe.plot(run.time, np.degrees(2 * np.arctan2(z, w)), label="toe change")
    toe.set(xlabel="time [s]", ylabel="angle [deg]")
    toe.legend()
    ct.save_figure(figure, "out/double_wishbone.png")


if __name__ == "__main__":
    run = main()
    draw(run)
    travel = run["upright.position"][-1, 2] - run["upright.position"][0, 2]
    # Forces on the upright: ball joints, track rod, weight and wheel load.
    total = run["lower-ball.force"][-1] + run["upper-ball.force"][-1] + run["track-rod.force"][-1]
    total[2] += 3500.0 - 28.0 * 9.81
    print(f"the wheel settles {1e3 * travel:.2f} mm from the design position; rest force {np.abs(total).max():.1e} N")
    assert np.abs(run["upright.velocity"][-1]).max() < 1e-6
    assert np.abs(total).max() < 1e-3
    assert 0.001 < abs(travel) < 0.1
