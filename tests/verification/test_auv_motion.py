"""The AUV: steady speeds, turns, release tests, currents, both worlds, manoeuvres, path following."""

import math

import numpy as np
import pytest

import centrode as ct
from centrode.errors import InputError, RunError
from centrode.math.frames import FLIP
from centrode.math.rotation import matrix_from_quaternion
from centrode.parts.bodies.full_mass import FullMassBody
from centrode.parts.forces.hydrodynamics import Hydrodynamics
from centrode.studies import manoeuvres_marine as study
from centrode.vehicles.auv import Auv
from centrode.vehicles.auv_remus import AuvRemus
from centrode.vehicles.sixdof.published import checks

NED = (0.0, 0.0, 9.81)
FIVE = math.radians(5.0)


def auv_run(gravity=NED, duration=20.0, frames=1.0, tolerance=1e-11, method="dop853", step=None, **fields):
    system = ct.System(gravity=gravity)
    system.add(Auv("auv", **fields))
    settings = {"duration": duration, "frames": frames, "tolerance": tolerance, "method": method, "step": step}
    return ct.simulate(system, audit=False, **settings)


@pytest.mark.parametrize("check", [c for c in checks() if c.id.startswith("sixdof.auv")], ids=lambda c: c.id)
def test_published_numbers_of_the_auv(check):
    assert abs(check.compute() - check.published) <= check.tolerance


def test_surge_without_fin_drag_is_an_exponential():
    """u(t) = T/du (1 - exp(-du t/mu)); the fins' drag is taken away by a tiny area."""
    run = auv_run(thrust=2.0, fin_area=1e-12)
    exact = 2.0 * -np.expm1(-run.time / 10.0)
    assert np.abs(run["auv.hull.velocity"][:, 0] - exact).max() < 1e-9


@pytest.mark.parametrize(
    ("axis", "inertia", "damping", "published", "ratio"),
    [((0.0, 1.0, 0.0), 5.0, 1.0, 0.608, 0.164), ((1.0, 0.0, 0.0), 1.0, 0.1, 1.360, 0.037)],
)
def test_pitch_and_roll_release(axis, inertia, damping, published, ratio):
    """Released at 1e-5 rad (fin drag, quadratic, is then nothing): damped oscillation with k = W z_G."""
    angle = 1e-5
    q = (math.cos(angle / 2), *(math.sin(angle / 2) * np.array(axis)))
    run = auv_run(orientation=q, duration=40.0, frames=0.02, tolerance=1e-13)
    k = int(np.argmax(axis))
    measured = 2.0 * run["auv.hull.orientation"][:, 1 + k]
    stiffness = 92.4570735 * 0.02
    natural = math.sqrt(stiffness / inertia)
    zeta = damping / (2.0 * math.sqrt(stiffness * inertia))
    assert natural == pytest.approx(published, abs=5e-4)
    assert zeta == pytest.approx(ratio, abs=5e-4)
    damped = natural * math.sqrt(1.0 - zeta**2)
    exact = angle * np.exp(-zeta * natural * run.time)
    exact *= np.cos(damped * run.time) + zeta / math.sqrt(1.0 - zeta**2) * np.sin(damped * run.time)
    # Fin drag: 1.6 N m s^2 times q^2 with q = 6e-6 rad/s, against 1 N m s times q.
    assert np.abs(measured - exact).max() < 2e-4 * angle
    crossings = run.time[:-1][measured[:-1] * measured[1:] < 0]
    assert math.pi / np.diff(crossings).mean() == pytest.approx(damped, rel=3e-3)  # frames of 20 ms


@pytest.mark.parametrize("profile", ["full", "slide"])
@pytest.mark.parametrize("kind", [Auv, AuvRemus])
def test_a_steady_current_carries_the_whole_motion_along(kind, profile):
    """Galileo: with current v_c and the start moving with it, everything is the same, displaced by v_c t."""
    current = np.array([0.4, -0.3, 0.1])
    q = np.array([0.9, 0.1, -0.2, 0.3])
    q /= np.linalg.norm(q)
    rotation = matrix_from_quaternion(q)
    runs = []
    for flow in (np.zeros(3), current):
        system = ct.System(gravity=NED)
        system.add(
            kind(
                "auv",
                profile=profile,
                thrust=2.0,
                orientation=tuple(q),
                velocity=tuple(np.array([0.8, 0.1, -0.05]) + rotation.T @ flow),
                omega=(0.1, -0.1, 0.2),
                fin_commands=(0.02, 0.1, -0.03, -0.1),
                current=tuple(flow),
            )
        )
        runs.append(ct.simulate(system, duration=5.0, frames=0.5, tolerance=1e-12, audit=False))
    still, drifting = runs
    shift = still.time[:, None] * current
    # The table's corners limit the order: two runs meet them at other steps.
    assert np.abs(drifting["auv.hull.position"] - still["auv.hull.position"] - shift).max() < 1e-8
    assert np.abs(drifting["auv.hull.omega"] - still["auv.hull.omega"]).max() < 1e-8


