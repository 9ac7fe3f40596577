"""Andrews' squeezing mechanism: angles of 0.05 s, against the published values at 0.03 s.

Run: python examples/mechanisms_squeezer.py
"""

from __future__ import annotations

import numpy as np

import centrode as ct

START = {"beta": -0.0617138900142764, "gamma": 0.45527981916307038}
"""Angles of the mechanism at the start [rad]; the recorded ones count from there."""


def main() -> object:
    """The whole 0.05 s."""
    return ct.simulate(ct.squeezer(), duration=0.05, frames=1e-4, tolerance=1e-11)


def draw(run) -> None:
    figure, [[axes]] = ct.new_figure(width=7, height=4)
    for k in range(2, 8):
        axes.plot(
            1e3 * run.time, run[f"body{k}.angle"] % (2 * np.pi) if k == 2 else run[f"body{k}.angle"], label=f"body {k}"
        )
    axes.set(xlabel="time [ms]", ylabel="rotation [rad]", title="Andrews' squeezer")
    axes.legend(ncols=2)
    ct.save_figure(figure, "out/squeezer.png")


if __name__ == "__main__":
    run = main()
    draw(run)
    at = int(np.argmin(np.abs(run.time - 0.03)))
    beta, gamma = START["beta"] + run["body1.angle"][at], START["gamma"] + run["body3.angle"][at]
    print(f"beta(0.03) = {beta:.12f}, gamma(0.03) = {gamma:.14f}")
    # Hairer and Wanner, Solving Ordinary Differential Equations II, VII.7: good to 1.2e-9.
    assert abs(beta - 15.81077119629904) < 1.5e-9
    assert abs(gamma - 0.04082224013073101) < 1.5e-9
