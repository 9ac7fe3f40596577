"""The command of a drive: what a controller sets, plus a prescribed part, within limits, with a first-order lag.

    u = input + signal(t), cut to lower..upper                  (1)
    lag tau > 0:  y' = (u - y) / tau, the drive gives y;        (2)
    no lag:       the drive gives u

The input is held between two samples of its controller. A plain number as command is the input's value at the start,
so that a controller replaces it; a signal is added to what the controller says (feed-forward).
Parameters of a row, from ``base`` on: lower, upper, tau, has signal.
"""

from __future__ import annotations

from typing import Any, ClassVar

from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.parts.forces.force import Force
from centrode.parts.kernel_types import LINK_DATA, LINK_INPUT, LINK_STATE
from centrode.parts.part import finite_limits, limit_faults
from centrode.parts.placement import Scene
from centrode.parts.signals.signal import signal_at

LOWER, UPPER, LAG, HAS_SIGNAL = 0, 1, 2, 3


@step_kernel
def commanded(time, i, base, par, link, data, inputs, states, rates):
    """What the drive of row i gives now, (1) and (2); assigns the rate of its lag."""
    value = inputs[link[i, LINK_INPUT]]
    if par[i, base + HAS_SIGNAL] != 0.0:
        extra, _, _ = signal_at(data, link[i, LINK_DATA], time)
        value += extra
    value = min(max(value, par[i, base + LOWER]), par[i, base + UPPER])
    if par[i, base + LAG] <= 0.0:
        return value
    s = link[i, LINK_STATE]
    rates[s] = (value - states[s]) / par[i, base + LAG]
    return states[s]


class Commanded(Force):
    """Base of drives: a command with limits and a lag, which a controller or a driver sets."""

    input_names: ClassVar[tuple[str, ...]] = ("command",)

    command: Any
    lower: float | None
    upper: float | None
    lag: float

    def faults(self) -> list[Fault]:
        return super().faults() + limit_faults(self)

    def input_range(self, name: str) -> tuple[float | None, float | None]:
        return self.lower, self.upper


def pack_command(part: Commanded, scene: Scene, unit: str) -> tuple[list[float], dict[str, Any]]:
    """Its four parameters, and the further contents of the placement."""
    plain = isinstance(part.command, int | float)
    lower, upper = finite_limits(part)
    extra: dict[str, Any] = {"inputs": [float(part.command) if plain else 0.0]}
    if not plain:
        extra["data"] = scene.pack_signal(part.command)
    if part.lag > 0.0:
        start = min(max(float(part.command), lower), upper) if plain else 0.0
        extra["states"] = [start]
        extra["state_names"] = [("output", unit)]
    return [lower, upper, part.lag, 0.0 if plain else 1.0], extra
