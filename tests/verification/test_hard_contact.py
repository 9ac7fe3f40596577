"""Hard contacts (method moreau) against closed forms: stick, slide, bounce, roll, fall, stand; momentum and energy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import centrode as ct
from centrode.jit import JIT_ON

pytestmark = pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")

G = 9.81
SOLVED = 1e-7
"""Sweeps end when velocities change by this part of g h (:mod:`centrode.methods.moreau`); what is left then is of the
same size, and the next step goes on with it."""


def ground(angle=0.0):
    """A system over a plane that leans by an angle: gravity is turned instead."""
    system = ct.System(gravity=(G * math.sin(angle), 0.0, -G * math.cos(angle)))
    system.add(ct.OutlinePlane("floor", "ground"))
    return system


def box(system, name, half, position, mass=2.0, **more):
    a, b, c = (x * x for x in half)
    inertia = (mass / 3 * (b + c), mass / 3 * (a + c), mass / 3 * (a + b))
    system.add(ct.RigidBody(name, mass, inertia, position=position, **more))
    system.add(ct.OutlineBox(f"{name}-shell", name, half_lengths=half))


def ball(system, name, position, radius=0.1, mass=1.0, **more):
    system.add(ct.RigidBody(name, mass, (0.4 * mass * radius**2,) * 3, position=position, **more))
    system.add(ct.OutlineSphere(f"{name}-shell", name, radius=radius))


def hard(friction=0.0, restitution=0.01):
    return ct.HardContact("law", friction=friction, restitution=restitution)


def run(system, duration, step, **more):
    return ct.simulate(system, duration=duration, method="moreau", step=step, **more)


@pytest.mark.parametrize("above", [-0.005, 0.005])
def test_a_block_on_an_incline_sticks_below_the_angle_of_friction_and_slides_above(above):
    angle, step = math.radians(20.0), 1e-2
    friction = math.tan(angle) - above
    system = ground(angle)
    box(system, "block", (0.2, 0.1, 0.05), (0.0, 0.0, 0.05))
    system.add(hard(friction))
    made = run(system, 1.0, step, frames=0.1)
    assert made.status.completed
    pull = G * (math.sin(angle) - friction * math.cos(angle))
    # Impulses of a constant force are exact in every step, so velocities are; a hundred steps, each solved to SOLVED.
    assert made["block.velocity.x"][-1] == pytest.approx(max(pull, 0.0), abs=100 * SOLVED * G * step)
    assert np.abs(made["block.position"][:, 1:] - (0.0, 0.05)).max() < 100 * SOLVED * G * step * step * 100
    assert np.abs(made["energy.residual"]).max() < 1e-13


def test_a_block_that_sticks_does_not_creep_in_an_hour():
    """At 98 % of what friction holds; steps of 10 ms."""
    angle = math.radians(20.0)
    system = ground(angle)
    box(system, "block", (0.2, 0.1, 0.05), (0.0, 0.0, 0.05))
    system.add(hard(math.tan(angle) / 0.98))
    made = run(system, 3600.0, 1e-2, frames=60.0)
    assert made.status.completed
    place = made["block.position"]
    # Sweeps end at a change of SOLVED g h, when ten times that may be left (each takes a tenth at least), and go on
    # in the next step: a way of a hundred h of it in all, then none.
    assert np.abs(place[1] - place[0]).max() < 100 * SOLVED * G * 1e-4
    assert np.abs(place[-1] - place[1]).max() < 1e-12


def test_a_dropped_ball_bounces_as_the_closed_form_has_it():
    """After n hits the speed is e^n sqrt(2 g h); a hit is placed within a step of its time."""
    height, e = 1.0, 0.8
    errors = []
    for step in (2e-3, 1e-3, 2.5e-4):
        system = ground()
        ball(system, "ball", (0.0, 0.0, 0.1 + height))
        system.add(hard(restitution=e))
        made = run(system, 3.0, step, frames=0.01)
        assert made.status.completed
        hits = [event for event in made.events if event.kind == "contact begin"][:5]
        first = math.sqrt(2.0 * height / G)
        times = first * np.array([1.0, *(1.0 + 2.0 * np.cumsum(e ** np.arange(1, 5)))])
        speeds = G * first * e ** np.arange(5)
        # Each hit acts up to a step early, v h too high, and gets g h of its speed wrong; the flights add that up.
        errors.append(max(abs(event.time - t) for event, t in zip(hits, times, strict=True)))
        assert errors[-1] < 2 * step
        for event, speed in zip(hits, speeds, strict=True):
            assert event.values["closing_speed"] == pytest.approx(speed, abs=10 * G * step)
        assert np.abs(made["energy.residual"]).max() < 1e-11
        assert np.diff(made["collisions.heat"]).min() > -1e-12


def test_an_elastic_ball_keeps_its_energy_to_round_off():
    system = ground()
    ball(system, "ball", (0.0, 0.0, 0.6))
    system.add(hard(restitution=1.0))
    made = run(system, 20.0, 2e-3)
    total = made["energy.total"]
    assert np.abs(total - total[0]).max() < 1e-11  # ten thousand steps of round-off of 6 J


def test_balls_in_a_row_hand_the_speed_on():
    """Equal elastic balls a millimetre apart: hit one after the other, only the last one moves in the end."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    for k in range(5):
        ball(system, f"b{k}", (0.201 * k, 0.0, 0.0), velocity=(1.0 if k == 0 else 0.0, 0.0, 0.0))
    system.add(hard(restitution=1.0))
    made = run(system, 0.1, 1e-4, frames=0.01)
    speeds = np.array([made[f"b{k}.velocity.x"][-1] for k in range(5)])
    assert speeds == pytest.approx([0.0, 0.0, 0.0, 0.0, 1.0], abs=1e-12)
    begun = [event.subject for event in made.events if event.kind == "contact begin"]
    ended = [event.subject for event in made.events if event.kind == "contact end"]
    assert begun == ended == ["b0 - b1", "b1 - b2", "b2 - b3", "b3 - b4"]


