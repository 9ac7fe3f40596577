"""The journal of a running simulation: an append-only file that survives the death of the process.

HDF5 files that are open for writing are not readable after ``kill -9``. So a run writes frames, events and
checkpoints into a journal beside the result (``name.nc.partial``) and turns it into the NetCDF file once, at the end.
Appending costs the same for every frame, so the whole run costs what its frames cost.

Layout: a line with the magic, then records ``type (1 byte), length (8 bytes), payload, CRC-32 (4 bytes)``:

====  ==========================================================================
H     header: JSON with channels, coordinates and provenance (first record)
F     frames: float64, little endian, rows of (time, all channels in order)
E     events: JSON list
C     checkpoint: JSON with the shapes, then the arrays, everything the run needs to go on
====  ==========================================================================

A reader stops at the first record that is cut short or damaged, so that at most the last record is lost.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from centrode.classes import dataclass
from centrode.errors import InputError

MAGIC = b"centrode journal 1\n"
_HEAD = struct.Struct("<cQ")
_CRC = struct.Struct("<I")


@dataclass
class Checkpoint:
    """A place from which a run can go on.

    Attributes:
        state: named arrays, as given to ``RecordingWriter.checkpoint``.
        counts: statistics up to here.
        frames: frames written before it.
        events: events written before it.
    """

    state: dict[str, np.ndarray]
    counts: dict[str, float] = field(default_factory=dict)
    frames: int = 0
    events: int = 0


def write_record(file: BinaryIO, kind: bytes, payload: bytes | memoryview) -> None:
    """Append one record."""
    file.write(_HEAD.pack(kind, len(payload)))
    file.write(payload)
    file.write(_CRC.pack(zlib.crc32(payload)))


def start(path: Path, header: Mapping[str, Any]) -> BinaryIO:
    """Begin a new journal; one that was there is replaced, unless another run is writing it."""
    file = _locked(path.open("r+b" if path.exists() else "xb"), path)
    file.truncate(0)
    file.write(MAGIC)
    write_record(file, b"H", encode_json(header))
    file.flush()
    return file


def records(path: Path) -> Iterator[tuple[bytes, bytes, int]]:
    """All sound records: type, payload, offset of the end in the file.

    Raises:
        InputError: the file is no journal.
    """
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if file.read(len(MAGIC)) != MAGIC:
            raise InputError("not a Centrode journal", file=str(path))
        while True:
            head = file.read(_HEAD.size)
            if len(head) < _HEAD.size:
                return
            kind, length = _HEAD.unpack(head)
            if length > size - file.tell():
                return
            payload = file.read(length)
            check = file.read(_CRC.size)
            if len(check) < _CRC.size or _CRC.unpack(check)[0] != zlib.crc32(payload):
                return
            yield kind, payload, file.tell()


def read_header(path: Path) -> dict[str, Any]:
    """The header of a journal."""
    kind, payload, _ = next(records(path), (b"", b"{}", 0))
    if kind == b"H":
        header: dict[str, Any] = json.loads(payload)
        return header
    raise InputError("the journal holds nothing yet", file=str(path), hint="run again without --resume")


def last_checkpoint(path: Path, width: int) -> tuple[Checkpoint | None, int]:
    """The last checkpoint and the offset behind it; without one, the offset behind the header."""
    found, offset, frames, events = None, 0, 0, 0
    for kind, payload, end in records(path):
        if kind == b"H":
            offset = end
        elif kind == b"F":
            frames += len(payload) // (8 * width)
        elif kind == b"E":
            events += len(json.loads(payload))
        elif kind == b"C":
            found, offset = decode_checkpoint(payload), end
            found.frames, found.events = frames, events
    return found, offset


def reopen(path: Path, offset: int) -> BinaryIO:
    """Open for appending behind an offset; what follows it is cut off."""
    file = _locked(path.open("r+b"), path)
    file.truncate(offset)
    file.seek(offset)
    return file


def _locked(file: BinaryIO, path: Path) -> BinaryIO:
    """Keep other processes from writing the same journal; the lock ends with the process, however it ends."""
    try:
        import fcntl
    except ImportError:  # not a POSIX system: two runs with one output are then the user's own risk
        return file
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        hint = "wait for it, or choose another output"
        raise InputError("another run is writing this output", file=str(path), hint=hint) from None
    return file


def encode_checkpoint(state: Mapping[str, np.ndarray], counts: Mapping[str, float]) -> bytes:
    """A checkpoint as bytes; arrays keep type and shape exactly."""
    arrays = {name: np.ascontiguousarray(value) for name, value in state.items()}
    shapes = [[name, value.dtype.str, list(np.shape(state[name]))] for name, value in arrays.items()]
    for name, value in arrays.items():
        if value.dtype.hasobject or value.dtype.names:
            raise TypeError(f"checkpoint array '{name}' must be plain numbers, not {value.dtype}")
    head = encode_json({"arrays": shapes, "counts": dict(counts)})
    return struct.pack("<Q", len(head)) + head + b"".join(value.tobytes() for value in arrays.values())


def decode_checkpoint(payload: bytes) -> Checkpoint:
    """Inverse of :func:`encode_checkpoint`."""
    (length,) = struct.unpack_from("<Q", payload)
    head = json.loads(payload[8 : 8 + length])
    state, offset = {}, 8 + length
    for name, kind, shape in head["arrays"]:
        dtype = np.dtype(kind)
        count = int(np.prod(shape, dtype=np.int64))
        state[name] = np.frombuffer(payload, dtype, count, offset).reshape(shape).copy()
        offset += count * dtype.itemsize
    return Checkpoint(state, head["counts"])


def encode_json(data: Any) -> bytes:
    """JSON as bytes, the same for the same data."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
