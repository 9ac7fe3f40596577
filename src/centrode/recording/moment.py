"""A moment of a run by names: the channels of one frame, as a session gives them while it goes on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from centrode.errors import InputError, nearest_name
from centrode.recording.channel import Channel


class Moment(Mapping[str, np.ndarray]):
    """Channel name -> value at one time.

    Attributes:
        time: [s].
        units: channel name -> unit.

    Example:
        >>> now = session.step()
        >>> now.time, now["arm.position"], now.units["arm.position"]
    """

    def __init__(self, time: float, columns: Mapping[str, np.ndarray], channels: Sequence[Channel]) -> None:
        self.time = float(time)
        self.units = {channel.name: channel.unit for channel in channels}
        self._values = {channel.name: np.asarray(columns[channel.name][0]) for channel in channels}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._values:
            known = list(self._values)
            hint = "list(moment) names all channels"
            raise InputError("unknown channel", path=str(name), nearest=nearest_name(str(name), known), hint=hint)
        return self._values[name]

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"<Moment at {self.time:g} s: {len(self)} channels>"
