"""Surface of a road, as what bodies come down on: the half space below the road, where they are.

The surface of a plane road is one half space. Of any other road (and of a plane one with kerbs or edges) each body
meets the plane that touches the surface below its lowest point; a road bends by millimetres over the length of a car.
On terrain bodies feel bumps all over (:mod:`centrode.dynamics.contact.terrain_contact`).
Cars touch their own roads without being told (:mod:`centrode.dynamics.contact.ground`); this outline is written down
where other bodies are to touch a road that they would not by themselves, or for another material.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.parts.outlines.plane import OutlinePlane
from centrode.parts.part import quantity
from centrode.parts.placement import GROUND
from centrode.parts.roads.steps import step_count
from centrode.parts.visual import Visual, VisualScene

ROAD_MATERIAL, RIM_MATERIAL = "road", "rim"
"""Materials of roads and their kerbs, and of the rims that hit these."""


@dataclass(frozen=True)
class OutlineRoad(OutlinePlane):
    """The surface of a road; always of the ground."""

    kind: ClassVar[str] = "road"

    road: str = quantity("", "road whose surface it is", "", refers_to="road")
    body: str = quantity("", "the ground", GROUND, refers_to="body")
    material: str = quantity("", "material name for the contact law of a pair", ROAD_MATERIAL)

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return []  # the road draws itself


def is_plain(table: np.ndarray) -> bool:
    """Whether the surface of a road table is one plane."""
    return bool(table[0, 0] == 0.0 and step_count(table) == 0)
