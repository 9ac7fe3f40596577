"""Wheels of a carriage in a real system, one evaluation, against closed forms: suspension, geometry, slips, torques.

All cars here are rigid blocks over a level road (unless one is named), so that every load, force and rate can be
written down. Equation numbers are those of centrode/parts/forces/carriage.py.
"""

import dataclasses
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import centrode as ct
from centrode.dynamics.workspace import Workspace
from centrode.errors import InputError
from centrode.jit import kernel
from centrode.math.rotation import quaternion_from_matrix
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.forces.carriage import Carriage
from centrode.parts.forces.carriage_medusa import slip_of_1999
from centrode.parts.forces.carriage_record import (
    CARRIAGE,
    CARRIAGE_WIDTH,
    ROLLING,
    SPINNING,
    WHEEL,
    WHEEL_WIDTH,
    found_under,
)
from centrode.parts.forces.carriage_torques import GRIP_ANGLE, GRIP_FREQUENCY, GRIP_TIME
from centrode.parts.forces.carriage_wheels import wheel_axes
from centrode.parts.kernel_types import LINK_DATA
from centrode.parts.part import quantity
from centrode.parts.roads.plane import RoadPlane
from centrode.parts.suspensions.contract import SUSPENSION_SIGNATURE, Suspension
from centrode.parts.suspensions.strut import SuspensionStrut
from centrode.parts.suspensions.table import SuspensionTable
from centrode.parts.tyres.contract import TYRE_SIGNATURE, Tyre
from centrode.parts.tyres.linear import TyreLinear
from centrode.system.model import build_model
from centrode.view.appearance import AppearanceScene

MASS, INERTIA, G = 1000.0, (300.0, 1500.0, 1700.0), 9.81
A, B, T = 1.1, 1.4, 1.5  # centre of mass to front and rear axle, track
PLACES = ((A, T / 2, 0.0), (A, -T / 2, 0.0), (-B, T / 2, 0.0), (-B, -T / 2, 0.0))
CORNERING, DRIVING, CAMBER = 50e3, 80e3, 3e3
REST = 0.4
STRUT = SuspensionStrut("suspension", 4e4, 1500.0, 2e5, 0.1, rest_length=REST)
TABLE = SuspensionTable(
    "suspension", compression=(0.0, 0.1, 0.2), force=(0.0, 4000.0, 10000.0), damping=900.0, rest_length=REST
)
LINEAR = TyreLinear("tyre", CORNERING, DRIVING, CAMBER, friction=10.0)
number = st.floats(-50.0, 50.0)


def rolled(angle):
    c, s = math.cos(angle), math.sin(angle)
    return quaternion_from_matrix(np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]))


class Stand:
    """A block on four wheels, evaluated once at a height over the road."""

    def __init__(self, suspension=STRUT, height=0.3, *, tyre=LINEAR, road=None, body=None, states=None, **carriage):
        system = ct.System()
        system.add(road or RoadPlane("road"))
        system.add(tyre)
        system.add(suspension)
        system.add(RigidBody("chassis", MASS, INERTIA, position=(0.0, 0.0, height), **(body or {})))
        system.add(Carriage("wheels", "chassis", "road", "tyre", "suspension", PLACES, **carriage))
        self.system = system
        model = build_model(system)
        workspace = Workspace(model)
        form = ROLLING if carriage.get("wheels") == "rolling" else SPINNING
        for field, value in (states or {}).items():
            workspace["states"].view(form)[field] = value
        workspace.evaluate(0.0)
        self.found = found_under(workspace, model, "wheels")
        self.rate = workspace["state_rate"].view(form)
        self.acceleration = workspace["acceleration"][0].copy()
        pool = int(model.force_link[0, LINK_DATA])
        first = pool + int(workspace["data"][pool : pool + CARRIAGE_WIDTH].view(CARRIAGE)[0].wheels)
        self.wheel = workspace["data"][first : first + WHEEL_WIDTH].view(WHEEL).view(np.recarray)[0].copy()

    @property
    def loads(self):
        return self.found["load"]


