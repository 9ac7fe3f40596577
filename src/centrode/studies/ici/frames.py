"""The frame of the ICI thesis and Centrode's, and the way between them.

The thesis draws (X, Y) as usual but measures the vehicle's lateral velocity along (u_y, -u_x), that is to the right
(5), and the yaw rate clockwise: a left-handed vehicle frame. Centrode has y to the left and yaw positive to the left.
Positions and headings are the same numbers in both; lateral velocity and yaw rate change sign. The conversion is its
own inverse.
"""

from __future__ import annotations

from typing import TypeVar

Number = TypeVar("Number")


def rates_from_thesis(vx: Number, vy: Number, omega: Number) -> tuple[Number, Number, Number]:
    """Rates of the thesis frame (vy to the right, omega clockwise) in Centrode's; scalars or arrays.

    Args:
        vx: velocity along the heading [m/s].
        vy: velocity to the right [m/s].
        omega: yaw rate, clockwise [rad/s].

    Returns:
        vx [m/s], vy to the left [m/s], omega to the left [rad/s].
    """
    return vx, -vy, -omega  # type: ignore[operator]


def rates_to_thesis(vx: Number, vy: Number, omega: Number) -> tuple[Number, Number, Number]:
    """Rates of Centrode's frame in the thesis frame; the inverse of :func:`rates_from_thesis`."""
    return vx, -vy, -omega  # type: ignore[operator]
