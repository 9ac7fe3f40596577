"""Any two bodies, any attitude, any law: momentum is kept and energy not created; the order of bodies is no matter."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from centrode.jit import JIT_ON
from centrode.parts.bodies.pseudo_rigid import PseudoRigidBody
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.contact_laws.crush_width import CrushWidth
from centrode.parts.contact_laws.hunt_crossley import HuntCrossley
from centrode.parts.contact_laws.linear import LinearContact
from centrode.parts.contact_laws.measured import MeasuredRestitution
from centrode.parts.outlines.box import OutlineBox
from centrode.parts.outlines.capsule import OutlineCapsule
from centrode.parts.outlines.ellipsoid import OutlineEllipsoid
from centrode.parts.outlines.superellipsoid import OutlineSuperellipsoid
from centrode.running import simulate
from centrode.system.builder import System

pytestmark = pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")

SHAPES = {
    "superellipsoid": lambda name, body: OutlineSuperellipsoid(name, body=body, semi_axes=(1.0, 0.5, 0.4)),
    "ellipsoid": lambda name, body: OutlineEllipsoid(name, body=body, semi_axes=(1.0, 0.5, 0.4)),
    "box": lambda name, body: OutlineBox(name, body=body, half_lengths=(0.8, 0.5, 0.4)),
    "capsule": lambda name, body: OutlineCapsule(name, body=body, radius=0.4, half_length=0.6),
}
LAWS = [
    LinearContact("law", stiffness=1e5),
    HuntCrossley("law", stiffness=1e5, damping=0.3, friction=0.5),
    CrushWidth("law", a=2e3, b=2e4, width=1.0, stiffness=2e5, friction=0.3),
    MeasuredRestitution("law", stiffness=1e5, friction=0.2),
]
quaternions = st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: np.linalg.norm(q) > 0.1)


def pair(kinds, shapes, turns, masses, law, height, swap=False) -> System:
    """Two bodies that fly at each other without gravity."""
    system = System(gravity=(0, 0, 0))
    order = (1, 0) if swap else (0, 1)
    for k in order:
        q = tuple(np.array(turns[k]) / np.linalg.norm(turns[k]))
        name = "ab"[k]
        place, speed = ((0, 0, 0), 4.0) if k == 0 else ((2.6, 0.2, height), -1.0)
        common = {"mass": masses[k], "inertia": tuple(masses[k] * x for x in (0.14, 0.3, 0.32)), "orientation": q}
        if kinds[k] == "rigid":
            body = RigidBody(name, position=place, velocity=(speed, 0, 0), **common)
        else:
            body = PseudoRigidBody(name, position=place, velocity=(speed, 0, 0), young=5e6, volume=0.1, **common)
        system.add(body)
        system.add(SHAPES[shapes[k]](f"{name}-shell", name))
    system.add(law)
    return system


def momentum(run, system, frame) -> np.ndarray:
    """Linear and angular momentum at a frame."""
    total = np.zeros(6)
    for name in "ab":
        part = system.parts[name]
        r, v = run[f"{name}.position"][frame], run[f"{name}.velocity"][frame]
        total[:3] += part.mass * v
        total[3:] += part.mass * np.cross(r, v)
        if f"{name}.directors" in run:
            directors, rates = run[f"{name}.directors"][frame], run[f"{name}.director_rates"][frame]
            for k, inertia in enumerate(part.row().data[4:7]):
                total[3:] += inertia * np.cross(directors[:, k], rates[:, k])
        else:
            from centrode.math.rotation import matrix_from_quaternion

            rotation = matrix_from_quaternion(run[f"{name}.orientation"][frame])
            total[3:] += rotation @ (np.array(part.inertia) * run[f"{name}.omega"][frame])
    return total


@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
@given(
    kinds=st.tuples(*[st.sampled_from(["rigid", "pseudo-rigid"])] * 2),
    shapes=st.tuples(*[st.sampled_from(list(SHAPES))] * 2),
    turns=st.tuples(quaternions, quaternions),
    masses=st.tuples(st.floats(50, 500), st.floats(50, 500)),
    law=st.sampled_from(LAWS),
    height=st.floats(-0.5, 0.5),
)
def test_momentum_is_kept_and_energy_not_created(kinds, shapes, turns, masses, law, height):
    system = pair(kinds, shapes, turns, masses, law, height)
    run = simulate(system, duration=0.6, method="rattle", step=5e-4, frames=0.02)
    first, last = momentum(run, system, 0), momentum(run, system, -1)
    scale = 500.0 * 5.0 * 3.0
    # equal and opposite forces on one line: round-off of the sums over some 1200 steps
    assert np.abs(last[:3] - first[:3]).max() < 1e-12 * scale
    # a rigid body is turned by splitting, which keeps |L| of the body exactly and its direction to round-off
    assert np.abs(last[3:] - first[3:]).max() < 1e-11 * scale
    total = run["energy.total"]
    # rattle's energy swings by h^2 of the elastic energy in play; by h where a law begins with a jump
    if total.max() - total[0] >= 2e-3 * total[0]:
        finer = simulate(system, duration=0.6, method="rattle", step=1.25e-4, frames=0.02)["energy.total"]
        assert finer.max() - finer[0] < 0.3 * (total.max() - total[0])


def test_two_capsules_side_by_side_create_no_energy():
    """Elastic and frictionless: patches of points with weights made 668 J of 571 J here."""
    turn = (-0.34323443643052076, 0.33407628855910887, 0.8620320255487361, 2.755731417929674e-07)
    system = pair(("pseudo-rigid",) * 2, ("capsule",) * 2, (turn, turn), (50.0, 342.16882840047856), LAWS[0], 0.0)
    run = simulate(system, duration=0.6, method="dop853", tolerance=1e-9, frames=0.02)
    assert np.abs(run["energy.total"] / run["energy.total"][0] - 1.0).max() < 1e-6
    assert np.abs(run["collisions.imbalance"]).max() < 1e-6 * run["energy.total"][0]


@pytest.mark.parametrize("shapes", [("superellipsoid",) * 2, ("ellipsoid", "superellipsoid"), ("box", "box")])
def test_the_order_of_the_bodies_does_not_matter(shapes):
    turns, masses = ((0.9, 0.1, 0.2, 0.3), (0.7, -0.3, 0.4, 0.2)), (80.0, 200.0)
    ends = []
    for swap in (False, True):
        system = pair(("rigid", "pseudo-rigid"), shapes, turns, masses, LAWS[1], 0.1, swap)
        run = simulate(system, duration=0.6, method="rattle", step=5e-4, frames=0.1)
        assert len(run.collisions) == 1
        ends.append(np.concatenate([run["a.position"][-1], run["b.position"][-1]]))
    # round-off of the search, carried through some hundred steps of contact
    assert np.abs(ends[0] - ends[1]).max() < 1e-11
