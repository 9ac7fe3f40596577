"""A controller of one's own: swings a pendulum up to a wanted amplitude by feeding it energy (Astrom and Furuta 2000).

With the angle q of the hinge from hanging down, the inertia J about it and the largest moment M = m g l of the weight:

    E = J q'^2 / 2 - M cos q,      u = k (E* - E) q',      E* = -M cos(amplitude)                           (1)
    E' = u q' = k (E* - E) q'^2                              E comes to E*, from above and from below        (2)

Check it with ``centrode check energy_swing.py``; use it in a scenario with ``plugins: [energy_swing.py]`` and
``kind: energy-swing`` below ``controllers``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

import centrode as ct


@dataclass(frozen=True)
class EnergySwing(ct.Controller):
    """Brings a pendulum to an amplitude, with one drive on its hinge."""

    kind: ClassVar[str] = "energy-swing"

    hinge: str = ct.quantity("", "joint that the pendulum hangs on", refers_to="joint", kw_only=True)
    inertia: float = ct.quantity("kg*m2", "about the hinge", 1.0, positive=True)
    moment: float = ct.quantity("N*m", "largest moment of the weight about the hinge", 1.0, positive=True)
    amplitude: float = ct.quantity("rad", "wanted amplitude", 1.0, positive=True)
    gain: float = ct.quantity("1/(N*m*s)", "torque per missing energy and rate", 1.0, positive=True)

    def start(self, view) -> np.ndarray:
        """What is measured must be there; nothing is remembered between samples."""
        view.check(f"{self.hinge}.angle", f"{self.name}.hinge")
        return np.zeros(0)

    def command(self, time: float, view, state: np.ndarray) -> Sequence[float]:
        """(1), one torque for one drive."""
        angle, rate = view.value(f"{self.hinge}.angle"), view.value(f"{self.hinge}.angle_rate")
        energy = 0.5 * self.inertia * rate * rate - self.moment * math.cos(angle)
        missing = -self.moment * math.cos(self.amplitude) - energy
        return (self.gain * missing * rate,)
