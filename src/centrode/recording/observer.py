"""Observer: turns the frames of a run into the named channels of a recording.

Channels of a body are those of the user's body frame, not of the engine's principal axes at the centre of mass.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from centrode.dynamics.observe import observe
from centrode.dynamics.workspace import Workspace
from centrode.math.rotation import quaternion_from_matrix
from centrode.parts.bodies.codes import BODY_PSEUDO_RIGID
from centrode.parts.kernel_types import LINK_INPUT
from centrode.recording.channel import Channel


class Observer:
    """Channels of a model and how to fill them.

    Args:
        model: the tables.
        template: workspace whose parameters, compliance and active rows are copied before each chunk.
    """

    def __init__(self, model: Any, template: Workspace) -> None:
        self.model = model
        self.template = template
        self.workspace = Workspace(model, audit=template.audit)
        self.sensor_names = list(model.sensors)
        self.sensor_markers = np.array([model.sensors[name] for name in self.sensor_names], dtype=np.int64)
        self.channels = self._channels()

    def _channels(self) -> list[Channel]:
        model = self.model
        found = []
        for name in model.body_names[1:]:
            if model.plane:
                found += [
                    Channel(f"{name}.position", "m", ("xy",), "world", "origin of the body frame"),
                    Channel(f"{name}.angle", "rad", (), "world", "counter-clockwise"),
                    Channel(f"{name}.velocity", "m/s", ("xy",), "world", "of the origin of the body frame"),
                    Channel(f"{name}.omega", "rad/s", (), "world", "angular velocity"),
                ]
            else:
                if model.body_rows[model.body_index(name)].code == BODY_PSEUDO_RIGID:
                    found += [
                        Channel(f"{name}.directors", "1", ("row", "column"), "world", "F, columns are the directors"),
                        Channel(f"{name}.director_rates", "1/s", ("row", "column"), "world", "F', columns w1 w2 w3"),
                    ]
                found += [
                    Channel(f"{name}.position", "m", ("xyz",), "world", "origin of the body frame"),
                    Channel(f"{name}.orientation", "1", ("wxyz",), "world", "quaternion, world from body"),
                    Channel(f"{name}.velocity", "m/s", ("xyz",), "world", "of the origin of the body frame"),
                    Channel(f"{name}.omega", "rad/s", ("xyz",), "body", "angular velocity"),
                ]
        for name in self.sensor_names:
            found += [
                Channel(f"{name}.position", "m", ("xyz",), "world", "of the point"),
                Channel(f"{name}.velocity", "m/s", ("xyz",), "world", "of the point"),
                Channel(f"{name}.acceleration", "m/s2", ("xyz",), "world", "of the point"),
                Channel(f"{name}.orientation", "1", ("wxyz",), "world", "quaternion, world from point frame"),
                Channel(f"{name}.omega", "rad/s", ("xyz",), "world", "angular velocity"),
                Channel(f"{name}.alpha", "rad/s2", ("xyz",), "world", "angular acceleration"),
            ]
        for joint in model.joints:
            found.append(Channel(f"{joint.name}.force", "N", ("xyz",), "world", "of the joint on its second body"))
            found.append(Channel(f"{joint.name}.torque", "N*m", ("xyz",), "world", "of the joint on its second body"))
            for name, unit in getattr(joint, "coordinate_names", ()):
                found.append(Channel(f"{joint.name}.{name}", unit, (), "", "joint coordinate"))
        for part, name, unit in model.state_names:
            if name.startswith("_"):  # integrated for the part's own use
                continue
            found.append(Channel(f"{part}.{name}", unit, (), "", "internal state"))
        for force in model.forces:
            for name in force.input_names:
                found.append(Channel(f"{force.name}.{name}", "1", (), "", "control input, in the unit of the drive"))
        found += [
            Channel("energy.kinetic", "J", (), "", "of all bodies"),
            Channel("energy.gravity", "J", (), "", "potential, zero at the world origin"),
            Channel("energy.stored", "J", (), "", "in forces, compliant joints and deformed bodies"),
            Channel("energy.total", "J", (), "", "kinetic + gravity + stored"),
            Channel("constraint.residual", "1", (), "", "largest open joint row [m, rad]"),
        ]
        if self.workspace.audit:
            for force in model.forces:
                found.append(Channel(f"{force.name}.work", "J", (), "", "done on the bodies since the start"))
                if force.energy_kernel is not None:
                    found.append(Channel(f"{force.name}.energy", "J", (), "", "stored"))
            found.append(
                Channel(
                    "work.joints",
                    "J",
                    (),
                    "",
                    "done by driven and compliant joints and by the damping of deformable bodies",
                )
            )
            found.append(
                Channel(
                    "energy.residual",
                    "J",
                    (),
                    "",
                    "change of kinetic and gravity energy minus all work: error of the run",
                )
            )
        return found

    def begin(self, frame: np.ndarray) -> None:
        """Remember the energy of the first frame, against which the audit is made."""
        self._start_energy = self._mechanical(frame[None, :])[0]

    def _mechanical(self, frames: np.ndarray) -> np.ndarray:
        self._refresh()
        found = observe(self.workspace, frames, self.sensor_markers[:0])
        return found.kinetic + found.gravity + found.elastic

    def _refresh(self) -> None:
        for name in (
            "bodies",
            "force_par",
            "joint_par",
            "compliance",
            "row_active",
            "inputs",
            "gravity",
            "data",
            "force_memory",
        ):
            self.workspace[name][:] = self.template[name]

    def columns(self, frames: np.ndarray) -> dict[str, np.ndarray]:
        """Channel name -> values for frame rows made with the template's present parameters."""
        self._refresh()
        model, count = self.model, frames.shape[0]
        moving, wp, wv = model.body_count, model.pose_width, model.velocity_width
        values = frames[:, 1 : 1 + self.workspace.values.size]
        pose = values[:, : moving * wp].reshape(count, moving, wp)
        velocity = values[:, moving * wp : moving * (wp + wv)].reshape(count, moving, wv)
        states = values[:, moving * (wp + wv) :]
        out: dict[str, np.ndarray] = {}
        for slot, name in enumerate(model.body_names[1:]):
            body_columns(out, name, model.body_rows[slot + 1], pose[:, slot], velocity[:, slot], model.plane)
        seen = observe(self.workspace, np.ascontiguousarray(frames), self.sensor_markers)
        for s, name in enumerate(self.sensor_names):
            marker = seen.markers[:, s]
            out[f"{name}.position"] = marker[:, 0:3]
            out[f"{name}.velocity"] = marker[:, 3:6]
            out[f"{name}.acceleration"] = seen.accelerations[:, s, :3]
            out[f"{name}.orientation"] = np.array([quaternion_from_matrix(m.reshape(3, 3)) for m in marker[:, 12:21]])
            out[f"{name}.omega"] = marker[:, 6:9]
            out[f"{name}.alpha"] = seen.accelerations[:, s, 3:6]
        memory_first = 1 + 2 * self.workspace.values.size + self.workspace["multipliers"].size
        memory = frames[:, memory_first : memory_first + self.workspace["joint_memory"].size]
        memory = memory.reshape(count, *self.workspace["joint_memory"].shape)
        for j, joint in enumerate(model.joints):
            out[f"{joint.name}.force"] = seen.reactions[:, j, :3]
            out[f"{joint.name}.torque"] = seen.reactions[:, j, 3:]
            for k, (name, _) in enumerate(getattr(joint, "coordinate_names", ())):
                out[f"{joint.name}.{name}"] = memory[:, j, k]
        for k, (part, name, _) in enumerate(model.state_names):
            if not name.startswith("_"):
                out[f"{part}.{name}"] = states[:, k]
        for i, force in enumerate(model.forces):
            for k, name in enumerate(force.input_names):
                value = self.template["inputs"][int(model.force_link[i, LINK_INPUT]) + k]
                out[f"{force.name}.{name}"] = np.full(count, value)
        stored = seen.stored.sum(axis=1) + seen.compliant + seen.elastic
        out["energy.kinetic"] = seen.kinetic
        out["energy.gravity"] = seen.gravity
        out["energy.stored"] = stored
        out["energy.total"] = seen.kinetic + seen.gravity + stored
        out["constraint.residual"] = seen.residual
        if self.workspace.audit:
            work = states[:, len(model.state_names) :]
            for i, force in enumerate(model.forces):
                out[f"{force.name}.work"] = work[:, i]
                if force.energy_kernel is not None:
                    out[f"{force.name}.energy"] = seen.stored[:, i]
            out["work.joints"] = work[:, -2] + work[:, -1]
            mechanical = seen.kinetic + seen.gravity + seen.elastic
            out["energy.residual"] = mechanical - self._start_energy - work.sum(axis=1)
        return out


