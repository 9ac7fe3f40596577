"""The Magic Formula tyre: parameters, from a .tir file of version 5.0 to 6.2 or by name.

The formula and its sources stand at the top of :mod:`centrode.parts.tyres.magic_formula_law`; dialects of files at the
top of :mod:`centrode.parts.tyres.tir`. Before a file becomes a tyre:

- friction coefficients with a minus (PDY1 < 0, as some MF 5.0 files have it) become positive, together with all that
  they multiply: D sin(C atan(B x ...)) with B = K / (C D) does not change when D changes its sign;
- a range that was measured on one side only (KPUMAX = 0: braking) is extended to the same width on the other side, as
  the formula goes; holding the slip at 0 would leave a tyre that cannot drive;
- a range of no width was not measured: it is left out;
- combined slip without coefficients (no R...) follows the friction ellipse: weights of 1 would be no combined slip.

Each of these is a note, which ``centrode tyre`` prints.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from centrode.errors import Fault, InputError, nearest_name
from centrode.parts.part import quantity
from centrode.parts.tyres.contract import Tyre
from centrode.parts.tyres.magic_formula_law import DEFAULTS, NAMES, tyre_magic_formula
from centrode.parts.tyres.tir import TirFile, read_tir
from centrode.parts.tyres.tir_names import FITTYPS, RANGES, SINCE_6, UNTIL_5, required_names

_LARGEST_COEFFICIENT = 1.0e5  # the largest in use are some thousand (RBX3, RBY4); beyond, products overflow
_LIMITS = {"FNOMIN": (1.0, 1.0e8), "UNLOADED_RADIUS": (1.0e-3, 100.0), "NOMPRES": (1.0, 1.0e9), "LFZO": (1.0e-3, 1.0e3)}
_CONDITIONS = ("FNOMIN", "UNLOADED_RADIUS", "NOMPRES", "INFLPRES", *(name for pair in RANGES for name in pair))


@dataclass(frozen=True)
class TyreMagicFormula(Tyre):
    """Magic Formula tyre, versions 5.0 to 6.2, from a .tir file or from coefficients by name."""

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
        given = {name.upper(): float(value) for name, value in self.coefficients.items()}
        if self.file:
            base = read_tir(self.file, given=tuple(given))
        else:
            version, name = FITTYPS.get(int(given.get("FITTYP", 61)), (0, ""))
            base = TirFile({}, {}, version, 4, dialect=name)
        return replace(base, numbers={**base.numbers, **given}, use_mode=int(given.get("USE_MODE", base.use_mode)))

    def settled(self) -> tuple[dict[str, float], list[str]]:
        """All entries by name as the law takes them, and notes on what was made of the file's."""
        source = self.source()
        notes = list(source.notes)
        dropped = SINCE_6 if source.version < 60 else UNTIL_5
        values = dict(DEFAULTS)
        values |= {name: source.numbers[name] for name in NAMES if name in source.numbers and name not in dropped}
        lost = [name for name in dropped if source.numbers.get(name, DEFAULTS[name]) != DEFAULTS[name]]
        if lost:
            notes.append(f"not part of {source.dialect or source.version}, not used: {', '.join(lost)}")
        for first, others in (("PDX1", ("PDX2",)), ("PDY1", ("PDY2", "RVY1", "RVY2", "RVY3", "QBZ10"))):
            if values[first] < 0.0:
                for name in (first, *others):
                    values[name] = -values[name]
                notes.append(f"{first} is negative: its sign is turned, which leaves the forces as they are")
        for low, high in RANGES:
            _settle_range(values, low, high, notes)
        self._settle_pressure(values, source, notes)
        # A range that starts at no load would divide zero by zero there.
        values["FZMIN"] = max(values["FZMIN"], 1.0e-3 * values["FNOMIN"])
        values["ALPMIN"] = max(values["ALPMIN"], -1.5706)
        values["ALPMAX"] = min(values["ALPMAX"], 1.5706)
        if not source.friction_ellipse and _without_combined(source):
            notes.append("no coefficients of combined slip (RBX1, RCX1, RBY1, RCY1): by the friction ellipse")
        if source.numbers.get("LMUV", 0.0):
            notes.append("LMUV (friction that falls with the sliding speed) is not used")
        if source.mirrored:
            notes.append("USE_MODE is negative: the tyre is mirrored")
        return values, notes

    def _settle_pressure(self, values: dict[str, float], source: TirFile, notes: list[str]) -> None:
        if math.isnan(values["INFLPRES"]):
            values["INFLPRES"] = values["NOMPRES"]
        elif "NOMPRES" not in source.numbers:
            values["NOMPRES"] = values["INFLPRES"]
            notes.append("NOMPRES missing: taken as INFLPRES")
        values["INFLPRES"] *= values["LIP"]
        if self.pressure is not None:
            values["INFLPRES"] = self.pressure
            if not any(values[name] for name in ("PPX1", "PPX2", "PPX3", "PPX4", "PPY1", "PPY2", "PPY3", "PPY4")):
                notes.append("the file holds no pressure coefficients: the pressure changes nothing")

    def notes(self) -> list[str]:
        """What a reader of the file should know."""
        return self.settled()[1]

    def faults(self) -> list[Fault]:
        """Also: known names, all required coefficients, numbers that a tyre can have, signs of the stiffnesses."""
        found = super().faults()
        for name, value in self.coefficients.items():
            path = f"{self.name}.coefficients.{name}"
            if name.upper() not in (*NAMES, "USE_MODE", "FITTYP"):
                found.append(Fault("unknown coefficient", path, nearest=nearest_name(name, NAMES)))
            elif isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                found.append(Fault("not a finite number", path, got=value))
            elif name.upper() == "USE_MODE" and (value != int(value) or abs(value) > 1e6 or abs(value) % 10 > 5):
                found.append(Fault("unknown mode", path, got=value, expected="0 to 5, plus tens"))
            elif name.upper() == "FITTYP" and value not in FITTYPS:
                found.append(Fault("version not supported", path, got=value, expected=", ".join(map(str, FITTYPS))))
        if found:
            return found
        try:
            source = self.source()
        except InputError as problem:
            return problem.faults
        if source.version in (89, 94):
            what, hint = f"holds coefficients of {source.dialect}", f"take kind: magic-formula-89, file: {self.file}"
            return [Fault(what, f"{self.name}.file", self.file, hint=hint)]
        return self._faults_of(source)

    def _faults_of(self, source: TirFile) -> list[Fault]:
        """What is wrong with the numbers, in file or coefficients."""
        numbers, path, found = source.numbers, f"{self.name}.coefficients", []

        def fault(what: str, name: str, expected: str = "", hint: str = "") -> None:
            file, line = (source.file, source.lines.get(name, 0)) if name in source.lines else ("", 0)
            where = name if file else f"{path}.{name}"
            found.append(Fault(what, where, file, line, numbers.get(name), expected, hint=hint))

        needed = required_names(source.version, source.use_mode)
        for name in needed:
            if name not in numbers:
                fault(f"{name} missing", name, "a number")
        for name in NAMES:
            if name in numbers and name not in _CONDITIONS and not abs(numbers[name]) <= _LARGEST_COEFFICIENT:
                fault("no coefficient of a tyre", name, f"at most {_LARGEST_COEFFICIENT:g} either way")
        for name, (least, most) in _LIMITS.items():
            if name in numbers and not least <= numbers[name] <= most:
                must = "must be positive" if not numbers[name] > 0.0 else "out of range"
                fault(f"{name} {must}", name, f"{least:g} to {most:g} in SI", "see the UNITS of the file")
        for name in ("PCX1", "PCY1", "PKX1"):
            if name in needed and name in numbers and not numbers[name] > 0.0:
                fault(f"{name} must be positive", name)
        for name in ("PDX1", "PDY1"):
            if name in needed and numbers.get(name) == 0.0:
                fault(f"{name} must not be zero", name, hint="it is the friction at the nominal load")
        for low, high in RANGES:
            if numbers.get(low, DEFAULTS[low]) > numbers.get(high, DEFAULTS[high]):
                fault(f"{low} must be below {high}", low)
        if not found and "PKY1" in needed:
            shape = numbers.get("PKY4", 2.0) if source.version >= 60 else 2.0
            at_nominal = math.atan(1.0 / numbers["PKY2"]) if numbers["PKY2"] else math.pi / 2
            if not numbers["PKY1"] * math.sin(shape * at_nominal) < 0.0:
                hint = "files are in ISO W axes: PKY1 negative, PKY2 positive; one in SAE axes must be converted"
                fault("the side force would push along the slide", "PKY1", "a cornering stiffness below zero", hint)
        return found

    def pack(self) -> np.ndarray:
        """Row in the order of :data:`NAMES`, then version, use mode, mirrored, limited, friction ellipse."""
        self.checked()
        source = self.source()
        values, _ = self.settled()
        switches = [float(source.version), float(abs(source.use_mode)), float(self.mirrored != source.mirrored)]
        switches += [float(self.limited), float(source.friction_ellipse or _without_combined(source))]
        return np.array([*(values[name] for name in NAMES), *switches], dtype=np.float64)

    @classmethod
    def from_file(cls, path: str | Path, name: str = "tyre", **options: object) -> TyreMagicFormula:
        """Tyre of a .tir file."""
        return cls(name, file=str(path), **options)  # type: ignore[arg-type]


def _without_combined(source: TirFile) -> bool:
    """Combined slip is wanted and has no coefficients."""
    none = not any(source.numbers.get(name, 0.0) for name in ("RBX1", "RCX1", "RBY1", "RCY1"))
    return none and abs(source.use_mode) % 10 >= 4


def _settle_range(values: dict[str, float], low: str, high: str, notes: list[str]) -> None:
    """Leave out a range of no width; give a range of slips or camber its other side."""
    if values[low] == values[high]:
        notes.append(f"{low} = {high} = {values[low]:g}: not measured, limits left out")
        values[low], values[high] = DEFAULTS[low], DEFAULTS[high]
    elif low in ("KPUMIN", "ALPMIN", "CAMMIN") and not values[low] < 0.0 < values[high]:
        width = max(-values[low], values[high])
        notes.append(
            f"{low} = {values[low]:g}, {high} = {values[high]:g}: measured on one side, used to {width:g} on both"
        )
        values[low], values[high] = -width, width
