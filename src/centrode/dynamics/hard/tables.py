"""The tables of hard contacts: bodies as the solver sees them, near pairs, points of contact, log of touches.

Rooms for pairs and points grow: a kernel that runs out of room says how much it needs and leaves the state as it was,
the block is made larger, and the step begins again (:mod:`centrode.methods.moreau`).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, NamedTuple, get_type_hints

import numpy as np

from centrode.dynamics.contact.search import ROOM
from centrode.dynamics.contact.tables import TOUCH
from centrode.jit import Lent, borrower
from centrode.math.record import record
from centrode.parts.outlines.outline import OUTLINE, PLACED
from centrode.parts.tables import Floats1, Floats2, Floats3, Handle, Integers1, Integers2, as_records, records

TOO_DEEP = 0.1
"""Overlap in parts of the thinner half-width from which a run is not to be believed."""


class Size(IntEnum):
    """Lengths of rows and rooms."""

    POINTS = 4
    """Points of contact that a pair keeps: as many as hold a face."""
    CORNERS = 24
    """Corners of a face, and of what is left of it when it is cut."""
    FACE = 3
    """Points of a pair from which on it is a face that holds or slides as a whole."""
    AT_ONCE = 40
    """Points of an island that can be solved at once."""
    DIVIDED = 200
    """Outlines up to which a step is divided where several hits fall into it: all pairs are asked then."""
    FORCE_ROWS = 2
    """Rows of memory of a body: force and moment about its centre of mass, mean values over the last step."""


class Dense(IntEnum):
    """Planes of the room of an island that is solved at once (:mod:`direct`)."""

    MATRIX = 0
    FACTOR = 1
    ROWS = 2


class DenseRow(IntEnum):
    """Rows of the last plane, three numbers to a point."""

    X = 0
    Y = 1
    Q = 2
    DX = 3
    DY = 4
    REST = 5
    W = 6
    ETA = 7
    FREE = 8
    """Q without any slide."""
    KEPT = 9
    """Impulses that sweeps found."""


class Before(IntEnum):
    """What a point of contact did in the step before."""

    APART = 0
    SLID = 1
    STUCK = 2


class Shape(IntEnum):
    """What an outline is to the narrow phase."""

    OTHER = 0
    SPHERE = 1
    PLANE = 2
    BOX = 3
    CAPSULE = 4
    HULL = 5
    CYLINDER = 6
    FIELD = 7


SOLID = record(
    # what a sweep reads, in two lines of the processor's cache
    ("velocity", "f8", (3,)),  # [m/s], of the present iterate; spin in world axes [rad/s]
    ("spin", "f8", (3,)),
    ("mobility", "f8"),  # 1 / mass [1/kg]; 0 of the ground
    ("inverse", "f8", (3, 3)),  # of the inertia, world axes [1/(kg m2)]
    ("position", "f8", (3,)),  # centre of mass in the middle of the step, world [m]
    ("velocity_before", "f8", (3,)),  # at the start of the step
    ("spin_before", "f8", (3,)),
    ("shift", "f8", (3,)),  # correction of the pose [m, rad]
    ("turn", "f8", (3,)),
    ("impulse", "f8", (3,)),  # of all contacts in this step [N*s], and about the centre of mass [N*m*s]
    ("angular_impulse", "f8", (3,)),
    ("radius", "f8"),  # of a ball about its centre of mass that holds its outlines; 0 of a ball itself [m]
    ("extent", "f8"),  # the same of any body [m]
    ("reach", "f8"),  # how far its outlines can move in a step [m]
    ("weight", "f8", (3,)),  # [N]
    ("hit", "i8"),  # pair by which it was hit with a rebound in this step, or see Hit
    ("comes", "i8"),  # pairs by which it is hit anew in this step, or may be after a hit
    ("cluster", "i8"),  # bodies joined by exact joints, -1 for a free one
    ("touched", "i8"),  # 1 for a body of a cluster with a point of contact: the others wait for the end of the sweeps
    ("parent", "i8"),  # of the forest of islands, and the number of its island
    ("island", "i8"),
)
"""A body; row b is body b of the engine, 0 the ground."""

NEAR = record(
    ("code", "i8"),
    ("a", "i8"),  # outlines
    ("b", "i8"),
    ("friction", "f8"),
    ("restitution", "f8"),
    ("axis", "f8", (3,)),  # that parted them last, or along which they touched; zeros at first
    ("touching", "i8"),
    ("normal", "f8", (3,)),  # when they touched last
    ("late", "f8"),  # after the middle of the step it touches, if it comes anew and alone [s]; inf: not at all
    ("drawn", "f8"),  # by how much friction acts nearer to the middle than the points
    ("count", "i8"),  # points kept of the last step
    ("place", "f8", (Size.POINTS, 3)),  # of each in the axes of a body [m], and its impulse on B, world [N*s]
    ("impulse", "f8", (Size.POINTS, 3)),
)
"""A pair of outlines that is near."""


class Hit(IntEnum):
    """Body that was not hit by one pair alone."""

    NONE = -1
    SEVERAL = -2


class Row(IntEnum):
    """Side of a point of contact that has no row of responses."""

    FREE = -1
    """A body without exact joints."""
    SAME = -2
    """The cluster of the other side, whose row holds both."""


POINT = record(
    # what a sweep reads
    ("a", "i8"),  # bodies
    ("b", "i8"),
    ("row_a", "i8"),  # rows of the responses of clusters, see Row
    ("row_b", "i8"),
    ("normal", "f8", (3,)),  # from A to B
    ("tangent", "f8", (3,)),
    ("across", "f8", (3,)),
    ("arm_a", "f8", (3,)),  # from the centres of mass [m]
    ("arm_b", "f8", (3,)),
    ("aside", "f8", (2,)),  # where friction acts, from the point along tangent and across [m]
    ("impulse", "f8", (3,)),  # along normal, tangent, across [N*s]
    ("glide", "f8", (2,)),  # slip in the middle of the step of what sticks at its end [m/s]
    ("target", "f8"),  # least normal velocity at the end of the step [m/s]
    ("friction", "f8"),
    ("per_normal", "f8"),  # 1 / W_nn [kg], W the mobility of the point in normal, tangent, across
    ("couples", "f8", (2,)),  # W_nt, W_ns [1/kg]
    ("holds", "f8", (3,)),  # inverse of the tangential block: tt, ts, ss [kg]
    ("slides", "f8"),  # inverse of a bound of its largest eigenvalue [kg]
    ("pair", "i8"),
    ("slot", "i8"),  # of the pair's points
    ("goes_on", "i8"),  # what it did in the step before, see Before; negative: the only point that bore, if it does now
    ("share", "f8"),  # see SEEN
    ("thickness", "f8"),  # of the thinner outline: half of its width [m]
    ("gap", "f8"),  # in the middle of the step, or when it touches [m]
    ("late", "f8"),  # after the middle of the step it acts [s]
    ("began", "f8"),  # normal impulse with which the solution begins: that of the step before [N*s]
    ("pull", "f8", (3,)),  # acceleration of the point by weights, of those that act late, world [m/s2]
    ("bounce", "f8"),  # velocity that restitution asks for [m/s], 0 for none
    ("wanted", "f8"),  # way out that a correction of the pose is to make [m], and its push [kg m]
    ("pushed", "f8"),
    ("last", "f8", (3,)),  # impulse two sweeps ago, then what these changed [N*s]
)
"""A point of contact in a step."""

SEEN = record(
    ("place", "f8", (3,)),
    ("normal", "f8", (3,)),
    ("gap", "f8"),
    ("share", "f8"),  # of the load of its pair under uniform pressure, in parts of the mean of the points
)
"""A point that the narrow phase found, world."""

HEAD = record(
    ("pairs", "i8"),
    ("points", "i8"),
    ("islands", "i8"),
    ("fresh", "i8"),  # nothing is listed yet
    ("pairs_needed", "i8"),  # rooms that were too small
    ("points_needed", "i8"),
    ("responses_needed", "i8"),
    ("touch_count", "i8"),
    ("lost", "i8"),
    ("drawn", "f8"),  # of the pair that was looked at last, see NEAR
    ("margin", "f8"),
    ("slop", "f8"),  # overlap that is left alone, in parts of the thinner half-width
    ("threshold", "f8"),  # speed below which nothing bounces [m/s]
    ("enough", "f8"),  # change of a velocity in a sweep that ends it [m/s]
    ("swept", "f8"),  # sweeps so far, and islands that were not done after the most
    ("unfinished", "f8"),
    ("fastest", "f8"),  # speed of a body so far, or of its rim as it turns [m/s]
    ("gained", "f8"),  # what gravity gives in a step, or without it other forces at most [m/s]
    ("left", "f8"),  # energy that sweeps may have left in points so far [J]
    ("unsolved", "f8"),  # islands in which what was left matters, largest change in their last sweeps [m/s], since when
    ("residual", "f8"),
    ("unsolved_time", "f8"),
    ("carried", "f8"),  # from body to body by contacts so far [J]
    ("passed_ever", "f8"),  # through contacts so far [J]
    ("passed_most", "f8"),  # in one step [J]
    ("missed", "f8"),  # of it what rebounds would have given back that several hits in one step left out [J]; when,
    ("missed_time", "f8"),
    ("missed_step", "f8"),  # and the longest step that sees all of these hits one after the other [s]
    ("shared", "f8"),  # of it what hits gave to contacts that were there before [J]; the most in a step, when, its pair
    ("shared_most", "f8"),
    ("shared_time", "f8"),
    ("shared_a", "i8"),
    ("shared_b", "i8"),
    ("way", "f8"),  # of the fastest body in this step, where steps may be divided [m]
    ("parts", "f8"),  # into which the step of the run is divided just now, 0 for none
    ("divisible", "i8"),  # 1: this step may be divided further
    ("spent", "f8"),  # steps that were divided lately
    ("blocked", "i8"),  # no velocities fulfil the laws of the step: see Jam; two bodies, and the overlap to come [m]
    ("blocked_a", "i8"),
    ("blocked_b", "i8"),
    ("blocked_depth", "f8"),
    ("cramped", "f8"),  # what rebounds without room would have given back [J]; when first, the most in a step, its pair
    ("cramped_time", "f8"),
    ("cramped_most", "f8"),
    ("cramped_a", "i8"),
    ("cramped_b", "i8"),
    ("deepest", "f8"),  # overlap of the step and the greatest so far, in parts of the thinner half-width
    ("deepest_ever", "f8"),
    ("deep_time", "f8"),
    ("deep_depth", "f8"),  # [m], and its pair
    ("deep_a", "i8"),
    ("deep_b", "i8"),
    ("clearing", "f8"),  # overlap of the start: 1 while it is undone, 2 when it was, 0 when that was told
    ("cleared", "f8"),  # work of that against gravity [J], and when it was done
    ("clear_time", "f8"),
    ("heat", "f8"),  # lost in this step, by friction, and passed through contacts [J]
    ("rubbed", "f8"),
    ("by_step", "f8"),  # of the heat what the length of the step made
    ("passed", "f8"),
    ("fallen", "f8"),  # work of weights on the way that hits after the middle of the step bring [J]
    ("answered", "f8"),  # of it where the impulses of such hits go on through contacts that were there [J]
    ("lifted", "f8"),  # work that the correction of poses did against gravity [J]
)
"""Single numbers."""


class HardTables(NamedTuple):
    """All tables of the hard contacts of a system."""

    closest: Handle
    outline_kernels: Floats1
    head: Annotated[np.ndarray, records(HEAD)]
    room: Annotated[np.ndarray, records(ROOM)]
    outlines: Annotated[np.ndarray, records(OUTLINE)]  # of bodies of the engine, in their principal axes
    shapes: Integers1
    points: Floats2
    faces: Floats2
    laws: Floats3  # friction and restitution of two materials
    excluded: Integers1
    placed: Annotated[np.ndarray, records(PLACED)]
    listed: Floats2  # place of each outline when pairs were listed, and how far it may move from there
    boxes: Floats2  # bounds of the outlines, enlarged
    cells: Integers2  # grid of the broad phase: cell of each outline, outlines by cell, first of each cell
    solids: Annotated[np.ndarray, records(SOLID)]
    seen: Annotated[np.ndarray, records(SEEN)]
    polygons: Floats3
    heights: Floats1  # of all height fields
    clusters: Integers2  # of every cluster: first body in ``members``, end, and a count
    members: Integers1
    responses: Floats3  # velocity and spin of a cluster's bodies per impulse along x, y, z and per couple about the
    # normal: [row, member, 24]
    codes: Integers2  # pairs found by the broad phase
    near: Annotated[np.ndarray, records(NEAR)]
    near_old: Annotated[np.ndarray, records(NEAR)]
    contacts: Annotated[np.ndarray, records(POINT)]
    order: Integers1  # points, island by island, and where each island begins
    island_first: Integers1
    touches: Annotated[np.ndarray, records(TOUCH)]
    dense: Floats3  # rooms of islands that are solved at once, see Dense


borrow_hard = borrower(
    HardTables, [hint.__metadata__[0] for hint in get_type_hints(HardTables, include_extras=True).values()]
)
"""``t = borrow_hard(hard)``: the tables behind the address that a kernel was given."""

_PAIR_ROOMS = ("codes", "near", "near_old")
_POINT_ROOMS = ("contacts", "order", "island_first")


class HardBlock:
    """The tables of hard contacts of one run.

    Args:
        tables: as they are at the start; they are copied.
    """

    def __init__(self, tables: HardTables) -> None:
        copies = {
            name: as_records(item.copy()) if isinstance(item, np.ndarray) and item.dtype.names else
            (item.copy() if isinstance(item, np.ndarray) else item)
            for name, item in tables._asdict().items()
        }  # fmt: skip
        self.tables = HardTables(**copies)  # type: ignore[arg-type]
        self._lend()

    def _lend(self) -> None:
        self._lent = Lent(self.tables)
        self.address = self._lent.address

    def grow(self) -> bool:
        """Make rooms as large as the head says that they must be; whether any was too small."""
        head = self.tables.head[0]
        grown = {}
        needs = (
            (head.pairs_needed, _PAIR_ROOMS),
            (head.points_needed, _POINT_ROOMS),
            (head.responses_needed, ("responses",)),
        )
        for needed, names in needs:
            for name in names:
                old: np.ndarray = self.tables._asdict()[name]
                if needed > len(old):
                    new = np.zeros((int(1.5 * needed) + 64, *old.shape[1:]), old.dtype)
                    new[: len(old)] = old
                    grown[name] = as_records(new) if old.dtype.names else new
        head.pairs_needed = head.points_needed = head.responses_needed = 0
        if grown:
            self.put(**grown)
        return bool(grown)

    def put(self, **tables: np.ndarray) -> None:
        """Put other arrays in the place of some."""
        self.tables = self.tables._replace(**tables)  # type: ignore[arg-type]
        self._lend()

    @property
    def numbers(self) -> np.ndarray:
        """What a later step reads of earlier ones."""
        t = self.tables
        kept = (t.head, t.listed, t.near[: t.head[0].pairs])
        return np.concatenate([item.reshape(-1).view(np.float64) for item in kept])

    @numbers.setter
    def numbers(self, values: np.ndarray) -> None:
        t = self.tables
        size, width = t.head.dtype.itemsize // 8, t.listed.size
        t.head.reshape(-1).view(np.float64)[:] = values[:size]
        t.head[0].pairs_needed = t.head[0].pairs
        self.grow()
        t = self.tables
        t.listed.reshape(-1)[:] = values[size : size + width]
        t.near[: t.head[0].pairs].reshape(-1).view(np.float64)[:] = values[size + width :]

    def in_use(self, other: object = None) -> list[np.ndarray]:
        """Nothing: a run with hard contacts never goes back, and frames hold the forces."""
        return []
