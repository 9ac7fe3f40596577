"""What all bodies share: a place at the start and how they enter the body table."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.errors import InputError
from centrode.math.jet import Jet
from centrode.math.rotation import matrix_from_axis_angle, matrix_from_quaternion
from centrode.parts.bodies.appearance import body_visuals
from centrode.parts.part import KernelNote, Part
from centrode.parts.tables import BODY_SIGNATURE, Coordinates
from centrode.parts.visual import Visual, VisualScene

ChannelNote = tuple[str, str, tuple[str, ...], str, str]
BodyJets = tuple[Jet, Jet]

ROUNDED = 1e-5
"""A quaternion typed with five digits or more is this close to unit length; farther off, a word is said."""


STAGES = ("place", "move", "weigh_rows", "weigh_forces", "unweigh", "measure", "accelerate_markers")
OPTIONAL_STAGES = ("convect", "dissipate", "fall")


@dataclass(frozen=True)
class BodyRow:
    """One body as the engine stores it: about its centre of mass, in principal axes.

    Attributes:
        mass, weight_mass: inertial mass and the mass that gravity acts on [kg].
        inertia: principal moments [kg m2], shape (3,).
        centre: centre of mass in the user's body frame [m].
        axes: user's body frame from principal axes, shape (3, 3).
        velocity: initial velocity of the centre of mass, world [m/s].
        omega: initial angular velocity in principal axes [rad/s].
        data: numbers for the data pool (full mass, elasticity), at ``body.data`` in kernels.
    """

    mass: float
    weight_mass: float
    inertia: np.ndarray
    centre: np.ndarray
    axes: np.ndarray
    velocity: np.ndarray
    omega: np.ndarray
    data: tuple[float, ...] = ()


@dataclass(frozen=True)
class Body(Part):
    """Base of all bodies: what a kind of body declares. One file holds all of it, also from outside the package.

    Joints, forces and outlines see a body through its markers alone, methods through its coordinates; so a kind needs
    nothing but this. Kernels have ``BODY_SIGNATURE`` (first, end, tables) and begin with ``t = borrow(tables)``; body b
    of the table has row b - 1 of pose, velocity and acceleration. With the mass matrix M = L L^T of a body:

    ==========================  ====================================================================================
    place_kernel                rotation matrix, positions and axes of the markers, from the pose
    move_kernel                 velocities and convective accelerations of the markers
    weigh_rows_kernel           rows Y = J L^-T of the joint sides t.sides[first:end], into t.weighted
    weigh_forces_kernel         f~ = L^-1 f with gravity, wrenches at the markers and inertia forces
    unweigh_kernel              t.acceleration = L^-T t.weighted_force
    measure_kernel              add kinetic, gravity and elastic energy to t.energy
    accelerate_markers_kernel   t.marker_acceleration from t.acceleration
    convect_kernel              what the turning of the axes adds to t.acceleration (None: nothing)
    dissipate_kernel            add the power that the material turns into heat to t.energy[0] (None: nothing)
    fall_kernel                 t.acceleration and t.pose_rate when nothing but gravity acts (None: by those above)
    ==========================  ====================================================================================
    """

    family: ClassVar[str] = "body"
    kernel_notes: ClassVar[tuple[KernelNote, ...]] = (
        *(KernelNote(f"{stage}_kernel", BODY_SIGNATURE, "BODY_SIGNATURE") for stage in STAGES),
        *(KernelNote(f"{stage}_kernel", BODY_SIGNATURE, "BODY_SIGNATURE", required=False) for stage in OPTIONAL_STAGES),
    )
    coordinates: ClassVar[Coordinates]
    pose_width: ClassVar[int]
    velocity_width: ClassVar[int]
    principal_axes: ClassVar[bool] = True
    """Whether the mass matrix is diagonal: methods that split the motion about principal axes refuse others."""

    scalar_mass: ClassVar[bool] = False
    """Whether the part of a weighed row that acts on the velocity is that of the row, scaled by one number, and the
    turning part the only other. Stands in the class that has the kernel that weighs rows: another kernel does not
    inherit it."""

    place_kernel: ClassVar[Any]
    move_kernel: ClassVar[Any]
    weigh_rows_kernel: ClassVar[Any]
    weigh_forces_kernel: ClassVar[Any]
    unweigh_kernel: ClassVar[Any]
    measure_kernel: ClassVar[Any]
    accelerate_markers_kernel: ClassVar[Any]
    convect_kernel: ClassVar[Any] = None
    dissipate_kernel: ClassVar[Any] = None
    fall_kernel: ClassVar[Any] = None

    def pose(self) -> tuple[np.ndarray, np.ndarray]:
        """Initial position [m] and rotation (world from body) of the user's body frame."""
        raise NotImplementedError

    def row(self) -> BodyRow:
        """The body as the engine stores it."""
        raise NotImplementedError

    def start(self, row: BodyRow) -> tuple[np.ndarray, np.ndarray]:
        """Pose and velocity at the start, in the coordinates of the kind."""
        raise NotImplementedError

    def velocity_count(self, row: BodyRow) -> int:
        """Independent velocities; a point mass does not turn."""
        return self.velocity_width

    def elasticity(self) -> tuple[float, ...]:
        """Lame constants, volume and director inertias of a body that deforms; empty otherwise."""
        return ()

    # -- what is looked at ---------------------------------------------------------------------------------------------

    def channels(self) -> list[ChannelNote]:
        """Channels of the body: (name, unit, dimensions, frame, meaning)."""
        raise NotImplementedError

    def observe(self, row: BodyRow, pose: np.ndarray, velocity: np.ndarray) -> dict[str, np.ndarray]:
        """Values of the channels from poses and velocities of many frames, (frames, width)."""
        raise NotImplementedError

    def attitude(self, row: BodyRow, pose: np.ndarray) -> np.ndarray:
        """Rotation matrix, world from the user's body frame, of one pose."""
        raise NotImplementedError

    def spin(self, row: BodyRow, pose: np.ndarray, velocity: np.ndarray) -> np.ndarray:
        """Angular velocity in the user's body frame [rad/s], shape (3,)."""
        raise NotImplementedError

    # -- the chart: coordinates of a linearisation ---------------------------------------------------------------------

    def jets(self, pose: np.ndarray, velocity: np.ndarray, acceleration: np.ndarray) -> BodyJets:
        """Centre of mass and rotation matrix (principal axes) with their rates."""
        raise NotImplementedError

    def displacement(self, weight: np.ndarray, start: BodyJets, now: BodyJets) -> Jet:
        """Sum of the displacements since ``start``, each weighed: linear in the velocities."""
        raise NotImplementedError

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return body_visuals(self, scene)


