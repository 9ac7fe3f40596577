"""Ten four-bar windows through their singular positions, against the closed form.

Run: python examples/mechanisms_four_bars.py
"""

from __future__ import annotations

import math

from scipy.integrate import solve_ivp

import centrode as ct


def main() -> object:
    """Ten windows, 10 s."""
    return ct.simulate(ct.four_bars(10), duration=10.0, tolerance=1e-7, frames=0.05)


def draw(run) -> None:
    figure, [[axes]] = ct.new_figure(width=7, height=4)
    axes.plot(run.time, 2.0 * run["post0.position"])
    axes.set(xlabel="time [s]", ylabel="first top joint [m]", title="Ten windows")
    axes.legend(["x", "y"])
    ct.save_figure(figure, "out/four_bars.png")


if __name__ == "__main__":
    run = main()
    draw(run)
    k = ct.reduced_stiffness(10)
    closed = solve_ivp(
        lambda t, y: [y[1], -9.81 * k * math.cos(y[0])], (0, 10), [math.pi / 2, -1.0], "DOP853", rtol=1e-12, atol=1e-12
    )
    end = 2.0 * run["post0.position"][-1]
    error = math.hypot(end[0] - math.cos(closed.y[0, -1]), end[1] - math.sin(closed.y[0, -1]))
    print(f"first top joint after 10 s: {end}, error {error:.1e} m")
    for event in run.events:
        print(f"t = {event.time:.3f} s: {event.kind}, {dict(event.values)}")
    assert error < 1e-6
    assert any(event.kind == "near-singular position passed" for event in run.events)
