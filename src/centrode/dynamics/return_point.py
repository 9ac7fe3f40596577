"""A moment of a run to which it can go back: everything that steps change, and nothing else."""

from __future__ import annotations

from typing import Any

_TABLES = ("joint_memory", "force_memory", "row_active", "data")


class ReturnPoint:
    """The present moment of a run.

    Args:
        workspace: its tables.
        run: time, step and counters (:class:`centrode.methods.method.Run`).
        events: list of events so far; later ones are forgotten when the run goes back.
    """

    def __init__(self, workspace: Any, run: Any, events: list[Any]) -> None:
        self._workspace, self._run, self._events = workspace, run, events
        self._tables = {name: workspace[name].copy() for name in _TABLES}
        self._values = workspace.values.copy()
        self._record, self._count = run.record.copy(), len(events)

    def go_back(self) -> None:
        """Put the run back to this moment."""
        for name, values in self._tables.items():
            self._workspace[name][:] = values
        self._workspace.values[:] = self._values
        self._run.record[:] = self._record
        del self._events[self._count :]
