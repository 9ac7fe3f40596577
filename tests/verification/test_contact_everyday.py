"""Everyday set-ups as a first-time user would enter them, against closed forms: laws that push, and moreau."""

from __future__ import annotations

import math

import numpy as np
import pytest

import centrode as ct
from centrode.jit import JIT_ON

pytestmark = pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")

G = 9.81
ABOUT_Y = ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0))
"""Own axes of a cylinder that rolls along x."""
METHODS = pytest.mark.parametrize("method", [None, "moreau"])
"""What a run takes when nothing is said, and the method of hard contacts."""


def ball(system: ct.System, name: str, mass: float, radius: float, place: tuple[float, ...], **start: object) -> None:
    system.add(ct.RigidBody(name, mass, (0.4 * mass * radius**2,) * 3, position=place, **start))
    system.add(ct.OutlineSphere(f"{name} skin", name, radius=radius, material=name))


def box(system: ct.System, name: str, mass: float, half: tuple[float, ...], place: tuple[float, ...]) -> None:
    square = np.square(half)
    system.add(ct.RigidBody(name, mass, tuple(mass / 3.0 * (square.sum() - square)), position=place))
    system.add(ct.OutlineBox(f"{name} sides", name, half_lengths=half))


def roller(system: ct.System, name: str, mass: float, radius: float, half: float) -> None:
    about, across = 0.5 * mass * radius**2, mass * (3.0 * radius**2 + 4.0 * half**2) / 12.0
    system.add(ct.RigidBody(name, mass, (across, about, across), position=(0.0, 0.0, radius)))
    system.add(ct.OutlineCylinder(f"{name} skin", name, radius=radius, half_length=half, rotation=ABOUT_Y))


@METHODS
def test_a_can_rolls_down_a_slope(method):
    slope = math.radians(10.0)
    system = ct.System(gravity=(G * math.sin(slope), 0.0, -G * math.cos(slope)))
    system.add(ct.OutlinePlane("slope", "ground"))
    roller(system, "can", 0.35, 0.033, 0.06)
    system.add(ct.Restitution("law", friction=0.4))
    run = ct.simulate(system, duration=1.0, method=method)
    # A full cylinder: 2/3 g sin; it sinks in by a thousandth of its radius and slips until friction has got hold of it.
    assert run["can.position.x"][-1] == pytest.approx(0.5 * 2.0 / 3.0 * G * math.sin(slope), rel=1e-3)
    assert not run.warnings


@METHODS
def test_a_marble_rolls_down_a_ramp_and_falls_from_its_end(method):
    slope, radius = math.radians(20.0), 0.008
    system = ct.System()
    tilted = ((math.cos(slope), 0, math.sin(slope)), (0, 1, 0), (-math.sin(slope), 0, math.cos(slope)))
    system.add(ct.OutlineBox("ramp", "ground", half_lengths=(0.5, 0.1, 0.02), centre=(0, 0, 1), rotation=tilted))
    system.add(ct.OutlinePlane("floor", "ground"))
    normal, along = np.array((math.sin(slope), 0, math.cos(slope))), np.array((math.cos(slope), 0, -math.sin(slope)))
    start = np.array((0.0, 0.0, 1.0)) - 0.4 * along + normal * (0.02 + radius)
    ball(system, "marble", 0.005, radius, tuple(start))
    system.add(ct.Restitution("law", restitution=0.6, friction=0.5))
    run = ct.simulate(system, duration=1.5, frames=0.001, method=method)
    speeding = 5.0 / 7.0 * G * math.sin(slope)
    way = (run["marble.position"] - start) @ along
    assert way[500] == pytest.approx(0.5 * speeding * 0.25, rel=1e-3)
    # It leaves the ramp after 0.9 m, turns about its end by next to nothing, and falls: a parabola to the floor.
    speed = math.sqrt(2.0 * speeding * 0.9)
    end = start + 0.9 * along
    falls = (-speed * math.sin(slope) + math.sqrt((speed * math.sin(slope)) ** 2 + 2 * G * (end[2] - radius))) / G
    low = int(np.argmin(run["marble.position.z"]))  # of the frames, which are a millisecond apart
    assert run.time[low] == pytest.approx(math.sqrt(2.0 * 0.9 / speeding) + falls, abs=5e-3)
    assert run["marble.position.x"][low] == pytest.approx(end[0] + speed * math.cos(slope) * falls, abs=0.01)


