r"""The brush tyre: elastic bristles under parabolic pressure, combined slip, aligning moment.

Source: Pacejka, Tire and Vehicle Dynamics, 3rd ed., section 3.2; for unequal stiffnesses Svendenius and Wittenmark,
"Brush tire model with increased flexibility", European Control Conference 2003.

Symbols: sigma = (kappa, tan alpha) / (1 - s) slip by rolling speed (s = braking slip); a half length of the patch; psi
share of the patch that slides:

    psi = sqrt((C_kappa sigma_x)^2 + (C_alpha sigma_y)^2) / (3 mu F_z),   psi = 1 beyond full sliding

Integrating bristle forces from the leading edge, where they stick up to 2a(1 - psi) and slide behind it:

    F  = (C sigma) (1 - psi)^2 + mu F_z psi^2 (3 - 2 psi) sigma/|sigma|
    Mz = a (1 - psi)^2 ((C_alpha sigma_y) (4 psi - 1)/3 - 3 mu F_z psi^2 sigma_y/|sigma|)

With equal stiffnesses these are the classical mu F_z (3 psi - 3 psi^2 + psi^3) and -mu F_z a psi (1 - psi)^3. The sum
of the two force parts never exceeds mu F_z. Camber counts as an extra slip angle C_gamma gamma / C_alpha. Stiffnesses
grow in proportion to the load when ``nominal_load`` is given.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from centrode.jit import kernel
from centrode.parts.part import quantity
from centrode.parts.tyres.contract import SLIP_BOUND, TYRE_SIGNATURE, Tyre, bounded


@kernel(signature=TYRE_SIGNATURE)
def tyre_brush(par, load, slip_angle, slip, camber, speed):
    """(Fx, Fy, Mz) of the brush tyre; arguments as in :mod:`centrode.parts.tyres.contract`."""
    if not load > 0.0:
        return 0.0, 0.0, 0.0
    growth = load / par[5] if par[5] > 0.0 else 1.0
    cornering, driving = par[0] * growth, par[1] * growth
    half_length, limit = par[4], par[3] * load
    ahead = 1.0 if speed >= 0.0 else -1.0
    kappa = bounded(slip, SLIP_BOUND)
    cosine = abs(math.cos(slip_angle))
    # All slips times |cos alpha|: finite at a quarter turn. The wheel's own turning is 1 - s = 1 + kappa (ahead).
    slide_x = kappa * cosine
    slide_y = -math.sin(slip_angle) - par[2] * growth * camber / cornering * cosine
    rolling = (1.0 + ahead * kappa) * cosine
    slide = math.hypot(slide_x, slide_y)
    if slide == 0.0:
        return 0.0, 0.0, 0.0
    toward_x, toward_y = slide_x / slide, slide_y / slide
    stretch = math.hypot(driving * slide_x, cornering * slide_y)
    if rolling <= 0.0 or stretch >= 3.0 * limit * rolling:
        return limit * toward_x, limit * toward_y, 0.0
    psi = stretch / (3.0 * limit * rolling)
    stuck = (1.0 - psi) * (1.0 - psi)
    sliding = limit * psi * psi * (3.0 - 2.0 * psi)
    fx = driving * slide_x / rolling * stuck + sliding * toward_x
    fy = cornering * slide_y / rolling * stuck + sliding * toward_y
    moment = half_length * (
        cornering * slide_y / rolling * stuck * (4.0 * psi - 1.0) / 3.0 - 3.0 * limit * psi * psi * stuck * toward_y
    )
    return fx, fy, ahead * moment


@dataclass(frozen=True)
class TyreBrush(Tyre):
    """Brush tyre; origin slopes are the two stiffnesses (at the nominal load, when one is given)."""

    kind: ClassVar[str] = "brush"
    law: ClassVar = staticmethod(tyre_brush)

    cornering_stiffness: float = quantity("N/rad", "C_alpha, slope of -Fy over the slip angle", positive=True)
    driving_stiffness: float = quantity("N", "C_kappa, slope of Fx over slip", positive=True)
    camber_stiffness: float = quantity("N/rad", "C_gamma, slope of -Fy over camber", 0.0, minimum=0.0)
    friction: float = quantity("1", "friction between bristles and road", 1.0, positive=True, usual=(0.0, 60.0))
    half_length: float = quantity("m", "half length of the contact patch", 0.06, minimum=0.0)
    nominal_load: float = quantity("N", "load of the stiffnesses; 0 keeps them at every load", 0.0, minimum=0.0)
