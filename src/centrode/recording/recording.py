"""The result of a run: named channels over time, events, status, statistics and where it all comes from.

::

    run = centrode.simulate(system, duration=10.0)
    run["arm.position"]            # (frames, 3) array [m]
    run.save("arm.nc")             # xarray opens it
    run == Recording.load("arm.nc")
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import centrode
from centrode.errors import InputError, nearest_name
from centrode.recording import export, store
from centrode.recording.channel import Channel, Coordinates, check_channels
from centrode.recording.provenance import Account
from centrode.recording.warnings import warnings_of
from centrode.texts import AnyPath, output_file

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure

    from centrode.crash.collisions import Collisions
    from centrode.crash.tyre_marks import TyreMark
    from centrode.scenario.document import Scenario
    from centrode.view.window import Replay

_BLOCK_NUMBERS = 1 << 20


class Recording:
    """Channels, events and provenance of one run.

    Attributes:
        time: (frames,) [s].
        channels: name -> :class:`Channel`.
        coordinates: axis -> labels.
        events, status, statistics, provenance, final_state: see :class:`centrode.recording.provenance.Account`.
        made_of: the scenario, once it is at hand: that of the run, or that which :meth:`scenario` has read.
        beside: folder of the files that the scenario names, where the recording was loaded from a file that knows it.
    """

    def __init__(
        self,
        *,
        time: np.ndarray,
        data: Mapping[str, np.ndarray],
        channels: Sequence[Channel],
        coordinates: Coordinates | None = None,
        account: Account | None = None,
        made_of: Scenario | None = None,
    ) -> None:
        listed, self.coordinates = check_channels(channels, coordinates)
        self.channels: dict[str, Channel] = {item.name: item for item in listed}
        self.time = np.asarray(time, dtype=float)
        self._data = data
        if isinstance(data, dict):
            for item in listed:
                shape = (len(self.time), *item.shape(self.coordinates))
                if np.shape(data[item.name]) != shape:
                    raise ValueError(f"channel '{item.name}': shape {np.shape(data[item.name])}, expected {shape}")
        account = account or Account()
        self.events, self.status, self.statistics = account.events, account.status, account.statistics
        self.provenance, self.final_state = account.provenance, dict(account.final_state)
        self.made_of = made_of
        self.beside: Path | None = None

    # -- reading ---------------------------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> np.ndarray:
        """(frames, ...) array of a channel; "arm.position.x" gives one component."""
        if name in self.channels:
            return self._data[name]
        base, _, label = name.rpartition(".")
        if base in self.channels and len(self.channels[base].dims) == 1:
            labels = self.coordinates[self.channels[base].dims[0]]
            if label in labels:
                return self._data[base][:, labels.index(label)]
        if name == "time":
            return self.time
        raise InputError("no such channel", got=name, nearest=nearest_name(name, list(self.channels)))

    def __contains__(self, name: object) -> bool:
        return name in self.channels

    def __iter__(self) -> Iterator[str]:
        return iter(self.channels)

    def __len__(self) -> int:
        return len(self.time)

    def __eq__(self, other: object) -> bool:
        """Same channels, numbers (bit for bit up to the kind of NaN), events, status and provenance."""
        if not isinstance(other, Recording):
            return NotImplemented
        return not self.differences(other)

    __hash__ = None  # type: ignore[assignment]

    def differences(self, other: Recording) -> list[str]:
        """Names of all that differs between two recordings; empty when they are equal."""
        compared = ("channels", "coordinates", "events", "status", "statistics", "provenance")
        found = [name for name in compared if getattr(self, name) != getattr(other, name)]
        if not np.array_equal(self.time, other.time, equal_nan=True):
            found.append("time")
        for name in self.channels:
            if name in other.channels and not np.array_equal(self[name], other[name], equal_nan=True):
                found.append(name)
        mine, others = self.final_state, other.final_state
        if mine.keys() != others.keys() or not all(_same_array(mine[name], others[name]) for name in mine):
            found.append("final_state")
        return found

    @property
    def account(self) -> Account:
        """All that the recording holds besides its channels."""
        return Account(self.events, self.status, self.statistics, self.provenance, self.final_state)

    @property
    def duration(self) -> float:
        """Time from the first frame to the last [s]."""
        return float(self.time[-1] - self.time[0]) if len(self.time) else 0.0

    def at(self, name: str, time: float) -> np.ndarray:
        """Value of a channel at a time [s], linear between frames."""
        values = self[name]
        if not len(self.time) or not self.time[0] <= time <= self.time[-1]:
            raise InputError("time outside the recording", got=time, expected="a time between first and last frame")
        index = min(int(np.searchsorted(self.time, time, side="right")), len(self.time) - 1)
        before = max(index - 1, 0)
        span = self.time[index] - self.time[before]
        share = (time - self.time[before]) / span if span > 0 else 1.0
        result: np.ndarray = values[before] + share * (values[index] - values[before])
        return result

    def scenario(self, folder: AnyPath | None = None, plugins: Sequence[AnyPath] = ()) -> Scenario:
        """The scenario that this recording comes from: at hand after a run, else read once from the text it carries.

        Args:
            folder: where the plugins and files of the scenario lie; as seen from the file of the recording, or the
                current folder, by default.
            plugins: plugin files, relative to the current folder; one stands in for a plugin of the same file name that
                the scenario names and that is not in ``folder`` (any more).

        Raises:
            InputError: the scenario was built in Python with functions, or its plugins are not there.
        """
        if self.made_of is None or plugins or (folder is not None and Path(folder) != self.made_of.folder):
            from centrode.scenario.loader import loads

            if not self.provenance.scenario_text:
                raise InputError("the recording carries no scenario")
            given = tuple(str(Path(item).resolve()) for item in plugins)
            text, file = self.provenance.scenario_text, "scenario of the recording"
            self.made_of = loads(text, file=file, folder=folder or self.beside or Path(), plugins=given)
        return self.made_of

    # -- files -----------------------------------------------------------------------------------------------------

    def save(self, path: AnyPath) -> Path:
        """Write one NetCDF-4 file; the same recording always gives the same bytes."""
        target = output_file(path)
        listed = tuple(self.channels.values())
        store.write(target, listed, self.coordinates, len(self.time), self._blocks(), self.account)
        return target

    @classmethod
    def load(cls, path: AnyPath) -> Recording:
        """Open a recording. Channels are read when asked for.

        The ``.partial`` file of an interrupted run opens too, with all frames up to its last flush.

        Raises:
            InputError: missing, truncated, foreign or newer file.
        """
        source = Path(path)
        if source.name.endswith(".partial") and source.is_file():
            from centrode.recording.writer import load_partial

            return load_partial(source)
        found = cls(**store.read(source))
        if found.provenance.folder:
            found.beside = source.parent / found.provenance.folder
        return found

    def to_csv(self, path: AnyPath, channels: Sequence[str] | None = None) -> Path:
        """Write a table with one row per frame; numbers are exact, units stand in the header."""
        return export.write_csv(self, Path(path), channels)

    def to_xarray(self) -> xarray.Dataset:
        """All channels as an ``xarray.Dataset`` with units."""
        return export.to_xarray(self)

    def _blocks(self) -> Iterator[np.ndarray]:
        width = 1 + sum(item.size(self.coordinates) for item in self.channels.values())
        length = max(1, _BLOCK_NUMBERS // width)
        for first in range(0, len(self.time), length):
            rows = slice(first, min(first + length, len(self.time)))
            count = rows.stop - first
            columns = [self.time[rows].reshape(count, 1)]
            # -1 cannot be inferred for an axis without labels, so the size is given.
            columns += [
                self[name][rows].reshape(count, item.size(self.coordinates)) for name, item in self.channels.items()
            ]
            yield np.concatenate(columns, axis=1)

    # -- looking ---------------------------------------------------------------------------------------------------

    @cached_property
    def warnings(self) -> list[str]:
        """What a reader should know before trusting the run, as the summary tells it; none where all is well."""
        return warnings_of(self)

    def summary(self) -> str:
        """Status, cost, and the range of every channel as a text table."""
        return export.summary(self)

    def __repr__(self) -> str:
        return f"<Recording: {len(self.time)} frames, {len(self.channels)} channels, {self.status}>"

    def _repr_html_(self) -> str:
        """For notebooks: facts, the replay, all channels."""
        return export.html(self, centrode.replay_html(self))

    @cached_property
    def collisions(self) -> Collisions:
        """The collisions of the run with their figures."""
        return centrode.collisions_of(self)

    @cached_property
    def tyre_marks(self) -> list[TyreMark]:
        """Where wheels slid and how hard they rubbed, in order of time; none when the scenario cannot be read."""
        return centrode.tyre_marks(self)

    def view(self, *, plots: Sequence[str] | None = None, height: int = 520) -> Replay | Path:
        """Show the run in 3D, in a browser window or a frame; see :func:`centrode.view.window.view_recording`."""
        return centrode.view_recording(self, plots=plots, height=height)

    def save_html(self, path: AnyPath, *, plots: Sequence[str] | None = None) -> Path:
        """Write the replay as one offline page; see :func:`centrode.view.page.save_html`."""
        return centrode.save_html(self, path, plots=plots)

    def plot(self, *channels: str, title: str = "") -> Figure:
        """Draw channels over time, the first four by default; see :func:`centrode.plots.channels.figure_channels`."""
        return centrode.figure_channels(self, channels or list(self.channels)[:4], title=title)


def _same_array(first: Any, second: Any) -> bool:
    one, two = np.asarray(first), np.asarray(second)
    if one.dtype != two.dtype or one.shape != two.shape:
        return False
    return bool(np.array_equal(one, two, equal_nan=one.dtype.kind in "fc"))
