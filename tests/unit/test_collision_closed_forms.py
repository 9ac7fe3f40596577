"""Short collisions whose outcome is known in closed form: few steps, so that they also run with the JIT off.

The long ones, and the orders of the methods, are in tests/verification.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from contact_queries import flat_sink, rectangle

import centrode as ct

WEIGHTLESS = (0.0, 0.0, 0.0)


def balls(law, speed=4.0, masses=(2.0, 3.0), offset=0.0, spin=(0.0, 0.0, 0.0)):
    """Two balls of radius 1/2 m, a millimetre apart, the first one flying at the second."""
    system = ct.System(gravity=WEIGHTLESS)
    reach = math.sqrt(1.0 - offset**2) + 1e-3
    system.add(ct.RigidBody("a", masses[0], (0.4, 0.4, 0.4), velocity=(speed, 0.0, 0.0), omega=spin))
    system.add(ct.RigidBody("b", masses[1], (0.6, 0.6, 0.6), position=(reach, offset, 0.0)))
    system.add(ct.OutlineSphere("a-ball", body="a", radius=0.5))
    system.add(ct.OutlineSphere("b-ball", body="b", radius=0.5))
    system.add(law)
    return system


def kinetic(run, frame, masses=(2.0, 3.0), inertias=(0.4, 0.6)):
    """Energy of motion of the two balls [J]."""
    return sum(
        0.5 * mass * np.sum(run[f"{name}.velocity"][frame] ** 2)
        + 0.5 * inertia * np.sum(run[f"{name}.omega"][frame] ** 2)
        for name, mass, inertia in zip("ab", masses, inertias, strict=True)
    )


def test_elastic_hit_is_half_a_swing_of_a_spring():
    """Duration pi sqrt(m/k), depth v sqrt(m/k), force v sqrt(m k), with the reduced mass m; then every figure of it.

    h w = 0.1 for the step h and w = sqrt(k/m): RK4 misses (h w)^4/120 of the phase per radian, 3e-6 in all, and the
    amplitude by less.
    """
    m, k, v = 1.2, 1.2e4, 4.0
    run = ct.simulate(balls(ct.LinearContact("law", stiffness=k)), duration=0.036, method="rk4-projected", step=1e-3,
                      frames=0.036)  # fmt: skip
    (hit,) = run.collisions
    assert hit.closing_speed == pytest.approx(v, abs=1e-12)
    assert hit.begin == pytest.approx(1e-3 / v, abs=1e-12)
    assert hit.duration == pytest.approx(math.pi * math.sqrt(m / k), rel=3e-6)
    assert hit.end == hit.begin + hit.duration
    assert hit.restitution == pytest.approx(1.0, abs=3e-6)
    assert hit.impulse == pytest.approx((2.0 * m * v, 0.0, 0.0), rel=3e-6)
    assert hit.impulse_size == pytest.approx(2.0 * m * v, rel=3e-6)
    # Force and depth are looked at step by step; a parabola through the highest three misses (h w)^4/24 of it.
    assert hit.peak_force == pytest.approx(v * math.sqrt(m * k), rel=1e-5)
    assert hit.peak_time == pytest.approx(hit.begin + 0.5 * hit.duration, abs=1e-3)
    assert hit.depth == pytest.approx(v * math.sqrt(m / k), rel=0.5 * 0.05**2 + 1e-5)  # half a step off the top
    assert hit.normal == pytest.approx((1.0, 0.0, 0.0), abs=1e-12)
    assert (hit.friction_energy, hit.law_energy, hit.crush) == pytest.approx((0, 0, 0), abs=1e-9)
    assert hit.slip_speed < 4.0 * math.sqrt(np.finfo(float).eps) * v  # root of a difference of squares
    assert not hit.still_touching
    first, second = hit.vehicle("a"), hit.vehicle("b")
    assert (first.mass, second.mass) == (2.0, 3.0)
    assert first.delta_v == pytest.approx((-2.0 * m * v / 2.0, 0.0, 0.0), rel=3e-6, abs=1e-9)
    assert second.delta_v == pytest.approx((2.0 * m * v / 3.0, 0.0, 0.0), rel=3e-6, abs=1e-9)
    assert first.delta_v_along == pytest.approx(-first.delta_v_size) and first.delta_v_left == pytest.approx(0.0)
    assert (first.side, second.side) == ("front", "rear")
    assert (first.clock, second.clock) == (12, 6)
    assert (first.speed_before, second.speed_before) == pytest.approx((v, 0.0), abs=1e-12)
    assert first.speed_after == pytest.approx(abs(v - first.delta_v_size), abs=1e-9)
    assert first.peak_acceleration == pytest.approx(hit.peak_force / 2.0)
    # Where they touched: between the two outlines, at the middle of the overlap.
    flight = v * hit.begin
    assert 0.5 + flight - hit.depth < hit.point[0] < 0.5 + flight + 2.0 * hit.depth
    # The pulse begins and ends without force and its area is the impulse (trapezia of 40 parts: (pi/40)^2/12).
    pulse = np.array(hit.pulse)
    assert pulse[0] == pytest.approx(0.0, abs=1e-6 * hit.peak_force)
    area = np.trapezoid(pulse, dx=hit.duration / (len(pulse) - 1))
    assert area == pytest.approx(hit.impulse_size, rel=(math.pi / (len(pulse) - 1)) ** 2)
    assert run["a.velocity"][-1] == pytest.approx((v - 2.0 * m * v / 2.0, 0.0, 0.0), abs=2e-5)
    assert run["b.velocity"][-1] == pytest.approx((2.0 * m * v / 3.0, 0.0, 0.0), abs=2e-5)


def test_off_centre_hit_without_friction_acts_along_the_line_of_centres():
    """Along the normal as above, across it nothing; the normal turns by less than v t / d meanwhile."""
    offset = 0.6
    law = ct.LinearContact("law", stiffness=1.2e6)
    run = ct.simulate(balls(law, offset=offset), duration=0.004, method="rk4-projected", step=1e-4, frames=0.004)
    (hit,) = run.collisions
    normal = np.array([math.sqrt(1.0 - offset**2), offset, 0.0])
    turning = 4.0 * offset * hit.duration  # [rad], the line of centres is 1 m long
    assert np.abs(np.array(hit.normal) - normal).max() < turning
    assert hit.closing_speed == pytest.approx(4.0 * normal[0], rel=1e-3)
    impulse = 2.0 * 1.2 * 4.0 * normal[0]
    assert np.array(hit.impulse) == pytest.approx(impulse * normal, abs=turning * impulse)
    assert run["a.omega"][-1] == pytest.approx(0.0, abs=1e-9)
    # Momentum to round-off; energy as well as the method keeps it.
    before, after = (2.0 * run["a.velocity"][n] + 3.0 * run["b.velocity"][n] for n in (0, -1))
    assert after == pytest.approx(before, abs=1e-12)
    assert kinetic(run, -1) == pytest.approx(kinetic(run, 0), rel=1e-5)


@pytest.mark.parametrize("spin", [30.0, -30.0])
def test_sliding_friction_turns_the_ball_by_mu_times_the_impulse(spin):
    """A spinning ball slides all through the hit: J_t = mu J_n, so both balls get r J_t / I of spin.

    Hard, so that it is short: the line of centres turns by less than 0.8 m/s times 0.3 ms over 1 m, 2.5e-4 rad, which
    brings half of that of the impulse sideways: 1.25e-3 of J_t. The arm is the radius less half the depth of 0.4 mm;
    regularised friction lacks (v0/s)^2/2 at a slip of s > 13 m/s: 1e-5.
    """
    mu = 0.1
    law = ct.LinearContact("law", stiffness=1.2e8, friction=mu, slip_speed=0.05)
    system = balls(law, spin=(0.0, 0.0, spin))
    run = ct.simulate(system, duration=6e-4, method="rk4-projected", step=1e-5, frames=6e-4)
    (hit,) = run.collisions
    sideways = math.copysign(mu * 2.0 * 1.2 * 4.0, -spin)  # on the first ball: against its slip
    assert run["a.velocity"][-1, 1] == pytest.approx(sideways / 2.0, rel=1.25e-3)
    assert run["b.velocity"][-1, 1] == pytest.approx(-sideways / 3.0, rel=1.25e-3)
    assert run["a.omega"][-1, 2] - spin == pytest.approx(sideways * 0.5 / 0.4, rel=1e-3)
    assert run["b.omega"][-1, 2] == pytest.approx(sideways * 0.5 / 0.6, rel=1e-3)
    assert hit.slip_speed == pytest.approx(0.5 * abs(spin), rel=1e-3)  # at the first touch
    # What is lost is what friction took.
    assert hit.friction_energy == pytest.approx(kinetic(run, 0) - kinetic(run, -1), rel=1e-4)
    assert hit.law_energy == pytest.approx(0.0, abs=1e-6)


def test_restitution_law_returns_the_share_it_is_asked_for():
    """e = 0.5 whatever the masses and the stiffness; the loss is (1 - e^2) m v^2 / 2."""
    law = ct.Restitution("law", stiffness=1.2e4, restitution=0.5)
    run = ct.simulate(balls(law), duration=0.05, method="rk4-projected", step=5e-4, frames=0.05)
    (hit,) = run.collisions
    assert hit.restitution == pytest.approx(0.5, abs=1e-4)
    assert hit.law_energy == pytest.approx((1.0 - 0.5**2) * 0.5 * 1.2 * 4.0**2, rel=2e-4)
    assert hit.law_energy == pytest.approx(kinetic(run, 0) - kinetic(run, -1), rel=1e-4)


def test_crush_law_keeps_its_dent():
    """Virgin curve up to the depth where it has taken m v^2/2, then back along the elastic line: crush d_m - F_m/k.

    F = k d up to w A/k, then slope w B. Energy to d_m: F_y^2/(2k) + F_y s + w B s^2/2 = m v^2/2 with s = d_m - d_y.
    """
    width, a, b, k = 1.0, 500.0, 5e3, 5e4
    law = ct.CrushWidth("law", a=a, b=b, width=width, stiffness=k)
    run = ct.simulate(balls(law), duration=0.06, method="rk4-projected", step=5e-4, frames=0.06)
    (hit,) = run.collisions
    force, slope, energy = width * a, width * b, 0.5 * 1.2 * 4.0**2
    s = (-force + math.sqrt(force**2 + 2.0 * slope * (energy - force**2 / (2.0 * k)))) / slope
    deepest, peak = force / k + s, force + slope * s
    # Corners of the curve inside a step of h = 0.5 ms: depth missed by less than F/m h^2/8.
    missed = peak / 1.2 * 5e-4**2 / 8.0
    assert hit.depth == pytest.approx(deepest, abs=2.0 * missed)
    assert hit.crush == pytest.approx(deepest - peak / k, abs=2.0 * missed)
    assert hit.peak_force == pytest.approx(peak, abs=k * missed)
    assert hit.restitution == pytest.approx(peak / math.sqrt(2.0 * k * energy), rel=2e-3)
    # The power of the dent begins and ends inside a step.
    assert hit.law_energy == pytest.approx(energy - peak**2 / (2.0 * k), abs=force * 4.0 * 5e-4)
    assert kinetic(run, 0) - kinetic(run, -1) == pytest.approx(energy - peak**2 / (2.0 * k), rel=2e-3)


def on_the_ground(law, speed=(0.0, 0.0, 0.0), sink=0.0, gravity=(0.0, 0.0, -10.0)):
    """A box of 10 kg that stands on a plane."""
    system = ct.System(gravity=gravity)
    system.add(ct.RigidBody("box", 10.0, (0.6, 0.9, 1.4), position=(0.0, 0.0, 0.1 - sink), velocity=speed))
    system.add(ct.OutlineBox("shell", body="box", half_lengths=(0.5, 0.4, 0.1)))
    system.add(ct.OutlinePlane("floor", body="ground"))
    system.add(law)
    return system


def test_box_stands_where_the_law_carries_its_weight():
    """Sunk by m g / k (and 1e-3 of it: the border of a flat overlap is softer) it stays, without a moment."""
    law, sink = ct.LinearContact("law", stiffness=2e5, damping=100.0), flat_sink(100.0 / 2e5, rectangle(0.5, 0.4))
    run = ct.simulate(on_the_ground(law, sink=sink), duration=0.02, method="rattle", step=1e-3, frames=0.02)
    assert sink == pytest.approx(5e-4, rel=2e-3)
    assert run["box.position"][-1] == pytest.approx((0.0, 0.0, 0.1 - sink), abs=1e-9)
    assert run["box.velocity"][-1] == pytest.approx(0.0, abs=1e-9)
    assert run["box.omega"][-1] == pytest.approx(0.0, abs=1e-9)
    assert run.collisions[0].still_touching


def test_box_slides_to_a_stop_under_mu_times_its_weight():
    """v = v0 - mu g t, less the share (v0/v)^2/2 of regularised friction.

    Friction at the ground moves the pressure by mu h = 3 cm at most: it turns the box by less than mu m g (mu h) t / I.
    """
    law = ct.LinearContact("law", stiffness=2e5, damping=100.0, friction=0.3, slip_speed=0.02)
    system = on_the_ground(law, speed=(1.0, 0.5, 0.0), sink=100.0 / 2e5)
    run = ct.simulate(system, duration=0.04, method="rattle", step=1e-3, frames=0.02)
    start = np.array([1.0, 0.5])
    lost = 0.3 * 10.0 * 0.04 * start / np.linalg.norm(start)
    assert run["box.velocity"][-1, :2] == pytest.approx(start - lost, abs=2e-3)
    assert abs(run["box.omega"][-1, 2]) < 0.3 * 100.0 * (0.3 * 0.1) * 0.04 / 1.4
    assert abs(run["box.position"][-1, 2] - 0.0995) < 5e-4


def test_pseudo_rigid_cars_keep_momentum_and_moment_of_momentum():
    """Offset hit of two deformable shells, and the audit closes.

    Momentum is kept to round-off; its moment is quadratic in the state and kept with the order of the method, with
    vibrations of up to 1600 rad/s at a step of 1 ms: 1e-7.
    The moment of momentum of the directors is the sum of their inertias times d cross d'.
    """
    system = ct.System(gravity=WEIGHTLESS)
    inertia = (479.6, 2594.6, 2782.0)
    for name, place, speed in (("one", (0.0, 0.0, 0.0), 6.0), ("two", (4.002, 0.4, 0.0), 0.0)):
        system.add(ct.PseudoRigidBody(name, 1573.0, inertia, position=place, velocity=(speed, 0.0, 0.0)))
        system.add(ct.OutlineSuperellipsoid(f"{name}-shell", body=name, semi_axes=(2.0, 0.8, 0.65)))
    system.add(ct.LinearContact("law", stiffness=1e7))
    run = ct.simulate(system, duration=0.036, method="rk4-projected", step=1e-3, frames=0.036)
    (hit,) = run.collisions
    assert not hit.still_touching
    linear = [sum(1573.0 * run[f"{name}.velocity"][n] for name in ("one", "two")) for n in (0, -1)]
    assert linear[1] == pytest.approx(linear[0], abs=1e-9 * 1573.0 * 6.0)
    weights = 0.5 * sum(inertia) - np.array(inertia)  # int x_k^2 dm
    angular = [
        sum(
            1573.0 * np.cross(run[f"{name}.position"][n], run[f"{name}.velocity"][n])
            + np.cross(run[f"{name}.directors"][n], run[f"{name}.director_rates"][n], axis=0) @ weights
            for name in ("one", "two")
        )
        for n in (0, -1)
    ]
    assert angular[1] == pytest.approx(angular[0], abs=1e-7 * 1573.0 * 6.0 * 0.4)
    assert run["one.omega"][-1, 2] > 0.05 and run["two.omega"][-1, 2] > 0.05  # both are pushed right of their centre
    # The impulse is the change of momentum, and its moment turns both cars.
    assert np.array(hit.impulse) == pytest.approx(1573.0 * run["two.velocity"][-1], rel=1e-6, abs=1e-3)
    assert abs(run["energy.residual"][-1]) < 1e-4 * run["energy.kinetic"][0]
    assert hit.vibration_energy == pytest.approx(sum(item.vibration for item in hit.vehicles), abs=1e-6)
    assert hit.vibration_energy > 0.0


def test_bodies_that_would_pass_each_other_within_a_step_are_caught():
    """0.4 m a step through a wall 2 cm thick: the run goes back and bounces, elastic."""
    system = ct.System(gravity=WEIGHTLESS)
    system.add(ct.RigidBody("ball", 1.0, (4e-4,) * 3, position=(-0.5, 0.01, 0.0), velocity=(40.0, 0.0, 0.0)))
    system.add(ct.OutlineSphere("shell", body="ball", radius=0.05))
    system.add(ct.OutlineBox("wall", body="ground", half_lengths=(0.01, 1.0, 1.0)))
    system.add(ct.LinearContact("law", stiffness=4e6))
    run = ct.simulate(system, duration=0.02, method="rk4-projected", step=1e-2, frames=0.02)
    assert run.status.completed
    assert run["ball.position"][-1, 0] < -0.05
    assert run["ball.velocity"][-1] == pytest.approx((-40.0, 0.0, 0.0), rel=2e-3, abs=1e-6)
