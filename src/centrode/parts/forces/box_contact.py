"""Contact of a box on a body with a plane on another body or the ground.

Each of the eight corners c + B (+-x, +-y, +-z) is a point of :mod:`centrode.parts.forces.plane_contact` (four in a
plane system, where the box is a rectangle). Resting flat, four corners share the load, so the box sinks by
m g / (4 k) (two, m g / (2 k), in a plane system) with a linear law.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.math.vector import each, plus, vector
from centrode.parts.bodies.body import rotation_from
from centrode.parts.forces.plane_contact import (
    CONTACT_WIDTH,
    PlaneContact,
    add_contact,
    contact_energy,
    height,
    until_change,
)
from centrode.parts.kernel_types import ENERGY_SIGNATURE, EVENT_SIGNATURE, FORCE_SIGNATURE
from centrode.parts.markers import ends, in_world, position, release
from centrode.parts.part import flatten, quantity
from centrode.parts.placement import Placement, Scene, orientation_field

HALF, CORNERS = CONTACT_WIDTH, CONTACT_WIDTH + 3


@step_kernel
def corner(par, i, markers, b, c):
    """World position of corner c (0..7; the bits are the signs along x, y, z)."""
    signs = (1.0 - 2.0 * (c & 1), 1.0 - 2.0 * ((c >> 1) & 1), 1.0 - 2.0 * ((c >> 2) & 1))
    return plus(position(markers, b), in_world(markers, b, each(vector(par[i], HALF), signs)))


@step_kernel(signature=FORCE_SIGNATURE)
def box_contact_force(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """Sum over the corners."""
    for i in range(first, first + count):
        a, b = ends(link, i)
        release(wrench, a)
        release(wrench, b)
        for c in range(int(par[i, CORNERS])):
            p = corner(par, i, markers, b, c)
            add_contact(par, i, markers, a, b, p, -height(markers, a, p), wrench)


@step_kernel(signature=ENERGY_SIGNATURE)
def box_contact_energy(time, first, count, par, link, data, inputs, memory, markers, states, energy):
    """Sum over the corners."""
    for i in range(first, first + count):
        a, b = ends(link, i)
        energy[i] = 0.0
        for c in range(int(par[i, CORNERS])):
            energy[i] += contact_energy(par, i, -height(markers, a, corner(par, i, markers, b, c)))


@step_kernel(signature=EVENT_SIGNATURE)
def box_contact_event(time, first, count, par, link, data, inputs, memory, markers, states, multipliers, values):
    """Touch and lift-off of the lowest corner."""
    for i in range(first, first + count):
        a, b = ends(link, i)
        gap = height(markers, a, corner(par, i, markers, b, 0))
        for c in range(1, int(par[i, CORNERS])):
            gap = min(gap, height(markers, a, corner(par, i, markers, b, c)))
        values[i] = until_change(memory, i, gap)


@dataclass(frozen=True)
class BoxContact(PlaneContact):
    """Box (in a plane system a rectangle) against a plane, by its corners."""

    kind: ClassVar[str] = "box-contact"
    force_kernel: ClassVar[Any] = box_contact_force
    energy_kernel: ClassVar[Any] = box_contact_energy
    event_kernel = box_contact_event

    body: Any = quantity("", "body, or point on it, that is the centre of the box", refers_to="body")
    size: tuple[float, ...] = quantity("m", "edge lengths along the box's axes", (1.0, 1.0, 1.0), positive=True)
    point_body: tuple[float, ...] | None = quantity("m", "centre of the box, in the body's frame", None)
    orientation: Any = orientation_field("box axes in the body's frame: quaternion (w, x, y, z) or 3 x 3")

    def faults(self) -> list[Fault]:
        found = super().faults()
        if len(flatten(self.size)) not in (2, 3):
            found.append(self.fault("size", "a box needs three edge lengths (two in a plane system)"))
        return found

    def place(self, scene: Scene) -> Placement:
        turn = rotation_from(self.orientation, f"{self.name}.orientation")
        end, centre = self.end(scene, "body")
        marker = end.turned(turn)
        edges = [float(x) for x in flatten(self.size)]
        if not scene.plane and len(edges) != 3:
            raise self.refusal("size", "a box in space needs three edge lengths")
        half = [0.5 * edges[0], 0.5 * edges[1], 0.0 if scene.plane else 0.5 * edges[2]]
        corners = 4.0 if scene.plane else 8.0
        axes = scene.pose(marker.body)[1] @ turn * np.array(half)
        signs = itertools.product((1.0, -1.0), repeat=3)
        memory = self.start_memory(scene, [centre + axes @ np.array(sign) for sign in signs])
        return Placement([self.plane_marker(scene), marker], par=[*self.law(), *half, corners], memory=memory)
