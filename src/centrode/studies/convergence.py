"""Convergence of a scenario: the error of a channel at the end of a run, over the step, for methods of fixed step.

The reference is a run of the same scenario with an adaptive method of order eight and a tight tolerance; its own error
is about the tolerance, and errors near it say nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from centrode.errors import InputError
from centrode.scenario.document import Scenario

REFERENCE_METHOD = "dop853"
REFERENCE_TOLERANCE = 1e-12
DEFAULT_METHODS = ("rk4-projected",)
HALVINGS = 5


@dataclass(frozen=True)
class StepErrors:
    """Errors of one channel.

    Attributes:
        channel: its name.
        unit: of the errors.
        steps: (n,) [s], the largest first.
        errors: method -> (n,) distance to the reference at the end of the run; NaN where a run did not reach it.
    """

    channel: str
    unit: str
    steps: np.ndarray
    errors: dict[str, np.ndarray]


def step_errors(
    scenario: Scenario,
    channel: str = "",
    *,
    methods: Sequence[str] = (),
    steps: Sequence[float] = (),
    duration: float | None = None,
    progress: Callable[[float], None] | None = None,
) -> StepErrors:
    """Run a scenario with several steps and methods, and once as well as possible.

    Args:
        scenario: what is run.
        channel: what is compared at the end ("arm.position", "hinge.angle"); the first position by default.
        methods: names of methods with a fixed step; that of the scenario, or RK4 when its own is adaptive.
        steps: [s]; by default five halvings from 8 times the scenario's step (at most 1/20 of the duration).
        duration: [s]; that of the scenario by default.
        progress: called with the fraction done.
    """
    from centrode.methods.method import find_method
    from centrode.running import simulate

    settings, plugins = scenario.settings, scenario.system.plugins
    span = float(duration if duration is not None else settings.duration)
    own = find_method(settings.method, plugins).name
    names = tuple(methods) or ((own,) if not find_method(own, plugins).adaptive else DEFAULT_METHODS)
    for name in names:
        if find_method(name, plugins).adaptive:
            raise InputError("convergence over the step needs methods of fixed step", got=name, hint="centrode methods")
    if not steps:
        coarse = min(8.0 * (settings.step or find_method(names[0], plugins).default_step), span / 20.0)
        steps = [span / round(span / coarse * 2.0**k) for k in range(HALVINGS)]
    chosen = np.array(sorted((float(step) for step in steps), reverse=True))
    if chosen.size < 2 or chosen[-1] <= 0:
        raise InputError("convergence needs two positive steps at least", got=chosen.tolist())
    best = simulate(scenario, duration=span, frames=span, method=REFERENCE_METHOD, tolerance=REFERENCE_TOLERANCE)
    if not best.status.completed:
        raise InputError("the reference run does not reach the end", got=str(best.status), hint="choose a duration")
    known = [name for name in best if name.endswith(".position")] or list(best)
    chosen_channel = channel or known[0]
    truth = np.asarray(best[chosen_channel][-1], dtype=float)
    base = chosen_channel if chosen_channel in best else chosen_channel.rpartition(".")[0]
    errors: dict[str, np.ndarray] = {}
    done = 0
    for name in names:
        found = np.full(chosen.size, np.nan)
        for k, step in enumerate(chosen):
            run = simulate(scenario, duration=span, frames=span, method=name, step=float(step))
            if run.status.completed:
                found[k] = float(np.linalg.norm(np.asarray(run[chosen_channel][-1], dtype=float) - truth))
            done += 1
            if progress is not None:
                progress(done / (len(names) * chosen.size))
        errors[name] = found
    return StepErrors(chosen_channel, best.channels[base].unit, chosen, errors)
