"""Tables of roads against closed forms: feet from any hint, creases of polygons, leads, kerbs as they are drawn."""

from __future__ import annotations

import math

import numpy as np
import pytest

import centrode as ct
from centrode.errors import InputError
from centrode.parts.roads.appearance import road_visuals
from centrode.parts.roads.contract import BEFORE_START, BEHIND_END, BESIDE
from centrode.parts.roads.medusa4 import RoadMedusa4, is_straight, marched_segments, runs_back
from centrode.parts.roads.plane import plane_axes
from centrode.parts.roads.road_point import road_point
from centrode.parts.roads.road_surface import crease_of, sharpest_crease, surface_jet, surface_point, width_at
from centrode.parts.roads.steps import FACE

# -- the foot from a hint ----------------------------------------------------------------------------------------------

THERE, BACK = [(x, 0, 0) for x in range(0, 61, 5)], [(x, 6, 0) for x in range(60, -1, -5)]
HAIRPIN = (*THERE, (63, 3, 0), *BACK, (-3, 3, 0))
"""Two lanes 6 m apart: with a width of 10 m a point between them stands over both, and the hint says over which."""
MIDDLE = (26.0, 30.0, 33.0)
"""Five points or more from both bends, whose ripple falls by 2 + sqrt(3) from point to point: from 1 m to 2 mm."""


def foot_on(road: ct.RoadSpline, place: tuple[float, float, float], hint: float) -> tuple[float, float]:
    """s and lateral of a foot, which must be one: the line from it to the point is square to the road."""
    found = road.point(*place, hint)
    line = surface_point(road, found.s)
    gap = np.array(place) - line.position
    # The walk ends with a step below 1e-7 m of Newton's, whose error is the square of that.
    assert abs(gap @ line.along) < 1e-9
    assert found.lateral == pytest.approx(gap @ line.left, abs=1e-9)
    return found.s, found.lateral


@pytest.mark.parametrize("lane", [0.0, 6.0])
@pytest.mark.parametrize("turns", [-2, -1, 0, 1, 3])
def test_a_hint_of_a_closed_road_means_the_same_place_in_every_lap(lane: float, turns: int) -> None:
    road = ct.RoadSpline("loop", points=HAIRPIN, width=10.0, closed=True)
    length = float(road.shared_table()[0, 3])
    for x in MIDDLE:
        here = road.point(x, lane, 0.0).s
        s, lateral = foot_on(road, (x, 3.0, 0.0), here + turns * length)
        assert s == pytest.approx(here, abs=0.01)
        assert lateral == pytest.approx(3.0, abs=0.01)  # to the left of both


@pytest.mark.parametrize(("beyond", "lane"), [(-40.0, 0.0), (40.0, 6.0)])
def test_a_hint_beyond_the_ends_of_an_open_road_means_its_end(beyond: float, lane: float) -> None:
    road = ct.RoadSpline("bend", points=((1, 0, 0), *HAIRPIN[1:-1]), width=10.0)
    hint = beyond + (float(road.shared_table()[0, 3]) if beyond > 0.0 else 0.0)
    for x in MIDDLE:
        s, _ = foot_on(road, (x, 3.0, 0.0), hint)
        assert s == pytest.approx(road.point(x, lane, 0.0).s, abs=0.01)


@pytest.mark.parametrize("hint", [0.0, 35.0, 100.0, 400.0, -300.0])
def test_a_road_may_begin_at_any_station(hint: float) -> None:
    """All stations of a closed road 40 m more: answers are the same, but for the station."""
    table = ct.RoadSpline("loop", points=HAIRPIN, width=10.0, closed=True).shared_table()
    later = table.copy()
    later[1 : 1 + int(table[0, 1]), 0] += 40.0
    for place in ((30.0, 3.0, 0.0), (62.0, 2.0, 1.0), (-8.0, 3.0, 0.0)):
        one, two = road_point(table, hint, *place), road_point(later, hint + 40.0, *place)
        assert np.array(two) - (40.0, *(0.0,) * 12) == pytest.approx(np.array(one), abs=1e-9)


