r"""Terrain: ground whose heights stand in a file, on a grid or as triangles.

Between the points of the grid heights run as bicubic splines of Catmull and Rom (1974): through all points, with
continuous slopes, so that wheels and bodies that slide over it find no edges. With u the share of the way from point 0
to point 1 and heights p of four points in a row,

    p(u) = p_0 + u/2 (p_1 - p_-1 + u (2 p_-1 - 5 p_0 + 4 p_1 - p_2 + u (3 (p_0 - p_1) + p_2 - p_-1)))         (1)

along x in four rows, then along y. Beyond its edges the height of the nearest edge goes on. Along this "road" s is x,
the offset is y.

Files: ``.csv`` with three columns x, y, z (a heading may stand above), points of a grid of even spacing in any order;
``.obj`` with vertices and faces, which are laid on a grid of ``spacing``; z is up in both, in metres. ``.crg`` files
(:mod:`crg_file`) are laid on a grid as fine as their own, or of ``spacing``.

Table: header 0 form (2), 1 rows of heights, 4 friction, 5 patches, 8..9 first point, 10..11 spacings, 12..13 number of
points along x and y; heights follow point by point, x first, 32 in a row.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.errors import Fault, InputError
from centrode.jit import kernel
from centrode.parts.part import quantity
from centrode.parts.roads.contract import BESIDE, COLUMNS, Road, ground_number
from centrode.parts.roads.crg_file import read_crg

TERRAIN = 2.0
"""Form of the table."""
MOST_POINTS = 4e6


@kernel
def catmull_rom(a, b, c, d, u):
    """Value (1) between b and c, and its slope over u."""
    first, second, third = c - a, 2.0 * a - 5.0 * b + 4.0 * c - d, 3.0 * (b - c) + d - a
    value = b + 0.5 * u * (first + u * (second + u * third))
    return value, 0.5 * (first + u * (2.0 * second + 3.0 * u * third))


@kernel
def height_at(table, i, j):
    """Height of a point of the grid [m]; those beyond it have that of the nearest one."""
    nx, ny = int(table[0, 12]), int(table[0, 13])
    i, j = min(max(i, 0), nx - 1), min(max(j, 0), ny - 1)
    k = j * nx + i
    return table[1 + k // 32, k % 32]


@kernel
def row_height(table, i, j, u):
    """Height (1) in row j between points i and i + 1, and its slope over u."""
    a, b = height_at(table, i - 1, j), height_at(table, i, j)
    return catmull_rom(a, b, height_at(table, i + 1, j), height_at(table, i + 2, j), u)


@kernel
def terrain_height(table, x, y):
    """Height [m] and its slopes along x and y."""
    head = table[0]
    along = min(max((x - head[8]) / head[10], 0.0), head[12] - 1.0)
    aside = min(max((y - head[9]) / head[11], 0.0), head[13] - 1.0)
    i, j = min(int(along), int(head[12]) - 2), min(int(aside), int(head[13]) - 2)
    u, v = along - i, aside - j
    a, ax = row_height(table, i, j - 1, u)
    b, bx = row_height(table, i, j, u)
    c, cx = row_height(table, i, j + 1, u)
    d, dx = row_height(table, i, j + 2, u)
    height, slope_v = catmull_rom(a, b, c, d, v)
    slope_u, _ = catmull_rom(ax, bx, cx, dx, v)
    if x < head[8] or x > head[8] + head[10] * (head[12] - 1.0):
        slope_u = 0.0
    if y < head[9] or y > head[9] + head[11] * (head[13] - 1.0):
        slope_v = 0.0
    return height, slope_u / head[10], slope_v / head[11]


@kernel
def terrain_point(table, point):
    """Place straight below or above a point, tangent along x, normal, and status."""
    x, y, _ = point
    height, along, aside = terrain_height(table, x, y)
    size = math.sqrt(1.0 + along * along + aside * aside)
    flat = math.sqrt(1.0 + along * along)
    head = table[0]
    status = 0.0
    if not (
        head[8] <= x <= head[8] + head[10] * (head[12] - 1.0) and head[9] <= y <= head[9] + head[11] * (head[13] - 1.0)
    ):
        status = float(BESIDE)
    tangent = (1.0 / flat, 0.0, along / flat)
    return (x, y, height), tangent, (-along / size, -aside / size, 1.0 / size), status


@dataclass(frozen=True)
class RoadTerrain(Road):
    """Heights from a file; vehicles stand on it anywhere."""

    kind: ClassVar[str] = "terrain"

    file: str = quantity("", "path of the .csv, .obj or .crg file", "")
    spacing: float | None = quantity(
        "m", "of the grid that .obj (0.5 m when left out) and .crg files (their own) are laid on", None, positive=True
    )
    origin: tuple[float, float, float] = quantity("m", "where the origin of the file stands", (0.0, 0.0, 0.0))

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not found and self.kerbs + self.edges + self.embankments:
            found.append(self.fault("kerbs", "terrain has its steps in its heights", expected="none here"))
        return found

    def table(self) -> np.ndarray:
        """Header, heights and patches; reads the file."""
        self.checked()
        x, y, z = read_heights(self.file, self.spacing)
        heights = np.append(z.ravel() + self.origin[2], np.zeros(-z.size % COLUMNS)).reshape(-1, COLUMNS)
        header = np.zeros((1, COLUMNS))
        header[0, :2], header[0, 4:6] = (TERRAIN, len(heights)), (ground_number(self), len(self.patches))
        header[0, 7] = 0.5 * (y[-1] - y[0])
        header[0, 8:14] = x[0] + self.origin[0], y[0] + self.origin[1], x[1] - x[0], y[1] - y[0], len(x), len(y)
        return self.with_patches(np.vstack([header, heights]))


def read_heights(file: str, spacing: float | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """x and y of a grid [m], rising, and heights of shape (y, x).

    Raises:
        InputError: the file cannot be read, or is no grid.
    """
    path = Path(file)
    if path.suffix.lower() == ".crg":
        return grid_of_crg(path, spacing)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError("the terrain is no text", path="file", file=str(path)) from None
    except OSError as error:
        raise InputError(f"cannot read the terrain: {error.strerror}", path="file", file=str(path)) from None
    if path.suffix.lower() == ".obj":
        return grid_of_triangles(*read_obj(text, str(path)), spacing or 0.5, str(path))
    if path.suffix.lower() != ".csv":
        raise InputError("unknown kind of file", file=str(path), got=path.suffix, expected=".csv, .obj or .crg")
    return grid_of_points(read_csv(text, str(path)), str(path))


def grid_of_crg(path: Path, spacing: float | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Heights of an OpenCRG file on a grid of x and y."""
    road = read_crg(path)
    low, high = road.corners()
    x, y = grid_axes(low, high, spacing or road.spacing, str(path))
    px, py = np.meshgrid(x, y)
    return x, y, road.height(px.ravel(), py.ravel()).reshape(px.shape)


