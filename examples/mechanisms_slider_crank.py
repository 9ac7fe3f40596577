"""Slider-crank that coasts: motion, bearing forces, energy.

Run: python examples/mechanisms_slider_crank.py
"""

from __future__ import annotations

import numpy as np

import centrode as ct


def main() -> object:
    """One second of coasting."""
    return ct.simulate(ct.slider_crank(), duration=1.0, frames=0.002, tolerance=1e-9)


def draw(run) -> None:
    figure, [[place, force]] = ct.new_figure(1, 2, width=10, height=4)
    place.plot(run.time, run["slider.position"][:, 0])
    place.set(xlabel="time [s]", ylabel="slider [m]")
    force.plot(run.time, np.hypot(run["crank-pin.force"][:, 0], run["crank-pin.force"][:, 1]), label="crank pin")
    force.plot(run.time, np.abs(run["guide.force"][:, 1]), label="guide")
    force.set(xlabel="time [s]", ylabel="force [N]")
    force.legend()
    ct.save_figure(figure, "out/slider_crank.png")


if __name__ == "__main__":
    run = main()
    draw(run)
    angle = run["crank.angle"]
    closed = 0.15 * np.cos(angle) + np.sqrt(0.35**2 - (0.15 * np.sin(angle)) ** 2)
    print(f"slider after 1 s: {run['slider.position'][-1, 0]:.6f} m, closed form {closed[-1]:.6f} m")
    assert np.abs(run["slider.position"][:, 0] - closed).max() < 1e-10
    assert np.abs(run["energy.residual"]).max() < 1e-6
