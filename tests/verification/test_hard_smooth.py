"""Smooth and rough pairs in one scene with the method moreau: islands solved at once went to NaN where nothing rubs."""

from __future__ import annotations

import math

import numpy as np
import pytest

import centrode as ct
from centrode.dynamics.hard.cone import way_in_cone
from centrode.jit import JIT_ON

G = 9.81


def test_the_way_out_of_the_cone_along_its_axis():
    """From x along -x the cone is left through its tip, after x_0 / d_0: where nothing rubs all steps are along the
    axis. Rounding made a discriminant of zero negative, and the step seemed never to leave the cone."""
    rng = np.random.default_rng(5)
    for _ in range(200):
        size, back = rng.random(2) + 0.01
        assert way_in_cone((size, 0.0, 0.0), (-back, 0.0, 0.0)) == pytest.approx(size / back, rel=1e-12)
        # along x of any direction in the cone, as far as the roots of a double zero are known: root of round-off
        x = (size, 0.7 * size * rng.random(), 0.7 * size * rng.random())
        d = tuple(-back * value for value in x)
        assert way_in_cone(x, d) == pytest.approx(1.0 / back, rel=1e-7)
        assert way_in_cone(x, x) == math.inf


def kerb(floor, friction, restitution, speed, step):
    """A box slides over a floor against a kerb of 3 cm."""
    half = (0.1, 0.1, 0.15)
    system = ct.System(gravity=(0.0, 0.0, -G))
    inertia = tuple(4.0 / 3.0 * (sum(h * h for h in half) - h * h) for h in half)
    system.add(ct.RigidBody("box", mass=4.0, inertia=inertia, position=(-0.12, 0.0, 0.15), velocity=(speed, 0.0, 0.0)))
    system.add(ct.OutlineBox("edges", "box", half_lengths=half))
    system.add(ct.OutlinePlane("ice", "ground", material="ice"))
    system.add(ct.OutlineBox("kerb", "ground", centre=(0.5, 0, -0.47), half_lengths=(0.5, 0.5, 0.5), material="kerb"))
    system.add(ct.Restitution("on_kerb", between=("kerb", "default"), restitution=restitution, friction=friction))
    system.add(ct.Restitution("on_ice", restitution=restitution, friction=floor))
    return ct.simulate(system, duration=0.1, method="moreau", step=step)


@pytest.mark.skipif(not JIT_ON, reason="needs compiled kernels")
@pytest.mark.parametrize("friction", (0.3, 1.0))
@pytest.mark.parametrize("step", (1e-3, 5e-4, 2e-4, 1e-4))
def test_a_smooth_floor_is_the_limit_of_a_rough_one(friction, step):
    """With friction 0 the box meets the kerb as with 1e-6: friction takes 1e-6 of what the floor gives, some 1 m/s, and
    the box turns as much faster over its half-width of 0.1 m; over the kerb that grows tenfold (linear in friction)."""
    for speed in (1.0, 1.3):
        smooth, rough = (kerb(floor, friction, 0.0, speed, step) for floor in (0.0, 1e-6))
        assert smooth.status == "completed"
        for name, arm in (("box.velocity", 1.0), ("box.omega", 0.1)):
            assert smooth[name] == pytest.approx(rough[name], abs=2e-5 / arm)
        assert abs(smooth["energy.residual"]).max() < 1e-10


@pytest.mark.skipif(not JIT_ON, reason="needs compiled kernels")
@pytest.mark.parametrize("seed", (1, 2, 3))
def test_rough_boxes_fall_into_a_smooth_bin(seed):
    """Eight boxes among smooth walls come to rest on the floor."""
    rng = np.random.default_rng(seed)
    system = ct.System(gravity=(0.0, 0.0, -G))
    system.add(ct.OutlinePlane("floor", "ground", material="floor"))
    for k, (x, y) in enumerate(((1, 0), (-1, 0), (0, 1), (0, -1))):
        half = (0.1 if x else 0.5, 0.1 if y else 0.5, 0.5)
        system.add(
            ct.OutlineBox(f"w{k}", "ground", centre=(x * 0.35, y * 0.35, 0.3), half_lengths=half, material="glass")
        )
    for i in range(8):
        q = rng.normal(size=4)
        place = ((i % 2 - 0.5) * 0.2, (i // 2 % 2 - 0.5) * 0.2, 0.15 + 0.2 * (i // 4))
        inertia = (1.0 / 3.0 * 2 * 0.05**2,) * 3
        system.add(ct.RigidBody(f"b{i}", 1.0, inertia, position=place, orientation=tuple(q / np.linalg.norm(q))))
        system.add(ct.OutlineBox(f"o{i}", f"b{i}", half_lengths=(0.05,) * 3, material="wood"))
    system.add(ct.Restitution("rough", restitution=0.1, friction=0.4))
    system.add(ct.Restitution("smooth", between=("wood", "glass"), restitution=0.1))
    for step in (1e-3, 2e-4):
        run = ct.simulate(system, duration=1.5, method="moreau", step=step)
        assert run.status == "completed"
        assert run["energy.kinetic"][-1] < 1e-3 * abs(run["energy.kinetic"]).max()
