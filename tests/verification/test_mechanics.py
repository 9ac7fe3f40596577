"""A state with names: closed forms of a double pendulum and a four-bar, the engine's own motion, statics on contacts.

Round-off alone limits what is compared here: matrices have entries of the size one and condition numbers below 1e3, so
1e-11 is a thousand times what double precision leaves; other tolerances say where they come from.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import centrode as ct

ROUND = 1e-11


def arm() -> ct.System:
    """Two links about y: centres of mass at 0.5 and 0.4 from their hinges, first link 1 m long."""
    system = ct.System()
    system.add(ct.RigidBody("upper", mass=2.0, inertia=(0.02, 0.2, 0.2), position=(0.5, 0.0, 0.0)))
    system.add(ct.RigidBody("fore", mass=1.0, inertia=(0.01, 0.1, 0.1), position=(1.4, 0.0, 0.0)))
    system.add(ct.Revolute("shoulder", "ground", "upper", at=(0.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0)))
    system.add(ct.Revolute("elbow", "upper", "fore", at=(1.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0)))
    return system


@pytest.mark.parametrize(("a", "b", "u", "v"), [(0.3, 1.1, 0.7, -2.0), (-2.5, 0.4, 3.0, 1.0), (7.0, -9.0, 0.0, 5.0)])
def test_double_pendulum_in_closed_form(a: float, b: float, u: float, v: float) -> None:
    """Textbook double pendulum with relative angle b; both angles count downwards, about +y."""
    state = ct.Mechanics(arm())
    state.joint("shoulder").angle, state.joint("elbow").angle = a, b
    state.joint("elbow").angle_rate, state.joint("shoulder").angle_rate = v, u
    assert state.joint("shoulder").angle == pytest.approx(a, abs=1e-13)  # turns are counted
    assert state.joint("elbow").angle == pytest.approx(b, abs=1e-13)
    m1, m2, l1, c1, c2, i1, i2, g = 2.0, 1.0, 1.0, 0.5, 0.4, 0.2, 0.1, 9.81
    cross = m2 * l1 * c2 * math.cos(b)
    m22 = i2 + m2 * c2**2
    mass = np.array([[i1 + m1 * c1**2 + m2 * l1**2 + m22 + 2.0 * cross, m22 + cross], [m22 + cross, m22]])
    h = m2 * l1 * c2 * math.sin(b)
    far = m2 * c2 * g * math.cos(a + b)
    bias = np.array([-h * (2.0 * u * v + v * v), h * u * u]) - np.array(
        [(m1 * c1 + m2 * l1) * g * math.cos(a) + far, far]
    )
    assert list(state.speeds.speed.values) == ["shoulder.angle", "elbow.angle"]
    assert np.allclose(state.speeds, [u, v], atol=ROUND)
    assert np.allclose(state.mass_matrix(), mass, atol=ROUND)
    assert np.allclose(state.bias(), bias, atol=ROUND * 100.0)  # forces of some tens
    assert np.allclose(state.accelerations(), np.linalg.solve(mass, -bias), atol=1e-9)
    wanted = np.array([1.0, -3.0])
    load = state.inverse_dynamics({"shoulder.angle": wanted[0], "elbow.angle_rate": wanted[1]})
    assert np.allclose(load, mass @ wanted + bias, atol=1e-9)
    assert list(load.unit.values) == ["N*m", "N*m"]
    energy = state.energy()
    assert energy["kinetic"] == pytest.approx(0.5 * np.array([u, v]) @ mass @ np.array([u, v]), rel=1e-12)
    height = -m1 * c1 * math.sin(a) - m2 * (l1 * math.sin(a) + c2 * math.sin(a + b))
    assert energy["gravity"] == pytest.approx(g * height, rel=1e-12)
    assert state.centre_of_mass()[2] == pytest.approx(height / (m1 + m2), rel=1e-12)


def four_bar(x: complex) -> tuple[complex, complex]:
    """Angles of coupler and rocker of a four-bar (crank 0.3, coupler 0.9, rocker 0.7, base 1) at the crank angle x."""
    r, l, s, d = 0.3, 0.9, 0.7, 1.0
    k1, k2 = d - r * np.cos(x), -r * np.sin(x)  # rocker pivot minus crank pin
    # coupler l (cos p, sin p) = (k1, k2) + s (cos t, sin t)
    a, b, c = 2.0 * s * k1, 2.0 * s * k2, l * l - s * s - k1 * k1 - k2 * k2
    t = np.arctan(b / a) + np.arccos(c / np.sqrt(a * a + b * b))
    p = np.arctan((k2 + s * np.sin(t)) / (k1 + s * np.cos(t)))
    return p, t


MASSES = {"crank": (1.0, 0.01), "coupler": (2.0, 0.15), "rocker": (1.5, 0.07)}


def four_bar_system() -> ct.System:
    system = ct.System(plane=True, gravity=(0.0, -9.81))
    p, t = (float(np.real(angle)) for angle in four_bar(0.5))
    pin, end = 0.3 * np.array([math.cos(0.5), math.sin(0.5)]), np.array([1.0, 0.0])
    tip = end + 0.7 * np.array([math.cos(t), math.sin(t)])
    for name, (begin, stop), angle in zip(MASSES, ((0 * pin, pin), (pin, tip), (end, tip)), (0.5, p, t), strict=True):
        mass, inertia = MASSES[name]
        middle = tuple((0.5 * (begin + stop)).tolist())
        system.add(ct.PlanarBody(name, mass=mass, inertia=inertia, position=middle, angle=angle))
    system.add(ct.Revolute("base", "ground", "crank", at=(0.0, 0.0, 0.0)))
    system.add(ct.Revolute("pin", "crank", "coupler", at=(*pin.tolist(), 0.0)))
    system.add(ct.Revolute("tip", "coupler", "rocker", at=(*tip.tolist(), 0.0)))
    system.add(ct.Revolute("pivot", "ground", "rocker", at=(1.0, 0.0, 0.0)))
    return system


def four_bar_inertia(x: complex) -> tuple[complex, complex]:
    """Reduced inertia and potential energy at a crank angle; rates of coupler and rocker from the closed loop."""
    p, t = four_bar(x)
    r, l, s = 0.3, 0.9, 0.7
    dp = -r / l * np.sin(x - t) / np.sin(p - t)
    dt = r / s * np.sin(x - p) / np.sin(t - p)
    coupler = (-r * np.sin(x) - 0.5 * l * np.sin(p) * dp) ** 2 + (r * np.cos(x) + 0.5 * l * np.cos(p) * dp) ** 2
    inertia = (0.01 + 0.15**2 * 1.0) + 2.0 * coupler + 0.15 * dp**2 + (0.07 + 1.5 * 0.35**2) * dt**2
    heights = 1.0 * 0.15 * np.sin(x) + 2.0 * (r * np.sin(x) + 0.5 * l * np.sin(p)) + 1.5 * 0.35 * np.sin(t)
    return inertia, 9.81 * heights


@pytest.mark.parametrize("turn", [0.2, -1.0, 3.0])
def test_four_bar_in_closed_form(turn: float) -> None:
    """Eksergian's equation of a loop: I u' + I' u^2 / 2 + U' = tau; I' and U' by complex steps."""
    state = ct.Mechanics(four_bar_system())
    assert list(state.speeds.speed.values) == ["base.angle"]
    state.joint("base").angle = turn  # the loop closes on its branch, also after half a turn
    state.joint("base").angle_rate = 2.0
    x, h = 0.5 + turn, 1e-30
    inertia, potential = four_bar_inertia(x + 1j * h)
    p, _ = (float(np.real(angle)) for angle in four_bar(x))
    assert state.get("coupler.angle") == pytest.approx(p, abs=1e-12)
    assert float(state.mass_matrix()[0, 0]) == pytest.approx(inertia.real, rel=1e-12)
    bias = 0.5 * inertia.imag / h * 4.0 + potential.imag / h
    assert float(state.bias()[0]) == pytest.approx(bias, abs=1e-10)
    assert float(state.accelerations()[0]) == pytest.approx(-bias / inertia.real, rel=1e-10)
    assert float(state.inverse_dynamics({"base.angle": 3.0}, actuators=["base.angle"])[0]) == pytest.approx(
        3.0 * inertia.real + bias, abs=1e-10
    )
    # All four hinges driven: the smallest torques that do the same work on the loop.
    shares = state.inverse_dynamics({"base.angle": 3.0})
    p_rate, t_rate = state.joint("pin").angle_rate / 2.0, state.joint("pivot").angle_rate / 2.0
    rates = np.array([1.0, p_rate, state.joint("tip").angle_rate / 2.0, t_rate])
    assert np.allclose(shares, (3.0 * inertia.real + bias) * rates / (rates @ rates), atol=1e-10)
    # Reactions carry what accelerates: Newton's law for all three bodies together.
    masses = np.array([mass for mass, _ in MASSES.values()])
    needed = sum(m * state.body(name).acceleration for m, name in zip(masses, MASSES, strict=True))
    forces = state.reactions()["force"].sel(joint=["base", "pivot"]).sum("joint").values[:2]
    assert np.allclose(forces + masses.sum() * np.array([0.0, -9.81]), needed, atol=1e-9)


def test_mass_and_rows_of_all_bodies_are_those_of_the_reduced_equations() -> None:
    """V^T M V from the matrix of all bodies; an offset centre of mass, a slider and a ball among them."""
    system = arm()
    system.add(
        ct.RigidBody(
            "tool", mass=0.5, inertia=(0.01, 0.02, 0.025), position=(1.8, 0.0, 0.0), centre_of_mass=(0.1, 0.02, 0.0)
        )
    )
    system.add(ct.Ball("wrist", "fore", "tool", at=(1.8, 0.0, 0.0)))
    system.add(ct.RigidBody("bead", mass=0.3, inertia=(0.001, 0.001, 0.001), position=(1.5, 0.0, 0.0)))
    system.add(ct.Prismatic("slot", "fore", "bead", at=(1.5, 0.0, 0.0), axis=(1.0, 0.0, 0.0)))
    state = ct.Mechanics(system)
    names = ["shoulder.angle", "elbow.angle", "slot.displacement", "wrist.turn.x", "wrist.turn.y", "wrist.turn.z"]
    assert list(state.speeds.speed.values) == names
    state.set(
        {"slot.displacement": "5 cm", "slot.displacement_rate": 0.4, "elbow.angle": 0.6, "shoulder.angle_rate": 1.0}
    )
    assert state.joint("slot").displacement == pytest.approx(0.05, abs=1e-13)
    rows, mass = state.jacobian(), state.mass_matrix(of="bodies")
    assert list(rows.velocity.values) == list(mass.velocity.values)
    assert rows.row.values[0] == "shoulder[0]"
    now = np.concatenate([[*state.body(b).velocity, *state.body(b).omega] for b in ("upper", "fore", "tool", "bead")])
    assert np.abs(rows.values @ now).max() < ROUND
    assert 0.5 * now @ mass.values @ now == pytest.approx(state.energy()["kinetic"], rel=1e-12)
    allowed = np.linalg.svd(rows.values)[2][19:].T
    jacobians = [state.point_jacobian(b) for b in ("upper", "fore", "tool", "bead")]
    turn = [state.body(b).rotation for b in ("upper", "fore", "tool", "bead")]
    v = np.vstack([np.vstack([j.values[:3], r.T @ j.values[3:]]) for j, r in zip(jacobians, turn, strict=True)])
    assert np.linalg.matrix_rank(np.hstack([allowed, v]), tol=1e-9) == 6
    assert np.allclose(v.T @ mass.values @ v, state.mass_matrix(), atol=ROUND)


def test_a_state_goes_on_as_its_accelerations_say() -> None:
    """Ten steps from a state that was set: the recorded motion has the accelerations told at the start."""
    state = ct.Mechanics(arm(), tolerance=1e-12)
    state.set({"elbow.angle": 1.2, "shoulder.angle_rate": 2.0, "elbow.angle_rate": -3.0})
    told, rates = state.accelerations().values, state.speeds.values
    h = 1e-3
    for _ in range(10):
        now = state.session.step(h / 10.0)
    assert now.time == pytest.approx(h)
    jerk = 300.0  # largest third derivative here [rad/s3], from the differences of told accelerations below
    assert np.allclose((state.speeds.values - rates) / h, told, atol=jerk * h)
    assert np.allclose(
        (state.speeds.values - rates) / h, 0.5 * (told + state.accelerations().values), atol=jerk * h * h * 100
    )
    assert now["elbow.angle"] == pytest.approx(state.joint("elbow").angle)
    assert now.units["elbow.force"] == "N"


def test_free_tree_moves_as_one_and_keeps_its_joints() -> None:
    system = ct.System()
    system.add(ct.RigidBody("base", mass=3.0, inertia=(0.1, 0.2, 0.25), position=(0.0, 0.0, 1.0)))
    system.add(ct.RigidBody("leg", mass=1.0, inertia=(0.05, 0.05, 0.01), position=(0.3, 0.0, 0.8)))
    system.add(ct.Revolute("hip", "base", "leg", at=(0.3, 0.0, 1.0), axis=(0.0, 1.0, 0.0)))
    state = ct.Mechanics(system)
    state.joint("hip").angle = 0.4
    state.joint("hip").angle_rate = 1.5
    state.body("leg").position = (1.0, 2.0, 3.0)
    state.body("base").orientation = (math.cos(0.35), 0.0, 0.0, math.sin(0.35))
    state.body("leg").velocity = (0.1, 0.2, 0.3)
    assert state.joint("hip").angle == pytest.approx(0.4, abs=1e-12)
    assert state.joint("hip").angle_rate == pytest.approx(1.5, abs=1e-12)
    assert np.allclose(state.body("leg").velocity, (0.1, 0.2, 0.3), atol=1e-12)
    assert np.allclose(state.body("base").orientation, (math.cos(0.35), 0.0, 0.0, math.sin(0.35)), atol=1e-12)
    momentum = state.momentum()
    change = sum(m * state.body(b).velocity for m, b in ((3.0, "base"), (1.0, "leg")))
    assert np.allclose(momentum[:3], change, atol=1e-12)
    now = state.accelerations()
    assert list(now.speed.values)[:3] == ["base.velocity.x", "base.velocity.y", "base.velocity.z"]
    # Gravity alone: momentum changes by the weight, angular momentum about the centre of mass does not.
    before = momentum.values
    state.session.step(1e-2)
    after = state.momentum().values
    assert np.allclose(after - before, [0.0, 0.0, -4.0 * 9.81e-2, 0.0, 0.0, 0.0], atol=1e-7)


def platform() -> ct.System:
    """A plate in the plane on three legs, each a hinge, a slider and a hinge: three loops' worth of freedom."""
    system = ct.System(plane=True, gravity=(0.0, -9.81))
    system.add(ct.PlanarBody("plate", mass=4.0, inertia=0.3, position=(0.5, 0.8)))
    for name, foot, hook in (
        ("a", (0.0, 0.0), (0.3, 0.8)),
        ("b", (1.0, 0.0), (0.7, 0.8)),
        ("c", (0.2, 1.8), (0.5, 1.0)),
    ):
        way = np.subtract(hook, foot)
        angle = math.atan2(way[1], way[0])
        low, high = np.add(foot, 0.25 * way), np.add(foot, 0.75 * way)
        system.add(ct.PlanarBody(f"tube-{name}", mass=0.4, inertia=0.01, position=tuple(low.tolist()), angle=angle))
        system.add(ct.PlanarBody(f"rod-{name}", mass=0.3, inertia=0.01, position=tuple(high.tolist()), angle=angle))
        system.add(ct.Revolute(f"foot-{name}", "ground", f"tube-{name}", at=(*foot, 0.0)))
        axis = (*(way / np.linalg.norm(way)).tolist(), 0.0)
        system.add(ct.Prismatic(f"leg-{name}", f"tube-{name}", f"rod-{name}", at=(*foot, 0.0), axis=axis))
        system.add(ct.Revolute(f"hook-{name}", f"rod-{name}", "plate", at=(*hook, 0.0)))
    return system


