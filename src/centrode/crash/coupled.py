"""Bodies that hang together by joints: limbs, trailers and what tows them, and how a hit changes their velocity.

Where a body is joined to another one its joints pass on a part of what it is struck with: the impulse of the contact
over its own mass is the change of no velocity. So of such a body

    delta-V = v(end) - v(begin),                                                                          (1)

by contact, joints and all else together, and its accelerations are those of its own motion, between frames of the
recording. Where several contacts of a body overlap in time, (1) is what all of them did; it stands with the one that
has the greatest impulse, and the others have what their own impulse could do to the body alone, no more than (1).

A vehicle that was not touched and hangs on one that was has a row as well, with (1) and the side "coupling".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from centrode.classes import dataclass
from centrode.crash.row import VehicleFigures, clock_direction, vehicle_name
from centrode.dynamics.contact.collision import AFTER, BEFORE
from centrode.errors import CentrodeError
from centrode.math.rotation import matrix_from_quaternion
from centrode.parts.bodies.body import Body
from centrode.parts.placement import GROUND
from centrode.parts.points.point import Point
from centrode.recording.events import Event
from centrode.recording.recording import Recording
from centrode.system.builder import System, references_of

if TYPE_CHECKING:
    from centrode.crash.collisions import Collision

PERSONS = ("pedestrian", "rider")
"""Kinds of vehicles that are persons."""
COUPLING = "coupling"
"""Side of a vehicle that was struck by way of one that it is coupled to."""
CLOSE = 2e-3
"""Frames nearer to begin or end of a collision than this are left out: both are known to a step of the method [s]."""


@dataclass(frozen=True)
class Bonds:
    """What hangs together in a system by joints between bodies that move.

    Attributes:
        groups: all bodies that hang together, of each of them.
        units: bodies of vehicles that are no persons, and their masses [kg].
    """

    groups: Mapping[str, frozenset[str]]
    units: Mapping[str, float]

    @cached_property
    def joined(self) -> frozenset[str]:
        """Bodies that are joined to another one."""
        return frozenset(self.groups)

    def beside(self, body: str) -> list[str]:
        """Other vehicles that a body hangs together with."""
        return [name for name in self.units if name != body and name in self.groups.get(body, ())]


def bonds_of(run: Recording) -> Bonds:
    """What hangs together in the system of a run; nothing but limbs, by their names, when it cannot be read."""
    try:
        return bonds_of_system(run.scenario().system)
    except CentrodeError:
        names = {name for event in run.events.of("collision") for name in event.subject.split(" - ")}
        limbs = {name for name in names if "." in name.removesuffix(".body")}
        return Bonds({name: frozenset([name]) for name in limbs}, {})


def bonds_of_system(system: System) -> Bonds:
    """What hangs together in a system."""
    groups: dict[str, frozenset[str]] = {}
    for joint in system.of_family("joint"):
        bodies = {_body(system, name) for _, family, name in references_of(joint) if family == "body"} - {GROUND}
        if len(bodies) > 1:
            whole = frozenset(bodies).union(*(groups.get(name, ()) for name in bodies))
            groups |= dict.fromkeys(whole, whole)
    units: dict[str, float] = {}
    for part in system.of_family("vehicle"):
        own = system.parts.get(f"{part.name}.body")
        if part.kind not in PERSONS and isinstance(own, Body):
            units[own.name] = float(own.row().mass)
    return Bonds(groups, units)


def _body(system: System, name: str) -> str:
    """The body that a name, of itself or of a point on it, stands for."""
    part = system.parts.get(name)
    return str(part.body) if isinstance(part, Point) else name


def own_motion(
    run: Recording, bonds: Bonds, item: Collision, record: np.record, event: Event, events: Iterable[Event]
) -> Collision:
    """A collision with the figures of its joined bodies, and of the vehicles that they are coupled to."""
    bodies = event.subject.split(" - ")
    sides = list(item.vehicles)
    coupled: list[VehicleFigures] = []
    for k, body in enumerate(bodies):
        if body not in bonds.joined:
            continue
        states = [record.velocity[when, k] for when in (BEFORE, AFTER)]
        nodes = velocity_nodes(run, body, item.begin, item.end, states)
        sides[k] = moved(sides[k], nodes, weaker(event, body, events, item.impulse_size))
        for other in bonds.beside(body):
            if other not in bodies and f"{other}.velocity" in run:
                coupled.append(unit_figures(run, other, bonds.units[other], item, sides[k].name))
    return replace(item, vehicles=(sides[0], sides[1]), coupled=tuple(coupled))


def weaker(event: Event, body: str, events: Iterable[Event], impulse: float) -> bool:
    """Whether another contact of a body that overlaps this one in time has the greater impulse."""
    begin, end = event.values["begin"], event.values["end"]
    for other in events:
        if other is event or body not in other.subject.split(" - "):
            continue
        if other.values["begin"] < end and other.values["end"] > begin:
            size = math.hypot(*(other.values[f"impulse_{c}"] for c in "xyz"))
            if size > impulse:
                return True
    return False


def velocity_nodes(
    run: Recording, body: str, begin: float, end: float, states: list[np.ndarray] | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Times [s] and velocities [m/s] of a body from begin to end: at both, and at the frames between.

    ``states``: velocities at begin and end where they are known; else they are those of the recording, between frames.
    """
    if f"{body}.velocity" not in run or not len(run.time):
        assert states is not None
        return np.array([begin, max(end, begin + 1e-9)]), np.array(states)
    time, velocity = np.asarray(run.time), np.asarray(run[f"{body}.velocity"])
    if states is None:
        states = [np.array([np.interp(t, time, column) for column in velocity.T]) for t in (begin, end)]
    inside = (time > begin + CLOSE) & (time < end - CLOSE)
    times = np.concatenate([[begin], time[inside], [max(end, begin + 1e-9)]])
    return times, np.vstack([states[0], velocity[inside], states[1]])


