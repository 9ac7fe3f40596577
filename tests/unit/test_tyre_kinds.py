"""What every tyre keeps: finite everywhere, lifted means nothing, slopes at the origin, friction limit, mirror."""

import math
from pathlib import Path

import numpy as np
import pytest
import tyre_samples as samples
from hypothesis import given, settings
from hypothesis import strategies as st

from centrode.parts.tyres.brush import TyreBrush
from centrode.parts.tyres.calspan import TyreCalspan
from centrode.parts.tyres.contract import slip_on_friction
from centrode.parts.tyres.linear import TyreLinear
from centrode.parts.tyres.magic_formula import TyreMagicFormula
from centrode.parts.tyres.magic_formula_89 import TyreMagicFormula89
from centrode.parts.tyres.slip import (
    angle_of,
    carcass_share,
    circle_state,
    lag_rate,
    relaxed_rate,
    wear_speed,
)

TIR = Path(__file__).parent / "data" / "passenger.tir"
SHIFTS = ("PHX1", "PHX2", "PVX1", "PVX2", "PHY1", "PHY2", "PVY1", "PVY2", "RHX1", "RHY1", "RHY2", "RVY1", "RVY2")
SHIFTS += ("QHZ1", "QHZ2", "QDZ6", "PEY3", "PEX4", "SSZ1", "RBY3")
centred = TyreMagicFormula.from_file(TIR, coefficients=dict.fromkeys(SHIFTS, 0.0))
CALSPAN = TyreCalspan("calspan")
LINEAR = TyreLinear("linear", cornering_stiffness=5e4, driving_stiffness=8e4, camber_stiffness=3e3, trail=0.03)
BRUSH = TyreBrush("brush", cornering_stiffness=6e4, driving_stiffness=9e4, camber_stiffness=2e3, friction=0.9)
MAGIC = TyreMagicFormula.from_file(TIR)
FITTED = {**samples.LONGITUDINAL, **samples.LATERAL, **samples.ALIGNING, "FNOMIN": 4100.0, "UNLOADED_RADIUS": 0.318}
MAGIC_5 = TyreMagicFormula("magic formula 5", coefficients={**FITTED, "FITTYP": 6})
PURE = {name: value for name, value in FITTED.items() if name[0] != "R"}
ELLIPSE = TyreMagicFormula("friction ellipse", coefficients={**PURE, "FITTYP": 6})
OLD = TyreMagicFormula89("magic formula 1989", **TyreMagicFormula89.example)
NEWER = TyreMagicFormula89("magic formula 1994", coefficients=samples.PAC94, year="94")
KINDS = [CALSPAN, TyreCalspan("calspan 1999", original=True), LINEAR, BRUSH, MAGIC, MAGIC_5, ELLIPSE, OLD, NEWER]
SYMMETRIC = [CALSPAN, LINEAR, BRUSH, centred, OLD]
SYMMETRIC_NAMES = ["calspan", "linear", "brush", "magic-formula", "magic-formula-89"]
PAR = {id(tyre): tyre.pack() for tyre in [*KINDS, centred]}

load = st.floats(1.0, 60e3)
angle = st.floats(-math.pi, math.pi)
slip = st.one_of(st.floats(-3, 3), st.floats(-1e300, 1e300), st.sampled_from([-1.0, 0.0, 1.0]))
speed = st.floats(-60, 60)
names = [tyre.name if tyre is not MAGIC else "magic_formula" for tyre in KINDS]


def forces(tyre, *arguments):
    return type(tyre).law(PAR[id(tyre)], *(float(value) for value in arguments))


def peak_friction(tyre, fz):
    """Largest friction coefficient that a kind promises at a load."""
    if isinstance(tyre, TyreCalspan):
        return tyre.friction(fz)
    if isinstance(tyre, TyreMagicFormula89):
        return 1.15  # B2 - |B1| F, per kN
    if isinstance(tyre, TyreMagicFormula):
        return 1.35  # PDX1 + |PDX2| dfz at the lightest load of the range, with shifts
    return tyre.friction


