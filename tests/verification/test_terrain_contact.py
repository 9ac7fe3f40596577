"""Bodies on bumps: energy of elastic ones, rest with friction, and level terrain against a plane.

With one plane below the lowest point for a whole body, a box on these bumps made energy until its run was stopped.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import centrode as ct

MASS, G = 10.0, 9.81
START = {
    "position": (0.1, 0.2, 0.9),
    "velocity": (0.5, 0.2, 0.0),
    "orientation": Rotation.from_euler("xyz", (0.4, 0.3, 0.2)).as_matrix().tolist(),
    "omega": (0.3, 0.5, 0.1),
}
PEAK, BOTTOM = (0.0, 0.0), (1.0, 0.0)
POINTS = (np.random.default_rng(1).normal(size=(9, 3)) * 0.35).tolist()
OUTLINES = {
    "box": ct.OutlineBox("shape", body="body", half_lengths=(0.4, 0.3, 0.2), material="steel"),
    "sphere": ct.OutlineSphere("shape", body="body", radius=0.3, material="steel"),
    "capsule": ct.OutlineCapsule("shape", body="body", radius=0.15, half_length=0.4, material="steel"),
    "polyhedron": ct.OutlinePolyhedron("shape", body="body", points=POINTS, material="steel"),
}


def bumps(folder: Path, amplitude: float = 0.1, slope: float = 0.0) -> ct.RoadTerrain:
    """Bumps on a grid of 0.2 m, between PEAK and BOTTOM, where radii of curvature are 1 m."""
    x, y = np.meshgrid(np.linspace(-4.0, 4.0, 41), np.linspace(-4.0, 4.0, 41))
    z = amplitude * np.cos(np.pi * x) * np.cos(np.pi * y) + slope * x
    path = folder / "bumps.csv"
    np.savetxt(path, np.column_stack([x.ravel(), y.ravel(), z.ravel()]), delimiter=",", header="x,y,z", comments="")
    return ct.RoadTerrain("road", file=str(path))


def body_on(road: ct.Road, outline: ct.Outline, law: ct.ContactLaw | None, **start) -> ct.System:  # type: ignore[no-untyped-def]
    system = ct.System()
    system.add(road)
    system.add(ct.RigidBody("body", mass=MASS, inertia=(0.6, 0.8, 0.9), **start))
    system.add(outline)
    system.add(law or ct.Collisions("collisions"))
    return system


def elastic() -> ct.HuntCrossley:
    return ct.HuntCrossley("law", stiffness=1e5, damping=0.0, between=("steel", "road"))


@pytest.mark.parametrize("kind", OUTLINES)
def test_elastic_bodies_keep_their_energy_on_bumps(kind, tmp_path):
    """Without friction kinetic + potential + stored energy is constant, to 1e-6 of what the motion exchanges."""
    system = body_on(bumps(tmp_path), OUTLINES[kind], elastic(), **START)
    run = ct.simulate(system, duration=1.5, frames=0.01, method="dop853", tolerance=1e-10)
    assert run.status.completed, run.status
    assert len(run.events.of("contact begin")) >= 2
    exchanged = float(np.ptp(run["energy.kinetic"]))
    assert exchanged > 0.3 * MASS * G  # it fell by more than 0.3 m
    assert np.ptp(run["energy.total"]) < 1e-6 * exchanged


def test_a_box_comes_to_rest_on_a_bump(tmp_path):
    """By the law of roads it lies on the peak, tilted by less than it fell with, and stays there; over a plane it would
    be HALF over the height of the peak, and rests less deep than 0.03 m in it."""
    place = (*PEAK, 0.1 + 0.2 + 0.05)
    turn = Rotation.from_euler("xyz", (0.1, 0.05, 0.3)).as_matrix().tolist()
    system = body_on(bumps(tmp_path), OUTLINES["box"], None, position=place, orientation=turn)
    run = ct.simulate(system, duration=8.0, frames=0.05, method="rk4-projected", step=5e-4)
    assert run.status.completed, run.status
    late = run.time > 7.0
    assert np.linalg.norm(run["body.velocity"][late], axis=1).max() < 1e-3
    assert np.ptp(run["body.position"][late], axis=0).max() < 1e-3
    assert np.linalg.norm(run["body.position"][-1, :2] - PEAK) < 0.1
    assert 0.27 < run["body.position"][-1, 2] < 0.301


def test_a_ball_lies_as_deep_in_a_hollow_as_its_weight_presses_it(tmp_path):
    """m g / k under the deepest point of the hollow, where its radius of 0.3 m fits."""
    law = ct.Restitution("law", stiffness=1e5, restitution=0.1, friction=0.5, between=("steel", "road"))
    system = body_on(bumps(tmp_path), OUTLINES["sphere"], law, position=(*BOTTOM, 0.2001))
    run = ct.simulate(system, duration=1.0, frames=0.05)
    assert run.status.completed
    sink = MASS * G / 1e5
    assert run["body.position"][-1] == pytest.approx((*BOTTOM, 0.2 - sink), abs=0.02 * sink)


@pytest.mark.parametrize("kind", ("sphere", "capsule"))
def test_a_plane_of_heights_is_as_a_plane(kind, tmp_path):
    """On a terrain without bumps that rises by 0.2 rad as on a road of that slope; of the capsule one end hits."""
    law = ct.Restitution("law", stiffness=1e5, restitution=0.6, friction=0.4, between=("steel", "road"))
    ends = []
    for road in (bumps(tmp_path, 0.0, math.tan(0.2)), ct.RoadPlane("road", slope=0.2)):
        system = body_on(road, OUTLINES[kind], law, **START)
        run = ct.simulate(system, duration=0.38, frames=0.01, method="dop853", tolerance=1e-10)
        assert run.status.completed and len(run.collisions) == 1
        ends.append(np.concatenate([run["body.position"][-1], run["body.velocity"][-1]]))
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-7)


def test_outlines_that_have_no_points_on_bumps_are_told(tmp_path):
    outline = ct.OutlineEllipsoid("shape", body="body", semi_axes=(0.4, 0.3, 0.2), material="steel")
    system = body_on(bumps(tmp_path), outline, elastic(), **START)
    run = ct.simulate(system, duration=0.1, frames=0.01)
    assert any("one plane stands for the bumps" in event.subject for event in run.events.of("note"))
