"""Every touch of bodies that give way is one: they push each other, as they come nearer, where both of them are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import centrode as ct
from centrode.dynamics.contact.setup import outlines_of

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios" / "collisions"
STEP = 5e-4
PUSHED = 1e-6
"""Impulse below which nothing pushed [N*s]: a touch lasts a step at least, and a newton for that time is 500 times as
much."""

OBLIQUE = """
centrode: 1
title: Two cars, braked a second after the start
roads:
  road: {{kind: plane}}
vehicles:
  a:
    kind: car
    road: road
    position: [-14, 0.3]
    speed: {speed}
    brake: &after {{kind: staircase, times: [1 s], values: [0.7]}}
  b: {{kind: car, road: road, position: {place}, heading: {heading} deg, speed: {other}, brake: *after}}
contact_laws:
  cars: {{kind: crush, friction: 0.4}}
run: {{duration: 2.5 s, method: rk4-projected, step: 0.5 ms}}
"""
CASES = {
    "rear corner": {"speed": 15, "place": [-4.0, 5.0], "heading": -35, "other": 10},
    "slap": {"speed": 12, "place": [0.5, -6.0], "heading": 75, "other": 7},
    "oncoming": {"speed": 18, "place": [8.0, 2.4], "heading": 190, "other": 12},
}


def crash(name):
    """A scenario of the house, or one of CASES."""
    if name in CASES:
        return ct.loads(OBLIQUE.format(**CASES[name]))
    return ct.load(SCENARIOS / f"{name}.yaml")


def touches(run):
    """Begin and end of every contact."""
    begun, found = {}, []
    for event in run.events:
        if event.kind == "contact begin":
            begun[event.subject] = event
        elif event.kind == "contact end":
            found.append((begun.pop(event.subject), event))
    return found


def impulse(run, body, begin, end):
    """What contacts gave a body between two times [N*s]."""
    given = np.stack([run[f"collisions.{body}.impulse_{c}"] for c in "xyz"], axis=1)
    at = [[np.interp(time, run.time, given[:, c]) for c in range(3)] for time in (begin, end)]
    return float(np.linalg.norm(np.subtract(*at)))


def beyond(run, shell, event):
    """How far the place of a touch is outside a body's box as it was before the crash [m]."""
    body, k = shell.body, int(np.searchsorted(run.time, event.time))
    axes, place = run[f"{body}.directors"][k], run[f"{body}.position"][k]
    own = np.linalg.solve(axes, [event.values[f"point_{c}"] for c in "xyz"] - place) - shell.centre
    return float((np.abs(own) - 0.5 * np.array([shell.length, shell.width, shell.height])).max())


@pytest.mark.parametrize("name", ["t_bone", "head_on", *CASES])
def test_every_touch_has_a_force_an_approach_and_a_place(name):
    # The T-bone had three more touches after the cars had parted, with no force and closing at -2.4 to -3.5 m/s, at the
    # place of the last: round-off of the pressure of columns that one had slid into from the side counted as a touch.
    scenario = crash(name)
    run = ct.simulate(scenario, frames=STEP)
    found = touches(run)
    assert found
    shells = {shell.body: shell for shell in outlines_of(scenario.system)}
    for begin, end in found:
        one, two = begin.subject.split(" - ")
        assert impulse(run, two, begin.time, end.time) > PUSHED, (begin, end)
        assert begin.values["closing_speed"] > 0.0, begin
        # Written down at the end of the step in which it is found, told for the time of the touch.
        moved = 2.0 * STEP * begin.values["closing_speed"] + 1e-3
        for body in (one, two):
            assert beyond(run, shells[body], begin) < moved, (body, begin)
