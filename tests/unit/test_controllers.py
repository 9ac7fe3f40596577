"""Controllers: sampling times, exact resume, laws, and clear words about unknown names."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from centrode.dynamics.control import Control
from centrode.dynamics.model_view import ModelView
from centrode.errors import InputError, RunError
from centrode.parts.bodies.planar import PlanarBody
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.controllers.bang_bang import BangBang
from centrode.parts.controllers.pid import Pid
from centrode.parts.controllers.python import PythonController
from centrode.parts.controllers.state_feedback import StateFeedback
from centrode.parts.forces.actuator import Actuator
from centrode.parts.forces.spring import Spring
from centrode.parts.joints.prismatic import Prismatic
from centrode.parts.joints.revolute import Revolute
from centrode.running import Session
from centrode.system.builder import System
from centrode.system.settings import RunSettings


def rotor(*controllers, inertia: float = 0.5, **drive) -> System:
    """A rotor on a hinge about z with a torque drive."""
    system = System(gravity=(0.0, 0.0, 0.0))
    system.add(RigidBody("rotor", 1.0, (1.0, 1.0, inertia)))
    system.add(Revolute("hinge", "ground", "rotor", at=(0.0, 0.0, 0.0), axis=(0.0, 0.0, 1.0)))
    system.add(Actuator("drive", joint="hinge", **drive))
    for controller in controllers:
        system.add(controller)
    return system


def control_of(system: System) -> tuple[Control, Session]:
    session = Session(system, RunSettings(duration=10.0, tolerance=1e-10))
    return Control(session.model, session.workspace), session


def drive_to(control: Control, session: Session, end: float) -> None:
    """The run loop's part of the protocol: advance to the next sample, sample, go on."""
    while True:
        if control.sample(session.run.time):
            session.run.fresh = True
        stop = min(control.next_time, end)
        session.advance(np.array([stop]))
        if stop >= end:
            return


class Fixed:
    """A view that gives what it is told."""

    def __init__(self, **values: float) -> None:
        self.values = values

    def value(self, name: str) -> float:
        return self.values[name.replace(".", "_")]

    def check(self, name: str, path: str) -> None:
        assert name.replace(".", "_") in self.values


def test_pid_by_hand():
    """Three samples of u = bias + kp e + ki h sum e - kd dy/h."""
    pid = Pid("c", ("drive",), 0.5, "hinge.angle", setpoint=2.0, kp=3.0, ki=0.4, kd=0.1, bias=1.0)
    view = Fixed(hinge_angle=0.0)
    state = pid.start(view)
    outputs = []
    for y in (0.0, 1.0, 1.5):
        view.values["hinge_angle"] = y
        outputs.append(pid.command(0.0, view, state)[0])
    integral = np.cumsum([0.4 * 0.5 * e for e in (2.0, 1.0, 0.5)])
    wanted = [1 + 3 * 2.0 + integral[0], 1 + 3 * 1.0 + integral[1] - 0.1 * 2.0, 1 + 3 * 0.5 + integral[2] - 0.1 * 1.0]
    assert outputs == pytest.approx(wanted, abs=1e-15)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-10, 10), min_size=1, max_size=40), st.floats(0, 5), st.floats(0, 5))
def test_pid_stays_in_its_limits_and_does_not_wind_up(measured, kp, ki):
    pid = Pid("c", ("drive",), 0.1, "y", setpoint=1.0, kp=kp, ki=ki, lower=-2.0, upper=3.0)
    view = Fixed(y=0.0)
    state = pid.start(view)
    for y in measured:
        view.values["y"] = y
        (u,) = pid.command(0.0, view, state)
        assert -2.0 <= u <= 3.0
    # wound up at most to where it alone would be cut, plus what the proportional part held against it
    assert abs(state[0]) <= 3.0 + 11.0 * kp + 0.1 * ki * 11.0


def test_bang_bang_keeps_its_output_in_the_band():
    switch = BangBang("c", ("drive",), 0.1, "y", setpoint=1.0, low=-4.0, high=5.0, hysteresis=0.2)
    view = Fixed(y=1.05)
    state = switch.start(view)
    seen = []
    for y in (1.05, 0.95, 0.89, 0.95, 1.05, 1.11, 1.05):
        view.values["y"] = y
        seen.append(switch.command(0.0, view, state)[0])
    assert seen == [-4.0, -4.0, 5.0, 5.0, 5.0, -4.0, -4.0]


def test_state_feedback_is_a_matrix():
    law = StateFeedback(
        "c",
        ("p", "q"),
        0.1,
        ("x", "v"),
        gain=((1.0, 2.0), (3.0, 4.0)),
        reference=(0.5, 0.0),
        feedforward=(10.0, 0.0),
        upper=9.0,
    )
    assert law.command(0.0, Fixed(x=1.5, v=-1.0), np.zeros(0)) == [9.0, 1.0]


