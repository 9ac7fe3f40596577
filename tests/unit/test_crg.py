"""OpenCRG files: all four forms of the data, curved reference lines, banking and slope, missing heights, faults.

The published examples of ASAM (handmade_*.crg) agree with an independent reader within 2e-6 m at random places, but
where the line turns by 7 degrees between two points (4 mm); they are not kept here.
"""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest

from centrode.errors import InputError
from centrode.parts.roads.crg_file import read_crg
from centrode.parts.roads.terrain import RoadTerrain

HEAD = """$CT
a sample of our own
$ROAD_CRG                   ! parameters
REFERENCE_LINE_START_U   = 10.0
REFERENCE_LINE_END_U     = {end}
REFERENCE_LINE_INCREMENT = {step}
REFERENCE_LINE_START_X   = 2.0
REFERENCE_LINE_START_Y   = 1.0
REFERENCE_LINE_START_Z   = 5.0
LONG_SECTION_V_RIGHT     = -2.0
LONG_SECTION_V_LEFT      = 2.0
$KD_DEFINITION
#:{form}
U:reference line u,m,10.0,{step}
D:reference line phi,rad
D:reference line banking,m/m
D:reference line slope,m/m
D:long section 1,m
D:long section 2,m
D:long section 3,m
$
"""


def written(path, form, rows, step):
    """A file with these records: phi, banking, slope, three heights."""
    head = HEAD.format(form=form, step=step, end=10.0 + step * (len(rows) - 1)) + "$" * 80 + "\n"
    data = head.encode()
    for row in rows:
        if form[0] == "K":
            data += struct.pack(f">{len(row)}{'f' if form == 'KRBI' else 'd'}", *row)
            continue
        wide = 10 if form == "LRFI" else 20
        texts = ["*missing*".rjust(wide) if math.isnan(x) else f"{x:{wide}.{wide - 3}f}" for x in row]
        joined = "".join(texts)
        data += b"".join(joined[k : k + 80].encode() + b"\n" for k in range(0, len(joined), 80))
    path.write_bytes(data + b"\n")
    return path


def arc_rows(count, step, radius):
    """Left turn of a radius, banking 0.02, slope 0.05, and a ridge on the left section."""
    nan = math.nan
    rows = [(nan, 0.02, nan, 0.0, 0.0, 0.1)]
    return rows + [((k - 0.5) * step / radius, 0.02, 0.05, 0.0, 0.0, 0.1) for k in range(1, count)]


@pytest.mark.parametrize(("form", "digits"), [("LRFI", 1e-5), ("LDFI", 1e-9), ("KRBI", 1e-5), ("KDBI", 1e-9)])
def test_an_arc_has_its_heights(tmp_path, form, digits):
    """z = 5 + 0.05 u + 0.02 v + ridge, at places of the arc; ``digits``: of the form over 20 m. Chords of 0.2 m on a
    radius of 30 m are off by h^2 / 8 R = 1.7e-4 m sideways and 1e-5 of their length along, times slopes of 0.07."""
    radius, step = 30.0, 0.2
    road = read_crg(written(tmp_path / "arc.crg", form, arc_rows(101, step, radius), step))
    for u, v in ((10.0, 0.0), (13.0, -1.5), (20.0, 1.0), (27.0, 2.0)):
        turn = (u - 10.0) / radius
        x = 2.0 + (radius - v) * math.sin(turn)
        y = 1.0 + radius - (radius - v) * math.cos(turn)
        height = 5.0 + 0.05 * (u - 10.0) + 0.02 * v + 0.05 * max(v, 0.0)
        found = float(road.height(np.array([x]), np.array([y]))[0])
        assert found == pytest.approx(height, abs=digits + 0.07 * 4e-4)


def test_as_terrain_it_carries_points(tmp_path):
    """Straight, a step across of 0.1 m at u = 12 m: heights between as the file has them, edges go on."""
    rows = [(0.0, 0.0, 0.0, *(3 * [0.1 if k >= 4 else 0.0])) for k in range(9)]
    road = RoadTerrain("field", file=str(written(tmp_path / "step.crg", "LDFI", rows, 0.5)))
    assert road.point(2.5, 1.0, 5.0).position[2] == pytest.approx(5.0, abs=1e-9)
    assert road.point(5.0, 1.0, 5.0).position[2] == pytest.approx(5.1, abs=1e-9)
    assert road.point(50.0, 1.0, 5.0).position[2] == pytest.approx(5.1, abs=1e-9)
    assert road.point(50.0, 1.0, 5.0).status != 0


def test_missing_heights_are_those_beside_them(tmp_path):
    rows = [(0.0, 0.0, 0.0, math.nan, 0.2, 0.3)] * 3
    road = read_crg(written(tmp_path / "holes.crg", "LRFI", rows, 1.0))
    assert road.heights[1].tolist() == pytest.approx([0.2, 0.2, 0.3])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("$KD_DEFINITION", "$ROAD_CRG_MODS\nGRID_SCALE = 2\n$KD_DEFINITION", "modifiers are not applied"),
        ("$KD_DEFINITION", "$ROAD_CRG_FILE\nother.crg\n$KD_DEFINITION", "refers to another"),
        ("#:LRFI", "#:ABCD", "unknown format"),
        ("$" * 80, "", "no data"),
        ("= 2.0", "= two", "not a number"),
    ],
)
def test_faults_are_told(tmp_path, old, new, said):
    path = written(tmp_path / "a.crg", "LRFI", [(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)] * 3, 1.0)
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(InputError, match=said):
        read_crg(path)


def test_a_damaged_line_is_told(tmp_path):
    rows = [(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)] * 4
    rows[2] = (math.nan, 0.0, 0.0, 0.0, 0.0, 0.0)
    with pytest.raises(InputError, match="heading"):
        read_crg(written(tmp_path / "a.crg", "LRFI", rows, 1.0))
