"""Damage of a vehicle in a collision: which side, where on it, its code, and its energy from the six depths alone.

*Energy from C1 to C6* (CRASH3; Campbell 1974): with depths at even distances over the width L, A and B of residual
crush,

    E = L/5 sum over five strips of  A (C_i + C_i+1)/2 + B (C_i^2 + C_i C_i+1 + C_i+1^2)/6                 (1)

is the work of pushing in a face with force per width A + B C; it is formed from the figures of the table, not from the
columns, so it tells whether both agree. Where the structure is given by dynamic values, A/r and B/r^2 stand here (r:
share of the crush that stays).

*CDC*, collision deformation classification (SAE J224), seven characters:

1, 2  clock direction of the force;
3     side that took up most in this collision: F front, B rear, L left, R right, T top, U undercarriage;
4     where: thirds of the width for F and B (L, C, R; Y left two, Z right two; D all), thirds of the length for the
      sides (F, P, B; Y front two, Z rear two; D all);
5     E below the belt line: the strips of a structure reach no higher; A all heights where they do;
6     N narrow and E corner (up to 410 mm), W wider, S sideswipe (shallower than 100 mm and more along than across),
      O for roof and floor;
7     extent of the deepest residual crush: ends in fifths of the way to the windscreen or rear window, taken as a
      quarter of the length, then in four more zones up to the middle; sides in ninths of the width.

4 and 6 go by direct contact (:mod:`direct`), not by what was dragged along. J224 leaves the zones of extent to the
shape of the vehicle; those of 7 are the ones of a plain three-box car, and have to be looked at by who uses them.
"""

from __future__ import annotations

import numpy as np

from centrode.classes import dataclass
from centrode.crash.plan import Plan
from centrode.dynamics.contact.setup import outlines_of
from centrode.dynamics.contact.strips import structures_of
from centrode.errors import CentrodeError
from centrode.parts.structures.structure import Structure
from centrode.recording.recording import Recording

NARROW = 0.41
"""Greatest width of narrow and corner damage [m] (16 in)."""
SHALLOW = 0.1
"""Greatest depth of a sideswipe [m]."""
BELT_LINE = 0.65
"""Height of the belt line over that of the body."""
GLASS = 0.25
"""Way from an end to the windscreen or rear window over the length."""
_LETTERS = {"front": "F", "rear": "B", "left": "L", "right": "R", "roof": "T", "floor": "U"}
_THIRDS = {"front": "RCL", "rear": "RCL", "left": "BPF", "right": "BPF", "roof": "BPF", "floor": "BPF"}
_GROUPS = {"front": 0, "rear": 1, "left": 2, "right": 2, "roof": 3, "floor": 3}


@dataclass(frozen=True)
class Dent:
    """Damage of one side in a collision: where it begins and ends along the side, over its length [1], Cmax [m]."""

    side: str
    begin: float
    end: float
    depth: float


def damage_code(dent: Dent, plan: Plan, clock: int, pdof_deg: float, high: bool = False) -> str:
    """CDC of a dent; ``pdof_deg`` clockwise from ahead, ``high``: the structure reaches above the belt line."""
    thirds = _THIRDS[dent.side]
    # a third counts when a third of it is damaged
    hit = [max(0.0, min(dent.end, (k + 1) / 3) - max(dent.begin, k / 3)) > 1 / 9 for k in range(3)]
    where = "D" if all(hit) else ""
    if not where:
        named = [letter for letter, struck in zip(thirds, hit, strict=True) if struck]
        named = named or [thirds[min(int(1.5 * (dent.begin + dent.end)), 2)]]  # narrow: that of its middle
        upper = {"L", "F"} & set(named)
        where = named[0] if len(named) == 1 else "Y" if upper else "Z"
    ends = dent.side in ("front", "rear")
    size = plan.width if ends else plan.length
    wide = (dent.end - dent.begin) * size
    corner = dent.begin < 1e-6 or dent.end > 1.0 - 1e-6
    towards = {"front": 0.0, "rear": 180.0, "left": -90.0, "right": 90.0}.get(dent.side, 0.0)
    oblique = abs((pdof_deg - towards + 180.0) % 360.0 - 180.0)
    if dent.side in ("roof", "floor"):
        spread = "O"
    elif dent.depth < SHALLOW and oblique > 45.0 and wide > NARROW:
        spread = "S"
    elif wide <= NARROW + 1e-9:
        spread = "E" if corner else "N"
    else:
        spread = "W"
    return f"{clock:02d}{_LETTERS[dent.side]}{where}{'A' if high else 'E'}{spread}{extent(dent, plan)}"


def extent(dent: Dent, plan: Plan) -> int:
    """Zone of the deepest crush, 1 to 9."""
    if dent.side in ("front", "rear"):
        glass = GLASS * plan.length
        if dent.depth < glass:
            return 1 + int(5.0 * dent.depth / glass)
        return min(6 + int(4.0 * (dent.depth - glass) / (0.5 * plan.length - glass)), 9)
    across = float(plan.high[2] - plan.low[2]) if dent.side in ("roof", "floor") else plan.width
    return min(1 + int(9.0 * dent.depth / across), 9)


def profile_energy(profile: tuple[float, ...], width: float, a: float, b: float) -> float:
    """Energy (1) [J] of depths C1 to C6 [m] over a width [m], with A [N/m] and B [N/m2] of residual crush."""
    c = np.asarray(profile, dtype=float)
    one, two = c[:-1], c[1:]
    strips = 0.5 * a * (one + two) + b / 6.0 * (one * one + one * two + two * two)
    return float(width / len(strips) * strips.sum())


def structures_by_body(run: Recording) -> dict[str, Structure]:
    """Structures of the bodies that give way, by the name of the body; none when the scenario cannot be read."""
    try:
        system = run.scenario().system
    except CentrodeError:
        return {}
    outlines = outlines_of(system)
    found = structures_of(system, outlines)
    return {item.body: found[item.name] for item in outlines if item.name in found}


def reaches_high(structure: Structure, plan: Plan, side: str) -> bool:
    """Whether the structure of a side reaches above the belt line."""
    return structure.high[_GROUPS[side]] > BELT_LINE * float(plan.high[2] - plan.low[2])


def residual_stiffness(structure: Structure, side: str) -> tuple[float, float]:
    """A [N/m] and B [N/m2] of residual crush of a side."""
    group = _GROUPS[side]
    share = structure.residual if structure.data == "dynamic" else 1.0
    if not share > 0.0:
        return structure.a[group], structure.b[group]
    return structure.a[group] / share, structure.b[group] / share**2
