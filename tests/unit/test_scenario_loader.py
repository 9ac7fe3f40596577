"""Scenario files: what they mean, and that all their faults come at once, each with its line."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import centrode as ct
from centrode.errors import InputError
from centrode.scenario.document import Scenario
from centrode.scenario.edits import parse_edits
from centrode.scenario.loader import RESERVED, load, loads
from centrode.scenario.schema import json_schema
from centrode.scenario.starters import starter_text, starters
from centrode.scenario.writing import dump, emit
from centrode.system.builder import System
from centrode.system.settings import RunSettings
from centrode.vehicles.mechanisms import MECHANISMS, build_mechanism

PENDULUM = """\
centrode: 1
title: Pendulum
bodies:
  arm:
    mass: 2 kg
    inertia: [0.1, 0.1, 0.01]
    position_mm: [500, 0, 0]
    orientation: {axis: [0, 0, 1], angle_deg: 30}
    omega: [0, 90 deg/s, 0]
joints:
  hinge: {kind: revolute, a: ground, b: arm, at: [0, 0, 0], axis: [0, 1, 0]}
run: {duration: 1 min, step: 1 ms, method: rk4-projected}
"""


def faults_of(text, **options):
    with pytest.raises(InputError) as caught:
        loads(text, file="f.yaml", **options)
    return [str(item) for item in caught.value.faults]


def test_values_arrive_in_si():
    scenario = loads(PENDULUM)
    arm = scenario.system.parts["arm"]
    assert scenario.title == "Pendulum"
    assert (arm.mass, arm.position) == (2.0, (0.5, 0.0, 0.0))
    assert arm.omega[1] == pytest.approx(math.pi / 2, rel=1e-15)
    assert arm.orientation == {"axis": (0, 0, 1), "angle": pytest.approx(math.pi / 6, rel=1e-15)}
    assert scenario.system.gravity == (0.0, 0.0, -9.81)
    assert (scenario.settings.duration, scenario.settings.step) == (60.0, 0.001)
    assert scenario.settings.method == "rk4-projected"


def test_the_same_scenario_in_python():
    from centrode.parts.bodies.rigid import RigidBody
    from centrode.parts.joints.revolute import Revolute

    text = "centrode: 1\nbodies: {arm: {mass: 1, position: [0.5, 0, 0]}}\n" + (
        "joints: {hinge: {kind: revolute, a: ground, b: arm, at: [0, 0, 0], axis: [0, 1, 0]}}\nrun: {duration: 2}\n"
    )
    system = System()
    arm = system.add(RigidBody("arm", mass=1.0, position=(0.5, 0, 0)))
    system.add(Revolute("hinge", system.ground, arm, at=(0, 0, 0), axis=(0, 1, 0)))
    assert loads(text) == Scenario(system, RunSettings(duration=2.0))
    assert loads(dump(system)).system.parts == system.parts


def test_all_faults_at_once_with_lines():
    text = """\
centrode: 2
titel: x
bodies:
  arm: {mass: 2 m, inertai: [1, 1, 1], position: [1, 2]}
  b: {mass: -3 t}
  b: {mass: 1}
  c:
    kind: rigit
  ground: {mass: 1}
joints:
  hinge:
    kind: revolute
    a: grund
    b: b
    axis: [0, 1, 0]
  b: {kind: ball, a: ground, b: b, at: [0, 0, 0]}
run: {duration: -1 min, stepp: 1 ms}
changes:
  - {at: 2 s, part: brm, set: {mass: 2}}
