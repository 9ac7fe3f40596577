"""Linearisation of a constrained system, holonomic or not, about any state of the nonlinear engine.

Independent coordinates c and independent speeds u describe the motions that the joints allow. For given (c, u)

    pose        phi(q) = 0,  c(q) = c                                                                 (1)
    velocity    J v + nu = 0,  c'(q, v) = u                                                           (2)
    rates       a from the engine's equations of motion;  c' and u' = c'' from jets                   (3)

(:mod:`centrode.dynamics.chart`) and the matrices of x' = A x + B w are the derivatives of (3) with respect to c, u, the
internal states of forces and the inputs w, by central differences of order fourteen. With the independent motions V of
(2), v = V u + ..., the reduced mass matrix is M = V^T M V, exact, and about a steady motion

    M u' + C u + K c = B_f w,      C = -M du'/du,   K = -M du'/dc                                     (4)

Why differences: the kernels of the engine are compiled for real numbers. A central difference of order fourteen with a
step of 0.04 has a truncation error of the size (0.04 / r)^14, r the distance to the nearest (complex) singularity of
the motion as a function of a coordinate, and divides the round-off of the engine by no less than the step;
docs/theory/linearisation.md has the measured errors. Each is taken with two steps; by how much they differ is given
with the matrices as their error.

Nonholonomic systems have more coordinates than speeds. Those that the accelerations do not depend on (place, heading,
angle of a wheel) are left out or, where their rates are wanted as speeds, named ``cyclic``; that they have no influence
is checked. Without names the coordinates are displacements along an orthonormal basis of the allowed motions.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from centrode.dynamics.assembly import assemble_start
from centrode.dynamics.chart import Chart
from centrode.dynamics.control import Control
from centrode.dynamics.frames import MEMORIES
from centrode.dynamics.loop import ClosedLoop
from centrode.dynamics.workspace import Workspace

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
SHORTENED = 4.0
SHORTEST = 1e-8
AGREED = 1e-6
"""Where two steps disagree by more than this the longer is cut in four, down to so small a part of the first."""
NOISE = 1e-12
"""Of the rates, relative to the largest or to one: disagreement that no shorter step makes smaller, times the step."""


@dataclass(frozen=True)
class Linearisation:
    """x' = A x + B w about a state.

    Attributes:
        coordinates, speeds, states, inputs: names; x is coordinates, then speeds, then internal states.
        a, b: system and input matrix.
        mass: reduced mass matrix of the speeds, (4).
        rates: x' at the reference; zero when the motion is steady in these coordinates.
        x: the reference itself.
        a_error, b_error: estimate of the error of every entry.
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
    a_error: np.ndarray
    b_error: np.ndarray
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
    def eigenvalue_errors(self) -> np.ndarray:
        """What the errors of A make of the eigenvalues, in their order [1/s]: |y|^T E |x| / |y^T x|, to first order.

        y and x are the eigenvectors from the left and the right; infinite where these are at right angles, at double
        eigenvalues that share an eigenvector.
        """
        values, right = np.linalg.eig(self.a)
        sizes = np.full(values.size, np.inf)
        if np.linalg.cond(right) < 1.0 / np.finfo(float).eps:
            left = np.linalg.inv(right)  # rows, so that y^T x is one
            sizes = np.einsum("ij,jk,ki->i", np.abs(left), self.a_error, np.abs(right))
        return sizes[np.lexsort((values.imag, -values.real))]

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
    controllers: bool = True,
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
        controllers: with the loops of the controllers closed; otherwise their commands are held.

    Steps are shortened where the equations are not smooth within them, and a kink at the state itself is told; both
    stand in the notes.

    Raises:
        InputError: unknown, dependent, missing or influential left-out coordinates.
    """
    workspace, now = _workspace_of(what)
    saved = {name: workspace[name].copy() for name in (*MEMORIES, "row_active", "choice", "inputs")}
    values = workspace.values.copy()
    if state is not None:
        workspace.values[:] = state.values
        arrays = vars(state)
        for name in saved:
            if arrays[name].size:
                workspace[name][:] = arrays[name]
        now = state.time
    try:
        moment = now if time is None else float(time)
        control = vars(what).get("control") if isinstance(vars(what).get("control"), Control) else None
        loop = ClosedLoop(workspace, moment, control) if controllers else None
        chart = Chart(workspace, moment, coordinates, tuple(cyclic), loop)
        return differentiate(chart, step, speed_step)
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


def differentiate(chart: Chart, step: float, speed_step: float) -> Linearisation:
    """All derivatives at the reference of a chart."""
    k, f = len(chart.coordinates), len(chart.carriers)
    x = np.concatenate([chart.c0, chart.u0, chart.s0])
    scale = np.ones(x.size)
    scale[:k] = chart.reach[:k]
    scale[k : k + f] = np.maximum(chart.reach[:f], np.abs(chart.u0))
    scale[k + f :] = np.maximum(1.0, np.abs(chart.s0))

    def at(point: np.ndarray, inputs: np.ndarray | None = None) -> np.ndarray:
        return chart.rates(point[:k], point[k : k + f], point[k + f :], inputs)

    start = at(x)
    scale[:k] *= step
    scale[k : k + f] *= speed_step
    scale[k + f :] *= step
    states = tuple(f"{part}.{name}" for part, name, _ in chart.model.state_names)
    states += () if chart.loop is None else tuple(chart.loop.names)
    speeds = tuple(f"{c.name}_rate" for c in chart.carriers)
    names = tuple(c.name for c in chart.coordinates)
    notes: list[str] = [] if chart.loop is None else [*chart.loop.notes]
    a, a_error = np.zeros((2, x.size, x.size))
    for i, name in enumerate((*names, *speeds, *states)):
        a[:, i], a_error[:, i], told = smooth_difference(at, x, i, scale[i], name)
        notes += told
    b, b_error = np.zeros((2, x.size, len(chart.inputs)))
    for i, (name, _) in enumerate(chart.inputs):
        reach = step * max(1.0, abs(chart.w0[i]))
        b[:, i], b_error[:, i], told = smooth_difference(lambda inputs: at(x, inputs), chart.w0, i, reach, name)
        notes += told
    at(x)
    chart.check_left_out(at, x, start)
    mass = chart.reduced_mass()
    inputs = tuple(name for name, _ in chart.inputs)
    found = Linearisation(names, speeds, states, inputs, a, b, mass, start, x, a_error, b_error)
    if found.unsteadiness > 1e-6 * max(1.0, float(np.abs(x).max(initial=0.0))):
        note = f"not a steady motion (speeds change by up to {found.unsteadiness:.3g} per second): the eigenvalues"
        notes.append(note + " describe this instant only")
    return dataclasses.replace(found, notes=tuple(notes))


def smooth_difference(
    function: Any, x: np.ndarray, i: int, h: float, name: str
) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Derivative with respect to component i with a step in which the function is smooth, its error, and notes.

    Two steps, one four times the other, agree where the function is smooth within both; until they do the longer one is
    given up, and as long as they then agree better. What they differ by is the error: that of the longer one where
    terms are left out, and four times its round-off where nothing else is. A kink at the very point looks the same at
    every step: there the slopes of both sides differ however near.
    """
    first = longer = h
    start = function(x)
    noise = NOISE * max(1.0, float(np.abs(start).max(initial=0.0)))
    found = _difference(function, x, i, h)
    best: tuple[float, np.ndarray, np.ndarray] | None = None
    while True:
        finer = _difference(function, x, i, longer / SHORTENED)
        error, least = np.abs(finer - found), noise * SHORTENED / longer
        worst, last = float(error.max(initial=0.0)), longer <= SHORTEST * first
        if best is not None and worst >= best[0]:
            break
        if last or worst <= AGREED * float(np.abs(finer).max(initial=0.0)) + least:
            h = longer if best is None else h
            best = worst, found, error
        if last or worst <= least:
            break
        found, longer = finer, longer / SHORTENED
    if best is not None:
        _, found, error = best
    notes = []
    if h < first:
        notes.append(
            f"not smooth within {HALF_WIDTH * first:.2g} of the state along '{name}': step shortened to {h:.2g}"
        )
    near = [_side_slopes(function, x, i, h / part, start) for part in (16.0, 256.0)]
    gaps = [float(np.abs(left - right).max()) for left, right in near]
    worst = int(np.argmax(np.abs(near[1][0] - near[1][1])))
    if gaps[1] > 0.5 * gaps[0] and gaps[1] > 1e-3 * float(np.abs(found).max()) + 256.0 * noise / h:
        left, right = near[1][0][worst], near[1][1][worst]
        notes.append(f"a kink at the state along '{name}': slopes {left:.4g} and {right:.4g}, their mean is taken")
    return found, error + np.finfo(float).eps * np.abs(found), notes


def _side_slopes(function: Any, x: np.ndarray, i: int, h: float, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Slopes on both sides of the point."""
    point = x.copy()
    point[i] = x[i] - h
    left = (start - function(point)) / h
    point[i] = x[i] + h
    return left, (function(point) - start) / h


def _difference(function: Any, x: np.ndarray, i: int, h: float) -> np.ndarray:
    """Derivative with respect to component i by the central difference of order fourteen."""
    total: np.ndarray | float = 0.0
    point = x.copy()
    for k, weight in enumerate(STENCIL, start=1):
        point[i] = x[i] + k * h
        plus = function(point)
        point[i] = x[i] - k * h
        total = total + weight * (plus - function(point))
    return np.asarray(total / h)
