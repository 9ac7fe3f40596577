"""Two double pendulums that start a millionth of a radian apart: chaos.

Run: python examples/mechanisms_double_pendulum.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from centrode.running import simulate
from centrode.vehicles.mechanisms.pendulum import double_pendulum


def main() -> list:
    """Both runs, 12 s."""
    return [
        simulate(double_pendulum(first_angle=2.0 + shift), duration=12.0, tolerance=1e-11, frames=0.02)
        for shift in (0.0, 1e-6)
    ]


def draw(run) -> None:
    figure, (path, apart) = plt.subplots(1, 2, figsize=(10, 4))
    end = run[0]["lower.position"] + 0.5 * np.column_stack(
        [np.sin(run[0]["lower.angle"]), -np.cos(run[0]["lower.angle"])]
    )
    path.plot(end[:, 0], end[:, 1], linewidth=0.7)
    path.set(xlabel="x [m]", ylabel="y [m]", title="Path of the end", aspect="equal")
    apart.semilogy(run[0].time, np.abs(run[0]["lower.angle"] - run[1]["lower.angle"]) + 1e-16)
    apart.set(xlabel="time [s]", ylabel="angle apart [rad]", title="1e-6 rad apart at the start")
    save(figure, "double_pendulum")


def save(figure, name: str) -> None:
    """Write a figure to the folder ``out``."""
    Path("out").mkdir(exist_ok=True)
    figure.tight_layout()
    figure.savefig(Path("out") / f"{name}.png", dpi=120)
    plt.close(figure)


if __name__ == "__main__":
    runs = main()
    draw(runs)
    apart = abs(runs[0]["lower.angle"][-1] - runs[1]["lower.angle"][-1])
    print(f"apart after 12 s: {apart:.3g} rad; energy kept to {np.ptp(runs[0]['energy.total']):.1e} J")
    assert apart > 1e-4
    assert np.ptp(runs[0]["energy.total"]) < 1e-7
