"""Built-in contact laws by their code, for loops that hold laws of several kinds in one table."""

from __future__ import annotations

from centrode.jit import step_kernel
from centrode.parts.contact_laws.contact_law import (
    CRUSH,
    HARD,
    HUNT_CROSSLEY,
    KIND,
    LINEAR,
    MEASURED,
    REPORT_MULTIPLIER,
    RESTITUTION_LAW,
)
from centrode.parts.contact_laws.crush import crush_advance, crush_begin, crush_law
from centrode.parts.contact_laws.hard import hard_begin
from centrode.parts.contact_laws.hunt_crossley import hunt_crossley_advance, hunt_crossley_begin, hunt_crossley_law
from centrode.parts.contact_laws.linear import linear_advance, linear_begin, linear_law
from centrode.parts.contact_laws.measured import measured_begin
from centrode.parts.contact_laws.report_multiplier import (
    report_multiplier_advance,
    report_multiplier_begin,
    report_multiplier_law,
)
from centrode.parts.contact_laws.restitution import restitution_begin


@step_kernel
def begin_contact(par, memory, closing_speed, effective_mass, factor, region):
    """Start an episode of any built-in law; see :mod:`centrode.parts.contact_laws.contact_law`."""
    kind = int(par[KIND])
    if kind == LINEAR:
        linear_begin(par, memory, closing_speed, effective_mass, factor, region)
    elif kind == HUNT_CROSSLEY:
        hunt_crossley_begin(par, memory, closing_speed, effective_mass, factor, region)
    elif kind == RESTITUTION_LAW:
        restitution_begin(par, memory, closing_speed, effective_mass, factor, region)
    elif kind == MEASURED:
        measured_begin(par, memory, closing_speed, effective_mass, factor, region)
    elif kind == CRUSH:
        crush_begin(par, memory, closing_speed, effective_mass, factor, region)
    elif kind == HARD:
        hard_begin(par, memory, closing_speed, effective_mass, factor, region)
    elif kind == REPORT_MULTIPLIER:
        report_multiplier_begin(par, memory, closing_speed, effective_mass, factor, region)


@step_kernel
def evaluate_law(par, memory, depth, depth_rate, slip_speed):
    """Normal force [N], friction coefficient [1], stored energy [J], dissipated power [W] of any built-in law."""
    kind = int(par[KIND])
    if kind == LINEAR:
        return linear_law(par, memory, depth, depth_rate, slip_speed)
    if kind == CRUSH:
        return crush_law(par, memory, depth, depth_rate, slip_speed)
    if kind == REPORT_MULTIPLIER:
        return report_multiplier_law(par, memory, depth, depth_rate, slip_speed)
    # restitution, measured and hard laws differ from Hunt-Crossley only in how they begin
    return hunt_crossley_law(par, memory, depth, depth_rate, slip_speed)


@step_kernel
def advance_contact(par, memory, depth, depth_rate, duration):
    """Note an accepted step of any built-in law."""
    kind = int(par[KIND])
    if kind == LINEAR:
        linear_advance(par, memory, depth, depth_rate, duration)
    elif kind == CRUSH:
        crush_advance(par, memory, depth, depth_rate, duration)
    elif kind == REPORT_MULTIPLIER:
        report_multiplier_advance(par, memory, depth, depth_rate, duration)
    else:
        hunt_crossley_advance(par, memory, depth, depth_rate, duration)
