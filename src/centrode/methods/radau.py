"""radau: Radau IIA of order 5 with error control, for stiff systems, with both projections each step.

Stages Z_i = y_i - y_0 of the collocation equations Z = h (A kron I) F(y_0 + Z), solved by simplified Newton
iterations in the basis in which A^-1 is one real and one complex number, so that each iteration solves one real and
one complex linear system of the size of the state (E. Hairer, G. Wanner, "Solving Ordinary Differential Equations
II", IV.8). The Jacobian is made by differences and kept while the iterations converge quickly. The joints enter as in
all methods: the right-hand side solves for the multipliers, the projections keep the manifold.

Full algebra for bodies that joints hold together or that may touch, up to some tens of them: the poses are eliminated
first (:mod:`centrode.methods.condensed`), so systems are of the size of velocities and internal states. Where only
neighbours act on each other, as along a beam, the systems are bands (:mod:`centrode.methods.coupling`) and cost grows
with the number of bodies. What contacts and the audit sum up beside the motion (impulses, heat, work) acts on nothing
and is left out of the systems: of three boxes on a floor these are 39 values of 120.

Friction that sticks and slips changes faster than any step of it, and other methods are quicker there; after so many
attempts the loop gets a look, so that a run can be interrupted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from centrode.dynamics.bodies import normalise_poses
from centrode.dynamics.evaluate import rates_at
from centrode.dynamics.frames import keep_memory, recall_memory, write_frame
from centrode.jit import step_kernel, types
from centrode.math.dense import lu_factor, lu_solve
from centrode.math.record import record
from centrode.methods.attend import attend
from centrode.methods.condensed import condense, solve_condensed
from centrode.methods.coupling import coupling_of
from centrode.methods.explicit_kernel import APART, ENOUGH, MOST_REJECTIONS, SHORTEST_STEP, next_length
from centrode.methods.method import RUN, Method, Outcome, Run
from centrode.parts.tables import as_records, borrow, call_project

NEAR_SINGULAR = 1e-2
MOST_FORCED = 1e3
"""Near a singular position (pivot below this part of its usual size) stages leave the manifold in the way in which the
system could nearly move, and shorter steps make their error larger: steps with errors up to so many tolerances are
accepted, and counted as forced."""
MOST_ITERATIONS = 8
ATTEMPTS = 256.0
"""Steps, rejected ones too, after which a run that is not at its last frame comes back to be looked at."""
_S6 = math.sqrt(6.0)
_A = np.array(
    [
        [(88 - 7 * _S6) / 360, (296 - 169 * _S6) / 1800, (-2 + 3 * _S6) / 225],
        [(296 + 169 * _S6) / 1800, (88 + 7 * _S6) / 360, (-2 - 3 * _S6) / 225],
        [(16 - _S6) / 36, (16 + _S6) / 36, 1.0 / 9.0],
    ]
)
_C = np.array([(4 - _S6) / 10, (4 + _S6) / 10, 1.0])
_E = np.array([-13 - 7 * _S6, -13 + 7 * _S6, -1.0]) / 3.0


def _transformation() -> tuple[np.ndarray, np.ndarray, float, complex]:
    """T, T^-1 and the eigenvalues of A^-1: columns are the real eigenvector, real and imaginary part of the other."""
    values, vectors = np.linalg.eig(np.linalg.inv(_A))
    real = int(np.argmin(np.abs(values.imag)))
    pair = int(np.argmax(values.imag))
    v = vectors[:, pair] / vectors[2, pair]
    t = np.column_stack([vectors[:, real].real / vectors[2, real].real, v.real, v.imag])
    return t, np.linalg.inv(t), float(values[real].real), complex(values[pair])


class Scheme(NamedTuple):
    """Nodes, transformation, its inverse, weights of the error estimate, eigenvalues of A^-1."""

    c: np.ndarray
    t: np.ndarray
    inverse: np.ndarray
    error: np.ndarray
    real: float
    pair: complex


SCHEME = Scheme(_C, *_transformation()[:2], _E, *_transformation()[2:])


STILL = 1e-2
"""Velocities below this are perturbed as if they were this large [m/s, rad/s]: by 1.5e-10, where round-off of rates
still leaves four digits of a derivative of one."""


class Buffers(NamedTuple):
    """Arrays of a run: start and its rates, stages z, w = T^-1 z and their rates, the linear systems, memory, coupling,
    and where a march was left (:data:`LEFT`).
    """

    start: np.ndarray
    base: np.ndarray
    z: np.ndarray
    w: np.ndarray
    old: np.ndarray
    f: np.ndarray
    right: np.ndarray
    right_complex: np.ndarray
    jacobian: np.ndarray
    real: np.ndarray
    real_pivots: np.ndarray
    complex: np.ndarray
    complex_pivots: np.ndarray
    memory: np.ndarray
    order: np.ndarray
    band: np.ndarray
    source: np.ndarray
    judged: np.ndarray
    iterated: np.ndarray
    left: np.ndarray


LEFT = record(
    ("at_all", "i8"),  # 1: a march was left between two steps
    ("have_jacobian", "i8"),
    ("fresh_jacobian", "i8"),
    ("rejections", "i8"),  # in a row
    ("failure", "i8"),  # outcome when there are too many
    ("factored_step", "f8"),  # for which the systems are factored [s]
    ("last_step", "f8"),  # [s]
)
"""What a march knows between two steps."""

SCHEME_TYPE = types.NamedTuple(
    (types.floats1, types.floats2, types.floats2, types.floats1, types.float64, types.complex128), Scheme
)
BUFFERS = types.NamedTuple(
    (
        *(types.floats1,) * 2,
        *(types.floats2,) * 4,
        types.floats1,
        types.Array(types.complex128, 1),
        *(types.floats2,) * 2,
        types.integers1,
        types.Array(types.complex128, 2),
        types.integers1,
        types.floats1,
        *(types.integers1,) * 2,
        types.integers2,
        *(types.floats1,) * 2,
        types.rows(LEFT),
    ),
    Buffers,
)


@step_kernel
def difference_jacobian(time, y, tables):
    """d rates / d values by one-sided differences; values return to the start.

    Velocities that are nearly zero get short steps: friction changes within its slip speed, which may be 1e-8 m/s,
    and a Jacobian that looks beyond it is too soft by orders, so that Newton's method never converges at rest.
    """
    t = borrow(tables)
    n = t.values.size
    first, end = t.pose.size, t.pose.size + t.velocity.size
    for g in range(y.source.shape[0]):
        for i in range(n):
            j = y.source[g, i]
            if j >= 0:
                least = 1.0 if j < first or j >= end else STILL
                t.values[j] = y.start[j] + 1.5e-8 * max(least, abs(y.start[j]))
        rates_at(time, False, tables)
        for i in range(n):
            j = y.source[g, i]
            if j >= 0:
                y.jacobian[i, j] = (t.rates[i] - y.base[i]) / (t.values[j] - y.start[j])
        for i in range(n):
            t.values[i] = y.start[i]


@step_kernel
def factor_systems(h, scheme, y, tables):
    """Factor mu/h I - J for the real and the complex eigenvalue, of the values that act on others, in their order."""
    inner, below, beside = y.band[0], y.band[1], y.band[2]
    if y.band[4] != 0:
        if not condense(scheme.real / h, y.start, y.jacobian, y.real, y.real_pivots, tables):
            return False
        return condense(scheme.pair / h, y.start, y.jacobian, y.complex, y.complex_pivots, tables)
    for i in range(inner):
        for j in range(max(0, i - below - beside), min(inner, i + 1 + beside)):  # with what pivots left there
            entry = y.jacobian[y.order[i], y.order[j]]
            y.real[i, j] = -entry
            y.complex[i, j] = -entry + 0.0j
        y.real[i, i] += scheme.real / h
        y.complex[i, i] += scheme.pair / h
    if not lu_factor(y.real, y.real_pivots, below, beside):
        return False
    return lu_factor(y.complex, y.complex_pivots, below, beside)


@step_kernel
def solve_system(matrix, pivots, shift, y, right, tables):
    """Solve with one of the factored systems, in place and in their order; sums follow from what acts on them."""
    inner, below, beside = y.band[0], y.band[1], y.band[2]
    if y.band[4] != 0:
        solve_condensed(matrix, pivots, shift, y.start, y.jacobian, right, tables)
    else:
        lu_solve(matrix, pivots, below, beside, right)
    for i in range(inner, y.order.size):
        total = right[i]
        for j in range(inner):
            total += y.jacobian[y.order[i], y.order[j]] * right[j]
        right[i] = total / shift


@step_kernel
def guess_stages(h, last_step, scheme, y):
    """First guess of the stages: the last step's collocation polynomial, continued (zero after a restart)."""
    c, ti = scheme.c, scheme.inverse
    n = y.z.shape[1]
    ratio = h / last_step if last_step > 0.0 else 0.0
    for s in range(3):
        x = 1.0 + c[s] * ratio
        # Lagrange basis on the nodes 0, c1, c2, 1, the first with value zero.
        l1 = x * (x - c[1]) * (x - 1.0) / (c[0] * (c[0] - c[1]) * (c[0] - 1.0))
        l2 = x * (x - c[0]) * (x - 1.0) / (c[1] * (c[1] - c[0]) * (c[1] - 1.0))
        l3 = x * (x - c[0]) * (x - c[1]) / ((1.0 - c[0]) * (1.0 - c[1]))
        for i in range(n):
            y.z[s, i] = 0.0
            if ratio > 0.0:
                y.z[s, i] = l1 * y.old[0, i] + l2 * y.old[1, i] + (l3 - 1.0) * y.old[2, i]
    for s in range(3):
        for i in range(n):
            y.w[s, i] = ti[s, 0] * y.z[0, i] + ti[s, 1] * y.z[1, i] + ti[s, 2] * y.z[2, i]


