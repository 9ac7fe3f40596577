"""After an accepted step: kinds of forces that remember something note it here, and nowhere else.

Stages of a method and rejected steps evaluate forces at trial states; what is permanent (crush, episodes of contact)
must not follow them. A kind of force with a ``settle_kernel`` is called once per accepted state, right after its
evaluation. Settling may change memory and data, never the force at that very state. A kernel that returns 1 asks the
run loop to look at the step before it goes on (:mod:`centrode.dynamics.contact.guard`): the method then comes back with
``Outcome.LOOK``.

The address of a settle kernel stands in the table of force kernels behind those of the forces; the third column of
``force_spans`` says where, -1 for kinds without one.
"""

from __future__ import annotations

from centrode.dynamics.tables import TABLE_NAMES
from centrode.jit import call_by_address, step_kernel
from centrode.parts.kernel_types import SETTLE_SIGNATURE

call_settle = call_by_address(SETTLE_SIGNATURE)

_CALLS, _SPANS, _PAR, _LINK, _MEMORY, _DATA, _INPUTS, _MARKERS, _STATES, _WRENCH, _RATES = (
    TABLE_NAMES.index(name)
    for name in (
        "force_calls",
        "force_spans",
        "force_par",
        "force_link",
        "force_memory",
        "data",
        "inputs",
        "markers",
        "states",
        "wrench",
        "state_rate",
    )
)


@step_kernel
def settle(time, tables):
    """Let every kind that remembers something note the accepted state at ``time``; 1 when someone has to look."""
    spans = tables[_SPANS]
    look = 0
    for n in range(spans.shape[0]):
        if spans[n, 2] >= 0:
            look |= call_settle(
                tables[_CALLS][spans[n, 2]],
                (
                    time,
                    spans[n, 0],
                    spans[n, 1],
                    tables[_PAR],
                    tables[_LINK],
                    tables[_DATA],
                    tables[_INPUTS],
                    tables[_MEMORY],
                    tables[_MARKERS],
                    tables[_STATES],
                    tables[_WRENCH],
                    tables[_RATES],
                ),
            )
    return look
