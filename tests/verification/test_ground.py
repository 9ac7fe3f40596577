"""Bodies on roads: falls, bounces, slides, trips and rollovers against closed forms; cars on their roofs."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest

import centrode as ct
from centrode.math.rotation import matrix_from_quaternion
from centrode.parts.forces.carriage_record import found_under

pytestmark = pytest.mark.compiled

G = 9.81
HALF = (0.5, 0.4, 0.3)
MASS, INERTIA = 100.0, (10.0, 12.0, 15.0)
XODR = """<OpenDRIVE><header revMajor="1" revMinor="4"/><road name="r" length="100" id="1" junction="-1">
<planView><geometry s="0" x="0" y="0" hdg="0" length="100"><arc curvature="0.01"/></geometry></planView>
<elevationProfile><elevation s="0" a="0" b="0.02" c="0" d="0"/></elevationProfile>
<lateralProfile><superelevation s="0" a="0.05" b="0" c="0" d="0"/></lateralProfile>
<lanes><laneSection s="0"><center><lane id="0" type="none" level="false"/></center></laneSection></lanes>
</road></OpenDRIVE>"""


def terrain(path: Path) -> ct.RoadTerrain:
    """Rolling ground on a grid of 1 m."""
    x, y = np.meshgrid(np.arange(-20.0, 41.0), np.arange(-15.0, 16.0))
    z = 0.4 * np.sin(0.2 * x) * np.cos(0.15 * y)
    np.savetxt(path, np.column_stack([x.ravel(), y.ravel(), z.ravel()]), delimiter=",", header="x,y,z", comments="")
    return ct.RoadTerrain("road", file=str(path))


def road_of(kind: str, folder: Path) -> ct.Road:
    """A road of every kind, with slope and bank where it can have them."""
    if kind == "opendrive":
        (folder / "r.xodr").write_text(XODR)
        return ct.RoadOpenDrive("road", file=str(folder / "r.xodr"), width=20.0)
    if kind == "terrain":
        return terrain(folder / "r.csv")
    points = ((-20.0, 0.0, 0.0), (20.0, 0.0, 1.0), (60.0, 20.0, 3.0), (100.0, 60.0, 2.0))
    return {
        "plane": ct.RoadPlane("road", slope=0.1, bank=0.2),
        "spline": ct.RoadSpline("road", points=points, bank=0.1, width=20.0),
        "medusa4": ct.RoadMedusa4("road", points=points, bank=(0.1,) * 4),
    }[kind]


KINDS = ("plane", "spline", "medusa4", "opendrive", "terrain")


def box_on(road: ct.Road, law: ct.ContactLaw | None = None, **start) -> ct.System:
    """A box of steel over a road."""
    system = ct.System()
    system.add(road)
    system.add(ct.RigidBody("box", mass=MASS, inertia=INERTIA, **start))
    system.add(ct.OutlineBox("shape", body="box", half_lengths=HALF, material="steel"))
    system.add(ct.Collisions("touch") if law is None else law)
    return system


def turned(*angles: float) -> np.ndarray:
    """Rotation about x, then y, then z [rad]."""
    matrix = np.eye(3)
    for axis, angle in enumerate(angles):
        c, s = math.cos(angle), math.sin(angle)
        i, j = (axis + 1) % 3, (axis + 2) % 3
        step = np.eye(3)
        step[i, i], step[i, j], step[j, i], step[j, j] = c, -s, s, c
        matrix = step @ matrix
    return matrix


def rows(matrix: np.ndarray) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in matrix.tolist())


def car_on(road: ct.Road, roll: float, height: float, velocity=(0.0, 0.0, 0.0), **more) -> ct.System:
    """A rigid car with its wheels locked, rolled and lifted, whose body touches its road."""
    system = ct.System()
    system.add(road)
    system.add(ct.Car("car", road="road", chassis="rigid", brake=1.0, **more))
    system.add(ct.Collisions("touch"))
    body = dataclasses.replace(
        system.parts["car.body"], position=(0.0, 0.0, height), velocity=velocity, orientation=rows(turned(roll, 0, 0))
    )
    system.replace(body)
    return system


def lowest(run: ct.Recording, system: ct.System, vehicle: str = "car") -> np.ndarray:
    """Height of the lowest corner of a car's body over level ground in all frames [m]."""
    outline = system.parts[vehicle].road_outline()
    corners = outline.corners() + np.array(outline.centre)
    turns = [matrix_from_quaternion(q) for q in run[f"{vehicle}.body.orientation"]]
    heights = [(corners @ turn.T)[:, 2].min() for turn in turns]
    return run[f"{vehicle}.body.position"][:, 2] + np.array(heights)


