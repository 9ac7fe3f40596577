"""Which side of a body is hit, and how stiff the pair is there.

The side follows from the outward normal in body axes, m = F^T n: front for the largest +x, rear for -x, side for y,
roof or floor for z (one stiffness for both). Two bodies act as springs in series, each half of the law's pair, so with
factors a and b of the two sides the pair has 2 a b / (a + b) of the law's stiffness: 1 when both are 1.

Both are read when a contact begins and held until it ends.
"""

from __future__ import annotations

from centrode.jit import step_kernel
from centrode.math.vector import times, turn
from centrode.parts.outlines.outline import Region


@step_kernel
def region_of(directors, n):
    """Side (Region) of a body whose outward normal at the contact is n (world)."""
    m = turn(directors, n)
    if abs(m[0]) >= abs(m[1]) and abs(m[0]) >= abs(m[2]):
        return Region.FRONT.value if m[0] > 0.0 else Region.REAR.value
    if abs(m[1]) >= abs(m[2]):
        return Region.SIDE.value
    return Region.ROOF.value if m[2] > 0.0 else Region.FLOOR.value


@step_kernel
def pair_factor(outline_a, directors_a, outline_b, directors_b, n):
    """Stiffness factor of a pair and a code of the two sides that meet.

    Args:
        outline_a, outline_b: the outlines; directors_a, directors_b: of their bodies.
        n: unit normal from A to B, world.

    Returns:
        factor [1], code >= 1 (5 * side of A + side of B + 1) as a float for the memory row.
    """
    side_a = region_of(directors_a, n)
    side_b = region_of(directors_b, times(-1.0, n))
    a = outline_a.factors[min(side_a, Region.ROOF.value)]
    b = outline_b.factors[min(side_b, Region.ROOF.value)]
    return 2.0 * a * b / (a + b), 5.0 * side_a + side_b + 1.0
