r"""The Magic Formula of 1989 and 1994: coefficients a (side force), b (longitudinal force), c (aligning moment).

Sources: Bakker, Pacejka, Lidner, A New Tire Model with an Application in Vehicle Dynamics Studies, SAE 890087 (1989);
the form of 1994 with its further terms, as property files 'PAC94' hold it. Each curve is

    y = D sin(C atan(B x - E (B x - atan(B x)))) + S_V,    x = slip + S_H,    B = (BCD) / (C D)

with F the load in kN, slip angle and camber g in degrees, longitudinal slip in percent, forces in N, moments in N m:

=====  =======================================================  ======================================================
curve  1989                                                     1994
=====  =======================================================  ======================================================
Fy     C = a0, D = a1 F^2 + a2 F                                C = a0, D = (a1 F + a2)(1 - a15 g^2) F
       BCD = a3 sin(2 atan(F/a4)) (1 - a5 abs g)                BCD = a3 sin(2 atan(F/a4)) (1 - a5 abs g)
       E = a6 F + a7                                            E = (a6 F + a7)(1 - (a16 g + a17) sign x)
       S_H = a8 g + a9 F + a10                                  S_H = a8 F + a9 + a10 g
       S_V = a11 F g + a12 F + a13                              S_V = a11 F + a12 + (a13 F^2 + a14 F) g
Fx     C = b0, D = b1 F^2 + b2 F                                C = b0, D = (b1 F + b2) F
       BCD = (b3 F^2 + b4 F) exp(-b5 F)                         BCD = (b3 F^2 + b4 F) exp(-b5 F)
       E = b6 F^2 + b7 F + b8                                   E = (b6 F^2 + b7 F + b8)(1 - b13 sign x)
       S_H = b9 F + b10, S_V = 0                                S_H = b9 F + b10, S_V = b11 F + b12
Mz     C = c0, D = c1 F^2 + c2 F                                C = c0, D = (c1 F^2 + c2 F)(1 - c18 g^2)
       BCD = (c3 F^2 + c4 F)(1 - c6 abs g) exp(-c5 F)           BCD = (c3 F^2 + c4 F)(1 - c6 abs g) exp(-c5 F)
       E = (c7 F^2 + c8 F + c9)(1 - c10 abs g)                  E = (c7 F^2 + c8 F + c9)(1 - (c19 g + c20) sign x)
                                                                    / (1 - c10 abs g)
       S_H = c11 g + c12 F + c13                                S_H = c11 F + c12 + c13 g
       S_V = (c14 F^2 + c15 F) g + c16 F + c17                  S_V = c14 F + c15 + (c16 F^2 + c17 F) g
=====  =======================================================  ======================================================

E is held at 1, beyond which a curve folds back. Signs: y to the right and z down, slip angle positive where Fy is. A
wheel that slides to the left (our positive angle) is pushed to the right, so its angle is positive in both, and
Fy = -Fy_89(alpha, g), Mz = -Mz_89(alpha, g): behind the centre, Fy to the right turns against z down, which is why
c3 and c4 of published sets are negative. The camber has one sign in both, about x ahead.

Combined slip is not part of the coefficients: it follows the friction ellipse of
:mod:`centrode.parts.tyres.magic_formula_curves`, and the moment takes the share of the side force.

Loads outside FZMIN ... FZMAX (of the file, or 0.1 to 12 kN) take the coefficients of the end and forces in
proportion; reverse is the mirrored wheel.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from centrode.errors import Fault, InputError, nearest_name
from centrode.jit import kernel
from centrode.math.record import float_record, record_opener
from centrode.parts.part import quantity
from centrode.parts.tyres.contract import SLIP_BOUND, TYRE_SIGNATURE, Tyre, bounded, folded_angle
from centrode.parts.tyres.magic_formula_curves import away_from_zero, bend, bounded_between, ellipse_weights, side_of
from centrode.parts.tyres.tir import TirFile, read_tir
from centrode.parts.tyres.tir_names import LETTERS_89, LETTERS_94, required_names

OLD_FORMULA = float_record(*LETTERS_94, "year", "least_load", "most_load", "mirrored", "mode")
open_old_formula = record_opener(OLD_FORMULA)
"""The row that the kernel reads."""

_DEGREES = 180.0 / math.pi
_LARGEST_COEFFICIENT = 1.0e6
_LARGEST_EXPONENT = 50.0


@kernel
def curve(d, c, bcd, e, x):
    """D sin(C atan(B x - E (B x - atan(B x)))) with B C D given."""
    return d * math.sin(c * math.atan(bend(bcd / away_from_zero(c * d), min(e, 1.0), x)))


@kernel
def side_force(p, f, g, angle):
    """(Fy without S_V, S_V, S_H, slope [N/deg], D) in SAE signs; f in kN, angles in degrees."""
    if p.year < 94.0:
        shift_x = p.A8 * g + p.A9 * f + p.A10
        shift_y = p.A11 * f * g + p.A12 * f + p.A13
        peak = p.A1 * f * f + p.A2 * f
        e = p.A6 * f + p.A7
    else:
        shift_x = p.A8 * f + p.A9 + p.A10 * g
        shift_y = p.A11 * f + p.A12 + (p.A13 * f * f + p.A14 * f) * g
        peak = (p.A1 * f + p.A2) * (1.0 - p.A15 * g * g) * f
        e = (p.A6 * f + p.A7) * (1.0 - (p.A16 * g + p.A17) * side_of(angle + shift_x))
    peak = max(peak, 0.0)
    slope = p.A3 * math.sin(2.0 * math.atan(f / away_from_zero(p.A4))) * (1.0 - p.A5 * abs(g))
    return curve(peak, p.A0, slope, e, angle + shift_x), shift_y, shift_x, slope, peak


@kernel
def driving_force(p, f, percent):
    """(Fx without S_V, S_V, S_H, slope [N/%], D); f in kN, slip in percent."""
    shift_x = p.B9 * f + p.B10
    peak = max(p.B1 * f * f + p.B2 * f, 0.0)
    slope = (p.B3 * f * f + p.B4 * f) * math.exp(min(-p.B5 * f, _LARGEST_EXPONENT))
    e = p.B6 * f * f + p.B7 * f + p.B8
    shift_y = 0.0
    if p.year >= 94.0:
        e *= 1.0 - p.B13 * side_of(percent + shift_x)
        shift_y = p.B11 * f + p.B12
    return curve(peak, p.B0, slope, e, percent + shift_x), shift_y, shift_x, slope, peak


@kernel
def aligning_moment(p, f, g, angle):
    """Mz [N m] in SAE signs."""
    peak = p.C1 * f * f + p.C2 * f
    slope = (p.C3 * f * f + p.C4 * f) * (1.0 - p.C6 * abs(g)) * math.exp(min(-p.C5 * f, _LARGEST_EXPONENT))
    e = p.C7 * f * f + p.C8 * f + p.C9
    if p.year < 94.0:
        shift_x = p.C11 * g + p.C12 * f + p.C13
        shift_y = (p.C14 * f * f + p.C15 * f) * g + p.C16 * f + p.C17
        e *= 1.0 - p.C10 * abs(g)
    else:
        shift_x = p.C11 * f + p.C12 + p.C13 * g
        shift_y = p.C14 * f + p.C15 + (p.C16 * f * f + p.C17 * f) * g
        peak *= 1.0 - p.C18 * g * g
        e *= (1.0 - (p.C19 * g + p.C20) * side_of(angle + shift_x)) / away_from_zero(1.0 - p.C10 * abs(g))
    return curve(peak, p.C0, slope, e, angle + shift_x) + shift_y


@kernel(signature=TYRE_SIGNATURE)
def tyre_magic_formula_89(par, load, slip_angle, slip, camber, speed):
    """(Fx, Fy, Mz) of the tyre of 1989 or 1994; arguments as in :mod:`centrode.parts.tyres.contract`."""
    if not load > 0.0:
        return 0.0, 0.0, 0.0
    p = open_old_formula(par, 0)
    mode = int(p.mode)
    ahead = 1.0 if speed >= 0.0 else -1.0
    hand = -1.0 if p.mirrored != 0.0 else 1.0
    fz = bounded_between(load, p.least_load, p.most_load)
    f = 1.0e-3 * fz
    angle = hand * folded_angle(slip_angle)
    percent = 100.0 * ahead * bounded(slip, SLIP_BOUND)
    g = bounded(hand * camber, 0.5) * _DEGREES
    fx, shift_x, offset_x, slope_x, peak_x = driving_force(p, f, percent)
    fy, shift_y, offset_y, slope_y, peak_y = side_force(p, f, g, angle * _DEGREES)
    mz = aligning_moment(p, f, g, angle * _DEGREES)
    weight_x, weight_y = 1.0, 1.0
    if mode >= 4:
        weight_x, weight_y = ellipse_weights(
            0.01 * (percent + offset_x),
            angle + offset_y / _DEGREES,
            fx,
            fy,
            100.0 * slope_x,
            _DEGREES * slope_y,
            peak_x,
            peak_y,
        )
    share = load / fz
    along = ahead * share * weight_x * (fx + shift_x) if mode not in (0, 2) else 0.0
    aside = -hand * share * weight_y * (fy + shift_y) if mode not in (0, 1) else 0.0
    moment = -ahead * hand * share * weight_y * mz if mode not in (0, 1) else 0.0
    return along, aside, moment


@dataclass(frozen=True)
class TyreMagicFormula89(Tyre):
    """Magic Formula tyre of 1989 or 1994, from a 'PAC89' or 'PAC94' .tir file or from coefficients A, B, C by name."""

    kind: ClassVar[str] = "magic-formula-89"
    law: ClassVar = staticmethod(tyre_magic_formula_89)
    example: ClassVar = {
        "coefficients": {"A0": 1.4, "A1": -20.0, "A2": 1100.0, "A3": 1800.0, "A4": 7.0, "A7": -0.4}
        | {"B0": 1.6, "B1": -20.0, "B2": 1150.0, "B3": 20.0, "B4": 300.0, "B5": 0.07, "B8": 0.2}
        | {"C0": 2.3, "C1": -2.0, "C2": -4.0, "C3": -1.2, "C4": -3.0, "C9": -1.0}
    }

    file: str = quantity("", "path of the .tir file", "")
    coefficients: dict[str, float] = quantity(
        "", "A0 to A17, B0 to B13, C0 to C20 (kN, degrees, percent), in place of or beside those of the file",
        default_factory=dict,
    )  # fmt: skip
    year: str = quantity("", "form of the formula; that of the file when there is one", "89", choices=("89", "94"))
    mirrored: bool = quantity("", "tyre mounted on the other side", False)

    def source(self) -> TirFile:
        """What the file (if any) and the given coefficients say together."""
        given = {name.upper(): float(value) for name, value in self.coefficients.items()}
        if not self.file:
            return TirFile(given, {}, int(self.year), 4, dialect=f"Pacejka 19{self.year}")
        base = read_tir(self.file, given=tuple(given))
        numbers = {**base.numbers, **given}
        return TirFile(numbers, base.texts, base.version, base.use_mode, base.file, base.dialect, base.notes)

    def loads(self) -> tuple[float, float]:
        """Least and greatest load [N] for which coefficients are taken as they are."""
        numbers = self.source().numbers
        least, most = numbers.get("FZMIN", 100.0), numbers.get("FZMAX", 12e3)
        return max(least, 1.0e-3 * most), most

    def notes(self) -> list[str]:
        """What a reader of the file should know."""
        return list(self.source().notes)

    def faults(self) -> list[Fault]:
        """Also: known names, all required coefficients, a side force against the slide."""
        found = super().faults()
        names = LETTERS_89 if self.year == "89" and not self.file else LETTERS_94
        for name, value in self.coefficients.items():
            path = f"{self.name}.coefficients.{name}"
            if name.upper() not in names:
                found.append(Fault("unknown coefficient", path, nearest=nearest_name(name, names)))
            elif isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                found.append(Fault("not a finite number", path, got=value))
        if found:
            return found
        try:
            source = self.source()
        except InputError as problem:
            return problem.faults
        if source.version not in (89, 94):
            what, hint = f"holds coefficients of {source.dialect}", f"take kind: magic-formula, file: {self.file}"
            return [Fault(what, f"{self.name}.file", self.file, hint=hint)]
        numbers = source.numbers
        path = self.file or f"{self.name}.coefficients"
        missing = [name for name in required_names(source.version, source.use_mode) if name not in numbers]
        found += [Fault(f"{name} missing", path, expected="a number") for name in missing]
        wild = [name for name in LETTERS_94 if not abs(numbers.get(name, 0.0)) <= _LARGEST_COEFFICIENT]
        found += [Fault("no coefficient of a tyre", f"{path}: {name}", got=numbers[name]) for name in wild]
        for name in ("A0", "A3", "A4", "B0", "B4"):
            if not numbers.get(name, 1.0) > 0.0:
                expected = "above 0, or the force would push along the slide"
                found.append(Fault(f"{name} must be positive", path, got=numbers[name], expected=expected))
        low, high = numbers.get("FZMIN", 100.0), numbers.get("FZMAX", 12e3)
        if not 0.0 <= low < high <= 1.0e8:
            found.append(Fault("FZMIN must be below FZMAX", path, got=low, expected=f"0 to {high:g}"))
        return found

    def pack(self) -> np.ndarray:
        """Row of the coefficients, year, range of loads, mirrored, use mode."""
        self.checked()
        source = self.source()
        row = [source.numbers.get(name, 0.0) for name in LETTERS_94]
        mode = float(abs(source.use_mode) % 10)
        switches = [float(source.version), *self.loads(), float(self.mirrored != source.mirrored), mode]
        return np.array([*row, *switches], dtype=np.float64)

    @classmethod
    def from_file(cls, path: str | Path, name: str = "tyre", **options: object) -> TyreMagicFormula89:
        """Tyre of a .tir file."""
        return cls(name, file=str(path), **options)  # type: ignore[arg-type]
