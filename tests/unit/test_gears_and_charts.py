"""Gears against virtual work, wheels off their carriers, coordinates left out, controllers in continuous time."""

from __future__ import annotations

import numpy as np
import pytest

import centrode as ct
from centrode.dynamics.chart import Chart
from centrode.dynamics.freedoms import refuse_wheels_off_their_carrier
from centrode.dynamics.loop import ClosedLoop
from centrode.dynamics.workspace import Workspace
from centrode.errors import Fault, InputError
from centrode.parts.controllers.pid import INTEGRAL
from centrode.system.model import build_model

Y, ORIGIN = (0.0, 1.0, 0.0), (0.0, 0.0, 0.0)


def evaluated(system: ct.System) -> Workspace:
    workspace = Workspace(build_model(system))
    workspace.evaluate(0.0)
    return workspace


# -- torques -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["differential", "planetary", "gear"])
def test_gears_share_torques_as_virtual_work_asks(kind: str, seed: int) -> None:
    """The row n of the gear, n . w = 0, does no work: its torques are along n, and motions stay across it.

    Differential: w_c = s w_a + (1 - s) w_b, and of the torque of the case a gets s, b the rest. Planetary set:
    z_a (w_a - w_c) + z_b (w_b - w_c) = 0 (Willis). Gear on a case: w_b - w_c = i (w_a - w_c).
    """
    rng = np.random.default_rng(seed)
    share, ratio, teeth = rng.uniform(0.1, 0.9), rng.uniform(-3.0, 3.0), rng.integers(20, 60, 2).tolist()
    inertias, torques = rng.uniform(0.1, 0.5, 3), rng.uniform(-1.0, 1.0, 3)
    system = ct.System(gravity=ORIGIN)
    for name, inertia, torque in zip("abc", inertias, torques, strict=True):
        system.add(ct.RigidBody(name, 1.0, (0.7 * inertia, inertia, 0.8 * inertia)))
        system.add(ct.Revolute(f"bearing-{name}", "ground", name, at=ORIGIN, axis=Y))
        system.add(ct.Torque(f"torque-{name}", name, float(torque), direction=Y))
    if kind == "differential":
        row = np.array([share, 1.0 - share, -1.0])
        system.add(ct.Differential("set", "a", "b", float(share), axis=Y, carrier="c"))
    elif kind == "planetary":
        row = np.array([*teeth, -sum(teeth)], dtype=float)
        system.add(ct.Planetary("set", "a", "b", *teeth, axis=Y, carrier="c"))
    else:
        row = np.array([-ratio, 1.0, ratio - 1.0])
        system.add(ct.Gear("set", "a", "b", float(ratio), axis=Y, carrier="c"))
    rates = evaluated(system)["acceleration"][:, 4]
    assert row @ rates == pytest.approx(0.0, abs=1e-12 * np.abs(row).max())
    of_row = inertias * rates - torques
    assert np.abs(of_row).max() > 0.01
    assert of_row == pytest.approx(row * of_row[2] / row[2], abs=1e-12)


def test_a_differential_drives_both_shafts() -> None:
    for share in (0.0, 1.0):
        (fault,) = ct.Differential("set", "a", "b", share, axis=Y, carrier="c").faults()
        assert fault.path == "set.share" and "both shafts" in fault.what
    assert ct.Differential("set", "a", "b", 0.25, axis=Y, carrier="c").turning() == pytest.approx(-1.0 / 3.0)


# -- wheels off their carrier ------------------------------------------------------------------------------------------


def planet(carrier: str, *more: ct.Part) -> ct.System:
    """A sun on the ground and a planet on an arm, in mesh; ``bar`` is a body of its own on the ground."""
    system = ct.System(gravity=(0.0, 0.0), plane=True)
    for name, place in (("sun", (0, 0)), ("arm", (0, 0)), ("planet", (0.3, 0)), ("bar", (0.3, 0.5))):
        system.add(ct.PlanarBody(name, 1.0, 0.1, position=place))
    system.add(ct.Revolute("axle", "ground", "sun", at=(0.0, 0.0)))
    system.add(ct.Revolute("pivot", "ground", "arm", at=(0.0, 0.0)))
    system.add(ct.Revolute("hub", "arm", "planet", at=(0.3, 0.0)))
    system.add(ct.Revolute("foot", "ground", "bar", at=(0.3, 1.0)))
    system.add(ct.Gear("mesh", "sun", "planet", -2.0, carrier=carrier))
    for part in more:
        system.add(part)
    return system