@pytest.mark.parametrize(("lane", "side"), [(0.0, 1.0), (6.0, -1.0)])
def test_a_vehicle_keeps_its_lane_up_to_a_metre_beside_the_road(lane: float, side: float) -> None:
    """Farther off, the nearest lane of all counts, unless it is not nearer by half a percent."""
    half = {point: 2.0 + point[0] / 30.0 for point in HAIRPIN}
    road = ct.RoadSpline("loop", points=HAIRPIN, width=[2.0 * wide for wide in half.values()], closed=True)
    x = 33.0
    here, there = road.point(x, lane, 0.0).s, road.point(x, 6.0 - lane, 0.0).s
    reach = 2.0 + x / 30.0 + 1.0
    for away, found in ((reach - 0.03, here), (reach + 0.03, there)):
        assert foot_on(road, (x, lane + side * away, 0.0), here)[0] == pytest.approx(found, abs=0.01)
    narrow = ct.RoadSpline("loop", points=HAIRPIN, width=3.0, closed=True)
    for away, found in ((3.003, here), (3.03, there), (4.0, there)):
        assert foot_on(narrow, (x, lane + side * away, 0.0), here)[0] == pytest.approx(found, abs=0.01)


@pytest.mark.parametrize("closed", [True, False])
def test_without_a_hint_the_nearest_foot_of_all_is_found(closed: bool) -> None:
    """Against the distances of 4000 places, 0.05 m apart: the nearest of these is at most 0.025^2 / 2 d farther."""
    road = ct.RoadSpline("loop", points=HAIRPIN, width=10.0, closed=closed)
    table = road.shared_table()
    s = np.linspace(0.0, float(table[0, 3]), 4000)
    rows = np.searchsorted(table[1 : 1 + int(table[0, 1]), 0], s, side="right")
    u = (s - table[rows, 0])[:, None] ** np.arange(6)
    line = np.stack([(u * table[rows, first : first + 6]).sum(axis=1) for first in (2, 8, 14)], axis=1)
    for place in np.random.default_rng(5).uniform((-20, -10, -2), (80, 16, 2), (12, 3)):
        found = road.point(*place)
        gap = np.linalg.norm(surface_point(road, np.clip(found.s, 0.0, table[0, 3])).position - place)
        nearest = np.linalg.norm(line - place, axis=1).min()
        assert nearest - 1e-3 <= gap <= nearest + 1e-12


def test_beyond_its_ends_and_beside_it_a_road_says_so() -> None:
    road = ct.RoadSpline("line", points=((0, 0, 0), (10, 0, 1), (20, 0, 2)), width=6.0)
    climb = np.array([10.0, 0.0, 1.0]) / math.sqrt(101.0)
    for ahead, lateral, status in (
        (-3.0, 1.0, BEFORE_START),
        (5.0, -2.9, 0),
        (5.0, 3.1, BESIDE),
        (2.0 * math.sqrt(101.0) + 4.0, -3.5, BESIDE + BEHIND_END),
    ):
        found = road.point(*(ahead * climb + (0.0, lateral, 0.0)))
        assert found.status == status
        assert (found.s, found.lateral) == pytest.approx((ahead, lateral), abs=1e-9)
        assert found.position == pytest.approx(ahead * climb + (0.0, lateral, 0.0), abs=1e-9)
        assert found.normal == pytest.approx((-climb[2], 0.0, climb[0]), abs=1e-12)


# -- surfaces ----------------------------------------------------------------------------------------------------------


def polygon(
    corners: np.ndarray, bank: np.ndarray, twist: np.ndarray, half: np.ndarray, begin: float, closed: bool
) -> np.ndarray:
    """Table of a road of straight pieces, banked by bank + twist u, with widths that jump."""
    ends = np.vstack([corners[1:], corners[:1]]) if closed else corners[1:]
    ways = ends - corners[: len(ends)]
    lengths = np.linalg.norm(ways, axis=1)
    pieces, banks = np.zeros((len(ends), 3, 6)), np.zeros((len(ends), 4))
    pieces[:, :, 0], pieces[:, :, 1] = corners[: len(ends)], ways / lengths[:, None]
    banks[:, 0], banks[:, 1] = bank[: len(ends)], twist[: len(ends)]
    knots = begin + np.concatenate([[0.0], np.cumsum(lengths)])
    widths = np.column_stack([half[: len(ends)], np.zeros(len(ends))])
    return ct.RoadPlane("polygon").curve_table(knots, pieces, banks, widths, closed, True)


