"""Kerbs, edges, embankments and terrain: heights, slopes, the circle of a wheel over a corner, faults."""

from __future__ import annotations

import math

import numpy as np
import pytest

import centrode as ct
from centrode.parts.roads.steps import FACE, TREAD, step_height

ROAD = ct.RoadPlane(
    "road",
    kerbs=(ct.Kerb(offset=3.0, height=0.12),),
    edges=(ct.Edge(offset=-3.0, drop=0.2, s_from=0.0, s_to=50.0),),
    embankments=(ct.Embankment(offset=-6.0, depth=2.0, run=4.0),),
)


def test_heights_beside_a_road():
    """Ground is higher beyond the kerb, lower beyond the edge and at the foot of the slope."""
    heights = {y: float(ROAD.point_below(10.0, y).position[2]) for y in (0.0, 3.0 + FACE, 5.0, -4.0, -8.0, -12.0)}
    assert heights == pytest.approx({0.0: 0.0, 3.0 + FACE: 0.12, 5.0: 0.12, -4.0: -0.2, -8.0: -1.2, -12.0: -2.2})
    assert ROAD.point_below(60.0, -4.0).position[2] == pytest.approx(0.0)  # the edge has ended
    slope = ROAD.point_below(10.0, -8.0).normal
    assert slope == pytest.approx(np.array([0.0, -0.5, 1.0]) / math.sqrt(1.25))  # down to the right by 2 in 4


def test_a_wheel_rolls_over_a_kerb_on_a_circle():
    """Head-on the hub of a wheel of radius R keeps the distance R from the corner, as far as the tread is narrow
    beside R: b^2 = R^2 + b_0^2 instead of R^2 makes the circle an ellipse by 3.5 %."""
    table, radius = ROAD.shared_table(), 0.3
    b = math.hypot(radius, TREAD)
    for x in np.linspace(0.0, 0.7, 8):
        height, slope = step_height(table, 10.0, 3.0 + FACE - x * b, radius, 1.0)
        hub = 0.3 + height
        assert math.hypot(x * radius, hub - 0.12) == pytest.approx(radius, rel=1e-12)
        step = 1e-7
        ahead, _ = step_height(table, 10.0, 3.0 + FACE - x * b + step, radius, 1.0)
        behind, _ = step_height(table, 10.0, 3.0 + FACE - x * b - step, radius, 1.0)
        if x > 0.0:
            assert slope == pytest.approx((ahead - behind) / (2.0 * step), rel=1e-5)
    assert step_height(table, 10.0, 3.0 + FACE - 1.01 * b, radius, 1.0) == (0.0, 0.0)


def test_a_wheel_beside_a_kerb_does_not_feel_it():
    """Along the kerb only the tread counts."""
    table = ROAD.shared_table()
    assert step_height(table, 10.0, 3.0 + FACE - 0.1, 0.3, 0.0) == (0.0, 0.0)
    assert step_height(table, 10.0, 3.0 + FACE - 0.1, 0.3, 1.0)[0] > 0.05


def test_a_wheel_leaves_an_edge_on_its_round():
    """Heights fall from the road to the lower ground without a jump."""
    table = ROAD.shared_table()
    heights = [step_height(table, 10.0, y, 0.3, 1.0)[0] for y in np.linspace(-2.9, -3.5, 601)]
    assert heights[0] == 0.0 and heights[-1] == -0.2
    assert np.abs(np.diff(heights)).max() < 0.004


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"kerbs": (ct.Kerb(offset=3.0, height=-0.1),)}, "must be positive"),
        ({"edges": (ct.Edge(offset=3.0, s_from=2.0, s_to=1.0),)}, "ends before it starts"),
        ({"embankments": (ct.Embankment(offset=3.0, run=0.1),)}, "no slope"),
        ({"embankments": (ct.Embankment(offset=3.0, depth=0.0),)}, "no slope"),
        ({"edges": (ct.Edge(offset=3.0, drop=0.0),)}, "must be positive"),
        ({"kerbs": (ct.Kerb(offset=math.nan),)}, "not a finite number"),
    ],
)
def test_steps_that_are_none(change, word):
    with pytest.raises(ct.InputError, match=word):
        ct.RoadPlane("road", **change).checked()


