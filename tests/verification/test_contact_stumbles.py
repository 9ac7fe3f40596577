"""What somebody who had only read the manual stumbled over with contact laws that push."""

from __future__ import annotations

import math

import numpy as np
import pytest

import centrode as ct
from centrode.jit import JIT_ON
from centrode.recording.events import Event, Events

pytestmark = pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")

GRAVITY = 9.80665
RADIUS, BALL = 0.0286, 0.17
"""Of a billiard ball [m], [kg]."""


def add_ball(system: ct.System, name: str, place: tuple[float, float, float], speed: float = 0.0) -> None:
    inertia = (0.4 * BALL * RADIUS**2,) * 3
    system.add(ct.RigidBody(name, BALL, inertia, position=place, velocity=(speed, 0.0, 0.0)))
    system.add(ct.OutlineSphere(f"{name} shell", name, radius=RADIUS))


def billiard(**law: float) -> tuple[ct.Recording, float]:
    """A ball that hits another half full; and by how much the other leaves the line of centres at touch [deg]."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    aside, before = RADIUS, math.sqrt(3.0) * RADIUS
    add_ball(system, "cue", (-before - 0.1, 0.0, 0.0), 2.0)
    add_ball(system, "other", (0.0, -aside, 0.0))
    system.add(ct.Restitution("law", restitution=1.0, **law))
    run = ct.simulate(system, duration=0.2, frames=0.05)
    x, y, _ = run["other.velocity"][-1]
    return run, math.degrees(math.atan2(y, x)) + 30.0


def test_a_billiard_hit_goes_along_the_line_of_centres_with_defaults():
    """It was bent by 3.4 degrees, and nothing was said of it or of the stiffness."""
    run, off = billiard()
    # Chosen for a ball that stops from 1 m/s, the speed against the mean of both, within 2 % of its radius. Half the
    # mass with 2 cos 30 m/s goes in by sqrt(0.5) 1.73 times that, 2.45 %; directions are off by half of it.
    (hit,) = run.events.of("collision")
    assert hit.values["overlap"] == pytest.approx(0.02 * math.sqrt(1.5), rel=0.01)
    assert abs(off) < 0.51 * math.degrees(0.0245)
    assert run.status.completed and not run.warnings
    assert "contact law 'law': stiffness 5.2e+05 N/m, by speed: 0.17 kg with 1 m/s stop within 2 %" in run.summary()
    assert pytest.approx(5.2e5, rel=1e-3) == BALL / (0.02 * RADIUS) ** 2


def test_a_deep_overlap_is_told_with_the_stiffness_that_mends_it():
    run, off = billiard(stiffness=2e4)
    assert 3.0 < -off < 20.0
    (told,) = [text for text in run.warnings if "in each other" in text]
    assert "cue - other" in told and "% of the thinner one's half-width" in told and "at 0.05 s" in told
    better = float(told.split("`stiffness: ")[1].split("`")[0])
    run, off = billiard(stiffness=better)
    (hit,) = run.events.of("collision")
    assert hit.values["overlap"] == pytest.approx(
        0.02, rel=0.1
    )  # linear: depth goes with 1 / sqrt(k), sin at this depth
    assert abs(off) < 1.2 and not run.warnings
    assert better < 1.3 * 2e4 * (0.3 / 0.02) ** 2


def row_of_balls(gap: float, restitution: float, method: str = "dop853") -> ct.Recording:
    """A ball that hits five others in a row with 1 m/s."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    add_ball(system, "b0", (-2.0 * RADIUS - 0.02, 0.0, 0.0), 1.0)
    for k in range(5):
        add_ball(system, f"b{k + 1}", (k * (2.0 * RADIUS + gap), 0.0, 0.0))
    system.add(ct.Restitution("law", restitution=restitution, stiffness=1e9, exponent=1.5))
    return ct.simulate(system, duration=0.05, method=method, step=1e-5, frames=0.01)


