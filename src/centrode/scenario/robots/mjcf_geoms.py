"""MJCF: geoms as shapes, and the inertia of a body that they make with their density.

Solids of even density (m mass, r radius, H length of a cylinder, a, b, c semi-axes or half lengths):

    ball        2/5 m r^2                                                                       (1)
    ellipsoid   m (b^2 + c^2) / 5 about a, and so on                                            (2)
    box         m (b^2 + c^2) / 3                                                               (3)
    cylinder    m (3 r^2 + H^2) / 12 across, m r^2 / 2 about its axis                           (4)
    capsule     (4) of the cylinder, and for both ends together, of mass s,
                s (2/5 r^2 + H^2 / 4 + 3/8 H r) across, 2/5 s r^2 about the axis                (5)
    mesh        sum over tetrahedra of the origin and a triangle, with sign                     (6)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np

from centrode.errors import InputError
from centrode.parts.shapes.mesh_files import ENDINGS, read_mesh
from centrode.parts.xml_tree import Element
from centrode.scenario.robots.description import Inertia, RobotShape, Sizes
from centrode.scenario.robots.mjcf_words import Words, shortest_turn

DENSITY = 1000.0
SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3, "plane": 3, "mesh": 0}
"""Numbers that a geom has without fromto."""


class Geoms:
    """Reads geoms; ``left_out`` names the kinds that have no counterpart."""

    def __init__(self, words: Words, root: Element, folder: Path) -> None:
        self.words, self.left_out = words, set[str]()
        self.missing: list[str] = []
        base = folder / words.compiler.get("assetdir", "") / words.compiler.get("meshdir", "")
        self.meshes: dict[str, tuple[Path, list[float]]] = {}
        self.colours: dict[str, str] = {}
        for asset in root.all("asset"):
            for item in asset.all("mesh"):
                filled = words.filled(item, "")
                file = filled.attributes.get("file", "")
                name = filled.attributes.get("name") or Path(file).stem
                self.meshes[name] = base / file, words.numbers(filled, "scale", 3, [1.0, 1.0, 1.0])
            for item in asset.all("material"):
                filled = words.filled(item, "")
                if "name" in filled.attributes and "rgba" in filled.attributes:
                    self.colours[filled.attributes["name"]] = self.colour_of(filled)

    def colour_of(self, element: Element) -> str:
        """rgba as #rrggbb, or the colour of a material."""
        if "rgba" in element.attributes:
            levels = self.words.numbers(element, "rgba", 4, [0.5, 0.5, 0.5, 1.0])[:3]
            return "#" + "".join(f"{round(255 * min(max(level, 0.0), 1.0)):02x}" for level in levels)
        return self.colours.get(element.attributes.get("material", ""), "")

    def read(self, element: Element, childclass: str, frame: np.ndarray) -> tuple[RobotShape | None, Inertia]:
        """Shape and inertia of a geom in the frame of its body."""
        words, geom = self.words, self.words.filled(element, childclass)
        kind = geom.attributes.get("type", "mesh" if "mesh" in geom.attributes else "sphere")
        if kind not in SIZES:
            self.left_out.add(f"geoms of type {kind}")
            return None, Inertia()
        place, sizes = words.pose(geom), words.numbers(geom, "size", (1, 3), [0.0] * max(SIZES[kind], 1))
        needed = SIZES[kind]
        if "fromto" in geom.attributes and kind in ("capsule", "cylinder", "box", "ellipsoid"):
            ends = np.array(words.numbers(geom, "fromto", 6)).reshape(2, 3)
            if np.isfinite(ends).all() and np.abs(ends[1] - ends[0]).max() > 0.0:
                place[:3, 3], place[:3, :3] = ends.mean(axis=0), shortest_turn(ends[1] - ends[0])
            half = 0.5 * float(np.linalg.norm(ends[1] - ends[0]))
            sizes = [sizes[0], half] if needed == 2 else [sizes[0], sizes[-1] if len(sizes) > 1 else sizes[0], half]
        if len(sizes) < needed or (kind != "plane" and not all(size > 0.0 for size in sizes[:needed])):
            words.fault(geom, f"a {kind} needs {needed} sizes above 0", "size", got=geom.attributes.get("size"))
            return None, Inertia()
        place = frame @ place
        data = self.sizes_of(kind, sizes, geom)
        if data is None:
            return None, Inertia()
        inertia = Inertia() if kind == "plane" else self.inertia_of(kind, data, geom).moved(place)
        touches = any(words.number(geom, key, 1.0) != 0.0 for key in ("contype", "conaffinity"))
        seen = words.number(geom, "group", 0.0) <= 2.0  # those that are shown there unless asked for
        return RobotShape(kind, place, data, seen=seen, touches=touches, colour=self.colour_of(geom)), inertia

    def sizes_of(self, kind: str, sizes: list[float], geom: Element) -> Sizes | None:
        """Sizes as the shapes have them; None for a mesh that cannot be had."""
        if kind == "mesh":
            name = geom.attributes.get("mesh", "")
            if name not in self.meshes:
                self.words.fault(geom, "unknown mesh", "mesh", got=name)
                return None
            file, scale = self.meshes[name]
            if not file.is_file() or file.suffix.lower() not in ENDINGS:
                self.missing.append(file.name)
                return None
            return {"file": file.as_posix(), "scale": tuple(scale)}
        made: dict[str, Callable[[], Sizes]] = {
            "sphere": lambda: {"radius": sizes[0]},
            "capsule": lambda: {"radius": sizes[0], "half_length": sizes[1]},
            "cylinder": lambda: {"radius": sizes[0], "length": 2.0 * sizes[1]},
            "ellipsoid": lambda: {"semi_axes": tuple(sizes[:3])},
            "box": lambda: {"size": tuple(2.0 * size for size in sizes[:3])},
            "plane": dict,
        }
        return made[kind]()

    def inertia_of(self, kind: str, sizes: Sizes, geom: Element) -> Inertia:
        """(1) to (6) with the mass, or the density, of a geom."""
        words = self.words
        low, high = (int(item) for item in words.compiler.get("inertiagrouprange", "0 5").split())
        if not low <= words.number(geom, "group", 0.0) <= high:
            return Inertia()
        volume, unit = solid(kind, sizes)
        mass = words.number(geom, "mass", words.number(geom, "density", DENSITY) * volume)
        if mass < 0.0:
            words.fault(geom, "a negative mass", "mass", got=mass)
        return Inertia(mass, unit.centre, mass * unit.tensor) if volume > 0.0 else Inertia()


