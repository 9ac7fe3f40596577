"""Instantaneous-centre integration: exactness, measured orders, closed forms, independent solution."""

import cmath
import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from centrode.math import ici_plane
from centrode.studies.ici.errors import direct_errors, exact_path
from centrode.studies.ici.methods import METHODS, method_named
from centrode.studies.ici.path import integrate
from centrode.studies.ici.rates import RatesConstant
from centrode.studies.ici.scenario import IciScenario, baseline, circle, varying_turn
from centrode.studies.ici.space import integrate_space
from centrode.studies.ici.stability import closed_form, growth_factor, stability_row

TWIST = (1.0, 0.2, -0.3, 0.7, -0.4, 1.3)


def test_pseudo_exact_keeps_the_circle_for_ten_turns():
    path = integrate(baseline(10), "ici-exact", steps=200)
    assert np.abs(np.hypot(path.x, path.y) - 10.0).max() < 1e-12
    exact = -10.0 * np.exp(-1j * 2.0 * np.pi / 20 * np.arange(201))
    assert np.abs(path.x + 1j * path.y - exact).max() < 1e-12


@pytest.mark.parametrize(
    ("advance", "order"),
    [(ici_plane.advance_plane_first, 2), (ici_plane.advance_plane_second, 3)],
)
@pytest.mark.parametrize("omega", [3.0, -3.0])
def test_local_order(advance, order, omega):
    state = (1.0, 2.0, math.cos(0.7), math.sin(0.7))
    errors = []
    for dt in (2e-3, 1e-3):
        exact = ici_plane.advance_plane_exact(*state, 30.0, 4.0, omega, dt)
        got = advance(*state, 30.0, 4.0, omega, dt)
        errors.append((math.dist(got[:2], exact[:2]), math.dist(got[2:], exact[2:])))
    for large, small in zip(*errors, strict=True):
        assert abs(math.log2(large / small) - order) < 0.15


@pytest.mark.parametrize(
    ("method", "rates", "order"),
    [
        ("ici-exact", "start", 1),
        ("ici-exact", "midpoint", 2),
        ("ici-second", "midpoint", 2),
        ("ici-first", "start", 1),
        ("ici-first", "midpoint", 1),
        ("rk4", "start", 4),
        ("ici-magnus4", "start", 4),
    ],
)
def test_global_order_with_varying_rates(method, rates, order):
    # The first-order method needs fine steps: at coarse ones its spiral hides the order.
    counts = (1600, 3200) if order == 1 else (200, 400)
    errors = [direct_errors(varying_turn(), method, steps=n, rates=rates).rows[-1].error for n in counts]
    assert abs(math.log2(errors[0] / errors[1]) - order) < 0.15
    assert method_named(method, rates).global_order == order


def test_reference_solution_agrees_with_quadrature():
    """The heading is the integral of the yaw rate, the position of the turned velocity: Gauss-Legendre, 4000 nodes."""
    scenario = varying_turn()
    nodes, weights = np.polynomial.legendre.leggauss(400)
    edges = np.linspace(0.0, 10.0, 11)
    z = 0.0
    for a, b in itertools.pairwise(edges):
        t = 0.5 * (b - a) * nodes + 0.5 * (a + b)
        psi = 0.4 * t + 1.5 / 0.7 * (1.0 - np.cos(0.7 * t))
        w = 20.0 + 5.0 * np.sin(t) + 1j * np.cos(2.0 * t)
        z += 0.5 * (b - a) * np.sum(weights * w * np.exp(1j * psi))
    exact, _ = exact_path(scenario, np.array([10.0]))
    assert abs(exact[0] - z) < 1e-9
    magnus = integrate(scenario, "ici-magnus4", steps=4000, keep_every=4000)
    assert abs(complex(magnus.x[-1], magnus.y[-1]) - z) < 1e-10


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(METHODS)),
    st.booleans(),
    st.floats(2.0, 200.0),
    st.sampled_from([-1.0, 1.0]),
    st.floats(-1.2, 1.2),
    st.integers(1, 60),
)
def test_closed_form_to_round_off(method, renormalise, k, sign, sideslip, steps):
    """z_n = c + (z_0 - c) g^n, and the geometric sum with renormalised heading."""
    chosen = method_named(method, renormalise=renormalise)
    yaw_rate = sign * 10.0
    dt = 2.0 * math.pi / (k * 10.0)
    whole = circle(100.0, yaw_rate, 1.0, position=(3.0, -2.0), heading=(0.6, 0.8), sideslip=sideslip)
    scenario = IciScenario(whole.rates, whole.position, whole.heading, end_time=steps * dt)
    path = integrate(scenario, chosen, steps=steps)
    scale = 10.0
    for n in range(steps + 1):
        expected = closed_form(scenario, chosen, scenario.duration / steps, n)
        scale = max(scale, abs(expected))
        # Rounding of n steps and of g^n, relative to the largest position so far.
        assert abs(complex(path.x[n], path.y[n]) - expected) <= 4e-15 * (n + 4) * scale


def test_baseline_closed_form_is_minus_ten_g_to_the_n():
    for method, factor in (("ici-first", lambda t: 1 - 1j * t), ("ici-second", lambda t: 1 - 1j * t - t * t / 2)):
        theta = 2.0 * math.pi / 20
        path = integrate(baseline(2), method, steps=40)
        g = factor(theta)
        expected = -10.0 * g ** np.arange(41)
        assert np.abs((path.x + 1j * path.y) / expected - 1.0).max() < 1e-13


