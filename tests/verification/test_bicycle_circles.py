"""Families of hands-free circular motions: virtual power against the engine, ends, reversed handlebar."""

from __future__ import annotations

import dataclasses
import functools
import math

import numpy as np
import pytest

from centrode.running import simulate
from centrode.vehicles.bicycle.circles import (
    FLAT,
    FORWARD,
    INFINITE,
    REVERSED,
    SPINNING,
    STANDING,
    STRAIGHT,
    CircleFinder,
    families,
)
from centrode.vehicles.bicycle.kinematics import placed
from centrode.vehicles.bicycle.linear import linear_bicycle
from centrode.vehicles.bicycle.model import bicycle_system
from centrode.vehicles.bicycle.parameters import BicycleParameters
from centrode.vehicles.bicycle.published import TURNS
from centrode.vehicles.bicycle.turns import TurnSolver

P = BicycleParameters()


@functools.cache
def found():
    return {family.name: family for family in families()}


def _at_infinite_speed(motions):
    inverse = np.array([motion.yaw_rate**-2 for motion in motions])
    return np.polynomial.Polynomial.fit(inverse, [motion.front_heading for motion in motions], len(motions) - 1)(0.0)


def test_ends_of_the_three_families():
    """As the abstract of Basu-Mandal et al. (2007) describes them."""
    ends = {name: (family.begins, family.ends) for name, family in found().items()}
    assert ends == {FORWARD: (STRAIGHT, STANDING), REVERSED: (STRAIGHT, FLAT), SPINNING: (FLAT, INFINITE)}
    standing = found()[FORWARD].motions[-1]
    assert math.degrees(standing.lean) == pytest.approx(0.0, abs=1e-5)
    assert math.degrees(standing.steer) == pytest.approx(76.7614426, abs=1e-6)
    assert math.degrees(standing.front_heading) == pytest.approx(76.139, abs=1e-3)
    flat = found()[REVERSED].motions[-1]
    assert abs(math.remainder(flat.steer, math.pi)) < math.radians(0.5) and flat.speed > 50.0 and flat.radius < 4.0
    begin, end = found()[SPINNING].motions[0], found()[SPINNING].motions[-1]
    assert abs(begin.steer) < math.radians(0.5) and begin.speed > 50.0  # handlebar forward, straight again
    # Weight matters as 1 / yaw rate^2: a polynomial in it leads from the motions before the end to infinite speed,
    # better than the one of a degree less.
    assert abs(math.degrees(end.steer)) > 90.0 and abs(end.yaw_rate) > 100.0
    wide, narrow = (_at_infinite_speed(found()[SPINNING].motions[-1 - count : -1]) for count in (4, 3))
    assert end.front_heading == pytest.approx(wide, abs=abs(wide - narrow))
    assert abs(math.degrees(end.lean)) < 6.0


