"""Named coordinates of a system as functions of its poses, with exact rates: what linearisation is written in.

A coordinate is a function c of positions and rotation matrices. Its first and second derivative along a motion follow
from second-order jets (:mod:`centrode.math.jet`), so no differences are taken here. A body gives

    x, v, a        and      R,   R W,   R (W W + W'),     W the matrix of the angular velocity in body axes      (1)

Names are those of channels:

    hinge.angle   slider.displacement   contact.lean                         joints
    arm.position.x   arm.yaw   arm.lean   arm.pitch   arm.angle              bodies; yaw, lean, pitch are the angles
                                                                              3-1-2 of the bicycle lecture notes
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from centrode.classes import dataclass
from centrode.errors import InputError, nearest_name
from centrode.math.jet import Jet, arc_tangent, dot, root
from centrode.parts.bodies.body import BodyJets
from centrode.parts.joints.transmission import START
from centrode.parts.kernel_types import (
    JOINT_BODY_A,
    JOINT_BODY_C,
    JOINT_MARKER_A,
    JOINT_MARKER_B,
    JOINT_MARKER_C,
)

if TYPE_CHECKING:
    from centrode.system.model import Model


def body_jets(model: Any, b: int, pose: np.ndarray, velocity: np.ndarray, acceleration: np.ndarray) -> BodyJets:
    """Centre of mass and rotation matrix of a body (principal axes), equation (1); body 0 is the ground."""
    if b == 0:
        zero = np.zeros(3)
        return Jet(zero, zero, zero), Jet(np.eye(3), np.zeros((3, 3)), np.zeros((3, 3)))
    found: BodyJets = model.body_parts[b - 1].jets(pose[b - 1], velocity[b - 1], acceleration[b - 1])
    return found


@dataclass(frozen=True)
class Coordinate:
    """One coordinate.

    Attributes:
        name: as a user writes it.
        bodies: numbers of the bodies that it depends on.
        function: from the jets of those bodies, (position, rotation) each, to the jet of the coordinate.
        periodic: an angle that is counted modulo a full turn.
        unit: rad or m.
    """

    name: str
    bodies: tuple[int, ...]
    function: Callable[..., Jet]
    periodic: bool = False
    unit: str = "rad"

    def jet(self, workspace: Any, velocity: np.ndarray | None = None, acceleration: np.ndarray | None = None) -> Jet:
        """Value, rate and second derivative at the workspace's pose, with its own motion unless another is given."""
        v = workspace["velocity"] if velocity is None else velocity
        a = workspace["acceleration"] if acceleration is None else acceleration
        return self.function(*(body_jets(workspace.model, b, workspace["pose"], v, a) for b in self.bodies))

    def gradient(self, workspace: Any) -> np.ndarray:
        """d(rate)/d(velocity), shape (bodies, velocities per body): one rate per unit velocity."""
        velocity = np.zeros_like(workspace["velocity"])
        still = np.zeros_like(velocity)
        found = np.zeros_like(velocity)
        for b in self.bodies:
            for k in range(velocity.shape[1] if b else 0):
                velocity[b - 1, k] = 1.0
                found[b - 1, k] = self.jet(workspace, velocity, still).d
                velocity[b - 1, k] = 0.0
        return found

    def miss(self, value: float, wanted: float) -> float:
        """value - wanted, of an angle the nearest turn."""
        return math.remainder(value - wanted, 2.0 * math.pi) if self.periodic else value - wanted


def find_coordinate(model: Any, name: str) -> Coordinate:
    """The coordinate of that name.

    Raises:
        InputError: no such coordinate, with the nearest name.
    """
    known = coordinate_makers(model)
    if name not in known:
        raise InputError(
            "unknown coordinate",
            path="coordinates",
            got=name,
            nearest=nearest_name(name, list(known)),
            hint="hinge.angle, slider.displacement, contact.lean, body.position.x, body.yaw, body.lean, body.pitch",
        )
    return known[name]()


def coordinate_makers(model: Any) -> dict[str, Callable[[], Coordinate]]:
    """Every coordinate that a model offers: name -> function that makes it."""
    found: dict[str, Callable[[], Coordinate]] = {}
    for j, joint in enumerate(model.joints):
        for what, unit in joint.coordinate_names:
            maker = _MAKERS.get(f"{joint.kind}.{what}") or _MAKERS.get(what)
            if maker is not None:
                found[f"{joint.name}.{what}"] = partial(maker, model, j, f"{joint.name}.{what}", unit)
    for b, body in enumerate(model.body_names):
        if b == 0:
            continue
        for k, letter in enumerate("xy" if model.plane else "xyz"):
            found[f"{body}.position.{letter}"] = partial(_position, model, b, k, f"{body}.position.{letter}")
        for what in ("angle",) if model.plane else ("yaw", "lean", "pitch"):
            found[f"{body}.{what}"] = partial(_angle_of_body, model, b, what, f"{body}.{what}")
    return found


