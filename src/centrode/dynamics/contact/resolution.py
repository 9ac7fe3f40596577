"""How many steps a contact needs of a method of equal steps, which knows nothing of its error.

A contact lasts half a swing, pi / w with w^2 = k / m at its depth. With fewer than LEAST_STEPS in it a method returns
too much or too little, whatever its own sums of work say, so step times w is watched at every state that touches: it
is taken from stiffness and masses, not from work done. The bound and what it means for energy: :mod:`hard`,
:mod:`centrode.recording.audit`.
"""

from __future__ import annotations

import math

LEAST_STEPS = 20.0
"""Steps that a contact asks for."""
COARSE = math.pi / LEAST_STEPS
"""Step times frequency beyond which a contact is not resolved."""
STEPS_TAKEN = 32.0
"""Steps in a contact when the run loop chooses: more than asked for, as contacts that are pressed on, or several at
once, are stiffer."""


def resolving_step(pace: float) -> float:
    """Step that resolves a contact with this square of its frequency [1/s2]; infinite without one [s]."""
    return math.pi / (STEPS_TAKEN * math.sqrt(pace)) if pace > 0.0 else math.inf
