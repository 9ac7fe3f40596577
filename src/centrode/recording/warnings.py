"""What a reader should know before trusting a run: said by its summary, by ``centrode run`` and by the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from centrode.recording.audit import AUDIT_LIMIT
from centrode.recording.hits import hit_warnings
from centrode.recording.starts import early_hits
from centrode.recording.verdict import APART, ROUND_OFF

if TYPE_CHECKING:
    from centrode.recording.recording import Recording

STEADY = 1e-9
"""Part of the kinetic energy by which a steady motion may seem to change: round-off of many steps, and tolerances."""


def warnings_of(run: Recording) -> list[str]:
    """What a reader should know before trusting a run."""
    found = []
    if not run.status.completed:
        found.append(f"The run did not complete: {run.status}.")
    moved = energy_moved(run)
    if "energy.residual" in run and "energy.kinetic" in run and len(run.time):
        residual = float(np.nanmax(np.abs(run["energy.residual"] + jerked_away(run))))
        energies = [name for name in run if name.startswith("energy.") and name != "energy.residual"]
        size = max(float(np.nanmax(np.abs(run[name]), initial=0.0)) for name in energies)
        if moved > 0 and residual > max(AUDIT_LIMIT * moved, ROUND_OFF * size):
            found.append(
                f"The energy audit is off by {residual:.3g} J, {100 * residual / moved:.2g} % of the energy "
                "that moved: try a smaller step or a tighter tolerance."
            )
    found += open_joints(run)
    moved = energy_moved(run, at_once=True)
    for name in (item for item in run if item.endswith(".imbalance")):
        made, gone = float(np.nanmax(run[name], initial=0.0)), float(-np.nanmin(run[name], initial=0.0))
        if moved > 0 and made > AUDIT_LIMIT * moved:
            found.append(
                f"Contacts made {made:.3g} J, {made / moved:.2g} of the energy that moved: try a smaller step or "
                "dop853, which finds where contacts begin; if it stays, a contact law creates energy."
            )
        if moved > 0 and gone > AUDIT_LIMIT * moved:
            found.append(
                f"Contacts lost {gone:.3g} J more than they booked as heat, {gone / moved:.2g} of the energy "
                "that moved: try a smaller step; friction that sticks books only what slides."
            )
    not_finite = [name for name in run if not np.all(np.isfinite(run[name]))]
    if not_finite:
        found.append(f"Not all values are finite in {', '.join(not_finite[:5])}{', ...' if not_finite[5:] else ''}.")
    if run.statistics.rejected > run.statistics.steps > 0:
        found.append("More steps were rejected than accepted: something in the run is stiff or discontinuous.")
    found += early_hits(run)
    found += hit_warnings(run)
    found += notes_of(run)
    found += [f"At {item.time:.6g} s: {item.kind}." for item in run.events if item.kind.startswith("near-singular")]
    return found


def notes_of(run: Recording) -> list[str]:
    """Notes, each once; those that count something, as touches that a log had no room for, with their sum."""
    counted: dict[str, float] = {}
    for item in (item for item in run.events if item.kind == "note"):
        count = item.values.get("n", 0.0)
        text = item.subject.split(" ", 1)[1] if count else item.subject
        counted[text] = counted.get(text, 0.0) + count
    return [f"{count:.0f} {text}" if count else text for text, count in counted.items()]


def open_joints(run: Recording) -> list[str]:
    """Joints that drifted apart: methods that do not close them (rk4) may, and others stop there."""
    if "constraint.residual" not in run or not len(run.time) or not run.status.completed:
        return []
    places = (float(np.nanmax(np.abs(run[name]))) for name in run if name.endswith(".position"))
    gap = float(np.nanmax(run["constraint.residual"]))
    if not gap > APART * max(1.0, *places, 0.0):
        return []
    return [f"Joints drifted apart by up to {gap:.2g} m or rad: rk4-projected and dop853 close them in every step."]


def jerked_away(run: Recording) -> np.ndarray:
    """Energy that joints took which became tight at once, ropes, until each frame [J]: no force did work for it."""
    jerks = [(item.time, item.values["energy_lost"]) for item in run.events if "energy_lost" in item.values]
    return np.array([sum(lost for time, lost in jerks if time <= now) for now in run.time])


def energy_moved(run: Recording, at_once: bool = False) -> float:
    """Change of the kinetic energy by work, all of it when that is round-off, or what went through contacts if that is
    more: a hit between two frames changes none that they show [J].

    What the audit cannot explain is no work: a motion without forces would have its own error as its energy that moved.

    What a contact makes stays when it is over: a ball that bounces a hundred times has a hundred times its energy go
    through contacts and is higher by all that they made. ``at_once``: what went through them between two frames.
    """
    if "energy.kinetic" not in run or not len(run.time):
        return 0.0
    kinetic = run["energy.kinetic"]
    through = [np.diff(run[name], prepend=0.0) if at_once else run[name] for name in run if name.endswith(".passed")]
    passed = (float(np.nanmax(values)) for values in through)
    worked = kinetic - run["energy.residual"] if "energy.residual" in run else kinetic
    changed, most = float(np.ptp(worked)), float(np.abs(kinetic).max())
    return max(changed if changed > STEADY * most else most, *passed, 0.0)
