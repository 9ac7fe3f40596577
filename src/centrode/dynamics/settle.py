"""After an accepted step: kinds of forces that remember something note it here, and nowhere else.

Stages of a method and rejected steps evaluate forces at trial states; what is permanent (crush, episodes of contact)
must not follow them. A kind of force with a ``settle_kernel`` is called once per accepted state, right after its
evaluation. Settling may change memory and data, never the force at that very state. A kernel that returns 1 asks the
run loop to look at the step before it goes on (:mod:`centrode.dynamics.contact.guard`): the method then comes back with
``Outcome.LOOK``.
"""

from __future__ import annotations

from centrode.jit import call_by_address, step_kernel
from centrode.parts.kernel_types import SETTLE_SIGNATURE
from centrode.parts.tables import borrow

call_settle = call_by_address(SETTLE_SIGNATURE)


@step_kernel
def settle(time, tables):
    """Let every kind that remembers something note the accepted state at ``time``; 1 when someone has to look."""
    t = borrow(tables)
    look = 0
    for span in t.force_spans:
        if span.settle != 0:
            look |= call_settle(
                span.settle,
                (
                    time, span.first, span.count, t.force_par, t.force_link, t.data, t.inputs, t.force_memory,
                    t.markers, t.states, t.wrench, t.state_rate,
                ),
            )  # fmt: skip
    return look
