"""The tables of all contacts of a system: constants, search lists, pulses, log.

They are views of one block of numbers, so that a state is saved, kept and put back by one copy; kernels borrow them
(:mod:`centrode.jit`). Handles of kernels, valid in one process only, stand beside the block.

Episodes (the memory of the contact laws) are not here but in a table of memory of the run: frames keep it, so that a
frame can be looked at later as it was, and a rejected step puts it back.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Any, NamedTuple, get_type_hints

import numpy as np

from centrode.dynamics.contact.broad import SPHERE
from centrode.dynamics.contact.search import FACE_NOW, MEASURED, PUSH, ROOM
from centrode.dynamics.contact.strip_tables import CELL, COLUMN, DIE, INDEXED, PRESSED, SLICE, SOLID, STRIP, TRIED
from centrode.jit import Lent, borrower
from centrode.math.record import record, rows_opener
from centrode.parts.contact_laws.contact_law import MEMORY
from centrode.parts.kernel_types import MEMORY_WIDTH
from centrode.parts.outlines.outline import FRAME, OUTLINE, PLACED
from centrode.parts.tables import Floats1, Floats2, Floats3, Handle, Integers1, Integers2, records

BODY = record(
    ("mobility", "f8"),  # 1 / mass [1/kg]; the ground has zeros
    ("falls", "f8"),  # mass that gravity acts on over mass [1]
    ("inverse", "f8", (3, 3)),  # of the inertia, body axes [1/(kg m2)]
    ("deforms", "i8"),
    ("moments", "f8", (3,)),  # of inertia of a pseudo-rigid body [kg m2]
    ("directors", "f8", (3,)),  # and inertias of its directors [kg m2]
    ("elasticity", "f8", (3,)),  # Lame's constants [Pa] and volume [m3]
)

NEAR = record(
    # the pair: code of the two outlines, the outlines, their law; row of its episode (-1: none), slot of its pulse
    ("code", "i8"),
    ("a", "i8"),
    ("b", "i8"),
    ("law", "i8"),
    ("crush", "i8"),  # a body gives way: columns press instead of the law
    ("meets", "i8"),  # whether one of them is a road (Meets)
    ("episode", "i8"),
    ("slot", "i8"),
    ("looked", "i8"),  # row of its overlap at these poses; 0: not kept
    # answer of the last search
    ("gap", "f8"),
    ("normal", "f8", (3,)),
    ("point_a", "f8", (3,)),
    ("point_b", "f8", (3,)),
    ("status", "i8"),
    ("warm", "f8", (3,)),
    # of the last evaluation: centre of the patch, root of its mean square radius, depth and its rate, slip, force on B
    ("point", "f8", (3,)),
    ("radius", "f8"),
    ("depth", "f8"),
    ("rate", "f8"),
    ("closing", "f8"),  # greatest rate over the patch; of columns: speed along the deepest
    ("slip", "f8"),
    ("force", "f8", (3,)),
    ("bristle", "f8", (3,)),  # of the patch now, and the mean stretch that its twist makes [m]
    ("twist", "f8"),
    ("held", "f8"),  # energy that the law stores, now and at the last settled state [J]
    ("held_before", "f8"),
    ("mobility", "f8"),  # of the depth at touch [1/kg]; square of the frequency of the contact as it is now [1/s2]
    ("pace", "f8"),
    # columns: rows of the last evaluation (first, count; below 0: no room), its closing speed and time since the last
    # settled state, the greatest depth that a dent left free, whether one was pushed through
    ("first_trial", "i8"),
    ("trials", "i8"),
    ("tried_closing", "f8"),
    ("tried_after", "f8"),
    ("free", "f8"),
    ("through", "i8"),
    ("spare", "f8"),  # at the last settled state, of bodies that give way: how far from pressing [m]; 0: unknown
    # at the last settled state; zeros unless in contact there
    ("last_normal", "f8", (3,)),
    ("point_before", "f8", (3,)),
    ("radius_before", "f8"),
)
"""A pair of outlines that is near."""


class Slot(IntEnum):
    """Slot of a pair that has no pulse."""

    NONE = -1
    NO_ROOM = -2
    """All were taken: it asks again when pairs are listed anew."""


class Meets(IntEnum):
    """How a pair is with roads: a surface that is laid below the other outline at every look is one of them."""

    BODIES = 0
    PLANE_ROAD = 1
    AIMED_A = 2
    AIMED_B = 3


ROAD = record(("first", "i8"), ("rows", "i8"), ("curved", "i8"), ("ends", "i8"), ("steepest", "f8"))
"""A road that bodies touch: its rows in the table of all; whether it is no plane, and ends beside its width; of terrain
a bound of its slope (:func:`centrode.parts.roads.terrain_foot.steepest`), else 0."""

PROBED = record(("first", "i8"), ("count", "i8"), ("radius", "f8"))
"""Points of an outline that feel terrain (:mod:`probes`), and the radius about each [m]."""

EPISODE = record(("code", "i8"), ("memory", "f8", (MEMORY,)))
"""A contact from touch to separation, in the memory rows of the run: code of the pair + 1 (0: free), law's memory."""
EPISODE_WIDTH = EPISODE.itemsize // 8
open_episodes = rows_opener(EPISODE)
assert EPISODE_WIDTH % MEMORY_WIDTH == 0  # whole memory rows

