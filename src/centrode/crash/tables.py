"""The crash tables for people, in the units and signs they are used to: text, pages, CSV.

Four small tables instead of a long one, so that they fit a terminal of 100 columns and a sheet of paper: change of
velocity, load, damage, and the energies of each pair; then where the vehicles are at the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

from centrode.classes import dataclass
from centrode.crash.collisions import Collision, Collisions, other
from centrode.crash.persons import contacts_of_limbs
from centrode.crash.rest import RestPlace
from centrode.crash.row import VehicleFigures
from centrode.display import Custom
from centrode.texts import text_table

Row: TypeAlias = Any
"""What a row of a table is about: a side, a collision, a vehicle at the end; and what a cell of it holds."""


@dataclass(frozen=True)
class Side:
    """One vehicle of one collision, and what is known of it."""

    all: Collisions
    collision: Collision
    vehicle: VehicleFigures

    @property
    def olc(self) -> float:
        """Occupant load criterion [m/s2]."""
        pulse = self.all.pulse(self.collision, self.vehicle)
        return pulse.olc if pulse is not None else float("nan")

    @property
    def code(self) -> str:
        """CDC, or a dash."""
        found = self.all.damage.get((self.collision.number, self.vehicle.name))
        return found.code if found is not None else "-"

    @property
    def residual(self) -> float:
        """Deepest crush that stays [m]."""
        found = self.all.damage.get((self.collision.number, self.vehicle.name))
        return found.residual if found is not None else float("nan")

    @property
    def profile_energy(self) -> float:
        """Energy from C1 to C6 [J]."""
        found = self.all.damage.get((self.collision.number, self.vehicle.name))
        return found.profile_energy if found is not None else float("nan")


@dataclass(frozen=True)
class Column:
    """A column: heading, quantity ("": text), value of a row; shown with a plus; turned by the signs of the reader."""

    heading: str
    quantity: str
    value: Callable[[Row], Row]
    plus: bool = False
    sided: bool = False

    def name(self, custom: Custom) -> str:
        """Heading with unit."""
        text = self.heading.replace("left", custom.side) if self.sided else self.heading
        return custom.heading(text, self.quantity) if self.quantity else text

    def number(self, custom: Custom, row: Row) -> Row:
        """Value in the unit shown, all its digits."""
        value = self.value(row)
        if not self.quantity:
            return value
        return custom.value(self.quantity, value) * (custom.sign if self.sided else 1.0)

    def cell(self, custom: Custom, row: Row) -> str:
        """Value as it is shown."""
        value = self.value(row)
        if not self.quantity:
            return str(value)
        return custom.text(self.quantity, value * (custom.sign if self.sided else 1.0), self.plus)


def depth_of(station: int) -> Callable[[Side], float]:
    """C1 to C6 of a side."""
    return lambda side: side.vehicle.profile[station]


_WHO = (
    Column("no", "", lambda s: s.collision.number),
    Column("vehicle", "", lambda s: s.vehicle.name),
)
VELOCITY = (
    *_WHO,
    Column("against", "", lambda s: other(s.collision, s.vehicle).name),
    Column("side", "", lambda s: s.vehicle.side),
    Column("time", "time", lambda s: s.collision.begin),
    Column("closing", "speed", lambda s: s.collision.closing_speed),
    Column("delta-V", "speed", lambda s: s.vehicle.delta_v_size),
    Column("along", "speed", lambda s: s.vehicle.delta_v_along, plus=True),
    Column("left", "speed", lambda s: s.vehicle.delta_v_left, plus=True, sided=True),
    Column("up", "speed", lambda s: s.vehicle.delta_v[2], plus=True),
    Column("PDOF", "angle", lambda s: s.vehicle.pdof_deg if s.vehicle.level else math.nan, plus=True),
    Column("clock", "", lambda s: s.vehicle.clock if s.vehicle.level else "-"),
)
LOAD = (
    *_WHO,
    Column("duration", "duration", lambda s: s.collision.duration),
    Column("peak", "force", lambda s: math.nan if s.vehicle.coupled_to else s.collision.peak_force),
    Column("peak", "acceleration", lambda s: s.vehicle.peak_acceleration),
    Column("mean", "acceleration", lambda s: s.vehicle.mean_acceleration),
    Column("OLC", "acceleration", lambda s: s.olc),
    Column("yaw before", "yaw_rate", lambda s: s.vehicle.yaw_rate_before, plus=True, sided=True),
    Column("yaw change", "yaw_rate", lambda s: s.vehicle.yaw_rate_change, plus=True, sided=True),
    Column("before", "speed", lambda s: s.vehicle.speed_before),
    Column("after", "speed", lambda s: s.vehicle.speed_after),
)
DAMAGE = (
    *_WHO,
    Column("CDC", "", lambda s: s.code),
    Column("EES", "speed", lambda s: s.vehicle.ees),
    Column("energy", "energy", lambda s: s.vehicle.crush_energy),
    Column("dyn.", "crush", lambda s: s.vehicle.crush),
    Column("Cmax", "crush", lambda s: s.residual),
    *(Column(f"C{k + 1}", "crush", depth_of(k)) for k in range(6)),
    Column("width", "length", lambda s: s.vehicle.damage_width),
)
PAIR = (
    Column("no", "", lambda c: c.number),
    Column("bodies", "", lambda c: " - ".join(c.names)),
    Column("restitution", "ratio", lambda c: c.restitution),
    Column("impulse", "impulse", lambda c: c.impulse_size),
    Column("crush, damping", "energy", lambda c: c.law_energy),
    Column("friction", "energy", lambda c: c.friction_energy),
    Column("vibration", "energy", lambda c: c.vibration_energy),
)
REST = (
    Column("vehicle", "", lambda r: r[0]),
    Column("x", "length", lambda r: r[1].position[0]),
    Column("y", "length", lambda r: r[1].position[1]),
    Column("heading", "angle", lambda r: r[1].heading_deg),
    Column("speed", "speed", lambda r: r[1].speed),
    Column("turned left", "angle", lambda r: r[1].turned_deg, plus=True, sided=True),
    Column("travelled", "length", lambda r: r[1].travelled),
)
PERSONS = (
    Column("person", "", lambda p: p.name),
    Column("against", "", lambda p: p.against),
    Column("mass", "mass", lambda p: p.mass),
    Column("time", "time", lambda p: p.begin),
    Column("until", "time", lambda p: p.end),
    Column("delta-V", "speed", lambda p: p.delta_v_size),
    Column("of vehicle", "speed", lambda p: p.vehicle_delta_v),
    Column("speed after", "speed", lambda p: p.speed_after),
    Column("thrown", "length", lambda p: p.thrown),
    Column("speed at end", "speed", lambda p: p.speed_at_end),
)
LIMBS = (
    Column("limb", "", lambda c: c.limb),
    Column("against", "", lambda c: c.against),
    Column("contacts", "", lambda c: c.count),
    Column("first", "time", lambda c: c.begin),
    Column("peak", "force", lambda c: c.peak_force),
    Column("impulse", "impulse", lambda c: c.impulse),
    Column("delta-V", "speed", lambda c: c.delta_v),
    Column("peak", "acceleration", lambda c: c.peak),
)


@dataclass(frozen=True)
class Table:
    """A table: title, columns, the item of each row."""

    title: str
    columns: tuple[Column, ...]
    rows: list[Row]

    def headings(self, custom: Custom, noun: str = "vehicle") -> list[str]:
        """Headings with units."""
        return [noun if item.heading == "vehicle" else item.name(custom) for item in self.columns]

    def cells(self, custom: Custom) -> list[list[str]]:
        """Cells as they are shown."""
        return [[item.cell(custom, row) for item in self.columns] for row in self.rows]

    def text(self, custom: Custom, width: int | None, noun: str) -> str:
        """As aligned text below its title."""
        kept = 2 if self.columns[0].heading == "no" else 1
        cells = self.cells(custom)
        return (
            f"{self.title}\n{text_table(self.headings(custom, noun), cells, width=width, kept=kept, units_below=True)}"
        )


def crash_tables(collisions: Collisions) -> list[Table]:
    """The tables that have rows: persons first, and their limbs gathered; then vehicles."""
    limbs = collisions.limb_names
    hits = [item for item in collisions if not limbs.intersection(item.names)]
    sides = [Side(collisions, item, vehicle) for item, vehicle in collisions.sides() if item in hits]
    damaged = [side for side in sides if side.vehicle.crush > 0.0 or side.vehicle.crush_energy > 0.0]
    rest: list[tuple[str, RestPlace]] = list(collisions.whole_rest.items())
    grounded = any(item.carried for item in hits)
    velocity = tuple(item for item in VELOCITY if grounded or item.heading != "up")
    found = [
        Table("Persons as a whole: struck by a vehicle, thrown (level, centre of mass)", PERSONS, collisions.persons),
        Table("Change of velocity by the contact forces", velocity, sides),
        Table("Load, and speed and yaw rate before and after", LOAD, sides),
        Table(
            "Damage: energy, deepest crush under load (dyn.); residual: deepest (Cmax), C1 to C6, width",
            DAMAGE,
            damaged,
        ),
        Table("Each collision as a whole", PAIR, hits),
        Table(
            "Limbs: all contacts with each partner; the greatest of them", LIMBS, contacts_of_limbs(collisions, limbs)
        ),
        Table("At the end of the run (since first contact: turned, travelled)", REST, rest),
    ]
    return [table for table in found if table.rows]


def remarks(collisions: Collisions, custom: Custom) -> list[str]:
    """What a reader of the tables has to know."""
    found = [
        f"PDOF: where the force came from: 0 ahead, positive from the right (clockwise). Yaw: to the {custom.side}."
    ]
    found += [f"Tyres of {item}." for item in collisions.grips[:4]]
    if any(item.carried for item in collisions):
        found.append(
            "On the ground: delta-V is what the ground gave, less what bore the weight, until its force falls to that."
        )
    if any(math.isnan(item.restitution) for item in collisions):
        found.append(
            "No restitution: bodies slid off or went on, or weight, tyres and joints changed their speed as well."
        )
    if any(collisions.limb_names.intersection(item.names) for item in collisions):
        found.append("Of limbs, delta-V is the change of their own velocity: joints pass most of an impulse on.")
        found.append("Single contacts of limbs, and those of limbs with each other, stand in the CSV and the JSON.")
    if any(item.coupled for item in collisions):
        found.append("Coupled vehicles: change of their own velocity; side 'coupling': moved by it, not touched.")
    for one, two in collisions.overlapping:
        found.append(f"Collisions {one} and {two} of coupled vehicles overlap: each holds what the other did to them.")
    found += [str(item) for item in collisions.reached_wheels[:6]]
    count = len(collisions.touches)
    if count:
        what = "1 contact is" if count == 1 else f"{count} contacts are"
        found.append(f"{what} not listed: vehicles that brushed or leaned on each other without a hit.")
    if any(pulse.coarse for pulse in collisions.pulses):
        found.append(f"Frames are more than 10 ms apart: pulses and OLC are rough. Better: {collisions.denser}.")
    return found


def crash_text(collisions: Collisions, custom: Custom, width: int | None = None) -> str:
    """All tables as text."""
    above = collisions.cautions
    if not collisions:
        return "\n".join([*above, "no collisions", *(remarks(collisions, custom)[1:] if collisions.touches else [])])
    parts = [table.text(custom, width, collisions.noun) for table in crash_tables(collisions)]
    return "\n\n".join([*above, *parts, "\n".join(remarks(collisions, custom))])


_MORE = (
    Column("energy from C1 to C6", "energy", lambda s: s.profile_energy),
    Column("restitution", "", lambda s: s.collision.restitution),
    Column("impulse", "impulse", lambda s: s.collision.impulse_size),
    Column("friction energy", "energy", lambda s: s.collision.friction_energy),
    Column("crush and damping energy", "energy", lambda s: s.collision.law_energy),
    Column("vibration energy", "energy", lambda s: s.collision.vibration_energy),
    Column("x of the impulse", "length", lambda s: s.collision.point[0]),
    Column("y of the impulse", "length", lambda s: s.collision.point[1]),
    Column("contacts", "", lambda s: s.collision.contacts),
)
_LONG = {f"C{k}": f"residual C{k}" for k in range(1, 7)} | {
    "Cmax": "residual Cmax",
    "dyn.": "dynamic crush (deepest under load)",
    "along": "delta-V along",
    "left": "delta-V left",
    "up": "delta-V up",
    "before": "speed before",
    "after": "speed after",
}


def whole_rows(collisions: Collisions, custom: Custom) -> list[dict[str, Row]]:
    """One row per collision and vehicle with every figure, units in the keys, all digits."""
    columns = [*VELOCITY, *LOAD[2:], *DAMAGE[2:], *_MORE]
    rows = []
    for item in collisions.sides():
        side = Side(collisions, *item)
        row = {}
        for column in columns:
            heading = column.name(custom)
            for short, long in _LONG.items():
                if column.heading == short:
                    heading = heading.replace(custom.side if column.sided else short, long, 1)
                    heading = heading.replace("left", custom.side) if column.sided else heading
            row[heading.replace("no", "collision") if column.heading == "no" else heading] = column.number(custom, side)
        rows.append(row)
    return rows