def normal_of(way: np.ndarray, bank: float, twist: float, n: float) -> np.ndarray:
    """Of the surface r + n L along a straight line with the bank b: T + n b' N by L, since L' = b' N."""
    tangent, left, normal = plane_axes(math.atan2(way[1], way[0]), math.atan2(way[2], math.hypot(*way[:2])), bank)
    found = np.cross(tangent + n * twist * normal, left)
    return found / np.linalg.norm(found)


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize(("begin", "sharp"), [(0.0, 5), (7.0, 0), (0.0, 2), (0.0, 4)])
def test_the_sharpest_crease_of_a_polygon(begin: float, sharp: int, closed: bool) -> None:
    """Normals of twisted planes in closed form, at both edges and in the middle of every corner.

    A closed road has one corner more, where its last piece meets the first.
    """
    rng = np.random.default_rng(sharp)
    angles = (np.arange(6) + rng.uniform(-0.3, 0.3, 6)) * np.pi / 3.0
    corners = np.column_stack([40.0 * np.cos(angles), 30.0 * np.sin(angles), rng.uniform(-1.0, 1.0, 6)])
    bank, twist, half = rng.uniform(-0.05, 0.05, 6), rng.uniform(-0.01, 0.01, 6), rng.uniform(2.0, 5.0, 6)
    bank[sharp] = 0.8
    table = polygon(corners, bank, twist, half, begin, closed)
    ways = np.diff(np.vstack([corners, corners[:1]]), axis=0)
    lengths = np.linalg.norm(ways, axis=1)
    jumps = {}
    for k in range(6 if closed else 4):
        after = (k + 1) % 6
        jumps[begin + lengths[: k + 1].sum()] = max(
            np.linalg.norm(
                normal_of(ways[k], bank[k] + twist[k] * lengths[k], twist[k], n)
                - normal_of(ways[after], bank[after], twist[after], n)
            )
            for n in (-half[after], 0.0, half[after])
        )
    worst, where = sharpest_crease(table)
    assert worst == pytest.approx(max(jumps.values()), rel=1e-12)
    assert where == pytest.approx(max(jumps, key=lambda s: jumps[s]), rel=1e-12)


def test_a_spline_has_no_crease_and_a_road_with_kerbs_is_no_surface() -> None:
    """Line, bank and their slopes are continuous, hence the normal: what is left is the round-off of 1e-14 per m."""
    road = ct.RoadSpline("loop", points=HAIRPIN, bank=(0.0, *(0.1, 0.2, -0.1) * 9), closed=True)
    assert crease_of(road)[0] < 1e-10
    assert crease_of(road) is crease_of(road)
    with pytest.raises(InputError, match="a road of one surface"):
        crease_of(ct.RoadPlane("road", kerbs=(ct.Kerb(offset=3.0),)))


CLIMB = ((0, 0, 0), (40, 5, 2), (70, 30, 1), (80, 70, 4), (60, 100, 8))
BANKS, WIDTHS = (0.1, 0.3, -0.1, 0.05, 0.2), (6.0, 8.0, 9.0, 5.0, 7.0)


@pytest.mark.parametrize("closed", [True, False])
def test_derivatives_of_a_surface_are_its_differences(closed: bool) -> None:
    """Central differences with h = 1e-4 m: 1e-8 times third derivatives of some 1/100 m2, round-off 1e-14 / 1e-8."""
    table = ct.RoadSpline("climb", points=CLIMB, bank=BANKS, width=WIDTHS, closed=closed).shared_table()
    h = 1e-4
    for s, n in np.random.default_rng(2).uniform((1.0, -4.0), (float(table[0, 3]) - 1.0, 4.0), (10, 2)):
        here, ahead, behind = (np.reshape(surface_jet(table, s + d, n), (5, 3)) for d in (0.0, h, -h))
        left, right = (np.reshape(surface_jet(table, s, n + d), (5, 3)) for d in (h, -h))
        assert here[1] == pytest.approx((ahead[0] - behind[0]) / (2 * h), abs=1e-8)
        assert here[2] == pytest.approx((left[0] - right[0]) / (2 * h), abs=1e-8)
        assert here[3] == pytest.approx((ahead[1] - behind[1]) / (2 * h), abs=1e-8)
        assert here[4] == pytest.approx((ahead[2] - behind[2]) / (2 * h), abs=1e-8)
        assert here[4] == pytest.approx((left[1] - right[1]) / (2 * h), abs=1e-8)


