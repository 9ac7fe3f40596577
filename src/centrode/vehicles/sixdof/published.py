"""Published numbers of six degrees of freedom: rope, free bodies, Kirchhoff body, fins, AUV.

Numbers of the lecture's rope and AUV follow in closed form from its data; foil data are those of SAND80-2114.
"""

from __future__ import annotations

import math
from functools import cache, partial
from typing import Any

import numpy as np

from centrode.math.rotation import matrix_from_quaternion
from centrode.parts.kernel_types import LINK_MARKERS
from centrode.published import Check, table_checks
from centrode.running import Session, simulate
from centrode.system.builder import System
from centrode.system.settings import RunSettings
from centrode.vehicles.auv import Auv
from centrode.vehicles.mechanisms.top import free_body
from centrode.vehicles.sixdof.rope import lecture_rope

ROPE = "6-DOF lecture, rope example; impact and swing in closed form"
AUV = "6-DOF lecture, AUV data; NACA 0012 of SAND80-2114 at Re 360 000"
TOP = "Euler's equations, closed form (Landau and Lifshitz, Mechanics, sections 36 and 37)"
WRENCH = ("fx", "fy", "fz", "mx", "my", "mz")
Vector = tuple[float, float, float]


@cache
def _rope() -> Any:
    return simulate(lecture_rope(), duration=2.0, frames=0.1, tolerance=1e-13)


def _rope_at(time: float, name: str) -> float:
    """Place, velocity or tension of the rope's mass."""
    row = round(time / 0.1)
    if name == "tension":
        return float(np.linalg.norm(_rope()["rope.force"][row]))
    return float(_rope()[f"mass.{'velocity' if name.startswith('v') else 'position'}"][row, "xyz".index(name[-1])])


@cache
def _auv(thrust: float, rudder_deg: float, profile: str, sway_mass: float) -> np.ndarray:
    """Steady u, v, w, p, q, r of the lecture's vehicle; bottom fin +rudder, top fin -rudder."""
    angle = math.radians(rudder_deg)
    system = System(gravity=(0.0, 0.0, 9.81))
    mass, fins = (10.0, sway_mass, sway_mass, 1.0, 5.0, 5.0), (0.0, angle, 0.0, -angle)
    system.add(Auv("auv", thrust=thrust, profile=profile, fin_commands=fins, mass_matrix=mass))
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
def _free_body(inertia: Vector, omega: Vector, time: float) -> np.ndarray:
    return simulate(free_body(inertia, omega), duration=time, frames=time, tolerance=1e-13)["body.omega"][-1]


def _free_rate(inertia: Vector, omega: Vector, time: float, name: str) -> float:
    return float(_free_body(inertia, omega, time)["xyz".index(name[-1])])


def _fin_total(which: int, axis: str) -> float:
    return float(fin_totals(which)[WRENCH.index(axis)])


def _sway_yaw(name: str) -> float:
    return float(sway_yaw_matrix().flat[int(name[-1]) - 1])


def _eigenvalue(name: str) -> float:
    return float(np.sort(np.linalg.eigvals(sway_yaw_matrix()).real)[int(name[-1]) - 1])


def _speed(name: str) -> float:
    return float(_auv(float(name[-2]), 0.0, "full", 10.0)[0])


def _drift() -> float:
    motion = _auv(2.0, 5.0, "full", 10.0)
    return math.degrees(math.atan2(motion[1], motion[0]))


def _rope_jerk(name: str) -> float:
    """A figure of the moment at which the rope becomes taut."""
    return float(_rope().events[0].values[name])


