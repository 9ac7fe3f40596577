"""The bicycle in motion: the lecture notes' formulation and the engine's against each other, order, drift, riders."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from centrode.running import simulate
from centrode.vehicles.bicycle import lecture
from centrode.vehicles.bicycle import lecture_kernels as kernels
from centrode.vehicles.bicycle.lecture import lecture_model, simulate_lecture, start_state
from centrode.vehicles.bicycle.library import machine
from centrode.vehicles.bicycle.linear import linear_bicycle, linearise_straight
from centrode.vehicles.bicycle.model import bicycle_system
from centrode.vehicles.bicycle.parameters import BicycleParameters
from centrode.vehicles.bicycle.reading import bicycle_history, fall_time
from centrode.vehicles.bicycle.rider import BicycleRider, path_from
from centrode.vehicles.bicycle.rider_design import rider_model
from centrode.vehicles.bicycle.state import bicycle_workspace, place_bicycle, wheel_loads
from centrode.vehicles.bicycle.turns import TurnSolver

P = BicycleParameters()
MODEL = lecture_model(P)


def random_state(draw):
    q = np.zeros((4, 6))
    q[:, :3] = np.array(draw[:12]).reshape(4, 3)
    q[:, 3:] = np.array(draw[12:24]).reshape(4, 3) * [3.0, 1.2, 3.0]
    return q, np.array(draw[24:48]).reshape(4, 6)


states = st.lists(st.floats(-1.0, 1.0), min_size=48, max_size=48)


@settings(max_examples=40)
@given(states)
def test_convective_terms_are_the_rate_of_the_jacobian(draw):
    """g = D'(q, q') u with u fixed, at any state: difference quotient, h = 1e-5, error h^2 and 1e-16 / h: 1e-9."""
    q, u = random_state(draw)
    rate = kernels.coordinate_rates(q, u)
    h = 1e-5
    plus = kernels.jacobian(q + h * rate, MODEL)
    minus = kernels.jacobian(q - h * rate, MODEL)
    expected = (plus - minus) @ u.ravel() / (2.0 * h)
    got = kernels.convective(q, u, False, MODEL)
    np.testing.assert_allclose(got, expected, atol=2e-8)


@settings(max_examples=40)
@given(states)
def test_jacobian_is_the_rate_of_the_constraints(draw):
    """e' = D u on the 17 holonomic rows."""
    q, u = random_state(draw)
    rate = kernels.coordinate_rates(q, u)
    h = 1e-5
    plus = kernels.constraint_errors(q + h * rate, MODEL)
    minus = kernels.constraint_errors(q - h * rate, MODEL)
    np.testing.assert_allclose(kernels.jacobian(q, MODEL)[:17] @ u.ravel(), (plus - minus) / (2 * h), atol=2e-9)


def test_printed_convective_terms_are_wrong():
    """They keep the constraints but give a steer of 0.0661 instead of 0.1306 after half a second of M2.

    At the step of the notes, 10 ms; the right terms are there within 5e-7, the error of the method.
    """
    right = simulate_lecture(P, duration=0.5, step=0.01)
    wrong = simulate_lecture(P, duration=0.5, step=0.01, printed=True)
    assert right.steer[-1] == pytest.approx(0.130551254, abs=1e-6)
    assert wrong.steer[-1] == pytest.approx(0.0661, abs=1e-4)
    assert wrong.position_error.max() < 1e-12


def test_counting():
    assert dict(lecture.count())["degrees of freedom in the coordinates"] == 7
    assert dict(lecture.count())["degrees of freedom in the velocities (mobility)"] == 3
    d = kernels.jacobian(start_state(P, 4.6)[0], MODEL)
    assert d.shape == (21, 24) and np.linalg.matrix_rank(d) == 21


def test_projection_keeps_and_its_absence_drifts():
    kept, drifting = simulate_lecture(P, duration=5.0), simulate_lecture(P, duration=5.0, project=False)
    assert kept.position_error.max() < 1e-12 and kept.velocity_error.max() < 1e-12
    assert drifting.position_error[-1] > 1e-6  # fourth-order drift: 7e-5 at this step
    finer = simulate_lecture(P, duration=5.0, step=0.005, project=False)
    assert 10.0 < drifting.position_error[-1] / finer.position_error[-1] < 24.0


def _order(errors):
    return [math.log2(a / b) for a, b in itertools.pairwise(errors)]


def test_order_four_of_the_lecture_notes_path_with_projection():
    reference = simulate_lecture(P, duration=1.0, step=1 / 3200, every=3200)
    errors = []
    for step in (0.02, 0.01, 0.005):
        run = simulate_lecture(P, duration=1.0, step=step)
        errors.append(math.hypot(run.lean[-1] - reference.lean[-1], run.steer[-1] - reference.steer[-1]))
    assert _order(errors)[-1] == pytest.approx(4.0, abs=0.15)


