"""Forces and energies of columns at one look, in plain Python: closed forms, gradients, balances, symmetry.

A flat wall at the depth d presses a front of width w with w p, p = A (1 - exp(-d / l)) + B d (the first touch of
:mod:`centrode.parts.structures.column`), and the work up to there is w (A (d - l (1 - exp(-d / l))) + B d^2 / 2).
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from crush_scene import HALF, WIDTH, Crush
from scipy.spatial.transform import Rotation

from centrode.dynamics.contact.aside import ENTRY
from centrode.dynamics.contact.collide import crush_pair
from centrode.dynamics.contact.column_notes import note_tried
from centrode.dynamics.contact.columns import rub_column
from centrode.dynamics.contact.tables import open_integrals
from centrode.parts.contact_laws.contact_law import FRICTION, SLIP_SPEED
from centrode.parts.structures.column import crush_at

EVEN = {"restitution": (0.4, 0.4)}  # the same share of the work is given back at any speed
ROUND_OFF = 1e-12
"""Sums of some tens of products, each to 2e-16."""


def pressure(structure, depth, from_depth=0.0):
    """Force per width of a front that was free up to a depth [N/m]: equation (2) of the columns with p_m = 0."""
    fades = math.exp(-(depth - from_depth) / structure.ramp)
    return structure.a[0] * (1.0 - fades) + structure.b[0] * (depth - from_depth * fades)


def work(structure, depth):
    """Its integral [J/m]."""
    ramped = depth - structure.ramp * (1.0 - math.exp(-depth / structure.ramp))
    return structure.a[0] * ramped + 0.5 * structure.b[0] * depth**2


def at_wall(depth, speed=10.0, **given):
    """A car whose front stands so deep in a wall that comes towards it."""
    scene = Crush(**EVEN | given)
    scene.place("block", (HALF[0] + 1.0 - depth, 0.0, 0.0), velocity=(-speed, 0.0, 0.0))
    return scene


@pytest.mark.parametrize("depth", [0.003, 0.04, 0.2, 0.7])
def test_a_flat_wall_presses_a_front_with_the_force_that_was_entered(depth):
    scene = at_wall(depth)
    total = scene.press(elapsed=0.05)
    force = WIDTH * pressure(scene.structure, depth)
    # the wall is pushed away, along +x, without friction
    np.testing.assert_allclose(total["force"], (force, 0.0, 0.0), rtol=ROUND_OFF, atol=ROUND_OFF * force)
    np.testing.assert_allclose(total["normal"], total["force"], rtol=ROUND_OFF)
    assert total["sizes"] == pytest.approx(force, rel=ROUND_OFF)
    # it acts where the wall's face stands, at half the width, in the middle of the strip's band
    height = -HALF[2] + 0.5 * (scene.structure.low[0] + scene.structure.high[0])
    place = total["moment"] / total["sizes"]
    np.testing.assert_allclose(place, (HALF[0] - depth, 0.0, height), atol=1e-12)
    assert (total["depth"], total["rate"]) == pytest.approx((depth, 10.0), rel=1e-12)
    assert total["rubbed"] == total["slip"] == 0.0
    # e^2 of the work is stored, the rest of the power is lost
    assert total["stored"] == pytest.approx(0.4**2 * WIDTH * work(scene.structure, depth), rel=1e-9)
    assert total["heat"] == pytest.approx((1.0 - 0.4**2) * force * 10.0, rel=1e-9)
    # all of it would be given back on the way p z^2 over the stroke 3 e^2 w / p: so deep the wall must go to part
    stroke = min(3.0 * 0.4**2 * work(scene.structure, depth) / pressure(scene.structure, depth), depth)
    assert total["free"] == pytest.approx(depth - stroke, rel=1e-9)
    assert total["reach"] == pytest.approx(stroke, rel=1e-9)


@pytest.mark.parametrize("depth", [0.01, 0.3])
@pytest.mark.parametrize("order", [0, 1])
def test_a_pair_tells_where_its_force_acts_and_which_way(depth, order):
    """Forces are told as those on B, whichever of the two gives way, and the pulse of the bodies integrates them."""
    scene = at_wall(depth, order=order)
    scene.pair.slot = 0
    rates = np.zeros(30)
    integrals = open_integrals(rates, 0, 1)
    assert crush_pair(scene.block.address, scene.pair, scene.columns, -1.0, 0.05, integrals)
    force = WIDTH * pressure(scene.structure, depth)
    sign = -1.0 if order else 1.0  # B is the car in the second order
    np.testing.assert_allclose(scene.pair.force, (sign * force, 0.0, 0.0), rtol=ROUND_OFF, atol=1e-9)
    np.testing.assert_allclose(scene.pair.normal, (sign, 0.0, 0.0), atol=1e-12)
    height = -HALF[2] + 0.5 * (scene.structure.low[0] + scene.structure.high[0])
    for place in (scene.pair.point, scene.pair.point_a, scene.pair.point_b):
        np.testing.assert_allclose(place, (HALF[0] - depth, 0.0, height), atol=1e-12)
    assert scene.pair.depth == pytest.approx(depth, rel=1e-12)
    pulse = integrals[0]
    np.testing.assert_allclose(pulse.impulse, scene.pair.force, rtol=ROUND_OFF)
    np.testing.assert_allclose(pulse.moment, force * scene.pair.point, rtol=1e-9, atol=1e-9 * force)
    assert pulse.magnitude == pytest.approx(force, rel=ROUND_OFF)
    assert pulse.heat_law == pytest.approx((1.0 - 0.4**2) * force * 10.0, rel=1e-9)


def test_two_alike_share_the_depth_and_the_work():
    """Each front is pushed in by half of the depth, and the pressure builds up over the whole of it."""
    scene = Crush(both=True, **EVEN)
    depth = 0.24
    scene.place("block", (4.0 - depth, 0.0, 0.0), turn=(0.0, 0.0, math.pi), velocity=(-10.0, 0.0, 0.0))
    total = scene.press(elapsed=0.05)
    structure = scene.structure
    force = structure.a[0] * (1.0 - math.exp(-depth / structure.ramp)) + structure.b[0] * 0.5 * depth
    assert total["force"][0] == pytest.approx(WIDTH * force, rel=1e-9)
    scene.press(settle=True, elapsed=0.05)
    front = scene.used
    assert len(front) == 2 * 6  # six columns of 0.3 m on each
    # Where the ramp still holds the pressure back a column is crushed as far as its own curve says for it.
    height = structure.high[0] - structure.low[0]
    own = crush_at(structure.curve(0, height), 1.0, force / height)[0]
    np.testing.assert_allclose(front["crush"], own, rtol=1e-9)
    np.testing.assert_allclose(front["dent"], structure.residual * own, rtol=1e-9)
    np.testing.assert_allclose(front["area"] * front["pressure"], 0.5 * 0.3 * force, rtol=1e-9)


def test_what_was_settled_is_given_back_along_the_square():
    """Pressed to 0.3 m, noted, and let out: p z^2 with z from 1 to 0 over the stroke, all that is stored, no heat."""
    depth = 0.3
    scene = at_wall(depth)
    scene.press(settle=True, elapsed=0.05)
    force, done = WIDTH * pressure(scene.structure, depth), WIDTH * work(scene.structure, depth)
    stroke = 3.0 * 0.4**2 * done / force
    for z in (0.9, 0.5, 0.1):
        scene.place("block", (HALF[0] + 1.0 - depth + (1.0 - z) * stroke, 0.0, 0.0), velocity=(1.0, 0.0, 0.0))
        total = scene.press()
        assert total["force"][0] == pytest.approx(force * z * z, rel=1e-9)
        assert total["stored"] == pytest.approx(0.4**2 * done * z**3, rel=1e-9)
        assert total["heat"] == 0.0 and total["rate"] == pytest.approx(-1.0, rel=1e-12)
    scene.place("block", (HALF[0] + 1.0 - depth + 1.01 * stroke, 0.0, 0.0), velocity=(1.0, 0.0, 0.0))
    total = scene.press()
    assert total["force"][0] == 0.0 and total["reach"] == pytest.approx(-0.01 * stroke, rel=1e-6)
    # Beyond the deepest point it goes on as if it had never been let out.
    scene.place("block", (HALF[0] + 1.0 - 0.35, 0.0, 0.0), velocity=(-10.0, 0.0, 0.0))
    total = scene.press()
    assert total["force"][0] == pytest.approx(WIDTH * pressure(scene.structure, 0.35), rel=1e-9)


@pytest.mark.parametrize("dent", [0.01, 0.02, 0.03])
def test_the_next_one_begins_where_the_dent_of_another_ends(dent):
    """A column that another pair has left dented is free up to there, and builds up its pressure from there on."""
    depth, short = 0.04, 1e-3
    scene = at_wall(depth)
    front = scene.t.strips[scene.t.solids[scene.own["car"]].of_side[0]]
    for k in range(front.cells):
        scene.columns[k].code, scene.columns[k].cell, scene.columns[k].dent = 9, front.first + k, dent
    # In 1 ms what comes at 10 m/s makes a column deeper by at most 1.5 (1 + b) (10 + 1) 1 ms = 0.0495 m.
    total = scene.press(elapsed=short)
    assert total["force"][0] == pytest.approx(WIDTH * pressure(scene.structure, depth, dent), rel=1e-9)


def test_what_is_deeper_than_it_can_have_moved_came_in_from_aside():
    """The same wall seen after a tenth of a millisecond: it folded no column, so none pushes until it goes on."""
    depth = 0.04
    scene = at_wall(depth)
    total = scene.press(settle=True, elapsed=1e-4)
    assert total["force"][0] == 0.0
    assert (scene.used["entry"] > 0.0).all()
    more = 0.02
    scene.place("block", (HALF[0] + 1.0 - depth - more, 0.0, 0.0), velocity=(-10.0, 0.0, 0.0))
    total = scene.press(elapsed=2e-3)
    # columns begin a tenth of a millimetre before the place where it was first seen
    assert total["force"][0] == pytest.approx(WIDTH * pressure(scene.structure, more + ENTRY, ENTRY), rel=1e-9)


@pytest.mark.parametrize(("ahead", "stands"), [(1.7, False), (1.0, True)])
def test_sides_end_where_the_front_was_crushed_away(ahead, stands):
    """A block comes in from the left, 0.1 m deep; the front was pushed in by 0.6 m before and is let go."""
    found = []
    for dent in (0.0, 0.6):
        scene = Crush((0.2, 0.4, 1.0), cell=0.1, fender=0.0, **EVEN)
        front = scene.t.strips[scene.t.solids[scene.own["car"]].of_side[0]]
        for k in range(front.cells if dent else 0):
            scene.columns[k].code, scene.columns[k].cell, scene.columns[k].dent = 9, front.first + k, dent
        scene.place("block", (ahead, HALF[1] + 0.4 - 0.1, 0.0), velocity=(0.0, -10.0, 0.0))
        found.append(scene.press(elapsed=0.05)["force"][1])
    assert found[0] > 1e3
    assert found[1] == pytest.approx(found[0] if stands else 0.0, rel=1e-12)


# -- any pose ----------------------------------------------------------------------------------------------------------

POSES = {
    # half lengths of the block, yaw, pitch
    "wall": ((1.0, 1.2, 1.0), 0.0, 0.0),
    "oblique": ((1.0, 1.2, 1.0), 0.06, 0.0),
    "leaning": ((1.0, 1.2, 1.0), -0.03, 0.04),
    "edge": ((0.4, 0.4, 1.0), 0.7, 0.0),
    "post": ((0.3, 0.2, 1.0), 0.1, 0.05),
}


def settled(name, both=False, friction=0.0, order=0):
    """A scene with columns pressed in and noted, and the pose of the block."""
    half, yaw, pitch = POSES[name]
    cell = 0.3 if half[1] > 1.0 else 0.12
    scene = Crush(HALF if both else half, both=both, friction=friction, order=order, cell=cell, **EVEN)
    axes = Rotation.from_euler("zy", (yaw + (math.pi if both else 0.0), pitch))
    reach = np.abs(axes.as_matrix()[0]) @ (HALF if both else half)
    place = np.array((HALF[0] + reach - 0.3, 0.13, 0.02))
    scene.place("car", (0.0, 0.0, 0.0))
    scene.place("block", place, axes.as_rotvec(), velocity=(-10.0, 0.0, 0.0))
    scene.press(settle=True, elapsed=0.05)
    assert len(scene.used) > 2
    return scene, place, axes


CASES = [(name, False) for name in POSES] + [("wall", True), ("oblique", True)]


@pytest.mark.parametrize(("name", "both"), CASES)
def test_forces_on_the_way_out_are_the_gradient_of_what_is_stored(name, both):
    """Moved or turned by 1e-6, either body. Energies of 1e3 J to 2e-16 make 1e-7 N of a difference quotient; the third
    derivative p_m / s^2 of a column's energy, 1e5 N over (0.05 m)^2, times 1e-12 m^2 / 6 another 1e-5 N."""
    scene, place, axes = settled(name, both)
    # a little out, and turned by less than makes any column deeper
    place = place + (0.03, 0.002, -0.001)
    axes = Rotation.from_rotvec((0.004, -0.005, 0.006)) * axes
    poses = {"car": (np.zeros(3), Rotation.identity()), "block": (place, axes)}

    def stored(body, move):
        for item, (at, turned) in poses.items():
            moved, turn = (move[:3], move[3:]) if item == body else (np.zeros(3), np.zeros(3))
            scene.place(item, at + moved, (Rotation.from_rotvec(turn) * turned).as_rotvec())
        return float(scene.press()["stored"])

    energy = stored("car", np.zeros(6))
    assert energy > 50.0 and scene.t.head[0].pressed.heat == 0.0
    for body in poses:
        stored(body, np.zeros(6))
        found = scene.wrench(body)
        for k in range(6):
            step = 1e-6 * np.eye(6)[k]
            expected = -(stored(body, step) - stored(body, -step)) / 2e-6
            assert found[k] == pytest.approx(expected, rel=1e-6, abs=1e-3), (body, k)


