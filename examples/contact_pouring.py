"""Balls and boxes poured into a bin: all stay in it, none sinks into another, and the energy is accounted for.

Run: python examples/contact_pouring.py [BODIES [SECONDS]]

Sixty bodies and one second by default; for more it is said at the start what they will cost. Contacts are springs with
dampers, resolved step by step, so the cost grows with the stiffness; a method says itself how short its steps become.
"""

from __future__ import annotations

import sys

import numpy as np

import centrode as ct

GRAVITY, MASS, RADIUS, HALF, SPACING = 9.80665, 0.5, 0.05, 0.03, 0.12
"""[m/s2], [kg], of balls [m], of boxes [m], of the places from which they fall [m]."""


def poured(count: int = 60, seed: int = 3) -> ct.System:
    """A bin of five planes as wide as it takes, and ``count`` bodies above its floor, every second one a box."""
    rng = np.random.default_rng(seed)
    across = max(3, round((count / 3) ** (1 / 3)))
    width = 0.5 * SPACING * (across + 0.5)
    system = ct.System(gravity=(0.0, 0.0, -GRAVITY))
    system.add(ct.OutlinePlane("floor", "ground"))
    for k, (x, y) in enumerate(((1, 0), (-1, 0), (0, 1), (0, -1))):
        inward, up = np.array([-x, -y, 0.0]), np.array([0.0, 0.0, 1.0])
        axes = np.column_stack([up, np.cross(inward, up), inward])
        system.add(ct.OutlinePlane(f"wall{k}", "ground", centre=(x * width, y * width, 0.0), rotation=axes.tolist()))
    for k in range(count):
        cell = np.array([k % across, k // across % across, k // across**2])
        place = (cell - [0.5 * (across - 1), 0.5 * (across - 1), -0.6]) * SPACING + rng.uniform(-0.004, 0.004, 3)
        turn = rng.normal(size=4)
        is_box = k % 2 == 1
        moment = 2.0 / 3.0 * MASS * HALF**2 if is_box else 0.4 * MASS * RADIUS**2
        turned = {"orientation": tuple(turn / np.linalg.norm(turn))}
        system.add(ct.RigidBody(f"b{k}", MASS, (moment,) * 3, position=tuple(place), **turned))
        if is_box:
            system.add(ct.OutlineBox(f"o{k}", f"b{k}", half_lengths=(HALF,) * 3))
        else:
            system.add(ct.OutlineSphere(f"o{k}", f"b{k}", radius=RADIUS))
    system.add(ct.LinearContact("law", stiffness=2e4, damping=30.0, friction=0.4))
    return system


def deepest(run, count: int) -> float:
    """How deep two balls, or a ball and the floor, stand in each other at the end [m]; from their places alone."""
    balls = np.array([run[f"b{k}.position"][-1] for k in range(0, count, 2)])
    apart = np.linalg.norm(balls[:, None] - balls[None], axis=-1) + 1e3 * np.eye(len(balls))
    return max(2.0 * RADIUS - apart.min(), RADIUS - balls[:, 2].min())


def figures(run, count: int) -> dict[str, float]:
    """What a pouring is judged by: bodies outside, deepest overlap, energy unaccounted for, median speed."""
    walls = {name: np.array(run.made_of.system.parts[name].centre) for name in ("wall0", "wall1", "wall2", "wall3")}
    width = max(float(np.abs(centre).max()) for centre in walls.values())
    places = np.array([run[f"b{k}.position"][-1] for k in range(count)])
    total, heat = run["energy.total"], run["collisions.heat"]
    return {
        "outside": float(((np.abs(places[:, :2]) > width) | (places[:, 2:] < 0.0)).any(axis=1).sum()),
        "deepest overlap [mm]": 1e3 * deepest(run, count),
        "energy unaccounted for": abs(total[0] - total[-1] - heat[-1]) / heat[-1],
        "median speed [m/s]": float(np.median([np.linalg.norm(run[f"b{k}.velocity"][-1]) for k in range(count)])),
    }


def main(count: int = 60, seconds: float = 1.0):
    """Pour."""
    return ct.simulate(poured(count), duration=seconds, method="rattle", step=2.5e-4, frames=0.1, say=print)


if __name__ == "__main__":
    count, seconds = int(sys.argv[1]) if sys.argv[1:] else 60, float(sys.argv[2]) if sys.argv[2:] else 1.0
    run = main(count, seconds)
    print(run.status, f"{run.statistics.steps} steps", f"{run.statistics.wall_seconds:.1f} s")
    for name, value in figures(run, count).items():
        print(f"{name:24s} {value:.3g}")
