"""What users did first and did wrong: each used to be taken silently, or ended without a word of where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

import centrode as ct
from centrode.cli import main
from centrode.errors import InputError

MIDPOINT = (Path(__file__).parents[2] / "examples" / "plugins" / "explicit_midpoint.py").read_text(encoding="utf-8")


def spring_system(**plugins: Any) -> ct.System:
    system = ct.System(gravity=(0.0, 0.0, 0.0), **plugins)
    system.add(ct.RigidBody("body", 1.0, (1.0, 1.0, 1.0), position=(1.2, 0.0, 0.0)))
    system.add(ct.Spring("spring", "ground", "body", 5.0, length=1.0))
    return system


def notes(run: ct.Recording) -> list[str]:
    return [event.subject for event in run.events if event.kind == "note"]


def test_a_tolerance_that_the_method_does_not_use_is_said() -> None:
    run = ct.simulate(spring_system(), duration=0.1, method="rk4", step=0.01, frames=0.05, tolerance=1e-9)
    assert any("tolerance 1e-09 is not used" in note for note in notes(run))
    assert not notes(ct.simulate(spring_system(), duration=0.1, method="rk4", step=0.01, frames=0.05))


def test_a_step_that_is_shortened_to_meet_the_frames_is_said() -> None:
    run = ct.simulate(spring_system(), duration=0.1, method="rk4", step=0.03, frames=0.05)
    assert any("steps of 0.025 s, not 0.03 s" in note for note in notes(run))
    assert run.statistics.steps == 4


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (lambda: ct.RigidBody("b", mass="heavy"), r"b\.mass: not a number, got 'heavy'"),
        (lambda: ct.RigidBody("b", 1.0, position=(1.0, 2.0)), r"b\.position: not three numbers"),
        (lambda: ct.RigidBody("b", 1.0, position="here"), r"b\.position: not three numbers"),
        (lambda: ct.Spring("b", "ground", "body", stiffness="5 m"), r"b\.stiffness: '5 m' is a length"),
        (lambda: ct.Revolute("b", "ground", "body", axis=(0.0, 1.0)), r"b\.axis: two numbers in a system in space"),
        (lambda: ct.Ball("b", "ground", "body", at=(0.0, 1.0)), r"b\.at: two numbers in a system in space"),
    ],
)
def test_values_of_the_wrong_form_are_refused_from_python_too(part: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        spring_system().add(part())


def test_two_numbers_do_in_a_plane_system() -> None:
    system = ct.System(plane=True)
    system.add(ct.PlanarBody("arm", 1.0, 0.1))
    system.add(ct.Revolute("hinge", "ground", "arm", at=(0.0, 1.0)))


@dataclass(frozen=True)
class Wordy(ct.Ball):
    """A ball joint that passes on a word for a number."""

    kind: ClassVar[str] = "wordy"

    def parameters(self, scene: Any) -> list[Any]:
        return ["stiff"]


def test_parameters_that_are_no_numbers_are_named_with_their_part() -> None:
    system = spring_system()
    system.add(Wordy("pivot", "ground", "body"))
    with pytest.raises(InputError, match=r"pivot: the parameters that this kind passes on are not numbers"):
        ct.simulate(system, duration=0.1)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("np.zeros((1, run.workspace.values.size))", "[0.0]", "gives no work array"),
        ("return ct.Outcome.FRAMES_DONE.value", "return 77", "what is no outcome, got 77"),
    ],
)
def test_what_a_method_hands_back_wrongly_is_said(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert old in MIDPOINT
    (tmp_path / "own.py").write_text(MIDPOINT.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=words):
        ct.simulate(spring_system(plugins=tmp_path / "own.py"), duration=0.1, method="explicit-midpoint", step=0.01)


ROPE = """centrode: 1
bodies:
  bob: {mass: 1 kg, inertia: [1, 1, 1], position: [1, 0, 0]}
joints:
  hinge: {kind: revolute, a: ground, b: bob, at: [0, 0, 0], axis: [0, 1, 0]}
run: {duration: 1 s, method: discrete, step: 1 ms}
"""


def test_check_refuses_a_method_that_run_would_refuse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rope.yaml"
    file.write_text(ROPE, encoding="utf-8")
    assert main.run(["check", str(file)]) == 2
    said = capsys.readouterr().err
    assert main.run(["run", str(file), "-o", str(tmp_path / "rope.nc")]) == 2
    assert capsys.readouterr().err.endswith(said) and "rope.yaml:6: run.method: the method 'discrete'" in said


def test_one_plugin_may_be_given_without_a_list(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(MIDPOINT, encoding="utf-8")
    assert ct.kinds("body", str(file)) == ct.kinds("body", [file]) == ct.kinds("body", file)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: ct.simulate(ct.System(), 10.0), r"settings of a run have names, got 10.0.*duration=10.0"),
        (lambda: ct.Servo("s", joint="h", kp=10.0), r"kp: Servo 's' has no such field.*'stiffness'"),
        (lambda: ct.Servo("s", joint="h", stiffness=1.0, kv=1.0), r"kv: Servo 's' has no such field.*'damping'"),
        (lambda: ct.simulate(ct.double_pendulum(), method="RK45"), "did you mean 'dop853'"),
        (lambda: ct.loads("centrode: 1\njoints: {j: {kind: mimic}}"), "did you mean 'transmission'"),
    ],
)
def test_words_of_other_engines_lead_on(wrong: Callable[[], object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        wrong()


def test_a_robot_of_one_link_says_how_to_free_it(tmp_path: Path) -> None:
    """It said "a system needs at least one body", of a file that has one."""
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    file = tmp_path / "drone.urdf"
    file.write_text(f'<robot name="drone"><link name="hull">{inertial}</link></robot>')
    with pytest.raises(InputError, match=r"at least one body.*fix_root: false frees it"):
        ct.simulate(ct.load_urdf(file).system, duration=0.1)
    assert ct.simulate(ct.load_urdf(file, fix_root=False).system, duration=0.1).status.completed
