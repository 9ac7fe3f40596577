"""Two double pendulums that start a millionth of a radian apart: chaos.

Run: python examples/mechanisms_double_pendulum.py
"""

from __future__ import annotations

import numpy as np

import centrode as ct


def main() -> list:
    """Both runs, 12 s."""
    return [
        ct.simulate(ct.double_pendulum(first_angle=2.0 + shift), duration=12.0, tolerance=1e-11, frames=0.02)
        for shift in (0.0, 1e-6)
    ]


def draw(run) -> None:
    figure, [[path, apart]] = ct.new_figure(1, 2, width=10, height=4)
    end = run[0]["lower.position"] + 0.5 * np.column_stack(
        [np.sin(run[0]["lower.angle"]), -np.cos(run[0]["lower.angle"])]
    )
    path.plot(end[:, 0], end[:, 1], linewidth=0.7)
    path.set(xlabel="x [m]", ylabel="y [m]", title="Path of the end", aspect="equal")
    apart.semilogy(run[0].time, np.abs(run[0]["lower.angle"] - run[1]["lower.angle"]) + 1e-16)
    apart.set(xlabel="time [s]", ylabel="angle apart [rad]", title="1e-6 rad apart at the start")
    ct.save_figure(figure, "out/double_pendulum.png")


if __name__ == "__main__":
    runs = main()
    draw(runs)
    apart = abs(runs[0]["lower.angle"][-1] - runs[1]["lower.angle"][-1])
    print(f"apart after 12 s: {apart:.3g} rad; energy kept to {np.ptp(runs[0]['energy.total']):.1e} J")
    assert apart > 1e-4
    assert np.ptp(runs[0]["energy.total"]) < 1e-7