@pytest.mark.parametrize("kind", KINDS)
def test_a_box_bounces_on_every_road_without_losing_energy(kind, tmp_path):
    """An elastic law on a corner that hits slope and bank: kinetic + potential + stored is constant.

    1e-6 of m g (1 m) on a plane, the error of the method at this step. On bent roads the plane below the lowest corner
    turns under a box that lies on an edge: depth times turn of the normal over the box, 1e-2 m * 1 m / 100 m of F. On
    terrain every point of the box has its own distance from the ground; with one plane for all it gained up to 1 %."""
    road = road_of(kind, tmp_path)
    under = road.point_below(10.0, 0.3)
    law = ct.HuntCrossley("law", stiffness=1e6, damping=0.0, between=("steel", "road"))
    place = tuple(under.position + np.array([0.0, 0.0, 1.2]))
    system = box_on(road, law, position=place, velocity=(3.0, 0.5, 0.0), orientation=rows(turned(0.5, 0.0, 0.4)))
    run = ct.simulate(system, duration=2.0, frames=0.01, method="rk4-projected", step=1e-4)
    assert run.status.completed
    assert len(run.events.of("contact begin")) > 0
    spread = np.ptp(run["energy.total"]) / (MASS * G)
    assert spread < (1e-6 if kind in ("plane", "terrain") else 1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_a_box_comes_to_lie_on_every_road(kind, tmp_path):
    """With the law of roads it stays on the surface: as deep as its weight presses it, N / k = cos / 63 m at most on
    its whole face, and where a side of 1 m bridges a hollow its middle is over the ground."""
    road = road_of(kind, tmp_path)
    under = road.point_below(10.0, 0.3)
    system = box_on(
        road, position=tuple(under.position + np.array([0.0, 0.0, 0.45])), orientation=rows(turned(0.1, 0.1, 0.2))
    )
    run = ct.simulate(system, duration=6.0, frames=0.05, method="rk4-projected", step=5e-4)
    assert run.status.completed
    place, turn = run["box.position"][-1], matrix_from_quaternion(run["box.orientation"][-1])
    here = road.point(*place)
    height = float((place - here.position) @ here.normal)
    assert HALF[2] - 0.03 < height < HALF[2] + 0.01
    assert float(turn[:, 2] @ here.normal) > 0.999
    assert np.linalg.norm(run["box.velocity"][-1]) < 1e-2


@pytest.mark.parametrize("kind", ("plane", "spline"))
def test_friction_of_the_default_law_stops_a_slide(kind):
    """d = v^2 / (2 mu g), mu = 0.5; 1 % for the 2 mm of the bristle and the first swing of the box."""
    road = (
        ct.RoadPlane("road") if kind == "plane" else ct.RoadSpline("road", points=((-50, 0, 0), (0, 0, 0), (80, 0, 0)))
    )
    system = box_on(road, position=(0.0, 0.0, HALF[2]), velocity=(8.0, 0.0, 0.0))
    run = ct.simulate(system, duration=3.0, frames=0.01, method="rk4-projected", step=5e-4)
    assert run["box.position"][-1, 0] == pytest.approx(64.0 / (2.0 * 0.5 * G), rel=0.01)
    assert abs(run["box.velocity"][-1, 0]) < 1e-2


def test_a_box_dropped_on_a_corner_takes_the_impulse_of_a_rigid_body():
    """J = (1 + e) v / (1/m + (r x n) . I^-1 (r x n)) without friction, then v + J/m n and I^-1 (r x J n).

    1 % of the speed: the box turns while it touches, although the law here is a thousand times stiffer than roads; what
    is left falls with the time of contact (spin: 2.4, 0.8, 0.3 % with 1e7, 1e8, 1e9 N/m)."""
    e, turn = 0.5, turned(0.6, 0.5, 0.0)
    corners = [turn @ (np.array(HALF) * (1.0 - 2.0 * np.array(sign))) for sign in np.ndindex(2, 2, 2)]
    corner = min(corners, key=lambda place: place[2])
    speed = 3.0
    law = ct.Restitution("law", stiffness=1e8, restitution=e, friction=0.0, between=("steel", "road"))
    place = (0.0, 0.0, float(-corner[2]) + 1e-4)
    system = box_on(ct.RoadPlane("road"), law, position=place, velocity=(0.0, 0.0, -speed), orientation=rows(turn))
    run = ct.simulate(system, duration=0.03, frames=0.001, method="rk4-projected", step=1e-5)
    end = run.events.of("contact end")[0].time
    k = int(np.searchsorted(run.time, end)) + 1
    n = np.array([0.0, 0.0, 1.0])
    inverse = turn @ np.diag(1.0 / np.array(INERTIA)) @ turn.T
    arm = np.cross(corner, n)
    impulse = (1.0 + e) * speed / (1.0 / MASS + arm @ inverse @ arm)
    assert run["box.velocity"][k, 2] == pytest.approx(-speed + impulse / MASS - G * run.time[k], abs=0.01 * speed)
    spin = matrix_from_quaternion(run["box.orientation"][k]) @ run["box.omega"][k]
    assert np.linalg.norm(spin - inverse @ arm * impulse) < 0.01 * np.linalg.norm(spin)


def test_an_airborne_car_falls_freely_and_lands():
    """z = z_0 - g t^2 / 2 to round-off while no wheel touches, at any attitude; then it stands on its wheels."""
    system = car_on(ct.RoadPlane("road"), 0.0, 2.0, (15.0, 0.0, 0.0))
    run = ct.simulate(system, duration=3.0, frames=0.01, method="rk4-projected", step=5e-4)
    landed = run.events.of("landed")[0].time
    flies = run.time < landed - 1e-9
    height = run["car.body.position"][flies, 2]
    assert landed == pytest.approx(math.sqrt(2.0 * (2.0 - 0.25 - 0.4) / G), abs=2e-3)  # assembly points come to 0.4 m
    assert np.abs(height - (2.0 - 0.5 * G * run.time[flies] ** 2)).max() < 1e-9
    assert run["car.body.position"][-1, 2] == pytest.approx(0.55, abs=0.02)
    assert lowest(run, system)[-1] > 0.1


def test_struts_do_nothing_upside_down():
    """The assembly points of a car that lies on its roof are over the road, and its wheels in the air.

    Struts along the road normal lifted it by 4 kN a wheel."""
    system = car_on(ct.RoadPlane("road"), math.pi, 0.76)
    model = ct.simulate(system, duration=0.002, frames=0.001, method="rk4-projected", step=5e-4)
    assert model.status.completed
    from centrode.dynamics.workspace import Workspace
    from centrode.system.model import build_model

    built = build_model(system)
    workspace = Workspace(built)
    for roll in (math.pi, 0.5 * math.pi, -0.5 * math.pi, 0.8 * math.pi):
        workspace["pose"][0, 3:7] = math.cos(0.5 * roll), math.sin(0.5 * roll), 0.0, 0.0
        for height in (0.1, 0.4, 0.76):
            workspace["pose"][0, 2] = height
            workspace.evaluate(0.0)
            assert (found_under(workspace, built, "car.carriage")["load"] == 0.0).all()


def test_struts_that_lean_keep_their_energy():
    """A car without dampers and friction that rocks on its springs, leaning by 17 degrees: energy is constant, while
    wheels leave the ground and come back: 1e-6 of what swings, the kinks of the force at 14 landings in steps of rk4.

    Without anti-roll bars: one that would lift its wheel before the spring is relaxed is cut with it (0.4 %)."""
    system = ct.System()
    system.add(ct.RoadPlane("road", friction=0.0))
    system.add(ct.Car("car", road="road", chassis="rigid", damper=(0.0, 0.0), stop_stiffness=0.0, anti_roll=(0.0, 0.0)))
    body = system.parts["car.body"]
    system.replace(dataclasses.replace(body, position=(0.0, 0.0, 0.62), orientation=rows(turned(0.3, 0.05, 0.0))))
    run = ct.simulate(system, duration=2.0, frames=0.01, method="rk4-projected", step=2e-4)
    assert len(run.events.of("wheel down")) > 2
    swung = np.ptp(run["energy.kinetic"])
    assert swung > 500.0
    assert np.ptp(run["energy.total"]) < 1e-6 * swung


def test_a_car_slides_on_its_roof_by_its_friction():
    """d = v^2 / (2 mu g) from touch to rest, 2 %: it is let down on its roof from a millimetre."""
    system = car_on(ct.RoadPlane("road"), math.pi, 0.751, (12.0, 0.0, 0.0))
    run = ct.simulate(system, duration=5.0, frames=0.01, method="rk4-projected", step=5e-4)
    assert run["car.body.position"][-1, 0] == pytest.approx(144.0 / (2.0 * 0.5 * G), rel=0.02)
    assert abs(run["car.body.velocity"][-1, 0]) < 0.02
    assert lowest(run, system)[-1] > -0.03
    side = run.collisions[0].vehicle("car").side
    assert side == "roof"


def test_floor_and_roof_are_told_apart():
    """A car dropped on its wheels bottoms out on its floor."""
    system = car_on(ct.RoadPlane("road"), 0.0, 2.0)
    run = ct.simulate(system, duration=1.0, frames=0.01, method="rk4-projected", step=5e-4)
    assert run.collisions[0].vehicle("car").side == "floor"


def trip_speed() -> float:
    """Critical speed of a box that slides into an edge and turns about it.

    The edge stands h_k over the road; b and h are the centre's distance from the side that hits and its height over the
    edge. Angular momentum about the edge is kept in the hit, m v h = I_o w with I_o = I + m r^2, r^2 = b^2 + h^2, and
    the centre must come over the edge, I_o w^2 / 2 = m g (r - h):

        v^2 = 2 g (r - h) (1 + (b^2 + I / m) / h^2)
    """
    b, h = HALF[1], 1.0 - 0.1
    r = math.hypot(b, h)
    return math.sqrt(2.0 * G * (r - h) * (1.0 + (b * b + 15.0 / MASS) / (h * h)))


def trips(speed: float) -> bool:
    """Whether a box two metres high, sliding along y, falls over an edge of 0.1 m that it sticks to."""
    system = ct.System()
    system.add(ct.RoadPlane("road"))
    system.add(ct.RigidBody("box", mass=MASS, inertia=(15.0, 15.0, 10.0), position=(0, 0, 1.0), velocity=(0, speed, 0)))
    system.add(ct.OutlineBox("shape", body="box", half_lengths=(0.5, HALF[1], 1.0), material="steel"))
    system.add(
        ct.OutlineBox(
            "edge", body="ground", half_lengths=(2.0, 0.2, 0.1), centre=(0.0, HALF[1] + 0.21, 0.0), material="kerb"
        )
    )
    system.add(ct.Restitution("slides", stiffness=1e6, restitution=0.05, friction=0.0, between=("steel", "road")))
    system.add(
        ct.Restitution(
            "sticks", stiffness=5e6, restitution=0.01, friction=20.0, stick_stiffness=5e6, stick_damping=2e4,
            between=("steel", "kerb"),
        )
    )  # fmt: skip
    run = ct.simulate(system, duration=2.5, frames=0.01, method="rk4-projected", step=1e-4)
    return bool(min(matrix_from_quaternion(q)[2, 2] for q in run["box.orientation"]) < 0.3)


def test_the_critical_speed_of_a_trip():
    """Within 4 %: the hit takes 20 ms, in which the box turns by a degree."""
    speed = trip_speed()
    assert not trips(0.96 * speed)
    assert trips(1.04 * speed)


@pytest.fixture(scope="module")
def rollover() -> tuple[ct.Recording, ct.System]:
    """The shipped scenario of a van that a kerb trips."""
    scenario = ct.load(Path(__file__).parents[2] / "scenarios" / "collisions" / "rollover.yaml")
    return ct.simulate(scenario), scenario.system


def test_a_tripped_van_rolls_over_and_comes_to_rest_on_its_side(rollover):
    """Events, table of quarter turns, and where it lies: on the ground behind the kerb, 0.15 m high, not in it."""
    run, system = rollover
    assert run.status.completed and "at rest" in str(run.status.stop)
    (rolled,) = ct.rollovers_of(run)
    assert abs(rolled.quarter_turns) % 4 != 0
    assert rolled.rests_on in ("right side", "left side", "roof")
    assert run.events.of("airborne")[0].time < run.events.of("rolled over")[0].time
    kinds = {event.kind for event in run.events}
    assert {"airborne", "rolled over", "contact begin", "collision"} <= kinds
    assert lowest(run, system, "van")[-1] > 0.15 - 0.03
    assert np.linalg.norm(run["van.body.velocity"][-1]) < 0.02


def test_the_energy_of_a_rollover_closes(rollover):
    """Kinetic and potential energy from the recorded motion alone; what wheels and contacts did is all that changed it.

    1e-4 of what the van began with. What contacts took is heat, but for 1 %: friction that sticks books what slides."""
    run, system = rollover
    van = system.parts["van"]
    inertia = np.array(van.inertia)
    kinetic = 0.5 * van.mass * (run["van.body.velocity"] ** 2).sum(axis=1)
    kinetic += 0.5 * (inertia * run["van.body.omega"] ** 2).sum(axis=1)
    mechanical = kinetic + van.mass * G * run["van.body.position"][:, 2]
    done = run["van.carriage.work"] + run["touch.van.body.work"]
    assert np.abs(mechanical - mechanical[0] - done).max() < 1e-4 * kinetic[0]
    taken = -run["touch.van.body.work"] - run["touch.energy"]
    assert np.abs(taken - run["touch.heat"]).max() < 0.01 * kinetic[0]
    assert (np.diff(run["touch.heat"]) >= -1e-9).all()


@pytest.mark.compiled
def test_a_car_goes_down_an_embankment_and_energies_close():
    """One plane for the whole car, that of the slope below its lowest corner, went up through the part of it that was
    still over the road: 3e5 J were made and the run stopped. It lands, rolls and comes to rest; what contacts book as
    heat is what they took to 1e-4 of what moved (the normal jumps at the edge of the slope)."""
    system = ct.System()
    road = ct.RoadPlane("road", width=8.0, friction=0.8, embankments=(ct.Embankment(offset=-5.0, depth=3.0, run=4.0),))
    system.add(road)
    steer = ({"at": 0.6, "steer": math.radians(12.0)},)
    car = ct.MidsizeCar("car", road="road", heading=math.radians(-20.0), speed=22.2, sequence=steer)
    system.add(car)
    system.add(ct.Collisions("touch"))
    run = ct.simulate(system, duration=12.0, until="rest", frames=0.02, method="rk4-projected", step=5e-4)
    assert run.status.completed, run.status
    assert run.time[-1] < 12.0
    assert run["car.body.position"][-1, 2] < -2.0
    moved = float(np.ptp(run["energy.kinetic"]))
    assert np.abs(run["touch.imbalance"]).max() < 1e-4 * moved
    assert np.abs(run["energy.residual"]).max() < 1e-4 * moved


FLOORED = """
centrode: 1
vehicles:
  car: {{kind: {kind}, speed: 15, brake: 100 %}}
{floor}
run: {{duration: 1.5 s, method: rk4-projected, step: 1 ms, frames: 0.1 s}}
"""
FLOOR = """
outlines:
  floor: {kind: plane, body: ground, material: asphalt}
contact_laws:
  law: {kind: restitution, stiffness: 1e6, restitution: 0.1, friction: 0.4}
"""
SLAB = FLOOR.replace("kind: plane,", "kind: box, half_lengths: [99, 9, 1], centre: [0, 0, -1],")


@pytest.mark.parametrize("kind", ["car", "small-car", "suv", "van"])
def test_a_floor_below_a_car_is_left_to_its_wheels(kind: str) -> None:
    """The shell of 1999 reaches down to the road: a car that braked on a floor rubbed on it with up to its weight, and
    the run was completed. The body over its clearance does not, so the same car on its road alone stops alike.
    """
    alone, floored = (ct.simulate(ct.loads(FLOORED.format(kind=kind, floor=floor))) for floor in ("", FLOOR))
    assert floored.status.completed and not floored.collisions
    assert floored["car.body.position"] == pytest.approx(alone["car.body.position"], abs=1e-9)


def test_a_slab_on_which_a_shell_stands_is_refused() -> None:
    with pytest.raises(ct.InputError, match=r"floor: the shell of 'car.body' stands on this and would rub"):
        ct.simulate(ct.loads(FLOORED.format(kind="car", floor=SLAB)))
