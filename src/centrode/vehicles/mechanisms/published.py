"""Published and independently solved numbers of mechanisms that Centrode reaches (``centrode verify mechanism``).

The IFToMM library of computational benchmark problems defines A01 to A05; its reference for the squeezer is printed by
Hairer and Wanner. The other references are closed forms (elliptic functions, steady precession) or solutions in minimal
coordinates by another program, kept in tests/verification/test_mechanism_benchmarks.py.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from functools import partial

import numpy as np

from centrode.published import Check, table_checks
from centrode.running import simulate
from centrode.vehicles.mechanisms.bricard import bricard
from centrode.vehicles.mechanisms.four_bars import four_bars
from centrode.vehicles.mechanisms.governor import governor
from centrode.vehicles.mechanisms.pendulum import pendulum
from centrode.vehicles.mechanisms.squeezer import START, squeezer
from centrode.vehicles.mechanisms.top import free_body, heavy_top, precession

_LIBRARY = "IFToMM library of computational benchmark problems"
_MINIMAL = "solution in minimal coordinates"

A01_END = (-0.27508746257720107, -0.9614192050988148)
A02_END = {1: (0.4783850577540066, 0.878150178795003), 10: (0.20435356098281773, 0.9788971458297556)}
A03_PUBLISHED = (15.81077119629904, 0.04082224013073101)
A04_POINT = (0.5105014611877626, -1.649167599394611, 0.14012311455350823)
A05_SLIDER = {1.0: 0.5014209223795008, 5.0: 0.5355631037215994}
A05_ALPHA = 0.5218333016256378
SPIN_OMEGA = (0.01271487063165524, 4.999993833202644, 0.010979798649637119)


@functools.cache
def _pendulum_end() -> np.ndarray:
    return simulate(pendulum(), duration=10.0, tolerance=1e-12, frames=10.0)["bob.position"][-1]


@functools.cache
def _four_bars_end(windows: int, tolerance: float) -> np.ndarray:
    run = simulate(four_bars(windows), duration=10.0, tolerance=tolerance, frames=10.0)
    return 2.0 * run["post0.position"][-1]


@functools.cache
def _squeezer_angles() -> dict[str, float]:
    run = simulate(squeezer(), duration=0.03, tolerance=1e-12, frames=0.03)
    return {
        name: START[name] + float(run[f"{body}.angle"][-1]) for name, body in (("beta", "body1"), ("gamma", "body3"))
    }


@functools.cache
def _bricard_point() -> np.ndarray:
    return simulate(bricard(), duration=1.0, tolerance=1e-12, frames=1.0)["point3.position"][-1]


@functools.cache
def _bricard_statistics() -> dict[str, float]:
    return dict(simulate(bricard(), duration=0.1, frames=0.1).statistics.more)


@functools.cache
def _governor() -> tuple[np.ndarray, np.ndarray]:
    """Height of the slider and angle of the arms at 0, 1, .. 5 s."""
    run = simulate(governor(), duration=5.0, tolerance=1e-8, frames=1.0)
    return run["slider.position"][:, 2], math.radians(30.0) - run["right-hinge.angle"]


@functools.cache
def _free_body_end() -> np.ndarray:
    return simulate(free_body(), duration=10.0, tolerance=1e-13, frames=10.0)["body.omega"][-1]


def _entry(vector: Callable[[], np.ndarray], axis: str) -> float:
    return float(vector()["xyz".index(axis)])


def _top_precession(name: str) -> float:
    """Slow or fast precession [rad/s] of the heavy top, from the azimuth of its axis after a tenth of a second."""
    rate = precession(0.02, 0.01, 0.5, 40.0, math.radians(30.0))[name.startswith("fast")]
    run = simulate(heavy_top(rate=rate), duration=0.1, tolerance=1e-12, frames=0.1)
    w, x, y, z = run["top.orientation"][-1]
    axis = (2.0 * (x * z + w * y), 2.0 * (y * z - w * x))
    start = -math.pi / 2.0  # leaning about +x takes the axis to -y
    return ((math.atan2(axis[1], axis[0]) - start) % (2.0 * math.pi)) / 0.1


def _slider(name: str) -> float:
    return float(_governor()[0][int(name.removeprefix("slider-")[:-1])])


def checks() -> list[Check]:
    """All checks of the topic."""
    windows = f"{_LIBRARY}, A02; theta'' = -g k cos theta"
    one, ten = (partial(_four_bars_end, 1, 1e-10), partial(_four_bars_end, 10, 1e-8))
    singular = "after 10 s and three singular positions, which limit the digits"
    tenfold = "after 10 s; tighter tolerances do not help through a tenfold singular position"
    poinsot = "Euler-Poinsot motion, elliptic functions"
    found = []
    vectors: tuple[tuple[str, str, tuple[float, ...], float, Callable[[], np.ndarray], str], ...] = (
        ("a01.pendulum", f"{_LIBRARY}, A01; elliptic functions", A01_END, 1e-10, _pendulum_end, "after 10 s"),
        ("a02.one-window", windows, A02_END[1], 1e-8, one, singular),
        ("a02.ten-windows", windows, A02_END[10], 1e-6, ten, tenfold),
        ("a04.bricard", f"{_LIBRARY}, A04; {_MINIMAL}", A04_POINT, 1e-10, _bricard_point, "point 3 after 1 s"),
        ("spin", poinsot, SPIN_OMEGA, 1e-10, _free_body_end, "body rates after 10 s"),
    )
    for name, source, values, tolerance, vector, note in vectors:
        entries = dict(zip("xyz", values, strict=False))
        compute = partial(_entry, vector)
        found += table_checks(f"mechanism.{name}", source, entries, tolerance, compute, note=note)
    book = f"{_LIBRARY}, A03; Hairer, Wanner, Solving Ordinary Differential Equations II, VII.7"
    digits = "the printed digits are good to 1.2e-9: two solutions of other kinds agree on 1e-11 below them"
    angles = dict(zip(("beta", "gamma"), A03_PUBLISHED, strict=True))
    a03 = "mechanism.a03.squeezer"
    found += table_checks(a03, book, angles, 1.5e-9, lambda name: _squeezer_angles()[name], note=digits)
    a05, governor_source = "mechanism.a05.governor", f"{_LIBRARY}, A05; {_MINIMAL}"
    sliders = {f"slider-{time:g}s": height for time, height in A05_SLIDER.items()}
    found += table_checks(a05, governor_source, sliders, 1e-10, _slider, note="height of the slider [m]")
    tops = {"slow-precession": 1.326153175, "fast-precession": 21.767857593}
    goldstein = "Goldstein, Classical Mechanics, 5.7: steady precession"
    azimuth = "nine digits of the closed form [rad/s]; the azimuth after 0.1 s is ten times as sensitive"
    found += table_checks("mechanism.heavy-top", goldstein, tops, 5e-10 * 10.0, _top_precession, note=azimuth)
    below, flores = "angle of the arms below the horizontal [rad]", "P. Flores et al., benchmark A04"
    rank = f"{flores}: thirty rows of rank twenty-nine"
    return [
        *found,
        Check(f"{a05}.alpha-1s", governor_source, A05_ALPHA, 1e-10, lambda: float(_governor()[1][1]), note=below),
        Check("mechanism.a04.redundant-rows", rank, 1.0, 0.0, lambda: _bricard_statistics()["redundant_rows"]),
    ]
