"""Who is told when a kernel is compiled: the library says nothing itself. Listening imports nothing."""

from __future__ import annotations

from collections.abc import Callable

Listener = Callable[[str, int], None]
_listeners: list[Listener] = []


def on_compile(listener: Listener) -> Callable[[], None]:
    """Have ``listener(name, left)`` called before a kernel is compiled, until what this gives back is called.

    ``left`` is how many kernels of the rooms that are in use have no machine code yet; a run may need fewer.
    """
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)


def announce(name: str, left: Callable[[], int]) -> None:
    """A kernel is about to be compiled."""
    if _listeners:
        count = left()
        for listener in _listeners:
            listener(name, count)
