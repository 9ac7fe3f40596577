"""From structures of bodies to strips of columns, and from outlines to the solids that press them in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from centrode.dynamics.contact.strip_tables import CELL, INDEXED, MOST_EDGES, SOLID, STRIP, Side
from centrode.errors import InputError
from centrode.parts.contact_laws.contact_law import ContactLaw
from centrode.parts.outlines.outline import Outline, Shapes
from centrode.parts.outlines.support import support_own
from centrode.parts.structures.structure import Structure

if TYPE_CHECKING:
    from centrode.system.builder import System

X, Y, Z = np.eye(3)
LAID = {  # along, across, inwards, and the group of a structure's numbers
    Side.FRONT: (Y, Z, -X, 0),
    Side.REAR: (Y, Z, X, 1),
    Side.LEFT: (X, Z, -Y, 2),
    Side.RIGHT: (X, Z, Y, 2),
    Side.ROOF: (X, Y, -Z, 3),
    Side.FLOOR: (X, Y, Z, 3),
}
COLUMNS_EACH = 128
"""Columns that a body may have pressed in, when there are many bodies."""


def crush_tables(
    system: System, outlines: list[Outline], laws: list[ContactLaw], rows: np.ndarray, shapes: Shapes
) -> dict[str, np.ndarray]:
    """The constant tables of :mod:`columns`; empty where no law leaves the pressing to columns.

    Raises:
        InputError: a law of crush, and no body with a structure.
    """
    solids = np.zeros(len(outlines), SOLID)
    planes: list[np.ndarray] = []
    strips: list[np.ndarray] = []
    cells: list[np.ndarray] = []
    crushes = [law for law in laws if law.by_columns]
    if crushes:
        structures = structures_of(system, outlines)
        if not set(structures) & {item.name for item in outlines}:
            raise InputError(
                "no body has a structure that could be crushed",
                path=crushes[0].name,
                expected="a car, or a part in structures",
                hint="give one of the bodies a structure, or take another law, such as crush-width",
            )
        for k, item in enumerate(outlines):
            found = planes_of(rows[k], shapes)
            solids[k].first_plane, solids[k].planes = sum(map(len, planes)), len(found)
            planes.append(found)
            structure = structures.get(item.name)
            if structure is not None:
                solids[k].first_strip = sum(map(len, strips))
                made = lay_strips(structure, found, extents(rows[k], shapes), cells)
                solids[k].strips, solids[k].each = len(made), structure.strips
                for side in Side:
                    of_side = np.flatnonzero(made["side"] == side)
                    solids[k].of_side[side] = solids[k].first_strip + of_side[0] if len(of_side) else -1
                made["outline"] = k
                least, most = (made["middle"] - made["half"]).min(axis=0), (made["middle"] + made["half"]).max(axis=0)
                solids[k].middle, solids[k].half = 0.5 * (least + most), 0.5 * (most - least)
                strips.append(made)
    strip_table = np.concatenate(strips) if strips else np.zeros(0, STRIP)
    cell_table = np.concatenate(cells) if cells else np.zeros(0, CELL)
    cell_table["strip"] = np.repeat(np.arange(len(strip_table)), strip_table["cells"])
    return {
        "law_crushes": np.array([int(law.by_columns) for law in laws], dtype=np.int64),
        "solids": solids,
        "solid_planes": np.concatenate(planes) if planes else np.zeros((0, 4)),
        "strips": strip_table,
        "cells": cell_table,
        "indexed": np.zeros(room_for_columns(solids, cell_table), INDEXED),
    }


def room_for_columns(solids: np.ndarray, cells: np.ndarray) -> int:
    """Columns that may be pressed in during a run."""
    bodies = int(np.count_nonzero(solids["strips"]))
    return int(min(3 * len(cells) // 2, max(COLUMNS_EACH * bodies, 1024) if bodies else 0))


def structures_of(system: System, outlines: list[Outline]) -> dict[str, Structure]:
    """Structures by the name of their outline; those on the body of a vehicle have the vehicle's where none is said."""
    found = {part.outline: part for part in system.parts.values() if isinstance(part, Structure) and part.outline}
    for vehicle in system.of_family("vehicle"):
        structure, shell = vehicle.structure_of(system.parts), vehicle.shell(True)
        if isinstance(structure, Structure) and isinstance(shell, Outline):
            found |= {item.name: structure for item in outlines if item.body == shell.body and item.name not in found}
    return found


def planes_of(row: np.record, shapes: Shapes) -> np.ndarray:
    """An outline as a solid between planes n . x <= o, own axes, shape (n, 4): exact for faces, tangents else."""
    if row.half_space:
        return np.array([[0.0, 0.0, 1.0, 0.0]])
    if row.faces and not row.curved:
        found = shapes.faces[row.first_face : row.first_face + row.faces]
        if len(found) + 4 > MOST_EDGES:
            raise InputError(
                "too many faces for a body in a crash", got=len(found), expected=f"{MOST_EDGES - 4} or less"
            )
        return np.asarray(found)
    directions = np.concatenate([np.eye(3), -np.eye(3)])
    if row.curved:
        # Enough that a pole of 13 cm is round to half a millimetre: 32 about z, and some for the caps.
        rings = [(0.0, 32), (0.5, 12), (-0.5, 12), (1.0, 8), (-1.0, 8)]
        directions = np.array(
            [
                [np.cos(up) * np.cos(a), np.cos(up) * np.sin(a), np.sin(up)]
                for up, count in rings
                for a in np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
            ]
            + [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]
        )
    offsets = [support_own(row, shapes, tuple(float(x) for x in n))[0] for n in directions]
    return np.column_stack([directions, offsets])


