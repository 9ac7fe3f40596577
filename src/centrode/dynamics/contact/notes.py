"""What is worth a word about who can touch whom: said by ``check``, at the start of a run and in summaries."""

from __future__ import annotations

import difflib
import math
from typing import TYPE_CHECKING

import numpy as np

from centrode.dynamics.contact.inertias import inertia_words
from centrode.dynamics.contact.setup import outlines_of
from centrode.errors import UNMET
from centrode.parts.bodies.body import Body
from centrode.parts.contact_laws.contact_law import ContactLaw
from centrode.parts.forces.collisions import Collisions
from centrode.parts.joints.joint import Joint
from centrode.parts.joints.rolling_disc import RollingJoint
from centrode.parts.outlines.height_field import OutlineHeightField
from centrode.parts.placement import GROUND

EVALUATIONS, FOR_EVERY_BODY = 130.0, 15.0
"""Looks at all contacts while the shortest one lasts, of a method with step control: with few bodies, and for each of
many, as every touch ends a step; between rows of dominoes (3 for each) and what is poured (50)."""
EVALUATIONS_EQUAL = 400.0
"""Of one of equal steps: 32 steps in a contact, a dozen looks in each."""
LOOK = 3e-6
"""What a look costs for a body of a pile [s], on one core of 2020 or so."""
WORTH_A_WORD = 120.0
"""Computing time from which on the user is told of it at the start [s]."""
MISSPELT = 0.8
"""How alike two names are of which one is taken for a slip of the other, by difflib."""
FALL = 1.0
"""Speed for which contacts of laws that stiffen are timed [m/s]."""

if TYPE_CHECKING:
    from centrode.dynamics.contact.contacts import Contacts
    from centrode.methods.method import Method
    from centrode.system.builder import System


def contact_words(system: System, contacts: Contacts | None) -> list[str]:
    """Words on contacts that somebody may count on and that cannot be."""
    asked = [part for part in system.parts.values() if isinstance(part, Collisions)]
    if system.plane or any(not part.active for part in asked):
        return []
    found = _without_law(system) if contacts is None and not asked else []
    if contacts is not None:
        found += contacts.notes() + _planes_alone(system) + _strange_materials(system) + _nailed_wheels(system)
        found += _beside_fields(system)
    return found + _without_outline(system) + inertia_words(system, outlines_of(system))


def chosen_words(contacts: Contacts | None, method: Method) -> list[str]:
    """What was chosen for laws that left it out: told, and nothing to be warned of."""
    if contacts is None:
        return []
    return _smooth_words(contacts) if method.hard_contacts else list(contacts.chosen.values())


def _smooth_words(contacts: Contacts) -> list[str]:
    """Laws of hard contacts without friction: where there is no law at all it is not zero."""
    smooth = [f"'{law.name}'" for law in contacts.laws if law.friction == 0.0]
    if not smooth:
        return []
    return [f"smooth, as a law is that leaves friction out (friction: 0): {', '.join(smooth)}"]


def cost_words(system: System, contacts: Contacts | None, method: Method, duration: float) -> list[str]:
    """What many bodies that contact laws push will cost, roughly, and what is quicker; nothing for few of them."""
    if contacts is None or method.hard_contacts or system.of_family("vehicle"):
        return []
    owners = contacts.tables.outlines["body"]
    moving = np.flatnonzero(owners > 0)
    if moving.size == 0:
        return []
    lightest = int(moving[np.argmax(contacts.tables.bodies["mobility"][owners[moving]])])
    lasts = contacts.lasts((lightest, lightest), FALL)
    count = len(contacts.bodies) - 1
    looks = duration / lasts * (max(EVALUATIONS, FOR_EVERY_BODY * count) if method.adaptive else EVALUATIONS_EQUAL)
    seconds = looks * count * LOOK
    if not WORTH_A_WORD < seconds < math.inf:
        return []
    spent = f"{seconds / 60.0:.0f} minutes" if seconds < 7200.0 else f"{seconds / 3600.0:.0f} hours"
    who = "1 body" if count == 1 else f"{count} bodies"
    return [
        f"{who} whose contacts last {1e3 * lasts:.2g} ms: {spent} of computing if "
        "they touch all the time; method 'moreau', with laws of kind hard or restitution, is many times faster"
    ]


def _without_law(system: System) -> list[str]:
    """Bodies that have outlines and would pass through each other for want of a contact law."""
    outlines = outlines_of(system)
    bodies = list(dict.fromkeys(item.body for item in outlines))
    if len(bodies) < 2:
        return []
    moving = [name.removesuffix(".body") for name in bodies if name != GROUND]
    standing = [item.name.removesuffix(".outline") for item in outlines if item.body == GROUND]
    names = _listed(list(dict.fromkeys(moving + standing)))
    return [
        f"no contact law: {names} {UNMET}; add one to contact_laws, for vehicles `cars: {{kind: crush, friction: 0.4}}`"
    ]


