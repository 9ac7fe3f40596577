"""Gears of three bodies against closed forms: Willis' equation, torques, and accelerations from the kinetic energy."""

from __future__ import annotations

import numpy as np
import pytest

import centrode as ct
from centrode.errors import InputError

Y = (0.0, 1.0, 0.0)
STILL = (0.0, 0.0, 0.0)


def three_shafts(*inertias: float) -> ct.System:
    """Shafts a, b and c on one axis, each on a bearing in the ground."""
    system = ct.System(gravity=STILL)
    for name, inertia in zip("abc", inertias, strict=True):
        system.add(ct.RigidBody(name, 1.0, (0.7 * inertia, inertia, 0.8 * inertia)))
        system.add(ct.Revolute(f"bearing-{name}", "ground", name, at=STILL, axis=Y))
    return system


def accelerations(inertias, torques, row) -> np.ndarray:
    """I a + row^T x = T with row . a = 0: constant, hence exact for the methods."""
    matrix = np.zeros((4, 4))
    matrix[:3, :3] = np.diag(inertias)
    matrix[:3, 3] = matrix[3, :3] = row
    return np.linalg.solve(matrix, [*torques, 0.0])[:3]


@pytest.mark.parametrize(
    ("make", "row"),
    [
        # z_a (w_a - w_c) + z_b (w_b - w_c) = 0
        (lambda: ct.Planetary("set", "a", "b", 24, 60, axis=Y, carrier="c"), (24.0, 60.0, -84.0)),
        (lambda: ct.Differential("set", "a", "b", axis=Y, carrier="c"), (0.5, 0.5, -1.0)),
        (lambda: ct.Differential("set", "a", "b", 0.4, axis=Y, carrier="c"), (0.4, 0.6, -1.0)),
    ],
    ids=["planetary", "differential", "centre differential"],
)
def test_three_shafts_on_one_axis(make, row) -> None:
    """All three free: Willis' equation, constant accelerations, torques in the ratio of the row, no energy lost."""
    inertias, torques = (0.1, 0.3, 0.2), (0.5, 0.2, -0.1)
    system = three_shafts(*inertias)
    for name, torque in zip("abc", torques, strict=True):
        system.add(ct.Torque(f"torque-{name}", name, torque, direction=Y))
    system.add(make())
    run = ct.simulate(system, duration=3.0, frames=0.1, tolerance=1e-10)
    assert run.status.completed and run.statistics.more["degrees_of_freedom"] == 2
    rate = accelerations(inertias, torques, row)
    for name, found in zip("abc", rate, strict=True):
        # Tolerance 1e-10 of angles of some 10 rad in each of some 30 steps.
        np.testing.assert_allclose(run[f"bearing-{name}.angle"], 0.5 * found * run.time**2, atol=1e-7)
    assert np.abs(row @ np.array([run[f"{name}.omega"][:, 1] for name in "abc"])).max() < 1e-9
    # On b the row acts with what its own torque lacks: I a - T, and on a as the row says.
    on_b = inertias[1] * rate[1] - torques[1]
    np.testing.assert_allclose(run["set.torque"][:, 1], on_b, rtol=1e-8)
    assert inertias[0] * rate[0] - torques[0] == pytest.approx(on_b * row[0] / row[1], rel=1e-12)
    assert np.abs(run["energy.residual"]).max() < 1e-8


def test_a_ring_held_still_is_the_reducer_of_the_catalogue() -> None:
    """w_c = w_a z_a / (z_a + z_b), and the carrier gets 1 + z_b / z_a times the torque of the sun."""
    system = three_shafts(0.1, 0.3, 0.2)
    system.add(ct.Fixed("brake", "ground", "b"))
    system.add(ct.Motion("motor", "ground", "a", signal=ct.SignalRamp(10.0), axis=Y))
    system.add(ct.Torque("load", "c", -7.0, direction=Y))
    system.add(ct.Planetary("set", "a", "b", 24, 60, axis=Y, carrier="c"))
    run = ct.simulate(system, duration=1.0, frames=0.1, assemble=True)
    np.testing.assert_allclose(run["c.omega"][:, 1], 10.0 * 24 / 84, rtol=1e-9)
    assert run["motor.torque"][-1][1] == pytest.approx(7.0 * 24 / 84, rel=1e-8)


