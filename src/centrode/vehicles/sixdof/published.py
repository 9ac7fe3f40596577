"""Published numbers of six degrees of freedom: rope, free bodies, Kirchhoff body, fins, AUV.

Numbers of the lecture's rope and AUV follow in closed form from its data; foil data are those of SAND80-2114.
"""

from __future__ import annotations

import math
from functools import cache, partial
from typing import Any

import numpy as np

from centrode.math.rotation import matrix_from_quaternion
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.kernel_types import LINK_MARKERS
from centrode.published import Check
from centrode.running import Session, simulate
from centrode.system.builder import System
from centrode.system.settings import RunSettings
from centrode.vehicles.auv import Auv
from centrode.vehicles.sixdof.rope import lecture_rope

ROPE = "6-DOF lecture, rope example; impact and swing in closed form"
AUV = "6-DOF lecture, AUV data; NACA 0012 of SAND80-2114 at Re 360 000"
TOP = "Euler's equations, closed form (Landau and Lifshitz, Mechanics, sections 36 and 37)"


@cache
def _rope() -> Any:
    return simulate(lecture_rope(), duration=2.0, frames=0.1, tolerance=1e-13)


def _rope_at(time: float, channel: str, axis: int) -> float:
    return float(_rope()[channel][round(time / 0.1), axis])


@cache
def _auv(thrust: float, rudder_deg: float, profile: str, sway_mass: float) -> np.ndarray:
    """Steady u, v, w, p, q, r of the lecture's vehicle; bottom fin +rudder, top fin -rudder."""
    angle = math.radians(rudder_deg)
    system = System(gravity=(0.0, 0.0, 9.81))
    system.add(
        Auv(
            "auv",
            thrust=thrust,
            profile=profile,
            fin_commands=(0.0, angle, 0.0, -angle),
            mass_matrix=(10.0, sway_mass, sway_mass, 1.0, 5.0, 5.0),
        )
    )
    run = simulate(system, duration=400.0, frames=200.0, tolerance=1e-10, audit=False)
    rotation = matrix_from_quaternion(run["auv.hull.orientation"][-1])
    return np.concatenate([rotation.T @ run["auv.hull.velocity"][-1], run["auv.hull.omega"][-1]])


def _radius(rudder_deg: float, profile: str, sway_mass: float = 10.0) -> float:
    motion = _auv(2.0, rudder_deg, profile, sway_mass)
    return float(np.linalg.norm(motion[:3]) / abs(motion[5]))


@cache
def fin_totals(which: int) -> np.ndarray:
    """Force and moment of all four fins [N, N m], hull axes, one of them at +5 degrees, 1 m/s ahead."""
    commands = tuple(math.radians(5.0) if k == which else 0.0 for k in range(4))
    system = System(gravity=(0.0, 0.0, 9.81))
    auv = system.add(Auv("auv", velocity=(1.0, 0.0, 0.0), fin_commands=commands))
    session = Session(system, RunSettings(audit=False))
    session.workspace.evaluate(0.0)
    total = np.zeros(6)
    for name in auv.fin_names:
        marker = int(session.model.force_link[session.model.force_index(name), LINK_MARKERS])
        wrench, place = session.workspace["wrench"][marker], session.workspace["markers"][marker, :3]
        total[:3] += wrench[:3]
        total[3:] += wrench[3:] + np.cross(place, wrench[:3])
    return total


@cache
def sway_yaw_matrix() -> np.ndarray:
    """d(v', r')/d(v, r) of the lecture's vehicle at 1 m/s, by central differences of the engine's accelerations."""
    system = System(gravity=(0.0, 0.0, 9.81))
    system.add(Auv("auv", velocity=(1.0, 0.0, 0.0)))
    w = Session(system, RunSettings(audit=False)).workspace

    def rates(sway: float, yaw: float) -> np.ndarray:
        w["velocity"][0] = (1.0, sway, 0.0, 0.0, 0.0, yaw)
        w.evaluate(0.0)
        # The world acceleration holds r u of the turning axes beside v'.
        return np.array([w["acceleration"][0, 1] - yaw, w["acceleration"][0, 5]])

    h = 1e-4
    return np.column_stack([(rates(h, 0.0) - rates(-h, 0.0)) / (2 * h), (rates(0.0, h) - rates(0.0, -h)) / (2 * h)])


@cache
def _free_body(inertia: tuple[float, ...], omega: tuple[float, float, float], time: float) -> np.ndarray:
    system = System(gravity=(0.0, 0.0, 0.0))
    system.add(RigidBody("body", 1.0, inertia, omega=omega))
    return simulate(system, duration=time, frames=time, tolerance=1e-13)["body.omega"][-1]


def _tension(time: float) -> float:
    return float(np.linalg.norm(_rope()["rope.force"][round(time / 0.1)]))


def _speed(thrust: float) -> float:
    return float(_auv(thrust, 0.0, "full", 10.0)[0])


def _fin_total(which: int, axis: int) -> float:
    return float(fin_totals(which)[axis])


def _sway_yaw(row: int, column: int) -> float:
    return float(sway_yaw_matrix()[row, column])


def _eigenvalue(number: int) -> float:
    return float(np.sort(np.linalg.eigvals(sway_yaw_matrix()).real)[number])


def _free_rate(inertia: tuple[float, ...], omega: tuple[float, float, float], time: float, axis: int) -> float:
    return float(_free_body(inertia, omega, time)[axis])


