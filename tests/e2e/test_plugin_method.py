"""A method from one file outside the package: used from YAML, of the order it declares, and gone again."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import numpy as np
import pytest

from centrode.cli import main
from centrode.errors import InputError
from centrode.methods.method import find_method, methods
from centrode.recording.recording import Recording
from centrode.running import simulate
from centrode.scenario.loader import load, loads

EXAMPLE = Path(__file__).parents[2] / "examples" / "plugins" / "explicit_midpoint.py"
SCENARIO = """centrode: 1
title: A body on a spring
gravity: [0, 0, 0]
bodies:
  body: {mass: 1 kg, inertia: [1, 2, 2.5], velocity: [0.2, 0.1, 0], omega: [0.3, 1, 0.2]}
forces:
  spring: {kind: spring, a: ground, b: body, stiffness: 5, length: 0.5, point_a: [1, 0, 0],
           point_b: [0.1, 0.2, 0]}
run: {duration: 0.4 s, method: explicit-midpoint, step: 20 ms, frames: 0.4 s, audit: false}
"""


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    """The scenario beside a copy of the plugin that it names."""
    shutil.copy(EXAMPLE, tmp_path / "midpoint.py")
    file = tmp_path / "spring.yaml"
    file.write_text(SCENARIO.replace("gravity:", "plugins: [midpoint.py]\ngravity:"), encoding="utf-8")
    return file


def end(scenario: Path, **settings: object) -> np.ndarray:
    run = simulate(load(scenario), **settings)
    return np.concatenate([run["body.position"][-1], run["body.orientation"][-1]])


def test_a_method_named_in_a_scenario_has_the_order_it_declares(scenario: Path) -> None:
    truth = end(scenario, method="dop853", tolerance=1e-12)
    errors = [np.abs(end(scenario, step=step) - truth).max() for step in (0.02, 0.01)]
    # Measured by halving: p + a h / (2 ln 2) with a third-order error a h of the second-order one.
    assert math.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.15)
    assert errors[0] < 1e-3


PENDULUM = """centrode: 1
plugins: [closing.py]
bodies: {arm: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0]}}
joints: {hinge: {kind: revolute, a: ground, b: arm, at: [0, 0, 0], axis: [0, 1, 0]}}
run: {duration: 0.4 s, method: explicit-midpoint, step: 5 ms, frames: 0.4 s}
"""


def test_a_method_with_exact_joints_closes_them_as_the_page_says(tmp_path: Path) -> None:
    """Without it the run of a newcomer ended with a joint that came apart, and no page named what closes one."""
    text = EXAMPLE.read_text(encoding="utf-8").replace(
        "    order: int = 2\n", "    order: int = 2\n    exact_joints: bool = True\n"
    )
    last = "    ct.normalise_poses(tables)\n    ct.rates_at(time + h, False, tables)\n"
    closed = last.replace("    ct.norm", "    ct.close_joints(time + h, tables)\n    ct.norm").replace("False", "True")
    assert last in text
    (tmp_path / "closing.py").write_text(text.replace(last, closed), encoding="utf-8")
    (tmp_path / "arm.yaml").write_text(PENDULUM, encoding="utf-8")
    runs = {step: simulate(load(tmp_path / "arm.yaml"), step=step) for step in (5e-3, 2.5e-3)}
    truth = simulate(load(tmp_path / "arm.yaml"), method="dop853", tolerance=1e-12)["hinge.angle"][-1]
    assert all(run.status.completed and run["constraint.residual"].max() < 1e-12 for run in runs.values())
    errors = [abs(run["hinge.angle"][-1] - truth) for run in runs.values()]
    assert math.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.15)


def test_the_method_is_known_only_where_its_plugin_is_given(scenario: Path, tmp_path: Path) -> None:
    assert load(scenario).settings.method == "explicit-midpoint"
    assert find_method("explicit-midpoint", [tmp_path / "midpoint.py"]).order == 2
    assert "explicit-midpoint" not in methods()
    with pytest.raises(InputError, match="unknown method"):
        loads(SCENARIO)
    with pytest.raises(InputError, match="unknown method"):
        find_method("explicit-midpoint")


def test_two_methods_of_one_name_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "again.py"
    file.write_text(EXAMPLE.read_text().replace('"explicit-midpoint"', '"rattle"'))
    with pytest.raises(InputError, match="two methods have one name"):
        methods([file])


def test_command_line_runs_and_lists_it(scenario: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["run", str(scenario), "-o", str(tmp_path / "run.nc"), "--quiet"]) == 0
    assert Recording.load(tmp_path / "run.nc").time[-1] == pytest.approx(0.4)
    capsys.readouterr()
    assert main.run(["methods", "explicit-midpoint", "--plugin", str(tmp_path / "midpoint.py")]) == 0
    said = {line.split(":")[0]: line.split(":")[1].strip() for line in capsys.readouterr().out.splitlines()}
    assert said["summary"].startswith("rates in the middle of the step")
    assert (said["events"], said["default step"], said["default tolerance"]) == ("no", "0.001 s", "none")
    assert main.run(["methods", "dop853"]) == 0
    said = {line.split(":")[0]: line.split(":")[1].strip() for line in capsys.readouterr().out.splitlines()}
    assert (said["events"], said["default tolerance"]) == ("yes", "1e-07")
    assert said["default step"] == "0.001 of the duration, then by tolerance"
    assert main.run(["methods", "explicit-midpoint"]) == 2
