"""Hard contacts of a system, as the model keeps them and as the run loop asks them.

They stand in the place of the contacts that laws push (:class:`centrode.dynamics.contact.contacts.Contacts`) when the
method of a run solves contacts itself: the same outlines, materials and pairs, friction and restitution of the same
laws, the same names of channels and events.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from centrode.dynamics.contact.collision import XYZ
from centrode.dynamics.contact.contacts import NO_LAW, Contacts, missing_touches
from centrode.dynamics.contact.resolution import COARSE
from centrode.dynamics.contact.search import ROOM
from centrode.dynamics.contact.tables import TOUCH
from centrode.dynamics.events import Happened
from centrode.dynamics.hard.solve import Sweeps
from centrode.dynamics.hard.stage import push_mean_forces
from centrode.dynamics.hard.tables import HEAD, NEAR, POINT, SEEN, SOLID, TOO_DEEP, HardBlock, HardTables, Shape, Size
from centrode.errors import Fault, InputError, RunStop
from centrode.jit import step_kernel
from centrode.parts.bodies.body import Body
from centrode.parts.kernel_types import MEMORY_WIDTH
from centrode.parts.outlines.height_field import OutlineHeightField
from centrode.parts.outlines.outline import PLACED, Corners, Curved, Outline
from centrode.parts.tables import NOTES_WIDTH, SETTLE_SIGNATURE

if TYPE_CHECKING:
    from centrode.dynamics.workspace import Workspace
    from centrode.system.builder import System

SLOP = 1e-3
"""Overlap in parts of the thinner half-width that is left alone: less than a hundredth of what is too deep."""
LISTED = 0.2
"""Margin of the list of pairs in parts of the mean bounding radius."""
MISSED = 0.005
"""Energy of rebounds that were left out, in parts of what passed through contacts, from which on a reader is told.
About as much again is lost in the step that follows, which meets what is left of the approach: 1 % in all."""
AT_ONCE = 0.05
"""The same in parts of what passed in one step at most: in a long run much passes. Chosen."""
SHARED = 0.05
"""Energy that hits gave to contacts that were there before, in parts of what passed through contacts, from which on a
reader is told; not of piles, where it is so all the time."""
OWN = 0.5 * COARSE
"""Of the energy that contacts carry from body to body, what the method may make: it has order one, and impulses of a
step act along the normals of its middle, where what turns with w passes on w h / 2 too much or too little. With the
twenty steps to half a turn that a contact asks for this is (pi / 20) / 2, as in (3) of :mod:`recording.audit`."""
SURE = 0.9
"""Of the step that just sees hits one after the other, what is named: two digits round up by a twentieth at most."""


@step_kernel(signature=SETTLE_SIGNATURE)
def nothing_to_settle(time, tables):
    """Hard contacts note everything in the step itself."""
    return 0


@dataclass(frozen=True)
class HardContacts(Contacts):
    """Outlines of a system that can touch, held apart by impulses.

    Attributes:
        engine_bodies: names of all bodies in the order of the engine, the ground first.
        start: tables of hard contacts as they are at the start of a run.
        lifted: weight of every body times the overlap that is left alone, together [J].
    """

    engine_bodies: tuple[str, ...]
    start: HardTables
    lifted: float

    push_kernel = staticmethod(push_mean_forces)
    settle_kernel = staticmethod(nothing_to_settle)
    markers_of_body = 1

    def states(self) -> list[tuple[str, str, str]]:
        return [
            *((carrier, f"impulse_{c}", "N*s") for carrier in self.carriers for c in XYZ),
            (self.name, "heat", "J"),
            (self.name, "heat_friction", "J"),
            (self.name, "heat_step", "J"),
        ]

    def shown_pairs(self) -> list[tuple[int, int]]:
        return []  # a step leaves the impulse on each body, not that of each pair

    def law_notes(self) -> list[str]:
        if any(law.name == NO_LAW for law in self.laws):
            law = self.laws[0]
            return [f"no contact law: hard contacts with friction {law.friction:g} and without rebound"]
        return []

    def memory(self) -> np.ndarray:
        return np.zeros((NOTES_WIDTH // MEMORY_WIDTH + Size.FORCE_ROWS * len(self.carriers), MEMORY_WIDTH))

    def block(self) -> HardBlock:
        return HardBlock(self.start)

    def begin(self, workspace: Workspace, time: float) -> None:
        """Nothing touches before the first step."""

    def settle(self, workspace: Workspace, time: float) -> None:
        """Nothing to note beside a step."""

    def largest_step(self, workspace: Workspace) -> float:
        return 1e3

    def passing(self, workspace: Workspace) -> None:
        """No pair: targets of the velocities keep outlines from passing through each other within a step."""

    def touching(self, workspace: Workspace, outlines: tuple[int, int]) -> bool:
        return False

    def nearest_contact(self, workspace: Workspace, body: str) -> tuple[str, float]:
        return f"'{body}'", np.inf

    def thinnest(self) -> float:
        """Least half-width of an outline that moves [m]."""
        rows = self.tables.outlines
        return float(rows["thickness"][rows["body"] > 0].min())

    def lift(self, workspace: Workspace) -> float:
        head = hard_block(workspace).tables.head[0]
        return self.lifted + float(head.cleared + head.left + OWN * head.carried)

    def unbelievable(self, workspace: Workspace) -> RunStop | None:
        """Why a run cannot be believed: an overlap deeper than TOO_DEEP of the thinner outline."""
        head = hard_block(workspace).tables.head[0]
        if not head.deepest_ever > TOO_DEEP:
            return None
        names = " and ".join(f"'{self.engine_bodies[k]}'" for k in (head.deep_a, head.deep_b))
        drives = [f"'{name}'" for name in self._drives_of(workspace, {int(head.deep_a), int(head.deep_b)} - {0})]
        return RunStop(
            "bodies overlap",
            float(head.deep_time),
            f"{names}: {head.deep_depth:.2g} m, {head.deepest_ever:.2g} of the thinner one's half-width",
            "take a shorter step" + (f", or see whether {' and '.join(drives)} can move on" if drives else ""),
            {"depth": float(head.deep_depth), "share": float(head.deepest_ever)},
        )

    def _drives_of(self, workspace: Workspace, pressed: set[int]) -> list[str]:
        """Joints that move now and hold some of these bodies, directly or through others."""
        solids, model = hard_block(workspace).tables.solids, workspace.model
        clusters = {int(solids[b].cluster) for b in pressed} - {-1}
        return [
            model.joints[j].name
            for j in model.exact_joints.tolist()
            if workspace["terms"][j, :, 1].any()
            and clusters & {int(solids[b].cluster) for b in model.joint_bodies(j) if b > 0}
        ]

    def why_blocked(self, workspace: Workspace, time: float) -> RunStop:
        """What a run says in which bodies are driven into each other: the drives, the bodies, what to do."""
        t = hard_block(workspace).tables
        head = t.head[0]
        pressed = {int(head.blocked_a), int(head.blocked_b)} - {0}
        if head.blocked:  # several points together: all that touch each other
            parents = t.solids["parent"].tolist()
            roots = {root_among(parents, b) for b in pressed}
            pressed = {b for b in range(1, len(parents)) if root_among(parents, b) in roots}
        drives = self._drives_of(workspace, pressed)
        a, b = (self.engine_bodies[k] for k in (head.blocked_a, head.blocked_b))
        by = " and ".join(f"'{name}'" for name in drives) or "joints"
        return RunStop(
            "a drive is blocked",
            time,
            f"{by} would move '{a}' and '{b}' into each other, {head.blocked_depth:.2g} m in the next step",
            "a motion takes whatever force it needs: let it end before the stop, or drive by a force that has a limit "
            "(motor, servo, or a spring in between)",
            {"depth": float(head.blocked_depth)},
        )

    def drain(self, workspace: Workspace, at_end: bool = False) -> list[Happened]:
        t = hard_block(workspace).tables
        head = t.head[0]
        found = [self._touch(row) for row in t.touches[: head.touch_count]]
        if head.lost > 0:
            found.append((float(t.touches[-1].time), "note", missing_touches(int(head.lost)), {"n": float(head.lost)}))
        if head.clearing == 2.0:  # what the start asked for is undone
            told = "bodies that stood in each other at the start were shifted apart, which lifted them"
            found.append((float(head.clear_time), "note", told, {"work": float(head.cleared)}))
            head.clearing = 0.0
        head.touch_count = head.lost = 0
        if at_end and head.unsolved > 0.0:
            told = (
                f"{head.unsolved:.0f} time{'s' if head.unsolved > 1.0 else ''} contacts were not solved to the end, "
                f"first at {head.unsolved_time:.4g} s (velocities still changed by up to {head.residual:.1g} m/s in a "
                "sweep): what friction should hold may slip; compare with dop853, or take other masses"
            )
            found.append((float(head.unsolved_time), "note", told, {"n": float(head.unsolved)}))
        tellable = min(MISSED * head.passed_ever, AT_ONCE * head.passed_most)
        if at_end and head.missed > tellable:
            told = (
                "bodies that were hit hit the next ones in the same step, which leaves no rebound there: "
                f"{head.missed:.2g} J or more were lost so; steps of {SURE * head.missed_step:.2g} s or less see "
                "one hit after the other"
            )
            found.append((float(head.missed_time), "note", told, {"energy": float(head.missed)}))
        if at_end and head.cramped > tellable:
            a, b = (self.engine_bodies[k] for k in (head.cramped_a, head.cramped_b))
            told = (
                f"bodies had no room for a rebound within a step ({a} - {b}, first at {head.cramped_time:.4g} s) and "
                f"were hit without one: {head.cramped:.2g} J were lost so; take steps that are short for the gaps over "
                "the speed, or a restitution of 0"
            )
            found.append((float(head.cramped_time), "note", told, {"energy": float(head.cramped)}))
        if at_end and head.shared > SHARED * head.passed_ever and head.points <= Sweeps.FEW:
            a, b = (self.engine_bodies[k] for k in (head.shared_a, head.shared_b))
            told = (
                f"bodies that touched already were hit by way of each other ({a} - {b} at {head.shared_time:.4g} s): "
                "all that touch are hit at once and go on with one speed, which no restitution of a pair decides; for "
                "hits one after the other leave gaps longer than speed times step"
            )
            found.append((float(head.shared_time), "note", told, {"energy": float(head.shared)}))
        return found

    def _touch(self, touch: np.record) -> Happened:
        a, b = (self.engine_bodies[k] for k in touch.bodies)
        values = {
            "parting_speed" if touch.ends else "closing_speed": float(touch.speed),
            **{f"point_{c}": float(touch.point[k]) for k, c in enumerate(XYZ)},
            **{f"normal_{c}": float(touch.normal[k]) for k, c in enumerate(XYZ)},
        }
        return float(touch.time), "contact end" if touch.ends else "contact begin", f"{a} - {b}", values


def root_among(parents: list[int], b: int) -> int:
    """Representative of a body's island."""
    while parents[b] != b:
        b = parents[b]
    return b


