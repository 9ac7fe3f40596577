"""Static equilibrium of a car on any road, by damped Newton steps on the accelerations that the engine computes.

Unknowns are the height over the road, the attitude (of a deformable chassis all nine director components), and for a
car at rest the relaxed slips and brake grips by which its tyres hold it. Asked for is that

    every wheel and spring force balances the weight: accelerations normal to the road, of attitude and strain are 0;
    at rest also those across the road and, when it is braked, along it; and no wheel begins to turn.

There are more unknowns than equations at rest (four tyres share the weight's pull); the step of least size is taken, so
the car stays where it was put. A car that moves rolls freely: what pulls it along or across is left to its motion. Body
and wheels stand still in the balance of either: wheels that turn below a standing body would drag it into a squat.

Like cars on the same road have the same equilibrium, and it is solved once: a pile-up of 200 asks for five.
"""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import numpy as np

from centrode.classes import dataclass
from centrode.dynamics.workspace import Workspace
from centrode.errors import InputError
from centrode.math.rotation import matrix_from_quaternion, quaternion_from_matrix
from centrode.math.vector import exponential
from centrode.parts.forces.carriage_medusa import SLIP_ANGLES, SLIPS
from centrode.parts.part import Part
from centrode.parts.roads.plane import RoadPlane, plane_axes
from centrode.parts.signals.signal import Signal, signal_from
from centrode.system.builder import System
from centrode.system.model import build_model

MOST_STEPS = 60
CONVERGED = 1e-10
"""Largest unbalanced force, as a share of the weight."""
MOST_KNOWN = 256
"""Equilibria that are remembered."""


@dataclass
class Rest:
    """A car at rest.

    Attributes:
        position: centre of mass [m].
        gradient: F of a deformable chassis, rotation of a rigid one, shape (3, 3).
        states: internal states of its carriage.
        residual: largest unbalanced force as a share of the weight.
    """

    position: np.ndarray
    gradient: np.ndarray
    states: np.ndarray
    residual: float


_known: dict[tuple[Any, ...], Rest] = {}


def solve_rest(
    system: System,
    body: Any,
    carriage: Any,
    axes: np.ndarray,
    *,
    held: bool,
    braked: bool,
    loads: tuple[Part, ...] = (),
    hint: str = "less slope or bank, stiffer springs, or equilibrium: false",
) -> Rest:
    """Equilibrium near the given pose of the body.

    Args:
        system: where road, tyres and suspensions of the carriage are found, and gravity.
        body, carriage: the parts; the body's pose is the first guess.
        axes: of the car on the road below it (ahead, left, up) as columns, world frame.
        held: the car is at rest: its tyres must hold it.
        braked: they hold it along the road too.
        loads: forces on the body that it carries beside its weight.
        hint: what the user can do when there is none.

    Raises:
        InputError: nothing balances (too steep, a wheel in the air, springs too soft).
    """
    alone, shift = _alone(system, body, carriage)
    alone.parts |= {part.name: dataclasses.replace(part, body="body") for part in loads}  # type: ignore[call-arg]
    found = _solved(alone, axes[:, 2], axes[:, 0], held, braked)
    if not found.residual < 1e-6:
        what, got = "the car has no equilibrium here", f"unbalanced force of {100 * found.residual:.3g} % of the weight"
        expected = "all wheels on the road, springs that carry the car, tyres that hold it"
        raise InputError(what, path=body.name, got=got, expected=expected, hint=hint)
    return dataclasses.replace(found, position=found.position + shift)


def _solved(alone: System, normal: np.ndarray, ahead: np.ndarray, held: bool, braked: bool) -> Rest:
    """The equilibrium of a car alone, remembered."""
    kinds = tuple(type(part) for part in alone.parts.values())
    try:
        values = pickle.dumps([vars(part) for part in alone.parts.values()])
    except (pickle.PicklingError, AttributeError, TypeError):  # a part of a plugin that holds a function
        return solve_alone(alone, normal, ahead, held, braked)
    key = (kinds, values, alone.gravity, normal.tobytes(), ahead.tobytes(), held, braked)
    if key not in _known:
        _known[key] = solve_alone(alone, normal, ahead, held, braked)
        if len(_known) > MOST_KNOWN:
            del _known[next(iter(_known))]
    return _known[key]


def _alone(system: System, body: Any, carriage: Any) -> tuple[System, np.ndarray]:
    """The car alone on its road, as all cars like it are, and where it stands [m].

    Names are those of the roles. A signal counts with its value at the start. A plane road without patches is the same
    everywhere, so the car is put above the origin of the world.
    """
    alone = System("", system.gravity)
    values: dict[str, Any] = {"name": "carriage", "body": "body"}
    for field in dataclasses.fields(carriage):
        value = getattr(carriage, field.name)
        if field.metadata.get("refers_to") in ("road", "tyre", "suspension"):
            listed = value if isinstance(value, list | tuple) else (value,)
            names = tuple(f"{field.name}{k}" for k in range(len(listed)))
            for name, old in zip(names, listed, strict=True):
                alone.parts[name] = dataclasses.replace(system.parts[old], name=name)
            values[field.name] = names if isinstance(value, list | tuple) else names[0]
        elif isinstance(value, dict | Signal):
            values[field.name] = signal_from(value).at(0.0)[0]
    place = np.array(body.position, dtype=float)
    shift = np.zeros(3)
    road = alone.parts[values["road"]]
    if isinstance(road, RoadPlane) and not (road.patches or road.kerbs or road.edges or road.embankments):
        normal = plane_axes(road.heading, road.slope, road.bank)[2]
        height = round(float((place - np.array(road.origin)) @ normal), 12)  # a first guess: without its rounding
        place, shift = height * normal, place - height * normal
        alone.parts[road.name] = dataclasses.replace(road, origin=(0.0, 0.0, 0.0))
    still = (0.0, 0.0, 0.0)
    alone.parts["body"] = dataclasses.replace(
        body, name="body", position=tuple(place.tolist()), velocity=still, omega=still
    )
    standing = {"speed": 0.0, "spins": ()}
    values |= {field.name: standing[field.name] for field in dataclasses.fields(carriage) if field.name in standing}
    alone.parts["carriage"] = dataclasses.replace(carriage, **values)
    return alone, shift


