"""Rows that say what others say already: the choice of those left out follows the motion, and reactions are the least.

References are closed forms (a differential under constant torques) and the same mechanism as a plane system, where
nothing is redundant.
"""

from __future__ import annotations

import numpy as np
import pytest

import centrode as ct
from centrode.dynamics.redundancy import choice_worn, choose_rows, leave_out, take_all_rows
from centrode.math.rotation import matrix_from_quaternion
from centrode.running import Session
from centrode.system.settings import RunSettings
from centrode.vehicles.mechanisms import build_mechanism

X = (1.0, 0.0, 0.0)
DRIVE, LOAD = 0.5, -0.1
REACH, RADIUS = 0.2, 0.1
"""Of the spider's disc: distance of its centre from the axis, and its radius [m]."""


def rolling_differential() -> ct.System:
    """A bevel differential of discs: the spider's rim rolls on the faces of both side wheels; four rows too many."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.RigidBody("case", 2.0, (0.05, 0.05, 0.05)))
    system.add(ct.RigidBody("left", 1.0, (0.02, 0.02, 0.03), position=(-RADIUS, 0.0, 0.0)))
    system.add(ct.RigidBody("right", 1.0, (0.02, 0.02, 0.03), position=(RADIUS, 0.0, 0.0)))
    system.add(ct.RigidBody("spider", 0.3, (0.001, 0.001, 0.0015), position=(0.0, 0.0, REACH)))
    for name, place in (("case", 0.0), ("left", -RADIUS), ("right", RADIUS)):
        system.add(ct.Revolute(f"{name}-hinge", "ground", name, at=(place, 0.0, 0.0), axis=X))
    system.add(ct.Revolute("spider-hinge", "case", "spider", at=(0.0, 0.0, REACH), axis=(0.0, 0.0, 1.0)))
    system.add(ct.RollingDisc("roll-left", "left", "spider", RADIUS, normal=X, axis_b=(0.0, 0.0, 1.0)))
    system.add(ct.RollingDisc("roll-right", "right", "spider", RADIUS, normal=(-1.0, 0, 0), axis_b=(0.0, 0.0, 1.0)))
    system.add(ct.Torque("drive", "case", DRIVE, direction=X))
    system.add(ct.Torque("load", "left", LOAD, direction=X))
    return system


def accelerations() -> tuple[float, float]:
    """Of the case and of the left wheel against it: T is quadratic with constant coefficients in both rates.

    w_left = c + d, w_right = c - d, spider d h/r about its axle: T = 1/2 (I_case + m h^2 + I_across + 2 I) c^2
    + 1/2 (2 I + I_axle (h/r)^2) d^2; the torques do the power (drive + load) c + load d.
    """
    case = (DRIVE + LOAD) / (0.05 + 0.3 * REACH**2 + 0.001 + 2 * 0.02)
    return case, LOAD / (2 * 0.02 + 0.0015 * (REACH / RADIUS) ** 2)


@pytest.mark.parametrize(
    ("method", "close"),
    # dop853 at 1e-9: errors of each of some 400 steps below 1e-9 of angles of 70 rad, amplified by no instability.
    # rk4-projected: h^4 times fifth derivatives of what turns at 20 rad/s, (20 h)^4/120 = 1e-9 a second, times 70 rad.
    [("dop853", 1e-6), ("rk4-projected", 1e-6)],
)
def test_a_differential_of_rolling_discs_through_ten_turns(method: str, close: float) -> None:
    run = ct.simulate(rolling_differential(), duration=6.0, frames=0.02, method=method, tolerance=1e-9)
    assert run.status.completed
    case, apart = accelerations()
    turned = 0.5 * run.time**2
    assert run["case-hinge.angle"][-1] > 20.0 * np.pi
    np.testing.assert_allclose(run["case-hinge.angle"], case * turned, atol=close)
    np.testing.assert_allclose(run["left-hinge.angle"], (case + apart) * turned, atol=close)
    np.testing.assert_allclose(run["right-hinge.angle"], (case - apart) * turned, atol=close)
    assert run["constraint.residual"].max() < 1e-10  # all rows, those left out among them
    # Along the rim the force is determined: the right wheel gets its acceleration from the disc alone, I a / h.
    angle = run["case-hinge.angle"]
    along = np.stack([np.zeros_like(angle), -np.cos(angle), -np.sin(angle)], axis=1)
    teeth = 0.02 * (case - apart) / REACH
    np.testing.assert_allclose(np.einsum("fk,fk->f", run["roll-right.force"], along), -teeth, rtol=1e-5)


def test_another_choice_of_rows_does_not_move_anything() -> None:
    """At a state of the motion the accelerations are those of before to round-off of some 1e2 rad/s2."""
    session = Session(rolling_differential(), RunSettings(duration=3.0))
    session.advance(np.array([1.3]))
    work = session.workspace
    work.evaluate(1.3)
    before, values = work["acceleration"].copy(), work.values.copy()
    left_out = work["choice"] < 0.0
    # Turn the choice over: leave out what is kept wherever that is possible, by making the kept rows look weak.
    for j, r in np.argwhere(left_out):
        work["row_active"][j, r] = 1.0
    work["choice"][:] = 0.0
    choose_rows(work, 1.3, recount=True)
    assert work.spare_rows == 4 == np.count_nonzero(work["choice"] < 0.0)
    assert not choice_worn(work.address)
    np.testing.assert_array_equal(work.values, values)
    np.testing.assert_allclose(work["acceleration"], before, atol=1e-9)


BRICARD_NINE_SECONDS = (0.539064288495, -1.638453308240, 0.157735378358)
"""Point 3 of A04 after 9 s: limit of refined steps, dop853 at 1e-13 and rk4-projected at 1 ms agree to 3e-12."""


def bricard_without(row: tuple[int, int]) -> Session:
    """Bricard's mechanism, which says one row twice, at a start where this one is left out."""
    session = Session(build_mechanism("bricard", sensor=False), RunSettings(duration=9.0, tolerance=1e-6))
    take_all_rows(session.workspace)
    leave_out(session.workspace, [row], 0.0)
    return session


