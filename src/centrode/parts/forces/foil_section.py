r"""Lift and drag of a foil section over the full turn of the angle of attack, -180 to 180 degrees.

Two forms:

- a table (alpha_deg, cl, cd), linear in between. The built-in one is NACA 0012 at a Reynolds number of 360 000, from
  R. E. Sheldahl, P. C. Klimas, SAND80-2114, Sandia (1981). Lift falls from 0.98 at 10 deg to 0.28 at 13 deg, so
  splines would overshoot; straight lines do not.
- a smooth form, analytic and 2 pi periodic, fitted to that table outside the dip between 11 and 16 deg (rms 0.050 in
  lift, 0.072 in drag):

    w0 = 1 / (1 + exp((cos 11.43deg - cos a) / 0.0028)),   w1 = 1 / (1 + exp((cos a + cos 9.44deg) / 0.0092))    (1)
    CL = 6.298 w0 sin a - 9.0 w1 sin a + (1 - w0 - w1)(0.988 sin 2a + 0.082 sin a)                               (2)
    CD = 0.008 + 0.35 w0 sin^2 a + 1.906 (1 - w0) sin^2 a                                                        (3)

Packed into the data pool: form, then numbers.

- table: number of nodes n, n angles [deg], n lift, n drag coefficients from -180 to 180, n reciprocal widths of the
  intervals, then for every whole degree the node at or below it, so that a look-up costs neither search nor division;
- grid, for symmetric sections whose angles are whole degrees (the usual case): for every degree from 0 to 180 lift, its
  slope per degree, drag, its slope. The same straight lines, in one cache line;
- smooth: nothing more.
"""

from __future__ import annotations

import math
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from centrode.errors import Fault, InputError, nearest_name
from centrode.jit import step_kernel

SECTIONS = ("naca0012", "naca0012-smooth")
FORM_TABLE, FORM_SMOOTH, FORM_GRID = 0.0, 1.0, 2.0
BUCKETS = 361
DEGREES = 180.0 / math.pi
_COS_STALL = math.cos(math.radians(11.43))
_COS_REVERSE = math.cos(math.radians(9.44))


@step_kernel
def foil_coefficients(data, offset, alpha):
    """Lift and drag coefficient at the angle of attack ``alpha`` [rad], any value."""
    form = data[offset]
    if form == FORM_SMOOTH:
        return smooth_coefficients(alpha)
    degrees = alpha * DEGREES
    if degrees < -180.0 or degrees > 180.0:
        degrees -= 360.0 * math.floor((degrees + 180.0) / 360.0)
    if form == FORM_GRID:
        size = abs(degrees)
        whole = int(size)
        part = size - whole
        k = offset + 1 + 4 * whole
        lift = data[k] + part * data[k + 1]
        return lift if degrees >= 0.0 else -lift, data[k + 2] + part * data[k + 3]
    nodes = int(data[offset + 1])
    bucket = min(max(int(degrees + 180.0), 0), BUCKETS - 1)
    k = offset + 2 + int(data[offset + 2 + 4 * nodes + bucket])
    last = offset + nodes
    while k < last and degrees >= data[k + 1]:
        k += 1
    part = (degrees - data[k]) * data[k + 3 * nodes]
    k += nodes
    lift = data[k] + part * (data[k + 1] - data[k])
    k += nodes
    return lift, data[k] + part * (data[k + 1] - data[k])


@step_kernel
def flow_angle(across, along):
    """atan2(across, along); below 7 degrees by its series, whose remainder x^17/17 is round-off there."""
    if abs(across) < 0.125 * along:
        x = across / along
        z = x * x
        low = 1.0 + z * (-1.0 / 3.0 + z * (0.2 - z / 7.0))
        high = 1.0 / 9.0 + z * (-1.0 / 11.0 + z * (1.0 / 13.0 - z / 15.0))
        return x * (low + (z * z) * (z * z) * high)
    return math.atan2(across, along)


@step_kernel
def smooth_coefficients(alpha):
    """(1) to (3)."""
    s = math.sin(alpha)
    c = math.cos(alpha)
    w0 = 1.0 / (1.0 + math.exp((_COS_STALL - c) / 0.0028))
    w1 = 1.0 / (1.0 + math.exp((c + _COS_REVERSE) / 0.0092))
    lift = 6.298 * w0 * s - 9.0 * w1 * s + (1.0 - w0 - w1) * (1.976 * s * c + 0.082 * s)
    return lift, 0.008 + (0.35 * w0 + 1.906 * (1.0 - w0)) * s * s


def pack_section(section: Any, path: str) -> list[float]:
    """Numbers for the data pool of a section by name or of a table's rows (alpha_deg, cl, cd).

    Raises:
        InputError: unknown name, or a table that is not one over the half or the full turn.
    """
    if isinstance(section, str):
        if section == "naca0012-smooth":
            return [FORM_SMOOTH]
        if section == "naca0012":
            return list(_pack_naca0012())
        expected = f"one of {', '.join(SECTIONS)}, or rows (alpha_deg, cl, cd)"
        nearest = nearest_name(section, SECTIONS)
        raise InputError("unknown foil section", path=path, got=section, expected=expected, nearest=nearest)
    table = full_table(section, path)
    grid = _grid(table)
    if grid is not None:
        return [FORM_GRID, *grid.ravel().tolist()]
    lower = np.searchsorted(table[:, 0], np.arange(-180, 181), side="right") - 1
    buckets = np.clip(lower, 0, len(table) - 2)
    widths = np.append(1.0 / np.diff(table[:, 0]), 0.0)
    numbers = np.concatenate([table.T.ravel(), widths, buckets.astype(float)])
    return [FORM_TABLE, float(len(table)), *numbers.tolist()]


