"""What every method does with an accepted step: contacts note it, the choice of redundant rows is looked after."""

from __future__ import annotations

from centrode.dynamics.evaluate import rates_at, settle
from centrode.dynamics.redundancy import choice_worn
from centrode.jit import step_kernel
from centrode.parts.tables import borrow, contact_notes


@step_kernel
def attend(run, tables):
    """Note the state that was just accepted and evaluated; whether the run loop has to look at it (Outcome.LOOK)."""
    look = settle(run[0].time, tables) != 0
    t = borrow(tables)
    if t.push_contacts != 0 and contact_notes(t.contact_memory, 0).renewed != 0:
        # The next step begins with these rates; old ones let radau make 0.08 J of 22 J.
        rates_at(run[0].time, False, tables)
        run[0].evaluations += 1
    if run[0].spare_rows > 0.0:
        look |= choice_worn(tables)
    return look