def energy_of(*stands):
    """Stored energy at the start of a run [J]."""
    return [ct.simulate(s.system, duration=1e-6, frames=1e-6)["wheels.energy"][0] for s in stands]


# -- suspensions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rate", [-0.2, 0.0, 0.3], ids=["bump", "still", "rebound"])
@pytest.mark.parametrize("height", [0.39, 0.25, 0.12])
def test_strut_is_eq_1_17_and_carries_the_chassis(height, rate):
    stand = Stand(height=height, body={"velocity": (0.0, 0.0, rate)})
    push = max(4e4 * (REST - height) - 1500.0 * rate, 0.0)
    assert stand.loads == pytest.approx([push] * 4, rel=1e-12)
    assert stand.acceleration[:3] == pytest.approx([0.0, 0.0, 4.0 * push / MASS - G], abs=1e-11)
    moment = push * 2.0 * (B - A)  # about y: loads behind the centre of mass push the nose down
    assert stand.acceleration[3:6] == pytest.approx([0.0, moment / INERTIA[1], 0.0], abs=1e-11)


def test_dampers_feel_roll_and_pitch():
    """Rates of the assembly points: w x p, here about x and y."""
    roll, pitch = 0.3, 0.2
    stand = Stand(body={"omega": (roll, pitch, 0.0)})
    rates = np.array([roll * y - pitch * x for x, y, _ in PLACES])
    assert stand.loads == pytest.approx(4e4 * 0.1 - 1500.0 * rates, rel=1e-12)


@pytest.mark.parametrize("height", [0.11, 0.09, 0.05, 0.01])
def test_bump_stop_pushes_with_the_square_of_its_crush(height):
    crush = max(0.1 - height, 0.0)
    assert Stand(height=height).loads == pytest.approx([4e4 * (REST - height) + 2e5 * crush**2 / 0.1] * 4, rel=1e-12)


@pytest.mark.parametrize(
    ("compression", "force"), [(0.05, 2000.0), (0.1, 4000.0), (0.15, 7000.0), (0.2, 10000.0), (0.3, 16000.0)]
)
@pytest.mark.parametrize("rate", [-0.1, 0.1])
def test_table_spring_follows_its_points_and_its_end_slopes(compression, force, rate):
    stand = Stand(TABLE, REST - compression, body={"velocity": (0.0, 0.0, rate)})
    assert stand.loads == pytest.approx([force - 900.0 * rate] * 4, rel=1e-12)


def test_a_wheel_in_the_air_has_no_load_and_no_damper():
    """Beyond the rest length nothing pushes, whatever the rate; a rebound faster than the spring lifts the wheel."""
    for height, rate in ((REST, -1.0), (REST + 0.1, -5.0), (0.3, 4e4 * 0.1 / 1500.0 + 1e-9)):
        stand = Stand(height=height, body={"velocity": (0.0, 0.0, rate)})
        assert list(stand.loads) == [0.0] * 4
        assert stand.acceleration[2] == pytest.approx(-G, abs=1e-12)


@pytest.mark.parametrize("height", [0.02, 0.3, 0.7])
@pytest.mark.parametrize("degrees", [82.0, 100.0, 135.0, 180.0, 240.0])
def test_wheels_of_a_car_on_its_side_or_roof_hang_in_the_air(degrees, height):
    """However near the road they are: struts that point away from it reach nothing."""
    stand = Stand(height=height, body={"orientation": rolled(math.radians(degrees))})
    assert (stand.found["deflection"] >= REST).all()
    assert list(stand.loads) == [0.0] * 4


def test_wheels_on_a_kerb_stand_on_it():
    """Left wheels well beyond its face find the road 0.12 m higher, right ones do not feel it."""
    stand = Stand(height=0.35, road=RoadPlane("road", kerbs=(ct.Kerb(offset=0.2, height=0.12),)))
    assert stand.found["deflection"] == pytest.approx([0.23, 0.35, 0.23, 0.35], rel=1e-12)


