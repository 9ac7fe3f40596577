"""Small dense linear algebra for kernels: LU factorisation with partial pivoting, real or complex, in place.

A band may be given: ``below`` is how far entries reach below the diagonal, ``beside`` how far to its right, with room
for what pivots move there, ``below`` more. Without a band both are the size of the matrix.
"""

from __future__ import annotations

from centrode.jit import step_kernel


@step_kernel
def size_of(number):
    """|re| + |im|: as good a measure for pivots as the absolute value, without its root."""
    return abs(number.real) + abs(number.imag)


@step_kernel
def lu_factor(matrix, pivots, below, beside):
    """Factor P A = L U in place; returns False when a pivot is zero."""
    n = matrix.shape[0]
    for k in range(n):
        best = k
        largest = size_of(matrix[k, k])
        low, right = min(n, k + 1 + below), min(n, k + 1 + beside)
        for i in range(k + 1, low):
            size = size_of(matrix[i, k])
            if size > largest:
                largest = size
                best = i
        pivots[k] = best
        if largest == 0.0:
            return False
        if best != k:
            for j in range(0 if below >= n else k, right):
                swap = matrix[k, j]
                matrix[k, j] = matrix[best, j]
                matrix[best, j] = swap
        inverse = 1.0 / matrix[k, k]
        for i in range(k + 1, low):
            factor = matrix[i, k]
            if factor != 0.0:
                factor *= inverse
                matrix[i, k] = factor
                for j in range(k + 1, right):
                    matrix[i, j] -= factor * matrix[k, j]
    return True


@step_kernel
def lu_solve(matrix, pivots, below, beside, vector):
    """Solve with the factors of :func:`lu_factor`, in place, for the first values of a vector that may be longer."""
    n = matrix.shape[0]
    banded = below < n  # then factors stay where they arose, and row swaps fall between them
    for k in range(n):
        p = pivots[k]
        if p != k:
            swap = vector[k]
            vector[k] = vector[p]
            vector[p] = swap
        if banded:
            value = vector[k]
            for i in range(k + 1, min(n, k + 1 + below)):
                vector[i] -= matrix[i, k] * value
    if not banded:
        for i in range(n):
            total = vector[i]
            for j in range(i):
                total -= matrix[i, j] * vector[j]
            vector[i] = total
    for back in range(n):
        i = n - 1 - back
        total = vector[i]
        for j in range(i + 1, min(n, i + 1 + beside)):
            total -= matrix[i, j] * vector[j]
        vector[i] = total / matrix[i, i]
