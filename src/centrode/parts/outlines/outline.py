"""What all outlines have in common: a place on the body, a material, stiffness factors of its sides, one row each.

An *outline* is the convex surface by which a body touches others. Geometry is known to the search through the support
function only: for a direction m in the outline's own axes

    H(m) = max { m . X : X in the outline },     X(m) = the point that reaches the maximum.               (1)

Every outline is the sum (Minkowski) of a *curved part* that is symmetric about the centre and of *corners*,

    H(m) = H_curved(m) + max over corners c of m . c                                                     (2)

A kind is one file that says which: semi-axes, exponent and rounding of a superellipsoid, or a kernel of its own, for
the curved part; half lengths of a box (zeros make it a rectangle or a segment), or a list of points, for the corners. A
sphere is a curved part, a box has corners only, a capsule is a segment plus a ball. The search knows no kinds, so an
outline from a plugin is searched as any other.

A body carries its outline with position r and a general 3 x 3 matrix F (a rotation for a rigid body, the directors
as columns for a pseudo-rigid one). The image {r + F X} has the support function

    h(n) = r . n + H(m),     x(n) = r + F X(m),     m = F^T n,  m_i = d_i . n                             (3)

so deformed outlines cost nothing extra. Several outlines may sit on one body.
"""

from __future__ import annotations

import functools
import math
from enum import IntEnum
from typing import Any, ClassVar, NamedTuple

import numpy as np

from centrode.classes import dataclass
from centrode.errors import Fault, InputError
from centrode.jit import step_kernel, types
from centrode.jit.plainly import plainly
from centrode.math.hull import convex_hull
from centrode.math.record import record
from centrode.math.vector import combined, dot, plus, put, turn, vector
from centrode.parts.kernel_notes import kernel_handle
from centrode.parts.part import KernelNote, Part, quantity
from centrode.parts.placement import GROUND
from centrode.parts.visual import Layer, Visual, placed


class Curved(IntEnum):
    """The curved part of an outline."""

    NONE = 0
    SUPERELLIPSOID = 1
    OWN = 2


class Corners(IntEnum):
    """The corners of an outline."""

    NONE = 0
    BOX = 1
    POINTS = 2


class Region(IntEnum):
    """Side of a body that is hit."""

    FRONT = 0
    REAR = 1
    SIDE = 2
    ROOF = 3
    FLOOR = 4


REGION_NAMES = ("front", "rear", "side", "roof", "floor")
OWN_NUMBERS = 12
"""Parameters that the curved part of a plugin may have."""

OUTLINE = record(
    ("body", "i8"),  # 0: the ground
    ("material", "i8"),
    ("centre", "f8", (3,)),  # in body axes [m]
    ("axes", "f8", (3, 3)),  # own axes in body axes, axis by axis [1]
    ("factors", "f8", (4,)),  # stiffness of front, rear, side, roof [1]
    ("radius", "f8"),  # of a sphere about the centre that holds the outline [m]
    ("thickness", "f8"),  # smallest half-width [m], the scale for "deep" overlap
    ("half_space", "i8"),  # all below own z = 0
    ("corners", "i8"),
    ("half_lengths", "f8", (3,)),  # of the box [m]
    ("first", "i8"),  # corner in the list of all points
    ("count", "i8"),
    ("first_face", "i8"),  # in the list of all faces
    ("faces", "i8"),
    ("rigid", "i8"),  # its body does not deform
    ("swept", "i8"),  # a ball along a segment on own z, on such a body
    ("flat_ended", "i8"),  # its ends on own z are flat (:mod:`centrode.dynamics.contact.flat_ends`), on such a body
    ("curved", "i8"),
    ("semi_axes", "f8", (3,)),  # of the superellipsoid, lowered for the rounding [m]
    ("exponent", "f8"),  # p = 2 / squareness [1]
    ("dual", "f8"),  # q = p / (p - 1) [1]
    ("rounding", "f8"),  # [m]
    ("kernel", "i8"),  # place of the curved part's own kernel in the list of handles
    ("own", "f8", (OWN_NUMBERS,)),  # and its parameters
    ("surface", "i8"),  # number of the road, from 1, whose surface it is
    ("meets", "i8"),  # roads that it touches, bit by bit
    ("roads_only", "i8"),  # it touches nothing else
)

