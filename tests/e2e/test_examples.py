"""All examples of mechanisms run, check their own end state and write a figure."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("mechanisms_*.py"))


def test_a_dozen_examples_are_found():
    assert len(EXAMPLES) >= 12


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example(example, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(example), run_name="__main__")
    assert capsys.readouterr().out.strip()
    figures = list((tmp_path / "out").glob("*.png"))
    assert figures
    assert all(figure.stat().st_size > 5000 for figure in figures)
