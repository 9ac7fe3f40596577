"""Independent coordinates and speeds around a state of a constrained system: the reduced equations of motion.

A chart turns coordinates c and speeds u into a state on the constraints, equations (1) to (3) of
:mod:`centrode.dynamics.linearise`. The pose is found by Newton's method from the reference; the correction is the
smallest in the metric of the masses, in which the engine's rows are weighed: displacements y = L^T dq with M = L L^T.
Redundant rows agree with the others and are no obstacle; components that do not exist (the turning of a point mass) are
left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from centrode.dynamics.bodies import shift_poses
from centrode.dynamics.coordinates import Coordinate, chart_coordinate, coordinate_makers, find_coordinate
from centrode.dynamics.frames import MEMORIES
from centrode.dynamics.loop import ClosedLoop
from centrode.dynamics.redundancy import dense_rows
from centrode.dynamics.weights import row_of, smallest_solution, unweighing, velocities_of
from centrode.dynamics.workspace import Workspace
from centrode.errors import InputError
from centrode.parts.kernel_types import LINK_INPUT

RANK = 1e-9
"""Relative size of singular values below which motions count as the same."""
INFLUENCE = 1e-7
"""Change of an acceleration that tells that a coordinate left out matters."""


class Chart:
    """Independent coordinates and speeds around a reference state of a workspace.

    Args:
        workspace: at the reference state; moved by every question.
        time: [s].
        coordinates: names, or None for displacements along an orthonormal basis.
        cyclic: names of coordinates of which only the rates are states.
        loop: controllers that command the inputs; held when None.
    """

    def __init__(
        self,
        workspace: Workspace,
        time: float,
        coordinates: Sequence[str] | None,
        cyclic: tuple[str, ...] = (),
        loop: ClosedLoop | None = None,
    ) -> None:
        self.loop = loop
        self.workspace, self.time, self.model = workspace, time, workspace.model
        model = self.model
        nonholonomic = {(j, r) for j, joint in enumerate(model.joints) for r in joint.nonholonomic_rows}
        workspace.evaluate(time, project=True)
        workspace.evaluate(time, project=True)
        self.reference = workspace.values.copy()
        self.memory = [workspace[name].copy() for name in MEMORIES]
        _, self.rows = dense_rows(workspace)
        self.holonomic = np.array([index not in nonholonomic for index in self.rows], dtype=bool)
        self.internal = int(model.states.size)
        self.live = np.abs(self._unweighing()).sum(axis=1).ravel() > 0.0
        allowed, self.motions = self._null_spaces()
        self.mobility = self.motions.shape[1]
        if coordinates is None and not cyclic:
            basis = _completed(self.motions, allowed).T
            self.coordinates = [
                chart_coordinate(workspace, self._to_weights(column), f"q{k + 1}") for k, column in enumerate(basis)
            ]
            # A step moves no body by more than itself, in metres or radians.
            self.reach = np.array([1.0 / np.abs(self._velocity(column)).max() for column in basis])
            self.carriers = self.coordinates[: self.mobility]
        else:
            self.coordinates = [find_coordinate(model, name) for name in coordinates or ()]
            self.reach = np.ones(len(self.coordinates) + len(cyclic))
            self.carriers = self.coordinates + [find_coordinate(model, name) for name in cyclic]
            self._check_choice()
        self.c0 = np.array([c.jet(workspace).v for c in self.coordinates])
        self.u0 = np.array([c.jet(workspace).d for c in self.carriers])
        memory = np.zeros(0) if loop is None else loop.memory
        if loop is not None:
            loop.command(memory)
        self.s0 = np.concatenate([workspace["states"][: self.internal], memory])
        self.inputs = self._inputs()
        self.w0 = np.array([workspace["inputs"][slot] for _, slot in self.inputs])

    # -- what the joints allow ---------------------------------------------------------------------------------------

    def _unweighing(self) -> np.ndarray:
        """L^-T of every body at the present pose, (bodies, velocities, weighed components)."""
        self._scale = unweighing(self.workspace)
        return self._scale

    def _velocity(self, weighed: np.ndarray) -> np.ndarray:
        """Velocities of all bodies from their weighed components."""
        return velocities_of(self._scale, weighed)

    def _to_weights(self, weighed: np.ndarray) -> np.ndarray:
        """Weights of the velocities whose sum is the component along a weighed direction, L y."""
        shape = (self.model.body_count, self.model.velocity_width)
        found = np.zeros(shape)
        for b, column in enumerate(weighed.reshape(shape)):
            found[b] = np.linalg.pinv(self._scale[b]).T @ column
        return found

    def _row_of(self, coordinate: Coordinate) -> np.ndarray:
        """Gradient of a coordinate in weighed components."""
        return row_of(coordinate, self._scale, self.workspace)

    def _null_spaces(self) -> tuple[np.ndarray, np.ndarray]:
        """Orthonormal bases (columns, weighed) of displacements and of velocities that the joints allow."""
        rows, _ = dense_rows(self.workspace)
        return _null_space(rows[self.holonomic], self.live), _null_space(rows, self.live)

    def _check_choice(self) -> None:
        names = [c.name for c in self.carriers]
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise InputError("a coordinate is named twice", path="coordinates", got=sorted(twice))
        reach = np.array([self._row_of(c) for c in self.carriers]).reshape(len(names), -1) @ self.motions
        values = np.linalg.svd(reach / np.maximum(np.linalg.norm(reach, axis=1, keepdims=True), 1e-300))[1]
        rank = int(np.sum(values > RANK))
        if rank < len(names) or len(names) != self.mobility:
            more = "" if rank < len(names) else f"{self.mobility - len(names)} more, as coordinates or cyclic, such as "
            raise InputError(
                "the coordinates depend on each other" if rank < len(names) else "too few coordinates",
                path="coordinates",
                got=names,
                expected=f"{self.mobility} independent ones, the mobility of the system",
                hint=more + ", ".join(list(coordinate_makers(self.model))[:6]),
            )

    def _inputs(self) -> list[tuple[str, int]]:
        found = []
        for i, force in enumerate(self.model.forces):
            for k, name in enumerate(force.input_names):
                found.append((f"{force.name}.{name}", int(self.model.force_link[i, LINK_INPUT]) + k))
        return found

    # -- the reduced equations ---------------------------------------------------------------------------------------

    def rates(self, c: np.ndarray, u: np.ndarray, s: np.ndarray, inputs: np.ndarray | None = None) -> np.ndarray:
        """x' at coordinates c, speeds u and states s of forces and controllers: equations (1) to (3)."""
        w = self.workspace
        w.values[:] = self.reference
        for name, kept in zip(MEMORIES, self.memory, strict=True):
            w[name][:] = kept
        w["states"][: self.internal] = s[: self.internal]
        for (_, slot), value in zip(self.inputs, self.w0, strict=True):
            w["inputs"][slot] = value
        self.place(c)
        self.move(u)
        kept = np.zeros(0) if self.loop is None else self.loop.command(s[self.internal :])
        if inputs is not None:  # beside what controllers command
            for (_, slot), value, held in zip(self.inputs, inputs, self.w0, strict=True):
                w["inputs"][slot] += value - held
        w.evaluate(self.time)
        jets = {id(k): k.jet(w) for k in (*self.coordinates, *self.carriers)}
        return np.concatenate(
            [
                [jets[id(k)].d for k in self.coordinates],
                [jets[id(k)].dd for k in self.carriers],
                w["state_rate"][: self.internal],
                kept,
            ]
        )

    def place(self, c: np.ndarray) -> None:
        """Pose with coordinates c on the constraints, from the present one: (1)."""
        w = self.workspace
        best, stalled = np.inf, 0
        for _ in range(40):
            w.evaluate(self.time)
            rows, phi = self._open()
            miss = [k.miss(k.jet(w).v, value) for k, value in zip(self.coordinates, c, strict=True)]
            wrong = np.concatenate([phi, miss])
            size = float(np.abs(wrong).max(initial=0.0))
            stalled = stalled + 1 if size > 0.5 * best else 0
            best = min(best, size)
            if size <= 1e-16 or stalled > 1 and best < 1e-12:
                return
            if not np.isfinite(size) or stalled > 8:
                break
            self._unweighing()
            matrix = np.vstack([rows, *(self._row_of(k) for k in self.coordinates)])
            self._shift(-self._solve(matrix, wrong))
        raise InputError(
            "the neighbourhood of the state cannot be reached",
            path="coordinates",
            got=[k.name for k in self.coordinates],
            hint=f"joints and coordinates are still open by {best:.2g}; the state may be a singular position",
        )

    def move(self, u: np.ndarray) -> np.ndarray:
        """Velocities with speeds u: (2). Returns the matrix of the joints and speeds, weighed."""
        w = self.workspace
        self._unweighing()
        rows, index = dense_rows(w)
        nu = np.array([w["terms"][j, r, 1] for j, r in index])
        matrix = np.vstack([rows, *(self._row_of(k) for k in self.carriers)])
        w["velocity"][:] = self._velocity(self._solve(matrix, np.concatenate([-nu, u])))
        return matrix

    def reduced_mass(self) -> np.ndarray:
        """V^T M V of the speeds at the reference: y = V u solves (2) without drives, and the weighed mass is one."""
        w = self.workspace
        w.values[:] = self.reference
        w.evaluate(self.time)
        self._unweighing()
        rows, _ = dense_rows(w)
        matrix = np.vstack([rows, *(self._row_of(k) for k in self.carriers)])
        unit = np.vstack([np.zeros((rows.shape[0], self.mobility)), np.eye(self.mobility)])
        v = np.column_stack([self._solve(matrix, column) for column in unit.T])
        return v.T @ v

    def check_left_out(self, at: Any, x: np.ndarray, start: np.ndarray) -> None:
        """Refuse named coordinates when the accelerations depend on one that is not named."""
        k = len(self.coordinates)
        w = self.workspace
        w.values[:] = self.reference
        w.evaluate(self.time)
        self._unweighing()
        rows, _ = dense_rows(w)
        chosen = np.vstack([rows[self.holonomic], *(self._row_of(c) for c in self.coordinates)])
        free = _null_space(chosen, self.live)
        if free.shape[1] == 0:
            return
        reference, memory = self.reference, self.memory
        rng = np.random.default_rng(7)
        try:
            for _ in range(2):
                direction = free @ rng.normal(size=free.shape[1])
                direction *= 0.05 / np.abs(self._velocity(direction)).max()
                w.values[:] = reference
                w.evaluate(self.time)
                self._unweighing()
                self._shift(direction)
                self.reference = w.values.copy()
                moved = at(x)
                off = np.abs(moved - start)[k:]
                if off.max(initial=0.0) > INFLUENCE * max(1.0, float(np.abs(start).max(initial=0.0))):
                    body = self.model.body_names[1 + int(np.argmax(np.abs(self._velocity(direction)).max(axis=1)))]
                    raise InputError(
                        "the accelerations depend on a coordinate that is left out",
                        path="coordinates",
                        got=[c.name for c in self.coordinates],
                        hint=f"it moves '{body}' most; name it too, or name none",
                    )
        finally:
            self.reference, self.memory = reference, memory

    def _open(self) -> tuple[np.ndarray, np.ndarray]:
        """Weighed holonomic rows and their residuals."""
        w = self.workspace
        rows, index = dense_rows(w)
        phi = np.array([w["terms"][j, r, 0] * w["row_active"][j, r] for j, r in index])
        return rows[self.holonomic], phi[self.holonomic]

    def _solve(self, matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Solution of smallest weighed length; redundant rows agree and components that do not exist stay zero."""
        return smallest_solution(matrix, right, self.live)

    def _shift(self, weighed: np.ndarray) -> None:
        """Move the pose by a displacement in weighed components."""
        shift_poses(1.0, self._velocity(weighed), self.workspace.address)


def _null_space(rows: np.ndarray, live: np.ndarray) -> np.ndarray:
    """Orthonormal columns that span what the rows allow, among the components that exist."""
    reduced = rows[:, live]
    size = np.linalg.norm(reduced, axis=1)
    reduced = reduced[size > 0.0] / size[size > 0.0, None]
    found = np.zeros((rows.shape[1], 0))
    if live.any():
        _, s, vt = np.linalg.svd(reduced, full_matrices=True) if reduced.size else (0, np.zeros(0), np.eye(live.sum()))
        rank = int(np.sum(s > RANK * (s[0] if s.size else 1.0)))
        found = np.zeros((rows.shape[1], int(live.sum()) - rank))
        found[live] = vt[rank:].T
    return found


def _completed(motions: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """An orthonormal basis of ``allowed`` whose first columns are ``motions``."""
    rest = allowed - motions @ (motions.T @ allowed)
    u, s, _ = np.linalg.svd(rest, full_matrices=False)
    return np.hstack([motions, u[:, : allowed.shape[1] - motions.shape[1]]])
