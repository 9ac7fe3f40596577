"""Streams a run to disk: append, flush, checkpoint, close.

With a path, frames go to a journal beside the result (see ``journal.py``) and the NetCDF file is made at the end, in
one pass with bounded memory. Without a path, frames stay in memory. Both give the same recording.

A run that was killed goes on from its last checkpoint with ``resume=True``; frames after the checkpoint are computed
again, so the finished file has the same bytes as that of an uninterrupted run.
"""

from __future__ import annotations

import json
import os
import time as clock
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import BinaryIO

import numpy as np

from centrode.errors import InputError
from centrode.recording import journal, store
from centrode.recording.channel import Channel, Coordinates, check_channels, places_of
from centrode.recording.events import Event, Events
from centrode.recording.journal import Checkpoint
from centrode.recording.provenance import Account, Provenance, Statistics, Status
from centrode.recording.recording import Recording
from centrode.texts import AnyPath, output_file

PARTIAL = ".partial"
_BUFFER_BYTES = 1 << 20
_BLOCK_BYTES = 8 << 20
# Checkpoints: the first after a second, then rarer, so that they cost nothing noticeable in a long run.
_FIRST_INTERVAL, _LONGEST_INTERVAL, _GROWTH = 1.0, 30.0, 1.5


class RecordingWriter:
    """Takes the frames of a run, in chunks.

    Args:
        channels: what every frame holds, in the order of the columns.
        provenance: what the run comes from.
        path: file to make; None keeps everything in memory.
        coordinates: labels of axes that are not standard ("xyz", "wxyz", ...).
        resume: go on with an interrupted run at ``path``; see :attr:`resumed`.

    Attributes:
        resumed: the checkpoint to go on from; None when the run starts from the beginning.
    """

    def __init__(
        self,
        channels: Iterable[Channel],
        provenance: Provenance,
        path: AnyPath | None = None,
        *,
        coordinates: Coordinates | None = None,
        resume: bool = False,
    ) -> None:
        self.channels, self.coordinates = check_channels(channels, coordinates)
        self.provenance = provenance
        self.places = places_of(self.channels, self.coordinates)
        self.width = max((place.stop for place in self.places.values()), default=1)
        self.path = Path(path) if path is not None else None
        self.resumed: Checkpoint | None = None
        self.frames = 0
        self._rows: list[np.ndarray] = []
        self._buffered = 0
        self._events: list[Event] = []
        self._written_events = 0
        self._file: BinaryIO | None = None
        self._closed = False
        self._interval = _FIRST_INTERVAL
        self._last_checkpoint = clock.monotonic()
        if self.path is not None:
            self._open(resume)

    @property
    def journal_path(self) -> Path | None:
        """File that holds the frames while the run goes on."""
        return self.path.with_name(self.path.name + PARTIAL) if self.path is not None else None

    @property
    def checkpoint_due(self) -> bool:
        """Whether enough wall time passed since the last checkpoint; never in memory."""
        return self._file is not None and clock.monotonic() - self._last_checkpoint >= self._interval

    def append(self, time: np.ndarray | float, chunk: np.ndarray | Mapping[str, np.ndarray]) -> None:
        """Add frames.

        Args:
            time: (n,) times [s], or one time.
            chunk: (n, width) numbers of all channels in order, or channel name -> (n, ...) array.
        """
        self._check_open()
        times = np.atleast_1d(np.asarray(time, dtype=float))
        rows = np.empty((len(times), self.width))
        rows[:, 0] = times
        if isinstance(chunk, Mapping):
            unknown = set(chunk) - {item.name for item in self.channels}
            if unknown:
                raise KeyError(f"unknown channel '{sorted(unknown)[0]}'")
            for item, place in self.places.items():
                values = np.asarray(chunk[item.name], dtype=float)
                rows[:, place] = values.reshape(len(times), place.stop - place.start)
        else:
            rows[:, 1:] = np.asarray(chunk, dtype=float).reshape(len(times), self.width - 1)
        self._rows.append(rows)
        self.frames += len(rows)
        self._buffered += rows.nbytes
        if self._file is not None and self._buffered >= _BUFFER_BYTES:
            self._write_rows()

    def add_events(self, events: Iterable[Event]) -> None:
        """Add events, in the order in which they happened."""
        self._check_open()
        self._events += events

    def flush(self) -> None:
        """Hand everything to the operating system: it survives the death of the process."""
        self._check_open()
        if self._file is None:
            return
        self._write_rows()
        new = self._events[self._written_events :]
        if new:
            listed = [[e.time, e.kind, e.subject, {k: float(v) for k, v in e.values.items()}] for e in new]
            journal.write_record(self._file, b"E", journal.encode_json(listed))
            self._written_events = len(self._events)
        self._file.flush()

    def checkpoint(self, state: Mapping[str, np.ndarray], counts: Mapping[str, float] | None = None) -> None:
        """Store all that the run needs to go on from here, behind the frames and events given so far.

        Args:
            state: named arrays of numbers.
            counts: statistics so far.
        """
        self.flush()
        if self._file is None:
            return
        journal.write_record(self._file, b"C", journal.encode_checkpoint(state, counts or {}))
        self._file.flush()
        os.fsync(self._file.fileno())
        self._interval = min(self._interval * _GROWTH, _LONGEST_INTERVAL)
        self._last_checkpoint = clock.monotonic()

    def close(
        self,
        status: Status | None = None,
        statistics: Statistics | None = None,
        final_state: Mapping[str, np.ndarray] | None = None,
    ) -> Recording:
        """End the run: make the file and return the recording."""
        self.flush()
        statistics = statistics or Statistics()
        account = Account(Events(self._events), status or Status(), statistics, self.provenance, final_state or {})
        self._closed = True
        partial = self.journal_path
        if self.path is None or self._file is None or partial is None:
            blocks, self._rows = self._rows, []
            return from_rows(blocks, self.channels, self.coordinates, account)
        self._file.close()
        rows = journal_blocks(partial, self.width)
        store.write(self.path, self.channels, self.coordinates, self.frames, rows, account)
        partial.unlink()
        recording = Recording.load(self.path)
        recording.statistics.wall_seconds = statistics.wall_seconds
        return recording

    def abandon(self) -> None:
        """Stop without a result; the journal stays, for :meth:`Recording.load` and for ``resume``."""
        if not self._closed:
            self.flush()
            self._closed = True
            if self._file is not None:
                self._file.close()

    def __enter__(self) -> RecordingWriter:
        return self

    def __exit__(self, *error: object) -> None:
        self.abandon()

    def _open(self, resume: bool) -> None:
        partial = self.journal_path
        assert self.path is not None and partial is not None
        output_file(self.path)
        listed, made = [asdict(item) for item in self.channels], asdict(self.provenance)
        header = {"provenance": made, "channels": listed, "coordinates": self.coordinates}
        header = json.loads(journal.encode_json(header))  # as it will be read: tuples become lists
        if not (resume and partial.exists()):
            self._file = journal.start(partial, header)
            return
        stored = journal.read_header(partial)
        if stored != header:
            different = [name for name in header if stored.get(name) != header[name]]
            hint = "run without --resume, or with the scenario and settings of the interrupted run"
            got = f"other {' and '.join(different)}"
            raise InputError("the interrupted run is another one", file=str(partial), got=got, hint=hint)
        self.resumed, offset = journal.last_checkpoint(partial, self.width)
        if self.resumed is not None:
            self.frames = self.resumed.frames
            self._events = journal_events(partial)[: self.resumed.events]
            self._written_events = len(self._events)
        self._file = journal.reopen(partial, offset)

    def _write_rows(self) -> None:
        if self._rows and self._file is not None:
            data = np.concatenate(self._rows).astype("<f8", copy=False)
            journal.write_record(self._file, b"F", data.tobytes())
            self._rows, self._buffered = [], 0

    def _check_open(self) -> None:
        if self._closed:
            raise ValueError("the recording is closed")