def test_moduli_of_growth():
    for theta in (0.01, 0.3, 1.0, math.pi / 2, 2.5, math.pi):
        assert abs(growth_factor("ici-first", theta)) == pytest.approx(math.sqrt(1 + theta**2), rel=1e-14)
        assert abs(growth_factor("ici-second", theta)) == pytest.approx(math.sqrt(1 + theta**4 / 4), rel=1e-14)
        assert abs(growth_factor("ici-exact", theta)) == pytest.approx(1.0, rel=1e-15)
        rk4 = math.sqrt(1 - theta**6 / 72 + theta**8 / 576)
        assert abs(growth_factor("rk4", theta)) == pytest.approx(rk4, rel=1e-13)


def test_no_k_is_stable_for_first_and_second_order():
    for k in (2.0, 4.0, 20.0, 100.0, 1000.0):
        assert stability_row("ici-first", k).verdict == "grows"
        assert stability_row("ici-second", k).verdict == "grows"
        assert stability_row("ici-exact", k).verdict == "keeps"
    # Runge-Kutta 4 decays for theta < 2 sqrt 2, that is k > 2.22.
    assert stability_row("rk4", 2.2).verdict == "grows"
    assert stability_row("rk4", 2.3).verdict == "decays"


def test_growth_factor_is_what_one_step_does():
    for method in METHODS:
        scenario = IciScenario(RatesConstant(5.0, 1.0, 2.0), end_time=0.3)
        path = integrate(scenario, method, steps=1)
        got = complex(path.ux[1], path.uy[1])
        assert cmath.isclose(got, complex(growth_factor(method, 0.6)), rel_tol=1e-14)


def test_renormalising_removes_the_spiral_not_the_phase():
    """Errors after five turns [%]."""
    values = {
        (20, "rk4", False): 0.255,
        (20, "ici-second", True): 49.60,
        (20, "ici-first", True): 97.2,
        (100, "rk4", False): 0.0004,
        (100, "ici-second", True): 2.065,
        (100, "ici-first", True): 4.13,
    }
    for (k, method, renormalise), percent in values.items():
        row = direct_errors(baseline(5), method, steps=5 * k, renormalise=renormalise).rows[-1]
        assert row.percent == pytest.approx(percent, rel=0.06 if percent < 0.001 else 2e-3)
        path = integrate(baseline(5), method, steps=5 * k, renormalise=renormalise)
        if renormalise:
            assert np.allclose(np.hypot(path.ux, path.uy), 1.0, atol=1e-14)


def test_space_one_step_is_160_small_ones():
    one, many = (integrate_space(TWIST, 1.0, steps) for steps in (1, 160))
    assert np.abs(one.position[-1] - many.position[-1]).max() < 1e-13
    assert np.abs(one.quaternion[-1] - many.quaternion[-1]).max() < 1e-13


@pytest.mark.parametrize(
    ("method", "order"),
    [("ici-first", 1), ("ici-second", 2), ("ici-split", 1), ("ici-split-symmetric", 2)],
)
def test_space_global_order(method, order):
    exact = integrate_space(TWIST, 1.0, 1)
    errors = []
    for steps in (80, 160):
        got = integrate_space(TWIST, 1.0, steps, method)
        errors.append(
            (
                np.linalg.norm(got.position[-1] - exact.position[-1]),
                np.linalg.norm(got.quaternion[-1] - exact.quaternion[-1]),
            )
        )
    for coarse, fine in zip(*errors, strict=True):
        rate = math.log2(coarse / fine)
        # The normalised first-order quaternion turns by 2 atan(t/2): right axis, error of second order.
        wanted = 2 if method == "ici-first" and coarse == errors[0][1] else order
        assert abs(rate - wanted) < 0.15


def test_split_attitude_error_of_one_step():
    """|Omega_perp x Omega_par| dt^2 / 2."""
    from centrode.math.vector import hamilton

    v, w = np.array(TWIST[:3]), np.array(TWIST[3:])
    along = v / np.linalg.norm(v)
    roll = np.dot(w, along) * along
    predicted = np.linalg.norm(np.cross(w - roll, roll)) / 2
    dt = 1e-3
    exact = integrate_space(TWIST, dt, 1).quaternion[-1]
    split = integrate_space(TWIST, dt, 1, "ici-split").quaternion[-1]
    inverse = exact * [1.0, -1.0, -1.0, -1.0]
    error = 2.0 * np.linalg.norm(hamilton(tuple(inverse), tuple(split))[1:])  # rotation vector of a small turn
    # Next term is of relative size |w| dt = 1.5e-3.
    assert error / dt**2 == pytest.approx(predicted, rel=3e-3)


def test_space_midpoint_rates_are_second_order():
    def twist(t):
        return np.column_stack([3 + np.sin(t), 0 * t, 0.1 * t, 0.3 * np.cos(t), 0.2 * t, 1 + 0 * t])

    fine = integrate_space(twist, 2.0, 2000, rates="midpoint").position[-1]
    for rates, order in (("start", 1), ("midpoint", 2)):
        errors = [
            np.linalg.norm(integrate_space(twist, 2.0, steps, rates=rates).position[-1] - fine) for steps in (100, 200)
        ]
        assert abs(math.log2(errors[0] / errors[1]) - order) < 0.15
