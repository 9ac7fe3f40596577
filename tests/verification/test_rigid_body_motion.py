"""Rigid bodies through the engine against closed forms: free bodies, tops, drag.

Sources: H. Goldstein, "Classical Mechanics", chapter 5; E. T. Whittaker, "Analytical Dynamics", 69 (Euler-Poinsot
motion in Jacobi's functions). Tolerances: dop853 at a tolerance q leaves errors of about 10 q to 1000 q after tens of
radians.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ellipj, ellipk, ellipkinc

from centrode.math.rotation import matrix_from_axis_angle, matrix_from_quaternion, quaternion_from_matrix
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.forces.drag import Drag
from centrode.parts.forces.torque import Torque
from centrode.running import Session, simulate
from centrode.system.builder import System
from centrode.system.settings import RunSettings
from centrode.vehicles.mechanisms.top import free_body, heavy_top, precession

RUN = {"tolerance": 1e-12, "audit": False}


def exponential(vector):
    """Rotation matrix of a rotation vector [rad]."""
    angle = float(np.linalg.norm(vector))
    return np.eye(3) if angle == 0.0 else matrix_from_axis_angle(np.asarray(vector) / angle, angle)


def rotations(run, body="body"):
    return np.array([matrix_from_quaternion(q) for q in run[f"{body}.orientation"]])


def test_constant_rate_turns_the_quaternion_by_half_the_angle():
    """A sphere keeps its rate: Q = (cos, axis sin) of |w| t / 2."""
    omega = np.array([1.0, -2.0, 2.0])
    run = simulate(free_body((2.0, 2.0, 2.0), tuple(omega)), duration=5.0, frames=0.5, **RUN)
    half = 0.5 * 3.0 * run.time
    closed = np.column_stack([np.cos(half), *(np.sin(half) * part for part in omega / 3.0)])
    assert np.abs(run["body.orientation"] - closed).max() < 1e-11


@pytest.mark.parametrize("method", ["rattle", "discrete"])
def test_exponential_methods_turn_exactly(method):
    """About a principal axis splitting and Rodrigues' rotation are exact: only round-off of 5000 steps remains."""
    run = simulate(free_body((2.0, 2.0, 2.0), (0.0, 0.0, 3.0)), duration=5.0, method=method, step=1e-3, audit=False)
    closed = np.column_stack([np.cos(1.5 * run.time), 0 * run.time, 0 * run.time, np.sin(1.5 * run.time)])
    assert np.abs(run["body.orientation"] - closed).max() < 5e-12


def test_rk4_shrinks_the_quaternion_by_the_closed_factor():
    """One step of RK4 at a constant rate: |Q|^2 = 1 - y^6/72 + y^8/576 with y = |w| h / 2; normalised afterwards.

    The engine normalises each step, so the factor is seen in the phase: one step turns by the argument of
    1 + iy - y^2/2 - iy^3/6 + y^4/24 instead of y.
    """
    rate, step = 10.0, 0.1
    run = simulate(
        free_body((1.0, 1.0, 1.0), (0.0, 0.0, rate)), duration=step, method="rk4", step=step, frames=step, audit=False
    )
    y = 0.5 * rate * step
    turned = complex(1.0 - y**2 / 2 + y**4 / 24, y - y**3 / 6)
    assert abs(abs(turned) ** 2 - (1.0 - y**6 / 72 + y**8 / 576)) < 1e-15
    w, _, _, z = run["body.orientation"][-1]
    assert math.atan2(z, w) == pytest.approx(math.atan2(turned.imag, turned.real), abs=1e-14)


def test_spin_up_by_a_constant_torque():
    """About a principal axis: angle tau t^2 / (2 I)."""
    system = free_body((1.0, 2.0, 3.0), (0.0, 0.0, 0.0))
    system.add(Torque("motor", "body", 0.6, (0.0, 0.0, 1.0)))
    run = simulate(system, duration=4.0, frames=1.0, tolerance=1e-12)
    angle = 0.6 * run.time**2 / 6.0
    assert np.abs(run["body.orientation"][:, 3] - np.sin(0.5 * angle)).max() < 1e-12
    assert run["motor.work"][-1] == pytest.approx(0.6 * angle[-1], abs=1e-10)


