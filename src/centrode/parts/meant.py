"""What a number most likely means that cannot be right: a mass in tonnes, an angle in degrees, a share in percent.

Numbers are SI. A field may say in which range its numbers usually lie (``usual`` of
:func:`centrode.parts.part.quantity`); one outside is tried in the other units that people write, and those that bring
it into the range are proposed.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math

from centrode import units
from centrode.errors import Fault, InputError
from centrode.texts import is_number

OTHERS: dict[str, tuple[str, ...]] = {
    "kg": ("t", "g", "lb"),
    "m": ("mm", "cm", "in", "ft"),
    "m/s": ("km/h", "mph"),
    "rad": ("deg",),
    units.GRADE: ("deg", "%"),
    "rad/s": ("deg/s", "rpm"),
    "1": ("%",),
    "s": ("ms",),
    "N/m": ("kN/m", "N/cm", "N/mm", "lbf/in"),
    "N/m^2": ("kN/m^2", "N/cm^2", "lbf/in^2"),
    "N*s/m": ("kN*s/m",),
    "N*m": ("kN*m",),
    "W": ("kW",),
    "Pa": ("MPa", "GPa"),
    "m3": ("l",),
}
"""Units in which numbers of a field with a unit are written by mistake, the most likely first."""
EXAMPLES = {"rad": "30 deg", "rad/s": "10 deg/s", "m": "35 cm", "s": "200 ms"}
FULL_TURN = (-2.0 * math.pi, 2.0 * math.pi)
"""Directions; beyond it is a number in degrees."""
NEEDS_UNIT = (0.0, 0.0)
"""Range of bare numbers where users think in another unit than SI: only zero."""
LEAST_PERCENT = 5.0
"""Where 1 is allowed, the number from which on it may be one in percent: 1.4 for a share is 1.4, and no 1.4 %."""


def likely_meaning(value: float, unit: str, usual: tuple[float, float]) -> str:
    """ "did you mean `1.45 t` (1450 kg)?"; empty when no other unit brings the number into the usual range."""
    found = []
    for other in OTHERS.get(unit, ()):
        number = units.to_unit(f"{float(value)!r} {other}", unit)
        small = other == "%" and unit == "1" and value < LEAST_PERCENT and usual[1] >= 1.0
        if usual[0] <= number <= usual[1] and not small:
            found.append(f"`{value:g} {other}` ({number:.4g}{shown_unit(unit)})")
    return f"did you mean {' or '.join(found[:2])}?" if found else ""


def shown_unit(unit: str) -> str:
    """A unit behind a number: that of bare numbers, nothing for pure ones."""
    return "" if unit == "1" else f" {unit.split('|', maxsplit=1)[0]}"


def unusual_fault(path: str, number: float, unit: str, usual: tuple[float, float], got: object) -> Fault:
    """The fault of a number far from what its field usually holds."""
    shown = shown_unit(unit)
    what = f"{number:g}{shown} is far from usual"
    hint = likely_meaning(number, unit, usual)
    return Fault(what, path, got=got, expected=f"{usual[0]:g} to {usual[1]:g}{shown}", hint=hint)


def number_in(given: object, unit: str, path: str, usual: tuple[float, float] | None = None) -> float:
    """A number of the command line or of settings in a unit, SI without one.

    Args:
        usual: bare numbers outside of it are refused with what they may mean; (0, 0): all but zero need a unit.

    Raises:
        InputError: no number, the wrong dimension, not finite, or a bare one that is far from usual.
    """
    text = str(given).strip()
    expected = f"a number in {unit}, or such as '{EXAMPLES.get(unit, f'1 {unit}')}'"
    if isinstance(given, bool) or not units.looks_like_quantity(text):
        raise InputError("not a number", path=path, got=given, expected=expected)
    faults = unreadable_faults(path, text, unit)
    if faults:
        raise InputError([dataclasses.replace(fault, got=given) for fault in faults])
    value = units.to_unit(text, unit)
    if usual is not None and is_number(text) and value != 0.0 and not usual[0] <= value <= usual[1]:
        if usual == NEEDS_UNIT:
            hint = likely_meaning(value, unit, FULL_TURN if unit == "rad" else (-math.inf, math.inf))
            said = {"expected": f"a number with its unit, such as '{EXAMPLES.get(unit, f'1 {unit}')}'", "hint": hint}
            raise InputError(f"{units.dimension_name(unit)} without unit", path=path, got=given, **said)
        raise InputError(unusual_fault(path, value, unit, usual, given))
    return value


def unreadable_faults(path: str, text: str, unit: str) -> list[Fault]:
    """Why a text that begins like a number is none in the declared unit."""
    try:
        units.to_unit(text, unit)
    except InputError as error:
        return [dataclasses.replace(fault, path=path) for fault in error.faults]
    return []


def in_si(value: object, unit: str) -> object:
    """A text with a unit as a number of the declared unit, also within lists; anything else as it is."""
    if isinstance(value, str):
        if units.looks_like_quantity(value):
            with contextlib.suppress(InputError):
                return units.to_unit(value, unit)
        return value
    if isinstance(value, list | tuple) and any(isinstance(item, str | list | tuple) for item in value):
        read = [in_si(item, unit) for item in value]
        if any(new is not old for new, old in zip(read, value, strict=True)):
            return type(value)(read)
    return value
