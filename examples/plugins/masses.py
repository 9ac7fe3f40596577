"""A reader of one's own: bodies from a table, each tied to the one before by a spring.

A line of the file holds name, mass [kg] and place x, y, z [m]::

    a 1 0 0 0
    b 2 1.5 0 0

Check it with ``centrode check masses.py``; use it in a scenario with ``plugins: [masses.py]`` and ``kind: masses``
below ``imports``, or by the ending of a file: ``centrode run row.masses --plugin masses.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import centrode as ct


@dataclass(frozen=True)
class ImportMasses(ct.Import):
    """Bodies in a row, each tied to the one before by a spring."""

    kind: ClassVar[str] = "masses"
    endings: ClassVar[tuple[str, ...]] = (".masses",)

    stiffness: float = ct.quantity("N/m", "of the springs", 100.0, positive=True)

    def read(self) -> ct.System:
        """The file as a system of its own; a line that is no body is refused with its number."""
        system = ct.System()
        for number, line in enumerate(Path(self.file).read_text(encoding="utf-8").splitlines(), start=1):
            try:
                name, mass, *place = line.split()
                body = ct.RigidBody(name, mass=float(mass), inertia=(1.0, 1.0, 1.0), position=tuple(map(float, place)))
            except ValueError:
                raise ct.InputError("not a body", file=self.file, line=number, got=line) from None
            before = list(system.of_family("body"))
            system.add(body)
            if before:
                system.add(ct.Spring(f"tie{number}", before[-1], body, stiffness=self.stiffness, length=1.0))
        return system
