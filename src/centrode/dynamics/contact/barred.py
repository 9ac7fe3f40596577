"""Bodies that a joint connects with the ground, so that they never touch its outlines, and might be expected to.

Nearly every mechanism has such bodies, and hardly one of them comes near a floor. Said is what can: what a joint holds
at a point moves on spheres about it, so an outline of bounding radius r at distance a from the point and one of the
ground with s at b stay apart while |b - a| > r + s, and a plane at height h below the point while h > a + r; what
slides straight keeps its height over a plane along which it goes. What is fixed to the ground is ground. Where a law
serves these two and no others, somebody counts on the contact.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from centrode.parts.contact_laws.contact_law import ContactLaw
from centrode.parts.joints.fixed import Fixed
from centrode.parts.joints.joint import Joint
from centrode.parts.joints.prismatic import Prismatic
from centrode.parts.outlines.outline import Outline
from centrode.parts.outlines.road import OutlineRoad
from centrode.parts.placement import GROUND, Scene

if TYPE_CHECKING:
    from centrode.system.builder import System

LEVEL = 1e-9
"""Sine of the angle between a slide and a plane that is none."""


def barred_bodies(
    system: System, scene: Scene, outlines: Sequence[Outline], laws: Sequence[ContactLaw], held: Sequence[str]
) -> tuple[str, ...]:
    """Those of the bodies that joints connect with the ground which may come to its outlines."""
    grounds = [item for item in outlines if item.body == GROUND and not isinstance(item, OutlineRoad)]
    found = []
    for name in held:
        own = [item for item in outlines if item.body == name]
        links = [
            part for part in system.parts.values()
            if isinstance(part, Joint) and {system.body_of(part.a), system.body_of(part.b)} == {GROUND, name}
        ]  # fmt: skip
        pairs = [pair for pair in itertools.product(own, grounds) if not (pair[0].half_space and pair[1].half_space)]
        if any(isinstance(part, Fixed) for part in links):
            continue
        if any(_meant(laws, outlines, pair) for pair in pairs) or any(_may_meet(scene, links, *pair) for pair in pairs):
            found.append(name)
    return tuple(found)


def _meant(laws: Sequence[ContactLaw], outlines: Sequence[Outline], pair: tuple[Outline, Outline]) -> bool:
    """Whether a law names the materials of two outlines, and no outline of another body has one of them."""
    materials, bodies = {item.material for item in pair}, {item.body for item in pair}
    named = any(law.between and set(law.between) == materials for law in laws)
    return named and not any(item.material in materials and item.body not in bodies for item in outlines)


def _may_meet(scene: Scene, links: Sequence[Joint], own: Outline, ground: Outline) -> bool:
    """Whether joints with the ground let an outline come to one of the ground, as far as bounding spheres tell."""
    position, rotation = scene.pose(own.body)
    centre, radius = position + rotation @ np.asarray(own.centre, dtype=float), own.bounding_radius()
    place, normal = np.asarray(ground.centre, dtype=float), np.asarray(ground.rotation, dtype=float)[:, 2]
    for part in links:
        if part.joins_points:
            of_ground, of_body = part.points(scene)
            if scene.resolve(part.a)[0] != GROUND:
                of_ground, of_body = of_body, of_ground
            arm = float(np.linalg.norm(centre - of_body))
            if ground.half_space:
                apart = float((of_ground - place) @ normal) - arm - radius
            else:
                apart = abs(float(np.linalg.norm(place - of_ground)) - arm) - radius - ground.bounding_radius()
            if apart > 0.0:
                return False
        elif isinstance(part, Prismatic) and ground.half_space:
            level = abs(float(part.axes(scene)[0] @ normal)) < LEVEL
            lowest = float((centre - place) @ normal) - _half_height(own, rotation, normal)
            if level and lowest > 0.0:
                return False
    return True


def _half_height(own: Outline, rotation: np.ndarray, normal: np.ndarray) -> float:
    """How far an outline reaches from its centre against a direction, at most [m]."""
    half = own.box()
    if half is None:
        return own.bounding_radius()
    axes = rotation @ np.asarray(own.rotation, dtype=float)
    return sum(abs(float(normal @ axes[:, k])) * float(half[k]) for k in range(3))
