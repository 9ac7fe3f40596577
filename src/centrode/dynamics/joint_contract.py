"""The contract of a joint, checked on random states: rows that are what they say they are.

Bodies a and b are set near their start at random and drift with constant velocities, so that the exact motion is known:

- position rows: the difference of phi over time is J v + nu (not for nonholonomic rows, whose phi is zero);
- velocity rows: the difference of J v + nu over time is gamma, with the convective accelerations of the markers;
- action and reaction: what a row pushes on b it takes from a;
- several joints in one call give the rows that each gives alone; machine code and Python give the same numbers.

A wrong sign, a forgotten term of gamma or a Jacobian of another joint shows in the first two whatever the joint is.
"""

from __future__ import annotations

import numpy as np

from centrode.dynamics.examples import Finding, Values, example_system, not_applying
from centrode.dynamics.workspace import Workspace
from centrode.jit import JIT_ON
from centrode.math.vector import turned
from centrode.parts.joints.joint import Joint
from centrode.parts.joints.rows import GAMMA, NU, PHI
from centrode.parts.kernel_types import ANGULAR_CONVECTIVE, CONVECTIVE, JOINT_POINTS, JOINT_ROWS, VELOCITY
from centrode.system.model import build_model

ROW_LIMIT = 1e-6
"""Central difference over 1e-5 s: round-off 1e-16 / 1e-5 = 1e-11, truncation 1e-10 / 6 times third derivatives (some
1e2 at these speeds), relative to the size of the row; a wrong term is of order one."""
SAME = 1e-12
"""Two ways to compute the same row: round-off."""
STEP = 1e-5
NEAR = 0.2
"""Poses lie this far from the start, in metres and radians."""