@pytest.mark.parametrize("method", ["dop853", "rk4"])
def test_a_row_of_touching_balls_passes_a_hit_on_nearly_as_one_with_gaps(method):
    """The dampers of touching balls were chosen for no speed at all: 0.35 m/s of 0.77 came out, energy -0.6."""
    apart = row_of_balls(1e-4, 0.9)
    last = apart["b5.velocity.x"][-1]
    assert last == pytest.approx(0.95**5, rel=0.02)  # hits one after the other, some still touch at the next
    touching = row_of_balls(0.0, 0.9, method)
    speeds = np.array([touching[f"b{k}.velocity.x"][-1] for k in range(6)])
    # Elastic touching balls with Hertz's exponent pass on 0.9875 of what a row with gaps does, in a wave.
    assert speeds[5] == pytest.approx(last, rel=0.02)
    assert abs(speeds[0]) < 0.06  # elastic: -0.071; it was -0.19
    assert speeds.sum() == pytest.approx(1.0, abs=1e-9)
    assert np.square(speeds).sum() < 1.0
    # Fourth order with 32 steps in a contact: (pi / 32)^4 of what goes through.
    assert touching["energy.residual"][-1] == pytest.approx(0.0, abs=1e-4 * 0.5 * BALL)
    told = [text for text in touching.warnings if "touched already" in text]
    assert len(told) == 1 and "leave gaps" in told[0]
    assert not any("e+" in text for text in touching.warnings)  # "the farthest 1.5e+11 where 0.9 was asked for"
    assert not any("touched already" in text for text in apart.warnings)


def slide(half: tuple[float, float, float], method: str, duration: float) -> ct.Recording:
    """A box that slides with 3 m/s and spins with 30 rad/s flat on a floor."""
    system = ct.System(gravity=(0.0, 0.0, -GRAVITY))
    system.add(ct.OutlinePlane("floor", "ground"))
    square = np.square(half)
    start = {"position": (0.0, 0.0, half[2]), "velocity": (3.0, 0.0, 0.0), "omega": (0.0, 0.0, 30.0)}
    system.add(ct.RigidBody("box", 1.0, tuple((square.sum() - square) / 3.0), **start))
    system.add(ct.OutlineBox("sides", "box", half_lengths=half))
    system.add(ct.Restitution("law", friction=0.3))
    return ct.simulate(system, duration=duration, method=method, frames=0.01)


@pytest.mark.parametrize("half", [(0.1, 0.1, 0.05), (0.2, 0.1, 0.05)])
@pytest.mark.parametrize("method", ["radau", "dop853"])
def test_a_square_box_that_slides_and_spins_is_no_harder_than_an_oblong_one(half, method):
    """A square has no principal axes: round-off chose other points at every look, 30,000 steps of radau for 0.2 s."""
    run = slide(half, method, 0.2)
    assert run.status.completed
    # It swings at 1 / sqrt(k / m) = 1.4 ms on its contact, and lands from 0.05 mm too high: some steps for each of the
    # first swings, then frames of 10 ms.
    assert run.statistics.steps + run.statistics.rejected < 600
    moved = run["energy.kinetic"][0] - run["energy.kinetic"][-1]
    assert run["energy.residual"][-1] == pytest.approx(0.0, abs=1e-5 * moved)
    # All of mu N while it slides faster than it spins at its corners; less sideways where both are alike.
    assert 0.5 * 0.3 * GRAVITY * 0.2 < 3.0 - run["box.velocity.x"][-1] < 0.3 * GRAVITY * 0.2


def test_the_way_a_box_slides_does_not_ask_how_it_is_laid():
    """Points that stand for a patch turn with the body, so that the world has no preferred direction."""
    ends = []
    for turn in (0.0, 0.5):
        system = ct.System(gravity=(0.0, 0.0, -GRAVITY))
        system.add(ct.OutlinePlane("floor", "ground"))
        way = np.array([math.cos(turn), math.sin(turn), 0.0])
        body = ct.RigidBody(
            "box", 1.0, (0.0042, 0.0042, 0.0067), position=(0.0, 0.0, 0.05), velocity=tuple(way), omega=(0.0, 0.0, 8.0),
            orientation=(math.cos(0.5 * turn), 0.0, 0.0, math.sin(0.5 * turn)),
        )  # fmt: skip
        system.add(body)
        system.add(ct.OutlineBox("sides", "box", half_lengths=(0.1, 0.1, 0.05)))
        system.add(ct.Restitution("law", friction=0.3))
        run = ct.simulate(system, duration=0.15, frames=0.05)
        ends.append(float(run["box.position"][-1] @ way))
    assert ends[1] == pytest.approx(ends[0], abs=1e-6)  # tolerance 1e-7 over a hundred steps


