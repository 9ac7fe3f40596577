"""Collisions through the whole engine: reference hit, momentum, energy, closed forms, resuming inside a hit."""

from __future__ import annotations

import math

import numpy as np
import pytest

from centrode.dynamics.evaluate import rates_again
from centrode.jit import JIT_ON
from centrode.math.rotation import frame_from_axis
from centrode.parts.bodies.pseudo_rigid import PseudoRigidBody
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.contact_laws.crush_width import CrushWidth
from centrode.parts.contact_laws.hunt_crossley import HuntCrossley
from centrode.parts.contact_laws.linear import LinearContact
from centrode.parts.contact_laws.measured import MeasuredRestitution
from centrode.parts.contact_laws.restitution import Restitution
from centrode.parts.outlines.box import OutlineBox
from centrode.parts.outlines.plane import OutlinePlane
from centrode.parts.outlines.sphere import OutlineSphere
from centrode.parts.outlines.superellipsoid import OutlineSuperellipsoid
from centrode.running import Session, resolve_settings, simulate
from centrode.system.builder import System
from centrode.system.settings import RunSettings

pytestmark = pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")

MASS, INERTIA = 1573.0, (479.6, 2594.6, 2782.0)


def two_cars(law, offset=0.0, ratio=1.0, speeds=(22.0, 20.0), gap=0.002, rigid=False) -> System:
    """Two free cars (no tyres, no gravity) of the report's model 1, the second ``ratio`` times as heavy."""
    system = System(gravity=(0, 0, 0))
    for name, x, y, speed, factor in (("one", 0, 0, speeds[0], 1.0), ("two", 4 + gap, offset, speeds[1], ratio)):
        kind = RigidBody if rigid else PseudoRigidBody
        inertia = tuple(factor * moment for moment in INERTIA)
        system.add(kind(name, mass=factor * MASS, inertia=inertia, position=(x, y, 0), velocity=(speed, 0, 0)))
        system.add(OutlineSuperellipsoid(f"{name}-shell", body=name, semi_axes=(2.0, 0.8, 0.65)))
    system.add(law)
    return system


def momenta(session: Session) -> tuple[np.ndarray, np.ndarray]:
    """Linear and angular momentum of a session of pseudo-rigid bodies."""
    linear, angular = np.zeros(3), np.zeros(3)
    for slot, row in enumerate(session.model.body_rows):
        pose, velocity = session.workspace["pose"][slot], session.workspace["velocity"][slot]
        weights = [row.mass, *row.data[4:7]]
        for k, weight in enumerate(weights):
            angular += weight * np.cross(pose[3 * k : 3 * k + 3], velocity[3 * k : 3 * k + 3])
        linear += row.mass * velocity[:3]
    return linear, angular


@pytest.mark.parametrize(
    ("stiffness", "duration", "peak", "restitution", "vibration"),
    [(1e6, 89.45368e-3, 55375.06, 0.99993193, 0.107), (1e7, 31.54235e-3, 153128.93, 0.95541021, 68.576)],
)
def test_reference_collision_through_the_engine(stiffness, duration, peak, restitution, vibration):
    run = simulate(
        two_cars(LinearContact("spring", stiffness=stiffness)),
        duration=0.12,
        method="rk4-projected",
        step=1e-4,
        frames=0.01,
    )
    hit = run.collisions[0]
    # Located events leave the order 4 of the method; the reference is good to 6e-8 relative and its printed digits. The
    # peak comes from a parabola through samples 1e-4 s apart, of a pulse with corners at 300 rad/s: 1e-7.
    assert hit.duration == pytest.approx(duration, rel=2e-7)
    assert hit.peak_force == pytest.approx(peak, rel=2e-7)
    assert hit.restitution == pytest.approx(restitution, abs=1e-8)
    assert hit.vehicles[0].vibration == pytest.approx(vibration, abs=1e-3)
    # the impulse is integrated by the method itself: it is the change of momentum
    assert hit.vehicles[1].delta_v[0] == pytest.approx(run["two.velocity.x"][-1] - 20.0, abs=1e-11)


