"""Where a recording comes from and how its run went. No machine path and no time stamp: same input, same bytes."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import field
from typing import Any

import numpy as np

import centrode
from centrode.classes import dataclass
from centrode.errors import CAME_APART, MADE_ENERGY, NOT_FINITE, PASSAGE, RunStop, unknown_name
from centrode.jit.processor import made_for
from centrode.recording.events import Events


@dataclass(frozen=True)
class Provenance:
    """What made a recording.

    Attributes:
        scenario_digest: SHA-256 of the scenario.
        scenario_text: the scenario itself (YAML), so that a recording can be run again.
        version: version of Centrode.
        method: name of the method.
        settings: all run settings, plain values.
        seed: of the random numbers, when there are any.
        title: of the scenario.
        folder: where the files lie that the scenario names, seen from the recording; empty when it names none.
        processors: which ones its machine code was made for, on which the last digits depend
            (:func:`centrode.jit.processor.made_for`); empty in recordings of before.
    """

    scenario_digest: str = ""
    scenario_text: str = ""
    version: str = ""
    method: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None
    title: str = ""
    folder: str = ""
    processors: str = ""

    def __post_init__(self) -> None:
        # As JSON keeps them (tuples become lists), so that a stored provenance equals the one it was made from.
        plain = json.loads(json.dumps(dict(self.settings), default=lambda value: value.tolist()))
        object.__setattr__(self, "settings", plain)


@dataclass
class Statistics:
    """What a run cost. The wall time is known only while the run is in memory: it is not stored.

    Attributes:
        steps: accepted steps.
        rejected: steps taken back.
        evaluations: evaluations of the accelerations.
        more: further figures that depend on the input alone.
        wall_seconds: [s]; NaN in a loaded recording.
    """

    steps: int = 0
    rejected: int = 0
    evaluations: int = 0
    more: dict[str, float] = field(default_factory=dict)
    wall_seconds: float = field(default=float("nan"), compare=False)


OUTCOMES = ("completed", "stopped", "failed", "interrupted")
"""How a run can end, in one word."""


@dataclass(frozen=True)
class Status:
    """How a run ended. Compared with a word it is its outcome: ``run.status == "completed"``; a word that is no outcome
    is refused, it would never be equal. ``str(run.status)`` says why and when a run ended early.

    Attributes:
        outcome: "completed", "stopped" (the run found a reason), "failed" (joints came apart or the energy audit does
            not close, so what was computed is wrong from the moment named) or "interrupted" (the process ended).
        stop: the reason, for a stopped or failed run.
    """

    outcome: str = "completed"
    stop: RunStop | None = None

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            if other not in (*OUTCOMES, str(self)):
                raise unknown_name("no run ends with this status", other, OUTCOMES)
            return other in (self.outcome, str(self))
        return (self.outcome, self.stop) == (other.outcome, other.stop) if isinstance(other, Status) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.outcome)  # that of the word it is equal to

    @property
    def completed(self) -> bool:
        """Whether it came to its end, or to the condition at which it was told to end."""
        return self.outcome == "completed"

    @property
    def until(self) -> float:
        """Moment of the reason [s], behind which nothing is kept; infinite where there is none."""
        return math.inf if self.stop is None or math.isnan(self.stop.time) else self.stop.time

    @property
    def figures_hold(self) -> bool:
        """Whether its figures may be told; those of a run that merely stopped early hold up to there.

        Not where bodies passed through each other, contacts made energy, joints came apart or numbers grew without end.
        """
        spoilt = (PASSAGE, MADE_ENERGY, NOT_FINITE, CAME_APART)
        reason = "" if self.stop is None else self.stop.reason
        return self.outcome != "failed" and not any(text in reason for text in spoilt)

    def __str__(self) -> str:
        return str(self.stop) if self.stop is not None else self.outcome


@dataclass
class Account:
    """What a recording holds besides its channels.

    Attributes:
        events, status, statistics: what happened when, how the run ended, what it cost.
        provenance: scenario, version, method, settings, seed.
        final_state: arrays from which a run can go on.
    """

    events: Events = field(default_factory=Events)
    status: Status = field(default_factory=Status)
    statistics: Statistics = field(default_factory=Statistics)
    provenance: Provenance = field(default_factory=Provenance)
    final_state: Mapping[str, np.ndarray] = field(default_factory=dict)


def version() -> str:
    """Version of the package."""
    return centrode.__version__


def made_by() -> dict[str, str]:
    """What of a provenance is the program's and not the scenario's."""
    return {"version": version(), "processors": made_for()}
