"""Reading tyre property files (.tir) of the Magic Formula family.

The format is text in sections: ``[SECTION]`` lines, ``NAME = value`` lines, strings in single quotes, ``$`` and ``!``
start a comment, ``{...}`` heads a table whose rows are bare numbers. Section UNITS states the units of all dimensional
entries, wherever in the file it stands; they are turned into SI here. Coefficients of the formula itself are pure
numbers (angles in radians) in every file but those of 1989 and 1994, whose units are their own
(:mod:`centrode.parts.tyres.magic_formula_89`).

======================================  ==============================================  =======
what the file says                      what it is                                      version
======================================  ==============================================  =======
FITTYP 5, or format 'MF_05'             MF-Tyre 5.0, 5.1                                50
FITTYP 6, 21, 52, or format 'PAC2002'   MF-Tyre 5.2; PAC2002 may add inflation pressure 52
FITTYP 60, 61, 62                       MF-Tyre 6.0 to 6.2                              60-62
format 'PAC89', 'PAC94'                 coefficients A, B, C of Pacejka 1989, 1994      89, 94
neither                                 by the coefficients that are there, with a note
======================================  ==============================================  =======

An entry without a value counts as left out. All faults of a file are reported at once with file and line; what is odd
but harmless is a note.
"""

from __future__ import annotations

import codecs
import difflib
import math
import re
from dataclasses import dataclass, field
from pathlib import Path

from centrode.errors import Fault, InputError, nearest_name
from centrode.parts.tyres.tir_names import (
    ALIASES,
    DIMENSIONS,
    FITTYPS,
    FORMATS,
    FORMULA,
    KNOWN,
    LETTERS_94,
    OTHER_MODELS,
    RANGES,
    UNITS,
    required_names,
)

_ASSIGNMENT = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eEdD][+-]?[0-9]+)?\Z", re.ASCII)
_NOT_FINITE = re.compile(r"[+-]?(?:inf(?:inity)?|nan|[0-9.]+#[a-z0-9]+)\Z", re.IGNORECASE)
_LARGEST_FILE = 4.0e6  # bytes; a property file has some ten thousand


@dataclass(frozen=True)
class TirFile:
    """Contents of a .tir file: numbers in SI by name, texts by name, version of the formula, use mode, remarks."""

    numbers: dict[str, float]
    texts: dict[str, str]
    version: int
    use_mode: int
    file: str = ""
    dialect: str = ""
    notes: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    lines: dict[str, int] = field(default_factory=dict)

    @property
    def mirrored(self) -> bool:
        """A negative use mode asks for the tyre of the other side."""
        return self.use_mode < 0

    @property
    def friction_ellipse(self) -> bool:
        """FE_METHOD: combined slip by the friction ellipse, not by coefficients R."""
        return self.texts.get("FE_METHOD", "").strip().upper() == "YES"


@dataclass
class _Entries:
    """What stands in a file, with lines."""

    file: str
    faults: list[Fault] = field(default_factory=list)
    numbers: dict[str, float] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    seen: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)  # MASS stands in UNITS and in INERTIA
    empty: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def fault(self, what: str, name: str = "", **details: object) -> None:
        line = details.pop("line", self.lines.get(name, 0))
        self.faults.append(Fault(what, name, self.file, line, **details))  # type: ignore[arg-type]


def read_tir(path: str | Path, required: tuple[str, ...] = (), given: tuple[str, ...] = ()) -> TirFile:
    """Read a .tir file; ``required`` names further entries that must be there, ``given`` those that need not."""
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(int(_LARGEST_FILE) + 1)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise InputError(Fault("cannot read the file", file=str(path), got=reason)) from None
    if len(data) > _LARGEST_FILE:
        raise InputError(Fault("no tyre property file", file=str(path), got=f"more than {_LARGEST_FILE:.0f} bytes"))
    return parse_tir(decoded(data), str(path), required, given)


