"""Telling how far a run is while compiled code computes, which may be minutes until the next frames are handed over."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

OFTEN = 0.5
"""Seconds between two words."""


@contextmanager
def told_meanwhile(tell: Callable[[float, float], None] | None, now: Callable[[], float], end: float) -> Iterator[None]:
    """Call ``tell(now(), end)`` twice a second while the block runs, and once when it is done.

    Compiled code lets other threads run, so the calls during it come from one. What ``tell`` raises there is raised
    behind the block.
    """
    if tell is None:
        yield
        return
    over, raised = threading.Event(), []

    def watch() -> None:
        try:
            while not over.wait(OFTEN):
                tell(now(), end)
        except BaseException as error:  # for the thread that called
            raised.append(error)

    watcher = threading.Thread(target=watch, name="centrode progress", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
    if raised:
        raise raised[0]
    tell(now(), end)
