"""Tippe top: turns itself over; Jellett's quantity stays.

Run: python examples/mechanisms_tippe_top.py
"""

from __future__ import annotations

import numpy as np

import centrode as ct

RADIUS, OFFSET = 0.015, 0.003
"""Of the sphere, and of its middle above the centre of mass [m]."""


def main() -> object:
    """Four seconds."""
    return ct.simulate(ct.tippe_top(), duration=4.0, frames=0.01, tolerance=1e-8)


def draw(run) -> None:
    figure, [[axes]] = ct.new_figure(width=7, height=4)
    w, x, y, _ = run["top.orientation"].T
    axes.plot(run.time, np.degrees(np.arccos(np.clip(1 - 2 * (x * x + y * y), -1, 1))))
    axes.set(xlabel="time [s]", ylabel="inclination of the axis [deg]", title="Tippe top")
    ct.save_figure(figure, "out/tippe_top.png")


def jellett(run) -> np.ndarray:
    """L . (R z - a e) over time [kg m3/s]."""
    own = 0.4 * 0.006 * RADIUS**2
    momentum = np.array([131 / 120 * own, 131 / 120 * own, own]) * run["top.omega"]
    w, x, y, z = run["top.orientation"].T
    up = np.column_stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)])  # world z in the body
    return RADIUS * np.sum(momentum * up, axis=1) - OFFSET * momentum[:, 2]


if __name__ == "__main__":
    run = main()
    draw(run)
    w, x, y, _ = run["top.orientation"][-1]
    lean = np.degrees(np.arccos(1 - 2 * (x * x + y * y)))
    kept = jellett(run)
    print(f"inclination after 4 s: {lean:.1f} deg; Jellett's quantity within {np.ptp(kept) / kept[0]:.1e} of itself")
    assert lean > 150.0
    assert np.ptp(kept) < 5e-3 * kept[0]  # the foot is pressed in by some 0.03 mm of 15 mm
