"""Bodies with a 6 x 6 mass: what is refused, and the matrix of a plain rigid body."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from centrode.errors import InputError
from centrode.parts.bodies.full_mass import FullMassBody, mass_matrix, rigid_mass_matrix


def test_indefinite_mass_is_refused_and_the_motion_named():
    with pytest.raises(InputError, match=r"not positive definite.*sway"):
        FullMassBody("hull", mass_matrix=(10.0, -2.0, 10.0, 1.0, 5.0, 5.0)).checked()


def test_strong_coupling_that_makes_the_mass_indefinite_is_refused():
    matrix = np.diag([10.0, 10.0, 10.0, 1.0, 5.0, 5.0])
    matrix[1, 5] = matrix[5, 1] = 8.0  # 8^2 > 10 * 5
    with pytest.raises(InputError, match="not positive definite"):
        mass_matrix(matrix, "hull.mass_matrix")


def test_unsymmetric_mass_is_refused_with_the_entries():
    matrix = np.diag([10.0, 10.0, 10.0, 1.0, 5.0, 5.0])
    matrix[1, 5] = 1.0
    with pytest.raises(InputError, match="entries 2,6 and 6,2 differ"):
        mass_matrix(matrix, "hull.mass_matrix")


@pytest.mark.parametrize("value", [(1.0, 2.0), "heavy", [[1.0] * 5] * 6, (1.0, 1.0, 1.0, 1.0, 1.0, float("nan"))])
def test_unreadable_mass_is_refused(value):
    with pytest.raises(InputError):
        FullMassBody("hull", mass_matrix=value).checked()


def test_quaternion_far_from_unit_length_is_refused_and_a_near_one_is_normalised():
    with pytest.raises(InputError, match="far from unit length"):
        FullMassBody("hull", mass_matrix=(1.0,) * 6, orientation=(1.0, 0.2, 0.0, 0.0)).checked()
    with pytest.warns(UserWarning, match="hull.orientation: quaternion of length 1.0004 was normalised"):
        _, rotation = FullMassBody("hull", mass_matrix=(1.0,) * 6, orientation=(1.0004, 0.0, 0.0, 0.0)).pose()
    assert np.array_equal(rotation, np.eye(3))


@given(arrays(float, (6, 6), elements=st.floats(-2.0, 2.0)))
def test_cholesky_factor_of_any_positive_mass_inverts_it(root):
    matrix = root @ root.T + 0.5 * np.eye(6)
    data = np.array(FullMassBody("b", mass_matrix=matrix).row().data)
    stored, inverse = data[:36].reshape(6, 6), data[36:].reshape(6, 6)
    # Condition number below 6 * 24 / 0.5, times round-off.
    assert np.allclose(inverse.T @ inverse @ stored, np.eye(6), atol=1e-11)


def test_rigid_mass_matrix_gives_the_kinetic_energy_of_the_centre_of_mass():
    centre = np.array([0.1, -0.2, 0.3])
    matrix = rigid_mass_matrix(2.0, (1.0, 2.0, 3.0), centre)
    v, w = np.array([0.3, 0.5, -0.7]), np.array([1.1, -0.4, 0.2])
    u = v + np.cross(w, centre)
    direct = 0.5 * (2.0 * u @ u + w @ (np.array([1.0, 2.0, 3.0]) * w))
    twist = np.concatenate([v, w])
    assert 0.5 * twist @ matrix @ twist == pytest.approx(direct, rel=1e-14)
