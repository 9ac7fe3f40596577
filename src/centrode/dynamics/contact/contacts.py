"""All contacts of a system, as the model keeps them and as the run loop asks them.

Kernels: :mod:`collide` (forces, a stage of the evaluation) and :mod:`pulses` (what is noted at accepted states); how
they come about: :mod:`setup`; what is done when outlines would pass through each other: :mod:`guard` and
:mod:`centrode.methods.advance`.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from centrode.classes import dataclass
from centrode.dynamics.contact.collide import push_contacts
from centrode.dynamics.contact.collision import (
    BEFORE,
    GOES_ON,
    XYZ,
    by_other_forces,
    collision_of,
    forces_beside,
    named_values,
    relative_speed,
    restitution_of,
)
from centrode.dynamics.contact.cores import Cores
from centrode.dynamics.contact.damage import tell_open_damage
from centrode.dynamics.contact.guard import (
    STEPS_PER_CONTACT,
    STIFF,
    Passing,
    contact_time,
    find_passing,
    stop_at,
)
from centrode.dynamics.contact.pulses import look, settle_contacts
from centrode.dynamics.contact.resolution import COARSE, STEPS_TAKEN, resolving_step
from centrode.dynamics.contact.strip_tables import COLUMN_WIDTH
from centrode.dynamics.contact.tables import AFTER, EPISODE, EPISODE_WIDTH, HIDDEN, ContactBlock, ContactTables
from centrode.dynamics.events import Happened
from centrode.errors import PASSAGE, RunError, RunStop
from centrode.parts.contact_laws.contact_law import ACTIVE, PRESSED, ContactLaw
from centrode.parts.contact_laws.hunt_crossley import LEAST_RESTITUTION
from centrode.parts.kernel_types import MEMORY_WIDTH
from centrode.parts.tables import CONTACT_NOTES, NOTES_WIDTH

if TYPE_CHECKING:
    from centrode.dynamics.hard.tables import HardBlock
    from centrode.dynamics.workspace import Workspace

NO_LAW = "no law"
"""Name of the law of hard contacts where none is given."""
DEEP = 0.2
FAINT = 0.01
"""Bodies that go on closing after a hit, restitution below GOES_ON, were deeper in each other than the first, in
parts of the half-widths of both together (their thinnest ones): they passed through. A side that is scraped is less.
Dents that brush each other while bodies part change the velocity of the lighter one by less than the second [m/s]."""

MOST_PAIRS = 15.0
"""Pairs of bodies up to which forces are recorded pair by pair: all of five bodies and the ground. More would be seen
by nobody, and a recording grows with each; what acts on a body is always recorded."""
STATE_MEANINGS = {
    **{f"impulse_{c}": "of all contact forces on the body since the start, world" for c in XYZ},
    "heat": "taken by all contacts since the start, by laws and by friction",
    "heat_friction": "the part of the heat that friction took",
    "heat_step": "the part of the heat that is the method's own",
}
"""What the internal states of contacts say, by name."""

LAID = 0.01
"""Fall, in parts of the thinnest half-width, below which a body is laid down rather than dropped."""


@dataclass(frozen=True)
class Contacts:
    """Outlines of a system that can touch, and the laws between them.

    Attributes:
        name: of the part that asks for collisions; channels begin with it.
        bodies, outlines: names; the ground is the first body.
        centres: centre of mass of each body in its own frame [m], about which its markers stand.
        laws: contact laws, in the order of the table.
        tables: as they are at the start of a run.
        episodes: pairs of outlines that may touch at once.
        cores: what of bodies that give way nothing can reach.
        fastest: speed with which bodies are expected to meet [m/s].
        chosen: what is told of each stiffness that was left out, by the name of its law.
        barred: bodies that joints connect with the ground and that may come to its outlines.
    """

    name: str
    bodies: tuple[str, ...]
    outlines: tuple[str, ...]
    centres: tuple[np.ndarray, ...]
    laws: tuple[ContactLaw, ...]
    tables: ContactTables
    episodes: int
    cores: Cores
    fastest: float
    chosen: dict[str, str]
    barred: tuple[str, ...]

    push_kernel = staticmethod(push_contacts)
    settle_kernel = staticmethod(settle_contacts)
    markers_of_body = 4
    """The centre of mass, and three points about it that show how a body turns and deforms."""

    @property
    def carriers(self) -> list[str]:
        """Names of what moves and has outlines, as parts of the channels' names."""
        return [f"{self.name}.{body}" for body in self.bodies[1:]]

    def states(self) -> list[tuple[str, str, str]]:
        """Part, name and unit of the internal states: impulse on every body, heat, then what pulses integrate."""
        pulses = HIDDEN * len(self.tables.pulses)
        return [
            *((carrier, f"impulse_{c}", "N*s") for carrier in self.carriers for c in XYZ),
            (self.name, "heat", "J"),
            *((self.name, f"_pulse{k}", "1") for k in range(pulses)),
        ]

    def shown_pairs(self) -> list[tuple[int, int]]:
        """Numbers of the two bodies of every pair whose forces are channels: where all that can touch are few."""
        barred = set(self.tables.excluded.tolist())
        found = [
            (i, j)
            for i, j in itertools.combinations(range(len(self.bodies)), 2)
            if i * len(self.bodies) + j not in barred and (i > 0 or self.tables.head[0].ground_outlines > 0)
        ]
        return found if len(found) <= MOST_PAIRS else []

    def memory(self) -> np.ndarray:
        """Empty memory of a run: notes, then rows for episodes, then for columns."""
        numbers = self.episodes * EPISODE_WIDTH + int(self.tables.head[0].columns) * COLUMN_WIDTH
        return np.zeros((-(-(NOTES_WIDTH + numbers) // MEMORY_WIDTH), MEMORY_WIDTH))

    def notes(self) -> list[str]:
        """A word on bodies that are joined to the ground and so pass through what stands on it, and on balls that rub
        and cannot roll.
        """
        found = []
        if self.barred:
            words = f"joined to the ground, so never touching its outlines: {_named(list(self.barred))}"
            found.append(f"{words}; collisions with joined: true lets them")
        moments = self.tables.bodies["moments"][1:]
        points = [name for name, own in zip(self.bodies[1:], moments, strict=True) if not np.any(own)]
        if points and any(law.friction > 0.0 for law in self.laws):
            found.append(f"friction slows these and does not make them roll, without inertia: {_named(points)}")
        t = self.tables
        terrain = sum(1 << k for k, road in enumerate(t.roads) if road.steepest > 0.0)
        blind = [name for name, own, row in zip(self.outlines, t.probed, t.outlines, strict=True)
                 if row.meets & terrain and own.count == 0]  # fmt: skip
        if blind:
            words = f"one plane stands for the bumps below each of these, which may make energy: {_named(blind)}"
            found.append(f"{words}; boxes, polyhedra, capsules and spheres on rigid bodies feel them all over")
        return found + self.law_notes()

    def law_notes(self) -> list[str]:
        """A word on laws that are to give nothing back: a force that pushes and ends a hit so would have no end."""
        plastic = [law.name for law in self.laws if law.hard_restitution() == 0.0]
        words = f"restitution 0 is computed as {LEAST_RESTITUTION:g} where laws push: {_named(plastic)}"
        return [f"{words}; method 'moreau' takes 0 as it is"] if plastic else []

    def block(self) -> ContactBlock | HardBlock:
        """The tables of one run."""
        return ContactBlock(self.tables)

    # -- what the run loop asks ----------------------------------------------------------------------------------------

    def begin(self, workspace: Any, time: float) -> None:
        """Settle the start of a run, so that pairs that touch or are near have their episodes and slots."""
        workspace.contacts.tables.head[0].last_time = time
        workspace.evaluate(time)
        self.settle(workspace, time)

    def settle(self, workspace: Any, time: float) -> None:
        """Settle the present state of a workspace, evaluated just before."""
        settle_contacts(time, workspace.address)

    def largest_step(self, workspace: Any) -> float:
        """Step in which no outline can pass through another [s]: half of the thinnest one, at the present speeds."""
        thinnest = float(self.tables.outlines["thickness"].min())
        velocity = workspace["velocity"][:, :3]
        if self.tables.head[0].ground_outlines == 0:  # only speeds against each other count
            velocity = velocity - velocity.mean(axis=0)
        fastest = 2.0 * float(np.linalg.norm(velocity, axis=1).max(initial=0.0))
        gravity = float(np.linalg.norm(workspace["gravity"]))
        reach = 0.5 * thinnest
        if not np.isfinite(reach) or (fastest == 0.0 and gravity == 0.0):
            return 1e3
        # reach = v h + g h^2, solved without cancellation
        return float(2.0 * reach / (fastest + np.sqrt(fastest * fastest + 4.0 * gravity * reach)))

    def be_resolved(self, block: ContactBlock) -> None:
        """Let contacts ask for short steps: the method has equal ones."""
        block.tables.head[0].coarse = COARSE

    def resolving_step(self, block: ContactBlock, step: float) -> float:
        """Step of a method of equal steps that resolves the contacts of the present state, at most ``step`` [s]."""
        pace = float(block.tables.head[0].pace)
        return step if pace * step * step <= COARSE * COARSE else min(step, resolving_step(pace))

    def passing(self, workspace: Any) -> Passing | None:
        """The pair that passed through each other in the step that was just settled."""
        found = find_passing(workspace.contacts)
        if found is None or found.how == "grazed":
            return found
        coarse = float(workspace.contacts.tables.head[0].coarse)
        too_short = [(self.lasts(pair, found.speed), pair) for pair in found.touching]
        lasts, pair = min(too_short, default=(math.inf, found.outlines))
        if (coarse or STIFF) * lasts < math.pi * (found.end - found.begin):
            found = replace(found, outlines=pair, how="stiff", step=lasts)
        if found.how == "stiff" and coarse:
            return replace(found, step=min(found.step, self.lasts(found.outlines, found.speed) / STEPS_TAKEN))
        return replace(found, step=min(found.step, self.lasts(found.outlines, found.speed) / STEPS_PER_CONTACT))

    def lasts(self, pair: tuple[int, int], speed: float) -> float:
        """How long a contact of two outlines lasts that begins at a speed [m/s]; infinite where columns press [s]."""
        t = self.tables
        one, two = (t.outlines[k] for k in pair)
        law = self.laws[t.law_of[one.material, two.material]]
        if law.by_columns and t.solids[pair[0]].strips + t.solids[pair[1]].strips > 0:
            return math.inf
        mass = 1.0 / float(t.bodies[one.body].mobility + t.bodies[two.body].mobility)
        thin = float(min(one.thickness, two.thickness))
        return contact_time(law, speed, mass, 0.01 * thin)

    def lift(self, workspace: Workspace) -> float:
        """Energy that a method which solves contacts itself may make beside their laws [J]; none where laws push."""
        return 0.0

    def unbelievable(self, workspace: Workspace) -> RunStop | None:
        """Why a run cannot be believed, by what its contacts noted so far: a body that sinks into a plane."""
        assert isinstance(workspace.contacts, ContactBlock)
        t = workspace.contacts.tables
        for pulse in t.pulses[: t.head[0].pulses_used]:
            if pulse.code != 0 and pulse.open and not pulse.by_columns and self._is_sunk(pulse):
                _, names, _ = self._pair_of(pulse)
                where = f"{names}: {float(pulse.depth):.2g} m deep"
                advice = "the contact law does not bear this body: take a stiffer law"
                return RunStop(f"two bodies {PASSAGE}", float(t.head[0].last_time), where, advice)
        return None

    def _is_sunk(self, pulse: np.record) -> bool:
        """Whether a body has been inside a half-space with more than its own thickness."""
        outlines = self.tables.outlines
        _, pair = self._numbers(pulse)
        thin = [float(outlines["thickness"][outlines["body"] == k].min()) for k in pair]
        return math.isinf(max(thin)) and float(pulse.depth) > 2.0 * min(thin)

    def nearest_contact(self, workspace: Any, body: str) -> tuple[str, float]:
        """The pair with this body that is nearest to contact or deepest in it, and how long its contacts last [s]; of a
        body thrown far away the shortest that it can have.
        """
        t, number = workspace.contacts.tables, self.bodies.index(body)
        own, others = ([k for k, row in enumerate(t.outlines) if (row.body == number) == one] for one in (True, False))
        found = [(math.inf, f"'{body}'", min(self.lasts((a, b), 1.0) for a in own for b in others))]
        for near in t.near[: t.head[0].count]:
            bodies = int(t.outlines[near.a].body), int(t.outlines[near.b].body)
            if number in bodies:
                names = " and ".join(f"'{self.bodies[k]}'" for k in bodies)
                found.append((float(near.gap), names, self.lasts((int(near.a), int(near.b)), 1.0)))
        return min(found)[1:]

    def why_passed(self, passing: Passing, reason: str) -> RunStop:
        """What a run that stopped at a passage says: time, pair, speed, and the step that would see it."""
        outlines = self.tables.outlines
        pair = [f"'{self.outlines[k]}' of '{self.bodies[outlines[k].body]}'" for k in passing.outlines]
        a, b = (int(outlines[k].material) for k in passing.outlines)
        name, lasts = self.laws[self.tables.law_of[a, b]].name, self.lasts(passing.outlines, passing.speed)
        return stop_at(passing, " and ".join(pair), reason, f"contacts of '{name}' last {lasts:.2g} s")

    def touching(self, workspace: Any, outlines: tuple[int, int]) -> bool:
        """Whether two outlines are in contact."""
        memory = workspace["contact_memory"]
        flat = memory.reshape(-1)
        notes = flat[: CONTACT_NOTES.itemsize // 8].view(CONTACT_NOTES)[0]
        rows = flat[NOTES_WIDTH : NOTES_WIDTH + self.episodes * EPISODE_WIDTH]
        used = rows.view(EPISODE)[: notes.episodes]
        a, b = sorted(outlines)
        lasting = used["memory"][:, ACTIVE] == 1.0
        return bool(((used["code"] == a * len(self.outlines) + b + 1) & lasting).any())

    def drain(self, workspace: Any, at_end: bool = False) -> list[Happened]:
        """Take what happened since the last call out of the log; open pulses too at the end of a run.

        Raises:
            RunError: the room for near pairs or episodes was used up.
        """
        t = workspace.contacts.tables
        head = t.head[0]
        short = (head.room_short, "near pairs"), (head.episodes_short, "touching pairs")
        for count, what in (*short, (head.pressed.short, "crushed columns")):
            if count > 0:
                raise RunError(f"more {what} than there is room for: {count} needed")
        found = [self._touch_event(row) for row in t.touches[: head.touch_count]]
        for pulse in t.finished[: head.finished_count]:
            if self._is_faint(pulse):
                continue
            found += [self._collision_event(pulse, workspace), *self._passages(pulse)]
        if head.lost > 0:
            found.append((float(head.last_time), "note", missing_touches(int(head.lost)), {"n": float(head.lost)}))
        head.touch_count = head.finished_count = head.lost = 0
        if at_end:
            integrals = workspace["states"][workspace.tables.contact_state + 3 * len(self.carriers) + 1 :]
            for slot, running in enumerate(t.pulses):
                if running.code and running.open:
                    pulse = t.pulses[slot : slot + 1].copy()[0]
                    if pulse.touching:
                        look(workspace.contacts.address, pulse, AFTER, integrals, slot)
                    if head.columns > 0:
                        memory = workspace["contact_memory"]
                        behind = memory.size - int(head.columns) * COLUMN_WIDTH
                        tell_open_damage(workspace.contacts.address, pulse, memory, behind)
                    found.append(self._collision_event(pulse, workspace))
        return found

    def _touch_event(self, touch: Any) -> Happened:
        a, b = (self.bodies[k] for k in touch.bodies)
        values = {
            "parting_speed" if touch.ends else "closing_speed": float(touch.speed),
            **{f"point_{c}": float(touch.point[k]) for k, c in enumerate(XYZ)},
            **{f"normal_{c}": float(touch.normal[k]) for k, c in enumerate(XYZ)},
            "sides": float(touch.sides),
        }
        return float(touch.time), "contact end" if touch.ends else "contact begin", f"{a} - {b}", values

    def _is_faint(self, pulse: np.record) -> bool:
        """Whether bodies that gave way only brushed each other while parting: no collision anybody would count."""
        if not pulse.by_columns or pulse.closing_speed > 0.0:
            return False
        _, _, collision = self._pair_of(pulse)
        masses = collision.mass[collision.mass > 0.0]
        return bool(np.linalg.norm(collision.impulse) < FAINT * masses.min())

    def _numbers(self, pulse: np.record) -> tuple[int, tuple[int, int]]:
        """Whether a pulse is with a road (1 or 0), and the numbers of its two bodies."""
        count = len(self.bodies)
        on_road, pair = divmod(int(pulse.code) - 1, count * count)
        return on_road, divmod(pair, count)

    def _pair_of(self, pulse: np.record) -> tuple[tuple[int, int], str, np.record]:
        """Numbers of the two bodies of a pulse, their names, and its collision."""
        _, pair = self._numbers(pulse)
        mobility = [self.tables.bodies[k].mobility for k in pair]
        masses = [1.0 / item if item > 0 else 0.0 for item in mobility]  # 0: the ground
        return pair, " - ".join(self.bodies[k] for k in pair), collision_of(pulse, masses)

    def _collision_event(self, pulse: np.record, workspace: Workspace) -> Happened:
        pair, names, collision = self._pair_of(pulse)
        collision.on_road, _ = self._numbers(pulse)
        if not pulse.by_columns:
            collision.asked = self._asked(pulse, pair, float(np.linalg.norm(workspace["gravity"])))
            collision.beside = forces_beside(pulse, collision)
            collision.overlap, collision.stiffer, collision.shorter = self._overlap(pulse, pair)
        return float(pulse.begin), "collision", names, named_values(collision)

    def _overlap(self, pulse: np.record, pair: tuple[int, int]) -> tuple[float, float, float]:
        """Depth of a hit over the thinner half-width, and the stiffness [N/m^n] or the duration [s] with which it would
        be PRESSED of that; zeros where a law stands for bodies that do give way, as those of vehicles and persons do
        with a stiffness that was entered for them."""
        law = self.laws[int(pulse.law)]
        thin = min(float(self.tables.outlines["thickness"][self.tables.outlines["body"] == k].min()) for k in pair)
        soft = law.name not in self.chosen and any("." in self.bodies[k] for k in pair)
        if soft or law.gives_way or not math.isfinite(thin):
            return 0.0, 0.0, 0.0
        share = float(pulse.depth) / thin
        more = max(share / PRESSED, 1.0)
        return share, *law.harder(more)

    def _asked(self, pulse: np.record, pair: tuple[int, int], gravity: float) -> float:
        """Restitution that the law of a hit was given; 0 of other laws, of bodies laid down from less than LAID, and of
        a hit that may not be over: it comes out as much slower than it went in as the restitution says.
        """
        asked = self.laws[int(pulse.law)].hard_restitution()
        if not asked:
            return 0.0
        over = pulse.begin + (2.0 + 4.0 / asked) * (pulse.peak_time - pulse.begin)
        if pulse.parted == 0.0 and pulse.end < over:
            return 0.0
        thin = min(float(self.tables.outlines["thickness"][self.tables.outlines["body"] == k].min()) for k in pair)
        laid = 2.0 * LAID * thin * gravity if math.isfinite(thin) else 0.0
        return asked if pulse.closing_speed**2 > laid else 0.0

    def _passages(self, pulse: np.record) -> list[Happened]:
        """An event when the bodies of a pulse that is over went through each other.

        Told by how the bodies moved before and after, not by what the contact law says of itself. Bodies that give
        way may part while they still close, when a corner is torn off; their passages are told by their cores. A limb
        that its body drives on goes on by its joint: what counts is what the contact alone would have left. What climbs
        a kerb goes on as well, and none but one that sinks passes through a road.
        """
        if pulse.by_columns:
            return []
        on_road, pair = self._numbers(pulse)
        _, names, collision = self._pair_of(pulse)
        outlines = self.tables.outlines
        thick = sum(float(outlines["thickness"][outlines["body"] == k].min()) for k in pair)
        e = restitution_of(collision)
        if self._is_sunk(pulse):
            return [(float(pulse.end), PASSAGE, names, {"restitution": e, "depth": float(pulse.depth)})]
        if on_road or not (e < GOES_ON and DEEP * thick < float(pulse.depth)):
            return []
        if not e + by_other_forces(collision) / relative_speed(collision, BEFORE) < GOES_ON:
            return []
        return [(float(pulse.end), PASSAGE, names, {"restitution": e, "depth": float(pulse.depth)})]


def missing_touches(count: int) -> str:
    """What it means that the log of touches, which is emptied every few frames, was full."""
    return (
        f"{count} touches or collisions are missing among the events and in their tables, which had no more room; "
        "motion, forces and energies are whole. Frames closer together (run.frames) leave room for them"
    )


def _named(names: list[str]) -> str:
    """The first names of a list."""
    return ", ".join(f"'{name}'" for name in names[:3]) + (", ..." if names[3:] else "")
