"""Hunt and Crossley (1975): F = k d^n (1 + a d'), continuous at touch, restitution falls with closing speed.

Stored energy k d^(n+1) / (n+1); dissipated power k d^n a d'^2 >= 0, and where the force is cut off (1 + a d' < 0)
the released store -k d^n d' > 0 counts as dissipated.

For two rigid bodies the restitution follows without integration in time. With v = d' and v dv/dd = -(k/m) d^n
(1 + a v) the depth runs from 0 back to 0, so the integral of v dv / (1 + a v) from v0 to -e v0 vanishes:

    -e x - ln(1 - e x) = x - ln(1 + x),   x = a v0,                                                      (1)

whatever k, n and the masses are. :func:`damping_for_restitution` inverts it.

Weight takes part where a body falls on the ground: it presses all the while the damper works, and a hit that was to
give back 0.1 gives 0.07 when the weight is only a fiftieth of the peak force. With y = d / D, D^(n+1) = m v0^2 / k,
speed u in v0 and time in D / v0

    y'' = b - y^n (1 + x u),   y = 0 and u = 1 at touch,   b = w D / v0^2,                                (1w)

w the acceleration of the depth by weight (memory[WEIGHT]); b is weight over peak force, roughly. Without damper the
body parts with u = -1 whatever b is, so some x gives any e: :func:`damping_under_weight` finds it. Where b > 1 the body
falls from less than half of what it then sinks in, which is lying down: b is taken as 1 / b there, so that what is laid
finds the whole damper.

A damping that was chosen so for one hit is too much for a contact that others press on: a body of 1 kg below one of
a ton has a damper k d^n a of a ton's weight, and would creep for millions of steps. Laws that choose it let it grow to
a depth L only,

    F = k d^n + k min(d, L)^n a d',                                                                      (2)

with L twice what the hit can reach, ((n + 1) m v0^2 / 2 k)^(1 / (n + 1)), more by b where weight presses, so that (1)
holds as it is, also where a deformable body behind its point is heavier than m says; and not below where the damper is
about critical, 2 / x of that depth, so that what lies settles.

Nor is it right for one that was laid down, or placed so that it touches, and is hit then: a cradle of touching balls
began with a closing speed of nothing, and its damper took all of the hit. So, at accepted states,

    a = x / v,   v the greatest rate of a loading that becomes RISES times faster than a was chosen for,     (3)

and where bodies that moved apart without parting are pressed together again v is halved, down to that of the touch, so
that what was hit and lies settles as it does after bounces. What lies on the ground keeps the damper that holds its
weight: blocks that rock lose what they should with that one. The dissipated power is never negative whatever a is.

The masses of the pair are not always what presses: a ton that falls on a ball of 1 kg on the floor goes thirty times
deeper into both contacts than (2) has foreseen, where the damper grows no more, and gave back 0.8 of its speed for 0.3.
Two springs of (2) in series, without a mass between them, are one spring of (2) again when each has the a for its own
rate; so e comes out as entered when each finds the speed with which it is pressed. Others press when the spring holds
BROUGHT times the energy that the pair's masses and their weight can have brought, and that it bore before. From there
on L grows with the depth,
and with the rate u and its mean d/t since this loading began

    a = x / v,   v = 2 (d/t)^2 / (d/t + u),                                                              (4)

which is the speed at touch of (1) within 1 % up to half of the depth and within 8 % up to nine tenths of it, for n = 1
and 1.5 and any e of 0.1 to 1. x is at most LAID here, so a restitution below 0.1 comes out as 0.1: what lies between
is light, and steps go with its mass. Bodies that are pressed together again begin with the damper of their own masses.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, ClassVar

from centrode.classes import dataclass
from centrode.jit import kernel, types
from centrode.parts.contact_laws.contact_law import (
    ADVANCE_SIGNATURE,
    BEGIN_SIGNATURE,
    CHOSEN_STIFFNESS,
    CLOSING_SPEED,
    DAMPING,
    FIRST_OWN,
    FRICTION,
    GREATEST_STIFFNESS,
    LAW_SIGNATURE,
    MEMORY,
    OWN,
    RESTITUTION,
    WEIGHT,
    ContactLaw,
    Load,
    advance_common,
    begin_common,
)
from centrode.parts.part import quantity


@kernel(signature=LAW_SIGNATURE)
def compliant(par, memory, depth, depth_rate, slip_speed):
    """The Hunt-Crossley force with exponent par[FIRST_OWN] and the episode's damping memory[DAMPING]."""
    if depth <= 0.0:
        return 0.0, 0.0, 0.0, 0.0
    n = par[FIRST_OWN]
    spring = memory[CHOSEN_STIFFNESS] * (depth if n == 1.0 else depth**n)
    damped = spring
    if 0.0 < memory[OWN] < depth:  # (2)
        damped = memory[CHOSEN_STIFFNESS] * memory[OWN] ** n
    force = max(spring + damped * memory[DAMPING] * depth_rate, 0.0)
    return force, par[FRICTION], spring * depth / (n + 1.0), (force - spring) * depth_rate


