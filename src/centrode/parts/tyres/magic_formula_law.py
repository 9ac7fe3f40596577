r"""The law of the Magic Formula tyre, versions 5.0 to 6.2: steady Fx, Fy, Mz with combined slip, camber and pressure.

Sources: Pacejka, Tire and Vehicle Dynamics, 3rd ed. (2012), eqs. (4.E1) to (4.E78) without turn slip (all zeta = 1);
Besselink, Schmeitz, Pacejka, Vehicle System Dynamics 48 (2010) S337 for the pressure terms and for the camber terms of
the pneumatic trail (its A58 and A60 match the names QBZ4, QBZ5, QDZ3 that property files hold); TNO, MF-Tyre 5.2 User
Manual (2001) and the 2nd ed. of the book for version 5.

The versions are one formula; they differ in these places (gamma camber, S_H and S_V shifts of a curve):

=====================  =====================================  ======================================================
what                   version 5                              version 6
=====================  =====================================  ======================================================
slip angle             alpha [rad]                            tan alpha, (4.E3)
camber                 gamma LGAX, LGAY, LGAZ                 sin gamma, (4.E4)
friction scale of S_V  LMUX, LMUY                             digressive, (4.E8)
camber in S_Hy         PHY3 gamma                             (K_y gamma gamma - S_Vy gamma) / K_y alpha, (4.E30)
load at greatest K_y   sin(2 atan ...)                        sin(PKY4 atan ...), camber in PKY5, (4.E25)
force on the trail     with camber                            without camber, (4.E74)
equivalent slip of Mz  atan sqrt(tan^2 alpha_t + (K_x/K_y)^2  sqrt(alpha_t^2 + (K_x/K_y)^2 kappa^2), (4.E77), (4.E78)
                       kappa^2)
=====================  =====================================  ======================================================

Terms that only version 6 has (camber in combined slip RBX3 and RBY4, PEY5, QDZ10, QDZ11) have coefficient 0 in version
5. Pressure terms are those of 6.1, which PAC2002 writes in the same way.

Signs are those of property files, which equal ours (slip angle and Fy to the left, so K_y alpha is negative).

Beyond the fit:

- slips, camber and pressure are held at the ends of their ranges (KPUMIN ... PRESMAX), as MF-Tyre does;
- a load outside FZMIN ... FZMAX takes the coefficients of the nearest end and forces in proportion to the load: no load
  gives no force, overload keeps its friction coefficient;
- reverse is the mirrored wheel: Fx(kappa) -> -Fx(-kappa), Mz -> -Mz;
- low speed: forces are not faded out below VXLOW, or a parked car would roll away; slips near standstill are those of
  :mod:`centrode.parts.tyres.slip`;
- with ``limited`` a combined force that leaves the ellipse of the two pure peaks (with their shifts) is shortened to
  it. Pure slip is not changed by that, but for what shifts add to the other force.
"""

from __future__ import annotations

import math

from centrode.jit import kernel
from centrode.math.record import float_record, record_opener
from centrode.parts.tyres.contract import SLIP_BOUND, TYRE_SIGNATURE, bounded, folded_angle
from centrode.parts.tyres.magic_formula_curves import (
    away_from_zero,
    bend,
    bounded_between,
    ellipse_weights,
    side_of,
    weight,
)
from centrode.parts.tyres.tir_names import ALIGNING, LATERAL, LONGITUDINAL, SCALES

# Names of the row in its order, with the value for an entry that a file leaves out.
DEFAULTS: dict[str, float] = {
    **dict.fromkeys(("FNOMIN", "UNLOADED_RADIUS"), math.nan),
    "NOMPRES": 2.0e5,
    "INFLPRES": math.nan,
    **{"FZMIN": 0.0, "FZMAX": 1.0e9, "KPUMIN": -1.5, "KPUMAX": 1.5, "ALPMIN": -1.5, "ALPMAX": 1.5},
    **{"CAMMIN": -0.5, "CAMMAX": 0.5, "PRESMIN": 0.0, "PRESMAX": 1.0e9},
    **dict.fromkeys(SCALES, 1.0),
    **dict.fromkeys([*LONGITUDINAL, *LATERAL, *ALIGNING], 0.0),
    "PKY4": 2.0,
}
NAMES: tuple[str, ...] = tuple(DEFAULTS)
MAGIC_FORMULA = float_record(*NAMES, "version", "mode", "mirrored", "limited", "ellipse")
open_magic_formula = record_opener(MAGIC_FORMULA)
"""The row that the kernel reads: the named entries, version, use mode, mirrored, limited, friction ellipse."""