@pytest.mark.parametrize("method", ["rk4-projected", "rattle"])
@pytest.mark.parametrize("law", [LinearContact("law"), CrushWidth("law", friction=0.4)], ids=["spring", "crush"])
def test_momentum_is_kept_to_round_off_for_unequal_masses(method, law):
    system = two_cars(law, offset=0.4, ratio=2.0)
    session = Session(system, RunSettings(duration=0.3, method=method, step=1e-4, audit=False))
    linear, angular = momenta(session)
    session.advance(np.array([0.3]))
    after_linear, after_angular = momenta(session)
    assert session.workspace["velocity"][0, 0] < 21.9  # they have met
    scale = np.abs(linear).max()
    assert np.abs(after_linear - linear).max() < 1e-12 * scale
    # moments are taken about the origin: momentum times the way of some 6 m is the size of the terms
    assert np.abs(after_angular - angular).max() < 1e-12 * scale * 6.0


@pytest.mark.parametrize(
    "law",
    [
        HuntCrossley("law", damping=0.3, friction=0.5),
        CrushWidth("law", friction=0.5),
        MeasuredRestitution("law", friction=0.5),
    ],
    ids=["hunt-crossley", "crush", "measured"],
)
def test_energy_is_never_created_and_what_is_lost_is_accounted_for(law):
    run = simulate(two_cars(law, offset=0.4), duration=0.25, method="rk4-projected", step=1e-4, frames=1e-3)
    total = run["energy.total"]
    # RK4 at 1e-4 s: each step may miss some 1e-6 J of 7e5 J around the kinks of the crush law
    assert np.diff(total).max() < 1e-3
    hit = run.collisions[0]
    lost = hit.friction_energy + hit.law_energy
    assert lost > 100.0
    assert total[0] - total[-1] == pytest.approx(lost, rel=1e-3)
    assert np.abs(run["energy.residual"]).max() < 1e-3


def test_audit_closes_with_the_order_of_the_method():
    # Order 2 for rattle: its trapezoidal work against its own motion. Smooth law, events not located.
    law = HuntCrossley("law", stiffness=1e6, damping=0.2)
    found = []
    for step in (4e-4, 2e-4, 1e-4):
        run = simulate(two_cars(law, offset=0.4), duration=0.2, method="rattle", step=step, frames=0.02)
        found.append(abs(run["energy.residual"][-1]))
    orders = [math.log2(found[k] / found[k + 1]) for k in range(2)]
    assert min(orders) > 1.7, (found, orders)


def test_convergence_of_an_oblique_hit_with_located_events_has_the_order_of_the_method():
    def end(step):
        system = System(gravity=(0, 0, 0))
        for name, x, y, speed in (("a", 0.0, 0.0, 2.0), ("b", 1.0, 0.3, -1.0)):
            system.add(RigidBody(name, mass=2.0, inertia=(0.2,) * 3, position=(x, y, 0), velocity=(speed, 0, 0)))
            system.add(OutlineSphere(f"{name}-ball", body=name, radius=0.5))
        system.add(HuntCrossley("law", stiffness=1e4, damping=0.3))
        session = Session(system, RunSettings(duration=0.1, method="rk4-projected", step=step, audit=False))
        session.advance(np.array([0.1]))
        return session.workspace["pose"][0, :3].copy()

    # Half a swing is 31 ms, and 23 ms of a spring that the damper stiffens 1 + 0.3 * 2.9 times at first touch: all have
    # the twenty steps in it below which a run takes shorter ones by itself.
    values = [end(step) for step in (1e-3, 5e-4, 2.5e-4, 1.25e-4)]
    differences = [np.abs(values[k] - values[k + 1]).max() for k in range(3)]
    # At least the order of the method: of a spring RK4 loses amplitude with h^5 only, and nothing else is left here.
    assert min(math.log2(differences[k] / differences[k + 1]) for k in range(2)) > 3.85, differences


def test_pseudo_rigid_cars_converge_to_a_nanometre_at_half_a_millisecond():
    law = HuntCrossley("law", stiffness=1e6, damping=0.2)
    ends = []
    for step in (4e-4, 1e-4):
        session = Session(
            two_cars(law, offset=0.4), RunSettings(duration=0.2, method="rk4-projected", step=step, audit=False)
        )
        session.advance(np.array([0.2]))
        ends.append(session.workspace["pose"][:, :3].copy())
    assert np.abs(ends[0] - ends[1]).max() < 1e-9


