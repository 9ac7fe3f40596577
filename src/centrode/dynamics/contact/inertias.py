"""Inertias and masses that do not go with the size of a body: mostly typed in another unit.

A mass m whose outlines reach no farther than r from its centre of mass has principal moments of at most

    I <= m r^2,                                                                                           (1)

all of it on a ring of that radius. A solid one has two fifths of that as a ball, and moments cannot be much below those
of its thickness t without all mass at the centre: 2/5 m t^2. Entered in kg*mm2 or g*cm2 a moment is a million or ten
million times too large, in t*m2 a thousand times too small. Lengths entered in mm make a body as light as nothing is,
masses in g or lengths in km one as heavy as nothing is: a ball as thick as the thickest outline is the least of its
volume, balls about all of them the most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.outlines.box import OutlineBox
from centrode.parts.outlines.outline import Outline
from centrode.parts.outlines.sphere import OutlineSphere

if TYPE_CHECKING:
    from centrode.system.builder import System

LARGE = 2.0
"""Moment over that of (1) from which on somebody is told: outlines may be drawn a little smaller than a body is."""
SMALL = 1e-4
"""Moment over that of a ball of the thickness, below which somebody is told."""
THIN_AIR = 0.1
DENSE = 1e5
"""Densities [kg/m3] that no body has: a tenth of that of air, five times that of gold."""


def inertia_words(system: System, outlines: list[Outline]) -> list[str]:
    """Words on rigid bodies whose inertia is far from what their mass can have within their outlines."""
    vehicles = tuple(f"{part.name}." for part in system.of_family("vehicle"))
    found = []
    for body in system.parts.values():
        own = [item for item in outlines if item.body == body.name and not item.half_space]
        if own and isinstance(body, RigidBody) and not body.name.startswith(vehicles):
            found += body_words(body, own) or density_words(body, own)
    return found


def body_words(body: RigidBody, outlines: list[Outline]) -> list[str]:
    """Words on one body; none without inertia, which has a word of its own."""
    row = body.row()
    moments = np.sort(np.asarray(row.inertia, dtype=float))
    if not moments[-1] > 0.0:
        return []
    reach = max(float(np.linalg.norm(np.subtract(o.centre, row.centre))) + o.bounding_radius() for o in outlines)
    most, least = row.mass * reach**2, 0.4 * row.mass * max(o.least_half_width() for o in outlines) ** 2  # (1)
    solid = solid_words(row.mass, outlines)
    if moments[-1] > LARGE * most:
        return [
            f"'{body.name}' has a moment of inertia of {moments[-1]:.3g} kg*m2, {moments[-1] / most:.2g} times what "
            f"{row.mass:g} kg can have within {reach:.3g} m of their centre, where its outlines end: it will hardly "
            f"turn; {solid}. Is it in kg*m2?"
        ]
    if 0.0 < moments[0] < SMALL * least:
        return [
            f"'{body.name}' has a moment of inertia of {moments[0]:.3g} kg*m2, {moments[0] / least:.1g} of that of a "
            f"ball as thick as its outlines: contacts will spin it very fast; {solid}. Is it in kg*m2?"
        ]
    return []


def density_words(body: RigidBody, outlines: list[Outline]) -> list[str]:
    """Words on a body that is lighter or heavier for its size than any matter."""
    mass, ball = float(body.row().mass), 4.0 / 3.0 * np.pi
    least = ball * max(item.least_half_width() for item in outlines) ** 3
    most = ball * sum(item.bounding_radius() ** 3 for item in outlines)
    size = max(item.bounding_radius() for item in outlines)
    if mass < THIN_AIR * least:
        return [
            f"'{body.name}' has {mass:g} kg in outlines that reach {size:.3g} m: lighter than air, "
            f"{mass / least:.2g} kg/m3. Are its lengths in m?"
        ]
    if mass > DENSE * most:
        return [
            f"'{body.name}' has {mass:g} kg in outlines that reach {size:.3g} m: heavier than any matter, "
            f"{mass / most:.2g} kg/m3. Is its mass in kg, are its lengths in m?"
        ]
    return []


def solid_words(mass: float, outlines: list[Outline]) -> str:
    """What a solid body of this mass and shape has: a block, else a ball."""
    first = max(outlines, key=lambda item: item.bounding_radius())
    if isinstance(first, OutlineBox):
        a, b, c = (mass / 3.0 * length**2 for length in first.half_lengths)
        return f"a solid block as large as '{first.name}' has [{b + c:.3g}, {a + c:.3g}, {a + b:.3g}]"
    radius = first.radius if isinstance(first, OutlineSphere) else first.bounding_radius()
    return f"a solid ball of {radius:.3g} m has {0.4 * mass * radius**2:.3g}"
