"""Signals: rate and acceleration are the derivatives of the value; bad tables are refused by name."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from centrode.errors import InputError
from centrode.parts.signals.signal import (
    SIGNAL_KINDS,
    SignalHarmonic,
    SignalPolynomial,
    SignalRamp,
    SignalSmoothStep,
    SignalSum,
    SignalTable,
    pack_signal,
    signal_from,
)

SIGNALS = [
    signal_from(2.5),
    SignalPolynomial((1.0, -2.0, 0.5, 0.25)),
    SignalRamp(3.0, start=-1.0),
    SignalHarmonic(0.7, frequency=0.4, phase=0.3, offset=2.0),
    SignalHarmonic(0.7, omega=3.0),
    SignalSmoothStep(0.5, 2.5, start=1.0, end=-2.0),
    SignalTable((0.0, 1.0, 1.5, 3.0), (0.0, 2.0, 1.0, 4.0)),
    SignalTable((0.0, 1.0, 1.5, 3.0), (0.0, 2.0, 1.0, 4.0), interpolation="linear"),
    SignalSum((SignalRamp(1.0), SignalHarmonic(0.2, frequency=1.0), 4.0)),
]


@pytest.mark.parametrize("signal", SIGNALS, ids=lambda s: s.kind)
@given(time=st.floats(0.01, 2.95))
def test_rate_and_acceleration_are_derivatives(signal, time):
    """Central differences, h = 1e-5: truncation h^2/6 s''' < 1e-8, round-off 1e-15/h = 1e-10."""
    h = 1e-5
    knots = {"table": (0.0, 1.0, 1.5, 3.0), "smooth-step": (0.5, 2.5)}.get(signal.kind, ())
    if any(abs(time - knot) < 2 * h for knot in knots):
        return  # the next higher derivative jumps there, so a difference across the knot is of order h only
    _, rate, acceleration = signal.at(time)
    after, before = signal.at(time + h), signal.at(time - h)
    assert (after[0] - before[0]) / (2 * h) == pytest.approx(rate, abs=2e-8)
    assert (after[1] - before[1]) / (2 * h) == pytest.approx(acceleration, abs=2e-8)


def test_published_shapes():
    assert SignalPolynomial((1.0, -2.0, 0.5)).at(3.0) == (1.0 - 6.0 + 4.5, -2.0 + 3.0, 1.0)
    assert SignalHarmonic(2.0, frequency=0.25).at(1.0)[0] == pytest.approx(2.0, abs=1e-15)
    step = SignalSmoothStep(1.0, 3.0, start=2.0, end=6.0)
    assert step.at(0.0) == (2.0, 0.0, 0.0)
    assert step.at(2.0) == (4.0, pytest.approx(4.0 / 2.0 * 15.0 / 8.0), 0.0)  # middle of the quintic: slope 15/8
    assert step.at(9.0) == (6.0, 0.0, 0.0)


@given(st.lists(st.tuples(st.floats(0.05, 1.0), st.floats(-5, 5)), min_size=2, max_size=8), st.floats(0, 1))
def test_table_goes_through_its_points_and_reproduces_parabolas(points, fraction):
    times = [sum(p[0] for p in points[: i + 1]) for i in range(len(points))]
    values = [p[1] for p in points]
    table = SignalTable(times, values)
    for t, v in zip(times, values, strict=True):
        assert table.at(t)[0] == pytest.approx(v, abs=1e-12)
    if len(times) >= 3:  # three-point slopes are exact for a parabola, and so is the cubic through them
        parabola = SignalTable(times, [1.0 - 2.0 * t + 0.5 * t * t for t in times])
        t = times[0] + fraction * (times[-1] - times[0])
        assert parabola.at(t)[0] == pytest.approx(1.0 - 2.0 * t + 0.5 * t * t, abs=1e-11)


def test_table_holds_its_ends():
    table = SignalTable((0.0, 1.0), (3.0, 5.0))
    assert table.at(-1.0) == (3.0, 0.0, 0.0)
    assert table.at(2.0) == (5.0, 0.0, 0.0)


@given(st.integers(0, len(SIGNALS) - 1), st.integers(0, len(SIGNALS) - 1), st.floats(0, 3))
def test_sum_is_the_sum(i, j, time):
    both = SIGNALS[i] + SIGNALS[j]
    for k in range(3):
        assert both.at(time)[k] == pytest.approx(SIGNALS[i].at(time)[k] + SIGNALS[j].at(time)[k], abs=1e-12)


def test_mapping_as_in_a_scenario_file():
    signal = signal_from({"kind": "sum", "signals": [1.0, {"kind": "harmonic", "amplitude": 2.0, "frequency": 0.5}]})
    assert signal.at(0.5)[0] == pytest.approx(3.0)
    assert pack_signal({"kind": "smooth_step"}) == pack_signal(SignalSmoothStep())
    assert set(SIGNAL_KINDS) >= {"constant", "polynomial", "ramp", "harmonic", "table", "smooth-step", "sum"}


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: SignalTable((0.0, 2.0, 1.0), (0.0, 1.0, 2.0)), "times of a table must ascend"),
        (lambda: SignalTable((0.0, 0.0), (0.0, 1.0)), "times of a table must ascend"),
        (lambda: SignalTable((0.0, 1.0), (0.0, math.nan)), "not a finite number"),
        (lambda: SignalTable((0.0, math.inf), (0.0, 1.0)), "not a finite number"),
        (lambda: SignalTable((0.0, 1.0), (0.0,)), "as many values as times"),
        (lambda: SignalTable((0.0, 1.0), (0.0, 1.0), "square"), "unknown choice"),
        (lambda: SignalHarmonic(1.0), "one of frequency and omega"),
        (lambda: SignalHarmonic(1.0, frequency=1.0, omega=1.0), "one of frequency and omega"),
        (lambda: SignalSmoothStep(1.0, 1.0), "ends after it begins"),
        (lambda: SignalSum(()), "at least one signal"),
        (lambda: SignalPolynomial(()), "needs a coefficient"),
        (lambda: signal_from({"kind": "harmonik"}), "did you mean 'harmonic'"),
        (lambda: signal_from({"kind": "ramp", "slop": 1.0}), "did you mean 'slope'"),
        (lambda: signal_from({"kind": "table", "times": (0, 1)}), "'values' is missing"),
        (lambda: signal_from("fast"), "unreadable signal"),
        (lambda: signal_from(True), "unreadable signal"),
    ],
)
def test_bad_signals_say_what_is_wrong(make, text):
    with pytest.raises(InputError, match=text):
        make()
