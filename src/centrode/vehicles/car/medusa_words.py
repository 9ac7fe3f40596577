"""Where the model of 1999 ends: words for cars that start beyond it, or get there in a run.

The report's tyre has equations for wheels that roll ahead. Its program takes them in reverse too, where the force of a
wheel that is driven backwards points the wrong way and feeds the car with energy (one that is driven ahead while the
car rolls back has a slip above 1, which its clamp turns into full thrust ahead, as it should). Its side-force stiffness
is a parabola of the load,

    C_a = A_0 + A_1 F - (A_1 / A_2) F^2:    greatest at A_2 / 2,    0 at A_2 (1/2 + sqrt(1/4 + A_0 / (A_1 A_2)))    (1)

beyond which a car goes to the right when it is steered to the left. Body and road do not touch in this model.

Its wheels stand on a plane through the line of the road, with the normal n and the place s below the car, where a
changing bank spans a twisted surface. The plane turns as the car goes on, its forces F_q along n do not see that it
does, and the car is lifted or lowered for nothing: with Delta_q = (x_q - s) . n the springs give F_q Delta_q' where the
car gets F_q n . x_q', and the difference is

    E' = sum F_q (s' . n - (x_q - s) . n'),    0 for the tangent plane of a surface that is flat below the car.   (2)
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

import numpy as np

from centrode.parts.roads.contract import BEFORE_START, BEHIND_END, Road
from centrode.parts.roads.medusa4 import RoadMedusa4
from centrode.parts.roads.spline import RoadSpline
from centrode.parts.signals.signal import signal_from
from centrode.parts.tyres.calspan import TyreCalspan
from centrode.system.builder import System

if TYPE_CHECKING:
    from centrode.vehicles.car.medusa import CarMedusa

CURE = "--tyre bounded (tyre_range: bounded)"
RADIANS = 1e-3
"""An ORIENTATION so near to an eighth of a turn in radians may have been meant so."""
SLOPED = 0.01
"""Slope from which on a listed start, which is level, is told [1]."""
FREE_SHARE = 0.01
"""Energy (2) as a share of the kinetic energy from which on it is told: chosen; the report's example has 0.8 %."""
LEAST = 100.0
"""Energy [J] that is not told, of cars that hardly move: it lifts one by half a centimetre."""
ROLLS = 1e-6
"""Slope along a standing car from which on it rolls away: 2 cm in a minute [1]."""
LOCKS = "--parked (parked: true) locks them"
LEVEL = 1.0 - 1e-9
"""Upward part of a normal below which a place counts as sloped or banked [1]."""
CREEP = 0.1
"""Speed backwards [m/s] from which on a wheel counts as reversing."""


def load_limits(tyre: TyreCalspan) -> tuple[float, float]:
    """Loads of a wheel [N] at which the side-force stiffness is greatest, and at which it is 0 again (1)."""
    if tyre.a1 <= 0.0:
        return math.inf, math.inf
    return 0.5 * tyre.a2, tyre.a2 * (0.5 + math.sqrt(0.25 + tyre.a0 / (tyre.a1 * tyre.a2)))


def scaled_tyre(name: str, tyre: TyreCalspan, load: float) -> str:
    """Words that take the same tyre in another size: k times the force at k times the load, C(F) = k C_a(F/k) and
    mu(F) = mu_0(F/k), with the load at a third of A_2, as that of model 1 is."""
    k = math.ceil(30.0 * load / tyre.a2) / 10.0
    fields = {"a0": k * tyre.a0, "a2": k * tyre.a2, "b1": tyre.b1 / k, "b4": tyre.b4 / k**2}
    row = ", ".join(f"{field}: {value:.4g}" for field, value in fields.items())
    words = f'--set "tyres={{big: {{kind: calspan, {row}}}}}" --set vehicles.{name}.tyre=big'
    return f"{words} takes it in a size for this load"


