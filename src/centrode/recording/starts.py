"""Starts that were solved backwards from an impact (``impact_at``): what they are, and whether the impact was met."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from centrode.display import Custom, custom_of

if TYPE_CHECKING:
    from centrode.recording.recording import Recording

SOLVED = "start solved backwards"
"""Kind of the event; subject is the vehicle, values are x, y, heading and speed, impact_at and speed_at_impact."""
CHOSEN = "chosen"
"""Kind of the event that tells what was chosen where it was left out; subject is the text. No warning."""
EARLY = 0.02
"""A first touch that comes before the time of the impact by more is not the impact that was asked for [s]."""


def start_text(vehicle: str, values: Mapping[str, float], custom: Custom) -> str:
    """Where a vehicle starts and how fast, in the units of a reader."""
    x, y = (custom.text("length", values[c]) for c in "xy")
    heading = custom.with_unit("angle", math.degrees(values["heading"]))
    return (
        f"{vehicle} starts at ({x}, {y}) {custom.of('length').unit}, heading {heading}, "
        f"{custom.with_unit('speed', values['speed'])} (solved backwards), to be where it is asked for with "
        f"{custom.with_unit('speed', values['speed_at_impact'])} at {values['impact_at']:g} s"
    )


def start_notes(run: Recording) -> list[str]:
    """What was solved or chosen for the start of a run."""
    custom = custom_of(run.provenance.settings)
    solved = [start_text(item.subject, item.values, custom) for item in run.events.of(SOLVED)]
    return solved + [item.subject for item in run.events.of(CHOSEN)]


def early_hits(run: Recording) -> list[str]:
    """Vehicles that were hit before the time of their impact: they never had the place and speed asked for."""
    found = []
    for start in run.events.of(SOLVED):
        own = [e for e in run.events.of("collision") if f"{start.subject}.body" in e.subject.split(" - ")]
        first = min((float(e.values["begin"]) for e in own), default=math.inf)
        due = start.values["impact_at"]
        if first < due - EARLY:
            found.append(
                f"{start.subject} is hit at {first:.3f} s, before its impact_at of {due:g} s: the vehicles meet on the "
                "way to the places given. Place them so that they just touch at the impact."
            )
    return found
