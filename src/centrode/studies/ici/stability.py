r"""How a method grows on a circle: growth factor per step, closed form of the numerical path.

With constant rates every method here multiplies the heading by a number g per step, and the positions telescope: if
z - c = -i w h/omega holds (c the centre, w = vx + i vy, h the heading), it holds after the step as well, so

    z_n = c + (z_0 - c) g^n,      h_n = h_0 g^n,      theta = omega dt                                     (1)

    first order     g = 1 + i theta                              |g| = sqrt(1 + theta^2)
    second order    g = 1 + i theta - theta^2/2                  |g| = sqrt(1 + theta^4/4)
    Runge-Kutta 4   g = 1 + i theta - theta^2/2 - i theta^3/6 + theta^4/24
                                                                 |g| = sqrt(1 - theta^6/72 + theta^8/576)
    pseudo-exact    g = e^{i theta}                              |g| = 1

The first two spiral outwards for every step; Runge-Kutta 4 inwards for theta < 2 sqrt(2). "Stable for k >= 4" in the
thesis (section 4) is a statement on usefulness, not on stability. With the heading scaled to length 1 after every step
the heading turns by e = g/|g|, the position adds w h (g - 1)/(i omega), and the sum of the geometric series gives

    z_n = z_0 + w h_0 (g - 1)/(i omega) (e^n - 1)/(e - 1),                                                 (2)

a circle of slightly wrong radius about a slightly wrong centre.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

import numpy as np

from centrode.errors import InputError
from centrode.studies.ici.methods import IciMethod, method_named
from centrode.studies.ici.rates import RatesConstant
from centrode.studies.ici.scenario import IciScenario, step_for_points


def growth_factor(method: str | IciMethod, theta: float | complex | np.ndarray) -> complex | np.ndarray:
    """Factor g by which one step multiplies heading and radius vector (before any renormalisation).

    Args:
        method: name or method.
        theta: angle per step omega dt [rad], positive to the left; complex values map the stability region.
    """
    code = method_named(method).code
    it = 1j * np.asarray(theta) if isinstance(theta, np.ndarray) else 1j * theta
    if code == 1:
        return 1.0 + it
    if code == 2:
        return 1.0 + it * (1.0 + it / 2.0)
    if code == 4:
        return 1.0 + it * (1.0 + it / 2.0 * (1.0 + it / 3.0 * (1.0 + it / 4.0)))
    return np.exp(it) if isinstance(it, np.ndarray) else cmath.exp(it)


def closed_form(scenario: IciScenario, method: str | IciMethod, dt: float, step: int | float) -> complex:
    """Position x + i y [m] that a method reaches after `step` steps of dt [s] with constant rates: (1) or (2).

    Between whole steps the formula interpolates smoothly, which the indirect error method uses.
    """
    rates = scenario.rates
    if not isinstance(rates, RatesConstant):
        raise InputError("the closed form needs constant rates", path="rates", got=type(rates).__name__)
    chosen = method_named(method)
    x, y, ux, uy = scenario.start_state
    z0, h0, w = complex(x, y), complex(ux, uy), complex(rates.vx, rates.vy)
    if rates.omega == 0.0:
        return z0 + w * h0 * dt * step
    theta = rates.omega * dt
    arm = -1j * w * h0 / rates.omega
    g = complex(growth_factor(chosen, theta))
    if chosen.renormalise:
        e = g / abs(g)
        return z0 + arm * (g - 1.0) * (_power(e, step, theta) - 1.0) / (e - 1.0)
    return z0 + arm * (_power(g, step, theta) - 1.0)


def exact_position(scenario: IciScenario, time: float) -> complex:
    """Exact position x + i y [m] at constant rates, `time` seconds after the start."""
    return closed_form(scenario, "ici-exact", time, 1)


@dataclass(frozen=True)
class StabilityRow:
    """Growth of one method at one number of points per turn.

    Attributes:
        method: name.
        points_per_turn: k.
        growth_per_step: |g|.
        growth_per_turn: |g|^k.
        phase_per_turn: phase gained per turn beyond the exact 2 pi [rad].
        verdict: "grows", "decays" or "keeps".
    """

    method: str
    points_per_turn: float
    growth_per_step: float
    growth_per_turn: float
    phase_per_turn: float
    verdict: str


def stability_row(method: str, points_per_turn: float) -> StabilityRow:
    """Growth of a method on a circle with k points per turn."""
    theta = step_for_points(points_per_turn, 1.0)
    g = complex(growth_factor(method, theta))
    size = abs(g)
    phase = cmath.phase(g * cmath.exp(-1j * theta)) * points_per_turn
    verdict = "keeps" if abs(size - 1.0) < 1e-12 else "grows" if size > 1.0 else "decays"
    growth = size**points_per_turn if size < 1e12 else math.inf
    return StabilityRow(method, points_per_turn, size, growth, phase, verdict)


def _power(g: complex, step: int | float, theta: float) -> complex:
    """g^step on the branch that follows the motion: the phase of g is counted from theta, not from zero."""
    phase = theta + cmath.phase(g * cmath.exp(-1j * theta))
    return cmath.exp(step * complex(math.log(abs(g)), phase))
