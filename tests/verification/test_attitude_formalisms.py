"""Closed forms of free rotation, in the engine and in every attitude formalism."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ellipk

import centrode as ct
from centrode.math.rotation import matrix_from_axis_angle
from centrode.math.vector import hamilton
from centrode.parts.bodies.turning import rotate
from centrode.parts.forces.spring import Spring
from centrode.studies.attitude import formalisms as f
from centrode.studies.attitude.comparison import AttitudeCase, attitude_error, compare_attitudes, true_motion
from centrode.studies.attitude.methods import METHODS

QUIET = np.zeros(8)


def free_run(inertia, omega, duration, frames, **more):
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.RigidBody("b", 1.0, inertia, omega=omega, **more))
    return ct.simulate(system, duration=duration, frames=frames, tolerance=1e-13)


# -- leaf kernels ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("step", "factor"), [(f.STEP_EULER, "euler"), (f.STEP_RK4, "rk4")])
def test_norm_factor_of_one_step_at_a_constant_rate(step, factor):
    """y = |w| h/2: Euler sqrt(1 + y^2), RK4 sqrt(1 - y^6/72 + y^8/576)."""
    w = np.array([6.0, 8.0, 0.0])
    h = 0.1
    y = 0.5 * 10.0 * h
    expected = math.sqrt(1.0 + y**2) if factor == "euler" else math.sqrt(1.0 - y**6 / 72.0 + y**8 / 576.0)
    state, seen = np.array([1.0, 0.0, 0.0, 0.0, *w]), np.zeros(4)
    f.march(f.RATE_QUATERNION, step, False, h, 1, state, np.ones(3), QUIET, np.zeros(1), np.zeros((5, 7)), seen)
    assert np.linalg.norm(state[:4]) == pytest.approx(expected, rel=1e-15)


def test_exponential_methods_are_exact_at_a_constant_rate():
    w = np.array([0.6, -1.2, 2.0])
    truth = matrix_from_axis_angle(w, 2.0 * float(np.linalg.norm(w)))
    for form in (f.LIE_SEMI_IMPLICIT, f.LIE_EXPLICIT, f.LIE_MIDPOINT, f.LIE_RKMK4):
        state = np.concatenate([np.eye(3).ravel(), w])
        f.march_matrix(form, 0.5, 4, state, np.full(3, 2.0), QUIET, np.zeros(4))  # a sphere turns steadily
        assert np.abs(state[:9].reshape(3, 3) - truth).max() < 1e-14


@pytest.mark.parametrize("name", [name for name, m in METHODS.items() if m.order >= 2])
def test_order_of_every_formalism_with_a_varying_torque(name):
    """Away from gimbal lock, with a torque that depends on time; order within 0.15 once asymptotic."""
    case = AttitudeCase(
        inertia=(1.0, 1.4, 2.0),
        omega=(0.4, 0.3, 0.9),
        duration=2.0,
        torque=(0.1, -0.2, 0.1),
        torque_wave=(0.3, 0.2, 0.1, 2.0, 0.4),
    )
    found = compare_attitudes(case, steps=(0.02, 0.01), methods=[name], sequence="zyx", measure_cost=False)
    if "second-order" in name:
        assert found[1].order > METHODS[name].order - 0.15  # superconvergent here for some data
    else:
        assert found[1].order == pytest.approx(METHODS[name].order, abs=0.15)


def test_first_order_formalisms_are_of_first_order():
    case = AttitudeCase(omega=(0.3, 0.5, 0.2), duration=2.0)
    for name in (name for name, m in METHODS.items() if m.order == 1):
        found = compare_attitudes(case, steps=(0.002, 0.001), methods=[name], measure_cost=False)
        assert found[1].order == pytest.approx(1.0, abs=0.15), name


def test_principal_axis_spin_up():
    """Constant torque about a principal axis: angle tau t^2/(2 I)."""
    case = AttitudeCase(inertia=(1.0, 2.0, 3.0), omega=(0.0, 0.0, 0.0), duration=2.0, torque=(0.0, 0.5, 0.0))
    rotation, omega, moments, torque = case.principal()
    angle = 0.5 * 2.0**2 / (2.0 * 2.0)
    truth = matrix_from_axis_angle((0.0, 1.0, 0.0), angle)
    for name in ("quaternion-rk4-renormalised", "rkmk4", "second-order-rk4"):
        _, final, _ = METHODS[name].march(rotation, omega, moments, torque, 0.01, 200, "zyx")
        assert attitude_error(final, truth) < 1e-9, name


def test_both_covers_turn_alike():
    """Q and -Q are the same attitude: the trajectories are equal bit for bit up to the sign."""
    ends = []
    for sign in (1.0, -1.0):
        state, seen = np.array([sign, 0.0, 0.0, 0.0, 0.3, 2.0, 0.2]), np.zeros(4)
        inertia = np.array([1.0, 2.0, 3.0])
        f.march(
            f.RATE_QUATERNION, f.STEP_RK4, True, 0.01, 500, state, inertia, QUIET, np.zeros(1), np.zeros((5, 7)), seen
        )
        ends.append(sign * state[:4])
    assert np.array_equal(ends[0], ends[1])


@given(st.lists(st.floats(-2.0, 2.0), min_size=8, max_size=8))
def test_second_order_rates_solve_the_fifteen_by_fifteen_system(numbers):
    """The lecture's block system for eta = (X, Q), its last row read as A Q'' = -A' Q' (the print drops the sign)."""
    q, rate = np.array(numbers[:4]) + np.array([3.0, 0.0, 0.0, 0.0]), np.array(numbers[4:])
    inertia, found = np.array([1.0, 2.0, 3.0]), np.zeros(8)
    w = 2.0 * np.array(hamilton((q[0], -q[1], -q[2], -q[3]), tuple(rate)))[1:]
    spin = f.angular_acceleration(0.0, tuple(w), inertia, QUIET)
    free = 0.5 * (np.array(hamilton(tuple(q), (0.0, *spin))) + np.array(hamilton(tuple(rate), (0.0, *w))))
    matrix = np.zeros((15, 15))
    matrix[:14, :14] = np.eye(14)
    matrix[3:7, 14] = -q
    matrix[14, 3:7] = q
    solved = np.linalg.solve(matrix, np.concatenate([(0.0, 0.0, -9.81), free, np.ones(3), rate, [-rate @ rate]]))
    f.rate_of(f.RATE_SECOND, 0.0, np.concatenate([q, rate]), inertia, QUIET, np.array([1.0, 0.0, 0.0]), found)
    assert np.array_equal(found[:4], rate)
    scale = max(1.0, float(np.abs(free).max()))
    assert found[4:] == pytest.approx(solved[3:7], abs=1e-13 * scale)  # rounding of sums of fifteen terms
    assert q @ found[4:] + rate @ rate == pytest.approx(0.0, abs=1e-12 * scale)  # phi'' = 0


