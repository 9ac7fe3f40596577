"""The bicycle of the lecture notes, written as they write it: 24 coordinates, 3-1-2 Euler angles, 21 constraints.

Reference: A. L. Schwab, G. M. J. Delhaes, lecture notes Multibody Dynamics B, chapter 10 (2009), "the notes" below. The
engine's own bicycle (:mod:`centrode.vehicles.bicycle.model`) uses quaternions and a block solver; this module is the
recipe itself, for teaching and as an independent second solution.

| symbol | meaning |
|---|---|
| x, p = (phi, theta, psi) | centre of mass; yaw, lean, pitch: R = Rz(phi) Rx(theta) Ry(psi) |
| v, w | velocity of the centre of mass; angular velocity in body axes |
| D, g | rows of the constraints on (v, w), and their convective terms: D a + g = 0 |
| A' | w = A' p' |

    p' = A'^-1 w                                                                               (10.1)
    [M D^T; D 0] (a, lambda) = (f - w x J w, -g)                                               (10.2)
    hinge    e = x_A2 - x_A1 (3 rows);  e_y1 . e_x2 and e_z1 . e_x2 (2 rows)
    contact  z - r cos(theta) = 0;  forward and sideways velocity of the contact point = 0
    dq = -D_q^+ e on the 17 holonomic rows, repeated;  du = -D^+ (D u) on all 21, once;  D^+ = D^T (D D^T)^-1

Corrections to the print, each held by a test at random states. The convective terms of the contact must hold what the
angular acceleration in *body* axes leaves over (printed: what p'' leaves over); rates of the angles from (10.1):

    g1 = r cos(theta) theta'^2 + r sin(theta) cos(theta) phi' psi'
    g2 = phi' (-sin(phi) x' + cos(phi) y')
    g3 = -phi' (cos(phi) x' + sin(phi) y') - r sin(theta) theta'^2 + r cos(theta)^2 phi' psi'

The sign of g in (10.2) is that of section 10.2 there; constraint forces are -D^T lambda. ``printed=True`` uses the
terms as printed: the constraints still hold, the motion is wrong.

The kernels (:mod:`centrode.vehicles.bicycle.lecture_kernels`) allocate and are generic in the type of their numbers,
unlike those of the engine: complex arguments give derivatives by the complex step, exact to round-off
(:func:`complex_step_matrices`).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from centrode.errors import InputError
from centrode.math.rotation import frame_from_axis
from centrode.vehicles.bicycle import lecture_kernels
from centrode.vehicles.bicycle.kinematics import motion, posture
from centrode.vehicles.bicycle.lecture_kernels import LectureModel, accelerations, jacobian, rotation_312, run_steps
from centrode.vehicles.bicycle.parameters import BODIES, BicycleParameters

HOLONOMIC, ALL_ROWS, COORDINATES = 17, 21, 24
HINGES = (("rear-hub", 0, 1), ("steer", 1, 2), ("front-hub", 2, 3))
WHEELS = (0, 3)


def lecture_model(p: BicycleParameters, gravity: float = 9.81) -> LectureModel:
    """From parameters; the notes know knife-edge wheels only."""
    if p.rear_tyre or p.front_tyre:
        raise InputError("the lecture notes know no round tyres", path="parameters.rear_tyre", got=p.rear_tyre)
    centres = [p.centres()[body] for body in BODIES]
    axles = [np.array([0.0, 1.0, 0.0]), p.steer_axis, np.array([0.0, 1.0, 0.0])]
    places = [p.rear_hub, p.steer_point, p.front_hub]
    points, normals = np.zeros((3, 2, 3)), np.zeros((3, 2, 3))
    for h, (_, a, b) in enumerate(HINGES):
        points[h] = places[h] - centres[a], places[h] - centres[b]
        normals[h] = frame_from_axis(axles[h]).T[:2]
    return LectureModel(
        np.array([p.masses()[body] for body in BODIES]),
        np.array([p.inertias()[body] for body in BODIES]),
        points,
        normals,
        np.array(axles),
        np.array([p.rear_radius, p.front_radius]),
        float(gravity),
    )


class LectureRun(NamedTuple):
    """A run.

    Attributes:
        time: (n,) [s]. q, u: coordinates and velocities, (n, 4, 6). multipliers: (n, 21).
        position_error, velocity_error: largest constraint errors, (n,), after the projection if there is one.
    """

    model: LectureModel
    time: np.ndarray
    q: np.ndarray
    u: np.ndarray
    multipliers: np.ndarray
    position_error: np.ndarray
    velocity_error: np.ndarray

    @property
    def lean(self) -> np.ndarray:
        """[rad]."""
        return self.q[:, 1, 4]

    @property
    def lean_rate(self) -> np.ndarray:
        """[rad/s]."""
        psi = self.q[:, 1, 5]
        return np.cos(psi) * self.u[:, 1, 3] + np.sin(psi) * self.u[:, 1, 5]

    @property
    def steer_rate(self) -> np.ndarray:
        """[rad/s]: the steer axis is fixed in both bodies."""
        return (self.u[:, 2, 3:] - self.u[:, 1, 3:]) @ self.model.axes[1]

    @property
    def steer(self) -> np.ndarray:
        """[rad], from e_y of the frame and of the fork."""
        found = np.zeros(self.time.size)
        for n in range(self.time.size):
            frame, fork = rotation_312(self.q[n, 1, 3:]), rotation_312(self.q[n, 2, 3:])
            y, side = frame[:, 1], np.cross(frame @ self.model.axes[1], frame[:, 1])
            found[n] = math.atan2(fork[:, 1] @ side, fork[:, 1] @ y)
        return found

    @property
    def speed(self) -> np.ndarray:
        """Radius times spin of the rear wheel against the frame [m/s]."""
        return self.model.radius[0] * (self.u[:, 0, 4] - self.u[:, 1, 4])

    @property
    def energy(self) -> np.ndarray:
        """Kinetic and potential energy [J], zero at the ground."""
        m, inertia = self.model.mass, self.model.inertia
        kinetic = 0.5 * np.einsum("b,nbi,nbi->n", m, self.u[:, :, :3], self.u[:, :, :3])
        kinetic += 0.5 * np.einsum("nbi,bij,nbj->n", self.u[:, :, 3:], inertia, self.u[:, :, 3:])
        return kinetic + self.model.gravity * self.q[:, :, 2] @ m


# -- public functions --------------------------------------------------------------------------------------------------


def count() -> list[tuple[str, int]]:
    """The counting of the notes, from the tables of this module."""
    hinges, wheels, bodies = len(HINGES), len(WHEELS), len(BODIES)
    coordinates = 6 * bodies
    holonomic, nonholonomic = 5 * hinges + wheels, 2 * wheels
    return [
        ("bodies", bodies),
        ("coordinates", coordinates),
        ("hinges", hinges),
        ("constraints of the hinges", 5 * hinges),
        ("contact constraints on coordinates", wheels),
        ("holonomic constraints", holonomic),
        ("nonholonomic constraints", nonholonomic),
        ("constraints on velocities", holonomic + nonholonomic),
        ("degrees of freedom in the coordinates", coordinates - holonomic),
        ("degrees of freedom in the velocities (mobility)", coordinates - holonomic - nonholonomic),
    ]


def start_state(
    p: BicycleParameters, speed: float, lean_rate: float = 0.0, lean: float = 0.0, steer: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and velocities (4, 6) of a bicycle that rolls; wheels start at the pitch of the body they turn on."""
    where = posture(p, lean, steer)
    how = motion(p, where, speed, lean_rate)
    q, u = np.zeros((4, 6)), np.zeros((4, 6))
    for b, body in enumerate(BODIES):
        r = where.rotations[body]
        q[b, :3] = where.positions[body]
        q[b, 3:] = math.atan2(-r[0, 1], r[1, 1]), math.asin(r[2, 1]), math.atan2(-r[2, 0], r[2, 2])
        u[b, :3] = how.velocities[body]
        u[b, 3:] = r.T @ how.omegas[body]
    return q, u


