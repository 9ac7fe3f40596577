"""Observer: turns the frames of a run into the named channels of a recording.

Channels of a body are those of the user's body frame, not of the engine's principal axes at the centre of mass.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from centrode.dynamics.contact.contacts import STATE_MEANINGS
from centrode.dynamics.contact.dents import dents_of, lay_stations
from centrode.dynamics.observe import Observations, observe
from centrode.dynamics.workspace import Workspace
from centrode.math.rotation import quaternions_from_matrices
from centrode.parts.kernel_types import LINK_INPUT, LINK_MARKER_COUNT, LINK_MARKERS
from centrode.parts.structures.stations import SIDE_STATIONS
from centrode.recording.channel import Channel

_SENSOR = (
    ("position", "m", "xyz", "of the point"),
    ("velocity", "m/s", "xyz", "of the point"),
    ("acceleration", "m/s2", "xyz", "of the point"),
    ("orientation", "1", "wxyz", "quaternion, world from point frame"),
    ("omega", "rad/s", "xyz", "angular velocity"),
    ("alpha", "rad/s2", "xyz", "angular acceleration"),
)
_COPIED = (
    "bodies force_par joint_par compliance row_active choice inputs gravity data force_memory contact_memory".split()
)


def input_slots(model: Any) -> dict[tuple[str, str], int]:
    """(name of a force, name of its input) -> place among the control inputs."""
    return {
        (force.name, name): int(link[LINK_INPUT]) + k
        for force, link in zip(model.forces, model.force_link, strict=False)
        for k, name in enumerate(force.input_names)
    }


class Observer:
    """Channels of a model and how to fill them.

    Args:
        model: the tables.
        template: workspace whose parameters, compliance and active rows are copied before each chunk.

    Attributes:
        seen: what was observed of the last frames that were turned into columns.
        fastest: largest velocity in them [m/s, rad/s].
    """

    seen: Observations
    fastest: float

    def __init__(self, model: Any, template: Workspace) -> None:
        self.model = model
        self.template = template
        self.workspace = Workspace(model, audit=template.audit)
        self.sensor_names = list(model.sensors)
        self.sensor_markers = np.array([model.sensors[name] for name in self.sensor_names], dtype=np.int64)
        self.watched = [(i, force) for i, force in enumerate(model.forces) if force.channels()]
        """Forces that show more than energy and work, with their numbers."""
        own = [model.force_link[i, LINK_MARKERS:][: model.force_link[i, LINK_MARKER_COUNT]] for i, _ in self.watched]
        self.looked_at = np.concatenate([self.sensor_markers, *own])
        self.inputs = input_slots(model)
        self.stations = lay_stations(model.contacts.tables) if model.contacts is not None else None
        self.pushing = [force for force in model.forces if force.recorded_marker is not None]
        self.channels = self._channels()

    def _channels(self) -> list[Channel]:
        model = self.model
        found = []
        for name, body in zip(model.body_names[1:], model.body_parts, strict=True):
            found += [Channel(f"{name}.{what}", *note) for what, *note in body.channels()]
        for name in self.sensor_names:
            found += [Channel(f"{name}.{what}", unit, (dim,), "world", text) for what, unit, dim, text in _SENSOR]
        for joint in model.joints:
            found.append(Channel(f"{joint.name}.force", "N", ("xyz",), "world", "of the joint on its second body"))
            found.append(Channel(f"{joint.name}.torque", "N*m", ("xyz",), "world", "of the joint on its second body"))
            for name, unit in joint.coordinate_names:
                found.append(Channel(f"{joint.name}.{name}", unit, (), "", "joint coordinate"))
        for _, force in self.watched:
            found += [Channel(f"{force.name}.{what}", *note) for what, *note in force.channels()]
        for force in self.pushing:
            found.append(Channel(f"{force.name}.force", "N", ("xyz",), "world", "of the contact on the body"))
        for part, name, unit in model.state_names:
            if not name.startswith("_"):  # those are integrated for the part's own use
                of_contacts = model.contacts is not None and part in (model.contacts.name, *model.contacts.carriers)
                words = STATE_MEANINGS.get(name, "internal state") if of_contacts else "internal state"
                found.append(Channel(f"{part}.{name}", unit, (), "", words))
        if model.contacts is not None:
            words = "of all contacts on the body; with moreau the mean of the last step"
            found += [Channel(f"{name}.force", "N", ("xyz",), "world", words) for name in model.contacts.carriers]
            for pair, last in self._pairs():
                words = f"of contacts on '{last}', "
                found += [
                    Channel(f"{pair}.normal_force", "N", ("xyz",), "world", words + "along their normals"),
                    Channel(f"{pair}.friction_force", "N", ("xyz",), "world", words + "across their normals"),
                    Channel(f"{pair}.point", "m", ("xyz",), "world", "where these act; zero while they do not touch"),
                ]
        for part, name in self.inputs:
            found.append(Channel(f"{part}.{name}", "1", (), "", "control input, in the unit of the drive"))
        for body in self._crushable():
            words = "how far the side is pushed in, right to left or behind to ahead"
            found += [Channel(f"{body}.crush_{side}", "m", (f"along_{side}",), "body", words) for side in SIDE_STATIONS]
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
            if model.contacts is not None:
                words = "done by contacts on the body since the start"
                found += [Channel(f"{name}.work", "J", (), "", words) for name in model.contacts.carriers]
                found.append(Channel(f"{model.contacts.name}.energy", "J", (), "", "stored in all contacts"))
                words = "that went into contacts and came out again since the start"
                found.append(Channel(f"{model.contacts.name}.passed", "J", (), "", words))
                words = "work on all bodies, change of stored energy and heat together: zero but for errors of the run"
                found.append(Channel(f"{model.contacts.name}.imbalance", "J", (), "", words))
            joints = "done by driven and compliant joints and by the damping of deformable bodies"
            residual = "change of kinetic and gravity energy minus all work: error of the run"
            found += [Channel("work.joints", "J", (), "", joints), Channel("energy.residual", "J", (), "", residual)]
        return found

    def _pairs(self) -> list[tuple[str, str]]:
        """First part of the channels' names, and name of the second body, of pairs that are shown one by one."""
        contacts = self.model.contacts
        if contacts is None:
            return []
        named = [(contacts.bodies[i], contacts.bodies[j]) for i, j in contacts.shown_pairs()]
        return [(f"{contacts.name}.{one}-{two}", two) for one, two in named]

    def _crushable(self) -> list[str]:
        """Names of the bodies that give way."""
        return [self.model.contacts.bodies[k] for k in self.stations.bodies] if self.stations is not None else []

    def _dents(self, frames: np.ndarray) -> dict[str, np.ndarray]:
        """Crush of the sides of all bodies that give way."""
        bodies = self._crushable()
        if self.stations is None or not bodies:
            return {}
        memories = self.workspace.frames.kept("contact_memory", frames)
        found = dents_of(self.model.contacts.tables, self.stations, memories)
        out, place = {}, 0
        for body in bodies:
            for side, count in SIDE_STATIONS.items():
                out[f"{body}.crush_{side}"] = found[:, place : place + count]
                place += count
        return out

    def begin(self, frame: np.ndarray) -> None:
        """Remember the energy of the first frame, against which the audit is made."""
        self._refresh()
        found = observe(self.workspace, frame[None, :], self.sensor_markers[:0])
        self._start_energy, self._start_contacts = found.bodies.sum(axis=1)[0], found.contacts[0, 0]

    def _refresh(self) -> None:
        for name in _COPIED:
            self.workspace[name][:] = self.template[name]
        given = self.template.contacts
        if self.workspace.contacts is not None and given is not None:
            for mine, theirs in zip(self.workspace.contacts.in_use(given), given.in_use(), strict=True):
                mine[:] = theirs

    def columns(self, frames: np.ndarray) -> dict[str, np.ndarray]:
        """Channel name -> values for frame rows made with the template's present parameters."""
        self._refresh()
        model, count, layout = self.model, frames.shape[0], self.workspace.frames
        pose, velocity, states = layout.motion(frames)
        self.fastest = float(np.abs(velocity).max(initial=0.0))
        out: dict[str, np.ndarray] = {}
        bodies = zip(model.body_names[1:], model.body_parts, model.body_rows, strict=True)
        for slot, (name, body, row) in enumerate(bodies):
            seen_of_body = body.observe(row, pose[:, slot], velocity[:, slot])
            out.update({f"{name}.{what}": column for what, column in seen_of_body.items()})
        seen = self.seen = observe(self.workspace, np.ascontiguousarray(frames), self.looked_at)
        for s, name in enumerate(self.sensor_names):
            marker = seen.markers[:, s]
            turned = quaternions_from_matrices(marker[:, 12:21].reshape(-1, 3, 3))
            rates = seen.accelerations[:, s]
            columns = (marker[:, 0:3], marker[:, 3:6], rates[:, :3], turned, marker[:, 6:9], rates[:, 3:6])
            out.update({f"{name}.{entry[0]}": column for entry, column in zip(_SENSOR, columns, strict=True)})
        place = self.sensor_markers.size
        for i, force in self.watched:
            own = slice(place, place + int(model.force_link[i, LINK_MARKER_COUNT]))
            place = own.stop
            seen_of_force = force.observe(seen.markers[:, own], seen.wrenches[:, own])
            out.update({f"{force.name}.{what}": column for what, column in seen_of_force.items()})
        memory = layout.kept("joint_memory", frames)
        for j, joint in enumerate(model.joints):
            out[f"{joint.name}.force"] = seen.reactions[:, j, :3]
            out[f"{joint.name}.torque"] = seen.reactions[:, j, 3:]
            for k, (name, _) in enumerate(joint.coordinate_names):
                out[f"{joint.name}.{name}"] = memory[:, j, k]
        for k, force in enumerate(self.pushing):
            out[f"{force.name}.force"] = seen.pushes[:, k]
        for k, (part, name, _) in enumerate(model.state_names):
            if not name.startswith("_"):
                out[f"{part}.{name}"] = states[:, k]
        if model.contacts is not None:  # what friction took is heat but for what its bristles hold
            for e, name in enumerate(model.contacts.carriers):
                out[f"{name}.force"] = seen.carriers[:, e]
            for k, (pair, _) in enumerate(self._pairs()):
                parts = zip(("normal_force", "friction_force", "point"), np.split(seen.pairs[:, k], 3, 1), strict=True)
                out |= {f"{pair}.{what}": values for what, values in parts}
            out[f"{model.contacts.name}.heat"] = out[f"{model.contacts.name}.heat"] - seen.contacts[:, 1]
        for (part, name), slot in self.inputs.items():
            out[f"{part}.{name}"] = np.full(count, self.template["inputs"][slot])
        out |= self._dents(frames)
        kinetic, gravity, elastic = seen.bodies.T
        in_contacts, _, passed = seen.contacts.T
        stored = seen.stored.sum(axis=1) + in_contacts + seen.compliant + elastic
        out |= {"energy.kinetic": kinetic, "energy.gravity": gravity, "energy.stored": stored}
        out |= {"energy.total": kinetic + gravity + stored, "constraint.residual": seen.residual}
        if self.workspace.audit:
            work = states[:, len(model.state_names) :]
            for i, force in enumerate(model.forces):
                out[f"{force.name}.work"] = work[:, i]
                if force.energy_kernel is not None:
                    out[f"{force.name}.energy"] = seen.stored[:, i]
            if model.contacts is not None:
                out[f"{model.contacts.name}.energy"] = in_contacts
                out[f"{model.contacts.name}.passed"] = passed
                for e, name in enumerate(model.contacts.carriers):
                    out[f"{name}.work"] = work[:, len(model.forces) + e]
                done = sum(out[f"{name}.work"] for name in model.contacts.carriers)
                heat = out[f"{model.contacts.name}.heat"]
                out[f"{model.contacts.name}.imbalance"] = done + in_contacts - self._start_contacts + heat
            out["work.joints"] = work[:, -2] + work[:, -1]
            out["energy.residual"] = seen.bodies.sum(axis=1) - self._start_energy - work.sum(axis=1)
        return out