def test_collinear_delta_v_and_energy_loss():
    # dV1 = m2 (1 + e) v / (m1 + m2): 1500 and 1000 kg, 5 m/s, e = 0.3: 2.6 and 3.9 m/s, 6825 J
    system = System(gravity=(0, 0, 0))
    for name, mass, x, speed in (("a", 1500.0, 0.0, 5.0), ("b", 1000.0, 1.01, 0.0)):
        system.add(RigidBody(name, mass=mass, inertia=(100.0,) * 3, position=(x, 0, 0), velocity=(speed, 0, 0)))
        system.add(OutlineSphere(f"{name}-ball", body=name, radius=0.5))
    system.add(Restitution("law", stiffness=1e6, restitution=0.3))
    run = simulate(system, duration=0.3, method="rk4-projected", step=1e-4, frames=0.01)
    hit = run.collisions[0]
    assert hit.vehicle("a").delta_v_size == pytest.approx(2.6, abs=1e-6)
    assert hit.vehicle("b").delta_v_size == pytest.approx(3.9, abs=1e-6)
    assert hit.restitution == pytest.approx(0.3, abs=1e-6)
    assert hit.law_energy == pytest.approx(6825.0, rel=1e-6)
    assert (hit.vehicle("a").clock, hit.vehicle("b").clock) == (12, 6)


def test_elastic_hit_of_rigid_bodies_has_the_closed_form_of_a_spring():
    # duration pi sqrt(m/k), depth v sqrt(m/k), force v sqrt(m k), with the reduced mass m
    system = System(gravity=(0, 0, 0))
    for name, mass, x, speed in (("a", 2.0, 0.0, 3.0), ("b", 3.0, 1.001, -1.0)):
        system.add(RigidBody(name, mass=mass, inertia=(1.0,) * 3, position=(x, 0, 0), velocity=(speed, 0, 0)))
        system.add(OutlineSphere(f"{name}-ball", body=name, radius=0.5))
    system.add(LinearContact("law", stiffness=1e5))
    run = simulate(system, duration=0.05, method="rk4-projected", step=2e-5, frames=0.01)
    hit, m, k, v = run.collisions[0], 1.2, 1e5, 4.0
    assert hit.closing_speed == pytest.approx(v, abs=1e-12)
    assert hit.duration == pytest.approx(math.pi * math.sqrt(m / k), rel=1e-8)
    assert hit.peak_force == pytest.approx(v * math.sqrt(m * k), rel=1e-7)
    assert hit.depth == pytest.approx(v * math.sqrt(m / k), rel=1e-5)  # greatest of the steps, none at the very top
    assert hit.restitution == pytest.approx(1.0, abs=1e-8)


def test_linear_damper_lets_go_when_its_force_vanishes():
    # e = exp(-(z/w)(pi - atan2(2 z w, 1 - 2 z^2))), Schwager and Poeschel 2007
    m, k, z = 1.0, 1e5, 0.2
    w = math.sqrt(1 - z * z)
    expected = math.exp(-(z / w) * (math.pi - math.atan2(2 * z * w, 1 - 2 * z * z)))
    system = System(gravity=(0, 0, 0))
    for name, x, speed in (("a", 0.0, 1.0), ("b", 1.001, -1.0)):
        system.add(RigidBody(name, mass=2 * m, inertia=(1.0,) * 3, position=(x, 0, 0), velocity=(speed, 0, 0)))
        system.add(OutlineSphere(f"{name}-ball", body=name, radius=0.5))
    system.add(LinearContact("law", stiffness=k, damping=2 * z * math.sqrt(k * m)))
    run = simulate(system, duration=0.05, method="rk4-projected", step=1e-5, frames=0.01)
    # the force is cut inside a step (not located): first order there, 1e-5 s of some 1e-2 s
    assert run.collisions[0].restitution == pytest.approx(expected, rel=1e-3)