def stiffness(tyre, fz):
    """Origin slopes (C_alpha, C_kappa) in closed form."""
    if isinstance(tyre, TyreCalspan):
        return tyre.cornering_stiffness(fz), tyre.driving_stiffness(fz)
    if isinstance(tyre, TyreMagicFormula89):
        f = fz / 1e3
        per_degree, per_percent = 1800 * math.sin(2 * math.atan(f / 7)), (20 * f**2 + 300 * f) * math.exp(-0.07 * f)
        return per_degree * 180 / math.pi, 100 * per_percent
    if isinstance(tyre, TyreMagicFormula):
        dfz = fz / 4000 - 1
        cornering = 15.3 * 4000 * math.sin(2.0 * math.atan(fz / 4000 / 1.72))
        return cornering, fz * (21.7 + 13.7 * dfz) * math.exp(-0.41 * dfz)
    return tyre.cornering_stiffness, tyre.driving_stiffness


@pytest.mark.parametrize("tyre", KINDS, ids=names)
@settings(max_examples=300, deadline=None)
@given(load, angle, slip, st.floats(-1.5, 1.5), speed)
def test_forces_are_finite_everywhere(tyre, fz, alpha, kappa, camber, v):
    assert all(math.isfinite(value) for value in forces(tyre, fz, alpha, kappa, camber, v))


@pytest.mark.parametrize("tyre", KINDS, ids=names)
@given(st.floats(-1e5, 0.0), angle, slip, speed)
def test_a_lifted_wheel_has_no_force(tyre, fz, alpha, kappa, v):
    assert forces(tyre, fz, alpha, kappa, 0.1, v) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("tyre", [CALSPAN, LINEAR, BRUSH, MAGIC, OLD], ids=SYMMETRIC_NAMES)
@settings(max_examples=300, deadline=None)
@given(load, angle, slip, st.floats(-0.2, 0.2), speed)
def test_friction_circle_is_never_left(tyre, fz, alpha, kappa, camber, v):
    fx, fy, _ = forces(tyre, fz, alpha, kappa, camber, v)
    assert math.hypot(fx, fy) <= peak_friction(tyre, fz) * fz * (1 + 1e-12)


@pytest.mark.parametrize("tyre", SYMMETRIC, ids=SYMMETRIC_NAMES)
@pytest.mark.parametrize("fz", [500.0, 2500.0, 6000.0, 8900.0])
def test_origin_slopes_are_the_stiffnesses(tyre, fz):
    """Central difference h = 1e-6: error of order h (for |x| x terms), relative 1e-4 with stiff small loads."""
    h = 1e-6
    cornering, driving = stiffness(tyre, fz)
    left, right = forces(tyre, fz, h, 0, 0, 20), forces(tyre, fz, -h, 0, 0, 20)
    assert (right[1] - left[1]) / (2 * h) == pytest.approx(cornering, rel=2e-4)
    drive, brake = forces(tyre, fz, 0, h, 0, 20), forces(tyre, fz, 0, -h, 0, 20)
    assert (drive[0] - brake[0]) / (2 * h) == pytest.approx(driving, rel=2e-4)


@pytest.mark.parametrize("tyre", SYMMETRIC, ids=SYMMETRIC_NAMES)
@given(st.floats(100, 9000), st.floats(-3.1, 3.1), st.floats(-0.9, 2.0), speed)
def test_lateral_force_is_odd_without_shifts(tyre, fz, alpha, kappa, v):
    fx, fy, mz = forces(tyre, fz, alpha, kappa, 0.0, v)
    gx, gy, gz = forces(tyre, fz, -alpha, kappa, 0.0, v)
    assert gx == pytest.approx(fx, abs=1e-9 * fz)
    assert gy == pytest.approx(-fy, abs=1e-9 * fz)
    assert gz == pytest.approx(-mz, abs=1e-9 * fz)
    assert fy * alpha <= 0.0


