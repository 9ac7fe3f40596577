"""Beams as parts: sections in closed form, what is refused, rest shapes, what they show; rigid motion costs nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest

import centrode as ct
from centrode.dynamics.workspace import Workspace
from centrode.errors import InputError
from centrode.math.dense import lu_factor, lu_solve
from centrode.math.rotation import matrix_from_axis_angle
from centrode.methods.coupling import coupling_of
from centrode.running import Session
from centrode.scenario.loader import loads
from centrode.system.model import build_model
from centrode.system.settings import RunSettings
from centrode.vehicles.beam.section import circle, rectangle, tube
from centrode.view.appearance import appearance_of
from centrode.view.scene import shape_entries


def cantilever(elements=3, **values):
    system = ct.System(gravity=(0.0, 0.0, -9.81))
    system.add(ct.Beam("rod", **{"length": 1.0, "diameter": 0.02, "elements": elements, **values}))
    system.add(ct.Fixed("clamp", system.ground, "rod.start"))
    return system


def test_sections_in_closed_form():
    """Identities to round-off; torsion of the square and of the thin strip as Timoshenko and Goodier tabulate it."""
    ring, hole = circle(0.06, 0.3), circle(0.04, 0.3)
    pipe = tube(0.06, 0.01, 0.3)
    assert pipe.area == pytest.approx(ring.area - hole.area, rel=1e-14)
    assert pipe.torsion == pytest.approx(ring.torsion - hole.torsion, rel=1e-14)
    assert ring.inertia_y == pytest.approx(math.pi * 0.03**4 / 4.0, rel=1e-14)
    assert ring.shear == pytest.approx(6.0 * 1.3 / (7.0 + 1.8), rel=1e-14)
    square, strip = rectangle(1.0, 1.0, 0.0), rectangle(100.0, 1.0, 0.0)
    assert square.torsion == pytest.approx(0.1406, abs=5e-5)
    assert strip.torsion == pytest.approx(100.0 / 3.0 * (1.0 - 0.630 / 100.0), rel=1e-5)
    assert square.shear == pytest.approx(5.0 / 6.0, rel=1e-14)
    flat = rectangle(0.02, 0.05, 0.3)
    assert (flat.inertia_y, flat.inertia_z) == pytest.approx((0.02 * 0.05**3 / 12.0, 0.05 * 0.02**3 / 12.0), rel=1e-14)
    assert rectangle(0.05, 0.02, 0.3).torsion == pytest.approx(flat.torsion, rel=1e-14)


@pytest.mark.parametrize(
    ("values", "field", "words"),
    [
        ({"diameter": None}, "diameter", "needs it"),
        ({"wall": 0.001}, "wall", "has none"),
        ({"section": "tube", "wall": 0.02}, "wall", "thicker than the radius"),
        ({"elements": 0}, "elements", "too small"),
        ({"elements": 2.5}, "elements", "whole number"),
        ({"side": (2.0, 0.0, 0.0)}, "side", "along the beam"),
        ({"elements": 1, "curvature": (0.0, 0.0, 4.0)}, "elements", "half a turn"),
        ({"torsion_constant": 1e-9}, "torsion_constant", "follows from the shape"),
    ],
)
def test_what_makes_no_beam_is_refused_with_its_field(values, field, words):
    with pytest.raises(InputError) as caught:
        cantilever(**values)
    assert f"rod.{field}" in str(caught.value)
    assert words in str(caught.value)


def test_a_beam_of_a_plane_lies_in_it():
    system = ct.System(plane=True)
    with pytest.raises(InputError, match="lies in the plane"):
        system.add(ct.Beam("rod", length=1.0, diameter=0.01, direction=(0.0, 0.6, 0.8)))


def test_an_element_needs_ends_that_lie_apart():
    system = ct.System()
    for name in ("a", "b"):
        system.add(ct.RigidBody(name, 1.0, (1.0, 1.0, 1.0)))
    stiffness = {"axial": 1.0, "bending_y": 1.0, "bending_z": 1.0, "torsion": 1.0}
    system.add(ct.BeamElement("piece", "a", "b", **stiffness))
    with pytest.raises(InputError, match="must lie apart"):
        build_model(system)


def test_fractions_of_the_length_name_nodes():
    beam = ct.Beam("rod", length=1.0, diameter=0.02, elements=10)
    assert [beam.node(fraction) for fraction in (0.0, 0.3, 1.0)] == ["rod.node0", "rod.node3", "rod.node10"]
    with pytest.raises(InputError, match="no node"):
        beam.node(0.25)
    with pytest.raises(InputError, match="no node"):
        beam.node(1.1)


def test_rest_shape_of_a_helix():
    """Curvature k and twist t: radius k/(k^2 + t^2), rise t/(k^2 + t^2) per radian; all elements alike and at rest."""
    twist, bend = 1.5, 2.0
    square = twist**2 + bend**2
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.Beam("rod", length=3.0, diameter=0.01, elements=12, curvature=(twist, 0.0, bend)))
    model = build_model(system)
    places = np.array([system.parts[f"rod.node{k}"].position for k in range(13)])
    angle = math.sqrt(square) * 3.0
    chord = math.hypot(2.0 * bend / square * math.sin(0.5 * angle), twist / square * angle)
    assert np.linalg.norm(places[-1] - places[0]) == pytest.approx(chord, rel=1e-13)
    assert np.ptp(np.linalg.norm(np.diff(places, axis=0), axis=1)) < 1e-14
    workspace = Workspace(model)
    workspace.evaluate(0.0)
    assert np.abs(workspace["wrench"]).max() < 1e-6 * 2.1e11 * 1e-4 * 1e-6  # round-off 1e-16 / h of EA


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.2, -0.7, 0.5)])
def test_rigid_motion_costs_nothing(axis):
    """Forces and torques of a beam turned by 2.7 rad and shifted: round-off of EA u, 7e7 N times 1e-16 / 0.3."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.Beam("rod", length=1.0, diameter=0.02, elements=3, curvature=(0.4, 0.3, 1.0)))
    turn = matrix_from_axis_angle(axis, 2.7)
    model = build_model(system)
    workspace = Workspace(model)
    for k in range(4):
        part = system.parts[f"rod.node{k}"]
        moved = turn @ np.asarray(part.position) + (3.0, -1.0, 2.0)
        at = {"position": tuple(moved), "orientation": tuple(map(tuple, turn @ np.array(part.orientation)))}
        body = ct.RigidBody(**{**vars(part), **at})
        workspace["pose"][k, :7], _ = body.start(body.row())
    workspace.evaluate(0.0)
    assert np.abs(workspace["wrench"]).max() < 1e-6