def _without_outline(system: System) -> list[str]:
    """Free bodies and vehicles without an outline, where others or the ground have one: they would pass through all.

    A body that joints connect with the ground or with one that has an outline is held by it. A vehicle of which no body
    has an outline stands on its wheels, and drives through whatever it meets.
    """
    outlined = list(dict.fromkeys(item.body for item in outlines_of(system)))
    if not outlined:
        return []
    vehicles = {part.name: f"{part.name}." for part in system.of_family("vehicle")}
    held = _held_by(system, {GROUND, *outlined})
    bodies = [part.name for part in system.parts.values() if isinstance(part, Body) and part.row().mass > 0]
    bare = [name for name in bodies if name not in held and not name.startswith(tuple(vehicles.values()))]
    bare += [
        name
        for name, begin in vehicles.items()
        if any(body.startswith(begin) for body in bodies) and not any(body.startswith(begin) for body in outlined)
    ]
    if not bare:
        return []
    others = "the ground" if GROUND in outlined else f"'{outlined[0]}'"
    verb = "passes" if len(bare) == 1 else "pass"
    return [f"no outline: {_listed(bare)} {verb} through {others} and all else; add one to outlines"]


def _nailed_wheels(system: System) -> list[str]:
    """Wheels with outlines that roll by joints on a plane of their own: nothing lets them go when they are struck."""
    outlined = {item.body for item in outlines_of(system)}
    rolling = [part for part in system.parts.values() if isinstance(part, RollingJoint)]
    nailed = [name for part in rolling if (name := system.body_of(part.b)) in outlined]
    if not nailed or system.of_family("road"):
        return []
    return [f"no road: {_listed(nailed)} roll on a plane that holds them with any force; struck, they stand like posts"]


def _strange_materials(system: System) -> list[str]:
    """Laws for a material that no outline has, with a name almost like one that there is: another law serves that one.

    Other names may be meant: laws are often written once for many scenarios.
    """
    known = sorted({item.material for item in outlines_of(system)})
    return [
        f"contact law '{law.name}' is for '{name}', which is the material of no outline; did you mean '{near[0]}'?"
        for law in system.parts.values()
        if isinstance(law, ContactLaw)
        for name in law.between
        if name not in known and (near := difflib.get_close_matches(name, known, 1, MISSPELT))
    ]


def _planes_alone(system: System) -> list[str]:
    """Bodies with nothing but planes for outlines, where others are planes too: half-spaces never meet.

    A body that joints connect with the ground, as a wall on a slider, or with one that has another outline is held.
    """
    outlines = outlines_of(system)
    bounded = {item.body for item in outlines if not item.half_space}
    held = _held_by(system, {GROUND, *bounded})
    planes = [item for item in outlines if item.half_space]
    alone = list(dict.fromkeys(item.body for item in planes if item.body not in held))
    passed = [f"'{item.name}'" for item in planes if item.body not in alone[:1]]
    if not alone or not passed:
        return []
    verb = "passes" if len(alone) == 1 else "pass"
    return [
        f"planes never touch planes: {_listed(alone)} {verb} through {passed[0]}; a plane is for the ground and for "
        "walls that joints guide: give a body that falls a box, thin as it may be"
    ]


def _beside_fields(system: System) -> list[str]:
    """Free bodies that start beside the only ground there is, a height field: they fall for ever."""
    outlines = outlines_of(system)
    grounds = [item for item in outlines if item.body == GROUND]
    fields = [item for item in grounds if isinstance(item, OutlineHeightField)]
    if not fields or len(fields) < len(grounds):
        return []
    held = _held_by(system, {GROUND})
    bodies = [part for part in system.parts.values() if isinstance(part, Body) and part.name not in held]
    outlined = {item.body for item in outlines}
    beside = [
        part.name for part in bodies
        if part.name in outlined and not any(_is_over(field, part.pose()[0]) for field in fields)
    ]  # fmt: skip
    if not beside:
        return []
    first = fields[0]
    along, across = first.half_sides()
    starts = "starts" if len(beside) == 1 else "start"
    return [
        f"no ground below: {_listed(beside)} {starts} beside '{first.name}', whose middle is at its centre and which "
        f"reaches {along:g} m along own x and {across:g} m along own y from there"
    ]


def _is_over(field: OutlineHeightField, place: np.ndarray) -> bool:
    """Whether a place is above or below a height field."""
    own = np.asarray(field.rotation, dtype=float).T @ (place - np.asarray(field.centre, dtype=float))
    return bool(np.all(np.abs(own[:2]) <= field.half_sides()))


def _held_by(system: System, bodies: set[str]) -> set[str]:
    """These bodies and all that joints connect with them."""
    held = set(bodies)
    joints = [part for part in system.parts.values() if isinstance(part, Joint)]
    links = [{system.body_of(joint.a), system.body_of(joint.b)} for joint in joints]
    grows = True
    while grows:
        reached = set().union(*(link for link in links if link & held)) - held
        held |= reached
        grows = bool(reached)
    return held


def _listed(names: list[str]) -> str:
    return ", ".join(f"'{name}'" for name in names[:3]) + (", ..." if names[3:] else "")
