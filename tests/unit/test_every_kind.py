"""Every registered kind keeps its contract: a new kind is checked here without being listed anywhere."""

from __future__ import annotations

import pytest

from centrode.dynamics.contract import check_part, failures
from centrode.parts import registry

KINDS = [(family, kind) for family in registry.families() for kind in registry.kinds(family)]


@pytest.mark.parametrize(("family", "kind"), KINDS, ids=[f"{family}-{kind}" for family, kind in KINDS])
def test_kind_keeps_its_contract(family, kind):
    """Names and units of all; forces, joints and contact laws by their own checks; the rest builds and evaluates."""
    results = check_part(registry.find(family, kind), states=6)
    assert not failures(results), [str(result) for result in failures(results)]
    assert len(results) > 1, "more than its names is checked"


def test_carriage_is_put_through_the_checks_of_a_force():
    """Its wrenches are assigned, alone as beside others, and the same as Python; its energy is its own affair."""
    checked = {result.check: result.passed for result in check_part(registry.find("force", "carriage"), states=4)}
    assert checked["assignment"] and checked["several elements"]
    assert checked["action and reaction"] is None and checked["energy"] is None
