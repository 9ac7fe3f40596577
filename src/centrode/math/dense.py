"""Small dense linear algebra for kernels: LU factorisation with partial pivoting, real or complex, in place."""

from __future__ import annotations

from centrode.jit import step_kernel


@step_kernel
def lu_factor(matrix, pivots):
    """Factor P A = L U in place; returns False when a pivot is zero."""
    n = matrix.shape[0]
    for k in range(n):
        best = k
        largest = abs(matrix[k, k])
        for i in range(k + 1, n):
            size = abs(matrix[i, k])
            if size > largest:
                largest = size
                best = i
        pivots[k] = best
        if largest == 0.0:
            return False
        if best != k:
            for j in range(n):
                swap = matrix[k, j]
                matrix[k, j] = matrix[best, j]
                matrix[best, j] = swap
        inverse = 1.0 / matrix[k, k]
        for i in range(k + 1, n):
            factor = matrix[i, k]
            if factor != 0.0:
                factor *= inverse
                matrix[i, k] = factor
                for j in range(k + 1, n):
                    matrix[i, j] -= factor * matrix[k, j]
    return True


@step_kernel
def lu_solve(matrix, pivots, vector):
    """Solve with the factors of :func:`lu_factor`, in place."""
    n = matrix.shape[0]
    for k in range(n):
        p = pivots[k]
        if p != k:
            swap = vector[k]
            vector[k] = vector[p]
            vector[p] = swap
    for i in range(n):
        total = vector[i]
        for j in range(i):
            total -= matrix[i, j] * vector[j]
        vector[i] = total
    for back in range(n):
        i = n - 1 - back
        total = vector[i]
        for j in range(i + 1, n):
            total -= matrix[i, j] * vector[j]
        vector[i] = total / matrix[i, i]
