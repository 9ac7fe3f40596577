"""What every suspension keeps: signs, argument list, fixed kernel signature, base class.

A suspension stands between the chassis and the road under one wheel. Its law is asked for

==============  =====  ======================================================================================
argument        unit   meaning
==============  =====  ======================================================================================
``deflection``  m      distance of the assembly point from the road along its normal; grows when the chassis rises
``rate``        m/s    its rate
==============  =====  ======================================================================================

and answers ``(push, stored, toe, camber)``:

- ``push`` [N] on the chassis along the normal. It may come out negative: a road cannot pull, so the carriage takes such
  a wheel for lifted. A wheel in the air hangs at ``rest_length``; until that reaches the road nothing pushes, and the
  law is asked at rate 0.
- ``stored`` [J], energy in springs and stops, zero at ``rest_length``: minus its slope over the deflection is the push
  at rate 0.
- ``toe`` and ``camber`` [rad] of the wheel carrier at this deflection, as workshops count them: toe-in positive, camber
  positive where the top of the wheel leans outward. The carriage mirrors them for the wheels on the right.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.errors import Fault
from centrode.jit import call_by_address
from centrode.jit.types import UniTuple, float64
from centrode.parts.kernel_notes import law_faults
from centrode.parts.part import KernelNote, Part, quantity
from centrode.parts.visual import Layer, Vector, Visual, VisualLink

SUSPENSION_SIGNATURE = UniTuple(float64, 4)(float64[::1], float64, float64)
call_suspension = call_by_address(SUSPENSION_SIGNATURE)


@dataclass(frozen=True)
class Suspension(Part):
    """Base of the suspension kinds. ``law`` is the compiled kernel with :data:`SUSPENSION_SIGNATURE`."""

    family: ClassVar[str] = "suspension"
    kernel_notes: ClassVar[tuple[KernelNote, ...]] = (KernelNote("law", SUSPENSION_SIGNATURE, "SUSPENSION_SIGNATURE"),)
    law: ClassVar[Any] = None

    rest_length: float = quantity(
        "m", "assembly point over the road with the spring relaxed", positive=True, kw_only=True
    )

    def faults(self) -> list[Fault]:
        return super().faults() or law_faults(self, self.pack, (0.8 * self.rest_length, 0.1), (self.rest_length, -0.1))

    def pack(self) -> np.ndarray:
        """The parameters as the row that the kernel reads, float64, one-dimensional."""
        raise NotImplementedError

    def drawn(self, body: str, place: Vector, hub: Vector) -> list[Visual]:
        """Shapes between the assembly point and the hub of a wheel, body frame [m]: a coil, unless a kind says more."""
        return [
            VisualLink(body, other=body, end=hub, style="coil", position=place, colour="spring", layer=Layer.DETAIL)
        ]
