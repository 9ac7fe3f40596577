"""What a step with hard contacts notes: bounds, edges that cross, mean forces, work, heat, and what a later step reads.

Against momentum and energy of the bodies, corners in plain NumPy, and a run that is not stopped.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import centrode as ct
from centrode.dynamics.hard.tables import Size
from centrode.parts.kernel_types import MEMORY_WIDTH
from centrode.parts.tables import NOTES_WIDTH, contact_notes
from centrode.running import Session
from centrode.system.settings import RunSettings

G, STEP = 9.81, 1e-3
INERTIA, MASS = (0.02, 0.05, 0.03), (1.0, 2.0, 0.5)
"""Of three bodies: equal about all axes, so that nothing but contacts changes the turning."""


def quaternion(turn: Rotation) -> tuple[float, float, float, float]:
    x, y, z, w = turn.as_quat()
    return w, x, y, z


def session_of(system: ct.System, step: float = STEP, **law: float) -> Session:
    system.add(ct.Collisions("collisions", allowed_overlap=1.0))
    system.add(ct.HardContact("law", **({"restitution": 0.3, "friction": 0.4} | law)))
    return Session(system, RunSettings(duration=1.0, method="moreau", step=step))


# -- bounds ------------------------------------------------------------------------------------------------------------


def test_bounds_of_boxes_hold_all_eight_corners_and_no_more() -> None:
    """At rest without weight: what is on top of the corners is the way that an outline may move."""
    rng = np.random.default_rng(3)
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    corners = []
    for k in range(8):
        half, turn, place = rng.uniform(0.1, 0.6, 3), Rotation.random(random_state=k), 5.0 * rng.normal(size=3)
        own, centre = Rotation.random(random_state=20 + k), rng.normal(size=3)
        body = ct.RigidBody(f"b{k}", 1.0, (1.0,) * 3, position=tuple(place), orientation=quaternion(turn))
        system.add(body)
        system.add(
            ct.OutlineBox(
                f"o{k}",
                f"b{k}",
                half_lengths=tuple(half),
                centre=tuple(centre),
                rotation=tuple(map(tuple, own.as_matrix().tolist())),
            )
        )
        signs = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
        corners.append(place + turn.apply(centre + own.apply(signs * half)))
    session = session_of(system)
    session.advance(np.array([0.0, STEP]))
    t = session.workspace.contacts.tables
    for box, listed, points in zip(t.boxes, t.listed, corners, strict=True):
        assert listed[:3] == pytest.approx(points.mean(axis=0), abs=1e-12)
        assert listed[3] > 0.0
        assert box[:3] + listed[3] == pytest.approx(points.min(axis=0), abs=1e-12)
        assert box[3:] - listed[3] == pytest.approx(points.max(axis=0), abs=1e-12)


# -- edges -------------------------------------------------------------------------------------------------------------


def turned_edge(rng: np.random.Generator, axis: int, along: np.ndarray, out: np.ndarray) -> tuple[Rotation, np.ndarray]:
    """Turn of a box whose edge along own ``axis`` lies along a vector and is the outermost one towards ``out``.

    Also the signs of the edge's corners across. ``out`` is between the normals of the two faces, 30 to 60 degrees from
    each: edges that lie flatter are left to the faces.
    """
    signs = rng.choice((-1.0, 1.0), 3)
    signs[axis] = 0.0
    one, two = (k for k in range(3) if k != axis)
    angle, own = rng.uniform(np.pi / 6, np.pi / 3), np.zeros(3)
    own[one], own[two] = signs[one] * np.cos(angle), signs[two] * np.sin(angle)
    edge = np.eye(3)[axis]
    of_world, of_box = (np.column_stack([n, e, np.cross(n, e)]) for n, e in ((out, along), (own, edge)))
    return Rotation.from_matrix(of_world @ of_box.T), signs


@pytest.mark.parametrize(("one", "two"), list(itertools.product(range(3), repeat=2)))
def test_edges_that_cross_touch_where_they_cross(one: int, two: int) -> None:
    """Any edge of a box on any edge of another, across each other by 60 degrees or more, anywhere along them."""
    rng = np.random.default_rng([one, two])
    n, p = Rotation.random(random_state=int(rng.integers(1 << 30))).as_matrix()[:2]
    angle = rng.uniform(np.pi / 3, 2 * np.pi / 3)
    q = np.cos(angle) * p + np.sin(angle) * np.cross(n, p)
    gap, place, halves = -0.004, rng.normal(size=3), rng.uniform(0.3, 0.6, (2, 3))
    system, centres = ct.System(gravity=(0.0, 0.0, 0.0)), []
    for k, (axis, along, out) in enumerate(((one, p, n), (two, q, -n))):
        turn, signs = turned_edge(rng, axis, along, out)
        on_edge = place - 0.5 * gap * out  # that of A is below the middle of the gap along n, that of B above
        centre = on_edge - turn.apply(signs * halves[k]) + rng.uniform(-0.1, 0.1) * along
        system.add(
            ct.RigidBody(f"b{k}", 1.0, (1.0,) * 3, position=tuple(centre.tolist()), orientation=quaternion(turn))
        )
        system.add(ct.OutlineBox(f"o{k}", f"b{k}", half_lengths=tuple(halves[k])))
        centres.append(centre)
    session = session_of(system, 1e-9)
    session.advance(np.array([0.0, 1e-9]))
    t = session.workspace.contacts.tables
    assert t.head[0].points == 1
    point = t.contacts[0]
    assert point.gap == pytest.approx(gap, abs=1e-12)
    assert np.array(point.normal) == pytest.approx(n, abs=1e-12)
    assert np.array(point.arm_a) == pytest.approx(place - centres[0], abs=1e-9)
    assert np.array(point.arm_b) == pytest.approx(place - centres[1], abs=1e-9)


# -- forces, work, heat ------------------------------------------------------------------------------------------------


def balls(seed: int, deep: float) -> ct.System:
    """A ball leans on another, a third lies apart; all of them move and turn, each ``deep`` in what is below it."""
    rng = np.random.default_rng(seed)
    system = ct.System(gravity=(0.0, 0.0, -G))
    system.add(ct.OutlinePlane("floor", "ground"))
    low = 0.1 - deep
    above = (0.06, 0.08, low + np.sqrt((0.2 - deep) ** 2 - 0.1**2))
    for k, place in enumerate(((0.0, 0.0, low), above, (0.5, 0.0, low))):
        speed, spin = rng.normal(size=3), rng.normal(size=3)
        speed[2] = (0.0, -0.3, -0.2)[k]
        inertia = (INERTIA[k],) * 3
        system.add(
            ct.RigidBody(f"b{k}", MASS[k], inertia, position=place, velocity=tuple(0.3 * speed), omega=tuple(spin))
        )
        system.add(ct.OutlineSphere(f"o{k}", f"b{k}", radius=0.1))
    system.add(ct.PointForce("nothing", "b0", direction=(1.0, 0.0, 0.0), magnitude=0.0))
    return system


def momenta(session: Session) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Momentum (world axes) and moment of momentum (body axes) of every body, and its energy."""
    w = session.workspace
    mass, inertia, speed = np.array(MASS), np.array(INERTIA), w["velocity"][:, :3].copy()
    spin = w["velocity"][:, 3:]
    energy = 0.5 * mass * (speed**2).sum(axis=1) + 0.5 * inertia * (spin**2).sum(axis=1) + mass * G * w["pose"][:, 2]
    return mass[:, None] * speed, inertia[:, None] * spin, energy


