"""Compilations are told: in a log now and then, on a terminal in one line, and not where nobody wants lines."""

from __future__ import annotations

import io
import sys

import pytest

from centrode import compilations
from centrode.cli import output


def told(monkeypatch: pytest.MonkeyPatch, *, terminal: bool, lines: bool) -> str:
    """What is said of six kernels that take 6 s each."""
    stream, now = io.StringIO(), [100.0]
    monkeypatch.setattr(stream, "isatty", lambda: terminal, raising=False)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(output.time, "monotonic", lambda: now[0])
    with output.telling_of_compilations(lines):
        for number in range(6):
            compilations.announce(f"room.kernel{number}", lambda number=number: 6 - number)
            now[0] += 6.0
    compilations.announce("room.later", lambda: 1)
    return stream.getvalue()


def test_a_log_is_told_at_once_and_every_quarter_of_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    said = told(monkeypatch, terminal=False, lines=True).splitlines()
    assert said == [
        "compiling room.kernel0, kernel 1, and at most 5 more; later runs start at once ...",
        "compiling room.kernel3, kernel 4, and at most 2 more ...",
    ]


def test_a_terminal_names_every_kernel_in_one_line_whatever_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    for lines in (True, False):
        said = told(monkeypatch, terminal=True, lines=lines)
        assert said.count("\n") == 0 and said.endswith("\r\x1b[K")
        assert [f"compiling kernel{number} (kernel {number + 1}" in said for number in range(6)] == [True] * 6


def test_a_quiet_log_stays_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(monkeypatch, terminal=False, lines=False) == ""
