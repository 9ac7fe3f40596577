"""Body rates over time: V_x, V_y, Omega as constants, functions, arrays or a CSV file.

Every kind answers one question, ``sample(times) -> array (n, 3)`` with columns vx [m/s], vy [m/s, left], omega
[rad/s, left]. Tables are interpolated linearly and may not be asked beyond their ends.

The ICI thesis draws (X, Y) as usual but measures the lateral velocity along (u_y, -u_x), to the right (5), and the yaw
rate clockwise. Positions and headings are the same numbers in both frames; the two rates change sign.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np

from centrode.errors import Fault, InputError, nearest_name

RATES = ("vx", "vy", "omega")

Number = TypeVar("Number", float, np.ndarray)


def thesis_rates(vx: Number, vy: Number, omega: Number) -> tuple[Number, Number, Number]:
    """Rates [m/s, m/s, rad/s] of the thesis frame in Centrode's or the other way round: it is its own inverse."""
    return vx, -vy, -omega


class Rates(Protocol):
    """What a scenario needs to know about its rates."""

    longest_step: float

    def sample(self, times: np.ndarray) -> np.ndarray:
        """Rates at the given times [s]: array (n, 3) of vx, vy [m/s], omega [rad/s]."""


@dataclass(frozen=True)
class RatesConstant:
    """Constant rates: velocity along the heading and to the left [m/s], yaw rate, positive to the left [rad/s]."""

    vx: float
    vy: float = 0.0
    omega: float = 0.0

    longest_step = math.inf

    def __post_init__(self) -> None:
        for name in RATES:
            value = vars(self)[name]
            if not math.isfinite(value):
                raise InputError("rate must be a finite number", path=f"rates.{name}", got=value)

    def sample(self, times: np.ndarray) -> np.ndarray:
        """Rates at the given times [s], shape (n, 3)."""
        return np.broadcast_to(np.array([self.vx, self.vy, self.omega]), (np.size(times), 3))


@dataclass(frozen=True)
class RatesFunction:
    """Rates from functions of time: each takes an array of times [s] (or a float) and returns as many values."""

    vx: Callable[[np.ndarray], np.ndarray]
    vy: Callable[[np.ndarray], np.ndarray]
    omega: Callable[[np.ndarray], np.ndarray]

    longest_step = math.inf

    def sample(self, times: np.ndarray) -> np.ndarray:
        """Rates at the given times [s], shape (n, 3)."""
        times = np.asarray(times, dtype=float)
        out = np.empty((times.size, 3))
        for column, name in enumerate(RATES):
            out[:, column] = _call(vars(self)[name], times, name)
        if not np.isfinite(out).all():
            row, column = np.argwhere(~np.isfinite(out))[0]
            path, hint = f"rates.{RATES[column]}", f"at t = {times[row]:.9g} s"
            raise InputError("rate is not a finite number", path=path, got=float(out[row, column]), hint=hint)
        return out


