"""The contract of methods: every method keeps it, and what a user gets wrong first is found before a run is ruined."""

from __future__ import annotations

from pathlib import Path

import pytest

import centrode as ct
from centrode.cli import main
from centrode.errors import InputError
from centrode.jit import JIT_ON
from centrode.methods.contract import check_method
from centrode.methods.method import methods

EXAMPLES = Path(__file__).parents[2] / "examples" / "plugins"
MIDPOINT = (EXAMPLES / "explicit_midpoint.py").read_text(encoding="utf-8")
RUN = """centrode: 1
plugins: [own.py]
gravity: [0, 0, 0]
bodies:
  body: {mass: 1 kg, inertia: [1, 1, 1], position: [1.2, 0, 0]}
forces:
  spring: {kind: spring, a: ground, b: body, stiffness: 5, length: 1}
run: {duration: 0.4 s, method: explicit-midpoint, step: 20 ms, frames: 0.2 s}
"""


@pytest.mark.parametrize("name", sorted(methods()))
def test_every_method_keeps_its_contract(name: str) -> None:
    results = check_method(methods()[name])
    assert not [str(result) for result in results if result.passed is False]
    assert {"declared", "finite", "rates", "order"} <= {result.check for result in results}


def changed(folder: Path, old: str, new: str) -> Path:
    assert old in MIDPOINT
    file = folder / "own.py"
    file.write_text(MIDPOINT.replace(old, new), encoding="utf-8")
    (folder / "own.yaml").write_text(RUN, encoding="utf-8")
    return file


WRONG = {
    "no last evaluation": ("    ct.rates_at(time + h, False, tables)\n", "", "rates"),
    "a step of half the length": ("    add_rates(start, h, t)\n", "    add_rates(start, 0.5 * h, t)\n", "order"),
    "an order it has not": ("order: int = 2", "order: int = 3", "order"),
    "not a number": ("    add_rates(start, h, t)\n", "    add_rates(start, 1e300 * 1e300, t)\n", "finite"),
    "no step": ("    step_kernel = midpoint_step\n", "", "kernels"),
    "no work array": ("np.zeros((1, run.workspace.values.size))", "np.zeros((0, 0))", "runs"),
    "the class, not an instance": ("METHODS = (ExplicitMidpoint(),)", "METHODS = (ExplicitMidpoint,)", "declared"),
    "a name with a blank": ('"explicit-midpoint"', '"Explicit Midpoint"', "declared"),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_method_that_breaks_the_contract_is_found(tmp_path: Path, fault: str) -> None:
    old, new, check = WRONG[fault]
    results = ct.check_part(changed(tmp_path, old, new))
    assert check in {result.check for result in ct.failures(results)}, results


def test_a_method_as_written_passes_and_a_list_that_is_none_is_refused(tmp_path: Path) -> None:
    assert ct.failures(ct.check_part(changed(tmp_path, "", ""))) == []
    assert len(ct.check_part(tmp_path / "own.py")) == 6
    with pytest.raises(InputError, match="METHODS is a tuple"):
        ct.check_part(changed(tmp_path, "METHODS = (ExplicitMidpoint(),)", "METHODS = ExplicitMidpoint()"))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("    step_kernel = midpoint_step\n", "", "has no step_kernel"),
        pytest.param(
            *("np.zeros((1, run.workspace.values.size))", "np.zeros((0, 0))", "writes outside of its work array"),
            marks=pytest.mark.skipif(not JIT_ON, reason="Python looks at bounds itself"),
        ),
        ("METHODS = (ExplicitMidpoint(),)", "METHODS = (ExplicitMidpoint,)", "this is no method"),
    ],
)
def test_a_run_with_a_broken_method_ends_with_words(tmp_path, capsys, old, new, words) -> None:
    changed(tmp_path, old, new)
    assert main.run(["run", str(tmp_path / "own.yaml"), "-o", str(tmp_path / "own.nc")]) == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "own.nc").exists()
