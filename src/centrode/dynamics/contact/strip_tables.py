"""Tables of bodies that give way: strips of columns, the solids that press them in, what a column remembers."""

from __future__ import annotations

from enum import IntEnum

from centrode.math.record import record, rows_opener
from centrode.parts.structures.column import CURVE

MOST_EDGES = 120
"""Edges of a slice: the faces of a solid and the four of a strip."""


class Side(IntEnum):
    """Side of a body that a strip lies on."""

    FRONT = 0
    REAR = 1
    LEFT = 2
    RIGHT = 3
    ROOF = 4
    FLOOR = 5


class Met(IntEnum):
    """Whether the other body stands in a column: not, at the last accepted state, at the one that is being noted."""

    NO = 0
    BEFORE = 1
    NOW = 2


class Tried(IntEnum):
    """What an evaluation found of a column."""

    SLACK = 0
    """It carries nothing, as at the last accepted state."""
    RELIEVED = 1
    LOADED = 2


class Partner(IntEnum):
    """What a column meets where the other body has no strip."""

    RIGID = -1
    GONE = -2
    """It was crushed away."""


SOLID = record(
    ("first_plane", "i8"),
    ("planes", "i8"),
    ("first_strip", "i8"),
    ("strips", "i8"),
    ("of_side", "i8", (6,)),  # the first strip of each side, -1: none
    ("each", "i8"),  # strips of a side
    ("middle", "f8", (3,)),  # of the box about the regions of all strips, and half its edges, own axes [m]
    ("half", "f8", (3,)),
    ("here", "i8"),  # planes of the other body that cut it: a list in :data:`DIE`
    ("worn", "f8"),  # deepest dent of an end in a hit that is over [m]; the same of each strip below
    # what the marks of its strips were made of: how often columns were noted by then, of the dents and of what a pair
    # pressed, and which pair, + 1
    ("worn_at", "i8"),
    ("marked_at", "i8"),
    ("marked_for", "i8"),
)
"""An outline as a solid between planes, and its strips."""

STRIP = record(
    ("side", "i8"),
    ("outline", "i8"),
    ("entered", "i8"),  # whether the pair looked at has pressed its columns; at the last state: greatest depth
    ("reached", "f8"),  # inwards [m], sum of strength times depth [m]
    ("pushed", "f8"),
    ("entry", "f8"),  # depth at which what stands in it came in from aside [m]; below 0: nothing stood there
    ("worn", "f8"),
    # pair that was looked at last, + 1, and planes of the corners where the other body ended (:mod:`ends`), in order;
    # the first two equal: none
    ("code", "i8"),
    ("corners", "i8", (4, 3)),
    ("along", "f8", (3,)),  # own axes of the outline: along the strip, across it, into the body
    ("across", "f8", (3,)),
    ("inward", "f8", (3,)),
    ("height", "f8"),  # place of the strip across [m]
    ("band", "f8"),  # and its width [m]
    ("low", "f8"),  # ends along [m]
    ("high", "f8"),
    ("outer", "f8"),  # begin and length of the deepest column, inwards [m]
    ("length", "f8"),
    ("inset", "f8"),  # what the inner end is shorter at both ends [m]
    ("middle", "f8", (3,)),  # of the box about its region, and half its edges, own axes [m]
    ("half", "f8", (3,)),
    ("first", "i8"),  # cell, and how many of which width [m]
    ("cells", "i8"),
    ("cell", "f8"),
    ("curve", CURVE),
    ("stiffness", "f8"),  # first slope of the curve [Pa/m]
    ("beam", "f8"),  # slope of the dent beside what makes it [1]
    ("hook", "f8"),  # its square: overlap^3 over the depth to which an end holds a corner [m]
    ("weak", "f8"),  # strength across a column's direction over that along it [1]
    ("ramp", "f8"),
    ("residual", "f8"),
    ("slow", "f8"),  # restitution at rest and at high speed [1], speed over which it falls [m/s]
    ("fast", "f8"),
    ("speed", "f8"),
)