@pytest.mark.parametrize("row", [(0, 1), (2, 1), (3, 1), (4, 1), (5, 1)])
def test_a_row_that_can_be_left_out_at_the_start_only_is_taken_back(row: tuple[int, int]) -> None:
    """Without these the other rows come to depend on each other: a lasting choice errs by 1e-6 to 8e-6 m after 9 s.

    With the choice looked after the error is that of the method: the frames ask for steps of 0.1 s, which leave 5e-11
    to 1e-10.
    """
    session = bricard_without(row)
    work = session.workspace
    for time in np.linspace(0.0, 9.0, 91)[1:]:
        session.advance(np.array([time]))
        work.evaluate(time)
        assert np.abs(work["terms"][:, :, 0]).max() < 1e-11  # all rows; the others are closed to 1e-13
    assert work["choice"][row] > 0.0
    rod = work["pose"][session.model.body_index("rod3") - 1]
    place = rod[:3] + matrix_from_quaternion(rod[3:7]) @ [0.0, 0.0, 0.5]
    np.testing.assert_allclose(place, BRICARD_NINE_SECONDS, atol=2e-9)


def test_runs_with_changing_choices_are_repeatable_and_can_be_cut() -> None:
    """The same bytes twice, and from a state after the change: the choice belongs to the state."""
    row = (0, 1)
    one, two, three = (bricard_without(row) for _ in range(3))
    times = np.linspace(0.0, 4.0, 41)
    whole, _ = one.advance(times)
    first, _ = two.advance(times[:21])
    assert two.workspace["choice"][row] > 0.0
    three.restore(two.state())
    second, _ = three.advance(times[21:])
    assert np.vstack([first, second]).tobytes() == whole.tobytes()