INTEGRALS = record(
    ("impulse", "f8", (3,)),  # on the body with the greater number [N*s]
    ("magnitude", "f8"),  # of the force [N*s]
    ("moment", "f8", (3,)),  # the same times the place of the force [N*s*m]
    ("heat_law", "f8"),  # [J]
    ("heat_friction", "f8"),  # [J]
)
"""What the method integrates for a pulse beside the motion."""
HIDDEN = INTEGRALS.itemsize // 8
open_integrals = rows_opener(INTEGRALS)


class Look(IntEnum):
    """When the bodies of a pulse are looked at, beside before and after it."""

    CALMED = 2
    """Where they began only to push each other."""


SAMPLES = 65
BEFORE, AFTER = 0, 1
PULSE = record(
    ("code", "i8"),  # of the two bodies, of road and others apart, + 1 (0: free)
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
    # since when the bodies only push each other [s], 0: not; the force then, and the greatest since [N], and when
    ("calm", "f8"),
    ("calm_force", "f8"),
    ("calm_peak", "f8"),
    ("calm_time", "f8"),
    ("begin", "f8"),
    ("end", "f8"),
    ("closing_speed", "f8"),
    ("peak_force", "f8"),
    ("peak_time", "f8"),
    ("episodes", "f8"),
    ("by_columns", "f8"),  # 1: a body gave way
    ("law", "f8"),  # of the first contact, acceleration of its depth by weight [m/s2]
    ("weight", "f8"),
    ("parting_speed", "f8"),  # when the first contact ended [m/s], and when [s]; 0: not yet
    ("parted", "f8"),
    ("depth", "f8"),
    ("crush", "f8"),
    ("slip_speed", "f8"),
    ("sides", "f8"),
    ("normal", "f8", (3,)),
    ("touch", "f8", (3,)),
    # of both bodies, before, after, and where they began only to push: centre of mass, its velocity, spin, first
    # director, energy of vibration
    ("place", "f8", (3, 2, 3)),
    ("velocity", "f8", (3, 2, 3)),
    ("spin", "f8", (3, 2, 3)),
    ("heading", "f8", (3, 2, 3)),
    ("vibration", "f8", (3, 2)),
    ("integrals", "f8", (3, HIDDEN)),
    # of bodies that give way (:mod:`damage`): energy by body and side since the start, and when the last pulse was over
    ("taken", "f8", (2, 6)),
    ("booked", "f8", (2, 6)),
    # energy [J] and dent of this pulse: side + 1 (0: none), ends along it over its length, greatest crush, Cmax, width,
    # C1 to C6 [m]
    ("taken_up", "f8", (2,)),
    ("dent_side", "f8", (2,)),
    ("dent_begin", "f8", (2,)),
    ("dent_end", "f8", (2,)),
    ("own_crush", "f8", (2,)),
    ("residual", "f8", (2,)),
    ("damage_width", "f8", (2,)),
    ("profile", "f8", (2, 6)),
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

MOVED = record(
    ("velocity", "f8", (3,)),  # of its body
    ("position", "f8", (3,)),
    ("directors", "f8", (3, 3)),
    ("place_rate", "f8", (3,)),
    ("director_rates", "f8", (3, 3)),
)
"""Frame of an outline at the last settled state and how it changed there (:mod:`guard`, :mod:`graze`)."""


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
    ("again", "i8"),  # poses are those of the last evaluation: what was searched then still holds
    ("queries", "i8"),
    ("suspect", "i8"),  # for the guard: some pair may have passed; the pair (+ 1) whose normal flipped
    ("flipped", "i8"),
    ("stiff_code", "i8"),  # pair of the stiffest contact that began, and the square of its frequency [1/s2]
    ("stiffest", "f8"),
    ("pressing_pace", "f8"),  # square of the frequency of the stiffest contact of the present evaluation [1/s2]
    ("coarse", "f8"),  # step times frequency from which on a contact is not resolved; 0: the method has step control
    ("pace", "f8"),  # square of the frequency of the stiffest contact at the last settled state [1/s2]
    ("last_time", "f8"),  # of the last settled state, and of the one before [s]
    ("before_time", "f8"),
    ("margin", "f8"),
    ("gravity", "f8", (3,)),  # at the last evaluation [m/s2]
    ("looked", "i8"),  # rows of ``looked`` in use
    ("scratch", "f8", (MEMORY,)),  # memory of a contact that has no episode yet
    ("pressed", PRESSED),  # columns of the pair looked at
    ("columns", "i8"),  # rows of memory for columns, and how many are indexed
    ("indexed", "i8"),
    ("tried", "i8"),  # columns that the last evaluation wrote down
    ("noted", "i8"),  # how often those in memory were noted
    ("stage", "i8"),  # 1: a look of a stage within a step
)
"""Single numbers."""


