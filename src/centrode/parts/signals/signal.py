"""Signals: functions of time with value, rate and acceleration, which kernels evaluate.

A signal is a value without a name; parts take it wherever a parameter may move with time, as an object in Python or
inline in a scenario file (``{kind: harmonic, amplitude: 0.1, frequency: 2}``). A plain number is a constant.

    constant     s = c
    polynomial   s = sum_k c_k t^k                                                                      (1)
    harmonic     s = offset + A sin(w t + p),  w = 2 pi f                                               (2)
    smooth step  s = s0 + (s1 - s0) x^3 (10 - 15 x + 6 x^2),  x = (t - t0)/(t1 - t0) within 0..1        (3)
    table        straight lines between points, or in the interval [t_i, t_i+1] of length h the cubic
                 s = s_i + x h m_i + x^2 (3 D - h (2 m_i + m_i+1)) + x^3 (h (m_i + m_i+1) - 2 D)       (4)
                 with x = (t - t_i)/h, D = s_i+1 - s_i and slopes m of the spline whose second derivative has
                 no jump (cubic), or of the parabola through three points, which no far point moves (local);
                 or pieces of degree five without a jump up to the fourth derivative (quintic):
                 s = s_i + x (h m_i + x (h^2 k_i / 2 + x (c_3 + x (c_4 + x c_5))))                      (5)
    staircase    s = start before the first time, then the value of the last time that has come
    expression   a formula in t, such as 0.05 * sin(2 * t), sampled and joined by (5)
    sum          of any of these

(3) has no jump in rate or acceleration, nor have cubic and quintic tables and expressions: driven joints pass
accelerations on as forces, so a kink there costs a method its order. The local table has jumps in acceleration, the
straight one in rate. Before its first and after its last point a table holds the value there. In the data pool a
signal is the number of its terms, then for each term code, count of numbers, numbers; sums are flattened, so
evaluation needs no recursion.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any, ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.errors import Fault, InputError, nearest_name
from centrode.jit import step_kernel, types
from centrode.math.expressions import evaluate
from centrode.parts.part import check_value, quantity


class Form(IntEnum):
    """Form of one part of a signal, as it stands in the data pool."""

    CONSTANT = 0
    POLYNOMIAL = 1
    HARMONIC = 2
    SMOOTH_STEP = 3
    TABLE_LINEAR = 4
    TABLE_CUBIC = 5
    STAIRCASE = 6
    TABLE_QUINTIC = 7


Term = tuple[int, list[float]]
"""Form of a term and its numbers."""


@dataclass(frozen=True)
class Signal:
    """Base of all signals."""

    kind: ClassVar[str] = ""

    def __post_init__(self) -> None:
        found = self.faults()
        if found:
            raise InputError(found)

    def faults(self) -> list[Fault]:
        """All that is wrong with the parameters."""
        found: list[Fault] = []
        for item in dataclasses.fields(self):
            if item.metadata:
                found += check_value(f"signal.{item.name}", getattr(self, item.name), item.metadata)
        return found

    def terms(self) -> list[Term]:
        """Code and numbers of every term of the sum that the signal is."""
        raise NotImplementedError

    def at(self, time: float) -> tuple[float, float, float]:
        """Value, rate and acceleration at a time [s], in the unit of the signal and per s, per s2."""
        value, rate, acceleration = signal_at(np.array(pack_signal(self)), 0, float(time))
        return float(value), float(rate), float(acceleration)

    def __add__(self, other: Signal | float) -> SignalSum:
        return SignalSum((self, signal_from(other)))


@dataclass(frozen=True)
class SignalConstant(Signal):
    """The same value at all times."""

    kind: ClassVar[str] = "constant"
    value: float = quantity("1", "value", 0.0)

    def terms(self) -> list[Term]:
        return [(Form.CONSTANT, [self.value])]


@dataclass(frozen=True)
class SignalPolynomial(Signal):
    """Polynomial in time, equation (1): ``coefficients`` of 1, t, t^2, ...; two of them make a ramp."""

    kind: ClassVar[str] = "polynomial"
    coefficients: Sequence[float] = quantity("1", "coefficients of 1, t, t^2, ... [1/s^k]", (0.0,))

    def faults(self) -> list[Fault]:
        return super().faults() or ([] if len(self.coefficients) else [Fault("a polynomial needs a coefficient")])

    def terms(self) -> list[Term]:
        return [(Form.POLYNOMIAL, [*self.coefficients])]


@dataclass(frozen=True)
class SignalRamp(Signal):
    """Straight line: ``start + slope t``."""

    kind: ClassVar[str] = "ramp"
    slope: float = quantity("1", "change per second", 0.0)
    start: float = quantity("1", "value at time zero", 0.0)

    def terms(self) -> list[Term]:
        return [(Form.POLYNOMIAL, [self.start, self.slope])]


@dataclass(frozen=True)
class SignalHarmonic(Signal):
    """Sine, equation (2); give ``frequency`` [Hz] or ``omega`` [rad/s]."""

    kind: ClassVar[str] = "harmonic"
    amplitude: float = quantity("1", "amplitude", 1.0)
    frequency: float | None = quantity("Hz", "cycles per second", None)
    omega: float | None = quantity("rad/s", "angular frequency", None)
    phase: float = quantity("rad", "phase at time zero", 0.0)
    offset: float = quantity("1", "mean value", 0.0)

    def faults(self) -> list[Fault]:
        found = super().faults()
        if (self.frequency is None) == (self.omega is None):
            got = (self.frequency, self.omega)
            found.append(Fault("a harmonic needs one of frequency and omega", "signal.frequency", got=got))
        return found

    def terms(self) -> list[Term]:
        omega = self.omega if self.frequency is None else 2.0 * math.pi * self.frequency
        return [(Form.HARMONIC, [self.amplitude, omega or 0.0, self.phase, self.offset])]


@dataclass(frozen=True)
class SignalSmoothStep(Signal):
    """From one value to another without a jump in rate or acceleration, equation (3)."""

    kind: ClassVar[str] = "smooth-step"
    start_time: float = quantity("s", "when the change begins", 0.0)
    end_time: float = quantity("s", "when it is complete", 1.0)
    start: float = quantity("1", "value before", 0.0)
    end: float = quantity("1", "value after", 1.0)

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not found and not self.end_time > self.start_time:
            found.append(Fault("a step ends after it begins", "signal.end_time", got=(self.start_time, self.end_time)))
        return found

    def terms(self) -> list[Term]:
        return [(Form.SMOOTH_STEP, [self.start_time, self.end_time, self.start, self.end])]


@dataclass(frozen=True)
class SignalTable(Signal):
    """Through given points, equation (4)."""

    kind: ClassVar[str] = "table"
    times: Sequence[float] = quantity("s", "times, ascending")
    values: Sequence[float] = quantity("1", "values at these times")
    interpolation: str = quantity(
        "",
        "straight lines, cubics that look at three points each, or splines with smooth acceleration (cubic, quintic)",
        "cubic",
        choices=("linear", "local", "cubic", "quintic"),
    )

    def faults(self) -> list[Fault]:
        return super().faults() or point_faults("table", self.times, self.values, 2)

    def terms(self) -> list[Term]:
        t, s = np.asarray(self.times, dtype=float), np.asarray(self.values, dtype=float)
        if self.interpolation == "linear":
            return [(Form.TABLE_LINEAR, [*t, *s])]
        if self.interpolation == "local":
            return [(Form.TABLE_CUBIC, [*t, *s, *three_point_slopes(t, s)])]
        return [smooth_table(t, s, 3 if self.interpolation == "cubic" else 5)]


@dataclass(frozen=True)
class SignalStaircase(Signal):
    """Holds each value from its time on; ``start`` before the first."""

    kind: ClassVar[str] = "staircase"
    times: Sequence[float] = quantity("s", "times of the steps, ascending")
    values: Sequence[float] = quantity("1", "value from each of these times on")
    start: float = quantity("1", "value before the first step", 0.0)

    def faults(self) -> list[Fault]:
        return super().faults() or point_faults("staircase", self.times, self.values, 1)

    def terms(self) -> list[Term]:
        return [(Form.STAIRCASE, [self.start, *self.times, *self.values])]


@dataclass(frozen=True)
class SignalExpression(Signal):
    """A formula in ``t`` [s], sampled every ``step`` up to ``until`` and joined by a spline (5); held afterwards.

    What is allowed in a formula: :mod:`centrode.math.expressions`. Where it jumps, write a staircase instead.
    """

    kind: ClassVar[str] = "expression"
    expression: str = quantity("", "formula in t", "0")
    until: float = quantity("s", "time up to which it is sampled", 60.0, positive=True)
    step: float = quantity("s", "time between samples", 0.02, positive=True)

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not found and self.until / self.step > 100_000:
            found.append(Fault("too many samples", "signal.step", got=self.step, hint="a longer step"))
        if not found:
            try:
                evaluate(str(self.expression), {"t": 0.0})
            except InputError as error:
                found += [
                    Fault(f.what, "signal.expression", got=f.got, expected=f.expected, nearest=f.nearest)
                    for f in error.faults
                ]
        return found

    def terms(self) -> list[Term]:
        times = np.linspace(0.0, self.until, max(2, round(self.until / self.step)) + 1)
        values = np.array([float(evaluate(str(self.expression), {"t": float(t)})) for t in times])
        return [smooth_table(times, values, 5)]


@dataclass(frozen=True)
class SignalSum(Signal):
    """Sum of signals."""

    kind: ClassVar[str] = "sum"
    signals: Sequence[Any] = quantity("", "signals or numbers to add")

    def __post_init__(self) -> None:
        object.__setattr__(self, "signals", tuple(signal_from(item) for item in self.signals))
        super().__post_init__()

    def faults(self) -> list[Fault]:
        return [] if self.signals else [Fault("a sum needs at least one signal", "signal.signals")]

    def terms(self) -> list[Term]:
        return [term for signal in self.signals for term in signal.terms()]


SIGNAL_KINDS: dict[str, type[Signal]] = dict(sorted((item.kind, item) for item in Signal.__subclasses__()))


def point_faults(kind: str, times: Sequence[float], values: Sequence[float], least: int) -> list[Fault]:
    """What is wrong with the points of a table or staircase."""
    if len(times) < least or len(times) != len(values):
        more = ", two or more" if least > 1 else ""
        got = f"{len(times)} times and {len(values)} values"
        return [Fault(f"a {kind} needs as many values as times{more}", "signal.values", got=got)]
    for i, (last, time) in enumerate(itertools.pairwise(times), start=1):
        if time <= last:
            expected = f"more than {last:g} s"
            return [Fault(f"times of a {kind} must ascend", f"signal.times[{i}]", got=time, expected=expected)]
    return []


def signal_from(value: Any, path: str = "signal") -> Signal:
    """A signal from what users write: a signal, a number, or a mapping with ``kind``.

    Raises:
        InputError: unknown kind, unknown or missing field, values out of range.
    """
    if isinstance(value, Signal):
        return value
    if isinstance(value, int | float | np.floating | np.integer) and not isinstance(value, bool):
        return SignalConstant(float(value))
    if not isinstance(value, Mapping):
        expected = "a number, or a mapping such as {kind: harmonic, amplitude: 1, frequency: 2}"
        raise InputError("unreadable signal", path=path, got=value, expected=expected)
    given = dict(value)
    kind = str(given.pop("kind", "")).replace("_", "-")
    if kind not in SIGNAL_KINDS:
        known, nearest = "one of " + ", ".join(SIGNAL_KINDS), nearest_name(kind, list(SIGNAL_KINDS))
        raise InputError("unknown kind of signal", path=f"{path}.kind", got=kind, expected=known, nearest=nearest)
    cls = SIGNAL_KINDS[kind]
    fields = {item.name: item for item in dataclasses.fields(cls)}
    known = "one of " + ", ".join(fields)
    faults = [
        Fault("unknown field", f"{path}.{key}", expected=known, nearest=nearest_name(key, [*fields]))
        for key in given
        if key not in fields
    ]
    for name, item in fields.items():
        if item.default is dataclasses.MISSING and name not in given:
            faults.append(Fault(f"'{name}' is missing", path, expected=item.metadata["meaning"]))
    if faults:
        raise InputError(faults)
    return cls(**given)


def varying(unit: str, meaning: str, default: Any = dataclasses.MISSING) -> Any:
    """Declare a parameter of a part that is a number or a signal."""
    return quantity(unit, meaning, default, read=signal_from)


def pack_signal(signal: Any) -> list[float]:
    """Numbers of a signal (or number, or mapping) for the data pool; :func:`signal_at` reads them."""
    terms = signal_from(signal).terms()
    packed = [float(len(terms))]
    for code, numbers in terms:
        packed += [float(code), float(len(numbers)), *(float(number) for number in numbers)]
    return packed


def three_point_slopes(t: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Slope at every point of the parabola through it and its neighbours (at the ends: the nearest such parabola)."""
    h = np.diff(t)
    chord = np.diff(s) / h
    if t.size == 2:
        return np.array([chord[0], chord[0]])
    inner = (h[1:] * chord[:-1] + h[:-1] * chord[1:]) / (h[:-1] + h[1:])
    return np.array([2.0 * chord[0] - inner[0], *inner, 2.0 * chord[-1] - inner[-1]])