"""
    found = faults_of(text)
    expected = [
        "f.yaml:1: centrode: the file is for a newer Centrode, got 2",
        "f.yaml:2: titel: unknown section; did you mean 'title'?",
        "f.yaml:4: bodies.arm.mass: '2 m' is a length; expected a mass [kg]",
        "f.yaml:4: bodies.arm.inertai: unknown field",
        "f.yaml:4: bodies.arm.position: wrong length, got [1, 2]; expected a list of 3 values [m]",
        "f.yaml:5: bodies.b.mass: must be positive, got '-3 t'",
        "f.yaml:6: key given twice, got 'b' (first in line 5)",
        "f.yaml:8: bodies.c.kind: unknown kind of body, got 'rigit'",
        "f.yaml:9: bodies: this name is taken, got 'ground' (it names the world, as a body)",
        "f.yaml:13: joints.hinge.a: unknown body, got 'grund'; expected one of ground, arm, b, c; "
        "did you mean 'ground'?",
        "f.yaml:16: joints.b: name used twice (also in bodies)",
        "f.yaml:17: run.stepp: unknown field",
        "f.yaml:17: run.duration: must be positive, got '-1 min'",
        "f.yaml:19: changes[0].part: unknown part, got 'brm'; did you mean 'arm'?",
    ]
    assert len(found) == len(expected), found
    for message in expected:
        assert any(item.startswith(message) for item in found), message


@pytest.mark.parametrize("name", RESERVED)
def test_a_reserved_name_is_refused_with_what_has_it_and_is_documented(name: str) -> None:
    found = faults_of(f"centrode: 1\nbodies:\n  {name}: {{mass: 1}}\n")
    assert found == [f"f.yaml:3: bodies: this name is taken, got '{name}' (it names {RESERVED[name]})"]
    page = (Path(__file__).parents[2] / "docs" / "howto" / "scenario-files.md").read_text(encoding="utf-8")
    assert f"| `{name}` |" in page


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("5", "not a scenario"),
        ("bodies: {}", "'centrode' is missing"),
        ("centrode: one", "unknown version"),
        ("centrode: 1\nbodies: 5", "f.yaml:2: bodies: not a mapping"),
        ("centrode: 1\nbodies: {a: 5}", "bodies.a: not a mapping"),
        ("centrode: 1\nbodies: {a: {}}", "bodies.a: 'mass' is missing; expected mass [kg]"),
        ("centrode: 1\nbodies: {a: {mass: true}}", "bodies.a.mass: not a number, got True"),
        ("centrode: 1\nbodies: {a: {mass: .nan}}", "bodies.a.mass: not a finite number"),
        ("centrode: 1\nbodies: {a: {mass: heavy}}", "bodies.a.mass: not a number, got 'heavy'"),
        ("centrode: 1\nbodies: {a: {mass: 1, mass_kN: 1}}", "field given twice"),
        ("centrode: 1\nbodies: {a: {mass_deg: 1}}", "'deg' is an angle; expected a mass [kg]"),
        ("centrode: 1\nbodies: {a.b: {mass: 1}}", "not a name"),
        ("centrode: 1\nbodies: {a: {mass: 1, inertia: [1, -1, 1]}}", "bodies.a.inertia"),
        ("centrode: 1\nbodies: {a: {mass: 1, inertia: [1, 2]}}", "bodies.a.inertia"),
        ("centrode: 1\nbodies: {a: {mass: 1, orientation: [1, 2]}}", "bodies.a.orientation"),
        ("centrode: 1\nbodies: {a: {mass: 1, orientation: north}}", "bodies.a.orientation"),
        ("centrode: 1\njoints: {j: {a: ground}}", "joints.j: 'kind' is missing"),
        ("centrode: 1\njoints: {j: {kind: ball, a: 5, b: ground}}", "joints.j"),
        ("centrode: 1\ngravity: 9.81", "gravity: not a list"),
        ("centrode: 1\ngravity: [0, 0, -1 kg]", "gravity[2]: '-1 kg' is a mass"),
        ("centrode: 1\nplane: 1", "plane: not a switch"),
        ("centrode: 1\nrun: fast", "run: not a mapping"),
        ("centrode: 1\nrun:\n  step: 1\n  method: rk4-projectd", "f.yaml:4: run.method: "),
        ("centrode: 1\nplugins: me.py", "plugins: not a list"),
        ("centrode: 1\nplugins: [no_such_file.py]", "f.yaml:2: plugins[0]: plugin not found"),
        ("centrode: 1\nparameters: {1x: 5}", "not a name for a parameter"),
        ("centrode: 1\nparameters: {x: [5]}", "parameters.x: not a number"),
        ("centrode: 1\nchanges: {at: 2}", "changes: not a list"),
        ("centrode: 1\nchanges: [{at: 2}]", "changes[0]: not a change"),
        ("centrode: 1\nbodies: {a: {mass: \"${y}\"}}", "unknown name in an expression, got 'y'"),
    ],
)  # fmt: skip
def test_single_faults(text, message):
    assert any(message in item for item in faults_of(text)), faults_of(text)


def test_repeat_makes_a_chain():
    scenario = loads("""\
