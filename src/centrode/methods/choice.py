"""Which method a system is run with when none is named: that of every day, or that of piles.

A pile is a system of many free rigid bodies with outlines whose contacts are hard, or have no law at all. Contact laws
would need steps of a fraction of the shortest contact for as long as anything touches, which in a pile is always.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from centrode.methods.method import find_method
from centrode.parts.bodies.body import Body
from centrode.parts.contact_laws.contact_law import ContactLaw
from centrode.parts.contact_laws.hard import HardContact
from centrode.parts.forces.collisions import Collisions
from centrode.parts.joints.joint import Joint
from centrode.parts.outlines.outline import Outline
from centrode.parts.outlines.road import OutlineRoad
from centrode.parts.placement import GROUND
from centrode.system.settings import DEFAULT_METHOD

if TYPE_CHECKING:
    from centrode.system.builder import System

MANY = 30.0
"""Free bodies with outlines that make a pile."""
TOLD = 20.0
"""Free bodies with outlines from which on whoever has laws push them is told, before the run, what is faster."""
PILES = "moreau"


def suited_method(system: System) -> tuple[str, str]:
    """Name of the method for a system whose user names none, and a word to the user when it is not the usual one."""
    method = find_method(PILES)
    parts = list(system.parts.values())
    bodies = [part for part in parts if isinstance(part, Body)]
    laws = [part for part in parts if isinstance(part, ContactLaw)]
    outlines = [part for part in parts if isinstance(part, Outline)]
    joints = [part for part in parts if isinstance(part, Joint)]
    held = {system.body_of(place) for joint in joints for place in (joint.a, joint.b)}
    free = {item.body for item in outlines} - held - {GROUND}
    plain = (
        len(free) >= TOLD
        and not system.plane
        and not system.of_family("vehicle")
        and not any(isinstance(part, OutlineRoad) for part in outlines)
        and not any(isinstance(part, Collisions) and not part.active for part in parts)
        and not any(method.refuses(body) for body in bodies)
    )
    if not plain:
        return DEFAULT_METHOD, ""
    springs = [law for law in laws if type(law) is not HardContact]
    if len(free) < MANY and not laws:
        return DEFAULT_METHOD, ""  # nothing touches, which is told elsewhere
    if springs or len(free) < MANY:  # they push; but whoever only wants things to fall and lie should know
        text = f"{len(free)} free bodies with outlines, pushed by '{(springs or laws)[0].name}' step by step"
        faster = f"method '{PILES}', with laws of kind hard or restitution, holds piles by impulses, many times faster"
        return DEFAULT_METHOD, f"{text}; {faster}"
    text = f"{len(free)} free bodies with outlines and no method named: a pile, run by '{PILES}' with hard contacts"
    return PILES, f"{text}; name a method, such as {DEFAULT_METHOD}, to have contact laws push them"
