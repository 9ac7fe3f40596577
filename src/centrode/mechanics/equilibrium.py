"""Static equilibrium near a state: pseudo-transient continuation, after the contacts have come to rest.

At rest the loads r that the independent speeds are left with (:mod:`centrode.mechanics.numbers`) must vanish. With the
stiffness K = -dr/ds, by central differences along the speeds, and the reduced mass matrix M,

    (M / p + K) ds = r                                                                                        (1)

is an implicit step of a system that creeps along M ds/dp = r: it ends where the potential has a minimum, not at any
point where loads vanish, as Newton's method would. p grows as the loads fall (switched evolution relaxation), and is
kept below what makes (1) indefinite; no step turns a body by more than a tenth of a radian or moves it by more than a
tenth of the size of the system. Near the end p is so large that (1) is Newton's method.

Contacts are far from smooth. There the real motion goes first, on the engine with its contact laws, bristles and
guards: whenever the kinetic energy has passed a peak all velocities are set to zero (kinetic damping), until
accelerations are small; then (1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from centrode.dynamics.bodies import normalise_poses, shift_poses
from centrode.errors import InputError, RunError, RunStop
from centrode.mechanics.numbers import Numbers
from centrode.mechanics.placing import Held, close, size_of
from centrode.methods.method import Outcome
from centrode.running import KEPT

if TYPE_CHECKING:
    from centrode.mechanics.mechanics import Mechanics

FARTHEST = 0.1
DIFFERENCE = 1e-6
"""Step of the differences [rad, or parts of the size of the system]: half of the digits for stiffnesses that are not
smooth farther on, as those of contacts."""
AT_REST = 1e-3
"""Accelerations, as a part of gravity, at which the motion on contacts has ended and (1) goes on."""
A_MOMENT = 1e-9
PEAKS, LONGEST = 400.0, 100.0
"""Peaks of the kinetic energy, and seconds, that a system on contacts is given to come to rest."""


@dataclass(frozen=True)
class Equilibrium:
    """A static equilibrium that was found.

    Attributes:
        coordinates: of all joints [rad, m].
        residual: largest acceleration left over [m/s2, rad/s2].
        steps: of (1).
        stable: no direction in which the loads drive the system away.
    """

    coordinates: dict[str, float]
    residual: float
    steps: int
    stable: bool


def find_equilibrium(mechanics: Mechanics, tolerance: float) -> Equilibrium:
    """See :meth:`centrode.mechanics.mechanics.Mechanics.find_equilibrium`."""
    w, session, time = mechanics.workspace, mechanics.session, mechanics.time
    kept = {name: w[name].copy() for name in KEPT}
    kept["values"], kept["contacts"] = w.values.copy(), w.contact_numbers.copy()
    record = session.run.record.copy()
    gravity = max(1.0, float(np.linalg.norm(w["gravity"])))

    def go_back() -> None:
        w.contact_numbers[:] = kept["contacts"]
        for name in (*KEPT, "values"):
            w[name][:] = kept[name]
        session.run.record[:] = record
        w.evaluate(time)

    try:
        _stop(mechanics)
        if mechanics.model.contacts is not None:
            _relax(mechanics, AT_REST * gravity)
            session.run.record[:] = record
        found = _creep(mechanics, tolerance * gravity)
    except (InputError, RunError):
        go_back()
        mechanics.restart()
        raise
    mechanics.restart()
    return found


def _stop(mechanics: Mechanics) -> None:
    """All velocities zero.

    Raises:
        InputError: a joint is driven and does not stand still.
    """
    w = mechanics.workspace
    w["velocity"][:] = 0.0
    w.evaluate(mechanics.time)
    driven = np.abs(w["terms"][:, :, 1] * (w["row_active"] != 0.0)).max(axis=1, initial=0.0)
    if driven.max(initial=0.0) > 0.0:
        name = mechanics.model.joints[int(np.argmax(driven))].name
        raise InputError("a driven joint moves: there is no static equilibrium", path=name)


def _relax(mechanics: Mechanics, enough: float) -> None:
    """The motion on the engine with kinetic damping until accelerations are small."""
    session, w = mechanics.session, mechanics.workspace
    session.run.fresh = True
    contacts = mechanics.model.contacts
    assert contacts is not None
    contacts.begin(w, mechanics.time)
    chunk = 1e-3
    last, peaks, since = 0.0, 0, 0
    end = mechanics.time + LONGEST
    while peaks < PEAKS and session.run.time < end:
        _, outcome = session.advance(np.array([session.run.time + chunk]))
        session.new_events()
        if outcome is not Outcome.FRAMES_DONE:
            raise RunError(session.why_stopped(outcome))
        w.evaluate(session.run.time)
        kinetic = float(w.energy()[0])
        since += 1
        if kinetic < last or kinetic == 0.0:
            chunk = min(max(chunk * since / 20.0, 1e-5), 1e-2)  # some twenty looks from stop to peak
            peaks, since, kinetic = peaks + 1, 0, 0.0
            w["velocity"][:] = 0.0
            session.run.fresh = True
            w.evaluate(session.run.time)
            if float(np.abs(w["acceleration"]).max(initial=0.0)) < enough:
                return
        last = kinetic
    raise _none_found(mechanics, float(np.abs(w["acceleration"]).max(initial=0.0)), "it did not come to rest")


def _creep(mechanics: Mechanics, enough: float) -> Equilibrium:
    """Steps (1) until no acceleration is larger than ``enough``."""
    w, time = mechanics.workspace, mechanics.time
    numbers = _at_rest(mechanics)
    if not numbers.speeds:
        return Equilibrium(mechanics.coordinates(), 0.0, 0, True)
    length = size_of(w)
    pseudo, before = 1.0, np.inf
    residual = np.inf
    for step in range(300):
        loads, mass = -numbers.loads(np.zeros(len(numbers.speeds))), numbers.mass
        rates = np.linalg.solve(mass, loads)
        residual = float(np.abs(numbers.v @ rates).max(initial=0.0))
        stiffness = _stiffness(mechanics, numbers, length)
        values = np.linalg.eigvals(np.linalg.solve(mass, stiffness)).real
        if residual <= enough:
            size = float(np.abs(values).max(initial=0.0))
            return Equilibrium(mechanics.coordinates(), residual, step, bool(values.min() >= -1e-7 * max(size, 1.0)))
        pseudo = min(1e30, pseudo * min(10.0, max(0.1, before / residual))) if np.isfinite(before) else pseudo
        limit = 0.5 / -values.min() if values.min() < 0.0 else np.inf
        move = np.linalg.solve(mass / min(pseudo, limit) + stiffness, loads)
        shift = (numbers.v @ move).reshape(w["velocity"].shape)
        far = max(float(np.abs(shift[:, :2]).max()) / length, float(np.abs(shift[:, 2:]).max() / min(1.0, length)))
        far = max(far, 1e-300)
        shift_poses(min(1.0, FARTHEST / far), shift, w.address)
        normalise_poses(w.address)
        if close(w, time, Held([], [], [])) > 1e-9:
            break
        before = residual
        mechanics.follow_places()
        if mechanics.model.contacts is not None:
            w.evaluate(time)
            mechanics.model.contacts.settle(w, time)
        numbers = _at_rest(mechanics)
    raise _none_found(mechanics, residual, "the loads do not vanish")


def _at_rest(mechanics: Mechanics) -> Numbers:
    """Numbers of the present places, as if a moment had passed since contacts were settled: then bristles are felt."""
    block = mechanics.workspace.contacts
    if block is not None:
        block.tables.head[0].last_time = mechanics.time - A_MOMENT
    mechanics.workspace["velocity"][:] = 0.0
    return Numbers(mechanics.workspace, mechanics.time, mechanics.independent)


def _stiffness(mechanics: Mechanics, numbers: Numbers, length: float) -> np.ndarray:
    """K = -dr/ds by central differences."""
    w, time, count = mechanics.workspace, mechanics.time, len(numbers.speeds)
    kept = {name: w[name].copy() for name in (*KEPT, "values")}
    numbers_kept = w.contact_numbers.copy()
    found = np.zeros((count, count))
    zero = np.zeros(count)
    for i in range(count):
        direction = numbers.v[:, i].reshape(w["velocity"].shape).copy()
        h = DIFFERENCE * min(1.0, length) / max(float(np.abs(direction).max()), 1e-300)
        sides = []
        for sign in (1.0, -1.0):
            shift_poses(sign * h, direction, w.address)
            close(w, time, Held([], [], []))
            sides.append(Numbers(w, time, numbers.speeds).loads(zero))
            for name, table in kept.items():
                w[name][:] = table
            w.contact_numbers[:] = numbers_kept
        found[:, i] = (sides[0] - sides[1]) / (2.0 * h)
    w.evaluate(time)
    return found


def _none_found(mechanics: Mechanics, residual: float, why: str) -> RunError:
    w = mechanics.workspace
    fastest = int(np.argmax(np.abs(w["acceleration"]).max(axis=1))) if w["acceleration"].size else 0
    name = mechanics.model.body_names[1 + fastest]
    return RunError(
        RunStop(
            f"no static equilibrium was found: {why}",
            mechanics.time,
            f"'{name}' accelerates most, up to {residual:.3g} m/s2 or rad/s2",
            "start nearer to one; what nothing holds has none",
        )
    )
