"""What a robot touches with, and the ground that it stands on.

Collision shapes become outlines: boxes, spheres, capsules and ellipsoids as they are, cylinders as prisms, meshes as
their convex hull with few corners. The law of the ground is that of a firm floor under a machine:

- It gives way by SINK under the whole weight, with friction FRICTION (rubber on a hard floor).
- Damping relative to the spring DAMPING: a foot that comes down at 0.5 m/s bounces with a third of its speed.
- A foot that stands is held by bristles as stiff as the ground and damped by a fifth of critical for the whole mass, so
  that it stands still on its friction and a light foot is not braked faster than it bounces.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from centrode.errors import InputError
from centrode.parts.contact_laws.hunt_crossley import HuntCrossley
from centrode.parts.outlines.box import OutlineBox
from centrode.parts.outlines.capsule import OutlineCapsule
from centrode.parts.outlines.ellipsoid import OutlineEllipsoid
from centrode.parts.outlines.plane import OutlinePlane
from centrode.parts.outlines.polyhedron import OutlinePolyhedron
from centrode.parts.outlines.sphere import OutlineSphere
from centrode.parts.part import Part
from centrode.parts.placement import GROUND
from centrode.parts.shapes.mesh_files import read_mesh
from centrode.parts.visual import vector
from centrode.scenario.robots.description import RobotShape, Sizes
from centrode.scenario.robots.shapes import matrix_rows

SINK = 2e-3
FRICTION = 0.8
DAMPING = 3.0


def contact_parts(link: str, body: str, shapes: list[RobotShape], notes: list[str]) -> Iterator[Part]:
    """Outlines of a link."""
    number = 0
    for shape in shapes:
        if not shape.touches:
            continue
        number += 1
        try:
            yield outline_of(f"{link}-outline{number}", body, shape).checked()
        except InputError as error:
            notes.append(f"a collision shape of '{link}' touches nothing: {error.faults[0].what}")


def outline_of(name: str, body: str, shape: RobotShape) -> Part:
    """The outline of a collision shape."""
    sizes: Sizes = shape.sizes
    place: Sizes = {
        "body": body,
        "centre": vector(shape.place[:3, 3]),
        "rotation": matrix_rows(shape.place[:3, :3]),
    }
    if shape.kind == "box":
        return OutlineBox(name, **place, half_lengths=vector(0.5 * np.asarray(sizes["size"])))
    if shape.kind == "sphere":
        return OutlineSphere(name, **place, radius=sizes["radius"])
    if shape.kind == "ellipsoid":
        return OutlineEllipsoid(name, **place, semi_axes=sizes["semi_axes"])
    if shape.kind == "capsule":
        return OutlineCapsule(name, **place, radius=sizes["radius"], half_length=sizes["half_length"])
    if shape.kind == "plane":
        return OutlinePlane(name, **place)
    points = prism(**sizes) if shape.kind == "cylinder" else hull_points(sizes["file"], sizes["scale"])
    return OutlinePolyhedron(name, **place, points=tuple(map(tuple, points.tolist())))


def prism(radius: float, length: float, sides: int = 16) -> np.ndarray:
    """Corners of a prism around a cylinder, its sides touching [m], shape (2 sides, 3)."""
    turn = 2.0 * math.pi * (np.arange(sides) + 0.5) / sides
    reach = radius / math.cos(math.pi / sides)
    ring = reach * np.column_stack([np.cos(turn), np.sin(turn)])
    return np.vstack([np.column_stack([ring, np.full(sides, end)]) for end in (-0.5 * length, 0.5 * length)])


def hull_points(file: str, scale: tuple[float, ...], most: int = 40) -> np.ndarray:
    """Corners of the convex hull of a mesh, so many at most: the farthest in directions spread over the sphere."""
    vertices, _ = read_mesh(file)
    points = np.unique(vertices * scale, axis=0)
    if len(points) <= most:
        return points
    k = np.arange(most) + 0.5
    height, turn = 1.0 - 2.0 * k / most, math.pi * (1.0 + math.sqrt(5.0)) * k  # Fibonacci's lattice
    across = np.sqrt(1.0 - height**2)
    directions = np.column_stack([across * np.cos(turn), across * np.sin(turn), height])
    return points[np.unique((directions @ points.T).argmax(axis=1))]


def ground_parts(height: float, mass: float, gravity: float) -> list[Part]:
    """Level ground and its law, for a robot of a mass [kg]."""
    stiffness = mass * (gravity if gravity > 0.0 else 9.81) / SINK
    law = HuntCrossley(
        "ground-law",
        stiffness=stiffness,
        damping=DAMPING,
        friction=FRICTION,
        stick_stiffness=stiffness,
        stick_damping=0.4 * math.sqrt(stiffness * mass),
    )
    return [OutlinePlane("ground-plane", body=GROUND, centre=(0.0, 0.0, height)), law]
