"""What collisions refuse, and which pairs they leave out."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import centrode as ct
from centrode.dynamics.contact.setup import find_contacts, joined_pairs, outlines_of
from centrode.errors import InputError
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.contact_laws.hunt_crossley import HuntCrossley
from centrode.parts.contact_laws.linear import LinearContact
from centrode.parts.contact_laws.restitution import Restitution
from centrode.parts.forces.collisions import Collisions
from centrode.parts.joints.ball import Ball
from centrode.parts.joints.fixed import Fixed
from centrode.parts.joints.joint import Joint
from centrode.parts.joints.prismatic import Prismatic
from centrode.parts.joints.revolute import Revolute
from centrode.parts.outlines.box import OutlineBox
from centrode.parts.outlines.plane import OutlinePlane
from centrode.parts.outlines.sphere import OutlineSphere
from centrode.parts.outlines.superellipsoid import OutlineSuperellipsoid
from centrode.recording.warnings import warnings_of
from centrode.running import simulate
from centrode.scenario.inspection import inspect
from centrode.system.builder import System
from centrode.system.model import build_model
from centrode.system.scene import SystemScene
from centrode.vehicles.car.car import Car
from centrode.vehicles.car.medusa import CarMedusa


def spheres(gap: float, *parts, materials=("default", "default")) -> System:
    """Two balls of radius 0.5 m, ``gap`` apart."""
    system = System()
    for name, x, material in (("a", 0.0, materials[0]), ("b", 1.0 + gap, materials[1])):
        system.add(RigidBody(name, mass=1.0, inertia=(0.1,) * 3, position=(x, 0, 0)))
        system.add(OutlineSphere(f"{name}-ball", body=name, radius=0.5, material=material))
    for part in parts:
        system.add(part)
    return system


@settings(max_examples=20, deadline=None)
@given(depth=st.floats(2e-3, 0.4))
def test_bodies_that_stand_in_each_other_are_refused_with_the_depth(depth):
    with pytest.raises(InputError) as caught:
        build_model(spheres(-depth, LinearContact("law")))
    text = str(caught.value)
    assert "stand in each other" in text
    assert f"{depth:.4g} m deep" in text


def two_cars(place: tuple[float, float]) -> System:
    """A car at the origin and another one."""
    system = System()
    system.add(ct.RoadPlane("road"))
    for name, where in (("car1", (0.0, 0.0)), ("car2", place)):
        system.add(Car(name, road="road", position=where))
    system.add(ct.MeasuredRestitution("cars"))
    return system


def test_cars_in_each_other_are_told_a_level_way_out():
    """Two cars that start in each other were told to move by 1.264 m along (0, 0, -1): into the road."""
    with pytest.raises(InputError) as caught:
        build_model(two_cars((1.5, 0.4)))
    found = re.search(r"move 'car2[^']*' by at least ([\d.]+) m along \((.*?)\)", str(caught.value))
    assert found is not None
    far, way = float(found[1]), np.array([float(x) for x in found[2].split(",")])
    assert way[2] == 0.0 and np.linalg.norm(way) == pytest.approx(1.0, abs=2e-3)  # printed with three digits
    build_model(two_cars(tuple(np.array((1.5, 0.4)) + 1.01 * far * way[:2])))
    with pytest.raises(InputError):
        build_model(two_cars(tuple(np.array((1.5, 0.4)) + 0.98 * far * way[:2])))


def test_stiffness_that_is_left_out_follows_from_what_is_there():
    """k = m g over a thousandth, or m v^2 over the square of a fiftieth, of the thinnest half-width; 1e7 for cars."""
    system = spheres(0.1, LinearContact("law"))
    k = build_model(system).contacts.laws[0].stiffness
    assert k == pytest.approx(1.0 * np.linalg.norm(system.gravity) / (1e-3 * 0.5), rel=1e-12)
    system = spheres(0.1, HuntCrossley("law", exponent=1.5))
    fast = system.parts["a"]
    system.parts["a"] = dataclasses.replace(fast, velocity=(8.0, 0.0, 0.0))
    system.gravity = (0.0, 0.0, 0.0)
    k = build_model(system).contacts.laws[0].stiffness
    # against the mean velocity of the two, 4 m/s: k d^2.5 / 2.5 = m v^2 / 2 at 1 cm
    assert k == pytest.approx(2.5 * 0.5 * 16.0 / 0.01**2.5, rel=1e-12)
    high = spheres(0.1, LinearContact("law"))
    high.parts["a"] = dataclasses.replace(high.parts["a"], position=(0.0, 0.0, 10.0))
    fall = 2.0 * float(np.linalg.norm(high.gravity)) * 10.0
    # from the highest body to the lowest or the origin, within 4 %
    assert build_model(high).contacts.laws[0].stiffness == pytest.approx(fall / (0.04 * 0.5) ** 2, rel=1e-12)
    heavy = spheres(0.1, Restitution("law"))
    heavy.parts["a"] = dataclasses.replace(heavy.parts["a"], mass=1500.0)
    assert build_model(heavy).contacts.laws[0].stiffness == 1e7
    given = spheres(0.1, LinearContact("law", stiffness=123.0))
    assert build_model(given).contacts.laws[0].stiffness == 123.0


def test_a_small_overlap_may_be_allowed():
    build_model(spheres(-5e-4, LinearContact("law")))
    build_model(spheres(-0.1, LinearContact("law"), Collisions("collisions", allowed_overlap=0.2)))


def test_without_a_law_outlines_do_not_touch_and_asking_for_it_is_refused():
    system = spheres(0.1)
    assert find_contacts(system, SystemScene(system)) is None
    with pytest.raises(InputError, match="contact law"):
        build_model(spheres(0.1, Collisions("collisions")))


def test_a_pair_of_materials_without_a_law_is_named():
    law = LinearContact("law", between=("steel", "steel"))
    with pytest.raises(InputError, match="no contact law for this pair") as caught:
        build_model(spheres(0.1, law, materials=("steel", "rubber")))
    assert "rubber" in str(caught.value)
    other = LinearContact("other")
    assert len(build_model(spheres(0.1, law, other, materials=("steel", "rubber"))).contacts.carriers) == 2


def test_two_laws_for_all_pairs_are_refused():
    with pytest.raises(InputError, match="without materials"):
        build_model(spheres(0.1, LinearContact("one"), LinearContact("two")))


@pytest.mark.parametrize("squareness", [0.05, 1.95])
def test_squareness_outside_its_range_is_refused(squareness):
    with pytest.raises(InputError, match="squareness"):
        System().add(OutlineSuperellipsoid("shell", body="ground", squareness=squareness, semi_axes=(2.0, 0.8, 0.65)))


def test_an_outline_of_zero_size_is_refused():
    with pytest.raises(InputError, match="zero size"):
        System().add(OutlineBox("box", body="ground", half_lengths=(1.0, 0.0, 1.0)))


def test_joined_bodies_do_not_touch_unless_asked():
    joint = Ball("ball", "a", "b", at=(0.5, 0, 0))
    build_model(spheres(-0.2, LinearContact("law"), joint))
    with pytest.raises(InputError, match="stand in each other"):
        build_model(spheres(-0.2, LinearContact("law"), joint, Collisions("collisions", joined=True)))


def test_collisions_can_be_switched_off():
    model = build_model(spheres(-0.2, LinearContact("law"), Collisions("collisions", active=False)))
    assert model.forces == []


def test_a_car_without_an_outline_brings_its_shell_and_one_that_is_declared_replaces_it():
    system = System()
    system.add(Car("left", chassis="rigid", equilibrium=False, length=4.4, width=1.8, height=1.5, ride_height=0.6))
    system.add(CarMedusa("right", position=(20.0, 0.0)))
    system.add(Car("third", chassis="rigid", equilibrium=False, position=(40.0, 0.0)))
    system.add(OutlineSphere("bumper", body="third.body", radius=0.5))
    found = {item.name: item for item in outlines_of(system)}
    assert list(found) == ["bumper", "left.shell", "right.shell"]
    left, right = found["left.shell"], found["right.shell"]
    assert (left.body, left.material) == ("left.body", "car") and left.squareness == 0.4
    assert left.semi_axes == (2.2, 0.9, 0.75) and left.centre == pytest.approx((0.0, 0.0, 0.15))
    assert right.semi_axes == (2.0, 0.8, 0.65) and right.centre == (0.0, 0.0, 0.0)


def test_cars_that_one_reader_brought_may_touch_and_bodies_of_one_vehicle_may_not():
    system = System()
    for k, name in enumerate(("fleet.one", "fleet.two")):
        system.add(Car(name, chassis="rigid", equilibrium=False, position=(20.0 * k, 0.0)))
    names = ("ground", "fleet.one.body", "fleet.one.mirror", "fleet.two.body", "robot.arm", "robot.hand")
    apart = {divmod(code, len(names)) for code in joined_pairs(system, names)}
    assert apart == {(1, 2), (4, 5)}


def test_bodies_that_meet_without_a_law_are_named():
    """Two cars without a contact law drove through each other in silence."""
    system = System()
    for name, x in (("one", 0.0), ("two", 3.0)):
        system.add(RigidBody(name, mass=1.0, inertia=(1.0, 1.0, 1.0), position=(x, 0.0, 0.0)))
        system.add(OutlineSphere(f"o{name}", body=name, radius=1.0))
    run = simulate(system, duration=1e-3)
    said = [event.subject for event in run.events if event.kind == "note"]
    assert any(text.startswith("no contact law: 'one', 'two' pass through") for text in said)
    # The crash table of such a run said "no collisions" alone.
    assert run.collisions.table().startswith("no contact law: 'one', 'two' pass through")
    system.add(Collisions("collisions", active=False))
    said = [event.subject for event in simulate(system, duration=1e-3).events if event.kind == "note"]
    assert not any("contact law" in text for text in said)


def test_a_body_joined_to_the_ground_is_named_as_passing_its_floor():
    """A plank on a hinge swung through the floor without a word."""
    system = System()
    system.add(OutlinePlane("floor", body="ground"))
    system.add(RigidBody("plank", mass=1.0, inertia=(0.1, 1.0, 1.0), position=(0.0, 0.0, 0.5)))
    system.add(OutlineBox("shell", body="plank", half_lengths=(1.0, 0.1, 0.05)))
    system.add(Ball("hinge", "ground", "plank", at=(0.0, 0.0, 0.5)))
    system.add(LinearContact("law", stiffness=1e5))
    said = [event.subject for event in simulate(system, duration=1e-3).events if event.kind == "note"]
    assert any("joined to the ground" in text and "'plank'" in text for text in said)


def hinged_near_a_floor(height: float, joint: Joint, **law: object) -> list[str]:
    """What is said of a bar of 0.4 m, joined to the ground in its middle, that far above a floor."""
    system = System()
    system.add(OutlinePlane("floor", body="ground", material="tiles"))
    system.add(RigidBody("bar", mass=1.0, inertia=(0.1, 1.0, 1.0), position=(0.0, 0.0, height)))
    system.add(OutlineBox("shell", body="bar", half_lengths=(0.2, 0.02, 0.01), material="oak"))
    system.add(RigidBody("ball", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(5.0, 0.0, 1.0)))
    system.add(OutlineSphere("skin", body="ball", radius=0.1, material=law.pop("ball", "rubber")))
    system.add(LinearContact("law", stiffness=1e5))
    if law:
        system.add(LinearContact("own", stiffness=1e5, **law))
    system.add(joint)
    said = [event.subject for event in simulate(system, duration=1e-3).events if event.kind == "note"]
    return [text for text in said if "joined to the ground" in text]


@pytest.mark.parametrize(
    ("height", "joint", "told"),
    [
        (0.15, Ball("j", "ground", "bar", at=(0.0, 0.0, 0.15)), True),
        (0.25, Ball("j", "ground", "bar", at=(0.0, 0.0, 0.25)), False),  # 0.2 m and its thickness reach 0.048 m up
        (0.25, Revolute("j", "ground", "bar", at=(0.2, 0.0, 0.25), axis=(0, 1, 0)), True),  # hinged at its end
        (0.05, Fixed("j", "ground", "bar", at=(0.0, 0.0, 0.05)), False),
        (0.05, Prismatic("j", "ground", "bar", at=(0.0, 0.0, 0.05), axis=(1, 0, 0)), False),
        (0.05, Prismatic("j", "ground", "bar", at=(0.0, 0.0, 0.05), axis=(1, 0, 0.1)), True),
    ],
)
def test_only_what_may_come_to_the_floor_is_said_to_pass_through_it(height, joint, told):
    """A note of nearly every mechanism with a floor, however far above it."""
    assert bool(hinged_near_a_floor(height, joint)) is told


def test_a_law_for_a_joined_pair_alone_is_told_to_have_no_effect():
    joint = Ball("j", "ground", "bar", at=(0.0, 0.0, 1.0))
    assert hinged_near_a_floor(1.0, joint, between=("oak", "tiles"))
    assert not hinged_near_a_floor(1.0, joint, between=("oak", "tiles"), ball="oak")  # it serves the ball


def test_check_warns_of_vehicles_without_a_contact_law():
    """Only the run said it; `centrode check` said "no faults" of cars that drive through each other and a pole."""
    text = """
