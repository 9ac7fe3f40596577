"""The scene of a recording: bodies, shapes, plots and events, from the recording alone."""

from __future__ import annotations

import json

import numpy as np
import pytest

from centrode.errors import InputError
from centrode.parts.bodies.appearance import inertia_box
from centrode.parts.bodies.planar import PlanarBody
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.forces.spring import Spring
from centrode.parts.joints.revolute import Revolute
from centrode.parts.outlines.box import OutlineBox
from centrode.parts.outlines.polyhedron import OutlinePolyhedron
from centrode.parts.roads.spline import RoadSpline
from centrode.parts.visual import VisualBox, VisualSphere
from centrode.recording.channel import Channel
from centrode.recording.events import Event, Events
from centrode.recording.provenance import Account, Provenance
from centrode.recording.recording import Recording
from centrode.scenario.document import Scenario
from centrode.scenario.writing import dump
from centrode.system.builder import System
from centrode.view.appearance import appearance_of
from centrode.view.frames import FrameBlock, decode
from centrode.view.page import embedded_json
from centrode.view.scene import body_names, colour_of, plot_channels, scene_of, up_direction


def two_bodies() -> System:
    system = System(title="two bodies")
    bar = system.add(RigidBody("bar", mass=1.0, inertia=(1e-4, 1 / 12, 1 / 12), position=(0.5, 0, 0)))
    ball = system.add(RigidBody("ball", mass=2.0, inertia=(0.01, 0.01, 0.01), position=(2, 0, 0)))
    system.add(Revolute("hinge", system.ground, bar, at=(0, 0, 0), axis=(0, 1, 0)))
    system.add(Spring("coil", bar, ball, 100.0, point_a=(0.5, 0, 0)))
    return system


def recorded(system: System | None, names: list[str], frames: int = 30) -> Recording:
    """A recording with made-up motion: the viewer must show what is recorded, whatever it is."""
    time = np.linspace(0.0, 1.0, frames)
    channels, data = [], {}
    for k, name in enumerate(names):
        channels += [Channel(f"{name}.position", "m", ("xyz",)), Channel(f"{name}.orientation", "1", ("wxyz",))]
        data[f"{name}.position"] = np.stack([time * (k + 1), np.sin(7 * time), np.full(frames, 0.5)], axis=1)
        half = 0.5 * time * (k + 2)
        data[f"{name}.orientation"] = np.stack([np.cos(half), 0 * half, np.sin(half), 0 * half], axis=1)
    channels.append(Channel("energy.kinetic", "J"))
    data["energy.kinetic"] = time**2
    return Recording(
        time=time,
        data=data,
        channels=channels,
        account=Account(
            Events([Event(0.5, "rope-taut", "rope")]),
            provenance=Provenance(scenario_text=dump(system) if system else "", title=system.title if system else ""),
        ),
    )


def test_bodies_shapes_and_events_come_from_the_recording():
    scene = scene_of(recorded(two_bodies(), ["bar", "ball"]))
    data = scene.data
    assert [body["name"] for body in data["bodies"]] == ["bar", "ball"]
    kinds = {(item["shape"], item["body"]) for item in data["shapes"]}
    assert ("capsule", 0) in kinds  # a slender bar held at its end
    assert ("link", 0) in kinds and ("sphere", 1) in kinds and ("cylinder", 0) in kinds
    assert data["events"] == [{"time": 0.5, "kind": "rope-taut", "subject": "rope"}]
    assert data["joints"][0]["name"] == "hinge"
    json.dumps(data, allow_nan=False)


def test_poses_in_the_stream_are_the_recorded_ones():
    run = recorded(two_bodies(), ["bar", "ball"])
    scene = scene_of(run)
    head = scene.data["frames"]["blocks"]["pose"]
    block = FrameBlock(head["first"], head["steps"], head["planes"], scene.stream[head["offset"] :])
    columns = decode(block, len(run.time))
    for body in scene.data["bodies"]:
        at = body["column"]
        error = np.abs(columns[:, at : at + 3] - run[f"{body['name']}.position"])
        assert np.all(error <= 0.5 * np.array(head["steps"][at : at + 3]) * (1 + 1e-9) + 1e-15)


def test_a_recording_without_scenario_still_plays():
    scene = scene_of(recorded(None, ["left", "right"]))
    assert [item["shape"] for item in scene.data["shapes"]] == ["box", "box"]
    assert "no scenario" in scene.data["remarks"][0]


