"""Gradients of runs against closed forms and independent solutions, and that their error estimates hold.

Derivatives of closed forms are taken by the complex step: exact to round-off. Every derivative must lie within the
error that is claimed for it; that the claim is small is asserted beside it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

import centrode as ct

SCENARIOS = Path(__file__).parents[2] / "scenarios"
TINY = 1e-30


def complex_step(function, arguments, k):
    """Derivative of an analytic function with respect to argument k."""
    shifted = [complex(x) for x in arguments]
    shifted[k] += 1j * TINY
    return float(np.imag(function(*shifted))) / TINY


def assert_holds(found, truth, claimed):
    """The truth lies within the claimed error, and that is at most ``claimed`` of the truth."""
    assert abs(found.value - truth) <= found.error
    assert found.error <= claimed * abs(truth)


# -- a damped oscillator -----------------------------------------------------------------------------------------------

OSCILLATOR = (2.0, 50.0, 1.5, 0.3, 3.0)  # mass, stiffness, damping, deflection, time
NAMES = ["mass.mass", "spring.stiffness", "spring.damping", "mass.position.x"]


def deflection(m, k, c, x, t):
    decay = c / (2.0 * m)
    rate = np.sqrt(k / m - decay * decay)
    return x * np.exp(-decay * t) * (np.cos(rate * t) + decay / rate * np.sin(rate * t))


def oscillator():
    m, k, c, x, _ = OSCILLATOR
    system = ct.System(gravity=(0, 0, 0))
    mass = system.add(ct.RigidBody("mass", mass=m, inertia=(1, 1, 1), position=(1.0 + x, 0, 0)))
    system.add(ct.Prismatic("rail", system.ground, mass, at=(0, 0, 0), axis=(1, 0, 0)))
    system.add(ct.Spring("spring", system.ground, mass, stiffness=k, damping=c, length=1.0))
    return system


@pytest.mark.parametrize(
    ("method", "claimed"),
    # round-off of a run over a step of 0.01 p: 1e-10; the others as their own errors: steps of 1 ms with order 4, a
    # tolerance of 1e-7 that frames 15 ms apart hold with room
    [("dop853", 1e-9), ("rk4-projected", 1e-9), ("dp5", 1e-8), ("radau", 1e-8)],
)
def test_oscillator_in_closed_form(method, claimed):
    found = ct.gradient(oscillator(), "mass.position.x@end", NAMES, duration=3.0, method=method, accuracy=1e-9)
    for k, name in enumerate(NAMES):
        assert_holds(found.of("mass.position.x@end", name), complex_step(deflection, OSCILLATOR, k), claimed)


def test_a_peak_between_frames_is_a_smooth_figure():
    """The trough after half a period lies between frames 4.5 ms apart: 1 - x exp(-decay pi / rate)."""
    late = ct.gradient(oscillator(), "mass.position.x@min", NAMES[:3], duration=0.9, accuracy=1e-9)

    def trough(m, k, c, x, _):
        decay = c / (2.0 * m)
        return 1.0 - x * np.exp(-decay * np.pi / np.sqrt(k / m - decay * decay))

    for k, name in enumerate(NAMES[:3]):
        item = late.of("mass.position.x@min", name)
        # The polynomial is off by h^7 y^(7) / 7! with nodes 1.5 ms apart: 1e-18, below round-off.
        assert_holds(item, complex_step(trough, OSCILLATOR, k), 1e-8)


def test_a_function_of_the_recording_is_a_figure():
    def energy(run):
        return run["energy.total"][-1]

    found = ct.gradient(oscillator(), {"left": energy}, "mass.position.x", duration=1.0)
    item = found.of("left", "mass.position.x")
    assert item.unit == "1/m"
    # The motion is linear in the deflection, so the energy that is left is quadratic: dE/dx = 2 E / x.
    assert_holds(item, 2.0 * item.figure_value / OSCILLATOR[3], 1e-8)


# -- mechanisms --------------------------------------------------------------------------------------------------------


def test_pendulum_by_gravity():
    """From rest the angle is a function of t sqrt(g) alone: its derivative by g is rate t / (2 g), at any amplitude."""
    system = ct.System()
    arm = system.add(ct.RigidBody("arm", mass=1.0, inertia=(0.01, 0.1, 0.1), position=(0.5, 0, 0)))
    system.add(ct.Revolute("hinge", system.ground, arm, at=(0, 0, 0), axis=(0, 1, 0)))
    run = ct.simulate(system, duration=1.5, tolerance=1e-12)
    rate = run["arm.omega"][-1, 1]
    found = ct.gradient(system, ["hinge.angle@end", "hinge.angle@1.0"], "gravity.z", duration=1.5, accuracy=1e-9)
    assert_holds(found.of("hinge.angle@end", "gravity.z"), -rate * 1.5 / (2.0 * 9.81), 1e-8)
    assert found.of("hinge.angle@1.0", "gravity.z").value != found.of("hinge.angle@end", "gravity.z").value


def lower_pendulum(first, second, upper, lower, time):
    """Angle of the upper of two rods of 1 m, by Lagrange's equations in their two angles."""
    inertia, g = 1.0 / 12.0, 9.81

    def rates(_, y):
        a, b, u, v = y
        c, s = np.cos(a - b), np.sin(a - b)
        mass = np.array([[inertia + upper / 4 + lower, lower * c / 2], [lower * c / 2, inertia + lower / 4]])
        force = [
            -lower * s * v * v / 2 - (upper / 2 + lower) * g * np.sin(a),
            lower * s * u * u / 2 - lower * g * np.sin(b) / 2,
        ]
        return [u, v, *np.linalg.solve(mass, np.array(force))]

    start = np.array([first, second, 0.0, 0.0], dtype=complex)
    return solve_ivp(rates, (0.0, time.real), start, method="DOP853", rtol=1e-13, atol=1e-13).y[0, -1]


