"""Singular positions: A02 passes two in every turn; errors must fall with the tolerance or the step all the same."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import centrode as ct
from centrode.running import Session
from centrode.system.settings import RunSettings
from centrode.vehicles.mechanisms import build_mechanism

pytestmark = pytest.mark.compiled


def reference(windows, speed):
    """Angle of the posts after 10 s in one coordinate: theta'' = -g k cos theta."""
    k = ((windows + 1) / 2 + windows) / ((windows + 1) / 3 + windows)
    tight = {"method": "DOP853", "rtol": 3e-14, "atol": 1e-14}
    run = solve_ivp(lambda t, y: [y[1], -9.81 * k * math.cos(y[0])], (0.0, 10.0), [math.pi / 2, -speed], **tight)
    return run.y[0, -1] - math.pi / 2


def error(windows, speed=1.0, **settings):
    session = Session(
        build_mechanism("four-bars", windows=windows, speed=speed), RunSettings(10.0, audit=False, **settings)
    )
    assert session.advance(np.array([10.0]))[1] == 0
    angle = session.workspace["pose"][session.model.body_index("post0") - 1, 2]
    return abs(angle - reference(windows, speed))


@pytest.mark.parametrize(
    ("windows", "speed"),
    [
        (1, 1.0),
        (10, 1.0),
        *[
            (int(n), float(v))
            for n, v in zip(
                np.random.default_rng(5).integers(2, 10, 3), np.random.default_rng(6).uniform(0.8, 1.4, 3), strict=True
            )
        ],
    ],
)
def test_error_falls_with_the_tolerance(windows, speed):
    """Measured: some 20 times the tolerance. Round-off: 16 passages, each of which may lose 1e-10 of the speed by a
    tilt of 1e-5 (s = 1e-3 is the nearest that a step ends, poses are good to 1e-14 m), grow to 1e-9 in 10 s."""
    for tolerance in (1e-8, 1e-9, 1e-10, 1e-11, 1e-12):
        assert error(windows, speed, method="dop853", tolerance=tolerance) < 100.0 * tolerance + 1e-9


@pytest.mark.parametrize("windows", [1, 3, 10])
def test_rattle_goes_through_with_order_two(windows):
    """Order 2 by halving, the house's margin. The steps are short because a step through the position, closed along
    the rows of its end, adds an error of its own that depends on where it falls: with 3 windows and 1e-3 s it is half
    of the whole (2.2e-5 for 1.5e-5), and the order from there to 1e-4 s measures 2.17."""
    assert error(windows, method="rattle", step=1e-3) < 5e-5
    coarse, fine = (error(windows, method="rattle", step=step) for step in (2e-4, 1e-4))
    assert math.log2(coarse / fine) == pytest.approx(2.0, abs=0.15)


def test_radau_says_where_its_tolerance_does_not_hold():
    """With 10 windows at 1e-10 the passages cost 1e-4: not to be called a clean run."""
    system = build_mechanism("four-bars", windows=10, speed=1.0)
    run = ct.simulate(system, duration=5.0, method="radau", tolerance=1e-10, frames=5.0, audit=False)
    assert any("accepted with an error above the tolerance" in event.subject for event in run.events)
