r"""Tyre marks as geometry: where on the road each wheel of a run slid, and how hard it rubbed.

Made of a recording alone: channels of the bodies and carriages, and the scenario that the recording carries.

Definitions, for a wheel with slip angle alpha, slip s (0 rolling, -1 locked), load F_z:

- *full slip* of a tyre: alpha_0 and s_0, the smallest pure slips at which its law gives 99 % of the greatest force it
  has, under the static load of the wheel;
- the wheel *slides* while it stands on the road, its sliding speed exceeds 0.05 m/s, and

      sqrt( (tan alpha / tan alpha_0)^2 + (s / s_0)^2 ) > 1                                               (1)

- a *mark* is one stretch of sliding of one wheel; its ends are placed between frames where (1) is met with equality;
- *sliding speed* over travel speed, q = sqrt(tan^2 alpha + s^2) / sqrt(1 + tan^2 alpha), 1 for a locked wheel;
- *intensity* = friction force times q: the energy rubbed off per metre of mark [J/m], from the tyre's law at the load
  that the suspension carries.

Slips are those of the recording: relaxed ones of the carriage, the lagged angle of the carriage of the MEDUSA report.
A carriage with ``wheels: rolling`` knows no slip ahead, so it leaves marks by sliding sideways only.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np

from centrode.classes import dataclass
from centrode.display import Custom
from centrode.errors import InputError
from centrode.jit import handle_of
from centrode.math.rotation import matrix_from_quaternion
from centrode.parts.forces.carriage import WHEEL_NAMES, Carriage, partner_of, spread
from centrode.parts.forces.carriage_medusa import CarriageMedusa
from centrode.parts.forces.carriage_wheels import LEAST_UPRIGHT, suspended
from centrode.parts.suspensions.contract import Suspension
from centrode.parts.suspensions.strut import SuspensionStrut
from centrode.parts.tyres.grip import locked_force
from centrode.recording.recording import Recording
from centrode.texts import csv_table

Channels: TypeAlias = Recording | Mapping[str, np.ndarray]
"""Channels over frames, by name."""
SLOWEST = 0.05
"""Sliding speed below which no mark is left [m/s]."""
FULL = 0.99
"""Share of the greatest force that counts as full slip."""


@dataclass(frozen=True)
class TyreMark:
    """One stretch of sliding of one wheel.

    Attributes:
        body, vehicle: body that carries the wheel, and vehicle that it belongs to, or the body itself.
        wheel: left_front, right_front, left_rear, right_rear, or wheel0, wheel1, ...
        points: places on the road, world frame [m], shape (n, 3), n >= 2.
        intensity: energy rubbed off per metre of mark [J/m], shape (n,).
        times: time of each point [s], shape (n,).
    """

    body: str
    vehicle: str
    wheel: str
    points: np.ndarray
    intensity: np.ndarray
    times: np.ndarray

    @property
    def t0(self) -> float:
        """Begin [s]."""
        return float(self.times[0])

    @property
    def t1(self) -> float:
        """End [s]."""
        return float(self.times[-1])

    @property
    def length(self) -> float:
        """Length on the road [m]."""
        return float(self._steps.sum())

    @property
    def _steps(self) -> np.ndarray:
        return np.asarray(np.linalg.norm(np.diff(self.points, axis=0), axis=1))

    def length_since(self, time: float) -> float:
        """Length of what was left after a time [m]."""
        spans = np.diff(self.times)
        shares = np.clip((self.times[1:] - time) / np.where(spans > 0.0, spans, 1.0), 0.0, 1.0)
        return float((shares * self._steps).sum())

    @property
    def energy(self) -> float:
        """Energy rubbed off [J]."""
        return float((0.5 * (self.intensity[1:] + self.intensity[:-1]) * self._steps).sum())

    def to_data(self) -> dict[str, Any]:
        """All figures by name, for :func:`centrode.texts.to_json`."""
        return {**vars(self), "t0": self.t0, "t1": self.t1, "length": self.length, "energy": self.energy}


def tyre_marks(recording: Recording, folder: str | None = None) -> list[TyreMark]:
    """All marks of a run, in order of time.

    Args:
        recording: a recording that carries its scenario.
        folder: where files and plugins of the scenario lie.

    Returns:
        Marks; none when no wheel slid, and none when the recording carries no scenario.
    """
    try:
        system = recording.scenario(folder).system
    except InputError:
        return []
    found: list[TyreMark] = []
    for body, wheels in marking_wheels(system):
        if f"{body}.position" in recording:
            motion = ChassisMotion(recording, body)
            for wheel in wheels:
                found += _marks_of(recording, motion, wheel)
    return sorted(found, key=lambda mark: (mark.t0, mark.body, mark.wheel))


def marks_table(marks: list[TyreMark], custom: Custom | None = None) -> list[dict[str, str]]:
    """One row per mark, units in the keys."""
    custom = custom or Custom()
    rows = []
    for mark in marks:
        row = {"vehicle": mark.vehicle, "wheel": mark.wheel, "from [s]": f"{mark.t0:.2f}", "to [s]": f"{mark.t1:.2f}"}
        row[custom.heading("length", "length")] = custom.text("length", mark.length)
        row[custom.heading("energy", "energy")] = custom.text("energy", mark.energy)
        for name, value in zip(("x0", "y0", "x1", "y1"), mark.points[[0, -1], :2].ravel(), strict=True):
            row[custom.heading(name, "length")] = custom.text("length", float(value))
        rows.append(row)
    return rows


def marks_csv(marks: list[TyreMark]) -> str:
    """One line per point: number of the mark, vehicle, wheel, time, place, intensity."""
    rows = [
        [k, mark.vehicle, mark.wheel, *(f"{value:.6g}" for value in (time, *point, strength))]
        for k, mark in enumerate(marks)
        for time, point, strength in zip(mark.times, mark.points, mark.intensity, strict=True)
    ]
    return csv_table(["mark", "vehicle", "wheel", "time [s]", "x [m]", "y [m]", "z [m]", "intensity [J/m]"], rows)


def full_slips(tyre: Any, load: float) -> tuple[float, float]:
    """Smallest pure slips (tan of the angle, slip) at which the law gives 99 % of its greatest force."""
    row, law = tyre.pack(), type(tyre).law
    angles, slips = np.linspace(1e-3, 1.3, 1300), np.linspace(1e-3, 1.0, 1000)
    side = np.array([abs(law(row, load, -float(a), 0.0, 0.0, 10.0)[1]) for a in angles])
    ahead = np.array([abs(law(row, load, 0.0, -float(s), 0.0, 10.0)[0]) for s in slips])
    angle = angles[int(np.argmax(side >= FULL * side.max()))]
    return float(np.tan(angle)), float(slips[int(np.argmax(ahead >= FULL * ahead.max()))])


@dataclass(frozen=True)
class MarkingWheel:
    """What one wheel needs: names, place on the body, tyre, road, suspension and its partner's place.

    ``hangs_at`` is the distance at which the wheel hangs in the air [m]; none on the carriage of the MEDUSA report.
    """

    body: str
    carriage: str
    vehicle: str
    name: str
    place: np.ndarray
    tyre: Any
    limits: tuple[float, float]
    road: Any
    suspension: Suspension
    hangs_at: float
    partner: np.ndarray | None = None
    bar: float = 0.0
    driven: bool = False
    along_normal: bool = False


class ChassisMotion:
    """Position, gradient and their rates of a body in all frames."""

    def __init__(self, run: Channels, body: str) -> None:
        self.position, self.velocity = run[f"{body}.position"], run[f"{body}.velocity"]
        if f"{body}.directors" in run:
            self.gradient, self.rate = run[f"{body}.directors"], run[f"{body}.director_rates"]
        else:
            self.gradient = np.array([matrix_from_quaternion(q) for q in run[f"{body}.orientation"]])
            w = run[f"{body}.omega"]
            zero = np.zeros(len(w))
            skew = np.array([[zero, -w[:, 2], w[:, 1]], [w[:, 2], zero, -w[:, 0]], [-w[:, 1], w[:, 0], zero]])
            self.rate = self.gradient @ skew.transpose(2, 0, 1)

    def place(self, k: int, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """World place and velocity of a body-fixed point in frame k."""
        return self.position[k] + self.gradient[k] @ point, self.velocity[k] + self.rate[k] @ point


def marking_wheels(system: Any) -> list[tuple[str, list[MarkingWheel]]]:
    """Body and wheels of every carriage."""
    slips: dict[Any, tuple[float, float]] = {}
    carriages = [part for part in system.parts.values() if isinstance(part, Carriage | CarriageMedusa)]
    return [(part.body, wheels_of(system, part, slips)) for part in carriages]


def wheels_of(system: Any, part: Any, slips: dict[Any, tuple[float, float]]) -> list[MarkingWheel]:
    """The wheels of a carriage of either kind; ``slips`` keeps the full slips of tyres met before."""
    medusa = isinstance(part, CarriageMedusa)
    places = [np.asarray(place, dtype=float) for place in (part.corners if medusa else part.places)]
    count = len(places)
    owner = part.name.rsplit(".", 1)[0]
    vehicle = owner if owner in system.parts and owner != part.name else part.body
    road = system.parts[part.road]
    load = system.parts[part.body].row().mass * float(np.linalg.norm(system.gravity)) / count or 3000.0
    names = WHEEL_NAMES if medusa else part.wheel_names()
    found = []
    front = [q < 2 for q in range(count)] if medusa else part.front_wheels()
    tyres = [part.tyre] * count if medusa else spread(part.tyres, front)
    for q, place in enumerate(places):
        tyre = system.parts[tyres[q]]
        key = (type(tyre), tyre.pack().tobytes(), load)
        if key not in slips:
            slips[key] = full_slips(tyre, load)
        own: dict[str, Any]
        if medusa:
            stiffness, damping = part.stiffness[q // 2], part.damping[q // 2]
            springs = SuspensionStrut("", stiffness=stiffness, damping=damping, rest_length=part.rest)
            driven = q < 2 and not (isinstance(part.rim_speed, int | float) and part.rim_speed == 0.0)
            own = {"suspension": springs, "hangs_at": math.inf, "driven": driven, "along_normal": True}
        else:
            suspension = system.parts[spread(part.suspensions, front)[q]]
            bar = float(part.anti_roll[0] if front[q] else part.anti_roll[1])
            partner = places[partner_of(places, q)] if bar > 0.0 else None
            own = {"suspension": suspension, "hangs_at": suspension.rest_length, "partner": partner, "bar": bar}
            own["along_normal"] = part.force_point != "ground"
        found.append(MarkingWheel(part.body, part.name, vehicle, names[q], place, tyre, slips[key], road, **own))
    return found


def slips_of(run: Channels, motion: ChassisMotion, wheel: MarkingWheel) -> tuple[np.ndarray, np.ndarray]:
    """tan of the slip angle (left positive, folded) and slip (driving positive) in all frames."""
    side = f"{wheel.carriage}.{wheel.name}.slip_side"
    if side in run:
        across = np.asarray(run[side], dtype=float)
        ahead = f"{wheel.carriage}.{wheel.name}.slip_ahead"
        return across, np.asarray(run[ahead], dtype=float) if ahead in run else np.zeros_like(across)
    angle = np.asarray(run[f"{wheel.carriage}.slip_angle_{wheel.name}"], dtype=float)
    cosine = np.cos(angle)
    across = -np.sin(angle) / np.maximum(np.abs(cosine), 1e-6)
    slip, held = np.zeros_like(across), f"{wheel.carriage}.slip_{wheel.name}"
    if held in run:  # of a wheel that is locked, or nearly so: braking positive
        slip = -np.asarray(run[held], dtype=float)
    elif wheel.driven:
        speeds = np.array([np.linalg.norm(motion.place(k, wheel.place)[1]) for k in range(len(angle))])
        onward = np.einsum("nx,nx->n", motion.velocity, motion.gradient[:, :, 0])
        travel = speeds * np.copysign(cosine, onward)
        slip = run[f"{wheel.carriage}.rim_speed"] / np.where(np.abs(travel) > 1e-3, travel, np.inf) - 1.0
    return across, slip


def _load(wheel: MarkingWheel, distance: float, rate: float, other: float) -> float:
    """Push of the suspension [N] as the carriage has it; not positive: the wheel is lifted."""
    law, row = handle_of(type(wheel.suspension).law), wheel.suspension.pack()
    return float(
        suspended(law, row, wheel.hangs_at, distance, rate, wheel.bar * (other - min(distance, wheel.hangs_at)))[0]
    )


def _marks_of(run: Recording, motion: ChassisMotion, wheel: MarkingWheel) -> list[TyreMark]:
    """Stretches of one wheel."""
    across, slip = slips_of(run, motion, wheel)
    excess = np.hypot(across / wheel.limits[0], slip / wheel.limits[1]) - 1.0  # (1)
    near = excess > 0.0
    near[1:] |= excess[:-1] > 0.0
    near[:-1] |= excess[1:] > 0.0
    contacts = {int(k): contact_of(motion, wheel, int(k), across[k], slip[k]) for k in np.flatnonzero(near)}
    slides = [bool(excess[k] > 0.0 and contacts[k][2]) for k in range(len(excess))]
    found: list[TyreMark] = []
    for sliding, stretch in itertools.groupby(range(len(slides)), slides.__getitem__):
        if not sliding:
            continue
        frames = list(stretch)
        rows = [(run.time[k], *contacts[k][:2]) for k in frames]
        if frames[0] > 0:
            rows.insert(0, _end(run.time, contacts, excess, frames[0], frames[0] - 1))
        if frames[-1] + 1 < len(slides):
            rows.append(_end(run.time, contacts, excess, frames[-1], frames[-1] + 1))
        if len(rows) > 1:
            times, points, strength = (np.array(column) for column in zip(*rows, strict=True))
            found.append(TyreMark(wheel.body, wheel.vehicle, wheel.name, points, strength, times))
    return found


def _end(times: np.ndarray, contacts: dict[int, Any], excess: np.ndarray, inside: int, outside: int) -> tuple[Any, ...]:
    """Where a mark begins or ends between the last frame that slides and the one beyond."""
    share = 0.5  # lifted, landed or came to rest somewhere between the two frames
    if excess[outside] <= 0.0:
        share = float(excess[inside] / (excess[inside] - excess[outside]))
    one, two = contacts[inside], contacts[outside]
    time = times[inside] + share * (times[outside] - times[inside])
    return time, one[0] + share * (two[0] - one[0]), one[1] + share * (two[1] - one[1])


def _strut(motion: ChassisMotion, wheel: MarkingWheel, k: int, normal: np.ndarray) -> tuple[np.ndarray, float]:
    """Direction of a wheel's strut and its cosine to the road normal, as the carriage has them."""
    if wheel.along_normal:
        return normal, 1.0
    axis = motion.gradient[k][:, 2] / np.linalg.norm(motion.gradient[k][:, 2])
    return axis, max(float(axis @ normal), LEAST_UPRIGHT)


