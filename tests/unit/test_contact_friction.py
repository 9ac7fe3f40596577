"""Friction of a contact as its formulas say: regularised Coulomb friction, and the bristle of Cundall and Strack."""

from __future__ import annotations

import math

import numpy as np
import pytest

from centrode.parts.contact_laws.contact_law import SLIP_SPEED, STICK_DAMPING, STICK_STIFFNESS
from centrode.parts.contact_laws.friction import friction_force, stretch

N = (0.0, 0.6, 0.8)
ALONG = (1.0, 0.0, 0.0)
ACROSS = (0.0, 0.8, -0.6)


def law(slip_speed: float = 0.1, stiffness: float = 0.0, damping: float = 0.0) -> np.ndarray:
    par = np.zeros(32)
    par[SLIP_SPEED], par[STICK_STIFFNESS], par[STICK_DAMPING] = slip_speed, stiffness, damping
    return par


def tangent(along: float, across: float, off: float = 0.0) -> tuple[float, float, float]:
    x, y, z = along * np.array(ALONG) + across * np.array(ACROSS) + off * np.array(N)
    return float(x), float(y), float(z)


def test_regularised_friction_is_mu_n_times_v_over_the_smoothed_speed() -> None:
    """f = -mu N v / sqrt(v^2 + v0^2) of the tangential velocity alone; all its power is heat."""
    force, stored, power, s = friction_force(law(0.1), 50.0, (0.0, 0.0, 0.0), N, tangent(0.3, -0.4, off=7.0), 0.0)
    smoothed = math.sqrt(0.5**2 + 0.1**2)
    assert np.array(force) == pytest.approx(np.array(tangent(-15.0, 20.0)) / smoothed, abs=1e-12)
    assert (stored, power) == pytest.approx((0.0, 50.0 * 0.5**2 / smoothed), rel=1e-14)
    assert s == (0.0, 0.0, 0.0)


def test_no_load_no_friction() -> None:
    force, stored, power, s = friction_force(law(stiffness=1e4), 0.0, (0.1, 0.0, 0.0), N, tangent(1.0, 1.0), 0.1)
    assert force == s == (0.0, 0.0, 0.0) and stored == power == 0.0


def test_sticking_bristle_is_a_spring_with_a_damper() -> None:
    """f = -(k s + c v), s grown by v t since the last accepted state; stored k s^2/2, heat c v^2."""
    par = law(stiffness=1e4, damping=20.0)
    start, v, elapsed = tangent(1e-3, 2e-3), tangent(0.1, -0.2), 5e-3
    force, stored, power, s = friction_force(par, 1e3, start, N, v, elapsed)
    expected = np.array(start) + elapsed * np.array(v)
    assert np.array(s) == pytest.approx(expected, abs=1e-16)
    assert np.array(force) == pytest.approx(-1e4 * expected - 20.0 * np.array(v), abs=1e-11)
    assert stored == pytest.approx(0.5 * 1e4 * expected @ expected, rel=1e-13)
    assert power == pytest.approx(20.0 * 0.05, rel=1e-12)  # c v^2 with v^2 = 0.05


def test_bristle_that_is_stretched_too_far_slides_with_mu_n() -> None:
    """Return mapping: the spring is cut to mu N / k, the force is mu N against the slip, its power is heat."""
    par = law(stiffness=1e4)
    v = tangent(0.3, 0.4)
    force, stored, power, s = friction_force(par, 50.0, tangent(3e-2, 4e-2), N, v, 0.0)
    assert np.array(s) == pytest.approx(tangent(3e-3, 4e-3), abs=1e-16)
    assert np.array(force) == pytest.approx(tangent(-30.0, -40.0), abs=1e-11)
    assert stored == pytest.approx(0.5 * 1e4 * 5e-3**2, rel=1e-13)
    assert power == pytest.approx(50.0 * 0.5, rel=1e-12)


def test_damping_never_takes_friction_past_its_limit() -> None:
    force, _, power, _ = friction_force(
        law(stiffness=1e4, damping=1e3), 50.0, tangent(1e-3, 0.0), N, tangent(1.0, 0.0), 0.0
    )
    assert np.array(force) == pytest.approx(tangent(-50.0, 0.0), abs=1e-12)
    assert power == pytest.approx((50.0 - 10.0) * 1.0, rel=1e-12)  # what the spring of 10 N does not take


@pytest.mark.parametrize(("length", "slides"), [(0.9e-2, False), (1.1e-2, True)])
def test_bristle_lies_in_the_tangent_plane_and_tells_whether_it_slides(length: float, slides: bool) -> None:
    s, found = stretch(tangent(length, 0.0, off=0.3), 1e-2, N, tangent(0.0, 0.0), 0.0)
    assert found is slides
    assert np.array(s) == pytest.approx(tangent(min(length, 1e-2), 0.0), abs=1e-16)
    moved, _ = stretch(tangent(0.0, 0.0), 1.0, N, tangent(0.2, -0.1), 0.5)
    assert np.array(moved) == pytest.approx(tangent(0.1, -0.05), abs=1e-16)
