"""How joints start: angles within a turn, given angles and rates, velocities and places that contradict the joints."""

from __future__ import annotations

import numpy as np
import pytest

import centrode as ct
from centrode.errors import InputError
from centrode.running import Session
from centrode.system.settings import RunSettings

Y = (0.0, 1.0, 0.0)


def start(system: ct.System, **settings) -> ct.Recording:
    return ct.simulate(system, duration=1e-3, frames=1e-3, **settings)


def bar(**given) -> ct.System:
    system = ct.System()
    system.add(ct.RigidBody("bar", 3.0, (0.1, 0.25, 0.25), position=(0.5, 0.0, 0.0), **given))
    return system


# -- angles ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1.0, 5.0, 20.0, 100.0])
def test_angles_start_at_zero(size: float) -> None:
    """A four-bar in space, of any size: the search for redundant rows turns bodies about, and that is forgotten."""
    system = ct.System()
    places = {"o": (0, 0, 0), "a": (0, 0, size), "b": (2 * size, 0, size), "q": (2 * size, 0, 0)}
    for name, (one, two) in {"crank": "oa", "coupler": "ab", "follower": "bq"}.items():
        middle = tuple((np.add(places[one], places[two]) / 2).tolist())
        system.add(ct.RigidBody(name, 1.0, (size**2,) * 3, position=middle))
    joints = {"base": ("ground", "crank", "o"), "pin": ("crank", "coupler", "a")}
    joints |= {"eye": ("coupler", "follower", "b"), "pivot": ("ground", "follower", "q")}
    for name, (a, b, at) in joints.items():
        system.add(ct.Revolute(name, a, b, at=places[at], axis=Y))
    run = start(system)
    for name in joints:
        assert run[f"{name}.angle"][0] == pytest.approx(0.0, abs=1e-12)


def test_a_gear_in_a_loop_keeps_its_start() -> None:
    """Wheels that the assembly has to turn keep the turns that their row counts in."""
    system = ct.System(plane=True, gravity=(0.0, 0.0))
    for name, place in (("a", (0.0, 0.0)), ("b", (1.0, 0.0))):
        system.add(ct.PlanarBody(name, 1.0, 0.1, position=place))
        system.add(ct.Revolute(f"hinge-{name}", "ground", name, at=place))
    system.add(ct.Gear("pair", "a", "b", -3.0))
    run = start(system)
    assert run["pair.angle_a"][0] == 0.0 and run["pair.angle_b"][0] == 0.0


