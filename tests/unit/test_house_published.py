"""The comparison of reached with published numbers."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

import centrode
from centrode import published
from centrode.errors import InputError
from centrode.published import Check, run_check


def fail() -> float:
    raise ZeroDivisionError("no wheelbase")


def check(compute: object, **changes: object) -> Check:
    values = {"id": "topic.name", "source": "somewhere", "published": 2.0, "tolerance": 0.01, "compute": compute}
    return Check(**{**values, **changes})  # type: ignore[arg-type]


def test_difference_is_reached_minus_published() -> None:
    result = run_check(check(lambda: 2.008))
    assert result.ok
    assert result.difference == pytest.approx(0.008, abs=1e-15)  # one rounding of a difference near 2


def test_a_number_outside_the_tolerance_is_missed() -> None:
    assert not run_check(check(lambda: 2.011)).ok


def test_relative_tolerance_is_a_fraction_of_the_size_of_the_published_number() -> None:
    result = run_check(check(lambda: -201.0, published=-200.0, relative=True))
    assert result.ok
    assert result.tolerance == 2.0
    assert not run_check(check(lambda: -202.5, published=-200.0, relative=True)).ok


def test_a_failing_computation_is_a_missed_number_with_its_message() -> None:
    result = run_check(check(fail))
    assert not result.ok
    assert result.reached is None
    assert result.difference is None
    assert result.message == "ZeroDivisionError: no wheelbase"


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_not_finite_is_missed(value: float) -> None:
    result = run_check(check(lambda: value, tolerance=math.inf))
    assert not result.ok
    assert "not a finite number" in result.message


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.floats(0, 1e3))
def test_ok_means_within_tolerance(number: float, reached: float, tolerance: float) -> None:
    result = run_check(check(lambda: reached, published=number, tolerance=tolerance))
    assert result.ok == (abs(reached - number) <= tolerance)


def test_select_by_topic_and_by_id() -> None:
    checks = [check(fail, id="road.height"), check(fail, id="road.slope"), check(fail, id="car.mass")]
    assert [item.id for item in published.select(checks, "road")] == ["road.height", "road.slope"]
    assert [item.id for item in published.select(checks, "car.mass")] == ["car.mass"]
    assert [item.id for item in published.select([*checks, check(fail, id="road.height.left")], "road.height")] == [
        "road.height",
        "road.height.left",
    ]
    assert published.select(checks, None) == checks
    assert published.topics(checks) == ["car", "road"]


def test_unknown_topic_names_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'bicycle'"):
        published.select([check(fail, id="bicycle.weave")], "bicylce")
    with pytest.raises(InputError):
        published.select([check(fail, id="bicycle.weave")], "bicycle.we")


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of its own in place of centrode, for discovery."""
    (tmp_path / "deep" / "deeper").mkdir(parents=True)
    for folder in (tmp_path / "deep", tmp_path / "deep" / "deeper"):
        (folder / "__init__.py").write_text("")
    monkeypatch.setattr(centrode, "__path__", [*centrode.__path__, str(tmp_path)])
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.startswith("centrode.deep"):
            del sys.modules[name]
            vars(centrode).pop("deep", None)


CHECKS_TEXT = """
from centrode.published import Check
CHECKS = [Check("deep.{name}", "book", 1.0, 0.1, lambda: 1.05)]
"""


def test_discovery_finds_lists_and_functions_at_any_depth(room: Path) -> None:
    (room / "deep" / "published.py").write_text(CHECKS_TEXT.format(name="b"))
    text = CHECKS_TEXT.format(name="a").replace("CHECKS = ", "def checks():\n    return ")
    (room / "deep" / "deeper" / "published.py").write_text(text)
    (room / "deep" / "other.py").write_text("raise RuntimeError('must not be imported')")
    found = [item.id for item in published.discover() if item.topic == "deep"]
    assert found == ["deep.a", "deep.b"]
    seen: list[tuple[int, int]] = []
    results = published.run_checks("deep", on_result=lambda result, done, total: seen.append((done, total)))
    assert [result.ok for result in results] == [True, True]
    assert seen == [(1, 2), (2, 2)]


def test_discovery_refuses_an_id_that_exists_twice(room: Path) -> None:
    (room / "deep" / "published.py").write_text(CHECKS_TEXT.format(name="a"))
    (room / "deep" / "deeper" / "published.py").write_text(CHECKS_TEXT.format(name="a"))
    with pytest.raises(ValueError, match="exists twice"):
        published.discover()


def test_discovery_refuses_an_id_without_topic(room: Path) -> None:
    (room / "deep" / "published.py").write_text(CHECKS_TEXT.format(name="a").replace("deep.a", "a"))
    with pytest.raises(ValueError, match="lacks a topic"):
        published.discover()


def test_module_without_checks_is_refused() -> None:
    module = ModuleType("centrode_nothing")
    sys.modules["centrode_nothing"] = module
    try:
        with pytest.raises(ValueError, match="neither CHECKS nor checks"):
            published._checks_of("centrode_nothing")
    finally:
        del sys.modules["centrode_nothing"]
