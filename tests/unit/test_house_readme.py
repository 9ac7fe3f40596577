"""The example of the README does what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")


@pytest.mark.compiled  # ten seconds of motion are long for kernels run as plain Python
def test_python_example_runs_to_its_end() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    names: dict[str, object] = {}
    exec(compile(example, "README.md", "exec"), names)
    run = names["run"]
    assert float(run.time[-1]) == pytest.approx(10.0, abs=1e-9)  # type: ignore[attr-defined]  # sum of equal steps