def solid(kind: str, sizes: Sizes) -> tuple[float, Inertia]:
    """Volume [m3] and inertia of a kilogram of a shape, in its own frame."""
    if kind == "mesh":
        return mesh_solid(*read_mesh(sizes["file"]), np.asarray(sizes["scale"]))
    if kind == "sphere":
        r = sizes["radius"]
        return 4.0 / 3.0 * math.pi * r**3, _principal(0.4 * r * r, 0.4 * r * r, 0.4 * r * r)
    if kind == "ellipsoid":
        a, b, c = sizes["semi_axes"]
        return 4.0 / 3.0 * math.pi * a * b * c, _principal(
            (b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5
        )
    if kind == "box":
        a, b, c = (0.5 * size for size in sizes["size"])
        return 8.0 * a * b * c, _principal((b * b + c * c) / 3, (a * a + c * c) / 3, (a * a + b * b) / 3)
    r, length = sizes["radius"], sizes.get("length") or 2.0 * sizes["half_length"]
    across, along = (3.0 * r * r + length * length) / 12.0, 0.5 * r * r
    volume = math.pi * r * r * length
    if kind == "cylinder":
        return volume, _principal(across, across, along)
    ends = 4.0 / 3.0 * math.pi * r**3
    share = ends / (ends + volume)
    across = (1.0 - share) * across + share * (0.4 * r * r + 0.25 * length * length + 0.375 * length * r)
    return volume + ends, _principal(across, across, (1.0 - share) * along + share * 0.4 * r * r)


def _principal(x: float, y: float, z: float) -> Inertia:
    return Inertia(1.0, np.zeros(3), np.diag([x, y, z]))


def mesh_solid(vertices: np.ndarray, faces: np.ndarray, scale: np.ndarray) -> tuple[float, Inertia]:
    """(6): with corners a, b, c the tetrahedron has the volume a . (b x c) / 6, its moments of second order are
    V / 20 ((a + b + c)(a + b + c)^T + a a^T + b b^T + c c^T).
    """
    corners = (vertices * scale)[faces]
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    volumes = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6.0
    if np.prod(scale) < 0.0:  # a mirror turns every triangle inside out
        volumes = -volumes
    volume = float(volumes.sum())
    if not volume > 0.0:
        raise InputError("a mesh that encloses no volume has no inertia", got=f"{volume:g} m3")
    centre = (volumes[:, None] * (a + b + c)).sum(axis=0) / (4.0 * volume)
    total = a + b + c
    second = sum(np.einsum("i,ij,ik->jk", volumes, item, item) for item in (total, a, b, c)) / (20.0 * volume)
    second = second - np.outer(centre, centre)
    return volume, Inertia(1.0, centre, np.trace(second) * np.eye(3) - second)
