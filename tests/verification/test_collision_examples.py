"""The report's examples with contact: convergence, nanometres, aligned cars, and what the crash report says of them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from centrode.jit import JIT_ON
from centrode.running import simulate
from centrode.scenario.loader import load

pytestmark = pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")

FOLDER = Path(__file__).parents[2] / "scenarios" / "collisions"
# Half a second after the last hit; evading has none.
ENDS = {"offset": 1.6, "wave": 5.0, "merging": 1.9, "evading": 2.5, "banked": 2.0}


# Steps between which the order is taken: short enough for the fastest vibration of the cars (1622 rad/s), which the
# next hit feels, and long enough for errors above the round-off of the reference (1e-11).
STEPS = {
    "offset": (2.5e-4, 1.25e-4),
    "wave": (2.5e-4, 6.25e-5),
    "merging": (1.25e-4, 3.125e-5),
    "evading": (5e-4, 1.25e-4),
}


def end_state(name: str, step: float | None, edits: dict | None = None, end: float | None = None, **more) -> np.ndarray:
    """Centres and velocities of all cars at the end, one row per car."""
    scenario = load(FOLDER / f"{name}.yaml", edits=edits)
    end = end or ENDS[name]
    run = simulate(scenario, audit=False, step=step, duration=end, frames=end, **more)
    assert run.status.completed, run.status
    cars = [name for name, part in scenario.system.parts.items() if part.family == "vehicle"]
    return np.array([[*run[f"{car}.body.position"][-1], *run[f"{car}.body.velocity"][-1]] for car in cars])


@pytest.mark.parametrize("name", list(STEPS))
def test_examples_converge(name):
    """Fixed steps of rk4-projected against dop853: two methods, two step controls, one answer, at a stated order."""
    wanted = end_state(name, None, method="dop853", tolerance=1e-12)
    first, second = (float(np.abs(end_state(name, step) - wanted).max()) for step in STEPS[name])
    order = math.log2(first / second) / math.log2(STEPS[name][0] / STEPS[name][1])
    # Touch, release and steering jumps are met exactly, so the order of the method remains: 4.
    assert order > 3.85, (order, first, second)
    assert np.abs(end_state(name, 1e-3) - wanted).max() < 5e-4


def test_the_banked_example_starts_balanced():
    """No vibration is left whose error could be seen: at 1 ms the end agrees with dop853 to 1e-11."""
    wanted = end_state("banked", None, method="dop853", tolerance=1e-12)
    assert np.abs(end_state("banked", 1e-3) - wanted).max() < 1e-11


def test_cars_rolling_backwards_do_not_stop_an_adaptive_method():
    """After the merging hit two cars roll straight back, where the angle of the velocity has its cut."""
    end = 6.0
    adaptive = end_state("merging", None, end=end, method="dop853")
    fixed = end_state("merging", 2.5e-4, end=end)
    # 4.6 s of sliding after the last hit carry the error of velocity of the convergence table, 1e-5, along
    assert np.abs(adaptive - fixed).max() < 1e-3
    scenario = load(FOLDER / "merging.yaml")
    run = simulate(scenario, audit=False, duration=end, method="dop853", step=None)
    assert run.statistics.steps < 20_000  # on the jump of the lag it needed three million for each second


@pytest.mark.parametrize(("name", "shifted"), [("offset", "slower"), ("wave", "car4")])
def test_a_nanometre_moves_nothing(name, shifted):
    base = load(FOLDER / f"{name}.yaml").system.parts[shifted].position
    here = end_state(name, 5e-4)
    for shift in ((1e-9, 0.0), (0.0, 1e-9)):
        moved = end_state(name, 5e-4, {f"vehicles.{shifted}.position": [base[0] + shift[0], base[1] + shift[1]]})
        assert np.abs(moved - here).max() < 1e-6


def test_aligned_cars_stay_aligned():
    final = end_state("wave", 1e-3, end=20.0)
    assert np.abs(final[:, 1]).max() < 1e-9
    assert np.abs(final[:, 4]).max() < 1e-9


def test_first_touches_are_those_of_the_contact_free_paths():
    # The report's equilibrium is listed with a pitch of -0.0748; exact first touch from there: offset 1.0004 s,
    # wave 1.0000 s, merging 0.9389 s (rogue with car 2) and 0.9399 s (with car 3).
    cases = {
        "offset": (("faster", "slower"), [1.0004]),
        "wave": (("car1", "car2", "car3", "car4"), [1.0000]),
        "merging": (("car1", "car2", "car3", "car4", "rogue"), [0.9389, 0.9399]),
    }
    for name, (cars, times) in cases.items():
        scenario = load(FOLDER / f"{name}.yaml", edits={f"vehicles.{car}.equilibrium": "listed" for car in cars})
        run = simulate(scenario, duration=1.1, step=2.5e-4)
        touches = [event.time for event in run.events.of("contact begin")][: len(times)]
        # the second touch comes after the first hit has begun to turn the rogue, so only the first is compared
        assert touches[0] == pytest.approx(times[0], abs=2e-4), (name, touches)


def test_offset_hit_is_plausible_and_its_energies_add_up():
    run = simulate(load(FOLDER / "offset.yaml"), duration=2.0)
    hit = run.collisions[0]
    assert len(run.collisions) == 1
    assert hit.closing_speed == pytest.approx(2.0, abs=0.01)
    assert hit.vehicle("faster").clock == 12
    assert hit.vehicle("slower").clock == 6
    # collinear formula for the impulse along the normal, within the effect of the offset
    assert hit.vehicle("slower").delta_v_size == pytest.approx(0.5 * (1 + hit.restitution) * 2.0, rel=0.02)
    assert run.collisions.rest["faster"].speed < 22.0
    assert np.abs(run["energy.residual"]).max() < 0.01
