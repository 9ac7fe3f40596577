"""Where the bodies of a bicycle are and how fast they move, from lean, steer and speed (start values, turns, drawings).

World z up, x forward; angles 3-1-2 of the bicycle lecture notes: yaw (left), lean (right), pitch (nose down). Steer is
positive to the right. At zero of all angles the rear contact is the origin.

    R_frame = Rz(yaw) Rx(lean) Ry(pitch),    R_fork = R_frame Rot(steer axis, steer)                       (1)
    distance of each wheel from the ground   n . x_G - (r - q) s - q = 0,  s = |e x n|                     (2)

The rear wheel fixes the height, the front wheel the pitch: Newton's method in one unknown. Velocities are linear in
seven rates (x, y, z of the rear hub, yaw, pitch, both spins) once the rates of lean and steer are given: six equations
"the contact point of the wheel stands still" and the wanted speed r spin determine them.

On a curved road "the world" here is the plane that touches the road at the rear contact; the front wheel then asks the
road itself (``front_ground``), and everything else stays as it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from centrode.errors import InputError
from centrode.math.rotation import matrix_from_axis_angle
from centrode.vehicles.bicycle.parameters import BODIES, BicycleParameters

X, Y, Z = np.eye(3)

FrontGround = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, float]]
"""Hub and axle of the front wheel -> its contact point and its distance from the ground [m]."""


@dataclass(frozen=True)
class Posture:
    """A configuration.

    Attributes:
        x, y: rear contact point [m].
        yaw, lean, pitch, steer: [rad].
        positions: centres of mass, body name -> (3,) [m].
        rotations: world from body, body name -> (3, 3).
        contacts: contact points, "rear" and "front" -> (3,) [m].
    """

    x: float
    y: float
    yaw: float
    lean: float
    pitch: float
    steer: float
    positions: dict[str, np.ndarray]
    rotations: dict[str, np.ndarray]
    contacts: dict[str, np.ndarray]


@dataclass(frozen=True)
class Motion:
    """Velocities of a posture.

    Attributes:
        velocities: of the centres of mass, world [m/s].
        omegas: angular velocities, world [rad/s].
        yaw_rate, lean_rate, pitch_rate, steer_rate, rear_spin, front_spin: [rad/s]; spins are those of the wheels
            against the bodies that carry them.
    """

    velocities: dict[str, np.ndarray]
    omegas: dict[str, np.ndarray]
    yaw_rate: float
    lean_rate: float
    pitch_rate: float
    steer_rate: float
    rear_spin: float
    front_spin: float


@dataclass(frozen=True)
class SteadyMotion:
    """A circular motion; to the right when the yaw rate is positive.

    Attributes:
        lean, steer, pitch: [rad], right positive; pitch nose up.
        yaw_rate: [rad/s], positive to the right.
        speed: of the rear contact point [m/s], negative backwards. radius: of its path [m]; infinite when straight.
        wheel_speed: radius times spin of the rear wheel [m/s].
        residual: what is left of the equations that were solved.
    """

    lean: float
    steer: float
    pitch: float
    yaw_rate: float
    speed: float
    radius: float
    wheel_speed: float
    residual: float


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Vector product of columns; numpy's own costs ten times as much for single vectors."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def posture(
    p: BicycleParameters,
    lean: float = 0.0,
    steer: float = 0.0,
    yaw: float = 0.0,
    x: float = 0.0,
    y: float = 0.0,
    front_ground: FrontGround | None = None,
) -> Posture:
    """Configuration with both wheels on the ground; level ground when the front wheel has none of its own.

    Raises:
        InputError: lean or steer at which no pitch brings the front wheel to the ground.
    """
    if not abs(lean) < 0.5 * math.pi - 1e-6:
        raise InputError("the bicycle lies on its side", path="lean", got=lean, expected="less than a right angle")
    ground = front_ground or (lambda hub, axle: _on_level(p, hub, axle))
    start = (x, y, yaw) if front_ground is not None else (0.0, 0.0, 0.0)

    def front_gap(pitch: float) -> float:
        _, front_hub, axle = _chain(p, *start, lean, pitch, steer)
        return ground(front_hub, axle)[1]

    pitch = 0.0
    for _ in range(50):
        gap = front_gap(pitch)
        if abs(gap) < 1e-16:
            break
        h = 1e-6
        slope = (front_gap(pitch + h) - front_gap(pitch - h)) / (2.0 * h)
        change = -gap / slope if slope else math.nan
        if not abs(change) < 1.0:
            break
        pitch += change
        if abs(change) < 1e-17:
            break
    if not abs(front_gap(pitch)) < 1e-12:
        got = f"lean {math.degrees(lean):.4g} deg, steer {math.degrees(steer):.4g} deg"
        what, hint = "no pitch brings the front wheel to the ground", "give smaller angles"
        raise InputError(what, path="steer", got=got, hint=hint)
    return placed(p, x, y, yaw, lean, pitch, steer, ground)


def _chain(
    p: BicycleParameters, x: float, y: float, yaw: float, lean: float, pitch: float, steer: float
) -> tuple[tuple[np.ndarray, ...], np.ndarray, np.ndarray]:
    """Rotations of frame and fork, rear hub and head, by (1); then front hub and axle."""
    heading = matrix_from_axis_angle(Z, yaw) @ matrix_from_axis_angle(X, lean)
    frame = heading @ matrix_from_axis_angle(Y, pitch)
    fork = frame @ matrix_from_axis_angle(p.steer_axis, steer)
    arm_rear = contact_arm(heading @ Y, p.rear_radius, p.rear_tyre)
    rear_contact = np.array([x, y, 0.0])
    rear_hub = rear_contact - arm_rear
    head = rear_hub + frame @ (p.steer_point - p.rear_hub)
    return (frame, fork, rear_contact, rear_hub, head), head + fork @ (p.front_hub - p.steer_point), fork @ Y


def placed(
    p: BicycleParameters,
    x: float,
    y: float,
    yaw: float,
    lean: float,
    pitch: float,
    steer: float,
    front_ground: FrontGround | None = None,
) -> Posture:
    """Configuration with the rear wheel on the ground and the given angles (1)."""
    (frame, fork, rear_contact, rear_hub, head), front_hub, axle = _chain(p, x, y, yaw, lean, pitch, steer)
    front = front_ground(front_hub, axle)[0] if front_ground is not None else _on_level(p, front_hub, axle)[0]
    frame_centre = rear_hub + frame @ (p.frame_centre - p.rear_hub)
    fork_centre = head + fork @ (p.fork_centre - p.steer_point)
    positions = dict(zip(BODIES, (rear_hub, frame_centre, fork_centre, front_hub), strict=True))
    rotations = dict(zip(BODIES, (frame, frame, fork, fork), strict=True))
    return Posture(x, y, yaw, lean, pitch, steer, positions, rotations, {"rear": rear_contact, "front": front})


def contact_arm(axle: np.ndarray, radius: float, tyre: float) -> np.ndarray:
    """From a wheel's centre to its contact point; the ground is horizontal."""
    s = math.hypot(axle[0], axle[1])
    down = (Z - axle[2] * axle) / s
    return -(radius - tyre) * down - tyre * Z