@step_kernel
def newton_step(h, tolerance, scheme, y, tables):
    """One simplified Newton step from the rates f of the stages: w and z move on. Its size against the tolerance."""
    ti, tm = scheme.inverse, scheme.t
    w, z, f = y.w, y.z, y.f
    n = y.start.size
    for k in range(n):
        i = y.order[k]
        y.right[k] = ti[0, 0] * f[0, i] + ti[0, 1] * f[1, i] + ti[0, 2] * f[2, i] - scheme.real / h * w[0, i]
        re = ti[1, 0] * f[0, i] + ti[1, 1] * f[1, i] + ti[1, 2] * f[2, i]
        im = ti[2, 0] * f[0, i] + ti[2, 1] * f[1, i] + ti[2, 2] * f[2, i]
        y.right_complex[k] = complex(re, -im) - scheme.pair / h * complex(w[1, i], -w[2, i])
    solve_system(y.real, y.real_pivots, scheme.real / h, y, y.right, tables)
    solve_system(y.complex, y.complex_pivots, scheme.pair / h, y, y.right_complex, tables)
    total = 0.0
    for k in range(n):
        i = y.order[k]
        d0, d1, d2 = y.right[k], y.right_complex[k].real, -y.right_complex[k].imag
        w[0, i] += d0
        w[1, i] += d1
        w[2, i] += d2
        scale = tolerance * (1.0 + abs(y.start[i]))
        total += y.iterated[i] * (d0 * d0 + d1 * d1 + d2 * d2) / (scale * scale)
    for i in range(n):
        for s in range(3):
            z[s, i] = tm[s, 0] * w[0, i] + tm[s, 1] * w[1, i] + tm[s, 2] * w[2, i]
    return math.sqrt(total / (3 * y.band[3]))