@pytest.mark.parametrize("tyre", SYMMETRIC, ids=SYMMETRIC_NAMES)
@given(st.floats(100, 60e3), angle, st.floats(-5, 5), st.floats(0.1, 50))
def test_reverse_is_the_mirrored_wheel(tyre, fz, alpha, kappa, v):
    """Mirrored fore and aft: slip and Fx change sign, the slip angle keeps its side, the moment turns round."""
    fx, fy, mz = forces(tyre, fz, alpha, kappa, 0.0, v)
    gx, gy, gz = forces(tyre, fz, alpha, -kappa, 0.0, -v)
    assert (gx, gy) == pytest.approx((-fx, fy), abs=1e-9 * fz)
    if tyre is not LINEAR:
        assert gz == pytest.approx(-mz, abs=1e-9 * fz)


@pytest.mark.parametrize("tyre", SYMMETRIC, ids=SYMMETRIC_NAMES)
@pytest.mark.parametrize("v", [15.0, -15.0])
def test_locked_and_spinning_wheels_push_the_right_way(tyre, v):
    locked = -math.copysign(1.0, v)
    for kappa in (locked, 5 * locked):  # locked, and turning against the travel
        fx, fy, _ = forces(tyre, 4000, 0.0, kappa, 0.0, v)
        assert fx * v < 0
        assert abs(fx) > 0.3 * 4000
        assert fy == pytest.approx(0.0, abs=1e-9)
    assert forces(tyre, 4000, 0.0, -4 * locked, 0.0, v)[0] * v > 0
    assert forces(tyre, 4000, 0.0, 0.0, 0.0, v) == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)


def test_original_thrusts_forward_beyond_slip_one_and_the_default_does_not():
    """Remark 3 of the report: |s| > 1 becomes -1."""
    assert TyreCalspan("t", original=True).forces(3000, 0.0, -1.5)[0] > 0 > CALSPAN.forces(3000, 0.0, -1.5)[0]


def test_sideways_slide_of_a_locked_calspan_wheel_is_opposed_exactly():
    """At full sliding K'_c = K_s: the force points against the slide velocity, with mu_0 (1 - K_mu)."""
    for alpha in np.linspace(-1.5, 1.5, 13):
        fx, fy, _ = CALSPAN.forces(3000, alpha, -1.0)
        expected = -CALSPAN.friction(3000) * 0.8 * 3000 * np.array([math.cos(alpha), math.sin(alpha)])
        assert (fx, fy) == pytest.approx(expected, rel=1e-12)


def test_calspan_is_continuous_at_slip_one_and_keeps_its_side_force_when_overloaded():
    below, above = CALSPAN.forces(3000, 0.1, -1 + 1e-9), CALSPAN.forces(3000, 0.1, -1 - 1e-9)
    assert below == pytest.approx(above, abs=1e-4)
    assert CALSPAN.forces(16e3, -0.05)[1] > 0 > TyreCalspan("t", original=True).forces(16e3, -0.05)[1]


def test_brush_closed_forms():
    """Equal stiffnesses: F = mu Fz (3 psi - 3 psi^2 + psi^3), Mz = -mu Fz a psi (1 - psi)^3 (against Fy)."""
    tyre = TyreBrush("b", cornering_stiffness=5e4, driving_stiffness=5e4, friction=0.8, half_length=0.07)
    for alpha in (0.01, 0.05, 0.1, 0.2):
        psi = min(5e4 * math.tan(alpha) / (3 * 0.8 * 3000), 1.0)
        _, fy, mz = tyre.forces(3000, alpha)
        assert -fy == pytest.approx(0.8 * 3000 * (3 * psi - 3 * psi**2 + psi**3), rel=1e-12)
        assert mz == pytest.approx(0.8 * 3000 * 0.07 * psi * (1 - psi) ** 3, rel=1e-9, abs=1e-9)


