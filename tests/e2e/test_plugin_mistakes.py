"""What those who write their first part do wrong: each is told before a run could end "completed" and wrong.

Every mistake was made by newcomers who had only the how-to pages; runs of these plugins were called completed, or ended
the process without a word.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import centrode as ct
from centrode.cli.main import run
from centrode.jit.plainly import plainly
from centrode.scenario.loader import load

EXAMPLES = Path(__file__).parents[2] / "examples" / "plugins"
ROW = "replace(row, data=tuple(float(x) for x in row.axes.T @ self.rotor))"
MISTAKES = {
    "a force that raises": (
        "cubic_spring", "        tension = par", "        if time > 0.5:\n            raise ValueError(time)\n"
        "        tension = par", "cubic_spring.py:45: the kernel 'cubic_spring_force' raises or asserts",
    ),
    "a joint that asserts": (
        "bead_on_ellipsoid", "        swept =", "        assert j >= 0\n        swept =",
        "bead_on_ellipsoid.py:32: the kernel 'bead_rows' raises or asserts",
    ),
    "a step that raises": (
        "explicit_midpoint", "work, tables):\n", "work, tables):\n    if h < 0.0:\n        raise ValueError\n",
        "the kernel 'midpoint_step' raises or asserts",
    ),
    "a step that takes rates at the wrong time": (
        "explicit_midpoint", "time + 0.5 * h", "time", "order",
    ),
    "a step that lets quaternions grow": (
        "explicit_midpoint", "    ct.normalise_poses(tables)\n", "", "call normalise_poses",
    ),
    "a tyre that pushes on when it slides": (
        "arctangent_tyre", "    shorten =", "    fy = fy if abs(fy) < 0.7 * limit else -fy\n    shorten =",
        "Fy has the sign of the slip angle",
    ),
    "a method of a name that is taken": (
        "explicit_midpoint", '"explicit-midpoint"', '"rk4"', "there is a method of this name already",
    ),
    "the same method twice": (
        "explicit_midpoint", "(ExplicitMidpoint(),)", "(ExplicitMidpoint(), ExplicitMidpoint())", "name already",
    ),
    "a tyre of two numbers": (
        "arctangent_tyre", ", 0.0\n    limit", "\n    limit", "does not compile",
    ),
    "a tyre of two numbers everywhere": (
        "arctangent_tyre", "0.0, 0.0, 0.0\n    limit", "0.0, 0.0\n    limit", "returns 2 values; expected 3 values",
    ),
    "a suspension of three numbers": (
        "progressive_strut", "stored, 0.0, -gain * c", "stored, 0.0", "returns 3 values; expected 4 values",
    ),
    "a curved outline of two": (
        "bead", "return height, x, rows", "return height, x", "the kernel 'bead_curved' returns 2 values",
    ),
    "a curved outline in another order": (
        "bead", "return height, x, rows", "return x, height, rows", "the kernel 'bead_curved' returns 3 values",
    ),
    "an egg": (
        "bead", "return height, x, rows", "return height + 0.01 * m[2], x, rows", "is not symmetric about its centre",
    ),
    "a number too few for an outline": (
        "bead", "[self.radius, self.half_length]", "[self.radius]", "reads more numbers than own_parameters gives",
    ),
    "a misspelt kernel of a body": (
        "gyrostat", "    weigh_forces_kernel:", "    weigh_force_kernel:", "did you mean 'weigh_forces_kernel'?",
    ),
    "a misspelt method of an outline": (
        "rounded_box", "def least_half_width", "def least_halfwidth", "did you mean 'least_half_width'?",
    ),
    "a misspelt list of endings": ("masses", "    endings:", "    ending:", "did you mean 'endings'?"),
    "a misspelt figure": ("speeds", "def figure(", "def figures(", "did you mean 'figure'?"),
    "a suspension without its row": (
        "progressive_strut", "def pack(", "def _own_row(", "has no 'pack' of its own, which its family asks for",
    ),
    "an outline without its width": (
        "bead", "def least_half_width(", "def _width(", "has no 'least_half_width' of its own",
    ),
    "a marker that was not placed": (
        "cubic_spring", "[marker_a, marker_b]", "[marker_a]", "cubic_spring.py:31: the kernel of 'second' reads",
    ),
    "a wrench of nobody": (
        "cubic_spring", "wrench[b, 2] = -tension", "wrench[b + 1, 2] = -tension", "outside of its tables",
    ),
    "a joint without rows": ("bead_on_ellipsoid", "    rows: ClassVar[int] = 1\n", "", "0 rows in space"),
    "a row that is not written": (
        "bead_on_ellipsoid", "rows: ClassVar[int] = 1", "rows: ClassVar[int] = 2", "1 declared rows are not written",
    ),
    "a body that does not say how it turns": (
        "gyrostat", "    principal_axes: ClassVar[bool] = False", "    pass", "say principal_axes",
    ),
    "a force without its parameters": (
        "cubic_spring", "par=[self.stiffness, self.cubic, self.damping, length]", "par=[]",
        "index 3 of 'par' of the placement, which holds 0",
    ),
    "a force with a parameter too few": (
        "cubic_spring", "self.damping, length]", "self.damping]", "index 3 of 'par' of the placement, which holds 3",
    ),
    "a body with a number too few": (
        "gyrostat", "for x in row.axes.T @ self.rotor)", "for x in (row.axes.T @ self.rotor)[:2])",
        "index 2 of 'data' of its row, which holds 2",
    ),
    "a body without a row": ("gyrostat", ROW, "None", "gives no row"),
    "a body with two moments": (
        "gyrostat", ROW, "replace(row, inertia=(1.0, 1.0))", "has another shape, got (1.0, 1.0)",
    ),
    "a body with a number": (
        "gyrostat", ROW, "replace(row, data=1.0)", "a tuple of numbers as its data",
    ),
    "a joint with a number": (
        "bead_on_ellipsoid", "[1.0 / float(x) ** 2 for x in self.semi_axes]", "1.0", "a list of numbers",
    ),
    "a joint with a matrix": (
        "bead_on_ellipsoid", "[1.0 / float(x) ** 2 for x in self.semi_axes]", "[[1.0], [1.0]]", "a list of numbers",
    ),
    "a row that is a list": (
        "arctangent_tyre", "np.array([self.cornering_stiffness, self.driving_stiffness, self.friction])",
        "[self.cornering_stiffness, self.driving_stiffness, self.friction]", "gives no row of numbers",
    ),
    "a row of a number that is none": (
        "progressive_strut", "self.damping, self.camber_gain]", "self.damping, self.camber_gains]",
        "'pack' of 'suspension' fails (progressive_strut.py:",
    ),
    "a force over no mass": (
        "gyrostat", "times(body.inverse_root_mass, force)", "force", "FAILS",
    ),
}  # fmt: skip


@pytest.mark.compiled
@pytest.mark.parametrize("mistake", sorted(MISTAKES))
def test_a_mistake_is_told(mistake, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    example, before, after, words = MISTAKES[mistake]
    text = (EXAMPLES / f"{example}.py").read_text(encoding="utf-8")
    if mistake == "a tyre of two numbers everywhere":
        text = text.replace("shorten * fy, 0.0", "shorten * fy")
    assert before in text
    Path(f"{example}.py").write_text(text.replace(before, after, 1), encoding="utf-8")
    assert run(["check", f"{example}.py"]) in (1, 2)
    said = capsys.readouterr()
    assert words in said.out + said.err


@pytest.mark.compiled
def test_the_check_of_a_damper_says_where_it_saw_none(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (EXAMPLES / "progressive_strut.py").read_text(encoding="utf-8")
    Path("strut.py").write_text(text.replace("- damping * rate", ""), encoding="utf-8")
    assert run(["check", "strut.py"]) == 0
    assert "the rate changes nothing with these parameters" in capsys.readouterr().out


WIRE = """
centrode: 1
plugins: [bead_on_ellipsoid.py]
bodies: {bead: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}
joints: {wire: {kind: bead-on-ellipsoid, a: ground, b: bead}}
run: {duration: 10 ms}
"""


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("        swept =", "        if j > 9:\n            raise ValueError\n        swept =", "raises or asserts"),
        ("    rows: ClassVar[int] = 1\n", "", "would hold nothing"),
        ("terms[j, 0, ct.rows.PHI]", "terms[j, 7, ct.rows.PHI]", "outside of its tables"),
        ("in self.semi_axes]", "in self.semi_axes[:2]]", "index 2 of 'par' of the placement, which holds 2"),
    ],
)
def test_a_scenario_with_a_mistaken_joint_does_not_run(before, after, words, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (EXAMPLES / "bead_on_ellipsoid.py").read_text(encoding="utf-8")
    assert before in text
    Path("bead_on_ellipsoid.py").write_text(text.replace(before, after, 1), encoding="utf-8")
    Path("wire.yaml").write_text(WIRE, encoding="utf-8")
    assert run(["run", "wire.yaml", "-o", "wire.nc"]) == 2
    assert words in capsys.readouterr().err and not Path("wire.nc").exists()


CARS = {
    "arctangent_tyre": (
        "tyres: {own: {kind: arctangent, cornering_stiffness: 5e4, driving_stiffness: 8e4, friction: 0.9}}",
        "tyre: own", "self.driving_stiffness, self.friction])", "self.driving_stiffness])",
    ),
    "progressive_strut": (
        "suspensions: {own: {kind: progressive, stiffness: 4e4, damping: 3000, rest_length: 0.4}}",
        "suspension: own", "self.damping, self.camber_gain])", "self.damping])",
    ),
}  # fmt: skip


@pytest.mark.compiled
@pytest.mark.parametrize("example", sorted(CARS))
def test_a_car_whose_law_reads_more_than_its_row_does_not_run(example, tmp_path, capsys, monkeypatch):
    """Rows lie behind each other in one pool: the law read the first number of what came next."""
    monkeypatch.chdir(tmp_path)
    declared, used, before, after = CARS[example]
    text = (EXAMPLES / f"{example}.py").read_text(encoding="utf-8")
    assert before in text
    car = f"vehicles: {{car: {{kind: car, chassis: rigid, speed: 10, {used}}}}}"
    run_line = "run: {duration: 20 ms, method: rk4-projected, step: 1 ms}"
    Path("car.yaml").write_text("\n".join(["centrode: 1", declared, car, run_line]), encoding="utf-8")
    for content, code in ((text, 0), (text.replace(before, after), 2)):
        Path("law.py").write_text(content, encoding="utf-8")
        assert run(["run", "car.yaml", "--plugin", "law.py", "-o", f"{code}.nc"]) == code
    said = capsys.readouterr().err
    assert "law.py:" in said and "reads or writes outside of its tables" in said and not Path("2.nc").exists()


@pytest.mark.compiled
def test_every_command_that_reads_a_scenario_takes_plugins(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plugin = str(EXAMPLES / "bead_on_ellipsoid.py")
    Path("wire.yaml").write_text(WIRE.replace("plugins: [bead_on_ellipsoid.py]\n", ""), encoding="utf-8")
    assert run(["linearise", "wire.yaml"]) == 2
    assert run(["linearise", "wire.yaml", "--plugin", plugin, "--set", "bodies.bead.mass=2"]) == 0
    assert run(["run", "wire.yaml", "--plugin", plugin, "-o", "wire.nc", "--quiet"]) == 0
    assert run(["view", "wire.nc", "--plugin", plugin, "--html", "wire.html"]) == 0
    declared, used, *_ = CARS["arctangent_tyre"]
    Path("car.yaml").write_text(
        f"centrode: 1\n{declared}\nvehicles: {{car: {{kind: car, chassis: rigid, speed: 10, {used}}}}}\n",
        encoding="utf-8",
    )
    tyre = str(EXAMPLES / "arctangent_tyre.py")
    capsys.readouterr()
    assert run(["car", "step-steer", "--scenario", "car.yaml"]) == 2 and "arctangent" in capsys.readouterr().err
    assert run(["car", "step-steer", "--scenario", "car.yaml", "--plugin", tyre]) == 0


@pytest.mark.compiled
def test_the_check_of_a_scenario_puts_its_plugins_to_the_test(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (EXAMPLES / "bead_on_ellipsoid.py").read_text(encoding="utf-8")
    Path("wire.yaml").write_text(WIRE, encoding="utf-8")
    Path("bead_on_ellipsoid.py").write_text(text, encoding="utf-8")
    assert run(["check", "wire.yaml"]) == 0
    assert "wire.yaml: no faults\n" in capsys.readouterr().out
    Path("bead_on_ellipsoid.py").write_text(text.replace("= 2.0 * dot(", "= 3.0 * dot("), encoding="utf-8")
    assert run(["check", "wire.yaml"]) == 1
    assert "bead-on-ellipsoid: acceleration rows FAILS: gamma is not what" in capsys.readouterr().out


def test_gravity_that_a_file_states_holds_where_the_scenario_states_none(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (EXAMPLES / "masses.py").read_text(encoding="utf-8")
    Path("masses.py").write_text(text.replace("ct.System()", "ct.System(gravity=(0, 0, -1.62))"), encoding="utf-8")
    for name in ("one", "two"):
        Path(f"{name}.masses").write_text("a 1 0 0 0\n", encoding="utf-8")
    assert load("one.masses", plugins=("masses.py",)).system.gravity == (0.0, 0.0, -1.62)
    start = "centrode: 1\nplugins: [masses.py]\n"
    Path("both.yaml").write_text(
        start + "imports: {a: {kind: masses, file: one.masses}, b: {kind: masses, file: two.masses}}\n"
    )
    assert load("both.yaml").system.gravity == (0.0, 0.0, -1.62)
    Path("own.yaml").write_text(start + "gravity: [0, 0, -3]\nimports: {a: {kind: masses, file: one.masses}}\n")
    assert load("own.yaml").system.gravity == (0.0, 0.0, -3.0)
    Path("moon.xml").write_text(
        '<mujoco><option gravity="0 0 -9"/><worldbody><body><joint type="free"/><geom type="sphere" size="0.1"/></body>'
        "</worldbody></mujoco>"
    )
    assert load("moon.xml").system.gravity == (0.0, 0.0, -9.0)
    Path("clash.yaml").write_text(
        start + "imports: {a: {kind: masses, file: one.masses}, b: {kind: mjcf, file: moon.xml}}\n"
    )
    with pytest.raises(ct.InputError, match="another gravity than in 'a'"):
        load("clash.yaml")


@ct.kernel
def inner(numbers, k):
    return numbers[k]


@ct.kernel
def outer(numbers):
    return inner(numbers, 5) + ct.bounded(0.5, 1.0)


def test_a_kernel_in_plain_python_calls_plain_python():
    """All the way down: an index that machine code would not look at is an error at any depth."""
    with pytest.raises(IndexError):
        plainly(outer)(np.zeros(3))
    assert plainly(outer)(np.ones(6)) == 1.0 + ct.bounded(0.5, 1.0)


def test_a_bead_at_rest_is_no_audit_that_does_not_close():
    """Its energies are 1e-18 J, as far off as round-off of places lifts it; it was called failed."""
    system = ct.System()
    system.add(ct.RigidBody("bead", 1.0, (1.0, 1.0, 1.0)))
    system.add(ct.PointOnLine("wire", "ground", "bead", at=(0, 0, 0), axis=(0.0, 0.6, 0.8)))
    system.add(ct.PointOnPlane("floor", "ground", "bead", at=(0, 0, 0), axis=(0.0, 0.0, 1.0)))
    run = ct.simulate(system, duration=0.3)
    assert run.status.completed, run.status
