"""Weight or buoyancy at a point of a body: a constant force along gravity, wherever the body turns.

    force  W g_hat at the point,   energy  -W g_hat . p        (1)

g_hat is the direction of gravity (downwards when the system has none). A negative W is buoyancy: an underwater
vehicle whose weight W acts at its centre of mass and whose buoyancy -W acts above it rights itself with the moment
W z_G sin(angle). The weight of bodies themselves is built in; this is for what comes on top.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.jit import step_kernel
from centrode.math.vector import dot, vector
from centrode.parts.forces.force import Force
from centrode.parts.kernel_types import ENERGY_SIGNATURE, FORCE_SIGNATURE, LINK_MARKERS
from centrode.parts.markers import position, push
from centrode.parts.part import quantity
from centrode.parts.placement import Placement, Scene, direction_field, unit_vector


@step_kernel(signature=FORCE_SIGNATURE)
def weight_force(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(1); the parameters are W g_hat."""
    for i in range(first, first + count):
        push(wrench, link[i, LINK_MARKERS], vector(par[i], 0))


@step_kernel(signature=ENERGY_SIGNATURE)
def weight_energy(time, first, count, par, link, data, inputs, memory, markers, states, energy):
    """(1); the parameters are W g_hat."""
    for i in range(first, first + count):
        energy[i] = -dot(vector(par[i], 0), position(markers, link[i, LINK_MARKERS]))


@dataclass(frozen=True)
class Weight(Force):
    """Constant force along gravity at a point; negative for buoyancy."""

    kind: ClassVar[str] = "weight"
    force_kernel: ClassVar[Any] = weight_force
    energy_kernel: ClassVar[Any] = weight_energy
    external: ClassVar[bool] = True
    world_direction: ClassVar[bool] = True

    body: Any = quantity("", "body, or point on it", refers_to="body")
    weight: float = quantity("N", "force along gravity; negative is buoyancy")
    point_body: tuple[float, ...] | None = quantity("m", "place on the body, in its frame", None)
    direction: tuple[float, ...] | None = direction_field("world direction; that of gravity when left out", None)

    def place(self, scene: Scene) -> Placement:
        marker, _ = self.end(scene, "body")
        down = (0.0, -1.0, 0.0) if scene.plane else (0.0, 0.0, -1.0)
        given = self.direction
        if given is None:
            given = tuple(scene.gravity) if np.any(scene.gravity) else down
        return Placement([marker], par=list(self.weight * unit_vector(given, f"{self.name}.direction")))
