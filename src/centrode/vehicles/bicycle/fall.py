"""A watch for falls: notes when a wheel leans further than an angle; pushes nothing.

    event function   cos^2(lean) - cos^2(angle) = 1 - (n . e)^2 - cos^2(angle)                 (1)

n is the normal of the ground, e the axle. (1) falls through zero when the lean passes the angle to either side.
"""

# Kernels are checked by compiling, and by running with the JIT off.
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.jit import step_kernel
from centrode.math.rotation import frame_from_axis
from centrode.parts.forces.force import Force
from centrode.parts.kernel_types import EVENT_SIGNATURE, FORCE_SIGNATURE, FRAME, LINK_MARKERS
from centrode.parts.part import quantity
from centrode.parts.placement import MarkerPlace, Placement, Scene

NORMAL, COSINE_SQUARED = 0, 3
FALLEN = 0
"""Memory column: the fall has been noted."""


@step_kernel(signature=FORCE_SIGNATURE)
def no_force(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """A watch pushes nothing."""
    for i in range(first, first + count):
        m = link[i, LINK_MARKERS]
        for k in range(6):
            wrench[m, k] = 0.0


@step_kernel(signature=EVENT_SIGNATURE)
def fall_event(time, first, count, par, link, data, inputs, memory, markers, states, multipliers, values):
    """(1)."""
    for i in range(first, first + count):
        if memory[i, FALLEN] != 0.0:
            values[i] = 1.0  # noted once
            continue
        m = link[i, LINK_MARKERS]
        sine = 0.0
        for k in range(3):
            sine += par[i, NORMAL + k] * markers[m, FRAME + 3 * k + 2]
        values[i] = 1.0 - sine * sine - par[i, COSINE_SQUARED]


@dataclass(frozen=True)
class FallWatch(Force):
    """Notes the event "fallen" when a wheel leans too far."""

    kind: ClassVar[str] = "fall-watch"
    force_kernel: ClassVar[Any] = no_force
    event_kernel: ClassVar[Any] = fall_event
    works_in_plane: ClassVar[bool] = False
    external: ClassVar[bool] = True
    example: ClassVar[dict[str, Any]] = {"body": "a", "angle": 1.0}

    body: Any = quantity("", "wheel that is watched", refers_to="body")
    angle: float = quantity("rad", "lean that counts as a fall", math.radians(60.0), positive=True)
    axle: tuple[float, ...] = quantity("1", "axle in the frame of the body", (0.0, 1.0, 0.0))
    normal: tuple[float, ...] = quantity("1", "normal of the ground in the world", (0.0, 0.0, 1.0))

    def place(self, scene: Scene) -> Placement:
        body, local = scene.resolve(self.body)
        normal = np.asarray(self.normal, dtype=float)
        normal = normal / np.linalg.norm(normal)
        marker = MarkerPlace(body, local, frame_from_axis(self.axle))
        return Placement([marker], par=[*normal.tolist(), math.cos(min(self.angle, 0.5 * math.pi)) ** 2])

    def on_event(self, memory: np.ndarray, par: np.ndarray) -> tuple[str, dict[str, float]]:
        """What the recording notes."""
        memory[FALLEN] = 1.0
        return "fallen", {"lean": self.angle}