def _on_level(p: BicycleParameters, hub: np.ndarray, axle: np.ndarray) -> tuple[np.ndarray, float]:
    """Contact of the front wheel with level ground."""
    contact = hub + contact_arm(axle, p.front_radius, p.front_tyre)
    return contact, float(contact[2])


def motion(
    p: BicycleParameters, where: Posture, speed: float = 0.0, lean_rate: float = 0.0, steer_rate: float = 0.0
) -> Motion:
    """Velocities with both wheels rolling; ``speed`` is that of the rear wheel, radius times spin [m/s].

    Raises:
        InputError: a configuration in which these rates do not determine the motion.
    """
    each = twists(p, where)
    slip = slips(where, each)
    unknown = [0, 1, 2, 3, 5, 7, 8]  # all rates but those of lean and steer
    matrix, right = np.zeros((7, 7)), np.zeros(7)
    matrix[:6] = slip[:, unknown]
    matrix[6, 5] = p.rear_radius
    right[:6] = -(slip[:, 4] * lean_rate + slip[:, 6] * steer_rate)
    right[6] = speed
    if np.linalg.cond(matrix) > 1e12:
        raise InputError("the wheels block each other in this position", path="steer", got=where.steer)
    found = np.linalg.solve(matrix, right)
    found += np.linalg.solve(matrix, right - matrix @ found)
    rates = np.zeros(9)
    rates[unknown], rates[4], rates[6] = found, lean_rate, steer_rate
    moving = {body: each[b] @ rates for b, body in enumerate(BODIES)}
    return Motion(
        {body: twist[:3] for body, twist in moving.items()},
        {body: twist[3:] for body, twist in moving.items()},
        *(float(rate) for rate in rates[3:]),
    )


