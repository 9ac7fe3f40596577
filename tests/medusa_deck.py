"""Small decks of the program of 1999: model 1 with other numbers, some cars, a road."""

from __future__ import annotations

import re
from pathlib import Path

INPUTS = Path(__file__).parent / "conformance" / "data" / "medusa_inputs" / "offset"
USUAL = {"x": 500, "y": 0, "heading": 0, "speed": 20, "rim": 0, "steering": 0}
FORM = "VEHICLE_HAS_MODEL 1 INITIALLY_WITH X {x} Y {y} ORIENTATION {heading} SPEED {speed} "
FORM += "TIRE_SPEED {rim} STEERING {steering}\n"


def level(*points: tuple[float, ...]) -> str:
    """road.dat of points (x, y, z [m], bank [deg]); a level straight road when there are none."""
    rows = points or ((0, 0, 0, 0), (100, 0, 0, 0), (500, 0, 0, 0), (1000, 0, 0, 0))
    text = "\n".join(" ".join(map(str, row)) for row in rows)
    return f"NUMBER_OF_POINTS: {len(rows)} XYZ_COORDINATES_&_ANGLE:\n{text}\nEND_OF_FILE\n"


def write_deck(folder: Path, *vehicles: dict[str, float], road: str | None = None, **model: float | str) -> Path:
    """Write model.dat (of the report, with other numbers behind some keywords), platoon.dat and road.dat."""
    text = (INPUTS / "model.dat").read_text()
    for keyword, value in model.items():
        text, count = re.subn(rf"\b{keyword} +[-+.\dEe]+", f"{keyword} {value}", text)
        assert count
    (folder / "model.dat").write_text(text)
    cars = "".join(FORM.format(**USUAL | item) for item in vehicles)
    (folder / "platoon.dat").write_text(f"NUMBER_OF_VEHICLES {len(vehicles)}\n{cars}")
    (folder / "road.dat").write_text(road or level())
    return folder
