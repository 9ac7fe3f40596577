"""Controllers, refusals, contacts' bookkeeping and views, each against what can be said in one line."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

import centrode as ct
from centrode.dynamics.assembly import assemble_start
from centrode.dynamics.contact.broad import is_excluded
from centrode.dynamics.contact.guard import STEPS_PER_THICKNESS, find_passing
from centrode.dynamics.contact.law_contract import check_law
from centrode.dynamics.model_view import ModelView
from centrode.dynamics.workspace import Workspace
from centrode.errors import InputError
from centrode.jit import kernel
from centrode.methods.method import Outcome, Run, find_method
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.contact_laws.contact_law import (
    ADVANCE_SIGNATURE,
    LAW_SIGNATURE,
    STIFFNESS,
    ContactPairs,
    advance_common,
)
from centrode.parts.contact_laws.linear import LinearContact
from centrode.parts.controllers import car_following
from centrode.parts.controllers.pid import INTEGRAL
from centrode.system.model import build_model

LINE = ((0, 0, 0), (9, 0, 0), (20, 0, 0))


class Measured:
    """A view on which one value is read."""

    def __init__(self, value: float) -> None:
        self.number = value

    def value(self, name: str) -> float:
        return self.number


def test_a_controller_at_its_limit_gathers_no_integral_and_works_its_way_back() -> None:
    pid = ct.Pid("c", inputs="f", measure="x", setpoint=1.0, kp=2.0, ki=3.0, kd=0.5, period=0.1, lower=-1.0, upper=1.5)
    state = np.zeros(8)
    far = Measured(0.0)
    assert pid.command(0.0, far, state)[0] == 1.5 and state[INTEGRAL] == 0.0  # 2 + 0.3 is cut: nothing is gathered
    near = Measured(0.9)
    slope = 0.9 / 0.1
    wanted = 2.0 * 0.1 + 3.0 * 0.1 * 0.1 - 0.5 * slope
    assert pid.command(0.1, near, state)[0] == max(wanted, -1.0)
    assert state[INTEGRAL] == pytest.approx(0.03)  # cut from below while the error is positive: it works back
    steady = pid.command(0.2, near, state)[0]
    assert steady == pytest.approx(2.0 * 0.1 + 0.03 + 0.03) and state[INTEGRAL] == pytest.approx(0.06)


def test_depth_along_a_leg_ends_with_the_leg() -> None:
    guide = ct.LineOfSight(
        "guide", inputs="screw", body="hull", waypoints=((0.0, 0.0, 5.0), (100.0, 0.0, 15.0)), look_ahead=10.0
    )
    for north, east, depth in ((-20.0, 0.0, 5.0), (30.0, 4.0, 8.0), (150.0, 0.0, 15.0)):
        motion = SimpleNamespace(north=north, east=east, sign=1.0)
        _, course, wanted = guide.wanted(0.0, motion, np.zeros(5))
        assert wanted == pytest.approx(depth) and course == pytest.approx(-math.atan(east / 10.0))


def test_messages_on_the_way_are_the_delay_in_samples_and_two() -> None:
    control = ct.PlatoonControl("p", "carriage", ahead="b", leader="c", delay=0.31, period=0.1)
    assert control.late == 5 and len(control.own_memory()) == 12


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (lambda: ct.CrushWidth("c", b=4e5, width=20.0, stiffness=5e6), r"c\.stiffness: unloading softer than crushing"),
        (lambda: ct.BoxContact("c", body="b", size=(1.0, 1.0, 1.0, 1.0)), r"c\.size: a box needs three edge"),
        (
            lambda: ct.RoadSpline("c", points=((0, 0, 0), (9, 0, 0), (20, 0, 0)), bank=(0.1, 0.2)),
            r"c\.bank: one bank or",
        ),
        (
            lambda: ct.PseudoRigidBody("c", 1.0, (0.3, 0.4, 0.5), directors=((-1, 0, 0), (0, 1, 0), (0, 0, 1))),
            r"c\.directors: the body is turned inside out",
        ),
    ],
)
def test_parts_that_make_no_sense_are_refused_with_their_field(part: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        part().checked()  # type: ignore[operator]
    ct.CrushWidth("c", b=4e5, width=12.0, stiffness=5e6).checked()


def test_a_pair_of_materials_takes_only_a_law_that_is_right() -> None:
    pairs = ContactPairs()
    with pytest.raises(InputError, match="stiffness"):
        pairs.set("steel", "wood", ct.LinearContact("law", stiffness=-1.0))
    law = ct.LinearContact("law", stiffness=1e5)
    pairs.set("steel", "wood", law)
    assert pairs.law_for("wood", "steel") is law


def test_a_point_mass_has_three_velocities_and_a_body_six() -> None:
    for inertia, count in (((0.0, 0.0, 0.0), 3), ((0.1, 0.2, 0.3), 6)):
        body = RigidBody("b", 1.0, inertia)
        assert body.velocity_count(body.row()) == count


@pytest.mark.parametrize("size", [0, 1, 2, 3, 7, 20])
def test_a_sorted_list_knows_exactly_its_codes(size: int) -> None:
    codes = 3 * np.arange(size, dtype=np.int64) + 1
    found = [bool(is_excluded(codes, code)) for code in range(3 * size + 3)]
    assert found == [code in set(codes.tolist()) for code in range(3 * size + 3)]


def balls(count: int, spacing: float = 1.0) -> ct.System:
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    for k in range(count):
        system.add(ct.RigidBody(f"b{k}", 1.0, (0.1, 0.1, 0.1), position=(spacing * k, 0.0, 0.0)))
        system.add(ct.OutlineSphere(f"o{k}", body=f"b{k}", radius=0.5))
    system.add(ct.LinearContact("law", stiffness=1e4))
    return system


def test_there_is_room_for_the_pairs_of_balls_that_all_lie_near() -> None:
    count = 14
    workspace = Workspace(build_model(balls(count)))
    workspace["pose"][:, :3] = 0.15 * np.random.default_rng(0).normal(size=(count, 3))
    workspace.evaluate(0.0)
    head = workspace.contacts.tables.head[0]
    codes = [count * i + j for i in range(count) for j in range(i + 1, count)]
    assert head.room_short == 0 and head.count == len(codes)
    assert sorted(workspace.contacts.tables.near["code"][: len(codes)]) == codes


def test_the_list_of_near_pairs_follows_balls_that_change_places() -> None:
    workspace = Workspace(build_model(balls(8, spacing=2.5)))
    random = np.random.default_rng(3)
    t = workspace.contacts.tables
    for _ in range(12):
        workspace["pose"][:, 0] = 0.6 * random.permutation(8) + 0.01 * random.normal(size=8)
        workspace.evaluate(0.0)
        near = {(int(pair.a), int(pair.b)): pair for pair in t.near[: t.head[0].count]}
        for i in range(8):
            for j in range(i + 1, 8):
                gap = abs(workspace["pose"][i, 0] - workspace["pose"][j, 0]) - 1.0
                assert (i, j) in near or gap > 0.0
                if gap < 0.0:
                    assert near[i, j].code == 8 * i + j and near[i, j].gap < 0.0  # each from its own last normal


def test_contacts_audit_the_work_on_each_of_their_bodies() -> None:
    workspace = Workspace(build_model(balls(3)), audit=True)
    workspace["pose"][1, :3] = 0.8, 0.3, 0.1
    workspace["velocity"][:, :3] = (0.3, -0.2, 0.5), (0.7, 0.6, -0.4), (-0.5, 0.1, 0.2)
    workspace.evaluate(0.0)
    gained = (workspace["velocity"][:, :3] * workspace["acceleration"][:, :3]).sum(axis=1)
    assert np.abs(gained[:2]).min() > 1.0
    audited = workspace["state_rate"][workspace.tables.audit :][:3]
    assert audited == pytest.approx(gained, rel=1e-12, abs=1e-12)


def test_a_frame_ends_with_the_open_row_and_the_pivot() -> None:
    system = ct.System()
    system.add(ct.RigidBody("b", 1.0, (0.1, 0.2, 0.3)))
    workspace = Workspace(build_model(system))
    run = Run(workspace, 0.0, 0.01, 1e-6)
    run.expect(np.array([0.0, 0.02]))
    assert find_method("rk4").advance(run) is Outcome.FRAMES_DONE
    assert run.reached[:, -2:].tolist() == [[0.0, 1.0], [0.0, 1.0]]


def test_the_largest_step_is_half_the_thinnest_outline_at_the_present_speed() -> None:
    system = balls(2)
    system.add(ct.OutlineSphere("pea", body="b0", radius=0.1, centre=(0.0, 3.0, 0.0)))
    workspace = Workspace(build_model(system))
    contacts = workspace.model.contacts
    workspace["velocity"][:, 0] = 3.0, 7.0
    workspace["velocity"][:, 3:6] = (500.0, 200.0, 300.0), (-300.0, 100.0, 50.0)  # turning counts for nothing
    assert contacts.largest_step(workspace) == pytest.approx(0.05 / (2.0 * 2.0))


def test_two_balls_are_known_to_touch_while_they_do() -> None:
    workspace = Workspace(build_model(balls(3)))
    contacts = workspace.model.contacts
    contacts.begin(workspace, 0.0)
    workspace["pose"][1, 0] = 0.9
    workspace.evaluate(0.1)
    contacts.settle(workspace, 0.1)
    assert contacts.touching(workspace, (0, 1)) and contacts.touching(workspace, (1, 0))
    assert not contacts.touching(workspace, (1, 2)) and not contacts.touching(workspace, (0, 2))
    workspace["pose"][1, 0] = 1.3
    workspace.evaluate(0.2)
    contacts.settle(workspace, 0.2)
    assert not contacts.touching(workspace, (0, 1)) and contacts.touching(workspace, (1, 2))


@pytest.mark.parametrize("speed", [50.0, 0.0])
def test_balls_that_pass_each_other_in_a_step_are_named_with_the_step_that_sees_them(speed: float) -> None:
    workspace = Workspace(build_model(balls(3, spacing=3.0)))
    contacts = workspace.model.contacts
    workspace["velocity"][1, 0] = -speed
    workspace.evaluate(1.0)
    contacts.begin(workspace, 1.0)
    assert find_passing(workspace.contacts) is None
    workspace["pose"][1, 0] = -3.0  # from 3 m on one side of the first ball to 3 m on the other
    workspace.evaluate(1.12)
    contacts.settle(workspace, 1.12)
    found = find_passing(workspace.contacts)
    assert found is not None and set(found.outlines) == {0, 1} and found.how == "missed"
    assert (found.begin, found.end) == (1.0, 1.12)
    assert found.speed == pytest.approx(speed or 6.0 / 0.12)
    assert found.step == pytest.approx(1.0 / (STEPS_PER_THICKNESS * found.speed))
    assert find_passing(workspace.contacts) is None


def test_views_read_every_number_of_a_body() -> None:
    system = ct.System()
    half = math.sqrt(0.5)
    system.add(ct.RigidBody("arm", 1.0, (1.0, 2.0, 3.0), position=(1, 2, 3), orientation=(half, 0.0, half, 0.0)))
    model = build_model(system)
    view = ModelView(model, Workspace(model))
    read = [view.value(f"arm.orientation.{letter}") for letter in "wxyz"]
    assert read == pytest.approx([half, 0.0, half, 0.0]) and view.value("arm.position.z") == 3.0


def test_assembly_says_how_far_it_turned_a_body() -> None:
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.RigidBody("arm", 1.0, (0.1, 0.1, 0.1), position=(1.0, 0.0, 0.0)))
    system.add(ct.Ball("left", "ground", "arm", point_a=(0.0, 0.0, 0.0), point_b=(-1.0, 0.0, 0.0)))
    tip = (2.0 * math.cos(0.02), 2.0 * math.sin(0.02), 0.0)
    system.add(ct.Ball("right", "ground", "arm", point_a=tip, point_b=(1.0, 0.0, 0.0)))
    report = assemble_start(Workspace(build_model(system)), 0.0, True)
    distance, angle = report.moved["arm"]
    assert angle == pytest.approx(0.02, rel=1e-6) and distance == pytest.approx(0.02, rel=1e-3)


def test_a_propeller_pushes_with_the_fourth_power_of_its_diameter() -> None:
    density, d, rate, speed = 1025.0, 0.3, 7.0, 1.6
    coefficients = {"thrust_coefficient": 0.4, "thrust_slope": 0.3, "torque_coefficient": 0.06, "torque_slope": 0.05}
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.RigidBody("hull", 2.0, (0.4, 0.5, 0.6), velocity=(speed, 0.0, 0.0)))
    system.add(ct.Propeller("screw", "hull", d, rate, wake=0.2, density=density, **coefficients))
    workspace = Workspace(build_model(system))
    workspace.evaluate(0.0)
    thrust = density * d**4 * 0.4 * rate**2 - density * d**3 * 0.3 * 0.8 * speed * rate
    torque = -density * d**5 * 0.06 * rate**2 + density * d**4 * 0.05 * 0.8 * speed * rate
    assert workspace["acceleration"][0] == pytest.approx([thrust / 2.0, 0, 0, torque / 0.4, 0, 0], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("friction", [0.0, 0.4])
def test_audited_powers_add_up_to_what_the_bodies_gain(friction: float) -> None:
    system = ct.System()
    system.add(
        ct.RigidBody(
            "a", 2.0, (0.4, 0.5, 0.6), position=(1.0, 0.2, 0.1), velocity=(0.3, -0.5, 0.2), omega=(0.4, 0.1, 0.2)
        )
    )
    system.add(
        ct.RigidBody(
            "b", 1.0, (0.2, 0.3, 0.4), position=(1.6, 0.2, 0.3), velocity=(-0.2, 0.1, 0.6), omega=(0.1, 0.7, 0.3)
        )
    )
    system.add(ct.Spring("spring", "ground", "a", 30.0, damping=2.0, length=0.4, point_b=(0.1, 0.2, 0.0)))
    system.add(ct.Spring("link", "a", "b", 20.0, damping=friction, length=0.1))
    system.add(ct.Ball("soft", "ground", "b", at=(1.4, 0.0, 0.3), compliant=True, stiffness=100.0, damping=3.0))
    workspace = Workspace(build_model(system), audit=True)
    workspace["compliance"][:] = 100.0, 3.0
    workspace.evaluate(0.0)
    v, a = workspace["velocity"], workspace["acceleration"]
    moments = np.array([[2.0] * 3 + [0.4, 0.5, 0.6], [1.0] * 3 + [0.2, 0.3, 0.4]])
    gain = float((moments * v * a).sum() + 9.81 * (2.0 * v[0, 2] + 1.0 * v[1, 2]))
    powers = workspace["state_rate"][workspace.tables.audit :]
    assert powers.sum() == pytest.approx(gain, rel=1e-12)
    assert np.count_nonzero(np.abs(powers) > 1e-9) == 3


@kernel(signature=LAW_SIGNATURE)
def pulling_law(par, memory, depth, depth_rate, slip_speed):
    force = par[STIFFNESS] * depth
    return force, 0.0, 0.5 * par[STIFFNESS] * max(depth, 0.0) ** 2, 0.0


@kernel(signature=LAW_SIGNATURE)
def scribbling_law(par, memory, depth, depth_rate, slip_speed):
    memory[3] += 1.0
    force = par[STIFFNESS] * max(depth, 0.0)
    return force, 0.0, 0.5 * par[STIFFNESS] * max(depth, 0.0) ** 2, 0.0


@kernel(signature=ADVANCE_SIGNATURE)
def plain_advance(par, memory, depth, depth_rate, duration):
    advance_common(par, memory, depth, depth_rate, 0.0, duration)


def broken(law: object) -> type[LinearContact]:
    return type("Broken", (LinearContact,), {"kind": "broken", "law_kernel": law, "advance_kernel": plain_advance})


def test_laws_that_pull_or_scribble_are_found_and_a_right_one_is_not() -> None:
    values = {"stiffness": 1e5}
    failed = {result.check for result in check_law(broken(pulling_law), values, states=40) if result.passed is False}
    assert "apart" in failed
    failed = {result.check for result in check_law(broken(scribbling_law), values, states=40) if result.passed is False}
    assert "evaluation writes nothing" in failed
    assert not [result for result in check_law(LinearContact, values, states=40) if result.passed is False]


def test_cars_keep_their_gap_by_distance_and_by_difference_of_speeds(monkeypatch: pytest.MonkeyPatch) -> None:
    me, you = SimpleNamespace(speed=20.0, station=0.0), SimpleNamespace(speed=17.0, station=50.0)
    seen = {("view", "you"): you}
    monkeypatch.setattr(ct.CarFollowing, "look", lambda self, view, name, road, near: seen[view, name])
    monkeypatch.setattr(ct.CarFollowing, "wanted_acceleration", lambda self, time, speed, state: 99.0)
    monkeypatch.setattr(car_following, "gap_between", lambda road, car, other, length: other.station - length)
    gains = {"gap": 10.0, "time_gap": 1.5, "k_gap": 0.2, "k_speed": 0.7, "length": 4.0}
    follower = ct.CarFollowing("f", "carriage", ahead="you", **gains)
    wanted = follower.longitudinal(0.0, "view", None, me, np.zeros(8))
    assert wanted == pytest.approx(0.2 * (46.0 - 10.0 - 30.0) + 0.7 * (17.0 - 20.0))