def four_bar(plane: bool) -> ct.System:
    """A drag link: ground 0.1 m, crank 0.3, coupler 0.35, follower 0.3 m, all turning; 15 N of weight in all."""
    points = {"o": (0.0, 0.0), "a": (0.0, 0.3), "b": (0.34, 0.2166667), "q": (0.1, 0.0)}
    gravity = (0.0, -9.81) if plane else (0.0, -9.81, 0.0)
    system = ct.System(gravity=gravity, plane=plane)
    for name, ends in (("crank", "oa"), ("coupler", "ab"), ("follower", "bq")):
        (x0, y0), (x1, y1) = points[ends[0]], points[ends[1]]
        middle, length = ((x0 + x1) / 2, (y0 + y1) / 2), float(np.hypot(x1 - x0, y1 - y0))
        inertia = 0.51 * length**2 / 12
        if plane:
            system.add(ct.PlanarBody(name, 0.51, inertia, position=middle))
        else:
            system.add(ct.RigidBody(name, 0.51, (0.8 * inertia, 0.9 * inertia, inertia), position=(*middle, 0.0)))
    for name, (a, b, at) in {
        "base": ("ground", "crank", "o"),
        "pin": ("crank", "coupler", "a"),
        "eye": ("coupler", "follower", "b"),
        "pivot": ("ground", "follower", "q"),
    }.items():
        place = points[at] if plane else (*points[at], 0.0)
        system.add(ct.Revolute(name, a, b, at=place))
    return system


def test_reactions_of_a_drag_link_in_space_are_those_in_the_plane() -> None:
    """Four hinges in space leave three rows too many; nothing acts across the plane, so nothing is borne there.

    In the plane the reactions are determined, so the solution of least load is theirs; reactions carry the error of the
    states (1e-9 tolerance) times the stiffness of the multipliers, some 1e2 N.
    """
    settings = {"duration": 2.0, "frames": 0.01, "tolerance": 1e-10}
    space, plane = (ct.simulate(four_bar(flat), **settings) for flat in (False, True))
    assert space.statistics.more["redundant_rows"] == 3 and plane.statistics.more["redundant_rows"] == 0
    for name in ("base", "pin", "eye", "pivot"):
        force = space[f"{name}.force"]
        np.testing.assert_allclose(force[:, :2], plane[f"{name}.force"][:, :2], atol=1e-6)
        assert np.abs(force[:, 2]).max() < 1e-8
        assert np.abs(space[f"{name}.torque"]).max() < 1e-8
    assert np.abs(space["constraint.residual"]).max() < 1e-10


def test_two_hinges_of_a_door_share_its_weight() -> None:
    """Equal hinges, one above the other: each bears half of the weight, and their couple holds the door's moment."""
    system = ct.System()
    system.add(ct.RigidBody("door", 20.0, (3.0, 4.0, 1.2), position=(0.4, 0.0, 1.0)))
    for name, height in (("lower", 0.3), ("upper", 1.7)):
        system.add(ct.Revolute(name, "ground", "door", at=(0.0, 0.0, height), axis=(0.0, 0.0, 1.0)))
    run = ct.simulate(system, duration=0.1, frames=0.1)
    for name in ("lower", "upper"):
        assert run[f"{name}.force"][-1][2] == pytest.approx(0.5 * 20.0 * 9.81, rel=1e-9)


def test_a_loop_beside_a_free_chain_is_found() -> None:
    """Joints minus bodies is zero in all, and yet one body is held twice."""
    system = ct.System()
    system.add(ct.RigidBody("door", 20.0, (3.0, 4.0, 1.2), position=(0.4, 0.0, 1.0)))
    for name, height in (("lower", 0.3), ("upper", 1.7)):
        system.add(ct.Revolute(name, "ground", "door", at=(0.0, 0.0, height), axis=(0.0, 0.0, 1.0)))
    for k in range(2):
        system.add(ct.RigidBody(f"link{k}", 1.0, (0.1, 0.1, 0.1), position=(3.0 + k, 0.0, 0.0)))
    system.add(ct.Ball("knee", "link0", "link1", at=(3.5, 0.0, 0.0)))
    report = Session(system, RunSettings()).assembly
    assert len(report.redundant) == 5 and report.degrees_of_freedom == 1 + 9
