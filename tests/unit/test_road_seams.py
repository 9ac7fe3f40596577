"""The foot on a spline road is found from a hint that lies on, or a hair beside, the border of two pieces."""

from __future__ import annotations

import pytest

from centrode.parts.roads.spline import RoadSpline

POINTS = [[0, 0, 0], [120, 0, 0], [200, 50, 1], [200, 120, 2], [120, 170, 2], [0, 170, 1], [-80, 120, 0], [-80, 50, 0]]
HAIRS = (0.0, 1e-20, 1e-13, 1e-9, 9e-8, 1e-6)


@pytest.mark.parametrize("side", (1.0, -1.0), ids=["behind", "before"])
@pytest.mark.parametrize("hair", HAIRS)
def test_a_hint_beside_a_border_leads_over_it(hair: float, side: float) -> None:
    """The walk took a step that the border had cut to nothing for its end: the foot was metres off, the tangent too.

    A car that starts at station 0 of a circuit has such a hint. The answer is compared with that from a hint 3 m away:
    the walk ends where its steps are shorter than 1e-7 m, and Newton's next one would be below round-off of the
    hundred metres of the places, 1e-14 relative: 1e-9 m leaves a factor of a thousand.
    """
    road = RoadSpline("track", points=POINTS, closed=True, width=10.0)
    table = road.shared_table()
    length, borders = float(table[0, 3]), [float(item) for item in table[1 : 1 + int(table[0, 1]), 0]]
    for border, place in zip(borders, POINTS, strict=True):
        seam = road.point(*place, border)
        for away in (-2.0, 2.0):
            point = seam.position + away * seam.tangent
            found, wanted = road.point(*point, border + side * hair), road.point(*point, border + 1.5 * away)
            gap = (found.s - wanted.s + 0.5 * length) % length - 0.5 * length
            assert abs(gap) < 1e-9, f"at the border {border:g}, {away:+g} m"
            assert found.tangent == pytest.approx(wanted.tangent, abs=1e-9)