class JointBench:
    """Two equal joints between bodies a and b, at states set at will."""

    def __init__(self, kind: type[Joint], values: Values, plane: bool, seed: int) -> None:
        system = example_system(kind, values, plane, names=("first", "second"))
        self.plane = plane
        self.workspace = Workspace(build_model(system))
        self.joint = self.workspace.model.joints[0]
        self.random = np.random.default_rng(seed)
        w = self.workspace
        self.start, self.memory = w["pose"].copy(), w["joint_memory"].copy()
        self.kernel = kind.plane_kernel if plane else kind.spatial_kernel  # an instance would bind it
        w["row_active"][:] = 1.0

    def randomise(self) -> tuple[np.ndarray, float]:
        """New poses near the start and velocities of order one, and a time."""
        w = self.workspace
        w["velocity"][:] = self.random.normal(size=w["velocity"].shape)
        shift = NEAR * self.random.uniform(-1.0, 1.0, size=w["velocity"].shape)
        return self.moved(self.start, shift, 1.0), float(self.random.uniform(0.0, 3.0))

    def moved(self, pose: np.ndarray, velocity: np.ndarray, h: float) -> np.ndarray:
        """Poses after h [s] at constant velocities."""
        found = pose.copy()
        if self.plane:
            return found + h * velocity
        found[:, :3] += h * velocity[:, :3]
        for k, row in enumerate(found):
            row[3:7] = turned(tuple(row[3:7].tolist()), tuple((h * velocity[k, 3:6]).tolist()))
        return found

    def rows_at(self, pose: np.ndarray, time: float, which: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """phi, J v + nu, and gamma with the convective accelerations, of the rows of one joint."""
        w = self.workspace
        w["pose"][:] = pose
        w["joint_memory"][:] = self.memory
        w.evaluate(time)
        link, markers = w["joint_link"][which], w["markers"]
        rows = int(link[JOINT_ROWS])
        terms = w["terms"][which, :rows]
        speed, bias = terms[:, NU].copy(), terms[:, GAMMA].copy()
        for side in range(w.model.joint_sides):
            jacobian, marker = w["jacobian"][which, side, :rows], markers[link[side]]
            speed += jacobian @ marker[VELOCITY : VELOCITY + 6]
            bias += jacobian @ np.concatenate(
                [marker[CONVECTIVE : CONVECTIVE + 3], marker[ANGULAR_CONVECTIVE : ANGULAR_CONVECTIVE + 3]]
            )
        return terms[:, PHI].copy(), speed, bias

    def differences(self) -> tuple[float, float, float]:
        """Errors at a random state: of J v + nu against phi, of gamma against J v + nu, phi that should be zero."""
        pose, time = self.randomise()
        velocity = self.workspace["velocity"].copy()
        ahead = self.rows_at(self.moved(pose, velocity, STEP), time + STEP)
        behind = self.rows_at(self.moved(pose, velocity, -STEP), time - STEP)
        _, speed, bias = self.rows_at(pose, time)
        size = 1.0 + float(np.abs(bias).max()) + float(np.abs(speed).max())
        free = list(self.joint.nonholonomic_rows)
        first = np.delete((ahead[0] - behind[0]) / (2.0 * STEP) - speed, free)
        second = (ahead[1] - behind[1]) / (2.0 * STEP) - bias
        residual = float(np.abs(ahead[0][free]).max(initial=0.0))
        return float(np.abs(first).max(initial=0.0)) / size, float(np.abs(second).max()) / size, residual

    def reaction_left(self) -> float:
        """What the forces of a row on both bodies leave over, relative to their size."""
        pose, time = self.randomise()
        self.rows_at(pose, time)
        push = self.workspace["jacobian"][0, :, :, :3]
        return float(np.abs(push.sum(axis=0)).max() / max(1.0, np.abs(push).max()))

    def points_off(self) -> float:
        """How far the parts of all rows along velocities are from those of points that coincide; 0 for other kinds."""
        w = self.workspace
        if not w["joint_link"][0, JOINT_POINTS]:
            return 0.0
        pose, time = self.randomise()
        self.rows_at(pose, time)
        points = np.zeros(w["jacobian"][0, :, :, :3].shape)
        for r in range(2 if self.plane else 3):
            points[0, r, r], points[1, r, r] = 1.0, -1.0
        turning = w["jacobian"][0, :, : 2 if self.plane else 3, 3:]
        return float(max(np.abs(w["jacobian"][0, :, :, :3] - points).max(), np.abs(turning).max()))

    def twin_difference(self) -> float:
        """Rows of the second joint against those of the first, which is equal."""
        pose, time = self.randomise()
        one, two = self.rows_at(pose, time, 0), self.rows_at(pose, time, 1)
        return max(float(np.abs(a - b).max()) for a, b in zip(one, two, strict=True))

    def rows_off(self) -> tuple[int, int]:
        """Rows that the kernel writes beyond those that the kind declares, and declared ones that it leaves out."""
        pose, time = self.randomise()
        self.rows_at(pose, time)
        w = self.workspace
        rows = int(w["joint_link"][0, JOINT_ROWS])
        room = 6 + rows
        jacobian, terms = np.full((2, w.model.joint_sides, room, 6), np.nan), np.full((2, room, 3), np.nan)
        tables = [w[name] for name in ("joint_par", "joint_link", "data", "inputs")]
        self.kernel(time, 0, 2, *tables, self.memory.copy(), w["markers"], jacobian, terms)
        written = ~np.isnan(terms[0]).all(axis=1) | ~np.isnan(jacobian[0]).all(axis=(0, 2))
        return int(written[rows:].sum()), int((~written[:rows]).sum())

    def python_difference(self) -> float:
        """Rows of the kernel as Python against those of the machine code, relative to their size."""
        pose, time = self.randomise()
        self.rows_at(pose, time)
        w = self.workspace
        tables = [w[name] for name in ("joint_par", "joint_link", "data", "inputs")]
        found = []
        for kernel in (self.kernel, self.kernel.py_func):
            jacobian, terms = np.zeros_like(w["jacobian"]), np.zeros_like(w["terms"])
            kernel(time, 0, 2, *tables, self.memory.copy(), w["markers"], jacobian, terms)
            found.append(np.concatenate([jacobian.ravel(), terms.ravel()]))
        return float(np.abs(found[0] - found[1]).max() / (1.0 + np.abs(found[1]).max()))


def check_joint(kind: type[Joint], values: Values, states: int, seed: int) -> list[Finding]:
    """Checks of a kind.

    A joint that cannot be built raises what its code raises.
    """
    found: list[Finding] = []
    for plane in (False, True):
        label = " in the plane" if plane else ""
        if plane and not kind.plane_rows:
            found.append(not_applying("rows in the plane", "declared for space only"))
            continue
        bench = JointBench(kind, values, plane, seed)
        surplus, missing = bench.rows_off()
        words = (
            f"{surplus} rows more than declared are written" if surplus else f"{missing} declared rows are not written"
        )
        found.append(Finding(f"number of rows{label}", surplus + missing, 0.0, words))
        first, second, residual = np.max([bench.differences() for _ in range(states)], axis=0)
        found += [
            Finding(f"velocity rows{label}", first, ROW_LIMIT, "J v + nu is not the derivative of phi"),
            Finding(f"acceleration rows{label}", second, ROW_LIMIT, "gamma is not what J v + nu changes by"),
            Finding(f"nonholonomic rows{label}", residual, 0.0, "a nonholonomic row has a position residual"),
            Finding(
                f"action and reaction{label}",
                bench.reaction_left(),
                SAME,
                "forces on both bodies do not add to nothing",
            ),
            Finding(
                f"rows of points{label}", bench.points_off(), 0.0, "declared by 'joins_points', but rows are others"
            ),
            Finding(f"several joints{label}", bench.twin_difference(), SAME, "a joint differs when others are there"),
        ]
        if JIT_ON:
            found.append(Finding(f"compiled as Python{label}", bench.python_difference(), SAME, "machine code differs"))
    return found
