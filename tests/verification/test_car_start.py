"""Cars that start sliding and turning: where a reconstruction begins after a first hit."""

from __future__ import annotations

import math

import numpy as np
import pytest

from centrode import loads, simulate

TEXT = """
centrode: 1
title: Start
roads: {{road: {{kind: plane}}}}
vehicles:
  car: {{kind: car, road: road, heading: {heading} deg, speed: 15, sideslip: {slip} deg, yaw_rate: {rate}, brake: 1,
        chassis: {chassis}}}
run: {{duration: {duration} s, method: rk4-projected, step: 1 ms, frames: 10 ms}}
"""


@pytest.mark.parametrize("chassis", ["rigid", "pseudo-rigid"])
@pytest.mark.parametrize("heading, slip, rate", [(0, 30, 0.0), (40, -20, 1.5), (90, 0, -2.0), (200, 90, 0.7)])
def test_a_car_starts_as_it_was_told(chassis, heading, slip, rate):
    run = simulate(loads(TEXT.format(heading=heading, slip=slip, rate=rate, chassis=chassis, duration=0.01)))
    way = math.radians(heading + slip)
    assert run["car.body.velocity"][0, :2] == pytest.approx([15 * math.cos(way), 15 * math.sin(way)], abs=1e-12)
    # A deformed chassis turns as its directors do: the stretch of the equilibrium is below 1e-3.
    assert run["car.body.omega"][0, 2] == pytest.approx(rate, abs=2e-3)


def test_a_car_that_slides_sideways_stops_where_friction_says():
    """Locked at right angles to its way: v^2 / 2 mu g, as the straight slide."""
    ways = []
    for slip in (0, 90):
        run = simulate(loads(TEXT.format(heading=0, slip=slip, rate=0.0, chassis="rigid", duration=4)))
        assert np.linalg.norm(run["car.body.velocity"][-1]) < 0.05
        ways.append(float(np.linalg.norm(run["car.body.position"][-1, :2] - run["car.body.position"][0, :2])))
    assert ways[1] == pytest.approx(ways[0], rel=0.1)