def test_channels_of_a_section():
    """The clamp carries what the elements show: section forces in the middles, moments there by the load's arm."""
    system = cantilever(elements=4, length=2.0, damping=1e-5)
    system.gravity = (0.0, 0.0, 0.0)
    run = ct.simulate(system, duration=1e-4, frames=1e-4, method="rk4", step=1e-5)
    assert run.channels["rod.element2.force"].unit == "N"
    assert run.channels["rod.element2.moment"].unit == "N*m"
    still = ct.System(gravity=(0.0, 0.0, 0.0))
    still.add(ct.Beam("rod", length=2.0, diameter=0.02, elements=1))
    model = build_model(still)
    element = still.parts["rod.element1"]
    markers, wrench = np.zeros((1, 2, 24)), np.zeros((1, 2, 6))
    markers[:, :, 12:21] = np.eye(3).ravel()
    # A cantilever of one element, pulled and bent at b by F = (5, 0, -3): the element does F on a and -F on b.
    wrench[0, 0] = (5.0, 0.0, -3.0, 0.0, 6.0, 0.0)
    wrench[0, 1] = (-5.0, 0.0, 3.0, 0.0, 0.0, 0.0)
    seen = element.observe(markers, wrench)
    assert seen["force"][0] == pytest.approx((5.0, 0.0, -3.0), abs=1e-15)
    assert seen["moment"][0] == pytest.approx((0.0, 3.0, 0.0), abs=1e-15)  # 3 N at an arm of 1 m
    assert model.body_count == 2