def test_multiplier_vanishes_on_the_unit_sphere():
    """With and without it the rates are the same there, but for rounding."""
    q = np.array([0.5, -0.5, 0.5, 0.5])
    rate = 0.5 * np.array(hamilton(tuple(q), (0.0, 0.3, -2.0, 0.7)))
    ends = []
    for switch in (0.0, 1.0):
        found, options = np.zeros(8), np.array([switch, 0.0, 0.0])
        f.rate_of(f.RATE_SECOND, 0.0, np.concatenate([q, rate]), np.ones(3), QUIET, options, found)
        ends.append(found)
    assert ends[0] == pytest.approx(ends[1], abs=1e-15)


def test_gimbal_lock_is_named():
    """A turn about y in the sequence xyz has its middle angle at 90 deg; from a start where the angles go wild."""
    found = compare_attitudes(
        AttitudeCase(omega=(0.0, 1.0, 0.0), duration=2.0), (0.01,), ["euler-angles-rk4"], "xyz", measure_cost=False
    )
    assert "gimbal lock of xyz at 1.5" in found[0].status
    other = compare_attitudes(
        AttitudeCase(omega=(0.0, 1.0, 0.0), duration=2.0), (0.01,), ["euler-angles-rk4"], "yzx", measure_cost=False
    )
    assert other[0].status == "done"
    assert other[0].error < 1e-12


def test_reference_case_passes_close_to_gimbal_lock():
    fine = compare_attitudes(steps=(0.0025,), methods=["euler-angles-rk4"], measure_cost=False)[0]
    assert 90.0 - math.degrees(fine.lock) == pytest.approx(89.42, abs=0.01)