def test_a_scenario_that_cannot_be_read_again_is_named():
    run = recorded(None, ["left"])
    broken = Recording(
        time=run.time,
        data={name: run[name] for name in run},
        channels=list(run.channels.values()),
        account=Account(provenance=Provenance(scenario_text="bodies: {left: {kind: unheard-of}}")),
    )
    assert "shapes are unknown" in scene_of(broken).data["remarks"][0]


def test_an_empty_recording_is_refused():
    with pytest.raises(InputError, match="no frames"):
        scene_of(Recording(time=np.zeros(0), data={}, channels=[]))


def test_sensors_are_not_bodies():
    run = recorded(two_bodies(), ["bar"])
    channels = [
        *run.channels.values(),
        Channel("eye.position", "m", ("xyz",)),
        Channel("eye.orientation", "1", ("wxyz",)),
    ]
    channels.append(Channel("eye.acceleration", "m/s2", ("xyz",)))
    data = {name: run[name] for name in run}
    data |= {
        "eye.position": np.zeros((30, 3)),
        "eye.orientation": np.ones((30, 4)),
        "eye.acceleration": np.zeros((30, 3)),
    }
    assert body_names(Recording(time=run.time, data=data, channels=channels)) == ["bar"]


def test_the_box_of_equal_inertia_has_the_edges_of_the_body():
    # l = (3, 2, 1) m, m = 12 kg: I_i = (l_j^2 + l_k^2) m / 12.
    body = RigidBody("box", mass=12.0, inertia=(5.0, 10.0, 13.0))
    assert np.allclose(sorted(inertia_box(body.row(), False)), [1.0, 2.0, 3.0], rtol=1e-12)


def test_round_bodies_have_the_inertia_of_ball_and_cylinder():
    # Ball of radius 0.5 m: I = 2/5 m r^2; cylinder of radius 0.3 m and height 2 m about its own z.
    system = System()
    system.add(RigidBody("ball", mass=3.0, inertia=(0.3, 0.3, 0.3)))
    across, along = 2.0 * (3 * 0.09 + 4.0) / 12, 2.0 * 0.09 / 2
    system.add(RigidBody("roller", mass=2.0, inertia=(across, across, along)))
    ball, band, roller, mark = appearance_of(system).visuals
    assert ball.shape == "sphere" and ball.radius == pytest.approx(0.5)
    assert roller.shape == "cylinder" and (roller.radius, roller.length) == pytest.approx((0.3, 2.0))
    assert band.colour == mark.colour == "white"  # what shows that they turn


def test_outlines_replace_the_box_and_visuals_come_first():
    class Dressed(RigidBody):
        def visuals(self, scene):
            return [VisualSphere(self.name, 0.5, colour="paint"), VisualBox("ground", (1, 1, 1), colour="#123456")]

    system = System()
    system.add(RigidBody("crate", mass=1.0, inertia=(1, 1, 1)))
    system.add(OutlineBox("skin", body="crate", half_lengths=(1.0, 2.0, 3.0)))
    tetra = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    system.add(OutlinePolyhedron("corner", body="crate", points=tetra))
    system.add(Dressed("ball", mass=1.0, inertia=(1, 1, 1)))
    look = appearance_of(system)
    assert [(item.shape, item.body) for item in look.visuals] == [
        ("box", "crate"),
        ("mesh", "crate"),
        ("sphere", "ball"),
        ("box", "ground"),
    ]
    assert look.visuals[0].size == (2.0, 4.0, 6.0)
    mesh = look.visuals[1]
    corners = np.array(mesh.vertices)
    for a, b, c in mesh.faces:  # seen from outside, corners run counter-clockwise
        normal = np.cross(corners[b] - corners[a], corners[c] - corners[a])
        assert normal @ (corners[a] - corners.mean(axis=0)) > 0


def test_an_unknown_colour_is_refused():
    with pytest.raises(InputError, match="unknown colour"):
        VisualSphere("a", 1.0, colour="url(http://example.org)").data()


