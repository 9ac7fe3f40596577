"""Whether contacts made energy: judged from the motion and the potentials of the laws, not from losses they speak of.

    U = kinetic + gravity energy + energy stored in contacts - work of all that is no contact                 (1)

never rises in an exact run, since contacts give back at most what they took. The stored energy is that of the potential
of each law at its depth, so a force that is no gradient of it shows. A rise of U above the least value it had is energy
that contacts made, or an error of the method.

How large that may be follows from what a method promises of a contact that it resolves. A contact lasts half a swing,
T = pi / w. The method of lowest order in the house is of order two; where it enters a contact at a share s of a step h,
its energy changes by -s (1 - s) (w h)^2 of what goes in, and where it leaves by as much the other way, so it gains at
most (w h)^2 / 4 of the energy that went through. With the twenty steps that a contact asks for (:mod:`hard`),

    (pi / 20)^2 / 4 = 0.6 %                                                                                (2)

of the energy that passed through contacts. More than that has not been resolved, whatever the method. U has the errors
of all forces and of free motion, too: frames between which nothing touches do not count, what the audit of the whole
run allows (AUDIT_LIMIT of the energy that moved) comes on top, and for a method with step control what its tolerance
grants: speeds wrong by so much in each step, 2 tolerance K.

Methods of order one that return the energy of a contact swing about it meanwhile: the semi-implicit step keeps
H - h/2 v . dV/dq to its second order, and in a swing of energy E that term is at most

    w h E / 2.                                                                                             (3)

So frames in which something touches are given so much of the greatest energy stored so far, both ways.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from centrode.dynamics.contact.resolution import COARSE

AUDIT_LIMIT = 1e-3
"""Beyond this share of the energy that moved, the audit is called out: a method of order two or more with a sound step
stays far below."""
RESOLVED = COARSE**2 / 4.0
ROUND_OFF = 1e-12
"""Share of the kinetic energy that is round-off of a sum of energies over a run."""


class Gain(NamedTuple):
    """Energy that contacts made.

    Attributes:
        time: of the frame in which it shows [s]; since: that of the frame before.
        energy: made until then [J]; passed: through contacts [J].
        body: that contacts gave most between the two.
    """

    time: float
    since: float
    energy: float
    passed: float
    body: str


class GainWatch:
    """Looks at the frames of a run as they come.

    Args:
        name: of the part for collisions.
        carriers: names of the bodies with outlines, as channels have them.
        order: of the method.
    """

    def __init__(self, name: str, carriers: list[str], order: int) -> None:
        self.name, self.carriers = name, carriers
        self.swing = 0.5 * COARSE if order == 1 else 0.0  # (3)
        self.numbers = np.array([math.inf, 0.0, 0.0, math.inf, -math.inf, 0.0, 0.0, *(0.0 for _ in carriers)])
        """Least U, U and energy passed at the last frame, least and greatest kinetic energy so far, greatest stored
        one, time of the last frame, work of contacts until it."""

    def look(
        self, times: np.ndarray, columns: Mapping[str, np.ndarray], granted: float = 0.0, lift: float = 0.0
    ) -> Gain | None:
        """The first frame in which contacts have made more than the limit; None when there is none, or no audit.

        Args:
            times, columns: of the frames since the last look.
            granted: error of the energy that the method may have made, in parts of the kinetic energy.
            lift: what a method that solves contacts itself may make: overlaps undone, sweeps, arms of a step [J].
        """
        if "energy.residual" not in columns:
            return None
        works = np.array([columns[f"{name}.work"] for name in self.carriers]).T
        stored = columns[f"{self.name}.energy"]
        level = columns["energy.residual"] + works.sum(axis=1) + stored  # (1)
        passed, kinetic = columns[f"{self.name}.passed"], columns["energy.kinetic"]
        for k, time in enumerate(times):
            lowest, before, gone, least, most, fullest, since, *done = self.numbers
            if passed[k] == gone and stored[k] == 0.0:  # nothing touched: what changed is no contact's
                lowest += level[k] - before
            least, most, fullest = min(least, kinetic[k]), max(most, kinetic[k]), max(fullest, stored[k])
            swing = self.swing * fullest if stored[k] > 0.0 else 0.0
            lowest = min(lowest, level[k] + swing)
            self.numbers[:] = lowest, level[k], passed[k], least, most, fullest, time, *works[k]
            made = level[k] - swing - lowest
            allowed = RESOLVED * passed[k] + AUDIT_LIMIT * (most - least) + (granted + ROUND_OFF) * most + lift
            if passed[k] > 0.0 and made > allowed:
                body = self.carriers[int(np.argmax(works[k] - done))].removeprefix(f"{self.name}.")
                return Gain(float(time), float(since), float(made), float(passed[k]), body)
        return None
