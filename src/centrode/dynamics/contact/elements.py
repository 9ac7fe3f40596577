"""From outlines and contact laws of a system to the elements of the contact force, and from its log to events.

One element per body with outlines; the first keeps all tables. Pairs of bodies that share a joint, and bodies of one
vehicle ("bike.frame", "bike.fork"), never touch unless that is asked for. Two bodies placed in each other are refused
with the depth.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from centrode.dynamics.contact.broad import bounding_spheres, find_pairs
from centrode.dynamics.contact.codes import NO_ANSWER, WORK, WORK_INT
from centrode.dynamics.contact.collide import (
    EPISODES,
    USED,
    contact_energy,
    contact_event,
    contact_force,
    episode_rows,
)
from centrode.dynamics.contact.guard import STEPS_PER_CONTACT, Passing, contact_time, find_passing, stop_at
from centrode.dynamics.contact.laws import law_handles
from centrode.dynamics.contact.narrow import closest
from centrode.dynamics.contact.pool import (
    BODIES,
    BODY_WIDTH,
    DEFORMS,
    DIRECTOR,
    EPISODE_CODE,
    EPISODE_MEMORY,
    EPISODE_WIDTH,
    EPISODES_SHORT,
    GROUND_OUTLINES,
    HIDDEN,
    INVERSE,
    LAME_1,
    LAME_2,
    LAST_TIME,
    LAW_OF,
    LOG,
    LOG_COUNT,
    LOG_HEAD,
    LOG_LOST,
    MOBILITY,
    MOMENTS,
    ROOM_SHORT,
    ROWS,
    SLOT_FIELDS,
    SLOTS,
    VOLUME,
    pack_pool,
    read_table,
)
from centrode.dynamics.contact.pulses import (
    HEADING,
    LOG_BEGIN,
    LOG_END,
    PLACE,
    S_AFTER,
    S_BEFORE,
    S_BEGIN,
    S_CLOSING,
    S_CODE,
    S_CRUSH,
    S_DEEPEST,
    S_END,
    S_EPISODES,
    S_FINISH,
    S_NORMAL,
    S_OPEN,
    S_PEAK,
    S_PEAK_TIME,
    S_POINT,
    S_REGION,
    S_SAMPLES,
    S_SLIP,
    S_START,
    S_TOUCH,
    SNAPSHOT,
    VIBRATION,
    contact_settle,
    look,
)
from centrode.dynamics.contact.pulses import V as SNAP_V
from centrode.dynamics.contact.pulses import W as SNAP_W
from centrode.errors import Fault, InputError, RunError, RunStop
from centrode.parts.affine import affine_markers
from centrode.parts.bodies.body import Body
from centrode.parts.contact_laws.contact_law import ACTIVE, ContactLaw, ContactPairs
from centrode.parts.forces.collisions import Collisions
from centrode.parts.forces.force import Force
from centrode.parts.hooks import Moment
from centrode.parts.kernel_types import LINK_DATA, LINK_STATE
from centrode.parts.outlines.outline import (
    BODY,
    CENTRE,
    MATERIAL,
    THICKNESS,
    Outline,
    body_frame,
    outline_frame,
    pack_outlines,
)
from centrode.parts.outlines.superellipsoid import OutlineSuperellipsoid
from centrode.parts.placement import GROUND, Placement, Scene

PULSE_POINTS = 41
"""Samples of the force in the event of a collision, evenly spaced from begin to end."""
XYZ = ("x", "y", "z")


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
    body_names: tuple[str, ...] = ()
    outline_names: tuple[str, ...] = ()

    def place(self, scene: Scene) -> Placement:
        hidden = HIDDEN * self.slots
        return Placement(
            affine_markers(self.body, self.centre),
            par=[float(self.slots), *law_handles(list(self.laws))],
            data=() if self.tables is None else self.tables,
            states=[0.0] * (3 + hidden),
            state_names=[*((f"impulse_{c}", "N*s") for c in XYZ), *((f"_pulse{k}", "1") for k in range(hidden))],
            more_memory=self.episodes * EPISODE_WIDTH,
        )

    def begin(self, workspace: Any, i: int, time: float) -> None:
        """Settle the start of a run, so that pairs that touch or are near have their episodes and slots."""
        if self.tables is not None:
            workspace["data"][int(workspace.model.force_link[i, LINK_DATA]) + LAST_TIME] = time
            workspace.evaluate(time)
            settle_contacts(workspace, i, time)

    @property
    def limits_step(self) -> bool:
        """Whether :meth:`largest_step` has something to say (one element speaks for all)."""
        return self.tables is not None

    def largest_step(self, workspace: Any) -> float:
        """Step in which no outline can pass through another [s]: half of the thinnest one, at the present speeds."""
        thinnest = float(read_table(self.tables, 0, ROWS)[:, THICKNESS].min())
        speeds = np.linalg.norm(workspace["velocity"][:, :3], axis=1)
        fastest = 2.0 * float(speeds.max(initial=0.0))
        if self.tables[GROUND_OUTLINES] == 0.0:  # only speeds against each other count
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
        found = find_passing(workspace["data"], int(workspace.model.force_link[i, LINK_DATA]))
        if found is None:
            return None
        rows, bodies, law_of = (read_table(self.tables, 0, which) for which in (ROWS, BODIES, LAW_OF))
        one, two = rows[list(found.outlines)]
        law = self.laws[int(law_of[int(one[MATERIAL]), int(two[MATERIAL])])]
        mass = 1.0 / float(bodies[int(one[BODY]), MOBILITY] + bodies[int(two[BODY]), MOBILITY])
        lasts = contact_time(law, found.speed, mass, 0.01 * float(one[THICKNESS] + two[THICKNESS]))
        return replace(found, step=min(found.step, lasts / STEPS_PER_CONTACT))

    def why_passed(self, passing: Passing, reason: str) -> RunStop:
        """What a run that stopped at a passage says: time, pair, speed, and the step that would see it."""
        rows = read_table(self.tables, 0, ROWS)
        pair = [f"'{self.outline_names[k]}' of '{self.body_names[int(rows[k, BODY])]}'" for k in passing.outlines]
        return stop_at(passing, " and ".join(pair), reason)

    def touching(self, workspace: Any, i: int, outlines: tuple[int, int]) -> bool:
        """Whether two outlines are in contact."""
        memory = workspace["force_memory"]
        rows = getattr(episode_rows, "py_func", episode_rows)(memory, int(memory[i, EPISODES]))
        a, b = sorted(outlines)
        code = a * len(self.outline_names) + b + 1.0
        used = rows[: int(memory[i, USED])]
        return bool(((used[:, EPISODE_CODE] == code) & (used[:, EPISODE_MEMORY + ACTIVE] == 1.0)).any())

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
        data, pool = workspace["data"], int(workspace.model.force_link[i, LINK_DATA])
        for place, what in ((ROOM_SHORT, "near pairs"), (EPISODES_SHORT, "touching pairs")):
            if data[pool + place] > 0:
                raise RunError(f"more {what} than there is room for: {int(data[pool + place])} needed")
        lines = [np.array(row) for row in read_table(data, pool, LOG)[: int(data[pool + LOG_COUNT])]]
        data[pool + LOG_COUNT] = 0.0
        found = [self._event(row) for row in lines]
        if data[pool + LOG_LOST] > 0:
            found.append(
                (float(data[pool + LAST_TIME]), "note", "contacts not logged", {"n": float(data[pool + LOG_LOST])})
            )
            data[pool + LOG_LOST] = 0.0
        if at_end:
            found += self._open_pulses(workspace, i, data, pool)
        return found

    def _open_pulses(self, workspace: Any, i: int, data: np.ndarray, pool: int) -> list[Any]:
        found = []
        slots = read_table(data, pool, SLOTS)
        hidden = int(workspace.model.force_link[i, LINK_STATE]) + 3
        bodies = len(self.body_names)
        for s, slot in enumerate(slots):
            if slot[S_CODE] == 0.0 or slot[S_OPEN] == 0.0:
                continue
            row = np.array(slot)
            if row[S_TOUCH] > 0:
                look(pool, data, row, S_AFTER, workspace["states"], hidden, s, S_FINISH, bodies)
            head = np.zeros(LOG_HEAD)
            code = int(row[S_CODE]) - 1
            head[:4] = 3.0, row[S_BEGIN], code // bodies, code % bodies
            found.append(self._event(np.concatenate([head, row])))
        return found

    def _event(self, row: np.ndarray) -> tuple[float, str, str, dict[str, float]]:
        a, b = self.body_names[int(row[2])], self.body_names[int(row[3])]
        if row[0] in (LOG_BEGIN, LOG_END):
            beginning = row[0] == LOG_BEGIN
            values = {
                "closing_speed" if beginning else "parting_speed": float(row[6]),
                **{f"point_{c}": float(row[7 + k]) for k, c in enumerate(XYZ)},
                **{f"normal_{c}": float(row[10 + k]) for k, c in enumerate(XYZ)},
                "sides": float(row[13]),
            }
            return float(row[1]), "contact begin" if beginning else "contact end", f"{a} - {b}", values
        figures = pulse_figures(row[LOG_HEAD:])
        mobility = read_table(self.tables, 0, BODIES)[[int(row[2]), int(row[3])], MOBILITY]
        figures["mass_a"], figures["mass_b"] = (float(1.0 / m) if m > 0 else 0.0 for m in mobility)  # 0: the ground
        return float(row[1]), "collision", f"{a} - {b}", figures


def pulse_figures(slot: np.ndarray) -> dict[str, float]:
    """Figures of a pulse in SI units, world frame; suffix _a and _b for its two bodies, impulse on b.

    The collision report (:mod:`centrode.crash.collisions`) is made of these.
    """
    total = slot[S_FINISH : S_FINISH + HIDDEN] - slot[S_START : S_START + HIDDEN]
    begin, end = float(slot[S_BEGIN]), float(slot[S_END])
    values = {
        "begin": begin,
        "end": end,
        "closing_speed": slot[S_CLOSING],
        "peak_force": slot[S_PEAK],
        "peak_time": slot[S_PEAK_TIME],
        "episodes": slot[S_EPISODES],
        "depth": slot[S_DEEPEST],
        "crush": slot[S_CRUSH],
        "slip_speed": slot[S_SLIP],
        "sides": slot[S_REGION],
        "touching_at_end": float(slot[S_TOUCH] > 0),
        "heat_law": total[7],
        "heat_friction": total[8],
    }
    for k, c in enumerate(XYZ):
        values[f"impulse_{c}"] = total[k]
        values[f"normal_{c}"] = slot[S_NORMAL + k]
        values[f"touch_{c}"] = slot[S_POINT + k]
        values[f"point_{c}"] = total[4 + k] / total[3] if total[3] > 0 else slot[S_POINT + k]
    for when, first in (("before", S_BEFORE), ("after", S_AFTER)):
        for which, at in (("a", first), ("b", first + SNAPSHOT)):
            for k, c in enumerate(XYZ):
                values[f"velocity_{c}_{when}_{which}"] = slot[at + SNAP_V + k]
                values[f"spin_{c}_{when}_{which}"] = slot[at + SNAP_W + k]
                values[f"heading_{c}_{when}_{which}"] = slot[at + HEADING + k]
                values[f"place_{c}_{when}_{which}"] = slot[at + PLACE + k]
            values[f"vibration_{when}_{which}"] = slot[at + VIBRATION]
    count = int(slot[S_SAMPLES])
    samples = slot[SLOT_FIELDS : SLOT_FIELDS + 2 * count].reshape(count, 2)
    force = np.interp(np.linspace(begin, end, PULSE_POINTS), samples[:, 0], samples[:, 1])
    values.update({f"pulse_{k:02d}": force[k] for k in range(PULSE_POINTS)})
    return {name: float(value) for name, value in values.items()}


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
    rows, corners = pack_outlines(outlines)
    for row, item in zip(rows, outlines, strict=True):
        row[BODY] = index[item.body]
        row[CENTRE : CENTRE + 3] -= centres[index[item.body]]
    law_of, table_of_laws = law_tables(outlines, laws, rows)
    excluded = [] if asked.joined else joined_pairs(system, names)
    refuse_overlaps(scene, outlines, rows, corners, names, centres, set(excluded), asked.allowed_overlap)
    pairs = len(outlines) * (len(outlines) - 1) // 2
    touchable = len(carriers) + int(any(item.body == GROUND for item in outlines))
    body_pairs = touchable * (touchable - 1) // 2
    slots = max(1, min(body_pairs, 3 * len(names) + 8))
    tables = pack_pool(
        rows,
        corners,
        table_of_laws,
        law_of,
        bodies,
        excluded,
        margin=asked.margin,
        slots=slots,
        room=max(1, min(pairs, 16 * len(outlines) + 64)),
        log_room=64 + 8 * len(names),
    )
    tables[GROUND_OUTLINES] = float(sum(item.body == GROUND for item in outlines))
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
    bodies = np.zeros((len(carriers) + 1, BODY_WIDTH))
    centres = [np.zeros(3)]
    for k, name in enumerate(carriers):
        row = system.parts[name].row()
        centres.append(np.asarray(row.centre, dtype=float))
        bodies[k + 1, MOBILITY] = 1.0 / row.mass
        bodies[k + 1, MOMENTS : MOMENTS + 3] = row.inertia
        turning = np.array([1.0 / moment if moment > 0.0 else 0.0 for moment in row.inertia])
        bodies[k + 1, INVERSE : INVERSE + 9] = (row.axes @ np.diag(turning) @ row.axes.T).ravel()
        elasticity = system.parts[name].elasticity()
        if elasticity:
            bodies[k + 1, LAME_1], bodies[k + 1, LAME_2], bodies[k + 1, VOLUME] = elasticity[:3]
            bodies[k + 1, DIRECTOR : DIRECTOR + 3] = elasticity[3:]
            bodies[k + 1, DEFORMS] = 1.0
    return bodies, centres


def law_tables(outlines: list[Outline], laws: list[ContactLaw], rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Law of every pair of materials that can meet, and the parameter rows; sets the material of each outline row."""
    materials = list(dict.fromkeys(item.material for item in outlines))
    for row, item in zip(rows, outlines, strict=True):
        row[MATERIAL] = materials.index(item.material)
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
    law_of = np.zeros((len(materials), len(materials)))
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
    corners: np.ndarray,
    names: tuple[str, ...],
    centres: list[np.ndarray],
    excluded: set[int],
    allowed: float,
) -> None:
    """Refuse bodies that stand in each other at the start."""
    frames = np.zeros((len(rows), 12))
    for k, row in enumerate(rows):
        body = int(row[BODY])
        position, gradient = scene.pose(names[body])
        outline_frame(row, body_frame(position + gradient @ centres[body], gradient), frames[k])
    spheres = np.zeros((len(rows), 4))
    bounding_spheres(rows, frames, 0.0, spheres)
    room = 64 + 16 * len(rows)
    while True:
        pairs = np.zeros((room, 2), dtype=np.int64)
        found = find_pairs(
            rows, frames, spheres, np.arange(len(rows)), np.zeros(len(rows)), np.zeros(room, dtype=np.int64), pairs
        )
        if found <= room:
            break
        room = found
    work, iwork = np.zeros(WORK), np.zeros(WORK_INT, dtype=np.int64)
    faults = []
    for a, b in pairs[:found]:
        i, j = sorted((int(rows[a, BODY]), int(rows[b, BODY])))
        if i * len(names) + j in excluded:
            continue
        answer = closest(rows[a], frames[a], rows[b], frames[b], corners, np.zeros(3), work, iwork)
        if answer[10] != NO_ANSWER and answer[0] < -allowed:
            faults.append(
                Fault(
                    f"'{outlines[a].body}' and '{outlines[b].body}' stand in each other at the start",
                    outlines[b].name,
                    got=f"{-answer[0]:.4g} m deep",
                    expected=f"apart, or less than {allowed:g} m deep",
                    hint=f"move '{outlines[b].body}' by at least {-answer[0]:.4g} m along "
                    f"({answer[1]:.3f}, {answer[2]:.3f}, {answer[3]:.3f})",
                )
            )
    if faults:
        raise InputError(faults)
