"""From the frames of a run to what a user wants to see: marker motion, reactions, energies.

Frames hold the state, its rates and the multipliers; everything else follows from one more evaluation per frame,
done here in compiled code after the run loop, so that the loop itself carries nothing that is only looked at.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from centrode.dynamics.bodies import accelerate_markers, measure_energy
from centrode.dynamics.contact.tables import borrow_contacts
from centrode.dynamics.evaluate import rates_at
from centrode.dynamics.frames import read_frame
from centrode.dynamics.rows import row_speed
from centrode.dynamics.workspace import Workspace
from centrode.jit import call_by_address, step_kernel, types
from centrode.math.vector import dot, norm, vector
from centrode.parts.kernel_types import (
    ENERGY_SIGNATURE,
    JOINT_COMPLIANT,
    JOINT_MARKER_B,
    JOINT_ROWS,
    LINK_MARKERS,
    MARKER_WIDTH,
)
from centrode.parts.tables import borrow, call_share, contact_notes
from centrode.system.model import Model

call_energy = call_by_address(ENERGY_SIGNATURE)


class Observations(NamedTuple):
    """What :func:`observe` finds, one row per frame.

    Attributes:
        markers: motion of the chosen markers, (frames, sensors, 24), see ``parts.kernel_types``.
        wrenches: what forces do at them, world, (frames, sensors, 6).
        accelerations: their acceleration and angular acceleration, world, (frames, sensors, 6).
        reactions: force and torque of each joint on body b at its marker, world, (frames, joints, 6).
        pushes: force at the markers that forces name for it (``Force.recorded_marker``), world, (frames, markers, 3).
        stored: energy stored in each force [J], (frames, forces).
        carriers: force of all contacts on each body that has outlines, world [N], (frames, carriers, 3).
        pairs: of the pairs of bodies that are shown one by one: force on the second along the normals and across them,
            world [N], and the place where it acts [m], zeros while they do not touch, (frames, pairs, 9).
        contacts: energy stored in all contacts [J], the part that bristles hold, and what went through since the start,
            (frames, 3).
        bodies: kinetic, gravity and elastic energy of all bodies [J], (frames, 3); gravity is zero at the origin.
        compliant: energy of the compliant joints [J], (frames,).
        residual: largest |phi| of all rows of the exact joints, those left out among them, (frames,).
        slip: largest |J v + nu| of these rows [m/s, rad/s], (frames,).
        worst: number of the joint with the largest |phi|, or with the largest |J v + nu| when none is open, (frames,).
    """

    markers: np.ndarray
    wrenches: np.ndarray
    accelerations: np.ndarray
    reactions: np.ndarray
    pushes: np.ndarray
    carriers: np.ndarray
    pairs: np.ndarray
    stored: np.ndarray
    contacts: np.ndarray
    bodies: np.ndarray
    compliant: np.ndarray
    residual: np.ndarray
    slip: np.ndarray
    worst: np.ndarray


OBSERVATIONS = types.NamedTuple(
    (*(types.floats3,) * 7, *(types.floats2,) * 3, *(types.floats1,) * 3, types.integers1), Observations
)


@step_kernel(
    signature=types.void(
        types.floats2, types.integers1, types.integers1, types.integers2, OBSERVATIONS, types.int64
    )
)  # fmt: skip
def observe_frames(frames, sensors, pushed, shown, seen, tables):
    """Fill the observations, frame by frame."""
    t = borrow(tables)
    for f in range(frames.shape[0]):
        time = frames[f, 0]
        read_frame(frames[f], tables)
        rates_at(time, False, tables)
        accelerate_markers(tables)
        for s in range(sensors.size):
            m = sensors[s]
            for c in range(t.markers.shape[1]):
                seen.markers[f, s, c] = t.markers[m, c]
            for c in range(6):
                seen.accelerations[f, s, c] = t.marker_acceleration[m, c]
                seen.wrenches[f, s, c] = t.wrench[m, c]
        for s in range(pushed.size):
            for c in range(3):
                seen.pushes[f, s, c] = t.wrench[pushed[s], c]
        observe_joints(f, seen, tables)
        ask_energy(time, seen.stored[f], tables)
        if t.push_contacts != 0:
            notes = contact_notes(t.contact_memory, 0)
            seen.contacts[f, 0] = notes.stored
            seen.contacts[f, 1] = notes.stretched
            seen.contacts[f, 2] = notes.passed
            for e in range(seen.carriers.shape[1]):
                for c in range(3):
                    seen.carriers[f, e, c] = t.state_rate[t.contact_state + 3 * e + c]
            if seen.pairs.shape[1] > 0:
                observe_pairs(seen.pairs[f], shown, t.contacts)
        measure_energy(tables)
        for k in range(3):
            seen.bodies[f, k] = t.energy[k]


@step_kernel
def observe_pairs(rows, shown, contacts):
    """Forces between two bodies, all their outlines together, and the mean place by the size of the forces."""
    t = borrow_contacts(contacts)
    for q in range(rows.shape[0]):
        size = 0.0
        for k in range(t.head[0].count):
            pair = t.near[k]
            i, j = t.outlines[pair.a].body, t.outlines[pair.b].body
            if not (min(i, j) == shown[q, 0] and max(i, j) == shown[q, 1]):
                continue
            force, n, place = vector(pair.force, 0), vector(pair.normal, 0), vector(pair.point, 0)
            share, sign, along = norm(force), 1.0 if i < j else -1.0, dot(force, n)
            for c in range(3):
                rows[q, c] += sign * along * n[c]
                rows[q, 3 + c] += sign * (force[c] - along * n[c])
                rows[q, 6 + c] += share * place[c]
            size += share
        if size > 0.0:
            for c in range(6, 9):
                rows[q, c] /= size


@step_kernel
def observe_joints(f, seen, tables):
    """Reactions, energy of compliant joints and the largest open row of a frame."""
    t = borrow(tables)
    residual, slip, compliant = 0.0, 0.0, 0.0
    worst, slipping = 0, 0
    if t.share_load != 0 and left_out(tables):
        call_share(t.share_load, (tables,))
    for j in range(t.joint_link.shape[0]):
        soft = t.joint_link[j, JOINT_COMPLIANT] != 0
        rows = t.joint_link[j, JOINT_ROWS]
        for c in range(6):
            total = 0.0
            if soft:
                total = t.wrench[t.joint_link[j, JOINT_MARKER_B], c]
            else:
                for r in range(rows):
                    total -= t.multipliers[j, r] * t.jacobian[j, 1, r, c]
            seen.reactions[f, j, c] = total
        for r in range(rows):
            if soft:
                compliant += 0.5 * t.row_active[j, r] * t.compliance[j, r, 0] * t.terms[j, r, 0] ** 2
            elif t.row_active[j, r] != 0.0 or (t.share_load != 0 and t.choice[j, r] < 0.0):
                speed = abs(row_speed(j, r, t.jacobian.shape[1], t))
                if not abs(t.terms[j, r, 0]) <= residual:
                    residual, worst = abs(t.terms[j, r, 0]), j
                if not speed <= slip:
                    slip, slipping = speed, j
    seen.compliant[f] = compliant
    seen.residual[f] = residual
    seen.slip[f] = slip
    seen.worst[f] = worst if residual > slip else slipping


@step_kernel
def left_out(tables):
    """Whether some row is left out as redundant."""
    t = borrow(tables)
    found = False
    for j in t.exact_joints:
        for r in range(t.choice.shape[1]):
            found |= t.choice[j, r] < 0.0
    return found


@step_kernel
def ask_energy(time, stored, tables):
    """Let every kind of force that stores energy say how much."""
    t = borrow(tables)
    for span in t.force_spans:
        if span.energy != 0:
            call_energy(
                span.energy,
                (
                    time, span.first, span.count, t.force_par, t.force_link, t.data, t.inputs, t.force_memory,
                    t.markers, t.states, stored,
                ),
            )  # fmt: skip


def pushed_markers(model: Model) -> np.ndarray:
    """Markers of the forces whose push is recorded, in the order of the forces."""
    found = [
        model.force_link[i, LINK_MARKERS + force.recorded_marker]
        for i, force in enumerate(model.forces)
        if force.recorded_marker is not None
    ]
    return np.array(found, dtype=np.int64)


def observe(workspace: Workspace, frames: np.ndarray, sensors: np.ndarray) -> Observations:
    """Evaluate every frame once more and collect what is looked at.

    Args:
        workspace: of the model that made the frames; its values are overwritten.
        frames: see :mod:`centrode.dynamics.frames`.
        sensors: marker numbers to report.
    """
    model = workspace.model
    pushed = pushed_markers(model)
    carriers = 0 if model.contacts is None else len(model.contacts.carriers)
    shown = np.array([] if model.contacts is None else model.contacts.shown_pairs(), dtype=np.int64).reshape(-1, 2)
    count = frames.shape[0]
    found = Observations(
        markers=np.zeros((count, sensors.size, MARKER_WIDTH)),
        wrenches=np.zeros((count, sensors.size, 6)),
        accelerations=np.zeros((count, sensors.size, 6)),
        reactions=np.zeros((count, len(model.joints), 6)),
        pushes=np.zeros((count, pushed.size, 3)),
        carriers=np.zeros((count, carriers, 3)),
        pairs=np.zeros((count, len(shown), 9)),
        stored=np.zeros((count, len(model.forces))),
        contacts=np.zeros((count, 3)),
        bodies=np.zeros((count, 3)),
        compliant=np.zeros(count),
        residual=np.zeros(count),
        slip=np.zeros(count),
        worst=np.zeros(count, dtype=np.int64),
    )
    observe_frames(frames, sensors, pushed, shown, found, workspace.address)
    return found
