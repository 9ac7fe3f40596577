"""Kernels and small functions against closed forms, quick enough to run as Python.

Long runs hold these too; here each stands alone, so that a fault in one is noticed without machine code (the mutation
run plants such faults).
"""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
from contact_queries import flat_depth, rectangle

import centrode as ct
from centrode.dynamics.assembly import COMPLIANT_KAPPA, COMPLIANT_ZETA, set_compliance
from centrode.dynamics.control import Control
from centrode.dynamics.workspace import Workspace
from centrode.parts.bodies.pseudo_rigid import distance
from centrode.parts.contact_laws.contact_law import ACTIVE, DEEPEST, DISSIPATED, MEMORY, PERMANENT
from centrode.parts.controllers.autopilot import MarineMotion
from centrode.parts.forces.foil_section import flow_angle
from centrode.parts.roads.road_surface import sharpest_crease, surface_point
from centrode.parts.signals.signal import pack_signal, signal_at
from centrode.parts.tyres.magic_formula_law import NAMES, digressive
from centrode.system.model import build_model

HARMONIC = {"kind": "harmonic", "amplitude": 1.7, "frequency": 0.8, "phase": 0.4}


@pytest.mark.parametrize("x", [*np.linspace(-0.12499, 0.12499, 41), -0.3, 0.7])
@pytest.mark.parametrize("along", [1.0, 3.7])
def test_the_angle_of_a_flow_is_the_arc_tangent_to_the_last_digit(x: float, along: float) -> None:
    assert flow_angle(x * along, along) == pytest.approx(math.atan2(x * along, along), abs=3e-17, rel=3e-16)


def test_rates_of_signals_are_their_derivatives() -> None:
    harmonic = np.array(pack_signal(HARMONIC))
    time, h = 0.37, 1e-5
    value, rate, acceleration = signal_at(harmonic, 0, time)
    ahead, behind = signal_at(harmonic, 0, time + h), signal_at(harmonic, 0, time - h)
    assert rate == pytest.approx((ahead[0] - behind[0]) / (2 * h), rel=1e-7)
    assert acceleration == pytest.approx((ahead[1] - behind[1]) / (2 * h), rel=1e-7)
    assert abs(rate) > 1.0


def hung(**joint: float) -> Workspace:
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.RigidBody("bob", 2.0, (0.4, 0.5, 0.6)))
    system.add(ct.Ball("pivot", "ground", "bob", at=(0.0, 0.0, 0.0), compliant=True, **joint))
    return Workspace(build_model(system))


def test_a_compliant_joint_takes_its_stiffness_from_the_mass_and_the_step() -> None:
    workspace, step = hung(), 1e-3
    set_compliance(workspace, 0.0, step)
    stiffness = COMPLIANT_KAPPA * 2.0 / step**2
    expected = [stiffness, 2.0 * COMPLIANT_ZETA * math.sqrt(stiffness * 2.0)]
    assert workspace["compliance"][0, :3] == pytest.approx(np.array([expected] * 3), rel=1e-12)


def test_a_compliant_joint_pushes_back_with_its_stiffness_and_damping() -> None:
    workspace = hung(stiffness=50.0, damping=3.0)
    set_compliance(workspace, 0.0, 1e-3)
    workspace["pose"][0, :3] = 0.1, -0.2, 0.3
    workspace["velocity"][0, :3] = 0.5, 0.0, -1.0
    assert workspace.evaluate(0.0) == 1.0  # no exact row, nothing near singular
    push = -50.0 * np.array([0.1, -0.2, 0.3]) - 3.0 * np.array([0.5, 0.0, -1.0])
    assert workspace["acceleration"][0, :3] == pytest.approx(push / 2.0, rel=1e-12)


