"""What contacts between bodies say to somebody who meets them for the first time."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import centrode as ct
from centrode.dynamics.contact.contacts import Contacts
from centrode.errors import InputError, RunStop
from centrode.jit import plain
from centrode.methods.choice import suited_method
from centrode.parts.contact_laws import hunt_crossley
from centrode.recording.provenance import Status
from centrode.scenario.inspection import inspect
from centrode.system.settings import RunSettings


def written(
    folder: Path, outline: str, law: str = "{kind: restitution, restitution: 0.5}", run: str = "{duration: 0.1 s}"
) -> Path:
    """The file of a body over a floor: its outline stands in line 6, the law in line 8."""
    file = folder / "body.yaml"
    file.write_text(f"""centrode: 1
bodies:
  body: {{mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0, 3]}}
outlines:
  floor: {{kind: plane, body: ground}}
  skin: {outline}
contact_laws:
  law: {law}
run: {run}
""")
    return file


@pytest.mark.parametrize(
    ("kind", "missing", "expected"),
    [
        ("sphere", "radius", r"radius \[m\]"),
        ("box", "half_lengths", r"half lengths along own x, y, z \[m\]"),
        ("ellipsoid", "semi_axes", r"semi-axes along own x, y, z \[m\]"),
        ("superellipsoid", "semi_axes", r"semi-axes along own x, y, z \[m\]"),
        ("polyhedron", "points", r"points whose convex hull is the outline \[m\]"),
    ],
)
def test_an_outline_without_its_size_is_asked_for_it_with_its_line(
    tmp_path: Path, kind: str, missing: str, expected: str
) -> None:
    """A ball without a radius was a metre large, a box two metres."""
    with pytest.raises(
        InputError, match=rf"body.yaml:6: outlines.skin: '{missing}' is missing; expected {expected}"
    ) as caught:
        ct.load(written(tmp_path, f"{{kind: {kind}, body: body}}"))
    assert len(caught.value.faults) == 1


def test_a_status_is_equal_to_the_word_for_it() -> None:
    """``run.status == "completed"`` was False of every run."""
    system = ct.System()
    system.add(ct.RigidBody("b", 1.0))
    run = ct.simulate(system, duration=0.1)
    assert run.status == "completed" and run.status != "failed" and run.status != "stopped"
    assert run.status in {"completed"} and run.status == Status() and str(run.status) == "completed"
    stopped = Status("stopped", RunStop("a wall", 1.5))
    assert stopped == "stopped" and stopped != "completed" and stopped != Status("stopped")
    assert str(stopped) == "stopped at t = 1.5 s: a wall" and stopped == str(stopped)
    assert stopped != 1 and stopped is not None


@pytest.mark.parametrize(
    ("word", "nearest"), [("complete", "completed"), ("Completed", "completed"), ("stop", "stopped")]
)
def test_a_status_refuses_a_word_that_no_run_ends_with(word: str, nearest: str) -> None:
    with pytest.raises(InputError, match=f"expected one of completed, stopped.*did you mean '{nearest}'"):
        _ = Status() == word


def over_a_floor(*parts: ct.Part) -> ct.System:
    """A body a metre over a floor."""
    system = ct.System()
    system.add(ct.RigidBody("lid", 1.0, (0.1, 0.1, 0.1), position=(0.0, 0.0, 1.0)))
    for part in (ct.OutlinePlane("floor", "ground"), *parts):
        system.add(part)
    return system


@pytest.mark.parametrize("method", ["dop853", "moreau"])
def test_a_plane_that_falls_on_a_plane_is_told_that_they_never_touch(method: str) -> None:
    """It fell through the floor, "completed", without a word."""
    words = "planes never touch planes: 'lid' passes through 'floor'"
    settings = RunSettings(duration=0.1, method=method)
    plane, box = ct.OutlinePlane("skin", "lid"), ct.OutlineBox("plate", "lid", half_lengths=(0.2, 0.2, 0.01))
    law = ct.Restitution("law", restitution=0.5)
    notes = inspect(ct.Scenario(over_a_floor(plane, law), settings)).notes
    assert [note for note in notes if note.startswith(words) and "a box" in note]
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="Mean of empty slice")
        run = ct.simulate(ct.Scenario(over_a_floor(plane, law), settings))
    assert words in run.summary()
    assert not any("planes" in note for note in inspect(ct.Scenario(over_a_floor(plane, box, law), settings)).notes)
    guided = over_a_floor(plane, law)
    guided.add(ct.Prismatic("slide", "ground", "lid", at=(0.0, 0.0, 1.0), axis=(1.0, 0.0, 0.0)))
    assert not any("planes" in note for note in inspect(ct.Scenario(guided, settings)).notes)


@pytest.mark.parametrize(("value", "meant"), [(1.4, ""), (3, ""), (40, "`40 %` (0.4)"), (85.5, "`85.5 %`")])
@pytest.mark.parametrize("kind", ["restitution", "hard"])
def test_a_restitution_above_one_is_no_share_in_percent_unless_it_looks_like_one(
    tmp_path: Path, kind: str, value: float, meant: str
) -> None:
    """1.4 was answered with "did you mean 1.4 %"."""
    with pytest.raises(InputError, match=r"body.yaml:8: contact_laws.law.restitution: too large.*at most 1") as caught:
        ct.load(written(tmp_path, "{kind: sphere, body: body, radius: 0.1}", f"{{kind: {kind}, restitution: {value}}}"))
    assert meant in str(caught.value) and ("did you mean" in str(caught.value)) == bool(meant)


@pytest.mark.compiled
@pytest.mark.parametrize("kind", [ct.Restitution, ct.HardContact])
@pytest.mark.parametrize("method", ["dop853", "moreau"])
def test_a_restitution_of_zero_is_taken(kind: type[ct.Restitution], method: str) -> None:
    """It was refused: "too small". A law that pushes takes it for a hundredth, and says so."""
    runs = []
    for restitution in (0.0, 0.01):
        system = over_a_floor(ct.OutlineSphere("skin", "lid", radius=0.1), kind("law", restitution=restitution))
        runs.append(ct.simulate(system, duration=0.5, method=method, frames=1e-3))
    none, little = (run["lid.velocity.z"] for run in runs)
    said = "restitution 0 is computed as 0.01 where laws push: 'law'; method 'moreau' takes 0 as it is"
    assert runs[0].status == "completed" and none.min() < -4.0  # 0.9 m of fall
    assert [said in run.summary() for run in runs] == [method == "dop853", False]
    if method == "dop853":
        assert np.array_equal(none, little)
    else:
        assert none.max() < 1e-12 < little.max()


@pytest.mark.compiled
@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_a_long_run_sees_its_contacts(method: str) -> None:
    """A thousandth of the duration was taken for the step, and 600 s stopped: "cannot be seen with this step"."""
    system = over_a_floor(ct.OutlineSphere("skin", "lid", radius=0.1), ct.Restitution("law", restitution=0.5))
    run = ct.simulate(system, duration=600.0, method=method)
    assert run.status == "completed" and len(run.time) == 201
    assert run["lid.position.z"][-1] == pytest.approx(0.1, abs=1e-3)  # a hundredth of the radius, as stiff as it is
    hits = run.events.of("collision")[:3] if method == "dop853" else []  # radau begins a hit with a state after it
    speed, begin, lasted = (2.0 * 9.81 * 0.9) ** 0.5, (2.0 * 0.9 / 9.81) ** 0.5, 0.0
    for hit in hits:  # half the speed each time; 1e-6: the tolerance of the run over some hundred steps
        assert hit.values["closing_speed"] == pytest.approx(speed, rel=1e-6)
        assert hit.time == pytest.approx(begin + lasted, rel=1e-6)
        lasted += hit.values["end"] - hit.values["begin"]
        speed *= 0.5
        begin += 2.0 * speed / 9.81


def test_a_material_without_a_law_is_told_with_its_line_and_the_nearest_name(tmp_path: Path) -> None:
    """It was told with "contact_pairs", which no file has, and without a line."""
    outline = "{kind: sphere, body: body, radius: 0.1, material: ruber}"
    law = "{kind: restitution, restitution: 0.5, between: [rubber, default]}"
    words = r"body.yaml:6: outlines.skin.material: no contact law.*got 'ruber'.*did you mean 'rubber'"
    with pytest.raises(InputError, match=words):
        inspect(ct.load(written(tmp_path, outline, law)))


def test_a_law_for_a_material_that_is_misspelt_is_told(tmp_path: Path) -> None:
    """Another law served the pair, without a word."""
    parts = (ct.OutlineSphere("skin", "lid", radius=0.1, material="rubber"), ct.LinearContact("usual"))
    for name, told in (("ruber", True), ("rubber", False), ("ice", False)):
        law = ct.Restitution("law", restitution=0.5, between=(name, "default"))
        notes = inspect(ct.Scenario(over_a_floor(*parts, law))).notes
        words = f"contact law 'law' is for '{name}', which is the material of no outline; did you mean 'rubber'?"
        assert (words in notes) == told


@pytest.mark.compiled
def test_touches_that_have_no_room_are_told_with_what_they_mean() -> None:
    """They were told as "touches not logged". Three balls that bounce ten times a second, frames a second apart."""
    system = ct.System()
    system.add(ct.OutlinePlane("floor", "ground"))
    for k in range(3):
        system.add(ct.RigidBody(f"b{k}", 1.0, (0.1, 0.1, 0.1), position=(k, 0.0, 0.11)))
        system.add(ct.OutlineSphere(f"o{k}", f"b{k}", radius=0.1))
    system.add(ct.HardContact("law", restitution=1.0))
    run = ct.simulate(system, duration=64.0, frames=1.0, method="moreau")
    notes = [item.subject for item in run.events if "missing among the events" in item.subject]
    assert len(notes) == 1 and "motion, forces and energies are whole" in notes[0] and "run.frames" in notes[0]
    closer = ct.simulate(system, duration=4.0, frames=1e-2, method="moreau")
    assert not any("missing" in item.subject for item in closer.events)


@pytest.mark.parametrize(("count", "law", "told"), [(20, "law", True), (19, "law", False), (20, "", False)])
def test_what_is_faster_for_piles_is_told_before_the_run(count: int, law: str, told: bool) -> None:
    """From thirty bodies on it was, behind the run."""
    system = ct.System()
    system.add(ct.OutlinePlane("floor", "ground"))
    for k in range(count):
        system.add(ct.RigidBody(f"b{k}", 1.0, (0.1, 0.1, 0.1), position=(k, 0.0, 1.0)))
        system.add(ct.OutlineSphere(f"o{k}", f"b{k}", radius=0.1))
    if law:
        system.add(ct.Restitution(law, restitution=0.5))
    heard: list[str] = []

    def stop(text: str) -> None:
        heard.append(text)
        raise KeyboardInterrupt

    words = "20 free bodies with outlines, pushed by 'law' step by step; method 'moreau'"
    assert any(note.startswith(words) for note in inspect(ct.Scenario(system)).notes) == told
    if told:
        with pytest.raises(KeyboardInterrupt):
            ct.simulate(system, duration=1e-3, say=stop)
        assert heard[0].startswith(words)
    else:
        assert suited_method(system) == ("dop853", "")


@pytest.mark.compiled
@pytest.mark.parametrize("method", ["dop853", "rattle"])
def test_an_interrupted_run_keeps_all_frames_that_it_reached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    """Those of the last 64 frames were lost, in a slow run all; and it goes on to the bytes of one that was not."""
    system = over_a_floor(ct.OutlineSphere("skin", "lid", radius=0.1), ct.Restitution("law", restitution=0.5))
    settings: dict[str, Any] = {"duration": 2.0, "method": method, "frames": 1e-2}
    usual, moments = Contacts.passing, []

    def interrupted(self: Contacts, workspace: Any) -> Any:
        moments.append(float(workspace.contacts.tables.head[0].last_time))
        if moments[-1] > 1.0:  # in the second chunk, from 0.64 to 1.28 s
            raise KeyboardInterrupt
        return usual(self, workspace)

    monkeypatch.setattr(Contacts, "passing", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ct.simulate(system, path=tmp_path / "cut.nc", **settings)
    monkeypatch.setattr(Contacts, "passing", usual)
    cut = ct.Recording.load(tmp_path / "cut.nc.partial")
    whole = ct.simulate(system, path=tmp_path / "whole.nc", **settings)
    assert cut.status == "interrupted" and len(cut.time) > 100
    assert cut.time[-1] <= moments[-1] < cut.time[-1] + 1e-2 + 1e-9
    assert np.array_equal(cut.time, whole.time[: len(cut.time)])
    assert np.array_equal(cut["lid.position"], whole["lid.position"][: len(cut.time)])
    ct.simulate(system, path=tmp_path / "cut.nc", resume=True, **settings)
    assert (tmp_path / "cut.nc").read_bytes() == (tmp_path / "whole.nc").read_bytes()


def test_a_hit_that_gives_nothing_back_is_not_followed_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """A body that creeps under its weight was followed for 100,000 steps in each of many trials: 2.5 s for one hit."""
    step, steps = hunt_crossley.one_step, []

    def counted(*values: float) -> tuple[float, float]:
        steps.append(1)
        found: tuple[float, float] = step(*values)
        return found

    monkeypatch.setattr(hunt_crossley, "one_step", counted)
    depth = -plain(hunt_crossley.rebound)(40.0, 0.3, 1.0)
    assert depth == pytest.approx(0.3, rel=0.01) and len(steps) < 3000  # about to rest where its weight is borne


def grown(system, law):
    """A system of the same parts and one more."""
    made = ct.System(gravity=system.gravity)
    for part in [*system.parts.values(), law]:
        made.add(part)
    return made


def test_what_the_summary_warns_of_is_a_list_in_python():
    """Somebody who only looks at the status was told nothing."""
    system = ct.System(gravity=(0.0, 0.0, -9.81))
    system.add(ct.OutlinePlane("floor", "ground"))
    system.add(ct.RigidBody("ball", 1.0, (0.004,) * 3, position=(0.0, 0.0, 0.2)))
    system.add(ct.OutlineSphere("skin", "ball", radius=0.1))
    told = {}
    for restitution in (0.0, 0.5):
        law = ct.Restitution("law", restitution=restitution)
        run = ct.simulate(grown(system, law), duration=0.1)
        told[restitution] = run.warnings
        assert [
            line.split(":", 1)[1].strip() for line in run.summary().splitlines() if line.startswith("warning")
        ] == told[restitution]
    assert any("restitution 0 is computed" in line for line in told[0.0]) and not told[0.5]


def test_outlines_in_a_plane_lead_to_what_touches_there(tmp_path: Path) -> None:
    file = tmp_path / "disc.yaml"
    file.write_text("""centrode: 1
plane: true
bodies:
  disc: {mass: 1, inertia: 0.1, position: [0, 3]}
outlines:
  skin: {kind: sphere, body: disc, radius: 0.2}
contact_laws:
  law: {kind: restitution, restitution: 0.5}
run: {duration: 0.1 s}
""")
    with pytest.raises(InputError, match=r"a system in space, got 'plane: true' \(in a plane sphere-contact and box-"):
        ct.simulate(ct.load(file))
