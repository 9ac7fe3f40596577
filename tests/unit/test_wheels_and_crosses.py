"""Single answers about wheels and joints: where a wheel touches a closed road, which wheels lock, commands of the
program of 1999 as numbers and as signals, angles of a universal joint by name."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import centrode as ct
from centrode.dynamics.coordinates import find_coordinate
from centrode.dynamics.workspace import Workspace
from centrode.parts.forces.carriage_medusa import CarriageMedusa
from centrode.parts.forces.carriage_record import CARRIAGE, WHEEL
from centrode.parts.forces.carriage_rolling import lock_share
from centrode.parts.joints.wheel_contact import contact_equations, settle_contact
from centrode.parts.kernel_notes import kernel_handle
from centrode.parts.signals.signal import SignalConstant
from centrode.parts.tables import as_records
from centrode.system.model import build_model

RADIUS, WHEEL_RADIUS = 30.0, 0.4
ROUND = ct.RoadSpline(
    "round",
    points=tuple((RADIUS * math.cos(a), RADIUS * math.sin(a), 0.0) for a in np.arange(24) * math.pi / 12.0),
    closed=True,
    width=10.0,
)


@settings(deadline=None, max_examples=25)
@given(st.floats(0.0, 2.0 * math.pi), st.floats(-2.0, 2.0), st.floats(-0.3, 0.3), st.integers(-2, 3))
def test_a_wheel_on_a_ring_touches_the_same_point_whatever_lap_its_guess_counts(angle, outwards, lean, laps):
    """On level ground the contact lies R below the centre along the wheel's plane, on the side that the wheel leans
    away from: centre + sin(lean) R across. The line of the ring is 24 cubic pieces, off a circle by less than 1e-3 m.
    """
    table = ROUND.shared_table()
    radial = np.array([math.cos(angle), math.sin(angle), 0.0])
    axle = math.cos(lean) * radial + np.array([0.0, 0.0, math.sin(lean)])
    below = np.array([math.sin(lean) * radial[0], math.sin(lean) * radial[1], -math.cos(lean)])
    touch = (RADIUS + outwards) * radial
    centre = touch - WHEEL_RADIUS * below
    length = float(table[0, 3])
    guess = angle / (2.0 * math.pi) * length
    c, e = tuple(map(float, centre)), tuple(map(float, axle))
    s, n, last = settle_contact(table, guess + laps * length, -outwards, c, e, WHEEL_RADIUS)
    first, last_lap = table[1, 0], table[1, 0] + length
    assert first - 0.5 <= s <= last_lap + 0.5  # the guess was brought into the lap, then moved by less than a step
    assert last < 1e-7
    found = contact_equations(table, s, n, c, e, WHEEL_RADIUS)
    assert found.residual == pytest.approx((0.0, 0.0), abs=1e-9)
    assert found.place == pytest.approx(touch, abs=1e-6)


@pytest.mark.parametrize(
    ("case", "share"),
    [
        ({}, 1.0),
        ({"drive": 10.0}, 0.0),  # against a drive a wheel spins on
        ({"load": 0.0}, 0.0),
        ({"friction": 0.0}, 0.0),
        ({"ahead": 2.0}, 0.0),  # fast: the circle of friction says all there is
        ({"ahead": -2.5}, 0.0),
        ({"brake": 0.0}, 0.0),
    ],
    ids=["braked", "driven", "in the air", "on ice", "fast", "fast backwards", "not braked"],
)
def test_which_wheels_lock(case, share):
    carriage, wheel = as_records(np.zeros(1, CARRIAGE))[0], as_records(np.zeros(1, WHEEL))[0]
    carriage.low_speed, wheel.radius, wheel.drive_share = 2.0, 0.3, 1.0
    tyre = ct.TyreLinear("tyre", 5e4, 8e4, 0.0, friction=0.8)
    at = {"friction": 1.0, "load": 3000.0, "ahead": 0.5, "drive": 0.0, "brake": 1e4} | case
    law, commands = int(kernel_handle(tyre, "law")), (0.0, at["drive"], at["brake"])
    motion = at["friction"], at["load"], at["ahead"], abs(at["ahead"])
    assert lock_share(law, tyre.pack(), carriage, wheel, *motion, commands) == share


def medusa(**commands):
    """Accelerations of a block on the wheels of 1999, at the start and after 0.1 s of lag states unchanged."""
    system = ct.System()
    system.add(ct.RoadPlane("road"))
    system.add(ct.TyreCalspan("tyre"))
    system.add(ct.RigidBody("chassis", 1000.0, (300.0, 1500.0, 1700.0), position=(0, 0, 0.3), velocity=(20, 0.3, 0)))
    corners = ((1.2, 0.7, 0.0), (1.2, -0.7, 0.0), (-1.3, 0.7, 0.0), (-1.3, -0.7, 0.0))
    system.add(
        CarriageMedusa("wheels", "chassis", "road", "tyre", corners, (3e4, 3e4), (2e3, 2e3), 0.4, 0.1, **commands)
    )
    workspace = Workspace(build_model(system))
    workspace.evaluate(0.1)
    return workspace["acceleration"][0].copy(), workspace["state_rate"].copy()


@pytest.mark.parametrize("steer", [0.08, SignalConstant(0.08)], ids=["steer", "signal of steer"])
@pytest.mark.parametrize("rim", [22.0, SignalConstant(22.0)], ids=["rim speed", "signal of rim speed"])
def test_commands_of_1999_as_numbers_or_signals(steer, rim):
    numbers, straight = medusa(steer=0.08, rim_speed=22.0), medusa(steer=0.0, rim_speed=22.0)
    found = medusa(steer=steer, rim_speed=rim)
    assert np.array_equal(found[0], numbers[0]) and np.array_equal(found[1], numbers[1])
    assert not np.allclose(numbers[1], straight[1])


@given(st.floats(-3.0, 3.0), st.floats(-1.4, 1.4), st.floats(-2.0, 2.0), st.floats(-2.0, 2.0))
def test_angles_of_a_universal_joint_by_name(p, q, p_rate, q_rate):
    """b = Rx(p) Ry(q) against a, both yokes about their own axes: p, q and their rates come back."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.RigidBody("shaft", 1.0, (1.0, 1.0, 1.0)))
    start = {"angle_a": p, "angle_b": q, "angle_a_rate": p_rate, "angle_b_rate": q_rate}
    system.add(ct.Universal("cross", "ground", "shaft", at=(0, 0, 0), axis=(1, 0, 0), cross_axis=(0, 1, 0), **start))
    model = build_model(system)
    workspace = Workspace(model)
    (turn_p, turn_q) = (math.cos(p / 2), math.sin(p / 2)), (math.cos(q / 2), math.sin(q / 2))
    # Rx(p) Ry(q) as a quaternion, and its angular velocity p' x + Rx(p) q' y in the axes of the shaft.
    quaternion = (turn_p[0] * turn_q[0], turn_p[1] * turn_q[0], turn_p[0] * turn_q[1], turn_p[1] * turn_q[1])
    workspace["pose"][0, 3:7] = quaternion
    workspace["velocity"][0, 3:6] = (math.cos(q) * p_rate, q_rate, math.sin(q) * p_rate)
    for name, angle, rate in (("cross.angle_a", p, p_rate), ("cross.angle_b", q, q_rate)):
        coordinate = find_coordinate(model, name)
        jet = coordinate.jet(workspace)
        assert coordinate.miss(float(jet.v), angle) == pytest.approx(0.0, abs=1e-12)
        assert float(jet.d) == pytest.approx(rate, abs=1e-12)