def test_camber_thrust_goes_to_the_side_the_wheel_leans_to():
    for tyre in (LINEAR, BRUSH):
        assert tyre.forces(3000, 0.0, 0.0, 0.05)[1] < 0 < tyre.forces(3000, 0.0, 0.0, -0.05)[1]
    assert MAGIC.forces(3000, 0.0, 0.0, 0.05)[1] < MAGIC.forces(3000, 0.0, 0.0, 0.0)[1]


def test_magic_formula_peaks_and_far_values():
    """Closed forms of the sine: greatest value D + S_V, value far out D sin(C pi/2) + S_V (E < 1)."""
    fz = 4000.0
    angles = np.linspace(0, 1.4, 4001)
    side = np.array([-forces(centred, fz, a, 0, 0, 20)[1] for a in angles])
    assert side.max() == pytest.approx(0.879 * fz, rel=1e-6)
    drive = np.array([forces(centred, fz, 0, k, 0, 20)[0] for k in np.linspace(0, 1.5, 4001)])
    assert drive.max() == pytest.approx(1.04 * fz, rel=1e-6)
    far = TyreMagicFormula.from_file(
        TIR, coefficients={**dict.fromkeys(SHIFTS, 0.0), "ALPMAX": 1.5706, "RCX1": 0.0, "KPUMAX": 1e5}
    )
    assert far.forces(fz, 0.0, 1e5)[0] == pytest.approx(1.04 * fz * math.sin(1.58 * math.pi / 2), rel=1e-4)


def test_magic_formula_against_the_formula_written_out():
    """One state at the nominal load and pressure, no camber: every coefficient that counts, straight from the book."""
    c = TyreMagicFormula.from_file(TIR, limited=False).source().numbers
    fz, alpha, kappa = 4000.0, math.tan(-0.07), 0.04

    def sine(d, cc, b, e, x):
        return d * math.sin(cc * math.atan(b * x - e * (b * x - math.atan(b * x))))

    def cosine(cc, b, e, x):
        return math.cos(cc * math.atan(b * x - e * (b * x - math.atan(b * x))))

    dx, kx = c["PDX1"] * fz, fz * c["PKX1"]
    fx0 = sine(dx, c["PCX1"], kx / (c["PCX1"] * dx), c["PEX1"] * (1 - c["PEX4"]), kappa + c["PHX1"]) + c["PVX1"] * fz
    bxa = c["RBX1"] * math.cos(math.atan(c["RBX2"] * kappa))
    fx = fx0 * cosine(c["RCX1"], bxa, c["REX1"], alpha + c["RHX1"]) / cosine(c["RCX1"], bxa, c["REX1"], c["RHX1"])
    dy, ky = c["PDY1"] * fz, c["PKY1"] * fz * math.sin(c["PKY4"] * math.atan(1 / c["PKY2"]))
    by = ky / (c["PCY1"] * dy)
    shy, svy = c["PHY1"], c["PVY1"] * fz
    fy0 = sine(dy, c["PCY1"], by, c["PEY1"] * (1 + c["PEY3"]), alpha + shy) + svy  # alpha_y < 0: sign is -1
    byk = c["RBY1"] * math.cos(math.atan(c["RBY2"] * (alpha - c["RBY3"])))
    gyk = cosine(c["RCY1"], byk, c["REY1"], kappa + c["RHY1"]) / cosine(c["RCY1"], byk, c["REY1"], c["RHY1"])
    svyk = dy * c["RVY1"] * math.cos(math.atan(c["RVY4"] * alpha)) * math.sin(c["RVY5"] * math.atan(c["RVY6"] * kappa))
    fy = gyk * fy0 + svyk
    x = alpha + c["QHZ1"]
    equivalent = -math.hypot(x, kx / ky * kappa)
    trail = 0.313 * c["QDZ1"] * cosine(c["QCZ1"], c["QBZ1"], c["QEZ1"], equivalent) * math.cos(-0.07)
    residual = math.hypot(alpha + shy + svy / ky, kx / ky * kappa)
    mzr = fz * 0.313 * c["QDZ6"] * math.cos(math.atan(c["QBZ9"] * residual)) * math.cos(-0.07)
    mz = -trail * gyk * fy0 + mzr + 0.313 * (c["SSZ1"] + c["SSZ2"] * fy / 4000) * fx
    got = TyreMagicFormula.from_file(TIR, limited=False).forces(fz, -0.07, 0.04)
    assert got == pytest.approx((fx, fy, mz), rel=1e-12)


