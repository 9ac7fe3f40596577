"""A plugin of pytest for mutation runs: tests that take too long are stopped, whatever else the machine does.

The time that counts is the processor's, so a busy machine leaves out no more tests than a quiet one. The alarm comes
again every second until the test has ended: an exception that falls into a callback of the garbage collector, where
nothing can catch it, is dropped by Python, and such a test ran for ever. A test function of which one case was
stopped is passed over with the others.

A test that is stopped in the midst of an expression may have no line number: Python 3.11 gives such a frame the line
None, on which pytest ends with an internal error and loses the whole run.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from types import FrameType

import pytest
from _pytest._code.code import TracebackEntry

stopped: set[str] = set()


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--slowest``: processor time of a test [s]."""
    parser.addoption("--slowest", type=float, default=2.0)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Pass over the cases of a test that has been stopped before."""
    if _function(item) in stopped:
        pytest.skip("other cases of it take too long")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Stop a test after the time that is allowed."""

    def stop(number: int, frame: FrameType | None) -> None:
        stopped.add(_function(item))
        pytest.skip("takes too long")  # Hypothesis hands it on; it would make a failure smaller for minutes

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, item.config.getoption("--slowest"), 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)


def _function(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


def _line(entry: TracebackEntry) -> int:
    return (entry._rawentry.tb_lineno or entry._rawentry.tb_frame.f_code.co_firstlineno) - 1


TracebackEntry.lineno = property(_line)  # type: ignore[assignment, method-assign]
