"""The collisions of a run with the figures that crash engineers ask for, per collision and per vehicle.

Made of the "collision" events of a recording (:mod:`centrode.dynamics.contact.pulses`), so a file on disk is enough.

What the figures are is said by :data:`centrode.crash.report.DEFINITIONS`. Besides:

- *delta-V* counts contact forces only, not those of tyres during the hit; a vector in the world frame, its size, and
  its parts along and across the vehicle and up. On ground that carries the vehicle, its part up is the change of
  velocity of the centre of mass up to where the force has fallen to the weight: the impulse there counts the weight for
  as long as the vehicle lies. Where wheels bear the vehicle as well, it is no more than the impulse over the mass. Of
  limbs, trailers and what tows them: :mod:`centrode.crash.coupled`;
- *PDOF* is atan2(Jy, -Jx) in the axes of the vehicle (left-positive y) as it stood at first touch: the direction from
  which the force came, clockwise from ahead seen from above, as on the clock face of SAE J224;
- *restitution* is that of the rigid motion of both bodies (centre of mass and spin) at the place where the impulse
  acted on the whole; below one without losses when bodies keep vibrating, below zero when a corner slides off and the
  bodies go on closing beside each other; none where other forces than the contact's made a tenth of it;
- *peak acceleration*: greatest contact force over mass, of bodies that are joined to others that of their own motion.
"""

from __future__ import annotations

import math
from dataclasses import asdict, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from centrode.classes import dataclass
from centrode.crash.consistent import contradictions
from centrode.crash.coupled import bonds_of, overlapping, own_motion
from centrode.crash.damage import (
    Dent,
    damage_code,
    profile_energy,
    reaches_high,
    residual_stiffness,
    structures_by_body,
)
from centrode.crash.direct import direct_part
from centrode.crash.fixed import fixed_things, names_hit
from centrode.crash.listing import is_touch, met_again
from centrode.crash.persons import PersonFigures, limbs_of, person_rest, persons_of
from centrode.crash.plan import ground_lines, plans_of
from centrode.crash.plausible import doubts
from centrode.crash.pulse import CrashPulse, crash_pulse
from centrode.crash.rest import RestPlace, body_of, rest_places
from centrode.crash.row import VehicleFigures, clock_direction, energy_speed, vehicle_name
from centrode.crash.wheels import ReachedWheel, reached_wheels
from centrode.display import STANDARD_GRAVITY, Custom, custom_of
from centrode.dynamics.contact.collision import (
    AFTER,
    BEFORE,
    GOES_ON,
    by_other_forces,
    collision_from_values,
    relative_speed,
    restitution_of,
)
from centrode.dynamics.contact.strip_tables import Side
from centrode.errors import UNMET, CentrodeError, RunError
from centrode.math.rotation import matrix_from_quaternion
from centrode.parts.outlines.outline import REGION_NAMES
from centrode.parts.placement import GROUND
from centrode.recording.events import Event
from centrode.recording.recording import Recording
from centrode.recording.starts import early_hits
from centrode.texts import csv_table
from centrode.vehicles.grip import TyreGrip, tyre_grips

LASTING, QUIET = 0.4, 0.01
"""In collisions longer than this [s] the end is where the force has fallen to this share of its peak."""
BEARABLE = 0.1
"""Greatest error of a restitution that is told, by other forces than those of the contact [1]."""
ALL_BACK = 1.02
"""Restitution up to which a hit gave back what it took: the normal turns during an eccentric one, so that an elastic
one of two cars has 1.0005 along their mean."""
UPWARD = 0.5
"""Ground pushes up by more than this share of its push to the side: steeper than friction on a wall (below 0.5)."""


@dataclass(frozen=True)
class Collision:
    """One collision of two bodies; SI, impulse on the second, world frame; carried: by the ground, which is one.

    ``vehicles`` are the two that met, ``coupled`` those that hang on them and were not touched (:mod:`coupled`).
    """

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
    carried: bool
    pulse: tuple[float, ...]
    vehicles: tuple[VehicleFigures, VehicleFigures]
    coupled: tuple[VehicleFigures, ...] = ()

    @property
    def duration(self) -> float:
        """From first touch to last separation [s]."""
        return self.end - self.begin

    @property
    def names(self) -> tuple[str, str]:
        """Both vehicles."""
        return self.vehicles[0].name, self.vehicles[1].name

    @property
    def units(self) -> tuple[VehicleFigures, ...]:
        """Both, and what is coupled to them."""
        return *self.vehicles, *self.coupled

    @property
    def unit_names(self) -> list[str]:
        """Names of all of these."""
        return [vehicle.name for vehicle in self.units]

    @property
    def pulse_times(self) -> np.ndarray:
        """Times of ``pulse`` [s]."""
        return np.linspace(self.begin, self.end, len(self.pulse))

    def vehicle(self, name: str) -> VehicleFigures:
        """Figures of one of the two, or of what is coupled to them."""
        return self.units[self.unit_names.index(name)]