def refused(system: ct.System) -> list[Fault]:
    with pytest.raises(InputError) as caught:
        refuse_wheels_off_their_carrier(evaluated(system))
    return list(caught.value.faults)


@pytest.mark.parametrize("carrier", ["ground", "bar"])
def test_the_refusal_of_a_planet_names_what_it_is_joined_to(carrier: str) -> None:
    """Not what other bodies are joined to, and not what is in mesh with it."""
    faults = {fault.what.split("'")[1]: fault for fault in refused(planet(carrier))}
    assert set(faults) == ({"planet"} if carrier == "ground" else {"sun", "planet"})
    fault = faults["planet"]
    assert fault.what == "the wheel 'planet' does more than turn about one line in the carrier"
    assert (fault.path, fault.got) == ("mesh.carrier", carrier)
    assert fault.expected == "the body that holds the bearings of both wheels"
    assert fault.hint == "it is joined to arm: carrier: arm"
    if carrier == "bar":
        assert faults["sun"].hint == "it is joined to ground: carrier: ground"


def test_a_planet_on_two_joints_is_told_both() -> None:
    rod = ct.Rod("rod", "bar", "planet", point_a=(0.0, 0.0), point_b=(0.1, 0.0))
    (fault,) = refused(planet("ground", rod))
    assert fault.hint == "it is joined to arm, bar: carrier: arm"


def test_a_wheel_without_a_bearing_is_told_to_have_one() -> None:
    system = ct.System(gravity=(0.0, 0.0), plane=True)
    for name in ("one", "two"):
        system.add(ct.PlanarBody(name, 1.0, 0.1))
    system.add(ct.Revolute("axle", "ground", "one", at=(0.0, 0.0)))
    system.add(ct.Gear("mesh", "one", "two", -2.0))
    (fault,) = refused(system)
    assert fault.what.startswith("the wheel 'two'") and fault.hint == "give it a hinge there"


def test_a_planet_on_its_arm_is_no_fault() -> None:
    refuse_wheels_off_their_carrier(evaluated(planet("arm")))


@pytest.mark.parametrize("held", [(), ("one",), ("one", "two")])
def test_wheels_that_cannot_turn_are_in_their_carrier_too(held: tuple[str, ...]) -> None:
    """Two motions beside the gear, one, and none; and what was moved to find out is back where it was."""
    system = ct.System(gravity=ORIGIN)
    for k, name in enumerate(("one", "two")):
        place = (0.3 * k, 0.0, 0.0)
        spin = (0.0, (0.7, -1.4)[k], 0.0)
        system.add(ct.RigidBody(name, 1.0, (0.1, 0.2, 0.3), position=place, omega=spin))
        if name in held:
            system.add(ct.Fixed(f"hold-{name}", "ground", name))
        else:
            system.add(ct.Revolute(f"axle-{name}", "ground", name, at=place, axis=Y))
    system.add(ct.Gear("mesh", "one", "two", -2.0, axis=Y))
    workspace = evaluated(system)
    kept = [workspace[name].copy() for name in ("velocity", "markers", "acceleration", "weighted_force")]
    refuse_wheels_off_their_carrier(workspace)
    for name, numbers in zip(("velocity", "markers", "acceleration", "weighted_force"), kept, strict=True):
        assert (workspace[name] == numbers).all(), name


