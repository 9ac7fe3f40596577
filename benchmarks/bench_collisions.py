"""Collisions through the whole engine: the report's examples beside the original program, pile-ups, growth with cars.

CPU seconds of the run itself (no loading, no recording). The program of 1999, built with gcc -O2, needs 5.6 s for the
offset collision, 47.8 s for the wave, and ten minutes of wall time for the first 1.66 s of the merging example; its
results do not converge. Error: largest change of a centre 0.5 s after the hits against half the step [m].
"""

from __future__ import annotations

import runpy
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from harness import Case, Measurement

from centrode.parts.bodies.pseudo_rigid import PseudoRigidBody
from centrode.parts.contact_laws.measured import MeasuredRestitution
from centrode.parts.outlines.superellipsoid import OutlineSuperellipsoid
from centrode.running import Session, resolve_settings
from centrode.scenario.loader import load, loads
from centrode.system.builder import System
from centrode.system.settings import RunSettings

FOLDER = Path(__file__).resolve().parents[1] / "scenarios" / "collisions"
ORIGINAL = {"offset": 5.6, "wave": 47.8, "merging": 600.0}
LENGTHS = {"offset": 10.0, "wave": 20.0, "merging": 6.0}
STEPS = {"offset": 1.5e-3, "wave": 1e-3, "merging": 1e-3}


def run(system: System, settings: RunSettings, end: float) -> tuple[float, Session]:
    """CPU seconds of a run, and the session at its end."""
    session = Session(system, settings)
    begin = time.process_time()
    session.advance(np.linspace(0.0, end, 21)[1:])
    return time.process_time() - begin, session


def example(name: str, step: float) -> Callable[[], Measurement]:
    """CPU seconds of one of the report's examples."""

    def measure() -> Measurement:
        scenario = load(FOLDER / f"{name}.yaml")
        ends = []
        for size in (step, 0.5 * step):
            settings = resolve_settings(scenario.settings, {"audit": False, "step": size})
            _, session = run(scenario.system, settings, min(LENGTHS[name], 2.0))
            ends.append(session.workspace["pose"][:, :3].copy())
        settings = resolve_settings(scenario.settings, {"audit": False, "step": step})
        seconds, _ = run(scenario.system, settings, LENGTHS[name])
        return Measurement(seconds, float(np.abs(ends[0] - ends[1]).max()))

    return measure


def original(name: str) -> Callable[[], Measurement]:
    """The program of 1999 as it was measured once (see the head of the file)."""
    return lambda: Measurement(ORIGINAL[name])


def pile_up(name: str, end: float, step: float) -> Callable[[], Measurement]:
    """CPU seconds per simulated second of a pile-up."""

    def measure() -> Measurement:
        scenario = load(FOLDER / f"{name}.yaml")
        settings = resolve_settings(scenario.settings, {"audit": False, "step": step})
        seconds, _ = run(scenario.system, settings, end)
        return Measurement(seconds / end)

    return measure


def poured() -> Measurement:
    """CPU seconds per simulated second of 400 balls and boxes that fall into a bin; the deepest contact at its end."""
    example = runpy.run_path(str(FOLDER.parents[1] / "examples" / "contact_pouring.py"))
    settings = RunSettings(duration=0.5, method="rattle", step=2.5e-4, audit=False)
    seconds, session = run(example["poured"](400), settings, 0.5)
    near = session.workspace.contacts.tables.near
    return Measurement(seconds / 0.5, float(near["depth"][: session.workspace.contacts.tables.head[0]["count"]].max()))


T_BONE = """
centrode: 1
title: T-bone
roads:
  road: {{kind: plane}}
vehicles:
  striking: {{kind: car, road: road, position: [-14, 0.3], speed: 15{brake}}}
  struck: {{kind: car, road: road, position: [0, -7.2], heading: 90 deg, speed: 10{brake}}}
contact_laws:
  cars: {{kind: crush, friction: 0.4}}
run: {{duration: 4 s, method: rk4-projected, step: 0.5 ms}}
"""
BRAKE = ", brake: {kind: staircase, times: [1 s], values: [0.7]}"


