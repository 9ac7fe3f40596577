"""Stewart platform: equal legs lift the plate straight up.

Run: python examples/mechanisms_stewart_platform.py
"""

from __future__ import annotations

import numpy as np

import centrode as ct


def main() -> list:
    """Pure heave, and a wave that runs around the legs."""
    return [
        ct.simulate(ct.stewart_platform(), duration=2.0, frames=0.01, tolerance=1e-9),
        ct.simulate(ct.stewart_platform(amplitude=0.0, tilt=0.05), duration=2.0, frames=0.01, tolerance=1e-9),
    ]


def draw(run) -> None:
    figure, [[height, force]] = ct.new_figure(1, 2, width=10, height=4)
    height.plot(run[0].time, run[0]["plate.position"][:, 2], label="heave")
    height.plot(run[1].time, run[1]["plate.position"], label=["wave x", "wave y", "wave z"])
    height.set(xlabel="time [s]", ylabel="plate [m]")
    height.legend()
    for k in range(6):
        force.plot(run[1].time, np.linalg.norm(run[1][f"drive{k}.force"], axis=1), label=f"leg {k}")
    force.set(xlabel="time [s]", ylabel="force of the drives [N]")
    force.legend()
    ct.save_figure(figure, "out/stewart_platform.png")


if __name__ == "__main__":
    runs = main()
    draw(runs)
    length, reach = ct.leg_geometry()
    stretched = length + 0.1 * np.sin(2 * np.pi * runs[0].time)
    error = np.abs(runs[0]["plate.position"][:, 2] - np.sqrt(stretched**2 - reach**2)).max()
    print(f"height of the plate against sqrt(l^2 - q^2): {error:.1e} m")
    assert error < 1e-10
    assert np.abs(runs[0]["plate.position"][:, :2]).max() < 1e-10
    assert np.abs(runs[1]["plate.position"][:, 0]).max() > 0.01