def test_energies_are_the_integrals_of_the_forces():
    """Strut c C^2/2, stop k crush^3/(3 l), table: areas of its trapezoids; none for a wheel in the air."""
    stands = [Stand(height=h) for h in (0.25, 0.04)] + [Stand(TABLE, REST - c) for c in (0.05, 0.25)]
    stands.append(Stand(height=0.5))
    strut = [0.5 * 4e4 * (REST - h) ** 2 + 2e5 * max(0.1 - h, 0.0) ** 3 / 0.3 for h in (0.25, 0.04)]
    table = [0.5 * 4e4 * 0.05**2, 200.0 + 0.1 * 7000.0 + 0.05 * 11500.0]
    wanted = [4.0 * value for value in (*strut, *table, 0.0)]
    assert energy_of(*stands) == pytest.approx(wanted, rel=1e-9, abs=1e-12)


def test_anti_roll_bar_pushes_up_the_lower_side_and_stores_its_twist():
    """Rolled by phi the struts, which stand along the chassis, differ by T tan(phi), and their push counts 1 / cos(phi)
    along the normal; front bar 8 kN/m, rear 3 kN/m.
    """
    phi = 0.03
    plain = Stand(body={"orientation": rolled(phi)})
    barred = Stand(body={"orientation": rolled(phi)}, anti_roll=(8e3, 3e3))
    twist = T * math.tan(phi)  # the left side is higher
    change = (barred.loads - plain.loads) * math.cos(phi)
    assert change == pytest.approx([-8e3 * twist, 8e3 * twist, -3e3 * twist, 3e3 * twist], rel=1e-9)
    low, high = energy_of(plain, barred)
    assert high - low == pytest.approx(0.5 * (8e3 + 3e3) * twist**2, rel=1e-6)


@kernel(signature=SUSPENSION_SIGNATURE)
def leaning_law(par, deflection, rate):
    """A linear spring whose carrier has toe and camber."""
    return par[0] * (par[1] - deflection), 0.5 * par[0] * (par[1] - deflection) ** 2, par[2], par[3]


@dataclass(frozen=True)
class Leaning(Suspension):
    """Spring with fixed toe-in and camber."""

    kind: ClassVar[str] = "leaning"
    law: ClassVar = staticmethod(leaning_law)

    toe: float = quantity("rad", "toe-in", 0.0)
    camber: float = quantity("rad", "top outward", 0.0)

    def pack(self):
        """Row: stiffness, rest length, toe, camber."""
        return np.array([4e4, self.rest_length, self.toe, self.camber])


def test_camber_leans_outward_on_both_sides():
    """Camber thrust goes where the top leans: Fy = -C_gamma gamma with gamma to the right, so outward on each side."""
    stand = Stand(Leaning("suspension", rest_length=REST, camber=0.02), body={"velocity": (10.0, 0.0, 0.0)})
    thrust = CAMBER * 0.02
    assert stand.found["force_side"] == pytest.approx([thrust, -thrust, thrust, -thrust], rel=1e-12)


def test_toe_in_turns_the_wheels_to_the_middle():
    """Left wheels head to the right, so the ground slides past them to the left with v sin(toe), (3) at no slip."""
    toe, v = 0.03, 10.0
    for wheels in ("spin", "rolling"):
        suspension = Leaning("suspension", rest_length=REST, toe=toe)
        stand = Stand(suspension, body={"velocity": (v, 0.0, 0.0)}, wheels=wheels)
        side = v * math.sin(toe) / 0.3
        assert stand.rate["side"] == pytest.approx([side, -side, side, -side], rel=1e-12)


