"""20 s of the uncontrolled benchmark bicycle (IFToMM manoeuvre M2), at an error of 1e-6 rad, beside Exudyn.

Error: largest difference of lean and steer [rad] at 5 s from the reference (0.010342441, 0.008185671), known to 1e-9.
Only the solver is timed, on one core; building the model is not. Exudyn runs its own recommended method for this
problem (implicit trapezoidal rule, index 2), with the step at which its error is that of the case beside it.
"""

from __future__ import annotations

import functools
import time

import numpy as np
from harness import Case, Measurement, PeerProcess

DURATION, AT, LEAN, STEER = 20.0, 5.0, 0.010342441, 0.008185671
EXUDYN = PeerProcess("peers/bicycle_exudyn.py", timeout=600.0)


@functools.cache
def _session(method: str, step: float | None, tolerance: float):
    from centrode.running import Session
    from centrode.system.settings import RunSettings
    from centrode.vehicles.bicycle.model import bicycle_system

    settings = RunSettings(duration=DURATION, method=method, step=step, tolerance=tolerance, audit=False)
    return Session(bicycle_system(speed=4.6, lean_rate=0.5), settings)


@functools.cache
def _start(method: str, step: float | None, tolerance: float):
    return _session(method, step, tolerance).state().copy()


def engine(method: str, step: float | None = None, tolerance: float = 1e-7, factor: bool = False) -> Measurement:
    """One run of the engine from the start."""
    session = _session(method, step, tolerance)
    session.restore(_start(method, step, tolerance))
    model = session.model
    begin = time.perf_counter()
    frames, _ = session.advance(np.array([AT, DURATION]))
    used = time.perf_counter() - begin
    # Angles are the first column of the joint memories, which follow values, rates and multipliers in a frame.
    w = session.workspace
    memory = frames[0, 1 + 2 * w.values.size + w["multipliers"].size :][: w["joint_memory"].size]
    memory = memory.reshape(w["joint_memory"].shape)
    lean = memory[model.joint_index("bike.rear-contact"), 0]
    steer = memory[model.joint_index("bike.steer"), 0]
    return Measurement(DURATION / used if factor else used, max(abs(lean - LEAN), abs(steer - STEER)))


def lecture() -> Measurement:
    """The lecture notes' formulation with a step of 5 ms."""
    from centrode.vehicles.bicycle.lecture import simulate_lecture
    from centrode.vehicles.bicycle.parameters import BicycleParameters

    begin = time.perf_counter()
    run = simulate_lecture(BicycleParameters(), duration=DURATION, step=0.005, every=1000)
    used = time.perf_counter() - begin
    return Measurement(used, max(abs(run.lean[1] - LEAN), abs(run.steer[1] - STEER)))


def _exudyn(step: float):
    return EXUDYN.measurement("manoeuvre", step=step, duration=DURATION, at=AT, lean=LEAN, steer=STEER)


def cases() -> list[Case]:
    """All cases of the subject."""
    note = "20 s of M2, solver only; error of lean and steer at 5 s [rad]"
    return [
        Case(
            "bicycle.m2.rk4-projected",
            "s",
            lambda: engine("rk4-projected", 0.007),
            {"Exudyn, 0.4 ms": _exudyn(4e-4)},
            note=note + "; step 7 ms",
            repeat=2,
        ),
        Case(
            "bicycle.m2.dop853",
            "s",
            lambda: engine("dop853", None, 1e-6),
            {"Exudyn, 0.2 ms": _exudyn(2e-4)},
            note=note + "; tolerance 1e-6",
            repeat=2,
        ),
        Case("bicycle.m2.lecture-notes", "s", lecture, note=note + "; 24 coordinates, dense 45 x 45, step 5 ms"),
        Case(
            "bicycle.m2.real-time",
            "x real time",
            lambda: engine("dop853", None, 1e-6, factor=True),
            larger_is_better=True,
            note=note + "; goal 200",
        ),
    ]