def test_symmetric_top_without_torque():
    """I = (2, 2, 1): R(t) = exp(t L / I1) exp(t w3 (1 - I3/I1) e3), rates turn at (I3 - I1)/I1 w3 = -1.5 rad/s."""
    start = np.array([0.5, 0.0, 3.0])
    run = simulate(free_body((2.0, 2.0, 1.0), tuple(start)), duration=10.0, frames=1.0, **RUN)
    momentum = np.array([2.0, 2.0, 1.0]) * start
    closed = np.array(
        [exponential(momentum * t / 2.0) @ exponential(np.array([0, 0, 3.0 * (1 - 0.5) * t])) for t in run.time]
    )
    assert np.abs(rotations(run) - closed).max() < 4e-11
    assert np.abs(run["body.omega"][-1] - (-0.379843956, -0.325143920, 3.0)).max() < 6e-10  # nine printed digits
    assert np.linalg.norm(momentum) / 2.0 == pytest.approx(1.58113883, abs=5e-9)
    axis = rotations(run)[:, :, 2]
    nutation = np.degrees(np.arccos(axis @ momentum / np.linalg.norm(momentum)))
    assert np.abs(nutation - 18.43494882).max() < 1e-8


def euler_poinsot(inertia, start):
    """Amplitudes a1, a2, a3, rate p and parameter m of Jacobi's functions, for L^2 > 2 T I2."""
    i1, i2, i3 = inertia
    energy = inertia @ start**2
    momentum = inertia**2 @ start**2
    assert momentum > energy * i2
    a1 = math.sqrt((energy * i3 - momentum) / (i1 * (i3 - i1)))
    a2 = math.sqrt((energy * i3 - momentum) / (i2 * (i3 - i2)))
    a3 = math.sqrt((momentum - energy * i1) / (i3 * (i3 - i1)))
    p = math.sqrt((i3 - i2) * (momentum - energy * i1) / (i1 * i2 * i3))
    m = (i2 - i1) * (energy * i3 - momentum) / ((i3 - i2) * (momentum - energy * i1))
    return a1, a2, a3, p, m


def test_euler_poinsot_in_jacobi_functions():
    """I = (1, 2, 3), w0 = (0.3, 2, 0.2): L^2 = 16.45 > 2 T I2 = 16.42, so w = (a1 cn, a2 sn, a3 dn)."""
    inertia, start = np.array([1.0, 2.0, 3.0]), np.array([0.3, 2.0, 0.2])
    a1, a2, a3, p, m = euler_poinsot(inertia, start)
    assert (p, m) == (pytest.approx(1.171893055416, abs=5e-13), pytest.approx(0.992718446602, abs=5e-13))
    assert 4.0 * ellipk(m) / p == pytest.approx(13.150358787081, abs=5e-12)
    run = simulate(free_body((1.0, 2.0, 3.0), tuple(start)), duration=20.0, frames=1.0, **RUN)
    phase = ellipkinc(math.atan2(start[1] / a2, start[0] / a1), m)
    sn, cn, dn, _ = ellipj(p * run.time + phase, m)
    closed = np.column_stack([a1 * cn, a2 * sn, a3 * dn])
    assert np.abs(run["body.omega"] - closed).max() < 1e-9  # the motion is unstable: 1e-12 grows by exp(p t / 2)
    assert np.abs(run["body.omega"][5] - (-1.629257049586, -1.198132491161, 0.945952524113)).max() < 1e-10


def test_dzhanibekov_flips_every_half_period():
    """The middle axis changes sides every 2K/p = 6.575179393541 s: zeros of w2 lie that far apart."""
    run = simulate(free_body((1.0, 2.0, 3.0), (0.3, 2.0, 0.2)), duration=20.0, frames=0.01, **RUN)
    rate = run["body.omega"][:, 1]
    crossings = np.flatnonzero(rate[:-1] * rate[1:] < 0)
    # Linear interpolation between frames 0.01 s apart: w2 is nearly straight at its zeros.
    times = run.time[crossings] - rate[crossings] * 0.01 / (rate[crossings + 1] - rate[crossings])
    assert np.diff(times) == pytest.approx(6.575179393541, abs=1e-5)


