"""The contracts of tyres and suspensions, checked on random states: laws of a wheel that cannot give energy.

Tyres: forces are finite, a lifted wheel has none, and pure slip is opposed: Fx has the sign of the slip, Fy that of
minus the slip angle. Small slips are left out, where measured tyres have offsets (ply steer, conicity).

Suspensions: what is stored belongs to the push, push(x, 0) = -dE/dx, it is zero at the rest length, and the damper
takes energy, (push(x, rate) - push(x, 0)) rate <= 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from centrode.dynamics.examples import Finding, Values, example_values, not_applying
from centrode.jit import JIT_ON, plain
from centrode.parts.suspensions.contract import Suspension
from centrode.parts.tyres.contract import Tyre

SLOPE_LIMIT = 1e-5
"""Central difference over 1e-6 m: round-off 1e-16 E / 1e-6, relative to the push; kinks of tables are stepped over."""
LEAST_SLIP, LEAST_ANGLE = 0.05, 0.05
SAME = 1e-9
"""Machine code against Python, relative: round-off of some hundred operations."""

_NO_DAMPER = "the rate changes nothing with these parameters; 'example' can give the damping"

Law = Callable[..., tuple[float, ...]]


def check_tyre(kind: type[Tyre], values: Values, states: int, seed: int) -> list[Finding]:
    """Checks of a kind of tyre."""
    random = np.random.default_rng(seed)
    row = kind("tyre", **(example_values(kind) if values is None else values)).checked().pack()  # type: ignore[attr-defined]
    law, python = kind.law, plain(kind.law)
    lifted = braking = cornering = difference = 0.0
    for _ in range(8 * states):
        load, speed = float(random.uniform(500.0, 8e3)), float(random.choice([-1.0, 1.0]) * random.uniform(1.0, 40.0))
        angle, slip = (
            float(random.choice([-1.0, 1.0]) * random.uniform(low, 0.8)) for low in (LEAST_ANGLE, LEAST_SLIP)
        )
        camber = float(random.uniform(-0.1, 0.1))
        full = answer(python, 3, row, load, angle, slip, camber, speed)
        difference = max(difference, unlike(law, full, row, load, angle, slip, camber, speed))
        lifted = max(lifted, *(abs(x) for x in answer(python, 3, row, -load, angle, slip, camber, speed)))
        ahead = answer(python, 3, row, load, 0.0, slip, 0.0, speed)[0]
        aside = answer(python, 3, row, load, angle, 0.0, 0.0, speed)[1]
        braking = max(braking, -ahead * math.copysign(1.0, slip) / load)
        cornering = max(cornering, aside * math.copysign(1.0, angle) / load)
    return [
        Finding("lifted", lifted, 0.0, "a wheel in the air has a force"),
        Finding("sliding ahead is opposed", braking, 0.0, "Fx does not have the sign of the slip"),
        Finding("sliding aside is opposed", cornering, 0.0, "Fy has the sign of the slip angle"),
        Finding("compiled as Python", difference, SAME, "machine code differs from Python"),
    ]


def check_suspension(kind: type[Suspension], values: Values, states: int, seed: int) -> list[Finding]:
    """Checks of a kind of suspension."""
    random = np.random.default_rng(seed)
    part = kind("suspension", **(example_values(kind) if values is None else values)).checked()
    assert isinstance(part, Suspension)
    row, rest = part.pack(), part.rest_length
    law, python = kind.law, plain(kind.law)
    slopes, gives, damps, difference, step = [], 0.0, False, 0.0, 1e-6
    for _ in range(4 * states):
        x, rate = float(rest * random.uniform(0.5, 1.0)), float(random.normal())
        moving, still = answer(python, 4, row, x, rate), answer(python, 4, row, x, 0.0)
        difference = max(difference, unlike(law, moving, row, x, rate))
        ahead, behind = answer(python, 4, row, x + step, 0.0)[1], answer(python, 4, row, x - step, 0.0)[1]
        slopes.append(abs((ahead - behind) / (2.0 * step) + still[0]) / (1.0 + abs(still[0]) + abs(still[1])))
        damps = damps or moving[0] != still[0]
        gives = max(gives, (moving[0] - still[0]) * rate / (1.0 + abs(moving[0])))
    # A state whose difference spans a kink of the spring (a stop, a knot) tells nothing: one in twenty is let go.
    energy = float(np.quantile(slopes, 0.95))
    relaxed = abs(answer(python, 4, row, rest, 0.0)[1])
    return [
        Finding("energy", energy, SLOPE_LIMIT, "the push at rest is not minus the slope of the stored energy"),
        Finding("relaxed", relaxed, SAME, "the stored energy is not zero at the rest length"),
        Finding("damper", gives, SAME, "the damper gives energy") if damps else not_applying("damper", _NO_DAMPER),
        Finding("compiled as Python", difference, SAME, "machine code differs from Python"),
    ]


def answer(law: Law, count: int, *arguments: object) -> tuple[float, ...]:
    """What a law gives as Python, which looks at bounds; anything but ``count`` finite numbers is an error."""
    found = law(*arguments)
    if not isinstance(found, tuple) or len(found) != count:
        raise TypeError(f"the law returns {found!r}, not {count} numbers")
    if not all(math.isfinite(item) for item in found):
        raise ArithmeticError(f"the law returns {found!r} for {tuple(arguments[1:])!r}")
    return tuple(float(item) for item in found)


def unlike(law: Law, expected: tuple[float, ...], *arguments: object) -> float:
    """Largest deviation of machine code from Python, relative to the size of the answer; 0 with the JIT off."""
    if not JIT_ON:
        return 0.0
    return float(np.abs(np.subtract(law(*arguments), expected)).max() / (1.0 + np.abs(expected).max()))
