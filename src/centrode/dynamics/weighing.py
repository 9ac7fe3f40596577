"""Rows, forces and accelerations weighed by the mass of the bodies they act on.

With the mass matrix M (constant and diagonal for a rigid body in principal axes, a constant 6 x 6 for a body with
added mass) and M = L L^T, the engine works with

    Y  = J L^-T              rows, so that S = J M^-1 J^T = Y Y^T            (1)
    f~ = L^-1 f              forces                                           (2)
    a  = L^-T (f~ - Y^T x)   accelerations with multipliers x                 (3)

For a diagonal M this is a scaling by 1/sqrt(m). A row acts on a marker at r from the centre of mass with force part
l and torque part t (world axes): on the body that is force l and torque t + r x l, turned into body axes.
Body with added mass: all six components in body axes, coefficients in the data pool at ``body.data``: M (36 values,
row-major), L^-1 (36 values, lower triangle).
"""

from __future__ import annotations

from centrode.dynamics.pseudo_rigid import (
    unweigh_pseudo_rigid,
    weigh_forces_pseudo_rigid,
    weigh_row_pseudo_rigid,
)
from centrode.jit import step_kernel
from centrode.parts.bodies.codes import BODY_FULL_MASS, BODY_GROUND, BODY_PLANAR, BODY_PSEUDO_RIGID
from centrode.parts.kernel_types import JOINT_BODY_A, JOINT_MARKER_A, JOINT_ROWS


@step_kernel
def weigh_rows(
    bodies, marker_table, data, joint_link, exact_joints, row_active, pose, rotation, markers, jacobian, weighted
):
    """Y of every exact joint, equation (1)."""
    for n in range(exact_joints.shape[0]):
        j = exact_joints[n]
        rows = joint_link[j, JOINT_ROWS]
        for side in range(2):
            b = joint_link[j, JOINT_BODY_A + side]
            body = bodies[b]
            kind = body.kind
            if kind == BODY_GROUND:
                continue
            m = joint_link[j, JOINT_MARKER_A + side]
            slot = b - 1
            if kind == BODY_PSEUDO_RIGID:
                for r in range(rows):
                    active = row_active[j, r]
                    weigh_row_pseudo_rigid(
                        body,
                        marker_table[m],
                        rotation,
                        b,
                        data,
                        jacobian[j, side, r, 0] * active,
                        jacobian[j, side, r, 1] * active,
                        jacobian[j, side, r, 2] * active,
                        jacobian[j, side, r, 3] * active,
                        jacobian[j, side, r, 4] * active,
                        jacobian[j, side, r, 5] * active,
                        weighted[j, side, r],
                    )
                continue
            if kind == BODY_PLANAR:
                rx = markers[m, 0] - pose[slot, 0]
                ry = markers[m, 1] - pose[slot, 1]
                for r in range(rows):
                    active = row_active[j, r]
                    lx = jacobian[j, side, r, 0] * active
                    ly = jacobian[j, side, r, 1] * active
                    tz = jacobian[j, side, r, 5] * active + rx * ly - ry * lx
                    weighted[j, side, r, 0] = lx * body.inverse_root_mass
                    weighted[j, side, r, 1] = ly * body.inverse_root_mass
                    weighted[j, side, r, 2] = tz * body.inverse_root_inertia[2]
                continue
            rx = markers[m, 0] - pose[slot, 0]
            ry = markers[m, 1] - pose[slot, 1]
            rz = markers[m, 2] - pose[slot, 2]
            r00 = rotation[b, 0]
            r01 = rotation[b, 1]
            r02 = rotation[b, 2]
            r10 = rotation[b, 3]
            r11 = rotation[b, 4]
            r12 = rotation[b, 5]
            r20 = rotation[b, 6]
            r21 = rotation[b, 7]
            r22 = rotation[b, 8]
            for r in range(rows):
                active = row_active[j, r]
                lx = jacobian[j, side, r, 0] * active
                ly = jacobian[j, side, r, 1] * active
                lz = jacobian[j, side, r, 2] * active
                tx = jacobian[j, side, r, 3] * active + ry * lz - rz * ly
                ty = jacobian[j, side, r, 4] * active + rz * lx - rx * lz
                tz = jacobian[j, side, r, 5] * active + rx * ly - ry * lx
                bx = r00 * tx + r10 * ty + r20 * tz
                by = r01 * tx + r11 * ty + r21 * tz
                bz = r02 * tx + r12 * ty + r22 * tz
                if kind == BODY_FULL_MASS:
                    weighted[j, side, r, 0] = r00 * lx + r10 * ly + r20 * lz
                    weighted[j, side, r, 1] = r01 * lx + r11 * ly + r21 * lz
                    weighted[j, side, r, 2] = r02 * lx + r12 * ly + r22 * lz
                    weighted[j, side, r, 3] = bx
                    weighted[j, side, r, 4] = by
                    weighted[j, side, r, 5] = bz
                    lower = body.data + 36
                    for back in range(6):
                        k = 5 - back
                        total = 0.0
                        for c in range(k + 1):
                            total += data[lower + 6 * k + c] * weighted[j, side, r, c]
                        weighted[j, side, r, k] = total
                else:
                    weighted[j, side, r, 0] = lx * body.inverse_root_mass
                    weighted[j, side, r, 1] = ly * body.inverse_root_mass
                    weighted[j, side, r, 2] = lz * body.inverse_root_mass
                    weighted[j, side, r, 3] = bx * body.inverse_root_inertia[0]
                    weighted[j, side, r, 4] = by * body.inverse_root_inertia[1]
                    weighted[j, side, r, 5] = bz * body.inverse_root_inertia[2]