def test_invariants_of_free_rotation():
    """Energy, size and direction of the angular momentum: drift of the order of the tolerance."""
    inertia = np.array([1.0, 2.0, 3.0])
    run = simulate(free_body(tuple(inertia), (0.3, 2.0, 0.2)), duration=20.0, frames=0.5, tolerance=1e-12)
    momentum = np.einsum("tij,tj->ti", rotations(run), inertia * run["body.omega"])
    assert np.abs(momentum - momentum[0]).max() < 2e-11
    assert np.ptp(run["energy.kinetic"]) < 2e-11


@pytest.mark.parametrize(("fast", "rate"), [(0, 1.326153175), (1, 21.767857593)])
def test_heavy_top_precesses_steadily(fast, rate):
    """theta stays 30 deg to 1e-9 for both rates of precession."""
    found = precession(0.02, 0.01, 0.5, 40.0, math.radians(30.0))[fast]
    assert found == pytest.approx(rate, abs=5e-10)
    run = simulate(heavy_top(rate=found), duration=5.0, frames=0.05, **RUN)
    axis = rotations(run, "top")[:, :, 2]
    assert np.abs(np.degrees(np.arccos(axis[:, 2])) - 30.0).max() < 1e-9
    azimuth = np.unwrap(np.arctan2(axis[:, 1], axis[:, 0]), period=2 * math.pi)
    assert (azimuth[-1] - azimuth[0]) / 5.0 == pytest.approx(found, abs=1e-9)
    # The ball joint carries the weight: its vertical force is m g in steady precession.
    assert np.abs(run["tip.force"][:, 2] - 0.5 * 9.81).max() < 1e-7


@pytest.mark.parametrize(("spin", "stable"), [(21.0, True), (19.0, False)])
def test_sleeping_top_is_stable_above_its_critical_spin(spin, stable):
    """w3 >= 2 sqrt(I1 m g l) / I3 = 20: a lean of 1e-4 rad stays small above, and grows below."""
    run = simulate(
        heavy_top(spin=spin, inclination=1e-4, rate=0.25 * spin),
        duration=10.0,
        frames=0.02,
        tolerance=1e-10,
        audit=False,
    )
    lean = np.arccos(np.clip(rotations(run, "top")[:, 2, 2], -1.0, 1.0))
    assert (lean.max() < 1e-3) == stable
    assert stable or lean.max() > 0.1


def test_constant_body_twist_is_a_helix():
    """A sphere in free flight with a constant velocity moves on a line; seen from its axes the twist is a helix.

    The engine keeps the world velocity; turned into the body it must equal the initial one turned back.
    """
    system = System(gravity=(0.0, 0.0, 0.0))
    system.add(RigidBody("body", 1.0, (1.0, 1.0, 1.0), velocity=(1.0, 0.2, -0.3), omega=(0.7, -0.4, 1.3),
                         centre_of_mass=(0.5, 0.1, 0.0)))  # fmt: skip
    run = simulate(system, duration=6.0, frames=0.5, **RUN)
    omega = np.array([0.7, -0.4, 1.3])
    centre = np.array([0.5, 0.1, 0.0])
    drift = np.array([1.0, 0.2, -0.3]) + np.cross(omega, centre)
    # Origin of the body frame: the centre of mass goes straight, the origin circles around it.
    closed = np.array([centre + drift * t - exponential(omega * t) @ centre for t in run.time])
    assert np.abs(run["body.position"] - closed).max() < 1e-10


def test_falling_brick_with_linear_drag():
    """v = -(m g / f)(1 - exp(-f t / m)), z by integration."""
    mass, drag = 2.0, 0.8
    system = System()
    system.add(RigidBody("brick", mass, (0.01, 0.02, 0.028)))
    system.add(Drag("air", "brick", linear=drag))
    run = simulate(system, duration=4.0, frames=0.5, tolerance=1e-12)
    scale = mass / drag
    decay = np.exp(-run.time / scale)
    assert np.abs(run["brick.velocity"][:, 2] + 9.81 * scale * (1 - decay)).max() < 1e-10
    assert np.abs(run["brick.position"][:, 2] + 9.81 * scale * (run.time - scale * (1 - decay))).max() < 1e-10


