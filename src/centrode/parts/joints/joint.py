"""What all joints share: two bodies, where they meet, exact or compliant, and the kernel that writes the rows."""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import Any, ClassVar, NamedTuple

import numpy as np

from centrode.classes import dataclass
from centrode.errors import Fault
from centrode.math.rotation import frame_from_axis
from centrode.parts.hooks import Watched
from centrode.parts.joints.appearance import joint_ball
from centrode.parts.kernel_types import EVENT_SIGNATURE, JOINT_SIGNATURE
from centrode.parts.part import KernelNote, Part, quantity
from centrode.parts.placement import MarkerPlace, Placement, Scene, direction_field, point3, unit_vector, world_marker
from centrode.parts.visual import Visual, VisualScene

PLANE_NORMAL = np.array([0.0, 0.0, 1.0])


START_FIELDS = frozenset(
    f"{name}{rate}" for name in ("angle", "displacement", "angle_a", "angle_b") for rate in ("", "_rate")
)
"""Fields of joints that say how a run starts."""


class StartMotion(NamedTuple):
    """A turn or a slide by which a joint starts off its reference, in world coordinates of the reference.

    Attributes:
        turns: about the axis; otherwise along it.
        axis: unit vector.
        point: on the axis [m].
        value: [rad or m].
        rate: [rad/s or m/s]; None when not given.
    """

    turns: bool
    axis: np.ndarray
    point: np.ndarray
    value: float
    rate: float | None


def start_field(unit: str, coordinate: str) -> Any:
    """Declare the value of a joint coordinate at the start, or its rate (unit in 1/s): none unless given."""
    what = f"rate of the {coordinate}" if unit.endswith("/s") else f"{coordinate} (zero in the poses as entered)"
    return quantity(unit, f"{what} at the start; places and moves all bodies behind the joint", None, kw_only=True)


