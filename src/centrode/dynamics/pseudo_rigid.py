"""Pseudo-rigid bodies in the engine: markers, rows and forces on a body that deforms homogeneously.

Pose: centre x and directors d_1, d_2, d_3 (columns of F); velocity: v and w_i = d_i'. A material point X (in reference
principal axes from the centre of mass):

    position  x + X_i d_i,    velocity  v + X_i w_i,    no convective acceleration                        (1)

Directions that must stay a rigid triad (joint axes, wheel headings) turn with the rotation R of the polar
decomposition F = R U. With A = R^T F', A - A^T = [W]U + U[W] gives the body components W of its angular velocity:

    G W = a,   G = tr(U) I - U,   a = sum_i e_i x (R^T w_i)                                               (2)
    G W' = a' - G' W at w_i' = 0,  a' = - sum_i e_i x (W x R^T w_i),  G' = tr(U') I - U',  U' = A - [W] U  (3)

(3) is the convective angular acceleration. A torque t (world) does the work t . R W, so it acts on the directors with

    R (g x e_i),   G g = R^T t                                                                            (4)

and a force f at X acts on the centre with f and on director i with X_i f. The mass matrix is diagonal: m for v and the
director inertias m y^ii for w_i, MEDUSA report (1999), eq. (1.9).

Numbers of a body in the data pool, from ``body.data`` on: see the names below; G^-1 is scratch written by
:func:`polar_rotation`.
"""

from __future__ import annotations

from centrode.jit import step_kernel
from centrode.parts.bodies.codes import BODY_PSEUDO_RIGID
from centrode.parts.bodies.pseudo_rigid_energy import director_forces_damped, dissipated_power

LAME_FIRST, LAME_SECOND, VOLUME, RETARDATION, DIRECTOR_INERTIA, ROOT, INVERSE_ROOT, G_INVERSE, DATA_LENGTH = (
    0,
    1,
    2,
    3,
    4,
    7,
    10,
    13,
    22,
)


@step_kernel
def polar_rotation(pose, slot, b, offset, rotation, data):
    """R of F = R U by Newton's iteration R <- (R + R^-T)/2, and G^-1 of (2), from the directors."""
    a00 = pose[slot, 3]
    a10 = pose[slot, 4]
    a20 = pose[slot, 5]
    a01 = pose[slot, 6]
    a11 = pose[slot, 7]
    a21 = pose[slot, 8]
    a02 = pose[slot, 9]
    a12 = pose[slot, 10]
    a22 = pose[slot, 11]
    for _ in range(20):
        c00 = a11 * a22 - a12 * a21
        c01 = a12 * a20 - a10 * a22
        c02 = a10 * a21 - a11 * a20
        c10 = a02 * a21 - a01 * a22
        c11 = a00 * a22 - a02 * a20
        c12 = a01 * a20 - a00 * a21
        c20 = a01 * a12 - a02 * a11
        c21 = a02 * a10 - a00 * a12
        c22 = a00 * a11 - a01 * a10
        s = 1.0 / (a00 * c00 + a01 * c01 + a02 * c02)
        change = 0.0
        n00 = 0.5 * (a00 + s * c00)
        n01 = 0.5 * (a01 + s * c01)
        n02 = 0.5 * (a02 + s * c02)
        n10 = 0.5 * (a10 + s * c10)
        n11 = 0.5 * (a11 + s * c11)
        n12 = 0.5 * (a12 + s * c12)
        n20 = 0.5 * (a20 + s * c20)
        n21 = 0.5 * (a21 + s * c21)
        n22 = 0.5 * (a22 + s * c22)
        change = abs(n00 - a00) + abs(n11 - a11) + abs(n22 - a22) + abs(n01 - a01) + abs(n12 - a12) + abs(n20 - a20)
        a00, a01, a02 = n00, n01, n02
        a10, a11, a12 = n10, n11, n12
        a20, a21, a22 = n20, n21, n22
        if not change > 1e-9:  # quadratic convergence: the next change is below round-off
            break
    rotation[b, 0] = a00
    rotation[b, 1] = a01
    rotation[b, 2] = a02
    rotation[b, 3] = a10
    rotation[b, 4] = a11
    rotation[b, 5] = a12
    rotation[b, 6] = a20
    rotation[b, 7] = a21
    rotation[b, 8] = a22
    # U = R^T F, symmetric
    u00 = a00 * pose[slot, 3] + a10 * pose[slot, 4] + a20 * pose[slot, 5]
    u01 = a00 * pose[slot, 6] + a10 * pose[slot, 7] + a20 * pose[slot, 8]
    u02 = a00 * pose[slot, 9] + a10 * pose[slot, 10] + a20 * pose[slot, 11]
    u11 = a01 * pose[slot, 6] + a11 * pose[slot, 7] + a21 * pose[slot, 8]
    u12 = a01 * pose[slot, 9] + a11 * pose[slot, 10] + a21 * pose[slot, 11]
    u22 = a02 * pose[slot, 9] + a12 * pose[slot, 10] + a22 * pose[slot, 11]
    g00 = u11 + u22
    g11 = u00 + u22
    g22 = u00 + u11
    g01 = -u01
    g02 = -u02
    g12 = -u12
    c00 = g11 * g22 - g12 * g12
    c01 = g02 * g12 - g01 * g22
    c02 = g01 * g12 - g02 * g11
    s = 1.0 / (g00 * c00 + g01 * c01 + g02 * c02)
    k = offset + G_INVERSE
    data[k] = s * c00
    data[k + 1] = s * c01
    data[k + 2] = s * c02
    data[k + 3] = s * c01
    data[k + 4] = s * (g00 * g22 - g02 * g02)
    data[k + 5] = s * (g02 * g01 - g00 * g12)
    data[k + 6] = s * c02
    data[k + 7] = s * (g02 * g01 - g00 * g12)
    data[k + 8] = s * (g00 * g11 - g01 * g01)