_LARGEST_EXPONENT = 50.0  # of the slip stiffness over the load; overloads beyond any fit stay finite


@kernel
def digressive(scale):
    """Friction scale of the shifts, (4.E8) with A_mu = 10."""
    return 10.0 * scale / (1.0 + 9.0 * scale)


@kernel
def pure_longitudinal(p, fz, dfz, dpi, camber, kappa):
    """(F_x0, K_x kappa, D_x, S_Vx, S_Hx), eqs. (4.E9) to (4.E18)."""
    old = p.version < 60.0
    gamma = camber * p.LGAX if old else math.sin(camber)
    mu = (p.PDX1 + p.PDX2 * dfz) * (1.0 + p.PPX3 * dpi + p.PPX4 * dpi * dpi) * (1.0 - p.PDX3 * gamma * gamma) * p.LMUX
    peak = max(mu, 0.0) * fz
    shape = p.PCX1 * p.LCX
    growth = math.exp(min(p.PKX3 * dfz, _LARGEST_EXPONENT))
    stiffness = fz * (p.PKX1 + p.PKX2 * dfz) * growth * (1.0 + p.PPX1 * dpi + p.PPX2 * dpi * dpi) * p.LKX
    offset = (p.PHX1 + p.PHX2 * dfz) * p.LHX
    x = kappa + offset
    curve = min((p.PEX1 + p.PEX2 * dfz + p.PEX3 * dfz * dfz) * (1.0 - p.PEX4 * side_of(x)) * p.LEX, 1.0)
    shift = fz * (p.PVX1 + p.PVX2 * dfz) * p.LVX * (p.LMUX if old else digressive(p.LMUX))
    b = stiffness / away_from_zero(shape * peak)
    return peak * math.sin(shape * math.atan(bend(b, curve, x))) + shift, stiffness, peak, shift, offset


@kernel
def pure_lateral(p, fz, dfz, dpi, camber, alpha):
    """(F_y0, K_y alpha, D_y, S_Vy, S_Hy, B_y C_y), eqs. (4.E19) to (4.E30); alpha as the version takes it."""
    old = p.version < 60.0
    gamma = camber * p.LGAY if old else math.sin(camber)
    mu = (p.PDY1 + p.PDY2 * dfz) * (1.0 + p.PPY3 * dpi + p.PPY4 * dpi * dpi) * (1.0 - p.PDY3 * gamma * gamma) * p.LMUY
    peak = max(mu, 0.0) * fz
    shape = p.PCY1 * p.LCY
    nominal = p.LFZO * p.FNOMIN
    at = fz / nominal / away_from_zero((p.PKY2 + p.PKY5 * gamma * gamma) * (1.0 + p.PPY2 * dpi))
    stiffness = (
        p.PKY1 * nominal * (1.0 + p.PPY1 * dpi) * (1.0 - p.PKY3 * abs(gamma)) * math.sin(p.PKY4 * math.atan(at)) * p.LKY
    )
    shift_scale = p.LMUY if old else digressive(p.LMUY)
    shift_camber = fz * (p.PVY3 + p.PVY4 * dfz) * gamma * p.LKYC * shift_scale
    shift = fz * (p.PVY1 + p.PVY2 * dfz) * p.LVY * shift_scale + shift_camber
    offset = (p.PHY1 + p.PHY2 * dfz) * p.LHY
    if old:
        offset += p.PHY3 * gamma * p.LKYC
    else:
        camber_stiffness = fz * (p.PKY6 + p.PKY7 * dfz) * (1.0 + p.PPY5 * dpi) * p.LKYC
        offset += (camber_stiffness * gamma - shift_camber) / away_from_zero(stiffness)
    x = alpha + offset
    curve = min(
        (p.PEY1 + p.PEY2 * dfz) * (1.0 + p.PEY5 * gamma * gamma - (p.PEY3 + p.PEY4 * gamma) * side_of(x)) * p.LEY,
        1.0,
    )
    b = stiffness / away_from_zero(shape * peak)
    force = peak * math.sin(shape * math.atan(bend(b, curve, x))) + shift
    return force, stiffness, peak, shift, offset, b * shape


