"""A figure of a run as a part: declared in a scenario, named on the command line or made in Python.

A kind says which parameters it has and draws; it holds no physics and the model does not see it. The kinds of Centrode
are in :mod:`centrode.plots.kinds`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from centrode.errors import InputError
from centrode.parts.part import Part, quantity

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from centrode.recording.recording import Recording


@dataclass(frozen=True)
class Plot(Part):
    """Base of all plots.

    Class attributes of a kind:
        named: fields that the names on the command line fill, in turn; a list takes all that are left.
        reads_scenario: draws from the scenario that the recording carries, which takes time.
    """

    family: ClassVar[str] = "plot"
    named: ClassVar[tuple[str, ...]] = ()
    reads_scenario: ClassVar[bool] = False

    title: str = quantity("", "line above the figure", "", kw_only=True)

    def figure(self, run: Recording, progress: Callable[[float], None] | None = None) -> Figure:
        """The figure of a recording; ``progress`` is told the fraction done of work that takes time."""
        raise NotImplementedError

    @classmethod
    def called(cls, names: Sequence[str], **fields: Any) -> Plot:
        """The plot of this kind with names in its fields; fields that are empty are left out."""
        given = {key: value for key, value in fields.items() if value not in (None, "", ())}
        known = {item.name: item for item in dataclasses.fields(cls)}
        left = list(names)
        for field in cls.named:
            if isinstance(known[field].default, tuple):
                given[field], left = tuple(left), []
            elif left:
                given[field] = left.pop(0)
        unknown = [key for key in given if key not in known]
        if left or unknown:
            raise InputError(f"too much for a figure of {cls.kind}", got=", ".join([*left, *unknown]))
        return cls(cls.kind, **given).checked()  # type: ignore[return-value]