def report_tyre(car: CarMedusa, system: System) -> TyreCalspan | None:
    """The tyre of a car if it is of the report's kind."""
    tyre = system.parts[car.tyre if car.tyre is not None else f"{car.name}.tyre"]
    return tyre if isinstance(tyre, TyreCalspan) else None


def program_tyre(car: CarMedusa, system: System) -> TyreCalspan | None:
    """The tyre of a car that takes its equations beyond their range, as the program of 1999 does; else None."""
    tyre = report_tyre(car, system)
    return tyre if tyre is not None and tyre.original else None


def static_loads(car: CarMedusa, weight: float) -> tuple[float, float]:
    """Load of a front and of a rear wheel [N] by the lever rule."""
    base = car.front + car.rear
    share = min(max(car.rear / base, 0.0), 1.0) if base > 0.0 else 0.5
    return 0.5 * weight * share, 0.5 * weight * (1.0 - share)


def place_words(car: CarMedusa, system: System) -> list[str]:
    """Headings that look like radians, and listed starts that do not follow the road."""
    found, degrees = [], math.degrees(car.heading)
    eighths = 4.0 * degrees / math.pi
    if 1.0 <= abs(eighths) <= 8.5 and abs(degrees - round(eighths) * math.pi / 4.0) < RADIANS:
        found.append(
            f"{car.name}: ORIENTATION {degrees:.7g} is taken in degrees; in radians it would be {eighths:.3g} * 45"
        )
    road = cast(Road, system.parts[car.road if car.road is not None else f"{car.name}.road"])
    under = road.point_below(*(float(x) for x in car.position))
    normal = under.normal
    if isinstance(road, RoadMedusa4 | RoadSpline) and under.s < 0.0 < road.lead and normal[2] < LEVEL:
        way = float(np.linalg.norm(under.position - under.lateral * under.left - np.array(road.points[0])))
        lean = "in the plane of the road's first cross section, level in 1999"
        found.append(f"{car.name} starts on the virtual segment (1.3.3), {way:.4g} m before point 1: it lies {lean}")
    rise = -(normal[0] * math.cos(car.heading) + normal[1] * math.sin(car.heading)) / normal[2]
    free = isinstance(car.rim_speed, int | float) and car.rim_speed == 0.0 and not car.parked
    if car.speed == 0.0 and free and abs(rise) > ROLLS:
        why = "its wheels roll freely (TIRE_SPEED 0 is no brake)"
        found.append(f"{car.name} stands on a slope of {100.0 * abs(rise):.2g} % and rolls away: {why}; {LOCKS}")
    if car.speed == 0.0 and free and car.lag_turn == "program":
        why = "the lagged angle of the program jumps between -pi/2 and pi/2 at rest"
        found.append(f"{car.name} stands, and will chatter and creep: {why}; --lag short lets it stand")
    if car.equilibrium == "listed" and abs(rise) > SLOPED:
        word = "into" if rise * car.speed > 0.0 else "off"
        end = "as in 1999; without --listed it follows the road"
        found.append(f"{car.name} starts level, {word} a road that rises by {100.0 * rise:.2g} %, {end}")
    return found


def start_words(car: CarMedusa, system: System) -> list[str]:
    """What is beyond the report's tyre from the start, and what may have been meant otherwise."""
    tyre = report_tyre(car, system)
    found = place_words(car, system)
    if tyre is None:
        return found
    rim = float(signal_from(car.rim_speed).at(0.0)[0])
    if tyre.original and rim < 0.0:
        found.append(reverse_words(car.name, f"SPEED {car.speed:g}, TIRE_SPEED {rim:g} m/s"))
    weight = car.mass * float(np.linalg.norm(system.gravity))
    most, (turn, end) = max(static_loads(car, weight)), load_limits(tyre)
    if most > end and tyre.original:
        found.append(overload_words(car.name, f"carries {1e-3 * most:.3g} kN on a wheel", end, tyre, most))
    elif most > turn:
        last = f"{1e-3 * end:.3g} kN none" if tyre.original else f"{1e-3 * tyre.a2:.3g} kN {1e-3 * tyre.a0:.3g} kN/rad"
        peak = 1e-3 * tyre.cornering_stiffness(turn)
        found.append(
            f"{car.name} carries {1e-3 * most:.3g} kN on a wheel: above {1e-3 * turn:.3g} kN more load gives the tyre "
            f"of 1999 less side-force stiffness than its {peak:.3g} kN/rad, above {last}; "
            f"{scaled_tyre(car.name, tyre, most)}"
        )
    return found


