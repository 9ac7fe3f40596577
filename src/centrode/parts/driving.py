"""What a driver can move: a control with a range, the drives it acts on, and the keys that move it.

A vehicle says how it is driven by the method :meth:`centrode.parts.part.Part.drive_inputs`. One control may act on
several drives, each with its own gain: a rudder pedal on two fins, steering on two wheels. A vehicle that says nothing
gets a control for every drive that it has (a force with ``input_names``), with the force's ``input_range`` and keys by
what it is called.
"""

from __future__ import annotations

import math

from centrode.classes import dataclass
from centrode.errors import InputError


@dataclass(frozen=True)
class DriveInput:
    """A control in the driver's hands.

    Attributes:
        name: what it is called ("steer", "throttle").
        targets: (name of the force, name of its input, gain) of every drive that it moves; the drive gets
            gain * value.
        low, high: range.
        rest: value that it goes back to when nobody holds it; within the range.
        unit: for display.
        keys: keys that raise and lower it (names of the browser: "ArrowUp", "w").
        axis: axis of a gamepad, -1 for none.
        rise: time from rest to the end of the range while a key is held [s].
    """

    name: str
    targets: tuple[tuple[str, str, float], ...]
    low: float = -1.0
    high: float = 1.0
    rest: float = 0.0
    unit: str = "1"
    keys: tuple[str, str] = ("", "")
    axis: int = -1
    rise: float = 0.4

    def __post_init__(self) -> None:
        numbers = (self.low, self.high, self.rest, self.rise, *(gain for _, _, gain in self.targets))
        if not all(math.isfinite(value) for value in numbers) or not self.low <= self.rest <= self.high:
            raise InputError("a control needs finite limits around its rest", path=self.name, got=numbers)
        if self.low == self.high or not self.targets:
            raise InputError("a control that moves nothing", path=self.name)

    def limited(self, value: float) -> float:
        """A wish cut to the range; rest for what is no number."""
        return min(max(value, self.low), self.high) if math.isfinite(value) else self.rest