FRAME = record(("position", "f8", (3,)), ("directors", "f8", (3, 3)))
"""Position [m] and the three directors (columns of F) in turn, in a table."""
PLACED = record(("reach", "f8"), ("position", "f8", (3,)), ("directors", "f8", (3, 3)))
"""Frame of an outline, and the radius of its bounding sphere as it is stretched there [m]."""

CURVED_SIGNATURE = types.Tuple((types.float64, types.vector, types.matrix))(types.floats1, types.vector)
"""curved(own, m) -> H, X = grad H, H'' as rows [m]: support value, point and second derivative of a curved part."""


Vector = tuple[float, float, float]


class Frame(NamedTuple):
    """Position [m] and directors (the columns of F, one a row) as tuples, for kernels."""

    position: Vector
    directors: tuple[Vector, Vector, Vector]


class Shapes(NamedTuple):
    """What the outlines of a table share.

    Attributes:
        points: corners, float64[n, 3] [m].
        handles: of kernels, float64[n].
        faces: of lists of corners: outward unit normal and distance from the origin, own axes, float64[n, 4] [1, m].
    """

    points: np.ndarray
    handles: np.ndarray
    faces: np.ndarray


FRAME_TYPE = types.NamedTuple((types.vector, types.matrix), Frame)
SHAPES_TYPE = types.NamedTuple((types.floats2, types.floats1, types.floats2), Shapes)


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
    kernel_notes: ClassVar[tuple[KernelNote, ...]] = (
        KernelNote("curved_kernel", CURVED_SIGNATURE, "CURVED_SIGNATURE", required=False),
    )
    curved_kernel: ClassVar[Any] = None
    """Kernel of a curved part that is no superellipsoid, with CURVED_SIGNATURE; convex and symmetric, H(-m) = H(m)."""
    half_space: ClassVar[bool] = False
    """Whether the outline is all that lies below own z = 0."""
    flat_ends: ClassVar[bool] = False
    """Whether it is a cylinder whose ends are flat for contact laws, although they are domed for the search."""
    convex: ClassVar[bool] = True
    """Whether it has a support function; what has none is for hard contacts alone."""

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

    def bounding_radius(self) -> float:
        """Radius of a sphere about the centre that holds the outline [m]."""
        raise NotImplementedError

    def least_half_width(self) -> float:
        """Half of the least distance between two parallel planes that hold the outline [m]."""
        raise NotImplementedError

    def superellipsoid(self) -> tuple[tuple[float, float, float], float, float] | None:
        """Semi-axes [m], exponent p [1] and rounding [m] of the curved part."""
        return None

    def own_parameters(self) -> list[float]:
        """Numbers that ``curved_kernel`` reads, at most OWN_NUMBERS."""
        return []

    def box(self) -> tuple[float, float, float] | None:
        """Half lengths of the box whose corners the outline has [m]; zeros are allowed."""
        return None

    def corners(self) -> np.ndarray:
        """Corners that form no box, in own axes [m], shape (n, 3)."""
        return np.zeros((0, 3))

    def drawn(self, shape: type[Visual], *sizes: Any, **more: Any) -> list[Visual]:
        """A shape at the outline's place on its body."""
        place = placed(self.centre, self.rotation)
        return [shape(self.body or GROUND, *sizes, **place, layer=Layer.OUTLINE, **more)]

    def faults(self) -> list[Fault]:
        found = super().faults()
        if np.shape(self.centre) != (3,):
            found.append(self.fault("centre", "needs three numbers", expected="x, y, z in m"))
        matrix = np.asarray(self.rotation, dtype=float)
        # 1e-9: a rotation built in double precision is orthogonal to a few 1e-16; typed digits may carry ten.
        if matrix.shape != (3, 3) or np.abs(matrix.T @ matrix - np.eye(3)).max() > 1e-9 or np.linalg.det(matrix) < 0:
            found.append(self.fault("rotation", "not a rotation", expected="an orthogonal 3 x 3 matrix"))
        if not found and type(self).curved_kernel is not None:
            found = self._curved_faults()
        return found

    def _curved_faults(self) -> list[Fault]:
        """What a search would not see of a curved part: another number of parameters, no symmetry. In plain Python."""
        curved, own = plainly(type(self).curved_kernel), np.array(self.own_parameters(), dtype=float)
        for m in ((0.6, 0.0, 0.8), (0.48, -0.6, 0.64), (-0.64, 0.48, 0.6)):
            try:
                there, back = (float(curved(own, tuple(sign * x for x in m))[0]) for sign in (1.0, -1.0))
            except IndexError:
                what = f"the kernel of the kind '{self.kind}' reads more numbers than own_parameters gives"
                return [self.fault("own_parameters", what, got=len(own))]
            except (ArithmeticError, TypeError, ValueError):  # the check of the kind says what is wrong
                return []
            if abs(there - back) > 1e-9 * abs(there):
                what = "its curved part is not symmetric about its centre: H(-m) is not H(m)"
                hint = "make what is not symmetric of corners"
                return [self.fault("curved_kernel", what, got=f"{back:.6g} and {there:.6g} m", hint=hint)]
        return []

    def pack(self) -> Any:
        """The outline as one record. Raises :class:`InputError` on bad parameters."""
        self.checked()
        row = np.zeros(1, OUTLINE)[0]
        row.centre = self.centre
        row.axes = np.asarray(self.rotation, dtype=float).T
        row.factors = (self.front, self.rear, self.side, self.roof)
        row.radius, row.thickness = self.bounding_radius(), self.least_half_width()
        row.half_space, row.rigid, row.flat_ended = self.half_space, True, self.flat_ends
        box, count, rounded = self.box(), len(self.corners()), self.superellipsoid()
        small = not 0.0 < row.thickness <= row.radius < math.inf or min(box or (0.0,)) < 0.0
        if small and not self.half_space:
            sizes = f"least half width {row.thickness:g} m, bounding radius {row.radius:g} m"
            raise InputError("an outline cannot have zero size", path=self.name, got=sizes, expected="lengths above 0")
        row.exponent = 2.0
        if box is not None:
            row.corners, row.half_lengths = Corners.BOX, box
        elif count:
            row.corners, row.count = Corners.POINTS, count
        if rounded is not None:
            from centrode.parts.outlines.superellipsoid import pack_superellipsoid

            row.curved = Curved.SUPERELLIPSOID
            pack_superellipsoid(row, *rounded)
            row.swept = box is not None and box[:2] == (0.0, 0.0) and rounded[1] == 2.0 and len(set(rounded[0])) == 1
        elif type(self).curved_kernel is not None:
            own = self.own_parameters()
            row.curved = Curved.OWN
            row.own[: len(own)] = own
        return row