class Collisions(list[Collision]):
    """All collisions of a run, in order of time.

    Example:
        >>> print(run.collisions.table())
        >>> run.collisions[0].vehicle("car2").delta_v_size

    Attributes:
        noun: what the tables for people call those that collide: vehicle, or body where some are none.
        custom: units and signs of the tables, those of the run's settings.
        touches: contacts that are no collisions: vehicles that rest against each other or brush.
    """

    def __init__(self, items: list[Collision], run: Recording | None = None, noun: str = "vehicle") -> None:
        super().__init__(sorted(items, key=lambda item: item.begin))
        self._run = run
        self.noun = noun
        self.custom = custom_of(run.provenance.settings) if run is not None else Custom()
        self.touches: list[Collision] = []

    @cached_property
    def rest(self) -> dict[str, RestPlace]:
        """Where the vehicles that collided are at the end; found when first asked for (marks need the scenario)."""
        return rest_places(self._run, self, self.limbs) if self._run is not None else {}

    @cached_property
    def limbs(self) -> dict[str, dict[str, float]]:
        """Persons, their bodies and the masses of these [kg]."""
        return limbs_of(self._run) if self._run is not None else {}

    @cached_property
    def overlapping(self) -> list[tuple[int, int]]:
        """Numbers of collisions of coupled vehicles that overlap in time."""
        return overlapping(self, bonds_of(self._run)) if self._run is not None and len(self) > 1 else []

    @property
    def limb_names(self) -> set[str]:
        """Bodies of persons."""
        return {limb for bodies in self.limbs.values() for limb in bodies}

    @cached_property
    def whole_rest(self) -> dict[str, RestPlace]:
        """Where vehicles that collided are at the end, persons as a whole: those that were struck first."""
        limbs, struck = self.limb_names, dict[str, RestPlace]()
        for name, bodies in self.limbs.items():
            begins = [item.begin for item in self if set(item.names) & set(bodies)]
            if begins and self._run is not None:
                struck[name] = person_rest(self._run, bodies, min(begins))
        return struck | {name: place for name, place in self.rest.items() if name not in limbs}

    @cached_property
    def persons(self) -> list[PersonFigures]:
        """Persons that vehicles struck, as a whole."""
        return persons_of(self._run, self) if self._run is not None else []

    @cached_property
    def pulses(self) -> list[CrashPulse]:
        """Delta-V over time of every vehicle in every collision, as event data recorders keep it."""
        if self._run is None:
            return []
        found = [
            crash_pulse(self._run, body_of(self._run, vehicle.name), item.number, item.begin, item.end)
            for item, vehicle in self.sides()
        ]
        return [pulse for pulse in found if pulse is not None]

    @cached_property
    def damage(self) -> dict[tuple[int, str], VehicleDamage]:
        """Damage of the vehicles that gave way, by number of the collision and name of the vehicle."""
        return damage_of_run(self._run, self) if self._run is not None else {}

    @property
    def denser(self) -> str:
        """How to save points at shorter intervals: by an option of the command that makes such a run."""
        of_1999 = self._run is not None and "kind: car-medusa" in self._run.provenance.scenario_text
        return "medusa -s.005, run --frames 5ms" if of_1999 else "run with --frames 5ms"

    @cached_property
    def cautions(self) -> list[str]:
        """What stands above all figures."""
        if self._run is None:
            return doubts(self)
        wrong = [f"DO NOT USE {text}." for text in contradictions(self._run, self)]
        return [*cautions(self._run), *doubts(self), *wrong]

    @cached_property
    def grips(self) -> list[TyreGrip]:
        """Friction coefficients of the tyres on their roads; none when the scenario cannot be read."""
        if self._run is None:
            return []
        try:
            return tyre_grips(self._run.scenario().system)
        except CentrodeError:
            return []

    @cached_property
    def reached_wheels(self) -> list[ReachedWheel]:
        """Wheels that the crush of their cars reached."""
        return reached_wheels(self._run) if self._run is not None else []

    def pulse(self, collision: Collision, vehicle: VehicleFigures) -> CrashPulse | None:
        """Delta-V over time of a vehicle in a collision."""
        same = (item for item in self.pulses if (item.collision, item.vehicle) == (collision.number, vehicle.name))
        return next(same, None)

    def of(self, name: str) -> list[Collision]:
        """Collisions of one vehicle."""
        return [item for item in self if name in item.unit_names]

    def sides(self) -> list[tuple[Collision, VehicleFigures]]:
        """Both sides of all collisions, but for the ground, and what is coupled to them."""
        return [(item, vehicle) for item in self for vehicle in item.units if vehicle.mass > 0]

    def rows(self, custom: Custom | None = None) -> list[dict[str, Any]]:
        """One row per collision and vehicle, as :meth:`to_csv` shows them."""
        from centrode.crash.tables import whole_rows

        return whole_rows(self, custom or self.custom)

    def table(self, width: int | None = None, custom: Custom | None = None) -> str:
        """The crash tables as aligned text; cut into bands where one would be wider than ``width`` characters."""
        from centrode.crash.tables import crash_text

        return crash_text(self, custom or self.custom, width)

    def to_data(self) -> dict[str, Any]:
        """Everything as plain dicts and lists, for JSON; SI units, left positive."""
        collisions = [{**asdict(item), "duration": item.duration} for item in self]
        return {
            "collisions": collisions,
            "rest": {name: asdict(place) for name, place in self.rest.items()},
            "persons": [asdict(item) for item in self.persons],
            "pulses": [asdict(item) for item in self.pulses],
            "damage": [{"collision": key[0], "vehicle": key[1], **asdict(item)} for key, item in self.damage.items()],
        }

    def to_csv(self, custom: Custom | None = None) -> str:
        """One line per collision and vehicle, units in the head; lines with # above it of a run that ended early."""
        rows = self.rows(custom)
        marks = "".join(f"# {text}\n" for text in self.cautions)
        return marks + csv_table(list(rows[0]) if rows else ["time [s]"], [list(row.values()) for row in rows])


