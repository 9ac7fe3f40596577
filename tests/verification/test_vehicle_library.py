"""Vehicles of the library: each stands still and level, and what was published of such crashes comes out."""

from __future__ import annotations

import math

import numpy as np
import pytest

import centrode as ct
from centrode.crash.sections import _speeds
from centrode.display import Custom
from centrode.parts import registry
from centrode.vehicles.library.class_car import ClassCar

CLASSES = {kind: item for kind, item in registry.kinds("vehicle").items() if issubclass(item, ClassCar)}


def on_road(*parts):
    system = ct.System()
    system.add(ct.RoadPlane("road"))
    for part in parts:
        system.add(part)
    return system


def test_the_classes_are_kinds():
    assert set(CLASSES) == {"small-car", "compact-car", "midsize-car", "large-car", "suv", "van", "truck-tractor"}
    others = {"trailer", "semitrailer", "motorcycle", "rider", "pedestrian", "pole", "tree"}
    others |= {"barrier-full", "barrier-offset", "barrier-small-overlap"}
    assert others <= set(registry.kinds("vehicle"))


@pytest.mark.parametrize("kind", CLASSES)
def test_a_class_stands_level_at_its_height(kind):
    car = CLASSES[kind]("car", road="road", speed=20.0)
    body = on_road(car).parts["car.body"]
    settled = car.settled()
    assert body.position[2] == pytest.approx(settled.ride_height, abs=1e-9)
    assert np.array(body.orientation) == pytest.approx(np.eye(3), abs=1e-9)
    roll, pitch, yaw = settled.inertia
    assert roll < min(pitch, yaw)
    assert pitch + roll > yaw  # a rigid body
    assert 0.0 < settled.nose - settled.front < 0.5 * settled.length  # the wheels are under the body


def test_stability_factors_are_those_of_the_classes():
    """Mean static stability factors T / (2 h) of NHTSA: cars 1.41, SUVs 1.17."""
    for kind, factor in (("compact-car", 1.41), ("midsize-car", 1.41), ("suv", 1.17)):
        car = CLASSES[kind]("car").settled()
        assert car.track / (2.0 * car.ride_height) == pytest.approx(factor)


@pytest.mark.compiled
@pytest.mark.parametrize(("tows", "towed"), [(ct.MidsizeCar, ct.Trailer), (ct.TruckTractor, ct.Semitrailer)])
def test_a_car_with_a_trailer_rolls_brakes_and_turns(tows, towed):
    system = on_road(tows("car", road="road", speed=15.0, rolling_resistance=0.0), towed("trailer", towed_by="car"))
    coasting = ct.simulate(system, duration=1.0, frames=0.05)
    for body in ("car.body", "trailer.body"):
        assert np.ptp(coasting[f"{body}.position"][:, 2]) < 2e-3  # in equilibrium with each other
    steps = [{"at": 0.5, "brake": 0.4}, {"at": 1.5, "steer": "3 deg"}]
    system = on_road(tows("car", road="road", speed=15.0, sequence=steps), towed("trailer", towed_by="car"))
    run = ct.simulate(system, duration=8.0, frames=0.05)  # it stands from 6.7 s on and rocks on its springs
    assert run.status.completed
    assert np.linalg.norm(run["car.body.velocity"][-1]) < 0.05
    ends = [run[f"{body}.orientation"][-1] for body in ("car.body", "trailer.body")]
    yaw = [2.0 * math.atan2(q[3], q[0]) for q in ends]
    assert yaw[0] > yaw[1] > 0.05  # the trailer follows into the turn
    gap = system.parts["trailer.coupling"]
    hitch = run["car.body.position"][-1] + turned(run, "car.body", gap.point_a)
    pin = run["trailer.body.position"][-1] + turned(run, "trailer.body", gap.point_b)
    assert hitch == pytest.approx(pin, abs=1e-5)


