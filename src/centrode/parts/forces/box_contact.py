"""Contact of a box on a body with a plane on another body or the ground.

Each of the eight corners c + B (+-x, +-y, +-z) is a point of :mod:`centrode.parts.forces.plane_contact` (four in a
plane system, where the box is a rectangle). Resting flat, four corners share the load, so the box sinks by
m g / (4 k) (two, m g / (2 k), in a plane system) with a linear law.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault, InputError
from centrode.jit import step_kernel
from centrode.parts.bodies.body import rotation_from
from centrode.parts.forces.plane_contact import CONTACT_WIDTH, PlaneContact, add_contact, clear, contact_energy, height
from centrode.parts.kernel_types import ENERGY_SIGNATURE, FORCE_SIGNATURE, FRAME, LINK_MARKERS
from centrode.parts.part import flatten, quantity
from centrode.parts.placement import MarkerPlace, Placement, Scene

HALF, CORNERS = CONTACT_WIDTH, CONTACT_WIDTH + 3


@step_kernel
def corner(par, i, markers, b, c):
    """World position of corner c (0..7; the bits are the signs along x, y, z)."""
    x = par[i, HALF] * (1.0 - 2.0 * (c & 1))
    y = par[i, HALF + 1] * (1.0 - 2.0 * ((c >> 1) & 1))
    z = par[i, HALF + 2] * (1.0 - 2.0 * ((c >> 2) & 1))
    return (
        markers[b, 0] + markers[b, FRAME] * x + markers[b, FRAME + 1] * y + markers[b, FRAME + 2] * z,
        markers[b, 1] + markers[b, FRAME + 3] * x + markers[b, FRAME + 4] * y + markers[b, FRAME + 5] * z,
        markers[b, 2] + markers[b, FRAME + 6] * x + markers[b, FRAME + 7] * y + markers[b, FRAME + 8] * z,
    )


@step_kernel(signature=FORCE_SIGNATURE)
def box_contact_force(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """Sum over the corners."""
    for i in range(first, first + count):
        a = link[i, LINK_MARKERS]
        b = link[i, LINK_MARKERS + 1]
        clear(wrench, a, b)
        for c in range(int(par[i, CORNERS])):
            x, y, z = corner(par, i, markers, b, c)
            add_contact(par, i, markers, a, b, x, y, z, -height(markers, a, x, y, z), wrench)


@step_kernel(signature=ENERGY_SIGNATURE)
def box_contact_energy(time, first, count, par, link, data, inputs, memory, markers, states, energy):
    """Sum over the corners."""
    for i in range(first, first + count):
        total = 0.0
        for c in range(int(par[i, CORNERS])):
            x, y, z = corner(par, i, markers, link[i, LINK_MARKERS + 1], c)
            total += contact_energy(par, i, -height(markers, link[i, LINK_MARKERS], x, y, z))
        energy[i] = total


@dataclass(frozen=True)
class BoxContact(PlaneContact):
    """Box (in a plane system a rectangle) against a plane, by its corners."""

    kind: ClassVar[str] = "box-contact"
    force_kernel: ClassVar[Any] = box_contact_force
    energy_kernel: ClassVar[Any] = box_contact_energy

    body: Any = quantity("", "body, or point on it, that is the centre of the box", refers_to="body")
    size: tuple[float, ...] = quantity("m", "edge lengths along the box's axes", (1.0, 1.0, 1.0), positive=True)
    point_body: tuple[float, ...] | None = quantity("m", "centre of the box, in the body's frame", None)
    orientation: Any = quantity(
        "1", "box axes in the body's frame: quaternion (w, x, y, z) or 3 x 3", (1.0, 0.0, 0.0, 0.0)
    )

    def faults(self) -> list[Fault]:
        found = super().faults()
        if len(flatten(self.size)) not in (2, 3):
            found.append(
                Fault("a box needs three edge lengths (two in a plane system)", f"{self.name}.size", got=self.size)
            )
        return found

    def place(self, scene: Scene) -> Placement:
        place, _ = self.end(scene, "body")
        frame = rotation_from(self.orientation, f"{self.name}.orientation")
        marker = MarkerPlace(place.body, place.position, np.asarray(frame))
        edges = [float(x) for x in flatten(self.size)]
        if not scene.plane and len(edges) != 3:
            raise InputError("a box in space needs three edge lengths", path=f"{self.name}.size", got=self.size)
        half = [0.5 * edges[0], 0.5 * edges[1], 0.0 if scene.plane else 0.5 * edges[2]]
        corners = 4.0 if scene.plane else 8.0
        return Placement([self.plane_marker(scene), marker], par=[*self.law(), *half, corners])
