"""Roads against closed forms: circles, helices, tilted planes; search against brute force; order of the spline."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from centrode.jit import JIT_ON
from centrode.math.spline import cubic_spline_curve, evaluate_piece
from centrode.parts.roads.contract import BEFORE_START, BEHIND_END, BESIDE, FrictionPatch, RoadPoint
from centrode.parts.roads.plane import RoadPlane, plane_axes
from centrode.parts.roads.road_point import road_point
from centrode.parts.roads.spline import RoadSpline

COARSE = 30.0


def circle(count, radius, bank=0.0, start=0.0, height=0.0):
    angles = start + np.linspace(0, 2 * np.pi, count, endpoint=False)
    points = [(radius * math.cos(a), radius * math.sin(a), height) for a in angles]
    return RoadSpline("circle", points=tuple(points), bank=bank, width=10.0, closed=True)


def helix(count, radius, climb_angle, turns):
    angles = np.linspace(0, 2 * np.pi * turns, count)
    rise = radius * math.tan(climb_angle)
    return tuple((radius * math.cos(a), radius * math.sin(a), rise * a) for a in angles)


def several(count: int) -> int:
    """Number of examples: a twentieth with the JIT off."""
    return count if JIT_ON else max(3, count // 20)


def look(table, x, y, z, hint=math.nan):
    return RoadPoint(*road_point(table, hint, x, y, z))


@settings(max_examples=60, deadline=None)
@given(st.floats(-3, 3), st.floats(-0.5, 0.5), st.floats(-0.5, 0.5), *[st.floats(-100, 100)] * 3)
def test_plane_of_any_slope_and_bank(heading, slope, bank, x, y, z):
    road = RoadPlane("p", origin=(1.0, -2.0, 3.0), heading=heading, slope=slope, bank=bank)
    got = look(road.table(), x, y, z)
    tangent, left, normal = plane_axes(heading, slope, bank)
    q = np.array([x, y, z])
    assert np.array(got.position) == pytest.approx(q - ((q - [1, -2, 3]) @ normal) * normal, abs=1e-11)
    assert got.s * tangent + got.lateral * left + [1, -2, 3] == pytest.approx(got.position, abs=1e-11)
    assert got.status == 0


def test_signs_of_slope_and_bank():
    assert RoadPlane("p", slope=0.1).point(10, 0, 5).position[2] > 0  # uphill ahead
    banked = RoadPlane("p", bank=0.1)
    assert banked.point(0, 3, 5).position[2] > 0 > banked.point(0, -3, 5).position[2]  # right side low
    assert banked.point(0, 0, 0).normal == pytest.approx([0, -math.sin(0.1), math.cos(0.1)])


def test_circle_error_falls_with_the_fourth_power_of_the_spacing():
    """Cubic spline: order 4 (de Boor); measured within 0.15 on halving."""
    errors = []
    for count in (24, 48, 96):
        table = circle(count, 100.0).table()
        feet = [
            look(table, 100 * math.cos(a), 100 * math.sin(a), 0.0) for a in np.linspace(0.01, 6.2, several(660) + 1)
        ]
        errors.append(max(math.hypot(foot.lateral, 0.0) for foot in feet) if count else 0)
    orders = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    assert orders == pytest.approx([4, 4], abs=0.15)


def test_closed_circuit_has_the_right_length_and_no_seam():
    table = circle(48, 100.0).table()
    assert table[0, 3] == pytest.approx(2 * math.pi * 100, rel=1e-6)  # length error is order 4: (2 pi/48)^4/720 ~ 4e-7
    before, after = look(table, 100, -1e-7, 0), look(table, 100, 1e-7, 0)
    assert before.tangent == pytest.approx(after.tangent, abs=1e-8)
    assert after.s == pytest.approx(0.0, abs=1e-6)
    assert before.s == pytest.approx(table[0, 3], abs=1e-6)
    # a vehicle that goes round three times with its own hints is never lost
    hint = math.nan
    for angle in np.linspace(0, 6 * math.pi, several(400)):
        got = look(table, 97 * math.cos(angle), 97 * math.sin(angle), 0.3, hint)
        hint = got.s
        assert got.lateral == pytest.approx(3.0, abs=1e-4)
        assert got.status == 0
        assert got.tangent == pytest.approx([-math.sin(angle), math.cos(angle), 0], abs=1e-4)


@pytest.mark.parametrize("climb", [0.1, 0.6, 1.2])
def test_steep_spiral_with_decks_above_each_other(climb):
    """Helix: tangent climbs at the given angle, and each deck keeps its own vehicles.

    The cubic spline errs by (5/384) (h/R)^4 R in position: 60 points a turn, R = 20 m: 4e-5 m; the end conditions
    make the first and last pieces about ten times worse, so they are left out.
    """
    radius, turns = 20.0, 4
    road = RoadSpline("helix", points=helix(60 * turns + 1, radius, climb, turns), width=6.0)
    table = road.table()
    rise = radius * math.tan(climb)
    for angle in np.linspace(0.5, 2 * math.pi * turns - 0.5, 97):
        normal = np.array([math.sin(climb) * math.sin(angle), -math.sin(climb) * math.cos(angle), math.cos(climb)])
        base = np.array([radius * math.cos(angle), radius * math.sin(angle), rise * angle])
        got = look(table, *(base + 0.3 * normal))
        assert got.position == pytest.approx(base, abs=2e-4)
        assert got.tangent[2] == pytest.approx(math.sin(climb), abs=2e-4)
        assert (base + 0.3 * normal - got.position) @ got.normal == pytest.approx(0.3, abs=1e-4)


def test_banked_turn_needs_no_side_force_at_its_speed():
    """tan(bank) = v^2 / (R g) on a flat circle: gravity plus centrifugal force are along the surface normal.

    A left turn is banked to the left, so the angle is negative; at the reference line the ruled surface of a circle
    with constant bank is a cone, whose normal is exact. Limit with friction: v^2 = R g (tan b + mu) / (1 - mu tan b).
    """
    radius, speed, gravity = 80.0, 22.0, 9.81
    bank = math.atan(speed**2 / (radius * gravity))
    table = circle(96, radius, bank=-bank).table()
    mu = 0.6
    limit = math.sqrt(radius * gravity * (math.tan(bank) + mu) / (1 - mu * math.tan(bank)))
    for angle in np.linspace(0, 6.0, 13):
        out = np.array([math.cos(angle), math.sin(angle), 0.0])
        got = look(table, *(radius * out))
        for v, ratio in ((speed, 0.0), (limit, mu)):
            force = -np.array([0, 0, gravity]) + v**2 / radius * out
            side = force @ got.left / -(force @ got.normal)
            assert abs(side) == pytest.approx(ratio, abs=2e-6)


def test_surface_normal_is_the_cross_product_of_surface_tangents():
    """Finite differences of the surface points of a twisted, climbing, turning road."""
    rng = np.random.default_rng(4)
    points = np.cumsum(rng.uniform([20, -10, -3], [40, 25, 4], size=(9, 3)), axis=0)
    road = RoadSpline("r", points=tuple(map(tuple, points)), bank=tuple(rng.uniform(-0.3, 0.3, 9)), width=9.0)
    table = road.table()

    def surface(s, n):
        row = np.searchsorted(table[1:, 0], s, side="right")
        u = s - table[row, 0]
        pieces = table[row, 2:20].reshape(3, 6)
        r, t = evaluate_piece(pieces, u), evaluate_piece(pieces, u, 1)
        bank = float(evaluate_piece(table[row, None, 20:24], u)[0])
        heading, slope = math.atan2(t[1], t[0]), math.atan2(t[2], math.hypot(t[0], t[1]))
        return r + n * plane_axes(heading, slope, bank)[1]

    for s in np.linspace(3.0, table[0, 3] - 3.0, 41):
        for n in (-4.0, 0.0, 3.0):
            h = 1e-5
            along = (surface(s + h, n) - surface(s - h, n)) / (2 * h)
            across = surface(s, n + 0.5) - surface(s, n - 0.5)
            normal = np.cross(along, across)
            normal /= np.linalg.norm(normal)
            got = look(table, *surface(s, n))
            assert got.s == pytest.approx(s, abs=1e-8)
            assert got.position == pytest.approx(surface(s, n), abs=1e-8)
            assert got.normal == pytest.approx(normal, abs=2e-8)  # difference: h^2/6 times curvature rate, eps*200/h
            assert got.tangent == pytest.approx(along / np.linalg.norm(along), abs=2e-8)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.booleans())
def test_search_finds_the_nearest_foot_for_any_node_spacing(seed, closed):
    """Brute force over 200 samples per piece; spacings from 1 to 100 m side by side."""
    rng = np.random.default_rng(seed)
    steps = rng.normal(size=(8, 3)) * [1, 1, 0.2]
    steps *= (10 ** rng.uniform(0, 2, size=8) / np.linalg.norm(steps, axis=1))[:, None]
    points = np.cumsum(steps, axis=0)
    table = RoadSpline("r", points=tuple(map(tuple, points)), closed=closed).table()
    assert np.all(np.isfinite(table))
    chain = np.vstack(
        [
            [evaluate_piece(row[2:20].reshape(3, 6), u) for u in np.linspace(0, row[1], 200)]
            for row in table[1 : 1 + int(table[0, 1])]
        ]
    )
    for q in chain[rng.integers(len(chain), size=6)] + rng.normal(size=(6, 3)) * 20:
        got = look(table, *q)
        foot = got.position - got.lateral * section_left(table, got.s)
        if got.status & (BEFORE_START | BEHIND_END):
            continue
        assert np.linalg.norm(q - foot) <= np.min(np.linalg.norm(chain - q, axis=1)) + 1e-9


def section_left(table, s):
    row = max(1, np.searchsorted(table[1 : 1 + int(table[0, 1]), 0], s, side="right"))
    t = evaluate_piece(table[row, 2:20].reshape(3, 6), s - table[row, 0], 1)
    bank = float(evaluate_piece(table[row, None, 20:24], s - table[row, 0])[0])
    return plane_axes(math.atan2(t[1], t[0]), math.atan2(t[2], math.hypot(t[0], t[1])), bank)[1]


def test_any_hint_leads_back_to_the_road():
    """A wrong hint (another side of the circuit, or far outside) costs time, not the vehicle."""
    table = circle(24, 100.0).table()
    for hint in (0.0, 157.0, 314.0, 500.0, -1e4, 1e7):
        got = look(table, 98.0, 5.0, 0.2, hint)
        assert got.s == pytest.approx(look(table, 98.0, 5.0, 0.2).s, abs=1e-9)


def test_vehicle_keeps_its_branch_where_a_road_crosses_itself():
    angles = np.linspace(0, 2 * math.pi, 48, endpoint=False)
    eight = tuple((100 * math.sin(a), 60 * math.sin(2 * a), 0.0) for a in angles)
    table = RoadSpline("eight", points=eight, width=8.0, closed=True).table()
    hint, last = math.nan, None
    for a in np.linspace(0.3, 0.3 + 2 * math.pi, 600):
        got = look(table, 100 * math.sin(a), 60 * math.sin(2 * a), 0.1, hint)
        hint = got.s
        heading = np.array([math.cos(a) * 100, 120 * math.cos(2 * a), 0])
        assert got.tangent @ heading / np.linalg.norm(heading) > 0.999
        if last is not None:
            assert 0 < (got.s - last) % table[0, 3] < 5
        last = got.s


def test_off_the_road_a_plane_goes_on():
    road = RoadSpline("r", points=((0.0, 0.0, 0.0), (50.0, 0.0, 0.0), (100.0, 0.0, 10.0)), bank=0.1, width=8.0)
    beside = road.point(25.0, 60.0, 4.0)
    assert beside.status == BESIDE
    assert beside.lateral > 50
    first = road.point(0.0, 0.0, 0.0)
    before = road.point(*(first.position - 30 * first.tangent + 0.2 * first.normal))
    assert before.status == BEFORE_START
    assert before.s == pytest.approx(-30, abs=0.01)
    assert before.normal == pytest.approx(first.normal, abs=1e-12)
    end = road.point(100.0, 0.0, 10.0)
    behind = road.point(*(end.position + 500 * end.tangent + 2 * end.normal))
    assert behind.status == BEHIND_END
    assert behind.position == pytest.approx(end.position + 500 * end.tangent, abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(*[st.floats(-1e6, 1e6)] * 3, st.floats(allow_nan=True, allow_infinity=True))
def test_nothing_but_finite_numbers_and_unit_vectors(x, y, z, hint):
    for road in (circle(12, 50.0, bank=0.2), RoadSpline("r", points=helix(40, 15.0, 0.5, 2))):
        got = look(road.table(), x, y, z, hint)
        assert np.all(np.isfinite(got))
        assert np.linalg.norm(got.tangent) == pytest.approx(1, abs=1e-12)
        assert np.linalg.norm(got.normal) == pytest.approx(1, abs=1e-12)
        assert got.tangent @ got.normal == pytest.approx(0, abs=1e-12)


def test_friction_patches_cover_each_other_in_order():
    patches = (FrictionPatch(10.0, 30.0, 0.3), FrictionPatch(20.0, 25.0, 0.1, right=-2.0, left=0.0))
    road = RoadSpline("r", points=((0.0, 0.0, 0.0), (60.0, 0.0, 0.0)), friction=0.9, patches=patches)
    for x, y, expected in ((5, 0, 0.9), (15, 1, 0.3), (22, 1, 0.3), (22, -1, 0.1), (31, 0, 0.9)):
        assert road.point(x, y, 0.0).friction == expected
    assert RoadPlane("p", friction=0.8, patches=patches).point(22, -1, 0).friction == 0.1


def test_bank_never_overshoots_and_is_continuous():
    knots_bank = (0.0, 0.0, 0.2, 0.2, -0.1, 0.0)
    points = tuple((x, 0.0, 0.0) for x in (0.0, 50.0, 60.0, 200.0, 203.0, 400.0))
    table = RoadSpline("r", points=points, bank=knots_bank).table()
    stations = np.linspace(0, 400, 2001)
    banks = np.array([math.asin(-look(table, x, 0.0, 0.0).normal[1]) for x in stations])
    assert banks.max() <= 0.2 + 1e-12
    assert banks.min() >= -0.1 - 1e-12
    assert np.max(np.abs(np.diff(banks))) < 0.2 * 1.6 * 0.3 / 3.0  # pchip slope at most three secant slopes


def test_evenly_spaced_nodes_do_not_blow_up():
    """The marched spline of 1999 grows by a factor of about 3.7 per evenly spaced node; here a bump stays a bump."""
    points = tuple((20.0 * i, 0.0, 1.0 if i == 5 else 0.0) for i in range(40))
    table = RoadSpline("r", points=points).table()
    far = [abs(look(table, x, 0.0, 0.0).position[2]) for x in np.linspace(400, 780, 50)]
    assert max(far) < 1e-7  # decays by 2 - sqrt(3) = 0.27 per node: 0.27^14 ~ 1e-8


def test_arc_length_is_the_parameter():
    """|r'| = 1 up to the fourth order of the spacing, also with uneven points on a circle."""
    angles = np.sort(np.random.default_rng(1).uniform(0, 2 * np.pi, 60))
    knots, pieces = cubic_spline_curve(np.column_stack([np.cos(angles), np.sin(angles), 0 * angles]) * 50, True)
    rates = [
        np.linalg.norm(evaluate_piece(piece, u, 1))
        for piece, h in zip(pieces, np.diff(knots), strict=True)
        for u in np.linspace(0, h, 9)
    ]
    widest = np.max(np.diff(knots)) / 50
    assert np.max(np.abs(np.array(rates) - 1)) < widest**3