def checks() -> list[Check]:
    """All numbers."""
    kept = "kinetic energy after over before"
    found = [
        Check("sixdof.rope.taut_time", ROPE, 0.423153479936, 1e-11, lambda: float(_rope().events[0].time)),
        Check("sixdof.rope.impulse", ROPE, 3.519988917216, 1e-9, partial(_rope_jerk, "impulse")),
        Check("sixdof.rope.energy_kept", ROPE, 0.25, 1e-9, partial(_rope_jerk, "kinetic_ratio"), note=kept),
        Check("sixdof.auv.turn_full", AUV, 44.38, 5e-3, lambda: _radius(5.0, "full"), note="radius [m], rudder 5 deg"),
        Check("sixdof.auv.turn_slide", AUV, 14.69, 5e-3, lambda: _radius(5.0, "slide"), note="radius [m]"),
        Check("sixdof.auv.turn_18_6", AUV, 11.83, 5e-3, lambda: _radius(5.0, "full", 18.6), note="m_v = m_w = 18.6 kg"),
        Check("sixdof.auv.yaw_rate", AUV, -0.0366, 5e-5, lambda: float(_auv(2.0, 5.0, "full", 10.0)[5])),
        Check("sixdof.auv.drift_deg", AUV, 4.20, 5e-3, _drift),
    ]
    rope = {
        0.2: (0.0, -0.1948985139, 0.0, -1.9425101486, None),
        0.4: (0.0, -0.7744398084, 0.0, -3.8465560192, None),
        0.5: (0.1524404994, -0.9376579299, 2.1912744900, -0.8122346573, 14.65983332),
        0.7: (0.6441262465, -0.9895593085, 2.4699323574, 0.3597379931, 15.93755409),
        1.0: (1.1632353885, -0.7484108628, 0.8414299670, 0.7456681334, 8.60593592),
        2.0: (-0.0908644148, -0.8067708741, -1.0882142617, 0.7969884679, 9.73382317),
    }
    for time, (*motion, tension) in rope.items():
        prefix, compute = f"sixdof.rope.t{time:g}".replace("0.", "0_"), partial(_rope_at, time)
        found += table_checks(prefix, ROPE, dict(zip(("x", "z", "vx", "vz"), motion, strict=True)), 1e-9, compute)
        if tension is not None:
            found += table_checks(prefix, ROPE, {"tension": tension}, 1e-8, compute)
    speeds = {"speed_1N": 0.898057, "speed_2N": 1.654145, "speed_5N": 3.474277}
    found += table_checks("sixdof.auv", AUV, speeds, 5e-7, _speed, note="u + 0.1264 u^2 = T")
    fins = {
        "starboard": {"fx": -0.140, "fz": -2.20, "mx": -0.2127, "my": -1.320, "mz": 0.0013},
        "bottom": {"fy": 2.20, "mx": -0.2127, "mz": -1.320},
        "port": {"fz": 2.20, "mx": -0.2127, "my": 1.320},
        "top": {"fy": -2.20, "mx": -0.2127, "mz": 1.320},
    }
    digits = dict(zip(WRENCH, (5e-4, 5e-3, 5e-3, 5e-5, 5e-4, 5e-4), strict=True))
    for which, (name, totals) in enumerate(fins.items()):
        for axis, value in totals.items():
            tolerance = 5e-5 if value == 0.0013 else digits[axis]
            prefix, compute = f"sixdof.auv.fin_{name}", partial(_fin_total, which)
            found += table_checks(prefix, AUV, {axis: value}, tolerance, compute)
    matrix = {"sway_yaw_1": -5.548, "sway_yaw_2": 2.129, "sway_yaw_3": 6.058, "sway_yaw_4": -3.835}
    found += table_checks("sixdof.auv", AUV, matrix, 5e-4, _sway_yaw)
    found += table_checks("sixdof.auv", AUV, {"eigenvalue_1": -8.384, "eigenvalue_2": -1.000}, 5e-4, _eigenvalue)
    symmetric = {"symmetric_top_x": -0.379843956, "symmetric_top_y": -0.325143920, "symmetric_top_z": 3.0}
    compute = partial(_free_rate, (2.0, 2.0, 1.0), (0.5, 0.0, 3.0), 10.0)
    found += table_checks("sixdof.free", TOP, symmetric, 5e-10, compute)
    rates = (-1.629257049586, -1.198132491161, 0.945952524113)
    poinsot = {f"euler_poinsot_{axis}": rate for axis, rate in zip("xyz", rates, strict=True)}
    compute = partial(_free_rate, (1.0, 2.0, 3.0), (0.3, 2.0, 0.2), 5.0)
    return found + table_checks("sixdof.free", TOP, poinsot, 1e-11, compute, note="Jacobi's elliptic functions")
