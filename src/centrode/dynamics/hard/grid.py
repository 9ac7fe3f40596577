"""The surface of a height field: its points, its triangles, and which of them lies below a point.

Heights stand on a grid; every cell is cut into two triangles along its diagonal from (i, j) to (i+1, j+1).
"""

from __future__ import annotations

import math

from centrode.dynamics.hard.tables import borrow_hard
from centrode.jit import step_kernel
from centrode.math.vector import cross, minus, norm, times


@step_kernel
def grid_point(hard, outline, i, j):
    """A point of the grid in own axes [m]."""
    n, m = int(outline.own[0]), int(outline.own[1])
    height = borrow_hard(hard).heights[int(outline.own[4]) + i * m + j]
    return (i - 0.5 * (n - 1)) * outline.own[2], (j - 0.5 * (m - 1)) * outline.own[3], height


@step_kernel
def triangle(hard, outline, i, j, half):
    """Corners of a triangle of cell (i, j), counter-clockwise from above, and its upward unit normal."""
    a = grid_point(hard, outline, i, j)
    c = grid_point(hard, outline, i + 1, j + 1)
    b = grid_point(hard, outline, i + 1, j) if half == 0 else c
    d = c if half == 0 else grid_point(hard, outline, i, j + 1)
    n = cross(minus(b, a), minus(d, a))
    return a, b, d, times(1.0 / norm(n), n)


@step_kernel
def cell_of(x, count, spacing):
    """Cell along an axis in which a coordinate lies; -1 or the number of cells beyond the grid."""
    place = x / spacing + 0.5 * (count - 1)
    if not place >= 0.0:
        return -1
    return min(int(place), int(count) - 1) if place > count - 1 else int(min(place, count - 2))


@step_kernel
def below(hard, outline, y):
    """Cell and half of the triangle that lies straight below or above a point in own axes; -1 beyond the grid."""
    i, j = cell_of(y[0], outline.own[0], outline.own[2]), cell_of(y[1], outline.own[1], outline.own[3])
    if i < 0 or j < 0 or i >= outline.own[0] - 1 or j >= outline.own[1] - 1:
        return -1, -1, -1
    a = grid_point(hard, outline, i, j)
    return i, j, 0 if (y[0] - a[0]) * outline.own[3] >= (y[1] - a[1]) * outline.own[2] else 1


@step_kernel
def cells_about(outline, y, wide):
    """Cells that may lie below what reaches from a point in own axes by ``wide`` [m]: first and end, of both axes."""
    n, m = int(outline.own[0]) - 1, int(outline.own[1]) - 1
    first_i = max(0, int(math.floor((y[0] - wide[0]) / outline.own[2] + 0.5 * n)))
    end_i = min(n, int(math.floor((y[0] + wide[0]) / outline.own[2] + 0.5 * n)) + 1)
    first_j = max(0, int(math.floor((y[1] - wide[1]) / outline.own[3] + 0.5 * m)))
    end_j = min(m, int(math.floor((y[1] + wide[1]) / outline.own[3] + 0.5 * m)) + 1)
    return first_i, end_i, first_j, end_j
