"""From outlines and contact laws of a system to the elements of the contact force, and from its log to events.

One element per body with outlines; the first keeps all tables. Pairs of bodies that share a joint, and bodies of one
vehicle ("bike.frame", "bike.fork"), never touch unless that is asked for. Two bodies placed in each other are refused
with the depth.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from centrode.dynamics.contact.broad import SPHERE, bounding_spheres, find_pairs
from centrode.dynamics.contact.collide import (
    EPISODES,
    USED,
    contact_energy,
    contact_event,
    contact_force,
    episode_rows,
)
from centrode.dynamics.contact.collision import XYZ, collision_of, named_values
from centrode.dynamics.contact.guard import STEPS_PER_CONTACT, Passing, contact_time, find_passing, stop_at
from centrode.dynamics.contact.laws import law_handles
from centrode.dynamics.contact.manifold import manifold
from centrode.dynamics.contact.narrow import find_closest
from centrode.dynamics.contact.pulses import contact_settle, look
from centrode.dynamics.contact.search import ROOM, Status
from centrode.dynamics.contact.tables import (
    AFTER,
    BODY,
    EPISODE_WIDTH,
    HIDDEN,
    ContactTables,
    pack_tables,
    read_tables,
)
from centrode.errors import Fault, InputError, RunError, RunStop
from centrode.jit import handle_of
from centrode.parts.affine import affine_markers
from centrode.parts.bodies.body import Body
from centrode.parts.contact_laws.contact_law import ACTIVE, ContactLaw, ContactPairs
from centrode.parts.forces.collisions import Collisions
from centrode.parts.forces.force import Force
from centrode.parts.hooks import Moment
from centrode.parts.kernel_types import LINK_DATA, LINK_STATE
from centrode.parts.outlines.outline import PLACED, Outline, Shapes, body_frame, pack_outlines, place_outline
from centrode.parts.outlines.superellipsoid import OutlineSuperellipsoid
from centrode.parts.placement import GROUND, Placement, Scene


@dataclass(frozen=True)
class ContactBody(Force):
    """Contacts of one body; made by :func:`contact_elements`, not by users."""

    kind: ClassVar[str] = "contact-body"
    force_kernel: ClassVar[Any] = contact_force
    energy_kernel: ClassVar[Any] = contact_energy
    event_kernel: ClassVar[Any] = contact_event
    settle_kernel: ClassVar[Any] = contact_settle
    events_optional: ClassVar[bool] = True
    works_in_plane: ClassVar[bool] = False

    body: str = ""
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)
    tables: Any = None
    slots: int = 0
    episodes: int = 0
    laws: tuple[ContactLaw, ...] = ()
    handles: tuple[float, ...] = ()
    body_names: tuple[str, ...] = ()
    outline_names: tuple[str, ...] = ()

    def place(self, scene: Scene) -> Placement:
        hidden = HIDDEN * self.slots
        return Placement(
            affine_markers(self.body, self.centre),
            par=[float(self.slots), *self.handles],
            data=() if self.tables is None else self.tables,
            states=[0.0] * (3 + hidden),
            state_names=[*((f"impulse_{c}", "N*s") for c in XYZ), *((f"_pulse{k}", "1") for k in range(hidden))],
            more_memory=self.episodes * EPISODE_WIDTH,
        )

    def begin(self, workspace: Any, i: int, time: float) -> None:
        """Settle the start of a run, so that pairs that touch or are near have their episodes and slots."""
        if self.tables is not None:
            self.tables_of(workspace, i).head[0].last_time = time
            workspace.evaluate(time)
            settle_contacts(workspace, i, time)

    def tables_of(self, workspace: Any, i: int) -> ContactTables:
        """The tables of a run; ``i`` is the number of the first element."""
        pool = int(workspace.model.force_link[i, LINK_DATA])
        return read_tables(workspace["data"], pool, workspace["force_par"][i])

    @property
    def limits_step(self) -> bool:
        """Whether :meth:`largest_step` has something to say (one element speaks for all)."""
        return self.tables is not None

    def largest_step(self, workspace: Any) -> float:
        """Step in which no outline can pass through another [s]: half of the thinnest one, at the present speeds."""
        t = read_tables(self.tables)
        thinnest = float(t.outlines["thickness"].min())
        speeds = np.linalg.norm(workspace["velocity"][:, :3], axis=1)
        fastest = 2.0 * float(speeds.max(initial=0.0))
        if t.head[0].ground_outlines == 0:  # only speeds against each other count
            drift = workspace["velocity"][:, :3].mean(axis=0)
            fastest = 2.0 * float(np.linalg.norm(workspace["velocity"][:, :3] - drift, axis=1).max(initial=0.0))
        gravity = float(np.linalg.norm(workspace["gravity"]))
        reach = 0.5 * thinnest
        if not np.isfinite(reach) or (fastest == 0.0 and gravity == 0.0):
            return 1e3
        # reach = v h + g h^2, solved without cancellation
        return 2.0 * reach / (fastest + np.sqrt(fastest * fastest + 4.0 * gravity * reach))

    def passing(self, workspace: Any, i: int) -> Passing | None:
        """The pair that passed through each other in the step that was just settled."""
        t = self.tables_of(workspace, i)
        found = find_passing(t)
        if found is None:
            return None
        one, two = (t.outlines[k] for k in found.outlines)
        law = self.laws[t.law_of[one.material, two.material]]
        mass = 1.0 / float(t.bodies[one.body].mobility + t.bodies[two.body].mobility)
        lasts = contact_time(law, found.speed, mass, 0.01 * float(one.thickness + two.thickness))
        return replace(found, step=min(found.step, lasts / STEPS_PER_CONTACT))

    def why_passed(self, passing: Passing, reason: str) -> RunStop:
        """What a run that stopped at a passage says: time, pair, speed, and the step that would see it."""
        outlines = read_tables(self.tables).outlines
        pair = [f"'{self.outline_names[k]}' of '{self.body_names[outlines[k].body]}'" for k in passing.outlines]
        return stop_at(passing, " and ".join(pair), reason)

    def touching(self, workspace: Any, i: int, outlines: tuple[int, int]) -> bool:
        """Whether two outlines are in contact."""
        memory = workspace["force_memory"]
        episodes = getattr(episode_rows, "py_func", episode_rows)(memory, int(memory[i, EPISODES]))
        a, b = sorted(outlines)
        used = episodes[: int(memory[i, USED])]
        lasting = used["memory"][:, ACTIVE] == 1.0
        return bool(((used["code"] == a * len(self.outline_names) + b + 1) & lasting).any())

    def on_event(self, moment: Moment) -> None:
        """A pair touched or parted: settle the state; the log tells what happened."""
        settle_contacts(moment.workspace, moment.index, moment.time)

    def drain(self, workspace: Any, i: int, at_end: bool = False) -> list[tuple[float, str, str, dict[str, float]]]:
        """Take what happened out of the log: time, kind, subject and figures; open pulses too at the end of a run.

        Raises:
            RunError: the room for near pairs or episodes was used up.
        """
        if self.tables is None:
            return []
        t = self.tables_of(workspace, i)
        head = t.head[0]
        for count, what in ((head.room_short, "near pairs"), (head.episodes_short, "touching pairs")):
            if count > 0:
                raise RunError(f"more {what} than there is room for: {count} needed")
        found = [self._touch_event(row) for row in t.touches[: head.touch_count]]
        found += [self._collision_event(t, pulse) for pulse in t.finished[: head.finished_count]]
        if head.lost > 0:
            found.append((float(head.last_time), "note", "contacts not logged", {"n": float(head.lost)}))
        head.touch_count = head.finished_count = head.lost = 0
        if at_end:
            integrals = workspace["states"][int(workspace.model.force_link[i, LINK_STATE]) + 3 :]
            for slot, running in enumerate(t.pulses):
                if running.code and running.open:
                    pulse = t.pulses[slot : slot + 1].copy()[0]
                    if pulse.touching:
                        look(t, pulse, AFTER, integrals, slot)
                    found.append(self._collision_event(t, pulse))
        return found

    def _touch_event(self, touch: Any) -> tuple[float, str, str, dict[str, float]]:
        a, b = (self.body_names[k] for k in touch.bodies)
        values = {
            "parting_speed" if touch.ends else "closing_speed": float(touch.speed),
            **{f"point_{c}": float(touch.point[k]) for k, c in enumerate(XYZ)},
            **{f"normal_{c}": float(touch.normal[k]) for k, c in enumerate(XYZ)},
            "sides": float(touch.sides),
        }
        return float(touch.time), "contact end" if touch.ends else "contact begin", f"{a} - {b}", values

    def _collision_event(self, t: ContactTables, pulse: Any) -> tuple[float, str, str, dict[str, float]]:
        bodies = divmod(int(pulse.code) - 1, len(self.body_names))
        masses = [1.0 / t.bodies[k].mobility if t.bodies[k].mobility > 0 else 0.0 for k in bodies]  # 0: the ground
        names = " - ".join(self.body_names[k] for k in bodies)
        return float(pulse.begin), "collision", names, named_values(collision_of(pulse, masses))


def settle_contacts(workspace: Any, i: int, time: float) -> None:
    """Settle the contacts at the present state of a workspace (evaluated just before)."""
    span = next(s for s in workspace.model.force_spans if s["first"] <= i < s["first"] + s["count"])
    names = ("force_par", "force_link", "data", "inputs", "force_memory", "markers", "states", "wrench", "state_rate")
    contact_settle(time, int(span["first"]), int(span["count"]), *(workspace[name] for name in names))


def contact_elements(system: Any, scene: Any) -> list[ContactBody]:
    """Elements of the contact force of a system; none when nothing can touch.

    Raises:
        InputError: bodies overlap at the start, a pair of materials has no law, more than one Collisions part.
    """
    outlines = outlines_of(system)
    laws = [part for part in system.parts.values() if isinstance(part, ContactLaw)]
    settings = [part for part in system.parts.values() if isinstance(part, Collisions)]
    if len(settings) > 1:
        raise InputError("a system has one part for collisions", path=settings[1].name, got=len(settings))
    asked = settings[0] if settings else Collisions("collisions")
    if not asked.active or not outlines or (not laws and not settings):
        return []
    if system.plane:
        raise InputError("contacts of outlines need a system in space", path=asked.name)
    if not laws:
        raise InputError("collisions need a contact law", path=asked.name, hint="add a part to contact_laws")
    carriers = [name for name in dict.fromkeys(item.body for item in outlines) if name != GROUND]
    if not carriers:
        return []
    names = (GROUND, *carriers)
    index = {name: k for k, name in enumerate(names)}
    faults = [
        Fault("an outline needs a body", item.name, got=item.body, expected="the name of a body")
        for item in outlines
        if item.body != GROUND and not isinstance(system.parts.get(item.body), Body)
    ]
    if faults:
        raise InputError(faults)
    bodies, centres = body_constants(system, carriers)
    handles = [float(handle_of(kernel)) for kernel in (find_closest, manifold)] + law_handles(laws)
    rows, shapes = pack_outlines(outlines, [0.0, *handles])
    handles = shapes.handles[1:].tolist()
    for row, item in zip(rows, outlines, strict=True):
        row.body = index[item.body]
        row.centre -= centres[index[item.body]]
    law_of, table_of_laws = law_tables(outlines, laws, rows)
    excluded = [] if asked.joined else joined_pairs(system, names)
    refuse_overlaps(scene, outlines, rows, shapes, names, centres, set(excluded), asked.allowed_overlap)
    pairs = len(outlines) * (len(outlines) - 1) // 2
    touchable = len(carriers) + int(any(item.body == GROUND for item in outlines))
    body_pairs = touchable * (touchable - 1) // 2
    slots = max(1, min(body_pairs, 3 * len(names) + 8))
    tables = pack_tables(
        {
            "outlines": rows,
            "points": shapes.points,
            "laws": table_of_laws,
            "law_of": law_of,
            "bodies": bodies,
            "excluded": np.array(excluded, dtype=np.int64),
        },
        margin=asked.margin,
        pulses=slots,
        room=max(1, min(pairs, 16 * len(outlines) + 64)),
        log_room=64 + 8 * len(names),
    )
    read_tables(tables).head[0].ground_outlines = sum(item.body == GROUND for item in outlines)
    episodes = max(1, min(pairs, 4 * len(outlines) + 16))
    elements = []
    for k, name in enumerate(carriers):
        elements.append(
            ContactBody(
                f"{asked.name}.{name}",
                body=name,
                centre=(float(centres[k + 1][0]), float(centres[k + 1][1]), float(centres[k + 1][2])),
                tables=tables if k == 0 else None,
                slots=slots if k == 0 else 0,
                episodes=episodes if k == 0 else 0,
                laws=tuple(laws) if k == 0 else (),
                handles=tuple(handles) if k == 0 else (),
                body_names=names,
                outline_names=tuple(item.name for item in outlines),
            )
        )
    return elements


def outlines_of(system: Any) -> list[Outline]:
    """All outlines of a system; a vehicle with a length, width and height but no outline of its own gets a shell.

    The shell is the superellipsoid of the MEDUSA report (1999) with squareness 0.4 and the material "car", standing on
    the road.
    """
    found = [part for part in system.parts.values() if isinstance(part, Outline)]
    taken = {item.body for item in found}
    for part in system.of_family("vehicle"):
        sizes: list[Any] = [getattr(part, name, None) for name in ("length", "width", "height")]
        body = getattr(part, "body", None)
        if None in sizes or body is None or body not in system.parts or body in taken:
            continue
        half = (0.5 * float(sizes[0]), 0.5 * float(sizes[1]), 0.5 * float(sizes[2]))
        lift = half[2] - float(getattr(part, "ride_height", half[2]))
        found.append(
            OutlineSuperellipsoid(
                f"{part.name}.shell", body=body, semi_axes=half, centre=(0.0, 0.0, lift), material="car"
            )
        )
    return found


def body_constants(system: Any, carriers: list[str]) -> tuple[np.ndarray, list[np.ndarray]]:
    """Table of bodies (the ground first) and their centres of mass in body axes [m]."""
    bodies = np.zeros(len(carriers) + 1, BODY)
    centres = [np.zeros(3)]
    for body, name in zip(bodies[1:], carriers, strict=True):
        row = system.parts[name].row()
        centres.append(np.asarray(row.centre, dtype=float))
        body.mobility = 1.0 / row.mass
        body.moments = row.inertia
        turning = np.array([1.0 / moment if moment > 0.0 else 0.0 for moment in row.inertia])
        body.inverse = row.axes @ np.diag(turning) @ row.axes.T
        elasticity = system.parts[name].elasticity()
        if elasticity:
            body.elasticity, body.directors, body.deforms = elasticity[:3], elasticity[3:], 1
    return bodies, centres


def law_tables(outlines: list[Outline], laws: list[ContactLaw], rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Law of every pair of materials that can meet, and the parameter rows; sets the material of each outline row."""
    materials = list(dict.fromkeys(item.material for item in outlines))
    for row, item in zip(rows, outlines, strict=True):
        row.material = materials.index(item.material)
    pairs = ContactPairs()
    fallback = None
    for law in laws:
        if not law.between:
            if fallback is not None:
                raise InputError(
                    "two contact laws without materials",
                    path=law.name,
                    hint=f"say between which materials '{law.name}' or '{fallback.name}' acts",
                )
            fallback = law
            continue
        pairs.set(law.between[0], law.between[-1], law)
    carriers: dict[str, set[str]] = {m: {item.body for item in outlines if item.material == m} for m in materials}
    law_of = np.zeros((len(materials), len(materials)), dtype=np.int64)
    for p, one in enumerate(materials):
        for q, two in enumerate(materials):
            meet = len(carriers[one] | carriers[two]) > 1
            if q < p or not meet:
                continue
            law = pairs.law_for(one, two, fallback)
            law_of[p, q] = law_of[q, p] = laws.index(law)
    return law_of, np.array([law.pack() for law in laws])


