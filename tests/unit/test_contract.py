"""The contract catches what it is there to catch: each planted fault fails the check that is meant for it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from centrode.dynamics.contract import check_part, failures
from centrode.errors import InputError
from centrode.parts import registry
from centrode.parts.bodies.rigid import RigidBody
from centrode.running import simulate
from centrode.system.builder import System

PLUGIN = Path(__file__).parents[2] / "examples" / "plugins" / "cubic_spring.py"

PLANTED = {
    "sign of the reaction": (
        [("wrench[b, 0] = -tension * ex", "wrench[b, 0] = tension * ex")],
        {"action and reaction", "invariance", "energy stored", "energy only lost", "plane system"},
        "action and reaction",
    ),
    "sign of the whole force": (
        [("tension = par[i, STIFFNESS]", "tension = -par[i, STIFFNESS]")],
        {"energy stored"},
        "energy stored",
    ),
    "energy of another force": (
        [("0.25 * par[i, CUBIC]", "0.5 * par[i, CUBIC]")],
        {"energy stored"},
        "energy stored",
    ),
    "damper that drives": (
        [("+ par[i, DAMPING] * rate", "- par[i, DAMPING] * rate")],
        {"energy only lost"},
        "energy only lost",
    ),
    "adds instead of assigning": (
        [("wrench[a, 2] = tension", "wrench[a, 2] += tension")],
        {"assignment"},
        "assignment",
    ),
    "world direction": (
        [("ex, ey, ez = dx", "dx = abs(dx)\n        ex, ey, ez = dx")],
        {"invariance", "energy stored", "energy only lost", "action and reaction", "plane system"},
        "invariance",
    ),
    "division by zero": (
        [("1.0 / length if length > 0.0 else 0.0", "1.0 / length")],
        {"coincident points"},
        "coincident points",
    ),
    "first element only": (
        [("for i in range(first, first + count):", "for i in range(0, 1):")],
        {"builds", "plane system"},
        "builds",
    ),
    "element that goes on from the one before": (
        [
            ('    """(1), (2)."""\n', '    """(1), (2)."""\n    before = 0.0\n'),
            ("        wrench[a, 0] =", "        tension += before\n        before = tension\n        wrench[a, 0] ="),
        ],
        {"several elements", "energy stored"},
        "several elements",
    ),
    "parameter without meaning": (
        [('ct.quantity("N/m3", "force per cube of the stretch", 0.0, minimum=0.0)', "1.0")],
        {"names and units"},
        "names and units",
    ),
    "kernel without signature": (
        [("@ct.step_kernel(signature=ct.FORCE_SIGNATURE)", "@ct.step_kernel")],
        {"kernels"},
        "kernels",
    ),
    "breaks on building": (
        [("return ct.Placement([marker_a, marker_b]", "return ct.Placement([marker_a, self.nothing]")],
        {"builds", "plane system"},
        "builds",
    ),
}


def planted(tmp_path: Path, edits: list[tuple[str, str]]) -> Path:
    text = PLUGIN.read_text(encoding="utf-8")
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    file = tmp_path / "spring_with_fault.py"
    file.write_text(text, encoding="utf-8")
    return file


def test_the_example_keeps_the_contract():
    results = check_part(PLUGIN)
    assert not failures(results), "\n".join(map(str, failures(results)))
    assert {result.check for result in results} >= {"action and reaction", "invariance", "energy stored", "assignment"}
    assert all(result.part == "cubic-spring" for result in results)


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_caught(tmp_path, name):
    edits, allowed, caught = PLANTED[name]
    if name == "kernel without signature":
        from centrode.jit import JIT_ON

        if not JIT_ON:
            pytest.skip("without machine code there is no signature")
    failed = {result.check: result for result in failures(check_part(planted(tmp_path, edits), states=6))}
    assert caught in failed
    assert set(failed) <= allowed
    assert failed[caught].message, "a failure says what was found"


@pytest.mark.parametrize(
    ("edit", "states"),
    [
        (PLANTED["adds instead of assigning"][0][0], 1),
        (("wrench[a, 0] = tension", "if tension < 0.0:\n            continue\n        wrench[a, 0] = tension"), 6),
    ],
    ids=["adds", "forgets to let go"],
)
def test_a_kernel_that_leaves_rows_of_the_last_state_is_told(tmp_path, edit, states):
    """Rows hold the answer of another state before each comparison, the first as well: zeros would agree."""
    found = {result.check: result for result in check_part(planted(tmp_path, [edit]), states=states)}
    assert found["assignment"].passed is False and "from the last state" in found["assignment"].message


def test_random_states_are_those_of_the_seed():
    first, again, other = (check_part(PLUGIN, seed=seed) for seed in (1, 1, 2))
    figures = [[result.figure for result in found if np.isfinite(result.figure)] for found in (first, again, other)]
    assert figures[0] == figures[1] != figures[2]


def test_a_file_without_forces_is_refused(tmp_path):
    file = tmp_path / "empty.py"
    file.write_text("x = 1\n", encoding="utf-8")
    with pytest.raises(InputError, match="no kind"):
        check_part(file)


def test_a_kind_that_needs_more_than_an_example_says_so():
    results = check_part(registry.find("road", "opendrive"))
    assert not failures(results)
    assert any(result.passed is None and "file" in result.message for result in results)


def test_the_plugin_is_a_kind_like_every_other():
    """In the registry, in the schema, and in the compiled loop: the period of Duffing's oscillator.

    m x'' = -k x - k3 x^3 from amplitude A at rest: period 4 K(p) / sqrt((k + k3 A^2) / m),
    p = k3 A^2 / (2 (k + k3 A^2)), with the complete elliptic integral K of the parameter p.
    """
    from scipy.special import ellipk

    from centrode.scenario.schema import json_schema

    kind = registry.find("force", "cubic-spring", [PLUGIN])
    assert "cubic-spring" in str(json_schema([PLUGIN])["properties"]["forces"])
    assert "cubic-spring" not in registry.kinds("force")

    m, k, k3, rest, amplitude = 1.5, 30.0, 90.0, 1.0, 0.6
    system = System(gravity=(0.0, 0.0, 0.0))
    system.add(RigidBody("m", m, position=(rest + amplitude, 0.0, 0.0)))
    system.add(kind("spring", "ground", "m", stiffness=k, cubic=k3, length=rest))
    stiff = k + k3 * amplitude**2
    period = 4 * ellipk(k3 * amplitude**2 / (2 * stiff)) / np.sqrt(stiff / m)
    run = simulate(system, duration=period, tolerance=1e-12)
    assert np.asarray(run["m.position"])[-1, 0] == pytest.approx(rest + amplitude, abs=1e-9)
    assert np.ptp(np.asarray(run["energy.total"])) < 1e-10


def test_a_scenario_uses_the_plugin(tmp_path):
    """Named in a file that lies beside the plugin, with units."""
    from centrode.scenario.loader import load

    (tmp_path / "cubic_spring.py").write_bytes(PLUGIN.read_bytes())
    file = tmp_path / "duffing.yaml"
    file.write_text(
        """
centrode: 1
plugins: [cubic_spring.py]
gravity: [0, 0, 0]
bodies:
  block: {mass: 1500 g, position: [1.6, 0, 0]}
forces:
  spring: {kind: cubic-spring, a: ground, b: block, stiffness: 0.03 N/mm, cubic: 90, length: 1 m}
run: {duration: 0.5, tolerance: 1e-12}
""",
        encoding="utf-8",
    )
    run = simulate(load(file))
    energy = np.asarray(run["energy.total"])
    assert energy[0] == pytest.approx(0.5 * 30.0 * 0.6**2 + 0.25 * 90.0 * 0.6**4, rel=1e-12)
    assert np.ptp(energy) < 1e-10