@kernel
def lateral_weight(p, dfz, gamma, kappa, alpha):
    """G_y kappa, eqs. (4.E59) to (4.E65)."""
    b = (p.RBY1 + p.RBY4 * gamma * gamma) * math.cos(math.atan(p.RBY2 * (alpha - p.RBY3))) * p.LYKA
    e = min(p.REY1 + p.REY2 * dfz, 1.0)
    return weight(b, p.RCY1, e, kappa, p.RHY1 + p.RHY2 * dfz)


@kernel
def equivalent(p, slip, ratio):
    """Slip angle that stands for both slips in the moment, (4.E77), (4.E78), with the sign of the first."""
    if p.version < 60.0:
        return math.copysign(math.atan(math.hypot(math.tan(slip), ratio)), slip)
    return math.copysign(math.hypot(slip, ratio), slip)


@kernel
def aligning_moment(p, fz, dfz, dpi, gamma, angle, alpha, ratio, residual_at, slope_y, on_trail):
    """-t F'_y + M_zr, eqs. (4.E31) to (4.E49), (4.E71) to (4.E78)."""
    nominal = p.LFZO * p.FNOMIN
    cosine = math.cos(angle)
    lean = gamma * p.LGAZ if p.version < 60.0 else gamma
    friction = away_from_zero(p.LMUY)
    # trail, (4.E33) to (4.E44) with (A58), (A60)
    x = alpha + p.QHZ1 + p.QHZ2 * dfz + (p.QHZ3 + p.QHZ4 * dfz) * lean
    b = (p.QBZ1 + p.QBZ2 * dfz + p.QBZ3 * dfz * dfz) * (1.0 + p.QBZ4 * lean + p.QBZ5 * abs(lean)) * p.LKY / friction
    e = min(
        (p.QEZ1 + p.QEZ2 * dfz + p.QEZ3 * dfz * dfz)
        * (1.0 + (p.QEZ4 + p.QEZ5 * lean) * 2.0 / math.pi * math.atan(b * p.QCZ1 * x)),
        1.0,
    )
    trail = (
        fz
        * p.UNLOADED_RADIUS
        / nominal
        * (p.QDZ1 + p.QDZ2 * dfz)
        * (1.0 - p.PPZ1 * dpi)
        * (1.0 + p.QDZ3 * lean + p.QDZ4 * lean * lean)
        * p.LTR
        * math.cos(p.QCZ1 * math.atan(bend(b, e, equivalent(p, x, ratio))))
        * cosine
    )
    # residual torque, (4.E36) to (4.E47), (4.E75); its slope is even in the slip
    torque = (
        fz
        * p.UNLOADED_RADIUS
        * (
            (p.QDZ6 + p.QDZ7 * dfz) * p.LRES
            + ((p.QDZ8 + p.QDZ9 * dfz) * (1.0 + p.PPZ2 * dpi) + (p.QDZ10 + p.QDZ11 * dfz) * abs(lean)) * lean * p.LKZC
        )
        * p.LMUY
        * cosine
        * math.cos(math.atan((p.QBZ9 * p.LKY / friction + p.QBZ10 * slope_y) * equivalent(p, residual_at, ratio)))
    )
    return -trail * on_trail + torque


