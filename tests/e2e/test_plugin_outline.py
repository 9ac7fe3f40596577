"""An outline from one file outside the package: used from YAML in a collision, and gone again."""

from __future__ import annotations

from pathlib import Path

import pytest

from centrode.cli import main
from centrode.jit import JIT_ON
from centrode.parts.registry import kinds
from centrode.recording.recording import Recording

PLUGIN = Path(__file__).parents[2] / "examples" / "plugins" / "bead.py"
BALL = "kind: sphere, radius: 10 cm"
BEAD = "kind: bead, radius: 10 cm, half_length: 10 cm"
SCENARIO = """centrode: 1
title: Two beads
gravity: [0, 0, 0]
bodies:
  left: {{mass: 2 kg, inertia: [0.008, 0.008, 0.008], position: [0, 0, 0], velocity: [3, 0, 0]}}
  right: {{mass: 1 kg, inertia: [0.004, 0.004, 0.004], position: [0.2, 0.03, 0.02]}}
outlines:
  one: {{body: left, {one}}}
  two: {{body: right, {two}}}
contact_laws:
  spring: {{kind: linear, stiffness: 2e5, friction: 0.3}}
run: {{duration: {duration} ms, method: rk4-projected, step: 0.2 ms, frames: 1 ms}}
"""


def centrode(*words):
    return main.run([str(word) for word in words])


def hit(tmp_path, one, two, *options):
    """Final velocities of two bodies with these outlines."""
    file = tmp_path / "hit.yaml"
    file.write_text(SCENARIO.format(one=one, two=two, duration=20 if JIT_ON else 3), encoding="utf-8")
    assert centrode("run", file, "-o", tmp_path / "hit.nc", *options) == 0
    run = Recording.load(tmp_path / "hit.nc")
    assert len(run.events.of("contact begin")) == 1
    return run["left.velocity"][-1], run["right.velocity"][-1], run["left.omega"][-1]


def test_a_bead_that_is_a_ball_collides_as_the_built_in_ball(tmp_path):
    expected = hit(tmp_path, BALL, BALL)
    for outlines in ((BEAD, BALL), (BEAD, BEAD)):
        found = hit(tmp_path, *outlines, "--plugin", PLUGIN)
        for own, built_in in zip(found, expected, strict=True):
            # the same formula in another order of operations, a hundred steps of a stiff spring
            assert own == pytest.approx(built_in, abs=1e-9)
    assert "bead" not in kinds("outline")
    file = tmp_path / "gone.yaml"
    file.write_text(SCENARIO.format(one=BEAD, two=BALL, duration=3), encoding="utf-8")
    assert centrode("check", file) == 2  # the kind is not known without its plugin


STANDING = {
    "bead.py": "kind: bead, radius: 10 cm, half_length: 30 cm",
    "rounded_box.py": "kind: rounded-box, half_lengths: [0, 0, 0.2], radius: 10 cm",
}


@pytest.mark.parametrize("plugin", STANDING)
def test_an_outline_stands_on_the_ground_at_its_height(tmp_path, plugin):
    # standing upright on a half space: gap = height - 30 cm, so the spring carries its weight at m g / k
    text = """centrode: 1
bodies:
  bead: {mass: 2 kg, inertia: [0.02, 0.02, 0.02], position: [0, 0, 0.3]}
outlines:
  own: {body: bead, OUTLINE}
  floor: {body: ground, kind: plane}
contact_laws:
  spring: {kind: linear, stiffness: 1e4, damping: 200}
run: {duration: DURATION, method: rk4-projected, step: 1 ms, frames: 10 ms}
"""
    file = tmp_path / "stand.yaml"
    text = text.replace("DURATION", "0.4 s" if JIT_ON else "0.02 s").replace("OUTLINE", STANDING[plugin])
    file.write_text(text, encoding="utf-8")
    assert centrode("check", PLUGIN.with_name(plugin)) == 0
    assert centrode("run", file, "-o", tmp_path / "stand.nc", "--plugin", PLUGIN.with_name(plugin)) == 0
    height = Recording.load(tmp_path / "stand.nc")["bead.position"][:, 2]
    if JIT_ON:  # time constant 2 m / c = 0.02 s: 20 of them leave 2e-9 of 2 mm
        assert height[-1] == pytest.approx(0.3 - 2.0 * 9.81 / 1e4, abs=1e-6)
    assert 0.297 < height.min() <= height.max() <= 0.3
