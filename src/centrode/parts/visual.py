"""How a part looks: a list of simple shapes in body frames, so that the viewer knows no kind of part.

Every part (a body, a joint, a force, a road, a vehicle) has a method

    def visuals(self, scene: VisualScene) -> list[Visual]

which returns shapes from this file, none in the base class. ``scene`` answers for poses at the start, for names and
for sizes. A vehicle names the bodies that it has built::

    def visuals(self, scene):
        body = f"{self.name}.body"
        return [
            VisualSuperellipsoid(body, semi_axes=(2.2, 0.85, 0.55), squareness=0.4, colour="paint"),
            VisualBox(body, size=(2.0, 1.4, 0.5), position=(-0.2, 0, 0.7), colour="glass"),
            *[
                VisualWheel(body, position=place, radius=0.32, width=0.2,
                            spin_channel=f"{self.name}.wheel{i}.angle", steer_channel=f"{self.name}.steer{i}",
                            travel_channel=f"{self.name}.travel{i}")
                for i, place in enumerate(self.wheel_places)
            ],
            VisualEye(body, position=(0.3, 0.35, 0.95)),
        ]

Several parts may have shapes for one body: its own inertia, an outline, a vehicle. A body shows those of the highest
:class:`Layer`, and all details. Details of what a vehicle has built (named ``vehicle.something``) are inside of it and
not shown.

Shapes are placed by ``position`` [m] and ``rotation`` (quaternion w, x, y, z; body from shape) in the frame of
``body``; a deformable body carries its shapes along with its directors. Colours are "#rrggbb" or one of the
names in :data:`PALETTE`; an empty one is chosen by the body.
"""

from __future__ import annotations

import dataclasses
import enum
import re
from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

import numpy as np

from centrode.classes import dataclass
from centrode.errors import InputError
from centrode.math.rotation import quaternion_from_matrix
from centrode.parts.part import Part
from centrode.parts.placement import MarkerPlace, Scene

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]

PALETTE: dict[str, str] = {
    "paint": "",  # the owner's own colour: each vehicle another
    "steel": "#8d99a6",
    "dark": "#2b3138",
    "rubber": "#17191c",
    "glass": "#1d2b3a",
    "rope": "#c9a66b",
    "spring": "#d8dde3",
    "joint": "#f2b134",
    "wood": "#a8764a",
    "signal": "#e4572e",
    "water": "#3a7ca5",
    "asphalt": "#4a4e54",
    "line": "#e8eaec",
    "white": "#f5f6f7",
    "yellow": "#f4c20d",
}
"""Names for colours; "paint" follows the body."""

_HEX = re.compile(r"#[0-9a-fA-F]{6}")


def known_colour(text: str) -> bool:
    """Whether a text is a colour: #rrggbb, a name, or nothing."""
    return not text or text in PALETTE or bool(_HEX.fullmatch(text))


class Layer(enum.IntEnum):
    """What a shape is to the body that carries it. The highest layer is shown, and all details."""

    DETAIL = 0
    """Shown beside whatever the body shows: a joint, a spring."""
    INERTIA = 1
    """Guessed from mass and inertia, where nothing else is known."""
    ROLLING = 2
    """As large as the body rolls."""
    OUTLINE = 3
    """What the body touches others with."""
    FIGURE = 4
    """Drawn on purpose."""


class VisualScene(Scene, Protocol):
    """What a part may ask while it draws itself.

    Attributes:
        size: typical length of the bodies [m].
    """

    size: float

    def markers(self, part: Part) -> Sequence[MarkerPlace]:
        """Places of a joint or a force on its bodies; none when it cannot be placed."""

    def extent(self, body: str) -> float | None:
        """Length that says how large a body is [m]; None for the ground."""

    def held_at(self, body: str) -> Sequence[np.ndarray]:
        """Points of a body, in its frame [m], at which joints and two-ended forces hold it."""


@dataclass(frozen=True)
class Visual:
    """A shape that a body carries.

    Attributes:
        body: name of the body; "ground" for what stands still.
        position: place of the shape in the body frame [m].
        rotation: quaternion (w, x, y, z), body from shape.
        colour: "#rrggbb", a name of :data:`PALETTE`, or "" for the colour of the body.
        layer: which shapes of the body it hides, and which hide it.
    """

    shape: ClassVar[str] = ""

    body: str
    position: Vector = dataclasses.field(default=(0.0, 0.0, 0.0), kw_only=True)
    rotation: Quaternion = dataclasses.field(default=(1.0, 0.0, 0.0, 0.0), kw_only=True)
    colour: str = dataclasses.field(default="", kw_only=True)
    layer: Layer = dataclasses.field(default=Layer.FIGURE, kw_only=True)

    def __init_subclass__(cls) -> None:
        """The viewer calls a shape by the name of its class, unless the class says otherwise."""
        if "shape" not in vars(cls):
            cls.shape = cls.__name__.removeprefix("Visual").lower()

    def bodies(self) -> tuple[str, ...]:
        """Names of all bodies that the shape is the look of."""
        return (self.body,)

    def channels(self) -> list[str]:
        """Names of the channels that the shape follows: fields that end in ``_channel``."""
        return [value for name, value in vars(self).items() if name.endswith("_channel") and value]

    def data(self) -> dict[str, Any]:
        """Plain values for the scene of the viewer."""
        if not known_colour(self.colour):
            raise InputError("unknown colour", got=self.colour, expected="#rrggbb or one of " + ", ".join(PALETTE))
        found = {name: value for name, value in vars(self).items() if name != "layer"}
        found["colour"] = PALETTE.get(self.colour, self.colour)
        return {"shape": self.shape, **found}


@dataclass(frozen=True)
class VisualBox(Visual):
    """Box with full lengths [m]."""

    size: Vector = (1.0, 1.0, 1.0)


