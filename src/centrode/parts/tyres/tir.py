"""Reading tyre property files (.tir) of the Magic Formula family.

The format is text in sections: ``[SECTION]`` lines, ``NAME = value`` lines, strings in single quotes, ``$`` and ``!``
start a comment. Section UNITS states the units of all dimensional entries; they are turned into SI here. Coefficients
of the formula itself are pure numbers (angles in radians) in every file. Read are files with FITTYP 60, 61 or 62 (MF
6.0, 6.1, 6.2). Format: TNO, MF-Tyre/MF-Swift 6.1.2 Help Manual (2010), chapter 4.

All faults of a file are reported at once with file and line.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path

from centrode.errors import Fault, InputError, nearest_name

_UNITS: dict[str, dict[str, float]] = {
    "LENGTH": {"meter": 1.0, "m": 1.0, "mm": 1e-3, "cm": 1e-2, "km": 1e3, "inch": 0.0254, "foot": 0.3048},
    "FORCE": dict.fromkeys(("newton", "n"), 1.0)
    | dict.fromkeys(("kn", "kilonewton"), 1e3)
    | {"pound_force": 4.4482216152605}
    | dict.fromkeys(("kilogram_force", "kgf"), 9.80665),
    "ANGLE": dict.fromkeys(("radian", "radians", "rad"), 1.0)
    | dict.fromkeys(("degree", "degrees", "deg"), math.pi / 180),
    "MASS": {"kg": 1.0, "kilogram": 1.0, "gram": 1e-3, "pound_mass": 0.45359237, "slug": 14.593902937},
    "TIME": {"second": 1.0, "sec": 1.0, "s": 1.0, "millisecond": 1e-3, "ms": 1e-3, "minute": 60.0, "hour": 3600.0},
    "PRESSURE": {"pascal": 1.0, "pa": 1.0, "kpa": 1e3, "bar": 1e5, "psi": 6894.757293168},
}

# Dimensional entries as powers of (length, force, angle, time, pressure); everything else is a pure number.
_DIMENSIONS: dict[str, tuple[int, int, int, int, int]] = {
    **dict.fromkeys(("LONGVL", "VXLOW"), (1, 0, 0, -1, 0)),
    **dict.fromkeys(("UNLOADED_RADIUS", "WIDTH", "RIM_RADIUS", "RIM_WIDTH"), (1, 0, 0, 0, 0)),
    **dict.fromkeys(("INFLPRES", "NOMPRES", "PRESMIN", "PRESMAX"), (0, 0, 0, 0, 1)),
    **dict.fromkeys(("FNOMIN", "FZMIN", "FZMAX"), (0, 1, 0, 0, 0)),
    "VERTICAL_STIFFNESS": (-1, 1, 0, 0, 0),
    "VERTICAL_DAMPING": (-1, 1, 0, 1, 0),
    **dict.fromkeys(("ALPMIN", "ALPMAX", "CAMMIN", "CAMMAX"), (0, 0, 1, 0, 0)),
}
_VERSIONS = (60, 61, 62)
_ASSIGNMENT = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eEdD][+-]?[0-9]+)?\Z", re.ASCII)


@dataclass(frozen=True)
class TirFile:
    """Contents of a .tir file: numbers in SI by name, texts by name, version, use mode."""

    numbers: dict[str, float]
    texts: dict[str, str]
    version: int
    use_mode: int
    file: str = ""


def read_tir(path: str | Path, required: tuple[str, ...] = ()) -> TirFile:
    """Read a .tir file; ``required`` names entries that must be there."""
    try:
        text = Path(path).read_bytes().decode("utf-8", errors="replace")
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise InputError(Fault("cannot read the file", file=str(path), got=reason)) from None
    return parse_tir(text, str(path), required)


def parse_tir(text: str, file: str = "tyre.tir", required: tuple[str, ...] = ()) -> TirFile:
    """The text of a .tir file as values in SI."""
    faults: list[Fault] = []
    numbers: dict[str, float] = {}
    texts: dict[str, str] = {}
    lines: dict[str, int] = {}
    seen: dict[tuple[str, str], int] = {}  # by section: MASS stands in UNITS and in INERTIA
    section = ""
    for line_number, raw in enumerate(text.splitlines(), start=1):
        line = _without_comment(raw).strip()
        if not line:
            continue
        if line.startswith("["):
            if not line.endswith("]") or len(line) < 3:
                faults.append(Fault("broken section head", file=file, line=line_number, got=line, expected="[NAME]"))
            section = line.strip("[] \t").upper()
            continue
        if line.startswith("{") or section == "SHAPE":  # tables that steady-state forces do not use
            continue
        match = _ASSIGNMENT.match(line)
        if match is None:
            faults.append(Fault("neither section nor entry", "", file, line_number, line, "NAME = value"))
            continue
        name, value = match.group(1).upper(), match.group(2).strip()
        if (section, name) in seen:
            first = f"first on line {seen[section, name]}"
            faults.append(Fault(f"{name} stands twice", file=file, line=line_number, hint=first))
            continue
        seen[section, name] = line_number
        lines.setdefault(name, line_number)
        if value.startswith(("'", '"')):
            texts[name] = value.strip("'\" \t")
        elif _NUMBER.match(value):
            numbers[name] = float(value.replace("d", "e").replace("D", "e"))
            if not math.isfinite(numbers[name]):
                faults.append(Fault("number too large", name, file, line_number, value))
        else:
            faults.append(Fault("not a number", name, file, line_number, value, "a number or a 'text'"))
    factors = _unit_factors(texts, lines, file, faults)
    for name, powers in _DIMENSIONS.items():
        if name in numbers:
            for factor, power in zip(factors, powers, strict=True):
                numbers[name] *= factor**power
    version = numbers.get("FITTYP")
    if version is None:
        hint = "files without FITTYP (such as PAC2002) hold another formula"
        faults.append(Fault("FITTYP missing", file=file, expected="60, 61 or 62 in section MODEL", hint=hint))
    elif version not in _VERSIONS:
        expected = "60, 61 or 62 (MF 6.0 to 6.2)"
        faults.append(Fault("version not supported", "FITTYP", file, lines["FITTYP"], version, expected))
    use_mode = numbers.get("USE_MODE", 4.0)
    if use_mode != int(use_mode) or int(use_mode) % 10 > 5 or use_mode < 0:
        line_number, expected = lines.get("USE_MODE", 0), "0 to 5, plus 10 or 20"
        faults.append(Fault("unknown mode", "USE_MODE", file, line_number, use_mode, expected))
    for name in required:
        if name not in numbers:
            near = nearest_name(name, sorted(set(lines) - set(required))) if lines else ""
            faults.append(Fault(f"{name} missing", file=file, expected="an entry with a number", nearest=near))
    if faults:
        raise InputError(faults)
    return TirFile(numbers, texts, int(version or 0), int(use_mode), file)


def _without_comment(line: str) -> str:
    """The line up to a ``$`` or ``!`` that does not stand inside quotes."""
    quote = ""
    for index, character in enumerate(line):
        if quote:
            if character == quote:
                quote = ""
        elif character in "'\"":
            quote = character
        elif character in "$!":
            return line[:index]
    return line


def _unit_factors(
    texts: dict[str, str], lines: dict[str, int], file: str, faults: list[Fault]
) -> tuple[float, float, float, float, float]:
    found = []
    for quantity in ("LENGTH", "FORCE", "ANGLE", "TIME", "PRESSURE"):
        known = _UNITS[quantity]
        text = texts.get(quantity, "").lower()
        if text and text not in known:
            expected, near = "one of " + ", ".join(known), nearest_name(text, list(known))
            faults.append(
                Fault("unknown unit", quantity, file, lines.get(quantity, 0), texts[quantity], expected, near)
            )
        found.append(known.get(text, 1.0))
    return found[0], found[1], found[2], found[3], found[4]
