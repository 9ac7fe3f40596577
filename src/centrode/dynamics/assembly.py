"""The start of a run: close the loops, satisfy the velocity constraints, find redundant rows, set compliant joints.

Positions: Newton's method with a new factorisation in every iteration; velocities: one projection. Both corrections
are the smallest in the sense of kinetic energy, so light bodies move before heavy ones. What cannot be closed is
refused, naming the joints.

Redundant rows. With n a left null vector of the weighed rows, n^T Y = 0, leaving out row r leaves a system whose
conditioning goes with 1 / n_r^2, so *which* row is left out matters. Configurations are sampled around the start; a
row set is chosen greedily so that the smallest component over all samples is largest.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from centrode.dynamics.bodies import weigh_soft_rows
from centrode.dynamics.workspace import Workspace
from centrode.errors import Fault, InputError
from centrode.parts.kernel_types import JOINT_BODY_A

CLOSED = 1e-11
"""Joints count as closed when no row is open by more [m, rad]."""
RANK_TOLERANCE = 1e-8
LARGEST_DENSE_ROWS = 600
COMPLIANT_KAPPA = 0.3
COMPLIANT_ZETA = 0.1


@dataclass
class AssemblyReport:
    """What the assembly did and found.

    Attributes:
        moved: body -> (distance [m], angle [rad]) where it was moved by more than round-off.
        speed_change: largest change of any velocity component [m/s, rad/s].
        coordinates, rows, rank: velocities of all bodies, constraint rows, independent ones.
        redundant: (joint, row) left out as redundant.
        notes: sentences for the user.
    """

    moved: dict[str, tuple[float, float]] = field(default_factory=dict)
    speed_change: float = 0.0
    coordinates: int = 0
    rows: int = 0
    holonomic_rows: int = 0
    rank: int = 0
    redundant: list[tuple[str, int]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def degrees_of_freedom(self) -> int:
        """Independent velocities."""
        return self.coordinates - self.rank


def open_rows(workspace: Workspace) -> np.ndarray:
    """|phi| of the active rows of exact joints, (joints, rows); zero elsewhere."""
    model = workspace.model
    phi = np.abs(workspace["terms"][:, :, 0]) * (workspace["row_active"] != 0)
    for j, joint_rows in enumerate(model.joint_rows):
        phi[j, joint_rows:] = 0.0
    phi[model.compliant_joints] = 0.0
    return phi


def assemble_start(workspace: Workspace, time: float, close: bool = True) -> AssemblyReport:
    """Bring the initial state onto the constraints.

    Raises:
        InputError: the joints cannot be closed, or the velocities contradict each other.
    """
    model = workspace.model
    bodies = zip(model.body_parts, model.body_rows, strict=True)
    report = AssemblyReport(coordinates=sum(part.velocity_count(row) for part, row in bodies))
    if model.exact_joints.size == 0:
        report.notes.append("no exact joints")
        return report
    before = workspace["pose"].copy()
    workspace.evaluate(time)
    if not np.all(np.isfinite(workspace["terms"])):
        raise InputError("a joint cannot be evaluated at the start", path=_worst_joint(workspace))
    if close:
        _close(workspace, time)
    elif open_rows(workspace).max() > 1e-6:
        raise _not_closed(workspace)
    _report_moves(workspace, before, report)
    speed = workspace["velocity"].copy()
    workspace.evaluate(time, project=True)
    workspace.evaluate(time, project=True)
    report.speed_change = float(np.abs(workspace["velocity"] - speed).max(initial=0.0))
    if report.speed_change > 1e-9:
        report.notes.append(f"velocities changed by up to {report.speed_change:.3g} to satisfy the joints")
    find_redundant_rows(workspace, time, report)
    return report


def _close(workspace: Workspace, time: float) -> None:
    smallest = np.inf
    stalled = 0
    for _ in range(60):
        workspace.evaluate(time)
        residual = open_rows(workspace).max(initial=0.0)
        if residual <= CLOSED:
            return
        if not np.isfinite(residual):
            break
        stalled = stalled + 1 if residual > 0.9 * smallest else 0
        smallest = min(smallest, residual)
        if stalled > 12:
            break
        workspace.project_position(time, 1, CLOSED)
    workspace.evaluate(time)
    if open_rows(workspace).max(initial=0.0) > 1e-9 or not np.all(np.isfinite(workspace.values)):
        raise _not_closed(workspace)


def _not_closed(workspace: Workspace) -> InputError:
    phi = open_rows(workspace)
    worst = phi.max(axis=1)
    order = np.argsort(-np.nan_to_num(worst, nan=np.inf))[:4]
    others = _contradicting(workspace)
    found = []
    for j in order:
        if worst[j] <= 1e-9:
            continue
        name = workspace.model.joints[j].name
        rest = [other for other in others if other != name][:6]
        found.append(
            Fault(
                "the joints cannot be closed",
                name,
                expected="bodies that can meet here",
                hint=f"still open by {worst[j]:.4g}; check lengths, points and axes"
                + (f"; contradicts {', '.join(rest)}" if rest else ", or contradictory loops"),
            )
        )
    return InputError(found)


def _contradicting(workspace: Workspace) -> list[str]:
    """Joints whose rows together leave no motion that would close the gap: part of phi in the left null space of J."""
    matrix, index = dense_rows(workspace)
    if not 0 < len(index) <= LARGEST_DENSE_ROWS or not np.all(np.isfinite(matrix)):
        return []
    u, s, _ = np.linalg.svd(matrix, full_matrices=True)
    rank = int(np.sum(s > 1e-4 * s[0])) if s.size and s[0] > 0 else 0  # stuck near, not at, a singular position
    null = u[:, rank:]
    gap = np.array([workspace["terms"][j, r, 0] for j, r in index])
    share = np.abs(null @ (null.T @ gap))
    if share.size == 0 or share.max() <= 1e-12:
        return []
    joints = {j for (j, _), part in zip(index, share, strict=True) if part > 0.1 * share.max()}
    return [workspace.model.joints[j].name for j in sorted(joints)]


def _worst_joint(workspace: Workspace) -> str:
    bad = ~np.isfinite(workspace["terms"]).all(axis=(1, 2))
    return workspace.model.joints[int(np.argmax(bad))].name


def _report_moves(workspace: Workspace, before: np.ndarray, report: AssemblyReport) -> None:
    model = workspace.model
    pose = workspace["pose"]
    for slot in range(model.body_count):
        if model.plane:
            distance = float(np.hypot(*(pose[slot, :2] - before[slot, :2])))
            angle = abs(float(pose[slot, 2] - before[slot, 2]))
        else:
            distance = float(np.linalg.norm(pose[slot, :3] - before[slot, :3]))
            overlap = abs(float(pose[slot, 3:7] @ before[slot, 3:7]))
            angle = 2.0 * float(np.arccos(min(1.0, overlap))) if overlap < 1 - 1e-15 else 0.0
        if distance > 1e-9 or angle > 1e-7:
            report.moved[model.body_names[slot + 1]] = (distance, angle)
    if report.moved:
        body = max(report.moved, key=lambda name: report.moved[name])
        report.notes.append(
            f"assembly moved {len(report.moved)} bodies, most '{body}' by {report.moved[body][0]:.3g} m "
            f"and {np.degrees(report.moved[body][1]):.3g} deg"
        )


def dense_rows(workspace: Workspace) -> tuple[np.ndarray, list[tuple[int, int]]]:
    """Weighed rows Y of the exact joints that act now, as one dense matrix, and (joint, row) of each of its rows."""
    model = workspace.model
    width = model.velocity_width
    active = workspace["row_active"]
    index = [(int(j), r) for j in model.exact_joints for r in range(int(model.joint_rows[j])) if active[j, r] != 0]
    matrix = np.zeros((len(index), model.body_count * width))
    for i, (j, r) in enumerate(index):
        for side in (0, 1):
            b = int(model.joint_link[j, JOINT_BODY_A + side])
            if b:
                matrix[i, (b - 1) * width : b * width] += workspace["weighted"][j, side, r]
    return matrix, index


def find_redundant_rows(workspace: Workspace, time: float, report: AssemblyReport) -> None:
    """Count independent rows and switch redundant ones off, choosing them so that the rest stays well conditioned."""
    model = workspace.model
    active = workspace["row_active"]
    report.rows = int(sum(np.count_nonzero(active[j, : model.joint_rows[j]]) for j in model.exact_joints))
    report.holonomic_rows = report.rows - sum(len(model.joints[int(j)].nonholonomic_rows) for j in model.exact_joints)
    moving_sides = {
        int(b) for j in model.exact_joints for b in model.joint_link[j, JOINT_BODY_A : JOINT_BODY_A + 2] if b
    }
    loops = model.exact_joints.size - len(moving_sides)
    if loops <= 0 or report.rows > LARGEST_DENSE_ROWS:
        report.rank = report.rows
        if loops > 0:
            report.notes.append("large system with loops: redundant rows are dropped during the run, not counted")
        return
    samples = []
    rng = np.random.default_rng(12345)
    values = workspace.values.copy()
    for k in range(4):
        if k:
            workspace.values[:] = values
            workspace["pose"][:] += rng.normal(scale=0.05 * _length_scale(model), size=workspace["pose"].shape) * k
            if not model.plane:
                quaternion = workspace["pose"][:, 3:7]
                quaternion /= np.linalg.norm(quaternion, axis=1, keepdims=True)
            try:
                _close(workspace, time)
            except InputError:
                continue
        workspace.evaluate(time)
        matrix, index = dense_rows(workspace)
        u, s, _ = np.linalg.svd(matrix, full_matrices=True)
        rank = int(np.sum(s > RANK_TOLERANCE * s[0])) if s.size and s[0] > 0 else 0
        samples.append((rank, u[:, rank:]))
    workspace.values[:] = values
    generic = max(rank for rank, _ in samples)
    report.rank = generic
    missing = report.rows - generic
    if samples[0][0] < generic:
        report.notes.append("the start is a singular position: more motions are possible here than nearby")
    if missing > 0:
        nulls = [null for rank, null in samples if rank == generic]
        chosen = _choose_rows(nulls, missing)
        for i in chosen:
            j, r = index[i]
            active[j, r] = 0.0
            report.redundant.append((model.joints[j].name, r))
        names = sorted({name for name, _ in report.redundant})
        report.notes.append(
            f"{missing} redundant constraint row{'s' if missing > 1 else ''} found and left out "
            f"(in {', '.join(names[:4])}); reactions are one valid choice"
        )
    workspace.evaluate(time, project=True)


def _choose_rows(nulls: list[np.ndarray], count: int) -> list[int]:
    """Rows to leave out: greedy, the largest smallest remaining component over all samples."""
    rest = [null.copy() for null in nulls]
    chosen: list[int] = []
    for _ in range(count):
        strength = np.min([np.linalg.norm(null, axis=1) for null in rest], axis=0)
        strength[chosen] = -1.0
        row = int(np.argmax(strength))
        chosen.append(row)
        for k, null in enumerate(rest):
            direction = null[row] / max(np.linalg.norm(null[row]), 1e-300)
            rest[k] = null - np.outer(null @ direction, direction)
    return chosen


def _length_scale(model: Any) -> float:
    positions = model.pose[:, :2] if model.plane else model.pose[:, :3]
    arms = np.abs(model.markers["position"]).max() if model.markers.size else 0.0
    return max(float(np.ptp(positions, axis=0).max(initial=0.0)) / 4.0, float(arms), 1e-6)


def set_compliance(workspace: Workspace, time: float, step: float) -> None:
    """Stiffness and damping of compliant joints, row by row.

    With 1/m = Y Y^T the effective mass of a row, k = kappa m / step^2 keeps the semi-implicit step stable:
    neighbours in a chain halve the limit 4 of a single joint, kappa = 0.3 leaves a margin; damping ratio 0.1.
    A stiffness given by the user holds for rows in metres; rows in radians get the same natural frequency.
    """
    model = workspace.model
    if model.compliant_joints.size == 0:
        return
    workspace.evaluate(time)
    weigh_soft_rows(workspace.address)
    for j in model.compliant_joints:
        joint = model.joints[int(j)]
        rows = range(int(model.joint_rows[j]))
        inverse_mass = [max(float(np.sum(workspace["weighted"][j, :, r] ** 2)), 1e-300) for r in rows]
        linear = [m for r, m in zip(rows, inverse_mass, strict=True) if np.any(workspace["jacobian"][j, :, r, :3])]
        for r in rows:
            stiffness = COMPLIANT_KAPPA / (step * step * inverse_mass[r])
            if joint.stiffness is not None:
                reference = max(linear) if linear else inverse_mass[r]
                is_linear = bool(np.any(workspace["jacobian"][j, :, r, :3]))
                stiffness = joint.stiffness * (1.0 if is_linear else reference / inverse_mass[r])
            damping = 2.0 * COMPLIANT_ZETA * np.sqrt(stiffness / inverse_mass[r])
            if joint.damping is not None:
                damping = joint.damping * (stiffness / joint.stiffness if joint.stiffness else 1.0)
            workspace["compliance"][j, r] = stiffness, damping
