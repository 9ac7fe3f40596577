"""From the frames of a run to what a user wants to see: marker motion, reactions, energies.

Frames hold the state, its rates and the multipliers; everything else follows from one more evaluation per frame,
done here in compiled code after the run loop, so that the loop itself carries nothing that is only looked at.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from centrode.dynamics.evaluate import rates_at
from centrode.dynamics.pseudo_rigid import DIRECTOR_INERTIA, LAME_FIRST, LAME_SECOND, VOLUME
from centrode.dynamics.workspace import Workspace
from centrode.jit import JIT_ON, address_of, call_by_address, step_kernel
from centrode.parts.bodies.codes import BODY_FULL_MASS, BODY_PLANAR, BODY_PSEUDO_RIGID
from centrode.parts.bodies.pseudo_rigid_energy import elastic_energy
from centrode.parts.kernel_types import ENERGY_SIGNATURE, JOINT_MARKER_A, JOINT_ROWS

call_energy = call_by_address(ENERGY_SIGNATURE)


@dataclass
class Observations:
    """What :func:`observe` finds, one row per frame.

    Attributes:
        markers: motion of the chosen markers, (frames, sensors, 24), see ``parts.kernel_types``.
        accelerations: their acceleration and angular acceleration, world, (frames, sensors, 6).
        reactions: force and torque of each joint on body b at its marker, world, (frames, joints, 6).
        stored: energy stored in each force [J], (frames, forces).
        kinetic, gravity, compliant: energies [J], (frames,); gravity is zero at the world origin.
        residual: largest |phi| of the exact joints, (frames,).
        elastic: strain energy of pseudo-rigid bodies [J], (frames,).
    """

    markers: np.ndarray
    accelerations: np.ndarray
    reactions: np.ndarray
    stored: np.ndarray
    kinetic: np.ndarray
    gravity: np.ndarray
    compliant: np.ndarray
    residual: np.ndarray
    elastic: np.ndarray


@step_kernel
def body_energy(bodies, data, gravity, pose, velocity, rotation):
    """Kinetic energy, potential of gravity and elastic energy of all bodies [J]."""
    kinetic = 0.0
    potential = 0.0
    elastic = 0.0
    for b in range(1, bodies.shape[0]):
        body = bodies[b]
        slot = b - 1
        if body.kind == BODY_PLANAR:
            kinetic += 0.5 * body.mass * (velocity[slot, 0] ** 2 + velocity[slot, 1] ** 2)
            kinetic += 0.5 * body.inertia[2] * velocity[slot, 2] ** 2
            potential -= body.weight_mass * (gravity[0] * pose[slot, 0] + gravity[1] * pose[slot, 1])
            continue
        for k in range(3):
            potential -= body.weight_mass * gravity[k] * pose[slot, k]
        if body.kind == BODY_PSEUDO_RIGID:
            for k in range(3):
                kinetic += 0.5 * body.mass * velocity[slot, k] ** 2
                for i in range(3):
                    kinetic += 0.5 * data[body.data + DIRECTOR_INERTIA + i] * velocity[slot, 3 + 3 * i + k] ** 2
            elastic += elastic_energy(
                data[body.data + LAME_FIRST],
                data[body.data + LAME_SECOND],
                data[body.data + VOLUME],
                pose[slot, 3],
                pose[slot, 4],
                pose[slot, 5],
                pose[slot, 6],
                pose[slot, 7],
                pose[slot, 8],
                pose[slot, 9],
                pose[slot, 10],
                pose[slot, 11],
            )
            continue
        if body.kind == BODY_FULL_MASS:
            for i in range(6):
                for j in range(6):
                    vi = velocity[slot, i]
                    vj = velocity[slot, j]
                    if i < 3:
                        vi = (
                            rotation[b, i] * velocity[slot, 0]
                            + rotation[b, 3 + i] * velocity[slot, 1]
                            + rotation[b, 6 + i] * velocity[slot, 2]
                        )
                    if j < 3:
                        vj = (
                            rotation[b, j] * velocity[slot, 0]
                            + rotation[b, 3 + j] * velocity[slot, 1]
                            + rotation[b, 6 + j] * velocity[slot, 2]
                        )
                    kinetic += 0.5 * data[body.data + 6 * i + j] * vi * vj
        else:
            for k in range(3):
                kinetic += 0.5 * body.mass * velocity[slot, k] ** 2
                kinetic += 0.5 * body.inertia[k] * velocity[slot, 3 + k] ** 2
    return kinetic, potential, elastic


@step_kernel
def observe_frames(
    evaluate_call,
    energy_calls,
    energy_spans,
    frames,
    values,
    sensors,
    joint_link,
    joint_memory,
    compliance,
    row_active,
    bodies,
    marker_table,
    data,
    gravity,
    inputs,
    force_par,
    force_link,
    force_memory,
    pose,
    velocity,
    acceleration,
    states,
    rotation,
    markers,
    wrench,
    jacobian,
    terms,
    multipliers,
    out_markers,
    out_accelerations,
    out_reactions,
    out_stored,
    out_totals,
    tables,
):
    """Fill the output arrays, frame by frame."""
    n = values.size
    for f in range(frames.shape[0]):
        for i in range(n):
            values[i] = frames[f, 1 + i]
        place = 1 + 2 * n + multipliers.size
        for j in range(joint_memory.shape[0]):
            for c in range(joint_memory.shape[1]):
                joint_memory[j, c] = frames[f, place]
                place += 1
        for j in range(force_memory.shape[0]):
            for c in range(force_memory.shape[1]):
                force_memory[j, c] = frames[f, place]
                place += 1
        for j in range(row_active.shape[0]):
            for r in range(row_active.shape[1]):
                row_active[j, r] = frames[f, place]
                place += 1
        rates_at(frames[f, 0], False, evaluate_call, tables)
        for s in range(sensors.size):
            m = sensors[s]
            for c in range(markers.shape[1]):
                out_markers[f, s, c] = markers[m, c]
            marker_acceleration(m, bodies, marker_table, pose, acceleration, rotation, markers, out_accelerations[f, s])
        residual = 0.0
        compliant = 0.0
        for j in range(joint_link.shape[0]):
            m = joint_link[j, JOINT_MARKER_A + 1]
            for c in range(6):
                if joint_link[j, 7] != 0:
                    out_reactions[f, j, c] = wrench[m, c]
                else:
                    total = 0.0
                    for r in range(joint_link[j, JOINT_ROWS]):
                        total -= multipliers[j, r] * jacobian[j, 1, r, c]
                    out_reactions[f, j, c] = total
            for r in range(joint_link[j, JOINT_ROWS]):
                if row_active[j, r] != 0.0:
                    if joint_link[j, 7] != 0:
                        compliant += 0.5 * compliance[j, r, 0] * terms[j, r, 0] ** 2
                    elif abs(terms[j, r, 0]) > residual:
                        residual = abs(terms[j, r, 0])
        for k in range(energy_spans.shape[0]):
            call_energy(
                energy_calls[k],
                (
                    frames[f, 0],
                    energy_spans[k, 0],
                    energy_spans[k, 1],
                    force_par,
                    force_link,
                    data,
                    inputs,
                    force_memory,
                    markers,
                    states,
                    out_stored[f],
                ),
            )
        kinetic, potential, elastic = body_energy(bodies, data, gravity, pose, velocity, rotation)
        out_totals[f, 0] = kinetic
        out_totals[f, 1] = potential
        out_totals[f, 2] = compliant
        out_totals[f, 3] = residual
        out_totals[f, 4] = elastic


@step_kernel
def marker_acceleration(m, bodies, marker_table, pose, acceleration, rotation, markers, out):
    """Acceleration and angular acceleration of a marker in the world frame."""
    b = marker_table[m].body
    for c in range(6):
        out[c] = 0.0
    if b == 0:
        return
    slot = b - 1
    if bodies[b].kind == BODY_PLANAR:
        rx = markers[m, 0] - pose[slot, 0]
        ry = markers[m, 1] - pose[slot, 1]
        alpha = acceleration[slot, 2]
        out[0] = acceleration[slot, 0] - alpha * ry + markers[m, 9]
        out[1] = acceleration[slot, 1] + alpha * rx + markers[m, 10]
        out[5] = alpha
        return
    if bodies[b].kind == BODY_PSEUDO_RIGID:
        position = marker_table[m].position
        for k in range(3):
            out[k] = acceleration[slot, k]
            for i in range(3):
                out[k] += position[i] * acceleration[slot, 3 + 3 * i + k]
        return
    rx = markers[m, 0] - pose[slot, 0]
    ry = markers[m, 1] - pose[slot, 1]
    rz = markers[m, 2] - pose[slot, 2]
    ax = acceleration[slot, 3]
    ay = acceleration[slot, 4]
    az = acceleration[slot, 5]
    tx = rotation[b, 0] * ax + rotation[b, 1] * ay + rotation[b, 2] * az
    ty = rotation[b, 3] * ax + rotation[b, 4] * ay + rotation[b, 5] * az
    tz = rotation[b, 6] * ax + rotation[b, 7] * ay + rotation[b, 8] * az
    wx = markers[m, 6]
    wy = markers[m, 7]
    wz = markers[m, 8]
    ux = wy * rz - wz * ry
    uy = wz * rx - wx * rz
    uz = wx * ry - wy * rx
    # The state's own acceleration already holds every convective part of the body's origin.
    out[0] = acceleration[slot, 0] + ty * rz - tz * ry + wy * uz - wz * uy
    out[1] = acceleration[slot, 1] + tz * rx - tx * rz + wz * ux - wx * uz
    out[2] = acceleration[slot, 2] + tx * ry - ty * rx + wx * uy - wy * ux
    out[3] = tx
    out[4] = ty
    out[5] = tz


def observe(workspace: Workspace, frames: np.ndarray, sensors: np.ndarray) -> Observations:
    """Evaluate every frame once more and collect what is looked at.

    Args:
        workspace: of the model that made the frames; its values are overwritten.
        frames: frame rows, see ``methods.method.frame_width``.
        sensors: marker numbers to report.
    """
    model = workspace.model
    count = frames.shape[0]
    kinds = zip(model.energy_kernels, model.force_spans[:, :2], strict=True)
    present = [(k, span) for k, span in kinds if k is not None]
    calls = [address_of(k) for k, _ in present]
    spans = np.array([span for _, span in present], dtype=np.int64).reshape(-1, 2)
    found = Observations(
        np.zeros((count, sensors.size, 24)),
        np.zeros((count, sensors.size, 6)),
        np.zeros((count, len(model.joints), 6)),
        np.zeros((count, len(model.forces))),
        *(np.zeros(0) for _ in range(5)),
    )
    totals = np.zeros((count, 5))
    w = workspace
    observe_frames(
        w.evaluate_call,
        np.array(calls, dtype=np.int64) if JIT_ON else calls,
        spans,
        frames,
        w.values,
        sensors,
        w["joint_link"],
        w["joint_memory"],
        w["compliance"],
        w["row_active"],
        w["bodies"],
        w["marker_table"],
        w["data"],
        w["gravity"],
        w["inputs"],
        w["force_par"],
        w["force_link"],
        w["force_memory"],
        w["pose"],
        w["velocity"],
        w["acceleration"],
        w["states"],
        w["rotation"],
        w["markers"],
        w["wrench"],
        w["jacobian"],
        w["terms"],
        w["multipliers"],
        found.markers,
        found.accelerations,
        found.reactions,
        found.stored,
        totals,
        w.tables,
    )
    found.kinetic, found.gravity, found.compliant, found.residual, found.elastic = totals.T
    return found
