"""What all forces share: a placement, a force kernel, and an energy kernel when the force stores energy.

The power of every force is computed by the engine from the wrenches at its own markers; a force only declares the
potential energy that it stores, so that energy minus work can be audited for any system.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.parts.part import Part
from centrode.parts.placement import Placement, Scene


@dataclass(frozen=True)
class Force(Part):
    """Base of all forces.

    Class attributes of a kind:
        force_kernel: compiled with FORCE_SIGNATURE; assigns the wrench at the force's own markers.
        energy_kernel: compiled with ENERGY_SIGNATURE, or None when nothing is stored.
        works_in_plane: False when the kind makes no sense in a plane system.
    """

    family: ClassVar[str] = "force"
    force_kernel: ClassVar[Any] = None
    energy_kernel: ClassVar[Any] = None
    works_in_plane: ClassVar[bool] = True

    def place(self, scene: Scene) -> Placement:
        """Markers and parameters of the force."""
        raise NotImplementedError
