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
angular acceleration in *body* axes leaves over (printed: what p'' leaves over), with the rates of the angles from (10.1):

    g1 = r cos(theta) theta'^2 + r sin(theta) cos(theta) phi' psi'
    g2 = phi' (-sin(phi) x' + cos(phi) y')
    g3 = -phi' (cos(phi) x' + sin(phi) y') - r sin(theta) theta'^2 + r cos(theta)^2 phi' psi'

The sign of g in (10.2) is that of section 10.2 there; constraint forces are -D^T lambda. ``printed=True`` uses the terms
as printed: the constraints still hold, the motion is wrong.

The kernels allocate and are generic in the type of their numbers, unlike those of the engine: complex arguments give
derivatives by the complex step, exact to round-off (:func:`complex_step_matrices`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from centrode.errors import InputError
from centrode.jit import kernel
from centrode.math.rotation import frame_from_axis
from centrode.vehicles.bicycle.kinematics import motion, posture
from centrode.vehicles.bicycle.parameters import BODIES, BicycleParameters

HOLONOMIC, ALL_ROWS, COORDINATES = 17, 21, 24
HINGES = (("rear-hub", 0, 1), ("steer", 1, 2), ("front-hub", 2, 3))
WHEELS = (0, 3)
ENOUGH = 1e-14
"""Largest constraint error after the coordinate projection."""


@dataclass(frozen=True)
class LectureModel:
    """Constant vectors of the bicycle, in axes of the bodies.

    Attributes:
        mass: (4,) [kg]. inertia: (4, 3, 3) [kg m2].
        points: hinge points on bodies 1 and 2 of each hinge, (3, 2, 3) [m].
        normals: e_y1, e_z1 of each hinge, (3, 2, 3). axes: e_x2, (3, 3).
        radius: of the wheels, (2,) [m].
    """

    mass: np.ndarray
    inertia: np.ndarray
    points: np.ndarray
    normals: np.ndarray
    axes: np.ndarray
    radius: np.ndarray
    gravity: float

    @staticmethod
    def of(p: BicycleParameters, gravity: float = 9.81) -> LectureModel:
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

    def tables(self) -> tuple[np.ndarray, ...]:
        """What the kernels take."""
        return self.mass, self.inertia, self.points, self.normals, self.axes, self.radius


@dataclass(frozen=True)
class LectureRun:
    """A run.

    Attributes:
        time: (n,) [s]. q, u: coordinates and velocities, (n, 4, 6). multipliers: (n, 21).
        position_error, velocity_error: largest constraint errors, (n,), after the projection if there is one.
    """

    time: np.ndarray
    q: np.ndarray
    u: np.ndarray
    multipliers: np.ndarray
    position_error: np.ndarray
    velocity_error: np.ndarray
    model: LectureModel

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
    """Coordinates and velocities (4, 6) of a bicycle that rolls; angles of the wheels start at the pitch of their body."""
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
    gravity: float = 9.81,
) -> LectureRun:
    """RK4 with a fixed step, then both projections, as the notes describe.

    Args:
        project: without it the constraints drift, which is worth seeing once.
        printed: convective terms of the contacts as printed.
        every: steps between recorded moments.
    """
    model = LectureModel.of(p, gravity)
    steps = max(1, round(duration / step))
    q, u = start_state(p, speed, lean_rate)
    times = np.zeros(steps // every + 1)
    store_q, store_u = np.zeros((times.size, 4, 6)), np.zeros((times.size, 4, 6))
    multipliers, errors = np.zeros((times.size, ALL_ROWS)), np.zeros((times.size, 2))
    run_steps(
        q, u, duration / steps, steps, every, project, printed, *model.tables(), model.gravity,
        times, store_q, store_u, multipliers, errors,
    )  # fmt: skip
    return LectureRun(times, store_q, store_u, multipliers, errors[:, 0], errors[:, 1], model)


def lecture_accelerations(model: LectureModel, q: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations (4, 6) and multipliers (21,) of (10.2); real or complex."""
    return accelerations(q, u, False, *model.tables(), model.gravity)


def complex_step_matrices(
    p: BicycleParameters, speed: float, gravity: float = 9.81
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M, C, K of M q'' + C q' + K q = f about straight motion by the complex step: exact to round-off.

    A displacement i eps t along the constraints, t a solution of D_q t = 0, violates them by eps^2 = 1e-40, so no
    projection is needed; velocities solve D u = 0 with given rates in complex numbers.
    """
    model = LectureModel.of(p, gravity)
    q0, u0 = start_state(p, speed)
    eps = 1e-20
    axis = model.axes[1]
    d = jacobian(q0, *model.tables())
    # Rows that choose lean, steer, and hold place, heading and the angles of the wheels against their bodies.
    chosen = np.zeros((7, COORDINATES))
    chosen[0, 6 + 4] = 1.0  # lean of the frame
    chosen[1, 12 + 3 : 12 + 6], chosen[1, 6 + 3 : 6 + 6] = (
        axis,
        -axis,
    )  # steer; at zero angles body rates are angle rates
    chosen[1] = chosen[1] @ _angle_axes(q0)
    chosen[2, 0], chosen[3, 1], chosen[4, 6 + 3] = 1.0, 1.0, 1.0
    chosen[5, 5], chosen[5, 6 + 5] = 1.0, -1.0
    chosen[6, 18 + 5], chosen[6, 12 + 5] = 1.0, -1.0
    tangents = np.linalg.solve(np.vstack([d[:HOLONOMIC] @ _angle_axes(q0), chosen]), np.eye(COORDINATES)[:, HOLONOMIC:])
    rates = np.zeros((3, COORDINATES))  # lean rate (at zero pitch), steer rate, spin of the rear wheel
    rates[1, 12 + 3 : 12 + 6], rates[1, 6 + 3 : 6 + 6] = axis, -axis
    rates[2, 4], rates[2, 6 + 4] = 1.0, -1.0

    def second(q: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        rows = np.zeros((3, COORDINATES), dtype=complex)
        rows[:] = rates
        rows[0, 6 + 3], rows[0, 6 + 5] = np.cos(q[1, 5]), np.sin(q[1, 5])
        matrix = np.vstack([jacobian(q, *model.tables()), rows])
        u = np.linalg.solve(matrix, np.concatenate([np.zeros(ALL_ROWS), wanted])).reshape(4, 6)
        a, _ = lecture_accelerations(model, q, u)
        pitch_rate = u[1, 4] - np.tan(q[1, 4]) * (-np.sin(q[1, 5]) * u[1, 3] + np.cos(q[1, 5]) * u[1, 5])
        lean = np.cos(q[1, 5]) * a[1, 3] + np.sin(q[1, 5]) * a[1, 5]
        lean += pitch_rate * (-np.sin(q[1, 5]) * u[1, 3] + np.cos(q[1, 5]) * u[1, 5])
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
    mass = np.zeros((COORDINATES, COORDINATES))
    for b in range(4):
        mass[6 * b : 6 * b + 3, 6 * b : 6 * b + 3] = model.mass[b] * np.eye(3)
        mass[6 * b + 3 : 6 * b + 6, 6 * b + 3 : 6 * b + 6] = model.inertia[b]
    m = v.T @ mass @ v
    return m, -m @ by_rate, -m @ by_angle


def _angle_axes(q: np.ndarray) -> np.ndarray:
    """From rates of coordinates to velocities: identity, and A' for the angles; (24, 24)."""
    found = np.eye(COORDINATES, dtype=q.dtype)
    for b in range(4):
        found[6 * b + 3 : 6 * b + 6, 6 * b + 3 : 6 * b + 6] = angle_axes(q[b, 4], q[b, 5])
    return found


# -- kernels -----------------------------------------------------------------------------------------------------------


@kernel
def rotation_312(p):
    """R = Rz(phi) Rx(theta) Ry(psi)."""
    c, s = np.cos(p), np.sin(p)
    r = np.zeros((3, 3), p.dtype)
    r[0, 0] = c[0] * c[2] - s[0] * s[1] * s[2]
    r[0, 1] = -s[0] * c[1]
    r[0, 2] = c[0] * s[2] + s[0] * s[1] * c[2]
    r[1, 0] = s[0] * c[2] + c[0] * s[1] * s[2]
    r[1, 1] = c[0] * c[1]
    r[1, 2] = s[0] * s[2] - c[0] * s[1] * c[2]
    r[2, 0] = -c[1] * s[2]
    r[2, 1] = s[1]
    r[2, 2] = c[1] * c[2]
    return r


@kernel
def angle_axes(theta, psi):
    """A' of w = A' p'."""
    a = np.zeros((3, 3), np.asarray(theta).dtype)
    a[0, 0] = -np.sin(psi) * np.cos(theta)
    a[0, 1] = np.cos(psi)
    a[1, 0] = np.sin(theta)
    a[1, 2] = 1.0
    a[2, 0] = np.cos(psi) * np.cos(theta)
    a[2, 1] = np.sin(psi)
    return a


@kernel
def angle_rates(theta, psi, w):
    """(10.1): phi', theta', psi' from the angular velocity in body axes."""
    along = (-np.sin(psi) * w[0] + np.cos(psi) * w[2]) / np.cos(theta)
    return along, np.cos(psi) * w[0] + np.sin(psi) * w[2], w[1] - np.sin(theta) * along


@kernel
def turned(r, s):
    """R s."""
    out = np.zeros(3, r.dtype)
    for i in range(3):
        out[i] = r[i, 0] * s[0] + r[i, 1] * s[1] + r[i, 2] * s[2]
    return out


@kernel
def crossed(a, b):
    """a x b."""
    out = np.zeros(3, a.dtype)
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]
    return out


@kernel
def constraint_errors(q, mass, inertia, points, normals, axes, radius):
    """e of the 17 holonomic constraints."""
    e = np.zeros(17, q.dtype)
    for h in range(3):
        r1, r2 = rotation_312(q[h, 3:]), rotation_312(q[h + 1, 3:])
        # The order of the bodies of a hinge does not matter to the constraint.
        e[5 * h : 5 * h + 3] = q[h + 1, :3] + turned(r2, points[h, 1]) - q[h, :3] - turned(r1, points[h, 0])
        axis = turned(r2, axes[h])
        for k in range(2):
            normal = turned(r1, normals[h, k])
            e[5 * h + 3 + k] = normal[0] * axis[0] + normal[1] * axis[1] + normal[2] * axis[2]
    for n in range(2):
        b = 3 * n
        e[15 + n] = q[b, 2] - radius[n] * np.cos(q[b, 4])
    return e


@kernel
def jacobian(q, mass, inertia, points, normals, axes, radius):
    """D, (21, 24): 15 rows of hinges, 2 of the heights, then forward and sideways slip of each wheel."""
    d = np.zeros((21, 24), q.dtype)
    for h in range(3):
        a, b = 6 * h, 6 * (h + 1)
        r1, r2 = rotation_312(q[h, 3:]), rotation_312(q[h + 1, 3:])
        axis = turned(r2, axes[h])
        for k in range(3):
            d[5 * h + k, a + k] = -1.0
            d[5 * h + k, b + k] = 1.0
            # Row k of -R tilde(s): R (w x s) = -R tilde(s) w.
            d[5 * h + k, a + 3 : a + 6] = -crossed(points[h, 0] + 0.0 * r1[k], r1[k])
            d[5 * h + k, b + 3 : b + 6] = crossed(points[h, 1] + 0.0 * r2[k], r2[k])
        for k in range(2):
            normal = turned(r1, normals[h, k])
            # In axes of the body: e_x2 . R1 (w x e') = w . (e' x R1^T e_x2).
            d[5 * h + 3 + k, a + 3 : a + 6] = crossed(normals[h, k] + 0.0 * axis, back(r1, axis))
            d[5 * h + 3 + k, b + 3 : b + 6] = crossed(axes[h] + 0.0 * axis, back(r2, normal))
    for n in range(2):
        b, c = 3 * n, 18 * n
        r = radius[n]
        phi, theta, psi = q[b, 3], q[b, 4], q[b, 5]
        d[15 + n, c + 2] = 1.0
        d[15 + n, c + 3] = r * np.sin(theta) * np.cos(psi)
        d[15 + n, c + 5] = r * np.sin(theta) * np.sin(psi)
        d[17 + 2 * n, c] = np.cos(phi)
        d[17 + 2 * n, c + 1] = np.sin(phi)
        d[17 + 2 * n, c + 4] = -r
        d[18 + 2 * n, c] = -np.sin(phi)
        d[18 + 2 * n, c + 1] = np.cos(phi)
        d[18 + 2 * n, c + 3] = r * np.cos(theta) * np.cos(psi)
        d[18 + 2 * n, c + 5] = r * np.cos(theta) * np.sin(psi)
    return d


@kernel
def back(r, s):
    """R^T s."""
    out = np.zeros(3, r.dtype)
    for i in range(3):
        out[i] = r[0, i] * s[0] + r[1, i] * s[1] + r[2, i] * s[2]
    return out


@kernel
def convective(q, u, printed, mass, inertia, points, normals, axes, radius):
    """g of D a + g = 0, (21,)."""
    g = np.zeros(21, q.dtype)
    for h in range(3):
        r1, r2 = rotation_312(q[h, 3:]), rotation_312(q[h + 1, 3:])
        w1, w2 = turned(r1, u[h, 3:]), turned(r2, u[h + 1, 3:])
        s1, s2 = turned(r1, points[h, 0]), turned(r2, points[h, 1])
        g[5 * h : 5 * h + 3] = crossed(w2, crossed(w2, s2)) - crossed(w1, crossed(w1, s1))
        axis = turned(r2, axes[h])
        axis_rate = crossed(w2, axis)
        axis_more = crossed(w2, axis_rate)
        for k in range(2):
            normal = turned(r1, normals[h, k])
            rate = crossed(w1, normal)
            more = crossed(w1, rate)
            for i in range(3):
                g[5 * h + 3 + k] += more[i] * axis[i] + 2.0 * rate[i] * axis_rate[i] + normal[i] * axis_more[i]
    for n in range(2):
        b = 3 * n
        r = radius[n]
        phi, theta = q[b, 3], q[b, 4]
        dphi, dtheta, dpsi = angle_rates(theta, q[b, 5], u[b, 3:])
        x, y = u[b, 0], u[b, 1]
        s, c = np.sin(theta), np.cos(theta)
        g[15 + n] = r * c * dtheta * dtheta
        g[17 + 2 * n] = dphi * (-np.sin(phi) * x + np.cos(phi) * y)
        g[18 + 2 * n] = -dphi * (np.cos(phi) * x + np.sin(phi) * y) - r * s * dtheta * dtheta
        if printed:
            g[17 + 2 * n] -= r * c * dphi * dtheta
        else:
            g[15 + n] += r * s * c * dphi * dpsi
            g[18 + 2 * n] += r * c * c * dphi * dpsi
    return g


@kernel
def accelerations(q, u, printed, mass, inertia, points, normals, axes, radius, gravity):
    """(10.2): accelerations (4, 6) and multipliers (21,)."""
    matrix = np.zeros((45, 45), q.dtype)
    right = np.zeros(45, q.dtype)
    d = jacobian(q, mass, inertia, points, normals, axes, radius)
    g = convective(q, u, printed, mass, inertia, points, normals, axes, radius)
    for b in range(4):
        w = u[b, 3:]
        momentum = np.zeros(3, q.dtype)
        for i in range(3):
            matrix[6 * b + i, 6 * b + i] = mass[b]
            for k in range(3):
                matrix[6 * b + 3 + i, 6 * b + 3 + k] = inertia[b, i, k]
                momentum[i] += inertia[b, i, k] * w[k]
        right[6 * b + 2] = -mass[b] * gravity
        right[6 * b + 3 : 6 * b + 6] = -crossed(w, momentum)
    for r in range(21):
        right[24 + r] = -g[r]
        for k in range(24):
            matrix[24 + r, k] = d[r, k]
            matrix[k, 24 + r] = d[r, k]
    found = np.linalg.solve(matrix, right)
    return found[:24].copy().reshape(4, 6), found[24:].copy()


@kernel
def coordinate_rates(q, u):
    """(10.1) for all bodies, (4, 6)."""
    out = np.zeros((4, 6), q.dtype)
    for b in range(4):
        out[b, :3] = u[b, :3]
        out[b, 3], out[b, 4], out[b, 5] = angle_rates(q[b, 4], q[b, 5], u[b, 3:])
    return out


@kernel
def pseudo_inverse(d, right):
    """D^+ right = D^T (D D^T)^-1 right."""
    dense = np.ascontiguousarray(d)
    transposed = np.ascontiguousarray(d.T)
    return np.dot(transposed, np.linalg.solve(np.dot(dense, transposed), right))


@kernel
def project_coordinates(q, mass, inertia, points, normals, axes, radius):
    """dq = -D_q^+ e, repeated; returns the largest error that is left."""
    largest = 0.0
    for _ in range(12):
        e = constraint_errors(q, mass, inertia, points, normals, axes, radius)
        largest = np.abs(e).max()
        if largest <= ENOUGH:
            break
        d = jacobian(q, mass, inertia, points, normals, axes, radius)[:17]
        for b in range(4):
            a = angle_axes(q[b, 4], q[b, 5])
            columns = d[:, 6 * b + 3 : 6 * b + 6].copy()
            d[:, 6 * b + 3 : 6 * b + 6] = np.dot(columns, a)
        q -= pseudo_inverse(d, e).reshape(4, 6)
    return largest


@kernel
def project_velocities(q, u, mass, inertia, points, normals, axes, radius):
    """du = -D^+ (D u), once; returns the largest |D u| that is left."""
    d = jacobian(q, mass, inertia, points, normals, axes, radius)
    u -= pseudo_inverse(d, np.dot(d, u.copy().reshape(24))).reshape(4, 6)
    return np.abs(np.dot(d, u.copy().reshape(24))).max()


@kernel
def run_steps(
    q, u, h, steps, every, project, printed, mass, inertia, points, normals, axes, radius, gravity,
    times, store_q, store_u, multipliers, errors,
):  # fmt: skip
    """RK4 and the projections; fills the last five arrays."""
    for n in range(steps + 1):
        qa = coordinate_rates(q, u)
        ua, forces = accelerations(q, u, printed, mass, inertia, points, normals, axes, radius, gravity)
        if n % every == 0:
            k = n // every
            times[k] = n * h
            store_q[k] = q
            store_u[k] = u
            multipliers[k] = forces
            errors[k, 0] = np.abs(constraint_errors(q, mass, inertia, points, normals, axes, radius)).max()
            d = jacobian(q, mass, inertia, points, normals, axes, radius)
            errors[k, 1] = np.abs(np.dot(d, u.copy().reshape(24))).max()
        if n == steps:
            break
        q2, u2 = q + 0.5 * h * qa, u + 0.5 * h * ua
        qb = coordinate_rates(q2, u2)
        ub, _ = accelerations(q2, u2, printed, mass, inertia, points, normals, axes, radius, gravity)
        q3, u3 = q + 0.5 * h * qb, u + 0.5 * h * ub
        qc = coordinate_rates(q3, u3)
        uc, _ = accelerations(q3, u3, printed, mass, inertia, points, normals, axes, radius, gravity)
        q4, u4 = q + h * qc, u + h * uc
        qd = coordinate_rates(q4, u4)
        ud, _ = accelerations(q4, u4, printed, mass, inertia, points, normals, axes, radius, gravity)
        q += h / 6.0 * (qa + 2.0 * qb + 2.0 * qc + qd)
        u += h / 6.0 * (ua + 2.0 * ub + 2.0 * uc + ud)
        if project:
            project_coordinates(q, mass, inertia, points, normals, axes, radius)
            project_velocities(q, u, mass, inertia, points, normals, axes, radius)
