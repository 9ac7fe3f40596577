"""The road table of the 1999 program on the banked example: tracking point 1e-6 m, tangent and normal 1e-6 rad."""

import math
from pathlib import Path

import numpy as np
import pytest

from centrode.parts.roads.contract import RoadPoint
from centrode.parts.roads.medusa4 import RoadMedusa4
from centrode.parts.roads.road_point import road_point

TABLE = Path(__file__).parent / "data" / "medusa_road_banked.csv"


@pytest.mark.parametrize("use_hint", [True, False])
def test_road_table_of_the_report(use_hint):
    rows = np.genfromtxt(TABLE, delimiter=",", names=True)
    road = RoadMedusa4(
        "banked",
        points=((0.0, 0.0, 0.0), (30.0, 0.0, 0.0), (60.0, 0.0, 0.0), (90.0, 0.0, 0.0)),
        bank=tuple(math.radians(angle) for angle in (5.0, 2.5, -4.0, 0.0)),
    )
    table = road.table()
    for row in rows:
        hint = row["s_in"] if use_hint else math.nan
        got = RoadPoint(*road_point(table, hint, row["x"], row["y"], row["z"]))
        track = got.position - got.lateral * got.left
        assert np.max(np.abs(track - [row["tpx"], row["tpy"], row["tpz"]])) < 1e-6
        assert np.max(np.abs(got.tangent - [row["tx"], row["ty"], row["tz"]])) < 1e-6
        assert np.max(np.abs(got.normal - [row["nx"], row["ny"], row["nz"]])) < 1e-6
        assert got.s == pytest.approx(row["s_out"], abs=1e-6 / 90.0)
        assert got.status == 0
