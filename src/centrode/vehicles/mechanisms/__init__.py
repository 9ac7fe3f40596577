"""Ready-made mechanisms: each file builds one, as a function that returns a :class:`~centrode.system.builder.System`.

``MECHANISMS`` names them all; :func:`build_mechanism` builds one by its name.

>>> system = build_mechanism("four-bars", windows=10)
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from centrode.system.builder import System

MECHANISMS: dict[str, tuple[str, str]] = {
    "pendulum": ("pendulum", "pendulum"),
    "double-pendulum": ("pendulum", "double_pendulum"),
    "four-bars": ("four_bars", "four_bars"),
    "slider-crank": ("slider_crank", "slider_crank"),
    "squeezer": ("squeezer", "squeezer"),
    "bricard": ("bricard", "bricard"),
    "governor": ("governor", "governor"),
    "chain": ("chain", "chain"),
    "heavy-top": ("top", "heavy_top"),
    "free-body": ("top", "free_body"),
    "tippe-top": ("tippe_top", "tippe_top"),
    "stewart-platform": ("stewart_platform", "stewart_platform"),
    "double-wishbone": ("double_wishbone", "double_wishbone"),
    "newtons-cradle": ("newtons_cradle", "newtons_cradle"),
}
"""Name -> file of this room and function in it."""


def mechanism(name: str) -> Callable[..., System]:
    """The function that builds the mechanism of that name; a misspelt one is refused with the nearest."""
    if name not in MECHANISMS:
        from centrode.errors import unknown_name

        raise unknown_name("unknown mechanism", name, list(MECHANISMS))
    file, function = MECHANISMS[name]
    found: Callable[..., System] = getattr(importlib.import_module(f"{__name__}.{file}"), function)
    return found


def build_mechanism(name: str, **values: Any) -> System:
    """Build the mechanism of that name; ``values`` are the arguments of its function."""
    return mechanism(name)(**values)
