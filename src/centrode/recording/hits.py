"""Hits that did not go as somebody may think: told by summaries, ``run.warnings`` and the report.

Bodies that overlap by a share s of their radius while they touch meet along a line that turns meanwhile: directions
after an oblique hit of two balls are off by s / 2, in radians (measured with 1 to 12 %).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from centrode.dynamics.contact.collision import AFTER, BEFORE, collision_from_values, relative_speed
from centrode.parts.contact_laws.hunt_crossley import AT_REST

if TYPE_CHECKING:
    from collections.abc import Iterable

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
THROUGH, IN_LINE = 0.5, 0.7
"""Share of the peak force of a hit that another contact of a body bears at that time, and cosine between one impulse
and the other's opposite, from which on the hit went through that body."""


def hit_warnings(run: Recording) -> list[str]:
    """All of them."""
    return other_rebounds(run) + squeezes(run) + touching_hits(run) + deep_overlaps(run)


def just_touched(item: Event) -> bool:
    """Whether a collision began without a speed that a restitution could speak of."""
    return bool(item.values["closing_speed"] < AT_REST)


def other_rebounds(run: Recording) -> list[str]:
    """Hits that gave back another share of their speed than the law was given, because other forces took part."""
    every = run.events.of("collision")
    hits = [item for item in every if item.values.get("asked", 0.0) > 0.0]
    found = []
    for item in hits:
        asked, closing = item.values["asked"], item.values["closing_speed"]
        got = item.values["parting_speed"] / closing if closing > 0.0 else asked
        other = item.values["beside"] > BESIDE and abs(got - asked) > REBOUND * asked and not just_touched(item)
        if other and behind(every, item) is None:
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


def behind(hits: Iterable[Event], item: Event) -> Event | None:
    """The contact of one of the two bodies of a hit through which it went, as of a ball that lies on the floor and is
    hit from above; None where there is none.

    One that had its greatest force before was a hit of its own, and one that pushes the body the same way, as at the
    other end of a see-saw, does not hold it.
    """
    pair, when = set(item.subject.split(" - ")), item.values["peak_time"]
    for other in hits:
        shared = pair & set(other.subject.split(" - "))
        lasts = other.time <= item.time <= other.values["peak_time"] and when <= other.values["end"]
        if len(shared) != 1 or not lasts:
            continue
        strong = other.values["peak_force"] > THROUGH * item.values["peak_force"]
        (inner,) = shared
        if strong and float(_way_of_push(item, inner) @ _way_of_push(other, inner)) < -IN_LINE:
            return other
    return None


def _way_of_push(item: Event, name: str) -> np.ndarray:
    """Unit vector of the impulse on one of the two bodies of a collision."""
    impulse: np.ndarray = collision_from_values(item.values).impulse
    size = float(np.linalg.norm(impulse))
    return (1.0 if item.subject.endswith(f" - {name}") else -1.0) * impulse / size if size > 0.0 else impulse


def squeezes(run: Recording) -> list[str]:
    """Hits on a body that was held by another contact: what the outer two gave back, which is what can be seen."""
    every = run.events.of("collision")
    found = []
    for item in every:
        asked = item.values.get("asked", 0.0)
        second = behind(every, item) if asked > 0.0 and not just_touched(item) else None
        if second is None or item.values["parting_speed"] <= 0.0 or item.values["episodes"] > 1.0:
            continue  # it lasts, or it is a rattle of which only the end is known
        inner, outer = sorted(item.subject.split(" - "), key=lambda name: name not in second.subject.split(" - "))
        (last,) = set(second.subject.split(" - ")) - {inner}
        speeds = [_speed_of(item, outer, when) - _speed_of(second, last, when) for when in (BEFORE, AFTER)]
        share = -float(speeds[AFTER] @ speeds[BEFORE]) / float(speeds[BEFORE] @ speeds[BEFORE])
        if abs(share - asked) > REBOUND * asked:
            found.append((abs(share - asked) * item.values["closing_speed"], item, share, (inner, outer, last)))
    if not found:
        return []
    _, worst, share, (inner, outer, last) = max(found, key=lambda entry: entry[0])
    return [
        f"'{inner}' lay against '{last}' when '{outer}' hit it at {worst.time:.4g} s"
        f"{f' (and {len(found) - 1} more of {len(every)} collisions were so)' if len(found) > 1 else ''}: the hit went "
        f"through both contacts, and '{outer}' left '{last}' with {max(share, 0.0):.2g} of its speed where "
        f"{worst.values['asked']:g} was entered for each pair. Weight and the masses between take part in that; the "
        "method 'moreau' gives each pair its own."
    ]


def _speed_of(item: Event, name: str, when: int) -> np.ndarray:
    """Velocity of the centre of mass of a body before or after a collision [m/s]."""
    velocity: np.ndarray = collision_from_values(item.values).velocity[when, item.subject.split(" - ").index(name)]
    return velocity


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
