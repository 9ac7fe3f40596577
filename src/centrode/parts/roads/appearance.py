"""A road as a ribbon with edge lines and dashed lane lines, from the table that the road kernel reads.

The cross section is that of :mod:`centrode.parts.roads.contract`: with the tangent T, the horizontal left L0 and
N0 = T x L0 the left axis is L = cos b L0 + sin b N0, and the surface r(s) + n L(s).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from centrode.parts.placement import GROUND
from centrode.parts.roads.steps import step_count
from centrode.parts.visual import Visual, VisualMesh, VisualRibbon

LANE_WIDTH = 3.75
LINE_WIDTH = 0.15
DASH, GAP = 3.0, 6.0
_LIFT = 0.012  # lines above the surface, so that they do not flicker
_PLANE_LENGTH = 600.0
_WIDEST_PLANE = 15.0
_BEYOND = 200.0
_BESIDE, _FAR_BESIDE = 10.0, 60.0
"""How far ground is drawn beyond a kerb, and where ground of another height must not show below it [m]."""
FACE_COLOUR, _GRASS = "#9a9a96", "#6b7a63"
"""Of the faces of kerbs, edges and embankments."""
_WIDEST_CURVE, _SHOWN_HALF = 60.0, 5.625


def road_visuals(road: Any) -> list[Visual]:
    """Surface, edge lines and lane lines of a road."""
    table = np.asarray(road.table(), dtype=float)
    if table[0, 0] == 2.0:
        return _terrain(table)
    if table[0, 0] == 0.0:
        sections = _plane_sections(table[0], step_count(table) > 0)
    else:
        sections = _curve_sections(table)
    if not sections:
        return []
    runs_on = table[0, 0] != 0.0 and table[0, 2] == 0.0
    right, left = _edge(sections, -sections["half"]), _edge(sections, sections["half"])
    surface = VisualRibbon(GROUND, _rounded(right), _rounded(left), colour="asphalt")
    shown = [surface, *_lines(sections), *(_beyond(sections) if runs_on else [])]
    return shown + _steps(sections, table)


def _steps(sections: dict[str, np.ndarray], table: np.ndarray) -> list[Visual]:
    """Faces of kerbs, edges and embankments, and the ground beyond them."""
    found: list[Visual] = []
    rows = table[len(table) - step_count(table) :]
    falls = bool(len(rows) and rows[:, 5].min() < 0.0)
    if falls:
        found += _verges(sections, rows)
    for row in rows:
        low, high = row[:2]
        inside = (sections["s"] >= low) & (sections["s"] <= high)
        if inside.sum() < 2:
            continue
        part = {name: item[inside] for name, item in sections.items()}
        wide, rise, side = float(row[4]), float(row[5]), float(row[3])
        line = np.full(int(inside.sum()), float(row[2]))
        beside = rows[(rows[:, 3] == side) & (rows[:, 0] < high) & (rows[:, 1] > low)]  # steps of one side add up
        level = float(beside[np.abs(beside[:, 2]) < abs(row[2]), 5].sum())
        next_ones = np.abs(beside[np.abs(beside[:, 2]) > abs(row[2]), 2]) - abs(row[2])
        reach = max(wide, min([wide + (_FAR_BESIDE if falls else _BESIDE), *next_ones]))
        foot = _edge(part, line) + level * part["normal"]
        top = _edge(part, line + side * wide) + (level + rise) * part["normal"]
        far = _edge(part, line + side * reach) + (level + rise) * part["normal"]
        for one, two, colour in ((foot, top, FACE_COLOUR), (top, far, _GRASS)):
            right, left = (one, two) if side > 0.0 else (two, one)
            found.append(VisualRibbon(GROUND, _rounded(right), _rounded(left), colour=colour))
    return found


def _verges(sections: dict[str, np.ndarray], rows: np.ndarray) -> list[Visual]:
    """Ground beside the road up to its first kerb or slope; the plain of the viewer is as low as the foot of these."""
    found: list[Visual] = []
    for side in (-1.0, 1.0):
        lines = [abs(float(row[2])) for row in rows if row[3] == side]
        outer = np.full(len(sections["half"]), min(lines, default=_FAR_BESIDE))
        if np.any(outer > sections["half"]):
            near, far = (
                _edge(sections, side * sections["half"]),
                _edge(sections, side * np.maximum(outer, sections["half"])),
            )
            right, left = (near, far) if side > 0.0 else (far, near)
            found.append(VisualRibbon(GROUND, _rounded(right), _rounded(left), colour=_GRASS))
    return found


def _terrain(table: np.ndarray) -> list[Visual]:
    """Terrain as triangles, at most 200 points along a side."""
    header = table[0]
    nx, ny = int(header[12]), int(header[13])
    z = table[1 : 1 + int(header[1])].ravel()[: nx * ny].reshape(ny, nx)
    i, j = (np.unique(np.linspace(0, n - 1, min(n, 200)).round().astype(int)) for n in (nx, ny))
    x, y = np.meshgrid(header[8] + header[10] * i, header[9] + header[11] * j)
    vertices = np.column_stack([x.ravel(), y.ravel(), z[np.ix_(j, i)].ravel()])
    corner = (np.arange(len(j) - 1)[:, None] * len(i) + np.arange(len(i) - 1)).ravel()
    faces = np.concatenate(
        [
            np.column_stack([corner, corner + 1, corner + len(i)]),
            np.column_stack([corner + 1, corner + len(i) + 1, corner + len(i)]),
        ]
    )
    return [VisualMesh(GROUND, vertices=_rounded(vertices), faces=faces.tolist(), flat=False, colour="#7d8a6a")]


def _plane_sections(header: np.ndarray, stepped: bool) -> dict[str, np.ndarray]:
    half = float(header[7])
    if half > _WIDEST_PLANE:
        if not stepped and header[19] > 0.9999 and abs(header[10]) < 1e-3:  # level and without edges: the ground itself
            return {}
        half = _SHOWN_HALF
    s = np.linspace(-0.25 * _PLANE_LENGTH, 0.75 * _PLANE_LENGTH, 201)
    shape = (len(s), 3)
    return {
        "s": s,
        "centre": header[8:11] + s[:, None] * header[11:14],
        "left": np.broadcast_to(header[14:17], shape),
        "normal": np.broadcast_to(header[17:20], shape),
        "half": np.full(len(s), half),
    }


def _curve_sections(table: np.ndarray) -> dict[str, np.ndarray]:
    count = int(table[0, 1])
    rows = table[1 : 1 + count]
    lengths = [_piece_length(row) for row in rows]
    spacing = max(sum(lengths) / 1500.0, 1.0)
    found: dict[str, list[np.ndarray]] = {"centre": [], "left": [], "normal": [], "half": []}
    powers = np.arange(6)
    for index, row in enumerate(rows):
        pieces = max(2, math.ceil(lengths[index] / spacing))
        u = np.linspace(0.0, row[1], pieces + 1)
        u = u if index == count - 1 else u[:-1]
        basis = u[:, None] ** powers
        slope = np.where(powers > 0, powers * u[:, None] ** np.maximum(powers - 1, 0), 0.0)
        centre = np.stack([basis @ row[first : first + 6] for first in (2, 8, 14)], axis=1)
        tangent = np.stack([slope @ row[first : first + 6] for first in (2, 8, 14)], axis=1)
        tangent /= np.maximum(np.linalg.norm(tangent, axis=1, keepdims=True), 1e-300)
        bank = (u[:, None] ** np.arange(4)) @ row[20:24]
        level_left = np.stack([-tangent[:, 1], tangent[:, 0], np.zeros(len(u))], axis=1)
        level_left /= np.maximum(np.linalg.norm(level_left, axis=1, keepdims=True), 1e-300)
        rise = np.cross(tangent, level_left)
        c, sn = np.cos(bank)[:, None], np.sin(bank)[:, None]
        found["centre"].append(centre)
        found["left"].append(c * level_left + sn * rise)
        found["normal"].append(c * rise - sn * level_left)
        half = row[24] + u * row[25]
        found["half"].append(np.where(half > _WIDEST_CURVE, _SHOWN_HALF, half))  # a road without edges is drawn narrow
    sections = {name: np.concatenate(parts) for name, parts in found.items() if parts}
    # The parameter of a road need not be its length (the four-point road of MEDUSA runs from 0 to 1): dashes are
    # measured along the road as it lies.
    steps = np.linalg.norm(np.diff(sections["centre"], axis=0), axis=1)
    return {"s": np.concatenate([[0.0], np.cumsum(steps)]), **sections}


def _piece_length(row: np.ndarray) -> float:
    """Length of one piece of a road [m], as a polygon of 32 sides."""
    u = np.linspace(0.0, row[1], 33)[:, None] ** np.arange(6)
    points = np.stack([u @ row[first : first + 6] for first in (2, 8, 14)], axis=1)
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def _beyond(sections: dict[str, np.ndarray]) -> list[Visual]:
    """Both ends of an open road, where the plane of the last cross section goes on: without lines, in another grey."""
    found: list[Visual] = []
    for here, inner, sign in ((0, 1, -1.0), (-1, -2, 1.0)):
        along = sections["centre"][here] - sections["centre"][inner]
        along /= max(float(np.linalg.norm(along)), 1e-300)
        start = {name: sections[name][here] for name in ("centre", "left", "half")}
        points = start["centre"] + np.linspace(0.0, _BEYOND, 3)[:, None] * along
        edges = [points + side * sign * start["half"] * start["left"] for side in (-1.0, 1.0)]
        found.append(VisualRibbon(GROUND, _rounded(edges[0]), _rounded(edges[1]), colour="#6b6f69"))
    return found


def _lines(sections: dict[str, np.ndarray]) -> list[Visual]:
    half = sections["half"]
    found: list[Visual] = [_strip(sections, side * (half - 2.0 * LINE_WIDTH)) for side in (-1.0, 1.0)]
    lanes = max(1, round(2.0 * float(np.median(half)) / LANE_WIDTH))
    dense = _resampled(sections, DASH / 2.0)
    dashes = np.floor_divide(dense["s"], DASH / 2.0) % round((DASH + GAP) / (DASH / 2.0)) < 2
    for lane in range(1, lanes):
        offset = dense["half"] * (2.0 * lane / lanes - 1.0)
        for first, last in _stretches(dashes):
            dash = slice(first, last + 1)
            found.append(_strip({name: item[dash] for name, item in dense.items()}, offset[dash]))
    return found


def _strip(sections: dict[str, np.ndarray], offset: np.ndarray) -> VisualRibbon:
    lift = _LIFT * sections["normal"]
    right = _edge(sections, offset - LINE_WIDTH / 2) + lift
    left = _edge(sections, offset + LINE_WIDTH / 2) + lift
    return VisualRibbon(GROUND, _rounded(right), _rounded(left), colour="line")


def _edge(sections: dict[str, np.ndarray], offset: np.ndarray) -> np.ndarray:
    return np.asarray(sections["centre"] + offset[:, None] * sections["left"])


def _resampled(sections: dict[str, np.ndarray], spacing: float) -> dict[str, np.ndarray]:
    """The same sections at even spacing; at most about 4000, so that a long road stays light."""
    s = sections["s"]
    spacing = max(spacing, (s[-1] - s[0]) / 4000.0)
    even = np.arange(s[0], s[-1], spacing)
    out: dict[str, np.ndarray] = {"s": even}
    for name in ("centre", "left", "normal"):
        out[name] = np.stack([np.interp(even, s, sections[name][:, k]) for k in range(3)], axis=1)
    out["half"] = np.interp(even, s, sections["half"])
    return out


def _stretches(mask: np.ndarray) -> list[tuple[int, int]]:
    """First and last index of every run of True, the end of the dash included."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], mask.astype(int), [0]])))
    last = len(mask) - 1
    return [(int(a), min(int(b), last)) for a, b in zip(edges[::2], edges[1::2], strict=True) if a < last]


def _rounded(points: np.ndarray) -> list[list[float]]:
    return np.round(points, 4).tolist()