def test_thrown_brick_without_drag_is_a_parabola_and_a_free_rotation():
    thrown = System()
    thrown.add(RigidBody("body", 2.0, (1.0, 2.0, 3.0), velocity=(2.0, 0.0, 10.0), omega=(0.3, 2.0, 0.2)))
    run = simulate(thrown, duration=2.0, frames=0.25, **RUN)
    free = simulate(free_body((1.0, 2.0, 3.0), (0.3, 2.0, 0.2)), duration=2.0, frames=0.25, **RUN)
    parabola = np.column_stack([2.0 * run.time, 0 * run.time, 10.0 * run.time - 0.5 * 9.81 * run.time**2])
    assert np.abs(run["body.position"] - parabola).max() < 1e-12
    assert np.abs(run["body.orientation"] - free["body.orientation"]).max() < 1e-11


@pytest.mark.parametrize("method", ["dop853", "rk4", "rattle4"])
def test_both_quaternions_of_a_pose_give_one_motion(method):
    """Double cover: Q and -Q are the same pose, so rotation matrices agree to round-off, step for step."""
    runs = []
    for sign in (1.0, -1.0):
        system = System()
        half = 0.4
        q = (sign * math.cos(half), 0.0, sign * math.sin(half), 0.0)
        system.add(RigidBody("body", 1.0, (1.0, 2.0, 3.0), orientation=q, omega=(0.3, 2.0, 0.2)))
        session = Session(system, RunSettings(duration=2.0, method=method, step=1e-2, audit=False))
        session.workspace["pose"][0, 3:7] = q
        session.advance(np.array([2.0]))
        runs.append(session.workspace["pose"][0, 3:7].copy())
    assert np.abs(runs[0] + runs[1]).max() < 1e-14


def test_nothing_happens_at_the_gimbal_lock_of_euler_angles():
    """A body that tumbles within a degree of upright, where Euler angles lose digits; quaternions do not notice."""
    run = simulate(free_body((1.0, 2.0, 3.0), (0.3, 2.0, 0.2)), duration=20.0, frames=0.001, **RUN)
    matrices = rotations(run)
    pitch = np.degrees(np.arcsin(np.clip(-matrices[:, 2, 0], -1.0, 1.0)))
    assert np.abs(pitch).max() > 89.0
    norms = np.linalg.norm(run["body.orientation"], axis=1)
    assert np.abs(norms - 1.0).max() < 1e-14


def test_products_of_inertia_and_a_centre_off_the_frame():
    """The same body described in two frames: turned by R and shifted; both descriptions move alike."""
    turn = exponential(np.array([0.4, -0.7, 0.2]))
    shift = np.array([0.3, -0.1, 0.2])
    plain, oblique = System(), System()
    moments = np.diag([1.0, 2.0, 2.5])
    omega = np.array([0.5, 2.0, -0.3])
    plain.add(RigidBody("body", 1.5, (1.0, 2.0, 2.5), velocity=(0.1, 0.2, 0.3), omega=tuple(omega)))
    # Frame of the second: origin at -shift of the centre (in its own axes), axes turned by turn.
    tensor = turn.T @ moments @ turn
    world_offset = turn @ shift
    oblique.add(
        RigidBody(
            "body",
            1.5,
            tuple(map(tuple, tensor)),
            position=tuple(-world_offset),
            orientation=tuple(quaternion_from_matrix(turn)),
            velocity=tuple(np.array([0.1, 0.2, 0.3]) - np.cross(omega, world_offset)),
            omega=tuple(turn.T @ omega),
            centre_of_mass=tuple(shift),
        )
    )
    one = simulate(plain, duration=3.0, frames=0.5, **RUN)
    two = simulate(oblique, duration=3.0, frames=0.5, **RUN)
    centre = two["body.position"] + np.einsum("tij,j->ti", rotations(two), shift)
    assert np.abs(one["body.position"] - centre).max() < 1e-11
    assert np.abs(rotations(one) @ turn - rotations(two)).max() < 1e-10