def t_bone(brake: str) -> Callable[[], Measurement]:
    """CPU seconds of 4 s of a T-bone of cars that give way."""

    def measure() -> Measurement:
        scenario = loads(T_BONE.format(brake=brake))
        seconds, _ = run(scenario.system, resolve_settings(scenario.settings, {"audit": False}), 4.0)
        return Measurement(seconds)

    return measure


def real_time_cars() -> Measurement:
    """Cars of a pile-up that one core runs in real time at 1 ms, from the cost of 20 of them."""
    cost = pile_up("pile_up_20", 4.0, 1e-3)().value
    return Measurement(20.0 / cost)


def traffic(count: int) -> System:
    """Cars without tyres in four lanes, all of different speed, so that contacts go on all the time."""
    system: Any = System(gravity=(0, 0, 0))
    rng = np.random.default_rng(7)
    for k in range(count):
        place = (4.04 * (k // 4), 3.2 * (k % 4), 0.0)
        speed = 20.0 + rng.uniform(-2, 2)
        system.add(
            PseudoRigidBody(
                f"car{k}", mass=1573.0, inertia=(479.6, 2594.6, 2782.0), position=place, velocity=(speed, 0, 0)
            )
        )
        system.add(OutlineSuperellipsoid(f"shell{k}", body=f"car{k}", semi_axes=(2.0, 0.8, 0.65)))
    system.add(MeasuredRestitution("law", stiffness=1e6, friction=0.3))
    return system


def growth(count: int) -> Callable[[], Measurement]:
    """Microseconds per car and step of 1 ms (rattle)."""

    def measure() -> Measurement:
        steps = max(20, min(100, 40000 // count))
        settings = RunSettings(duration=10.0, method="rattle", step=1e-3, audit=False)
        session = Session(traffic(count), settings)
        session.advance(np.array([0.05]))  # by then every second pair of neighbours touches
        start = session.run.time
        begin = time.process_time()
        session.advance(np.array([start + 1e-3 * steps]))
        return Measurement((time.process_time() - begin) / steps / count * 1e6)

    return measure


def cases() -> list[Case]:
    """All cases of the collisions."""
    found = [
        Case(
            f"collisions.{name}",
            "s",
            example(name, STEPS[name]),
            {"MEDUSA 1999": original(name)},
            note=f"{LENGTHS[name]:g} s at {1e3 * STEPS[name]:g} ms; the original's merging: its first 1.66 s",
        )
        for name in LENGTHS
    ]
    for name, brake in (("t_bone", ""), ("t_bone_braked", BRAKE)):
        found.append(Case(f"collisions.{name}", "s", t_bone(brake), note="two cars that give way, 4 s at 0.5 ms"))
    found += [
        Case(
            "collisions.pile_up_20", "s", pile_up("pile_up_20", 4.0, 1e-3), note="per simulated second, 20 cars, 1 ms"
        ),
        Case("collisions.pile_up_200", "s", pile_up("pile_up_200", 2.0, 1e-3), note="per simulated second, 200 cars"),
        Case(
            "collisions.real_time_cars", "1", real_time_cars, larger_is_better=True, note="cars per core, pile-up, 1 ms"
        ),
    ]
    found.append(Case("collisions.poured_400", "s", poured, note="per simulated second, balls and boxes in a bin"))
    for count in (50, 500, 5000):
        found.append(
            Case(f"collisions.growth_{count}", "us", growth(count), note="per car and step, cars without tyres")
        )
    return found


if __name__ == "__main__":
    for case in cases():
        result = case.ours()
        print(f"{case.id:28s} {result.value:10.4f} {case.unit}  error {result.error}   {case.note}", flush=True)
