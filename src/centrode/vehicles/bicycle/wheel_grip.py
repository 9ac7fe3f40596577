"""Grip of a wheel that rolls by a joint: it lets go where the road would have to pull, or to hold more than friction.

Wheels of bicycles roll by joints, which hold with any force: struck by a car such a machine would stand like a post,
its wheels nailed to the road. With the multipliers of the rolling joint, N up and (F_f, F_g) forward and sideways on
the wheel, this watch has the event function

    min( N,  mu N - |(F_f, F_g)| )                                                                        (1)

When it falls through zero the rows of the joint are switched off for the rest of the run: the wheel is a body like any
other, and its outline meets the road. It pushes nothing, and what is taken away carried no work, so energy and momentum
do not jump. It watches only where bodies can meet and a road is there to come down on (:func:`can_crash`).
"""

# Kernels are checked by compiling, and by running with the JIT off.
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar

from centrode.jit import step_kernel
from centrode.parts.forces.force import Force
from centrode.parts.hooks import Moment
from centrode.parts.joints.joint import Joint
from centrode.parts.joints.rolling_disc import RollingJoint
from centrode.parts.kernel_types import EVENT_SIGNATURE
from centrode.parts.part import quantity
from centrode.parts.placement import MarkerPlace, Placement, Scene
from centrode.system.builder import System
from centrode.system.model import sorted_by_kind
from centrode.vehicles.bicycle.fall import can_crash, no_force


class Par(IntEnum):
    """Parameter columns: number of the joint, friction."""

    JOINT = 0
    GRIP = 1


@step_kernel(signature=EVENT_SIGNATURE)
def wheel_grip_event(time, first, count, par, link, data, inputs, memory, markers, states, multipliers, values):
    """(1); multipliers are minus the forces on the wheel."""
    for i in range(first, first + count):
        values[i] = 1.0
        if memory[i, 0] == 0.0:  # not yet loose
            j = int(par[i, Par.JOINT.value])
            load, ahead, aside = -multipliers[j, 0], multipliers[j, 1], multipliers[j, 2]
            values[i] = min(load, par[i, Par.GRIP.value] * load - math.sqrt(ahead * ahead + aside * aside))


@dataclass(frozen=True)
class WheelGrip(Force):
    """Lets a wheel go that rolls by a joint, where friction would not hold it or it would have to be pulled down."""

    kind: ClassVar[str] = "wheel-grip"
    force_kernel: ClassVar[object] = no_force
    event_kernel: ClassVar[object] = wheel_grip_event
    works_in_plane: ClassVar[bool] = False
    external: ClassVar[bool] = True

    joint: str = quantity("", "rolling joint that holds the wheel", refers_to="joint")
    grip: float = quantity("1", "friction of tyre and road", 0.8, positive=True, usual=(0.01, 3.0))

    def place(self, scene: Scene) -> Placement:
        system: System = scene.system  # type: ignore[attr-defined]
        joints = sorted_by_kind([part for part in system.parts.values() if isinstance(part, Joint)])
        joint = system.parts[self.joint]
        if not isinstance(joint, RollingJoint):
            raise self.refusal("joint", "no joint of a wheel that rolls", expected="a rolling-disc or rolling-wheel")
        body, local = scene.resolve(joint.b)
        loose = 0.0 if can_crash(system) else 1.0
        number = float(joints.index(joint))
        return Placement([MarkerPlace(body, local, None)], par=[number, float(self.grip)], memory=[loose])

    def on_event(self, moment: Moment) -> tuple[str, dict[str, float]]:
        """Switch the joint off."""
        w = moment.workspace
        number = int(w.model.force_par[moment.index][Par.JOINT])
        load, ahead, aside = (-float(value) for value in w["multipliers"][number][:3])
        moment.memory[0] = 1.0
        w.model.joints[number].let_go(w["joint_memory"][number], w["row_active"][number])
        moment.evaluate()
        return "wheel let go", {"load": load, "along": ahead, "across": aside}