def test_magic_formula_pressure_mirror_and_modes():
    soft = TyreMagicFormula.from_file(TIR, pressure=180e3)
    assert soft.forces(4000, -0.02)[1] != MAGIC.forces(4000, -0.02)[1]
    other = TyreMagicFormula.from_file(TIR, mirrored=True)
    fx, fy, mz = MAGIC.forces(4000, 0.05, 0.02, 0.03)
    assert other.forces(4000, -0.05, 0.02, -0.03) == pytest.approx((fx, -fy, -mz), rel=1e-12)
    for mode, zero in ((0, (0, 1, 2)), (1, (1, 2)), (2, (0,))):
        values = TyreMagicFormula.from_file(TIR, coefficients={"USE_MODE": mode}).forces(4000, 0.05, 0.02)
        assert all(values[index] == 0.0 for index in zero)
    pure = TyreMagicFormula.from_file(TIR, coefficients={"USE_MODE": 3})
    assert pure.forces(4000, 0.05, 0.2)[0] == pytest.approx(pure.forces(4000, 0.0, 0.2)[0])
    assert abs(MAGIC.forces(4000, 0.05, 0.2)[0]) < abs(pure.forces(4000, 0.0, 0.2)[0])


@pytest.mark.parametrize("tyre", [CALSPAN, BRUSH, LINEAR], ids=["calspan", "brush", "linear"])
@pytest.mark.parametrize("friction", [0.1, 0.5, 0.9])
def test_friction_of_the_ground_scales_the_limit_and_not_the_slope(tyre, friction):
    def on_ground(alpha, kappa):
        return [friction * f for f in tyre.forces(3000, *slip_on_friction(alpha, kappa, friction))]

    slope = -on_ground(1e-6, 0.0)[1] / 1e-6
    assert slope == pytest.approx(-tyre.forces(3000, 1e-6)[1] / 1e-6, rel=2e-4)
    assert math.hypot(*on_ground(0.4, -0.8)[:2]) <= friction * peak_friction(tyre, 3000) * 3000 * (1 + 1e-12)
    assert slip_on_friction(0.3, 0.2, 1.0) == (0.3, 0.2)


@given(st.floats(-60.0, 60.0), st.floats(-60.0, 60.0))
def test_angle_of_is_the_arc_tangent(left, ahead):
    """Series and arc tangent agree to round-off: the first term left out is below 2e-18 of the angle."""
    assert angle_of(left, ahead) == pytest.approx(math.atan2(left, ahead), rel=4e-16, abs=0.0)


def test_lag_is_a_relaxation():
    """Eq. (1.27): the exact solution approaches alpha with exp(-t/tau); forward Euler with 1e-4 tau is 5e-5 close."""
    lagged, dt = 0.0, 1.6e-7
    for _ in range(10000):
        lagged += dt * lag_rate(0.2, lagged, 0.0016)
    assert lagged == pytest.approx(0.2 * (1 - math.exp(-1)), rel=1e-4)


