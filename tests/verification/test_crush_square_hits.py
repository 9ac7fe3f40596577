"""Cars that hit a wall, or each other, squarely: restitution is what was entered, a millimetre changes nothing.

A car on its wheels leans by some 1e-4 rad against a wall. The wall then comes in as a wedge: over the first micrometres
the plane that a strip is cut in goes with it, and the column in the middle, which an odd number of columns has, is
pushed in at half the speed of the car. That was taken for the speed at touch, with e(4) for e(8).
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import centrode as ct
from centrode.parts.structures.structure import Structure

SCENE = """
centrode: 1
title: square hit
roads: {{road: {{kind: plane}}}}
vehicles:
  car: {{kind: {kind}, position: [-3, {aside}], speed: {speed}, heading: {heading}, structure: give, road: road{more}}}
{other}
structures: {{give: {{kind: crush, cell: {cell}, strips: {strips}}}}}
contact_laws: {{law: {{kind: crush, friction: 0.4}}}}
run: {{duration: {duration}, method: rk4-projected, step: 0.5 ms, frames: 5 ms}}
"""
BOX = "  wall: {kind: barrier-full, position: [0, 0]}"
PLANE = """
outlines:
  wall: {kind: plane, body: ground, rotation: [[0, 0, -1], [0, 1, 0], [1, 0, 0]], material: concrete}"""


def hit(other, speed, kind="compact-car", aside=0.0, heading=0.0, cell=0.04, strips=2, **more):
    """First collision of a car that runs into something."""
    said = "".join(f", {name}: {value}" for name, value in more.items())
    text = SCENE.format(
        other=other, speed=speed, kind=kind, aside=aside, heading=heading, cell=cell, strips=strips, more=said,
        duration=0.4 + 1.3 / speed,
    )  # fmt: skip
    run = ct.simulate(ct.loads(text))
    assert run.status.completed
    return run.collisions[0]


def asked(speed):
    """Restitution that the default structure says for a speed."""
    e = next(iter(ct.loads(SCENE.format(
        other=BOX, speed=speed, kind="compact-car", aside=0, heading=0, cell=0.04, strips=2, more="", duration=1,
    )).system.of_family("structure")))  # fmt: skip
    assert isinstance(e, Structure)
    return e.restitution_at(speed)


CASES = [(1.80, 0.04, 2, 0.0, 8.0, BOX), (1.80, 0.04, 2, 0.0, 15.6, PLANE), (1.82, 0.04, 2, 0.0, 8.0, BOX)]
_rng = np.random.default_rng(14)
CASES += [
    (
        round(float(_rng.uniform(1.5, 2.0)), 3),
        round(float(_rng.uniform(0.02, 0.08)), 4),
        int(_rng.integers(1, 4)),
        float(_rng.choice([0.0, 1e-7, 1e-5, -1e-4, 2e-4])),
        round(float(_rng.uniform(4.0, 16.0)), 2),
        (BOX, PLANE)[int(_rng.integers(2))],
    )
    for _ in range(12)
]


@pytest.mark.compiled
@pytest.mark.parametrize(("width", "cell", "strips", "heading", "speed", "wall"), CASES)
def test_a_flat_wall_gives_back_what_was_entered(width, cell, strips, heading, speed, wall):
    """Within the 3 % that the page states for shares by strength (outboard columns)."""
    found = hit(wall, speed, width=width, cell=cell, strips=strips, heading=heading)
    assert found.restitution == pytest.approx(asked(speed), rel=0.03)


@pytest.mark.compiled
@pytest.mark.parametrize("kind", ["small-car", "compact-car", "midsize-car", "large-car", "suv", "van"])
def test_every_class_has_the_restitution_of_its_structure(kind):
    """It was 0.191 and 0.178 for two of them, 0.133 to 0.136 for the others."""
    assert hit(BOX, 15.6, kind=kind).restitution == pytest.approx(asked(15.6), rel=0.03)


@pytest.mark.compiled
@pytest.mark.parametrize(("speed", "turned", "x"), [(8.0, 0.0, 3.0), (16.0, 0.0, 3.0), (16.0, math.pi, 3.0)])
@pytest.mark.parametrize("kind", ["compact-car", "suv"])
def test_a_millimetre_aside_changes_nothing(kind, speed, turned, x):
    """Two equal cars, rear end and head-on: delta-V was 9.52 m/s at 0 and 9.21 at 1 mm.

    Over the 2 to 10 cm that were tried it changes by less than 0.5 m/s per metre, so 5e-4 m/s over 1 mm, and steps
    of 0.5 ms are good for 2e-3 m/s.
    """
    other = f"  other: {{kind: {kind}, road: road, position: [{x}, 0], heading: {turned!r}}}"
    found = [hit(other, speed, kind, y).vehicle("other").delta_v_size for y in (-0.001, 0.0, 0.001)]
    assert np.ptp(found) < 2.5e-3
