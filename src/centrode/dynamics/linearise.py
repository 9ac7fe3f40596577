"""Linearisation of a constrained system, holonomic or not, about any state of the nonlinear engine.

Independent coordinates c and independent speeds u describe the motions that the joints allow. For given (c, u)

    pose        phi(q) = 0,  c(q) = c        Newton's method from the reference, nearest in the metric of the masses  (1)
    velocity    J v + nu = 0,  c'(q, v) = u                                                                        (2)
    rates       a from the engine's equations of motion;  c' and u' = c'' from the jets of the coordinates          (3)

and the matrices of x' = A x + B w are the derivatives of (3) with respect to c, u, the internal states of forces and
the inputs w, by central differences of order fourteen. With the independent motions V of (2), v = V u + ..., the reduced mass
matrix is M = V^T M V, exact, and about a steady motion

    M u' + C u + K c = B_f w,      C = -M du'/du,   K = -M du'/dc                                                   (4)

Why differences: the kernels of the engine are compiled for real numbers. A central difference of order fourteen with a
step of 0.04 has a truncation error of the size (0.04 / r)^14, r the distance to the nearest (complex) singularity of the
motion as a function of a coordinate, and divides the round-off of the engine by no less than the step;
docs/theory/linearisation.md has the measured errors.

Nonholonomic systems have more coordinates than speeds. Those that the accelerations do not depend on (place, heading,
angle of a wheel) are left out or, where their rates are wanted as speeds, named ``cyclic``; that they have no influence
is checked. Without names the coordinates are displacements along an orthonormal basis of the allowed motions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from centrode.dynamics.assembly import assemble_start, dense_rows
from centrode.dynamics.coordinates import Coordinate, chart_coordinate, coordinate_makers, find_coordinate
from centrode.dynamics.weighing import unweigh
from centrode.dynamics.workspace import Workspace
from centrode.errors import InputError
from centrode.math.rotation import turn_quaternion
from centrode.parts.bodies.codes import BODY_PLANAR, BODY_PSEUDO_RIGID

if TYPE_CHECKING:
    from centrode.dynamics.modes import Mode

HALF_WIDTH = 7
STENCIL = np.array(
    [
        (-1.0) ** (k + 1)
        * math.factorial(HALF_WIDTH) ** 2
        / (k * math.factorial(HALF_WIDTH - k) * math.factorial(HALF_WIDTH + k))
        for k in range(1, HALF_WIDTH + 1)
    ]
)
"""Central difference of order fourteen: f' = sum_k STENCIL[k-1] (f(k h) - f(-k h)) / h."""
STEP = 0.04
"""Step of the differences, relative to the scale of each state."""
RANK = 1e-9
INFLUENCE = 1e-7


