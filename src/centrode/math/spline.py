"""Curves in space as chains of polynomials: smooth interpolation of points, Hermite pieces, bounding balls.

A *piece* covers parameters s0 <= s <= s0 + h and is a polynomial of degree five in u = s - s0 for each coordinate,
coefficients rising in power. Cubic pieces leave the last two coefficients zero.

Smooth interpolation: a global cubic spline, twice continuously differentiable, over cumulative chord length. Chord
length keeps the tridiagonal system diagonally dominant and the curve free of loops for any spacing of the points
(Epstein, SIAM J. Numer. Anal. 13 (1976) 261; Floater, Numer. Math. 110 (2008) 417), where equal steps of the
parameter overshoot. The fit is repeated over the arc length of the previous fit, so that the parameter measures the
distance driven.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from centrode.errors import InputError
from centrode.jit import kernel

# Gauss-Legendre nodes for arc lengths of single pieces: exact for polynomials of degree 15.


@functools.cache
def _gauss() -> tuple[np.ndarray, np.ndarray]:
    """Places and weights of Gauss' quadrature with 8 points."""
    places, weights = np.polynomial.legendre.leggauss(8)
    return places, weights


def cubic_spline_curve(points: np.ndarray, closed: bool, passes: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """C2 cubic spline through points, over (nearly) arc length.

    Args:
        points: shape (n, dim), n >= 2, neighbours distinct. A closed curve returns from the last point to the first;
        the
            first is not repeated.
        closed: periodic curve (n >= 3).
        passes: fits; each takes the arc lengths of the one before as its parameter.

    Returns:
        (knots, shape (m + 1,); coefficients, shape (m, dim, 6), rising powers of s - knot) of the m pieces.
    """
    points = np.asarray(points, dtype=np.float64)
    if closed:
        points = np.vstack([points, points[:1]])
    lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
    if len(points) < 2 or not np.all(lengths > 0.0):
        where = int(np.argmin(lengths)) + 1 if len(lengths) else 0
        raise InputError("two neighbouring road points are the same", path=f"points[{where}]")
    for turn in range(passes):
        knots = np.concatenate([[0.0], np.cumsum(lengths)])
        pieces = _fit(knots, points, closed)
        arc = piece_lengths(knots, pieces)
        if turn + 1 < passes and np.all(arc < 3.0 * lengths):  # a wild fit must not feed itself
            lengths = arc
    return knots, pieces


def _fit(knots: np.ndarray, points: np.ndarray, closed: bool) -> np.ndarray:
    from scipy.interpolate import CubicSpline

    if closed:
        boundary = "periodic"
    else:
        boundary = "not-a-knot" if len(points) > 2 else "natural"
    spline = CubicSpline(knots, points, axis=0, bc_type=boundary)
    pieces = np.zeros((len(knots) - 1, points.shape[1], 6))
    for power in range(4):
        pieces[:, :, power] = spline.c[3 - power]
    return pieces


def monotone_pieces(knots: np.ndarray, values: np.ndarray, closed: bool = False) -> np.ndarray:
    """C1 cubic pieces through values that never overshoot (Fritsch and Carlson 1980); shape (m, ..., 4), rising powers.

    For a closed curve the first value is repeated at the end; slopes there match.

    Args:
        knots: rising, (m + 1,).
        values: (m + 1, ...); (m, ...) of a closed curve.
    """
    values = np.asarray(values, dtype=np.float64)
    if not closed:
        return _hermite(knots, values, _monotone_slopes(knots, values))
    period, count = knots[-1], min(3, len(knots) - 1)
    wide_knots = np.concatenate([knots[-1 - count : -1] - period, knots, knots[1 : count + 1] + period])
    around = np.concatenate([values, values[:1]])
    wide = np.concatenate([values[-count:], around, around[1 : count + 1]])
    return _hermite(wide_knots, wide, _monotone_slopes(wide_knots, wide))[count : count + len(knots) - 1]


def _monotone_slopes(knots: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Slopes at the knots: between pieces of one sign the harmonic mean of Fritsch and Butland (1984), by lengths.

    At the ends the slope of a parabola through three points, no steeper than keeps the sign.
    """
    h = np.diff(knots).reshape(-1, *[1] * (values.ndim - 1))
    chord = np.diff(values, axis=0) / h
    if len(knots) == 2:
        return np.concatenate([chord, chord])
    one, two = 2.0 * h[1:] + h[:-1], h[1:] + 2.0 * h[:-1]
    level = chord[:-1] * chord[1:] <= 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        inner = np.where(level, 0.0, (one + two) / (one / chord[:-1] + two / chord[1:]))
    ends = [_end_slope(*pair) for pair in ((h[0], h[1], chord[0], chord[1]), (h[-1], h[-2], chord[-1], chord[-2]))]
    return np.concatenate([ends[0][None], inner, ends[1][None]])


def _end_slope(h: np.ndarray, beyond: np.ndarray, chord: np.ndarray, next_chord: np.ndarray) -> np.ndarray:
    slope = ((2.0 * h + beyond) * chord - h * next_chord) / (h + beyond)
    slope = np.where(np.sign(slope) != np.sign(chord), 0.0, slope)
    steep = (np.sign(chord) != np.sign(next_chord)) & (np.abs(slope) > 3.0 * np.abs(chord))
    return np.asarray(np.where(steep, 3.0 * chord, slope))


def _hermite(knots: np.ndarray, values: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    """Cubic pieces, (m, ..., 4), with given values and slopes at the knots."""
    h = np.diff(knots).reshape(-1, *[1] * (values.ndim - 1))
    chord = np.diff(values, axis=0) / h
    bend = (slopes[:-1] + slopes[1:] - 2.0 * chord) / h
    return np.stack([values[:-1], slopes[:-1], (chord - slopes[:-1]) / h - bend, bend / h], axis=-1)


def monotone_curve(knots: np.ndarray, values: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Values at places of the cubic pieces of :func:`monotone_pieces`; the last ones go on beyond the ends."""
    pieces = monotone_pieces(knots, values)
    number = np.clip(np.searchsorted(knots, places, side="right") - 1, 0, len(knots) - 2)
    past = (places - knots[number]).reshape(-1, *[1] * (np.ndim(values) - 1))
    a, b, c, d = np.moveaxis(pieces[number], -1, 0)
    return np.asarray(a + past * (b + past * (c + past * d)))


def hermite_quintic(h: float, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Degree-five piece with given value, slope and second derivative at both ends.

    Args:
        h: length of the piece.
        start, end: shape (3, dim): value, first and second derivative.

    Returns:
        Coefficients, shape (dim, 6). A smooth curve is met to h^6 max|r^(6)| / 46080.
    """
    p0, v0, a0 = start
    p1, v1, a1 = end
    rest = p1 - (p0 + v0 * h + 0.5 * a0 * h * h)
    slope = (v1 - v0 - a0 * h) * h
    bend = (a1 - a0) * h * h
    c3 = (10.0 * rest - 4.0 * slope + 0.5 * bend) / h**3
    c4 = (-15.0 * rest + 7.0 * slope - bend) / h**4
    c5 = (6.0 * rest - 3.0 * slope + 0.5 * bend) / h**5
    return np.stack([p0, v0, 0.5 * a0, c3, c4, c5], axis=-1)


def evaluate_piece(coefficients: np.ndarray, u: float, derivative: int = 0) -> np.ndarray:
    """Value or derivative of one piece, coefficients of shape (dim, k), rising powers."""
    result = np.zeros(coefficients.shape[0])
    for power in range(coefficients.shape[1] - 1, derivative - 1, -1):
        result = result * u + coefficients[:, power] * math.perm(power, derivative)
    return result


def piece_lengths(knots: np.ndarray, pieces: np.ndarray) -> np.ndarray:
    """Arc length of each piece (four sub-intervals of eight Gauss points each)."""
    steps = np.diff(knots)
    total = np.zeros(len(steps))
    powers = np.arange(1, pieces.shape[2])
    for part in range(4):
        u = steps[:, None] * (part + 0.5 * (_gauss()[0] + 1.0)) / 4.0
        slope = np.einsum("mdk,mgk->mgd", pieces[:, :, 1:] * powers, u[:, :, None] ** (powers - 1))
        total += steps / 8.0 * (np.linalg.norm(slope, axis=2) @ _gauss()[1])
    return total


def bounding_balls(knots: np.ndarray, pieces: np.ndarray) -> np.ndarray:
    """Ball around each piece: centre and radius, shape (m, 4). Exact bound: the Bezier polygon contains the piece."""
    control = bezier_points(np.diff(knots), pieces)
    centre = 0.5 * (control.min(axis=1) + control.max(axis=1))
    radius = np.linalg.norm(control - centre[:, None, :], axis=2).max(axis=1)
    return np.column_stack([centre, radius])


def speed_bounds(knots: np.ndarray, pieces: np.ndarray) -> np.ndarray:
    """Upper bound of |r'| on each piece: the longest vector of the Bezier polygon of the derivative, shape (m,)."""
    slopes = pieces[:, :, 1:] * np.arange(1, pieces.shape[2])
    return np.linalg.norm(bezier_points(np.diff(knots), slopes), axis=2).max(axis=1)


def bezier_points(steps: np.ndarray, pieces: np.ndarray) -> np.ndarray:
    """Bezier control points of polynomial pieces over 0 <= u <= step, shape (m, degree + 1, dim)."""
    degree = pieces.shape[2] - 1
    control = np.zeros((len(steps), degree + 1, pieces.shape[1]))
    for j in range(degree + 1):
        for i in range(j + 1):
            control[:, j] += math.comb(j, i) / math.comb(degree, i) * pieces[:, :, i] * steps[:, None] ** i
    return control


@kernel
def quintic(table, row, column, u):
    """Value and three derivatives of the polynomial in six columns of a table row."""
    c1, c2, c3 = table[row, column + 1], table[row, column + 2], table[row, column + 3]
    c4, c5 = table[row, column + 4], table[row, column + 5]
    value = table[row, column] + u * (c1 + u * (c2 + u * (c3 + u * (c4 + u * c5))))
    slope = c1 + u * (2.0 * c2 + u * (3.0 * c3 + u * (4.0 * c4 + u * 5.0 * c5)))
    bend = 2.0 * c2 + u * (6.0 * c3 + u * (12.0 * c4 + u * 20.0 * c5))
    return value, slope, bend, 6.0 * c3 + u * (24.0 * c4 + u * 60.0 * c5)