def simulate_lecture(
    p: BicycleParameters,
    speed: float = 4.6,
    lean_rate: float = 0.5,
    duration: float = 5.0,
    step: float = 0.01,
    project: bool = True,
    printed: bool = False,
    every: int = 1,
) -> LectureRun:
    """RK4 with a fixed step, then both projections, as the notes describe.

    Args:
        project: without it the constraints drift, which is worth seeing once.
        printed: convective terms of the contacts as printed.
        every: steps between recorded moments.
    """
    model = lecture_model(p)
    steps = max(1, round(duration / step))
    q, u = start_state(p, speed, lean_rate)
    shapes = ((), (4, 6), (4, 6), (ALL_ROWS,), (), ())
    run = LectureRun(model, *(np.zeros((steps // every + 1, *shape)) for shape in shapes))
    run_steps(q, u, duration / steps, steps, every, project, printed, model, run)
    return run


def complex_step_matrices(
    p: BicycleParameters, speed: float, gravity: float = 9.81
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M, C, K of M q'' + C q' + K q = f about straight motion by the complex step: exact to round-off.

    A displacement i eps t along the constraints, t a solution of D_q t = 0, violates them by eps^2 = 1e-40, so no
    projection is needed; velocities solve D u = 0 with given rates in complex numbers.
    """
    model = lecture_model(p, gravity)
    q0, u0 = start_state(p, speed)
    eps = 1e-20
    axis = model.axes[1]
    d = jacobian(q0, model)
    # Rows that choose lean, steer, and hold place, heading and the angles of the wheels against their bodies.
    chosen = np.zeros((7, COORDINATES))
    chosen[0, 6 + 4] = 1.0  # lean of the frame
    rates = np.zeros((3, COORDINATES))  # lean rate (at zero pitch), steer rate, spin of the rear wheel
    rates[1, 12 + 3 : 12 + 6], rates[1, 6 + 3 : 6 + 6] = axis, -axis
    rates[2, 4], rates[2, 6 + 4] = 1.0, -1.0
    chosen[1] = rates[1] @ _angle_axes(q0)  # steer; at zero angles body rates are angle rates
    chosen[2, 0], chosen[3, 1], chosen[4, 6 + 3] = 1.0, 1.0, 1.0
    chosen[5, 5], chosen[5, 6 + 5] = 1.0, -1.0
    chosen[6, 18 + 5], chosen[6, 12 + 5] = 1.0, -1.0
    tangents = np.linalg.solve(np.vstack([d[:HOLONOMIC] @ _angle_axes(q0), chosen]), np.eye(COORDINATES)[:, HOLONOMIC:])

    def second(q: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        rows = np.zeros((3, COORDINATES), dtype=complex)
        rows[:] = rates
        rows[0, 6 + 3], rows[0, 6 + 5] = np.cos(q[1, 5]), np.sin(q[1, 5])
        matrix = np.vstack([jacobian(q, model), rows])
        u = np.linalg.solve(matrix, np.concatenate([np.zeros(ALL_ROWS), wanted])).reshape(4, 6)
        a, _ = accelerations(q, u, False, model)
        cosine, sine = np.cos(q[1, 5]), np.sin(q[1, 5])
        across = -sine * u[1, 3] + cosine * u[1, 5]
        pitch_rate = u[1, 4] - np.tan(q[1, 4]) * across
        lean = cosine * a[1, 3] + sine * a[1, 5] + pitch_rate * across
        return np.array([lean, axis @ (a[2, 3:] - a[1, 3:])])

    start = np.array([0.0, 0.0, u0[0, 4] - u0[1, 4]], dtype=complex)
    by_angle, by_rate = np.zeros((2, 2)), np.zeros((2, 2))
    for k in range(2):
        q = q0 + 1j * eps * tangents[:, k].reshape(4, 6)
        by_angle[:, k] = second(q, start).imag / eps
        by_rate[:, k] = second(q0 + 0j, start + 1j * eps * np.eye(3)[k]).imag / eps
    matrix = np.vstack([d, rates])
    matrix[ALL_ROWS, 6 + 3] = 1.0
    v = np.linalg.solve(matrix, np.eye(COORDINATES)[:, ALL_ROWS : ALL_ROWS + 2])
    moved, turned = v.reshape(4, 2, 3, 2)[:, 0], v.reshape(4, 2, 3, 2)[:, 1]
    m = np.einsum("b,bik,bil->kl", model.mass, moved, moved)
    m += np.einsum("bij,bik,bjl->kl", model.inertia, turned, turned)
    return m, -m @ by_rate, -m @ by_angle


def _angle_axes(q: np.ndarray) -> np.ndarray:
    """From rates of coordinates to velocities: identity, and A' for the angles; (24, 24)."""
    found = np.eye(COORDINATES, dtype=q.dtype)
    for b in range(4):
        found[6 * b + 3 : 6 * b + 6, 6 * b + 3 : 6 * b + 6] = lecture_kernels.angle_axes(q[b, 4], q[b, 5])
    return found
