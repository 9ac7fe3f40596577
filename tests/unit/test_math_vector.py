"""The vector algebra of the kernels against NumPy's, at random."""

import numpy as np
import pytest

from centrode.math import vector as v
from centrode.math.rotation import matrix_from_axis_angle, matrix_from_quaternion

ROUND = 1e-14
"""A few products of numbers of order one: ten roundings of 1e-16 each, with a margin of ten."""


@pytest.fixture
def numbers():
    return np.random.default_rng(5)


def near(got, wanted):
    assert np.abs(np.array(got) - np.asarray(wanted)).max() < ROUND * max(1.0, np.abs(np.asarray(wanted)).max())


def test_vectors(numbers):
    a, b = numbers.normal(size=(2, 3))
    ta, tb = tuple(a), tuple(b)
    near(v.plus(ta, tb), a + b)
    near(v.minus(ta, tb), a - b)
    near(v.times(2.5, ta), 2.5 * a)
    near(v.plus_times(ta, 2.5, tb), a + 2.5 * b)
    near(v.middle(ta, tb), 0.5 * (a + b))
    near(v.each(ta, tb), a * b)
    near(v.dot(ta, tb), a @ b)
    near(v.cross(ta, tb), np.cross(a, b))
    near(v.norm(ta), np.linalg.norm(a))


def test_matrices(numbers):
    m, n = numbers.normal(size=(2, 3, 3))
    x = numbers.normal(size=3)
    tm, tn = tuple(map(tuple, m)), tuple(map(tuple, n))
    near(v.turn(tm, tuple(x)), m @ x)
    near(v.turn_back(tm, tuple(x)), m.T @ x)
    near(v.combined(tm, tuple(x)), x @ m)
    near(v.product(tm, tn), m @ n)
    near(v.transposed(tm), m.T)
    near(v.cofactors(tm), np.linalg.det(m) * np.linalg.inv(m).T)
    near(v.inverse(tm), np.linalg.inv(m))


def test_tables_and_tuples(numbers):
    row = np.zeros(12)
    v.put(row, 1, (1.0, 2.0, 3.0))
    v.add(row, 1, (1.0, 1.0, 1.0))
    assert v.vector(row, 1) == (2.0, 3.0, 4.0)
    m = tuple(map(tuple, numbers.normal(size=(3, 3))))
    v.put_matrix(row, 2, m)
    assert v.matrix(row, 2) == m
    v.put_quaternion(row, 5, (1.0, 2.0, 3.0, 4.0))
    assert v.quaternion(row, 5) == (1.0, 2.0, 3.0, 4.0)


@pytest.mark.parametrize("size", [1e-6, 9e-3, 1.1e-2, 0.7, 3.0])
def test_rotations(numbers, size):
    axis = numbers.normal(size=3)
    axis *= size / np.linalg.norm(axis)
    turn = matrix_from_axis_angle(axis, size)
    near(v.rotation_of(v.exponential(tuple(axis))), turn)
    q = numbers.normal(size=4)
    q = tuple(q / np.linalg.norm(q))
    near(v.rotation_of(q), matrix_from_quaternion(q))
    near(v.rotation_of(v.turned(q, tuple(axis))), matrix_from_quaternion(q) @ turn)
    p = numbers.normal(size=4)
    p = tuple(p / np.linalg.norm(p))
    near(v.rotation_of(v.hamilton(p, q)), matrix_from_quaternion(p) @ matrix_from_quaternion(q))
    w = numbers.normal(size=3)
    near(v.quaternion_rate(q, tuple(w)), 0.5 * np.array(v.hamilton(q, (0.0, *w))))


def test_turning_pulls_a_stretched_quaternion_back():
    q = v.turned((1.001, 0.0, 0.0, 0.0), (0.1, 0.0, 0.0))
    near(np.linalg.norm(q), 1.0)
