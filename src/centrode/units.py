"""Units at the edge: text such as "72 km/h" becomes an SI number, and a wrong dimension becomes a fault.

Inside Centrode every number is SI. A user may write units in a scenario file, on the command line or in a table;
they are read here and nowhere else. A unit is an SI factor and a dimension, the exponents of (kg, m, s, rad, K, A).
The angle counts as a dimension of its own, so that "30 kg" cannot pass for an angle nor "50 Hz" for 50 rad/s.

Grammar::

    quantity = number [unit]                    "5 kN", "-3.2e-4 m", "30deg", "0.5"
    unit     = factor { ("*" | "/" | " ") factor }
    factor   = name [exponent] | "1" | "(" unit ")"
    exponent = ["^" | "**"] integer | "²" | "³"      m^2, m**2, m2 and m² are the same

A bare number is in the unit that the field declares, which is SI. "g" is the gram; standard gravity is "g0".
Slopes and banks of roads are declared as "rad|%": a text in percent is their tangent, "8 %" is atan 0.08.
Factors are exact by definition (BIPM, The International System of Units, 9th ed. 2019, tables 4, 8; NIST SP 811,
appendix B, for foot, mile, pound).
"""

from __future__ import annotations

import dataclasses
import functools
import math
import re

from centrode.classes import dataclass
from centrode.errors import Fault, InputError, nearest_name
from centrode.texts import is_number

BASE = ("kg", "m", "s", "rad", "K", "A")
_ANGLE = BASE.index("rad")
_MASS = BASE.index("kg")


@dataclass(frozen=True)
class Unit:
    """A unit of measure.

    Attributes:
        text: as written ("km/h").
        factor: value of one unit in SI.
        exponents: powers of kg, m, s, rad, K, A.
        plain_angle: no angle unit other than the radian occurs.
    """

    text: str
    factor: float
    exponents: tuple[int, ...]
    plain_angle: bool = True


_DIMENSION_NAMES: dict[tuple[int, ...], str] = {
    (0, 0, 0, 0, 0, 0): "a pure number",
    (1, 0, 0, 0, 0, 0): "a mass",
    (0, 1, 0, 0, 0, 0): "a length",
    (0, 0, 1, 0, 0, 0): "a time",
    (0, 0, 0, 1, 0, 0): "an angle",
    (0, 0, 0, 0, 1, 0): "a temperature",
    (0, 0, 0, 0, 0, 1): "a current",
    (0, 2, 0, 0, 0, 0): "an area",
    (0, 3, 0, 0, 0, 0): "a volume",
    (0, -1, 0, 0, 0, 0): "a curvature",
    (0, 1, -1, 0, 0, 0): "a speed",
    (0, 1, -2, 0, 0, 0): "an acceleration",
    (0, 0, -1, 0, 0, 0): "a frequency",
    (0, 0, -1, 1, 0, 0): "an angular speed",
    (0, 0, -2, 1, 0, 0): "an angular acceleration",
    (1, 1, -2, 0, 0, 0): "a force",
    (1, 2, -2, 0, 0, 0): "a moment or an energy",
    (1, 2, -3, 0, 0, 0): "a power",
    (1, -1, -2, 0, 0, 0): "a pressure",
    (1, 0, -2, 0, 0, 0): "a stiffness",
    (1, 0, -1, 0, 0, 0): "a damping",
    (1, 2, -2, -1, 0, 0): "an angular stiffness",
    (1, 2, -1, -1, 0, 0): "an angular damping",
    (1, 2, 0, 0, 0, 0): "a moment of inertia",
    (1, 1, -1, 0, 0, 0): "an impulse",
    (1, 2, -1, 0, 0, 0): "an angular impulse",
    (1, -3, 0, 0, 0, 0): "a density",
    (1, -1, 0, 0, 0, 0): "a mass per length",
}

_FOOT = 0.3048
_POUND = 0.45359237
_GRAVITY = 9.80665

