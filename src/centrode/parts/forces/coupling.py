"""Coupling of two joints: the coordinate of one follows that of another by a ratio, through a spring and a damper.

With the coordinates q_1 (leading) and q_2 (following) of two hinges or sliders since the start
(:mod:`centrode.parts.forces.axis`):

    e  = q_2 - i q_1,        e' = q_2' - i q_1'                                          (1)
    following joint -E, leading joint +i E,   E = k e + c e'                             (2)
    energy k e^2 / 2                                                                     (3)

(2) is the generalised force of the energy (3), so the two efforts do no work on a motion that keeps the ratio. It
stands for toothed belts, tendons and the gears of grippers, which join up to four bodies and give way as these do.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar

from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.parts.forces.axis import ABOUT, ALONG, drive, motion
from centrode.parts.forces.force import Force
from centrode.parts.kernel_types import ENERGY_SIGNATURE, FORCE_SIGNATURE, LINK_MARKERS
from centrode.parts.part import quantity
from centrode.parts.placement import Placement, Scene


class Column(IntEnum):
    """Parameter columns; the first two also name the memory columns of the unwrapped angles."""

    LEADING = 0
    FOLLOWING = 1
    RATIO = 2
    STIFFNESS = 3
    DAMPING = 4


@step_kernel
def coupled(i, par, link, memory, markers):
    """Both coordinates, and error and rate of (1)."""
    a, b, c, d = link[i, LINK_MARKERS], link[i, LINK_MARKERS + 1], link[i, LINK_MARKERS + 2], link[i, LINK_MARKERS + 3]
    first, first_rate = motion(par[i, Column.LEADING], memory[i, Column.LEADING], markers, a, b)
    second, second_rate = motion(par[i, Column.FOLLOWING], memory[i, Column.FOLLOWING], markers, c, d)
    return first, second, second - par[i, Column.RATIO] * first, second_rate - par[i, Column.RATIO] * first_rate


@step_kernel(signature=FORCE_SIGNATURE)
def coupling_effort(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(1), (2)."""
    for i in range(first, first + count):
        leading, following, error, rate = coupled(i, par, link, memory, markers)
        memory[i, Column.LEADING], memory[i, Column.FOLLOWING] = leading, following
        effort = par[i, Column.STIFFNESS] * error + par[i, Column.DAMPING] * rate
        m = LINK_MARKERS
        drive(par[i, Column.LEADING], markers, wrench, link[i, m], link[i, m + 1], par[i, Column.RATIO] * effort)
        drive(par[i, Column.FOLLOWING], markers, wrench, link[i, m + 2], link[i, m + 3], -effort)


@step_kernel(signature=ENERGY_SIGNATURE)
def coupling_energy(time, first, count, par, link, data, inputs, memory, markers, states, energy):
    """(3)."""
    for i in range(first, first + count):
        _, _, error, _ = coupled(i, par, link, memory, markers)
        energy[i] = 0.5 * par[i, Column.STIFFNESS] * error * error


@dataclass(frozen=True)
class Coupling(Force):
    """One joint follows another; both are hinges or sliders. Units are those of the following joint."""

    kind: ClassVar[str] = "coupling"
    force_kernel: ClassVar[Any] = coupling_effort
    energy_kernel: ClassVar[Any] = coupling_energy
    example: ClassVar[dict[str, Any]] = {
        "leading": "joint",
        "following": "joint2",
        "stiffness": 3.0,
        "ratio": -0.7,
        "damping": 0.4,
    }

    leading: Any = quantity("", "joint that is followed", refers_to="joint")
    following: Any = quantity("", "joint that follows", refers_to="joint")
    stiffness: float = quantity("N*m/rad|N/m", "effort on the following joint per error", positive=True)
    ratio: float = quantity("1", "motion of the following joint per motion of the leading one", 1.0)
    damping: float = quantity(
        "N*m*s/rad|N*s/m", "effort on the following joint per rate of the error", 0.0, minimum=0.0
    )

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not found and self.leading == self.following:
            found.append(self.fault("following", "a joint cannot follow itself"))
        return found

    def counted_angles(self) -> list[tuple[int, str]]:
        return [(Column.LEADING, self.leading), (Column.FOLLOWING, self.following)]

    def place(self, scene: Scene) -> Placement:
        joints = [scene.find(self.leading), scene.find(self.following)]
        for field, joint in zip(("leading", "following"), joints, strict=True):
            if joint.kind not in ("revolute", "prismatic"):
                raise self.refusal(field, "not a hinge or slider", got=joint.kind, expected="revolute or prismatic")
        modes = [ABOUT if joint.kind == "revolute" else ALONG for joint in joints]
        markers = [marker for joint in joints for marker in joint.markers(scene)]
        return Placement(markers, par=[*modes, self.ratio, self.stiffness, self.damping])