class RatesTable:
    """Rates from arrays, linear in between.

    Args:
        time: increasing times [s], shape (n,), n >= 2.
        vx, vy, omega: rates [m/s, m/s, rad/s], shape (n,).
        source: file name for error messages.
    """

    def __init__(self, time: np.ndarray, vx: np.ndarray, vy: np.ndarray, omega: np.ndarray, source: str = "") -> None:
        columns = {"time": time, "vx": vx, "vy": vy, "omega": omega}
        arrays = {name: np.atleast_1d(np.asarray(value, dtype=float)) for name, value in columns.items()}
        count = arrays["time"].size
        faults = []
        if count < 2:
            faults.append(Fault("needs at least two rows", path="time", file=source, got=count))
        for name, array in arrays.items():
            if array.shape != (count,):
                faults.append(Fault("length differs from time", path=name, file=source, got=array.shape))
            elif not np.isfinite(array).all():
                row = int(np.flatnonzero(~np.isfinite(array))[0])
                faults.append(Fault("not a finite number", path=f"{name}[{row}]", file=source, got=float(array[row])))
        if not faults and (np.diff(arrays["time"]) <= 0.0).any():
            row = int(np.flatnonzero(np.diff(arrays["time"]) <= 0.0)[0]) + 1
            before, got = (float(arrays["time"][k]) for k in (row - 1, row))
            expected = f"more than {before:.9g}"
            faults.append(Fault("times must increase", f"time[{row}]", file=source, got=got, expected=expected))
        if faults:
            raise InputError(faults)
        self.time = arrays["time"]
        self.values = np.column_stack([arrays[name] for name in RATES])
        self.source = source
        self.longest_step = float(np.diff(self.time).min())

    def sample(self, times: np.ndarray) -> np.ndarray:
        """Rates at the given times [s], shape (n, 3)."""
        times = np.asarray(times, dtype=float).ravel()
        # Steps end on the last row up to rounding of n dt; that much beyond the end is not the user's fault.
        slack = 1e-9 * max(abs(self.time[0]), abs(self.time[-1]))
        outside = times[(times < self.time[0] - slack) | (times > self.time[-1] + slack)]
        if outside.size:
            what, expected = "time outside the table of rates", f"{self.time[0]:.9g} to {self.time[-1]:.9g} s"
            raise InputError(what, file=self.source, path="time", got=float(outside[0]), expected=expected)
        return np.column_stack([np.interp(times, self.time, self.values[:, column]) for column in range(3)])


def read_rates_csv(path: str | Path, thesis_frame: bool = False) -> RatesTable:
    """Rates from a CSV file with a header naming time [s], vx [m/s], omega [rad/s] and, optionally, vy [m/s].

    Args:
        path: the file. Column order is free; further columns are ignored; lines that begin with # are comments.
        thesis_frame: vy is to the right and omega clockwise, as in the ICI thesis.
    """
    name = str(path)
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not a text file"
        raise InputError(f"cannot read rates: {reason}", file=name) from error
    rows = [
        (number, row)
        for number, row in enumerate(csv.reader(text.splitlines()), start=1)
        if row and any(cell.strip() for cell in row) and not row[0].lstrip().startswith("#")
    ]
    if not rows:
        raise InputError("file of rates is empty", file=name, expected="a header time,vx,vy,omega and rows of numbers")
    header = [cell.strip().lower() for cell in rows[0][1]]
    got, line = ",".join(header), rows[0][0]
    missing = [column for column in ("time", "vx", "omega") if column not in header]
    near = {column: nearest_name(column, header) for column in missing}
    faults = [Fault(f"column '{column}' is missing", "", name, line, got, nearest=near[column]) for column in missing]
    if faults:
        raise InputError(faults)
    if len(rows) < 3:
        raise InputError("file of rates needs at least two rows of numbers", file=name, got=len(rows) - 1)
    data = {column: np.zeros(len(rows) - 1) for column in ("time", *RATES)}
    wanted = [(column, header.index(column)) for column in data if column in header]
    for index, (number, row) in enumerate(rows[1:]):
        for column, place in wanted:
            cell = row[place].strip() if place < len(row) else ""
            try:
                data[column][index] = float(cell)
                what = "" if math.isfinite(data[column][index]) else "not a finite number"
            except ValueError:
                what = "not a number"
            if what:
                faults.append(Fault(what, file=name, line=number, path=column, got=cell))
    if faults:
        raise InputError(faults)
    if thesis_frame:
        data["vx"], data["vy"], data["omega"] = thesis_rates(data["vx"], data["vy"], data["omega"])
    return RatesTable(**data, source=name)


def _call(function: Callable[[np.ndarray], np.ndarray], times: np.ndarray, name: str) -> np.ndarray:
    """Values of a user's function at all times; functions written for one float are called time by time."""
    try:
        values = np.asarray(function(times), dtype=float)
    except (TypeError, ValueError):
        values = np.array([float(function(float(time))) for time in times])  # type: ignore[arg-type]
    if values.shape not in ((), times.shape):
        raise InputError("function of rates returned another shape", path=f"rates.{name}", got=values.shape)
    return np.broadcast_to(values, times.shape)