@step_kernel
def solve_stages(time, h, tolerance, scheme, y, tables):
    """Simplified Newton for the stages; returns (converged, iterations). z holds the stages, w = T^-1 z."""
    t = borrow(tables)
    n = t.values.size
    enough = max(1e-4, min(0.03, math.sqrt(tolerance)))
    last = 0.0
    for iteration in range(MOST_ITERATIONS):
        for s in range(3):
            for i in range(n):
                t.values[i] = y.start[i] + y.z[s, i]
            rates_at(time + scheme.c[s] * h, False, tables)
            for i in range(n):
                y.f[s, i] = t.rates[i]
        for i in range(n):
            if not math.isfinite(y.f[0, i] + y.f[1, i] + y.f[2, i]):
                return False, iteration
        norm = newton_step(h, tolerance, scheme, y, tables)
        if norm < 0.1 * enough:  # below it a rate says nothing: noise of a search, or round-off
            return True, iteration + 1
        rate = 0.0
        if iteration > 0:
            rate = norm / last if last > 0.0 else 0.0
            if rate >= 1.0:
                return False, iteration + 1
            if rate ** (MOST_ITERATIONS - iteration) / (1.0 - rate) * norm > enough and rate > 0.9:
                return False, iteration + 1
        if norm == 0.0 or (iteration > 0 and rate / (1.0 - rate) * norm < enough):
            return True, iteration + 1
        last = norm
    return False, MOST_ITERATIONS


