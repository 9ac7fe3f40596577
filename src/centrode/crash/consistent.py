"""Whether the figures of the crash tables agree with each other and with the recorded motion.

Nothing here asks how a figure was made. What is asked of every row holds for any crash:

- delta-V, level, is what the recorded velocity changed by from the frame before the hit to the frame after it, but for
  what the tyres made meanwhile: no more than GRIP in g over that time. Rows in whose time something else touched the
  vehicle are left out: no frame knows what did what;
- the mean acceleration is no greater than the peak;
- none of C1 to C6 is deeper than Cmax, and that is no deeper than the crush under load; what has a dent took up energy;
- what the structures of both took up is what was lost in crush.

A row that breaks one of these is told above all figures.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from centrode.crash.coupled import Bonds, bonds_of
from centrode.display import STANDARD_GRAVITY
from centrode.recording.recording import Recording

if TYPE_CHECKING:
    from centrode.crash.collisions import Collision
    from centrode.crash.row import VehicleFigures

GRIP = 1.2
"""Greatest friction of tyres on roads [1]; races are another matter."""
ROUND = 0.05
"""Share by which figures may differ that are formed in different ways from steps of a method: the greatest force lies
between two of them, and heat is integrated where the work of columns is counted from state to state."""
FAINT, SMALL = 0.1, 500.0
"""Differences that nobody would see: of velocities [m/s], of energies [J]."""
EXACT = 1e-9
"""Round-off of what is compared as it was computed."""


def contradictions(run: Recording, collisions: Iterable[Collision]) -> list[str]:
    """A line for each figure that cannot be true beside the others."""
    bonds = bonds_of(run)
    spans = [
        (set(event.subject.split(" - ")), event.values["begin"], event.values["end"])
        for event in run.events.of("collision")
    ]
    found = []
    for item in collisions:
        found += [f"collision {item.number}: {text}" for text in energy_doubts(item)]
        for vehicle in item.units:
            if vehicle.mass > 0.0:
                texts = [*row_doubts(vehicle), *motion_doubts(run, bonds, item, vehicle, spans)]
                found += [f"collision {item.number}, {vehicle.name}: {text}" for text in texts]
    return found


def energy_doubts(item: Collision) -> list[str]:
    """Energies of both structures against what was lost."""
    taken = sum(vehicle.crush_energy for vehicle in item.vehicles)
    if taken > 0.0 and abs(taken - item.law_energy) > SMALL + ROUND * item.law_energy:
        return [f"structures took up {taken:.0f} J, crush lost {item.law_energy:.0f} J"]
    return []


def row_doubts(vehicle: VehicleFigures) -> list[str]:
    """Figures of a row against each other."""
    found = []
    mean, peak = vehicle.mean_acceleration, vehicle.peak_acceleration
    if mean > (1.0 + ROUND) * peak + EXACT:
        found.append(f"mean acceleration {mean:.1f} m/s2 above its peak {peak:.1f} m/s2")
    if max(vehicle.profile) > vehicle.residual + EXACT:
        found.append(f"C1 to C6 up to {max(vehicle.profile):.3f} m, deeper than Cmax {vehicle.residual:.3f} m")
    if vehicle.residual > vehicle.crush + EXACT:
        found.append(f"Cmax {vehicle.residual:.3f} m above the crush under load {vehicle.crush:.3f} m")
    if vehicle.dented and not vehicle.crush_energy > 0.0:
        found.append("a dent without energy")
    return found


def motion_doubts(
    run: Recording,
    bonds: Bonds,
    item: Collision,
    vehicle: VehicleFigures,
    spans: Iterable[tuple[set[str], float, float]],
) -> list[str]:
    """Delta-V against the recorded velocity."""
    body = f"{vehicle.name}.body"
    time = np.asarray(run.time)
    if body not in bonds.units or f"{body}.velocity" not in run or not len(time):
        return []
    first = max(int(np.searchsorted(time, item.begin, side="right")) - 1, 0)
    last = min(int(np.searchsorted(time, item.end, side="left")), len(time) - 1)
    touched = bonds.groups.get(body, frozenset([body]))
    within = [1 for names, begin, end in spans if names & touched and begin < time[last] and end > time[first]]
    if len(within) != 1:
        return []
    changed = run[f"{body}.velocity"][last] - run[f"{body}.velocity"][first]
    beside = float(np.linalg.norm((changed - np.array(vehicle.delta_v))[:2]))
    tyres = GRIP * STANDARD_GRAVITY * float(time[last] - time[first])
    if beside > tyres + FAINT + ROUND * vehicle.delta_v_size:
        return [f"delta-V {vehicle.delta_v_size:.2f} m/s; recorded velocity changed by {np.linalg.norm(changed):.2f}"]
    return []
