"""What a system looks like: the shapes that its parts give of themselves, each body in its highest layer.

See :mod:`centrode.parts.visual` for shapes and layers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

import numpy as np

from centrode.classes import dataclass
from centrode.errors import CentrodeError
from centrode.parts.bodies.appearance import body_extent
from centrode.parts.bodies.body import Body
from centrode.parts.forces.force import Force
from centrode.parts.joints.joint import Joint
from centrode.parts.part import Part
from centrode.parts.placement import GROUND, MarkerPlace
from centrode.parts.visual import Layer, Vector, Visual, vector
from centrode.system.builder import System
from centrode.system.scene import SystemScene


@dataclass(frozen=True)
class JointMark:
    """Where a joint holds its second body: for labels and force arrows."""

    name: str
    kind: str
    body: str
    position: Vector


@dataclass
class Appearance:
    """Shapes, joints and names of a system."""

    visuals: list[Visual] = field(default_factory=list)
    owners: list[str] = field(default_factory=list)
    joints: list[JointMark] = field(default_factory=list)
    size: float = 1.0


class AppearanceScene(SystemScene):
    """The :class:`centrode.parts.visual.VisualScene` of a system."""

    def __init__(self, system: System) -> None:
        super().__init__(system)
        self._markers: dict[str, list[MarkerPlace]] = {}
        for part in system.parts.values():
            if isinstance(part, Joint | Force):
                try:
                    self._markers[part.name] = list(part.place(self).markers)
                except CentrodeError:
                    continue  # said when the model is built; what cannot be placed is not drawn
        self._held: dict[str, list[np.ndarray]] = {}
        for markers in self._markers.values():
            for marker in markers if len(markers) > 1 else ():
                self._held.setdefault(marker.body, []).append(np.asarray(marker.position, dtype=float))
        bodies = [part for part in system.parts.values() if isinstance(part, Body)]
        self._extents = {body.name: body_extent(body, self.held_at(body.name), self.plane) for body in bodies}
        self.size = float(np.median(list(self._extents.values()))) if bodies else 1.0

    def markers(self, part: Part) -> Sequence[MarkerPlace]:
        """Places of a joint or a force on its bodies."""
        return self._markers[part.name]

    def extent(self, body: str) -> float | None:
        """Length that says how large a body is [m]; None for the ground."""
        return self._extents.get(body)

    def held_at(self, body: str) -> Sequence[np.ndarray]:
        """Points of a body, in its frame [m], at which joints and two-ended forces hold it."""
        return self._held.get(body, [])

    def draws(self, part: Part) -> bool:
        """Whether the part stands somewhere: a joint or a force that cannot be placed does not."""
        return part.name in self._markers or not isinstance(part, Joint | Force)


def appearance_of(system: System) -> Appearance:
    """Shapes of all parts of a system, in order of the parts."""
    scene = AppearanceScene(system)
    drawn = [(part.name, shape) for part in system.parts.values() if scene.draws(part) for shape in part.visuals(scene)]
    highest: dict[str, Layer] = {GROUND: Layer.DETAIL}
    for _, shape in drawn:
        for body in shape.bodies():
            if body != GROUND:
                highest[body] = max(shape.layer, highest.get(body, Layer.DETAIL))
    figures = {owner for owner, shape in drawn if shape.layer is Layer.FIGURE}
    found = Appearance(size=scene.size)
    for owner, shape in drawn:
        inside = owner.split(".", maxsplit=1)[0] in figures - {owner}
        if shape.layer is Layer.DETAIL and inside or Layer.DETAIL < shape.layer < highest[shape.body]:
            continue
        found.visuals.append(shape)
        found.owners.append(owner)
    for part in system.parts.values():
        if isinstance(part, Joint) and scene.draws(part):
            second = scene.markers(part)[1]
            found.joints.append(JointMark(part.name, part.kind, second.body, vector(second.position)))
    return found
