"""What parts look like, and charts of a linearisation, in closed form; quick enough as Python."""

from __future__ import annotations

import numpy as np
import pytest

import centrode as ct
from centrode.dynamics.chart import Chart
from centrode.dynamics.workspace import Workspace
from centrode.parts.visual import VisualRibbon, VisualSphere, VisualWheel
from centrode.system.model import build_model
from centrode.view.appearance import AppearanceScene


def test_an_open_road_goes_on_beyond_both_ends_with_its_width() -> None:
    road = ct.RoadSpline("road", points=((0, 0, 0), (50, 0, 0), (100, 0, 0)), width=8.0)
    start, end = [item for item in road.visuals(None) if isinstance(item, VisualRibbon)][-2:]
    for ribbon, at, towards in ((start, 0.0, -1.0), (end, 100.0, 1.0)):
        right, left = np.array(ribbon.right), np.array(ribbon.left)
        assert right[0] == pytest.approx([at, -4.0 * towards, 0.0]) and left[0] == pytest.approx(
            [at, 4.0 * towards, 0.0]
        )
        assert right[-1, 0] == left[-1, 0] == pytest.approx(at + 200.0 * towards)


def test_a_chart_weighs_its_reference_wherever_the_workspace_has_been_since() -> None:
    system = ct.System()
    system.add(ct.RigidBody("upper", 1.0, (0.1, 0.2, 0.3), position=(0.5, 0.0, 0.0)))
    system.add(ct.RigidBody("lower", 2.0, (0.2, 0.3, 0.4), position=(1.5, 0.0, 0.0)))
    system.add(ct.Revolute("shoulder", "ground", "upper", at=(0, 0, 0), axis=(0, 1, 0)))
    system.add(ct.Revolute("elbow", "upper", "lower", at=(1, 0, 0), axis=(0, 1, 0)))
    workspace = Workspace(build_model(system))
    chart = Chart(workspace, 0.0, None)
    before = chart.reduced_mass()
    workspace["pose"][:, 3:7] = (np.cos(0.4), 0.0, np.sin(0.4), 0.0), (np.cos(0.9), 0.0, np.sin(0.9), 0.0)
    workspace.evaluate(0.0)
    assert chart.reduced_mass() == pytest.approx(before, abs=1e-12)
    assert np.linalg.eigvalsh(before).min() > 0.0


def test_a_point_mass_alone_is_drawn_as_a_ball() -> None:
    system = ct.System()
    body = system.add(ct.RigidBody("dot", 1.0))
    drawn = body.visuals(AppearanceScene(system))
    assert [type(item) for item in drawn] == [VisualSphere]


@pytest.mark.parametrize(("wheels", "turns"), [("spin", True), ("rolling", False)])
def test_wheels_of_a_carriage_follow_their_own_angle_or_the_road(wheels: str, turns: bool) -> None:
    system = ct.System()
    system.add(ct.RoadPlane("road"))
    car = system.add(ct.Car("car", road="road", wheels=wheels))
    carriage = next(part for part in system.parts.values() if part.kind == "carriage")
    drawn = [item for item in carriage.visuals(AppearanceScene(system)) if isinstance(item, VisualWheel)]
    assert len(drawn) == 4 and car.name == "car"
    for wheel in drawn:
        assert bool(wheel.spin_channel) is turns and wheel.rolls is not turns
