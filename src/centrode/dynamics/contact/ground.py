"""Which bodies come down on which roads, and by which laws.

A car touches the road that its wheels stand on: by its shell where that stands over the road (in a crash, as
``car-body``), otherwise by its hull, an outline that touches roads only. A body of its own (no part of a vehicle)
touches all roads, unless the ground has a floor of another kind. Where there are several roads, each ends beside its
width; a single one goes on as its wheels have it.

Kerbs are solids along the road (:mod:`centrode.parts.roads.kerbs`), which bodies meet, and rims of wheels: a wheel that
slides sideways into a kerb is stopped by its rim, which trips the car. Surfaces and kerbs are numbered in one row, and
outlines know by the bits of a number which of them they touch.

One plane below the lowest point does for roads that bend by little over the length of a car. Ground with edges, slopes
or bumps has another plane below every corner: there a vehicle touches by feelers, small spheres at the corners of its
hull and over its floor, each with the plane below itself. (With one plane for all, that of a slope beside the road went
up through the part of the car that was still over the road.)

Law of a material on a road, where none is given that names both (``between: [car, road]``): laws for all other pairs do
not serve roads, because what is meant for cars in each other's way seldom has the friction of asphalt.

- Stiffness: roofs that are rated good carry 4 times the weight within 127 mm (IIHS, roof strength test protocol), and
  most of that within half the way: 63 weights per metre. A car lies 1.6 cm deep then. The body springs back, its dents
  are not kept; those of columns that give way are (law ``crush`` between both).
- A rim gives way four times as easily, with its tyre, axle and suspension: kerbs that trip a car at 13 m/s then pull
  with 6 to 9 g. Chosen so.
- Damping 2 s/m relative to the spring (Hunt and Crossley): a hit at 4 m/s comes back with 0.12 of its speed, at 1 m/s
  with 0.41, and a body that rocks from edge to edge comes to rest. Chosen so, not measured.
- Friction 0.5: sheet metal on asphalt; sliding on roof or side 0.4 to 0.7 in the literature of reconstruction (see
  docs/theory/ground.md).
"""

from __future__ import annotations

from dataclasses import field, fields, replace
from typing import TYPE_CHECKING

import numpy as np

from centrode.classes import dataclass
from centrode.dynamics.contact.persons import CYCLIST, PERSON, person_law
from centrode.dynamics.contact.tables import ROAD
from centrode.errors import InputError
from centrode.parts.contact_laws.contact_law import ContactLaw
from centrode.parts.contact_laws.hunt_crossley import HuntCrossley
from centrode.parts.outlines.outline import Outline
from centrode.parts.outlines.road import RIM_MATERIAL, OutlineRoad, is_plain
from centrode.parts.outlines.sphere import OutlineSphere
from centrode.parts.part import Part
from centrode.parts.placement import GROUND
from centrode.parts.roads.contract import COLUMNS, Road
from centrode.parts.roads.kerbs import kerb_outlines
from centrode.parts.roads.terrain import TERRAIN
from centrode.parts.roads.terrain_foot import steepest

if TYPE_CHECKING:
    from centrode.system.builder import System

WEIGHTS_PER_METRE = 4.0 / (0.5 * 0.127)
RIM_SOFTER = 0.25
DAMPING, FRICTION = 2.0, 0.5
STICK, STICK_DAMPING = 10.0, 0.5
"""Stiffness of the bristle that holds a body on the road over that of the law, its share of critical damping."""
CYCLE_MATERIAL, CYCLE_STIFFNESS = "bicycle", 2e6
"""Frames of bicycles are stiff and thin: 90 kg that come down with 10 m/s are stopped over 7 cm, undamped, of the 10 cm
that a frame is thick [N/m]."""
FEELER = 0.06
"""Radius of the spheres by which a vehicle feels uneven ground [m]."""
FLOOR_LENGTHS = (-0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75)
"""Where they stand on the floor, over half its length."""
MOST_ROADS = 60.0
"""As many bits a number has."""