@step_kernel
def place_pseudo_rigid(body, marker_table, pose, slot, b, rotation, data, markers):
    """Positions (1) and axes of the markers of one body."""
    if body.frames_needed > 1:
        polar_rotation(pose, slot, b, body.data, rotation, data)
    for m in range(body.first_marker, body.end_marker):
        marker = marker_table[m]
        for k in range(3):
            markers[m, k] = (
                pose[slot, k]
                + marker.position[0] * pose[slot, 3 + k]
                + marker.position[1] * pose[slot, 6 + k]
                + marker.position[2] * pose[slot, 9 + k]
            )
        if marker.with_frame != 0:
            for c in range(3):
                for r in range(3):
                    markers[m, 12 + 3 * r + c] = (
                        rotation[b, 3 * r] * marker.frame[c]
                        + rotation[b, 3 * r + 1] * marker.frame[3 + c]
                        + rotation[b, 3 * r + 2] * marker.frame[6 + c]
                    )


@step_kernel
def turn_of(vx, vy, vz, rotation, b):
    """R^T v."""
    return (
        rotation[b, 0] * vx + rotation[b, 3] * vy + rotation[b, 6] * vz,
        rotation[b, 1] * vx + rotation[b, 4] * vy + rotation[b, 7] * vz,
        rotation[b, 2] * vx + rotation[b, 5] * vy + rotation[b, 8] * vz,
    )


@step_kernel
def times_g_inverse(data, offset, x, y, z):
    """G^-1 applied to a vector in body components."""
    k = offset + G_INVERSE
    return (
        data[k] * x + data[k + 1] * y + data[k + 2] * z,
        data[k + 3] * x + data[k + 4] * y + data[k + 5] * z,
        data[k + 6] * x + data[k + 7] * y + data[k + 8] * z,
    )