def test_bad_parts_name_all_their_faults():
    with pytest.raises(InputError) as caught:
        SuspensionStrut("s", stiffness=-1.0, damping=-1.0, rest_length=0.15).checked()
    assert len(caught.value.faults) == 2
    with pytest.raises(InputError):
        SuspensionTable("s", compression=(0.0, 0.0), force=(0.0, 1.0)).checked()
    with pytest.raises(InputError):
        SuspensionTable("s", compression=(0.0, 0.1), force=(0.0,)).checked()


# -- headings and slips ------------------------------------------------------------------------------------------------


@given(number, number, number, st.floats(-3.2, 3.2), st.floats(-math.pi, math.pi), st.floats(0, 1.5))
def test_wheel_frame_is_orthonormal_and_turns_left(ax, ay, az, steer, around, tilt):
    n = (math.sin(tilt) * math.cos(around), math.sin(tilt) * math.sin(around), math.cos(tilt))
    e, left = (np.array(axis) for axis in wheel_axes((ax, ay, az), n, steer))
    for value, expected in ((e @ e, 1), (left @ left, 1), (e @ left, 0), (e @ n, 0), (left @ n, 0)):
        assert value == pytest.approx(expected, abs=1e-9)
    assert np.cross(e, left) == pytest.approx(np.array(n), abs=1e-9)
    straight = wheel_axes((ax, ay, az), n, 0.0)
    turned = math.atan2(e @ straight[1], e @ straight[0])
    assert math.remainder(turned - steer, 2 * math.pi) == pytest.approx(0.0, abs=1e-9)


@given(number, number, number)
def test_slips_of_1999_are_finite_at_every_speed(ahead, right, rim):
    assert all(math.isfinite(x) for x in slip_of_1999(ahead, right, rim, True))


def test_ackermann_wheels_do_not_slip_in_a_slow_turn():
    """R = L / tan(delta): a car turning about a point on the line of its rear axle slides at no wheel."""
    radius, yaw = 12.0, 0.05
    base = A + B
    stand = Stand(
        body={"velocity": (yaw * radius, yaw * B, 0.0), "omega": (0.0, 0.0, yaw)},
        steer=math.atan(base / radius),
        wheels="rolling",
    )
    assert stand.rate["side"] == pytest.approx([0.0] * 4, abs=1e-13)
    parallel = Stand(body={"velocity": (6.0, 0.0, 0.0)}, steer=0.1, ackermann=False, wheels="rolling")
    side = -6.0 * math.sin(0.1) / 0.3
    assert parallel.rate["side"] == pytest.approx([side, side, 0.0, 0.0], rel=1e-12)


def test_relaxed_slips_follow_the_slide_and_fade_in_the_air():
    """(3) at speed: (slide - |v_x| u) / length; a lifted wheel loses its slip with the way."""
    v, left, spin, side, ahead = 10.0, 0.4, 35.0, 0.02, 0.05
    body = {"velocity": (v, left, 0.0)}
    states = {"side": side, "ahead": ahead, "spin": spin}
    stand = Stand(body=body, states=states, relaxation=(0.3, 0.15))
    assert stand.rate["side"] == pytest.approx([(left - v * side) / 0.3] * 4, rel=1e-12)
    assert stand.rate["ahead"] == pytest.approx([(0.3 * spin - v - v * ahead) / 0.15] * 4, rel=1e-12)
    assert stand.rate["angle"] == pytest.approx([spin] * 4)
    flying = Stand(height=0.6, body=body, states=states, relaxation=(0.3, 0.15))
    assert flying.rate["side"] == pytest.approx([-v * side / 0.3] * 4, rel=1e-12)
    assert flying.rate["ahead"] == pytest.approx([-v * ahead / 0.15] * 4, rel=1e-12)


