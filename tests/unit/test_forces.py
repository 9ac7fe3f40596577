"""Every force keeps the contract, in all its modes; bad parameters are refused with a message that helps."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from centrode.dynamics.bench import Bench
from centrode.dynamics.contract import check_part, failures
from centrode.dynamics.examples import example_values
from centrode.dynamics.workspace import Workspace
from centrode.errors import InputError
from centrode.math.rotation import matrix_from_quaternion
from centrode.parts import registry
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.forces.actuator import Actuator
from centrode.parts.forces.box_contact import BoxContact
from centrode.parts.forces.bushing import Bushing
from centrode.parts.forces.central_gravity import CentralGravity
from centrode.parts.forces.drag import Drag
from centrode.parts.forces.friction import Friction
from centrode.parts.forces.law import pack_table, table_energy, table_value
from centrode.parts.forces.motor import Motor
from centrode.parts.forces.path_spring import PathSpring
from centrode.parts.forces.point_force import PointForce
from centrode.parts.forces.rotational_spring import RotationalSpring
from centrode.parts.forces.sphere_contact import SphereContact
from centrode.parts.forces.spring import Spring
from centrode.parts.forces.stop import Stop
from centrode.parts.forces.thruster import Thruster
from centrode.parts.forces.torque import Torque
from centrode.parts.forces.weight import Weight
from centrode.parts.joints.rows import FIRST
from centrode.system.builder import System
from centrode.system.model import build_model

EXPECTED = {
    "point-force",
    "torque",
    "spring",
    "path-spring",
    "rotational-spring",
    "bushing",
    "actuator",
    "motor",
    "drag",
    "friction",
    "stop",
    "sphere-contact",
    "box-contact",
    "weight",
    "thruster",
    "central-gravity",
}
OWN = {kind: item for kind, item in registry.kinds("force").items() if kind in EXPECTED}

TABLE = ((-0.6, -3.0), (-0.1, -1.0), (0.0, 0.0), (0.4, 1.0), (1.0, 4.0))
K6 = np.diag([3.0, 4.0, 5.0, 1.0, 2.0, 1.5]) + 0.4 * (np.eye(6, k=3) + np.eye(6, k=-3))
BETWEEN = {"a": "a", "b": "b"}
VARIANTS = {
    "elastic rope": (Spring, {**BETWEEN, "stiffness": 2.0, "damping": 0.7, "length": 0.9, "tension_only": True}),
    "table spring": (Spring, {**BETWEEN, "table": TABLE, "length": 0.8, "damping": 0.3}),
    "table rope": (Spring, {**BETWEEN, "table": TABLE, "length": 0.8, "tension_only": True}),
    "function spring": (Spring, {**BETWEEN, "law": math.sinh, "law_range": (-3.0, 6.0), "length": 0.5}),
    "path of two": (PathSpring, {"through": ("a", "b"), "stiffness": 2.0, "length": 0.4}),
    "path over the ground": (PathSpring, {"through": ("a", "ground", "b"), "table": TABLE, "length": 1.0}),
    "torsion table": (RotationalSpring, {**BETWEEN, "table": TABLE, "damping": 0.2, "axis": (0.2, 0.5, -1.0)}),
    "full bushing": (Bushing, {**BETWEEN, "stiffness_matrix": K6, "damping_matrix": 0.1 * K6}),
    "slider friction": (
        Friction,
        {**BETWEEN, "coulomb": 1.0, "static": 1.4, "slip_speed": 1e-3, "acts": "along-axis"},
    ),
    "slider stop": (
        Stop,
        {**BETWEEN, "upper": 0.1, "lower": -0.2, "stiffness": 3.0, "damping": 0.6, "acts": "along-axis"},
    ),
    "ram": (Actuator, {**BETWEEN, "command": 2.0, "acts": "along-line"}),
    "rack": (Actuator, {**BETWEEN, "command": {"kind": "harmonic", "omega": 2.0}, "acts": "along-axis"}),
    "drag by attitude": (
        Drag,
        {"body": "a", "linear": (1.0, 2.0, 3.0), "drag_coefficient": 1.0, "area": (0.2, 0.5, 1.0)},
    ),
    "ball on a body": (SphereContact, {"body": "a", "plane": "b", "radius": 1.5, "restitution": 0.5, "friction": 0.4}),
    "box on a body": (BoxContact, {"body": "a", "plane": "b", "exponent": 1.5, "damping": 0.3, "friction": 0.4}),
    "soft gravity": (CentralGravity, {**BETWEEN, "strength": -2.0, "softening": 0.1}),
}


def test_all_kinds_are_there():
    assert set(OWN) == EXPECTED


@pytest.mark.parametrize("kind", sorted(EXPECTED))
def test_contract_of_every_kind(kind):
    results = check_part(OWN[kind], states=12)
    assert not failures(results), "\n".join(map(str, failures(results)))
    assert sum(result.passed is True for result in results) >= 7


@pytest.mark.parametrize("name", VARIANTS)
def test_contract_of_every_mode(name):
    kind, values = VARIANTS[name]
    results = check_part(kind, values, states=12, seed=3)
    assert not failures(results), "\n".join(map(str, failures(results)))


@pytest.mark.parametrize("kind", sorted(EXPECTED))
def test_examples_do_something(kind):
    """A contract fulfilled by a force that is always zero would say nothing."""
    bench = Bench(OWN[kind], example_values(OWN[kind]))
    sizes = []
    for _ in range(12):
        bench.randomise()
        sizes.append(np.abs(bench.wrenches()).max())
    assert np.median(sizes) > 1e-3


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0.01, 2.0), st.floats(-50.0, 50.0)), min_size=2, max_size=12),
    st.floats(-5.0, 1.0),
    st.floats(-8.0, 20.0),
)
def test_energy_of_a_table_is_its_integral(pieces, start, x):
    """Against numpy on a grid that holds every corner, where the trapezoidal rule is exact."""
    s = start + np.cumsum([width for width, _ in pieces])
    f = np.array([value for _, value in pieces])
    data = np.array(pack_table(np.column_stack([s, f])))

    def force(at: float) -> float:
        if at <= s[0]:
            return f[0] + (f[1] - f[0]) / (s[1] - s[0]) * (at - s[0])
        if at >= s[-1]:
            return f[-1] + (f[-1] - f[-2]) / (s[-1] - s[-2]) * (at - s[-1])
        return float(np.interp(at, s, f))

    grid = np.unique(np.concatenate([[0.0, x], s[(s > min(0, x)) & (s < max(0, x))]]))
    values = np.array([force(at) for at in grid])
    integral = float(np.trapezoid(values, grid)) * (1 if x >= 0 else -1)
    scale = max(1.0, np.abs(values).max()) * max(1.0, abs(x), np.abs(s).max())
    slope = max(1.0, np.abs(np.diff(f) / np.diff(s)).max())
    assert table_value(data, 0, x) == pytest.approx(force(x), abs=1e-12 * scale * slope)
    assert table_energy(data, 0, x) == pytest.approx(integral, abs=1e-12 * scale * slope)


def test_function_law_is_the_function():
    """1000 linear pieces over a range of 4 m leave an error of (4/1000)^2 f'' / 8 = 2e-6 max|sinh|."""
    bench = Bench(Spring, {**BETWEEN, "law": math.sinh, "law_range": (-1.0, 3.0), "length": 0.0})
    for _ in range(10):
        bench.randomise()
        a, b = bench.own[:2]
        length = float(np.linalg.norm(bench.markers[b, :3] - bench.markers[a, :3]))
        if length < 3.0:
            tension = float(np.linalg.norm(bench.wrenches()[0, :3]))
            assert tension == pytest.approx(math.sinh(length), abs=2.1e-6 * math.sinh(3.0))


def test_path_through_a_point_on_the_line_is_the_straight_spring():
    straight = Bench(Spring, {**BETWEEN, "stiffness": 3.0, "damping": 0.4, "length": 0.5}, seed=5)
    path = Bench(PathSpring, {"through": ("a", "b"), "stiffness": 3.0, "damping": 0.4, "length": 0.5}, seed=5)
    for _ in range(5):
        straight.randomise()
        path.randomise()
        assert np.array_equal(straight.wrenches(), path.wrenches())


def test_friction_of_stribeck_rises_towards_rest():
    """Level between sliding and rest: at twice the smoothing speed above it, below it, far away."""
    values = {**BETWEEN, "coulomb": 1.0, "static": 2.0, "stribeck_speed": 0.1, "slip_speed": 1e-6, "acts": "along-axis"}
    bench = Bench(Friction, values)
    for speed in (0.01, 0.1, 3.0):
        bench.workspace["pose"][:] = bench.model.pose
        bench.workspace["velocity"][:] = 0.0
        bench.workspace["velocity"][1, 2] = speed
        bench.refresh()
        level = 1.0 + math.exp(-((speed / 0.1) ** 2))
        assert bench.wrenches()[1, 2] == pytest.approx(-level, rel=1e-7)


def _system() -> System:
    system = System()
    system.add(RigidBody("a", 1.0, (1.0, 1.0, 1.0)))
    system.add(RigidBody("b", 1.0, (1.0, 1.0, 1.0), position=(1.0, 0.0, 0.0)))
    return system


NAN = float("nan")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Spring("f", "a", "b", -1.0), ("f.stiffness", "at least 0")),
        (lambda: Spring("f", "a", "b", NAN), ("f.stiffness", "finite")),
        (lambda: Spring("f", "a", "b", damping=-0.1), ("f.damping", "at least 0")),
        (lambda: Spring("f", "a", "bb", 1.0), ("f.b", "unknown body", "did you mean 'b'")),
        (lambda: Spring("f", "a", "b", table=((0.0, 0.0), (1.0, 2.0), (0.5, 3.0))), ("f.table[2]", "ascend")),
        (lambda: Spring("f", "a", "b", table=((0.0, 0.0), (1.0, NAN))), ("f.table", "finite")),
        (lambda: Spring("f", "a", "b", table=((0.0, 0.0),)), ("f.table", "rows")),
        (lambda: Spring("f", "a", "b", 3.0, table=TABLE), ("exclude each other",)),
        (lambda: Spring("f", "a", "b", law=math.sin), ("f.law_range",)),
        (lambda: Spring("f", "a", "b", law=math.sqrt, law_range=(-1.0, 1.0)), ("f.law", "ValueError")),
        (lambda: Spring("f", "a", "b", 1.0, point_a=(0.0, NAN, 0.0)), ("f.point_a", "finite")),
        (lambda: PathSpring("f", ("a",), 1.0), ("f.through", "two points")),
        (lambda: PathSpring("f", ("a", "b"), 1.0, places=((0.0, 0.0, 0.0),)), ("f.places", "2 places")),
        (lambda: RotationalSpring("f", "a", stiffness=1.0), ("f.b", "joint")),
        (lambda: RotationalSpring("f", "a", "b", stiffness=1.0, axis=(0.0, 0.0, 0.0)), ("f.axis", "all zero")),
        (lambda: RotationalSpring("f", joint="hinge", stiffness=1.0), ("f.joint", "unknown joint")),
        (lambda: PointForce("f", "a", 1.0, (0.0, 0.0, 0.0)), ("f.direction", "all zero")),
        (lambda: PointForce("f", "a", NAN), ("f.magnitude", "finite")),
        (lambda: PointForce("f", "a", {"kind": "harmonc", "omega": 1.0}), ("f.magnitude", "did you mean 'harmonic'")),
        (lambda: PointForce("f", "a", 1.0, fixed_to="bdy"), ("f.fixed_to", "one of world, body")),
        (lambda: Torque("f", "a", "fast"), ("f.magnitude", "signal")),
        (lambda: Weight("f", "a", 1.0, direction=(0.0, 0.0, 0.0)), ("f.direction", "all zero")),
        (lambda: Bushing("f", "a", "b", (1.0, 2.0)), ("f.stiffness", "three")),
        (lambda: Bushing("f", "a", "b", stiffness_matrix=np.eye(5)), ("f.stiffness_matrix", "6 x 6")),
        (lambda: Bushing("f", "a", "b", stiffness_matrix=-np.eye(6)), ("f.stiffness_matrix", "eigenvalue")),
        (lambda: Bushing("f", "a", "b", stiffness_matrix=K6 + np.eye(6, k=1)), ("symmetric",)),
        (lambda: Actuator("f", "a", "b", lower=2.0, upper=1.0), ("f.lower", "below")),
        (lambda: Actuator("f", "a", "b", lag=-1.0), ("f.lag", "at least 0")),
        (lambda: Motor("f", "a", "b", no_load_speed=0.0), ("f.no_load_speed", "above 0")),
        (lambda: Thruster("f", "a", 1.0, (0.0, 0.0, 0.0)), ("f.direction", "all zero")),
        (lambda: Drag("f", "a", linear=-1.0), ("f.linear", "at least 0")),
        (lambda: Drag("f", "a", area=(1.0, 2.0)), ("f.area", "three")),
        (lambda: Drag("f", "a", wind=(1.0, NAN, 0.0)), ("f.wind", "finite")),
        (lambda: Friction("f", "a", "b", coulomb=2.0, static=1.0), ("f.static", "at least 2")),
        (lambda: Stop("f", "a", "b"), ("f.upper", "limit")),
        (lambda: Stop("f", "a", "b", lower=1.0, upper=0.0), ("f.lower", "below 0")),
        (lambda: SphereContact("f", "a", -1.0), ("f.radius", "at least 0")),
        (lambda: SphereContact("f", "a", 1.0, plane_normal=(0.0, 0.0, 0.0)), ("f.plane_normal", "all zero")),
        (lambda: SphereContact("f", "a", 1.0, damping=1.0, restitution=0.5), ("exclude each other",)),
        (lambda: SphereContact("f", "a", 1.0, restitution=1.5), ("f.restitution", "at most 1")),
        (lambda: BoxContact("f", "a", (1.0, 0.0, 1.0)), ("f.size", "above 0")),
        (lambda: BoxContact("f", "a", (1.0, 1.0)), ("f.size", "three")),
        (lambda: CentralGravity("f", "a", "b", NAN), ("f.strength", "finite")),
    ],
)
def test_bad_parameters_are_refused(make, words):
    system = _system()
    with pytest.raises(InputError) as caught:
        system.add(make())
        build_model(system)
    for word in words:
        assert word in str(caught.value), str(caught.value)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(EXPECTED)), st.integers(0, 2**32 - 1), st.floats(-3.0, 3.0))
def test_any_state_at_any_scale(kind, seed, decade):
    """Random states blown up or shrunk: finite wrenches, reaction in balance, power and energy in balance.

    The energy's difference quotient loses digits when the bodies move by less than round-off or by more than the
    force's own length, so the rate is checked within a factor of ten of order one only.
    """
    bench = Bench(OWN[kind], example_values(OWN[kind]), seed=seed)
    bench.randomise()
    scale = 10.0**decade
    bench.workspace["pose"][:, :3] *= scale
    bench.workspace["velocity"][:] *= scale
    bench.refresh()
    wrench = bench.wrenches()
    assert np.all(np.isfinite(wrench))
    if not OWN[kind].external:
        arms = bench.markers[bench.own, :3]
        moment = wrench[:, 3:] + np.cross(arms, wrench[:, :3])
        assert np.abs(wrench[:, :3].sum(axis=0)).max() <= 1e-12 * max(1e-300, np.abs(wrench).sum())
        assert np.abs(moment.sum(axis=0)).max() <= 1e-12 * max(1e-300, np.abs(moment).sum() + np.abs(wrench).sum())
    if not OWN[kind].active and abs(decade) <= 1.0:
        still = bench.markers.copy()
        still[:, 3:9] = 0.0
        motion = bench.markers[bench.own, 3:9]
        held = bench.wrenches(markers=still)
        size = np.abs(held * motion).sum() + np.abs(wrench * motion).sum()
        assert ((wrench - held) * motion).sum() <= 1e-12 * max(size, 1e-300)
        smooth = np.abs(bench.energies()).max() > 1e-3  # away from the kink where contacts and stops begin
        if smooth:
            assert (held * motion).sum() + bench.energy_rate() == pytest.approx(0.0, abs=1e-5 * max(size, 1.0))


def tilted_box(seed, gap):
    """A box with its lowest corner ``gap`` above a tilted plane on a body; the law is stiff, damped and rough."""
    rng = np.random.default_rng(seed)
    size, turns = rng.uniform(0.5, 2.0, 3), [matrix_from_quaternion(q) for q in rng.normal(size=(3, 4))]
    centre, normal, foot = rng.normal(size=3), rng.normal(size=3), rng.normal(size=3)
    normal /= np.linalg.norm(normal)
    signs = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
    own = centre + (signs * size / 2.0) @ turns[1].T  # corners in the frame of the body
    corners = own @ turns[0].T
    base, up = turns[2] @ foot + (1.0, 2.0, 3.0), turns[2] @ normal
    place = (gap - (corners @ up).min() + base @ up) * up
    system = System(gravity=(0, 0, 0))
    matrices = [tuple(map(tuple, turn.tolist())) for turn in turns]
    motion = [tuple(rng.normal(size=3)) for _ in range(4)]
    system.add(
        RigidBody(
            "box", 2.0, (0.3,) * 3, position=tuple(place), orientation=matrices[0], velocity=motion[0], omega=motion[1]
        )
    )
    system.add(
        RigidBody(
            "base", 5.0, (0.7,) * 3, position=(1, 2, 3), orientation=matrices[2], velocity=motion[2], omega=motion[3]
        )
    )
    contact = BoxContact(
        "contact", body="box", size=tuple(size), point_body=tuple(centre), orientation=matrices[1], plane="base",
        plane_point=tuple(foot), plane_normal=tuple(normal), stiffness=1e3, exponent=1.5, damping=0.2, friction=0.4,
        slip_speed=0.1,
    )  # fmt: skip
    system.add(contact)
    workspace = Workspace(build_model(system))
    workspace.evaluate(0.0)
    return workspace, corners + place, up, base, turns


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("gap", [-0.01, 0.01])
def test_a_box_knows_at_the_start_whether_a_corner_touches(seed, gap):
    """Its lowest corner is 1 cm to either side of the plane, far less than its half-lengths."""
    workspace, corners, up, base, _ = tilted_box(seed, gap)
    assert ((corners - base) @ up).min() == pytest.approx(gap, abs=1e-12)
    assert workspace["force_memory"][0, FIRST] == float(gap < 0.0)


@pytest.mark.parametrize("seed", range(4))
def test_the_corners_of_a_box_push_one_by_one(seed):
    """Hunt and Crossley with smoothed friction at every corner below the plane: d p = sum f, d L = sum r x f.

    Inertias are equal about all axes, so nothing else turns a body.
    """
    workspace, corners, up, base, turns = tilted_box(seed, -0.6)
    pose, motion = workspace["pose"], workspace["velocity"]
    spins = turns[0] @ motion[0, 3:], turns[2] @ motion[1, 3:]
    force, moments = np.zeros(3), np.zeros((2, 3))
    deep = 0
    for corner in corners:
        depth = -(corner - base) @ up
        if depth <= 0.0:
            continue
        deep += 1
        speeds = [motion[k, :3] + np.cross(spins[k], corner - pose[k, :3]) for k in range(2)]
        u = speeds[0] - speeds[1]
        push = 1e3 * depth**1.5 * max(0.0, 1.0 - 0.2 * (u @ up))
        slip = u - (u @ up) * up
        f = push * up - 0.4 * push * slip / math.sqrt(slip @ slip + 0.1**2)
        force += f
        moments += np.array([np.cross(corner - pose[0, :3], f), -np.cross(corner - pose[1, :3], f)])
    assert deep > 1
    rates = workspace["acceleration"]
    assert 2.0 * rates[0, :3] == pytest.approx(force, rel=1e-10) and 5.0 * rates[1, :3] == pytest.approx(
        -force, rel=1e-10
    )
    assert 0.3 * turns[0] @ rates[0, 3:] == pytest.approx(moments[0], rel=1e-9, abs=1e-9)
    assert 0.7 * turns[2] @ rates[1, 3:] == pytest.approx(moments[1], rel=1e-9, abs=1e-9)