def joined_pairs(system: Any, names: tuple[str, ...]) -> list[int]:
    """Codes of pairs of bodies that share a joint or a vehicle."""
    index = {name: k for k, name in enumerate(names)}
    found: set[int] = set()

    def add(one: str, two: str) -> None:
        if one in index and two in index and one != two:
            i, j = sorted((index[one], index[two]))
            found.add(i * len(names) + j)

    for joint in system.of_family("joint"):
        ends = [system._body_of(str(end)) for end in (getattr(joint, "a", None), getattr(joint, "b", None)) if end]
        if len(ends) == 2:
            add(*ends)
    groups: dict[str, list[str]] = {}
    for name in names[1:]:
        if "." in name:
            groups.setdefault(name.split(".")[0], []).append(name)
    for members in groups.values():
        for k, one in enumerate(members):
            for two in members[k + 1 :]:
                add(one, two)
    return sorted(found)


def refuse_overlaps(
    scene: Any,
    outlines: list[Outline],
    rows: np.ndarray,
    shapes: Shapes,
    names: tuple[str, ...],
    centres: list[np.ndarray],
    excluded: set[int],
    allowed: float,
) -> None:
    """Refuse bodies that stand in each other at the start."""
    placed = np.zeros(len(rows), PLACED)
    for row, place in zip(rows, placed, strict=True):
        position, gradient = scene.pose(names[row.body])
        place_outline(row, body_frame(position + gradient @ centres[row.body], gradient), place)
    spheres = np.zeros(len(rows), SPHERE)
    bounding_spheres(rows, placed, 0.0, spheres)
    found, room = 1, 0
    while found > room:
        room = max(found, 64 + 16 * len(rows))
        pairs = np.zeros((room, 2), dtype=np.int64)
        order, keys, codes = np.arange(len(rows)), np.zeros(len(rows)), np.zeros(room, dtype=np.int64)
        found = find_pairs(placed, spheres, order, keys, codes, pairs)
    room_of_query = np.zeros(1, ROOM)[0]
    faults = []
    for a, b in pairs[:found]:
        i, j = sorted((int(rows[a].body), int(rows[b].body)))
        if i * len(names) + j in excluded:
            continue
        answer = find_closest(rows[a], placed[a], rows[b], placed[b], *shapes, room_of_query, (0.0, 0.0, 0.0), np.inf)
        if answer.status != Status.NO_ANSWER and answer.gap < -allowed:
            n = answer.normal
            faults.append(
                Fault(
                    f"'{outlines[a].body}' and '{outlines[b].body}' stand in each other at the start",
                    outlines[b].name,
                    got=f"{-answer.gap:.4g} m deep",
                    expected=f"apart, or less than {allowed:g} m deep",
                    hint=f"move '{outlines[b].body}' by at least {-answer.gap:.4g} m along "
                    f"({n[0]:.3f}, {n[1]:.3f}, {n[2]:.3f})",
                )
            )
    if faults:
        raise InputError(faults)
