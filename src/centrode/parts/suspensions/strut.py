r"""Strut: spring and damper between an assembly point of the chassis and the road, along the road normal.

Source: MEDUSA report (1999), eq. (1.17); anti-roll bar and bump stop are standard (Gillespie, Fundamentals of Vehicle
Dynamics, 1992, chapter 7).

Symbols: Delta_q distance of the assembly point from the road plane along the normal [m], Delta its value with the
spring relaxed (``rest``), C stiffness, D damping. The force on the chassis along the normal is

    F_z = -(C (Delta_q - Delta) + D dDelta_q/dt)                                                        (1.17)

A road cannot pull: where F_z <= 0 the wheel is lifted, and the force is zero. Springs store

    V = C (Delta_q - Delta)^2 / 2                                                                       (1.34)

Sign of all functions here: ``deflection`` is a length (Delta_q), it grows when the chassis rises; forces push the
chassis away from the road. In every variant the damper may not pull either, so a lifted wheel is one without any
force.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.jit import kernel
from centrode.parts.part import Part, quantity


@kernel
def suspension_force(stiffness, damping, rest, deflection, rate):
    """Force on the chassis [N], and whether the wheel is lifted, eq. (1.17).

    Args:
        stiffness: C [N/m].
        damping: D [N*s/m].
        rest: Delta, distance with the spring relaxed [m].
        deflection: Delta_q, distance of the assembly point from the road [m].
        rate: its rate [m/s].
    """
    force = -(stiffness * (deflection - rest) + damping * rate)
    if force <= 0.0:
        return 0.0, True
    return force, False


@kernel
def spring_energy(stiffness, rest, deflection):
    """Energy in a linear spring [J], eq. (1.34)."""
    stretch = deflection - rest
    return 0.5 * stiffness * stretch * stretch


@kernel
def bump_stop_force(stiffness, length, deflection):
    """Extra push [N] of a stop whose stiffness grows from zero: k (length - deflection)^2 / length below ``length``.

    The force and its slope are continuous at first touch; at half the length the push is stiffness * length / 4.
    """
    if length <= 0.0 or deflection >= length:
        return 0.0
    crush = length - deflection
    return stiffness * crush * crush / length


@kernel
def bump_stop_energy(stiffness, length, deflection):
    """Energy in the stop [J]."""
    if length <= 0.0 or deflection >= length:
        return 0.0
    crush = length - deflection
    return stiffness * crush * crush * crush / (3.0 * length)


@kernel
def table_force(table, compression):
    """Spring force [N] from a table: straight between the points, end slopes carried on.

    Args:
        table: shape (n, 2), compression [m] rising, force [N]; n >= 2.
        compression: rest - deflection [m].
    """
    last = table.shape[0] - 2
    row = 0
    while row < last and compression > table[row + 1, 0]:
        row += 1
    slope = (table[row + 1, 1] - table[row, 1]) / (table[row + 1, 0] - table[row, 0])
    return table[row, 1] + slope * (compression - table[row, 0])


@kernel
def suspension_force_table(table, damping, rest, deflection, rate):
    """As :func:`suspension_force` with a table spring in place of C."""
    force = table_force(table, rest - deflection) - damping * rate
    if force <= 0.0:
        return 0.0, True
    return force, False


@kernel
def suspension_force_stopped(stiffness, damping, rest, stop_stiffness, stop_length, deflection, rate):
    """As :func:`suspension_force` with a bump stop that acts below ``stop_length``."""
    force = -(stiffness * (deflection - rest) + damping * rate) + bump_stop_force(
        stop_stiffness, stop_length, deflection
    )
    if force <= 0.0:
        return 0.0, True
    return force, False


@kernel
def anti_roll_force(stiffness, deflection_left, deflection_right):
    """Force of an anti-roll bar on the chassis, left and right [N].

    The bar twists with the difference of the two distances and pushes up on the side that has come down; the two
    forces are opposite, so it carries no heave. stiffness in N/m of difference.
    """
    twist = stiffness * (deflection_right - deflection_left)
    return twist, -twist


@kernel
def anti_roll_energy(stiffness, deflection_left, deflection_right):
    """Energy in the bar [J]."""
    difference = deflection_right - deflection_left
    return 0.5 * stiffness * difference * difference


@dataclass(frozen=True)
class SuspensionStrut(Part):
    """Linear spring and damper along the road normal, with an optional bump stop."""

    family: ClassVar[str] = "suspension"
    kind: ClassVar[str] = "strut"

    stiffness: float = quantity("N/m", "spring stiffness C", positive=True)
    damping: float = quantity("N*s/m", "damping D", minimum=0.0)
    rest_length: float = quantity("m", "distance from assembly point to road with the spring relaxed", positive=True)
    stop_stiffness: float = quantity("N/m", "stiffness scale of the bump stop", 0.0, minimum=0.0)
    stop_length: float = quantity("m", "distance from the road below which the bump stop acts", 0.0, minimum=0.0)

    def pack(self) -> np.ndarray:
        """Row: stiffness, damping, rest, stop stiffness, stop length."""
        return np.array(
            [self.stiffness, self.damping, self.rest_length, self.stop_stiffness, self.stop_length], dtype=np.float64
        )


@dataclass(frozen=True)
class SuspensionTable(Part):
    """Spring by table (force over compression) and linear damper along the road normal."""

    family: ClassVar[str] = "suspension"
    kind: ClassVar[str] = "table"

    compression: tuple[float, ...] = quantity("m", "compressions of the table, rising", default_factory=tuple)
    force: tuple[float, ...] = quantity("N", "spring force at each compression", default_factory=tuple)
    damping: float = quantity("N*s/m", "damping", 0.0, minimum=0.0)
    rest_length: float = quantity("m", "distance from assembly point to road at compression 0", 0.15, positive=True)
    note: str = field(default="", metadata={"unit": "", "meaning": "where the table comes from"})

    def faults(self) -> list[Fault]:
        """Also: two points or more, equal lengths, rising compression."""
        found = super().faults()
        if len(self.compression) != len(self.force) or len(self.compression) < 2:
            found.append(
                Fault(
                    "table needs as many forces as compressions, two at least",
                    f"{self.name}.force",
                    got=(len(self.compression), len(self.force)),
                )
            )
        elif any(b <= a for a, b in zip(self.compression, self.compression[1:], strict=False)):
            found.append(Fault("compressions must rise", f"{self.name}.compression", got=self.compression))
        return found

    def table(self) -> np.ndarray:
        """Table of shape (n, 2): compression [m], force [N]."""
        return np.ascontiguousarray(np.column_stack([self.compression, self.force]), dtype=np.float64)