def test_a_slow_slide_cannot_wind_the_carcass_past_what_friction_holds():
    """(3) on the spot: the linear tyre holds b = 0.9 mu F_z / C; on the circle B the deflection stays.

    Across the law is linear in the angle and the deflection its tangent: u - atan(u) is 1e-4 of u at the 0.02 here."""
    slide, low = 0.05, 2.0
    load, limit = 4e4 * 0.1, 0.9 * 0.3
    tyre = dataclasses.replace(LINEAR, friction=0.3)
    common = {"tyre": tyre, "relaxation": (0.3, 0.15), "low_speed": low, "retardation": (0.0, 0.0)}
    for direction in (0.0, 0.7, 2.0, 4.0):
        left, rim = slide * math.sin(direction), slide * math.cos(direction)
        slack = 2.0 * slide**2 / low**2
        side = (limit * load / CORNERING + slack) * math.sin(direction)
        ahead = (limit * load / DRIVING + slack) * math.cos(direction)
        states = {"side": side, "ahead": ahead, "spin": rim / 0.3}
        stand = Stand(body={"velocity": (0.0, left, 0.0)}, states=states, **common)
        assert np.abs(stand.rate["side"]) * 0.3 == pytest.approx([0.0] * 4, abs=1e-3 * slide)
        assert np.abs(stand.rate["ahead"]) * 0.15 == pytest.approx([0.0] * 4, abs=1e-3 * slide)
        states = {"side": 0.7 * side, "ahead": 0.7 * ahead, "spin": rim / 0.3}
        elastic = Stand(body={"velocity": (0.0, left, 0.0)}, states=states, **common)
        assert elastic.rate["side"] * 0.3 == pytest.approx([left] * 4, rel=1e-9, abs=1e-12)
        assert elastic.rate["ahead"] * 0.15 == pytest.approx([rim] * 4, rel=1e-9, abs=1e-12)


def test_a_deflected_carcass_stores_the_work_of_its_force():
    """C sigma u^2 / 2 of the linear tyre, across and ahead, and no more than friction holds, whatever the slip."""
    (plain,) = energy_of(Stand())
    side, ahead = 0.002, 0.003
    (bent,) = energy_of(Stand(slips=((side, ahead),) * 4, relaxation=(0.3, 0.15)))
    wanted = 4.0 * 0.5 * (CORNERING * 0.3 * side * math.atan(side) + DRIVING * 0.15 * ahead**2)
    assert bent - plain == pytest.approx(wanted, rel=1e-5)
    tyre, load = dataclasses.replace(LINEAR, friction=0.5), 4e4 * 0.1
    (slid,) = energy_of(Stand(tyre=tyre, slips=((0.0, -1.0),) * 4, relaxation=(0.3, 0.15)))
    most = 4.0 * 0.15 * (0.9 * 0.5 * load) ** 2 / (2.0 * DRIVING)
    assert slid - plain == pytest.approx(most, rel=1e-6)


@given(
    st.sampled_from(["side", "ahead"]), st.floats(-1.0, 1.0), st.floats(-1.5, 1.5), st.floats(0.0, 1.0), st.floats(0, 2)
)
@settings(max_examples=40, deadline=None)
def test_road_and_carcass_give_no_power(direction, use, slide, share, onward):
    """(P) of the slip: F . s + W' <= 0 at any deflection that friction holds, slide and length of the carcass.

    W' is taken from the states' own rates. The linear tyre across sees atan u instead of u, which Simpson's rule and
    the difference carry to 1e-5 of the 60 W that 200 N do at 0.3 m/s: 1 mW."""
    load, friction = 4e4 * 0.1, 0.5
    tyre = dataclasses.replace(LINEAR, friction=friction)
    slope = CORNERING if direction == "side" else DRIVING
    bent = use * 0.9 * friction * load / slope
    left, rim = (slide, onward) if direction == "side" else (0.0, onward + slide)
    states = {direction: bent, "share": share, "spin": rim / 0.3}
    stand = Stand(tyre=tyre, body={"velocity": (onward, left, 0.0)}, states=states)
    force = -stand.found["force_side"][0] if direction == "side" else stand.found["force_ahead"][0]
    wheel = stand.wheel
    full, least = (
        (wheel.relax_side, wheel.least_side) if direction == "side" else (wheel.relax_ahead, wheel.least_ahead)
    )

    def stored(dt):
        slip = bent + dt * stand.rate[direction][0]
        length = full - (1.0 - share - dt * stand.rate["share"][0]) * (full - least)
        seen = math.atan(slip) if direction == "side" else slip
        return length * 0.5 * slope * slip * seen

    power = -force * slide + (stored(1e-7) - stored(-1e-7)) / 2e-7
    assert power < 1e-3


