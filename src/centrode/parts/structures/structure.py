"""Structure of a body: which of its sides give way, and how strongly.

Front, rear, both sides and the roof carry columns, laid in strips over the height of the structure, that are pushed in
along the body's axes (:mod:`centrode.dynamics.contact.columns`); each follows the curve of :mod:`column`. The numbers
are those of crash reconstruction: force per width A + B c, by side.

*Static* A and B come from residual crush (NHTSA's tables); the curve of the crash itself reaches farther with the same
energy, so with the residual share r they become A r and B r^2. *Dynamic* ones are used as they are. A table of force
per width over crush from load cells may stand for the front.

Defaults (mid-size car) are those that fit the barrier test NHTSA 10146 (docs/theory/crush.md); others scale with mass
over width: the same crush at the same speed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.parts.part import Part, quantity
from centrode.parts.structures.column import CURVE, KNOTS

SIDES = ("front", "rear", "side", "roof")
CAMRY_MASS, CAMRY_WIDTH = 1719.0, 1.837
"""Car whose barrier test gave the default curve of the front [kg, m]."""


@dataclass(frozen=True)
class Structure(Part):
    """Strength of a body's sides in crush; numbers of four are front, rear, side, roof (and floor)."""

    family: ClassVar[str] = "structure"
    kind: ClassVar[str] = "crush"

    outline: str | None = quantity("", "outline whose sides give way; of cars that name it", None, refers_to="outline")
    a: tuple[float, ...] = quantity("N/m", "force per width at the onset of crush", (33.4e3, 33.4e3, 30e3, 30e3))
    b: tuple[float, ...] = quantity("N/m^2", "its slope over crush", (503e3, 503e3, 400e3, 400e3))
    data: str = quantity("", "what a and b were fitted to", "dynamic", choices=("dynamic", "static"))
    table: tuple[tuple[float, float], ...] = quantity("", "front: rows of crush [m] and force per width [N/m]", ())
    limit: tuple[float, ...] = quantity("m", "crush at which the core is reached", (1.0, 0.8, 0.35, 0.25))
    hardening: float = quantity("1", "slope beyond the limit over slope before; doubles", 20.0, minimum=1.0)
    outboard: float = quantity("1", "strength of the front outside the rails", 0.3, positive=True, maximum=1.0)
    rails: float = quantity("1", "share of the half width up to the rails", 0.68, positive=True, maximum=1.0)
    beam: float = quantity("1", "slope of the dent beside what makes it", 2.0, positive=True)
    across: float = quantity("1", "strength across the columns over that along them", 0.5, positive=True, maximum=1.0)
    ramp: float = quantity("m", "crush over which pressure builds up", 0.025, positive=True)
    residual: float = quantity("1", "share of the greatest crush that stays", 0.70, minimum=0.0, maximum=0.99)
    restitution: tuple[float, float] = quantity("1", "at rest and at high speed", (0.5, 0.13), minimum=0.0)
    restitution_speed: float = quantity("m/s", "closing speed over which restitution falls", 4.0, positive=True)
    cell: float = quantity("m", "width of a column", 0.05, positive=True)
    strips: int = quantity("", "strips over the height of a side", 2, minimum=1, maximum=12)
    low: tuple[float, ...] = quantity("m", "lower end over the outline's lowest point", (0.05, 0.05, 0.05, 0.0))
    high: tuple[float, ...] = quantity("m", "upper end", (0.5, 0.5, 0.7, 0.0))

    def faults(self) -> list[Fault]:
        found = super().faults()
        for name in ("a", "b", "limit", "low", "high"):
            values = self.values_of(name)[name]
            if len(values) != len(SIDES):
                found.append(self.fault(name, "needs four numbers", expected="front, rear, side, roof"))
            elif name in ("b", "limit") and min(values) <= 0.0 or min(values) < 0.0:
                found.append(self.fault(name, "must be positive", expected="numbers above 0"))
        if not found and max(self.restitution) > 0.7:
            found.append(self.fault("restitution", "sheet metal gives back less", expected="at most 0.7"))
        rows = np.asarray(self.table, dtype=float)
        if self.table and (rows.ndim != 2 or rows.shape[1] != 2 or (np.diff(rows, axis=0) <= 0.0).any() or rows[0, 0]):
            found.append(self.fault("table", "rows must rise", expected="crush from 0 m, force per width in N/m"))
        if len(self.table) > KNOTS - 1:
            found.append(self.fault("table", "too many rows", expected=f"at most {KNOTS - 1}"))
        return found

    def curve(self, side: int, height: float) -> np.record:
        """Curve of a side as a record CURVE; ``height`` of the structure there [m]."""
        made = np.zeros(1, CURVE)[0]
        share = self.residual if self.data == "static" else 1.0
        a, b, limit = self.a[side] * share, self.b[side] * share**2, self.limit[side]
        rows = [(0.0, a), (limit, a + b * limit)]
        if side == 0 and self.table:
            rows = [(float(c), float(f)) for c, f in self.table]
        slope = (rows[-1][1] - rows[-2][1]) / (rows[-1][0] - rows[-2][0])
        steep = self.hardening * slope
        while len(rows) < KNOTS:
            rows.append((rows[-1][0] + 0.25 * limit, rows[-1][1] + 0.25 * limit * steep))
            steep *= 2.0
        crush, force = np.array(rows).T
        made.crush, made.pressure = crush, force / height
        pieces = 0.5 * np.diff(crush) * (made.pressure[1:] + made.pressure[:-1])
        made.energy = np.concatenate([[0.0], np.cumsum(pieces)])
        made.beyond = steep / height
        return made

    def restitution_at(self, speed: float) -> float:
        """Restitution of a hit at a closing speed [m/s]."""
        slow, fast = self.restitution
        return float(fast + (slow - fast) * np.exp(-speed / self.restitution_speed))


def structure_of_mass(name: str, outline: str, mass: float, width: float) -> Structure:
    """The default structure scaled to a mass [kg] and a width [m]: the same crush at the same speed."""
    scale = mass / CAMRY_MASS * CAMRY_WIDTH / width
    usual = Structure(name)
    ends = (scale, scale, 1.0, 1.0)
    return Structure(
        name,
        outline=outline,
        a=tuple(value * k for value, k in zip(usual.a, ends, strict=True)),
        b=tuple(value * k for value, k in zip(usual.b, ends, strict=True)),
    )