def turned(run, body, point):
    w, x, y, z = run[f"{body}.orientation"][-1]
    q = np.array([x, y, z])
    p = np.array(point)
    return p + 2.0 * np.cross(q, np.cross(q, p) + w * p)


@pytest.mark.compiled
def test_a_pedestrian_is_thrown_as_far_as_searle_says():
    """Searle (SAE 831622): thrown over s on friction mu from sqrt(2 mu g s / (1 + mu^2)) to sqrt(2 mu g s)."""
    scenario = ct.load("scenarios/vehicles/pedestrian.yaml")
    run = ct.simulate(scenario)
    assert run.status.completed
    place = run["walker.pelvis.position"]
    thrown, friction = float(place[-1, 0] - place[0, 0]), 0.66
    most = math.sqrt(2.0 * friction * 9.81 * thrown)
    least = most / math.sqrt(1.0 + friction**2)
    speed = float(run["car.body.velocity"][2, 0])  # 40 ms: the car at the end of the first blow
    assert least < speed < most
    assert np.linalg.norm(run["walker.pelvis.velocity"][-1]) < 0.1  # at rest on the ground
    assert 0.05 < place[-1, 2] < 0.3
    # Its car rubbed on the floor by its shell, and slots of pulses that a run had left behind were not found again.
    assert not any(item.subject == "ground - car.body" for item in run.events)
    assert "missing among the events" not in run.summary()
    # As a whole: rows of limbs told delta-Vs of 50 m/s, and no distance.
    (walker,) = run.collisions.persons
    assert (walker.name, walker.against) == ("walker", "car") and walker.mass == pytest.approx(75.0)
    assert walker.thrown == pytest.approx(
        math.hypot(thrown, place[-1, 1] - place[0, 1]), abs=0.5
    )  # give or take a limb
    pushed = walker.delta_v[0]  # ahead, all that the car gave: no more than its speed, most of it
    assert 0.75 * speed < pushed < 1.1 * speed
    limbs = [item.delta_v_size for _, item in run.collisions.sides() if item.name.startswith("walker.")]
    assert max(limbs) < 2.0 * speed  # a shank that is struck turns about the knee
    assert "Persons as a whole" in run.collisions.table()


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("place", "heading"), [((-30.0, 0.0), 0), ((-9.68, -8.0), 90)], ids=["underrun bar", "wheels of the axles"]
)
def test_cars_do_not_run_under_a_semitrailer_where_something_stands(place, heading):
    """A small car went on at 13 m/s of 15 under the rear, and at 10 through the axles."""
    scenario = ct.loads(
        f"""
centrode: 1
title: Underrun
roads: {{road: {{kind: plane}}}}
vehicles:
  truck: {{kind: truck-tractor, road: road, position: [0, 0], speed: 0, brake: 1}}
  semi: {{kind: semitrailer, towed_by: truck}}
  car: {{kind: small-car, road: road, position: {list(place)}, heading: {heading} deg, speed: 15}}
contact_laws: {{metal: {{kind: crush}}}}
run: {{duration: 1.5 s, method: rk4-projected, step: 0.5 ms, frames: 10 ms}}
"""
    )
    run = ct.simulate(scenario)
    assert run.status.completed
    hit = run.collisions[0]
    assert set(hit.names) == {"semi", "car"} and 0.0 < hit.restitution < 0.3
    ahead = (1.0, 0.0) if heading == 0 else (0.0, 1.0)
    assert run["car.body.velocity"][-1, :2] @ ahead < 0.0  # thrown back
    assert hit.vehicle("car").delta_v_size > 15.0
    assert 0.4 < hit.vehicle("car").crush < 1.3  # short of the hard core


