"""OpenDRIVE roads against closed forms and quadrature; faults with lines; no crash on any text."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.special import fresnel

from centrode.errors import InputError
from centrode.parts.roads.contract import RoadPoint
from centrode.parts.roads.opendrive import RoadOpenDrive, geometry_state
from centrode.parts.roads.opendrive_file import Geometry, parse_opendrive
from centrode.parts.roads.road_point import road_point

ROAD = """<?xml version="1.0"?>
<OpenDRIVE>
  <header revMajor="1" revMinor="6"/>
  <road name="" length="{length}" id="7" junction="-1">
    <planView>
{plan}
    </planView>
    <elevationProfile>{elevation}</elevationProfile>
    <lateralProfile>{lateral}</lateralProfile>
    <lanes><laneSection s="0">
      <left><lane id="1" type="driving"><width sOffset="0" a="3.5" b="0" c="0" d="0"/></lane></left>
      <center><lane id="0" type="none"/></center>
      <right><lane id="-1" type="driving"><width sOffset="0" a="3.0" b="0" c="0" d="0"/></lane></right>
    </laneSection></lanes>
  </road>
</OpenDRIVE>
"""
STRETCH = '<geometry s="{s!r}" x="{x!r}" y="{y!r}" hdg="{hdg!r}" length="{length!r}">{shape}</geometry>'


def text_of(stretches, elevation="", lateral=""):
    """Stretches (shape text, length) laid end to end."""
    lines, s, state = [], 0.0, np.array([[1.0, -2.0], [math.cos(0.3), math.sin(0.3)]])
    for shape, length in stretches:
        hdg = math.atan2(state[1, 1], state[1, 0])
        place = {"s": s, "x": float(state[0, 0]), "y": float(state[0, 1]), "hdg": hdg, "length": length}
        lines.append(STRETCH.format(shape=shape, **place))
        one = ROAD.format(
            length=length, plan=STRETCH.format(shape=shape, **{**place, "s": 0.0}), elevation="", lateral=""
        )
        geometry = parse_opendrive(one.encode()).plan[0]
        state = geometry_state(geometry, length)
        s += length
    return ROAD.format(length=s, plan="\n".join(lines), elevation=elevation, lateral=lateral)


def look(table, q, hint=math.nan):
    return RoadPoint(*road_point(table, hint, *map(float, q)))


ALL = [
    ("<line/>", 50.0),
    ('<spiral curvStart="0" curvEnd="0.02"/>', 40.0),
    ('<arc curvature="0.02"/>', 120.0),
    ('<spiral curvStart="0.02" curvEnd="-0.05"/>', 60.0),
    ('<poly3 a="0" b="0" c="-0.002" d="0.00002"/>', 30.0),
    ('<paramPoly3 pRange="arcLength" aU="0" bU="1" cU="0" dU="-1e-5" aV="0" bV="0" cV="0.003" dV="0"/>', 30.0),
    ('<paramPoly3 aU="0" bU="25" cU="0" dU="0" aV="0" bV="0" cV="2" dV="-1"/>', 25.0),
]


def test_every_shape_is_met_and_the_surface_follows():
    elevation = '<elevation s="0" a="5" b="0.02" c="0" d="0"/><elevation s="100" a="7" b="0.02" c="-1e-4" d="0"/>'
    lateral = '<superelevation s="0" a="0" b="0" c="0" d="0"/><superelevation s="90" a="0" b="1e-3" c="0" d="0"/>'
    road = parse_opendrive(text_of(ALL, elevation, lateral).encode())
    table = RoadOpenDrive("road").table_of(road)
    assert road.length == pytest.approx(355.0)
    for s in np.linspace(0.5, 354.5, 300):
        geometry = [g for g in road.plan if g.s <= s][-1]
        plan = geometry_state(geometry, s - geometry.s)
        z = 5 + 0.02 * s if s < 100 else 7 + 0.02 * (s - 100) - 1e-4 * (s - 100) ** 2
        got = look(table, [*plan[0], z])
        assert got.s == pytest.approx(s, abs=1e-6)
        assert got.position == pytest.approx([*plan[0], z], abs=2e-7)
        heading = plan[1] / np.linalg.norm(plan[1])
        assert got.tangent[:2] / np.linalg.norm(got.tangent[:2]) == pytest.approx(heading, abs=1e-6)
        bank = 0.0 if s < 90 else 1e-3 * (s - 90)
        assert got.left[2] == pytest.approx(math.sin(bank) * math.hypot(got.tangent[0], got.tangent[1]), abs=1e-6)
        assert got.status == 0


def test_superelevation_turns_about_the_reference_line():
    """The left edge of a straight road rises by n sin(bank) and comes nearer by n (1 - cos(bank))."""
    lateral = '<superelevation s="0" a="0.2" b="0" c="0" d="0"/>'
    text = ROAD.format(
        length=100,
        plan=STRETCH.format(s=0.0, x=0.0, y=0.0, hdg=0.0, length=100.0, shape="<line/>"),
        elevation="",
        lateral=lateral,
    )
    table = RoadOpenDrive("road").table_of(parse_opendrive(text.encode()))
    edge = np.array([50.0, 3.0 * math.cos(0.2), 3.0 * math.sin(0.2)])
    got = look(table, edge)
    assert got.lateral == pytest.approx(3.0, abs=1e-12)
    assert got.position == pytest.approx(edge, abs=1e-12)
    assert got.normal == pytest.approx([0, -math.sin(0.2), math.cos(0.2)], abs=1e-12)
    assert look(table, edge * [1, 1.3, 1.3]).status == 1  # 3.9 m: beyond the wider lane of 3.5 m


def test_spiral_against_fresnel_integrals():
    """Clothoid from zero curvature: x = sqrt(pi/A) C(s sqrt(A/pi)), y alike with S, A = curvature growth."""
    growth = 0.1 / 80.0
    geometry = Geometry("spiral", 0.0, 0.0, 0.0, 0.0, 80.0, (0.0, 0.1), True, 1)
    for s in (5.0, 40.0, 80.0):
        sine, cosine = fresnel(s * math.sqrt(growth / math.pi))
        expected = math.sqrt(math.pi / growth) * np.array([cosine, sine])
        assert geometry_state(geometry, s)[0] == pytest.approx(expected, abs=1e-11)


def test_poly3_is_measured_along_its_arc():
    """s is the arc length: integrate ds/du numerically to the same point."""
    a, b, c, d = 0.5, 0.1, -0.01, 3e-4
    geometry = Geometry("poly3", 0.0, 0.0, 0.0, 0.0, 60.0, (a, b, c, d), True, 1)
    solved = solve_ivp(
        lambda s, u: 1 / np.sqrt(1 + (b + 2 * c * u + 3 * d * u**2) ** 2), (0, 60), [0.0], rtol=1e-12, atol=1e-12
    )
    u = solved.y[0, -1]
    state = geometry_state(geometry, 60.0)
    assert state[0] == pytest.approx([u, a + b * u + c * u**2 + d * u**3], abs=1e-8)
    assert np.linalg.norm(state[1]) == pytest.approx(1, abs=1e-14)
    h = 1e-4
    bend = (geometry_state(geometry, 60 + h)[1] - geometry_state(geometry, 60 - h)[1]) / (2 * h)
    assert state[2] == pytest.approx(bend, abs=1e-8)


def test_closed_circuit_of_four_arcs():
    stretches = []
    for quarter in range(4):
        angle = quarter * math.pi / 2
        place = {"s": quarter * 25 * math.pi, "x": 50 * math.sin(angle), "y": -50 * math.cos(angle), "hdg": angle}
        stretches.append(STRETCH.format(**place, length=25 * math.pi, shape='<arc curvature="0.02"/>'))
    road = parse_opendrive(ROAD.format(length=1, plan="".join(stretches), elevation="", lateral="").encode())
    table = RoadOpenDrive("road", closed=True, width=8.0).table_of(road)
    hint = math.nan
    for angle in np.linspace(0, 4 * math.pi, 200):
        got = look(table, [48 * math.sin(angle), -48 * math.cos(angle), 0.0], hint)
        hint = got.s
        assert got.lateral == pytest.approx(2.0, abs=1e-6)
        assert got.status == 0


def faults_of(text, **options):
    with pytest.raises(InputError) as caught:
        parse_opendrive(text.encode(), "a.xodr", **options)
    return caught.value.faults


def test_faults_have_lines_and_come_together():
    text = text_of(ALL).replace('curvature="0.02"', 'curvature="x"').replace('curvEnd="-0.05"', "")
    faults = faults_of(text)
    assert [fault.line for fault in faults] == [8, 9]
    assert "curvature" in str(faults[0])
    (fault,) = faults_of(text_of(ALL).replace("<line/>", "<circle/>"))
    assert "circle" in str(fault)
    assert faults_of(text_of(ALL), road_id="8")[0].got == "8"
    (fault,) = faults_of(text_of(ALL, lateral='<shape s="0" t="0" a="0" b="0" c="0" d="0"/>'))
    assert "shape" in fault.what


def test_gap_is_a_fault():
    plan = STRETCH.format(s=0.0, x=0.0, y=0.0, hdg=0.0, length=50.0, shape="<line/>")
    plan += STRETCH.format(s=50.0, x=51.0, y=0.0, hdg=0.0, length=50.0, shape="<line/>")
    road = parse_opendrive(ROAD.format(length=100, plan=plan, elevation="", lateral="").encode())
    with pytest.raises(InputError, match="gap of 1 m"):
        RoadOpenDrive("road").table_of(road)


def test_curvature_out_of_reason_is_a_fault():
    for wild in ("1e20", "11", "300"):
        road = parse_opendrive(text_of([("<line/>", 50.0)]).replace("<line/>", f'<arc curvature="{wild}"/>').encode())
        with pytest.raises(InputError, match="out of reason"):
            RoadOpenDrive("road").table_of(road)


def test_entities_are_refused():
    text = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]><OpenDRIVE>&a;</OpenDRIVE>'
    assert "document types" in faults_of(text)[0].what


def test_part_reads_its_file(tmp_path):
    path = tmp_path / "r.xodr"
    path.write_text(text_of(ALL))
    part = RoadOpenDrive("r", file=str(path), width=7.0)
    assert part.point(1.0, -2.0, 0.0).s == pytest.approx(0.0, abs=1e-9)
    with pytest.raises(InputError):
        RoadOpenDrive("r", file=str(tmp_path / "none.xodr")).table()


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300))
def test_random_bytes_never_crash(data):
    for text in (data, ROAD.format(length=1, plan="", elevation="", lateral="").encode()[:-200] + data):
        try:
            parse_opendrive(text)
        except InputError as problem:
            assert problem.faults


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_damaged_files_never_crash(data):
    text = text_of(ALL)
    for _ in range(data.draw(st.integers(1, 5))):
        start = data.draw(st.integers(0, len(text) - 1))
        text = text[:start] + data.draw(st.sampled_from(["", "9", '"', "<", "nan", "-", "e400"])) + text[start + 1 :]
    try:
        RoadOpenDrive("road").table_of(parse_opendrive(text.encode()))
    except InputError as problem:
        assert problem.faults
