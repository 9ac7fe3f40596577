"""What all bodies share: a place at the start and how they enter the body table."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault, InputError
from centrode.math.rotation import matrix_from_axis_angle, matrix_from_quaternion
from centrode.parts.bodies.appearance import body_visuals
from centrode.parts.part import Part
from centrode.parts.visual import Visual, VisualScene

ROUNDED = 1e-5
"""A quaternion typed with five digits or more is this close to unit length; farther off, a word is said."""


@dataclass(frozen=True)
class BodyRow:
    """One body as the engine stores it: about its centre of mass, in principal axes.

    Attributes:
        code: kind code of :mod:`centrode.dynamics.tables`.
        mass, weight_mass: inertial mass and the mass that gravity acts on [kg].
        inertia: principal moments [kg m2], shape (3,).
        centre: centre of mass in the user's body frame [m].
        axes: user's body frame from principal axes, shape (3, 3).
        velocity: initial velocity of the centre of mass, world [m/s].
        omega: initial angular velocity in principal axes [rad/s].
        data: numbers for the data pool (full mass, elasticity).
    """

    code: int
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
    """Base of all bodies."""

    family: ClassVar[str] = "body"

    def pose(self) -> tuple[np.ndarray, np.ndarray]:
        """Initial position [m] and rotation (world from body) of the user's body frame."""
        raise NotImplementedError

    def row(self) -> BodyRow:
        """The body as the engine stores it."""
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
            raise InputError(
                Fault(
                    "quaternion is far from unit length",
                    path,
                    got=value,
                    expected="(w, x, y, z) with length 1 within 1e-3",
                    hint=f"its length is {norm:.6g}",
                )
            )
        if abs(norm - 1.0) > ROUNDED:
            warnings.warn(f"{path}: quaternion of length {norm:.9g} was normalised", stacklevel=2)
        return matrix_from_quaternion(array)
    if array.shape == (9,):
        array = array.reshape(3, 3)
    if array.shape == (3, 3):
        if np.abs(array.T @ array - np.eye(3)).max() > 1e-6 or np.linalg.det(array) < 0:
            raise InputError(Fault("not a rotation matrix", path, got=value, expected="orthonormal, determinant +1"))
        return array
    raise InputError(
        Fault("unreadable orientation", path, got=value, expected="quaternion (w, x, y, z) or 3 x 3 rotation matrix")
    )


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
    raise InputError(
        Fault(
            "unreadable inertia",
            path,
            got=value,
            expected="3 principal moments, 6 entries xx yy zz xy xz yz, or a symmetric 3 x 3 matrix, in kg*m2",
        )
    )


def principal_axes(inertia: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Principal moments and axes (columns, right-handed); a diagonal tensor keeps its axes and order."""
    if np.count_nonzero(inertia - np.diag(np.diag(inertia))) == 0:
        return np.diag(inertia).copy(), np.eye(3)
    moments, axes = np.linalg.eigh(inertia)
    if np.linalg.det(axes) < 0:
        axes[:, 2] = -axes[:, 2]
    return moments, axes
