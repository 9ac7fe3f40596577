"""Heavy top: steady precession, nutation when it is let go from rest, and a top that falls asleep.

Run: python examples/mechanisms_heavy_top.py
"""

from __future__ import annotations

import math

import numpy as np

import centrode as ct


def main() -> dict:
    """Steady precession, and the same top let go without precession."""
    return {
        "steady": ct.simulate(ct.heavy_top(), duration=5.0, frames=0.005, tolerance=1e-11),
        "let go": ct.simulate(ct.heavy_top(rate=0.0), duration=5.0, frames=0.005, tolerance=1e-11),
    }


def draw(run) -> None:
    figure, [[axes]] = ct.new_figure(width=6, height=5)
    for name, recording in run.items():
        x, y, _ = axis_of(recording).T
        axes.plot(x, y, label=name, linewidth=0.9)
    axes.set(xlabel="x", ylabel="y", title="Tip of the axis, seen from above", aspect="equal")
    axes.legend()
    ct.save_figure(figure, "out/heavy_top.png")


def axis_of(run) -> np.ndarray:
    """Direction of the top's axis in the world."""
    w, x, y, z = run["top.orientation"].T
    return np.column_stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])


if __name__ == "__main__":
    runs = main()
    draw(runs)
    lean = np.degrees(np.arccos(axis_of(runs["steady"])[:, 2]))
    tip = axis_of(runs["steady"])
    turned = np.unwrap(np.arctan2(tip[:, 1], tip[:, 0]))
    rate = (turned[-1] - turned[0]) / 5.0
    print(f"inclination {lean.min():.9f} .. {lean.max():.9f} deg, precession {rate:.9f} rad/s")
    assert np.abs(lean - 30.0).max() < 1e-8
    assert abs(rate - ct.precession(0.02, 0.01, 0.5, 40.0, math.radians(30.0))[0]) < 1e-9
    nods = np.degrees(np.arccos(axis_of(runs["let go"])[:, 2]))
    assert nods.min() > 29.99 and nods.max() > 33.0  # falls, and is turned up again
