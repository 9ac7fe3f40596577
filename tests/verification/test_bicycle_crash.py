"""Bicycles are solid: cars that drive into them meet wheels, frame and rider, and struck wheels let go of the road.

Their outlines were missing, so that a car drove through a bicycle with "no collisions", and wheels that roll by joints
would have held the struck machine like a post.
"""

from __future__ import annotations

import numpy as np
import pytest

import centrode as ct
from centrode.dynamics.contact.notes import contact_words
from centrode.dynamics.contact.setup import outlines_of
from centrode.dynamics.examples import NEEDS_MORE, example_values
from centrode.parts.bodies.body import Body
from centrode.parts.registry import part_kinds
from centrode.system.model import build_model

CASE = """
centrode: 1
title: Car against a bicycle
roads:
  road: {{kind: plane, friction: 0.7}}
vehicles:
  car: {{kind: compact-car, road: road, position: [-4, 0], speed: {car}}}
  bike: {{kind: bicycle, {road}position: [{x}, {y}], heading: {heading} deg, speed: 4}}
contact_laws:
  law: {{kind: {law}, friction: 0.4}}
run: {{duration: 0.6 s, method: rk4-projected, step: 0.5 ms, frames: 5 ms}}
"""
SIDE, REAR, ONCOMING = (0.0, -1.6, 90.0), (-0.6, 0.2, 0.0), (3.4, 0.3, 180.0)
LAWS = ("crush", "restitution, stiffness: 60e3, restitution: 0.2")


@pytest.mark.compiled
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("where", [SIDE, REAR, ONCOMING], ids=["side", "rear", "oncoming"])
@pytest.mark.parametrize("road", ["", "road: road, "], ids=["plane", "road"])
def test_a_car_does_not_drive_through_a_bicycle(law, where, road):
    x, y, heading = where
    run = ct.simulate(ct.loads(CASE.format(car=10, road=road, x=x, y=y, heading=heading, law=law)))
    assert run.status.completed, str(run.status)
    hits = [set(item.names) for item in run.collisions]
    assert any("car" in names and any(name.startswith("bike.") for name in names) for names in hits), hits
    assert len(run.events.of("wheel let go")) == 2
    # 94 kg take at most 94 / 1200 of 14 m/s from a car, and the car drives no faster than before
    before, after = run["car.body.velocity"][[0, -1], 0]
    assert before - 1.5 < after < before - 0.1
    # nobody is where the other is: the centre of the frame stays out of the body of the car
    car, bike = run["car.body.position"][:, :2], run["bike.frame.position"]
    inside = (np.abs(bike[:, 1] - car[:, 1]) < 0.7) & (np.abs(bike[:, 0] - car[:, 0]) < 1.4) & (bike[:, 2] < 1.0)
    assert not inside.any()
    # stored energy and heat account for what motion loses; the joints of the wheels and tyres are in the audit
    assert np.abs(run["energy.residual"]).max() < 2e-3 * run["energy.kinetic"][0]


@pytest.mark.compiled
@pytest.mark.parametrize("law", LAWS)
def test_momentum_of_a_struck_bicycle_and_what_strikes_it(law):
    """Without weight the wheels let go at the first pull; from then on nothing but the two acts on the two."""
    text = f"""
centrode: 1
gravity: [0, 0, 0]
roads: {{road: {{kind: plane}}}}
vehicles: {{bike: {{kind: bicycle, position: [0, 0], heading: 90 deg, speed: 4, on_fall: continue}}}}
bodies: {{block: {{mass: 1000, inertia: [400, 1500, 1600], position: [-2.5, 0.6, 0.7], velocity: [10, 0, 0]}}}}
outlines: {{hull: {{kind: car-body, body: block, length: 4, width: 1.8, height: 1, material: car}}}}
structures: {{give: {{kind: crush, outline: hull}}}}
contact_laws: {{law: {{kind: {law}, friction: 0.4}}}}
run: {{duration: 0.25 s, method: rk4-projected, step: 0.2 ms, frames: 2 ms}}
"""
    run = ct.simulate(ct.loads(text))
    assert run.status.completed, str(run.status)
    loose = [event.time for event in run.events.of("wheel let go")]
    assert len(loose) == 2
    masses = {"block": 1000.0} | {f"bike.{n}": m for n, m in ct.BicycleParameters().masses().items()}
    momentum = sum(m * run[f"{name}.velocity"] for name, m in masses.items())
    after = momentum[run.time > max(loose)]
    assert np.ptp(run["block.velocity"][run.time > max(loose), 0]) > 0.3  # it was struck after that
    # rk4 keeps momentum to round-off: forces on the two are opposite in every stage
    assert np.abs(after - after[0]).max() < 1e-9 * 1000.0 * 10.0
    # until then the wheels took less than they can hold for the steps in which the force began
    assert np.abs(after[0] - momentum[0]).max() < 1e-3 * 1000.0 * 10.0
    # kinetic and stored energy, heat and friction: order 4, as small as the steps that contacts are resolved with
    assert np.abs(run["energy.residual"]).max() < 1e-4 * run["energy.kinetic"][0]
    assert np.diff(run["energy.total"]).max() < 1e-6 * run["energy.kinetic"][0]


