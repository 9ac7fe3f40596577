"""Workspace: the mutable arrays of a run, and the tuple in which the kernels receive model and work arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from centrode.dynamics.evaluate import evaluate
from centrode.dynamics.projection import project_position
from centrode.dynamics.tables import TABLE_NAMES
from centrode.jit import JIT_ON, address_of, pointer_table
from centrode.parts.kernel_types import MARKER_WIDTH


class Workspace:
    """Arrays for one run of a model.

    ``values`` is the flat state that methods advance; ``pose``, ``velocity`` and ``states`` are views into it, as
    ``pose_rate``, ``acceleration`` and ``state_rate`` are into ``rates``.
    """

    def __init__(self, model: Any, audit: bool = False) -> None:
        """Allocate everything.

        Args:
            model: the tables.
            audit: integrate the work of every force beside the motion (as further internal states).
        """
        self.model = model
        self.audit = audit
        moving, joints, rows = model.body_count, len(model.joints), model.block_rows
        width_pose, width_velocity = model.pose_width, model.velocity_width
        extra = len(model.forces) + 2 if audit else 0
        n = model.value_count + extra
        split_a = moving * width_pose
        split_b = split_a + moving * width_velocity
        self.values = np.zeros(n)
        self.rates = np.zeros(n)
        self.arrays: dict[str, Any] = {
            "velocity_token": (0,) * width_velocity,
            "row_token": (0,) * rows,
            "bodies": _records(model.bodies.copy()),
            "marker_table": _records(model.markers),
            "gravity": model.gravity.copy(),
            "force_calls": pointer_table(model.force_kernels),
            "force_spans": model.force_spans,
            "force_par": model.force_par.copy(),
            "force_link": model.force_link,
            "force_memory": model.force_memory.copy(),
            "joint_calls": pointer_table(model.joint_kernels),
            "joint_spans": model.joint_spans,
            "joint_par": model.joint_par.copy(),
            "joint_link": model.joint_link,
            "joint_memory": model.joint_memory.copy(),
            "compliance": np.zeros((joints, rows, 2)),
            "row_active": np.ones((joints, rows)),
            "exact_joints": model.exact_joints,
            "compliant_joints": model.compliant_joints,
            "data": model.data.copy(),
            "inputs": model.inputs.copy(),
            "audit": np.array([model.states.size if audit else -1]),
            "pairs": model.plan.pairs,
            "columns": model.plan.columns,
            "subblocks": model.plan.subblocks,
            "targets": model.plan.targets,
            "pose": self.values[:split_a].reshape(moving, width_pose),
            "velocity": self.values[split_a:split_b].reshape(moving, width_velocity),
            "states": self.values[split_b:],
            "pose_rate": self.rates[:split_a].reshape(moving, width_pose),
            "acceleration": self.rates[split_a:split_b].reshape(moving, width_velocity),
            "state_rate": self.rates[split_b:],
            "rotation": np.tile(np.eye(3).ravel(), (moving + 1, 1)),
            "markers": np.zeros((model.markers.size, MARKER_WIDTH)),
            "wrench": np.zeros((model.markers.size, 6)),
            "jacobian": np.zeros((joints, 2, rows, 6)),
            "terms": np.zeros((joints, rows, 3)),
            "weighted": np.zeros((joints, 2, rows, width_velocity)),
            "blocks": np.zeros((model.plan.block_count, rows, rows)),
            "pivots": np.zeros((joints, rows, 2)),
            "multipliers": np.zeros((joints, rows)),
            "weighted_force": np.zeros((moving + 1, width_velocity)),
        }
        self.tables: tuple[Any, ...] = tuple(self.arrays[name] for name in TABLE_NAMES)
        free = not audit and model.markers.size == 0 and not any(row.data for row in model.body_rows[1:])
        self.evaluate_call = 0 if free else address_of(evaluate, (0.0, True, *self.tables))
        self.project_call = 0 if free else address_of(project_position, (0.0, 1, 0.0, *self.tables))
        self._place_ground_markers()
        for j, active in enumerate(model.active_rows):
            self.arrays["row_active"][j, : len(active)] = active
        self.event_calls = pointer_table(model.event_kernels)
        self.event_spans = model.event_spans
        # Row 0: at the start of the step; row 1: now. Joints first, then forces; 1.0 means nothing is watched.
        self.event_values = np.ones((2, joints + len(model.forces)))
        self.event_found = np.zeros(1, dtype=np.int64)
        self.arrays["pose"][:] = model.pose
        self.arrays["velocity"][:] = model.velocity
        self.arrays["states"][: model.states.size] = model.states

    def evaluate(self, time: float, project: bool = False) -> float:
        """Rates at the present values; returns the smallest relative pivot."""
        return float(evaluate(time, project, *self.tables))

    def __getitem__(self, name: str) -> np.ndarray:
        return self.arrays[name]

    def _place_ground_markers(self) -> None:
        """Markers on the ground never move: written once."""
        markers = self.arrays["markers"]
        for m, marker in enumerate(self.model.markers):
            markers[m, 12:21] = np.eye(3).ravel()
            if marker["body"] == 0:
                markers[m, :3] = marker["position"]
                markers[m, 12:21] = marker["frame"]


class _PlainRow(np.record):  # type: ignore[misc]
    """A table row for kernels that run without the JIT: its field "data" is not hidden by numpy's own attribute."""

    @property
    def data(self) -> Any:  # type: ignore[override]
        return self["data"]


def _records(table: np.ndarray) -> np.ndarray:
    """Record access by attribute, which kernels use, also when the JIT is off."""
    return table if JIT_ON else table.view(np.dtype((_PlainRow, table.dtype)))
