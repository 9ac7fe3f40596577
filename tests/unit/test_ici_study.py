"""Rates, scenarios, paths and fleets: data in, data out, one clear message for every kind of bad input."""

import contextlib
import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from centrode.errors import InputError
from centrode.studies.ici.errors import direct_errors, indirect_step
from centrode.studies.ici.fleet import advance_fleet
from centrode.studies.ici.methods import METHODS, method_named
from centrode.studies.ici.path import integrate
from centrode.studies.ici.rates import RatesConstant, RatesFunction, RatesTable, read_rates_csv
from centrode.studies.ici.scenario import IciScenario, baseline, circle, step_for_points, steps_for
from centrode.studies.ici.space import integrate_space
from centrode.studies.ici.stability import stability_row

finite = st.floats(-1e6, 1e6)


def write(tmp_path, text):
    file = tmp_path / "rates.csv"
    file.write_text(text, encoding="utf-8")
    return file


def message(call, *arguments, **options):
    with pytest.raises(InputError) as caught:
        call(*arguments, **options)
    assert len(caught.value.faults) >= 1
    return str(caught.value)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.floats(1e-3, 10.0), finite, finite, finite), min_size=2, max_size=20))
def test_csv_round_trip(tmp_path_factory, rows):
    times = np.cumsum([row[0] for row in rows])
    text = "omega, time ,vx,vy,comment\n" + "".join(
        f"{row[3]!r},{time!r},{row[1]!r},{row[2]!r},x\n" for time, row in zip(times.tolist(), rows, strict=True)
    )
    file = tmp_path_factory.mktemp("rates") / "rates.csv"
    file.write_text("# a comment\n" + text, encoding="utf-8")
    table = read_rates_csv(file)
    assert table.time.tolist() == times.tolist()
    assert table.values.tolist() == [[row[1], row[2], row[3]] for row in rows]
    assert table.sample(times).tolist() == table.values.tolist()
    turned = read_rates_csv(file, thesis_frame=True)
    assert np.array_equal(turned.values, table.values * [1.0, -1.0, -1.0])


@settings(max_examples=60)
@given(st.text(max_size=200))
def test_csv_of_any_text_gives_rates_or_input_error(tmp_path_factory, text):
    file = tmp_path_factory.mktemp("rates") / "rates.csv"
    file.write_text(text, encoding="utf-8")
    with contextlib.suppress(InputError):
        assert np.isfinite(read_rates_csv(file).values).all()


def test_csv_without_lateral_velocity(tmp_path):
    table = read_rates_csv(write(tmp_path, "time,vx,omega\n0,10,0.1\n1,12,0.2\n"))
    assert table.sample(np.array([0.5])).tolist() == [[11.0, 0.0, pytest.approx(0.15)]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("\n\n# nothing\n", "empty"),
        ("time,vx,vy,omega\n", "at least two rows"),
        ("time,vx,vy,omega\n0,1,0,0\n", "at least two rows"),
        ("time,vx,omga\n0,1,0\n1,1,0\n", "did you mean 'omga'"),
        ("time,vx,omega\n0,1,0\n1,fast,0\n", "rates.csv:3: vx: not a number, got 'fast'"),
        ("time,vx,omega\n0,1,0\n1,nan,0\n", "rates.csv:3: vx: not a finite number"),
        ("time,vx,omega\n0,1,0\n1\n", "not a number"),
        ("time,vx,omega\n0,1,0\n0,1,0\n", "times must increase"),
        ("time,vx,omega\n1,1,0\n0,1,0\n", "times must increase"),
    ],
)
def test_csv_faults(tmp_path, text, words):
    assert words in message(read_rates_csv, write(tmp_path, text))


def test_csv_missing_and_binary(tmp_path):
    assert "cannot read" in message(read_rates_csv, tmp_path / "none.csv")
    binary = tmp_path / "binary.csv"
    binary.write_bytes(b"\xff\xfe\x00\x81")
    assert "cannot read" in message(read_rates_csv, binary)


def test_table_faults():
    one = np.array([0.0, 1.0])
    assert "length differs" in message(RatesTable, one, one, one, np.zeros(3))
    assert "not a finite" in message(RatesTable, one, np.array([0.0, np.nan]), one, one)
    assert "outside the table" in message(RatesTable(one, one, one, one).sample, np.array([2.0]))


