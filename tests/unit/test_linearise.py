"""Linearisation of constrained systems against closed forms, plane and space, holonomic and nonholonomic."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from centrode.dynamics.coordinates import find_coordinate
from centrode.dynamics.linearise import STENCIL, linearise
from centrode.errors import InputError
from centrode.math.jet import Jet, arc_tangent, root
from centrode.parts.bodies.planar import PlanarBody
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.controllers.pid import Pid
from centrode.parts.controllers.python import PythonController
from centrode.parts.controllers.state_feedback import StateFeedback
from centrode.parts.forces.actuator import Actuator
from centrode.parts.forces.rotational_spring import RotationalSpring
from centrode.parts.forces.sphere_contact import SphereContact
from centrode.parts.forces.spring import Spring
from centrode.parts.joints.prismatic import Prismatic
from centrode.parts.joints.revolute import Revolute
from centrode.parts.joints.rolling_disc import RollingDisc
from centrode.running import Session
from centrode.system.builder import System
from centrode.system.settings import RunSettings

G = 9.81


def hanging_bar(angle: float = 0.0, damping: float = 0.0) -> System:
    """A bar of length 1 m hangs on a hinge about y at the origin."""
    system = System()
    centre = (0.5 * math.sin(angle), 0.0, -0.5 * math.cos(angle))
    bar = system.add(
        RigidBody(
            "bar", 2.0, (1 / 6, 1 / 6, 0.001), position=centre,
            orientation=(math.cos(0.5 * angle), 0.0, -math.sin(0.5 * angle), 0.0),
        )
    )  # fmt: skip
    system.add(Revolute("hinge", system.ground, bar, at=(0, 0, 0), axis=(0, 1, 0)))
    if damping:
        system.add(RotationalSpring("damper", joint="hinge", stiffness=0.0, damping=damping))
    system.add(Actuator("drive", joint="hinge"))
    return system


def test_stencil_differentiates_polynomials_exactly():
    k = np.arange(1.0, STENCIL.size + 1)
    for power in range(1, 2 * STENCIL.size, 2):
        terms = 2.0 * STENCIL * k**power
        # Round-off of a sum is that of its largest term.
        assert terms.sum() == pytest.approx(1.0 if power == 1 else 0.0, abs=1e-14 * np.abs(terms).max())


def test_pendulum_mass_stiffness_damping_and_input():
    """J q'' + d q' + m g l q = T with J = m L^2 / 3; all to 1e-11, the noise of the differences."""
    found = linearise(hanging_bar(damping=0.3), ["hinge.angle"])
    inertia = 1 / 6 + 2.0 * 0.25
    assert found.mass == pytest.approx(inertia, abs=1e-14)
    assert found.stiffness == pytest.approx(2.0 * G * 0.5, abs=1e-10)
    assert found.damping == pytest.approx(0.3, abs=1e-11)
    assert found.forcing == pytest.approx(1.0, abs=1e-11)
    assert found.inputs == ("drive.command",)
    assert found.unsteadiness < 1e-13
    pole = complex(found.eigenvalues[0])
    assert abs(pole) ** 2 == pytest.approx(2.0 * G * 0.5 / inertia, rel=1e-11)


def test_pendulum_away_from_rest_says_so():
    found = linearise(hanging_bar(angle=0.5), ["hinge.angle"])
    inertia = 1 / 6 + 2.0 * 0.25
    assert found.stiffness == pytest.approx(2.0 * G * 0.5 * math.cos(0.5), abs=1e-10)
    assert found.unsteadiness == pytest.approx(G * math.sin(0.5) / inertia, rel=1e-10)
    assert "not a steady motion" in found.notes[0]


def test_without_names_the_same_frequency():
    named = linearise(hanging_bar(), ["hinge.angle"])
    free = linearise(hanging_bar())
    assert free.eigenvalues == pytest.approx(named.eigenvalues, rel=1e-9)


