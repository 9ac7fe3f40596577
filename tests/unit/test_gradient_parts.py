"""What gradients are made of: slopes from differences, parameters by path, runs that repeat the steps of another."""

from __future__ import annotations

import math

import numpy as np
import pytest

import centrode as ct
from centrode.math.extrapolation import slope_of
from centrode.methods.method import find_method
from centrode.recording.channel import Channel
from centrode.running import Session, resolve_settings
from centrode.scenario.document import Scenario
from centrode.studies.figures import find_figures
from centrode.system.settings import RunSettings

STEPS = [0.02 / 2.0**k for k in range(4)]


def values(function, x, steps=STEPS):
    return [function(x + h) for h in steps], [function(x - h) for h in steps], function(x)


@pytest.mark.parametrize(
    ("function", "slope"), [(math.sin, math.cos(0.7)), (math.exp, math.exp(0.7)), (lambda x: 1 / x, -1 / 0.49)]
)
def test_slopes_of_both_sides(function, slope):
    found = slope_of(STEPS, *values(function, 0.7))
    # The noise (3) sees the terms of h^4 that a row of three leaves: at most 24 (0.02 / 0.7)^4 / 64 over 4^2.
    assert abs(found.value - slope) <= found.error < 1e-6
    # Round-off of 1e-16 over the shortest step of 0.0025, some of it several times.
    assert found.value == pytest.approx(slope, abs=1e-11)
    assert found.sides is None


def test_slopes_of_one_side():
    up, down, start = values(math.exp, 0.7)
    nothing = [math.nan] * len(up)
    for given in ((up, nothing), (nothing, down)):
        found = slope_of(STEPS, *given, start)
        # Terms of h^3 that a row of three leaves, 0.02^3 over 2^6, in (3) over a step of 0.0025: 1e-5.
        assert abs(found.value - math.exp(0.7)) <= found.error < 1e-4
    assert math.isnan(slope_of(STEPS, nothing, nothing, start).value)


def test_noise_shows_in_the_error():
    """Estimates from the scheme alone fell short by ten times and more in one of twenty."""
    rng = np.random.default_rng(3)
    short = 0
    for _ in range(300):
        up, down, start = values(lambda x: math.sin(x) + 1e-6 * rng.uniform(-1, 1), 0.7)
        found = slope_of(STEPS, up, down, start)
        off = abs(found.value - math.cos(0.7))
        short += off > found.error
        assert off <= 10.0 * found.error
        # Differences are off by 1e-6 over their steps of 0.02 to 0.0025, at most by 4e-4.
        assert off < 4e-4
    assert short < 9  # of 300; one in a hundred is expected at most


def test_a_kink_is_seen_and_curvature_is_none():
    found = slope_of(STEPS, *values(lambda x: abs(x - 0.7) + 2.0 * x, 0.7))
    assert found.sides == pytest.approx((1.0, 3.0))
    assert found.value == pytest.approx(2.0)
    assert slope_of(STEPS, *values(lambda x: (x - 0.7) ** 2, 0.7)).sides is None


def bar():
    system = ct.System("bar")
    arm = system.add(ct.RigidBody("arm", mass=1.0, inertia=(0.01, 0.1, 0.1), position=(0.5, 0, 0)))
    system.add(ct.Revolute("hinge", system.ground, arm, at=(0, 0, 0), axis=(0, 1, 0)))
    return system


def test_parameters_by_path():
    scenario = Scenario(bar())
    for path, unit, value in (
        ("arm.mass", "kg", 1.0),
        ("bodies.arm.mass", "kg", 1.0),
        ("arm.position.x", "m", 0.5),
        ("arm.inertia[2]", "kg*m2", 0.1),
        ("gravity.z", "m/s2", -9.81),
    ):
        found = ct.find_parameter(scenario, path)
        assert (found.value, found.unit.replace("^", "")) == (value, unit)
        changed = 1.05 * value  # within what the triangle rule lets an inertia be
        assert ct.find_parameter(found.changed(changed), path).value == changed
    assert scenario.system.parts["arm"].mass == 1.0
    with pytest.raises(ct.InputError, match="must be positive"):
        ct.find_parameter(scenario, "arm.mass").changed(-1.0)


def test_names_of_a_file_are_parameters():
    text = "centrode: 1\nparameters: {m: 2 kg}\nbodies: {ball: {mass: '${3 * m}'}}\n"
    found = ct.find_parameter(ct.loads(text), "parameters.m")
    assert found.value == 2.0
    assert found.changed(5.0).system.parts["ball"].mass == 15.0


def test_a_vehicle_is_built_anew():
    text = "centrode: 1\nroads: {r: {kind: plane}}\nvehicles: {a: {kind: car, road: r, speed: 20, chassis: rigid}}\n"
    scenario = ct.loads(text)
    faster = ct.find_parameter(scenario, "a.speed").changed(21.0).system.parts
    assert faster["a.body"].velocity[0] == pytest.approx(21.0)
    assert scenario.system.parts["a.body"].velocity[0] == pytest.approx(20.0)
    heavier = ct.find_parameter(scenario, "a.body.mass").changed(1234.0).system.parts
    assert heavier["a.body"].mass == 1234.0
    assert heavier["a"].speed == 20.0


@pytest.mark.parametrize("method", ["dop853", "dp5"])
def test_steps_that_are_noted_give_the_same_run_again(method):
    settings = resolve_settings(RunSettings(), {"duration": 0.5, "frames": 0.1, "method": method})
    first = Session(bar(), settings, variant=find_method(method).noting(1000))
    times = first.frame_times()
    one, _ = first.advance(times)
    ends = first.method.noted(first.run)
    assert ends.size == first.run.record["steps"][0]
    assert set(times[1:]) <= set(ends)
    again = Session(bar(), settings, variant=first.method.following(ends))
    two, _ = again.advance(times)
    # A step is as long as before but for the last digit: time + length - time.
    np.testing.assert_allclose(two, one, atol=1e-13)
    # More frames are further ends, and change nothing but the length of steps.
    more = Session(bar(), settings, variant=first.method.following(ends), times=np.append(times, 0.55))
    assert more.frame_times()[-1] == 0.55
    plain = Session(bar(), settings)
    assert plain.method.noted(plain.run).size == 0


def test_a_peak_lies_between_frames():
    t = np.linspace(0.0, 1.0, 11)
    middle = 0.4
    dense = np.unique(np.concatenate([t, middle + 0.1 * np.linspace(-1, 1, 7)]).round(12))

    def recording(time):
        channel = Channel("a.x", "m")
        return ct.Recording(time=time, data={"a.x": np.sin(4.2 * time)}, channels=[channel])

    (figure,) = find_figures("a.x@max", recording(t))
    # sin(4.2 t) is 1 at 0.374; seven nodes 0.033 apart leave (0.14)^7 / 7! of the nodal polynomial: 1e-10.
    assert figure.value(recording(dense)) == pytest.approx(1.0, abs=1e-9)
    assert np.sin(4.2 * t).max() < 0.995
