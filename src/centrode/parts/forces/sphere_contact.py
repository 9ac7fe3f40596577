"""Contact of a sphere on a body with a plane on another body or the ground.

Centre c, radius r, depth d = r - height of c above the plane. The force of
:mod:`centrode.parts.forces.plane_contact` acts at the foot c - (r - d) n, so a rolling sphere has no slip there. In
a plane system the sphere is a disc and the plane a line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.jit import step_kernel
from centrode.math.vector import plus_times
from centrode.parts.forces.plane_contact import (
    CONTACT_WIDTH,
    PlaneContact,
    add_contact,
    contact_energy,
    height,
    until_change,
)
from centrode.parts.kernel_types import ENERGY_SIGNATURE, EVENT_SIGNATURE, FORCE_SIGNATURE
from centrode.parts.markers import Z, axis, ends, position, release
from centrode.parts.part import quantity
from centrode.parts.placement import GROUND, Placement, Scene
from centrode.parts.visual import Layer, Visual, VisualCylinder, VisualScene, VisualSphere, vector

RADIUS = CONTACT_WIDTH


@step_kernel(signature=FORCE_SIGNATURE)
def sphere_contact_force(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """Force at the foot of the centre on the plane."""
    for i in range(first, first + count):
        a, b = ends(link, i)
        release(wrench, a)
        release(wrench, b)
        h = height(markers, a, position(markers, b))
        foot = plus_times(position(markers, b), -h, axis(markers, a, Z))
        add_contact(par, i, markers, a, b, foot, par[i, RADIUS] - h, wrench)


@step_kernel(signature=ENERGY_SIGNATURE)
def sphere_contact_energy(time, first, count, par, link, data, inputs, memory, markers, states, energy):
    """Energy of the depth."""
    for i in range(first, first + count):
        a, b = ends(link, i)
        energy[i] = contact_energy(par, i, par[i, RADIUS] - height(markers, a, position(markers, b)))


@step_kernel(signature=EVENT_SIGNATURE)
def sphere_contact_event(time, first, count, par, link, data, inputs, memory, markers, states, multipliers, values):
    """Touch and lift-off."""
    for i in range(first, first + count):
        a, b = ends(link, i)
        values[i] = until_change(memory, i, height(markers, a, position(markers, b)) - par[i, RADIUS])


@dataclass(frozen=True)
class SphereContact(PlaneContact):
    """Sphere (in a plane system a disc) against a plane."""

    kind: ClassVar[str] = "sphere-contact"
    force_kernel: ClassVar[Any] = sphere_contact_force
    energy_kernel: ClassVar[Any] = sphere_contact_energy
    event_kernel = sphere_contact_event

    body: Any = quantity("", "body, or point on it, that is the centre of the sphere", refers_to="body")
    radius: float = quantity("m", "radius; 0 is a point", 0.0, minimum=0.0)
    point_body: tuple[float, ...] | None = quantity("m", "centre of the sphere, in the body's frame", None)

    def place(self, scene: Scene) -> Placement:
        centre, place = self.end(scene, "body")
        memory = self.start_memory(scene, [place], self.radius)
        return Placement([self.plane_marker(scene), centre], par=[*self.law(), self.radius], memory=memory)

    def visuals(self, scene: VisualScene) -> list[Visual]:
        marker, radius = scene.markers(self)[1], float(self.radius)
        if radius == 0.0 or marker.body == GROUND:
            return []
        cap = vector(marker.position + np.array([0.0, 0.0, 0.96 * radius]))  # shows how the ball turns
        return [
            VisualSphere(marker.body, radius, position=vector(marker.position), layer=Layer.ROLLING),
            VisualCylinder(marker.body, 0.33 * radius, 0.1 * radius, position=cap, colour="white", layer=Layer.ROLLING),
        ]