def grid_axes(low: np.ndarray, high: np.ndarray, spacing: float, file: str) -> tuple[np.ndarray, np.ndarray]:
    """x and y of a grid from one corner to beyond the other [m]."""
    counts = np.maximum(np.ceil((high - low) / spacing - 1e-9).astype(int) + 1, 2)
    if int(counts[0]) * int(counts[1]) > MOST_POINTS:
        raise InputError(
            "the grid is too fine", file=file, got=f"{counts[0]} x {counts[1]} points", hint="raise spacing"
        )
    x, y = (low[k] + spacing * np.arange(counts[k]) for k in (0, 1))
    return x, y


def read_csv(text: str, file: str) -> np.ndarray:
    """Points x, y, z of a text, shape (n, 3)."""
    points = []
    for number, line in enumerate(text.splitlines(), 1):
        parts = line.replace(";", ",").split(",") if "," in line or ";" in line else line.split()
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            points.append([float(part) for part in parts])
        except ValueError:
            if points or number > 1:
                raise InputError("not a number", file=file, line=number, got=line.strip(), expected="x, y, z") from None
            continue  # the heading
        if len(points[-1]) != 3 or not np.isfinite(points[-1]).all():
            raise InputError("not a point", file=file, line=number, got=line.strip(), expected="x, y, z in m")
    return np.array(points).reshape(-1, 3)


