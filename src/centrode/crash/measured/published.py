"""Measured crashes that Centrode reaches (``centrode verify measured``); what fails stands in docs/theory/crush.md."""

from __future__ import annotations

import functools

import numpy as np

from centrode.crash.measured.crashes import (
    CAMRY_SPEED,
    CAMRY_VELOCITY,
    OBLIQUE,
    SMALL_OVERLAP,
    barrier,
    delta_v,
    left_on_left,
    oblique,
    sensed,
    small_overlap_errors,
    yaw_change,
)
from centrode.published import Check

_CAMRY = "NHTSA 10146, 2018 Toyota Camry, rigid barrier, 57.1 km/h"
_OBLIQUE = "NHTSA {}, SAE 2006-01-0908, fitted planar solution"
_TAURUS = "NHTSA 7292, 2007 Ford Taurus into a standing one, 113 km/h, door sills at 150 ms"
_FITTED = "calibrated by this test: rms of v(t) [m/s], crush [m], its time [s], rebound [m/s]"
_SMALL = "ten small-overlap tests at 64 km/h, published tables"


def camry(figure: str) -> float:
    """A figure of the barrier test: rms of v(t) [m/s], crush [m], its time [s], rebound [m/s]."""
    run = barrier()
    touch = 0.014 / CAMRY_SPEED
    way = run["car.position"][:, 0] - run["car.position"][0, 0] - 0.014
    if figure == "rms":
        times = 0.01 * np.arange(len(CAMRY_VELOCITY)) + touch
        speeds = np.interp(times, run.time, run["car.velocity"][:, 0])
        return float(np.sqrt(np.mean((speeds - CAMRY_VELOCITY) ** 2)))
    if figure == "crush":
        return float(way.max())
    if figure == "time":
        return float(run.time[way.argmax()] - touch)
    return float(-run["car.velocity"][-1, 0])


def small(column: int) -> float:
    """Root mean square of the errors of the small overlaps in one column [1]."""
    return float(np.sqrt(np.mean(small_overlap_errors()[:, column] ** 2)))


def checks() -> list[Check]:
    """All measured crashes."""
    found = [
        Check(f"measured.camry.{name}", _CAMRY, value, limit, functools.partial(camry, name), relative, _FITTED)
        for name, value, limit, relative in (
            ("rms", 0.0, 0.4, False),
            ("crush", 0.740, 0.03, True),
            ("time", 0.073, 0.004, False),
            ("rebound", 2.5, 0.4, False),
        )
    ]
    for name, test in OBLIQUE.items():
        for k in (0, 1):
            reached = functools.partial(_oblique_delta_v, name, f"car{k + 1}")
            label, source = f"measured.{name}.delta_v_{k + 1}", _OBLIQUE.format(name)
            found.append(Check(label, source, test.delta_v[k], 0.06, reached, True, "m/s; not calibrated"))
            turned = functools.partial(_oblique_yaw, name, f"car{k + 1}")
            label, text = f"measured.{name}.yaw_{k + 1}", "change of yaw rate, deg/s; fenders were found with it"
            found.append(Check(label, source, test.yaw[k], 0.35, turned, True, text))
    for car, value in (("bullet", 14.2), ("target", 13.3)):
        reached = functools.partial(_taurus, car)
        text = "m/s; overlap of 20 % assumed; beam and strength across chosen with it"
        found.append(Check(f"measured.7292.{car}", _TAURUS, value, 0.15, reached, True, text))
    for column, label, limit in ((0, "along", 0.12), (1, "across", 0.30), (2, "yaw", 0.30)):
        text = f"rms of {len(SMALL_OVERLAP)} tests; beam and strength across chosen with them"
        reached = functools.partial(small, column)
        found.append(Check(f"measured.small_overlap.{label}", _SMALL, 0.0, limit, reached, False, text))
    return found


def _oblique_delta_v(name: str, car: str) -> float:
    return delta_v(oblique(name), car)


def _oblique_yaw(name: str, car: str) -> float:
    return yaw_change(oblique(name), car)


def _taurus(car: str) -> float:
    return -sensed(left_on_left(), car)[0]