def test_double_pendulum_in_the_plane():
    """Two equal bars in absolute angles: m l^2 [[4/3, 1/2], [1/2, 1/3]] and m g l diag(3/2, 1/2)."""
    system = System(plane=True)
    for n in (0, 1):
        system.add(PlanarBody(f"bar{n}", 1.0, 1.0 / 12.0, position=(0.0, -0.5 - n)))
    system.add(Revolute("top", system.ground, "bar0", at=(0, 0)))
    system.add(Revolute("elbow", "bar0", "bar1", at=(0, -1)))
    found = linearise(system, ["bar0.angle", "bar1.angle"])
    np.testing.assert_allclose(found.mass, [[4 / 3, 1 / 2], [1 / 2, 1 / 3]], atol=1e-13)
    np.testing.assert_allclose(found.stiffness, G * np.diag([1.5, 0.5]), atol=1e-10)
    modes = found.modes()
    expected = np.linalg.eigvals(np.linalg.solve([[4 / 3, 1 / 2], [1 / 2, 1 / 3]], G * np.diag([1.5, 0.5])))
    assert sorted(abs(m.value) ** 2 for m in modes) == pytest.approx(sorted(expected), rel=1e-10)
    assert all(abs(m.damping_ratio) < 1e-9 for m in modes)


def rolling_disc(speed: float) -> System:
    system = System()
    m, r = 2.0, 0.3
    system.add(
        RigidBody(
            "disc", m, (0.25 * m * r * r, 0.5 * m * r * r, 0.25 * m * r * r), position=(0, 0, r),
            velocity=(speed, 0, 0), omega=(0, speed / r, 0),
        )
    )  # fmt: skip
    system.add(RollingDisc("contact", system.ground, "disc", r))
    return system


@pytest.mark.parametrize("speed", [0.5, 1.2, 3.0])
def test_rolling_disc_nonholonomic(speed):
    """Straight rolling of a disc, with A, C diametral and axial moments over m r^2: lean'' is

    (g / r - C (C + 1) w^2 / A) / (A + 1) times the lean (Routh, Advanced Part, section 244), w = v / r. At the
    critical speed it vanishes; yaw rate and spin are the two further speeds.
    """
    found = linearise(rolling_disc(speed), ["contact.lean"], ["disc.yaw", "disc.pitch"])
    a, c, r = 0.25, 0.5, 0.3
    w = speed / r
    square = (G / r - c * (c + 1.0) * w * w / a) / (a + 1.0)
    values = found.eigenvalues
    largest = values[np.argmax(np.abs(values))]
    assert complex(largest**2).real == pytest.approx(square, rel=1e-9)
    assert len(found.names) == 4


def test_left_out_coordinate_that_matters_is_refused():
    system = System(plane=True)
    for n in (0, 1):
        system.add(PlanarBody(f"bar{n}", 1.0, 1.0 / 12.0, position=(0.0, -0.5 - n)))
    system.add(Revolute("top", system.ground, "bar0", at=(0, 0)))
    system.add(Revolute("elbow", "bar0", "bar1", at=(0, -1)))
    with pytest.raises(InputError, match="left out"):
        linearise(system, ["top.angle"], ["elbow.angle"])
    with pytest.raises(InputError, match="too few"):
        linearise(system, ["top.angle"])
    with pytest.raises(InputError, match="depend on each other"):
        linearise(system, ["top.angle", "bar0.angle"])
    with pytest.raises(InputError, match="twice"):
        linearise(system, ["top.angle", "top.angle"])
    with pytest.raises(InputError, match=r"top\.angle"):
        linearise(system, ["top.angel", "elbow.angle"])


def test_a_session_is_left_as_it_was():
    session = Session(hanging_bar(angle=0.3), RunSettings(duration=1.0))
    session.advance(np.array([0.2]))
    before = session.state().copy()
    linearise(session, ["hinge.angle"])
    assert session.state() == before


def test_state_given_by_the_user():
    session = Session(hanging_bar(), RunSettings(duration=1.0))
    moved = Session(hanging_bar(angle=0.4), RunSettings(duration=1.0)).state()
    found = linearise(session, ["hinge.angle"], state=moved)
    assert found.stiffness == pytest.approx(G * math.cos(0.4), abs=1e-10)