@pytest.mark.parametrize("step", [0.1, 0.05])
def test_the_engines_lie_group_method_is_the_studys(step):
    """Same tumbling body, same step: the run loop and the leaf kernel agree to round-off, and with the table."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.RigidBody("b", 1.0, (1.0, 2.0, 3.0), omega=(0.3, 2.0, 0.2)))
    run = ct.simulate(system, duration=20.0, frames=20.0, method="rkmk4", step=step, audit=False)
    turned = rotate(np.repeat(run["b.orientation"][-1:], 3, axis=0), np.eye(3)).T
    case = AttitudeCase()
    _, final, _ = METHODS["rkmk4"].march(*case.principal(), step, round(20.0 / step), "zyx")
    assert attitude_error(turned, final) < 1e-12
    assert np.abs(run["b.omega"][-1]).max() < 2.5


def test_order_of_the_engines_lie_group_method_with_forces():
    ends = []
    for step in (0.04, 0.02, 0.01):
        system = ct.System()
        system.add(ct.RigidBody("b", 1.0, (0.1, 0.2, 0.3), omega=(1.0, 2.0, 0.5)))
        system.add(
            Spring("s", system.ground, "b", stiffness=20.0, point_a=(0, 0, 1.0), point_b=(0.3, 0.2, 0.1), length=0.5)
        )
        run = ct.simulate(system, duration=2.0, frames=2.0, method="rkmk4", step=step)
        ends.append(np.concatenate([run["b.position"][-1], run["b.orientation"][-1]]))
    observed = math.log2(np.linalg.norm(ends[0] - ends[1]) / np.linalg.norm(ends[1] - ends[2]))
    assert observed == pytest.approx(4.0, abs=0.15)


# -- the engine --------------------------------------------------------------------------------------------------------


def test_symmetric_top_closed_form():
    run = free_run((2.0, 2.0, 1.0), (0.5, 0.0, 3.0), 10.0, 0.5)
    t = run.time
    turning = (1.0 - 2.0) / 2.0 * 3.0
    exact = np.stack([0.5 * np.cos(turning * t), 0.5 * np.sin(turning * t), np.full_like(t, 3.0)], axis=1)
    assert np.abs(run["b.omega"] - exact).max() < 1e-11
    momentum = np.array([1.0, 0.0, 3.0])
    for k in range(0, t.size, 5):
        exact_rotation = matrix_from_axis_angle(momentum, np.linalg.norm(momentum) / 2.0 * t[k]) if t[k] else np.eye(3)
        exact_rotation = exact_rotation @ (matrix_from_axis_angle((0, 0, 1), 1.5 * t[k]) if t[k] else np.eye(3))
        turned = rotate(np.repeat(run["b.orientation"][k : k + 1], 3, axis=0), np.eye(3)).T
        assert np.abs(turned - exact_rotation).max() < 1e-11
    assert np.linalg.norm(momentum) / 2.0 == pytest.approx(1.58113883, abs=5e-9)
    assert math.degrees(math.atan2(1.0, 3.0)) == pytest.approx(18.43494882, abs=5e-9)


def jacobi_parameters():
    """Rate p and parameter m of Jacobi's solution for I = (1, 2, 3), w0 = (0.3, 2, 0.2), where L^2 > 2 E I2."""
    i1, i2, i3 = 1.0, 2.0, 3.0
    w0 = np.array([0.3, 2.0, 0.2])
    energy2 = i1 * w0[0] ** 2 + i2 * w0[1] ** 2 + i3 * w0[2] ** 2
    square = (i1 * w0[0]) ** 2 + (i2 * w0[1]) ** 2 + (i3 * w0[2]) ** 2
    if square < energy2 * i2:  # the polhode goes round the first axis: first and third change roles
        i1, i3 = i3, i1
    p = math.sqrt((i3 - i2) * (square - energy2 * i1) / (i1 * i2 * i3))
    return p, (i2 - i1) * (energy2 * i3 - square) / ((i3 - i2) * (square - energy2 * i1))


def test_euler_poinsot_period_and_flips():
    p, m = jacobi_parameters()
    assert p == pytest.approx(1.171893055416, abs=1e-11)
    assert m == pytest.approx(0.992718446602, abs=1e-11)
    period = 4.0 * ellipk(m) / p
    assert period == pytest.approx(13.150358787081, abs=1e-10)
    run = free_run((1.0, 2.0, 3.0), (0.3, 2.0, 0.2), period, period / 4.0)
    # The motion returns after a period, and after half of it the middle axis turns the other way (Dzhanibekov).
    assert np.abs(run["b.omega"][-1] - run["b.omega"][0]).max() < 1e-10
    assert run["b.omega"][2, 1] == pytest.approx(-2.0, abs=1e-10)
    assert period / 2.0 == pytest.approx(6.575179393541, abs=1e-10)