# In 2 s a disturbance grows threefold, in 5 s by 500, and with it the round-off of both solutions: 1e-8 of 500.
@pytest.mark.parametrize(("duration", "claimed"), [(2.0, 1e-8), (5.0, 1e-7)])
def test_double_pendulum_against_its_variational_equations(duration, claimed):
    scenario = ct.load(SCENARIOS / "mechanisms" / "double_pendulum.yaml")
    names = ["parameters.first", "parameters.second", "upper.mass", "lower.mass"]
    found = ct.gradient(scenario, "upper.angle@end", names, duration=duration, accuracy=1e-8)
    for k, name in enumerate(names):
        truth = complex_step(lower_pendulum, (2.0, 2.5, 1.0, 1.0, duration), k)
        assert_holds(found.of("upper.angle@end", name), truth, claimed)


# -- events, contacts, controllers -------------------------------------------------------------------------------------


def test_a_jerk_of_a_rope_is_gone_through():
    """A mass falls 0.5 m beside the pivot until the rope is taut, loses its velocity along it, and swings on."""
    system = ct.System(gravity=(0, 0, -9.81))
    mass = system.add(ct.RigidBody("mass", mass=1.0))
    system.add(ct.Rope("rope", system.ground, mass, point_a=(0.5, 0, 0), length=1.0, restitution=0.0))

    def height(length, g, time):
        drop = np.sqrt(length * length - 0.25)
        speed, taut = np.sqrt(2.0 * g * drop), np.sqrt(2.0 * drop / g)
        angle = -np.arctan(0.5 / drop)  # from the downward vertical, the mass at x = 0, the pivot at 0.5
        turning = speed * 0.5 / length / length  # velocity across the rope over its length: -speed sin(angle) / length

        def rates(s, y):  # in s = (t - taut) / (time - taut), so that the interval is real
            return np.array([y[1], -g / length * np.sin(y[0])]) * (time - taut)

        y = solve_ivp(
            rates, (0.0, 1.0), np.array([angle, turning], dtype=complex), method="DOP853", rtol=1e-13, atol=1e-13
        )
        return -length * np.cos(y.y[0, -1])

    found = ct.gradient(system, "mass.position.z@end", ["rope.length", "gravity.z"], duration=0.8, accuracy=1e-8)
    arguments = (1.0, 9.81, 0.8)
    run = ct.simulate(system, duration=0.8, tolerance=1e-12)
    assert run["mass.position.z"][-1] == pytest.approx(float(np.real(height(*map(complex, arguments)))), abs=1e-9)
    assert_holds(found.of("mass.position.z@end", "rope.length"), complex_step(height, arguments, 0), 1e-6)
    assert_holds(found.of("mass.position.z@end", "gravity.z"), -complex_step(height, arguments, 1), 1e-6)
    assert any("events" in note for note in found.notes)


@pytest.mark.parametrize(("method", "settings"), [("dop853", {}), ("rk4-projected", {"step": 1e-3}), ("radau", {})])
def test_a_bounce_is_gone_through(method, settings):
    """A linear floor: the touch is a kink within a step. With given steps alone rk4 found -1.26 where 0.40 is true."""
    system = ct.System()
    ball = system.add(ct.RigidBody("ball", mass=2.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, 1.1)))
    system.add(ct.SphereContact("floor", body=ball, radius=0.1, stiffness=2e4))

    def height(drop, k, m, g, time):
        speed, rate, sag = np.sqrt(2.0 * g * drop), np.sqrt(k / m), m * g / k
        touching = 2.0 * (np.pi - np.arctan(speed / (rate * sag))) / rate
        after = time - np.sqrt(2.0 * drop / g) - touching
        return speed * after - 0.5 * g * after * after

    names = ["ball.position.z", "floor.stiffness", "ball.mass"]
    found = ct.gradient(system, "ball.position.z@end", names, duration=0.8, method=method, **settings)
    for k, name in enumerate(names):
        # Noise of runs with a tolerance of 1e-10 to 1e-7 (radau's own) over a hundredth of the parameter.
        truth = complex_step(height, (1.0, 2e4, 2.0, 9.81, 0.8), k)
        assert_holds(found.of("ball.position.z@end", name), truth, 1e-4)


