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

from centrode.published import Check, table_checks
from centrode.running import simulate
from centrode.vehicles.bicycle.circles import FORWARD, SPINNING, CircleFinder, families
from centrode.vehicles.bicycle.lecture import LectureRun, lecture_model, start_state
from centrode.vehicles.bicycle.linear import linear_bicycle
from centrode.vehicles.bicycle.model import bicycle_system
from centrode.vehicles.bicycle.parameters import BicycleParameters
from centrode.vehicles.bicycle.reading import bicycle_history
from centrode.vehicles.bicycle.state import bicycle_workspace, place_bicycle, read_coordinate, wheel_loads
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
"""Table 2 there: speed [m/s] -> capsize, weave (real, imaginary part), castering [1/s]; at rest all four are real."""
AT_REST = {
    "capsize": -3.13164324790656,
    "castering": -5.53094371765393,
    "weave-1": 3.13164324790656,
    "weave-2": 5.53094371765393,
}

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


def _entry(derivatives: str, name: str) -> float:
    """An entry of a matrix, such as "K012": row 1, column 2 of K0."""
    return float(vars(_linear(derivatives))[name[:-2].lower()][int(name[-2]) - 1, int(name[-1]) - 1])


def _eigenvalue(speed: float, mode: str) -> float:
    named = _linear().named(speed)
    name, _, part = mode.partition("-")
    value = named[name]
    if part in ("1", "2"):
        return float(value[int(part) - 1])
    return float(value.imag if part == "im" else value.real)


@functools.cache
def table_one_accelerations() -> dict[str, float]:
    """Accelerations of the engine at the state of table 1 of Basu-Mandal et al., in their coordinates."""
    p = BicycleParameters()
    q = {name: row[0] for name, row in TABLE_ONE.items()}
    d = {name: row[1] for name, row in TABLE_ONE.items()}
    workspace = bicycle_workspace(p)
    state = (0.5 * math.pi - q["psi"], -q["psi_f"], p.rear_radius * d["beta_r"], -d["psi"], -d["psi_f"])
    place_bicycle(workspace, p, *state)
    return {name: sign * read_coordinate(workspace, own).dd for name, (own, sign) in OWN_COORDINATES.items()}


@functools.cache
def manoeuvre(name: str, duration: float = 20.0) -> Any:
    """Recording of a manoeuvre by the engine, order 8, tolerance 1e-12."""
    speed, rate = MANOEUVRES[name]
    system = bicycle_system(speed=speed, lean_rate=rate)
    return simulate(system, duration=duration, tolerance=1e-12, frames=0.5)


@functools.cache
def _history() -> dict[str, Any]:
    return bicycle_history(manoeuvre("M2"), "bike", BicycleParameters())


def _figure(time: float, name: str) -> float:
    """Roll, steer, their rates or speed of the recorded M2."""
    row = int(np.argmin(np.abs(_history()["time"] - time)))
    return float(_history()[name.replace("roll", "lean").replace("-", "_")][row])


@functools.cache
def _family() -> dict[float, Any]:
    found = TurnSolver().family([math.radians(steer) for steer in TURNS])
    return dict(zip(TURNS, found, strict=True))


@functools.cache
def _standing() -> Any:
    return TurnSolver().standing()


def _degrees(turn: Callable[[], Any], angle: str) -> float:
    """An angle of a turn [deg]."""
    return math.degrees(vars(turn())[angle])


def _of_turn(steer: float, name: str) -> float:
    turn = _family()[steer]
    found: dict[str, float] = {"roll": math.degrees(turn.lean), "pitch": math.degrees(turn.pitch)}
    return {**found, "yaw-rate": turn.yaw_rate, "speed": turn.speed, "radius": turn.radius}[name]


def _load(end: str) -> float:
    p = BicycleParameters()
    workspace = bicycle_workspace(p)
    place_bicycle(workspace, p)
    return wheel_loads(workspace)[0 if end == "rear" else 1]


def _start_energy(name: str) -> float:
    p = BicycleParameters()
    q, u = start_state(p, *MANOEUVRES[name.upper()])
    zero = np.zeros((1, 21))
    return float(LectureRun(lecture_model(p), np.zeros(1), q[None], u[None], zero, zero[0], zero[0]).energy[0])


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
    entries = {
        f"{matrix}{i + 1}{j + 1}": rows[i][j] for matrix, rows in MATRICES.items() for i in (0, 1) for j in (0, 1)
    }
    for derivatives, tolerance, note in (
        ("complex-step", 1e-12, "complex step through the equations of the lecture notes"),
        ("engine", 1e-10, "central differences of order 14 through the engine"),
    ):
        prefix, compute = f"bicycle.matrices.{derivatives}", partial(_entry, derivatives)
        found += table_checks(prefix, f"{_PAPER}, section 5.3", entries, tolerance, compute, note=note)
    return found


