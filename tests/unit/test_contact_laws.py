"""Contact laws: closed forms of one-dimensional impacts, energy balance, dissipation never negative, bad input."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from centrode.dynamics.contact.laws import advance_contact, begin_contact, evaluate_law, law_handles
from centrode.errors import InputError
from centrode.jit import JIT_ON, address_of, call_by_address, kernel
from centrode.math.vector import ZERO
from centrode.parts.contact_laws.contact_law import (
    CHOSEN_STIFFNESS,
    DEEPEST,
    DISSIPATED,
    LAW_SIGNATURE,
    MEMORY,
    RESTITUTION,
    ContactPairs,
)
from centrode.parts.contact_laws.crush_width import CrushWidth, permanent_depth
from centrode.parts.contact_laws.friction import friction_force
from centrode.parts.contact_laws.hard import HardContact
from centrode.parts.contact_laws.hunt_crossley import HuntCrossley, damping_for_restitution
from centrode.parts.contact_laws.linear import LinearContact
from centrode.parts.contact_laws.measured import MeasuredRestitution
from centrode.parts.contact_laws.report_multiplier import ReportMultiplier
from centrode.parts.contact_laws.restitution import Restitution
from centrode.parts.outlines.outline import Region

PHYSICAL = [
    LinearContact("linear", stiffness=1e6, damping=5e3),
    HuntCrossley("hunt", stiffness=1e6, damping=0.3),
    HuntCrossley("hertz", stiffness=1e8, damping=0.3, exponent=1.5),
    Restitution("restitution", stiffness=1e6, restitution=0.4),
    MeasuredRestitution("measured"),
    CrushWidth("crush", stiffness=2e6),
    HardContact("hard", duration=5e-3, restitution=0.6),
]


@kernel
def impact(handles, par, memory, mass, speed, step, first):
    """A mass on a wall by classical Runge-Kutta to release: duration, rebound speed, peak force, deepest, stored."""
    begin_contact(handles, par, memory, speed, mass, 1.0, 1.0)
    depth = 0.0
    rate = speed
    time = 0.0
    peak = 0.0
    deepest = 0.0
    stored = 0.0
    while time < 1e3:
        f1, _, stored, _ = evaluate_law(handles, par, memory, depth, rate, 0.0)
        d2 = depth + 0.5 * step * rate
        r2 = rate - 0.5 * step * f1 / mass
        f2, _, _, _ = evaluate_law(handles, par, memory, d2, r2, 0.0)
        d3 = depth + 0.5 * step * r2
        r3 = rate - 0.5 * step * f2 / mass
        f3, _, _, _ = evaluate_law(handles, par, memory, d3, r3, 0.0)
        d4 = depth + step * r3
        r4 = rate - step * f3 / mass
        f4, _, _, _ = evaluate_law(handles, par, memory, d4, r4, 0.0)
        depth += step * (rate + 2.0 * r2 + 2.0 * r3 + r4) / 6.0
        rate -= step * (f1 + 2.0 * f2 + 2.0 * f3 + f4) / (6.0 * mass)
        time += step
        advance_contact(handles, par, memory, depth, rate, step)
        peak = max(peak, f1)
        deepest = max(deepest, depth)
        if depth <= 0.0 or (first and rate < 0.0 and f4 <= 0.0):
            break
    return time, -rate, peak, deepest, stored


def run(law, mass=800.0, speed=3.0, step=1e-6, memory=None, first=True):
    if not JIT_ON:
        pytest.skip("tens of thousands of steps need compiled kernels")
    memory = np.zeros(MEMORY) if memory is None else memory
    return (*impact(law_handles([law])[0], law.pack(), memory, mass, speed, step, first), memory)


def test_elastic_impact_has_the_closed_form():
    # contact time pi sqrt(m/k), crush v sqrt(m/k), force v sqrt(m k)
    m, k, v = 800.0, 1e6, 3.0
    time, rebound, peak, deepest, _, _ = run(LinearContact("s", stiffness=k), m, v)
    assert abs(time - math.pi * math.sqrt(m / k)) < 2e-6  # one step
    assert abs(rebound - v) < 1e-6
    assert abs(peak - v * math.sqrt(m * k)) < 1e-5 * peak
    assert abs(deepest - v * math.sqrt(m / k)) < 1e-5 * deepest


@pytest.mark.parametrize("ratio", [0.05, 0.3, 0.6, 0.8])
def test_linear_damper_restitution(ratio):
    # Schwager and Poeschel 2007: release where the force vanishes
    m, k = 800.0, 1e6
    _, rebound, *_ = run(LinearContact("s", stiffness=k, damping=2 * ratio * math.sqrt(k * m)), m, 3.0)
    w = math.sqrt(1 - ratio**2)
    expected = math.exp(-ratio / w * (math.pi - math.atan2(2 * ratio * w, 1 - 2 * ratio**2)))
    assert abs(rebound / 3.0 - expected) < 1e-5


@pytest.mark.parametrize("restitution", [0.05, 0.2, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("exponent", [1.0, 1.5])
def test_restitution_law_meets_its_restitution_for_any_mass_and_exponent(restitution, exponent):
    law = Restitution("r", stiffness=1e6, restitution=restitution, exponent=exponent)
    for mass in (50.0, 2000.0):
        # run on to zero depth: the integral behind the law ends there
        _, rebound, *_ = run(law, mass, 2.0, 2e-6, first=False)
        assert abs(rebound / 2.0 - restitution) < 2e-5


@given(st.floats(0.011, 0.999), st.floats(0.01, 40.0))
def test_damping_for_restitution_solves_its_equation(e, v):
    x = damping_for_restitution(e, v) * v
    assert 0.0 < e * x < 1.0

    def excess(y):
        return (-e * y - math.log1p(-e * y)) - (y - math.log1p(y)) if e * y < 1.0 else math.inf

    # the sides cross within 1e-9 of x: near e = 1 they agree to order x^3 and cancellation leaves some 1e-10
    assert excess(x * (1 - 1e-9)) < 0.0 < excess(x * (1 + 1e-9))


@pytest.mark.parametrize(("speed", "expected"), [(1, 0.475), (2, 0.396), (4, 0.304), (7, 0.208)])
def test_measured_restitution_is_the_cipriani_curve(speed, expected):
    # Cipriani et al., SAE 2002-01-0540, printed to three digits
    _, rebound, *_ = run(MeasuredRestitution("m"), 800.0, float(speed), 2e-6, first=False)
    assert abs(rebound / speed - expected) < 6e-4


@pytest.mark.parametrize("sides", [(a, b) for a in range(4) for b in range(4)])
def test_front_and_side_of_the_measured_law(sides):
    """Section 1.7 of the MEDUSA report: a side counts where either body is hit there; 0 is as measured."""
    region = 5.0 * sides[0] + sides[1] + 1.0
    for front, side in ((0.3, 0.8), (0.0, 0.8), (0.3, 0.0)):
        law, memory = MeasuredRestitution("m", front=front, side=side), np.zeros(MEMORY)
        begin_contact(law_handles([law])[0], law.pack(), memory, 1.0, 800.0, 1.0, region)
        assert memory[RESTITUTION] == pytest.approx((side if Region.SIDE in sides else front) or 0.47477)


def test_hard_law_lasts_as_long_as_asked():
    time, rebound, *_ = run(HardContact("h", duration=4e-3, restitution=1.0), 1234.0, 3.0, 1e-6)
    assert abs(time - 4e-3) < 2e-6
    assert abs(rebound - 3.0) < 1e-5


@pytest.mark.parametrize("law", PHYSICAL, ids=lambda law: law.name)
def test_energy_is_kinetic_plus_dissipated(law):
    m, v = 800.0, 3.0
    results = []
    for step in (2e-5, 1e-5):
        _, rebound, _, _, _, memory = run(law, m, v, step, first=False)
        results.append(0.5 * m * (v**2 - rebound**2) - memory[DISSIPATED])
    # the dissipated power is summed at step ends: first order at least, so halving the step halves the rest
    assert abs(results[1]) < max(0.6 * abs(results[0]), 1e-3 * 0.5 * m * v**2)
    assert abs(results[1]) < 0.01 * 0.5 * m * v**2


@settings(max_examples=200)
@given(
    st.sampled_from(PHYSICAL),
    st.floats(-0.1, 1.0),
    st.floats(-20.0, 20.0),
    st.floats(0.0, 20.0),
    st.floats(0.0, 15.0),
    st.floats(0.0, 0.9),
)
def test_force_never_pulls_and_dissipation_is_never_negative(law, depth, rate, slip, closing, deepest):
    handles, par, memory = law_handles([law])[0], law.pack(), np.zeros(MEMORY)
    begin_contact(handles, par, memory, closing, 700.0, 1.3, 2.0)
    memory[DEEPEST] = deepest
    kept = memory.copy()
    force, friction, stored, power = evaluate_law(law_handles([law])[0], par, memory, depth, rate, slip)
    assert force >= 0.0 and friction >= 0.0 and stored >= 0.0 and power >= 0.0
    assert all(math.isfinite(item) for item in (force, friction, stored, power))
    np.testing.assert_array_equal(memory, kept)  # a trial evaluation leaves no trace


def test_crush_keeps_its_permanent_deformation():
    law = CrushWidth("c", a=4e4, b=4e5, width=1.5, stiffness=5e6)
    memory = np.zeros(MEMORY)
    _, rebound, peak, deepest, *_ = run(law, 1500.0, 8.0, 1e-6, memory)
    # energy balance by hand: elastic ramp to w A, then a trapezium
    onset, slope = 6e4, 6e5
    d_y = onset / 5e6
    work = 0.5 * onset * d_y + onset * (deepest - d_y) + 0.5 * slope * (deepest - d_y) ** 2
    assert abs(work - 0.5 * 1500 * 64) < 1e-4 * work
    top = onset + slope * (deepest - d_y)
    assert abs(peak - top) < 1e-4 * top
    assert abs(permanent_depth(law.pack(), memory) - (deepest - top / 5e6)) < 1e-9
    assert abs(0.5 * 1500 * rebound**2 - 0.5 * top**2 / 5e6) < 1e-3 * 0.5 * top**2 / 5e6
    # the dented side gives no force until it is reached again, another side is whole
    par = law.pack()
    begin_contact(law_handles([law])[0], par, memory, 1.0, 1500.0, 1.0, 1.0)
    assert evaluate_law(law_handles([law])[0], par, memory, 0.5 * permanent_depth(par, memory), 1.0, 0.0)[0] == 0.0
    begin_contact(law_handles([law])[0], par, memory, 1.0, 1500.0, 1.0, 2.0)
    assert evaluate_law(law_handles([law])[0], par, memory, 0.01, 1.0, 0.0)[0] > 0.0


def test_stiffness_of_the_side_is_held_for_the_episode():
    law, memory = LinearContact("s", stiffness=1e6), np.zeros(MEMORY)
    begin_contact(law_handles([law])[0], law.pack(), memory, 1.0, 700.0, 0.25, 3.0)
    assert memory[CHOSEN_STIFFNESS] == 0.25e6
    assert evaluate_law(law_handles([law])[0], law.pack(), memory, 0.1, 0.0, 0.0)[0] == 0.25e5


def test_report_multiplier_grows_per_step_whatever_its_length():
    # the scheme of the MEDUSA report (1999), eq. (1.52): the sum depends on the number of steps, not on the time
    law = ReportMultiplier("r", p2=2.0, mass=10.0)
    forces = []
    for steps in (1, 10):
        memory = np.zeros(MEMORY)
        begin_contact(law_handles([law])[0], law.pack(), memory, 1.0, 700.0, 1.0, 1.0)
        for _ in range(steps):
            advance_contact(law_handles([law])[0], law.pack(), memory, 0.01, 1.0, 1.0 / steps)
        forces.append(evaluate_law(law_handles([law])[0], law.pack(), memory, 0.01, 0.0, 0.0)[0])
    assert forces == [20.0, 200.0]


def test_a_slow_touch_has_the_damper_of_a_centimetre_a_second():
    """What touches at 0.1 mm/s and is pressed on later met a damper a hundred times stronger, and was thrown away."""
    assert damping_for_restitution(0.3, 1e-4) == damping_for_restitution(0.3, 0.0) == damping_for_restitution(0.3, 0.01)
    assert damping_for_restitution(0.3, 0.02) == pytest.approx(0.5 * damping_for_restitution(0.3, 0.01), rel=1e-12)


UP = (0.0, 0.0, 1.0)


def test_friction_slides_at_the_coulomb_limit_and_takes_energy():
    par = LinearContact("s", friction=0.5, slip_speed=0.1, stick_stiffness=0.0).pack()
    f = friction_force(par, 0.0, 500.0, ZERO, UP, (30.0, 40.0, 7.0))
    # v0 = 0.1 against 50 m/s: short of mu N by 2e-6 relative
    np.testing.assert_allclose(f[0], (-300.0, -400.0, 0.0), rtol=3e-6, atol=1e-9)
    assert abs(f[2] - 500.0 * 50.0) < 0.1
    assert friction_force(par, 0.0, 0.0, ZERO, UP, (1.0, 0.0, 0.0))[0] == ZERO


def test_bristle_holds_a_block_on_a_slope_and_lets_go_beyond_the_friction_angle():
    law = LinearContact("s", friction=0.5, stick_stiffness=1e5, stick_damping=600.0)
    par, mass, g = law.pack(), 10.0, 9.81
    for angle, holds in ((0.3, True), (0.6, False)):
        limit, pull = 0.5 * mass * g * math.cos(angle), mass * g * math.sin(angle)
        x, v, stretch, taken, step = 0.0, 0.0, 0.0, 0.0, 1e-4
        for _ in range(20000):
            f = friction_force(par, 1e5, limit, (stretch, 0.0, 0.0), UP, (v, 0.0, 0.0))[0][0]
            v += step * (pull + f) / mass
            x += step * v
            _, stored, power, bristle = friction_force(
                par, 1e5, limit, (stretch + step * v, 0.0, 0.0), UP, (v, 0.0, 0.0)
            )
            taken, stretch, held = taken + step * power, bristle[0], stored
            assert taken - held > -1e-3 * pull  # heat: first order of this loop, v h of the pull
        if holds:
            assert abs(v) < 1e-9  # truly at rest, no creep
            assert abs(stretch - pull / 1e5) < 1e-8
        else:
            # 2 s of sliding from rest: v = g (sin - mu cos) t, short of it by the time the bristle needs
            assert abs(v - 2.0 * g * (math.sin(angle) - 0.5 * math.cos(angle))) < 0.05 * v


@settings(max_examples=200)
@given(
    st.tuples(*[st.floats(-1.0, 1.0)] * 3), st.tuples(*[st.floats(-30.0, 30.0)] * 3),
    st.just(0.0) | st.floats(1e-6, 1e5), st.sampled_from([None, 0.0, 1e5]),
)  # fmt: skip
def test_friction_is_tangential_bounded_and_never_gives_energy(bristle, velocity, limit, stick):
    par = LinearContact("s", friction=0.5, stick_stiffness=stick, stick_damping=300.0).pack()
    stretched = (1e-3 * bristle[0], 1e-3 * bristle[1], 0.0)
    chosen = 1e5 if stick is None else stick
    (f0, f1, f2), stored, power, (s0, s1, s2) = friction_force(par, chosen, limit, stretched, UP, velocity)
    assert f2 == 0.0 and s2 == 0.0
    assert math.hypot(f0, f1) <= limit * (1.0 + 1e-12)
    # What a spring gives back is no more than it grows shorter by, k s . v; all else is taken.
    assert stored >= 0.0 and power >= min(chosen * (s0 * velocity[0] + s1 * velocity[1]), 0.0) - 1e-9 * limit
    if chosen > 0.0 and limit > 0.0:
        assert math.hypot(s0, s1) <= limit / chosen * (1.0 + 1e-12)


def test_laws_can_be_called_by_address():
    caller = call_by_address(LAW_SIGNATURE)

    @kernel
    def call(address, par, memory, depth):
        return caller(address, (par, memory, depth, 0.0, 0.0))

    for law in PHYSICAL:
        par, memory = law.pack(), np.zeros(MEMORY)
        begin, evaluate, _ = law.kernels()
        begin(par, memory, 1.0, 700.0, 1.0, 1.0)
        found = evaluate_law(law_handles([law])[0], par, memory, 0.02, 0.0, 0.0)
        assert call(address_of(evaluate), par, memory, 0.02) == found


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: LinearContact("s", stiffness=0.0), "positive"),
        (lambda: HuntCrossley("s", damping=-1.0), "too small"),
        (lambda: Restitution("s", restitution=1.2), "too large"),
        (lambda: CrushWidth("s", b=1e7, stiffness=1e6), "create energy"),
        (lambda: MeasuredRestitution("s", floor=0.5, ceiling=0.2), "floor above ceiling"),
        (lambda: LinearContact("s", stiffness=float("nan")), "finite"),
    ],
)
def test_bad_input_is_named(make, words):
    with pytest.raises(InputError, match=words):
        make().pack()


def test_unknown_material_pair_names_the_pairs_that_have_a_law():
    pairs = ContactPairs()
    law = LinearContact("s")
    pairs.set("steel", "steel", law)
    pairs.set("steel", "rubber", law)
    assert pairs.law_for("rubber", "steel") is law
    with pytest.raises(InputError, match="rubber with rubber"):
        pairs.law_for("rubber", "rubber")
    with pytest.raises(InputError, match="did you mean 'steel'"):
        pairs.law_for("stel", "rubber")
    with pytest.raises(InputError, match="at least one pair"):
        ContactPairs().law_for("a", "b")
