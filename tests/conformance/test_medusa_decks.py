"""The five decks of the report, its model 2 and twelve new decks against its equations, through the command.

The reference (medusa_reference) integrates (1.30) with (1.52) at the same step. Tolerance: 1e-6 of the largest |value|
of each channel of a deck, as for the runs of the original, and half a unit of the last printed digit (1e-9 relative).
Model 2 starts from its closed form: there nothing moves but the car ahead, and the tolerance is 1e-9 of a metre and a
radian, 1e-6 per second (elastic cancellation: 4e9 N against 15 kN).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import medusa_reference as report
import numpy as np
import pytest

from centrode.cli.main import run
from centrode.scenario.medusa.reader import read_models
from centrode.scenario.medusa.records import LegacyModels, LegacyPlatoon, LegacyRoad, LegacyVehicle
from centrode.scenario.medusa.writer import format_models, format_platoon, format_road
from centrode.vehicles.platoon import read_legacy

INPUTS = Path(__file__).parent / "data" / "medusa_inputs"
ONE, TWO = read_models(INPUTS / "offset" / "model.dat").models
END, STEP, SAVE = 0.6, 1e-4, 0.05
HALF = 0.5 * STEP
PLANE = ((-100.0, 0.0, 0.0, 0.0), (100.0, 0.0, 0.0, 0.0), (500.0, 0.0, 0.0, 0.0), (1000.0, 0.0, 0.0, 0.0))
EVADING = ((0.30, 3.0), (0.50, 9.0))


@dataclass
class Deck:
    """Vehicles on a road; ``options`` are those of the command."""

    models: tuple = (ONE,)
    vehicles: tuple = ()
    points: tuple = PLANE
    options: tuple[str, ...] = ("--listed",)
    result: list = field(default_factory=list)


def car(*, model=1, x=0.0, y=0.0, heading=0.0, speed=20.0, rim=0.0, steering=0.0, history=()):
    return LegacyVehicle(model, x, y, heading, speed, rim, steering, tuple((t + HALF, angle) for t, angle in history))


def of_the_report(example, history=()) -> Deck:
    models, platoon, road = read_legacy(INPUTS / example)
    first = dataclasses.replace(platoon.vehicles[0], steering_history=tuple((t + HALF, angle) for t, angle in history))
    return Deck(models.models, (first, *platoon.vehicles[1:]), road.points)


SLOPE = ((0.0, 0.0, 0.0, 5.0), (60.0, 0.0, 1.0, -3.0), (130.0, 6.0, 3.0, 2.0), (220.0, 20.0, 4.0, 0.0))
BENDS = (
    *((0.0, 0.0, 0.0, 0.0), (80.0, 5.0, 1.0, 2.0), (160.0, 3.0, 2.0, -2.0)),
    *((250.0, 10.0, 2.0, 1.0), (330.0, 12.0, 1.0, 0.0), (400.0, 2.0, 0.0, 0.0)),
)
HEAVY = dataclasses.replace(ONE, mass=5200.0, ix=1900.0, iy=8200.0, iz=8800.0, r3=-0.18)
HIGH = dataclasses.replace(ONE, r3=0.31)
DROPPED = dataclasses.replace(ONE, h1=0.25, h2=0.15, r3=0.26, d1=0.0, d2=0.0)

DECKS = {
    "offset": of_the_report("offset"),
    "wave": of_the_report("wave"),
    "merging": of_the_report("merging"),
    "evading": of_the_report("evading", EVADING),
    "banked": of_the_report("banked"),
    "model 2": Deck((ONE, TWO), (car(model=2), car(model=2, y=9.0, rim=20.0)), options=()),
    "accelerating": Deck(vehicles=(car(rim=25.0),)),
    "braking in a bend": Deck(vehicles=(car(speed=25.0, rim=21.0, steering=2.0),)),
    "left and right": Deck(
        vehicles=(car(speed=25.0, steering=3.0), car(y=8.0, speed=15.0, heading=30.0, steering=-4.0))
    ),
    "model 2 in a bend": Deck((ONE, TWO), (car(model=2, speed=12.0, steering=5.0, rim=12.5),)),
    "heavy, backwards along the road": Deck((HEAVY,), (car(x=50.0, heading=135.0, steering=-2.0, rim=19.0),)),
    "reversing": Deck(vehicles=(car(x=30.0, speed=-8.0, steering=4.0),), options=("--listed", "--lag", "program")),
    "sliding": Deck(vehicles=(car(speed=30.0, rim=33.0, history=((0.1, 20.0), (0.35, -20.0))),)),
    "slope and bank": Deck(vehicles=(car(x=40.0, y=0.5, speed=22.0, rim=22.0),), points=SLOPE),
    "six points": Deck(
        vehicles=(car(x=233.0, y=8.0, speed=35.0, heading=4.0),), points=BENDS, options=("--listed", "--road", "report")
    ),
    "from the virtual segment": Deck(vehicles=(car(x=-6.0, y=0.3, steering=0.5),), points=SLOPE),
    "falling": Deck((HIGH,), (car(speed=15.0, steering=3.0),)),
    "low axles, no dampers": Deck((DROPPED,), (car(speed=18.0, steering=2.0),)),
}


def reference_vehicles(deck: Deck) -> Iterator[report.Vehicle]:
    for item in deck.vehicles:
        model = deck.models[item.model - 1]
        values = {name.upper(): value for name, value in vars(model).items() if name != "directors"}
        values |= {"E": model.young, "NU": model.poisson, "TIRE": model.tire_lag}
        values |= {f"D{i}{j}": model.directors[i - 1][j - 1] for i in (1, 2, 3) for j in (1, 2, 3)}
        values |= {"D1": model.d1, "D2": model.d2}
        steering = ((0.0, item.steering_deg), *item.steering_history)
        place = (item.x, item.y, item.orientation_deg, item.speed, item.tire_speed)
        yield report.Vehicle(values, *place, steering, deck.points)


def stand(state: np.ndarray, model) -> None:
    """Put a state on its springs: the closed form of test_medusa_equilibrium."""
    base, weight = model.l1 + model.l2, model.mass * 9.81
    front, rear = (
        model.spring_ref - weight * arm / base / (2 * c) for arm, c in ((model.l2, model.c1), (model.l1, model.c2))
    )
    sine = (front - rear) / base
    cosine = math.sqrt(1.0 - sine**2)
    state[2:12] = front - model.l1 * sine, cosine, 0.0, sine, 0.0, 1.0, 0.0, -sine, 0.0, cosine


@pytest.fixture(scope="module")
def wanted() -> dict[str, np.ndarray]:
    """States (frames, vehicles, 28) of every deck, all integrated at once."""
    rows = [(name, k) for name, deck in DECKS.items() for k in range(len(deck.vehicles))]
    platoon = report.Platoon([vehicle for deck in DECKS.values() for vehicle in reference_vehicles(deck)])
    for number, (name, k) in enumerate(rows):
        if "--listed" not in DECKS[name].options:
            stand(platoon.state[number], DECKS[name].models[DECKS[name].vehicles[k].model - 1])
    states = platoon.run(END, STEP, SAVE)
    return {name: states[:, [n for n, row in enumerate(rows) if row[0] == name]] for name in DECKS}


@pytest.mark.parametrize("name", DECKS)
def test_deck_against_the_equations_of_the_report(name, wanted, tmp_path, monkeypatch):
    deck = DECKS[name]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.dat").write_text(format_models(LegacyModels(deck.models)))
    (tmp_path / "platoon.dat").write_text(format_platoon(LegacyPlatoon(deck.vehicles)))
    (tmp_path / "road.dat").write_text(format_road(LegacyRoad(deck.points)))
    times = [f"-t{END}", f"-d{STEP}", f"-s{SAVE}"]
    assert run(["medusa", *times, "--no-contact", "--quiet", "--smartpath", "a", *deck.options]) == 0
    count = len(deck.vehicles)
    tables = [np.loadtxt(tmp_path / f"{file}.asc")[:, 1:].reshape(-1, count, 12) for file in ("director", "velocity")]
    got, states = np.concatenate(tables, axis=2), wanted[name]
    if deck.options:
        bound = 1e-6 * np.abs(states[:, :, :24]).max(axis=(0, 1)) + 1e-9
    else:
        bound = np.repeat([1e-9, 1e-6], 12) + 1e-9 * np.abs(states[:, :, :24]).max(axis=(0, 1))
    error = np.abs(got - states[:, :, :24]).max(axis=(0, 1))
    worst = int(np.argmax(error / bound))
    print(f"{name}: {error[worst] / bound[worst]:.2g} of the bound, channel {worst + 1}")
    assert error[worst] <= bound[worst]
    check_animation(tmp_path, deck, states)


def check_animation(folder: Path, deck: Deck, states: np.ndarray) -> None:
    """SmartPath files: the layout, and angles of the rotation nearest to F by another road, F (F^T F)^(-1/2)."""
    rows = np.loadtxt(folder / "a.state").reshape(states.shape[0], len(deck.vehicles), 19)
    assert rows[:, :, 0] == pytest.approx(np.arange(states.shape[0])[:, None] * SAVE + np.zeros(len(deck.vehicles)))
    assert (rows[:, :, 1] == np.arange(1, 1 + len(deck.vehicles))).all()
    assert not rows[:, :, [2, 3, 10, *range(12, 19)]].any()
    assert np.abs(rows[:, :, 4:7] - states[:, :, :3]).max() < 1e-4
    assert rows[:, :, 11] == pytest.approx(np.linalg.norm(states[:, :, 12:15], axis=2), abs=1e-4)
    gradient = np.swapaxes(states[:, :, 3:12].reshape(*states.shape[:2], 3, 3), 2, 3)
    squares, axes = np.linalg.eigh(np.swapaxes(gradient, 2, 3) @ gradient)
    rotation = gradient @ axes @ (squares[..., None] ** -0.5 * np.swapaxes(axes, 2, 3))
    heading, pitch, roll = np.moveaxis(rows[:, :, 7:10], 2, 0)
    nose = np.stack([np.cos(heading) * np.cos(pitch), np.sin(heading) * np.cos(pitch), np.sin(pitch)], axis=2)
    assert np.abs(nose - rotation[..., 0]).max() < 1e-4
    assert np.abs(np.cos(pitch) * np.sin(roll) - rotation[..., 2, 1]).max() < 1e-4
    lines = (folder / "a.cars").read_text().splitlines()
    assert lines == [str(len(deck.vehicles)), *(f"{k} simple{v.model}" for k, v in enumerate(deck.vehicles, 1))]
    config = (folder / "a.config").read_text()
    for number in {vehicle.model for vehicle in deck.vehicles}:
        size = deck.models[number - 1]
        wanted = f"CARTYPE simple{number}\nLENGTH {size.a1}\nWIDTH {size.a2}\nHEIGHT {size.a3}\n"
        assert wanted in config
