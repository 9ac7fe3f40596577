"""Hard contacts: points of pairs in closed form, the grid against all pairs, who is refused, who is chosen."""

from __future__ import annotations

import math

import numpy as np
import pytest

import centrode as ct
from centrode.errors import InputError
from centrode.methods.choice import MANY, suited_method
from centrode.running import Session
from centrode.system.settings import RunSettings


def session_of(*outlines, gravity=(0.0, 0.0, 0.0), places=()):
    """A session of bodies b0, b1 ... with an outline each, stepped once so that everything is placed."""
    system = ct.System(gravity=gravity)
    for k, (outline, (place, turn)) in enumerate(zip(outlines, places, strict=True)):
        system.add(ct.RigidBody(f"b{k}", 1.0, (1.0, 1.0, 1.0), position=place, orientation=turn))
        system.add(outline)
    system.add(ct.Collisions("collisions", allowed_overlap=1.0))
    system.add(ct.HardContact("law", restitution=0.01))
    session = Session(system, RunSettings(duration=1.0, method="moreau", step=1e-6))
    session.advance(np.array([0.0, 1e-6]))
    return session


def points_of(session):
    """Points of the last step: gaps and normals."""
    t = session.workspace.contacts.tables
    rows = t.contacts[: t.head[0].points]
    return rows["gap"].copy(), rows["normal"].copy()


UPRIGHT = (1.0, 0.0, 0.0, 0.0)


def test_a_box_on_a_box_is_held_at_the_four_corners_of_what_they_share():
    one = ct.OutlineBox("o0", "b0", half_lengths=(1.0, 1.0, 0.5))
    two = ct.OutlineBox("o1", "b1", half_lengths=(1.0, 1.0, 0.5))
    session = session_of(one, two, places=(((0, 0, 0), UPRIGHT), ((0.5, 0.25, 0.999), UPRIGHT)))
    gaps, normals = points_of(session)
    assert gaps == pytest.approx([-0.001] * 4, abs=1e-12)
    assert normals == pytest.approx(np.tile((0.0, 0.0, 1.0), (4, 1)), abs=1e-12)
    t = session.workspace.contacts.tables
    arms = t.contacts["arm_a"][:4]
    corners = {(round(x, 9), round(y, 9)) for x, y, _ in arms}
    assert corners == {(-0.5, -0.75), (1.0, -0.75), (1.0, 1.0), (-0.5, 1.0)}


def test_edges_that_cross_touch_at_one_point():
    turn = (math.cos(math.pi / 8), math.sin(math.pi / 8), 0.0, 0.0)  # an edge up
    other = (math.cos(math.pi / 8), 0.0, math.sin(math.pi / 8), 0.0)
    one = ct.OutlineBox("o0", "b0", half_lengths=(1.0, 1.0, 1.0))
    two = ct.OutlineBox("o1", "b1", half_lengths=(1.0, 1.0, 1.0))
    gap = -0.002
    places = (((0, 0, 0), turn), ((0, 0, 2.0 * math.sqrt(2.0) + gap), other))
    gaps, normals = points_of(session_of(one, two, places=places))
    assert gaps == pytest.approx([gap], abs=1e-12)
    assert normals == pytest.approx(np.array([(0.0, 0.0, 1.0)]), abs=1e-12)


@pytest.mark.parametrize(
    ("one", "two", "apart", "count"),
    [
        (ct.OutlineSphere("o0", "b0", radius=0.5), ct.OutlineSphere("o1", "b1", radius=0.3), 0.8, 1),
        (ct.OutlineCapsule("o0", "b0", radius=0.2, half_length=0.5), ct.OutlineSphere("o1", "b1", radius=0.3), 1.0, 1),
        (ct.OutlineBox("o0", "b0", half_lengths=(1, 1, 0.4)), ct.OutlineSphere("o1", "b1", radius=0.3), 0.7, 1),
        (
            ct.OutlineBox("o0", "b0", half_lengths=(1, 1, 0.4)),
            ct.OutlineCylinder("o1", "b1", radius=0.3, half_length=0.5),
            0.9,
            4,
        ),
        (
            ct.OutlinePolyhedron("o0", "b0", points=[(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-0.4, 0.4)]),
            ct.OutlinePolyhedron(
                "o1", "b1", points=[(0.9, 0, -0.5), (-0.9, 0.9, -0.5), (-0.9, -0.9, -0.5), (0, 0, 0.5)]
            ),
            0.9,
            3,
        ),
        (
            ct.OutlineEllipsoid("o0", "b0", semi_axes=(0.5, 0.4, 0.3)),
            ct.OutlineBox("o1", "b1", half_lengths=(1, 1, 1)),
            1.3,
            1,
        ),
    ],
)
def test_pairs_above_each_other_touch_along_the_vertical(one, two, apart, count):
    gap = -0.003
    gaps, normals = points_of(session_of(one, two, places=(((0, 0, 0), UPRIGHT), ((0.02, 0, apart + gap), UPRIGHT))))
    # rounded ends of a cylinder and the sideways shift on balls: 0.02^2 / 2 / 0.5 of a metre at the most
    assert len(gaps) == count and gaps == pytest.approx([gap] * count, abs=5e-4)
    assert normals[:, 2] == pytest.approx(np.ones(count), abs=2e-3)


