"""Words for runs that end because bodies went through each other, made energy, or lie on a road they cannot touch."""

from __future__ import annotations

import math

from centrode.dynamics.contact.resolution import LEAST_STEPS
from centrode.errors import MADE_ENERGY, NO_GROUND, PASSAGE, RunStop
from centrode.recording.audit import Gain
from centrode.recording.events import Event


def passage_stop(event: Event) -> RunStop:
    """Why a run stopped whose bodies went through each other, or would sink into the road."""
    if event.kind == NO_GROUND:
        where = f"'{event.subject}' has turned on its side, and the run has no contacts"
        advice = "add a contact law, or collisions: {touch: {kind: all}} for the ground alone"
        return RunStop(NO_GROUND, event.time, where, advice)
    depth, e = event.values["depth"], event.values["restitution"]
    return RunStop(
        f"two bodies {PASSAGE}",
        event.time,
        f"{event.subject}: {depth:.2g} m deep, restitution {e:.2f}",
        "the contact law does not hold this hit, and what follows is no crash: take a stiffer law",
        dict(event.values),
    )


def core_stop(time: float, names: str, depth: float) -> RunStop:
    """Why a run stopped in which a body that gives way was driven through."""
    return RunStop(
        f"two bodies {PASSAGE}",
        time,
        f"{names}: the middle of one stands {depth:.2g} m inside the other, beyond all that their structures can give",
        "what follows is no crash: take a stiffer core (hardening, limit) or a shorter step",
        {"depth": depth},
    )


def gain_stop(gain: Gain, names: str, lasts: float, adaptive: bool) -> RunStop:
    """Why a run stopped whose contacts made energy.

    Args:
        gain: what was found.
        names: of the pair that it comes from; lasts: how long their contacts are [s].
        adaptive: whether the method has step control.
    """
    advice = f"contacts of {names} last {lasts:.2g} s: take a step of {lasts / LEAST_STEPS:.2g} s or less"
    if adaptive:
        advice = "take a tighter tolerance"
    elif not math.isfinite(lasts):
        advice = "take a shorter step"
    return RunStop(
        MADE_ENERGY,
        gain.time,
        f"{names}: {gain.energy:.3g} J more than came in since the start, {gain.energy / gain.passed:.2g} of what "
        f"went through contacts, first seen between {gain.since:.6g} s and {gain.time:.6g} s",
        f"{advice}; if it stays, the contact law creates energy",
        {"energy": gain.energy, "passed": gain.passed, "step": lasts / LEAST_STEPS},
    )
