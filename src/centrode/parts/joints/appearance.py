"""How joints look: a ball where two bodies meet, a pin in a hinge, a link between two points, a disc that rolls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from centrode.parts.placement import GROUND, MarkerPlace
from centrode.parts.visual import (
    Layer,
    Visual,
    VisualBox,
    VisualCylinder,
    VisualLink,
    VisualScene,
    VisualSphere,
    placed,
    vector,
)

if TYPE_CHECKING:
    from centrode.parts.joints.joint import Joint


def joint_size(markers: Sequence[MarkerPlace], scene: VisualScene) -> float:
    """Radius of a pin that suits both bodies and the scene [m]."""
    held = [size for item in markers[:2] if (size := scene.extent(item.body)) is not None]
    return min(0.075 * min(held), 0.06 * scene.size) if held else 0.05


def joint_ball(joint: Joint, scene: VisualScene, share: float) -> list[Visual]:
    """A ball at the joint; ``share`` of :func:`joint_size` is its radius."""
    markers = scene.markers(joint)
    carrier = _carrier(markers)
    radius = share * joint_size(markers, scene)
    place = placed(carrier.position, carrier.frame)
    return [VisualSphere(carrier.body, radius, **place, colour="joint", layer=Layer.DETAIL)]


def joint_pin(joint: Joint, scene: VisualScene) -> list[Visual]:
    """A pin along the axis of a hinge, in a block where the hinge is fixed to the ground."""
    markers = scene.markers(joint)
    first, carrier = markers[0], _carrier(markers)
    size = joint_size(markers, scene)
    place = placed(carrier.position, carrier.frame)
    found: list[Visual] = [VisualCylinder(carrier.body, size, 4.0 * size, **place, colour="joint", layer=Layer.DETAIL)]
    if first.body == GROUND:
        block = (2.6 * size, 2.6 * size, 1.4 * size)
        found.append(VisualBox(GROUND, block, **placed(first.position, first.frame), colour="dark"))
    return found


def joint_link(joint: Joint, scene: VisualScene, style: str, share: float, length: float | None) -> list[Visual]:
    """A rod or rope between both points; ``share`` of :func:`joint_size` is its radius."""
    markers = scene.markers(joint)
    first, second = markers[:2]
    radius = share * joint_size(markers, scene)
    colour = "rope" if style == "rope" else "steel"
    end = vector(second.position)
    return [
        VisualLink(first.body, second.body, end, style, radius, length, position=vector(first.position), colour=colour)
    ]


def rolling_disc(joint: Joint, scene: VisualScene, radius: float, tyre_radius: float) -> list[Visual]:
    """The disc that a joint lets roll: as large as the joint says, with a mark that shows its turning."""
    marker = scene.markers(joint)[1]
    if marker.body == GROUND or marker.frame is None:
        return []
    thickness = max(2.0 * tyre_radius, 0.07 * radius)
    spot = np.asarray(marker.position, dtype=float) + marker.frame @ np.array([0.72 * radius, 0.0, 0.0])
    disc = VisualCylinder(marker.body, radius, thickness, **placed(marker.position, marker.frame), layer=Layer.ROLLING)
    mark = VisualCylinder(
        marker.body, 0.13 * radius, 1.15 * thickness, **placed(spot, marker.frame), colour="white", layer=Layer.ROLLING
    )
    return [disc, mark]


def _carrier(markers: Sequence[MarkerPlace]) -> MarkerPlace:
    """The side whose body carries the shape: one that moves."""
    return markers[1] if markers[0].body == GROUND else markers[0]
