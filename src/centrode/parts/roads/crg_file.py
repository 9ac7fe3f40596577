r"""OpenCRG files: heights of a road on a curved regular grid (ASAM OpenCRG 1.2), as terrain of even spacing.

A reference line of headings phi_i over steps du starts at (x_0, y_0); long sections stand at offsets v, left positive.
With the slope s_i of step i and the banking b_i at point i,

    x_i = x_i-1 + du cos phi_i,  y_i = y_i-1 + du sin phi_i,  z_i = z_i-1 + du s_i                              (1)
    height at (u, v) = z(u) + b(u) v + z(u, v)

linear between points. phi_0 and s_0 are unused. To lay this on a grid of x and y each of its points needs u and v:
from the nearest point of the line on, Newton's method with the frame (t, n) at u and d the way from the line,

    u <- u + d . t / (1 - kappa v),     v = d . n,     kappa = dphi/du.                                          (2)

Data follow the line of dollar signs: LRFI and LDFI as text in fields of 10 and 20 characters, 80 a line, each record on
a new line; KRBI and KDBI as big-endian numbers of 4 and 8 bytes. Missing heights (``*missing*``, not a number) take the
nearest of their cross section. Modifiers, files that refer to others and map projections are not applied: the first
two are refused, because the surface would be another.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from centrode.classes import dataclass
from centrode.errors import InputError

_FORMATS = {"LRFI": (8, 10, ""), "LDFI": (4, 20, ""), "KRBI": (0, 0, ">f4"), "KDBI": (0, 0, ">f8")}
"""Numbers of a line and their width, or how they are kept."""


@dataclass(frozen=True)
class Crg:
    """A curved regular grid.

    Attributes:
        u, v: places along and beside the reference line, rising [m].
        x, y, z: the reference line at u [m]; heading: of its points [rad].
        heights: over the line, banking included, shape (u, v) [m].
    """

    u: np.ndarray
    v: np.ndarray
    x: np.ndarray
    y: np.ndarray
    z: np.ndarray
    heading: np.ndarray
    heights: np.ndarray

    @property
    def spacing(self) -> float:
        """Smallest distance of its points [m]."""
        return float(min(np.diff(self.u).min(), np.diff(self.v).min()))

    def corners(self) -> tuple[np.ndarray, np.ndarray]:
        """Least and greatest x and y of its points [m]."""
        edges = [
            np.column_stack([self.x - side * np.sin(self.heading), self.y + side * np.cos(self.heading)])
            for side in (self.v[0], self.v[-1])
        ]
        points = np.concatenate(edges)
        return points.min(axis=0), points.max(axis=0)

    def height(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Height at places of the world [m]; beyond the edges that of the nearest edge."""
        u, v = self.place(x, y)
        i = np.clip(np.searchsorted(self.u, u) - 1, 0, len(self.u) - 2)
        j = np.clip(np.searchsorted(self.v, v) - 1, 0, len(self.v) - 2)
        a = (u - self.u[i]) / (self.u[i + 1] - self.u[i])
        b = (v - self.v[j]) / (self.v[j + 1] - self.v[j])
        h = self.heights
        near, far = (1 - b) * h[i, j] + b * h[i, j + 1], (1 - b) * h[i + 1, j] + b * h[i + 1, j + 1]
        return np.asarray((1 - a) * near + a * far + np.interp(u, self.u, self.z))

    def place(self, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """u and v (2) of places of the world, kept within the grid [m]."""
        from scipy.spatial import cKDTree

        u = self.u[cKDTree(np.column_stack([self.x, self.y])).query(np.column_stack([x, y]))[1]]
        bend = np.gradient(self.heading, self.u)
        v = np.zeros_like(u)
        for _ in range(8):
            turn, kappa = np.interp(u, self.u, self.heading), np.interp(u, self.u, bend)
            dx, dy = x - np.interp(u, self.u, self.x), y - np.interp(u, self.u, self.y)
            v = dy * np.cos(turn) - dx * np.sin(turn)
            step = (dx * np.cos(turn) + dy * np.sin(turn)) / np.maximum(1.0 - kappa * v, 0.1)
            u = np.clip(u + step, self.u[0], self.u[-1])
            if np.abs(step).max(initial=0.0) < 1e-9:
                break
        return u, np.clip(v, self.v[0], self.v[-1])


def read_crg(path: Path) -> Crg:
    """A curved regular grid from its file.

    Raises:
        InputError: the file cannot be read, or holds what is not applied here.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read the terrain: {error.strerror}", path="file", file=str(path)) from None
    match = re.search(rb"^\${4}[^\n]*\n", content, re.MULTILINE)
    if match is None:
        read_header(content.decode("latin-1"), str(path))
        raise InputError("no data in the OpenCRG file", file=str(path), expected="a line of dollar signs before them")
    values, channels, form = read_header(content[: match.start()].decode("latin-1"), str(path))
    rows = read_rows(content[match.end() :], len(channels), form, str(path))
    return grid_of(values, channels, rows, str(path))


def read_header(text: str, file: str) -> tuple[dict[str, float], list[str], str]:
    """Parameters of ROAD_CRG by their name in small letters, channels in order, and the format of the data."""
    values: dict[str, float] = {}
    channels: list[str] = []
    form = block = ""
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.split("!", 1)[0].strip()
        if not line or line.startswith("*"):
            continue
        if line.startswith("$"):
            block = line[1:].split()[0].lower() if line[1:].split() else ""
            continue
        if block == "road_crg_file":
            raise InputError(
                "the OpenCRG file refers to another", file=file, line=number, got=line, hint="name that file"
            )
        if block == "road_crg_mods" and not line.lower().startswith("grid_nan_mode"):
            hint = "apply them with an OpenCRG tool; origin moves a terrain"
            raise InputError("modifiers are not applied", file=file, line=number, got=line, hint=hint)
        if block == "road_crg" and "=" in line:
            name, value = (part.strip() for part in line.split("=", 1))
            try:
                values[name.lower()] = float(value)
            except ValueError:
                raise InputError("not a number", file=file, line=number, got=line) from None
        elif block == "kd_definition":
            if line.startswith("#:"):
                form = line[2:6].upper()
            elif line.upper().startswith("U:"):
                parts = line[2:].split(",")
                if len(parts) >= 4:
                    values.setdefault("reference_line_start_u", float(parts[2]))
                    values.setdefault("reference_line_increment", float(parts[3]))
            elif line.upper().startswith("D:"):
                channels.append(line[2:].split(",")[0].strip().lower())
    if form not in _FORMATS:
        raise InputError("unknown format of the data", file=file, got=form or "none", expected=", ".join(_FORMATS))
    return values, channels, form


def read_rows(data: bytes, count: int, form: str, file: str) -> np.ndarray:
    """Records of the data, one row each; missing values are not a number."""
    per_line, width, kind = _FORMATS[form]
    if kind:
        numbers = np.frombuffer(data[: len(data) // np.dtype(kind).itemsize * np.dtype(kind).itemsize], dtype=kind)
        with np.errstate(invalid="ignore"):  # missing values may be signalling ones
            return numbers[: len(numbers) // count * count].reshape(-1, count).astype(float)
    needed = -(-count // per_line)
    lines = [line for line in data.decode("latin-1").splitlines() if line.strip()]
    rows = []
    for first in range(0, len(lines) - needed + 1, needed):
        fields = "".join(line.ljust(per_line * width)[: per_line * width] for line in lines[first : first + needed])
        texts = [fields[k * width : (k + 1) * width].strip() for k in range(count)]
        try:
            rows.append([float("nan") if "*" in text else float(text) for text in texts])
        except ValueError:
            got = " ".join(texts[:8])
            raise InputError("not numbers of a record", file=file, got=got, expected=f"{count} of them") from None
    return np.array(rows, dtype=float).reshape(-1, count)


def grid_of(values: dict[str, float], channels: list[str], rows: np.ndarray, file: str) -> Crg:
    """The grid (1) of header and records."""
    sections = [k for k, name in enumerate(channels) if name.startswith("long section")]
    v = offsets_of([channels[k] for k in sections], values, file)
    step = values.get("reference_line_increment", 0.0)
    start = values.get("reference_line_start_u", 0.0)
    if "reference_line_end_u" in values and step > 0.0:
        rows = rows[: round((values["reference_line_end_u"] - start) / step) + 1]
    if len(rows) < 2 or len(sections) < 2 or not step > 0.0:
        got = f"{len(rows)} records, {len(sections)} long sections, increment {step:g}"
        raise InputError("no grid in the OpenCRG file", file=file, got=got, expected="two of each at least")
    u = start + step * np.arange(len(rows))

    def along(name: str, key: str) -> np.ndarray:
        found = [k for k, item in enumerate(channels) if item.startswith(f"reference line {name}")]
        if not found:
            return np.full(len(rows), values.get(f"reference_line_start_{key}", 0.0))
        column = rows[:, found[0]].copy()
        column[0] = column[0] if name == "banking" and np.isfinite(column[0]) else column[1]
        return column

    phi, slope, banking = along("phi", "phi"), along("slope", "s"), along("banking", "b")
    for name, line in (("heading", phi), ("slope", slope), ("banking", banking)):
        if not np.isfinite(line).all():
            record = int(np.flatnonzero(~np.isfinite(line))[0]) + 1
            raise InputError(f"a {name} of the reference line is missing", file=file, got=f"record {record}")
    phi[1:] = np.unwrap(phi[1:])
    x, y, z = (
        values.get(f"reference_line_start_{axis}", 0.0) + np.concatenate([[0.0], np.cumsum(step * part[1:])])
        for axis, part in (("x", np.cos(phi)), ("y", np.sin(phi)), ("z", slope))
    )
    heading = np.concatenate([[phi[1]], 0.5 * (phi[1:-1] + phi[2:]), [phi[-1]]])
    order = np.argsort(v)
    heights = filled(rows[:, sections][:, order], file) + banking[:, None] * v[order]
    return Crg(u, v[order], x, y, z, heading, heights)


def offsets_of(names: list[str], values: dict[str, float], file: str) -> np.ndarray:
    """Offsets of the long sections [m]: named one by one, or even between right and left edge."""
    named = [re.search(r"at v *= *([-+0-9.eE]+)", name) for name in names]
    if names and all(named):
        return np.array([float(match[1]) for match in named if match is not None])
    right = values.get("long_section_v_right")
    left = values.get("long_section_v_left")
    by = values.get("long_section_v_increment", 0.0)
    if right is not None and left is not None:
        return np.linspace(right, left, len(names))
    if by > 0.0:
        first = right if right is not None else -0.5 * by * (len(names) - 1)
        return first + by * np.arange(len(names))
    raise InputError("the offsets of the long sections are not said", file=file, expected="LONG_SECTION_V_RIGHT, _LEFT")


def filled(heights: np.ndarray, file: str) -> np.ndarray:
    """Heights whose missing values are those of the nearest valid one of their cross section, or of the one before."""
    made = heights.copy()
    whole = np.isfinite(made)
    if not whole.any():
        raise InputError("no height in the OpenCRG file", file=file)
    places = np.arange(made.shape[1])
    for row, valid in zip(made, whole, strict=True):
        if valid.any() and not valid.all():
            nearest = np.abs(places[:, None] - places[valid][None, :]).argmin(axis=1)
            row[:] = row[valid][nearest]
    empty = ~whole.any(axis=1)
    if empty.any():
        good = np.flatnonzero(~empty)
        made[empty] = made[good[np.abs(np.flatnonzero(empty)[:, None] - good).argmin(axis=1)]]
    return made
