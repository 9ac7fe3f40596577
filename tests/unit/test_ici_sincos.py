"""Vectorisable sine and cosine against the library."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from centrode.math.sincos import SINCOS_LIMIT, sincos_vector

# 2.5 units in the last place of 1.0: 1.5 from polynomials and doubling of the angle, 1 from two roundings of the
# reduced angle.
LIMIT = 2.5 * 2.220446049250313e-16


@given(st.floats(-SINCOS_LIMIT, SINCOS_LIMIT))
def test_sincos_agrees_with_library(angle):
    sine, cosine = sincos_vector(angle)
    assert abs(sine - math.sin(angle)) <= LIMIT
    assert abs(cosine - math.cos(angle)) <= LIMIT


@pytest.mark.parametrize("angle", [0.0, 5e-324, 1e-300, 1e-160, 1e-20, 1e-8, -1e-8, 1e-4])
def test_tiny_angles_keep_relative_accuracy(angle):
    sine, cosine = sincos_vector(angle)
    # 5e-324 / 2 is rounded to 0, a loss of one subnormal unit.
    assert sine == pytest.approx(math.sin(angle), rel=3e-16, abs=1e-320)
    assert cosine == pytest.approx(math.cos(angle), abs=2e-16)


def test_multiples_of_quarter_turns():
    for n in range(-40, 41):
        sine, cosine = sincos_vector(n * math.pi / 2)
        assert abs(sine - math.sin(n * math.pi / 2)) <= LIMIT
        assert abs(cosine - math.cos(n * math.pi / 2)) <= LIMIT


def test_dense_sweep():
    angles = np.linspace(-20.0, 20.0, 4001)
    both = np.array([sincos_vector(angle) for angle in angles])
    assert np.abs(both[:, 0] - np.sin(angles)).max() <= LIMIT
    assert np.abs(both[:, 1] - np.cos(angles)).max() <= LIMIT
