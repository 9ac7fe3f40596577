"""The start of a run: close the loops, satisfy the velocity constraints, find redundant rows, set compliant joints.

Positions: Newton's method with a new factorisation in every iteration; velocities: one projection. Both corrections
are the smallest in the sense of kinetic energy, so light bodies move before heavy ones. What cannot be closed is
refused, naming the joints.

Redundant rows (:mod:`centrode.dynamics.redundancy`): configurations are sampled around the start; a row set is chosen
greedily so that the smallest component of the null vectors over all samples is largest.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from centrode.classes import dataclass
from centrode.dynamics.bodies import weigh_soft_rows
from centrode.dynamics.freedoms import refuse_bodies_that_cannot_turn, refuse_wheels_off_their_carrier
from centrode.dynamics.held_start import close_holding, held_coordinates, move_holding
from centrode.dynamics.redundancy import (
    LARGEST_DENSE_ROWS,
    dense_rows,
    find_dependence,
    leave_out,
    rows_to_leave_out,
)
from centrode.dynamics.workspace import Workspace
from centrode.errors import Fault, InputError

CLOSED = 1e-11
"""Joints count as closed when no row is open by more [m, rad]."""
SHARE = 1e-3
"""Share of a velocity, or of the size of the system, by which what was entered may miss what the joints need: three
digits, the fewest that people type."""
MOTION = ("velocity", "omega")
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


def assemble_start(workspace: Workspace, time: float, close: bool | None = True) -> AssemblyReport:
    """Bring the initial state onto the constraints.

    Args:
        workspace: at the start as it was entered.
        time: [s].
        close: move bodies and change velocities as the joints need it, and report that (True); the same, but refuse
            velocities that the joints cannot have and joints whose place nobody gave (None); move nothing (False).

    Raises:
        InputError: the joints cannot be closed, or what was entered contradicts them.
    """
    model = workspace.model
    bodies = zip(model.body_parts, model.body_rows, strict=True)
    report = AssemblyReport(coordinates=sum(part.velocity_count(row) for part, row in bodies))
    before = workspace["pose"].copy()
    if model.joints:
        workspace.evaluate(time)
        refuse_bodies_that_cannot_turn(workspace)
    if model.exact_joints.size == 0:
        report.notes.append("no exact joints")
        return report
    if not np.all(np.isfinite(workspace["terms"])):
        raise InputError("a joint cannot be evaluated at the start", path=_worst_joint(workspace))
    held = held_coordinates(workspace)
    if close is None:
        _refuse_unplaced(workspace)
    if close is not False:
        if held:
            close_holding(workspace, time, held)
        _close(workspace, time)
    elif open_rows(workspace).max() > 1e-6:
        raise _not_closed(workspace)
    wound = workspace["joint_memory"].copy()
    _forget_turns(workspace)
    workspace.evaluate(time)
    if open_rows(workspace).max(initial=0.0) > 1e-9:  # turns that a row counts in (gears) belong to the closed pose
        workspace["joint_memory"][:] = wound
    refuse_wheels_off_their_carrier(workspace)
    _report_moves(workspace, before, report)
    speed = workspace["velocity"].copy()
    if any(item.rate is not None for item in held):
        move_holding(workspace, time, held)
        speed = workspace["velocity"].copy()
    workspace.evaluate(time, project=True)
    workspace.evaluate(time, project=True)
    changes = np.abs(workspace["velocity"] - speed)
    report.speed_change = float(changes.max(initial=0.0))
    if close is None:
        _refuse_velocities(workspace, speed)
    if report.speed_change > 1e-9:
        slot, column = np.unravel_index(int(changes.argmax()), changes.shape)
        unit = "m/s" if column < (2 if model.system.plane else 3) else "rad/s"
        who = model.body_names[slot + 1]
        report.notes.append(
            f"velocities changed by up to {report.speed_change:.3g} {unit} ({who}) to satisfy the joints"
        )
    find_redundant_rows(workspace, time, report)
    if report.degrees_of_freedom < 0:
        raise InputError(
            "the joints have more independent rows than the bodies have velocities",
            path=model.joints[int(model.exact_joints[0])].name,
            got=f"{report.rank} rows, {report.coordinates} velocities",
            hint="a body without inertia has three velocities; leave out joints, or enter its inertia",
        )
    return report


def _refuse_unplaced(workspace: Workspace) -> None:
    """Refuse joints without a place whose bodies do not meet: the assembly would drag one body into the other."""
    model = workspace.model
    parts = model.system.parts
    limit = SHARE * _length_scale(model)
    gaps = open_rows(workspace).max(axis=1, initial=0.0)
    found = []
    for j in model.exact_joints:
        joint = model.joints[int(j)]
        places = [joint.at, joint.point_a, joint.point_b]
        named = any(parts[name].family == "point" for name in (joint.a, joint.b) if name in parts)
        if joint.takes_place and gaps[j] > limit and not named and all(place is None for place in places):
            found.append(
                Fault(
                    f"the place of this joint is not given, and its bodies are {gaps[j]:.3g} m or rad apart",
                    joint.name,
                    expected="'at' in the world, or 'point_a' and 'point_b' on the bodies",
                    hint="run.assemble: true moves the bodies together",
                )
            )
    if found:
        raise InputError(found)


def _refuse_velocities(workspace: Workspace, before: np.ndarray) -> None:
    """Refuse velocities that were entered and that the joints cannot have, ``before`` the projection."""
    model = workspace.model
    found = []
    for slot, (part, row) in enumerate(zip(model.body_parts, model.body_rows, strict=True)):
        entered = [name for name in MOTION if np.any(np.asarray(vars(part).get(name, 0.0), dtype=float))]
        after = workspace["velocity"][slot]
        size = float(np.abs(before[slot]).max())
        if not entered or float(np.abs(after - before[slot]).max()) <= SHARE * size:
            continue
        pose = workspace["pose"][slot : slot + 1]
        left = part.observe(row, pose, after[None, :])
        shown = {name: np.array2string(np.round(left[name][0], 6), separator=", ") for name in left if name in MOTION}
        allowed = ", ".join(f"{name} {value}" for name, value in shown.items())
        on = [joint.name for j, joint in enumerate(model.joints) if slot + 1 in model.joint_bodies(j)]
        found.append(
            Fault(
                "the joints cannot have this motion at the start",
                f"{part.name}.{entered[0]}",
                got=vars(part)[entered[0]],
                expected=f"one that they allow; nearest is {allowed}",
                hint=f"joints: {', '.join(on[:4])}; give the rate at a joint (angle_rate, displacement_rate), or "
                "run.assemble: true to start with the nearest",
            )
        )
    if found:
        raise InputError(found)


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


def find_redundant_rows(workspace: Workspace, time: float, report: AssemblyReport) -> None:
    """Count independent rows and leave redundant ones out, choosing them so that the rest stays well conditioned."""
    model = workspace.model
    active = workspace["row_active"]
    report.rows = int(sum(np.count_nonzero(active[j, : model.joint_rows[j]]) for j in model.exact_joints))
    report.holonomic_rows = report.rows - sum(len(model.joints[int(j)].nonholonomic_rows) for j in model.exact_joints)
    if workspace["choice"].size == 0 or report.rows > LARGEST_DENSE_ROWS:
        dropped = (workspace["pivots"][:, :, 0] == 0.0) & (active != 0.0)
        rows = np.arange(active.shape[1]) < model.joint_rows[:, None]
        report.rank = report.rows - int(np.count_nonzero((dropped & rows)[model.exact_joints]))
        if workspace["choice"].size:
            report.notes.append("large system with loops: redundant rows are dropped during the run, not chosen")
        return
    samples = []
    rng = np.random.default_rng(12345)
    values = workspace.values.copy()
    size = np.full(workspace["pose"].shape, _length_scale(model))
    turns = slice(2, 3) if model.plane else slice(3, 7)
    size[:, turns] = np.minimum(size[:, turns], 1.0)  # of angles and quaternions, which have no length
    for k in range(4):
        if k:
            workspace.values[:] = values
            workspace["pose"][:] += rng.normal(scale=0.05, size=size.shape) * size * k
            if not model.plane:
                quaternion = workspace["pose"][:, 3:7]
                quaternion /= np.linalg.norm(quaternion, axis=1, keepdims=True)
            try:
                _close(workspace, time)
            except InputError:
                continue
        workspace.evaluate(time)
        samples.append(find_dependence(workspace))
    workspace.values[:] = values
    _forget_turns(workspace)
    generic = max(sample.rank for sample in samples)
    report.rank = generic
    missing = report.rows - generic
    if samples[0].rank < generic:
        report.notes.append("the start is a singular position: more motions are possible here than nearby")
    if missing > 0:
        workspace.spare_rows = missing
        chosen = rows_to_leave_out(model, [sample for sample in samples if sample.rank == generic])
        leave_out(workspace, chosen, time)
        report.redundant = [(model.joints[j].name, r) for j, r in chosen]
        names = sorted({name for name, _ in report.redundant})
        report.notes.append(
            f"{missing} redundant constraint row{'s' if missing > 1 else ''} found and left out "
            f"(in {', '.join(names[:4])}); reactions are those of least load"
        )
    workspace.evaluate(time, project=True)


def _forget_turns(workspace: Workspace) -> None:
    """Memory of joints and forces as at the start: the search for a closed pose may have counted turns, and a stop or a
    rotational spring that is a turn off pushes with all its stiffness.
    """
    workspace["joint_memory"][:] = workspace.model.joint_memory
    workspace["force_memory"][:] = workspace.model.force_memory


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