def test_bad_numbers_everywhere():
    assert "finite" in message(RatesConstant, math.nan)
    assert "points per turn below 1" in message(step_for_points, 0.5, 10.0)
    assert "points per turn below 1" in message(stability_row, "ici-first", 0.0)
    assert "not zero" in message(step_for_points, 20, 0.0)
    assert "not zero" in message(circle, 10.0, 0.0)
    assert "end time lies before" in message(IciScenario, RatesConstant(1.0), start_time=2.0, end_time=1.0)
    assert "nothing to integrate" in message(IciScenario, RatesConstant(1.0), start_time=2.0, end_time=2.0)
    assert "no direction" in message(IciScenario, RatesConstant(1.0), heading=(0.0, 0.0))
    assert "two finite" in message(IciScenario, RatesConstant(1.0), position=(0.0, math.nan))
    for dt in (0.0, -0.1, math.nan):
        assert "step must be positive" in message(integrate, baseline(), "ici-exact", dt=dt)
    assert "longer than the run" in message(integrate, baseline(), dt=100.0)
    assert "positive" in message(integrate, baseline(), steps=0)
    assert "either dt or steps" in message(integrate, baseline())
    assert "keep_every" in message(integrate, baseline(), steps=10, keep_every=0)
    assert "did you mean 'ici-exact'" in message(method_named, "ici-exakt")
    assert "start or midpoint" in message(method_named, "ici-exact", "middle")
    assert "must be positive" in message(indirect_step, baseline(), "ici-first", 0.0)
    assert "rows" in message(direct_errors, baseline(), "ici-first", steps=20, rows=0)
    nan_rates = RatesFunction(lambda t: t * np.nan, np.sin, np.cos)
    assert "rates.vx" in message(integrate, IciScenario(nan_rates), steps=10)
    assert "unknown method in space" in message(integrate_space, (1, 0, 0, 0, 0, 0), 1.0, 10, "ici-spilt")
    assert "duration" in message(integrate_space, (1, 0, 0, 0, 0, 0), -1.0, 10)
    assert "not finite" in message(integrate_space, (math.nan, 0, 0, 0, 0, 0), 1.0, 10)


def test_steps_fill_the_time():
    scenario = baseline(1)
    assert steps_for(scenario, scenario.duration / 20) == 20
    assert steps_for(scenario, scenario.duration / 20.5) == 21
    path = integrate(scenario, dt=scenario.duration / 20.5)
    assert path.time[-1] == scenario.end_time
    assert path.dt == pytest.approx(scenario.duration / 21)


@settings(max_examples=30)
@given(st.sampled_from(sorted(METHODS)), st.integers(1, 60), st.integers(1, 70))
def test_kept_frames_are_those_of_the_full_run(method, steps, keep_every):
    scenario = baseline(2)
    full = integrate(scenario, method, steps=steps)
    kept = integrate(scenario, method, steps=steps, keep_every=keep_every)
    index = sorted({*range(0, steps + 1, keep_every), steps})
    assert np.array_equal(kept.x, full.x[index])
    assert np.array_equal(kept.uy, full.uy[index])
    assert np.allclose(kept.time, full.time[index], rtol=1e-15)


def test_blocks_do_not_show():
    # 20 001 steps span three blocks of rates; the same steps as two runs must agree to rounding of the times.
    scenario = IciScenario(RatesFunction(lambda t: 10 + t, np.sin, np.cos), end_time=4.0)
    path = integrate(scenario, "ici-exact", steps=20_000, keep_every=10_000)
    second = IciScenario(scenario.rates, (path.x[1], path.y[1]), (path.ux[1], path.uy[1]), start_time=2.0, end_time=4.0)
    rest = integrate(second, "ici-exact", steps=10_000, keep_every=10_000)
    assert rest.x[-1] == pytest.approx(path.x[-1], abs=1e-10)
    assert rest.y[-1] == pytest.approx(path.y[-1], abs=1e-10)


def test_functions_of_one_float_are_accepted():
    scalar = RatesFunction(lambda t: 10.0 if t < 1 else 20.0, lambda t: 0.0, lambda t: math.sin(t))
    assert scalar.sample(np.array([0.0, 2.0])).tolist() == [[10.0, 0.0, 0.0], [20.0, 0.0, math.sin(2.0)]]


def test_centrodes_of_a_rolling_wheel():
    """A wheel of radius r rolls on a line: the space centrode is the line, the body centrode the rim.

    Wheel centre at height r, rolling to the right (clockwise): in wheel axes turned by the angle -t v/r the velocity
    has components v cos, v sin.
    """
    r, v = 0.5, 3.0
    spin = v / r
    wheel = RatesFunction(lambda t: v * np.cos(spin * t), lambda t: v * np.sin(spin * t), lambda t: 0.0 * t - spin)
    path = integrate(IciScenario(wheel, position=(0.0, r), end_time=2.0), "ici-magnus4", steps=4000)
    space_x, space_y = path.space_centrode
    assert np.abs(space_y).max() < 1e-9
    # The centre of the wheel moves straight on; the centre of rotation is the point of contact below it.
    assert np.allclose(space_x, v * path.time, atol=1e-9)
    assert np.allclose(np.hypot(*path.body_centrode), r, rtol=1e-12)
    assert np.allclose(path.radius, -r, rtol=1e-12)