CELL = record(("along", "f8"), ("start", "f8"), ("strength", "f8"), ("springs", "f8"), ("strip", "i8"))
"""A column of a strip: its place along, where it begins inwards [m], strength over the curve [1], share of its work
that it gives back over that of the side [1], its strip."""

DIE = record(
    ("normal", "f8", (3,)), ("offset", "f8"), ("world", "f8", (3,)), ("side", "i8"), ("here", "i8"), ("near", "i8")
)
"""A plane n . x <= offset of the other body in the axes of this one; gradient of n . x in the world; its side there.
``here``: a list beside them, of the planes that cut the box about all strips (:func:`slices.solid_in`); ``near``: of
those near the strip looked at (:func:`ends.near_planes`)."""

SLICE = record(
    ("count", "i8"),
    ("along", "f8", (MOST_EDGES,)),
    ("deep", "f8", (MOST_EDGES,)),
    ("edge", "i8", (MOST_EDGES,)),
    ("counts", "i8", (MOST_EDGES,)),
    ("fars", "i8"),
    ("far", "i8", (MOST_EDGES,)),
    ("chain", "i8"),
)
"""A convex polygon in a strip's plane, anticlockwise; edge k goes from corner k on: a plane, or below 0 the strip's.
``counts``: 2 where edge k is a far side that the beam can follow, 1 where its first corner alone is one, else 0;
``far``: the others, ``fars`` of them; ``chain``: 1 where these are one row of far sides, each beside the next."""

COLUMN = record(
    ("code", "i8"),  # of the pair that pressed it last, + 1 (0: free)
    ("cell", "i8"),
    ("deepest", "f8"),  # [m], both bodies together
    ("pressure", "f8"),  # there [Pa]
    ("work", "f8"),  # up to there [J/m2]
    ("recovered", "f8"),  # share of it that is given back [1]
    ("dent", "f8"),  # residual crush of this body [m]
    ("crush", "f8"),  # its greatest crush [m]
    ("grown", "f8"),  # what the dent grew by in the collision that lasts [m]
    ("last", "f8"),  # depth at the last accepted state [m]
    ("free", "f8"),  # depth up to which it carried nothing then [m]
    ("spent", "f8"),  # lost in earlier meetings [J/m2]
    ("area", "f8"),  # of the column [m2]
    ("entry", "f8"),  # from where on it is pressed: what came in from aside did not fold what is before [m]
    ("met", "i8"),  # whether the other body stands in it (Met)
)
"""What a column remembers, in the memory rows of the run."""
COLUMN_WIDTH = COLUMN.itemsize // 8
open_columns = rows_opener(COLUMN)

TRIED = record(("row", "i8"), ("how", "i8"), ("part", "f8"))
"""A column as the last evaluation found it, beside what it would remember: its row (-1: none), :class:`Tried`, and the
part of the pressure of its curve that it has."""

INDEXED = record(("cell", "i8"), ("code", "i8"), ("same_cell", "i8"), ("same_outline", "i8"))
"""A row of memory in the index (:mod:`column_index`), and the rows before it of its cell and of its outline."""

PRESSED = record(
    ("force", "f8", (3,)),  # on the other body, of both passes
    ("normal", "f8", (3,)),  # its part without friction
    ("moment", "f8", (3,)),  # sum of |force| times place
    ("sizes", "f8"),  # sum of |force|; not "size", which a row of numpy has already
    ("stored", "f8"),
    ("heat", "f8"),
    ("rubbed", "f8"),
    ("reach", "f8"),  # greatest depth over what a dent leaves free [m]; negative: parted
    ("depth", "f8"),  # greatest [m]
    ("free", "f8"),  # greatest that a dent leaves free
    ("rate", "f8"),  # of the deepest
    # speed of the other body along the deepest [m/s]: not its rate, which at touch is half of it where a wall that
    # leans across a strip comes in as a wedge and its cut goes with it
    ("closing", "f8"),
    ("slip", "f8"),
    ("through", "i8"),  # a column is pushed in over its whole length
    ("short", "i8"),  # columns that there was no room for
)
"""What all columns of a pair add up to."""
