"""A pendulum for an hour of its own time: energy with a symplectic method and with Runge-Kutta.

Run: python examples/mechanisms_pendulum.py
"""

from __future__ import annotations

import numpy as np

import centrode as ct


def main() -> dict:
    """Runs of 200 s with both methods at the same step."""
    return {
        method: ct.simulate(ct.pendulum(), duration=200.0, method=method, step=0.02, frames=0.2)
        for method in ("rattle", "rk4-projected")
    }


def draw(run) -> None:
    figure, [[axes]] = ct.new_figure(width=7, height=4)
    for method, recording in run.items():
        axes.plot(recording.time, recording["energy.total"], label=method)
    axes.set(xlabel="time [s]", ylabel="energy [J]", title="Pendulum, step 0.02 s")
    axes.legend()
    ct.save_figure(figure, "out/pendulum_energy.png")


if __name__ == "__main__":
    runs = main()
    draw(runs)
    swing = np.ptp(runs["rattle"]["energy.total"])
    lost = -runs["rk4-projected"]["energy.total"][-1]
    print(f"rattle: energy within {swing:.2e} J; rk4-projected: lost {lost:.2e} J")
    # Symplectic: (w h)^2 / 8 of 9.81 J, times up to 3 for the large swing; RK4 loses a little in every swing.
    assert swing < 0.015
    assert runs["rattle"]["energy.total"][-100:].mean() > -0.01
    assert lost > 0.0