@pytest.mark.parametrize("depth", [-1.0, 0.5, 1.0, 2.0])
def test_slopes_of_any_depth_up_and_down(depth):
    road = ct.RoadPlane("road", embankments=(ct.Embankment(offset=6.0, depth=depth, run=4.0),)).checked()
    assert road.point_below(0.0, 8.0).position[2] == pytest.approx(-0.5 * depth, abs=1e-12)


def grid(folder, function, shuffle=False):
    x, y = np.meshgrid(np.arange(-3.0, 5.0, 0.5), np.arange(-2.0, 4.0, 0.25))
    points = np.column_stack([x.ravel(), y.ravel(), function(x, y).ravel()])
    if shuffle:
        np.random.default_rng(1).shuffle(points)
    np.savetxt(folder / "t.csv", points, delimiter=",", header="x,y,z", comments="")
    return ct.RoadTerrain("t", file=str(folder / "t.csv"))


def test_terrain_from_a_grid(tmp_path):
    """The spline is exact for polynomials of the second degree within the grid, in value and slope."""
    road = grid(tmp_path, lambda x, y: 0.3 + 0.1 * x - 0.2 * y + 0.05 * x * x + 0.02 * x * y - 0.03 * y * y, True)
    for x, y in ((0.13, 0.41), (1.99, 2.07), (-1.7, -0.6)):
        point = road.point(x, y, 5.0)
        assert point.position[2] == pytest.approx(0.3 + 0.1 * x - 0.2 * y + 0.05 * x * x + 0.02 * x * y - 0.03 * y * y)
        slopes = np.array([0.1 + 0.1 * x + 0.02 * y, -0.2 + 0.02 * x - 0.06 * y])
        assert -point.normal[:2] / point.normal[2] == pytest.approx(slopes)
        assert point.status == 0
    assert road.point(50.0, 0.0, 0.0).status == 1


def test_terrain_from_triangles(tmp_path):
    """Faces of an .obj file are laid on a grid; of two floors the upper one is the ground."""
    text = "v 0 0 0\nv 4 0 2\nv 4 4 2\nv 0 4 0\nf 1 2 3 4\nv 0 0 -1\nv 4 0 -1\nv 4 4 -1\nf -3 -2/1 -1\n"
    (tmp_path / "t.obj").write_text(text)
    road = ct.RoadTerrain("t", file=str(tmp_path / "t.obj"), origin=(10.0, 0.0, 1.0))
    point = road.point(12.0, 2.0, 9.0)
    assert point.position == pytest.approx([12.0, 2.0, 2.0])
    assert point.normal == pytest.approx(np.array([-0.5, 0.0, 1.0]) / math.sqrt(1.25))


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [
        ("t.csv", "x,y,z\n0,0,0\n1,0,0\n0,1,0\n", "no grid"),
        ("t.csv", "0,0,0\n1,0,0\n0,1,0\n1,1,a\n", "not a number"),
        ("t.csv", "0,0,0\n1,0\n", "not a point"),
        ("t.csv", "0,0,0\n1,0,0\n3,0,0\n0,1,0\n1,1,0\n3,1,0\n", "not even"),
        ("t.obj", "v 0 0 0\nv 1 0 0\n", "no faces"),
        ("t.obj", "v 0 0 zero\n", "not a line"),
        ("t.txt", "", "unknown kind of file"),
    ],
)
def test_terrain_that_is_none(tmp_path, name, text, word):
    (tmp_path / name).write_text(text)
    with pytest.raises(ct.InputError, match=word):
        ct.RoadTerrain("t", file=str(tmp_path / name)).table()


def test_terrain_that_is_not_there(tmp_path):
    with pytest.raises(ct.InputError, match="cannot read"):
        ct.RoadTerrain("t", file=str(tmp_path / "no.csv")).table()