# -- tyres, drive and brakes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("friction", [1.0, 0.5])
def test_tyre_forces_at_relaxed_slips(friction):
    """(4) of the linear tyre at speed; on another ground forces for mu are mu times those at slips divided by mu."""
    side, ahead, v = 0.01, 0.02, 10.0
    stand = Stand(
        road=RoadPlane("road", grip=friction),
        body={"velocity": (v, 0.0, 0.0)},
        states={"side": side, "ahead": ahead, "spin": v / 0.3},
    )
    fy = -CORNERING * friction * math.atan(math.tan(math.atan(side)) / friction)
    assert stand.found["force_side"] == pytest.approx([fy] * 4, rel=1e-9)
    assert stand.found["force_ahead"] == pytest.approx([DRIVING * ahead] * 4, rel=1e-9)
    assert stand.acceleration[:2] == pytest.approx([4 * DRIVING * ahead / MASS, 4 * fy / MASS], rel=1e-9)
    assert stand.rate["spin"] == pytest.approx([-0.3 * DRIVING * ahead] * 4, rel=1e-9)  # (5), J = 1


def test_spin_is_energy():
    """J w^2 / 2 of four wheels in the air."""
    stand = Stand(height=0.6, spin_inertia=0.8, speed=9.0)
    assert energy_of(stand) == pytest.approx([4 * 0.5 * 0.8 * 30.0**2], rel=1e-9)


def test_no_friction_no_force():
    stand = Stand(road=RoadPlane("road", friction=0.0), states={"side": 0.1, "ahead": 0.1})
    assert list(stand.found["force_side"]) == list(stand.found["force_ahead"]) == [0.0] * 4


def test_carcass_damps_a_slow_slide_and_no_fast_one():
    """f T v_y / s_y beside the relaxed slip in (4): whole at rest, half at half of low_speed, none beyond."""
    for v in (0.0, 1.0, 2.0, -1.0):
        share = 0.5 * (1.0 + math.cos(0.5 * math.pi * math.hypot(v, 0.05))) if math.hypot(v, 0.05) < 2.0 else 0.0
        stand = Stand(body={"velocity": (v, 0.05, 0.0)}, wheels="rolling", retardation=(0.03, 0.1), low_speed=2.0)
        fy = -CORNERING * math.atan(share * 0.03 * 0.05 / 0.3)
        assert stand.found["force_side"] == pytest.approx([fy] * 4, rel=1e-9, abs=1e-9)


def test_carcass_damps_the_slide_of_a_rim_that_begins_to_turn():
    """f T (R w - v_x) / s_x beside the relaxed slip in (4), at rest."""
    stand = Stand(states={"spin": 1.0}, retardation=(0.1, 0.03), relaxation=(0.3, 0.15), low_speed=2.0)
    share = 0.5 * (1.0 + math.cos(0.5 * math.pi * 0.3))
    assert stand.found["force_ahead"] == pytest.approx([DRIVING * share * 0.03 * 0.3 / 0.15] * 4, rel=1e-12)


@kernel(signature=TYRE_SIGNATURE)
def one_way_law(par, load, slip_angle, slip, camber, speed):
    """Drags in one direction only."""
    return (-600.0, 0.0, 0.0) if speed >= 0.0 else (200.0, 0.0, 0.0)