def rotation_from(value: Any, path: str) -> np.ndarray:
    """Rotation matrix from what users write: quaternion (w, x, y, z), 3 x 3 matrix, or (axis, angle [rad])."""
    if value is None:
        return np.eye(3)
    if isinstance(value, dict) and set(value) == {"axis", "angle"}:
        return matrix_from_axis_angle(value["axis"], float(value["angle"]))
    array = np.asarray(value, dtype=float)
    if array.shape == (4,):
        norm = float(np.linalg.norm(array))
        if not np.isfinite(norm) or abs(norm - 1.0) > 1e-3:
            expected, hint = "(w, x, y, z) with length 1 within 1e-3", f"its length is {norm:.6g}"
            raise InputError("quaternion is far from unit length", path=path, got=value, expected=expected, hint=hint)
        if abs(norm - 1.0) > ROUNDED:
            warnings.warn(f"{path}: quaternion of length {norm:.9g} was normalised", stacklevel=2)
        return matrix_from_quaternion(array)
    if array.shape == (9,):
        array = array.reshape(3, 3)
    if array.shape == (3, 3):
        if np.abs(array.T @ array - np.eye(3)).max() > 1e-6 or np.linalg.det(array) < 0:
            raise InputError("not a rotation matrix", path=path, got=value, expected="orthonormal, determinant +1")
        return array
    expected = "quaternion (w, x, y, z) or 3 x 3 rotation matrix"
    raise InputError("unreadable orientation", path=path, got=value, expected=expected)


def inertia_matrix(value: Any, path: str) -> np.ndarray:
    """Inertia tensor [kg m2] from 3 principal values, 6 entries (xx, yy, zz, xy, xz, yz) or a 3 x 3 matrix.

    Off-diagonal numbers are entries of the matrix, that is minus the products of inertia.
    """
    array = np.asarray(value, dtype=float)
    if array.shape == (3,):
        return np.diag(array)
    if array.shape == (6,):
        xx, yy, zz, xy, xz, yz = array
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if array.shape == (3, 3) and np.abs(array - array.T).max() <= 1e-12 * max(1.0, np.abs(array).max()):
        return array
    expected = "3 principal moments, 6 entries xx yy zz xy xz yz, or a symmetric 3 x 3 matrix, in kg*m2"
    raise InputError("unreadable inertia", path=path, got=value, expected=expected)


def principal_axes(inertia: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Principal moments and axes (columns, right-handed); a diagonal tensor keeps its axes and order."""
    if np.count_nonzero(inertia - np.diag(np.diag(inertia))) == 0:
        return np.diag(inertia).copy(), np.eye(3)
    moments, axes = np.linalg.eigh(inertia)
    if np.linalg.det(axes) < 0:
        axes[:, 2] = -axes[:, 2]
    return moments, axes
