"""From outlines and contact laws of a system to its contacts.

Pairs of bodies that share a joint, and bodies of one vehicle ("bike.frame", "bike.fork"), never touch unless that is
asked for. Two bodies placed in each other are refused with the depth.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from centrode.dynamics.contact.barred import barred_bodies
from centrode.dynamics.contact.broad import overlapping_spheres
from centrode.dynamics.contact.contacts import NO_LAW, Contacts
from centrode.dynamics.contact.cores import Cores
from centrode.dynamics.contact.ground import Ground, ground_of, owners, road_law
from centrode.dynamics.contact.laws import law_handles
from centrode.dynamics.contact.measure import measure
from centrode.dynamics.contact.narrow import find_closest
from centrode.dynamics.contact.persons import without_persons
from centrode.dynamics.contact.probes import probe_tables
from centrode.dynamics.contact.search import ROOM, Closest, Status
from centrode.dynamics.contact.strips import crush_tables
from centrode.dynamics.contact.surface import plane_below
from centrode.dynamics.contact.tables import BODY, fresh_tables
from centrode.dynamics.contact.terrain_contact import terrain_gap
from centrode.dynamics.hard.tables import TOO_DEEP
from centrode.errors import Fault, InputError
from centrode.jit import handle_of
from centrode.parts.bodies.body import Body
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.contact_laws.contact_law import ContactLaw, ContactPairs, Load
from centrode.parts.contact_laws.hard import HardContact
from centrode.parts.forces.collisions import ALLOWED, Collisions
from centrode.parts.joints.fixed import Fixed
from centrode.parts.outlines.box import OutlineBox
from centrode.parts.outlines.outline import PLACED, Outline, Shapes, body_frame, pack_outlines, place_outline
from centrode.parts.outlines.road import OutlineRoad
from centrode.parts.outlines.sphere import OutlineSphere
from centrode.parts.placement import GROUND

if TYPE_CHECKING:
    from centrode.system.builder import System

STEEPEST = 0.5
"""Cosine of the slope up to which a half-space is a floor; steeper ones are walls."""
STANDING = 0.02
"""A shell that is this near to a fixed thing below it stands on it; a car dives by as much when it brakes [m]."""
ONLY_HARD = "take a method of hard contacts: moreau"


def default_law() -> HardContact:
    """What holds outlines apart in hard contacts when no law is given."""
    return HardContact(NO_LAW, restitution=0.01, friction=0.5)


def find_contacts(system: Any, scene: Any, hard: bool = False) -> Contacts | None:
    """The contacts of a system; None when nothing can touch.

    Args:
        hard: contacts are held by impulses, not pushed by laws.

    Raises:
        InputError: bodies overlap at the start, a pair of materials has no law, more than one Collisions part.
    """
    outlines = outlines_of(system)
    asked_for = any(isinstance(item, OutlineRoad) for item in outlines)
    laws = [part for part in system.parts.values() if isinstance(part, ContactLaw)]
    settings = [part for part in system.parts.values() if isinstance(part, Collisions)]
    if len(settings) > 1:
        raise InputError("a system has one part for collisions", path=settings[1].name, got=len(settings))
    asked = settings[0] if settings else Collisions("collisions")
    fields = [item.name for item in outlines if not item.convex]
    if fields and not hard and asked.active and (laws or settings):
        raise InputError("contact laws push convex outlines", path=fields[0], got="a height field", hint=ONLY_HARD)
    if hard and not laws:
        laws = [default_law()]
    if not asked.active or not outlines or not (laws or settings or asked_for):
        return None
    if system.plane:
        raise InputError(
            "contacts of outlines need a system in space",
            path=asked.name,
            got="plane: true",
            hint="in a plane sphere-contact and box-contact (forces) let bodies touch planes; or leave out plane: true",
        )
    ground = ground_of(system, outlines)
    declared = {item.name for item in outlines}
    outlines += [item for item in (*ground.hulls, *chain(*ground.surfaces)) if item.name not in declared]
    if not laws and not ground.touching and not settings:
        return None  # a road that nothing touches
    if not laws and not ground.touching:
        raise InputError("collisions need a contact law", path=asked.name, hint="add a part to contact_laws")
    carriers = [name for name in dict.fromkeys(item.body for item in outlines) if name != GROUND]
    if not carriers:
        return None
    names = (GROUND, *carriers)
    index = {name: k for k, name in enumerate(names)}
    faults = [
        Fault("an outline needs a body", item.name, got=item.body, expected="the name of a body")
        for item in outlines
        if item.body != GROUND and not isinstance(system.parts.get(item.body), Body)
    ]
    if faults:
        raise InputError(faults)
    refuse_point_masses(system.parts, outlines)
    bodies, centres = body_constants(system, carriers)
    rows, shapes = pack_outlines(outlines)
    for row, item in zip(rows, outlines, strict=True):
        row.body = index[item.body]
        row.centre -= centres[index[item.body]]
        row.rigid = not bodies[row.body].deforms
        row.swept, row.flat_ended = row.swept and row.rigid, row.flat_ended and row.rigid
    ground.mark(outlines, rows)
    gravity = np.asarray(system.gravity, dtype=float)
    laws, law_of = law_tables(outlines, laws, rows, bodies, float(np.linalg.norm(gravity)))
    speeds = greatest_speeds(system, scene, names, gravity, bool((rows["body"] == 0).any()))
    loads = [load_of(k, law_of, rows, bodies, gravity, speeds) for k in range(len(laws))]
    chosen = {law.name: words for law, load in zip(laws, loads, strict=True) if (words := chosen_words(law, load))}
    laws = [law.fitted(load) for law, load in zip(laws, loads, strict=True)]
    excluded = [] if asked.joined else joined_pairs(system, names)
    packed = Packed(rows, shapes, ground, probe_tables(outlines, rows, ground))
    driven = {part.name for part in system.of_family("vehicle")}
    allowed = np.full(len(rows), asked.allowed_overlap)
    if hard and asked.allowed_overlap <= ALLOWED:  # deeper than that a run with impulses is not to be believed
        allowed = np.minimum(allowed, TOO_DEEP * rows["thickness"])
    refuse_overlaps(scene, outlines, packed, names, centres, set(excluded), allowed, driven)
    pairs = len(outlines) * (len(outlines) - 1) // 2
    grounds = int((rows["surface"] > 0).any()) + int(((rows["surface"] == 0) & (rows["body"] == 0)).any())
    touching = len(carriers) * (len(carriers) - 1) // 2 + len(carriers) * grounds
    crushing = crush_tables(system, outlines, laws, rows, shapes)
    tables = fresh_tables(
        {
            **crushing,
            "closest": handle_of(find_closest),
            "measure": handle_of(measure),
            "law_kernels": law_handles(laws),
            "outline_kernels": shapes.handles,
            "outlines": rows,
            "points": shapes.points,
            "faces": shapes.faces,
            "laws": np.array([law.pack() for law in laws]),
            "law_of": np.maximum(law_of, 0),  # of pairs that never meet: any
            "bodies": bodies,
            "roads": ground.rows,
            "road_tables": ground.tables,
            **packed.probes,
            "excluded": np.array(excluded, dtype=np.int64),
        },
        margin=asked.listing_margin(min(item.bounding_radius() for item in outlines if item.body != GROUND)),
        pulses=1 if hard else max(1, min(touching, 3 * len(names) + 8)),
        room=1 if hard else max(1, min(pairs, 32 * len(outlines) + 64)),
        log_room=1 if hard else 64 + 8 * len(names),
    )
    tables.head[0].columns = len(tables.indexed)
    episodes = max(1, min(pairs, 8 * len(outlines) + 16))  # six touching pairs a ball in the densest pile, and walls
    outline_names = tuple(item.name for item in outlines)
    cores = Cores(system, names, tables, outlines)
    speed = float(np.hypot(*speeds))
    barred = barred_bodies(system, scene, outlines, laws, [names[code] for code in excluded if code < len(names)])
    found = Contacts(
        asked.name, names, outline_names, tuple(centres), tuple(laws), tables, episodes, cores, speed, chosen, barred
    )
    if not hard:
        return found
    from centrode.dynamics.hard.contacts import harden

    return harden(found, system, outlines)


def outlines_of(system: Any) -> list[Outline]:
    """All outlines of a system; a vehicle without an outline on its body brings its shell, and what is below it.

    The shell of the report of 1999 stands on the road. Where the ground has a floor it would rub on it as soon as the
    car dives; there, as in a crash, the body over its clearance stands for the car.
    """
    declared = [part for part in system.parts.values() if isinstance(part, Outline)]
    taken = {item.body for item in declared}
    crushes = any(isinstance(part, ContactLaw) and part.by_columns for part in system.parts.values())
    floor = any(is_floor(item, np.asarray(system.gravity, dtype=float)) for item in declared)
    vehicles = list(system.of_family("vehicle"))
    brought = [part.shell(crushes or floor) for part in vehicles]
    brought += [item for part in vehicles for item in part.further_outlines()]
    return declared + [item for item in brought if item is not None and item.body not in taken]


def is_floor(outline: Outline, gravity: np.ndarray) -> bool:
    """Whether an outline is a half-space of the ground on which things could stand."""
    normal = np.asarray(outline.rotation, dtype=float)[:, 2]
    upright = -float(normal @ gravity) > STEEPEST * float(np.linalg.norm(gravity))
    return outline.half_space and outline.body == GROUND and upright and not isinstance(outline, OutlineRoad)


def refuse_point_masses(parts: Mapping[str, object], outlines: list[Outline]) -> None:
    """Refuse outlines that would turn bodies without inertia, which do not turn: all but balls about the centre of mass
    of a body at rest.
    """
    faults = []
    for item in outlines:
        body = parts.get(item.body)
        if not isinstance(body, RigidBody) or np.any(body.row().inertia):
            continue
        row = body.row()
        if isinstance(item, OutlineSphere) and np.allclose(item.centre, row.centre) and not np.any(body.omega):
            continue
        hint = "enter its inertia, three principal moments"
        if isinstance(item, OutlineBox):
            a, b, c = (row.mass / 3.0 * length**2 for length in item.half_lengths)
            hint += f"; a solid block of this size has [{b + c:.4g}, {a + c:.4g}, {a + b:.4g}]"
        what = f"contacts of '{item.name}' would turn this body, which has no inertia"
        faults.append(Fault(what, f"{body.name}.inertia", expected="the inertia of a body, kg*m2", hint=hint))
    if faults:
        raise InputError(faults)


def body_constants(system: Any, carriers: list[str]) -> tuple[np.ndarray, list[np.ndarray]]:
    """Table of bodies (the ground first) and their centres of mass in body axes [m]."""
    bodies = np.zeros(len(carriers) + 1, BODY)
    centres = [np.zeros(3)]
    held = fixed_to_ground(system)
    for body, name in zip(bodies[1:], carriers, strict=True):
        row = system.parts[name].row()
        centres.append(np.asarray(row.centre, dtype=float))
        body.mobility = 1.0 / row.mass
        body.falls = 0.0 if name in held else row.weight_mass / row.mass
        body.moments = row.inertia
        turning = np.array([1.0 / moment if moment > 0.0 else 0.0 for moment in row.inertia])
        body.inverse = row.axes @ np.diag(turning) @ row.axes.T
        elasticity = system.parts[name].elasticity()
        if elasticity:
            body.elasticity, body.directors, body.deforms = elasticity[:3], elasticity[3:], 1
    return bodies, centres


def fixed_to_ground(system: System) -> set[str]:
    """The ground, and bodies that fixed joints hold there: they do not fall when something falls on them."""
    links = [{system.body_of(part.a), system.body_of(part.b)} for part in system.parts.values() if type(part) is Fixed]
    held, grown = {GROUND}, True
    while grown:
        reached = set().union(*(link for link in links if link & held)) - held
        held |= reached
        grown = bool(reached)
    return held


class Packed(NamedTuple):
    """Outlines as rows, what they share, the roads that they touch, and the points that feel terrain."""

    rows: np.ndarray
    shapes: Shapes
    ground: Ground
    probes: dict[str, np.ndarray]


def law_tables(
    outlines: list[Outline], laws: list[ContactLaw], rows: np.ndarray, bodies: np.ndarray, gravity: float
) -> tuple[list[ContactLaw], np.ndarray]:
    """All laws, with those of roads that none is given for, and the number of the law of every pair of materials that
    can meet; sets the material of each outline row. ``bodies``: their table; gravity [m/s2].
    """
    laws = list(laws)
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
    carriers: dict[str, set[str]] = {m: set() for m in materials}
    roads: set[str] = set()
    on_roads: set[str] = set()
    for row, item in zip(rows, outlines, strict=True):
        if row.surface:
            roads.add(item.material)
        elif not row.roads_only:
            carriers[item.material].add(item.body)
        if row.meets:
            on_roads.add(item.material)
    law_of = np.full((len(materials), len(materials)), -1)  # -1: never meet, so no law has to hold them
    for p, one in enumerate(materials):
        for q, two in enumerate(materials):
            if q < p:
                continue
            if carriers[one] and carriers[two] and len(carriers[one] | carriers[two]) > 1:
                law = _law_of(pairs, outlines, (one, two), without_persons(fallback, (one, two)))
            elif (one in roads and two in on_roads) or (two in roads and one in on_roads):
                lying = two if one in roads else one
                held = rows["body"][(rows["material"] == materials.index(lying)) & (rows["body"] > 0)]
                mass = 1.0 / float(bodies["mobility"][held].min())
                law = pairs.law_for(one, two, road_law(lying, mass, gravity))
            else:
                continue
            if law not in laws:
                laws.append(law)
            law_of[p, q] = law_of[q, p] = laws.index(law)
    return laws, law_of


def _law_of(
    pairs: ContactPairs, outlines: list[Outline], materials: tuple[str, str], otherwise: ContactLaw | None
) -> ContactLaw:
    """The law of two materials; where there is none the outline is told whose material no law knows, or the second."""
    try:
        return pairs.law_for(*materials, otherwise)
    except InputError as error:
        served = pairs.materials()
        strange = next((name for name in materials if name not in served), materials[1])
        owner = next(item for item in outlines if item.material == strange)
        raise InputError([replace(fault, path=f"{owner.name}.material") for fault in error.faults]) from None


Speeds = tuple[float, float]
"""Greatest speed at the start, and that of a fall from the highest place to the lowest [m/s]."""


def greatest_speeds(
    system: Any, scene: Any, names: tuple[str, ...], gravity: np.ndarray, grounded: bool
) -> tuple[float, float]:
    """Greatest speed of a body at the start, against the mean of all where nothing stands on the ground, and that of a
    fall from the highest one to the lowest or the origin [m/s].
    """
    velocities = np.array([system.parts[name].row().velocity for name in names[1:]])
    fastest = np.linalg.norm(velocities - velocities.mean(axis=0), axis=1).max()
    if grounded:
        fastest = np.linalg.norm(velocities, axis=1).max()
    heights = [-float(scene.pose(name)[0] @ gravity) for name in names]
    return float(fastest), float(np.sqrt(2.0 * np.ptp(heights)))


def chosen_words(law: ContactLaw, load: Load) -> str:
    """What is told of a stiffness that was left out; nothing of laws that have one, or that nothing needs."""
    exponent = law.left_out()
    if exponent is None or load.mass == 0.0:
        return ""
    unit = "N/m" if exponent == 1.0 else f"N/m^{exponent:g}"
    return f"contact law '{law.name}': stiffness {load.stiffness(exponent):.3g} {unit}, {load.reason(exponent)}"


def load_of(
    number: int, law_of: np.ndarray, rows: np.ndarray, bodies: np.ndarray, gravity: np.ndarray, speeds: Speeds
) -> Load:
    """What the law of a number has to hold: the bodies whose materials it serves."""
    served = np.isin(rows["material"], np.flatnonzero((law_of == number).any(axis=1)))
    moving = served & (rows["body"] > 0)
    if not moving.any():
        return Load(0.0, 1.0, 0.0, 0.0)
    mass = 1.0 / float(bodies["mobility"][rows["body"][moving]].min())
    thickness = float(rows["thickness"][served].min())
    return Load(mass, thickness, float(np.linalg.norm(gravity)), *speeds)


def joined_pairs(system: Any, names: tuple[str, ...]) -> list[int]:
    """Codes of pairs of bodies that share a joint, a vehicle or a robot."""
    index = {name: k for k, name in enumerate(names)}
    found: set[int] = set()

    def add(one: str, two: str) -> None:
        if one in index and two in index and one != two:
            i, j = sorted((index[one], index[two]))
            found.add(i * len(names) + j)

    for joint in system.of_family("joint"):
        add(system.body_of(joint.a), system.body_of(joint.b))
    vehicles = {part.name for part in system.of_family("vehicle")}
    groups: dict[str, list[str]] = {}
    for name in names[1:]:
        if "." in name:
            within = [owner for owner in owners(name) if owner in vehicles]  # a reader may bring many
            groups.setdefault(max(within, key=len, default=name.split(".")[0]), []).append(name)
    for members in (*groups.values(), *system.apart):
        for k, one in enumerate(members):
            for two in members[k + 1 :]:
                add(one, two)
    return sorted(found)


def refuse_overlaps(
    scene: Any,
    outlines: list[Outline],
    packed: Packed,
    names: tuple[str, ...],
    centres: list[np.ndarray],
    excluded: set[int],
    allowed_of: np.ndarray,
    vehicles: set[str],
) -> None:
    """Refuse bodies that stand in each other at the start; a vehicle is told a way out along its road."""
    rows = packed.rows
    placed = np.zeros(len(rows), PLACED)
    for row, place in zip(rows, placed, strict=True):
        position, gradient = scene.pose(names[row.body])
        place_outline(row, body_frame(position + gradient @ centres[row.body], gradient), place)
    room_of_query = np.zeros(1, ROOM)[0]
    faults = []
    for a, b in overlapping_spheres(rows, placed):
        i, j = sorted((int(rows[a].body), int(rows[b].body)))
        if i * len(names) + j in excluded:
            continue
        answer = gap_at_start(packed, placed, int(a), int(b), room_of_query)
        if answer.status == Status.NO_ANSWER:
            continue
        shell, below = (a, b) if rows[b].body == 0 else (b, a)
        rubs = outlines[shell].name in {f"{name}.shell" for name in vehicles} and rows[below].body == 0
        upright = abs(float(np.array(answer.normal) @ scene.gravity)) > STEEPEST * float(np.linalg.norm(scene.gravity))
        if rubs and upright and not rows[below].surface and abs(answer.gap) < STANDING:
            what = f"the shell of '{outlines[shell].body}' stands on this and would rub when it dives"
            hint = "a road carries its wheels, and a floor is an outline of kind plane"
            faults.append(Fault(what, outlines[below].name, got=f"{answer.gap:.2g} m below", hint=hint))
        elif answer.gap < -(allowed := float(min(allowed_of[a], allowed_of[b]))):
            n, far = np.array(answer.normal), -answer.gap
            if all(any(f"{outlines[k].body}.".startswith(f"{name}.") for name in vehicles) for k in (a, b)):
                n, far = way_out(packed, placed[[a, b]], (int(a), int(b)), scene.gravity)
            moved = outlines[b]
            if moved.body == GROUND:  # which cannot be moved
                moved, n = outlines[a], -n
            faults.append(
                Fault(
                    f"'{outlines[a].body}' and '{outlines[b].body}' stand in each other at the start",
                    outlines[b].name,
                    got=f"{-answer.gap:.4g} m deep",
                    expected=f"apart, or less than {allowed:g} m deep",
                    hint=f"move '{moved.body}' by at least {far:.4g} m along ({n[0]:.3f}, {n[1]:.3f}, {n[2]:.3f})",
                )
            )
    if faults:
        raise InputError(faults)


def gap_at_start(packed: Packed, placed: np.ndarray, a: int, b: int, room: np.record) -> Closest:
    """Gap, normal and points of two outlines, with the surface of a road where it is below the other one."""
    rows, shapes, ground, probes = packed
    road, other = (a, b) if rows[a].surface else (b, a)
    if rows[road].surface and ground.rows[rows[road].surface - 1].curved:
        about = ground.rows[rows[road].surface - 1]
        table, probed = ground.table_of(int(rows[road].surface)), probes["probed"][other]
        if about.steepest > 0.0 and probed.count > 0:
            steep, ends = float(about.steepest), bool(about.ends)
            gap, n, x = terrain_gap(table, steep, ends, probed, probes["probes"], placed[other])
            along = n if road == a else (-n[0], -n[1], -n[2])
            return Closest(gap, along, x, x, Status.CONVERGED, 1)
        plane_below(table, np.nan, rows[other], placed[other], shapes, bool(about.ends), placed[road])
    return find_closest(rows[a], placed[a], rows[b], placed[b], *shapes, room, (0.0, 0.0, 0.0), np.inf)


def way_out(packed: Packed, placed: np.ndarray, pair: tuple[int, int], gravity: np.ndarray) -> tuple[np.ndarray, float]:
    """Shortest level way of the second of two outlines out of the first: along one of their own axes or away from its
    middle; direction and distance [m].
    """
    up = np.array((0.0, 0.0, 1.0))
    if np.linalg.norm(gravity) > 0.0:
        up = -gravity / np.linalg.norm(gravity)
    one, two = placed
    room = np.zeros(1, ROOM)[0]
    start = two.position.copy()
    asked = [*one.directors, *two.directors, *-one.directors, *-two.directors, start - one.position]
    level = [item - (item @ up) * up for item in asked]
    ways = [item / np.linalg.norm(item) for item in level if np.linalg.norm(item) > 1e-3]

    def apart(way: np.ndarray, far: float) -> bool:
        two.position = start + far * way
        rows = packed.rows[pair[0]], one, packed.rows[pair[1]], two
        return find_closest(*rows, *packed.shapes, room, (0.0, 0.0, 0.0), np.inf).gap >= 0.0

    found = []
    for way in ways:
        low, high = 0.0, 2.0 * float(one.reach + two.reach)
        while high - low > 1e-4 * high:
            half = 0.5 * (low + high)
            low, high = (low, half) if apart(way, half) else (half, high)
        found.append((high, tuple(way)))
    two.position = start
    far, way = min(found)
    return np.array(way), far
