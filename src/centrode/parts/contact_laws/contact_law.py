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

Rows: par float64[PAR], memory float64[MEMORY]. Memory from OWN on belongs to the kind (OWN_NUMBERS numbers, zero at
touch). A law that leaves a dent says so in memory[PERMANENT] [m]; the episode then outlives the contact, and the next
touch on the same side finds it. :func:`centrode.dynamics.contact.law_contract.check_law` tries any law.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numba
import numpy as np

from centrode.errors import Fault, InputError, nearest_name
from centrode.jit import kernel
from centrode.parts.part import KernelNote, Part, quantity

# parameter row
STIFFNESS, FRICTION, SLIP_SPEED, STICK_STIFFNESS, STICK_DAMPING, FIRST_OWN = 0, 1, 2, 3, 4, 5
PAR = 20
# memory row
ACTIVE, CHOSEN_STIFFNESS, CLOSING_SPEED, DEEPEST, REGION, DAMPING, RESTITUTION = 0, 1, 2, 3, 4, 5, 6
DISSIPATED, STEPS, FACTOR, PERMANENT, BRISTLE, TWIST, OWN, OWN_NUMBERS = 7, 8, 9, 10, 11, 14, 15, 4
MEMORY = OWN + OWN_NUMBERS

_row = numba.types.Array(numba.float64, 1, "C")
LAW_SIGNATURE = numba.types.UniTuple(numba.float64, 4)(_row, _row, numba.float64, numba.float64, numba.float64)
BEGIN_SIGNATURE = numba.void(_row, _row, numba.float64, numba.float64, numba.float64, numba.float64)
ADVANCE_SIGNATURE = numba.void(_row, _row, numba.float64, numba.float64, numba.float64)


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
    memory[STEPS] = 0.0
    for i in range(BRISTLE, TWIST + 1):
        memory[i] = 0.0
    if not same_side:
        memory[DEEPEST] = 0.0
        memory[PERMANENT] = 0.0
        for i in range(OWN, OWN + OWN_NUMBERS):
            memory[i] = 0.0


@kernel
def advance_common(par, memory, depth, depth_rate, power, duration):
    """What every law keeps after a step: greatest depth [m], dissipated energy [J], count of steps."""
    if depth > memory[DEEPEST]:
        memory[DEEPEST] = depth
    memory[DISSIPATED] += power * duration
    memory[STEPS] += 1.0


@kernel(signature=BEGIN_SIGNATURE)
def plain_begin(par, memory, closing_speed, effective_mass, factor, region):
    """Begin of a law that has nothing to choose at touch."""
    begin_common(par, memory, closing_speed, factor, region)


@dataclass(frozen=True)
class ContactLaw(Part):
    """Base of all contact laws.

    Attributes:
        friction: Coulomb coefficient [1].
        slip_speed: speed over which friction grows to its full value [m/s] (regularised friction).
        stick_stiffness: tangential stiffness of the bristle that holds a sticking contact [N/m]; 0: regularised.
        stick_damping: damping of that bristle [N*s/m].
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
    by_columns: ClassVar[bool] = False
    """Whether the structures of the bodies press instead of the law's kernel (:mod:`crush`)."""

    friction: float = quantity("1", "Coulomb friction coefficient", 0.0, minimum=0.0, usual=(0.0, 20.0))
    slip_speed: float = quantity("m/s", "speed over which friction builds up", 0.1, positive=True)
    stick_stiffness: float = quantity("N/m", "tangential stiffness while sticking; 0: regularised", 0.0, minimum=0.0)
    stick_damping: float = quantity("N*s/m", "tangential damping while sticking", 0.0, minimum=0.0)
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

    def pack(self) -> np.ndarray:
        """The law as one row of ``PAR`` numbers. Raises :class:`InputError` on bad parameters."""
        self.checked()
        row = np.zeros(PAR)
        row[STIFFNESS], row[FRICTION], row[SLIP_SPEED] = self.reference_stiffness(), self.friction, self.slip_speed
        row[STICK_STIFFNESS], row[STICK_DAMPING] = self.stick_stiffness, self.stick_damping
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

    def law_for(self, material_a: str, material_b: str, otherwise: ContactLaw | None = None) -> ContactLaw:
        """The law of a pair, ``otherwise``, or an :class:`InputError` that names the pairs that have one."""
        key = frozenset((material_a, material_b))
        if key in self._laws:
            return self._laws[key]
        if otherwise is not None:
            return otherwise
        pairs = [" with ".join(sorted(item) * (2 if len(item) == 1 else 1)) for item in self._laws]
        known = sorted({name for item in self._laws for name in item})
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
