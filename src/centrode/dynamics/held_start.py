"""The start of loops in which joints are given angles, displacements or rates: closed with these held.

Newton's method on the rows of the joints and the coordinates together, the smallest correction in the metric of the
masses; velocities by one linear system. Trees come here closed and moving as they should
(:mod:`centrode.system.start`), and nothing is done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from centrode.dynamics.bodies import shift_poses
from centrode.dynamics.coordinates import Coordinate, find_coordinate
from centrode.dynamics.redundancy import dense_rows
from centrode.dynamics.weights import row_of, smallest_solution, unweighing, velocities_of
from centrode.errors import Fault, InputError

if TYPE_CHECKING:
    from centrode.dynamics.workspace import Workspace

ENOUGH = 1e-12
CLOSED = 1e-9
"""Gap [m, rad] or speed at which Newton's method stops, and above which the start is refused."""


class Held(NamedTuple):
    """A coordinate that is given at the start, its value and its rate where those are given."""

    coordinate: Coordinate
    value: float | None
    rate: float | None


def held_coordinates(workspace: Workspace) -> list[Held]:
    """What the joints are given."""
    model = workspace.model
    return [
        Held(find_coordinate(model, f"{joint.name}.{name}"), value, rate)
        for joint in model.joints
        for name, (value, rate) in joint.start_values().items()
    ]


def close_holding(workspace: Workspace, time: float, held: list[Held]) -> None:
    """Close the joints with the given values held.

    Raises:
        InputError: they cannot be had together.
    """
    w = workspace
    wanted = [(item.coordinate, item.value) for item in held if item.value is not None]
    wrong = np.zeros(0)
    for _ in range(60):
        w.evaluate(time)
        rows, index = dense_rows(w)
        holonomic = [i for i, (j, r) in enumerate(index) if r not in w.model.joints[j].nonholonomic_rows]
        phi = [w["terms"][index[i]][0] for i in holonomic]
        wrong = np.array([*phi, *(c.miss(c.jet(w).v, value) for c, value in wanted)])
        if np.abs(wrong).max(initial=0.0) <= ENOUGH or not np.all(np.isfinite(wrong)):
            break
        scale = unweighing(w)
        live = np.abs(scale).sum(axis=1).ravel() > 0.0
        matrix = np.vstack([rows[holonomic], *(row_of(c, scale, w) for c, _ in wanted)])
        shift_poses(1.0, velocities_of(scale, -smallest_solution(matrix, wrong, live)), w.address)
    w.evaluate(time)
    if not np.abs(wrong).max(initial=0.0) <= CLOSED:
        raise _refused(
            "the joints cannot be closed with these starts", [item for item in held if item.value is not None]
        )


def move_holding(workspace: Workspace, time: float, held: list[Held]) -> None:
    """Velocities that obey the joints and have the given rates, nearest to the present ones.

    Raises:
        InputError: they cannot be had together.
    """
    w = workspace
    wanted = [(item.coordinate, item.rate) for item in held if item.rate is not None]
    wrong = np.zeros(0)
    for _ in range(2):
        w.evaluate(time)
        rows, index = dense_rows(w)
        scale = unweighing(w)
        live = np.abs(scale).sum(axis=1).ravel() > 0.0
        speeds = [_row_speed(w, j, r) for j, r in index]
        wrong = np.array([*speeds, *(c.jet(w).d - rate for c, rate in wanted)])
        matrix = np.vstack([rows, *(row_of(c, scale, w) for c, _ in wanted)])
        w["velocity"][:] += velocities_of(scale, -smallest_solution(matrix, wrong, live))
    if not np.abs(wrong).max(initial=0.0) <= CLOSED * max(1.0, float(np.abs(w["velocity"]).max(initial=0.0))):
        raise _refused("the joints cannot move with these rates", [item for item in held if item.rate is not None])


def _row_speed(workspace: Workspace, j: int, r: int) -> float:
    total = float(workspace["terms"][j, r, 1])
    for side in range(workspace.model.joint_sides):
        m = workspace.model.joint_link[j, side]
        total += float(workspace["jacobian"][j, side, r] @ workspace["markers"][m, 3:9])
    return total


def _refused(what: str, held: list[Held]) -> InputError:
    hint = "given together: " + ", ".join(item.coordinate.name for item in held)
    return InputError([Fault(what, item.coordinate.name, hint=hint) for item in held[:1]])
