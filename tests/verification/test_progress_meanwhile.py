"""Progress of runs whose frames take long: told while compiled code computes."""

from __future__ import annotations

import time

import pytest

import centrode as ct
from centrode.jit import JIT_ON
from centrode.recording import meanwhile
from centrode.recording.meanwhile import told_meanwhile


def test_words_come_while_the_block_runs_and_once_behind_it(monkeypatch):
    monkeypatch.setattr(meanwhile, "OFTEN", 1e-3)
    told, now = [], [0.0]
    with told_meanwhile(lambda time, end: told.append((time, end)), lambda: now[0], 2.0):
        while len(told) < 3:
            time.sleep(1e-3)
        now[0] = 2.0
    assert told[0] == (0.0, 2.0) and told[-1] == (2.0, 2.0)


def test_what_a_listener_raises_ends_the_run_of_whoever_called(monkeypatch):
    monkeypatch.setattr(meanwhile, "OFTEN", 1e-3)

    def refuse(time: float, end: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), told_meanwhile(refuse, lambda: 0.0, 1.0):
        time.sleep(0.05)


@pytest.mark.skipif(not JIT_ON, reason="without compiled code a step takes as long as a frame")
@pytest.mark.parametrize("method", ["rk4", "dop853"])
def test_a_driven_cam_tells_how_far_it_is_within_its_first_frames(monkeypatch, method):
    """rk4 divides its steps by a hundred while the follower is touched: a minute passed at 0 %."""
    monkeypatch.setattr(meanwhile, "OFTEN", 0.02)
    system = ct.System()
    system.add(ct.RigidBody("cam", 0.5, (1e-3,) * 3))
    system.add(ct.RigidBody("follower", 0.2, (1e-4,) * 3, position=(0.0, 0.0, 0.0592)))
    system.add(ct.Revolute("shaft", "ground", "cam", at=(0, 0, 0), axis=(0, 1, 0)))
    system.add(ct.Prismatic("guide", "ground", "follower", at=(0, 0, 0.0592), axis=(0, 0, 1)))
    drive = ct.SignalRamp(slope=20.0)
    system.add(ct.Motion("drive", "ground", "cam", at=(0, 0, 0), axis=(0, 1, 0), signal=drive))
    across = ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0))
    system.add(ct.OutlineCylinder("disc", "cam", radius=0.03, half_length=0.02, centre=(0.01, 0, 0), rotation=across))
    system.add(ct.OutlineSphere("foot", "follower", radius=0.03))
    system.add(ct.Restitution("law", restitution=0.2, friction=0.1))
    told: list[float] = []
    ct.simulate(system, duration=2.0, frames=0.5, method=method, progress=lambda now, end: told.append(now / end))
    within = [share for share in told if 0.0 < share < 1.0]  # all frames are one chunk: there was a single word, "1"
    assert within and told[-1] == pytest.approx(1.0)
