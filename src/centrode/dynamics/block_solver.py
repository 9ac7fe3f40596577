"""Block-sparse factorisation L D L^T of the Schur complement S = Y Y^T of the joints.

Every exact joint is one block row of S, padded to the same number of rows; joints that share a body give an
off-diagonal block. Elimination order and fill are found once, when the model is built
(:mod:`centrode.dynamics.elimination`), and stored as four integer tables:

``pairs[n]``      block, joint i, side i, joint j, side j, 1 when both join points:
                  block += Y[i, side i] Y[j, side j]^T
``columns[k]``    joint eliminated at place k, first and end of its sub-blocks
``subblocks[n]``  joint i below the diagonal of the column, block number of (i, k)
``targets[n]``    block number of (i, j) for all pairs i > j of the column, row by row

A pivot that falls below :data:`PIVOT_FLOOR` of the row's own diagonal is dropped: that row is redundant here and
gets multiplier zero. The floor is relative to each row, so mixed metre and radian rows are harmless, and a row that
is switched off (all zero) drops out by the same rule.
"""

from __future__ import annotations

from centrode.jit import step_kernel
from centrode.math.record import local_row, local_table, open_sized
from centrode.parts.tables import borrow

PIVOT_FLOOR = 1e-10

SUMS = {"contract", "reassoc", "nsz"}
"""Sums in this room may be reordered, so that they become vector code; the result is still the same on every run."""


@step_kernel(fastmath=SUMS)
def add_products(left, right, columns, lower, row_token, total):
    """total += left right^T of some columns, of the lower triangle or of all."""
    rows = len(row_token)
    for r in range(rows):
        for c in range(r + 1 if lower else rows):
            for k in range(columns[0], columns[1]):
                total[r, c] += left[r, k] * right[c, k]


@step_kernel(fastmath=SUMS)
def assemble(velocity_token, row_token, tables):
    """S from the weighted rows Y, lower triangle of the diagonal blocks; pivots[.., 1] keeps its diagonal."""
    t = borrow(tables)
    rows, columns = len(row_token), len(velocity_token)
    pairs, blocks, pivots = t.pairs, open_sized(t.blocks, (rows, rows)), open_sized(t.pivots, (rows, 2))
    weighted = open_sized(t.weighted, (rows, columns))
    linear, turning = (2, 3) if columns == 3 else (3, 6)
    total = local_table(row_token, row_token)
    n = 0
    for block in range(blocks.shape[0]):
        for r in range(rows):
            for c in range(rows):
                total[r, c] = 0.0
        while n < pairs.shape[0] and pairs[n, 0] == block:
            left, right = weighted[pairs[n, 1], pairs[n, 2]], weighted[pairs[n, 3], pairs[n, 4]]
            lower = block < pivots.shape[0]  # of a diagonal block the lower triangle is enough
            if pairs[n, 5] != 0:
                for r in range(linear):
                    total[r, r] += left[r, r] * right[r, r]
                if lower:
                    add_products(left, right, (linear, turning), True, row_token, total)
                else:
                    add_products(left, right, (linear, turning), False, row_token, total)
            elif lower:
                add_products(left, right, (0, columns), True, row_token, total)
            else:
                add_products(left, right, (0, columns), False, row_token, total)
            n += 1
        for r in range(rows):
            for c in range(rows):
                blocks[block, r, c] = total[r, c]
        if block < pivots.shape[0]:
            for r in range(rows):
                pivots[block, r, 1] = total[r, r]


