"""Hits that begin just where a step ends: stages that press without weight in the step must not let a ball through."""

from __future__ import annotations

import numpy as np
import pytest

import centrode as ct

FACE = 0.5
RADIUS = 0.05
CASES = [("dop853", 1e8, 0.9, -0.05)]
_random = np.random.default_rng(5)
for _k in range(12):
    _speed, _frames = 10.0 ** _random.uniform(-1.0, 1.0), int(_random.integers(1, 9))
    _law = 10.0 ** _random.uniform(6.0, 9.5)
    CASES.append((("dop853", "dp5")[_k % 2], _law, _speed, FACE - RADIUS - 0.1 * _frames * _speed))


@pytest.mark.parametrize(("method", "stiffness", "speed", "start"), CASES)
def test_a_ball_that_touches_at_a_frame_comes_back_as_fast(
    method: str, stiffness: float, speed: float, start: float
) -> None:
    """Frames are 0.1 s apart, and so are its steps until it touches; a contact lasts some ten microseconds."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    for part in (
        ct.RigidBody("ball", 0.2, (2e-4, 2e-4, 2e-4), position=(0.0, start, 0.0), velocity=(0.0, speed, 0.0)),
        ct.OutlineSphere("round", body="ball", radius=RADIUS),
        ct.OutlineBox("wall", body="ground", centre=(0.0, 0.6, 0.0), half_lengths=(0.7, 0.1, 0.7)),
        ct.Restitution("elastic", restitution=1.0, stiffness=stiffness),
    ):
        system.add(part)
    run = ct.simulate(system, duration=20.0, method=method)
    assert str(run.status) == "completed"
    lost = abs(run["ball.velocity"][-1, 1] / speed + 1.0)
    assert lost < (1e-9 if method == "dop853" else 1e-5)
