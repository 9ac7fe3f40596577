"""What no single line of the legacy files shows: roads that run back or lean over, starts off the road, equilibria
that are none. Each fault with file and line.

A vehicle starts on the road: not before the virtual segment, not beyond the last point (the program of 1999 ends there)
and no farther from the line than half a width. road.dat has no width, and the surface goes on as a plane.

A listed EQUILIBRIUM is near one: the directors make a right-handed frame, and R3 is no farther than ``FARTHEST`` from
the height at which the springs carry the car, from the lever rule (the pitch is small, L = L1 + L2)

    r3 = (L2/L) (SPRING_REF + H1 - m g (L2/L) / (2 C1)) + (L1/L) (SPRING_REF + H2 - m g (L1/L) / (2 C2)).    (1)
"""

from __future__ import annotations

import math

import numpy as np

from centrode.errors import Fault
from centrode.parts.roads.contract import BEFORE_START, BEHIND_END
from centrode.scenario.medusa.records import LegacyModel, LegacyModels, LegacyPlatoon, LegacyRoad

STEEPEST_DEG = 45.0
SHARPEST_DEG = 135.0
"""Turn between neighbouring segments from which on points count as out of order; a hairpin needs two of 90 degrees."""

FARTHEST = 1.0
"""Distance of a listed height from that of rest [m] up to which a car may be meant to fall; millimetres are farther."""
LEAST_VOLUME = 0.1
GRAVITY = 9.81


def road_faults(road: LegacyRoad, file: str) -> list[Fault]:
    """Points that run back, segments steeper than 45 degrees, banks of 90 degrees and more."""
    found = bank_faults(road, file)
    lines = road.lines or (0,) * len(road.points)
    points = np.array([point[:3] for point in road.points])
    for index in _turning_back(points)[:1]:
        what = f"the road runs back: point {index + 2} lies behind point {index + 1}"
        expected = "points in the order in which the road passes them"
        found.append(
            Fault(what, file=file, line=lines[index + 1], got=tuple(points[index + 1].tolist()), expected=expected)
        )
    for index, chord in enumerate(np.diff(points, axis=0)):
        slope = math.degrees(math.atan2(abs(chord[2]), math.hypot(chord[0], chord[1])))
        if slope > STEEPEST_DEG:
            what = f"the road climbs by {slope:.3g} degrees from point {index + 1} to point {index + 2}"
            expected = f"{STEEPEST_DEG:g} degrees at most; columns are x, y, z [m] and bank [deg]"
            found.append(Fault(what, file=file, line=lines[index + 1], expected=expected))
    return found


def bank_faults(road: LegacyRoad, file: str) -> list[Fault]:
    """Points whose bank is 90 degrees and more; for roads too of which other points could not be read."""
    found = []
    for number, (line, point) in enumerate(zip(road.lines or (0,) * len(road.points), road.points, strict=True), 1):
        if abs(point[3]) >= 90.0:
            expected = "a bank between -90 and 90 degrees; columns are x, y, z [m] and bank [deg]"
            found.append(Fault(f"point {number} leans over", file=file, line=line, got=point[3], expected=expected))
    return found


def _turning_back(points: np.ndarray) -> list[int]:
    """Indices of the points at which a road through points (n, 3) turns back on itself."""
    chords = np.diff(points, axis=0)
    chords /= np.linalg.norm(chords, axis=1, keepdims=True)
    cosines = np.einsum("kx,kx->k", chords[:-1], chords[1:])
    return [int(index) for index in 1 + np.flatnonzero(cosines < math.cos(math.radians(SHARPEST_DEG)))]


