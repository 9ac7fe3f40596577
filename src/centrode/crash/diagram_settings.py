"""What a scale diagram is drawn with: paper, scale, north, ground (photograph, survey), measures; from options or YAML.

::

    scale: 200                                                  # 1:200; chosen when left out
    paper: a4                                                   # or a3
    north: 90 deg                                               # direction of north from x, to the left
    photo: {file: scene.jpg, width: 60 m, at: [-20, -15], turn: 0 deg}  # at: its lower left corner
    survey: survey.csv                                          # name, x, y and, for lines, line
    measures: ["impact 1 : striking end", "kerb : striking end"]

A survey is a table with the columns name, x, y [m] and, if wanted, line: points with the same word there are joined, in
their order.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from centrode.classes import dataclass
from centrode.errors import Fault, InputError, nearest_name, unknown_name
from centrode.parts.meant import NEEDS_UNIT, number_in
from centrode.texts import AnyPath

PAPERS = {"a4": (297.0, 210.0), "a3": (420.0, 297.0)}
"""Width and height of a sheet [mm]."""


@dataclass(frozen=True)
class Photo:
    """A photograph from above: file, width on the ground [m], lower left corner [m], turned to the left [rad]."""

    file: Path
    width: float
    at: tuple[float, float]
    turn: float = 0.0


@dataclass(frozen=True)
class Survey:
    """Points by name, and lines through points [m]."""

    points: dict[str, tuple[float, float]]
    lines: dict[str, np.ndarray]


@dataclass(frozen=True)
class DiagramSettings:
    """How a diagram is drawn; ``scale`` 0 chooses one, ``north`` [rad] none: y is taken for north, and says so."""

    scale: float = 0.0
    paper: str = "a4"
    north: float | None = None
    photo: Photo | None = None
    survey: Survey | None = None
    measures: tuple[tuple[str, str], ...] = field(default=())

    def __post_init__(self) -> None:
        if self.paper not in PAPERS:
            raise unknown_name("unknown paper", self.paper, list(PAPERS))
        if not (self.scale == 0.0 or 1.0 <= self.scale <= 1e5):
            raise InputError("not a scale", path="scale", got=self.scale, expected="a number such as 200 for 1:200")


def read_settings(path: AnyPath) -> DiagramSettings:
    """Settings from a YAML file.

    Raises:
        InputError: unreadable file, unknown or wrong entries, with their lines.
    """
    from centrode.scenario.tree import parse

    source = Path(path)
    if not source.is_file():
        raise InputError("no such file", got=str(path), expected="a YAML file with the settings of a diagram")
    tree = parse(source.read_text(encoding="utf-8"), str(source))
    if not isinstance(tree.value, dict):
        raise InputError("not the settings of a diagram", got=str(path), expected="scale, paper, north, photo, ...")
    try:
        return settings_from({key: node.plain() for key, node in tree.value.items()}, source.parent)
    except InputError as error:
        lines = {key: node.at for key, node in tree.value.items()}
        found = [
            replace(fault, file=str(source), line=lines.get(fault.path.split(".")[0], 0)) for fault in error.faults
        ]
        raise InputError(found) from None


def settings_from(data: Mapping[str, object], folder: Path) -> DiagramSettings:
    """Settings from plain values; files lie in ``folder``."""
    known = [item.name for item in fields(DiagramSettings)]
    faults = [
        Fault("unknown setting of a diagram", key, got=key, nearest=nearest_name(key, known))
        for key in data
        if key not in known
    ]
    if faults:
        raise InputError(faults)
    made: dict[str, Any] = {}
    if data.get("scale") is not None:
        made["scale"] = scale_of(data["scale"])
    if data.get("paper") is not None:
        made["paper"] = str(data["paper"]).lower()
    if data.get("north") is not None:
        made["north"] = number_in(data["north"], "rad", "north", NEEDS_UNIT)
    if data.get("photo") is not None:
        made["photo"] = photo_of(data["photo"], folder)
    if data.get("survey") is not None:
        made["survey"] = read_survey(folder / str(data["survey"]))
    if data.get("measures") is not None:
        given = data["measures"]
        made["measures"] = tuple(measure_of(item) for item in (given if isinstance(given, list | tuple) else [given]))
    return DiagramSettings(**made)


def scale_of(given: object) -> float:
    """A scale as users write it: 200, "1:200"."""
    text = str(given).strip().removeprefix("1:").strip()
    try:
        return float(text)
    except ValueError:
        raise InputError("not a scale", path="scale", got=given, expected="such as 200 or 1:200") from None


def measure_of(text: object) -> tuple[str, str]:
    """The two marks of a measure, "one : two"."""
    if isinstance(text, Mapping) and len(text) == 1:  # "one : two" without quotes is an entry of YAML
        text = ":".join(str(part) for pair in text.items() for part in pair)
    parts = [part.strip() for part in str(text).split(":")]
    if len(parts) != 2 or not all(parts):
        raise InputError("not a measure", path="measures", got=text, expected="two marks with a colon between them")
    return parts[0], parts[1]


def photo_of(given: object, folder: Path) -> Photo:
    """A photograph from its entries file, width, at, turn."""
    if not isinstance(given, Mapping) or not {"file", "width"} <= set(given):
        expected = "file, width and, if wanted, at and turn"
        raise InputError("not a photograph", path="photo", got=given, expected=expected)
    for key in given:
        if key not in ("file", "width", "at", "turn"):
            raise unknown_name("unknown entry of a photograph", str(key), ("file", "width", "at", "turn"))
    file = folder / str(given["file"])
    if not file.is_file():
        raise InputError("no such file", path="photo.file", got=str(file))
    at = given.get("at", (0.0, 0.0))
    if isinstance(at, str) or len(at) != 2:
        raise InputError("not a place", path="photo.at", got=at, expected="x and y of its lower left corner")
    width = number_in(given["width"], "m", "photo.width")
    if not width > 0.0:
        raise InputError("must be positive", path="photo.width", got=width)
    corner = (number_in(at[0], "m", "photo.at"), number_in(at[1], "m", "photo.at"))
    return Photo(file, width, corner, number_in(given.get("turn", 0.0), "rad", "photo.turn", NEEDS_UNIT))


def read_survey(path: Path) -> Survey:
    """Points and lines of a survey.

    Raises:
        InputError: no such file, no columns x and y, or a row that is no place, with its line.
    """
    if not path.is_file():
        raise InputError("no such file", path="survey", got=str(path))
    points: dict[str, tuple[float, float]] = {}
    lines: dict[str, list[tuple[float, float]]] = {}
    with path.open(encoding="utf-8-sig", newline="") as stream:
        reader = csv.DictReader(stream, skipinitialspace=True)
        heads = {str(name).strip().split(" ")[0].lower(): name for name in reader.fieldnames or ()}
        if "x" not in heads or "y" not in heads:
            found = ", ".join(reader.fieldnames or ()) or "nothing"
            raise InputError("no places in a survey", path="survey", got=found, expected="columns name, x, y, line")
        for row in reader:
            try:
                place = float(row[heads["x"]]), float(row[heads["y"]])
            except (TypeError, ValueError):
                fault = Fault("not a place", "survey", got=dict(row), expected="x and y in m", file=str(path))
                raise InputError([replace(fault, line=reader.line_num)]) from None
            name = (row.get(heads.get("name", "")) or "").strip()
            line = (row.get(heads.get("line", "")) or "").strip()
            if name:
                points[name] = place
            if line:
                lines.setdefault(line, []).append(place)
    return Survey(points, {name: np.array(item) for name, item in lines.items()})
