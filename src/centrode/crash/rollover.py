"""Vehicles that rolled over: quarter turns, when wheels and ground were left, roof on the ground, side at rest.

Made of the events of a recording (:mod:`centrode.parts.forces.rollover` counts the quarter turns) and of the motion of
the bodies, so a file on disk is enough.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from centrode.classes import dataclass
from centrode.texts import text_table

if TYPE_CHECKING:
    from centrode.recording.recording import Recording

SIDES = ("wheels", "right side", "roof", "left side")


@dataclass(frozen=True)
class Rollover:
    """A vehicle that rolled over.

    Attributes:
        vehicle: name.
        quarter_turns: at the end, right side first positive; most: the greatest number reached.
        begin: of the first quarter turn [s]; end: of the last.
        roof: when the roof first was down with the body on the ground [s]; not a number: never.
        airborne: time without any wheel on the road, upright, until the vehicle lay on its first side [s].
        roll_rate: greatest [rad/s].
        travelled: from the first quarter turn to the end [m].
        rests_on: wheels, right side, roof or left side.
    """

    vehicle: str
    quarter_turns: int
    most: int
    begin: float
    end: float
    roof: float
    airborne: float
    roll_rate: float
    travelled: float
    rests_on: str


def rollovers_of(run: Recording) -> list[Rollover]:
    """All vehicles of a recording that turned by a quarter or more."""
    turns = [event for event in run.events if event.kind in ("rolled over", "rolled back")]
    return [one_rollover(run, name) for name in dict.fromkeys(event.subject for event in turns)]


def one_rollover(run: Recording, carriage: str) -> Rollover:
    """The rollover of the vehicle that stands on a carriage."""
    vehicle = carriage.removesuffix(".carriage")
    body = f"{vehicle}.body"
    own = [event for event in run.events if event.subject == carriage]
    turns = [(event.time, round(event.values["quarter_turns"])) for event in own if "quarter_turns" in event.values]
    time, position = np.asarray(run.time), run[f"{body}.position"]
    begin = turns[0][0]
    since = max(int(np.searchsorted(time, begin)) - 1, 0)
    lifts = [event.time for event in own if event.kind == "airborne" and event.time <= begin]
    roofs = [when for when, count in turns if abs(count) % 4 == 2]
    roofs += [item.begin for item in run.collisions.of(vehicle) if item.vehicle(vehicle).side == "roof"]
    rate = np.asarray(run[f"{body}.omega"])[:, 0] if f"{body}.omega" in run else np.zeros(1)
    return Rollover(
        vehicle=vehicle,
        quarter_turns=turns[-1][1],
        most=max((count for _, count in turns), key=abs),
        begin=begin,
        end=turns[-1][0],
        roof=min(roofs, default=math.nan),
        airborne=begin - lifts[-1] if lifts else 0.0,
        roll_rate=float(np.abs(rate).max()),
        travelled=float(np.linalg.norm(np.diff(position[since:], axis=0), axis=1).sum()),
        rests_on=SIDES[turns[-1][1] % 4],
    )


_COLUMNS = ("vehicle", "quarter turns", "from [s]", "to [s]", "roof down [s]", "greatest roll rate [deg/s]")


def rollover_rows(items: list[Rollover]) -> list[dict[str, str]]:
    """One row per vehicle, units in the keys."""
    more = ("travelled [m]", "rests on")
    return [
        dict(
            zip(
                (*_COLUMNS, *more),
                (
                    item.vehicle,
                    f"{item.quarter_turns:+d}",
                    f"{item.begin:.3f}",
                    f"{item.end:.3f}",
                    "never" if math.isnan(item.roof) else f"{item.roof:.3f}",
                    f"{math.degrees(item.roll_rate):.0f}",
                    f"{item.travelled:.2f}",
                    item.rests_on,
                ),
                strict=True,
            )
        )
        for item in items
    ]


def rollover_table(items: list[Rollover], width: int | None = None) -> str:
    """The table as aligned text; nothing without a rollover."""
    if not items:
        return ""
    rows = rollover_rows(items)
    heads = list(rows[0])
    table = text_table(heads, [list(row.values()) for row in rows], width=width, units_below=True)
    return f"rollovers (quarter turns: right side first positive)\n{table}"
