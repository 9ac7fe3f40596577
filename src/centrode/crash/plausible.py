"""Whether force, crush and energy of a hit go together: a check of what is told, apart from how it was computed.

A structure that is crushed by d up to the force F takes up E = F d / r. A constant force has r = 1, one that grows with
the crush r = 2; curves of vehicles with an onset, a slope and a stiff end stay below 8. A hit with a greater r tells a
force that never acted along its crush: ends that were met from aside. Later hits of the same two begin in the dents of
the first, where d is not the way of the force, and are not judged.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from centrode.crash.collisions import Collision

FULLEST = 20.0
"""Force times crush over energy, at most [1]."""


def fullness(collision: Collision) -> float:
    """Peak force times the greatest crush of both, over the energy that went into it [1]; 0: nothing was crushed."""
    crush = sum(vehicle.crush for vehicle in collision.vehicles)
    energy = max(collision.law_energy, sum(vehicle.crush_energy for vehicle in collision.vehicles))
    return collision.peak_force * crush / energy if crush > 0.0 and energy > 0.0 else 0.0


def doubts(collisions: Iterable[Collision]) -> list[str]:
    """What is to be said of hits whose force and crush cannot both be true."""
    found, met = [], set()
    for item in collisions:
        pair = frozenset(item.names)
        if pair not in met and fullness(item) > FULLEST:
            found += [
                f"DO NOT USE force, acceleration and crush of collision {item.number} ({' - '.join(item.names)}):",
                f"{item.peak_force / 1e3:.0f} kN over its crush take up {fullness(item):.0f} times the energy lost.",
                "Ends of the vehicles were met from aside; delta-V and courses are not touched by that.",
            ]
        met.add(pair)
    return found
