"""What a crash does to a wheel: from a time on it is jammed (pressed into its arch, it does not turn) or torn off.

A jammed wheel is held by more torque than any tyre has. One that is torn off takes no part any more: its corner of the
body comes down and drags on the road, where the body has an outline.
"""

from __future__ import annotations

import math

from centrode.classes import dataclass
from centrode.errors import Fault, nearest_name
from centrode.parts.part import Part, quantity

JAM_TORQUE = 6000.0
"""[N m]: at a wheel of 0.3 m it holds 20 kN, twice what a tyre under the weight of half a car gives."""


@dataclass(frozen=True)
class WheelDamage:
    """Damage of one wheel."""

    wheel: str = quantity("", "left_front, right_front, left_rear, right_rear (wheel0, ... with other than four)")
    jammed_from: float = quantity("s", "from when it does not turn", math.inf)
    lost_from: float = quantity("s", "from when it is torn off", math.inf)


def wheel_faults(part: Part, wheels: tuple[str, ...]) -> list[Fault]:
    """What is wrong with the shares of the brakes and the damage of a part whose wheels have these names."""
    found = []
    shares, damage = part.values_of("brake_shares", "damage").values()
    if len(shares) not in (0, len(wheels)):
        got, expected = len(shares), f"one per wheel: {', '.join(wheels)}"
        found.append(Fault("as many shares as wheels", f"{part.name}.brake_shares", got=got, expected=expected))
    for index, item in enumerate(damage):
        path = f"{part.name}.damage[{index}]"
        if item.wheel not in wheels:
            expected, near = f"one of: {', '.join(wheels)}", nearest_name(str(item.wheel), list(wheels))
            found.append(Fault("unknown wheel", f"{path}.wheel", got=item.wheel, expected=expected, nearest=near))
        elif item.jammed_from == item.lost_from == math.inf:
            found.append(Fault("no damage is said", path, expected="jammed_from or lost_from, a time in s"))
    return found