@dataclass(frozen=True)
class Linearisation:
    """x' = A x + B w about a state.

    Attributes:
        coordinates, speeds, states, inputs: names; x is coordinates, then speeds, then internal states.
        a, b: system and input matrix.
        mass: reduced mass matrix of the speeds, (4).
        rates: x' at the reference; zero when the motion is steady in these coordinates.
        x: the reference itself.
        notes: sentences for the user.
    """

    coordinates: tuple[str, ...]
    speeds: tuple[str, ...]
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    a: np.ndarray
    b: np.ndarray
    mass: np.ndarray
    rates: np.ndarray
    x: np.ndarray
    notes: tuple[str, ...] = field(default=())

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all components of x."""
        return (*self.coordinates, *self.speeds, *self.states)

    @property
    def damping(self) -> np.ndarray:
        """C of (4), speeds x speeds."""
        k, f = len(self.coordinates), len(self.speeds)
        return -self.mass @ self.a[k : k + f, k : k + f]

    @property
    def stiffness(self) -> np.ndarray:
        """K of (4), speeds x coordinates."""
        k, f = len(self.coordinates), len(self.speeds)
        return -self.mass @ self.a[k : k + f, :k]

    @property
    def forcing(self) -> np.ndarray:
        """B_f of (4), speeds x inputs."""
        k, f = len(self.coordinates), len(self.speeds)
        return self.mass @ self.b[k : k + f]

    @property
    def eigenvalues(self) -> np.ndarray:
        """Eigenvalues of A [1/s], the most unstable first."""
        values = np.linalg.eigvals(self.a)
        return values[np.lexsort((values.imag, -values.real))]

    @property
    def unsteadiness(self) -> float:
        """Largest rate that a steady motion would not have: of the speeds and the internal states."""
        return float(np.abs(self.rates[len(self.coordinates) :]).max(initial=0.0))

    def modes(self) -> list[Mode]:
        """Eigenvalues with their shapes, see :mod:`centrode.dynamics.modes`."""
        from centrode.dynamics.modes import modes_of

        return modes_of(self.a, self.names)


def linearise(
    what: Any,
    coordinates: Sequence[str] | None = None,
    cyclic: Sequence[str] = (),
    state: Any = None,
    time: float | None = None,
    step: float = STEP,
    speed_step: float = STEP,
) -> Linearisation:
    """Linearise a system about a state.

    Args:
        what: a system (its start is assembled first), a session, or a workspace.
        coordinates: names of independent coordinates, see :mod:`centrode.dynamics.coordinates`; all displacements that
            the joints allow when left out.
        cyclic: names of further coordinates of which only the rates matter.
        state: a :class:`centrode.system.state.State` of that system; its present one when left out.
        time: of the evaluation [s]; that of the state or the session, else 0.
        step: step of the differences, relative to the larger of one and the value.
        speed_step: the same for the speeds. Accelerations are quadratic in the speeds unless a force depends on them
            otherwise, and then a large step has no truncation error and the least round-off.

    Raises:
        InputError: unknown, dependent, missing or influential left-out coordinates.
    """
    workspace, now = _workspace_of(what)
    saved = {name: workspace[name].copy() for name in ("joint_memory", "force_memory", "row_active", "inputs")}
    values = workspace.values.copy()
    if state is not None:
        workspace.values[:] = state.values
        for name in saved:
            workspace[name][:] = getattr(state, name)
        now = state.time
    try:
        chart = Chart(workspace, now if time is None else float(time), coordinates, tuple(cyclic))
        return chart.linearise(step, speed_step)
    finally:
        workspace.values[:] = values
        for name, array in saved.items():
            workspace[name][:] = array
        workspace.evaluate(now)


def _workspace_of(what: Any) -> tuple[Workspace, float]:
    if isinstance(what, Workspace):
        return what, 0.0
    if hasattr(what, "workspace"):  # a session
        return what.workspace, float(what.run.time)
    from centrode.system.model import build_model

    workspace = Workspace(build_model(getattr(what, "system", what)))
    assemble_start(workspace, 0.0)
    return workspace, 0.0


class Chart:
    """Independent coordinates and speeds around a reference state of a workspace.

    Args:
        workspace: at the reference state; moved by every question.
        time: [s].
        coordinates: names, or None for displacements along an orthonormal basis.
        cyclic: names of coordinates of which only the rates are states.
    """

    def __init__(
        self, workspace: Workspace, time: float, coordinates: Sequence[str] | None, cyclic: tuple[str, ...] = ()
    ) -> None:
        self.workspace, self.time, self.model = workspace, time, workspace.model
        model = self.model
        nonholonomic = {(j, r) for j, joint in enumerate(model.joints) for r in joint.nonholonomic_rows}
        self.notes: list[str] = []
        workspace.evaluate(time, project=True)
        workspace.evaluate(time, project=True)
        self.reference = workspace.values.copy()
        self.memory = workspace["joint_memory"].copy(), workspace["force_memory"].copy()
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
        self.s0 = workspace["states"][: self.internal].copy()
        self.inputs = self._inputs()
        self.w0 = np.array([workspace["inputs"][slot] for _, slot in self.inputs])

    # -- what the joints allow ---------------------------------------------------------------------------------------

    def _unweighing(self) -> np.ndarray:
        """L^-T of every body at the present pose, (bodies, velocities, weighed components)."""
        w, model = self.workspace, self.model
        n, width = model.body_count, model.velocity_width
        weighed, out = np.zeros((n + 1, width)), np.zeros((n, width))
        found = np.zeros((n, width, width))
        for k in range(width):
            weighed[:] = 0.0
            weighed[:, k] = 1.0
            out[:] = 0.0
            for b in range(1, n + 1):
                unweigh(w["bodies"], w["data"], b, w["rotation"], weighed, out)
            found[:, :, k] = out
        self._scale = found
        return found

    def _velocity(self, weighed: np.ndarray) -> np.ndarray:
        """Velocities of all bodies from their weighed components."""
        shape = (self.model.body_count, self.model.velocity_width)
        return np.einsum("bvk,bk->bv", self._scale, weighed.reshape(shape))

    def _to_weights(self, weighed: np.ndarray) -> np.ndarray:
        """Weights of the velocities whose sum is the component along a weighed direction, L y."""
        shape = (self.model.body_count, self.model.velocity_width)
        found = np.zeros(shape)
        for b, column in enumerate(weighed.reshape(shape)):
            found[b] = np.linalg.pinv(self._scale[b]).T @ column
        return found

    def _row_of(self, coordinate: Coordinate) -> np.ndarray:
        """Gradient of a coordinate in weighed components."""
        return np.einsum("bvk,bv->bk", self._scale, coordinate.gradient(self.workspace)).ravel()

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
        from centrode.parts.kernel_types import LINK_INPUT

        found = []
        for i, force in enumerate(self.model.forces):
            for k, name in enumerate(force.input_names):
                found.append((f"{force.name}.{name}", int(self.model.force_link[i, LINK_INPUT]) + k))
        return found

    # -- the reduced equations ---------------------------------------------------------------------------------------

    def rates(self, c: np.ndarray, u: np.ndarray, s: np.ndarray, inputs: np.ndarray | None = None) -> np.ndarray:
        """x' at coordinates c, speeds u and internal states s: equations (1) to (3)."""
        w = self.workspace
        w.values[:] = self.reference
        w["joint_memory"][:], w["force_memory"][:] = self.memory
        w["states"][: self.internal] = s
        if inputs is not None:
            for (_, slot), value in zip(self.inputs, inputs, strict=True):
                w["inputs"][slot] = value
        self.place(c)
        self.move(u)
        w.evaluate(self.time)
        jets = {id(k): k.jet(w) for k in (*self.coordinates, *self.carriers)}
        return np.concatenate(
            [
                [jets[id(k)].d for k in self.coordinates],
                [jets[id(k)].dd for k in self.carriers],
                w["state_rate"][: self.internal],
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

    def linearise(self, step: float = STEP, speed_step: float = STEP) -> Linearisation:
        """All derivatives at the reference."""
        k, f = len(self.coordinates), len(self.carriers)
        x = np.concatenate([self.c0, self.u0, self.s0])
        scale = np.ones(x.size)
        scale[:k] = self.reach[:k]
        scale[k : k + f] = np.maximum(self.reach[:f], np.abs(self.u0))
        scale[k + f :] = np.maximum(1.0, np.abs(self.s0))

        def at(point: np.ndarray, inputs: np.ndarray | None = None) -> np.ndarray:
            return self.rates(point[:k], point[k : k + f], point[k + f :], inputs)

        start = at(x)
        scale[:k] *= step
        scale[k : k + f] *= speed_step
        scale[k + f :] *= step
        a = np.column_stack([_difference(at, x, i, scale[i]) for i in range(x.size)])
        b = np.zeros((x.size, len(self.inputs)))
        for i in range(len(self.inputs)):
            b[:, i] = _difference(lambda inputs: at(x, inputs), self.w0, i, step * max(1.0, abs(self.w0[i])))
            self.workspace["inputs"][self.inputs[i][1]] = self.w0[i]
        self._check_left_out(at, x, start)
        mass = self.reduced_mass()
        states = tuple(f"{part}.{name}" for part, name, _ in self.model.state_names)
        speeds = tuple(f"{c.name}_rate" for c in self.carriers)
        names = tuple(c.name for c in self.coordinates)
        found = Linearisation(
            names, speeds, states, tuple(n for n, _ in self.inputs), a, b, mass, start, x, tuple(self.notes)
        )
        if found.unsteadiness > 1e-6 * max(1.0, float(np.abs(x).max(initial=0.0))):
            note = f"not a steady motion (speeds change by up to {found.unsteadiness:.3g} per second): the eigenvalues"
            found = Linearisation(*_fields(found), notes=(*self.notes, note + " describe this instant only"))
        return found

    def _check_left_out(self, at: Any, x: np.ndarray, start: np.ndarray) -> None:
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
        found = np.zeros(matrix.shape[1])
        # Rows in one scale: the rank decision must not depend on units.
        size = np.linalg.norm(matrix, axis=1)
        kept = size > 0.0
        scaled = matrix[kept][:, self.live] / size[kept, None]
        found[self.live] = np.linalg.lstsq(scaled, right[kept] / size[kept], rcond=1e-11)[0]
        return found

    def _shift(self, weighed: np.ndarray) -> None:
        """Move the pose by a displacement in weighed components."""
        pose, change = self.workspace["pose"], self._velocity(weighed)
        for slot in range(self.model.body_count):
            kind = self.model.bodies[slot + 1]["kind"]
            if kind in (BODY_PLANAR, BODY_PSEUDO_RIGID):
                pose[slot, : change.shape[1]] += change[slot]
            else:
                pose[slot, :3] += change[slot, :3]
                pose[slot, 3:7] = turn_quaternion(*pose[slot, 3:7], *change[slot, 3:6])


def _fields(item: Linearisation) -> tuple[Any, ...]:
    return tuple(getattr(item, name) for name in list(Linearisation.__dataclass_fields__)[:-1])


def _difference(function: Any, x: np.ndarray, i: int, h: float) -> np.ndarray:
    """Derivative with respect to component i by the central difference of order fourteen."""
    total: Any = 0.0
    point = x.copy()
    for k, weight in enumerate(STENCIL, start=1):
        point[i] = x[i] + k * h
        plus = function(point)
        point[i] = x[i] - k * h
        total = total + weight * (plus - function(point))
    return total / h


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