@dataclass(frozen=True)
class OneWay(Tyre):
    """Tyre that knows only its direction of travel."""

    kind: ClassVar[str] = "one-way"
    law: ClassVar = staticmethod(one_way_law)

    def pack(self):
        """Nothing to pack."""
        return np.zeros(1)


@pytest.mark.parametrize("friction", [1.0, 0.4])
@pytest.mark.parametrize(("v", "share"), [(-3.0, 0.0), (-1.0, 0.5 - 0.25 * math.sqrt(2)), (0.0, 0.5), (3.0, 1.0)])
def test_forward_and_backward_travel_blend_near_standstill(v, share, friction):
    """Share of the forward law (1 + sin(pi v / (2 v_low))) / 2 within low_speed = 2 m/s."""
    road = RoadPlane("road", grip=friction)
    stand = Stand(tyre=OneWay("tyre"), road=road, body={"velocity": (v, 0.0, 0.0)}, low_speed=2.0)
    assert stand.found["force_ahead"] == pytest.approx([friction * (200.0 - 800.0 * share)] * 4, rel=1e-12)


def test_forces_act_on_the_ground_or_at_the_assembly_points():
    """The moment of the side force about x is F_y h, h the height of the centre of mass, or zero."""
    states = {"side": 0.01}
    for point, arm in (("ground", 0.3), ("assembly", 0.0)):
        stand = Stand(force_point=point, body={"velocity": (10.0, 0.0, 0.0)}, states={**states, "spin": 10.0 / 0.3})
        side = -4.0 * CORNERING * math.atan(0.01)
        assert stand.acceleration[3] == pytest.approx(arm * side / INERTIA[0], rel=1e-9, abs=1e-9)


def test_aligning_moment_turns_the_chassis():
    """M_z = -trail F_y at each wheel, a couple: yaw acceleration beside that of the side forces, nothing else."""
    body, states = {"velocity": (10.0, 0.0, 0.0)}, {"side": 0.01, "spin": 10.0 / 0.3}
    plain = Stand(body=body, states=states)
    trailing = Stand(body=body, states=states, tyre=dataclasses.replace(LINEAR, trail=0.04))
    change = trailing.acceleration - plain.acceleration
    moment = 0.04 * 4.0 * CORNERING * math.atan(0.01)
    assert change == pytest.approx([0.0, 0.0, 0.0, 0.0, 0.0, moment / INERTIA[2]], abs=1e-10)


@pytest.mark.parametrize(("driven", "shares"), [("front", (0.5, 0.0)), ("rear", (0.0, 0.5)), ("all", (0.25, 0.25))])
def test_drive_torque_is_shared_and_limited_by_power(driven, shares):
    """(5) without slip: J w' = T; above P / w the power limits."""
    front, rear = shares
    wanted = np.array([front, front, rear, rear])
    slow = Stand(driven=driven, drive=0.5, drive_torque=2000.0, power=50e3, spin_inertia=0.8)
    assert slow.rate["spin"] == pytest.approx(0.5 * 2000.0 * wanted / 0.8, rel=1e-12)
    fast = Stand(height=0.6, driven=driven, drive=-1.0, drive_torque=2000.0, power=50e3, states={"spin": 100.0})
    assert fast.rate["spin"] == pytest.approx(-50e3 / 100.0 * wanted, rel=1e-12)
    far = Stand(height=0.6, driven=driven, drive=3.0, drive_torque=2000.0, power=50e3)
    assert far.rate["spin"] == pytest.approx(2000.0 * wanted, rel=1e-12)  # the pedal ends at 1