@dataclass(frozen=True)
class Joint(Watched, Part):
    """Base of all joints.

    The place where the bodies meet is given either in the world at the start (``at``, ``axis``: both markers then
    coincide) or on each body in its own frame (``point_a``, ``axis_a``, ``point_b``, ``axis_b``; a point left out is
    the origin of the body frame, an axis left out is that of the other side), from which the assembly closes the gap.
    The z axis of the marker frames is the joint's axis; angles are those of b against a about it, zero at the start.

    Class attributes of a kind:
        rows: number of constraint rows in space.
        plane_rows: number of rows in a plane system, 0 when the kind makes no sense there.
        nonholonomic_rows: rows without a position residual.
        joins_points: the first rows, three in space and two in the plane, say that both points coincide
            (:func:`centrode.parts.joints.rows.coincide_rows`), and no other row acts on velocities. Stands in the class
            that has the kernel: a kind with a kernel of its own does not inherit it.
        has_axis: True when the kind has an axis.
        axis_is_normal: in a plane system the axis is the plane's normal (hinges), not a direction in it (sliders).
        takes_place: the kind has a place (``at``) where its bodies meet.
        reads_frames: the kernel reads the axes of the markers.
        coordinate_names: name and unit of the joint coordinates, which the kernel keeps in the leading memory columns.
        spatial_kernel, plane_kernel: compiled with JOINT_SIGNATURE.

    Hooks of its events are those of :class:`centrode.parts.hooks.Watched`.
    """

    family: ClassVar[str] = "joint"
    kernel_notes: ClassVar[tuple[KernelNote, ...]] = (
        KernelNote("spatial_kernel", JOINT_SIGNATURE, "JOINT_SIGNATURE"),
        KernelNote("plane_kernel", JOINT_SIGNATURE, "JOINT_SIGNATURE"),
        KernelNote("event_kernel", EVENT_SIGNATURE, "EVENT_SIGNATURE", required=False),
    )
    rows: ClassVar[int] = 0
    plane_rows: ClassVar[int] = 0
    nonholonomic_rows: ClassVar[tuple[int, ...]] = ()
    joins_points: ClassVar[bool] = False
    has_axis: ClassVar[bool] = False
    axis_is_normal: ClassVar[bool] = True
    takes_place: ClassVar[bool] = True
    reads_frames: ClassVar[bool] = True
    coordinate_names: ClassVar[tuple[tuple[str, str], ...]] = ()
    spatial_kernel: ClassVar[Any] = None
    plane_kernel: ClassVar[Any] = None

    a: Any = quantity("", "first body, or point on it", refers_to="body")
    b: Any = quantity("", "second body, or point on it", refers_to="body")
    _: KW_ONLY
    at: tuple[float, ...] | None = quantity("m", "place in the world at the start", None, read=point3)
    point_a: tuple[float, ...] | None = quantity("m", "place on body a, in its frame", None, read=point3)
    point_b: tuple[float, ...] | None = quantity("m", "place on body b, in its frame", None, read=point3)
    axis: tuple[float, ...] | None = direction_field("axis in the world at the start", None)
    axis_a: tuple[float, ...] | None = direction_field("axis in the frame of body a", None)
    axis_b: tuple[float, ...] | None = direction_field("axis in the frame of body b", None)
    compliant: bool = quantity("", "stiff spring-damper instead of an exact constraint", False)
    stiffness: float | None = quantity(
        "N/m", "stiffness of a compliant joint; derived from mass and step when left out", None, positive=True
    )
    damping: float | None = quantity("N*s/m", "damping of a compliant joint; derived when left out", None, minimum=0.0)

    def faults(self) -> list[Fault]:
        found = super().faults()
        if self.rows < 1:
            what = f"the kind '{self.kind}' has no rows and would hold nothing"
            found.append(self.fault("kind", what, got=self.rows, expected="rows: ClassVar[int], from 1 to 6"))
        if not self.compliant and (self.stiffness is not None or self.damping is not None):
            hint = "add compliant: true, or leave them out"
            found.append(self.fault("stiffness", "stiffness and damping belong to a compliant joint", hint=hint))
        for world, local in (("at", "point"), ("axis", "axis")):
            on_bodies = any(getattr(self, f"{local}_{side}") is not None for side in "ab")
            if getattr(self, world) is not None and on_bodies:
                what = "place" if world == "at" else "axis"
                expected = f"either '{world}' in the world, or '{local}_a' and '{local}_b' on the bodies"
                found.append(self.fault(world, f"a joint's {what} is given twice", expected=expected))
        for field in ("axis", "axis_a", "axis_b"):
            if getattr(self, field) is not None and not self.has_axis:
                found.append(self.fault(field, f"a {self.kind} joint has no axis"))
        return found

    @classmethod
    def spared_kernels(cls) -> tuple[str, ...]:
        return () if cls.plane_rows else ("plane_kernel",)

    def initial_active_rows(self, scene: Scene | None = None) -> list[float]:
        """Which rows act at the start (1) and which rest (0); kinds with locks or ropes say more."""
        return [1.0] * (self.plane_rows if scene is not None and scene.plane else self.rows)

    def after_change(self, memory: np.ndarray, active: np.ndarray, plane: bool) -> None:
        """Bring memory and row switches of the running joint in line with changed parameters (locks).

        Args:
            memory: the joint's row of the joint memory.
            active: the joint's row of the row switches.
            plane: the system is a plane one.
        """

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return joint_ball(self, scene, 0.7)

    def place(self, scene: Scene) -> Placement:
        """Markers, parameters, tables and memory of the joint."""
        markers = self.markers(scene)
        if not self.frames_needed(scene):
            markers = (markers[0].turned(None), markers[1].turned(None))
        return Placement(markers, self.parameters(scene), self.tables(scene), memory=self.initial_memory(scene))

    def parameters(self, scene: Scene) -> list[float]:
        """Numbers that the kernel reads; none by default."""
        return []

    def tables(self, scene: Scene) -> list[float]:
        """Numbers for the data pool (signals); none by default."""
        return []

    def initial_memory(self, scene: Scene) -> list[float]:
        """Memory at the start; zero by default."""
        return []

    def frames_needed(self, scene: Scene) -> bool:
        """Whether the kernel reads the axes of the markers."""
        return self.reads_frames

    def points(self, scene: Scene) -> tuple[np.ndarray, np.ndarray]:
        """World places of both markers at the start [m]."""
        if self.at is not None:
            place = point3(self.at, f"{self.name}.at")
            return place, place
        found = []
        for side in ("a", "b"):
            body, local = scene.resolve(getattr(self, side))
            given = getattr(self, f"point_{side}")
            position, rotation = scene.pose(body)
            found.append(position + rotation @ (local if given is None else point3(given, f"{self.name}.point_{side}")))
        return found[0], found[1]

    def start_values(self) -> dict[str, tuple[float | None, float | None]]:
        """Coordinate -> value and rate at the start, for those of which one is given."""
        given = vars(self)
        found = {name: (given.get(name), given.get(f"{name}_rate")) for name, _ in self.coordinate_names}
        return {name: pair for name, pair in found.items() if pair != (None, None)}

    def start_motions(self, scene: Scene) -> list[StartMotion]:
        """Turns and slides that give the coordinates their start, from a outwards; about and along z_a by default."""
        found = []
        for name, (value, rate) in self.start_values().items():
            turns = name.startswith("angle")
            if value is None:
                change = 0.0
            else:
                change = float(value) if turns else float(value) - self.start_offset(scene)
            found.append(StartMotion(turns, self.axes(scene)[0], self.points(scene)[0], change, rate))
        return found

    def holds_bodies(self, plane: bool) -> bool:
        """Whether b is carried along by a where the joint is given no start: it holds a point, or a plane."""
        return (self.plane_rows >= 2 if plane else self.rows >= 3) and not self.nonholonomic_rows

    def start_offset(self, scene: Scene) -> float:
        """Displacement of b from a along the axis of a at the start [m]."""
        place_a, place_b = self.points(scene)
        return float(self.axes(scene)[0] @ (place_b - place_a))

    def markers(self, scene: Scene) -> tuple[MarkerPlace, MarkerPlace]:
        """Markers of both sides; their z axis is the joint's axis."""
        (place_a, place_b), (frame_a, frame_b) = self.points(scene), self.frames(scene)
        body_a, body_b = scene.resolve(self.a)[0], scene.resolve(self.b)[0]
        return world_marker(scene, body_a, place_a, frame_a), world_marker(scene, body_b, place_b, frame_b)

    def frames(self, scene: Scene) -> tuple[np.ndarray, np.ndarray]:
        """World frames of both markers at the start, shape (3, 3) each."""
        axis_a, axis_b = self.axes(scene)
        if scene.plane and not self.turns_about_axis():
            return slider_frame(axis_a), slider_frame(axis_b)
        frame_a = frame_from_axis(axis_a)
        # Angle zero is the pose at the start: x_b lies towards x_a, also when the axes do not agree yet.
        hint = frame_a[:, 0] if abs(axis_b @ frame_a[:, 0]) < 0.9 else frame_a[:, 1]
        return frame_a, frame_from_axis(axis_b, hint)

    def turns_about_axis(self) -> bool:
        """In a plane system: the axis is the plane's normal, not a direction in the plane."""
        return self.axis_is_normal

    def axes(self, scene: Scene) -> tuple[np.ndarray, np.ndarray]:
        """World directions of the axis on both sides at the start."""
        if self.axis_a is not None or self.axis_b is not None:
            found = []
            for side in ("a", "b"):
                body, _ = scene.resolve(getattr(self, side))
                given = getattr(self, f"axis_{side}")
                if given is not None:
                    found.append(scene.pose(body)[1] @ unit_vector(given, f"{self.name}.axis_{side}"))
            axis_a, axis_b = found[0], found[-1]
        else:
            default = (1.0, 0.0, 0.0) if scene.plane and not self.turns_about_axis() else (0.0, 0.0, 1.0)
            axis_a = axis_b = unit_vector(self.axis if self.axis is not None else default, f"{self.name}.axis")
        if scene.plane:
            hinge = self.turns_about_axis()
            expected = "the plane's normal (0, 0, 1)" if hinge else "a direction in the plane"
            for axis in (axis_a, axis_b):
                if abs(abs(axis @ PLANE_NORMAL) - (1.0 if hinge else 0.0)) > 1e-9:
                    got = tuple(axis.tolist())
                    raise self.refusal("axis", "axis does not fit a plane system", got=got, expected=expected)
        return axis_a, axis_b


def slider_frame(axis: np.ndarray) -> np.ndarray:
    """Frame of a slider in the plane: z along the axis, x to its left in the plane, y the plane's normal."""
    return np.column_stack([np.cross(PLANE_NORMAL, axis), PLANE_NORMAL, axis])