@pytest.mark.parametrize(("slide", "right"), [(("drum", "load"), False), (("load",), True)])
def test_what_a_rope_draws_slides_and_its_drum_turns(slide: tuple[str, ...], right: bool) -> None:
    system = ct.System(gravity=ORIGIN)
    system.add(ct.RigidBody("drum", 2.0, (0.03, 0.05, 0.03), position=(0.0, 0.0, 1.0)))
    system.add(ct.RigidBody("load", 0.8, (0.01, 0.01, 0.01), position=(0.3, 0.0, 0.2)))
    system.add(ct.Revolute("bearing", "ground", "drum", at=(0, 0, 1), axis=Y))
    system.add(ct.Prismatic("rails", "ground", "load", at=(0.3, 0, 0), axis=(0, 0, 1)))
    moves = {"moves_a": "slide"} if "drum" in slide else {}
    sides = {"axis_a": Y, "axis_b": (0, 0, 1), "moves_b": "slide"}
    system.add(ct.Transmission("rope", "drum", "load", 0.1, **sides, **moves))
    if right:
        refuse_wheels_off_their_carrier(evaluated(system))
        return
    (fault,) = refused(system)
    assert fault.what == "the body 'drum' does more than slide along one line in the carrier"
    assert fault.expected == "the body that holds the bearings of both sides" and fault.hint == "give it a slider there"


# -- coordinates left out ----------------------------------------------------------------------------------------------


def two_rails(mass: float, sprung: bool) -> tuple[Chart, np.ndarray]:
    """A body on a rail, one that moves in a plane of which no place is a state, and the state of the chart.

    All of them fall, so that accelerations are not zero; the spring is that of x'' = -4 x along the last rail.
    """
    system = ct.System(gravity=(3.0, 0.0, -5.0))
    for name in ("one", "two"):
        system.add(ct.RigidBody(name, mass, (0.1 * mass,) * 3))
    system.add(ct.Prismatic("rail", "ground", "one", at=ORIGIN, axis=(1, 0, 0)))
    system.add(ct.RigidBody("cart", mass, (0.1 * mass,) * 3))
    system.add(ct.Prismatic("lift", "ground", "cart", at=ORIGIN, axis=(0, 0, 1)))
    system.add(ct.Prismatic("arm", "cart", "two", at=ORIGIN, axis=Y))
    if sprung:
        system.add(ct.Spring("spring", "cart", "two", 4.0 * mass, point_a=(0.0, -1.0, 0.0), length=1.0))
    left_out = ("lift.displacement", "arm.displacement")
    chart = Chart(evaluated(system), 0.0, ["rail.displacement"], cyclic=left_out)
    return chart, np.concatenate([chart.c0, chart.u0, chart.s0])


@pytest.mark.parametrize("mass", [1e-8, 1.0, 1e8])
def test_a_coordinate_left_out_that_matters_is_refused_whatever_the_mass(mass: float) -> None:
    """x'' = -4 x of the second body: its coordinate is no state, but its acceleration depends on it."""
    chart, x = two_rails(mass, sprung=True)

    def at(point: np.ndarray) -> np.ndarray:
        return chart.rates(point[:1], point[1:4], point[4:])

    start, reference = at(x), chart.reference
    assert start[1:4] == pytest.approx([3.0, -5.0, 0.0], abs=1e-12)
    with pytest.raises(InputError, match=r"depend on a coordinate that is left out.*it moves '(cart|two)' most"):
        chart.check_left_out(at, x, start)
    assert chart.reference is reference


def test_a_coordinate_that_does_not_matter_may_be_left_out() -> None:
    chart, x = two_rails(1.0, sprung=False)
    moved = []

    def at(point: np.ndarray) -> np.ndarray:
        found = chart.rates(point[:1], point[1:4], point[4:])
        moved.append(chart.workspace["pose"][1, :3].copy())
        return found

    chart.check_left_out(at, x, at(x))
    # It was tried: twice, in different directions, by 5 cm at most and along none of the named coordinates.
    first, once, again = np.array(moved)
    assert not first.any() and once[0] == again[0] == pytest.approx(0.0, abs=1e-12)
    assert [np.abs(once).max(), np.abs(again).max()] == pytest.approx([0.05, 0.05], abs=1e-12)
    assert abs(np.cross(once, again)[0]) > 1e-5


# -- controllers in continuous time ------------------------------------------------------------------------------------


