"""N four-bar windows side by side (IFToMM benchmark A02): one degree of freedom, and singular positions on the way.

N + 1 vertical rods stand on hinges at (i, 0), N horizontal ones join their tops. While the linkage stays a
parallelogram, all verticals turn by one angle theta (from +x) and the horizontals only shift, so that

    kinetic energy    T = ((N + 1) m L^2/3 + N m L^2) theta'^2 / 2
    potential energy  V = ((N + 1)/2 + N) m g L sin theta
    theta'' = -(g/L) k cos theta,    k = ((N + 1)/2 + N) / ((N + 1)/3 + N)                       (1)

Whenever theta is a multiple of pi, all rods lie in one line: each window could leave the parallelogram there, and the
rows lose rank for a moment.
"""

from __future__ import annotations

from centrode.errors import InputError
from centrode.parts.bodies.planar import PlanarBody
from centrode.parts.joints.revolute import Revolute
from centrode.system.builder import System


def four_bars(windows: int = 1, speed: float = 1.0) -> System:
    """N windows of rods of 1 m and 1 kg, upright, tops moving at ``speed`` in +x [m/s]; A02 runs 10 s."""
    if windows < 1:
        raise InputError("a linkage needs at least one window", path="windows", got=windows)
    system = System(f"Four-bar linkage, {windows} window{'s' if windows > 1 else ''}", plane=True)
    inertia = 1.0 / 12.0
    for i in range(windows + 1):
        system.add(PlanarBody(f"post{i}", 1.0, inertia, position=(i, 0.5), velocity=(0.5 * speed, 0.0), omega=-speed))
        system.add(Revolute(f"base{i}", system.ground, f"post{i}", at=(i, 0.0), track=False))
    for i in range(windows):
        system.add(PlanarBody(f"bar{i}", 1.0, inertia, position=(i + 0.5, 1.0), velocity=(speed, 0.0)))
        system.add(Revolute(f"left{i}", f"post{i}", f"bar{i}", at=(i, 1.0), track=False))
        system.add(Revolute(f"right{i}", f"post{i + 1}", f"bar{i}", at=(i + 1, 1.0), track=False))
    return system


def reduced_stiffness(windows: int) -> float:
    """k of equation (1)."""
    return ((windows + 1) / 2.0 + windows) / ((windows + 1) / 3.0 + windows)
