"""Every contact law, built in or from a plugin, keeps the contract; planted faults are found."""

from __future__ import annotations

import math
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from centrode.dynamics.contact.law_contract import check_law, load_cycle, random_episode
from centrode.dynamics.contract import check_part, failures
from centrode.jit import JIT_ON
from centrode.parts import registry
from centrode.parts.contact_laws.contact_law import ACTIVE, MEMORY

PLUGIN = Path(__file__).parents[2] / "examples" / "plugins" / "rubber_bumper.py"
LAWS = registry.kinds("contact_law", [PLUGIN])
LAWS = {kind: law for kind, law in LAWS.items() if not law.by_columns}  # their structures have a contract
CONSERVING = sorted(kind for kind, law in LAWS.items() if law.conserving)
# A thousand steps of a cycle in plain Python take a second.
STEPS = 4000 if JIT_ON else 800


def test_the_plugin_is_among_the_laws():
    assert "rubber-bumper" in LAWS and "rubber-bumper" not in registry.kinds("contact_law")
    assert set(LAWS) - set(CONSERVING) == {"report-multiplier"}


@pytest.mark.parametrize("kind", sorted(LAWS))
def test_every_law_keeps_the_contract(kind):
    results = check_law(LAWS[kind], states=60)
    assert not failures(results), [str(item) for item in failures(results)]
    assert {item.check for item in results} >= {"apart", "energy balance", "evaluation writes nothing"}


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(CONSERVING), st.floats(1e4, 1e8), st.floats(0.0, 1.5), st.integers(0, 2**32 - 1)
)  # fmt: skip
def test_states_of_any_law(kind, stiffness, friction, seed):
    fields = LAWS[kind].__dataclass_fields__
    values = {"friction": friction} | ({"stiffness": stiffness} if "stiffness" in fields else {})
    if kind == "crush-width":
        values["b"] = 0.3 * stiffness  # softer than unloading over the width of 1.5 m
    law = LAWS[kind]("law", **values)
    par, memory, (depth, rate, slip) = random_episode(law, np.random.default_rng(seed))
    force, mu, stored, power = LAWS[kind].law_kernel(par, memory, depth, rate, slip)
    assert force >= 0.0 and mu >= 0.0 and stored >= 0.0
    assert power >= -1e-12 * force * abs(rate)
    assert all(math.isfinite(x) for x in (force, mu, stored, power))
    assert LAWS[kind].law_kernel(par, memory, 0.0, rate, slip)[0] == 0.0


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(CONSERVING), st.floats(1e-3, 0.5), st.floats(0.05, 15.0))
def test_a_closed_cycle_costs_what_is_dissipated(kind, depth, rate):
    work, lost, stored = load_cycle(LAWS[kind]("law"), depth, rate, STEPS)
    # first order at the kinks of crush: the largest step of a cycle is 7/STEPS of the depth
    assert abs(work - lost) < 10.0 / STEPS * max(stored, work)
    assert lost >= 0.0


DAMPED = "spring * max(1.0 + par[DAMPING] * depth_rate, 0.0)"
PLANTED = {
    "apart": ("return 0.0, 0.0, 0.0, 0.0", "return 1e-9, 0.0, 0.0, 0.0"),
    "never pulls": (DAMPED, "spring * (1.0 + depth_rate)"),
    "never gives energy": ("(force - spring) * depth_rate", "-abs((force - spring) * depth_rate)"),
    "energy balance": ("stored, (force - spring) * depth_rate", "stored, 0.0"),
    "kernels": ("begin_kernel: ClassVar[Any] = ct.contact_law.plain_begin", "begin_kernel: ClassVar[Any] = None"),
    "evaluation writes nothing": ("    cubic = par[CUBIC]", "    memory[3] = depth\n    cubic = par[CUBIC]"),
}


@pytest.mark.parametrize("check", sorted(PLANTED))
def test_a_planted_fault_is_found(check, tmp_path):
    text = PLUGIN.read_text(encoding="utf-8")
    before, after = PLANTED[check]
    assert before in text
    file = tmp_path / f"faulty_{check.replace(' ', '_')}.py"
    file.write_text(text.replace(before, after), encoding="utf-8")
    assert check in {item.check for item in failures(check_part(file))}


class Watched:
    """A law that notes what its kernels are given."""

    calls: ClassVar[list[tuple[str, np.ndarray, np.ndarray]]] = []

    def pack(self):
        return np.arange(1.0, 7.0)

    @classmethod
    def kernels(cls):
        def begin(par, memory, *more):
            cls.calls.append(("begin", par, memory.copy()))
            memory[ACTIVE] = 1.0

        def force(par, memory, *more):
            return 0.0, 0.0, 0.0, 0.0

        def advance(par, memory, *more):
            cls.calls.append(("advance", par, memory.copy()))

        return begin, force, advance


def test_the_contract_gives_kernels_their_parameters_and_a_memory_of_one_episode():
    """Parameters first, memory second; a second episode finds the first one ended, with its dents."""
    for work in (
        lambda: [random_episode(Watched(), np.random.default_rng(seed)) for seed in range(8)],
        lambda: load_cycle(Watched(), 0.1, 1.0, 10),
    ):
        Watched.calls.clear()
        work()
        assert {name for name, _, _ in Watched.calls} == {"begin", "advance"}
        for name, par, memory in Watched.calls:
            assert np.array_equal(par, np.arange(1.0, 7.0)) and memory.shape == (MEMORY,)
            assert memory[ACTIVE] == (0.0 if name == "begin" else 1.0)
