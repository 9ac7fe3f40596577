"""Rolling wheel on curved roads: plane, cone, hills; order, energy and no slip; ends, edges and bends too tight."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from centrode.dynamics.workspace import Workspace
from centrode.errors import InputError
from centrode.math.rotation import matrix_from_axis_angle, quaternion_from_matrix
from centrode.math.spline import hermite_quintic
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.joints.rolling_disc import RollingDisc
from centrode.parts.joints.rolling_wheel import RollingWheel
from centrode.parts.joints.wheel_contact import touch_road
from centrode.parts.part import quantity
from centrode.parts.roads.contract import Road
from centrode.parts.roads.medusa4 import RoadMedusa4
from centrode.parts.roads.plane import RoadPlane, plane_axes
from centrode.parts.roads.road_surface import sharpest_crease, surface_point
from centrode.parts.roads.spline import RoadSpline
from centrode.running import simulate
from centrode.system.builder import System
from centrode.system.model import build_model
from centrode.vehicles.bicycle.model import Bicycle

G = 9.81
X, Y, Z = np.eye(3)
numbers = st.floats(-1.0, 1.0)
# Four points: one cubic for all pieces, so the road is smooth; hills of 1 to 2 m, a bend of some 30 m radius.
HILL = RoadSpline("hill", points=((0, 0, 0), (25, 2, 2.0), (50, -3, -1.0), (75, 6, 1.5)), bank=0.1, width=10.0)


@dataclass(frozen=True)
class RoadCircle(Road):
    """A horizontal circle to the left from the origin, banked: a cone. Quintic pieces meet it within 1e-12 m."""

    kind: ClassVar[str] = "circle"
    radius: float = quantity("m", "radius", 10.0)
    bank: float = quantity("rad", "bank", 0.0)

    def table(self) -> np.ndarray:
        count, r = 192, self.radius
        angles = np.linspace(0.0, 2.0 * math.pi, count + 1)
        knots = r * angles
        zero = np.zeros_like(angles)
        value = np.stack([r * np.sin(angles), r - r * np.cos(angles), zero], axis=1)
        slope = np.stack([np.cos(angles), np.sin(angles), zero], axis=1)
        bend = np.stack([-np.sin(angles), np.cos(angles), zero], axis=1) / r
        ends = np.stack([value, slope, bend], axis=1)
        pieces = np.stack([hermite_quintic(knots[1], ends[k], ends[k + 1]) for k in range(count)])
        bank = np.zeros((count, 4))
        bank[:, 0] = self.bank
        width = np.tile([4.0, 0.0], (count, 1))
        return self.curve_table(knots, pieces, bank, width, closed=True, twisted=True)


@settings(max_examples=40)
@given(st.floats(2.0, 70.0), st.floats(-5.0, 5.0))
def test_surface_derivatives(s, n):
    """Central differences with h = 1e-4 carry h^2/6 times third derivatives (below 1e-2) and 1e-16 * 75 / h: 1e-9."""
    h = 1e-4
    here, ahead, behind = (np.array(surface_point(HILL, s + k * h, n)) for k in (0, 1, -1))
    left, right = (np.array(surface_point(HILL, s, n + k * h)) for k in (1, -1))
    along, across = (ahead - behind) / (2 * h), (left - right) / (2 * h)
    np.testing.assert_allclose(along[0:3], here[3:6], atol=1e-9)
    np.testing.assert_allclose(across[0:3], here[6:9], atol=1e-9)
    np.testing.assert_allclose(along[3:6], here[9:12], atol=1e-9)
    np.testing.assert_allclose(along[6:9], here[12:15], atol=1e-9)
    np.testing.assert_allclose(across[3:6], here[12:15], atol=1e-9)
    # The kernel of the other vehicles sees the same surface.
    point = HILL.point(*surface_point(HILL, s, n).position)
    assert (point.s, point.lateral) == (pytest.approx(s, abs=1e-9), pytest.approx(n, abs=1e-9))
    np.testing.assert_allclose(point.normal, surface_point(HILL, s, n).normal, atol=1e-12)


@settings(max_examples=40)
@given(st.lists(numbers, min_size=6, max_size=6), st.floats(-60.0, 60.0), st.floats(-4.0, 4.0))
def test_contact_does_not_depend_on_where_the_search_begins(draw, error, lateral_error):
    """Same bits from any guess along the road; and the contact is the nearest point, by brute force over the rim."""
    s, n = 35.0 + 25.0 * draw[0], 3.0 * draw[1]
    here = surface_point(HILL, s, n)
    lean = 0.8 * draw[2]
    axle = here.axes @ matrix_from_axis_angle(Z, 3.0 * draw[3]) @ matrix_from_axis_angle(X, lean) @ Y
    centre = here.position + (0.4 + 0.2 * draw[4]) * here.normal
    table = HILL.shared_table()
    found = touch_road(table, centre, axle, 0.35, 0.05)
    other = touch_road(table, centre, axle, 0.35, 0.05, found.s + error)
    assert (found.s, found.lateral, found.gap) == (other.s, other.lateral, other.gap)
    u = np.cross(axle, Z if abs(axle[2]) < 0.9 else X)
    u /= np.linalg.norm(u)
    w = np.cross(axle, u)
    heights = []
    for angle in np.linspace(0.0, 2.0 * math.pi, 400, endpoint=False):
        point = centre + 0.3 * (math.cos(angle) * u + math.sin(angle) * w)
        foot = HILL.point(*point, found.s)
        # Foot of the road kernel: nearest on the line, not on the surface; 0.4 m up on a slope of 0.2 that is 1e-4.
        heights.append(float((point - foot.position) @ foot.normal) - 0.05)
    # 400 points of the rim: the lowest is within r (pi/400)^2 / 2 = 1e-5 of the true one.
    assert min(heights) == pytest.approx(found.gap, abs=1e-4)


@pytest.mark.parametrize("tyre", [0.0, 0.08])
@settings(max_examples=30)
@given(draw=st.lists(numbers, min_size=14, max_size=14))
def test_plane_road_is_the_plane_joint(tyre, draw):
    """Rows, biases and residuals equal those of the rolling disc to round-off (terms below 10: 1e-13)."""
    found = []
    heading, slope, bank = 0.4, 0.2, -0.3
    for kind in ("plane", "road"):
        system = System()
        system.add(RoadPlane("ground-road", origin=(0.3, -0.2, 0.5), heading=heading, slope=slope, bank=bank))
        normal = plane_axes(heading, slope, bank)[2]
        wheel = system.add(RigidBody("wheel", 2.0, (0.06, 0.12, 0.06), position=(0, 0, 1.5)))
        if kind == "plane":
            joint = RollingDisc(
                "contact", system.ground, wheel, 0.4, tyre, point_a=(0.3, -0.2, 0.5), normal=tuple(normal)
            )
        else:
            joint = RollingWheel("contact", system.ground, wheel, 0.4, "ground-road", tyre)
        system.add(joint)
        w = Workspace(build_model(system))
        rotation = matrix_from_axis_angle(X, 0.7 * draw[0]) @ matrix_from_axis_angle(Z, 3.0 * draw[1])
        w["pose"][0] = [5 * draw[2], 5 * draw[3], 2 + draw[4], *quaternion_from_matrix(rotation)]
        w["velocity"][0] = np.array(draw[5:11]) * 2.0
        w.evaluate(0.0)
        found.append((w["jacobian"][0, 1].copy(), w["terms"][0].copy(), w["joint_memory"][0, 0]))
    for a, b in zip(*found, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-13)


def cone_turn(lean, turn, bank, radius=0.5, tyre=0.0, mass=1.0):
    """Steady turn to the left of a disc on a cone: body, road and contact force in (left, up), in closed form.

    Axes f forward, g left (to the middle), z up; a lean to the right, b bank; R = radius - tyre, q = tyre. Axle
    e = cos a g + sin a z, m = -sin a g + cos a z, N = -sin b g + cos b z. Turn W about z and spin p about e roll:

        v = W (R sin a + q sin b) + p (R + q cos(a - b))
        W cos a (A W sin a - C (W sin a + p)) = M ((R sin a + q sin b) g + (R cos a + q cos b) W v)

    The second equation, moments about the centre along f with the force M (W v g + g z) at -R m - q N, is linear in p.
    """
    across, along = 0.25 * mass * radius**2, 0.5 * mass * radius**2
    circle = radius - tyre
    side, up = circle * math.sin(lean) + tyre * math.sin(bank), circle * math.cos(lean) + tyre * math.cos(bank)
    rim = circle + tyre * math.cos(lean - bank)
    c = math.cos(lean)
    # left(p) - right(p) = 0 is linear in p.
    constant = turn * c * (across * turn * math.sin(lean) - along * turn * math.sin(lean))
    constant -= mass * (side * G + up * turn * turn * side)
    slope = -turn * c * along - mass * up * turn * rim
    spin = -constant / slope
    speed = turn * side + spin * rim
    road = RoadCircle("cone", radius=speed / turn - side, bank=bank)
    rotation = matrix_from_axis_angle(X, lean)
    omega = turn * Z + spin * (rotation @ Y)
    body = RigidBody(
        "disc",
        mass,
        (across, along, across),
        position=(0.0, -side, up),  # from the contact in the origin
        orientation=tuple(quaternion_from_matrix(rotation)),
        velocity=(speed, 0.0, 0.0),
        omega=tuple(rotation.T @ omega),
    )
    return body, road, speed, (mass * turn * speed, mass * G)


@pytest.mark.parametrize("tyre", [0.0, 0.1])
def test_steady_turn_on_a_cone(tyre):
    """Bank 0.35 rad, lean 0.5 rad inwards, one turn: centre and contact on their circles, order 4 within 0.15."""
    lean, turn, bank = -0.5, 1.2, -0.35
    body, road, speed, force = cone_turn(lean, turn, bank, tyre=tyre)
    middle = np.array([0.0, body.position[1] + speed / turn])
    errors = []
    for step in (0.02, 0.01):
        system = System()
        system.add(road)
        disc = system.add(body)
        system.add(RollingWheel("contact", system.ground, disc, 0.5, "cone", tyre))
        run = simulate(system, duration=4.0, method="rk4-projected", step=step, frames=0.5)
        angle = turn * run.time
        circle = middle + speed / turn * np.stack([np.sin(angle), -np.cos(angle)], axis=1)
        errors.append(float(np.abs(run["disc.position"][:, :2] - circle).max()))
    assert math.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.15), errors
    # Exact start: what is left at the first frame is the road's 1e-12 m and round-off.
    np.testing.assert_allclose(run["contact.force"][0], (0.0, *force), atol=1e-8)
    assert run["contact.lateral"][0] == pytest.approx(0.0, abs=1e-10)
    assert run["contact.lean"][0] == pytest.approx(lean - bank, abs=1e-10)
    np.testing.assert_allclose(run["contact.lateral"], 0.0, atol=10 * errors[1])


def hill_ride(**values):
    system = System()
    system.add(HILL)
    system.add(Bicycle("bike", road="hill", station=5.0, speed=7.0, on_fall="continue", fall_angle=1.5, **values))
    return system


@pytest.mark.parametrize("machine", ["benchmark", "scooter"])
def test_free_machine_over_hills_keeps_energy_and_does_not_slip(machine):
    """6 s at 7 m/s over hills, sharp rims and round tyres: energy to 1e-9, rows closed to 1e-12 after projection."""
    system = hill_ride(machine=machine, offset=0.8, heading=0.02, lean_rate=0.1)
    run = simulate(system, duration=4.0, tolerance=1e-11, frames=0.05)
    assert run.status.completed
    energy = run["energy.total"]
    assert np.ptp(run["energy.gravity"]) > 0.2 * run["energy.kinetic"][0]
    assert (energy.max() - energy.min()) / run["energy.kinetic"][0] < 1e-9
    assert run["constraint.residual"].max() < 1e-12
    # No slip, from the recording alone: both wheels' contact points stand still on the road.
    for end, radius, tyre in (("rear", 0.3, 0.0), ("front", 0.35, 0.0)):
        if machine == "scooter":
            radius, tyre = 0.22, 0.05 if end == "rear" else 0.045
        worst = 0.0
        for n in range(0, len(run.time), 10):
            wheel = f"bike.{end}-wheel"
            rotation = rotation_of(run[f"{wheel}.orientation"][n])
            touch = touch_road(
                HILL.shared_table(),
                run[f"{wheel}.position"][n],
                rotation @ Y,
                radius,
                tyre,
                run[f"bike.{end}-contact.s"][n],
            )
            arm = touch.contact - run[f"{wheel}.position"][n]
            slip = run[f"{wheel}.velocity"][n] + np.cross(rotation @ run[f"{wheel}.omega"][n], arm)
            worst = max(worst, float(np.abs(slip).max()), abs(touch.gap))
        assert worst < 1e-12


def rotation_of(q):
    """Matrix of a quaternion (w, x, y, z)."""
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def test_order_of_rk4_with_projection_on_a_smooth_road():
    """Bicycle over hills with steps of 20, 10 and 5 ms against 2.5 ms by the same method: order 4 within 0.15."""
    ends = []
    for step in (0.02, 0.01, 0.00125):
        run = simulate(hill_ride(lean_rate=0.1), duration=2.0, method="rk4-projected", step=step, frames=2.0)
        ends.append(np.concatenate([run["bike.frame.position"][-1], run["bike.fork.position"][-1]]))
    errors = [float(np.abs(end - ends[-1]).max()) for end in ends[:2]]
    assert math.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.15), errors


def test_plane_road_carries_the_bicycle_as_the_plane_does():
    """The same start on the plane and on a plane road: same motion (two kernels, round-off grown over 2 s)."""
    runs = []
    for on_road in (False, True):
        system = System()
        values = {"speed": 5.0, "lean_rate": 0.3, "heading": 0.3}
        if on_road:
            system.add(RoadPlane("flat", slope=0.03, bank=0.02))
            system.add(Bicycle("bike", road="flat", station=1.0, offset=2.0, **values))
        else:
            system.add(Bicycle("bike", slope=0.03, bank=0.02, position=(1.0, 2.0), **values))
        runs.append(simulate(system, duration=2.0, tolerance=1e-11, frames=0.5))
    # Both planes are the same: slope about y, then bank about the raised x.
    for channel in ("bike.frame.position", "bike.frame.orientation", "bike.steer.angle"):
        np.testing.assert_allclose(runs[0][channel], runs[1][channel], atol=1e-9)


@pytest.mark.parametrize("machine", ["benchmark", "scooter"])
def test_level_ground_in_polar_coordinates(machine):
    """A level circular road is the plane with other coordinates: the bicycle goes straight across it as on the plane.

    What the road's pieces miss of their circle lies within the plane and changes nothing.
    """
    runs = []
    for on_road in (False, True):
        system = System()
        values = {"machine": machine, "speed": 5.5, "lean_rate": 0.3, "on_fall": "continue"}
        if on_road:
            system.add(RoadCircle("circle", radius=25.0))
            values |= {"road": "circle", "station": 0.0}
        system.add(Bicycle("bike", **values))
        runs.append(simulate(system, duration=2.0, tolerance=1e-11, frames=0.25))
    assert np.ptp(runs[1]["bike.rear-contact.lateral"]) > 1.0
    for channel in (
        "bike.frame.position",
        "bike.frame.orientation",
        "bike.rear-contact.lean",
        "bike.front-contact.force",
    ):
        np.testing.assert_allclose(runs[0][channel], runs[1][channel], atol=1e-7)


def test_road_that_crosses_itself():
    """An eight with a bridge: the wheel stays on its own level, below and above."""
    lobe = [(20.0 * math.sin(a), 10.0 * math.sin(2.0 * a), 2.0 - 2.0 * math.cos(a)) for a in np.linspace(0, 6.0, 25)]
    road = RoadSpline("eight", points=tuple(lobe), width=3.0)
    half = min(np.linspace(30.0, 60.0, 600), key=lambda s: float(np.hypot(*surface_point(road, s).position[:2])))
    assert surface_point(road, half).position[2] > 3.5  # on the bridge over the start
    for station, height in ((1.0, 0.0), (float(half), 4.0)):
        here = surface_point(road, station)
        place = here.position + 0.3 * here.normal
        rotation = here.axes
        system = System()
        system.add(road)
        disc = system.add(
            RigidBody(
                "disc",
                2.0,
                (0.045, 0.09, 0.045),
                tuple(place),
                tuple(quaternion_from_matrix(rotation)),
                tuple(3.0 * rotation[:, 0]),
                (0.0, 10.0, 0.0),
            )
        )
        system.add(RollingWheel("contact", system.ground, disc, 0.3, "eight", station=station))
        run = simulate(system, duration=0.5, frames=0.1)
        assert run["contact.s"][0] == pytest.approx(station, abs=1e-6)
        assert np.abs(run["disc.position"][:, 2] - height).max() < 0.6


def disc_on(road, place, velocity, omega, radius=0.3, name="disc", **values):
    system = System()
    system.add(road)
    disc = system.add(RigidBody(name, 2.0, (0.045, 0.09, 0.045), place, velocity=velocity, omega=omega))
    system.add(RollingWheel("contact", system.ground, disc, radius, road.name, **values))
    return system


def test_end_and_edge_of_a_road_are_noted_and_the_surface_goes_on():
    road = RoadSpline("short", points=((0, 0, 0), (5, 0, 0), (10, 0, 0)), width=2.0)
    run = simulate(disc_on(road, (8.0, 0, 0.3), (3, 0, 0), (0, 10, 0)), duration=2.0, frames=0.1)
    assert run.status.completed and run.time[-1] == 2.0
    event = next(event for event in run.events if event.kind == "left the road at its end")
    assert event.time == pytest.approx(2.0 / 3.0, abs=1e-9) and event.values["s"] == pytest.approx(10.0, abs=1e-9)
    np.testing.assert_allclose(run["disc.position"][-1], (14.0, 0.0, 0.3), atol=1e-9)
    # Across the road: leaves at one side, comes back never.
    system = System()
    system.add(road)
    turned = tuple(quaternion_from_matrix(matrix_from_axis_angle(Z, 0.5 * math.pi)))
    disc = system.add(RigidBody("disc", 2.0, (0.045, 0.09, 0.045), (5, 0, 0.3), turned, (0, 3, 0), (0, 10, 0)))
    system.add(RollingWheel("contact", system.ground, disc, 0.3, "short"))
    run = simulate(system, duration=1.0, frames=0.1)
    event = next(event for event in run.events if event.kind == "left the road at its side")
    assert event.time == pytest.approx(1.0 / 3.0, abs=1e-9)


def test_wheel_runs_into_a_dip_that_is_too_tight():
    """A wheel with 1.5 times the radius of the road at its lowest point stops before it gets there."""
    finer, road = (
        RoadSpline("dip", points=tuple((x, 0.0, x * x) for x in np.linspace(-3.0, 3.0, count)), width=4.0)
        for count in (49, 25)
    )
    lowest = [surface_point(item, 0.5 * item.shared_table()[0, 3]) for item in (finer, road)]
    bends = [float(low.along @ low.along) / float(np.array(low)[9:12] @ low.normal) for low in lowest]
    # The parabola z = x^2 bends with radius 1/2; a cubic spline misses curvature with the square of the spacing, 8 %
    # here, and what is left after extrapolation is the square of that.
    assert bends[0] + (bends[0] - bends[1]) / 3.0 == pytest.approx(0.5, rel=0.08**2)
    radius, low, middle = 1.5 * bends[1], lowest[1], 0.5 * road.shared_table()[0, 3]
    top = surface_point(road, 2.0)
    place = top.position + radius * top.normal
    system = disc_on(road, tuple(place), (0, 0, 0), (0, 0, 0), radius, station=2.0)
    for settings_of in ({"tolerance": 1e-9}, {"method": "rk4-projected", "step": 0.005}):
        run = simulate(system, duration=5.0, frames=0.05, **settings_of)
        assert [event.kind for event in run.events][-1] == "road bent as tightly as the wheel"
        assert run.status.completed and run.time[-1] < 5.0 and str(run.status).startswith("stopped at t = ")
        assert run.time[-1] == run.events[-1].time  # what was computed is kept, the moment of the event included
        assert run["contact.s"][-1] < middle
    with pytest.raises(InputError, match="in the ground"):
        build_model(disc_on(road, tuple(low.position + radius * low.normal), (0, 0, 0), (0, 0, 0), radius))


def test_crest_that_is_too_fast_is_noted():
    """Over a crest of curvature k the road must pull once m v^2 k > m g: noted, and again when the wheel presses.

    The load at the event is zero; that of a disc upright on the crest is m (g cos(slope) - v^2 k), v of its centre.
    """
    waves = tuple((x, 0.0, -1.5 * math.cos(x * math.pi / 12.0)) for x in np.linspace(-6.0, 42.0, 33))
    road = RoadSpline("crest", points=waves, width=4.0)
    start = surface_point(road, 6.0)
    place = start.position + 0.3 * start.normal
    forward = start.axes[:, 0]
    system = disc_on(road, tuple(place), tuple(14.0 * forward), (0.0, 14.0 / 0.3, 0.0), station=6.0)
    run = simulate(system, duration=2.0, frames=0.01, tolerance=1e-10)
    kinds = [event.kind for event in run.events]
    assert kinds[0] == "wheel would lift" and "wheel presses again" in kinds[1:]
    for event in list(run.events)[:2]:
        n = int(np.searchsorted(run.time, event.time))
        loads = []
        for k in (n - 1, n):
            here = surface_point(road, run["contact.s"][k])
            loads.append(float(run["contact.force"][k] @ here.normal))
            # Closed form, with the curvature of the path of the centre (radius grows by r on a crest).
            bend = -float(np.array(here)[9:12] @ here.normal) / float(here.along @ here.along)
            speed = float(np.linalg.norm(run["disc.velocity"][k]))
            expected = 2.0 * (G * here.normal[2] - speed**2 * bend / (1.0 + 0.3 * bend))
            assert loads[-1] == pytest.approx(expected, abs=1e-6)
        assert loads[0] * loads[1] < 0.0


def test_falling_disc_ends_flat():
    road = RoadPlane("flat")
    lean = 0.3
    turned = tuple(quaternion_from_matrix(matrix_from_axis_angle(X, lean)))
    system = System()
    system.add(road)
    disc = system.add(RigidBody("disc", 2.0, (0.045, 0.09, 0.045), (0, 0, 0.3 * math.cos(lean)), turned))
    system.add(RollingWheel("contact", system.ground, disc, 0.3, "flat"))
    run = simulate(system, duration=5.0, frames=0.05)
    assert run.events[-1].kind == "wheel lies flat" and run.time[-1] < 1.0
    assert math.cos(run["contact.lean"][-1]) == pytest.approx(0.02, abs=1e-6)


BAD = [
    ({"radius": -0.3}, "must be positive"),
    ({"tyre_radius": 0.5}, "no thicker than its wheel"),
    ({"at": (0, 0, 0)}, "no place or axis"),
    ({"axis_a": (0, 1, 0)}, "no place or axis"),
    ({"axis_b": (0, 0, 1)}, "lies flat"),
    ({"axis_b": (0, 0, 0)}, "not all zero"),
    ({"road": "raod"}, "did you mean 'road'"),
    ({"point_b": (0, 0, -0.2)}, "in the ground"),
]


@pytest.mark.parametrize(("values", "text"), BAD)
def test_bad_wheels_are_refused(values, text):
    system = System()
    system.add(RoadPlane("road"))
    wheel = system.add(RigidBody("wheel", 2.0, (0.06, 0.12, 0.06), position=(0, 0, 0.3)))
    with pytest.raises(InputError, match=text):
        system.add(RollingWheel("contact", system.ground, wheel, **{"radius": 0.3, "road": "road", **values}))
        build_model(system)


@settings(max_examples=60)
@given(
    st.sampled_from(["radius", "tyre_radius", "station", "point_a", "point_b", "axis", "axis_b"]),
    st.one_of(st.floats(), st.lists(st.floats(), max_size=4), st.none(), st.booleans()),
)
def test_any_value_is_taken_or_refused_by_name(field, value):
    """No value of a field makes the part fail in any way but an InputError that names the joint."""
    system = System()
    system.add(HILL)
    wheel = system.add(RigidBody("wheel", 2.0, (0.06, 0.12, 0.06), position=(5.0, 0.0, 3.0)))
    values = {"radius": 0.3, "road": "hill", field: tuple(value) if isinstance(value, list) else value}
    try:
        system.add(RollingWheel("contact", system.ground, wheel, **values))
        build_model(system)
    except InputError as error:
        assert all(fault.path.startswith("contact.") for fault in error.faults)


def test_road_with_an_edge_is_refused():
    """The four-point road has kinks of its bank at its points: beside its line they are edges."""
    road = RoadMedusa4(
        "road", points=((0, 0, 0), (10, 0, 0), (20, 0, 0), (30, 0, 0)), bank=(0.0, 0.2, 0.0, 0.0), width=6.0
    )
    assert sharpest_crease(road.shared_table())[0] > 1e-3
    with pytest.raises(InputError, match="an edge over which a wheel cannot roll"):
        build_model(disc_on(road, (5, 0, 0.3), (0, 0, 0), (0, 0, 0)))
    even = RoadMedusa4("road", points=((0, 0, 0), (10, 1, 0), (20, 0, 1), (30, 0, 0)), bank=(0.1,) * 4, width=6.0)
    here = surface_point(even, 0.3)
    system = disc_on(even, tuple(here.position + 0.3 * here.normal), (0, 0, 0), (0, 0, 0))
    run = simulate(system, duration=0.5, frames=0.1)
    assert run.status.completed and run["constraint.residual"].max() < 1e-12


@settings(max_examples=25)
@given(
    st.lists(st.tuples(st.floats(-50, 50), st.floats(-50, 50), st.floats(-3, 3)), min_size=2, max_size=5, unique=True),
    st.floats(-1.0, 1.0),
    st.floats(-60.0, 200.0),
    st.floats(-20.0, 20.0),
)
def test_search_on_any_road_ends(points, bank, s, lateral):
    """Wild roads and far wheels give numbers or a clear status, never an endless search or a crash."""
    try:
        road = RoadSpline("any", points=tuple(points), bank=bank)
        table = road.shared_table()
    except InputError:
        return
    touch = touch_road(table, (s, lateral, 1.0), (0.0, 1.0, 0.0), 0.3, 0.02)
    assert not touch.found or math.isfinite(touch.gap)