@settings(max_examples=30)
@given(st.lists(st.floats(-0.7, 0.7), min_size=9, max_size=9))
def test_jets_follow_the_motion(draw):
    """First and second derivative of lean, yaw and pitch against differences along the motion.

    Error of the second difference with h = 1e-4: round-off 1e-16 / h^2 = 1e-8 times some, truncation h^2 = 1e-8."""
    session = Session(rolling_disc(1.0), RunSettings(duration=1.0))
    w = session.workspace
    w["velocity"][0, 3:] = draw[:3]
    w["acceleration"][0, 3:] = draw[3:6]
    from centrode.math.vector import turned

    start = np.array(turned((1.0, 0.0, 0.0, 0.0), tuple(draw[6:9])))
    h = 1e-4
    for name in ("disc.yaw", "disc.lean", "disc.pitch"):
        coordinate = find_coordinate(session.model, name)
        values = []
        for t in (-h, 0.0, h):
            # exp(w t + a t^2 / 2) has the right first and second derivative at t = 0.
            turn = [draw[k] * t + 0.5 * draw[3 + k] * t * t for k in range(3)]
            w["pose"][0, 3:7] = turned(tuple(start), tuple(turn))
            values.append(coordinate.jet(w))
        middle = values[1]
        assert (values[2].v - values[0].v) / (2 * h) == pytest.approx(middle.d, abs=1e-6)
        assert (values[2].v - 2 * middle.v + values[0].v) / h**2 == pytest.approx(middle.dd, abs=3e-6)


def test_jet_arithmetic():
    x = Jet(2.0, 3.0, 5.0)
    square = x * x
    assert (square.v, square.d, square.dd) == (4.0, 12.0, 38.0)
    back = root(square)
    assert (back.v, back.d, back.dd) == pytest.approx((2.0, 3.0, 5.0))
    angle = arc_tangent(x, Jet(1.0))
    assert angle.d == pytest.approx(3.0 / 5.0)
    assert angle.dd == pytest.approx(5.0 / 5.0 - 2.0 * 2.0 * 9.0 / 25.0)


# -- kinks -------------------------------------------------------------------------------------------------------------


def resting_ball(depth: float) -> System:
    """A ball of 1 kg, pressed by ``depth`` [m] into a floor of 1e4 N/m that only pushes."""
    system = System()
    ball = system.add(RigidBody("ball", 1.0, (0.004, 0.004, 0.004), position=(0.0, 0.0, 0.1 - depth)))
    system.add(Prismatic("guide", system.ground, ball, at=(0.0, 0.0, 0.1 - depth), axis=(0, 0, 1)))
    system.add(SphereContact("floor", ball, 0.1, stiffness=1e4))
    return system


def test_steps_stay_on_this_side_of_a_kink():
    """w = sqrt(k/m) = 100 rad/s; steps of 0.04 m would lift the ball off its floor, which is 1 mm above."""
    found = linearise(resting_ball(G / 1e4), ["guide.displacement"])
    assert np.abs(found.eigenvalues.imag).max() == pytest.approx(100.0, rel=1e-6)
    assert any("step shortened" in note and "'guide.displacement'" in note for note in found.notes)
    assert found.unsteadiness < 1e-9


def test_a_kink_at_the_state_is_told():
    """A ball that just touches: no stiffness above, 1e4 N/m below."""
    found = linearise(resting_ball(0.0), ["guide.displacement"])
    told = [note for note in found.notes if "kink" in note]
    assert len(told) == 1 and "'guide.displacement'" in told[0] and "-1e+04 and " in told[0]


def test_smooth_systems_keep_their_step_and_say_nothing():
    assert linearise(hanging_bar(damping=0.3), ["hinge.angle"]).notes == ()


# -- controllers -------------------------------------------------------------------------------------------------------


def held_bar(controller) -> System:
    system = hanging_bar()
    system.add(controller)
    return system


INERTIA = 2.0 / 3.0
"""Of the bar of 2 kg and 1 m about its end [kg m2]; gravity gives m g l/2 = 9.81 N m/rad."""


