"""What all contact laws have in common: fixed kernel signatures, a parameter row, a memory per contact episode.

An *episode* lasts from the touch of a pair of outlines to their separation. Three kernels serve it, each with a fixed
signature, and the run loop calls them by address. A new law is one file with a class and its kernels, here or in a
plugin; nothing else is edited:

    begin(par, memory, closing_speed, effective_mass, factor, region)     once, at touch
    law(par, memory, depth, depth_rate, slip_speed)
        -> (normal force [N], friction coefficient [1], stored energy [J], dissipated power [W])
    advance(par, memory, depth, depth_rate, duration)                     after every accepted step

``law`` never writes, so that trial steps and the stages of a method leave no trace; what is permanent is written by
``advance``. All normal forces are >= 0 (no glue) and every dissipated power is >= 0, save for the multiplier
scheme of the MEDUSA report (1999), which is kept for study under its own name. ``effective_mass`` [kg] is that of the
pair at the touching point along the normal, 1 / (sum of both mobilities). The friction coefficient is Coulomb's limit
at that slip speed; how it builds up from rest, or sticks, is common to all laws (:mod:`friction`).

Stiffness of front, rear, side and roof: chosen once, in ``begin``, and held for the episode, because a stiffness
that slides with the touching point would add forces of its own or create energy. ``factor`` multiplies the
stiffness; :mod:`centrode.dynamics.contact.regions` computes it from the sides that meet.

Rows: par float64[PAR], memory float64[MEMORY]. Memory from OWN on belongs to the kind (seven numbers, zero at touch);
memory[WEIGHT], the acceleration of the depth by weight where one of the two is the ground [m/s2], is known before
``begin``. A law that leaves a dent says so in memory[PERMANENT] [m]; the episode then outlives the contact, and the
next touch on the same side finds it. :func:`centrode.dynamics.contact.law_contract.check_law` tries any law.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np

from centrode.classes import dataclass
from centrode.errors import Fault, InputError, nearest_name
from centrode.jit import kernel
from centrode.jit.types import Array, UniTuple, float64, void
from centrode.parts.part import KernelNote, Part, quantity

# parameter row
STIFFNESS, FRICTION, SLIP_SPEED, STICK_STIFFNESS, STICK_DAMPING, FIRST_OWN = 0, 1, 2, 3, 4, 5
PAR = 20
# memory row
ACTIVE, CHOSEN_STIFFNESS, CLOSING_SPEED, DEEPEST, REGION, DAMPING, RESTITUTION = 0, 1, 2, 3, 4, 5, 6
DISSIPATED, STICK, FACTOR, PERMANENT, BRISTLE, TWIST, WEIGHT, OWN, MEMORY = 7, 8, 9, 10, 11, 14, 15, 16, 23
CHOSEN_AT_TOUCH = -1.0
"""Stiffness of a bristle that is left out."""

_row = Array(float64, 1)
LAW_SIGNATURE = UniTuple(float64, 4)(_row, _row, float64, float64, float64)
BEGIN_SIGNATURE = void(_row, _row, float64, float64, float64, float64)
ADVANCE_SIGNATURE = void(_row, _row, float64, float64, float64)


@kernel
def begin_common(par, memory, closing_speed, factor, region):
    """What every law notes at touch: closing speed [m/s], chosen stiffness, side that is hit."""
    same_side = memory[REGION] == region
    memory[ACTIVE] = 1.0
    memory[FACTOR] = factor
    memory[CHOSEN_STIFFNESS] = par[STIFFNESS] * factor
    memory[CLOSING_SPEED] = max(closing_speed, 0.0)
    memory[REGION] = region
    memory[DAMPING] = 0.0
    memory[RESTITUTION] = 1.0
    memory[STICK] = 0.0
    for i in range(BRISTLE, TWIST + 1):
        memory[i] = 0.0
    if not same_side:
        memory[DEEPEST] = 0.0
        memory[PERMANENT] = 0.0
        for i in range(OWN, MEMORY):
            memory[i] = 0.0


@kernel
def advance_common(par, memory, depth, depth_rate, power, duration):
    """What every law keeps after a step: greatest depth [m], dissipated energy [J]."""
    if depth > memory[DEEPEST]:
        memory[DEEPEST] = depth
    memory[DISSIPATED] += power * duration


@kernel(signature=BEGIN_SIGNATURE)
def plain_begin(par, memory, closing_speed, effective_mass, factor, region):
    """Begin of a law that has nothing to choose at touch."""
    begin_common(par, memory, closing_speed, factor, region)


GREATEST_STIFFNESS = 1e7
"""Of a law whose stiffness is left out [N/m^exponent]: what suits cars."""
HEAVY = 1e4
"""Mass from which on that would be too little [kg]."""
SINKS, PRESSED, FALLEN = 1e-3, 0.02, 0.04
"""Parts of its thinnest half-width that the heaviest body sinks in by its weight, by the motion of the start, and by a
fall from the highest place to the lowest, which may never be: directions of hits are off by half of that, in radians,
and steps at rest go with its inverse."""


class Load(NamedTuple):
    """What a contact law has to hold.

    Attributes:
        mass: of the heaviest body [kg].
        thickness: thinnest half-width [m].
        gravity: [m/s2].
        speed: greatest one at the start [m/s].
        fall: that of a fall from the highest place to the lowest [m/s].
    """

    mass: float
    thickness: float
    gravity: float
    speed: float
    fall: float = 0.0

    def needs(self, exponent: float = 1.0) -> dict[str, float]:
        """Stiffness that each of them asks for: k d^n = m g, k d^(n+1) / (n+1) = m v^2 / 2 at the depth allowed."""
        motion = 0.5 * (exponent + 1.0) * self.mass / self.thickness ** (exponent + 1.0)
        return {
            "weight": self.mass * self.gravity / (SINKS * self.thickness) ** exponent,
            "speed": motion * self.speed**2 / PRESSED ** (exponent + 1.0),
            "fall": motion * self.fall**2 / FALLEN ** (exponent + 1.0),
        }

    def stiffness(self, exponent: float = 1.0) -> float:
        """Stiffness that holds it; not above what suits cars, in proportion to the mass beyond that of a truck."""
        needed = max(self.needs(exponent).values())
        greatest = GREATEST_STIFFNESS * max(1.0, self.mass / HEAVY)
        return min(needed, greatest) if needed > 0.0 else greatest

    def reason(self, exponent: float = 1.0) -> str:
        """Why the stiffness is what it is, in words."""
        needs = self.needs(exponent)
        why = max(needs, key=lambda name: needs[name])
        if not needs[why] > 0.0:
            return "as for cars: nothing moves and nothing weighs"
        words = {
            "weight": f"by weight: {self.mass:.3g} kg sink in by {100 * SINKS:g} % of {self.thickness:.3g} m",
            "speed": f"by speed: {self.mass:.3g} kg with {self.speed:.3g} m/s stop within {100 * PRESSED:g} % of "
            f"{self.thickness:.3g} m",
            "fall": f"by the fall from the highest body to the lowest: {self.mass:.3g} kg with {self.fall:.3g} m/s "
            f"stop within {100 * FALLEN:g} % of {self.thickness:.3g} m",
        }[why]
        if self.stiffness(exponent) < needs[why]:
            return f"the greatest that is chosen, as for cars, where {needs[why]:.2g} would be needed {words}"
        return f"{words}, the thinnest half-width"


@dataclass(frozen=True)
class ContactLaw(Part):
    """Base of all contact laws.

    Attributes:
        friction: Coulomb coefficient [1].
        slip_speed: speed over which friction grows to its full value [m/s]; sets the damping of a bristle whose
            stiffness is left out.
        stick_stiffness: tangential stiffness of the bristle that holds a sticking contact [N/m]; 2/7 of the normal
            stiffness when left out; 0: none, friction is regularised.
        stick_damping: damping of a bristle whose stiffness is given [N*s/m].
        between: materials of the two outlines; one name is a material against itself. A law without materials serves
            every pair that has none of its own.
    """

    family: ClassVar[str] = "contact_law"
    kernel_notes: ClassVar[tuple[KernelNote, ...]] = (
        KernelNote("begin_kernel", BEGIN_SIGNATURE, "BEGIN_SIGNATURE"),
        KernelNote("law_kernel", LAW_SIGNATURE, "LAW_SIGNATURE"),
        KernelNote("advance_kernel", ADVANCE_SIGNATURE, "ADVANCE_SIGNATURE"),
    )
    begin_kernel: ClassVar[Any] = plain_begin
    law_kernel: ClassVar[Any] = None
    advance_kernel: ClassVar[Any] = None
    conserving: ClassVar[bool] = True
    """Whether the law keeps the contract: no glue, dissipation never negative."""
    gives_way: ClassVar[bool] = False
    """Whether the law stands for bodies that do give way, as cars, so that a deep overlap is no fault."""
    by_columns: ClassVar[bool] = False
    """Whether the structures of the bodies press instead of the law's kernel (:mod:`crush`)."""

    friction: float = quantity("1", "Coulomb friction coefficient", 0.0, minimum=0.0, usual=(0.0, 20.0))
    slip_speed: float = quantity("m/s", "speed over which friction builds up", 0.1, positive=True)
    stick_stiffness: float | None = quantity(
        "N/m",
        "tangential stiffness while sticking; from the normal one when left out; 0: regularised",
        None,
        minimum=0.0,
    )
    stick_damping: float = quantity("N*s/m", "tangential damping, with stick_stiffness", 0.0, minimum=0.0)
    between: tuple[str, ...] = quantity("", "the one or two materials served; all others when left out", ())

    def faults(self) -> list[Fault]:
        found = super().faults()
        if len(self.between) > 2:
            found.append(self.fault("between", "a law serves one pair of materials", expected="two names"))
        return found

    def own_parameters(self) -> list[float]:
        """Parameters of the kind, after the stiffness; every kind has its own."""
        return []

    def reference_stiffness(self) -> float:
        """Normal stiffness before the factor of the sides [N/m] (the kind's own unit for curved laws)."""
        return 0.0

    def hard_restitution(self) -> float | None:
        """Coefficient of restitution where contacts are hard [1]; None for a law whose rebound is no coefficient."""
        return None

    def left_out(self) -> float | None:
        """Exponent of a law whose stiffness is left out; None of others."""
        return None

    def harder(self, times: float) -> tuple[float, float]:
        """Stiffness [N/m^n] or else duration [s] with which a hit is so many times less deep; zeros without them."""
        return 0.0, 0.0

    def fitted(self, load: Load) -> ContactLaw:
        """The law with what was left out chosen for what it has to hold."""
        return self

    def pack(self) -> np.ndarray:
        """The law as one row of ``PAR`` numbers. Raises :class:`InputError` on bad parameters."""
        self.checked()
        row = np.zeros(PAR)
        row[STIFFNESS], row[FRICTION], row[SLIP_SPEED] = self.reference_stiffness(), self.friction, self.slip_speed
        row[STICK_STIFFNESS] = CHOSEN_AT_TOUCH if self.stick_stiffness is None else self.stick_stiffness
        row[STICK_DAMPING] = self.stick_damping
        own = self.own_parameters()
        row[FIRST_OWN : FIRST_OWN + len(own)] = own
        return row

    @classmethod
    def kernels(cls) -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]:
        """The kernels (begin, law, advance) of the kind."""
        return cls.begin_kernel, cls.law_kernel, cls.advance_kernel


