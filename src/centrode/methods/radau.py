"""radau: Radau IIA of order 5 with error control, for stiff systems, with both projections each step.

Stages Z_i = y_i - y_0 of the collocation equations Z = h (A kron I) F(y_0 + Z), solved by simplified Newton
iterations in the basis in which A^-1 is one real and one complex number, so that each iteration solves one real and
one complex linear system of the size of the state (E. Hairer, G. Wanner, "Solving Ordinary Differential Equations
II", IV.8). The Jacobian is made by differences and kept while the iterations converge quickly. The joints enter as in
all methods: the right-hand side solves for the multipliers, the projections keep the manifold.

Dense algebra: meant for stiff mechanisms of up to some tens of bodies.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from centrode.dynamics.evaluate import BODIES, rates_at
from centrode.dynamics.settle import settle
from centrode.jit import call_with_tables, step_kernel
from centrode.math.dense import lu_factor, lu_solve
from centrode.methods.explicit_kernel import (
    ENOUGH,
    FORCE_MEMORY,
    JOINT_MEMORY,
    keep_memory,
    normalise_quaternions,
    recall_memory,
    write_frame,
)
from centrode.methods.method import (
    EVALUATIONS,
    LARGEST_RESIDUAL,
    LARGEST_STEP,
    LAST_ERROR,
    REJECTED,
    SMALLEST_PIVOT,
    STEPS,
    TIME_OF_SMALLEST_PIVOT,
    Outcome,
    Run,
)

MOST_ITERATIONS = 8
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


_T, _TI, _MU_REAL, _MU_COMPLEX = _transformation()


@step_kernel
def difference_jacobian(evaluate_call, t, values, rates, base, start, jacobian, tables):
    """d rates / d values by one-sided differences; values return to ``start``."""
    n = values.size
    for j in range(n):
        delta = 1.5e-8 * max(1.0, abs(start[j]))
        values[j] = start[j] + delta
        delta = values[j] - start[j]
        rates_at(t, False, evaluate_call, tables)
        for i in range(n):
            jacobian[i, j] = (rates[i] - base[i]) / delta
        values[j] = start[j]


@step_kernel
def factor_systems(h, mu_real, mu_complex, jacobian, real, real_pivots, cplx, cplx_pivots):
    """Factor mu/h I - J for the real and the complex eigenvalue."""
    n = jacobian.shape[0]
    for i in range(n):
        for j in range(n):
            real[i, j] = -jacobian[i, j]
            cplx[i, j] = -jacobian[i, j] + 0.0j
        real[i, i] += mu_real / h
        cplx[i, i] += mu_complex / h
    return lu_factor(real, real_pivots) and lu_factor(cplx, cplx_pivots)


@step_kernel
def guess_stages(h, last_step, c, ti, z, w, old):
    """First guess of the stages: the last step's collocation polynomial, continued (zero after a restart)."""
    n = z.shape[1]
    ratio = h / last_step if last_step > 0.0 else 0.0
    for s in range(3):
        x = 1.0 + c[s] * ratio
        # Lagrange basis on the nodes 0, c1, c2, 1, the first with value zero.
        l1 = x * (x - c[1]) * (x - 1.0) / (c[0] * (c[0] - c[1]) * (c[0] - 1.0))
        l2 = x * (x - c[0]) * (x - 1.0) / (c[1] * (c[1] - c[0]) * (c[1] - 1.0))
        l3 = x * (x - c[0]) * (x - c[1]) / ((1.0 - c[0]) * (1.0 - c[1]))
        for i in range(n):
            z[s, i] = 0.0
            if ratio > 0.0:
                z[s, i] = l1 * old[0, i] + l2 * old[1, i] + (l3 - 1.0) * old[2, i]
    for s in range(3):
        for i in range(n):
            w[s, i] = ti[s, 0] * z[0, i] + ti[s, 1] * z[1, i] + ti[s, 2] * z[2, i]