@kernel
def magic_formula_ahead(p, fz, kappa, angle, camber):
    """(Fx, Fy, Mz) for travel ahead, arguments within the ranges of the fit."""
    mode = int(p.mode) % 10
    old = p.version < 60.0
    nominal = p.LFZO * p.FNOMIN
    dfz = (fz - nominal) / nominal
    dpi = (bounded_between(p.INFLPRES, p.PRESMIN, p.PRESMAX) - p.NOMPRES) / p.NOMPRES
    gamma = camber if old else math.sin(camber)
    alpha = angle if old else math.tan(angle)
    combined = mode >= 4
    fx, kx, peak_x, shift_x, offset_x = pure_longitudinal(p, fz, dfz, dpi, camber, kappa)
    fy, ky, peak_y, shift_y, offset_y, slope_y = pure_lateral(p, fz, dfz, dpi, camber, alpha)
    on_trail = fy
    if not old:
        on_trail, _, _, _, _, _ = pure_lateral(p, fz, dfz, dpi, 0.0, alpha)
    side_force = 0.0
    if combined and p.ellipse != 0.0:
        slide = angle + offset_y
        weight_x, weight_y = ellipse_weights(
            kappa + offset_x, slide, fx - shift_x, fy - shift_y, kx, ky, peak_x, peak_y
        )
        fx *= weight_x
        fy *= weight_y
        on_trail *= weight_y
    elif combined:
        b = (p.RBX1 + p.RBX3 * gamma * gamma) * math.cos(math.atan(p.RBX2 * kappa)) * p.LXAL
        fx *= weight(b, p.RCX1, min(p.REX1 + p.REX2 * dfz, 1.0), alpha, p.RHX1)  # (4.E50) to (4.E57)
        side_force = (
            peak_y
            * (p.RVY1 + p.RVY2 * dfz + p.RVY3 * gamma)
            * math.cos(math.atan(p.RVY4 * alpha))
            * math.sin(p.RVY5 * math.atan(p.RVY6 * kappa))
            * p.LVYKA
        )  # (4.E66), (4.E67)
        share = lateral_weight(p, dfz, gamma, kappa, alpha)
        fy = share * fy + side_force  # (4.E58)
        on_trail *= share if old else lateral_weight(p, dfz, 0.0, kappa, alpha)  # (4.E74)
    if combined and p.limited != 0.0:
        use = math.hypot(
            fx / away_from_zero(peak_x + abs(shift_x)),
            fy / away_from_zero(peak_y + abs(shift_y) + abs(side_force)),
        )
        if use > 1.0:
            fx /= use
            fy /= use
            on_trail /= use
    ratio = kx / away_from_zero(ky) * kappa if combined else 0.0
    residual_at = alpha + offset_y + shift_y / away_from_zero(ky)
    mz = aligning_moment(p, fz, dfz, dpi, gamma, angle, alpha, ratio, residual_at, slope_y, on_trail)
    if combined:  # (4.E71), (4.E72), (4.E76)
        arm = p.UNLOADED_RADIUS * (p.SSZ1 + p.SSZ2 * fy / nominal + (p.SSZ3 + p.SSZ4 * dfz) * gamma) * p.LS
        mz += arm * fx
    if mode == 0:
        return 0.0, 0.0, 0.0
    if mode == 1:
        return fx, 0.0, 0.0
    if mode == 2:
        return 0.0, fy, mz
    return fx, fy, mz


@kernel(signature=TYRE_SIGNATURE)
def tyre_magic_formula(par, load, slip_angle, slip, camber, speed):
    """(Fx, Fy, Mz) of the Magic Formula tyre; arguments as in :mod:`centrode.parts.tyres.contract`."""
    if not load > 0.0:
        return 0.0, 0.0, 0.0
    p = open_magic_formula(par, 0)
    ahead = 1.0 if speed >= 0.0 else -1.0
    hand = -1.0 if p.mirrored != 0.0 else 1.0
    fz = bounded_between(load, p.FZMIN, p.FZMAX)
    kappa = bounded_between(ahead * bounded(slip, SLIP_BOUND), p.KPUMIN, p.KPUMAX)
    angle = bounded_between(hand * folded_angle(slip_angle), p.ALPMIN, p.ALPMAX)
    lean = bounded_between(hand * camber, p.CAMMIN, p.CAMMAX)
    fx, fy, mz = magic_formula_ahead(p, fz, kappa, angle, lean)
    share = load / fz
    return ahead * share * fx, hand * share * fy, ahead * hand * share * mz