def _frames(model: Any, j: int) -> tuple[tuple[int, int], list[Callable[[Jet, Jet], tuple[Jet, Jet]]]]:
    """Bodies of a joint, and for each side a function from the body's jets to place and axes of its marker."""
    link = model.joint_link[j]
    sides: list[Callable[[Jet, Jet], tuple[Jet, Jet]]] = []
    for m in (int(link[JOINT_MARKER_A]), int(link[JOINT_MARKER_B])):
        place = np.array(model.markers[m]["position"])
        frame = np.array(model.markers[m]["frame"]).reshape(3, 3)
        sides.append(partial(_marker_jets, place, frame))
    return (int(link[JOINT_BODY_A]), int(link[JOINT_BODY_A + 1])), sides


def _marker_jets(place: np.ndarray, frame: np.ndarray, x: Jet, r: Jet) -> tuple[Jet, Jet]:
    return x + r @ place, r @ frame


def _joint_angle(model: Any, j: int, name: str, unit: str) -> Coordinate:
    bodies, (side_a, side_b) = _frames(model, j)

    def angle(a: tuple[Jet, Jet], b: tuple[Jet, Jet]) -> Jet:
        (_, fa), (_, fb) = side_a(*a), side_b(*b)
        xa, ya, xb, yb = fa[:, 0], fa[:, 1], fb[:, 0], fb[:, 1]
        return arc_tangent(dot(ya, xb) - dot(xa, yb), dot(xa, xb) + dot(ya, yb))

    return Coordinate(name, bodies, angle, periodic=True, unit=unit)


def _cross_angle(side: int, model: Any, j: int, name: str, unit: str) -> Coordinate:
    """Angle of a universal joint: of the cross against a (side 0), or of b against the cross (side 1)."""
    bodies, sides = _frames(model, j)
    sign = 1.0 - 2.0 * side

    def angle(a: tuple[Jet, Jet], b: tuple[Jet, Jet]) -> Jet:
        frames = sides[0](*a)[1], sides[1](*b)[1]
        own, other = frames[side], frames[1 - side][:, 2]
        return arc_tangent(Jet(sign) * dot(own[:, 1], other), dot(own[:, 0], other))

    return Coordinate(name, bodies, angle, periodic=True, unit=unit)


def _wheel_angle(side: int, model: Any, j: int, name: str, unit: str) -> Coordinate:
    """Angle of a gear wheel against its carrier."""
    link = model.joint_link[j]
    _, sides = _frames(model, j)
    first = 1 + 6 * side  # x_0, y_0 in the axes of the carrier's marker (parts/joints/gear_pair.py)
    x_0, y_0 = (np.array(model.joint_par[j, first + 3 * k : first + 3 * k + 3]) for k in range(2))
    carried = int(link[JOINT_BODY_C]) != 0
    frame_c = np.array(model.markers[int(link[JOINT_MARKER_C])]["frame"]).reshape(3, 3) if carried else np.eye(3)

    def angle(wheel: tuple[Jet, Jet], carrier: tuple[Jet, Jet]) -> Jet:
        x = sides[side](*wheel)[1][:, 0]
        axes = carrier[1] @ frame_c
        return arc_tangent(dot(axes @ y_0, x), dot(axes @ x_0, x))

    return Coordinate(name, (int(link[JOINT_BODY_A + side]), int(link[JOINT_BODY_C])), angle, periodic=True, unit=unit)


def _carried_displacement(side: int, model: Model, j: int, name: str, unit: str) -> Coordinate:
    """Displacement of a side of a transmission in its carrier since the start."""
    link = model.joint_link[j]
    _, sides = _frames(model, j)
    first = 1 + 6 * side  # as above
    x_0, y_0 = (np.array(model.joint_par[j, first + 3 * k : first + 3 * k + 3]) for k in range(2))
    along, start = np.cross(x_0, y_0), float(model.joint_par[j, START + side])
    marker = model.markers[int(link[JOINT_MARKER_C])]
    carried = int(link[JOINT_BODY_C]) != 0
    place_c = np.array(marker["position"]) if carried else np.zeros(3)
    frame_c = np.array(marker["frame"]).reshape(3, 3) if carried else np.eye(3)

    def displacement(slider: tuple[Jet, Jet], carrier: tuple[Jet, Jet]) -> Jet:
        place, turn = carrier
        return dot(turn @ (frame_c @ along), sides[side](*slider)[0] - (place + turn @ place_c)) - Jet(start)

    return Coordinate(name, (int(link[JOINT_BODY_A + side]), int(link[JOINT_BODY_C])), displacement, unit=unit)