@dataclass
class Ground:
    """Roads that bodies touch.

    Attributes:
        surfaces: outlines of the roads, or kerbs of one road, in the order of their numbers.
        hulls: outlines of cars that touch roads only.
        touching: name of an outline -> numbers of the surfaces, from 0.
        rows, tables: for the tables of contacts.
    """

    surfaces: list[list[Outline]] = field(default_factory=list)
    hulls: list[Outline] = field(default_factory=list)
    touching: dict[str, set[int]] = field(default_factory=dict)
    rows: np.ndarray = field(default_factory=lambda: np.zeros(0, ROAD))
    tables: np.ndarray = field(default_factory=lambda: np.zeros((0, COLUMNS)))

    def mark(self, outlines: list[Outline], rows: np.ndarray) -> None:
        """Note in the rows of outlines which is a road, and which touches which."""
        hulls = {item.name for item in self.hulls}
        numbers = {item.name: 1 + k for k, items in enumerate(self.surfaces) for item in items}
        for row, item in zip(rows, outlines, strict=True):
            row.surface = numbers.get(item.name, 0)
            if isinstance(item, OutlineRoad) and not self.rows[row.surface - 1].curved:
                header = self.tables[self.rows[row.surface - 1].first]
                row.centre, row.axes = header[8:11], header[11:20].reshape(3, 3)
            row.meets = sum(1 << k for k in self.touching.get(item.name, ()))
            row.roads_only = item.name in hulls

    def table_of(self, surface: int) -> np.ndarray:
        """Table of a road, by the number of its surface from 1."""
        row = self.rows[surface - 1]
        return self.tables[row.first : row.first + row.rows]


def ground_of(system: System, outlines: list[Outline]) -> Ground:
    """The roads of a system that its outlines touch; the hulls of cars come with it."""
    found = Ground(surfaces=[[item] for item in outlines if isinstance(item, OutlineRoad)])
    own = {items[0].road: [k] for k, items in enumerate(found.surfaces) if isinstance(items[0], OutlineRoad)}
    declared = set(range(len(found.surfaces)))

    def surfaces(road: str) -> list[int]:
        """Numbers of a road and of its kerbs, the road first."""
        if road not in own:
            own[road] = [len(found.surfaces)]
            found.surfaces.append([OutlineRoad(f"{road}.surface", road=road)])
        kerbs = kerb_outlines(road_part(system, road)) if len(own[road]) == 1 else []
        if kerbs:
            own[road].append(len(found.surfaces))
            found.surfaces.append(list(kerbs))
        return own[road]

    vehicles = list(system.of_family("vehicle"))
    on_wheels = {part.name for part in vehicles if not part.lies_on_roads()}
    standing_ones = {item.name: item for item in outlines}
    road_of = dict(standing(part) for part in system.of_family("force") if rolls(part))
    for vehicle in vehicles:
        hull = vehicle.road_outline()
        if isinstance(hull, Outline) and hull.body in road_of:
            numbers = surfaces(road_of[hull.body])
            shell = vehicle.shell(True)
            if not isinstance(shell, Outline) or standing_ones.get(shell.name) != shell:
                found.hulls.append(hull)
                shell = hull
            if is_uneven(road_part(system, road_of[hull.body])):
                points = feelers(hull)
                found.hulls += points
                found.touching |= {item.name: {numbers[0]} for item in points}
                found.touching[shell.name] = set(numbers[1:])
            else:
                found.touching[shell.name] = set(numbers)
            for rim in vehicle.rim_outlines() if len(numbers) > 1 else []:
                if isinstance(rim, Outline):
                    found.hulls.append(rim)
                    found.touching[rim.name] = set(numbers[1:])
    floor = any(item.half_space and item.body == GROUND and not isinstance(item, OutlineRoad) for item in outlines)
    for item in outlines:
        if item.body == GROUND or item.half_space or not on_wheels.isdisjoint(owners(item.body)):
            continue
        touches = set(declared)
        if not floor:
            touches |= {number for part in system.of_family("road") for number in surfaces(part.name)}
        if touches:
            found.touching[item.name] = touches
    found.rows, found.tables = road_rows(system, [items[0] for items in found.surfaces])
    return found