@pytest.mark.parametrize("tyre", [CALSPAN, BRUSH, MAGIC], ids=["calspan", "brush", "magic_formula"])
def test_parked_wheel_on_a_slope_holds_without_creep_and_without_chatter(tyre):
    """A wheel mass held sideways on a 10 per cent bank by the relaxed slip: it comes to rest and stays there.

    Relaxation (R) is a spring at standstill, with the damping of the carcass it settles; at rest the force equals the
    pull.
    """
    par, load_, length, low = tyre.pack(), 3000.0, 0.3, 2.0
    mass, pull = load_ / 9.81, 0.1 * load_
    position = velocity = state = 0.0
    dt, track = 1e-3, []
    for step in range(6000):
        damped = state + carcass_share(velocity, low) * 0.03 * velocity / length
        velocity += dt * (pull + type(tyre).law(par, load_, math.atan(damped), 0.0, 0.0, 0.0)[1]) / mass
        position += dt * velocity
        circle = circle_state(damped / 1.0, 0.0, velocity, 0.0)
        state += dt * relaxed_rate(state, velocity, wear_speed(0.0, circle, 1.0, length, low), length)
        if step >= 5000:
            track.append(position)
    assert abs(velocity) < 1e-9
    assert np.ptp(track) < 1e-9
    assert type(tyre).law(par, load_, math.atan(state), 0.0, 0.0, 0.0)[1] == pytest.approx(-pull, rel=1e-6)
    assert 0 < position < length


def test_relaxation_lags_with_the_rolled_distance():
    """(R) with V = |v_x|: it settles at v_y / |v_x|, ahead and in reverse."""
    within = (0.0, 0.0)
    assert wear_speed(-20.0, within, 0.1, 0.3, 2.0) == 20.0
    assert relaxed_rate(0.05, 0.05 * 20, 20.0, 0.3) == pytest.approx(0.0, abs=1e-12)
    assert relaxed_rate(0.0, 1.0, 20.0, 0.3) == pytest.approx(1.0 / 0.3)
    assert [carcass_share(v, 2.0) for v in (0.0, 1.0, -1.0, 2.0, 3.0)] == pytest.approx([1.0, 0.5, 0.5, 0, 0])


@given(st.floats(-math.pi, math.pi), st.floats(-1.0, 1.0), st.floats(-1.0, 1.0))
@settings(max_examples=50, deadline=None)
def test_a_slow_slide_ends_on_the_circle_against_its_direction(direction, across, along):
    """(W): from any deflection, after a slide of thirty times the largest one, z/B is the unit vector of the slide.

    Half of its steps (2 mm) is what forward Euler leaves: 1 % of a deflection of 1.5 cm."""
    bound, length, low, slide = (0.08, 0.05), (0.3, 0.3), 2.0, 0.1
    s = (slide * math.sin(direction), slide * math.cos(direction))
    u = [across * bound[0], along * bound[1]]
    for _ in range(40000):
        state = circle_state(u[0] / bound[0], u[1] / bound[1], *s)
        rates = [relaxed_rate(u[i], s[i], wear_speed(0.0, state, bound[i], length[i], low), length[i]) for i in (0, 1)]
        u = [u[i] + 2e-4 * rates[i] for i in (0, 1)]
    assert u[0] / bound[0] == pytest.approx(math.sin(direction), abs=0.02)
    assert u[1] / bound[1] == pytest.approx(math.cos(direction), abs=0.02)


@given(st.floats(-3.0, 3.0), st.floats(-3.0, 3.0), st.floats(-2.0, 2.0), st.floats(-2.0, 2.0))
def test_nothing_is_worn_within_the_circle_nor_by_a_way_back(across, along, aside, slide):
    """An elastic carcass keeps its deflection: V = 0 up to STUCK, and on the circle while the slide unwinds it."""
    outward, outside = circle_state(across, along, aside, slide)
    use = math.hypot(across, along)
    assert outward >= 0.0
    assert 0.0 <= outside <= 1.0
    if use <= 0.8 or across * aside + along * slide <= 0.0:
        assert outward == 0.0
    if use <= 1.0:
        assert outside == 0.0
