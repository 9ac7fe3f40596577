"""The page of measured crashes shows what the runs give now: a change of the physics makes it again.

``python -m centrode.crash.measured.figures docs`` writes its table and figures.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from centrode.crash.measured.published import checks
from centrode.jit import JIT_ON

TABLE = Path(__file__).parents[2] / "docs" / "measured-results.md"


@pytest.mark.slow
@pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")
@pytest.mark.parametrize("name", ["measured.camry.crush", "measured.camry.rebound", "measured.4363.delta_v_1"])
def test_the_table_holds_what_the_run_gives(name: str) -> None:
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in TABLE.read_text(encoding="utf-8").splitlines()]
    shown = {row[0]: row[2] for row in rows}
    check = next(item for item in checks() if item.id == name)
    # four digits are printed
    assert float(shown[name]) == pytest.approx(check.compute(), rel=5e-4)
