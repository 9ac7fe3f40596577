"""The type of what has none: things of Numba's, which ships no types."""

from typing import Any, TypeAlias

Untyped: TypeAlias = Any