@step_kernel
def solve_stages(
    evaluate_call, t, h, newton_tolerance, tolerance, c, tm, ti, mu_real, mu_complex,
    values, rates, start, z, w, f, real, real_pivots, cplx, cplx_pivots, right, right_complex, tables,
):  # fmt: skip
    """Simplified Newton for the stages; returns (converged, iterations, rate). z holds the stages, w = T^-1 z."""
    n = values.size
    rate = 0.0
    last = 0.0
    for iteration in range(MOST_ITERATIONS):
        for s in range(3):
            for i in range(n):
                values[i] = start[i] + z[s, i]
            rates_at(t + c[s] * h, False, evaluate_call, tables)
            for i in range(n):
                f[s, i] = rates[i]
        for i in range(n):
            if not math.isfinite(f[0, i] + f[1, i] + f[2, i]):
                return False, iteration, 1.0
            right[i] = ti[0, 0] * f[0, i] + ti[0, 1] * f[1, i] + ti[0, 2] * f[2, i] - mu_real / h * w[0, i]
            re = ti[1, 0] * f[0, i] + ti[1, 1] * f[1, i] + ti[1, 2] * f[2, i]
            im = ti[2, 0] * f[0, i] + ti[2, 1] * f[1, i] + ti[2, 2] * f[2, i]
            right_complex[i] = complex(re, -im) - mu_complex / h * complex(w[1, i], -w[2, i])
        lu_solve(real, real_pivots, right)
        lu_solve(cplx, cplx_pivots, right_complex)
        total = 0.0
        for i in range(n):
            d0 = right[i]
            d1 = right_complex[i].real
            d2 = -right_complex[i].imag
            w[0, i] += d0
            w[1, i] += d1
            w[2, i] += d2
            scale = tolerance * (1.0 + abs(start[i]))
            total += (d0 * d0 + d1 * d1 + d2 * d2) / (scale * scale)
        norm = math.sqrt(total / (3 * n))
        for i in range(n):
            for s in range(3):
                z[s, i] = tm[s, 0] * w[0, i] + tm[s, 1] * w[1, i] + tm[s, 2] * w[2, i]
        if norm < 0.1 * newton_tolerance:  # below it a rate says nothing: noise of a search, or round-off
            return True, iteration + 1, rate
        if iteration > 0:
            rate = norm / last if last > 0.0 else 0.0
            if rate >= 1.0:
                return False, iteration + 1, rate
            if rate ** (MOST_ITERATIONS - iteration) / (1.0 - rate) * norm > newton_tolerance and rate > 0.9:
                return False, iteration + 1, rate
        if norm == 0.0 or (iteration > 0 and rate / (1.0 - rate) * norm < newton_tolerance):
            return True, iteration + 1, rate
        last = norm
    return False, MOST_ITERATIONS, rate


