"""What all forces share: a placement, a force kernel, and an energy kernel when the force stores energy.

The power of every force is computed by the engine from the wrenches at its own markers; a force only declares the
potential energy that it stores, so that energy minus work can be audited for any system.

What a kind declares about itself (``external``, ``active``, ``world_direction``) is what
:func:`centrode.dynamics.contract.check_part` holds it to.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault, InputError
from centrode.parts.part import Part
from centrode.parts.placement import MarkerPlace, Placement, Scene, point3
from centrode.parts.visual import Visual, VisualLink, VisualScene, vector


@dataclass(frozen=True)
class Force(Part):
    """Base of all forces.

    Class attributes of a kind:
        force_kernel: compiled with FORCE_SIGNATURE; assigns the wrench at the force's own markers.
        energy_kernel: compiled with ENERGY_SIGNATURE, or None when nothing is stored.
        works_in_plane: False when the kind makes no sense in a plane system.
        external: True when something outside the system pushes (air, water, a hand): no reaction on another body.
        active: True when the force can bring energy into the system (drives, prescribed forces, wind).
        world_direction: True when a direction or place in the world enters, so that turning or shifting the whole
            scene changes the force.
        example: parameters (without the name) between bodies "a" and "b" for the contract check; made up when None.
        input_names: control inputs the kind reads, in the order of its input slots.
        events_optional: events of the kind are only reported, so methods that do not locate events may run it.
    """

    family: ClassVar[str] = "force"
    force_kernel: ClassVar[Any] = None
    energy_kernel: ClassVar[Any] = None
    settle_kernel: ClassVar[Any] = None
    event_kernel: ClassVar[Any] = None
    works_in_plane: ClassVar[bool] = True
    external: ClassVar[bool] = False
    active: ClassVar[bool] = False
    world_direction: ClassVar[bool] = False
    example: ClassVar[dict[str, Any] | None] = None
    input_names: ClassVar[tuple[str, ...]] = ()
    events_optional: ClassVar[bool] = False

    def place(self, scene: Scene) -> Placement:
        """Markers and parameters of the force."""
        raise NotImplementedError

    def link_visuals(self, scene: VisualScene, style: str, share: float, length: float | None = None) -> list[Visual]:
        """Links through the markers in turn; ``share`` of the smallest body is their radius."""
        markers = scene.markers(self)
        size = min([extent for item in markers if (extent := scene.extent(item.body)) is not None], default=1.0)
        colour = "rope" if style == "rope" else "spring"
        return [
            VisualLink(
                a.body,
                b.body,
                vector(b.position),
                style,
                share * size,
                length,
                position=vector(a.position),
                colour=colour,
            )
            for a, b in itertools.pairwise(markers)
        ]

    def input_range(self, name: str) -> tuple[float | None, float | None]:
        """Smallest and largest value of a control input, for the driver's seat; None for no limit."""
        return None, None

    def signal_faults(self, field: str) -> list[Fault]:
        """What is wrong with a field that holds a number or a signal over time."""
        from centrode.parts.signals.signal import signal_from

        try:
            signal_from(getattr(self, field), f"{self.name}.{field}")
        except InputError as error:
            return error.faults
        return []

    def end(self, scene: Scene, side: str) -> tuple[MarkerPlace, np.ndarray]:
        """Marker and world position at the start of one end: ``self.<side>``, or ``point_<side>`` on its body."""
        body, local = scene.resolve(getattr(self, side))
        given = getattr(self, f"point_{side}", None)
        if given is not None:
            local = point3(given, f"{self.name}.point_{side}")
        position, rotation = scene.pose(body)
        return MarkerPlace(body, local), position + rotation @ local
