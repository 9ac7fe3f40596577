"""Joints against closed forms: slider-crank, four-bar, screw, gear train, Cardan shaft, Chaplygin's sleigh."""

from __future__ import annotations

import math

import numpy as np
import pytest

from centrode.parts.bodies.planar import PlanarBody
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.joints.fixed import Fixed
from centrode.parts.joints.gear import Gear
from centrode.parts.joints.knife_edge import KnifeEdge
from centrode.parts.joints.motion import Motion
from centrode.parts.joints.planar import Planar
from centrode.parts.joints.point_on_line import PointOnLine
from centrode.parts.joints.prismatic import Prismatic
from centrode.parts.joints.rack_and_pinion import RackAndPinion
from centrode.parts.joints.revolute import Revolute
from centrode.parts.joints.rod import Rod
from centrode.parts.joints.rope import Rope
from centrode.parts.joints.screw import Screw
from centrode.parts.joints.universal import Universal
from centrode.parts.signals.signal import SignalRamp
from centrode.running import simulate
from centrode.system.builder import System

G = 9.81


def test_slider_crank_position():
    """x = r cos t + sqrt(l^2 - r^2 sin^2 t) for a crank driven at 7 rad/s through more than a turn."""
    r, length, speed = 0.2, 0.7, 7.0
    system = System(plane=True)
    crank = system.add(PlanarBody("crank", 1.0, 0.01, position=(r / 2, 0.0)))
    rod = system.add(PlanarBody("rod", 0.5, 0.02, position=(r + length / 2, 0.0)))
    slider = system.add(PlanarBody("slider", 2.0, 0.01, position=(r + length, 0.0)))
    system.add(Revolute("main", system.ground, crank, at=(0, 0)))
    system.add(Revolute("pin", crank, rod, at=(r, 0)))
    system.add(Revolute("wrist", rod, slider, at=(r + length, 0)))
    system.add(Prismatic("guide", system.ground, slider, at=(r + length, 0), axis=(1, 0)))
    system.add(Motion("drive", system.ground, crank, SignalRamp(speed), at=(0, 0)))
    run = simulate(system, duration=1.2, method="dop853", tolerance=1e-9, frames=0.1)
    angle = speed * run.time
    x = r * np.cos(angle) + np.sqrt(length**2 - r**2 * np.sin(angle) ** 2)
    # Position is fixed by the constraints alone: the projection closes them to 1e-13, so nothing else enters.
    np.testing.assert_allclose(run["slider.position"][:, 0], x, atol=1e-11)
    np.testing.assert_allclose(run["guide.displacement"], x - r - length, atol=1e-11)
    np.testing.assert_allclose(run["main.angle"], angle, atol=1e-11)  # unwrapped past one turn


def four_bar_rocker(theta, a, b, c, d):
    """Rocker angle of a four-bar (crank a, coupler b, rocker c, ground d), open branch, by the law of cosines."""
    f = np.hypot(a * np.cos(theta) - d, a * np.sin(theta))
    direction = np.arctan2(a * np.sin(theta), a * np.cos(theta) - d)
    return direction - np.arccos((c * c + f * f - b * b) / (2 * c * f))


def test_four_bar_in_space_with_redundant_rows():
    """Rocker angle by the law of cosines; four hinges in space leave three redundant rows, found at the start."""
    a, b, c, d = 0.3, 0.9, 0.7, 0.8
    theta0 = 0.4
    psi0 = float(four_bar_rocker(theta0, a, b, c, d))
    pin = np.array([a * math.cos(theta0), a * math.sin(theta0), 0.0])
    top = np.array([d + c * math.cos(psi0), c * math.sin(psi0), 0.0])
    system = System()
    z = (0, 0, 1)

    def bar(name, start, end):
        return system.add(RigidBody(name, 1.0, (0.02, 0.03, 0.04), position=tuple((start + end) / 2)))

    crank, coupler = bar("crank", np.zeros(3), pin), bar("coupler", pin, top)
    rocker = bar("rocker", top, np.array([d, 0, 0]))
    system.add(Revolute("h1", system.ground, crank, at=(0, 0, 0), axis=z))
    system.add(Revolute("h2", crank, coupler, at=tuple(pin), axis=z))
    system.add(Revolute("h3", coupler, rocker, at=tuple(top), axis=z))
    system.add(Revolute("h4", rocker, system.ground, at=(d, 0, 0), axis=z))
    system.add(Motion("drive", system.ground, crank, SignalRamp(5.0), at=(0, 0, 0), axis=z))
    run = simulate(system, duration=1.0, method="dop853", tolerance=1e-9, frames=0.05)
    psi = four_bar_rocker(theta0 + 5.0 * run.time, a, b, c, d)
    # h4 counts the ground against the rocker; the left-out rows are only as good as the rest closes them, 1e-10.
    np.testing.assert_allclose(np.unwrap(-run["h4.angle"]), np.unwrap(psi) - psi0, atol=1e-9)