def grid_of_points(points: np.ndarray, file: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The points of a grid, in order."""
    x, y = np.unique(points[:, 0].round(6)), np.unique(points[:, 1].round(6))
    if len(x) < 2 or len(y) < 2 or len(points) != len(x) * len(y):
        got = f"{len(points)} points at {len(x)} places along x and {len(y)} along y"
        raise InputError("the points are no grid", file=file, got=got, expected="every x with every y, once")
    for name, values in (("x", x), ("y", y)):
        steps = np.diff(values)
        if steps.max() - steps.min() > 1e-3 * steps.mean():
            got = f"steps of {steps.min():g} to {steps.max():g} m along {name}"
            raise InputError("the grid is not even", file=file, got=got, expected="one spacing along x and one along y")
    order = np.lexsort((points[:, 0].round(6), points[:, 1].round(6)))
    return x, y, points[order, 2].reshape(len(y), len(x))


def read_obj(text: str, file: str) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3) and triangles (m, 3) of a Wavefront file; faces with more corners are fans."""
    vertices: list[list[float]] = []
    triangles: list[tuple[int, int, int]] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        try:
            if words[:1] == ["v"]:
                vertices.append([float(word) for word in words[1:4]])
            elif words[:1] == ["f"]:
                corners = [int(word.split("/")[0]) for word in words[1:]]
                corners = [c - 1 if c > 0 else len(vertices) + c for c in corners]
                triangles += [(corners[0], corners[k], corners[k + 1]) for k in range(1, len(corners) - 1)]
        except ValueError:
            raise InputError("not a line of an .obj file", file=file, line=number, got=line.strip()) from None
        if words[:1] == ["v"] and len(vertices[-1]) != 3:
            raise InputError("a vertex has three numbers", file=file, line=number, got=line.strip())
    if not triangles or min(map(min, triangles)) < 0 or max(map(max, triangles)) >= len(vertices):
        raise InputError("no faces, or faces without their vertices", file=file, got=f"{len(vertices)} vertices")
    return np.array(vertices), np.array(triangles)


def grid_of_triangles(
    vertices: np.ndarray, triangles: np.ndarray, spacing: float, file: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Heights of triangles on a grid; where several lie over each other the highest, where none does the nearest."""
    from scipy.ndimage import distance_transform_edt

    low, high = vertices[:, :2].min(axis=0), vertices[:, :2].max(axis=0)
    x, y = grid_axes(low, high, spacing, file)
    counts = np.array([len(x), len(y)])
    z = np.full((len(y), len(x)), -np.inf)
    for a, b, c in vertices[triangles]:
        edges = np.array([b[:2] - a[:2], c[:2] - a[:2]])
        area = float(edges[0, 0] * edges[1, 1] - edges[0, 1] * edges[1, 0])
        if abs(area) < 1e-12:
            continue  # upright
        first = np.maximum(np.floor((np.min([a, b, c], axis=0)[:2] - low) / spacing - 1e-9).astype(int), 0)
        last = np.minimum(np.ceil((np.max([a, b, c], axis=0)[:2] - low) / spacing + 1e-9).astype(int), counts - 1)
        px, py = np.meshgrid(x[first[0] : last[0] + 1] - a[0], y[first[1] : last[1] + 1] - a[1])
        u = (px * edges[1, 1] - py * edges[1, 0]) / area
        v = (py * edges[0, 0] - px * edges[0, 1]) / area
        inside = (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1.0 + 1e-9)
        part = z[first[1] : last[1] + 1, first[0] : last[0] + 1]
        part[inside] = np.maximum(part[inside], (a[2] + u * (b[2] - a[2]) + v * (c[2] - a[2]))[inside])
    if not np.isfinite(z).any():
        raise InputError("no face of it is ground", file=file, expected="faces that look up or down")
    if not np.isfinite(z).all():
        nearest = distance_transform_edt(~np.isfinite(z), return_distances=False, return_indices=True)
        z = z[tuple(nearest)]
    return x, y, z
