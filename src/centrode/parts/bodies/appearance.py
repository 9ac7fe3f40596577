"""How a body looks of which only mass, inertia and the points that others hold are known.

With the principal moments I_i about its centre of mass and its mass m, the box of even density and equal inertia has
the edges

    l_i = sqrt(6 (I_j + I_k - I_i) / m)                                                              (1)

and rods run to the points where joints and forces hold it. A body that is held like a bar is drawn as one; two equal
moments make a cylinder, three a ball.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from centrode.parts.visual import (
    Layer,
    Visual,
    VisualBox,
    VisualCapsule,
    VisualCylinder,
    VisualScene,
    VisualSphere,
    placed,
    vector,
)

if TYPE_CHECKING:
    from centrode.parts.bodies.body import Body, BodyRow


def body_visuals(body: Body, scene: VisualScene) -> list[Visual]:
    """Bar, ball, cylinder or box of equal inertia, with rods to where others hold it."""
    row, plane, extent = body.row(), scene.plane, scene.extent(body.name) or 1.0
    centre, edges, points = centre_of(row), inertia_box(row, plane), _distinct(scene.held_at(body.name))
    thickest = 0.1 * min(scene.size, extent)
    if bar := _bar_ends(points, centre, edges, row, plane):
        length = float(np.linalg.norm(bar[1] - bar[0]))
        radius = min(max(0.5 * float(edges.min()), 0.03 * length), 0.12 * length, thickest)
        return [VisualCapsule(body.name, vector(bar[0]), vector(bar[1]), radius, layer=Layer.INERTIA)]
    solid = edges > 0
    thin = max(0.02 * extent, 0.25 * float(edges[solid].min())) if solid.any() else 0.03 * extent
    thin = min(thin, thickest)
    place = placed(centre)
    found: list[Visual] = []
    if not (edges > 1e-9).any():
        found.append(VisualSphere(body.name, 0.12 * extent, **place, layer=Layer.INERTIA))
    elif plane and not points:
        length = float(edges[0])
        found.append(VisualBox(body.name, (length, 0.2 * length, 0.2 * length), **place, layer=Layer.INERTIA))
    elif len(points) >= 3:
        found.append(VisualSphere(body.name, 1.6 * thin, **place, layer=Layer.INERTIA))
    elif plane:
        size = vector(np.array([0.5, 0.35, 0.35]) * float(edges[0]))
        found.append(VisualBox(body.name, size, **placed(centre, np.eye(3)), layer=Layer.INERTIA))
    else:
        found += _round_body(body.name, row, centre) or [
            VisualBox(
                body.name,
                vector(np.maximum(edges, 0.15 * edges.max())),
                **placed(centre, row.axes),
                layer=Layer.INERTIA,
            )
        ]
    for point in points:
        if np.linalg.norm(point - centre) > 1e-6 * extent:
            found.append(VisualCapsule(body.name, vector(centre), vector(point), thin, layer=Layer.INERTIA))
    return found


def inertia_box(row: BodyRow, plane: bool) -> np.ndarray:
    """Edges of the box of equal inertia, (1), along the principal axes [m]; zeros for a point mass."""
    mass = float(row.mass)
    moments = np.asarray(row.inertia, dtype=float).reshape(-1)
    if mass <= 0 or not math.isfinite(mass):
        return np.zeros(3)
    if plane:  # a rod of the same moment
        length = math.sqrt(12.0 * float(moments.max(initial=0.0)) / mass)
        return np.array([length, 0.1 * length, 0.1 * length])
    squares = 6.0 * (float(moments.sum()) - 2.0 * moments) / mass
    return np.sqrt(np.maximum(squares, 0.0))


def body_extent(body: Body, points: Sequence[np.ndarray], plane: bool) -> float:
    """Length that says how large the body is drawn [m], held by others at ``points`` of its frame."""
    row = body.row()
    reach = [float(np.linalg.norm(point - centre_of(row))) for point in points]
    return max(float(inertia_box(row, plane).max()), 1.5 * max(reach, default=0.0)) or 0.3


def centre_of(row: BodyRow) -> np.ndarray:
    """Centre of mass in the body frame with three coordinates, also in a plane [m]."""
    centre = np.zeros(3)
    centre[: len(row.centre)] = row.centre
    return centre


def _bar_ends(
    points: list[np.ndarray], centre: np.ndarray, edges: np.ndarray, row: BodyRow, plane: bool
) -> tuple[np.ndarray, np.ndarray] | None:
    """Ends of a body that is held like a bar: at two points in line with its centre, or at the end of a slender one."""
    if len(points) == 2:
        start, end = points
        length = float(np.linalg.norm(end - start))
        off_axis = float(np.linalg.norm(np.cross(end - start, centre - start))) / max(length, 1e-300)
        return (start, end) if off_axis < 0.2 * length else None
    if len(points) != 1:
        return None
    arm = centre - points[0]
    length = 2.0 * float(np.linalg.norm(arm))
    if length <= 0 or abs(float(edges.max()) - length) > 0.3 * length:
        return None
    if not plane:
        along = np.asarray(row.axes)[:, int(edges.argmax())]
        slender = float(np.sort(edges)[1]) < 0.5 * float(edges.max())
        if not slender or abs(float(along @ arm)) <= 0.475 * length:
            return None
    return points[0], 2.0 * centre - points[0]


def _round_body(name: str, row: BodyRow, centre: np.ndarray) -> list[Visual]:
    """Ball or cylinder of equal inertia, where two principal moments are equal; with a mark that shows its turning.

    Ball: I = 2/5 m r^2. Cylinder about its axis: I = m r^2 / 2, across: m (3 r^2 + h^2) / 12.
    """
    moments, mass, axes = np.asarray(row.inertia, dtype=float), float(row.mass), np.asarray(row.axes)
    close = [abs(moments[(k + 1) % 3] - moments[(k + 2) % 3]) <= 1e-6 * moments.max() for k in range(3)]
    if not any(close):
        return []
    shape: Visual
    mark: Visual
    if all(close):
        radius = math.sqrt(2.5 * float(moments[0]) / mass)
        place = placed(centre, axes)
        shape = VisualSphere(name, radius, position=place["position"], layer=Layer.INERTIA)
        mark = VisualCylinder(name, 1.01 * radius, 0.12 * radius, **place, colour="white", layer=Layer.INERTIA)
        return [shape, mark]
    k = close.index(True)
    radius = math.sqrt(2.0 * float(moments[k]) / mass)
    square = 12.0 * float(moments[(k + 1) % 3]) / mass - 3.0 * radius * radius
    length = math.sqrt(square) if square > 0 else 0.0
    if length < 0.05 * radius:
        return []
    axes = axes[:, [(k + 1) % 3, (k + 2) % 3, k]]
    shape = VisualCylinder(name, radius, length, **placed(centre, axes), layer=Layer.INERTIA)
    rim = placed(centre + 0.88 * radius * axes[:, 0], axes)
    size = (0.25 * radius, 0.12 * radius, 1.01 * length)
    mark = VisualBox(name, size, **rim, colour="white", layer=Layer.INERTIA)
    return [shape, mark]


def _distinct(points: Sequence[np.ndarray]) -> list[np.ndarray]:
    found: list[np.ndarray] = []
    scale = max((float(np.linalg.norm(point)) for point in points), default=0.0)
    for point in points:
        if all(np.linalg.norm(point - other) > 1e-6 * max(scale, 1e-6) for other in found):
            found.append(point)
    return found