_ALIASES = {"tonne": "t", "inch": "in", "mile": "mi", "hour": "h", "kph": "kmh", "knot": "kn", "°": "deg"}
_NAMED: dict[str, tuple[float, tuple[int, ...]]] = {
    "%": (0.01, (0, 0, 0, 0, 0, 0)),
    "t": (1e3, (1, 0, 0, 0, 0, 0)),
    "lb": (_POUND, (1, 0, 0, 0, 0, 0)),
    "lbf": (_POUND * _GRAVITY, (1, 1, -2, 0, 0, 0)),
    "in": (_FOOT / 12, (0, 1, 0, 0, 0, 0)),
    "ft": (_FOOT, (0, 1, 0, 0, 0, 0)),
    "mi": (5280 * _FOOT, (0, 1, 0, 0, 0, 0)),
    "nmi": (1852.0, (0, 1, 0, 0, 0, 0)),
    "min": (60.0, (0, 0, 1, 0, 0, 0)),
    "h": (3600.0, (0, 0, 1, 0, 0, 0)),
    "kmh": (1 / 3.6, (0, 1, -1, 0, 0, 0)),
    "mph": (5280 * _FOOT / 3600, (0, 1, -1, 0, 0, 0)),
    "kn": (1852.0 / 3600, (0, 1, -1, 0, 0, 0)),
    "g0": (_GRAVITY, (0, 1, -2, 0, 0, 0)),
    "deg": (math.pi / 180, (0, 0, 0, 1, 0, 0)),
    "rev": (2 * math.pi, (0, 0, 0, 1, 0, 0)),
    "rpm": (2 * math.pi / 60, (0, 0, -1, 1, 0, 0)),
    "bar": (1e5, (1, -1, -2, 0, 0, 0)),
    "l": (1e-3, (0, 3, 0, 0, 0, 0)),
}
_PREFIXED: dict[str, tuple[float, tuple[int, ...]]] = {
    "m": (1.0, (0, 1, 0, 0, 0, 0)),
    "g": (1e-3, (1, 0, 0, 0, 0, 0)),
    "s": (1.0, (0, 0, 1, 0, 0, 0)),
    "rad": (1.0, (0, 0, 0, 1, 0, 0)),
    "K": (1.0, (0, 0, 0, 0, 1, 0)),
    "A": (1.0, (0, 0, 0, 0, 0, 1)),
    "N": (1.0, (1, 1, -2, 0, 0, 0)),
    "J": (1.0, (1, 2, -2, 0, 0, 0)),
    "W": (1.0, (1, 2, -3, 0, 0, 0)),
    "Pa": (1.0, (1, -1, -2, 0, 0, 0)),
    "Hz": (1.0, (0, 0, -1, 0, 0, 0)),
    "V": (1.0, (1, 2, -3, 0, 0, -1)),
}
_PREFIXES = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "c": 1e-2, "d": 1e-1, "m": 1e-3, "u": 1e-6, "µ": 1e-6, "n": 1e-9}
_OTHER_ANGLES = {"deg", "°", "rev", "rpm"}

SUFFIXES = {name: name for name in ("deg", "kmh", "mph", "mm", "cm", "km", "rpm", "ms", "kN", "percent")}
SUFFIXES |= {"kmh": "km/h", "percent": "%"}
"""Endings that set the unit of any field in its name: ``steer_deg: 3`` sets ``steer``."""

GRADE = "rad|%"
"""Unit of a slope: an angle, or as on road signs the rise over the way on the map."""

_NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![\d.,])\s*(.*?)\s*", re.DOTALL)
_TOKEN = re.compile(r"\s*(g0(?![A-Za-z0-9])|[A-Za-zµ°%]+|\*\*|[\^*/()·]|[+-]?\d+|[²³])")
_LONGEST = 200