@step_kernel
def weigh_forces(bodies, marker_table, data, gravity, pose, velocity, rotation, markers, wrench, weighted_force):
    """f~ of every body, equation (2): gravity, the wrenches at its markers, gyroscopic terms."""
    for b in range(1, bodies.shape[0]):
        body = bodies[b]
        slot = b - 1
        if body.kind == BODY_PSEUDO_RIGID:
            weigh_forces_pseudo_rigid(
                body, b, slot, marker_table, data, gravity, pose, velocity, rotation, wrench, weighted_force
            )
            continue
        fx = body.weight_mass * gravity[0]
        fy = body.weight_mass * gravity[1]
        fz = body.weight_mass * gravity[2]
        tx = 0.0
        ty = 0.0
        tz = 0.0
        if body.kind == BODY_PLANAR:
            for m in range(body.first_marker, body.end_marker):
                if marker_table[m].carries_force != 0:
                    fx += wrench[m, 0]
                    fy += wrench[m, 1]
                    tz += (
                        wrench[m, 5]
                        + (markers[m, 0] - pose[slot, 0]) * wrench[m, 1]
                        - (markers[m, 1] - pose[slot, 1]) * wrench[m, 0]
                    )
            weighted_force[b, 0] = fx * body.inverse_root_mass
            weighted_force[b, 1] = fy * body.inverse_root_mass
            weighted_force[b, 2] = tz * body.inverse_root_inertia[2]
            continue
        for m in range(body.first_marker, body.end_marker):
            if marker_table[m].carries_force != 0:
                rx = markers[m, 0] - pose[slot, 0]
                ry = markers[m, 1] - pose[slot, 1]
                rz = markers[m, 2] - pose[slot, 2]
                ax = wrench[m, 0]
                ay = wrench[m, 1]
                az = wrench[m, 2]
                fx += ax
                fy += ay
                fz += az
                tx += wrench[m, 3] + ry * az - rz * ay
                ty += wrench[m, 4] + rz * ax - rx * az
                tz += wrench[m, 5] + rx * ay - ry * ax
        wx = velocity[slot, 3]
        wy = velocity[slot, 4]
        wz = velocity[slot, 5]
        bx, by, bz = tx, ty, tz
        if body.frames_needed != 0:
            bx = rotation[b, 0] * tx + rotation[b, 3] * ty + rotation[b, 6] * tz
            by = rotation[b, 1] * tx + rotation[b, 4] * ty + rotation[b, 7] * tz
            bz = rotation[b, 2] * tx + rotation[b, 5] * ty + rotation[b, 8] * tz
        if body.kind == BODY_FULL_MASS:
            weigh_full_mass(b, body.data, data, velocity, slot, rotation, fx, fy, fz, bx, by, bz, weighted_force)
        else:
            hx = body.inertia[0] * wx
            hy = body.inertia[1] * wy
            hz = body.inertia[2] * wz
            weighted_force[b, 0] = fx * body.inverse_root_mass
            weighted_force[b, 1] = fy * body.inverse_root_mass
            weighted_force[b, 2] = fz * body.inverse_root_mass
            weighted_force[b, 3] = (bx - (wy * hz - wz * hy)) * body.inverse_root_inertia[0]
            weighted_force[b, 4] = (by - (wz * hx - wx * hz)) * body.inverse_root_inertia[1]
            weighted_force[b, 5] = (bz - (wx * hy - wy * hx)) * body.inverse_root_inertia[2]


