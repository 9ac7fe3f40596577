"""What of a single-track machine is solid: wheels, frame, fork with handlebar, and the rider.

Proportions are those of the drawing (:mod:`centrode.vehicles.bicycle.appearance`), in radii of the rear wheel. Wheels
are cylinders, CLEARANCE smaller than they roll: they meet cars and walls, and the road when they have let go
(:mod:`centrode.vehicles.bicycle.wheel_grip`). The rider, who is stiff and cannot be thrown off, is a capsule from the
saddle to the top of the head, of the material "cyclist".
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from centrode.dynamics.contact.ground import CYCLE_MATERIAL as MATERIAL
from centrode.dynamics.contact.persons import CYCLIST
from centrode.math.rotation import frame_from_axis
from centrode.parts.outlines.capsule import OutlineCapsule
from centrode.parts.outlines.cylinder import OutlineCylinder
from centrode.parts.outlines.outline import Outline
from centrode.parts.outlines.polyhedron import OutlinePolyhedron
from centrode.parts.visual import vector
from centrode.vehicles.bicycle.parameters import BicycleParameters
from centrode.vehicles.bicycle.upper_body import BicycleUpperBody

CLEARANCE = 0.01
"""Of a wheel that rolls, over the road [m]."""
WHEEL, FRAME, FORK = 0.025, 0.05, 0.03
"""Half widths of wheels and frame, radius of the fork's tubes [m]."""
HANDLEBAR = 0.3
"""Half of its width [m]."""
RIDER = 0.17
"""Radius of the rider [m]: half the breadth of a trunk."""
CARRIES = 40.0
"""A frame heavier than this [kg] has a rider's mass in it."""


def bicycle_outlines(name: str, p: BicycleParameters, upper: BicycleUpperBody | None) -> list[Outline]:
    """Outlines of all bodies of a machine."""
    size = p.rear_radius
    ends = [("rear", p.rear_radius), ("front", p.front_radius)]
    found: list[Outline] = [
        OutlineCylinder(
            f"{name}.{end}-wheel.shell",
            body=f"{name}.{end}-wheel",
            material=MATERIAL,
            rotation=rows(frame_from_axis((0.0, 1.0, 0.0))),
            radius=radius - CLEARANCE,
            half_length=WHEEL,
        )
        for end, radius in ends
    ]
    crown, head = (on_steer_axis(p, height * p.front_radius) for height in (2.15, 2.7))
    span = crown[0]
    bracket = p.rear_hub + [0.42 * span, 0.0, -0.15 * size]
    seat = p.rear_hub + [0.22 * span, 0.0, 1.75 * size]
    corners = [p.rear_hub, bracket, seat, crown, head]
    sides = [vector(point - p.frame_centre + [0.0, y, 0.0]) for point in corners for y in (-FRAME, FRAME)]
    found.append(OutlinePolyhedron(f"{name}.frame.shell", body=f"{name}.frame", points=tuple(sides), material=MATERIAL))
    bar = on_steer_axis(p, 2.85 * p.front_radius)
    tips = [bar + [0.0, y, 0.0] for y in (-HANDLEBAR, HANDLEBAR)]
    for what, one, two in (("fork", p.front_hub, bar), ("handlebar", *tips)):
        bare = capsule(f"{name}.{what}.shell", f"{name}.fork", one - p.fork_centre, two - p.fork_centre, FORK)
        found.append(replace(bare, material=MATERIAL))
    if upper is not None or p.frame_mass > CARRIES:
        carrier, origin = (f"{name}.frame", p.frame_centre)
        if upper is not None:
            carrier, origin = f"{name}.upper-body", np.array([upper.x, 0.0, upper.z])
        hip, top = seat + [0.05 * size, 0.0, 0.3 * size], seat + [0.6 * size, 0.0, 2.7 * size]
        along = (top - hip) / np.linalg.norm(top - hip)
        one, two = hip + RIDER * along - origin, top - RIDER * along - origin
        found.append(replace(capsule(f"{name}.rider.shell", carrier, one, two, RIDER), material=CYCLIST))
    return found


def on_steer_axis(p: BicycleParameters, height: float) -> np.ndarray:
    """Point of the steer axis at a height over the ground [m]."""
    return p.steer_point + p.steer_axis * ((height - p.steer_point[2]) / p.steer_axis[2])


def capsule(name: str, body: str, one: np.ndarray, two: np.ndarray, radius: float) -> OutlineCapsule:
    """Capsule whose segment goes from one place to another, in body axes."""
    length = float(np.linalg.norm(two - one))
    axes = rows(frame_from_axis(tuple((two - one) / length)))
    return OutlineCapsule(
        name, body=body, centre=vector(0.5 * (one + two)), rotation=axes, radius=radius, half_length=0.5 * length
    )


def rows(matrix: np.ndarray) -> tuple[tuple[float, ...], ...]:
    """A matrix as tuples."""
    return tuple(tuple(map(float, row)) for row in matrix)