def _joint_displacement(model: Any, j: int, name: str, unit: str) -> Coordinate:
    bodies, (side_a, side_b) = _frames(model, j)

    def displacement(a: tuple[Jet, Jet], b: tuple[Jet, Jet]) -> Jet:
        (pa, fa), (pb, _) = side_a(*a), side_b(*b)
        return dot(fa[:, 2], pb - pa)

    return Coordinate(name, bodies, displacement, unit=unit)


def joint_displacements(model: Model, j: int, name: str) -> list[Coordinate]:
    """Displacements of the marker of b along the axes of the marker of a, ``name.x`` and so on; two in the plane."""
    bodies, (side_a, side_b) = _frames(model, j)

    def displacement(k: int, a: tuple[Jet, Jet], b: tuple[Jet, Jet]) -> Jet:
        (pa, fa), (pb, _) = side_a(*a), side_b(*b)
        return dot(fa[:, k], pb - pa)

    axes = range(3)
    return [Coordinate(f"{name}.{'xyz'[k]}", bodies, partial(displacement, k), unit="m") for k in axes]


def _joint_lean(model: Any, j: int, name: str, unit: str) -> Coordinate:
    """Lean of a disc: the angle of its axle over the plane."""
    bodies, (side_a, side_b) = _frames(model, j)

    def lean(a: tuple[Jet, Jet], b: tuple[Jet, Jet]) -> Jet:
        (_, fa), (_, fb) = side_a(*a), side_b(*b)
        axle = fb[:, 2]
        along, across = dot(fa[:, 0], axle), dot(fa[:, 1], axle)
        return arc_tangent(dot(fa[:, 2], axle), root(along * along + across * across))

    return Coordinate(name, bodies, lean, unit=unit)


GEARS = ("gear", "planetary", "bevel-gear", "differential", "transmission")

_MAKERS: dict[str, Callable[..., Coordinate]] = {
    "angle": _joint_angle,
    "displacement": _joint_displacement,
    "lean": _joint_lean,
    "universal.angle_a": partial(_cross_angle, 0),
    "universal.angle_b": partial(_cross_angle, 1),
    **{f"{kind}.angle_a": partial(_wheel_angle, 0) for kind in GEARS},
    **{f"{kind}.angle_b": partial(_wheel_angle, 1) for kind in GEARS},
    "transmission.displacement_a": partial(_carried_displacement, 0),
    "transmission.displacement_b": partial(_carried_displacement, 1),
}


def _user_frame(model: Any, b: int) -> Callable[[Jet, Jet], tuple[Jet, Jet]]:
    row = model.body_rows[b - 1]
    centre, axes = row.axes.T @ row.centre, row.axes.T
    return lambda x, r: (x - r @ centre, r @ axes)


def _position(model: Any, b: int, k: int, name: str) -> Coordinate:
    frame = _user_frame(model, b)
    return Coordinate(name, (b,), lambda body: frame(*body)[0][k], unit="m")


def _angle_of_body(model: Any, b: int, what: str, name: str) -> Coordinate:
    """Yaw, lean, pitch of R = Rz(yaw) Rx(lean) Ry(pitch), or the angle of a planar body."""
    frame = _user_frame(model, b)

    def angle(body: tuple[Jet, Jet]) -> Jet:
        r = frame(*body)[1]
        if what == "angle":
            return arc_tangent(r[1, 0], r[0, 0])
        if what == "yaw":
            return arc_tangent(Jet(-r[0, 1].v, -r[0, 1].d, -r[0, 1].dd), r[1, 1])
        if what == "pitch":
            return arc_tangent(Jet(-r[2, 0].v, -r[2, 0].d, -r[2, 0].dd), r[2, 2])
        return arc_tangent(r[2, 1], root(r[2, 0] * r[2, 0] + r[2, 2] * r[2, 2]))

    return Coordinate(name, (b,), angle, periodic=what != "lean")


def chart_coordinate(workspace: Any, direction: np.ndarray, name: str) -> Coordinate:
    """Displacement from the present pose along a direction of velocities, see ``Body.displacement``.

    Args:
        direction: weights of the velocities of all bodies, shape (bodies, velocities per body).
    """
    model = workspace.model
    involved = tuple(b + 1 for b in range(model.body_count) if np.any(direction[b]))
    zero = np.zeros_like(workspace["velocity"])
    start = {b: body_jets(model, b, workspace["pose"].copy(), zero, zero) for b in involved}

    def displacement(*bodies: BodyJets) -> Jet:
        total = Jet(0.0)
        for b, now in zip(involved, bodies, strict=True):
            total = total + model.body_parts[b - 1].displacement(direction[b - 1], start[b], now)
        return total

    return Coordinate(name, involved, displacement, unit="1")