def test_platform_is_set_by_its_place() -> None:
    """Loops: the pose of the plate is given and the legs follow, to the lengths that geometry says."""
    state = ct.Mechanics(platform(), coordinates=["leg-a.displacement", "leg-b.displacement", "leg-c.displacement"])
    assert state.speeds.size == 3
    state.set({"plate.position": (0.56, 0.71), "plate.angle": 0.35})
    assert np.allclose(state.body("plate").position, (0.56, 0.71), atol=1e-12)
    state.set({"plate.velocity": (0.3, -0.2), "plate.omega": 0.5})
    turn = np.array([[math.cos(0.35), -math.sin(0.35)], [math.sin(0.35), math.cos(0.35)]])
    feet = {"a": ((0.0, 0.0), (-0.2, 0.0)), "b": ((1.0, 0.0), (0.2, 0.0)), "c": ((0.2, 1.8), (0.0, 0.2))}
    starts = {"a": math.hypot(0.3, 0.8), "b": math.hypot(0.3, 0.8), "c": math.hypot(0.3, 0.8)}
    for name, (foot, hook) in feet.items():
        arm_of_plate = turn @ np.array(hook)
        leg = np.array([0.56, 0.71]) + arm_of_plate - np.array(foot)
        speed = np.array([0.3, -0.2]) + 0.5 * np.array([-arm_of_plate[1], arm_of_plate[0]])
        length = float(np.linalg.norm(leg))
        joint = state.joint(f"leg-{name}")
        assert joint.displacement == pytest.approx(length - starts[name], abs=1e-11)
        assert joint.displacement_rate == pytest.approx(float(leg @ speed) / length, abs=1e-11)
    # Legs that are pushed by what inverse dynamics says let the plate rest.
    state.set({"plate.velocity": (0.0, 0.0), "plate.omega": 0.0})
    push = state.inverse_dynamics(actuators=["leg-a.displacement", "leg-b.displacement", "leg-c.displacement"])
    rest = state.accelerations(
        {str(name): float(load) for name, load in zip(push.coordinate.values, push, strict=True)}
    )
    assert np.abs(rest).max() < 1e-9


