"""The 6-DOF lecture's rope and its generalisations: jerk, swing, release, elastic, several ropes, a pulley."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

import centrode as ct
from centrode.errors import InputError
from centrode.parts.forces.drag import Drag
from centrode.parts.forces.path_spring import PathSpring
from centrode.parts.joints.rod import Rod
from centrode.parts.joints.rope import Rope
from centrode.vehicles.sixdof.rope import FRICTION, GRAVITY, LENGTH, MASS, lecture_rope, swing, taut_moment

PLUGINS = Path(__file__).parents[2] / "examples" / "plugins"


@pytest.fixture(scope="module")
def run():
    return ct.simulate(lecture_rope(), duration=2.5, frames=0.1, tolerance=1e-13)


def test_rope_becomes_taut_at_the_closed_form_time(run):
    time, speed = taut_moment()
    assert time == pytest.approx(0.423153479936, abs=5e-13)  # the printed digits of the closed form
    event = run.events[0]
    assert event.kind == "rope taut"
    assert abs(event.time - time) < 1e-11
    assert event.values["impulse"] == pytest.approx(MASS * speed * math.sqrt(3.0) / 2.0, abs=1e-10)
    assert event.values["kinetic_ratio"] == pytest.approx(0.25, abs=1e-12)


def test_slack_fall_is_the_closed_form(run):
    t = run.time[:5]
    rate, final = FRICTION / MASS, MASS * GRAVITY / FRICTION
    assert np.abs(run["mass.position"][:5, 2] + final * (t + np.expm1(-rate * t) / rate)).max() < 1e-12
    assert np.abs(run["mass.velocity"][:5, 2] - final * np.expm1(-rate * t)).max() < 1e-12
    assert np.all(run["rope.force"][:5] == 0.0)


def test_swing_agrees_with_the_angle_form(run):
    """Two independent forms: the engine in space with a multiplier, and the pendulum's angle alone."""
    later = run.time > 0.43
    angle, rate = swing(run.time[later]).T
    x, z = 0.5 * LENGTH + LENGTH * np.sin(angle), -LENGTH * np.cos(angle)
    assert np.abs(run["mass.position"][later][:, 0] - x).max() < 1e-10
    assert np.abs(run["mass.position"][later][:, 2] - z).max() < 1e-10
    tension = MASS * (GRAVITY * np.cos(angle) + LENGTH * rate**2)
    assert np.abs(np.linalg.norm(run["rope.force"][later], axis=1) - tension).max() < 1e-9
    assert [event.kind for event in run.events] == ["rope taut"]  # tension stays positive: never slack again
    assert np.abs(run["constraint.residual"][later]).max() < 1e-12


def test_a_rope_goes_slack_when_its_tension_would_be_negative():
    """A pendulum whirled with too little speed leaves the circle where tension m (v^2/l - g cos) vanishes."""
    system = ct.System()
    speed = math.sqrt(3.5 * 9.81)  # between 2 g l and 5 g l: leaves the circle in its upper half
    system.add(ct.RigidBody("mass", 1.0, position=(0.0, 0.0, -1.0), velocity=(speed, 0.0, 0.0)))
    system.add(Rope("rope", system.ground, "mass", point_a=(0.0, 0.0, 0.0), length=1.0))
    run = ct.simulate(system, duration=1.0, frames=0.002, tolerance=1e-12)
    event = run.events[0]
    assert "slack" in event.kind
    # Energy: v^2 = v0^2 - 2 g (1 - cos a); tension zero: v^2 = -g cos a  =>  cos a = (2 - 3.5)/3 = -1/2.
    k = int(np.searchsorted(run.time, event.time))
    assert run["mass.position"][k, 2] == pytest.approx(0.5, abs=0.02)  # a frame of 2 ms at most later, at 2.2 m/s
    assert run["mass.position"][k - 1, 2] <= 0.5 + 1e-9


def test_drift_of_the_unprojected_form_follows_the_order():
    """Index-reduced form without projection: the rope's length drifts with h^4 under RK4."""
    drifts = []
    for step in (0.02, 0.01):
        system = ct.System()
        system.add(ct.RigidBody("mass", 1.0, position=(0.6, 0.0, -0.8)))
        system.add(Drag("friction", "mass", linear=0.1))
        system.add(Rod("rod", system.ground, "mass", point_a=(0.0, 0.0, 0.0), length=1.0))
        run = ct.simulate(system, duration=5.0, frames=5.0, method="rk4", step=step)
        drifts.append(abs(run["constraint.residual"][-1]))
    assert math.log2(drifts[0] / drifts[1]) > 3.5
    assert drifts[1] < 1e-5


def test_rope_shorter_than_its_ends_are_apart_is_refused():
    system = ct.System()
    system.add(ct.RigidBody("mass", 1.0, position=(2.0, 0.0, 0.0)))
    system.add(Rope("rope", system.ground, "mass", point_a=(0.0, 0.0, 0.0), length=1.0))
    with pytest.raises(InputError, match=r"shorter than the distance of its ends at the start.*at least 2 m"):
        ct.simulate(system, duration=0.1)