def _grid(table: np.ndarray) -> np.ndarray | None:
    """Lift, slope, drag, slope at every degree from 0 to 180, shape (181, 4); None when that would not be the table."""
    symmetric = np.array_equal(table[:, 1], -table[::-1, 1]) and np.array_equal(table[:, 2], table[::-1, 2])
    if not symmetric or np.any(table[:, 0] != np.round(table[:, 0])):
        return None
    degrees = np.arange(0, 181)
    grid = np.zeros((181, 4))
    for column in (1, 2):
        values = np.interp(degrees, table[:, 0], table[:, column])
        grid[:, 2 * column - 2] = values
        grid[:-1, 2 * column - 1] = np.diff(values)
    return grid


def full_table(rows: Any, path: str) -> np.ndarray:
    """Table from -180 to 180 degrees, shape (n, 3); one over 0 to 180 is continued with odd lift and even drag.

    Raises:
        InputError: with every fault: size, order, gaps above 10 degrees, ends, negative drag.
    """
    try:
        table = np.asarray(rows, dtype=float)
    except (TypeError, ValueError):
        table = np.zeros(0)
    if table.ndim != 2 or table.shape[1:] != (3,) or len(table) < 2 or not np.all(np.isfinite(table)):
        raise InputError("not a foil table", path=path, got=rows, expected="rows of three numbers (alpha_deg, cl, cd)")
    angles = table[:, 0]
    faults = []

    def ends(k: int) -> tuple[float, float]:
        return float(angles[k]), float(angles[k + 1])

    backward, wide = np.flatnonzero(np.diff(angles) <= 0.0), np.flatnonzero(np.diff(angles) > 10.0 + 1e-9)
    if backward.size:
        k = int(backward[0])
        message, expected = "angles of the foil table do not rise", "each angle above the one before"
        faults.append(Fault(message, path, got=ends(k), expected=expected, hint=f"rows {k + 1} and {k + 2}"))
    if wide.size:
        expected = "at most 10 degrees between two rows"
        faults.append(Fault("the foil table has a gap", path, got=ends(int(wide[0])), expected=expected))
    if not (angles[0] in (0.0, -180.0) and angles[-1] == 180.0):
        message, expected = "the foil table does not cover the turn", "0 to 180 degrees (symmetric) or -180 to 180"
        faults.append(Fault(message, path, got=(float(angles[0]), float(angles[-1])), expected=expected))
    elif angles[0] == 0.0 and (table[0, 1] != 0.0 or table[-1, 1] != 0.0):
        message, hint = "a symmetric section has no lift at 0 and 180 degrees", "give a cambered one from -180 to 180"
        faults.append(Fault(message, path, got=(float(table[0, 1]), float(table[-1, 1])), hint=hint))
    if np.any(table[:, 2] < 0.0):
        k = int(np.argmax(table[:, 2] < 0.0))
        faults.append(Fault("negative drag in the foil table", path, got=table[k].tolist(), hint=f"row {k + 1}"))
    if faults:
        raise InputError(faults)
    if angles[0] == 0.0:
        table = np.vstack([table[:0:-1] * (-1.0, -1.0, 1.0), table])
    return table


def naca0012_rows() -> np.ndarray:
    """The built-in table, rows (alpha_deg, cl, cd) from 0 to 180 degrees."""
    text = resources.files("centrode.parts.forces").joinpath("data/naca0012_re360k.csv").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return np.loadtxt(lines, delimiter=",", skiprows=1)


@cache
def _pack_naca0012() -> tuple[float, ...]:
    return tuple(pack_section(naca0012_rows(), "naca0012"))


def finite_span_factors(aspect_ratio: float | None) -> tuple[float, float]:
    """Induced angle of a fin of finite span and its induced drag: (1 - k)/2 and 1/(pi A); zeros when left out.

        k = A / (2 + sqrt(A^2 + 4)),   alpha_eff = alpha - (1 - k)/2 sin(2 alpha)
        CL = CL_section(alpha_eff),    CD = CD_section(alpha_eff) + CL^2 / (pi A)

    H. B. Helmbold (1942): the slope of lift is k times that of the section, with the exact limits of a long wing (k =
    1) and a short one (pi A / 2 per radian). The section sees the smaller angle, so a stubby fin also stalls later;
    across the flow (90 degrees) nothing is induced. A is the effective aspect ratio: twice the geometric one
    when the hull acts as a mirror.
    """
    if aspect_ratio is None:
        return 0.0, 0.0
    slope = aspect_ratio / (2.0 + math.sqrt(aspect_ratio**2 + 4.0))
    return 0.5 * (1.0 - slope), 1.0 / (math.pi * aspect_ratio)
