"""The program of 1999 repeated by the engine: whole runs channel by channel.

Runs: method predictor-corrector (1.52) at 5e-5 s from the listed equilibrium. Tolerance: 1e-6 of the largest |value| of
each channel in a run; a pointwise relative test would fail at zero crossings. The steering of the evading run switches
at given step indices, because the program compared an accumulated time; so the steps of the staircase lie half a step
before them.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import centrode as ct
from centrode.parts.signals.signal import SignalStaircase
from centrode.running import Session
from centrode.system.settings import RunSettings
from centrode.vehicles.car.medusa import CarMedusa
from centrode.vehicles.platoon import add_legacy, read_legacy

DATA = Path(__file__).parent / "data"
STEP = 5e-5
SWITCHES = (6001, 10001, 14001, 17001, 22000, 25000, 29000, 32000)
ANGLES_DEG = (3.0, 9.0, 3.0, 0.0, -3.0, -7.0, -3.0, 0.0)


def engine_run(example: str, times: np.ndarray, steering: SignalStaircase | None = None) -> np.ndarray:
    """States (frames, vehicles, 28) of an example without contact."""
    system = ct.System()
    models, platoon, road = read_legacy(DATA / "medusa_inputs" / example)
    add_legacy(system, models, platoon, road)
    if steering is not None:
        carriage = system.parts["car1.carriage"]
        system.replace(dataclasses.replace(carriage, steer=steering))
    settings = RunSettings(duration=float(times[-1]), method="predictor-corrector", step=STEP, audit=False)
    session = Session(system, settings)
    frames, outcome = session.advance(times)
    assert outcome == 0
    count = len(platoon.vehicles)
    values = frames[:, 1 : 1 + 28 * count]
    pose = values[:, : 12 * count].reshape(-1, count, 12)
    velocity = values[:, 12 * count : 24 * count].reshape(-1, count, 12)
    lags = values[:, 24 * count :].reshape(-1, count, 4)
    return np.concatenate([pose, velocity, lags], axis=2)


def reference(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Times and states (frames, vehicles, 28) of the original."""
    rows = np.genfromtxt(DATA / f"medusa_run_{name}.csv", delimiter=",", skip_header=1)
    count = int(rows[:, 1].max())
    return rows[::count, 0], rows[:, 2:30].reshape(-1, count, 28)


def evading_steering() -> SignalStaircase:
    times = tuple((index - 0.5) * STEP for index in SWITCHES)
    return SignalStaircase(times, tuple(np.radians(ANGLES_DEG)))


@pytest.mark.parametrize(
    ("example", "name", "steered"),
    [
        ("banked", "banked", False),
        ("offset", "offset_before_impact", False),
        ("merging", "merging_before_impact", False),
        ("evading", "evading", True),
    ],
)
def test_runs_of_the_original_channel_by_channel(example, name, steered):
    times, wanted = reference(name)
    got = engine_run(example, times[1:], evading_steering() if steered else None)
    largest = np.abs(wanted).max(axis=(0, 1))
    for channel in range(28):
        error = np.abs(got[:, :, channel] - wanted[1:, :, channel]).max()
        assert error <= 1e-6 * largest[channel] if largest[channel] else error < 1e-12, (channel, error)


def test_listed_start_is_the_report_s_and_true_start_is_at_rest():
    """Listed pitch -0.0748; the springs of model 1 give -0.01383 and a height of 0.0503962 m."""
    listed, true = ct.System(), ct.System()
    listed.add(CarMedusa("car", equilibrium="listed"))
    true.add(CarMedusa("car"))
    first, second = listed.parts["car.body"], true.parts["car.body"]
    assert first.directors[2][0] == -0.0748
    assert second.directors[2][0] == pytest.approx(-0.01383, abs=5e-6)
    assert second.position[2] == pytest.approx(0.0503962, abs=5e-7)
    session = Session(true, RunSettings(duration=1.0, method="predictor-corrector", audit=False))
    session.workspace.evaluate(0.0)
    assert np.abs(session.workspace["acceleration"]).max() < 1e-6