@step_kernel
def weigh_full_mass(b, offset, data, velocity, slot, rotation, fx, fy, fz, bx, by, bz, weighted_force):
    """f~ of a body with a full 6 x 6 mass: Kirchhoff's equations in body axes.

    With (p, h) = M (v, w):  p' = f - w x p,  h' = t - w x h - v x p.
    """
    wx = velocity[slot, 3]
    wy = velocity[slot, 4]
    wz = velocity[slot, 5]
    vx = rotation[b, 0] * velocity[slot, 0] + rotation[b, 3] * velocity[slot, 1] + rotation[b, 6] * velocity[slot, 2]
    vy = rotation[b, 1] * velocity[slot, 0] + rotation[b, 4] * velocity[slot, 1] + rotation[b, 7] * velocity[slot, 2]
    vz = rotation[b, 2] * velocity[slot, 0] + rotation[b, 5] * velocity[slot, 1] + rotation[b, 8] * velocity[slot, 2]
    for k in range(6):
        weighted_force[b, k] = (
            data[offset + 6 * k] * vx
            + data[offset + 6 * k + 1] * vy
            + data[offset + 6 * k + 2] * vz
            + data[offset + 6 * k + 3] * wx
            + data[offset + 6 * k + 4] * wy
            + data[offset + 6 * k + 5] * wz
        )
    px = weighted_force[b, 0]
    py = weighted_force[b, 1]
    pz = weighted_force[b, 2]
    hx = weighted_force[b, 3]
    hy = weighted_force[b, 4]
    hz = weighted_force[b, 5]
    weighted_force[b, 0] = rotation[b, 0] * fx + rotation[b, 3] * fy + rotation[b, 6] * fz - (wy * pz - wz * py)
    weighted_force[b, 1] = rotation[b, 1] * fx + rotation[b, 4] * fy + rotation[b, 7] * fz - (wz * px - wx * pz)
    weighted_force[b, 2] = rotation[b, 2] * fx + rotation[b, 5] * fy + rotation[b, 8] * fz - (wx * py - wy * px)
    weighted_force[b, 3] = bx - (wy * hz - wz * hy) - (vy * pz - vz * py)
    weighted_force[b, 4] = by - (wz * hx - wx * hz) - (vz * px - vx * pz)
    weighted_force[b, 5] = bz - (wx * hy - wy * hx) - (vx * py - vy * px)
    lower = offset + 36
    for back in range(6):
        k = 5 - back
        total = 0.0
        for c in range(k + 1):
            total += data[lower + 6 * k + c] * weighted_force[b, c]
        weighted_force[b, k] = total


@step_kernel
def unweigh(bodies, data, b, rotation, weighted, out):
    """L^-T of six (three) weighed components: to world linear and body angular components, equation (3)."""
    body = bodies[b]
    if body.kind == BODY_PSEUDO_RIGID:
        unweigh_pseudo_rigid(body, data, b, weighted, out)
    elif body.kind == BODY_PLANAR:
        out[b - 1, 0] = weighted[b, 0] * body.inverse_root_mass
        out[b - 1, 1] = weighted[b, 1] * body.inverse_root_mass
        out[b - 1, 2] = weighted[b, 2] * body.inverse_root_inertia[2]
    elif body.kind == BODY_FULL_MASS:
        lower = body.data + 36
        slot = b - 1
        for k in range(6):
            total = 0.0
            for c in range(k, 6):
                total += data[lower + 6 * c + k] * weighted[b, c]
            out[slot, k] = total
        x = out[slot, 0]
        y = out[slot, 1]
        z = out[slot, 2]
        out[slot, 0] = rotation[b, 0] * x + rotation[b, 1] * y + rotation[b, 2] * z
        out[slot, 1] = rotation[b, 3] * x + rotation[b, 4] * y + rotation[b, 5] * z
        out[slot, 2] = rotation[b, 6] * x + rotation[b, 7] * y + rotation[b, 8] * z
    else:
        out[b - 1, 0] = weighted[b, 0] * body.inverse_root_mass
        out[b - 1, 1] = weighted[b, 1] * body.inverse_root_mass
        out[b - 1, 2] = weighted[b, 2] * body.inverse_root_mass
        out[b - 1, 3] = weighted[b, 3] * body.inverse_root_inertia[0]
        out[b - 1, 4] = weighted[b, 4] * body.inverse_root_inertia[1]
        out[b - 1, 5] = weighted[b, 5] * body.inverse_root_inertia[2]
