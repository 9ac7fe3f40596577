"""Events of a run: contact begin and end, rope taut, wheel lift, end of road, parameter change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, SupportsIndex, overload

from centrode.classes import dataclass
from centrode.texts import text_table

EVENT_COLUMNS = ("time [s]", "event", "subject", "values")

MOST_VALUES = 4
"""Figures of an event that a table shows."""


@dataclass(frozen=True)
class Event:
    """Something that happened at one moment.

    Attributes:
        time: [s].
        kind: "contact-begin", "rope-taut", ...
        subject: name of the part, or of two joined by " - ".
        values: further figures, SI.
    """

    time: float
    kind: str
    subject: str = ""
    values: Mapping[str, float] = field(default_factory=dict)


class Events(tuple[Event, ...]):
    """The events of a run in the order in which they happened."""

    @overload
    def __getitem__(self, index: SupportsIndex) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> Events: ...
    def __getitem__(self, index: Any) -> Any:
        return Events(super().__getitem__(index)) if isinstance(index, slice) else super().__getitem__(index)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Events) and list(map(_comparable, self)) == list(map(_comparable, other))

    def __ne__(self, other: object) -> bool:  # a tuple has its own, which takes one NaN for another
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Events: {len(self)}>"

    def of(self, kind: str, subject: str | None = None) -> Events:
        """Events of one kind, and of one subject when given."""
        return Events(item for item in self if item.kind == kind and subject in (None, item.subject))

    def table(self, most_values: int | None = MOST_VALUES) -> str:
        """All events as an aligned text table; of each, the first ``most_values`` figures (None: all).

        A collision has more than a hundred, in lines of thousands of characters: ``run.collisions`` is made for them.
        """
        return text_table(EVENT_COLUMNS, self.rows(most_values)) if self else "no events"

    def rows(self, most_values: int | None = MOST_VALUES) -> list[tuple[str, str, str, str]]:
        """Time, kind, subject and figures of every event as texts, for tables with :data:`EVENT_COLUMNS`."""
        found = []
        for item in self:
            shown = list(item.values.items())[:most_values]
            values = ", ".join(f"{key} = {value:.6g}" for key, value in shown)
            if len(shown) < len(item.values):
                values += f", and {len(item.values) - len(shown)} more"
            found.append((f"{item.time:.6f}", item.kind, item.subject, values))
        return found


def _comparable(item: Event) -> tuple[Any, ...]:
    # repr makes NaN equal to NaN, and tells apart every two different floats.
    return repr(float(item.time)), item.kind, item.subject, [(k, repr(float(v))) for k, v in item.values.items()]