centrode: 1
roads: {road: {kind: plane}}
vehicles:
  a: {kind: compact-car, road: road, speed: 10}
  b: {kind: compact-car, road: road, position: [20, 0]}
  post: {kind: pole, position: [40, 0]}
run: {duration: 1 s}
"""
    (note,) = inspect(ct.loads(text)).notes
    assert note.startswith("no contact law: 'a', 'b', 'post' pass through")


def test_a_free_body_without_an_outline_is_named_before_it_falls_through_the_floor():
    """It fell through without a word; bodies that joints hold to an outlined one, or to the ground, are left alone."""
    system = System()
    system.add(OutlinePlane("floor", body="ground"))
    system.add(LinearContact("law", stiffness=1e5))
    for k, name in enumerate(("bare", "case", "arm", "hand", "lamp")):
        system.add(RigidBody(name, mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0.0, 2.0 * k, 2.0)))
    system.add(OutlineSphere("shell", body="case", radius=0.1))
    system.add(Ball("shoulder", "case", "arm", at=(0.0, 3.0, 2.0)))
    system.add(Ball("wrist", "arm", "hand", at=(0.0, 5.0, 2.0)))
    system.add(Ball("hook", "ground", "lamp", at=(0.0, 8.0, 3.0)))
    words = "no outline: 'bare' passes through the ground and all else; add one to outlines"
    run = simulate(system, duration=1e-3)
    assert [event.subject for event in run.events if event.subject.startswith("no outline")] == [words]
    assert words in warnings_of(run) and words in run.summary()
    scenario = ct.Scenario(system)
    assert words in inspect(scenario).notes
    system.add(OutlineSphere("skin", body="bare", radius=0.1))
    assert not any("no outline" in note for note in inspect(ct.Scenario(system)).notes)


def test_outlines_of_the_ground_alone_do_not_hide_that_nothing_can_touch_them():
    system = System()
    system.add(OutlinePlane("floor", body="ground"))
    for k in range(4):
        system.add(RigidBody(f"b{k}", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0.0, k, 1.0)))
    said = [event.subject for event in simulate(system, duration=1e-3).events]
    assert "no outline: 'b0', 'b1', 'b2', ... pass through the ground and all else; add one to outlines" in said


@pytest.mark.parametrize("turning", [(0.0, 0.0, 0.0), (1.0, 2.0, 3.0)])
def test_an_outline_that_would_turn_a_body_without_inertia_is_refused(turning):
    """A first try: mass and outline, no inertia. The box kept its spin in every hit, which made energy; without spin
    it never tipped, and nothing was said."""
    system = System()
    system.add(OutlinePlane("floor", body="ground"))
    system.add(RigidBody("case", mass=2.0, position=(0, 0, 1), omega=turning))
    system.add(OutlineBox("shell", body="case", half_lengths=(0.2, 0.1, 0.05)))
    system.add(Restitution("law"))
    with pytest.raises(InputError, match="contacts of 'shell' would turn this body, which has no inertia") as told:
        simulate(system, duration=0.1)
    # A solid block of half lengths a, b, c: m (b^2 + c^2) / 3 and so on.
    assert "[0.008333, 0.02833, 0.03333]" in str(told.value)


def test_a_ball_about_its_centre_needs_no_inertia():
    """Contacts push it through its centre; a particle that slides."""
    system = System()
    system.add(OutlinePlane("floor", body="ground"))
    system.add(RigidBody("ball", mass=2.0, position=(0, 0, 0.2)))
    system.add(OutlineSphere("shell", body="ball", radius=0.1))
    system.add(Restitution("law"))
    assert simulate(system, duration=1e-3).status.completed
