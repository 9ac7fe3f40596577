"""Workspace: the mutable arrays of a run, lent to the kernels as one record."""

from __future__ import annotations

import numpy as np

from centrode.dynamics.bodies import measure_energy, move_bodies, place_bodies
from centrode.dynamics.evaluate import evaluation, rates_at
from centrode.dynamics.frames import FrameLayout
from centrode.dynamics.projection import position_projection, velocity_correction
from centrode.dynamics.redundancy import has_loops, load_sharing
from centrode.jit import Lent, handle_of
from centrode.parts.kernel_types import FRAME, MARKER_WIDTH, MEMORY_WIDTH, POSITION
from centrode.parts.tables import BODY_SPAN, Tables, as_records
from centrode.system.model import Model, with_kernels

_BODY_KERNELS = {name: f"{name}_kernel" for name in (BODY_SPAN.names or ())[6:]}
_FORCE_KERNELS = {"kernel": "force_kernel", "energy": "energy_kernel", "event": "event_kernel"}
_JOINT_KERNELS = {
    False: {"kernel": "spatial_kernel", "event": "event_kernel"},
    True: {"kernel": "plane_kernel", "event": "event_kernel"},
}


class Workspace:
    """Arrays for one run of a model.

    Attributes:
        tables: all arrays by name; ``workspace["pose"]`` is ``workspace.tables.pose``.
        contacts: the tables of the contacts; None when nothing can touch.
        spare_rows: redundant rows found; the assembly sets it.
        address: what kernels take for the tables.
    """

    def __init__(self, model: Model, audit: bool = False) -> None:
        """Allocate everything.

        Args:
            model: the tables.
            audit: integrate the work of every force beside the motion (as further internal states).
        """
        self.model = model
        self.audit = audit
        self.spare_rows = 0
        moving, joints, rows = model.body_count, len(model.joints), model.block_rows
        width_pose, width_velocity = model.pose_width, model.velocity_width
        contacts = model.contacts
        self.contacts = None if contacts is None else contacts.block()
        n = model.value_count + (len(model.forces) + len(model.contact_markers) + 2 if audit else 0)
        split_a = moving * width_pose
        split_b = split_a + moving * width_velocity
        values, rates = np.zeros(n), np.zeros(n)
        size = model.joint_size
        loops = has_loops(model)
        choosing = joints if loops else 0  # rows of which some may be redundant
        evaluate = None if model.free and not audit else evaluation(*size)  # nothing to stage for free bodies
        self._project = position_projection(*size)
        self.tables = Tables(
            evaluate=handle_of(evaluate),
            project_position=handle_of(self._project) if model.exact_joints.size else 0,
            correct_velocity=0,
            share_load=handle_of(load_sharing(*size)) if loops else 0,
            push_contacts=0 if contacts is None else handle_of(contacts.push_kernel),
            settle_contacts=0 if contacts is None else handle_of(contacts.settle_kernel),
            contacts=0 if self.contacts is None else self.contacts.address,
            contact_state=model.contact_state,
            audit=model.states.size if audit else -1,
            bodies=as_records(model.bodies.copy()),
            body_spans=as_records(with_kernels(model.body_spans, model.body_parts, _BODY_KERNELS)),
            sides=model.sides,
            marker_table=as_records(model.markers),
            gravity=model.gravity.copy(),
            force_spans=as_records(with_kernels(model.force_spans, model.forces, _FORCE_KERNELS)),
            force_par=model.force_par.copy(),
            force_link=model.force_link,
            joint_spans=as_records(with_kernels(model.joint_spans, model.joints, _JOINT_KERNELS[model.plane])),
            joint_par=model.joint_par.copy(),
            joint_link=model.joint_link,
            exact_joints=model.exact_joints,
            compliant_joints=model.compliant_joints,
            compliance=np.zeros((joints, rows, 2)),
            contact_markers=model.contact_markers,
            pairs=model.plan.pairs,
            columns=model.plan.columns,
            subblocks=model.plan.subblocks,
            targets=model.plan.targets,
            data=model.data.copy(),
            inputs=model.inputs.copy(),
            force_memory=model.force_memory.copy(),
            joint_memory=model.joint_memory.copy(),
            contact_memory=np.zeros((0, MEMORY_WIDTH)) if contacts is None else contacts.memory(),
            row_active=np.ones((joints, rows)),
            choice=np.zeros((choosing, rows)),
            values=values,
            rates=rates,
            pose=values[:split_a].reshape(moving, width_pose),
            velocity=values[split_a:split_b].reshape(moving, width_velocity),
            states=values[split_b:],
            pose_rate=rates[:split_a].reshape(moving, width_pose),
            acceleration=rates[split_a:split_b].reshape(moving, width_velocity),
            state_rate=rates[split_b:],
            rotation=np.tile(np.eye(3).ravel(), (moving + 1, 1)),
            markers=np.zeros((model.markers.size, MARKER_WIDTH)),
            wrench=np.zeros((model.markers.size, 6)),
            jacobian=np.zeros((joints, model.joint_sides, rows, 6)),
            terms=np.zeros((joints, rows, 3)),
            weighted=np.zeros((joints, model.joint_sides, rows, width_velocity)),
            blocks=np.zeros((model.plan.block_count, rows, rows)),
            pivots=np.zeros((joints, rows, 2)),
            multipliers=np.zeros((joints, rows)),
            weighted_force=np.zeros((moving + 1, width_velocity)),
            shared=np.zeros((2, choosing, rows)),
            marker_acceleration=np.zeros((model.markers.size, 6)),
            energy=np.zeros(3),
            event_values=np.ones((2, joints + len(model.forces) + (contacts is not None))),
        )
        self._lend()
        self.frames = FrameLayout(self.tables)
        self._place_ground_markers()
        for j, active in enumerate(model.active_rows):
            self["row_active"][j, : len(active)] = active
        self["pose"][:] = model.pose
        self["velocity"][:] = model.velocity
        self["states"][: model.states.size] = model.states

    def _lend(self) -> None:
        self._lent = Lent(self.tables)
        self.address = self._lent.address

    def allow_correction(self) -> None:
        """Make ready the velocity correction, which few methods need."""
        if self.model.exact_joints.size and self.tables.correct_velocity == 0:
            kernel = velocity_correction(*self.model.joint_size)
            self.tables = self.tables._replace(correct_velocity=handle_of(kernel))
            self._lend()

    @property
    def values(self) -> np.ndarray:
        """The flat state that methods advance."""
        return self.tables.values

    @property
    def watches(self) -> bool:
        """Whether some part, or the contacts, have an event function."""
        t = self.tables
        return bool(t.push_contacts or np.any(t.joint_spans["event"]) or np.any(t.force_spans["event"]))

    @property
    def contact_numbers(self) -> np.ndarray:
        """All numbers of the contact tables; none without contacts."""
        return np.zeros(0) if self.contacts is None else self.contacts.numbers

    @contact_numbers.setter
    def contact_numbers(self, values: np.ndarray) -> None:
        if self.contacts is not None:
            self.contacts.numbers = values

    def evaluate(self, time: float, project: bool = False) -> float:
        """Rates at the present values; returns the smallest relative pivot."""
        return float(rates_at(float(time), project, self.address))

    def project_position(self, time: float, iterations: int, enough: float) -> float:
        """Newton steps onto the joints with rows and factor of the last evaluation; largest open row before."""
        return float(self._project(time, iterations, enough, self.address))

    def place_markers(self) -> None:
        """Marker positions and velocities from the present poses and velocities."""
        place_bodies(self.address)
        move_bodies(self.address)

    def energy(self) -> np.ndarray:
        """Kinetic, gravity and elastic energy of all bodies at the last evaluation [J]."""
        measure_energy(self.address)
        return self.tables.energy.copy()

    def __getitem__(self, name: str) -> np.ndarray:
        found: np.ndarray = getattr(self.tables, name)
        return found

    def _place_ground_markers(self) -> None:
        """Markers on the ground never move: written once."""
        markers = self["markers"]
        for m, marker in enumerate(self.model.markers):
            markers[m, FRAME : FRAME + 9] = np.eye(3).ravel()
            if marker["body"] == 0:
                markers[m, POSITION : POSITION + 3] = marker["position"]
                markers[m, FRAME : FRAME + 9] = marker["frame"]
