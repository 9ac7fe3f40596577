"""Anti-lock brakes: a controller of slip, wheel by wheel.

It lets the brake go where the wheel turns slower than its ground by more than a wanted slip s_0. With the slip
s = (v_x - R w) / |v_x| in the direction of travel, the share of the brake torque that is left is

    1  for s <= s_0,    0  for s >= 2 s_0,    in between linear,                                            (1)

so a brake that is stronger than the tyre holds the wheel between s_0 and 2 s_0, where the friction of tyres peaks
(slip of 0.1 to 0.2 on asphalt). Below 2 m/s it fades out, as real ones switch off at walking pace: the last metre is
braked with locked wheels. A wheel without spin is held at the slip where (1) balances a force F against a brake S,

    s = s_0 (2 - F / S)    within s_0 .. 2 s_0, F at 1.5 s_0.                                               (2)
"""

from __future__ import annotations

from centrode.jit import step_kernel

FADES_FROM, FADES_TO = 2.0, 1.0
"""Speeds over which the controller gives up [m/s]."""


@step_kernel
def brake_left(wanted, ahead, slide):
    """Share of the brake torque that the controller leaves (1).

    Args:
        wanted: slip s_0; 0: no controller.
        ahead: v_x [m/s]; slide: R w - v_x [m/s].
    """
    speed = abs(ahead)
    if wanted <= 0.0 or speed <= FADES_TO:
        return 1.0
    slip = -slide / ahead
    left = min(max(2.0 - slip / wanted, 0.0), 1.0)
    return 1.0 - control_share(wanted, ahead) * (1.0 - left)


@step_kernel
def control_share(wanted, ahead):
    """Share of the controller [1]: none at walking pace, and none without one."""
    if wanted <= 0.0:
        return 0.0
    return min(max((abs(ahead) - FADES_TO) / (FADES_FROM - FADES_TO), 0.0), 1.0)


@step_kernel
def held_slip(wanted, force, stop):
    """Slip (2) of a wheel whose tyre gives a force [N] at 1.5 s_0 against a brake ``stop`` [N]."""
    return wanted * min(max(2.0 - force / max(stop, 1e-9), 1.0), 2.0)
