"""Triangles out of files: STL (binary and text), Wavefront OBJ, COLLADA.

Read is the surface alone, in metres: vertices (n, 3) and faces (m, 3) by index. Polygons are cut into fans. Of COLLADA
the scene with its transforms, the unit and the direction up are followed; materials, lights and cameras are passed
over.

References: 3D Systems, "StereoLithography interface specification" (1989); Wavefront, "Advanced Visualizer manual",
appendix B1 (OBJ); Khronos, "COLLADA 1.4.1 specification", 2nd edition (2008).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np

from centrode.errors import InputError
from centrode.math.rotation import matrix_from_axis_angle
from centrode.parts.xml_tree import Attributes, Element, file_bytes, parse_xml

Triangles = tuple[np.ndarray, np.ndarray]
"""Vertices [m], float (n, 3), and faces, int (m, 3)."""

STL_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def read_mesh(path: str | Path) -> Triangles:
    """The triangles of a file, by its ending.

    Raises:
        InputError: no such file, an ending without a reader, or a text that is not of the format.
    """
    file = Path(path)
    reader = _READERS.get(file.suffix.lower())
    if reader is None:
        raise InputError("no reader for this ending", file=str(path), expected="one of " + ", ".join(ENDINGS))
    data = file_bytes(path)
    try:
        vertices, faces = reader(data, str(path))
    except (ValueError, IndexError) as problem:
        raise InputError("not a readable mesh", file=str(path), got=str(problem)) from None
    if not len(faces) or not np.isfinite(vertices).all() or faces.max() >= len(vertices) or faces.min() < 0:
        raise InputError("a mesh needs triangles of finite corners", file=str(path), got=f"{len(faces)} triangles")
    return vertices, faces


# -- STL ---------------------------------------------------------------------------------------------------------------


def _read_stl(data: bytes, file: str) -> Triangles:
    header, count = data[:84], int.from_bytes(data[80:84], "little")  # 80 bytes of text and the number of triangles
    if len(data) >= len(header) + count * STL_TRIANGLE.itemsize and (count or not data.lstrip().startswith(b"solid")):
        corners = np.frombuffer(data, STL_TRIANGLE, count, len(header))["corners"].reshape(-1, 3).astype(float)
    else:
        words = data.split()
        at = [k for k, word in enumerate(words) if word == b"vertex"]
        corners = np.array([[float(item) for item in words[k + 1 : k + 4]] for k in at], dtype=float).reshape(-1, 3)
    return _welded(corners, np.arange(len(corners) // 3 * 3).reshape(-1, 3))


# -- OBJ ---------------------------------------------------------------------------------------------------------------


def _read_obj(data: bytes, file: str) -> Triangles:
    vertices: list[list[float]] = []
    faces: list[tuple[int, int, int]] = []
    for line in data.decode("utf-8", "replace").splitlines():
        words = line.split()
        if not words:
            continue
        if words[0] == "v":
            vertices.append([float(item) for item in words[1:4]])
        elif words[0] == "f":
            corners = [int(item.split("/")[0]) for item in words[1:]]
            corners = [item - 1 if item > 0 else len(vertices) + item for item in corners]
            faces += [(corners[0], corners[k], corners[k + 1]) for k in range(1, len(corners) - 1)]
    return np.array(vertices, dtype=float).reshape(-1, 3), np.array(faces, dtype=int).reshape(-1, 3)


# -- COLLADA -----------------------------------------------------------------------------------------------------------


def _read_dae(data: bytes, file: str) -> Triangles:
    return _Collada(parse_xml(data, file), file).scene()


class _Collada(Attributes):
    """Follows the references of a COLLADA file."""

    def __init__(self, root: Element, file: str) -> None:
        super().__init__(file)
        self.root = root
        self.known = {item.attributes["id"]: item for item in root.below() if "id" in item.attributes}
        self.vertices: list[np.ndarray] = []
        self.faces: list[np.ndarray] = []
        self.count = 0

    def scene(self) -> Triangles:
        scenes = [item for item in self.root.below() if item.tag == "visual_scene"]
        unit, up = 1.0, "Y_UP"
        for item in self.root.inside("asset"):
            if item.tag == "unit":
                unit = self.number(item, "meter", 1.0)
            elif item.tag == "up_axis":
                up = item.text.strip()
        # Robots stand on z; the file says which of its axes that is.
        turn = {"X_UP": matrix_from_axis_angle((0, 1, 0), -0.5 * math.pi), "Z_UP": np.eye(3)}
        start = np.eye(4)
        start[:3, :3] = unit * turn.get(up, matrix_from_axis_angle((1, 0, 0), 0.5 * math.pi))
        for node in scenes[0].children if scenes else []:
            self.visit(node, start, 0)
        self.raise_any()
        if not self.faces:
            return np.zeros((0, 3)), np.zeros((0, 3), dtype=int)
        return np.concatenate(self.vertices), np.concatenate(self.faces)

    def visit(self, node: Element, pose: np.ndarray, depth: int) -> None:
        if node.tag != "node" or depth > 100:
            return
        for item in node.children:
            pose = pose @ self.transform(item)
        for item in node.children:
            target = self.known.get(item.attributes.get("url", "").removeprefix("#"))
            if item.tag == "instance_geometry" and target is not None:
                self.geometry(target, pose)
            elif item.tag == "instance_node" and target is not None:
                self.visit(target, pose, depth + 1)
            else:
                self.visit(item, pose, depth + 1)

    def transform(self, item: Element) -> np.ndarray:
        found = np.eye(4)
        if item.tag not in ("matrix", "translate", "scale", "rotate"):
            return found
        values = np.array(item.text.split(), dtype=float)
        if item.tag == "matrix":
            return values.reshape(4, 4)
        if item.tag == "translate":
            found[:3, 3] = values
        elif item.tag == "scale":
            found[:3, :3] = np.diag(values)
        elif values[:3].any():
            found[:3, :3] = matrix_from_axis_angle(values[:3], math.radians(values[3]))
        return found

    def geometry(self, geometry: Element, pose: np.ndarray) -> None:
        for mesh in geometry.all("mesh"):
            for group in mesh.children:
                if group.tag in ("triangles", "polylist", "polygons"):
                    self.group(group, pose)

    def group(self, group: Element, pose: np.ndarray) -> None:
        """Triangles of one list of polygons, whose corners are indices into several sources."""
        inputs = [(self.text(item, "semantic"), item) for item in group.all("input")]
        width = 1 + max((int(self.number(item, "offset", 0.0)) for _, item in inputs), default=0)
        source = next((item for semantic, item in inputs if semantic == "VERTEX"), None)
        lists = [np.array(item.text.split(), dtype=int) for item in group.all("p")]
        if source is None or not lists:
            return
        offset = int(self.number(source, "offset", 0.0))
        corners = [item.reshape(-1, width)[:, offset] for item in lists]
        if group.tag == "polygons":
            counts = np.array([len(item) for item in corners])
        elif group.tag == "polylist":
            counts = np.array((group.first("vcount") or group).text.split(), dtype=int)
        else:
            counts = np.full(sum(map(len, corners)) // 3, 3)
        every = np.concatenate(corners)
        firsts = np.concatenate([[0], np.cumsum(counts)])
        fans = [
            (every[a], every[a + k], every[a + k + 1])
            for a, count in zip(firsts[:-1], counts, strict=True)
            for k in range(1, count - 1)
        ]
        points = self.positions(self.text(source, "source"))
        if not fans or not len(points):
            return
        self.vertices.append(points @ pose[:3, :3].T + pose[:3, 3])
        faces = np.array(fans, dtype=int)
        if faces.max() >= len(points) or faces.min() < 0:
            raise ValueError(f"line {group.line}: a corner that the file does not have")
        self.faces.append(faces + self.count)
        self.count += len(points)

    def positions(self, url: str) -> np.ndarray:
        """Points of a <vertices> element, by way of its source."""
        found = self.known.get(url.removeprefix("#"))
        if found is not None and found.tag == "vertices":
            inputs = [item for item in found.all("input") if item.attributes.get("semantic") == "POSITION"]
            found = self.known.get(inputs[0].attributes.get("source", "").removeprefix("#")) if inputs else None
        array = found.first("float_array") if found is not None else None
        return np.array(array.text.split() if array is not None else [], dtype=float).reshape(-1, 3)


_READERS: dict[str, Callable[[bytes, str], Triangles]] = {".stl": _read_stl, ".obj": _read_obj, ".dae": _read_dae}
ENDINGS = tuple(_READERS)


# -- fewer triangles ---------------------------------------------------------------------------------------------------


def _welded(vertices: np.ndarray, faces: np.ndarray) -> Triangles:
    """Equal corners become one."""
    if not len(vertices):
        return vertices.reshape(0, 3), faces
    kept, place = np.unique(vertices, axis=0, return_inverse=True)
    return kept, place.reshape(-1)[faces]


def coarser(vertices: np.ndarray, faces: np.ndarray, most: int) -> Triangles:
    """At most so many triangles: corners within one cell of a grid become their mean, the grid as fine as allowed."""
    if len(faces) <= most:
        return vertices, faces
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    least, largest = 1, 512
    best = _clustered(vertices, faces, low, float((high - low).max()))
    while least < largest:  # cells along the longest side
        cells = (least + largest + 1) // 2
        found = _clustered(vertices, faces, low, float((high - low).max()) / cells)
        if len(found[1]) <= most:
            best, least = found, cells
        else:
            largest = cells - 1
    return best


def _clustered(vertices: np.ndarray, faces: np.ndarray, low: np.ndarray, cell: float) -> Triangles:
    codes = np.floor((vertices - low) / max(cell, 1e-300)).astype(int)
    _, place = np.unique(codes, axis=0, return_inverse=True)
    place = place.reshape(-1)
    count = np.bincount(place)
    means = np.column_stack([np.bincount(place, weights=vertices[:, k]) / count for k in range(3)])
    found = place[faces]
    whole = (found[:, 0] != found[:, 1]) & (found[:, 1] != found[:, 2]) & (found[:, 2] != found[:, 0])
    return means, np.unique(found[whole], axis=0)
