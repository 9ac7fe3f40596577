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
def _homes() -> dict[str, str]:
    """Public name -> module that defines it, as the stub beside this file says, one line for each."""
    import ast
    import pkgutil

    stub = ast.parse(pkgutil.get_data(__name__, "__init__.pyi") or b"")
    lines = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    return {item.name: node.module or "" for node in lines for item in node.names}


def __getattr__(name: str) -> Any:
    homes = {} if name.startswith("_") else _homes()
    if name not in homes:
        from centrode.errors import nearest_name

        nearest = nearest_name(name, list(homes))
        meant = f"; did you mean '{nearest}'?" if nearest else ""
        raise AttributeError(f"module 'centrode' has no attribute '{name}'{meant}", name=name, obj=None)
    value = getattr(__import__(homes[name], fromlist=[name]), name)
    globals()[name] = value  # the next use is a plain look-up
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_homes()})
