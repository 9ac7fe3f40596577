"""What all forces share: a placement, a force kernel, and an energy kernel when the force stores energy.

The power of every force is computed by the engine from the wrenches at its own markers; a force only declares the
potential energy that it stores, so that energy minus work can be audited for any system.

What a kind declares about itself (``external``, ``active``, ``world_direction``) is what
:func:`centrode.dynamics.contract.check_part` holds it to.
"""

from __future__ import annotations

import itertools
from typing import Any, ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.parts.bodies.body import ChannelNote
from centrode.parts.hooks import Watched
from centrode.parts.kernel_types import ENERGY_SIGNATURE, EVENT_SIGNATURE, FORCE_SIGNATURE
from centrode.parts.part import KernelNote, Part
from centrode.parts.placement import MarkerPlace, Placement, Scene, point3
from centrode.parts.visual import Visual, VisualLink, VisualScene, vector


@dataclass(frozen=True)
class Force(Watched, Part):
    """Base of all forces.

    Class attributes of a kind:
        force_kernel: compiled with FORCE_SIGNATURE; assigns the wrench at the force's own markers.
        energy_kernel: compiled with ENERGY_SIGNATURE, or None when nothing is stored.
        works_in_plane: False when the kind makes no sense in a plane system.
        external: True when something outside the system pushes (air, water, a hand): no reaction on another body.
        active: True when the force can bring energy into the system (drives, prescribed forces, wind).
        world_direction: True when a direction or place in the world enters, so that turning or shifting the whole
            scene changes the force.
        input_names: control inputs the kind reads, in the order of its input slots.
        recorded_marker: number of its marker whose force is a channel of recordings (contacts), or None.

    Hooks of its events are those of :class:`centrode.parts.hooks.Watched`.
    """

    family: ClassVar[str] = "force"
    kernel_notes: ClassVar[tuple[KernelNote, ...]] = (
        KernelNote("force_kernel", FORCE_SIGNATURE, "FORCE_SIGNATURE"),
        KernelNote("energy_kernel", ENERGY_SIGNATURE, "ENERGY_SIGNATURE", required=False),
        KernelNote("event_kernel", EVENT_SIGNATURE, "EVENT_SIGNATURE", required=False),
    )
    force_kernel: ClassVar[Any] = None
    energy_kernel: ClassVar[Any] = None
    works_in_plane: ClassVar[bool] = True
    external: ClassVar[bool] = False
    active: ClassVar[bool] = False
    world_direction: ClassVar[bool] = False
    input_names: ClassVar[tuple[str, ...]] = ()
    recorded_marker: ClassVar[int | None] = None

    def place(self, scene: Scene) -> Placement:
        """Markers and parameters of the force."""
        raise NotImplementedError

    def counted_angles(self) -> list[tuple[int, str]]:
        """Memory columns that hold the unwrapped angle of a joint, and its name; none as a rule."""
        return []

    # -- what is looked at ---------------------------------------------------------------------------------------------

    def channels(self) -> list[ChannelNote]:
        """Channels of the force beside energy and work: (name, unit, dimensions, frame, meaning); none as a rule."""
        return []

    def observe(self, markers: np.ndarray, wrench: np.ndarray) -> dict[str, np.ndarray]:
        """Values of these channels from its own markers, (frames, markers, 24), and the wrenches there, (.., 6)."""
        return {}

    # -- helpers of kinds ----------------------------------------------------------------------------------------------

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

    def end(self, scene: Scene, side: str) -> tuple[MarkerPlace, np.ndarray]:
        """Marker and world position at the start of one end: ``self.<side>``, or ``point_<side>`` on its body."""
        body, local = scene.resolve(getattr(self, side))
        given = getattr(self, f"point_{side}", None)
        if given is not None:
            local = point3(given, f"{self.name}.point_{side}")
        position, rotation = scene.pose(body)
        return MarkerPlace(body, local), position + rotation @ local