def body_columns(
    out: dict[str, np.ndarray], name: str, row: Any, pose: np.ndarray, velocity: np.ndarray, plane: bool
) -> None:
    """Motion of the user's body frame from that of centre of mass and principal axes."""
    if plane:
        c, s = np.cos(pose[:, 2]), np.sin(pose[:, 2])
        offset = np.stack([c * row.centre[0] - s * row.centre[1], s * row.centre[0] + c * row.centre[1]], axis=1)
        out[f"{name}.position"] = pose[:, :2] - offset
        out[f"{name}.angle"] = pose[:, 2]
        turned = np.stack([-offset[:, 1], offset[:, 0]], axis=1)
        out[f"{name}.velocity"] = velocity[:, :2] - velocity[:, 2:3] * turned
        out[f"{name}.omega"] = velocity[:, 2]
        return
    if row.code == BODY_PSEUDO_RIGID:
        pseudo_rigid_columns(out, name, pose, velocity)
        return
    q = pose[:, 3:7]
    user_from_principal = quaternion_from_matrix(row.axes.T)
    orientation = multiply_quaternions(q, user_from_principal)
    omega = velocity[:, 3:6] @ row.axes.T
    offset = rotate(orientation, np.broadcast_to(row.centre, omega.shape))
    out[f"{name}.position"] = pose[:, :3] - offset
    out[f"{name}.orientation"] = orientation
    out[f"{name}.velocity"] = velocity[:, :3] - np.cross(rotate(orientation, omega), offset)
    out[f"{name}.omega"] = omega


