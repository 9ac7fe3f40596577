"""Structure of a body: which of its sides give way, and how strongly.

Front, rear, both sides and the roof carry columns, laid in strips over the height of the structure, that are pushed in
along the body's axes (:mod:`centrode.dynamics.contact.columns`); each follows the curve of :mod:`column`. The numbers
are those of crash reconstruction: force per width A + B c, by side.

*Static* A and B come from residual crush C (NHTSA's tables); the crash itself reaches the depth C / r, with r the
residual share. Two conversions have names:

    equal-energy   A r, B r^2: the same work up to the greatest crush (our default)
    equal-force    A, B r: the same force there, and so more work

*Dynamic* ones are used as they are. A table of force over crush from load cells, inline or from a CSV file, may stand
for the front (:mod:`measured_table`).

Defaults (mid-size car) are those that fit the barrier test NHTSA 10146 (docs/theory/crush.md); others scale with mass
over width: the same crush at the same speed.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.errors import Fault, InputError
from centrode.parts.part import Part, quantity
from centrode.parts.structures.column import CURVE, KNOTS
from centrode.parts.structures.measured_table import Rows, read_table, reduced

SIDES = ("front", "rear", "side", "roof")
CAMRY_MASS, CAMRY_WIDTH = 1719.0, 1.837
"""Car whose barrier test gave the default curve of the front [kg, m]."""


@dataclass(frozen=True)
class Structure(Part):
    """Strength of a body's sides in crush; numbers of four are front, rear, side, roof (and floor)."""

    family: ClassVar[str] = "structure"
    kind: ClassVar[str] = "crush"

    outline: str | None = quantity("", "outline whose sides give way; of cars that name it", None, refers_to="outline")
    a: tuple[float, ...] = quantity(
        "N/m", "force per width at the onset of crush", (35e3, 35e3, 30e3, 30e3), usual=(1e3, 2e6)
    )
    b: tuple[float, ...] = quantity("N/m^2", "its slope over crush", (530e3, 530e3, 400e3, 400e3), usual=(1e4, 1e8))
    data: str = quantity("", "what a and b were fitted to", "dynamic", choices=("dynamic", "static"))
    conversion: str = quantity(
        "", "from static data to the curve of the crash", "equal-energy", choices=("equal-energy", "equal-force")
    )
    table: tuple[tuple[float, float], ...] = quantity("", "front: rows of crush [m] and force per width [N/m]", ())
    table_file: str = quantity("", "CSV file with the rows of the table instead", "")
    table_width: float | None = quantity(
        "m",
        "width of the front when the table has whole forces [N] (load cells)",
        None,
        positive=True,
        usual=(0.2, 5.0),
    )
    limit: tuple[float, ...] = quantity(
        "m", "crush at which the core is reached", (1.0, 0.8, 0.35, 0.25), usual=(0.01, 5.0)
    )
    hardening: float = quantity("1", "slope beyond the limit over slope before; doubles", 20.0, minimum=1.0)
    outboard: float = quantity("1", "strength outside the rails and of the fenders", 0.27, positive=True, maximum=1.0)
    rails: float = quantity("1", "share of the half width up to the rails", 0.65, positive=True, maximum=1.0)
    fender: float = quantity("m", "length of the fenders, from the front end to the hinge pillars", 1.3, minimum=0.0)
    beam: float = quantity("1", "slope of the dent beside what makes it", 2.0, positive=True)
    across: float = quantity("1", "strength across the columns over that along them", 0.45, positive=True, maximum=1.0)
    hook: float = quantity(
        "m", "overlap w that ends hold down to w^3 / hook^2 before it slides off beside", 0.04, positive=True
    )
    ramp: float = quantity("m", "crush over which pressure builds up", 0.025, positive=True)
    residual: float = quantity("1", "share of the greatest crush that stays", 0.70, minimum=0.0, maximum=0.99)
    restitution: tuple[float, float] = quantity("1", "at rest and at high speed", (0.5, 0.14), minimum=0.0)
    restitution_speed: float = quantity("m/s", "closing speed over which restitution falls", 4.0, positive=True)
    cell: float = quantity("m", "width of a column", 0.04, positive=True)
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
        if self.table and self.table_file:
            found.append(self.fault("table_file", "given beside the table", hint="leave one of them out"))
        if found:
            return found
        try:
            rows = np.asarray(self.table_rows(), dtype=float)
        except InputError as error:
            return [dataclasses.replace(fault, path=f"{self.name}.table_file") for fault in error.faults]
        expected = "rows of crush from 0 m on, rising, and a force that is not negative"
        if rows.size and (rows.ndim != 2 or rows.shape[1] != 2 or len(rows) < 2):
            found.append(self.fault("table", "not two columns", expected=expected))
        elif rows.size and ((np.diff(rows[:, 0]) <= 0.0).any() or abs(rows[0, 0]) > 0.01 or rows[:, 1].min() < 0.0):
            field = "table_file" if self.table_file else "table"
            found.append(self.fault(field, "crush must rise", expected=expected))
        return found

    def table_rows(self) -> Rows:
        """Rows of the table as they were given."""
        return read_table(self.table_file) if self.table_file else self.table

    def front_rows(self) -> list[tuple[float, float]]:
        """Rows of crush [m] and force per width between the rails [N/m] of the table; none without one."""
        rows = self.table_rows()
        if not rows:
            return []
        # The whole force of a front acts on the width between the rails and, weaker, outside of them.
        whole = (
            1.0 if self.table_width is None else self.table_width * (self.rails + (1.0 - self.rails) * self.outboard)
        )
        return [(0.0 if k == 0 else float(c), float(f) / whole) for k, (c, f) in enumerate(reduced(rows, KNOTS - 1))]

    def dynamic(self, side: int) -> tuple[float, float]:
        """A [N/m] and B [N/m2] of a side for the curve of the crash."""
        a, b, r = self.a[side], self.b[side], self.residual
        if self.data == "dynamic":
            return a, b
        return (a * r, b * r**2) if self.conversion == "equal-energy" else (a, b * r)

    def curve(self, side: int, height: float) -> np.record:
        """Curve of a side as a record CURVE; ``height`` of the structure there [m]."""
        made = np.zeros(1, CURVE)[0]
        (a, b), limit = self.dynamic(side), self.limit[side]
        rows = (self.front_rows() if side == 0 else []) or [(0.0, a), (limit, a + b * limit)]
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
        made.soft = np.append(np.diff(crush) / np.diff(made.pressure), 1.0 / made.beyond)
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
