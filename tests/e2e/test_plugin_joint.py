"""A joint from one file outside the package: checked, used from YAML against the built-in one, and gone again."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from centrode.cli.main import run as centrode
from centrode.errors import InputError
from centrode.parts import registry
from centrode.running import simulate
from centrode.scenario.loader import load

PLUGIN = Path(__file__).parents[2] / "examples" / "plugins" / "bead_on_ellipsoid.py"
SCENARIO = """centrode: 1
title: Pendulum of two metres
plugins: [bead_on_ellipsoid.py]
bodies:
  bob: {mass: 1 kg, inertia: [0.1, 0.2, 0.3], position: [0, 1.2, -1.6], velocity: [1.5, 0, 0]}
joints:
  link: {kind: bead-on-ellipsoid, a: ground, b: bob, semi_axes: [2, 2, 2]}
run: {duration: 0.2, method: rk4-projected, step: 5 ms, frames: 20 ms}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copy(PLUGIN, tmp_path)
    (tmp_path / "pendulum.yaml").write_text(SCENARIO)
    return tmp_path


def test_joint_of_a_plugin_moves_as_the_built_in_one(folder: Path) -> None:
    """On a sphere the bead is a rod: phi of the one is a smooth function of phi of the other.

    Both are integrated by the same method and projected onto the same surface, so positions differ by round-off times
    the 40 steps only.
    """
    own = simulate(load("pendulum.yaml"))
    (folder / "rod.yaml").write_text(
        SCENARIO.replace("plugins: [bead_on_ellipsoid.py]\n", "").replace(
            "kind: bead-on-ellipsoid, a: ground, b: bob, semi_axes: [2, 2, 2]", "kind: rod, a: ground, b: bob"
        )
    )
    built_in = simulate(load("rod.yaml"))
    assert own.status.outcome == built_in.status.outcome == "completed"
    np.testing.assert_allclose(own["bob.position"], built_in["bob.position"], atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(own["bob.position"], axis=1), 2.0, atol=1e-12)
    # The force on the bob is the same, though the multiplier belongs to another phi (slope 2 / L instead of one).
    np.testing.assert_allclose(own["link.force"], built_in["link.force"], rtol=1e-9, atol=1e-9)


def test_joint_of_a_plugin_keeps_the_contract(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert centrode(["check", "bead_on_ellipsoid.py"]) == 0
    assert "acceleration rows" in capsys.readouterr().out
    text = PLUGIN.read_text()
    for line, planted, check in (
        ("2.0 * dot(speed", "3.0 * dot(speed", "acceleration rows"),
        ("opposite(cross(d, g))", "cross(d, g)", "velocity rows"),
    ):
        assert line in text
        Path("wrong.py").write_text(text.replace(line, planted))
        assert centrode(["check", "wrong.py"]) == 1
        assert any(check in row and "FAILS" in row for row in capsys.readouterr().out.splitlines())


def test_joint_is_gone_without_its_plugin(folder: Path) -> None:
    assert "bead-on-ellipsoid" in registry.kinds("joint", ["bead_on_ellipsoid.py"])
    assert "bead-on-ellipsoid" not in registry.kinds("joint")
    (folder / "bare.yaml").write_text(SCENARIO.replace("plugins: [bead_on_ellipsoid.py]\n", ""))
    with pytest.raises(InputError, match="unknown kind of joint"):
        load("bare.yaml")