def test_state_feedback_closes_the_loop():
    """I a'' = -(m g l/2 + k1) a - k2 a'."""
    gain = StateFeedback("hold", inputs=("drive",), measures=("hinge.angle", "hinge.angle_rate"), gain=((5.0, 0.8),))
    found = linearise(held_bar(gain), ["hinge.angle"])
    expected = np.roots([INERTIA, 0.8, G + 5.0])
    np.testing.assert_allclose(sorted(found.eigenvalues, key=np.imag), sorted(expected, key=np.imag), rtol=1e-9)
    assert any("act at once" in note and "'hold' (0.01 s)" in note for note in found.notes)
    opened = linearise(held_bar(gain), ["hinge.angle"], controllers=False)
    assert np.abs(opened.eigenvalues.imag).max() == pytest.approx(math.sqrt(G / INERTIA), rel=1e-9)


@pytest.mark.parametrize("rate", [None, "hinge.angle_rate"])
def test_the_integral_of_a_pid_is_a_state(rate):
    """I s^3 + K_d s^2 + (m g l/2 + K_p) s + K_i = 0."""
    pid = Pid("pid", inputs=("drive",), measure="hinge.angle", kp=5.0, ki=2.0, kd=0.8, rate=rate)
    found = linearise(held_bar(pid), ["hinge.angle"])
    assert found.states == ("pid.integral",)
    expected = np.roots([INERTIA, 0.8, G + 5.0, 2.0])
    np.testing.assert_allclose(sorted(found.eigenvalues, key=np.imag), sorted(expected, key=np.imag), rtol=1e-8)


def test_a_controller_that_remembers_samples_is_held_and_named():
    own = PythonController("own", inputs=("drive",), function=lambda time, view, state: 0.0, memory=2)
    found = linearise(held_bar(own), ["hinge.angle"])
    assert any("'own' has no law in continuous time" in note for note in found.notes)
    assert np.abs(found.eigenvalues.imag).max() == pytest.approx(math.sqrt(G / INERTIA), rel=1e-9)


def test_inputs_act_beside_controllers():
    """B is what a command that is added does, 1 / I, with the loop closed as without."""
    gain = StateFeedback("hold", inputs=("drive",), measures=("hinge.angle",), gain=((5.0,),))
    found = linearise(held_bar(gain), ["hinge.angle"])
    np.testing.assert_allclose(found.b[:, 0], [0.0, 1.0 / INERTIA], atol=1e-9)


def test_errors_of_the_entries_are_told_and_hold():
    """A mass on a rail, drawn by a spring from 0.11 m beside it: the motion is singular at x = 0.11 i.

    K = k (1 - l0 / d) at x = 0. The step was shortened until two agreed to 1e-6, and 1.2e-7 stayed in the matrix.
    """
    k, rest, beside, mass, damping = 100.0, 0.05, 0.11, 2.0, 3.0
    system = System(gravity=(0, 0, 0))
    body = system.add(RigidBody("mass", mass, (1, 1, 1)))
    system.add(Prismatic("rail", system.ground, body, at=(0, 0, 0), axis=(1, 0, 0)))
    system.add(Spring("spring", system.ground, body, point_a=(0, beside, 0), stiffness=k, length=rest, damping=damping))
    system.add(Actuator("drive", joint="rail", acts="along-axis"))
    found = linearise(system, ["rail.displacement"])
    truth = np.array([[0.0, 1.0], [-k * (1.0 - rest / beside) / mass, 0.0]])
    # Round-off of the rates, 1e-12 at most, over a step of 0.0025.
    assert np.abs(found.a - truth).max() < 1e-9
    assert (np.abs(found.a - truth) <= found.a_error + 1e-13).all()
    assert found.a_error.max() < 1e-8
    assert (np.abs(found.b - [[0.0], [1.0 / mass]]) <= found.b_error + 1e-13).all()
    rate = math.sqrt(-truth[1, 0])
    errors = np.abs(np.abs(found.eigenvalues) - rate)
    assert (errors <= found.eigenvalue_errors + 1e-13).all()
    assert found.eigenvalue_errors.max() < 1e-8
