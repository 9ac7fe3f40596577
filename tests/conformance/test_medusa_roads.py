"""Roads of the report beyond its table: the virtual segment, more than four points, folds, and both ends.

Source: MEDUSA report (1999), section 1.3. The march (1.35), (1.36) is written here once more, for one coordinate, as
the linear system that it solves.
"""

import math
import re
from pathlib import Path

import numpy as np
import pytest

import centrode as ct
from centrode.cli.main import run
from centrode.errors import InputError
from centrode.parts.roads.contract import BEFORE_START, BEHIND_END
from centrode.parts.roads.medusa4 import RoadMedusa4
from centrode.parts.roads.spline import RoadSpline
from centrode.scenario.medusa.reader import parse_road
from centrode.scenario.medusa.records import LegacyRoad

MODELS = (Path(__file__).parent / "data" / "medusa_inputs" / "offset" / "model.dat").read_text()
BENT = ((0.0, 0.0, 0.0), (80.0, 5.0, 1.0), (160.0, 3.0, 2.0), (250.0, 10.0, 2.0), (330.0, 12.0, 1.0), (400.0, 2.0, 0.0))


def spline_of_the_report(y):
    """4 h unknowns a, b, d, e of each segment: positions at both ends, C1 and C2 at inner points, and one cubic first.

    The cubic through the first four points gives both derivatives at the fourth: so segments 1 to 3 have equal e.
    """
    h = len(y) - 1
    rows, right = [], []

    def add(terms, value):
        row = np.zeros(4 * h)
        for segment, coefficients in terms:
            row[4 * segment : 4 * segment + 4] += coefficients
        rows.append(row)
        right.append(value)

    for i in range(h):
        add([(i, [1, 0, 0, 0])], y[i])
        add([(i, [1, 1, 1, 1])], y[i + 1])
    for i in range(1, h):
        add([(i - 1, [0, 1, 2, 3]), (i, [0, -1, 0, 0])], 0.0)
        add([(i - 1, [0, 0, 2, 6]), (i, [0, 0, -2, 0])], 0.0)
    for i in (1, 2):
        add([(i - 1, [0, 0, 0, 1]), (i, [0, 0, 0, -1])], 0.0)
    return np.linalg.solve(np.array(rows), np.array(right)).reshape(h, 4)


def test_more_than_four_points_are_marched_as_the_report_writes():
    """1e-9 m: the march multiplies round-off by 2 + sqrt(3) in each of two segments."""
    banks = (0.0, 0.1, -0.1, 0.05, 0.02, 0.0)
    road = RoadMedusa4("road", points=BENT, bank=banks, lead=20.0)
    wanted = np.stack([spline_of_the_report(y) for y in np.array(BENT).T], axis=2)
    table = road.table()
    for segment in range(5):
        for t in (0.0, 0.3, 0.8, 1.0):
            place = t ** np.arange(4) @ wanted[segment]
            tangent = (np.arange(4) * t ** np.maximum(np.arange(4) - 1, 0)) @ wanted[segment]
            u = t / 3.0
            row = table[2 + segment]
            got = [row[first : first + 6] @ u ** np.arange(6) for first in (2, 8, 14)]
            assert got == pytest.approx(place, abs=1e-9)
            foot = road.point(*place, hint=(segment + t) / 3.0)
            assert foot.position == pytest.approx(place, abs=1e-9)
            assert foot.tangent == pytest.approx(tangent / np.linalg.norm(tangent), abs=1e-9)
            bank = banks[segment] + t * (banks[segment + 1] - banks[segment])
            left = np.array([-foot.tangent[1], foot.tangent[0], 0.0])
            left /= np.linalg.norm(left)
            normal = math.cos(bank) * np.cross(foot.tangent, left) - math.sin(bank) * left
            assert foot.normal == pytest.approx(normal, abs=1e-9)


def test_four_points_or_fewer_banks_are_said():
    with pytest.raises(InputError, match="four road points or more"):
        RoadMedusa4("road", points=BENT[:3], bank=(0.0,) * 3).table()
    with pytest.raises(InputError, match="one bank per point"):
        RoadMedusa4("road", points=BENT).table()


@pytest.mark.parametrize("original", [True, False])
def test_virtual_segment_is_straight_and_as_long_as_the_first(original):
    road = LegacyRoad(tuple((*point, 3.0) for point in BENT)).part(original=original)
    assert isinstance(road, RoadMedusa4 if original else RoadSpline)
    first, length = road.point(*BENT[0]), math.dist(*BENT[:2])
    for back in (0.1, 0.5, 0.999):
        there = road.point(*(first.position - back * length * first.tangent))
        assert there.status == 0
        assert there.position == pytest.approx(first.position - back * length * first.tangent, abs=1e-9)
        assert there.normal == pytest.approx(first.normal, abs=1e-9)
    assert road.point(*(first.position - 1.01 * length * first.tangent)).status == BEFORE_START
    last = road.point(*BENT[-1])
    assert road.point(*(last.position + 0.1 * last.tangent)).status == BEHIND_END


def test_a_straight_road_does_not_fold_and_a_bent_one_that_does_is_refused():
    """x = 0, 100, 500, 1000: the cubic runs back to x = -14.5; a place at -30 was moved there."""
    line = RoadMedusa4("road", points=tuple((x, 0.0, 0.0) for x in (0.0, 100.0, 500.0, 1000.0)), lead=100.0)
    for x in (-99.0, -30.0, -5.0, 0.0, 50.0, 700.0, 1000.0):
        foot = line.point(x, 2.0, 0.5)
        assert foot.position == pytest.approx([x, 2.0, 0.0], abs=1e-9)
        assert foot.tangent == pytest.approx([1.0, 0.0, 0.0]) and foot.status == 0
    bent = ((0.0, 0.0, 0.0), (100.0, 1.0, 0.0), (500.0, 0.0, 0.0), (1000.0, 0.0, 0.0))
    with pytest.raises(InputError, match=r"folds back between points 1 and 2.*--road smooth"):
        RoadMedusa4("road", points=bent).table()
    assert isinstance(LegacyRoad(tuple((*point, 0.0) for point in bent)).part(), RoadSpline)