def test_a_hit_costs_short_steps_while_it_lasts_alone():
    """After a hit that a step was too long for, steps stayed short to the end: 1,562 and 15,514 of them."""
    for stiffness in (1e5, 1e7):
        run, _ = billiard(stiffness=stiffness)
        # Short steps, 64 in a contact, over the one of the touch, which is half a radius long; some hundred beside.
        lasts, touch = math.pi * math.sqrt(0.5 * BALL / stiffness), 0.5 * RADIUS / 2.0
        assert run.statistics.steps < 64.0 * touch / lasts + 150


@pytest.mark.parametrize(
    ("factor", "words"), [(1e6, "times what 2 kg can have within 0.245 m"), (1e-7, "contacts will spin it very fast")]
)
def test_an_inertia_in_another_unit_is_told(factor, words):
    """A box with its inertia in kg*mm2 hardly turned when it fell on an edge, "completed"."""
    system = ct.System(gravity=(0.0, 0.0, -GRAVITY))
    system.add(ct.OutlinePlane("floor", "ground"))
    half = np.array((0.2, 0.1, 0.1))
    inertia = 2.0 / 3.0 * (np.square(half).sum() - np.square(half))
    for name, scale in (("right", 1.0), ("wrong", factor)):
        place = (0.0, 1.0 if name == "right" else -1.0, 0.5)
        system.add(ct.RigidBody(name, 2.0, tuple(scale * inertia), position=place))
        system.add(ct.OutlineBox(f"{name} sides", name, half_lengths=tuple(half)))
    system.add(ct.Restitution("law"))
    run = ct.simulate(system, duration=0.01)
    (told,) = [text for text in run.warnings if "moment of inertia" in text]
    assert told.startswith("'wrong'") and words in told
    assert "a solid block as large as 'wrong sides' has [0.0133, 0.0333, 0.0333]" in told


def test_a_law_far_too_stiff_is_told_how_long_its_contacts_last():
    """ "between 0.969812298 s and 0.96981712 s ... a step of 4.91e-08 s or less would see it" helped nobody."""
    system = ct.System(gravity=(0.0, 0.0, -GRAVITY))
    system.add(ct.OutlinePlane("floor", "ground"))
    add_ball(system, "ball", (0.0, 0.0, 0.5))
    system.add(ct.Restitution("stone", stiffness=1e12))
    run = ct.simulate(system, duration=1.0, method="rk4", step=1e-3, frames=0.02)
    said = str(run.status)
    lasts = math.pi * math.sqrt(BALL / 1e12)
    assert run.status == "stopped" and f"contacts of 'stone' last {lasts:.2g} s" in said
    assert "s or less" not in said and "moreau" in said


def test_a_plate_that_is_pushed_through_is_told_of_its_law_not_of_a_step():
    """ "a step of 6.7e-12 s or less would see it"."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.RigidBody("plate", 1.0, (0.0133, 0.0133, 0.0267)))
    system.add(ct.OutlineBox("sheet", "plate", half_lengths=(0.2, 0.2, 0.001)))
    system.add(ct.RigidBody("ball", 0.1, (1.6e-5,) * 3, position=(0.0, 0.0, 0.5), velocity=(0.0, 0.0, -200.0)))
    system.add(ct.OutlineSphere("skin", "ball", radius=0.02))
    system.add(ct.Restitution("law", stiffness=1e5))
    run = ct.simulate(system, duration=0.01)
    assert run.status == "stopped"
    assert "a contact law that holds this speed is stiffer" in str(run.status) and "s or less" not in str(run.status)
    (told,) = [text for text in run.warnings if "in each other" in text]
    assert "does not hold them apart" in told and "degrees" not in told


def test_a_note_that_counts_is_told_once_with_its_sum():
    """Touches that the log had no room for were told of at every frame."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    add_ball(system, "b0", (-2.0 * RADIUS - 0.02, 0.0, 0.0), 1.0)
    system.add(ct.Restitution("law"))
    system.add(ct.OutlinePlane("wall", "ground", centre=(0.0, 0.0, -1.0)))
    run = ct.simulate(system, duration=0.01)
    notes = (Event(0.0, "note", f"{count:.0f} touches are missing", {"n": count}) for count in (3.0, 4.0))
    run.events = Events((*run.events, *notes))
    assert run.warnings == ["7 touches are missing"]
