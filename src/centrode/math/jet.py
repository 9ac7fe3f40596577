"""Second-order jets: numbers and arrays carried with their first and second derivative in time.

Sums, products, roots and arc tangents of such triples are exact, so rates of functions of a pose need no differences.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np


class Jet:
    """A number or array with its first and second derivative in time."""

    __slots__ = ("d", "dd", "v")

    def __init__(self, v: Any, d: Any = 0.0, dd: Any = 0.0) -> None:
        self.v, self.d, self.dd = v, d, dd

    def __add__(self, other: Jet) -> Jet:
        return Jet(self.v + other.v, self.d + other.d, self.dd + other.dd)

    def __sub__(self, other: Jet) -> Jet:
        return Jet(self.v - other.v, self.d - other.d, self.dd - other.dd)

    def __mul__(self, other: Jet) -> Jet:
        return Jet(
            self.v * other.v,
            self.d * other.v + self.v * other.d,
            self.dd * other.v + 2.0 * self.d * other.d + self.v * other.dd,
        )

    def __matmul__(self, constant: np.ndarray) -> Jet:
        return Jet(self.v @ constant, self.d @ constant, self.dd @ constant)

    def __getitem__(self, index: Any) -> Jet:
        return Jet(self.v[index], self.d[index], self.dd[index])


def dot(a: Jet, b: Jet) -> Jet:
    """Scalar product of two vectors."""
    product = a * b
    return Jet(product.v.sum(), product.d.sum(), product.dd.sum())


def root(a: Jet) -> Jet:
    """Square root of a positive number."""
    v = math.sqrt(a.v)
    d = 0.5 * a.d / v
    return Jet(v, d, (0.5 * a.dd - d * d) / v)


def arc_tangent(y: Jet, x: Jet) -> Jet:
    """atan2(y, x)."""
    square = x.v * x.v + y.v * y.v
    d = (x.v * y.d - y.v * x.d) / square
    dd = (x.v * y.dd - y.v * x.dd) / square - 2.0 * d * (x.v * x.d + y.v * y.d) / square
    return Jet(math.atan2(y.v, x.v), d, dd)


def skew(w: np.ndarray) -> np.ndarray:
    """Matrix of the vector product, skew(w) r = w x r."""
    return np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])