def test_what_joints_do_not_allow_is_refused_and_nothing_moves() -> None:
    state = ct.Mechanics(arm())
    state.joint("elbow").angle = 0.5
    before = state.workspace.values.copy()
    for values in ({"fore.position": (5.0, 0.0, 0.0)}, {"fore.velocity": (0.0, 1.0, 0.0)}):
        with pytest.raises(ct.InputError, match=r"do not allow|cannot move"):
            state.set(values)
        assert np.array_equal(state.workspace.values, before)
    for values, words in (
        ({"elbo.angle": 1.0}, "elbow"),
        ({"elbow.displacement": 1.0}, "angle"),
        ({"fore.angle": 1.0}, "orientation"),
        ({"elbow.angle": "x"}, "number"),
        ({"elbow.angle": "3 kg"}, "mass"),
    ):
        with pytest.raises(ct.InputError, match=words):
            state.set(values)
    with pytest.raises(ct.InputError, match="elbow"):
        state.joint("elbw")
    with pytest.raises(AttributeError):
        state.joint("elbow").angel = 3.0  # type: ignore[attr-defined]
    with pytest.raises(ct.InputError, match="actuators cannot"):
        state.inverse_dynamics({"elbow.angle": 1.0}, actuators=["elbow.angle"])


def test_equilibrium_of_a_pendulum_on_a_spring() -> None:
    """A bar on a hinge with a rotational spring: k x = m g c cos(x), solved by Newton's method in numbers."""
    system = ct.System()
    system.add(ct.RigidBody("bar", mass=2.0, inertia=(0.01, 0.2, 0.2), position=(0.5, 0.0, 0.0)))
    system.add(ct.Revolute("hinge", "ground", "bar", at=(0.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0)))
    system.add(ct.RotationalSpring("spring", "ground", "bar", stiffness=30.0, axis=(0.0, 1.0, 0.0)))
    state = ct.Mechanics(system)
    found = state.find_equilibrium()
    x = 0.3
    for _ in range(50):
        x -= (30.0 * x - 9.81 * math.cos(x)) / (30.0 + 9.81 * math.sin(x))
    assert found.coordinates["hinge.angle"] == pytest.approx(x, abs=1e-9)
    assert found.stable
    assert abs(float(state.accelerations()[0])) < 1e-7
    assert float(state.inverse_dynamics()[0]) == pytest.approx(0.0, abs=1e-7)


