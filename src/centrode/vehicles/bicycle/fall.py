"""A watch for falls: notes when a wheel leans further than an angle; pushes nothing.

    event function   cos^2(lean) - cos^2(angle) = 1 - (n . e)^2 - cos^2(angle)                 (1)

n is the normal of the ground (on a road, under the centre of the wheel), e the axle. (1) falls through zero when the
lean passes the angle to either side. With ``on_fall: stop`` the run ends there.
"""

# Kernels are checked by compiling, and by running with the JIT off.
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar

import numpy as np

from centrode.jit import step_kernel
from centrode.math.record import open_table
from centrode.math.rotation import frame_from_axis
from centrode.parts.contact_laws.contact_law import ContactLaw
from centrode.parts.forces.collisions import Collisions
from centrode.parts.forces.force import Force
from centrode.parts.hooks import Moment
from centrode.parts.kernel_types import EVENT_SIGNATURE, FORCE_SIGNATURE, FRAME, LINK_DATA, LINK_MARKERS
from centrode.parts.part import quantity
from centrode.parts.placement import MarkerPlace, Placement, Scene
from centrode.parts.roads.contract import COLUMNS
from centrode.parts.roads.road_point import road_point
from centrode.system.builder import System

NORMAL, COSINE_SQUARED = 0, 3
ROAD, ROAD_ROWS = 0, 1


class Noted(IntEnum):
    """Memory columns: the fall has been noted; s on the road; bodies can meet in this run."""

    FALLEN = 0
    HINT = 1
    CRASH = 2


FELL = "fell"
"""The fall of a run that goes on because it may be one of a crash; "fallen" else."""


def can_crash(system: System) -> bool:
    """Whether bodies of a system can meet, and a road is there for what falls."""
    parts = system.parts.values()
    asked = [part for part in parts if isinstance(part, Collisions)]
    laws = any(isinstance(part, ContactLaw) for part in parts) and all(part.active for part in asked)
    return laws and not system.plane and bool(system.of_family("road"))


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
        if memory[i, Noted.FALLEN.value] != 0.0:
            values[i] = 1.0  # noted once
            continue
        m = link[i, LINK_MARKERS]
        nx, ny, nz = par[i, NORMAL], par[i, NORMAL + 1], par[i, NORMAL + 2]
        pool = link[i, LINK_DATA]
        rows = int(data[pool + ROAD_ROWS])
        if rows > 0:
            table = open_table(data, int(data[pool + ROAD]), rows, COLUMNS)
            foot = road_point(table, memory[i, Noted.HINT.value], markers[m, 0], markers[m, 1], markers[m, 2])
            memory[i, Noted.HINT.value] = foot[0]
            nx, ny, nz = foot[8], foot[9], foot[10]
        sine = nx * markers[m, FRAME + 2] + ny * markers[m, FRAME + 5] + nz * markers[m, FRAME + 8]
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
    road: Any = quantity("", "road whose normal counts instead", None, refers_to="road")
    on_fall: str = quantity(
        "",
        "what a fall does to the run; auto: it stops, or goes on where contact laws act over a road",
        "auto",
        choices=("auto", "stop", "continue"),
    )

    def place(self, scene: Scene) -> Placement:
        body, local = scene.resolve(self.body)
        normal = np.asarray(self.normal, dtype=float)
        normal = normal / np.linalg.norm(normal)
        marker = MarkerPlace(body, local, frame_from_axis(self.axle))
        par = [*normal.tolist(), math.cos(min(self.angle, 0.5 * math.pi)) ** 2]
        placed = Placement([marker], par=par, data=[0.0, 0.0], memory=[])
        system: System = scene.system  # type: ignore[attr-defined]
        placed.memory = [0.0, math.nan, float(can_crash(system))]
        if self.road is not None:
            table = scene.find(self.road).shared_table()
            placed.data = [0.0, float(table.shape[0])]
            placed.shared = {ROAD: table}
        return placed

    def on_event(self, moment: Moment) -> tuple[str, dict[str, float]]:
        """What the recording notes."""
        moment.memory[Noted.FALLEN] = 1.0
        crash = self.on_fall == "auto" and moment.memory[Noted.CRASH] != 0.0
        return FELL if crash else "fallen", {"lean": self.angle}

    def ends_run(self, event: str) -> bool:
        """The run ends with the fall, unless it is to go on."""
        return self.on_fall != "continue" and event == "fallen"
