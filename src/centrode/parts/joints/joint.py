"""What all joints share: two bodies, where they meet, exact or compliant, and the kernel that writes the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.math.rotation import frame_from_axis
from centrode.parts.part import Part, quantity
from centrode.parts.placement import MarkerPlace, Placement, Scene, point3, unit_vector, world_marker


@dataclass(frozen=True)
class Joint(Part):
    """Base of all joints.

    The place where the bodies meet is given either in the world at the start (``at``, ``axis``: both markers then
    coincide) or on each body in its own frame (``point_a``, ``axis_a``, ``point_b``, ``axis_b``), from which the
    assembly closes the gap.

    Class attributes of a kind:
        rows: number of constraint rows in space.
        plane_rows: number of rows in a plane system, 0 when the kind makes no sense there.
        nonholonomic_rows: rows without a position residual.
        axis_field: True when the kind has an axis.
        spatial_kernel, plane_kernel: compiled with JOINT_SIGNATURE.
    """

    family: ClassVar[str] = "joint"
    rows: ClassVar[int] = 0
    plane_rows: ClassVar[int] = 0
    nonholonomic_rows: ClassVar[tuple[int, ...]] = ()
    has_axis: ClassVar[bool] = False
    spatial_kernel: ClassVar[Any] = None
    plane_kernel: ClassVar[Any] = None

    a: Any = quantity("", "first body, or point on it", refers_to="body")
    b: Any = quantity("", "second body, or point on it", refers_to="body")
    at: tuple[float, ...] | None = quantity("m", "place in the world at the start", None, kw_only=True)
    point_a: tuple[float, ...] | None = quantity("m", "place on body a, in its frame", None, kw_only=True)
    point_b: tuple[float, ...] | None = quantity("m", "place on body b, in its frame", None, kw_only=True)
    axis: tuple[float, ...] | None = quantity("1", "axis in the world at the start", None, kw_only=True)
    axis_a: tuple[float, ...] | None = quantity("1", "axis in the frame of body a", None, kw_only=True)
    axis_b: tuple[float, ...] | None = quantity("1", "axis in the frame of body b", None, kw_only=True)
    compliant: bool = quantity("", "stiff spring-damper instead of an exact constraint", False, kw_only=True)
    stiffness: float | None = quantity(
        "N/m",
        "stiffness of a compliant joint; derived from mass and step when left out",
        None,
        positive=True,
        kw_only=True,
    )
    damping: float | None = quantity(
        "N*s/m", "damping of a compliant joint; derived when left out", None, minimum=0.0, kw_only=True
    )

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not self.compliant and (self.stiffness is not None or self.damping is not None):
            found.append(
                Fault(
                    "stiffness and damping belong to a compliant joint",
                    f"{self.name}.stiffness",
                    hint="add compliant: true, or leave them out",
                )
            )
        return found

    def place(self, scene: Scene) -> Placement:
        """Markers and parameters; kinds with parameters of their own extend it."""
        marker_a, marker_b = self.markers(scene)
        return Placement([marker_a, marker_b], par=self.parameters(scene))

    def parameters(self, scene: Scene) -> list[float]:
        """Numbers that the kernel reads; none by default."""
        return []

    def markers(self, scene: Scene) -> tuple[MarkerPlace, MarkerPlace]:
        """Markers of both sides; their z axis is the joint's axis."""
        body_a, local_a = scene.resolve(self.a)
        body_b, local_b = scene.resolve(self.b)
        position_a, rotation_a = scene.pose(body_a)
        position_b, rotation_b = scene.pose(body_b)
        frame_a, frame_b = self._frames(rotation_a, rotation_b, scene.plane)
        if self.at is not None:
            point = point3(self.at, f"{self.name}.at")
            return world_marker(scene, body_a, point, frame_a), world_marker(scene, body_b, point, frame_b)
        if self.point_a is not None:
            local_a = point3(self.point_a, f"{self.name}.point_a")
        if self.point_b is not None:
            local_b = point3(self.point_b, f"{self.name}.point_b")
        return (
            world_marker(scene, body_a, position_a + rotation_a @ local_a, frame_a),
            world_marker(scene, body_b, position_b + rotation_b @ local_b, frame_b),
        )

    def _frames(self, rotation_a: np.ndarray, rotation_b: np.ndarray, plane: bool) -> tuple[np.ndarray, np.ndarray]:
        """World frames of both markers at the start."""
        if self.axis_a is not None or self.axis_b is not None:
            axis_a = self.axis_a if self.axis_a is not None else self.axis_b
            axis_b = self.axis_b if self.axis_b is not None else self.axis_a
            frame_a = rotation_a @ frame_from_axis(unit_vector(axis_a, f"{self.name}.axis_a"))
            frame_b = rotation_b @ frame_from_axis(unit_vector(axis_b, f"{self.name}.axis_b"))
            return frame_a, frame_b
        default = (1.0, 0.0, 0.0) if plane and not self.axis_is_normal else (0.0, 0.0, 1.0)
        axis = unit_vector(self.axis if self.axis is not None else default, f"{self.name}.axis")
        frame = frame_from_axis(axis)
        return frame, frame

    axis_is_normal: ClassVar[bool] = True
    """In a plane system: the axis is the plane's normal (hinges), not a direction in the plane (sliders)."""