def test_road_ribbons_have_the_width_and_bank_of_the_road():
    system = System()
    system.add(RigidBody("a", mass=1.0, inertia=(1, 1, 1)))
    points = ((0.0, 0.0, 0.0), (50.0, 0.0, 0.0), (100.0, 0.0, 0.0))
    system.add(RoadSpline("road", points=points, bank=0.1, width=7.5))
    ribbons = [item for item in appearance_of(system).visuals if item.shape == "ribbon"]
    surface = ribbons[0]
    right, left = np.array(surface.right), np.array(surface.left)
    assert np.allclose(np.linalg.norm(left - right, axis=1), 7.5, atol=2e-4)  # coordinates are rounded to 1e-4 m
    assert np.allclose((left - right)[:, 2], 7.5 * np.sin(0.1), atol=2e-4)  # a positive bank lowers the right side
    assert len(ribbons) > 3 + 100 / 9 - 2  # two edge lines and a dash every nine metres


def test_a_road_without_edges_is_drawn_all_the_same():
    system = System()
    system.add(RigidBody("a", mass=1.0, inertia=(1, 1, 1)))
    points = ((0.0, 0.0, 0.0), (30.0, 0.0, 0.0), (60.0, 0.0, 0.0), (90.0, 0.0, 0.0))
    system.add(RoadSpline("road", points=points, width=1e9))
    ribbons = [item for item in appearance_of(system).visuals if item.shape == "ribbon"]
    assert 3 < len(ribbons) < 100


def test_contacts_are_shown_where_they_begin():
    run = recorded(two_bodies(), ["bar", "ball"])
    place = {"point_x": 1.0, "point_y": 2.0, "point_z": 3.0}
    run.events = Events([Event(0.2, "contact begin", "bar - ball", place), Event(0.3, "rope taut", "rope", place)])
    shown = scene_of(run).data["events"]
    assert shown[0]["point"] == [1.0, 2.0, 3.0] and "point" not in shown[1]


def test_a_vehicle_that_draws_itself_hides_outlines_and_hinges():
    class Cart(RigidBody):
        family = "vehicle"

        def visuals(self, scene):
            return [VisualBox("body", (1, 1, 1))]

    system = System()
    system.add(RigidBody("body", mass=1.0, inertia=(1, 1, 1)))
    system.parts["body.cart"] = Cart("body.cart", mass=1.0, inertia=(1, 1, 1))
    system.add(OutlineBox("shell", body="body", half_lengths=(1.0, 2.0, 3.0)))
    assert [item.size for item in appearance_of(system).visuals if item.body == "body"] == [(1, 1, 1)]


PLUGIN = """
from dataclasses import dataclass
from typing import ClassVar
from centrode.parts.forces.force import Force
from centrode.parts.part import quantity
from centrode.parts.placement import Placement
from centrode.parts.visual import VisualCylinder

@dataclass(frozen=True)
class Lamp(Force):
    kind: ClassVar[str] = "lamp"
    body: str = quantity("", "what carries it", refers_to="body")

    def place(self, scene):
        return Placement([self.end(scene, "body")[0]])

    def visuals(self, scene):
        return [VisualCylinder(self.body, 0.1, 2.0 * scene.extent(self.body), colour="yellow")]
"""


def test_a_kind_from_a_plugin_draws_itself(tmp_path):
    from centrode.scenario.loader import loads

    (tmp_path / "lamp.py").write_text(PLUGIN, encoding="utf-8")
    text = (
        "centrode: 1\nbodies: {post: {mass: 12 kg, inertia: [5, 10, 13]}}\nforces: {lamp: {kind: lamp, body: post}}\n"
    )
    system = loads(text, folder=tmp_path, plugins=("lamp.py",)).system
    run = recorded(system, ["post"])
    run.made_of = Scenario(system)
    shapes = scene_of(run).data["shapes"]
    # The box of equal inertia is 3 m long (above); the lamp's own shape is shown instead of it.
    assert [(item["shape"], item["owner"], item["length"]) for item in shapes] == [("cylinder", "lamp", 6.0)]
    assert shapes[0]["body"] == 0 and shapes[0]["colour"] == "#f4c20d" and "layer" not in shapes[0]


def test_a_hinge_does_not_hide_the_outline_of_its_body():
    system = System()
    door = system.add(RigidBody("door", mass=1.0, inertia=(1, 1, 1)))
    system.add(OutlineBox("skin", body="door", half_lengths=(0.5, 1.0, 0.02)))
    system.add(Revolute("hinge", system.ground, door, at=(0.5, 0, 0)))
    look = appearance_of(system)
    assert {(owner, item.shape) for item, owner in zip(look.visuals, look.owners, strict=True)} == {
        ("skin", "box"),
        ("hinge", "cylinder"),
        ("hinge", "box"),
    }


