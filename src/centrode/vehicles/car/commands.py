"""What a driver commands: ranges of steering, throttle and brake, and sequences of them over time."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np

from centrode.classes import dataclass
from centrode.errors import Fault, InputError, nearest_name
from centrode.parts.meant import in_si, likely_meaning
from centrode.parts.part import check_value, quantity
from centrode.parts.signals.signal import Form, Signal, SignalExpression, SignalTable, Term, signal_from

COMMANDS = ("steer", "drive", "brake")
Command: TypeAlias = Any
"""A number, a signal, a mapping that is one, or the name of a part."""
Commands: TypeAlias = dict[str, Command]
LAG = 0.2
"""Time in which a command of a sequence is reached [s]: the build-up of brakes, 0.1 to 0.3 s in the literature of
reconstruction; an assumption for the others."""


@dataclass(frozen=True)
class DriverStep:
    """One row of a driver's sequence: what the driver does from a time on; what is left out stays as it was."""

    at: float = quantity("s", "when it begins", minimum=0.0)
    steer: float | None = quantity("rad", "steering angle, left positive", None)
    drive: float | None = quantity("1", "share of the drive torque, -1 to 1", None)
    brake: float | None = quantity("1", "share of the brake torque, 0 to 1", None)
    lag: float = quantity("s", "time until it is reached", LAG, minimum=0.0)

    def command(self, name: str) -> float | None:
        """One of its commands."""
        return {"steer": self.steer, "drive": self.drive, "brake": self.brake}[name]


def sequence_of(given: object) -> tuple[DriverStep, ...]:
    """Rows of a sequence; dictionaries become rows where they fit, the rest stays for the faults."""
    rows = list(given) if isinstance(given, list | tuple) else [given]
    known = {item.name: item for item in dataclasses.fields(DriverStep)}
    made = []
    for row in rows:
        if isinstance(row, Mapping) and "at" in row and set(row) <= set(known):
            row = DriverStep(**{key: in_si(value, known[key].metadata["unit"]) for key, value in row.items()})  # type: ignore[arg-type]
        made.append(row)
    return tuple(made)  # type: ignore[arg-type]


def sequence_faults(name: str, sequence: tuple[object, ...]) -> list[Fault]:
    """What is wrong with a sequence: rows that are none, times that do not rise."""
    known = {item.name: item for item in dataclasses.fields(DriverStep)}
    found: list[Fault] = []
    last = -1.0
    for index, row in enumerate(sequence):
        path = f"{name}.sequence[{index}]"
        if not isinstance(row, DriverStep):
            wrong = next((key for key in row if key not in known), "") if isinstance(row, Mapping) else ""
            expected, near = "a row such as {at: 1.2 s, brake: 0.8}", nearest_name(wrong, list(known)) if wrong else ""
            found.append(Fault("not a row of a sequence", path, got=row, expected=expected, nearest=near))
            continue
        for key, item in known.items():
            found += check_value(f"{path}.{key}", vars(row)[key], item.metadata)
        if not found and row.at <= last:
            found.append(Fault("times of a sequence must rise", f"{path}.at", got=row.at, expected=f"above {last:g} s"))
        last = row.at if isinstance(row.at, int | float) else last
    return found


def sequence_signal(sequence: Iterable[DriverStep], command: str, before: float) -> Command:
    """The signal of one command of a sequence: from row to row, each reached after its lag; ``before`` the first."""
    times, values = [0.0], [float(before)]
    rows = [(row.at, row.lag, value) for row in sequence if (value := row.command(command)) is not None]
    for index, (at, lag, value) in enumerate(rows):
        reached = max(lag, 1e-6)
        until = rows[index + 1][0] if index + 1 < len(rows) else np.inf
        if at > times[-1]:
            times.append(at)
            values.append(values[-1])
        elif at == 0.0:
            values[0], reached = float(value), 0.0  # a sequence begins with what holds before the start
        if reached > 0.0:
            share = min(1.0, (until - at) / reached)  # the next row may come before this one is reached
            times.append(at + share * reached)
            values.append(values[-1] + share * (float(value) - values[-1]))
    if len(times) == 1:
        return values[0]
    return SignalTable(tuple(times), tuple(values), interpolation="linear")


def reach(signal: Command) -> tuple[float, float] | None:
    """Least and greatest value of a command; None when it has no bounds of its own (a ramp, a name)."""
    if signal is None or isinstance(signal, bool | str):
        return None
    try:
        terms = signal_from(signal).terms()
    except InputError:
        return None
    spans = [_span(term) for term in terms]
    if any(span is None for span in spans):
        return None
    return sum(span[0] for span in spans if span), sum(span[1] for span in spans if span)


def _span(term: Term) -> tuple[float, float] | None:
    form, numbers = term
    if form == Form.POLYNOMIAL:
        return None if any(numbers[1:]) else (numbers[0], numbers[0])
    if form == Form.HARMONIC:
        return numbers[3] - abs(numbers[0]), numbers[3] + abs(numbers[0])
    values = {
        Form.CONSTANT: numbers,
        Form.SMOOTH_STEP: numbers[2:4],
        Form.STAIRCASE: [numbers[0], *numbers[1 + (len(numbers) - 1) // 2 :]],
        Form.TABLE_LINEAR: numbers[len(numbers) // 2 :],
        Form.TABLE_CUBIC: numbers[len(numbers) // 3 : 2 * len(numbers) // 3],
        Form.TABLE_QUINTIC: numbers[len(numbers) // 4 : len(numbers) // 2],
    }[Form(form)]
    return min(values), max(values)


def command_faults(name: str, commands: Commands, limits: Mapping[str, tuple[float, float]]) -> list[Fault]:
    """Commands beyond what the car can do, which it would cut without a word."""
    found = []
    for field, given in commands.items():
        low, high = limits[field]
        span = None if _formula(given) else reach(given)
        if span is None or (span[0] >= low - 1e-12 and span[1] <= high + 1e-12):
            continue
        worst = span[1] if span[1] > high else span[0]
        unit = "rad" if field == "steer" else "1"
        shown = "" if unit == "1" else " rad"
        hint = likely_meaning(worst, unit, (low, high))
        if not hint and field == "steer":
            hint = "a greater steer_limit lets the wheels turn farther"
        plain = given if isinstance(given, int | float | dict) else None
        expected = f"{low:g} to {high:g}{shown}"
        found.append(
            Fault(
                f"{worst:g}{shown} is beyond what the car does",
                f"{name}.{field}",
                got=plain,
                expected=expected,
                hint=hint,
            )
        )
    return found


def command_notes(name: str, commands: Commands, limits: Mapping[str, tuple[float, float]]) -> list[str]:
    """Formulas and ramps that go beyond the limits and are cut there: allowed, but said."""
    notes = []
    for field, given in commands.items():
        span = reach(given) if _formula(given) else None
        low, high = limits[field]
        if span is not None and (span[0] < low - 1e-9 or span[1] > high + 1e-9):
            notes.append(f"{name}.{field} goes from {span[0]:.4g} to {span[1]:.4g} and is cut at {low:g} and {high:g}")
    return notes


def _formula(given: Command) -> bool:
    return isinstance(given, SignalExpression) or (isinstance(given, Mapping) and given.get("kind") == "expression")


def at_start(command: Command) -> float:
    """Value of a command at time zero; zero for what names another part."""
    if isinstance(command, Signal | Mapping | int | float):
        return signal_from(command).at(0.0)[0]
    return 0.0