centrode: 1
parameters: {pitch: 10 cm, count: 4}
bodies:
  link${i}:
    repeat: {count: "${count}", start: 1}
    mass: 100 g
    position: ["${pitch * i}", 0, "${2 * i} mm"]
joints:
  anchor: {kind: ball, a: ground, b: link1, at: [0, 0, 0]}
  hinge${k}:
    repeat: {count: "${count - 1}", index: k, start: 1}
    kind: ball
    a: link${k}
    b: link${k + 1}
    at: ["${pitch * (k + 0.5)}", 0, 0]
""")
    assert list(scenario.system.parts) == [f"link{i}" for i in range(1, 5)] + ["anchor", "hinge1", "hinge2", "hinge3"]
    assert scenario.system.parts["link3"].position == (pytest.approx(0.3), 0.0, 0.006)
    assert (scenario.system.parts["hinge3"].a, scenario.system.parts["hinge3"].b) == ("link3", "link4")
    edited = scenario.edited({"parameters.count": 3, "bodies.link2.mass": "1 kg"})
    assert "link4" not in edited.system.parts
    assert edited.system.parts["link2"].mass == 1.0
    assert loads(edited.text) == edited


@pytest.mark.parametrize(
    ("repeat", "message"),
    [
        ("5", "not a mapping"),
        ("{}", "count: not a whole number"),
        ("{count: 1.5}", "count: not a whole number"),
        ("{count: -1}", "count: not a whole number"),
        ("{count: 1e9}", "count: not a whole number"),
        ("{count: 2, index: 5}", "not a name for an index"),
        ("{count: 2, step: 5}", "unknown field"),
    ],
)
def test_faulty_repeats(repeat, message):
    text = "centrode: 1\nbodies:\n  link${i}:\n    repeat: " + repeat + "\n    mass: 1\n"
    found = faults_of(text)
    assert len(found) == 1 and message in found[0], found


def test_a_repeated_name_needs_its_index():
    assert "a repeated name needs the index" in faults_of("centrode: 1\nbodies: {a: {repeat: {count: 2}, mass: 1}}")[0]


def test_sections_may_come_in_any_order():
    text = "centrode: 1\njoints: {j: {kind: ball, a: ground, b: p}}\npoints: {p: {body: b, position: [1, 0, 0]}}\n"
    assert list(loads(text + "bodies: {b: {mass: 1}}").system.parts) == ["b", "p", "j"]


def test_plane_systems_take_planar_bodies():
    scenario = loads("centrode: 1\nplane: true\nbodies: {a: {mass: 1, angle_deg: 90}}\n")
    assert scenario.system.plane and scenario.system.parts["a"].kind == "planar"
    assert scenario.system.parts["a"].angle == pytest.approx(math.pi / 2)
    assert loads(dump(scenario)) == scenario
    found = faults_of("centrode: 1\nplane: true\nbodies: {a: {kind: rigid, mass: 1}}\n")
    assert found and "planar" in found[0] and found[0].startswith("f.yaml:3: bodies.a")


def test_changes():
    scenario = loads(PENDULUM + "changes:\n  - {at: 500 ms, part: arm, set: {mass: 3 t}}\n")
    (change,) = scenario.system.changes
    assert (change.at, change.part, change.set) == (0.5, "arm", {"mass": 3000.0})
    assert loads(dump(scenario)) == scenario
    found = faults_of(PENDULUM + "changes:\n  - {at: 1, part: arm, set: {masss: 3}}\n")
    assert found[0].startswith("f.yaml:14: changes[0].set.masss: unknown field") and "did you mean 'mass'" in found[0]
    assert "must be positive" in faults_of(PENDULUM + "changes:\n  - {at: 1, part: arm, set: {mass: -3}}\n")[0]


def test_edits_replace_a_value_however_it_was_written():
    scenario = loads(PENDULUM)
    edited = scenario.edited(parse_edits(["bodies.arm.position=[1, 0, 0]", "run.step=2 ms", "joints.hinge.at.1=5 cm"]))
    assert edited.system.parts["arm"].position == (1.0, 0.0, 0.0)
    assert edited.settings.step == 0.002
    assert edited.system.parts["hinge"].at == (0.0, 0.05, 0.0)
    assert scenario.system.parts["arm"].position == (0.5, 0.0, 0.0)
    assert edited.digest != scenario.digest
    assert loads(edited.text) == edited
    assert edited.edited({"bodies.arm.mass": 7}).system.parts["arm"].position == (1.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("bodies.amr.mass", "did you mean 'bodies.arm'"),
        ("bodies.arm.mas", "did you mean 'mass'"),
        ("bodies", "not a mapping"),
        ("run.stp", "did you mean 'step'"),
        ("x.y.z", "nothing to set"),
        ("joints.hinge.at.7", "nothing to set"),
    ],
)
def test_faulty_edits(path, message):
    assert any(message in item for item in faults_of(PENDULUM, edits={path: 5}))


def test_assignments_are_checked():
    assert parse_edits(["a.b=[1, 2]", "c=5 kN", "d="]) == {"a.b": [1, 2], "c": "5 kN", "d": None}
    with pytest.raises(InputError) as caught:
        parse_edits(["a", "=5", "b=[1"])
    assert len(caught.value.faults) == 3


def test_plugins_bring_kinds(tmp_path):
    (tmp_path / "soft.py").write_text("""
