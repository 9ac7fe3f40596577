"""What slips between two jaws goes down as its middle would, and does not turn: friction of all points is one way."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import centrode as ct

G = 9.81
FRICTION = 0.3
HALF = 0.05
LACK = 0.21
"""Acceleration that friction leaves [m/s^2]: jaws of 16 N hold 9.6 N of 9.81 N."""
TIME = 0.2
LONG_WAY = 0.5 * TIME**2
ORDERS = tuple(itertools.permutations(("load", "left", "right")))
SHAPES = {
    "box": ct.OutlineBox("skin", "load", half_lengths=(HALF,) * 3),
    "polyhedron": ct.OutlinePolyhedron("skin", "load", points=list(itertools.product((-HALF, HALF), repeat=3))),
    "upright cylinder": ct.OutlineCylinder("skin", "load", radius=HALF, half_length=HALF),
    "lying cylinder": ct.OutlineCylinder(
        "skin", "load", radius=HALF, half_length=HALF, rotation=((1, 0, 0), (0, 0, 1), (0, -1, 0))
    ),
    "cylinder by its ends": ct.OutlineCylinder(
        "skin", "load", radius=HALF, half_length=HALF, rotation=((0, 0, 1), (0, 1, 0), (-1, 0, 0))
    ),
}


def jaws(
    force: float, order=ORDERS[0], shape: str = "box", tilt: float = 0.0, push: float = 0.0, jaw: float = 0.3
) -> ct.System:
    """A body of 1 kg between jaws on sliders along (cos tilt, 0, sin tilt), each pressed with a force."""
    across = (math.cos(tilt), 0.0, math.sin(tilt))
    turned = (math.cos(tilt / 2), 0.0, -math.sin(tilt / 2), 0.0)
    system = ct.System(gravity=(0.0, 0.0, -G))
    for name in order:
        if name == "load":
            system.add(ct.RigidBody("load", 1.0, (0.01 / 6.0,) * 3, orientation=turned))
            system.add(SHAPES[shape])
            if push != 0.0:
                system.add(ct.PointForce("push", "load", magnitude=push, direction=(0, 1, 0)))
            continue
        side = -1.0 if name == "left" else 1.0
        place = tuple(side * (HALF + 0.02) * c for c in across)
        system.add(ct.RigidBody(name, jaw, (1e-3,) * 3, position=place, orientation=turned))
        system.add(ct.Prismatic(f"{name}-guide", "ground", name, at=place, axis=across))
        system.add(ct.OutlineBox(f"{name}-face", name, half_lengths=(0.02, HALF, HALF)))
        towards = tuple(-side * c for c in across)
        system.add(ct.PointForce(f"{name}-force", name, magnitude=force, direction=towards))
    system.add(ct.Restitution("law", restitution=0.0, friction=FRICTION))
    return system


def assert_slips(system: ct.System, rate) -> None:
    """It moves with a constant acceleration (2 % of the part that friction decides) and turns by less than 1e-3 rad."""
    run = ct.simulate(system, duration=TIME, method="moreau")
    assert run.status.completed
    way = run["load.position"][-1] - run["load.position"][0]
    assert np.linalg.norm(way - LONG_WAY * np.asarray(rate)) < 0.02 * LONG_WAY * LACK
    # quaternions half an angle apart
    assert 2.0 * np.linalg.norm(run["load.orientation"][-1] - run["load.orientation"][0]) < 1e-3


@pytest.mark.compiled
@pytest.mark.parametrize("order", ORDERS)
def test_a_box_slips_straight_down_in_any_order_of_bodies(order) -> None:
    """It went down by 32 to 34 mm instead of 4.2, and turned by up to 0.5 rad: loads stood aside of the middle."""
    assert_slips(jaws(16.0, order), (0.0, 0.0, -LACK))


@pytest.mark.compiled
@pytest.mark.parametrize("order", ORDERS[::2])
@pytest.mark.parametrize("shape", tuple(SHAPES)[1:])
def test_other_outlines_slip_straight_down(shape, order) -> None:
    """Lines and discs between flat jaws."""
    assert_slips(jaws(16.0, order, shape), (0.0, 0.0, -LACK))


@pytest.mark.compiled
@pytest.mark.parametrize("degrees", (-20.0, 10.0, 30.0))
def test_jaws_that_are_tilted(degrees) -> None:
    """Along the sliders all fall freely together; across, 2 mu F holds all of m g cos(tilt) but what is left."""
    tilt = math.radians(degrees)
    force = (G * math.cos(tilt) - LACK) / (2.0 * FRICTION)
    along, up = (math.cos(tilt), 0.0, math.sin(tilt)), (-math.sin(tilt), 0.0, math.cos(tilt))
    rate = -G * math.sin(tilt) * np.array(along) - LACK * np.array(up)
    assert_slips(jaws(force, tilt=tilt), rate)


@pytest.mark.compiled
@pytest.mark.parametrize("push", (1.0, 3.0, 8.0))
def test_a_push_from_aside_makes_it_slip_obliquely(push) -> None:
    """Along the sum of weight and push: friction is against the slip, whatever its direction."""
    pull = math.hypot(push, G)
    force = (pull - LACK) / (2.0 * FRICTION)
    assert_slips(jaws(force, push=push), LACK / pull * np.array((0.0, push, -G)))


@pytest.mark.compiled
@pytest.mark.parametrize("jaw", (0.1, 3.0, 100.0))
def test_jaws_of_any_mass(jaw) -> None:
    """Heavy and light jaws press alike."""
    assert_slips(jaws(16.0, jaw=jaw), (0.0, 0.0, -LACK))


@pytest.mark.compiled
@pytest.mark.parametrize("force", (14.0, 16.2, 16.4))
def test_jaws_that_lack_more_and_less(force) -> None:
    """Down to a friction of 9.84 N, which holds."""
    lack = max(0.0, G - 2.0 * FRICTION * force)
    assert_slips(jaws(force), (0.0, 0.0, -lack))