@pytest.mark.compiled
def test_wheels_that_nothing_strikes_hold_as_before():
    """A law in the scenario changes nothing of a ride."""
    text = CASE.format(car=10, road="", x=0, y=40, heading=90, law=LAWS[1]).replace("600", "60")
    with_law = ct.simulate(ct.loads(text))
    without = ct.simulate(ct.loads(text.replace("contact_laws", "collisions: {all: {active: false}}\ncontact_laws")))
    assert not with_law.events.of("wheel let go")
    assert with_law["bike.frame.position"] == pytest.approx(without["bike.frame.position"], abs=1e-9)


@pytest.mark.compiled
def test_a_wheel_lets_go_where_friction_ends():
    """On a side slope of 40 degrees a bicycle that stands plumb needs tan 40 = 0.84: more than 0.82, less than 0.9."""
    text = """
centrode: 1
roads: {road: {kind: plane, bank: 40 deg}}
vehicles: {bike: {kind: bicycle, road: road, station: 0, speed: 5, lean: %s, grip: %s, on_fall: continue}}
outlines: {wall: {kind: box, body: ground, centre: [90, 0, 0], half_lengths: [1, 1, 1], material: wall}}
contact_laws: {law: {kind: restitution, stiffness: 1e5, restitution: 0.1, friction: 0.4}}
run: {duration: 0.05 s, method: rk4-projected, step: 0.5 ms, frames: 5 ms}
"""
    plumb = "-40 deg"  # against the normal of the road
    slides = [len(ct.simulate(ct.loads(text % (plumb, grip))).events.of("wheel let go")) for grip in (0.82, 0.9)]
    assert slides[0] > 0 == slides[1]


BARE = {"auv", "auv-remus", "beam", "brick"}
"""Vehicles whose outlines are left to the user."""


@pytest.mark.parametrize("kind", sorted(name for name in part_kinds("vehicle") if ("vehicle", name) not in NEEDS_MORE))
def test_every_vehicle_is_solid_or_named(kind):
    """Where a contact law acts nothing passes through the rest in silence."""
    system = ct.System()
    system.add(ct.RoadPlane("road"))
    system.add(ct.OutlineBox("wall", body="ground", centre=(60, 0, 1), half_lengths=(1, 5, 1), material="wall"))
    system.add(ct.Restitution("law", stiffness=1e5, restitution=0.1))
    system.add(ct.RigidBody("ball", 1.0, (0.1, 0.1, 0.1), (-90.0, 0.0, 1.0)))
    system.add(ct.OutlineSphere("ball.shell", body="ball", radius=0.1, material="ball"))
    vehicle = part_kinds("vehicle")[kind]
    system.add(vehicle("thing", **example_values(vehicle)))
    outlined = {item.body for item in outlines_of(system)}
    words = [line for line in contact_words(system, build_model(system).contacts) if line.startswith("no outline")]
    own = [part.name for part in system.parts.values() if isinstance(part, Body)]
    assert bool(words) == (kind in BARE)
    if words:
        assert "'thing' passes through" in words[0]
    else:
        assert not own or outlined & set(own)


def test_wheels_that_nothing_lets_go_are_told():
    """Without a road there is nothing to come down on, so joints hold the wheels whatever strikes them."""
    text = """
centrode: 1
vehicles: {bike: {kind: bicycle, speed: 4}}
bodies: {ball: {mass: 5, inertia: [0.1, 0.1, 0.1], position: [5, 5, 1]}}
outlines: {skin: {kind: sphere, body: ball, radius: 0.2, material: ball}}
contact_laws: {law: {kind: restitution, stiffness: 1e5, restitution: 0.1}}
"""
    for said, there in ((text, True), (text + "roads: {road: {kind: plane}}\n", False)):
        system = ct.loads(said).system
        words = contact_words(system, build_model(system).contacts)
        assert any("stand like posts" in line for line in words) == there


THROWN = """
centrode: 1
roads: {{r: {{kind: plane, friction: 0.7}}}}
vehicles:
  car: {{kind: suv, road: r, position: [0, 0], speed: {car}, brake: {{kind: staircase, times: [{t}], values: [0.8]}}}}
  bike: {{kind: bicycle, position: [{x}, {y}], heading: {heading} deg, speed: {bike}}}
contact_laws: {{law: {{kind: {law}, friction: 0.4}}}}
run: {{duration: 2.6 s, method: rk4-projected, step: 0.5 ms, frames: 10 ms}}
"""


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("car", "bike", "heading", "y", "law"), [(15.4, 3.6, 161.0, -0.32, LAWS[1]), (19.7, 8.7, 261.0, 0.1, LAWS[0])]
)
def test_a_rider_who_is_thrown_comes_down_on_the_road(car, bike, heading, y, law):
    """85 kg that come down with 10 m/s: with the stiffness of a pelvis the road let them through, 0.13 m deep."""
    t, c, s = 4.0 / car, np.cos(np.radians(heading)), np.sin(np.radians(heading))
    places = {"x": 6.2 - bike * t * c, "y": y - bike * t * s, "t": t}
    run = ct.simulate(ct.loads(THROWN.format(car=car, bike=bike, heading=heading, law=law, **places)))
    assert run.status.completed, str(run.status)
    assert any(set(item.names) == {"ground", "bike.frame"} for item in run.collisions)
    assert run["bike.frame.position"][:, 2].min() > 0.0
    assert np.abs(run["energy.residual"]).max() < 1e-3 * run["energy.kinetic"][0]