def _eigenvalue_checks() -> list[Check]:
    found = table_checks("bicycle.speeds", f"{_PAPER}, section 5.4", CRITICAL, 1e-10, _critical_speed)
    modes = ("capsize", "weave-re", "weave-im", "castering")
    for speed, row in {0: AT_REST, **{v: dict(zip(modes, row, strict=True)) for v, row in EIGENVALUES.items()}}.items():
        prefix, compute = f"bicycle.eigenvalues.v{speed:02d}", partial(_eigenvalue, float(speed))
        found += table_checks(prefix, f"{_PAPER}, table 2", row, 1e-11, compute, relative=True)
    return found


def _critical_speed(name: str) -> float:
    return float(vars(_critical())[name])


def _nonlinear_checks() -> list[Check]:
    third = {name: row[2] for name, row in TABLE_ONE.items()}
    found = table_checks(
        "bicycle.accelerations", f"{_BASU}, table 1", third, 1e-10, lambda name: table_one_accelerations()[name]
    )
    for time, row in M2.items():
        figures = dict(zip(("roll", "roll-rate", "steer", "steer-rate", "speed"), row, strict=True))
        prefix = f"bicycle.m2.t{time:g}".replace("0.5", "0_5")
        found += table_checks(prefix, f"{_IFTOMM}, M2", figures, 1e-7, partial(_figure, time))
    energies = {name.lower(): value for name, value in ENERGIES.items()}
    found += table_checks("bicycle.energy", _IFTOMM, energies, 1e-9, _start_energy, note="at the start [J]")
    found += table_checks("bicycle.load", "lever rule", {"rear": 612.8365, "front": 309.3035}, 5e-5, _load)
    spread, left = "relative, over 20 s", "the lateral motion left at 20 s holds 1e-9 of it"
    returned, reached = "closed form: all lateral energy returns to speed", partial(_figure, 20.0, "speed")
    return [
        *found,
        Check("bicycle.m2.energy-spread", "conservation of energy", 0.0, 1e-9, _energy_spread, note=spread),
        Check("bicycle.m2.end-speed", returned, end_speed(), 1e-8, reached, note=left),
    ]


def _energy_spread() -> float:
    energy = manoeuvre("M2")["energy.total"]
    return float((energy.max() - energy.min()) / energy[0])


def _turn_checks() -> list[Check]:
    found = []
    source = f"{_BASU}, handlebar-forward family; independent solution"
    digits = "angles and rates to the digits given (half a unit of the last is 5e-9)"
    for steer, row in TURNS.items():
        prefix, compute = f"bicycle.turns.steer{steer:g}".replace("0.1", "0_1"), partial(_of_turn, steer)
        angles = dict(zip(("roll", "pitch", "yaw-rate"), row, strict=False))
        found += table_checks(prefix, source, angles, 6e-9, compute, note=digits)
        sizes = dict(zip(("speed", "radius"), row[3:], strict=True))
        found += table_checks(prefix, source, sizes, 1e-7, compute, relative=True)
    ends = f"{_BASU}, abstract: ends upright at rest; independent solution"
    for name, tolerance in (("steer", 6e-8), ("pitch", 6e-10), ("lean", 1e-10)):
        compute = partial(_degrees, _standing)
        found += table_checks("bicycle.turns.standing", ends, {name: STANDING[name]}, tolerance, compute)
    return found


@functools.cache
def _families() -> dict[str, Any]:
    return {family.name: family for family in families()}


def _first_speed() -> float:
    """Speed at which the family with the handlebar forward leaves straight motion [m/s]."""
    finder = CircleFinder()
    z, found = finder.straight()
    roll = finder.balance(z)[3]
    return float(finder.p.rear_radius * roll[7] * math.sqrt(found[0][0]))


def _circle_checks() -> list[Check]:
    """Families by virtual power, without solving for accelerations, against both ends known otherwise."""
    prefix, abstract = "bicycle.circles", f"{_BASU}, abstract"
    power, almost = "virtual power, differences with a step of 1e-4", "'almost': within 10 degrees"
    rest = f"{abstract}: ends upright at rest; independent solution"
    standing = partial(_degrees, lambda: _families()[FORWARD].motions[-1])
    across = f"{abstract}: front wheel almost perpendicular at infinite speed"
    last = partial(_degrees, lambda: _families()[SPINNING].motions[-1], "front_heading")
    capsize = CRITICAL["capsize"]
    return [
        Check(f"{prefix}.forward.capsize-speed", f"{_PAPER}, section 5.4", capsize, 1e-6, _first_speed, note=power),
        Check(f"{prefix}.forward.standing-steer", rest, STANDING["steer"], 1e-6, partial(standing, "steer")),
        Check(f"{prefix}.families", f"{abstract}: three families", 3.0, 0.0, lambda: float(len(_families()))),
        Check(f"{prefix}.spinning.wheel-across", across, 90.0, 10.0, lambda: abs(last()), note=almost),
    ]
