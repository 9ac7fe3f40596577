"""Triangles of a file (STL, OBJ, COLLADA), drawn on a body.

The file is read when the body is drawn. A fine one is drawn with fewer triangles: a page that shows a robot should not
weigh more than its motion.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from centrode.errors import Fault
from centrode.parts.part import quantity
from centrode.parts.shapes.mesh_files import ENDINGS, coarser, read_mesh
from centrode.parts.shapes.shape import Shape
from centrode.parts.visual import Visual, VisualMesh, VisualScene


@dataclass(frozen=True)
class ShapeMesh(Shape):
    """Triangles from a file, scaled along own axes."""

    kind: ClassVar[str] = "mesh"

    file: str = quantity("", "file with triangles: .stl, .obj or .dae", "")
    scale: tuple[float, float, float] = quantity("1", "factors along own x, y, z", (1.0, 1.0, 1.0))
    triangles: int = quantity("1", "most triangles that are drawn", 3000, minimum=12)

    def faults(self) -> list[Fault]:
        found = super().faults()
        if Path(self.file).suffix.lower() not in ENDINGS:
            found.append(self.fault("file", "no reader for this ending", expected="one of " + ", ".join(ENDINGS)))
        return found

    def visuals(self, scene: VisualScene) -> list[Visual]:
        vertices, faces = coarser(*read_mesh(self.file), int(self.triangles))
        # Six digits of the largest length: a micrometre of a robot.
        return self.drawn(VisualMesh, (vertices * self.scale).round(6).tolist(), faces.tolist())
