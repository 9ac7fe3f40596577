"""The scenario files of beams run, and end as their closed forms or their twice as fine selves say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import centrode as ct
from centrode.cli.main import run as command
from centrode.scenario.loader import load

FOLDER = Path(__file__).parents[2] / "scenarios" / "beams"
FILES = sorted(FOLDER.glob("*.yaml"))

pytestmark = pytest.mark.compiled


def bend_of_middle(elements):
    """Largest distance of the rod's middle from the line between its ends [m], in a third of a turn."""
    scenario = load(FOLDER / "slider_crank.yaml", edits={"vehicles.rod.elements": elements})
    run = ct.simulate(scenario, duration=0.014)
    start, middle, end = (run[f"rod.node{k}.position"] for k in (0, elements // 2, elements))
    chord = end - start
    across = np.column_stack([-chord[:, 1], chord[:, 0]]) / np.linalg.norm(chord, axis=1)[:, None]
    return np.abs(((middle - start) * across).sum(axis=1)).max()


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_file_is_sound(file, capsys):
    assert command(["check", str(file)]) == 0
    assert "no faults" in capsys.readouterr().out


def test_connecting_rod_bends_alike_with_twice_the_elements():
    """Order two: eight elements differ from four by three times what eight differ from the limit; 2 % are allowed."""
    coarse, fine = bend_of_middle(4), bend_of_middle(8)
    assert fine > 1e-3
    assert coarse == pytest.approx(fine, rel=0.02)