def test_screw_acceleration():
    """A nut on a vertical spindle falls with a = g m / (m + J (2 pi / lead)^2): its weight also has to turn it."""
    mass, inertia, lead = 2.0, 0.05, 0.3
    system = System()
    nut = system.add(RigidBody("nut", mass, (0.1, 0.1, inertia)))
    system.add(Screw("spindle", system.ground, nut, lead, at=(0, 0, 0), axis=(0, 0, 1)))
    run = simulate(system, duration=2.0, method="dop853", tolerance=1e-10, frames=0.5)
    a = G * mass / (mass + inertia * (2 * math.pi / lead) ** 2)
    # Uniform acceleration is inside every Runge-Kutta method; the turning (10 turns) carries the tolerance.
    np.testing.assert_allclose(run["nut.position"][:, 2], -0.5 * a * run.time**2, atol=1e-8)
    np.testing.assert_allclose(run["spindle.angle"], -0.5 * a * run.time**2 * 2 * math.pi / lead, atol=2e-7)
    np.testing.assert_allclose(run["spindle.displacement"], run["nut.position"][:, 2], atol=1e-12)
    assert run["spindle.angle"][-1] < -4 * math.pi


@pytest.mark.parametrize("plane", [True, False])
def test_gear_train_with_rack(plane):
    """A falling rack turns a pinion that drives a second wheel: a = m g / (m + (J1 + i^2 J2) / r^2)."""
    m, j1, j2, r, i = 1.5, 0.02, 0.03, 0.1, -2.5
    gravity = (0.0, -G, 0.0)
    system = System(gravity=gravity, plane=plane)
    if plane:
        rack = system.add(PlanarBody("rack", m, 0.1, position=(r, 0.0)))
        pinion = system.add(PlanarBody("pinion", 1.0, j1))
        wheel = system.add(PlanarBody("wheel", 1.0, j2, position=(-0.5, 0.0)))
    else:
        rack = system.add(RigidBody("rack", m, (0.1, 0.1, 0.1), position=(r, 0.0, 0.0)))
        pinion = system.add(RigidBody("pinion", 1.0, (0.1, 0.1, j1)))
        wheel = system.add(RigidBody("wheel", 1.0, (0.1, 0.1, j2), position=(-0.5, 0.0, 0.0)))
    system.add(Prismatic("slide", system.ground, rack, at=(r, 0, 0), axis=(0, 1, 0)))
    system.add(Revolute("bearing1", system.ground, pinion, at=(0, 0, 0)))
    system.add(Revolute("bearing2", system.ground, wheel, at=(-0.5, 0, 0)))
    # The teeth meet at r (u x n) = r x for a rack along u = y and an axis n = z: turning about +z lifts the rack.
    system.add(RackAndPinion("teeth", pinion, rack, r, (0, 1, 0)))
    system.add(Gear("pair", pinion, wheel, i))
    run = simulate(system, duration=1.0, method="dop853", tolerance=1e-10, frames=0.25)
    a = m * G / (m + (j1 + i * i * j2) / r**2)
    fall = -0.5 * a * run.time**2
    np.testing.assert_allclose(run["slide.displacement"], fall, atol=1e-8)
    np.testing.assert_allclose(run["bearing1.angle"], fall / r, atol=1e-7)
    np.testing.assert_allclose(run["bearing2.angle"], i * fall / r, atol=3e-7)
    assert abs(run["bearing2.angle"][-1]) > 2 * math.pi  # past a turn: unwrapped