def test_the_next_sample_is_that_of_the_controller_due_first() -> None:
    system = ct.System()
    system.add(ct.RigidBody("a", 1.0, (1.0, 1.0, 1.0)))
    for name, period in (("slow", 0.5), ("fast", 0.2)):
        system.add(ct.Thruster(f"{name}-push", "a", command=0.0))
        system.add(ct.Pid(name, inputs=f"{name}-push", measure="a.position.x", kp=1.0, period=period))
    model = build_model(system)
    control = Control(model, Workspace(model))
    assert control.next_time == 0.0
    control.sample(0.0)
    assert control.next_time == pytest.approx(0.2)


def test_bodies_with_full_mass_do_not_see_each_other_and_forget_what_they_weighed() -> None:
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    for k, name in enumerate(("one", "two")):
        matrix = np.diag([2.0, 3.0, 4.0, 0.5, 0.6, 0.7])
        matrix[1, 5] = matrix[5, 1] = 0.2
        speed = (0.3 + k, -0.2, 0.1)
        system.add(ct.FullMassBody(name, matrix, position=(3.0 * k, 0, 0), velocity=speed, omega=(0.1, 0.2 + k, 0.3)))
        system.add(ct.Point(f"{name}-tip", name, (0.0, 1.0, 0.0), sensor=True))
    workspace = Workspace(build_model(system))
    workspace.evaluate(0.0)
    first = workspace["acceleration"].copy()
    for k in range(2):
        marker = workspace.model.sensors[("one-tip", "two-tip")[k]]
        velocity = np.array((0.3 + k, -0.2, 0.1)) + np.cross((0.1, 0.2 + k, 0.3), (0.0, 1.0, 0.0))
        assert workspace["markers"][marker, 3:6] == pytest.approx(velocity, abs=1e-14)
    workspace.evaluate(0.0)
    assert workspace["acceleration"] == pytest.approx(first, abs=1e-14)
    assert np.abs(first).max() > 0.05


@pytest.mark.parametrize("down", [1.0, -1.0])
def test_marine_motion_in_either_world(down: float) -> None:
    heading, pitch, roll = 0.7, -0.3, 0.4
    cz, sz, cy, sy, cx, sx = (f(a) for a in (heading, pitch, roll) for f in (math.cos, math.sin))
    ned = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]]) @ [[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]]
    ned = ned @ [[1, 0, 0], [0, cx, -sx], [0, sx, cx]]
    flip = np.diag([1.0, down, down])
    view = SimpleNamespace(
        model=SimpleNamespace(gravity=(0.0, 0.0, 9.81 * down)),
        rotation=lambda body: flip @ ned,
        position=lambda body: flip @ (5.0, 6.0, 7.0),
        omega=lambda body: np.array([0.1, 0.2, 0.3]),
        velocity=lambda body: flip @ ned @ (2.0, 0.5, 0.1),
    )
    motion = MarineMotion.measured(view, "hull")
    assert (motion.north, motion.east, motion.depth) == pytest.approx((5.0, 6.0, 7.0))
    assert (motion.heading, motion.pitch, motion.roll) == pytest.approx((heading, pitch, roll))
    assert (motion.u, motion.p, motion.q, motion.r, motion.sign) == pytest.approx((2.0, 0.1, 0.2, 0.3, down))


def test_crush_books_what_its_curve_does_not_give_back() -> None:
    law = ct.CrushWidth("law", a=4e4, b=4e5, width=1.5, stiffness=5e6)
    par, memory = law.pack(), np.zeros(MEMORY)
    begin, force, advance = type(law).kernels()
    begin(par, memory, 5.0, 500.0, 1.0, 1.0)
    onset, slope, k = 4e4 * 1.5, 4e5 * 1.5, 5e6
    for depth in (0.01, 0.05, 0.3, 0.2):
        advance(par, memory, depth, 1.0, 1e-3)
    d, ramp = 0.3, onset / k
    top = onset + slope * (d - ramp)
    work = 0.5 * onset * ramp + 0.5 * (onset + top) * (d - ramp)
    assert memory[DISSIPATED] == pytest.approx(work - 0.5 * top * top / k, rel=1e-12)
    assert memory[PERMANENT] == pytest.approx(d - top / k, rel=1e-12)
    assert force(par, memory, d, 1.0, 0.0)[0] == pytest.approx(top, rel=1e-12)


