"""Direction of a prescribed force or torque: fixed in the world or turning with the body.

The marker of such a force carries a frame whose z axis is the direction in the body; a world direction is kept as
three parameters instead. Parameters of a row: fixed to the body (1) or world (0), then the world direction.
"""

from __future__ import annotations

from typing import Any, ClassVar

from centrode.jit import step_kernel
from centrode.math.vector import vector
from centrode.parts.forces.force import Force
from centrode.parts.markers import Z, axis
from centrode.parts.placement import MarkerPlace, Placement, Scene, unit_vector

FIXED_TO = ("world", "body")
TURNS, DIRECTION = 0, 1


@step_kernel
def direction_of(par, i, markers, m):
    """Unit direction of row i in the world at marker m."""
    if par[i, TURNS] != 0.0:
        return axis(markers, m, Z)
    return vector(par[i], DIRECTION)


class Prescribed(Force):
    """Base of a force or torque that a hand gives over time along a direction."""

    external: ClassVar[bool] = True
    active: ClassVar[bool] = True
    world_direction: ClassVar[bool] = True

    body: Any
    magnitude: Any
    direction: tuple[float, ...]
    fixed_to: str

    def place(self, scene: Scene) -> Placement:
        marker, par = pack_direction(self, self.end(scene, "body")[0])
        return Placement([marker], par=par, data=scene.pack_signal(self.magnitude))


def pack_direction(part: Prescribed, place: MarkerPlace) -> tuple[MarkerPlace, list[float]]:
    """Marker that carries the direction, and the parameters."""
    along = unit_vector(part.direction, f"{part.name}.direction")
    if part.fixed_to == "body":
        return place.along(along), [1.0, 0.0, 0.0, 0.0]
    return place, [0.0, *(float(x) for x in along)]
