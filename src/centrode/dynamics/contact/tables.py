"""The tables of all contacts of a system: constants, search lists, pulses, log.

Their memory is one stretch of the data pool of the run, so a step allocates nothing and a saved state holds them. It
begins with the places of the tables; :func:`contact_tables` gives them as views.

Episodes (the memory of the contact laws) are not here but in the memory rows behind those of the forces: frames keep
those, so that a frame can be looked at later as it was, and a rejected step puts them back.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from centrode.dynamics.contact.broad import SPHERE
from centrode.dynamics.contact.manifold import MOST_POINTS
from centrode.dynamics.contact.search import PATCH_POINT, ROOM
from centrode.jit import step_kernel
from centrode.math.record import record
from centrode.parts.contact_laws.contact_law import MEMORY, PAR
from centrode.parts.outlines.outline import FRAME, OUTLINE, PLACED

BODY = record(
    ("mobility", "f8"),  # 1 / mass [1/kg]; the ground has zeros
    ("inverse", "f8", (3, 3)),  # of the inertia, body axes [1/(kg m2)]
    ("deforms", "i8"),
    ("moments", "f8", (3,)),  # of inertia of a pseudo-rigid body [kg m2]
    ("directors", "f8", (3,)),  # and inertias of its directors [kg m2]
    ("elasticity", "f8", (3,)),  # Lame's constants [Pa] and volume [m3]
)

NEAR = record(
    # the pair: code of the two outlines, the outlines, their law; rows of its episode and its pulse, -1 for none
    ("code", "i8"),
    ("a", "i8"),
    ("b", "i8"),
    ("law", "i8"),
    ("episode", "i8"),
    ("slot", "i8"),
    # answer of the last search
    ("gap", "f8"),
    ("normal", "f8", (3,)),
    ("point_a", "f8", (3,)),
    ("point_b", "f8", (3,)),
    ("status", "i8"),
    ("warm", "f8", (3,)),
    # of the last evaluation: centre of the patch, its mean square radius, depth and its rate, slip, force on B
    ("point", "f8", (3,)),
    ("spread", "f8"),
    ("depth", "f8"),
    ("rate", "f8"),
    ("slip", "f8"),
    ("force", "f8", (3,)),
    ("bristle", "f8", (3,)),  # of the patch now
    ("twist", "f8"),
    ("last_normal", "f8", (3,)),  # at the last settled state; zeros unless in contact there
)
"""A pair of outlines that is near."""

EPISODE = record(("code", "i8"), ("memory", "f8", (MEMORY,)))
"""A contact from touch to separation, in the memory rows of the run: code of the pair + 1 (0: free), law's memory."""
EPISODE_WIDTH = EPISODE.itemsize // 8
assert EPISODE_WIDTH % 4 == 0  # whole memory rows

INTEGRALS = record(
    ("impulse", "f8", (3,)),  # on the body with the greater number [N*s]
    ("magnitude", "f8"),  # of the force [N*s]
    ("moment", "f8", (3,)),  # the same times the place of the force [N*s*m]
    ("heat_law", "f8"),  # [J]
    ("heat_friction", "f8"),  # [J]
)
"""What the method integrates for a pulse beside the motion."""
HIDDEN = INTEGRALS.itemsize // 8

SAMPLES = 65
BEFORE, AFTER = 0, 1
PULSE = record(
    ("code", "i8"),  # of the two bodies, + 1 (0: free)
    ("open", "i8"),
    ("used", "i8"),
    ("known", "i8"),  # whether the state before is known
    ("touching", "i8"),  # episodes that last
    ("stride", "i8"),  # steps between samples
    ("skipped", "i8"),
    ("sample_count", "i8"),
    ("samples", "f8", (SAMPLES, 2)),  # time [s], force [N]
    ("force", "f8", (3,)),  # at this state [N]
    ("last_forces", "f8", (2,)),  # sizes at the state before and the one before that [N]
    ("begin", "f8"),
    ("end", "f8"),
    ("closing_speed", "f8"),
    ("peak_force", "f8"),
    ("peak_time", "f8"),
    ("episodes", "f8"),
    ("depth", "f8"),
    ("crush", "f8"),
    ("slip_speed", "f8"),
    ("sides", "f8"),
    ("normal", "f8", (3,)),
    ("touch", "f8", (3,)),
    # of both bodies, before and after: centre of mass, its velocity, spin, first director, energy of vibration
    ("place", "f8", (2, 2, 3)),
    ("velocity", "f8", (2, 2, 3)),
    ("spin", "f8", (2, 2, 3)),
    ("heading", "f8", (2, 2, 3)),
    ("vibration", "f8", (2, 2)),
    ("integrals", "f8", (2, HIDDEN)),
)
"""A pulse: what engineers call one collision of two bodies. SI units, world frame; see :mod:`pulses`."""

TOUCH = record(
    ("time", "f8"),
    ("ends", "i8"),  # 0: the contact begins
    ("bodies", "i8", (2,)),
    ("speed", "f8"),  # closing or parting, along the normal [m/s]
    ("point", "f8", (3,)),
    ("normal", "f8", (3,)),
    ("sides", "f8"),
)
"""A line of the log: an episode began or ended."""

MOVED = record(("velocity", "f8", (3,)), ("position", "f8", (3,)), ("directors", "f8", (3, 3)))
"""Frame and speed of an outline at the last settled state (:mod:`guard`)."""


