"""Reading model.dat, platoon.dat and road.dat.

Format (MEDUSA report 1999, section 2.2): mandatory keywords in a fixed order, each followed by its number; free layout;
``%`` starts a comment; upper and lower case are the same. All faults of a file are reported at once, each with file,
line and the keyword that was expected there: a missing keyword is passed over, a misspelt one is read as the one
meant, and one that does not belong there is skipped with its numbers.

Beyond the manual: a vehicle may carry ``STEERING_HISTORY n`` and n pairs (time [s], angle [deg]) after STEERING, since
the evading manoeuvre of section 3.5 had to be compiled into the program. END_OF_FILE may be left out.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from centrode.errors import Fault, InputError, nearest_name
from centrode.scenario.medusa.checks import bank_faults
from centrode.scenario.medusa.records import (
    MODEL_LAYOUT,
    VEHICLE_LAYOUT,
    LegacyModel,
    LegacyModels,
    LegacyPlatoon,
    LegacyRoad,
    LegacyVehicle,
)
from centrode.texts import fortran_number

_LIKE_NUMBER = re.compile(r"[+-]?[0-9oO.,]+(?:[eEdD]?[+-]?[0-9oO]+)?\Z")
_UNITS = frozenset(
    "M MM CM KM FT IN KG G T LB S MS N KN PA KPA MPA GPA DEG RAD M/S KM/H KMH MPH N/M N/M2 NS/M %".split()
)
_OPENINGS = {"NUMBER_OF_MODELS": "model.dat", "NUMBER_OF_VEHICLES": "platoon.dat", "NUMBER_OF_POINTS": "road.dat"}
_MOST_FAULTS = 50

_RULE_OF = {
    **dict.fromkeys("mass ix iy iz young volume b c1 c2 tire_lag a1 a2 a3".split(), "positive"),
    **dict.fromkeys(("d1", "d2"), "not negative"),
    "steering_deg": "steering",
    "poisson": "poisson",
}
_RULES: dict[str, tuple[Callable[[float], bool], str]] = {
    "": (lambda value: True, "a number"),
    "positive": (lambda value: value > 0.0, "a number above 0"),
    "not negative": (lambda value: value >= 0.0, "a number not below 0"),
    "steering": (lambda value: -90.0 < value < 90.0, "an angle between -90 and 90 degrees"),
    "poisson": (lambda value: -1.0 < value < 0.5, "a number between -1 and 0.5"),
}
LARGEST = 1e15
"""Size of a number beyond which it is none of this world, and sums with it are no numbers any more: chosen."""
CLOSE = 5.0
"""Distance of road points [m] below which they are worth a word: less than a car is long."""


_USUAL: dict[str, tuple[str, float, float, str]] = {
    "mass": ("MASS", 100.0, 1e5, "kg"),
    "young": ("E", 1e5, 1e13, "N/m^2"),
    "volume": ("VOLUME", 1e-3, 100.0, "m^3"),
    **{field: (field.upper(), 0.1, 20.0, "m") for field in ("l1", "l2", "b", "a1", "a2", "a3")},
    **{field: (field.upper(), -2.0, 2.0, "m") for field in ("h1", "h2", "spring_ref")},
    **{field: (field.upper(), 1e3, 1e7, "N/m") for field in ("c1", "c2")},
    "tire_lag": ("TIRE", 1e-5, 1.0, "s"),
}
"""Field of a model -> keyword and the range of cars and lorries; what lies outside is a wrong unit, or worth a word."""


def _grammar(layout: str) -> list[tuple[str, str, str]]:
    """(keyword, field, rule) of a layout in order; groups have no field."""
    found = re.findall(r"([A-Z][A-Z0-9_]*)(?: \{(\w+)!r\})?", re.sub(r"%.*", "", layout))
    return [(keyword, field, _RULE_OF.get(field, "")) for keyword, field in found]


_MODEL_GRAMMAR, _VEHICLE_GRAMMAR = _grammar(MODEL_LAYOUT), _grammar(VEHICLE_LAYOUT)


def read_models(path: str | Path) -> LegacyModels:
    """Read model.dat."""
    return parse_models(_read_text(path), str(path))


def read_platoon(path: str | Path, model_count: int | None = None) -> LegacyPlatoon:
    """Read platoon.dat; with ``model_count`` the model numbers are checked against model.dat."""
    return parse_platoon(_read_text(path), str(path), model_count)


def read_road(path: str | Path) -> LegacyRoad:
    """Read road.dat."""
    return parse_road(_read_text(path), str(path))


def parse_models(text: str, file: str = "model.dat") -> LegacyModels:
    """The text of model.dat as values."""
    reader = _Reader(text, file, ["NUMBER_OF_MODELS", "MODEL", *(item[0] for item in _MODEL_GRAMMAR)])
    count = reader.count("NUMBER_OF_MODELS", [])
    models = []
    for number in reader.repeat(reader.entries(count, "MODEL")):
        line = reader.line
        given = reader.count("MODEL", [item[0] for item in _MODEL_GRAMMAR])
        if given is not None and given != number:
            reader.fault("models are numbered in sequence", line, got=given, expected=f"MODEL {number}")
        values = reader.block(_MODEL_GRAMMAR, f"model {number}", "MODEL")
        for field, (keyword, low, high, unit) in _USUAL.items():
            if values[field] < low or values[field] > high:
                what = f"{keyword} {values[field]:g} of model {number} is no usual number of a car"
                reader.note(f"{what}, which has {low:g} to {high:g} {unit}", reader.lines[keyword])
        directors = tuple((values.pop(f"d{i}1"), values.pop(f"d{i}2"), values.pop(f"d{i}3")) for i in (1, 2, 3))
        moments = values["ix"], values["iy"], values["iz"]
        if min(moments) > 0.0 and 2.0 * max(moments) >= sum(moments):
            expected = "each of IX, IY, IZ smaller than the sum of the other two"
            reader.fault("no body has these moments of inertia", line, got=moments, expected=expected)
        models.append(LegacyModel(directors=directors, line=reader.lines.get("R3", line), **values))
    reader.finish("MODEL", "NUMBER_OF_MODELS", count, may_hold_more=True)
    return LegacyModels(tuple(models), notes=tuple(reader.notes))


def parse_platoon(text: str, file: str = "platoon.dat", model_count: int | None = None) -> LegacyPlatoon:
    """The text of platoon.dat as values."""
    keywords = ["NUMBER_OF_VEHICLES", "VEHICLE_HAS_MODEL", *(item[0] for item in _VEHICLE_GRAMMAR)]
    reader = _Reader(text, file, [*keywords, "STEERING_HISTORY"])
    count = reader.count("NUMBER_OF_VEHICLES", [])
    vehicles = []
    for number in reader.repeat(reader.entries(count, "VEHICLE_HAS_MODEL")):
        line = reader.line
        model = reader.count("VEHICLE_HAS_MODEL", [item[0] for item in _VEHICLE_GRAMMAR])
        if model is not None and model_count is not None and model > model_count:
            reader.fault("no such model", line, got=model, expected=f"a model from 1 to {model_count}")
        values = reader.block(_VEHICLE_GRAMMAR, f"vehicle {number}", "VEHICLE_HAS_MODEL")
        history = _history(reader) if reader.word() == "STEERING_HISTORY" else ()
        vehicles.append(LegacyVehicle(model=model or 0, steering_history=history, line=line, **values))
    reader.finish("VEHICLE_HAS_MODEL", "NUMBER_OF_VEHICLES", count)
    return LegacyPlatoon(tuple(vehicles))


def parse_road(text: str, file: str = "road.dat") -> LegacyRoad:
    """The text of road.dat as values."""
    reader = _Reader(text, file, ["NUMBER_OF_POINTS:", "XYZ_COORDINATES_&_ANGLE:", "END_OF_FILE"])
    line = reader.line
    count = reader.count("NUMBER_OF_POINTS:", ["XYZ_COORDINATES_&_ANGLE:"])
    if count is not None and count < 4:
        reader.fault("too few road points", line, got=count, expected="four points at least")
    reader.keyword("XYZ_COORDINATES_&_ANGLE:", [])
    points: list[tuple[float, float, float, float]] = []
    lines: list[int] = []
    rows = reader.rows("END_OF_FILE")
    by_line = count in (
        len(rows),
        None,
    )  # then a line that lacks a number is one fault, and the others keep their columns
    for number in reader.repeat(count or len(rows)):
        line = reader.line
        if reader.word() == "END_OF_FILE":
            reader.fault("fewer points than announced", line, got=number - 1, expected=f"{count} points")
            break
        if by_line and len(rows[number - 1]) != 4:
            got, expected = " ".join(rows[number - 1]), "x, y, z [m] and bank [deg]"
            reader.fault(f"point {number} has not four numbers", line, got=got, expected=expected)
            reader.at += len(rows[number - 1])
            continue
        x, y, z, bank = (reader.number(f"point {number}: {label}", "") for label in ("x", "y", "z", "bank [deg]"))
        if points and points[-1][:3] == (x, y, z):
            reader.fault("two neighbouring road points are the same", line, got=(x, y, z))
        points.append((x, y, z, bank))
        lines.append(line)
    gaps = [math.dist(first[:3], second[:3]) for first, second in itertools.pairwise(points)]
    if gaps and min(gaps) < CLOSE:
        text = f"road points {min(gaps):.3g} m apart, less than a car is long: every unevenness of theirs is a bend"
        reader.note(text, lines[1 + gaps.index(min(gaps))])
    if reader.word() == "END_OF_FILE":
        reader.skip()
        if reader.raw():
            reader.note(f"what stands behind END_OF_FILE is not read, from '{reader.raw()}' on", reader.line)
    elif _LIKE_NUMBER.match(reader.raw()):
        hint = "raise the count, or comment the rest out with %"
        reader.fault("more points than announced", reader.line, expected=f"END_OF_FILE behind {count}", hint=hint)
    elif reader.raw():
        reader.fault("text behind the last point", reader.line, got=reader.raw(), expected="END_OF_FILE")
    road = LegacyRoad(tuple(points), file=file, lines=tuple(lines), notes=tuple(reader.notes))
    if reader.faults and by_line:
        reader.faults += bank_faults(road, file)
    reader.raise_faults()
    return road


def _history(reader: _Reader) -> tuple[tuple[float, float], ...]:
    count = reader.count("STEERING_HISTORY", [])
    steps: list[tuple[float, float]] = []
    for number in reader.repeat(count):
        line = reader.line
        time, angle = reader.number(f"step {number}: time [s]", ""), reader.number(f"step {number}: angle", "steering")
        if steps and time <= steps[-1][0]:
            reader.fault("times of the steering history must rise", line, got=time)
        steps.append((time, angle))
    return tuple(steps)


def _read_text(path: str | Path) -> str:
    try:
        text = as_named(Path(path)).read_bytes().decode("utf-8-sig", errors="replace")
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        hint = "model.dat, platoon.dat and road.dat lie in one folder; 'centrode new medusa' writes such files"
        raise InputError(Fault("cannot read the file", file=str(path), got=reason, hint=hint)) from None
    # Lines end with one character of three kinds of machines; on one of them Ctrl-Z ends the file.
    return text.partition("\x1a")[0].replace("\r\n", "\n").replace("\r", "\n")


def as_named(path: Path) -> Path:
    """The file, or the only one beside it whose name has other capitals: MODEL.DAT of older machines."""
    if path.exists() or not path.parent.is_dir():
        return path
    found = [item for item in path.parent.iterdir() if item.name.lower() == path.name.lower()]
    return found[0] if len(found) == 1 else path


class _Reader:
    """Tokens of one file, the faults found so far, and the rules for going on after a fault."""

    def __init__(self, text: str, file: str, keywords: list[str]) -> None:
        self.file = file
        self.known = keywords
        self.faults: list[Fault] = []
        self.notes: list[str] = []
        self.lines: dict[str, int] = {}
        self.tokens = [
            (word, number)
            for number, line in enumerate(text.split("\n"), start=1)
            for word in line.split("%", 1)[0].split()
        ]
        self.at = 0
        self.last_line = max(1, text.count("\n") + (0 if text.endswith("\n") else 1))
        self.ended = False
        first = self.raw().upper().rstrip(":")
        if first in _OPENINGS and first != keywords[0].rstrip(":"):
            wanted = _OPENINGS[keywords[0].rstrip(":")]
            self.fault(f"this is {_OPENINGS[first]}", self.line, got=self.raw(), expected=f"{wanted}, {keywords[0]}")
            self.raise_faults()

    @property
    def line(self) -> int:
        """Line of the next token; the last line of the file behind the last token."""
        return self.tokens[self.at][1] if self.at < len(self.tokens) else self.last_line

    def raw(self) -> str:
        """The next token as written, empty at the end."""
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def word(self) -> str:
        """The next token in capitals, with the colon that road.dat puts behind its keywords."""
        text = self.raw().upper()
        return f"{text}:" if f"{text}:" in self.known else text

    def skip(self) -> None:
        """Pass over one token."""
        self.at += 1

    def fault(self, what: str, line: int, **details: object) -> None:
        """Note a fault; too many end the reading."""
        self.faults.append(Fault(what, file=self.file, line=line, **details))  # type: ignore[arg-type]
        if len(self.faults) >= _MOST_FAULTS:
            self.raise_faults()

    def note(self, text: str, line: int) -> None:
        """Keep a word for the user about what is no fault."""
        self.notes.append(f"{self.file}:{line}: {text}")

    def raise_faults(self) -> None:
        """Raise what was found, if anything."""
        if self.faults:
            raise InputError(self.faults)

    def entries(self, count: int | None, start: str) -> int:
        """How many entries to read: as announced, or without an announcement as many as begin."""
        return count if count is not None else sum(word.upper() == start for word, _ in self.tokens[self.at :])

    def rows(self, end: str) -> list[list[str]]:
        """The tokens from here to a word, by lines."""
        found: dict[int, list[str]] = {}
        for word, line in itertools.takewhile(lambda token: token[0].upper() != end, self.tokens[self.at :]):
            found.setdefault(line, []).append(word)
        return list(found.values())

    def repeat(self, count: int | None) -> Iterator[int]:
        """1 .. count, ending early at the end of the file (which is a fault)."""
        for number in range(1, (count or 0) + 1):
            if self.at >= len(self.tokens):
                if not self.ended:
                    self.fault("the file ends early", self.line, got=f"{number - 1} entries", expected=f"{count}")
                self.ended = True
                return
            yield number

    def keyword(self, expected: str, later: list[str]) -> bool:
        """Pass over a keyword; False when it is missing. ``later``: keywords that may still come in this block."""
        while True:
            if self.at >= len(self.tokens):
                if not self.ended:
                    self.fault("the file ends early", self.line, expected=f"keyword {expected}")
                self.ended = True
                return False
            word = self.word()
            if word == expected:
                self.skip()
                return True
            if word in later:
                self.fault("keyword missing", self.line, got=self.raw(), expected=f"keyword {expected}")
                return False
            if word in self.known:
                self.fault("keyword out of order", self.line, got=self.raw(), expected=f"keyword {expected}")
                if word in ("MODEL", "VEHICLE_HAS_MODEL"):
                    return False
                self.skip()
                self._skip_numbers()
                continue
            said = {"got": self.raw(), "expected": f"keyword {expected}"}
            if _LIKE_NUMBER.match(self.raw()):
                self.fault("a number where a keyword belongs", self.line, **said)
                self._skip_numbers()
                continue
            if word in _UNITS:
                self.fault("a unit behind a number", self.line, hint="numbers are SI and stand alone", **said)
                self.skip()
                continue
            self.fault("unknown keyword", self.line, nearest=nearest_name(self.raw(), self.known), **said)
            self.skip()
            if nearest_name(word, self.known) == expected or not later:
                return True
            self._skip_numbers()

    def _skip_numbers(self) -> None:
        while self.at < len(self.tokens) and _LIKE_NUMBER.match(self.raw()) and self.word() not in self.known:
            self.skip()

    def number(self, label: str, rule: str) -> float:
        """The next token as a number that keeps a rule; not a number after a fault."""
        allowed, expected = _RULES[rule]
        if self.at >= len(self.tokens):
            if not self.ended:
                self.fault("the file ends early", self.line, expected=f"{expected} for {label}")
            self.ended = True
            return float("nan")
        text, line = self.raw(), self.line
        value = fortran_number(text)
        if value is None:
            hint = "a letter O in place of a zero?" if _LIKE_NUMBER.match(text) and "o" in text.lower() else ""
            hint = "a decimal point, no comma" if _LIKE_NUMBER.match(text) and "," in text else hint
            self.fault("not a number", line, got=text, expected=f"{expected} for {label}", hint=hint)
            if self.word() not in self.known:
                self.skip()
            return float("nan")
        self.skip()
        if abs(value) > LARGEST:
            self.fault("number too large", line, got=text, expected=f"{expected} for {label}")
        elif not allowed(value):
            self.fault("number not allowed", line, got=text, expected=f"{expected} for {label}")
        return value

    def count(self, expected: str, later: list[str]) -> int | None:
        """A keyword with a whole number from 1 on; None after a fault."""
        if not self.keyword(expected, later):
            return None
        text, line = self.raw(), self.line
        if not re.match(r"[+]?[0-9]{1,9}\Z", text, re.ASCII) or int(text) < 1:
            if self.at >= len(self.tokens):
                self.ended = True
            self.fault("not a count", line, got=text, expected=f"a whole number from 1 on behind {expected}")
            if text and self.word() not in self.known:
                self.skip()
            return None
        self.skip()
        return int(text)

    def block(self, grammar: list[tuple[str, str, str]], owner: str, start: str) -> dict[str, float]:
        """All keywords of a block in order, each with its number."""
        values: dict[str, float] = {}
        for index, (keyword, field, rule) in enumerate(grammar):
            found = self.keyword(keyword, [item[0] for item in grammar[index + 1 :]])
            self.lines[keyword] = self.line
            if field:
                values[field] = self.number(f"{keyword} of {owner}", rule) if found else float("nan")
        return values

    def finish(self, more: str, counter: str, count: int | None, may_hold_more: bool = False) -> None:
        """What may stand behind the last entry: nothing, or in a data base further entries, which is worth a note."""
        if not self.ended and self.raw() and self.word() != more:
            self.fault("text behind the last entry", self.line, got=self.raw(), expected="the end of the file")
        elif not self.ended and self.raw() and count is not None:
            found = count + sum(word.upper() == more for word, _ in self.tokens[self.at :])
            if may_hold_more:
                self.note(f"{counter} {count}, but {found} are there: those from here on are not read", self.line)
            else:
                said = {"got": f"{found} times {more}", "expected": f"{counter} {found}"}
                hint = f"or comment what is not wanted out with %; {counter} says {count}"
                self.fault(f"more entries than {counter} announces", self.line, hint=hint, **said)
        self.raise_faults()
