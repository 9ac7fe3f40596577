"""Convex hulls of points in space and in the plane.

In space: quickhull (Barber, Dobkin, Huhdanpaa 1996). From a tetrahedron on, the point that lies farthest outside of
some face is joined to the horizon that it sees, and the faces behind it go. Points that lie outside of no face by
more than :data:`FLAT` of the size are in the hull. Of points that are equally far the one farthest from the middle of
all is taken, which is never one within an edge or a side; those lie outside of nothing once the corners are there.

In the plane: the chain of Andrew (1979).
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

FLAT = 1e-12
"""Part of the size by which a point must lie outside of a face to count; some thousand times the rounding."""


class Hull(NamedTuple):
    """A convex hull.

    Attributes:
        triangles: corners of the faces, anticlockwise from outside, (n, 3); a flat side has several.
        planes: outward unit normal and distance from the origin of each, (n, 4).
    """

    triangles: np.ndarray
    planes: np.ndarray

    @property
    def corners(self) -> np.ndarray:
        """Numbers of the points that are corners, rising."""
        return np.unique(self.triangles)


def convex_hull(points: np.ndarray) -> Hull:
    """Convex hull of points (n, 3) that span a volume; its arrays cannot be written to.

    Raises:
        ValueError: they lie in a plane.
    """
    return _known_hull(np.ascontiguousarray(points, dtype=float).tobytes())


@functools.lru_cache(maxsize=256)
def _known_hull(coordinates: bytes) -> Hull:
    """The hull; an outline is asked for its corners several times, and many cars have one shape."""
    points = np.frombuffer(coordinates).reshape(-1, 3)
    middle = points - points.mean(axis=0)
    far = np.sqrt(np.einsum("ij,ij->i", middle, middle))
    flat = FLAT * float(far.max())
    triangles = _tetrahedron(points, far, flat)
    planes = _planes(points, triangles)
    outside = _dealt(points, np.arange(len(points)), planes, flat)
    while any(len(some) for some in outside):
        face = next(k for k, some in enumerate(outside) if len(some))
        new = _farthest(outside[face], points[outside[face]] @ planes[face, :3], far, flat)
        seen = planes[:, :3] @ points[new] - planes[:, 3] > flat
        edges = {(a, b) for t in triangles[seen].tolist() for a, b in zip(t, (*t[1:], t[0]), strict=True)}
        horizon = sorted((a, b) for a, b in edges if (b, a) not in edges)
        made = np.array([(a, b, new) for a, b in horizon])
        made_planes = _planes(points, made)
        left = np.concatenate([outside[k] for k in np.flatnonzero(seen)])
        dealt = _dealt(points, left[left != new], made_planes, flat)
        outside = [some for some, gone in zip(outside, seen.tolist(), strict=True) if not gone] + dealt
        triangles = np.concatenate([triangles[~seen], made])
        planes = np.concatenate([planes[~seen], made_planes])
    triangles.setflags(write=False)
    planes.setflags(write=False)
    return Hull(triangles, planes)


def _farthest(numbers: np.ndarray, heights: np.ndarray, far: np.ndarray, flat: float) -> int:
    """The highest of these points; of equally high ones the farthest from the middle."""
    highest = numbers[heights >= heights.max() - flat]
    return int(highest[far[highest].argmax()])


def _dealt(points: np.ndarray, numbers: np.ndarray, planes: np.ndarray, flat: float) -> list[np.ndarray]:
    """Points that lie outside of faces, each given to the one it is farthest from."""
    heights = points[numbers] @ planes[:, :3].T - planes[:, 3]
    owner = np.where(heights.max(axis=1) > flat, heights.argmax(axis=1), -1)
    return [numbers[owner == k] for k in range(len(planes))]


def _planes(points: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    a, b, c = (points[triangles[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    length = np.linalg.norm(normal, axis=1)
    if not length.all():
        raise ValueError("three of the points lie on a line")
    normal /= length[:, None]
    return np.column_stack([normal, np.einsum("ij,ij->i", normal, (a + b + c) / 3.0)])


def _tetrahedron(points: np.ndarray, far: np.ndarray, flat: float) -> np.ndarray:
    """Four faces between four points that are far from each other."""
    numbers = np.arange(len(points))
    first = int(far.argmax())
    way = points - points[first]
    second = _farthest(numbers, np.linalg.norm(way, axis=1), far, flat)
    across = np.cross(way, way[second])
    third = _farthest(numbers, np.linalg.norm(across, axis=1) / max(float(far.max()), 1e-300), far, flat)
    height = way @ across[third] / max(float(np.linalg.norm(across[third])), 1e-300)
    fourth = _farthest(numbers, np.abs(height), far, flat)
    if not abs(height[fourth]) > flat:
        raise ValueError("the points lie in a plane")
    # By the right hand (first, second, third) has the normal -across[third]: outward when the fourth is above.
    a, b, c = (first, second, third) if height[fourth] > 0.0 else (first, third, second)
    return np.array([(a, b, c), (a, fourth, b), (b, fourth, c), (c, fourth, a)])


def plane_hull(points: np.ndarray) -> np.ndarray:
    """Numbers of the corners of the convex hull of points (n, 2), anticlockwise; none within an edge."""
    order = np.lexsort((points[:, 1], points[:, 0])).tolist()
    x, y = points[:, 0].tolist(), points[:, 1].tolist()
    least = FLAT * float(np.ptp(points, axis=0).max(initial=0.0)) ** 2

    def chain(numbers: list[int]) -> list[int]:
        found: list[int] = []
        for n in numbers:
            while len(found) > 1:
                a, b = found[-2], found[-1]
                if (x[b] - x[a]) * (y[n] - y[a]) - (y[b] - y[a]) * (x[n] - x[a]) > least:
                    break
                found.pop()
            found.append(n)
        return found[:-1]

    return np.array(chain(order) + chain(order[::-1]))
