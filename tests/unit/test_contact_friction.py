"""Friction of a contact as its formulas say: a bristle, as given or chosen at touch, and regularised friction."""

from __future__ import annotations

import math

import numpy as np
import pytest

from centrode.parts.contact_laws.contact_law import CHOSEN_AT_TOUCH, SLIP_SPEED, STICK_DAMPING, STICK_STIFFNESS
from centrode.parts.contact_laws.friction import cut, friction_force

N = (0.0, 0.6, 0.8)
ALONG = (1.0, 0.0, 0.0)
ACROSS = (0.0, 0.8, -0.6)
NONE = (0.0, 0.0, 0.0)


def law(slip_speed: float = 0.1, stiffness: float = 0.0, damping: float = 0.0) -> np.ndarray:
    par = np.zeros(32)
    par[SLIP_SPEED], par[STICK_STIFFNESS], par[STICK_DAMPING] = slip_speed, stiffness, damping
    return par


def tangent(along: float, across: float, off: float = 0.0) -> tuple[float, float, float]:
    x, y, z = along * np.array(ALONG) + across * np.array(ACROSS) + off * np.array(N)
    return float(x), float(y), float(z)


def test_regularised_friction_is_mu_n_times_v_over_the_smoothed_speed() -> None:
    """f = -mu N v / sqrt(v^2 + v0^2) of the tangential velocity alone; all its power is taken."""
    force, stored, power, s = friction_force(law(0.1), 0.0, 50.0, NONE, N, tangent(0.3, -0.4, off=7.0))
    smoothed = math.sqrt(0.5**2 + 0.1**2)
    assert np.array(force) == pytest.approx(np.array(tangent(-15.0, 20.0)) / smoothed, abs=1e-12)
    assert (stored, power) == pytest.approx((0.0, 50.0 * 0.5**2 / smoothed), rel=1e-14)
    assert s == NONE


def test_no_load_no_friction() -> None:
    force, stored, power, s = friction_force(law(stiffness=1e4), 1e4, 0.0, (0.1, 0.0, 0.0), N, tangent(1.0, 1.0))
    assert force == s == NONE and stored == power == 0.0


def test_sticking_bristle_is_a_spring_with_a_damper() -> None:
    """f = -(k s + c v); stored k s^2/2; what is taken from the bodies goes into the spring and the damper, c v^2."""
    par = law(stiffness=1e4, damping=20.0)
    s, v = tangent(1.5e-3, 1e-3, off=0.3), tangent(0.1, -0.2)
    force, stored, power, stretched = friction_force(par, 1e4, 1e3, s, N, v)
    expected = np.array(tangent(1.5e-3, 1e-3))
    assert np.array(stretched) == pytest.approx(expected, abs=1e-16)
    assert np.array(force) == pytest.approx(-1e4 * expected - 20.0 * np.array(v), abs=1e-11)
    assert stored == pytest.approx(0.5 * 1e4 * expected @ expected, rel=1e-13)
    assert power == pytest.approx(1e4 * expected @ v + 20.0 * 0.05, rel=1e-12)  # c v^2 with v^2 = 0.05


def test_bristle_that_is_stretched_too_far_slides_with_mu_n() -> None:
    """Return mapping: the spring is cut to mu N / k, the force is mu N against the slip, all its power is taken."""
    v = tangent(0.3, 0.4)
    force, stored, power, s = friction_force(law(stiffness=1e4), 1e4, 50.0, tangent(3e-2, 4e-2), N, v)
    assert np.array(s) == pytest.approx(tangent(3e-3, 4e-3), abs=1e-16)
    assert np.array(force) == pytest.approx(tangent(-30.0, -40.0), abs=1e-11)
    assert stored == pytest.approx(0.5 * 1e4 * 5e-3**2, rel=1e-13)
    assert power == pytest.approx(50.0 * 0.5, rel=1e-12)


def test_damping_never_takes_friction_past_its_limit() -> None:
    par = law(stiffness=1e4, damping=1e3)
    force, stored, power, _ = friction_force(par, 1e4, 50.0, tangent(1e-3, 0.0), N, tangent(1.0, 0.0))
    assert np.array(force) == pytest.approx(tangent(-50.0, 0.0), abs=1e-12)
    assert (stored, power) == pytest.approx((0.5 * 1e4 * 1e-6, 50.0), rel=1e-12)


def test_bristle_chosen_at_touch_holds_at_rest_and_slides_against_its_velocity() -> None:
    """Equation (2): at rest a spring k s; at ten slip speeds mu N against v, whatever way the bristle leans."""
    par = law(0.1, CHOSEN_AT_TOUCH)
    force, _, power, _ = friction_force(par, 1e4, 50.0, tangent(2e-3, 1e-3), N, NONE)
    assert np.array(force) == pytest.approx(tangent(-20.0, -10.0), abs=1e-11) and power == 0.0
    force, _, power, _ = friction_force(par, 1e4, 50.0, tangent(5e-3, 0.0), N, tangent(0.0, 1.0))
    assert np.array(force) == pytest.approx(tangent(0.0, -50.0), abs=1e-12)  # exp(-100) of the spring is left
    assert power == pytest.approx(50.0, rel=1e-12)


def test_bristle_chosen_at_touch_never_gives_more_than_its_spring_loses() -> None:
    """-f . v - k s . v >= 0 for every stretch and velocity: what is left out of the spring the damper takes."""
    rng = np.random.default_rng(5)
    par = law(0.1, CHOSEN_AT_TOUCH)
    for _ in range(2000):
        s = tangent(*(rng.uniform(-1, 1, 2) * 5e-3))
        v = tangent(*(rng.normal(size=2) * 10.0 ** rng.uniform(-3, 1)))
        force, _, power, held = friction_force(par, 1e4, 50.0, s, N, v)
        assert np.linalg.norm(force) <= 50.0 * (1 + 1e-12)
        if np.linalg.norm(s) < 5e-3:  # it sticks: the spring grows by s . v
            assert power - 1e4 * np.dot(held, v) >= -1e-12 * 50.0 * np.linalg.norm(v)


@pytest.mark.parametrize("length", [0.9e-2, 1.1e-2])
def test_vector_is_cut_to_what_is_allowed(length: float) -> None:
    assert np.array(cut(tangent(length, 0.0), 1e-2)) == pytest.approx(tangent(min(length, 1e-2), 0.0), abs=1e-16)
