"""The contract of a method, checked on a motion with a closed form: what a user's own method must keep to be trusted.

A body on a spring, pushed by F cos(u t) and spinning about its symmetry axis: without gravity, from rest

    x(t) = L + (A - B) cos(w t) + B cos(u t),  w^2 = k / m,  B = F / (m (w^2 - u^2)),    angle(t) = W t      (1)

- declared: an instance of Method with a name, an order, a summary and a default step;
- kernels: a step with its fixed signature;
- finite: the run ends, and with finite numbers;
- rates: the rates that it leaves belong to the state that it leaves;
- orientations: quaternions are of unit length where a step ends;
- order: halving the step divides the error of (1) by 2^order, a tenth of the tolerance of an adaptive method does not
  make it worse. A method that is better than it says passes.
"""

from __future__ import annotations

import math
import re

import numpy as np

from centrode.dynamics.contract import ContractResult, check_kernels
from centrode.dynamics.workspace import Workspace
from centrode.methods.fixed_step import FixedStepMethod
from centrode.methods.method import Method, Outcome, Run
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.forces.point_force import PointForce
from centrode.parts.forces.spring import Spring
from centrode.parts.registry import error_words
from centrode.parts.signals.signal import SignalHarmonic
from centrode.system.builder import System
from centrode.system.model import build_model

MASS, STIFFNESS, LENGTH, AMPLITUDE, SPIN, DURATION = 2.0, 50.0, 1.0, 0.3, 0.8, 1.0
PUSH, PUSHING = 6.0, 3.0
"""F [N] and u [rad/s] of (1): what a step takes at the wrong time shows in its order."""
LONG_STEP = 0.05
"""Of the coarser run [s]: 0.25 rad of the oscillation."""
DECLARED = ("name", "order", "summary", "default_step", "adaptive", "exact_joints", "locates_events")
"""What every method says of itself."""
SHORT_OF_ORDER = 0.4
"""The next power of the step still shows at these steps."""
EXACT = 1e-11
"""An error that is round-off tells no order."""


def check_method(method: object, shown: str = "") -> list[ContractResult]:
    """Put a method through the contract; ``shown`` is its name when it has none."""
    name = getattr(method, "name", shown)  # a user's own class may lack anything
    faults = declared_faults(method)
    results = [ContractResult(name, "declared", not faults, message="; ".join(faults))]
    if not faults and isinstance(method, FixedStepMethod):
        results.append(check_kernels(type(method), name))
    if isinstance(method, Method) and all(result.passed for result in results):
        try:
            results += run_results(name, method)
        except Exception as error:  # a user's own code may fail in any way
            results.append(ContractResult(name, "runs", False, message=error_words(error)))
    return results


def declared_faults(method: object) -> list[str]:
    """What is missing or wrong in what a method says of itself."""
    if not isinstance(method, Method):
        return [f"METHODS lists instances of Method, not {method!r}"]
    missing = [f"no {item}" for item in DECLARED if not hasattr(method, item)]
    if missing:
        return missing
    found = []
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", method.name):
        found.append(f"the name {method.name!r} is not small letters, figures and hyphens")
    if not (isinstance(method.order, int) and method.order >= 1):
        found.append(f"the order is {method.order!r}")
    if not method.summary:
        found.append("no summary")
    if not (isinstance(method.default_step, int | float) and method.default_step > 0.0):
        found.append(f"the default step is {method.default_step!r}")
    return found


def run_results(name: str, method: Method) -> list[ContractResult]:
    """Finite, rates and order."""
    coarse, fine = (1e-6, 1e-7) if method.adaptive else (LONG_STEP, 0.5 * LONG_STEP)
    one, stale, longer, outcome = error_of(method, coarse)
    if outcome is not Outcome.FRAMES_DONE or not math.isfinite(one):
        return [ContractResult(name, "finite", False, message=f"the run ends with {outcome.name}, error {one:g}")]
    two = error_of(method, fine)[0]
    results = [ContractResult(name, "finite", True)]
    words = "" if stale < EXACT else "the last rates of a step are not those of its end: call rates_at there"
    results.append(ContractResult(name, "rates", stale < EXACT, stale, EXACT, words))
    words = "" if longer < EXACT else "quaternions are not of unit length at the end of a step: call normalise_poses"
    results.append(ContractResult(name, "orientations", longer < EXACT, longer, EXACT, words))
    if method.adaptive:
        better = two <= max(one, EXACT)
        words = "" if better else f"error {one:.2g} grows to {two:.2g} at a tenth of the tolerance"
        return [*results, ContractResult(name, "order", better, message=words)]
    order = math.log2(one / two) if two > 0.0 else math.inf
    reached = two < EXACT or order > method.order - SHORT_OF_ORDER
    words = f"order {order:.2f} found, {method.order} declared"
    return [*results, ContractResult(name, "order", reached, message=words)]


def error_of(method: Method, accuracy: float) -> tuple[float, float, float, Outcome]:
    """Error of (1) at the end, deviations of the last rates and of the length of a quaternion, and the outcome;
    ``accuracy`` is a step or a tolerance.
    """
    system = System(gravity=(0.0, 0.0, 0.0))
    start = (LENGTH + AMPLITUDE, 0.0, 0.0)
    system.add(RigidBody("body", MASS, (0.1, 0.1, 0.1), position=start, omega=(SPIN, 0.0, 0.0)))
    system.add(Spring("spring", "ground", "body", STIFFNESS, length=LENGTH))
    push = SignalHarmonic(amplitude=PUSH, omega=PUSHING, phase=0.5 * math.pi)
    system.add(PointForce("push", "body", magnitude=push, direction=(1.0, 0.0, 0.0)))
    workspace = Workspace(build_model(system))
    run = Run(workspace, 0.0, method.default_step if method.adaptive else accuracy, accuracy)
    run.expect(np.array([0.0, DURATION]))
    outcome = method.advance(run)
    pose, left = workspace["pose"][0], workspace["rates"].copy()
    forced = PUSH / (STIFFNESS - MASS * PUSHING**2)
    place = LENGTH + forced * math.cos(PUSHING * DURATION)
    place += (AMPLITUDE - forced) * math.cos(math.sqrt(STIFFNESS / MASS) * DURATION)
    half = 0.5 * SPIN * DURATION
    exact = np.array([place, 0.0, 0.0, math.cos(half), math.sin(half), 0.0, 0.0])
    workspace.evaluate(run.time)
    longer = abs(float(np.linalg.norm(pose[3:7])) - 1.0)
    return float(np.abs(pose - exact).max()), float(np.abs(workspace["rates"] - left).max()), longer, outcome
