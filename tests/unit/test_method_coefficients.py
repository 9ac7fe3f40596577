"""Butcher tables against the copies in SciPy, and the order conditions that any table must satisfy."""

import numpy as np
import pytest
from scipy.integrate import DOP853, RK45

from centrode.methods.method import find_method


def test_dop853_equals_the_table_in_scipy():
    method = find_method("dop853")
    np.testing.assert_array_equal(method.a, DOP853.A)
    np.testing.assert_array_equal(method.b, DOP853.B)
    np.testing.assert_array_equal(method.c, DOP853.C)
    np.testing.assert_array_equal(method.error, DOP853.E5[:12])
    np.testing.assert_array_equal(method.error3, DOP853.E3[:12])


def test_dp5_equals_the_table_in_scipy():
    method = find_method("dp5")
    # SciPy writes the same fractions; its error weights are the difference of two tables, hence one rounding.
    np.testing.assert_array_equal(method.a[:6, :5], RK45.A)
    np.testing.assert_array_equal(method.b[:6], RK45.B)
    np.testing.assert_allclose(method.error, RK45.E, rtol=0, atol=2e-17)


@pytest.mark.parametrize("name", ["dop853", "dp5", "rk4-projected"])
def test_quadrature_conditions_up_to_the_order(name):
    """sum b c^(q-1) = 1/q for q up to the order; round-off of twelve terms of size up to 10."""
    method = find_method(name)
    for q in range(1, method.order + 1):
        assert method.b @ method.c ** (q - 1) == pytest.approx(1.0 / q, abs=2e-14)
    np.testing.assert_allclose(method.a.sum(axis=1), method.c, atol=5e-14)