def test_brakes_share_slide_and_stick():
    """(6): B against a fast spin, an elastic hold at rest; the grip winds with the spin and not beyond its angle."""
    share = np.array([0.35, 0.35, 0.15, 0.15])
    common = {"height": 0.6, "brake": 0.5, "brake_torque": 4000.0, "brake_front": 0.7}
    assert 2000.0 * share.max() < GRIP_ANGLE * GRIP_FREQUENCY**2  # J = 1: z_0 is the least one
    strong = Stand(states={"grip": 1e-4}, height=0.6, brake=1.0, brake_torque=12e3, brake_front=0.5)
    assert strong.rate["spin"] == pytest.approx([-(GRIP_FREQUENCY**2) * 1e-4] * 4, rel=1e-12)
    for spin in (30.0, -30.0):
        stand = Stand(states={"spin": spin, "grip": math.copysign(GRIP_ANGLE, spin)}, **common)
        assert stand.rate["spin"] == pytest.approx(-math.copysign(2000.0, spin) * share, rel=1e-12)
        assert stand.rate["grip"] == pytest.approx([0.0] * 4, abs=1e-12)
    slow = Stand(states={"spin": 0.3, "grip": 0.25 * GRIP_ANGLE}, **common)
    part = 0.25 + 0.3 * GRIP_TIME / GRIP_ANGLE
    assert slow.rate["spin"] == pytest.approx(-2000.0 * part * share, rel=1e-12)
    assert slow.rate["grip"] == pytest.approx([0.3 * (1.0 - 0.25)] * 4, rel=1e-12)


def test_rolling_resistance_is_a_share_of_the_load():
    load = 4e4 * 0.1
    spinning = Stand(rolling_resistance=0.02, states={"spin": 10.0 / 0.3}, body={"velocity": (10.0, 0.0, 0.0)})
    assert spinning.rate["spin"] == pytest.approx([-0.02 * 0.3 * load] * 4, rel=1e-12)
    for v in (10.0, -10.0):
        plain = Stand(rolling_resistance=0.02, wheels="rolling", body={"velocity": (v, 0.0, 0.0)})
        assert plain.acceleration[0] == pytest.approx(-math.copysign(4 * 0.02 * load, v) / MASS, rel=1e-12)


def test_rolling_wheels_turn_torque_into_force_within_the_ellipse():
    """F_x = T / R; the side force shrinks by sqrt(1 - (F_x / mu F_z)^2); a locked wheel slides against its velocity."""
    load, v, side = 4e4 * 0.1, 10.0, 0.01
    tyre = dataclasses.replace(LINEAR, friction=0.9)
    limit = 0.9 * load
    common = {"tyre": tyre, "wheels": "rolling", "body": {"velocity": (v, 0.0, 0.0)}, "states": {"side": side}}
    stand = Stand(brake=0.3, brake_torque=8000.0, brake_front=0.5, **common)
    fx = -0.3 * 2000.0 / 0.3
    fy = -CORNERING * math.atan(side)
    assert stand.found["force_ahead"] == pytest.approx([fx] * 4, rel=1e-12)
    assert stand.found["force_side"] == pytest.approx([fy * math.sqrt(1 - (fx / limit) ** 2)] * 4, rel=1e-9)
    locked = Stand(brake=1.0, brake_torque=80000.0, **common)
    fx, fy, _ = tyre.forces(load, math.atan(side), -1.0)
    assert math.hypot(fx, fy) == pytest.approx(limit)
    assert locked.found["force_ahead"] == pytest.approx([fx] * 4, rel=1e-9)
    assert locked.found["force_side"] == pytest.approx([fy] * 4, rel=1e-9)


def test_a_carriage_draws_its_wheels_and_suspensions():
    """Wheels hang at the rest length: their lowest point is that far below the assembly point."""
    stand = Stand()
    shapes = stand.system.parts["wheels"].visuals(AppearanceScene(stand.system))
    wheels, coils = shapes[::2], shapes[1::2]
    assert [shape.position for shape in wheels] == [(x, y, pytest.approx(0.3 - REST)) for x, y, _ in PLACES]
    assert [shape.end for shape in coils] == [shape.position for shape in wheels]
    assert [shape.steer_channel for shape in wheels] == ["wheels.steer"] * 2 + [""] * 2