@kernel(signature=ADVANCE_SIGNATURE)
def compliant_advance(par, memory, depth, depth_rate, duration):
    _, _, _, power = compliant(par, memory, depth, depth_rate, 0.0)
    advance_common(par, memory, depth, depth_rate, power, duration)
    if not memory[OWN] > 0.0:
        return  # the damper was entered
    if depth_rate < 0.0:
        memory[SINCE] = 0.0
        memory[LOADING] = PRESSED_APART if memory[LOADING] >= PRESSED else APART
        return
    if memory[SINCE] == 0.0:
        begin_loading(par, memory)
    memory[FASTEST] = max(memory[FASTEST], depth_rate)
    if memory[SINCE] == 0.0 or depth_rate * memory[SINCE] > RISES * (depth - memory[FROM]):
        # What lay there, hardly moving, is hit now.
        memory[SINCE] = 0.0
        memory[FROM] = max(depth - depth_rate * duration, 0.0)
    memory[SINCE] += duration
    if memory[LOADING] == PRESSED or pressed_by_others(par, memory, depth):
        follow_press(par, memory, depth, depth_rate)
    elif not memory[WEIGHT] > 0.0:  # what lies on the ground keeps the damper that holds its weight
        renew_damping(par, memory, depth_rate)


@kernel
def begin_loading(par, memory):
    """Bodies are pressed together, for the first time or again: the damper of the pair's own masses."""
    fastest = 0.0
    if memory[LOADING] == 0.0:
        fastest = memory[CLOSING_SPEED]
    elif not memory[WEIGHT] > 0.0:
        damp_for(par, memory, max(0.5 * memory[CHOSEN_FOR], memory[CLOSING_SPEED], AT_REST))
    elif memory[LOADING] == PRESSED_APART:
        choose_damping(par, memory, memory[RESTITUTION], memory[CLOSING_SPEED], memory[MASS])
    memory[LOADING] = 0.0
    memory[FASTEST] = fastest


@kernel
def renew_damping(par, memory, depth_rate):
    """Choose the damper anew for a loading that is faster than the one it was chosen for (3)."""
    if depth_rate > (1.0 if memory[LOADING] == FASTER else RISES) * memory[CHOSEN_FOR]:
        damp_for(par, memory, depth_rate)
        memory[LOADING] = FASTER


@kernel
def pressed_by_others(par, memory, depth):
    """Whether a loading holds more energy than the masses of the pair, with their weight, can have brought (4)."""
    n = par[FIRST_OWN]
    lying = memory[CHOSEN_STIFFNESS] * memory[FROM] ** (n + 1.0) / (n + 1.0)
    stored = memory[CHOSEN_STIFFNESS] * depth ** (n + 1.0) / (n + 1.0) - lying
    if stored < BROUGHT * lying:
        return False  # what bears a load swings about it, which is no hit
    weighed = max(memory[WEIGHT], 0.0) * (depth - memory[FROM])
    return stored > BROUGHT * memory[MASS] * (0.5 * memory[FASTEST] ** 2 + weighed)


