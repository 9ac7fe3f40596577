"""Running a system: the only run loop.

    system or scenario -> model, workspace -> assembled start -> [advance -> frames -> channels]* -> recording

The loop stops the compiled advance only where something outside it must act: a parameter change, a controller's
sample, an event, or a chunk of frames to hand to the recording. Where it is cut depends on the input alone, never on
the clock, so the same input gives the same bytes, and a resumed run ends as an uninterrupted one.
"""

from __future__ import annotations

import dataclasses
import os
import time as clock
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from centrode.dynamics.assembly import AssemblyReport, assemble_start, set_compliance
from centrode.dynamics.changes import apply_change
from centrode.dynamics.contact.notes import chosen_words, contact_words, cost_words
from centrode.dynamics.contact.resolution import STEPS_TAKEN
from centrode.dynamics.control import Control
from centrode.dynamics.frames import MEMORIES
from centrode.dynamics.pace import coarse_step_notes, fastest_vibration
from centrode.dynamics.rest import RestWatch
from centrode.dynamics.trial import try_foreign_kernels
from centrode.dynamics.workspace import Workspace
from centrode.errors import NO_GROUND, PASSAGE, CentrodeError, InputError, RunError, RunStop
from centrode.methods.advance import Advance
from centrode.methods.choice import suited_method
from centrode.methods.fixed_step import whole_steps
from centrode.methods.method import OUTCOME_TEXT, Method, Outcome, Run, find_method
from centrode.parts.part import check_value
from centrode.recording.audit import GainWatch
from centrode.recording.events import Event
from centrode.recording.meanwhile import told_meanwhile
from centrode.recording.moment import Moment
from centrode.recording.observer import Observer
from centrode.recording.provenance import Provenance, Statistics, Status, made_by
from centrode.recording.recording import Recording
from centrode.recording.starts import CHOSEN, SOLVED
from centrode.recording.stops import core_stop, gain_stop, passage_stop
from centrode.recording.verdict import Verdict
from centrode.recording.writer import RecordingWriter
from centrode.scenario.document import Scenario
from centrode.system.builder import System
from centrode.system.model import Model, build_model
from centrode.system.settings import RunSettings
from centrode.system.state import State

FRAMES_PER_CHUNK = 64
"""Frames that go to the recording at once; a sixteenth where a run takes long, less is lost with the process."""
DEFAULT_FRAMES = 200
FIRST_STEP_FRACTION = 1e-3
SAME_TIME = 1e-12
"""Times closer than this, relative, are meant to be the same: a frame and a sample computed in different ways."""
STABLE = 2.0
"""Step times natural frequency up to which the explicit methods are stable: 2 for leapfrog, 2.8 for RK4."""
MANY_STEPS = 1e5
"""Steps for the sake of a body's vibration alone that are worth a word at the start."""
KEPT = (*MEMORIES, "row_active", "choice", "inputs")
"""Tables that belong to a state."""
GOES_WELL = (Outcome.FRAMES_DONE, Outcome.ENDED)
"""Outcomes that give no reason of their own to stop."""
NEAR_SINGULAR = 1e-3
"""A position counts as singular when the smallest pivot falls to this part of what it was at the start."""

Progress = Callable[[float, float], None]
"""Called with the present time and the end time of a run."""