@pytest.mark.parametrize(("name", "both"), CASES)
def test_forces_of_a_pair_balance_and_take_what_they_say(name, both):
    """Equal and opposite with equal moments, friction included; their power is heat, rubbing and what goes into store.

    On the way in the share e^2 of the power of every column is stored: heat of the columns = (1 - e^2) of their power.
    """
    scene, place, axes = settled(name, both, friction=0.4)
    motions = {"car": ((2.0, 0.3, -0.2), (0.1, 0.2, -0.3)), "block": ((-9.0, 1.0, 0.5), (-0.2, 0.1, 0.4))}
    scene.place("car", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), *motions["car"])
    scene.place("block", place - (0.01, 0.0, 0.0), axes.as_rotvec(), *motions["block"])
    total = scene.press(elapsed=0.005)
    for about in ((0.0, 0.0, 0.0), (3.0, -2.0, 5.0)):
        one, two = scene.wrench("car", about), scene.wrench("block", about)
        np.testing.assert_allclose(one, -two, atol=1e-11 * np.abs(one).max())
    np.testing.assert_allclose(total["force"], scene.wrench("block")[:3], rtol=1e-11)
    power = sum(np.dot(scene.wrench(body), np.concatenate(motions[body])) for body in motions)
    rubbing = total["rubbed"]
    assert rubbing > 0.0 and total["heat"] > 0.0
    # without friction the columns alone, at the same depths
    smooth, _, _ = settled(name, both)
    smooth.place("car", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), *motions["car"])
    smooth.place("block", place - (0.01, 0.0, 0.0), axes.as_rotvec(), *motions["block"])
    dry = smooth.press(elapsed=0.005)
    columns = sum(np.dot(smooth.wrench(body), np.concatenate(motions[body])) for body in motions)
    assert power - columns == pytest.approx(-(total["heat"] - dry["heat"]) - rubbing, rel=1e-9)
    assert (1.0 - 0.4**2) * -columns <= dry["heat"] * (1.0 + 1e-9) <= -columns * (1.0 + 1e-9)  # narrow hits store less