@step_kernel
def estimate_error(h, tolerance, scheme, y, tables):
    """Error of Hairer and Wanner, from the rates in ``right`` and filtered by the real system; values become y_1."""
    t = borrow(tables)
    e, z = scheme.error, y.z
    n = t.values.size
    for k in range(n):
        i = y.order[k]
        y.right[k] += (e[0] * z[0, i] + e[1] * z[1, i] + e[2] * z[2, i]) / h
    solve_system(y.real, y.real_pivots, scheme.real / h, y, y.right, tables)
    total = 0.0
    for k in range(n):
        i = y.order[k]
        t.values[i] = y.start[i] + z[2, i]
        scale = tolerance * (1.0 + max(abs(y.start[i]), abs(t.values[i])))
        total += y.judged[i] * (y.right[k] / scale) ** 2
    return math.sqrt(total / n)


@step_kernel
def error_ratio(h, careful, scheme, y, run, tables):
    """Error estimate relative to the tolerance; after a rejection (``careful``) a large one is filtered once more."""
    t = borrow(tables)
    n = t.values.size
    for k in range(n):
        y.right[k] = y.base[y.order[k]]
    ratio = estimate_error(h, run[0].tolerance, scheme, y, tables)
    if ratio > 1.0 and careful:
        for k in range(n):
            t.values[y.order[k]] = y.start[y.order[k]] + y.right[k]
        rates_at(run[0].time, False, tables)
        for k in range(n):
            y.right[k] = t.rates[y.order[k]]
        ratio = estimate_error(h, run[0].tolerance, scheme, y, tables)
    return ratio


@step_kernel
def reject(y, run, tables):
    """Back to the start of the step; counted."""
    t = borrow(tables)
    for i in range(t.values.size):
        t.values[i] = y.start[i]
        t.rates[i] = y.base[i]
    recall_memory(y.memory, tables)
    run[0].rejected += 1


@step_kernel
def accept(time, y, run, tables):
    """Rows and factor at the new pose, then both projections. Returns the outcome."""
    t = borrow(tables)
    now = run[0]
    now.time = time
    for s in range(3):
        for i in range(t.values.size):
            y.old[s, i] = y.z[s, i]
    if t.exact_joints.shape[0] > 0:
        rates_at(time, False, tables)
        now.residual = call_project(t.project_position, (time, 2, ENOUGH, tables))
        if not now.residual < APART:
            return Outcome.OFF_CONSTRAINTS.value
        now.largest_residual = max(now.largest_residual, now.residual)
    normalise_poses(tables)
    now.pivot = rates_at(time, True, tables)
    now.usual_pivot = max(now.usual_pivot, now.pivot)
    now.evaluations += 2
    now.steps += 1
    if now.pivot < now.smallest_pivot:
        now.smallest_pivot = now.pivot
        now.time_of_smallest_pivot = time
    if attend(run, tables):
        return Outcome.LOOK.value
    return Outcome.FRAMES_DONE.value