@METHODS
@pytest.mark.parametrize(("speed", "spin"), [(2.0, 0.0), (3.0, -60.0)])
def test_a_ball_that_slides_comes_to_roll_at_the_speed_of_its_angular_momentum(method, speed, spin):
    """A stun shot, and one with so much backspin that a little speed is left."""
    radius = 0.1
    system = ct.System()
    system.add(ct.OutlinePlane("cloth", "ground"))
    ball(system, "ball", 0.5, radius, (0.0, 0.0, radius), velocity=(speed, 0, 0), omega=(0, spin, 0))
    system.add(ct.Restitution("law", friction=0.2))
    run = ct.simulate(system, duration=2.5, method=method)
    rolls = (speed + 0.4 * radius * spin) * 5.0 / 7.0
    assert run["ball.velocity.x"][-1] == pytest.approx(rolls, rel=1e-3)
    assert run["ball.omega.y"][-1] * radius == pytest.approx(rolls, rel=1e-3)


@METHODS
@pytest.mark.parametrize(("share", "climbs"), [(0.97, False), (1.03, True)])
def test_a_wheel_climbs_a_step_when_it_is_pushed_hard_enough(method, share, climbs):
    radius, mass, high = 0.3, 10.0, 0.05
    reach = math.sqrt(2.0 * radius * high - high**2)
    system = ct.System()
    system.add(ct.OutlinePlane("floor", "ground"))
    system.add(ct.OutlineBox("step", "ground", half_lengths=(5, 1, 0.5 * high), centre=(5 + reach, 0, 0.5 * high)))
    roller(system, "wheel", mass, radius, 0.05)
    system.add(ct.Restitution("law", restitution=0.05, friction=1.0))
    system.add(
        ct.PointForce("push", "wheel", direction=(1, 0, 0), magnitude=share * mass * G * reach / (radius - high))
    )
    run = ct.simulate(system, duration=1.5, method=method)
    assert run["wheel.position.z"][-1] - radius == pytest.approx(high if climbs else 0.0, abs=2e-3)


@METHODS
@pytest.mark.parametrize("speeding", [2.0, 6.0])
def test_a_crate_rides_or_slips_on_a_truck(method, speeding):
    system = ct.System()
    box(system, "truck", 100.0, (2.0, 0.5, 0.1), (0.0, 0.0, 0.5))
    system.add(ct.Prismatic("rail", "ground", "truck", at=(0, 0, 0.5), axis=(1, 0, 0)))
    moved = ct.SignalPolynomial((0.0, 0.0, 0.5 * speeding))
    way = {"at": (0, 0, 0.5), "axis": (1, 0, 0), "coordinate": "translation", "signal": moved}
    system.add(ct.Motion("drive", "ground", "truck", **way))
    box(system, "crate", 1.0, (0.1, 0.1, 0.1), (0.0, 0.0, 0.7))
    system.add(ct.Restitution("law", friction=0.4))
    run = ct.simulate(system, duration=0.8, method=method)
    # The bristle gives way by some hundredths of a millimetre, and the first friction comes with the weight.
    assert run["crate.position.x"][-1] == pytest.approx(0.32 * min(speeding, 0.4 * G), rel=2e-3)


@METHODS
def test_a_smooth_ladder_leaves_its_wall_at_two_thirds_of_its_height(method):
    steep, radius = math.radians(60.0), 0.02
    system = ct.System()
    system.add(ct.OutlinePlane("floor", "ground"))
    system.add(ct.OutlinePlane("wall", "ground", rotation=((0, 0, 1), (0, 1, 0), (-1, 0, 0))))
    turned = (math.cos(0.5 * steep), 0.0, math.sin(0.5 * steep), 0.0)
    place = (math.cos(steep) + radius, 0.0, math.sin(steep) + radius)
    system.add(ct.RigidBody("ladder", 10.0, (0.01, 10.0 / 3.0, 10.0 / 3.0), position=place, orientation=turned))
    along = ((0, 0, 1), (0, 1, 0), (-1, 0, 0))
    system.add(ct.OutlineCapsule("bar", "ladder", radius=radius, half_length=1.0, rotation=along))
    system.add(ct.Restitution("law", restitution=0.1))
    run = ct.simulate(system, duration=0.9, method=method)
    # Both ends held: w^2 = 3/2 g (sin a - sin b), v_x = w sin b, greatest at sin b = 2/3 sin a, and kept from there on.
    low = 2.0 / 3.0 * math.sin(steep)
    expected = low * math.sqrt(1.5 * G * (math.sin(steep) - low))
    assert run["ladder.velocity.x"].max() == pytest.approx(expected, rel=1e-3)
    assert run["ladder.velocity.x"][-1] == pytest.approx(expected, rel=1e-3)


