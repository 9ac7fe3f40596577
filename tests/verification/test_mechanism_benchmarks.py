"""The benchmark mechanisms through the engine, against references and against solutions in minimal coordinates."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
import pytest

from centrode.running import simulate
from centrode.vehicles.mechanisms import published
from centrode.vehicles.mechanisms.bricard import bricard
from centrode.vehicles.mechanisms.chain import chain
from centrode.vehicles.mechanisms.four_bars import four_bars
from centrode.vehicles.mechanisms.governor import governor
from centrode.vehicles.mechanisms.pendulum import pendulum
from centrode.vehicles.mechanisms.squeezer import START, squeezer
from centrode.vehicles.mechanisms.top import free_body

sys.path.append(str(Path(__file__).parent))
import minimal_coordinates as minimal


def test_a01_pendulum_follows_the_elliptic_functions():
    """From the horizontal: sin(a/2) = k sn(w t + K, k) with k^2 = 1/2 and w^2 = g/l, a from the downward vertical."""
    from scipy.special import ellipj, ellipk

    run = simulate(pendulum(), duration=10.0, tolerance=1e-12, frames=0.5)
    sn, cn, dn, _ = ellipj(ellipk(0.5) + math.sqrt(9.81) * run.time, 0.5)
    angle = -2.0 * np.arcsin(math.sqrt(0.5) * sn)
    closed = np.stack([np.sin(angle), -np.cos(angle)], axis=1)
    # Eighteen times the tolerance at most: errors of the steps add up over the ten seconds of a stable motion.
    assert np.abs(run["bob.position"] - closed).max() < 2e-11
    assert np.abs(closed[-1] - published.A01_END).max() < 2e-12  # digits of the reference
    assert run["constraint.residual"].max() < 1e-13


@pytest.mark.parametrize(("windows", "tolerance", "allowed"), [(1, 1e-10, 5e-9), (10, 1e-8, 5e-7), (40, 1e-7, 5e-6)])
def test_a02_four_bars_pass_their_singular_positions(windows, tolerance, allowed):
    """The passage multiplies errors: multipliers grow as 1/distance. Fifty times the tolerance is allowed."""
    run = simulate(four_bars(windows), duration=10.0, tolerance=tolerance, frames=10.0)
    assert run.status.completed
    top = 2.0 * run["post0.position"][-1]
    assert np.abs(top - minimal.four_bars(windows, 10.0)).max() < allowed
    passed = [event for event in run.events if event.kind == "near-singular position passed"]
    assert len(passed) == 1
    assert passed[0].values["pivot"] < 1e-4


def test_a02_reference_is_the_closed_form():
    for windows, place in published.A02_END.items():
        assert np.abs(np.subtract(minimal.four_bars(windows, 10.0), place)).max() < 5e-12


@pytest.mark.parametrize("step", [2e-3, 1e-3])
def test_a02_with_fixed_steps_jumps_over_the_singular_position(step):
    """RK4 h^4 (2e-3: 1.6e-11, times the growth of ten seconds) would be better than 1e-8 away from the passage."""
    run = simulate(four_bars(1), duration=10.0, method="rk4-projected", step=step, frames=10.0)
    assert np.abs(2.0 * run["post0.position"][-1] - published.A02_END[1]).max() < 1e-8


def test_a03_squeezer_against_print_and_quadrature():
    beta, gamma = minimal.Squeezer().angles_at(0.03)
    run = simulate(squeezer(), duration=0.03, tolerance=1e-12, frames=0.03)
    reached = START["beta"] + run["body1.angle"][-1], START["gamma"] + run["body3.angle"][-1]
    # The quadrature is good to 1e-12 of 0.03 s, which the final speed of 1.1e3 rad/s turns into 3e-11 rad and more.
    assert abs(reached[0] - beta) < 2e-10
    assert abs(reached[1] - gamma) < 1e-11
    # The printed digits are those of another program at a tolerance that leaves 1.2e-9.
    assert np.abs(np.subtract(reached, published.A03_PUBLISHED)).max() < 1.5e-9


def test_a04_bricard_finds_its_redundant_row_by_itself():
    run = simulate(bricard(), duration=1.0, tolerance=1e-12, frames=1.0)
    assert np.abs(run["point3.position"][-1] - minimal.Bricard().point_at(1.0)).max() < 1e-11
    assert np.abs(run["point3.position"][-1] - published.A04_POINT).max() < 1e-11
    more = run.statistics.more
    assert (more["constraint_rows"], more["redundant_rows"], more["degrees_of_freedom"]) == (30, 1, 1)
    notes = [event.subject for event in run.events if event.kind == "note"]
    assert any("1 redundant constraint row found and left out" in note for note in notes)


def test_a04_stays_right_for_ten_seconds():
    """Energy is kept and the loop, the row left out included, stays closed."""
    run = simulate(bricard(), duration=10.0, tolerance=1e-10, frames=0.1)
    assert run.status.completed
    assert (
        np.abs(run["energy.residual"]).max() < 1e-8
    )  # a hundred times the tolerance, energies are of the order of 10 J
    assert run["constraint.residual"].max() < 1e-10
    again = simulate(bricard(), duration=10.0, tolerance=1e-12, frames=10.0)
    assert np.abs(run["point3.position"][-1] - again["point3.position"][-1]).max() < 1e-8


@pytest.mark.parametrize(("method", "tolerance", "allowed"), [("dop853", 1e-8, 2e-11), ("radau", 1e-5, 5e-6)])
def test_a05_governor_against_minimal_coordinates(method, tolerance, allowed):
    """dop853 is bound by stability, so its error lies far below the tolerance; radau follows it."""
    end = 5.0 if method == "radau" else 1.0
    slider, alpha = minimal.governor([1.0, end] if end > 1.0 else [1.0])
    run = simulate(governor(), duration=end, method=method, tolerance=tolerance, frames=1.0)
    assert abs(run["slider.position"][1, 2] - slider[0]) < allowed
    assert abs(run["slider.position"][-1, 2] - slider[-1]) < allowed
    for arm in ("right", "left"):
        assert abs(math.radians(30.0) - run[f"{arm}-hinge.angle"][1] - alpha[0]) < allowed
    assert abs(slider[0] - published.A05_SLIDER[1.0]) < 1e-11


def test_angles_count_no_turns_of_rejected_steps():
    """The first step is a hundred times too long for the stiff dampers; its wild stages must leave no trace."""
    run = simulate(governor(), duration=0.5, tolerance=1e-6, step=0.1, frames=0.5)
    assert run.statistics.rejected > 0
    assert 0.0 < run["right-hinge.angle"][-1] < 0.3


def test_spin_against_the_reference():
    run = simulate(free_body(), duration=10.0, tolerance=1e-13, frames=10.0)
    assert np.abs(run["body.omega"][-1] - published.SPIN_OMEGA).max() < 1e-10  # unstable: grows by exp(2.9 t / ...)


def test_chain_keeps_its_energy():
    """RK4: the loss falls at least with h^4, down to round-off of the 5 J that move."""
    losses = []
    for step in (4e-3, 2e-3):
        run = simulate(chain(10), duration=1.0, method="rk4-projected", step=step, frames=1.0)
        losses.append(abs(run["energy.residual"][-1]))
    assert losses[1] < max(losses[0] / 2**3.85, 1e-13)
    assert losses[1] < 1e-6


@pytest.mark.parametrize("links", [10, 100])
def test_chain_methods_agree(links):
    """dop853 at 1e-10 and RK4 with halved steps, extrapolated: two ways to one motion."""
    exact = simulate(chain(links), duration=0.5, tolerance=1e-11, frames=0.5, audit=False)
    errors = []
    for step in (4e-3, 2e-3):
        run = simulate(chain(links), duration=0.5, method="rk4-projected", step=step, frames=0.5, audit=False)
        errors.append(np.abs(run[f"link{links - 1}.position"][-1] - exact[f"link{links - 1}.position"][-1]).max())
    assert math.log2(errors[0] / errors[1]) > 3.5
    assert errors[1] < 1e-5
