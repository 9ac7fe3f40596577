"""Flyball governor: stiff dampers, an explicit and an implicit method.

Run: python examples/mechanisms_governor.py
"""

from __future__ import annotations

import centrode as ct


def main() -> dict:
    """Runs of 5 s with both methods."""
    return {
        method: ct.simulate(ct.governor(), duration=5.0, method=method, tolerance=tolerance, frames=0.02)
        for method, tolerance in (("dop853", 1e-5), ("radau", 1e-6))
    }


def draw(run) -> None:
    figure, [[axes]] = ct.new_figure(width=7, height=4)
    for method, recording in run.items():
        steps = recording.statistics.steps
        axes.plot(recording.time, recording["slider.position"][:, 2], label=f"{method}: {steps} steps")
    axes.set(xlabel="time [s]", ylabel="height of the slider [m]", title="Flyball governor")
    axes.legend()
    ct.save_figure(figure, "out/governor.png")


if __name__ == "__main__":
    runs = main()
    draw(runs)
    for method, run in runs.items():
        error = run["slider.position"][-1, 2] - 0.5355631037215994
        print(f"{method}: {run.statistics.steps} steps, error of the height after 5 s {error:.1e} m")
        assert abs(error) < 1e-6
    assert 5 * runs["radau"].statistics.steps < runs["dop853"].statistics.steps
