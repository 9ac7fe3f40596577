"""Many vehicles at once: planar ICI steps for a batch, rates that vary per vehicle and per step.

Rates come in blocks, so memory holds the states, one block of rates and the kept frames, whatever the number of steps:
``rates(first, count)`` returns vx, vy, omega of ``count`` steps beginning with step ``first``, each of shape
(count, vehicles). An array triple of shape (steps, vehicles) does as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from centrode.errors import InputError, unknown_name
from centrode.math.sincos import SINCOS_LIMIT
from centrode.studies.ici.march import march_fleet_exact, march_fleet_exact_wide, march_fleet_first, march_fleet_second
from centrode.studies.ici.rates import RATES

RatesBlock = tuple[np.ndarray, np.ndarray, np.ndarray]

_LOOPS = {"ici-first": march_fleet_first, "ici-second": march_fleet_second, "ici-exact": march_fleet_exact}


@dataclass(frozen=True)
class FleetFrames:
    """Kept frames of a batch.

    Attributes:
        step: step numbers of the frames, shape (frames,).
        x, y: positions, world [m], shape (frames, vehicles).
        ux, uy: headings, world, shape (frames, vehicles).
    """

    step: np.ndarray
    x: np.ndarray
    y: np.ndarray
    ux: np.ndarray
    uy: np.ndarray


def advance_fleet(
    position: np.ndarray,
    heading: np.ndarray,
    rates: RatesBlock | Callable[[int, int], RatesBlock],
    dt: float,
    steps: int,
    method: str = "ici-exact",
    keep_every: int | None = None,
    block: int = 256,
) -> FleetFrames:
    """Advance a batch of vehicles.

    Args:
        position: start, world [m], shape (vehicles, 2).
        heading: start headings (unit vectors), shape (vehicles, 2).
        rates: vx, vy [m/s], omega [rad/s] per step and vehicle, or a function that delivers them in blocks.
        dt: step [s].
        steps: number of steps.
        method: ici-first, ici-second or ici-exact.
        keep_every: keep every n-th frame besides first and last; None keeps only those two.
        block: most steps per block.
    """
    if method not in _LOOPS:
        raise unknown_name("unknown method for a fleet", method, list(_LOOPS), path="method")
    if not np.isfinite(dt) or dt <= 0.0:
        raise InputError("step must be positive", path="dt", got=dt)
    if steps < 1:
        raise InputError("number of steps must be positive", path="steps", got=steps)
    if keep_every is not None and keep_every < 1:
        raise InputError("keep_every must be 1 or more", path="keep_every", got=keep_every)
    start = [np.ascontiguousarray(array, dtype=float) for array in (position, heading)]
    shapes = start[0].shape, start[1].shape
    if start[0].ndim != 2 or shapes[0][1:] != (2,) or shapes[0] != shapes[1] or not start[0].size:
        raise InputError("position and heading need shape (vehicles, 2)", path="position", got=shapes)
    if not (np.isfinite(start[0]).all() and np.isfinite(start[1]).all()):
        raise InputError("position and heading must be finite", path="position")
    x, y = start[0].T.copy()
    ux, uy = start[1].T.copy()
    stride = steps if keep_every is None else keep_every
    kept = np.unique(np.append(np.arange(0, steps + 1, stride), steps))
    frames = np.empty((4, kept.size, x.size))
    frames[:, 0] = x, y, ux, uy
    row, done = 1, 0
    deliver = rates if callable(rates) else _slices(rates, steps)
    while done < steps:
        count = min(block, int(kept[row]) - done)
        vx, vy, omega = _checked(deliver(done, count), (count, x.size), done)
        loop = _LOOPS[method]
        if loop is march_fleet_exact and 0.5 * dt * max(omega.max(), -omega.min()) > SINCOS_LIMIT:
            loop = march_fleet_exact_wide
        loop(x, y, ux, uy, vx, vy, omega, dt)
        done += count
        if done == kept[row]:
            frames[:, row] = x, y, ux, uy
            row += 1
    return FleetFrames(kept, *frames)


def _slices(rates: RatesBlock, steps: int) -> Callable[[int, int], RatesBlock]:
    arrays = tuple(np.asarray(array, dtype=float) for array in rates)
    if len(arrays) != 3 or any(array.ndim != 2 or array.shape[0] < steps for array in arrays):
        got = [array.shape for array in arrays]
        raise InputError("rates need three arrays of shape (steps, vehicles)", path="rates", got=got)
    return lambda first, count: tuple(array[first : first + count] for array in arrays)  # type: ignore[return-value]


def _checked(rates: RatesBlock, shape: tuple[int, int], first: int) -> list[np.ndarray]:
    checked = []
    for name, array in zip(RATES, rates, strict=True):
        array = np.ascontiguousarray(array, dtype=float)
        if array.shape != shape:
            raise InputError("rates have another shape", path=f"rates.{name}", got=array.shape, expected=str(shape))
        # The sum is finite when every entry is, and costs one pass without a temporary array.
        if not np.isfinite(array.sum()) and not np.isfinite(array).all():
            row, vehicle = np.argwhere(~np.isfinite(array))[0]
            path = f"rates.{name}[{first + row}, {vehicle}]"
            raise InputError("rate is not a finite number", path=path, got=float(array[row, vehicle]))
        checked.append(array)
    return checked