def test_parallel_capsules_touch_at_two_points():
    lying = (math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0)
    one = ct.OutlineCapsule("o0", "b0", radius=0.1, half_length=0.5)
    two = ct.OutlineCapsule("o1", "b1", radius=0.1, half_length=0.5)
    session = session_of(one, two, places=(((0, 0, 0), lying), ((0.2, 0, 0.199), lying)))
    gaps, normals = points_of(session)
    assert gaps == pytest.approx([-0.001, -0.001], abs=1e-9)
    assert normals == pytest.approx(np.tile((0.0, 0.0, 1.0), (2, 1)), abs=1e-9)


def test_the_grid_finds_every_pair_that_bounds_overlap():
    """Against all pairs: balls of mixed sizes, some far away."""
    rng = np.random.default_rng(2)
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.OutlinePlane("floor", "ground", centre=(0.0, 0.0, -60.0)))
    for k in range(60):
        radius = 0.05 if k % 10 else 1.0
        place = rng.uniform(-1.0, 1.0, 3) * (1.0 if k % 7 else 50.0)
        system.add(ct.RigidBody(f"b{k}", 1.0, (1.0,) * 3, position=tuple(place)))
        system.add(ct.OutlineSphere(f"o{k}", f"b{k}", radius=radius))
    system.add(ct.Collisions("collisions", allowed_overlap=10.0))
    system.add(ct.HardContact("law", restitution=0.01))
    session = Session(system, RunSettings(duration=1.0, method="moreau", step=1e-6))
    session.advance(np.array([0.0, 1e-6]))
    t = session.workspace.contacts.tables
    head = t.head[0]
    found = {(int(row.a), int(row.b)) for row in t.near[: head.pairs]}
    wanted = set()
    for a in range(len(t.outlines)):
        for b in range(a + 1, len(t.outlines)):
            one, two = t.boxes[a], t.boxes[b]
            if (one[:3] <= two[3:]).all() and (two[:3] <= one[3:]).all():
                wanted.add((a, b))
    planes = {pair for pair in wanted if 0 in pair}
    assert found - planes == wanted - planes
    codes = t.near["code"][: head.pairs]
    assert (np.diff(codes) > 0).all()


def test_laws_without_a_coefficient_and_deforming_bodies_are_refused():
    system = ct.System()
    system.add(ct.OutlinePlane("floor", "ground"))
    system.add(ct.RigidBody("b", 1.0, (1.0,) * 3, position=(0.0, 0.0, 2.0)))
    system.add(ct.OutlineSphere("o", "b", radius=0.5))
    system.add(ct.LinearContact("law", stiffness=1e4))
    with pytest.raises(InputError, match="coefficient of restitution"):
        ct.simulate(system, duration=0.1, method="moreau")


def test_a_height_field_is_refused_by_contact_laws():
    system = ct.System()
    system.add(ct.OutlineHeightField("land", heights=((0.0, 0.0), (0.0, 0.0)), spacing=(1.0, 1.0)))
    system.add(ct.RigidBody("b", 1.0, (1.0,) * 3, position=(0.0, 0.0, 2.0)))
    system.add(ct.OutlineSphere("o", "b", radius=0.5))
    system.add(ct.HardContact("law"))
    with pytest.raises(InputError, match=r"height field.*moreau"):
        ct.simulate(system, duration=0.1, method="rattle")


@pytest.mark.parametrize(
    ("values", "word"),
    [({"heights": ((0.0, 1.0),)}, "grid"), ({"spacing": (1.0, 0.0)}, "two lengths"), ({"body": "b"}, "ground")],
)
def test_a_height_field_says_what_is_wrong_with_it(values, word):
    field = ct.OutlineHeightField("land", **{"heights": ((0.0, 0.0), (0.0, 0.0)), "spacing": (1.0, 1.0), **values})
    assert any(word in str(fault) for fault in field.faults())


def many(count, law=None):
    system = ct.System()
    system.add(ct.OutlinePlane("floor", "ground"))
    for k in range(count):
        system.add(ct.RigidBody(f"b{k}", 1.0, (1.0,) * 3, position=(0.0, 0.0, 1.0 + 2.0 * k)))
        system.add(ct.OutlineSphere(f"o{k}", f"b{k}", radius=0.5))
    if law is not None:
        system.add(law)
    return system


def test_a_pile_is_run_with_hard_contacts_and_said_so():
    assert suited_method(many(int(MANY), ct.HardContact("law")))[0] == "moreau"
    assert suited_method(many(int(MANY)))[0] == "moreau"
    assert suited_method(many(int(MANY) - 1, ct.HardContact("law")))[0] == "dop853"
    method, told = suited_method(many(int(MANY), ct.LinearContact("law", stiffness=1e4)))
    assert method == "dop853" and "'law' step by step; method 'moreau', with laws of kind hard or rest" in told
    system = many(int(MANY))
    system.add(ct.Collisions("collisions", active=False))
    assert suited_method(system)[0] == "dop853"
    session = Session(many(int(MANY)), RunSettings(duration=0.01))
    told = " ".join(event.subject for event in session.start_events())
    assert session.method.name == "moreau" and "a pile, run by 'moreau'" in told and "no contact law" in told
    assert Session(many(int(MANY)), RunSettings(duration=0.01, method="dop853")).method.name == "dop853"
