"""Sensitivity of a crash: how much each figure moves when a vehicle starts a little beside its place.

Each vehicle is shifted along x and y by half of the doubt about its start to either side (1 cm in all by default: what
a survey leaves open), the run is repeated, and the figures of both and of the run itself are compared: what the doubt
does, not what a derivative would say. A derivative from a shift of a micrometre is noise: methods with fixed steps
place a touch within a step only to the error of the step, which is then divided by a micrometre.
A figure counts as *uncertain* when the doubt changes it by more than a tenth of the delta-V; so do all figures from the
first collision on that does not happen in every one of the runs. A figure *jumps* when the run itself lies off the line
between the shifted ones by more than a hundredth: between places that were tried it may then be anything.
"""

from __future__ import annotations

import dataclasses
from dataclasses import field
from typing import Any

import numpy as np

from centrode.classes import dataclass
from centrode.crash.collisions import Collision
from centrode.display import Custom
from centrode.errors import InputError
from centrode.recording.recording import Recording
from centrode.running import simulate
from centrode.scenario.document import Scenario
from centrode.studies.parameters import find_parameter
from centrode.texts import text_table

_QUANTITIES = {"delta-V": ("speed", False), "PDOF": ("angle", False), "yaw rate change": ("yaw_rate", True)}
DOUBT = 0.01
UNCERTAIN = 0.1
JUMP = 0.01
"""A figure that goes with the place on a straight line or on an arc of 10 cm lies off the line between two places 1 cm
apart by (0.5 cm / 10 cm)^2 / 2 = 0.1 % of itself; ten times as much is no arc."""


@dataclass(frozen=True)
class FigureSensitivity:
    """One figure of one vehicle in one collision.

    Attributes:
        collision: number; vehicle: name; figure: name; value: as computed, in ``unit``.
        factor: the spread over the doubt [unit/m].
        spread: largest difference between the run and both ends of the doubt in the start, of all shifts [unit].
        label: "firm", "uncertain" or "jumps".
        at_shifts: the figure at the lower end of the doubt, at the start itself and at the upper end, of the shift
            with the greatest spread; shift: which one, "car along y".
    """

    collision: int
    vehicle: str
    figure: str
    unit: str
    value: float
    factor: float
    spread: float
    label: str
    at_shifts: tuple[float, float, float] | None = None
    shift: str = ""