@dataclass(frozen=True)
class VehicleDamage:
    """Damage of a vehicle in a collision.

    Attributes:
        code: CDC (SAE J224), see :mod:`centrode.crash.damage`; side: front, rear, left, right or roof.
        residual: deepest crush that stays [m].
        profile_energy: from C1 to C6 and the stiffness of the side alone [J].
    """

    code: str
    side: str
    residual: float
    profile_energy: float


def cautions(run: Recording) -> list[str]:
    """What stands above all figures: that a run ended early, had no contact law, or another impact than asked for."""
    found = []
    if not run.status.completed:
        until = f"{run.time[-1]:.3f} s" if len(run.time) else "its start"
        found.append(f"THE RUN ENDED EARLY, at {until}: {run.status}. What comes later is missing.")
    if any("taken_up_a" in item.values and "by_columns" not in item.values for item in run.events.of("collision")):
        found.append("RECORDED BY AN EARLIER VERSION, which did not tell the damage of each collision: run it again.")
    return [*found, *(text for text in run.warnings if UNMET in text), *early_hits(run)]


def refuse_false_figures(run: Recording) -> None:
    """Raise where the figures of a run would not hold.

    Raises:
        RunError: bodies passed through each other, contacts made energy, joints came apart, numbers are not finite.
    """
    if not run.status.figures_hold:
        raise RunError(f"no figures, they would not hold: {run.status}")


def other(collision: Collision, vehicle: VehicleFigures) -> VehicleFigures:
    """The other side of a collision."""
    if vehicle.coupled_to:
        return collision.vehicles[1 - collision.names.index(vehicle.coupled_to)]
    return collision.vehicles[1] if vehicle is collision.vehicles[0] else collision.vehicles[0]


def collisions_of(run: Recording) -> Collisions:
    """The collisions of a recording."""
    events = sorted(run.events.of("collision"), key=lambda event: event.time)
    names = {name for event in events for name in event.subject.split(" - ")} - {GROUND}
    noun = "vehicle" if all(name.endswith(".body") for name in names) else "body"
    kept: list[Collision] = []
    touches: list[Collision] = []
    met: set[tuple[frozenset[str], bool]] = set()
    grounded = any(GROUND in event.subject.split(" - ") for event in events)
    things = fixed_things(run) if grounded else None
    bonds = bonds_of(run) if events else None
    for event in events:
        record = acting_part(run, event, events)
        item = collision_from(event, len(kept) + 1, record)
        if bonds is not None:
            item = own_motion(run, bonds, item, record, event, events)
        pair = frozenset(item.names), bool(record.on_road)
        again = pair in met
        met.add(pair)
        if again and record.by_columns:
            item = met_again(item, record)
        if things is not None and GROUND in item.names:
            hit = names_hit(things, run, event)
            one, two = (replace(v, name=hit) if v.name == GROUND else v for v in item.vehicles)
            item = replace(item, vehicles=(one, two))
        (touches if noun == "vehicle" and is_touch(item, again) else kept).append(item)
    found = Collisions(kept, run, noun)
    found.touches = touches
    return found