def pseudo_rigid_columns(out: dict[str, np.ndarray], name: str, pose: np.ndarray, velocity: np.ndarray) -> None:
    """Directors, and orientation and angular velocity by the polar decomposition F = R U."""
    directors = pose[:, 3:12].reshape(-1, 3, 3).transpose(0, 2, 1)
    rates = velocity[:, 3:12].reshape(-1, 3, 3).transpose(0, 2, 1)
    left, _, right = np.linalg.svd(directors)
    rotation = left @ right
    stretch = rotation.transpose(0, 2, 1) @ directors
    a = rotation.transpose(0, 2, 1) @ rates
    axial = np.stack([a[:, 2, 1] - a[:, 1, 2], a[:, 0, 2] - a[:, 2, 0], a[:, 1, 0] - a[:, 0, 1]], axis=1)
    g = np.trace(stretch, axis1=1, axis2=2)[:, None, None] * np.eye(3) - stretch
    out[f"{name}.directors"] = directors
    out[f"{name}.director_rates"] = rates
    out[f"{name}.position"] = pose[:, :3]
    out[f"{name}.orientation"] = np.array([quaternion_from_matrix(m) for m in rotation])
    out[f"{name}.velocity"] = velocity[:, :3]
    out[f"{name}.omega"] = np.linalg.solve(g, axial[:, :, None])[:, :, 0]


def multiply_quaternions(q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Hamilton products of rows of q with p (one quaternion or rows)."""
    p = np.broadcast_to(p, q.shape)
    w = q[:, :1] * p[:, :1] - np.sum(q[:, 1:] * p[:, 1:], axis=1, keepdims=True)
    v = q[:, :1] * p[:, 1:] + p[:, :1] * q[:, 1:] + np.cross(q[:, 1:], p[:, 1:])
    return np.hstack([w, v])


def rotate(q: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Rows of ``vectors`` turned by the quaternions in rows of q (world from body)."""
    t = 2.0 * np.cross(q[:, 1:], vectors)
    return vectors + q[:, :1] * t + np.cross(q[:, 1:], t)
