"""The text files that MEDUSA leaves behind, and the three files of its SmartPath animation, from arrays.

Source: MEDUSA report (1999), sections 2.4 and 3.1. The elapsed time is the first column of every file. Three files
have one row per time and then, for vehicle 1, 2, ... in turn:

- director.asc  r (3), d1, d2, d3 (9): twelve columns
- velocity.asc  v (3), w1, w2, w3 (9): twelve columns
- energy.asc    total energy: one column. All of it: the original left out the translation and measured springs upright.

path.asc is what the SmartPath animator reads: one row per time and vehicle, nineteen columns,

    t, vehicle, 0, 0, x, y, z [m], heading, pitch, roll [rad], 0, speed [m/s], 0, 0, 0, 0, 0, 0, 0

every row with its own attitude (the original repeats that of the last row of its buffer). oop.asc is empty; a scratch
file of the programmers.

SmartPath wants ``name.state`` (the contents of path.asc), ``name.cars`` (vehicle and type) and ``name.config`` (types
with their outer size): one type per model, named simple1, simple2, ... after its number in model.dat. The highway of
name.config follows the road: the report prints straight ones only (GEOMETRY LINE length 0, PIN name x y z heading), so
a bent road is a row of straight highways within 0.1 m of it, each pinned at its own start, two lanes of 4 m about the
line; the pin is at the left edge and 0.2 m up as in the report, the heading, which is 0 there, in degrees by our
reading. Slope and bank have no place.

Attitude of a deformable body: the rotation nearest to its deformation gradient F (polar decomposition), as heading
about z, pitch (nose up positive) and roll (right side down positive).
"""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np

from centrode.errors import InputError
from centrode.scenario.medusa.records import LegacyModels, LegacyPlatoon

LANE_WIDTH = 4.0


def format_path(time: np.ndarray, states: np.ndarray) -> str:
    """path.asc and name.state; time of shape (n,) [s], states of shape (n, vehicles, 28)."""
    time, states = _checked(time, states, 28)
    attitudes = np.apply_along_axis(attitude, 2, states[:, :, 3:12])
    speeds = np.linalg.norm(states[:, :, 12:15], axis=2)
    rest, digits = " 0" * 7, _decimals(time)
    return "".join(
        f"{moment:.{digits}f} {number} 0 0 {_numbers([*place, *angles])} 0 {speed:.9e}{rest}\n"
        for moment, *vehicles in zip(time.tolist(), states[:, :, :3].tolist(), attitudes.tolist(), speeds.tolist())
        for number, (place, angles, speed) in enumerate(zip(*vehicles, strict=True), start=1)
    )


def format_cars(platoon: LegacyPlatoon) -> str:
    """name.cars: the number of vehicles, then number and type of each."""
    lines = [f"{number} {_car_type(vehicle.model)}" for number, vehicle in enumerate(platoon.vehicles, start=1)]
    return "\n".join([str(len(lines)), *lines]) + "\n"


def format_config(models: LegacyModels, platoon: LegacyPlatoon, line: np.ndarray) -> str:
    """name.config: the types of the cars with their outer size, and highways along the road.

    Args:
        models, platoon: what there is of cars.
        line: places on the line of the road, shape (n, 3) [m].
    """
    types = "".join(
        f"CARTYPE {_car_type(number)}\n"
        f"LENGTH {models[number].a1!r}\n"
        f"WIDTH {models[number].a2!r}\n"
        f"HEIGHT {models[number].a3!r}\n"
        "FILE esprit.flt (90 0 0) (0.774 0.015 0.000 1.00)\n"
        for number in sorted({vehicle.model for vehicle in platoon.vehicles})
    )
    corners = straight_pieces(np.asarray(line, dtype=np.float64))
    highways, pins = "", ""
    for number, (start, end) in enumerate(itertools.pairwise(corners), start=1):
        along = end - start
        ahead = along[:2] / math.hypot(along[0], along[1])
        x, y = start[:2] + LANE_WIDTH * np.array([-ahead[1], ahead[0]])  # the left edge of two lanes about the line
        highways += f"HIGHWAY HW{number}\nLANE 1 MANUAL NONE_BARRIER\nLANE 2 MANUAL NONE_BARRIER\n"
        highways += f"GEOMETRY LINE {math.hypot(along[0], along[1]):.10g} 0\n"
        heading = math.degrees(math.atan2(ahead[1], ahead[0]))
        pins += f"PIN HW{number} {x:.10g} {y:.10g} {start[2] + 0.2:.10g} {heading:.10g}\n"
    return f"SECTION CARTYPE\n{types}//\nSECTION HIGHWAY\nLANEWIDTH {LANE_WIDTH:g}\n{highways}//\n{pins}"


