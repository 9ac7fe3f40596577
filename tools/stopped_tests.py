"""A plugin of pytest for mutation runs: a test that is stopped in the midst of an expression may have no line number.

Python 3.11 gives such a frame the line None, on which pytest ends with an internal error and loses the whole run.
"""

from __future__ import annotations

from _pytest._code.code import TracebackEntry


def _line(entry: TracebackEntry) -> int:
    return (entry._rawentry.tb_lineno or entry._rawentry.tb_frame.f_code.co_firstlineno) - 1


TracebackEntry.lineno = property(_line)  # type: ignore[assignment, method-assign]
