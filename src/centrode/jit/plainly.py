"""A kernel as plain Python, with all that it calls: slow, and an index outside of a table is an error there.

Machine code does not look: it reads what lies behind the table, or ends the process.
"""

from __future__ import annotations

import types
from collections.abc import Callable

from centrode.jit.kernel import Kernel
from centrode.jit.untyped import Untyped


class _Room:
    """A module of the house whose kernels are plain Python."""

    def __init__(self, module: types.ModuleType, made: dict[Untyped, Untyped]) -> None:
        self._module, self._made = module, made

    def __getattr__(self, name: str) -> Untyped:
        return _plain(getattr(self._module, name), self._made)


def plainly(kernel: Untyped) -> Callable[..., Untyped]:
    """The function of a kernel that calls the functions of kernels, not their machine code."""
    found: Callable[..., Untyped] = _plain(kernel, {})
    return found


def _plain(value: Untyped, made: dict[Untyped, Untyped]) -> Untyped:
    if isinstance(value, types.ModuleType) and value.__name__.partition(".")[0] == "centrode":
        return _Room(value, made)
    if not isinstance(value, Kernel):
        return value
    function = value.py_func
    if function not in made:
        names = dict(function.__globals__)
        made[function] = types.FunctionType(
            function.__code__, names, function.__name__, function.__defaults__, function.__closure__
        )
        names |= {name: _plain(names[name], made) for name in function.__code__.co_names if name in names}
    return made[function]
