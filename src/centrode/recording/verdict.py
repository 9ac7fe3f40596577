"""Whether a run can be believed: joints that came apart and an energy audit that does not close make it a failed one.

Joints are judged frame by frame by all their rows, also those that a run leaves out as redundant, in position and in
velocity. The audit is judged at the end, where rows are not switched and parameters not changed during the run (ropes,
locks and changes take energy that no force does work for).

Methods of order one sum the work h F . v with the velocity before the step where the motion has the mean of both: a
hit of energy E, half a swing of frequency w, is booked with

    (h / 2) integral of F^2 / m dt = (pi / 2) w h E                                                        (1)

too little or too much while the motion is right, so they are allowed that of what went through contacts.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from centrode.dynamics.contact.resolution import COARSE
from centrode.errors import CAME_APART, RunStop

if TYPE_CHECKING:
    from centrode.dynamics.observe import Observations
    from centrode.system.model import Model

APART = 1e-6
"""Gap of a joint [m, rad] over the larger of a metre and the size of the system, and speed over the larger of 1 m/s and
the fastest, from which a run has failed: projections leave 1e-13, and 1e-9 next to singular positions."""
DRIFTED = 1e-3
"""Gap, over the same size, from which a run of a method that does not close joints has failed: such methods drift, and
a thousandth of the system is no longer the mechanism that was entered. Summaries warn from APART on."""
AUDIT_FAILS = 0.1
"""Share of the energy that moved (the largest kinetic energy, change of an energy, or work) by which the audit may be
off; from a hundredth of it on, summaries warn."""
ROUND_OFF = 1e-9
"""Share of the energies themselves that is round-off of the audit."""
PLACED = 1e-12
"""Share of the size of the system by which weights may be lifted by round-off of places, which is 1e-16 a step."""
TRY = "try a smaller step or a tighter tolerance; `rk4-projected` and `dop853` close joints in every step"


class Verdict:
    """Looks at frames as they are recorded.

    Args:
        model: of the run.
        closes: exact joints are closed in every step by the method; others may drift by DRIFTED.
        audit: nothing but forces and driven joints may change the energy.
        order: of the method.
    """

    def __init__(self, model: Model, closes: bool, audit: bool, order: int) -> None:
        self.model = model
        self._joints, self._audit = model.exact_joints.size > 0, audit
        self._gap, self._slip = (APART, APART) if closes else (DRIFTED, np.inf)
        places = np.array([part.pose()[0] for part in model.body_parts])
        self._size = max(1.0, float(np.abs(places).max(initial=0.0)))
        weight = float(model.bodies["weight_mass"].sum() * np.linalg.norm(model.gravity))
        self._lifted = PLACED * weight * self._size
        self._works = [f"{force.name}.work" for force in model.forces]
        if model.contacts is not None:
            self._works += [f"{name}.work" for name in model.contacts.carriers]
        self._works += ["work.joints", "energy.kinetic", "energy.gravity", "energy.stored"]
        self._passed = f"{model.contacts.name}.passed" if order == 1 and model.contacts is not None else ""
        self.numbers = np.zeros((len(self._works) + 2, 2))
        """Least and greatest of the works and energies so far; then, largest residual of the audit and its time; what
        went through contacts."""
        self.numbers[:-2] = np.inf, -np.inf

    def look(
        self, time: np.ndarray, columns: dict[str, np.ndarray], seen: Observations, fastest: float
    ) -> RunStop | None:
        """Judge the joints in new frames, and note what the audit says.

        Args:
            time: of the frames [s].
            columns: what is recorded of them.
            seen: what was observed of them.
            fastest: largest velocity in them [m/s, rad/s].
        """
        if self._audit:
            for seen_so_far, name in zip(self.numbers, self._works, strict=False):
                values = columns[name]
                seen_so_far[:] = min(seen_so_far[0], values.min()), max(seen_so_far[1], values.max())
            off = np.abs(columns["energy.residual"])
            worst = int(np.argmax(off))
            if off[worst] > self.numbers[-2, 0]:
                self.numbers[-2] = off[worst], time[worst]
            if self._passed:
                self.numbers[-1] = columns[self._passed][-1]
        if not self._joints:
            return None
        bad = ~((seen.residual <= self._gap * self._size) & (seen.slip <= self._slip * max(1.0, fastest)))
        if not bad.any():
            return None
        f = int(np.argmax(bad))
        joint = self.model.joints[int(seen.worst[f])].name
        gap, slip = float(seen.residual[f]), float(seen.slip[f])
        apart = gap > self._gap * self._size
        opened = f"open by {gap:.2g} m or rad" if apart else f"slipping by {slip:.2g} m/s or rad/s"
        return RunStop(
            f"a joint {CAME_APART}", float(time[f]), f"'{joint}' is {opened}", TRY, {"gap": gap, "slip": slip}
        )

    def at_end(self) -> RunStop | None:
        """Judge the audit of the whole run."""
        low, high = self.numbers[:-2].T
        if not self._audit or not np.isfinite(low).all():
            return None
        off, when = (float(value) for value in self.numbers[-2])
        moved = float(max(high[self._works.index("energy.kinetic")], (high - low).max()))
        size = float(np.abs(self.numbers[:-2]).max())
        summed = 0.5 * math.pi * COARSE * float(self.numbers[-1, 0])  # (1)
        if off <= max(AUDIT_FAILS * moved + summed, ROUND_OFF * size, self._lifted):
            return None
        share = f"{off:.3g} J where {moved:.3g} J moved"
        advice = "try a smaller step, a tighter tolerance or an adaptive method (dop853)"
        return RunStop("the energy audit does not close", when, share, advice, {"off": off, "moved": moved})