def solve_alone(alone: System, normal: np.ndarray, ahead: np.ndarray, held: bool, braked: bool) -> Rest:
    """Equilibrium of a car alone on its road, or the nearest approach to one."""
    model = build_model(alone)
    balance = _Balance(Workspace(model), model, normal, ahead, held, braked)
    unknown = np.zeros(balance.size)
    residual = balance.residual(unknown)
    for _ in range(MOST_STEPS):
        if np.abs(residual).max() < CONVERGED:
            break
        slopes = balance.jacobian(unknown)
        if not np.all(np.isfinite(slopes)):
            break
        step = np.linalg.lstsq(slopes, -residual, rcond=1e-12)[0]
        step *= min(1.0, 2.0 / max(np.abs(step).max(), 1e-300))  # no unknown moves more than two of its scales
        size = np.linalg.norm(residual)
        for _ in range(12):
            trial = balance.residual(unknown + step)
            if np.all(np.isfinite(trial)) and np.linalg.norm(trial) < size:
                break
            step *= 0.5
        else:
            break
        unknown, residual = unknown + step, trial
    return balance.rest(unknown, float(np.abs(residual).max()))


class _Balance:
    """Residual of the balance as a function of scaled unknowns."""

    def __init__(
        self, workspace: Workspace, model: Any, normal: np.ndarray, ahead: np.ndarray, held: bool, braked: bool
    ) -> None:
        self.w, self.normal, self.ahead = workspace, normal, ahead
        self.left = np.cross(normal, ahead)
        self.soft = bool(model.body_parts[0].elasticity())
        self.row = model.body_rows[0]
        self.pose = workspace["pose"][0].copy()
        self.states = workspace["states"].copy()
        names = [name for _, name, _ in model.state_names]
        wanted = ["slip_side", *SLIP_ANGLES] + (["slip_ahead", "slip_locked", "brake_grip", *SLIPS] if braked else [])
        self.slots = [k for k, name in enumerate(names) if held and name.rsplit(".", 1)[-1] in wanted]
        self.spins = [k for k, name in enumerate(names) if braked and name.endswith(".spin")]
        self.directions = [normal, *([self.left] if held else []), *([ahead] if held and braked else [])]
        self.scale = np.array([0.05] + [0.05] * (9 if self.soft else 2) + [0.02] * len(self.slots))
        self.size = self.scale.size

    def put(self, unknown: np.ndarray) -> None:
        x = unknown * self.scale
        w, attitude = self.w, 9 if self.soft else 2
        pose = w["pose"][0]
        pose[:] = self.pose
        pose[:3] += x[0] * self.normal
        if self.soft:
            pose[3:12] += x[1:10]
        else:
            rotation = matrix_from_quaternion(self.pose[3:7])
            turn = x[1] * self.ahead + x[2] * self.left  # roll and pitch
            pose[3:7] = quaternion_from_matrix(matrix_from_quaternion(exponential(tuple(turn))) @ rotation)
        w["states"][:] = self.states
        w["states"][self.slots] += x[1 + attitude :]

    def residual(self, unknown: np.ndarray) -> np.ndarray:
        self.put(unknown)
        w = self.w
        w["velocity"][:] = 0.0
        w.evaluate(0.0)
        gravity = max(float(np.linalg.norm(w["gravity"])), 1e-9)
        acceleration = w["acceleration"][0]
        found = [float(acceleration[:3] @ direction) / gravity for direction in self.directions]
        if self.soft:
            inertias = np.array(self.row.data[4:7])
            found += list((acceleration[3:12].reshape(3, 3) * inertias[:, None]).ravel() / (self.row.mass * gravity))
        else:
            found += list(np.array(self.row.inertia) * acceleration[3:6] / (self.row.mass * gravity))
        found += [float(w["state_rate"][k]) / 1000.0 for k in self.spins]
        if self.soft and not self.slots:
            # Yaw is nobody's business while the car rolls: take the turning part about the normal out.
            found[len(self.directions) :] = self._without_yaw(np.array(found[len(self.directions) :]))
        elif not self.soft and len(self.directions) < 2:
            found = found[:-1] if not self.spins else found
        return np.array(found)

    def _without_yaw(self, directors: np.ndarray) -> list[float]:
        yaw = np.cross(self.normal, self.w["pose"][0, 3:12].reshape(3, 3)).ravel()
        yaw /= np.linalg.norm(yaw)
        return list(directors - (directors @ yaw) * yaw)

    def jacobian(self, unknown: np.ndarray) -> np.ndarray:
        shifts = 1e-5 * np.eye(self.size)
        return np.column_stack([(self.residual(unknown + d) - self.residual(unknown - d)) / 2e-5 for d in shifts])

    def rest(self, unknown: np.ndarray, worst: float) -> Rest:
        self.put(unknown)
        pose = self.w["pose"][0]
        if self.soft:
            gradient = pose[3:12].reshape(3, 3).T.copy()
            position = pose[:3].copy()
        else:
            gradient = matrix_from_quaternion(pose[3:7]) @ self.row.axes.T
            position = pose[:3] - gradient @ self.row.centre
        return Rest(position, gradient, self.w["states"].copy(), worst)