@pytest.mark.compiled
def test_a_motorcycle_hits_a_car_and_the_rider_flies_on():
    run = ct.simulate(ct.load("scenarios/vehicles/motorcycle.yaml"))
    assert run.status.completed
    bike, rider, car = (run[f"{name}.velocity"] for name in ("bike.body", "rider.chest", "car.body"))
    k = int(np.searchsorted(run.time, 0.15))
    assert bike[k, 1] < 5.0  # from 12.5 m/s, stopped by the car
    assert rider[k, 1] > bike[k, 1] + 2.0  # not held by the saddle
    # the car of 1400 kg takes at most what a machine of 200 kg with its rider of 80 kg brings, and some restitution
    assert 0.0 < np.linalg.norm(car[k, :2]) < 1.3 * 280.0 * 12.5 / 1680.0


@pytest.mark.compiled
def test_a_small_overlap_barrier_turns_the_car():
    """IIHS, 64 km/h: of ten measured cars those of this class lost 15.7 to 16.9 m/s and turned by 164 to 214 deg/s."""
    car = ct.MidsizeCar("car", road="road", position=(-2.6, 0.0), speed="64 km/h")
    system = on_road(car, ct.BarrierSmallOverlap("wall", car_width=1.837), ct.Crush("law"))
    run = ct.simulate(system, duration=0.25, method="rk4-projected", step=2e-4, frames=5e-3)
    assert run.status.completed
    lost = run["car.body.velocity"][0, 0] - run["car.body.velocity"][-1, 0]
    assert 0.8 * 15.7 < lost < 1.2 * 16.9
    assert abs(np.degrees(run["car.body.omega"][:, 2])).max() == pytest.approx(189.0, rel=0.4)
    assert run["car.body.omega"][-1, 2] > 0.0  # hit on the left, the nose turns left


@pytest.mark.compiled
def test_an_impact_is_solved_backwards():
    for values in ({"brake": 1.0}, {"sequence": [{"at": 0.3, "brake": 1.0, "steer": "4 deg"}]}, {"heading": 0.5}):
        car = ct.CompactCar("car", road="road", position=(10.0, 3.0), speed="52 km/h", impact_at=0.8, **values)
        run = ct.simulate(on_road(car), duration=0.8, frames=0.1)
        velocity, q = run["car.body.velocity"][-1], run["car.body.orientation"][-1]
        assert run["car.body.position"][-1, :2] == pytest.approx((10.0, 3.0), abs=2e-3)
        assert 3.6 * np.hypot(*velocity[:2]) == pytest.approx(52.0, abs=0.01)
        assert 2.0 * math.atan2(q[3], q[0]) == pytest.approx(car.heading, abs=2e-4)
        (start,) = run.events.of("start solved backwards")  # of the run, not what was asked for at the impact
        assert start.values["speed"] == pytest.approx(np.linalg.norm(run["car.body.velocity"][0]), rel=1e-6)
        assert 3.6 * start.values["speed_at_impact"] == pytest.approx(52.0)
        told = _speeds(run, car, "car.body", Custom("metric"))  # the report gave 52 km/h as the speed at the start
        assert told["speed at impact (given)"] == "52.0 km/h at 0.8 s"
        assert told["speed at the start"] == f"{3.6 * start.values['speed']:.1f} km/h (solved backwards)"
    with pytest.raises(ct.InputError, match="impact"):
        on_road(ct.CompactCar("car", road="road", speed=0.0, impact_at=0.8))


def test_a_struck_pedestrian_comes_down_on_the_road():
    """A road and a law of crush, no floor: he fell through the road, and the table told 46 m of throw."""
    system = on_road(ct.CompactCar("car", road="road", position=(-3.0, 0.0), speed=40 / 3.6, brake=1.0))
    system.add(ct.Pedestrian("walker", position=(0.0, 0.1), heading=math.pi / 2, speed=1.4))
    system.add(ct.Crush("law", friction=0.3))
    run = ct.simulate(system, duration=2.5, method="rk4-projected", step=5e-4, frames=0.02)
    assert run.status.completed
    places = np.array([run[name] for name in run.channels if name.startswith("walker.") and name.endswith(".position")])
    assert places[:, :, 2].min() > 0.0  # every segment has its middle above the road at all times
    # Thrown at the speed of the car at most, and no farther than a slide from there: v^2 / 2 mu g with mu 0.5.
    assert 3.0 < places[:, -1, 0].mean() < (40 / 3.6) ** 2 / (2 * 0.5 * 9.81)


