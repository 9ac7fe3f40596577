"""Collisions: all outlines of a system against each other. Placed by itself when a system has outlines and a law.

A scenario needs outlines and at least one contact law; this part is written down only to change how contacts are
searched, or to switch them off. Kernels: :mod:`centrode.dynamics.contact.collide`.
"""

from __future__ import annotations

from typing import ClassVar

from centrode.classes import dataclass
from centrode.errors import Fault
from centrode.parts.part import Part, quantity

ALLOWED = 1e-3
"""Overlap at the start that is allowed when nothing is said [m]."""


@dataclass(frozen=True)
class Collisions(Part):
    """How contacts of a system are searched."""

    family: ClassVar[str] = "collision"
    kind: ClassVar[str] = "all"

    active: bool = quantity("", "False lets all outlines pass through each other", True)
    margin: float | None = quantity(
        "m", "pairs closer than this are listed; half a metre when left out, or less where outlines are small", None
    )
    allowed_overlap: float = quantity("m", "overlap at the start up to which a run begins", ALLOWED, minimum=0.0)
    joined: bool = quantity("", "bodies that share a joint or a vehicle may touch each other", False)

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not found and self.margin is not None and not self.margin > 0.0:
            found.append(self.fault("margin", "must be positive"))
        return found

    def listing_margin(self, smallest: float) -> float:
        """Distance within which pairs are listed [m]; ``smallest``: bounding radius of the smallest outline [m].

        A pair that parts within a step must still be listed after it, or its contact would never end: the guard of
        contacts sees to it that outlines move by a radius in a step at most. Equal balls in a pile then have 55
        neighbours within 3.2 radii, 27 pairs a ball. Half a metre serves cars: lists last for a second of traffic.
        """
        return self.margin if self.margin is not None else min(0.5, 1.2 * smallest)