def test_a_universal_joint_records_both_angles() -> None:
    """Cross turned by given angles: b is Rx(p) Ry(q) against a, so p and q come back, past a turn, with their signs."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.RigidBody("shaft", 1.0, (1.0, 1.0, 1.0)))
    system.add(ct.Universal("cross", "ground", "shaft", at=(0, 0, 0), axis=(1, 0, 0), cross_axis=Y))
    rates = (2.0, -0.7)
    start_at = (0.4, -0.3)
    system.replace(
        ct.Universal(
            "cross", "ground", "shaft", at=(0, 0, 0), axis=(1, 0, 0), cross_axis=Y,
            angle_a=start_at[0], angle_b=start_at[1], angle_a_rate=rates[0], angle_b_rate=rates[1],
        )
    )  # fmt: skip
    run = ct.simulate(system, duration=6.0, frames=0.05, tolerance=1e-10)
    found = np.stack([run["cross.angle_a"], run["cross.angle_b"]], axis=1)
    assert found[0] == pytest.approx(start_at, abs=1e-14)
    for p, q, quaternion in zip(*found.T, run["shaft.orientation"], strict=True):
        expected = _product((np.cos(p / 2), np.sin(p / 2), 0, 0), (np.cos(q / 2), 0, np.sin(q / 2), 0))
        assert abs(np.dot(quaternion, expected)) == pytest.approx(1.0, abs=1e-9)
    assert found[-1, 0] > 2.0 * np.pi  # goes on continuously
    assert np.abs(np.diff(found, axis=0)).max() < 0.5


def _product(a, b) -> np.ndarray:
    w, x, y, z = a
    return np.array([[w, -x, -y, -z], [x, w, -z, y], [y, z, w, -x], [z, -y, x, w]]) @ np.array(b)


# -- given angles and rates --------------------------------------------------------------------------------------------


def test_a_hinged_bar_starts_at_its_angle_and_rate() -> None:
    """Turned about y by 0.5 rad, the bar at (0.5, 0, 0) points to (cos, 0, -sin) and its middle moves at w l/2."""
    system = bar()
    system.add(ct.Revolute("hinge", "ground", "bar", at=(0, 0, 0), axis=Y, angle=0.5, angle_rate=3.0))
    run = start(system)
    c, s = np.cos(0.5), np.sin(0.5)
    assert run["hinge.angle"][0] == pytest.approx(0.5, abs=1e-15)
    assert run["bar.position"][0] == pytest.approx([0.5 * c, 0.0, -0.5 * s], abs=1e-15)
    assert run["bar.omega"][0] == pytest.approx([0.0, 3.0, 0.0], abs=1e-14)
    assert run["bar.velocity"][0] == pytest.approx([-1.5 * s, 0.0, -1.5 * c], abs=1e-14)
    assert not any("velocities changed" in event.subject for event in run.events)


def test_angles_and_rates_from_a_file_with_units() -> None:
    text = """
centrode: 1
bodies:
  bar: {mass: 3, inertia: [0.1, 0.25, 0.25], position: [0.5, 0, 0]}
joints:
  hinge: {kind: revolute, a: ground, b: bar, at: [0, 0, 0], axis: [0, 1, 0], angle: 30 deg, angle_rate: 90 deg/s}