@pytest.mark.compiled
def test_a_jackknife_ends_where_cab_and_trailer_meet():
    """Drive axle locked in a bend on a slippery road: the tractor turned by 213 degrees, through its trailer. The stop
    gives 0.05 rad per rad/s, and the tractor turns at less than 2 rad/s; energies close with it."""
    steps = ({"at": 0.5, "steer": math.radians(4.0)}, {"at": 1.0, "brake": 1.0})
    tractor = ct.TruckTractor("car", road="road", speed=16.7, brake_shares=(0.0, 0.0, 0.5, 0.5), sequence=steps)
    system = ct.System()
    system.add(ct.RoadPlane("road", friction=0.35))
    system.add(tractor)
    system.add(ct.Semitrailer("trailer", towed_by="car"))
    run = ct.simulate(system, duration=7.0, method="rk4-projected", step=1e-3, frames=0.02)
    assert run.status.completed
    yaw = []
    for body in ("car.body", "trailer.body"):
        q = run[f"{body}.orientation"]
        yaw.append(
            np.unwrap(np.arctan2(2 * (q[:, 0] * q[:, 3] + q[:, 1] * q[:, 2]), 1 - 2 * (q[:, 2] ** 2 + q[:, 3] ** 2)))
        )
    angle = np.abs(yaw[0] - yaw[1]).max()
    assert 1.9 < angle < 2.1 + 0.1
    assert np.abs(run["energy.residual"]).max() < 1e-5 * np.ptp(run["energy.kinetic"])


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("kind", "speed", "aside", "heading"),
    [("midsize-car", 12.0, 0.0, 90), ("suv", 9.0, 0.3, 90), ("large-car", 25.0, 0.0, 180)],
)
def test_a_law_of_crush_leaves_persons_to_their_own(kind, speed, aside, heading):
    """A law of crush alone: legs dented the bonnet by 1.3 m, he lay under the car, and at 25 m/s a thigh that its body
    drove on counted as passed through. Searle's bounds hold for those who leave the car at its speed, give or take
    what the car loses by braking until then (a tenth)."""
    scenario = ct.loads(
        f"""
centrode: 1
title: Pedestrian
roads: {{road: {{kind: plane}}}}
vehicles:
  car: {{kind: {kind}, road: road, position: [-3, {aside}], speed: {speed}, brake: 1}}
  walker: {{kind: pedestrian, position: [0, 0], heading: {heading} deg, speed: 1}}
contact_laws: {{metal: {{kind: crush}}}}
run: {{duration: 6 s, method: rk4-projected, step: 0.5 ms, frames: 20 ms}}
"""
    )
    run = ct.simulate(scenario)
    assert run.status.completed
    thrown = float(run["walker.pelvis.position"][-1, 0] - run["walker.pelvis.position"][0, 0])
    hit = next(item for item in run.collisions if "car" in item.names)
    struck = hit.vehicle("car").speed_before
    most = math.sqrt(2.0 * 0.66 * 9.81 * thrown)
    assert most / math.sqrt(1.0 + 0.66**2) < 1.1 * struck and most > 0.9 * struck
    assert thrown > float(run["car.body.position"][-1, 0])  # thrown ahead of a car that brakes
    assert all(item.vehicle("car").crush == 0.0 for item in run.collisions if "car" in item.names)
    assert np.linalg.norm(run["walker.pelvis.velocity"][-1]) < 0.1


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("kind", "speed", "x", "heading"),
    [("compact-car", 14.0, 0.5, 90), ("van", 30.0, 0.5, 90), ("suv", 18.0, -1.0, 80)],
)
def test_a_motorcycle_hits_a_car_with_a_law_of_crush_alone(kind, speed, x, heading):
    """They stopped as passed through (an arm in the car, a rigid machine in its side), or fell through the road."""
    scenario = ct.loads(
        f"""
centrode: 1
title: Motorcycle
roads: {{road: {{kind: plane}}}}
vehicles:
  bike: {{kind: motorcycle, road: road, position: [0, -6], heading: {heading} deg, speed: {speed}}}
  rider: {{kind: rider, rides: bike}}
  car: {{kind: {kind}, road: road, position: [{x}, 0], speed: 0, brake: 0.2}}
contact_laws: {{metal: {{kind: crush}}}}
run: {{duration: 2 s, method: rk4-projected, step: 0.5 ms, frames: 10 ms}}
"""
    )
    run = ct.simulate(scenario)
    assert run.status.completed
    hit = next(item for item in run.collisions if set(item.names) == {"bike", "car"})
    bike, car = hit.vehicle("bike"), hit.vehicle("car")
    assert 0.1 < bike.crush < 0.7 and 0.1 < car.crush < 0.7  # both give way
    assert bike.delta_v_size > 0.5 * speed
    middles = [run[f"{name}.position"][:, 2].min() for name in ("bike.body", "rider.pelvis", "rider.head")]
    assert min(middles) > 0.0  # on the road, not below it


