"""Order and fill of the block factorisation, and the factorisation itself against dense algebra."""

from __future__ import annotations

from typing import get_type_hints

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from centrode.dynamics.block_solver import assemble, factorise, solve
from centrode.dynamics.elimination import plan_elimination
from centrode.jit import Lent, types
from centrode.parts.tables import Tables


def lent_tables(**given):
    """Tables with nothing in them but what is given, as kernels take them."""
    hints = get_type_hints(Tables, include_extras=True).items()
    kinds = {name: hint.__metadata__[0] for name, hint in hints}
    empty = {
        name: np.zeros((0,) * kind.dimensions) if isinstance(kind, types.Array) else 0 for name, kind in kinds.items()
    }
    return Lent(Tables(**{**empty, **given}))


def chain_sides(count):
    return [(i, i + 1) for i in range(count)]


def test_a_chain_has_no_fill():
    """Joints of a chain: each column but the last has one block below it."""
    plan = plan_elimination(50, list(range(50)), chain_sides(50))
    assert plan.block_count == 50 + 49
    assert len(plan.subblocks) == 49


def test_a_chain_is_eliminated_from_both_ends_in_turn():
    """No joint waits for the one just before it, but for the last two, which meet."""
    plan = plan_elimination(7, list(range(7)), chain_sides(7))
    assert plan.columns[:, 0].tolist() == [0, 6, 1, 5, 2, 4, 3]


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
    right = rng.normal(size=(joints, rows))
    unknown = right.copy()
    lent = lent_tables(
        pairs=plan.pairs, columns=plan.columns, subblocks=plan.subblocks, targets=plan.targets,
        weighted=weighted, blocks=blocks, pivots=pivots, multipliers=unknown,
    )  # fmt: skip
    assemble((0,) * width, (0,) * rows, lent.address)
    for j in range(joints):
        blocks[j] += 10.0 * np.eye(rows)
    dense = np.zeros((joints * rows, bodies * width))
    for j, (a, b) in enumerate(sides):
        for side, body in enumerate((a, b)):
            if body:
                dense[j * rows : (j + 1) * rows, (body - 1) * width : body * width] += weighted[j, side]
    matrix = dense @ dense.T + 10.0 * np.eye(joints * rows)
    smallest = factorise((0,) * rows, lent.address)
    solve((0,) * rows, lent.address)
    # Condition below 100 by the shift: round-off times that.
    assert unknown.ravel() == pytest.approx(np.linalg.solve(matrix, right.ravel()), abs=1e-12)
    assert 0.0 < smallest <= 1.0 + 1e-12
