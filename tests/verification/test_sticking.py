"""Friction of joints sticks; contacts with planes tell force and touch; signals are smooth; interrupts are heard."""

from __future__ import annotations

import math
import os
import signal
import threading

import numpy as np
import pytest

import centrode as ct


def slider(push: object, **friction: object) -> ct.System:
    system = ct.System()
    system.add(ct.RigidBody("block", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    system.add(ct.Prismatic("guide", "ground", "block", at=(0.0, 0.0, 0.0), axis=(1.0, 0.0, 0.0)))
    system.add(ct.Friction("dry", joint="guide", acts="along-axis", coulomb=10.0, **friction))
    system.add(ct.PointForce("push", "block", magnitude=push, direction=(1.0, 0.0, 0.0)))
    return system


@pytest.mark.compiled
@pytest.mark.parametrize("method", ["radau", "dop853"])
def test_friction_sticks_for_an_hour(method: str) -> None:
    """80 % of what friction holds, for an hour: the block is where it was after a minute (it crept 4.8 m an hour)."""
    run = ct.simulate(slider(8.0), duration=3600.0, frames=60.0, method=method)
    place = run["block.position"][:, 0]
    assert run.status.completed
    assert place[1] == pytest.approx(
        8.0 / 10.0 * 1e-4, rel=0.3
    )  # the bristle gives, and swings on until it breaks away
    assert abs(place[-1] - place[1]) < 1e-9


def test_friction_does_not_drift_under_a_load_that_varies() -> None:
    """Loads between 70 and 80 % of the limit, once a second: elastic, so each period ends where the one before did."""
    load = {"kind": "sum", "signals": [7.5, {"kind": "harmonic", "amplitude": 0.5, "frequency": 1.0}]}
    run = ct.simulate(slider(load), duration=20.0, frames=1.0, tolerance=1e-9)
    assert np.ptp(run["block.position"][5:, 0]) < 1e-9


def test_sliding_is_coulombs() -> None:
    """12 N against 10 N: 2 m/s2 once it slides; the bristle takes some milliseconds, a share below 2 % of the speed."""
    run = ct.simulate(slider(12.0), duration=2.0)
    speed = run["block.velocity"][:, 0]
    late = run.time > 1.0
    slope = np.polyfit(run.time[late], speed[late], 1)[0]
    assert slope == pytest.approx(2.0, rel=1e-5)
    assert speed[-1] == pytest.approx(4.0, rel=0.02)
    # What friction took is its work; nothing comes out of it.
    assert np.all(np.diff(run["dry.work"][20:]) < 0.0)
    assert np.abs(run["energy.residual"]).max() < 1e-5


@pytest.mark.compiled
def test_radau_goes_through_sharp_friction() -> None:
    """Slip speed 1e-8 m/s: creeps at v_0 P / sqrt(F^2 - P^2) = 1.33e-8 m/s from 1e-8 s on; it hung before."""
    run = ct.simulate(slider(8.0, slip_speed=1e-8), duration=10.0, method="radau")
    assert run.status.completed
    assert run["block.position"][-1, 0] == pytest.approx(10.0 * 1e-8 * 8.0 / 6.0, rel=1e-3)


@pytest.mark.compiled
@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_interrupts_are_heard_between_frames(method: str) -> None:
    """A run of one frame and endless steps ends with the interrupt."""
    system = slider({"kind": "harmonic", "amplitude": 9.0, "frequency": 2e4}, slip_speed=1e-7)
    ct.simulate(system, duration=1e-6, method=method)  # compiled
    timer = threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has jobs in the background ignore it
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            ct.simulate(system, duration=1e4, frames=1e4, method=method, tolerance=1e-10)
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("shape", ["sphere", "box"])
def test_contacts_with_a_plane_tell_force_and_touch(shape: str) -> None:
    """Dropped from 0.9 m: touch at sqrt(2 h / g); at rest the force is the weight."""
    system = ct.System()
    system.add(ct.RigidBody("ball", mass=2.0, inertia=(0.01, 0.01, 0.01), position=(0.0, 0.0, 1.0)))
    law = {"stiffness": 1e4, "restitution": 0.3}
    if shape == "sphere":
        system.add(ct.SphereContact("floor", body="ball", radius=0.1, **law))
    else:
        system.add(ct.BoxContact("floor", body="ball", size=(0.2, 0.2, 0.2), **law))
    run = ct.simulate(system, duration=6.0)
    events = [event for event in run.events if event.subject == "floor"]
    assert [event.kind for event in events[:3]] == ["touch", "lift-off", "touch"]
    assert events[0].time == pytest.approx(math.sqrt(2.0 * 0.9 / 9.81), abs=1e-9)  # located to the tolerance of the run
    assert run["floor.force"][-1, 2] == pytest.approx(2.0 * 9.81, rel=1e-4)
    assert np.all(run["floor.force"][run.time < 0.4] == 0.0)


def test_body_that_starts_on_the_plane_touches_nothing_anew() -> None:
    system = ct.System()
    system.add(ct.RigidBody("ball", mass=2.0, inertia=(0.01, 0.01, 0.01), position=(0.0, 0.0, 0.0995)))
    system.add(ct.SphereContact("floor", body="ball", radius=0.1, stiffness=4e4))
    run = ct.simulate(system, duration=0.5)
    assert not [event for event in run.events if event.kind in ("touch", "lift-off")]


# -- signals -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("interpolation", "jump"), [("local", 0.3), ("cubic", 1e-6), ("quintic", 1e-6)])
def test_tables_are_smooth(interpolation: str, jump: float) -> None:
    """Jump of the acceleration over an inner point, taken 1e-9 s from it: none but that of the next derivative."""
    times = np.linspace(0.0, 2.0, 21)
    table = ct.SignalTable(times, np.sin(3.0 * times), interpolation=interpolation)
    found = abs(table.at(0.7 + 1e-9)[2] - table.at(0.7 - 1e-9)[2])
    assert found > jump if interpolation == "local" else found < jump


def test_rate_at_the_first_sample_is_that_of_the_curve() -> None:
    for made in (
        ct.SignalTable([0.0, 1.0, 2.0, 3.0], [1.0, 3.0, 5.0, 7.0]),
        ct.SignalTable([0.0, 1.0], [1.0, 3.0], interpolation="linear"),
        ct.SignalExpression("1 + 2*t", until=5.0),
    ):
        value, rate, _ = made.at(0.0)
        assert (value, rate) == (pytest.approx(1.0), pytest.approx(2.0, abs=1e-9))


def test_tables_converge_with_the_order_of_their_pieces() -> None:
    """Acceleration of sin 3t away from the ends: order 2 for cubics, 4 for quintics, halving the distance of points."""
    for interpolation, order in (("cubic", 2.0), ("quintic", 4.0)):
        errors = []
        for count in (41, 81):
            times = np.linspace(0.0, 4.0, count)
            table = ct.SignalTable(times, np.sin(3.0 * times), interpolation=interpolation)
            looked = np.linspace(1.5, 2.5, 301)
            errors.append(max(abs(table.at(t)[2] + 9.0 * math.sin(3.0 * t)) for t in looked))
        assert math.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.3)  # a spread of where the points lie


def test_driven_joints_have_forces_of_the_order_of_the_method() -> None:
    """A slider driven by an expression, force of the drive against m s'': no kinks of the signal in it."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.RigidBody("block", mass=2.0, inertia=(0.1, 0.1, 0.1)))
    system.add(ct.Prismatic("guide", "ground", "block", at=(0.0, 0.0, 0.0), axis=(1.0, 0.0, 0.0)))
    formula = ct.SignalExpression("0.1*sin(5*t)", until=3.0)
    system.add(ct.Motion("drive", "ground", "block", formula, "translation", axis=(1.0, 0.0, 0.0)))
    run = ct.simulate(system, duration=2.0, frames=0.0137)
    exact = -2.0 * 0.1 * 25.0 * np.sin(5.0 * run.time)
    # Quintic pieces of 0.02 s: acceleration off by h^4 s^(6) / 240, 1e-8 of s'', but at the end of the table, where a
    # spline has a wide error constant: 1e-5 of s''. What is left within is the tolerance 1e-7 of the run.
    wrong = np.abs(run["drive.force"][:, 0] - exact) / 5.0
    assert wrong.max() < 1e-5
    assert wrong[run.time > 0.1].max() < 1e-6


@pytest.mark.compiled
@pytest.mark.parametrize(("method", "step"), [("rk4-projected", 5e-4), ("rk4-projected", 1e-4), ("rattle", 1e-4)])
@pytest.mark.parametrize(("restitution", "drop"), [(0.0, 0.0), (0.02, 0.0), (0.02, 0.01), (0.0, 0.05)])
def test_small_restitutions_stick_with_equal_steps_too(method, step, restitution, drop):
    """Their damper is a hundred times stiffer than the spring: below the angle of friction (21.8 degrees) a box slid on
    for ever with 0.09 m/s, the same with steps of 0.5 and 0.1 ms, "completed"."""
    tilt, g = math.radians(20.0), 9.80665
    ends = []
    for how in ({"method": method, "step": step}, {"method": "dop853"}):
        system = ct.System(gravity=(g * math.sin(tilt), 0.0, -g * math.cos(tilt)))
        system.add(ct.OutlinePlane("floor", "ground"))
        system.add(ct.RigidBody("box", 2.0, (0.0133,) * 3, position=(0.0, 0.0, 0.1 + drop)))
        system.add(ct.OutlineBox("edges", "box", half_lengths=(0.1, 0.1, 0.1)))
        system.add(ct.Restitution("law", restitution=restitution, friction=0.4))
        run = ct.simulate(system, duration=1.0, frames=0.02, **how)
        assert run.status.completed
        assert float(np.linalg.norm(run["box.velocity"][-1])) < 1e-3  # it stays
        ends.append(float(run["box.position"][-1, 0]))
    assert ends[0] == pytest.approx(ends[1], rel=0.01, abs=1e-5)
