"""Units and signs in which figures are shown to people; inside, and in JSON, everything stays SI and left-positive.

Units: "si" (m/s, m), "metric" (km/h, m), "us" (mph, ft, in, lb). Signs: "iso" (ISO 8855: to the left is positive,
the house's own) or "sae" (SAE J670, J211: to the right is positive). PDOF follows the
clock face (SAE J224) in both, and in JSON: from the right positive.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from centrode.classes import dataclass
from centrode.errors import unknown_name

UNIT_SYSTEMS = ("si", "metric", "us")
SIGNS = ("iso", "sae")
STANDARD_GRAVITY = 9.80665
"""[m/s2], for figures in g."""
_MILE, _FOOT, _POUND = 1609.344, 0.3048, 0.45359237
_POUND_FORCE = _POUND * STANDARD_GRAVITY


@dataclass(frozen=True)
class Shown:
    """How a quantity is shown: unit, SI value of one unit, decimals."""

    unit: str
    size: float
    decimals: int


_COMMON = {
    "time": Shown("s", 1.0, 3),
    "duration": Shown("ms", 1e-3, 0),
    "acceleration": Shown("g", STANDARD_GRAVITY, 1),
    "angle": Shown("deg", 1.0, 1),
    "yaw_rate": Shown("deg/s", 0.017453292519943295, 1),
    "ratio": Shown("", 1.0, 3),
}
_SI = {
    "speed": Shown("m/s", 1.0, 2),
    "length": Shown("m", 1.0, 2),
    "crush": Shown("m", 1.0, 3),
    "mass": Shown("kg", 1.0, 0),
    "energy": Shown("kJ", 1e3, 1),
    "force": Shown("kN", 1e3, 1),
    "impulse": Shown("kN*s", 1e3, 2),
}
_US = {
    "speed": Shown("mph", _MILE / 3600.0, 1),
    "length": Shown("ft", _FOOT, 1),
    "crush": Shown("in", _FOOT / 12.0, 1),
    "mass": Shown("lb", _POUND, 0),
    "energy": Shown("ft*lbf", _FOOT * _POUND_FORCE, 0),
    "force": Shown("klbf", 1e3 * _POUND_FORCE, 1),
    "impulse": Shown("lbf*s", _POUND_FORCE, 0),
}
_SHOWN: dict[str, dict[str, Shown]] = {
    "si": _COMMON | _SI,
    "metric": _COMMON | _SI | {"speed": Shown("km/h", 1.0 / 3.6, 1)},
    "us": _COMMON | _US,
}


@dataclass(frozen=True)
class Custom:
    """Units and signs that a reader is used to."""

    units: str = "si"
    signs: str = "iso"

    def __post_init__(self) -> None:
        if self.units not in UNIT_SYSTEMS:
            raise unknown_name("unknown system of units", self.units, UNIT_SYSTEMS)
        if self.signs not in SIGNS:
            raise unknown_name("unknown signs", self.signs, SIGNS)

    @property
    def side(self) -> str:
        """The side that counts as positive."""
        return "left" if self.signs == "iso" else "right"

    @property
    def sign(self) -> float:
        """What a left-positive number is multiplied by."""
        return 1.0 if self.signs == "iso" else -1.0

    def of(self, quantity: str) -> Shown:
        """How a quantity is shown."""
        return _SHOWN[self.units][quantity]

    def value(self, quantity: str, si: float) -> float:
        """An SI number in the unit shown."""
        return si / self.of(quantity).size

    def text(self, quantity: str, si: float, plus: bool = False) -> str:
        """An SI number as it is shown, without its unit; a dash where there is none."""
        shown = self.of(quantity)
        if math.isnan(si):
            return "-"
        text = f"{si / shown.size:{'+' if plus else ''}.{shown.decimals}f}"
        return text.replace("-", "+" if plus else "", 1) if float(text) == 0.0 else text

    def with_unit(self, quantity: str, si: float) -> str:
        """An SI number as it is shown, with its unit."""
        unit = self.of(quantity).unit
        return f"{self.text(quantity, si)} {unit}" if unit else self.text(quantity, si)

    def heading(self, name: str, quantity: str) -> str:
        """Heading of a column."""
        unit = self.of(quantity).unit
        return f"{name} [{unit}]" if unit else name

    def changed(self, units: str | None, signs: str | None) -> Custom:
        """The same with other units or signs where they are given."""
        return Custom(units or self.units, signs or self.signs)


def custom_of(settings: Mapping[str, object]) -> Custom:
    """What the settings of a run say; those of a recording made before there were such settings say nothing."""
    return Custom(str(settings.get("units") or "si"), str(settings.get("signs") or "iso"))
