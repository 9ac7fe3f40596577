"""What a newcomer from another program writes first, and what is said to it: one line that helps, never a traceback."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

import centrode as ct


def pendulum() -> ct.System:
    system = ct.System()
    system.add(ct.RigidBody("bob", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(1.0, 0.0, 0.0)))
    system.add(ct.Revolute("hinge", "ground", "bob", at=(0.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0)))
    return system


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"dt": 0.1}, "did you mean 'step'"),
        ({"t_end": 3.0}, "did you mean 'duration'"),
        ({"rtol": 1e-3}, "did you mean 'tolerance'"),
        ({"integrator": "rk4"}, "did you mean 'method'"),
        ({"duration": "ten"}, "not a number"),
        ({"duration": "10 m"}, "is a length"),
        ({"duration": 1.0, "frames": 100}, "0.01 s for 100 frames"),
    ],
)
def test_settings_in_words(settings, words):
    with pytest.raises(ct.InputError, match=words):
        ct.simulate(pendulum(), **settings)


def test_settings_take_units():
    session = ct.Session(pendulum(), duration="500 ms", method="rk4", step="1 ms")
    assert (session.settings.duration, session.settings.step) == (0.5, 1e-3)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ct.System(gravity=9.81), "such as .0, 0, -9.81."),
        (lambda: ct.System(gravity=(0.0, -9.81)), "plane=True"),
        (lambda: ct.Revolute("h", "ground", "b", limits=(0, 1)), "Stop"),
        (lambda: ct.Spring("s", "ground", "b", k=3.0), "did you mean 'stiffness'"),
        (lambda: ct.RigidBody("b"), "'mass' is missing; expected mass .kg."),
        (lambda: ct.RigidBody("b", 1.0, name="c"), "given twice"),
        (lambda: ct.System().add(ct.RigidBody("b", mass=1.0, inertia=(1.0, 1.0, 5.0))), "no body has"),
        (lambda: pendulum().add(ct.Spring("s", "ground", "bob")), "does nothing"),
        (lambda: pendulum().add(ct.Ball("j", "ground", "bob", at=(0.0, 0.0))), "two numbers in a system in space"),
        (lambda: ct.kinds("signl"), "did you mean 'signal'"),
    ],
)
def test_first_mistakes_in_words(make, words):
    with pytest.raises(ct.InputError, match=words):
        make()


def test_flat_bodies_and_measured_inertias_pass():
    system = ct.System()
    system.add(ct.RigidBody("disc", mass=1.0, inertia=(1.0, 1.0, 2.0)))
    system.add(ct.RigidBody("measured", mass=1.0, inertia=(1.0, 1.0, 2.04)))
    system.add(ct.RigidBody("link", mass=1.0, inertia=(1.0, 1.0, 5.0), unusual=True))


@pytest.mark.parametrize(
    ("foreign", "own"),
    [("hinge", "revolute"), ("slider", "prismatic"), ("spherical", "ball"), ("weld", "fixed"), ("pin", "revolute")]
    + [("cylinder", "cylindrical"), ("motor", "motion")],
)
def test_joints_by_the_names_of_other_programs(foreign, own):
    text = f"centrode: 1\nbodies: {{bob: {{mass: 1}}}}\njoints: {{h: {{kind: {foreign}, a: ground, b: bob}}}}\n"
    with pytest.raises(ct.InputError, match=f"did you mean '{own}'"):
        ct.loads(text)


def test_a_free_joint_is_no_joint():
    text = "centrode: 1\nbodies: {bob: {mass: 1}}\njoints: {h: {kind: free, a: ground, b: bob}}\n"
    with pytest.raises(ct.InputError, match="free already"):
        ct.loads(text)
    with pytest.raises(AttributeError, match="Revolute"):
        ct.Hinge  # noqa: B018
    with pytest.raises(AttributeError, match="there already"):
        ct.World  # noqa: B018


def test_signals_stand_in_the_list():
    assert set(ct.kinds("signal")) >= {"table", "expression", "harmonic"}
    assert ct.kinds("signal")["table"] is ct.SignalTable
    assert {"joint", "force", "signal"} <= set(ct.kinds())


def test_every_kind_is_a_name_of_the_front_door():
    for family, kinds in ct.kinds().items():
        for kind, item in kinds.items():
            assert item.__name__ in dir(ct), (family, kind)


def test_long_steps_are_told():
    run = ct.simulate(pendulum(), duration=4.0, frames=0.5, step=0.5, method="rk4-projected")
    assert any("is long for this system" in event.subject for event in run.events)
    fine = ct.simulate(pendulum(), duration=1.0, step=1e-2, method="rk4-projected")
    assert not any("is long for this system" in event.subject for event in fine.events)


@pytest.mark.parametrize(("step", "told"), [(5e-4, False), (1.1e-3, True)])
def test_vibrations_inside_of_bodies_ask_for_steps_that_are_stable(step, told):
    """Chassis of 1999 ring at 1622 rad/s. Every shipped crash was told that its step of 0.5 ms is long, while rest
    positions at 0.04 ms differ by a millimetre; a step of 1.1 ms, w h = 1.8, is.
    """
    system = ct.System()
    system.add(ct.Car("car", speed=20.0))
    session = ct.Session(system, method="rk4-projected", step=step, duration=99 * step, frames=11 * step)
    assert told == any("is long for this system" in event.subject for event in session.start_events())


def test_parts_in_place_of_the_title_are_told():
    with pytest.raises(ct.InputError, match=r"title.*parts are added: system.add"):
        ct.System([ct.Car("car")])


def test_notebooks_show_plots():
    run = ct.simulate(pendulum(), duration=1.0)
    assert run.plot()._repr_png_()[:4] == b"\x89PNG"


def skate(**edits: float) -> ct.BicycleParameters:
    """Two-mass skate of Kooijman, Meijaard, Papadopoulos, Ruina and Schwab, Science 332 (2011), table S1."""
    masses = {"mR": 0.0, "mF": 0.0, "mB": 10.0, "mH": 1.0}
    names = ("IRxx", "IRyy", "IFxx", "IFyy", "IBxx", "IByy", "IBzz", "IBxz", "IHxx", "IHyy", "IHzz", "IHxz")
    shape = {"w": 1.0, "c": 0.0, "lam": math.radians(5.0), "rR": 0.1, "rF": 0.1, "xB": 1.2, "zB": -0.4, "xH": 1.02}
    return ct.from_z_down(**{**dict.fromkeys(names, 0.0), **masses, **shape, "zH": -0.2, "g": 9.81, **edits})


def test_two_mass_skate_is_stable_above_its_speed():
    """Published: self-stable above 2.8 m/s, without gyroscopes and trail."""
    model = ct.linear_bicycle(skate())
    assert model.eigenvalues(2.7).real.max() > 0.0
    assert model.eigenvalues(3.0).real.max() < 0.0


def test_measured_bicycles_that_miss_the_triangle_rule_are_told():
    with pytest.warns(UserWarning, match="2 % above"):
        skate(IRxx=0.05, IRyy=0.102, mR=1.0)
    with pytest.raises(ct.InputError, match="no mass distribution"):
        skate(IRxx=0.05, IRyy=0.12, mR=1.0)
    with pytest.warns(UserWarning, match="left out"):
        skate(g=1.62)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isfinite(skate().wheelbase)
