"""Block-sparse Cholesky factorisation of the Schur complement S = Y Y^T of the joints.

Every exact joint is one block row of S, padded to the same number of rows; joints that share a body give an
off-diagonal block. Elimination order and fill are found once, when the model is built
(:mod:`centrode.dynamics.elimination`), and stored as four integer tables:

``pairs[n]``      block, joint i, side i, joint j, side j: block += Y[i, side i] Y[j, side j]^T
``columns[k]``    joint eliminated at place k, first and end of its sub-blocks
``subblocks[n]``  joint i below the diagonal of the column, block number of (i, k)
``targets[n]``    block number of (i, j) for all pairs i >= j of the column, row by row

A pivot that falls below :data:`PIVOT_FLOOR` of the row's own diagonal is dropped: that row is redundant here and
gets multiplier zero. The floor is relative to each row, so mixed metre and radian rows are harmless, and a row that
is switched off (all zero) drops out by the same rule.
"""

from __future__ import annotations

import math

from centrode.jit import step_kernel
from centrode.math.record import open_sized
from centrode.parts.tables import borrow

PIVOT_FLOOR = 1e-10

SUMS = {"contract", "reassoc", "nsz"}
"""Sums in this room may be reordered, so that they become vector code; the result is still the same on every run."""


@step_kernel(fastmath=SUMS)
def assemble(velocity_token, row_token, tables):
    """S from the weighted rows Y, lower triangle of the diagonal blocks."""
    t = borrow(tables)
    rows, columns = len(row_token), len(velocity_token)
    pairs, blocks = t.pairs, open_sized(t.blocks, (rows, rows))
    weighted = open_sized(t.weighted, (rows, columns))
    for n in range(blocks.shape[0]):
        for r in range(rows):
            for c in range(rows):
                blocks[n, r, c] = 0.0
    for n in range(pairs.shape[0]):
        block = pairs[n, 0]
        i = pairs[n, 1]
        si = pairs[n, 2]
        j = pairs[n, 3]
        sj = pairs[n, 4]
        for r in range(rows):
            for c in range(r + 1 if i == j else rows):  # of a diagonal block the lower triangle is enough
                total = 0.0
                for k in range(columns):
                    total += weighted[i, si, r, k] * weighted[j, sj, c, k]
                blocks[block, r, c] += total


@step_kernel(fastmath=SUMS)
def factorise(row_token, tables):
    """Factor S = L L^T in place; returns the smallest pivot relative to its row's diagonal (1 when no joints)."""
    t = borrow(tables)
    rows = len(row_token)
    columns, subblocks, targets = t.columns, open_sized(t.subblocks, (2,)), t.targets
    blocks, pivots = open_sized(t.blocks, (rows, rows)), open_sized(t.pivots, (rows, 2))
    smallest = 1.0
    target = 0
    for k in range(columns.shape[0]):
        joint = columns[k, 0]
        # Diagonal block; pivots[.., 0] holds the inverse pivot (0 for a dropped row), [.., 1] the diagonal as
        # assembled, which is what a pivot is compared with (updates from earlier columns have lowered it).
        for c in range(rows):
            d = blocks[joint, c, c]
            for m in range(c):
                d -= blocks[joint, c, m] * blocks[joint, c, m]
            reference = pivots[joint, c, 1]
            if d > PIVOT_FLOOR * reference and d > 0.0:
                if d < smallest * reference:
                    smallest = d / reference
                inverse = 1.0 / math.sqrt(d)
            else:
                inverse = 0.0
            pivots[joint, c, 0] = inverse
            for r in range(c + 1, rows):
                e = blocks[joint, r, c]
                for m in range(c):
                    e -= blocks[joint, r, m] * blocks[joint, c, m]
                blocks[joint, r, c] = e * inverse
        first, end = columns[k, 1], columns[k, 2]
        for p in range(first, end):
            block = subblocks[p, 1]
            for r in range(rows):
                for c in range(rows):
                    e = blocks[block, r, c]
                    for m in range(c):
                        e -= blocks[block, r, m] * blocks[joint, c, m]
                    blocks[block, r, c] = e * pivots[joint, c, 0]
        for p in range(first, end):
            left = subblocks[p, 1]
            for q in range(first, p + 1):
                right = subblocks[q, 1]
                goal = targets[target]
                target += 1
                for r in range(rows):
                    for c in range(r + 1 if p == q else rows):
                        e = 0.0
                        for m in range(rows):
                            e += blocks[left, r, m] * blocks[right, c, m]
                        blocks[goal, r, c] -= e
    return smallest


@step_kernel(fastmath=SUMS)
def remember_diagonal(row_token, tables):
    """Keep the assembled diagonal of S, against which :func:`factorise` judges its pivots."""
    t = borrow(tables)
    for k in range(t.columns.shape[0]):
        joint = t.columns[k, 0]
        for r in range(len(row_token)):
            t.pivots[joint, r, 1] = t.blocks[joint, r, r]


@step_kernel(fastmath=SUMS)
def solve(row_token, tables):
    """Solve S x = b in place: the multipliers hold b before and x after."""
    t = borrow(tables)
    rows = len(row_token)
    columns, subblocks, unknown = t.columns, open_sized(t.subblocks, (2,)), open_sized(t.multipliers, (rows,))
    blocks, pivots = open_sized(t.blocks, (rows, rows)), open_sized(t.pivots, (rows, 2))
    count = columns.shape[0]
    for k in range(count):
        joint = columns[k, 0]
        for r in range(rows):
            e = unknown[joint, r]
            for m in range(r):
                e -= blocks[joint, r, m] * unknown[joint, m]
            unknown[joint, r] = e * pivots[joint, r, 0]
        for p in range(columns[k, 1], columns[k, 2]):
            below = subblocks[p, 0]
            block = subblocks[p, 1]
            for r in range(rows):
                e = unknown[below, r]
                for m in range(rows):
                    e -= blocks[block, r, m] * unknown[joint, m]
                unknown[below, r] = e
    for back in range(count):
        k = count - 1 - back
        joint = columns[k, 0]
        for p in range(columns[k, 1], columns[k, 2]):
            below = subblocks[p, 0]
            block = subblocks[p, 1]
            for r in range(rows):
                e = unknown[joint, r]
                for m in range(rows):
                    e -= blocks[block, m, r] * unknown[below, m]
                unknown[joint, r] = e
        for back_row in range(rows):
            r = rows - 1 - back_row
            e = unknown[joint, r]
            for m in range(r + 1, rows):
                e -= blocks[joint, m, r] * unknown[joint, m]
            unknown[joint, r] = e * pivots[joint, r, 0]
