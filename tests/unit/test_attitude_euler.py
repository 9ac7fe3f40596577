"""Euler angles of every sequence: there and back, rates, singularity; frames of land and sea."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from centrode.errors import InputError
from centrode.math.euler import SEQUENCES, euler_from_matrix, euler_rates, matrix_from_euler, sequence_axes
from centrode.math.frames import FLIP, world_of
from centrode.math.rotation import matrix_from_quaternion
from centrode.studies.attitude.comparison import AttitudeCase, compare_attitudes

angle = st.floats(-3.1, 3.1)


@given(st.sampled_from(SEQUENCES), angle, st.floats(0.02, 1.0), angle)
def test_angles_of_every_sequence_come_back(sequence, a, part, c):
    b = part * (3.1 if sequence[0] == sequence[2] else 1.55)
    rotation = matrix_from_euler((a, b, c), sequence)
    assert np.allclose(rotation @ rotation.T, np.eye(3), atol=1e-14)
    # Angles lose digits as 1/det near the singularity.
    near = math.sin(b) if sequence[0] == sequence[2] else math.cos(b)
    assert np.allclose(euler_from_matrix(rotation, sequence), (a, b, c), atol=1e-13 / near)


@given(st.sampled_from(SEQUENCES), angle, st.floats(0.1, 1.4), angle, st.tuples(angle, angle, angle))
def test_rates_are_those_of_the_matrix(sequence, a, b, c, rates):
    h = 1e-5
    turn = np.array(rates)
    ahead = matrix_from_euler(np.array([a, b, c]) + h * turn, sequence)
    back = matrix_from_euler(np.array([a, b, c]) - h * turn, sequence)
    hat = matrix_from_euler((a, b, c), sequence).T @ (ahead - back) / (2.0 * h)
    rates, determinant = euler_rates(sequence_axes(sequence), b, c, (hat[2, 1], hat[0, 2], hat[1, 0]))
    found = (*rates, determinant)
    # Central difference: h^2 |rate|^3, divided by det >= 0.09.
    assert np.allclose(found[:3], rates, atol=1e-7)
    expected = math.sin(b) if sequence[0] == sequence[2] else math.cos(b)
    assert abs(found[3]) == pytest.approx(abs(expected), rel=1e-12)


def test_the_lectures_matrix_is_yaw_pitch_roll():
    yaw, pitch, roll = 0.4, -0.3, 0.2
    c, s = math.cos, math.sin
    first_column = (c(yaw) * c(pitch), s(yaw) * c(pitch), -s(pitch))
    assert np.allclose(matrix_from_euler((yaw, pitch, roll), "zyx")[:, 0], first_column, atol=1e-15)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_gimbal_lock_is_refused_by_name_or_resolved_on_request(sequence):
    middle = 0.0 if sequence[0] == sequence[2] else 0.5 * math.pi
    rotation = matrix_from_euler((0.3, middle, 0.4), sequence)
    with pytest.raises(InputError, match=f"gimbal lock of the sequence {sequence}"):
        euler_from_matrix(rotation, sequence)
    angles = euler_from_matrix(rotation, sequence, allow_lock=True)
    assert np.allclose(matrix_from_euler(angles, sequence), rotation, atol=1e-7)


def test_unknown_sequence_is_refused_with_all_known_ones():
    with pytest.raises(InputError, match="zyx"):
        sequence_axes("zzx")


FLIP_QUATERNION = np.array([1.0, 1.0, -1.0, -1.0])


@given(st.lists(st.floats(-1.0, 1.0), min_size=4, max_size=4), st.lists(st.floats(-5.0, 5.0), min_size=3, max_size=3))
def test_conversions_between_the_frames_agree_with_each_other(numbers, vector):
    q = np.array(numbers) + np.array([2.0, 0.0, 0.0, 0.0])
    q /= np.linalg.norm(q)
    v = np.array(vector)
    rotation = matrix_from_quaternion(q)
    flipped = np.outer(FLIP, FLIP) * rotation  # (2)
    assert np.allclose(matrix_from_quaternion(q * FLIP_QUATERNION), flipped, atol=1e-14)  # (3)
    # Turning a vector and converting it are exchangeable.
    assert np.allclose(flipped @ (FLIP * v), FLIP * (rotation @ v), atol=1e-13)


def test_heading_changes_its_sign_between_the_frames():
    left = np.array([math.cos(0.2), 0.0, 0.0, math.sin(0.2)])  # 0.4 rad counter-clockwise, z up
    forward = matrix_from_quaternion(left * FLIP_QUATERNION)[:, 0]
    assert math.atan2(forward[1], forward[0]) == pytest.approx(-0.4, abs=1e-15)


def test_world_is_told_by_gravity():
    assert world_of((0.0, 0.0, 9.81)) == "ned"
    assert world_of((0.0, 0.0, -9.81)) == "z-up"
    assert world_of((0.0, 0.0, 0.0)) == ""
    with pytest.raises(InputError, match="not along z"):
        world_of((1.0, 0.0, -9.81))


@pytest.mark.parametrize(
    ("case", "steps", "message"),
    [
        (AttitudeCase(inertia=(1.0, -2.0, 3.0)), (0.1,), "not positive definite"),
        (AttitudeCase(orientation=(2.0, 0.0, 0.0, 0.0)), (0.1,), "far from unit length"),
        (AttitudeCase(duration=-1.0), (0.1,), "must be positive"),
        (AttitudeCase(omega=(1.0, 2.0)), (0.1,), "3 finite numbers"),
        (AttitudeCase(), (0.0,), "above 0"),
    ],
)
def test_bad_cases_are_refused(case, steps, message):
    with pytest.raises(InputError, match=message):
        compare_attitudes(case, steps, measure_cost=False)


def test_unknown_formalism_is_refused_with_the_nearest():
    with pytest.raises(InputError, match="did you mean 'rkmk4'"):
        compare_attitudes(methods=["rkmk5"])