@pytest.mark.parametrize("plane", [True, False])
def test_a_planet_rolls_about_its_sun(plane: bool) -> None:
    """w_planet = w_arm (1 + R / r); T = 1/2 (I_arm + m (R + r)^2 + I (1 + R/r)^2) w_arm^2."""
    big, small, mass, spin, swing = 0.2, 0.1, 0.5, 0.02, 0.05
    place = (big + small, 0.0) if plane else (big + small, 0.0, 0.0)
    origin = (0.0, 0.0) if plane else STILL
    system = ct.System(gravity=origin, plane=plane)

    def body(name: str, m: float, inertia: float, where) -> ct.Body:
        if plane:
            return ct.PlanarBody(name, m, inertia, position=where)
        return ct.RigidBody(name, m, (inertia, inertia, inertia), position=where)

    system.add(body("arm", 0.8, swing, origin))
    system.add(body("planet", mass, spin, place))
    system.add(body("sun", 1.0, 0.1, origin))
    system.add(ct.Revolute("pivot", "ground", "arm", at=origin))
    system.add(ct.Revolute("hub", "arm", "planet", at=place))
    system.add(ct.Fixed("held", "ground", "sun"))
    system.add(ct.Gear("mesh", "sun", "planet", -big / small, carrier="arm"))
    system.add(ct.Torque("drive", "arm", 0.3, direction=(0, 0, 1)))
    run = ct.simulate(system, duration=2.0, frames=0.1, tolerance=1e-10)
    ratio = 1.0 + big / small
    rate = 0.3 / (swing + mass * (big + small) ** 2 + spin * ratio**2)
    angle = 0.5 * rate * run.time**2
    np.testing.assert_allclose(run["pivot.angle"], angle, atol=1e-7)
    np.testing.assert_allclose(run["hub.angle"], (ratio - 1.0) * angle, atol=1e-6)  # against the arm
    assert np.abs(run["energy.residual"]).max() < 1e-8


def test_bevel_wheels_on_a_case_that_turns() -> None:
    """A pinion across the axis between two side wheels is a differential: w_left + w_right = 2 w_case."""
    system = ct.System(gravity=STILL)
    x, z = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
    system.add(ct.RigidBody("case", 2.0, (0.05, 0.05, 0.05)))
    system.add(ct.RigidBody("left", 1.0, (0.02, 0.02, 0.02), position=(-0.1, 0, 0)))
    system.add(ct.RigidBody("right", 1.0, (0.02, 0.02, 0.02), position=(0.1, 0, 0)))
    system.add(ct.RigidBody("pinion", 0.3, (0.001, 0.001, 0.0015), position=(0, 0, 0.2)))
    system.add(ct.Revolute("case-hinge", "ground", "case", at=STILL, axis=x))
    system.add(ct.Revolute("left-hinge", "case", "left", at=(-0.1, 0, 0), axis=x))
    system.add(ct.Revolute("right-hinge", "case", "right", at=(0.1, 0, 0), axis=x))
    system.add(ct.Revolute("pin", "case", "pinion", at=(0, 0, 0.2), axis=z))
    # Axes point away from where they meet: those of the side wheels to either side.
    system.add(ct.BevelGear("mesh-left", "left", "pinion", 40, 20, axis=(-1, 0, 0), second_axis=z, carrier="case"))
    system.add(ct.BevelGear("mesh-right", "right", "pinion", 40, 20, axis=x, second_axis=z, carrier="case"))
    system.add(ct.Torque("drive", "case", 0.5, direction=x))
    system.add(ct.Torque("load", "left", -0.1, direction=x))
    run = ct.simulate(system, duration=3.0, frames=0.05, tolerance=1e-10)
    # T = 1/2 (I_case + m h^2 + I_across + 2 I) c^2 + 1/2 (2 I + I_axle (z/z')^2) d^2, w_left = c + d, w_right = c - d.
    case = 0.4 / (0.05 + 0.3 * 0.2**2 + 0.001 + 0.04)
    apart = -0.1 / (0.04 + 0.0015 * 2.0**2)
    turned = 0.5 * run.time**2
    np.testing.assert_allclose(run["case-hinge.angle"], case * turned, atol=1e-7)
    np.testing.assert_allclose(run["left-hinge.angle"], apart * turned, atol=1e-7)
    np.testing.assert_allclose(run["right-hinge.angle"], -apart * turned, atol=1e-7)
    assert run["constraint.residual"].max() < 1e-10 and np.abs(run["energy.residual"]).max() < 1e-8


