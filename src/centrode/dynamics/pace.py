"""How fast a system moves by itself at a state: what a step of fixed length has to resolve.

The acceleration answers a small displacement d of the bodies by -w^2 d along the fastest vibration, found by power
iteration on differences of the rates, a few evaluations. Beside it stands the pace of the motion itself: what turns at
some rate, and what turns under its angular acceleration a from rest within sqrt(1 / a).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from centrode.dynamics.bodies import normalise_poses, shift_poses
from centrode.dynamics.frames import MEMORIES

if TYPE_CHECKING:
    from centrode.dynamics.workspace import Workspace
    from centrode.parts.part import Part

SMALL = 1e-6
TURNING = 0.5
"""Part of a rate of turning that counts like a frequency: a turn by a radian in a step of RK4 is exact to a percent."""
COARSE = 0.6
"""Step times frequency above which a step is called long: ten steps a period; methods of order four lose 1 % there."""


RINGING = 1.5
"""The same for the vibration inside of deformable bodies: it carries next to nothing of the motion, dies out by the
step as by its own damping (RK4 keeps 0.99 of it a step at 1, 0.94 at 1.5), and the audit tells what it took along."""
WITHIN = 1.3
"""A rate that is at most so many times that of the free body is its own, held by springs."""


def fastest_vibration(parts: Iterable[Part]) -> tuple[str, float]:
    """The deformable part with the highest natural frequency, and that frequency [rad/s]; ("", 0) without."""
    rate, name = max(((part.fastest_vibration(), part.name) for part in parts), default=(0.0, ""))
    return name, rate


def fastest_rate(workspace: Workspace, time: float) -> float:
    """Largest rate of the motion near the present state [1/s]; 0 where nothing moves."""
    w, model = workspace, workspace.model
    kept = {name: w[name].copy() for name in (*MEMORIES, "values")}
    contacts = w.contact_numbers.copy()
    w.evaluate(time)
    start, rates = w["acceleration"].copy(), w["velocity"].copy()
    turns = slice(2, 3) if model.plane else slice(3, 6)
    turning = float(np.abs(rates[:, turns]).max(initial=0.0))
    speeding = float(np.sqrt(np.abs(start[:, turns]).max(initial=0.0)))
    found = TURNING * max(turning, speeding)
    # Any direction that is none of the system's own; angles that grow with squares repeat nowhere.
    direction, answer = np.cos(np.arange(1.0, 1.0 + start.size) ** 2).reshape(start.shape), 0.0
    for _ in range(8):
        direction /= max(float(np.abs(direction).max()), 1e-300)
        shift_poses(SMALL, direction, w.address)
        normalise_poses(w.address)
        w.evaluate(time)
        direction = (w["acceleration"] - start) / SMALL
        for name, table in kept.items():
            w[name][:] = table
        w.contact_numbers[:] = contacts
        answer = float(np.abs(direction).max(initial=0.0))
        if not np.isfinite(answer) or answer == 0.0:
            break
    w.evaluate(time)
    return max(found, float(np.sqrt(answer))) if np.isfinite(answer) else found


def coarse_step_notes(workspace: Workspace, time: float, step: float) -> list[str]:
    """A word about a fixed step that the fastest motion of the system at the start cannot bear."""
    rate = fastest_rate(workspace, time)
    _, inside = fastest_vibration(workspace.model.system.parts.values())
    if rate * step <= (RINGING if rate <= WITHIN * inside else COARSE):
        return []
    text = f"the step of {step:g} s is long for this system, whose fastest motion at the start has a period of"
    better = f"take {COARSE / (10.0 * rate):.1g} s or less, or an adaptive method (dop853)"
    return [f"{text} {2.0 * np.pi / rate:.3g} s: {better}"]
