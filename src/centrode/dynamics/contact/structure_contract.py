"""The contract of a structure, checked on its columns: what any structure must keep to be trusted in a crash.

- never pulls, whatever the way in and out;
- energy: over random ways in and out the work on a column is what it stores and what it lost, never less lost than 0;
- restitution: a column that is pushed in once and let out gives back e^2 of the work, at any speed and depth.
"""

from __future__ import annotations

import itertools

import numpy as np

from centrode.dynamics.examples import Finding, Values
from centrode.parts.structures.column import COLUMN, CURVE, give_back, load, shared_pressure, unload
from centrode.parts.structures.structure import SIDES, Structure

CLOSURE = 2e-3
"""Sum of work with 2000 steps a way against work in closed form: midpoint, with a kink at the way back."""


def press(structure: Structure, side: int, way: np.ndarray, recovered: float) -> tuple[np.ndarray, float]:
    """Push a column against a rigid body along a way of depths [m]: pressures at midpoints [Pa], stored at the end."""
    curve, rigid = structure.curve(side, 1.0), np.zeros(1, CURVE)[0]
    column = np.zeros(1, COLUMN)[0]
    column.recovered = recovered
    found = np.zeros(len(way) - 1)
    for k in range(len(way) - 1):
        found[k] = pressure_at(structure, curve, rigid, column, 0.5 * (way[k] + way[k + 1]))[0]
        if way[k + 1] >= column.deepest:
            column.pressure, column.work = pressure_at(structure, curve, rigid, column, way[k + 1])
            column.deepest = way[k + 1]
    if way[-1] < column.deepest:
        return found, float(unload(column, way[-1])[1])
    stroke = give_back(column.deepest, column.pressure, column.work, recovered)
    return found, float(column.pressure * stroke / 3.0)


def pressure_at(
    structure: Structure, curve: np.record, rigid: np.record, column: np.record, depth: float
) -> tuple[float, float]:
    """Pressure [Pa], and the work [J/m2] beyond the deepest point, of a column at a depth."""
    if depth < column.deepest:
        return float(unload(column, depth)[0]), float(column.work)
    now = shared_pressure(curve, 1.0, rigid, 1.0, depth)
    then = shared_pressure(curve, 1.0, rigid, 1.0, column.deepest)
    p, w = load(column, depth, now, then, structure.ramp)
    return float(p), float(w)


def check_structure(kind: type[Structure], values: Values, states: int, seed: int) -> list[Finding]:
    """Findings about a kind of structure."""
    structure = kind("structure", **dict(values or kind.example or {}))
    rng = np.random.default_rng(seed)
    pulls, gains, misses = 0.0, 0.0, 0.0
    for _ in range(max(states // 10, 4)):
        side = int(rng.integers(len(SIDES)))
        deep = float(rng.uniform(0.02, 1.2)) * structure.limit[side]
        e = structure.restitution_at(float(rng.uniform(0.0, 30.0)))
        once = np.concatenate([np.linspace(0.0, deep, 2001), np.linspace(deep, 0.0, 2001)[1:]])
        pressures, stored = press(structure, side, once, e * e)
        work = pressures * np.diff(once)
        spent = work[:2000].sum()
        misses = max(misses, abs(-work[2000:].sum() / spent - e * e))
        turns = np.concatenate([[0.0], rng.uniform(0.1, 1.0, 5) * deep])
        way = np.concatenate([np.linspace(a, b, 2001)[1:] for a, b in itertools.pairwise(turns)])
        way = np.concatenate([[0.0], way])
        pressures, stored = press(structure, side, way, e * e)
        pulls = max(pulls, -float(pressures.min()))
        lost = float(np.cumsum(pressures * np.diff(way))[-1]) - stored
        gains = max(gains, -lost / spent)
    return [
        Finding("never pulls", pulls, 0.0, "a column pulls"),
        Finding("never gives energy", gains, CLOSURE, "a column gives more than it took"),
        Finding("restitution", misses, CLOSURE, "a column gives back another share than e^2 of the work"),
    ]
