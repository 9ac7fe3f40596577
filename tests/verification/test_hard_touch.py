"""Oblique hits with the method moreau, at its default step and long ones: at the place where bodies touch.

They were hit where they stood in the middle of the step: balls cut at 75 degrees left at 70 to 72, with 1.2 of the
speed, "completed".
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import centrode as ct
from centrode.jit import JIT_ON

RADIUS, MASS = 0.028575, 0.17
ROLLS = (0.4 * MASS * RADIUS**2,) * 3
needs_speed = pytest.mark.skipif(not JIT_ON, reason="needs compiled kernels")


def balls(speed, cut, restitution, way, weight=0.0, friction=0.0, step=None):
    """A ball runs into another, off its middle so that this leaves at an angle ``cut``; two bodies as recorded."""
    system = ct.System(gravity=(0.0, 0.0, -weight))
    place = (way + 2 * RADIUS * math.cos(cut), 2 * RADIUS * math.sin(cut), RADIUS)
    system.add(ct.RigidBody("cue", MASS, ROLLS, position=(0.0, 0.0, RADIUS), velocity=(speed, 0.0, 0.0)))
    system.add(ct.RigidBody("object", MASS, ROLLS, position=place))
    for name in ("cue", "object"):
        system.add(ct.OutlineSphere(f"{name}-skin", name, radius=RADIUS))
    if weight:
        system.add(ct.OutlinePlane("table", "ground", material="cloth"))
        system.add(ct.Restitution("cloth", between=("cloth", "default"), restitution=0.0))
    system.add(ct.Restitution("law", restitution=restitution, friction=friction))
    asked = {} if step is None else {"step": step}
    return ct.simulate(system, duration=1.5 * (way + 2 * RADIUS) / speed, method="moreau", **asked)


@needs_speed
@pytest.mark.parametrize("restitution", (0.0, 0.5, 0.95, 1.0))
@pytest.mark.parametrize("weight", (0.0, 9.81))
def test_a_ball_leaves_along_the_line_of_middles(restitution, weight):
    """The object ball goes along the line of the middles when they touch, with (1 + e)/2 of the speed along it.

    Gaps are closed to 1e-6 of the radius, which turns the normal by 1e-6 tan(cut) / 2, and 3e-6 at 80 degrees.
    """
    rng = np.random.default_rng(7)
    for _ in range(12):
        speed, cut, way = rng.uniform(0.5, 10.0), math.radians(rng.uniform(-80.0, 80.0)), rng.uniform(0.1, 0.11)
        step = rng.choice([None, 0.2 * RADIUS / speed, 0.03 * RADIUS / speed])
        run = balls(speed, cut, restitution, way, weight, step=step)
        along = speed * math.cos(cut)
        assert run.status == "completed" and not run.warnings
        gone = run["object.velocity"][-1, :2]
        assert math.atan2(gone[1], gone[0]) == pytest.approx(cut, abs=1e-5)
        assert math.hypot(*gone) == pytest.approx(0.5 * (1.0 + restitution) * along, rel=3e-5)
        heat = 0.25 * MASS * (1.0 - restitution**2) * along**2
        assert run["collisions.heat"][-1] == pytest.approx(heat, rel=1e-4, abs=1e-9)
        assert abs(run["energy.residual"]).max() < 1e-12


@needs_speed
@pytest.mark.parametrize("restitution", (0.0, 0.7, 1.0))
def test_rough_hits_keep_all_momenta(restitution):
    """Momentum and angular momentum about the origin, path and spin together, to round-off."""
    for cut in (0.1, 0.7, 1.2):
        run = balls(3.0, cut, restitution, 0.1, friction=0.3)
        path = sum(MASS * np.cross(run[f"{b}.position"], run[f"{b}.velocity"]) for b in ("cue", "object"))
        spin = sum(ROLLS[0] * run[f"{b}.omega"] for b in ("cue", "object"))
        total = path + spin
        assert np.abs(total - total[0]).max() < 1e-12 * np.abs(total[0]).max()
        momentum = run["cue.velocity"] + run["object.velocity"]
        assert np.abs(momentum - momentum[0]).max() < 1e-13 * 3.0
        assert np.ptp(spin[:, 2]) > 1e-3 * np.abs(total[0]).max()  # friction did act
        assert abs(run["energy.residual"]).max() < 1e-13


@needs_speed
@pytest.mark.parametrize("speed", (1.0, 3.0))
@pytest.mark.parametrize("off", (0.0, 0.015, 0.025))
def test_a_ball_glances_off_a_post(speed, off):
    """1.15 degrees off at 1 m/s. On a smooth table: the weight must not turn the normal."""
    r, post = 0.01, 0.02
    system = ct.System(gravity=(0.0, 0.0, -9.81))
    place = {"position": (-0.15, off, r), "velocity": (speed, 0.0, 0.0)}
    system.add(ct.RigidBody("ball", 0.05, (0.4 * 0.05 * r * r,) * 3, **place))
    system.add(ct.OutlinePlane("table", "ground"))
    system.add(ct.OutlineCylinder("post", "ground", radius=post, half_length=0.05))
    system.add(ct.OutlineSphere("skin", "ball", radius=r))
    system.add(ct.Restitution("law", restitution=0.8))
    run = ct.simulate(system, duration=0.3 / speed, method="moreau")
    n = np.array([-math.sqrt(1.0 - (off / (r + post)) ** 2), off / (r + post)])
    wanted = np.array([speed, 0.0]) - 1.8 * speed * n[0] * n
    assert run["ball.velocity"][-1, :2] == pytest.approx(wanted, abs=1e-5 * speed)


@needs_speed
def test_a_door_meets_a_post_where_it_stands():
    """A ball on an arm, held by a hinge, against a fixed ball: the place of the hit decides when it comes back."""
    arm, r, spin, e = 0.5, 0.02, 2.0, 0.6
    for angle in (0.3, 0.317, 0.3291):
        system = ct.System(gravity=(0.0, 0.0, 0.0))
        start = {"position": (arm, 0, 0), "velocity": (0, spin * arm, 0), "omega": (0, 0, spin)}
        system.add(ct.RigidBody("arm", 1.0, (1e-3,) * 3, **start))
        system.add(ct.Revolute("hinge", "ground", "arm", at=(0, 0, 0), axis=(0, 0, 1)))
        system.add(ct.OutlineSphere("end", "arm", radius=r))
        centre = (0.51 * math.cos(angle), 0.51 * math.sin(angle), 0.0)
        system.add(ct.OutlineSphere("post", "ground", radius=r, centre=centre))
        system.add(ct.Collisions("collisions", joined=True))
        system.add(ct.Restitution("law", restitution=e))
        run = ct.simulate(system, duration=0.3, method="moreau", step=2e-3)
        # the middles are 2 r apart: law of cosines
        touch = angle - math.acos((arm**2 + 0.51**2 - (2 * r) ** 2) / (2 * arm * 0.51))
        back = touch - e * spin * (0.3 - touch / spin)
        # impulses act with the arms of the middle of the step, off by h spin
        assert run["arm.omega"][-1, 2] == pytest.approx(-e * spin, rel=(2e-3 * spin) ** 2)
        assert run["hinge.angle"][-1] == pytest.approx(back, abs=(2e-3 * spin) ** 2)


@needs_speed
@pytest.mark.parametrize("restitution", (0.0, 0.5, 1.0))
def test_tilted_boxes_on_a_floor_lose_what_the_law_says(restitution):
    """A corner meets a smooth floor: P = -(1 + e) u / W with the arm of the touch, from u and the pose there."""
    rng = np.random.default_rng(11)
    for _ in range(8):
        q = rng.normal(size=4)
        q /= np.linalg.norm(q)
        half, mass = np.array([0.1, 0.06, 0.04]), 2.0
        inertia = mass / 3.0 * (half @ half - half**2)
        system = ct.System(gravity=(0.0, 0.0, 0.0))
        start = {"position": (0, 0, 0.3), "orientation": tuple(q), "velocity": (0.2, 0, -rng.uniform(0.8, 3.0))}
        system.add(ct.RigidBody("box", mass, tuple(inertia), **start))
        system.add(ct.OutlineBox("edges", "box", half_lengths=tuple(half)))
        system.add(ct.OutlinePlane("floor", "ground"))
        system.add(ct.Restitution("law", restitution=restitution))
        w, x, y, z = q
        turn = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )
        corners = np.array([[a, b, c] for a in (1, -1) for b in (1, -1) for c in (1, -1)]) * half @ turn.T
        low = corners[np.argmin(corners[:, 2])]
        lever = np.cross(low, (0, 0, 1.0))
        mobility = 1.0 / mass + lever @ (turn @ np.diag(1.0 / inertia) @ turn.T) @ lever
        fall = start["velocity"][2]
        impulse = -(1.0 + restitution) * fall / mobility
        time = (0.3 + low[2]) / -fall
        run = ct.simulate(system, duration=time + 4e-3, method="moreau", step=1e-3, frames=1e-3)
        after = run["box.velocity.z"][run.time > time + 1.001e-3][0]
        if after != run["box.velocity.z"][-1] and restitution < 1.0:
            continue  # another corner was next
        assert after == pytest.approx(fall + impulse / mass, abs=1e-5 * abs(fall))


@needs_speed
@pytest.mark.parametrize("step", (3e-3, 2e-3, 1.3e-3))
def test_a_ball_that_loses_nothing_bounces_for_a_minute(step):
    """Where only the weight of the step made it reach the floor, its speed was cut without a rebound: 1 % each time."""
    for height in (0.011, 0.01, 0.0371):
        system = ct.System(gravity=(0.0, 0.0, -9.81))
        system.add(ct.RigidBody("ball", MASS, ROLLS, position=(0.0, 0.0, RADIUS + height)))
        system.add(ct.OutlineSphere("skin", "ball", radius=RADIUS))
        system.add(ct.OutlinePlane("floor", "ground"))
        system.add(ct.Restitution("law", restitution=1.0))
        run = ct.simulate(system, duration=60.0, method="moreau", step=step, frames=0.1)
        energy = MASS * 9.81 * height
        assert np.ptp(run["energy.total"]) < 1e-9 * energy  # thousands of bounces of round-off, 1e-16 of them


def test_laws_without_friction_are_named() -> None:
    """Without a law friction is 0.5, with one that leaves it out 0: nobody was told. No warning: smooth is a choice."""
    system = ct.System()
    system.add(ct.RigidBody("box", 1.0, (0.01,) * 3, position=(0, 0, 0.1)))
    system.add(ct.OutlineBox("edges", "box", half_lengths=(0.1,) * 3))
    system.add(ct.OutlinePlane("floor", "ground", material="ice"))
    system.add(ct.Restitution("on_ice", between=("ice", "default")))
    system.add(ct.Restitution("rough", friction=0.4))
    run = ct.simulate(system, duration=0.01, method="moreau")
    (told,) = [item.subject for item in run.events.of("chosen")]
    assert told.startswith("smooth") and told.endswith("'on_ice'") and "rough" not in told
    assert not run.warnings
