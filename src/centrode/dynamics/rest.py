"""When a run that goes on until rest is at its end.

Looked at are the bodies that stand on a carriage or can touch others (they carry an outline). All of them must have
been slower than 0.02 m/s and 0.02 rad/s in all frames of 0.2 s at least. A deformable body turns with its directors: a
spin w moves the three of them by w sqrt(2) together, and its strain rate counts like a spin.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from centrode.dynamics.workspace import Workspace
from centrode.errors import InputError
from centrode.parts.part import Part
from centrode.system.builder import System
from centrode.system.model import Model

SLOW, SLOW_SPIN, STILL_FOR = 0.02, 0.02, 0.2
"""[m/s], [rad/s], [s]"""


def has_tyres(part: Part) -> bool:
    """Whether a force part is a carriage of any kind, also of a plugin: it names tyres."""
    return any(field.metadata.get("refers_to") == "tyre" for field in dataclasses.fields(part))


class RestWatch:
    """Looks whether everything has come to rest.

    Attributes:
        since: time of the first frame of the present rest [s]; infinite while something moves.
        found: whether the rest has lasted.

    Raises:
        InputError: there is nothing that friction could bring to rest.
    """

    def __init__(self, system: System, model: Model) -> None:
        self.since, self.found = math.inf, False
        carriages = [part for part in system.of_family("force") if has_tyres(part)]
        names = {part.values_of("body")["body"] for part in (*carriages, *system.of_family("outline"))}
        self.rows = [k for k, name in enumerate(model.body_names[1:]) if name in names]
        self.names = [model.body_names[1 + k] for k in self.rows]
        soft = [bool(model.body_parts[k].elasticity()) for k in self.rows]
        self.directors = np.where(soft, math.sqrt(2.0), 1.0)
        if not self.rows:
            expected = "a carriage or an outline on a body, or until: duration"
            raise InputError("no body that comes to rest on a road or in contact", path="run.until", expected=expected)

    def _speeds(self, velocity: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        looked_at = velocity[..., self.rows, :]
        turning = np.linalg.norm(looked_at[..., 3:], axis=-1) / self.directors
        return np.linalg.norm(looked_at[..., :3], axis=-1), turning

    def earliest(self, next_frame: float) -> float:
        """When the rest can have lasted at the earliest [s]: until then frames are computed together."""
        return min(self.since, next_frame) + STILL_FOR * (1.0 - 1e-9)

    def at_rest(self, times: np.ndarray, velocity: np.ndarray) -> bool:
        """Whether the rest has lasted, after frames of these times [s] with velocities (frames, bodies, width)."""
        speed, turning = self._speeds(velocity)
        still = (speed.max(axis=1) < SLOW) & (turning.max(axis=1) < SLOW_SPIN)
        for time, stands in zip(times, still, strict=True):
            self.since = min(self.since, float(time)) if stands else math.inf
            self.found = bool(time - self.since >= STILL_FOR * (1.0 - 1e-9))
        return self.found

    def moving(self, workspace: Workspace) -> str:
        """The fastest body, in words."""
        speed, turning = self._speeds(workspace["velocity"])
        k = int(np.argmax(speed + turning))
        return f"'{self.names[k]}' has {speed[k]:.3g} m/s and {turning[k]:.3g} rad/s"
