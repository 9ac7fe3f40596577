"""Where a car of the report stands on its springs: a closed form for every model, driven or not, and a run that agrees.

The forces of four springs have no moment about the centre of mass, so with H1 = H2 = 0 no director is loaded (1.10)
and the body of any stiffness is a turned rigid one:

    F_f = m g L2 / (L1 + L2),  h = Delta - F / (2 C),  sin p = (h_f - h_r) / (L1 + L2),  r3 = h_f - L1 sin p
"""

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest

import centrode as ct
from centrode.cli.main import run
from centrode.errors import InputError
from centrode.running import Session
from centrode.scenario.medusa.reader import read_models
from centrode.scenario.medusa.records import LegacyModels, LegacyPlatoon, LegacyRoad, LegacyVehicle
from centrode.scenario.medusa.writer import format_models, format_platoon, format_road
from centrode.system.settings import RunSettings
from centrode.vehicles.platoon import add_legacy

MODELS = read_models(Path(__file__).parent / "data" / "medusa_inputs" / "offset" / "model.dat")
PLANE = LegacyRoad(tuple((x, 0.0, 0.0, 0.0) for x in (-100.0, 100.0, 500.0, 1000.0)))


def standing(model, rim_speed=0.0, steering_deg=0.0):
    system = ct.System()
    vehicle = LegacyVehicle(1, 0.0, 0.0, 0.0, 12.0, rim_speed, steering_deg)
    add_legacy(system, LegacyModels((model,)), LegacyPlatoon((vehicle,)), PLANE, equilibrium="true")
    return system


def closed_form(model):
    base, weight = model.l1 + model.l2, model.mass * 9.81
    front = model.spring_ref - weight * model.l2 / base / (2.0 * model.c1)
    rear = model.spring_ref - weight * model.l1 / base / (2.0 * model.c2)
    sine = (front - rear) / base
    return front - model.l1 * sine, sine


@pytest.mark.parametrize("rim_speed", [0.0, 12.0, 30.0])
@pytest.mark.parametrize(
    "model",
    [MODELS[1], MODELS[2], *(dataclasses.replace(MODELS[1], mass=mass, young=2e11) for mass in (900.0, 5200.0))],
    ids=["model 1", "model 2", "light steel", "5200 kg steel"],
)
def test_start_is_the_closed_form_for_free_and_driven_wheels(model, rim_speed):
    """Refused were model 2 and 5200 kg; driven cars were balanced with spinning wheels, 0.08 mm too high."""
    height, sine = closed_form(model)
    body = standing(model, rim_speed).parts["car1.body"]
    assert body.position[2] == pytest.approx(height, abs=1e-9)
    assert body.directors[2][0] == pytest.approx(sine, abs=1e-9)
    assert body.velocity == pytest.approx([12.0, 0.0, 0.0])


def test_listed_pitch_is_that_of_model_2_and_listed_height_that_of_model_1():
    """Appendix C lists one pitch for both models: the one of model 2. Its R3 of model 2 is 77 mm too high."""
    assert closed_form(MODELS[1]) == pytest.approx((MODELS[1].r3, -0.01383), abs=5e-6)
    height, sine = closed_form(MODELS[2])
    assert sine == pytest.approx(MODELS[2].directors[0][2], abs=1e-4)
    assert MODELS[2].r3 - height == pytest.approx(0.0770, abs=1e-4)


@pytest.mark.parametrize("drops", [(0.0, 0.0), (0.3, 0.2), (-0.1, 0.4)])
def test_nothing_accelerates_at_the_start(drops):
    """With H1, H2 the directors are loaded too: then the engine's own accelerations are the judge."""
    model = dataclasses.replace(MODELS[2], h1=drops[0], h2=drops[1])
    session = Session(standing(model), RunSettings(duration=1.0, method="predictor-corrector", audit=False))
    session.workspace.evaluate(0.0)
    assert np.abs(session.workspace["acceleration"]).max() < 1e-6


def test_no_equilibrium_names_what_the_command_has():
    with pytest.raises(InputError) as caught:
        standing(dataclasses.replace(MODELS[1], l2=-0.5))
    assert "centrode medusa --listed" in str(caught.value)
    assert "equilibrium: false" not in str(caught.value)


def test_the_command_runs_model_2_and_it_stays_where_it_stands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.dat").write_text(format_models(MODELS))
    vehicles = tuple(LegacyVehicle(2, 0.0, y, 0.0, 12.0, rim, 0.0) for y, rim in ((0.0, 0.0), (6.0, 12.0)))
    (tmp_path / "platoon.dat").write_text(format_platoon(LegacyPlatoon(vehicles)))
    (tmp_path / "road.dat").write_text(format_road(PLANE))
    assert run(["medusa", "-t.5", "-s.1", "--quiet"]) == 0
    table = np.loadtxt(tmp_path / "director.asc")
    height, sine = closed_form(MODELS[2])
    for first in (1, 13):
        assert table[:, first + 2] == pytest.approx(height, abs=1e-8)
        assert np.arcsin(table[:, first + 5]) == pytest.approx(math.asin(sine), abs=1e-8)
