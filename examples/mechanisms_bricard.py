"""Bricard's mechanism: a loop that should not move, and its redundant row.

Run: python examples/mechanisms_bricard.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from centrode.running import simulate
from centrode.vehicles.mechanisms.bricard import bricard


def main() -> object:
    """Ten seconds."""
    return simulate(bricard(), duration=10.0, frames=0.02, tolerance=1e-10)


def draw(run) -> None:
    figure = plt.figure(figsize=(6, 5))
    axes = figure.add_subplot(projection="3d")
    x, y, z = run["point3.position"].T
    axes.plot(x, z, y)
    axes.set(xlabel="x [m]", ylabel="z [m]", zlabel="y [m]", title="Path of point 3")
    save(figure, "bricard")


def save(figure, name: str) -> None:
    """Write a figure to the folder ``out``."""
    Path("out").mkdir(exist_ok=True)
    figure.tight_layout()
    figure.savefig(Path("out") / f"{name}.png", dpi=120)
    plt.close(figure)


if __name__ == "__main__":
    run = main()
    draw(run)
    at = int(np.argmin(np.abs(run.time - 1.0)))
    print("point 3 after 1 s:", run["point3.position"][at])
    for event in run.events:
        print(f"t = {event.time:g} s: {event.subject}")
    assert (
        np.abs(run["point3.position"][at] - (0.5105014611877626, -1.649167599394611, 0.14012311455350823)).max() < 1e-9
    )
    assert run.statistics.more["redundant_rows"] == 1
