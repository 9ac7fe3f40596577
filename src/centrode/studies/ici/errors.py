"""The thesis' two ways to compare integration errors, for any scenario and method.

Direct (section 3, Table 1): fix the step, measure the error. Indirect (Table 2): fix the error, find the step.
The percent error is (38), |z - z_exact| / |z_exact| with positions measured from the centre of the circle. Rates that
vary have no such centre; there the error is related to the length of the path so far, and the result says so.

The exact path is the arc itself at constant rates, otherwise an independent solution (Dormand-Prince 8(5,3) at
rtol = atol = 1e-12).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from centrode.errors import InputError, RunError
from centrode.studies.ici.methods import IciMethod, method_named
from centrode.studies.ici.path import integrate
from centrode.studies.ici.rates import RatesConstant
from centrode.studies.ici.scenario import IciScenario
from centrode.studies.ici.stability import closed_form, exact_position

_MOST_STEPS = 1 << 27


@dataclass(frozen=True)
class ErrorRow:
    """Error at one time.

    Attributes:
        time: [s] since the start of the scenario's clock.
        error: distance from the exact position [m].
        percent: error as (38), relative to `reference` [%].
        reference: length the percentage refers to [m].
    """

    time: float
    error: float
    percent: float
    reference: float


@dataclass(frozen=True)
class DirectErrors:
    """Errors of one method at one step."""

    method: IciMethod
    dt: float
    reference_name: str
    rows: list[ErrorRow]


@dataclass(frozen=True)
class IndirectStep:
    """The step that gives a wanted error at the end of a scenario.

    Attributes:
        method: the method.
        wanted_percent: error asked for [%].
        steps: smallest number of whole steps that stays within it.
        dt: that step [s].
        reached_percent: error it gives [%].
        dt_real: step [s] that gives the wanted error exactly when the number of steps need not be whole
            (constant rates only, otherwise NaN).
    """

    method: IciMethod
    wanted_percent: float
    steps: int
    dt: float
    reached_percent: float
    dt_real: float


def exact_path(scenario: IciScenario, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Exact positions x + i y [m] at increasing times [s], and the path length up to each [m]."""
    times = np.asarray(times, dtype=float)
    if isinstance(scenario.rates, RatesConstant):
        speed = math.hypot(scenario.rates.vx, scenario.rates.vy)
        elapsed = times - scenario.start_time
        return np.array([exact_position(scenario, float(value)) for value in elapsed]), speed * elapsed
    from scipy.integrate import solve_ivp

    def slope(time: float, state: np.ndarray) -> tuple[float, float, float, float]:
        vx, vy, omega = scenario.rates.sample(np.array([min(time, scenario.end_time)]))[0]
        c, s = math.cos(state[2]), math.sin(state[2])
        return vx * c - vy * s, vx * s + vy * c, omega, math.hypot(vx, vy)

    x, y, ux, uy = scenario.start_state
    span, start = (scenario.start_time, scenario.end_time), (x, y, math.atan2(uy, ux), 0.0)
    longest = scenario.rates.longest_step
    solution = solve_ivp(slope, span, start, "DOP853", t_eval=times, rtol=1e-12, atol=1e-12, max_step=longest)
    if not solution.success:
        raise RunError(f"the reference solution failed: {solution.message}")
    return solution.y[0] + 1j * solution.y[1], solution.y[3]


def direct_errors(
    scenario: IciScenario,
    method: str | IciMethod,
    dt: float | None = None,
    steps: int | None = None,
    rows: int = 1,
    rates: str = "start",
    renormalise: bool = False,
) -> DirectErrors:
    """Error of a method at a given step, at `rows` equally spaced times up to the end.

    Args:
        scenario: what is integrated.
        method: name or method.
        dt: longest step [s], or
        steps: number of steps.
        rows: number of times; the number of steps should be a multiple of it (frames are taken at the nearest).
        rates, renormalise: options of the method.
    """
    if rows < 1:
        raise InputError("number of rows must be positive", path="rows", got=rows)
    path = integrate(scenario, method, dt, steps, 1, rates, renormalise)
    picked = np.unique(np.rint(np.linspace(0, path.steps, rows + 1)[1:]).astype(int))
    exact, length = exact_path(scenario, path.time[picked])
    distance = np.abs(path.x[picked] + 1j * path.y[picked] - exact)
    reference, name = _reference_lengths(scenario, length)
    table = np.column_stack([path.time[picked], distance, reference]).tolist()
    errors = [ErrorRow(time, error, 100.0 * error / unit if unit else math.nan, unit) for time, error, unit in table]
    return DirectErrors(path.method, path.dt, name, errors)


def indirect_step(
    scenario: IciScenario,
    method: str | IciMethod,
    wanted_percent: float,
    rates: str = "start",
    renormalise: bool = False,
) -> IndirectStep:
    """The largest step that keeps the error at the end of a scenario within a wanted percentage.

    Doubles the number of steps until the error is small enough, then halves the interval between the last two. The
    error falls steadily with the step once the path looks like the exact one; at very coarse steps it may not, and then
    a still larger step may exist that happens to fit.
    """
    chosen = method_named(method, rates, renormalise)
    if not math.isfinite(wanted_percent) or wanted_percent <= 0.0:
        raise InputError("wanted error must be positive", path="error", got=wanted_percent, expected="percent > 0")
    exact, length = exact_path(scenario, np.array([scenario.end_time]))
    reference, _ = _reference_lengths(scenario, length)

    def percent(steps: int) -> float:
        try:
            path = integrate(scenario, chosen, steps=steps, keep_every=steps)
        except RunError:
            return math.inf
        return 100.0 * abs(complex(path.x[-1], path.y[-1]) - exact[0]) / float(reference[0])

    high = 1
    while percent(high) > wanted_percent:
        high *= 2
        if high > _MOST_STEPS:
            raise RunError(f"{chosen.name}: error of {wanted_percent:g} % not reached with {_MOST_STEPS} steps")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        if percent(middle) > wanted_percent:
            low = middle
        else:
            high = middle
    dt_real = _real_step(scenario, chosen, wanted_percent, low, high, exact[0], float(reference[0]))
    return IndirectStep(chosen, wanted_percent, high, scenario.duration / high, percent(high), dt_real)


def _reference_lengths(scenario: IciScenario, path_length: np.ndarray) -> tuple[np.ndarray, str]:
    rates = scenario.rates
    if isinstance(rates, RatesConstant) and rates.omega != 0.0 and (rates.vx or rates.vy):
        radius = math.hypot(rates.vx, rates.vy) / abs(rates.omega)
        return np.full(path_length.shape, radius), "radius"
    return path_length, "path length"


def _real_step(
    scenario: IciScenario, method: IciMethod, wanted: float, low: int, high: int, exact: complex, reference: float
) -> float:
    """Step at which the closed form, continued to broken numbers of steps, gives the wanted error exactly."""
    if not isinstance(scenario.rates, RatesConstant) or low < 1:
        return math.nan
    from scipy.optimize import brentq

    def excess(steps: float) -> float:
        z = closed_form(scenario, method, scenario.duration / steps, steps)
        return 100.0 * abs(z - exact) / reference - wanted

    if excess(low) * excess(high) > 0.0:
        return math.nan
    return float(scenario.duration / brentq(excess, low, high, xtol=1e-10, rtol=1e-14))