@step_kernel
def move_pseudo_rigid(body, marker_table, pose, velocity, slot, b, rotation, data, markers):
    """Velocities (1); angular velocity (2) and its convective rate (3) where a marker has axes."""
    wx = wy = wz = 0.0
    cx = cy = cz = 0.0
    if body.frames_needed > 1:
        ax = ay = az = 0.0
        p0, p1, p2 = turn_of(velocity[slot, 3], velocity[slot, 4], velocity[slot, 5], rotation, b)
        q0, q1, q2 = turn_of(velocity[slot, 6], velocity[slot, 7], velocity[slot, 8], rotation, b)
        r0, r1, r2 = turn_of(velocity[slot, 9], velocity[slot, 10], velocity[slot, 11], rotation, b)
        # a = e1 x p + e2 x q + e3 x r
        ax = q2 - r1
        ay = r0 - p2
        az = p1 - q0
        ox, oy, oz = times_g_inverse(data, body.data, ax, ay, az)
        # a' = -sum e_i x (W x (R^T w_i))
        s1, s2 = oz * p0 - ox * p2, ox * p1 - oy * p0
        t0, t2 = oy * q2 - oz * q1, ox * q1 - oy * q0
        u0, u1 = oy * r2 - oz * r1, oz * r0 - ox * r2
        dx = -(t2 - u1)
        dy = -(u0 - s2)
        dz = -(s1 - t0)
        # U' = A - [W] U with A = R^T F' (columns p, q, r) and U = R^T F
        f0, f1, f2 = turn_of(pose[slot, 3], pose[slot, 4], pose[slot, 5], rotation, b)
        g0, g1, g2 = turn_of(pose[slot, 6], pose[slot, 7], pose[slot, 8], rotation, b)
        h0, h1, h2 = turn_of(pose[slot, 9], pose[slot, 10], pose[slot, 11], rotation, b)
        d00 = p0 - (oy * f2 - oz * f1)
        d10 = p1 - (oz * f0 - ox * f2)
        d20 = p2 - (ox * f1 - oy * f0)
        d01 = q0 - (oy * g2 - oz * g1)
        d11 = q1 - (oz * g0 - ox * g2)
        d21 = q2 - (ox * g1 - oy * g0)
        d02 = r0 - (oy * h2 - oz * h1)
        d12 = r1 - (oz * h0 - ox * h2)
        d22 = r2 - (ox * h1 - oy * h0)
        trace = d00 + d11 + d22
        dx -= trace * ox - (d00 * ox + d01 * oy + d02 * oz)
        dy -= trace * oy - (d10 * ox + d11 * oy + d12 * oz)
        dz -= trace * oz - (d20 * ox + d21 * oy + d22 * oz)
        ex, ey, ez = times_g_inverse(data, body.data, dx, dy, dz)
        wx = rotation[b, 0] * ox + rotation[b, 1] * oy + rotation[b, 2] * oz
        wy = rotation[b, 3] * ox + rotation[b, 4] * oy + rotation[b, 5] * oz
        wz = rotation[b, 6] * ox + rotation[b, 7] * oy + rotation[b, 8] * oz
        cx = rotation[b, 0] * ex + rotation[b, 1] * ey + rotation[b, 2] * ez
        cy = rotation[b, 3] * ex + rotation[b, 4] * ey + rotation[b, 5] * ez
        cz = rotation[b, 6] * ex + rotation[b, 7] * ey + rotation[b, 8] * ez
    for m in range(body.first_marker, body.end_marker):
        marker = marker_table[m]
        for k in range(3):
            markers[m, 3 + k] = (
                velocity[slot, k]
                + marker.position[0] * velocity[slot, 3 + k]
                + marker.position[1] * velocity[slot, 6 + k]
                + marker.position[2] * velocity[slot, 9 + k]
            )
        markers[m, 6] = wx
        markers[m, 7] = wy
        markers[m, 8] = wz
        markers[m, 21] = cx
        markers[m, 22] = cy
        markers[m, 23] = cz


@step_kernel
def torque_on_directors(rotation, b, data, offset, tx, ty, tz):
    """(4): the nine components R (g x e_i) of a torque in world axes."""
    px, py, pz = turn_of(tx, ty, tz, rotation, b)
    gx, gy, gz = times_g_inverse(data, offset, px, py, pz)
    # g x e1 = (0, gz, -gy), g x e2 = (-gz, 0, gx), g x e3 = (gy, -gx, 0)
    return (
        rotation[b, 1] * gz - rotation[b, 2] * gy,
        rotation[b, 4] * gz - rotation[b, 5] * gy,
        rotation[b, 7] * gz - rotation[b, 8] * gy,
        rotation[b, 2] * gx - rotation[b, 0] * gz,
        rotation[b, 5] * gx - rotation[b, 3] * gz,
        rotation[b, 8] * gx - rotation[b, 6] * gz,
        rotation[b, 0] * gy - rotation[b, 1] * gx,
        rotation[b, 3] * gy - rotation[b, 4] * gx,
        rotation[b, 6] * gy - rotation[b, 7] * gx,
    )


