"""The contract of a kind of body, checked on random motions: mechanics that hold whatever a body is made of.

The body hangs on a spring at a point off its centre and is thrown at random; a method of order eight moves it.

- markers move as they say: the difference of their positions over time is their velocity, that of their velocities
  their acceleration;
- energy: what the kinetic, gravity and elastic energy of the body change by is the work done on it less its heat;
- momentum of a free body that turns. With momenta p = dT/dv and s = dT/dw (body axes) of its kinetic energy T,

      d/dt p = 0,     d/dt (x cross p + R s) = 0                                                        (1)

  A rotor inside adds a constant h to s, which T need not know; then (1) leaves -R (w cross h), which changes its sign
  with the motion. So the sum of (1) for a motion and for the reverse one must vanish. A wrong sign of the gyroscopic
  term keeps the energy, and shows here.
"""

from __future__ import annotations

import numpy as np

from centrode.dynamics.bodies import measure_energy
from centrode.dynamics.examples import Finding, Values, example_values, not_applying
from centrode.dynamics.observe import observe
from centrode.dynamics.workspace import Workspace
from centrode.math.rotation import matrix_from_quaternion
from centrode.parts.bodies.body import Body
from centrode.parts.forces.spring import Spring
from centrode.parts.kernel_types import VELOCITY
from centrode.parts.tables import Coordinates
from centrode.system.builder import System
from centrode.system.model import build_model

MOTION_LIMIT = 1e-5
"""Central difference over 1e-4 s: truncation 1e-8 / 6 times third derivatives (some 1e2 at these speeds; elastic bodies
are sampled by their vibration, 1e-4 / 6), relative to the size of the motion; a wrong term is of order one."""
ENERGY_LIMIT = 1e-7
"""Integrated with tolerance 1e-12; a wrong term is of order one."""
STEP = 1e-4
OF_A_VIBRATION = 0.01
"""Steps of an elastic body are this part of a radian of its fastest vibration."""
DURATION = 0.3


class BodyBench:
    """One body of a kind, thrown at random."""

    def __init__(self, kind: type[Body], values: Values, hung: bool) -> None:
        plane = kind.coordinates is Coordinates.PLANE
        system = System(plane=plane) if hung else System(plane=plane, gravity=(0.0, 0.0, 0.0))
        system.add(kind("part", **(example_values(kind) if values is None else values)))
        if hung:
            place, point = (2.0, 1.0, 0.0 if plane else 0.5), (0.3, -0.2, 0.0 if plane else 0.1)
            system.add(Spring("spring", "ground", "part", 20.0, length=0.5, point_a=place, point_b=point))
        self.model = build_model(system)
        self.coordinates = kind.coordinates
        self.velocity = Workspace(self.model)["velocity"].copy()
        self.step = min(STEP, OF_A_VIBRATION / max(self.model.body_parts[0].fastest_vibration(), 1e-9))

    def motion(self, velocity: np.ndarray, times: list[float]) -> tuple[Workspace, np.ndarray]:
        """Frames of the motion that begins with this velocity, and the workspace that made them."""
        from centrode.methods.method import Outcome, Run, find_method

        workspace = Workspace(self.model, audit=True)
        workspace["velocity"][:] = velocity
        run = Run(workspace, 0.0, self.step, 1e-12)
        run.expect(np.array(times))
        outcome = find_method("dop853").advance(run)
        if outcome is not Outcome.FRAMES_DONE:
            raise ArithmeticError(f"the motion of a body that was thrown ends with {outcome.name}")
        return workspace, run.reached

    def marker_errors(self, velocity: np.ndarray) -> tuple[float, float]:
        """Velocity and acceleration of the markers against differences over time, relative to their size."""
        workspace, frames = self.motion(velocity, [0.0, self.step, 2.0 * self.step])
        on_body = np.flatnonzero(workspace["marker_table"]["body"] == 1)
        seen = observe(workspace, frames, on_body)
        state, rates = seen.markers, seen.accelerations
        speed = (state[2, :, :3] - state[0, :, :3]) / (2.0 * self.step) - state[1, :, VELOCITY : VELOCITY + 3]
        change = (state[2, :, VELOCITY : VELOCITY + 6] - state[0, :, VELOCITY : VELOCITY + 6]) / (2.0 * self.step)
        size = 1.0 + float(np.abs(rates[1]).max()) + float(np.abs(velocity).max())
        return float(np.abs(speed).max()) / size, float(np.abs(change - rates[1]).max()) / size

    def energy_error(self, velocity: np.ndarray) -> float:
        """Change of the energy of the body less the work on it and its heat, relative to its largest energy."""
        workspace, frames = self.motion(velocity, [0.0, min(DURATION, 3e3 * self.step)])
        energy = observe(workspace, frames, np.zeros(0, dtype=np.int64)).bodies
        _, _, states = workspace.frames.motion(frames)
        done = states[1, len(self.model.state_names) :].sum()
        return float(abs(energy[1].sum() - energy[0].sum() - done) / (1.0 + np.abs(energy).max()))

    def momentum_error(self, velocity: np.ndarray) -> float:
        """(1) for a motion and the reverse one, relative to the size of the momenta."""
        forth, size = self.momentum_rate(velocity)
        back, _ = self.momentum_rate(-velocity)
        return float(np.abs(forth + back).max() / size)

    def momentum_rate(self, velocity: np.ndarray) -> tuple[np.ndarray, float]:
        """Rates of both momenta at the start, and the size of the momenta times that of the velocities."""
        workspace, frames = self.motion(velocity, [0.0, self.step, 2.0 * self.step])
        pose, speed, _ = workspace.frames.motion(frames)
        found = np.array([self.momenta(workspace, pose[k], speed[k]) for k in range(3)])
        size = 1.0 + float(np.abs(found).max() * max(1.0, np.abs(velocity).max()))
        return (4.0 * found[1] - 3.0 * found[0] - found[2]) / (2.0 * self.step), size

    def momenta(self, workspace: Workspace, pose: np.ndarray, velocity: np.ndarray) -> np.ndarray:
        """Momentum and angular momentum about the origin, world axes, from the kinetic energy."""
        slopes = np.zeros(6)
        for k in range(6):
            for sign in (1.0, -1.0):
                workspace["pose"][:], workspace["velocity"][:] = pose, velocity
                workspace["velocity"][0, k] += sign
                workspace.evaluate(0.0)
                measure_energy(workspace.address)
                slopes[k] += 0.5 * sign * float(workspace["energy"][0])  # T is quadratic: exact for any step
        spin = matrix_from_quaternion(pose[0, 3:7]) @ slopes[3:]
        return np.concatenate([slopes[:3], np.cross(pose[0, :3], slopes[:3]) + spin])