def test_pinion_rolls_on_a_fixed_rack():
    """A wheel on a slope rolls with a = g sin(slope) / (1 + J / (m r^2)), a rack on the ground below it."""
    m, inertia, r, slope = 2.0, 0.03, 0.2, 0.3
    down = (math.cos(slope), -math.sin(slope))
    normal = np.array([math.sin(slope), math.cos(slope)])
    system = System(plane=True)
    wheel = system.add(PlanarBody("wheel", m, inertia, position=tuple(r * normal)))
    system.add(PointOnLine("height", system.ground, wheel, at=tuple(r * normal), axis=down))
    system.add(RackAndPinion("teeth", wheel, system.ground, r, down, point_a=(0, 0)))
    run = simulate(system, duration=1.0, method="dop853", tolerance=1e-10, frames=0.25)
    travelled = 0.5 * G * math.sin(slope) / (1 + inertia / (m * r * r)) * run.time**2
    np.testing.assert_allclose(run["height.displacement"], travelled, atol=1e-9)
    np.testing.assert_allclose(run["wheel.angle"], -travelled / r, atol=1e-8)  # clockwise when it rolls to the right


def test_cardan_shaft():
    """Hooke's joint: tan(out) = cos(bend) tan(in) for an input yoke that starts normal to the plane of both shafts."""
    bend = 0.5
    out_axis = (math.cos(bend), math.sin(bend), 0.0)
    system = System(gravity=(0, 0, 0))
    first = system.add(RigidBody("first", 1.0, (0.1, 0.2, 0.2)))
    second = system.add(RigidBody("second", 1.0, (0.1, 0.2, 0.2)))
    system.add(Revolute("in", system.ground, first, at=(0, 0, 0), axis=(1, 0, 0)))
    system.add(Revolute("out", system.ground, second, at=(0, 0, 0), axis=out_axis))
    # At the start the cross axis of the input yoke is normal to the plane of both shafts.
    second_axis = (-math.sin(bend), math.cos(bend), 0.0)
    system.add(Universal("cross", first, second, at=(0, 0, 0), axis=(0, 0, 1), cross_axis=second_axis))
    system.add(Motion("drive", system.ground, first, SignalRamp(3.0), at=(0, 0, 0), axis=(1, 0, 0)))
    run = simulate(system, duration=3.0, method="dop853", tolerance=1e-9, frames=0.1)
    # Yoke axis of the first shaft turned by t: (0, -sin t, cos t). That of the second turned by s about its shaft:
    # (-sin(bend) cos s, cos(bend) cos s, sin s). Perpendicular: cos t sin s = sin t cos(bend) cos s.
    t = 3.0 * run.time
    expected = np.arctan2(np.sin(t) * math.cos(bend), np.cos(t))
    out = run["out.angle"]
    assert np.abs(np.angle(np.exp(1j * (out - expected)))).max() < 1e-10  # closed by the projection, not integrated
    assert out[-1] > 2 * math.pi


@pytest.mark.parametrize("plane", [True, False])
def test_chaplygin_sleigh(plane):
    """Blade at distance a behind the centre of mass; no forces. With k^2 = J/m + a^2 and C the (constant) speed scale

        u = C tanh(t'),  w = (C / k) sech(t'),  t' = a C t / k^2 + t0

    (u along the blade, w turning): the sleigh ends up going straight, pulled by its mass. Chaplygin (1911).
    """
    mass, inertia, a = 2.0, 0.3, 0.25
    k2 = inertia / mass + a * a
    scale, shift = 1.7, -0.6
    start = shift
    u0, w0 = scale * math.tanh(start), scale / math.sqrt(k2) / math.cosh(start)
    system = System(gravity=(0, 0, 0), plane=plane)
    if plane:
        sleigh = system.add(PlanarBody("sleigh", mass, inertia, velocity=(u0, 0), omega=w0, centre_of_mass=(a, 0)))
        system.add(KnifeEdge("blade", system.ground, sleigh, at=(0, 0)))
    else:
        sleigh = system.add(
            RigidBody(
                "sleigh",
                mass,
                (0.2, 0.25, inertia),
                velocity=(u0, 0, 0),
                omega=(0, 0, w0),
                centre_of_mass=(a, 0, 0),
            )
        )
        system.add(Planar("ice", system.ground, sleigh, at=(0, 0, 0)))
        system.add(KnifeEdge("blade", system.ground, sleigh, at=(0, 0, 0)))
    run = simulate(system, duration=3.0, method="dop853", tolerance=1e-11, frames=0.25)
    phase = start + a * scale / k2 * run.time
    velocity = run["sleigh.velocity"]
    omega = run["sleigh.omega"] if plane else run["sleigh.omega"][:, 2]
    np.testing.assert_allclose(omega, scale / math.sqrt(k2) / np.cosh(phase), atol=1e-8)
    np.testing.assert_allclose(np.hypot(*velocity[:, :2].T), np.abs(scale * np.tanh(phase)), atol=1e-8)
    if plane:
        heading = np.stack([np.cos(run["sleigh.angle"]), np.sin(run["sleigh.angle"])], axis=1)
        np.testing.assert_allclose(np.sum(velocity * heading, axis=1), scale * np.tanh(phase), atol=1e-8)