@kernel
def follow_press(par, memory, depth, depth_rate):
    """The damper for what presses from behind, by the speed with which it does (4)."""
    mean = (depth - memory[FROM]) / memory[SINCE]
    if not mean > 0.0:
        return
    chosen = memory[CHOSEN_FOR]
    if memory[LOADING] == PRESSED and mean < CREEPS * chosen:
        # It was not thrown back and sinks on: what presses is weight, and weight wants the damper of the pair.
        least = max(2.0, 2.0 / (memory[DAMPING] * chosen)) * reach(par, memory, chosen)
        memory[OWN] = max(LOOSENS * memory[OWN], least)
        if memory[OWN] == least:
            memory[SINCE] = 0.0
            memory[LOADING] = PRESSED_APART
        return
    share = min(depth_rate / mean, 1.0)
    speed = 2.0 * mean / (1.0 + share)
    if memory[LOADING] != PRESSED:
        if speed < AT_REST or speed * speed < 2.0 * A_HIT * (depth - memory[FROM]):
            return
        memory[LOADING] = PRESSED
        chosen = 0.0
    if share > STILL_COMING and abs(speed - chosen) > NEARLY * speed or chosen == 0.0:
        damp_for(par, memory, speed)
        memory[DAMPING] = min(memory[DAMPING], LAID / speed)
    memory[OWN] = max(memory[OWN], max(2.0, 2.0 / (memory[DAMPING] * memory[CHOSEN_FOR])) * depth)


AT_REST = 1e-2
"""Closing speed [m/s] that stands for none at all."""
LEAST_RESTITUTION = 1e-2
"""What stands for none in forces that push: damping grows without bound towards 0, and 1 % of the speed is 1e-4 of the
energy."""
LAID = 10.0
"""Damper x of what is laid down rather than dropped, at most, that of a restitution of 0.1: there is no rebound to be
met, and the hundred of a restitution of 0.01 is so stiff that steps have to be ten times shorter."""
CHOSEN_FOR, LOADING, MASS, SINCE, FROM, FASTEST = OWN + 1, OWN + 2, OWN + 3, OWN + 4, OWN + 5, OWN + 6
"""Memory: closing speed that the damper was chosen for [m/s], what became of the loading (0: nothing), mass of the pair
at the touching point [kg]; how long this loading lasts [s], from which depth [m], its greatest rate [m/s]."""
APART, FASTER, PRESSED, PRESSED_APART = 1.0, 2.0, 3.0, 4.0
"""The bodies move apart; the loading has become faster than RISES says, and the damper follows it; more than the two
bodies presses them together, and the damper is the one for that; they move apart with that one."""
BROUGHT = 3.0
"""Energy in the spring over the one that the pair's own masses brought, from which on others press."""
STILL_COMING, NEARLY = 0.5, 0.02
"""Rate over its mean from which on (4) says with which speed something comes; and by how much that speed may change
before the damper is chosen anew, each time with a jump of the force."""
CREEPS, LOOSENS = 0.25, 0.9
"""Mean rate over the speed that the damper was chosen for, below which what was pressed lies, as a hit has a mean of
0.5 at its deepest (4); and what is left of L after each step then."""
A_HIT = 30.0
"""Least deceleration of a hit [m/s2]; what is laid there sinks in with the acceleration of its weight at most."""
RISES = 2.0
"""Rate of the depth over the speed that the damper was chosen for, from which on it is chosen anew; weight that presses
during a hit, which the choice knows of, makes less. Also over its mean, from which on a loading begins now."""
NO_WEIGHT = 1e-6
"""Weight over peak force that is none: it would change a restitution by a few times as much."""


