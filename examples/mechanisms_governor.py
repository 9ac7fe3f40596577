"""Flyball governor: stiff dampers, an explicit and an implicit method.

Run: python examples/mechanisms_governor.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from centrode.running import simulate
from centrode.vehicles.mechanisms.governor import governor


def main() -> dict:
    """Runs of 5 s with both methods."""
    return {
        method: simulate(governor(), duration=5.0, method=method, tolerance=tolerance, frames=0.02)
        for method, tolerance in (("dop853", 1e-5), ("radau", 1e-6))
    }


def draw(run) -> None:
    figure, axes = plt.subplots(figsize=(7, 4))
    for method, recording in run.items():
        steps = recording.statistics.steps
        axes.plot(recording.time, recording["slider.position"][:, 2], label=f"{method}: {steps} steps")
    axes.set(xlabel="time [s]", ylabel="height of the slider [m]", title="Flyball governor")
    axes.legend()
    save(figure, "governor")


def save(figure, name: str) -> None:
    """Write a figure to the folder ``out``."""
    Path("out").mkdir(exist_ok=True)
    figure.tight_layout()
    figure.savefig(Path("out") / f"{name}.png", dpi=120)
    plt.close(figure)


if __name__ == "__main__":
    runs = main()
    draw(runs)
    for method, run in runs.items():
        error = run["slider.position"][-1, 2] - 0.5355631037215994
        print(f"{method}: {run.statistics.steps} steps, error of the height after 5 s {error:.1e} m")
        assert abs(error) < 1e-6
    assert 5 * runs["radau"].statistics.steps < runs["dop853"].statistics.steps