@pytest.mark.parametrize("kind", ["spline", "medusa4"])
def test_a_lead_goes_on_straight_in_the_plane_of_the_first_cross_section(kind: str) -> None:
    """As the first tangent and left axis say; the rest of the road is the road without it."""
    lead, points = 0.8, ((0, 0, 0), (40, 0, 2), (80, 2, 4), (120, 8, 3), (160, 20, 2))
    if kind == "spline":
        make = {"points": points, "bank": BANKS, "width": WIDTHS}
        plain, road = ct.RoadSpline("road", **make), ct.RoadSpline("road", **make, lead=lead)
    else:
        make = {"points": points, "bank": BANKS, "width": 6.0}
        plain, road = RoadMedusa4("road", **make), RoadMedusa4("road", **make, lead=lead)
    first, start = surface_point(plain, 0.0), float(road.shared_table()[1, 0])
    rate = np.linalg.norm(first.along)
    assert -start * rate == pytest.approx(lead, rel=1e-12)
    for share in (0.0, 0.3, 0.99):
        s = (1.0 - share) * start
        for n in (-2.0, 1.5):
            jet = np.reshape(surface_jet(road.shared_table(), s, n), (5, 3))
            assert jet[0] == pytest.approx(first.position + s * first.along + n * first.left, abs=1e-11)
            assert jet[1:3] == pytest.approx(np.array([first.along, first.left]), abs=1e-9)
            assert not jet[3:].any()
        assert width_at(road.shared_table(), s)[0] == 3.0
    for s in np.linspace(0.0, float(plain.shared_table()[0, 3]), 7):
        assert width_at(road.shared_table(), s)[0] == width_at(plain.shared_table(), s)[0]
        assert np.array(surface_jet(road.shared_table(), s, 1.0)) == pytest.approx(
            np.array(surface_jet(plain.shared_table(), s, 1.0)), abs=1e-12
        )


def test_widths_run_straight_between_the_points_and_ends_are_where_they_are() -> None:
    road = ct.RoadSpline("line", points=((0, 0, 0), (10, 0, 0), (30, 0, 0)), width=(6.0, 8.0, 4.0))
    for s, half, inside in ((2.5, 3.25, 2.5), (20.0, 3.0, 10.0), (35.0, 2.0, -5.0), (-1.0, 3.0, -1.0)):
        assert width_at(road.shared_table(), s) == pytest.approx((half, inside), rel=1e-9)
    loop = ct.RoadSpline("loop", points=HAIRPIN, width=10.0, closed=True)
    assert width_at(loop.shared_table(), -3.0) == (5.0, 1e30)
    assert width_at(ct.RoadPlane("plane", width=7.0).shared_table(), 1e3) == (3.5, 1e30)


# -- the road of 1999 --------------------------------------------------------------------------------------------------


def test_the_road_of_1999_goes_through_its_points_and_marches_on_without_a_kink() -> None:
    """The cubic of the first four is Lagrange's; behind it value, slope and bend of a segment go on in the next."""
    points = np.random.default_rng(4).normal(size=(7, 3))
    segments = marched_segments(points)
    assert segments[:, 0] == pytest.approx(points[:-1], abs=1e-13)
    assert segments.sum(axis=1) == pytest.approx(points[1:], abs=1e-12)
    ends = np.array(
        [[c @ [1, 1, 1, 1], c @ [0, 1, 2, 3], c @ [0, 0, 2, 6]] for c in np.swapaxes(segments, 1, 2)[None][0]]
    )
    starts = np.stack([segments[:, 0], segments[:, 1], 2.0 * segments[:, 2]], axis=1)
    assert ends[:-1] == pytest.approx(starts[1:], abs=1e-10)
    cubic = np.polynomial.Polynomial.fit(np.arange(4.0), points[:4, 0], 3).convert().coef
    assert segments[0, :, 0] == pytest.approx(cubic, abs=1e-10)
    assert segments[:3, 3] == pytest.approx(np.tile(segments[0, 3], (3, 1)), abs=1e-12)


def test_a_road_of_1999_that_folds_says_between_which_points() -> None:
    """Whether a segment runs back is seen on a thousand places of it."""
    rng, t, folded = np.random.default_rng(8), np.linspace(0.0, 1.0, 1001), 0
    for _ in range(20):
        points = np.cumsum(rng.uniform((1.0, -3.0, -0.1), (20.0, 3.0, 0.1), (6, 3)), axis=0)
        segments, chords = marched_segments(points), np.diff(points, axis=0)
        slopes = (np.stack([0 * t, 1 + 0 * t, 2 * t, 3 * t**2]).T @ segments) @ chords[:, :, None]
        lowest = slopes[:, :, 0].min(axis=1)
        if np.abs(lowest).min() < 1e-2:
            continue  # too near to say
        assert runs_back(segments, points).tolist() == (lowest < 0.0).tolist()
        road = RoadMedusa4("road", points=tuple(map(tuple, points.tolist())), bank=(0.0,) * 6)
        if not (lowest < 0.0).any():
            assert road.fold() == 0 and not road.faults()
            continue
        folded += 1
        first = 1 + int(np.argmax(lowest < 0.0))
        (fault,) = road.faults()
        assert fault.path == "road.points"
        assert fault.what == f"the spline of 1999 folds back between points {first} and {first + 1}"
        assert fault.got == road.points[first - 1]
    assert folded > 3