def test_oblique_hit_on_a_barrier_without_sliding():
    # Carpenter's worked case CF11002: 3574.2 lb, 2336.3 slug ft2, 39.9545 mph, contact (3.6209, -2.0071) ft from the
    # centre, rigid barrier, e = 0, no sliding: dV (-35.74, 7.60) mph, dOmega -176.47 deg/s.
    foot, mph = 0.3048, 0.44704
    mass, yaw = 3574.2 * 0.45359237, 2336.3 * 1.3558179483
    speed, point = 39.9545 * mph, (3.6209 * foot, -2.0071 * foot, 0.0)
    system = System(gravity=(0, 0, 0))
    system.add(RigidBody("car", mass=mass, inertia=(yaw, yaw, yaw), velocity=(speed, 0, 0)))
    radius = 1e-3
    system.add(OutlineSphere("corner", body="car", radius=radius, centre=(point[0] - radius, point[1], 0.0)))
    system.add(
        OutlinePlane("barrier", centre=(point[0] + 1e-3, 0, 0), body="ground", rotation=frame_from_axis((-1, 0, 0)))
    )
    # Hard and plastic: the contact lasts a few ms, so the arm hardly turns; friction far above what sticking needs.
    system.add(Restitution("law", stiffness=3e9, restitution=0.01, friction=20.0, slip_speed=0.05))
    run = simulate(system, duration=0.02, method="rk4-projected", step=2e-6, frames=1e-3)
    hit = run.collisions[0].vehicle("car")
    # e = 0.01 instead of 0 and a finite duration shift the figures by about 1 %
    assert hit.delta_v[0] / mph == pytest.approx(-35.74, rel=0.015)
    assert hit.delta_v[1] / mph == pytest.approx(7.60, rel=0.03)
    assert math.degrees(hit.yaw_rate_change) == pytest.approx(-176.47, rel=0.015)


@pytest.mark.parametrize("count", [3, 5])
def test_cradle_passes_its_momentum_to_the_last(count):
    system = System(gravity=(0, 0, 0))
    for k in range(count):
        speed = 1.0 if k == 0 else 0.0
        system.add(RigidBody(f"b{k}", mass=2.0, inertia=(1.0,) * 3, position=(1.01 * k, 0, 0), velocity=(speed, 0, 0)))
        system.add(OutlineSphere(f"o{k}", body=f"b{k}", radius=0.5))
    system.add(LinearContact("law", stiffness=1e7))
    run = simulate(system, duration=0.1, method="rk4-projected", step=2e-5, frames=0.01)
    speeds = [run[f"b{k}.velocity.x"][-1] for k in range(count)]
    assert speeds == pytest.approx([0.0] * (count - 1) + [1.0], abs=1e-7)
    assert [item.names for item in run.collisions] == [(f"b{k}", f"b{k + 1}") for k in range(count - 1)]


def test_touching_cradle_keeps_momentum_and_energy():
    system = System(gravity=(0, 0, 0))
    for k in range(4):
        speed = 1.0 if k == 0 else 0.0
        place = (0.0 if k == 0 else 0.01 + k, 0, 0)
        system.add(RigidBody(f"b{k}", mass=2.0, inertia=(1.0,) * 3, position=place, velocity=(speed, 0, 0)))
        system.add(OutlineSphere(f"o{k}", body=f"b{k}", radius=0.5))
    system.add(LinearContact("law", stiffness=1e6))
    run = simulate(system, duration=0.1, method="rk4-projected", step=2e-5, frames=0.01)
    speeds = np.array([run[f"b{k}.velocity.x"][-1] for k in range(4)])
    assert speeds.sum() == pytest.approx(1.0, abs=1e-13)
    assert (speeds**2).sum() == pytest.approx(1.0, abs=1e-7)
    assert speeds[-1] > 0.9


@pytest.mark.parametrize("speed", [1.0, 3.0, 5.0, 7.0])
def test_measured_law_follows_the_cipriani_curve(speed):
    run = simulate(
        two_cars(MeasuredRestitution("bumper", stiffness=1e6), speeds=(20.0 + speed, 20.0)),
        duration=0.3,
        method="rk4-projected",
        step=2e-4,
        frames=0.05,
    )
    log = math.log10(speed)
    curve = 0.47477 - 0.26139 * log + 0.03382 * log**2 - 0.11639 * log**3
    assert abs(run.collisions[0].restitution - curve) < 0.1


