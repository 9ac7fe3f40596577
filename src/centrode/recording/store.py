"""The file of a recording: NetCDF-4, written in one canonical way, opened by xarray.

Root group: dimension and coordinate ``time`` [s], one variable per channel with ``units``, ``frame`` and ``long_name``,
one coordinate per axis with its labels; global attributes with format, provenance, status and statistics.
Group ``events``: time, kind, subject, values (JSON). Group ``final_state``: the arrays of the last state.

Versions of the layout (``centrode_format``): a number goes up whenever a reader of the number before would misread the
file. This Centrode writes the newest and reads all that stand in ``_READERS``; a newer file is refused by name.

1. As above, without checksums.
2. With ``checksums``: CRC-32 of ``time`` and of every channel in order (little-endian doubles, frame by frame). HDF5
   keeps none for contiguous data, so a flipped bit went unseen.

The same recording always gives the same bytes: variables in fixed order, nothing compressed, no time stamps. A file
appears under its final name only when complete (temporary file in the same folder, then an atomic rename).

Files are written and read with h5py alone: h5netcdf looks at every variable when it opens a file, which takes seconds
for the thousands of channels of a pile-up.
"""

from __future__ import annotations

import contextlib
import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from centrode.errors import InputError, RunStop
from centrode.recording.channel import Channel, Coordinates, places_of
from centrode.recording.events import Event, Events
from centrode.recording.netcdf import Group, new_file
from centrode.recording.provenance import Account, Provenance, Statistics, Status
from centrode.recording.seal import is_broken, seal
from centrode.texts import whole_file

FORMAT = 2
"""Version of the file layout that is written."""


def write(
    path: Path,
    channels: tuple[Channel, ...],
    coordinates: Coordinates,
    frames: int,
    blocks: Iterable[np.ndarray],
    account: Account,
) -> None:
    """Write a recording to a file.

    Args:
        blocks: rows of (time, all channels), in order, ``frames`` rows altogether; they are written one by one, so
            the whole need not fit in memory.
        account: all that is no channel.
    """
    import h5py

    text = h5py.string_dtype()
    places = [slice(0, 1), *places_of(channels, coordinates).values()]
    with whole_file(path) as temporary:
        with new_file(temporary) as file:
            _write_head(file, channels, account)
            file.dimension("time", frames)
            variables = [file.variable("time", ("time",), "f8", {"units": "s", "long_name": "time"})]
            for name, labels in coordinates.items():
                file.dimension(name, len(labels))
                file.variable(name, (name,), text)[...] = np.array(labels, dtype=object)
            for item in channels:
                variables.append(file.variable(item.name, ("time", *item.dims), "f8", item.attributes))
            row, sums = 0, [0] * len(variables)
            for block in blocks:
                end = row + len(block)
                for number, (variable, place) in enumerate(zip(variables, places, strict=True)):
                    if place.stop > place.start:
                        part = block[:, place]
                        variable[row:end] = part.reshape(len(block), *variable.shape[1:])
                        sums[number] = checksum(part, sums[number])
                row = end
            if row != frames:
                raise ValueError(f"{row} frames came, {frames} were announced")
            file.say({"checksums": _json(sums)})
            _write_events(file.group("events"), list(account.events), text)
            _write_state(file.group("final_state"), account.final_state)
        seal(temporary)
        with temporary.open("r+b") as written:
            os.fsync(written.fileno())


def _write_head(file: Group, channels: tuple[Channel, ...], account: Account) -> None:
    status, counted = account.status, asdict(account.statistics)
    del counted["wall_seconds"]
    file.say(
        {
            "Conventions": "CF-1.11",
            "centrode_format": FORMAT,
            "title": account.provenance.title,
            "status": str(status),
            "provenance": _json(asdict(account.provenance)),
            "outcome": _json({"outcome": status.outcome, "stop": asdict(status.stop) if status.stop else None}),
            "statistics": _json(counted),
            "channels": _json([asdict(item) for item in channels]),
        }
    )


def checksum(values: np.ndarray, before: int = 0) -> int:
    """CRC-32 of numbers as little-endian doubles, going on from that of the numbers before them."""
    return zlib.crc32(np.ascontiguousarray(values, dtype="<f8").tobytes(), before)


def _write_events(group: Group, events: list[Event], text: Any) -> None:
    group.dimension("event", len(events))
    columns: dict[str, list[Any]] = {
        "time": [item.time for item in events],
        "kind": [item.kind for item in events],
        "subject": [item.subject for item in events],
        "values": [_json({key: float(value) for key, value in item.values.items()}) for item in events],
    }
    for name, values in columns.items():
        kind, said = ("f8", {"units": "s"}) if name == "time" else (text, {})
        variable = group.variable(name, ("event",), kind, said)
        if events:
            variable[...] = np.array(values, dtype="f8" if name == "time" else object)


def _write_state(group: Group, state: Mapping[str, np.ndarray]) -> None:
    for name, value in state.items():
        array = np.asarray(value)
        dims = tuple(f"{name}_{axis}" for axis in range(array.ndim))
        for dim, size in zip(dims, array.shape, strict=True):
            group.dimension(dim, size)
        stored = array.astype("i1") if array.dtype == bool else array
        variable = group.variable(name, dims, stored.dtype, {"dtype": array.dtype.str})
        if array.size:
            variable[...] = stored


