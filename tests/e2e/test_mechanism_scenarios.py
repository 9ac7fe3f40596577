"""The scenario files of the mechanisms: they run, and end as the same systems built in Python."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from centrode.cli.main import run as command
from centrode.running import Session
from centrode.scenario.loader import load
from centrode.vehicles.mechanisms import build_mechanism

FILES = sorted((Path(__file__).parents[2] / "scenarios" / "mechanisms").glob("*.yaml"))
VALUES = {"four-bars": {"windows": 10}, "chain": {"links": 10}}
END = {"squeezer": 0.005}
"""Short runs: the systems are compared, not the methods. Default 0.1 s."""


def test_a_dozen_files_are_found():
    assert len(FILES) >= 12


def end_state(system, settings, duration):
    session = Session(system, settings)
    session.advance(np.array([duration]))
    model = session.model
    order = sorted(range(model.body_count), key=lambda slot: model.body_names[slot + 1])
    return [model.body_names[slot + 1] for slot in order], session.workspace["pose"][order]


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_file_and_function_end_alike(file):
    """Expressions of a file and of Python differ by round-off only."""
    name = file.stem.replace("_", "-")
    scenario = load(file)
    duration = END.get(name, 0.1)
    names, from_file = end_state(scenario.system, scenario.settings, duration)
    same, from_python = end_state(build_mechanism(name, **VALUES.get(name, {})), scenario.settings, duration)
    assert names == same
    assert np.abs(from_file - from_python).max() < 1e-11


def test_a_file_runs_by_the_command(tmp_path, capsys):
    target = tmp_path / "slider.nc"
    file = next(path for path in FILES if path.stem == "slider_crank")
    assert command(["run", str(file), "-o", str(target), "--duration", "0.1"]) == 0
    assert target.exists()
    assert "completed" in capsys.readouterr().out
