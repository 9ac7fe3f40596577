"""Pressure of a column of sheet metal over its crush: loading, unloading with a given restitution, reloading.

The force per width of a structure over its crush c is A + B c (Campbell 1974, McHenry); spread over the height of the
structure it is a pressure P(c), here a curve through knots with a stiffer end. Two columns that press on each other
carry the same pressure and share the depth d of the overlap,

    c_1(P) + c_2(P) = d,                                                                                  (1)

a rigid partner has c = 0. What a column remembers is the deepest depth d_m, the pressure p_m reached there and the
work w_m done up to there, each per area. Beyond d_m the pressure goes to the curve P(d) of (1) over a length l,

    p = P(d) + (p_m - P(d_m)) exp(-(d - d_m) / l)                                                         (2)
    w = w_m + W(d) - W(d_m) + (p_m - P(d_m)) l (1 - exp(-(d - d_m) / l)),   W' = P

so a virgin column (p_m = 0) begins without a jump wherever the partner comes from, and a partner that slides to a
stronger or weaker place changes the pressure without a jump. Below d_m it gives back the share e^2 of the work,

    p = p_m z^2,   z = (d - d_m + s) / s,   p_m s / 3 = e^2 w_m                                           (3)

and goes the same way in again. So a column never gives more than e^2 of what it took: a car that hits a wall at the
speed v leaves it at e v. Stored energy is p_m s z^3 / 3; while loading the part 1 - e^2 of the power is heat. When the
bodies have parted the metal springs back further, without force, to the residual crush r d_m: there the next touch
begins, with p_m = 0.
"""

from __future__ import annotations

import math

from centrode.jit import step_kernel, types
from centrode.math.record import float_record, record

KNOTS = 6
CURVE = record(
    ("crush", "f8", (KNOTS,)),  # [m], the first 0, rising
    ("pressure", "f8", (KNOTS,)),  # [Pa], rising
    ("energy", "f8", (KNOTS,)),  # up to the knot [J/m2]
    ("soft", "f8", (KNOTS,)),  # crush over pressure behind the knot [m/Pa]
    ("beyond", "f8"),  # slope behind the last knot [Pa/m]; 0: rigid
)
COLUMN = float_record("deepest", "pressure", "work", "recovered")
"""What a column remembers, for those who press one by itself; contacts have more in theirs."""
_CURVE, _COLUMN, _PAIR = types.from_dtype(CURVE), types.from_dtype(COLUMN), types.UniTuple(types.float64, 2)


@step_kernel
def crush_at(curve, strength, pressure):
    """Crush [m] and energy [J/m2] of a column at a pressure on its curve, times ``strength``."""
    if curve.beyond == 0.0:
        return 0.0, 0.0
    p = pressure / strength
    if p <= curve.pressure[0]:
        return 0.0, 0.0
    for k in range(1, KNOTS):
        if p <= curve.pressure[k]:
            slope = (curve.pressure[k] - curve.pressure[k - 1]) / (curve.crush[k] - curve.crush[k - 1])
            more = (p - curve.pressure[k - 1]) / slope
            energy = curve.energy[k - 1] + 0.5 * (p + curve.pressure[k - 1]) * more
            return curve.crush[k - 1] + more, strength * energy
    last = KNOTS - 1
    more = (p - curve.pressure[last]) / curve.beyond
    energy = curve.energy[last] + 0.5 * (p + curve.pressure[last]) * more
    return curve.crush[last] + more, strength * energy


@step_kernel
def knot_pressure(curve, strength, k):
    """Pressure at knot k [Pa]; infinite behind the last, and of what is rigid."""
    return curve.pressure[k] * strength if k < KNOTS and curve.beyond > 0.0 else math.inf


@step_kernel
def shared_pressures(one, strength_one, two, strength_two, depths):
    """Pressure [Pa] and energy [J/m2] of two columns that share a depth (1), at two depths, the greater one first.

    The knots of both curves are passed in the order of their pressures; between two of them the depth is linear in the
    pressure, and the work is a trapezium.
    """
    depth, past = depths
    p, d, w = 0.0, 0.0, 0.0
    then = (0.0, 0.0)
    known = False
    i, j = 0, 0
    soft_one, soft_two = 0.0, 0.0
    for _ in range(2 * KNOTS + 1):
        p_one, p_two = knot_pressure(one, strength_one, i), knot_pressure(two, strength_two, j)
        q = min(p_one, p_two)
        if q == math.inf:
            break
        soft = soft_one + soft_two
        more = soft * (q - p)
        if d + more > past and not known:
            then = behind((p, d, w), soft, past)
            known = True
        if d + more > depth:
            return behind((p, d, w), soft, depth), then
        w += 0.5 * (p + q) * more
        p, d = q, d + more
        if p_one <= q:
            soft_one = one.soft[i] / strength_one
            i += 1
        if p_two <= q:
            soft_two = two.soft[j] / strength_two
            j += 1
    if not known:
        then = behind((p, d, w), soft_one + soft_two, past)
    return behind((p, d, w), soft_one + soft_two, depth), then


@step_kernel
def behind(knot, soft, depth):
    """Pressure and energy at a depth behind a knot (its pressure, depth and energy) with a compliance [m/Pa]."""
    p, d, w = knot
    more = depth - d
    rise = more / soft
    return p + rise, w + (p + 0.5 * rise) * more


@step_kernel(signature=_PAIR(_CURVE, types.float64, _CURVE, types.float64, types.float64))
def shared_pressure(one, strength_one, two, strength_two, depth):
    """:func:`shared_pressures` at one depth."""
    return shared_pressures(one, strength_one, two, strength_two, (depth, depth))[0]


@step_kernel(signature=types.float64(types.float64, types.float64, types.float64, types.float64))
def give_back(deepest, pressure, work, recovered):
    """Stroke s of the unloading line (3) for the share e^2 = ``recovered`` of the work [m]; at most all the way."""
    if not pressure > 0.0:
        return 0.0
    return min(3.0 * recovered * work / pressure, deepest)


@step_kernel(signature=_PAIR(_COLUMN, types.float64, _PAIR, _PAIR, types.float64))
def load(column, depth, now, then, ramp):
    """Pressure and work (2) at a depth beyond the deepest; ``now``, ``then``: P and W at depth and deepest."""
    fades = math.exp(-(depth - column.deepest) / ramp)
    off = column.pressure - then[0]
    return max(now[0] + off * fades, 0.0), column.work + max(now[1] - then[1] + off * ramp * (1.0 - fades), 0.0)


@step_kernel(signature=_PAIR(_COLUMN, types.float64))
def unload(column, depth):
    """Pressure [Pa] and stored energy [J/m2] on the line (3) below the deepest point."""
    stroke = give_back(column.deepest, column.pressure, column.work, column.recovered)
    out = column.deepest - depth
    if not out < stroke:
        return 0.0, 0.0
    z = 1.0 - out / stroke
    return column.pressure * z * z, column.pressure * stroke * z * z * z / 3.0
