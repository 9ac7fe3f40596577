"""Labels of a diagram that keep clear of each other and of what they name, with a thin line to their place."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from centrode.classes import dataclass

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HIGH, _WIDE = 3.2, 2.1
"""Height of a label and width of a letter [mm]."""


@dataclass(frozen=True)
class Label:
    """A short text for a place of the world [m]."""

    text: str
    place: np.ndarray
    colour: str


def place_labels(panel: Axes, labels: list[Label], scale: float, lines: list[np.ndarray]) -> list[np.ndarray]:
    """Draw labels where they cover neither each other nor, if it can be, the lines [m]; the places taken [m]."""
    mm = 1e-3 * scale
    low = np.array([panel.get_xlim()[0], panel.get_ylim()[0]])
    high = np.array([panel.get_xlim()[1], panel.get_ylim()[1]])
    crowd = np.concatenate(lines) if lines else np.zeros((0, 2))
    taken: list[tuple[np.ndarray, np.ndarray]] = []
    chosen = []
    for label in labels:
        half = 0.5 * mm * np.array([_WIDE * len(label.text) + 1.4, _HIGH + 0.8])
        places = _candidates(label.place, mm)
        best = places[int(_costs(places, half, label.place, taken, crowd, (low, high), mm).argmin())]
        taken.append((best, half))
        chosen.append(best)
        panel.plot(*np.array([label.place, best]).T, color=label.colour, lw=0.35, zorder=9)
        box = {"facecolor": "white", "edgecolor": label.colour, "lw": 0.4, "boxstyle": "square,pad=0.15"}
        x, y = best
        panel.text(x, y, label.text, bbox=box, color=label.colour, fontsize=6.5, ha="center", va="center", zorder=10)
    return chosen


def _candidates(place: np.ndarray, mm: float) -> np.ndarray:
    angles = np.linspace(0.0, 2.0 * math.pi, 24, endpoint=False) + 0.13
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return np.concatenate([place + mm * reach * ring for reach in (7, 10, 13, 17, 22, 28)])


def _costs(
    places: np.ndarray,
    half: np.ndarray,
    named: np.ndarray,
    taken: list[tuple[np.ndarray, np.ndarray]],
    crowd: np.ndarray,
    field: tuple[np.ndarray, np.ndarray],
    mm: float,
) -> np.ndarray:
    """How bad places are: outside the field, on another label, on an outline, far away."""
    cost = np.hypot(*(places - named).T) / mm
    cost += 1e4 * ((places - half < field[0] + 4 * mm) | (places + half > field[1] - 4 * mm)).any(axis=1)
    for other, size in taken:
        cost += 1e3 * (np.abs(places - other) < half + size + 0.5 * mm).all(axis=1)
    reach = half + 0.6 * mm
    near = crowd[(np.abs(crowd - named) < reach + 30 * mm).all(axis=1)]  # no place is farther than 28 mm
    along, across = (np.abs(near[:, k] - places[:, k, None]) < reach[k] for k in (0, 1))
    covered = np.count_nonzero(along & across, axis=1)
    return np.asarray(cost + 6.0 * np.minimum(covered, 30))