class ContactTables(NamedTuple):
    """All tables of the contacts of a system: handles of kernels, then what lies in the block."""

    closest: Handle
    measure: Handle
    law_kernels: Integers2  # begin, law, advance of every law
    outline_kernels: Floats1
    head: Annotated[np.ndarray, records(HEAD)]
    room: Annotated[np.ndarray, records(ROOM)]
    outlines: Annotated[np.ndarray, records(OUTLINE)]
    points: Floats2
    faces: Floats2
    laws: Floats2
    law_of: Integers2
    bodies: Annotated[np.ndarray, records(BODY)]
    roads: Annotated[np.ndarray, records(ROAD)]
    road_tables: Floats2
    probed: Annotated[np.ndarray, records(PROBED)]
    probes: Floats2
    excluded: Integers1
    frames: Annotated[np.ndarray, records(FRAME)]
    rates: Annotated[np.ndarray, records(FRAME)]
    push: Annotated[np.ndarray, records(FRAME)]
    placed: Annotated[np.ndarray, records(PLACED)]
    before: Annotated[np.ndarray, records(MOVED)]
    spheres: Annotated[np.ndarray, records(SPHERE)]
    listed: Annotated[np.ndarray, records(PLACED)]
    hints: Floats1  # road parameter below every outline
    keys: Floats1
    order: Integers1
    codes: Integers1
    pairs: Integers2
    looked: Annotated[np.ndarray, records(MEASURED)]  # overlaps at the poses of the last evaluation
    pushes: Annotated[np.ndarray, records(PUSH)]  # these three: the pair looked at
    planes: Annotated[np.ndarray, records(FACE_NOW)]
    polygons: Floats3
    law_crushes: Integers1  # whether a law leaves the pressing to columns
    solids: Annotated[np.ndarray, records(SOLID)]  # bodies that give way: see columns
    solid_planes: Floats2
    strips: Annotated[np.ndarray, records(STRIP)]
    rigid_strip: Annotated[np.ndarray, records(STRIP)]
    cells: Annotated[np.ndarray, records(CELL)]
    column_of: Integers1  # index of columns: newest row of every cell and of every outline
    last_column: Integers1
    indexed: Annotated[np.ndarray, records(INDEXED)]
    scratch_column: Annotated[np.ndarray, records(COLUMN)]
    trials: Annotated[np.ndarray, records(COLUMN)]  # what columns would remember of the last evaluation, and how
    tried: Annotated[np.ndarray, records(TRIED)]
    dies: Annotated[np.ndarray, records(DIE)]
    slices: Annotated[np.ndarray, records(SLICE)]
    near: Annotated[np.ndarray, records(NEAR)]
    near_old: Annotated[np.ndarray, records(NEAR)]
    pulses: Annotated[np.ndarray, records(PULSE)]
    touches: Annotated[np.ndarray, records(TOUCH)]
    finished: Annotated[np.ndarray, records(PULSE)]


STORED = ContactTables._fields[ContactTables._fields.index("head") :]
"""Tables that lie in the block."""

_COUNTS = {"near": "count", "pulses": "pulses_used", "touches": "touch_count", "finished": "finished_count"}
"""Tables of which rows are used from the first on, and where the head says how many."""
_SCRATCH = ("codes", "pairs", "near_old", "looked", "trials", "tried")
"""Tables that no step reads before it writes them."""

borrow_contacts = borrower(
    ContactTables, [hint.__metadata__[0] for hint in get_type_hints(ContactTables, include_extras=True).values()]
)
"""``t = borrow_contacts(contacts)``: the tables behind the address that a kernel was given."""


