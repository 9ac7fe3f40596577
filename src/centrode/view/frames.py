"""Frames of a recording, small enough to mail: rounded to steps nobody can see, coded by second differences, deflated.

A column of numbers x_k becomes integers and these become bytes:

    q_k = round((x_k - x_0) / step)                                   (1)
    d_k = q_k - 2 q_{k-1} + q_{k-2},   q_{-1} = q_{-2} = 0            (2)
    z_k = 2 d_k  or  -2 d_k - 1 for negative d_k                      (3)

Smooth motion has small d_k. The bytes of z_k are written plane by plane (all lowest bytes, then all second bytes, ...)
so that the nearly empty higher planes vanish in the deflate stream. The error of (1) is at most step / 2.

Orientations: the quaternion without one of its components, which follows from unit length with a positive sign. The
component left out stays the same as long as it is large enough, so that the columns stay smooth.
"""

from __future__ import annotations

import base64
import zlib
from dataclasses import field
from typing import Any

import numpy as np

from centrode.classes import dataclass

QUATERNION_STEP = 1.0 / 16384.0
"""Step of the three stored components [1]; an angle is off by 1e-4 rad at most."""

LARGEST_POSITION_STEP = 1e-3
"""Step of positions [m], however far a body travels."""

_KEPT_LARGE = 0.45
_LIMIT = 2**31 - 1


@dataclass
class FrameBlock:
    """Columns in coded form.

    Attributes:
        first: value of each column in its first frame.
        steps: step of each column.
        planes: number of byte planes of each column.
        data: the planes, column after column.
    """

    first: list[float] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)
    planes: list[int] = field(default_factory=list)
    data: bytes = b""

    def header(self, offset: int) -> dict[str, Any]:
        """What the viewer needs to read the block from the stream."""
        return {"offset": offset, "first": self.first, "steps": self.steps, "planes": self.planes}


def encode(columns: np.ndarray, steps: np.ndarray) -> FrameBlock:
    """Code columns by (1) to (3).

    Args:
        columns: shape (frames, n). Values that are not finite take the place of their predecessor.
        steps: shape (n,), positive.
    """
    values = held(np.asarray(columns, dtype=float))
    steps = np.asarray(steps, dtype=float).copy()
    block = FrameBlock()
    parts: list[bytes] = []
    for k in range(values.shape[1]):
        column = values[:, k]
        first = float(column[0])
        largest = float(np.abs(column - first).max())
        # Far columns get a coarser step: four bytes are the most that the viewer reads.
        step = max(float(steps[k]), 8.0 * largest / _LIMIT, 1e-300)
        q = np.rint((column - first) / step).astype(np.int64)
        d = np.diff(q, n=2, prepend=[0, 0])
        z = np.where(d >= 0, 2 * d, -2 * d - 1).astype(np.uint64)
        top = int(z.max())
        count = max(1, (top.bit_length() + 7) // 8)
        parts += [((z >> np.uint64(8 * p)) & np.uint64(255)).astype(np.uint8).tobytes() for p in range(count)]
        block.first.append(first)
        block.steps.append(step)
        block.planes.append(count)
    block.data = b"".join(parts)
    return block


def decode(block: FrameBlock, frames: int) -> np.ndarray:
    """Columns as the viewer sees them, shape (frames, n); the counterpart of the viewer's own decoder."""
    out = np.zeros((frames, len(block.first)))
    at = 0
    for k, count in enumerate(block.planes):
        z = np.zeros(frames, dtype=np.int64)
        for p in range(count):
            z += np.frombuffer(block.data, np.uint8, frames, at).astype(np.int64) << (8 * p)
            at += frames
        d = np.where(z % 2 == 0, z // 2, -(z + 1) // 2)
        out[:, k] = block.first[k] + block.steps[k] * np.cumsum(np.cumsum(d))
    return out


def held(values: np.ndarray) -> np.ndarray:
    """Values with every one that is not finite replaced by the last finite one before it (0 when there is none)."""
    bad = ~np.isfinite(values)
    if not bad.any():
        return values
    rows = np.where(bad, 0, np.arange(len(values))[:, None])
    np.maximum.accumulate(rows, axis=0, out=rows)
    filled = np.take_along_axis(values, rows, axis=0)
    return np.where(np.isfinite(filled), filled, 0.0)


def position_steps(positions: np.ndarray) -> np.ndarray:
    """Step of each axis of a track: 1/65535 of its range, never coarser than a millimetre."""
    spans = np.ptp(held(positions), axis=0)
    floor = max(1e-6 * float(spans.max(initial=0.0)), 1e-9)
    return np.clip(spans / 65535.0, floor, LARGEST_POSITION_STEP)


def reduce_quaternions(quaternions: np.ndarray) -> np.ndarray:
    """Three components and the index of the one left out, shape (frames, 4)."""
    q = held(np.asarray(quaternions, dtype=float))
    norms = np.linalg.norm(q, axis=1, keepdims=True)
    q = np.where(norms > 0, q / np.where(norms > 0, norms, 1.0), np.array([1.0, 0.0, 0.0, 0.0]))
    dropped = np.empty(len(q), dtype=np.int64)
    current = -1
    largest = np.abs(q).argmax(axis=1)
    for k, row in enumerate(np.abs(q)):
        if current < 0 or row[current] < _KEPT_LARGE:
            current = int(largest[k])
        dropped[k] = current
    sign = np.sign(np.take_along_axis(q, dropped[:, None], axis=1))
    q = q * np.where(sign == 0, 1.0, sign)
    keep = np.array([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]])[dropped]
    return np.hstack([np.take_along_axis(q, keep, axis=1), dropped[:, None].astype(float)])


def deflated(data: bytes) -> str:
    """Bytes as they stand in a page: zlib stream in base 64."""
    return base64.b64encode(zlib.compress(data, 9)).decode("ascii")
