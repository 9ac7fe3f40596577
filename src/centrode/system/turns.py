"""Whole turns: forces about a joint count them as the joint does.

A stop, a rotational spring, a servo and a coupling keep the angle of their joint unwrapped in a memory of their own,
each time the one next to the last. Where a joint is put at an angle at once, at the start or by name, the last may be
turns away, and the force would act on an angle that the joint does not have.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from centrode.parts.forces.force import Force
from centrode.parts.joints.joint import Joint


def count_with_joints(
    forces: Sequence[Force],
    force_memory: np.ndarray,
    joints: Sequence[Joint],
    joint_memory: np.ndarray,
    among: Collection[int] | None = None,
) -> None:
    """Give forces the angles of their joints; of those ``among`` the joints only, or of all."""
    numbers = {joint.name: j for j, joint in enumerate(joints)}
    for row, force in enumerate(forces):
        for column, name in force.counted_angles():
            j = numbers[name]
            names = [what for what, _ in joints[j].coordinate_names]
            if "angle" in names and (among is None or j in among):
                force_memory[row, column] = joint_memory[j, names.index("angle")]
