"""What all outlines have in common: a place on the body, a material, stiffness factors of its sides, one row each.

An *outline* is the convex surface by which a body touches others. Geometry is known to the rest of the program
through its support function only: for a direction m in the outline's own axes

    H(m) = max { m . X : X in the outline },     X(m) = the point that reaches the maximum.

A body carries its outline with position r and a general 3 x 3 matrix F (a rotation for a rigid body, the directors
as columns for a pseudo-rigid one). The image {r + F X} has the support function r . n + H(F^T n), so deformed
outlines cost nothing extra. Several outlines may sit on one body.

Frames are rows of twelve numbers: position, then the three directors (columns of F) in turn. :func:`outline_frame`
makes the frame of an outline from the frame of its body.

Row layout (``ROW`` numbers; names below are the indices):

| index            | meaning                                                     |
|------------------|-------------------------------------------------------------|
| KIND             | code of the support kernel                                  |
| RADIUS_BOUND     | radius of a sphere about the outline's centre holding it [m]|
| BODY, MATERIAL   | slots filled by whoever builds the table (body 0: ground)       |
| CENTRE .. +2     | centre in body axes [m]                                     |
| AXES .. +8       | own axes in body axes, axis by axis [1]                     |
| SIZE .. +2       | three lengths, meaning per kind [m]                         |
| POWER            | dual exponent q of the superellipsoid [1]                   |
| ROUNDING         | rounding length delta [m]                                   |
| POOL, POOL_COUNT | first corner and number of corners in the corner pool       |
| FACTORS .. +3    | stiffness factors front, rear, side, roof [1]               |
| THICKNESS        | smallest half-width [m], the scale for "deep" overlap       |
| EXPONENT         | primal exponent p = 2 / squareness [1]                      |
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault, InputError
from centrode.jit import step_kernel
from centrode.parts.part import Part, quantity
from centrode.parts.placement import GROUND
from centrode.parts.visual import Layer, Visual, placed

KIND, RADIUS_BOUND, BODY, MATERIAL = 0, 1, 2, 3
CENTRE, AXES, SIZE = 4, 7, 16
POWER, ROUNDING, POOL, POOL_COUNT = 19, 20, 21, 22
FACTORS, THICKNESS, EXPONENT = 23, 27, 28
ROW = 32

SMOOTH, BOX, CAPSULE, POLYHEDRON, PLANE = 0, 1, 2, 3, 4

FRONT, REAR, SIDE, ROOF = 0, 1, 2, 3
IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
REGION_NAMES = ("front", "rear", "side", "roof")


@dataclass(frozen=True)
class Outline(Part):
    """Base of all outlines.

    Attributes:
        body: name of the body that carries the outline.
        centre: centre of the outline in body axes [m], shape (3,).
        rotation: own axes as columns, in body axes [1], shape (3, 3); proper rotation.
        material: name used to look up the contact law of a pair.
        front, rear, side, roof: stiffness factor of the side that is hit [1]; see
            :mod:`centrode.dynamics.contact.regions`.
    """

    family: ClassVar[str] = "outline"

    body: str = quantity("", "body that carries the outline", "", refers_to="body")
    centre: tuple[float, float, float] = quantity("m", "centre in body axes", (0.0, 0.0, 0.0))
    rotation: Any = quantity(
        "1", "own axes as columns, in body axes", ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    )
    material: str = quantity("", "material name for the contact law of a pair", "default")
    front: float = quantity("1", "stiffness factor of the front (+x)", 1.0, positive=True)
    rear: float = quantity("1", "stiffness factor of the rear (-x)", 1.0, positive=True)
    side: float = quantity("1", "stiffness factor of the sides (+-y)", 1.0, positive=True)
    roof: float = quantity("1", "stiffness factor of roof and floor (+-z)", 1.0, positive=True)

    def faults(self) -> list[Fault]:
        found = super().faults()
        centre = np.asarray(self.centre, dtype=float)
        if centre.shape != (3,):
            found.append(Fault("needs three numbers", f"{self.name}.centre", got=self.centre, expected="x, y, z in m"))
        matrix = np.asarray(self.rotation, dtype=float)
        # 1e-9: a rotation built in double precision is orthogonal to a few 1e-16; typed digits may carry ten.
        if matrix.shape != (3, 3) or np.abs(matrix.T @ matrix - np.eye(3)).max() > 1e-9 or np.linalg.det(matrix) < 0:
            found.append(
                Fault(
                    "not a rotation", f"{self.name}.rotation", got=self.rotation, expected="an orthogonal 3 x 3 matrix"
                )
            )
        return found

    def shape_row(self, row: np.ndarray) -> None:
        """Fill the shape entries of a row; every kind has its own."""
        raise NotImplementedError

    def drawn(self, shape: type[Visual], *sizes: Any, **more: Any) -> list[Visual]:
        """A shape at the outline's place on its body."""
        place = placed(self.centre, self.rotation)
        return [shape(self.body or GROUND, *sizes, **place, layer=Layer.OUTLINE, **more)]

    def corners(self) -> np.ndarray:
        """Corner points in own axes [m], shape (n, 3); empty for kinds without a corner list."""
        return np.zeros((0, 3))

    def pack(self) -> np.ndarray:
        """The outline as one row of ``ROW`` numbers (float64). Raises :class:`InputError` on bad parameters."""
        self.checked()
        row = np.zeros(ROW)
        row[BODY] = 0.0
        row[CENTRE : CENTRE + 3] = self.centre
        row[AXES : AXES + 9] = np.asarray(self.rotation, dtype=float).T.ravel()
        row[FACTORS : FACTORS + 4] = (self.front, self.rear, self.side, self.roof)
        self.shape_row(row)
        return row


