"""What parts see of a system while they place themselves: initial poses, references, time functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from centrode.errors import InputError, nearest_name
from centrode.parts.part import Part
from centrode.parts.placement import GROUND, point3
from centrode.system.builder import System


class SystemScene:
    """The :class:`centrode.parts.placement.Scene` of a system."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.plane = system.plane
        self.gravity = np.array(system.gravity)

    def pose(self, body: str) -> tuple[np.ndarray, np.ndarray]:
        """Initial position [m] and rotation (world from body) of a body's own frame."""
        if body == GROUND:
            return np.zeros(3), np.eye(3)
        return self.find(body).pose()

    def resolve(self, reference: Any) -> tuple[str, np.ndarray]:
        """Body name and local point [m] of a body, a point, or their names."""
        name = reference.name if isinstance(reference, Part) else str(reference)
        if name == GROUND:
            return GROUND, np.zeros(3)
        part = self.find(name)
        if part.family == "point":
            return part.body, point3(part.position, f"{name}.position")
        return name, np.zeros(3)

    def find(self, name: str) -> Any:
        """The part of that name."""
        try:
            return self.system.parts[name]
        except KeyError:
            raise InputError("unknown part", got=name, nearest=nearest_name(name, list(self.system.parts))) from None

    def body_mass(self, body: str) -> float:
        """Mass of a body [kg]; infinite for the ground."""
        return float("inf") if body == GROUND else float(self.find(body).mass)

    def pack_signal(self, signal: Any) -> list[float]:
        """Numbers of a time function for the data pool."""
        from centrode.parts.signals.signal import pack_signal

        return pack_signal(signal)