@dataclass(frozen=True)
class VisualSphere(Visual):
    """Ball with radius [m]."""

    radius: float = 1.0


@dataclass(frozen=True)
class VisualEllipsoid(Visual):
    """Ellipsoid with semi-axes [m]."""

    semi_axes: Vector = (1.0, 1.0, 1.0)


@dataclass(frozen=True)
class VisualSuperellipsoid(Visual):
    """Rounded box with semi-axes [m]; squareness 1 is an ellipsoid, towards 0 a box."""

    semi_axes: Vector = (1.0, 1.0, 1.0)
    squareness: float = 0.4


@dataclass(frozen=True)
class VisualCylinder(Visual):
    """Cylinder along own z, centred; ``top_radius`` other than ``radius`` makes a cone [m]."""

    radius: float = 0.5
    length: float = 1.0
    top_radius: float | None = None


@dataclass(frozen=True)
class VisualCapsule(Visual):
    """Rod with round ends between two points of the body frame [m]."""

    start: Vector = (0.0, 0.0, 0.0)
    end: Vector = (0.0, 0.0, 1.0)
    radius: float = 0.05


@dataclass(frozen=True)
class VisualWheel(Visual):
    """Wheel with tyre and spokes; its axle is own y.

    Channels, when they are named and recorded: ``spin_channel`` turns it about the axle [rad], ``steer_channel`` about
    own z [rad], ``travel_channel`` lifts it along own z [m]. Where the turning is not recorded, ``rolls`` turns it by
    the way that its body went ahead.
    """

    radius: float = 0.3
    width: float = 0.2
    spoked: bool = False
    spin_channel: str = ""
    steer_channel: str = ""
    travel_channel: str = ""
    rolls: bool = False


@dataclass(frozen=True)
class VisualCarBody(Visual):
    """Painted body of a car with windows and lights: length, width and height of the whole [m].

    Own axes: x forward, y left, z up; the origin is the middle of the box that holds the body, without wheels.
    """

    shape: ClassVar[str] = "car"
    size: Vector = (4.2, 1.7, 1.3)
    style: str = "saloon"
    """saloon, hatchback, suv or van."""


@dataclass(frozen=True)
class VisualPropeller(Visual):
    """Blades that turn about own x; ``spin_channel`` [rad], or ``rate_channel`` times ``rate_scale`` [rad/s]."""

    radius: float = 0.1
    blades: int = 3
    spin_channel: str = ""
    rate_channel: str = ""
    rate_scale: float = 1.0


@dataclass(frozen=True)
class VisualFin(Visual):
    """Flat fin: root along own x (leading edge +x), span along own z; ``turn_channel`` turns it about own z [rad]."""

    chord: float = 0.1
    span: float = 0.1
    tip_chord: float | None = None
    thickness: float = 0.01
    turn_channel: str = ""


@dataclass(frozen=True)
class VisualMesh(Visual):
    """Triangles: vertices (n, 3) [m], faces (m, 3) by index; ``flat`` gives sharp edges.

    ``turn_channel`` turns it about ``turn_axis`` through its own origin [rad].
    """

    vertices: Sequence[Sequence[float]] = ()
    faces: Sequence[Sequence[int]] = ()
    flat: bool = True
    turn_channel: str = ""
    turn_axis: Vector = (0.0, 0.0, 1.0)


@dataclass(frozen=True)
class VisualLine(Visual):
    """Line through points [m], drawn as a thin tube of ``radius`` [m]."""

    points: Sequence[Sequence[float]] = ()
    radius: float = 0.01
    closed: bool = False


@dataclass(frozen=True)
class VisualRibbon(Visual):
    """Strip between a right and a left edge, points (n, 3) each [m]; ``across`` is the texture: road or plain."""

    right: Sequence[Sequence[float]] = ()
    left: Sequence[Sequence[float]] = ()


@dataclass(frozen=True)
class VisualLink(Visual):
    """Something that spans from a point on ``body`` (``position``) to ``end`` on ``other`` [m].

    ``style``: "coil" (spring), "damper", "rope" or "rod". A rope sags when ``length`` [m] is given and longer than the
    distance.
    """

    other: str = "ground"
    end: Vector = (0.0, 0.0, 0.0)
    style: str = "coil"
    radius: float = 0.04
    length: float | None = None
    layer: Layer = dataclasses.field(default=Layer.DETAIL, kw_only=True)


@dataclass(frozen=True)
class VisualSweep(Visual):
    """Section swept from ``body`` through further bodies, ``through``: x of each is along the sweep, y and z across.

    ``reach`` is half the width along y and along z [m]; the section is an ellipse, or a rectangle when not ``round``.
    """

    through: tuple[str, ...] = ()
    reach: tuple[float, float] = (0.05, 0.05)
    round: bool = True

    def bodies(self) -> tuple[str, ...]:
        return (self.body, *self.through)


@dataclass(frozen=True)
class VisualEye(Visual):
    """Where a driver's eye is; looks along own x, up is own z. Not drawn: it places the driver's camera."""

    layer: Layer = dataclasses.field(default=Layer.DETAIL, kw_only=True)


def vector(values: Any) -> Vector:
    """Three numbers of an array as plain floats."""
    x, y, z = (float(item) for item in values)
    return x, y, z


def placed(position: Any, frame: Any = None) -> dict[str, Any]:
    """Position and rotation of a shape, from a point [m] and axes in columns (3, 3), in the body frame."""
    found: dict[str, Any] = {"position": vector(position)}
    if frame is not None:
        w, x, y, z = (float(item) for item in quaternion_from_matrix(np.asarray(frame, dtype=float)))
        found["rotation"] = (w, x, y, z)
    return found
