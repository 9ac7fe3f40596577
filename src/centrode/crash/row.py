"""Figures of one vehicle in one collision: what a row of the crash tables holds."""

from __future__ import annotations

import math

from centrode.classes import dataclass

LEVEL = 0.5
"""Least share of a change of velocity that is level where its direction is told: what falls on its floor has none."""


@dataclass(frozen=True)
class VehicleFigures:
    """One side of a collision; SI units, world frame where nothing else is said.

    Attributes:
        name: vehicle, or body.
        mass: [kg]; 0 for the ground and what is fixed to it.
        side: front, rear, side, roof, floor, or coupling.
        delta_v: vector (3), the third up [m/s]; delta_v_size [m/s]; delta_v_along, delta_v_left in vehicle axes [m/s].
        pdof_deg: [deg], clockwise from ahead, not a number for what is fixed to the ground; clock: 1 to 12, none there.
        peak_acceleration: of the contact force, of joined bodies their own; mean_acceleration: delta-V over duration
            [m/s2].
        speed_before, speed_after: of the centre of mass [m/s].
        yaw_rate_before, yaw_rate_change: about the vertical [rad/s].
        vibration: energy gained by vibration of the body [J].
        crush_energy: taken up by the structure of the body [J]; ees: speed of the same kinetic energy [m/s].
        crush: greatest, under load [m]; residual: deepest that stays, Cmax [m]; profile: residual C1..C6 [m], left to
            right on front and rear, behind to ahead on sides; damage_width: [m]. Zero without a structure.
        dented: side that has the dent of this collision, "" for none; dent_begin, dent_end: along it, over its length.
        ahead: its level direction ahead at first touch.
        coupled_to: vehicle by way of which it was struck, not touched itself; "" for one of the two that met.
    """

    name: str
    mass: float
    side: str
    delta_v: tuple[float, float, float] = (0.0, 0.0, 0.0)
    delta_v_size: float = 0.0
    delta_v_along: float = 0.0
    delta_v_left: float = 0.0
    pdof_deg: float = math.nan
    clock: int | None = None
    peak_acceleration: float = 0.0
    mean_acceleration: float = 0.0
    speed_before: float = 0.0
    speed_after: float = 0.0
    yaw_rate_before: float = 0.0
    yaw_rate_change: float = 0.0
    vibration: float = 0.0
    crush_energy: float = 0.0
    ees: float = 0.0
    crush: float = 0.0
    profile: tuple[float, ...] = (0.0,) * 6
    damage_width: float = 0.0
    residual: float = 0.0
    dented: str = ""
    dent_begin: float = 0.0
    dent_end: float = 0.0
    ahead: tuple[float, float, float] = (1.0, 0.0, 0.0)
    coupled_to: str = ""

    @property
    def level(self) -> bool:
        """Whether the change of velocity is level enough for a direction on the clock face."""
        return math.hypot(self.delta_v_along, self.delta_v_left) >= LEVEL * self.delta_v_size


def energy_speed(energy: float, mass: float) -> float:
    """Speed at which a mass [kg] has a kinetic energy [J]: E = m v^2 / 2 [m/s]."""
    return math.sqrt(2.0 * energy / mass) if mass > 0 and energy > 0 else 0.0


def vehicle_name(body: str) -> str:
    """A car's chassis goes by the name of the car."""
    return body.removesuffix(".body")


def clock_direction(pdof_deg: float) -> int:
    """Hour of the clock face from which a force comes: 12 ahead, 3 from the right, 6 from behind, 9 from the left."""
    return (round(pdof_deg / 30.0) - 1) % 12 + 1