def test_a_sampled_controller_is_gone_through():
    """A proportional controller with hold: between samples a mass under a constant force, exactly."""
    kp, period, count, m = 8.0, 0.05, 20, 2.0
    system = ct.System(gravity=(0, 0, 0))
    mass = system.add(ct.RigidBody("mass", mass=m, inertia=(1, 1, 1)))
    system.add(ct.Prismatic("rail", system.ground, mass, at=(0, 0, 0), axis=(1, 0, 0)))
    system.add(ct.Actuator("drive", joint="rail", acts="along-axis"))
    system.add(ct.Pid("c", ("drive",), period, "rail.displacement", setpoint=1.0, kp=kp))

    def place(kp, m):
        step = expm(np.array([[0, 1, 0], [0, 0, 1 / m], [0, 0, 0]], dtype=complex) * period)
        x = np.zeros(2, dtype=complex)
        for _ in range(count):
            x = step[:2, :2] @ x + step[:2, 2] * kp * (1.0 - x[0])
        return x[0]

    found = ct.gradient(system, "mass.position.x@end", ["c.kp", "mass.mass"], duration=count * period, accuracy=1e-8)
    for k, name in enumerate(["c.kp", "mass.mass"]):
        assert_holds(found.of("mass.position.x@end", name), complex_step(place, (kp, m), k), 1e-7)


def test_delta_v_of_a_crash_by_its_speed():
    """Against differences of runs of their own, with step control and Richardson's extrapolation of two of them."""
    scenario = ct.load(SCENARIOS / "collisions" / "offset.yaml")
    found = ct.gradient(scenario, "faster.delta_v_size@collision", "faster.speed", duration=1.5)
    item = found.of("faster.delta_v_size@collision", "faster.speed")

    def delta_v(speed):
        run = ct.simulate(
            scenario.edited({"vehicles.faster.speed": speed}), duration=1.5, method="dop853", tolerance=1e-11
        )
        return run.collisions[0].vehicle("faster").delta_v_size

    wide, narrow = ((delta_v(22.0 + h) - delta_v(22.0 - h)) / (2.0 * h) for h in (0.2, 0.1))
    # Terms of h^4 that are left: (0.1/2)^4, of which the closing speed is 2 m/s; noise 1e-11/0.1.
    assert item.value == pytest.approx((4.0 * narrow - wide) / 3.0, abs=item.error + 1e-5)
    assert item.error < 1e-4


# -- what is told ------------------------------------------------------------------------------------------------------


def test_a_kink_at_the_parameter_is_named():
    def bent(run):
        x = run["mass.position.x"][-1]
        return abs(x - reached) + 2.0 * x

    reached = ct.simulate(oscillator(), duration=1.0)["mass.position.x"][-1]
    found = ct.gradient(oscillator(), bent, "mass.position.x", duration=1.0, check_steps=False)
    assert any("kink" in note for note in found.derivatives[0].notes)


def test_at_the_end_of_a_range_differences_are_taken_to_one_side():
    system = oscillator().varied()
    spring = system.replace(ct.Spring("spring", "ground", "mass", stiffness=50.0, damping=0.0, length=1.0))
    assert spring.damping == 0.0
    found = ct.gradient(system, "mass.position.x@end", "spring.damping", duration=3.0)
    truth = complex_step(deflection, (2.0, 50.0, 0.0, 0.3, 3.0), 2)
    item = found.of("mass.position.x@end", "spring.damping")
    assert_holds(item, truth, 1e-5)
    assert any("cannot be" in note for note in item.notes)


def test_two_gradients_are_equal_to_the_last_digit():
    one, two = (ct.gradient(oscillator(), "mass.position.x@end", NAMES[:2], duration=1.0) for _ in range(2))
    assert one.to_data() == two.to_data()


@pytest.mark.parametrize(
    ("figure", "parameter", "said"),
    [
        ("mass.positoin.x@end", "mass.mass", "did you mean 'mass.position.x'"),
        ("mass.position.x@edn", "mass.mass", "did you mean 'end'"),
        ("mass.position.x@7", "mass.mass", "outside the run"),
        ("mass.delta_v@collision", "mass.mass", "no such figure"),
        ("mass.position.x@end", "mass.mas", "did you mean 'mass.mass'"),
        ("mass.position.x@end", "mas.mass", "did you mean 'mass'"),
        ("mass.position.x@end", "mass.position", "mass.position.x, mass.position.y"),
        ("mass.position.x@end", "mass.name", "not a number"),
        ("mass.position.x@end", "parameters.length", "no parameters"),
        ("mass.position.x@end", "gravity", "gravity.z"),
    ],
)
def test_names_that_do_not_exist_are_refused_with_the_nearest(figure, parameter, said):
    with pytest.raises(ct.InputError, match=said):
        ct.gradient(oscillator(), figure, parameter, duration=1.0)