@step_kernel(fastmath=SUMS)
def factorise(row_token, tables):
    """Factor S = L D L^T in place; returns the smallest pivot relative to its row's diagonal (1 when no joints).

    L has ones on its diagonal. pivots[.., 0] holds the inverse pivot (0 for a dropped row).
    """
    t = borrow(tables)
    rows = len(row_token)
    columns, subblocks, targets = t.columns, open_sized(t.subblocks, (2,)), t.targets
    blocks, pivots = open_sized(t.blocks, (rows, rows)), open_sized(t.pivots, (rows, 2))
    own, below = local_table(row_token, row_token), local_table(row_token, row_token)
    inverse, pivot = local_row(row_token), local_row(row_token)
    smallest = 1.0
    target = 0
    for k in range(columns.shape[0]):
        joint = columns[k, 0]
        for r in range(rows):
            for c in range(r + 1):
                own[r, c] = blocks[joint, r, c]
        for c in range(rows):
            d = own[c, c]
            reference = pivots[joint, c, 1]
            if d > PIVOT_FLOOR * reference and d > 0.0:
                if d < smallest * reference:
                    smallest = d / reference
                pivot[c] = d
                inverse[c] = 1.0 / d
            else:
                pivot[c] = 0.0
                inverse[c] = 0.0
            for r in range(c + 1, rows):
                factor = own[r, c] * inverse[c]
                for s in range(c + 1, r + 1):
                    own[r, s] -= factor * own[s, c]
            for r in range(c + 1, rows):
                own[r, c] *= inverse[c]
        for c in range(rows):
            pivots[joint, c, 0] = inverse[c]
            for r in range(c + 1, rows):
                blocks[joint, r, c] = own[r, c]
        first, end = columns[k, 1], columns[k, 2]
        # Rows of L below, and what they take off the diagonal blocks.
        for p in range(first, end):
            block = subblocks[p, 1]
            for r in range(rows):
                for c in range(rows):
                    below[r, c] = blocks[block, r, c]
            for c in range(rows):
                for m in range(c):
                    for r in range(rows):
                        below[r, c] -= below[r, m] * own[c, m]
            for r in range(rows):
                for c in range(rows):
                    blocks[block, r, c] = below[r, c] * inverse[c]
            goal = subblocks[p, 0]
            for r in range(rows):
                for c in range(r + 1):
                    e = blocks[goal, r, c]
                    for m in range(rows):
                        e -= below[r, m] * (below[c, m] * inverse[m])
                    blocks[goal, r, c] = e
        # What they take off the blocks of two different joints.
        for p in range(first + 1, end):
            left = subblocks[p, 1]
            for r in range(rows):
                for c in range(rows):
                    below[r, c] = blocks[left, r, c] * pivot[c]
            for q in range(first, p):
                right = subblocks[q, 1]
                goal = targets[target]
                target += 1
                for r in range(rows):
                    for c in range(rows):
                        e = blocks[goal, r, c]
                        for m in range(rows):
                            e -= below[r, m] * blocks[right, c, m]
                        blocks[goal, r, c] = e
    return smallest


@step_kernel(fastmath=SUMS)
def solve(row_token, tables):
    """Solve S x = b in place: the multipliers hold b before and x after."""
    t = borrow(tables)
    rows = len(row_token)
    columns, subblocks, unknown = t.columns, open_sized(t.subblocks, (2,)), open_sized(t.multipliers, (rows,))
    blocks, pivots = open_sized(t.blocks, (rows, rows)), open_sized(t.pivots, (rows, 2))
    count = columns.shape[0]
    x, y = local_row(row_token), local_row(row_token)
    for k in range(count):
        joint = columns[k, 0]
        for r in range(rows):
            x[r] = unknown[joint, r]
        for c in range(rows):
            for r in range(c + 1, rows):
                x[r] -= blocks[joint, r, c] * x[c]
        for p in range(columns[k, 1], columns[k, 2]):
            below, block = subblocks[p, 0], subblocks[p, 1]
            for r in range(rows):
                y[r] = unknown[below, r]
            for m in range(rows):
                for r in range(rows):
                    y[r] -= blocks[block, r, m] * x[m]
            for r in range(rows):
                unknown[below, r] = y[r]
        for r in range(rows):
            unknown[joint, r] = x[r] * pivots[joint, r, 0]
    for back in range(count):
        k = count - 1 - back
        joint = columns[k, 0]
        for r in range(rows):
            x[r] = unknown[joint, r]
        for p in range(columns[k, 1], columns[k, 2]):
            below, block = subblocks[p, 0], subblocks[p, 1]
            for m in range(rows):
                for r in range(rows):
                    x[r] -= blocks[block, m, r] * unknown[below, m]
        for back_row in range(rows):
            c = rows - 1 - back_row
            for r in range(c):
                x[r] -= blocks[joint, c, r] * x[c]
        for r in range(rows):
            unknown[joint, r] = x[r]