def reverse_words(name: str, when: str) -> str:
    """The tyre of a driven wheel in reverse."""
    return (
        f"{name}, driven in reverse ({when}): the tyre of 1999 holds for wheels that roll ahead only, and pushes a "
        f"reversing car the wrong way, which makes energy; {CURE} mirrors it"
    )


def overload_words(name: str, what: str, end: float, tyre: TyreCalspan, load: float) -> str:
    """The tyre of a wheel whose side-force stiffness is negative."""
    return (
        f"{name} {what}: above {1e-3 * end:.3g} kN the side force of the tyre of 1999 points the wrong way, and "
        f"steering left leads to the right; {CURE} holds the stiffness at {1e-3 * tyre.a0:.3g} kN/rad, "
        f"{scaled_tyre(name, tyre, load)}"
    )


def cars_of(system: System) -> list[CarMedusa]:
    """The cars of the report, in the order of their states."""
    from centrode.vehicles.car.medusa import CarMedusa

    return [part for part in system.parts.values() if isinstance(part, CarMedusa)]


class Ride:
    """A car of the report over the saved moments of a run, and the road under it.

    Args:
        car, system: the car, and where its road is found.
        time: (n,) [s].
        states: (n, 28), as (1.32) has them.
    """

    def __init__(self, car: CarMedusa, system: System, time: np.ndarray, states: np.ndarray) -> None:
        self.car, self.time, self.states = car, time, states
        road = cast(Road, system.parts[car.road if car.road is not None else f"{car.name}.road"])
        hint, feet = math.nan, []
        for x, y, z in states[:, :3].tolist():
            feet.append(road.point(x, y, z, hint))
            hint = feet[-1].s
        self.status = np.array([int(foot.status) for foot in feet], dtype=int)
        self.laterals = np.array([foot.lateral for foot in feet])
        self.feet = np.array([foot.position for foot in feet]).reshape(-1, 3)
        self.normals = np.array([foot.normal for foot in feet]).reshape(-1, 3)
        self.directors, self.rates = (states[:, first : first + 9].reshape(-1, 3, 3) for first in (3, 15))

    def stretches(self) -> np.ndarray:
        """Of the springs, along the normal of the road [m], shape (n, 4)."""
        places = np.array(self.car.places) @ self.directors + (self.states[:, :3] - self.feet)[:, None]
        return np.einsum("nqx,nx->nq", places, self.normals) - self.car.rest_length

    def turned(self) -> np.ndarray:
        """Energy that the turning plane of the road has given to the car until each moment [J], (2), shape (n,)."""
        places = np.array(self.car.places) @ self.directors + (self.states[:, :3] - self.feet)[:, None]
        loads = np.maximum(self.loads(), 0.0)
        arms, pushes = np.einsum("nq,nqx->nx", loads, places), loads.sum(axis=1)[:, None] * self.normals
        works = np.einsum("nx,nx->n", 0.5 * (pushes[1:] + pushes[:-1]), np.diff(self.feet, axis=0))
        works -= np.einsum("nx,nx->n", 0.5 * (arms[1:] + arms[:-1]), np.diff(self.normals, axis=0))
        return np.concatenate([[0.0], np.cumsum(works)])

    def loads(self) -> np.ndarray:
        """Of the wheels [N], (1.17), lifted ones below 0, shape (n, 4)."""
        speeds = np.array(self.car.places) @ self.rates + self.states[:, None, 12:15]
        rises = np.einsum("nqx,nx->nq", speeds, self.normals)
        springs, dampers = (
            np.repeat(np.array(value, dtype=float), 2) for value in (self.car.stiffness, self.car.damper)
        )
        return -(springs * self.stretches() + dampers * rises)

    def words(self, system: System) -> list[str]:
        """What happened to it that the model of 1999 has no equations for, each with the first saved moment of it."""
        name, found = self.car.name, []
        when = _first(self.time, self.status != 0)
        if when is not None:
            row, end = int(np.searchsorted(self.time, when)), "the plane of the last cross section goes on"
            where = "before its virtual segment" if self.status[row] & BEFORE_START else "beyond its last point"
            if not self.status[row] & (BEFORE_START | BEHIND_END):
                where = f"sideways, {abs(self.laterals[row]):.3g} m from its line,"
                end = "the plane of the cross section goes on (--width says how wide the road is)"
            found.append(f"{name} left the road {where} at {when:.6g} s: {end}")
        when = _first(self.time, np.einsum("nx,nx->n", self.directors[:, 2], self.normals) < 0.0)
        if when is not None:
            end = "in the model of 1999 body and road do not touch, and what follows is no motion of a car"
            found.append(f"{name} has rolled over at {when:.6g} s: {end}; those of kind car roll on their body")
        tyre = program_tyre(self.car, system)
        found += self._plane_words()
        upright = len(self.time) if when is None else int(np.searchsorted(self.time, when))
        return found if tyre is None or not upright else found + self._tyre_words(system, tyre, slice(upright))

    def _plane_words(self) -> list[str]:
        """A road whose plane turned under it."""
        if not len(self.time):
            return []
        turned, kinetic = self.turned(), 0.5 * self.car.mass * float((self.states[:, 12:15] ** 2).sum(axis=1).max())
        row = int(np.abs(turned).argmax())
        if abs(turned[row]) <= max(FREE_SHARE * kinetic, LEAST):
            return []
        what = "gave it" if turned[row] > 0.0 else "took from it"
        share = f"{1e-3 * abs(turned[row]):.3g} kJ, {100.0 * abs(turned[row]) / kinetic:.2g} % of its kinetic energy"
        why = "in the model of 1999 wheels stand on the plane through its line, not on the surface that its banks span"
        return [
            f"{self.car.name}: the road, whose bank changes, {what} {share}, until {self.time[row]:.6g} s: {why}; "
            "--road smooth has the surface"
        ]

    def _tyre_words(self, system: System, tyre: TyreCalspan, part: slice) -> list[str]:
        """Wheels in reverse and overloaded ones, in a part of the run."""
        name, found, time = self.car.name, list[str](), self.time[part]
        ahead = self.directors[:, 0] / np.linalg.norm(self.directors[:, 0], axis=1, keepdims=True)
        when = _first(time, np.einsum("nx,nx->n", self.states[:, 12:15], ahead)[part] < -CREEP)
        varies = not isinstance(self.car.rim_speed, int | float)  # else it was told at the start
        told = any(text.startswith(f"{name}, driven in reverse") for text in system.notes)
        if when is not None and varies and not told:
            found.append(reverse_words(name, f"at {when:.6g} s"))
        most, end = self.loads()[part].max(axis=1), load_limits(tyre)[1]
        static = max(static_loads(self.car, self.car.mass * float(np.linalg.norm(system.gravity))))
        if most.max() > end >= static:
            moment = float(time[most.argmax()])
            what, load = f"carries {1e-3 * most.max():.3g} kN on a wheel at {moment:.6g} s", float(most.max())
            found.append(overload_words(name, what, end, tyre, load))
        return found


def _first(time: np.ndarray, there: np.ndarray) -> float | None:
    """The first moment at which something is the case."""
    return float(time[there.argmax()]) if there.any() else None
