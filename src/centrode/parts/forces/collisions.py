"""Collisions: all outlines of a system against each other. Placed by itself when a system has outlines and a law.

A scenario needs outlines and at least one contact law; this part is written down only to change how contacts are
searched, or to switch them off. Kernels: :mod:`centrode.dynamics.contact.collide`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from centrode.parts.part import Part, quantity


@dataclass(frozen=True)
class Collisions(Part):
    """How contacts of a system are searched."""

    family: ClassVar[str] = "collision"
    kind: ClassVar[str] = "all"

    active: bool = quantity("", "False lets all outlines pass through each other", True)
    margin: float = quantity("m", "pairs closer than this are listed; larger lists last longer", 0.5, positive=True)
    allowed_overlap: float = quantity("m", "overlap at the start up to which a run begins", 1e-3, minimum=0.0)
    joined: bool = quantity("", "bodies that share a joint or a vehicle may touch each other", False)