@step_kernel
def run_radau(
    evaluate_call, project_call, c, tm, ti, e, mu_real, mu_complex, project_first, t, step, tolerance,
    frame_times, next_frame, frames, counters, values, rates, pose, exact_joint_count, kept_memory,
    start, base, z, w, old, f, right, right_complex, jacobian, real, real_pivots, cplx, cplx_pivots, tables,
):  # fmt: skip
    """Advance to the last frame time; returns (time, step, next frame, outcome)."""
    n = values.size
    residual = 0.0
    pivot = rates_at(t, project_first, evaluate_call, tables)
    newton_tolerance = max(1e-4, min(0.03, math.sqrt(tolerance)))
    fresh_jacobian = False
    have_jacobian = False
    factored_step = 0.0
    rejections = 0
    last_step = 0.0
    while next_frame < frame_times.size:
        if t >= frame_times[next_frame]:
            write_frame(frames[next_frame], t, values, rates, residual, pivot, tables)
            next_frame += 1
            continue
        remaining = frame_times[next_frame] - t
        if counters[LARGEST_STEP] > 0.0:
            step = min(step, counters[LARGEST_STEP])
        h = step
        landing = h >= remaining * (1.0 - 1e-12)
        if landing:
            h = remaining
        elif 2.0 * h > remaining:
            h = 0.5 * remaining
        for i in range(n):
            start[i] = values[i]
            base[i] = rates[i]
        keep_memory(tables[JOINT_MEMORY], tables[FORCE_MEMORY], kept_memory)
        if not have_jacobian:
            difference_jacobian(evaluate_call, t, values, rates, base, start, jacobian, tables)
            counters[EVALUATIONS] += n
            have_jacobian = True
            fresh_jacobian = True
            factored_step = 0.0
        if factored_step != h:
            if not factor_systems(h, mu_real, mu_complex, jacobian, real, real_pivots, cplx, cplx_pivots):
                step = 0.5 * h
                factored_step = 0.0
                continue
            factored_step = h
        guess_stages(h, last_step, c, ti, z, w, old)
        converged, iterations, rate = solve_stages(
            evaluate_call, t, h, newton_tolerance, tolerance, c, tm, ti, mu_real, mu_complex,
            values, rates, start, z, w, f, real, real_pivots, cplx, cplx_pivots, right, right_complex, tables,
        )  # fmt: skip
        counters[EVALUATIONS] += 3 * iterations
        if not converged:
            for i in range(n):
                values[i] = start[i]
                rates[i] = base[i]
            recall_memory(tables[JOINT_MEMORY], tables[FORCE_MEMORY], kept_memory)
            counters[REJECTED] += 1
            rejections += 1
            if fresh_jacobian:
                step = 0.5 * h
            else:
                have_jacobian = False
            if step < 1e-14 * max(1.0, abs(t)) or rejections > 60:
                return t, step, next_frame, 3
            continue
        # Error estimate of Hairer and Wanner, filtered by the real system.
        for i in range(n):
            right[i] = base[i] + (e[0] * z[0, i] + e[1] * z[1, i] + e[2] * z[2, i]) / h
        lu_solve(real, real_pivots, right)
        total = 0.0
        for i in range(n):
            values[i] = start[i] + z[2, i]
            scale = tolerance * (1.0 + max(abs(start[i]), abs(values[i])))
            total += (right[i] / scale) ** 2
        ratio = math.sqrt(total / n)
        if ratio > 1.0 and rejections > 0 or ratio > 1.0 and counters[STEPS] == 0:
            for i in range(n):
                values[i] = start[i] + right[i]
            rates_at(t, False, evaluate_call, tables)
            for i in range(n):
                right[i] = rates[i] + (e[0] * z[0, i] + e[1] * z[1, i] + e[2] * z[2, i]) / h
                values[i] = start[i] + z[2, i]
            lu_solve(real, real_pivots, right)
            total = 0.0
            for i in range(n):
                scale = tolerance * (1.0 + max(abs(start[i]), abs(values[i])))
                total += (right[i] / scale) ** 2
            ratio = math.sqrt(total / n)
        safety = 0.9 * (2 * MOST_ITERATIONS + 1) / (2 * MOST_ITERATIONS + iterations)
        if not (ratio <= 1.0):
            for i in range(n):
                values[i] = start[i]
                rates[i] = base[i]
            recall_memory(tables[JOINT_MEMORY], tables[FORCE_MEMORY], kept_memory)
            counters[REJECTED] += 1
            rejections += 1
            step = h * max(0.2, safety * ratio**-0.25) if math.isfinite(ratio) else 0.2 * h
            if step < 1e-14 * max(1.0, abs(t)) or rejections > 60:
                return t, step, next_frame, 2
            continue
        ratio = max(ratio, 1e-6)
        factor = min(8.0, max(0.2, safety * ratio**-0.25))
        counters[LAST_ERROR] = ratio
        if rejections > 0:
            factor = min(factor, 1.0)
        if factor > 1.0 and factor < 1.2 and not landing:
            factor = 1.0  # keep the factors
        proposal = h * factor
        step = max(step, proposal) if landing and proposal < step and factor >= 1.0 else proposal
        rejections = 0
        last_step = h
        for s in range(3):
            for i in range(n):
                old[s, i] = z[s, i]
        t = frame_times[next_frame] if landing else t + h
        # Rows and factor at the new pose, then both projections.
        if exact_joint_count > 0:
            rates_at(t, False, evaluate_call, tables)
            residual = call_with_tables(project_call, (t, 2, ENOUGH), tables)
            if not residual < 1e6:
                return t, step, next_frame, 5
            if residual > counters[LARGEST_RESIDUAL]:
                counters[LARGEST_RESIDUAL] = residual
        normalise_quaternions(tables[BODIES], pose)
        pivot = rates_at(t, True, evaluate_call, tables)
        counters[EVALUATIONS] += 2
        counters[STEPS] += 1
        if pivot < counters[SMALLEST_PIVOT]:
            counters[SMALLEST_PIVOT] = pivot
            counters[TIME_OF_SMALLEST_PIVOT] = t
        fresh_jacobian = False
        if iterations > 4:
            have_jacobian = False
        if settle(t, tables) != 0:
            return t, step, next_frame, 6
    return t, step, next_frame, 0


@dataclass(frozen=True)
class RadauMethod:
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

    def advance(self, run: Run) -> Outcome:
        """Advance to the last frame time."""
        w = run.workspace
        n = w.values.size
        if "radau" not in run.options:
            run.options["memory"] = np.zeros(w["joint_memory"].size + w["force_memory"].size)
            run.options["radau"] = (
                np.zeros(n),
                np.zeros(n),
                np.zeros((3, n)),
                np.zeros((3, n)),
                np.zeros((3, n)),
                np.zeros((3, n)),
                np.zeros(n),
                np.zeros(n, dtype=complex),
                np.zeros((n, n)),
                np.zeros((n, n)),
                np.zeros(n, dtype=np.int64),
                np.zeros((n, n), dtype=complex),
                np.zeros(n, dtype=np.int64),
            )
        run.time, run.step, run.next_frame, code = run_radau(
            w.evaluate_call,
            w.project_call,
            _C,
            _T,
            _TI,
            _E,
            _MU_REAL,
            _MU_COMPLEX,
            run.fresh,
            run.time,
            run.step,
            run.tolerance,
            run.frame_times,
            run.next_frame,
            run.frames,
            run.counters,
            w.values,
            w.rates,
            w["pose"],
            w.model.exact_joints.size,
            run.options["memory"],
            *run.options["radau"],
            w.tables,
        )
        run.fresh = False
        return Outcome(code)


METHODS = (RadauMethod(),)