def test_points_on_a_line_fold_only_in_their_parameter() -> None:
    points = np.array([(0, 0, 0), (100, 0, 10), (500, 0, 50), (1000, 0, 100)], dtype=float)
    assert is_straight(points) and runs_back(marched_segments(points), points).any()
    road = RoadMedusa4("road", points=tuple(map(tuple, points.tolist())))
    assert road.fold() == 0 and not road.faults()
    for s, x in ((0.5 / 3.0, 50.0), (0.5, 300.0), (2.5 / 3.0, 750.0)):
        assert surface_point(road, s).position == pytest.approx((x, 0.0, 0.1 * x), rel=1e-12)
    assert not is_straight(points[[0, 2, 1, 3]]) and not is_straight(points + np.diag([0, 0, 1e-3, 0])[:, :3])


def test_banks_of_1999_run_straight_between_the_points_and_do_not_twist_the_normal() -> None:
    """On a level straight road L = (0, cos b, sin b) and N = (0, -sin b, cos b), at every offset."""
    x, banks = np.array([0.0, 9.0, 21.0, 30.0, 38.0]), (0.1, 0.3, -0.1, 0.05, 0.2)
    road = RoadMedusa4("road", points=tuple((a, 0.0, 0.0) for a in x.tolist()), bank=banks, width=8.0)
    cubic = np.polynomial.Polynomial.fit(np.arange(4.0), x[:4], 3)
    for t in (0.0, 0.4, 1.0, 1.7, 2.5, 2.9, 3.6):
        bank = float(np.interp(t, np.arange(5.0), banks))
        line = surface_point(road, t / 3.0)
        assert line.left == pytest.approx((0.0, math.cos(bank), math.sin(bank)), abs=1e-12)
        if t <= 3.0:
            assert line.position == pytest.approx((cubic(t), 0.0, 0.0), abs=1e-10)
        found = road.point(*(line.position + 3.0 * line.left))
        assert (found.s, found.lateral) == pytest.approx((t / 3.0, 3.0), abs=1e-9)
        assert found.tangent == pytest.approx((1.0, 0.0, 0.0), abs=1e-12)
        assert found.normal == pytest.approx((0.0, -math.sin(bank), math.cos(bank)), abs=1e-9)
    assert [road.point(a, 0.0, 0.0).status for a in (-1.0, 1.0, 37.0, 39.0)] == [BEFORE_START, 0, 0, BEHIND_END]


@pytest.mark.parametrize(
    ("change", "path", "word"),
    [
        ({"points": HAIRPIN[:3]}, "road.points", "four road points or more"),
        ({"points": ((0, 0, 0), (0, 0, 0), *HAIRPIN[1:3])}, "road.points", "two neighbouring points are the same"),
        ({"bank": (0.0,) * 3}, "road.bank", "one bank per point"),
    ],
)
def test_a_road_of_1999_needs_four_points_and_their_banks(change: dict, path: str, word: str) -> None:
    good = {"points": ((0, 0, 0), (10, 1, 0), (20, 1, 0), (30, 0, 0)), "bank": (0.0,) * 4}
    assert not RoadMedusa4("road", **good).faults()
    assert (path, word) in [(fault.path, fault.what) for fault in RoadMedusa4("road", **(good | change)).faults()]
    with pytest.raises(InputError, match=word):
        RoadMedusa4("road", **(good | change)).table()


