"""Queries for closest points from Python, with frames as twelve numbers: position, then the three directors."""

from __future__ import annotations

import numpy as np

from centrode.dynamics.contact.narrow import find_closest
from centrode.dynamics.contact.search import ROOM
from centrode.parts.outlines.outline import PLACED, Frame, pack_outlines, place_outline

COLD = (0.0, 0.0, 0.0)
ROOM_OF_QUERY = np.zeros(1, ROOM)[0]


def flat_frame(position=(0.0, 0.0, 0.0), matrix=None) -> np.ndarray:
    """Position and directors (the columns of a matrix) as twelve numbers."""
    return np.array([*position, *np.ravel((np.eye(3) if matrix is None else np.asarray(matrix, dtype=float)).T)])


def vector(numbers) -> tuple[float, float, float]:
    """Three plain floats."""
    x, y, z = (float(number) for number in numbers)
    return x, y, z


def frame_of(flat) -> Frame:
    """Twelve numbers as a frame for kernels."""
    return Frame(vector(flat[:3]), (vector(flat[3:6]), vector(flat[6:9]), vector(flat[9:12])))


def placed_on(outline, flat):
    """Row with the frame of an outline on a body whose frame is given as twelve numbers."""
    row = np.zeros(1, PLACED)[0]
    place_outline(outline, frame_of(flat), row)
    return row


def query(one, frame_one, two, frame_two, warm=COLD, within=np.inf):
    """Closest points of two outlines on bodies with these frames."""
    rows, shapes = pack_outlines([one, two])
    a, b = placed_on(rows[0], frame_one), placed_on(rows[1], frame_two)
    return find_closest(rows[0], a, rows[1], b, *shapes, ROOM_OF_QUERY, vector(warm), float(within))