def test_rigid_cars_are_the_limit_of_stiff_pseudo_rigid_ones():
    law = LinearContact("law", stiffness=1e6)
    rigid = simulate(two_cars(law, offset=0.4, rigid=True), duration=0.2, method="rk4-projected", step=1e-4, frames=0.1)
    system = two_cars(law, offset=0.4)
    for name in ("one", "two"):
        part = system.parts[name]
        system.replace(type(part)(**{**part.__dict__, "young": 600e8}))
    stiff = simulate(system, duration=0.2, method="dop853", tolerance=1e-8, frames=0.1)
    # deformation falls as 1/E: 1e-5 of the 0.04 m of depth, and of the yaw
    assert stiff["two.velocity"][-1] == pytest.approx(rigid["two.velocity"][-1], abs=2e-3)
    assert rigid.collisions[0].restitution == pytest.approx(stiff.collisions[0].restitution, abs=2e-3)


@pytest.mark.parametrize("method", ["rk4-projected", "rattle"])
def test_a_run_resumed_in_the_middle_of_a_hit_ends_bit_for_bit_the_same(method):
    law = CrushWidth("law", friction=0.3)
    settings = resolve_settings(RunSettings(duration=0.2, method=method, step=1e-4), {})
    whole = Session(two_cars(law, offset=0.3), settings)
    whole.advance(np.array([0.05]))
    kept = whole.state()
    whole.advance(np.array([0.2]))
    other = Session(two_cars(law, offset=0.3), settings)
    other.restore(kept)
    other.advance(np.array([0.2]))
    assert np.array_equal(whole.workspace.values, other.workspace.values)
    ends = [[(e.time, e.kind) for e in s.new_events(at_end=True)][-1] for s in (whole, other)]
    assert ends[0] == ends[1]


def test_rates_of_other_velocities_at_one_pose_need_no_second_search():
    """rattle repeats its velocities at one pose: forces are those of a search, to what a second one refines.

    Newton ends with gaps to 1e-13 m, so forces of 1e7 N/m move by 1e-6 N and accelerations by 1e-9 m/s2 and less.
    """
    law = HuntCrossley("law", stiffness=1e7, damping=0.2, friction=0.3)
    session = Session(two_cars(law, offset=0.3), RunSettings(duration=0.1, method="rattle", step=1e-4))
    session.advance(np.array([0.01]))
    work = session.workspace
    work.evaluate(0.01)
    before, queries = work["acceleration"].copy(), work.contacts.tables.head[0].queries
    work["velocity"][:] += np.random.default_rng(4).normal(size=work["velocity"].shape)
    rates_again(0.01, False, work.address)
    assert work.contacts.tables.head[0].queries == queries
    again = work["acceleration"].copy()
    work.evaluate(0.01)
    assert work.contacts.tables.head[0].queries > queries
    np.testing.assert_allclose(again, work["acceleration"], atol=1e-9)
    assert np.abs(again - before).max() > 1.0  # damping and friction feel the velocities


def test_an_aligned_hit_does_not_turn_and_a_nanometre_moves_nothing():
    law = HuntCrossley("law", stiffness=1e7, damping=0.2, friction=0.3)
    ends = []
    for offset in (0.0, 1e-9):
        run = simulate(two_cars(law, offset=offset), duration=0.5, method="rk4-projected", step=1e-4, frames=0.1)
        ends.append(run["two.position"][-1])
    assert abs(ends[0][1]) < 1e-9
    assert np.abs(ends[1] - ends[0]).max() < 1e-6


def test_an_adaptive_method_does_not_step_over_a_thin_wall():
    # Nothing but the contact would ever shorten a step of this free flight at 60 m/s through a wall 10 cm thick.
    system = System(gravity=(0, 0, 0))
    system.add(RigidBody("ball", mass=1.0, inertia=(0.1,) * 3, position=(0, 0, 0), velocity=(60.0, 0, 0)))
    system.add(OutlineSphere("shell", body="ball", radius=0.1))
    system.add(OutlineBox("wall", body="ground", centre=(30.0, 0, 0), half_lengths=(0.05, 2.0, 2.0)))
    system.add(LinearContact("law", stiffness=1e6))
    run = simulate(system, duration=1.0, method="dop853", frames=0.5)
    assert run["ball.velocity.x"][-1] == pytest.approx(-60.0, abs=1e-4)
    # touch at 29.85 m
    assert run.collisions[0].begin == pytest.approx(29.85 / 60.0, abs=1e-9)
