"""Order and fill of the block factorisation, found once when the model is built.

Joints are nodes of a graph, joined when they share a moving body. Greedy minimum degree finds the leaf-to-root order
of trees by itself and keeps loops sparse. The result are the integer tables of
:mod:`centrode.dynamics.block_solver`.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np

from centrode.classes import dataclass


@dataclass(frozen=True)
class EliminationPlan:
    """Integer tables of the block factorisation; ``block_count`` includes the diagonal blocks 0 .. joints-1."""

    pairs: np.ndarray
    columns: np.ndarray
    subblocks: np.ndarray
    targets: np.ndarray
    block_count: int


def plan_elimination(
    joint_count: int, exact: list[int], sides: Sequence[Sequence[int]], points: Sequence[int] = ()
) -> EliminationPlan:
    """Plan the factorisation.

    Args:
        joint_count: number of joints, exact or not; the diagonal block of joint j is block j.
        exact: joints that take part.
        sides: two or three bodies of every joint; body 0 is the ground.
        points: 1 for every joint that joins points (JOINT_POINTS); none of them when left out.
    """
    on_body: dict[int, list[tuple[int, int]]] = {}
    for j in exact:
        for side, body in enumerate(sides[j]):
            if body != 0:
                on_body.setdefault(body, []).append((j, side))
    neighbours: dict[int, set[int]] = {j: set() for j in exact}
    for attached in on_body.values():
        members = [j for j, _ in attached]
        for j in members:
            neighbours[j].update(m for m in members if m != j)
    order, below = _minimum_degree({j: set(n) for j, n in neighbours.items()})
    place = {j: k for k, j in enumerate(order)}

    blocks: dict[tuple[int, int], int] = {(j, j): j for j in exact}
    count = joint_count
    columns: list[tuple[int, ...]] = []
    subblocks: list[tuple[int, int]] = []
    targets: list[int] = []
    for j in order:
        first = len(subblocks)
        for i in sorted(below[j], key=place.__getitem__):
            blocks[i, j] = count
            subblocks.append((i, count))
            count += 1
        columns.append((j, first, len(subblocks)))
    for _, first, end in columns:
        for p in range(first, end):
            for q in range(first, p):
                targets.append(blocks[subblocks[p][0], subblocks[q][0]])

    pairs = []
    for attached in on_body.values():
        for i, side_i in attached:
            for j, side_j in attached:
                if place[i] > place[j] or (i == j and side_i == side_j):
                    both = int(bool(points) and points[i] != 0 and points[j] != 0)
                    pairs.append((blocks[i, j], i, side_i, j, side_j, both))
    pairs.sort()
    return EliminationPlan(
        np.array(pairs, dtype=np.int64).reshape(-1, 6),
        np.array(columns, dtype=np.int64).reshape(-1, 3),
        np.array(subblocks, dtype=np.int64).reshape(-1, 2),
        np.array(targets, dtype=np.int64).reshape(-1),
        max(count, 1),
    )


def _minimum_degree(graph: dict[int, set[int]]) -> tuple[list[int], dict[int, set[int]]]:
    """Greedy minimum-degree order and, per joint, the joints below it in the factor.

    Ties go to the joint whose degree has stood longest. A chain is so eliminated from both ends in turn, a tree level
    by level: neighbours in the order do not wait for each other's pivots, and a processor works on them side by side.
    """
    heap = [(len(n), j, j) for j, n in graph.items()]
    heapq.heapify(heap)
    came = len(heap)  # when a degree was found: counted, as the first are by their joints
    order: list[int] = []
    below: dict[int, set[int]] = {}
    done: set[int] = set()
    while heap:
        degree, _, j = heapq.heappop(heap)
        if j in done or degree != len(graph[j]):
            continue
        done.add(j)
        order.append(j)
        rest = graph[j]
        below[j] = set(rest)
        for i in rest:
            graph[i].discard(j)
            graph[i].update(m for m in rest if m != i)
            heapq.heappush(heap, (len(graph[i]), came, i))
            came += 1
    return order, below
