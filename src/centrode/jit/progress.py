"""Who is told when a kernel is compiled: the library says nothing itself."""

from __future__ import annotations

from collections.abc import Callable

Listener = Callable[[str], None]
_listeners: list[Listener] = []


def on_compile(listener: Listener) -> Callable[[], None]:
    """Have ``listener(name)`` called before a kernel is compiled, until what this gives back is called."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)


def announce(name: str) -> None:
    """A kernel is about to be compiled."""
    for listener in _listeners:
        listener(name)
