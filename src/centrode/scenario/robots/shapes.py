"""Shapes that a robot is drawn as, and files that hold their triangles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from centrode.errors import InputError
from centrode.parts.part import Part
from centrode.parts.shapes.box import ShapeBox
from centrode.parts.shapes.capsule import ShapeCapsule
from centrode.parts.shapes.cylinder import ShapeCylinder
from centrode.parts.shapes.ellipsoid import ShapeEllipsoid
from centrode.parts.shapes.mesh import ShapeMesh
from centrode.parts.shapes.mesh_files import ENDINGS
from centrode.parts.shapes.sphere import ShapeSphere
from centrode.parts.visual import vector
from centrode.scenario.robots.description import Robot, RobotShape, Sizes

KINDS: Sizes = {
    "box": ShapeBox,
    "sphere": ShapeSphere,
    "ellipsoid": ShapeEllipsoid,
    "cylinder": ShapeCylinder,
    "capsule": ShapeCapsule,
    "mesh": ShapeMesh,
}


def shape_parts(robot: Robot, link: str, body: str, shapes: list[RobotShape], notes: list[str]) -> Iterator[Part]:
    """Parts that draw a link: what is meant to be seen, or what it touches with where there is no such shape."""
    seen = [shape for shape in shapes if shape.seen] or [shape for shape in shapes if shape.touches]
    number = 0
    for shape in seen:
        if shape.kind not in KINDS:
            continue
        number += 1
        place = {"centre": vector(shape.place[:3, 3]), "rotation": matrix_rows(shape.place[:3, :3])}
        part = KINDS[shape.kind](f"{link}-look{number}", body, **shape.sizes, **place, colour=shape.colour)
        try:
            yield part.checked()
        except InputError as error:
            notes.append(f"a shape of '{link}' is not drawn: {error.faults[0].what}")


def matrix_rows(matrix: np.ndarray) -> tuple[tuple[float, ...], ...]:
    """A rotation as rows of plain numbers, made orthogonal to round-off."""
    left, _, right = np.linalg.svd(matrix)
    return tuple(tuple(row) for row in (left @ right).tolist())


def find_mesh(name: str, folder: Path) -> Path | None:
    """The file that a robot means by a mesh's name: relative, absolute, file://, or package://name/...

    A package is looked for upwards from the robot's folder, among its neighbours there.
    """
    text = name.removeprefix("file://")
    for scheme in ("package://", "model://"):
        if text.startswith(scheme):
            inner = text.removeprefix(scheme)
            tail = inner.partition("/")[2]
            for base in (folder, *folder.resolve().parents):
                for candidate in (base / inner, base / tail):
                    if candidate.is_file():
                        return candidate
            return None
    try:
        candidate = folder / text
        return candidate if candidate.is_file() else None
    except (OSError, ValueError):
        return None


def mesh_sizes(name: str, folder: Path, scale: list[float], missing: list[str]) -> Sizes | None:
    """Sizes of a mesh that is drawn; None where its file is missing or of another format, which is noted."""
    file = find_mesh(name, folder)
    if file is None or file.suffix.lower() not in ENDINGS:
        missing.append(name)
        return None
    return {"file": file.as_posix(), "scale": tuple(scale)}


def missing_note(missing: list[str]) -> list[str]:
    """A sentence about meshes that are not drawn."""
    if not missing:
        return []
    names = list(dict.fromkeys(missing))
    shown = ", ".join(names[:3]) + (", ..." if names[3:] else "")
    return [f"{len(names)} mesh files cannot be found or read (.stl, .obj, .dae): {shown}"]
