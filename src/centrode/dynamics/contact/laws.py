"""Contact laws by address: how the kernels of any law, built in or from a plugin, are reached from the contact force.

A row of the table of handles belongs to a law: begin, law, advance (:mod:`centrode.parts.contact_laws.contact_law`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from centrode.jit import call_by_address, step_kernel
from centrode.parts.contact_laws.contact_law import ADVANCE_SIGNATURE, BEGIN_SIGNATURE, LAW_SIGNATURE, ContactLaw
from centrode.parts.kernel_notes import kernel_handle

call_begin = call_by_address(BEGIN_SIGNATURE)
call_law = call_by_address(LAW_SIGNATURE)
call_advance = call_by_address(ADVANCE_SIGNATURE)


def law_handles(laws: Sequence[ContactLaw]) -> np.ndarray:
    """The table of handles, in the order of the laws."""
    names = ("begin_kernel", "law_kernel", "advance_kernel")
    return np.array([[kernel_handle(law, name) for name in names] for law in laws], dtype=np.int64)


@step_kernel
def begin_contact(kernels, par, memory, closing_speed, effective_mass, factor, region):
    """Start an episode."""
    call_begin(kernels[0], (par, memory, closing_speed, effective_mass, factor, region))


@step_kernel
def evaluate_law(kernels, par, memory, depth, depth_rate, slip_speed):
    """Normal force [N], friction coefficient [1], stored energy [J], dissipated power [W]."""
    return call_law(kernels[1], (par, memory, depth, depth_rate, slip_speed))


@step_kernel
def stiffening(kernels, par, memory, depth, depth_rate, slip_speed):
    """How many times stiffer a contact is than its spring because its damper grows with the depth; 1 or more.

    F = k d (1 + a d') rises by k (1 + a d') over the depth, which for a restitution of 0.05 is twenty times k.
    """
    deeper = 1.001 * depth
    spring = evaluate_law(kernels, par, memory, deeper, 0.0, slip_speed)[0]
    spring -= evaluate_law(kernels, par, memory, depth, 0.0, slip_speed)[0]
    both = evaluate_law(kernels, par, memory, deeper, depth_rate, slip_speed)[0]
    both -= evaluate_law(kernels, par, memory, depth, depth_rate, slip_speed)[0]
    return max(both / spring, 1.0) if spring > 0.0 else 1.0


@step_kernel
def damping_rate(kernels, par, memory, depth, slip_speed):
    """Slope of the force over the rate of the depth where that is nothing [N*s/m], by a difference."""
    little = 1e-6
    more = evaluate_law(kernels, par, memory, depth, little, slip_speed)[0]
    return (more - evaluate_law(kernels, par, memory, depth, 0.0, slip_speed)[0]) / little


@step_kernel
def advance_contact(kernels, par, memory, depth, depth_rate, duration):
    """Note an accepted step."""
    call_advance(kernels[2], (par, memory, depth, depth_rate, duration))