def test_a_beam_is_drawn_as_one_tube():
    """Its nodes and elements show nothing of their own; the section goes through all of them."""
    look = appearance_of(cantilever(5))
    (sweep,) = [item for item in look.visuals if item.shape == "sweep"]
    assert sweep.bodies() == tuple(f"rod.node{k}" for k in range(6))
    assert sweep.reach == pytest.approx((0.01, 0.01))
    assert not [owner for owner in look.owners if owner.startswith("rod.")]
    (entry,) = [item for item in shape_entries(look, list(sweep.bodies())) if item["shape"] == "sweep"]
    assert (entry["body"], entry["through"]) == (0, [1, 2, 3, 4, 5])


def test_one_entry_of_a_file_is_a_beam():
    text = """
centrode: 1
vehicles:
  arm: {kind: beam, length: 80 cm, elements: 4, section: rectangle, width: 5 mm, height: 20 mm, young: 70 GPa}
joints:
  foot: {kind: fixed, a: ground, b: arm.start}
  tip: {kind: ball, a: ground, b: arm.end}
"""
    system = loads(text).system
    assert [name for name in system.parts if name.startswith("arm.node")] == [f"arm.node{k}" for k in range(5)]
    assert system.parts["arm.element4"].axial == pytest.approx(70e9 * 1e-4, rel=1e-14)
    with pytest.raises(InputError, match="has none"):
        loads(text.replace("width: 5 mm, height", "wall: 5 mm, width: 5 mm, height"))


def test_bound_of_the_fastest_vibration_holds():
    """Above that of the waves along the chain, 2 c/h, and not by more than bending and shear of stout elements add."""
    beam = ct.Beam("rod", length=1.0, diameter=0.02, elements=4)
    along = 2.0 * math.sqrt(2.1e11 / 7850.0) / 0.25
    assert along <= beam.fastest_vibration() < 3.0 * along
    notes = Session(cantilever(20), RunSettings(duration=10.0)).start_events()
    assert any("'rod' vibrates" in event.subject for event in notes)


def test_bands_of_a_beam():
    """Three nodes' worth of evaluations make the Jacobian of a beam of any length; joints among all need all."""
    for elements in (12, 24):
        system = cantilever(elements)
        workspace = Workspace(build_model(system), audit=True)
        coupling = coupling_of(workspace)
        inner, below, beside, _, full = coupling.band
        assert full == 0
        assert inner == 13 * (elements + 1)
        assert sorted(coupling.order) == list(range(workspace.values.size))
        assert coupling.source.shape[0] <= 3 * 13
        assert below <= 2 * 13
        assert beside <= 4 * 13
    chained = Workspace(build_model(ct.chain(12)))
    assert coupling_of(chained).source.shape[0] == chained.values.size


def test_banded_factors_solve_what_full_ones_do():
    """Random bands with small pivots: both against numpy; errors of 1e-10 cover condition numbers of 1e5."""
    random = np.random.default_rng(3)
    n, below, right = 30, 4, 3
    down = np.subtract.outer(np.arange(n), np.arange(n))
    matrix = np.where((down <= below) & (-down <= right), random.normal(size=(n, n)), 0.0)
    matrix += np.diag(1e-3 * random.normal(size=n) - np.diag(matrix))
    wanted = random.normal(size=n)
    for band in ((below, below + right), (n, n)):
        factors, pivots, found = matrix.copy(), np.zeros(n, dtype=np.int64), matrix @ wanted
        assert lu_factor(factors, pivots, *band)
        lu_solve(factors, pivots, *band, found)
        assert np.abs(found - wanted).max() < 1e-10
