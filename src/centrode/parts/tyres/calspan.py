r"""The STI/Calspan tyre: combined slip over the whole range from polynomial fits of measured data.

Source: Allen, Magdaleno, Rosenthal, Klyde, Hogue, SAE 950312 (1995), as used in the MEDUSA report (1999), eqs. (1.19)
to (1.26); data of the Goodyear 185SR14 from Schuring, DOT HS-802 090 (1976).

Symbols (report; e_y to the right, s > 0 braking):

===========  ==================================================================  ===========
K_s, K_c     lateral and longitudinal stiffness per patch area                   (1.20)
a_p0         length of the contact patch                                         (1.20)
mu_0         peak friction                                                       (1.20)
q            sqrt(sin^2 alpha + s^2 cos^2 alpha), slide speed / travel speed     (1.21)
K'_c, mu     K_c and mu_0 on the way to full sliding                             (1.21)
sigma, f     composite slip and force saturation                                 (1.22)
F_x, F_y     forces                                                              (1.23)
===========  ==================================================================  ===========

The patch length only occurs as K a_p0^2 or in ratios of stiffnesses, so it cancels. With C_a = K_s a_p0^2 / 2 =
A_0 + A_1 F_z - (A_1/A_2) F_z^2 and C_s = F_z (CS/FZ), the slopes at the origin, (1.22) and (1.23) become

    sigma = pi sqrt(C_a^2 tan^2 alpha + C_s^2 s^2 / (1-s)^2) / (4 mu_0 F_z)
    (F_x, F_y) = mu F_z f (-C'_s s cos alpha, C_a sin alpha) / |...|,      C'_s = C_s + (C_a - C_s) q

Multiplying through by cos alpha and |1 - s| and, for large sigma, writing f in 1/sigma makes both limits (alpha = pi/2,
s = 1) ordinary numbers. In (1.23) the denominator holds (K'_c s)^2; the print has lost the bracket.

Where the fit ends, the default behaves as follows:

- s > 1 (the wheel turns against its travel): full sliding, f = 1, force against the slide velocity, q at most 1.
- s < -1 (spinning): the same law, q at most 1.
- reverse: the mirrored wheel; F_x changes sign with the mirror.
- loads above A_2: stiffness C_a and friction keep their values at A_2 (as HVOSM does with Omega_T = 1); the parabola
  itself would turn negative at 14.1 kN for this tyre.

``original=True`` repeats the 1999 program: |s| > 1 becomes -1, no mirror, no bound on the load.
Camber thrust and aligning moment are neglected by the source: Mz = 0.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.errors import Fault
from centrode.jit import kernel
from centrode.math.sincos import sine_cosine
from centrode.parts.part import quantity
from centrode.parts.tyres.contract import SLIP_BOUND, TYRE_SIGNATURE, Tyre, bounded

# The report prints B1 and B4 rounded; Schuring's figures are per pound, and its authors took 4.48 N for one.
NEWTON_PER_POUND = 4.48


@kernel
def length_of(x, y):
    """sqrt(x^2 + y^2), faster than hypot; forces and stiffnesses stay far from overflow (slips are bounded)."""
    return math.sqrt(x * x + y * y)


@kernel
def saturation(sigma_over, sigma_under, c1, c2, c3, c4):
    """f(sigma) of (1.22) for sigma = sigma_over / sigma_under, also for sigma_under = 0."""
    if sigma_over <= sigma_under:
        sigma = sigma_over / sigma_under
        return (
            sigma
            * (c1 * sigma * sigma + c2 * sigma + 4.0 / math.pi)
            / (c1 * sigma * sigma * sigma + c3 * sigma * sigma + c4 * sigma + 1.0)
        )
    inverse = sigma_under / sigma_over
    return (c1 + (c2 + 4.0 / math.pi * inverse) * inverse) / (c1 + (c3 + (c4 + inverse) * inverse) * inverse)


@kernel
def calspan_force(par, load, alpha, s, limited):
    """(F_x, F_y) [N] in the report's signs (e_y right, s > 0 braking), |alpha| any, travel ahead.

    Args:
        par: row made by :meth:`TyreCalspan.pack`.
        load: F_z [N], above 0.
        alpha: slip angle [rad], positive sliding to the right.
        s: 1 - R omega / v [1].
        limited: hold stiffness and friction above the load A_2, f and q at 1.
    """
    fit_load = min(load, par[2]) if limited else load
    cornering = par[0] + par[1] * fit_load - par[1] / par[2] * fit_load * fit_load  # C_a [N/rad]      (1.20)
    driving = load * par[6]  # C_s [N]                                                                 (1.20)
    friction = (par[3] * fit_load + par[4] + par[5] * fit_load * fit_load) * par[7]  # mu_0            (1.20)
    sine, cosine = sine_cosine(alpha)
    cosine = abs(cosine)  # folding alpha -> pi - alpha changes nothing else                  Remark 2
    slide = abs(sine) if s == 0.0 else length_of(sine, s * cosine)  # q                                (1.21)
    if slide == 0.0 or friction <= 0.0:  # the friction polynomial itself ends somewhere above A_2
        return 0.0, 0.0
    share = min(slide, 1.0) if limited else slide
    driving_sliding = driving + (cornering - driving) * share  # C'_s                                  (1.21)
    peak = friction * (1.0 - par[8] * share)  # mu                                                     (1.21)
    if limited and s >= 1.0:
        fill = 1.0
    else:
        rolled = abs(1.0 - s)
        over = math.pi * (
            abs(cornering * sine) if s == 0.0 else length_of(cornering * sine * rolled, driving * s * cosine)
        )
        fill = saturation(over, 4.0 * friction * load * cosine * rolled, par[9], par[10], par[11], par[12])  # (1.22)
        if limited:
            fill = min(fill, 1.0)
    along = driving_sliding * s * cosine
    across = cornering * sine
    total = abs(across) if s == 0.0 else length_of(along, across)
    if total == 0.0:
        return 0.0, 0.0
    force = peak * load * fill / total
    return -force * along, force * across  # (1.23)


@kernel(signature=TYRE_SIGNATURE)
def tyre_calspan(par, load, slip_angle, slip, camber, speed):
    """(Fx, Fy, Mz) of the STI/Calspan tyre; arguments as in :mod:`centrode.parts.tyres.contract`."""
    if not load > 0.0:
        return 0.0, 0.0, 0.0
    ahead = 1.0 if speed >= 0.0 else -1.0
    s = -ahead * bounded(slip, SLIP_BOUND)
    if par[13] != 0.0:
        if abs(s) > 1.0:
            s = -1.0  # Remark 3
        fx, fy = calspan_force(par, load, -slip_angle, s, False)
        return fx, fy, 0.0
    fx, fy = calspan_force(par, load, -slip_angle, s, True)
    return ahead * fx, fy, 0.0


@dataclass(frozen=True)
class TyreCalspan(Tyre):
    """STI/Calspan tyre; the defaults are the Goodyear 185SR14 of the report with its bias-ply form factors."""

    kind: ClassVar[str] = "calspan"
    law: ClassVar = staticmethod(tyre_calspan)

    a0: float = quantity("N", "cornering stiffness per radian at no load, A_0", 7092.7808, minimum=0.0)
    a1: float = quantity("1", "growth of the cornering stiffness with load, A_1", 11.94, minimum=0.0)
    a2: float = quantity("N", "load at which the stiffness is back at A_0, A_2", 13571.0848, positive=True)
    b1: float = quantity("1/N", "change of the friction with load, B_1", -1.14e-4 / NEWTON_PER_POUND)
    b3: float = quantity("1", "friction at no load, B_3", 1.007, positive=True)
    b4: float = quantity("1/N^2", "quadratic change of the friction with load, B_4", -1.062e-9 / NEWTON_PER_POUND**2)
    cs_fz: float = quantity("1", "longitudinal stiffness per load, CS/FZ", 18.0, positive=True)
    skid_number_test: float = quantity("1", "skid number of the test surface, SN_T", 85.0, positive=True)
    skid_number_road: float = quantity("1", "skid number of the pavement, SN_P", 85.0, positive=True)
    k_mu: float = quantity("1", "loss of friction at full sliding, K_mu", 0.2, minimum=0.0, maximum=0.999)
    c1: float = quantity("1", "form factor c_1", 0.535, positive=True)
    c2: float = quantity("1", "form factor c_2", 1.05, positive=True)
    c3: float = quantity("1", "form factor c_3", 1.15, positive=True)
    c4: float = quantity("1", "form factor c_4", 0.8, positive=True)
    original: bool = quantity("", "repeat the 1999 program beyond |s| = 1, in reverse and when overloaded", False)

    def pack(self) -> np.ndarray:
        """Row: A0 A1 A2 B1 B3 B4 CS/FZ SN_P/SN_T K_mu c1 c2 c3 c4 original."""
        road = self.skid_number_road / self.skid_number_test
        fit = (self.a0, self.a1, self.a2, self.b1, self.b3, self.b4)
        return np.array(
            [*fit, self.cs_fz, road, self.k_mu, self.c1, self.c2, self.c3, self.c4, self.original], dtype=np.float64
        )

    def faults(self) -> list[Fault]:
        """Also: the peak friction must stay positive up to the load A_2."""
        found = super().faults()
        if not found and self.friction(self.a2) <= 0.0:
            found.append(self.fault("b1", "friction not positive at the load a2", expected="a smaller fall"))
        return found

    def cornering_stiffness(self, load: float) -> float:
        """C_alpha [N/rad]: slope of -Fy at the origin for a load [N]."""
        fit = load if self.original else min(load, self.a2)
        return self.a0 + self.a1 * fit - self.a1 / self.a2 * fit * fit

    def driving_stiffness(self, load: float) -> float:
        """C_kappa [N]: slope of Fx at the origin for a load [N]."""
        return load * self.cs_fz

    def friction(self, load: float) -> float:
        """Peak friction mu_0 [1] for a load [N]."""
        fit = load if self.original else min(load, self.a2)
        return (self.b1 * fit + self.b3 + self.b4 * fit * fit) * self.skid_number_road / self.skid_number_test