@pytest.mark.parametrize("deep", [0.0, 0.002])
@pytest.mark.parametrize("seed", range(2))
def test_mean_forces_are_the_change_of_momentum_and_work_is_the_energy_gained(seed: int, deep: float) -> None:
    """d p = h (F - m g z), d L = h M, and the work of contacts is d (T + m g z) of each body, all to round-off.

    The heat is what all of them lose. Impulses act in the middle of the step, where a body has turned by h w / 2.
    """
    session = session_of(balls(seed, deep))
    w, t = session.workspace, session.workspace.contacts.tables
    first, audit = w.tables.contact_state, w.tables.audit + 1  # behind the work of the force
    middle = [Rotation.from_quat([*pose[4:7], pose[3]]) for pose in w["pose"]]
    middle = [turn * Rotation.from_rotvec(0.5 * STEP * v[3:]) for turn, v in zip(middle, w["velocity"], strict=True)]
    before, kept = momenta(session), w["states"].copy()
    session.advance(np.array([0.0, STEP]))
    after = momenta(session)
    force, moment = np.zeros((3, 3)), np.zeros((3, 3))
    for e in range(3):
        row = NOTES_WIDTH // MEMORY_WIDTH + Size.FORCE_ROWS * e
        force[e], moment[e] = w["contact_memory"][row][:3], w["contact_memory"][row + 1][:3]
    weight = np.outer(MASS, (0.0, 0.0, -G))
    assert np.abs(moment).max() > 1.0 and np.abs(force).max() > 10.0
    # Momenta of some kg m/s, each the sum of some hundred corrections in the sweeps: 1e-14 of it, over 1 ms.
    assert force == pytest.approx((after[0] - before[0]) / STEP - weight, abs=1e-9)
    turned = [turn.apply(change) for turn, change in zip(middle, after[1] - before[1], strict=True)]
    assert moment == pytest.approx(np.array(turned) / STEP, abs=1e-9)
    changed = w["states"] - kept
    assert changed[first : first + 9].reshape(3, 3) == pytest.approx(STEP * force, abs=1e-13)
    gained = after[2] - before[2]
    assert changed[audit : audit + 3] == pytest.approx(gained, abs=1e-12)
    assert changed[first + 9] == pytest.approx(-gained.sum(), abs=1e-12)
    assert changed[first + 10] > 0.0
    lifted = np.array(t.solids["shift"])[1:, 2]
    assert (lifted > 1e-5).all() == (deep > 0.0)
    assert t.head[0].lifted == pytest.approx(G * lifted @ MASS, abs=1e-14)


