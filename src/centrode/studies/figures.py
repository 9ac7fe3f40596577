"""Figures of a run: one number each, named by a text or made by a function of the recording.

    hinge.angle@end    arm.position.x@1.5    arm.velocity.z@max    spring.force@min    a.delta_v_size@collision
    restitution@collision 2

A figure at a time asks for a frame at that time. A greatest or smallest value lies between frames: there frames are put
closer, and a polynomial through seven of them has its peak where the channel has it, to the seventh power of a third of
the spacing. So a figure is a smooth function of whatever the run depends on, as long as the same peak is the greatest.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from centrode import units
from centrode.crash.collisions import Collision
from centrode.crash.row import VehicleFigures
from centrode.errors import InputError, nearest_name
from centrode.recording.recording import Recording

Function: TypeAlias = Callable[[Recording], float]
Wanted: TypeAlias = str | Function
NODES = np.linspace(-1.0, 1.0, 7)
"""Frames around a peak, in units of the distance to the frame beside it."""
UNEVEN = 1e-4
"""How far the frame at a peak may lie beside the polynomial of its neighbours, relative to their spread."""
_COLLISION = "collision"
_UNITS = {
    "m/s": ("delta_v_size", "delta_v_along", "delta_v_left", "speed_before", "speed_after", "ees", "closing_speed"),
    "m/s2": ("peak_acceleration", "mean_acceleration"),
    "rad/s": ("yaw_rate_before", "yaw_rate_change"),
    "deg": ("pdof_deg",),
    "J": ("vibration", "crush_energy", "friction_energy", "law_energy", "vibration_energy"),
    "m": ("crush", "damage_width", "depth"),
    "s": ("begin", "end", "duration", "peak_time"),
    "N": ("peak_force",),
    "N*s": ("impulse_size",),
    "1": ("restitution",),
}
_OF_COLLISION = {name: unit for unit, names in _UNITS.items() for name in names}
"""Figures of a collision and of its vehicles, and their units."""


@dataclass(frozen=True)
class Figure:
    """A number that a run comes to.

    Attributes:
        name: as asked for, with a component.
        unit: SI; "" when it is not known.
        value: of a recording.
        times: frames that it needs [s].
        notes: what is to be known about it.
    """

    name: str
    unit: str
    value: Function
    times: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()


def find_figures(wanted: Sequence[Wanted] | Mapping[str, Function] | Wanted, run: Recording) -> list[Figure]:
    """The figures that are asked for; a channel with components gives one for each.

    Args:
        wanted: texts, functions of a recording, or functions by name.
        run: a run that has them.

    Raises:
        InputError: unknown channel, component, moment or figure.
    """
    if isinstance(wanted, Mapping):
        return [Figure(name, "", function) for name, function in wanted.items()]
    found: list[Figure] = []
    for item in [wanted] if isinstance(wanted, str) or callable(wanted) else wanted:
        found += [Figure(item.__name__, "", item)] if not isinstance(item, str) else _from_text(item, run)
    return found


def _from_text(text: str, run: Recording) -> list[Figure]:
    what, sign, moment = (part.strip() for part in text.partition("@"))
    if moment.startswith(_COLLISION):
        return [_of_collision(text, what, moment.removeprefix(_COLLISION).strip(), run)]
    if not sign:
        moment = "end"
    return [_of_channel(name, moment, unit, run) for name, unit in _columns(what, run)]


def _columns(what: str, run: Recording) -> list[tuple[str, str]]:
    """Scalar columns of a channel, or the one that is named, with units."""
    for channel in run.channels.values():
        names = channel.labels(run.coordinates)
        if what == channel.name:
            return [(name, channel.unit) for name in names]
        if what in names:
            return [(what, channel.unit)]
    known = [name for channel in run.channels.values() for name in channel.labels(run.coordinates)]
    owner = what.partition(".")[0]
    own = [name for name in known if name.split(".")[0] == owner]
    expected = "a channel, such as " + ", ".join((own or known)[:6])
    nearest = nearest_name(what, own or known) or nearest_name(what, known)
    raise InputError("no such channel", path=what, expected=expected, nearest=nearest)


def column(run: Recording, name: str) -> np.ndarray:
    """A scalar column of a recording, of a channel with any number of axes."""
    for channel in run.channels.values():
        names = channel.labels(run.coordinates)
        if name in names:
            return run[channel.name].reshape(len(run), len(names))[:, names.index(name)]
    raise InputError("no such channel", path=name)


def _of_channel(name: str, moment: str, unit: str, run: Recording) -> Figure:
    whole = f"{name}@{moment}"
    if moment == "end":
        return Figure(whole, unit, lambda other: float(column(other, name)[-1]))
    if moment in ("max", "min"):
        return _extreme(whole, name, 1.0 if moment == "max" else -1.0, unit, run)
    try:
        time = units.to_unit(moment, "s") if units.looks_like_quantity(moment) else float(moment)
    except (ValueError, InputError):
        expected = "end, max, min, a time such as 1.5 or '200 ms', or collision"
        near = nearest_name(moment, ["end", "max", "min", _COLLISION])
        raise InputError("not a moment", path=whole, got=moment, expected=expected, nearest=near) from None
    if not run.time[0] <= time <= run.time[-1]:
        expected = f"{run.time[0]:g} to {run.time[-1]:g} s"
        raise InputError("outside the run", path=whole, got=moment, expected=expected)
    return Figure(whole, unit, lambda other: float(column(other, name)[_frame(other, time)]), (time,))


def _frame(run: Recording, time: float) -> int:
    """The frame at a time."""
    return int(np.argmin(np.abs(run.time - time)))


def _extreme(whole: str, name: str, sign: float, unit: str, run: Recording) -> Figure:
    """Greatest or smallest value of a column."""
    peak = int(np.argmax(sign * column(run, name)))
    if peak in (0, len(run) - 1):
        time = float(run.time[peak])
        where = "at the start" if peak == 0 else "at the end"
        return Figure(whole, unit, lambda other: float(column(other, name)[_frame(other, time)]), (time,), (where,))
    middle, beside = run.time[peak], min(run.time[peak] - run.time[peak - 1], run.time[peak + 1] - run.time[peak])
    times = tuple((middle + NODES * beside).tolist())

    def value(other: Recording) -> float:
        near = sign * column(other, name)[[_frame(other, time) for time in times]]
        return sign * _peak(near)

    return Figure(whole, unit, value, times, (f"at {middle:.4g} s",))


def _peak(values: np.ndarray) -> float:
    """Greatest value of the polynomial through the nodes, within them."""
    fitted = np.polynomial.Polynomial.fit(NODES, values, NODES.size - 1, domain=[-1.0, 1.0])
    turns = fitted.deriv().roots()
    inside = turns.real[(np.abs(turns.imag) < 1e-6) & (np.abs(turns.real) <= 1.0)]
    return float(max(values[0], values[-1], *fitted(inside))) if inside.size else float(max(values[0], values[-1]))


def uneven_peak(figure: Figure, run: Recording) -> bool:
    """Whether a greatest or smallest value is no smooth peak: its frames do not lie on one polynomial."""
    if len(figure.times) != NODES.size:
        return False
    values = column(run, figure.name.rpartition("@")[0])[[_frame(run, time) for time in figure.times]]
    kept = np.arange(NODES.size) != NODES.size // 2
    others = np.polynomial.Polynomial.fit(NODES[kept], values[kept], NODES.size - 2, domain=[-1.0, 1.0])
    spread = float(np.ptp(values))
    return abs(float(others(0.0)) - values[NODES.size // 2]) > UNEVEN * spread


def _of_collision(text: str, what: str, number: str, run: Recording) -> Figure:
    """A figure of a collision, or of a vehicle in it: the first that has it, or that of the number."""
    vehicle, _, name = what.rpartition(".")
    of_side = {item.name for item in dataclasses.fields(VehicleFigures)}
    known = [item for item in _OF_COLLISION if (item in of_side) == bool(vehicle) or item == "crush"]
    if name not in known:
        expected = "one of " + ", ".join(f"{vehicle}.{item}" if vehicle else item for item in known)
        raise InputError(
            "no such figure of a collision", path=text, expected=expected, nearest=nearest_name(name, known)
        )
    if number and not number.isdigit():
        raise InputError("not a number of a collision", path=text, got=number, expected="such as collision 2")
    chosen = int(number) if number else 0
    names = sorted({side for item in run.collisions for side in item.unit_names})
    if vehicle and vehicle not in names:
        near, expected = (
            nearest_name(vehicle, names),
            "one of " + ", ".join(names) if names else "a run with collisions",
        )
        raise InputError("no such vehicle collides", path=text, got=vehicle, expected=expected, nearest=near)

    def fitting(other: Recording) -> list[Collision]:
        return [
            item
            for item in other.collisions
            if (not vehicle or vehicle in item.unit_names) and chosen in (0, item.number)
        ]

    def value(other: Recording) -> float:
        for item in fitting(other):
            return float(
                item.duration if name == "duration" else vars(item.vehicle(vehicle) if vehicle else item)[name]
            )
        return float("nan")

    if not fitting(run):
        raise InputError("no such collision", path=text, hint=f"the run has {len(run.collisions)}")
    return Figure(text, _OF_COLLISION[name], value)
