"""Instructions of our own for compiled kernels: what Numba has no Python for (a jump to an address, a lent record)."""

from __future__ import annotations

from collections.abc import Callable

from numba.core.extending import _Intrinsic

from centrode.jit.untyped import Untyped


class Instruction(_Intrinsic):  # type: ignore[misc]
    """Code that is written where a kernel calls this, instead of a call.

    Args:
        name: for messages.
        typed: as for ``numba.extending.intrinsic``: types of the arguments to a signature and the code generator.
        plain: what it does in plain Python.
    """

    def __init__(self, name: str, typed: Callable[..., Untyped], plain: Callable[..., Untyped] | None = None) -> None:
        super().__init__(name, typed)
        self.plain = plain
        self.code_generator = typed  # what it does is what this writes
        self._register()

    def __call__(self, *arguments: Untyped) -> Untyped:
        """Run in plain Python."""
        if self.plain is None:
            raise NotImplementedError(f"{self._name} is for compiled kernels")
        return self.plain(*arguments)
