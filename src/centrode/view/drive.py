"""A drive: a run that goes on tick by tick with the commands of a driver, recorded like any other run.

Tick k ends at start + k / rate. The commands of a tick are held from its beginning to its end and recorded with the
frame at its end, as the input channels of the drives. Nothing else comes from outside, so the recorded inputs give the
same run again, bit for bit: :func:`replay`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from centrode.errors import InputError, RunStop, unknown_name
from centrode.methods.method import Outcome
from centrode.parts.controllers.controller import Controller
from centrode.parts.driving import DriveInput
from centrode.parts.forces.force import Force
from centrode.recording.observer import Observer, input_slots
from centrode.recording.provenance import Provenance, Status, made_by
from centrode.recording.recording import Recording
from centrode.recording.writer import RecordingWriter
from centrode.running import Session
from centrode.scenario.document import Scenario
from centrode.system.builder import System
from centrode.system.scene import SystemScene
from centrode.texts import AnyPath
from centrode.view.appearance import appearance_of
from centrode.view.marks import LiveRubs
from centrode.view.scene import ATTITUDES, SCENE_FORMAT, colour_of, form_of, shape_entries, stage_of, wanted_channels

RATE = 60.0
"""Ticks per second."""

_KEYS = {
    "steer": ("ArrowLeft", "ArrowRight", 0),
    "drive": ("ArrowUp", "ArrowDown", 1),
    "throttle": ("ArrowUp", "ArrowDown", 1),
    "brake": (" ", "", 3),
}
_SPARE_KEYS = (("ArrowUp", "ArrowDown"), ("ArrowLeft", "ArrowRight"), ("w", "s"), ("a", "d"), ("u", "j"), ("i", "m"))


def drive_inputs(system: System, vehicle: str = "") -> list[DriveInput]:
    """Controls of a vehicle, or of everything that has a drive.

    Args:
        system: the parts.
        vehicle: name of the vehicle or of a part before the dot ("car1"); the first with a drive when empty.

    Raises:
        InputError: no such vehicle, or nothing in it can be driven.
    """
    drives = [part for part in system.parts.values() if isinstance(part, Force) and part.input_names]
    owners = list(dict.fromkeys(_owner(part.name) for part in drives))
    seats = {part.name: inputs for part in system.parts.values() if (inputs := part.drive_inputs())}
    known = list(dict.fromkeys([*seats, *owners]))
    if not known:
        raise InputError("nothing here can be driven", hint="add an actuator, a motor, a thruster or a vehicle")
    if vehicle and vehicle not in known:
        raise unknown_name("nobody can sit in this", vehicle, known)
    chosen = vehicle or known[0]
    if chosen in seats:
        return seats[chosen]
    mine = [part for part in drives if _owner(part.name) == chosen]
    if not vehicle and not any("." in part.name for part in drives):
        mine = drives  # a mechanism: all its drives belong together
    spare = list(_SPARE_KEYS)
    return [_control(part, name, len(mine) > 1, spare) for part in mine for name in part.input_names]


def _control(part: Force, name: str, several: bool, spare: list[tuple[str, str]]) -> DriveInput:
    low, high = part.input_range(name)
    low, high = -1.0 if low is None else float(low), 1.0 if high is None else float(high)
    up, down, axis = _KEYS.get(name, ("", "", -1))
    if not up and "steer" in part.name:  # a torque on a handlebar: positive to the right
        up, down, axis = "ArrowRight", "ArrowLeft", 0
    if not up:
        up, down = spare.pop(0) if spare else ("", "")
    for taken in ((up, down), (down, up)):
        if taken in spare:
            spare.remove(taken)
    label = f"{part.name}.{name}" if several else name
    rest = min(max(0.0, low), high)
    return DriveInput(label, ((part.name, name, 1.0),), low, high, rest, "1", (up, down), axis)


def _owner(name: str) -> str:
    return name.split(".", maxsplit=1)[0]


class Drive:
    """A run under a driver's hands.

    Args:
        scenario: what is driven; controllers of the driven vehicle are taken out, all others stay.
        vehicle: name of the vehicle; the first that can be driven when empty.
        rate: ticks per second.
        path: file for the recording; in memory when left out.

    Attributes:
        controls: what the driver can move.
        time: of the last tick [s].
        stopped: why the run ended; empty while it goes on.
    """

    def __init__(
        self, scenario: Scenario, vehicle: str = "", *, rate: float = RATE, path: AnyPath | None = None
    ) -> None:
        if not 1.0 <= rate <= 1000.0:
            raise InputError("ticks per second out of range", got=rate, expected="1 to 1000")
        self.controls = drive_inputs(scenario.system, vehicle)
        self.scenario = without_controllers(scenario, self.controls)
        self.rate = float(rate)
        self.vehicle = vehicle
        self.path = Path(path) if path is not None else None
        settings = dataclasses.replace(self.scenario.settings, frames=None)
        with self.scenario.located():
            self.session = Session(self.scenario.system, settings)
        self.slots = [_slots(self.session.model, control) for control in self.controls]
        self.stopped = ""
        self._stop: RunStop | None = None
        self._begin()

    # -- running -------------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        session = self.session
        self.observer = Observer(session.model, session.workspace)
        self.tick_count = 0
        self.start = session.settings.start
        of, used = self.scenario, session.settings
        settings = {**dataclasses.asdict(used), "drive_rate": self.rate, "drive_vehicle": self.vehicle}
        made = made_by()
        named = (of.digest, of.text, made["version"], session.method.name, settings, used.seed, of.title)
        provenance = Provenance(*named, processors=made["processors"])
        self.writer = RecordingWriter(self.observer.channels, provenance, self.path)
        self._command({})
        session.act()
        first, _ = session.advance(np.array([self.start]))
        self.observer.begin(first[0])
        self.writer.add_events(session.start_events())
        self._take(first)

    @property
    def time(self) -> float:
        """Time of the last tick [s]."""
        return self.start + self.tick_count / self.rate

    def tick(self, commands: Mapping[str, float]) -> bool:
        """Go on by one tick with the commands of the driver: control name -> value. Missing ones are at rest.

        Returns:
            False when the run has stopped; see :attr:`stopped`.
        """
        if self.stopped:
            return False
        self._command(commands)
        return self._advance(self.start + (self.tick_count + 1) / self.rate)

    def _advance(self, target: float) -> bool:
        session = self.session
        times = np.array([target])
        while True:
            reached, outcome = session.advance_to_stop(times)
            self.writer.add_events(session.new_events())
            if outcome is not Outcome.FRAMES_DONE:
                self._stop = session.why_stopped(outcome)
                self.stopped = str(self._stop)
                return False
            if reached.shape[0]:
                break
        self.tick_count += 1
        self._take(reached)
        return True

    def _command(self, commands: Mapping[str, float]) -> None:
        values: dict[int, float] = {}
        for control, slots in zip(self.controls, self.slots, strict=True):
            wish = control.limited(float(commands.get(control.name, control.rest)))
            for slot, gain in slots:
                values[slot] = values.get(slot, 0.0) + gain * wish
        self._set(values)

    def _set(self, values: Mapping[int, float]) -> None:
        inputs = self.session.workspace["inputs"]
        for slot, value in values.items():
            if inputs[slot] != value:
                inputs[slot] = value
                self.session.run.fresh = True  # the rates of the present state are out of date

    def _take(self, rows: np.ndarray) -> None:
        self.columns = self.observer.columns(rows)
        self.writer.append(rows[:, 0], self.columns)

    def close(self) -> Recording:
        """End the drive; makes the recording."""
        status = Status("stopped", self._stop) if self._stop is not None else Status()
        statistics = self.session.statistics(0.0)
        statistics.wall_seconds = float("nan")
        self.writer.add_events(self.session.end_events())
        return self.writer.close(status, statistics, self.session.state().to_arrays())

    # -- looking -------------------------------------------------------------------------------------------------------

    def scene(self) -> dict[str, Any]:
        """What the live page shows: bodies, shapes, controls."""
        system = self.scenario.system
        names = self.session.model.body_names[1:]
        self._bodies = [(name, form_of(self.columns, name)) for name in names]
        self._seat = self._driven_body(list(names))
        bodies = [{"name": a, "form": b, "column": 0, "colour": colour_of(a, names)} for a, b in self._bodies]
        look = appearance_of(system)
        self._rubs = LiveRubs(system, look.visuals)
        self._signals = [name for name in wanted_channels(look.visuals) if self._scalar(name) is not None]
        controls = [dataclasses.asdict(item) for item in self.controls]
        inputs = [{key: value for key, value in item.items() if key != "targets"} for item in controls]
        return {
            "format": SCENE_FORMAT,
            **stage_of(system, bodies, look),
            **dict.fromkeys(("remarks", "joints", "plots", "marks", "events"), ()),
            "title": self.scenario.title or "Drive",
            "status": "",
            "shapes": shape_entries(look, list(names)),
            "signals": self._signals,
            "live": {"rate": self.rate, "body": self._seat, "rubs": self._rubs.widths, "inputs": inputs},
        }

    def numbers(self) -> np.ndarray:
        """The present frame for the live page: time, speed, poses, signals, where wheels rub (float32)."""
        found: list[Any] = [self.time, self._speed()]
        for name, form in self._bodies:
            for what in ("position", ATTITUDES[form]):
                found += np.ravel(self.columns[f"{name}.{what}"][-1]).tolist()
        found += [self._scalar(name) or 0.0 for name in self._signals]
        found += self._rubs.numbers(self.columns)
        return np.array(found, dtype="<f4")

    def _speed(self) -> float:
        name = f"{self._bodies[self._seat][0]}.velocity"
        return float(np.linalg.norm(self.columns[name][-1])) if name in self.columns else 0.0

    def _driven_body(self, names: list[str]) -> int:
        """Index of the body that the first control moves: where the camera sits."""
        system = self.scenario.system
        force = system.parts[self.controls[0].targets[0][0]]
        assert isinstance(force, Force)
        moved = [marker.body for marker in force.place(SystemScene(system)).markers if marker.body in names]
        return names.index(moved[-1]) if moved else 0

    def _scalar(self, name: str) -> float | None:
        known = name in self.columns and np.ndim(self.columns[name]) == 1
        return float(self.columns[name][-1]) if known else None


def without_controllers(scenario: Scenario, controls: list[DriveInput]) -> Scenario:
    """The scenario without the controllers that command what the driver commands."""
    driven = {force for control in controls for force, _, _ in control.targets}
    system = scenario.system
    controllers = [part for part in system.parts.values() if isinstance(part, Controller)]
    idle = [part.name for part in controllers if driven & set(part.input_names())]
    if not idle:
        return scenario
    twin = System(system.title, system.gravity, system.plane)
    twin.parts = {name: part for name, part in system.parts.items() if name not in idle}
    twin.changes = list(system.changes)
    return dataclasses.replace(scenario, system=twin, origin="", edits={})


def _slots(model: Any, control: DriveInput) -> list[tuple[int, float]]:
    known = input_slots(model)
    for name, entry, _ in control.targets:
        if (name, entry) not in known:
            raise InputError("a control of something that is not there", path=control.name, got=f"{name}.{entry}")
    return [(known[name, entry], float(gain)) for name, entry, gain in control.targets]


def replay(run: Recording) -> Recording:
    """Drive again with the recorded inputs; the result equals the recording bit for bit.

    Raises:
        InputError: the recording is not one of a drive.
    """
    rate = run.provenance.settings.get("drive_rate")
    if rate is None:
        raise InputError("not the recording of a drive", hint="`centrode drive` records one")
    scenario = run.scenario()
    names = {field.name for field in dataclasses.fields(scenario.settings)}
    settings = {key: value for key, value in run.provenance.settings.items() if key in names}
    scenario = dataclasses.replace(scenario, settings=dataclasses.replace(scenario.settings, **settings))
    drive = Drive(scenario, str(run.provenance.settings.get("drive_vehicle", "")), rate=float(rate))
    commanded = {slot for slots in drive.slots for slot, _ in slots}
    columns = {slot: run[f"{a}.{b}"] for (a, b), slot in drive.observer.inputs.items() if slot in commanded}
    for k in range(1, len(run)):
        drive._set({slot: float(values[k]) for slot, values in columns.items()})
        if not drive._advance(float(run.time[k])):
            break
    return drive.close()
