"""Planar pose updates: thesis equations, frames, signs, small yaw rates, centres."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from centrode.math.ici_plane import (
    advance_plane_exact,
    advance_plane_exact_vector,
    advance_plane_first,
    advance_plane_second,
    normalise_heading,
)
from centrode.studies.ici import misprints
from centrode.studies.ici.rates import thesis_rates

speed = st.floats(-50.0, 50.0)
yaw = st.floats(-20.0, 20.0)
angle = st.floats(-math.pi, math.pi)
step = st.floats(1e-4, 0.5)


@given(speed, speed, yaw.filter(lambda w: abs(w) > 0.1), angle, step)
def test_thesis_12_16_19_20_after_conversion(vx, vy, omega, heading, dt):
    state = (3.0, -4.0, math.cos(heading), math.sin(heading))
    x, y, ux, uy = state
    ours = advance_plane_exact(*state, vx, vy, omega, dt)
    vx, vy, omega = thesis_rates(vx, vy, omega)
    c, s = math.cos(omega * dt), math.sin(omega * dt)
    thesis = (
        (c - 1.0) * (vy * ux - vx * uy) / omega + s * (vx * ux + vy * uy) / omega + x,  # (12)
        s * (vx * uy - vy * ux) / omega + (c - 1.0) * (vx * ux + vy * uy) / omega + y,  # (16)
        c * ux + s * uy,  # (19)
        -s * ux + c * uy,  # (20)
    )
    # Rounding of V/omega (up to 700 m) in the thesis form.
    assert np.allclose(ours, thesis, rtol=0, atol=1e-12)


@given(speed, speed, yaw.filter(lambda w: abs(w) > 0.1), angle, step)
def test_thesis_9_10_rotation_about_centre(vx, vy, omega, heading, dt):
    state = (3.0, -4.0, math.cos(heading), math.sin(heading))
    thesis = misprints.step_about_centre(state, *thesis_rates(vx, vy, omega), dt)
    assert np.allclose(advance_plane_exact(*state, vx, vy, omega, dt), thesis, rtol=0, atol=1e-12)


@given(speed, speed, yaw, angle, step)
def test_thesis_first_and_second_order_after_conversion(vx, vy, omega, heading, dt):
    state = (3.0, -4.0, math.cos(heading), math.sin(heading))
    rates = thesis_rates(vx, vy, omega)
    assert np.allclose(
        advance_plane_first(*state, vx, vy, omega, dt), misprints.step_first_as_printed(state, *rates, dt), atol=1e-12
    )
    assert np.allclose(
        advance_plane_second(*state, vx, vy, omega, dt), misprints.second_order_step()(state, *rates, dt), atol=1e-12
    )


@given(speed, speed, yaw)
def test_converter_is_its_own_inverse(vx, vy, omega):
    assert thesis_rates(*thesis_rates(vx, vy, omega)) == (vx, vy, omega)


def test_converter_turns_right_turn_into_negative_yaw():
    vx, vy, omega = thesis_rates(100.0, 5.0, 10.0)
    assert (vx, vy, omega) == (100.0, -5.0, -10.0)
    # A car heading along +y that turns right moves towards +x; a slide to the right goes to +x as well.
    x, _, _, _ = advance_plane_exact(0.0, 0.0, 0.0, 1.0, 100.0, 0.0, omega, 0.05)
    assert x > 0.0
    x, _, _, _ = advance_plane_exact(0.0, 0.0, 0.0, 1.0, 0.0, vy, 0.0, 0.05)
    assert x == pytest.approx(0.25)


@given(speed, speed, yaw, angle, step)
def test_mirror_symmetry(vx, vy, omega, heading, dt):
    state = (0.0, 0.0, math.cos(heading), math.sin(heading))
    left = advance_plane_exact(*state, vx, vy, omega, dt)
    right = advance_plane_exact(0.0, 0.0, state[2], -state[3], vx, -vy, -omega, dt)
    assert np.allclose(left, (right[0], -right[1], right[2], -right[3]), rtol=0, atol=1e-14)


@pytest.mark.parametrize("omega", [0.0, 5e-324, 1e-300, -1e-200, 1e-30, 1e-12, -1e-8, 1e-5, 1e-3, -0.1])
@pytest.mark.parametrize("advance", [advance_plane_exact, advance_plane_exact_vector])
def test_small_yaw_rates_lose_no_digits(advance, omega):
    dt = 0.5
    got = advance(0.0, 0.0, 1.0, 0.0, 30.0, 2.0, omega, dt)
    # Taylor series of (e^{i theta} - 1)/(i theta) and e^{i theta} in exact rational arithmetic.
    theta = Fraction(omega) * Fraction(dt)
    real, imag = _series(theta)
    vx, vy, t = Fraction(30), Fraction(2), Fraction(dt)
    right = ((vx * real - vy * imag) * t, (vx * imag + vy * real) * t)
    assert got[0] == pytest.approx(float(right[0]), rel=4e-16)
    assert got[1] == pytest.approx(float(right[1]), rel=4e-16)
    assert got[2] == pytest.approx(math.cos(float(theta)), rel=2e-16)
    assert got[3] == pytest.approx(math.sin(float(theta)), rel=4e-16, abs=1e-322)


def test_small_yaw_rate_sideways_part_to_full_relative_accuracy():
    # Straight ahead, the sideways displacement V dt theta/2 stands alone and cannot hide behind a large sum.
    for omega in (1e-15, 1e-10, 1e-7, 1e-4):
        _, y, _, _ = advance_plane_exact(0.0, 0.0, 1.0, 0.0, 1.0, 0.0, omega, 1.0)
        _, imag = _series(Fraction(omega))
        assert y == pytest.approx(float(imag), rel=4e-16)


@given(speed, speed, yaw, angle, step)
def test_vector_form_agrees_with_library_form(vx, vy, omega, heading, dt):
    state = (1.0, 2.0, math.cos(heading), math.sin(heading))
    assert np.allclose(
        advance_plane_exact_vector(*state, vx, vy, omega, dt),
        advance_plane_exact(*state, vx, vy, omega, dt),
        rtol=0,
        atol=5e-14,
    )


@given(speed, speed, yaw.filter(lambda w: abs(w) > 0.05), angle, step)
def test_centre_stands_still_and_keeps_its_distance(vx, vy, omega, heading, dt):
    state = (5.0, 6.0, math.cos(heading), math.sin(heading))
    after = advance_plane_exact(*state, vx, vy, omega, dt)
    # The point whose velocity w h + i omega (centre - z) vanishes, before and after the step.
    centre, same = (complex(x, y) + 1j * complex(vx, vy) * complex(ux, uy) / omega for x, y, ux, uy in (state, after))
    assert abs(same - centre) < 1e-11
    radius = abs(complex(vx, vy) / omega)
    assert abs(complex(after[0], after[1]) - centre) == pytest.approx(radius, rel=1e-9, abs=1e-10)


def test_normalise_heading():
    assert normalise_heading(3.0, 4.0) == (0.6, 0.8)
    assert normalise_heading(0.0, 0.0) == (0.0, 0.0)


def test_two_half_steps_are_one_step():
    one = advance_plane_exact(0.0, 0.0, 1.0, 0.0, 20.0, 3.0, 1.7, 0.4)
    half = advance_plane_exact(0.0, 0.0, 1.0, 0.0, 20.0, 3.0, 1.7, 0.2)
    assert np.allclose(advance_plane_exact(*half, 20.0, 3.0, 1.7, 0.2), one, rtol=0, atol=1e-14)


def _series(theta: Fraction) -> tuple[Fraction, Fraction]:
    """Real and imaginary part of (e^{i theta} - 1)/(i theta) as exact partial sums; |theta| <= 1."""
    real = imag = Fraction(0)
    term = Fraction(1)
    for n in range(1, 24):
        factor = (1, 1j, -1, -1j)[(n - 1) % 4]
        if factor in (1, -1):
            real += int(factor) * term
        else:
            imag += int(factor.imag) * term
        term = term * theta / (n + 1)
    return real, imag
