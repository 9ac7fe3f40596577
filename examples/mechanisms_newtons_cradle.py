"""Newton's cradle: the last ball takes over the whole swing.

Run: python examples/mechanisms_newtons_cradle.py
"""

from __future__ import annotations

import numpy as np

import centrode as ct


def main() -> object:
    """Four seconds with one ball lifted."""
    return ct.simulate(ct.newtons_cradle(), duration=4.0, frames=0.005, tolerance=1e-9)


def draw(run) -> None:
    figure, [[axes]] = ct.new_figure(width=7, height=4)
    for k in range(5):
        axes.plot(run.time, run[f"ball{k}.position"][:, 0], label=f"ball {k}")
    axes.set(xlabel="time [s]", ylabel="x [m]", title="Newton's cradle")
    axes.legend()
    ct.save_figure(figure, "out/newtons_cradle.png")


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
