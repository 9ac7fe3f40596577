"""The equations of the ICI thesis as printed, and the measurement that tells which of them are misprinted.

A step of order p has a local error proportional to dt^(p+1): halving dt divides the error of one step by 2^(p+1), by 8
for a second-order method. One printed equation at a time replaces its corrected form; the ratio then shows which one
breaks the order. All in the thesis' own frame (V_y to the right, Omega clockwise), with sideslip, so that no term
hides behind a zero.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

State = tuple[float, float, float, float]
Step = Callable[[State, float, float, float, float], State]


@dataclass(frozen=True)
class EquationVerdict:
    """One equation under test.

    Attributes:
        equation: number in the thesis.
        printed_ratio: error of one step at dt over error at dt/2, with this equation as printed.
        corrected_ratio: the same with the corrected equation.
        remark: what is wrong.
    """

    equation: str
    printed_ratio: float
    corrected_ratio: float
    remark: str


def step_about_centre(state: State, vx: float, vy: float, omega: float, dt: float) -> State:
    """Thesis (8), (9), (10): rotate the position about the instantaneous centre, signed radius, thesis frame."""
    x, y, ux, uy = state
    px, py = vx * uy - vy * ux, -vx * ux - vy * uy  # (8)
    xc, yc = x + px / omega, y + py / omega  # (9), R / |V| = 1 / omega
    c, s = math.cos(omega * dt), math.sin(omega * dt)
    return (c * (x - xc) + s * (y - yc) + xc, -s * (x - xc) + c * (y - yc) + yc, c * ux + s * uy, -s * ux + c * uy)


def step_first_as_printed(state: State, vx: float, vy: float, omega: float, dt: float) -> State:
    """Thesis (25)-(28), thesis frame."""
    x, y, ux, uy = state
    return (x + (vx * ux + vy * uy) * dt, y + (vx * uy - vy * ux) * dt, ux + omega * dt * uy, -omega * dt * ux + uy)


def second_order_step(as_printed: frozenset[str] = frozenset()) -> Step:
    """Thesis (32), (34), (35), (36), thesis frame; those named in `as_printed` letter by letter, others corrected.

    "(36) sign" takes only the printed sign of (36), with the corrected square.
    """

    def step(state: State, vx: float, vy: float, omega: float, dt: float) -> State:
        x, y, ux, uy = state
        sign = -1.0 if "(32)" in as_printed else 1.0
        shrink_x = omega * dt**2 / 2.0 if "(35)" in as_printed else (omega * dt) ** 2 / 2.0
        shrink_y = omega * dt**2 / 2.0 if "(36)" in as_printed else (omega * dt) ** 2 / 2.0
        turn = 1.0 if as_printed & {"(36)", "(36) sign"} else -1.0
        return (
            x + (vx * ux + vy * uy) * dt + sign * omega / 2.0 * (vx * uy - vy * ux) * dt**2,
            y + (vx * uy - vy * ux) * dt - omega / 2.0 * (vx * ux + vy * uy) * dt**2,
            (1.0 - shrink_x) * ux + omega * dt * uy,
            turn * omega * dt * ux + (1.0 - shrink_y) * uy,
        )

    return step


def local_ratio(step: Step, dt: float = 1e-3) -> float:
    """Error of one step at dt over the error at dt/2, against the exact arc, on a turn with sideslip.

    The error weighs the heading by the radius V/omega, so that all four components count in metres.
    """
    state = (1.0, 2.0, math.cos(0.7), math.sin(0.7))
    vx, vy, omega = 30.0, 4.0, 3.0
    radius = math.hypot(vx, vy) / omega

    def error(size: float) -> float:
        got, right = (way(state, vx, vy, omega, size) for way in (step, step_about_centre))
        x, y, ux, uy = (a - b for a, b in zip(got, right, strict=True))
        return math.hypot(x, y, radius * ux, radius * uy)

    return error(dt) / error(dt / 2.0)


def equation_verdicts() -> list[EquationVerdict]:
    """The equations of the second-order method, one by one as printed."""
    right = local_ratio(second_order_step())
    remarks = {
        "(32)": "sign of the dt^2 term",
        "(35)": "(Omega dt)^2/2, not Omega dt^2/2",
        "(36)": "-Omega dt u_x, and (Omega dt)^2/2",
    }
    return [
        EquationVerdict(name, local_ratio(second_order_step(frozenset({name}))), right, remark)
        for name, remark in remarks.items()
    ]