def test_a_gear_whose_wheel_is_carried_by_another_body_is_refused() -> None:
    """With the ground as carrier the row would hold a planet's arm still; what to write is said."""
    system = ct.System(gravity=(0.0, 0.0), plane=True)
    for name, place in (("sun", (0.0, 0.0)), ("arm", (0.0, 0.0)), ("planet", (0.3, 0.0))):
        system.add(ct.PlanarBody(name, 1.0, 0.1, position=place))
    system.add(ct.Revolute("axle", "ground", "sun", at=(0.0, 0.0)))
    system.add(ct.Revolute("pivot", "ground", "arm", at=(0.0, 0.0)))
    system.add(ct.Revolute("hub", "arm", "planet", at=(0.3, 0.0)))
    system.add(ct.Gear("mesh", "sun", "planet", -2.0))
    with pytest.raises(InputError, match=r"mesh\.carrier: the wheel 'planet'.*carrier: arm"):
        ct.simulate(system, duration=0.1)


def test_angles_of_gear_wheels_are_coordinates_of_a_linearisation() -> None:
    """A planet on a sprung arm: w^2 = k / (I_arm + m l^2 + I (1 + R/r)^2); its angle is that against the arm."""
    system = ct.System(gravity=(0.0, 0.0), plane=True)
    for name, inertia, place in (("sun", 0.1, (0.0, 0.0)), ("arm", 0.05, (0.0, 0.0)), ("planet", 0.02, (0.3, 0.0))):
        system.add(ct.PlanarBody(name, 0.5, inertia, position=place))
    system.add(ct.Fixed("held", "ground", "sun"))
    system.add(ct.Revolute("pivot", "ground", "arm", at=(0.0, 0.0)))
    system.add(ct.Revolute("hub", "arm", "planet", at=(0.3, 0.0)))
    system.add(ct.Gear("mesh", "sun", "planet", -2.0, carrier="arm"))
    system.add(ct.RotationalSpring("spring", joint="pivot", stiffness=4.0))
    found = ct.linearise(system, ["mesh.angle_b"])
    expected = np.sqrt(4.0 / (0.05 + 0.5 * 0.3**2 + 0.02 * 3.0**2))
    assert np.abs(found.eigenvalues.imag).max() == pytest.approx(expected, rel=1e-9)


def winch(ratio: float, **more: object) -> ct.System:
    """A drum on a hinge and a load on an upright slider, both in a case that falls along a slope of its own."""
    system = ct.System(gravity=(0.0, 0.0, -9.81))
    case = system.add(ct.RigidBody("case", 5.0, (0.4, 0.5, 0.6)))
    drum = system.add(ct.RigidBody("drum", 2.0, (0.03, 0.05, 0.03), position=(0.0, 0.0, 1.0)))
    load = system.add(ct.RigidBody("load", 0.8, (0.01, 0.01, 0.01), position=(0.3, 0.0, 0.2)))
    system.add(ct.Prismatic("slope", "ground", case, at=(0, 0, 0), axis=(0.8, 0.0, -0.6)))
    system.add(ct.Revolute("bearing", case, drum, at=(0, 0, 1), axis=(0, 1, 0)))
    system.add(ct.Prismatic("rails", case, load, at=(0.3, 0, 0), axis=(0, 0, 1)))
    sides = {"axis_a": (0, 1, 0), "axis_b": (0, 0, 1), "moves_b": "slide", "carrier": case}
    system.add(ct.Transmission("rope", drum, load, ratio, **(sides | more)))
    return system


def test_a_winch_in_a_case_that_slides_down_a_slope() -> None:
    """Freedoms s along the slope e and drum angle q; the load moves by s e + r q z. Lagrange:

    (m + M + L) s'' + L r (e . z) q'' = g (m + M + L) 0.6,   (J + L r^2) q'' + L r (e . z) s'' = -L r g.
    """
    r, inertia, load, total, g = 0.1, 0.05, 0.8, 7.8, 9.81
    matrix = np.array([[total, -0.6 * load * r], [-0.6 * load * r, inertia + load * r * r]])
    s, q = np.linalg.solve(matrix, [0.6 * g * total, -load * r * g])
    run = ct.simulate(winch(r), duration=0.7, frames=0.1)
    t = run.time
    np.testing.assert_allclose(run["slope.displacement"], 0.5 * s * t**2, atol=1e-11)
    np.testing.assert_allclose(run["rope.angle_a"], 0.5 * q * t**2, atol=1e-10)
    np.testing.assert_allclose(run["rope.displacement_b"], 0.5 * r * q * t**2, atol=1e-11)
    assert np.abs(run["energy.residual"]).max() < 1e-10


def test_a_side_of_a_transmission_that_is_not_borne_so_is_refused() -> None:
    with pytest.raises(InputError, match="the body 'drum' does more than slide along one line in the carrier"):
        ct.Session(winch(0.1, moves_a="slide"))
    with pytest.raises(InputError, match=r"'load' does more than slide along one line in the carrier.*carrier: case"):
        ct.Session(winch(0.1, carrier="ground"))
