"""Bevel gear: two wheels on axes that meet at an angle, on bearings in a carrier; one row.

With both axes e_a, e_b pointing away from the point where they meet, the pitch cones touch along a line between them,
where both surfaces have one velocity: w_a sin(g_a) = -w_b sin(g_b) with cone angles g whose sines are as the teeth,

    z_a (w_a - w_c) . e_a + z_b (w_b - w_c) . e_b = 0,

equations (1) to (3) of :mod:`centrode.parts.joints.gear_pair` for i = -z_a / z_b. Axes are given on the bodies
(``axis_a``, ``axis_b``) or in the world at the start (``axis`` of a, ``second_axis`` of b).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.parts.joints.gear_pair import GearPair
from centrode.parts.part import quantity
from centrode.parts.placement import Scene, direction_field, unit_vector


@dataclass(frozen=True)
class BevelGear(GearPair):
    """Two bevel wheels on axes that meet."""

    kind: ClassVar[str] = "bevel-gear"
    plane_rows: ClassVar[int] = 0
    plane_kernel: ClassVar[Any] = None
    example: ClassVar[dict[str, Any] | None] = {
        "teeth_a": 20.0, "teeth_b": 30.0, "carrier": "c", "axis": (1.0, 0.0, 0.2), "second_axis": (0.0, 0.0, 1.0),
    }  # fmt: skip

    teeth_a: float = quantity("1", "teeth of wheel a, or its pitch radius", positive=True)
    teeth_b: float = quantity("1", "teeth of wheel b, or its pitch radius", positive=True)
    second_axis: tuple[float, ...] | None = direction_field(
        "axis of b in the world at the start, away from where the axes meet; 'axis' is that of a", None, kw_only=True
    )

    def faults(self) -> list[Fault]:
        found = super().faults()
        on_bodies = self.axis_a is not None and self.axis_b is not None
        in_world = self.axis is not None and self.second_axis is not None
        if on_bodies == in_world or (on_bodies and self.second_axis is not None):
            expected = "'axis' and 'second_axis' in the world, or 'axis_a' and 'axis_b' on the bodies"
            found.append(self.fault("axis", "a bevel gear needs the axes of both wheels", expected=expected))
        return found

    def turning(self) -> float:
        return -float(self.teeth_a) / float(self.teeth_b)

    def axes(self, scene: Scene) -> tuple[np.ndarray, np.ndarray]:
        if self.second_axis is None:
            first, second = super().axes(scene)
        else:
            first = unit_vector(self.axis, f"{self.name}.axis")
            second = unit_vector(self.second_axis, f"{self.name}.second_axis")
        if float(np.linalg.norm(np.cross(first, second))) < 1e-6:
            hint = "parallel axes belong to a gear, one axis to a planetary or a differential"
            raise self.refusal("axis", "the axes of a bevel gear meet at an angle", hint=hint)
        return first, second