class LazyChannels(Mapping[str, np.ndarray]):
    """Data of channels, read one by one when asked for and then kept."""

    def __init__(self, names: Iterable[str], read: Callable[[str], np.ndarray]) -> None:
        self._names, self._read = tuple(names), read
        self._known: dict[str, np.ndarray] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._known:
            if name not in self._names:
                raise KeyError(name)
            self._known[name] = self._read(name)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _stored(path: Path, stamp: tuple[int, int, int], checksums: Mapping[str, int], name: str) -> np.ndarray:
    """The data of one channel of a file; holds no open file."""
    if _stamp(path) != stamp:
        raise InputError("the file changed after it was opened", file=str(path), hint="load it again")
    with _opened(path) as file:
        try:
            return _sound(file, name, checksums)
        except (KeyError, OSError, RuntimeError, ValueError, TypeError) as error:
            raise InputError("damaged recording", path=name, file=str(path)) from error


def read(path: Path) -> dict[str, Any]:
    """Everything but the channels' data, which is read when asked for.

    Raises:
        InputError: missing, truncated, damaged, foreign or newer file.
    """
    if not path.is_file():
        partial = path.with_name(path.name + ".partial")
        hint = f"the run was interrupted: load '{partial.name}', or run again with --resume" if partial.exists() else ""
        raise InputError("no such recording", file=str(path), hint=hint)
    if is_broken(path):
        raise InputError(
            "damaged recording",
            file=str(path),
            got="bytes that are not those that were written",
            hint="copy it again, or repeat the run",
        )
    with _opened(path) as file:
        try:
            return _READERS[_number(file.attrs["centrode_format"])](path, file)
        except (KeyError, ValueError, TypeError, OSError, RuntimeError, AttributeError) as error:
            raise InputError("damaged recording", file=str(path), hint=f"{type(error).__name__}: {error}") from error


def _sound(file: Any, name: str, checksums: Mapping[str, int]) -> np.ndarray:
    """The numbers of a variable; refused when they are not those that were written."""
    values = np.asarray(file[name][...], dtype=float)
    if checksums and checksums[name] != checksum(values):
        raise ValueError("the numbers are not those that were written")
    return values


def _read_2(path: Path, file: Any) -> dict[str, Any]:
    """Format 2: as format 1, with checksums."""
    names = ["time", *(item["name"] for item in json.loads(_text(file.attrs["channels"])))]
    return _read_1(path, file, dict(zip(names, json.loads(_text(file.attrs["checksums"])), strict=True)))


def _read_1(path: Path, file: Any, checksums: Mapping[str, int] | None = None) -> dict[str, Any]:
    channels = tuple(Channel(**item) for item in json.loads(_text(file.attrs["channels"])))
    stored = set(file)
    missing = [item.name for item in channels if item.name not in stored]
    if missing:
        raise KeyError(f"channel '{missing[0]}' is missing")
    used = dict.fromkeys(dim for item in channels for dim in item.dims)
    outcome = json.loads(_text(file.attrs["outcome"]))
    events = file["events"]
    columns = [events[name][...] if events["time"].size else [] for name in ("time", "kind", "subject", "values")]
    rows = zip(*columns, strict=True)
    happened = (Event(float(t), _text(k), _text(s), json.loads(_text(v))) for t, k, s, v in rows)
    status = Status(outcome["outcome"], RunStop(**outcome["stop"]) if outcome["stop"] else None)
    cost = Statistics(**json.loads(_text(file.attrs["statistics"])))
    made = Provenance(**json.loads(_text(file.attrs["provenance"])))
    kept = {name: item for name, item in file["final_state"].items() if "dtype" in item.attrs}  # others are dimensions
    state = {name: np.asarray(item[...]).astype(_text(item.attrs["dtype"])) for name, item in kept.items()}
    return {
        "channels": channels,
        "coordinates": {dim: tuple(_text(label) for label in file[dim][...]) for dim in used},
        "time": _sound(file, "time", checksums or {}),
        "data": LazyChannels([item.name for item in channels], partial(_stored, path, _stamp(path), checksums or {})),
        "account": Account(Events(happened), status, cost, made, state),
    }


_READERS: dict[int, Callable[[Path, Any], dict[str, Any]]] = {1: _read_1, 2: _read_2}
"""How a file of each version is read. An entry is never taken away: recordings outlive the program that made them."""


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[Any]:
    import h5py

    try:
        file = h5py.File(path, "r")
        stored = file.attrs.get("centrode_format")
    except Exception as error:
        with path.open("rb") as raw:
            is_hdf = raw.read(8) == b"\x89HDF\r\n\x1a\n"
        what = "the recording is cut short or damaged" if is_hdf else "not a Centrode recording"
        raise InputError(what, file=str(path), expected="a NetCDF-4 file written by Centrode") from error
    with file:
        if stored is None:
            raise InputError("not a Centrode recording", file=str(path), expected="a NetCDF-4 file written by Centrode")
        number = _number(stored)
        if number not in _READERS:
            newer = number > FORMAT
            what = "the recording was written by a newer Centrode" if newer else "not a format of Centrode"
            said = {"got": f"format {number}", "expected": f"format {FORMAT} or older"}
            raise InputError(what, file=str(path), hint="upgrade Centrode" if newer else "", **said)
        yield file


def _stamp(path: Path) -> tuple[int, int, int]:
    info = path.stat()
    return info.st_size, info.st_mtime_ns, info.st_ino


def _number(value: Any) -> int:
    return int(np.ravel(value)[0])


def _text(value: Any) -> str:
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=_plain)


def _plain(value: Any) -> Any:
    """Numpy numbers and arrays as plain values, for JSON."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"cannot store {type(value).__name__} in a recording")