def straight_pieces(line: np.ndarray, tolerance: float = 0.1) -> np.ndarray:
    """The fewest of the places on a line, first and last kept, whose chords stay within a tolerance of it in plan [m].

    The longest chord from each corner is taken: halving the stretch at its farthest place until it fits.
    """
    start, end = line[0], line[-1]
    chord = (end - start)[:2]
    length = math.hypot(chord[0], chord[1])
    away = (line - start)[:, :2]
    off = np.abs(away[:, 0] * chord[1] - away[:, 1] * chord[0]) / length if length > 0.0 else np.hypot(*away.T)
    middle = int(np.argmax(off))
    if len(line) <= 2 or (off[middle] <= tolerance and length > 0.0):
        return np.array([start, end])
    middle = min(max(middle, 1), len(line) - 2)
    return np.vstack([straight_pieces(line[: middle + 1], tolerance)[:-1], straight_pieces(line[middle:], tolerance)])


def rise_within_highways(line: np.ndarray) -> float:
    """How far the line of a road goes above or below the highways of name.config, level from their first place [m]."""
    corners, most = straight_pieces(line), 0.0
    first = 0
    for start, end in itertools.pairwise(corners):
        last = first + int(np.argmin(np.linalg.norm(line[first:] - end, axis=1)))
        most = max(most, float(np.abs(line[first : last + 1, 2] - start[2]).max()))
        first = last
    return most


def _car_type(model: int) -> str:
    return f"simple{model}"


def write_outputs(
    folder: str | Path, time: np.ndarray, states: np.ndarray, energies: np.ndarray, oop: bool = True
) -> list[Path]:
    """Write the text files into a folder, oop.asc only when asked for; the paths written."""
    time, states = _checked(time, states, 28)
    texts = {
        "path.asc": format_path(time, states),
        "director.asc": _columns(time, states[:, :, 0:12]),
        "velocity.asc": _columns(time, states[:, :, 12:24]),
        "energy.asc": _columns(*_checked(time, np.asarray(energies, dtype=np.float64)[..., None], 1)),
    }
    return write_texts(Path(folder), {**texts, "oop.asc": ""} if oop else texts)


def write_smartpath(
    folder: str | Path,
    name: str,
    time: np.ndarray,
    states: np.ndarray,
    models: LegacyModels,
    platoon: LegacyPlatoon,
    line: np.ndarray,
) -> list[Path]:
    """Write name.state, name.cars and name.config (along the line of the road) into a folder; the paths written."""
    texts = {
        f"{name}.state": format_path(time, states),
        f"{name}.cars": format_cars(platoon),
        f"{name}.config": format_config(models, platoon, line),
    }
    return write_texts(Path(folder), texts)


def attitude(directors: np.ndarray) -> tuple[float, float, float]:
    """Heading, pitch and roll [rad] of nine director components (d1, d2, d3)."""
    gradient = np.asarray(directors, dtype=np.float64).reshape(3, 3).T  # directors are columns
    left, _, right = np.linalg.svd(gradient)
    rotation = left @ np.diag([1.0, 1.0, math.copysign(1.0, np.linalg.det(left @ right))]) @ right
    heading = math.atan2(rotation[1, 0], rotation[0, 0])
    pitch = math.asin(min(1.0, max(-1.0, rotation[2, 0])))
    roll = math.atan2(rotation[2, 1], rotation[2, 2])
    return heading, pitch, roll


def _checked(time: np.ndarray, values: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
    time = np.asarray(time, dtype=np.float64)
    values = np.asarray(values, dtype=np.float64)
    if time.ndim != 1 or values.ndim != 3 or values.shape[0] != len(time) or values.shape[2] != width:
        expected = f"times (n,) and values (n, vehicles, {width})"
        raise InputError("arrays do not fit", got=(time.shape, values.shape), expected=expected)
    return time, values


def _columns(time: np.ndarray, values: np.ndarray) -> str:
    rows, digits = zip(time.tolist(), values.reshape(len(time), -1).tolist(), strict=True), _decimals(time)
    return "".join(f"{moment:.{digits}f} {_numbers(row)}\n" for moment, row in rows)


def _decimals(time: np.ndarray) -> int:
    """Decimals of the column of times: six, and more where saved points are so close that rows would look the same."""
    gap = float(np.diff(time).min(initial=1.0))
    return 6 if gap >= 1e-5 else min(2 + math.ceil(-math.log10(max(gap, 1e-15))), 15)


def _numbers(values: list[float]) -> str:
    return " ".join(f"{value:.9e}" for value in values)


def output_names(smartpath: str | None = None, record: str | Path | None = None) -> list[str]:
    """Names of the files that a run writes: the four of 1999, those of SmartPath, a recording."""
    stems = [f"{smartpath}.{ending}" for ending in ("state", "cars", "config")] if smartpath else []
    return ["path.asc", "director.asc", "velocity.asc", "energy.asc", *stems, *([str(record)] if record else [])]


def remove_outputs(folder: str | Path, smartpath: str | None = None, record: str | Path | None = None) -> None:
    """Remove the files of an older run that the next one would write: nobody shall take them for its own."""
    for name in output_names(smartpath, record):
        (Path(folder) / name).unlink(missing_ok=True)


def write_texts(folder: Path, texts: dict[str, str]) -> list[Path]:
    """Write files as the program of 1999 does: plain ASCII, lines ended by one character; the paths written."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="ascii", newline="\n")
    return [folder / name for name in texts]
