"""Coded frames of the viewer: what comes back differs by half a step at most, whatever goes in."""

from __future__ import annotations

import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from centrode.view import frames


def restore_quaternions(reduced: np.ndarray) -> np.ndarray:
    """Unit quaternions from ``reduce_quaternions``, up to sign."""
    three = reduced[:, :3]
    last = np.sqrt(np.maximum(0.0, 1.0 - np.sum(three * three, axis=1)))
    out = np.empty((len(three), 4))
    for row, values, other, index in zip(out, three, last, np.rint(reduced[:, 3]).astype(int), strict=True):
        row[:] = np.insert(values, index, other)
    return out


finite = st.floats(-1e9, 1e9, allow_nan=False, width=64)


@given(arrays(float, array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12), elements=finite), st.data())
def test_decoded_columns_differ_by_half_a_step(values, data):
    steps = np.array([data.draw(st.floats(1e-6, 1e3)) for _ in range(values.shape[1])])
    block = frames.encode(values, steps)
    back = frames.decode(block, len(values))
    used = np.array(block.steps)
    assert np.all(used >= steps * (1 - 1e-12))
    # Half a step by (1), and the rounding of first + step * q in double precision.
    allowed = 0.5 * used * (1 + 1e-9) + 4e-16 * np.abs(values).max(axis=0) * 4
    assert np.all(np.abs(back - values) <= allowed)


@given(arrays(float, (7, 2), elements=st.floats(-1e6, 1e6) | st.just(np.nan) | st.just(np.inf)))
def test_values_that_are_not_finite_take_the_place_of_their_predecessor(values):
    filled = frames.held(values)
    assert np.all(np.isfinite(filled))
    good = np.isfinite(values)
    assert np.array_equal(filled[good], values[good])
    for k in range(2):
        last = 0.0
        for i in range(7):
            last = values[i, k] if good[i, k] else last
            assert filled[i, k] == last


@given(arrays(float, (9, 4), elements=st.floats(-1, 1)))
def test_orientations_come_back_up_to_sign(values):
    norms = np.linalg.norm(values, axis=1)
    values = np.where((norms < 1e-3)[:, None], np.array([1.0, 0.0, 0.0, 0.0]), values)
    unit = values / np.linalg.norm(values, axis=1, keepdims=True)
    back = restore_quaternions(frames.reduce_quaternions(unit))
    # |q . p| = cos(angle / 2); the square root of a difference near zero costs half the digits.
    assert np.all(np.abs(np.sum(back * unit, axis=1)) > 1 - 1e-12)


def test_a_turning_body_keeps_its_missing_component_and_stays_smooth():
    angle = np.linspace(0.0, 20.0, 4000)
    turn = np.stack([np.cos(angle / 2), 0 * angle, 0 * angle, np.sin(angle / 2)], axis=1)
    reduced = frames.reduce_quaternions(turn)
    assert np.count_nonzero(np.diff(reduced[:, 3])) <= 2 * 20.0 / np.pi + 1


@pytest.mark.parametrize("travel", [0.001, 1.0, 100.0, 5000.0])
def test_steps_of_positions_are_fine_and_never_coarser_than_a_millimetre(travel):
    track = np.stack([np.linspace(0, travel, 50), np.zeros(50), np.zeros(50)], axis=1)
    steps = frames.position_steps(track)
    assert np.all(steps > 0)
    assert steps[0] <= min(1e-3, travel / 65535 * (1 + 1e-12))


def test_smooth_motion_of_a_hundred_bodies_is_small():
    # The goal: 100 bodies x 5,000 frames with the viewer below 3 MB; three columns of position and four of orientation.
    rng = np.random.default_rng(7)
    time = np.linspace(0.0, 50.0, 5000)
    size = 0
    for _ in range(10):
        phase, rate = rng.uniform(0, 6, 3), rng.uniform(0.1, 2.0, 3)
        track = rng.uniform(0.5, 50.0, 3) * np.sin(np.outer(time, rate) + phase) + np.outer(
            time, rng.uniform(-20, 20, 3)
        )
        half = 0.5 * (np.outer(time, rng.uniform(-2, 2, 1)) + 0.2 * np.sin(np.outer(time, rate[:1])))
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        turn = frames.reduce_quaternions(np.hstack([np.cos(half), np.sin(half) * axis]))
        columns = np.hstack([track, turn])
        steps = np.concatenate([frames.position_steps(track), [frames.QUATERNION_STEP] * 3, [1.0]])
        size += len(zlib.compress(frames.encode(columns, steps).data, 9))
    # Ten bodies stand for a hundred; 4/3 is base 64, 0.75 MB the viewer with plots and shapes.
    assert 10 * size * 4 / 3 + 0.75e6 < 3e6
