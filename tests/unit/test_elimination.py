"""Order and fill of the block factorisation, and the factorisation itself against dense algebra."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from centrode.dynamics.block_solver import assemble, factorise, remember_diagonal, solve
from centrode.dynamics.elimination import plan_elimination


def chain_sides(count):
    return [(i, i + 1) for i in range(count)]


def test_a_chain_has_no_fill():
    """Joints of a chain: each column but the last has one block below it."""
    plan = plan_elimination(50, list(range(50)), chain_sides(50))
    assert plan.block_count == 50 + 49
    assert len(plan.subblocks) == 49


def test_a_tree_has_fill_between_siblings_only():
    """Binary tree of 31 joints: parent and two children share a body; eliminated from the leaves nothing else fills."""
    sides = [((i - 1) // 2 + 1 if i else 0, i + 1) for i in range(31)]
    plan = plan_elimination(31, list(range(31)), sides)
    assert len(plan.subblocks) <= 2 * 30


def test_a_hub_is_dense():
    """Twelve arms on one body: every pair of joints shares it."""
    plan = plan_elimination(12, list(range(12)), [(1, i + 2) for i in range(12)])
    assert len(plan.subblocks) == 12 * 11 // 2


def test_compliant_joints_take_no_part():
    plan = plan_elimination(5, [0, 2, 4], chain_sides(5))
    assert sorted(plan.columns[:, 0]) == [0, 2, 4]
    assert len(plan.subblocks) == 0


@st.composite
def graphs(draw):
    """Random linkages: joints between up to seven bodies and the ground."""
    bodies = draw(st.integers(1, 7))
    count = draw(st.integers(1, 10))
    sides = []
    for _ in range(count):
        a = draw(st.integers(0, bodies))
        b = draw(st.integers(0, bodies).filter(lambda x, a=a: x != a))
        sides.append((a, b))
    return bodies, sides, draw(st.integers(0, 2**32 - 1))


@settings(max_examples=60)
@given(graphs())
def test_the_factorisation_solves_what_dense_algebra_solves(graph):
    """S = Y Y^T + shift on the diagonal, so that any graph is positive definite."""
    bodies, sides, seed = graph
    rows, width, joints = 3, 6, len(sides)
    rng = np.random.default_rng(seed)
    weighted = rng.normal(size=(joints, 2, rows, width))
    for j, (a, b) in enumerate(sides):
        for side, body in enumerate((a, b)):
            if body == 0:
                weighted[j, side] = 0.0
    plan = plan_elimination(joints, list(range(joints)), sides)
    blocks = np.zeros((plan.block_count, rows, rows))
    pivots = np.zeros((joints, rows, 2))
    assemble((0,) * width, (0,) * rows, plan.pairs, weighted, blocks)
    for j in range(joints):
        blocks[j] += 10.0 * np.eye(rows)
    dense = np.zeros((joints * rows, bodies * width))
    for j, (a, b) in enumerate(sides):
        for side, body in enumerate((a, b)):
            if body:
                dense[j * rows : (j + 1) * rows, (body - 1) * width : body * width] += weighted[j, side]
    matrix = dense @ dense.T + 10.0 * np.eye(joints * rows)
    right = rng.normal(size=(joints, rows))
    unknown = right.copy()
    remember_diagonal((0,) * rows, plan.columns, blocks, pivots)
    smallest = factorise((0,) * rows, plan.columns, plan.subblocks, plan.targets, blocks, pivots)
    solve((0,) * rows, plan.columns, plan.subblocks, blocks, pivots, unknown)
    # Condition below 100 by the shift: round-off times that.
    assert unknown.ravel() == pytest.approx(np.linalg.solve(matrix, right.ravel()), abs=1e-12)
    assert 0.0 < smallest <= 1.0 + 1e-12
