"""What joints take for granted of the bodies they hold: inertia where they turn something, bearings where they gear.

**Bodies without inertia.** Joints may hold their points, not their orientation.

A point mass has three velocities and no orientation of its own. The weighed row of a joint, Y = J L^-T, has no part
along turnings that do not exist, so a row that would turn such a body says nothing, or holds what ought to move: a bob
on a hinge at some distance stands still. Such rows are refused here. What remains are rows whose line of action goes
through the mass (balls, rods, ropes and points on lines and planes that are attached there), and joints that hold the
orientation of a point mass wholly against the ground, where nothing turns (a bead on a fixed slider).

**Wheels off their carrier.** The row of a gear knows angles alone, and is right for wheels that do nothing but turn
about their axes in the carrier. The motions that all other joints allow are looked at: a wheel whose motions against
the carrier are not all turns about one line is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from centrode.dynamics.bodies import move_bodies, unweigh, weigh_soft_rows
from centrode.dynamics.redundancy import LARGEST_DENSE_ROWS
from centrode.errors import Fault, InputError
from centrode.parts.joints.gear_pair import GearPair
from centrode.parts.joints.motion import Motion
from centrode.parts.kernel_types import FRAME, JOINT_MARKER_A, JOINT_MARKER_C, OMEGA, POSITION, VELOCITY

if TYPE_CHECKING:
    from centrode.dynamics.workspace import Workspace

SMALL = 1e-9
"""Torque of a row about the mass that counts as none, as a part of its force times a metre, or of a unit torque: above
the round-off of places given in metres, far below any arm that is meant."""


def refuse_bodies_that_cannot_turn(workspace: Workspace) -> None:
    """Refuse joints that take hold of the orientation of bodies without inertia, at the last evaluation.

    Raises:
        InputError: for every such body and joint.
    """
    model = workspace.model
    points = {
        b + 1
        for b, (part, row) in enumerate(zip(model.body_parts, model.body_rows, strict=True))
        if part.velocity_count(row) < part.velocity_width
    }
    found = []
    for j, joint in enumerate(model.joints if points else ()):
        bodies = model.joint_bodies(j)
        for side, b in enumerate(bodies):
            if b in points and _turns(workspace, j, side, b) and not _held_by_ground(workspace, j, side, b, bodies):
                name = model.body_names[b]
                found.append(
                    Fault(
                        f"this {joint.kind} joint would turn the body '{name}', which has no inertia",
                        joint.name,
                        expected=f"an inertia of '{name}' about its centre of mass, in kg*m2",
                        hint=f"or a joint that holds a point only (ball, rod, rope), at the centre of mass of '{name}'",
                    )
                )
    if found:
        raise InputError(found)


def _torques(workspace: Workspace, j: int, side: int, b: int) -> tuple[np.ndarray, np.ndarray]:
    """Torque of every row of a joint about the mass of a body, and the pure torque in it; (rows, 1) in the plane."""
    model = workspace.model
    rows = workspace["jacobian"][j, side, : model.joint_rows[j]]
    marker = workspace["markers"][model.joint_link[j, JOINT_MARKER_A + side]]
    width = 2 if model.plane else 3
    arm = np.zeros(3)
    arm[:width] = marker[POSITION : POSITION + width] - workspace["pose"][b - 1, :width]
    pure = rows[:, 3:]
    whole = pure + np.cross(arm, rows[:, :3])
    first = 2 if model.plane else 0
    return whole[:, first:], pure[:, first:]


def _turns(workspace: Workspace, j: int, side: int, b: int) -> bool:
    whole, _ = _torques(workspace, j, side, b)
    return bool(np.abs(whole).max(initial=0.0) > SMALL)


def _held_by_ground(workspace: Workspace, j: int, side: int, b: int, bodies: list[int]) -> bool:
    """Whether a joint to the ground holds the whole orientation, and all its forces go through the mass."""
    whole, pure = _torques(workspace, j, side, b)
    others = [body for s, body in enumerate(bodies) if s != side]
    lines = np.abs(workspace["jacobian"][j, side, : whole.shape[0], :3]).max(axis=1) > 0.0
    return (
        not any(others)
        and bool(np.linalg.matrix_rank(pure[~lines], tol=SMALL) == whole.shape[1])
        and bool(np.abs(whole[lines]).max(initial=0.0) <= SMALL)
    )


# -- wheels ------------------------------------------------------------------------------------------------------------

FREE = 1e-7
"""Motions of unit kinetic energy below this, relative, are none: singular values of rows fall into some and 1e-13."""


def refuse_wheels_off_their_carrier(workspace: Workspace) -> None:
    """Refuse gears whose wheels do more than turn about one line in the carrier, at the last evaluation.

    Raises:
        InputError: for every such wheel.
    """
    model = workspace.model
    pairs = [j for j, joint in enumerate(model.joints) if isinstance(joint, GearPair) and not joint.common_axis]
    if not pairs or model.joint_rows.sum() > LARGEST_DENSE_ROWS:
        return
    kept = workspace["velocity"].copy()
    markers = []
    for motion in _motions_beside_gears(workspace):
        workspace["velocity"][:] = motion
        move_bodies(workspace.address)
        markers.append(workspace["markers"].copy())
    workspace["velocity"][:] = kept
    move_bodies(workspace.address)
    found = []
    for j in pairs:
        bodies = model.joint_bodies(j)
        for side in (0, 1):
            motions = np.array([_against_carrier(moved, model.joint_link[j], side, bodies) for moved in markers])
            along, besides = np.split(motions.reshape(-1, 6), [1], axis=1)
            values = np.append(np.linalg.svd(besides, compute_uv=False), [0.0, 0.0])
            size = max(1.0, values[0], float(np.abs(along).max(initial=0.0)))
            if values[0 if model.joints[j].slides()[side] else 1] > FREE * size:  # type: ignore[attr-defined]
                found.append(_off_carrier(workspace, j, bodies[side]))
    if found:
        raise InputError(found)


def _off_carrier(workspace: Workspace, j: int, wheel: int) -> Fault:
    model = workspace.model
    joint = model.joints[j]
    others = {
        model.body_names[b]
        for k in range(len(model.joints))
        if not isinstance(model.joints[k], GearPair) and wheel in model.joint_bodies(k)[:2]
        for b in model.joint_bodies(k)[:2]
        if b != wheel
    }
    others.discard(str(joint.carrier))  # type: ignore[attr-defined]
    name = model.body_names[wheel]
    slides = joint.slides()[model.joint_bodies(j).index(wheel)]  # type: ignore[attr-defined]
    moves = "slide along" if slides else "turn about"
    bearing = "slider" if slides else "hinge"
    hint = f"it is joined to {', '.join(sorted(others))}: carrier: {min(others)}" if others else ""
    return Fault(
        f"the {'body' if slides else 'wheel'} '{name}' does more than {moves} one line in the carrier",
        f"{joint.name}.carrier",
        got=joint.carrier,  # type: ignore[attr-defined]
        expected=f"the body that holds the bearings of both {'sides' if slides else 'wheels'}",
        hint=hint or f"give it a {bearing} there",
    )


def _motions_beside_gears(workspace: Workspace) -> list[np.ndarray]:
    """Velocities of all bodies that joints other than gears and drives allow; compliant ones hold like exact ones."""
    model = workspace.model
    weigh_soft_rows(workspace.address)
    width, count = model.velocity_width, model.body_count
    rows = []
    for j, joint in enumerate(model.joints):
        for r in range(0 if isinstance(joint, GearPair | Motion) else int(model.joint_rows[j])):
            row = np.zeros((count, width))
            for side, b in enumerate(model.joint_bodies(j)):
                if b:
                    row[b - 1] += workspace["weighted"][j, side, r]
            size = float(np.linalg.norm(row))
            if size > 0.0:
                rows.append(row.ravel() / size)
    matrix = np.array(rows).reshape(len(rows), count * width)
    _, values, right = np.linalg.svd(matrix, full_matrices=True)
    rank = int(np.sum(values > 1e-8 * (values[0] if values.size else 1.0)))
    kept = workspace["weighted_force"].copy(), workspace["acceleration"].copy()
    found = []
    for weighed in right[rank:]:
        workspace["weighted_force"][1:] = weighed.reshape(count, width)
        unweigh(workspace.address)
        found.append(workspace["acceleration"].copy())
    workspace["weighted_force"][:], workspace["acceleration"][:] = kept
    return found


def _against_carrier(markers: np.ndarray, link: np.ndarray, side: int, bodies: list[int]) -> np.ndarray:
    """Motion of a wheel against the carrier in the axes of its marker: velocity along its axis, turning, velocity
    across its axis."""
    wheel, carrier = markers[link[JOINT_MARKER_A + side]], markers[link[JOINT_MARKER_C]]
    velocity, turning = wheel[VELOCITY : VELOCITY + 3].copy(), wheel[OMEGA : OMEGA + 3].copy()
    if len(bodies) > 2 and bodies[2]:
        arm = wheel[POSITION : POSITION + 3] - carrier[POSITION : POSITION + 3]
        spin = carrier[OMEGA : OMEGA + 3]
        velocity -= carrier[VELOCITY : VELOCITY + 3] + np.cross(spin, arm)
        turning -= spin
    frame = wheel[FRAME : FRAME + 9].reshape(3, 3)
    across_x, across_y, along = frame.T @ velocity
    return np.concatenate([[along], frame.T @ turning, [across_x, across_y]])
