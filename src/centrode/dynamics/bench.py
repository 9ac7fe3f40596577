"""A bench for one force: a small system with two copies of it, whose states can be set at will.

Used by :mod:`centrode.dynamics.contract` and by tests. The kernel is called directly, on the marker table that the
engine's own kinematics fill, so what is tested is what runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from centrode.dynamics.bodies import shift_poses
from centrode.dynamics.examples import example_system
from centrode.dynamics.trial import try_foreign_kernels
from centrode.dynamics.workspace import Workspace
from centrode.jit import plain
from centrode.math.rotation import matrix_from_quaternion
from centrode.parts.forces.force import Force
from centrode.parts.kernel_types import LINK_MARKER_COUNT, LINK_MARKERS
from centrode.system.model import build_model

DIFFERENCE_STEP = 1e-4
"""Time step of the difference that gives the rate of the energy [s]."""


class Bench:
    """Two copies of a force between bodies a, b (and c), at states set at will.

    Args:
        kind: class of the force.
        values: its parameters without the name.
        plane: build a plane system.
        seed: of the random states.
    """

    def __init__(self, kind: type[Force], values: Mapping[str, Any], plane: bool = False, seed: int = 0) -> None:
        self.kind = kind
        self.plane = plane
        self.random = np.random.default_rng(seed)
        self.model = build_model(example_system(kind, values, plane, names=("first", "second")))
        self.workspace = Workspace(self.model)
        self.foreign_rows_touched = False
        link = self.model.force_link
        self.marker_count = int(link[0, LINK_MARKER_COUNT])
        self.own = [int(link[i, LINK_MARKERS + k]) for i in range(2) for k in range(self.marker_count)]
        try_foreign_kernels(self.workspace, 0.3)

    @property
    def markers(self) -> np.ndarray:
        """Marker table of the present state."""
        return self.workspace["markers"]

    def randomise(self) -> None:
        """A new random state: poses, velocities, internal states and inputs of order one."""
        pose, velocity = self.workspace["pose"], self.workspace["velocity"]
        pose[:] = self.random.normal(size=pose.shape)
        if not self.plane:
            pose[:, 3:7] /= np.linalg.norm(pose[:, 3:7], axis=1, keepdims=True)
        velocity[:] = self.random.normal(size=velocity.shape)
        for name in ("states", "inputs"):
            self.workspace[name][:] = self.random.normal(size=self.workspace[name].shape)
        self.workspace["force_memory"][:] = self.model.force_memory
        self.refresh()

    def refresh(self) -> None:
        """Fill the marker table from the present poses and velocities."""
        self.workspace.place_markers()

    def random_rotation(self) -> np.ndarray:
        """A rotation matrix, about z only in a plane system."""
        quaternion = self.random.normal(size=4)
        if self.plane:
            quaternion[1:3] = 0.0
        return matrix_from_quaternion(quaternion)

    def turned_markers(self, rotation: np.ndarray, shift: np.ndarray, boost: np.ndarray) -> np.ndarray:
        """The marker table (ground included) turned, shifted and set moving with a common velocity."""
        table = self.markers.copy()
        for first in (0, 3, 6, 9, 21):
            table[:, first : first + 3] = table[:, first : first + 3] @ rotation.T
        table[:, :3] += shift
        table[:, 3:6] += boost
        for row in table:
            row[12:21] = (rotation @ row[12:21].reshape(3, 3)).ravel()
        return table

    def wrenches(
        self,
        markers: np.ndarray | None = None,
        *,
        element: int = 0,
        count: int = 2,
        keep: bool = False,
        python: bool = False,
        time: float = 0.3,
    ) -> np.ndarray:
        """Wrenches at the markers of both copies, shape (2 markers, 6), world frame.

        Args:
            markers: another marker table than the present one.
            element, count: which copies to ask.
            keep: start from the wrenches of the last call with ``keep``, as the run loop does.
            python: run the kernel as Python.
            time: [s].
        """
        w = self.workspace
        wrench = w["wrench"] if keep else np.zeros_like(w["wrench"])
        guard = np.ones(len(wrench), dtype=bool)
        guard[self.own] = False
        wrench[guard] = 7.0  # the run loop's other wrenches: must stay
        kernel = self.kind.force_kernel
        kernel = plain(kernel) if python else kernel
        kernel(
            time,
            element,
            count,
            w["force_par"],
            w["force_link"],
            w["data"],
            w["inputs"],
            w["force_memory"].copy(),
            self.markers if markers is None else np.ascontiguousarray(markers),
            w["states"],
            wrench,
            np.zeros(max(1, w["states"].size)),
        )
        self.foreign_rows_touched |= bool(np.any(wrench[guard] != 7.0))
        return wrench[self.own].copy()

    def energies(self, markers: np.ndarray | None = None, *, python: bool = False, time: float = 0.3) -> np.ndarray:
        """Stored energy of both copies [J]; zero when the kind declares none."""
        kernel = self.kind.energy_kernel
        energy = np.zeros(2)
        if kernel is None:
            return energy
        kernel = plain(kernel) if python else kernel
        w = self.workspace
        kernel(
            time,
            0,
            2,
            w["force_par"],
            w["force_link"],
            w["data"],
            w["inputs"],
            w["force_memory"].copy(),
            self.markers if markers is None else np.ascontiguousarray(markers),
            w["states"],
            energy,
        )
        return energy

    def energy_rate(self) -> float:
        """d E / d t of both copies along the present velocities [W], by an extrapolated central difference."""
        if self.kind.energy_kernel is None:
            return 0.0
        pose, velocity = self.workspace["pose"].copy(), self.workspace["velocity"].copy()
        wide, narrow = (
            (self._energy_after(pose, velocity, h) - self._energy_after(pose, velocity, -h)) / (2.0 * h)
            for h in (DIFFERENCE_STEP, 0.5 * DIFFERENCE_STEP)
        )
        self.workspace["pose"][:] = pose
        self.refresh()
        return (4.0 * narrow - wide) / 3.0

    def _energy_after(self, pose: np.ndarray, velocity: np.ndarray, h: float) -> float:
        """Energy after all bodies moved on for h [s] with constant velocity and body rates."""
        self.workspace["pose"][:] = pose
        shift_poses(h, velocity, self.workspace.address)
        self.refresh()
        return float(self.energies().sum())
