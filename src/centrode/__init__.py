"""Centrode: an open laboratory for the motion of vehicles and mechanisms.

>>> import centrode as ct

offers every kind of part by its name (``ct.Revolute``, ``ct.Car``, ``ct.TyreCalspan``) and all that is needed to build,
run, look at and study systems. A name is imported when it is first used, so ``import centrode`` stays quick and a
command that only prints its help does not wait for a compiler.
"""

from __future__ import annotations

import functools
from typing import Any

__version__ = "0.1.0"


@functools.cache
def _places() -> dict[str, tuple[str, str]]:
    """Public name -> module that defines it and its name there, by the stub beside this file, a line for each."""
    import ast
    import pkgutil

    stub = ast.parse(pkgutil.get_data(__name__, "__init__.pyi") or b"")
    lines = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    found = {item.name: (node.module or "", item.name) for node in lines for item in node.names}
    for node in stub.body:
        if isinstance(node, ast.Assign):  # a second name for a public one
            found[ast.unparse(node.targets[0])] = found[ast.unparse(node.value)]
    return found


def _homes() -> dict[str, str]:
    """Public name -> module that defines it."""
    return {name: module for name, (module, _) in _places().items()}


def __getattr__(name: str) -> Any:
    places = {} if name.startswith("_") else _places()
    if name not in places:
        from centrode.errors import NO_SUCH_THING, nearest_name

        nearest, known = nearest_name(name, list(places)), NO_SUCH_THING.get(name.lower(), "")
        meant = f"; did you mean '{nearest}'?" if nearest else f"; {known}" if known else ""
        raise AttributeError(f"module 'centrode' has no attribute '{name}'{meant}", name=name, obj=None)
    module, inner = places[name]
    value = getattr(__import__(module, fromlist=[inner]), inner)
    globals()[name] = value  # the next use is a plain look-up
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_homes()})
