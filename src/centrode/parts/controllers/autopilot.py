r"""Autopilot of a vehicle with fins and a thruster: speed, heading and depth.

Errors and angles are those of north-east-down, whatever the world (:mod:`centrode.math.frames`): heading psi from the
world's x, pitch theta nose up, depth z down; in a z-up world the given heading counts counter-clockwise. With the
rates (p, q, r) about the hull axes (x forward, y starboard, z down) and the forward speed u:

    thrust   T = T_0 + K_u (u_ref - u) + I_u                                        (1)
    pitch    theta_ref = -cut( K_z (z_ref - z) + I_z, theta_max )                   (2)
    fins     d_pitch = K_theta (theta_ref - theta) - K_q q                          (3)
             d_yaw   = K_psi wrapped(psi_ref - psi) - K_r r + I_psi                 (4)
             d_roll  = -K_phi phi - K_p p                                           (5)
    fin i at roll angle a_i:  d_i = -sin(a_i) d_yaw - cos(a_i) d_pitch - d_roll     (6)

(6) follows from the force of a fin behind the centre, which for a positive deflection points along s x x = (0, sin a,
-cos a). Integrals stand still while their command is cut. A setpoint that is None leaves its loop open (fins and thrust
at zero or feed-forward). State: the three integrals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault, InputError
from centrode.parts.controllers.controller import Controller, View
from centrode.parts.part import quantity
from centrode.parts.signals.signal import signal_from

SPEED, HEADING, DEPTH = 0, 1, 2


@dataclass(frozen=True)
class Autopilot(Controller):
    """Speed, heading and depth autopilot; inputs are the fins, then the thruster."""

    kind: ClassVar[str] = "autopilot"

    period: float = quantity("s", "time between two samples", 0.1, positive=True)
    body: Any = quantity("", "hull, x forward, y starboard, z down", "auv.hull", refers_to="body")
    fin_angles: tuple[float, ...] = quantity(
        "rad", "roll angles of the fins, starboard to bottom", (0.0, 0.5 * math.pi, math.pi, 1.5 * math.pi)
    )
    speed: Any = quantity("m/s", "wanted forward speed: number or signal", None)
    heading: Any = quantity("rad", "wanted heading: number or signal", None)
    depth: Any = quantity("m", "wanted depth, down: number or signal", None)
    thrust: float = quantity("N", "feed-forward thrust", 0.0)
    speed_gain: float = quantity("N*s/m", "K_u", 5.0)
    speed_integral: float = quantity("N/m", "integral gain of the speed", 0.5, minimum=0.0)
    heading_gain: float = quantity("1", "K_psi", 1.0)
    yaw_rate_gain: float = quantity("s", "K_r", 1.0)
    heading_integral: float = quantity("1/s", "integral gain of the heading", 0.0, minimum=0.0)
    depth_gain: float = quantity("rad/m", "K_z", 0.2)
    depth_integral: float = quantity("rad/m/s", "integral gain of the depth", 0.0, minimum=0.0)
    pitch_limit: float = quantity(
        "rad", "largest pitch that the depth loop asks for", math.radians(30.0), positive=True
    )
    pitch_gain: float = quantity("1", "K_theta", 1.0)
    pitch_rate_gain: float = quantity("s", "K_q", 1.0)
    roll_gain: float = quantity("1", "K_phi", 0.0)
    roll_rate_gain: float = quantity("s", "K_p", 0.0)
    upper_fin: float = quantity("rad", "largest deflection", math.radians(30.0), positive=True)
    lower_thrust: float = quantity("N", "smallest thrust", 0.0)
    upper_thrust: float = quantity("N", "largest thrust", 20.0)

    def faults(self) -> list[Fault]:
        found = super().faults()
        if len(self.input_names()) != len(self.fin_angles) + 1:
            got, expected = list(self.input_names()), f"{len(self.fin_angles)} fins and a thruster"
            found.append(self.fault("inputs", "inputs are the fins, then the thruster", got=got, expected=expected))
        if not self.lower_thrust < self.upper_thrust:
            found.append(self.fault("lower_thrust", "the lower thrust is not below the upper one"))
        for field in ("speed", "heading", "depth"):
            if getattr(self, field) is not None:
                try:
                    signal_from(getattr(self, field), f"{self.name}.{field}")
                except InputError as error:
                    found += error.faults
        return found

    def start(self, view: View) -> np.ndarray:
        view.check(f"{self.body}.position.x", f"{self.name}.body")
        return np.zeros(3)

    def wanted(self, time: float, motion: MarineMotion, state: np.ndarray) -> tuple[Any, Any, Any]:
        """Wanted speed [m/s], heading (NED) [rad] and depth [m] now; None leaves a loop open."""
        speed, heading, depth = (
            None if value is None else signal_from(value).at(time)[0]
            for value in (self.speed, self.heading, self.depth)
        )
        return speed, None if heading is None else motion.sign * heading, depth

    def command(self, time: float, view: View, state: np.ndarray) -> Sequence[float]:
        motion = MarineMotion.measured(view, str(self.body))
        speed, heading, depth = self.wanted(time, motion, state)
        thrust = self.thrust
        if speed is not None:
            error = speed - motion.u
            raw, limits = self.thrust + self.speed_gain * error, (self.lower_thrust, self.upper_thrust)
            thrust = self._integrated(state, SPEED, error, self.speed_integral, raw, limits)
        pitch = yaw = 0.0
        if depth is not None:
            error = depth - motion.depth
            limits = (-self.pitch_limit, self.pitch_limit)
            dive = self._integrated(state, DEPTH, error, self.depth_integral, self.depth_gain * error, limits)
            pitch = self.pitch_gain * (-dive - motion.pitch) - self.pitch_rate_gain * motion.q  # (2), (3)
        if heading is not None:
            error = wrapped(heading - motion.heading)
            raw = self.heading_gain * error - self.yaw_rate_gain * motion.r
            limits = (-self.upper_fin, self.upper_fin)
            yaw = self._integrated(state, HEADING, error, self.heading_integral, raw, limits)
        roll = -self.roll_gain * motion.roll - self.roll_rate_gain * motion.p
        fins = [-math.sin(a) * yaw - math.cos(a) * pitch - roll for a in self.fin_angles]  # (6)
        return [*(min(max(d, -self.upper_fin), self.upper_fin) for d in fins), thrust]

    def _integrated(
        self, state: np.ndarray, which: int, error: float, gain: float, raw: float, limits: tuple[float, float]
    ) -> float:
        """Command with integral part, cut; the integral stands still while it would push further out."""
        step = gain * self.period * error
        wanted = raw + state[which] + step
        value = min(max(wanted, limits[0]), limits[1])
        if (wanted - value) * step <= 0.0:
            state[which] += step
        return value


@dataclass(frozen=True)
class MarineMotion:
    """Motion of a hull as a helmsman sees it, in north-east-down whatever the world."""

    north: float
    east: float
    depth: float
    heading: float
    pitch: float
    roll: float
    """Angles of the sequence zyx [rad]."""
    u: float
    """Forward speed over ground [m/s]."""
    p: float
    q: float
    r: float
    """Rates about the hull axes [rad/s]."""
    sign: float
    """+1 in a NED world, -1 in a z-up world: factor of y, z and headings."""

    @classmethod
    def measured(cls, view: Any, body: str) -> MarineMotion:
        """From the view of a running system."""
        sign = 1.0 if view.model.gravity[2] > 0.0 else -1.0
        rotation = view.rotation(body)
        north, east, depth = (view.position(body) * (1.0, sign, sign)).tolist()
        p, q, r = view.omega(body).tolist()
        forward = rotation[:, 0]
        heading = math.atan2(sign * forward[1], forward[0])
        # Third row of NED-from-hull: (-sin theta, sin phi cos theta, cos phi cos theta).
        down = sign * rotation[2]
        pitch, roll = -math.asin(min(max(float(down[0]), -1.0), 1.0)), math.atan2(down[1], down[2])
        return cls(north, east, depth, heading, pitch, roll, float(forward @ view.velocity(body)), p, q, r, sign)


def wrapped(angle: float) -> float:
    """Angle in -pi..pi [rad]."""
    return math.remainder(angle, 2.0 * math.pi)