def decoded(data: bytes) -> str:
    """Text in UTF-8, UTF-16 (with a mark, or with every other byte zero) or, as old files are, Windows-1252."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    if len(data) > 3 and data[1] == data[3] == 0:
        return data.decode("utf-16-le", errors="replace")
    if len(data) > 3 and data[0] == data[2] == 0:
        return data.decode("utf-16-be", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def parse_tir(
    text: str, file: str = "tyre.tir", required: tuple[str, ...] = (), given: tuple[str, ...] = ()
) -> TirFile:
    """The text of a .tir file as values in SI."""
    found = _entries(text, file)
    for alias, name in ALIASES.items():
        if alias in found.numbers:
            found.numbers.setdefault(name, found.numbers[alias])
            found.lines.setdefault(name, found.lines[alias])
    _to_si(found)
    version, dialect = _version(found)
    use_mode = found.numbers.get("USE_MODE", 4.0)
    if use_mode != math.floor(use_mode) or abs(use_mode) > 1e6 or abs(use_mode) % 10 > 5:
        found.fault("unknown mode", "USE_MODE", got=use_mode, expected="0 to 5, plus tens, negative for mirrored")
        use_mode = 4.0
    for name in dict.fromkeys([*required_names(version, int(use_mode)), *required] if version else required):
        if name not in found.numbers and name not in given:
            near = nearest_name(name, sorted(set(found.numbers) - KNOWN)) if found.numbers else ""
            why = "the entry is empty" if name in found.empty else ""
            found.fault(f"{name} missing", line=0, expected="an entry with a number", nearest=near, hint=why)
    if found.faults:
        raise InputError(found.faults)
    unknown = _remarks(found, version)
    notes = tuple(dict.fromkeys(found.notes))
    return TirFile(found.numbers, found.texts, version, int(use_mode), file, dialect, notes, unknown, found.lines)


def _entries(text: str, file: str) -> _Entries:
    """Entries of all sections."""
    found, section = _Entries(file), ""
    for line_number, raw in enumerate(re.split(r"\r\n|\r|\n", text.lstrip("\ufeff")), start=1):
        line = _without_comment(raw).strip(" \t\x00\x0b\x0c\x1a")
        if not line or line.startswith("{"):
            continue
        if line.startswith("["):
            if not line.endswith("]") or not line.strip("[] \t"):
                found.fault("broken section head", line=line_number, got=line, expected="[NAME]")
            section = line.strip("[] \t").upper()
            continue
        match = _ASSIGNMENT.match(line)
        if match is not None:
            _take(found, section, match.group(1).upper(), match.group(2).strip(), line_number)
        elif not _is_row(line) or section.endswith("COEFFICIENTS"):
            hint = "a row of numbers belongs to a table such as [SHAPE]" if _is_row(line) else ""
            found.fault("neither section nor entry", line=line_number, got=line, expected="NAME = value", hint=hint)
    return found


def _is_row(line: str) -> bool:
    """A row of a table, which steady forces do not use."""
    return all(_NUMBER.match(cell) for cell in re.split(r"[\s,;]+", line.strip(",; \t")))


def _take(found: _Entries, section: str, name: str, value: str, line: int) -> None:
    """One entry."""
    if (section, name) in found.seen:
        first, before = found.seen[section, name]
        if before != value:
            found.fault(f"{name} stands twice", line=line, hint=f"first on line {first}, as {before or 'empty'}")
        else:
            found.notes.append(f"{name} stands twice with one value (lines {first} and {line})")
        return
    found.seen[section, name] = line, value
    if value.startswith(("'", '"')):
        found.texts[name] = value.strip("'\" \t")
    elif not value:
        found.empty.append(name)
    elif _NOT_FINITE.match(value):
        found.fault("not a finite number", name, line=line, got=value)
    elif _NUMBER.match(value):
        number = float(value.replace("d", "e").replace("D", "e"))
        if not math.isfinite(number):
            found.fault("number too large", name, line=line, got=value)
        elif name in found.numbers and found.numbers[name] != number:
            hint = f"line {found.lines[name]} says {found.numbers[name]:g}"
            found.fault(f"{name} stands in two sections with two values", line=line, got=value, hint=hint)
        else:
            found.numbers[name] = number
    elif name in FORMULA or (name in DIMENSIONS and section != "UNITS") or name in ("FITTYP", "USE_MODE"):
        hint = "decimals are written with a point" if re.match(r"[+-]?\d+,\d", value) else ""
        found.fault("not a number", name, line=line, got=value, expected="a number", hint=hint)
    else:
        found.texts[name] = value
    found.lines.setdefault(name, line)


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


def _to_si(found: _Entries) -> None:
    """Apply the units that the file states."""
    factors = []
    for quantity, known in UNITS.items():
        text = found.texts.get(quantity, "").strip().lower()
        if text and text not in known:
            said = {"got": found.texts[quantity], "expected": "one of " + ", ".join(known)}
            found.fault("unknown unit", quantity, **said, nearest=nearest_name(text, list(known)))
        factors.append(known.get(text, 1.0))
    if not any(quantity in found.texts for quantity in UNITS):
        found.notes.append("no section UNITS: taken as SI")
    for name, powers in DIMENSIONS.items():
        if name not in found.numbers:
            continue
        for factor, power in zip(factors, powers, strict=True):
            found.numbers[name] *= factor**power
        if not math.isfinite(found.numbers[name]):
            found.fault("number too large", name, got=found.numbers.pop(name))


def _version(found: _Entries) -> tuple[int, str]:
    """Version of the formula and its name; (0, "") with a fault when it is none that is known."""
    stated = found.texts.get("PROPERTY_FILE_FORMAT", "").strip().upper()
    number = found.numbers.get("FITTYP")
    line = found.lines.get("PROPERTY_FILE_FORMAT", 0)
    if stated.startswith(OTHER_MODELS):
        what, said = "another tyre model, not a Magic Formula of this family", "PAC2002, PAC89, PAC94 or MF-Tyre 5 or 6"
        found.fault(what, "PROPERTY_FILE_FORMAT", line=line, got=stated, expected=said)
        return 0, ""
    if number is not None:
        if number in FITTYPS:
            if number == 52 and "PCY2" in found.numbers:
                what = "the formula for motorcycle tyres (MF-MCTyre) is not covered"
                found.fault(what, "FITTYP", got=52, hint="PCY2 belongs to it")
                return 0, ""
            version, name = FITTYPS[int(number)]
            return version, f"{name} (FITTYP {int(number)})"
        expected = "5 (MF 5.0), 6, 21 or 52 (MF 5.2), 60, 61, 62 (MF 6.0 to 6.2)"
        found.fault("version not supported", "FITTYP", got=number, expected=expected)
        return 0, ""
    if stated in FORMATS:
        return FORMATS[stated]
    near = difflib.get_close_matches("FITTYP", [name for name in found.lines if name not in KNOWN], 1, 0.75)
    if not near:
        guessed = _guessed(found)
        if guessed[0]:
            found.notes.append(
                f"neither FITTYP nor a known PROPERTY_FILE_FORMAT: read as {guessed[1]} by its coefficients"
            )
            return guessed
    expected = "5, 6, 52, 60, 61 or 62 in section MODEL, or PROPERTY_FILE_FORMAT = 'PAC2002', 'PAC89', 'PAC94'"
    hint = f"line {found.lines[near[0]]} has {near[0]}" if near else ""
    found.fault("FITTYP missing", line=0, expected=expected, hint=hint)
    return 0, ""


def _guessed(found: _Entries) -> tuple[int, str]:
    """Which formula the coefficients belong to."""
    names = set(found.numbers)
    if {"A0", "A2", "A3", "A4"} <= names:
        return FORMATS["PAC94"] if names & {"A14", "A15", "A16", "A17"} else FORMATS["PAC89"]
    if not {"PKY1", "PKX1"} & names:
        return 0, ""
    return (61, "MF-Tyre 6.1") if names & {"PKY6", "PKY7", "PPY5", "PEY5"} else (52, "MF-Tyre 5.2")


def _remarks(found: _Entries, version: int) -> tuple[str, ...]:
    """Add notes about what is left out; the names that are not known."""
    lettered = LETTERS_94 if version in (89, 94) else []
    # Headers of makers stand in sections of their own; they are read and have no bearing on forces.
    unknown = tuple(name for name in {**found.numbers, **found.texts} if name not in KNOWN and name not in lettered)
    if unknown:
        found.notes.append("unknown entries, not used: " + ", ".join(unknown))
    if found.empty:
        found.notes.append("entries without a value, taken as left out: " + ", ".join(found.empty))
    without = [name for pair in RANGES[:4] for name in pair if name not in found.numbers]
    if without and version not in (89, 94):
        found.notes.append("no limit stated for " + ", ".join(without))
    return unknown