def journal_blocks(path: Path, width: int) -> Iterator[np.ndarray]:
    """Rows of a journal, in blocks of bounded size."""
    waiting: list[np.ndarray] = []
    size = 0
    for kind, payload, _ in journal.records(path):
        if kind == b"F":
            waiting.append(np.frombuffer(payload, "<f8").reshape(-1, width))
            size += len(payload)
            if size >= _BLOCK_BYTES:
                yield np.concatenate(waiting)
                waiting, size = [], 0
    if waiting:
        yield np.concatenate(waiting)


def journal_events(path: Path) -> list[Event]:
    """All events of a journal."""
    return [Event(*item) for kind, payload, _ in journal.records(path) if kind == b"E" for item in json.loads(payload)]


def load_partial(path: Path) -> Recording:
    """What an interrupted run left behind, up to its last flush."""
    header = journal.read_header(path)
    channels = tuple(Channel(**item) for item in header["channels"])
    coordinates = {name: tuple(labels) for name, labels in header["coordinates"].items()}
    width = 1 + sum(item.size(coordinates) for item in channels)
    checkpoint, _ = journal.last_checkpoint(path, width)
    counts = dict(checkpoint.counts) if checkpoint else {}
    known = {name: int(counts.pop(name)) for name in ("steps", "rejected", "evaluations") if name in counts}
    cost, made = Statistics(**known, more=counts), Provenance(**header["provenance"])
    state = checkpoint.state if checkpoint else {}
    account = Account(Events(journal_events(path)), Status("interrupted"), cost, made, state)
    return from_rows(journal_blocks(path, width), channels, coordinates, account)


def from_rows(
    blocks: Iterable[np.ndarray], channels: tuple[Channel, ...], coordinates: Coordinates, account: Account
) -> Recording:
    """A recording in memory from blocks of rows of (time, all channels)."""
    places = places_of(channels, coordinates)
    rows = np.concatenate([np.empty((0, max((place.stop for place in places.values()), default=1))), *blocks])
    shaped = {item.name: rows[:, at].reshape(len(rows), *item.shape(coordinates)) for item, at in places.items()}
    data = {name: np.ascontiguousarray(values) for name, values in shaped.items()}
    return Recording(time=rows[:, 0].copy(), data=data, channels=channels, coordinates=coordinates, account=account)