def test_rod_pendulum_tension():
    """Mass on a rod through the lowest point from the horizontal: tension 3 m g, as the joint's force on the mass."""
    system = System(plane=True)
    mass = system.add(PlanarBody("mass", 2.0, position=(1.0, 0.0)))
    system.add(Rod("rod", system.ground, mass))
    # Quarter of the period from 90 degrees: K(1/sqrt 2) sqrt(l / g).
    quarter = 1.8540746773013719 / math.sqrt(G)
    run = simulate(system, duration=quarter, method="dop853", tolerance=1e-11, frames=quarter / 4)
    np.testing.assert_allclose(run["mass.position"][-1], (0.0, -1.0), atol=1e-8)
    np.testing.assert_allclose(run["rod.force"][-1], (0.0, 3.0 * 2.0 * G, 0.0), atol=1e-6)


@pytest.mark.parametrize("plane", [True, False])
def test_two_welded_bodies_are_one(plane):
    """Two welded bodies swing as one compound pendulum: its energy integral with the inertia by Steiner's theorem."""
    system = System(plane=plane, gravity=(0.0, -G, 0.0))
    if plane:
        a = system.add(PlanarBody("a", 1.0, 0.1, position=(0.5, 0.0)))
        b = system.add(PlanarBody("b", 2.0, 0.2, position=(1.5, 0.3)))
    else:
        a = system.add(RigidBody("a", 1.0, (0.1, 0.1, 0.1), position=(0.5, 0.0, 0.0)))
        b = system.add(RigidBody("b", 2.0, (0.2, 0.2, 0.2), position=(1.5, 0.3, 0.0)))
    system.add(Revolute("hinge", system.ground, a, at=(0, 0, 0)))
    system.add(Fixed("weld", a, b))
    run = simulate(system, duration=1.0, method="dop853", tolerance=1e-11, frames=0.1)
    inertia = 0.1 + 1.0 * 0.25 + 0.2 + 2.0 * (1.5**2 + 0.3**2)
    angle = run["hinge.angle"]
    height = 1.0 * 0.5 * np.sin(angle) + 2.0 * (1.5 * np.sin(angle) + 0.3 * np.cos(angle))
    omega = run["a.omega"] if plane else run["a.omega"][:, 2]
    np.testing.assert_allclose(0.5 * inertia * omega**2 + G * (height - height[0]), 0.0, atol=1e-8)
    assert angle.min() < -1.5


def rope_swing(length, position, velocity, restitution=0.0):
    system = System(plane=True)
    mass = system.add(PlanarBody("mass", 2.0, position=position, velocity=velocity))
    system.add(Rope("rope", system.ground, mass, length, restitution=restitution))
    return system


@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_rope_catches_a_falling_mass(restitution):
    """Free fall beside the pivot until x^2 + (g t^2 / 2)^2 = L^2; the speed along the rope changes by the factor -e."""
    length, x = 2.0, 1.2
    run = simulate(
        rope_swing(length, (x, 0.0), (0.0, 0.0), restitution), duration=0.75, method="dop853", tolerance=1e-10
    )
    drop = math.sqrt(length**2 - x**2)
    event = run.events[0]
    assert event.kind == "rope taut"
    assert event.time == pytest.approx(math.sqrt(2 * drop / G), abs=1e-9)
    along = math.sqrt(2 * G * drop) * drop / length
    assert event.values["stretching_speed"] == pytest.approx(along, rel=1e-8)
    assert abs(event.values["impulse"]) == pytest.approx(2.0 * along * (1 + restitution), rel=1e-8)
    assert event.values["energy_lost"] == pytest.approx(along**2 * (1 - restitution**2), rel=1e-7)
    assert run["rope.distance"].max() < length + 1e-9
    if restitution == 0.0:
        after = run.time > event.time
        energy = run["energy.total"][after]
        np.testing.assert_allclose(energy, energy[0], atol=1e-7)
        np.testing.assert_allclose(run["rope.distance"][after], length, atol=1e-11)


