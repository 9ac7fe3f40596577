"""Suspension leaf kernels: eq. (1.17) with its lift rule, energies as integrals of forces, wheel frames and slips."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from centrode.errors import InputError
from centrode.parts.suspensions.strut import (
    SuspensionStrut,
    SuspensionTable,
    anti_roll_energy,
    anti_roll_force,
    bump_stop_energy,
    bump_stop_force,
    spring_energy,
    suspension_force,
    suspension_force_stopped,
    suspension_force_table,
)
from centrode.parts.suspensions.wheel_slip import wheel_heading, wheel_slip, wheel_slip_original, wheel_velocity

number = st.floats(-50.0, 50.0)


def slope(function, x, h=1e-6):
    return (function(x + h) - function(x - h)) / (2 * h)


def test_spring_and_damper_eq_1_17():
    force, lifted = suspension_force(40000.0, 1500.0, 0.15, 0.05, -0.2)
    assert force == pytest.approx(40000 * 0.1 + 1500 * 0.2, rel=1e-15)
    assert not lifted


@given(st.floats(-1.0, 1.0), st.floats(-10.0, 10.0))
def test_road_never_pulls(deflection, rate):
    force, lifted = suspension_force(40000.0, 1500.0, 0.15, deflection, rate)
    raw = -(40000.0 * (deflection - 0.15) + 1500.0 * rate)
    assert (force, lifted) == ((0.0, True) if raw <= 0 else (pytest.approx(raw), False))


@given(st.floats(-0.2, 0.4))
def test_forces_are_minus_the_slope_of_their_energy(deflection):
    """Central difference of a cubic: error h^2/6 * 2 k / length = 1e-8 N here, plus round-off 1e-16 * 1e4 / 1e-6."""
    assert -slope(lambda x: spring_energy(4e4, 0.15, x), deflection) == pytest.approx(
        -4e4 * (deflection - 0.15), abs=1e-4
    )
    assert -slope(lambda x: bump_stop_energy(2e5, 0.08, x), deflection) == pytest.approx(
        bump_stop_force(2e5, 0.08, deflection), abs=1e-4
    )
    left, right = anti_roll_force(1e4, deflection, 0.1)
    assert left + right == 0.0
    assert -slope(lambda x: anti_roll_energy(1e4, x, 0.1), deflection) == pytest.approx(left, abs=1e-4)


def test_anti_roll_bar_pushes_up_the_lower_side():
    left, right = anti_roll_force(1e4, 0.05, 0.10)
    assert left > 0.0 > right


def test_table_spring_follows_its_points_and_its_end_slopes():
    part = SuspensionTable("s", compression=(0.0, 0.1, 0.2), force=(0.0, 4000.0, 10000.0), rest_length=0.2).checked()
    for compression, expected in ((0.05, 2000.0), (0.1, 4000.0), (0.15, 7000.0), (0.3, 16000.0)):
        force, lifted = suspension_force_table(part.table(), 0.0, 0.2, 0.2 - compression, 0.0)
        assert force == pytest.approx(expected, rel=1e-12)
        assert not lifted
    assert suspension_force_table(part.table(), 0.0, 0.2, 0.25, 0.0) == (0.0, True)


def test_bump_stop_adds_to_the_spring():
    plain, _ = suspension_force(4e4, 0.0, 0.15, 0.02, 0.0)
    stopped, _ = suspension_force_stopped(4e4, 0.0, 0.15, 2e5, 0.04, 0.02, 0.0)
    assert stopped - plain == pytest.approx(2e5 * 0.02**2 / 0.04)


def test_bad_parts_name_all_their_faults():
    with pytest.raises(InputError) as caught:
        SuspensionStrut("s", stiffness=-1.0, damping=-1.0, rest_length=0.15).checked()
    assert len(caught.value.faults) == 2
    with pytest.raises(InputError):
        SuspensionTable("s", compression=(0.0, 0.0), force=(0.0, 1.0)).checked()


@given(number, number, number, st.floats(-3.2, 3.2), st.floats(-math.pi, math.pi), st.floats(0, 1.5))
def test_wheel_frame_is_orthonormal_and_turns_left(ax, ay, az, steer, around, tilt):
    n = (math.sin(tilt) * math.cos(around), math.sin(tilt) * math.sin(around), math.cos(tilt))
    frame = np.array(wheel_heading(ax, ay, az, *n, steer))
    e, left = frame[:3], frame[3:]
    for value, expected in ((e @ e, 1), (left @ left, 1), (e @ left, 0), (e @ n, 0), (left @ n, 0)):
        assert value == pytest.approx(expected, abs=1e-9)
    assert np.cross(e, left) == pytest.approx(np.array(n), abs=1e-9)
    straight = np.array(wheel_heading(ax, ay, az, *n, 0.0))
    turned = math.atan2(e @ straight[3:], e @ straight[:3])
    assert math.remainder(turned - steer, 2 * math.pi) == pytest.approx(0.0, abs=1e-9)


@given(number, number, number)
def test_slips_are_finite_at_every_speed_and_zero_when_nothing_slides(ahead, left, rim):
    alpha, slip = wheel_slip(ahead, left, rim, 0.1)
    assert abs(alpha) <= math.pi / 2
    assert math.isfinite(slip)
    assert wheel_slip(ahead, 0.0, ahead, 0.1) == (0.0, 0.0)
    assert all(math.isfinite(x) for x in wheel_slip_original(ahead, left, rim, True))


def test_locked_wheel_opposes_travel_both_ways():
    assert wheel_slip(10.0, 0.0, 0.0, 0.1)[1] == -1.0
    assert wheel_slip(-10.0, 0.0, 0.0, 0.1)[1] == 1.0


def test_low_speed_turn_has_no_slip_where_axles_point_at_the_centre():
    """Check: R = L / tan(delta). A rigid car turning about a point on the rear axle line has no slip angle anywhere
    when each front wheel is steered by atan(L / (R -+ T/2)) (Ackermann)."""
    base, track, radius, yaw_rate = 2.525, 1.4, 12.0, 0.05
    for x, y in ((base, track / 2), (base, -track / 2), (0.0, track / 2), (0.0, -track / 2)):
        steer = math.atan2(x, radius - y)
        velocity = (yaw_rate * (radius - y), yaw_rate * x, 0.0)  # centre at (0, radius), heading +x
        frame = wheel_heading(1.0, 0.0, 0.0, 0.0, 0.0, 1.0, steer)
        ahead, left = wheel_velocity(*velocity, *frame)
        alpha, _ = wheel_slip(ahead, left, ahead, 0.01)
        assert alpha == pytest.approx(0.0, abs=1e-14)
    middle = math.atan2(base, radius)
    assert radius == pytest.approx(base / math.tan(middle), rel=1e-14)
