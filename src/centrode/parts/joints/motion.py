"""Prescribed motion: a coordinate of b against a follows a signal s(t); one row that depends on time.

    translation   phi = z_a . d - c_0 - s(t),   d = p_b - p_a                                (1)
    rotation      phi = t - s(t),               t unwrapped angle about z_a                  (2)
    nu = -s'(t),   gamma = (bias of the coordinate) - s''(t)                                 (3)

Coordinates and biases as in :mod:`centrode.parts.joints.rows`. c_0 is the displacement at the start with ``from_start``
(the default), so that s is the change since then; without it s is the distance of the two points along the axis. A
rotation is always counted from the start. The multiplier is the driving force [N] or torque [N m] that acts against the
coordinate: the drive gives b the power minus multiplier times s'.
"""

from __future__ import annotations

from typing import Any, ClassVar

from centrode.classes import dataclass
from centrode.jit import step_kernel
from centrode.parts.joints.joint import Joint
from centrode.parts.joints.rows import FIRST, angle_row, offset_row
from centrode.parts.kernel_types import JOINT_DATA, JOINT_SIGNATURE
from centrode.parts.markers import Z, sides
from centrode.parts.part import quantity
from centrode.parts.placement import Scene
from centrode.parts.signals.signal import pack_signal, signal_at, varying

ROTATION, START = 0, 1


@step_kernel(signature=JOINT_SIGNATURE)
def motion_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Row (1) or (2) with (3), in space and in the plane."""
    for j in range(first, first + count):
        a, b = sides(link, j)
        value, rate, acceleration = signal_at(data, link[j, JOINT_DATA], time)
        if par[j, ROTATION] != 0.0:
            driven = (value, rate, acceleration)
            memory[j, FIRST] = angle_row(j, 0, a, b, memory[j, FIRST], driven, markers, jacobian, terms)
        else:
            driven = (value + par[j, START], rate, acceleration)
            memory[j, FIRST] = offset_row(j, 0, a, Z, b, driven, markers, jacobian, terms) - par[j, START]


@dataclass(frozen=True)
class Motion(Joint):
    """Drive of a joint coordinate."""

    kind: ClassVar[str] = "motion"
    rows: ClassVar[int] = 1
    plane_rows: ClassVar[int] = 1
    has_axis: ClassVar[bool] = True
    coordinate_names: ClassVar[tuple[tuple[str, str], ...]] = (("angle", "rad"),)
    spatial_kernel: ClassVar[Any] = motion_rows
    plane_kernel: ClassVar[Any] = motion_rows
    example: ClassVar[dict[str, Any] | None] = {"signal": {"kind": "harmonic", "amplitude": 0.7, "omega": 1.3}}

    signal: Any = varying("", "coordinate over time: a number, or a signal such as {kind: harmonic, ...} [m or rad]")
    coordinate: str = quantity("", "what is driven", "rotation", choices=("rotation", "translation"))
    from_start: bool = quantity("", "translation counts from the displacement at the start", True, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.coordinate == "translation":  # seen by whoever asks this joint for its channels
            object.__setattr__(self, "coordinate_names", (("displacement", "m"),))

    def tables(self, scene: Scene) -> list[float]:
        return pack_signal(self.signal)

    def turns_about_axis(self) -> bool:
        return self.coordinate == "rotation"

    def parameters(self, scene: Scene) -> list[float]:
        rotation = self.coordinate == "rotation"
        return [float(rotation), 0.0 if rotation or not self.from_start else self.start_offset(scene)]