@pytest.mark.parametrize(("start", "stable"), [(0.1, True), (-0.5 * math.pi, False)])
def test_equilibrium_goes_to_where_a_pendulum_hangs(start: float, stable: bool) -> None:
    """From anywhere but the very top it hangs in the end; at the top it is told to be unstable."""
    system = ct.System()
    system.add(ct.RigidBody("bar", mass=2.0, inertia=(0.01, 0.2, 0.2), position=(0.5, 0.0, 0.0)))
    system.add(ct.Revolute("hinge", "ground", "bar", at=(0.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0)))
    state = ct.Mechanics(system)
    state.joint("hinge").angle = start
    found = state.find_equilibrium()
    assert found.stable == stable
    assert abs(found.coordinates["hinge.angle"]) == pytest.approx(0.5 * math.pi, abs=1e-8)


@pytest.mark.compiled
def test_box_rests_on_a_slope() -> None:
    """Bristles hold the box: contact carries the weight, and a second later nothing has moved by 1e-9 m."""
    a = math.radians(20.0)
    system = ct.System(gravity=(9.81 * math.sin(a), 0.0, -9.81 * math.cos(a)))
    system.add(ct.RigidBody("box", mass=3.0, inertia=(0.02, 0.03, 0.04), position=(0.0, 0.0, 0.12)))
    system.add(ct.OutlineBox("shell", "box", half_lengths=(0.15, 0.125, 0.1)))
    system.add(ct.OutlinePlane("floor", "ground"))
    system.add(ct.HuntCrossley("law", friction=0.6))
    state = ct.Mechanics(system)
    found = state.find_equilibrium()
    assert found.stable
    load = state.applied_loads()
    weight = 3.0 * np.array(system.gravity)
    assert np.allclose(load[:3], -weight, atol=1e-7)
    place = state.body("box").position
    state.session.step(1.0)
    assert np.abs(state.body("box").position - place).max() < 1e-9


