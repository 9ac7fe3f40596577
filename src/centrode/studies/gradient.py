"""Gradients of the figures of a run with respect to its parameters: forward sensitivities of the discrete solution.

A run is a function of its parameters. One that is made with step control is not a smooth one, since the control
decides; differences of such runs are differences of its decisions. So the run is made once, its steps are noted, and
every other run takes the same steps (*internal numerical differentiation*, H. G. Bock, 1981): it is then as smooth as
the motion, controllers, events and contacts included, down to round-off. Events are located in every run, at their own
time, so the jump of a derivative at an event needs no formula.

For each parameter runs are made at p + h and p - h, with h a hundredth of p and then shorter, until the slope by
:mod:`centrode.math.extrapolation` is as good as wanted. What is given as the error has two parts:

    differencing    estimate of the extrapolation: terms left out, noise of the runs
    stepping        change of the difference when all steps are halved: the error of the method

Runs that are not completed do not count; then h is shortened. Where other events happen than in the first run, the
differences of long steps and short ones do not agree unless the events are of no account to the figure; it is told.

Contacts are kinks that are no events: a step goes over the touch, and its error depends on where in the step that lies.
The derivative of this error may be of any size, and shows in ``stepping``. Where it does, the differences are taken of
runs whose steps are controlled one by one, to a far smaller tolerance: step control follows the touch. The better of
both is given.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from centrode.errors import CentrodeError, InputError, RunError
from centrode.math.extrapolation import Slope, slope_of
from centrode.methods.method import Method, Outcome, find_method
from centrode.recording.recording import Recording
from centrode.recording.starts import CHOSEN, SOLVED
from centrode.running import SAME_TIME, Session, require_completed, resolve_settings
from centrode.scenario.document import Scenario
from centrode.studies.figures import Figure, Function, Wanted, find_figures, uneven_peak
from centrode.studies.parameters import Parameter, find_parameter
from centrode.system.builder import System
from centrode.system.settings import DEFAULT_METHOD, RunSettings
from centrode.texts import text_table

FIRST_STEP = 0.01
"""First difference of a parameter, relative to its value; to one where that is zero."""
SHRINK, LEAP = 2.0, 8.0
"""By what h is divided, and by what when nothing agrees yet."""
AGREES = 0.01
"""Relative error up to which an extrapolation is on its way."""
WHOLE = 2.0
"""What halved steps change is half of the error of a method of order one, and more of it of others."""
UNSURE = 10.0
"""Stepping errors that exceed the accuracy by this much ask for runs with step control ..."""
CLOSER, CLOSEST = 1e-3, 1e-12
"""... with so much less tolerance, but no less than the second."""
DEAREST = 8.0
"""... unless they take so many times the evaluations."""
UNTOLD = frozenset({"note", CHOSEN, SOLVED})
"""Events that are words about a run."""


@dataclass(frozen=True)
class Derivative:
    """Derivative of one figure with respect to one parameter.

    Attributes:
        figure, figure_unit, figure_value: the figure.
        parameter, parameter_unit, parameter_value: the parameter.
        value: the derivative, in figure unit per parameter unit; NaN when there is none.
        error: of the value, ``differencing`` and ``stepping`` together; infinite when nothing is known of it.
        differencing, stepping: see above.
        notes: kinks, other events, one-sided differences.
    """

    figure: str
    figure_unit: str
    figure_value: float
    parameter: str
    parameter_unit: str
    parameter_value: float
    value: float
    differencing: float
    stepping: float
    notes: tuple[str, ...] = ()

    @property
    def error(self) -> float:
        """Estimate of the error of the value."""
        return self.differencing + self.stepping

    @property
    def size(self) -> float:
        """What errors are compared with: the value, or what would hardly change the figure."""
        return _size(self.value, self.figure_value, self.parameter_value)

    @property
    def unit(self) -> str:
        """Unit of the derivative."""
        above, below = (unit or "1" for unit in (self.figure_unit, self.parameter_unit))
        if above == below:
            return "1"
        above, below = (f"({unit})" if set(unit) & set("*/ ") else unit for unit in (above, below))
        return above.strip("()") if below == "1" else f"{above}/{below}"

    @property
    def of_a_percent(self) -> float:
        """Change of the figure for one percent of the parameter."""
        return 0.01 * self.value * self.parameter_value


@dataclass(frozen=True)
class Gradient:
    """Derivatives of figures with respect to parameters.

    Attributes:
        derivatives: one for each pair, figures within parameters.
        runs: how many runs were made.
        notes: what holds for all.
    """

    derivatives: list[Derivative] = field(default_factory=list)
    runs: int = 0
    notes: tuple[str, ...] = ()

    @property
    def matrix(self) -> np.ndarray:
        """(figures, parameters) values."""
        parameters = list(dict.fromkeys(item.parameter for item in self.derivatives))
        return np.array([item.value for item in self.derivatives]).reshape(len(parameters), -1).T

    def of(self, figure: str, parameter: str) -> Derivative:
        """The derivative of a figure with respect to a parameter, as they are named in the table."""
        for item in self.derivatives:
            if (item.figure, item.parameter) == (figure, parameter):
                return item
        known = [f"{item.figure} by {item.parameter}" for item in self.derivatives]
        raise InputError("no such derivative", got=f"{figure} by {parameter}", expected="one of " + ", ".join(known))

    def table(self, width: int | None = None) -> str:
        """All derivatives as aligned text, what is to be known about them below."""
        columns = ["figure", "value", "by", "derivative", "error", "unit", "for 1 %"]
        rows, below = [], []
        for item in self.derivatives:
            marks = ""
            for note in item.notes:
                if note not in below:
                    below.append(note)
                marks += f" [{below.index(note) + 1}]"
            value = f"{item.figure_value:.7g} {item.figure_unit if item.figure_unit != '1' else ''}".rstrip()
            rows.append(
                [item.figure, value, item.parameter, _rounded(item.value, item.error), f"{item.error:.1g}",
                 item.unit + marks,
                 f"{item.of_a_percent:.3g}" if item.parameter_value else "-"]
            )  # fmt: skip
        said = [f"[{k + 1}] {note}" for k, note in enumerate(below)]
        return "\n".join([text_table(columns, rows, width=width, kept=3), *said, *self.notes])

    def to_data(self) -> dict[str, object]:
        """Plain values for JSON."""
        rows = [{**dataclasses.asdict(item), "error": item.error, "unit": item.unit} for item in self.derivatives]
        return {"derivatives": rows, "runs": self.runs, "notes": self.notes}


def _rounded(value: float, error: float) -> str:
    """A value with the digits that its error leaves."""
    if not np.isfinite(value + error):
        return "-"
    if value == 0.0:
        return "0"
    digits = 12 if error == 0.0 else int(np.ceil(np.log10(abs(value) / error))) + 1
    return f"{value:.{min(max(digits, 1), 12)}g}"


def gradient(
    what: System | Scenario,
    figures: Sequence[Wanted] | Mapping[str, Function] | Wanted,
    parameters: Sequence[str] | str,
    *,
    accuracy: float = 1e-6,
    check_steps: bool = True,
    **settings: Any,
) -> Gradient:
    """Derivatives of figures of a run with respect to parameters.

    Args:
        what: a system, or a scenario (which brings its own settings).
        figures: "hinge.angle@end", "arm.position.x@1.5", "arm.velocity@max", "a.delta_v_size@collision"
            (:mod:`centrode.studies.figures`), or functions of the recording that give a number.
        parameters: paths of numbers, "spring.stiffness", "arm.position.x", "parameters.length", "gravity.z"
            (:mod:`centrode.studies.parameters`).
        accuracy: relative error of the differencing that is good enough.
        check_steps: halve the steps once for each parameter, to see what the error of the method does.
        settings: as of :func:`centrode.simulate`.

    Raises:
        InputError: unknown figure or parameter.
        RunError: the run does not complete.

    Example:
        >>> found = ct.gradient(system, ["hinge.angle@end"], ["arm.mass", "spring.stiffness"], duration=2.0)
        >>> print(found.table())
    """
    scenario = what if isinstance(what, Scenario) else Scenario(what)
    names = [parameters] if isinstance(parameters, str) else list(parameters)
    found = [find_parameter(scenario, name) for name in names]
    chosen = resolve_settings(scenario.settings, settings, scenario.system.plugins)
    again = Repeated(scenario, chosen, figures)
    closely: Repeated | None = None
    helpless = False
    derivatives: list[Derivative] = []
    notes = list(again.notes)
    for parameter in found:
        rows = again.derivatives(parameter, accuracy, check_steps)
        if not helpless and any(row.stepping > UNSURE * accuracy * row.size for row in rows):
            try:
                controlled = _controlled(chosen, scenario.system.plugins)
                budget = DEAREST * again.first.statistics.evaluations
                closely = closely or Repeated(scenario, controlled, figures, follow=False, budget=budget)
                others = closely.derivatives(parameter, accuracy, check_steps)
                rows = [min(pair, key=lambda row: row.error) for pair in zip(rows, others, strict=True)]
            except CentrodeError as error:
                helpless = True
                notes.append(f"steps are too long, and runs with step control do not help: {error}")
        derivatives += rows
    runs = again.runs
    if closely is not None:
        runs += closely.runs
        told = f"'{closely.settings.method}' with a tolerance of {closely.settings.tolerance:.0e}"
        notes.append(f"steps given once are too long for some of the derivatives: {told} was tried as well")
    return Gradient(derivatives, runs, tuple(dict.fromkeys(notes)))


def _controlled(settings: RunSettings, plugins: Sequence[Path | str]) -> RunSettings:
    """Settings of runs with step control that follows what a given step goes over."""
    name = settings.method if find_method(settings.method, plugins).adaptive else DEFAULT_METHOD
    tolerance = max(CLOSER * settings.tolerance, CLOSEST)
    return dataclasses.replace(settings, method=name, step=None, tolerance=tolerance)


class Repeated:
    """A run that is repeated with other parameters and the same steps.

    Args:
        scenario: what to run.
        settings: how.
        wanted: figures of it.
        follow: take the steps of the first run; otherwise each run controls its own.
        budget: evaluations that the run may take; a RunError when it takes more.

    Attributes:
        figures: as they were found.
        first: the run itself.
        values: its figures.
        runs: how many runs were made so far.
        notes: sentences for the user.
    """

    def __init__(
        self,
        scenario: Scenario,
        settings: RunSettings,
        wanted: Sequence[Wanted] | Mapping[str, Function] | Wanted,
        follow: bool = True,
        budget: float = np.inf,
    ) -> None:
        self.scenario, self.settings, self.runs, self.budget = scenario, settings, 0, budget
        if np.isfinite(budget):
            self._try_budget()
        original, method, ends = self._noted()
        self.figures = find_figures(wanted, original)
        # It ends when the original does, wherever it rests by then.
        self.settings = dataclasses.replace(settings, until="duration")
        more = [time for figure in self.figures for time in figure.times]
        self.times = _apart(np.concatenate([original.time, more]))
        halves = np.sort(np.concatenate([ends, 0.5 * (ends + np.concatenate([[settings.start], ends])[:-1])]))
        self.method, self.finer = (method.following(x) if follow else method for x in (ends, halves))
        self.first = require_completed(self._run(scenario))
        self.values = self._values(self.first)
        self.notes = self._notes()

    def _noted(self) -> tuple[Recording, Method, np.ndarray]:
        """The run as it is, its method, and where its steps end."""
        room, method = 1 << 14, find_method(self.settings.method, self.scenario.system.plugins)
        while True:
            with self.scenario.located():
                session = Session(self.scenario.system, self.settings, variant=method.noting(room))
            run = require_completed(session.record(self.scenario, None, False, None))
            run.made_of = self.scenario
            self.runs += 1
            ends = session.method.noted(session.run)
            if ends.size < room:
                return run, session.method, np.unique(ends)
            room *= 4

    def _try_budget(self) -> None:
        """Go through the run frame by frame, and stop where it takes too many evaluations."""
        session = Session(self.scenario.system, self.settings)
        for time in session.frame_times():
            while session.run.time < time and session.advance_to_stop(np.array([time]))[1] is Outcome.FRAMES_DONE:
                if session.run.record["evaluations"][0] > self.budget:
                    raise RunError(f"to {session.run.time:g} s they take {DEAREST:g} times a whole run already")

    def _run(self, scenario: Scenario, finer: bool = False) -> Recording:
        """A run of a scenario with the steps of the first, or their halves."""
        settings, method = self.settings, self.finer if finer else self.method
        if finer and method is self.method:  # no steps to follow
            step = settings.step or method.default_step
            change = {"tolerance": 0.1 * settings.tolerance} if method.adaptive else {"step": 0.5 * step}
            settings = dataclasses.replace(settings, **change)  # type: ignore[arg-type]
        session = Session(scenario.system, settings, variant=method, times=self.times)
        run = session.record(scenario, None, False, None)
        run.made_of = scenario
        self.runs += 1
        return run

    def _values(self, run: Recording) -> np.ndarray:
        return np.array([float(figure.value(run)) for figure in self.figures])

    def _notes(self) -> list[str]:
        told = [f"{figure.name}: no smooth peak; its derivative is rough" for figure in self.figures
                if uneven_peak(figure, self.first)]  # fmt: skip
        events = _events(self.first)
        if events:
            kinds = ", ".join(dict.fromkeys(f"{kind} ({subject})" if subject else kind for kind, subject in events))
            told.append(f"the derivatives go through {len(events)} events: {kinds}")
        if self.method.adaptive and self.method.name == self.settings.method:
            told.append(f"'{self.method.name}' controls its steps in every run: noise of the size of the tolerance")
        return told

    def at(self, parameter: Parameter, value: float, finer: bool = False) -> tuple[np.ndarray, str]:
        """Figures with another value of a parameter, NaN when there are none, and why."""
        nothing = np.full(len(self.figures), np.nan)
        try:
            run = self._run(parameter.changed(value), finer)
        except InputError as error:
            return nothing, f"'{parameter.path}' cannot be {value:.6g}: {error.faults[0].what}"
        if not run.status.completed:
            return nothing, f"with '{parameter.path}' {value:.6g} the run does not complete"
        more, fewer = Counter(_events(run)), Counter(_events(self.first))
        other = sorted((more - fewer) + (fewer - more))
        told = f"with '{parameter.path}' {value:.6g} other things happen ({' of '.join(other[0])})" if other else ""
        return self._values(run), told

    def derivatives(
        self, parameter: Parameter, accuracy: float, check_steps: bool, levels: int = 9
    ) -> list[Derivative]:
        """Derivatives of all figures with respect to a parameter, from differences with so many steps at most."""
        h = FIRST_STEP * (abs(parameter.value) or 1.0)
        steps: list[float] = []
        up: list[np.ndarray] = []
        down: list[np.ndarray] = []
        told: dict[str, None] = {}
        slopes: list[Slope] = []
        while len(steps) < levels:
            for way, side in ((1.0, up), (-1.0, down)):
                values, why = self.at(parameter, parameter.value + way * h)
                side.append(values)
                if why:
                    told[why] = None
            steps.append(h)
            slopes = [
                slope_of(steps, [row[k] for row in up], [row[k] for row in down], self.values[k])
                for k in range(len(self.figures))
            ]
            wrong = max(self._relative(slope, k, parameter) for k, slope in enumerate(slopes))
            if wrong <= accuracy:
                break
            h /= LEAP if len(steps) > 2 and wrong > AGREES else SHRINK
        stepping = self._stepping(parameter, slopes, steps, up, down) if check_steps else np.zeros(len(self.figures))
        return [self._derivative(parameter, k, slopes[k], float(stepping[k]), told) for k in range(len(self.figures))]

    def _relative(self, slope: Slope, k: int, parameter: Parameter) -> float:
        """Error of a slope, relative to it, or to the figure where that does not change."""
        return (
            slope.error / _size(slope.value, self.values[k], parameter.value) if slope.value == slope.value else np.inf
        )

    def _stepping(
        self,
        parameter: Parameter,
        slopes: list[Slope],
        steps: list[float],
        up: list[np.ndarray],
        down: list[np.ndarray],
    ) -> np.ndarray:
        """What halved steps change in the differences at the shortest h that a slope comes from."""
        used = [steps.index(slope.step) for slope in slopes if np.isfinite(slope.value)]
        if not used:
            return np.full(len(slopes), np.inf)
        k = max(used)
        h = steps[k]
        one_sided = not (np.isfinite(up[k]) & np.isfinite(down[k])).any()
        ends = []
        for way, coarse in ((1.0, up[k]), (-1.0, down[k])):
            if np.isfinite(coarse).any():
                ends.append(way * (self.at(parameter, parameter.value + way * h, finer=True)[0] - coarse))
        found = WHOLE * np.abs(np.sum(ends, axis=0)) / (h if one_sided else 2.0 * h)
        return np.where(np.isfinite(found), found, np.inf)  # runs with halved steps that do not get there

    def _derivative(
        self, parameter: Parameter, k: int, slope: Slope, stepping: float, told: dict[str, None]
    ) -> Derivative:
        figure: Figure = self.figures[k]
        notes = [*figure.notes, *list(told)[:2]]
        if slope.sides is not None:
            left, right = slope.sides
            notes.append(f"a kink here: {left:.4g} below and {right:.4g} above, the mean is taken")
        if not np.isfinite(slope.error + stepping):
            notes.append("no derivative that could be trusted")
        return Derivative(
            figure.name, figure.unit, float(self.values[k]), parameter.path, parameter.unit, parameter.value,
            slope.value, slope.error, stepping, tuple(notes),
        )  # fmt: skip


def _apart(times: np.ndarray) -> np.ndarray:
    """Times in order, of those that are meant to be the same the first."""
    ordered = np.unique(times)
    kept = np.diff(ordered, prepend=-np.inf) > SAME_TIME * np.maximum(1.0, np.abs(ordered))
    return ordered[kept]


def _events(run: Recording) -> list[tuple[str, str]]:
    """What happened; not when."""
    return [(event.kind, event.subject) for event in run.events if event.kind not in UNTOLD]


def _size(slope: float, figure: float, parameter: float) -> float:
    """What the error of a slope is compared with: itself, or what would hardly change the figure."""
    return max(abs(slope), 1e-6 * abs(figure) / (abs(parameter) or 1.0), 1e-300)