@dataclass(frozen=True)
class Sensitivity:
    """Sensitivities of all collisions of a run."""

    doubt: float
    figures: list[FigureSensitivity] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)

    def warnings(self) -> list[str]:
        """One line per vehicle and collision with uncertain figures."""
        course = "other collisions happen: the course of this crash is uncertain."
        found = [f"With {text} {course}" for text in self.changed]
        for number, vehicle in dict.fromkeys((item.collision, item.vehicle) for item in self.figures):
            these = (item for item in self.figures if (item.collision, item.vehicle) == (number, vehicle))
            names = [item.figure for item in these if item.label == "uncertain"]
            if names:
                found.append(
                    f"Collision {number}, {vehicle}: {', '.join(names)} uncertain: {100 * self.doubt:g} cm "
                    "at the start would change them noticeably (a corner hit, or one that follows another)."
                )
        for item in self.figures:
            if item.label == "jumps" and item.at_shifts is not None:
                values = ", ".join(f"{value:.4g}" for value in item.at_shifts)
                found.append(
                    f"Collision {item.collision}, {item.vehicle}: {item.figure} jumps: {values} {item.unit} with "
                    f"{item.shift} by {-50 * self.doubt:g}, 0 and {50 * self.doubt:g} cm."
                )
        return found

    def table(self, width: int | None = None, custom: Custom | None = None) -> str:
        """All figures with their spread as aligned text; cut into bands where it would be wider than ``width``."""
        custom = custom or Custom()
        columns = ["collision", "vehicle", "figure", "value", "per metre", f"for {100 * self.doubt:g} cm", "label"]
        rows = []
        for item in self.figures:
            quantity, sided = _QUANTITIES[item.figure]
            size = custom.of(quantity).size
            value = custom.with_unit(quantity, item.value * (custom.sign if sided else 1.0))
            spread = f"{item.spread / size:.2g} {custom.of(quantity).unit}" if np.isfinite(item.spread) else "-"
            per = f"{item.factor / size:.3g}" if np.isfinite(item.factor) else "-"
            rows.append([item.collision, item.vehicle, item.figure, value, per, spread, item.label])
        signs = f"PDOF: positive from the right, as on a clock; yaw: positive to the {custom.side}."
        return "\n".join([text_table(columns, rows, width=width, kept=3), signs, *self.warnings()])

    def to_data(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {**dataclasses.asdict(self), "warnings": self.warnings()}


def collision_sensitivity(scenario: Scenario, run: Recording | None = None, *, doubt: float = DOUBT) -> Sensitivity:
    """Repeat a run with every vehicle shifted to and fro in x and in y.

    Args:
        scenario: what to run.
        run: the run itself, when it is there already.
        doubt: error of the start that is taken for possible, from one end to the other [m].

    Raises:
        InputError: no vehicle or body of the scenario that collides has a position.
    """
    base = run if run is not None else simulate(scenario)
    collisions = base.collisions
    if not len(collisions):
        return Sensitivity(doubt)
    movable = [name for name in collisions.rest if hasattr(scenario.system.parts.get(name), "position")]
    if not movable:
        raise InputError("nothing that collides has a position to shift", path="vehicles")
    changed = []
    found: dict[tuple[int, str, str], list[_Shifted]] = {}
    # One vehicle may stay where it is, since only places relative to each other matter; not so against the ground.
    alone = len(movable) == 1 or any(vehicle.mass == 0 for item in collisions for vehicle in item.vehicles)
    shifted = movable if alone else movable[1:]
    common = len(collisions)
    for name in shifted:
        for axis, text in ((0, "along x"), (1, "along y")):
            ends = [simulate(_shifted(scenario, name, axis, way * doubt)).collisions for way in (-0.5, 0.5)]
            same = min(_alike(collisions, other) for other in ends)
            if same < len(collisions) or max(map(len, ends)) > len(collisions):
                changed.append(f"{name} shifted by {0.5 * doubt:g} m {text}")
            common = min(common, same)
            for k in range(same):
                one, two = (_figures(end[k]) for end in ends)
                for key, (value, unit, _) in _figures(collisions[k]).items():
                    three = [value + _change(value, other[key][0], unit) for other in (one, two)]
                    found.setdefault((k, *key), []).append(_Shifted(f"{name} {text}", (three[0], value, three[1])))
    figures = []
    for k, item in enumerate(collisions):
        for key, (value, unit, scale) in _figures(item).items():
            runs = found.get((k, *key), []) if k < common else []
            figures.append(_judged(item.number, key, (value, unit, scale), doubt, runs))
    return Sensitivity(doubt, figures, changed)


@dataclass(frozen=True)
class _Shifted:
    """A figure at three places of a vehicle."""

    shift: str
    values: tuple[float, float, float]

    @property
    def spread(self) -> float:
        """Greatest difference of two of them."""
        return max(self.values) - min(self.values)

    @property
    def bend(self) -> float:
        """How far the middle one lies off the line between the others."""
        return abs(self.values[1] - 0.5 * (self.values[0] + self.values[2]))


def _judged(
    collision: int, key: tuple[str, str], figure: tuple[float, str, float], doubt: float, runs: list[_Shifted]
) -> FigureSensitivity:
    """One figure with what all shifts do to it; none: it is not there in every run."""
    value, unit, scale = figure
    if not runs:
        return FigureSensitivity(collision, *key, unit, value, float("nan"), float("nan"), "uncertain")
    most = max(runs, key=lambda item: item.spread)
    label = "firm" if most.spread <= UNCERTAIN * scale else "uncertain"
    bent = max(runs, key=lambda item: item.bend)
    if label == "firm" and bent.bend > JUMP * scale:
        most, label = bent, "jumps"
    spread = max(item.spread for item in runs)
    return FigureSensitivity(collision, *key, unit, value, spread / doubt, spread, label, most.values, most.shift)


def _change(value: float, other: float, unit: str) -> float:
    """From one figure to another; angles the short way."""
    return (other - value + 180.0) % 360.0 - 180.0 if unit == "deg" else other - value


def _alike(one: list[Collision], two: list[Collision]) -> int:
    """How many collisions, from the first on, are of the same bodies in both runs."""
    for k, (a, b) in enumerate(zip(one, two, strict=False)):
        if a.names != b.names:
            return k
    return min(len(one), len(two))


def _shifted(scenario: Scenario, name: str, axis: int, shift: float) -> Scenario:
    """The scenario with one part moved; a vehicle is built anew with all its parts."""
    place = find_parameter(scenario, f"{name}.position.{axis}")
    return place.changed(place.value + shift)


def _figures(collision: Collision) -> dict[tuple[str, str], tuple[float, str, float]]:
    """Figures to watch: value, unit, and the size that a change is compared with."""
    found: dict[tuple[str, str], tuple[float, str, float]] = {}
    for vehicle in collision.units:
        if vehicle.mass > 0:
            size = max(vehicle.delta_v_size, 1e-9)
            found[vehicle.name, "delta-V"] = (vehicle.delta_v_size, "m/s", size)
            found[vehicle.name, "PDOF"] = (vehicle.pdof_deg, "deg", 60.0)
            # a tenth of the delta-V at the end of a car of 4 m is what a change of yaw rate should be seen against
            found[vehicle.name, "yaw rate change"] = (vehicle.yaw_rate_change, "rad/s", size / 2.0)
    return found