class ContactPairs:
    """Which law serves which pair of materials; order of the two names does not matter."""

    def __init__(self) -> None:
        self._laws: dict[frozenset[str], ContactLaw] = {}

    def set(self, material_a: str, material_b: str, law: ContactLaw) -> None:
        """Let ``law`` serve the pair. A law given twice for one pair is replaced."""
        law.checked()
        self._laws[frozenset((material_a, material_b))] = law

    def materials(self) -> list[str]:
        """All that some law names."""
        return sorted({name for item in self._laws for name in item})

    def law_for(self, material_a: str, material_b: str, otherwise: ContactLaw | None = None) -> ContactLaw:
        """The law of a pair, ``otherwise``, or an :class:`InputError` that names the pairs that have one."""
        key = frozenset((material_a, material_b))
        if key in self._laws:
            return self._laws[key]
        if otherwise is not None:
            return otherwise
        pairs = [" with ".join(sorted(item) * (2 if len(item) == 1 else 1)) for item in self._laws]
        known = self.materials()
        strangers = [name for name in (material_a, material_b) if name not in known]
        pair = f"{material_a} with {material_b}"
        raise InputError(
            "no contact law for this pair of materials",
            path="contact_pairs",
            got=pair,
            expected="one of: " + "; ".join(sorted(pairs)) if pairs else "at least one pair with a law",
            nearest=nearest_name(strangers[0], known) if strangers and known else "",
            hint=f"add a contact law for {pair}",
        )