def test_no_equilibrium_is_told_and_nothing_moves() -> None:
    system = ct.System()
    system.add(ct.RigidBody("stone", mass=1.0, inertia=(1.0, 1.0, 1.0)))
    state = ct.Mechanics(system)
    with pytest.raises(ct.RunError, match="no static equilibrium"):
        state.find_equilibrium()
    assert np.array_equal(state.body("stone").position, np.zeros(3))


def test_sessions_name_their_rows() -> None:
    session = ct.Session(arm(), duration=2.0, method="rk4-projected", step="1 ms")
    first = session.step()
    assert first.time == pytest.approx(1e-3)
    rows, _ = session.advance([0.5, 1.0])
    named = session.named(rows)
    assert np.allclose(named["time"], [0.5, 1.0])
    assert named["fore.position"].shape == (2, 3)
    with pytest.raises(ct.InputError, match=r"fore\.position"):
        first["fore.positon"]


def wound(angle: float | None = None) -> ct.System:
    """A drum on a hinge, with a spring of 3 N m/rad about it and a stop at 30 rad."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.RigidBody("drum", 2.0, (0.03, 0.05, 0.03)))
    system.add(ct.Revolute("hinge", "ground", "drum", at=(0, 0, 0), axis=(0, 1, 0), angle=angle))
    system.add(ct.RotationalSpring("spring", joint="hinge", stiffness=3.0))
    system.add(ct.Stop("stop", joint="hinge", lower=-30.0, upper=30.0, stiffness=100.0))
    return system


def test_forces_count_the_turns_that_a_joint_is_given() -> None:
    """k a: a spring took the turn next to its last angle, -22 N m at 20 rad, and kept it for later ones."""
    state = ct.Mechanics(wound())
    for angle in (0.5, 20.0, -9.0, 0.1, 40.0, 4.0):
        state.joint("hinge").angle = angle
        pushed = 100.0 * max(0.0, angle - 30.0)
        assert float(state.applied_loads()[0]) == pytest.approx(-3.0 * angle - pushed, abs=1e-12 * (1.0 + pushed))


@pytest.mark.parametrize("turns", [0.25, 0.75, 1.25, -2.6])
def test_forces_start_with_the_turns_of_their_joint(turns: float) -> None:
    """The energy at the start is k a^2 / 2 of the angle that was given; from half a turn on it was that of another."""
    angle = 2.0 * math.pi * turns
    run = ct.simulate(wound(angle), duration=0.01)
    assert run["hinge.angle"][0] == pytest.approx(angle, abs=1e-12)
    assert run["energy.stored"][0] == pytest.approx(1.5 * angle**2, rel=1e-12)