HEAD = record(
    ("count", "i8"),  # near pairs
    ("pulses_used", "i8"),
    ("touch_count", "i8"),
    ("finished_count", "i8"),
    ("lost", "i8"),  # lines that the logs had no room for
    ("room_short", "i8"),  # near pairs and episodes that there was no room for
    ("episodes_short", "i8"),
    ("ground_outlines", "i8"),
    ("fresh", "i8"),  # nothing is listed yet
    ("queries", "i8"),
    ("suspect", "i8"),  # for the guard: some pair may have passed; the pair (+ 1) whose normal flipped
    ("flipped", "i8"),
    ("stiff_code", "i8"),  # pair of the stiffest contact that began, and the square of its frequency [1/s2]
    ("stiffest", "f8"),
    ("last_time", "f8"),  # of the last settled state, and of the one before [s]
    ("before_time", "f8"),
    ("margin", "f8"),
    ("patch", PATCH_POINT, (MOST_POINTS,)),
    ("scratch", "f8", (MEMORY,)),  # memory of a contact that has no episode yet
)
"""Single numbers."""


class ContactTables(NamedTuple):
    """All tables of the contacts of a system."""

    head: np.ndarray
    room: np.ndarray
    outlines: np.ndarray
    points: np.ndarray
    laws: np.ndarray
    law_of: np.ndarray
    bodies: np.ndarray
    excluded: np.ndarray
    frames: np.ndarray
    rates: np.ndarray
    push: np.ndarray
    placed: np.ndarray
    before: np.ndarray
    spheres: np.ndarray
    listed: np.ndarray
    keys: np.ndarray
    order: np.ndarray
    codes: np.ndarray
    pairs: np.ndarray
    near: np.ndarray
    near_old: np.ndarray
    pulses: np.ndarray
    touches: np.ndarray
    finished: np.ndarray
    handles: np.ndarray


inner_kernel = partial(step_kernel, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""For kernels that kernels alone call: to unpack all tables for a call from Python takes long to compile."""

STORED = len(ContactTables._fields) - 1
"""Tables in the pool: all but the handles, which are valid in one process only."""


# Compiled functions that count no references cannot return arrays: this one is inlined into its callers.
@step_kernel(inline="always")
def contact_tables(data, pool, handles):
    """The tables in a stretch of the data pool, which begins with their places."""
    own = data[pool:]
    first = own[: STORED + 1].view(np.int64)
    materials = int(np.sqrt(first[6] - first[5]) + 0.5)
    return ContactTables(
        own[first[0] : first[1]].view(HEAD),
        own[first[1] : first[2]].view(ROOM),
        own[first[2] : first[3]].view(OUTLINE),
        own[first[3] : first[4]].reshape(((first[4] - first[3]) // 3, 3)),
        own[first[4] : first[5]].reshape(((first[5] - first[4]) // PAR, PAR)),
        own[first[5] : first[6]].view(np.int64).reshape((materials, materials)),
        own[first[6] : first[7]].view(BODY),
        own[first[7] : first[8]].view(np.int64),
        own[first[8] : first[9]].view(FRAME),
        own[first[9] : first[10]].view(FRAME),
        own[first[10] : first[11]].view(FRAME),
        own[first[11] : first[12]].view(PLACED),
        own[first[12] : first[13]].view(MOVED),
        own[first[13] : first[14]].view(SPHERE),
        own[first[14] : first[15]].view(PLACED),
        own[first[15] : first[16]],
        own[first[16] : first[17]].view(np.int64),
        own[first[17] : first[18]].view(np.int64),
        own[first[18] : first[19]].view(np.int64).reshape(((first[19] - first[18]) // 2, 2)),
        own[first[19] : first[20]].view(NEAR),
        own[first[20] : first[21]].view(NEAR),
        own[first[21] : first[22]].view(PULSE),
        own[first[22] : first[23]].view(TOUCH),
        own[first[23] : first[24]].view(PULSE),
        handles,
    )


def pack_tables(constants: dict[str, np.ndarray], margin: float, pulses: int, room: int, log_room: int) -> np.ndarray:
    """The stretch of the pool for a system.

    Args:
        constants: tables outlines, points, laws, law_of, bodies (the ground first) and excluded, the rising codes
            i * bodies + j (i < j) of pairs of bodies that never touch.
        margin: distance within which pairs are listed [m].
        pulses: pulses that may run at once; room: near pairs; log_room: lines of the log.
    """
    outlines, bodies = len(constants["outlines"]), len(constants["bodies"])
    empty: dict[str, tuple[Any, Any]] = {
        "head": (1, HEAD),
        "room": (1, ROOM),
        "frames": (bodies, FRAME),
        "rates": (bodies, FRAME),
        "push": (bodies, FRAME),
        "placed": (outlines, PLACED),
        "before": (outlines, MOVED),
        "spheres": (outlines, SPHERE),
        "listed": (outlines, PLACED),
        "keys": (outlines, float),
        "codes": (room, np.int64),
        "pairs": ((room, 2), np.int64),
        "near": (room, NEAR),
        "near_old": (room, NEAR),
        "pulses": (pulses, PULSE),
        "touches": (log_room, TOUCH),
        "finished": (log_room, PULSE),
    }
    tables = {**constants, **{name: np.zeros(*shape) for name, shape in empty.items()}, "order": np.arange(outlines)}
    tables["frames"][0].directors = np.eye(3)  # the ground
    tables["head"][0].margin, tables["head"][0].fresh = margin, 1
    flat = [np.ascontiguousarray(tables[name]).reshape(-1).view(np.float64) for name in ContactTables._fields[:STORED]]
    places = np.cumsum([STORED + 1, *map(len, flat)]).astype(np.int64)
    return np.concatenate([places.view(np.float64), *flat])


def read_tables(data: np.ndarray, pool: int = 0, handles: Any = None) -> ContactTables:
    """:func:`contact_tables` for plain Python."""
    plain = getattr(contact_tables, "py_func", contact_tables)
    tables: ContactTables = plain(data, pool, handles)
    return tables
