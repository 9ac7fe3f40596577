"""Bodies thinner than the band of a strip that turn while they press: kinetic and stored energy never rise.

The cut of a strip goes with the ends of what stands in it. As long as the ends were taken to move like the place that
presses, depths grew otherwise than their rates said, and runs such as these stopped because contacts made energy.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import centrode as ct

PLATE, WIDE = (0.8, 0.6, 0.02), (0.3, 1.2, 0.05)
THROWN = {  # half lengths [m], mass [kg], position [m], rotation vector [rad], velocity [m/s], omega [rad/s]
    "a level plate into the left side": (
        PLATE, 300.0, (0.245, 1.773, 0.5), (0.0, 0.0, 0.5 * np.pi), (0.0, -5.0, 0.0), (-1.611, 1.743, 1.094),
    ),
    "a level bar into the rear": (
        WIDE, 1000.0, (-3.006, -0.238, 0.45), (0.0, 0.0, 3.01783), (10.0, 0.0, 0.0), (-3.102, 1.998, 4.572),
    ),
    "a bar that leans into the left side": (
        WIDE, 100.0, (-0.287, 1.554, 0.55), (0.83062, 0.38027, 1.62876), (0.0, -20.0, 0.0), (0.0, 0.0, 0.0),
    ),
    "a bar level to a millionth": (
        WIDE, 100.0, (-3.348, 0.63, 0.5), (-3e-7, -3e-6, -2.69566), (20.0, 0.0, 0.0), (-2.785, -4.605, 3.007),
    ),
}  # fmt: skip

RIDDEN = """
centrode: 1
title: Motorcycle into a car
roads:
  road: {{kind: plane}}
vehicles:
  car: {{kind: {car}, road: road, position: [0, 0], brake: 50 %}}
  bike: {{kind: motorcycle, road: road, position: {place}, heading: {heading} deg, speed: {speed}}}
  rider: {{kind: rider, rides: bike}}
outlines:
  floor: {{kind: plane, body: ground, material: asphalt}}
contact_laws:
  side: {{kind: crush, between: [motorcycle, car], friction: 0.4}}
  person: {{kind: restitution, stiffness: 4e4, restitution: 0.1, friction: 0.5}}
run: {{duration: 0.4 s, method: rk4-projected, step: 0.25 ms, frames: 2 ms}}
"""


def rise_of(level):
    """By how much a history goes above the least value that it had."""
    return float((level - np.minimum.accumulate(level)).max())


@pytest.mark.parametrize("name", THROWN)
def test_thin_bodies_that_turn_make_no_energy(name):
    """Steps of 0.1 ms: at 0.2 ms the last of these rises by 1.05e-6, at single instants."""
    half, mass, place, turned, velocity, omega = THROWN[name]
    x, y, z = np.square(half)
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.RigidBody("car", mass=1735.0, inertia=(750.0, 3560.0, 3747.0), position=(0.0, 0.0, 0.55)))
    system.add(ct.OutlineCarBody("shell", body="car", length=5.02, width=1.845, centre=(0.0, 0.0, 0.275)))
    system.add(ct.structure_of_mass("structure", "shell", 1735.0, 1.845))
    axes = tuple(map(tuple, Rotation.from_rotvec(turned).as_matrix().tolist()))
    inertia = tuple(float(item) for item in mass / 3.0 * np.array([y + z, x + z, x + y]))
    moving = {"position": place, "orientation": axes, "velocity": velocity, "omega": omega}
    system.add(ct.RigidBody("thrown", mass=mass, inertia=inertia, **moving))
    system.add(ct.OutlineBox("box", body="thrown", half_lengths=half))
    system.add(ct.Crush("law"))
    run = ct.simulate(system, duration=0.3, method="rk4-projected", step=1e-4, frames=1e-3)
    assert run.status.completed, str(run.status)
    assert run.collisions
    energy = run["energy.kinetic"] + run["energy.stored"]
    assert rise_of(energy) < 1e-6 * energy[0]


@pytest.mark.parametrize(
    ("car", "place", "heading", "speed"),
    [("van", [0.2, -3.8], 99.34, 15.0), ("car", [2.29, -3.95], 110.65, 18.0), ("compact-car", [0.1, -2.3], 90.0, 20.0)],
)
def test_motorcycles_that_pitch_make_no_energy(car, place, heading, speed):
    """All contacts together, those of the rider included: what is no contact's is taken away (:mod:`audit`)."""
    run = ct.simulate(ct.loads(RIDDEN.format(car=car, place=place, heading=heading, speed=speed)))
    assert run.status.completed, str(run.status)
    contacts = next(name for name in run.channels if name.endswith(".passed")).removesuffix(".passed")
    works = sum(run[name] for name in run.channels if name.startswith(f"{contacts}.") and name.endswith(".work"))
    level = run["energy.residual"] + works + run[f"{contacts}.energy"]
    assert rise_of(level) < 1e-6 * run["energy.kinetic"][0]