def start_faults(platoon: LegacyPlatoon, road: LegacyRoad, file: str) -> list[Fault]:
    """Vehicles that start before the virtual segment, beyond the last point or beside the road."""
    found = []
    part, length = road.part(), math.dist(*(point[:3] for point in road.points[:2]))
    first, end = part.shared_table()[1], road.points[-1]
    begin = f"({first[2]:g}, {first[8]:g})"  # x and y at the start of the first piece, the virtual segment
    behind = (
        f"a place behind {begin}, where the road begins: a straight virtual segment (1.3.3), as long as the first one, "
        f"{length:g} m, leads to point 1 of road.dat at ({road.points[0][0]:g}, {road.points[0][1]:g})"
    )
    before = f"a place before ({end[0]:g}, {end[1]:g}), the last point of road.dat"
    beside = f"a place up to {0.5 * road.width:g} m from the line of road.dat"
    for number, vehicle in enumerate(platoon.vehicles, start=1):
        under = part.point_below(vehicle.x, vehicle.y)
        status, hint = int(under.status), ""
        if status & BEFORE_START:
            where, expected = "before the road", behind
        elif status & BEHIND_END:
            where, expected = "beyond the end of the road", before
        elif abs(under.lateral) > 0.5 * road.width:
            where, expected, hint = f"{abs(under.lateral):.4g} m beside the road", beside, "--width allows more"
        else:
            continue
        got = f"X {vehicle.x:g} Y {vehicle.y:g}"
        what = f"vehicle {number} starts {where}"
        found.append(Fault(what, file=file, line=vehicle.line, got=got, expected=expected, hint=hint))
    return found


def listed_faults(models: LegacyModels, platoon: LegacyPlatoon, file: str) -> list[Fault]:
    """Models in use whose listed equilibrium is none: directors that span no frame, a height far from that of rest."""
    found = []
    for number in sorted({vehicle.model for vehicle in platoon.vehicles}):
        model = models[number]
        if np.linalg.det(np.array(model.directors)) <= LEAST_VOLUME:
            what = f"the listed directors of model {number} span no right-handed frame"
            expected = "about D11 1 D22 1 D33 1, the others about 0"
            found.append(Fault(what, file=file, line=model.line, got=model.directors, expected=expected))
        elif abs(model.r3 - rest_height(model)) > FARTHEST:
            what = f"the listed equilibrium of model {number} is none"
            expected = f"about {rest_height(model):.3g} m, where the springs carry the car"
            found.append(Fault(what, file=file, line=model.line, got=f"R3 {model.r3:g}", expected=expected))
    return found


def listed_start_faults(models: LegacyModels, platoon: LegacyPlatoon, road: LegacyRoad, file: str) -> list[Fault]:
    """Vehicles whose listed height, which counts from the line of the road, is far from rest over the road below them:
    beside the line of a banked road that is deep under it, or high above."""
    found = []
    part = road.part()
    for number, vehicle in enumerate(platoon.vehicles, start=1):
        model, under = models[vehicle.model], part.point_below(vehicle.x, vehicle.y)
        line = float((under.position - under.lateral * under.left)[2])
        height = float((np.array([vehicle.x, vehicle.y, line + model.r3]) - under.position) @ under.normal)
        rest = rest_height(model)
        if abs(model.r3 - rest) <= FARTHEST < abs(height - rest):
            what = f"vehicle {number} starts {abs(height):.3g} m {'above' if height > 0.0 else 'under'} the road"
            got = f"R3 {model.r3:g} over the line of the road, X {vehicle.x:g} Y {vehicle.y:g}"
            expected = f"within {FARTHEST:g} m of {rest:.3g} m, where the springs carry the car"
            hint = "without --listed vehicles start on their springs, beside the line of a banked road too"
            found.append(Fault(what, file=file, line=vehicle.line, got=got, expected=expected, hint=hint))
    return found


def rest_height(model: LegacyModel) -> float:
    """Height of the centre of mass over a level road at rest [m], (1)."""
    base = model.l1 + model.l2
    front, rear = (model.l2 / base, model.l1 / base) if base > 0.0 else (0.5, 0.5)
    weight = 0.5 * model.mass * GRAVITY
    at_front = model.spring_ref + model.h1 - weight * front / model.c1
    at_rear = model.spring_ref + model.h2 - weight * rear / model.c2
    return front * at_front + rear * at_rear