"""
    run = ct.simulate(ct.loads(text), duration=1e-3, frames=1e-3)
    assert run["hinge.angle"][0] == pytest.approx(np.pi / 6) and run["bar.omega"][0][1] == pytest.approx(np.pi / 2)


def test_a_tree_is_placed_from_the_ground() -> None:
    """Upper arm, forearm with a slider, a tip welded on: forward kinematics by hand, velocities by differences."""

    def system(shift: float) -> ct.System:
        found = ct.System()
        for name, x in (("upper", 0.5), ("fore", 1.4), ("tip", 1.9)):
            found.add(ct.RigidBody(name, 1.0, (0.1, 0.1, 0.1), position=(x, 0.0, 0.0)))
        q, rate = np.array([0.4, -0.7, 0.2]), np.array([1.0, 2.0, -0.5])
        a, b, d = (q + shift * rate).tolist()
        found.add(ct.Revolute("shoulder", "ground", "upper", at=(0, 0, 0), axis=Y, angle=a, angle_rate=1.0))
        # Written from the outer body to the inner one: the angle is that of 'upper' against 'fore'.
        found.add(ct.Revolute("elbow", "fore", "upper", at=(1, 0, 0), axis=Y, angle=-b, angle_rate=-2.0))
        found.add(
            ct.Prismatic("slide", "fore", "tip", at=(1.9, 0, 0), axis=(1, 0, 0), displacement=d, displacement_rate=-0.5)
        )
        return found

    run = start(system(0.0))
    first, second = np.array([np.cos(0.4), 0.0, -np.sin(0.4)]), np.array([np.cos(-0.3), 0.0, -np.sin(-0.3)])
    assert run["upper.position"][0] == pytest.approx(0.5 * first, abs=1e-14)
    assert run["fore.position"][0] == pytest.approx(first + 0.4 * second, abs=1e-14)
    assert run["tip.position"][0] == pytest.approx(first + 1.1 * second, abs=1e-14)
    assert run["elbow.angle"][0] == pytest.approx(0.7, abs=1e-14)
    assert run["slide.displacement"][0] == pytest.approx(0.2, abs=1e-14)
    h = 1e-6
    ahead, behind = start(system(h)), start(system(-h))
    for name in ("upper", "fore", "tip"):
        speed = (ahead[f"{name}.position"][0] - behind[f"{name}.position"][0]) / (2 * h)
        assert run[f"{name}.velocity"][0] == pytest.approx(speed, abs=1e-8)


def test_a_loop_is_closed_with_the_crank_held() -> None:
    """A parallelogram: the crank's angle and rate are those given, and the follower's are the same."""
    system = ct.System(plane=True)
    for name, place in (("crank", (0.0, 0.5)), ("coupler", (1.0, 1.0)), ("follower", (2.0, 0.5))):
        system.add(ct.PlanarBody(name, 1.0, 0.1, position=place))
    system.add(ct.Revolute("base", "ground", "crank", at=(0, 0), angle=-0.6, angle_rate=2.0))
    system.add(ct.Revolute("pin", "crank", "coupler", at=(0, 1)))
    system.add(ct.Revolute("eye", "coupler", "follower", at=(2, 1)))
    system.add(ct.Revolute("pivot", "ground", "follower", at=(2, 0)))
    run = start(system)
    for name in ("base", "pivot"):
        assert run[f"{name}.angle"][0] == pytest.approx(-0.6, abs=1e-11)
    for name, rate in (("crank", 2.0), ("coupler", 0.0), ("follower", 2.0)):
        assert run[f"{name}.omega"][0] == pytest.approx(rate, abs=1e-11)


def test_starts_that_cannot_be_had_together_are_refused() -> None:
    system = ct.System(plane=True)
    for name, place in (("crank", (0.0, 0.5)), ("coupler", (1.0, 1.0)), ("follower", (2.0, 0.5))):
        system.add(ct.PlanarBody(name, 1.0, 0.1, position=place))
    system.add(ct.Revolute("base", "ground", "crank", at=(0, 0), angle_rate=2.0))
    system.add(ct.Revolute("pin", "crank", "coupler", at=(0, 1)))
    system.add(ct.Revolute("eye", "coupler", "follower", at=(2, 1)))
    system.add(ct.Revolute("pivot", "ground", "follower", at=(2, 0), angle_rate=1.0))
    with pytest.raises(InputError, match=r"base\.angle: the joints cannot move with these rates.*pivot\.angle"):
        start(system)


def test_a_velocity_given_twice_is_refused() -> None:
    system = bar(omega=(0.0, 1.0, 0.0))
    system.add(ct.Revolute("hinge", "ground", "bar", at=(0, 0, 0), axis=Y, angle_rate=3.0))
    with pytest.raises(InputError, match=r"bar\.omega: .*give its motion already"):
        start(system)


def test_a_start_cannot_change_during_a_run() -> None:
    system = bar()
    system.add(ct.Revolute("hinge", "ground", "bar", at=(0, 0, 0), axis=Y))
    with pytest.raises(InputError, match="how the joint starts"):
        system.change(1.0, "hinge", angle=0.3)


# -- contradictions ----------------------------------------------------------------------------------------------------


def test_a_velocity_that_the_joints_cannot_have_is_refused() -> None:
    """The hinge is at the end of the bar: turning at 3 rad/s its middle must move at 1.5 m/s, and stands still."""
    system = bar(omega=(0.0, 3.0, 0.0))
    system.add(ct.Revolute("hinge", "ground", "bar", at=(0, 0, 0), axis=Y))
    with pytest.raises(InputError) as error:
        start(system)
    text = str(error.value)
    assert text.startswith("bar.omega: ") and "hinge" in text and "angle_rate" in text
    # Momentum about the hinge is kept: I w0 = (I + m l^2/4) w, 0.25 * 3 = (0.25 + 0.75) w.
    assert "0.75" in text
    run = start(system, assemble=True)
    assert run["bar.omega"][0][1] == pytest.approx(0.75, abs=1e-12)
    assert any("velocities changed" in event.subject for event in run.events)
    moving = bar(omega=(0.0, 3.0, 0.0), velocity=(0.0, 0.0, -1.5))
    moving.add(ct.Revolute("hinge", "ground", "bar", at=(0, 0, 0), axis=Y))
    assert start(moving)["bar.omega"][0][1] == pytest.approx(3.0, abs=1e-12)


def test_velocities_typed_with_four_digits_are_taken() -> None:
    system = bar(omega=(0.0, 3.0, 0.0), velocity=(0.0, 0.0, -1.5002))
    system.add(ct.Revolute("hinge", "ground", "bar", at=(0, 0, 0), axis=Y))
    assert start(system).status.completed


def test_a_drive_may_set_bodies_in_motion() -> None:
    """Nothing was entered, so nothing is contradicted."""
    system = bar()
    system.add(ct.Revolute("hinge", "ground", "bar", at=(0, 0, 0), axis=Y))
    system.add(ct.Motion("motor", "ground", "bar", signal=ct.SignalRamp(2.0), at=(0, 0, 0), axis=Y))
    assert start(system)["bar.omega"][0][1] == pytest.approx(2.0, abs=1e-12)


def test_a_joint_without_a_place_does_not_drag_its_body() -> None:
    system = bar()
    system.add(ct.Revolute("hinge", "ground", "bar", axis=Y))
    with pytest.raises(InputError, match=r"hinge: the place of this joint is not given.*0\.5 m.*'at'"):
        start(system)
    assert Session(system, RunSettings(assemble=True)).assembly.moved["bar"][0] == pytest.approx(0.5, abs=1e-9)
    on_bodies = bar()
    on_bodies.add(ct.Revolute("hinge", "ground", "bar", axis=Y, point_b=(-0.5, 0, 0)))
    assert start(on_bodies).status.completed


def test_springs_about_hinges_count_no_turns_before_the_start() -> None:
    """Fingers of 2 cm on an arm of a metre, two of them geared: the search for redundant rows shakes all bodies by
    centimetres and closes them again, over whole turns of fingers. Springs kept those: 158 J were stored at the start.
    """
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    reach, small = 1.0, 0.02
    moments = (0.01 * small**2,) * 3

    def hinge(body: str, onto: str, x: float, y: float, axis: tuple[float, float, float]) -> None:
        system.add(ct.Revolute(f"{body}-hinge", onto, body, at=(x, y, 0.0), axis=axis))
        system.add(ct.RotationalSpring(f"{body}-spring", joint=f"{body}-hinge", stiffness=1.0))

    system.add(ct.RigidBody("arm", 1.0, (0.1, 0.1, 0.1), position=(0.5 * reach, 0.0, 0.0)))
    hinge("arm", "ground", 0.0, 0.0, (0.0, 1.0, 0.0))
    last = "arm"
    for k in range(3):
        system.add(ct.RigidBody(f"link{k}", 0.01, moments, position=(reach + small * (k + 0.5), 0.0, 0.0)))
        hinge(f"link{k}", last, reach + small * k, 0.0, (0.0, 1.0, 0.0) if k % 2 else (0.0, 0.0, 1.0))
        last = f"link{k}"
    for k in range(2):
        system.add(ct.RigidBody(f"tip{k}", 0.01, moments, position=(reach + 3.5 * small, small * k, 0.0)))
        hinge(f"tip{k}", last, reach + 3.0 * small, small * k, (0.0, 0.0, 1.0))
    system.add(ct.Gear("teeth", "tip0", "tip1", 1.0, carrier=last, axis=(0.0, 0.0, 1.0)))
    run = ct.simulate(system, duration=0.01)
    assert run["energy.stored"].max() < 1e-12  # angles of round-off, 1e-12 rad by the closure, squared
    assert np.abs(run["tip0.velocity"]).max() < 1e-9
