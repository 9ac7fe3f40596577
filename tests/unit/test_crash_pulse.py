"""Crash pulses as event data recorders keep them, and the occupant load criterion against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from centrode.crash.pulse import FREE_WAY, WHOLE_WAY, crash_pulse, occupant_load
from centrode.recording.channel import Channel
from centrode.recording.recording import Recording

TIMES = np.arange(0.0, 0.25, 1e-4)


@pytest.mark.parametrize("a", [50.0, 150.0, 300.0])
def test_olc_of_a_constant_pulse(a):
    """Ahead by a t^2/2; free until t1 = sqrt(2 s1 / a), then the speed a t1 is lost at OLC - a over s2 - s1:

    OLC = a + (a t1)^2 / (2 (s2 - s1)) = a (1 + s1 / (s2 - s1)).
    """
    expected = a * (1.0 + FREE_WAY / (WHOLE_WAY - FREE_WAY))
    # trapezoids of a straight line are exact; the two crossings are read to h^2 a / 8 of the way, 1e-6 of it
    assert occupant_load(TIMES, a * TIMES) == pytest.approx(expected, rel=1e-4)


def test_olc_of_a_vehicle_that_stops_at_once():
    """The occupant crosses 65 mm at V and stops over 235 mm: OLC = V^2 / (2 * 235 mm)."""
    v = 14.0
    assert occupant_load(TIMES, np.full(TIMES.size, v)) == pytest.approx(v**2 / 2.0 / (WHOLE_WAY - FREE_WAY), rel=1e-4)


@pytest.mark.parametrize(("peak", "length"), [(300.0, 0.1), (400.0, 0.06), (250.0, 0.12)])
def test_olc_of_a_half_sine(peak, length):
    """a = A sin(pi t / T): lost speed A T/pi (1 - cos), way A T/pi (t - T/pi sin); (2) solved with these."""

    def lost(t):
        return peak * length / math.pi * (1.0 - math.cos(math.pi * min(t, length) / length))

    def ahead(t):
        inside = min(t, length)
        way = peak * length / math.pi * (inside - length / math.pi * math.sin(math.pi * inside / length))
        return way + (t - inside) * lost(length)

    t1 = brentq(lambda t: ahead(t) - FREE_WAY, 1e-3, 0.2)
    t2 = brentq(lambda t: ahead(t) - 0.5 * lost(t) * (t - t1) - WHOLE_WAY, t1 + 1e-6, 0.5)
    expected = lost(t2) / (t2 - t1)
    found = occupant_load(TIMES, np.array([lost(t) for t in TIMES]))
    assert found == pytest.approx(expected, rel=1e-3)


def test_no_olc_when_the_occupant_is_never_reached():
    assert math.isnan(occupant_load(TIMES, np.full(TIMES.size, 0.2)))


def turning_run(frames: float) -> Recording:
    """A body that yaws at 2 rad/s and is slowed in its own axes by 200 ahead and 50 m/s2 to the left from t = 0.1 s."""
    time = np.arange(0.0, 0.5, frames)
    fine = np.arange(0.0, 0.5, 1e-5)
    since = np.clip(fine - 0.1, 0.0, 0.08)
    rate = np.where((fine >= 0.1) & (fine < 0.18), 1.0, 0.0)
    yaw = 2.0 * fine
    ax = rate * (-200.0 * np.cos(yaw) - 50.0 * np.sin(yaw))
    ay = rate * (-200.0 * np.sin(yaw) + 50.0 * np.cos(yaw))
    velocity = np.column_stack([20.0 + np.cumsum(ax) * 1e-5, np.cumsum(ay) * 1e-5, 0 * fine])
    assert since[-1] == pytest.approx(0.08)
    picked = np.rint(time / 1e-5).astype(int)
    q = np.column_stack([np.cos(time), 0 * time, 0 * time, np.sin(time)])
    channels = [Channel("car.body.velocity", "m/s", ("xyz",)), Channel("car.body.orientation", "1", ("wxyz",))]
    data = {"car.body.velocity": velocity[picked], "car.body.orientation": q}
    return Recording(time=time, data=data, channels=channels)


def test_a_pulse_is_that_of_sensors_that_turn_with_the_vehicle():
    pulse = crash_pulse(turning_run(1e-3), "car.body", 1, 0.1, 0.18)
    assert pulse.vehicle == "car"
    assert np.allclose(np.diff(pulse.times), 0.01)
    # end of the collision plus 30 ms
    assert pulse.times[-1] == pytest.approx(0.11)
    expected = np.clip(pulse.times, 0.0, 0.08)
    # integration of the velocities above with 1e-5 s leaves 200 * 1e-5; attitude between frames 1e-6 of the change
    assert np.abs(pulse.along + 200.0 * expected).max() < 0.01
    assert np.abs(pulse.left - 50.0 * expected).max() < 0.01
    assert not pulse.coarse
    assert crash_pulse(turning_run(0.02), "car.body", 1, 0.1, 0.18).coarse


def test_frames_of_ten_milliseconds_are_enough():
    """Touch between frames: what the frame before it had is carried on, so the first entries are right too."""
    pulse = crash_pulse(turning_run(0.01), "car.body", 1, 0.1, 0.18)
    assert np.abs(pulse.along + 200.0 * np.clip(pulse.times, 0.0, 0.08)).max() < 0.05
