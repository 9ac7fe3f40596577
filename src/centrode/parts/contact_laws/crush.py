"""Crush: the structures of the bodies say how strongly they press on each other, this law how they rub.

Columns of both bodies are pressed in (:mod:`centrode.dynamics.contact.columns`); a body without a structure
(:mod:`centrode.parts.structures.structure`) is rigid. Cars bring a structure of their own. Two bodies of which neither
has one (a rider and a motorcycle, a trailer and a pole) meet as sheet metal meets the road
(:mod:`centrode.dynamics.contact.ground`): a spring of 63 weights of the heaviest such body per metre with Hunt and
Crossley's damping of 1 s/m, which gives back 0.41 at 2 m/s and 0.10 at 10 m/s. Chosen so, not measured.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from centrode.parts.contact_laws.contact_law import GREATEST_STIFFNESS, ContactLaw, Load
from centrode.parts.contact_laws.hunt_crossley import compliant, compliant_advance, hunt_crossley_begin
from centrode.parts.part import quantity

WEIGHTS_PER_METRE, RIGID_DAMPING = 63.0, 1.0


@dataclass(frozen=True)
class Crush(ContactLaw):
    """Friction of bodies that give way."""

    kind: ClassVar[str] = "crush"
    gives_way: ClassVar[bool] = True
    begin_kernel = hunt_crossley_begin
    law_kernel = compliant
    advance_kernel = compliant_advance
    by_columns: ClassVar[bool] = True

    friction: float = quantity("1", "Coulomb friction coefficient of sheet metal", 0.4, minimum=0.0, usual=(0.0, 20.0))
    slip_speed: float = quantity("m/s", "speed over which friction builds up", 0.2, positive=True)
    stick_stiffness: float | None = quantity("N/m", "columns do not stick: 0", 0.0, minimum=0.0, maximum=0.0)
    stiffness: float | None = quantity(
        "N/m", "where neither body gives way; 63 weights of the heaviest per metre when left out", None, positive=True
    )

    def fitted(self, load: Load) -> ContactLaw:
        """The law with the stiffness of bodies that do not give way."""
        if self.stiffness is not None:
            return self
        weight = load.mass * load.gravity
        return replace(self, stiffness=WEIGHTS_PER_METRE * weight if weight > 0.0 else load.stiffness(1.0))

    def reference_stiffness(self) -> float:
        return GREATEST_STIFFNESS if self.stiffness is None else self.stiffness

    def own_parameters(self) -> list[float]:
        return [1.0, RIGID_DAMPING]