@step_kernel
def weigh_row_pseudo_rigid(body, marker, rotation, b, data, lx, ly, lz, tx, ty, tz, out):
    """One weighed row (twelve numbers) of a force part l and a torque part t at a marker."""
    out[0] = lx * body.inverse_root_mass
    out[1] = ly * body.inverse_root_mass
    out[2] = lz * body.inverse_root_mass
    for i in range(3):
        scale = marker.position[i] * data[body.data + INVERSE_ROOT + i]
        out[3 + 3 * i] = lx * scale
        out[4 + 3 * i] = ly * scale
        out[5 + 3 * i] = lz * scale
    if tx != 0.0 or ty != 0.0 or tz != 0.0:
        d = torque_on_directors(rotation, b, data, body.data, tx, ty, tz)
        for i in range(3):
            scale = data[body.data + INVERSE_ROOT + i]
            out[3 + 3 * i] += d[3 * i] * scale
            out[4 + 3 * i] += d[3 * i + 1] * scale
            out[5 + 3 * i] += d[3 * i + 2] * scale


@step_kernel
def weigh_forces_pseudo_rigid(
    body, b, slot, marker_table, data, gravity, pose, velocity, rotation, wrench, weighted_force
):
    """f~ of one body: gravity, wrenches at its markers, intrinsic director forces."""
    for k in range(3):
        weighted_force[b, k] = body.weight_mass * gravity[k]
    k9 = director_forces_damped(
        data[body.data + LAME_FIRST],
        data[body.data + LAME_SECOND],
        data[body.data + VOLUME],
        data[body.data + RETARDATION],
        pose[slot, 3],
        pose[slot, 4],
        pose[slot, 5],
        pose[slot, 6],
        pose[slot, 7],
        pose[slot, 8],
        pose[slot, 9],
        pose[slot, 10],
        pose[slot, 11],
        velocity[slot, 3],
        velocity[slot, 4],
        velocity[slot, 5],
        velocity[slot, 6],
        velocity[slot, 7],
        velocity[slot, 8],
        velocity[slot, 9],
        velocity[slot, 10],
        velocity[slot, 11],
    )
    for k in range(9):
        weighted_force[b, 3 + k] = -k9[k]
    for m in range(body.first_marker, body.end_marker):
        marker = marker_table[m]
        if marker.carries_force != 0:
            for k in range(3):
                f = wrench[m, k]
                weighted_force[b, k] += f
                weighted_force[b, 3 + k] += marker.position[0] * f
                weighted_force[b, 6 + k] += marker.position[1] * f
                weighted_force[b, 9 + k] += marker.position[2] * f
            if wrench[m, 3] != 0.0 or wrench[m, 4] != 0.0 or wrench[m, 5] != 0.0:
                d = torque_on_directors(rotation, b, data, body.data, wrench[m, 3], wrench[m, 4], wrench[m, 5])
                for k in range(9):
                    weighted_force[b, 3 + k] += d[k]
    for k in range(3):
        weighted_force[b, k] *= body.inverse_root_mass
    for i in range(3):
        for k in range(3):
            weighted_force[b, 3 + 3 * i + k] *= data[body.data + INVERSE_ROOT + i]


@step_kernel
def unweigh_pseudo_rigid(body, data, b, weighted, out):
    """Back from weighed components to accelerations (or displacements) of centre and directors."""
    for k in range(3):
        out[b - 1, k] = weighted[b, k] * body.inverse_root_mass
    for i in range(3):
        for k in range(3):
            out[b - 1, 3 + 3 * i + k] = weighted[b, 3 + 3 * i + k] * data[body.data + INVERSE_ROOT + i]


@step_kernel
def material_damping_power(bodies, data, pose, velocity):
    """Power that all pseudo-rigid bodies turn into heat [W], never negative."""
    total = 0.0
    for b in range(1, bodies.shape[0]):
        body = bodies[b]
        if body.kind != BODY_PSEUDO_RIGID or data[body.data + RETARDATION] == 0.0:
            continue
        slot = b - 1
        total += dissipated_power(
            data[body.data + LAME_FIRST],
            data[body.data + LAME_SECOND],
            data[body.data + VOLUME],
            data[body.data + RETARDATION],
            pose[slot, 3],
            pose[slot, 4],
            pose[slot, 5],
            pose[slot, 6],
            pose[slot, 7],
            pose[slot, 8],
            pose[slot, 9],
            pose[slot, 10],
            pose[slot, 11],
            velocity[slot, 3],
            velocity[slot, 4],
            velocity[slot, 5],
            velocity[slot, 6],
            velocity[slot, 7],
            velocity[slot, 8],
            velocity[slot, 9],
            velocity[slot, 10],
            velocity[slot, 11],
        )
    return total