def test_a_rigid_body_in_a_current_feels_no_inertial_force():
    """The current's inertial term vanishes for a plain rigid body: only drag on the relative velocity remains."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(FullMassBody("b", mass_matrix=(2.0, 2.0, 2.0, 1.0, 2.0, 3.0), omega=(0.3, 2.0, 0.2)))
    system.add(Hydrodynamics("h", "b", current=(1.0, 2.0, 3.0)))
    run = ct.simulate(system, duration=5.0, frames=5.0, tolerance=1e-12)
    assert np.abs(run["b.velocity"]).max() < 1e-10
    exact = np.array([-1.629257049586, -1.198132491161, 0.945952524113])
    assert np.abs(run["b.omega"][-1] - exact).max() < 1e-9


def test_both_worlds_give_the_same_motion():
    """NED and z-up: same vehicle, same commands; positions convert, hull rates are equal."""
    q = np.array([0.95, 0.05, -0.02, 0.2])
    q /= np.linalg.norm(q)
    common = {"thrust": 3.0, "fin_commands": (0.03, 0.06, -0.02, -0.05), "velocity": (1.0, 0.0, 0.0), "duration": 10.0}
    common |= {"method": "rk4", "step": 0.01}
    ned = auv_run(orientation=tuple(q), current=(0.05, 0.02, -0.02), **common)
    zup = auv_run(
        gravity=(0.0, 0.0, -9.81),
        orientation=tuple(q * (1.0, 1.0, -1.0, -1.0)),
        current=tuple(FLIP * (0.05, 0.02, -0.02)),
        **common,
    )
    # Same steps, but the stages leave the unit sphere by (h w)^2/16, where the two quaternions give other matrices:
    # an error of the method's, 1e-10 at this step and rate.
    assert np.abs(FLIP * zup["auv.hull.position"] - ned["auv.hull.position"]).max() < 1e-9
    assert np.abs(zup["auv.hull.omega"] - ned["auv.hull.omega"]).max() < 1e-9


def test_propeller_law_drives_the_vehicle_and_its_torque_heels_it():
    """Bollard law: T = rho D^4 K_T n^2 gives the closed-form speed; torque is held by the righting moment."""
    rate = 8.0
    run = auv_run(propeller_rate=rate, duration=300.0, frames=100.0)
    thrust = 1000.0 * 0.1**4 * 0.4566 * rate**2
    heel = -1000.0 * 0.1**5 * 0.07 * rate**2 / (92.4570735 * 0.02)
    rotation = matrix_from_quaternion(run["auv.hull.orientation"][-1])
    speed = float((rotation.T @ run["auv.hull.velocity"][-1])[0])
    assert speed + 0.1264 * speed**2 == pytest.approx(thrust, rel=1e-6)
    assert rotation[2, 1] == pytest.approx(heel, rel=1e-5)


def test_energy_and_work_of_an_auv_close():
    """Kinetic energy minus the work of all forces: the audit of a run with fins, current and Coriolis terms."""
    system = ct.System(gravity=NED)
    system.add(
        AuvRemus("auv", velocity=(1.0, 0.0, 0.0), fin_commands=(0.02, 0.1, -0.02, -0.1), current=(0.2, 0.1, 0.0))
    )
    run = ct.simulate(system, duration=5.0, frames=0.5, tolerance=1e-10)
    assert np.abs(run["energy.residual"]).max() < 1e-7  # tolerance times the energy passed on, 30 J


def test_fin_lag_and_limits_are_internal_states():
    run = auv_run(thrust=2.0, fin_commands=(0.0, 1.0, 0.0, -0.1), fin_lag=0.5, duration=3.0, frames=0.1)
    # At the start the lag stands at its command, cut to 30 degrees.
    assert np.abs(run["auv.fin2.output"] - math.radians(30.0)).max() < 1e-12
    assert np.abs(run["auv.fin4.output"] + 0.1).max() < 1e-12


def test_a_step_of_the_rudder_reaches_the_fin_through_its_lag():
    system = ct.System(gravity=NED)
    auv = system.add(Auv("auv", fin_lag=0.5))
    system.add(auv.autopilot("helm", heading=10.0, heading_gain=100.0, period=10.0))
    run = ct.simulate(system, duration=2.0, frames=0.1, tolerance=1e-11, audit=False)
    limit = math.radians(30.0)
    expected = -math.copysign(limit, math.remainder(10.0, 2.0 * math.pi)) * -np.expm1(-run.time / 0.5)
    assert np.abs(run["auv.fin2.output"] - expected).max() < 1e-9


def test_cross_and_plus_layouts_turn_alike_by_allocation():
    """(6) of the autopilot: the same yaw deflection gives nearly the same turn with + and x fins."""
    radii = [
        study.turning_circle(Auv("a", thrust=2.0, fin_layout=layout), FIVE, 40.0, 150.0).radius
        for layout in ("plus", "cross")
    ]
    # Cross: four fins at sin 45 of the deflection, lift linear: sum of sin^2 = 2 either way; drag differs a little.
    assert radii[1] == pytest.approx(radii[0], rel=0.02)


def test_turning_circle_agrees_with_the_steady_turn():
    found = study.turning_circle(Auv("a", thrust=2.0), -FIVE, settle=60.0, duration=200.0)
    assert found.radius == pytest.approx(44.38, abs=5e-3)
    assert math.degrees(found.drift) == pytest.approx(4.20, abs=5e-3)
    assert found.yaw_rate == pytest.approx(-0.0366, abs=5e-5)
    # The track's own circle: half a turn apart, two points of a circle are a diameter apart.
    track = found.track.after(150.0)
    half = math.pi / abs(found.yaw_rate)
    later = np.array([np.interp(150.0 + half, track.time, track.position[:, k]) for k in range(2)])
    assert np.linalg.norm(later - track.position[0, :2]) == pytest.approx(2.0 * found.radius, rel=1e-3)
    assert 1.9 * found.radius < found.tactical_diameter < 2.2 * found.radius
    assert found.transfer < found.tactical_diameter


def test_zig_zag_overshoots_and_repeats():
    found = study.zig_zag(AuvRemus("a"), math.radians(10.0), math.radians(10.0), settle=20.0, duration=30.0)
    assert len(found.overshoots) >= 3
    assert all(0.0 < angle < math.radians(20.0) for angle in found.overshoots)
    # Once it repeats, both sides overshoot alike.
    assert found.overshoots[-1] == pytest.approx(found.overshoots[-2], rel=0.1)
    assert found.period > 2.0 * found.initial_turning_time


def test_spiral_of_a_stable_vehicle_is_one_curve_and_of_an_unstable_one_a_loop():
    stable = study.spiral(Auv("a", thrust=2.0), math.radians(10.0), count=3, hold=60.0, settle=40.0)
    assert stable.hysteresis < 1e-4
    assert np.allclose(stable.down, -np.array(stable.down)[::-1], atol=1e-4)
    loop = study.spiral(AuvRemus("a"), math.radians(5.0), count=3, hold=40.0, settle=20.0)
    assert loop.hysteresis > math.radians(1.0)


def test_dive_reaches_its_depth():
    found = study.dive(Auv("a", thrust=2.0), 5.0, settle=40.0, duration=100.0)
    assert abs(found.steady_error) < 1e-3
    assert found.overshoot < 1.0
    assert 0.0 < found.rise_time < found.settling_time


def test_path_following_finds_its_legs_and_the_integral_beats_the_current():
    path = ((0.0, 0.0), (40.0, 0.0), (40.0, 60.0))
    calm = study.follow_path(Auv("a", thrust=2.0), path, duration=120.0)
    assert calm.last_error < 0.01
    sideways = {"current": (0.15, 0.0, 0.0), "thrust": 2.0}
    without = study.follow_path(Auv("a", **sideways), path, duration=150.0)
    with_integral = study.follow_path(Auv("a", **sideways), path, duration=150.0, integral=0.3)
    assert without.last_error > 0.3  # the crab angle needs an offset
    assert with_integral.last_error < 0.2 * without.last_error


def test_path_distance_of_known_points():
    path = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]])
    points = np.array([[5.0, 1.0], [-3.0, 4.0], [11.0, 5.0], [12.0, 30.0]])
    assert np.allclose(study.path_distance(points, path), [1.0, 5.0, 1.0, 2.0])


def test_speed_autopilot_holds_its_speed_in_both_worlds():
    for gravity in (NED, (0.0, 0.0, -9.81)):
        system = ct.System(gravity=gravity)
        auv = system.add(Auv("auv"))
        system.add(auv.autopilot("helm", speed=1.2, heading=0.3, depth=0.0))
        run = ct.simulate(system, duration=60.0, frames=1.0, method="rk4", step=0.02, audit=False)
        forward = matrix_from_quaternion(run["auv.hull.orientation"][-1])[:, 0]
        assert forward @ run["auv.hull.velocity"][-1] == pytest.approx(1.2, abs=1e-3)
        assert math.atan2(forward[1], forward[0]) == pytest.approx(0.3, abs=1e-3)


def test_manoeuvres_refuse_what_cannot_be():
    with pytest.raises(InputError, match="beyond the limits of the fins"):
        study.turning_circle(Auv("a", thrust=2.0), 1.0)
    with pytest.raises(InputError, match="odd number"):
        study.spiral(Auv("a", thrust=2.0), FIVE, count=4)
    with pytest.raises(RunError, match="not by 180"):
        study.turning_circle(Auv("a", thrust=2.0), math.radians(0.5), settle=1.0, duration=5.0)


def test_memory_of_a_long_run_is_that_of_its_frames():
    """Frames are all that grows: ten times the steps at the same frames give arrays of the same size."""
    runs = [auv_run(thrust=2.0, duration=duration, frames=duration / 20.0) for duration in (10.0, 100.0)]
    assert len({run["auv.hull.position"].nbytes for run in runs}) == 1
