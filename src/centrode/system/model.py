"""Model: a system as tables of numbers, built once and not changed afterwards.

``build_model`` places every part, sorts joints and forces by kind (so that one kernel call serves a kind), sorts
markers by body (so that one pass serves a body), and plans the factorisation. Names stay here; kernels see numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from itertools import product
from typing import Any

import numpy as np

from centrode.classes import dataclass
from centrode.dynamics.contact.contacts import Contacts
from centrode.dynamics.contact.setup import find_contacts
from centrode.dynamics.elimination import EliminationPlan, plan_elimination
from centrode.errors import Fault, InputError
from centrode.parts.affine import affine_markers
from centrode.parts.bodies.body import Body, BodyRow
from centrode.parts.forces.force import Force
from centrode.parts.joints.joint import Joint
from centrode.parts.kernel_notes import kernel_handle
from centrode.parts.kernel_types import (
    JOINT_BODY_A,
    JOINT_COMPLIANT,
    JOINT_DATA,
    JOINT_INPUT,
    JOINT_MARKER_A,
    JOINT_MARKER_C,
    JOINT_POINTS,
    JOINT_ROWS,
    LINK_DATA,
    LINK_INPUT,
    LINK_MARKER_COUNT,
    LINK_MARKERS,
    LINK_STATE,
    MEMORY_WIDTH,
)
from centrode.parts.placement import GROUND, MarkerPlace, Placement
from centrode.parts.points.point import Point
from centrode.parts.tables import BODY, BODY_SPAN, MARKER, SPAN
from centrode.system.builder import System
from centrode.system.scene import SystemScene
from centrode.system.start import started_bodies
from centrode.system.turns import count_with_joints

SPACE_BLOCKS = (3, 5, 6)
PLANE_BLOCKS = (2, 3)
"""Rows per joint block that are compiled; a system uses the smallest that holds its largest joint."""
PLANE_WIDTHS, SPACE_WIDTHS = (3,), (6, 12)
"""Velocities a body that kernels are compiled for ahead of time."""
SIDES = (2, 3)
"""Bodies a joint."""


def joint_sizes() -> list[tuple[int, int, int]]:
    """Every :attr:`Model.joint_size` that the kinds of the house can give."""
    plane, space = product(PLANE_WIDTHS, PLANE_BLOCKS, SIDES), product(SPACE_WIDTHS, SPACE_BLOCKS, SIDES)
    return [*plane, *space]


@dataclass
class Model:
    """Tables of a system. Treat as immutable; :class:`centrode.dynamics.workspace.Workspace` holds what changes."""

    system: System
    plane: bool
    gravity: np.ndarray
    velocity_width: int
    pose_width: int
    block_rows: int
    free: bool
    bodies: np.ndarray
    body_spans: np.ndarray
    body_names: list[str]
    body_parts: list[Body]
    body_rows: list[BodyRow]
    sides: np.ndarray
    markers: np.ndarray
    joints: list[Joint]
    joint_spans: np.ndarray
    joint_par: np.ndarray
    joint_link: np.ndarray
    joint_memory: np.ndarray
    joint_rows: np.ndarray
    joint_sides: int
    forces: list[Force]
    force_spans: np.ndarray
    force_par: np.ndarray
    force_link: np.ndarray
    force_memory: np.ndarray
    contacts: Contacts | None
    contact_markers: np.ndarray
    contact_state: int
    data: np.ndarray
    inputs: np.ndarray
    states: np.ndarray
    state_names: list[tuple[str, str, str]]
    sensors: dict[str, int]
    plan: EliminationPlan
    exact_joints: np.ndarray
    compliant_joints: np.ndarray
    pose: np.ndarray
    velocity: np.ndarray
    active_rows: list[list[float]] = field(default_factory=list)

    @property
    def joint_size(self) -> tuple[int, int, int]:
        """What kernels of the joints are compiled for: velocities a body, rows a joint block, bodies a joint."""
        return self.velocity_width, self.block_rows, self.joint_sides

    def joint_bodies(self, j: int) -> list[int]:
        """Rows in the body table of the bodies of a joint: a, b, and the carrier where some joint has one."""
        return [int(b) for b in self.joint_link[j, JOINT_BODY_A : JOINT_BODY_A + self.joint_sides]]

    @property
    def body_count(self) -> int:
        """Moving bodies."""
        return len(self.body_names) - 1

    @property
    def value_count(self) -> int:
        """Length of the flat state."""
        return self.body_count * (self.pose_width + self.velocity_width) + self.states.size

    def body_index(self, name: str) -> int:
        """Row of a body in the body table (0 is the ground)."""
        return self.body_names.index(name)

    def body_motion(self, name: str) -> tuple[Body, BodyRow, int]:
        """A moving body: the part, how the engine stores it, and its row of pose and velocity."""
        slot = self.body_index(name) - 1
        return self.body_parts[slot], self.body_rows[slot], slot

    def joint_index(self, name: str) -> int:
        """Row of a joint in the joint tables."""
        return [joint.name for joint in self.joints].index(name)

    def force_index(self, name: str) -> int:
        """Row of a force in the force tables."""
        return [force.name for force in self.forces].index(name)


def build_model(system: System, hard_contacts: bool = False) -> Model:
    """Place all parts of a system and pack them into tables.

    Args:
        system: the parts.
        hard_contacts: the method holds outlines apart by impulses; otherwise contact laws push them.

    Raises:
        InputError: with every fault found.
    """
    scene = SystemScene(system)
    bodies = [part for part in system.parts.values() if isinstance(part, Body)]
    if not bodies:
        raise InputError("a system needs at least one body", path="bodies", hint="; ".join(system.notes[-1:]))
    user_joints = [part for part in system.parts.values() if isinstance(part, Joint)]
    joints = sorted_by_kind(user_joints)
    forces = sorted_by_kind([part for part in system.parts.values() if isinstance(part, Force)])
    contacts = find_contacts(system, scene, hard_contacts)
    faults: list[Fault] = []
    placed_joints = _place_all(joints, scene, faults)
    placed_forces = _place_all(forces, scene, faults)
    if system.plane:
        for part in joints:
            if part.plane_rows == 0:
                faults.append(Fault(f"a {part.kind} joint has no meaning in a plane system", part.name))
        for force in forces:
            if not force.works_in_plane:
                faults.append(Fault(f"a {force.kind} has no meaning in a plane system", force.name))
    if faults:
        raise InputError(faults)

    names = [GROUND, *(body.name for body in bodies)]
    started = started_bodies(bodies, user_joints, scene)
    rows = [_row_of(body) for body in started]
    packer = _Packer(names, rows, scene)
    joint_par, joint_link, joint_memory = packer.joint_tables(joints, placed_joints, system.plane)
    force_par, force_link, force_memory = packer.force_tables(forces, placed_forces)
    count_with_joints(forces, force_memory, joints, joint_memory)
    contact_markers, contact_state = packer.contact_tables(contacts)
    sensors = packer.sensor_markers(system)
    markers, body_table = packer.finish(bodies)
    for table, column, width in (
        (joint_link, JOINT_MARKER_A, 3),
        (force_link, LINK_MARKERS, None),
        (contact_markers, 0, None),
    ):
        packer.renumber(table, column, width)
    sensors = {name: packer.new_number[old] for name, old in sensors.items()}

    largest = max([1, *joint_link[:, JOINT_ROWS].tolist()])
    blocks = PLANE_BLOCKS if system.plane else SPACE_BLOCKS
    exact = [j for j, joint in enumerate(joints) if not joint.compliant]
    compliant = [j for j, joint in enumerate(joints) if joint.compliant]
    _mark_points(joints, bodies, joint_link, system.plane)
    body_spans, sides = _body_spans(bodies, joint_link, exact, compliant)
    pose_width = max(body.pose_width for body in bodies)
    velocity_width = max(body.velocity_width for body in bodies)
    pose, velocity = np.zeros((len(bodies), pose_width)), np.zeros((len(bodies), velocity_width))
    for slot, (body, row) in enumerate(zip(started, rows, strict=True)):
        pose[slot, : body.pose_width], velocity[slot, : body.velocity_width] = body.start(row)
    return Model(
        system=system,
        plane=system.plane,
        gravity=np.array(system.gravity, dtype=float),
        velocity_width=velocity_width,
        pose_width=pose_width,
        block_rows=min(size for size in blocks if size >= largest),
        free=markers.size == 0 and all(type(body).fall_kernel is not None for body in bodies),
        bodies=body_table,
        body_spans=body_spans,
        body_names=names,
        body_parts=bodies,
        body_rows=rows,
        sides=sides,
        markers=markers,
        joints=joints,
        joint_spans=_spans(joints),
        joint_par=joint_par,
        joint_link=joint_link,
        joint_memory=joint_memory,
        joint_rows=joint_link[:, JOINT_ROWS].copy(),
        joint_sides=max([2, *(len(place.markers) for place in placed_joints)]),
        forces=forces,
        force_spans=_spans(forces),
        force_par=force_par,
        force_link=force_link,
        force_memory=force_memory,
        contacts=contacts,
        contact_markers=contact_markers,
        contact_state=contact_state,
        data=np.array(packer.data or [0.0]),
        inputs=np.array(packer.inputs or [0.0]),
        states=np.array(packer.states, dtype=float),
        state_names=packer.state_names,
        sensors=sensors,
        plan=plan_elimination(
            len(joints),
            exact,
            joint_link[:, JOINT_BODY_A : JOINT_BODY_A + 3].tolist(),
            joint_link[:, JOINT_POINTS].tolist(),
        ),
        exact_joints=np.array(exact, dtype=np.int64),
        compliant_joints=np.array(compliant, dtype=np.int64),
        pose=pose,
        velocity=velocity,
        active_rows=[joint.initial_active_rows(scene) for joint in joints],
    )


def sorted_by_kind(parts: list[Any]) -> list[Any]:
    """Parts of one kind together, kinds in order of first appearance: the result depends on the input alone."""
    order: dict[type, list[Any]] = {}
    for part in parts:
        order.setdefault(type(part), []).append(part)
    return [part for group in order.values() for part in group]


def _place_all(parts: list[Any], scene: SystemScene, faults: list[Fault]) -> list[Placement]:
    placed = []
    for part in parts:
        try:
            placed.append(part.place(scene))
            for numbers in (placed[-1].par, placed[-1].data):
                if np.asarray(numbers, dtype=float).ndim != 1:
                    raise TypeError
        except (TypeError, ValueError):
            what = "the parameters that this kind passes on are not numbers"
            expected = "a list of numbers from place() or parameters()"
            faults.append(Fault(what, part.name, got=part.kind, expected=expected))
        except InputError as error:
            faults += error.faults
    return placed


def _row_of(body: Body) -> BodyRow:
    """How the engine stores a body.

    Raises:
        InputError: the kind gives something else.
    """
    row = body.row()
    shapes = {"inertia": (3,), "centre": (3,), "axes": (3, 3), "velocity": (3,), "omega": (3,)}
    if not isinstance(row, BodyRow) or not isinstance(row.data, tuple):
        expected = "a BodyRow, with a tuple of numbers as its data"
        raise InputError(f"'row' of the body '{body.name}' gives no row", path=body.name, got=row, expected=expected)
    for name, shape in shapes.items():
        value = vars(row)[name]
        if np.shape(value) != shape:
            what = f"'{name}' of the row of '{body.name}' has another shape"
            raise InputError(what, path=body.name, got=value, expected=f"an array of shape {shape}")
    return row


def _runs(parts: Sequence[Any]) -> list[tuple[int, int]]:
    """First and end of every run of parts of one kind."""
    firsts = [i for i, part in enumerate(parts) if i == 0 or type(part) is not type(parts[i - 1])]
    return list(zip(firsts, [*firsts[1:], len(parts)], strict=False))


def _spans(parts: Sequence[Any]) -> np.ndarray:
    """First element and number of elements of every kind present; the kernels are found when a run begins."""
    spans = np.zeros(len(_runs(parts)), dtype=SPAN)
    for span, (first, end) in zip(spans, _runs(parts), strict=True):
        span["first"], span["count"] = first, end - first
    return spans


def _body_spans(
    bodies: list[Body], joint_link: np.ndarray, exact: list[int], compliant: list[int]
) -> tuple[np.ndarray, np.ndarray]:
    """Runs of bodies of one kind, and the joint sides of each run."""
    spans = np.zeros(len(_runs(bodies)), dtype=BODY_SPAN)
    sides: list[tuple[int, int]] = []
    for span, (first, end) in zip(spans, _runs(bodies), strict=True):
        span["first"], span["end"] = first + 1, end + 1
        for joints, what in ((exact, "side"), (compliant, "soft")):
            span[f"first_{what}"] = len(sides)
            sides += [(j, s) for j in joints for s in range(3) if first < joint_link[j, JOINT_BODY_A + s] <= end]
            span[f"end_{what}"] = len(sides)
    return spans, np.array(sides, dtype=np.int64).reshape(-1, 2)


def with_kernels(spans: np.ndarray, parts: Sequence[Any], names: dict[str, str]) -> np.ndarray:
    """Spans with handles of the kernels that their kinds declare, 0 for none.

    Args:
        names: field of the span -> class attribute of the kind.
    """
    found = spans.copy()
    for span, (first, _) in zip(found, _runs(parts), strict=True):
        for field_name, attribute in names.items():
            span[field_name] = kernel_handle(parts[first], attribute)
    return found


def _mark_points(joints: Sequence[Joint], bodies: Sequence[Body], link: np.ndarray, plane: bool) -> None:
    """Note the joints whose weighed rows are those of points that coincide: the stages then leave out known zeros."""
    kernel = "plane_kernel" if plane else "spatial_kernel"
    scalar = [True, *(_declared_beside(body, "weigh_rows_kernel", "scalar_mass") for body in bodies)]
    for joint, row in zip(joints, link, strict=False):
        all_scalar = all(scalar[b] for b in row[JOINT_BODY_A : JOINT_BODY_A + 3])
        row[JOINT_POINTS] = int(all_scalar and _declared_beside(joint, kernel, "joins_points"))


def _declared_beside(part: Joint | Body, kernel: str, name: str) -> bool:
    """What the very class that has this kernel declares."""
    owner = next(cls for cls in type(part).__mro__ if kernel in vars(cls))
    return bool(vars(owner).get(name, False))


def fill_body_record(record: Any, row: BodyRow) -> None:
    """Masses of a body and their roots into its record of the body table."""
    record["mass"], record["weight_mass"] = row.mass, row.weight_mass
    record["weight_share"] = row.weight_mass / row.mass
    record["root_mass"] = np.sqrt(row.mass)
    record["inverse_root_mass"] = 1.0 / np.sqrt(row.mass)
    record["inertia"] = row.inertia
    record["root_inertia"] = np.sqrt(row.inertia)
    with np.errstate(divide="ignore", invalid="ignore"):
        record["inverse_root_inertia"] = np.where(row.inertia > 0, 1.0 / np.sqrt(row.inertia), 0.0)
        differences = np.roll(row.inertia, -1) - np.roll(row.inertia, -2)
        record["gyration"] = np.where(row.inertia > 0, differences / row.inertia, 0.0)


class _Packer:
    """Collects markers, parameters, data, states and inputs of all parts, then sorts markers by body."""

    def __init__(self, names: list[str], rows: list[BodyRow], scene: SystemScene) -> None:
        self.names = names
        self.rows = rows
        self.scene = scene
        self.index = {name: i for i, name in enumerate(names)}
        self.data: list[float] = []
        self.inputs: list[float] = []
        self.states: list[float] = []
        self.state_names: list[tuple[str, str, str]] = []
        self.places: list[tuple[MarkerPlace, int]] = []
        self.new_number: list[int] = []
        self.shared: dict[bytes, int] = {}

    def offset_of(self, table: np.ndarray) -> int:
        """Place in the pool of a table that many parts read; it is kept once."""
        key = table.tobytes()
        if key not in self.shared:
            self.shared[key] = len(self.data)
            self.data += [float(x) for x in table.ravel()]
        return self.shared[key]

    def marker(self, place: MarkerPlace, carries_force: bool) -> int:
        self.places.append((place, int(carries_force)))
        return len(self.places) - 1

    def joint_tables(self, joints: list[Any], placed: list[Placement], plane: bool) -> tuple[np.ndarray, ...]:
        width = max([1, *(len(p.par) for p in placed)])
        par = np.zeros((max(1, len(joints)), width))
        link = np.zeros((max(1, len(joints)), JOINT_POINTS + 1), dtype=np.int64)
        memory = np.zeros((max(1, len(joints)), MEMORY_WIDTH))
        for j, (joint, place) in enumerate(zip(joints, placed, strict=True)):
            par[j, : len(place.par)] = place.par
            memory[j, : len(place.memory)] = place.memory
            for side, where in enumerate(place.markers):
                link[j, JOINT_MARKER_A + side] = self.marker(where, joint.compliant)
                link[j, JOINT_BODY_A + side] = self.index[where.body]
            if len(place.markers) == 2:  # a third marker that no row moves and no wrench is written to
                link[j, JOINT_MARKER_C] = link[j, JOINT_MARKER_A]
            link[j, JOINT_DATA] = len(self.data)
            link[j, JOINT_INPUT] = len(self.inputs)
            link[j, JOINT_ROWS] = joint.plane_rows if plane else joint.rows
            link[j, JOINT_COMPLIANT] = int(joint.compliant)
            self.data += [float(x) for x in place.data]
            for slot, table in place.shared.items():
                self.data[int(link[j, JOINT_DATA]) + slot] = float(self.offset_of(table))
            self.inputs += [float(x) for x in place.inputs]
        return par[: len(joints)], link[: len(joints)], memory[: len(joints)]

    def force_tables(self, forces: list[Any], placed: list[Placement]) -> tuple[np.ndarray, ...]:
        width = max([1, *(len(p.par) for p in placed)])
        markers = max([1, *(len(p.markers) for p in placed)])
        par = np.zeros((len(forces), width))
        link = np.full((len(forces), LINK_MARKERS + markers), -1, dtype=np.int64)
        memory = np.zeros((len(forces), MEMORY_WIDTH))
        for i, (force, place) in enumerate(zip(forces, placed, strict=True)):
            par[i, : len(place.par)] = place.par
            memory[i, : len(place.memory)] = place.memory
            link[i, LINK_MARKER_COUNT] = len(place.markers)
            link[i, LINK_STATE] = len(self.states)
            link[i, LINK_DATA] = len(self.data)
            link[i, LINK_INPUT] = len(self.inputs)
            for k, where in enumerate(place.markers):
                link[i, LINK_MARKERS + k] = self.marker(where, True)
            self.data += [float(x) for x in place.data]
            for slot, table in place.shared.items():
                self.data[int(link[i, LINK_DATA]) + slot] = float(self.offset_of(table))
            self.inputs += [float(x) for x in place.inputs]
            for k, value in enumerate(place.states):
                name, unit = place.state_names[k] if k < len(place.state_names) else (f"state{k}", "1")
                self.state_names.append((force.name, name, unit))
                self.states.append(float(value))
        return par, link, memory

    def contact_tables(self, contacts: Contacts | None) -> tuple[np.ndarray, int]:
        """Markers of every body with outlines, and the first internal state of the contacts."""
        first = len(self.states)
        if contacts is None:
            return np.zeros((0, 4), dtype=np.int64), first
        self.state_names += contacts.states()
        self.states += [0.0] * len(contacts.states())
        places = [affine_markers(*item) for item in zip(contacts.bodies[1:], contacts.centres[1:], strict=True)]
        markers = [[self.marker(place, True) for place in four[: contacts.markers_of_body]] for four in places]
        return np.array(markers, dtype=np.int64), first

    def sensor_markers(self, system: System) -> dict[str, int]:
        points = [part for part in system.parts.values() if isinstance(part, Point) and part.sensor]
        return {point.name: self.marker(MarkerPlace(point.body, *point.local()), False) for point in points}

    def finish(self, parts: list[Body]) -> tuple[np.ndarray, np.ndarray]:
        """Markers sorted by body, and the body table."""
        order = sorted(range(len(self.places)), key=lambda m: (self.index[self.places[m][0].body], m))
        self.new_number = [0] * len(order)
        for new, old in enumerate(order):
            self.new_number[old] = new
        markers = np.zeros(len(order), dtype=MARKER)
        bodies = np.zeros(len(self.names), dtype=BODY)
        for new, old in enumerate(order):
            place, carries_force = self.places[old]
            b = self.index[place.body]
            centre, axes = (np.zeros(3), np.eye(3)) if b == 0 else (self.rows[b - 1].centre, self.rows[b - 1].axes)
            markers[new]["body"] = b
            markers[new]["carries_force"] = carries_force
            markers[new]["with_frame"] = int(place.frame is not None)
            markers[new]["position"] = axes.T @ (place.position - centre)
            markers[new]["frame"] = (axes.T @ (np.eye(3) if place.frame is None else place.frame)).ravel()
        firsts = np.searchsorted(markers["body"], np.arange(len(self.names) + 1))
        bodies["first_marker"], bodies["end_marker"] = firsts[:-1], firsts[1:]
        for record, part, row in zip(bodies[1:], parts, self.rows, strict=True):
            mine = markers[record["first_marker"] : record["end_marker"]]
            record["coordinates"], record["velocities"] = part.coordinates, part.velocity_width
            record["data"] = len(self.data)
            self.data += [float(x) for x in row.data]
            with_axes = bool(np.any(mine["with_frame"]))
            record["frames_needed"] = 2 if with_axes else int(mine.size > 0 or bool(row.data))
            fill_body_record(record, row)
        return markers, bodies

    def renumber(self, table: np.ndarray, first: int, width: int | None) -> None:
        end = table.shape[1] if width is None else first + width
        for i in range(table.shape[0]):
            for c in range(first, end):
                if table[i, c] >= 0:
                    table[i, c] = self.new_number[table[i, c]]
