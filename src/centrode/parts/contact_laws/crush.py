"""Crush: the structures of the bodies say how strongly they press on each other, this law how they rub.

Columns of both bodies are pressed in (:mod:`centrode.dynamics.contact.columns`); a body without a structure
(:mod:`centrode.parts.structures.structure`) is rigid. Cars bring a structure of their own. Two bodies of which neither
has one cannot use this law.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from centrode.parts.contact_laws.contact_law import ADVANCE_SIGNATURE, BEGIN_SIGNATURE, LAW_SIGNATURE, ContactLaw
from centrode.parts.part import KernelNote, quantity


@dataclass(frozen=True)
class Crush(ContactLaw):
    """Friction of bodies that give way."""

    kind: ClassVar[str] = "crush"
    kernel_notes: ClassVar[tuple[KernelNote, ...]] = (
        KernelNote("begin_kernel", BEGIN_SIGNATURE, "BEGIN_SIGNATURE"),
        KernelNote("law_kernel", LAW_SIGNATURE, "LAW_SIGNATURE", required=False),
        KernelNote("advance_kernel", ADVANCE_SIGNATURE, "ADVANCE_SIGNATURE", required=False),
    )
    by_columns: ClassVar[bool] = True

    friction: float = quantity("1", "Coulomb friction coefficient of sheet metal", 0.4, minimum=0.0, usual=(0.0, 20.0))
    slip_speed: float = quantity("m/s", "speed over which friction builds up", 0.2, positive=True)
    stick_stiffness: float | None = quantity("N/m", "columns do not stick: 0", 0.0, minimum=0.0, maximum=0.0)
