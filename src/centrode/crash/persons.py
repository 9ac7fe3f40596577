"""Persons as a whole in a crash: what a vehicle gave them, how fast they left it and how far they were thrown.

Rows of single limbs say little of a person: an arm of 2 kg that carries the weight of a chest for a moment is given an
impulse that its joints pass on. The whole has a mass, one change of velocity per vehicle, which is the sum of the
impulses on all limbs over it, and the way of its centre of mass over the ground from the first touch to the end of the
run, the distance thrown of reconstruction (Searle and Searle, SAE 831622).
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from centrode.classes import dataclass
from centrode.crash.coupled import PERSONS
from centrode.crash.rest import RestPlace
from centrode.errors import CentrodeError
from centrode.parts.bodies.body import Body
from centrode.parts.placement import GROUND
from centrode.recording.recording import Recording

if TYPE_CHECKING:
    from centrode.crash.collisions import Collision

ONE_STRIKE = 0.25
"""Limbs that touch the same vehicle within this time are parts of one strike [s]."""


@dataclass(frozen=True)
class PersonFigures:
    """A person struck by a vehicle.

    Attributes:
        name, against: the person and the vehicle.
        mass: of the whole [kg].
        begin, end: first touch, and when the last limb left the vehicle [s].
        delta_v: by the vehicle, world frame [m/s]; delta_v_size: [m/s].
        vehicle_delta_v: of the vehicle by the person [m/s].
        speed_after: of the centre of mass at ``end``, level [m/s]; speed_at_end: the same when the run ends.
        thrown: level way of the centre of mass from the first touch to the end of the run [m].
    """

    name: str
    against: str
    mass: float
    begin: float
    end: float
    delta_v: tuple[float, float, float]
    delta_v_size: float
    vehicle_delta_v: float
    speed_after: float
    speed_at_end: float
    thrown: float


def persons_of(run: Recording, collisions: list[Collision]) -> list[PersonFigures]:
    """All persons that vehicles struck, in order of time."""
    found = [strike for name, bodies in limbs_of(run).items() for strike in strikes_of(run, name, bodies, collisions)]
    return sorted(found, key=lambda item: item.begin)


def limbs_of(run: Recording) -> dict[str, dict[str, float]]:
    """Persons, their bodies and the masses of these [kg]."""
    try:
        system = run.scenario().system
    except CentrodeError:
        return {}
    return {
        part.name: {
            name: item.row().mass
            for name, item in system.parts.items()
            if isinstance(item, Body) and name.startswith(f"{part.name}.")
        }
        for part in system.of_family("vehicle")
        if part.kind in PERSONS
    }


def whole_motion(run: Recording, bodies: dict[str, float]) -> tuple[np.ndarray, np.ndarray]:
    """Place [m] and velocity [m/s] of the centre of mass of bodies with these masses, at all frames."""
    shares = np.array(list(bodies.values())) / sum(bodies.values())
    place = np.tensordot(shares, [run[f"{body}.position"] for body in bodies], axes=1)
    velocity = np.tensordot(shares, [run[f"{body}.velocity"] for body in bodies], axes=1)
    return place, velocity


@dataclass(frozen=True)
class LimbContacts:
    """All contacts of a limb of a person with one other body.

    Attributes:
        limb, against: names; count: contacts; begin: of the first [s].
        peak_force: greatest [N]; impulse: of all together, sizes summed [N s].
        delta_v: greatest change of the limb's velocity [m/s]; peak: of its own acceleration, or of the force [m/s2].
    """

    limb: str
    against: str
    count: int
    begin: float
    peak_force: float
    impulse: float
    delta_v: float
    peak: float


def contacts_of_limbs(collisions: list[Collision], limbs: Collection[str]) -> list[LimbContacts]:
    """Contacts of limbs with what is none, gathered by limb and partner, in order of the first."""
    rows: dict[tuple[str, str], list[tuple[Collision, int]]] = {}
    for item in collisions:
        for k, name in enumerate(item.names):
            if name in limbs and item.names[1 - k] not in limbs:
                rows.setdefault((name, item.names[1 - k]), []).append((item, k))
    return [
        LimbContacts(
            limb=limb,
            against=against,
            count=len(own),
            begin=min(item.begin for item, _ in own),
            peak_force=max(item.peak_force for item, _ in own),
            impulse=sum(item.impulse_size for item, _ in own),
            delta_v=max(item.vehicles[k].delta_v_size for item, k in own),
            peak=max(item.vehicles[k].peak_acceleration for item, k in own),
        )
        for (limb, against), own in rows.items()
    ]


def person_rest(run: Recording, bodies: dict[str, float], since: float) -> RestPlace:
    """Where a person is at the end by the centre of mass of all limbs, and how far that came since a time [s].

    A person in joints has no heading, and is not turned."""
    place, velocity = whole_motion(run, bodies)
    first = max(int(np.searchsorted(np.asarray(run.time), since, side="right")) - 1, 0)
    return RestPlace(
        position=(float(place[-1, 0]), float(place[-1, 1]), float(place[-1, 2])),
        heading_deg=math.nan,
        speed=float(np.linalg.norm(velocity[-1])),
        turned_deg=math.nan,
        travelled=float(np.linalg.norm(np.diff(place[first:], axis=0), axis=1).sum()),
        marks={},
    )


def strikes_of(run: Recording, name: str, bodies: dict[str, float], collisions: list[Collision]) -> list[PersonFigures]:
    """Strikes of one person, the first of each vehicle."""
    by_vehicle: dict[str, list[Collision]] = {}
    for item in collisions:
        limbs = [other in bodies for other in item.names]
        if sum(limbs) == 1:
            other = item.vehicles[limbs.index(False)]
            if other.mass > 0.0 and other.name != GROUND:
                by_vehicle.setdefault(other.name, []).append(item)
    return [strike(run, name, bodies, against, hits) for against, hits in by_vehicle.items()]


def strike(run: Recording, name: str, bodies: dict[str, float], against: str, hits: list[Collision]) -> PersonFigures:
    """Figures of a person and one vehicle, of the hits that follow each other within ONE_STRIKE."""
    hits = sorted(hits, key=lambda item: item.begin)
    begin, end, impulse = hits[0].begin, hits[0].end, np.zeros(3)
    for item in hits:
        if item.begin > end + ONE_STRIKE:
            break
        end = max(end, item.end)
        on_person = 1.0 if item.names[1] in bodies else -1.0
        impulse += on_person * np.array(item.impulse)
    mass = sum(bodies.values())
    vehicle_mass = next(item.mass for item in hits[0].vehicles if item.name == against)
    delta = impulse / mass
    time = np.asarray(run.time)
    place, velocity = whole_motion(run, bodies)

    def at(when: float, values: np.ndarray) -> np.ndarray:
        return np.array([np.interp(when, time, column) for column in values.T])

    return PersonFigures(
        name=name,
        against=against,
        mass=mass,
        begin=begin,
        end=end,
        delta_v=(float(delta[0]), float(delta[1]), float(delta[2])),
        delta_v_size=float(np.linalg.norm(delta)),
        vehicle_delta_v=float(np.linalg.norm(impulse)) / vehicle_mass,
        speed_after=float(np.linalg.norm(at(end, velocity)[:2])),
        speed_at_end=float(np.linalg.norm(velocity[-1, :2])),
        thrown=float(np.linalg.norm((place[-1] - at(begin, place))[:2])),
    )