def smooth_table(t: np.ndarray, s: np.ndarray, degree: int) -> Term:
    """Spline through points, smooth up to the derivative ``degree`` - 1, as a term; of lower degree for few points."""
    from scipy.interpolate import CubicSpline, make_interp_spline

    if degree == 5 and t.size >= 6:
        spline = make_interp_spline(t, s, k=5)
        return Form.TABLE_QUINTIC, [*t, *s, *spline(t, 1), *spline(t, 2)]
    slopes = CubicSpline(t, s)(t, 1) if t.size > 2 else three_point_slopes(t, s)
    return Form.TABLE_CUBIC, [*t, *s, *slopes]


@step_kernel(signature=types.vector(types.floats1, types.int64, types.float64))
def signal_at(data, offset, time):
    """Value, rate and acceleration of the packed signal that begins at ``data[offset]``."""
    value = 0.0
    rate = 0.0
    acceleration = 0.0
    terms = int(data[offset])
    place = offset + 1
    for _ in range(terms):
        code = int(data[place])
        count = int(data[place + 1])
        first = place + 2
        place = first + count
        if code == Form.CONSTANT:
            value += data[first]
        elif code == Form.POLYNOMIAL:
            p = 0.0
            d = 0.0
            e = 0.0
            for back in range(count):  # Horner's scheme for value, rate and half the acceleration
                e = e * time + d
                d = d * time + p
                p = p * time + data[first + count - 1 - back]
            value += p
            rate += d
            acceleration += 2.0 * e
        elif code == Form.HARMONIC:
            omega = data[first + 1]
            s = data[first] * math.sin(omega * time + data[first + 2])
            value += data[first + 3] + s
            rate += data[first] * omega * math.cos(omega * time + data[first + 2])
            acceleration -= omega * omega * s
        elif code == Form.SMOOTH_STEP:
            span = data[first + 1] - data[first]
            rise = data[first + 3] - data[first + 2]
            x = (time - data[first]) / span
            if x <= 0.0:
                value += data[first + 2]
            elif x >= 1.0:
                value += data[first + 3]
            else:  # (3)
                value += data[first + 2] + rise * x * x * x * (10.0 - x * (15.0 - 6.0 * x))
                rate += rise / span * 30.0 * x * x * (1.0 - x) * (1.0 - x)
                acceleration += rise / (span * span) * 60.0 * x * (1.0 - x) * (1.0 - 2.0 * x)
        elif code == Form.STAIRCASE:
            steps = (count - 1) // 2
            held = data[first]
            for k in range(steps):
                if time < data[first + 1 + k]:
                    break
                held = data[first + 1 + steps + k]
            value += held
        else:
            columns = 3
            if code == Form.TABLE_LINEAR:
                columns = 2
            elif code == Form.TABLE_QUINTIC:
                columns = 4
            s0, s1, s2 = table_at(data, first, count // columns, code, time)
            value += s0
            rate += s1
            acceleration += s2
    return value, rate, acceleration


@step_kernel
def table_at(data, first, n, code, time):
    """Table of n points, (4) or (5): times, values, then slopes and (quintic) second derivatives."""
    if time < data[first]:
        return data[first + n], 0.0, 0.0
    if time > data[first + n - 1]:
        return data[first + 2 * n - 1], 0.0, 0.0
    low = 0
    high = n - 1
    while high - low > 1:
        middle = (low + high) // 2
        if data[first + middle] <= time:
            low = middle
        else:
            high = middle
    h = data[first + low + 1] - data[first + low]
    x = (time - data[first + low]) / h
    start = data[first + n + low]
    change = data[first + n + low + 1] - start
    if code == Form.TABLE_LINEAR:
        return start + x * change, change / h, 0.0
    m0 = h * data[first + 2 * n + low]
    m1 = h * data[first + 2 * n + low + 1]
    if code == Form.TABLE_QUINTIC:  # (5), its coefficients by value, slope and second derivative of both ends
        k0 = 0.5 * h * h * data[first + 3 * n + low]
        k1 = 0.5 * h * h * data[first + 3 * n + low + 1]
        c3 = 10.0 * change - 6.0 * m0 - 4.0 * m1 - 3.0 * k0 + k1
        c4 = -15.0 * change + 8.0 * m0 + 7.0 * m1 + 3.0 * k0 - 2.0 * k1
        c5 = 6.0 * change - 3.0 * (m0 + m1) - k0 + k1
        return (
            start + x * (m0 + x * (k0 + x * (c3 + x * (c4 + x * c5)))),
            (m0 + x * (2.0 * k0 + x * (3.0 * c3 + x * (4.0 * c4 + x * 5.0 * c5)))) / h,
            (2.0 * k0 + x * (6.0 * c3 + x * (12.0 * c4 + x * 20.0 * c5))) / (h * h),
        )
    c2 = 3.0 * change - 2.0 * m0 - m1
    c3 = m0 + m1 - 2.0 * change
    return (
        start + x * (m0 + x * (c2 + x * c3)),
        (m0 + x * (2.0 * c2 + 3.0 * x * c3)) / h,
        (2.0 * c2 + 6.0 * x * c3) / (h * h),
    )
