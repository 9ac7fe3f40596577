"""Roads of 1999 whose line swings away between its points are told, with the place and by how much; others are not."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from medusa_deck import level, write_deck

from centrode.cli.main import run
from centrode.scenario.medusa.records import LegacyRoad
from centrode.scenario.medusa.swings import swing_notes
from centrode.system.builder import System
from centrode.vehicles.platoon import add_legacy, read_legacy

STEP_UP = ((0, 0, 0, 0), (100, 0, 0, 0), (110, 0, 2, 0), (200, 0, 2, 0), (300, 0, 2, 0), (400, 0, 2, 0))


def arc(radius: float, step: float, count: int) -> list[tuple[float, ...]]:
    angles = np.arange(count) * step / radius
    return [(radius * math.sin(a), radius * (1 - math.cos(a)), 0.0, 0.0) for a in angles]


def notes_of(folder, points) -> list[str]:
    write_deck(folder, {"x": points[0][0] + 5.0, "y": points[0][1]}, road=level(*points))
    system = System()
    add_legacy(system, *read_legacy(folder))
    return [note for note in system.notes if "overshoots" in note]


def test_cars_drive_through_the_swing_that_is_told(tmp_path, monkeypatch, capsys):
    """2 m up within 10 m: the smooth spline dips to -11.8 m before them, without a word. The car shows the same place:
    its own height over the line, 0.05 m, and what its springs give in the dip (v^2 / R = 1.2 m/s^2: 5 cm) are less."""
    monkeypatch.chdir(tmp_path)
    write_deck(tmp_path, {"x": 5, "speed": 10}, road=level(*STEP_UP))
    assert run(["medusa", "-t8", "-s.05", "-d1e-4", "--quiet"]) == 0
    said = capsys.readouterr().err
    found = re.search(r"road.dat:3: between points 1 and 2 .* up to ([\d.]+) m .* at \(([-\d.]+), 0, ([-\d.]+)\)", said)
    away, x, z = map(float, found.groups())
    places = np.loadtxt("director.asc")[:, 1:4]
    lowest = places[places[:, 2].argmin()]
    assert away == pytest.approx(-z, rel=0.02)
    assert (x, z) == pytest.approx((lowest[0], lowest[2]), abs=3.0) and abs(z - lowest[2]) < 0.15
    assert "swings on 2 more stretches" in said


@pytest.mark.parametrize(("radius", "step"), [(100, 20), (100, 50), (200, 50), (50, 20)])
def test_bends_with_points_enough_are_not_told(tmp_path, radius, step):
    straight = [(x, 0.0, 0.0, 0.0) for x in (-3.0 * step, -2.0 * step, -1.0 * step)]
    assert notes_of(tmp_path, arc(radius, step, 10)) == []
    assert notes_of(tmp_path, arc(radius, step, 4)) == []
    assert notes_of(tmp_path, [*straight, *arc(radius, step, 8)]) == []


def test_a_lane_change_of_four_points_swings_a_metre_to_the_other_side(tmp_path):
    """y = 0, 0, 4, 4 at even x is the cubic 2 t (t - 1) - (4/3) t (t - 1) (t - 2): -1 at t = 1/2."""
    (said,) = notes_of(tmp_path, [(0, 0, 0, 0), (100, 0, 0, 0), (200, 4, 0, 0), (300, 4, 0, 0)])
    away = float(re.search(r"up to ([\d.]+) m", said).group(1))
    t = np.linspace(0, 1, 1001)
    assert away == pytest.approx(np.abs(2 * t * (t - 1) - 4 / 3 * t * (t - 1) * (t - 2)).max(), rel=0.01)


@pytest.mark.parametrize(("more", "told"), [(0.0, False), (0.2, False), (0.4, True)])
def test_the_bow_of_an_arc_is_half_a_chord_times_the_tangent_of_a_quarter_turn(more, told):
    """On a circle R (1 - cos(theta/2)) = L/2 tan(theta/4), L = 2 R sin(theta/2); 0.25 m beyond it is a swing."""
    points = arc(100.0, 10.0, 6)
    places = np.linspace(0, 1, 21)
    line = np.array(
        [
            [((100 + more * 4 * s * (1 - s)) * math.sin(a), 100 - (100 + more * 4 * s * (1 - s)) * math.cos(a), 0.0)
             for s, a in zip(places, (k + places) * 0.1, strict=True)]
            for k in range(5)
        ]
    )  # fmt: skip
    said = swing_notes(LegacyRoad(tuple(points)), line)
    assert bool(said) is told
    if told:
        bow = 100 * (1 - math.cos(0.05))
        assert f"up to {bow + more:.3g} m" in said[0] and f"account for {bow:.2g} m" in said[0]
        assert "4 more stretches" in said[0]