def test_two_ropes_become_taut_together_and_hold_the_mass():
    system = ct.System()
    system.add(ct.RigidBody("mass", 1.0))
    for name, x in (("left", -0.6), ("right", 0.6)):
        system.add(Rope(name, system.ground, "mass", point_a=(x, 0.0, 0.0), length=1.0))
    run = ct.simulate(system, duration=1.0, frames=0.05, tolerance=1e-12)
    taut = [event for event in run.events if event.kind == "rope taut"]
    assert {event.subject for event in taut} == {"left", "right"}
    # Both reach their length at z = -0.8 after free fall; held by both in the plane x-z, the mass stops there.
    assert taut[0].time == pytest.approx(math.sqrt(1.6 / 9.81), abs=1e-10)
    assert run["mass.position"][-1, 2] == pytest.approx(-0.8, abs=1e-9)
    assert abs(run["mass.velocity"][-1, 2]) < 1e-9
    # Each carries m g / (2 cos), cos = 0.8.
    assert np.linalg.norm(run["left.force"][-1]) == pytest.approx(9.81 / 1.6, abs=1e-8)


def test_elastic_rope_pulls_and_never_pushes():
    """Fall onto an elastic rope: free until its length, then a half-swing with w = sqrt(k/m) about the static sag."""
    stiffness, length = 400.0, 0.5
    system = ct.System()
    system.add(ct.RigidBody("mass", 1.0))
    system.add(PathSpring("bungee", (system.ground, "mass"), stiffness=stiffness, length=length, tension_only=True))
    run = ct.simulate(system, duration=0.45, frames=0.005, tolerance=1e-12)
    depth = -run["mass.position"][:, 2]
    free = depth < length
    first = int(np.argmax(~free))
    assert np.abs(depth[:first] - 0.5 * 9.81 * run.time[:first] ** 2).max() < 1e-11
    sag = 9.81 / stiffness
    lowest = length + sag + math.sqrt(sag**2 + 2.0 * 9.81 * length / stiffness)  # from energy
    assert depth.max() == pytest.approx(lowest, abs=9.81 * 0.0025**2 * 40)  # frames 5 ms apart at acceleration k x/m
    assert np.abs(run["energy.residual"]).max() < 1e-9


def test_rope_over_a_pulley_lifts_the_lighter_mass():
    """Stiff rope through a point on the ground: Atwood's machine, a = g (m2 - m1)/(m2 + m1) on average."""
    system = ct.System()
    system.add(ct.RigidBody("light", 1.0, position=(-0.1, 0.0, -1.0)))
    system.add(ct.RigidBody("heavy", 3.0, position=(0.1, 0.0, -1.0)))
    system.add(
        PathSpring(
            "rope",
            ("light", system.ground, system.ground, "heavy"),
            places=((0, 0, 0), (-0.1, 0, 0), (0.1, 0, 0), (0, 0, 0)),
            stiffness=1e6,
            damping=2e3,
            tension_only=True,
        )
    )
    run = ct.simulate(system, duration=0.4, frames=0.1, tolerance=1e-10)
    fallen = -1.0 - run["heavy.position"][-1, 2]
    stretch = 2.0 * 1.0 * 3.0 * 9.81 / 4.0 / 1e6  # T/k
    assert fallen == pytest.approx(0.5 * 9.81 * 0.5 * 0.4**2, abs=10 * stretch)
    assert run["light.position"][-1, 2] + 1.0 == pytest.approx(fallen, abs=2 * stretch)


@pytest.fixture
def bead():
    sys.path.insert(0, str(PLUGINS))
    from bead_on_ellipsoid import BeadOnEllipsoid

    yield BeadOnEllipsoid
    sys.path.remove(str(PLUGINS))


def bead_run(joint):
    system = ct.System()
    system.add(ct.RigidBody("m", 1.0, position=(0.6, 0.0, -0.8), velocity=(0.0, 1.0, 0.0)))
    system.add(joint(system))
    return ct.simulate(system, duration=3.0, frames=0.1, tolerance=1e-12)


def test_a_users_own_constraint_on_a_sphere_is_the_spherical_pendulum(bead):
    own = bead_run(lambda s: bead("j", s.ground, "m", point_a=(0, 0, 0), point_b=(0, 0, 0)))
    rod = bead_run(lambda s: Rod("j", s.ground, "m", point_a=(0, 0, 0), length=1.0))
    assert np.abs(own["m.position"] - rod["m.position"]).max() < 1e-10
    assert np.abs(own["j.force"] - rod["j.force"]).max() < 1e-9


def test_a_users_own_constraint_on_an_ellipsoid_keeps_energy_and_surface(bead):
    run = bead_run(lambda s: bead("j", s.ground, "m", point_a=(0, 0, 0), point_b=(0, 0, 0), semi_axes=(1.0, 1.5, 1.0)))
    assert np.abs(run["energy.total"] - run["energy.total"][0]).max() < 1e-10
    surface = np.sum((run["m.position"] / [1.0, 1.5, 1.0]) ** 2, axis=1) - 1.0
    assert np.abs(surface).max() < 1e-12