def test_heat_of_friction_is_its_part_of_the_heat() -> None:
    """A block that slides on the floor loses mu m g h (v + v+) / 2 by friction and nothing else."""
    system = ct.System(gravity=(0.0, 0.0, -G))
    system.add(ct.OutlinePlane("floor", "ground"))
    system.add(ct.RigidBody("b", 2.0, (2.7, 2.7, 5.3), position=(0.0, 0.0, 0.05), velocity=(1.5, -2.0, 0.0)))
    system.add(ct.OutlineBox("o", "b", half_lengths=(2.0, 2.0, 0.05)))
    session = session_of(system, friction=0.3)
    w = session.workspace
    session.advance(np.array([0.0, STEP]))
    speed = 2.5 - 0.3 * G * STEP
    heat = 0.5 * 2.0 * (2.5**2 - speed**2)
    first = w.tables.contact_state
    # sweeps end when a velocity changes by less than 1e-7 of G h + 1e-9 v
    assert np.linalg.norm(w["velocity"][0, :2]) == pytest.approx(speed, abs=1e-8)
    assert w["states"][first + 3 : first + 5] == pytest.approx([heat, heat], abs=1e-7)


@pytest.mark.parametrize("e", [0.3, 0.9])
def test_a_hit_notes_its_heat_and_what_passed_through_it(e: float) -> None:
    """A ball of speed v on the floor: p = m (1 + e) v, heat m v^2 (1 - e^2) / 2; half of p v has passed."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.OutlinePlane("floor", "ground"))
    system.add(ct.RigidBody("b", 2.0, (0.02,) * 3, position=(0.0, 0.0, 0.1), velocity=(0.0, 0.0, -1.5)))
    system.add(ct.OutlineSphere("o", "b", radius=0.1))
    session = session_of(system, restitution=e)
    w = session.workspace
    session.advance(np.array([0.0, STEP]))
    first = w.tables.contact_state
    heat = 0.5 * 2.0 * 1.5**2 * (1.0 - e * e)
    assert w["states"][first : first + 5] == pytest.approx([0, 0, 2.0 * (1 + e) * 1.5, heat, 0.0], abs=1e-12)
    assert contact_notes(w["contact_memory"], 0).passed == pytest.approx(0.5 * 2.0 * (1 + e) * 1.5**2, abs=1e-12)


# -- what a later step reads -------------------------------------------------------------------------------------------


def test_the_deepest_overlap_of_a_run_is_kept_with_its_time() -> None:
    """Two balls pushed apart: deepest in the first step, less in each that follows. The notes stay with the first."""
    deep, radius = 0.02, 0.2
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    for k, x in enumerate((0.0, 2.0 * radius - deep)):
        system.add(ct.RigidBody(f"b{k}", 1.0, (1.0,) * 3, position=(x, 0.0, 0.0)))
        system.add(ct.OutlineSphere(f"o{k}", f"b{k}", radius=radius))
    session = session_of(system)
    seen = []
    for k in range(1, 5):
        session.advance(np.array([session.run.time, k * STEP]))
        head = session.workspace.contacts.tables.head[0]
        seen.append(float(head.deepest))
        assert head.deepest_ever == seen[0] and head.deep_depth == pytest.approx(deep, rel=1e-9)
        assert {int(head.deep_a), int(head.deep_b)} == {1, 2}
    assert seen[0] == pytest.approx(deep / radius, rel=1e-9)
    assert all(later < earlier for earlier, later in itertools.pairwise(seen))


def test_points_keep_their_impulses_where_a_body_goes() -> None:
    """A brick slides and turns on a plane: its four corners are the same in the next step, by place on the body, so
    each begins with the impulse it had; one that is new begins with none."""
    system = ct.System()
    turn = Rotation.from_euler("z", 0.4)
    place = np.array((3.0, -2.0, 0.1))
    body = ct.RigidBody(
        "b", 1.0, (0.01, 0.02, 0.03), position=tuple(place), orientation=quaternion(turn), velocity=(1.0, 0.5, 0.0),
        omega=(0.0, 0.0, 2.0),
    )  # fmt: skip
    system.add(body)
    system.add(ct.OutlineBox("o", "b", half_lengths=(0.3, 0.2, 0.1)))
    system.add(ct.OutlinePlane("floor", "ground"))
    session = session_of(system, friction=0.1)
    session.advance(np.array([0.0, 3 * STEP]))
    t = session.workspace.contacts.tables
    pair = t.near[0]
    assert pair.count == 4
    # Places of the points, which a later step compares with, are corners of the brick in its own axes.
    own = np.sort(np.abs(np.array([pair.place[n] for n in range(4)])[:, :2]), axis=0)
    assert own == pytest.approx(np.tile((0.3, 0.2), (4, 1)), abs=1e-9)
    signs = {tuple(np.sign(pair.place[n][:2]).astype(int)) for n in range(4)}
    assert signs == {(-1, -1), (-1, 1), (1, -1), (1, 1)}


def test_a_run_that_is_stopped_and_goes_on_is_the_same_to_the_last_bit() -> None:
    """Also where the rooms of the one that goes on are too small for what was kept."""
    times = STEP * np.arange(5)
    whole, stopped, other = (session_of(balls(4, 0.0)) for _ in range(3))
    rows, _ = whole.advance(times)
    stopped.advance(times[:3])
    kept = stopped.state()
    block = other.workspace.contacts
    t = block.tables
    block.put(codes=t.codes[:1].copy(), near=t.near[:1].copy(), near_old=t.near_old[:1].copy())
    other.restore(kept)
    numbers = stopped.workspace.contacts.numbers
    assert block.tables.head[0].pairs > 1 and len(numbers) > 100
    assert (block.numbers.view(np.int64) == numbers.view(np.int64)).all()
    further, _ = other.advance(times[3:])
    assert (further == rows[3:]).all()
