"""A damper is chosen so that a mass overshoots by five percent: Newton's method with gradients of the run.

Run: python examples/mechanisms_gradient.py
"""

from __future__ import annotations

import math

import centrode as ct

MASS, STIFFNESS, START = 2.0, 50.0, 0.3
WANTED = 0.05 * START


def carriage(damping: float) -> ct.System:
    """A mass on a rail, drawn to x = 1 m by a spring, let go 0.3 m beside."""
    system = ct.System(gravity=(0, 0, 0))
    mass = system.add(ct.RigidBody("mass", mass=MASS, inertia=(1, 1, 1), position=(1.0 + START, 0, 0)))
    system.add(ct.Prismatic("rail", system.ground, mass, at=(0, 0, 0), axis=(1, 0, 0)))
    system.add(ct.Spring("spring", system.ground, mass, stiffness=STIFFNESS, damping=damping, length=1.0))
    return system


def main() -> tuple[float, list[ct.Recording]]:
    """The damping found, and the runs on the way."""
    damping, runs = 8.0, []
    for _ in range(5):
        runs.append(ct.simulate(carriage(damping), duration=2.0))
        found = ct.gradient(carriage(damping), "mass.position.x@min", "spring.damping", duration=2.0)
        (slope,) = found.derivatives
        overshoot = 1.0 - slope.figure_value
        print(
            f"damping {damping:.9f} N s/m, overshoot {overshoot:.9f} m, slope {-slope.value:.6f} +- {slope.error:.0e}"
        )
        damping += (overshoot - WANTED) / slope.value
    return damping, runs


def draw(runs: list[ct.Recording]) -> None:
    figure, [[axes]] = ct.new_figure(width=7, height=4)
    for number, run in enumerate(runs[:3], start=1):
        axes.plot(run.time, run["mass.position.x"], label=f"run {number}")
    axes.axhline(1.0 - WANTED, linestyle=":")
    axes.set(xlabel="time [s]", ylabel="x [m]", title="Overshoot brought to 5 %")
    axes.legend()
    ct.save_figure(figure, "out/gradient.png")


if __name__ == "__main__":
    damping, runs = main()
    draw(runs)
    # Overshoot exp(-pi z / sqrt(1 - z^2)) of a damping ratio z; Newton's method ends at the error of a run, 1e-9.
    decrement = -math.log(0.05)
    ratio = decrement / math.hypot(math.pi, decrement)
    assert abs(damping - 2.0 * ratio * math.sqrt(MASS * STIFFNESS)) < 1e-6
