"""What is worth a word about who can touch whom: said by ``check``, at the start of a run and in summaries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from centrode.dynamics.contact.setup import outlines_of
from centrode.parts.bodies.body import Body
from centrode.parts.forces.collisions import Collisions
from centrode.parts.joints.joint import Joint
from centrode.parts.placement import GROUND

if TYPE_CHECKING:
    from centrode.dynamics.contact.contacts import Contacts
    from centrode.system.builder import System


def contact_words(system: System, contacts: Contacts | None) -> list[str]:
    """Words on contacts that somebody may count on and that cannot be."""
    asked = [part for part in system.parts.values() if isinstance(part, Collisions)]
    if system.plane or any(not part.active for part in asked):
        return []
    found = _without_law(system) if contacts is None and not asked else []
    return found + ([] if contacts is None else contacts.notes()) + _without_outline(system)


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
        f"no contact law: {names} pass through each other where they meet; add one to contact_laws, "
        "for vehicles `cars: {kind: crush, friction: 0.4}`"
    ]


def _without_outline(system: System) -> list[str]:
    """Free bodies without an outline, where others or the ground have one: they would fall through everything.

    A body that joints connect with the ground or with one that has an outline is held by it, and what belongs to a
    vehicle stands on its wheels.
    """
    outlined = list(dict.fromkeys(item.body for item in outlines_of(system)))
    if not outlined:
        return []
    vehicles = tuple(f"{part.name}." for part in system.of_family("vehicle"))
    held = {GROUND, *outlined}
    joints = [part for part in system.parts.values() if isinstance(part, Joint)]
    links = [{system.body_of(joint.a), system.body_of(joint.b)} for joint in joints]
    grows = True
    while grows:
        reached = set().union(*(link for link in links if link & held)) - held
        held |= reached
        grows = bool(reached)
    bare = [
        part.name
        for part in system.parts.values()
        if isinstance(part, Body)
        and part.name not in held
        and not part.name.startswith(vehicles)
        and part.row().mass > 0
    ]
    if not bare:
        return []
    others = "the ground" if GROUND in outlined else f"'{outlined[0]}'"
    verb = "passes" if len(bare) == 1 else "pass"
    return [f"no outline: {_listed(bare)} {verb} through {others} and all else; add one to outlines"]


def _listed(names: list[str]) -> str:
    return ", ".join(f"'{name}'" for name in names[:3]) + (", ..." if names[3:] else "")
