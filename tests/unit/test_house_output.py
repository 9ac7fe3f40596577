"""What commands write: strict JSON, tables, progress."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from centrode.cli.output import emit_json, print_table, progress
from centrode.texts import cell_text, to_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.complex_numbers(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES)
def test_any_value_becomes_strict_json(value: object) -> None:
    text = json.dumps(to_json(value), allow_nan=False)
    json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_keep_every_digit(value: float) -> None:
    assert json.loads(json.dumps(to_json(value))) == value


def test_arrays_dataclasses_and_numbers_that_json_lacks() -> None:
    @dataclass
    class Row:
        speed: float
        path: object

    data = to_json({"row": Row(math.nan, np.array([1.0, np.inf])), "scalar": np.float64(2.5), "count": np.int64(3)})
    assert data == {"row": {"speed": None, "path": [1.0, None]}, "scalar": 2.5, "count": 3}


def test_emit_json_writes_to_the_output_stream(capsys: pytest.CaptureFixture[str]) -> None:
    emit_json([{"µ": math.inf}])
    assert json.loads(capsys.readouterr().out) == [{"µ": None}]


def test_plain_table_sets_numbers_right_and_text_left(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(["name", "mass [kg]"], ((name, mass) for name, mass in [("arm", 1.0), ("wheel", 12.5)]), title="bodies")
    assert capsys.readouterr().out.splitlines() == [
        "bodies",
        "name   mass [kg]",
        "-----  ---------",
        "arm            1",
        "wheel       12.5",
    ]


def test_table_without_rows_still_shows_its_columns(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(["name", "mass"], [])
    assert capsys.readouterr().out.splitlines()[0] == "name  mass"


@pytest.mark.parametrize(
    ("value", "text"), [(None, ""), (True, "yes"), (False, "no"), (1.23456789, "1.23457"), (7, "7"), ("x", "x")]
)
def test_cell_text(value: object, text: str) -> None:
    assert cell_text(value) == text


def test_progress_off_a_terminal_is_one_line_on_the_error_stream(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("working") as advance:
        for step in range(100):
            advance(step / 100)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "working ...\n"


def test_quiet_progress_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("working", quiet=True) as advance:
        advance(0.5)
    assert capsys.readouterr() == ("", "")
