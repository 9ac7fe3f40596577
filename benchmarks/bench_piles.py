"""Piles and legged robots with hard contacts (method moreau) beside MuJoCo.

A thousand balls or cubes are poured into a bin and come to rest, 2 s; a humanoid and a quadruped of capsules fall to
the ground. Times are process CPU seconds of the stepping alone, on one core; the error is the deepest overlap at any
step [m]. Both take steps of 2 ms.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import piles_scene as scene
from harness import Case, Measurement, PeerProcess

MUJOCO = PeerProcess("peers/mujoco_piles.py", timeout=1800.0)
COUNT, DURATION = 1000, 2.0


def pile(kind: str, count: int):
    """The poured bodies as a system of ours."""
    import centrode as ct

    system = ct.System(gravity=(0.0, 0.0, -scene.GRAVITY))
    system.add(ct.OutlinePlane("floor", "ground"))
    for k, (x, y) in enumerate(((1, 0), (-1, 0), (0, 1), (0, -1))):
        inward, up = np.array([-x, -y, 0.0]), np.array([0.0, 0.0, 1.0])
        axes = np.column_stack([up, np.cross(inward, up), inward]).tolist()
        place = (x * scene.WIDTH, y * scene.WIDTH, 0.0)
        system.add(ct.OutlinePlane(f"wall{k}", "ground", centre=place, rotation=axes))
    ball = kind == "balls"
    mass = scene.DENSITY * (4.0 / 3.0 * np.pi * scene.RADIUS**3 if ball else 8.0 * scene.HALF**3)
    inertia = (mass * (0.4 * scene.RADIUS**2 if ball else 2.0 / 3.0 * scene.HALF**2),) * 3
    for k, (place, turn) in enumerate(scene.poured(kind, count)):
        system.add(ct.RigidBody(f"b{k}", mass, inertia, position=tuple(place), orientation=tuple(turn)))
        if ball:
            system.add(ct.OutlineSphere(f"o{k}", f"b{k}", radius=scene.RADIUS))
        else:
            system.add(ct.OutlineBox(f"o{k}", f"b{k}", half_lengths=(scene.HALF,) * 3))
    system.add(ct.HardContact("law", restitution=0.01, friction=scene.FRICTION))
    return system


def robot(kind: str):
    """A legged robot as a system of ours, over a plane."""
    import centrode as ct
    from centrode.scenario.robots.mjcf import load_mjcf

    shapes = f'<default><geom friction="{scene.FRICTION} 0 0"/></default>'
    text = f"<mujoco>{shapes}<worldbody>{scene.robot(kind)}</worldbody></mujoco>"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "robot.xml"
        path.write_text(text)
        system = load_mjcf(path, outlines=True, links_touch=True).system  # as in the peer
    system.add(ct.OutlinePlane("floor", "ground"))
    system.add(ct.HardContact("law", restitution=0.01, friction=scene.FRICTION))
    return system


def stepped(system, duration: float, step: float) -> tuple[float, float]:
    """CPU seconds of the stepping, and the deepest overlap [m]."""
    from centrode.running import Session
    from centrode.system.settings import RunSettings

    session = Session(system, RunSettings(duration=duration, method="moreau", step=step, audit=False))
    start = time.process_time()
    _, outcome = session.advance(np.array([duration]))
    spent = time.process_time() - start
    assert outcome == 0, outcome
    return spent, float(session.workspace.contacts.tables.head[0].deep_depth)


def pour(kind: str, step: float) -> Callable[[], Measurement]:
    return lambda: Measurement(*stepped(pile(kind, COUNT), DURATION, step))


def legged(kind: str, step: float) -> Callable[[], Measurement]:
    def measure() -> Measurement:
        spent, deepest = stepped(robot(kind), DURATION, step)
        return Measurement(DURATION / step / spent, deepest)

    return measure


def cases() -> list[Case]:
    """All cases of piles."""
    made = []
    for kind in ("balls", "boxes"):
        peer = MUJOCO.measurement("pour", kind=kind, count=COUNT, duration=DURATION, dt=2e-3)
        note = f"{COUNT} {kind} poured for {DURATION:g} s, CPU seconds; error: deepest overlap [m]"
        made.append(Case(f"piles.{kind}", "s", pour(kind, 2e-3), {"MuJoCo": peer}, note=note, repeat=1))
    for kind in ("humanoid", "quadruped"):
        peer = MUJOCO.measurement("legged", kind=kind, duration=DURATION, dt=2e-3)
        note = f"a {kind} falls and lies, steps of 2 ms a CPU second; error: deepest overlap [m]"
        made.append(
            Case(f"piles.{kind}", "steps/s", legged(kind, 2e-3), {"MuJoCo": peer}, larger_is_better=True, note=note)
        )
    return made
