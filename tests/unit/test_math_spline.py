"""Monotone cubic pieces against SciPy's."""

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator

from centrode.math.spline import monotone_curve, monotone_pieces

RNG = np.random.default_rng(2)
KNOTS = np.cumsum(RNG.uniform(0.1, 2.0, 12))
CASES = {
    "random": RNG.normal(size=12),
    "two columns": RNG.normal(size=(12, 2)),
    "rising": np.cumsum(RNG.uniform(0.0, 1.0, 12)),
    "with level stretches": np.array([0.0, 0, 1, 1, 1, 3, 2, 2, -1, -1, 0, 0]),
    "constant": np.ones(12),
}


@pytest.mark.parametrize("name", CASES)
def test_pieces_and_curve_are_those_of_scipy(name: str) -> None:
    values, theirs = CASES[name], PchipInterpolator(KNOTS, CASES[name])
    ours = monotone_pieces(KNOTS, values)
    scale = np.abs(theirs.c).max()
    # Sums of a few numbers of that size in another order.
    assert np.abs(np.moveaxis(theirs.c[::-1], 0, -1) - ours).max() <= 1e-13 * scale
    places = np.linspace(KNOTS[0] - 0.1, KNOTS[-1] + 0.1, 500)
    assert np.abs(monotone_curve(KNOTS, values, places) - theirs(places)).max() <= 1e-13 * max(scale, 1.0) * 10
    between = np.linspace(KNOTS[0], KNOTS[-1], 5000)
    assert monotone_curve(KNOTS, values, between).max() <= values.max() + 1e-12, "never overshoots"


def test_two_and_three_knots() -> None:
    assert monotone_pieces(np.array([1.0, 3.0]), np.array([2.0, 6.0])).tolist() == [[2.0, 2.0, 0.0, 0.0]]
    theirs = PchipInterpolator([0.0, 1.0, 3.0], [0.0, 1.0, 0.5]).c[::-1].T
    assert np.abs(monotone_pieces(np.array([0.0, 1.0, 3.0]), np.array([0.0, 1.0, 0.5])) - theirs).max() < 1e-14


def test_a_closed_curve_has_one_slope_where_it_closes() -> None:
    knots, values = np.array([0.0, 1.0, 2.5, 4.0, 5.0]), np.array([0.0, 1.0, 3.0, 0.5])
    first, *_, last = monotone_pieces(knots, values, closed=True)
    h = knots[-1] - knots[-2]
    assert last @ [1.0, h, h**2, h**3] == pytest.approx(first[0], abs=1e-14)
    assert last @ [0.0, 1.0, 2 * h, 3 * h**2] == pytest.approx(first[1], abs=1e-14)
