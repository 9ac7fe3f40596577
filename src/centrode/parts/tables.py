"""Tables: every array of a run in one record, with names. What kernels of bodies, stages and methods work on.

A kernel that is called by address takes the address of the record and begins with ``t = borrow(tables)``
(:mod:`centrode.jit`); kernels that are inlined take ``t`` itself. Nothing else knows where an array lies.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Any, NamedTuple, get_type_hints

import numpy as np

from centrode.jit import JIT_ON, borrower, call_by_address, field_borrower, types
from centrode.math.record import record, record_opener
from centrode.parts.kernel_types import MEMORY_WIDTH


class Coordinates(IntEnum):
    """How the pose of a body follows from its velocity; all that a method needs to know of a body."""

    VECTOR = 0
    """Numbers whose rates are the velocities (centre and directors of a deformable body)."""
    PLANE = 1
    """x, y and the angle about z; velocities are their rates."""
    TURNING = 2
    """Position and unit quaternion; velocities are that of the position and the angular velocity in body axes."""


BODY = np.dtype(
    [
        ("coordinates", "i8"),  # of Coordinates
        ("velocities", "i8"),  # number of velocities
        ("data", "i8"),  # offset into the data pool (full mass, elasticity)
        ("first_marker", "i8"),
        ("end_marker", "i8"),
        ("frames_needed", "i8"),  # 0: nothing asks where it is; 1: its points; 2: its axes too
        ("weight_mass", "f8"),  # mass that gravity acts on [kg]
        ("mass", "f8"),
        ("weight_share", "f8"),  # weight_mass / mass
        ("root_mass", "f8"),
        ("inverse_root_mass", "f8"),
        ("inertia", "f8", (3,)),
        ("root_inertia", "f8", (3,)),
        ("inverse_root_inertia", "f8", (3,)),
        ("gyration", "f8", (3,)),  # (I2 - I3) / I1 and so on in turn, of Euler's equations; zero for a point mass
    ],
    align=True,
)

MARKER = np.dtype(
    [
        ("body", "i8"),
        ("with_frame", "i8"),  # 1 when the part reads the marker's axes
        ("carries_force", "i8"),  # 1 when a force or a compliant joint writes its wrench
        ("position", "f8", (3,)),  # from centre of mass, in principal axes
        ("frame", "f8", (9,)),  # principal axes from marker, row-major
    ],
    align=True,
)

BODY_SPAN = np.dtype(
    [
        ("first", "i8"),  # bodies of one kind that follow each other
        ("end", "i8"),
        ("first_side", "i8"),  # their sides of exact joints in ``sides``
        ("end_side", "i8"),
        ("first_soft", "i8"),  # their sides of compliant joints
        ("end_soft", "i8"),
        # Kernels of the kind; 0 for those that it has not. What each does: parts/bodies/body.py.
        ("place", "i8"),
        ("move", "i8"),
        ("weigh_rows", "i8"),
        ("weigh_forces", "i8"),
        ("unweigh", "i8"),
        ("convect", "i8"),
        ("measure", "i8"),
        ("dissipate", "i8"),
        ("accelerate_markers", "i8"),
        ("fall", "i8"),
    ]
)

SPAN = np.dtype(
    [
        ("first", "i8"),  # joints or forces of one kind
        ("count", "i8"),
        # Kernels of the kind; 0 for those that it has not.
        ("kernel", "i8"),
        ("energy", "i8"),
        ("event", "i8"),
    ]
)

CONTACT_NOTES = record(
    ("stored", "f8"),  # energy in all contacts [J], and the part that their bristles hold
    ("stretched", "f8"),
    ("passed", "f8"),  # energy that went into contacts and came out again since the start, settled step by step [J]
    ("event", "f8"),  # least gap of parted, least depth of touching pairs [m]
    ("episodes", "i8"),  # rows in use
    # squared frequency of the stiffest contact that began since the last settled state, and of any now [1/s2]
    ("stiffest", "f8"),
    ("pace", "f8"),
    ("renewed", "i8"),  # 1: a law pushes otherwise at the last settled state than when it was evaluated
    ("noted", "i8"),  # how often columns were noted
    ("stage", "i8"),  # 1: looks are those of stages within a step, and no state is accepted from them
)
"""What the last evaluation says of all contacts together, and the steps up to now."""
NOTES_WIDTH = 3 * MEMORY_WIDTH
"""Numbers before the episodes: three rows of memory."""
contact_notes = record_opener(CONTACT_NOTES)
"""``contact_notes(contact_memory, 0)``: the first row of the memory of contacts."""


def records(dtype: np.dtype) -> Any:
    """Type of a table of rows."""
    return types.Array(types.from_dtype(dtype), 1)


Handle = Annotated[int, types.int64]
Floats1 = Annotated[np.ndarray, types.Array(types.float64, 1)]
Floats2 = Annotated[np.ndarray, types.Array(types.float64, 2)]
Floats3 = Annotated[np.ndarray, types.Array(types.float64, 3)]
Floats4 = Annotated[np.ndarray, types.Array(types.float64, 4)]
Integers1 = Annotated[np.ndarray, types.Array(types.int64, 1)]
Integers2 = Annotated[np.ndarray, types.Array(types.int64, 2)]
Bodies = Annotated[np.ndarray, records(BODY)]
BodySpans = Annotated[np.ndarray, records(BODY_SPAN)]
Markers = Annotated[np.ndarray, records(MARKER)]
Spans = Annotated[np.ndarray, records(SPAN)]


class Tables(NamedTuple):
    """All arrays of a run. The columns of ``markers``, ``jacobian`` and ``terms``: parts/kernel_types.py."""

    evaluate: Handle
    project_position: Handle
    correct_velocity: Handle
    share_load: Handle  # 0 where no row can be redundant
    push_contacts: Handle  # 0 without outlines that can touch
    settle_contacts: Handle
    contacts: Annotated[int, types.int64]  # address of the contact tables (dynamics/contact/tables.py)
    contact_state: Annotated[int, types.int64]  # first internal state of the contacts
    audit: Annotated[int, types.int64]  # first audit state, -1 without an audit
    # constants of the model
    bodies: Bodies  # 0 is the ground
    body_spans: BodySpans
    sides: Integers2  # (joint, side) of the joint sides, sorted by spans of bodies
    marker_table: Markers
    gravity: Floats1
    force_spans: Spans
    force_par: Floats2
    force_link: Integers2
    joint_spans: Spans
    joint_par: Floats2
    joint_link: Integers2
    exact_joints: Integers1
    compliant_joints: Integers1
    compliance: Floats3  # stiffness and damping, [joint, row]
    contact_markers: Integers2  # the four affine markers of every body with outlines (parts/affine.py)
    pairs: Integers2  # these four: dynamics/block_solver.py
    columns: Integers2
    subblocks: Integers2
    targets: Integers1
    # what parts keep
    data: Floats1
    inputs: Floats1
    force_memory: Floats2
    joint_memory: Floats2
    contact_memory: Floats2  # first a row CONTACT_NOTES, then episodes
    row_active: Floats2  # 1 for rows that act, [joint, row]
    choice: Floats2  # which redundant rows are left out: dynamics/redundancy.py; empty where none can be
    # state and rates: values is pose, velocity and states one after the other, rates likewise
    values: Floats1
    rates: Floats1
    pose: Floats2  # body b in row b - 1
    velocity: Floats2
    states: Floats1
    pose_rate: Floats2
    acceleration: Floats2
    state_rate: Floats1
    # what an evaluation fills
    rotation: Floats2  # of body b, row-major
    markers: Floats2
    wrench: Floats2  # force and torque at each marker, world
    jacobian: Floats4
    terms: Floats3
    weighted: Floats4  # Y, [joint, side, row, velocity]
    blocks: Floats3
    pivots: Floats3
    multipliers: Floats2
    weighted_force: Floats2  # f~ of body b
    # what is only looked at
    shared: Floats3  # scratch of the sharing of loads, [2, joint, row]
    marker_acceleration: Floats2  # acceleration and angular acceleration of each marker, world
    energy: Floats1  # kinetic, gravity, elastic
    event_values: Floats2  # row 0 at the start of a step, row 1 now; joints, forces, contacts; 1: nothing is watched


_TYPES = [hint.__metadata__[0] for hint in get_type_hints(Tables, include_extras=True).values()]

borrow = borrower(Tables, _TYPES)
"""``t = borrow(tables)``: the record behind the address that a kernel was given."""

body_spans_of = field_borrower(Tables, _TYPES, "body_spans")
evaluate_of = field_borrower(Tables, _TYPES, "evaluate")
"""The same for a single table."""

BODY_SIGNATURE = types.void(types.int64, types.int64, types.int64)
"""Kernels of a kind of bodies: (first, end, tables)."""

EVALUATE_SIGNATURE = types.float64(types.float64, types.boolean, types.int64)
"""(time, project, tables) -> smallest relative pivot; see :mod:`centrode.dynamics.evaluate`."""

PROJECT_SIGNATURE = types.float64(types.float64, types.int64, types.float64, types.int64)
"""(time, iterations, enough, tables) -> largest open row; see :mod:`centrode.dynamics.projection`."""

CORRECT_SIGNATURE = types.float64(types.float64, types.float64, types.int64)
"""(time, scale, tables) -> largest open row."""

SHARE_SIGNATURE = types.void(types.int64)
"""(tables); see :mod:`centrode.dynamics.redundancy`."""

PUSH_SIGNATURE = types.void(types.float64, types.int64)
"""(time, tables); see :mod:`centrode.dynamics.contact.collide`."""

SETTLE_SIGNATURE = types.int64(types.float64, types.int64)
"""(time, tables) -> 1 when the run loop has to look at the step; see :mod:`centrode.dynamics.contact.pulses`."""

call_body = call_by_address(BODY_SIGNATURE)
call_evaluate = call_by_address(EVALUATE_SIGNATURE)
call_project = call_by_address(PROJECT_SIGNATURE)
call_correct = call_by_address(CORRECT_SIGNATURE)
call_share = call_by_address(SHARE_SIGNATURE)
call_push = call_by_address(PUSH_SIGNATURE)
call_settle = call_by_address(SETTLE_SIGNATURE)


class PlainRow(np.record):  # type: ignore[misc]
    """A table row for kernels that run without the JIT: its field "data" is not hidden by numpy's own attribute."""

    @property
    def data(self) -> Any:  # type: ignore[override]
        return self["data"]


def as_records(table: np.ndarray) -> np.ndarray:
    """Record access by attribute, which kernels use, also when the JIT is off."""
    return table if JIT_ON else table.view(np.dtype((PlainRow, table.dtype)))
