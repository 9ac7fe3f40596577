"""What every method does with an accepted step: contacts note it, the choice of redundant rows is looked after."""

from __future__ import annotations

from centrode.dynamics.evaluate import settle
from centrode.dynamics.redundancy import choice_worn
from centrode.jit import step_kernel


@step_kernel
def attend(run, tables):
    """Note the state that was just accepted and evaluated; whether the run loop has to look at it (Outcome.LOOK)."""
    look = settle(run[0].time, tables) != 0
    if run[0].spare_rows > 0.0:
        look |= choice_worn(tables)
    return look
