"""Hits that did not go as somebody may think: told by summaries, ``run.warnings`` and the report.

Bodies that overlap by a share s of their radius while they touch meet along a line that turns meanwhile: directions
after an oblique hit of two balls are off by s / 2, in radians (measured with 1 to 12 %).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from centrode.dynamics.contact.collision import AFTER, collision_from_values, relative_speed
from centrode.parts.contact_laws.hunt_crossley import AT_REST

if TYPE_CHECKING:
    from centrode.recording.events import Event
    from centrode.recording.recording import Recording

BESIDE, REBOUND = 0.05, 0.05
"""Speed that other forces made during a hit over its closing speed, and share of the entered restitution by which the
rebound may be off, from which on a reader is told."""
DEEP = 0.05
"""Overlap over the thinner half-width from which on a reader is told: directions are off by more than a degree."""
HIT = 100.0
"""Acceleration by a contact that is a hit, not weight that is borne [m/s2]."""
PASSED_ON = 10.0
"""Times its closing speed with which a contact that just touched parts: it was hit by way of others."""


def hit_warnings(run: Recording) -> list[str]:
    """All of them."""
    return other_rebounds(run) + touching_hits(run) + deep_overlaps(run)


def just_touched(item: Event) -> bool:
    """Whether a collision began without a speed that a restitution could speak of."""
    return bool(item.values["closing_speed"] < AT_REST)


def other_rebounds(run: Recording) -> list[str]:
    """Hits that gave back another share of their speed than the law was given, because other forces took part."""
    hits = [item for item in run.events.of("collision") if item.values.get("asked", 0.0) > 0.0]
    found = []
    for item in hits:
        asked, closing = item.values["asked"], item.values["closing_speed"]
        got = item.values["parting_speed"] / closing if closing > 0.0 else asked
        if item.values["beside"] > BESIDE and abs(got - asked) > REBOUND * asked and not just_touched(item):
            found.append((abs(got - asked), item, got))
    if not found:
        return []
    _, worst, got = max(found, key=lambda entry: entry[0])
    count = f"{len(found)} of {len(hits)} hits" if len(hits) > 1 else "The hit"
    return [
        f"{count} gave back another share of the speed than the restitution entered, the farthest {got:.2g} where "
        f"{worst.values['asked']:g} was asked for ({worst.subject} at {worst.time:.4g} s, "
        f"{worst.values['closing_speed']:.3g} m/s): weight, joints or other contacts pressed while they touched; "
        "a greater stiffness makes contacts shorter."
    ]


def passed_on(item: Event) -> float:
    """Speed with which two bodies that just touched parted after a hit that went through their contact [m/s]; 0: none
    to speak of, or they were moved apart."""
    hit = collision_from_values(item.values)
    if not (just_touched(item) and hit.mass.all() and not hit.by_columns):
        return 0.0
    parting, push = relative_speed(hit, AFTER), hit.peak_force * float(np.sum(1.0 / hit.mass))
    return parting if parting > max(PASSED_ON * hit.closing_speed, AT_REST) and push > HIT else 0.0


def touching_hits(run: Recording) -> list[str]:
    """Contacts that were there before they were hit, as in a row of touching balls."""
    found = [(speed, item) for item in run.events.of("collision") if (speed := passed_on(item)) > 0.0]
    if not found:
        return []
    _, worst = max(found, key=lambda entry: entry[0])
    when = worst.values["peak_time"]  # they touched before: the hit is where the force was greatest
    return [
        f"Bodies that touched already were hit by way of each other ({worst.subject} at {when:.4g} s"
        f"{f', and {len(found) - 1} more' if len(found) > 1 else ''}): a hit goes through all that touch at once, and "
        "how they share it out follows from stiffness and exponent of the law, not from the restitution of each pair. "
        "For hits one after the other leave gaps in which they part, a tenth of a millimetre or more, and take a "
        "stiff law."
    ]


def deep_overlaps(run: Recording) -> list[str]:
    """Bodies that were deep in each other, by a law that stands for hard ones."""
    hits = run.events.of("collision")
    found = [item for item in hits if item.values.get("overlap", 0.0) > DEEP]
    if not found:
        return []
    worst = max(found, key=lambda item: item.values["overlap"])
    share = worst.values["overlap"]
    advice = "take a stiffer law"
    if worst.values["shorter"] > 0.0:
        advice = f"enter `duration: {rounded(worst.values['shorter'], down=True):g}` in their contact law"
    elif worst.values["stiffer"] > 0.0:
        advice = f"enter `stiffness: {rounded(worst.values['stiffer']):g}` in their contact law"
    count = f" ({len(found)} of {len(hits)} collisions are deeper than {100 * DEEP:g} %)" if len(hits) > 1 else ""
    means = f"directions after oblique hits are off by up to {math.degrees(0.5 * share):.2g} degrees, and contacts "
    means += "last longer than those of hard bodies"
    if share > 0.5:
        means = "the law does not hold them apart, and what follows says little of hard bodies"
    return [
        f"{worst.subject} were {worst.values['depth']:.2g} m in each other at {worst.time:.4g} s, {100 * share:.0f} % "
        f"of the thinner one's half-width{count}: {means}; {advice}."
    ]


def rounded(value: float, down: bool = False) -> float:
    """A number to enter: two digits, not below (or above) what is asked for."""
    scale = 10.0 ** (math.floor(math.log10(value)) - 1)
    return float(f"{(math.floor if down else math.ceil)(value / scale) * scale:.2g}")
