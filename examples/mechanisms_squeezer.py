"""Andrews' squeezing mechanism: angles of 0.05 s, against the published values at 0.03 s.

Run: python examples/mechanisms_squeezer.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from centrode.running import simulate
from centrode.vehicles.mechanisms.squeezer import START, squeezer


def main() -> object:
    """The whole 0.05 s."""
    return simulate(squeezer(), duration=0.05, frames=1e-4, tolerance=1e-11)


def draw(run) -> None:
    figure, axes = plt.subplots(figsize=(7, 4))
    for k in range(2, 8):
        axes.plot(
            1e3 * run.time, run[f"body{k}.angle"] % (2 * np.pi) if k == 2 else run[f"body{k}.angle"], label=f"body {k}"
        )
    axes.set(xlabel="time [ms]", ylabel="rotation [rad]", title="Andrews' squeezer")
    axes.legend(ncols=2)
    save(figure, "squeezer")


def save(figure, name: str) -> None:
    """Write a figure to the folder ``out``."""
    Path("out").mkdir(exist_ok=True)
    figure.tight_layout()
    figure.savefig(Path("out") / f"{name}.png", dpi=120)
    plt.close(figure)


if __name__ == "__main__":
    run = main()
    draw(run)
    at = int(np.argmin(np.abs(run.time - 0.03)))
    beta, gamma = START["beta"] + run["body1.angle"][at], START["gamma"] + run["body3.angle"][at]
    print(f"beta(0.03) = {beta:.12f}, gamma(0.03) = {gamma:.14f}")
    # Hairer and Wanner, Solving Ordinary Differential Equations II, VII.7: good to 1.2e-9.
    assert abs(beta - 15.81077119629904) < 1.5e-9
    assert abs(gamma - 0.04082224013073101) < 1.5e-9
