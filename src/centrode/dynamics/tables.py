"""Record types of the model's tables and the fixed order in which kernels receive them.

The order of :data:`TABLE_NAMES` is the argument order of :func:`centrode.dynamics.evaluate.evaluate`; methods pass
the whole tuple on as ``*tables`` and never take it apart. A tuple of explicit arrays costs nothing at run time,
whereas arrays inside a record or class would be reference-counted at each access.
"""

from __future__ import annotations

import numpy as np

BODY = np.dtype(
    [
        ("kind", "i8"),
        ("data", "i8"),  # offset into the data pool (full mass, elasticity)
        ("first_marker", "i8"),
        ("end_marker", "i8"),
        ("frames_needed", "i8"),  # 1 when a marker or full mass needs the rotation matrix
        ("weight_mass", "f8"),  # mass that gravity acts on [kg]
        ("mass", "f8"),
        ("root_mass", "f8"),
        ("inverse_root_mass", "f8"),
        ("inertia", "f8", (3,)),
        ("root_inertia", "f8", (3,)),
        ("inverse_root_inertia", "f8", (3,)),
    ],
    align=True,
)

MARKER = np.dtype(
    [
        ("body", "i8"),
        ("with_frame", "i8"),  # 1 when the part reads the marker's axes
        ("carries_force", "i8"),  # 1 when a force or a compliant joint writes its wrench
        ("position", "f8", (3,)),  # from centre of mass, in principal axes
        ("frame", "f8", (9,)),  # principal axes from marker, row-major
    ],
    align=True,
)

TABLE_NAMES = (
    "velocity_token",
    "row_token",
    "bodies",
    "marker_table",
    "gravity",
    "force_calls",
    "force_spans",
    "force_par",
    "force_link",
    "force_memory",
    "joint_calls",
    "joint_spans",
    "joint_par",
    "joint_link",
    "joint_memory",
    "compliance",
    "row_active",
    "exact_joints",
    "compliant_joints",
    "data",
    "inputs",
    "audit",
    "pairs",
    "columns",
    "subblocks",
    "targets",
    "pose",
    "velocity",
    "states",
    "pose_rate",
    "acceleration",
    "state_rate",
    "rotation",
    "markers",
    "wrench",
    "jacobian",
    "terms",
    "weighted",
    "blocks",
    "pivots",
    "multipliers",
    "weighted_force",
)
