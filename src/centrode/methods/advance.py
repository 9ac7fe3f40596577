"""Advancing a run with any method: events are acted on, and outlines do not pass through each other unseen.

When a step has taken outlines through each other (:mod:`centrode.dynamics.contact.guard`), the run goes back to the
moment before the stretch of frames, comes to the state before the passage as it did, and takes shorter steps from
there: a method with step control to the last of the frame times, a method of equal steps from frame to frame while the
two touch. When that does not help the outcome is PASSED. In a long run, and where a contact began that was too stiff
for a step, a method with step control takes the short steps over that step alone: it sees for itself what follows. When
two grazed each other within a step, it goes back likewise, but takes shorter steps over that step alone, and on any
outcome the run goes on. A method of equal steps goes back when a contact has too few of them, too, and begins no
stretch of frames with a step that is too long for what touches.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from centrode.dynamics.contact.guard import Passing
from centrode.dynamics.events import Happened, ends_run, handle_event
from centrode.dynamics.frames import MEMORIES
from centrode.dynamics.redundancy import choice_worn, choose_rows
from centrode.errors import RunStop
from centrode.methods.method import Method, Outcome, Run

MOST_RETURNS = 4
"""How often a run goes back within one stretch of frames."""
SHORTEST_RETURN = 1e-3
"""It goes on with steps down to this part of its own; a passage that needs shorter ones stops the run. That of a method
with step control is a part of the duration and says nothing of a contact: it goes over the passage alone. Nor does that
of a method of equal steps say much where somebody chose a long one: it goes on with any that is short work."""
MOST_OVER_A_PASSAGE = 1e5
"""Short steps of a method with step control over one passage, of one of equal steps to the next frame, some seconds; a
law that needs more stops the run."""


class ReturnPoint:
    """The present moment of a run, to which it can go back: everything that steps change, and nothing else.

    Args:
        workspace: its tables.
        run: time, step and counters.
        happened: list of events so far; later ones are forgotten when the run goes back.
    """

    def __init__(self, workspace: Any, run: Run, happened: list[Happened]) -> None:
        tables = [workspace[name] for name in ("values", "row_active", "choice", *MEMORIES)]
        contacts = [] if workspace.contacts is None else workspace.contacts.in_use()
        self._kept = [(table, table.copy()) for table in (*tables, *contacts, run.record)]
        self._happened, self._count = happened, len(happened)

    def go_back(self) -> None:
        """Put the run back to this moment."""
        for table, values in self._kept:
            table[:] = values
        del self._happened[self._count :]


class Advance:
    """Advances a run through frame times.

    Args:
        workspace: tables of the run.
        method: what makes the steps.
        run: where it stands.

    Attributes:
        happened: events that parts acted on, to be taken by whoever reports them.
        ending: why a part ended the run.
        careful: the two outlines for whose sake a method of fixed step takes shorter ones than its own.
        shortest: step of a method of fixed step so far [s].
        resolves: contacts are looked at and get shorter steps where they need them.
        passing: the passage that stopped the run.
        earlier: frame rows of the present call that are done, beside those that ``run`` holds.
    """

    def __init__(self, workspace: Any, method: Method, run: Run) -> None:
        self.workspace, self.method, self.run = workspace, method, run
        self.contacts = workspace.model.contacts
        self.own_step = run.step
        run.buffers = method.prepare(run)
        self.happened: list[Happened] = []
        self.ending: RunStop | None = None
        self.careful: tuple[int, ...] = ()
        self.shortest = run.step
        self.resolves = self.contacts is not None and not method.adaptive and not method.hard_contacts
        if self.contacts is not None and self.resolves:
            self.contacts.be_resolved(workspace.contacts)
        self.passing: Passing | None = None
        self.earlier: list[np.ndarray] = []

    def through(self, frame_times: Sequence[float] | np.ndarray) -> tuple[np.ndarray, Outcome]:
        """Frame rows reached, and the outcome."""
        times = np.ascontiguousarray(frame_times, dtype=float)
        found = self.earlier = []
        while True:
            reached, outcome = self._advance(self._stretch(times), np.inf, MOST_RETURNS)
            found.append(reached)
            times = times[len(reached) :]
            if outcome is not Outcome.FRAMES_DONE or not times.size:
                return found[0] if len(found) == 1 else np.vstack(found), outcome

    def so_far(self, frame_times: np.ndarray) -> np.ndarray:
        """Frame rows of a call that did not come to its end: those of these times, in order, without gaps."""
        rows = np.vstack([*self.earlier, self.run.reached])
        rows = rows[np.unique(rows[:, 0], return_index=True)[1]]
        rows = rows[np.isin(rows[:, 0], frame_times)]
        whole = rows[:, 0] == frame_times[: len(rows)]
        return rows[: len(rows) if whole.all() else int(np.argmin(whole))]

    def _stretch(self, times: np.ndarray) -> np.ndarray:
        """Choose the step of a method of equal ones: the frame times for which it may do."""
        run = self.run
        if self.contacts is None or not self.resolves:
            return times
        if not self.careful or not self.contacts.touching(self.workspace, self.careful):
            run.step, self.careful = self.own_step, ()
        self._take(self.contacts.resolving_step(self.workspace.contacts, run.step))
        return times[:1] if run.step < self.own_step else times

    def _advance(self, frame_times: np.ndarray, largest: float, returns: int) -> tuple[np.ndarray, Outcome]:
        """Advance with steps of adaptive methods below ``largest`` [s], going back at most ``returns`` times.

        May end, all well, where a graze is over, or at the frame after a passage: fewer rows than asked for.
        """
        run, contacts = self.run, self.contacts
        kept = None if contacts is None else ReturnPoint(self.workspace, run, self.happened)
        run.expect(frame_times)
        while True:
            if contacts is not None:
                run.record["largest_step"] = min(contacts.largest_step(self.workspace), largest)
            outcome = self.method.advance(run)
            if outcome is Outcome.EVENT:
                if self._act_on_event():
                    return run.reached, Outcome.ENDED
            elif outcome is not Outcome.LOOK:
                if outcome is Outcome.BLOCKED and contacts is not None:
                    self.ending = contacts.why_blocked(self.workspace, run.time)
                return run.reached, outcome
            elif run.record["spare_rows"][0] and choice_worn(self.workspace.address):
                choose_rows(self.workspace, run.time)
            passing = None if kept is None else contacts.passing(self.workspace)
            if kept is not None and passing is not None:
                present = min(run.step, largest) if self.method.adaptive else run.step
                step = min(passing.step, 0.5 * present)
                short = step < SHORTEST_RETURN * self.own_step and not self._short_work(frame_times, passing, step)
                last_try = returns == 0 or short
                if passing.how == "grazed":
                    if last_try:
                        continue  # a graze stops no run
                    kept.go_back()
                    return self._over_its_step(frame_times, passing, largest, returns - 1)
                self.passing = passing
                alone = self.method.adaptive and passing.end - passing.begin < MOST_OVER_A_PASSAGE * step
                alone = alone and (short or passing.how == "stiff")
                if alone and returns:
                    kept.go_back()
                    return self._over_its_step(
                        frame_times, dataclasses.replace(passing, step=step), largest, returns - 1
                    )
                if last_try:
                    return run.reached, Outcome.PASSED
                kept.go_back()
                return self._again(frame_times, passing, step, returns - 1)

    def _short_work(self, frame_times: np.ndarray, passing: Passing, step: float) -> bool:
        """Whether a method of equal steps is soon at the next frame with this one."""
        ahead = frame_times[frame_times > passing.begin]
        return not self.method.adaptive and bool(ahead.size) and ahead[0] - passing.begin <= MOST_OVER_A_PASSAGE * step

    def _before(
        self, frame_times: np.ndarray, passing: Passing, largest: float, returns: int
    ) -> tuple[np.ndarray, Outcome, bool]:
        """Advance as before to the state before a passage: rows of the frames until then, the outcome, and whether
        that state was reached.
        """
        before = frame_times[frame_times < passing.begin]
        if passing.begin <= self.run.time:
            return self.workspace.frames.empty(0), Outcome.FRAMES_DONE, True
        reached, outcome = self._advance(np.append(before, passing.begin), largest, returns)
        there = outcome is Outcome.FRAMES_DONE and len(reached) > before.size
        return reached[: before.size], outcome, there

    def _over_its_step(
        self, frame_times: np.ndarray, passing: Passing, largest: float, returns: int
    ) -> tuple[np.ndarray, Outcome]:
        """Advance to the state before a graze or a passage, then over its step with shorter ones, no further: in a pile
        something grazes all the time, and a long run has a few passages.
        """
        reached, outcome, there = self._before(frame_times, passing, largest, returns)
        if not there:
            return reached, outcome
        within = frame_times[(frame_times >= passing.begin) & (frame_times <= passing.end)]
        stops = within if within.size and within[-1] == passing.end else np.append(within, passing.end)
        usual, careful = self.run.step, self.careful
        if not self.method.adaptive:
            self.run.step = passing.step
        more, outcome = self._behind(reached, stops, min(passing.step, largest), returns)
        if not self.method.adaptive and self.careful is careful:  # otherwise a passage chose the step
            self.run.step = usual
        return np.vstack([reached, more[: within.size]]), outcome

    def _again(
        self, frame_times: np.ndarray, passing: Passing, step: float, returns: int
    ) -> tuple[np.ndarray, Outcome]:
        """Advance to the state before a passage, and from there with a shorter step."""
        reached, outcome, there = self._before(frame_times, passing, np.inf, returns)
        if not there:
            return reached, outcome
        rest = frame_times[frame_times >= passing.begin]
        if not self.method.adaptive:
            self._take(step)
            self.careful, rest = passing.outlines, rest[:1]
        more, outcome = self._behind(reached, rest, step, returns)
        return np.vstack([reached, more]), outcome

    def _behind(
        self, reached: np.ndarray, frame_times: np.ndarray, largest: float, returns: int
    ) -> tuple[np.ndarray, Outcome]:
        """Advance behind rows that are reached, and that an interrupt leaves to :meth:`so_far`."""
        self.earlier.append(reached)
        found = self._advance(frame_times, largest, returns)
        self.earlier.pop()
        return found

    def _take(self, step: float) -> None:
        """Go on with this step, of a method of equal ones."""
        self.run.step, self.shortest = step, min(self.shortest, step)

    def _act_on_event(self) -> bool:
        """Let the part act whose event was found; whether the run ends with it."""
        run, number = self.run, self.run.event
        happened = handle_event(self.workspace, number, run.time)
        run.recount_rows()
        run.fresh = True
        if happened is None:
            return False
        self.happened.append((run.time, *happened))
        if not ends_run(self.workspace.model, number, happened[0]):
            return False
        self.ending = RunStop(f"{happened[1]}: {happened[0]}", run.time)
        return True