@METHODS
@pytest.mark.parametrize(("share", "tips"), [(0.95, False), (1.05, True)])
def test_a_tall_box_pushed_at_its_top_tips_over_its_edge(method, share, tips):
    system = ct.System()
    system.add(ct.OutlinePlane("floor", "ground"))
    box(system, "box", 5.0, (0.1, 0.1, 0.3), (0.0, 0.0, 0.3))
    system.add(ct.Restitution("law", friction=0.8))
    push = share * 5.0 * G * 0.1 / 0.6
    system.add(ct.PointForce("push", "box", point_body=(0, 0, 0.3), direction=(1, 0, 0), magnitude=push))
    run = ct.simulate(system, duration=3.0, method=method)
    assert run["box.position.z"][-1] == pytest.approx(0.1 if tips else 0.3, abs=1e-3)


def test_a_ball_in_a_bowl_swings_as_a_pendulum_does_and_is_told_when_it_starts_beside_it():
    """Nothing said where the grid of a height field lies: a ball fell beside it, for ever, "completed"."""
    bowl, radius, count = 1.0, 0.05, 161
    across = np.linspace(-0.5, 0.5, count)
    heights = bowl - np.sqrt(bowl**2 - across[:, None] ** 2 - across**2)
    spacing = (1.0 / (count - 1),) * 2
    for shifted in (0.0, -0.6):
        system = ct.System()
        field = {"heights": heights.tolist(), "spacing": spacing, "centre": (shifted, 0.0, 0.0)}
        system.add(ct.OutlineHeightField("bowl", "ground", **field))
        low = bowl - (bowl - radius) * math.cos(math.asin(0.1))
        ball(system, "ball", 0.1, radius, (0.1 * (bowl - radius), 0.0, low))
        system.add(ct.Restitution("law", restitution=0.0, friction=0.5))
        run = ct.simulate(system, duration=3.2, method="moreau", frames=0.01)
        if shifted:
            (told,) = run.warnings
            assert told.startswith("no ground below: 'ball' starts beside 'bowl', whose middle is at its centre")
            continue
        x = run["ball.position.x"]
        (first, second) = np.flatnonzero((x[:-1] > 0.0) & (x[1:] <= 0.0))[:2]
        zero = [run.time[k] + 0.01 * x[k] / (x[k] - x[k + 1]) for k in (first, second)]
        period = 2.0 * math.pi * math.sqrt(1.4 * (bowl - radius) / G)
        # The swing of 0.1 rad makes it 6e-4 longer; facets of 6 mm turn by 6 mrad of its 100.
        assert zero[1] - zero[0] == pytest.approx(period, rel=5e-3)
        assert not run.warnings


@pytest.mark.parametrize(
    ("masses", "restitution"),
    [
        *(((1, 1, 1, 1, 1), e) for e in (0.7, 1.0)),
        *(((1, 2, 4, 8), e) for e in (0.7, 1.0)),
        *(((8, 4, 2, 1), e) for e in (0.7, 1.0)),
        ((1, 10, 0.1, 5), 1.0),  # with less than 1 the light one would rattle without end
    ],
)
@pytest.mark.parametrize("method", ["dop853", "rk4"])
def test_balls_in_a_row_with_gaps_pass_a_hit_on_one_after_the_other(masses, restitution, method):
    """Hits of pairs in turn, m1 u1 + m2 u2 kept and u2 - u1 = e of before, until the last ball leaves."""
    radius, gap = 0.03, 1e-3
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    for k, mass in enumerate(masses):
        place = (2.0 * radius + gap) * (k - 1) if k else -2.0 * radius - 0.02
        ball(system, f"b{k}", mass, radius, (place, 0, 0), velocity=(0.0 if k else 1.0, 0, 0))
    system.add(ct.Restitution("law", restitution=restitution, stiffness=1e9))
    run = ct.simulate(system, duration=0.2, method=method)
    place = [(2.0 * radius + gap) * (k - 1) if k else -2.0 * radius - 0.02 for k in range(len(masses))]
    speed, now = [1.0] + [0.0] * (len(masses) - 1), 0.0
    while True:
        closing = [speed[k] - speed[k + 1] for k in range(len(masses) - 1)]
        waits = [
            max(place[k + 1] - place[k] - 2.0 * radius, 0.0) / rate if rate > 1e-12 else math.inf
            for k, rate in enumerate(closing)
        ]
        k = int(np.argmin(waits))
        if now + waits[k] > 0.2:
            break
        place = [where + waits[k] * rate for where, rate in zip(place, speed, strict=True)]
        now += waits[k]
        push = (1.0 + restitution) * closing[k] / (1.0 / masses[k] + 1.0 / masses[k + 1])
        speed[k] -= push / masses[k]
        speed[k + 1] += push / masses[k + 1]
    found = [run[f"b{k}.velocity.x"][-1] for k in range(len(masses))]
    assert np.dot(found, masses) == pytest.approx(masses[0], rel=1e-9)
    # Contacts last 0.1 ms, and the next begins 1 ms later: no two at once.
    assert found == pytest.approx(speed, abs=2e-3)