from dataclasses import dataclass
from typing import ClassVar, Literal
from centrode.parts.part import Part, quantity

@dataclass(frozen=True)
class Gadget(Part):
    '''A test kind.'''
    family: ClassVar[str] = "gadget"
    kind: ClassVar[str] = "plain"
    body: str = quantity("", "body", refers_to="body")
    size: float | str = quantity("m", "size", 1.0)
    mode: Literal["slow", "fast"] = quantity("", "mode", "slow")
    count: int = quantity("1", "count", 2)
    choice: str = quantity("", "choice", "red", choices=("red", "green"))
    table: dict[str, float] = quantity("N", "table", default_factory=dict)

    def faults(self):
        return super().faults() + [] if self.size != 13.0 else [1 / 0]
""")
    head = "centrode: 1\nplugins: [soft.py]\nbodies: {b: {mass: 1}}\ngadgets:\n  g: "
    (tmp_path / "s.yaml").write_text(
        head + "{body: b, size: 3 cm, mode: fast, count: 4, choice: green, table: {a: 1 kN}}"
    )
    scenario = load(tmp_path / "s.yaml")
    gadget = scenario.system.parts["g"]
    assert (gadget.size, gadget.mode, gadget.count, gadget.table) == (0.03, "fast", 4, {"a": 1000.0})
    assert loads(dump(scenario), folder=tmp_path) == scenario
    assert "gadgets" in json_schema([tmp_path / "soft.py"])["properties"]
    for text, message in [
        ("{body: x}", "unknown body"),
        ("{body: b, mode: fst}", "did you mean 'fast'"),
        ("{body: b, count: 1.5}", "not a whole number"),
        ("{body: b, choice: gren}", "did you mean 'green'"),
        ("{body: b, size: 3 kg}", "'3 kg' is a mass; expected a length [m]"),
        ("{body: b, table: {a: [1]}}", "gadgets.g.table.a: not a number"),
        ("{body: b, size: 13}", "cannot be used: ZeroDivisionError"),
    ]:
        found = faults_of(head + text, folder=tmp_path)
        assert len(found) == 1 and message in found[0] and found[0].startswith("f.yaml:5: gadgets.g"), found
    # the digest knows the plugin's text
    before = scenario.digest
    (tmp_path / "soft.py").write_text((tmp_path / "soft.py").read_text() + "\n")
    assert load(tmp_path / "s.yaml").digest != before
    # a plugin from outside becomes part of the scenario
    (tmp_path / "t.yaml").write_text("centrode: 1\nbodies: {b: {mass: 1}}\ngadgets: {g: {body: b}}\n")
    with pytest.raises(InputError, match="unknown section"):
        load(tmp_path / "t.yaml")
    assert load(tmp_path / "t.yaml", plugins=(str(tmp_path / "soft.py"),)).plugins == ("soft.py",)


def test_files_that_are_not_there(tmp_path):
    (tmp_path / "pendulum.yaml").write_text(PENDULUM)
    with pytest.raises(InputError, match=r"did you mean 'pendulum\.yaml'"):
        load(tmp_path / "pendulm.yaml")
    with pytest.raises(InputError, match="folder"):
        load(tmp_path)
    assert load(tmp_path / "pendulum.yaml") == loads(PENDULUM)


def test_faults_are_limited_in_number():
    text = "centrode: 1\nbodies:\n" + "".join(f"  b{i}: {{mass: -1}}\n" for i in range(500))
    found = faults_of(text)
    assert len(found) == 101 and "and 400 more faults" in found[-1]


keys = st.sampled_from(
    ["centrode", "title", "bodies", "joints", "forces", "points", "run", "plane", "gravity", "changes", "parameters",
     "plugins", "a", "kind", "mass", "position", "repeat", "count", "${i}", "b", "tyres", "roads", "at", "set", "part"]
)  # fmt: skip
leaves = (
    st.none() | st.booleans() | st.integers(-3, 9) | st.floats(width=16)
    | st.sampled_from(["rigid", "revolute", "ground", "a", "5 m", "3 kg", "${i}", "${1/0}", "x y", "1", "-2 deg", "s"])
    | st.text(max_size=5)
)  # fmt: skip
trees = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=5), max_leaves=25
)


@settings(max_examples=300)
@given(st.dictionaries(keys, trees, max_size=6))
def test_any_tree_is_a_scenario_or_an_input_error(tree):
    try:
        scenario = loads(emit({"centrode": 1, **tree}))
    except InputError as error:
        assert error.faults
    else:
        assert loads(dump(scenario)) == scenario


@given(st.text(alphabet="bodiesjntrum:{}[]-\n ${}i0123456789.kg", max_size=120))
def test_any_text_is_a_scenario_or_an_input_error(text):
    try:
        loads("centrode: 1\n" + text)
    except InputError as error:
        assert error.faults


numbers = st.floats(-1e6, 1e6)
vectors = st.tuples(numbers, numbers, numbers)


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.floats(1e-6, 1e9), vectors, vectors), min_size=1, max_size=4),
    vectors, st.text(max_size=20), st.floats(1e-3, 1e5), st.floats(1e-9, 1e-3),
)  # fmt: skip
def test_dump_and_load_give_the_same_scenario(bodies, gravity, title, duration, step):
    from centrode.parts.bodies.rigid import RigidBody
    from centrode.parts.forces.spring import Spring

    system = System(title, gravity)
    for index, (mass, position, velocity) in enumerate(bodies):
        system.add(RigidBody(f"b{index}", mass=mass, position=position, velocity=velocity))
        system.add(Spring(f"s{index}", "ground", f"b{index}", stiffness=mass))
    system.change(1.0, "b0", mass=5.0)
    scenario = Scenario(system, RunSettings(duration=duration, step=step))
    again = loads(dump(scenario))
    assert again == scenario
    assert again.system.parts == system.parts and again.settings == scenario.settings
    assert dump(again) == dump(scenario)


def test_schema_accepts_what_the_loader_accepts():
    jsonschema = pytest.importorskip("jsonschema")
    from centrode.scenario.tree import parse

    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    validator.validate(parse(PENDULUM).plain())
    for kind in starters():
        validator.validate(parse(starter_text(kind)).plain())
    validator.validate(json.loads(json.dumps(parse(dump(loads(PENDULUM))).plain())))
    for bad in (
        {"bodies": {}},
        {"centrode": 1, "bodys": {}},
        {"centrode": 1, "bodies": {"a": {"kind": "rigit"}}},
        {"centrode": 1, "bodies": {"a": {"kind": "rigid"}}},
        {"centrode": 1, "bodies": {"a": {"kind": "rigid", "mass": -1}}},
        {"centrode": 1, "bodies": {"a": {"kind": "rigid", "mass": 1, "masss": 1}}},
        {"centrode": 1, "joints": {"a": {"kind": "ball", "a": "ground"}}},
        {"centrode": 1, "run": {"stepp": 1}},
    ):
        assert list(validator.iter_errors(bad)), bad


SIGNAL = """\
centrode: 1
bodies: {b: {mass: 1}}
forces:
  push:
    kind: point-force
    body: b
    direction: [1, 0, 0]
    magnitude: {kind: harmonic, amplitude: %s, frequency: 2 Hz, phase_deg: 90}