def simulate(
    what: System | Scenario,
    *unnamed: object,
    path: str | os.PathLike[str] | None = None,
    resume: bool = False,
    progress: Progress | None = None,
    say: Callable[[str], None] = lambda text: None,
    **settings: Any,
) -> Recording:
    """Run a system or scenario.

    Args:
        what: a system, or a scenario (which brings its own settings).
        unnamed: nothing; settings have names.
        path: file to write the recording to; in memory when left out.
        resume: go on with an interrupted run at ``path``.
        progress: called as the run goes on, twice a second; from another thread while steps are computed.
        say: called before it begins, when it will take long.
        settings: fields of :class:`RunSettings` that override the scenario's: duration, method, step, frames, ...

    Returns:
        The recording. A run that went unstable returns what was computed, with ``status`` saying when, where and
        what to try; :meth:`Recording.status` is "completed" otherwise.

    Raises:
        InputError: something is wrong with the system or the settings.

    Example:
        >>> run = simulate(system, duration=10.0, method="rk4-projected", step=1e-3)
        >>> run["arm.position"][-1]
    """
    if unnamed:
        hint = f"simulate(system, duration={unnamed[0]!r})"
        raise InputError("settings of a run have names", path="run", got=unnamed[0], hint=hint)
    scenario = what if isinstance(what, Scenario) else Scenario(what)
    chosen = resolve_settings(scenario.settings, settings, scenario.system.plugins)
    with scenario.located():
        session = Session(scenario.system, chosen)
    for text in filter(None, (session.choice, *session.costs)):
        say(text)
    run = session.record(scenario, path, resume, progress)
    run.made_of = scenario.kept()
    return run


def resolve_settings(base: RunSettings, overrides: dict[str, Any], plugins: Sequence[Path | str] = ()) -> RunSettings:
    """Settings with overrides; unknown names and values out of range are refused."""
    from centrode.errors import Fault, nearest_name

    known = [field.name for field in dataclasses.fields(RunSettings)]
    expected = "one of " + ", ".join(known)
    faults = [
        Fault("unknown setting", f"run.{name}", got=value, expected=expected, nearest=nearest_name(name, known))
        for name, value in overrides.items()
        if name not in known
    ]
    if faults:
        raise InputError(faults)
    chosen = dataclasses.replace(base, **{name: value for name, value in overrides.items() if value is not None})
    faults = chosen.faults()
    if faults:
        raise InputError(faults)
    find_method(chosen.method, plugins)
    return chosen