@step_kernel(signature=types.int64(SCHEME_TYPE, BUFFERS, types.rows(RUN), types.floats1, types.floats2, types.int64))
def run_radau(scheme, y, run, frame_times, frames, tables):
    """Advance to the last frame time; returns the outcome."""
    t = borrow(tables)
    now = run[0]
    now.residual = 0.0
    now.pivot = rates_at(now.time, now.fresh != 0, tables)
    left = y.left[0]
    if left.at_all == 0:
        left.have_jacobian = 0
        left.rejections = 0
        left.failure = Outcome.STEP_TOO_SMALL.value
        left.factored_step = 0.0
        left.last_step = 0.0
    left.at_all = 0
    attempts = 0
    while now.next_frame < frame_times.size:
        goal = frame_times[now.next_frame]
        if now.time >= goal:
            write_frame(frames[now.next_frame], now.time, now.residual, now.pivot, tables)
            now.next_frame += 1
            continue
        shortest = SHORTEST_STEP * max(1.0, abs(now.time))
        if left.rejections > 0 and (now.step < shortest or left.rejections > MOST_REJECTIONS):
            return left.failure
        attempts += 1
        if attempts > ATTEMPTS:
            left.at_all = 1
            return Outcome.LOOK.value
        h, landing = next_length(goal, run)
        for i in range(t.values.size):
            y.start[i] = t.values[i]
            y.base[i] = t.rates[i]
        keep_memory(y.memory, tables)
        if left.have_jacobian == 0:
            difference_jacobian(now.time, y, tables)
            now.evaluations += y.source.shape[0]
            left.have_jacobian = 1
            left.fresh_jacobian = 1
            left.factored_step = 0.0
        if left.factored_step != h:
            if not factor_systems(h, scheme, y, tables):
                now.step = 0.5 * h
                left.factored_step = 0.0
                left.rejections += 1
                continue
            left.factored_step = h
        guess_stages(h, left.last_step, scheme, y)
        converged, iterations = solve_stages(now.time, h, now.tolerance, scheme, y, tables)
        now.evaluations += 3 * iterations
        if not converged:
            reject(y, run, tables)
            left.rejections += 1
            if left.fresh_jacobian != 0:
                now.step = 0.5 * h
            left.have_jacobian = left.fresh_jacobian
            left.failure = Outcome.NEWTON_FAILED.value
            continue
        ratio = error_ratio(h, left.rejections > 0 or now.steps == 0, scheme, y, run, tables)
        safety = 0.9 * (2 * MOST_ITERATIONS + 1) / (2 * MOST_ITERATIONS + iterations)
        near = now.pivot < NEAR_SINGULAR * now.usual_pivot
        if not (ratio <= 1.0 or (near and ratio < MOST_FORCED)):
            reject(y, run, tables)
            left.rejections += 1
            now.step = h * max(0.2, safety * ratio**-0.25) if math.isfinite(ratio) else 0.2 * h
            left.failure = Outcome.STEP_TOO_SMALL.value
            continue
        if ratio > 1.0:
            now.forced += 1
        ratio = max(ratio, 1e-6)
        factor = 1.0 if ratio > 1.0 else min(8.0, max(0.2, safety * ratio**-0.25))
        now.last_error = ratio
        if left.rejections > 0:
            factor = min(factor, 1.0)
        if factor > 1.0 and factor < 1.2 and not landing:
            factor = 1.0  # keep the factors
        proposal = h * factor
        now.step = max(now.step, proposal) if landing and proposal < now.step and factor >= 1.0 else proposal
        left.rejections = 0
        left.last_step = h
        left.fresh_jacobian = 0
        left.have_jacobian = 1 if iterations <= 4 else 0
        outcome = accept(goal if landing else now.time + h, y, run, tables)
        if outcome != Outcome.FRAMES_DONE.value:
            return outcome
    return Outcome.FRAMES_DONE.value


@dataclass(frozen=True)
class RadauMethod(Method):
    """Implicit collocation of order 5."""

    name: str = "radau"
    order: int = 5
    adaptive: bool = True
    exact_joints: bool = True
    locates_events: bool = False
    summary: str = "Radau IIA of order 5, step by tolerance, for stiff systems of moderate size"
    reference: str = "Hairer, Wanner II, section IV.8"
    keeps: str = "joints to round-off; damps stiff vibration"
    default_step: float = 1e-3

    def prepare(self, run: Run) -> Any:
        w = run.workspace
        n = w.values.size
        coupling = coupling_of(w)
        inner = int(coupling.band[0] - (w["pose"].size if coupling.band[4] else 0))
        return Buffers(
            **{name: np.zeros(n) for name in ("start", "base", "right")},
            **{name: np.zeros((3, n)) for name in ("z", "w", "old", "f")},
            **{name: np.zeros(inner, dtype=np.int64) for name in ("real_pivots", "complex_pivots")},
            right_complex=np.zeros(n, dtype=complex),
            jacobian=np.zeros((n, n)),
            real=np.zeros((inner, inner)),
            complex=np.zeros((inner, inner), dtype=complex),
            memory=np.zeros(w.frames.memory_size),
            **coupling._asdict(),
            left=as_records(np.zeros(1, LEFT)),
        )

    def march(self, run: Run) -> int:
        return int(run_radau(SCHEME, run.buffers, run.record, run.frame_times, run.frames, run.workspace.address))


METHODS = (RadauMethod(),)