"""


def test_signals_are_written_inline_with_units():
    scenario = loads(SIGNAL % "5 kN")
    magnitude = scenario.system.parts["push"].magnitude
    assert magnitude == {"kind": "harmonic", "amplitude": 5000.0, "frequency": 2.0, "phase": pytest.approx(math.pi / 2)}
    assert loads(dump(scenario)) == scenario
    found = faults_of(SIGNAL % "5 kg")
    assert found == ["f.yaml:8: forces.push.magnitude.amplitude: '5 kg' is a mass; expected a force [N]"]
    found = faults_of(SIGNAL.replace("harmonic", "harmonc") % "5 N")
    assert len(found) == 1 and "did you mean 'harmonic'" in found[0] and found[0].startswith("f.yaml:8: forces.push")


def test_several_units_may_be_declared():
    from centrode import units

    assert units.to_unit("5 kN", "N|N*m") == 5000.0
    assert units.to_unit("5 kN*m", "N|N*m") == 5000.0
    with pytest.raises(InputError, match=r"expected a force \[N\] or a moment or an energy \[N\*m\]"):
        units.to_unit("5 m", "N|N*m")


def test_files_are_found_beside_the_scenario(tmp_path, monkeypatch):
    (tmp_path / "deep").mkdir()
    (tmp_path / "kinds.py").write_text("""