def parse_quantity(text: str) -> tuple[float, Unit]:
    """Read a number with or without a unit.

    Args:
        text: "72 km/h", "30deg", "0.5".

    Returns:
        The value in SI and its unit (a pure number "1" when none was written).
    """
    if len(text) > _LONGEST:
        raise InputError("too long for a number with a unit", got=text, expected=f"at most {_LONGEST} characters")
    match = _NUMBER.fullmatch(text)
    if match is None:
        hint = "write the decimal point as a point" if re.match(r"\s*[+-]?\d+,\d+", text) else ""
        expected = "a number with or without a unit, such as 0.5 or '30 deg'"
        raise InputError("not a number", got=text, expected=expected, hint=hint)
    unit = parse_unit(match[2] or "1")
    value = float(match[1]) * unit.factor
    if not math.isfinite(value):
        raise InputError("number out of range", got=text, expected="a finite number")
    return value, unit


def looks_like_quantity(text: str) -> bool:
    """Whether a text begins like a number; if not, it is a name."""
    return re.match(r"\s*[+-]?\.?\d", text) is not None


def to_unit(text: str, declared: str) -> float:
    """Read a number with unit as a value in the declared unit.

    Args:
        text: as the user wrote it; a bare number is taken to be in the declared unit.
        declared: unit that the field states ("rad", "N*m/rad", "1"), or several of them ("N|N*m").

    Raises:
        InputError: not a number, unknown unit, or the wrong dimension.
    """
    value, unit = parse_quantity(text)
    if is_number(text):
        return value
    target = _target(text, unit, declared)
    if declared == GRADE and target.text == "%":
        return math.atan(value)
    return value / target.factor if target.factor != 1.0 else value


def scale_of(unit: str, declared: str) -> float:
    """Factor that turns a number in one unit into a number in another of the same dimension."""
    source = parse_unit(unit)
    return source.factor / _target(unit, source, declared).factor


def _target(text: str, given: Unit, declared: str) -> Unit:
    """The declared unit that a given one fits; several are written "N|N*m" (a force, or a moment about an axis)."""
    targets = [parse_unit(item) for item in declared.split("|")]
    for target in targets:
        if _same_dimension(given, target):
            return target
    faults = [_wrong_dimension(text, given, target) for target in targets]
    expected = " or ".join(fault.expected for fault in faults)
    raise InputError(dataclasses.replace(faults[0], expected=expected))


def split_suffix(key: str) -> tuple[str, str] | None:
    """Field name and unit of a key with a unit ending: "steer_deg" gives ("steer", "deg"); otherwise None."""
    base, _, ending = key.rpartition("_")
    return (base, SUFFIXES[ending]) if base and ending in SUFFIXES else None


def dimension_name(unit: str | Unit) -> str:
    """What a unit measures, with article: "a mass", "an angle"; the unit itself for rarer dimensions."""
    if isinstance(unit, str):
        unit = parse_unit(unit)
    return _DIMENSION_NAMES.get(unit.exponents, f"in {unit.text}")


@functools.cache
def parse_unit(text: str) -> Unit:
    """Read a unit such as "km/h", "N*m/rad", "1/s" or "kg m^2"."""
    if len(text) > _LONGEST:
        raise InputError("too long for a unit", got=text)
    tokens = _tokens(text)
    factor, exponents, rest = _product(tokens, text)
    if rest:
        raise InputError("cannot read the unit", got=text, hint=f"stopped at '{rest[0]}'")
    if not (math.isfinite(factor) and factor > 0):
        raise InputError("unit out of range", got=text)
    return Unit(text, factor, exponents, not any(token in _OTHER_ANGLES for token in tokens))


def _tokens(text: str) -> list[str]:
    tokens, position = [], 0
    stripped = text.strip()
    while position < len(stripped):
        match = _TOKEN.match(stripped, position)
        if match is None:
            raise InputError("cannot read the unit", got=text, hint=f"stopped at '{stripped[position]}'")
        tokens.append(match[1])
        position = match.end()
    if not tokens:
        raise InputError("empty unit", got=text)
    return tokens