def steer_of_yaw_rate(
    p: BicycleParameters,
    yaw_rate: float,
    speed: float,
    lean: float = 0.0,
    steer: float = 0.0,
    lean_rate: float = 0.0,
    steer_rate: float = 0.0,
) -> float:
    """Steer [rad] at which wheels that roll turn the machine with this yaw rate [rad/s], left positive.

    Args:
        steer: where the search begins, by Newton's method with steps of at most 0.2 rad.

    Raises:
        InputError: no steer does.
    """
    h = 1e-5
    try:
        for _ in range(60):
            here, there = (motion(p, posture(p, lean, s), speed, lean_rate, steer_rate) for s in (steer, steer + h))
            slope = (there.yaw_rate - here.yaw_rate) / h
            change = (yaw_rate - here.yaw_rate) / slope if slope else math.inf
            if not math.isfinite(change):
                break
            steer += max(-0.2, min(0.2, change))
            if abs(change) < 1e-9:
                return steer
    except InputError:
        pass  # the search ran into a position that no bicycle has
    hint = "at this speed; a machine that stands does not turn"
    raise InputError("no steer gives this yaw rate", path="yaw_rate", got=yaw_rate, hint=hint)


def twists(p: BicycleParameters, where: Posture) -> np.ndarray:
    """Velocities and angular velocities of the bodies, shape (4, 6, 9), per rate: hub x, y, z, yaw, lean, pitch,
    steer, rear and front spin."""
    frame, fork = where.rotations["frame"], where.rotations["fork"]
    hub = where.positions["rear-wheel"]
    head = hub + frame @ (p.steer_point - p.rear_hub)
    forward = np.array([math.cos(where.yaw), math.sin(where.yaw), 0.0])
    found = np.zeros((4, 6, 9))
    for b, body in enumerate(BODIES):
        found[b, :3, :3] = np.eye(3)
        turns = [(3, Z, hub), (4, forward, hub), (5, frame @ Y, hub)]
        if body in ("fork", "front-wheel"):
            turns.append((6, frame @ p.steer_axis, head))
        for k, axis, place in turns:
            found[b, :3, k] = cross(axis, where.positions[body] - place)
            found[b, 3:, k] = axis
    found[0, 3:, 7], found[3, 3:, 8] = frame @ Y, fork @ Y
    return found


def slips(where: Posture, each: np.ndarray) -> np.ndarray:
    """Velocities of both contact points of the wheels per rate, shape (6, 9), from the twists of the bodies."""
    rows = []
    for b, wheel, contact in ((0, "rear-wheel", "rear"), (3, "front-wheel", "front")):
        arm = where.contacts[contact] - where.positions[wheel]
        rows.append(each[b, :3] + cross(each[b, 3:], arm))
    return np.vstack(rows)
