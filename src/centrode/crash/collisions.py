"""The collisions of a run with the figures that crash engineers ask for, per collision and per vehicle.

Made of the "collision" events of a recording (:mod:`centrode.dynamics.contact.pulses`), so a file on disk is enough.

What the figures are is said by :data:`centrode.crash.report.DEFINITIONS`. Besides:

- *delta-V* counts contact forces only, not those of tyres during the hit; a vector in the world frame, its size, and
  its parts along and across the vehicle;
- *PDOF* is atan2(Jy, Jx) + 180 degrees in the axes of the vehicle as it stood at first touch;
- *restitution* is that of the rigid motion of both bodies (centre of mass and spin) at the place where the impulse
  acted on the whole; below one without losses when bodies keep vibrating, below zero when a corner slides off and the
  bodies go on closing beside each other;
- *peak acceleration*: greatest contact force over mass.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from functools import cached_property, partial
from typing import Any

import numpy as np

from centrode.crash.tyre_marks import TyreMark
from centrode.dynamics.contact.collision import AFTER, BEFORE, collision_from_values, restitution_of
from centrode.parts.outlines.outline import REGION_NAMES
from centrode.recording.events import Event
from centrode.recording.recording import Recording
from centrode.texts import csv_table, text_table

GRAVITY = 9.80665
"""Standard gravity [m/s2], for figures in g."""


@dataclass(frozen=True)
class VehicleFigures:
    """One side of a collision; SI units, world frame where nothing else is said.

    Attributes:
        name: vehicle, or body.
        mass: [kg]; 0 for the ground and what is fixed to it.
        side: front, rear, side or roof.
        delta_v: vector (3) [m/s]; delta_v_size [m/s]; delta_v_along, delta_v_left in vehicle axes [m/s].
        pdof_deg: [deg]; clock: 1 to 12.
        peak_acceleration: [m/s2].
        speed_before, speed_after: of the centre of mass [m/s].
        yaw_rate_before, yaw_rate_change: about the vertical [rad/s].
        vibration: energy gained by vibration of the body [J].
        crush_energy: taken up by the structure of the body [J]; ees: speed of the same kinetic energy [m/s].
        crush: greatest [m]; profile: residual C1..C6 [m], left to right; damage_width: [m]. Zero without a structure.
    """

    name: str
    mass: float
    side: str
    delta_v: tuple[float, float, float]
    delta_v_size: float
    delta_v_along: float
    delta_v_left: float
    pdof_deg: float
    clock: int
    peak_acceleration: float
    speed_before: float
    speed_after: float
    yaw_rate_before: float
    yaw_rate_change: float
    vibration: float
    crush_energy: float
    ees: float
    crush: float
    profile: tuple[float, ...]
    damage_width: float


@dataclass(frozen=True)
class Collision:
    """One collision of two bodies; energies [J], impulse on the second body [N*s], world frame."""

    number: int
    begin: float
    end: float
    closing_speed: float
    restitution: float
    impulse: tuple[float, float, float]
    impulse_size: float
    point: tuple[float, float, float]
    normal: tuple[float, float, float]
    peak_force: float
    peak_time: float
    depth: float
    crush: float
    slip_speed: float
    friction_energy: float
    law_energy: float
    vibration_energy: float
    contacts: int
    still_touching: bool
    pulse: tuple[float, ...]
    vehicles: tuple[VehicleFigures, VehicleFigures]

    @property
    def duration(self) -> float:
        """From first touch to last separation [s]."""
        return self.end - self.begin

    @property
    def names(self) -> tuple[str, str]:
        """Both vehicles."""
        return self.vehicles[0].name, self.vehicles[1].name

    @property
    def pulse_times(self) -> np.ndarray:
        """Times of ``pulse`` [s]."""
        return np.linspace(self.begin, self.end, len(self.pulse))

    def vehicle(self, name: str) -> VehicleFigures:
        """Figures of one of the two."""
        return self.vehicles[self.names.index(name)]


Figure = tuple[str, Callable[[Collision, VehicleFigures], Any], str, str, float]
_FIGURES: tuple[Figure, ...] = (
    # heading in CSV and page, value; heading in the text table ("": not there), its format and scale
    ("collision", lambda c, v: c.number, "", "", 1.0),
    ("time [s]", lambda c, v: c.begin, "time [s]", ".4f", 1.0),
    ("vehicle", lambda c, v: v.name, "vehicle", "", 1.0),
    ("against", lambda c, v: other(c, v).name, "against", "", 1.0),
    ("side", lambda c, v: v.side, "side", "", 1.0),
    ("closing speed [m/s]", lambda c, v: c.closing_speed, "closing [m/s]", ".3f", 1.0),
    ("delta-V [m/s]", lambda c, v: v.delta_v_size, "delta-V [m/s]", ".3f", 1.0),
    ("delta-V x [m/s]", lambda c, v: v.delta_v[0], "", "", 1.0),
    ("delta-V y [m/s]", lambda c, v: v.delta_v[1], "", "", 1.0),
    ("delta-V z [m/s]", lambda c, v: v.delta_v[2], "", "", 1.0),
    ("delta-V along [m/s]", lambda c, v: v.delta_v_along, "along [m/s]", "+.3f", 1.0),
    ("delta-V left [m/s]", lambda c, v: v.delta_v_left, "left [m/s]", "+.3f", 1.0),
    ("PDOF [deg]", lambda c, v: v.pdof_deg, "PDOF [deg]", "+.1f", 1.0),
    ("clock", lambda c, v: v.clock, "clock [h]", "d", 1),
    ("restitution", lambda c, v: c.restitution, "e", ".3f", 1.0),
    ("impulse [N*s]", lambda c, v: c.impulse_size, "impulse [N*s]", ".1f", 1.0),
    ("duration [s]", lambda c, v: c.duration, "duration [ms]", ".2f", 1e3),
    ("peak force [N]", lambda c, v: c.peak_force, "peak [kN]", ".1f", 1e-3),
    ("peak acceleration [m/s2]", lambda c, v: v.peak_acceleration, "peak [g]", ".1f", 1.0 / GRAVITY),
    ("yaw rate change [rad/s]", lambda c, v: v.yaw_rate_change, "yaw rate [deg/s]", "+.2f", math.degrees(1.0)),
    ("EES [m/s]", lambda c, v: v.ees, "EES [m/s]", ".2f", 1.0),
    ("crush energy of the vehicle [J]", lambda c, v: v.crush_energy, "own crush [kJ]", ".1f", 1e-3),
    ("greatest crush of the vehicle [m]", lambda c, v: v.crush, "crush [m]", ".3f", 1.0),
    ("residual C1 to C6 [m]", lambda c, v: " ".join(f"{depth:.3f}" for depth in v.profile), "", "", 1.0),
    ("width of the damage [m]", lambda c, v: v.damage_width, "", "", 1.0),
    ("friction energy [J]", lambda c, v: c.friction_energy, "friction [J]", ".1f", 1.0),
    ("crush and damping energy [J]", lambda c, v: c.law_energy, "crush [J]", ".1f", 1.0),
    ("vibration energy [J]", lambda c, v: c.vibration_energy, "vibration [J]", ".1f", 1.0),
    ("greatest depth [m]", lambda c, v: c.depth, "", "", 1.0),
    ("permanent crush [m]", lambda c, v: c.crush, "", "", 1.0),
    ("contacts", lambda c, v: c.contacts, "", "", 1.0),
)


class Collisions(list[Collision]):
    """All collisions of a run, in order of time.

    Example:
        >>> print(run.collisions.table())
        >>> run.collisions[0].vehicle("car2").delta_v_size
    """

    def __init__(
        self, items: list[Collision], rest: Callable[[], dict[str, RestPlace]] = dict, noun: str = "vehicle"
    ) -> None:
        super().__init__(sorted(items, key=lambda item: item.begin))
        self._find_rest = rest
        self.noun = noun
        """What the tables for people call those that collide: vehicle, or body where some are none."""

    @cached_property
    def rest(self) -> dict[str, RestPlace]:
        """Where the vehicles that collided are at the end; found when first asked for (marks need the scenario)."""
        return self._find_rest()

    def of(self, name: str) -> list[Collision]:
        """Collisions of one vehicle."""
        return [item for item in self if name in item.names]

    def rows(self) -> list[dict[str, Any]]:
        """One row per collision and vehicle, as :meth:`to_csv` shows them."""
        return [{name: value(*side) for name, value, *_ in _FIGURES} for side in self._sides()]

    def _sides(self) -> list[tuple[Collision, VehicleFigures]]:
        return [(item, vehicle) for item in self for vehicle in item.vehicles if vehicle.mass > 0]

    def table(self, width: int | None = None) -> str:
        """The crash table as aligned text; cut into bands where it would be wider than ``width`` characters."""
        if not self:
            return "no collisions"
        shown = [figure[1:] for figure in _FIGURES if figure[2]]
        rows = [
            [format(value(*side) * scale, form) if form else value(*side) for value, _, form, scale in shown]
            for side in self._sides()
        ]
        heads = [self.noun if head == "vehicle" else head for _, head, _, _ in shown]
        parts = [text_table(heads, rows, width=width, kept=2, units_below=True)]
        if self.rest:
            columns, places = [self.noun, *(name for name, _, _ in _REST)], self.rest.items()
            rows = [[name, *(format(value(place), form) for _, value, form in _REST)] for name, place in places]
            parts += ["", "at the end of the run (since first contact: turned, travelled)"]
            parts.append(text_table(columns, rows, width=width, units_below=True))
        return "\n".join(parts)

    def rest_rows(self) -> list[dict[str, Any]]:
        """Where the vehicles are at the end, units in the keys."""
        rows = []
        for name, place in self.rest.items():
            marks = ", ".join(f"{wheel} {length:.2f}" for wheel, length in place.marks.items() if length > 0)
            rows.append({"vehicle": name, **{heading: value(place) for heading, value, _ in _REST}, "marks [m]": marks})
        return rows

    def to_data(self) -> dict[str, Any]:
        """Everything as plain dicts and lists, for JSON."""
        collisions = [{**asdict(item), "duration": item.duration} for item in self]
        return {"collisions": collisions, "rest": {name: asdict(place) for name, place in self.rest.items()}}

    def to_csv(self) -> str:
        """One line per collision and vehicle, units in the head."""
        rows = self.rows()
        return csv_table(list(rows[0]) if rows else ["time [s]"], [list(row.values()) for row in rows])


@dataclass(frozen=True)
class RestPlace:
    """Where a vehicle is at the end of a run.

    Attributes:
        position: [m]; heading_deg: about the vertical [deg]; speed: [m/s], zero when it has come to rest.
        turned_deg, travelled: since its first contact [deg], [m].
        marks: wheel -> length of the tyre mark left since then [m].
    """

    position: tuple[float, float, float]
    heading_deg: float
    speed: float
    turned_deg: float
    travelled: float
    marks: dict[str, float]


_REST: tuple[tuple[str, Callable[[RestPlace], float], str], ...] = (
    ("x [m]", lambda place: place.position[0], ".3f"),
    ("y [m]", lambda place: place.position[1], ".3f"),
    ("heading [deg]", lambda place: place.heading_deg, ".2f"),
    ("speed [m/s]", lambda place: place.speed, ".3f"),
    ("turned [deg]", lambda place: place.turned_deg, "+.2f"),
    ("travelled [m]", lambda place: place.travelled, ".2f"),
)


def other(collision: Collision, vehicle: VehicleFigures) -> VehicleFigures:
    """The other side of a collision."""
    return collision.vehicles[1] if vehicle is collision.vehicles[0] else collision.vehicles[0]


def collisions_of(run: Recording) -> Collisions:
    """The collisions of a recording."""
    events = run.events.of("collision")
    items = [collision_from(event, k + 1) for k, event in enumerate(events)]
    names = {name for event in events for name in event.subject.split(" - ")} - {"ground"}
    noun = "vehicle" if all(name.endswith(".body") for name in names) else "body"
    return Collisions(items, partial(rest_places, run, items), noun)


def vehicle_name(body: str) -> str:
    """A car's chassis goes by the name of the car."""
    return body.removesuffix(".body")


