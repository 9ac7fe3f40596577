"""Tyre marks of a recording as the viewer draws them: strips on the road that grow with time.

Where wheels slid and how hard they rubbed is worked out by :mod:`centrode.crash.tyre_marks`; here the points are
thinned to what can be seen and the rubbing becomes a darkness between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from centrode.crash import tyre_marks
from centrode.crash.tyre_marks import TyreMark
from centrode.parts.visual import Visual, VisualWheel
from centrode.recording.recording import Recording
from centrode.system.builder import System

CLOSEST = 0.12
"""Distance of points along a mark [m]."""
MOST_POINTS = 40_000
DEFAULT_WIDTH = 0.19
FAINTEST = 0.25
LIVE_HARD = 3000.0
"""Rubbing that is drawn black while somebody drives [J/m]: about that of a locked wheel of a car."""


def mark_entries(run: Recording, visuals: Iterable[Visual]) -> list[dict[str, Any]]:
    """Marks for the scene: width [m], points (x, y, z, time) and darkness; none when no wheel slid."""
    if not any(".slip" in name for name in run):
        return []
    widths = wheel_widths(visuals)
    marks = run.tyre_marks
    if not marks:
        return []
    # Full black for the hard rubbing of this run, not for its single hardest moment.
    hard = float(np.percentile(np.concatenate([mark.intensity for mark in marks]), 90)) or 1.0
    spacing = CLOSEST
    while True:
        chosen = [_thinned(mark, spacing) for mark in marks]
        if sum(len(item) for item in chosen) <= MOST_POINTS:
            break
        spacing *= 2.0
    return [
        _entry(mark, kept, widths.get(mark.body, DEFAULT_WIDTH), hard) for mark, kept in zip(marks, chosen, strict=True)
    ]


def wheel_widths(visuals: Iterable[Visual]) -> dict[str, float]:
    """Width of the wheels of each body [m]."""
    return {item.body: float(item.width) for item in visuals if isinstance(item, VisualWheel)}


def _entry(mark: TyreMark, kept: np.ndarray, width: float, hard: float) -> dict[str, Any]:
    dark = FAINTEST + (1.0 - FAINTEST) * np.clip(mark.intensity[kept] / hard, 0.0, 1.0)
    return {
        "width": round(width, 3),
        "points": np.round(mark.points[kept], 3).tolist(),
        "times": np.round(mark.times[kept], 4).tolist(),
        "dark": np.round(dark, 2).tolist(),
    }


def _thinned(mark: TyreMark, spacing: float) -> np.ndarray:
    """Indices of points that lie apart, both ends among them."""
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(mark.points, axis=0), axis=1))])
    kept, last = [0], 0.0
    for k in range(1, len(along) - 1):
        if along[k] - last >= spacing:
            kept.append(k)
            last = along[k]
    return np.array([*kept, len(along) - 1])


class LiveRubs:
    """Where wheels rub on the road in the present frame of a drive.

    ``widths`` are those of the wheels [m], in the order of :meth:`numbers`; they come from the shapes of the parts.
    """

    def __init__(self, system: System, visuals: Iterable[Visual]) -> None:
        known = wheel_widths(visuals)
        self._carriages = tyre_marks.marking_wheels(system)
        self.widths = [known.get(body, DEFAULT_WIDTH) for body, wheels in self._carriages for _ in wheels]

    def numbers(self, columns: Mapping[str, np.ndarray]) -> list[float]:
        """Place on the road [m] and darkness of every wheel; darkness 0 where it rolls."""
        found: list[float] = []
        frame = {name: column[-1:] for name, column in columns.items()}
        for body, wheels in self._carriages:
            motion = tyre_marks.ChassisMotion(frame, body)
            for wheel in wheels:
                across, slip = (float(item[-1]) for item in tyre_marks.slips_of(frame, motion, wheel))
                if np.hypot(across / wheel.limits[0], slip / wheel.limits[1]) <= 1.0:
                    found += [0.0, 0.0, 0.0, 0.0]
                    continue
                spot, intensity, slides = tyre_marks.contact_of(motion, wheel, 0, across, slip)
                dark = FAINTEST + (1.0 - FAINTEST) * min(intensity / LIVE_HARD, 1.0) if slides else 0.0
                found += [*spot.tolist(), dark]
        return found