def acting_part(run: Recording, event: Event, events: list[Event]) -> np.record:
    """The record of a collision up to where its force is over: vehicles that stay together lean on each other for long.

    Only collisions longer than LASTING, or with ground that carries the body and did not throw it off at once, are
    looked at, from the impulse that the recording keeps of each body; they are left as they are when one of the bodies
    meets a third in the meantime. On the ground the force never goes: the hit is over when it has fallen to the weight,
    and no longer slows the body.
    """
    r = collision_from_values(event.values)
    names = event.subject.split(" - ")
    channels = [next((name[:-1] for name in run if name.endswith(f".{body}.impulse_x")), "") for body in names]
    moving = [k for k in (0, 1) if r.mass[k] > 0.0 and channels[k]]
    carried = carries(r)
    others = [item for item in events if item is not event and set(names) & set(item.subject.split(" - ")) - {GROUND}]
    together = any(item.values["begin"] < r.end and item.values["end"] > r.begin for item in others)
    lies = carried and (r.touching_at_end or r.episodes > 1.0)
    if (r.end - r.begin < LASTING and not lies) or not moving or together:
        return r
    k = moving[0]
    time = np.asarray(run.time)
    impulse = np.column_stack([run[f"{channels[k]}{c}"] for c in "xyz"])
    force = np.linalg.norm(np.diff(impulse, axis=0), axis=1) / np.diff(time)
    inside = np.flatnonzero((time[1:] > r.begin) & (time[1:] <= r.end))
    if not len(inside):
        return r
    peak = inside[force[inside].argmax()]
    over = QUIET * force[peak] + (float(r.mass[k]) * STANDARD_GRAVITY if carried else 0.0)
    quiet = [j for j in inside if j > peak and force[j] < over]
    if not quiet:
        return r
    last = quiet[0]  # frame at which the force had already fallen
    before = max(int(np.searchsorted(time, r.begin, side="right")) - 1, 0)
    r.end = min(float(time[last]), float(r.end))
    r.impulse = (1.0 if k == 1 else -1.0) * (impulse[last] - impulse[before])
    if carried:  # the place of the impulse on the whole is where the body lay
        r.point = r.touch
    for which in (0, 1):
        body = names[which]
        if r.mass[which] > 0.0 and f"{body}.velocity" in run:
            r.velocity[AFTER, which] = run[f"{body}.velocity"][last]
            r.place[AFTER, which] = run[f"{body}.position"][last]
            if f"{body}.omega" in run and f"{body}.orientation" in run:
                turn = matrix_from_quaternion(run[f"{body}.orientation"][last])
                r.spin[AFTER, which] = turn @ run[f"{body}.omega"][last]
    shown = np.linspace(r.begin, r.end, len(r.pulse))
    r.pulse = np.interp(shown, 0.5 * (time[1:] + time[:-1]), force)
    return r


def carries(collision: np.record) -> bool:
    """Whether one of the two is the ground and carries the other: a road, a field; not a wall or a pole."""
    if collision.mass.all():
        return False
    up = float(collision.impulse[2]) * (1.0 if collision.mass[1] > 0.0 else -1.0)
    return up > UPWARD * math.hypot(*collision.impulse[:2])


def collision_from(event: Event, number: int, record: np.record | None = None) -> Collision:
    """One collision from its event, or from the record of that part of it which counts."""
    r = collision_from_values(event.values) if record is None else record
    names = [vehicle_name(name) for name in event.subject.split(" - ")]
    vibration = np.maximum(r.vibration[AFTER] - r.vibration[BEFORE], 0.0)
    same = {field.name: plain(r[field.name]) for field in fields(Collision) if field.name in (r.dtype.names or ())}
    return Collision(
        **same,
        number=number,
        restitution=told_restitution(r),
        impulse_size=float(np.linalg.norm(r.impulse)),
        friction_energy=float(r.heat_friction),
        law_energy=float(r.heat_law),
        vibration_energy=float(vibration.sum()),
        contacts=int(r.episodes),
        still_touching=bool(r.touching_at_end),
        carried=carries(r),
        vehicles=(
            vehicle_figures(r, 0, names[0], -r.impulse, float(vibration[0])),
            vehicle_figures(r, 1, names[1], r.impulse, float(vibration[1])),
        ),
    )


