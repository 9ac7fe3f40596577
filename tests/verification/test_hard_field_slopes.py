"""A height field of one slope is a plane: every kind of outline has the same points and the same motion on both."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import centrode as ct
from centrode.running import Session
from centrode.system.settings import RunSettings

KINDS = ("sphere", "capsule", "cylinder", "disc", "rod", "box", "polyhedron", "ellipsoid", "superellipsoid")
GRAVITY = 9.81


def outline(kind: str, rng: np.random.Generator) -> ct.Outline:
    """An outline of the body 'b' with random sizes of some 0.1 m."""
    a, b, c = rng.uniform(0.04, 0.1, 3).tolist()
    made = {
        "sphere": lambda: ct.OutlineSphere("o", "b", radius=a),
        "capsule": lambda: ct.OutlineCapsule("o", "b", radius=a, half_length=b),
        "cylinder": lambda: ct.OutlineCylinder("o", "b", radius=a, half_length=b),
        "disc": lambda: ct.OutlineCylinder("o", "b", radius=2.0 * a, half_length=0.1 * b),
        "rod": lambda: ct.OutlineCylinder("o", "b", radius=0.3 * a, half_length=8.0 * b),
        "box": lambda: ct.OutlineBox("o", "b", half_lengths=(a, b, c)),
        "polyhedron": lambda: ct.OutlinePolyhedron(
            "o", "b", points=[(x * a, y * b, z * c) for x, y, z in itertools.product((-1.0, 1.0), repeat=3)]
        ),
        "ellipsoid": lambda: ct.OutlineEllipsoid("o", "b", semi_axes=(a, b, c)),
        "superellipsoid": lambda: ct.OutlineSuperellipsoid("o", "b", semi_axes=(a, b, c), squareness=0.6),
    }
    return made[kind]()


def turned(x: np.ndarray) -> tuple[tuple[float, ...], ...]:
    return tuple(map(tuple, x.tolist()))


class Slope:
    """A field of one slope, on axes that are turned themselves, and the plane through it."""

    def __init__(self, rng: np.random.Generator, steepest: float, finest: float = 0.06) -> None:
        self.axes = Rotation.from_rotvec(rng.uniform(-0.3, 0.3, 3)).as_matrix()
        rise = np.tan(rng.uniform(0.0, steepest)) * np.array([np.cos(turn := rng.uniform(0.0, 6.28)), np.sin(turn)])
        spacing = rng.uniform(finest, 0.5, 2)
        count = np.ceil(6.0 / spacing).astype(int)
        x, y = ((np.arange(k) - 0.5 * (k - 1)) * s for k, s in zip(count, spacing, strict=True))
        heights = rise[0] * x[:, None] + rise[1] * y[None, :]
        self.field = ct.OutlineHeightField(
            "land", heights=turned(heights), spacing=tuple(spacing.tolist()), rotation=turned(self.axes)
        )
        own = np.array([-rise[0], -rise[1], 1.0])
        self.normal = self.axes @ own / np.linalg.norm(own)
        aside = np.cross(self.normal, (0.3, 0.7, 0.2))
        aside /= np.linalg.norm(aside)
        self.frame = np.array([aside, np.cross(self.normal, aside), self.normal]).T
        self.plane = ct.OutlinePlane("land", "ground", rotation=turned(self.frame))


def session(ground: ct.Outline, body: ct.RigidBody, shape: ct.Outline, **run: float) -> Session:
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    for part in (ground, body, shape, ct.Collisions("collisions", allowed_overlap=1.0), ct.HardContact("law")):
        system.add(part)
    return Session(system, RunSettings(duration=1.0, method="moreau", **run))


def contacts(ground: ct.Outline, place: np.ndarray, turn: Rotation, shape: ct.Outline) -> np.ndarray:
    """Rows (place on the body from its centre, normal, gap) of a first, tiny step."""
    x, y, z, w = turn.as_quat()
    body = ct.RigidBody("b", 1.0, (1.0,) * 3, position=tuple(place.tolist()), orientation=(w, x, y, z))
    made = session(ground, body, shape, step=1e-9)
    made.advance(np.array([0.0, 1e-9]))
    t = made.workspace.contacts.tables
    rows = t.contacts[: t.head[0].points]
    return np.hstack([rows["arm_b"], rows["normal"], rows["gap"][:, None]])


@pytest.mark.parametrize("kind", KINDS)
def test_points_on_a_field_of_one_slope_are_those_on_a_plane(kind: str) -> None:
    rng = np.random.default_rng(KINDS.index(kind))
    for k in range(30):
        slope, shape = Slope(rng, 0.6), outline(kind, rng)
        turn = Rotation.random(random_state=1000 * KINDS.index(kind) + k)
        if k % 3 == 1:  # on a flat side or an end
            turn = Rotation.from_matrix(slope.frame)
        elif k % 3 == 2:  # on a round side, or on another flat one
            turn = Rotation.from_matrix(slope.frame) * Rotation.from_euler("zx", [rng.uniform(0.0, 6.0), np.pi / 2])
        place = slope.frame[:, :2] @ rng.uniform(-1.0, 1.0, 2)
        deep = contacts(slope.plane, place, turn, shape)[:, 6].min()
        place = place - (deep + 1e-5) * slope.normal
        wanted = contacts(slope.plane, place, turn, shape)
        found = contacts(slope.field, place, turn, shape)
        assert found[:, 6].min() == pytest.approx(-1e-5, abs=1e-9)
        assert found[:, 3:6] == pytest.approx(np.broadcast_to(slope.normal, (len(found), 3)), abs=1e-9)
        apart = np.linalg.norm(found[:, None, :3] - wanted[None, :, :3], axis=2)
        if kind in ("cylinder", "disc") and k % 3 == 1:  # any four points, evenly over the rim that it stands on
            for rows in (found, wanted):
                assert rows[:, 6] == pytest.approx([-1e-5] * 4, abs=1e-9)
                assert np.linalg.norm(rows[:, :3].mean(axis=0) + shape.half_length * slope.normal) < 1e-6
        else:
            assert apart.min(axis=1).max() < 1e-7  # no point that is not one of the plane, and none is missing
            assert apart.min(axis=0).max() < 1e-7


def inertia(mass: float, shape: ct.Outline) -> tuple[float, float, float]:
    if isinstance(shape, ct.OutlineCylinder):
        across = mass * (3.0 * shape.radius**2 + 4.0 * shape.half_length**2) / 12.0
        return across, across, 0.5 * mass * shape.radius**2
    size = shape.bounding_radius()
    return 0.20 * mass * size**2, 0.25 * mass * size**2, 0.3 * mass * size**2


@pytest.mark.parametrize("kind", KINDS)
def test_motion_on_a_field_of_one_slope_is_that_on_a_plane(kind: str) -> None:
    """From a random pose that just touches: it topples, slides and rolls for a quarter of a second.

    Half of a cell is more than the half-width of every body, so that the same overlap is left alone on both grounds.
    """
    rng = np.random.default_rng(100 + KINDS.index(kind))
    for _ in range(6):
        slope, shape = Slope(rng, 0.4, 0.25), outline(kind, rng)
        turn = Rotation.from_matrix(slope.frame) * Rotation.random(random_state=rng.integers(1 << 30))
        place = slope.frame[:, :2] @ rng.uniform(-0.5, 0.5, 2)
        place = place - contacts(slope.plane, place, turn, shape)[:, 6].min() * slope.normal
        x, y, z, w = turn.as_quat()
        start = {
            "position": tuple(place.tolist()),
            "orientation": (w, x, y, z),
            "velocity": tuple((slope.frame[:, :2] @ rng.uniform(-0.5, 0.5, 2)).tolist()),
            "omega": tuple(rng.uniform(-2.0, 2.0, 3).tolist()),
        }
        runs = []
        for ground in (slope.plane, slope.field):
            system = ct.System(gravity=(0.0, 0.0, -GRAVITY))
            body = ct.RigidBody("b", 1.0, inertia(1.0, shape), **start)
            for part in (ground, body, shape, ct.HardContact("law", restitution=0.0, friction=0.4)):
                system.add(part)
            runs.append(ct.simulate(system, duration=0.25, method="moreau", step=2e-4))
        assert runs[1].status == runs[0].status == "completed"
        assert runs[1]["b.position"] == pytest.approx(runs[0]["b.position"], abs=1e-6)
        assert runs[1]["b.velocity"] == pytest.approx(runs[0]["b.velocity"], abs=1e-4)


@pytest.mark.parametrize("degrees", [0.1, 1.0, 5.0, 20.0])
@pytest.mark.parametrize("half_length", [0.02, 0.1, 0.5])
def test_a_cylinder_rolls_down_a_field(degrees: float, half_length: float) -> None:
    """v0 + 2/3 g sin(slope), on its side and without sinking in."""
    angle, radius, speed = np.radians(degrees), 0.05, 0.5
    down, normal = np.array([np.cos(angle), 0.0, -np.sin(angle)]), np.array([np.sin(angle), 0.0, np.cos(angle)])
    heights = tuple((-np.tan(angle) * 0.1 * (i - 40.0),) * 21 for i in range(81))
    system = ct.System(gravity=(0.0, 0.0, -GRAVITY))
    system.add(ct.OutlineHeightField("land", heights=heights, spacing=(0.1, 0.1)))
    place = np.array([-2.0, 0.03, 2.0 * np.tan(angle)]) + radius * normal
    shape = ct.OutlineCylinder("o", "b", radius=radius, half_length=half_length)
    lying = tuple(Rotation.from_euler("x", 90, degrees=True).as_quat()[[3, 0, 1, 2]].tolist())
    system.add(
        ct.RigidBody(
            "b", 0.3, inertia(0.3, shape), position=tuple(place.tolist()), orientation=lying,
            velocity=tuple((speed * down).tolist()), omega=(0.0, 0.0, -speed / radius),
        )
    )  # fmt: skip
    system.add(shape)
    system.add(ct.HardContact("law", restitution=0.1, friction=0.3))
    run = ct.simulate(system, duration=1.0, method="moreau")
    assert run.status == "completed" and not run.warnings
    wanted = speed + 2.0 / 3.0 * GRAVITY * np.sin(angle)
    assert run["b.velocity"][-1] @ down == pytest.approx(wanted, rel=1e-8)
    assert np.abs((run["b.position"] - place) @ normal).max() < 1e-9


def on_a_ridge(shape: ct.Outline, height: float, aside: float, turn: Rotation) -> np.ndarray:
    """Points over a ridge along own x, 0.5 m high, that falls by 0.4 on one side and by 0.2 on the other."""
    y = 0.5 * (np.arange(9) - 4.0)
    heights = ((0.5 - np.where(y > 0.0, 0.4 * y, -0.2 * y)).tolist(),) * 7
    field = ct.OutlineHeightField("land", heights=tuple(map(tuple, heights)), spacing=(0.5, 0.5))
    return contacts(field, np.array([0.1, aside, 0.5 + height]), turn, shape)


@pytest.mark.parametrize("kind", ["cylinder", "ellipsoid"])
@pytest.mark.parametrize("aside", [-0.01, 0.0, 0.02])
def test_what_lies_along_a_ridge_touches_its_edge(kind: str, aside: float) -> None:
    """The edge is nearer than both faces while the axis is above it: normal from the edge to the axis."""
    radius, height = 0.2, 0.1999 - 0.1 * abs(aside)
    if kind == "cylinder":
        shape, turn = ct.OutlineCylinder("o", "b", radius=radius, half_length=0.3), Rotation.from_euler("y", np.pi / 2)
    else:
        shape, turn = ct.OutlineEllipsoid("o", "b", semi_axes=(0.3, radius, radius)), Rotation.identity()
    rows = on_a_ridge(shape, height, aside, turn)
    assert len(rows) == (2 if kind == "cylinder" else 1)
    for row in rows:
        away = np.array([0.0, aside, height]) / np.hypot(aside, height)
        assert row[3:6] == pytest.approx(away, abs=1e-9)
        assert row[6] == pytest.approx(np.hypot(aside, height) - radius, abs=1e-9)
        assert row[1:3] == pytest.approx(-radius * away[1:], abs=1e-9)