def moved(vehicle: VehicleFigures, nodes: tuple[np.ndarray, np.ndarray], beside: bool) -> VehicleFigures:
    """Figures of a joined body by its own motion; ``beside``: another contact moved it meanwhile, see the top."""
    times, velocity = nodes
    delta = velocity[-1] - velocity[0]
    if beside:
        size = float(np.linalg.norm(delta))
        by_impulse = np.array(vehicle.delta_v)
        told = float(np.linalg.norm(by_impulse))
        delta = by_impulse * min(1.0, size / told) if told > 0.0 else by_impulse
        return with_delta(vehicle, delta, float(times[-1] - times[0]), vehicle.peak_acceleration)
    slopes = np.diff(velocity, axis=0) / np.diff(times)[:, None]
    # No interval has less than the mean of all: the peak is at least the mean acceleration.
    return with_delta(vehicle, delta, float(times[-1] - times[0]), float(np.linalg.norm(slopes, axis=1).max()))


def with_delta(vehicle: VehicleFigures, delta: np.ndarray, duration: float, peak: float) -> VehicleFigures:
    """Figures with another change of velocity [m/s] in the same axes, and another peak acceleration [m/s2]."""
    ahead = np.array(vehicle.ahead)
    left = np.array([-ahead[1], ahead[0], 0.0])
    size = float(np.linalg.norm(delta))
    return replace(
        vehicle,
        delta_v=(float(delta[0]), float(delta[1]), float(delta[2])),
        delta_v_size=size,
        delta_v_along=float(delta @ ahead),
        delta_v_left=float(delta @ left),
        mean_acceleration=size / duration,
        peak_acceleration=peak,
    )


def unit_figures(run: Recording, body: str, mass: float, item: Collision, through: str) -> VehicleFigures:
    """Figures of a vehicle that was not touched and is coupled to one that was."""
    nodes = velocity_nodes(run, body, item.begin, item.end)
    attitude = matrix_from_quaternion(_at(run, f"{body}.orientation", item.begin))
    heading = attitude[:, 0] * (1.0, 1.0, 0.0)
    length = float(np.linalg.norm(heading))
    ahead = heading / length if length > 0.0 else np.array([1.0, 0.0, 0.0])
    left = np.array([-ahead[1], ahead[0], 0.0])
    delta = nodes[1][-1] - nodes[1][0]
    pdof = math.degrees(math.atan2(float(delta @ left), -float(delta @ ahead)))
    spins = [
        matrix_from_quaternion(_at(run, f"{body}.orientation", t)) @ _at(run, f"{body}.omega", t)
        for t in (item.begin, item.end)
    ]
    bare = VehicleFigures(
        name=vehicle_name(body),
        mass=mass,
        side=COUPLING,
        ahead=(float(ahead[0]), float(ahead[1]), 0.0),
        pdof_deg=pdof,
        clock=clock_direction(pdof),
        speed_before=float(np.linalg.norm(nodes[1][0])),
        speed_after=float(np.linalg.norm(nodes[1][-1])),
        yaw_rate_before=float(spins[0][2]),
        yaw_rate_change=float(spins[1][2] - spins[0][2]),
        coupled_to=through,
    )
    return moved(bare, nodes, False)


def _at(run: Recording, channel: str, time: float) -> np.ndarray:
    """Values of a channel at a time within the run [s]."""
    values = np.asarray(run.at(channel, min(max(time, float(run.time[0])), float(run.time[-1]))), dtype=float)
    return values / np.linalg.norm(values) if channel.endswith(".orientation") else values


def overlapping(items: Iterable[Collision], bonds: Bonds) -> list[tuple[int, int]]:
    """Numbers of collisions of the same coupled vehicles that overlap in time: what one did stands in the other too."""
    found = []
    listed = [(item, frozenset().union(*(bonds.groups.get(f"{n}.body", ()) for n in item.names))) for item in items]
    for k, (one, group) in enumerate(listed):
        for two, other in listed[k + 1 :]:
            if group & other and one.coupled and two.coupled and one.begin < two.end and two.begin < one.end:
                found.append((one.number, two.number))
    return found
