"""Height of the ground on which persons, trees and barriers stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from centrode.errors import InputError
from centrode.parts.part import Part
from centrode.parts.roads.contract import Road

if TYPE_CHECKING:
    from centrode.system.builder import System

SAME = 1e-3
"""Roads that lie so near to each other [m] are one ground for what stands."""


def ground_below(
    system: System, part: Part, place: tuple[float, float], given: float | None, radius: float = 0.0
) -> float:
    """Height that a part says, else that of the roads of the system at its place, with kerbs and slopes [m].

    ``radius``: of a ball that stands there [m]; on a slope it touches beside its lowest point, and stands higher.

    Raises:
        InputError: there are several roads, one above the other.
    """
    if given is not None:
        return given
    roads = [item for item in system.of_family("road") if isinstance(item, Road)]
    points = {road.name: road.point_below(*place) for road in roads}
    heights = {name: point.position[2] + radius * (1.0 / point.normal[2] - 1.0) for name, point in points.items()}
    if not heights:
        return 0.0
    if max(heights.values()) - min(heights.values()) > SAME:
        listed = " and ".join(f"{height:.4g} m on '{name}'" for name, height in heights.items())
        raise InputError(
            f"on which road does '{part.name}' stand", path=f"{part.name}.ground_height", expected=f"one of {listed}"
        )
    return float(next(iter(heights.values())))
