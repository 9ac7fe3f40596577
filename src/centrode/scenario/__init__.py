"""Scenario files: YAML in, a checked system out. Start with ``loader.py``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from centrode.scenario.document import Scenario
    from centrode.scenario.loader import from_data, load, loads
    from centrode.scenario.schema import json_schema
    from centrode.scenario.writing import dump

__all__ = ["Scenario", "dump", "from_data", "json_schema", "load", "loads"]

_HOMES = {
    "Scenario": "document",
    "dump": "writing",
    "from_data": "loader",
    "json_schema": "schema",
    "load": "loader",
    "loads": "loader",
}


def __getattr__(name: str) -> Any:
    """Import a room only when somebody enters it."""
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f"centrode.scenario.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'centrode.scenario' has no attribute '{name}'")
