"""Andrews' squeezing mechanism (IFToMM benchmark A03): seven plane bodies, ten hinges, a motor torque and a spring.

One degree of freedom, time scale of milliseconds. Constants and the published result are those of E. Hairer, G. Wanner,
"Solving Ordinary Differential Equations II", VII.7, after W. Schiehlen (ed.), "Multibody Systems Handbook" (1990).

Points: O, A, B, C are fixed; F joins bodies 1 and 2, E joins 2, 3, 4 and 6, G joins 4 and 5, H joins 6 and 7, D on
body 3 carries the spring from C. Angles at the start are those of the book; the seven bodies keep the world axes as
body axes at the start, so the rotation of body k is its angle in the recording.
"""

from __future__ import annotations

import math

import numpy as np

from centrode.parts.bodies.planar import PlanarBody
from centrode.parts.forces.spring import Spring
from centrode.parts.forces.torque import Torque
from centrode.parts.joints.revolute import Revolute
from centrode.system.builder import System

MASS = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
INERTIA = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
FIXED = {"O": (0.0, 0.0), "A": (-0.06934, -0.00227), "B": (-0.03635, 0.03273), "C": (0.014, 0.072)}
LENGTH = {
    "d": 0.028, "da": 0.0115, "e": 0.02, "ea": 0.01421, "rr": 0.007, "ra": 0.00092, "ss": 0.035, "sa": 0.01874,
    "sb": 0.01043, "sc": 0.018, "sd": 0.02, "zf": 0.02, "zt": 0.04, "fa": 0.01421, "ta": 0.02308, "tb": 0.00916,
    "u": 0.04, "ua": 0.01228, "ub": 0.00449,
}  # fmt: skip
START = {
    "beta": -0.0617138900142764496358948458001,
    "theta": 0.0,
    "gamma": 0.455279819163070380255912382449,
    "phi": 0.222668390165885884674473185609,
    "delta": 0.487364979543842550225598953530,
    "omega": -0.222668390165885884674473185609,
    "epsilon": 1.23054744454982119249735015568,
}
TORQUE = 0.033
SPRING_STIFFNESS = 4530.0
SPRING_LENGTH = 0.07785

HINGES = (
    ("ground", "body1", "O"),
    ("body1", "body2", "F"),
    ("ground", "body3", "B"),
    ("body2", "body3", "E"),
    ("body4", "body2", "E"),
    ("body4", "body5", "G"),
    ("ground", "body5", "A"),
    ("body6", "body2", "E"),
    ("body6", "body7", "H"),
    ("ground", "body7", "A"),
)


def start_points() -> dict[str, np.ndarray]:
    """Places of all points at the start [m]."""
    s, n = START, LENGTH
    points = {name: np.array(place) for name, place in FIXED.items()}
    points["F"] = n["rr"] * along(s["beta"])
    points["E"] = points["F"] - n["d"] * along(s["beta"] + s["theta"])
    points["D"] = points["B"] - n["sc"] * across(s["gamma"]) + n["sd"] * along(s["gamma"])
    points["G"] = points["A"] + n["zt"] * along(s["delta"])
    points["H"] = points["A"] - n["u"] * across(s["epsilon"])
    return points


def start_centres() -> list[np.ndarray]:
    """Centres of mass of the seven bodies at the start [m]."""
    s, n, p = START, LENGTH, start_points()
    return [
        n["ra"] * along(s["beta"]),
        p["F"] - n["da"] * along(s["beta"] + s["theta"]),
        p["B"] - n["sa"] * across(s["gamma"]) + n["sb"] * along(s["gamma"]),
        p["G"] - (n["e"] - n["ea"]) * across(s["phi"] + s["delta"]),
        p["A"] + n["ta"] * along(s["delta"]) + n["tb"] * across(s["delta"]),
        p["H"] + (n["zf"] - n["fa"]) * along(s["omega"] + s["epsilon"]),
        p["A"] - n["ua"] * across(s["epsilon"]) - n["ub"] * along(s["epsilon"]),
    ]


def squeezer() -> System:
    """The mechanism at rest in its published starting position; A03 runs 0.05 s, no gravity."""
    system = System("Andrews' squeezing mechanism", gravity=(0.0, 0.0), plane=True)
    for k, centre in enumerate(start_centres()):
        system.add(PlanarBody(f"body{k + 1}", MASS[k], INERTIA[k], position=(float(centre[0]), float(centre[1]))))
    points = start_points()
    for k, (a, b, point) in enumerate(HINGES):
        system.add(Revolute(f"hinge{k + 1}-{point}", a, b, at=tuple(points[point].tolist()), track=False))
    system.add(Torque("motor", "body1", TORQUE))
    foot = tuple((points["D"] - start_centres()[2]).tolist())
    stiffness, length = SPRING_STIFFNESS, SPRING_LENGTH
    system.add(Spring("spring", "ground", "body3", stiffness, length=length, point_a=FIXED["C"], point_b=foot))
    return system


def along(angle: float) -> np.ndarray:
    """Unit vector at an angle from +x."""
    return np.array([math.cos(angle), math.sin(angle)])


def across(angle: float) -> np.ndarray:
    """The same, turned a quarter counter-clockwise."""
    return np.array([-math.sin(angle), math.cos(angle)])
