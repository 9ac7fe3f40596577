"""Blocks that rock on a flat floor lose what Housner (1963) says: what they turn with about the edge that hits stays.

A block of half-width b and half-height h turns about one edge, its flat side meets the floor, and it goes on about the
other one, slower by r = 1 - m R^2 (1 - cos 2 alpha) / I_edge with R^2 = b^2 + h^2, tan alpha = b / h. Between, energy
is kept: the peak tilts follow without any integration.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import centrode as ct
from centrode.jit import JIT_ON

pytestmark = pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")

GRAVITY = 9.80665


def about_y(angle: float) -> tuple[float, float, float, float]:
    return math.cos(0.5 * angle), 0.0, math.sin(0.5 * angle), 0.0


def block_on_edge(half, mass, tilt, law, floor="plane") -> ct.System:
    """A block that stands on an edge, at rest."""
    b, _, h = half
    system = ct.System(gravity=(0.0, 0.0, -GRAVITY))
    if floor == "plane":
        system.add(ct.OutlinePlane("floor", "ground"))
    else:
        system.add(ct.OutlineBox("floor", "ground", centre=(0.0, 0.0, -0.5), half_lengths=(2.0, 2.0, 0.5)))
    inertia = (mass / 3.0 * (b * b + h * h),) * 3
    z = b * math.sin(abs(tilt)) + h * math.cos(tilt)
    system.add(ct.RigidBody("block", mass, inertia, position=(0.0, 0.0, z), orientation=about_y(tilt)))
    system.add(ct.OutlineBox("shell", "block", half_lengths=half))
    system.add(law)
    return system


def housner_peaks(half, tilt, count) -> list[float]:
    """Peak tilts [rad], the first is the start."""
    b, _, h = half
    alpha = math.atan2(b, h)
    about_edge = 4.0 / 3.0  # I_edge / (m R^2)
    r = 1.0 - (1.0 - math.cos(2.0 * alpha)) / about_edge
    peaks = [tilt]
    for _ in range(count):
        lift = (math.cos(alpha - peaks[-1]) - math.cos(alpha)) * r * r
        peaks.append(alpha - math.acos(math.cos(alpha) + lift))
    return peaks


def peaks_of(run) -> list[float]:
    q = np.asarray(run["block.orientation"])
    tilt = np.abs(2.0 * np.arctan2(q[:, 2], q[:, 0]))
    top = np.flatnonzero((tilt[1:-1] >= tilt[:-2]) & (tilt[1:-1] > tilt[2:])) + 1
    return [float(tilt[i]) for i in top]


def rocked(half, mass, tilt, restitution, floor="plane", method="dop853", **law_fields):
    law = ct.Restitution("law", restitution=restitution, friction=0.9, **law_fields)
    system = block_on_edge(half, mass, tilt, law, floor)
    duration = 14.0 * math.sqrt(math.hypot(half[0], half[2]) * tilt / GRAVITY / (half[0] / half[2]))
    return ct.simulate(system, duration=duration, method=method, frames=duration / 4000)


@pytest.mark.parametrize(
    ("floor", "method"), [("plane", "dop853"), ("box", "dop853"), ("plane", "rk4-projected"), ("plane", "radau")]
)
def test_a_block_rocks_as_housner_says(floor, method):
    """It lost 6 % of its tilt where 30 % are lost, and the less the smaller its restitution was."""
    half, tilt = (0.1, 0.1, 0.3), math.radians(3.0)
    run = rocked(half, 5.0, tilt, 0.1, floor, method)
    assert run.status.completed
    # It sinks by 0.1 mm while an edge is lifted by 10 mm, then by 7 and by 5.
    peaks = [peak for peak in peaks_of(run) if peak < 0.99 * tilt]
    assert peaks[:2] == pytest.approx(housner_peaks(half, tilt, 2)[1:], rel=0.05)


@pytest.mark.parametrize("stiffer", [1.0, 10.0])
@pytest.mark.parametrize("seed", range(6))
def test_random_blocks_rock_as_housner_says(seed, stiffer):
    """1 cm to 1 m wide, 2.5 to 5 times as high. He lets the far edge alone take the hit; here the middle of the side
    has its share of it, a tenth of the tilt when contacts are stiff.
    """
    rng = np.random.default_rng(seed)
    b = 10.0 ** rng.uniform(-2.0, 0.0)
    half = (b, b * rng.uniform(0.5, 2.0), b * rng.uniform(2.5, 5.0))
    tilt = rng.uniform(0.15, 0.4) * half[0] / half[2]
    mass = 1000.0 * 8.0 * math.prod(half)
    stiffness = stiffer * mass * GRAVITY / (1e-3 * min(half))
    run = rocked(half, mass, tilt, 0.05, stiffness=stiffness)
    assert run.status.completed
    assert peaks_of(run)[0] == pytest.approx(housner_peaks(half, tilt, 1)[1], rel=0.1)


def test_a_stronger_damper_never_lets_a_block_rock_longer_than_an_elastic_one():
    half, tilt = (0.1, 0.1, 0.3), math.radians(3.0)
    first = [peaks_of(rocked(half, 5.0, tilt, e))[0] / tilt for e in (0.01, 0.1, 0.3, 0.6, 0.9)]
    assert max(first) < 0.9  # all were above 0.84, 0.01 at 0.966


def test_an_elastic_block_keeps_its_energy_while_it_rocks():
    """The points of a patch have equal forces under an elastic law: nothing is added to the gradient."""
    half, tilt = (0.1, 0.1, 0.3), math.radians(3.0)
    system = block_on_edge(half, 5.0, tilt, ct.HuntCrossley("law", damping=0.0))
    run = ct.simulate(system, duration=1.0, method="dop853", tolerance=1e-10, frames=1e-3)
    energy = np.asarray(run["energy.total"])
    assert np.ptp(energy) < 1e-6 * 5.0 * GRAVITY * 0.1 * math.sin(tilt)


def test_the_place_of_an_outline_is_asked_for_by_its_name():
    with pytest.raises(ct.InputError, match="did you mean 'centre'"):
        ct.OutlineBox("floor", "ground", position=(0.0, 0.0, -0.5), half_lengths=(2.0, 2.0, 0.5))