@pytest.mark.parametrize("name", [FORWARD, REVERSED, SPINNING])
def test_the_engine_agrees(name):
    """Accelerations of lean and steer vanish along every family; they grow with the square of the speed."""
    solver = TurnSolver()
    motions = found()[name].motions
    for motion in motions[:: max(1, len(motions) // 12)]:
        left = np.abs(solver.residual(motion.lean, motion.steer, motion.wheel_speed)).max()
        assert left < 1e-10 * (1.0 + motion.speed**2 + motion.yaw_rate**2)
        assert motion.residual < 1e-10


def test_forward_family_has_the_numbers_of_the_turns():
    """Figures of the independent solution, to the digits given."""
    finder = CircleFinder()
    for steer, (roll, pitch, yaw, speed, radius) in TURNS.items():
        guess = np.radians([roll, steer, -pitch])
        motion = finder.describe(finder.correct(guess, np.array([0.0, 1.0, 0.0])))
        assert math.degrees(motion.lean) == pytest.approx(roll, abs=6e-9)
        assert math.degrees(motion.pitch) == pytest.approx(pitch, abs=6e-9)
        assert motion.yaw_rate == pytest.approx(yaw, abs=6e-9)
        assert motion.speed == pytest.approx(speed, rel=1e-9)
        assert motion.radius == pytest.approx(radius, rel=1e-7)


def reversed_machine(pitch):
    """The benchmark bicycle with the handlebar turned round, as a machine of its own: parameters measured off it."""
    where = placed(P, 0.0, 0.0, 0.0, 0.0, pitch, math.pi)
    frame, fork = where.rotations["frame"], where.rotations["fork"]
    axis = frame @ P.steer_axis
    head = where.positions["rear-wheel"] + frame @ (P.steer_point - P.rear_hub)
    foot = head - axis * head[2] / axis[2]
    wheelbase = float(where.contacts["front"][0])
    inertia = {body: r @ P.inertias()[body] @ r.T for body, r in (("frame", frame), ("fork", fork))}
    values = {"wheelbase": wheelbase, "trail": float(foot[0]) - wheelbase, "steer_tilt": math.atan2(axis[0], -axis[2])}
    for body in ("frame", "fork"):
        values |= {f"{body}_x": float(where.positions[body][0]), f"{body}_z": float(where.positions[body][2])}
        for i, j, key in ((0, 0, "ixx"), (1, 1, "iyy"), (2, 2, "izz"), (0, 2, "ixz")):
            values[f"{body}_{key}"] = float(inertia[body][i, j])
    return dataclasses.replace(P, **values)


def test_reversed_family_begins_at_the_capsize_speed_of_the_reversed_machine():
    """Two ways to the speed where it branches off: virtual power at a steer of 180 deg, linear theory of a machine
    whose parameters are those of the bicycle with its handlebar turned round. Differences of step 1e-4: 1e-7."""
    finder = CircleFinder()
    z, branches = finder.straight(reversed_bar=True)
    roll = finder.balance(z)[3]
    speed = P.rear_radius * roll[7] * math.sqrt(branches[0][0])
    capsize = linear_bicycle(reversed_machine(z[2])).critical_speeds().capsize
    assert speed == pytest.approx(capsize, rel=1e-6)
    first = found()[REVERSED].motions[0]
    assert first.speed == pytest.approx(speed, rel=1e-4)


def test_a_reversed_turn_goes_round():
    """Started on the reversed family, lean and steer stay for half a second (these motions are unstable)."""
    motions = found()[REVERSED].motions
    motion = min(motions, key=lambda m: abs(m.lean - 0.4))
    system = bicycle_system(speed=motion.wheel_speed, lean=motion.lean, steer=motion.steer, fall_angle=1.5)
    run = simulate(system, duration=0.5, frames=0.1, tolerance=1e-12)
    np.testing.assert_allclose(run["bike.rear-contact.lean"], motion.lean, atol=1e-6)
    np.testing.assert_allclose(run["bike.steer.angle"], 0.0, atol=1e-6)


def test_other_machines():
    """A machine without capsize speed has no family from straight motion; nothing is made up."""
    assert CircleFinder(dataclasses.replace(P, trail=-0.3)).branch(False) is None


@pytest.mark.parametrize("degrees", [50.0, 70.0, *np.random.default_rng(7).uniform(1.0, 76.0, 6)])
def test_a_single_steer_finds_the_turn_of_its_family(degrees):
    """Asked for alone, a turn is that of the independent solver, whose family is interpolated for its guess."""
    steer = math.radians(degrees)
    motions = found()[FORWARD].motions
    steers = [motion.steer for motion in motions]
    guess = [np.interp(steer, steers, [value(m) for m in motions]) for value in (lambda m: m.lean, lambda m: -m.pitch)]
    finder = CircleFinder()
    other = finder.describe(finder.correct(np.array([guess[0], steer, guess[1]]), np.array([0.0, 1.0, 0.0])))
    (right,) = TurnSolver().family([steer])
    # Both residuals end at 1e-9 rad/s2 and better, over stiffnesses of some 1/s2.
    for name in ("lean", "pitch", "yaw_rate", "speed"):
        assert vars(right)[name] == pytest.approx(vars(other)[name], abs=1e-8)
    (left,) = TurnSolver().family([-steer])
    assert (left.lean, left.yaw_rate) == pytest.approx((-right.lean, -right.yaw_rate), abs=1e-9)
    assert left.speed == pytest.approx(right.speed, abs=1e-9)
