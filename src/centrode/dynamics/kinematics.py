"""Stage *kinematics*: from poses and velocities of bodies to rotation matrices and marker states.

Rigid body with centre of mass x, orientation R, velocity v (world), angular velocity w (body axes); marker at s in
body axes, r = R s, W = R w:

    position     x + r                        (1)
    velocity     v + W x r                    (2)
    convective   W x (W x r)                  (3)

A planar body is the same with R a rotation about z. On a body that turns rigidly the convective angular
acceleration is zero, because the angular acceleration in world axes is R w'.
"""

from __future__ import annotations

import math

from centrode.dynamics.pseudo_rigid import move_pseudo_rigid, place_pseudo_rigid
from centrode.jit import step_kernel
from centrode.math.rotation import quaternion_matrix
from centrode.parts.bodies.codes import BODY_FULL_MASS, BODY_PLANAR, BODY_PSEUDO_RIGID


@step_kernel
def place(bodies, marker_table, data, pose, rotation, markers):
    """Rotation matrices, marker positions and marker axes from the poses."""
    for b in range(1, bodies.shape[0]):
        body = bodies[b]
        if body.frames_needed == 0:
            continue
        slot = b - 1
        if body.kind == BODY_PSEUDO_RIGID:
            place_pseudo_rigid(body, marker_table, pose, slot, b, rotation, data, markers)
            continue
        if body.kind == BODY_PLANAR:
            c = math.cos(pose[slot, 2])
            s = math.sin(pose[slot, 2])
            r00, r01, r02, r10, r11, r12, r20, r21, r22 = c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0
            x, y, z = pose[slot, 0], pose[slot, 1], 0.0
        else:
            r00, r01, r02, r10, r11, r12, r20, r21, r22 = quaternion_matrix(
                pose[slot, 3], pose[slot, 4], pose[slot, 5], pose[slot, 6]
            )
            x, y, z = pose[slot, 0], pose[slot, 1], pose[slot, 2]
        rotation[b, 0] = r00
        rotation[b, 1] = r01
        rotation[b, 2] = r02
        rotation[b, 3] = r10
        rotation[b, 4] = r11
        rotation[b, 5] = r12
        rotation[b, 6] = r20
        rotation[b, 7] = r21
        rotation[b, 8] = r22
        for m in range(body.first_marker, body.end_marker):
            marker = marker_table[m]
            sx = marker.position[0]
            sy = marker.position[1]
            sz = marker.position[2]
            markers[m, 0] = x + r00 * sx + r01 * sy + r02 * sz
            markers[m, 1] = y + r10 * sx + r11 * sy + r12 * sz
            markers[m, 2] = z + r20 * sx + r21 * sy + r22 * sz
            if marker.with_frame != 0:
                for c_ in range(3):
                    f0 = marker.frame[c_]
                    f1 = marker.frame[3 + c_]
                    f2 = marker.frame[6 + c_]
                    markers[m, 12 + c_] = r00 * f0 + r01 * f1 + r02 * f2
                    markers[m, 15 + c_] = r10 * f0 + r11 * f1 + r12 * f2
                    markers[m, 18 + c_] = r20 * f0 + r21 * f1 + r22 * f2


@step_kernel
def move(bodies, marker_table, data, pose, velocity, rotation, markers):
    """Marker velocities and convective accelerations; needs the result of :func:`place`."""
    for b in range(1, bodies.shape[0]):
        body = bodies[b]
        first, end = body.first_marker, body.end_marker
        if first == end:
            continue
        slot = b - 1
        if body.kind == BODY_PSEUDO_RIGID:
            move_pseudo_rigid(body, marker_table, pose, velocity, slot, b, rotation, data, markers)
            continue
        vx, vy = velocity[slot, 0], velocity[slot, 1]
        if body.kind == BODY_PLANAR:
            w = velocity[slot, 2]
            for m in range(first, end):
                rx = markers[m, 0] - pose[slot, 0]
                ry = markers[m, 1] - pose[slot, 1]
                markers[m, 3] = vx - w * ry
                markers[m, 4] = vy + w * rx
                markers[m, 8] = w
                markers[m, 9] = -w * w * rx
                markers[m, 10] = -w * w * ry
        else:
            vz = velocity[slot, 2]
            w0, w1, w2 = velocity[slot, 3], velocity[slot, 4], velocity[slot, 5]
            wx = rotation[b, 0] * w0 + rotation[b, 1] * w1 + rotation[b, 2] * w2
            wy = rotation[b, 3] * w0 + rotation[b, 4] * w1 + rotation[b, 5] * w2
            wz = rotation[b, 6] * w0 + rotation[b, 7] * w1 + rotation[b, 8] * w2
            cx = 0.0
            cy = 0.0
            cz = 0.0
            if body.kind == BODY_FULL_MASS:
                # Its accelerations are those of the body-axes velocity; the turning of the axes is convective.
                cx = wy * vz - wz * vy
                cy = wz * vx - wx * vz
                cz = wx * vy - wy * vx
            for m in range(first, end):
                rx = markers[m, 0] - pose[slot, 0]
                ry = markers[m, 1] - pose[slot, 1]
                rz = markers[m, 2] - pose[slot, 2]
                ux = wy * rz - wz * ry  # W x r
                uy = wz * rx - wx * rz
                uz = wx * ry - wy * rx
                markers[m, 3] = vx + ux  # (2)
                markers[m, 4] = vy + uy
                markers[m, 5] = vz + uz
                markers[m, 6] = wx
                markers[m, 7] = wy
                markers[m, 8] = wz
                markers[m, 9] = cx + wy * uz - wz * uy  # (3)
                markers[m, 10] = cy + wz * ux - wx * uz
                markers[m, 11] = cz + wx * uy - wy * ux