@pytest.fixture
def deck(tmp_path, monkeypatch):
    """Write a deck of one car and run it."""
    monkeypatch.chdir(tmp_path)

    def written(road, *options, x=0.0, y=0.0, heading=0.0, speed=20.0):
        (tmp_path / "model.dat").write_text(MODELS)
        place = f"X {x}\n Y {y} ORIENTATION {heading} SPEED {speed} TIRE_SPEED 0 STEERING 0\n"
        (tmp_path / "platoon.dat").write_text(f"NUMBER_OF_VEHICLES 1\n\nVEHICLE_HAS_MODEL 1 INITIALLY_WITH\n {place}")
        lines = "\n".join(" ".join(map(str, point)) for point in road)
        (tmp_path / "road.dat").write_text(f"NUMBER_OF_POINTS: {len(road)}\nXYZ_COORDINATES_&_ANGLE:\n{lines}\n")
        return run(["medusa", "-t.2", "-s.1", *options])

    return written


PLAIN = tuple((x, 0, 0, 0) for x in (0.0, 100.0, 500.0, 1000.0))


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize(
    ("x", "where", "place"),
    [
        (-150.0, "before", "behind (-100, 0), where the road begins: a straight virtual segment (1.3.3)"),
        (1010.0, "beyond the end of", "before (1000, 0), the last point of road.dat"),
    ],
)
def test_a_start_off_the_road_is_refused_with_file_and_line(deck, capsys, x, where, place, listed):
    """X -150 began at -14 without a word; later it was '100 m before the first point', wherever that is."""
    assert deck(PLAIN, *(["--listed"] if listed else []), x=x) == 2
    said = capsys.readouterr().err
    assert f"vehicle 1 starts {where} the road" in said
    assert re.search(r"platoon\.dat.{0,9}\b3\b", said) and f"X {x:g}" in said and place in said


def test_the_virtual_segment_is_named_where_it_begins_and_where_it_was_level(deck, capsys):
    """Along the first tangent: of a road at 45 degrees, 141.4 m long at first, it begins at (-100, -100)."""
    oblique = tuple((x, x, 0, 0) for x in (0.0, 100.0, 500.0, 1000.0))
    assert deck(oblique, x=-150.0, y=-150.0) == 2
    assert "behind (-100, -100), where" in capsys.readouterr().err
    leaning = tuple((x, 0, 0, 4) for x in (0.0, 100.0, 500.0, 1000.0))
    assert deck(leaning, x=-60.0) == 0
    assert "car1 starts on the virtual segment (1.3.3), 60 m before point 1" in capsys.readouterr().err
    assert deck(leaning, x=60.0) == 0
    assert deck(PLAIN, x=-60.0) == 0
    assert "virtual" not in capsys.readouterr().err


def test_a_start_on_the_virtual_segment_begins_there(deck, tmp_path):
    assert deck(PLAIN, x=-60.0) == 0
    assert np.loadtxt(tmp_path / "director.asc")[[0, -1], 1] == pytest.approx([-60.0, -56.0], abs=1e-3)


def test_leaving_the_road_is_said(deck, capsys, tmp_path):
    assert deck(PLAIN, x=997.0) == 0
    assert "car1 left the road beyond its last point at 0.2 s" in capsys.readouterr().err
    assert deck(PLAIN, x=900.0) == 0
    assert capsys.readouterr().err == ""


def test_a_spline_of_1999_that_folds_is_refused_with_file_and_line(deck, capsys):
    """road.points, without a line. The march grows by 2 + sqrt(3) from segment to segment."""
    wave = tuple((50.0 * k, 2.0 * math.sin(k / 3), 0, 0) for k in range(24))
    assert deck(wave, "--road", "report") == 2
    said = capsys.readouterr().err
    number, line = map(int, re.search(r"road\.dat:(\d+).*between points (\d+) and", said).groups()[::-1])
    assert line == 3 + number  # behind two lines of keywords; where the segment ends
    assert deck(wave, "--road", "smooth") == 0


def test_leaving_the_road_sideways_is_said(deck, capsys, tmp_path):
    """A car went on 125 m beside the line without a word, on a banked road 5 m above it."""
    assert deck(PLAIN, "--record", str(tmp_path / "run.nc"), x=500.0, y=-19.0, heading=-90.0) == 0
    said = "car1 left the road sideways, 21 m from its line, at 0.1 s"
    assert said in capsys.readouterr().err
    assert said in ct.Recording.load(tmp_path / "run.nc").summary()
    assert deck(PLAIN, "--width", "60", x=500.0, y=-19.0, heading=-90.0) == 0
    assert capsys.readouterr().err == ""


def test_roads_of_more_points_are_chosen_and_named(deck, capsys, tmp_path):
    road = tuple((*point, 0.0) for point in BENT)
    path = {}
    for style in ("smooth", "report"):
        assert deck(road, "--road", style, x=200.0) == 0
        assert f"- road: {'smooth spline' if style == 'smooth' else 'spline of 1999'}" in capsys.readouterr().out
        path[style] = np.loadtxt(tmp_path / "director.asc")[-1, 3]
    assert abs(path["smooth"] - path["report"]) > 1e-4
    assert deck(road, "--road", "reprot") == 2
    assert parse_road((tmp_path / "road.dat").read_text()).points == road
