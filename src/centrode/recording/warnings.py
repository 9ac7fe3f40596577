"""What a reader should know before trusting a run: said by its summary, by ``centrode run`` and by the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from centrode.recording.audit import AUDIT_LIMIT
from centrode.recording.starts import early_hits
from centrode.recording.verdict import APART, ROUND_OFF

if TYPE_CHECKING:
    from centrode.recording.recording import Recording

STEADY = 1e-9
"""Part of the kinetic energy by which a steady motion may seem to change: round-off of many steps, and tolerances."""

BESIDE, REBOUND = 0.05, 0.05
"""Speed that other forces made during a hit over its closing speed, and share of the entered restitution by which the
rebound may be off, from which on a reader is told."""


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
    for name in (item for item in run if item.endswith(".imbalance")):
        made, gone = float(np.nanmax(run[name], initial=0.0)), float(-np.nanmin(run[name], initial=0.0))
        if moved > 0 and made > AUDIT_LIMIT * moved:
            found.append(
                f"Contacts made {made:.3g} J, {made / moved:.2g} of the energy that moved: try a smaller step; "
                "if it stays, a contact law creates energy."
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
    found += other_rebounds(run)
    found += [f"{item.subject}" for item in run.events if item.kind == "note"]
    found += [f"At {item.time:.6g} s: {item.kind}." for item in run.events if item.kind.startswith("near-singular")]
    return found


def other_rebounds(run: Recording) -> list[str]:
    """Hits that gave back another share of their speed than the law was given, because other forces took part."""
    hits = [item for item in run.events.of("collision") if item.values.get("asked", 0.0) > 0.0]
    found = []
    for item in hits:
        asked, closing = item.values["asked"], item.values["closing_speed"]
        got = item.values["parting_speed"] / closing if closing > 0.0 else asked
        if item.values["beside"] > BESIDE and abs(got - asked) > REBOUND * asked:
            found.append((abs(got - asked), item, got))
    if not found:
        return []
    _, worst, got = max(found, key=lambda entry: entry[0])
    count = f"{len(found)} of {len(hits)} hits" if len(hits) > 1 else "The hit"
    return [
        f"{count} gave back another share of the speed than the restitution entered, the farthest {got:.2g} where "
        f"{worst.values['asked']:g} was asked for ({worst.subject} at {worst.time:.4g} s, "
        f"{worst.values['closing_speed']:.3g} m/s): weight, joints or other contacts pressed while they touched; "
        "a greater stiffness makes contacts shorter."
    ]


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


def energy_moved(run: Recording) -> float:
    """Change of the kinetic energy, all of it when that is round-off, or what went through contacts if that is more: a
    hit between two frames changes none that they show [J]."""
    if "energy.kinetic" not in run or not len(run.time):
        return 0.0
    kinetic = run["energy.kinetic"]
    passed = (float(np.nanmax(run[name])) for name in run if name.endswith(".passed"))
    changed, most = float(np.ptp(kinetic)), float(np.abs(kinetic).max())
    return max(changed if changed > STEADY * most else most, *passed, 0.0)