def _product(tokens: list[str], text: str, depth: int = 0) -> tuple[float, tuple[int, ...], list[str]]:
    """A product or quotient of factors; division binds to the next factor only, from left to right."""
    if depth > 10:
        raise InputError("unit nested too deeply", got=text)
    factor, exponents, rest = _factor(tokens, text, depth)
    while rest and rest[0] != ")":
        sign = 1
        if rest[0] in ("*", "/", "·"):
            sign = -1 if rest[0] == "/" else 1
            rest = rest[1:]
        more, powers, rest = _factor(rest, text, depth)
        factor = factor * more if sign > 0 else factor / more
        exponents = tuple(a + sign * b for a, b in zip(exponents, powers, strict=True))
    return factor, exponents, rest


def _factor(tokens: list[str], text: str, depth: int) -> tuple[float, tuple[int, ...], list[str]]:
    if not tokens:
        raise InputError("unit ends too early", got=text)
    head, rest = tokens[0], tokens[1:]
    if head == "(":
        factor, exponents, rest = _product(rest, text, depth + 1)
        if not rest or rest[0] != ")":
            raise InputError("closing bracket missing in unit", got=text)
        rest = rest[1:]
    elif head == "1":
        factor, exponents = 1.0, (0,) * len(BASE)
    else:
        factor, exponents = _named(head, text)
    power = 1
    if rest and rest[0] in ("^", "**"):
        if len(rest) < 2 or not re.fullmatch(r"[+-]?\d+", rest[1]):
            raise InputError("exponent missing in unit", got=text)
        power, rest = int(rest[1]), rest[2:]
    elif rest and rest[0] in ("²", "³"):
        power, rest = (2 if rest[0] == "²" else 3), rest[1:]
    elif rest and head != "1" and re.fullmatch(r"[+-]?\d+", rest[0]):
        power, rest = int(rest[0]), rest[1:]
    if abs(power) > 9:
        raise InputError("exponent too large in unit", got=text, expected="at most 9")
    return factor**power, tuple(power * item for item in exponents), rest


def _named(name: str, text: str) -> tuple[float, tuple[int, ...]]:
    name = _ALIASES.get(name, name)
    if name in _NAMED:
        return _NAMED[name]
    for length in (0, 1):
        prefix, base = name[:length], name[length:]
        if prefix in _PREFIXES and base in _PREFIXED:
            factor, exponents = _PREFIXED[base]
            return factor * _PREFIXES[prefix], exponents
    known = [*_NAMED, *_ALIASES, *_PREFIXED, "kg", "km", "mm", "kN", "km/h"]
    raise InputError("unknown unit", got=text, nearest=nearest_name(name, known))


def _same_dimension(given: Unit, target: Unit) -> bool:
    if given.exponents == target.exponents:
        return True
    # Moment laws are written with and without the radian (N*m/rad, N*m); the radian is 1, so both mean the same.
    # Frequencies are not let through: 1 Hz is not 1 rad/s.
    without = [tuple(e for i, e in enumerate(unit.exponents) if i != _ANGLE) for unit in (given, target)]
    return without[0] == without[1] and given.exponents[_MASS] != 0 and given.plain_angle and target.plain_angle


def _wrong_dimension(text: str, given: Unit, target: Unit) -> Fault:
    hint = ""
    if "g" in _tokens(given.text) and target.exponents == (0, 1, -2, 0, 0, 0):
        hint = "g is the gram; standard gravity is g0"
    elif "lb" in _tokens(given.text) and parse_unit(re.sub(r"\blb\b", "lbf", given.text)).exponents == target.exponents:
        hint = "lb is a mass; the force is lbf"
    elif given.exponents == (0, 0, -1, 0, 0, 0) and target.exponents == (0, 0, -1, 1, 0, 0):
        hint = "write rev/s or rpm for turns, rad/s for radians"
    expected = f"{dimension_name(target)} [{target.text}]"
    return Fault(f"'{text.strip()}' is {dimension_name(given)}", expected=expected, hint=hint)