# -- how it is drawn ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("falls", [True, False])
def test_faces_of_kerbs_and_the_ground_beyond_lie_where_a_wheel_finds_them(falls: bool) -> None:
    """Every corner that is drawn is at the height of the ground there, to the 1e-4 m to which drawings are rounded.

    Along the normal, at the offset of the corner: along the face it is a slope, h = rise o / w.
    """
    make = {"origin": (3.0, 1.0, 2.0), "heading": 0.4, "slope": 0.05, "bank": 0.03, "width": 7.0}
    beside = {"kerbs": (ct.Kerb(offset=4.0, height=0.15, s_from=-20.0, s_to=90.0),)}
    rises = {1.0: (4.0, FACE, 0.15), -1.0: (-5.0, 4.0, 1.0)}
    if falls:
        beside["embankments"] = (ct.Embankment(offset=-5.0, depth=2.0, run=6.0),)
        rises[-1.0] = (-5.0, 6.0, -2.0)
    else:
        beside["embankments"] = (ct.Embankment(offset=-5.0, depth=-1.0, run=4.0),)
    road = ct.RoadPlane("road", **make, **beside)
    tangent, left, normal = plane_axes(0.4, 0.05, 0.03)
    reached, strips = {}, []
    for ribbon in road_visuals(road):
        corners = [np.array(edge) - make["origin"] for edge in (ribbon.right, ribbon.left)]
        offsets = [corner @ left for corner in corners]
        assert (offsets[0] < offsets[1] + 1e-3).all(), "right is right of left"
        if ribbon.colour == "line":
            continue
        strips.append((offsets[0].min(), offsets[1].max()))
        for corner, offset in zip(corners, offsets, strict=True):
            side = float(np.sign(offset[0]))
            line, wide, rise = rises[side]
            out = np.clip(side * (offset - line) / wide, 0.0, 1.0)
            # rounded in three directions; over a face that is steep by 0.15 in 0.05 three times as much
            assert corner @ normal == pytest.approx(rise * out, abs=4e-4)
            s = corner @ tangent
            far = (side, ribbon.colour)
            reached[far] = max(reached.get(far, 0.0), np.abs(offset).max())
            if side > 0.0 and np.abs(offset).max() > 4.5:
                assert not falls or ribbon.colour != "asphalt"
                assert s.min() >= -20.001 and s.max() <= 90.001
    beyond = 60.0 if falls else 10.0  # the plain of the viewer must not show below ground that is higher than it
    colours = {colour for _, colour in reached}
    assert len(colours) == 3
    ground = {side: max(reach for (which, _), reach in reached.items() if which == side) for side in (-1.0, 1.0)}
    for side, (line, wide, _) in rises.items():
        assert ground[side] == pytest.approx(abs(line) + wide + beyond, abs=1e-3)
    if falls:  # then nothing else is drawn there: no gap between the road and its kerbs
        end = min(strips)[0]
        for right, left in sorted(strips):
            assert right <= end + 1e-3
            end = max(end, left)


def test_steps_of_one_side_are_drawn_on_top_of_each_other() -> None:
    """An edge of 0.2 m, then a slope of 2 m: its foot was drawn 2.0 m below the road, where wheels find 2.2. Corners at
    a face are looked at a millimetre outwards, where the ground is the one behind it."""
    road = ct.RoadPlane(
        "road",
        width=6.0,
        edges=(ct.Edge(offset=-3.0, drop=0.2), ct.Edge(offset=3.0, drop=0.1)),
        embankments=(ct.Embankment(offset=-6.0, depth=2.0, run=4.0), ct.Embankment(offset=9.0, depth=-1.0, run=2.0)),
    )
    lowest = 0.0
    for ribbon in (item for item in road_visuals(road) if item.colour != "line"):
        for x, y, z in (*ribbon.right, *ribbon.left):
            around = [road.point_below(x, y + d).position[2] for d in (-1e-3, 0.0, 1e-3)]
            assert min(around) - 6e-4 <= z <= max(around) + 6e-4  # places are rounded to 1e-4, over slopes of 5 at most
            lowest = min(lowest, z)
    assert lowest == pytest.approx(-2.2, abs=1e-4)


def test_a_kerb_shorter_than_two_sections_is_not_drawn_and_a_level_plane_is_the_ground() -> None:
    assert road_visuals(ct.RoadPlane("road")) == []
    with_kerb = road_visuals(ct.RoadPlane("road", width=8.0, kerbs=(ct.Kerb(offset=4.0, s_from=0.5, s_to=1.0),)))
    assert len(with_kerb) == len(road_visuals(ct.RoadPlane("road", width=8.0)))


def test_a_drawn_curve_lies_on_its_surface() -> None:
    """Edges of the ribbon are r + n L at its half width; corners are rounded to 1e-4 m."""
    road = ct.RoadSpline("climb", points=CLIMB, bank=BANKS, width=6.0)
    ribbon = road_visuals(road)[0]
    for side, edge in ((-3.0, ribbon.right), (3.0, ribbon.left)):
        for place in edge[2:-2:17]:
            found = road.point(*place)
            assert found.lateral == pytest.approx(side, abs=2e-4)
            assert found.position == pytest.approx(place, abs=2e-4)
