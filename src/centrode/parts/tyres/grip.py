r"""How much a tyre rubs on a road: friction coefficients, peak and locked, and the share of its own that a road leaves.

On another ground than its own a tyre gives lambda F(s / lambda) (the similarity of :mod:`contract`). A road whose
``friction`` mu is given means a wheel that is locked and slides, s = 1, so lambda follows from

    lambda F(1 / lambda) = mu N                                                                                  (1)

for the load N. Where F hardly changes beyond s = 1, lambda is mu over the tyre's own locked coefficient. Wheels read
lambda as mu (a + b mu), which is (1) exactly at two coefficients, and for all of them where lambda is in proportion.
Tyres whose own friction falls with the load have lambda over their locked coefficient at the load of the moment, so
that a car slides with mu however its load shifts between the wheels.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from centrode.classes import dataclass
from centrode.errors import InputError
from centrode.jit import kernel
from centrode.parts.tyres.contract import Tyre

_SLIPS = np.geomspace(1e-3, 1.0, 240)
_MOST = 20.0
"""Largest share that is looked for."""


@dataclass(frozen=True)
class Grip:
    """Friction coefficients of a tyre on a road [1]: greatest in braking, and locked and sliding."""

    peak: float
    locked: float


def locked_force(tyre: Tyre, load: float, share: float = 1.0) -> float:
    """Force of a locked wheel that slides straight ahead [N], on ground with this share of the tyre's own friction."""
    return share * abs(tyre.forces(load, 0.0, -1.0 / share)[0]) if share > 0.0 else 0.0


def grip_of(tyre: Tyre, load: float, share: float = 1.0) -> Grip:
    """Coefficients of a tyre under a load [N] on ground with this share of its own friction."""
    peak = max(abs(tyre.forces(load, 0.0, -float(slip))[0]) for slip in _SLIPS)
    return Grip(share * peak / load, locked_force(tyre, load, share) / load)


def share_for(tyre: Tyre, load: float, friction: float) -> float:
    """The share lambda (1) of ground on which a locked wheel has this coefficient.

    Raises:
        InputError: no ground makes the tyre rub so much.
    """
    from scipy.optimize import brentq

    if friction <= 0.0:
        return 0.0

    def excess(share: float) -> float:
        return locked_force(tyre, load, share) - friction * load

    if excess(_MOST) < 0.0:
        most = locked_force(tyre, load, _MOST) / load
        raise InputError(
            f"the tyre {tyre.name!r} cannot slide with this friction", got=friction, expected=f"below {most:.3g}"
        )
    return float(brentq(excess, 1e-6 * friction, _MOST, xtol=1e-12))


def share_line(tyre: Tyre, load: float, frictions: Sequence[float]) -> tuple[float, float]:
    """a and b of lambda = mu (a + b mu): exact at the least and the greatest of the coefficients of a road."""
    known = sorted({value for value in frictions if value > 0.0})
    if not known:
        return 1.0, 0.0
    low, high = known[0], known[-1]
    first, last = share_for(tyre, load, low) / low, share_for(tyre, load, high) / high
    growth = (last - first) / (high - low) if high > low else 0.0
    return first - growth * low, growth


def load_line(tyre: Tyre, load: float) -> tuple[float, float]:
    """Locked coefficient over that at a load [N], as a straight line over the load: value at none, growth [1/N]."""
    light, middle, heavy = (locked_force(tyre, part * load) / part for part in (0.5, 1.0, 1.5))
    growth = (heavy - light) / (middle * load)
    return 1.0 - growth * load, growth


@kernel
def share_of_ground(ground, wheel, load):
    """Share of the tyre's own friction, from what a road tells of its ground.

    A coefficient holds for every load [N] of the wheel: what the tyre loses of its own by load is given back.

    Args:
        ground: the share itself, or below 0 minus the coefficient of a locked wheel.
        wheel: its record with a and b of :func:`share_line` (``grip``, ``grip_growth``) and the line of
            :func:`load_line` (``loaded``, ``loaded_growth``).
    """
    if ground >= 0.0:
        return ground
    own = min(max(wheel.loaded + wheel.loaded_growth * load, 0.2), 5.0)
    return -ground * (wheel.grip - wheel.grip_growth * ground) / own
