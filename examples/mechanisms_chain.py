"""A chain of twenty links: exact joints, and compliant ones by the discrete-time method.

Run: python examples/mechanisms_chain.py
"""

from __future__ import annotations

import numpy as np

import centrode as ct


def main() -> dict:
    """Half a second, three ways."""
    return {
        "exact": ct.simulate(ct.chain(20), duration=0.5, tolerance=1e-10, frames=0.01),
        "compliant, 1e-5 s": ct.simulate(
            ct.chain(20, compliant=True), duration=0.5, method="discrete", step=1e-5, frames=0.01
        ),
        "compliant, 1e-4 s": ct.simulate(
            ct.chain(20, compliant=True), duration=0.5, method="discrete", step=1e-4, frames=0.01
        ),
    }


def draw(run) -> None:
    figure, [[axes]] = ct.new_figure(width=7, height=4)
    for name in list(run)[1:]:
        apart = np.linalg.norm(run[name]["link19.position"] - run["exact"]["link19.position"], axis=1)
        axes.semilogy(run[name].time, apart + 1e-12, label=name)
    axes.set(xlabel="time [s]", ylabel="last link, apart from exact joints [m]", title="Chain of 20 links")
    axes.legend()
    ct.save_figure(figure, "out/chain.png")


if __name__ == "__main__":
    runs = main()
    draw(runs)
    end = runs["exact"]["link19.position"][-1]
    errors = [float(np.abs(runs[name]["link19.position"][-1] - end).max()) for name in list(runs)[1:]]
    print(f"last link after 0.5 s: {end}; error {errors[0]:.1e} m at 1e-5 s, {errors[1]:.1e} m at 1e-4 s")
    # First order of the method, and joints that give with the square of the step: ten times the step makes the error
    # ten to a hundred times as large.
    assert errors[0] < 1e-4
    assert 5.0 < errors[1] / errors[0] < 100.0
