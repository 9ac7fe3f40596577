"""Direct contact: where along a side the other body itself stood against it.

A beam drags its neighbours along, so a dent is wider than what pushed it in. Damage codes tell place and type by direct
contact alone (SAE J224): the part of the dented side that came as near to the other body's outline as what touches, at
some frame of the collision, seen from above.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from centrode.crash.damage import Dent
from centrode.crash.plan import LYING, Plan, crush_of, outline_at, pose_at
from centrode.recording.recording import Recording

CLOSE, BOTH_GIVE = 0.03, 0.08
"""Greatest gap of what touches [m]: lines between stations a tenth of a metre apart cut the shape of a pole by so much;
of two vehicles each line is that of the deepest strip, and both stand back from where the others met."""
_SPACING = 0.01
"""Distance of the places that are looked at [m]."""
_AXES = {"front": (0, 1.0), "rear": (0, -1.0), "left": (1, 1.0), "right": (1, -1.0)}


def direct_part(
    run: Recording, plan: Plan, dent: Dent, span: tuple[float, float], met: Plan | list[np.ndarray]
) -> Dent:
    """The part of a dent with direct contact; all of it where that cannot be seen (roofs, vehicles that lie).

    Args:
        span: begin and end of the collision [s].
        met: the other body, or closed lines of what stands on the ground [m].
    """
    if dent.side not in _AXES:
        return dent
    axis, way = _AXES[dent.side]
    across = 1 - axis
    low, size = float(plan.low[across]), float(plan.high[across] - plan.low[across])
    count = max(2, int((dent.end - dent.begin) * size / _SPACING) + 1)
    shares = np.linspace(dent.begin, dent.end, count)
    at = low + size * shares
    outer = plan.reach(axis, way)
    edge = way * np.interp(at, outer[:, 0], outer[:, 1])
    close = CLOSE if isinstance(met, list) else BOTH_GIVE
    touched = np.zeros(count, dtype=bool)
    for time in run.time[(run.time >= span[0]) & (run.time <= span[1])]:
        pose = pose_at(run, plan.body, float(time))
        if pose.matrix[2, 2] < LYING:
            return dent
        points = np.empty((count, 2))
        points[:, across] = at
        points[:, axis] = way * (edge - plan.crush_at(dent.side, crush_of(run, plan.body, float(time))[dent.side], at))
        world = pose.to_world(points)
        for line in met if isinstance(met, list) else [outline_at(run, met, float(time))]:
            touched |= gap_to(world, line) < close
    found = np.flatnonzero(touched)
    return replace(dent, begin=float(shares[found[0]]), end=float(shares[found[-1]])) if len(found) > 1 else dent


def gap_to(points: np.ndarray, line: np.ndarray) -> np.ndarray:
    """Distance of points from the area inside a closed line [m]; zero inside."""
    one, two = line, np.roll(line, -1, axis=0)
    along = two - one
    since = points[:, None, :] - one
    share = np.clip((since * along).sum(axis=2) / np.maximum((along**2).sum(axis=1), 1e-18), 0.0, 1.0)
    gap = np.linalg.norm(since - share[:, :, None] * along, axis=2).min(axis=1)
    # Even and odd: a ray towards positive x leaves the area as often as it enters it, and once more from inside.
    x, y = points[:, :1], points[:, 1:]
    spans = (one[:, 1] > y) != (two[:, 1] > y)
    slope = np.divide(along[:, 0], along[:, 1], out=np.zeros(len(line)), where=along[:, 1] != 0.0)
    inside = (spans & (x < one[:, 0] + (y - one[:, 1]) * slope)).sum(axis=1) % 2 == 1
    return np.where(inside, 0.0, gap)
