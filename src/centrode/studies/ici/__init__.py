"""Instantaneous-centre integration as a study: path, centrodes, error, cost and stability of every method.

    scenario (start pose, rates)  ->  method  ->  path  ->  errors, tables, figures

Rooms: frames (thesis frame <-> Centrode's), rates, scenario, methods, path, fleet (many vehicles), space, errors,
cost, stability, printed (the thesis' tables as printed), tables (cell by cell), misprints, published (checks).
"""

from __future__ import annotations

from typing import Any

_HOMES = {
    "IciScenario": "scenario",
    "baseline": "scenario",
    "RatesConstant": "rates",
    "RatesFunction": "rates",
    "RatesTable": "rates",
    "read_rates_csv": "rates",
    "IciMethod": "methods",
    "METHODS": "methods",
    "method_named": "methods",
    "IciPath": "path",
    "integrate": "path",
    "advance_fleet": "fleet",
    "direct_errors": "errors",
    "indirect_step": "errors",
    "growth_factor": "stability",
    "closed_form": "stability",
}

__all__ = [
    "IciMethod",
    "IciPath",
    "IciScenario",
    "METHODS",
    "RatesConstant",
    "RatesFunction",
    "RatesTable",
    "advance_fleet",
    "baseline",
    "closed_form",
    "direct_errors",
    "growth_factor",
    "indirect_step",
    "integrate",
    "method_named",
    "read_rates_csv",
]


def __getattr__(name: str) -> Any:
    """Import on first use: the command line must start without Numba."""
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
