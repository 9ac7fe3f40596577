"""``centrode medusa`` with cars that stand or come to roll back, where the lagged slip angle of 1999 has no value."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest
from medusa_deck import level, write_deck

from centrode.cli.main import run

BANK = level(*[(x, 0, 0, 4) for x in (0, 100, 200, 300)])
HILL = level(*[(x, 0, 0.05 * x, 0) for x in (0, 100, 200, 300)])


@pytest.fixture
def deck(tmp_path, monkeypatch):
    """Write a deck of model 1 with other numbers into an empty folder."""
    monkeypatch.chdir(tmp_path)
    return partial(write_deck, tmp_path)


def table(name: str) -> np.ndarray:
    return np.loadtxt(name, ndmin=2)


@pytest.mark.parametrize(("road", "heading"), [(None, 0), (BANK, 0), (HILL, 90), (HILL, -90)])
def test_a_parked_car_stands(deck, capsys, road, heading):
    """On a plane, a bank, across a hill: alpha = atan2(0, 0) jumped between -pi/2 and pi/2, the car chattered and crept
    by up to 1.3 mm in 10 s, and the run ended with exit code 1, since its energy audit did not close."""
    deck({"x": 50, "speed": 0, "heading": heading}, road=road)
    assert run(["medusa", "-t10", "-s.1", "--quiet"]) == 0
    assert capsys.readouterr().err == ""
    places = table("director.asc")[:, 1:13]
    assert np.abs(places - places[0]).max() < 1e-8  # a few last digits of the file
    assert np.abs(table("velocity.asc")[:, 1:4]).max() < 1e-8


@pytest.mark.parametrize("step", ["5e-5", "1e-3"])
def test_a_car_put_onto_a_bank_at_rest_swings_in_and_stands(deck, capsys, step):
    """The listed start has no slip angles that hold it, and drops onto the bank. 1e-3 ended at 1.3 m/s sideways.

    Afterwards it rolls at some cm/s, across that by no more than the slip angle that holds it, m g sin 4 deg / C, with
    C = 4 (A_0 + A_1 F - A_1 F^2 / A_2) at m g / 4 = 3.86 kN.
    """
    deck({"x": 50, "speed": 0}, road=BANK)
    assert run(["medusa", "-t5", "-s.1", f"-d{step}", "--quiet", "--listed"]) == 0
    assert "does not close" not in capsys.readouterr().err
    load = 1573 * 9.81 / 4
    angle = load * math.sin(math.radians(4)) / (7092.7808 + 11.94 * load * (1 - load / 13571.0848))
    ahead, across = table("velocity.asc")[-20:, 1:3].T
    heading = table("director.asc")[-20:, 5]
    assert ahead.min() > 0.0 and ahead.max() < 0.03
    assert np.abs(across - heading * ahead).max() < 1.5 * angle * ahead.max()


def test_a_bank_too_steep_for_the_tyres_lets_a_parked_car_slide(deck):
    """tan 45 deg = 1 is more than the friction B_1 F + B_3 + B_4 F^2 = 0.91, at full sliding less K_mu = 0.2 of it; the
    loads fall with cos 45 deg and differ little: a = g (sin 45 - 0.8 mu cos 45), mu about 0.93."""
    deck({"x": 50, "speed": 0}, road=level(*[(x, 0, 0, 45) for x in (0, 100, 200, 300)]))
    assert run(["medusa", "-t1", "-s.1", "--quiet"]) == 0
    velocity = table("velocity.asc")
    gained = np.linalg.norm(velocity[-1, 1:4] - velocity[5, 1:4]) / 0.5
    assert gained == pytest.approx(9.81 * math.sqrt(0.5) * (1.0 - 0.8 * 0.93), rel=0.1)


@pytest.mark.parametrize("lag", [0.0016, 0.05])
def test_a_car_that_comes_to_roll_back_is_not_pushed_aside(deck, lag):
    """Steered by 0.2 degrees up a hill of 10 %, it stops and rolls back the circle that it came on. alpha went from 0
    to pi, and the lagged angle on its way through that of a wheel dragged sideways: 5 mm/s aside with TIRE 0.05."""
    hill = level(*[(x, 0, 0.1 * x, 0) for x in (0, 100, 200, 300)])
    deck({"x": 50, "speed": 4, "steering": 0.2}, road=hill, TIRE=lag)
    assert run(["medusa", "-t4.3", "-s.01", "--quiet"]) == 0
    velocity, directors = table("velocity.asc")[-50:, 1:4], table("director.asc")[-50:, 4:7]
    ahead = np.einsum("nx,nx->n", velocity, directors)
    across = velocity[:, 1] * directors[:, 0] - velocity[:, 0] * directors[:, 1]
    assert ahead[0] > 0.2 and ahead[-1] < -0.1
    # Steered wheels give it a part of v, the slip angle that holds it against 0.1 g times its heading one of |v|.
    parts = np.column_stack([ahead, np.abs(ahead)])
    shares = np.linalg.lstsq(parts, across, rcond=None)[0]
    assert shares[0] == pytest.approx(math.tan(math.radians(0.2)) * 1.491 / 2.525, rel=0.02)
    assert np.abs(across - parts @ shares).max() < 5e-6  # chosen: a tenth of what the turn of the angle gave


def test_a_standing_car_is_told_what_the_lag_of_the_program_does_to_it(deck, capsys):
    """The run ended with 'the energy audit does not close', and nothing said why."""
    deck({"speed": 0})
    assert run(["medusa", "-t.5", "--quiet", "--lag", "program"]) in (0, 1)
    assert "car1 stands, and will chatter and creep" in capsys.readouterr().err
    assert run(["medusa", "-t.5", "--quiet", "--lag", "program", "--parked"]) == 0
    assert capsys.readouterr().err == ""


def test_a_free_car_on_a_hill_rolls_away_and_is_told(deck, capsys):
    deck({"x": 50, "speed": 0}, road=HILL)
    assert run(["medusa", "-t2", "-s.1", "--quiet"]) == 0
    assert "car1 stands on a slope of 5 % and rolls away" in capsys.readouterr().err
    speed = np.linalg.norm(table("velocity.asc")[-1, 1:4])
    assert speed == pytest.approx(2.0 * 9.81 * math.sin(math.atan(0.05)), rel=1e-5)


def test_words_alike_of_many_vehicles_are_counted_after_the_third(deck, capsys):
    """Sixty cars on a hill were sixty lines."""
    deck(*({"x": 20 + 10 * k, "speed": 0} for k in range(9)), {"x": 190, "speed": 5}, road=HILL)
    assert run(["medusa", "-t.02", "--quiet"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert [line.split()[0] for line in lines] == ["car1", "car2", "car3", "..."]
    assert lines[-1] == "... the same of 6 more vehicles"


@pytest.mark.parametrize("options", [[], ["--lag", "program"], ["--tyre", "bounded"]])
def test_a_parked_car_stands_on_a_hill_with_a_bank_in_any_direction(deck, capsys, options):
    """It rolled 25 m in 10 s, or crept; nothing could hold it."""
    hill = level(*[(x, 0, 0.05 * x, 4) for x in (0, 100, 200, 300)])
    deck(*({"x": 50 + 10 * k, "speed": 0, "heading": 45 * k} for k in range(8)), road=hill)
    assert run(["medusa", "-t5", "-s.1", "--quiet", "--parked", *options]) == 0
    assert capsys.readouterr().err == ""
    places = table("director.asc")[:, 1:]
    assert np.abs(places - places[0]).max() < 1e-8


def locked_friction(load: float) -> float:
    """mu F_z of a wheel that slides: (1.21) at full slip, (1.24)."""
    return load * (1.007 - 1.14e-4 / 4.48 * load - 1.062e-9 / 4.48**2 * load**2) * (1 - 0.2)


@pytest.mark.parametrize(("brakes", "wheels"), [("parked", (1, 1)), ("rim", (1, 0))])
def test_locked_wheels_brake_by_their_friction_and_stand(deck, capsys, brakes, wheels):
    """a = sum mu F_z / m, which pulls at the height of the centre of mass and shifts no load (H1 = H2 = 0). TIRE_SPEED
    1e-6 brakes the front wheels. Both stand then: what chattered at rest ended runs with exit code 1 on a hill."""
    deck({"x": 50, "speed": 10, "rim": 1e-6 if brakes == "rim" else 0})
    more = ["--set", "vehicles.car1.parked=true"] if brakes == "parked" else []
    assert run(["medusa", "-t5", "-s.1", "-d1e-4", "--quiet", *more]) == 0
    assert capsys.readouterr().err == ""
    loads = 0.5 * 1573 * 9.81 * np.array([1.491, 1.034]) / (1.034 + 1.491)
    pull = 2 * sum(on * locked_friction(load) for on, load in zip(wheels, loads, strict=True)) / 1573
    places, velocity = table("director.asc"), table("velocity.asc")
    # The bow of the chassis and its pitch, 0.014 and a little more, shift a per cent of the loads.
    assert places[-1, 1] - 50 == pytest.approx(10**2 / (2 * pull), rel=0.01)
    # Its springs still swing by 0.7 mm/s, upwards, a fiftieth of which the pitch of 0.014 turns ahead.
    assert np.abs(velocity[-20:, 1:3]).max() < 2e-5 and np.ptp(places[-20:, 1]) < 1e-5


def test_a_front_brake_holds_a_car_on_a_hill(deck, capsys):
    """TIRE_SPEED 1e-6: it chattered, crept sideways by 1.2 mm and ended with exit code 1."""
    deck({"x": 50, "speed": 0, "rim": 1e-6}, road=level(*[(x, 0, 0.05 * x, 3) for x in (0, 100, 200, 300)]))
    assert run(["medusa", "-t10", "-s.1", "--quiet"]) == 0
    places = table("director.asc")[:, 1:4]
    # 1e-5 m of its rims; u of (3), 0.05 m g / C_s = 0.005 of a way of 0.8 mm, 4 um; the pitch that its pull makes.
    assert np.abs(places - places[0]).max() < 5e-5
    assert "does not close" not in capsys.readouterr().err


def test_a_parked_car_that_is_hit_slides_to_a_stop(deck):
    deck({"x": 50, "speed": 15}, {"x": 56, "speed": 0})
    assert run(["medusa", "-t5", "-s.05", "-d1e-4", "--quiet", "--parked"]) == 0
    velocity, places = table("velocity.asc"), table("director.asc")
    assert places[-1, 13] > 60 and np.abs(velocity[-20:, 13:16]).max() < 2e-3  # the springs still swing a little
    fastest = int(velocity[:, 13].argmax())
    slowing = np.diff(velocity[fastest + 4 : fastest + 8, 13]).mean() / 0.05
    loads = 0.5 * 1573 * 9.81 * np.array([1.491, 1.034]) / (1.034 + 1.491)
    assert -slowing == pytest.approx(2 * sum(map(locked_friction, loads)) / 1573, rel=0.03)


def test_a_parked_car_goes_through_a_scenario_and_back(deck, tmp_path, capsys):
    deck({"x": 50, "speed": 0}, {"x": 80, "speed": 3}, road=HILL)
    assert run(["convert", ".", "a.yaml", "--parked", "--duration", "1 s"]) == 0
    assert run(["convert", "a.yaml", "back"]) == 0
    assert "vehicles.car1.parked=" in capsys.readouterr().out
    text = (tmp_path / "a.yaml").read_text()
    assert text.count("parked: true") == 1
