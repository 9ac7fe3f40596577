"""The contract of a contact law, checked on random episodes: what any law must keep to be trusted in a run.

- apart: no force, no stored energy, no dissipation at depth <= 0;
- never pulls: force, friction coefficient and stored energy are >= 0 and finite, whatever depth and rate;
- never gives energy: dissipated power >= 0;
- evaluation writes nothing: trial steps leave no trace in the memory;
- energy balance: over load cycles that begin and end apart, the work done on the contact is what was dissipated,

      closed integral of F d(depth) = integral of the dissipated power,     stored energy back at zero     (1)

  with reloading in between and two episodes on the same side, so that dents count. Midpoint sums of smooth curves are
  of second order; a law with a kink or a jump at touch leaves the first order;
- machine code and Python give the same numbers.

Laws declared as not ``conserving`` are spared what they are known to break.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from centrode.dynamics.contract import ContractResult
from centrode.jit import JIT_ON
from centrode.parts.contact_laws.contact_law import ACTIVE, MEMORY, ContactLaw
from centrode.parts.registry import error_words

CYCLE_LIMIT = 2e-3
"""Relative closure of (1) with 4000 steps a cycle: a jump at touch is missed by half a step, 1/8000 of the work."""


def check_law(
    kind: type[ContactLaw], values: Mapping[str, Any] | None = None, states: int = 200, seed: int = 0
) -> list[ContractResult]:
    """Put a kind of contact law through the contract.

    Args:
        kind: the class.
        values: parameters; the class attribute ``example``, or the defaults, when left out.
        states: number of random states.
        seed: of the random states.
    """
    name = kind.kind
    chosen = dict((kind.example or {}) if values is None else values)
    try:
        law = kind("law", **chosen)
        law.pack()
    except Exception as error:  # a user's own code may fail in any way
        words = f"{error_words(error)}; give values, or a class attribute 'example'"
        return [ContractResult(name, "builds", False, message=words)]
    if kind.by_columns:  # it has no force of its own: structures press
        return [ContractResult(name, "builds", True)]
    return [*_check_states(law, states, seed), _check_cycles(law), _check_python(law, states, seed)]


def random_episode(law: ContactLaw, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, tuple[float, ...]]:
    """Parameter row, memory of an episode under way, and a random state (depth, rate, slip speed)."""
    par, memory = law.pack(), np.zeros(MEMORY)
    begin, _, advance = type(law).kernels()
    begin(par, memory, float(rng.uniform(0, 15)), float(rng.uniform(1, 5000)), float(rng.uniform(0.2, 3)), 7.0)
    for _ in range(int(rng.integers(0, 4))):
        advance(par, memory, float(rng.uniform(0, 0.3)), float(rng.uniform(-5, 5)), 1e-3)
    return par, memory, (float(rng.uniform(0, 0.4)), float(rng.uniform(-20, 20)), float(rng.uniform(0, 20)))


def load_cycle(law: ContactLaw, depth: float, rate: float, steps: int = 4000) -> tuple[float, float, float]:
    """Two episodes with reloading to a depth [m] at some rate [m/s]: work, dissipated energy, greatest store [J]."""
    par, memory = law.pack(), np.zeros(MEMORY)
    begin, force, advance = type(law).kernels()
    duration = math.pi * depth / rate
    h = duration / steps
    work = lost = stored = 0.0
    for size in (1.0, 0.8):
        begin(par, memory, rate, 500.0, 1.0, 7.0)
        for k in range(steps):
            here, speed = _path((k + 0.5) / steps, size * depth, duration)
            f, _, held, power = force(par, memory, here, speed, 0.0)
            work += f * speed * h
            lost += power * h
            stored = max(stored, held)
            there, speed = _path((k + 1.0) / steps, size * depth, duration)
            if there > 0.0:
                advance(par, memory, there, speed, h)
        memory[ACTIVE] = 0.0
    return work, lost, stored


def _path(share: float, depth: float, duration: float) -> tuple[float, float]:
    """Depth and its rate: in, half out, in again, out; with s = sin^2 the curve 9/4 s (1 - 3/4 s^2), greatest 1."""
    sine, cosine = math.sin(math.pi * share), math.cos(math.pi * share)
    s = sine * sine
    slope = 2.25 * (1.0 - 2.25 * s * s) * 2.0 * sine * cosine
    return depth * 2.25 * s * (1.0 - 0.75 * s * s), depth * slope * math.pi / duration


def _check_states(law: ContactLaw, states: int, seed: int) -> list[ContractResult]:
    rng = np.random.default_rng(seed)
    name, force = law.kind, type(law).law_kernel
    pulls = gives = apart = traces = 0.0
    finite = True
    for _ in range(states):
        par, memory, (depth, rate, slip) = random_episode(law, rng)
        kept = memory.copy()
        f, friction, stored, power = force(par, memory, depth, rate, slip)
        finite = finite and all(math.isfinite(x) for x in (f, friction, stored, power))
        scale = max(abs(f), 1e-12)
        pulls = max(pulls, -f / scale, -friction, -stored / scale)
        gives = max(gives, -power / max(scale * abs(rate), 1e-12))
        away = force(par, memory, -depth, rate, slip)
        apart = max(apart, abs(away[0]), abs(away[2]), abs(away[3]))
        traces = max(traces, float(np.abs(memory - kept).max()))
    results = [
        ContractResult(name, "finite", finite),
        _judged(name, "apart", apart, 0.0, "force, store or dissipation without overlap"),
        _judged(name, "evaluation writes nothing", traces, 0.0, "the memory changed"),
    ]
    for check, figure, words in (
        ("never pulls", pulls, "negative force, friction or store"),
        ("never gives energy", gives, "negative dissipation"),
    ):
        if law.conserving:
            results.append(_judged(name, check, figure, 1e-12, words))
        else:
            results.append(ContractResult(name, check, None, figure, message="declared as not conserving"))
    return results


def _check_cycles(law: ContactLaw) -> ContractResult:
    if not law.conserving:
        return ContractResult(law.kind, "energy balance", None, message="declared as not conserving")
    worst = 0.0
    for depth, rate in ((0.01, 0.5), (0.2, 3.0)):
        work, lost, stored = load_cycle(law, depth, rate)
        worst = max(worst, abs(work - lost) / max(stored, abs(work), 1e-300))
    return _judged(law.kind, "energy balance", worst, CYCLE_LIMIT, "work of a closed cycle is not what was dissipated")


def _check_python(law: ContactLaw, states: int, seed: int) -> ContractResult:
    if not JIT_ON:
        return ContractResult(law.kind, "machine code and Python", None, message="machine code is switched off")
    rng = np.random.default_rng(seed)
    force, worst = type(law).law_kernel, 0.0
    for _ in range(states):
        par, memory, state = random_episode(law, rng)
        compiled, plain = np.array(force(par, memory, *state)), np.array(force.py_func(par, memory, *state))
        worst = max(worst, float((np.abs(compiled - plain) / np.maximum(np.abs(plain), 1e-9)).max()))
    return _judged(law.kind, "machine code and Python", worst, 1e-9, "differ")


def _judged(part: str, check: str, figure: float, limit: float, words: str) -> ContractResult:
    passed = bool(figure <= limit)
    return ContractResult(part, check, passed, figure, limit, "" if passed else words)