def test_sampled_feedback_follows_the_discrete_closed_form():
    """I w' = -K w_k between samples: w_(k+1) = (1 - K h / I) w_k, exactly."""
    inertia, gain, h, samples = 0.5, 2.0, 0.05, 40
    law = StateFeedback("c", ("drive",), h, ("hinge.angle_rate",), gain=(gain,))
    system = rotor(law, inertia=inertia)
    body = system.parts["rotor"]
    system.replace(RigidBody(body.name, body.mass, body.inertia, omega=(0.0, 0.0, 3.0)))
    control, session = control_of(system)
    drive_to(control, session, samples * h)
    wanted = 3.0 * (1 - gain * h / inertia) ** samples
    assert control.view.omega("rotor")[2] == pytest.approx(wanted, abs=1e-9)


def test_pid_brings_a_joint_to_its_setpoint():
    system = rotor(
        Pid("c", "drive", 0.01, "hinge.angle", setpoint=5.0, kp=8.0, ki=2.0, kd=4.0), upper=30.0, lower=-30.0
    )
    control, session = control_of(system)
    drive_to(control, session, 25.0)
    assert control.view.coordinate("hinge") == pytest.approx(5.0, abs=1e-3)  # slowest pole at about -0.27 1/s
    assert abs(control.view.coordinate_rate("hinge")) < 1e-3


def test_a_run_that_is_stopped_goes_on_bit_for_bit():
    def make() -> tuple[Control, Session]:
        return control_of(rotor(Pid("c", "drive", 0.03, "hinge.angle", setpoint=1.0, kp=8.0, ki=2.0, kd=1.0)))

    whole, session = make()
    drive_to(whole, session, 0.5)
    saved, memory = session.state(), {name: array.copy() for name, array in whole.to_arrays().items()}
    drive_to(whole, session, 1.1)
    again, second = make()
    second.restore(saved)
    again.restore(memory)
    assert again.next_time == pytest.approx(0.51)
    drive_to(again, second, 1.1)
    assert session.workspace.values.tobytes() == second.workspace.values.tobytes()
    assert whole.to_arrays()["c"].tobytes() == again.to_arrays()["c"].tobytes()


def test_sampling_instants_do_not_drift():
    times = []

    def watch(time, view, state):
        times.append(time)
        state[0] += 1
        return 0.0

    control, session = control_of(rotor(PythonController("c", "drive", 0.1, watch, memory=1)))
    drive_to(control, session, 3.0)
    assert times == [0.1 * k for k in range(31)][: len(times)]
    assert len(times) == 30
    assert control.to_arrays()["c"].tolist() == [30.0, 30.0]


def test_view_gives_body_frames_as_the_user_gave_them():
    """Centre of mass off the origin, inertia with products: position, velocity and rates are those put in."""
    system = System()
    c, s = math.cos(0.4), math.sin(0.4)
    system.add(
        RigidBody(
            "body",
            2.0,
            (1.0, 1.4, 1.9, 0.2, -0.1, 0.3),
            position=(1.0, 2.0, 3.0),
            orientation=(c, 0.0, s, 0.0),
            velocity=(0.4, -0.5, 0.6),
            omega=(0.7, -0.8, 0.9),
            centre_of_mass=(0.1, 0.2, -0.3),
        )
    )
    system.add(Prismatic("guide", "ground", "body", axis=(1.0, 0.0, 0.0), compliant=True))
    session = Session(system, RunSettings(assemble=False))
    view = ModelView(session.model, session.workspace)
    assert view.position("body") == pytest.approx([1.0, 2.0, 3.0], abs=1e-14)
    assert view.velocity("body") == pytest.approx([0.4, -0.5, 0.6], abs=1e-14)
    assert view.omega("body") == pytest.approx([0.7, -0.8, 0.9], abs=1e-14)
    assert view.orientation("body") == pytest.approx([c, 0.0, s, 0.0], abs=1e-14)
    assert view.value("body.velocity.y") == pytest.approx(-0.5, abs=1e-14)
    assert view.value("guide.displacement_rate") == pytest.approx(0.4, abs=1e-14)


def test_view_of_a_plane_system():
    system = System(plane=True)
    system.add(PlanarBody("bar", 1.0, 0.2, (0.3, 0.4), 0.5, (1.0, 2.0), 3.0, centre_of_mass=(0.1, 0.0)))
    session = Session(system, RunSettings())
    view = ModelView(session.model, session.workspace)
    assert [view.value(f"bar.{name}") for name in ("position.x", "position.y", "angle", "omega")] == pytest.approx(
        [0.3, 0.4, 0.5, 3.0], abs=1e-15
    )
    assert view.velocity("bar") == pytest.approx([1.0, 2.0, 0.0], abs=1e-15)


