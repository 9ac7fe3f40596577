"""Every published number of the bicycle, one test per group: Meijaard et al. 2007, Basu-Mandal et al. 2007, IFToMM."""

from __future__ import annotations

import pytest

from centrode.published import run_check
from centrode.vehicles.bicycle.published import checks

ALL = checks()
GROUPS = sorted({".".join(check.id.split(".")[:2]) for check in ALL})


def test_nothing_is_missing():
    """16 entries by two kinds of derivatives, 44 eigenvalues, 5 critical figures, 9 accelerations, 25 + 2 of M2, ..."""
    count = {group: sum(check.id.startswith(f"{group}.") for check in ALL) for group in GROUPS}
    assert count["bicycle.matrices"] == 32
    assert count["bicycle.eigenvalues"] == 44
    assert count["bicycle.speeds"] == 5
    assert count["bicycle.accelerations"] == 9
    assert count["bicycle.m2"] == 27
    assert count["bicycle.turns"] == 33


@pytest.mark.parametrize("group", GROUPS)
def test_published_numbers_are_reached(group):
    missed = [result for result in map(run_check, (c for c in ALL if c.id.startswith(f"{group}."))) if not result.ok]
    assert not missed, "\n".join(f"{m.id}: {m.reached} for {m.published} ({m.message})" for m in missed)