@pytest.mark.parametrize("name", list(POSES))
def test_neither_the_order_of_the_bodies_nor_the_place_of_the_world_matters(name):
    found = []
    for order in (0, 1):
        scene, place, axes = settled(name, friction=0.3, order=order)
        scene.place("block", place - (0.01, 0.0, 0.0), axes.as_rotvec(), (-9.0, 1.0, 0.5), (0.1, 0.2, 0.3))
        scene.press(elapsed=0.005)
        found.append(scene.wrench("block"))
    np.testing.assert_allclose(found[1], found[0], rtol=1e-9, atol=1e-9 * np.abs(found[0]).max())
    world, shift = Rotation.from_rotvec((0.7, -1.1, 2.0)), np.array((100.0, -30.0, 7.0))
    scene, place, axes = settled(name, friction=0.3)
    place = place - (0.01, 0.0, 0.0)
    scene.place("car", shift, world.as_rotvec())
    scene.place(
        "block", shift + world.apply(place), (world * axes).as_rotvec(),
        world.apply((-9.0, 1.0, 0.5)), world.apply((0.1, 0.2, 0.3)),
    )  # fmt: skip
    scene.press(elapsed=0.005)
    turned = scene.wrench("block")
    expected = np.concatenate([world.apply(found[0][:3]), world.apply(found[0][3:])])
    # places of 100 m to 2e-14 m, over a ramp of 25 mm and a stiffness of 1 MN/m
    np.testing.assert_allclose(turned, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


def test_friction_of_a_column_is_split_into_what_folds_and_what_rubs():
    """Equation (4): friction -g on the own body along what slips, at most mu |f|, all its power in one or the other."""
    rng = np.random.default_rng(4)
    law = np.zeros(32)
    law[FRICTION], law[SLIP_SPEED] = 0.5, 0.1
    for _ in range(200):
        f, u, e = rng.normal(size=(3, 3)) * [[1e4], [5.0], [1.0]]
        e /= np.linalg.norm(e)
        n = f / np.linalg.norm(f)
        friction, folds, rubs = rub_column(law, tuple(f), tuple(u), tuple(e))
        friction = np.array(friction)
        slip = u - (u @ n) * n
        smoothed = math.hypot(np.linalg.norm(slip), 0.1)
        np.testing.assert_allclose(friction, 0.5 * np.linalg.norm(f) * slip / smoothed, rtol=1e-9, atol=1e-9)
        assert folds + rubs == pytest.approx(friction @ u, rel=1e-9)
        assert folds == pytest.approx(np.clip((friction @ e) * (u @ e), 0.0, friction @ u), rel=1e-9, abs=1e-6)


def test_an_accepted_state_is_noted_from_its_evaluation():
    """What a look wrote down and a look that notes at once leave the same memory: the columns are searched once."""
    noted = []
    for at_once in (True, False):
        scene = Crush(both=True, friction=0.4)
        for x, turn in ((3.9, 0.0), (3.7, 0.05), (3.8, 0.05), (3.95, 0.02)):
            scene.place("block", (x, 0.1, 0.0), (0.0, 0.0, turn), velocity=(-10.0, 1.0, 0.0))
            scene.press(settle=at_once)
            if not at_once:
                assert scene.pair.trials > 0
                note_tried(scene.block.address, scene.pair, scene.columns)
        noted.append(scene.columns.copy())
    for name in noted[0].dtype.names:
        assert noted[0][name] == pytest.approx(noted[1][name], rel=1e-12), name
