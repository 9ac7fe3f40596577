"""The path of one vehicle: integrate a scenario with a method, keep every n-th frame, and find the centrodes.

The instantaneous centre of rotation draws two curves: the space centrode in the world and the body centrode in the
vehicle; the motion is the rolling of the second on the first. Both come with the path, together with the signed
radius V/omega. Where the yaw rate is zero the centre is at infinity (NaN).

Memory holds the kept frames and one block of rates: it does not grow with the number of steps.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from centrode.errors import InputError, RunError, RunStop
from centrode.studies.ici.march import march_plane
from centrode.studies.ici.methods import IciMethod, method_named
from centrode.studies.ici.scenario import IciScenario, steps_for

_BLOCK = 8192
"""Steps whose rates are sampled at once."""


@dataclass(frozen=True)
class IciPath:
    """Frames of a planar run; all arrays have one entry per kept frame.

    Attributes:
        method: how it was integrated.
        time: [s].
        x, y: position, world [m].
        ux, uy: heading, world.
        vx, vy: velocity along and left of the heading [m/s].
        omega: yaw rate, positive to the left [rad/s].
        dt: step [s].
        steps: number of steps taken.
    """

    method: IciMethod
    time: np.ndarray
    x: np.ndarray
    y: np.ndarray
    ux: np.ndarray
    uy: np.ndarray
    vx: np.ndarray
    vy: np.ndarray
    omega: np.ndarray
    dt: float
    steps: int

    @property
    def radius(self) -> np.ndarray:
        """Signed radius of curvature V/omega [m], positive to the left; infinite on a straight."""
        with np.errstate(divide="ignore"):
            return np.where(self.omega == 0.0, np.inf, np.hypot(self.vx, self.vy) / self.omega)

    @property
    def body_centrode(self) -> tuple[np.ndarray, np.ndarray]:
        """Instantaneous centre in the vehicle's axes, forward and left [m]; NaN where omega is zero."""
        omega = np.where(self.omega == 0.0, np.nan, self.omega)
        return -self.vy / omega, self.vx / omega

    @property
    def space_centrode(self) -> tuple[np.ndarray, np.ndarray]:
        """Instantaneous centre in the world [m]; NaN where omega is zero."""
        forward, left = self.body_centrode
        return self.x + forward * self.ux - left * self.uy, self.y + forward * self.uy + left * self.ux

    def write_csv(self, path: str | Path) -> None:
        """All frames with centrodes as CSV; NaN where a centre does not exist."""
        columns = {name: vars(self)[name] for name in ("time", "x", "y", "ux", "uy", "vx", "vy", "omega")}
        columns["radius"] = self.radius
        columns["space_centrode_x"], columns["space_centrode_y"] = self.space_centrode
        columns["body_centrode_x"], columns["body_centrode_y"] = self.body_centrode
        with Path(path).open("w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream)
            writer.writerow(columns)
            for row in zip(*columns.values(), strict=True):
                writer.writerow([repr(float(value)) for value in row])


def integrate(
    scenario: IciScenario,
    method: str | IciMethod = "ici-exact",
    dt: float | None = None,
    steps: int | None = None,
    keep_every: int = 1,
    rates: str = "start",
    renormalise: bool = False,
) -> IciPath:
    """Integrate a scenario from start to end in equal steps.

    Args:
        scenario: start pose and rates.
        method: name or method.
        dt: longest step [s]; steps are shortened so that whole steps fill the time. Or
        steps: number of steps.
        keep_every: keep every n-th frame; the first and the last are always kept.
        rates: "start" or "midpoint" (see methods).
        renormalise: scale the heading to length 1 after every step.
    """
    chosen = method_named(method, rates, renormalise)
    if (dt is None) == (steps is None):
        raise InputError("give either dt or steps", path="dt", got=(dt, steps))
    if steps is None:
        steps = steps_for(scenario, float(dt))  # type: ignore[arg-type]
    elif steps < 1:
        raise InputError("number of steps must be positive", path="steps", got=steps)
    if keep_every < 1:
        raise InputError("keep_every must be 1 or more", path="keep_every", got=keep_every)
    step = scenario.duration / steps
    kept = np.unique(np.append(np.arange(0, steps + 1, keep_every), steps))
    frames = np.empty((kept.size, 4))
    state, nodes, row = scenario.start_state, np.array(chosen.nodes), 1
    frames[0] = state
    with np.errstate(over="ignore", invalid="ignore"):
        for first in range(0, steps, _BLOCK):
            count = min(_BLOCK, steps - first)
            starts = scenario.start_time + step * np.arange(first, first + count)
            times = (starts[:, None] + step * nodes).ravel()
            # n dt may pass the end by a rounding error, and tables end there.
            np.minimum(times, scenario.end_time, out=times)
            samples = np.array(scenario.rates.sample(times), order="C").reshape(count, nodes.size, 3)
            how = chosen.code, chosen.renormalise
            row = march_plane(*how, state, samples, step, first, keep_every, steps, frames, row)
    if not np.isfinite(state).all():
        hint = "use smaller steps or 'ici-exact'"
        raise RunError(RunStop("the pose is no longer finite", scenario.end_time, chosen.name, hint))
    time = scenario.start_time + step * kept
    time[-1] = scenario.end_time
    x, y, ux, uy = frames.T.copy()
    vx, vy, omega = np.array(scenario.rates.sample(time)).T.copy()
    return IciPath(chosen, time, x, y, ux, uy, vx, vy, omega, step, steps)
