"""Instructions of our own for compiled kernels: what Numba has no Python for (a jump to an address, a lent record)."""

from __future__ import annotations

import functools
from collections.abc import Callable

from centrode.jit.untyped import Untyped


class Instruction:
    """Code that is written where a kernel calls this, instead of a call.

    Args:
        name: for messages.
        typed: as for ``numba.extending.intrinsic``: types of the arguments to a signature and the code generator.
        plain: what it does in plain Python.
    """

    def __init__(self, name: str, typed: Callable[..., Untyped], plain: Callable[..., Untyped] | None = None) -> None:
        self._name = name
        self.plain = plain
        self.code_generator = typed  # what it does is what this writes

    @functools.cached_property
    def _numba_type_(self) -> Untyped:
        """What Numba takes this for when a kernel that it compiles names it."""
        from numba.core import types
        from numba.core.typing.templates import infer, make_intrinsic_template

        template = make_intrinsic_template(self, self.code_generator, self._name, prefer_literal=False, kwargs={})
        infer(template)
        return types.Function(template)

    def __call__(self, *arguments: Untyped) -> Untyped:
        """Run in plain Python."""
        if self.plain is None:
            raise NotImplementedError(f"{self._name} is for compiled kernels")
        return self.plain(*arguments)

    def __repr__(self) -> str:
        return f"<instruction {self._name}>"