class Session:
    """A model with its workspace, ready to run: for step-by-step use, live driving and studies.

    Args:
        system: the parts, or a scenario.
        settings: how to run; those of the scenario when left out.
        variant: of the method, instead of the one that the settings name.
        times: of the frames [s], instead of those of the settings.
        overrides: fields of :class:`RunSettings` by name, as of :func:`simulate`.

    Example:
        >>> session = Session(system, method="rk4-projected", step=1e-3)
        >>> session.step()["arm.position"]
    """

    def __init__(
        self,
        system: System | Scenario,
        settings: RunSettings | None = None,
        *,
        variant: Method | None = None,
        times: np.ndarray | None = None,
        **overrides: object,
    ) -> None:
        scenario = system if isinstance(system, Scenario) else Scenario(system)
        system = scenario.system
        settings = resolve_settings(settings or scenario.settings, overrides, system.plugins)
        self.system = system
        self.choice = ""
        if settings.method is None:
            name, self.choice = suited_method(system)
            settings = dataclasses.replace(settings, method=name)
        self.settings = settings
        self.method: Method = variant or find_method(settings.method, system.plugins)
        self._times = times
        self.model: Model = build_model(system, self.method.hard_contacts)
        faults = self.method.faults(self.model)
        if faults:
            raise InputError(faults)
        self.workspace = Workspace(self.model, audit=settings.audit)
        step = settings.step
        if step is None:
            step = settings.duration * FIRST_STEP_FRACTION if self.method.adaptive else self.method.step_for(self.model)
        self.step_length = step
        try_foreign_kernels(self.workspace, settings.start)
        set_compliance(self.workspace, settings.start, settings.step or self.method.step_for(self.model))
        self.assembly: AssemblyReport = assemble_start(self.workspace, settings.start, settings.assemble)
        # Light bodies between heavy ones make small pivots everywhere; only a fall far below the start is a position.
        self.start_pivot = self.workspace.evaluate(settings.start) if self.model.exact_joints.size else 1.0
        self.run = Run(self.workspace, settings.start, step, settings.tolerance)
        if self.model.contacts is not None:
            self.model.contacts.begin(self.workspace, settings.start)
        self._advance = Advance(self.workspace, self.method, self.run)
        self.control = Control(self.model, self.workspace, settings.start)
        self.watch = RestWatch(system, self.model) if settings.until == "rest" else None
        self.verdict = self._verdict()
        self.gains = self._gain_watch()
        self.changes = sorted(system.changes, key=lambda change: change.at)
        self.changes_done = 0
        self.costs = cost_words(system, self.model.contacts, self.method, settings.duration)
        self.last_words: Callable[[], list[str]] = list  # what only the caller can tell of the run at its end

    # -- state ---------------------------------------------------------------------------------------------------------

    def state(self) -> State:
        """The present state, from which a run goes on bit for bit."""
        w = self.workspace
        return State(
            time=self.run.time,
            values=w.values.copy(),
            **{name: w[name].copy() for name in KEPT},
            contacts=w.contact_numbers.copy(),
            step=self.run.step,
            changes_done=self.changes_done,
            controllers={
                "counters": self.run.counters,
                "careful": np.array(self._advance.careful, dtype=float),
                **({} if self.watch is None else {"still_since": np.array([self.watch.since])}),
                "verdict": self.verdict.numbers.copy(),
                **({} if self.gains is None else {"gains": self.gains.numbers.copy()}),
                **self.control.to_arrays(),
            },
        )

    def restore(self, state: State) -> None:
        """Go on from a state of the same model."""
        for change in self.changes[: state.changes_done]:  # first: what follows is the outcome of these changes
            self._apply(change)
        self.changes_done = state.changes_done
        w = self.workspace
        w.values[:] = state.values
        arrays = vars(state)
        for name in KEPT:
            if arrays[name].size:  # files of older versions have no choice of rows
                w[name][:] = arrays[name]
        w.contact_numbers = state.contacts
        self.run.time, self.run.step, self.run.fresh = state.time, state.step, False
        self.run.counters = state.controllers["counters"]
        w.spare_rows = int(self.run.record["spare_rows"][0])
        self._advance.careful = tuple(int(x) for x in state.controllers["careful"])
        if self.watch is not None:
            self.watch.since = float(state.controllers["still_since"][0])
        self.verdict.numbers[:] = state.controllers["verdict"]
        if self.gains is not None:
            self.gains.numbers[:] = state.controllers["gains"]
        self.control.restore(state.controllers)

    # -- running -------------------------------------------------------------------------------------------------------

    def advance(self, frame_times: Sequence[float] | np.ndarray) -> tuple[np.ndarray, Outcome]:
        """Advance through the given frame times: frame rows reached, which :meth:`named` reads, and the outcome.

        Controllers and changes of parameters do not act on the way; :meth:`step` lets them.
        """
        return self._advance.through(frame_times)

    def named(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """Frame rows of :meth:`advance` as channels: name -> values over the rows; "time" is one of them."""
        columns = self.observer.columns(rows)
        return {"time": rows[:, 0].copy()} | {channel.name: columns[channel.name] for channel in self.observer.channels}

    def now(self) -> Moment:
        """All channels of the present moment by name; nothing moves."""
        row = self._frame_now()
        return Moment(row[0, 0], self.observer.columns(row), self.observer.channels)

    def step(self, length: float | None = None) -> Moment:
        """Go on by a while, with changes and controllers acting as in a run.

        Args:
            length: [s]; a step of the method, or of an adaptive one the time between two frames, when left out.

        Returns:
            All channels of the moment reached.

        Raises:
            RunError: the run cannot go on, with moment, place and what to try.
        """
        if length is None:
            length = float(np.diff(self.frame_times()[:2])[0]) if self.method.adaptive else self.step_length
        faults = check_value("length", length, {"unit": "s", "positive": True})
        if faults:
            raise InputError(faults)
        self.observer  # noqa: B018 - the audit counts from where the session was first looked at
        target = self.run.time + float(length)
        while self.run.time < target:
            _, outcome = self.advance_to_stop(np.array([target]))
            if outcome is Outcome.ENDED:
                break
            if outcome is not Outcome.FRAMES_DONE:
                raise RunError(self.why_stopped(outcome))
        self.act()
        return self.now()

    @cached_property
    def observer(self) -> Observer:
        """What gives frames their names; energies are audited from its first use on."""
        found = Observer(self.model, self.workspace)
        found.begin(self._frame_now()[0])
        return found

    def record(
        self,
        scenario: Scenario,
        path: str | os.PathLike[str] | None,
        resume: bool,
        progress: Progress | None,
        keep: Callable[[np.ndarray], None] = lambda frames: None,
    ) -> Recording:
        """Run to the end and record, see :func:`simulate`; ``keep`` is given the frames as they are reached."""
        began, settings = clock.perf_counter(), self.settings
        observer = Observer(self.model, self.workspace)
        provenance = Provenance(
            scenario_digest=scenario.digest,
            scenario_text=scenario.text,
            **made_by(),
            method=self.method.name,
            settings={**dataclasses.asdict(settings), "step": settings.step},
            seed=settings.seed,
            title=scenario.title,
            folder=scenario.folder_from(path),
        )
        writer = RecordingWriter(observer.channels, provenance, path, resume=resume)
        times = self.frame_times()
        if writer.resumed is None:
            self.act()
        first, _ = self.advance(times[:1])
        observer.begin(first[0])
        if writer.resumed is not None:
            self.restore(State.from_arrays(dict(writer.resumed.state)))
            done = writer.frames
        else:
            writer.add_events(self.start_events())
            columns = observer.columns(first)
            self._judge(first[:, 0], columns, observer)
            writer.append(first[:, 0], columns)
            keep(first)
            done = 1
        status = Status()
        try:
            while done < times.size:
                stop = self._next_stop(times, done)
                with told_meanwhile(progress, lambda: float(self.run.time), times[-1]):
                    reached, outcome = self.advance_to_stop(times[done:stop])
                events = self.new_events()
                failed = None
                if reached.shape[0]:
                    columns = observer.columns(reached)
                    failed = self._judge(reached[:, 0], columns, observer)
                    if failed is not None and failed.outcome != "stopped" and outcome not in GOES_WELL:
                        failed = None  # why the run stopped says more
                    held = slice(None if failed is None else np.searchsorted(reached[:, 0], failed.until, "right"))
                    writer.append(reached[held, 0], {name: values[held] for name, values in columns.items()})
                    keep(reached[held])
                    done += len(reached[held])
                writer.add_events([event for event in events if failed is None or event.time <= failed.until])
                if failed is not None:
                    status = failed
                    break
                if outcome is Outcome.ENDED:
                    last = self._frame_now()
                    writer.append(last[:, 0], observer.columns(last))
                    status = Status("completed", self._advance.ending)
                    break
                if outcome is Outcome.FRAMES_DONE and self.at_rest(reached):
                    status = Status("completed", RunStop("at rest", self.run.time))
                    break
                if outcome is not Outcome.FRAMES_DONE:
                    status = Status("stopped", self.why_stopped(outcome))
                    break
                passages = [event for event in events if event.kind in (PASSAGE, NO_GROUND)]
                if passages:
                    status = Status("stopped", passage_stop(passages[0]))
                    break
                if writer.checkpoint_due and done < times.size:
                    writer.checkpoint(self.state().to_arrays())
            doubt = self.verdict.at_end() if status.completed else None
            if doubt is not None:
                status = Status("failed", doubt)
            writer.add_events(self.end_events())
            return writer.close(status, self.statistics(began), self.state().to_arrays())
        except (KeyboardInterrupt, CentrodeError) as error:
            # No checkpoint here: an interrupt may come between the steps of a chunk and the recording of its frames.
            rest = self._advance.so_far(times[writer.frames :])
            if isinstance(error, KeyboardInterrupt) and len(rest):  # computed again by a run that goes on from here
                writer.append(rest[:, 0], observer.columns(rest))
                writer.add_events(self.new_events())
            writer.abandon()
            raise

    def _verdict(self) -> Verdict:
        """Judge of joints and audit of this run."""
        switched = any(type(part).event_kernel is not None for part in self.model.joints)
        audit = self.settings.audit and not switched and not self.system.changes
        return Verdict(self.model, self.method.closes_joints, audit, self.method.order)

    def _gain_watch(self) -> GainWatch | None:
        """Watch over the energy of contacts; none where a law is known to make some (for study)."""
        contacts = self.model.contacts
        if contacts is None or not all(law.conserving for law in contacts.laws):
            return None
        return GainWatch(contacts.name, contacts.carriers, self.method.order)

    def _judge(self, times: np.ndarray, columns: dict[str, np.ndarray], observer: Observer) -> Status | None:
        """How a run ends whose new frames cannot be believed: bodies in each other, joints apart, energy made."""
        apart = self.verdict.look(times, columns, observer.seen, observer.fastest)
        gain = None
        if self.gains is not None:
            granted = 2.0 * self.settings.tolerance * float(self.run.record["steps"][0]) * self.method.adaptive
            lift = 0.0 if self.model.contacts is None else self.model.contacts.lift(self.workspace)
            gain = self.gains.look(times, columns, granted, lift)
        if self.model.contacts is not None:
            through = self.model.contacts.cores.find_passage(times, columns)
            if through is not None:
                return Status("stopped", core_stop(*through))
            doubt = self.model.contacts.unbelievable(self.workspace)
            if doubt is not None:
                return Status("failed", doubt)
        if apart is not None:
            return Status("failed", apart)
        if gain is None or self.model.contacts is None:
            return None
        names, lasts = self.model.contacts.nearest_contact(self.workspace, gain.body)
        return Status("failed", gain_stop(gain, names, lasts, self.method.adaptive))

    def _frame_now(self) -> np.ndarray:
        """A frame of the present moment, shape (1, width)."""
        return self.advance(np.array([self.run.time]))[0]

    def frame_times(self) -> np.ndarray:
        """Times of all frames; the last is the end of the run exactly."""
        if self._times is not None:
            return self._times
        start, duration = self.settings.start, self.settings.duration
        spacing = self.settings.frames or self.method.frame_spacing(duration, DEFAULT_FRAMES, self.step_length)
        count = max(1, round(duration / spacing))
        if abs(count * spacing - duration) > 1e-9 * duration:
            count = int(np.floor(duration / spacing * (1 + 1e-12)))
            times = start + spacing * np.arange(count + 1)
            return times if times[-1] >= start + duration * (1 - 1e-12) else np.append(times, start + duration)
        return start + duration * (np.arange(count + 1) / count)

    def at_rest(self, frames: np.ndarray) -> bool:
        """Whether the run is to end after these frames because everything has come to rest (``until: rest``)."""
        return self.watch is not None and self.watch.at_rest(frames[:, 0], self.workspace.frames.motion(frames)[1])

    def _next_stop(self, times: np.ndarray, done: int) -> int:  # with no frame behind one at which a rest has lasted
        size = FRAMES_PER_CHUNK // 16 if self.choice or self.costs else FRAMES_PER_CHUNK
        last = np.inf if self.watch is None else self.watch.earliest(times[done])
        return min(times.size, done + size - done % size, 1 + int(np.searchsorted(times, last)))

    def act(self) -> float:
        """Apply the parameter changes and controller samples that are due now.

        Returns:
            Time of the next one [s]; infinite when there is none.
        """
        now = self.run.time + SAME_TIME * max(1.0, abs(self.run.time))
        while self.changes_done < len(self.changes) and self.changes[self.changes_done].at <= now:
            self._apply(self.changes[self.changes_done])
            self.changes_done += 1
            self.run.recount_rows()
            self.run.fresh = True
        if self.control.sample(self.run.time):
            self.run.fresh = True
        change = self.changes[self.changes_done].at if self.changes_done < len(self.changes) else np.inf
        return min(change, self.control.next_time)

    def advance_to_stop(self, wanted: np.ndarray) -> tuple[np.ndarray, Outcome]:
        """Advance through the wanted frame times, or to the next change or sample if that comes first."""
        pause = self.act()
        # A sample and a frame that are meant to coincide may differ in the last digits: the frame's time counts.
        nearest = wanted[np.argmin(np.abs(wanted - pause))] if np.isfinite(pause) else pause
        if abs(nearest - pause) <= SAME_TIME * max(1.0, abs(pause)):
            pause = nearest
        if pause < wanted[-1]:
            before = wanted[wanted < pause]
            reached, outcome = self.advance(np.append(before, pause))
            return reached[: before.size], outcome
        return self.advance(wanted)

    def _apply(self, change: Any) -> None:
        self.system = apply_change(self.system, self.model, self.workspace, change)

    # -- words for the user --------------------------------------------------------------------------------------------

    def new_events(self, at_end: bool = False) -> list[Event]:
        """What happened since the last call, in order of time."""
        found = [Event(*item) for item in self._advance.happened]
        self._advance.happened.clear()
        if self.model.contacts is not None:
            found += [Event(*item) for item in self.model.contacts.drain(self.workspace, at_end)]
        return sorted(found, key=lambda event: event.time)

    def start_events(self) -> list[Event]:
        """What is worth a word before the run begins: what the assembly did, vibrations that cost many steps."""
        start = self.settings.start
        texts = [*self.system.notes, *(text for text in self.assembly.notes if text != "no exact joints")]
        texts += ([self.choice] if self.choice else []) + self._step_notes()
        texts += contact_words(self.system, self.model.contacts) + self.costs
        found = [Event(start, SOLVED, name, values) for name, values in self.system.solved_starts.items()]
        found += [Event(start, CHOSEN, text, {}) for text in chosen_words(self.model.contacts, self.method)]
        found += [Event(start, "note", text, {}) for text in texts]
        name, rate = fastest_vibration(self.system.parts.values())
        steps = self.settings.duration * rate / STABLE
        if self.method.adaptive and self.method.name != "radau" and steps > MANY_STEPS:
            text = f"'{name}' vibrates at {rate / (2.0 * np.pi):.4g} Hz: about {steps:.1g} steps of an explicit method"
            found.append(Event(start, "note", f"{text}; radau takes fewer where damping lets vibrations die", {}))
        return found

    def _step_notes(self) -> list[str]:
        """What a method of fixed step makes of the settings: it takes no tolerance, and whole steps between frames."""
        settings, found = self.settings, list[str]()
        if self.method.adaptive:
            return found
        if settings.tolerance != RunSettings().tolerance:
            found.append(f"'{self.method.name}' has a fixed step: the tolerance {settings.tolerance:g} is not used")
        spacing = float(np.diff(self.frame_times()).max())
        count, length = whole_steps(spacing, self.step_length)
        found += coarse_step_notes(self.workspace, settings.start, length if count else spacing)
        if settings.step is not None and count and abs(length - self.step_length) > 1e-6 * self.step_length:
            found.append(f"steps of {length:.6g} s, not {self.step_length:g} s, to meet frames {spacing:.6g} s apart")
        return found

    def end_events(self) -> list[Event]:
        """What happened last, and what only shows at the end of a run."""
        found = self.new_events(at_end=True)
        found += [Event(self.run.time, "note", text, {}) for text in self.last_words()]
        if self.watch is not None and not self.watch.found:
            text = f"not at rest after {self.settings.duration:g} s: {self.watch.moving(self.workspace)}"
            found.append(Event(self.run.time, "note", text, {}))
        if self._advance.shortest < (1.0 - 1e-9) * self.step_length:
            shortest, usual = self._advance.shortest, self.step_length
            text = f"contacts were resolved with steps down to {shortest:.2g} s, {STEPS_TAKEN:.0f} in a contact or so; "
            text += f"the {usual:g} s of '{self.method.name}' are too long for them and hold elsewhere"
            found.append(Event(self.run.time, "note", text, {}))
        (counted,) = self.run.record
        if self.model.exact_joints.size and counted["smallest_pivot"] < NEAR_SINGULAR * self.start_pivot:
            figures = {"pivot": float(counted["smallest_pivot"]), "forced_steps": float(counted["forced"])}
            time = float(counted["time_of_smallest_pivot"])
            found.append(Event(time, "near-singular position passed", "joints", figures))
            if counted["forced"] > 0:
                text = f"{counted['forced']:.0f} steps near them were accepted with an error above the tolerance"
                text = f"singular positions: {text}"
                text += "" if self.method.name == "dop853" else "; dop853 goes over them with less"
                found.append(Event(time, "note", text, {}))
        return found

    def why_stopped(self, outcome: Outcome) -> RunStop:
        """When, where and why the run stopped, and what to try."""
        ending, passing, contacts = self._advance.ending, self._advance.passing, self.model.contacts
        if ending is not None:
            return ending
        name, rate = fastest_vibration(self.system.parts.values())
        _, length = whole_steps(float(np.diff(self.frame_times()).max()), self.step_length)
        unstable = not self.method.adaptive and rate * length > STABLE  # deformed without end, it may pass anything
        if outcome is Outcome.PASSED and passing is not None and contacts is not None and not unstable:
            return contacts.why_passed(passing, OUTCOME_TEXT[outcome])
        speeds = np.abs(self.workspace["velocity"]).max(axis=1, initial=0.0)
        body = self.model.body_names[1 + int(np.argmax(np.nan_to_num(speeds, nan=np.inf)))] if speeds.size else ""
        advice = {
            Outcome.NOT_FINITE: "try a smaller step, an adaptive method (dop853) or a stiff one (radau)",
            Outcome.STEP_TOO_SMALL: "try a looser tolerance, or a stiff method (radau); look for a singular position",
            Outcome.NEWTON_FAILED: "try a smaller step or a tighter tolerance",
            Outcome.OFF_CONSTRAINTS: "try a smaller step or a tighter tolerance",
        }
        where, suggestion = f"fastest body: {body}", advice.get(outcome, "")
        if unstable and outcome in (Outcome.NOT_FINITE, Outcome.PASSED):
            where = f"'{name}' vibrates at {rate / (2.0 * np.pi):.4g} Hz"
            suggestion = f"try a step below {STABLE / rate:.2g} s, radau, a softer or a rigid body"
        return RunStop(OUTCOME_TEXT[outcome], self.run.time, where, suggestion, {})

    def statistics(self, began: float) -> Statistics:
        """What the run cost so far; ``began`` is what the clock showed at its start [s]."""
        (counted,) = self.run.record
        more = {
            "largest_residual": float(counted["largest_residual"]),
            "smallest_pivot": float(counted["smallest_pivot"]),
            "forced_steps": float(counted["forced"]),
            "bodies": float(self.model.body_count),
            "coordinates": float(self.assembly.coordinates),
            "constraint_rows": float(self.assembly.rows),
            "redundant_rows": float(len(self.assembly.redundant)),
            "degrees_of_freedom": float(self.assembly.degrees_of_freedom),
        }
        return Statistics(
            steps=int(counted["steps"]),
            rejected=int(counted["rejected"]),
            evaluations=int(counted["evaluations"]),
            more=more,
            wall_seconds=clock.perf_counter() - began,
        )


def require_completed(run: Recording) -> Recording:
    """The recording, or a :class:`RunError` when its run stopped early."""
    if not run.status.completed:
        raise RunError(run.status.stop or "the run did not complete", recording=run)
    return run