def driven(*controllers: ct.Controller) -> Workspace:
    system = ct.System(gravity=ORIGIN)
    for name in ("one", "two"):
        system.add(ct.RigidBody(name, 2.0, (0.1, 0.1, 0.1)))
        system.add(ct.Prismatic(f"rail-{name}", "ground", name, at=ORIGIN, axis=(1, 0, 0)))
        system.add(ct.Actuator(f"drive-{name}", joint=f"rail-{name}", acts="along-axis"))
    for controller in controllers:
        system.add(controller)
    workspace = evaluated(system)
    workspace["pose"][:, 0] = 0.2, -0.3
    workspace["velocity"][:, 0] = 0.5, 0.7
    workspace.evaluate(0.0)
    return workspace


PIDS = [
    ct.Pid(
        f"pid-{name}", inputs=f"drive-{name}", measure=f"rail-{name}.displacement", setpoint=1.0, kp=kp, ki=ki, kd=kd,
        rate=f"rail-{name}.displacement_rate", period=0.05,
    )
    for name, kp, ki, kd in (("one", 3.0, 2.0, 0.5), ("two", 7.0, 0.4, 0.1))
]  # fmt: skip


def test_controllers_in_continuous_time_command_by_the_state_and_what_they_remember() -> None:
    """u = K_p e + i - K_d x', i' = K_i e."""
    loop = ClosedLoop(workspace := driven(*PIDS), 0.0)
    assert loop.names == ["pid-one.integral", "pid-two.integral"] and loop.memory.tolist() == [0.0, 0.0]
    (note,) = loop.notes
    assert note.endswith("'pid-one' (0.05 s), 'pid-two' (0.05 s)")
    for memory in ((0.0, 0.0), (0.25, -0.5)):
        rates = loop.command(np.array(memory))
        errors = np.array([0.8, 1.3])
        assert rates == pytest.approx(np.array([2.0, 0.4]) * errors, rel=1e-12)
        wanted = np.array([3.0, 7.0]) * errors + memory - np.array([0.5, 0.1]) * (0.5, 0.7)
        assert workspace["inputs"] == pytest.approx(wanted, rel=1e-12)
    workspace["pose"][:, 0] = 0.6, 0.9
    workspace.evaluate(0.0)
    workspace["velocity"][:, 0] = -0.2, 1.1  # set behind the evaluation, as a chart does
    assert loop.command(np.zeros(2)) == pytest.approx([2.0 * 0.4, 0.4 * 0.1], rel=1e-12)
    assert workspace["inputs"] == pytest.approx([3.0 * 0.4 + 0.5 * 0.2, 7.0 * 0.1 - 0.1 * 1.1], rel=1e-12)


def test_a_loop_goes_on_with_what_the_controllers_of_a_run_remember() -> None:
    from centrode.dynamics.control import Control

    workspace = driven(*PIDS)
    control = Control(workspace.model, workspace)
    control.states[1][INTEGRAL] = 1.25
    loop = ClosedLoop(workspace, 0.0, control)
    assert loop.memory.tolist() == [0.0, 1.25]
    loop.command(np.array([5.0, 6.0]))
    assert control.states[1][INTEGRAL] == 1.25, "the run's own memory stays as it was"


def test_a_controller_without_a_law_holds_its_command_and_is_named() -> None:
    own = ct.PythonController("own", inputs="drive-one", function=lambda time, view, state: 9.0, memory=2)
    loop = ClosedLoop(workspace := driven(own, PIDS[1]), 0.0)
    workspace["inputs"][:] = 4.0, 4.0
    assert loop.names == ["pid-two.integral"]
    assert loop.notes[0] == "'own' has no law in continuous time: its commands are held"
    assert "'pid-two'" in loop.notes[1] and "'own'" not in loop.notes[1]
    assert loop.command(np.array([0.5])) == pytest.approx([0.4 * 1.3])
    assert workspace["inputs"] == pytest.approx([4.0, 7.0 * 1.3 + 0.5 - 0.1 * 0.7])


def test_without_controllers_nothing_is_commanded() -> None:
    loop = ClosedLoop(workspace := driven(), 0.0)
    workspace["inputs"][:] = 4.0, 5.0
    assert loop.memory.size == 0 and loop.command(np.zeros(0)).size == 0 and not loop.notes and not loop.names
    assert workspace["inputs"].tolist() == [4.0, 5.0]