from dataclasses import dataclass
from typing import ClassVar
from pathlib import Path
from centrode.errors import Fault
from centrode.parts.part import Part, quantity

@dataclass(frozen=True)
class Sheet(Part):
    '''A part that reads a file.'''
    family: ClassVar[str] = "sheet"
    kind: ClassVar[str] = "plain"
    file: str = quantity("", "table")

    def faults(self):
        return [] if Path(self.file).is_file() else [Fault("no such file", f"{self.name}.file", got=self.file)]
""")
    (tmp_path / "deep" / "s.yaml").write_text("centrode: 1\nplugins: [../kinds.py]\nsheets: {s: {file: data/t.txt}}\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"deep/s.yaml:3: sheets.s.file: no such file, got 'data/t.txt'"):
        load("deep/s.yaml")
    (tmp_path / "deep" / "data").mkdir()
    (tmp_path / "deep" / "data" / "t.txt").write_text("1")
    scenario = load("deep/s.yaml")
    assert "file: data/t.txt" in dump(scenario) and str(tmp_path) not in dump(scenario)
    assert load(tmp_path / "deep" / "s.yaml") == scenario
    before = scenario.digest
    (tmp_path / "deep" / "data" / "t.txt").write_text("2")
    assert scenario.digest != before


def test_functions_are_named_where_they_cannot_be_written():
    from centrode.parts.bodies.rigid import RigidBody
    from centrode.parts.forces.path_spring import PathSpring

    def system(law):
        made = System()
        made.add(RigidBody("b", mass=1.0, position=(1.0, 0.0, 0.0)))
        made.add(PathSpring("s", through=("ground", "b"), law=law, law_range=(-1.0, 1.0)))
        return Scenario(made)

    one, two = system(lambda stretch: 2.0 * stretch), system(lambda stretch: 3.0 * stretch)
    with pytest.raises(InputError, match=r"forces.s.law: cannot be written in a scenario file, got 'function'"):
        dump(one)
    assert one.text.startswith("# only in Python: forces.s.law\n") and "<function <lambda>" in one.text
    assert one.digest != two.digest and one.digest == system(lambda stretch: 2.0 * stretch).digest


VEHICLE = """
from dataclasses import dataclass
from typing import ClassVar
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.part import Part, quantity