def test_order_four_of_the_engine_and_agreement_of_both_formulations():
    system = bicycle_system(speed=4.6, lean_rate=0.5)
    truth = simulate(system, duration=1.0, tolerance=1e-12, frames=1.0)
    errors = []
    for step in (0.02, 0.01, 0.005):
        run = simulate(system, duration=1.0, method="rk4-projected", step=step, frames=1.0)
        errors.append(abs(run["bike.steer.angle"][-1] - truth["bike.steer.angle"][-1]))
        # Two simplified Newton steps a step: at 20 ms (residual 4e-6 before them) they leave 4e-11.
        assert run["constraint.residual"].max() < (1e-12 if step <= 0.01 else 1e-10)
    assert _order(errors)[-1] == pytest.approx(4.0, abs=0.15)
    notes = simulate_lecture(P, duration=1.0, step=0.00125)
    # Both methods have order four; at 1.25 ms the error is (10/1.25)^4 times less than 4e-6 at 10 ms.
    assert notes.steer[-1] == pytest.approx(truth["bike.steer.angle"][-1], abs=5e-9)


def test_multipliers_are_the_static_wheel_loads_in_both_formulations():
    workspace = bicycle_workspace(P)
    place_bicycle(workspace, P)
    assert wheel_loads(workspace) == pytest.approx(P.wheel_loads(), rel=1e-13)
    q, u = start_state(P, 3.0)
    _, multipliers = lecture.accelerations(q, u, False, MODEL)
    assert -multipliers[15:17] == pytest.approx(P.wheel_loads(), rel=1e-12)


def test_engine_and_complex_step_agree_for_another_machine():
    p = machine("crescendo")
    exact, engine = linear_bicycle(p, derivatives="complex-step"), linear_bicycle(p, derivatives="engine")
    for name in ("m", "c1", "k0", "k2"):
        scale = np.abs(getattr(exact, name)).max()
        np.testing.assert_allclose(getattr(engine, name), getattr(exact, name), atol=1e-11 * max(1.0, scale))


def test_round_tyres_change_the_stiffness_only():
    """Upright the masses see the same geometry; a round tyre moves the contact sideways with the lean.

    K0[0, 0] of the knife edge is -m z; with both tyres of section q the machine is a roly-poly of radius q:
    the height above the centre of the tyre counts, K0[0, 0] = -(m z - m q) = -m (z - q).
    """
    knife = linear_bicycle(P)
    q = 0.05
    tyred = linear_bicycle(P.edited({"rear_tyre": q, "front_tyre": q}))
    assert tyred.k0[0, 0] == pytest.approx(knife.k0[0, 0] + q * P.total_mass, rel=1e-10)


def test_locked_upper_body_is_the_rigid_rider():
    """Frame and upper body together are the given frame: with a very stiff waist M2 is that of the rigid rider."""
    upper = {"mass": 34, "x": 0.35, "z": 1.25, "ixx": 1.6, "iyy": 1.5, "izz": 0.6, "ixz": -0.6, "hinge_z": 0.95}
    rigid = simulate(bicycle_system(speed=4.6, lean_rate=0.5), duration=0.5, frames=0.5, tolerance=1e-9)
    differences = []
    for stiffness in (1e5, 4e5):
        system = bicycle_system(speed=4.6, lean_rate=0.5, upper_body={**upper, "stiffness": stiffness, "damping": 2e3})
        run = simulate(system, duration=0.5, frames=0.5, tolerance=1e-9)
        differences.append(abs(run["bike.steer.angle"][-1] - rigid["bike.steer.angle"][-1]))
    assert differences[1] < 1e-3
    assert differences[0] / differences[1] == pytest.approx(4.0, rel=0.15)  # compliance goes with 1 / stiffness


def test_coasting_down_a_slope_gains_the_speed_of_free_rolling():
    """Straight down a slope s: v' = g sin(s) m / (m + I_R / r_R^2 + I_F / r_F^2), constant."""
    slope = -0.05
    run = simulate(bicycle_system(speed=5.0, slope=slope), duration=0.5, frames=0.5, tolerance=1e-11)
    history = bicycle_history(run, "bike", P, normal=(-math.sin(slope), 0.0, math.cos(slope)))
    mass = P.total_mass + P.rear_iyy / P.rear_radius**2 + P.front_iyy / P.front_radius**2
    expected = 5.0 + 0.5 * 9.81 * math.sin(-slope) * P.total_mass / mass
    assert history["speed"][-1] == pytest.approx(expected, abs=1e-8)
    assert np.abs(history["lean"]).max() < 1e-7


def test_mirror_image():
    """A knock to the left is the mirror image of one to the right."""
    right = simulate(bicycle_system(speed=4.6, lean_rate=0.3), duration=1.0, frames=0.5, tolerance=1e-11)
    left = simulate(bicycle_system(speed=4.6, lean_rate=-0.3), duration=1.0, frames=0.5, tolerance=1e-11)
    np.testing.assert_allclose(left["bike.steer.angle"], -right["bike.steer.angle"], atol=1e-10)
    np.testing.assert_allclose(left["bike.frame.position.y"], -right["bike.frame.position.y"], atol=1e-10)


