r"""Curves that all versions of the Magic Formula share, and the friction ellipse for combined slip.

Every curve is  y = D sin(C atan(B x - E (B x - atan(B x)))), with cos in place of sin for the trail and the weighting
functions. B C D is the slope at the origin, D the peak, C and E the shape.

Friction ellipse (the method FE_METHOD of PAC2002 files, and the only one for coefficients of 1989 and 1994, which hold
no combined slip). With k and a the slips of the two pure curves, mu the friction they use there and mu_max their peaks,
slip points along tan(beta) = |sin a| / |k|, and each force is what an ellipse leaves in that direction:

    mu_x = 1 / sqrt(1/mu_x0^2 + tan(beta)^2/mu_ymax^2),      mu_y = tan(beta) / sqrt(1/mu_xmax^2 + tan(beta)^2/mu_y0^2).

Since mu_x0 <= mu_xmax and mu_y0 <= mu_ymax, (mu_x/mu_xmax)^2 + (mu_y/mu_ymax)^2 <= 1: the ellipse is never left. The
weights are written with the secants mu_x0/|k| and mu_y0/|sin a|, which have limits at the origin (the slip
stiffnesses over the load); so nothing is divided by zero and pure slip is left as it is. Slips are counted from the
horizontal shift, where the secants are finite; PAC2002 adds S_V/K to them.
"""

from __future__ import annotations

import math

from centrode.jit import kernel

_SMALL = 1.0e-6  # the epsilons of the book, in the units of what they are added to


@kernel
def bend(b, e, x):
    """C-less argument of a Magic Formula curve: B x - E (B x - atan(B x))."""
    return b * x - e * (b * x - math.atan(b * x))


@kernel
def away_from_zero(value):
    """A divisor: the value, but never closer to zero than the epsilons of the book."""
    return max(value, _SMALL) if value >= 0.0 else min(value, -_SMALL)


@kernel
def side_of(value):
    """-1, 0 or 1."""
    return 1.0 if value > 0.0 else (-1.0 if value < 0.0 else 0.0)


@kernel
def bounded_between(value, low, high):
    """The value kept within low .. high."""
    return min(high, max(low, value))


@kernel
def weight(b, c, e, x, offset):
    """Weighting function of combined slip, (4.E51) and (4.E59): 1 at no other slip, never negative."""
    base = math.cos(c * math.atan(bend(b, e, offset)))
    if abs(base) < 1.0e-3:
        base = 1.0e-3
    return max(math.cos(c * math.atan(bend(b, e, x + offset))) / base, 0.0)


@kernel
def ellipse_weights(slip, angle, used_x, used_y, slope_x, slope_y, peak_x, peak_y):
    """Shares of the two pure forces that the friction ellipse leaves.

    Args:
        slip, angle: slip and slip angle [rad] from the horizontal shifts of the curves.
        used_x, used_y: pure forces without vertical shifts [N].
        slope_x, slope_y: slip stiffnesses [N], [N/rad].
        peak_x, peak_y: peaks of the pure curves [N].

    Returns:
        (weight of Fx, weight of Fy), 0 to 1.
    """
    along, aside = abs(slip), abs(math.sin(angle))
    secant_x = abs(used_x) / along if along > 1.0e-9 else abs(slope_x)
    secant_y = abs(used_y) / aside if aside > 1.0e-9 else abs(slope_y)
    weight_x = 1.0 / math.hypot(1.0, aside * secant_x / away_from_zero(peak_y))
    weight_y = 1.0 / math.hypot(1.0, along * secant_y / away_from_zero(peak_x))
    return weight_x, weight_y
