"""What the files of 1999 have no place for, as options of ``centrode medusa`` that bring it back.

model.dat, platoon.dat and road.dat know no contact law, no width or friction of a road, no gravity and no settings of a
run; parts go by numbers. The scenario that they become with a few options is compared with the one that was converted,
field by field, and each difference becomes an assignment.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from centrode.parts.part import Part
from centrode.parts.registry import section_of
from centrode.scenario.document import Scenario
from centrode.scenario.medusa.records import WIDTH, LegacyModels, LegacyPlatoon, LegacyRoad
from centrode.scenario.writing import assignment, field_values
from centrode.system.builder import System
from centrode.vehicles.platoon import ROAD, ROAD_STYLES, add_legacy, legacy_settings

LAW = "cars"


@dataclass
class LegacyOptions:
    """Options that make the files the scenario again, and words about what none can bring back."""

    words: list[str]
    lost: list[str]


def options_of(scenario: Scenario, decks: tuple[LegacyModels, LegacyPlatoon, LegacyRoad]) -> LegacyOptions:
    """Options for the files of :func:`centrode.vehicles.platoon.legacy_of`, in the order of the manual."""
    system, settings = scenario.system, scenario.settings
    cars, roads, laws = (
        [part for part in system.parts.values() if part.family == name] for name in ("vehicle", "road", "contact_law")
    )
    names = {roads[0].name: ROAD, **{car.name: f"car{number}" for number, car in enumerate(cars, start=1)}}
    lost = [f"the name {old}: it is {new} now" for old, new in names.items() if old != new]
    lost += [f"contact_laws.{law.name}" for law in laws[1:]] + ["changes"] * bool(system.changes)

    frames = settings.frames or settings.duration / 200.0
    plain = legacy_settings(settings.duration, settings.step or 5e-5, frames)
    words = [f"-t{settings.duration!r}", f"-d{plain.step!r}", f"-s{frames!r}"]
    listed = all(car.equilibrium == "listed" for car in cars)  # type: ignore[attr-defined]
    words += ["--listed"] * listed
    contact = bool(laws) and len(cars) > 1
    words += ["--no-contact"] * (not contact and len(cars) > 1)
    style = next((name for name in ROAD_STYLES if decks[2].part(ROAD, ROAD_STYLES[name]).kind == roads[0].kind), "auto")
    words += [f"--road {style}"] * (style != "auto")
    words += [f"--width {decks[2].width!r}"] * (decks[2].width != WIDTH)
    words += [f"--plugin {file}" for file in scenario.plugins]

    made = System()
    chosen = {"equilibrium": "listed" if listed else "true", "original_road": ROAD_STYLES[style]}
    add_legacy(made, *decks, contact=contact, **chosen)  # type: ignore[arg-type]
    pairs: list[tuple[Part, Part]] = [(car, made.parts[names[car.name]]) for car in cars]
    pairs += [(roads[0], made.parts[ROAD])] + [(law, made.parts[LAW]) for law in laws[:1] if contact]
    sets = [] if system.gravity == made.gravity else [assignment("gravity", list(system.gravity))]
    for old, new in pairs:
        sets += _differences(old, new, names)
    sets += [
        assignment(f"run.{key}", value)
        for key, value in field_values(settings).items()
        if key not in ("duration", "frames", "audit") and value not in (None, field_values(plain)[key])
    ]
    return LegacyOptions([*words, *(f"--set {shlex.quote(text)}" for text in sets)], lost)


def _differences(old: Part, new: Part, names: dict[str, str]) -> list[str]:
    """Assignments that turn one part into the other."""
    path = f"{section_of(new.family)}.{new.name}"
    wanted = {key: _renamed(value, names) for key, value in field_values(old).items()}
    if old.kind != new.kind:
        usual = field_values(old, defaults=True)
        unlike = {key: value for key, value in wanted.items() if value != usual.get(key)}
        return [assignment(path, {"kind": old.kind, **unlike})]
    there = field_values(new)
    same = [key for key, value in wanted.items() if value in (there[key], *_all_the_same(there[key]))]
    same += ["road"] * (wanted.get("road") is None)  # a level plane of its own, which the files write out
    return [assignment(f"{path}.{key}", value) for key, value in wanted.items() if key not in same]


def _all_the_same(values: object) -> list[object]:
    """The one number that a list repeats: a bank, a width of all points."""
    return values[:1] if isinstance(values, list) and values and all(item == values[0] for item in values) else []


def _renamed(value: object, names: dict[str, str]) -> object:
    """A value with the names of parts as they are in the files."""
    if isinstance(value, str):
        first, dot, rest = value.partition(".")
        return f"{names.get(first, first)}{dot}{rest}"
    return [_renamed(item, names) for item in value] if isinstance(value, list) else value
