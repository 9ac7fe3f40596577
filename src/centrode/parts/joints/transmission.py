"""Transmission: of two bodies that a carrier bears, each on a hinge or a slider, one follows the other; one row.

It is to hinges and sliders what a gear is to hinges: fingers of a gripper, belts, spindles without a thread, joints of
a robot that mimic others. With the coordinates q_a and q_b of the two against the carrier c since the start,

    phi   = q_b - i q_a,    phi' = q_b' - i q_a'                                             (1)

A side that turns is that of :mod:`centrode.parts.joints.gear_pair`. One that slides has, with u its axis, fixed in the
carrier, d = p - p_c from the carrier's marker to its own and s_0 the value of u . d at the start,

    q  = u . d - s_0                                                                         (2)
    q' = u . (v - v_c) + w_c . (u x d)                                                       (3)
    q" = (what (3) gives for accelerations) + 2 (w_c x u) . (v - v_c) + (w_c x (w_c x u)) . d     (4)

On the ground u and p_c are at rest. A chain, in which b is borne by a and a by c, is the same row seen from a: a is
the carrier, and c moves against it by -q_a.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.math.rotation import frame_from_axis
from centrode.math.vector import ZERO, cross, dot, minus, plus_times, times, vector
from centrode.parts.joints.gear_pair import FRAMES, RATIO, GearPair
from centrode.parts.joints.joint import PLANE_NORMAL, slider_frame
from centrode.parts.joints.rows import GAMMA, PHI, angle_motion, unwrapped, write_side
from centrode.parts.kernel_types import (
    JOINT_BODY_C,
    JOINT_MARKER_A,
    JOINT_MARKER_C,
    JOINT_SIGNATURE,
    POSITION,
    VELOCITY,
)
from centrode.parts.markers import X, axis, in_world, omega
from centrode.parts.part import quantity
from centrode.parts.placement import GROUND, Scene, unit_vector

SLIDES, START = FRAMES + 12, FRAMES + 14
"""Parameter columns behind those of a gear: 1 for each side that slides, and its s_0 [m]."""
TURN, SLIDE = "turn", "slide"


@step_kernel(signature=JOINT_SIGNATURE)
def transmission_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Row (1) with (2) to (4) or the angles of a gear, in space and in the plane."""
    for j in range(first, first + count):
        carried = link[j, JOINT_BODY_C] != 0
        c = link[j, JOINT_MARKER_C]
        p_c, v_c, w_c = ZERO, ZERO, ZERO
        if carried:
            p_c, v_c, w_c = vector(markers[c], POSITION), vector(markers[c], VELOCITY), omega(markers, c)
        phi = 0.0
        bias = 0.0
        line_c, turn_c = ZERO, ZERO
        for side in range(2):
            m = link[j, JOINT_MARKER_A + side]
            factor = -par[j, RATIO] if side == 0 else 1.0
            k = FRAMES + 6 * side
            x_0, y_0 = vector(par[j], k), vector(par[j], k + 3)
            if carried:
                x_0, y_0 = in_world(markers, c, x_0), in_world(markers, c, y_0)
            if par[j, SLIDES + side] != 0.0:
                u = cross(x_0, y_0)
                d, v = minus(vector(markers[m], POSITION), p_c), minus(vector(markers[m], VELOCITY), v_c)
                du = cross(w_c, u)
                memory[j, side] = dot(u, d) - par[j, START + side]
                bias += factor * (2.0 * dot(du, v) + dot(cross(w_c, du), d))
                line_c = plus_times(line_c, -factor, u)
                turn_c = plus_times(turn_c, factor, cross(u, d))
                write_side(jacobian, j, side, 0, times(factor, u), ZERO)
            else:
                raw, n, gamma = angle_motion(x_0, y_0, axis(markers, m, X), w_c, omega(markers, m))
                memory[j, side] = unwrapped(raw, memory[j, side])
                bias += factor * gamma
                turn_c = plus_times(turn_c, -factor, n)
                write_side(jacobian, j, side, 0, ZERO, times(factor, n))
            phi += factor * memory[j, side]
        if carried:
            write_side(jacobian, j, 2, 0, line_c, turn_c)
        terms[j, 0, PHI] = phi
        terms[j, 0, GAMMA] = bias


@dataclass(frozen=True)
class Transmission(GearPair):
    """Two bodies on hinges or sliders of one carrier, one of which follows the other."""

    kind: ClassVar[str] = "transmission"
    spatial_kernel = transmission_rows
    plane_kernel = transmission_rows
    example = {"ratio": -1.3, "carrier": "c", "moves_b": SLIDE}  # noqa: RUF012

    ratio: float = quantity("1", "motion of b per motion of a, in rad and m")
    moves_a: str = quantity("", "what a does in the carrier", TURN, choices=(TURN, SLIDE), kw_only=True)
    moves_b: str = quantity("", "what b does in the carrier", TURN, choices=(TURN, SLIDE), kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        names = {TURN: ("angle", "rad"), SLIDE: ("displacement", "m")}
        found = [(side, names.get(moves, names[TURN])) for side, moves in (("a", self.moves_a), ("b", self.moves_b))]
        coordinates = tuple((f"{name}_{side}", unit) for side, (name, unit) in found)
        object.__setattr__(self, "coordinate_names", coordinates)  # seen by whoever asks this joint for its channels

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not found and self.ratio == 0.0:
            found.append(self.fault("ratio", "a transmission with ratio 0 would hold b still"))
        return found

    def turning(self) -> float:
        return float(self.ratio)

    def slides(self) -> tuple[bool, bool]:
        """Whether each side slides."""
        return self.moves_a == SLIDE, self.moves_b == SLIDE

    def axes(self, scene: Scene) -> tuple[np.ndarray, np.ndarray]:
        found = []
        given = ("a", self.a, self.axis_a), ("b", self.b, self.axis_b)
        for (side, end, own), slides in zip(given, self.slides(), strict=True):
            body, _ = scene.resolve(end)
            default = (1.0, 0.0, 0.0) if scene.plane and slides else (0.0, 0.0, 1.0)
            if own is not None:
                found.append(scene.pose(body)[1] @ unit_vector(own, f"{self.name}.axis_{side}"))
            else:
                found.append(unit_vector(self.axis if self.axis is not None else default, f"{self.name}.axis"))
            if scene.plane and abs(abs(found[-1] @ PLANE_NORMAL) - (0.0 if slides else 1.0)) > 1e-9:
                expected = "a direction in the plane" if slides else "the plane's normal (0, 0, 1)"
                got = tuple(found[-1].tolist())
                raise self.refusal(f"axis_{side}", "axis does not fit a plane system", got=got, expected=expected)
        return found[0], found[1]

    def frames(self, scene: Scene) -> tuple[np.ndarray, np.ndarray]:
        """World frames of both markers; one that slides in a plane has x and y in such a way that z is its axis."""
        found = [
            slider_frame(along) if scene.plane and slides else frame_from_axis(along)
            for along, slides in zip(self.axes(scene), self.slides(), strict=True)
        ]
        return found[0], found[1]

    def parameters(self, scene: Scene) -> list[float]:
        carrier, _ = scene.resolve(self.carrier)
        origin = np.zeros(3) if carrier == GROUND else scene.pose(carrier)[0]
        ends = zip(self.axes(scene), self.points(scene), strict=True)
        starts = [float(along @ (place - origin)) for along, place in ends]
        return [*super().parameters(scene), *map(float, self.slides()), *starts]
