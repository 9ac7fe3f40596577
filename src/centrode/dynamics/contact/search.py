"""What the searches for closest points share: the pair, the answer, the room they work in."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from centrode.jit import types
from centrode.math.record import record
from centrode.parts.outlines.outline import OUTLINE, PLACED, Frame, Shapes, Vector

MOST_CORNERS = 8
"""Corners that the sequential quadratic programme keeps."""
MOST_POINTS = 256
MOST_FACES = 2 * MOST_POINTS
MOST_TRIED = 48
"""Points, faces and tried directions of the expanding polytope."""


class Status(IntEnum):
    """How a query for closest points ended."""

    CONVERGED = 0
    """Found, gradient of the search below tolerance."""
    APART = 1
    """Proven apart by a quick test (bounding spheres or the last normal); gap is a lower bound, points are not set."""
    CONVERGED_BY_EPA = 2
    """The answer was found, or confirmed as the least of all, by the expanding polytope."""
    POINT_UNCERTAIN = 3
    """The value is exact to round-off, the touching point is uncertain (flat on flat without rounding)."""
    ROOM_EXHAUSTED = 4
    """The search gave up without an answer that it can vouch for."""
    NO_ANSWER = 5
    """Not a query that has an answer: two half spaces."""
    AMBIGUOUS = 6
    """Deep overlap: so many translations are almost equally short that the search stopped; the least one found."""


class Pair(NamedTuple):
    """Two outlines (records) and their frames (:class:`centrode.parts.outlines.outline.Frame`)."""

    a: np.record
    frame_a: Frame
    b: np.record
    frame_b: Frame


class Closest(NamedTuple):
    """Answer of a query: gap [m] (negative: depth), unit normal from A to B, point on A, point on B [m], world."""

    gap: float
    normal: Vector
    point_a: Vector
    point_b: Vector
    status: Status
    evaluations: int


EVALUATION = record(
    # of A, then of B: the direction in own axes, its slopes along both tangents, terms that bound the curvature
    ("m", "f8", (6,)),
    ("along_x", "f8", (6,)),
    ("along_y", "f8", (6,)),
    ("bound", "f8", (6,)),
    ("point", "f8", (2, 3)),  # support points of the curved parts, relative to the frames, world axes [m]
    ("curvature", "f8", (3,)),  # xx, xy, yy in the tangents, of both together [m]
)
"""The curved parts of a pair at one direction."""

CORNER = record(
    ("v", "f8", (3,)),  # of the difference set [m]
    ("of_a", "f8", (3,)),
    ("of_b", "f8", (3,)),
    ("height", "f8"),  # below the highest one [m]
    ("slope", "f8", (2,)),
)
"""A corner of the difference set known to the sequential quadratic programme."""

FACE = record(
    ("corner", "i8", (3,)),
    ("across", "i8", (3,)),  # faces beyond the edges that begin at the corners
    ("alive", "i8"),
    ("normal", "f8", (3,)),
    ("distance", "f8"),
    ("error", "f8"),
    ("key", "f8"),
)
"""A face of the expanding polytope; ``key`` is its distance while it is to be looked at, else infinite."""

EDGE = record(("corner", "i8"), ("outside", "i8"))
"""An edge of a border: where it begins, and the face on its far side."""


PUSH = record(("of_b", "i8"), ("place", "f8", (3,)), ("slope", "f8", (3,)))
"""A point of A or B, world [m], the slope of D when it moves with its body [1]."""

MEASURED = record(
    ("depth", "f8"),  # D [m]
    ("pushes", "i8"),  # rows in use
    ("normal", "f8", (3,)),  # of the contact, from A to B
    ("centre", "f8", (3,)),  # of pressure, world [m]
    ("radii", "f8", (2, 3)),  # places at centre +- radii stand for the patch [m]
    ("points", "i8"),  # of the patch: 1, or 4
    ("slopes", "f8", (2, 4, 3)),  # of A and of B: sums of what the pushes say (:mod:`slopes`)
)
"""What a definition of the depth says of a pair."""

FACE_NOW = record(
    ("of_b", "i8"),
    ("normal", "f8", (3,)),
    ("offset", "f8"),  # c_i, from the origin of the overlap [m]
    ("roof", "f8", (3,)),  # a_j = roof . (1, u, v) over the face looked at; the first infinite: never least
    ("volume", "f8"),  # of R_i
    ("foot", "f8", (3,)),  # of its centroid
    ("weight", "f8"),  # integral of l over R_i
    ("weighed_foot", "f8", (3,)),  # of the centroid with this weight
)
"""A face of A or B that bounds the overlap."""

ROOM = record(
    ("evaluations", EVALUATION, (2,)),
    ("corners", CORNER, (MOST_CORNERS,)),
    ("points", "f8", (MOST_POINTS, 3)),  # of the simplex and the polytope
    ("faces", FACE, (MOST_FACES,)),
    ("tried", "f8", (MOST_TRIED, 3)),
    ("border", EDGE, (MOST_FACES,)),
    ("free", "i8", (MOST_FACES,)),
    # the curved part of an outline at one place of its axis (:mod:`line_contact`)
    ("part", OUTLINE),
    ("part_placed", PLACED),
)
"""What one query writes down on its way."""


class Search(NamedTuple):
    """Shapes of all outlines, and a record ROOM."""

    shapes: Shapes
    room: np.record


_vector = types.UniTuple(types.float64, 3)
_floats = types.Array(types.float64, 1)
_points = types.Array(types.float64, 2)
_polygons = types.Array(types.float64, 3)


def _rows(dtype):
    return types.Array(types.from_dtype(dtype), 1)


_outline, _placed, _room = (types.from_dtype(item) for item in (OUTLINE, PLACED, ROOM))
_closest = types.NamedTuple((types.float64, _vector, _vector, _vector, types.Member(Status), types.int64), Closest)
_query = (_outline, _placed, _outline, _placed, _points, _floats, _points)

# The search is compiled once, for the run loop, which calls it by address, and for queries from Python.
CLOSEST_SIGNATURE = _closest(*_query, _room, _vector, types.float64)
MEASURE_SIGNATURE = types.void(
    *_query, _room, types.int64, _closest, types.float64, types.from_dtype(MEASURED), _rows(PUSH), _rows(FACE_NOW),
    _polygons,
)  # fmt: skip


def make_search(shapes: Shapes) -> Search:
    """A room for queries."""
    return Search(shapes, np.zeros(1, ROOM)[0])
