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