@pytest.mark.parametrize(("slope", "bank"), [(0.0, 0.0), (8.0, 0.0), (5.0, -4.0)])
def test_persons_and_trees_stand_on_the_road_below_them(slope, bank):
    """On a slope both stood at the height 0: persons in the ground, which was refused, trees over it or below."""
    scenario = ct.loads(
        f"""
centrode: 1
title: Standing
roads:
  road: {{kind: plane, slope: {slope} deg, bank: {bank} deg, width: 6 m, kerbs: [{{offset: 3 m, height: 0.2 m}}]}}
vehicles:
  walker: {{kind: pedestrian, position: [6, 0], heading: 70 deg}}
  oak: {{kind: tree, position: [12, 4]}}
  pole: {{kind: pole, position: [12, -1], ground_height: 0.7}}
contact_laws: {{person: {{kind: restitution, stiffness: 4e4, restitution: 0.1, friction: 0.5}}}}
run: {{duration: 0.1 s}}
"""
    )
    parts = scenario.system.parts
    up = parts["road"].point(0.0, 0.0, 0.0).normal
    feet = [parts[f"walker.{side}_shank"] for side in ("left", "right")]
    gaps = []
    for foot in feet:
        skin = parts[f"{foot.name}-skin"]
        end = np.array(foot.position) + skin.half_length * np.array(foot.orientation)[:, 2]
        gaps.append(float(end @ up) - skin.radius)
    # A millimetre over the road; shanks lean by 0.1 rad at most, by which their ends are rounder than they are long.
    assert 0.0 < min(gaps) < 2e-3
    beyond = parts["road"].point_below(12.0, 4.0).position[2]
    assert beyond == pytest.approx(-(12.0 * up[0] + 4.0 * up[1]) / up[2] + 0.2 / up[2], abs=2e-3)
    low = min(z for _, _, z in parts["oak.outline"].points)
    assert low == pytest.approx(beyond - 0.1)
    assert min(z for _, _, z in parts["pole.outline"].points) == pytest.approx(0.6)


def test_what_stands_between_two_roads_is_asked_on_which():
    text = """
centrode: 1
title: Bridge
roads: {low: {kind: plane}, high: {kind: plane, origin: [0, 0, 6]}}
vehicles: {oak: {kind: tree, position: [12, 4]}}
run: {duration: 0.1 s}
"""
    with pytest.raises(ct.InputError, match=r"on which road does 'oak' stand.*6 m on 'high'"):
        ct.loads(text).system  # noqa: B018