def told_restitution(collision: np.record) -> float:
    """Restitution where the collision can bear that figure, else not a number.

    Weight, tyres and joints act beside the contact. What of the change of the closing speed is not the impulse over the
    masses is theirs, and stands in the restitution as an error of that over the closing speed: in chatter of vehicles
    that are pressed together it is all there is. Above one, bodies gave back what they had taken up before; below
    ``GOES_ON`` they went on past each other and never had one velocity.
    """
    e = restitution_of(collision)
    closing = abs(relative_speed(collision, BEFORE))
    return e if abs(by_other_forces(collision)) <= BEARABLE * closing and GOES_ON <= e < ALL_BACK else math.nan


def plain(value: Any) -> Any:
    """A number or a list of numbers of a record as a plain float or tuple."""
    return tuple(value.tolist()) if np.ndim(value) else float(value)


def side_names(code: float) -> tuple[str, str]:
    """Names of the sides that met, of A and of B, from 5 * side of A + side of B + 1 (negative: bodies swapped)."""
    number = int(abs(code)) - 1
    pair = REGION_NAMES[number // 5], REGION_NAMES[number % 5]
    return pair if code > 0 else (pair[1], pair[0])


def vehicle_figures(collision: Any, which: int, name: str, impulse: np.ndarray, vibration: float) -> VehicleFigures:
    """Figures of one vehicle; ``impulse`` is that on itself."""
    mass = float(collision.mass[which])
    heading = collision.heading[BEFORE, which] * (1.0, 1.0, 0.0)
    length = float(np.linalg.norm(heading))
    ahead = heading / length if length > 0 else np.array([1.0, 0.0, 0.0])
    left = np.array([-ahead[1], ahead[0], 0.0])
    delta = np.zeros(3)
    if mass > 0:
        delta = impulse / mass
        if carries(collision):  # what bears the weight meanwhile changes no velocity
            alone = delta[2] - STANDARD_GRAVITY * float(collision.end - collision.begin)
            change = collision.velocity[AFTER, which, 2] - collision.velocity[BEFORE, which, 2]
            delta[2] = min(max(change, alone), delta[2])  # between bearing all of it, and nothing beside the wheels
    pdof = math.degrees(math.atan2(impulse @ left, -(impulse @ ahead))) if mass > 0 else math.nan
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
        clock=clock_direction(pdof) if mass > 0 else None,
        peak_acceleration=float(collision.peak_force) / mass if mass > 0 else 0.0,
        mean_acceleration=float(np.linalg.norm(delta)) / max(float(collision.end - collision.begin), 1e-9),
        speed_before=float(np.linalg.norm(collision.velocity[BEFORE, which])),
        speed_after=float(np.linalg.norm(collision.velocity[AFTER, which])),
        yaw_rate_before=float(spin[BEFORE]),
        yaw_rate_change=float(spin[AFTER] - spin[BEFORE]),
        vibration=vibration,
        crush_energy=float(collision.taken_up[which]),
        ees=energy_speed(float(collision.taken_up[which]), mass),
        crush=float(collision.own_crush[which]),
        profile=plain(collision.profile[which]),
        damage_width=float(collision.damage_width[which]),
        residual=float(collision.residual[which]),
        dented=Side(int(collision.dent_side[which]) - 1).name.lower() if collision.dent_side[which] else "",
        dent_begin=float(collision.dent_begin[which]),
        dent_end=float(collision.dent_end[which]),
        ahead=plain(ahead),
    )


def damage_of_run(run: Recording, items: list[Collision]) -> dict[tuple[int, str], VehicleDamage]:
    """Damage of the vehicles that gave way, from the dents of each collision."""
    plans, structures = plans_of(run), structures_by_body(run)
    standing = ground_lines(run.scenario().system) if structures else []
    found: dict[tuple[int, str], VehicleDamage] = {}
    for item in items:
        for vehicle in item.vehicles:
            body = body_of(run, vehicle.name)
            if not vehicle.dented or vehicle.clock is None or body not in plans or body not in structures:
                continue
            plan, structure = plans[body], structures[body]
            dent = Dent(vehicle.dented, vehicle.dent_begin, vehicle.dent_end, vehicle.residual)
            high = reaches_high(structure, plan, dent.side)
            met = plans.get(body_of(run, other(item, vehicle).name), standing)
            struck = direct_part(run, plan, dent, (item.begin, item.end), met)
            code = damage_code(struck, plan, vehicle.clock, vehicle.pdof_deg, high)
            a, b = residual_stiffness(structure, dent.side)
            energy = profile_energy(vehicle.profile, vehicle.damage_width, a, b)
            found[item.number, vehicle.name] = VehicleDamage(code, dent.side, dent.depth, energy)
    return found