def hard_block(workspace: Workspace) -> HardBlock:
    """The tables of hard contacts of a run that has them."""
    assert isinstance(workspace.contacts, HardBlock)
    return workspace.contacts


def shape_of(outline: np.record) -> Shape:
    """What an outline row is to the narrow phase."""
    if outline.half_space:
        return Shape.PLANE
    ball = outline.curved == Curved.SUPERELLIPSOID and outline.exponent == 2.0
    a, b, c = outline.semi_axes
    if ball and outline.corners == Corners.NONE and a == b == c:
        return Shape.SPHERE
    if outline.corners == Corners.BOX and outline.curved == Curved.NONE:
        return Shape.BOX
    if outline.corners == Corners.POINTS and outline.curved == Curved.NONE:
        return Shape.HULL
    if ball and outline.corners == Corners.BOX and a == b and not outline.half_lengths[:2].any():
        return Shape.CAPSULE if a == c else Shape.CYLINDER
    return Shape.OTHER


def harden(contacts: Contacts, system: System, outlines: list[Outline]) -> HardContacts:
    """The contacts of a system as hard ones.

    Raises:
        InputError: a law has no coefficient of restitution, or something touches a road.
    """
    t = contacts.tables
    faults = [
        Fault("hard contacts need a coefficient of restitution", law.name, got=law.kind,
              expected="a law of kind hard or restitution", hint="or take another method, which lets the law push")
        for law in contacts.laws
        if law.hard_restitution() is None
    ]  # fmt: skip
    if (t.outlines["surface"] > 0).any():
        faults.append(Fault("hard contacts know no roads", "run.method", hint="let an outline 'plane' be the ground"))
    bodies = [part for part in system.parts.values() if isinstance(part, Body)]
    deforming = [body.name for body in bodies if body.elasticity()]
    if deforming:
        faults.append(Fault("hard contacts are for rigid bodies", deforming[0], hint="or take another method"))
    if faults:
        raise InputError(faults)
    names = (contacts.bodies[0], *(body.name for body in bodies))
    index = [names.index(name) for name in contacts.bodies]
    rows = t.outlines.copy()
    rows["flat_ended"] = 0  # it finds the points of flat ends itself
    turns = [np.eye(3), *(body.row().axes for body in bodies)]
    solids = np.zeros(len(names), SOLID)
    for row in rows:
        row.body = index[row.body]
        turn = turns[row.body]
        row.centre = turn.T @ row.centre
        row.axes = row.axes @ turn  # rows are axes: turn^T applied to each
        if np.isfinite(row.radius):
            solids[row.body].extent = max(solids[row.body].extent, np.linalg.norm(row.centre) + row.radius)
        if np.isfinite(row.radius) and (shape_of(row) is not Shape.SPHERE or row.centre.any()):
            solid = solids[row.body]
            solid.radius = max(solid.radius, np.linalg.norm(row.centre) + row.radius)
    solids["cluster"] = -1
    heights, shapes = [np.zeros(1)], [shape_of(row) for row in rows]
    for k, item in enumerate(outlines):
        if isinstance(item, OutlineHeightField):
            rows[k].own[4] = sum(map(len, heights))
            heights.append(item.grid().ravel())
            shapes[k] = Shape.FIELD
    laws = np.array([(law.friction, law.hard_restitution() or 0.0) for law in contacts.laws])
    pairs = [divmod(code, len(contacts.bodies)) for code in t.excluded.tolist()]
    excluded = sorted(min(index[i], index[j]) * len(names) + max(index[i], index[j]) for i, j in pairs)
    count = len(rows)
    most = max(1, int(np.ceil((4.0 * count) ** (1.0 / 3.0))))
    cells = np.zeros((4, max(count + 1, most**3 + 3)), dtype=np.int64)
    cells[3, -1] = most
    head = np.zeros(1, HEAD)
    bounded = rows["radius"][np.isfinite(rows["radius"])]
    head["fresh"], head["clearing"], head["slop"], head["margin"] = (
        1,
        1,
        SLOP,
        LISTED * (bounded.mean() if bounded.size else 0.0),
    )
    start = HardTables(
        closest=t.closest,
        outline_kernels=t.outline_kernels,
        head=head,
        room=np.zeros(1, ROOM),
        outlines=rows,
        shapes=np.array(shapes, dtype=np.int64),
        points=t.points,
        faces=t.faces,
        laws=laws[t.law_of],
        excluded=np.array(excluded, dtype=np.int64),
        placed=np.zeros(count, PLACED),
        listed=np.zeros((count, 4)),
        boxes=np.zeros((count, 6)),
        cells=cells,
        solids=solids,
        seen=np.zeros(2 * Size.CORNERS, SEEN),
        polygons=np.zeros((3, Size.CORNERS, 3)),
        heights=np.concatenate(heights),
        clusters=np.zeros((0, 3), dtype=np.int64),
        members=np.zeros(1, dtype=np.int64),
        responses=np.zeros((1, 1, 24)),
        codes=np.zeros((8 * count, 2), dtype=np.int64),
        near=np.zeros(8 * count, NEAR),
        near_old=np.zeros(8 * count, NEAR),
        contacts=np.zeros(8 * count, POINT),
        order=np.zeros(8 * count, dtype=np.int64),
        island_first=np.zeros(8 * count, dtype=np.int64),
        touches=np.zeros(64 + 8 * len(names), TOUCH),
        dense=np.zeros((3, 3 * Size.AT_ONCE, 3 * Size.AT_ONCE)),
    )
    thinnest = [rows["thickness"][rows["body"] == b].min(initial=np.inf) for b in range(1, len(names))]
    weights = [body.row().weight_mass * float(np.linalg.norm(system.gravity)) for body in bodies]
    lifted = sum(SLOP * thin * weight for thin, weight in zip(thinnest, weights, strict=True) if np.isfinite(thin))
    return HardContacts(**vars(contacts), engine_bodies=names, start=start, lifted=lifted)
