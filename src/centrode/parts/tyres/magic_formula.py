r"""The Magic Formula tyre, version 6.1: steady-state Fx, Fy, Mz with combined slip, camber and inflation pressure.

Source: Pacejka, Tire and Vehicle Dynamics, 3rd ed. (2012), eqs. (4.E1) to (4.E78) without turn slip (all zeta = 1);
Besselink, Schmeitz, Pacejka, Vehicle System Dynamics 48 (2010) S337 for the pressure terms and for the camber terms
of the pneumatic trail (its A58 and A60 match the names QBZ4, QBZ5, QDZ3 that property files hold).

Every curve is  y = D sin(C atan(B x - E (B x - atan(B x)))), the trail and the weighting functions have cos in place
of sin.

Signs are those of property files, which equal ours (slip angle and Fy to the left, so K_y alpha is negative).

Beyond the fit:

- slips, camber and pressure are held at the ends of their ranges (KPUMIN ... PRESMAX), as MF-Tyre does;
- a load outside FZMIN ... FZMAX takes the coefficients of the nearest end and forces in proportion to the load: no load
  gives no force, overload keeps its friction coefficient;
- reverse is the mirrored wheel: Fx(kappa) -> -Fx(-kappa), Mz -> -Mz;
- with ``limited`` a combined force that leaves the ellipse of the two pure peaks (with their shifts) is shortened to
  it.
  Pure slip is never changed by that.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.jit import kernel
from centrode.math.record import float_record, record_opener
from centrode.parts.part import quantity
from centrode.parts.tyres.contract import SLIP_BOUND, TYRE_SIGNATURE, Tyre, bounded, folded_angle
from centrode.parts.tyres.tir import TirFile, read_tir

REQUIRED = ("FNOMIN", "UNLOADED_RADIUS", "PCX1", "PDX1", "PKX1", "PCY1", "PDY1", "PKY1", "PKY2")

# Names of the row in its order, with the value for an entry that a file leaves out.
_DEFAULTS: dict[str, float] = {
    **dict.fromkeys(("FNOMIN", "UNLOADED_RADIUS"), math.nan),
    "NOMPRES": 2.0e5,
    "INFLPRES": math.nan,
    **{"FZMIN": 0.0, "FZMAX": 1.0e9, "KPUMIN": -1.5, "KPUMAX": 1.5, "ALPMIN": -1.5, "ALPMAX": 1.5},
    **{"CAMMIN": -0.5, "CAMMAX": 0.5, "PRESMIN": 0.0, "PRESMAX": 1.0e9},
    **dict.fromkeys(
        "LFZO LCX LMUX LEX LKX LHX LVX LCY LMUY LEY LKY LKYC LKZC LHY LVY LTR LRES LXAL LYKA LVYKA LS".split(), 1.0
    ),
    **dict.fromkeys(
        "PCX1 PDX1 PDX2 PDX3 PEX1 PEX2 PEX3 PEX4 PKX1 PKX2 PKX3 PHX1 PHX2 PVX1 PVX2 PPX1 PPX2 PPX3 PPX4 "
        "RBX1 RBX2 RBX3 RCX1 REX1 REX2 RHX1".split(),
        0.0,
    ),
    **dict.fromkeys("PCY1 PDY1 PDY2 PDY3 PEY1 PEY2 PEY3 PEY4 PEY5 PKY1 PKY2 PKY3".split(), 0.0),
    "PKY4": 2.0,
    **dict.fromkeys(
        "PKY5 PKY6 PKY7 PHY1 PHY2 PVY1 PVY2 PVY3 PVY4 PPY1 PPY2 PPY3 PPY4 PPY5 "
        "RBY1 RBY2 RBY3 RBY4 RCY1 REY1 REY2 RHY1 RHY2 RVY1 RVY2 RVY3 RVY4 RVY5 RVY6 "
        "QBZ1 QBZ2 QBZ3 QBZ4 QBZ5 QBZ9 QBZ10 QCZ1 QDZ1 QDZ2 QDZ3 QDZ4 QDZ6 QDZ7 QDZ8 QDZ9 QDZ10 QDZ11 "
        "QEZ1 QEZ2 QEZ3 QEZ4 QEZ5 QHZ1 QHZ2 QHZ3 QHZ4 PPZ1 PPZ2 SSZ1 SSZ2 SSZ3 SSZ4".split(),
        0.0,
    ),
}
NAMES: tuple[str, ...] = tuple(_DEFAULTS)
MAGIC_FORMULA = float_record(*NAMES, "mode", "mirrored", "limited")
open_magic_formula = record_opener(MAGIC_FORMULA)
"""The row that the kernel reads: the named entries, use mode, mirrored, limited."""

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
def pure_longitudinal(p, fz, dfz, dpi, gamma, kappa):
    """(F_x0, K_x kappa, D_x, S_Vx), eqs. (4.E9) to (4.E18)."""
    mu = (p.PDX1 + p.PDX2 * dfz) * (1.0 + p.PPX3 * dpi + p.PPX4 * dpi * dpi) * (1.0 - p.PDX3 * gamma * gamma) * p.LMUX
    peak = max(mu, 0.0) * fz
    shape = p.PCX1 * p.LCX
    stiffness = (
        fz * (p.PKX1 + p.PKX2 * dfz) * math.exp(p.PKX3 * dfz) * (1.0 + p.PPX1 * dpi + p.PPX2 * dpi * dpi) * p.LKX
    )
    x = kappa + (p.PHX1 + p.PHX2 * dfz) * p.LHX
    side = 1.0 if x > 0.0 else (-1.0 if x < 0.0 else 0.0)
    curve = min((p.PEX1 + p.PEX2 * dfz + p.PEX3 * dfz * dfz) * (1.0 - p.PEX4 * side) * p.LEX, 1.0)
    shift = fz * (p.PVX1 + p.PVX2 * dfz) * p.LVX * digressive(p.LMUX)
    b = stiffness / away_from_zero(shape * peak)
    return peak * math.sin(shape * math.atan(bend(b, curve, x))) + shift, stiffness, peak, shift


@kernel
def digressive(scale):
    """Friction scale of the shifts, (4.E8) with A_mu = 10."""
    return 10.0 * scale / (1.0 + 9.0 * scale)


@kernel
def pure_lateral(p, fz, dfz, dpi, gamma, alpha):
    """(F_y0, K_y alpha, D_y, S_Vy, S_Hy, B_y C_y), eqs. (4.E19) to (4.E30); alpha = tan of the slip angle."""
    mu = (p.PDY1 + p.PDY2 * dfz) * (1.0 + p.PPY3 * dpi + p.PPY4 * dpi * dpi) * (1.0 - p.PDY3 * gamma * gamma) * p.LMUY
    peak = max(mu, 0.0) * fz
    shape = p.PCY1 * p.LCY
    nominal = p.LFZO * p.FNOMIN
    stiffness = (
        p.PKY1
        * nominal
        * (1.0 + p.PPY1 * dpi)
        * (1.0 - p.PKY3 * abs(gamma))
        * math.sin(
            p.PKY4 * math.atan(fz / nominal / away_from_zero((p.PKY2 + p.PKY5 * gamma * gamma) * (1.0 + p.PPY2 * dpi)))
        )
        * p.LKY
    )
    shift_scale = digressive(p.LMUY)
    shift_camber = fz * (p.PVY3 + p.PVY4 * dfz) * gamma * p.LKYC * shift_scale
    shift = fz * (p.PVY1 + p.PVY2 * dfz) * p.LVY * shift_scale + shift_camber
    camber_stiffness = fz * (p.PKY6 + p.PKY7 * dfz) * (1.0 + p.PPY5 * dpi) * p.LKYC
    offset = (p.PHY1 + p.PHY2 * dfz) * p.LHY + (camber_stiffness * gamma - shift_camber) / away_from_zero(stiffness)
    x = alpha + offset
    side = 1.0 if x > 0.0 else (-1.0 if x < 0.0 else 0.0)
    curve = min(
        (p.PEY1 + p.PEY2 * dfz) * (1.0 + p.PEY5 * gamma * gamma - (p.PEY3 + p.PEY4 * gamma) * side) * p.LEY,
        1.0,
    )
    b = stiffness / away_from_zero(shape * peak)
    force = peak * math.sin(shape * math.atan(bend(b, curve, x))) + shift
    return force, stiffness, peak, shift, offset, b * shape


@kernel
def weight(b, c, e, x, offset):
    """Weighting function of combined slip, (4.E51) and (4.E59): 1 at no other slip, never negative."""
    base = math.cos(c * math.atan(bend(b, e, offset)))
    if abs(base) < 1.0e-3:
        base = 1.0e-3
    return max(math.cos(c * math.atan(bend(b, e, x + offset))) / base, 0.0)


@kernel
def lateral_weight(p, dfz, gamma, kappa, alpha):
    """G_y kappa, eqs. (4.E59) to (4.E65)."""
    b = (p.RBY1 + p.RBY4 * gamma * gamma) * math.cos(math.atan(p.RBY2 * (alpha - p.RBY3))) * p.LYKA
    e = min(p.REY1 + p.REY2 * dfz, 1.0)
    return weight(b, p.RCY1, e, kappa, p.RHY1 + p.RHY2 * dfz)


@kernel
def magic_formula_ahead(p, fz, kappa, angle, camber):
    """(Fx, Fy, Mz) for travel ahead, arguments within the ranges of the fit."""
    mode = int(p.mode) % 10
    nominal = p.LFZO * p.FNOMIN
    dfz = (fz - nominal) / nominal
    dpi = (bounded_between(p.INFLPRES, p.PRESMIN, p.PRESMAX) - p.NOMPRES) / p.NOMPRES
    gamma = math.sin(camber)
    alpha = math.tan(angle)
    cosine = math.cos(angle)
    combined = mode >= 4
    fx, kx, peak_x, shift_x = pure_longitudinal(p, fz, dfz, dpi, gamma, kappa)
    fy, ky, peak_y, shift_y, offset_y, slope_y = pure_lateral(p, fz, dfz, dpi, gamma, alpha)
    upright, _, _, _, _, _ = pure_lateral(p, fz, dfz, dpi, 0.0, alpha)
    side_force = 0.0
    if combined:
        b = (p.RBX1 + p.RBX3 * gamma * gamma) * math.cos(math.atan(p.RBX2 * kappa)) * p.LXAL
        fx *= weight(b, p.RCX1, min(p.REX1 + p.REX2 * dfz, 1.0), alpha, p.RHX1)  # (4.E50) to (4.E57)
        side_force = (
            peak_y
            * (p.RVY1 + p.RVY2 * dfz + p.RVY3 * gamma)
            * math.cos(math.atan(p.RVY4 * alpha))
            * math.sin(p.RVY5 * math.atan(p.RVY6 * kappa))
            * p.LVYKA
        )  # (4.E66), (4.E67)
        fy = lateral_weight(p, dfz, gamma, kappa, alpha) * fy + side_force  # (4.E58)
        upright *= lateral_weight(p, dfz, 0.0, kappa, alpha)  # (4.E74)
        if p.limited != 0.0:
            use = math.hypot(
                fx / away_from_zero(peak_x + abs(shift_x)),
                fy / away_from_zero(peak_y + abs(shift_y) + abs(side_force)),
            )
            if use > 1.0:
                fx /= use
                fy /= use
                upright /= use
    ratio = kx / away_from_zero(ky) * kappa if combined else 0.0
    # trail, (4.E33) to (4.E44) with (A58), (A60)
    x = alpha + p.QHZ1 + p.QHZ2 * dfz + (p.QHZ3 + p.QHZ4 * dfz) * gamma
    b = (
        (p.QBZ1 + p.QBZ2 * dfz + p.QBZ3 * dfz * dfz)
        * (1.0 + p.QBZ4 * gamma + p.QBZ5 * abs(gamma))
        * p.LKY
        / away_from_zero(p.LMUY)
    )
    e = min(
        (p.QEZ1 + p.QEZ2 * dfz + p.QEZ3 * dfz * dfz)
        * (1.0 + (p.QEZ4 + p.QEZ5 * gamma) * 2.0 / math.pi * math.atan(b * p.QCZ1 * x)),
        1.0,
    )
    equivalent = math.copysign(math.hypot(x, ratio), x)  # (4.E77)
    trail = (
        fz
        * p.UNLOADED_RADIUS
        / nominal
        * (p.QDZ1 + p.QDZ2 * dfz)
        * (1.0 - p.PPZ1 * dpi)
        * (1.0 + p.QDZ3 * gamma + p.QDZ4 * gamma * gamma)
        * p.LTR
        * math.cos(p.QCZ1 * math.atan(bend(b, e, equivalent)))
        * cosine
    )
    # residual torque, (4.E36) to (4.E47), (4.E75)
    residual = math.hypot(alpha + offset_y + shift_y / away_from_zero(ky), ratio)  # sign falls out of the cosine
    torque = (
        fz
        * p.UNLOADED_RADIUS
        * (
            (p.QDZ6 + p.QDZ7 * dfz) * p.LRES
            + ((p.QDZ8 + p.QDZ9 * dfz) * (1.0 + p.PPZ2 * dpi) + (p.QDZ10 + p.QDZ11 * dfz) * abs(gamma)) * gamma * p.LKZC
        )
        * p.LMUY
        * cosine
        * math.cos(math.atan((p.QBZ9 * p.LKY / away_from_zero(p.LMUY) + p.QBZ10 * slope_y) * residual))
    )
    arm = p.UNLOADED_RADIUS * (p.SSZ1 + p.SSZ2 * fy / nominal + (p.SSZ3 + p.SSZ4 * dfz) * gamma) * p.LS  # (4.E76)
    mz = -trail * upright + torque + (arm * fx if combined else 0.0)  # (4.E71), (4.E72)
    if mode == 0:
        return 0.0, 0.0, 0.0
    if mode == 1:
        return fx, 0.0, 0.0
    if mode == 2:
        return 0.0, fy, mz
    return fx, fy, mz


@kernel
def bounded_between(value, low, high):
    """The value kept within low .. high."""
    return min(high, max(low, value))


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


@dataclass(frozen=True)
class TyreMagicFormula(Tyre):
    """Magic Formula 6.1 tyre, from a .tir file or from coefficients by name."""

    kind: ClassVar[str] = "magic-formula"
    law: ClassVar = staticmethod(tyre_magic_formula)

    file: str = quantity("", "path of the .tir file", "")
    coefficients: dict[str, float] = quantity(
        "", "entries that replace or complete those of the file, SI", default_factory=dict
    )
    pressure: float | None = quantity(
        "Pa", "inflation pressure; INFLPRES of the file when left out", None, positive=True
    )
    mirrored: bool = quantity("", "tyre mounted on the other side", False)
    limited: bool = quantity("", "keep combined forces on the friction ellipse", True)

    def source(self) -> TirFile:
        """What the file (if any) and the given coefficients say together."""
        base = read_tir(self.file, REQUIRED) if self.file else TirFile({}, {}, 61, 4)
        given = {name.upper(): float(value) for name, value in self.coefficients.items()}
        return TirFile({**base.numbers, **given}, base.texts, base.version, int(given.get("USE_MODE", base.use_mode)))

    def faults(self) -> list[Fault]:
        """Also: known names, all required coefficients, positive scales."""
        from centrode.errors import InputError, nearest_name

        found = super().faults()
        for name, value in self.coefficients.items():
            path = f"{self.name}.coefficients.{name}"
            if name.upper() not in (*NAMES, "USE_MODE"):
                found.append(Fault("unknown coefficient", path, nearest=nearest_name(name, NAMES)))
            elif isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                found.append(Fault("not a finite number", path, got=value))
        if found:
            return found
        try:
            numbers = self.source().numbers
        except InputError as problem:
            return problem.faults
        path = f"{self.name}.coefficients"
        found += [Fault(f"{name} missing", path, expected="a number") for name in REQUIRED if name not in numbers]
        for name in ("FNOMIN", "UNLOADED_RADIUS", "LFZO", "NOMPRES", "PCX1", "PCY1", "PDX1", "PDY1"):
            if name in numbers and not numbers[name] > 0.0:
                found.append(Fault(f"{name} must be positive", self.file or self.name, got=numbers[name]))
        for low, high in (("FZMIN", "FZMAX"), ("KPUMIN", "KPUMAX"), ("ALPMIN", "ALPMAX"), ("CAMMIN", "CAMMAX")):
            if numbers.get(low, _DEFAULTS[low]) >= numbers.get(high, _DEFAULTS[high]):
                found.append(Fault(f"{low} must be below {high}", self.file or self.name, got=numbers.get(low)))
        return found

    def pack(self) -> np.ndarray:
        """Row in the order of :data:`NAMES`, then use mode, mirrored, limited."""
        self.checked()
        source = self.source()
        values = {**_DEFAULTS, **{name: source.numbers[name] for name in NAMES if name in source.numbers}}
        if self.pressure is not None:
            values["INFLPRES"] = self.pressure
        elif math.isnan(values["INFLPRES"]):
            values["INFLPRES"] = values["NOMPRES"]
        # A range that starts at no load would divide zero by zero there.
        values["FZMIN"] = max(values["FZMIN"], 1.0e-3 * values["FNOMIN"])
        values["ALPMIN"] = max(values["ALPMIN"], -1.5706)
        values["ALPMAX"] = min(values["ALPMAX"], 1.5706)
        row = [values[name] for name in NAMES]
        return np.array([*row, float(source.use_mode), float(self.mirrored), float(self.limited)], dtype=np.float64)

    @classmethod
    def from_file(cls, path: str | Path, name: str = "tyre", **options: object) -> TyreMagicFormula:
        """Tyre of a .tir file."""
        return cls(name, file=str(path), **options)  # type: ignore[arg-type]
