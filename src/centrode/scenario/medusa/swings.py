r"""Roads whose line swings away between its points: a word with the place and by how much.

A spline goes through all points and may do anything between them: where short and long segments alternate, or a bend
begins at once, it swings out, and cars drive through dips and bumps that nobody drew. What a bend asks for is the bow
of an arc: with a turn of theta between neighbouring chords at both of its ends, a chord of the length L has an arc at a
distance of no more than

    L/2 tan(theta/4)                                                                                     (1)

(the larger turn of both ends is taken). What is farther from its chord by more than ``SWING`` and half of (1) is told.
"""

from __future__ import annotations

import numpy as np

from centrode.scenario.medusa.records import LegacyRoad

SWING = 0.25
"""Distance [m] beyond that of an arc from which on a line has swung away: chosen, the travel of a car's springs."""


def swing_notes(road: LegacyRoad, line: np.ndarray) -> list[str]:
    """The word about a road that swings away, or none.

    Args:
        road: points, and the file and lines where they stand.
        line: places along the line, evenly over every segment between points, shape (segments, places, 3) [m].
    """
    points = np.array([point[:3] for point in road.points])
    chords = np.diff(points, axis=0)
    lengths = np.linalg.norm(chords, axis=1)
    ahead = chords / lengths[:, None]
    crosses = np.linalg.norm(np.cross(ahead[:-1], ahead[1:]), axis=1)
    turns = np.concatenate([[0.0], np.arctan2(crosses, np.einsum("kx,kx->k", ahead[:-1], ahead[1:])), [0.0]])
    bows = 0.5 * lengths * np.tan(0.25 * np.maximum(turns[:-1], turns[1:]))  # (1)
    away = line - points[:-1, None]
    along = np.clip(np.einsum("knx,kx->kn", away, ahead), 0.0, lengths[:, None])
    gaps = np.linalg.norm(away - along[..., None] * ahead[:, None], axis=2)
    farthest = gaps.max(axis=1)
    swings = farthest - bows
    told = swings > np.maximum(SWING, 0.5 * bows)
    if not told.any():
        return []
    worst = int(np.argmax(np.where(told, swings, -np.inf)))
    place = ", ".join(f"{x:.4g}" for x in line[worst, gaps[worst].argmax()])
    where = f"{road.file}:{road.lines[worst + 1]}: " if road.lines else ""
    others = int(told.sum()) - 1
    more = f", and swings on {others} more stretch{'es' * (others > 1)}" if others else ""
    return [
        f"{where}between points {worst + 1} and {worst + 2} the line of the road is up to {farthest[worst]:.3g} m from "
        f"the straight one, at ({place}), where its bends account for {bows[worst]:.2g} m{more}: it goes through all "
        "points and overshoots between them; more points there hold it"
    ]
