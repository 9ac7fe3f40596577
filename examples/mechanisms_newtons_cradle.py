"""Newton's cradle: the last ball takes over the whole swing.

Run: python examples/mechanisms_newtons_cradle.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from centrode.running import simulate
from centrode.vehicles.mechanisms.newtons_cradle import newtons_cradle


def main() -> object:
    """Four seconds with one ball lifted."""
    return simulate(newtons_cradle(), duration=4.0, frames=0.005, tolerance=1e-9)


def draw(run) -> None:
    figure, axes = plt.subplots(figsize=(7, 4))
    for k in range(5):
        axes.plot(run.time, run[f"ball{k}.position"][:, 0], label=f"ball {k}")
    axes.set(xlabel="time [s]", ylabel="x [m]", title="Newton's cradle")
    axes.legend()
    save(figure, "newtons_cradle")


def save(figure, name: str) -> None:
    """Write a figure to the folder ``out``."""
    Path("out").mkdir(exist_ok=True)
    figure.tight_layout()
    figure.savefig(Path("out") / f"{name}.png", dpi=120)
    plt.close(figure)


if __name__ == "__main__":
    run = main()
    draw(run)
    half = run.time < 1.2
    rise = [(run[f"ball{k}.position"][half, 1] + 1.0).max() for k in range(5)]
    print("highest rise in the first swing [mm]:", np.round(1e3 * np.array(rise), 3))
    assert rise[4] > 0.99 * rise[0]  # the stroke passes on, with the gaps' small losses of motion
    assert max(rise[1:4]) < 0.02 * rise[0]
    # 0.44 J swing; steps over the kinks of the strokes cost a few 1e-6 of them.
    assert np.ptp(run["energy.total"]) < 1e-5