@dataclass(frozen=True)
class Cart(Part):
    'A vehicle that adds one body.'
    family: ClassVar[str] = "vehicle"
    kind: ClassVar[str] = "test-cart"
    mass: float = quantity("kg", "mass", positive=True)

    def build(self, system):
        system.add(RigidBody(f"{self.name}.body", mass=self.mass))
"""
TOWING = """\
centrode: 1
plugins: [cart.py]
joints:
  hitch: {kind: ball, a: one.body, b: two.body, at: [0, 0, 0]}
vehicles:
  one: {kind: test-cart, mass: 1 t}
  two: {kind: test-cart, mass: 2 t}
"""


def test_vehicles_add_parts_that_others_refer_to(tmp_path):
    (tmp_path / "cart.py").write_text(VEHICLE)
    scenario = loads(TOWING, folder=tmp_path)
    assert list(scenario.system.parts) == ["one", "one.body", "two", "two.body", "hitch"]
    assert "one.body:" not in dump(scenario)
    assert loads(dump(scenario), folder=tmp_path) == scenario
    assert scenario.edited({"vehicles.two.mass": 5}).system.parts["two.body"].mass == 5.0
    found = faults_of(TOWING.replace("a: one.body", "a: one.bdy"), folder=tmp_path)
    assert len(found) == 1 and found[0].startswith("f.yaml:4: joints.hitch.a: unknown body, got 'one.bdy'")
    found = faults_of(TOWING.replace("a: one.body", "a: oen.body"), folder=tmp_path)
    assert len(found) == 1 and found[0].startswith("f.yaml:4: joints.hitch.a: unknown body, got 'oen.body'")


def test_scenarios_with_plugins_go_to_other_processes(tmp_path):
    import pickle
    import subprocess
    import sys

    (tmp_path / "cart.py").write_text(VEHICLE)
    (tmp_path / "s.yaml").write_text(TOWING)
    (tmp_path / "s.pickle").write_bytes(pickle.dumps(load(tmp_path / "s.yaml")))
    code = "import pickle, sys; print(pickle.load(open(sys.argv[1], 'rb')).system.parts['two.body'].mass)"
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "s.pickle")], capture_output=True, text=True)
    assert done.stdout == "2000.0\n", done.stderr


@pytest.mark.parametrize("name", list(MECHANISMS))
def test_every_mechanism_can_be_written_and_read(name):
    system = build_mechanism(name)
    again = loads(dump(system))
    assert again == Scenario(system)
    assert set(again.system.parts) == set(system.parts)
    assert again.system.plane == system.plane and again.system.gravity == system.gravity


@pytest.mark.parametrize("given", ["spring.py", ["spring.py"]])
def test_a_system_with_a_plugin_is_written_and_read_again(tmp_path, monkeypatch, given):
    example = Path(__file__).parents[2] / "examples" / "plugins" / "cubic_spring.py"
    (tmp_path / "spring.py").write_bytes(example.read_bytes())
    monkeypatch.chdir(tmp_path)
    system = ct.System(plugins=given)
    system.add(ct.RigidBody("bob", 1.0, (0.1, 0.1, 0.1), position=(1.0, 0.0, 0.0)))
    kind = ct.kinds("force", ["spring.py"])["cubic-spring"]
    system.add(kind("own", "ground", "bob", stiffness=5.0))
    scenario = ct.Scenario(system, RunSettings(duration=1.0))
    assert scenario.plugins == ("spring.py",)
    assert ct.loads(ct.dump(scenario)) == scenario
