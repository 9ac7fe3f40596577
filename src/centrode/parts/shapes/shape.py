"""What all drawn shapes have in common: a place on the body, a colour.

A shape is looked at only. What a body touches others with is its outline (:mod:`centrode.parts.outlines`), what it
weighs its mass and inertia. A body with shapes is drawn as these alone.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault, InputError
from centrode.parts.part import Part, quantity
from centrode.parts.placement import GROUND
from centrode.parts.visual import PALETTE, Visual, known_colour, placed

ORTHOGONAL = 1e-6
"""A rotation built in single precision, or typed with seven digits, is orthogonal to this."""


@dataclass(frozen=True)
class Shape(Part):
    """Base of all shapes. A kind gives its sizes and :meth:`visuals`."""

    family: ClassVar[str] = "shape"

    body: str = quantity("", "body that is drawn so", GROUND, refers_to="body")
    _: KW_ONLY
    centre: tuple[float, float, float] = quantity("m", "place in body axes", (0.0, 0.0, 0.0))
    rotation: Any = quantity(
        "1", "own axes as columns, in body axes", ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    )
    colour: str = quantity("", "#rrggbb or the name of a colour; that of the body when left out", "")

    def faults(self) -> list[Fault]:
        found = super().faults()
        matrix = np.asarray(self.rotation, dtype=float)
        if matrix.shape != (3, 3) or not np.abs(matrix.T @ matrix - np.eye(3)).max() <= ORTHOGONAL:
            found.append(self.fault("rotation", "not a rotation", expected="an orthogonal 3 x 3 matrix"))
        if not known_colour(self.colour):
            expected = "#rrggbb or one of " + ", ".join(PALETTE)
            found.append(self.fault("colour", "unknown colour", expected=expected))
        return found

    def drawn(self, shape: type[Visual], *sizes: Any) -> list[Visual]:
        """A visual at the shape's place on its body."""
        return [shape(self.body or GROUND, *sizes, **placed(self.centre, self.rotation), colour=self.colour)]


def positive(sizes: tuple[float, ...], path: str) -> None:
    """Refuse lengths that are not above zero."""
    if not all(size > 0.0 for size in sizes):
        raise InputError("a shape cannot have zero size", path=path, got=sizes, expected="lengths above 0 in m")
