"""The numbers of all contacts of a system in one stretch of the data pool: constants, search lists, pulses, log.

The contact kernels borrow everything from the pool of the run, so a step allocates nothing. The stretch begins with a
header of sizes and offsets; :func:`table` and :func:`integers` give the tables behind it as arrays.

| table    | rows x columns          | content                                                                       |
|----------|-------------------------|-------------------------------------------------------------------------------|
| ROWS     | outlines x ROW          | outlines; centres are from the centre of mass                                 |
| CORNERS  | corners x 3             | corner pool of polyhedra                                                      |
| LAWS     | laws x PAR              | contact laws                                                                  |
| LAW_OF   | materials x materials   | which law serves which pair                                                   |
| BODIES   | bodies x BODY_WIDTH     | 1/mass, moments, directors, elasticity, inverse inertia; row 0 is the ground   |
| EXCLUDED | pairs x 1               | codes of pairs of bodies that never touch (joined, same vehicle), rising      |
| FRAMES   | bodies x 12             | position and directors of the present state; RATES their rates; PUSH forces   |
| PLACED   | outlines x 12           | frames of the outlines; SPHERES bounding spheres; LISTED centres when listed  |
| BEFORE   | outlines x 15           | frames and speeds of the outlines at the last settled state (:mod:`guard`)    |
| NEAR     | room x NEAR_WIDTH       | near pairs with the answers of the last search; NEAR_OLD the list before      |
| SLOTS    | slots x SLOT_WIDTH      | pulses that run (:mod:`centrode.dynamics.contact.pulses`)                     |
| LOG      | room x LOG_WIDTH        | what happened, until the run loop takes it                                    |

Episodes (the memory of the contact laws) are not here but in the memory rows behind those of the forces: frames keep
those, so that a frame can be looked at later as it was, and a rejected step puts them back.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from centrode.dynamics.contact.codes import WORK, WORK_INT
from centrode.jit import step_kernel
from centrode.parts.contact_laws.contact_law import MEMORY, PAR
from centrode.parts.outlines.outline import ROW

# Header: three numbers a table (offset, rows, columns), then single numbers.
ROWS, CORNERS, LAWS, LAW_OF, BODIES, EXCLUDED, FRAMES, RATES, PUSH, PLACED, SPHERES, LISTED = range(12)
KEYS, ORDER, CODES, PAIRS, NEAR, NEAR_OLD, SLOTS, LOG, WORKROOM, INTEGERS, PATCH, SCRATCH, BEFORE = range(12, 25)
TABLES = 25
COUNT, LOG_COUNT, LOG_LOST, LAST_TIME, MARGIN, ROOM_SHORT, EPISODES_SHORT, GROUND_OUTLINES, FRESH, QUERIES = range(
    3 * TABLES, 3 * TABLES + 10
)
SLOTS_USED, SUSPECT, FLIPPED, BEFORE_TIME, STIFFEST, STIFF_CODE = range(3 * TABLES + 10, 3 * TABLES + 16)
HEAD = 3 * TABLES + 16

# Columns of BODIES.
MOBILITY, MOMENTS, DIRECTOR, LAME_1, LAME_2, VOLUME, DEFORMS, INVERSE = 0, 1, 4, 7, 8, 9, 10, 11
BODY_WIDTH = 20

# Columns of NEAR: pair, episode row, pulse slot, then the answer of the search and the forces of the last evaluation.
CODE, OUTLINE_A, OUTLINE_B, LAW, EPISODE, SLOT = 0, 1, 2, 3, 4, 5
ANSWER, WARM, POINT, RATE, FORCE, LOAD, DEPTH = 6, 18, 21, 24, 25, 28, 29
GAP, NORMAL, POINT_A, POINT_B, STATUS = 6, 7, 10, 13, 16
SPEED = 30
# Bristle of the patch now (stretch 3, twist), mean square radius of the patch, normal at the last settled state.
NEXT_BRISTLE, NEXT_TWIST, SPREAD, LAST_NORMAL = 31, 34, 35, 36
NEAR_WIDTH = 40

# An episode in the memory rows of the run: code + 1 (0: free), then the memory of the contact law.
EPISODE_CODE, EPISODE_MEMORY = 0, 1
EPISODE_WIDTH = 20
MEMORY_COLUMNS = 4
assert EPISODE_WIDTH >= MEMORY + 1 and EPISODE_WIDTH % MEMORY_COLUMNS == 0

SAMPLES = 65
SLOT_FIELDS = 104
SLOT_WIDTH = SLOT_FIELDS + 2 * SAMPLES
LOG_HEAD = 16
LOG_WIDTH = LOG_HEAD + SLOT_WIDTH
HIDDEN = 9
"""Integrals of a pulse: impulse (3), size of the force, the same times its place (3), heat of law, heat of friction."""


# Compiled functions that count no references cannot return arrays: these three are inlined into their callers.
@step_kernel(inline="always")
def table(data, pool, which):
    """A table of floats as a two-dimensional view."""
    first = pool + int(data[pool + 3 * which])
    rows = int(data[pool + 3 * which + 1])
    columns = int(data[pool + 3 * which + 2])
    return data[first : first + rows * columns].reshape((rows, columns))


@step_kernel(inline="always")
def line(data, pool, which):
    """A table of floats as a flat view."""
    first = pool + int(data[pool + 3 * which])
    return data[first : first + int(data[pool + 3 * which + 1]) * int(data[pool + 3 * which + 2])]


@step_kernel(inline="always")
def integers(data, pool, which):
    """A table of integers as a flat view (the same eight bytes, read as int64)."""
    first = pool + int(data[pool + 3 * which])
    return data[first : first + int(data[pool + 3 * which + 1]) * int(data[pool + 3 * which + 2])].view(np.int64)


def read_table(data: np.ndarray, pool: int, which: int) -> np.ndarray:
    """:func:`table` for plain Python."""
    view: np.ndarray = getattr(table, "py_func", table)(data, pool, which)
    return view


def pack_pool(
    rows: np.ndarray,
    corners: np.ndarray,
    laws: np.ndarray,
    law_of: np.ndarray,
    bodies: np.ndarray,
    excluded: list[int],
    *,
    margin: float,
    slots: int,
    room: int,
    log_room: int,
    start: float = 0.0,
) -> np.ndarray:
    """The stretch of the pool for a system.

    Args:
        rows: outlines; corners: their corner pool; laws: rows of the contact laws; law_of: law of two materials.
        bodies: (bodies + 1, BODY_WIDTH), the ground first.
        excluded: codes i * bodies + j (i < j) of pairs of bodies that never touch.
        margin: distance within which pairs are listed [m].
        slots: pulses that may run at once; room: near pairs; log_room: lines of the log.
        start: time at the start of the run [s].
    """
    outlines, count = len(rows), len(bodies)
    shapes: dict[int, tuple[int, int]] = {
        ROWS: (outlines, ROW),
        CORNERS: (len(corners), 3),
        LAWS: (len(laws), PAR),
        LAW_OF: law_of.shape,
        BODIES: (count, BODY_WIDTH),
        EXCLUDED: (max(1, len(excluded)), 1),
        FRAMES: (count, 12),
        RATES: (count, 12),
        PUSH: (count, 12),
        PLACED: (outlines, 12),
        SPHERES: (outlines, 4),
        LISTED: (outlines, 3),
        KEYS: (outlines, 1),
        ORDER: (outlines, 1),
        CODES: (room, 1),
        PAIRS: (room, 2),
        NEAR: (room, NEAR_WIDTH),
        NEAR_OLD: (room, NEAR_WIDTH),
        SLOTS: (slots, SLOT_WIDTH),
        LOG: (log_room, LOG_WIDTH),
        WORKROOM: (WORK, 1),
        INTEGERS: (WORK_INT, 1),
        PATCH: (4, 5),
        SCRATCH: (1, MEMORY),
        BEFORE: (outlines, 15),
    }
    data = np.zeros(HEAD + sum(r * c for r, c in shapes.values()))
    place = HEAD
    for which, (r, c) in shapes.items():
        data[3 * which : 3 * which + 3] = place, r, c
        place += r * c

    def put(which: int, values: Any) -> None:
        first = int(data[3 * which])
        flat = np.asarray(values).ravel()
        data[first : first + flat.size] = flat

    put(ROWS, rows)
    put(CORNERS, corners)
    put(LAWS, laws)
    put(LAW_OF, law_of)
    put(BODIES, bodies)
    put(EXCLUDED, sorted(excluded) or [-1])
    first = int(data[3 * FRAMES])
    data[first + 3 : first + 12] = np.eye(3).ravel()  # the ground
    put(ORDER, np.arange(outlines, dtype=np.int64).view(np.float64))
    data[MARGIN], data[LAST_TIME], data[FRESH] = margin, start, 1.0
    return data