def contact_of(
    motion: ChassisMotion, wheel: MarkingWheel, k: int, across: float, slip: float
) -> tuple[np.ndarray, float, bool]:
    """Place on the road [m], intensity [J/m], and whether the wheel stands there and moves over it."""
    place, _ = motion.place(k, wheel.place)
    under = wheel.road.point(*place)
    normal = under.normal
    axis, upright = _strut(motion, wheel, k, normal)
    distance = float((place - under.position) @ normal) / upright
    spot = place - distance * axis
    _, flow = motion.place(k, np.linalg.solve(motion.gradient[k], spot - motion.position[k]))
    rate = float(flow @ normal) / upright
    other = min(distance, wheel.hangs_at)
    if wheel.partner is not None:
        mate, _ = motion.place(k, wheel.partner)
        point = wheel.road.point(*mate)
        other = min(float((mate - point.position) @ point.normal) / upright, wheel.hangs_at)
    load = _load(wheel, distance, rate, other) / upright if float(axis @ normal) >= LEAST_UPRIGHT else 0.0
    speed = float(np.linalg.norm(flow - (flow @ normal) * normal))
    share = float(np.hypot(across, slip) / np.hypot(1.0, across))
    if load <= 0.0:
        return spot, 0.0, False
    fx, fy, _ = type(wheel.tyre).law(wheel.tyre.pack(), load, float(np.arctan(across)), float(slip), 0.0, 10.0)
    force = float(np.hypot(fx, fy))
    if under.ground < 0.0:
        force *= under.friction * load / locked_force(wheel.tyre, load)
    else:
        force *= under.grip
    return spot, force * min(share, 1.0), share * speed > SLOWEST