def collision_from(event: Event, number: int) -> Collision:
    """One collision from its event."""
    r = collision_from_values(event.values)
    names = [vehicle_name(name) for name in event.subject.split(" - ")]
    vibration = np.maximum(r.vibration[AFTER] - r.vibration[BEFORE], 0.0)
    same = {field.name: plain(r[field.name]) for field in fields(Collision) if field.name in r.dtype.names}
    return Collision(
        **same,
        number=number,
        restitution=restitution_of(r),
        impulse_size=float(np.linalg.norm(r.impulse)),
        friction_energy=float(r.heat_friction),
        law_energy=float(r.heat_law),
        vibration_energy=float(vibration.sum()),
        contacts=int(r.episodes),
        still_touching=bool(r.touching_at_end),
        vehicles=(
            vehicle_figures(r, 0, names[0], -r.impulse, float(vibration[0])),
            vehicle_figures(r, 1, names[1], r.impulse, float(vibration[1])),
        ),
    )


def plain(value: Any) -> Any:
    """A number or a list of numbers of a record as a plain float or tuple."""
    return tuple(value.tolist()) if np.ndim(value) else float(value)


def side_names(code: float) -> tuple[str, str]:
    """Names of the sides that met, of A and of B, from 5 * side of A + side of B + 1 (negative: bodies swapped)."""
    number = int(abs(code)) - 1
    pair = REGION_NAMES[min(number // 5, 3)], REGION_NAMES[min(number % 5, 3)]
    return pair if code > 0 else (pair[1], pair[0])


def vehicle_figures(collision: Any, which: int, name: str, impulse: np.ndarray, vibration: float) -> VehicleFigures:
    """Figures of one vehicle; ``impulse`` is that on itself."""
    mass = float(collision.mass[which])
    heading = collision.heading[BEFORE, which] * (1.0, 1.0, 0.0)
    length = float(np.linalg.norm(heading))
    ahead = heading / length if length > 0 else np.array([1.0, 0.0, 0.0])
    left = np.array([-ahead[1], ahead[0], 0.0])
    delta = impulse / mass if mass > 0 else np.zeros(3)
    pdof = math.degrees(math.atan2(-(impulse @ left), -(impulse @ ahead)))
    spin = collision.spin[:, which, 2]
    return VehicleFigures(
        name=name,
        mass=mass,
        side=side_names(collision.sides)[which] if mass > 0 else "",
        delta_v=plain(delta),
        delta_v_size=float(np.linalg.norm(delta)),
        delta_v_along=float(delta @ ahead),
        delta_v_left=float(delta @ left),
        pdof_deg=pdof,
        clock=clock_direction(pdof),
        peak_acceleration=float(collision.peak_force) / mass if mass > 0 else 0.0,
        speed_before=float(np.linalg.norm(collision.velocity[BEFORE, which])),
        speed_after=float(np.linalg.norm(collision.velocity[AFTER, which])),
        yaw_rate_before=float(spin[BEFORE]),
        yaw_rate_change=float(spin[AFTER] - spin[BEFORE]),
        vibration=vibration,
        crush_energy=float(collision.taken_up[which]),
        ees=math.sqrt(2.0 * float(collision.taken_up[which]) / mass) if mass > 0 else 0.0,
        crush=float(collision.own_crush[which]),
        profile=plain(collision.profile[which]),
        damage_width=float(collision.damage_width[which]),
    )


def clock_direction(pdof_deg: float) -> int:
    """Hour of the clock face from which a force comes: 12 ahead, 3 from the right, 6 from behind, 9 from the left."""
    return (round(-pdof_deg / 30.0) - 1) % 12 + 1


def rest_places(run: Recording, items: list[Collision]) -> dict[str, RestPlace]:
    """Where the vehicles that collided are at the end, from the channels of the recording."""
    found: dict[str, RestPlace] = {}
    time = np.asarray(run.time)
    marks = run.tyre_marks if items else []
    for name in dict.fromkeys(name for item in items for name in item.names):
        body = name if f"{name}.position" in run else f"{name}.body"
        if f"{body}.position" not in run or f"{body}.orientation" not in run:
            continue
        position, q, velocity = run[f"{body}.position"], run[f"{body}.orientation"], run[f"{body}.velocity"]
        yaw = np.unwrap(np.arctan2(2 * (q[:, 0] * q[:, 3] + q[:, 1] * q[:, 2]), 1 - 2 * (q[:, 2] ** 2 + q[:, 3] ** 2)))
        touch = min(item.begin for item in items if name in item.names)
        since = max(int(np.searchsorted(time, touch, side="right")) - 1, 0)
        steps = np.linalg.norm(np.diff(position[since:], axis=0), axis=1)
        found[name] = RestPlace(
            position=plain(position[-1]),
            heading_deg=math.degrees(math.atan2(math.sin(yaw[-1]), math.cos(yaw[-1]))),
            speed=float(np.linalg.norm(velocity[-1])),
            turned_deg=math.degrees(float(yaw[-1] - yaw[since])),
            travelled=float(steps.sum()),
            marks=mark_lengths(marks, name, touch),
        )
    return found


def mark_lengths(marks: list[TyreMark], vehicle: str, since: float) -> dict[str, float]:
    """Length of the marks of each wheel of a vehicle that end after a time [m]; wheels without a mark are left out."""
    found: dict[str, float] = {}
    for mark in marks:
        if vehicle in (mark.vehicle, mark.body) and mark.t1 > since:
            found[mark.wheel] = found.get(mark.wheel, 0.0) + mark.length_since(since)
    return found
