"""The five decks of the report, its model 2 and 18 new decks against its equations, through the command.

Decks, reference and bounds: benchmarks/medusa_decks.py, which prints the table.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

_spec = importlib.util.spec_from_file_location(
    "medusa_decks", Path(__file__).parents[2] / "benchmarks" / "medusa_decks.py"
)
assert _spec is not None and _spec.loader is not None
decks = importlib.util.module_from_spec(_spec)
sys.modules["medusa_decks"] = decks
_spec.loader.exec_module(decks)


@pytest.fixture(scope="module")
def wanted() -> dict[str, np.ndarray]:
    return decks.wanted_states()


@pytest.mark.parametrize("name", decks.DECKS)
def test_deck_against_the_equations_of_the_report(name, wanted, tmp_path):
    error, bound = decks.compare(name, wanted[name], tmp_path)
    worst = int(np.argmax(error / bound))
    print(f"{name}: {error[worst] / bound[worst]:.2g} of the bound, channel {worst + 1}")
    assert error[worst] <= bound[worst]
    check_animation(tmp_path, decks.DECKS[name], wanted[name])


def check_animation(folder: Path, deck: decks.Deck, states: np.ndarray) -> None:
    """SmartPath files: the layout, and angles of the rotation nearest to F by another road, F (F^T F)^(-1/2)."""
    rows = np.loadtxt(folder / "a.state").reshape(states.shape[0], len(deck.vehicles), 19)
    assert rows[:, :, 0] == pytest.approx(
        np.arange(states.shape[0])[:, None] * decks.SAVE + np.zeros(len(deck.vehicles))
    )
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
