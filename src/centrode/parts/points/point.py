"""A named point with a local frame on a body; joints, forces and sensors may refer to it by name."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.parts.bodies.body import rotation_from
from centrode.parts.part import Part, quantity
from centrode.parts.placement import orientation_field, point3


@dataclass(frozen=True)
class Point(Part):
    """Point with a local frame on a body."""

    family: ClassVar[str] = "point"
    kind: ClassVar[str] = "point"

    body: Any = quantity("", "body that carries the point", refers_to="body")
    position: tuple[float, ...] = quantity("m", "place in the body frame", (0.0, 0.0, 0.0))
    orientation: Any = orientation_field("local frame: quaternion (w, x, y, z) body from point, or 3 x 3 matrix")
    sensor: bool = quantity("", "record position, velocity, acceleration, orientation and rates of the point", True)

    def local(self) -> tuple[np.ndarray, np.ndarray]:
        """Position [m] and frame (body from point) in the body frame."""
        return point3(self.position, f"{self.name}.position"), rotation_from(
            self.orientation, f"{self.name}.orientation"
        )
