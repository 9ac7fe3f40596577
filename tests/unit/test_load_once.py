"""Work done once: a scenario is parsed once, like cars are balanced once, a run keeps what it was made of."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import centrode
from centrode import running
from centrode.crash.report import crash_data, crash_figures
from centrode.scenario import loader
from centrode.scenario.document import Scenario
from centrode.scenario.writing import to_data
from centrode.vehicles.car import equilibrium
from centrode.view.scene import scene_of

OFFSET = Path(__file__).parents[2] / "scenarios" / "collisions" / "offset.yaml"
CARS = """
centrode: 1
roads: {road: {kind: plane}}
vehicles:
  car${i}: {repeat: {count: %d}, kind: car, road: road, position: ["${7 * i}", "${0.1 * i}"], speed: 20,
    brake: {kind: staircase, times: ["${1 + i}"], values: [0.5]}}
"""
TILTED = """
centrode: 1
roads: {road: {kind: plane, origin: [3, -2, 1], heading: 20 deg, slope: 4 deg, bank: 3 deg}}
vehicles:
  here: {kind: car, road: road, position: [3, -2], speed: 10}
  there: {kind: car, road: road, position: [60, 45], speed: 10}
"""


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often text is parsed, equilibria are solved and models are built."""
    found: Counter[str] = Counter()

    def spy(where: Any, name: str, label: str) -> None:
        real = getattr(where, name)

        def counting(*arguments: Any, **options: Any) -> Any:
            found[label] += 1
            return real(*arguments, **options)

        monkeypatch.setattr(where, name, counting)

    monkeypatch.setattr(equilibrium, "_known", {})
    spy(loader, "parse", "parsed")
    spy(loader._Loader, "check_references", "references")
    spy(equilibrium, "solve_alone", "equilibria")
    spy(equilibrium, "build_model", "models of cars")
    spy(running, "build_model", "models")
    return found


def test_run_crash_table_and_page_load_once(counts: Counter[str], tmp_path: Path) -> None:
    """Both cars of the file are alike, so that one equilibrium is enough."""
    scenario = centrode.load(OFFSET, edits={"run.duration": 0.001, "run.frames": 0.0005})
    run = centrode.simulate(scenario, path=tmp_path / "run.nc")
    once = {"parsed": 1, "references": 1, "equilibria": 1, "models of cars": 1, "models": 1}
    assert counts == once
    crash_data(run)
    crash_figures(run)
    run.collisions.table()
    assert scene_of(run).data["shapes"]
    assert counts == once


def test_recording_from_a_file_is_read_once(counts: Counter[str], tmp_path: Path) -> None:
    scenario = centrode.load(OFFSET, edits={"run.duration": 0.001, "run.frames": 0.0005})
    centrode.simulate(scenario, path=tmp_path / "run.nc")
    counts.clear()
    run = centrode.Recording.load(tmp_path / "run.nc")
    crash_data(run)
    scene_of(run)
    assert run.scenario() is run.scenario()
    assert counts == {"parsed": 1, "references": 1}, "the cars are known"


def test_derived_views_are_kept() -> None:
    run = centrode.simulate(_brick(), duration=0.01, step=0.005)
    assert run.collisions is run.collisions
    assert run.tyre_marks is run.tyre_marks


def test_recording_keeps_the_system_as_it_was() -> None:
    system = _brick()
    run = centrode.simulate(system, duration=0.01, step=0.005)
    system.add(centrode.RigidBody("other", mass=1.0, inertia=(1.0, 1.0, 1.0)))
    assert list(run.scenario().system.parts) == ["brick"]
    assert list(system.parts) == ["brick", "other"]


@pytest.mark.parametrize("count", [5, 10])
def test_work_of_loading_grows_with_the_number_of_cars(
    count: int, counts: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same number of look-ups for each car, and one equilibrium for all."""
    seen = 0
    real = centrode.System._reference_faults

    def counting(system: centrode.System, part: Any) -> Any:
        nonlocal seen
        seen += 1
        return real(system, part)

    monkeypatch.setattr(centrode.System, "_reference_faults", counting)
    loaded = loader.loads(CARS % count)
    assert counts == {"parsed": 1, "references": 1, "equilibria": 1, "models of cars": 1}
    assert seen == len(loaded.system.parts) == 1 + 6 * count


def test_like_cars_stand_alike_wherever_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a tilted plane away from the origin: where each would stand that is balanced on its own spot."""
    monkeypatch.setattr(equilibrium, "_known", {})
    shared = loader.loads(TILTED).system
    assert len(equilibrium._known) == 1
    monkeypatch.setattr(equilibrium, "_known", {})
    monkeypatch.setattr(equilibrium, "RoadPlane", type(None))  # no road is known to be the same everywhere
    apart = loader.loads(TILTED).system
    assert len(equilibrium._known) == 2
    for name in ("here.body", "there.body"):
        one, two = shared.parts[name], apart.parts[name]
        # Unbalanced by CONVERGED of the weight, on springs that give 0.2 m under it: 2e-11 m. The rest is rounding.
        assert one.position == pytest.approx(two.position, abs=1e-10)
        assert np.array(one.directors) == pytest.approx(np.array(two.directors), abs=1e-10)


def _brick() -> centrode.System:
    system = centrode.System("Brick")
    system.add(centrode.RigidBody("brick", mass=1.0, inertia=(0.1, 0.2, 0.3)))
    return system


def test_text_leaves_out_what_vehicles_make_and_nothing_else() -> None:
    system = loader.loads(CARS % 1).system
    system.add(centrode.RigidBody("stone", mass=1.0, inertia=(1.0, 1.0, 1.0)))
    system.add(centrode.RigidBody("stone.upper", mass=1.0, inertia=(1.0, 1.0, 1.0)))
    data = to_data(Scenario(system), [])
    assert {section: list(entries) for section, entries in data.items() if isinstance(entries, dict)} == {
        "roads": ["road"],
        "vehicles": ["car0"],
        "bodies": ["stone", "stone.upper"],
    }
