"""Numbers in the wrong unit, commands beyond their range, slips of YAML: one message with the likely meaning."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import centrode as ct
from centrode.cli.commands.bicycle import MachineOptions
from centrode.cli.main import entry
from centrode.cli.options import Measure
from centrode.errors import InputError
from centrode.parts.roads.plane import plane_axes
from centrode.scenario.robots.urdf import load_urdf

FILE = """centrode: 1
roads:
  road: {kind: plane}
vehicles:
  a: {kind: car, road: road, %s}
"""

WRONG = [
    ("mass: 1.45", "vehicles.a.mass: 1.45 kg is far from usual", "did you mean `1.45 t` (1450 kg)"),
    ("heading: 90", "vehicles.a.heading: 90 rad", "`90 deg`"),
    ("steer: 20", "vehicles.a.steer: 20 rad is beyond what the car does", "-0.6 to 0.6 rad (did you mean `20 deg`"),
    ("brake: 80", "vehicles.a.brake: 80 is beyond", "expected 0 to 1 (did you mean `80 %` (0.8)"),
    ("drive: 50", "vehicles.a.drive: 50", "`50 %`"),
    ("brake: -0.2", "vehicles.a.brake: -0.2", "expected 0 to 1"),
    ("steer: {kind: staircase, times: [0, 1], values: [0, 20]}", "vehicles.a.steer: 20 rad", "`20 deg`"),
    ("steer: {kind: harmonic, amplitude: 3, frequency: 1}", "vehicles.a.steer: 3 rad", "`3 deg`"),
    ("sequence: [{at: 0, brake: 0}, {at: 1.2, brake: 80}]", "vehicles.a.brake: 80", "`80 %`"),
    ("speed: 200", "vehicles.a.speed: 200 m/s", "`200 km/h` (55.56 m/s)"),
    ("sideslip: 15", "vehicles.a.sideslip: 15 rad", "`15 deg`"),
    ("yaw_rate: 40", "vehicles.a.yaw_rate: 40 rad/s", "`40 deg/s`"),
    ("roll_rate: 90", "vehicles.a.roll_rate: 90 rad/s", "`90 deg/s`"),
    ("roll: 45", "vehicles.a.roll: 45 rad", "`45 deg`"),
    ("stiffness: [40, 35]", "vehicles.a.stiffness: 40 N/m", "`40 kN/m`"),
    ("damper: 3", "vehicles.a.damper: 3 N*s/m", "`3 kN*s/m`"),
    ("front: 1034", "vehicles.a.front: 1034 m", "`1034 mm` (1.034 m)"),
    ("length: 4200", "vehicles.a.length: 4200 m", "`4200 mm`"),
    ("cog_height: 540", "vehicles.a.cog_height: 540 m", "`540 mm`"),
    ("steer_limit: 35", "vehicles.a.steer_limit: too large", "`35 deg`"),
    ("brake_front: 65", "vehicles.a.brake_front: too large", "`65 %`"),
    ("rolling_resistance: 1.4", "vehicles.a.rolling_resistance: 1.4", "`1.4 %`"),
    ("power: 100", "vehicles.a.power: 100 W", "`100 kW`"),
    ("mass: -5", "vehicles.a.mass: must be positive", "above 0 in kg"),
    ("mass: 3 m", "vehicles.a.mass: '3 m' is a length", "a mass [kg]"),
]


def message(text: str) -> str:
    with pytest.raises(InputError) as caught:
        ct.loads(text, file="crash.yaml")
    return str(caught.value)


@pytest.mark.parametrize(("written", "what", "meant"), WRONG)
def test_a_number_in_another_unit_is_refused_with_what_it_may_mean(written: str, what: str, meant: str) -> None:
    found = message(FILE % written)
    assert found.startswith(f"crash.yaml:5: {what}"), found
    assert meant in found
    assert "\n" not in found  # one mistake, one message


def test_the_same_from_python() -> None:
    for values, meant in ({"mass": 1.45}, "`1.45 t`"), ({"heading": 90}, "`90 deg`"), ({"brake": 80}, "`80 %`"):
        with pytest.raises(InputError, match="did you mean") as caught:
            ct.System().add(ct.Car("a", **values))
        assert meant in str(caught.value)


def test_units_as_text_in_files_and_in_python() -> None:
    written = "mass: 1.45 t, speed: 30 mph, heading: 90 deg, length: 14 ft, brake: 80 %, stiffness: [40 kN/m, 35 N/mm]"
    python = {"mass": "1.45 t", "speed": "30 mph", "heading": "90 deg", "length": "14 ft", "brake": "80 %"}
    python["stiffness"] = ("40 kN/m", "35 N/mm")
    for car in (ct.Car("a", **python), _car(FILE % written)):
        assert car.mass == pytest.approx(1450.0)
        assert car.speed == pytest.approx(13.4112)  # 30 x 1609.344 m / 3600 s
        assert car.heading == pytest.approx(1.5707963267948966)
        assert car.length == pytest.approx(4.2672)
        assert car.brake == pytest.approx(0.8)
        assert car.stiffness == pytest.approx((40e3, 35e3))
    with pytest.raises(InputError, match="'3 m' is a length; expected a mass"):
        ct.System().add(ct.Car("a", mass="3 m"))


def _car(text: str) -> ct.Car:
    car = ct.loads(text).system.parts["a"]
    assert isinstance(car, ct.Car)
    return car


@pytest.mark.parametrize(
    ("section", "what", "meant"),
    [
        ("contact_laws: {c: {kind: crush, friction: 80}}", "contact_laws.c.friction: 80", "`80 %`"),
        (
            "tyres: {t: {kind: brush, friction: 80, cornering_stiffness: 1e5, driving_stiffness: 1e5}}",
            "tyres.t.friction: 80",
            "`80 %`",
        ),
        ("structures: {s: {a: [334, 334, 300, 300]}}", "structures.s.a: 334 N/m", "`334 N/cm`"),
    ],
)
def test_siblings_on_other_parts(section: str, what: str, meant: str) -> None:
    found = message(f"centrode: 1\n{section}\n")
    assert what in found
    assert meant in found


def test_pounds_per_inch_are_forces() -> None:
    found = message("centrode: 1\nstructures: {s: {a: [356 lb/in, 356 lb/in, 300 lb/in, 300 lb/in]}}\n")
    assert "lb is a mass; the force is lbf" in found


ROADS = [
    (
        "plane",
        "slope: 8",
        "too large, got 8; expected at most 1.5 in rad",
        "(did you mean `8 deg` (0.1396 rad) or `8 %` (0.07983 rad)",
    ),
    ("plane", "bank: 4", "4 rad is far from usual", "`4 deg` (0.06981 rad) or `4 %` (0.03998 rad)"),
    ("plane", "heading: 90", "90 rad is far from usual", "`90 deg`"),
    (
        "spline",
        "points: [[0, 0, 0], [9, 0, 0]], bank: [0, 6]",
        "6 rad is far from usual",
        "`6 deg` (0.1047 rad) or `6 %`",
    ),
]


@pytest.mark.parametrize(("kind", "written", "what", "meant"), ROADS)
def test_slopes_in_degrees_or_percent_are_not_taken_for_radians(kind: str, written: str, what: str, meant: str) -> None:
    found = message(f"centrode: 1\nroads: {{road: {{kind: {kind}, {written}}}}}\n")
    assert what in found
    assert meant in found


@pytest.mark.parametrize("written", ["slope: 8 %, bank: -2.5 %", "slope_percent: 8, bank_percent: -2.5"])
def test_a_grade_in_percent_is_a_tangent(written: str) -> None:
    road = ct.loads(f"centrode: 1\nroads: {{road: {{kind: plane, {written}}}}}\n").system.parts["road"]
    assert (road.slope, road.bank) == pytest.approx((math.atan(0.08), -math.atan(0.025)), rel=1e-15)
    assert ct.RoadPlane("road", slope="8 %", bank="-2.5 %").slope == road.slope
    # what stands on it is as steep: 8 m up over 100 m on the map
    _, _, normal = plane_axes(road.heading, road.slope, 0.0)
    assert -normal[0] / normal[2] == pytest.approx(0.08, rel=1e-15)


BICYCLES = [("heading: 90", "`90 deg`"), ("lean: 5", "`5 deg`"), ("steer: 10", "`10 deg`"), ("slope: 8", "`8 %`")]


@pytest.mark.parametrize(("written", "meant"), BICYCLES)
def test_angles_of_a_bicycle(written: str, meant: str) -> None:
    assert meant in message(f"centrode: 1\nvehicles: {{b: {{kind: bicycle, speed: 4, {written}}}}}\n")


def commands(group: click.Command, name: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """All commands below one, with their names."""
    if isinstance(group, click.Group):
        context = click.Context(group)
        for each in group.list_commands(context):
            found = group.get_command(context, each)
            assert found is not None
            yield from commands(found, (*name, each))
    else:
        yield name, group


ELSEWHERE = {("diagram", "--north"), ("import-mjcf", "--set"), ("import-urdf", "--set")}
"""Options that hold an angle among other things: read where it is known, each with a test of its own."""


def test_no_option_of_a_command_takes_degrees_for_radians() -> None:
    """Options in degrees say so in their name; those in rad refuse 30 and propose '30 deg'."""
    found = set()
    for name, command in commands(entry):
        for option in command.params:
            help_ = f"{getattr(option, 'help', '')} {option.metavar}"
            if re.search(r"\[rad[],]|ANGLE", help_):
                key = (" ".join(name), option.opts[-1])
                found.add(key)
                if key in ELSEWHERE:
                    continue
                assert isinstance(option.type, Measure), key
                with pytest.raises(InputError, match="did you mean `30 deg`"):
                    option.type.convert("30", option, None)
                assert option.type.convert("30 deg", option, None) == pytest.approx(math.pi / 6)
                assert option.type.convert("-0.1", option, None) == -0.1
            elif "[deg]" in help_:
                assert option.opts[-1].endswith("-deg"), name
    assert found > ELSEWHERE


def test_joints_of_robots_and_tilts_of_bicycles() -> None:
    file = Path(__file__).parent / "data/robots/gimbals.urdf"
    with pytest.raises(InputError, match=r"turn.*did you mean `30 deg`"):
        load_urdf(file, positions={"turn": 30})
    with pytest.raises(InputError, match=r"is a length.*expected an angle"):
        load_urdf(file, positions={"turn": "3 cm"})
    one, two = (
        load_urdf(file, positions={"turn": v, "rail": w}).system for v, w in (("30 deg", "5 cm"), (math.pi / 6, 0.05))
    )
    assert str(one.parts["rod"]) == str(two.parts["rod"])
    assert MachineOptions(changes=("steer_tilt=18 deg", "trail=6 cm")).parameters().steer_tilt == pytest.approx(
        math.pi / 10
    )
    with pytest.raises(InputError, match="did you mean `18 deg`"):
        MachineOptions(changes=("steer_tilt=18",)).parameters()


def test_what_is_meant_can_be_said() -> None:
    assert ct.System().add(ct.Car("model", mass=3.0, unusual=True, equilibrium=False)).mass == 3.0


def test_a_formula_that_is_cut_and_a_great_speed_are_noted() -> None:
    steer = "steer: {kind: expression, expression: 20*sin(t)}, speed: 50"
    notes = ct.loads(FILE % steer).system.notes
    assert any("a.steer goes from -20" in note and "cut at -0.6" in note for note in notes)
    assert any("50 m/s, which is 180 km/h" in note for note in notes)


def test_an_undefined_road_is_no_ground() -> None:
    found = message(FILE.replace("road: road", "road: raod") % "speed: 1")
    assert (
        found == "crash.yaml:5: vehicles.a.road: unknown road, got 'raod'; expected one of road; did you mean 'road'?"
    )
    found = message("centrode: 1\nvehicles: {a: {kind: car, road: street}}\n")
    assert "ground" not in found
    assert "add one, such as roads: {street: {kind: plane}}" in found


SLIPS = [
    ("vehicles:\n  a: {kind: car, speed: 10\nrun: {}", 3, "'{' is opened and never closed"),
    ("vehicles:\n  a: {kind: car speed: 10}", 3, "a comma is missing before 'speed:'"),
    ("vehicles:\n  a: {kind: car; speed: 10}", 3, "write ',' for ';'"),
    ("vehicles:\n  a: {position: [0, 0}", 3, "'[' is closed by '}'"),
    ("vehicles:\n  a: {brake: 1 # full}\n  b: {}", 3, "the comment behind '#' swallows the closing bracket"),
    ("vehicles:\n  a:\n    kind: car\n   speed: 10", 5, "indented like none of those above it"),
    ("vehicles:\n  a:\n    kind: car\n      speed: 10", 5, "indented deeper than the one above it"),
    ("vehicles:\n  a:\n    kind:car\n    speed: 10", 4, "a space is missing after 'kind:'"),
    ("vehicles\n  a: {kind: car}", 2, "'vehicles' has no colon"),
    ("vehicles:\n  a: {kind: car}}\n", 3, "a closing bracket too many"),
    ("title: 'abc\nvehicles: {}", 2, "a quote is opened and never closed"),
    ("vehicles:\n  - a\n  b: {}", 4, "list entries ('- ...') and names"),
    ("vehicles:\n  a: {brake: %80}", 3, "a value cannot begin with '%'"),
    ("vehicles:\n  a: (kind: car, speed: 10)", 3, "in braces { }, not in ( )"),
    ("vehicles:\n  a: {kind:car, speed:10}", 3, "a space is missing: 'kind: car'"),
    ("vehicles:\n  a: {kind = car}", 3, "write 'kind: car'"),
    ("vehicles: {}\nrun {duration: 1}", 3, "a colon is missing: 'run: ...'"),
]


@pytest.mark.parametrize(("text", "line", "said"), SLIPS)
def test_a_slip_of_yaml_is_said_in_words_of_what_was_written(text: str, line: int, said: str) -> None:
    found = message(f"centrode: 1\n{text}\n")
    assert f"crash.yaml:{line}: " in found, found
    assert said in found, found
    assert "<block" not in found