class ContactBlock:
    """The contact tables of one run: a block of numbers, views of it by name, and what kernels take for them.

    Args:
        tables: as they are at the start; they are copied.
    """

    def __init__(self, tables: ContactTables) -> None:
        stored = {name: table for name, table in tables._asdict().items() if name in STORED}
        flat = [table.reshape(-1).view(np.float64) for table in stored.values()]
        self._numbers = np.concatenate(flat)
        pieces = np.split(self._numbers, np.cumsum([piece.size for piece in flat])[:-1])
        views = {
            name: piece.view(table.dtype).reshape(table.shape)
            for piece, (name, table) in zip(pieces, stored.items(), strict=True)
        }
        self.tables = tables._replace(**views)
        self._lent = Lent(self.tables)
        self.address = self._lent.address

    @property
    def numbers(self) -> np.ndarray:
        """All numbers of the tables."""
        return self._numbers

    @numbers.setter
    def numbers(self, values: np.ndarray) -> None:
        self._numbers[:] = values

    def in_use(self, other: object = None) -> list[np.ndarray]:
        """Views of what a later step reads, so that a state is kept without the room that nothing has taken yet.

        With 5,000 cars the room is 220 MB, and copying it took a twentieth of the run. As numbers: rows of records are
        copied field by field, which took longer than the steps of two cars.

        Args:
            other: the block that says how many rows are used, when it is not this one.
        """
        tables = self.tables._asdict()
        head = (other if isinstance(other, ContactBlock) else self).tables.head[0]
        used = {name: int(head[_COUNTS[name]]) if name in _COUNTS else None for name in STORED if name not in _SCRATCH}
        return [tables[name][:count].reshape(-1).view(np.float64) for name, count in used.items()]


def fresh_tables(constants: dict[str, Any], margin: float, pulses: int, room: int, log_room: int) -> ContactTables:
    """The tables of a system before its first step.

    Args:
        constants: handles of kernels, and the tables outlines, points, laws, law_of, bodies (the ground first) and
            excluded, the rising codes i * bodies + j (i < j) of pairs of bodies that never touch.
        margin: distance within which pairs are listed [m].
        pulses: pulses that may run at once; room: near pairs; log_room: lines of the log.
    """
    outlines, bodies = len(constants["outlines"]), len(constants["bodies"])
    most = 2 * max(6, int(constants["outlines"]["faces"].max()))  # faces of two outlines
    # Every column of which there is a row or might be one, and behind them those of a pair that is looked at again.
    trials = 2 * len(constants["indexed"])
    tables = ContactTables(
        head=np.zeros(1, HEAD),
        room=np.zeros(1, ROOM),
        frames=np.zeros(bodies, FRAME),
        rates=np.zeros(bodies, FRAME),
        push=np.zeros(bodies, FRAME),
        placed=np.zeros(outlines, PLACED),
        before=np.zeros(outlines, MOVED),
        spheres=np.zeros(outlines, SPHERE),
        listed=np.zeros(outlines, PLACED),
        hints=np.full(outlines, np.nan),
        keys=np.zeros(outlines),
        order=np.arange(outlines),
        codes=np.zeros(room, np.int64),
        pairs=np.zeros((room, 2), np.int64),
        looked=np.zeros(1 + min(room, 4 * bodies), MEASURED),
        pushes=np.zeros(80 + 2 * most, PUSH),
        planes=np.zeros(most, FACE_NOW),
        polygons=np.zeros((3, most + 4, 2)),
        rigid_strip=np.zeros(1, STRIP),
        column_of=np.full(len(constants["cells"]), -1),
        last_column=np.full(outlines, -1),
        scratch_column=np.zeros(1, COLUMN),
        trials=np.zeros(trials, COLUMN),
        tried=np.zeros(trials, TRIED),
        dies=np.zeros(max(1, int(constants["solids"]["planes"].max())), DIE),
        slices=np.zeros(2, SLICE),
        near=np.zeros(room, NEAR),
        near_old=np.zeros(room, NEAR),
        pulses=np.zeros(pulses, PULSE),
        touches=np.zeros(log_room, TOUCH),
        finished=np.zeros(log_room, PULSE),
        **constants,
    )
    head = tables.head[0]
    head.margin, head.fresh = margin, 1
    roads = (tables.outlines["surface"] > 0) & (tables.outlines["half_space"] > 0)  # these are always listed
    head.ground_outlines = np.count_nonzero((tables.outlines["body"] == 0) & ~roads)
    tables.frames[0].directors = np.eye(3)  # the ground
    return tables