def check_body(kind: type[Body], values: Values, states: int, seed: int) -> list[Finding]:
    """Checks of a kind.

    A body that cannot be built raises what its code raises.
    """
    random = np.random.default_rng(seed)
    hung, free = BodyBench(kind, values, hung=True), BodyBench(kind, values, hung=False)
    width = free.model.body_parts[0].velocity_count(free.model.body_rows[0])
    thrown = [hung.velocity + _some(random, hung.velocity.shape, width) for _ in range(max(2, states // 8))]
    moved = np.max([hung.marker_errors(velocity) for velocity in thrown], axis=0)
    found: list[Finding] = [
        Finding("markers' velocity", moved[0], MOTION_LIMIT, "points of the body do not move as move_kernel says"),
        Finding("markers' acceleration", moved[1], MOTION_LIMIT, "accelerate_markers_kernel differs from the motion"),
    ]
    worst = max(hung.energy_error(velocity) for velocity in thrown)
    found.append(Finding("energy", worst, ENERGY_LIMIT, "measure_kernel does not say what work and heat change"))
    if free.coordinates is not Coordinates.TURNING:
        return [*found, not_applying("momentum", "of bodies with position and attitude only")]
    worst = max(free.momentum_error(velocity) for velocity in thrown)
    words = "its own weigh_forces_kernel turns it otherwise than a rigid body: say principal_axes = False, or True"
    found.append(Finding("principal axes", float(_leaves_axes_open(kind)), 0.0, words))
    return [*found, Finding("momentum", worst, MOTION_LIMIT, "a free body changes its momentum or angular momentum")]


def _leaves_axes_open(kind: type[Body]) -> bool:
    """Whether a kind from outside has equations of its own and does not say if methods may split its motion."""
    own = next(index for index, base in enumerate(kind.__mro__) if "weigh_forces_kernel" in vars(base))
    ours = kind.__mro__[own].__module__.partition(".")[0] == "centrode"
    return not ours and not any("principal_axes" in vars(base) for base in kind.__mro__[: own + 1])


def _some(random: np.random.Generator, shape: tuple[int, ...], width: int) -> np.ndarray:
    """Random velocities of order one in the first ``width`` of each row."""
    found = np.zeros(shape)
    found[:, :width] = random.normal(size=(shape[0], width))
    return found
