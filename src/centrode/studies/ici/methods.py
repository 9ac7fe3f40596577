"""The planar methods by name, and what each needs.

A method is a pose update (centrode.math.ici_plane) and the places inside a step at which it wants the rates. With
``rates="start"`` the thesis' methods take the rates at the beginning of the step (global order 1 when the rates vary),
with ``rates="midpoint"`` in the middle (order 2). Runge-Kutta and the Magnus arc have their own places.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from centrode.errors import InputError, nearest_name, unknown_name

_GAUSS = math.sqrt(3.0) / 6.0


@dataclass(frozen=True)
class IciMethod:
    """One way to advance a planar pose.

    Attributes:
        name: as the user writes it.
        code: number that the compiled loop knows.
        nodes: places in the step, 0 to 1, at which rates are sampled.
        local_order: power of dt of the error of one step at constant rates; 0 when there is no error.
        global_order: power of dt at the end of a run with varying rates.
        renormalise: scale the heading to length 1 after every step.
        label: for legends.
    """

    name: str
    code: int
    nodes: tuple[float, ...]
    local_order: int
    global_order: int
    label: str
    renormalise: bool = False

    @property
    def title(self) -> str:
        """Label with the options that are in force."""
        text = self.label
        if len(self.nodes) == 1:
            text += ", midpoint rates" if self.nodes[0] == 0.5 else ""
        return text + (", renormalised" if self.renormalise else "")


METHODS: dict[str, IciMethod] = {
    method.name: method
    for method in (
        IciMethod("ici-first", 1, (0.0,), 2, 1, "first order"),
        IciMethod("ici-second", 2, (0.0,), 3, 1, "second order"),
        IciMethod("ici-exact", 3, (0.0,), 0, 1, "pseudo-exact"),
        IciMethod("rk4", 4, (0.0, 0.5, 1.0), 5, 4, "Runge-Kutta 4"),
        IciMethod("ici-magnus4", 5, (0.5 - _GAUSS, 0.5 + _GAUSS), 0, 4, "Magnus arc 4"),
    )
}
"""All planar methods, by name."""

RATES_AT = ("start", "midpoint")


def check_rates_at(place: str) -> None:
    """Refuse an unknown place for the rates."""
    if place not in RATES_AT:
        nearest = nearest_name(place, RATES_AT)
        what = "unknown place for the rates"
        raise InputError(what, path="rates", got=place, expected="start or midpoint", nearest=nearest)


def method_named(name: str | IciMethod, rates: str = "start", renormalise: bool = False) -> IciMethod:
    """A method with its options.

    Args:
        name: one of METHODS.
        rates: "start" or "midpoint": where the ICI methods sample the rates; others keep their own places.
        renormalise: scale the heading to length 1 after every step.
    """
    if isinstance(name, IciMethod):
        return name
    if name not in METHODS:
        raise unknown_name("unknown method", name, list(METHODS), path="method")
    check_rates_at(rates)
    method = METHODS[name]
    if rates == "midpoint" and len(method.nodes) == 1:
        method = replace(method, nodes=(0.5,), global_order=1 if method.code == 1 else 2)
    return replace(method, renormalise=True) if renormalise else method
