"""The comparison of packed kernels with plain Python finds what differs, and passes over what is round-off."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from compare_pack import largest_difference, near_plain

UNITS = {"time": "s", "a.x": "m", "b.x": "m", "rate": "1/s"}
ONE = {"time": np.arange(3.0), "a.x": np.array([1.0, 200.0, 3.0]), "b.x": np.zeros(3), "rate": np.full(3, 1e-16)}


def test_differences_are_shares_of_the_largest_value_of_a_unit() -> None:
    two = {**ONE, "b.x": np.array([0.0, 2e-6, 0.0])}
    assert largest_difference(ONE, two, UNITS) == ("b.x", pytest.approx(10.0))  # 1e-8 of 200 m, ten times 1e-9
    pushed = {**UNITS, "a.x": "N", "b.x": "N"}
    assert largest_difference(ONE, two, pushed) == ("b.x", pytest.approx(0.01)), "forces may differ by more"
    two = {**ONE, "rate": np.full(3, 3e-16)}  # nothing but round-off in both
    assert largest_difference(ONE, two, UNITS)[1] < 1.0


def test_a_quaternion_and_its_negative_are_one_orientation() -> None:
    turned = np.array([[0.6, 0.0, 0.0, 0.8], [0.0, 1.0, 0.0, 0.0]])
    one, two = {**ONE, "a.orientation": turned}, {**ONE, "a.orientation": turned * [[-1.0], [1.0]]}
    assert largest_difference(one, two, UNITS) == ("time", 0.0)
    two["a.orientation"] = turned[:, ::-1]
    assert largest_difference(one, two, UNITS)[1] > 1e6


@pytest.mark.parametrize(
    "two",
    [
        {**ONE, "a.x": np.array([1.0, np.nan, 3.0])},
        {**ONE, "a.x": np.zeros(2)},
        {name: values for name, values in ONE.items() if name != "rate"},
    ],
    ids=["not a number", "fewer frames", "a channel less"],
)
def test_what_cannot_be_compared_is_different(two: dict[str, np.ndarray]) -> None:
    assert largest_difference(ONE, two, UNITS)[1] == np.inf


@pytest.mark.compiled
@pytest.mark.parametrize("scenario", ["mechanisms/pendulum.yaml", "collisions/offset.yaml"])
def test_plain_python_agrees_over_the_first_steps(scenario: str, tmp_path: Path) -> None:
    """All scenarios: tools/compare_pack.py."""
    same, said = near_plain(Path(__file__).parents[2] / "scenarios" / scenario, tmp_path, 2)
    assert same, said