def three_sizes(path: str, values: Any, what: str) -> list[Fault]:
    """Faults of a triple of positive lengths."""
    try:
        sizes = [float(item) for item in values]
    except (TypeError, ValueError):
        sizes = []
    if len(sizes) != 3:
        return [Fault("not three numbers", path, got=values, expected=f"three {what} in m")]
    if not all(math.isfinite(item) and item > 0 for item in sizes):
        said = "a negative" if any(item < 0 for item in sizes) else "zero"
        return [Fault(f"an outline cannot have {said} size", path, got=values, expected=f"three {what} above 0 in m")]
    return []


def pack_outlines(outlines: list[Outline]) -> tuple[np.ndarray, Shapes]:
    """Table of outlines, and what they share."""
    faults = [fault for item in outlines for fault in item.faults()]
    if faults:
        raise InputError(faults)
    rows = np.zeros(len(outlines), OUTLINE)
    points: list[np.ndarray] = [np.zeros((0, 3))]
    faces: list[np.ndarray] = [np.zeros((0, 4))]
    known: list[float] = []
    for k, item in enumerate(outlines):
        rows[k] = item.pack()
        row = rows[k]
        row.first = sum(map(len, points))
        points.append(item.corners())
        row.first_face = sum(map(len, faces))
        faces.append(faces_of(points[-1]))
        row.faces = len(faces[-1])
        if row.curved == Curved.OWN:
            row.kernel = len(known)
            known.append(float(kernel_handle(item, "curved_kernel")))
    both = (np.ascontiguousarray(np.concatenate(items)) for items in (points, faces))
    return rows, Shapes(next(both), np.array(known, dtype=float), next(both))