def test_up_is_against_gravity():
    assert up_direction((0, 0, -9.81), False) == [0, 0, 1]
    assert up_direction((0, 0, 9.81), False) == [0, 0, -1]
    assert up_direction((0, -9.81, 0), True) == [0, 1, 0]
    assert up_direction((0, 0, 0), True) == [0, 1, 0]


def test_plane_bodies_are_shown_by_position_and_angle():
    system = System(plane=True)
    system.add(PlanarBody("bar", mass=1.0, inertia=0.1))
    time = np.linspace(0, 1, 5)
    run = Recording(
        time=time,
        data={"bar.position": np.zeros((5, 2)), "bar.angle": time},
        channels=[Channel("bar.position", "m", ("xy",)), Channel("bar.angle", "rad")],
        account=Account(provenance=Provenance(scenario_text=dump(system))),
    )
    data = scene_of(run).data
    assert data["plane"] and data["up"] == [0, 1, 0]
    assert data["bodies"][0]["form"] == "planar"


def test_bodies_of_one_vehicle_share_a_colour():
    names = ["car1.body", "car1.wheel", "car2.body"]
    assert colour_of("car1.body", names) == colour_of("car1.wheel", names) != colour_of("car2.body", names)


def test_plots_leave_out_orientations_and_stay_few():
    run = recorded(two_bodies(), ["bar", "ball"])
    names = plot_channels(run)
    assert names[0] == "energy.kinetic" and not any(name.endswith("orientation") for name in names)
    assert plot_channels(run, ["bar"]) == ["bar.position", "bar.orientation"]
    with pytest.raises(InputError, match="no such channel"):
        plot_channels(run, ["bat.position"])


def test_names_cannot_leave_the_element_they_stand_in():
    text = embedded_json({"name": "</script><script>alert(1)</script><!-- & -->"})
    assert "<" not in text and ">" not in text and "&" not in text
    assert json.loads(text)["name"].startswith("</script>")


def test_a_road_whose_parameter_is_not_its_length_has_dense_sections_and_dashes():
    # The four-point road of MEDUSA runs from s = 0 to s = 1 whatever its length is.
    from centrode.parts.roads.medusa4 import RoadMedusa4

    system = System()
    system.add(RigidBody("car", mass=1.0))
    system.add(RoadMedusa4("road", points=((-100, 0, 0), (100, 0, 0), (500, 60, 0), (1000, 0, 0))))
    shapes = [item for item in appearance_of(system).visuals if item.shape == "ribbon"]
    surface = next(item for item in shapes if item.colour == "asphalt")
    middle = 0.5 * (np.array(surface.right) + np.array(surface.left))
    steps = np.linalg.norm(np.diff(middle, axis=0), axis=1)
    assert steps.max() < 3.0 and middle[0, 0] == -100.0 and middle[-1, 0] == 1000.0
    dashes = [item for item in shapes if item.colour == "line" and len(item.right) < 10]
    lengths = [np.linalg.norm(np.subtract(item.right[-1], item.right[0])) for item in dashes]
    # A dash of 3 m every 9 m, in two lines between three lanes; the last one may be cut short. A chord lacks
    # L^3/(24 R^2) of its arc: 1e-3 m for R = 35 m, and the road is wider bent than that.
    assert abs(len(dashes) - 2 * steps.sum() / 9.0) <= 4 and np.median(lengths) == pytest.approx(3.0, abs=1e-3)


@pytest.mark.parametrize(
    ("kind", "lines"), [("rolling-disc", "a: ground, b: disc, radius: 0.4"), ("sphere-contact", "")]
)
def test_what_rolls_is_drawn_as_large_as_it_rolls(kind: str, lines: str):
    from centrode.scenario.loader import loads

    part = (
        f"joints: {{contact: {{kind: {kind}, {lines}}}}}"
        if lines
        else f"forces: {{contact: {{kind: {kind}, body: disc, radius: 0.4, stiffness: 1e4}}}}"
    )
    system = loads(
        "centrode: 1\nbodies: {disc: {mass: 1 kg, inertia: [0.04, 0.08, 0.04], position: [0, 0, 0.4]}}\n" + part + "\n"
    ).system
    shapes = [item for item in appearance_of(system).visuals if item.body == "disc"]
    assert [item.shape for item in shapes] == (["cylinder", "cylinder"] if lines else ["sphere", "cylinder"])
    assert shapes[0].radius == 0.4 and shapes[1].colour == "white"