def test_a_new_side_begins_without_the_dents_of_the_old_one() -> None:
    law = ct.LinearContact("law", stiffness=1e5)
    par, memory = law.pack(), np.zeros(MEMORY)
    begin, _, advance = type(law).kernels()
    begin(par, memory, 5.0, 500.0, 1.0, 1.0)
    advance(par, memory, 0.2, 1.0, 1e-3)
    assert memory[DEEPEST] == 0.2
    memory[ACTIVE] = 0.0
    begin(par, memory, 5.0, 500.0, 1.0, 1.0)
    assert memory[DEEPEST] == 0.2  # the same side: its dent counts
    memory[ACTIVE] = 0.0
    begin(par, memory, 5.0, 500.0, 1.0, 2.0)
    assert memory[DEEPEST] == 0.0


def test_a_rolling_tyre_with_a_shift_pulls_by_the_shift() -> None:
    coefficients = {"FNOMIN": 4e3, "UNLOADED_RADIUS": 0.32, "PCX1": 1.6, "PDX1": 1.1, "PKX1": 22.0, "PCY1": 1.3}
    coefficients |= {"PDY1": 1.0, "PKY1": -20.0, "PKY2": 1.8, "PVX1": 0.01, "PVX2": 0.02, "LMUX": 0.7, "LVX": 1.2}
    tyre = ct.TyreMagicFormula("tyre", coefficients=coefficients)
    load, change = 5e3, 0.25
    ahead = tyre.forces(load, speed=20.0)[0]
    assert ahead == pytest.approx(load * (0.01 + 0.02 * change) * 1.2 * digressive(0.7), rel=1e-12)
    assert digressive(0.7) == pytest.approx(7.0 / 7.3)


TYRE = {"FNOMIN": 4e3, "UNLOADED_RADIUS": 0.32, "PCX1": 1.6, "PDX1": 1.1, "PKX1": 22.0} | {
    "PCY1": 1.3, "PDY1": 1.0, "PKY1": -20.0, "PKY2": 1.8, "RBX1": 1e-3,
}  # fmt: skip
# RBX1 without RCX1: weights of 1 in combined slip; with no coefficient of it at all the friction ellipse would act.


def test_a_limited_tyre_stays_within_its_ellipse_of_friction() -> None:
    free = ct.TyreMagicFormula("tyre", coefficients=TYRE, limited=False)
    bound = ct.TyreMagicFormula("tyre", coefficients=TYRE, limited=True)
    for slip, angle in ((0.3, 0.2), (-0.5, 0.4), (0.15, -0.12)):
        x, y, _ = free.forces(4e3, angle, slip, speed=20.0)
        assert math.hypot(x / (1.1 * 4e3), y / (1.0 * 4e3)) > 1.05
        x, y, _ = bound.forces(4e3, angle, slip, speed=20.0)
        assert math.hypot(x / (1.1 * 4e3), y / (1.0 * 4e3)) == pytest.approx(1.0, rel=1e-9)


def test_angles_of_a_tyre_end_short_of_a_quarter_turn() -> None:
    row = ct.TyreMagicFormula("tyre", coefficients=TYRE | {"ALPMIN": -3.0, "ALPMAX": 3.0}).pack()
    assert row[NAMES.index("ALPMAX")] == 1.5706 and row[NAMES.index("ALPMIN")] == -1.5706


def test_a_plane_has_no_crease() -> None:
    worst, where = sharpest_crease(ct.RoadPlane("plane").shared_table())
    assert worst == 0.0 and math.isnan(where)


def test_distance_is_the_sum_over_all_components() -> None:
    assert distance((1.0, 2.0, 3.0), (0.5, 4.0, -1.0)) == 6.5


