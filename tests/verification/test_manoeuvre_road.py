"""ISO manoeuvres of a textbook car against its closed forms: understeer gradient, yaw gain; geometry of the courses."""

from __future__ import annotations

import math

import numpy as np
import pytest

from centrode.errors import InputError
from centrode.parts.tyres.linear import TyreLinear
from centrode.studies.manoeuvres_road import lane_change, lanes, sine_with_dwell, steady_circle, step_steer
from centrode.vehicles.car.car import Car

MASS, A, B = 1573.0, 1.034, 1.491
L = A + B
CF, CR = 50e3, 60e3
K = MASS / L * (B / (2 * CF) - A / (2 * CR))
TYRES = (TyreLinear("front", CF, 100e3, friction=10.0), TyreLinear("rear", CR, 100e3, friction=10.0))


def textbook():
    return Car(
        "car", chassis="rigid", tyre=("front", "rear"), ackermann=False, wheels="rolling", rolling_resistance=0.0
    )


def test_steady_circle_gives_the_understeer_gradient():
    """The ramp lags behind the steady state by (rate of a_y) times about 0.3 s: 2 % of the extra angle."""
    found = steady_circle(textbook(), 20.0, most=0.04, duration=30.0, parts=TYRES)
    assert found.figures["understeer gradient [rad s2/m]"] == pytest.approx(K, rel=0.05)
    assert found.figures["characteristic speed [m/s]"] == pytest.approx(math.sqrt(L / K), rel=0.03)
    assert found.figures["roll gradient [deg/g]"] > 0.0


def test_step_steer_gives_the_yaw_gain():
    """r/delta = v/(L + K v^2) while angles are small."""
    found = step_steer(textbook(), 20.0, 0.005, parts=TYRES)
    assert found.figures["yaw rate gain [1/s]"] == pytest.approx(20.0 / (L + K * 400.0), rel=0.01)
    assert 0.0 < found.figures["response time of the yaw rate [s]"] < 0.6
    assert found.figures["overshoot of the yaw rate [%]"] > -0.5


def test_sine_with_dwell_of_a_tame_car_passes():
    """A gentle amplitude of an understeering car dies out at once."""
    found = sine_with_dwell(textbook(), 20.0, amplitude=0.03, factor=1.0, parts=TYRES)
    assert found.passed
    steer = found.series["steer"]
    assert steer.max() == pytest.approx(0.03, rel=1e-2) and steer.min() == pytest.approx(-0.03, rel=1e-2)
    dwell = np.sum(np.abs(steer + 0.03) < 1e-6) * 0.01
    assert dwell == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize(("course", "total"), [("iso3888-1", 125.0), ("iso3888-2", 61.0)])
def test_lengths_and_widths_of_the_courses(course, total):
    width = 1.6
    found = lanes(course, width)
    assert found[-1][1] == pytest.approx(total)
    assert found[0][3] - found[0][2] == pytest.approx(1.1 * width + 0.25)
    second = 1.2 * width + 0.25 if course == "iso3888-1" else width + 1.0
    assert found[1][3] - found[1][2] == pytest.approx(second)


def test_lane_change_passes_slowly_and_fails_fast():
    slow, fast = (lane_change(Car("car", chassis="rigid"), "iso3888-2", v) for v in (9.0, 24.0))
    assert slow.passed and not fast.passed
    assert min(v for name, v in slow.figures.items() if name.startswith("clearance")) > 0.0
    with pytest.raises(InputError, match="course"):
        lanes("iso", 1.6)
