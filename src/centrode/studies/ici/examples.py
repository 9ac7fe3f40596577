"""Ready scenarios with varying rates, for orders, figures and documentation."""

from __future__ import annotations

import numpy as np

from centrode.studies.ici.rates import RatesFunction
from centrode.studies.ici.scenario import IciScenario


def varying_turn() -> IciScenario:
    """Ten seconds of a car that speeds up, slows down, slides a little and swings from left to right.

    Speed 20 + 5 sin t m/s, sideways cos 2t m/s, yaw rate 0.4 + 1.5 sin 0.7 t rad/s: smooth, with two changes of sign of
    the yaw rate.
    """
    return IciScenario(
        RatesFunction(
            lambda t: 20.0 + 5.0 * np.sin(t), lambda t: np.cos(2.0 * t), lambda t: 0.4 + 1.5 * np.sin(0.7 * t)
        ),
        end_time=10.0,
        name="varying turn",
    )
