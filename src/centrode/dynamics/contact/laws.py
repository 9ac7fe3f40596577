"""Contact laws by address: how the kernels of any law, built in or from a plugin, are reached from the contact force.

The parameter row of the first contact element holds, behind the number of slots and the handles of the search, three
handles per law: begin, law, advance (:mod:`centrode.parts.contact_laws.contact_law`). Handles are valid in this process
only; the parameter table is made anew by every process, unlike the data pool, which is saved with a state.
"""

from __future__ import annotations

from typing import Any

from centrode.jit import call_by_address, handle_of, step_kernel
from centrode.parts.contact_laws.contact_law import ADVANCE_SIGNATURE, BEGIN_SIGNATURE, LAW_SIGNATURE, ContactLaw

CLOSEST, MANIFOLD, FIRST_HANDLE = 1, 2, 3
"""Columns of the handles of search, contact patch and first law in the parameter row."""

call_begin = call_by_address(BEGIN_SIGNATURE)
call_law = call_by_address(LAW_SIGNATURE)
call_advance = call_by_address(ADVANCE_SIGNATURE)


def law_handles(laws: list[ContactLaw]) -> list[float]:
    """Three handles per law, in the order of the laws."""
    return [float(handle_of(item)) for law in laws for item in type(law).kernels()]


@step_kernel
def begin_contact(handles, which, par, memory, closing_speed, effective_mass, factor, region):
    """Start an episode of law number ``which``."""
    call_begin(int(handles[FIRST_HANDLE + 3 * which]), (par, memory, closing_speed, effective_mass, factor, region))


@step_kernel
def evaluate_law(handles, which, par, memory, depth, depth_rate, slip_speed):
    """Normal force [N], friction coefficient [1], stored energy [J], dissipated power [W]."""
    return call_law(int(handles[FIRST_HANDLE + 3 * which + 1]), (par, memory, depth, depth_rate, slip_speed))


@step_kernel
def advance_contact(handles, which, par, memory, depth, depth_rate, duration):
    """Note an accepted step."""
    call_advance(int(handles[FIRST_HANDLE + 3 * which + 2]), (par, memory, depth, depth_rate, duration))


def handle_row(law: ContactLaw) -> Any:
    """A parameter row that holds the handles of one law, for loops outside a run."""
    import numpy as np

    return np.array([*[0.0] * FIRST_HANDLE, *law_handles([law])])
