"""Sine and cosine that a loop over many vehicles can vectorise (leaf kernel).

The library's sine is a call, and a call stops the compiler from working on four or eight vehicles at once. Here the
same two numbers come from additions, products and selections only, so a loop over an array becomes vector code.

Method: Cody and Waite (Software Manual for the Elementary Functions, 1980): n = nearest integer to 2 a / pi,
r = a - n pi/2 with pi/2 in three parts of 33, 33 and 53 bits, so that n times the first two is exact for n < 2**20;
then minimax polynomials on |r| <= pi/4 with the coefficients of Moshier's Cephes library; n modulo 4 picks sign and
swap. Error at most 1 unit in the last place of 1.0 for |a| <= SINCOS_LIMIT (tests/unit/test_ici_sincos.py measures it).

Signature: ``sincos_vector(angle) -> (sin, cos)``, angle [rad], |angle| <= SINCOS_LIMIT (not checked here).
"""

from __future__ import annotations

from centrode.jit import kernel

SINCOS_LIMIT = 1.0e6
"""Largest angle [rad] for which :func:`sincos_vector` keeps its accuracy."""

_TWO_OVER_PI = 0.6366197723675814
_PIO2_HIGH = float.fromhex("0x1.921fb544p+0")
_PIO2_MIDDLE = float.fromhex("0x1.0b4611a6p-34")
_PIO2_LOW = float.fromhex("0x1.3198a2e037073p-69")
# Adding and subtracting 1.5 * 2**52 rounds to the nearest integer without a call.
_ROUND = 6755399441055744.0


@kernel
def sincos_vector(angle: float) -> tuple[float, float]:
    """Sine and cosine of an angle [rad], |angle| <= SINCOS_LIMIT."""
    n = (angle * _TWO_OVER_PI + _ROUND) - _ROUND
    r = ((angle - n * _PIO2_HIGH) - n * _PIO2_MIDDLE) - n * _PIO2_LOW
    z = r * r
    s = 1.58962301576546568060e-10
    s = s * z - 2.50507477628578072866e-8
    s = s * z + 2.75573136213857245213e-6
    s = s * z - 1.98412698295895385996e-4
    s = s * z + 8.33333333332211858878e-3
    s = s * z - 1.66666666666666307295e-1
    s = r + r * z * s
    c = -1.13585365213876817300e-11
    c = c * z + 2.08757008419747316778e-9
    c = c * z - 2.75573141792967388112e-7
    c = c * z + 2.48015872888517045348e-5
    c = c * z - 1.38888888888730564116e-3
    c = c * z + 4.16666666666665929218e-2
    c = (1.0 - 0.5 * z) + z * z * c
    # Quadrant of n without integer conversion: n - 4 round(n / 4) is -2, -1, 0, 1 or 2.
    quadrant = n - 4.0 * ((0.25 * n + _ROUND) - _ROUND)
    odd = abs(quadrant) == 1.0
    sine = c if odd else s
    cosine = s if odd else c
    sine = sine if (quadrant == 0.0) or (quadrant == 1.0) else -sine
    cosine = cosine if (quadrant == 0.0) or (quadrant == -1.0) else -cosine
    return sine, cosine
