"""Which side of a body is hit, and how stiff the pair is there.

The side follows from the outward normal in body axes, m = F^T n: front for the largest +x, rear for -x, side for y,
roof (or floor) for z. Two bodies act as springs in series, each half of the law's pair, so with factors a and b of
the two sides the pair has 2 a b / (a + b) of the law's stiffness: 1 when both are 1.

Both are read when a contact begins and held until it ends.
"""

from __future__ import annotations

from centrode.jit import step_kernel
from centrode.parts.outlines.outline import FACTORS, FRONT, REAR, ROOF, SIDE


@step_kernel
def region_of(body_frame, n0, n1, n2):
    """Side (FRONT, REAR, SIDE, ROOF) of a body whose outward normal at the contact is n (world)."""
    m0 = body_frame[3] * n0 + body_frame[4] * n1 + body_frame[5] * n2
    m1 = abs(body_frame[6] * n0 + body_frame[7] * n1 + body_frame[8] * n2)
    m2 = abs(body_frame[9] * n0 + body_frame[10] * n1 + body_frame[11] * n2)
    if abs(m0) >= m1 and abs(m0) >= m2:
        return FRONT if m0 > 0.0 else REAR
    return SIDE if m1 >= m2 else ROOF


@step_kernel
def pair_factor(row_a, body_frame_a, row_b, body_frame_b, n0, n1, n2):
    """Stiffness factor of a pair and a code of the two sides that meet.

    Args:
        row_a, row_b: outline rows; body_frame_a, body_frame_b: frames of the bodies.
        n0, n1, n2: unit normal from A to B, world.

    Returns:
        factor [1], code >= 1 (5 * side of A + side of B + 1) as a float for the memory row.
    """
    side_a = region_of(body_frame_a, n0, n1, n2)
    side_b = region_of(body_frame_b, -n0, -n1, -n2)
    a = row_a[FACTORS + side_a]
    b = row_b[FACTORS + side_b]
    return 2.0 * a * b / (a + b), 5.0 * side_a + side_b + 1.0
