"""Bodies without inertia: what joints may hold of them, and what is refused with body, joint and what to enter."""

from __future__ import annotations

import numpy as np
import pytest

import centrode as ct
from centrode.errors import InputError

G = 9.81


def refused(system: ct.System) -> str:
    with pytest.raises(InputError) as error:
        ct.simulate(system, duration=0.1)
    return str(error.value)


def bob(**more) -> ct.System:
    system = ct.System()
    system.add(ct.RigidBody("bob", mass=1.0, position=(1.0, 0.0, 0.0), **more))
    return system


@pytest.mark.parametrize(
    "joint",
    [
        lambda: ct.Revolute("hinge", "ground", "bob", at=(0, 0, 0), axis=(0, 1, 0)),
        lambda: ct.Revolute("hinge", "ground", "bob", at=(0, 0, 0), axis=(0, 1, 0), compliant=True),
        lambda: ct.Ball("hinge", "ground", "bob", at=(0, 0, 0)),
        lambda: ct.Rod("hinge", "ground", "bob", point_b=(0.1, 0.2, 0.0)),
        lambda: ct.Universal("hinge", "ground", "bob", at=(1, 0, 0), axis=(1, 0, 0), cross_axis=(0, 1, 0)),
    ],
    ids=["revolute", "compliant", "ball", "rod", "universal"],
)
def test_a_joint_that_would_turn_a_point_mass_is_refused(joint) -> None:
    system = bob()
    system.add(joint())
    text = refused(system)
    assert text.startswith("hinge: ") and "'bob', which has no inertia" in text and "kg*m2" in text


def test_a_payload_without_inertia_does_not_lock_an_arm() -> None:
    system = ct.System()
    system.add(ct.RigidBody("arm", 1.0, (0.1, 0.1, 0.1), position=(0.5, 0, 0)))
    system.add(ct.RigidBody("load", 2.0, position=(1.0, 0, 0)))
    system.add(ct.Revolute("hinge", "ground", "arm", at=(0, 0, 0), axis=(0, 1, 0)))
    system.add(ct.Fixed("grip", "arm", "load", at=(1.0, 0, 0)))
    text = refused(system)
    assert text.startswith("grip: ") and "'load'" in text


def test_a_planar_body_without_inertia_is_refused_off_its_centre() -> None:
    system = ct.System(plane=True)
    system.add(ct.PlanarBody("bob", 1.0, position=(1.0, 0.0)))
    system.add(ct.Revolute("hinge", "ground", "bob", at=(0.0, 0.0)))
    assert "'bob', which has no inertia" in refused(system)


def test_points_may_be_held() -> None:
    """A ball and a rod at the mass itself: a mathematical pendulum, 2 pi sqrt(l/g) at small swings; (a/4)^2 is 4e-6."""
    system = ct.System()
    amplitude = 8e-3
    system.add(ct.RigidBody("bob", 1.0, position=(np.sin(amplitude), 0.0, -np.cos(amplitude))))
    system.add(ct.Rod("string", "ground", "bob"))
    period = 2.0 * np.pi / np.sqrt(G)
    run = ct.simulate(system, duration=period, frames=period)
    assert run.status.completed
    assert run["bob.position"][-1][0] == pytest.approx(np.sin(amplitude), rel=1e-5)
    held = ct.System()
    held.add(ct.RigidBody("bob", 1.0, position=(1.0, 0.0, 0.0)))
    held.add(ct.Ball("nail", "ground", "bob", at=(1.0, 0.0, 0.0)))
    assert ct.simulate(held, duration=0.1)["nail.force"][-1] == pytest.approx([0.0, 0.0, G], abs=1e-9)


def test_a_bead_on_a_fixed_slider_falls_and_counts_one_freedom() -> None:
    """Its orientation is held against the ground, where nothing turns: s = g t^2 / 2, exact for the method."""
    system = ct.System()
    system.add(ct.RigidBody("bead", 1.0))
    system.add(ct.Prismatic("wire", "ground", "bead", axis=(0, 0, 1)))
    run = ct.simulate(system, duration=1.0, frames=0.5)
    assert run.statistics.more["degrees_of_freedom"] == 1
    np.testing.assert_allclose(run["wire.displacement"], -0.5 * G * run.time**2, atol=1e-9)


def test_the_command_line_gives_the_line(tmp_path, capsys) -> None:
    from centrode.cli import main

    file = tmp_path / "bob.yaml"
    file.write_text(
        "centrode: 1\nbodies:\n  bob: {mass: 1 kg, position: [1, 0, 0]}\njoints:\n"
        "  hinge: {kind: revolute, a: ground, b: bob, at: [0, 0, 0], axis: [0, 1, 0]}\nrun: {duration: 1}\n"
    )
    assert main.run(["check", str(file)]) == 2
    said = capsys.readouterr().err
    assert "bob.yaml:5: joints.hinge: " in said and "'bob', which has no inertia" in said