def test_swing_leaves_its_circle_where_the_tension_ends():
    """From the bottom with v0^2 between 2 g L and 5 g L a rope goes slack at the height (v0^2 - 2 g L) / (3 g).

    Then the mass flies a parabola. Tension passes zero at a finite rate, so the event is as sharp as the run: 1e-7.
    """
    length, speed = 1.5, 8.0
    height = (speed**2 - 2 * G * length) / (3 * G)
    assert 0 < height < length
    run = simulate(rope_swing(length, (0.0, -length), (speed, 0.0)), duration=1.2, method="dop853", tolerance=1e-10)
    event = next(event for event in run.events if event.kind == "rope slack")
    x0 = math.sqrt(length**2 - height**2)
    v = math.sqrt(G * height)  # at the end of the tension m v^2 / L = m g height / L
    flying = (run.time > event.time) & (run["rope.taut"] == 0.0)
    t = run.time[flying] - event.time
    np.testing.assert_allclose(run["mass.position"][flying][:, 0], x0 - v * height / length * t, atol=1e-7)
    np.testing.assert_allclose(
        run["mass.position"][flying][:, 1], height + v * x0 / length * t - 0.5 * G * t * t, atol=1e-7
    )
    assert flying.sum() > 10


@pytest.mark.parametrize("plane", [True, False])
def test_lock_by_a_change_and_free_again(plane):
    """A turning arm is locked at 0.2 s and freed at 0.6 s; it stays where it was caught and then falls from rest."""
    system = System(plane=plane, gravity=(0.0, -G, 0.0))
    if plane:
        body = system.add(PlanarBody("arm", 1.0, 0.1, position=(0.5, 0.0), omega=2.0, velocity=(0.0, 1.0)))
    else:
        body = system.add(
            RigidBody("arm", 1.0, (0.1, 0.1, 0.1), position=(0.5, 0, 0), omega=(0, 0, 2.0), velocity=(0, 1.0, 0))
        )
    hinge = system.add(Revolute("hinge", system.ground, body, at=(0, 0, 0), lockable=True))
    system.change(0.2, hinge, locked=True)
    system.change(0.6, hinge, locked=False)
    run = simulate(system, duration=0.7, method="dop853", tolerance=1e-10, frames=0.05)
    angle, time = run["hinge.angle"], run.time
    held = (time > 0.21) & (time < 0.61)
    caught = angle[held][0]
    np.testing.assert_allclose(angle[held], caught, atol=1e-12)
    assert abs(caught) > 0.05
    np.testing.assert_allclose(run["hinge.torque"][held][:-1, 2], 0.5 * G * math.cos(caught), atol=1e-9)
    # Freed from rest: energy from the held position, one-dimensional.
    last = -1
    omega = run["arm.omega"][last] if plane else run["arm.omega"][last, 2]
    gained = G * 0.5 * (math.sin(caught) - math.sin(angle[last]))
    assert 0.5 * (0.1 + 0.25) * omega**2 == pytest.approx(gained, abs=1e-8)
    assert abs(omega) > 0.5


@pytest.mark.parametrize("method", ["dop853", "rk4-projected"])
def test_bounces_of_a_rope_come_to_an_end(method):
    """Impacts at t1, t1 + 2 e t1, ...: all bounces are over at t1 (1 + 2 e / (1 - e)); then the mass hangs at rest."""
    run = simulate(
        rope_swing(2.0, (0.0, -1.5), (0.0, 0.0), 0.5),
        duration=1.5,
        method=method,
        step=0.01 if method[0] == "r" else None,
    )
    first = math.sqrt(2 * 0.5 / G)
    times = [event.time for event in run.events if event.kind == "rope taut"]
    expected = [first * (1 + 2 * sum(0.5**k for k in range(1, n + 1))) for n in range(len(times))]
    np.testing.assert_allclose(times, expected, atol=1e-7)
    assert 15 < len(times) < 25
    np.testing.assert_allclose(run["mass.position"][-1], (0.0, -2.0), atol=1e-12)
    np.testing.assert_allclose(run["rope.force"][-1], (0.0, 2.0 * G, 0.0), atol=1e-9)
