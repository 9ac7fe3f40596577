"""A trial of kernels that are not the house's, in plain Python, before their machine code runs for the first time.

A force that asks for a marker it did not place, a body that reads numbers it did not give, or a joint that writes a row
more than there is, ends the process without a word, or worse, does not. In plain Python it is an index that is out of
bounds, at a line of a file.

Tables are longer than what one part put into them: rows of parameters are as wide as the widest, and all numbers of all
parts lie in one pool. What a part did not place is a zero there, or a number of its neighbour's. The trial hands out
tables that know which of their elements are the part's own (:class:`_Watched`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from centrode.errors import InputError
from centrode.parts.bodies.body import OPTIONAL_STAGES, STAGES, Body
from centrode.parts.forces.force import Force
from centrode.parts.joints.joint import Joint
from centrode.parts.kernel_notes import is_ours, kernel_of, reading_fault
from centrode.parts.kernel_types import JOINT_DATA, LINK_DATA
from centrode.parts.tables import PlainRow, Tables
from centrode.system.scene import SystemScene

if TYPE_CHECKING:
    from centrode.dynamics.workspace import Workspace
    from centrode.jit.untyped import Untyped
    from centrode.parts.part import Part
    from centrode.parts.placement import Placement


class _Watched(np.ndarray):  # type: ignore[type-arg]
    """A table that knows what may be read of it.

    Attributes:
        own: whether an element is the part's, of the shape of the table.
        words: what is said of one that is not; with its column, or its place behind ``first``.
        first: where the part's own elements begin.
        number: flat index of every element in the whole table.
    """

    own: np.ndarray
    words: str
    first: int
    number: np.ndarray

    def __getitem__(self, key: Untyped) -> Untyped:
        try:
            found, own = np.asarray(self)[key], self.own[key]
        except IndexError:  # past the whole table, where the last part's own end with it
            ahead = key[-1] if isinstance(key, tuple) else int(key) + int(self.number.flat[0]) - self.first
            raise self._outside(ahead) from None
        if isinstance(found, np.ndarray):
            return _watched(found, own, self.words, self.first, self.number[key])
        if not own:
            raise self._outside(int(self.number[key]) - self.first)
        return found

    def _outside(self, ahead: int) -> IndexError:
        return IndexError(self.words.format(ahead) if ahead >= 0 else "numbers of another part, before its own")


def _watched(table: np.ndarray, own: np.ndarray, words: str, first: int, number: np.ndarray | None = None) -> _Watched:
    found = table.view(_Watched)
    found.own, found.words, found.first = own, words, first
    found.number = np.arange(table.size).reshape(table.shape) if number is None else number
    return found


class _Call(NamedTuple):
    """A kernel and what it is given."""

    kernel: Untyped
    arguments: tuple[object, ...]


def try_foreign_kernels(workspace: Workspace, time: float) -> None:
    """Call the kernels of parts from outside the package once, on copies of the tables of a run.

    Raises:
        InputError: one that reads or writes outside of its tables, or what its part did not place, with file and line.
    """
    model, faults = workspace.model, []
    parts: tuple[Part, ...] = (*model.body_parts, *model.joints, *model.forces)
    foreign = {type(part): part for part in parts if not is_ours(type(part))}
    if not foreign:
        return
    workspace.place_markers()
    for part in foreign.values():  # the last of each kind, next to the end of the tables
        calls = _calls_of_body(workspace, part) if isinstance(part, Body) else _calls_of_link(workspace, part, time)
        faults += [fault for call in calls if (fault := reading_fault(part.name, *call))][:1]
    if faults:
        raise InputError(faults)


def _calls_of_link(workspace: Workspace, part: Part, time: float) -> Iterator[_Call]:
    """Kernels of a force or joint."""
    assert isinstance(part, Force | Joint)
    w, model, family = workspace, workspace.model, part.family
    number = model.force_index(part.name) if isinstance(part, Force) else model.joint_index(part.name)
    placed = part.place(SystemScene(model.system))
    par, link = w[f"{family}_par"].copy(), w[f"{family}_link"]
    own = np.zeros(par.shape, dtype=bool)
    own[number, : len(placed.par)] = True
    words = f"index {{}} of 'par' of the placement, which holds {len(placed.par)}"
    offset = int(link[number, LINK_DATA if isinstance(part, Force) else JOINT_DATA])
    given: list[object] = [time, number, 1, _watched(par, own, words, number * par.shape[1]), link]
    given += [_pool(w["data"], offset, placed), w["inputs"], w[f"{family}_memory"].copy(), w["markers"].copy()]
    if isinstance(part, Joint):
        kernel = kernel_of(type(part), "plane_kernel" if model.plane else "spatial_kernel")
        yield _Call(kernel, (*given, w["jacobian"].copy(), w["terms"].copy()))
        return
    force, energy = kernel_of(type(part), "force_kernel"), kernel_of(type(part), "energy_kernel")
    yield _Call(force, (*given, w["states"], w["wrench"].copy(), np.zeros(max(1, w["states"].size))))
    if energy is not None:
        yield _Call(energy, (*given, w["states"], np.zeros(len(model.forces))))


def _pool(data: np.ndarray, offset: int, placed: Placement) -> _Watched:
    """The pool of numbers with those of one part, and the tables that it shares, as its own."""
    own = np.zeros(data.size, dtype=bool)
    spans = [(offset, len(placed.data))]
    spans += [(int(data[offset + slot]), table.size) for slot, table in placed.shared.items()]
    for first, count in spans:
        own[first : first + count] = True
    return _watched(data.copy(), own, f"index {{}} of 'data' of the placement, which holds {len(placed.data)}", offset)


def _calls_of_body(workspace: Workspace, part: Body) -> Iterator[_Call]:
    """Kernels of a body, but for the rows of its joints, which are those of many bodies."""
    model = workspace.model
    b = model.body_index(part.name)
    row, offset = model.body_rows[b - 1], int(model.bodies[b]["data"])
    fields = workspace.tables._asdict()
    copies = {name: _copied(value) for name, value in fields.items() if isinstance(value, np.ndarray)}
    tables = Tables(**{**fields, **copies})
    own = np.zeros(tables.data.size, dtype=bool)
    own[offset : offset + len(row.data)] = True
    words = f"index {{}} of 'data' of its row, which holds {len(row.data)}"
    tables = tables._replace(data=_watched(tables.data, own, words, offset))
    for stage in (*STAGES, *OPTIONAL_STAGES):
        kernel = kernel_of(type(part), f"{stage}_kernel")
        if kernel is not None and stage != "weigh_rows":
            yield _Call(kernel, (b, b + 1, tables))


def _copied(table: np.ndarray) -> np.ndarray:
    """A copy; of a table of records one whose fields plain Python reads as attributes."""
    return table.copy() if table.dtype.names is None else table.copy().view(np.dtype((PlainRow, table.dtype)))
