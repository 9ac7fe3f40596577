"""The text files that MEDUSA leaves behind, and the three files of its SmartPath animation, from arrays.

Source: MEDUSA report (1999), sections 2.4 and 3.1. Every file has the elapsed time in its first column and then, for
vehicle 1, 2, ... in turn:

- director.asc  r (3), d1, d2, d3 (9): twelve columns
- velocity.asc  v (3), w1, w2, w3 (9): twelve columns
- energy.asc    total energy: one column. All of it: the original left out the translation and measured springs upright.
- path.asc      x, y, z [m], heading, pitch, roll [deg]: six columns. The report refers to a SmartPath note for the
  layout of this file and does not print it; this is the plain reading, every row with its own attitude.
- oop.asc       empty; a scratch file of the programmers.

SmartPath wants ``name.state`` (the contents of path.asc), ``name.cars`` and ``name.config``.

Attitude of a deformable body: the rotation nearest to its deformation gradient F (polar decomposition), as heading
about z, pitch (nose up positive) and roll (right side down positive).
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from centrode.errors import InputError
from centrode.scenario.medusa.records import LegacyModel


def format_path(time: np.ndarray, states: np.ndarray) -> str:
    """path.asc and name.state; time of shape (n,) [s], states of shape (n, vehicles, 28)."""
    time, states = _checked(time, states, 28)
    attitudes = np.apply_along_axis(attitude_deg, 2, states[:, :, 3:12])
    return _columns(time, np.concatenate([states[:, :, :3], attitudes], axis=2))


def format_cars(count: int, car_type: str = "simple1") -> str:
    """name.cars: the number of vehicles, then number and type of each."""
    return "\n".join([str(count), *(f"{number} {car_type}" for number in range(1, count + 1))]) + "\n"


def format_config(model: LegacyModel, length: float = 500.0, car_type: str = "simple1") -> str:
    """name.config: the type of car with its outer size and a straight highway of two lanes [m], as in section 3.1."""
    return (
        "SECTION CARTYPE\n"
        f"CARTYPE {car_type}\n"
        f"LENGTH {model.a1!r}\n"
        f"WIDTH {model.a2!r}\n"
        f"HEIGHT {model.a3!r}\n"
        "FILE esprit.flt (90 0 0) (0.774 0.015 0.000 1.00)\n"
        "//\n"
        "SECTION HIGHWAY\n"
        "LANEWIDTH 4\n"
        "HIGHWAY HW1\n"
        "LANE 1 MANUAL NONE_BARRIER\n"
        "LANE 2 MANUAL NONE_BARRIER\n"
        f"GEOMETRY LINE {length:g} 0\n"
        "//\n"
        "PIN HW1 -50 4 .2 0\n"
    )


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
    folder: str | Path, name: str, time: np.ndarray, states: np.ndarray, model: LegacyModel
) -> list[Path]:
    """Write name.state, name.cars and name.config into a folder; the paths written."""
    texts = {
        f"{name}.state": format_path(time, states),
        f"{name}.cars": format_cars(np.asarray(states).shape[1]),
        f"{name}.config": format_config(model),
    }
    return write_texts(Path(folder), texts)


def attitude_deg(directors: np.ndarray) -> tuple[float, float, float]:
    """Heading, pitch and roll [deg] of nine director components (d1, d2, d3)."""
    gradient = np.asarray(directors, dtype=np.float64).reshape(3, 3).T  # directors are columns
    left, _, right = np.linalg.svd(gradient)
    rotation = left @ np.diag([1.0, 1.0, math.copysign(1.0, np.linalg.det(left @ right))]) @ right
    heading = math.atan2(rotation[1, 0], rotation[0, 0])
    pitch = math.asin(min(1.0, max(-1.0, rotation[2, 0])))
    roll = math.atan2(rotation[2, 1], rotation[2, 2])
    return math.degrees(heading), math.degrees(pitch), math.degrees(roll)


def _checked(time: np.ndarray, values: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
    time = np.asarray(time, dtype=np.float64)
    values = np.asarray(values, dtype=np.float64)
    if time.ndim != 1 or values.ndim != 3 or values.shape[0] != len(time) or values.shape[2] != width:
        expected = f"times (n,) and values (n, vehicles, {width})"
        raise InputError("arrays do not fit", got=(time.shape, values.shape), expected=expected)
    return time, values


def _columns(time: np.ndarray, values: np.ndarray) -> str:
    flat = values.reshape(len(time), -1)
    return "".join(
        f"{moment:.6f} " + " ".join(f"{value:.9e}" for value in row) + "\n"
        for moment, row in zip(time.tolist(), flat.tolist(), strict=True)
    )


def write_texts(folder: Path, texts: dict[str, str]) -> list[Path]:
    """Write files as the program of 1999 does: plain ASCII, lines ended by one character; the paths written."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="ascii", newline="\n")
    return [folder / name for name in texts]
