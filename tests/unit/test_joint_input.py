"""Joints refuse what cannot be meant, by name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from centrode.errors import InputError
from centrode.parts.bodies.planar import PlanarBody
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.joints.ball import Ball
from centrode.parts.joints.fixed import Fixed
from centrode.parts.joints.gear import Gear
from centrode.parts.joints.joint import Joint
from centrode.parts.joints.knife_edge import KnifeEdge
from centrode.parts.joints.motion import Motion
from centrode.parts.joints.planar import Planar
from centrode.parts.joints.prismatic import Prismatic
from centrode.parts.joints.rack_and_pinion import RackAndPinion
from centrode.parts.joints.revolute import Revolute
from centrode.parts.joints.rod import Rod
from centrode.parts.joints.rolling_disc import RollingDisc
from centrode.parts.joints.rope import Rope
from centrode.parts.joints.screw import Screw
from centrode.parts.joints.universal import Universal
from centrode.parts.points.point import Point
from centrode.parts.registry import kinds
from centrode.system.builder import System
from centrode.system.model import build_model

NAN = float("nan")
SPACE = {
    "zero axis": (lambda g, b: Revolute("j", g, b, at=(0, 0, 0), axis=(0, 0, 0)), "not all zero"),
    "axis of two words": (lambda g, b: Revolute("j", g, b, axis=("up", "down")), "not a list of numbers"),
    "axis on a ball": (lambda g, b: Ball("j", g, b, at=(0, 0, 0), axis=(0, 0, 1)), "has no axis"),
    "at and point": (lambda g, b: Ball("j", g, b, at=(0, 0, 0), point_b=(1, 0, 0)), "place is given twice"),
    "axis and axis_a": (lambda g, b: Revolute("j", g, b, axis=(0, 0, 1), axis_a=(0, 0, 1)), "axis is given twice"),
    "four coordinates": (lambda g, b: Ball("j", g, b, at=(0, 0, 0, 1)), "two or three finite coordinates"),
    "place not a number": (lambda g, b: Ball("j", g, b, at=(0, NAN, 0)), "finite"),
    "stiff but exact": (lambda g, b: Ball("j", g, b, at=(0, 0, 0), stiffness=1e5), "compliant"),
    "negative rod": (lambda g, b: Rod("j", g, b, -1.0), "must be positive"),
    "rod without direction": (lambda g, b: Rod("j", g, b, 1.0, at=(0, 0, 0)), "no direction"),
    "short rope": (lambda g, b: Rope("j", g, b, 0.5), "shorter than the distance"),
    "rope without length": (lambda g, b: Rope("j", g, b, at=(0, 0, 0)), "needs a length"),
    "restitution": (lambda g, b: Rope("j", g, b, 2.0, restitution=1.5), "too large"),
    "gear ratio": (lambda g, b: Gear("j", g, b, 0.0), "ratio 0"),
    "screw lead": (lambda g, b: Screw("j", g, b, NAN), "finite"),
    "one axis of a cross": (lambda g, b: Universal("j", g, b, axis=(0, 0, 1)), "both axes of its cross"),
    "oblique cross": (
        lambda g, b: Universal("j", g, b, at=(0, 0, 0), axis=(0, 0, 1), cross_axis=(0, 1, 1)),
        "perpendicular.*45 deg",
    ),
    "zero cross axis": (
        lambda g, b: Universal("j", g, b, at=(0, 0, 0), axis=(0, 0, 1), cross_axis=(0, 0, 0)),
        "not all zero",
    ),
    "pinion radius": (lambda g, b: RackAndPinion("j", b, g, 0.0, (1, 0, 0)), "must be positive"),
    "rack along axis": (lambda g, b: RackAndPinion("j", b, g, 0.1, (0, 0, 1)), "perpendicular to the axis"),
    "rack without direction": (lambda g, b: RackAndPinion("j", b, g, 0.1, (0, 0, 0)), "not all zero"),
    "disc in the ground": (lambda g, b: RollingDisc("j", g, b, 1.5), "in the ground.*expected 1.5 m"),
    "disc below the ground": (lambda g, b: RollingDisc("j", g, b, 0.1, point_a=(0, 0, 2)), "in the ground"),
    "flat disc": (lambda g, b: RollingDisc("j", g, b, 0.5, axis=(0, 0, 1)), "lies flat"),
    "thick tyre": (lambda g, b: RollingDisc("j", g, b, 0.5, 0.6), "no thicker than its wheel"),
    "disc radius": (lambda g, b: RollingDisc("j", g, b, -0.5), "must be positive"),
    "disc with at": (lambda g, b: RollingDisc("j", g, b, 0.5, at=(0, 0, 0)), "no place or axis of this name"),
    "plane without normal": (lambda g, b: RollingDisc("j", g, b, 0.5, normal=(0, 0, 0)), "not all zero"),
    "blade through the ground": (lambda g, b: KnifeEdge("j", g, b, axis=(0, 0, 1)), "blade lies in the ground"),
    "motion without signal": (lambda g, b: Motion("j", g, b, "fast"), "unreadable signal"),
    "motion of what": (lambda g, b: Motion("j", g, b, 0.0, "bending"), "unknown choice"),
    "motion by a bad table": (
        lambda g, b: Motion("j", g, b, {"kind": "table", "times": (0, 2, 1), "values": (0, 0, 0)}),
        "times of a table must ascend",
    ),
    "lock by word": (lambda g, b: Revolute("j", g, b, locked="yes"), "not a switch"),
    "same body twice": (lambda g, b: Ball("j", b, b, at=(0, 0, 0)), "two different bodies"),
}
PLANE = {
    "hinge across": (lambda g, b: Revolute("j", g, b, at=(0, 0), axis=(1, 0, 0)), "plane's normal"),
    "slider out of the plane": (lambda g, b: Prismatic("j", g, b, at=(0, 0), axis=(0, 0, 1)), "direction in the plane"),
    "no meaning": (lambda g, b: Planar("j", g, b), "no meaning in a plane system"),
}


@pytest.mark.parametrize("case", SPACE)
def test_bad_joints_in_space(case):
    make, text = SPACE[case]
    system = System()
    body = system.add(RigidBody("arm", 1.0, (0.1, 0.1, 0.1), position=(0.0, 0.0, 1.0)))
    with pytest.raises(InputError, match=text) as caught:
        system.add(make(system.ground, body))
        build_model(system)
    assert all(fault.path.startswith(("j", "signal")) for fault in caught.value.faults)


@pytest.mark.parametrize("case", PLANE)
def test_bad_joints_in_the_plane(case):
    make, text = PLANE[case]
    system = System(plane=True)
    body = system.add(PlanarBody("arm", 1.0, 0.1, position=(0.0, 1.0)))
    with pytest.raises(InputError, match=text):
        system.add(make(system.ground, body))
        build_model(system)


@given(st.lists(st.one_of(st.floats(), st.just(0.0)), max_size=4), st.sampled_from(["at", "point_a", "axis", "axis_b"]))
def test_any_numbers_are_taken_or_refused_by_name(values, field):
    """No place or axis makes a joint fail in any way but an InputError that names the field."""
    system = System()
    body = system.add(RigidBody("arm", 1.0, (0.1, 0.1, 0.1)))
    try:
        system.add(Revolute("j", system.ground, body, **{field: tuple(values)}))
        build_model(system)
    except InputError as error:
        assert all(field in fault.path for fault in error.faults)


def test_weld_without_a_place_keeps_the_bodies_where_they_are():
    system = System()
    a = system.add(RigidBody("a", 1.0, (0.1, 0.1, 0.1)))
    b = system.add(RigidBody("b", 1.0, (0.1, 0.1, 0.1), position=(1.0, 2.0, 3.0)))
    tip = system.add(Point("tip", a, (0.5, 0.0, 0.0)))
    system.add(Fixed("weld", a, b))
    system.add(Fixed("weld2", tip, b))
    model = build_model(system)
    for joint, place in (("weld", (1.0, 2.0, 3.0)), ("weld2", (0.5, 0.0, 0.0))):
        marker = model.joint_link[model.joint_index(joint), 0]
        assert tuple(model.markers[marker]["position"]) == pytest.approx(place)


def test_every_kind_says_what_it_is():
    """Kernels, rows and a docstring of its own; names of coordinates fit the memory."""
    for kind, cls in kinds("joint").items():
        assert issubclass(cls, Joint) and cls.__doc__ and cls.rows > 0 and cls.spatial_kernel is not None, kind
        assert (cls.plane_kernel is not None) == (cls.plane_rows > 0), kind
        assert len(cls.coordinate_names) <= 3, kind