def test_written_csv_reads_back(tmp_path):
    path = integrate(baseline(1), "ici-exact", steps=20)
    path.write_csv(tmp_path / "path.csv")
    data = np.genfromtxt(tmp_path / "path.csv", delimiter=",", names=True)
    assert np.array_equal(data["x"], path.x)
    assert np.array_equal(data["time"], path.time)
    assert np.allclose(data["space_centrode_x"], 0.0, atol=1e-13)


def fleet_rates(steps, vehicles, seed=0):
    generator = np.random.default_rng(seed)
    return (
        generator.uniform(-5.0, 40.0, (steps, vehicles)),
        generator.uniform(-3.0, 3.0, (steps, vehicles)),
        generator.uniform(-2.0, 2.0, (steps, vehicles)),
    )


@pytest.mark.parametrize("method", ["ici-first", "ici-second", "ici-exact"])
def test_fleet_equals_single_vehicles(method):
    from centrode.math import ici_plane

    advance = getattr(ici_plane, "advance_plane_" + method.removeprefix("ici-"))
    rates = fleet_rates(50, 7)
    rates[2][:, 0] = 0.0
    position, heading = np.zeros((7, 2)), np.tile([1.0, 0.0], (7, 1))
    frames = advance_fleet(position, heading, rates, 0.02, 50, method, keep_every=20)
    assert frames.step.tolist() == [0, 20, 40, 50]
    for vehicle in range(7):
        state = (0.0, 0.0, 1.0, 0.0)
        for step in range(50):
            state = advance(*state, *(float(array[step, vehicle]) for array in rates), 0.02)
        # 50 steps, 2 ulp of sine each on steps of 1 m.
        assert (frames.x[-1, vehicle], frames.y[-1, vehicle]) == pytest.approx(state[:2], abs=1e-13)
        assert (frames.ux[-1, vehicle], frames.uy[-1, vehicle]) == pytest.approx(state[2:], abs=1e-13)


def test_fleet_with_huge_angles_falls_back_to_the_library():
    rates = [array[:3, :2] for array in fleet_rates(3, 2)]
    rates[2] = np.full((3, 2), 3.0e8)
    frames = advance_fleet(np.zeros((2, 2)), np.tile([1.0, 0.0], (2, 1)), tuple(rates), 1.0, 3)
    # The sum of three angles of 3e8 rad is exact in binary; its cosine is good to the last digits.
    assert frames.ux[-1, 0] == pytest.approx(math.cos(9.0e8), abs=1e-14)


def test_fleet_faults():
    position, heading = np.zeros((2, 2)), np.tile([1.0, 0.0], (2, 1))
    rates = fleet_rates(5, 2)
    assert "did you mean 'ici-exact'" in message(advance_fleet, position, heading, rates, 0.1, 5, "ici-exct")
    assert "step must be positive" in message(advance_fleet, position, heading, rates, 0.0, 5)
    assert "number of steps" in message(advance_fleet, position, heading, rates, 0.1, 0)
    assert "three arrays" in message(advance_fleet, position, heading, rates, 0.1, 6)
    assert "shape (vehicles, 2)" in message(advance_fleet, np.zeros(2), heading, rates, 0.1, 5)
    assert "keep_every" in message(advance_fleet, position, heading, rates, 0.1, 5, keep_every=0)
    assert "another shape" in message(advance_fleet, np.zeros((3, 2)), np.ones((3, 2)), rates, 0.1, 5)
    rates[2][3, 1] = np.nan
    assert "rates.omega[3, 1]" in message(advance_fleet, position, heading, rates, 0.1, 5)


def test_fleet_memory_does_not_grow_with_steps():
    vehicles = 4
    block = fleet_rates(256, vehicles)

    def rates(first, count):
        # Not tuple(generator): Python 3.11 keeps up to 2000 of those on a free list, which looks like growth.
        return block[0][:count], block[1][:count], block[2][:count]

    def peak(steps):
        tracemalloc.start()
        advance_fleet(np.zeros((vehicles, 2)), np.tile([1.0, 0.0], (vehicles, 1)), rates, 0.01, steps)
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    peak(256)
    small, large = peak(512), peak(10_240)
    # Twenty times the steps; the same arrays. 4 kB for interpreter objects.
    assert large <= small + 4096


def test_path_memory_holds_only_kept_frames():
    scenario = IciScenario(RatesFunction(lambda t: 10 + t, np.sin, np.cos), end_time=4.0)

    def peak(steps):
        tracemalloc.start()
        integrate(scenario, "ici-exact", steps=steps, keep_every=steps // 8)
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    peak(16_384)
    small, large = peak(16_384), peak(65_536)
    # Four times the steps; the same blocks of rates and the same nine frames.
    assert large <= small + 4096
