"""The five decks of the report of 1999, its model 2 and 18 new decks against its equations, through the command.

    python benchmarks/medusa_decks.py

Each deck is written to files, run by ``centrode medusa`` without contact, and read back from director.asc and
velocity.asc. The reference (tests/medusa_reference.py) integrates (1.30) with (1.52) at the same step and shares
nothing with the package. A line per deck, the largest difference of each kind of column:

    place [m]   directors [1]   velocity [m/s]   their rates [1/s]   the worst column, in parts of what is allowed

Allowed are 1e-6 of the largest value of a column in a deck, as for the runs of the original, and half a unit of the
last printed digit (1e-9 relative). Model 2 starts from its closed form: there nothing moves but the car ahead, and 1e-9
of a metre and a radian, 1e-6 per second are allowed (elastic cancellation: 4e9 N against 15 kN).
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

TESTS = Path(__file__).parents[1] / "tests"
if str(TESTS) not in sys.path:
    sys.path.append(str(TESTS))
import medusa_reference as report  # noqa: E402

from centrode.cli.main import run  # noqa: E402
from centrode.scenario.medusa.reader import read_models  # noqa: E402
from centrode.scenario.medusa.records import LegacyModels, LegacyPlatoon, LegacyRoad, LegacyVehicle  # noqa: E402
from centrode.scenario.medusa.writer import format_models, format_platoon, format_road  # noqa: E402
from centrode.vehicles.platoon import read_legacy  # noqa: E402

INPUTS = TESTS / "conformance" / "data" / "medusa_inputs"
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

LANE = ((0.05, 4.0), (0.15, -3.0), (0.3, -4.0), (0.4, 0.0))
ALONG_Y = tuple((-y, x, z, bank) for x, y, z, bank in SLOPE)
CREST = ((0.0, 0.0, 0.0, 0.0), (40.0, 0.0, 4.0, 0.0), (80.0, 0.0, 0.0, 0.0), (120.0, 0.0, 0.0, 0.0))

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
    "lane change of a mixed platoon": Deck(
        (ONE, TWO),
        tuple(
            car(model=1 + k % 2, x=9.0 * k, speed=24.0 - k, rim=24.0 * (k % 2), history=LANE[k % 2 :: 2])
            for k in range(5)
        ),
    ),
    "along y, far beside the line": Deck(vehicles=(car(x=-9.0, y=40.0, heading=93.0),), points=ALONG_Y),
    "downhill against the road": Deck(vehicles=(car(x=190.0, y=16.0, heading=195.0, rim=21.0),), points=SLOPE),
    "front wheels all but locked": Deck(vehicles=(car(speed=25.0, rim=0.4, steering=1.0),)),
    "starting from a walk": Deck(vehicles=(car(speed=0.7, rim=6.0, steering=-8.0),)),
    "over a crest": Deck(vehicles=(car(x=35.0, speed=33.0),), points=CREST),
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


def wanted_states() -> dict[str, np.ndarray]:
    """States (frames, vehicles, 28) of every deck, all integrated at once."""
    rows = [(name, k) for name, deck in DECKS.items() for k in range(len(deck.vehicles))]
    platoon = report.Platoon([vehicle for deck in DECKS.values() for vehicle in reference_vehicles(deck)])
    for number, (name, k) in enumerate(rows):
        if "--listed" not in DECKS[name].options:
            stand(platoon.state[number], DECKS[name].models[DECKS[name].vehicles[k].model - 1])
    states = platoon.run(END, STEP, SAVE)
    return {name: states[:, [n for n, row in enumerate(rows) if row[0] == name]] for name in DECKS}


class Compared(NamedTuple):
    """Differences of the 24 columns of a deck, and what is allowed."""

    error: np.ndarray
    bound: np.ndarray


def compare(name: str, states: np.ndarray, folder: Path) -> Compared:
    """Run a deck by the command in a folder, and compare its files with the reference."""
    deck = DECKS[name]
    (folder / "model.dat").write_text(format_models(LegacyModels(deck.models)))
    (folder / "platoon.dat").write_text(format_platoon(LegacyPlatoon(deck.vehicles)))
    (folder / "road.dat").write_text(format_road(LegacyRoad(deck.points)))
    times = [f"-t{END}", f"-d{STEP}", f"-s{SAVE}"]
    with contextlib.chdir(folder):
        code = run(["medusa", *times, "--no-contact", "--quiet", "--smartpath", "a", *deck.options])
    if code != 0:
        raise RuntimeError(f"{name}: exit code {code}")
    count = len(deck.vehicles)
    tables = [np.loadtxt(folder / f"{file}.asc")[:, 1:].reshape(-1, count, 12) for file in ("director", "velocity")]
    got, size = np.concatenate(tables, axis=2), np.abs(states[:, :, :24]).max(axis=(0, 1))
    bound = 1e-6 * size + 1e-9 if deck.options else np.repeat([1e-9, 1e-6], 12) + 1e-9 * size
    return Compared(np.abs(got - states[:, :, :24]).max(axis=(0, 1)), bound)


def main() -> int:
    """Print the table; 1 when a deck is off."""
    states, off = wanted_states(), 0
    print(f"{'deck':<32} cars    place  directors  velocity     rates   of what is allowed")
    for name, deck in DECKS.items():
        with tempfile.TemporaryDirectory() as folder:
            error, bound = compare(name, states[name], Path(folder))
        parts = [error[:3].max(), error[3:12].max(), error[12:15].max(), error[15:].max()]
        worst = float((error / bound).max())
        off += worst > 1.0
        print(f"{name:<32} {len(deck.vehicles):4d} {parts[0]:8.1e}   {parts[1]:8.1e}  {parts[2]:8.1e}  {parts[3]:8.1e}"
              f"   {worst:.2g}{' OFF' if worst > 1.0 else ''}", flush=True)  # fmt: skip
    print(f"{len(DECKS) - off} of {len(DECKS)} decks within what is allowed")
    return 1 if off else 0


if __name__ == "__main__":
    sys.exit(main())