def test_view_of_a_pseudo_rigid_body_beside_a_rigid_one():
    from centrode.parts.bodies.pseudo_rigid import PseudoRigidBody

    system = System()
    c, s = math.cos(0.3), math.sin(0.3)
    turned = {"orientation": (c, s, 0.0, 0.0), "omega": (0.3, -0.2, 0.5), "velocity": (1.0, 0.0, -1.0)}
    stretch = ((1.1, 0.05, 0.0), (0.05, 0.9, 0.02), (0.0, 0.02, 1.05))
    system.add(PseudoRigidBody("soft", 2.0, (0.3, 0.4, 0.5), stretch=stretch, **turned))
    system.add(RigidBody("hard", 2.0, (0.3, 0.4, 0.5), **turned))
    session = Session(system, RunSettings())
    view = ModelView(session.model, session.workspace)
    for what in ("velocity", "omega", "orientation"):
        assert getattr(view, what)("soft") == pytest.approx(getattr(view, what)("hard"), abs=1e-13), what


def test_simulate_samples_controllers(tmp_path):
    """In a scenario file: the drive's command is recorded, held between samples, and the joint gets where it should."""
    from centrode.running import simulate
    from centrode.scenario.loader import load

    file = tmp_path / "servo.yaml"
    file.write_text(
        """
centrode: 1
gravity: [0, 0, 0]
bodies:
  rotor: {mass: 1, inertia: [1, 1, 0.5]}
joints:
  hinge: {kind: revolute, a: ground, b: rotor, at: [0, 0, 0], axis: [0, 0, 1]}
forces:
  drive: {kind: actuator, joint: hinge, lower: -3 N*m, upper: 3 N*m}
controllers:
  servo: {kind: pid, inputs: [drive], period: 0.015625, measure: hinge.angle, setpoint: 1.5, kp: 8, kd: 4}
run: {duration: 6, frames: 0.0078125}
""",
        encoding="utf-8",
    )
    run = simulate(load(file))
    command = np.asarray(run["drive.command"])
    assert command.max() == pytest.approx(12.0)  # 8 * 1.5 at the first sample; the drive itself cuts it to 3
    changes = np.flatnonzero(np.diff(command))
    assert changes.size > 100
    assert set((changes % 2).tolist()) == {
        1
    }  # frames every 1/128 s, samples every 1/64 s: a frame shows its own sample
    assert np.asarray(run["hinge.angle"])[-1] == pytest.approx(1.5, abs=1e-3)


@pytest.mark.parametrize(
    ("controller", "words"),
    [
        (lambda: Pid("c", "driv", 0.1, "hinge.angle"), ("c.inputs", "unknown force", "did you mean 'drive'")),
        (lambda: Pid("c", "soft", 0.1, "hinge.angle"), ("c.inputs", "takes no command", "one of drive")),
        (lambda: Pid("c", "drive", 0.1, "hinge.angel"), ("c.measure", "did you mean 'hinge.angle'")),
        (lambda: Pid("c", "drive", 0.1, "hinge.angle", rate="hinge.speed"), ("c.rate",)),
        (lambda: Pid("c", "drive", 0.1), ("c.measure",)),
        (lambda: Pid("c", "drive", 0.0, "hinge.angle"), ("c.period", "above 0")),
        (lambda: Pid("c", "drive", 0.1, "hinge.angle", kp=float("nan")), ("c.kp", "finite")),
        (lambda: Pid("c", "drive", 0.1, "hinge.angle", lower=1.0, upper=0.0), ("c.lower",)),
        (lambda: Pid("c", "drive", 0.1, "hinge.angle", setpoint="soon"), ("c.setpoint", "signal")),
        (lambda: Pid("c", ("drive", "soft"), 0.1, "hinge.angle"), ("c.inputs", "one drive")),
        (lambda: Pid("c", (), 0.1, "hinge.angle"), ("c.inputs", "drive to command")),
        (lambda: BangBang("c", "drive", 0.1, "hinge.angle", hysteresis=-1.0), ("c.hysteresis", "at least 0")),
        (lambda: StateFeedback("c", "drive", 0.1, ("hinge.angle",), gain=(1.0, 2.0)), ("c.gain", "1 rows of 1")),
        (lambda: PythonController("c", "drive", 0.1, "nowhere"), ("c.function", "module:name")),
        (lambda: PythonController("c", "drive", 0.1, "math:sinus"), ("c.function", "cannot be found")),
    ],
)
def test_bad_input_is_refused(controller, words):
    with pytest.raises(InputError) as caught:
        system = rotor()
        system.add(Spring("soft", "ground", "rotor", 1.0))
        system.add(controller())
        control_of(system)
    for word in words:
        assert word in str(caught.value), str(caught.value)


def test_two_controllers_for_one_drive_are_refused():
    system = rotor(Pid("one", "drive", 0.1, "hinge.angle"), Pid("two", "drive", 0.1, "hinge.angle"))
    with pytest.raises(InputError, match="commanded by 'one' already"):
        control_of(system)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda time, view, state: 1 / 0, "ZeroDivisionError"),
        (lambda time, view, state: (1.0, 2.0), "2 numbers for 1 inputs"),
        (lambda time, view, state: float("nan"), "finite"),
        (lambda time, view, state: view.value("hinge.angel"), "hinge.angle"),
    ],
)
def test_a_controller_that_fails_stops_the_run_with_words(function, words):
    control, _ = control_of(rotor(PythonController("c", "drive", 0.1, function)))
    with pytest.raises(RunError, match=words):
        control.sample(0.0)