def test_billiard_balls_keep_momentum_and_never_gain_energy():
    rng = np.random.default_rng(5)
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    for k in range(27):
        place = 0.22 * np.array([k % 3, k // 3 % 3, k // 9]) + rng.uniform(-0.005, 0.005, 3)
        # towards the middle, so that they meet
        speed = -2.0 * (place - 0.22) + rng.normal(size=3)
        spin = tuple(5.0 * rng.normal(size=3))
        ball(system, f"b{k}", tuple(place), mass=1.0 + k % 3, velocity=tuple(speed), omega=spin)
    system.add(hard(friction=0.3, restitution=0.9))
    made = run(system, 0.5, 1e-3, frames=0.05)
    assert made.status.completed

    def momenta(frame):
        linear, angular = np.zeros(3), np.zeros(3)
        for k in range(27):
            m = 1.0 + k % 3
            p = m * made[f"b{k}.velocity"][frame]
            q = made[f"b{k}.orientation"][frame]
            w = made[f"b{k}.omega"][frame]
            axis = q[1:]
            w = w + 2.0 * np.cross(axis, q[0] * w + np.cross(axis, w))
            linear, angular = linear + p, angular + np.cross(made[f"b{k}.position"][frame], p) + 0.004 * m * w
        return linear, angular

    for one, other in zip(momenta(0), momenta(-1), strict=True):
        assert other == pytest.approx(one, abs=1e-10)  # impulses are equal, opposite and on one line
    assert len([event for event in made.events if event.kind == "contact begin"]) > 10
    assert np.diff(made["energy.total"]).max() < 1e-12


def test_a_sliding_ball_ends_rolling_at_five_sevenths_of_its_speed():
    system = ground()
    ball(system, "ball", (0.0, 0.0, 0.1), velocity=(1.0, 0.0, 0.0))
    system.add(hard(friction=0.2))
    made = run(system, 1.0, 5e-3, frames=0.05)
    # L about the line of contact is kept in every step, and rolling is u = 0 at its end
    assert made["ball.velocity"][-1] == pytest.approx([5.0 / 7.0, 0.0, 0.0], abs=1e-9)
    assert made["ball.omega"][-1] == pytest.approx([0.0, 50.0 / 7.0, 0.0], abs=1e-8)
    assert made["collisions.heat_friction"][-1] == pytest.approx(0.5 * (1.0 - 5.0 / 7.0), rel=1e-6)


def test_a_cylinder_rolls_on_its_side_and_stands_on_its_end():
    for upright, turn in ((True, (1.0, 0.0, 0.0, 0.0)), (False, (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0))):
        system = ground()
        across, along = (3 * 0.1**2 + 4 * 0.15**2) / 12, 0.1**2 / 2
        speed = (0.0 if upright else 0.3, 0.0, 0.0)
        place = (0.0, 0.0, 0.15 if upright else 0.1)
        system.add(ct.RigidBody("roll", 1.0, (across, across, along), place, turn, velocity=speed))
        system.add(ct.OutlineCylinder("skin", "roll", radius=0.1, half_length=0.15))
        system.add(hard(friction=0.5))
        made = run(system, 1.0, 5e-3)
        assert made.status.completed
        # a full cylinder keeps two thirds: m R v0 = m R v + m R^2 / 2 v / R
        assert made["roll.velocity"][-1] == pytest.approx([2.0 / 3.0 * speed[0], 0.0, 0.0], abs=1e-8)
        assert made["roll.position.z"][-1] == pytest.approx(place[2], abs=1e-8)


def test_a_rod_on_a_smooth_floor_falls_as_its_energy_says():
    """Length 2 l, angle q from the floor: w^2 (cos^2 q + 1/3) l = 2 g (sin q0 - sin q); its middle falls straight."""
    half, radius, start, mass = 0.5, 0.01, math.radians(60.0), 1.0
    errors = []
    for step in (1e-3, 5e-4):
        system = ground()
        place = (0.0, 0.0, half * math.sin(start) + radius)
        inertia = (mass * half**2 / 3, mass * half**2 / 3, 1e-4)
        turn = {"axis": (0.0, 1.0, 0.0), "angle": math.pi / 2 - start}
        system.add(ct.RigidBody("rod", mass, inertia, place, turn))
        system.add(ct.OutlineCapsule("skin", "rod", radius=radius, half_length=half))
        system.add(hard())
        made = run(system, 0.3, step, frames=0.01)
        height = (made["rod.position.z"] - radius) / half
        spin = np.linalg.norm(made["rod.omega"], axis=1)
        wanted = np.sqrt(2.0 * G * (math.sin(start) - height) / (half * (1.0 - height**2 + 1.0 / 3.0)))
        errors.append(np.abs(spin - wanted)[1:].max())
        assert np.abs(made["rod.position.x"]).max() < 1e-9
        assert np.abs(made["energy.residual"]).max() < 1e-11
    assert errors[0] < 5e-3 and errors[1] < 0.6 * errors[0]  # order one: halved, with a tenth for the next term


def test_a_stack_of_ten_boxes_stands_for_a_minute():
    system = ground()
    for k in range(10):
        box(system, f"b{k}", (0.25, 0.25, 0.25), (0.0, 0.0, 0.25 * (2 * k + 1)), mass=100.0)
    system.add(hard(friction=0.5))
    made = run(system, 60.0, 5e-3, frames=1.0)
    assert made.status.completed
    for k in range(10):
        way = made[f"b{k}.position"] - made[f"b{k}.position"][0]
        # Ten bodies take more sweeps than a step has at the start, and sink by a part of g h^2 in it, 2.5e-4 m;
        # then nothing moves.
        assert np.abs(way).max() < 2.5e-4
        # The slowest error of n bodies loses 1/n^2 of itself in a sweep: a hundred times the last change is left, and
        # lasts for as many steps.
        assert np.abs(way[30:] - way[30]).max() < 1e4 * SOLVED * G * 25e-6
    assert np.abs(made["collisions.imbalance"]).max() < 1e-9


def test_a_wall_of_bricks_stands():
    system = ground()
    half = (0.2, 0.1, 0.08)
    for row in range(6):
        for k in range(5 - row % 2):
            place = (0.401 * (k + 0.5 * (row % 2)), 0.0, half[2] * (2 * row + 1))
            box(system, f"b{row}-{k}", half, place, mass=3.0)
    system.add(hard(friction=0.6))
    made = run(system, 10.0, 5e-3, frames=0.5)
    assert made.status.completed
    names = [f"b{row}-{k}" for row in range(6) for k in range(5 - row % 2)]
    assert max(np.abs(made[f"{name}.position"][-1] - made[f"{name}.position"][0]).max() for name in names) < 2e-4
    assert max(np.linalg.norm(made[f"{name}.velocity"][-1]) for name in names) < 1e-6


def test_a_hinged_bar_comes_back_with_its_restitution():
    """The joint is held in the same solution: the bar turns back at e times its spin, and the joint stays closed."""
    e = 0.6
    system = ct.System(gravity=(0.0, 0.0, -G))
    system.add(ct.RigidBody("bar", 1.0, (0.01, 0.09, 0.09), position=(0.5, 0.0, 0.0)))
    system.add(ct.Revolute("hinge", "ground", "bar", at=(0.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0)))
    system.add(ct.OutlinePlane("floor", "ground", centre=(0.0, 0.0, -0.5)))
    system.add(ct.OutlineSphere("tip", "bar", centre=(0.5, 0.0, 0.0), radius=0.05))
    system.add(ct.Collisions("collisions", joined=True))
    system.add(hard(restitution=e, friction=0.0))
    made = run(system, 0.6, 1e-3, frames=1e-3)
    assert made.status.completed
    spin, hit = made["bar.omega.y"], int(np.argmax(np.diff(made["bar.omega.y"]) < -0.5))
    # Newton's law acts between velocities at the ends of one step; they are those of the hit within g h / l.
    assert spin[hit + 1] / spin[hit] == pytest.approx(-e, abs=0.01)
    assert made["constraint.residual"].max() < 1e-9
    # Order two where nothing touches: (w h)^2 of the energy that moves, 5 J; contacts are exact.
    assert np.abs(made["energy.residual"]).max() < 1e-4


def test_a_ball_rests_in_a_furrow_of_a_height_field_and_a_box_on_its_slope():
    system = ct.System(gravity=(0.0, 0.0, -G))
    heights = [[abs(j - 4) * 0.25 for j in range(9)] for _ in range(9)]
    system.add(ct.OutlineHeightField("land", heights=heights, spacing=(0.5, 0.5)))
    ball(system, "ball", (0.1, 0.05, 0.3), radius=0.1)
    slope = math.atan(0.5)
    place = (0.1, -1.25 + 0.1 * math.sin(slope), 0.625 + 0.1 * math.cos(slope))
    box(system, "box", (0.1, 0.1, 0.1), place, orientation={"axis": (1.0, 0.0, 0.0), "angle": -slope})
    system.add(hard(friction=0.8))
    made = run(system, 4.0, 5e-3)
    assert made.status.completed
    # between two slopes of 1 to 2 the middle of a ball is r / cos(slope) above the furrow
    assert made["ball.position"][-1, 1:] == pytest.approx([0.0, 0.1 * math.sqrt(1.25)], abs=1e-4)
    assert np.linalg.norm(made["box.velocity"][-1]) < 1e-6
    assert made["box.position"][-1] == pytest.approx(place, abs=1e-6)  # friction of 0.8 holds it on a slope of 0.5


def test_a_fast_ball_does_not_pass_a_thin_wall():
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.OutlineBox("wall", "ground", half_lengths=(0.005, 1.0, 1.0)))
    ball(system, "ball", (-1.03, 0.013, 0.0), radius=0.02, velocity=(100.0, 0.0, 0.0))
    system.add(hard(restitution=1.0))
    made = run(system, 0.05, 2e-3, frames=0.01)
    assert made["ball.velocity"][-1] == pytest.approx([-100.0, 0.0, 0.0], abs=1e-10)
    assert made["ball.position.x"].max() < -0.02


def test_what_is_pressed_into_each_other_is_not_completed():
    """A plate that is driven down on a ball, by more than there is room."""
    system = ground()
    ball(system, "ball", (0.0, 0.0, 0.1))
    box(system, "plate", (0.3, 0.3, 0.05), (0.0, 0.0, 0.26))
    system.add(ct.Prismatic("guide", "ground", "plate", at=(0.0, 0.0, 0.26), axis=(0.0, 0.0, 1.0)))
    down = {"kind": "polynomial", "coefficients": (0.0, -0.3)}
    system.add(
        ct.Motion(
            "press", "ground", "plate", at=(0.0, 0.0, 0.26), axis=(0.0, 0.0, 1.0), signal=down, coordinate="translation"
        )
    )
    system.add(hard())
    made = run(system, 0.2, 2e-3)
    assert not made.status.completed
    assert made.status.stop.reason == "a drive is blocked"
    assert "'press'" in made.status.stop.where and "'ball'" in made.status.stop.where
    # 1 cm above the ball at the start; a step goes 0.6 mm
    assert made.status.stop.time == pytest.approx(0.01 / 0.3, abs=4e-3)
    assert 0.0 < made.status.stop.details["depth"] < 6e-4


def heap(count=40, seed=7, turned=False):
    """Balls, boxes and capsules poured into a bin."""
    rng = np.random.default_rng(seed)
    system = ground()
    for k, (x, y) in enumerate(((1, 0), (-1, 0), (0, 1), (0, -1))):
        inward, up = np.array([-x, -y, 0.0]), np.array([0.0, 0.0, 1.0])
        axes = np.column_stack([up, np.cross(inward, up), inward]).tolist()
        system.add(ct.OutlinePlane(f"wall{k}", "ground", centre=(0.25 * x, 0.25 * y, 0.0), rotation=axes))
    for k in range(count):
        place = np.array([k % 3 - 1, k // 3 % 3 - 1, k // 9 + 0.8]) * 0.15 + rng.uniform(-0.01, 0.01, 3)
        turn = rng.normal(size=4)
        turn /= np.linalg.norm(turn)
        kind = k % 3
        inertia = (2e-4, 2e-4, 2e-4) if kind < 2 else (3e-4, 3e-4, 1e-4)
        system.add(ct.RigidBody(f"b{k}", 0.2, inertia, position=tuple(place), orientation=tuple(turn)))
        if kind == 0:
            system.add(ct.OutlineSphere(f"o{k}", f"b{k}", radius=0.05))
        elif kind == 1:
            system.add(ct.OutlineBox(f"o{k}", f"b{k}", half_lengths=(0.03, 0.04, 0.05)))
        else:
            system.add(ct.OutlineCapsule(f"o{k}", f"b{k}", radius=0.03, half_length=0.03))
    return system


def test_a_heap_comes_to_rest_without_overlap_and_its_audit_closes():
    system = heap()
    system.add(hard(friction=0.4))
    made = run(system, 3.0, 2e-3, frames=0.1)
    assert made.status.completed
    places = np.array([made[f"b{k}.position"][-1] for k in range(40)])
    assert np.abs(places[:, :2]).max() < 0.25 and places[:, 2].min() > 0.025
    assert np.median([np.linalg.norm(made[f"b{k}.velocity"][-1]) for k in range(40)]) < 1e-3
    total = made["energy.total"]
    assert np.diff(total).max() < 1e-6 * total[0]
    # free bodies: exact but for the gyroscopic part in steps with hits, h w^2 I dw of a few millijoules
    assert np.abs(made["energy.residual"]).max() < 1e-3 * total[0]
    assert abs(made["collisions.imbalance"][-1]) < 1e-9 * made["collisions.heat"][-1]
    assert 0.0 < made["collisions.heat_friction"][-1] < made["collisions.heat"][-1]


def test_the_same_bytes_come_out_again_resumed_or_with_other_rooms():
    from centrode.running import Session
    from centrode.system.settings import RunSettings

    def session():
        system = heap()
        system.add(hard(friction=0.4, restitution=0.3))
        return Session(system, RunSettings(duration=0.6, method="moreau", step=2e-3, frames=0.1))

    times = np.linspace(0.0, 0.6, 7)
    whole, second, roomy = session(), session(), session()
    frames, _ = whole.advance(times)
    second.advance(times[:4])
    state = second.state()
    third = session()
    third.restore(state)
    last, _ = third.advance(times[4:])
    assert last.tobytes() == frames[4:].tobytes()
    head = roomy.workspace.contacts.tables.head[0]
    head.pairs_needed = head.points_needed = 5000
    assert roomy.workspace.contacts.grow()
    assert roomy.advance(times)[0].tobytes() == frames.tobytes()


@pytest.mark.parametrize("seed", range(8))
def test_a_step_that_nobody_chose_suits_thin_plates(seed):
    """Plates of 8 mm that fall by half a metre stopped: "bodies overlap, take a shorter step"."""
    rng = np.random.default_rng(seed)
    system = ground()
    for k in range(6):
        place = (0.02 * (k % 2), 0.02 * (k // 2 % 2), 0.5 + 0.08 * k)
        box(system, f"b{k}", (0.03, 0.02, 0.004), place, 0.05, orientation=tuple(Rotation.random(rng=rng).as_quat()))
    system.add(hard(0.4, 0.2))
    made = run(system, 0.6, None)
    assert made.status.completed
    lowest = [lowest_corner(made, f"b{k}", (0.03, 0.02, 0.004)) for k in range(6)]
    assert min(lowest) > -0.1 * 0.004


def lowest_corner(made, name, half):
    """Least height of a corner in all frames [m], from place and attitude alone."""
    corners = np.array(half) * np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    turns = Rotation.from_quat(np.roll(made[f"{name}.orientation"], -1, axis=1))
    heights = [turns.apply(corner)[:, 2] for corner in corners]
    return float((np.min(heights, axis=0) + np.asarray(made[f"{name}.position"])[:, 2]).min())