def is_uneven(road: Road) -> bool:
    """Whether the ground of a road has edges, slopes or bumps that are shorter than a car."""
    return bool(road.edges or road.embankments or road.shared_table()[0, 0] == TERRAIN)


def feelers(hull: Outline) -> list[Outline]:
    """Small spheres inside a hull: at its corners, and over its floor from end to end."""
    corners = hull.corners()
    low, high = corners.min(axis=0), corners.max(axis=0)
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    floor = [
        (middle[0] + x * half[0], middle[1] + y * half[1], low[2]) for x in FLOOR_LENGTHS for y in (-0.85, 0.0, 0.85)
    ]
    places = np.concatenate([corners, floor])
    inwards = middle - places
    places = places + np.sign(inwards) * np.minimum(np.abs(inwards), FEELER)
    turned = places @ np.asarray(hull.rotation, dtype=float).T + np.asarray(hull.centre, dtype=float)
    return [
        OutlineSphere(f"{hull.name}.{k}", body=hull.body, centre=tuple(at), material=hull.material, radius=FEELER)
        for k, at in enumerate(turned.tolist())
    ]


def owners(name: str) -> list[str]:
    """Names before each dot of a name: the parts that may have brought it."""
    words = name.split(".")
    return [".".join(words[:k]) for k in range(1, len(words))]


def road_part(system: System, name: str) -> Road:
    """A road of the system."""
    part = system.parts[name]
    assert isinstance(part, Road)  # names of roads are checked when parts are added
    return part


def rolls(part: Part) -> bool:
    """Whether a force is a carriage on a road: it names a body and a road."""
    named = {field.metadata.get("refers_to") for field in fields(part)}
    return {"body", "road"} <= named


def standing(carriage: Part) -> tuple[str, str]:
    """Body and road of a carriage."""
    found = carriage.values_of("body", "road")
    return found["body"], found["road"]


def road_rows(system: System, surfaces: list[Outline]) -> tuple[np.ndarray, np.ndarray]:
    """Rows ROAD of the surfaces, and the tables of their roads, without kerbs, one below the other."""
    if len(surfaces) > MOST_ROADS:
        raise InputError("too many roads that bodies touch", path="roads", got=len(surfaces), expected=f"{MOST_ROADS}")
    rows = np.zeros(len(surfaces), ROAD)
    tables = [np.zeros((0, COLUMNS))]
    several = sum(isinstance(item, OutlineRoad) for item in surfaces) > 1
    for row, item in zip(rows, surfaces, strict=True):
        if isinstance(item, OutlineRoad):
            road = road_part(system, item.road)
            table = (replace(road, kerbs=()) if road.kerbs else road).shared_table().copy()
            if table[0, 0] == 1.0:
                table[0, 6] = 1.0  # the true normal, also of the road of 1999: bodies feel the slope of what they press
            row.first, row.rows = sum(map(len, tables)), len(table)
            row.curved, row.ends = not is_plain(table) or several, several
            row.steepest = steepest(table) if table[0, 0] == TERRAIN else 0.0
            tables.append(table)
    return rows, np.ascontiguousarray(np.concatenate(tables))


def road_law(material: str, mass: float, weight: float) -> ContactLaw:
    """Law of a material on roads when none is given; mass [kg] of its heaviest body, gravity ``weight`` [m/s2]."""
    if material in (PERSON, CYCLIST):
        return person_law(True, material)
    stiffness = WEIGHTS_PER_METRE * mass * (weight if weight > 0.0 else 9.81)
    if material == RIM_MATERIAL:
        stiffness *= RIM_SOFTER
    if material == CYCLE_MATERIAL:
        stiffness = CYCLE_STIFFNESS
    return HuntCrossley(
        f"{material} on road",
        stiffness=stiffness,
        damping=DAMPING,
        friction=FRICTION,
        stick_stiffness=STICK * stiffness,
        stick_damping=2.0 * STICK_DAMPING * float(np.sqrt(STICK * stiffness * mass)),
    )