def extents(row: np.record, shapes: Shapes) -> tuple[np.ndarray, np.ndarray]:
    """Least and greatest coordinates of an outline in own axes [m]."""
    high = np.array([support_own(row, shapes, tuple(n))[0] for n in np.eye(3).tolist()])
    low = np.array([-support_own(row, shapes, tuple(n))[0] for n in (-np.eye(3)).tolist()])
    return low, high


def lay_strips(
    structure: Structure, planes: np.ndarray, size: tuple[np.ndarray, np.ndarray], cells: list[np.ndarray]
) -> np.ndarray:
    """Strips of a structure on a solid with these planes and extents; their cells are appended to a list."""
    low, high = size
    half_width, length = 0.5 * (high[1] - low[1]), high[0] - low[0]
    made = []
    for side, (along, across, inward, group) in LAID.items():
        if side in (Side.ROOF, Side.FLOOR):
            bottom, top = across @ low, across @ high
        else:
            bottom, top = low[2] + structure.low[group], min(low[2] + structure.high[group], high[2])
        if not top > bottom:
            continue
        band = (top - bottom) / structure.strips
        outer = float(min(inward @ low, inward @ high))
        for k in range(structure.strips):
            strip = np.zeros(1, STRIP)[0]
            strip.side, strip.along, strip.across, strip.inward = side, along, across, inward
            strip.height, strip.band = bottom + (k + 0.5) * band, band
            strip.low, strip.high, strip.outer = along @ low, along @ high, outer
            strip.length = abs(inward @ (high - low))  # a depth is that of both bodies together
            if side not in (Side.FRONT, Side.REAR):
                # What comes in beyond the diagonal from a corner to the middle line belongs to front or rear.
                strip.length, strip.inset = 0.98 * strip.length, 0.45 * length
            if side in (Side.ROOF, Side.FLOOR):  # and what comes in from the sides to them
                strip.length *= 1.0 - abs(strip.height) / half_width
            half_along, half_deep = 0.5 * (strip.high - strip.low), 0.5 * strip.length
            strip.middle = (strip.low + half_along) * along + strip.height * across + (outer + half_deep) * inward
            strip.half = abs(half_along * along + 0.5 * band * across + half_deep * inward)
            strip.cells = max(1, round((strip.high - strip.low) / structure.cell))
            strip.cell = (strip.high - strip.low) / strip.cells
            strip.first = sum(map(len, cells))
            strip.curve = structure.curve(group, top - bottom)
            rise, run = np.diff(strip.curve.pressure[:2])[0], np.diff(strip.curve.crush[:2])[0]
            strip.stiffness = rise / run
            strip.beam, strip.ramp, strip.residual = structure.beam, structure.ramp, structure.residual
            strip.weak, strip.hook = structure.across, structure.hook
            strip.slow, strip.fast = structure.restitution
            strip.speed = structure.restitution_speed
            cells.append(cells_of(strip, planes))
            weaken(strip, cells[-1], structure, half_width)
            made.append(strip)
    return np.array(made, dtype=STRIP)


def cells_of(strip: np.record, planes: np.ndarray) -> np.ndarray:
    """Cells of a strip: where each begins on its own solid."""
    found = np.zeros(strip.cells, CELL)
    found["along"] = strip.low + (np.arange(strip.cells) + 0.5) * strip.cell
    found["strength"] = found["springs"] = 1.0
    normals, offsets = planes[:, :3], planes[:, 3]
    facing = normals @ strip.inward
    left = offsets - strip.height * (normals @ strip.across) - np.outer(found["along"], normals @ strip.along)
    inwards, outwards = facing < -1e-9, facing > 1e-9
    enter = (left[:, inwards] / facing[inwards]).max(axis=1, initial=strip.outer)
    leave = (left[:, outwards] / facing[outwards]).min(axis=1, initial=np.inf)
    beside = (left[:, ~(inwards | outwards)] < 0.0).any(axis=1)
    found["start"] = np.where((enter < leave) & ~beside, enter, strip.outer + 2.0 * strip.length)
    return found


def weaken(strip: np.record, cells: np.ndarray, structure: Structure, half_width: float) -> None:
    """Set the strength of cells outside the rails and on the fenders, and what share of their work they give back.

    What gives back is the body behind, equally stiff everywhere: it stores with the square of the pressure, while the
    work goes with the pressure itself, so the share goes with the strength. A bowed front is met by its middle first
    and by its whole width later: the factor lies between the two, so that e is that of the side to 3 % in both.
    """
    if strip.side == Side.FRONT:
        inside = structure.rails * half_width - abs(cells["along"])
    elif strip.side in (Side.LEFT, Side.RIGHT):
        inside = strip.high - structure.fender - cells["along"]
    else:
        return
    strong = np.clip(inside / strip.cell + 0.5, 0.0, 1.0)
    strength = strong + (1.0 - strong) * structure.outboard
    cells["strength"] = strength
    cells["springs"] = strength * (strength.sum() / (strength**2).sum()) ** 0.62
