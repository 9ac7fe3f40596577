"""The example of the README does what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from centrode.view.appearance import appearance_of

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")


@pytest.mark.compiled  # ten seconds of motion are long for kernels run as plain Python
def test_python_example_runs_to_its_end() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    names: dict[str, object] = {}
    exec(compile(example, "README.md", "exec"), names)
    run = names["run"]
    assert float(run.time[-1]) == pytest.approx(10.0, abs=1e-9)  # type: ignore[attr-defined]  # sum of equal steps


def test_the_arm_of_the_example_is_drawn_from_its_hinge_on() -> None:
    """Its smallest moment was about the vertical, so that a post was drawn, with the arm to it as the bar of a T."""
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    names: dict[str, object] = {}
    exec(compile(example.replace("run = ", "# ").replace("print(", "# "), "README.md", "exec"), names)
    (rod,) = [item for item in appearance_of(names["system"]).visuals if type(item).__name__ == "VisualCapsule"]
    assert min(abs(end[0] + 0.5) for end in (rod.start, rod.end)) < 1e-9  # one end lies at the hinge