def checks() -> list[Check]:
    """All numbers."""
    found = [
        Check("sixdof.rope.taut_time", ROPE, 0.423153479936, 1e-11, lambda: float(_rope().events[0].time)),
        Check("sixdof.rope.impulse", ROPE, 3.519988917216, 1e-9, _rope_impulse),
        Check("sixdof.rope.energy_kept", ROPE, 0.25, 1e-9, _rope_energy_kept, note="kinetic energy after over before"),
    ]
    table = (
        (0.2, 0.0, -0.1948985139, 0.0, -1.9425101486, None),
        (0.4, 0.0, -0.7744398084, 0.0, -3.8465560192, None),
        (0.5, 0.1524404994, -0.9376579299, 2.1912744900, -0.8122346573, 14.65983332),
        (0.7, 0.6441262465, -0.9895593085, 2.4699323574, 0.3597379931, 15.93755409),
        (1.0, 1.1632353885, -0.7484108628, 0.8414299670, 0.7456681334, 8.60593592),
        (2.0, -0.0908644148, -0.8067708741, -1.0882142617, 0.7969884679, 9.73382317),
    )
    for t, x, z, vx, vz, tension in table:
        name = f"sixdof.rope.t{t:g}".replace(".", "_").replace("sixdof_rope_", "sixdof.rope.")
        for label, value, channel, axis in (
            ("x", x, "mass.position", 0),
            ("z", z, "mass.position", 2),
            ("vx", vx, "mass.velocity", 0),
            ("vz", vz, "mass.velocity", 2),
        ):
            found.append(Check(f"{name}.{label}", ROPE, value, 1e-9, partial(_rope_at, t, channel, axis)))
        if tension is not None:
            found.append(Check(f"{name}.tension", ROPE, tension, 1e-8, partial(_tension, t)))
    for thrust, speed in ((1.0, 0.898057), (2.0, 1.654145), (5.0, 3.474277)):
        found.append(
            Check(f"sixdof.auv.speed_{thrust:g}N", AUV, speed, 5e-7, partial(_speed, thrust), note="u + 0.1264 u^2 = T")
        )
    found += [
        Check("sixdof.auv.turn_full", AUV, 44.38, 5e-3, lambda: _radius(5.0, "full"), note="radius [m], rudder 5 deg"),
        Check("sixdof.auv.turn_slide", AUV, 14.69, 5e-3, lambda: _radius(5.0, "slide"), note="radius [m]"),
        Check("sixdof.auv.turn_18_6", AUV, 11.83, 5e-3, lambda: _radius(5.0, "full", 18.6), note="m_v = m_w = 18.6 kg"),
        Check("sixdof.auv.yaw_rate", AUV, -0.0366, 5e-5, lambda: float(_auv(2.0, 5.0, "full", 10.0)[5])),
        Check("sixdof.auv.drift_deg", AUV, 4.20, 5e-3, _drift),
    ]
    totals = {
        "starboard": (0, {0: -0.140, 2: -2.20, 3: -0.2127, 4: -1.320, 5: 0.0013}),
        "bottom": (1, {1: 2.20, 3: -0.2127, 5: -1.320}),
        "port": (2, {2: 2.20, 3: -0.2127, 4: 1.320}),
        "top": (3, {1: -2.20, 3: -0.2127, 5: 1.320}),
    }
    digits = {0: 5e-4, 1: 5e-3, 2: 5e-3, 3: 5e-5, 4: 5e-4, 5: 5e-4}
    for name, (which, values) in totals.items():
        for axis, value in values.items():
            label = ("fx", "fy", "fz", "mx", "my", "mz")[axis]
            tolerance = 5e-5 if value == 0.0013 else digits[axis]
            found.append(
                Check(f"sixdof.auv.fin_{name}.{label}", AUV, value, tolerance, partial(_fin_total, which, axis))
            )
    for number, (row, column, value) in enumerate(
        ((0, 0, -5.548), (0, 1, 2.129), (1, 0, 6.058), (1, 1, -3.835)), start=1
    ):
        found.append(Check(f"sixdof.auv.sway_yaw_{number}", AUV, value, 5e-4, partial(_sway_yaw, row, column)))
    for number, value in enumerate((-8.384, -1.000), start=1):
        found.append(Check(f"sixdof.auv.eigenvalue_{number}", AUV, value, 5e-4, partial(_eigenvalue, number - 1)))
    for k, value in enumerate((-0.379843956, -0.325143920, 3.0)):
        found.append(
            Check(
                f"sixdof.free.symmetric_top_{'xyz'[k]}",
                TOP,
                value,
                5e-10,
                partial(_free_rate, (2.0, 2.0, 1.0), (0.5, 0.0, 3.0), 10.0, k),
            )
        )
    for k, value in enumerate((-1.629257049586, -1.198132491161, 0.945952524113)):
        found.append(
            Check(
                f"sixdof.free.euler_poinsot_{'xyz'[k]}",
                TOP,
                value,
                1e-11,
                partial(_free_rate, (1.0, 2.0, 3.0), (0.3, 2.0, 0.2), 5.0, k),
                note="Jacobi's elliptic functions",
            )
        )
    return found


def _drift() -> float:
    motion = _auv(2.0, 5.0, "full", 10.0)
    return math.degrees(math.atan2(motion[1], motion[0]))


def _rope_impulse() -> float:
    values = _rope().events[0].values
    return float(values["impulse"])


def _rope_energy_kept() -> float:
    return float(_rope().events[0].values["kinetic_ratio"])