@kernel(signature=types.float64(types.float64, types.float64))
def damping_for_restitution(restitution, closing_speed):
    """Damping a [s/m] that gives a restitution at a closing speed [m/s], eq. (1) solved for x = a v0.

    Bisection: for 0 < e < 1 the left side of (1) starts below the right one (e^2 x^2/2 against x^2/2) and passes it
    once before its pole at x = 1/e. Restitution below 0.01 is treated as 0.01 (x grows without bound towards 0).
    """
    e = min(max(restitution, 0.01), 1.0)
    if e >= 1.0:
        return 0.0
    # A body laid on another settles, instead of swinging on a spring without damper; one that touched it slowly and is
    # pressed on later meets no damper that was meant for that touch.
    closing_speed = max(closing_speed, AT_REST)
    low = 0.0
    high = (1.0 - 1e-15) / e
    for _ in range(200):
        x = 0.5 * (low + high)
        left = -e * x - math.log1p(-e * x)
        right = x - math.log1p(x)
        if left > right:
            high = x
        else:
            low = x
        if high - low <= 1e-14 * high:
            break
    return 0.5 * (low + high) / closing_speed


@kernel
def one_step(y, u, h, x, b, n):
    """Depth and speed after a step of (1w), classical Runge-Kutta."""
    y_1, u_1 = y, u
    a_1 = b - weighted_force(y_1, u_1, x, n)
    y_2, u_2 = y + 0.5 * h * u_1, u + 0.5 * h * a_1
    a_2 = b - weighted_force(y_2, u_2, x, n)
    y_3, u_3 = y + 0.5 * h * u_2, u + 0.5 * h * a_2
    a_3 = b - weighted_force(y_3, u_3, x, n)
    y_4, u_4 = y + h * u_3, u + h * a_3
    a_4 = b - weighted_force(y_4, u_4, x, n)
    return y + h * (u_1 + 2.0 * (u_2 + u_3) + u_4) / 6.0, u + h * (a_1 + 2.0 * (a_2 + a_3) + a_4) / 6.0


@kernel
def weighted_force(y, u, x, n):
    """y^n (1 + x u) of (1w), never below zero."""
    if y <= 0.0:
        return 0.0
    return max((y if n == 1.0 else y**n) * (1.0 + x * u), 0.0)


@kernel
def rebound(x, b, n):
    """Parting speed of (1w) over the closing speed; of a body that stays, minus the depth from which it sinks again."""
    h = 0.1 / (1.0 + 0.05 * x)
    y, u = 0.0, 1.0
    for k in range(100_000):
        # It creeps for long where nearly nothing is given back; with less energy than at the surface it never parts.
        if k > 2000 and 0.5 * u * u + y ** (n + 1.0) / (n + 1.0) < b * y:
            break
        y_next, u_next = one_step(y, u, h, x, b, n)
        if u_next >= 0.0 > u:
            return -y_next
        if y_next <= 0.0:
            for _ in range(3):  # the moment of parting: speed changes little there
                y, u = one_step(y, u, -y / u, x, b, n)
            return -u
        y, u = y_next, u_next
    return -y


@kernel
def damping_under_weight(start, b, n):
    """x of (1w) that gives what ``start``, the answer of (1), gives without weight.

    Regula falsi, Illinois: e falls as x grows, from 1. What the integration is off by goes into both sides.
    """
    wanted = rebound(start, 0.0, n)
    low, high = 0.0, start
    above, below = 1.0 - wanted, rebound(high, b, n) - wanted
    if below >= 0.0:
        return start
    side = 0
    for _ in range(100):
        x = high - below * (high - low) / (below - above)
        left = rebound(x, b, n) - wanted
        if abs(left) <= 1e-9 * wanted or high - low <= 1e-12 * high:
            return x
        if left > 0.0:
            low, above = x, left
            below *= 0.5 if side > 0 else 1.0
            side = 1
        else:
            high, below = x, left
            above *= 0.5 if side < 0 else 1.0
            side = -1
    return x


