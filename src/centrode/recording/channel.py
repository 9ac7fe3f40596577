"""A channel: one recorded quantity with its name, unit, axes and frame.

A channel named "arm.position" belongs to the part "arm". Its axes are named dimensions ("xyz", "wxyz", "wheel");
the labels along each of them are coordinates that all channels of a recording share.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from centrode.classes import dataclass
from centrode.errors import Fault, InputError
from centrode.parts.structures.stations import SIDE_STATIONS

Coordinates: TypeAlias = Mapping[str, Sequence[str]]
"""Axis -> labels along it."""

STANDARD_COORDINATES: dict[str, tuple[str, ...]] = {
    "xyz": ("x", "y", "z"),
    "xy": ("x", "y"),
    "wxyz": ("w", "x", "y", "z"),
    "row": ("1", "2", "3"),
    "column": ("1", "2", "3"),
    "force_moment": ("fx", "fy", "fz", "mx", "my", "mz"),
    **{f"along_{side}": tuple(map(str, range(1, 1 + count))) for side, count in SIDE_STATIONS.items()},
}


@dataclass(frozen=True)
class Channel:
    """One recorded quantity.

    Attributes:
        name: "part.quantity"; no slash.
        unit: SI unit ("m/s", "1").
        dims: names of the axes after time; () for a scalar.
        frame: "world", "body", "path" or "" when it has none.
        meaning: one line.
    """

    name: str
    unit: str = "1"
    dims: tuple[str, ...] = ()
    frame: str = ""
    meaning: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "dims", (self.dims,) if isinstance(self.dims, str) else tuple(self.dims))

    @property
    def attributes(self) -> dict[str, str]:
        """What a file says about it."""
        found = {"units": self.unit, "long_name": self.meaning or self.name}
        return {**found, "frame": self.frame} if self.frame else found

    def shape(self, coordinates: Coordinates) -> tuple[int, ...]:
        """Sizes of the axes after time."""
        return tuple(len(coordinates[item]) for item in self.dims)

    def size(self, coordinates: Coordinates) -> int:
        """Count of numbers per frame."""
        return math.prod(self.shape(coordinates))

    def labels(self, coordinates: Coordinates) -> list[str]:
        """Names of the scalar columns: "arm.position.x", ..."""
        names = [self.name]
        for item in self.dims:
            names = [f"{name}.{label}" for name in names for label in coordinates[item]]
        return names


def places_of(channels: Iterable[Channel], coordinates: Coordinates) -> dict[Channel, slice]:
    """Where the numbers of each channel stand in a row of (time, all channels)."""
    listed = tuple(channels)
    ends = list(itertools.accumulate((item.size(coordinates) for item in listed), initial=1))
    return {item: slice(first, end) for item, first, end in zip(listed, ends, ends[1:], strict=False)}


def check_channels(
    channels: Iterable[Channel], coordinates: Coordinates | None
) -> tuple[tuple[Channel, ...], dict[str, tuple[str, ...]]]:
    """Channels as a tuple and the coordinates they use.

    Raises:
        InputError: a name that occurs twice or cannot be stored, or an axis without labels.
    """
    listed = tuple(channels)
    known = {**STANDARD_COORDINATES, **{key: tuple(map(str, item)) for key, item in (coordinates or {}).items()}}
    faults: list[Fault] = []
    seen: set[str] = set()
    used: dict[str, tuple[str, ...]] = {}
    for item in listed:
        if not item.name or "/" in item.name or item.name in ("time", "events", "final_state"):
            faults.append(Fault("a channel cannot have this name", got=item.name, expected="a name without '/'"))
        if item.name in seen:
            hint = "rename the part that records it; contacts of outlines record as 'collisions'"
            faults.append(Fault("two channels have the same name", got=item.name, hint=hint))
        seen.add(item.name)
        for dim in item.dims:
            if dim not in known:
                faults.append(Fault("unknown axis of a channel", path=item.name, got=dim, hint="give its coordinates"))
            elif dim in seen or dim == "time":
                faults.append(Fault("an axis has the name of a channel", path=item.name, got=dim))
            else:
                used[dim] = known[dim]
    faults += [Fault("an axis has the name of a channel", got=dim) for dim in used if dim in seen]
    if faults:
        raise InputError(faults)
    return listed, used