def test_euler_poinsot_at_five_seconds_and_the_studys_reference():
    exact = np.array([-1.629257049586, -1.198132491161, 0.945952524113])
    assert np.abs(free_run((1.0, 2.0, 3.0), (0.3, 2.0, 0.2), 5.0, 5.0)["b.omega"][-1] - exact).max() < 1e-11
    assert np.abs(true_motion(AttitudeCase(duration=5.0))[4:] - exact).max() < 1e-11


def test_invariants_of_free_rotation():
    run = free_run((1.0, 2.0, 3.0), (0.3, 2.0, 0.2), 20.0, 0.5)
    momentum = rotate(run["b.orientation"], run["b.omega"] * [1.0, 2.0, 3.0])
    assert np.abs(momentum - momentum[0]).max() < 1e-11
    assert np.abs(run["energy.kinetic"] - run["energy.kinetic"][0]).max() < 1e-11


@pytest.mark.parametrize(("sign", "published"), [(-1.0, 1.326153175), (1.0, 21.767857593)])
def test_heavy_top_precesses_steadily(sign, published):
    i1, i3, mgl, spin, tilt = 0.02, 0.01, 0.5, 40.0, math.radians(30.0)
    root = math.sqrt((i3 * spin) ** 2 - 4.0 * i1 * mgl * math.cos(tilt))
    precession = (i3 * spin + sign * root) / (2.0 * i1 * math.cos(tilt))
    assert precession == pytest.approx(published, abs=5e-9)
    # Mass 0.5 at l = mgl/(m g) from the tip; the inertias are about the tip.
    mass = 0.5
    arm = mgl / (mass * 9.81)
    system = ct.System(gravity=(0.0, 0.0, -9.81))
    c, s = math.cos(0.5 * tilt), math.sin(0.5 * tilt)
    axis = np.array([0.0, -math.sin(tilt), math.cos(tilt)])  # body z, tilted about x by +30 deg
    omega = np.array([0.0, precession * math.sin(tilt), spin])
    rotation = matrix_from_axis_angle((1.0, 0.0, 0.0), tilt)
    velocity = np.cross(rotation @ omega, arm * axis)
    body = ct.RigidBody(
        "top",
        mass,
        (i1 - mass * arm**2, i1 - mass * arm**2, i3),
        position=tuple(arm * axis),
        orientation=(c, s, 0.0, 0.0),
        velocity=tuple(velocity),
        omega=tuple(omega),
    )
    system.add(body)
    system.add(ct.Ball("tip", system.ground, "top", at=(0.0, 0.0, 0.0)))
    run = ct.simulate(system, duration=1.0, frames=0.05, tolerance=1e-12)
    axes = rotate(run["top.orientation"], np.tile([0.0, 0.0, 1.0], (run.time.size, 1)))
    assert np.abs(np.arccos(axes[:, 2]) - tilt).max() < 1e-9
    turned = np.unwrap(np.arctan2(axes[:, 1], axes[:, 0]))
    assert (turned[1] - turned[0]) / 0.05 == pytest.approx(precession, abs=1e-6)


@pytest.mark.parametrize(("spin", "stable"), [(20.5, True), (18.0, False)])
def test_sleeping_top_stands_above_its_critical_spin(spin, stable):
    """Upright top: stable for w3 >= 2 sqrt(I1 mgl)/I3 = 20 rad/s."""
    i1, i3, mgl, mass = 0.02, 0.01, 0.5, 0.5
    arm = mgl / (mass * 9.81)
    tilt = 1e-4
    system = ct.System(gravity=(0.0, 0.0, -9.81))
    body = ct.RigidBody(
        "top",
        mass,
        (i1 - mass * arm**2, i1 - mass * arm**2, i3),
        position=(0.0, -arm * math.sin(tilt), arm * math.cos(tilt)),
        orientation={"axis": (1.0, 0.0, 0.0), "angle": tilt},
        omega=(0.0, 0.0, spin),
    )
    system.add(body)
    system.add(ct.Ball("tip", system.ground, "top", at=(0.0, 0.0, 0.0)))
    run = ct.simulate(system, duration=4.0, frames=0.02, tolerance=1e-10)
    height = rotate(run["top.orientation"], np.tile([0.0, 0.0, 1.0], (run.time.size, 1)))[:, 2]
    largest = np.arccos(np.clip(height.min(), -1.0, 1.0))
    # Stable: bounded by a factor 1/sqrt(1 - (20/20.5)^2) = 4.6; unstable: grows like exp(2.2 t) to order one.
    assert (largest < 10.0 * tilt) if stable else (largest > 0.1)
