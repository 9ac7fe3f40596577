"""Published numbers of the bicycle that Centrode reaches (``centrode verify bicycle``).

Meijaard, Papadopoulos, Ruina, Schwab, Proc. R. Soc. A 463 (2007): matrices, table 2. Basu-Mandal, Chatterjee,
Papadopoulos, Proc. R. Soc. A 463 (2007): table 1 of the nonlinear equations, family of hands-free circular motions.
IFToMM library of computational benchmark problems, uncontrolled bicycle: manoeuvres. Where a paper prints no number the
reference is an independent model with nine coordinates and Lagrange multipliers, checked against table 1 of
Basu-Mandal et al.; such a source says "independent solution".
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from centrode.published import Check
from centrode.running import simulate
from centrode.vehicles.bicycle.circles import FORWARD, SPINNING, CircleFinder, families
from centrode.vehicles.bicycle.kinematics import motion, posture
from centrode.vehicles.bicycle.lecture import LectureRun, lecture_model, start_state
from centrode.vehicles.bicycle.linear import linear_bicycle
from centrode.vehicles.bicycle.model import bicycle_system
from centrode.vehicles.bicycle.parameters import BicycleParameters
from centrode.vehicles.bicycle.reading import bicycle_history
from centrode.vehicles.bicycle.state import bicycle_workspace, place_bicycle, read_coordinate, wheel_loads, write_state
from centrode.vehicles.bicycle.turns import TurnSolver

_PAPER = "Meijaard et al. 2007"
_BASU = "Basu-Mandal et al. 2007"
_IFTOMM = "IFToMM benchmark, uncontrolled bicycle; independent solution"

MATRICES = {
    "M": ((80.81722, 2.31941332208709), (2.31941332208709, 0.29784188199686)),
    "K0": ((-80.95, -2.59951685249872), (-2.59951685249872, -0.80329488458618)),
    "K2": ((0.0, 76.59734589573222), (0.0, 2.65431523794604)),
    "C1": ((0.0, 33.86641391492494), (-0.85035641456978, 1.68540397397560)),
}
"""Section 5.3 there."""

CRITICAL = {
    "double_root": 0.68428307889246,
    "double_root_value": 3.78290405129320,
    "weave": 4.29238253634111,
    "weave_frequency": 3.43503384866144,
    "capsize": 6.02426201538837,
}

EIGENVALUES = {
    1: (-3.13423125066578, 3.52696170990070, 0.8077402751993, -7.11008014637442),
    2: (-3.07158645641514, 2.68234517512745, 1.68066296590675, -8.67387984831735),
    3: (-2.63366137253667, 1.70675605663975, 2.31582447384325, -10.35101467245920),
    4: (-1.42944427361326, 0.41325331521125, 3.07910818603206, -12.15861426576450),
    5: (-0.32286642900409, -0.77534188219585, 4.46486771378823, -14.07838969279820),
    6: (-0.00406690076970, -1.52644486584142, 5.87673060598709, -16.08537123098030),
    7: (0.10268170574766, -2.13875644258362, 7.19525913329805, -18.15788466125262),
    8: (0.14327879765713, -2.69348683581097, 8.46037971396931, -20.27940894394569),
    9: (0.15790184030917, -3.21675402252485, 9.69377351531791, -22.43788559040858),
    10: (0.16105338653172, -3.72016840437287, 10.90681139476287, -24.62459635017404),
}
"""Table 2 there: speed [m/s] -> capsize, weave (real, imaginary part), castering [1/s]."""
AT_REST = (3.13164324790656, 5.53094371765393)
"""Sizes of the two pairs of real eigenvalues at rest."""

TABLE_ONE = {
    "x": (0.0, -2.8069345714545, -0.5041626315047),
    "y": (0.0, -0.1480982396001, -0.3449706619454),
    "z": (0.2440472102925, 0.1058778746261, -1.4604528332980),
    "theta": (0.0, 0.7830033527065, 0.8353281706379),
    "psi": (0.9501292851472, 0.6068425835418, -7.8555281128244),
    "phi": (3.1257073014894, -0.0119185528069, 0.1205543897884),
    "psi_f": (0.2311385135743, 0.4859824687093, -4.6198904039403),
    "beta_r": (0.0, 8.9129896614890, 1.8472554144217),
    "beta_f": (0.0, 8.0133620584155, 2.4548072904550),
}
"""Coordinate -> value, rate, acceleration."""

OWN_COORDINATES: dict[str, tuple[str, float]] = {
    "x": ("rear-wheel.position.x", -1.0),
    "y": ("rear-wheel.position.y", -1.0),
    "z": ("rear-wheel.position.z", 1.0),
    "theta": ("frame.yaw", 1.0),
    "psi": ("frame.lean", -1.0),
    "phi": ("frame.pitch", 1.0),
    "psi_f": ("steer.angle", -1.0),
    "beta_r": ("rear-hub.angle", 1.0),
    "beta_f": ("front-hub.angle", 1.0),
}
"""Theirs -> ours and the sign: they ride towards -x; psi is the lean from the horizontal, phi the pitch from pi."""

M2 = {
    0.5: (0.105609434, -0.173733667, 0.130551254, -0.114105094, 4.682785568),
    1.0: (-0.041293870, -0.211101734, -0.039988487, -0.322404010, 4.621685819),
    2.0: (0.056180809, -0.013866406, 0.063097319, 0.046373884, 4.637004578),
    5.0: (0.010342441, 0.039926538, 0.008185671, 0.061407351, 4.622535560),
    20.0: (0.000014086, -0.000130017, 0.000026869, -0.000143667, 4.622442097),
}
"""Manoeuvre M2: time [s] -> roll, roll rate, steer, steer rate [rad, rad/s], speed [m/s]."""
MANOEUVRES = {"M1": (4.0, 0.05), "M2": (4.6, 0.5), "M3": (8.0, 0.05)}
"""Name -> speed [m/s], roll rate [rad/s] at the start."""
ENERGIES = {"M1": 1575.172902477, "M2": 1837.031176310, "M3": 3918.030045335}

TURNS = {
    0.1: (0.34683138, -0.00004716, 0.00980368, 6.0241677585, 614.4804658),
    1.0: (3.45662509, -0.00469399, 0.09807084, 6.0148051404, 61.3312275),
    5.0: (15.80387736, -0.10356123, 0.48947675, 5.7737825977, 11.7958261),
    10.0: (23.40353620, -0.27566517, 0.90188332, 5.0367782036, 5.5847337),
    20.0: (21.54124287, -0.41536935, 1.27090952, 3.4920613487, 2.7476868),
    50.0: (8.09503609, -0.45053494, 1.34493895, 1.2192606953, 0.9065547),
}
"""Hands-free turns: steer [deg] -> roll, pitch [deg], yaw rate [rad/s], speed [m/s], radius [m]."""
STANDING = {"steer": 76.7614426, "pitch": -0.447301396, "lean": 0.0}
"""The end of that family: at rest [deg]."""


@functools.cache
def _linear(derivatives: str = "complex-step") -> Any:
    return linear_bicycle(derivatives=derivatives)


@functools.cache
def _critical() -> Any:
    return _linear().critical_speeds()


def _entry(matrix: str, derivatives: str, i: int, j: int) -> float:
    return float(getattr(_linear(derivatives), matrix.lower())[i, j])


def _eigenvalue(speed: float, index: int) -> float:
    named = _linear().named(speed)
    weave = named["weave"]
    return (named["capsize"].real, weave.real, weave.imag, named["castering"].real)[index]


@functools.cache
def table_one_accelerations() -> dict[str, float]:
    """Accelerations of the engine at the state of table 1 of Basu-Mandal et al., in their coordinates."""
    p = BicycleParameters()
    q = {name: row[0] for name, row in TABLE_ONE.items()}
    d = {name: row[1] for name, row in TABLE_ONE.items()}
    where = posture(p, lean=0.5 * math.pi - q["psi"], steer=-q["psi_f"])
    how = motion(p, where, p.rear_radius * d["beta_r"], -d["psi"], -d["psi_f"])
    workspace = bicycle_workspace(p)
    write_state(workspace, where, how)
    workspace.evaluate(0.0)
    return {name: sign * read_coordinate(workspace, own).dd for name, (own, sign) in OWN_COORDINATES.items()}


@functools.cache
def manoeuvre(name: str, duration: float = 20.0) -> Any:
    """Recording of a manoeuvre by the engine, order 8, tolerance 1e-12."""
    speed, rate = MANOEUVRES[name]
    system = bicycle_system(speed=speed, lean_rate=rate)
    return simulate(system, duration=duration, tolerance=1e-12, frames=0.5)


@functools.cache
def manoeuvre_figures(name: str = "M2") -> dict[float, tuple[float, ...]]:
    """Time [s] -> roll, roll rate, steer, steer rate, speed of a recorded manoeuvre."""
    run = manoeuvre(name)
    history = bicycle_history(run, "bike", BicycleParameters())
    keys = ("lean", "lean_rate", "steer", "steer_rate", "speed")
    return {float(t): tuple(float(history[key][n]) for key in keys) for n, t in enumerate(np.round(run.time, 9))}


@functools.cache
def _family() -> dict[float, Any]:
    found = TurnSolver().family([math.radians(steer) for steer in TURNS])
    return dict(zip(TURNS, found, strict=True))


def _turn(steer: float, index: int) -> float:
    turn = _family()[steer]
    return (math.degrees(turn.lean), math.degrees(turn.pitch), turn.yaw_rate, turn.speed, turn.radius)[index]


@functools.cache
def _standing() -> Any:
    return TurnSolver().standing()


def _load(index: int) -> float:
    p = BicycleParameters()
    workspace = bicycle_workspace(p)
    place_bicycle(workspace, p)
    return wheel_loads(workspace)[index]


def _start_energy(name: str) -> float:
    p = BicycleParameters()
    q, u = start_state(p, *MANOEUVRES[name])
    zero = np.zeros((1, 21))
    return float(LectureRun(np.zeros(1), q[None], u[None], zero, zero[0], zero[0], lecture_model(p)).energy[0])


def end_speed() -> float:
    """Speed of M2 when all lateral energy has returned to it: closed form from the published M11 [m/s]."""
    v, rate = MANOEUVRES["M2"]
    inertia = 94.0 + 0.12 / 0.3**2 + 0.28 / 0.35**2
    return math.sqrt(v**2 + MATRICES["M"][0][0] * rate**2 / inertia)


def checks() -> list[Check]:
    """All checks of the topic."""
    return [*_matrix_checks(), *_eigenvalue_checks(), *_nonlinear_checks(), *_turn_checks(), *_circle_checks()]


def _matrix_checks() -> list[Check]:
    found = []
    for derivatives, tolerance, note in (
        ("complex-step", 1e-12, "complex step through the equations of the lecture notes"),
        ("engine", 1e-10, "central differences of order 14 through the engine"),
    ):
        for matrix, rows in MATRICES.items():
            for i in (0, 1):
                for j in (0, 1):
                    found.append(
                        Check(
                            f"bicycle.matrices.{derivatives}.{matrix}{i + 1}{j + 1}",
                            f"{_PAPER}, section 5.3",
                            rows[i][j],
                            tolerance,
                            partial(_entry, matrix, derivatives, i, j),
                            note=note,
                        )
                    )
    return found


def _eigenvalue_checks() -> list[Check]:
    found = [
        Check(f"bicycle.speeds.{name}", f"{_PAPER}, section 5.4", value, 1e-10, partial(_critical_speed, name))
        for name, value in CRITICAL.items()
    ]
    for speed, row in EIGENVALUES.items():
        for index, (mode, value) in enumerate(zip(("capsize", "weave-re", "weave-im", "castering"), row, strict=True)):
            found.append(
                Check(
                    f"bicycle.eigenvalues.v{speed:02d}.{mode}",
                    f"{_PAPER}, table 2",
                    value,
                    1e-11,
                    partial(_eigenvalue, float(speed), index),
                    relative=True,
                )
            )
    for index, (name, sign) in enumerate((("capsize", -1), ("castering", -1), ("weave-1", 1), ("weave-2", 1))):
        value = sign * AT_REST[index % 2]
        found.append(
            Check(
                f"bicycle.eigenvalues.v00.{name}",
                f"{_PAPER}, table 2",
                value,
                1e-11,
                partial(_rest, index),
                relative=True,
            )
        )
    return found


def _critical_speed(name: str) -> float:
    return float(getattr(_critical(), name))


def _rest(index: int) -> float:
    named = _linear().named(0.0)
    return (named["capsize"].real, named["castering"].real, *named["weave"])[index]


def _nonlinear_checks() -> list[Check]:
    found = [
        Check(f"bicycle.accelerations.{name}", f"{_BASU}, table 1", row[2], 1e-10, partial(_acceleration, name))
        for name, row in TABLE_ONE.items()
    ]
    names = ("roll", "roll-rate", "steer", "steer-rate", "speed")
    for time, row in M2.items():
        for index, name in enumerate(names):
            found.append(
                Check(
                    f"bicycle.m2.t{time:g}.{name}".replace("0.5", "0_5"),
                    f"{_IFTOMM}, M2",
                    row[index],
                    1e-7,
                    partial(_figure, time, index),
                )
            )
    for name, value in ENERGIES.items():
        found.append(
            Check(
                f"bicycle.energy.{name.lower()}",
                _IFTOMM,
                value,
                1e-9,
                partial(_start_energy, name),
                note="at the start [J]",
            )
        )
    found.append(
        Check(
            "bicycle.m2.energy-spread", "conservation of energy", 0.0, 1e-9, _energy_spread, note="relative, over 20 s"
        )
    )
    found.append(
        Check(
            "bicycle.m2.end-speed",
            "closed form: all lateral energy returns to speed",
            end_speed(),
            1e-8,
            lambda: manoeuvre_figures()[20.0][4],
            note="the lateral motion left at 20 s holds 1e-9 of it",
        )
    )
    lever = "lever rule"
    for index, (name, value) in enumerate((("rear", 612.8365), ("front", 309.3035))):
        found.append(Check(f"bicycle.load.{name}", lever, value, 5e-5, partial(_load, index)))
    return found


def _acceleration(name: str) -> float:
    return table_one_accelerations()[name]


def _figure(time: float, index: int) -> float:
    return manoeuvre_figures()[time][index]


def _energy_spread() -> float:
    energy = manoeuvre("M2")["energy.total"]
    return float((energy.max() - energy.min()) / energy[0])


def _turn_checks() -> list[Check]:
    found = []
    columns: tuple[tuple[str, float], ...] = (
        ("roll", 6e-9), ("pitch", 6e-9), ("yaw-rate", 6e-9), ("speed", 1e-7), ("radius", 1e-7),
    )  # fmt: skip
    for steer, row in TURNS.items():
        for index, (name, tolerance) in enumerate(columns):
            found.append(
                Check(
                    f"bicycle.turns.steer{steer:g}.{name}".replace("0.1.", "0_1."),
                    f"{_BASU}, handlebar-forward family; independent solution",
                    row[index],
                    tolerance,
                    partial(_turn, steer, index),
                    relative=index >= 3,
                    note="angles and rates to the digits given (half a unit of the last is 5e-9)" if index < 3 else "",
                )
            )
    ends: tuple[tuple[str, Callable[[], float], float], ...] = (
        ("steer", lambda: math.degrees(_standing().steer), 6e-8),
        ("pitch", lambda: math.degrees(_standing().pitch), 6e-10),
        ("lean", lambda: math.degrees(_standing().lean), 1e-10),
    )
    for name, compute, tolerance in ends:
        found.append(
            Check(
                f"bicycle.turns.standing.{name}",
                f"{_BASU}, abstract: ends upright at rest; independent solution",
                STANDING[name],
                tolerance,
                compute,
            )
        )
    return found


@functools.cache
def _families() -> dict[str, Any]:
    return {family.name: family for family in families()}


def _circle_checks() -> list[Check]:
    """Families by virtual power, without solving for accelerations, against both ends known otherwise."""
    abstract = f"{_BASU}, abstract"

    def first_speed() -> float:
        finder = CircleFinder()
        z, found = finder.straight()
        roll = finder.balance(z)[3]
        return float(finder.p.rear_radius * roll[7] * math.sqrt(found[0][0]))

    return [
        Check(
            "bicycle.circles.forward.capsize-speed",
            f"{_PAPER}, section 5.4",
            CRITICAL["capsize"],
            1e-6,
            first_speed,
            note="virtual power, differences with a step of 1e-4",
        ),
        Check(
            "bicycle.circles.forward.standing-steer",
            f"{abstract}: ends upright at rest; independent solution",
            STANDING["steer"],
            1e-6,
            lambda: math.degrees(_families()[FORWARD].motions[-1].steer),
        ),
        Check("bicycle.circles.families", f"{abstract}: three families", 3.0, 0.0, lambda: float(len(_families()))),
        Check(
            "bicycle.circles.spinning.wheel-across",
            f"{abstract}: front wheel almost perpendicular at infinite speed",
            90.0,
            10.0,
            lambda: abs(math.degrees(_families()[SPINNING].motions[-1].front_heading)),
            note="'almost': within 10 degrees",
        ),
    ]
