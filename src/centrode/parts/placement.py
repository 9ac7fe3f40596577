"""How a part tells the model where its markers sit and which numbers its kernel needs.

A part's ``place(scene)`` returns a :class:`Placement`. The :class:`Scene` knows the initial pose of every body, so a
part may give a place either in the world at the start (``at``, ``axis``) or on a body (``point_a``, ``axis_a``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import MISSING, field
from typing import Any, Protocol, Unpack

import numpy as np

from centrode.classes import dataclass
from centrode.errors import InputError
from centrode.math.rotation import frame_from_axis
from centrode.parts.part import Limits, quantity

GROUND = "ground"
"""Name of the world as a body."""


@dataclass(frozen=True)
class MarkerPlace:
    """A point with a frame on a body, in the body's own (user's) frame.

    Attributes:
        body: name of the body ("ground" for the world).
        position: [m], shape (3,).
        frame: body from marker, shape (3, 3); None when the part reads no axes.
    """

    body: str
    position: np.ndarray
    frame: np.ndarray | None = None

    def turned(self, frame: np.ndarray | None) -> MarkerPlace:
        """The same place with another frame."""
        return MarkerPlace(self.body, self.position, frame)

    def along(self, axis: np.ndarray) -> MarkerPlace:
        """The same place with a frame whose z axis is ``axis``, in the body's frame."""
        return self.turned(frame_from_axis(axis))


@dataclass
class Placement:
    """What a part puts into the tables.

    Attributes:
        markers: one or more places; a joint has two (a, b), or three (a, b, carrier).
        par: parameters of the kernel.
        data: tables and signals for the shared pool (the kernel finds them by its data offset).
        states: initial values of internal states.
        state_names: channel name and unit of each internal state.
        inputs: initial values of the control inputs that the part reads.
        memory: initial memory (unwrapped angles).
        shared: index in ``data`` -> table that many parts read (a road). It is kept once in the pool; its offset there
            is written at that index.
    """

    markers: Sequence[MarkerPlace]
    par: Sequence[float] = ()
    data: Sequence[float] = ()
    states: Sequence[float] = ()
    state_names: Sequence[tuple[str, str]] = ()
    inputs: Sequence[float] = ()
    memory: Sequence[float] = ()
    extra: dict[str, Any] = field(default_factory=dict)
    shared: dict[int, np.ndarray] = field(default_factory=dict)


class Scene(Protocol):
    """What a part may ask while it places itself."""

    plane: bool
    gravity: np.ndarray

    def pose(self, body: str) -> tuple[np.ndarray, np.ndarray]:
        """Initial position [m] and rotation (world from body) of a body's own frame."""

    def resolve(self, reference: Any) -> tuple[str, np.ndarray]:
        """Body name and local point [m] of a reference: a body, a point, or their names."""

    def find(self, name: str) -> Any:
        """The part of that name."""

    def body_mass(self, body: str) -> float:
        """Mass of a body [kg]; infinite for the ground."""

    def pack_signal(self, signal: Any) -> list[float]:
        """Numbers of a time function for the data pool."""


def world_marker(scene: Scene, body: str, point: Any, frame: np.ndarray | None = None) -> MarkerPlace:
    """Marker given by its world position and world frame at the start."""
    position, rotation = scene.pose(body)
    local = np.linalg.solve(rotation, np.asarray(point, dtype=float) - position)
    return MarkerPlace(body, local, None if frame is None else nearest_rotation(rotation).T @ frame)


def nearest_rotation(deformation: np.ndarray) -> np.ndarray:
    """R of the polar decomposition F = R U; a rotation matrix is returned as it is."""
    if np.abs(deformation.T @ deformation - np.eye(3)).max() < 1e-14:
        return deformation
    left, _, right = np.linalg.svd(deformation)
    return np.asarray(left @ right)


def unit_vector(vector: Any, path: str) -> np.ndarray:
    """Normalised direction; a zero or non-finite one is refused by name."""
    v = np.asarray(vector, dtype=float).reshape(-1)
    if v.size == 2:
        v = np.append(v, 0.0)
    length = float(np.linalg.norm(v))
    if v.size != 3 or not np.isfinite(length) or length == 0.0:
        raise InputError("a direction needs three numbers that are not all zero", path=path, got=vector)
    return v / length


def point3(value: Any, path: str) -> np.ndarray:
    """Three coordinates; two are completed with z = 0 (plane systems)."""
    p = np.asarray(value, dtype=float).reshape(-1)
    if p.size == 2:
        p = np.append(p, 0.0)
    if p.size != 3 or not np.all(np.isfinite(p)):
        raise InputError("a point needs two or three finite coordinates in m", path=path, got=value)
    return p


def triple(value: Any, path: str) -> np.ndarray:
    """Three numbers."""
    v = np.asarray(value, dtype=float).reshape(-1)
    if v.size != 3 or not np.all(np.isfinite(v)):
        raise InputError("three finite numbers are needed", path=path, got=value)
    return v


def along_axes(value: Any, path: str = "") -> list[float]:
    """Three numbers along the axes of a body; one stands for all three."""
    v = np.asarray(value, dtype=float).reshape(-1)
    if v.size not in (1, 3):
        raise InputError("one number, or three along the axes, are needed", path=path, got=value)
    return (np.ones(3) * v).tolist()


def direction_field(meaning: str, default: Any = MISSING, **limits: Unpack[Limits]) -> Any:
    """Declare a parameter that is a direction, of any length."""
    limits["read"] = unit_vector
    return quantity("1", meaning, default, **limits)


def per_axis(unit: str, meaning: str, default: float) -> Any:
    """Declare a parameter that is one number, or three along the axes of a body, none negative."""
    return quantity(unit, meaning, default, minimum=0.0, read=along_axes)


def orientation_field(meaning: str) -> Any:
    """Declare an orientation: quaternion (w, x, y, z) or 3 x 3 matrix, none unless given."""
    return quantity("1", meaning, (1.0, 0.0, 0.0, 0.0))