def three_sizes(path: str, values: Any, what: str) -> list[Fault]:
    """Faults of a triple of positive lengths."""
    try:
        sizes = [float(item) for item in values]
    except (TypeError, ValueError):
        return [Fault("not three numbers", path, got=values, expected=f"three {what} in m")]
    if len(sizes) != 3:
        return [Fault("not three numbers", path, got=values, expected=f"three {what} in m")]
    if not all(math.isfinite(item) and item > 0 for item in sizes):
        return [Fault("an outline cannot have zero size", path, got=values, expected=f"three {what} above 0 in m")]
    return []


def pack_outlines(outlines: list[Outline]) -> tuple[np.ndarray, np.ndarray]:
    """Table of outlines and the common pool of corners.

    Returns:
        rows: float64, shape (n, ROW).
        pool: corner points of all polyhedra [m], shape (m, 3), m >= 1.
    """
    faults = [fault for item in outlines for fault in item.faults()]
    if faults:
        raise InputError(faults)
    rows = np.zeros((len(outlines), ROW))
    corners: list[np.ndarray] = []
    start = 0
    for index, item in enumerate(outlines):
        rows[index] = item.pack()
        own = item.corners()
        rows[index, POOL] = start
        rows[index, POOL_COUNT] = len(own)
        start += len(own)
        corners.append(own)
    pool = np.concatenate(corners) if start else np.zeros((1, 3))
    return rows, np.ascontiguousarray(pool)


@step_kernel
def outline_frame(row, body_frame, out):
    """Frame of an outline (position, three directors) from the frame of its body; both float64[12]."""
    for j in range(3):
        out[j] = (
            body_frame[j]
            + body_frame[3 + j] * row[CENTRE]
            + body_frame[6 + j] * row[CENTRE + 1]
            + body_frame[9 + j] * row[CENTRE + 2]
        )
        for i in range(3):
            out[3 + 3 * i + j] = (
                body_frame[3 + j] * row[AXES + 3 * i]
                + body_frame[6 + j] * row[AXES + 3 * i + 1]
                + body_frame[9 + j] * row[AXES + 3 * i + 2]
            )


@step_kernel
def largest_stretch(frame):
    """Upper bound of the largest singular value of F [1]: Gershgorin on F^T F, exact for rotations."""
    worst = 0.0
    for i in range(3):
        total = 0.0
        for k in range(3):
            dot = 0.0
            for j in range(3):
                dot += frame[3 + 3 * i + j] * frame[3 + 3 * k + j]
            total += abs(dot)
        if total > worst:
            worst = total
    return math.sqrt(worst)


def body_frame(position: Any = (0.0, 0.0, 0.0), matrix: Any = None) -> np.ndarray:
    """Frame row of a body from its position [m] and F (rotation, or directors as columns)."""
    frame = np.empty(12)
    frame[:3] = position
    frame[3:] = (np.eye(3) if matrix is None else np.asarray(matrix, dtype=float)).T.ravel()
    return frame