def faces_of(corners: np.ndarray) -> np.ndarray:
    """Outward unit normals and distances of the faces of a convex hull, shape (n, 4); none without corners."""
    if len(corners) == 0:
        return np.zeros((0, 4))
    return _hull_faces(np.asarray(corners, dtype=float).tobytes())


@functools.lru_cache(maxsize=256)
def _hull_faces(coordinates: bytes) -> np.ndarray:
    """Faces of the hull of these points; many cars have one shape."""
    corners = np.frombuffer(coordinates).reshape(-1, 3)
    planes = convex_hull(corners).planes
    # Triangles of one face have the same plane to round-off; 1e-9 of the size keeps what is merely flat.
    size = np.array([1.0, 1.0, 1.0, np.abs(corners).max()])
    kept, count = np.zeros_like(planes), 0
    for plane in planes:
        if not (np.abs((plane - kept[:count]) / size).max(axis=1) < 1e-9).any():
            kept[count] = plane
            count += 1
    return kept[:count].copy()


def body_frame(position: Any = (0.0, 0.0, 0.0), matrix: Any = None) -> Frame:
    """Frame of a body from its position [m] and F (rotation, or directors as columns)."""
    f = np.eye(3) if matrix is None else np.asarray(matrix, dtype=float)
    return Frame(three_floats(position), (three_floats(f[:, 0]), three_floats(f[:, 1]), three_floats(f[:, 2])))


def three_floats(values: Any) -> Vector:
    """Three plain numbers."""
    x, y, z = values
    return float(x), float(y), float(z)


@step_kernel
def frame_at(row):
    """A frame of a table."""
    return Frame(
        vector(row.position, 0),
        (vector(row.directors[0], 0), vector(row.directors[1], 0), vector(row.directors[2], 0)),
    )


@step_kernel
def put_frame(row, frame):
    """Write a frame into a table."""
    put(row.position, 0, frame.position)
    put(row.directors[0], 0, frame.directors[0])
    put(row.directors[1], 0, frame.directors[1])
    put(row.directors[2], 0, frame.directors[2])


@step_kernel
def point_of(frame, x):
    """World position of a point given by its material coordinates: r + F x."""
    return plus(frame.position, combined(frame.directors, x))


@step_kernel
def outline_frame(outline, body):
    """Frame of an outline from the frame of its body."""
    axes = outline.axes
    return Frame(
        point_of(body, vector(outline.centre, 0)),
        (
            combined(body.directors, vector(axes[0], 0)),
            combined(body.directors, vector(axes[1], 0)),
            combined(body.directors, vector(axes[2], 0)),
        ),
    )


@step_kernel
def largest_stretch(directors):
    """Upper bound of the largest singular value of F [1]: Gershgorin on F^T F, exact for rotations."""
    a, b, c = directors
    ab = abs(dot(a, b))
    ac = abs(dot(a, c))
    bc = abs(dot(b, c))
    return math.sqrt(max(dot(a, a) + ab + ac, ab + dot(b, b) + bc, ac + bc + dot(c, c)))


@step_kernel(signature=types.void(types.from_dtype(OUTLINE), FRAME_TYPE, types.from_dtype(PLACED)))
def place_outline(outline, body, placed):
    """Frame and reach of an outline on a body with this frame, into a row of a table."""
    frame = outline_frame(outline, body)
    put_frame(placed, frame)
    placed.reach = outline.radius * largest_stretch(frame.directors)


@step_kernel
def corner_towards(outline, points, m):
    """Corner farthest along m, both in own axes; the first of equal ones."""
    if outline.corners == Corners.NONE:
        return 0.0, 0.0, 0.0
    if outline.corners == Corners.BOX:
        a, b, c = vector(outline.half_lengths, 0)
        return (a if m[0] >= 0.0 else -a, b if m[1] >= 0.0 else -b, c if m[2] >= 0.0 else -c)
    best = outline.first
    value = dot(vector(points[best], 0), m)
    for k in range(best + 1, outline.first + outline.count):
        trial = dot(vector(points[k], 0), m)
        if trial > value:
            value = trial
            best = k
    return vector(points[best], 0)


@step_kernel
def world_corner(outline, points, frame, u):
    """Corner farthest along u in world axes, relative to the position of the frame."""
    if outline.corners == Corners.NONE:
        return 0.0, 0.0, 0.0
    return combined(frame.directors, corner_towards(outline, points, turn(frame.directors, u)))
