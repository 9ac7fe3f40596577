"""Bodies, tyres, suspensions and outlines of a user's own: what goes wrong first is found by the check, with its place.

Each case is an example plugin with one line changed; the check named must fail, and no plugin ends in an exception.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import centrode as ct
from centrode.cli import main
from centrode.errors import InputError
from centrode.jit import JIT_ON

EXAMPLES = Path(__file__).parents[2] / "examples" / "plugins"

MOMENTUM = "        moment = minus(turn_back(matrix(t.rotation[b], 0), torque), cross(w, momentum))\n"
SWAPPED = MOMENTUM.replace("cross(w, momentum)", "cross(momentum, w)")
FORCE = "        put(t.weighted_force[b], 0, times(body.inverse_root_mass, force))\n"
LAW_END = "    return shorten * fx, shorten * fy, 0.0\n"
STRUT_END = "    return push, stored, 0.0, -gain * c\n"
AHEAD, ASIDE = "sliding ahead is opposed", "sliding aside is opposed"
BOX = "        return self.half_lengths"
BALL = "return math.hypot(*self.half_lengths)"
BORROW = "    t = ct.borrow(tables)\n"
ROTOR_UNIT = '"kg*m2/s", "angular momentum'

WRONG = {
    "body: gyroscopic moment of the wrong sign": ("gyrostat", MOMENTUM, SWAPPED, "momentum"),
    "body: a moment forgotten": ("gyrostat", MOMENTUM, "        moment = cross(momentum, w)\n", "energy"),
    "body: twice the acceleration": ("gyrostat", FORCE, FORCE.replace("force))", "times(2.0, force)))"), "energy"),
    "body: not a number": ("gyrostat", FORCE, FORCE.replace("force))", "times(1e300 * 1e300, force)))"), "builds"),
    "body: a number without a unit": ("gyrostat", ROTOR_UNIT, '"kgmm2", "angular momentum', "names and units"),
    "body: not an SI unit": ("gyrostat", ROTOR_UNIT, '"kg*mm2/s", "angular momentum', "names and units"),
    "body: a kind with a blank": ("gyrostat", '"gyrostat"', '"Gyro Stat"', "names and units"),
    "body: a name that is taken": ("gyrostat", '"gyrostat"', '"rigid"', "names and units"),
    "body: one argument too few": ("gyrostat", "(first, end, tables):", "(first, tables):", "kernels"),
    "body: its own code fails": ("gyrostat", "row.axes.T @ self.rotor", "row.axis.T @ self.rotor", "builds"),
    "tyre: driving brakes": (
        "arctangent_tyre",
        "    fx = arctangent",
        "    fx = -arctangent",
        AHEAD,
    ),
    "tyre: corners outwards": (
        "arctangent_tyre",
        "    fy = -arctangent",
        "    fy = arctangent",
        ASIDE,
    ),
    "tyre: grips in the air": ("arctangent_tyre", "if not load > 0.0:", "if load == 0.0:", "lifted"),
    "tyre: two answers": ("arctangent_tyre", LAW_END, "    return shorten * fx, shorten * fy\n", None),
    "tyre: short of a parameter": ("arctangent_tyre", ", self.friction])", "])", None),
    "suspension: not the energy": ("progressive_strut", "stored = 0.5 * stiffness", "stored = stiffness", "energy"),
    "suspension: the damper drives": ("progressive_strut", "- damping * rate", "+ damping * rate", "damper"),
    "suspension: energy at rest": ("progressive_strut", "stored = 0.5", "stored = 1.0 + 0.5", "relaxed"),
    "suspension: two answers": ("progressive_strut", STRUT_END, "    return push, stored\n", None),
    "suspension: short of a parameter": ("progressive_strut", ", self.camber_gain])", "])", None),
    "outline: a ball too small": (
        "rounded_box",
        "return math.hypot(*self.half_lengths)",
        "return 1.2",
        "bounding radius",
    ),
    "outline: wider than it says": ("rounded_box", "min(self.half_lengths) +", "9.0 * min(self.half_lengths) +", None),
    "outline: no size": ("rounded_box", "min(self.half_lengths) + self.radius", "0.0", None),
    "outline: a negative box": (
        "rounded_box",
        "        return self.half_lengths",
        "        return (-1.0, 1.0, 1.0)",
        None,
    ),
}


def changed(folder: Path, name: str, old: str, new: str) -> Path:
    text = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
    assert old in text, f"{old!r} is no longer in {name}.py"
    file = folder / "own.py"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    return file


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.py")))
def test_every_example_plugin_passes_its_check(name: str) -> None:
    assert not [str(result) for result in ct.failures(ct.check_part(EXAMPLES / f"{name}.py"))]


@pytest.mark.parametrize("fault", WRONG)
def test_a_kind_that_breaks_its_contract_is_found(tmp_path: Path, fault: str) -> None:
    name, old, new, check = WRONG[fault]
    failed = {result.check: result.message for result in ct.failures(ct.check_part(changed(tmp_path, name, old, new)))}
    assert failed and (check is None or check in failed), failed


def test_the_place_of_a_fault_in_a_plugin_is_said(tmp_path: Path) -> None:
    bad = changed(tmp_path, "gyrostat", "row.axes.T @ self.rotor", "row.axis.T @ self.rotor")
    (failed,) = ct.failures(ct.check_part(bad))
    line = 1 + bad.read_text(encoding="utf-8").split("row.axis")[0].count("\n")
    assert failed.message.startswith(f"own.py:{line}: in row: AttributeError")


def test_a_class_without_its_decorator_is_refused_with_its_line(tmp_path: Path) -> None:
    bad = changed(tmp_path, "gyrostat", "@dataclass(frozen=True)\nclass", "class")
    with pytest.raises(InputError, match=r"own.py:\d+: the class Gyrostat is no dataclass of its own"):
        ct.check_part(bad)


@pytest.mark.skipif(not JIT_ON, reason="Python compiles nothing")
@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "    t = ct.borrow(tables)\n",
            "    t = ct.borrow(tables)\n    t.nothing\n",
            "does not compile: Unknown attribute",
        ),
        ("@ct.step_kernel(signature=ct.BODY_SIGNATURE)\n", "@ct.step_kernel\n", "without its signature"),
        ("@ct.step_kernel(signature=ct.BODY_SIGNATURE)\n", "", "without its signature"),
    ],
)
def test_a_kernel_that_does_not_compile_is_named_with_file_and_line(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    bad = changed(tmp_path, "gyrostat", old, new)
    (failed,) = ct.failures(ct.check_part(bad))
    assert failed.check == "kernels" and words in failed.message and failed.message.startswith("own.py:")
    system = ct.System(plugins=bad)
    system.add(ct.kinds("body", bad)["gyrostat"]("top", 1.0, (0.1, 0.2, 0.3)))
    with pytest.raises(InputError, match=words):
        ct.simulate(system, duration=0.1)


SCENARIO = """centrode: 1
bodies:
  top: {kind: gyrostat, mass: 1 kg, inertia: [0.1, 0.2, 0.3]}
run: {duration: 0.1 s}
"""


def test_an_exception_of_a_plugin_is_said_with_its_place_and_is_no_internal_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(tmp_path, "gyrostat", "row.axes.T @ self.rotor", "row.axis.T @ self.rotor")
    (tmp_path / "top.yaml").write_text("plugins: [own.py]\n" + SCENARIO, encoding="utf-8")
    assert main.run(["run", str(tmp_path / "top.yaml"), "-o", str(tmp_path / "top.nc")]) == 2
    said = capsys.readouterr().err
    assert "own.py:" in said and "in row: AttributeError" in said and "report it" not in said
    assert not list(tmp_path.glob("top.nc*"))


def test_a_plugin_that_is_not_there_is_not_blamed_on_the_scenario(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "top.yaml").write_text(SCENARIO, encoding="utf-8")
    assert main.run(["check", str(tmp_path / "top.yaml"), "--plugin", str(tmp_path / "nothere.py")]) == 2
    said = capsys.readouterr().err
    assert "nothere.py: plugin not found" in said and "top.yaml: plugin" not in said