@kernel
def weight_share(par, memory, closing_speed, effective_mass):
    """b of (1w), 1 / b where it is more than 1; 0 without weight and of what is laid down without any speed."""
    if not (memory[WEIGHT] > 0.0 and closing_speed > 0.0 and memory[CHOSEN_STIFFNESS] > 0.0):
        return 0.0
    square = closing_speed * closing_speed
    depth = (effective_mass * square / memory[CHOSEN_STIFFNESS]) ** (1.0 / (par[FIRST_OWN] + 1.0))
    b = memory[WEIGHT] * depth / square
    return b if b <= 1.0 else 1.0 / b


@kernel
def damp_for(par, memory, speed):
    """Damping of an episode for a closing speed [m/s], and the depth to which it grows (2)."""
    memory[CHOSEN_FOR] = speed
    memory[DAMPING] = damping_for_restitution(memory[RESTITUTION], speed)
    x = memory[DAMPING] * speed
    if speed <= AT_REST and x > LAID:
        x = LAID
        memory[DAMPING] = x / speed
    memory[OWN] = 0.0
    if x > 0.0 and memory[CHOSEN_STIFFNESS] > 0.0:
        memory[OWN] = max(2.0, 2.0 / x) * reach(par, memory, speed)


@kernel
def reach(par, memory, speed):
    """Depth in which the masses of the pair use up a closing speed [m]."""
    n = par[FIRST_OWN]
    return (0.5 * (n + 1.0) * memory[MASS] * speed * speed / memory[CHOSEN_STIFFNESS]) ** (1.0 / (n + 1.0))


@kernel
def choose_damping(par, memory, restitution, closing_speed, effective_mass):
    """Damping of an episode for a restitution, and the depth to which it grows (2); the stiffness is chosen already."""
    for i in range(OWN, MEMORY):
        memory[i] = 0.0
    memory[RESTITUTION] = restitution
    memory[MASS] = effective_mass
    speed = max(closing_speed, AT_REST)
    damp_for(par, memory, speed)
    b = weight_share(par, memory, closing_speed, effective_mass)
    if memory[OWN] > 0.0 and b > NO_WEIGHT:
        x = damping_under_weight(memory[DAMPING] * speed, b, par[FIRST_OWN])
        memory[DAMPING] = x / speed
        memory[OWN] = max(2.0 + b, 2.0 / x) * reach(par, memory, speed)


@kernel(signature=BEGIN_SIGNATURE)
def hunt_crossley_begin(par, memory, closing_speed, effective_mass, factor, region):
    begin_common(par, memory, closing_speed, factor, region)
    memory[DAMPING] = par[FIRST_OWN + 1]


class CompliantLaw(ContactLaw):
    """Base of the laws with this force; a kind chooses stiffness and damping at touch."""

    law_kernel: ClassVar[Any] = compliant
    advance_kernel: ClassVar[Any] = compliant_advance

    stiffness: float | None
    exponent: float

    def fitted(self, load: Load) -> ContactLaw:
        chosen: dict[str, Any] = {"stiffness": load.stiffness(self.exponent)} if self.stiffness is None else {}
        return replace(self, **chosen)

    def left_out(self) -> float | None:
        return self.exponent if self.stiffness is None else None

    def harder(self, times: float) -> tuple[float, float]:
        return self.reference_stiffness() * times ** (self.exponent + 1.0), 0.0

    def reference_stiffness(self) -> float:
        return GREATEST_STIFFNESS if self.stiffness is None else self.stiffness


@dataclass(frozen=True)
class HuntCrossley(CompliantLaw):
    """Stiffness k [N/m^n], exponent n [1], damping a [s/m]."""

    kind: ClassVar[str] = "hunt-crossley"
    begin_kernel: ClassVar[Any] = hunt_crossley_begin

    stiffness: float | None = quantity(
        "N/m", "stiffness (N/m^exponent); by mass, size, weight and speed when left out", None, positive=True
    )
    damping: float = quantity("s/m", "damping relative to the spring force", 0.2, minimum=0.0)
    exponent: float = quantity("1", "exponent of the depth (1 linear, 1.5 Hertz)", 1.0, minimum=1.0, maximum=4.0)

    def own_parameters(self) -> list[float]:
        return [self.exponent, self.damping]
