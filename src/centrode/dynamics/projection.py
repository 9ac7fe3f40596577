"""Projections on the constraints, with the rows and the factor of the last evaluation.

Coordinate projection dq = -D^+ phi and velocity projection du = -D^+ (D u) of the bicycle lecture notes, where the
pseudo-inverse D^+ = M^-1 J^T S^-1 is taken in the metric of the masses (equal to Moore-Penrose for unit masses).
"""

from __future__ import annotations

from functools import cache
from typing import Any

from centrode.dynamics.block_solver import SUMS, solve
from centrode.dynamics.bodies import place_bodies, shift_poses, unweigh
from centrode.dynamics.rows import add_row_speeds, ask_joints, subtract_rows
from centrode.jit import step_kernel
from centrode.math.record import local_row, open_sized
from centrode.parts.tables import CORRECT_SIGNATURE, PROJECT_SIGNATURE, SHARE_SIGNATURE, borrow, call_project

REACH = 1e3
"""A simplified Newton step leaves less than a thousandth of what it found: rows and factor are those of a pose from
which the present one is off by the error of a stage, parts of a radian. What it leaves then need not be looked at; the
next step does."""


@cache
def velocity_projection(velocities: int, rows: int, sides: int) -> Any:
    """The kernel :func:`project_velocity` for so many velocities a body, rows and bodies a joint."""
    size = (0,) * velocities, (0,) * rows, (0,) * sides

    @step_kernel(signature=SHARE_SIGNATURE)
    def project_velocity_sized(tables):
        project_velocity(size, tables)

    return project_velocity_sized


@step_kernel(fastmath=SUMS)
def project_velocity(size, tables):
    """Move the velocities onto J v + nu = 0, nearest in the sense of kinetic energy: v -= M^-1 J^T S^-1 (J v + nu)."""
    t = borrow(tables)
    velocity_token, row_token, side_token = size
    rows = len(row_token)
    terms, active = open_sized(t.terms, (rows, 3)), open_sized(t.row_active, (rows,))
    multipliers = open_sized(t.multipliers, (rows,))
    speeds = local_row(row_token)
    for j in t.exact_joints:
        for r in range(rows):
            speeds[r] = terms[j, r, 1]
        add_row_speeds(j, row_token, side_token, speeds, t)
        for r in range(rows):
            multipliers[j, r] = active[j, r] * speeds[r]
    spread_multipliers(size, tables)
    add_to_velocity(velocity_token, tables)


@step_kernel
def spread_multipliers(size, tables):
    """t.acceleration = -M^-1 J^T S^-1 b, with b, what each row lacks, in the multipliers before."""
    t = borrow(tables)
    velocities = len(size[0])
    weighted_force = open_sized(t.weighted_force, (velocities,))
    solve(size[1], tables)
    for b in range(1, t.bodies.shape[0]):
        for k in range(velocities):
            weighted_force[b, k] = 0.0
    subtract_rows(size, tables)
    unweigh(tables)


@step_kernel
def add_to_velocity(velocity_token, tables):
    """velocity += acceleration, as a correction."""
    t = borrow(tables)
    velocities = len(velocity_token)
    velocity, change = open_sized(t.velocity, (velocities,)), open_sized(t.acceleration, (velocities,))
    for b in range(velocity.shape[0]):
        for k in range(velocities):
            velocity[b, k] += change[b, k]


@step_kernel
def open_joints(time, scale, row_token, tables):
    """phi of the present pose, times ``scale``, into the multipliers; returns the largest |phi|."""
    t = borrow(tables)
    rows = len(row_token)
    terms, active = open_sized(t.terms, (rows, 3)), open_sized(t.row_active, (rows,))
    multipliers = open_sized(t.multipliers, (rows,))
    place_bodies(tables)
    ask_joints(time, tables)
    largest = 0.0
    for j in t.exact_joints:
        for r in range(rows):
            phi = terms[j, r, 0] * active[j, r]
            multipliers[j, r] = phi * scale
            if not (abs(phi) <= largest):
                largest = abs(phi)
    return largest


@cache
def position_projection(velocities: int, rows: int, sides: int) -> Any:
    """The kernel :func:`project_position` for so many velocities a body, rows and bodies a joint."""
    size = (0,) * velocities, (0,) * rows, (0,) * sides

    @step_kernel(signature=PROJECT_SIGNATURE)
    def project_sized(time, iterations, enough, tables):
        return project_position(time, iterations, enough, size, tables)

    return project_sized


@step_kernel
def project_position(time, iterations, enough, size, tables):
    """Simplified Newton steps onto phi = 0 with rows and factor of the last evaluation.

    The rotations that turned body axes to world axes at that evaluation are still needed to un-weigh the
    corrections; :func:`place_bodies` overwrites them with those of the present pose, a difference of the order of the
    step, which a simplified Newton step may ignore. A step from within REACH of ``enough`` is the last.

    Returns:
        Largest |phi| found before the first correction, in the rows' own units.
    """
    t = borrow(tables)
    first_residual = 0.0
    for n in range(iterations):
        largest = open_joints(time, 1.0, size[1], tables)
        if n == 0:
            first_residual = largest
        if largest <= enough:
            break
        spread_multipliers(size, tables)
        shift_poses(1.0, t.acceleration, tables)
        if largest <= REACH * enough:
            break
    return first_residual


@step_kernel
def close_joints(time, tables):
    """Bring poses back onto exact joints, for methods of one's own: three Newton steps with the rows of the last
    evaluation. Returns the largest gap before [m, rad].
    """
    t = borrow(tables)
    return call_project(t.project_position, (time, 3, 1e-13, tables))


@cache
def velocity_correction(velocities: int, rows: int, sides: int) -> Any:
    """The kernel :func:`correct_velocity` for so many velocities a body, rows and bodies a joint."""
    size = (0,) * velocities, (0,) * rows, (0,) * sides

    @step_kernel(signature=CORRECT_SIGNATURE)
    def correct_sized(time, scale, tables):
        return correct_velocity(time, scale, size, tables)

    return correct_sized


@step_kernel
def correct_velocity(time, scale, size, tables):
    """Take joint impulses off the velocities: v -= scale M^-1 J^T S^-1 phi, rows and factor of the last evaluation.

    phi is that of the present pose; the pose stays. What a method needs that chooses velocities so that the *next*
    pose closes the joints (scale = 1 / step).

    Returns:
        Largest |phi|.
    """
    largest = open_joints(time, scale, size[1], tables)
    spread_multipliers(size, tables)
    add_to_velocity(size[0], tables)
    return largest