def test_linear_and_nonlinear_motion_agree_for_a_small_knock():
    """Lean after 0.5 s from a roll rate of 1e-4 rad/s: the cubic terms of a symmetric machine are 1e-12."""
    rate = 1e-4
    run = simulate(bicycle_system(speed=5.0, lean_rate=rate), duration=0.5, frames=0.5, tolerance=1e-13)
    from scipy.linalg import expm

    x = expm(0.5 * linear_bicycle(P).system_matrix(5.0)) @ [0.0, 0.0, rate, 0.0]
    assert run["bike.rear-contact.lean"][-1] == pytest.approx(x[0], abs=3e-12)
    assert run["bike.steer.angle"][-1] == pytest.approx(x[1], abs=3e-12)


def test_slow_bicycle_falls_and_the_recording_says_when():
    run = simulate(bicycle_system(speed=1.0, lean_rate=0.1), duration=2.2, frames=0.02)
    when = fall_time(run, "bike")
    assert when is not None
    lean = np.interp(when, run.time, np.abs(run["bike.rear-contact.lean"]))
    assert lean == pytest.approx(math.radians(60.0), abs=0.02)
    steady = simulate(bicycle_system(speed=5.0, lean_rate=0.1), duration=2.0, frames=0.1)
    assert fall_time(steady, "bike") is None


def test_rider_keeps_the_path_where_the_free_bicycle_falls():
    path = [(0, 0), (10, 0), (20, 1.5), (30, 3), (40, 3), (60, 3)]
    system = bicycle_system(speed=3.0, drives=True, push={"at": 1.0, "force": 80.0, "duration": 0.2})
    system.add(BicycleRider("rider", ("bike.steer-drive",), bicycle="bike", path=path))
    run = simulate(system, duration=12.0, method="rk4-projected", step=0.01, frames=0.1)
    history = bicycle_history(run, "bike", P)
    assert fall_time(run, "bike") is None
    curve, s, errors = path_from(path), 0.0, []
    for point in history["rear_track"][:, :2]:
        s = curve.nearest(point, s)
        where, tangent, _ = curve.at(s)
        errors.append(abs(np.array([-tangent[1], tangent[0]]) @ (point - where)))
    assert max(errors) < 0.4
    assert np.mean(errors[-20:]) < 0.05
    assert abs(history["lean"][-1]) < 0.02


@pytest.mark.parametrize("speed", [1.5, 4.0, 8.0])
def test_rider_gain_stabilises_the_sampled_design(speed):
    from scipy.linalg import expm

    a, b = rider_model(P).matrices(speed)
    gain = rider_model(P).scheduled_gain(speed, 0.01, (1000.0, 10.0, 10.0, 1000.0))
    block = np.zeros((7, 7))
    block[:6, :6], block[:6, 6:] = a * 0.01, b * 0.01
    held = expm(block)
    closed = held[:6, :6] - held[:6, 6:] @ gain
    assert np.abs(np.linalg.eigvals(closed)).max() < 1.0


def test_a_steady_turn_stays_steady():
    """Started on the hands-free turn with a steer of 5 deg at 5.77 m/s lean and steer keep their values."""
    turn = TurnSolver().family([math.radians(5.0)])[0]
    system = bicycle_system(speed=turn.wheel_speed, lean=turn.lean, steer=turn.steer)
    run = simulate(system, duration=1.0, frames=0.25, tolerance=1e-12)
    np.testing.assert_allclose(run["bike.rear-contact.lean"], turn.lean, atol=1e-9)
    history = bicycle_history(run, "bike", P)
    np.testing.assert_allclose(history["steer"], turn.steer, atol=1e-9)
    np.testing.assert_allclose(history["yaw_rate"], -turn.yaw_rate, atol=1e-9)


def test_linearisation_about_a_turn():
    """About the turn the motion is steady, and the linear growth agrees with the difference of two nonlinear runs."""
    from centrode.dynamics.linearise import linearise

    solver = TurnSolver()
    turn = solver.turn(math.radians(5.0), math.radians(15.8), 5.77)
    place_bicycle(solver.workspace, P, turn.lean, turn.steer, turn.wheel_speed)
    found = linearise(solver.workspace, ["bike.frame.lean", "bike.steer.angle"], ["bike.rear-hub.angle"])
    assert found.unsteadiness < 1e-11 and found.a.shape == (5, 5)
    from scipy.linalg import expm

    small = 1e-5
    values = {"speed": turn.wheel_speed, "lean": turn.lean, "steer": turn.steer}
    ends = [
        simulate(bicycle_system(**values, lean_rate=sign * small), duration=0.4, frames=0.4, tolerance=1e-13)[
            "bike.rear-contact.lean"
        ][-1]
        for sign in (1.0, -1.0)
    ]
    x = expm(0.4 * found.a) @ [0.0, 0.0, small, 0.0, 0.0]
    # The central difference leaves cubic terms, small^3, and the round-off of the runs, 1e-12.
    assert 0.5 * (ends[0] - ends[1]) == pytest.approx(x[0], abs=1e-11)


def test_straight_linearisation_decouples_the_forward_speed():
    found = linearise_straight(P, 4.0)
    assert np.abs(found.a[4, :4]).max() < 1e-10 and np.abs(found.a[:4, 4]).max() < 1e-10