def test_lines_beside_a_bend_are_curved_by_their_own_radius() -> None:
    turns = np.linspace(0.0, 1.5, 31)
    road = ct.RoadSpline("bend", points=[(50.0 * math.sin(a), 50.0 * (1.0 - math.cos(a)), 0.0) for a in turns])
    middle = 0.5 * 50.0 * 1.5
    for offset in (-20.0, 0.0, 20.0):
        assert surface_point(road, middle, offset).curvature == pytest.approx(1.0 / (50.0 - offset), rel=1e-3)


def test_a_ball_that_bounces_twice_has_two_pulses_of_their_own() -> None:
    mass, stiffness, gravity, speed, slide = 2.0, 2e4, 100.0, 2.0, 0.3
    system = ct.System(gravity=(0.0, 0.0, -gravity))
    system.add(ct.RigidBody("ball", mass, (0.1, 0.1, 0.1), position=(0, 0, 0.5), velocity=(slide, 0, -speed)))
    system.add(ct.OutlineSphere("skin", body="ball", radius=0.5))
    system.add(ct.OutlinePlane("floor", body="ground"))
    system.add(ct.LinearContact("law", stiffness=stiffness))
    run = ct.simulate(system, duration=0.13, method="rk4", step=1e-3, frames=0.065)
    first, second = run.events.of("collision")
    sag = mass * gravity / stiffness
    deepest = sag + math.hypot(sag, speed * math.sqrt(mass / stiffness))
    lasts = 2.0 * (math.pi - math.atan(speed * math.sqrt(mass / stiffness) / sag)) * math.sqrt(mass / stiffness)
    # A step is a tenth of a radian: the deepest of its states is short by 0.1^2 / 8 at most; touch and parting lie
    # between two states, where the weight changes the speed by 100 * 1e-3 / 2 and the time by a part of the 36 steps.
    for pulse in (first, second):
        assert pulse.values["episodes"] == 1.0
        assert pulse.values["closing_speed"] == pytest.approx(speed, rel=0.025)
        assert pulse.values["depth"] == pytest.approx(deepest, rel=1.3e-3)
        assert pulse.values["peak_force"] == pytest.approx(stiffness * deepest, rel=1.3e-3)
        assert pulse.values["end"] - pulse.values["begin"] == pytest.approx(lasts, rel=0.05)
        assert pulse.values["impulse_z"] == pytest.approx(mass * (2.0 * speed + gravity * lasts), rel=0.02)
        assert pulse.values["slip_speed"] == pytest.approx(slide, rel=1e-9)
        assert pulse.values["pulse_00"] == pytest.approx(0.0, abs=0.05 * stiffness * deepest)
    assert second.values["begin"] - first.values["end"] == pytest.approx(2.0 * speed / gravity, rel=0.05)
    for begin, end in zip(run.events.of("contact begin"), run.events.of("contact end"), strict=True):
        assert begin.values["closing_speed"] == pytest.approx(speed, rel=0.025)
        assert end.values["parting_speed"] == pytest.approx(speed, rel=0.025)


def test_a_flat_box_sinks_into_the_floor_at_the_speed_it_falls_with() -> None:
    system = ct.System()
    system.add(ct.RigidBody("box", 2.0, (0.1, 0.1, 0.1), position=(0, 0, 0.2), velocity=(0.4, 0.3, -0.6)))
    system.add(ct.OutlineBox("hull", body="box", half_lengths=(0.5, 0.3, 0.2)))
    system.add(ct.OutlinePlane("floor", body="ground"))
    system.add(ct.LinearContact("law", stiffness=1e5))
    workspace = Workspace(build_model(system))
    workspace["pose"][0, 2] = 0.195
    workspace.evaluate(0.0)
    (pair,) = workspace.contacts.tables.near[:1]
    depth, slope = flat_depth(0.005, rectangle(0.5, 0.3))
    assert (pair.depth, pair.rate, pair.slip) == pytest.approx((depth, 0.6 * slope, 0.5), rel=1e-9)
    lift = 1e5 * depth * slope
    assert workspace["acceleration"][0] == pytest.approx([0, 0, -9.81 + lift / 2.0, 0, 0, 0], abs=1e-9)
