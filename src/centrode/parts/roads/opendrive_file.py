"""Reading the roads of an OpenDRIVE file (.xodr): plan view, elevation, superelevation, lane widths.

Format: ASAM OpenDRIVE 1.4 to 1.8. Read are the elements that shape a road: ``planView`` with line, arc, spiral, poly3
and paramPoly3; ``elevationProfile``; ``superelevation`` of ``lateralProfile``; widths of ``lanes``. Junction logic,
signals and objects say nothing about the surface and are passed over; a lateral ``shape`` would change it and is
refused.

All faults of a road are reported at once with file and line. Document types are refused, so no entity can blow up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from centrode.errors import Fault, InputError, nearest_name
from centrode.parts.xml_tree import Attributes, Element, parse_xml, read_xml

_SHAPES: dict[str, tuple[str, ...]] = {
    "line": (),
    "arc": ("curvature",),
    "spiral": ("curvStart", "curvEnd"),
    "poly3": ("a", "b", "c", "d"),
    "paramPoly3": ("aU", "bU", "cU", "dU", "aV", "bV", "cV", "dV"),
}


@dataclass(frozen=True)
class Geometry:
    """A stretch of the plan view: shape from (x, y, heading), starting at s, of a length [m, rad]."""

    shape: str
    s: float
    x: float
    y: float
    heading: float
    length: float
    values: tuple[float, ...]
    normalized: bool
    line: int


@dataclass(frozen=True)
class Cubic:
    """a + b ds + c ds^2 + d ds^3 from s on."""

    s: float
    coefficients: tuple[float, float, float, float]


@dataclass(frozen=True)
class OpenDriveRoad:
    """The shape of one road of the file."""

    road_id: str
    length: float
    plan: tuple[Geometry, ...]
    elevation: tuple[Cubic, ...]
    superelevation: tuple[Cubic, ...]
    half_widths: tuple[tuple[float, float], ...]  # (s, half width) at lane sections, empty when no lanes are given


def read_opendrive(path: str | Path, road_id: str = "") -> OpenDriveRoad:
    """One road of a file, by its id; the id may be left out when there is only one."""
    return _road_of(read_xml(path), str(path), road_id)


def parse_opendrive(data: bytes, file: str = "road.xodr", road_id: str = "") -> OpenDriveRoad:
    """One road of the text of a file."""
    return _road_of(parse_xml(data, file), file, road_id)


def _road_of(root: Element, file: str, road_id: str) -> OpenDriveRoad:
    if root.tag != "OpenDRIVE":
        raise InputError(Fault("not an OpenDRIVE file", file=file, line=root.line, got=root.tag, expected="OpenDRIVE"))
    roads = {road.attributes.get("id", ""): road for road in root.all("road")}
    if not roads:
        raise InputError(Fault("no road in the file", file=file, line=root.line))
    if road_id and road_id not in roads:
        raise InputError(Fault("no such road", file=file, got=road_id, nearest=nearest_name(road_id, list(roads))))
    if not road_id and len(roads) > 1:
        raise InputError(Fault("which road?", file=file, expected="a road id, one of " + ", ".join(list(roads)[:20])))
    chosen = roads[road_id] if road_id else next(iter(roads.values()))
    return _RoadReader(file).road(chosen)


class _RoadReader(Attributes):
    """Reads one road element and collects its faults."""

    def cubics(self, elements: list[Element]) -> tuple[Cubic, ...]:
        found = [Cubic(self.number(e, "s"), tuple(self.number(e, k) for k in "abcd")) for e in elements]  # type: ignore[arg-type]
        for element, before, after in zip(elements[1:], found, found[1:], strict=False):
            if after.s <= before.s:
                self.faults.append(Fault("s must rise", element.tag, self.file, element.line, after.s))
        return tuple(found)

    def geometry(self, element: Element) -> Geometry | None:
        s, x, y, heading, length = (self.number(element, name) for name in ("s", "x", "y", "hdg", "length"))
        shapes = [child for child in element.children if child.tag in _SHAPES]
        if len(shapes) != 1:
            got = ", ".join(child.tag for child in element.children) or "nothing"
            expected = "one of " + ", ".join(_SHAPES)
            self.faults.append(Fault("geometry needs one shape", "geometry", self.file, element.line, got, expected))
            return None
        shape = shapes[0]
        values = tuple(self.number(shape, name) for name in _SHAPES[shape.tag])
        if not length > 0.0 and math.isfinite(length):
            self.faults.append(Fault("length must be positive", "geometry@length", self.file, element.line, length))
        kind = shape.attributes.get("pRange", "normalized")
        if kind not in ("normalized", "arcLength"):
            expected = "normalized or arcLength"
            self.faults.append(Fault("unknown range", "paramPoly3@pRange", self.file, shape.line, kind, expected))
        return Geometry(shape.tag, s, x, y, heading, length, values, kind == "normalized", element.line)

    def half_widths(self, road: Element) -> tuple[tuple[float, float], ...]:
        found = []
        for section in (child for child in road.inside("lanes") if child.tag == "laneSection"):
            sides = [
                sum(
                    abs(self.number(width, "a"))
                    for lane in section.inside(side)
                    for width in lane.all("width")[:1]
                    if lane.tag == "lane"
                )
                for side in ("left", "right")
            ]
            found.append((self.number(section, "s"), max(sides)))
        return tuple(item for item in found if item[1] > 0.0)

    def road(self, road: Element) -> OpenDriveRoad:
        elements = [child for child in road.inside("planView") if child.tag == "geometry"]
        if not elements:
            self.faults.append(Fault("no plan view", "road", self.file, road.line, expected="planView with geometry"))
        plan = [self.geometry(element) for element in elements]
        elevation = self.cubics([e for e in road.inside("elevationProfile") if e.tag == "elevation"])
        lateral = road.inside("lateralProfile")
        superelevation = self.cubics([e for e in lateral if e.tag == "superelevation"])
        for shape in (e for e in lateral if e.tag == "shape"):
            self.faults.append(Fault("lateral shape is not supported", "shape", self.file, shape.line))
        widths = self.half_widths(road)
        whole = [geometry for geometry in plan if geometry is not None]
        for before, after in pairwise(whole):
            if after.s <= before.s:
                self.faults.append(Fault("s must rise", "geometry@s", self.file, after.line, after.s))
        self.raise_any()
        length = whole[-1].s + whole[-1].length
        road_id = road.attributes.get("id", "")
        return OpenDriveRoad(road_id, length, tuple(whole), elevation, superelevation, widths)
